//! Several planes: every host has a port into each of several copies of a network.
//!
//! # Definition
//! planes(B, p): the hosts of B, and p copies of its switches. A host has its links of B into every copy; a switch has its
//! links of B to switches of its copy and to hosts. Traffic may take any plane.
//!
//! # Numbering
//! Hosts first, as in B; then the switches of plane 0 in the order of B, of plane 1, … A host's ports are those of B, plane
//! after plane. Addresses: (0, a) for the host a of B, (1 + k, a) for the switch a of plane k.
//!
//! # Distances
//! Between hosts, and inside a plane, as in B: what passes another plane could take the same links of its own.
//!
//! # Routing
//! Each router of B in one plane, which the choice names beside the choice of B. Planes share no link, so that its
//! virtual channels suffice.

use super::{ArgError, Args, Built, Facts, Family, Paper, Param};
use crate::family::built::fits;
use nestnet_draw::{Layer, Plan, Point, Shape, bounds};
use nestnet_graph::measure::search::distances_from;
use nestnet_graph::theory::{Bounded, Degrees, How, Theory};
use nestnet_graph::{Address, Distances, Network, Node, Port, index};
use nestnet_routing::route::Structure;
use nestnet_routing::{Header, Hop, Router};
use num_bigint::BigUint;
use num_traits::ToPrimitive as _;
use std::sync::Arc;

/// The rows of this file.
pub static ROWS: &[Family] = &[Family::built(
    Paper::Common,
    "planes",
    "P copies of the switches of a network, each host with a port into every one: a fabric of several planes.",
    &[
        Param::fabric("base", "a network of hosts and switches"),
        Param::integer("planes", 1, MAX_PLANES, "how many copies"),
    ],
    &["planes(hosts(ring(4), 2), 2)", "planes(clos(4, 2), 3)"],
    build,
)
.with(Facts { searched: false, ..Facts::NONE })];

/// Planes of a network; choices and ports of each are numbered with those of the others.
const MAX_PLANES: u64 = 1 << 16;

/// Larger networks are not looked at node by node for their degrees.
const MAX_COUNTED: u64 = 1 << 20;

fn build(args: &Args) -> Result<Built, ArgError> {
    let (base, planes) = (args.network("base"), args.integer("planes"));
    let (order, hosts) = (base.theory.order(), base.theory.hosts());
    let ports = base.example().map_or(0, |base| u64::from(base.ports()));
    let whole = &hosts + (&order - &hosts) * planes;
    let fits = fits(&whole) && ports * planes < u64::from(u32::MAX);
    let network = base.base().filter(|_| fits).map(|base| Arc::new(Planes::new(base, planes)));
    let degrees = degrees(base, network.as_deref(), planes);
    let theory = PlanesTheory { base: base.theory.clone(), planes, degrees };
    let mut built = Built::new(theory, network.clone().map(|network| network as Arc<dyn Network>));
    for name in base.router_names() {
        let inner = network.clone().zip(base.base_router(name));
        let inner = inner.filter(|(_, router)| is_plain(name, &**router, planes));
        let router = inner.map(|(network, base)| Arc::new(InPlane { network, base }) as _);
        built = built.routed([(name, router)]);
    }
    Ok(match plan(base, planes) {
        Some(plan) => built.placed(plan),
        None => built,
    })
}

/// Hosts as in one plane, and the switches of the planes beside each other at the heights that they have in one; nothing
/// where nodes of a plane do not lie in rows.
fn plan(base: &Built, planes: u64) -> Option<Plan> {
    let hosts = base.theory.hosts().to_u64()?;
    let plan = base.base_plan();
    let [Layer { shape: Shape::Given(points), .. }] = plan.layers() else { return None };
    if plan.is_seated() {
        return None;
    }
    let (hosts, switches) = points.split_at_checked(usize::try_from(hosts).ok()?)?;
    let (low, high) = bounds(points);
    let beside = |plane: u64| {
        let share = move |x: f64| (x - low.x + 0.5) / (high.x - low.x + 1.0);
        let across = move |x: f64| (plane as f64 + share(x)) / planes as f64;
        let place =
            move |at: &Point| Point::new(low.x - 0.5 + across(at.x) * (high.x - low.x + 1.0), at.y);
        switches.iter().map(place)
    };
    let all: Vec<Point> = hosts.iter().copied().chain((0..planes).flat_map(beside)).collect();
    Some(Plan::given(all.len() as u64, || all))
}

