//! What does a network cost and carry, as far as that is known, and what could it at best?

use super::Question;
use crate::compare::{bill_of, wiring_of};
use crate::physical::Parts;
use crate::physical::floorplan::Wiring;
use nestnet_analysis::figures::{Figures, Range};
use nestnet_analysis::throughput::uniform;
use nestnet_graph::Budget;
use nestnet_topologies::family::Built;
use num_bigint::BigUint;
use num_traits::ToPrimitive;

/// What a network costs and carries, as far as that is known.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Cost {
    /// Dollars a host, at most one that was asked for; of a chip nothing.
    pub price: Option<f64>,
    /// θ of uniform traffic on all shortest paths.
    pub throughput: Option<f64>,
    /// The wire of a chip.
    pub wiring: Option<Wiring>,
    /// Picojoules of a bit from tile to tile, on average.
    pub energy: Option<f64>,
}

/// Larger networks are not laid out.
const MOST_LAID_OUT: u64 = 1 << 14;

impl Cost {
    pub(super) fn of(
        question: &Question,
        figures: &Figures,
        built: &Built,
        budget: &Budget<'_>,
    ) -> Self {
        if figures.nodes > MOST_LAID_OUT.into() {
            return Cost::default();
        }
        let wiring = question.tiles.and_then(|tiles| wiring_of(built, &tiles, budget).ok());
        let bill = match question.tiles {
            None => bill_of(built, &question.cost_model, budget).ok(),
            Some(_) => None,
        };
        let mean = figures.average_range().and_then(Range::exact);
        Cost {
            price: bill.map(|bill| bill.price / question.paying(bill.hosts.max(1) as f64)),
            // On a chip that of its routing, see `routed.rs`.
            throughput: match question.is_routed(&figures.nodes) {
                true => None,
                false => uniform(built, budget).ok().map(|theta| theta.value),
            },
            energy: wiring.zip(mean).map(|(wiring, mean)| wiring.hop_energy * mean),
            wiring,
        }
    }
}

/// At least so many dollars a host.
pub(super) fn least_price(question: &Question, figures: &Figures) -> f64 {
    let number = |value: &BigUint| value.to_f64().unwrap_or(f64::INFINITY);
    let (nodes, hosts, links) =
        (number(&figures.nodes), number(&figures.hosts), number(&figures.links));
    let price = question.cost_model.least_price(&Parts { nodes, hosts, links, switch_links: 0.0 });
    price / question.paying(hosts)
}

/// At most so much of uniform traffic: all channels together carry all that is sent.
pub(super) fn most_throughput(figures: &Figures) -> Option<f64> {
    let mean = figures.average_range()?.low;
    Some(2.0 * figures.links_per_host() / mean)
}

/// At least so many picojoules a bit: no wire between tiles is shorter than a tile.
pub(super) fn least_energy(question: &Question, figures: &Figures) -> Option<f64> {
    let tiles = question.tiles?;
    let wire = if figures.nodes == figures.hosts { tiles.wire_energy * tiles.side } else { 0.0 };
    Some(figures.average_range()?.low * (tiles.router_energy + wire))
}
