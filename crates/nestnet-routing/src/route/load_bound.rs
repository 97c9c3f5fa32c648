//! How busy must the busiest link be, whichever routes are taken?

use nestnet_graph::fabric::Fabric;

/// When each host sends one message to every other, split evenly over `choices` routes, at least so many routes pass the
/// busiest channel between switches. `hops` are the links of all shortest routes together, `choices` times each.
///
/// There must be a path between all hosts. The mean over all channels; and what hosts of one switch send to all others, over the cables of that switch. They
/// receive as much. O(switches).
///
/// ```
/// use nestnet_graph::fabric::Fabric;
/// use nestnet_graph::{Budget, Csr};
/// use nestnet_routing::route::load_bound;
///
/// // The middle of a path of three passes two messages on; each end sends two.
/// let path = Csr::from_links(3, &[(0, 1), (1, 2)], 1 << 20)?;
/// assert_eq!(load_bound(&Fabric::of(&path, &Budget::default())?, 8, 1), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn load_bound(fabric: &Fabric, hops: u128, choices: u64) -> u64 {
    let over = |routes: u128, channels: usize| match channels {
        0 => 0,
        channels => u64::try_from(routes.div_ceil(channels as u128)).unwrap_or(u64::MAX),
    };
    let all = fabric.at.len() as u128;
    let sent = |(at, &hosts): (u32, &u32)| {
        let own = u128::from(hosts);
        over(own * (all - own) * u128::from(choices), fabric.csr.neighbors(at).len())
    };
    let from_switches = (0..).zip(&fabric.hosts).map(sent).max().unwrap_or(0);
    from_switches.max(over(hops, fabric.csr.targets().len()))
}
