//! Is a network one of the papers', common knowledge, or what others build?

use nestnet_topologies::family::{Family, Paper};
use serde::Serialize;

/// Where a network comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// One of the papers'.
    Nested,
    /// Common knowledge.
    Base,
    /// What others build.
    Baseline,
}

impl Origin {
    /// All of them.
    pub const ALL: [Origin; 3] = [Origin::Nested, Origin::Base, Origin::Baseline];

    /// Of a row of the table.
    pub fn of(family: &Family) -> Self {
        match family.paper {
            Paper::Common => Origin::Base,
            Paper::Baseline => Origin::Baseline,
            _ => Origin::Nested,
        }
    }

    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            Origin::Nested => "nested",
            Origin::Base => "base",
            Origin::Baseline => "baseline",
        }
    }
}
