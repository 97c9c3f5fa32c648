//! A network that a spec stands for: what is proven of it, and the thing itself where it can be built.

use super::remembered::Remembered;
use nestnet_core::collective::tree::MAX_TREE;
use nestnet_core::collective::{Broadcast, Flood, OnePort, Ports};
use nestnet_core::draw::{Held, Plan};
use nestnet_core::measure::search::{distances_from, is_connected};
use nestnet_core::network::MAX_ORDER;
use nestnet_core::program::{Arrange, Flat, Layout};
use nestnet_core::route::{Cached, Greedy, Lift, Lifted, Searched, Turns};
use nestnet_core::table::Table;
use nestnet_core::theory::{Degrees, How, Known, Theory};
use nestnet_core::{Csr, Distances, Network, Node, Router};
use num_bigint::BigUint;
use num_traits::ToPrimitive;
use std::sync::{Arc, OnceLock};

/// What a spec stands for.
#[derive(Clone, Debug)]
pub struct Built {
    /// What is known, at any size: proven, or measured where no theorem says it and the network is small.
    pub theory: Arc<dyn Theory>,
    /// What is proven alone.
    pub proven: Arc<dyn Theory>,
    /// The network, unless it has more than 2^63 nodes or a node more than 2^32 ports.
    pub network: Option<Arc<dyn Network>>,
    /// The network where only its theory is wanted, see [`Built::theory_alone`].
    example: Option<Arc<dyn Network>>,
    /// Routers by rules of their own, by name. [`Built::router`] finds others too.
    own_routers: Vec<(&'static str, Arc<dyn Router>)>,
    /// The broadcast of its own, its paper's where it has one.
    own_broadcast: Option<Arc<dyn Broadcast>>,
    /// The networks whose product it is, first most significant; none where it is not known as one.
    factors: Vec<Arc<dyn Network>>,
    /// How logical addresses are laid out upon those of its base.
    arranged: Option<(Arc<dyn Arrange>, Arc<Built>)>,
    /// How it is drawn: the usual way first, others by name.
    plans: Vec<(&'static str, Plan)>,
}

/// How finely a logical address is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grain {
    /// A digit for each factor.
    Digits,
    /// Bits alone.
    Bits,
}

impl Built {
    /// A network with its theory. Where the theory is silent and the network small, it is measured.
    pub fn new(theory: impl Theory + 'static, network: Option<Arc<dyn Network>>) -> Self {
        let proven: Arc<dyn Theory> = Arc::new(Remembered::new(theory));
        let theory: Arc<dyn Theory> = match &network {
            Some(network) if network.order() <= MAX_MEASURED => Arc::new(Measured {
                proven: proven.clone(),
                network: network.clone(),
                distances: OnceLock::new(),
            }),
            _ => proven.clone(),
        };
        Built { network, ..Built::known(theory, proven) }
    }

    /// A theory and nothing else.
    fn known(theory: Arc<dyn Theory>, proven: Arc<dyn Theory>) -> Self {
        let (network, example, own_broadcast, arranged) = (None, None, None, None);
        let (own_routers, factors, plans) = (Vec::new(), Vec::new(), Vec::new());
        Built {
            theory,
            proven,
            network,
            example,
            own_routers,
            own_broadcast,
            factors,
            arranged,
            plans,
        }
    }

    /// What is known of it without the thing itself: what is built upon that has a theory too, and takes no memory.
    pub fn theory_alone(&self) -> Built {
        let example = self.network.clone();
        Built { example, ..Built::known(self.theory.clone(), self.proven.clone()) }
    }

    /// The same, for theories that ask nothing of single nodes.
    pub fn unseen(self) -> Built {
        Built { network: None, example: None, ..self }
    }

    /// The network for a theory to look at, also where nothing is to be built upon it.
    pub fn example(&self) -> Option<&Arc<dyn Network>> {
        self.network.as_ref().or(self.example.as_ref())
    }

