//! The Heawood graph.

use nestnet_core::network::{Automorphism, transitive};
use nestnet_core::theory::{Degrees, Theory};
use nestnet_core::{Distances, Network, Node, Orbit, Port};
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
