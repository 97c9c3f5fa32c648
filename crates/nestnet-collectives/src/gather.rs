//! Scatter and gather: every host has a block of its own, which the root sends or wants.

use super::branches::{Branches, Parents, Twig};
use super::plan::{PlanError, afford, put, reversed};
use super::{Ports, Schedule, Transfer};
use nestnet_graph::{Budget, Network, Node};

/// A scatter along a tree of shortest paths, in a pipeline: the block with the farthest to go leaves first, and none
/// ever waits on its way.
///
/// With one port no schedule on this tree is shorter; with all ports the branches, made about equal, work at once.
///
/// ```
/// use nestnet_collectives::{Ports, scatter};
/// use nestnet_graph::Budget;
/// use nestnet_graph::{Csr, Node};
///
/// let ring = Csr::from_links(4, &[(0, 1), (1, 2), (2, 3), (3, 0)], 1 << 20)?;
/// let one = scatter(&ring, Node(0), Ports::One, &Budget::default())?;
/// let all = scatter(&ring, Node(0), Ports::All, &Budget::default())?;
/// assert_eq!((one.steps.len(), all.steps.len()), (3, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn scatter(
    network: &dyn Network,
    root: Node,
    ports: Ports,
    budget: &Budget<'_>,
) -> Result<Schedule, PlanError> {
    let tree = Branches::new(network, root, Parents::Balanced, budget)?;
    let hosts = network.hosts();
    let is_target = |twig: &Twig| twig.depth > 0 && twig.node.0 < hosts;
    let depths = tree.twigs.iter().filter(|twig| is_target(twig));
    afford(depths.map(|twig| u128::from(twig.depth)).sum(), budget)?;
    let mut sent = vec![0u64; network.ports() as usize];
    let mut steps = Vec::new();
    // The twigs are in ascending order of depth.
    for (at, twig) in tree.twigs.iter().enumerate().rev() {
        if !is_target(twig) {
            continue;
        }
        budget.check()?;
        let leaves = match ports {
            Ports::One => &mut sent[0],
            Ports::All => &mut sent[twig.branch.0 as usize],
        };
        for (_, on_the_way) in tree.path(at) {
            let from = tree.twigs[on_the_way.parent as usize].node;
            let step = *leaves + u64::from(on_the_way.depth) - 1;
            put(&mut steps, step, Transfer { from, port: on_the_way.down, block: twig.node.0 });
        }
        *leaves += 1;
    }
    Ok(Schedule { steps })
}

/// A gather: the [`scatter`] backward.
///
/// ```
/// use nestnet_collectives::{Ports, gather};
/// use nestnet_graph::{Budget, Csr, Node};
///
/// let square = Csr::from_links(4, &[(0, 1), (1, 3), (3, 2), (2, 0)], 1 << 20)?;
/// let schedule = gather(&square, Node(0), Ports::One, &Budget::default())?;
/// assert_eq!(schedule.steps.len(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn gather(
    network: &dyn Network,
    root: Node,
    ports: Ports,
    budget: &Budget<'_>,
) -> Result<Schedule, PlanError> {
    Ok(reversed(network, &scatter(network, root, ports, budget)?))
}
