//! Routing in a network of copies of a base, made of the routing of the base.

use super::{Header, Hop, Router, Vc};
use crate::Node;
use crate::network::Automorphism;
use std::cell::Cell;
use std::fmt::Debug;
use std::sync::Arc;

/// Where a message in a network of copies goes next: over a link between copies, or inside its copy.
pub trait Lift: Debug + Send + Sync {
    /// How many sets of the base's virtual channels keep its legs apart.
    fn classes(&self) -> u16;

    /// The most hops of a route, when the base has at most so many.
    fn longest(&self, base: u64) -> u64;

    /// The node of the base that stands for a node of the whole.
    fn inner(&self, at: Node) -> Node;

    /// The next hop, or `None` on arrival. Where the base has several ways to go on, this is asked once for each.
    fn next(&self, base: &Leg<'_>, at: Node, header: Header) -> Option<Hop>;

    /// With which automorphisms of the whole the routing commutes, where that of the base does with these; see
    /// [`Router::commutes_with`].
    fn commutes_with(&self, _base: Vec<Automorphism>) -> Vec<Automorphism> {
        Vec::new()
    }
}

/// The base's routing, for one leg inside a copy.
#[derive(Debug)]
pub struct Leg<'a> {
    router: &'a dyn Router,
    width: u16,
    /// Which of the ways of the base to go on it takes; none in particular where that is the one that is next.
    way: Option<usize>,
    /// How many ways the base has had.
    ways: Cell<usize>,
}

impl Leg<'_> {
    /// The hop of the base from `at` toward `to`, as a hop of the whole on the `class`-th set of virtual channels.
    /// Ports of the base keep their numbers.
    pub fn hop(&self, at: u64, to: u64, header: Header, class: u16) -> Option<Hop> {
        let inner = Header { to: Node(to), state: header.state };
        let hop = match self.way {
            None => self.router.next(Node(at), inner)?,
            Some(way) => {
                let mut all = Vec::new();
                self.router.hops(Node(at), inner, &mut all);
                self.ways.set(self.ways.get().max(all.len()));
                *all.get(way).or(all.last())?
            }
        };
        let vc = Vc(class.saturating_mul(self.width).saturating_add(hop.vc.0));
        Some(Hop { port: hop.port, vc, header: Header { state: hop.header.state, ..header } })
    }

    /// The first virtual channel of a class, for a link between copies.
    pub fn first(&self, class: u16) -> Vc {
        Vc(class.saturating_mul(self.width))
    }
}

/// A rule for the links between copies, and a router for the copies.
#[derive(Debug)]
pub struct Lifted<L> {
    rule: Arc<L>,
    base: Arc<dyn Router>,
}

impl<L: Lift> Lifted<L> {
    /// Both must be of the same network.
    pub fn new(rule: Arc<L>, base: Arc<dyn Router>) -> Self {
        Lifted { rule, base }
    }

    fn leg(&self, way: Option<usize>) -> Leg<'_> {
        Leg { router: &*self.base, width: self.base.vcs(), way, ways: Cell::new(0) }
    }
}

impl<L: Lift> Router for Lifted<L> {
    fn vcs(&self) -> u16 {
        self.rule.classes().saturating_mul(self.base.vcs())
    }

    fn choices(&self) -> u64 {
        self.base.choices()
    }

    fn start(&self, from: Node, to: Node, choice: u64) -> Header {
        let base = self.base.start(self.rule.inner(from), self.rule.inner(to), choice);
        Header { to, state: base.state }
    }

    fn next(&self, at: Node, header: Header) -> Option<Hop> {
        self.rule.next(&self.leg(None), at, header)
    }

    fn hops(&self, at: Node, header: Header, out: &mut Vec<Hop>) {
        if !self.adapts() {
            return out.extend(self.next(at, header));
        }
        let first = out.len();
        for way in 0.. {
            let leg = self.leg(Some(way));
            let hop = self.rule.next(&leg, at, header);
            out.extend(hop.filter(|hop| !out[first..].contains(hop)));
            if way + 1 >= leg.ways.get() {
                break;
            }
        }
    }

    fn adapts(&self) -> bool {
        self.base.adapts()
    }

    fn longest(&self) -> u64 {
        self.rule.longest(self.base.longest())
    }

    fn remembers(&self) -> bool {
        self.base.remembers()
    }

    fn commutes_with(&self) -> Vec<Automorphism> {
        self.rule.commutes_with(self.base.commutes_with())
    }

    fn state_bytes(&self) -> u64 {
        self.base.state_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Port;
    use crate::route::tests::{Either, hops};

    /// Two squares, joined at every corner by port 2: to the right square first, then inside it.
    #[derive(Debug)]
    struct Joined;

    impl Lift for Joined {
        fn classes(&self) -> u16 {
            1
        }

        fn longest(&self, base: u64) -> u64 {
            base + 1
        }

        fn inner(&self, at: Node) -> Node {
            Node(at.0 % 4)
        }

        fn next(&self, base: &Leg<'_>, at: Node, header: Header) -> Option<Hop> {
            if at.0 / 4 != header.to.0 / 4 {
                return Some(Hop { port: Port(2), vc: base.first(0), header });
            }
            base.hop(at.0 % 4, header.to.0 % 4, header, 0)
        }
    }

    #[test]
    fn every_way_of_the_base_is_one_of_the_whole() {
        let whole = Lifted::new(Arc::new(Joined), Arc::new(Either));
        assert!(whole.adapts());
        for (at, to) in (0..8).flat_map(|at| (0..8).map(move |to| (at, to))) {
            let all = hops(&whole, at, to);
            let expected: Vec<u32> = match (at / 4 == to / 4, (at ^ to) % 4) {
                (false, _) => vec![2],
                (true, 0) => Vec::new(),
                (true, 3) => vec![0, 1],
                (true, bit) => vec![u32::from(bit == 2)],
            };
            assert_eq!(all.iter().map(|hop| hop.port.0).collect::<Vec<_>>(), expected);
            assert!(all.iter().all(|hop| hop.header.to == Node(to)));
            assert_eq!(
                whole.next(Node(at), Header { to: Node(to), state: 0 }).as_ref(),
                all.first()
            );
        }
    }
}
