//! The routings of the paper as their text has them, where a message passes its target, goes a longer route than it must,
//! or does not arrive.
//!
//! `as-printed` is the text to the letter, with the procedures that it calls to the letter too. `as-printed-outer` is
//! its own text to the letter with the called procedures corrected, which shows what each text adds of its own.
//!
//! # Where we differ
//! - The last branch of Basic-Routing sets S without forwarding the message: as printed the next node to send does not
//!   have it.
//! - RFH_n-Routing: the two loops stand inside the while, so that nothing happens where the top digits differ, and all
//!   of it happens again for every digit below the highest that differs. Behind the while, digits 0..i go to 0 and
//!   digits i..0 to D: `via-zero`. With 0_j read as it is defined, digit i goes straight from S_i to D_i: `paper`. The calls
//!   have a digit, S_i, beside 0_j, which is defined as an address of j low zeros: `as-printed` takes it as digit j set to
//!   0, `as-printed-zeros` as it is defined, so that digit i is not set to 0 on the way.
//! - σH_n-Routing as printed walks digit i itself to N_0(i), not the lowest digit, and does so again in every turn of the
//!   while: it ends only where D_i is a neighbor of N_0(i), and only a node with V_0 = i-1 can move digit i at all.
//!   N_0(0) is not defined.
//! - σH_n-II-Routing as printed has nothing in its while but the walk of digit i to one of the three ports, so that it
//!   ends only where D_i is a port, and a port has only one of the links that such a walk may need.
//! - σFH_n-Routing as printed walks to N_0(i) = 0 in every turn of its while, as that of σH_n, and puts digits right in
//!   the copy it comes from, before it goes up. Levels n..1 are digits 0 behind the last one that a node has, and j is
//!   the last level up to which both ends agree. It names the node 0 of the copy that both ways share: `through`. Straight across it: `paper`.
//!   The walk to N_0(i) is a call of σH-Basic-Routing, which itself walks to N_0(i) and then looks for a neighbor of
//!   its target among the neighbors of its target: it leaves N_0(i) by N_plus and comes back without end. Only a digit
//!   that is 0 already needs no such call.

use super::expanded::Expanded;
use super::flooded::Flooded;
use super::graph;
use super::root_folded::RootFolded;
use nestnet_graph::{Network, Node, Port};
use nestnet_routing::Router;
use nestnet_routing::route::{Ending, Procedure, Trace, walk};
use std::sync::Arc;

/// Its own text to the letter, with the procedures that it calls corrected.
pub(super) const PRINTED_OUTER: &str = "as-printed-outer";

/// To the letter with 0_j as it is defined: j low digits are 0, the others stay.
pub(super) const PRINTED_ZEROS: &str = "as-printed-zeros";

/// What 0_j is in a call that has a digit beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Zeros {
    /// Digit j is set to 0.
    Digit,
    /// The digits below j are 0, as it is defined.
    Defined,
}

/// The base and its routing.
#[derive(Clone, Debug)]
pub(super) struct Legs {
    pub network: Arc<dyn Network>,
    pub router: Arc<dyn Router>,
    /// Its routing to the letter, in its place.
    pub text: Option<Arc<dyn Procedure>>,
}

impl Legs {
    /// All nodes of the base from `from` to `to`, without the first, and how the leg ends.
    pub(super) fn walk(&self, from: u64, to: u64) -> Option<(Vec<u64>, Ending)> {
        let inner = |nodes: Vec<Node>| nodes.into_iter().skip(1).map(|node| node.0).collect();
        if let Some(text) = &self.text {
            let trace = text.trace(Node(from), Node(to))?;
            return Some((inner(trace.nodes), trace.ending));
        }
        let (network, router) = (&*self.network, &*self.router);
        let most = router.longest().min(network.order());
        let route = walk(network, router, Node(from), Node(to), 0, most).ok()?;
        Some((inner(route.nodes), Ending::Arrives))
    }
}

/// Basic-Routing and FH_n-Routing as printed: digits n-1..0, each until the branch that does not forward.
#[derive(Debug)]
pub(super) struct BasicPrinted {
    pub digits: u32,
}

