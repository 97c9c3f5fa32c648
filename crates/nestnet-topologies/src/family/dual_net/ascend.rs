//! Ascend and descend on recursive dual-nets.
//!
//! # Definition
//! The paper has no such algorithm; this one is ours. The logical address of node (0, c, v) is (0, c, v) and that of
//! (1, c, v) is (1, v, c), so that a cross link changes the type alone and one step serves that dimension. With an
//! address (t, a, b), clusters of type 0 reach the dimensions of b, those of type 1 the dimensions of a. Ascend takes five phases:
//! type 0 serves b for the items of type 0; all items cross; type 0 serves b for those of type 1 while type 1 serves a
//! for those of type 0; all cross back; type 1 serves a for its own.
//!
//! With the type on top T(k) = 3·T(k-1) + 3 steps, one message a node: 3n steps on the dual-cube DC(n), which has 2n-1
//! dimensions. Numbered by ids alone the items of (0, c, v) and (1, c, v) would be far apart.

use super::network::DualNet;
use nestnet_collectives::program::{Act, Arrange, Layout, Step};
use nestnet_graph::{Csr, Network, Node, Port};
use std::ops::Range;
use std::sync::Arc;

impl Arrange for DualNet {
    fn over(&self, base: Arc<dyn Layout>) -> Arc<dyn Layout> {
        let mut factors = [base.factors(), base.factors()].concat();
        factors.push(Arc::new(Csr::from_links(2, &[(0, 1)], 1 << 10).expect("two nodes fit")));
        let (n, cross) = self.base_and_cross();
        Arc::new(Dual { base, factors, n, cross })
    }
}

/// One dual-construction: two addresses of the base, and the type on top.
#[derive(Debug)]
struct Dual {
    base: Arc<dyn Layout>,
    factors: Vec<Arc<dyn Network>>,
    n: u64,
    cross: Port,
}

impl Dual {
    /// The dimensions of b, of a, and of the type that are among these.
    fn parts(&self, dimensions: &Range<usize>) -> (Range<usize>, Range<usize>, bool) {
        let width = self.base.factors().len();
        let part = |first: usize| {
            let within = |dimension: usize| dimension.clamp(first, first + width) - first;
            within(dimensions.start)..within(dimensions.end)
        };
        (part(0), part(width), dimensions.contains(&(2 * width)))
    }

    /// Clusters of type 0 do one thing while those of type 1 do another.
    fn both(&self, zero: Option<Step>, one: Option<Step>) -> Step {
        let n = self.n;
        Step::new(move |at, ports| {
            let step = if at.0 / n < n { &zero } else { &one };
            step.as_ref().map_or(Act::Stay, |step| step.act(Node(at.0 % n), ports))
        })
    }

    /// All nodes use their cross links.
    fn across(&self, act: Act) -> Step {
        let cross = self.cross;
        Step::new(move |_, ports| {
            ports.push(cross);
            act
        })
    }
}

impl Layout for Dual {
    fn factors(&self) -> &[Arc<dyn Network>] {
        &self.factors
    }

    fn logical(&self, at: Node) -> u64 {
        let (high, v) = (at.0 / self.n, at.0 % self.n);
        let (t, c) = (high / self.n, high % self.n);
        let (a, b) = if t == 0 { (c, v) } else { (v, c) };
        let part = |id| self.base.logical(Node(id));
        (t * self.n + part(a)) * self.n + part(b)
    }

    fn ascend(&self, dimensions: Range<usize>) -> Vec<Step> {
        let (b, a, t) = self.parts(&dimensions);
        let (b, a) = (self.base.ascend(b), self.base.ascend(a));
        let mut steps = Vec::new();
        if b.len() + a.len() > 0 {
            steps.extend(b.iter().map(|step| self.both(Some(step.clone()), None)));
            steps.push(self.across(Act::Carry));
            let together = (0..b.len().max(a.len()))
                .map(|place| self.both(b.get(place).cloned(), a.get(place).cloned()));
            steps.extend(together);
            steps.push(self.across(Act::Carry));
            steps.extend(a.iter().map(|step| self.both(None, Some(step.clone()))));
        }
        if t {
            steps.push(self.across(Act::Meet));
        }
        steps
    }

    /// T(k) = 3·T(k-1) + 3, or as much of it as the dimensions need.
    fn steps(&self, dimensions: Range<usize>) -> u64 {
        let (b, a, t) = self.parts(&dimensions);
        let (b, a) = (self.base.steps(b), self.base.steps(a));
        let inside = if b + a == 0 { 0 } else { b + 1 + b.max(a) + 1 + a };
        inside + u64::from(t)
    }

    /// Both types one after the other, and two crossings.
    fn slowest(&self) -> u64 {
        if self.base.factors().is_empty() { 1 } else { 2 * self.base.slowest() + 2 }
    }
}
