//! What joins the cells of a plan at whose every place, instead of a node, stands a cell of some?

use super::atlas::Part;
use super::layer::{Cord, Joints, Layer, Tally};
use super::plan::{Inside, Plan};
use super::within;
use nestnet_graph::measure::Watch;
use std::sync::Arc;

/// A plan whose nodes became cells: between its own cells there are its links, further out.
#[derive(Debug)]
struct Filled {
    outer: Plan,
    /// How many levels further out.
    further: u16,
}

impl Plan {
    /// A copy of `cell` in place of every node; its links are inside of `further` levels of those that there were.
    #[must_use]
    pub fn filled(&self, cell: &Plan, further: u16) -> Self {
        let outer = self.nested();
        let level = |layer: &Layer| Layer { level: layer.level + further, ..layer.clone() };
        let layers =
            outer.layers().iter().map(level).chain(cell.layers().iter().cloned()).collect();
        let inside = outer.inside().map(|inside| {
            let plan = inside.plan.filled(cell, further);
            Inside { layers: inside.layers, plan, network: None }
        });
        let joints = Joints::ByRule(Arc::new(Filled { outer: outer.clone(), further }));
        Plan::layered(layers).joined(joints).holding(inside)
    }
}

impl Filled {
    fn distinct(&self, path: &[u64], shown: usize) -> Option<Vec<Cord>> {
        if path.len() + shown > self.outer.layers().len() {
            return None;
        }
        let part = Part { plan: &self.outer, network: None };
        within::by_rule(&part, path, shown, &Watch::SILENT).ok()?
    }
}

impl Tally for Filled {
    fn count(&self, path: &[u64], shown: usize) -> Option<u128> {
        self.distinct(path, shown).map(|cords| cords.len() as u128)
    }

    fn cords(&self, path: &[u64], shown: usize) -> Vec<Cord> {
        let mut cords = self.distinct(path, shown).unwrap_or_default();
        cords.iter_mut().for_each(|cord| cord.level += self.further);
        cords
    }
}
