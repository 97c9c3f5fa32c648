//! Fat trees of three levels: what data centers build from switches that are all alike.
//!
//! # Definition
//! M. Al-Fares, A. Loukissas, A. Vahdat, "A Scalable, Commodity Data Center Network Architecture", 2008.
//! With m = k/2: k pods, each of m edge and m aggregation switches, every two of different kind linked; m hosts on every
//! edge switch; m² core switches (a, j), linked to aggregation switch a of every pod. All switches have k links.
//!
//! # Numbering
//! Hosts (pod, edge, i), then edge switches (pod, e), aggregation switches (pod, a), core switches (a, j), each kind
//! ascending in this order. Ports: down first, then up, in ascending order.
//! Addresses begin with the kind: (0, pod, edge, i), (1, pod, e), (2, pod, a), (3, a, j).

use crate::family::{ArgError, Args, Built};
use nestnet_core::draw::{Plan, Point};
use nestnet_core::theory::{Degrees, Theory};
use nestnet_core::{Address, Distances, Network, Node, Orbit, Port, radix};
use num_bigint::BigUint;
use num_traits::ToPrimitive;

pub(super) fn build(args: &Args) -> Result<Built, ArgError> {
    let k = args.integer("k");
    if k % 2 == 1 {
        return Err(ArgError::new(
            "k",
            format!("must be even: half the ports of a switch go up, not {k}"),
        ));
    }
    let tree = FatTree::new(k);
    Ok(Built::of(tree.clone()).placed(tree.plan()))
}

/// Made of switches with `2m` ports.
#[derive(Clone, Debug)]
pub struct FatTree {
    m: u64,
}

/// A node by its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Host { pod: u64, edge: u64, i: u64 },
    Edge { pod: u64, e: u64 },
    Aggregation { pod: u64, a: u64 },
    Core { a: u64, j: u64 },
}

use Place::{Aggregation, Core, Edge, Host};

impl FatTree {
    /// `k` is even and at least 2.
    pub fn new(k: u64) -> Self {
        FatTree { m: k / 2 }
    }

    /// Hosts in a row, with their switches above them layer by layer, and the core on top.
    fn plan(&self) -> Plan {
        let order = Theory::order(self).to_u64().unwrap_or(u64::MAX);
        Plan::given(order, || {
            let m = self.m as f64;
            let pod = m * m + 1.0;
            let wide = pod * 2.0 * m - 1.0;
            let up = 1.0 + 0.09 * wide;
            let over =
                |pod_number: u64, i: u64| pod_number as f64 * pod + (i as f64 + 0.5) * m - 0.5;
            let place = |at: u64| match self.place(Node(at)) {
                Host { pod: p, edge, i } => {
                    Point::new(p as f64 * pod + (edge * self.m + i) as f64, 0.0)
                }
                Edge { pod, e } => Point::new(over(pod, e), -up * 0.6),
                Aggregation { pod, a } => Point::new(over(pod, a), -up * 1.3),
                Core { a, j } => {
                    let across = ((a * self.m + j) as f64 + 0.5) / (m * m) * wide - 0.5;
                    Point::new(across, -up * 2.5)
                }
            };
            (0..order).map(place).collect()
        })
    }

    fn k(&self) -> u64 {
        2 * self.m
    }

    /// The number of edge switches, and of aggregation switches.
    fn pod_switches(&self) -> u64 {
        self.k() * self.m
    }

    /// The first edge, aggregation and core switch.
    fn starts(&self) -> [u64; 3] {
        let hosts = self.pod_switches() * self.m;
        [hosts, hosts + self.pod_switches(), hosts + 2 * self.pod_switches()]
    }

    fn place(&self, at: Node) -> Place {
        let (m, [edges, aggregations, cores]) = (self.m, self.starts());
        match at.0 {
            id if id < edges => Host { pod: id / (m * m), edge: id / m % m, i: id % m },
            id if id < aggregations => Edge { pod: (id - edges) / m, e: (id - edges) % m },
            id if id < cores => {
                Aggregation { pod: (id - aggregations) / m, a: (id - aggregations) % m }
            }
            id => Core { a: (id - cores) / m, j: (id - cores) % m },
        }
    }

