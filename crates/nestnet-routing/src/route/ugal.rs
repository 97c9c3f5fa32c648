//! Universal globally adaptive load-balanced routing: the minimal route, or Valiant's through a random node, by the queues.
//!
//! A message draws several intermediate nodes. At its first router it takes the minimal route where the queue of that route
//! times its hops is at most the queue of the best detour times its hops plus a threshold (A. Singh, *Load-balanced routing
//! in interconnection networks*, 2005; J. Kim et al., *Technology-driven, highly-scalable dragonfly topology*, 2008; several
//! detours as in M. Besta, T. Hoefler, *Slim Fly: a cost effective low-diameter network topology*, 2014). While it
//! waits for a virtual channel of the minimal route, that route counts for more from cycle to cycle.
//! Progressive adaptive routing decides once more behind the first hop (N. Jiang et al., *Indirect adaptive routing on
//! large scale interconnection networks*, 2009).
//!
//! # Virtual channels
//! There are three sets of the channels that the router of the legs needs. A detour has the second before its intermediate
//! node and the third behind it. A minimal route may take any set at any hop, but never goes back to a lower one; where it
//! is busy and the detour is not, or begins with the same link, it keeps to the first, so that what waits on it does not
//! block detours. So all dependencies are within the
//! routes of one set or lead to a higher one, and there is no cycle where the legs have none. Each channel class is
//! doubled where the number of virtual channels is left open.

use super::{Alternatives, DETOURS, Header, Hop, QueueChoice, QueueInfo, Router, Vc};
use nestnet_graph::Node;
use nestnet_graph::measure::splitmix64;
use std::ops::Range;
use std::sync::Arc;

/// How a message chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UgalRule {
    /// Which queues it looks at.
    pub info: QueueInfo,
    /// Whether a minimal route may be left behind its first hop.
    pub revises: bool,
}

impl UgalRule {
    /// UGAL-L: by the queues of the first router.
    pub const LOCAL: Self = UgalRule { info: QueueInfo::Local, revises: false };
    /// UGAL-G: by all queues.
    pub const GLOBAL: Self = UgalRule { info: QueueInfo::Global, revises: false };
    /// Progressive adaptive routing.
    pub const PROGRESSIVE: Self = UgalRule { info: QueueInfo::Local, revises: true };
}

/// The minimal route or a detour through a node, by the queues.
#[derive(Debug)]
pub struct Ugal {
    legs: Arc<dyn Router>,
    /// The nodes that a detour may go through.
    middles: Range<u64>,
    rule: UgalRule,
}

/// In flits times hops: a few flits that happen to be on the first link are no reason for a detour.
const THRESHOLD: u64 = 16;

/// In flits times hops: about what a busy link of a route of three or four has on its way without any queue.
const BUSY: u64 = 16;

/// In cycles: how long a wait counts as one flit times one hop.
const PATIENCE: u64 = 2;

/// Sets of virtual channels: of minimal routes alone, and of the two legs of a detour.
const SETS: u16 = 3;

/// The lowest bits of the state say how far the choice is; above them is the intermediate node plus one, or 0.
const KIND_BITS: u32 = 4;
/// On the minimal route, in this set of channels or a higher one.
const MINIMAL: u64 = 0;
/// On the minimal route and behind its first hop: it may still be left.
const REVISES: u64 = 6;
/// At the first router, on the minimal route, which may be left at the next.
const FIRST: u64 = 7;
/// The same where it was busy.
const FIRST_RESERVED: u64 = 9;
/// On the way to the intermediate node.
const DETOUR: u64 = 8;
/// On the minimal route, which was busy: only in the first set, which detours do not take.
const RESERVED: u64 = 5;
/// Not yet decided.
const DECIDES: u64 = 15;

impl Ugal {
    /// Detours through any of the nodes `middles`. `None` when the legs remember or adapt.
    pub fn new(legs: Arc<dyn Router>, middles: Range<u64>, rule: UgalRule) -> Option<Self> {
        let fits = !legs.remembers() && !legs.adapts() && legs.vcs() <= u16::MAX / SETS;
        let fits = fits && middles.end < 1 << (64 - KIND_BITS - 1);
        fits.then_some(Ugal { legs, middles, rule })
    }

    /// Whether a node is only the end of a link, where nothing is decided.
    fn is_end(&self, at: Node) -> bool {
        at.0 < self.middles.start
    }

