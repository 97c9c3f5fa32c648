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
    assert!(stdout.contains("candidates that nothing beats in degree, diameter"), "{stdout}");
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
        for key in FIGURES.into_iter().chain(["connectivity", "match"]) {
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
        (["--nodes", "0"].as_slice(), "--nodes must be between 1 and 10^30, not 0"),
        (&["--nodes", "-5"], "unexpected argument '-5'"),
        (&["--nodes", "9", "--tolerance", "ten"], "such as 10% or 0.1"),
        (&["--nodes", "9", "--objective", "digree"], "did you mean `degree`?"),
        (&["--nodes", "9", "--family", "rnd"], "did you mean `rdn`?"),
    ] {
        let Ended { code, stdout, stderr } = nestnet(["design"].iter().chain(args));
        assert_eq!((code, stdout.as_str()), (Some(2), ""), "{args:?}");
        assert!(stderr.contains(fault), "{args:?}: {stderr}");
    }
}

#[test]
fn networks_that_cannot_grow_say_no() {
    let Ended { code, stdout, .. } = nestnet(["grow", "petersen"]);
    assert_eq!(code, Some(1));
    assert!(stdout.contains("none of its integers can be one larger"), "{stdout}");
}
