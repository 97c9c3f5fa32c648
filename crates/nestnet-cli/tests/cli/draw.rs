//! `nestnet draw`: the files it writes, and what it says of them.

use crate::{json, nestnet};
use std::fs;
use std::path::Path;

/// The file that `args` draw.
fn drawn(args: &[&str], name: &str) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    let file = path.to_string_lossy();
    let ended = nestnet(["draw", "-o", &*file].iter().chain(args));
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{args:?}");
    fs::read(&path).expect("the picture")
}

#[test]
fn the_ending_of_the_file_says_the_format() {
    let png = drawn(&["petersen"], "a.PNG");
    assert!(png.starts_with(b"\x89PNG\r\n"));
    let pdf = drawn(&["rdn(ring(3), 1)", "--load"], "a.pdf");
    assert!(pdf.starts_with(b"%PDF-"));
    // Text is text, in a font that comes with the page, and equal commands write equal bytes.
    assert!(pdf.windows(19).any(|window| window == b"DejaVuSansCondensed"));
    for _ in 0..3 {
        assert!(pdf == drawn(&["rdn(ring(3), 1)", "--load"], "a.pdf"));
    }
    // A page is as wide as was asked for, in points.
    let page = drawn(&["petersen", "--width", "84"], "a.pdf");
    let page = String::from_utf8_lossy(&page).into_owned();
    let (_, sides) = page.split_once("/MediaBox [0 0 ").unwrap();
    let width: f64 = sides.split(' ').next().unwrap().parse().unwrap();
    assert!((width - 84.0 / 25.4 * 72.0).abs() < 0.1, "{width}");
    // The page of a light PNG is white, that of a dark one is not.
    assert_ne!(png, drawn(&["petersen", "--theme", "dark"], "a.png"));
}

#[test]
fn json_says_what_was_drawn() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.svg");
    let file = path.to_string_lossy();
    let said = json(&["draw", "rdn(torus(5, 5), 3)", "-o", &file, "--json"]);
    // More of them would only be fog: every two of different kinds are joined.
    assert_eq!(said["dots"], 8);
    assert_eq!(said["nodes_a_dot"], 2_441_406_250_000u64);
    let not_drawn = said["notes"][2].as_str().expect("a note");
    assert!(not_drawn.ends_with(" links inside the dots"), "{not_drawn}");
    assert!(path.exists());
}

#[test]
fn nodes_are_called_as_asked() {
    let named = |spec: &str, options: &[&str]| {
        let svg = drawn(&[&[spec][..], options].concat(), "a.svg");
        let svg = String::from_utf8(svg).expect("text");
        let labels = svg.lines().filter(|line| line.contains("class=\"label"));
        let name = |line: &str| {
            let (_, rest) = line.split_once('>').expect("an element");
            rest.split('<').next().unwrap_or_default().to_owned()
        };
        labels.map(name).collect::<Vec<String>>()
    };
    let (digits, bits) = ("hsn(hypercube(2), 3)", "rsn(hypercube(2), 2)");
    assert_eq!(named(digits, &[]), named(digits, &["--labels", "id"]));
    assert_eq!(named(bits, &[]), named(bits, &["--labels", "address"]));
    assert!(named(bits, &["--labels", "id"]).contains(&"15".to_owned()));
    // Also where they are small.
    for more in [&["--width", "60"][..], &[]] {
        let addresses = named(digits, &[&["--labels", "address"][..], more].concat());
        assert_eq!(addresses.len(), 64);
        assert!(addresses.contains(&"(11,10,01)".to_owned()), "{addresses:?}");
    }
    assert!(named(bits, &["--labels", "none"]).is_empty());
    assert!(named(bits, &["--no-labels"]).is_empty());
}

#[test]
fn what_has_no_node_ids_is_drawn_folded() {
    let huge = "rdn(torus(5, 5), 4)";
    let svg = drawn(&[huge], "a.svg");
    let svg = String::from_utf8(svg).expect("text");
    assert_eq!(svg.matches("<circle").count(), 16);
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a.svg").to_string_lossy().into_owned();
    let ended = nestnet(["draw", huge, "-o", &*file, "--route", "0", "1"]);
    assert_eq!(ended.code, Some(2));
    assert!(ended.stderr.contains("has no node ids"), "{}", ended.stderr);
}

#[test]
fn what_cannot_be_drawn_leaves_no_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let cases: [(&[&str], String, &str); 7] = [
        (&["petersen"], path("a.gif"), "must end in .svg, .png, .pdf or .tex"),
        (&["petersen"], path("no/folder/a.svg"), "cannot write"),
        (&["petersen", "--route", "0", "10"], path("a.svg"), "no node `10`"),
        (
            &["heawood", "--broadcast", "0", "--step", "9"],
            path("a.svg"),
            "--step must be from 0 to 3, the steps of this broadcast, not 9",
        ),
        (&["hypercube(16)", "--fold", "0"], path("a.svg"), "65536 dots are too many to draw"),
        (&["petersen", "--fold", "1"], path("a.svg"), "--fold must be from 0 to 0"),
        (&["star(99999999)"], path("a.svg"), "no clusters to fold"),
    ];
    for (args, file, message) in cases {
        let ended = nestnet(["draw", "-o", &file].iter().chain(args));
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{args:?}");
        assert!(ended.stderr.contains(message), "{args:?}: {}", ended.stderr);
        assert_eq!(ended.stderr.lines().count(), 1, "{args:?}: {}", ended.stderr);
        assert!(!Path::new(&file).exists());
    }
}
