//! Expansion of a fabric: which boxes are new, which cables move, and what does it cost?

use crate::compare::{BillError, bill_of, cost_model_of};
use crate::physical::{Bill, CostModel, Item};
use nestnet_analysis::grow::{GrowError, Growing, Growth, MAX_COUNTED, Rewiring, grow_to};
use nestnet_graph::json::Integer;
use nestnet_graph::measure::{Interrupted, Watch};
use nestnet_graph::theory::Degrees;
use nestnet_graph::{Budget, Node, fields};
use nestnet_topologies::build::{Context, build_with};
use nestnet_topologies::family::Built;
use nestnet_topologies::spec::Spec;
use num_traits::ToPrimitive as _;
use serde::{Serialize, Serializer};

/// What it takes to make a larger fabric of the present one.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Expansion {
    /// Hosts of the larger fabric.
    pub hosts: u64,
    /// How many of them are new.
    pub new_hosts: u64,
    /// Switches of the larger fabric.
    pub switches: u64,
    /// How many of them are new.
    pub new_switches: u64,
    /// Present cables that are plugged in elsewhere; none where that was not counted.
    pub cables_moved: Option<u64>,
    /// Cables that are purchased, beyond those that move; none where that was not counted.
    pub new_cables: Option<u64>,
    /// Switches, ports and NICs that are purchased.
    pub items: Vec<Item>,
    /// Dollars for all that is purchased; a cable at the average price of those of the larger fabric. None where the cables were not counted.
    pub price: Option<f64>,
    /// Dollars for each new host; none where there is none or the price is not known.
    pub price_per_new_host: Option<f64>,
}

/// Ports of the present switches, where all that a switch can have is given; where every node is a host with a router,
/// those of the routers, with the one that leads to the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SwitchPorts {
    /// Ports of a switch.
    pub ports: u64,
    /// Ports in use at the switch that uses the fewest.
    pub least_used: u64,
    /// Ports in use at the switch that uses the most.
    pub most_used: u64,
}

/// A larger network that cannot be built of the switches that are given.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Unbuildable {
    /// The parameter that is larger.
    pub parameter: String,
    /// By how much it is.
    pub by: u64,
    /// The larger network.
    pub spec: Spec,
    /// Ports that its largest switch needs.
    pub ports: u64,
}

/// A network, what it can grow into, and the plan of each expansion where it has switches.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct GrowthPlan {
    /// Ports of the present switches; none where it is not given how many a switch has, or they were not counted.
    pub switches: Option<SwitchPorts>,
    /// The larger networks whose switches need more ports than they have.
    pub left_out: Vec<Unbuildable>,
    /// The network and its next sizes.
    pub growing: Growing,
    /// The plan of each next size, where there is a bill; empty where the network has no switches.
    pub plans: Vec<Option<Expansion>>,
}

/// A larger network with the plan of its expansion.
struct Planned<'a>(&'a Growth, Option<&'a Option<Expansion>>);

impl Serialize for Planned<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        fields!(
            serializer,
            "Growth",
            parameter = self.0.parameter,
            by = self.0.by,
            spec = self.0.spec,
            nodes = Integer(&self.0.nodes),
            links = Integer(&self.0.links),
            cables = Integer(&self.0.cables),
            rewiring = self.0.rewiring,
            /// What the larger fabric takes to build, where the network has switches.
            [expansion]: &Option<Expansion> = self.1,
        )
    }
}

impl Serialize for GrowthPlan {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let next =
            self.growing.next.iter().enumerate().map(|(at, one)| Planned(one, self.plans.get(at)));
        fields!(
            serializer,
            "Growing",
            nodes = Integer(&self.growing.nodes),
            links = Integer(&self.growing.links),
            cables = Integer(&self.growing.cables),
            switches = self.switches,
            /// The larger networks, smallest first.
            next: Vec<Planned<'_>> = next.collect(),
            left_out = self.left_out,
        )
    }
}

