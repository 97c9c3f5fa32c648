//! Every command of docs/procedures.md runs: it answers, also where the answer is no.

use super::{Ended, nestnet};

/// The words of a command, which quotes as a shell does.
fn words(command: &str) -> Vec<String> {
    let (mut all, mut word, mut quoted) = (Vec::new(), String::new(), false);
    for sign in command.chars() {
        match sign {
            '"' => quoted = !quoted,
            ' ' if !quoted => all.extend((!word.is_empty()).then(|| std::mem::take(&mut word))),
            sign => word.push(sign),
        }
    }
    all.extend((!word.is_empty()).then_some(word));
    all
}

#[test]
fn every_command_of_the_page_runs() {
    let page = include_str!("../../../../docs/procedures.md");
    let (mut commands, mut no) = (0, 0);
    for command in page.split('`').filter(|text| text.starts_with("nestnet ")) {
        let words = words(command);
        let arguments: Vec<&str> = words.iter().skip(1).map(String::as_str).collect();
        let Ended { code, stderr, .. } = nestnet(&arguments);
        assert!(matches!(code, Some(0 | 1)), "{command}: {stderr}");
        commands += 1;
        no += u32::from(code == Some(1));
    }
    // As printed, most procedures do not do what they should.
    assert!(commands > 60 && no >= 15, "{commands} commands, {no} of them answer no");
}

/// Rows that the page names are rows of a ledger.
#[test]
fn every_row_of_the_page_is_one() {
    let page = include_str!("../../../../docs/procedures.md");
    let Ended { stdout, .. } = nestnet(["claims", "--list", "--json"]);
    let papers = ["shen-back-1993.", "jan-2004.", "li-2009.", "yeh-parhami-1996.", "sun-2000."];
    let rows = page.split('`').filter(|text| papers.iter().any(|paper| text.starts_with(paper)));
    let mut named = 0;
    for row in rows {
        assert!(stdout.contains(&format!("\"{row}\"")), "no row {row}");
        named += 1;
    }
    assert!(named > 40, "{named}");
}

/// A name that is not there is answered with those that are: `paper` only where the paper has a broadcast.
#[test]
fn broadcasts_that_are_named_are_those_of_the_network() {
    let refused = |spec: &str, name: &str| {
        let Ended { code, stderr, .. } = nestnet(["broadcast", spec, "0", "--algorithm", name]);
        assert_eq!(code, Some(2), "{spec} {name}: {stderr}");
        stderr
    };
    let swapped = refused("rsn(hypercube(2), 2)", "foo");
    assert!(swapped.contains("no broadcast `foo`, but best\n"), "{swapped}");
    let swapped = refused("rsn(hypercube(2), 2)", "paper");
    assert!(swapped.contains("no broadcast of its own, only `best`"), "{swapped}");
    let dual = refused("rdn(ring(3), 2)", "foo");
    assert!(dual.contains("no broadcast `foo`, but paper, best"), "{dual}");
}
