//! Disjoint paths against slow reference versions: a flow by Bellman's search, and the vertex connectivity.

use super::*;
use nestnet_graph::measure::connectivity::vertex_connectivity;
use nestnet_graph::measure::search::distances_from;
use nestnet_graph::network::sorted_neighbors;
use nestnet_graph::{Csr, Interrupted, Port};
use nestnet_seed::samples::*;
use proptest::prelude::*;

/// A stored network that knows its distances, as networks with a closed form do.
#[derive(Debug)]
struct Closed {
    csr: Csr,
    distances: Vec<Vec<u32>>,
}

impl Closed {
    fn new(csr: Csr) -> Self {
        let distances = (0..csr.order()).map(|at| distances_from(&csr, Node(at))).collect();
        Closed { csr, distances }
    }
}

impl Network for Closed {
    fn order(&self) -> u64 {
        self.csr.order()
    }

    fn ports(&self) -> u32 {
        self.csr.ports()
    }

    fn neighbor(&self, at: Node, port: Port) -> Option<Node> {
        self.csr.neighbor(at, port)
    }

    fn distance(&self, from: Node, to: Node) -> Option<u64> {
        let [from, to] = [from, to].map(|node| usize::try_from(node.0).unwrap());
        Some(self.distances[from][to]).filter(|&far| far != u32::MAX).map(u64::from)
    }
}

/// The reference: how many paths there are and how long they are in total, at the least. Arcs with costs, searched by
/// relaxing all of them until nothing changes.
fn slowly(csr: &Csr, from: Node, to: Node) -> (usize, usize) {
    let n = usize::try_from(csr.order()).unwrap();
    let index = |node: Node| usize::try_from(node.0).unwrap();
    // (tail, head, free, cost); entries are 2v, exits 2v + 1; every arc is followed by its reverse.
    let mut arcs: Vec<(usize, usize, bool, i64)> = Vec::new();
    let mut add = |tail, head, cost| {
        arcs.push((tail, head, true, cost));
        arcs.push((head, tail, false, -cost));
    };
    for at in (0..csr.order()).map(Node) {
        if at != from && at != to {
            add(2 * index(at), 2 * index(at) + 1, 0);
        }
        let mut neighbors = sorted_neighbors(csr, at);
        // Paths over two cables of a link are one.
        neighbors.dedup();
        for next in neighbors {
            add(2 * index(at) + 1, 2 * index(next), 1);
        }
    }
    let (mut paths, mut total) = (0, 0);
    loop {
        let mut cost = vec![i64::MAX; 2 * n];
        let mut by = vec![usize::MAX; 2 * n];
        cost[2 * index(from) + 1] = 0;
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for (arc, &(tail, head, free, length)) in arcs.iter().enumerate() {
                if free && cost[tail] != i64::MAX && cost[tail] + length < cost[head] {
                    (cost[head], by[head], changed) = (cost[tail] + length, arc, true);
                }
            }
        }
        let mut at = 2 * index(to);
        if cost[at] == i64::MAX {
            return (paths, total);
        }
        paths += 1;
        total += usize::try_from(cost[at]).unwrap();
        while at != 2 * index(from) + 1 {
            let arc = by[at];
            arcs[arc].2 = false;
            arcs[arc ^ 1].2 = true;
            at = arcs[arc].0;
        }
    }
}

fn find(network: &dyn Network, from: u64, to: u64) -> Disjoint {
    let found = disjoint_paths(network, Node(from), Node(to), 1 << 20, &Watch::SILENT).unwrap();
    assert_eq!(check_disjoint(network, Node(from), Node(to), &found.paths), Ok(()));
    found
}

fn total(paths: &[Vec<Node>]) -> usize {
    paths.iter().map(|path| path.len() - 1).sum()
}

#[test]
fn known_paths() {
    let found = find(&complete(6), 0, 5);
    assert_eq!((found.paths.len(), total(&found.paths)), (5, 9));
    let found = find(&cube(4), 0, 15);
    assert_eq!((found.paths.len(), total(&found.paths), found.proof), (4, 16, Proof::Degrees));
    // Node 0 is in a clique of six that shares two nodes with the other.
    let found = find(&two_cliques(6, 2), 0, 9);
    assert_eq!((found.paths.len(), found.bound, found.proof), (2, 5, Proof::Flow));
    let found = find(&graph(4, &[(0, 1), (2, 3)]), 0, 3);
    assert_eq!((found.paths.len(), found.bound, found.proof), (0, 1, Proof::Flow));
}

#[test]
fn a_small_budget_is_said() {
    let csr = torus(8, 8);
    let ask = |budget| disjoint_paths(&csr, Node(0), Node(36), budget, &Watch::SILENT).unwrap();
    let found = ask(20);
    assert_eq!(found.proof, Proof::Open);
    assert!(found.paths.len() < 4);
    assert_eq!(check_disjoint(&csr, Node(0), Node(36), &found.paths), Ok(()));
    assert_eq!(ask(10_000).proof, Proof::Degrees);
}

#[test]
fn what_cannot_be_asked() {
    let ask = |watch: &Watch<'_>, to| disjoint_paths(&ring(5), Node(1), Node(to), 100, watch);
    let same = ask(&Watch::SILENT, 1);
    assert_eq!(same, Err(DisjointError::Same { node: Node(1) }));
    let stopped = ask(&Watch { stop: &|| true, ..Watch::SILENT }, 2);
    assert_eq!(stopped, Err(DisjointError::Interrupted(Interrupted)));
}