/// The next sizes of the network that `text` means, as [`grow_to`] has them, with the plan of each expansion. Where
/// `cost_model` says how many ports a switch has, what needs more is omitted, with the ports that it needs; the links
/// of more than 2^20 switches are not counted for that. Ports are broken out where the network itself needs it
/// ([`cost_model_of`]).
///
/// ```
/// use nestnet::expansion::growth_plan;
/// use nestnet::physical::{CostModel, Speed};
/// use nestnet::Context;
///
/// let model = CostModel::cluster(Speed::Gb400);
/// let found = growth_plan("hosts(complete(4), 2)", None, &model, &Context::ALONE)?;
/// assert_eq!(found.growing.next.len(), found.plans.len());
///
/// // Three ports lead to the other switches: a third host takes a sixth.
/// let model = CostModel { switch_ports: 5, ..model };
/// let found = growth_plan("hosts(complete(4), 2)", None, &model, &Context::ALONE)?;
/// assert_eq!(found.left_out[0].spec.to_string(), "hosts(complete(4), 3)");
/// assert_eq!((found.left_out.len(), found.left_out[0].ports), (2, 6));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn growth_plan(
    text: &str,
    hosts: Option<u64>,
    cost_model: &CostModel,
    context: &Context<'_>,
) -> Result<GrowthPlan, GrowError> {
    let build =
        |text: &str| Ok::<Built, GrowError>(build_with(&Spec::parse(text)?, text, context)?);
    let built = build(text)?;
    let cost_model = &cost_model_of(&built, cost_model);
    let has = cost_model.switch_ports;
    let in_use = |built: &Built| match has {
        0 => Ok(None),
        _ => ports_in_use(built, cost_model, &context.budget.watch),
    };
    let used = in_use(&built)?;
    let switches =
        used.map(|(least_used, most_used)| SwitchPorts { ports: has, least_used, most_used });
    let (mut next, mut plans, mut left_out) = (Vec::new(), Vec::new(), Vec::new());
    for growth in grow_to(text, hosts, context)? {
        context.budget.watch.check()?;
        let larger = build(&growth.spec.to_string())?;
        if let Some((_, ports)) = in_use(&larger)?.filter(|(_, ports)| *ports > has) {
            let Growth { parameter, by, spec, .. } = growth;
            left_out.push(Unbuildable { parameter, by, spec, ports });
            continue;
        }
        if built.theory.hosts() < built.theory.order() {
            let rewiring = growth.rewiring.as_ref();
            plans.push(expansion(&built, &larger, rewiring, cost_model, &context.budget).ok());
        }
        next.push(growth);
    }
    context.budget.watch.check()?;
    let Degrees { links, cables, .. } = built.theory.degrees();
    let growing = Growing { nodes: built.order(), links, cables, next };
    Ok(GrowthPlan { switches, left_out, growing, plans })
}

/// Ports in use at the switch that uses the fewest and at the one that uses the most, or at routers, each with a port
/// for the NIC of its host. None where nobody counted. O(links) of the switches.
fn ports_in_use(
    built: &Built,
    cost_model: &CostModel,
    watch: &Watch<'_>,
) -> Result<Option<(u64, u64)>, Interrupted> {
    let Some(network) = built.network.as_deref() else {
        return Ok(counted_degrees(built, cost_model));
    };
    let (hosts, order) = (network.hosts(), network.order());
    let is_direct = hosts >= order;
    let first = if is_direct { 0 } else { hosts };
    if order - first > MAX_COUNTED {
        return Ok(counted_degrees(built, cost_model));
    }
    let own = u64::from(is_direct && cost_model.nic.is_some());
    let (mut least, mut most) = (u64::MAX, 0);
    for at in first..order {
        watch.check_each(at)?;
        let mut ports = own;
        network.for_each_neighbor(Node(at), &mut |_, _| ports += 1);
        (least, most) = (least.min(ports), most.max(ports));
    }
    Ok(Some((least, most)))
}

