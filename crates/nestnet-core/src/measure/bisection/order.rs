//! In which order do we visit the nodes so that few of those visited still have neighbors to come?

use super::super::{count, id, nodes, scramble};
use crate::Csr;

/// An order of all nodes and its *frontier*: how many visited nodes have neighbors that are not, after each step.
#[derive(Clone, Debug)]
pub struct Order {
    pub nodes: Vec<u32>,
    pub widest: usize,
    /// The sum of 2^frontier over all steps: what a search over all sides of the frontier costs.
    cost: f64,
}

/// A good order: greedy from many nodes, the node that leaves the smallest frontier next, ties by dice.
pub fn small_frontier(csr: &Csr) -> Order {
    let n = count(csr);
    // About 2^22 steps in all.
    let tries = ((1 << 22) / (n * n).max(1)).clamp(4, 400);
    let greedy = (0..tries).map(|number| {
        let dice = scramble(number as u64);
        let start = if number < n { number } else { number % n.max(1) };
        greedy(csr, start, dice)
    });
    let best = greedy.min_by(|a, b| a.cost.total_cmp(&b.cost));
    best.expect("at least one try")
}

fn greedy(csr: &Csr, start: usize, dice: u64) -> Order {
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
        let score = |&v: &u32| {
            let done =
                csr.neighbors(v).iter().filter(|&&u| visited[u as usize] && open[u as usize] == 1);
            let grows = usize::from(open[v as usize] > 0) + n - done.count();
            (grows, open[v as usize], scramble(dice ^ u64::from(v)))
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
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::samples::*;

    #[test]
    fn orders_are_complete_and_narrow() {
        for (csr, widest) in [(path(9), 1), (ring(9), 2), (torus(6, 9), 14), (complete(6), 5)] {
            let order = small_frontier(&csr);
            let mut sorted = order.nodes.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, nodes(&csr).collect::<Vec<_>>());
            assert!(order.widest <= widest, "{} is wider than {widest}", order.widest);
        }
    }
}
