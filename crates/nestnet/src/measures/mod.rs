//! What can be asked of a network, and by which road each answer comes: the one table of measures.
//!
//! A row says what it is called, which keys it answers and whether it is quick for a given network. One key pays for
//! itself only: a row is told which of its keys are asked for. Everything that several rows need (the stored network, its symmetry, its distances) is found once, in [`Subject`].

mod answer;
mod distances;
mod hosts;
mod rows;
mod sample;
mod subject;
mod unanswered;

pub use answer::{Answer, Fact};
pub use hosts::BetweenHosts;
pub use rows::{MEASURES, find_bisection, high_by, low_by};
pub use sample::{Sampled, Sampling, sample};
pub use subject::{Limits, QUICK_STEPS, Subject};
pub use unanswered::Unanswered;

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

/// Some keys of a row.
#[derive(Clone)]
pub struct Question {
    /// The row.
    pub measure: &'static Measure,
    /// Which of its keys are asked for, in its order.
    pub keys: Vec<&'static str>,
}

impl Question {
    /// Finds the answers.
    pub fn answer(&self, subject: &Subject<'_>) -> Vec<Fact> {
        (self.measure.find)(subject, &self.keys)
    }
}

/// What `names` ask for, each the name of a row or one of its keys, or `all`; the rows that are quick if none.
pub fn choose(names: &[String], subject: &Subject<'_>) -> Result<Vec<Question>, Unanswered> {
    let known = |name: &str| {
        name == "all" || MEASURES.iter().any(|row| row.name == name || row.keys.contains(&name))
    };
    if let Some(name) = names.iter().find(|name| !known(name)) {
        let rows: Vec<&str> = MEASURES.iter().map(|measure| measure.name).collect();
        let keys = MEASURES.iter().flat_map(|measure| measure.keys.iter().copied());
        let near = crate::family::closest(name, keys.chain(rows.iter().copied()));
        return Err(Unanswered::Unknown { key: name.to_owned(), near, known: rows });
    }
    let asked = |name: &str| names.iter().any(|asked| asked == name);
    let questions = MEASURES.iter().map(|measure| {
        let whole = match names {
            [] => (measure.is_quick)(subject),
            _ => asked("all") || asked(measure.name),
        };
        let keys = measure.keys.iter().copied().filter(|key| whole || asked(key)).collect();
        Question { measure, keys }
    });
    Ok(questions.filter(|question| !question.keys.is_empty()).collect())
}
