//! Hosts at the nodes of any network, which become switches.
//!
//! # Definition
//! hosts(B, p): the network B of n nodes, each with p hosts, and every host linked to its node of B alone. Hosts inject and
//! receive; the nodes of B only switch.
//!
//! # Numbering
//! Hosts first: host h hangs at switch h div p. Then the switches in the order of B: node v of B is np + v.
//! A switch keeps the ports of B; the p ports after them lead to its hosts, and port 0 of a host to its switch.
//! With its address a in B, a switch is (a) and its hosts are (a, h mod p).
//! Links of hosts are level 0, those of B one level further out than there.

use super::{ArgError, Args, Built, Facts, Family, Paper, Param};
use crate::family::built::fits;
use crate::spec::{Arg, Literal, Spec};
use nestnet_draw::{Plan, Shape};
use nestnet_graph::network::Automorphism;
use nestnet_graph::theory::{Bounded, Degrees, How, Theory};
use nestnet_graph::{Address, Distances, Network, Node, Orbit, Port};
use nestnet_routing::route::{Leg, Lift};
use nestnet_routing::{Header, Hop};
use num_bigint::BigUint;
use num_traits::ToPrimitive;
use std::sync::Arc;

/// The rows of this file.
pub static ROWS: &[Family] = &[Family::built(
    Paper::Common,
    "hosts",
    "p hosts at each node of a network, which then only switches: host h at switch h div p, hosts numbered first.",
    &[
        Param::network("base", "the network of switches"),
        Param::integer("p", 1, MAX_HOSTS, "how many hosts each switch has"),
    ],
    &["hosts(torus(4, 3), 2)", "hosts(rdn(ring(3), 1), 1)", "hosts(complete(1), 4)"],
    build,
)
.with(Facts { searched: false, ..Facts::NONE })];

/// The network of switches of `hosts(base, p)`, and p.
pub fn base_of(spec: &Spec) -> Option<(Spec, u64)> {
    match &spec.args[..] {
        [base, hosts] if spec.name == "hosts" => match (&base.value, &hosts.value) {
            (Literal::Spec(base), Literal::Integer(hosts)) => {
                Some((base.clone(), u64::try_from(hosts).ok()?))
            }
            _ => None,
        },
        _ => None,
    }
}

/// That network with `p` hosts at each node.
pub fn with_hosts(base: Spec, p: u64) -> Spec {
    Spec::new("hosts", [Arg::new(base), Arg::new(p)])
}

/// How many hosts are at each node, where a network is made so.
pub fn hosts_each(spec: &Spec) -> Option<u64> {
    match (spec.name.as_str(), spec.args.get(1).map(|arg| &arg.value)) {
        ("hosts", Some(Literal::Integer(p))) => u64::try_from(p).ok(),
        _ => None,
    }
}

/// The most hosts of one switch: it has ports of its own besides.
const MAX_HOSTS: u64 = 1 << 31;

fn build(args: &Args) -> Result<Built, ArgError> {
    let (base, p) = (args.network("base"), args.integer("p"));
    let theory = HostsTheory { base: base.theory.clone(), p };
    let ports = base.example().map_or(0, |base| u64::from(base.ports()));
    let fits = fits(&theory.order()) && ports + p < u64::from(u32::MAX);
    let network = base.base().filter(|_| fits).map(|base| Arc::new(Hosts::new(base, p)));
    let mut built = Built::new(theory, network.clone().map(|network| network as Arc<dyn Network>));
    for name in base.router_names() {
        built = built.with_lifted_router(name, network.clone(), base);
    }
    Ok(built.with_sides(base.sides(), p).placed(plan(base, p)))
}

