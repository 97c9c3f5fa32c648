//! Rails: servers with several accelerators, each of which has a network port of its own.
//!
//! # Definition
//! n servers of g accelerators. In a server every accelerator is linked to the switch of the server by w cables. Accelerator
//! i of each server has one cable to a leaf of rail i: leaf j of a rail has the servers j·u to j·u + u - 1, the last one
//! perhaps fewer. Every leaf is linked to every spine by ⌈u/s⌉ cables, so that as much can go up as comes from below.
//! Without spines there is one leaf a rail, and rails meet in the servers alone.
//!
//! # Numbering
//! Accelerators first: accelerator i of server S is S·g + i. Then the switches of the servers, the leaves rail by rail, the
//! spines. Addresses begin with the kind: (0, S, i), (1, S), (2, i, j) for leaf j of rail i, (3, k). Ports of an accelerator:
//! the cables to its server's switch, then the rail; of others down first, ascending, then up.
//!
//! # Routing
//! `spread`, where there are spines: inside a server over its switch, else up and down the rails, by the spine and the
//! cables that the choice names. Accelerators forward nothing, so that one virtual channel suffices.

use crate::family::{ArgError, Args, Built};
use nestnet_draw::{Plan, Point};
use nestnet_graph::network::Automorphism;
use nestnet_graph::theory::{Degrees, Theory};
use nestnet_graph::{Address, Network, Node, Port, radix};
use nestnet_routing::route::Structure;
use nestnet_routing::{Header, Hop, Router, Vc};
use num_bigint::BigUint;
use num_traits::ToPrimitive;
use std::sync::Arc;

pub(super) fn build(args: &Args) -> Result<Built, ArgError> {
    let [servers, g, u, spines] = ["servers", "g", "u", "spines"].map(|name| args.integer(name));
    if spines == 0 && servers > u {
        let message = format!("must be at least 1: {servers} servers have several leaves a rail");
        return Err(ArgError::new("spines", message));
    }
    let width = args.optional_integer("width").unwrap_or(1);
    let rails = Rails { servers, g, u, spines, width };
    let plan = rails.plan();
    let router = (spines > 0).then(|| Arc::new(OverSpines(rails.clone())) as Arc<dyn Router>);
    Ok(Built::of(rails).placed(plan).routed([("spread", router)]))
}

/// Servers on rails.
#[derive(Clone, Debug)]
struct Rails {
    servers: u64,
    /// Accelerators of a server, and rails.
    g: u64,
    /// Servers at a leaf.
    u: u64,
    spines: u64,
    /// Cables inside a server.
    width: u64,
}

/// A node by what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Accelerator { server: u64, i: u64 },
    Server(u64),
    Leaf { rail: u64, j: u64 },
    Spine(u64),
}

use Place::{Accelerator, Leaf, Server, Spine};

impl Rails {
    /// Leaves of a rail.
    fn leaves(&self) -> u64 {
        self.servers.div_ceil(self.u)
    }

    /// Cables between a leaf and a spine.
    fn up(&self) -> u64 {
        self.u.div_ceil(self.spines.max(1))
    }

    /// Where switches of servers, leaves and spines begin.
    fn starts(&self) -> [u64; 3] {
        let hosts = self.servers * self.g;
        [hosts, hosts + self.servers, hosts + self.servers + self.g * self.leaves()]
    }

    /// The servers of a leaf.
    fn below(&self, j: u64) -> u64 {
        self.u.min(self.servers - j * self.u)
    }

    fn place(&self, at: Node) -> Place {
        let [servers, leaves, spines] = self.starts();
        let at = at.0;
        if at >= spines {
            Spine(at - spines)
        } else if at >= leaves {
            let leaf = at - leaves;
            Leaf { rail: leaf / self.leaves(), j: leaf % self.leaves() }
        } else if at >= servers {
            Server(at - servers)
        } else {
            Accelerator { server: at / self.g, i: at % self.g }
        }
    }

    fn id(&self, place: Place) -> Node {
        let [servers, leaves, spines] = self.starts();
        Node(match place {
            Accelerator { server, i } => server * self.g + i,
            Server(server) => servers + server,
            Leaf { rail, j } => leaves + rail * self.leaves() + j,
            Spine(k) => spines + k,
        })
    }

    /// How many ports a node has.
    fn degree(&self, place: Place) -> u64 {
        match place {
            Accelerator { .. } => self.width + 1,
            Server(_) => self.g.saturating_mul(self.width),
            Leaf { j, .. } => self.below(j).saturating_add(self.spines.saturating_mul(self.up())),
            Spine(_) => self.g.saturating_mul(self.leaves()).saturating_mul(self.up()),
        }
    }

