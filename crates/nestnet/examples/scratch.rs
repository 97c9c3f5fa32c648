//! x
use nestnet::measure::{Watch, distance, search};
use nestnet::*;
use std::time::Instant;
fn main() {
    for spec in
        ["rdn(torus(5,5), 2)", "rdn(torus(3,3,3), 2)", "rdn(ring(5), 3)", "rsn(hypercube(4), 3)"]
    {
        let t = Instant::now();
        let built = build(spec).unwrap();
        let net = built.network.unwrap();
        let l = search::levels_from(&*net, Node(0), &Watch::SILENT).unwrap();
        println!("{spec}: {:?} {:?} {}", t.elapsed(), l.farthest, l.sizes.len());
        let t = Instant::now();
        let l = search::levels_from(&*net, Node(0), &Watch::SILENT).unwrap();
        println!("{spec}: again {:?} {:?} {}", t.elapsed(), l.farthest, l.sizes.len());
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    for spec in ["rdn(ring(5), 2)", "random_regular(65536, 5, 1)", "rsn(hypercube(4), 3)"] {
        let built = build(spec).unwrap();
        let net = built.network.unwrap();
        let csr = Csr::from_network(&*net, 1 << 32).unwrap();
        let t = Instant::now();
        let all = pool.install(|| distance::exhaustive(&csr, &Watch::SILENT).unwrap());
        println!("{spec}: all {:?} {} {:?}", t.elapsed(), all.diameter, all.histogram.mean());
    }
}
