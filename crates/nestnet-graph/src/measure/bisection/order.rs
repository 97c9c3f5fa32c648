//! In which order do we visit the nodes so that few of those visited still have neighbors to come?

use super::super::{Watch, count, id, nodes, splitmix64};
use crate::Csr;

/// An order of all nodes and its *frontier*: how many visited nodes have neighbors that are not, after each step.
#[derive(Clone, Debug)]
pub struct Order {
    pub nodes: Vec<u32>,
    pub widest: usize,
    /// The sum of 2^frontier over all steps: what a search over all sides of the frontier costs.
    cost: f64,
}

/// Frontiers must be narrower than this: a bit for each of their nodes.
const TOO_WIDE: usize = 64;

/// Nodes that are weighed in all, so that a network without a narrow order is left soon.
const MAX_WEIGHED: usize = 1 << 27;

/// A good order: greedy from many nodes, the node that leaves the smallest frontier next, ties by dice. `None` where
/// every frontier is too wide for a search, or when stopped.
pub fn small_frontier(csr: &Csr, watch: &Watch<'_>) -> Option<Order> {
    // How wide a link is does not change a frontier.
    let slim = csr.has_trunks().then(|| csr.without_trunks());
    let csr = slim.as_ref().unwrap_or(csr);
    let n = count(csr);
    // About 2^22 steps in all.
    let tries = ((1 << 22) / (n * n).max(1)).clamp(4, 400);
    let mut best: Option<Order> = None;
    let mut weighed = 0;
    for number in 0..tries {
        let dice = splitmix64(number as u64);
        let most = best.as_ref().map_or(f64::INFINITY, |order| order.cost);
        let order = greedy(csr, number % n.max(1), dice, most, &mut weighed, watch);
        best = order.or(best);
    }
    best.filter(|_| !(watch.stop)())
}

/// An order that costs less than `most`; nodes that are weighed are counted.
fn greedy(
    csr: &Csr,
    start: usize,
    dice: u64,
    most: f64,
    weighed: &mut usize,
    watch: &Watch<'_>,
) -> Option<Order> {
    let n = count(csr);
    let mut visited = vec![false; n];
    // How many neighbors of each node are not yet visited.
    let mut open: Vec<usize> = nodes(csr).map(|v| csr.neighbors(v).len()).collect();
    let mut order = Order { nodes: Vec::with_capacity(n), widest: 0, cost: 0.0 };
    let mut near: Vec<u32> = Vec::new();
    let mut is_near = vec![false; n];
    let mut frontier = 0;
    let mut fresh = (start..n).chain(0..start).map(id);
    while order.nodes.len() < n {
        *weighed += near.len();
        if *weighed > MAX_WEIGHED || order.nodes.len().is_multiple_of(256) && (watch.stop)() {
            return None;
        }
        let score = |&v: &u32| {
            let done =
                csr.neighbors(v).iter().filter(|&&u| visited[u as usize] && open[u as usize] == 1);
            let grows = usize::from(open[v as usize] > 0) + n - done.count();
            (grows, open[v as usize], splitmix64(dice ^ u64::from(v)))
        };
        let next = match near.iter().copied().min_by_key(score) {
            Some(v) => v,
            None => match fresh.find(|&v| !visited[v as usize]) {
                Some(v) => v,
                None => break,
            },
        };
        near.retain(|&v| v != next);
        visited[next as usize] = true;
        frontier += usize::from(open[next as usize] > 0);
        for &to in csr.neighbors(next) {
            open[to as usize] -= 1;
            if visited[to as usize] {
                frontier -= usize::from(open[to as usize] == 0);
            } else if !std::mem::replace(&mut is_near[to as usize], true) {
                near.push(to);
            }
        }
        order.nodes.push(next);
        order.widest = order.widest.max(frontier);
        order.cost += 2f64.powi(i32::try_from(frontier).unwrap_or(i32::MAX));
        if order.widest >= TOO_WIDE || order.cost >= most {
            return None;
        }
    }
    Some(order)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::*;

    #[test]
    fn orders_are_complete_and_narrow() {
        for (csr, widest) in [(path(9), 1), (ring(9), 2), (torus(6, 9), 14), (complete(6), 5)] {
            let order = small_frontier(&csr, &Watch::SILENT).unwrap();
            let mut sorted = order.nodes.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, nodes(&csr).collect::<Vec<_>>());
            assert!(order.widest <= widest, "{} is wider than {widest}", order.widest);
        }
        assert!(small_frontier(&complete(70), &Watch::SILENT).is_none());
        let stopped = Watch { stop: &|| true, ..Watch::SILENT };
        assert!(small_frontier(&path(9), &stopped).is_none());
    }
}
