//! `claims` from outside.

use crate::{Ended, NESTNET, json, nestnet};
use nestnet::claim::{Ledger, Totals};
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

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

/// One error at several places is one statement, at the command line and in the errata.
#[test]
fn totals_are_those_of_the_errata() {
    let errata = include_str!("../../../../docs/errata.md");
    for ledger in Ledger::all().unwrap() {
        let start = format!("| [{}](", ledger.key);
        let row = errata.lines().find(|line| line.starts_with(&start)).unwrap();
        let cells: Vec<usize> =
            row.split('|').filter_map(|cell| cell.trim().parse().ok()).collect();
        let found = Totals::of(&ledger.claims);
        let Totals { holds, bound, fails, misprints, open, .. } = found;
        assert_eq!(cells, [found.statements(), holds, fails + bound, bound, misprints, open]);
    }
    let li = Totals::of(&Ledger::of("li-2009").unwrap().claims);
    assert_eq!((li.rows, li.statements()), (96, 88));
    // Also where the time ends before all are measured.
    let stopped = nestnet(["claims", "li-2009", "--max-time", "0.001", "--json"]);
    let stopped: serde_json::Value = serde_json::from_str(&stopped.stdout).unwrap();
    assert_eq!(stopped["counts"]["statements"], 88);
    let counts = |only: &str| json(&["claims", "--only", only, "--json"])["counts"].clone();
    let both = counts("li-2009.table-1-ccc,li-2009.table-2-ccc");
    let of = |key: &str| both[key].as_u64().unwrap();
    assert_eq!([of("claims"), of("statements"), of("repeated"), of("fails")], [2, 1, 1, 1]);
    // Alone it is a statement of its own.
    let alone = counts("li-2009.table-2-ccc");
    assert_eq!((&alone["statements"], &alone["repeated"]), (&1.into(), &0.into()));
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

/// A ledger of one row.
fn ledger(check: &str) -> String {
    format!(
        "title = \"Mine\"\n[[claim]]\nid = \"row\"\nwhere = \"p. 1\"\nsays = \"It is one.\"\n\
         verdict = \"holds\"\n[[claim.check]]\n{check}\n"
    )
}

/// Six parameters of nineteen values each.
fn many() -> String {
    let values: Vec<String> = (0..19).map(|value| value.to_string()).collect();
    let given =
        ["a", "b", "c", "d", "e", "f"].map(|name| format!("{name} = [{}]", values.join(", ")));
    format!("given = {{ {} }}", given.join(", "))
}

/// What `claims --file` says to a ledger of one row.
fn judged(check: &str, options: &[&str]) -> Ended {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    fs::write(&path, ledger(check)).unwrap();
    nestnet([&["claims", "--file", path.to_str().unwrap()], options].concat())
}

#[test]
fn hostile_ledgers_end_within_their_limits() {
    let formula = |text: &str| format!("measured = \"{text}\"\nprinted = \"1\"");
    for (check, code, says) in [
        (
            formula(&format!("{}1", "-".repeat(3000))),
            0,
            "every verdict agrees with the measurement",
        ),
        (
            formula(&format!("1{}", "+1-1".repeat(2500))),
            0,
            "every verdict agrees with the measurement",
        ),
        (formula(&format!("{}1", "1^".repeat(3000))), 2, "nested more than 100 deep"),
        (formula(&format!("{}1{}", "(".repeat(3000), ")".repeat(3000))), 2, "nested more than"),
        (formula("binomial(10^9, 5*10^8)"), 2, "the binomial coefficient is too large"),
        (formula("factorial(10^9)"), 2, "the factorial is too large"),
        (formula("2^(10^12)"), 2, "the power 1000000000000 is too large"),
        (formula("sum(i, 1, 10^9, sum(j, 1, 10^9, 1))"), 2, "not finished row"),
        (formula("sum(i, 1, 10^6, nodes(ring({i+2})))"), 2, "not finished row"),
        (format!("{}\n{}", many(), formula("1")), 2, "there are 47045881 cases"),
        (format!("{}\nwhere = \"a < 0\"\n{}", many(), formula("1")), 2, "not finished row"),
    ] {
        let ended = judged(&check, &["--max-time", "1", "--max-memory", "200MB"]);
        let said = format!("{}{}", ended.stdout, ended.stderr);
        let shown: String = check.chars().take(200).collect();
        assert_eq!(ended.code, Some(code), "{shown}: {said}");
        assert!(said.contains(says), "{shown}: {said}");
        assert!(!said.contains("NOT AS MEASURED"), "{shown}: {said}");
        assert_eq!(
            said.contains("every verdict agrees with the measurement"),
            code == 0,
            "{shown}: {said}"
        );
    }
}

#[test]
fn what_was_stopped_is_not_finished_and_counted_so() {
    let check = "measured = \"sum(i, 1, 10^9, 1)\"\nprinted = \"1\"";
    let more = "\n[[claim]]\nid = \"quick\"\nwhere = \"p. 2\"\nsays = \"It is one.\"\nverdict = \"holds\"\n\
                [[claim.check]]\nmeasured = \"1\"\nprinted = \"1\"";
    let check = format!("{check}{more}");
    let ended = judged(&check, &["--max-time", "1", "--threads", "2", "--json"]);
    assert_eq!(ended.code, Some(2), "{}", ended.stderr);
    let object: serde_json::Value = serde_json::from_str(&ended.stdout).unwrap();
    let counts = &object["counts"];
    assert_eq!((&counts["claims"], &counts["finished"]), (&2.into(), &1.into()), "{counts}");
    assert_eq!((&counts["not_finished"], &counts["disagree"]), (&1.into(), &0.into()), "{counts}");
    assert_eq!(object["papers"][0]["claims"][0]["finished"], false);
    assert_eq!(object["papers"][0]["claims"][1]["finished"], true);
    let ended = judged(&check, &["--max-time", "1", "--threads", "2"]);
    assert_eq!(ended.code, Some(2), "{}", ended.stderr);
    assert!(
        ended.stdout.contains("1 finished and agreed with the measurement, 1 not finished"),
        "{}",
        ended.stdout
    );
}

#[cfg(unix)]
#[test]
fn a_signal_ends_a_formula_and_says_what_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    let path = path.to_str().unwrap();
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
    let text = ledger("measured = \"sum(i, 1, 10^9, sum(j, 1, 10^9, 1))\"\nprinted = \"1\"");
    for signal in ["INT", "TERM"] {
        let mut child = Command::new(NESTNET)
            .args(["claims", "--file", path])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // Only when the ledger is read does this go on, and then signals are heard.
        fs::write(path, &text).unwrap();
        std::thread::sleep(std::time::Duration::from_millis(200));
        let kill = format!("kill -{signal} {}", child.id());
        assert!(Command::new("sh").args(["-c", &kill]).status().unwrap().success());
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let said: Vec<String> = lines.map_while(Result::ok).collect();
        let said = said.join("\n");
        assert_eq!(child.wait().unwrap().code(), Some(130), "{signal}: {said}");
        assert!(
            said.contains("0 finished and agreed with the measurement, 1 not finished"),
            "{signal}: {said}"
        );
    }
}

