//! Expansion of a fabric: which boxes are new, which cables move, and what does it cost?

use crate::compare::{BillError, bill_of};
use crate::physical::{Bill, CostModel, Item};
use nestnet_analysis::grow::Rewiring;
use nestnet_graph::Budget;
use nestnet_topologies::family::Built;
use num_traits::ToPrimitive as _;
use serde::Serialize;

/// What it takes to make a larger fabric of the present one.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Expansion {
    /// Hosts of the larger fabric.
    pub hosts: u64,
    /// How many more than now.
    pub new_hosts: u64,
    /// Switches of the larger fabric.
    pub switches: u64,
    /// How many more than now.
    pub new_switches: u64,
    /// Present cables that are plugged in elsewhere; none where that was not counted.
    pub cables_moved: Option<u64>,
    /// Cables that are purchased, beyond those that move; none where that was not counted.
    pub new_cables: Option<u64>,
    /// Switches, ports and interfaces that are purchased.
    pub items: Vec<Item>,
    /// Dollars for all that is purchased; a cable at the average price of those of the larger fabric. None where the cables were not counted.
    pub price: Option<f64>,
    /// Dollars for each new host; none where there is none or the price is not known.
    pub price_per_new_host: Option<f64>,
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
