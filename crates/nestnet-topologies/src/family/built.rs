//! A network that a spec means: what is proven of it, and the thing itself where it can be built.

use super::array::{Arrayed, Stepped};
use super::logical::{Grain, Logical, WithLayout};
use super::measured::{Measured, StoredTheory};
use super::memoized::Memoized;
use crate::spec::Spec;
use nestnet_collectives::program::{Arrange, Layout};
use nestnet_collectives::tree::MAX_TREE;
use nestnet_collectives::{Broadcast, Flood, OnePort, Ports, PrintedBroadcast};
use nestnet_draw::{Held, Plan};
use nestnet_graph::network::MAX_ORDER;
use nestnet_graph::table::Tabled;
use nestnet_graph::theory::Theory;
use nestnet_graph::{Interrupted, Network, Node, Watch, kinds};
use nestnet_routing::Router;
use nestnet_routing::route::{
    Cached, Followed, Greedy, Lift, LiftedRouter, Procedure, Searched, UpDownLayers, Walked,
};
use nestnet_routing::traffic::Ends;
use num_bigint::BigUint;
use num_traits::ToPrimitive;
use std::fmt::Debug;
use std::sync::{Arc, LazyLock};

/// The procedure that is a text to the letter.
pub const AS_PRINTED: &str = "as-printed";