/// A switch in the middle of its hosts, at each place of the base.
fn plan(base: &Built, p: u64) -> Plan {
    let outer = base.base_plan();
    // Of no meaning where the network is not built.
    let n = base.order().to_u64().unwrap_or(u64::MAX);
    // One host stands beside its switch, several around it.
    let cell = Plan::of(if p == 1 { Shape::Row(2) } else { Shape::Hub(p + 1) });
    let plan = outer.filled(&cell, 1);
    let seats = outer.clone();
    // In its cell the switch sits first and its hosts follow.
    let plan = plan.seated(move |at| match at.0.checked_sub(n.saturating_mul(p)) {
        Some(switch) => seats.place_of(Node(switch)) * (p + 1),
        None => seats.place_of(Node(at.0 / p)) * (p + 1) + 1 + at.0 % p,
    });
    plan.sat_by(move |place| {
        let switch = outer.node_at(place / (p + 1))?.0;
        Some(Node(match place % (p + 1) {
            0 => n.saturating_mul(p) + switch,
            host => switch * p + host - 1,
        }))
    })
}

/// A network with hosts at its nodes.
#[derive(Debug)]
pub struct Hosts {
    base: Arc<dyn Network>,
    /// The order of the base.
    n: u64,
    /// Hosts at each switch.
    p: u64,
    /// The port of a switch that leads to its first host.
    first: u32,
}

/// A node by what it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Host { switch: u64, i: u64 },
    Switch(u64),
}

use Place::{Host, Switch};

impl Place {
    /// The switch where it hangs, and how far that is.
    fn above(self) -> (u64, u64) {
        match self {
            Host { switch, .. } => (switch, 1),
            Switch(switch) => (switch, 0),
        }
    }
}

impl Hosts {
    /// All of them fit into 2^63 ids, and the ports of a switch into 2^32.
    pub fn new(base: Arc<dyn Network>, p: u64) -> Self {
        Hosts { n: base.order(), p, first: base.ports(), base }
    }

    fn place(&self, at: Node) -> Place {
        match at.0.checked_sub(self.n * self.p) {
            Some(switch) => Switch(switch),
            None => Host { switch: at.0 / self.p, i: at.0 % self.p },
        }
    }

    fn switch(&self, switch: u64) -> Node {
        Node(self.n * self.p + switch)
    }

    /// Automorphisms of the base, each host with its switch, and all hosts of a switch turned by one.
    fn lift_automorphisms(&self, base: Vec<Automorphism>) -> Vec<Automorphism> {
        let (p, hosts) = (self.p, self.n * self.p);
        let turn: Automorphism = Arc::new(move |id| match id < hosts {
            true => id / p * p + (id % p + 1) % p,
            false => id,
        });
        let along = base.into_iter().map(|g| -> Automorphism {
            Arc::new(move |id| match id.checked_sub(hosts) {
                Some(switch) => hosts + g(switch),
                None => g(id / p) * p + id % p,
            })
        });
        [turn].into_iter().chain(along).collect()
    }
}

impl Network for Hosts {
    fn order(&self) -> u64 {
        self.n * (self.p + 1)
    }

    fn ports(&self) -> u32 {
        self.first + u32::try_from(self.p).expect("only built when the ports fit")
    }

    fn neighbor(&self, at: Node, port: Port) -> Option<Node> {
        match self.place(at) {
            Host { switch, .. } => (port.0 == 0).then(|| self.switch(switch)),
            Switch(switch) => match port.0.checked_sub(self.first) {
                None => self.base.neighbor(Node(switch), port).map(|to| self.switch(to.0)),
                Some(i) => (u64::from(i) < self.p).then(|| Node(switch * self.p + u64::from(i))),
            },
        }
    }

    fn for_each_neighbor(&self, at: Node, visit: &mut dyn FnMut(Port, Node)) {
        match self.place(at) {
            Host { switch, .. } => visit(Port(0), self.switch(switch)),
            Switch(switch) => {
                let hosts = self.n * self.p;
                self.base.for_each_neighbor(Node(switch), &mut |port, to| {
                    visit(port, Node(hosts + to.0));
                });
                let own = switch * self.p..(switch + 1) * self.p;
                (self.first..).map(Port).zip(own.map(Node)).for_each(|(port, to)| visit(port, to));
            }
        }
    }

