//! Broadcasts of the base graphs, with one port: each takes as few steps as can be, and `claimed` says how many from
//! the worst root.

use super::cube::{FoldedHypercube, Hypercube};
use super::line::{Complete, Path, Ring, Star};
use nestnet_collectives::broadcast::sends;
use nestnet_collectives::{Broadcast, Ports, Steps, Transfer};
use nestnet_graph::{Network, Node, Port};

/// Steps that are computed from their number, which begins with 1.
fn numbered<'a>(count: u64, step: impl Fn(u64) -> Vec<Transfer> + 'a) -> Steps<'a> {
    let mut number = 0;
    Box::new(move |out: &mut Vec<Transfer>| {
        number += 1;
        if number <= count {
            out.extend(step(number));
        }
        number <= count
    })
}

impl Broadcast for Ring {
    fn ports(&self) -> Ports {
        Ports::One
    }

    /// Up at once, down one step later: ⌈n/2⌉ steps.
    fn from(&self, root: Node) -> Steps<'_> {
        let n = self.order();
        let up = if n == 1 { 0 } else { n.div_ceil(2) };
        let down = (n - 1).saturating_sub(up);
        numbered(up, move |step| {
            let upward = ((root.0 + step - 1) % n, Port(0));
            let downward =
                (step >= 2 && step - 1 <= down).then(|| ((root.0 + n - (step - 2)) % n, Port(1)));
            sends([upward].into_iter().chain(downward))
        })
    }

    fn claimed(&self) -> Option<u64> {
        Some(if self.order() == 1 { 0 } else { self.order().div_ceil(2) })
    }
}

impl Broadcast for Path {
    fn ports(&self) -> Ports {
        Ports::One
    }

    /// To the longer side at once, to the other one step later.
    fn from(&self, root: Node) -> Steps<'_> {
        let (up, down) = (self.order() - 1 - root.0, root.0);
        let (up_delay, down_delay) = if up >= down { (0, 1) } else { (1, 0) };
        let last = |length: u64, delay: u64| if length == 0 { 0 } else { length + delay };
        let count = last(up, up_delay).max(last(down, down_delay));
        numbered(count, move |step| {
            let within = |length: u64, delay: u64| step > delay && step - delay <= length;
            let upward = within(up, up_delay).then(|| (root.0 + step - up_delay - 1, Port(0)));
            let downward =
                within(down, down_delay).then(|| (root.0 + 1 + down_delay - step, Port(1)));
            sends(upward.into_iter().chain(downward))
        })
    }

    fn claimed(&self) -> Option<u64> {
        Some(self.order() - 1)
    }
}

impl Broadcast for Complete {
    fn ports(&self) -> Ports {
        Ports::One
    }

    /// Twice as many know after every step.
    fn from(&self, root: Node) -> Steps<'_> {
        let n = self.order();
        numbered(n.next_power_of_two().ilog2().into(), move |step| {
            let known = 1u64 << (step - 1);
            sends((0..known.min(n - known)).map(|i| {
                let (from, to) = ((root.0 + i) % n, (root.0 + i + known) % n);
                let port = if to < from { to } else { to - 1 };
                (from, Port(u32::try_from(port).expect("only built when the ports fit")))
            }))
        })
    }

    fn claimed(&self) -> Option<u64> {
        Some(self.order().next_power_of_two().ilog2().into())
    }
}

impl Broadcast for Star {
    fn ports(&self) -> Ports {
        Ports::One
    }

    /// A leaf tells the hub, and the hub the leaves one after the other.
    fn from(&self, root: Node) -> Steps<'_> {
        let port = |leaf: u64| Port(u32::try_from(leaf - 1).expect("the ports fit"));
        numbered(self.order() - 1, move |step| match root.0 {
            0 => sends([(0, port(step))]),
            leaf if step == 1 => sends([(leaf, Port(0))]),
            leaf => sends([(0, port(if step - 1 < leaf { step - 1 } else { step }))]),
        })
    }

    fn claimed(&self) -> Option<u64> {
        Some(self.order() - 1)
    }
}

/// The binomial tree: dimension by dimension, twice as many know after every step.
fn binomial<'a>(dimensions: u64, root: Node) -> Steps<'a> {
    numbered(dimensions, move |step| {
        let port = Port(u32::try_from(step - 1).expect("only built up to 63 dimensions"));
        sends((0..1u64 << (step - 1)).map(|known| (root.0 ^ known, port)))
    })
}

impl Broadcast for Hypercube {
    fn ports(&self) -> Ports {
        Ports::One
    }

    fn from(&self, root: Node) -> Steps<'_> {
        binomial(self.dimensions(), root)
    }

    fn claimed(&self) -> Option<u64> {
        Some(self.dimensions())
    }
}

impl Broadcast for FoldedHypercube {
    fn ports(&self) -> Ports {
        Ports::One
    }

    fn from(&self, root: Node) -> Steps<'_> {
        binomial(self.dimensions(), root)
    }

    fn claimed(&self) -> Option<u64> {
        Some(self.dimensions())
    }
}
