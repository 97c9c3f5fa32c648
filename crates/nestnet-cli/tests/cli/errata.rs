//! Every command of docs/errata.md runs, and shows what its entry says.

use super::{Ended, NESTNET};
use std::path::Path;
use std::process::Command;

const PAGE: &str = include_str!("../../../../docs/errata.md");

/// Runs a command as a reader does, in a shell.
fn run(command: &str) -> Ended {
    let binaries = Path::new(NESTNET).parent().expect("a folder").display();
    let path = format!("{binaries}:{}", std::env::var("PATH").unwrap_or_default());
    Command::new("sh").args(["-c", command]).env("PATH", path).output().expect("a shell").into()
}

/// The counts that the counterexamples of a reading have found by measurement, and the commands that show them.
struct Shown<'a> {
    found: Vec<&'a str>,
    commands: Vec<&'a str>,
}

/// What these measure the verbs below print as it is.
const PRINTED: [&str; 10] = [
    "nodes",
    "links",
    "degree_min",
    "degree_max",
    "diameter",
    "bisection",
    "vertex_connectivity",
    "edge_connectivity",
    "components",
    "reached",
];

/// The count that a counterexample has found, where it is that of one quantity of one network.
fn count(line: &'static str) -> Option<&'static str> {
    let line =
        line.strip_prefix("- Counterexample: `").filter(|_| line.ends_with("(measured)."))?;
    let (quantity, rest) = line.split_once('`')?;
    let (name, arguments) = quantity.split_once('(')?;
    let inside = arguments.strip_suffix(')')?;
    let depths = inside.chars().scan(0i32, |depth, sign| {
        *depth += i32::from(sign == '(') - i32::from(sign == ')');
        Some(*depth)
    });
    let whole = depths.min().unwrap_or(0) >= 0;
    let found = rest.split("**").nth(1)?;
    let digits = found.bytes().all(|sign| sign.is_ascii_digit());
    (PRINTED.contains(&name) && whole && digits).then_some(found)
}

fn readings() -> Vec<Shown<'static>> {
    let (mut all, mut found) = (Vec::new(), Vec::new());
    for line in PAGE.lines() {
        if line.starts_with("- Read as") || line.starts_with("- Verdict") {
            found.clear();
        }
        found.extend(count(line));
        if let Some(line) = line.strip_prefix("- Reproduce: ") {
            let commands = line.split('`').filter(|text| text.starts_with("nestnet "));
            let commands = commands.filter(|text| !text.starts_with("nestnet claims")).collect();
            all.push(Shown { found: found.clone(), commands });
        }
    }
    all
}

#[test]
fn every_command_of_the_page_runs_and_shows_it() {
    let (mut commands, mut shown) = (0, 0);
    for reading in readings() {
        let (mut said, mut no, mut counts) = (String::new(), false, !reading.commands.is_empty());
        for command in reading.commands {
            let Ended { code, stdout, stderr } = run(command);
            // What is shown may be that there is no such network.
            let refused = stderr.contains("is no group");
            assert!(refused || matches!(code, Some(0 | 1)), "{command}: {stderr}");
            no |= refused || code == Some(1);
            let verb = command.split(' ').nth(1).expect("a verb");
            counts &= ["measure", "cut", "broadcast"].contains(&verb);
            said.push_str(&stdout.replace(',', ""));
            commands += 1;
        }
        // A count that was found is in what these verbs print, unless their answer is no.
        let numbers = reading.found;
        if no || !counts || numbers.is_empty() {
            continue;
        }
        let printed: Vec<&str> =
            said.split(|sign: char| !sign.is_ascii_digit() && sign != '.').collect();
        assert!(numbers.iter().any(|found| printed.contains(found)), "{numbers:?} in {said}");
        shown += 1;
    }
    assert!(commands > 150 && shown > 30, "{commands} commands, {shown} of them show a number");
}