    fn end(&self, place: Place, port: u64) -> Option<Place> {
        if port >= self.degree(place) {
            return None;
        }
        Some(match place {
            Accelerator { server, i } => match port < self.width {
                true => Server(server),
                false => Leaf { rail: i, j: server / self.u },
            },
            Server(server) => Accelerator { server, i: port / self.width },
            Leaf { rail, j } => match port.checked_sub(self.below(j)) {
                None => Accelerator { server: j * self.u + port, i: rail },
                Some(up) => Spine(up / self.up()),
            },
            Spine(_) => {
                let leaf = port / self.up();
                Leaf { rail: leaf / self.leaves(), j: leaf % self.leaves() }
            }
        })
    }

    /// Four rows: spines, leaves, accelerators, switches of the servers.
    fn plan(&self) -> Plan {
        let order = Theory::order(self).to_u64().unwrap_or(u64::MAX);
        Plan::given(order, || {
            let wide = (self.servers * (self.g + 1)) as f64;
            let spread = |at: u64, count: u64| (at as f64 + 0.5) / count as f64 * wide;
            let place = |at: u64| match self.place(Node(at)) {
                Spine(k) => Point::new(spread(k, self.spines), 0.0),
                Leaf { rail, j } => {
                    Point::new(spread(j * self.g + rail, self.g * self.leaves()), wide / 6.0 + 1.0)
                }
                Accelerator { server, i } => {
                    let x = server * (self.g + 1) + i;
                    Point::new(x as f64 + 1.0, wide / 3.0 + 2.0)
                }
                Server(server) => {
                    Point::new(spread(server, self.servers), wide / 3.0 + 3.5 + self.g as f64 / 4.0)
                }
            };
            (0..order).map(place).collect()
        })
    }
}

impl Network for Rails {
    fn order(&self) -> u64 {
        self.starts()[2] + self.spines
    }

    fn ports(&self) -> u32 {
        let spine = (self.spines > 0).then_some(Spine(0));
        let places = [Server(0), Leaf { rail: 0, j: 0 }, Accelerator { server: 0, i: 0 }];
        let most = places.into_iter().chain(spine).map(|place| self.degree(place)).max();
        u32::try_from(most.unwrap_or(0)).expect("only built when the ports fit")
    }

    fn neighbor(&self, at: Node, port: Port) -> Option<Node> {
        self.end(self.place(at), port.0.into()).map(|to| self.id(to))
    }

    fn for_each_neighbor(&self, at: Node, visit: &mut dyn FnMut(Port, Node)) {
        let place = self.place(at);
        let ends = (0..).map_while(|port| self.end(place, port));
        (0..).map(Port).zip(ends).for_each(|(port, to)| visit(port, self.id(to)));
    }

    fn address(&self, at: Node) -> Address {
        match self.place(at) {
            Accelerator { server, i } => Address::numbers([0, server, i]),
            Server(server) => Address::numbers([1, server]),
            Leaf { rail, j } => Address::numbers([2, rail, j]),
            Spine(k) => Address::numbers([3, k]),
        }
    }

    fn node(&self, address: &Address) -> Option<Node> {
        let (kind, rest) = address.as_tuple()?.split_first()?;
        let digits: Option<Vec<u64>> = rest.iter().map(Address::as_number).collect();
        let (digits, [servers, leaves, spines]) = (digits?, self.starts());
        Some(Node(match kind.as_number()? {
            0 => radix::number(&digits, &[self.servers, self.g])?,
            1 => servers + radix::number(&digits, &[self.servers])?,
            2 => leaves + radix::number(&digits, &[self.g, self.leaves()])?,
            3 => spines + radix::number(&digits, &[self.spines])?,
            _ => return None,
        }))
    }

    /// 0 inside a server, 1 of a rail, 2 to spines.
    fn level(&self, at: Node, port: Port) -> u16 {
        let port = u64::from(port.0);
        match self.place(at) {
            Accelerator { .. } => u16::from(port >= self.width),
            Server(_) => 0,
            Leaf { j, .. } => 1 + u16::from(port >= self.below(j)),
            Spine(_) => 2,
        }
    }

    fn levels(&self) -> u16 {
        3
    }

    fn server_levels(&self) -> u16 {
        1
    }