/// What a spec means.
#[derive(Clone, Debug)]
pub struct Built {
    /// What is known, at any size: proven, or measured where no theorem says it and the network is small.
    pub theory: Arc<dyn Theory>,
    /// What is proven alone.
    pub proven: Arc<dyn Theory>,
    /// The network, unless it has more than 2^63 nodes or a node more than 2^32 ports.
    pub network: Option<Arc<dyn Network>>,
    /// Its logical addresses.
    pub logical: Logical,
    /// How it is written, once it was built from text.
    spec: Option<Arc<Spec>>,
    /// The network where only its theory is wanted, see [`Built::theory_alone`].
    example: Option<Arc<dyn Network>>,
    /// Whether its links were given one by one, from a file or by a program.
    imported: bool,
    /// What messages in it follow.
    own: Arc<Rules>,
    /// The digits of a switch, most significant first, and how many hosts each has; none where nothing was said.
    sides: Option<(Vec<u64>, u64)>,
    /// How it is drawn: the usual way first, others by name.
    plans: Vec<(&'static str, Plan)>,
}

/// The network is known by its theory alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it has no node ids: more than 2^63 nodes or 2^32 ports")]
pub struct NoNodeIds;

kinds!(NoNodeIds: Unsupported);

/// The rules that a network has of its own.
#[derive(Clone, Debug, Default)]
struct Rules {
    /// Routers by name. [`Built::router`] finds others too.
    routers: Vec<(&'static str, Arc<dyn Router>)>,
    /// What represents one of those in legs, where it must know the source of a message.
    legs: Vec<(&'static str, Arc<dyn Router>)>,
    /// Routings as their text has them, by name.
    procedures: Vec<(&'static str, Arc<dyn Procedure>)>,
    /// Whether its paper gives no routing of it, so that none is called so.
    unrouted: bool,
    /// Its paper's broadcast, where it has one.
    broadcast: Option<Arc<dyn Broadcast>>,
    /// Broadcasts of ours, by name.
    schedules: Vec<(&'static str, Arc<dyn Broadcast>)>,
    /// Broadcasts as their text has them, by name.
    printed_broadcasts: Vec<(&'static str, Arc<dyn PrintedBroadcast>)>,
    /// How its paper builds it as an array.
    array: Option<Arc<dyn Arrayed>>,
    /// How its paper builds it step by step.
    steps: Option<Arc<dyn Stepped>>,
    /// What its cuts inherit, and from which base.
    lifting: Option<(Arc<dyn CutLifting>, Arc<Built>)>,
    /// How its paper embeds trees in it.
    tree_embedding: Option<Arc<dyn TreeEmbedding>>,
}

impl Built {
    /// A network with its theory. Where the theory is silent and the network small, it is measured.
    pub fn new(theory: impl Theory + 'static, network: Option<Arc<dyn Network>>) -> Self {
        Built::boxed(Box::new(theory), network)
    }

    /// The same, compiled once for all theories.
    fn boxed(theory: Box<dyn Theory>, network: Option<Arc<dyn Network>>) -> Self {
        let proven: Arc<dyn Theory> = Arc::new(Memoized::new(theory));
        let theory = Measured::complete(&proven, network.as_ref());
        Built { network, ..Built::known(theory, proven) }
    }

    /// A theory and nothing else.
    fn known(theory: Arc<dyn Theory>, proven: Arc<dyn Theory>) -> Self {
        Built {
            theory,
            proven,
            network: None,
            logical: Logical::default(),
            spec: None,
            example: None,
            imported: false,
            own: Arc::default(),
            sides: None,
            plans: Vec::new(),
        }
    }

    /// Its rules, to change them.
    fn rules(&mut self) -> &mut Rules {
        Arc::make_mut(&mut self.own)
    }

    /// The same network, written so.
    pub(crate) fn written(self, spec: Spec) -> Self {
        Built { spec: Some(Arc::new(spec)), ..self }
    }

    /// The network, where its nodes have ids.
    pub fn with_ids(&self) -> Result<&Arc<dyn Network>, NoNodeIds> {
        self.network.as_ref().ok_or(NoNodeIds)
    }

    /// Its spec in the canonical form; `unnamed` where it was not built from one.
    pub fn spec(&self) -> &Spec {
        static UNNAMED: LazyLock<Spec> = LazyLock::new(|| Spec::new("unnamed", []));
        self.spec.as_deref().unwrap_or(&UNNAMED)
    }

    /// What is known of it without the thing itself: what is built on that has a theory too, and takes no memory.
    pub fn theory_alone(&self) -> Built {
        let (example, spec) = (self.network.clone(), self.spec.clone());
        Built { example, spec, ..Built::known(self.theory.clone(), self.proven.clone()) }
    }

    /// The same, for theories that ask nothing of single nodes.
    pub fn unseen(self) -> Built {
        Built { network: None, example: None, ..self }
    }

    /// The network for a theory to look at, also where nothing is to be built on it.
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
        Some(Arc::new(UpDownLayers::new(network, inner, longest)))
    }

    /// The same network with routers of its own; those that are not given stay as they are.
    pub fn routed<const N: usize>(
        mut self,
        routers: [(&'static str, Option<Arc<dyn Router>>); N],
    ) -> Self {
        for (name, router) in routers {
            let Some(router) = router.filter(|_| self.network.is_some()) else { continue };
            self.rules().routers.push((name, router));
        }
        self
    }

    /// The same network, which `rule` routes through copies of `base`: router `name` on that of the base.
    pub fn with_lifted_router<L: Lift + 'static>(
        self,
        name: &'static str,
        rule: Option<Arc<L>>,
        base: &Built,
    ) -> Self {
        let router = rule.zip(base.base_router(name));
        let router =
            router.map(|(rule, base)| Arc::new(LiftedRouter::new(rule, base)) as Arc<dyn Router>);
        self.routed([(name, router)])
    }

    /// The same, on the base's router `paper` under another name: the paper gives no such routing.
    pub fn with_own_lifted_router<L: Lift + 'static>(
        self,
        name: &'static str,
        rule: Option<Arc<L>>,
        base: &Built,
    ) -> Self {
        let router = rule.zip(base.base_router("paper"));
        let router =
            router.map(|(rule, base)| Arc::new(LiftedRouter::new(rule, base)) as Arc<dyn Router>);
        self.routed([(name, router)]).unrouted()
    }

    /// The same network with a router that needs the source of a message, and one that represents it in legs.
    pub fn routed_from(
        mut self,
        name: &'static str,
        whole: Option<Arc<dyn Router>>,
        leg: Option<Arc<dyn Router>>,
    ) -> Self {
        if let Some((whole, leg)) = whole.zip(leg).filter(|_| self.network.is_some()) {
            self.rules().routers.push((name, whole));
            self.rules().legs.push((name, leg));
        }
        self
    }

    /// The same network, whose paper gives no routing of it: what routes it is not called `paper`.
    pub fn unrouted(mut self) -> Self {
        self.rules().unrouted = true;
        self
    }

    /// The same network without the routings of the texts it was made by.
    pub fn untraced(mut self) -> Self {
        self.rules().procedures.clear();
        self
    }

    /// The same network with a routing as its text has it.
    pub fn tracing(mut self, name: &'static str, procedure: Option<Arc<dyn Procedure>>) -> Self {
        let procedure = procedure.filter(|_| self.network.is_some());
        self.rules().procedures.extend(procedure.map(|procedure| (name, procedure)));
        self
    }

    /// The routing of that name as its text has it.
    pub fn procedure(&self, name: &str) -> Option<Arc<dyn Procedure>> {
        let own = self.own.procedures.iter().find(|(known, _)| *known == name);
        own.map(|(_, procedure)| procedure.clone())
    }

    /// A procedure as a router, on virtual channels that cannot deadlock.
    fn followed(&self, name: &str) -> Option<Arc<dyn Router>> {
        let procedure = self.procedure(name).filter(|_| !name.starts_with(AS_PRINTED))?;
        let network = self.network.clone()?;
        let followed = Arc::new(Followed::new(network.clone(), procedure)?);
        Some(Arc::new(UpDownLayers::new(network, followed, None)))
    }

    /// The same network, known as the product of these, first most significant.
    pub fn as_product(mut self, factors: Vec<Arc<dyn Network>>) -> Self {
        self.logical.factors = factors;
        self
    }

    /// The same network, whose logical addresses `rule` lays out on those of `base`.
    pub fn with_layout<A: Arrange + 'static>(mut self, rule: Option<Arc<A>>, base: &Built) -> Self {
        self.logical.with_layout = rule.map(|rule| {
            let (logical, network) = (base.logical.clone(), base.network.clone());
            Arc::new(WithLayout { rule, logical, network })
        });
        self
    }

    /// The same network, whose switches have digits of these sides and `each` hosts.
    pub fn with_sides(self, sides: Vec<u64>, each: u64) -> Self {
        Built { sides: Some((sides, each)), ..self }
    }

    /// The sides of a node's digits, most significant first: of the product that it is known as, else of all nodes.
    pub fn sides(&self) -> Vec<u64> {
        match self.logical.product_sides() {
            sides if sides.is_empty() => vec![self.order().to_u64().unwrap_or(u64::MAX)],
            sides => sides,
        }
    }

    /// The sides of the product that its routers are known as, first most significant: of hosts at the nodes of a network
    /// those of that network. None where they are not known as one.
    pub fn router_sides(&self) -> Vec<u64> {
        match &self.sides {
            Some((sides, _)) => sides.clone(),
            None => self.logical.product_sides(),
        }
    }

    /// Its hosts, as traffic sees them.
    pub fn ends(&self) -> Ends {
        let hosts = self.theory.hosts().to_u64().unwrap_or(u64::MAX);
        let (sides, each) = self.sides.clone().unwrap_or_else(|| (self.sides(), 1));
        Ends::with_sides(hosts, sides, each)
    }

    /// The same network, which its paper builds as an array.
    pub fn arrayed(mut self, array: Option<Arc<dyn Arrayed>>) -> Self {
        self.rules().array = array;
        self
    }

    /// The same network, which inherits cuts from those of `base`.
    pub fn with_bisection<H: CutLifting + 'static>(
        mut self,
        rule: Option<Arc<H>>,
        base: &Built,
    ) -> Self {
        self.rules().lifting =
            rule.map(|rule| (rule as Arc<dyn CutLifting>, Arc::new(base.clone())));
        self
    }

    /// What its cuts inherit, and from which base.
    pub fn cut_lifting(&self) -> Option<(&dyn CutLifting, &Built)> {
        self.own.lifting.as_ref().map(|(rule, base)| (&**rule, &**base))
    }

    /// The same network with the steps in which its paper builds it.
    pub fn stepped(mut self, steps: Option<Arc<dyn Stepped>>) -> Self {
        self.rules().steps = steps;
        self
    }

    /// How its paper builds it step by step.
    pub fn steps(&self) -> Option<&Arc<dyn Stepped>> {
        self.own.steps.as_ref()
    }

    /// How its paper builds it as an array.
    pub fn array(&self) -> Option<&Arc<dyn Arrayed>> {
        self.own.array.as_ref()
    }

    /// The same network, in which its paper embeds trees.
    pub fn with_tree_embedding(mut self, tree_embedding: Option<Arc<dyn TreeEmbedding>>) -> Self {
        self.rules().tree_embedding = tree_embedding;
        self
    }

    /// How its paper embeds trees in it.
    pub fn tree_embedding(&self) -> Option<&Arc<dyn TreeEmbedding>> {
        self.own.tree_embedding.as_ref()
    }

    /// The same network, drawn after `plan`.
    pub fn placed(self, plan: Plan) -> Self {
        Built { plans: vec![("usual", plan)], ..self }
    }

    /// The same network, drawn after a plan that depends on that of `base`; of a theory alone there is none.
    pub fn with_drawing(self, base: &Built, plan: impl FnOnce() -> Plan) -> Self {
        let is_drawn = base.network.is_some() || !base.plans.is_empty();
        if is_drawn { self.placed(plan()) } else { self }
    }

    /// The same network, which can also be drawn after another plan.
    pub fn placed_also(mut self, name: &'static str, plan: Plan) -> Self {
        self.plans.push((name, plan));
        self
    }

    /// Whether its construction says how it is drawn.
    pub fn has_plan(&self) -> bool {
        !self.plans.is_empty()
    }

    /// How it is drawn: after its own plan, or on a circle.
    pub fn plan(&self) -> Plan {
        let circle = || Plan::ring(self.order().to_u64().unwrap_or(u64::MAX));
        self.plans.first().map_or_else(circle, |(_, plan)| plan.clone())
    }

    /// How it is drawn as a part of another.
    pub fn base_plan(&self) -> Plan {
        self.plan().nested().clone()
    }

    /// All plans by name; the first is `usual`, which is what [`Built::plan`] gives.
    pub fn plans(&self) -> Vec<(&'static str, Plan)> {
        let others = self.plans.iter().skip(1).cloned();
        [("usual", self.plan())].into_iter().chain(others).collect()
    }

    /// How copies of it are drawn, one at each place of `outer`, joined by links of the next level.
    pub fn plan_inside(&self, outer: &Plan) -> Plan {
        let plan = self.base_plan();
        // Without the network its outermost layer says how many levels it has.
        let outermost = plan.layers().first().map_or(0, |layer| layer.level);
        let level = self.network.as_ref().map_or(outermost + 1, |network| network.levels());
        outer.around(&plan, level, Held::Cluster).inhabited(self.network.clone())
    }

    /// Which product it emulates and how. A network that is not nested contains its guest: the product that it is known
    /// as, else itself; by bits, where every two ids that differ in one are linked. O(links) of the innermost network.
    pub fn layout(&self, grain: Grain) -> Option<Arc<dyn Layout>> {
        self.logical.layout(self.network.as_ref(), grain)
    }

    /// The router of that name to build on, behind rows where the network is small.
    pub fn base_router(&self, name: &str) -> Option<Arc<dyn Router>> {
        let own = self.own.routers.first().filter(|_| name == "paper" && self.own.unrouted);
        let stands = own.map(|(_, router)| router.clone());
        let router = stands.or_else(|| self.leg_router(name))?;
        Some(Cached::speed_up(router, self.network.as_deref()?))
    }

    /// The router of that name, or what represents it where only a part of the way is known.
    pub fn leg_router(&self, name: &str) -> Option<Arc<dyn Router>> {
        let leg = self.own.legs.iter().find(|(known, _)| *known == name);
        leg.map(|(_, router)| router.clone()).or_else(|| self.router(name))
    }

    /// The same network, whose paper's routing runs as it is printed.
    pub fn runs_as_printed(self) -> Self {
        let own = self.own.routers.iter().find(|(name, _)| *name == "paper");
        let walked = own.zip(self.network.clone()).map(|((_, router), network)| {
            Arc::new(Walked::new(network, router.clone())) as Arc<dyn Procedure>
        });
        self.tracing(AS_PRINTED, walked)
    }

    /// The router of that name. Where a network has no rule of its own, `shortest` goes by closed form or by search,
    /// and `paper` is the same, but not where its paper leaves open how it is routed.
    pub fn router(&self, name: &str) -> Option<Arc<dyn Router>> {
        let own = self.own.routers.iter().find(|(known, _)| *known == name);
        match (own, name) {
            (Some((_, router)), _) => Some(router.clone()),
            (None, "paper") if !self.own.unrouted => self.router("shortest"),
            (None, "shortest") => self.searched(),
            _ => self.followed(name),
        }
    }

    /// Whether `paper` is only another name of `shortest`.
    pub fn paper_is_shortest(&self) -> bool {
        let own = |name: &str| self.own.routers.iter().find(|(known, _)| *known == name);
        match (own("paper"), own("shortest")) {
            (Some((_, paper)), Some((_, shortest))) => Arc::ptr_eq(paper, shortest),
            (Some(_), None) => false,
            (None, _) => !self.own.unrouted,
        }
    }

    /// Whether a node finds the next hop from addresses alone: by a rule of its own or a closed form of the distance.
    pub fn has_rule(&self) -> bool {
        let closed = |network: &Arc<dyn Network>| Greedy::new(network.clone()).is_some();
        !self.own.routers.is_empty() || self.network.as_ref().is_some_and(closed)
    }

    /// The names of the routers that have a rule, and of the shortest where none has.
    pub fn rule_names(&self) -> Vec<&'static str> {
        let own = self.own.routers.iter().map(|(name, _)| *name);
        if self.own.routers.is_empty() { vec!["shortest"] } else { own.collect() }
    }

    /// The names of all routers.
    pub fn router_names(&self) -> Vec<&'static str> {
        let mut names: Vec<&str> = self.own.routers.iter().map(|(name, _)| *name).collect();
        for name in ["shortest", "paper"] {
            if !names.contains(&name) && self.router(name).is_some() {
                names.insert(0, name);
            }
        }
        let texts = self.own.procedures.iter().map(|(name, _)| *name);
        names.extend(texts.filter(|&name| self.followed(name).is_some()));
        names
    }