    fn address(&self, at: Node) -> Address {
        match self.place(at) {
            Host { switch, i } => {
                Address::Tuple(vec![self.base.address(Node(switch)), Address::number(i)])
            }
            Switch(switch) => Address::Tuple(vec![self.base.address(Node(switch))]),
        }
    }

    fn node(&self, address: &Address) -> Option<Node> {
        match address.as_tuple()? {
            [switch] => Some(self.switch(self.base.node(switch)?.0)),
            [switch, i] => {
                let i = i.as_number().filter(|&i| i < self.p)?;
                Some(Node(self.base.node(switch)?.0 * self.p + i))
            }
            _ => None,
        }
    }

    fn level(&self, at: Node, port: Port) -> u16 {
        match self.place(at) {
            Switch(switch) if port.0 < self.first => 1 + self.base.level(Node(switch), port),
            _ => 0,
        }
    }

    fn levels(&self) -> u16 {
        self.base.levels() + 1
    }

    fn latencies(&self) -> Vec<u16> {
        let base = self.base.latencies();
        // A host is beside its switch.
        if base.is_empty() { base } else { [vec![1], base].concat() }
    }

    fn hosts(&self) -> u64 {
        self.n * self.p
    }

    fn automorphisms(&self) -> Vec<Automorphism> {
        self.lift_automorphisms(self.base.automorphisms())
    }

    /// The hosts of switches that are alike, and those switches.
    fn orbits(&self) -> Option<Vec<Orbit>> {
        let base = self.base.orbits()?;
        let hosts =
            |orbit: &Orbit| Orbit { node: Node(orbit.node.0 * self.p), size: orbit.size * self.p };
        let switches = |orbit: &Orbit| Orbit { node: self.switch(orbit.node.0), size: orbit.size };
        Some(base.iter().map(hosts).chain(base.iter().map(switches)).collect())
    }

    /// A host has one link.
    fn distance(&self, from: Node, to: Node) -> Option<u64> {
        if from == to {
            return Some(0);
        }
        let ((from, up), (to, down)) = (self.place(from).above(), self.place(to).above());
        Some(up + self.base.distance(Node(from), Node(to))? + down)
    }
}

/// Up, as the base routes, and down. A host link is of no use to any other host, so that the virtual channels of the
/// base suffice: what waits for a host link waits for its host alone.
impl Lift for Hosts {
    fn classes(&self) -> u16 {
        1
    }

    fn longest(&self, base: u64) -> u64 {
        base.saturating_add(2)
    }

    fn inner(&self, at: Node) -> Node {
        Node(self.place(at).above().0)
    }

    fn next(&self, base: &Leg<'_>, at: Node, header: Header) -> Option<Hop> {
        if at == header.to {
            return None;
        }
        let to = self.place(header.to);
        match (self.place(at), to) {
            (Host { .. }, _) => Some(Hop { port: Port(0), vc: base.first(0), header }),
            (Switch(at), Host { switch, i }) if at == switch => {
                let port = Port(self.first + u32::try_from(i).expect("one of its ports"));
                Some(Hop { port, vc: base.first(0), header })
            }
            (Switch(at), to) => base.hop(at, to.above().0, header, 0),
        }
    }

    /// Those of the base, each host with its switch: ports of hosts are kept. Turning the hosts does not keep ports.
    fn commutes_with(&self, base: Vec<Automorphism>) -> Vec<Automorphism> {
        if base.is_empty() { base } else { self.lift_automorphisms(base).split_off(1) }
    }
}

/// What follows from the theory of the base.
#[derive(Debug)]
struct HostsTheory {
    base: Arc<dyn Theory>,
    p: u64,
}

impl HostsTheory {
    /// Whether there are two hosts at all.
    fn is_one_host(&self) -> bool {
        self.hosts() == BigUint::from(1u8)
    }
}

impl Theory for HostsTheory {
    fn order(&self) -> BigUint {
        self.base.order() * (self.p + 1)
    }

