//! `claims` from outside.

use crate::{json, nestnet};
use std::fs;

#[test]
fn a_claim_that_fails_is_shown_with_both_values() {
    let object = json(&["claims", "--only", "li-2009.table-2-ccc", "--json"]);
    assert_eq!(object["counts"]["fails"], 1);
    assert_eq!(object["counts"]["disagree"], 0);
    let reading = &object["papers"][0]["claims"][0]["readings"][0];
    let cases = reading["cases"].as_array().unwrap();
    let diameter = cases.iter().find(|case| case["column"] == "Diameter").unwrap();
    assert_eq!((&diameter["printed"], &diameter["measured"]), (&"34".into(), &"40".into()));
    assert_eq!(diameter["fits"], "no");
}

#[test]
fn a_ledger_of_ones_own_is_measured_and_a_wrong_verdict_is_a_no() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    let path = path.to_str().unwrap();
    let row = "title = \"Mine\"\n[[claim]]\nid = \"ring\"\nwhere = \"p. 1\"\nsays = \"Rings have n links.\"\n\
               verdict = \"VERDICT\"\nrepair = \"n - 1 where n is 2.\"\n[[claim.check]]\n\
               given = { n = [2, 3, 4] }\nmeasured = \"links(ring({n}))\"\nprinted = \"n\"\n";
    for (verdict, code) in [("fails", Some(0)), ("holds", Some(1)), ("open", Some(2))] {
        fs::write(path, row.replace("VERDICT", verdict)).unwrap();
        let ended = nestnet(["claims", "--file", path]);
        assert_eq!(ended.code, code, "{verdict}: {}{}", ended.stdout, ended.stderr);
        assert_eq!(ended.stdout.contains("NOT AS MEASURED ring"), verdict == "holds");
    }
    fs::write(path, row.replace("VERDICT", "fails").replace("links(", "lonks(")).unwrap();
    let ended = nestnet(["claims", "--file", path]);
    assert_eq!(ended.code, Some(2));
    assert!(
        ended.stderr.contains("no quantity `lonks`: did you mean `links`?"),
        "{}",
        ended.stderr
    );
}

#[test]
fn bad_questions_name_what_there_is() {
    for (args, fault) in [
        (["claims", "li-2008"].as_slice(), "no paper `li-2008`: did you mean `li-2009`?"),
        (&["claims", "--only", "li-2009.tabel-2-ccc"], "did you mean `li-2009.table-2-ccc`?"),
        (&["claims", "--verdict", "maybe"], "invalid value 'maybe'"),
        (&["claims", "--file", "no-such-file.toml"], "cannot read no-such-file.toml"),
    ] {
        let ended = nestnet(args);
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{args:?}");
        assert!(ended.stderr.contains(fault), "{args:?}: {}", ended.stderr);
    }
}
