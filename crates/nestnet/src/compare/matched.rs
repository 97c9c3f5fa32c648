//! What do networks that are compared have about as much of, and how near is near enough?

use super::bill_of;
use crate::physical::CostModel;
use nestnet_analysis::measures::{Analysis, Limits, find_bisection};
use nestnet_graph::{Budget, Network};
use nestnet_topologies::family::{Built, Family, Near, families};
use num_bigint::BigUint;
use num_traits::ToPrimitive;
use serde::Serialize;
use std::cmp::Ordering;

/// What networks that are compared have about as much of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Matched {
    /// As many hosts; of those that have, the nearest number of ports.
    #[default]
    Hosts,
    /// As many ports of routers, those of hosts among them.
    Ports,
    /// As many dollars.
    Dollars,
    /// As many links across the bisection, by the best cut that is known.
    Bisection,
}

impl Matched {
    /// All of them.
    pub const ALL: [Matched; 4] =
        [Matched::Hosts, Matched::Ports, Matched::Dollars, Matched::Bisection];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Matched::Hosts => "hosts",
            Matched::Ports => "ports",
            Matched::Dollars => "dollars",
            Matched::Bisection => "bisection",
        }
    }

    /// How much of it a network takes; `None` where that is not known.
    pub fn of(self, built: &Built, cost_model: &CostModel, budget: &Budget<'_>) -> Option<f64> {
        let number = |value: &BigUint| value.to_f64();
        match self {
            Matched::Hosts => number(&built.theory.hosts()),
            Matched::Ports => ports(built),
            Matched::Dollars => bill_of(built, cost_model, budget).ok().map(|bill| bill.price),
            Matched::Bisection => {
                let subject = Analysis::new(built, Limits { how: None, budget: *budget });
                let csr = subject.csr().ok()?;
                (csr.order() <= MOST_CUT).then(|| find_bisection(&subject, csr).high as f64)
            }
        }
    }
}

/// Larger networks are not cut.
const MOST_CUT: u64 = 1 << 14;

/// Ports of routers: a host of its own takes one too.
pub(super) fn ports(built: &Built) -> Option<f64> {
    let (order, hosts) = (built.theory.order(), built.theory.hosts());
    let links = 2.0 * built.theory.degrees().links.to_f64()?;
    let hosts_take = hosts.to_f64()?;
    Some(if order == hosts { links + hosts_take } else { links - hosts_take })
}

/// A family that has no network near enough.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LeftOut {
    /// The name of its family.
    pub family: String,
    /// The network of that family that is nearest; none where there is none.
    pub nearest: Option<String>,
}

/// No more than so many times as large or as small, in hosts and in what is matched.
pub(super) const MOST_APART: f64 = 2.0;

/// How many times the larger is the smaller.
pub(super) fn apart(a: f64, b: f64) -> f64 {
    a.max(b) / a.min(b).max(f64::MIN_POSITIVE)
}

/// Numbers from `low` to `high`, all of them where they are few.
pub(super) fn spread(low: u64, high: u64) -> Vec<u64> {
    /// So many are tried at most.
    const MOST: u64 = 64;
    let step = usize::try_from((high.saturating_sub(low) / MOST).max(1)).unwrap_or(usize::MAX);
    (low..=high).step_by(step).collect()
}

/// Which of two candidates comes first, by numbers of falling weight.
pub(super) fn compared<const N: usize>(a: [f64; N], b: [f64; N]) -> Ordering {
    let order = a.into_iter().zip(b).map(|(a, b)| a.total_cmp(&b));
    order.fold(Ordering::Equal, Ordering::then)
}

/// Up to so many times as many is about as many.
pub(super) const ALIKE: f64 = 1.1;

/// The rows that are baselines, those that are drawn at random last.
pub(super) fn rows() -> Vec<(&'static Family, Near)> {
    let mut rows: Vec<(&Family, Near)> =
        families().filter_map(|family| Some((family, family.facts.near?))).collect();
    rows.sort_by_key(|(family, _)| family.is_drawn());
    rows
}
