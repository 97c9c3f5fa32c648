//! How long the measures take on networks of the size that people compare.

use divan::{Bencher, black_box};
use nestnet::measure::Watch;
use nestnet::measure::bisection::{Search, bisection};
use nestnet::measure::connectivity::{edge_connectivity, vertex_connectivity};
use nestnet::measure::load::channel_load;
use nestnet::measure::structure::girth;
use nestnet::measure::symmetry::symmetry;
use nestnet::{Budget, Csr, build};

fn main() {
    // One thread: figures are processor time.
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global().expect("the first pool");
    divan::main();
}

/// 1,250 nodes of degree 6, 5,000 of degree 4, 65,536 of degree 16.
const MEDIUM: &[&str] = &["rdn(torus(5, 5), 1)", "rdn(ring(5), 2)"];
const LARGE: &[&str] = &["rdn(ring(5), 2)", "hypercube(16)"];

fn stored(spec: &str) -> Csr {
    let network = build(spec).expect("a good spec").network.expect("a small network");
    Csr::from_network(&*network, &Budget::UNLIMITED).expect("it fits")
}

#[divan::bench(args = LARGE)]
fn shortest_cycle(bencher: Bencher<'_, '_>, spec: &str) {
    let csr = stored(spec);
    bencher.bench(|| girth(black_box(&csr), None, &Watch::SILENT));
}

#[divan::bench(args = LARGE)]
fn links_to_cut(bencher: Bencher<'_, '_>, spec: &str) {
    let csr = stored(spec);
    bencher.bench(|| edge_connectivity(black_box(&csr), None, &Watch::SILENT));
}

#[divan::bench(args = LARGE)]
fn nodes_to_cut(bencher: Bencher<'_, '_>, spec: &str) {
    let csr = stored(spec);
    bencher.bench(|| vertex_connectivity(black_box(&csr), None, &Watch::SILENT));
}

#[divan::bench(args = MEDIUM)]
fn load(bencher: Bencher<'_, '_>, spec: &str) {
    let csr = stored(spec);
    bencher.bench(|| channel_load(black_box(&csr), &Watch::SILENT));
}

#[divan::bench(args = ["torus(8, 8)", "rdn(ring(5), 1)", "rdn(ring(5), 2)"])]
fn bisection_width(bencher: Bencher<'_, '_>, spec: &str) {
    let csr = stored(spec);
    bencher.bench(|| bisection(black_box(&csr), &Search::default(), &Watch::SILENT));
}

#[divan::bench(args = LARGE)]
fn automorphisms(bencher: Bencher<'_, '_>, spec: &str) {
    let csr = stored(spec);
    bencher.bench(|| symmetry(black_box(&csr), &Watch::SILENT));
}
