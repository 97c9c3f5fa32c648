//! Allgather on a cycle through all nodes, and a bounded search for one.

use super::plan::{PlanError, afford, port_to};
use super::{LazySchedule, Ports, Schedule, Transfer};
use nestnet_graph::measure::{Watch, splitmix64};
use nestnet_graph::{Budget, Csr, Network, Node, Port, index};

/// A cycle through all nodes of at least three, if a bounded search finds one; `None` says nothing of whether there
/// is one.
///
/// A path grows to the neighbor with the fewest free neighbors; where it is stuck, its tail is turned around at a neighbor of
/// its end (L. Pósa, 1976). Always the same cycle; at most about 4096 moves a node.
///
/// ```
/// use nestnet_graph::Csr;
/// use nestnet_collectives::cycle;
/// use nestnet_graph::measure::Watch;
///
/// let square = Csr::from_links(4, &[(0, 2), (2, 1), (1, 3), (3, 0)], 1 << 20)?;
/// assert_eq!(cycle(&square, &Watch::SILENT)?, Some(vec![0, 2, 1, 3]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn cycle(csr: &Csr, watch: &Watch<'_>) -> Result<Option<Vec<u32>>, PlanError> {
    const MOVES: u64 = 1 << 12;
    const TRIES: u64 = 16;
    let order = nestnet_graph::measure::count(csr);
    let degrees = nestnet_graph::measure::nodes(csr).map(|node| csr.neighbors(node).len());
    if order < 3 || degrees.min().is_none_or(|least| least < 2) {
        return Ok(None);
    }
    for attempt in 0..TRIES {
        if let Some(found) = grow(csr, attempt, order as u64 * MOVES / TRIES, watch)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// One attempt.
fn grow(
    csr: &Csr,
    attempt: u64,
    moves: u64,
    watch: &Watch<'_>,
) -> Result<Option<Vec<u32>>, PlanError> {
    let order = nestnet_graph::measure::count(csr);
    const OFF: usize = usize::MAX;
    let mut path = Vec::with_capacity(order);
    let mut place = vec![OFF; order];
    let mut free: Vec<usize> =
        nestnet_graph::measure::nodes(csr).map(|node| csr.neighbors(node).len()).collect();
    let mut dice = splitmix64(attempt);
    let mut spent = 0u64;
    let mut next = Some(0u32);
    // The other end of the path may have a way on where this one has none.
    let mut turned = false;
    while spent < moves {
        watch.check()?;
        if let Some(node) = next.take() {
            place[node as usize] = path.len();
            path.push(node);
            csr.neighbors(node).iter().for_each(|&to| free[to as usize] -= 1);
            turned = false;
        }
        let end = *path.last().expect("it has begun");
        spent += csr.neighbors(end).len() as u64;
        dice = splitmix64(dice);
        if path.len() == order && csr.neighbors(end).binary_search(&path[0]).is_ok() {
            return Ok(Some(path));
        }
        let free_neighbors = csr.neighbors(end).iter().filter(|&&to| place[to as usize] == OFF);
        let rank =
            |to: u32| if attempt == 0 { to.into() } else { splitmix64(dice ^ u64::from(to)) };
        next = free_neighbors.copied().min_by_key(|&to| (free[to as usize], rank(to)));
        if next.is_some() {
            continue;
        }
        if path.len() < order && !turned {
            path.reverse();
            path.iter().enumerate().for_each(|(at, &node)| place[node as usize] = at);
            spent += path.len() as u64;
            turned = true;
            continue;
        }
        // All neighbors are on the path; the one just before the end would change nothing.
        let on_path = csr.neighbors(end).iter().map(|&to| place[to as usize]);
        let turns: Vec<usize> = on_path.filter(|&at| at + 2 < path.len()).collect();
        let Some(&at) = turns.get(index(dice % turns.len().max(1) as u64)) else {
            return Ok(None);
        };
        path[at + 1..].reverse();
        for (at, &node) in path.iter().enumerate().skip(at + 1) {
            place[node as usize] = at;
        }
        spent += (path.len() - at) as u64;
        turned = false;
    }
    Ok(None)
}

/// An allgather along a cycle through all nodes: everyone passes on what just arrived. With one port all blocks go
/// one way round, N − 1 steps, which is optimal; with all ports both ways, half as many.
///
/// ```
/// use nestnet_graph::Budget;
/// use nestnet_graph::Csr;
/// use nestnet_collectives::{Ports, around};
///
/// let ring = Csr::from_links(4, &[(0, 1), (1, 2), (2, 3), (3, 0)], 1 << 20)?;
/// assert_eq!(around(&ring, &[0, 1, 2, 3], Ports::One, &Budget::default())?.steps.len(), 3);
/// assert_eq!(around(&ring, &[0, 1, 2, 3], Ports::All, &Budget::default())?.steps.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn around(
    network: &dyn Network,
    cycle: &[u32],
    ports: Ports,
    budget: &Budget<'_>,
) -> Result<Schedule, PlanError> {
    afford((cycle.len() as u128).pow(2), budget)?;
    Ok(around_made(network, cycle, ports)?.collect())
}

/// The same, made when it is asked for.
pub(super) fn around_made(
    network: &dyn Network,
    cycle: &[u32],
    ports: Ports,
) -> Result<LazySchedule, PlanError> {
    let length = cycle.len();
    let node = |at: usize| Node(cycle[at % length].into());
    let port = |from: usize, to: usize| -> Result<Port, PlanError> {
        port_to(network, node(from), node(to)).ok_or(PlanError::NoCycle)
    };
    let ahead: Vec<Port> = (0..length).map(|at| port(at, at + 1)).collect::<Result<_, _>>()?;
    let back: Vec<Port> =
        (0..length).map(|at| port(at, at + length - 1)).collect::<Result<_, _>>()?;
    let cycle = cycle.to_vec();
    let rest = length.saturating_sub(1);
    let (one_way, other_way) = match ports {
        Ports::One => (rest, 0),
        Ports::All => (rest.div_ceil(2), rest / 2),
    };
    Ok(LazySchedule::new(one_way, move |number, out| {
        let node = |at: usize| Node(cycle[at % length].into());
        let forward = (0..length).map(|at| {
            let block = node(at + length - number).0;
            Transfer { from: node(at), port: ahead[at], block }
        });
        let backward = (0..length).filter(|_| number < other_way).map(|at| {
            let block = node(at + number).0;
            Transfer { from: node(at), port: back[at], block }
        });
        out.extend(forward.chain(backward));
    }))
}
