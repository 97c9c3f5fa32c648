//! Routing in a network of copies of a base, made of the routing of the base.

use super::{Header, Hop, Router, Vc};
use crate::Node;
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

    /// The next hop, or `None` on arrival.
    fn next(&self, base: &Leg<'_>, at: Node, header: Header) -> Option<Hop>;
}

/// The base's routing, for one leg inside a copy.
#[derive(Debug)]
pub struct Leg<'a> {
    router: &'a dyn Router,
    width: u16,
}

impl Leg<'_> {
    /// The hop of the base from `at` toward `to`, as a hop of the whole on the `class`-th set of virtual channels.
    /// Ports of the base keep their numbers.
    pub fn hop(&self, at: u64, to: u64, header: Header, class: u16) -> Option<Hop> {
        let hop = self.router.next(Node(at), Header { to: Node(to), state: header.state })?;
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
        let leg = Leg { router: &*self.base, width: self.base.vcs() };
        self.rule.next(&leg, at, header)
    }

    fn longest(&self) -> u64 {
        self.rule.longest(self.base.longest())
    }

    fn remembers(&self) -> bool {
        self.base.remembers()
    }

    fn state_bytes(&self) -> u64 {
        self.base.state_bytes()
    }
}