    fn id(&self, place: Place) -> Node {
        let (m, [edges, aggregations, cores]) = (self.m, self.starts());
        Node(match place {
            Host { pod, edge, i } => (pod * m + edge) * m + i,
            Edge { pod, e } => edges + pod * m + e,
            Aggregation { pod, a } => aggregations + pod * m + a,
            Core { a, j } => cores + a * m + j,
        })
    }

    /// Between switches; 0 where they are the same.
    fn between_switches(&self, from: Place, to: Place) -> u64 {
        match (from, to) {
            _ if from == to => 0,
            (Edge { pod, .. }, Edge { pod: pod2, .. }) => {
                if pod == pod2 {
                    2
                } else {
                    4
                }
            }
            (Edge { pod, .. }, Aggregation { pod: pod2, .. })
            | (Aggregation { pod, .. }, Edge { pod: pod2, .. }) => {
                if pod == pod2 {
                    1
                } else {
                    3
                }
            }
            (Edge { .. }, Core { .. }) | (Core { .. }, Edge { .. }) => 2,
            (Aggregation { pod, a }, Aggregation { pod: pod2, a: a2 }) => {
                if pod == pod2 || a == a2 { 2 } else { 4 }
            }
            (Aggregation { a, .. }, Core { a: a2, .. })
            | (Core { a, .. }, Aggregation { a: a2, .. }) => {
                if a == a2 {
                    1
                } else {
                    3
                }
            }
            (Core { a, .. }, Core { a: a2, .. }) => {
                if a == a2 {
                    2
                } else {
                    4
                }
            }
            (Host { .. }, _) | (_, Host { .. }) => unreachable!("not a switch"),
        }
    }

    /// How many nodes lie at each distance from a host, an edge, an aggregation and a core switch.
    ///
    /// Each sum names hosts, edge, aggregation and core switches in this order, where there are any.
    fn distances_by_kind(&self) -> [Distances; 4] {
        let one = &BigUint::from(1u8);
        let m = &BigUint::from(self.m);
        let (k, m2) = (&(m * 2u8), &(m * m));
        let (other_m, other_k) = (&(m - one), &(k - one));
        let edge = Distances::new([
            one.clone(),
            m + m,
            other_m + m2,
            other_m * m + other_k * m,
            other_k * m,
            other_k * m2,
        ]);
        let aggregation = Distances::new([
            one.clone(),
            m + m,
            m2 + (other_m + other_k),
            other_k * m + other_m * m,
            other_k * m2 + other_k * other_m,
        ]);
        let core = Distances::new([
            one.clone(),
            k.clone(),
            k * m + other_m,
            k * m2 + k * other_m,
            other_m * m,
        ]);
        // A host sees what its edge switch sees, one step further, but itself, two steps nearer.
        let itself = Distances::new([1u8]);
        let host = edge.minus(&itself.shifted(1)).shifted(1).plus(&itself);
        [host, edge, aggregation, core]
    }

    /// How many hosts, edge, aggregation and core switches there are.
    fn kinds(&self) -> [BigUint; 4] {
        let m = BigUint::from(self.m);
        let square = &m * &m;
        [&square * &m * 2u8, &square * 2u8, &square * 2u8, square]
    }
}

impl Network for FatTree {
    fn order(&self) -> u64 {
        let [_, _, cores] = self.starts();
        cores + self.m * self.m
    }

    fn ports(&self) -> u32 {
        u32::try_from(self.k()).expect("only built when the ports fit")
    }

    fn neighbor(&self, at: Node, port: Port) -> Option<Node> {
        let (m, port) = (self.m, u64::from(port.0));
        if port >= self.k() {
            return None;
        }
        let to = match self.place(at) {
            Host { pod, edge, .. } => (port == 0).then_some(Edge { pod, e: edge })?,
            Edge { pod, e } if port < m => Host { pod, edge: e, i: port },
            Edge { pod, .. } => Aggregation { pod, a: port - m },
            Aggregation { pod, .. } if port < m => Edge { pod, e: port },
            Aggregation { a, .. } => Core { a, j: port - m },
            Core { a, .. } => Aggregation { pod: port, a },
        };
        Some(self.id(to))
    }

    fn for_each_neighbor(&self, at: Node, visit: &mut dyn FnMut(Port, Node)) {
        let ports = match self.place(at) {
            Host { .. } => 1,
            _ => self.ports(),
        };
        for port in (0..ports).map(Port) {
            if let Some(to) = self.neighbor(at, port) {
                visit(port, to);
            }
        }
    }