#[test]
fn a_verdict_lists_only_its_rows() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    let path = path.to_str().unwrap();
    let row = |id: &str, verdict: &str, is: &str, printed: &str| {
        format!(
            "[[claim]]\nid = \"{id}\"\nwhere = \"p. 1\"\nsays = \"Of rings.\"\nverdict = \"{verdict}\"\n\
             repair = \"n.\"\n[[claim.check]]\ngiven = {{ n = [5, 6] }}\nis = \"{is}\"\n\
             measured = \"diameter(ring({{n}}))\"\nprinted = \"{printed}\"\n"
        )
    };
    let rows = [
        row("true", "holds", "equal", "floor(n/2)"),
        row("false", "fails", "equal", "n"),
        row("loose", "bound", "worst", "n/2"),
        row("wrong", "fails", "at-most", "1"),
    ];
    fs::write(path, format!("title = \"Mine\"\n{}", rows.concat())).unwrap();
    let ids = |more: &[&str]| -> Vec<String> {
        let object = json(&[&["claims", "--file", path, "--json"][..], more].concat());
        let papers = object["papers"].as_array().unwrap().iter();
        let claims = papers.flat_map(|paper| paper["claims"].as_array().unwrap());
        claims.map(|claim| claim["id"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(ids(&[]), ["true", "false", "loose", "wrong"]);
    // A false equality fails also where it is true as a bound.
    assert_eq!(ids(&["--verdict", "fails"]), ["false", "loose", "wrong"]);
    assert_eq!(ids(&["--verdict", "bound"]), ["loose"]);
    let ended = nestnet(["claims", "--file", path, "--verdict", "fails"]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let others = |line: &&str| {
        ["holds", "misprint", "open"].iter().any(|&other| line.trim_start().starts_with(other))
    };
    assert_eq!(ended.stdout.lines().filter(others).count(), 0, "{}", ended.stdout);
    assert!(
        ended.stdout.contains(" 0 hold, 3 fail (1 of them true as bounds)"),
        "{}",
        ended.stdout
    );
}

/// A statement has the verdict of its printed reading, and keeps its other readings.
#[test]
fn a_verdict_is_that_of_the_printed_reading() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    let path = path.to_str().unwrap();
    let reading = |name: &str, verdict: &str, printed: &str| {
        format!(
            "[[claim.reading]]\nname = \"{name}\"\nverdict = \"{verdict}\"\nrepair = \"n.\"\n\
             [[claim.reading.check]]\ngiven = {{ n = [5, 6] }}\nmeasured = \"links(ring({{n}}))\"\n\
             printed = \"{printed}\"\n"
        )
    };
    let row = |id: &str, readings: [String; 2]| {
        let head = format!("[[claim]]\nid = \"{id}\"\nwhere = \"p. 1\"\nsays = \"Of rings.\"\n");
        format!("{head}{}", readings.concat())
    };
    let true_first = [reading("links", "holds", "n"), reading("pairs", "fails", "n^2")];
    let false_first = [reading("pairs", "fails", "n^2"), reading("links", "holds", "n")];
    let rows = [row("true", true_first), row("false", false_first)];
    fs::write(path, format!("title = \"Mine\"\n{}", rows.concat())).unwrap();
    for (verdict, id, readings) in
        [("holds", "true", ["holds", "fails"]), ("fails", "false", ["fails", "holds"])]
    {
        let object = json(&["claims", "--file", path, "--verdict", verdict, "--json"]);
        let claims = object["papers"][0]["claims"].as_array().unwrap();
        assert_eq!(claims.len(), 1, "{verdict}");
        assert_eq!(claims[0]["id"], id);
        let found = claims[0]["readings"].as_array().unwrap();
        let found: Vec<_> = found.iter().map(|reading| reading["verdict"].as_str()).collect();
        assert_eq!(found, readings.map(Some), "{verdict}");
        assert_eq!(object["counts"][verdict], 1);
    }
    let ended = nestnet(["claims", "--file", path, "--verdict", "fails"]);
    let is_second = |line: &str| line.trim().starts_with("read as") && line.ends_with("links");
    assert!(ended.stdout.lines().any(is_second), "{}", ended.stdout);
    assert!(ended.stdout.contains("1 statement: 0 hold, 1 fail"), "{}", ended.stdout);
}

/// The template is a ledger that is judged as it stands.
#[test]
fn a_ledger_of_ones_own_begins_with_the_template() {
    let template = nestnet(["claims", "--template"]);
    assert_eq!(template.code, Some(0), "{}", template.stderr);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    fs::write(&path, template.stdout).unwrap();
    let ended = nestnet(["claims", "--file", path.to_str().unwrap()]);
    assert_eq!(ended.code, Some(0), "{}{}", ended.stdout, ended.stderr);
    assert!(ended.stdout.contains("every verdict agrees with the measurement"), "{}", ended.stdout);
}

/// A row that the time stops is not finished, whatever bounds it has: it is never called wrong.
#[test]
fn what_the_time_stops_is_not_called_wrong() {
    for time in ["0.001", "0.02", "0.2"] {
        let ended = nestnet(["claims", "li-2009", "--only", "theorem-1", "--max-time", time]);
        assert!(!ended.stdout.contains("NOT"), "{time}: {}", ended.stdout);
        assert_ne!(ended.code, Some(1), "{time}: {}", ended.stdout);
    }
}