    fn hosts(&self) -> BigUint {
        self.base.order() * self.p
    }

    fn degrees(&self) -> Degrees {
        let (base, hosts) = (self.base.degrees(), self.hosts());
        let links = &base.links + &hosts;
        let degrees = match base.counts {
            Some(counts) => {
                let switches = counts
                    .into_iter()
                    .map(|(degree, count)| (degree.saturating_add(self.p), count));
                Degrees::counted(switches.chain([(1, hosts)]))
            }
            None => Degrees::bounded(base.cables + hosts, 1, base.max.saturating_add(self.p)),
        };
        degrees.with_links(links)
    }

    fn connected(&self) -> bool {
        self.base.connected()
    }

    /// Two more than between switches; a switch alone with one host is but one away from it.
    fn diameter(&self) -> Option<Bounded> {
        match self.is_one_host() {
            true => Some(Bounded::theorem(1u8)),
            false => self.host_diameter(),
        }
    }

    /// Between switches as in the base, one further to each host of the other, two further between hosts, of which
    /// each is where it is.
    fn distances(&self) -> Option<Distances> {
        let switches = self.base.distances()?;
        let between = switches.scaled(&(2 * self.p).into()).shifted(1);
        Some(switches.plus(&between).plus(&self.host_distances()?))
    }

    fn distances_from_zero(&self) -> Option<Distances> {
        let switches = self.base.distances_from_zero()?;
        let hosts = switches.scaled(&self.p.into()).shifted(2);
        let itself = Distances::new([1u8]);
        let hosts = hosts.minus(&itself.shifted(2)).plus(&itself);
        Some(switches.shifted(1).plus(&hosts))
    }

    fn distances_how(&self) -> How {
        self.base.distances_how()
    }

    fn host_diameter(&self) -> Option<Bounded> {
        match self.is_one_host() {
            true => Some(Bounded::theorem(0u8)),
            false => Some(self.base.diameter()?.map(|switches| switches + 2u8)),
        }
    }

    fn host_distances(&self) -> Option<Distances> {
        let pairs = self.base.distances()?.scaled(&BigUint::from(self.p).pow(2)).shifted(2);
        let itself = Distances::new([self.hosts()]);
        Some(pairs.minus(&itself.shifted(2)).plus(&itself))
    }

    fn remarks(&self) -> Vec<String> {
        self.base.remarks()
    }
}

#[cfg(test)]
mod tests {
    use crate::build;
    use nestnet_graph::{Node, Port};

    #[test]
    fn hosts_come_first_and_hang_at_their_switch() {
        let network = build("hosts(path(3), 2)").unwrap().network.unwrap();
        assert_eq!((network.hosts(), network.order()), (6, 9));
        for host in 0..6 {
            assert_eq!(network.neighbor(Node(host), Port(0)), Some(Node(6 + host / 2)));
        }
        let mut middle = Vec::new();
        network.for_each_neighbor(Node(7), &mut |_, to| middle.push(to.0));
        assert_eq!(middle, [8, 6, 2, 3]);
        assert_eq!(network.address(Node(5)).to_string(), "(2,1)");
        assert_eq!(network.distance(Node(0), Node(5)), Some(4));
    }

    #[test]
    fn what_is_proven_holds_at_any_size() {
        let built = build("hosts(rdn(torus(5, 5), 5), 8)").unwrap();
        let base = build("rdn(torus(5, 5), 5)").unwrap();
        assert!(built.network.is_none());
        let two_more = base.theory.diameter().unwrap().exact().unwrap() + 2u8;
        assert_eq!(built.theory.diameter().unwrap().exact(), Some(&two_more));
        assert_eq!(built.theory.hosts(), base.theory.order() * 8u8);
    }

    #[test]
    fn switches_have_no_hosts_of_their_own() {
        let error = build("hosts(fat_tree(4), 2)").unwrap_err().to_string();
        assert!(error.contains("hosts and switches"), "{error}");
    }
}
