//! What the front end understands, suggests and keeps to itself.

use crate::{Ended, NESTNET, json, nestnet, schema};
use std::fs;
use std::path::Path;
use std::process::Command;

/// A study that is read, and not made.
const STUDY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/study.toml");

/// The one part of a search from every node of a ring.
const PART: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/part.json");

/// A question of each verb that is answered at once.
const VERBS: &[&[&str]] = &[
    &["info", "ring(5)"],
    &["neighbors", "ring(5)", "0"],
    &["families"],
    &["draw", "ring(5)", "-o", "ring.svg", "--json"],
    &["view", "ring(5)"],
    &["serve", "ring(5)", "--no-open", "--max-time", "0.2"],
    &["edges", "ring(5)"],
    &["export", "ring(5)", "-o", "ring.gml"],
    &["import", "ring.gml"],
    &["tables", "ring(5)", "-o", "ring.routes"],
    &["measure", "ring(5)"],
    &["cut", "ring(5)"],
    &["throughput", "ring(5)"],
    &["route", "ring(5)", "0", "2"],
    &["routing", "ring(5)"],
    &["paths", "ring(5)", "0", "2"],
    &["deadlock", "ring(5)"],
    &["simulate", "ring(5)", "--load", "0.1"],
    &["broadcast", "ring(5)", "0"],
    &["run", "scan", "hypercube(2)"],
    &["emulate", "hcn(1)"],
    &["embed", "ring(4)", "hypercube(2)"],
    &["claims", "--quantities"],
    &["compare", "ring(5)"],
    &["report", "ring(3)", "-o", "/dev/stdout"],
    &["design", "--nodes", "8", "--depth", "0", "--max-base", "4", "--no-report"],
    &["grow", "ring(5)"],
    &["resilience", "ring(5)", "--trials", "2"],
    &["study", STUDY, "--dry-run"],
    &["merge", PART],
    &["collective", "allreduce", "ring(4)"],
    &["completions", "bash"],
    &["man"],
    &["help"],
];

fn fails(args: &[&str]) -> String {
    let Ended { code, stdout, stderr } = nestnet(args);
    assert_eq!((code, stdout.as_str()), (Some(2), ""), "{args:?}: {stderr}");
    stderr
}

/// The verbs that the help lists.
fn verbs() -> Vec<String> {
    let help = nestnet(["--help"]).stdout;
    let listed = help.split("Options:").next().unwrap_or_default();
    let lines = listed.lines().filter_map(|line| line.strip_prefix("  "));
    lines.filter_map(|line| line.split(' ').next()).map(str::to_owned).collect()
}

#[test]
fn every_verb_that_answers_in_json_has_a_schema() {
    let mut answering = 0;
    for verb in verbs() {
        let help = nestnet([verb.as_str(), "--help"]).stdout;
        if help.lines().any(|line| line.trim_start().starts_with("--json")) {
            assert_eq!(schema::of(&verb)["title"], format!("nestnet {verb} --json"));
            answering += 1;
        }
    }
    assert!(answering > 20, "{answering}");
}

#[test]
fn the_help_groups_verbs_by_what_one_wants() {
    let help = nestnet(["--help"]).stdout;
    let groups = ["Know a network:", "Decide:", "Route:", "Communicate:", "Check papers:", "Look:"];
    let places: Option<Vec<usize>> = groups.iter().map(|group| help.find(group)).collect();
    assert!(places.is_some_and(|places| places.is_sorted()), "{help}");
    assert!(help.contains("Import and export:"), "{help}");
    let mut verbs = verbs();
    let mut here: Vec<&str> = VERBS.iter().map(|args| args[0]).collect();
    verbs.sort_unstable();
    here.sort_unstable();
    assert_eq!(verbs, here, "every verb is tried here");
}

#[test]
fn counts_are_read_as_people_write_them() {
    let nodes = |text: &str| {
        let args = ["design", "--depth", "0", "--max-base", "4", "--family", "ring", "--json"];
        json(&[&args[..], &["--nodes", text]].concat())["nodes"].as_u64().unwrap()
    };
    for (text, count) in
        [("1,000", 1000), ("4k", 4000), ("2^10", 1024), ("1e6", 1_000_000), ("1M", 1_000_000)]
    {
        assert_eq!(nodes(text), count, "{text}");
    }
    assert_eq!(nestnet(["edges", "ring(5)", "--max-links", "1k"]).code, Some(0));
    let compared = ["compare", "ring(5)", "--rack", "1Ki", "--seed", "1e3", "--samples", "4"];
    assert_eq!(nestnet(compared).code, Some(0));
}

