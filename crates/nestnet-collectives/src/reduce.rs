//! Sums: at one root by a broadcast backward, at every host by a broadcast or an allgather both ways.

use super::branches::{Branches, Parents};
use super::plan::{PlanError, put, reversed};
use super::{Ports, Schedule, Transfer};
use nestnet_graph::measure::search::distances_from;
use nestnet_graph::{Budget, Network, Node, index};

/// A broadcast along a tree of shortest paths: with one port [in turn](Branches::in_turn), with all ports to all children
/// at once, which is optimal for the network.
pub fn spread(
    network: &dyn Network,
    root: Node,
    ports: Ports,
    budget: &Budget<'_>,
) -> Result<Schedule, PlanError> {
    let tree = Branches::new(network, root, Parents::First, budget)?;
    let twigs = &tree.twigs;
    let mut steps = Vec::new();
    if ports == Ports::All {
        for twig in &twigs[1..] {
            let from = twigs[twig.parent as usize].node;
            put(
                &mut steps,
                u64::from(twig.depth) - 1,
                Transfer { from, port: twig.down, block: 0 },
            );
        }
        return Ok(Schedule { steps });
    }
    Ok(tree.in_turn().0)
}

/// A reduction of one block: [`spread`] backward.
///
/// ```
/// use nestnet_collectives::{Goal, Model, Ports, Repeats, check, reduce};
/// use nestnet_graph::Budget;
/// use nestnet_graph::{Csr, Node};
///
/// let ring = Csr::from_links(4, &[(0, 1), (1, 2), (2, 3), (3, 0)], 1 << 20)?;
/// let schedule = reduce(&ring, Node(0), Ports::One, &Budget::default())?;
/// let model = Model { ports: Ports::One, repeats: Repeats::Forbidden };
/// let goal = Goal::Reduce { root: Node(0), blocks: 1 };
/// let cost = check(&ring, model, goal, schedule.stream(), &Budget::default())?;
/// assert_eq!((cost.steps, cost.transfers), (2, 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn reduce(
    network: &dyn Network,
    root: Node,
    ports: Ports,
    budget: &Budget<'_>,
) -> Result<Schedule, PlanError> {
    Ok(reversed(network, &spread(network, root, ports, budget)?))
}

/// Sums at every host: a schedule backward, then forward.
///
/// Given a broadcast that reaches every host once, one block is summed at its root and sent back; given an allgather
/// without repeats, block i is summed at host i and then gathered by all.
pub fn there_and_back(network: &dyn Network, forward: Schedule) -> Schedule {
    let mut both = reversed(network, &forward);
    both.steps.extend(forward.steps);
    both
}

/// A host from which no other is far: of the middle of a longest path that two searches find, or near it.
pub fn middle(network: &dyn Network) -> Node {
    let farthest = |distance: &[u32]| {
        let hosts = (0..network.hosts()).filter(|&host| distance[index(host)] != u32::MAX);
        hosts.rev().max_by_key(|&host| distance[index(host)]).map_or(Node(0), Node)
    };
    if network.order() == 0 {
        return Node(0);
    }
    let one = farthest(&distances_from(network, Node(0)));
    let from_one = distances_from(network, one);
    let from_other = distances_from(network, farthest(&from_one));
    let later = |host: u64| from_one[index(host)].max(from_other[index(host)]);
    (0..network.hosts()).min_by_key(|&host| later(host)).map_or(Node(0), Node)
}
