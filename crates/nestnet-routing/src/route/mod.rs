//! How messages find their way. One question = one file.

mod adaptive;
pub mod assign;
mod balanced;
mod bounded_cache;
mod cached;
pub mod deadlock;
mod detour;
mod dimension;
mod disjoint;
mod distance_rows;
mod ecmp;
mod explicit;
mod faults;
mod greedy;
mod guide;
mod hop;
mod lift;
mod load_bound;
mod minimal;
mod polarized;
mod procedure;
mod product;
mod report;
mod ring_digits;
pub mod route_list;
mod router;
mod sample;
mod search;
mod shortest;
mod survey;
mod table;
mod ugal;
mod updown_layers;
mod valiant;
mod vc_limit;
pub mod walk;
mod weighted_paths;
mod wiring;

pub use adaptive::Adaptive;
pub use balanced::Balanced;
pub use cached::Cached;
pub use detour::{DetourError, Detouring};
pub use dimension::Dimensions;
pub use disjoint::{
    Disjoint, DisjointError, DisjointFlaw, Proof, check_disjoint, disjoint_paths,
    disjoint_paths_up_to,
};
pub use ecmp::Ecmp;
pub use explicit::{ExplicitRoutes, ExplicitRoutesError};
pub use faults::{FaultSample, Faults, FaultsError};
pub use greedy::Greedy;
pub use hop::{Entry, Header, Hop, Vc};
pub use lift::{Leg, Lift, LiftedRouter};
pub use load_bound::load_bound;
pub use minimal::Minimal;
pub use polarized::Polarized;
pub use procedure::{Ending, Followed, Procedure, Trace, Walked};
pub use product::DimensionOrder;
pub use report::{Against, Failure, Length, Loads, Survey, Worst};
pub use ring_digits::{Line, RingDigits, RingHop};
pub use router::{
    Alternatives, ClosedForm, DETOURS, Digit, DigitVisit, Escape, PathHop, PathSet, QueueChoice,
    QueueInfo, Router, Structure, Through,
};
pub use sample::{Pair, sample};
pub use search::{MAX_SEARCHED, Searched};
pub use survey::{SurveyError, Surveyed, Surveying, survey};
pub use table::{Table, TableError};
pub use ugal::{Ugal, UgalRule};
pub use updown_layers::UpDownLayers;
pub use valiant::Valiant;
pub use vc_limit::VcLimited;
pub use walk::{Walk, WalkError, most_hops, walk};
pub(crate) use weighted_paths::ports_of;
pub use weighted_paths::{WeightedPath, WeightedPaths};

#[cfg(test)]
mod tests {
    use super::*;
    use nestnet_graph::{Budget, Network, Node, Port};
    use nestnet_seed::samples::ring;
    use std::sync::Arc;

    /// On a square whose corners are two bits: port i flips bit i, in either order.
    #[derive(Debug)]
    pub(super) struct Either;

    impl Router for Either {
        fn vcs(&self) -> u16 {
            1
        }

        fn next(&self, at: Node, header: Header) -> Option<Hop> {
            hops(self, at.0, header.to.0).first().copied()
        }

        fn hops(&self, at: Node, header: Header, out: &mut Vec<Hop>) {
            let differs = |port: &u32| (at.0 ^ header.to.0) >> port & 1 == 1;
            let hop = |port| Hop { port: Port(port), vc: Vc(0), header };
            out.extend((0..2).filter(differs).map(hop));
        }

        fn adapts(&self) -> bool {
            true
        }
    }

    /// All hops of a message that has just started.
    pub(super) fn hops(router: &dyn Router, at: u64, to: u64) -> Vec<Hop> {
        let mut out = Vec::new();
        router.hops(Node(at), Header { to: Node(to), state: 0 }, &mut out);
        out
    }

    /// Shortest routes around a ring that say of themselves what no default says.
    #[derive(Debug)]
    struct Probe {
        routes: Searched,
        remembers: bool,
    }

    impl Router for Probe {
        fn vcs(&self) -> u16 {
            1
        }

        fn choices(&self) -> u64 {
            3
        }

        fn start(&self, _from: Node, to: Node, choice: u64) -> Header {
            Header { to, state: if self.remembers { choice } else { 0 } }
        }

        fn next(&self, at: Node, header: Header) -> Option<Hop> {
            let hop = self.routes.next(at, Header { state: 0, ..header })?;
            Some(Hop { header, ..hop })
        }

        fn whole(&self, from: Node, to: Node) -> Option<Vec<Node>> {
            Some(vec![from, to])
        }

        fn longest(&self) -> u64 {
            99
        }

        fn remembers(&self) -> bool {
            self.remembers
        }

        fn structure(&self) -> Structure<'_> {
            Structure {
                through: Some(Through { legs: &self.routes, first: 4, count: 2 }),
                weighted: Some(self),
                loads_by_switches: true,
                all_shortest: Some(&self.routes),
                spare: Some(&self.routes),
            }
        }

        fn state_bytes(&self) -> u64 {
            1 << 20
        }
    }

    impl PathSet for Probe {
        fn whole(&self) -> u32 {
            7
        }

        fn for_each(&self, _from: u32, _to: u32, _visit: &mut dyn FnMut(u32, &[PathHop])) {}
    }

    /// Every router that only changes virtual channels says of its routes what the router inside says.
    #[test]
    fn wrappers_forward_what_they_do_not_change() {
        let network: Arc<dyn Network> = Arc::new(ring(8));
        for remembers in [false, true] {
            let routes = Searched::new(network.clone()).unwrap();
            let probe: Arc<dyn Router> = Arc::new(Probe { routes, remembers });
            let assigned = assign::assign(&network, &probe, &Budget::UNLIMITED).unwrap();
            let wrappers: [(&str, Arc<dyn Router>); 4] = [
                ("limited", Arc::new(VcLimited::new(probe.clone(), 1))),
                ("by turns", Arc::new(UpDownLayers::new(network.clone(), probe.clone(), None))),
                ("assigned", assigned.router),
                ("cached", Cached::speed_up(probe.clone(), &*network)),
            ];
            for (name, wrapper) in wrappers {
                assert_eq!(wrapper.longest(), 99, "{name}");
                assert_eq!(wrapper.whole(Node(2), Node(5)), Some(vec![Node(2), Node(5)]), "{name}");
                let known = wrapper.structure();
                let through = known.through.map(|through| (through.first, through.count));
                assert_eq!(through, Some((4, 2)), "{name}");
                assert_eq!(known.weighted.map(PathSet::whole), Some(7), "{name}");
                assert!(known.loads_by_switches, "{name}");
                // These depend on the virtual channels, which a cache alone keeps.
                let kept = [known.all_shortest.is_some(), known.spare.is_some()];
                assert_eq!(kept, [name == "cached"; 2], "{name}");
                assert!(wrapper.state_bytes() >= 1 << 20, "{name}");
                assert!(!wrapper.adapts(), "{name}");
                // Lanes by target or pair serve one route a pair.
                if wrapper.choices() != 1 {
                    assert_eq!(wrapper.choices(), 3, "{name}");
                    assert_eq!(wrapper.remembers(), remembers, "{name}");
                    let start = |router: &dyn Router| router.start(Node(2), Node(5), 2);
                    assert_eq!(start(&*wrapper), start(&*probe), "{name}");
                } else {
                    assert_eq!(name, "assigned");
                }
            }
        }
    }
}