#[test]
fn numbers_out_of_range_name_the_range() {
    for (args, range) in [
        (["design", "--nodes", "-5"].as_slice(), "expected a number from 1 to 10^30"),
        (&["design", "--nodes", "-5%"], "expected a number from 1 to 10^30"),
        (&["design", "--nodes", "9", "--depth", "-1"], "expected a number from 0 to 4"),
        (&["design", "--nodes", "9", "--max-base", "-1M"], "expected a number from 2 to 4096"),
        (&["design", "--nodes", "9", "--tolerance", "-5%"], "expected a part from 0 to 1"),
        (&["routing", "ring(5)", "--random-faults", "-0.1"], "expected a part from 0 to 1"),
        (&["routing", "ring(5)", "--sample", "0"], "expected a number from 1 to 4294967295"),
        (&["edges", "ring(5)", "--max-links", "-1"], "expected a number at least 0"),
        (&["measure", "ring(5)", "--threads", "-1"], "expected a number from 1 to 65535"),
        (&["measure", "ring(5)", "--max-time", "-1"], "expected a number of seconds above 0"),
        (&["compare", "ring(5)", "--rack", "-1"], "expected a number from 1 to 2^24"),
        (&["design", "--nodes", "many"], "such as 1000, 1,000, 1e6, 1M or 2^20"),
    ] {
        let message = fails(args);
        assert!(message.contains(range), "{args:?}: {message}");
        assert!(!message.contains("unexpected argument"), "{args:?}: {message}");
    }
}

#[test]
fn a_part_may_be_a_percentage() {
    let faults = |part: &str| {
        nestnet(["routing", "torus(6, 6)", "--random-faults", part, "--seed", "2"]).stdout
    };
    assert_eq!(faults("10%"), faults("0.1"));
}

#[test]
fn what_was_meant_is_suggested() {
    for (args, meant) in [
        (["info", "fat-tree(4)"].as_slice(), "did you mean `fat_tree`?"),
        (&["info", "jelly-fish(20, 3, 1)"], "did you mean `jellyfish`?"),
        (&["info", "folded-clos(4)"], "did you mean `clos`?"),
        (&["info", "spine-leaf"], "did you mean `leaf_spine`?"),
        (&["info", "rdn(dragon-fly(3, 1), 1)"], "did you mean `dragonfly`?"),
        (&["info", "hyper-x(3)"], "did you mean `hyperx`?"),
        (&["families", "slim_fly"], "did you mean `slimfly`?"),
        (&["measure", "ring(5)", "--only", "diametre"], "did you mean `diameter`?"),
        (&["measure", "ring(5)", "--only", "average-distance"], "did you mean `average_distance`?"),
        (&["compare", "ring(5)", "--columns", "diametre"], "did you mean `diameter`?"),
        (&["compare", "ring(5)", "--also", "bisecton"], "did you mean `bisection`?"),
        (&["design", "--nodes", "9", "--sort", "digree"], "did you mean `degree`?"),
        (&["design", "--nodes", "9", "--objective", "vc"], "did you mean `vcs`?"),
        (&["design", "--nodes", "9", "--family", "fat-tree"], "did you mean `fat_tree`?"),
    ] {
        let message = fails(args);
        assert!(message.contains(meant), "{args:?}: {message}");
    }
}

#[test]
fn a_file_is_not_a_network() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("links"), "0 1\n").unwrap();
    let message = |spec: &str| {
        let mut command = Command::new(NESTNET);
        let ended: Ended =
            command.args(["info", spec]).current_dir(folder.path()).output().unwrap().into();
        assert_eq!(ended.code, Some(2));
        ended.stderr
    };
    assert!(message("links.txt").contains("did you mean `file(\"links.txt\")`?"));
    assert!(message("./links").contains("did you mean `file(\"./links\")`?"));
    // Without an ending only the file itself tells.
    assert!(message("links").contains("did you mean `file(\"links\")`?"));
    assert!(!message("lynx").contains("file("));
}

