//! Collectives by name, on the routes that a network gets in a design.

use crate::carried::router_of;
pub use nestnet_analysis::collectives::*;
use nestnet_graph::Budget;
use nestnet_topologies::family::Built;

/// The plan that is asked for, or the best; where no router is named by that which [`design`](crate::design) gives the
/// network.
///
/// ```
/// use nestnet::build;
/// use nestnet::collective::{Collective, Price};
/// use nestnet::collectives::{Ask, plan};
/// use nestnet::Budget;
///
/// let built = build("planes(clos(4, 2), 2)")?;
/// let price = Price { alpha: 0.0, beta: 1e-9, hop: 0.0 };
/// let ask = Ask { price, bytes: 8000, ..Ask::of(Collective::AllToAll) };
/// let found = plan(&built, &ask, &Budget::default())?;
/// assert_eq!(found.router.as_deref(), Some("spread"));
/// // Seven blocks of eight, half of each by either plane.
/// assert!((found.choice.best.time.seconds - 3.5e-6).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn plan(
    built: &Built,
    ask: &Ask,
    budget: &Budget<'_>,
) -> Result<CollectivePlan, CollectiveError> {
    let by_links = built.network.as_ref().is_none_or(|network| network.hosts() == network.order());
    let usual = || (!by_links).then(|| router_of(built, budget).to_owned());
    let router = ask.router.clone().or_else(usual);
    nestnet_analysis::collectives::plan(built, &Ask { router, ..ask.clone() }, budget)
}