impl Procedure for BasicPrinted {
    fn trace(&self, from: Node, to: Node) -> Option<Trace> {
        let adjacent = |a: u64, b: u64| (0..3).any(|port| graph::neighbor(a, port) == b);
        let mut at = from.0;
        let mut nodes = vec![from];
        for digit in (0..self.digits).rev() {
            let place = 14u64.pow(digit);
            let wanted = to.0 / place % 14;
            loop {
                let here = at / place % 14;
                let ports = (0..3).map(|port| graph::neighbor(here, port));
                let next = match here {
                    _ if here == wanted => break,
                    _ if adjacent(here, wanted) => wanted,
                    _ => match { ports }.find(|&next| adjacent(next, wanted)) {
                        Some(next) => next,
                        None => return Some(Trace { nodes, ending: Ending::NotForwarded }),
                    },
                };
                at = at - here * place + next * place;
                nodes.push(Node(at));
            }
        }
        Some(Trace::arrives(nodes))
    }

    fn longest(&self) -> u64 {
        2 * u64::from(self.digits)
    }

    fn is_simple(&self) -> bool {
        true
    }
}

/// σH_n-Routing as printed, with N_0(i) = i-1.
#[derive(Debug)]
pub(super) struct SigmaPrinted {
    pub digits: u32,
    pub legs: Legs,
}

impl Procedure for SigmaPrinted {
    fn trace(&self, from: Node, to: Node) -> Option<Trace> {
        let adjacent = |a: u64, b: u64| (0..3).any(|port| graph::neighbor(a, port) == b);
        let mut at = from.0;
        let mut nodes = vec![from];
        for digit in (0..self.digits).rev() {
            let place = 14u64.pow(digit);
            let (here, wanted) = (at / place % 14, to.0 / place % 14);
            if here == wanted {
                continue;
            }
            // The unit position that has the links of the digit.
            let Some(port) = u64::from(digit).checked_sub(1) else {
                return Some(Trace { nodes, ending: Ending::Undefined });
            };
            if at % 14 != port {
                return Some(Trace { nodes, ending: Ending::NotForwarded });
            }
            let rest = at - here * place;
            let (leg, ending) = self.legs.walk(here, port)?;
            nodes.extend(leg.into_iter().map(|d| Node(rest + d * place)));
            if ending != Ending::Arrives {
                return Some(Trace { nodes, ending });
            }
            if !adjacent(port, wanted) {
                // One hop on, and then back to N_0(i) again; the last branch sets S without forwarding.
                let near = (0..3).map(|port_of| graph::neighbor(port, port_of));
                let forwards = { near }.any(|next| adjacent(next, wanted));
                let ending = if forwards { Ending::Endless } else { Ending::NotForwarded };
                return Some(Trace { nodes, ending });
            }
            at = rest + wanted * place;
            nodes.push(Node(at));
        }
        Some(Trace::arrives(nodes))
    }

    fn longest(&self) -> u64 {
        self.legs.router.longest().saturating_add(1).saturating_mul(self.digits.into())
    }

    fn is_simple(&self) -> bool {
        false
    }
}

/// σH_n-II-Routing as printed. Which of the three ports is left open: the one that the digit is to become, where there
/// is one.
#[derive(Debug)]
pub(super) struct SigmaTwoPrinted {
    pub network: Expanded,
    pub legs: Legs,
}

impl SigmaTwoPrinted {
    /// Over the link by which this node changes a digit to that value.
    fn step(&self, at: Node, digit: u32, to: u64) -> Option<Node> {
        let ports = (0..self.network.ports()).map(Port);
        let ports = ports.filter(|&port| u32::from(self.network.level(at, port)) == digit);
        { ports }.find_map(|port| {
            let next = self.network.neighbor(at, port)?;
            (next.0 / 14u64.pow(digit) % 14 == to).then_some(next)
        })
    }
}