    /// A family whose struct is both; the network is dropped where it is too large.
    pub fn of(both: impl Theory + Network + Clone + 'static) -> Self {
        let network: Arc<dyn Network> = Arc::new(both.clone());
        Built::unless_too_large(Box::new(both), network)
    }

    /// The same, compiled once for all families.
    fn unless_too_large(theory: Box<dyn Theory>, network: Arc<dyn Network>) -> Self {
        let fits = fits(&theory.order()) && theory.degrees().max < u64::from(u32::MAX);
        Built::boxed(theory, fits.then_some(network))
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
    pub fn broadcasting(mut self, broadcast: Option<Arc<dyn Broadcast>>) -> Self {
        let built = self.network.is_some();
        self.rules().broadcast = broadcast.filter(|_| built);
        self
    }

    /// The same network with a broadcast of ours.
    pub fn with_schedule(
        mut self,
        name: &'static str,
        broadcast: Option<Arc<dyn Broadcast>>,
    ) -> Self {
        let broadcast = broadcast.filter(|_| self.network.is_some());
        self.rules().schedules.extend(broadcast.map(|broadcast| (name, broadcast)));
        self
    }

    /// The broadcasts of ours, by name.
    pub fn schedules(&self) -> &[(&'static str, Arc<dyn Broadcast>)] {
        &self.own.schedules
    }

    /// The same network with a broadcast as its text has it.
    pub fn with_printed_broadcast(
        mut self,
        name: &'static str,
        printed: Option<Arc<dyn PrintedBroadcast>>,
    ) -> Self {
        let printed = printed.filter(|_| self.network.is_some());
        self.rules().printed_broadcasts.extend(printed.map(|printed| (name, printed)));
        self
    }

    /// The broadcast of that name as its text has it.
    pub fn informed(&self, name: &str) -> Option<Arc<dyn PrintedBroadcast>> {
        let own = self.own.printed_broadcasts.iter().find(|(known, _)| *known == name);
        own.map(|(_, printed)| printed.clone())
    }

    /// The names of all broadcasts that are kept as their text has them.
    pub fn printed_broadcast_names(&self) -> Vec<&'static str> {
        self.own.printed_broadcasts.iter().map(|(name, _)| *name).collect()
    }

    /// The broadcast of its own, which the papers call theirs.
    pub fn own_broadcast(&self) -> Option<Arc<dyn Broadcast>> {
        self.own.broadcast.clone()
    }

    /// A broadcast with these ports to build on, which informs each node once: ours where there is one, its own, or one
    /// that works in any network that fits in memory.
    pub fn broadcast(&self, ports: Ports) -> Option<Arc<dyn Broadcast>> {
        let ours = self.own.schedules.first().map(|(_, ours)| ours.clone());
        let own = ours.or_else(|| self.own.broadcast.clone()).filter(|own| own.ports() == ports);
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
    pub fn stored(network: impl Network + 'static) -> Self {
        Built::stored_with(Arc::new(network), Vec::new())
    }

    /// A stored network with what a reader of its numbers should know.
    pub fn stored_with(network: Arc<dyn Network>, remarks: Vec<String>) -> Self {
        Built::new(StoredTheory::of(&*network, remarks), Some(network))
    }

    /// A network whose links were given one by one, from a file or by a program: nothing is known of how it is routed.
    pub fn imported(network: Arc<dyn Network>, remarks: Vec<String>) -> Self {
        Built { imported: true, ..Built::stored_with(network, remarks) }
    }

    /// Whether its links were given one by one.
    pub fn is_imported(&self) -> bool {
        self.imported
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

    /// The network to build on, behind a table where it is small.
    pub fn base(&self) -> Option<Arc<dyn Network>> {
        self.network.clone().map(Tabled::speed_up)
    }
}

/// Whether a network of that order is built.
pub fn fits(order: &BigUint) -> bool {
    order.to_u64().is_some_and(|order| order <= MAX_ORDER)
}

/// A network whose bisection, channel loads and spectrum follow from those of its base.
pub trait CutLifting: Debug + Send + Sync {
    /// A side of the network from one of the base; balanced where that has exactly half of the nodes.
    fn lift(&self, side: &[bool]) -> Option<Vec<bool>>;

    /// The largest load of a channel when all send to all, from that of the base by some routing.
    fn load(&self, base: f64) -> f64;

    /// A lower bound on λ₂ of the Laplacian, from one of the base.
    fn lambda2(&self, base: f64) -> f64;
}

/// A network that a paper embeds complete binary trees in.
pub trait TreeEmbedding: Debug + Send + Sync {
    /// The images of the nodes of a tree of so many levels, level by level from the root on, all different; `None` where
    /// the tree or the network is too large.
    fn embed(
        &self,
        root: Node,
        height: u32,
        watch: &Watch<'_>,
    ) -> Result<Option<Vec<Node>>, Interrupted>;
}
