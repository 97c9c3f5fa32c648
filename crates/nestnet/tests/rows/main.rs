//! One test for each row of a table, named after its law and its row: `laws::examples::torus`, `claims::verdicts::li-2009`.
//!
//! The tables are known only at run time, so this binary has a harness of its own, in which a `#[test]` would not run:
//! those are in `papers`.

mod aliases;
#[path = "../shared/atlas.rs"]
mod atlas;
mod claims;
mod formats;
mod laws;
mod pictures;
#[path = "../shared/round_trip.rs"]
mod round_trip;
#[path = "../shared/scene.rs"]
mod scene;
#[path = "../shared/truth.rs"]
mod truth;
mod views;

use libtest_mimic::{Arguments, Trial, run};
use nestnet::claim::{LEDGERS, Ledger};
use nestnet::family::{Family, Make, families, find};
use nestnet::{Built, Context, Spec, SpecError, build_with};
use std::process::ExitCode;

/// A law of all rows of a table, and its name.
type Law<Row> = (&'static str, fn(Row));

/// What holds of every family.
const OF_FAMILIES: &[Law<&'static Family>] = &[
    ("laws::examples", laws::examples),
    ("laws::random_arguments", laws::random_arguments),
    ("formats", formats::read_as_written),
    ("pictures", pictures::drawn_and_folded),
    ("views", views::by_rule_as_by_walk),
];

/// What holds of every paper's ledger.
const OF_LEDGERS: &[Law<Ledger>] = &[
    ("claims::verdicts", claims::verdicts),
    ("claims::other_verdicts", claims::other_verdicts),
    ("claims::smallest_cases", claims::smallest_cases),
];

fn main() -> ExitCode {
    let mut trials = Vec::new();
    for &(law, check) in OF_FAMILIES {
        trials.extend(families().map(|family| trial(law, family.name, move || check(family))));
    }
    // A random network of any size takes long to make.
    for family in families().filter(|family| !family.is_drawn()) {
        trials.push(trial("laws::any_arguments", family.name, || laws::any_arguments(family)));
    }
    let is_alias = |family: &&Family| matches!(family.make, Make::Alias(_));
    for family in families().filter(is_alias) {
        trials.push(trial("aliases", family.name, || aliases::searched(family)));
    }
    for &(law, check) in OF_LEDGERS {
        for &(key, text) in LEDGERS {
            let ledger = || Ledger::parse(key, text).unwrap_or_else(|error| panic!("{error}"));
            trials.push(trial(law, key, move || check(ledger())));
        }
    }
    run(&Arguments::from_args(), trials).exit_code()
}

fn trial(law: &str, row: &str, check: impl FnOnce() + Send + 'static) -> Trial {
    Trial::test(format!("{law}::{row}"), || {
        check();
        Ok(())
    })
}

/// A square with a roof, for `file`.
const HOUSE: &str = "0 1\n1 2\n2 3\n3 0\n3 4\n0 4\n";

/// A triangle with links of one, two and three cables.
const TRUNKS: &str = "0 1\n0 1\n1 2\n2 0\n2 0\n2 0\n";

/// Where every file is the house, but for the one that is called `trunks`.
fn context() -> Context<'static> {
    Context {
        read: &|name| Ok(if name == "trunks" { TRUNKS } else { HOUSE }.into()),
        ..Context::ALONE
    }
}

fn make(text: &str) -> Result<Built, SpecError> {
    build_with(&Spec::parse(text)?, text, &context())
}

/// The examples of a family, and those of `more` that begin with its name.
fn specs(family: &Family, more: &[&'static str]) -> Vec<&'static str> {
    let name = |spec: &str| spec.split('(').next().unwrap_or_default().to_owned();
    for spec in more {
        assert!(find(&name(spec)).is_some(), "{spec} is of no family, and of no test");
    }
    let more = more.iter().filter(|spec| name(spec) == family.name);
    family.examples.iter().chain(more).copied().collect()
}