/// Whether the next hop depends on the target alone, or beside it on a choice that stays the same all the way and is not
/// too large for a number with the plane.
fn is_plain(name: &str, router: &dyn Router, planes: u64) -> bool {
    let choices = router.choices().checked_mul(planes);
    match name {
        "spread" => choices.is_some_and(|choices| choices <= MAX_CHOICES),
        _ => !router.remembers() && router.choices() == 1,
    }
}

/// Choices with their plane, in the number that a message carries.
const MAX_CHOICES: u64 = 1 << 48;

/// Counted where that is quick; else all that follows from those of the base.
fn degrees(base: &Built, network: Option<&Planes>, planes: u64) -> Degrees {
    if let Some(network) = network.filter(|network| network.order() <= MAX_COUNTED) {
        return Degrees::measured(network);
    }
    let one = base.theory.degrees();
    let copies = BigUint::from(planes);
    let most = one.max.saturating_mul(planes);
    Degrees::bounded(one.cables * &copies, one.min, most).with_links(one.links * copies)
}

/// Copies of the switches of a network around its hosts.
#[derive(Debug)]
pub struct Planes {
    base: Arc<dyn Network>,
    hosts: u64,
    /// Switches of one plane.
    switches: u64,
    planes: u64,
}

impl Planes {
    /// All of them fit into 2^63 ids.
    fn new(base: Arc<dyn Network>, planes: u64) -> Self {
        let hosts = base.hosts();
        Planes { hosts, switches: base.order() - hosts, planes, base }
    }

    /// The node of the base, and its plane where it is a switch.
    fn place(&self, at: Node) -> (Node, Option<u64>) {
        match at.0.checked_sub(self.hosts) {
            None => (at, None),
            Some(switch) => {
                (Node(self.hosts + switch % self.switches), Some(switch / self.switches))
            }
        }
    }

    /// A node of the base, in a plane where it is a switch.
    fn id(&self, node: Node, plane: u64) -> Node {
        Node(if node.0 < self.hosts { node.0 } else { node.0 + plane * self.switches })
    }
}

impl Network for Planes {
    fn order(&self) -> u64 {
        self.hosts + self.switches * self.planes
    }

    fn ports(&self) -> u32 {
        let planes = u32::try_from(self.planes).expect("only built when the ports fit");
        self.base.ports() * planes
    }

    fn neighbor(&self, at: Node, port: Port) -> Option<Node> {
        let (node, plane) = self.place(at);
        let (plane, port) = match plane {
            Some(plane) => (plane, port),
            None => {
                let ports = self.base.ports().max(1);
                (u64::from(port.0 / ports), Port(port.0 % ports))
            }
        };
        if plane >= self.planes || port.0 >= self.base.ports() {
            return None;
        }
        Some(self.id(self.base.neighbor(node, port)?, plane))
    }

    fn for_each_neighbor(&self, at: Node, visit: &mut dyn FnMut(Port, Node)) {
        let (node, plane) = self.place(at);
        match plane {
            Some(plane) => {
                self.base.for_each_neighbor(node, &mut |port, to| visit(port, self.id(to, plane)))
            }
            None => {
                for (first, plane) in (0..).step_by(self.base.ports() as usize).zip(0..self.planes)
                {
                    self.base.for_each_neighbor(node, &mut |port, to| {
                        visit(Port(first + port.0), self.id(to, plane));
                    });
                }
            }
        }
    }

