//! How many neighbors are visited a second? By rule and written out, node after node and here and there.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use nestnet::{Budget, Built, Csr, Network, Node, build};
use num_traits::ToPrimitive;
use std::sync::Arc;

/// One large instance of each kind of network.
const SPECS: &[&str] = &[
    "ring(1000000000)",
    "path(1000000)",
    "complete(1000)",
    "star(1000)",
    "tree(20)",
    "mesh(100, 100, 100)",
    "torus(100, 100, 100)",
    "hypercube(20)",
    "folded_hypercube(20)",
    "generalized_hypercube(16, 16, 16)",
    "petersen",
    "heawood",
    "hoffman_singleton",
    "re(torus(4, 4), torus(4, 4), 4)",
    "re(torus(4, 4), torus(4, 4), 4, pivots=degree)",
    "folded(heawood, 5)",
    "root_folded(heawood, 5)",
    "flooded(heawood, 5)",
    "re_heawood(5)",
    "re_heawood2(5)",
    "rdn(torus(5, 5), 2)",
    "rdn(hypercube(3), 3)",
    "dual_cube(10)",
    "rsn(hypercube(4), 3)",
    "rsn(heawood, 2, diameter_links=true)",
    "hcn(10)",
    "hfn(10)",
    "hsn(hypercube(5), 4)",
    "hcn3(7)",
    "wk(4, 10)",
    "symmetric_hypernet(hypercube(3), 7)",
    "hypernet(5, 4)",
    "sn(rsn(hypercube(2), 3), 4, 4, mask=1, value=0)",
    "rcr(2, 10, 15)",
    "rcr(2, 10, 15, positions=literal)",
    "ccc(16)",
    "dragonfly(16, 8)",
    "slimfly(19)",
    "polarfly(31)",
    "random_regular(65536, 5, 1)",
    "debruijn(2, 20)",
    "kautz(3, 12)",
    "exchanged_hypercube(9, 10)",
    "star_graph(9)",
    "fat_tree(64)",
    "bcube(16, 3)",
    "dcell(6, 3)",
];

/// What a written-out network may take here: 1 GiB.
const MAX_MEMORY: u64 = 1 << 30;

/// How many nodes are asked for their neighbors in one round.
const NODES: u64 = 1 << 14;

fn main() {
    divan::main();
}

fn built(spec: &str) -> Built {
    build(spec).unwrap_or_else(|error| panic!("{error}"))
}

fn network(spec: &str) -> Arc<dyn Network> {
    built(spec).network.unwrap_or_else(|| panic!("{spec} is not built"))
}

/// Specs that fit into memory when written out.
fn stored_specs() -> impl Iterator<Item = &'static str> {
    let fits = |spec: &&str| {
        let theory = built(spec).theory;
        let (nodes, links) = (theory.order().to_u64(), theory.degrees().links.to_u128());
        let bytes = nodes.zip(links).map(|(nodes, links)| Csr::bytes(nodes, links));
        bytes.is_some_and(|bytes| bytes <= MAX_MEMORY.into())
    };
    SPECS.iter().copied().filter(fits)
}

/// Nodes one after the other, around again if they are few.
fn consecutive(order: u64) -> Vec<Node> {
    (0..NODES).map(|i| Node(i % order)).collect()
}

/// Nodes here and there, the same in every run.
fn scattered(order: u64) -> Vec<Node> {
    // Multiples of an odd number close to 2^64 / φ jump evenly; their high bits scale to the order.
    let jump = |i: u64| i.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let scale = |x: u64| u64::try_from((u128::from(x) * u128::from(order)) >> 64);
    (0..NODES).filter_map(|i| scale(jump(i)).ok()).map(Node).collect()
}

/// The sum over all neighbors of all `nodes`, so that no visit can be omitted.
fn visit(network: &dyn Network, nodes: &[Node]) -> u64 {
    let mut sum = 0u64;
    for &at in nodes {
        network.for_each_neighbor(at, &mut |_, to| sum = sum.wrapping_add(to.0));
    }
    sum
}

fn visits(network: &dyn Network, nodes: &[Node]) -> u64 {
    let mut count = 0;
    nodes.iter().for_each(|&at| network.for_each_neighbor(at, &mut |_, _| count += 1));
    count
}

fn measure(bencher: Bencher, network: &dyn Network, nodes: &[Node]) {
    bencher
        .counter(ItemsCount::new(visits(network, nodes)))
        .bench(|| visit(black_box(network), black_box(nodes)));
}

#[divan::bench(args = SPECS)]
fn by_rule_consecutive(bencher: Bencher, spec: &str) {
    let network = network(spec);
    measure(bencher, &*network, &consecutive(network.order()));
}

#[divan::bench(args = SPECS)]
fn by_rule_scattered(bencher: Bencher, spec: &str) {
    let network = network(spec);
    measure(bencher, &*network, &scattered(network.order()));
}

#[divan::bench(args = stored_specs())]
fn stored_consecutive(bencher: Bencher, spec: &str) {
    let csr =
        Csr::from_network(&*network(spec), &Budget { memory: MAX_MEMORY, ..Budget::UNLIMITED })
            .expect("it fits");
    measure(bencher, &csr, &consecutive(csr.order()));
}

#[divan::bench(args = stored_specs())]
fn stored_scattered(bencher: Bencher, spec: &str) {
    let csr =
        Csr::from_network(&*network(spec), &Budget { memory: MAX_MEMORY, ..Budget::UNLIMITED })
            .expect("it fits");
    measure(bencher, &csr, &scattered(csr.order()));
}
