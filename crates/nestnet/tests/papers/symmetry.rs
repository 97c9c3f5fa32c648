//! Where a network says both, its orbits are those of its automorphisms.

use nestnet::measure::orbit::orbits_of;
use nestnet::{Orbit, build};

#[test]
fn automorphisms_generate_the_orbits() {
    for spec in [
        "exchanged_hypercube(2, 3)",
        "exchanged_hypercube(3, 3)",
        "rdn(ring(5), 1)",
        "rdn(path(3), 2)",
    ] {
        let network = build(spec).expect("valid").network.expect("small");
        let sizes = |orbits: Option<Vec<Orbit>>| {
            let mut sizes: Vec<u64> = orbits.expect(spec).iter().map(|orbit| orbit.size).collect();
            sizes.sort_unstable();
            sizes
        };
        let generated = orbits_of(network.order(), &network.automorphisms());
        assert_eq!(sizes(network.orbits()), sizes(generated), "{spec}");
    }
}
