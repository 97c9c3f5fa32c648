//! `design` and `grow` from outside.

use crate::{Ended, FIGURES, json, nestnet};

const SMALL: [&str; 10] = [
    "design",
    "--nodes",
    "20",
    "--max-degree",
    "4",
    "--depth",
    "1",
    "--max-base",
    "6",
    "--no-report",
];

#[test]
fn a_front_is_printed_and_nothing_else() {
    let Ended { code, stdout, stderr } = nestnet(SMALL);
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stdout.trim_start().starts_with("network"), "{stdout}");
    assert!(stdout.contains("candidates are Pareto-optimal in degree, diameter"), "{stdout}");
    assert_eq!(stderr, "");
    let few = nestnet(SMALL.iter().copied().chain(["--limit", "1"]));
    assert!(few.stdout.contains("not shown (--limit)"), "{}", few.stdout);
}

#[test]
fn json_has_every_key_of_every_row() {
    let args: Vec<&str> = SMALL.iter().copied().chain(["--json"]).collect();
    let object = json(&args);
    assert!(object["candidates"].as_u64().unwrap() > 10);
    let front = object["front"].as_array().unwrap();
    assert!(!front.is_empty());
    for row in front {
        for key in FIGURES.into_iter().chain(["vertex_connectivity", "match"]) {
            assert!(!row[key].is_null(), "{key} of {row}");
        }
        let measured =
            json(&["measure", row["spec"].as_str().unwrap(), "--only", "distances,cr", "--json"]);
        assert_eq!(row["average_distance"]["value"], measured["average_distance"]["value"]);
        assert_eq!(row["diameter"]["low"], measured["diameter"]["low"]);
        assert_eq!(row["cr"], measured["cr"]);
    }
}

#[test]
fn what_does_not_fit_is_a_no_with_a_way_out() {
    let args = SMALL.iter().copied().chain(["--max-diameter", "1"]);
    let Ended { code, stdout, .. } = nestnet(args);
    assert_eq!(code, Some(1));
    assert!(
        stdout.starts_with("no candidate of degree ≤ 4 with diameter ≤ 1 at 20 ± 10 %: relax ")
    );
    assert!(stdout.contains("--max-diameter to "), "{stdout}");
}

#[test]
fn bad_questions_name_the_option() {
    for (args, fault) in [
        (["--nodes", "0"].as_slice(), "expected a number from 1 to 10^30"),
        (&["--nodes", "1e31"], "expected a number from 1 to 10^30"),
        (&["--nodes", "9", "--tolerance", "ten"], "such as 0.05 or 5%"),
        (&["--nodes", "9", "--objective", "digree"], "did you mean `degree`?"),
        (&["--nodes", "9", "--family", "rnd"], "did you mean `rdn`?"),
    ] {
        let Ended { code, stdout, stderr } = nestnet(["design"].iter().chain(args));
        assert_eq!((code, stdout.as_str()), (Some(2), ""), "{args:?}");
        assert!(stderr.contains(fault), "{args:?}: {stderr}");
    }
}

#[test]
fn no_rows_are_a_count_without_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = std::process::Command::new(crate::NESTNET);
    let asked = &SMALL[..9];
    command.args(asked).args(["--limit", "0"]).current_dir(folder.path());
    let Ended { code, stdout, stderr } = command.output().unwrap().into();
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
    assert!(stdout.lines().next().unwrap().contains("candidates are Pareto-optimal"), "{stdout}");
    assert_eq!(stdout.lines().count(), 2, "{stdout}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn what_bounds_the_search_is_said_and_can_be_lifted() {
    let asked = ["design", "--nodes", "100", "--tolerance", "0", "--depth", "1", "--family", "re"];
    let asked = [&asked[..], &["--no-report"]].concat();
    let found = |more: &[&str]| nestnet([&asked[..], more].concat()).stdout;
    let usual = found(&[]);
    assert!(
        usual.contains(
            "searched: constructions to depth 1 (--depth), bases of up to 32 nodes (--max-base), \
             frames of up to 16 (--max-frame), 5 around what is nested (--max-nested-frame)"
        ),
        "{usual}"
    );
    // Which is re(hoffman_singleton, hypercube(1), 1) by shorter names.
    let hidden = "re(slimfly(5), complete(2), 1)";
    assert!(!usual.contains(hidden), "{usual}");
    let wide = found(&["--max-frame", "50", "--limit", "200"]);
    assert!(wide.contains(hidden), "{wide}");
}

#[test]
fn networks_that_cannot_grow_say_no() {
    let Ended { code, stdout, .. } = nestnet(["grow", "petersen"]);
    assert_eq!(code, Some(1));
    assert!(stdout.contains("none of its integers can be one larger"), "{stdout}");
}
