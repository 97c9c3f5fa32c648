//! What joins the cells of a plan at whose every place, instead of a node, stands a cell of some?

use super::atlas::Part;
use super::plan::{Plan, Tally};
use super::view::Cord;
use super::within;
use crate::measure::Watch;

/// A plan whose nodes became cells: between its own cells there are its links, further out.
#[derive(Debug)]
pub(super) struct Filled {
    pub outer: Plan,
    /// How many levels further out.
    pub further: u16,
}

impl Filled {
    fn told(&self, path: &[u64], shown: usize) -> Option<Vec<Cord>> {
        if path.len() + shown > self.outer.layers().len() {
            return None;
        }
        let part = Part { plan: &self.outer, network: None };
        within::by_rule(&part, path, shown, &Watch::SILENT).ok()?
    }
}

impl Tally for Filled {
    fn count(&self, path: &[u64], shown: usize) -> Option<u128> {
        self.told(path, shown).map(|cords| cords.len() as u128)
    }

    fn cords(&self, path: &[u64], shown: usize) -> Vec<Cord> {
        let mut cords = self.told(path, shown).unwrap_or_default();
        cords.iter_mut().for_each(|cord| cord.level += self.further);
        cords
    }
}
