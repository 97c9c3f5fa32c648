//! The Heawood graph.

use nestnet_collectives::broadcast::{sends, streamed};
use nestnet_collectives::{Broadcast, Ports, Schedule, Steps};
use nestnet_graph::network::{Automorphism, transitive};
use nestnet_graph::theory::{Degrees, Theory};
use nestnet_graph::{Distances, Network, Node, Orbit, Port};
use num_bigint::BigUint;
use std::sync::Arc;

/// i ~ i±1 mod 14, odd i ~ i+5, even i ~ i-5.
#[derive(Clone, Debug)]
pub struct Heawood;

/// N_plus, N_minus and N_distance of the paper: the three neighbors in the order of their ports.
pub fn neighbor(at: u64, port: u32) -> u64 {
    match (port, at % 2) {
        (0, _) => (at + 1) % 14,
        (1, _) => (at + 13) % 14,
        (_, 1) => (at + 5) % 14,
        _ => (at + 9) % 14,
    }
}

impl Network for Heawood {
    fn order(&self) -> u64 {
        14
    }

    fn ports(&self) -> u32 {
        3
    }

    fn neighbor(&self, at: Node, port: Port) -> Option<Node> {
        Some(Node(neighbor(at.0, port.0)))
    }

    /// A turn by two, and a reflection that exchanges odd and even.
    fn automorphisms(&self) -> Vec<Automorphism> {
        vec![Arc::new(|i| (i + 2) % 14), Arc::new(|i| (15 - i) % 14)]
    }

    fn orbits(&self) -> Option<Vec<Orbit>> {
        transitive(14)
    }

    /// Bipartite with diameter 3: nodes of one side are 2 apart.
    fn distance(&self, from: Node, to: Node) -> Option<u64> {
        let adjacent = (0..3).any(|port| neighbor(from.0, port) == to.0);
        Some(match (from == to, (from.0 + to.0) % 2) {
            (true, _) => 0,
            (_, 0) => 2,
            _ if adjacent => 1,
            _ => 3,
        })
    }
}

/// Basic-Broadcasting: to all neighbors; from each of them to its two others; and from the two under N_p1 to what is left.
///
/// # Where we differ
/// Step 2.1 must use N_plus(N_p1), not N_minus, which is the sender; step 3 acts on the two nodes that N_p1 informed.
impl Broadcast for Heawood {
    fn ports(&self) -> Ports {
        Ports::All
    }

    fn from(&self, root: Node) -> Steps<'_> {
        const PLUS: u32 = 0;
        const MINUS: u32 = 1;
        const DISTANCE: u32 = 2;
        let s = root.0;
        let [p1, m1, d1] = [PLUS, MINUS, DISTANCE].map(|port| neighbor(s, port));
        let [p2, d2] = [PLUS, DISTANCE].map(|port| neighbor(p1, port));
        // The two others of a node, when it was informed by `by`.
        let others = |at: u64, by: u64| {
            (0..3).filter(move |&port| neighbor(at, port) != by).map(move |port| (at, Port(port)))
        };
        let steps = vec![
            sends([PLUS, MINUS, DISTANCE].map(|port| (s, Port(port)))),
            sends([p1, m1, d1].into_iter().flat_map(|at| others(at, s))),
            sends([p2, d2].into_iter().flat_map(|at| others(at, p1))),
        ];
        streamed(Schedule { steps })
    }

    fn claimed(&self) -> Option<u64> {
        Some(3)
    }
}

impl Theory for Heawood {
    fn order(&self) -> BigUint {
        14u8.into()
    }

    fn degrees(&self) -> Degrees {
        Degrees::regular(3, 14u8.into())
    }

    fn is_transitive(&self) -> bool {
        true
    }

    fn distances(&self) -> Option<Distances> {
        Some(Distances::new([14u8, 42, 84, 56]))
    }

    fn distances_from_zero(&self) -> Option<Distances> {
        Some(Distances::new([1u8, 3, 6, 4]))
    }
}
