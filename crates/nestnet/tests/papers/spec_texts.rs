//! Texts near a valid spec: read and printed as the same spec, or refused at a place inside the text, never a panic.

use crate::large::specs;
use nestnet::build::canonical;
use nestnet::family::families;
use nestnet::{Budget, Context, Spec, SpecError, build_with};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::{Config, TestRunner};
use std::cell::Cell;

/// What is put into a text: all that the language knows, and some that it does not.
const PIECES: &[&str] = &[
    "(",
    ")",
    "[",
    "]",
    ",",
    "=",
    "\"",
    "\\",
    "-",
    " ",
    "\n",
    "0",
    "7",
    "é",
    "\u{1b}",
    ".",
    "/",
    "_",
    "k=",
    "-1",
    "ring(3)",
    "petersen",
    "\"a b\"",
    "[path(2), 3]",
    "torus",
];

/// An example of a family, or a random nesting.
fn valid() -> impl Strategy<Value = String> {
    let examples: Vec<&str> = families().flat_map(|family| family.examples).copied().collect();
    let nested = proptest::collection::vec(any::<u8>(), 0..64);
    prop_oneof![select(examples).prop_map(str::to_owned), nested.prop_map(|b| specs::spec(&b))]
}

#[derive(Clone, Debug)]
enum Change {
    Delete,
    Insert(&'static str),
    Swap(Index),
    Truncate,
}

/// What is changed: a character, or a word with the sign behind it.
#[derive(Clone, Copy, Debug)]
enum Grain {
    Character,
    Word,
}

fn change() -> impl Strategy<Value = (Grain, Index, Change)> {
    let change = prop_oneof![
        Just(Change::Delete),
        select(PIECES).prop_map(Change::Insert),
        any::<Index>().prop_map(Change::Swap),
        Just(Change::Truncate),
    ];
    (select(&[Grain::Character, Grain::Word]), any::<Index>(), change)
}

fn changed(text: &str, (grain, at, change): &(Grain, Index, Change)) -> String {
    let mut pieces: Vec<&str> = match grain {
        Grain::Character => text.split("").collect(),
        Grain::Word => text.split_inclusive(|c: char| !c.is_alphanumeric() && c != '_').collect(),
    };
    if pieces.is_empty() {
        return String::new();
    }
    let (here, count) = (at.index(pieces.len()), pieces.len());
    match change {
        Change::Delete => _ = pieces.remove(here),
        Change::Insert(piece) => pieces.insert(here, piece),
        Change::Swap(other) => pieces.swap(here, other.index(count)),
        Change::Truncate => pieces.truncate(here),
    }
    pieces.concat()
}

/// The place is inside the text, between characters, and shown by carets under it.
fn points_inside(text: &str, error: &SpecError) -> Result<(), TestCaseError> {
    prop_assert_eq!(&error.text, text);
    prop_assert!(text.get(error.span.clone()).is_some(), "{:?} of {:?}", error.span, text);
    let shown = error.to_string();
    let lines: Vec<&str> = shown.lines().collect();
    let [.., spec, carets] = &lines[..] else {
        return Err(TestCaseError::fail(shown));
    };
    let marks = carets.trim_start_matches(' ');
    prop_assert!(!marks.is_empty() && marks.chars().all(|c| c == '^'), "{}", shown);
    // At the end of the text one caret is behind it.
    prop_assert!(carets.chars().count() <= spec.chars().count() + 1, "{}", shown);
    Ok(())
}

/// Whether the text is a spec, which is then printed and read back as the same.
fn is_stable(text: &str) -> Result<bool, TestCaseError> {
    let spec = match Spec::parse(text) {
        Ok(spec) => spec,
        Err(error) => return points_inside(text, &error).map(|()| false),
    };
    let read = |text: &str| {
        Spec::parse(text).map_err(|error| TestCaseError::fail(format!("printed: {error}")))
    };
    let printed = spec.to_string();
    let again = read(&printed)?;
    prop_assert_eq!(&again, &spec);
    prop_assert_eq!(again.to_string(), printed);
    prop_assert_eq!(text.get(spec.span.clone()), Some(&*spec.name));
    for arg in &spec.args {
        let value = text.get(arg.span.clone()).expect("inside the text");
        prop_assert_eq!(&read(&format!("f({value})"))?.args[0], arg);
    }
    match canonical(&spec, text) {
        Ok(canonical_spec) => {
            let printed = canonical_spec.to_string();
            prop_assert_eq!(canonical(&read(&printed)?, &printed), Ok(canonical_spec));
        }
        Err(error) => points_inside(text, &error)?,
    }
    Ok(true)
}

/// What cannot be built is refused at its place too.
fn is_built_or_refused(text: &str) -> Result<(), TestCaseError> {
    let budget = Budget { memory: 1 << 16, steps: 1 << 16, ..Budget::default() };
    let context = Context { read: &|_| Ok(b"0 1\n1 2\n".to_vec()), budget, ..Context::ALONE };
    let spec = Spec::parse(text).expect("it was read");
    build_with(&spec, text, &context).map_or_else(|error| points_inside(text, &error), |_| Ok(()))
}

#[test]
fn texts_near_a_valid_one_are_read_or_refused_at_their_place() {
    let cases = if nestnet_seed::slow() { 20_000 } else { 512 };
    let config = Config { cases, ..nestnet_seed::config() };
    let (read, refused) = (Cell::new(0), Cell::new(0));
    let changes = proptest::collection::vec(change(), 0..4);
    let result = TestRunner::new(config).run(&(valid(), changes), |(text, changes)| {
        prop_assert!(is_stable(&text)?, "{} is valid", text);
        let text = changes.iter().fold(text, |text, change| changed(&text, change));
        if !is_stable(&text)? {
            refused.set(refused.get() + 1);
            return Ok(());
        }
        read.set(read.get() + 1);
        is_built_or_refused(&text)
    });
    result.unwrap_or_else(|error| panic!("{error}"));
    // Neither kind of text is rare.
    assert!(read.get().min(refused.get()) > cases / 10, "{read:?} and {refused:?}");
}

proptest! {
    #![proptest_config(nestnet_seed::config())]

    #[test]
    fn any_text_is_read_or_refused(text in vec(any::<char>(), 0..=40)) {
        let text: String = text.into_iter().collect();
        if is_stable(&text)? {
            is_built_or_refused(&text)?;
        }
    }
}
