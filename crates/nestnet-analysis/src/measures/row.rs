//! What is a row of the table?

use super::{Analysis, Fact};

/// A question to a network.
#[derive(Clone, Copy)]
pub struct Measure {
    /// Its name, which can be asked for.
    pub name: &'static str,
    /// What it answers.
    pub keys: &'static [&'static str],
    /// What it is, in a sentence.
    pub about: &'static str,
    /// When it answers without being asked for by name.
    pub when: When,
    /// Answers some of its keys, in the order in which they are given, and does no work that they do not need.
    /// A key that has nothing to say of this network is omitted.
    pub find: fn(&Analysis<'_>, &[&'static str]) -> Vec<Fact>,
}

/// When a row is measured that nobody asks for by name.
#[derive(Clone, Copy)]
pub enum When {
    /// Always: it answers in a moment, or says why it does not.
    Always,
    /// Where it answers in a moment.
    Quick(fn(&Analysis<'_>) -> bool),
    /// Never.
    Asked,
}

impl Measure {
    /// Whether it answers in a moment.
    pub fn is_quick(&self, subject: &Analysis<'_>) -> bool {
        match self.when {
            When::Always => true,
            When::Quick(is_quick) => is_quick(subject),
            When::Asked => false,
        }
    }

    /// Whether it is omitted only because it takes long.
    pub fn is_skipped(&self, subject: &Analysis<'_>) -> bool {
        matches!(self.when, When::Quick(is_quick) if !is_quick(subject))
    }
}