    /// What a message carries on its detours: the first through the node that it drew, the others through nodes that follow
    /// from that one and the target by a hash, as if they were drawn too.
    fn detours(&self, header: Header) -> [Header; DETOURS] {
        let drawn = (header.state >> KIND_BITS).saturating_sub(1);
        let count = self.choices().max(1);
        let mut middle = drawn;
        std::array::from_fn(|number| {
            let state = (middle + 1) << KIND_BITS | DETOUR;
            let mixed = splitmix64(splitmix64(header.to.0 << 8 | (number as u64 + 1)) ^ drawn);
            middle = self.middles.start + mixed % count;
            Header { state, ..header }
        })
    }

    /// A hop of a leg in a set of channels.
    fn leg(&self, at: Node, to: Node, set: u64) -> Option<Hop> {
        let hop = self.legs.next(at, Header { to, state: 0 })?;
        let set = u16::try_from(set).unwrap_or(0);
        Some(Hop { vc: Vc(hop.vc.0 + set * self.legs.vcs()), ..hop })
    }

    /// The minimal hop, in every set from one on.
    fn minimal(&self, at: Node, header: Header, first: u64, keeps: bool, out: &mut Vec<Hop>) {
        for set in first..SETS.into() {
            let Some(hop) = self.leg(at, header.to, set) else { return };
            let middle = header.state >> KIND_BITS << KIND_BITS;
            let state = if keeps && set == 0 { middle | REVISES } else { MINIMAL + set };
            out.push(Hop { header: Header { state, ..header }, ..hop });
        }
    }

    /// The hop of a detour: to the intermediate node, and from there to the target.
    fn detour(&self, at: Node, header: Header, out: &mut Vec<Hop>) {
        let last = u64::from(SETS) - 1;
        let middle = (header.state >> KIND_BITS).checked_sub(1).map(Node);
        // A middle without a path to it is omitted.
        let middle = middle.filter(|&middle| middle != at);
        if let Some(hop) = middle.and_then(|middle| self.leg(at, middle, last - 1)) {
            let state = header.state >> KIND_BITS << KIND_BITS | DETOUR;
            out.push(Hop { header: Header { state, ..header }, ..hop });
        } else {
            self.minimal(at, header, last, false, out);
        }
    }
}

impl Router for Ugal {
    fn vcs(&self) -> u16 {
        self.legs.vcs() * SETS
    }

    fn usual_vcs(&self) -> u16 {
        self.vcs().saturating_mul(2)
    }

    /// The intermediate node.
    fn choices(&self) -> u64 {
        self.middles.end - self.middles.start
    }

    fn start(&self, _from: Node, to: Node, choice: u64) -> Header {
        Header { to, state: (self.middles.start + choice + 1) << KIND_BITS | DECIDES }
    }

    /// The first of its hops: that of the minimal route where it is not decided.
    fn next(&self, at: Node, header: Header) -> Option<Hop> {
        let mut hops = Vec::with_capacity(4);
        self.hops(at, header, &mut hops);
        hops.first().copied()
    }

    fn hops(&self, at: Node, header: Header, out: &mut Vec<Hop>) {
        if at == header.to {
            return;
        }
        match header.state & ((1 << KIND_BITS) - 1) {
            DECIDES if self.is_end(at) => {
                out.extend(self.leg(at, header.to, 0).map(|hop| Hop { header, ..hop }));
            }
            DECIDES => {
                self.minimal(at, header, 0, self.rule.revises, out);
                self.detours(header).into_iter().for_each(|header| self.detour(at, header, out));
            }
            REVISES => {
                self.minimal(at, header, 0, false, out);
                self.detours(header).into_iter().for_each(|header| self.detour(at, header, out));
            }
            FIRST => self.minimal(at, header, 0, true, out),
            FIRST_RESERVED => {
                let state = header.state >> KIND_BITS << KIND_BITS | REVISES;
                let hop = self.leg(at, header.to, 0);
                out.extend(hop.map(|hop| Hop { header: Header { state, ..header }, ..hop }));
            }
            RESERVED => {
                let hop = self.leg(at, header.to, 0);
                out.extend(hop.map(|hop| Hop { header, ..hop }));
            }
            DETOUR => self.detour(at, header, out),
            set => self.minimal(at, header, set, false, out),
        }
    }

