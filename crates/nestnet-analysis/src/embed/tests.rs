//! Embeddings with known measures, and measures by their definitions.

use super::*;
use nestnet_graph::Budget;
use nestnet_topologies::build;

const LIMITS: &Budget<'static> = &Budget { memory: 1 << 30, steps: 1 << 40, ..Budget::UNLIMITED };

const BEST: Algorithm = Algorithm::Best { exchanges: 1 << 20 };

fn embedded(guest: &str, host: &str) -> Embedding {
    let (guest, host) = (build(guest).unwrap(), build(host).unwrap());
    embed(&guest, &host, BEST, LIMITS).unwrap()
}

#[test]
fn a_network_fits_into_itself() {
    for spec in ["hypercube(4)", "mesh(3, 4)", "torus(4, 4)", "petersen", "ring(6)"] {
        let found = embedded(spec, spec);
        assert_eq!((found.map, found.dilation), (Map::Natural, 1), "{spec}");
        assert_eq!((found.congestion, found.load, found.mean_dilation()), (1, 1, 1.0), "{spec}");
    }
}

/// A dimension in the upper half takes two swaps at most, and where it is a leader's only one.
#[test]
fn cubes_fit_into_swapped_networks() {
    for (guest, host, dilation) in [
        ("hypercube(4)", "rsn(hypercube(2), 2)", 3),
        ("hypercube(4)", "hcn(2)", 3),
        ("hypercube(8)", "rsn(hypercube(2), 3)", 5),
        ("mesh(3, 4, 3, 4)", "rsn(mesh(3, 4), 2)", 3),
        ("mesh(16)", "rsn(path(4), 2)", 0),
        ("generalized_hypercube(3, 4, 3, 4)", "rsn(generalized_hypercube(3, 4), 2)", 3),
        ("generalized_hypercube(4, 4, 4)", "hsn(complete(4), 3)", 3),
        ("hypercube(7)", "dual_cube(4)", 3),
    ] {
        let found = embedded(guest, host);
        if dilation == 0 {
            assert_ne!(found.map, Map::Natural, "{guest} into {host}");
        } else {
            assert_eq!(
                (found.map, found.dilation),
                (Map::Natural, dilation),
                "{guest} into {host}"
            );
        }
        assert_eq!(found.load, 1);
    }
}

/// Without a table, by closed distances, by search and by rows of the router.
#[test]
fn large_hosts() {
    let cube = embedded("hypercube(13)", "hypercube(13)");
    assert_eq!((cube.map, cube.dilation, cube.congestion), (Map::Natural, 1, 1));
    let expanded = embedded("ring(50)", "random_regular(5000, 3, 1)");
    assert!(expanded.load == 1 && expanded.dilation > 0 && expanded.congestion > 0);
}

/// What is measured, measured again by the definitions.
#[test]
fn measures_follow_their_definitions() {
    let (guest, host) = (build("hypercube(4)").unwrap(), build("hcn(2)").unwrap());
    let found = embed(&guest, &host, BEST, LIMITS).unwrap();
    let (guest, network) = (guest.network.unwrap(), host.network.unwrap());
    let (mut most, mut total) = (0, 0);
    for from in (0..16).map(Node) {
        let row = distances_from(&*network, found.images[index(from.0)]);
        guest.for_each_neighbor(from, &mut |_, to| {
            let far = u64::from(row[index(found.images[index(to.0)].0)]);
            most = most.max(far);
            total += far;
        });
    }
    assert_eq!((found.dilation, 2 * found.total, found.links), (most, total, 32));
    // All ways together are as long as the sum of all channels' loads.
    let channels: u64 = (0..16).map(|at| neighbors(&*network, Node(at)).len() as u64).sum();
    assert!(found.congestion >= total.div_ceil(channels));
}

#[test]
fn rings_and_grids_find_a_place() {
    let ring = embedded("ring(16)", "hypercube(4)");
    assert!(ring.map != Map::Natural && ring.dilation == 1, "{ring:?}");
    let grid = embedded("mesh(4, 4)", "torus(4, 4)");
    assert_eq!((grid.dilation, grid.congestion), (1, 1));
    let small = embedded("ring(8)", "torus(4, 4)");
    assert_eq!((small.dilation, small.load, small.images.len()), (1, 1, 8));
}

/// Lemma 1 of the recursive cube of rings: a complete binary tree as large as fits, stretched to less than three. The
/// text proves it without a map, so ours is found by exchanges.
#[test]
fn trees_fit_into_cubes_of_rings() {
    for (tree, rcr) in
        [("tree(5)", "rcr(2, 2, 2)"), ("tree(5)", "rcr(3, 2, 1)"), ("tree(4)", "ccc(3)")]
    {
        let found = embedded(tree, rcr);
        assert!(found.load == 1 && found.dilation < 3, "{tree} into {rcr}: {}", found.dilation);
    }
}

#[test]
fn more_guests_than_hosts_share() {
    let found = embedded("ring(12)", "ring(4)");
    assert_eq!((found.load, found.dilation, found.links), (3, 1, 12));
}

#[test]
fn what_cannot_be_embedded_is_said() {
    let limits = Budget { memory: 1000, ..*LIMITS };
    let refuse = |guest: &str, host: &str, limits: &Budget<'_>| {
        let (guest, host) = (build(guest).unwrap(), build(host).unwrap());
        embed(&guest, &host, BEST, limits).unwrap_err().to_string()
    };
    assert!(refuse("ring(100)", "hypercube(7)", &limits).contains("bytes"));
    let limits = Budget { steps: 1000, ..*LIMITS };
    assert!(refuse("ring(100)", "hypercube(7)", &limits).contains("steps"));
    assert!(refuse("ring(100)", "random_regular(1050000, 3, 1)", LIMITS).contains("too many"));
    assert!(refuse("rdn(torus(5, 5), 4)", "ring(5)", LIMITS).starts_with("the guest has no"));
    assert!(refuse("ring(8)", "rcr(1, 1, 3)", LIMITS).contains("no path from node"));
}