/// The same by the theory, where every node is a router and all degrees are known.
fn counted_degrees(built: &Built, cost_model: &CostModel) -> Option<(u64, u64)> {
    let is_direct = built.theory.hosts() >= built.theory.order();
    let Degrees { min, max, counts, .. } = built.theory.degrees();
    let own = u64::from(cost_model.nic.is_some());
    (is_direct && counts.is_some()).then_some((min.saturating_add(own), max.saturating_add(own)))
}

/// The plan of an expansion, by the bills of both fabrics and by what becomes of the links. O(links) of both.
///
/// ```
/// use nestnet::expansion::expansion;
/// use nestnet::grow::grow;
/// use nestnet::physical::{CostModel, Speed};
/// use nestnet::{Budget, Context, build};
///
/// let present = build("hosts(complete(4), 2)").unwrap();
/// let growth = &grow("hosts(complete(4), 2)", &Context::ALONE).unwrap()[1];
/// let larger = build(&growth.spec.to_string()).unwrap();
/// let model = CostModel::cluster(Speed::Gb400);
/// let plan = expansion(&present, &larger, growth.rewiring.as_ref(), &model, &Budget::default()).unwrap();
/// assert_eq!(growth.spec.to_string(), "hosts(complete(5), 2)");
/// assert_eq!((plan.new_hosts, plan.new_switches, plan.cables_moved), (2, 1, Some(0)));
/// assert_eq!(plan.new_cables, Some(2 + 4));
///
/// // Cables that nobody counted are not free of charge: there is no price then.
/// let uncounted = expansion(&present, &larger, None, &model, &Budget::default()).unwrap();
/// assert!(plan.price.is_some() && uncounted.price.is_none());
/// ```
pub fn expansion(
    present: &Built,
    larger: &Built,
    rewiring: Option<&Rewiring>,
    cost_model: &CostModel,
    budget: &Budget<'_>,
) -> Result<Expansion, BillError> {
    let [before, after] = [present, larger].map(|built| bill_of(built, cost_model, budget));
    let (before, after) = (before?, after?);
    let [switches_before, switches] = [present, larger].map(|built| {
        let switches = built.theory.order() - built.theory.hosts();
        switches.to_u64().unwrap_or(u64::MAX)
    });
    let boxes = |bill: &Bill| -> Vec<Item> {
        bill.items.iter().filter(|item| item.meters.is_none()).cloned().collect()
    };
    let present_boxes = boxes(&before);
    let items = boxes(&after).into_iter().filter_map(|item| {
        let there = present_boxes.iter().find(|one| one.item == item.item);
        let more = item.count.saturating_sub(there.map_or(0, |one| one.count));
        (more > 0).then(|| item.of(more))
    });
    let items: Vec<Item> = items.collect();
    let moved = rewiring.and_then(|found| found.removed.to_u64());
    let cables = rewiring.and_then(|found| found.added.to_u64());
    let new_cables = cables.zip(moved).map(|(added, moved)| added.saturating_sub(moved));
    let all: u64 = after.cable_lengths.iter().map(|row| row.cables).sum();
    let cable_items = after.items.iter().filter(|item| item.meters.is_some());
    let mean = cable_items.map(|item| item.price).sum::<f64>() / all.max(1) as f64;
    let boxes: f64 = items.iter().map(|item| item.price).sum();
    let price = new_cables.map(|cables| boxes + mean * cables as f64);
    let new_hosts = after.hosts.saturating_sub(before.hosts);
    Ok(Expansion {
        hosts: after.hosts,
        new_hosts,
        switches,
        new_switches: switches.saturating_sub(switches_before),
        cables_moved: moved,
        new_cables,
        items,
        price,
        price_per_new_host: price.filter(|_| new_hosts > 0).map(|price| price / new_hosts as f64),
    })
}
