//! Recursively expanded Heawood networks II.
//!
//! # Definition
//! Digit i = 1..n-1 of (V_(n-1), …, V_0) belongs to level i+1, whose ports are the unit positions c = i-1, c+3 and
//! c-3 mod 14; each carries one of the three frame links of V_i.
//!
//! # Where we differ
//! Definition 5 does not define which frame link belongs to which port. `ports=coloring` takes the proper 3-edge-coloring
//! of the Heawood graph, so that both ends use the same port: even ring links (2k, 2k+1) c+3, odd ring links
//! (2k+1, 2k+2) c-3, chords c. `ports=plusminus`: a leaves toward a+1 by c+3 and toward a-1 by c-3.
//! `ports=roundrobin`: the ports c, c+3, c-3 are dealt to the neighbors in ascending order.

use super::graph::{self, Heawood};
use crate::family::Args;
use nestnet_graph::radix::{digits, number};
use nestnet_graph::theory::{Bounded, Degrees, Theory, moore_diameter};
use nestnet_graph::{Address, Network, Node, Port};
use nestnet_routing::{Header, Hop, Router, Vc};
use num_bigint::BigUint;
use std::sync::Arc;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ports {
    Coloring,
    PlusMinus,
    RoundRobin,
}

/// The offset of each of the three roles of a port from c.
const OFFSETS: [u64; 3] = [0, 3, 11];

/// A recursively expanded Heawood network II.
#[derive(Clone, Debug)]
pub struct Expanded {
    n: u32,
    ports: Ports,
}

impl Expanded {
    /// With so many digits, and links at these ports.
    pub(super) fn of(args: &Args) -> Self {
        let ports = match args.word("ports") {
            "plusminus" => Ports::PlusMinus,
            "roundrobin" => Ports::RoundRobin,
            _ => Ports::Coloring,
        };
        Expanded { n: u32::try_from(args.integer("n")).expect("at most 15"), ports }
    }

    /// In which role a port carries the frame link from `a` to `b`: 0 for c, 1 for c+3, 2 for c-3.
    fn role(&self, a: u64, b: u64) -> usize {
        let direction = (0..3).find(|&port| graph::neighbor(a, port) == b).unwrap_or(0);
        match (self.ports, direction) {
            (Ports::RoundRobin, _) => (0..3).filter(|&port| graph::neighbor(a, port) < b).count(),
            (_, 2) => 0,
            (Ports::PlusMinus, 0) => 1,
            (Ports::PlusMinus, _) => 2,
            // Toward a+1 from an even a, or toward a-1 from an odd one: an even ring link.
            (Ports::Coloring, step) => {
                if a.is_multiple_of(2) == (step == 0) {
                    1
                } else {
                    2
                }
            }
        }
    }

    /// The unit positions that have the links of a digit; the lowest digit is the unit position itself.
    pub(super) fn served_by(&self, digit: u32) -> Option<[u64; 3]> {
        let c = u64::from(digit).checked_sub(1)?;
        Some(OFFSETS.map(|offset| (c + offset) % 14))
    }

    /// The place of the digit that unit position `u` serves in that role, if there is such a level.
    fn place(&self, u: u64, role: usize) -> Option<u64> {
        let i = (u + 14 - OFFSETS[role]) % 14 + 1;
        (i < u64::from(self.n)).then(|| 14u64.pow(u32::try_from(i).expect("at most 14")))
    }

    /// The frame link at this node in that role.
    fn frame_link(&self, at: Node, role: usize) -> Option<Node> {
        let u = at.0 % 14;
        let place = self.place(u, role)?;
        let a = at.0 / place % 14;
        let b = (0..3).map(|port| graph::neighbor(a, port)).find(|&b| self.role(a, b) == role)?;
        let c = u + 14 - OFFSETS[role];
        let arrival = (c + OFFSETS[self.role(b, a)]) % 14;
        Some(Node(at.0 - a * place + b * place - u + arrival))
    }

    fn sides(&self) -> Vec<u64> {
        vec![14; self.n as usize]
    }
}

impl Network for Expanded {
    fn order(&self) -> u64 {
        14u64.pow(self.n)
    }