    fn hosts(&self) -> u64 {
        self.starts()[0]
    }

    /// All rails moved by one.
    fn automorphisms(&self) -> Vec<Automorphism> {
        let rails = self.clone();
        let turn = move |id: u64| {
            let next = |i: u64| (i + 1) % rails.g;
            let moved = match rails.place(Node(id)) {
                Accelerator { server, i } => Accelerator { server, i: next(i) },
                Leaf { rail, j } => Leaf { rail: next(rail), j },
                same => same,
            };
            rails.id(moved).0
        };
        vec![Arc::new(turn)]
    }
}

impl Theory for Rails {
    fn order(&self) -> BigUint {
        let leaves = BigUint::from(self.g) * self.leaves();
        Theory::hosts(self) + self.servers + leaves + self.spines
    }

    fn hosts(&self) -> BigUint {
        BigUint::from(self.servers) * self.g
    }

    fn degrees(&self) -> Degrees {
        let (last, g) = (self.leaves() - 1, BigUint::from(self.g));
        let leaf = |j| self.degree(Leaf { rail: 0, j });
        let accelerator = self.degree(Accelerator { server: 0, i: 0 });
        let cables = Degrees::counted([
            (accelerator, Theory::hosts(self)),
            (self.degree(Server(0)), self.servers.into()),
            (leaf(0), &g * last),
            (leaf(last), g.clone()),
            (self.degree(Spine(0)), self.spines.into()),
        ]);
        cables.with_links(Theory::hosts(self) * 2u8 + g * self.leaves() * self.spines)
    }

    /// One accelerator with one leaf and one switch is connected as well: through it.
    fn connected(&self) -> bool {
        true
    }
}

/// Every shortest path over spines, each as often as the others.
#[derive(Debug)]
struct OverSpines(Rails);

impl OverSpines {
    /// The next node and which of the cables to it, which are numbered from 0.
    fn next_place(&self, at: Place, to: Place, choice: u64) -> (Place, u64) {
        let rails = &self.0;
        let (up, rest) = (rails.up(), choice / rails.spines);
        let over = Spine(choice % rails.spines);
        let leaf_of = |server: u64, rail: u64| Leaf { rail, j: server / rails.u };
        let inside = rest / up / up % rails.width;
        // The leaf that the target is, or the last one before it.
        let last = match to {
            Accelerator { server, i } => leaf_of(server, i),
            Server(server) => leaf_of(server, 0),
            Leaf { .. } => to,
            Spine(_) => Leaf { rail: 0, j: 0 },
        };
        match at {
            Accelerator { server, i } => match to {
                Accelerator { server: there, .. } | Server(there) if there == server => {
                    (Server(server), inside)
                }
                _ => (leaf_of(server, i), 0),
            },
            Server(server) => match to {
                Accelerator { server: there, .. } if there == server => (to, inside),
                // Only switches are reached through an accelerator.
                _ => match last {
                    Leaf { rail, .. } => (Accelerator { server, i: rail }, inside),
                    _ => (Accelerator { server, i: 0 }, inside),
                },
            },
            Leaf { rail, .. } => match to {
                Accelerator { .. } if at == last => (to, 0),
                Server(server) if at == last => (Accelerator { server, i: rail }, 0),
                Spine(_) => (to, rest % up),
                _ => (over, rest % up),
            },
            Spine(_) => (last, rest / up % up),
        }
    }

    /// The port of a node by which one of its cables to a neighbor begins.
    fn port(&self, at: Place, to: Place, cable: u64) -> u64 {
        let rails = &self.0;
        match (at, to) {
            (Accelerator { .. }, Server(_)) => cable,
            (Accelerator { .. }, _) => rails.width,
            (_, Accelerator { i, .. }) if matches!(at, Server(_)) => i * rails.width + cable,
            (Leaf { j, .. }, Accelerator { server, .. }) => server - j * rails.u,
            (Leaf { j, .. }, Spine(k)) => rails.below(j) + k * rails.up() + cable,
            (_, Leaf { rail, j }) => (rail * rails.leaves() + j) * rails.up() + cable,
            _ => unreachable!("these have no link"),
        }
    }
}

impl Router for OverSpines {
    fn vcs(&self) -> u16 {
        1
    }

    fn choices(&self) -> u64 {
        let rails = &self.0;
        [rails.spines, rails.up(), rails.up(), rails.width].into_iter().fold(1, u64::saturating_mul)
    }

    fn start(&self, _from: Node, to: Node, choice: u64) -> Header {
        Header { to, state: choice }
    }