impl Procedure for SigmaTwoPrinted {
    fn trace(&self, from: Node, to: Node) -> Option<Trace> {
        let mut at = from;
        let mut nodes = vec![from];
        for digit in (0..u32::from(self.network.levels())).rev() {
            let value = |node: Node| node.0 / 14u64.pow(digit) % 14;
            if value(at) == value(to) {
                continue;
            }
            let Some(served) = self.network.served_by(digit) else {
                return Some(Trace { nodes, ending: Ending::Undefined });
            };
            let port = if served.contains(&value(to)) { value(to) } else { served[0] };
            let (leg, ending) = self.legs.walk(value(at), port)?;
            for next in leg {
                let Some(node) = self.step(at, digit, next) else {
                    return Some(Trace { nodes, ending: Ending::NotForwarded });
                };
                at = node;
                nodes.push(at);
            }
            if ending != Ending::Arrives {
                return Some(Trace { nodes, ending });
            }
            if port != value(to) {
                return Some(Trace { nodes, ending: Ending::Endless });
            }
        }
        Some(Trace::arrives(nodes))
    }

    fn longest(&self) -> u64 {
        self.legs.router.longest().saturating_mul(self.network.levels().into())
    }

    fn is_simple(&self) -> bool {
        false
    }
}

/// RFH_n-Routing, in the readings in which a message goes by way of 0.
#[derive(Debug)]
pub(super) struct ByRoot {
    pub network: Arc<RootFolded>,
    pub legs: Legs,
    /// The loops inside the while, as printed, or behind it.
    pub printed: bool,
    /// Whether digit i itself is set to 0.
    pub zeros: Zeros,
}

impl ByRoot {
    /// Digits 0..=i to 0, or those below i, then digits i..=0 to those of `to`, up to the leg that does not arrive.
    fn pass(&self, nodes: &mut Vec<Node>, to: Node, i: u32) -> Option<Ending> {
        let q = self.network.base_order();
        let climbs = match self.zeros {
            Zeros::Digit => i + 1,
            Zeros::Defined => i,
        };
        let up = (0..climbs).map(|j| (j, 0));
        let down = (0..=i).rev().map(|j| (j, to.0 / q.pow(j) % q));
        for (j, wanted) in up.chain(down) {
            let place = q.pow(j);
            let at = nodes.last()?.0;
            let digit = at / place % q;
            let rest = at - digit * place;
            let (leg, ending) = self.legs.walk(digit, wanted)?;
            nodes.extend(leg.into_iter().map(|d| Node(rest + d * place)));
            if ending != Ending::Arrives {
                return Some(ending);
            }
        }
        Some(Ending::Arrives)
    }
}

impl Procedure for ByRoot {
    fn trace(&self, from: Node, to: Node) -> Option<Trace> {
        let q = self.network.base_order();
        let mut nodes = vec![from];
        let differ = |at: Node, i: u32| at.0 / q.pow(i) % q != to.0 / q.pow(i) % q;
        let mut top = self.network.digits().checked_sub(1);
        if !self.printed {
            while let Some(i) = top.filter(|&i| !differ(from, i)) {
                top = i.checked_sub(1);
            }
            let ending = top.map_or(Some(Ending::Arrives), |i| self.pass(&mut nodes, to, i))?;
            return Some(Trace { nodes, ending });
        }
        while let Some(i) = top.filter(|&i| nodes.last().is_some_and(|&at| !differ(at, i))) {
            top = i.checked_sub(1);
            let ending = top.map_or(Some(Ending::Arrives), |i| self.pass(&mut nodes, to, i))?;
            if ending != Ending::Arrives {
                return Some(Trace { nodes, ending });
            }
        }
        let ending = if nodes.last() == Some(&to) { Ending::Arrives } else { Ending::Stays };
        Some(Trace { nodes, ending })
    }

    fn longest(&self) -> u64 {
        let once = self.legs.router.longest().saturating_mul(2 * u64::from(self.network.digits()));
        if self.printed { once.saturating_mul(self.network.digits().into()) } else { once }
    }

    fn is_simple(&self) -> bool {
        false
    }
}

/// σFH_n-Routing, in which the way across the copy that both ends share goes over its node 0, from which the copy was
/// spawned. The first copy was spawned from none.
#[derive(Debug)]
pub(super) struct Through {
    pub network: Arc<Flooded>,
    pub legs: Legs,
}