    fn queue_choice(&self) -> Option<&dyn QueueChoice> {
        Some(self)
    }

    fn longest(&self) -> u64 {
        let first = u64::from(self.rule.revises);
        self.legs.longest().saturating_mul(2).saturating_add(first)
    }

    fn adapts(&self) -> bool {
        true
    }

    fn remembers(&self) -> bool {
        true
    }

    fn state_bytes(&self) -> u64 {
        self.legs.state_bytes()
    }
}

impl QueueChoice for Ugal {
    fn alternatives(&self, at: Node, header: Header) -> Option<Alternatives> {
        let kind = header.state & ((1 << KIND_BITS) - 1);
        if self.is_end(at) || at == header.to || !matches!(kind, DECIDES | REVISES) {
            return None;
        }
        let above = header.state >> KIND_BITS << KIND_BITS;
        let may_revise = self.rule.revises && kind == DECIDES;
        let minimal = if may_revise { above | FIRST } else { MINIMAL };
        Some(Alternatives {
            minimal: Header { state: minimal, ..header },
            reserved: Header {
                state: if may_revise { above | FIRST_RESERVED } else { RESERVED },
                ..header
            },
            detours: self.detours(header),
            info: self.rule.info,
            threshold: THRESHOLD,
            busy: BUSY,
            patience: PATIENCE,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::route::deadlock::{certify, check};
    use crate::route::{Minimal, Searched, UpDownLayers, walk};
    use nestnet_graph::{Budget, Network};
    use nestnet_seed::samples::{petersen, ring};

    const RULES: [UgalRule; 3] = [UgalRule::LOCAL, UgalRule::GLOBAL, UgalRule::PROGRESSIVE];

    fn legs(network: &Arc<dyn Network>) -> Arc<dyn Router> {
        let minimal = Minimal::new(network.clone(), &Budget::UNLIMITED).unwrap();
        Arc::new(UpDownLayers::new(network.clone(), Arc::new(minimal), None))
    }

    #[test]
    fn both_routes_arrive_and_have_their_lengths() {
        let network = ring(10);
        let legs = Arc::new(Searched::new(Arc::new(network.clone())).unwrap());
        let length = |router: &Ugal, mut header: Header| {
            let (mut at, mut vcs) = (Node(0), Vec::new());
            while let Some(hop) = router.next(at, header) {
                at = network.neighbor(at, hop.port).unwrap();
                header = hop.header;
                vcs.push(hop.vc.0);
            }
            (at, vcs)
        };
        for rule in RULES {
            let router = Ugal::new(legs.clone(), 3..7, rule).unwrap();
            assert_eq!((router.choices(), router.vcs()), (4, 3));
            // Node 0 is not among the middles, so it is an end; here all nodes may decide.
            let router = Ugal::new(legs.clone(), 0..10, rule).unwrap();
            let found = router.alternatives(Node(0), router.start(Node(0), Node(2), 6)).unwrap();
            assert_eq!(length(&router, found.minimal), (Node(2), vec![0, 0]));
            let last = router.vcs() - 1;
            let around = [vec![last - 1; 4], vec![last; 4]].concat();
            assert_eq!(length(&router, found.detours[0]), (Node(2), around));
            let route = walk(&network, &router, Node(0), Node(4), 7, 20).unwrap();
            assert_eq!(route.hops.len(), 4);
        }
    }

    /// One leg has a cycle on one channel, so that has UGAL; on channels that are free of it there is none.
    #[test]
    fn it_is_free_of_deadlock_where_its_legs_are() {
        let all = &Budget::UNLIMITED;
        for (network, middles) in
            [(Arc::new(petersen()) as Arc<dyn Network>, 0..10), (Arc::new(ring(7)), 0..7)]
        {
            for rule in RULES {
                let router = Ugal::new(legs(&network), middles.clone(), rule).unwrap();
                let certificate = certify(&*network, &router, all).unwrap();
                assert!(certificate.is_free(), "{rule:?}");
                assert_eq!(certificate.vcs, router.vcs());
                check(&*network, &router, &certificate, all).unwrap();
            }
        }
        let network: Arc<dyn Network> = Arc::new(ring(7));
        let one = Arc::new(Searched::new(network.clone()).unwrap());
        let router = Ugal::new(one, 0..7, UgalRule::LOCAL).unwrap();
        assert!(!certify(&*network, &router, all).unwrap().is_free());
    }
}