    fn ports(&self) -> u32 {
        if self.n == 1 { 3 } else { 6 }
    }

    fn neighbor(&self, at: Node, port: Port) -> Option<Node> {
        if port.0 < 3 {
            let u = at.0 % 14;
            return Some(Node(at.0 - u + graph::neighbor(u, port.0)));
        }
        self.frame_link(at, port.0 as usize - 3)
    }

    fn address(&self, at: Node) -> Address {
        Address::numbers(digits(at.0, &self.sides()))
    }

    fn node(&self, address: &Address) -> Option<Node> {
        number(&address.as_numbers(self.n as usize)?, &self.sides()).map(Node)
    }

    fn level(&self, at: Node, port: Port) -> u16 {
        let place = port.0.checked_sub(3).and_then(|role| self.place(at.0 % 14, role as usize));
        place.map_or(0, |place| u16::try_from(place.ilog(14)).expect("at most 14"))
    }

    fn levels(&self) -> u16 {
        u16::try_from(self.n).expect("at most 15")
    }
}

/// Algorithm σH_n-II-Routing: from the highest digit that differs down, to the port that has the next link of the frame,
/// over it, and again until the digit is right.
#[derive(Debug)]
pub(super) struct PortByPort {
    pub network: Expanded,
    pub heawood: Arc<dyn Router>,
}

impl Router for PortByPort {
    fn vcs(&self) -> u16 {
        1
    }

    fn longest(&self) -> u64 {
        12 * u64::from(self.network.n - 1) + 3
    }

    fn next(&self, at: Node, header: Header) -> Option<Hop> {
        let hop =
            |from: u64, to: u64| self.heawood.next(Node(from), Header { to: Node(to), state: 0 });
        let (u, mut stop) = (at.0 % 14, header.to.0 % 14);
        for i in (1..self.network.n).rev() {
            let place = 14u64.pow(i);
            let (a, wanted) = (at.0 / place % 14, header.to.0 / place % 14);
            let Some(frame) = hop(a, wanted) else { continue };
            let role = self.network.role(a, graph::neighbor(a, frame.port.0));
            stop = (u64::from(i) - 1 + OFFSETS[role]) % 14;
            if u == stop {
                let port = Port(3 + u32::try_from(role).expect("one of three"));
                return Some(Hop { port, vc: Vc(0), header });
            }
            break;
        }
        Some(Hop { port: hop(u, stop)?.port, vc: Vc(0), header })
    }
}

impl Theory for Expanded {
    fn order(&self) -> BigUint {
        BigUint::from(14u8).pow(self.n)
    }

    /// A unit position has one link for each level whose port it is.
    fn degrees(&self) -> Degrees {
        let copies = BigUint::from(14u8).pow(self.n - 1);
        let links = |u| (0..3).filter(|&role| self.place(u, role).is_some()).count() as u64;
        Degrees::counted((0..14).map(|u| (3 + links(u), copies.clone())))
    }

    /// At most three frame steps a level, each behind a walk of at most three in the unit, and one walk more.
    fn diameter(&self) -> Option<Bounded> {
        if self.n == 1 {
            return Heawood.diameter();
        }
        let high = 12 * u64::from(self.n - 1) + 3;
        let low = moore_diameter(&Theory::order(self), self.degrees().max);
        Some(Bounded::between(low, high))
    }
}

#[cfg(test)]
mod tests {
    use crate::build;
    use crate::family::built::AS_PRINTED;
    use nestnet_graph::Node;
    use nestnet_routing::route::Ending;

    /// A node has one frame link, so that the digit moves once at most, and it must become a port: of three ports, the
    /// three links of each. The lowest digit never moves.
    #[test]
    fn as_printed_only_links_to_a_port_are_served() {
        let built = build("re_heawood2(2)").unwrap();
        let printed = built.procedure(AS_PRINTED).unwrap();
        let nodes = || (0..14 * 14).map(Node);
        let arrives = |from, to| printed.trace(from, to).unwrap().ending == Ending::Arrives;
        let others = |from| nodes().filter(move |&to| to != from);
        let served = nodes().flat_map(|from| others(from).filter(move |&to| arrives(from, to)));
        assert_eq!(served.count(), 3 * 3);
    }
}