    fn address(&self, at: Node) -> Address {
        let (node, plane) = self.place(at);
        let part = plane.map_or(0, |plane| plane + 1);
        Address::Tuple(vec![Address::number(part), self.base.address(node)])
    }

    fn node(&self, address: &Address) -> Option<Node> {
        let [part, inner] = address.as_tuple()? else { return None };
        let (part, node) = (part.as_number()?, self.base.node(inner)?);
        match part.checked_sub(1) {
            None => (node.0 < self.hosts).then_some(node),
            Some(plane) => {
                (node.0 >= self.hosts && plane < self.planes).then(|| self.id(node, plane))
            }
        }
    }

    fn level(&self, at: Node, port: Port) -> u16 {
        let (node, plane) = self.place(at);
        let port = if plane.is_some() { port } else { Port(port.0 % self.base.ports().max(1)) };
        self.base.level(node, port)
    }

    fn levels(&self) -> u16 {
        self.base.levels()
    }

    fn server_levels(&self) -> u16 {
        self.base.server_levels()
    }

    fn hosts(&self) -> u64 {
        self.hosts
    }
}

/// A router of the base in the plane that the choice names: the state is that of the base times the number of planes, and
/// the plane. Messages to a switch take its plane; those from a switch to
/// one of another plane change planes at a host.
#[derive(Debug)]
struct InPlane {
    network: Arc<Planes>,
    base: Arc<dyn Router>,
}

impl Router for InPlane {
    fn vcs(&self) -> u16 {
        self.base.vcs()
    }

    fn vcs_at_most(&self) -> u16 {
        self.base.vcs_at_most()
    }

    fn host_vcs(&self) -> u16 {
        self.base.host_vcs()
    }

    fn choices(&self) -> u64 {
        self.network.planes * self.base.choices()
    }

    fn start(&self, from: Node, to: Node, choice: u64) -> Header {
        let planes = self.network.planes;
        let (target, there) = self.network.place(to);
        let begun = self.base.start(self.network.place(from).0, target, choice / planes);
        let plane = there.unwrap_or(choice % planes);
        Header { to: self.network.id(begun.to, plane), state: begun.state * planes + plane }
    }

    fn next(&self, at: Node, header: Header) -> Option<Hop> {
        let (node, here) = self.network.place(at);
        let (to, there) = self.network.place(header.to);
        if at == header.to {
            return None;
        }
        // Between switches of different planes there is no route but through a host.
        if here.is_some() && there.is_some() && here != there {
            return self.to_a_host(at, header);
        }
        let planes = self.network.planes;
        let (state, plane) = (header.state / planes, header.state % planes);
        let hop = self.base.next(node, Header { to, state })?;
        let port = match here {
            Some(_) => hop.port,
            None => Port(u32::try_from(plane).ok()? * self.network.base.ports() + hop.port.0),
        };
        let state = hop.header.state.checked_mul(planes)? + plane;
        let to = self.network.id(hop.header.to, plane);
        Some(Hop { port, vc: hop.vc, header: Header { to, state } })
    }

    fn longest(&self) -> u64 {
        self.base.longest().saturating_mul(2)
    }

    /// Every plane is a copy.
    fn structure(&self) -> Structure<'_> {
        let loads_by_switches = self.base.structure().loads_by_switches;
        Structure { loads_by_switches, ..Structure::default() }
    }

    fn remembers(&self) -> bool {
        true
    }

    fn state_bytes(&self) -> u64 {
        self.base.state_bytes()
    }
}

impl InPlane {
    /// Toward the host that is nearest to both ends together, which has a port in every plane: for messages between
    /// switches, which nobody sends but who asks for all routes.
    fn to_a_host(&self, at: Node, header: Header) -> Option<Hop> {
        let network = &self.network;
        let (from, to) = (network.place(at).0, network.place(header.to).0);
        let [near, far] = [from, to].map(|end| distances_from(&*network.base, end));
        let sum = |host: &u64| u64::from(near[index(*host)]) + u64::from(far[index(*host)]);
        let host = (0..network.hosts).min_by_key(sum)?;
        let hop = self.base.next(from, Header { to: Node(host), state: 0 })?;
        Some(Hop { port: hop.port, vc: hop.vc, header })
    }
}