#[test]
fn flaws_are_found() {
    let csr = ring(5);
    let check = |paths: &[&[u64]]| {
        let paths: Vec<Vec<Node>> =
            paths.iter().map(|path| path.iter().copied().map(Node).collect()).collect();
        check_disjoint(&csr, Node(0), Node(1), &paths)
    };
    assert_eq!(check(&[&[0, 1], &[0, 4, 3, 2, 1]]), Ok(()));
    assert_eq!(check(&[&[0, 4]]), Err(DisjointFlaw::Ends { path: 0 }));
    assert_eq!(check(&[&[0, 1], &[0, 1]]), Err(DisjointFlaw::Repeated { path: 1 }));
    let no_link = DisjointFlaw::NoLink { path: 0, from: Node(0), to: Node(3) };
    assert_eq!(check(&[&[0, 3, 2, 1]]), Err(no_link));
    let path: &[u64] = &[0, 4, 3, 2, 1];
    assert_eq!(check(&[path, path]), Err(DisjointFlaw::Shared { path: 1, node: Node(4) }));
    let back = &[0, 4, 0, 1];
    assert_eq!(check(&[back]), Err(DisjointFlaw::Shared { path: 0, node: Node(0) }));
}

/// All paths by searches that do not care for the length, from both ends in turn.
fn anyhow(network: &dyn Network, from: Node, to: Node, guides: [&Guide; 2]) -> Vec<Vec<Node>> {
    let mut flow = Flow::new(from, to);
    for backward in [false, true].into_iter().cycle() {
        let found = match backward {
            true => any_more(network, guides[1], &flow.reversed(), &mut { 1 << 20 }).reversed(),
            false => any_more(network, guides[0], &flow, &mut { 1 << 20 }),
        };
        match found {
            Found::Path(path) => flow.apply(&path),
            Found::Nothing => break,
            Found::Spent => panic!("the budget is large"),
        }
    }
    flow.trace()
}

/// Any paths, where cheapest ones take too long: what a search does not look at is left for the next.
#[test]
fn what_is_not_looked_at_is_not_spent() {
    let network = ring(5);
    let (from, to) = (Node(0), Node(2));
    let guide = Guide::new(&network, from, to, MAX_GUIDED);
    let watch = &Watch::SILENT;
    let mut ask = Ask { network: &network, from, to, guide, back: None, budget: 1000, watch };
    let mut flow = Flow::new(from, to);
    assert!(matches!(ask.increase_anyhow(&mut flow, 2), Ok(Found::Nothing)));
    assert_eq!(flow.paths(), 2);
    assert_eq!(check_disjoint(&network, from, to, &flow.trace()), Ok(()));
    // Each search looks at an entry and an exit of every node at most.
    assert!((980..1000).contains(&ask.budget), "{} are left", ask.budget);
    // There is no third, and that is seen at once.
    let before = ask.budget;
    assert!(matches!(ask.one_more(&mut flow), Ok(Found::Nothing)));
    assert!((before - 10..before).contains(&ask.budget), "{} of {before} are left", ask.budget);
    // Too few looks for one path: all are spent, and that is said.
    let mut ask = Ask { budget: 2, ..ask };
    assert!(matches!(ask.increase_anyhow(&mut Flow::new(from, to), 2), Ok(Found::Spent)));
    assert_eq!(ask.budget, 0);
}

proptest! {
    #![proptest_config(nestnet_seed::config())]

    #[test]
    fn equals_its_reference(csr in any_multigraph(9)) {
        prop_assume!(csr.order() >= 2);
        let closed = Closed::new(csr.clone());
        for from in 0..csr.order() {
            for to in (0..csr.order()).filter(|&to| to != from) {
                let slow = slowly(&csr, Node(from), Node(to));
                for network in [&csr as &dyn Network, &closed] {
                    let found = find(network, from, to);
                    prop_assert!(found.shortest);
                    prop_assert_eq!((found.paths.len(), total(&found.paths)), slow);
                    prop_assert!(found.proof != Proof::Open);
                    let (from, to) = (Node(from), Node(to));
                    for most in [0, MAX_GUIDED] {
                        let there = Guide::new(network, from, to, most);
                        let back = Guide::new(network, to, from, most);
                        let paths = anyhow(network, from, to, [&there, &back]);
                        prop_assert_eq!(check_disjoint(network, from, to, &paths), Ok(()));
                        prop_assert_eq!(paths.len(), slow.0);
                    }
                }
            }
        }
    }

    /// Blind, the search for the cheapest is a plain one, and finds the same.
    #[test]
    fn a_guide_changes_nothing(csr in any_multigraph(9)) {
        prop_assume!(csr.order() >= 2);
        let (from, to) = (Node(0), Node(csr.order() - 1));
        let (mut flow, mut potentials) = (Flow::new(from, to), Potentials::default());
        while let Found::Path(path) =
            cheapest_more(&csr, &Guide::Blind, &flow, &mut potentials, &mut { 1 << 20 })
        {
            flow.apply(&path);
        }
        let paths = flow.trace();
        prop_assert_eq!((paths.len(), total(&paths)), slowly(&csr, from, to));
    }

    /// Menger: the fewest paths between nodes that are not linked are the fewest nodes that separate.
    #[test]
    fn the_least_is_the_connectivity(csr in any_multigraph(9)) {
        let connectivity = vertex_connectivity(&csr, None, &Watch::SILENT).unwrap();
        let linked = |a: u64, b| sorted_neighbors(&csr, Node(a)).contains(&Node(b));
        let pairs = (0..csr.order()).flat_map(|b| (0..b).map(move |a| (a, b)));
        let apart = pairs.filter(|&(a, b)| !linked(a, b));
        let least = apart.map(|(a, b)| find(&csr, a, b).paths.len()).min();
        let all_linked = usize::try_from(csr.order()).unwrap() - 1;
        prop_assert_eq!(least.unwrap_or(all_linked), connectivity.value as usize);
    }
}