    /// Shortest routes by the closed form of the distance or by search, where there is no rule of their own.
    fn searched(&self) -> Option<Arc<dyn Router>> {
        let network = self.network.clone()?;
        let inner: Arc<dyn Router> = match Greedy::new(network.clone()) {
            Some(greedy) => Arc::new(greedy),
            None => Arc::new(Searched::new(network.clone())?),
        };
        let longest = self.proven.diameter().and_then(|known| known.high.to_u64());
        Some(Arc::new(Turns::new(network, inner, longest)))
    }

    /// The same network with routers of its own; those that are not given stay as they are.
    pub fn routed<const N: usize>(
        mut self,
        routers: [(&'static str, Option<Arc<dyn Router>>); N],
    ) -> Self {
        for (name, router) in routers {
            let Some(router) = router.filter(|_| self.network.is_some()) else { continue };
            self.own_routers.push((name, router));
        }
        self
    }

    /// The same network, which `rule` routes through copies of `base`: router `name` upon that of the base.
    pub fn lifted<L: Lift + 'static>(
        self,
        name: &'static str,
        rule: Option<Arc<L>>,
        base: &Built,
    ) -> Self {
        let router = rule.zip(base.base_router(name));
        let router =
            router.map(|(rule, base)| Arc::new(Lifted::new(rule, base)) as Arc<dyn Router>);
        self.routed([(name, router)])
    }

    /// The same network, known as the product of these, first most significant.
    pub fn as_product(self, factors: Vec<Arc<dyn Network>>) -> Self {
        Built { factors, ..self }
    }

    /// The orders of the networks whose product it is known as, first most significant; none where it is not.
    pub fn product_sides(&self) -> Vec<u64> {
        self.factors.iter().map(|factor| factor.order()).collect()
    }

    /// The same network, whose logical addresses `rule` lays out upon those of `base`.
    pub fn arranged<A: Arrange + 'static>(self, rule: Option<Arc<A>>, base: &Built) -> Self {
        let arranged = rule.map(|rule| (rule as Arc<dyn Arrange>, Arc::new(base.clone())));
        Built { arranged, ..self }
    }

    /// The same network, drawn after `plan`.
    pub fn placed(self, plan: Plan) -> Self {
        Built { plans: vec![("usual", plan)], ..self }
    }

    /// The same network, which can also be drawn after another plan.
    pub fn placed_also(mut self, name: &'static str, plan: Plan) -> Self {
        self.plans.push((name, plan));
        self
    }

    /// How it is drawn: after its own plan, or on a circle.
    pub fn plan(&self) -> Plan {
        let circle = || Plan::ring(self.order().to_u64().unwrap_or(u64::MAX));
        self.plans.first().map_or_else(circle, |(_, plan)| plan.clone())
    }

    /// The plan of that name; `usual` is what [`Built::plan`] gives.
    pub fn plan_named(&self, name: &str) -> Option<Plan> {
        if name == "usual" {
            return Some(self.plan());
        }
        self.plans.iter().find(|(known, _)| *known == name).map(|(_, plan)| plan.clone())
    }

    /// The names of all plans, the usual one first.
    pub fn plan_names(&self) -> Vec<&'static str> {
        let others = self.plans.iter().skip(1).map(|(name, _)| *name);
        ["usual"].into_iter().chain(others).collect()
    }

    /// How copies of it are drawn, one at each place of `outer`, joined by links of the next level.
    pub fn plan_inside(&self, outer: &Plan) -> Plan {
        let level = self.network.as_ref().map_or(1, |network| network.levels());
        outer.around(&self.plan(), level, Held::Cluster)
    }

    /// Which product it emulates and how. A network that is not nested contains its guest: the product that it is known
    /// as, else itself; by bits, where every two ids that differ in one are linked. O(links) of the innermost network.
    pub fn layout(&self, grain: Grain) -> Option<Arc<dyn Layout>> {
        if let Some((rule, base)) = &self.arranged {
            return Some(rule.over(base.layout(grain)?));
        }
        let network = self.network.clone()?;
        if grain == Grain::Bits {
            return Some(Arc::new(Flat::bits(network)?));
        }
        // A side of one place is no dimension.
        let mut factors = self.factors.clone();
        if factors.is_empty() {
            factors.push(network.clone());
        }
        factors.retain(|factor| factor.order() > 1);
        factors.reverse();
        Some(Arc::new(Flat::new(network, factors)))
    }