/// What follows from the theory of the base.
#[derive(Debug)]
struct PlanesTheory {
    base: Arc<dyn Theory>,
    planes: u64,
    degrees: Degrees,
}

impl Theory for PlanesTheory {
    fn order(&self) -> BigUint {
        self.hosts() + (self.base.order() - self.base.hosts()) * self.planes
    }

    fn hosts(&self) -> BigUint {
        self.base.hosts()
    }

    fn degrees(&self) -> Degrees {
        self.degrees.clone()
    }

    fn connected(&self) -> bool {
        self.base.connected()
    }

    fn host_diameter(&self) -> Option<Bounded> {
        self.base.host_diameter()
    }

    fn host_distances(&self) -> Option<Distances> {
        self.base.host_distances()
    }

    fn distances_how(&self) -> How {
        self.base.distances_how()
    }

    fn remarks(&self) -> Vec<String> {
        self.base.remarks()
    }
}

#[cfg(test)]
mod tests {
    use crate::build;
    use nestnet_graph::{Budget, Csr, Node};
    use std::collections::BTreeSet;

    /// The definition, link by link.
    #[test]
    fn every_plane_is_a_copy_around_the_hosts() {
        for (text, planes) in [("hosts(ring(4), 2)", 2), ("clos(4, 2)", 3), ("bcube(2, 1)", 2)] {
            let base = build(text).unwrap().network.unwrap();
            let network = build(&format!("planes({text}, {planes})")).unwrap().network.unwrap();
            let (hosts, switches) = (base.hosts(), base.order() - base.hosts());
            assert_eq!((network.hosts(), network.order()), (hosts, hosts + planes * switches));
            let mut wanted = BTreeSet::new();
            for plane in 0..planes {
                let id = |at: u64| if at < hosts { at } else { at + plane * switches };
                for at in 0..base.order() {
                    base.for_each_neighbor(Node(at), &mut |_, to| {
                        wanted.insert((id(at), id(to.0)));
                    });
                }
            }
            let mut found = BTreeSet::new();
            for at in 0..network.order() {
                network.for_each_neighbor(Node(at), &mut |_, to| {
                    found.insert((at, to.0));
                });
            }
            assert_eq!(found, wanted, "{text}");
        }
    }

    #[test]
    fn two_planes_of_half_the_width_carry_all() {
        let half = build("clos(8, 2, 2)").unwrap();
        let both = build("planes(clos(8, 2, 2), 2)").unwrap();
        let links = |built: &crate::family::Built| {
            let network = built.network.clone().unwrap();
            Csr::from_network(&*network, &Budget::default()).unwrap().cables()
        };
        assert_eq!(links(&both), 2 * links(&half));
        assert_eq!(both.theory.host_diameter(), half.theory.host_diameter());
        // By every route of the base in every plane.
        let spread = |built: &crate::family::Built| built.router("spread").unwrap().choices();
        assert_eq!(spread(&both), 2 * spread(&half));
        let (network, router) = (both.network.clone().unwrap(), both.router("spread").unwrap());
        let mut passed = BTreeSet::new();
        for choice in 0..router.choices() {
            let (mut at, mut header) = (Node(0), router.start(Node(0), Node(9), choice));
            let mut path = Vec::new();
            while let Some(hop) = router.next(at, header) {
                (at, header) = (network.neighbor(at, hop.port).unwrap(), hop.header);
                path.push(at);
            }
            assert_eq!((at, path.len()), (Node(9), 4));
            passed.insert(path);
        }
        assert_eq!(passed.len() as u64, router.choices());
        let error = build("planes(ring(4), 2)").unwrap_err().to_string();
        assert!(error.contains("no switches of its own"), "{error}");
    }
}
