//! A router with fewer virtual channels than it asks for.

use super::{ClosedForm, Entry, Escape, Header, Hop, Router, Vc};
use nestnet_graph::Node;
use nestnet_graph::network::Automorphism;
use std::sync::Arc;

/// The same routes; virtual channels beyond the last are folded into it. With one, all share it.
#[derive(Debug)]
pub struct VcLimited {
    inner: Arc<dyn Router>,
    vcs: u16,
}

impl VcLimited {
    /// `vcs` is at least 1.
    pub fn new(inner: Arc<dyn Router>, vcs: u16) -> Self {
        VcLimited { inner, vcs: vcs.max(1) }
    }

    fn fold(&self, hop: Hop) -> Hop {
        Hop { vc: Vc(hop.vc.0.min(self.vcs - 1)), ..hop }
    }
}

impl Router for VcLimited {
    fn vcs(&self) -> u16 {
        self.vcs.min(self.inner.vcs())
    }

    fn host_vcs(&self) -> u16 {
        self.vcs.min(self.inner.host_vcs())
    }

    fn inner(&self) -> Option<&dyn Router> {
        Some(&*self.inner)
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

    /// Channels that are folded into those of the escape are no longer apart from it.
    fn escape(&self) -> Option<Escape<'_>> {
        self.inner.escape().filter(|_| self.vcs >= self.inner.vcs())
    }

    fn fill(&self, to: Node, row: &mut [Entry]) {
        self.inner.fill(to, row);
        for entry in row {
            if let Some((port, vc)) = entry.get() {
                *entry = Entry::new(port, Vc(vc.0.min(self.vcs - 1)));
            }
        }
    }

    fn closed_form(&self, take: &mut dyn FnMut(ClosedForm<'_>)) {
        self.inner.closed_form(take);
    }

    /// Virtual channels of the same number are folded into the same one.
    fn commutes_with(&self) -> Vec<Automorphism> {
        self.inner.commutes_with()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::route::tests::{Either, hops};
    use nestnet_graph::Port;

    /// Up a path of four nodes, on the virtual channel of the node; there is no path down.
    #[derive(Debug)]
    struct Up;

    impl Router for Up {
        fn vcs(&self) -> u16 {
            4
        }

        fn next(&self, at: Node, header: Header) -> Option<Hop> {
            let vc = Vc(u16::try_from(at.0).unwrap());
            (at < header.to).then_some(Hop { port: Port(u32::from(at.0 > 0)), vc, header })
        }

        fn longest(&self) -> u64 {
            3
        }

        fn state_bytes(&self) -> u64 {
            7
        }
    }

    #[test]
    fn channels_beyond_the_last_are_folded_into_it() {
        for (most, folded) in [(0, [0, 0, 0]), (1, [0, 0, 0]), (2, [0, 1, 1]), (9, [0, 1, 2])] {
            let capped = VcLimited::new(Arc::new(Up), most);
            assert_eq!(capped.vcs(), most.clamp(1, 4));
            let mut row = [Entry::NONE; 4];
            capped.fill(Node(3), &mut row);
            for (at, vc) in (0u8..).zip(folded) {
                let expected = (Port(u32::from(at > 0)), Vc(vc));
                assert_eq!(row[usize::from(at)].get(), Some(expected), "{at} of {most}");
                let hop = hops(&capped, at.into(), 3);
                assert_eq!((hop.len(), hop[0].port, hop[0].vc), (1, expected.0, expected.1));
                assert_eq!(capped.next(Node(at.into()), hop[0].header), Some(hop[0]));
            }
            assert_eq!(row[3], Entry::NONE);
            assert!(!capped.adapts() && !capped.remembers());
            assert_eq!((capped.longest(), capped.state_bytes(), capped.choices()), (3, 7, 1));
        }
        let either = VcLimited::new(Arc::new(Either), 1);
        assert!(either.adapts());
        assert_eq!(hops(&either, 0, 3), hops(&Either, 0, 3));
    }
}
