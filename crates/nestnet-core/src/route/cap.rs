//! A router with fewer virtual channels than it asks for.

use super::{Entry, Header, Hop, Router, Vc};
use crate::Node;
use crate::network::Automorphism;
use std::sync::Arc;

/// The same routes; virtual channels beyond the last are folded into it. With one, all share it.
#[derive(Debug)]
pub struct Capped {
    inner: Arc<dyn Router>,
    vcs: u16,
}

impl Capped {
    /// `vcs` is at least 1.
    pub fn new(inner: Arc<dyn Router>, vcs: u16) -> Self {
        Capped { inner, vcs: vcs.max(1) }
    }

    fn fold(&self, hop: Hop) -> Hop {
        Hop { vc: Vc(hop.vc.0.min(self.vcs - 1)), ..hop }
    }
}

impl Router for Capped {
    fn vcs(&self) -> u16 {
        self.vcs.min(self.inner.vcs())
    }

    fn choices(&self) -> u64 {
        self.inner.choices()
    }

    fn start(&self, from: Node, to: Node, choice: u64) -> Header {
        self.inner.start(from, to, choice)
    }

    fn next(&self, at: Node, header: Header) -> Option<Hop> {
        self.inner.next(at, header).map(|hop| self.fold(hop))
    }

    fn hops(&self, at: Node, header: Header, out: &mut Vec<Hop>) {
        let first = out.len();
        self.inner.hops(at, header, out);
        for hop in &mut out[first..] {
            *hop = self.fold(*hop);
        }
    }

    fn adapts(&self) -> bool {
        self.inner.adapts()
    }

    fn remembers(&self) -> bool {
        self.inner.remembers()
    }

    fn longest(&self) -> u64 {
        self.inner.longest()
    }

    fn fill(&self, to: Node, row: &mut [Entry]) {
        self.inner.fill(to, row);
        for entry in row {
            if let Some((port, vc)) = entry.get() {
                *entry = Entry::new(port, Vc(vc.0.min(self.vcs - 1)));
            }
        }
    }

    /// Virtual channels of the same number are folded into the same one.
    fn commutes_with(&self) -> Vec<Automorphism> {
        self.inner.commutes_with()
    }

    fn state_bytes(&self) -> u64 {
        self.inner.state_bytes()
    }
}