    /// Whether it is made of copies of a base with which it shares its logical addresses.
    pub fn is_arranged(&self) -> bool {
        self.arranged.is_some()
    }

    /// The router of that name to build upon, behind rows where the network is small.
    pub fn base_router(&self, name: &str) -> Option<Arc<dyn Router>> {
        Some(Cached::speed_up(self.router(name)?, self.network.as_deref()?))
    }

    /// The router of that name. Where a network has no rule of its own, `shortest` goes by closed form or by search,
    /// and `paper` is the same.
    pub fn router(&self, name: &str) -> Option<Arc<dyn Router>> {
        let own = self.own_routers.iter().find(|(known, _)| *known == name);
        match (own, name) {
            (Some((_, router)), _) => Some(router.clone()),
            (None, "paper") => self.router("shortest"),
            (None, "shortest") => self.searched(),
            _ => None,
        }
    }

    /// Whether a node finds the next hop from addresses alone: by a rule of its own or a closed form of the distance.
    pub fn has_rule(&self) -> bool {
        let closed = |network: &Arc<dyn Network>| Greedy::new(network.clone()).is_some();
        !self.own_routers.is_empty() || self.network.as_ref().is_some_and(closed)
    }

    /// The names of all routers.
    pub fn router_names(&self) -> Vec<&'static str> {
        let mut names: Vec<&str> = self.own_routers.iter().map(|(name, _)| *name).collect();
        for name in ["shortest", "paper"] {
            if !names.contains(&name) && self.router(name).is_some() {
                names.insert(0, name);
            }
        }
        names
    }

    /// A family whose struct is both; the network is dropped where it is too large.
    pub fn of(both: impl Theory + Network + Clone + 'static) -> Self {
        let fits = fits(&both.order_exactly()) && both.degrees().max < u64::from(u32::MAX);
        let network = fits.then(|| Arc::new(both.clone()) as Arc<dyn Network>);
        Built::new(both, network)
    }

    /// A family whose struct is also its router, which is shortest.
    pub fn of_routed(all: impl Theory + Network + Router + Clone + 'static) -> Self {
        let router: Arc<dyn Router> = Arc::new(all.clone());
        Built::of(all).routed([("paper", Some(router.clone())), ("shortest", Some(router))])
    }

    /// A family whose struct is also its broadcast.
    pub fn of_all(all: impl Theory + Network + Router + Broadcast + Clone + 'static) -> Self {
        let broadcast: Arc<dyn Broadcast> = Arc::new(all.clone());
        Built::of_routed(all).broadcasting(Some(broadcast))
    }

    /// The same network with a broadcast of its own.
    pub fn broadcasting(self, broadcast: Option<Arc<dyn Broadcast>>) -> Self {
        let own_broadcast = broadcast.filter(|_| self.network.is_some());
        Built { own_broadcast, ..self }
    }

    /// The broadcast of its own, which the papers call theirs.
    pub fn own_broadcast(&self) -> Option<Arc<dyn Broadcast>> {
        self.own_broadcast.clone()
    }

    /// A broadcast with these ports to build upon: its own, or one that works in any network that fits in memory.
    pub fn broadcast(&self, ports: Ports) -> Option<Arc<dyn Broadcast>> {
        let own = self.own_broadcast.clone().filter(|own| own.ports() == ports);
        own.or_else(|| self.any_broadcast(ports))
    }

    /// One that works in any network that fits in memory: with all ports the quickest there is.
    pub fn any_broadcast(&self, ports: Ports) -> Option<Arc<dyn Broadcast>> {
        let network = self.network.clone()?;
        if !self.theory.connected() || network.order() > MAX_TREE {
            return None;
        }
        Some(match ports {
            Ports::All => Arc::new(Flood::new(network)),
            Ports::One => Arc::new(OnePort::new(network)?),
        })
    }

    /// A stored network and what can be counted in it.
    pub fn stored(csr: Csr) -> Self {
        let theory = StoredTheory {
            order: csr.order(),
            degrees: Degrees::measured(&csr),
            connected: is_connected(&csr),
        };
        Built::new(theory, Some(Arc::new(csr)))
    }

    /// The number of nodes.
    pub fn order(&self) -> BigUint {
        self.theory.order()
    }

    /// The degree of one node, if the network is built.
    pub fn degree_of(&self, at: Node) -> Option<u64> {
        let mut degree = 0;
        self.example()?.for_each_neighbor(at, &mut |_, _| degree += 1);
        Some(degree)
    }

    /// The network to build upon, behind a table where it is small.
    pub fn base(&self) -> Option<Arc<dyn Network>> {
        self.network.clone().map(Table::speed_up)
    }
}

