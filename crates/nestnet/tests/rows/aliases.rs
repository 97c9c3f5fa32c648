//! An alias can be searched by its name.

use nestnet::Budget;
use nestnet::design::{Question, design};
use nestnet::family::Family;

/// A search that names an alias is a search of what it means.
pub fn searched(family: &'static Family) {
    let question = Question {
        families: vec![family.name.to_owned()],
        depth: 1,
        max_base: 4,
        ..Question::new(16)
    };
    design(&question, &Budget::UNLIMITED).unwrap_or_else(|error| panic!("{error}"));
}
