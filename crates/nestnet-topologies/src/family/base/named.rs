//! Two graphs with names of their own, both of diameter 2.

use nestnet_draw::{Plan, Point};
use nestnet_graph::network::{Automorphism, transitive};
use nestnet_graph::theory::{Degrees, Theory};
use nestnet_graph::{Address, Distances, Network, Node, Orbit, Port};
use num_bigint::BigUint;
use std::sync::Arc;

/// Outer 0..4 with i ~ i+1, spokes i ~ i+5, inner 5+i ~ 5+(i+2) mod 5.
#[derive(Clone, Debug)]
pub struct Petersen;

impl Network for Petersen {
    fn order(&self) -> u64 {
        10
    }

    fn ports(&self) -> u32 {
        3
    }

    fn neighbor(&self, at: Node, port: Port) -> Option<Node> {
        let (ring, i) = (at.0 / 5, at.0 % 5);
        let step = if ring == 0 { 1 } else { 2 };
        Some(Node(match port.0 {
            0 => 5 * ring + (i + step) % 5,
            1 => 5 * ring + (i + 5 - step) % 5,
            _ => 5 * (1 - ring) + i,
        }))
    }

    /// A turn, and the exchange of the two rings.
    fn automorphisms(&self) -> Vec<Automorphism> {
        let exchange = |v: u64| if v < 5 { 5 + 2 * v % 5 } else { 2 * (v - 5) % 5 };
        vec![Arc::new(|v| v / 5 * 5 + (v + 1) % 5), Arc::new(exchange)]
    }

    fn orbits(&self) -> Option<Vec<Orbit>> {
        transitive(10)
    }

    fn distance(&self, from: Node, to: Node) -> Option<u64> {
        Some(two_at_most(self, from, to))
    }
}

impl Theory for Petersen {
    fn order(&self) -> BigUint {
        10u8.into()
    }

    fn degrees(&self) -> Degrees {
        Degrees::regular(3, 10u8.into())
    }

    fn is_transitive(&self) -> bool {
        true
    }

    fn distances(&self) -> Option<Distances> {
        Some(Distances::new([10u8, 30, 60]))
    }

    fn distances_from_zero(&self) -> Option<Distances> {
        Some(Distances::new([1u8, 3, 6]))
    }
}

/// The outer pentagon and the star inside.
pub fn petersen_plan() -> Plan {
    Plan::given(10, || {
        let corner =
            |i: u32| Point::on_circle(f64::from(i % 5) / 5.0, if i < 5 { 1.0 } else { 0.5 });
        (0..10).map(corner).collect()
    })
}

/// Five pentagons P_h and five pentagrams Q_i; vertex j of P_h meets vertex h·i + j of Q_i.
///
/// Node 5h+j is vertex j of P_h, node 25+5i+j vertex j of Q_i.
#[derive(Clone, Debug)]
pub struct HoffmanSingleton;

impl Network for HoffmanSingleton {
    fn order(&self) -> u64 {
        50
    }

    fn ports(&self) -> u32 {
        7
    }

    fn neighbor(&self, at: Node, port: Port) -> Option<Node> {
        let (kind, group, j) = (at.0 / 25, at.0 / 5 % 5, at.0 % 5);
        let step = if kind == 0 { 1 } else { 2 };
        let ring = at.0 - j;
        Some(Node(match (port.0, kind) {
            (0, _) => ring + (j + step) % 5,
            (1, _) => ring + (j + 5 - step) % 5,
            (other, 0) => {
                let i = u64::from(other) - 2;
                25 + 5 * i + (group * i + j) % 5
            }
            (other, _) => {
                let h = u64::from(other) - 2;
                5 * h + (j + 25 - h * group) % 5
            }
        }))
    }

    fn address(&self, at: Node) -> Address {
        Address::numbers([at.0 / 25, at.0 / 5 % 5, at.0 % 5])
    }

    fn node(&self, address: &Address) -> Option<Node> {
        let digits = address.as_numbers(3)?;
        nestnet_graph::radix::number(&digits, &[2, 5, 5]).map(Node)
    }

    fn orbits(&self) -> Option<Vec<Orbit>> {
        transitive(50)
    }

    fn distance(&self, from: Node, to: Node) -> Option<u64> {
        Some(two_at_most(self, from, to))
    }
}

impl Theory for HoffmanSingleton {
    fn order(&self) -> BigUint {
        50u8.into()
    }

    fn degrees(&self) -> Degrees {
        Degrees::regular(7, 50u8.into())
    }

    fn is_transitive(&self) -> bool {
        true
    }

    fn distances(&self) -> Option<Distances> {
        Some(Distances::new([50u16, 350, 2100]))
    }

    fn distances_from_zero(&self) -> Option<Distances> {
        Some(Distances::new([1u8, 7, 42]))
    }
}

/// The distance in a network whose diameter is 2.
fn two_at_most(network: &dyn Network, from: Node, to: Node) -> u64 {
    if from == to {
        return 0;
    }
    let mut adjacent = false;
    network.for_each_neighbor(from, &mut |_, neighbor| adjacent |= neighbor == to);
    if adjacent { 1 } else { 2 }
}