    fn next(&self, at: Node, header: Header) -> Option<Hop> {
        if at == header.to {
            return None;
        }
        let (at, to) = (self.0.place(at), self.0.place(header.to));
        let (next, cable) = self.next_place(at, to, header.state);
        let port = u32::try_from(self.port(at, next, cable)).ok()?;
        Some(Hop { port: Port(port), vc: Vc(0), header })
    }

    /// To a switch of another server, over a leaf, a spine, a leaf and an accelerator.
    fn longest(&self) -> u64 {
        6
    }

    fn remembers(&self) -> bool {
        true
    }

    fn structure(&self) -> Structure<'_> {
        Structure { loads_by_switches: true, ..Structure::default() }
    }
}

#[cfg(test)]
mod tests {
    use crate::build;
    use nestnet_graph::measure::search::distances_from;
    use nestnet_graph::{Budget, Node, index};
    use nestnet_routing::route::deadlock::certify;
    use nestnet_routing::route::walk;
    use std::collections::{BTreeMap, BTreeSet};

    /// From everywhere to everywhere by every choice, between hosts on shortest paths over all spines and cables.
    #[test]
    fn routes_are_spread_over_all_spines() {
        for text in ["rails(4, 2, 2, 2)", "rails(5, 3, 2, 1, 4)", "rails(6, 2, 4, 3)"] {
            let built = build(text).unwrap();
            let (network, router) =
                (built.network.clone().unwrap(), built.router("spread").unwrap());
            let hosts = network.hosts();
            let mut used = BTreeSet::new();
            for from in (0..network.order()).map(Node) {
                let distance = distances_from(&*network, from);
                for to in (0..network.order()).map(Node) {
                    for choice in 0..router.choices() {
                        let route = walk(&*network, &*router, from, to, choice, 6).unwrap();
                        let hops = route.hops.len() as u64;
                        if from.0 < hosts && to.0 < hosts {
                            let far = u64::from(distance[index(to.0)]);
                            assert_eq!(hops, far, "{text} {from} {to} {choice}");
                            let mut at = from;
                            for hop in &route.hops {
                                used.insert((at, hop.port));
                                at = network.neighbor(at, hop.port).unwrap();
                            }
                        }
                    }
                }
            }
            let mut channels = 0;
            for at in (0..network.order()).map(Node) {
                network.for_each_neighbor(at, &mut |_, _| channels += 1);
            }
            assert_eq!(used.len(), channels, "{text}");
            assert!(certify(&*network, &*router, &Budget::UNLIMITED).unwrap().is_free(), "{text}");
        }
        assert!(build("rails(4, 2, 4, 0)").unwrap().router("spread").is_none());
    }

    /// The definition, cable by cable.
    #[test]
    fn every_cable_is_one_of_the_definition() {
        for (servers, g, u, spines, width) in
            [(4u64, 2, 2u64, 1u64, 1), (5, 3, 2, 2, 4), (3, 2, 4, 0, 2)]
        {
            let text = format!("rails({servers}, {g}, {u}, {spines}, {width})");
            let network = build(&text).unwrap().network.unwrap();
            let leaves = servers.div_ceil(u);
            let server = |s: u64| servers * g + s;
            let leaf = |i: u64, j: u64| servers * (g + 1) + i * leaves + j;
            let spine = |k: u64| servers * (g + 1) + g * leaves + k;
            let mut wanted = BTreeMap::<(u64, u64), u64>::new();
            let mut link = |a: u64, b: u64, cables: u64| {
                *wanted.entry((a, b)).or_default() += cables;
                *wanted.entry((b, a)).or_default() += cables;
            };
            for s in 0..servers {
                for i in 0..g {
                    link(s * g + i, server(s), width);
                    link(s * g + i, leaf(i, s / u), 1);
                }
            }
            for i in 0..g {
                for j in 0..leaves {
                    for k in 0..spines {
                        link(leaf(i, j), spine(k), u.div_ceil(spines));
                    }
                }
            }
            let mut found = BTreeMap::<(u64, u64), u64>::new();
            for at in 0..network.order() {
                network.for_each_neighbor(Node(at), &mut |_, to| {
                    *found.entry((at, to.0)).or_default() += 1;
                });
            }
            assert_eq!(found, wanted, "{text}");
        }
        let error = build("rails(4, 2, 2, 0)").unwrap_err().to_string();
        assert!(error.contains("spines") && error.contains("at least 1"), "{error}");
    }
}
