//! Routing in a network of copies of a base, made of the routing of the base.

use super::{ClosedForm, Header, Hop, Router, Vc};
use nestnet_graph::network::Automorphism;
use nestnet_graph::{Node, Port};
use std::cell::Cell;
use std::fmt::Debug;
use std::sync::Arc;

/// Where a message in a network of copies goes next: over a link between copies, or inside its copy.
pub trait Lift: Debug + Send + Sync {
    /// How many sets of the base's virtual channels keep its legs apart.
    fn classes(&self) -> u16;

    /// The most hops of a route, when the base has at most so many.
    fn longest(&self, base: u64) -> u64;

    /// The node of the base that represents a node of the whole.
    fn inner(&self, at: Node) -> Node;

    /// The next hop, or `None` on arrival. Where the base has several options to go on, this is asked once for each.
    fn next(&self, base: &Leg<'_>, at: Node, header: Header) -> Option<Hop>;

    /// Where the copies are the clusters of [`ClosedForm::Clusters`], and routed so: nodes of a cluster, and the port of the
    /// link between clusters.
    fn clusters(&self) -> Option<(u64, Port)> {
        None
    }

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
    /// Which of the options of the base to go on it takes; none in particular where that is the one that is next.
    option: Option<usize>,
    /// How many options the base has had.
    options: Cell<usize>,
}

impl Leg<'_> {
    /// The hop of the base from `at` toward `to`, as a hop of the whole on the `class`-th set of virtual channels.
    /// Ports of the base keep their numbers.
    pub fn hop(&self, at: u64, to: u64, header: Header, class: u16) -> Option<Hop> {
        let inner = Header { to: Node(to), state: header.state };
        let hop = match self.option {
            None => self.router.next(Node(at), inner)?,
            Some(option) => {
                let mut all = Vec::new();
                self.router.hops(Node(at), inner, &mut all);
                self.options.set(self.options.get().max(all.len()));
                *all.get(option).or(all.last())?
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
pub struct LiftedRouter<L> {
    rule: Arc<L>,
    base: Arc<dyn Router>,
}

impl<L: Lift> LiftedRouter<L> {
    /// Both must be of the same network.
    pub fn new(rule: Arc<L>, base: Arc<dyn Router>) -> Self {
        LiftedRouter { rule, base }
    }

    fn leg(&self, option: Option<usize>) -> Leg<'_> {
        Leg { router: &*self.base, width: self.base.vcs(), option, options: Cell::new(0) }
    }
}

impl<L: Lift> Router for LiftedRouter<L> {
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
        for option in 0.. {
            let leg = self.leg(Some(option));
            let hop = self.rule.next(&leg, at, header);
            out.extend(hop.filter(|hop| !out[first..].contains(hop)));
            if option + 1 >= leg.options.get() {
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

    fn closed_form(&self, take: &mut dyn FnMut(ClosedForm<'_>)) {
        if let Some((n, cross)) = self.rule.clusters()
            && !self.base.remembers()
            && !self.base.adapts()
        {
            take(ClosedForm::Clusters { n, cross, width: self.base.vcs(), leg: &*self.base });
        }
    }

    fn state_bytes(&self) -> u64 {
        self.base.state_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
        let whole = LiftedRouter::new(Arc::new(Joined), Arc::new(Either));
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

    /// Copies of a path, one beside the other; a message goes along its copy first and then from copy to copy.
    #[derive(Debug)]
    struct Ladder {
        length: u64,
    }

    /// The port that leads to the next copy.
    const BESIDE: Port = Port(2);

    impl Lift for Ladder {
        fn classes(&self) -> u16 {
            3
        }

        fn longest(&self, base: u64) -> u64 {
            base + 5
        }

        fn inner(&self, at: Node) -> Node {
            Node(at.0 % self.length)
        }

        fn next(&self, base: &Leg<'_>, at: Node, header: Header) -> Option<Hop> {
            let [from, to] = [at, header.to].map(|node| node.0 % self.length);
            match (at == header.to, from == to) {
                (true, _) => None,
                (_, true) => Some(Hop { port: BESIDE, vc: base.first(1), header }),
                _ => base.hop(from, to, header, 2),
            }
        }
    }

    /// Along a path, to port 1 on a virtual channel that its state names; the state counts hops from its choice.
    #[derive(Debug)]
    struct Counting;

    impl Router for Counting {
        fn vcs(&self) -> u16 {
            5
        }

        fn choices(&self) -> u64 {
            4
        }

        fn start(&self, from: Node, to: Node, choice: u64) -> Header {
            Header { to, state: 100 * from.0 + 10 * to.0 + choice }
        }

        fn next(&self, at: Node, header: Header) -> Option<Hop> {
            let state = header.state + 1;
            let vc = Vc(u16::try_from(header.state % 5).ok()?);
            (at != header.to).then_some(Hop {
                port: Port(1),
                vc,
                header: Header { state, ..header },
            })
        }

        fn longest(&self) -> u64 {
            7
        }

        fn remembers(&self) -> bool {
            true
        }

        fn state_bytes(&self) -> u64 {
            11
        }
    }

    fn ladder() -> LiftedRouter<Ladder> {
        LiftedRouter::new(Arc::new(Ladder { length: 4 }), Arc::new(Counting))
    }

    #[test]
    fn classes_keep_the_channels_of_legs_apart() {
        let router = ladder();
        assert_eq!(router.vcs(), 15);
        for state in 0..10 {
            // Inside a copy: the third set of five, and within it as the base says.
            let header = Header { to: Node(11), state };
            let hop = router.next(Node(1), header).expect("it goes on");
            let vc = Vc(2 * 5 + u16::try_from(state % 5).unwrap());
            // The target is one of the whole, and the state that of the base.
            let header = Header { to: Node(11), state: state + 1 };
            assert_eq!(hop, Hop { port: Port(1), vc, header });
        }
        // Between copies: the first of the second set.
        let header = Header { to: Node(11), state: 3 };
        assert_eq!(router.next(Node(3), header), Some(Hop { port: BESIDE, vc: Vc(5), header }));
        assert_eq!(router.next(Node(11), header), None);
    }

    #[test]
    fn the_rest_is_asked_of_the_base() {
        let router = ladder();
        assert_eq!((router.choices(), router.longest(), router.state_bytes()), (4, 12, 11));
        assert!(router.remembers() && !router.adapts());
        // From place 2 of a copy to place 3 of another, by choice 1.
        assert_eq!(router.start(Node(6), Node(11), 1), Header { to: Node(11), state: 231 });
    }
}
