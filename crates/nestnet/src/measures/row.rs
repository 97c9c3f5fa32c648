//! What is a row of the table?

use super::{Fact, Subject};

/// A question to a network.
#[derive(Clone, Copy)]
pub struct Measure {
    /// Its name, for `--only`.
    pub name: &'static str,
    /// What it answers.
    pub keys: &'static [&'static str],
    /// What it is, in a sentence.
    pub about: &'static str,
    /// Whether it answers in a moment.
    pub is_quick: fn(&Subject<'_>) -> bool,
    /// Answers some of its keys, in the order in which they are given, and does no work that they do not need.
    /// A key that has nothing to say of this network is left out.
    pub find: fn(&Subject<'_>, &[&'static str]) -> Vec<Fact>,
}
