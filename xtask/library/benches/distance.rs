//! How many exact distances, and how many hops of routes, are answered a second, from addresses alone?

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use nestnet::{Header, Node, build};

const SPECS: &[&str] = &[
    "rdn(torus(5, 5), 3)",
    "re(torus(4, 4), torus(4, 4), 14)",
    "rsn(hypercube(4), 4)",
    "rcr(2, 21, 40)",
    "hcn(20)",
    "ccc(32)",
    "root_folded(heawood, 15)",
    "flooded(heawood, 15)",
    "wk(4, 20)",
    "torus(1000, 1000, 1000)",
    "hypercube(60)",
    "rdn(rsn(heawood, 2), 1)",
];

/// Pairs that look random and are always the same.
fn pairs(order: u64) -> Vec<(Node, Node)> {
    let mut x = 0x9e37_79b9_7f4a_7c15u64;
    let mut node = || {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        Node(x % order)
    };
    (0..4096).map(|_| (node(), node())).collect()
}

fn main() {
    divan::main();
}

#[divan::bench(args = SPECS)]
fn distances(bencher: Bencher, spec: &str) {
    let network = build(spec).expect("a network").network.expect("it fits");
    let pairs = pairs(network.order());
    bencher.counter(ItemsCount::new(pairs.len())).bench(|| {
        let distance = |&(from, to): &(Node, Node)| network.distance(black_box(from), to);
        pairs.iter().map(|pair| distance(pair).expect("a closed form")).sum::<u64>()
    });
}

#[divan::bench(args = SPECS)]
fn first_hops(bencher: Bencher, spec: &str) {
    let built = build(spec).expect("a network");
    let router = built.router("shortest").expect("it can be routed");
    let pairs = pairs(built.network.expect("it fits").order());
    bencher.counter(ItemsCount::new(pairs.len())).bench(|| {
        let hop = |&(at, to): &(Node, Node)| router.next(black_box(at), Header { to, state: 0 });
        pairs.iter().filter_map(hop).count()
    });
}
