//! What can be asked of a network, and by which road each answer comes: the one table of measures.
//!
//! A row says what it is called, which keys it answers and whether it is quick for a given network.
//! Everything that several rows need (the stored network, its symmetry, its distances) is found once, in [`Subject`].

mod answer;
mod distances;
mod rows;
mod subject;

pub use answer::{Answer, Fact};
pub use rows::{MEASURES, find_bisection, high_by, low_by};
pub use subject::{Limits, Subject};

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
    /// Finds the answers; they may be fewer than the keys.
    pub find: fn(&Subject<'_>) -> Vec<Fact>,
}

/// The rows that `names` ask for, each the name of a row or one of its keys, or `all`; those that are quick if none.
pub fn choose(names: &[String], subject: &Subject<'_>) -> Result<Vec<&'static Measure>, String> {
    if names.is_empty() {
        return Ok(MEASURES.iter().filter(|measure| (measure.is_quick)(subject)).collect());
    }
    let mut chosen: Vec<bool> = vec![false; MEASURES.len()];
    for name in names {
        let matches = |measure: &Measure| {
            name == "all" || measure.name == name || measure.keys.contains(&name.as_str())
        };
        let mut found = false;
        for (chosen, measure) in chosen.iter_mut().zip(MEASURES) {
            *chosen |= matches(measure);
            found |= matches(measure);
        }
        if !found {
            let known: Vec<&str> = MEASURES.iter().map(|measure| measure.name).collect();
            let keys = MEASURES.iter().flat_map(|measure| measure.keys.iter().copied());
            let near = crate::family::closest(name, keys.chain(known.iter().copied()));
            let hint = near.map(|near| format!("did you mean `{near}`? ")).unwrap_or_default();
            return Err(format!("no measure `{name}`: {hint}there are {}, all", known.join(", ")));
        }
    }
    Ok(MEASURES
        .iter()
        .zip(chosen)
        .filter(|(_, chosen)| *chosen)
        .map(|(measure, _)| measure)
        .collect())
}