    fn address(&self, at: Node) -> Address {
        match self.place(at) {
            Host { pod, edge, i } => Address::numbers([0, pod, edge, i]),
            Edge { pod, e } => Address::numbers([1, pod, e]),
            Aggregation { pod, a } => Address::numbers([2, pod, a]),
            Core { a, j } => Address::numbers([3, a, j]),
        }
    }

    fn node(&self, address: &Address) -> Option<Node> {
        let (m, [edges, aggregations, cores]) = (self.m, self.starts());
        let (kind, rest) = address.as_tuple()?.split_first()?;
        let (sides, start) = match kind.as_number()? {
            0 => (vec![self.k(), m, m], 0),
            1 => (vec![self.k(), m], edges),
            2 => (vec![self.k(), m], aggregations),
            3 => (vec![m, m], cores),
            _ => return None,
        };
        let digits: Option<Vec<u64>> = rest.iter().map(Address::as_number).collect();
        Some(Node(start + radix::number(&digits?, &sides)?))
    }

    /// Hosts to edge, edge to aggregation, aggregation to core.
    fn level(&self, at: Node, port: Port) -> u16 {
        let up = u16::from(u64::from(port.0) >= self.m);
        match self.place(at) {
            Host { .. } => 0,
            Edge { .. } => up,
            Aggregation { .. } => 1 + up,
            Core { .. } => 2,
        }
    }

    fn levels(&self) -> u16 {
        3
    }

    fn hosts(&self) -> u64 {
        self.starts()[0]
    }

    /// Pods, the switches of a kind in all pods alike, hosts of an edge switch and cores of one a may be permuted.
    fn orbits(&self) -> Option<Vec<Orbit>> {
        let [edges, aggregations, cores] = self.starts();
        let ends = [0, edges, aggregations, cores, Network::order(self)];
        let kinds = ends.windows(2);
        Some(kinds.map(|pair| Orbit { node: Node(pair[0]), size: pair[1] - pair[0] }).collect())
    }

    /// A host has one link, and paths between switches go straight up and down.
    fn distance(&self, from: Node, to: Node) -> Option<u64> {
        if from == to {
            return Some(0);
        }
        let above = |place| match place {
            Host { pod, edge, .. } => (1, Edge { pod, e: edge }),
            switch => (0, switch),
        };
        let (up, from) = above(self.place(from));
        let (down, to) = above(self.place(to));
        Some(up + self.between_switches(from, to) + down)
    }
}

impl Theory for FatTree {
    fn order(&self) -> BigUint {
        self.kinds().iter().sum()
    }

    fn hosts(&self) -> BigUint {
        let [hosts, ..] = self.kinds();
        hosts
    }

    fn degrees(&self) -> Degrees {
        let [hosts, ..] = self.kinds();
        let switches = Theory::order(self) - &hosts;
        Degrees::counted([(1, hosts), (self.k(), switches)])
    }

    fn distances(&self) -> Option<Distances> {
        let kinds = self.kinds().into_iter().zip(self.distances_by_kind());
        Some(kinds.fold(Distances::default(), |sum, (count, from)| sum.plus(&from.scaled(&count))))
    }

    fn distances_from_zero(&self) -> Option<Distances> {
        let [host, ..] = self.distances_by_kind();
        Some(host)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_of_different_pods_are_six_apart_for_every_k() {
        for k in [2, 4, 6, 48, 1 << 40] {
            let tree = FatTree::new(k);
            assert_eq!(tree.distances().unwrap().longest(), 6, "k = {k}");
            assert_eq!(tree.distances().unwrap().pairs(), Theory::order(&tree).pow(2));
        }
    }

    #[test]
    fn places_and_levels() {
        let tree = FatTree::new(4);
        assert_eq!(Network::hosts(&tree), 16);
        assert_eq!(Network::order(&tree), 36);
        for at in (0..36).map(Node) {
            assert_eq!(tree.id(tree.place(at)), at);
            tree.for_each_neighbor(at, &mut |port, to| {
                let kind = |node| tree.orbits().unwrap().iter().filter(|o| o.node <= node).count();
                let lower = kind(at).min(kind(to));
                assert_eq!(usize::from(tree.level(at, port)) + 1, lower);
                assert_eq!(kind(at).abs_diff(kind(to)), 1);
            });
        }
    }
}
