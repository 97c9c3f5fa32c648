//! What does a family know of itself beyond how it is made? How it grows, and which of its networks are worth a look.
//!
//! A row says so, so that a search, a comparison and a plan to grow name no family.

use super::paper_formula::PaperFormula;
use super::{Args, BuildRule};

/// What a row knows beyond how its networks are made; nothing, unless it says so.
#[derive(Clone, Copy)]
pub struct Facts {
    /// The parameter of which one more adds copies and leaves the present network as one of them, whatever the others.
    pub grows_by: Option<&'static str>,
    /// The optional parameter that is the number of all hosts; without it there are as many as its switches hold.
    pub all_hosts: Option<&'static str>,
    /// Whether a search leaves a network out: because a simpler spec names it too, link by link, or as never good.
    ///
    /// Networks that are the same only up to the names of their nodes stay: an expansion tells nodes apart by number.
    pub left_out: fn(&Instance<'_>) -> bool,
    /// The integers of its networks around a number of hosts and a degree, where others are compared with it.
    pub near: Option<Near>,
    /// The integers of its networks of certain sizes and up to a degree, where trying them one by one does not find
    /// all that are worth a look.
    pub sized: Option<SizedInstances>,
    /// Whether a search looks at its networks at all.
    pub searched: bool,
    /// How its theory is made where many are, if another way is quicker.
    pub quickly: Option<BuildRule>,
    /// What the formulas of its paper say of a network.
    pub says: Option<fn(&Args<'_>) -> Vec<PaperFormula>>,
}

/// From a number of hosts, at least 2, and a degree to the integers of networks that may be near.
pub type Near = fn(u64, u64) -> Vec<Vec<u64>>;

/// From the least and the largest number of hosts, and a degree, to the integers of networks.
pub type SizedInstances = fn(u128, u128, u64) -> Vec<Vec<u64>>;

impl Facts {
    /// Nothing is known: all of its networks are searched, and none is a baseline.
    pub const NONE: Facts = Facts {
        grows_by: None,
        all_hosts: None,
        left_out: |_| false,
        near: None,
        sized: None,
        searched: true,
        quickly: None,
        says: None,
    };
}

/// A network of a family, before it is made.
#[derive(Clone, Copy, Debug)]
pub struct Instance<'a> {
    /// The integers that it is given, in the order of the parameters.
    pub integers: &'a [u64],
    /// The word that it is given; none where the family takes none.
    pub word: Option<&'a str>,
    /// What it depends on.
    pub base: Option<Below>,
}

/// What a network depends on.
#[derive(Clone, Copy, Debug)]
pub struct Below {
    /// Whether it is of the same family.
    pub same: bool,
    /// The number of its nodes.
    pub order: u128,
}

impl Instance<'_> {
    /// The integer at that place, 0 where there is none.
    pub fn integer(&self, place: usize) -> u64 {
        self.integers.get(place).copied().unwrap_or(0)
    }

    /// Whether what it depends on is of the same family.
    pub fn is_nested_in_itself(&self) -> bool {
        self.base.is_some_and(|base| base.same)
    }
}