#[test]
fn escape_codes_do_not_come_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a\u{1b}[31m\u{9b}b.txt");
    fs::write(&path, "0 1\n1 2\n").unwrap();
    let spec = format!("file(\"{}\")", path.display());
    let svg = folder.path().join("x.svg");
    let page = folder.path().join("x.html");
    let clean = |text: &str| {
        let hostile = |c: char| c.is_control() && c != '\n' && c != '\t';
        assert!(!text.contains(hostile), "{text:?}");
    };
    for args in [
        ["info", "ring(\u{1b}[31m)"].as_slice(),
        &["info", "\u{1b}]0;title\u{7}"],
        &["info", "file(\"\u{1b}[31m\")"],
        &["neighbors", "ring(5)", "\u{1b}[31m"],
        &["route", "ring(5)", "0", "1", "--faults", "\u{1b}[31m"],
        &["route", "ring(5)", "0", "1", "--router", "\u{1b}[31m"],
        &["measure", "ring(5)", "--only", "\u{1b}[31m"],
        &["\u{1b}[31m"],
        &["info", "ring(5)", "--\u{1b}[31m"],
        &["design", "--nodes", "\u{1b}[31m"],
        &["info", &spec],
        &["info", &spec, "--json"],
        &["measure", &spec],
        &["neighbors", &spec, "0"],
        &["neighbors", &spec, "0", "--json"],
        &["collective", "allreduce", &spec, "--export", "msccl"],
        &["draw", &spec, "-o", svg.to_str().unwrap()],
        &["report", &spec, "-o", page.to_str().unwrap()],
    ] {
        let Ended { stdout, stderr, .. } = nestnet(args);
        clean(&stdout);
        clean(&stderr);
    }
    clean(&fs::read_to_string(&svg).unwrap());
    clean(&fs::read_to_string(&page).unwrap());
}

#[test]
fn nobody_has_to_read_to_the_end() {
    let folder = tempfile::tempdir().unwrap();
    for args in VERBS {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = Command::new(NESTNET);
        command.args(*args).stdout(writer).current_dir(folder.path());
        let ended: Ended = command.output().unwrap().into();
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{args:?}");
    }
}

#[test]
fn the_version_names_its_commit() {
    let version = nestnet(["--version"]).stdout;
    let number = concat!("nestnet ", env!("CARGO_PKG_VERSION"));
    let commit = version.trim_end().strip_prefix(number).expect("name and number");
    // Without git there is none.
    let digits = commit.strip_prefix(" (").and_then(|commit| commit.strip_suffix(')'));
    let is_commit = |digits: &str| digits.len() >= 12 && u128::from_str_radix(digits, 16).is_ok();
    assert!(commit.is_empty() || digits.is_some_and(is_commit), "{version}");
}

#[test]
fn shells_and_manuals_know_every_verb() {
    let folder = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = nestnet(["completions", shell]).stdout;
        for verb in verbs() {
            assert!(script.contains(&verb), "{shell}: {verb}");
        }
    }
    assert!(nestnet(["man"]).stdout.contains(".TH nestnet 1"));
    assert!(nestnet(["man", "design"]).stdout.contains("\\-\\-max\\-degree"));
    assert!(fails(&["man", "unicorn"]).contains("no verb `unicorn`"));
    let ended = nestnet(["man", "--folder", folder.path().to_str().unwrap()]);
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
    for verb in verbs().iter().filter(|verb| *verb != "help") {
        assert!(folder.path().join(format!("nestnet-{verb}.1")).exists(), "{verb}");
    }
    assert!(folder.path().join("nestnet.1").exists());
}

/// The names in a folder, hidden ones too.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort_unstable();
    names
}

#[cfg(unix)]
#[test]
fn what_a_killed_run_left_is_removed_by_the_next() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let long = |name: &str| {
        let links = ["edges", "hypercube(30)", "--max-links", "1T", "-o"];
        let before = names(folder.path());
        let child = Command::new(NESTNET).args(links).arg(path(name)).spawn().unwrap();
        while names(folder.path()).iter().all(|name| before.contains(name)) {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        child
    };
    let mut killed = long("killed.txt");
    killed.kill().unwrap();
    killed.wait().unwrap();
    assert_eq!(names(folder.path()).len(), 1, "a leftover");
    // One that still writes is left alone.
    let mut alive = long("alive.txt");
    assert_eq!(names(folder.path()).len(), 1, "the leftover is gone, the new file there");
    assert_eq!(nestnet(["edges", "ring(3)", "-o", &path("links.txt")]).code, Some(0));
    assert_eq!(names(folder.path()).len(), 2);
    alive.kill().unwrap();
    alive.wait().unwrap();
    assert_eq!(nestnet(["edges", "ring(3)", "-o", &path("links.txt")]).code, Some(0));
    assert_eq!(names(folder.path()), ["links.txt"]);
}