trait OrderExactly {
    fn order_exactly(&self) -> BigUint;
}

impl<T: Theory> OrderExactly for T {
    fn order_exactly(&self) -> BigUint {
        Theory::order(self)
    }
}

/// Whether a network of that order is built.
pub fn fits(order: &BigUint) -> bool {
    order.to_u64().is_some_and(|order| order <= MAX_ORDER)
}

/// Up to this order, what no theorem says is found by searching from every node, at once.
const MAX_MEASURED: u64 = 1 << 11;

/// A theory completed by measurement.
#[derive(Debug)]
struct Measured {
    proven: Arc<dyn Theory>,
    network: Arc<dyn Network>,
    distances: OnceLock<Distances>,
}

impl Measured {
    fn measured(&self) -> &Distances {
        self.distances.get_or_init(|| {
            let nodes = (0..self.network.order()).map(Node);
            nodes
                .fold(Distances::default(), |sum, at| sum.plus(&histogram_from(&*self.network, at)))
        })
    }
}

fn histogram_from(network: &dyn Network, at: Node) -> Distances {
    let mut counts = Vec::new();
    for distance in distances_from(network, at).into_iter().filter(|&d| d != u32::MAX) {
        let distance = distance as usize;
        counts.resize(counts.len().max(distance + 1), 0u64);
        counts[distance] += 1;
    }
    Distances::new(counts)
}

impl Theory for Measured {
    fn order(&self) -> BigUint {
        self.proven.order()
    }

    fn hosts(&self) -> BigUint {
        self.proven.hosts()
    }

    fn degrees(&self) -> Degrees {
        let proven = self.proven.degrees();
        if proven.counts.is_some() { proven } else { Degrees::measured(&*self.network) }
    }

    fn connected(&self) -> bool {
        self.proven.connected()
    }

    fn is_transitive(&self) -> bool {
        self.proven.is_transitive()
    }

    fn diameter(&self) -> Option<Known> {
        let proven = self.proven.diameter();
        if !self.connected() || proven.as_ref().is_some_and(|known| known.exact().is_some()) {
            return proven;
        }
        let value = BigUint::from(self.measured().longest());
        Some(Known { low: value.clone(), high: value, how: How::Exhaustive })
    }

    fn distances(&self) -> Option<Distances> {
        Some(self.proven.distances().unwrap_or_else(|| self.measured().clone()))
    }

    fn distances_how(&self) -> How {
        let proven = self.proven.distances();
        proven.map_or(How::Exhaustive, |_| self.proven.distances_how())
    }

    fn distances_from_zero(&self) -> Option<Distances> {
        let proven = self.proven.distances_from_zero();
        Some(proven.unwrap_or_else(|| histogram_from(&*self.network, Node(0))))
    }

    fn remarks(&self) -> Vec<String> {
        self.proven.remarks()
    }
}

/// What can be counted in a stored network.
#[derive(Debug)]
struct StoredTheory {
    order: u64,
    degrees: Degrees,
    connected: bool,
}

impl Theory for StoredTheory {
    fn order(&self) -> BigUint {
        self.order.into()
    }

    fn degrees(&self) -> Degrees {
        self.degrees.clone()
    }

    fn connected(&self) -> bool {
        self.connected
    }
}