impl Procedure for Through {
    fn trace(&self, from: Node, to: Node) -> Option<Trace> {
        let (a, b) = (self.network.digits(from), self.network.digits(to));
        let common = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
        let mut nodes = vec![from];
        // One leg in the copy that `prefix` spawned, or the first.
        let mut leg = |prefix: &[u64], x: u64, y: u64| -> Option<()> {
            for digit in self.legs.walk(x, y)?.0 {
                nodes.push(self.network.at_digits(prefix, digit));
            }
            Some(())
        };
        for depth in (common + 1..a.len()).rev() {
            leg(&a[..depth], a[depth], 0)?;
        }
        if from != to {
            let shared = &a[..common];
            let at = |digits: &[u64]| digits.get(common).copied().unwrap_or(0);
            if common > 0 {
                leg(shared, at(&a), 0)?;
                leg(shared, 0, at(&b))?;
            } else {
                leg(shared, at(&a), at(&b))?;
            }
        }
        for depth in common + 1..b.len() {
            leg(&b[..depth], 0, b[depth])?;
        }
        Some(Trace::arrives(nodes))
    }

    fn longest(&self) -> u64 {
        self.legs.router.longest().saturating_mul(2 * self.network.steps() as u64)
    }

    fn is_simple(&self) -> bool {
        false
    }
}

/// σFH_n-Routing as printed; where `legs` has no text, with the walk to N_0(i) by Basic-Routing corrected.
#[derive(Debug)]
pub(super) struct FloodedPrinted {
    pub network: Arc<Flooded>,
    pub legs: Legs,
}

impl FloodedPrinted {
    /// σFH-Basic-Routing at one level, counted from 0: to N_0 and one step on, until the digit is right.
    fn pass(
        &self,
        at: &mut [u64],
        to: &[u64],
        level: usize,
        nodes: &mut Vec<Node>,
    ) -> Option<Ending> {
        let adjacent = |a: u64, b: u64| (0..3).any(|port| graph::neighbor(a, port) == b);
        if at[level] == to[level] {
            return Some(Ending::Arrives);
        }
        // A digit can move where there is a copy, at a node that has no digit further in.
        let copy = at[..level].iter().skip(1).all(|&digit| digit != 0);
        if !copy || at[level + 1..].iter().any(|&digit| digit != 0) {
            return Some(Ending::NotForwarded);
        }
        let node = |digit| self.network.at_digits(&at[..level], digit);
        let (leg, ending) = self.legs.walk(at[level], 0)?;
        nodes.extend(leg.into_iter().map(node));
        if ending != Ending::Arrives {
            return Some(ending);
        }
        let to_the_letter = self.legs.text.is_some();
        if to_the_letter && at[level] != 0 {
            // σH-Basic-Routing is at its target, leaves it by N_plus, and is led back.
            nodes.push(node(graph::neighbor(0, 0)));
            return Some(Ending::Endless);
        }
        let near = || (0..3).map(|port| graph::neighbor(0, port));
        let next = match to[level] {
            wanted if adjacent(0, wanted) => Some(wanted),
            wanted => near().find(|&next| adjacent(next, wanted)),
        };
        let next = match next {
            // The last branch sets S without forwarding.
            None => return Some(Ending::NotForwarded),
            Some(next) => next,
        };
        nodes.push(node(next));
        at[level] = next;
        // Elsewhere the next turn goes back to N_0, also from a neighbor of it that was left for nothing.
        Some(if next == to[level] { Ending::Arrives } else { Ending::Endless })
    }
}

impl Procedure for FloodedPrinted {
    fn trace(&self, from: Node, to: Node) -> Option<Trace> {
        let levels = self.network.steps();
        let all = |node: Node| {
            let mut digits = self.network.digits(node);
            digits.resize(levels, 0);
            digits
        };
        let (mut at, wanted) = (all(from), all(to));
        let shared = at.iter().zip(&wanted).take_while(|(x, y)| x == y).count();
        let mut nodes = vec![from];
        for level in (shared..levels).rev().chain(shared..levels) {
            match self.pass(&mut at, &wanted, level, &mut nodes)? {
                Ending::Arrives => {}
                ending => return Some(Trace { nodes, ending }),
            }
        }
        Some(Trace::arrives(nodes))
    }

    fn longest(&self) -> u64 {
        self.legs.router.longest().saturating_add(1).saturating_mul(2 * self.network.steps() as u64)
    }

    fn is_simple(&self) -> bool {
        false
    }
}
