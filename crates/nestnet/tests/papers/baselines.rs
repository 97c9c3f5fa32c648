//! The baseline networks: their laws on small instances, and numbers that were published or computed by others.

use nestnet::measure::search::{distances_from, spheres_of};
use nestnet::network::sorted_neighbors;
use nestnet::theory::Degrees;
use nestnet::{
    Budget, Built, Context, Distances, Network, Node, Port, Spec, build, build_with, distances,
};
use num_bigint::BigUint;
use std::collections::{BTreeMap, BTreeSet};

/// Small instances, the degenerate ones among them; the examples of every row come on top.
const SMALL: &[&str] = &[
    "dragonfly(1, 1)",
    "dragonfly(1, 4)",
    "dragonfly(2, 1)",
    "dragonfly(2, 5)",
    "dragonfly(3, 1)",
    "dragonfly(3, 4)",
    "dragonfly(4, 2)",
    "dragonfly(5, 3)",
    "dragonfly(7, 1)",
    "slimfly(3)",
    "slimfly(4)",
    "slimfly(5)",
    "slimfly(7)",
    "slimfly(8)",
    "slimfly(9)",
    "polarfly(2)",
    "polarfly(3)",
    "polarfly(4)",
    "polarfly(5)",
    "polarfly(7)",
    "polarfly(8)",
    "polarfly(9)",
    "polarfly(11)",
    "random_regular(1, 0, 5)",
    "random_regular(2, 1, 5)",
    "random_regular(6, 1, 5)",
    "random_regular(9, 2, 0)",
    "random_regular(8, 3, 18446744073709551615)",
    "random_regular(50, 4, 1)",
    "random_regular(20, 15, 1)",
    "random_regular(12, 11, 1)",
    "debruijn(2, 1)",
    "debruijn(2, 2)",
    "debruijn(2, 6)",
    "debruijn(3, 3)",
    "debruijn(5, 2)",
    "debruijn(7, 1)",
    "debruijn(11, 2)",
    "kautz(1, 1)",
    "kautz(1, 3)",
    "kautz(2, 1)",
    "kautz(2, 2)",
    "kautz(2, 5)",
    "kautz(3, 3)",
    "kautz(4, 2)",
    "kautz(10, 2)",
    "star_graph(1)",
    "star_graph(2)",
    "star_graph(3)",
    "star_graph(4)",
    "star_graph(5)",
    "fat_tree(2)",
    "fat_tree(4)",
    "fat_tree(6)",
    "bcube(2, 0)",
    "bcube(5, 0)",
    "bcube(2, 3)",
    "bcube(3, 2)",
    "bcube(4, 1)",
    "twisted_torus(3, 3, 1)",
    "twisted_torus(3, 8, 0)",
    "twisted_torus(4, 8, 4)",
    "twisted_torus(3, 11, 5)",
    "xpander(0, 1, 1)",
    "xpander(1, 3, 1)",
    "xpander(2, 5, 1)",
    "xpander(3, 2, 7)",
    "xpander(6, 1, 1)",
    "spectralfly(3, 5)",
    "spectralfly(5, 7)",
    "spectralfly(3, 11)",
    "dragonfly_plus(1, 1, 1)",
    "dragonfly_plus(2, 3, 2, groups=5)",
    "dragonfly_plus(2, 2, 1, hosts=1)",
    "dragonfly(4, 3, groups=8)",
    "dragonfly(3, 5, groups=8)",
    "hammingmesh(1, 1, 1, 1)",
    "hammingmesh(1, 3, 2, 2)",
    "hammingmesh(2, 2, 2, 3)",
    "hammingmesh(2, 1, 3, 2, radix=4)",
    "dcell(2, 0)",
    "dcell(5, 0)",
    "dcell(2, 1)",
    "dcell(3, 1)",
    "dcell(4, 1)",
    "dcell(2, 2)",
    "dcell(3, 2)",
];

fn built(spec: &str) -> Built {
    build(spec).unwrap_or_else(|error| panic!("{error}"))
}

fn nodes(network: &dyn Network) -> impl Iterator<Item = Node> + use<> {
    (0..network.order()).map(Node)
}

fn histogram(network: &dyn Network, from: Node) -> Distances {
    Distances::new(spheres_of(&distances_from(network, from)))
}

fn all_distances(network: &dyn Network) -> Distances {
    nodes(network).fold(Distances::default(), |sum, from| sum.plus(&histogram(network, from)))
}

fn mean(distances: &Distances) -> f64 {
    let (total, pairs) = distances.mean().expect("more than one node");
    distances::ratio(&total, &pairs)
}

/// [`SMALL`], and the examples of every row.
fn small() -> impl Iterator<Item = &'static str> {
    let rows = nestnet::family::baseline::ROWS.iter();
    SMALL.iter().copied().chain(rows.flat_map(|row| row.examples.iter().copied()))
}

/// Each small spec with its network.
fn for_each_small(check: impl Fn(&str, &Built, &dyn Network)) {
    for spec in small() {
        let built = built(spec);
        let network = built.network.as_deref().unwrap_or_else(|| panic!("{spec} is not built"));
        check(spec, &built, network);
    }
}

#[test]
fn links_are_symmetric_and_have_several_cables_only_where_theory_says_so() {
    for_each_small(|spec, built, network| {
        let degrees = built.theory.degrees();
        let simple = degrees.links == degrees.cables;
        let several =
            ["clos(", "pgft(", "hammingmesh(", "rails("].iter().any(|name| spec.starts_with(name));
        assert!(simple || several, "{spec}");
        for at in nodes(network) {
            let neighbors = sorted_neighbors(network, at);
            let once = neighbors.is_sorted_by(|a, b| a < b);
            assert!(once || !simple, "{spec}: a double link at {at}");
            for link in neighbors.chunk_by(|a, b| a == b) {
                let to = link[0];
                assert!(to != at && to.0 < network.order(), "{spec}: {at} {to}");
                let back = sorted_neighbors(network, to);
                let cables = back.iter().filter(|&&end| end == at).count();
                assert_eq!(cables, link.len(), "{spec}: cables from {to} back to {at}");
            }
        }
    });
}

#[test]
fn neighbors_are_the_same_one_by_one() {
    for_each_small(|spec, _, network| {
        let mut highest = 0;
        for at in nodes(network) {
            let one_by_one: Vec<(Port, Node)> = (0..network.ports())
                .filter_map(|port| Some((Port(port), network.neighbor(at, Port(port))?)))
                .collect();
            let mut visited = Vec::new();
            network.for_each_neighbor(at, &mut |port, to| visited.push((port, to)));
            assert_eq!(visited, one_by_one, "{spec}: node {at}");
            highest = visited.last().map_or(highest, |(port, _)| highest.max(port.0 + 1));
            assert_eq!(network.neighbor(at, Port(network.ports())), None, "{spec}: node {at}");
        }
        assert_eq!(network.ports(), highest, "{spec}");
    });
}

#[test]
fn both_ends_of_a_link_agree_on_its_level() {
    for_each_small(|spec, _, network| {
        for at in nodes(network) {
            network.for_each_neighbor(at, &mut |port, to| {
                let level = network.level(at, port);
                assert!(level < network.levels(), "{spec}");
                network.for_each_neighbor(to, &mut |back, end| {
                    if end == at {
                        assert_eq!(network.level(to, back), level, "{spec}: {at} {to}");
                    }
                });
            });
        }
    });
}

#[test]
fn addresses_lead_back() {
    for_each_small(|spec, _, network| {
        let mut written = BTreeSet::new();
        for at in nodes(network) {
            let address = network.address(at);
            assert_eq!(network.node(&address), Some(at), "{spec}: {address}");
            assert_eq!(nestnet::locate(network, &address.to_string()), Ok(at), "{spec}");
            assert!(written.insert(address.to_string()), "{spec}: {address} twice");
        }
        for text in ["(9999,9999)", "(0,0,0,0,0,0,0,0)", "99999999", "[1; 1]", "-", "(0,(99))"] {
            assert_eq!(
                network.node(&nestnet::Address::parse(text).unwrap()),
                None,
                "{spec}: {text}"
            );
        }
    });
}

#[test]
fn the_theory_counts_what_is_there() {
    for_each_small(|spec, built, network| {
        let theory = &built.theory;
        assert_eq!(theory.order(), network.order().into(), "{spec}");
        assert_eq!(theory.hosts(), network.hosts().into(), "{spec}");
        assert_eq!(theory.degrees(), Degrees::measured(network), "{spec}");
        let measured = all_distances(network);
        let pairs = BigUint::from(network.order()).pow(2);
        assert_eq!(theory.connected(), measured.pairs() == pairs, "{spec}");
        assert_eq!(theory.distances().as_ref(), Some(&measured), "{spec}");
        assert_eq!(theory.distances_from_zero(), Some(histogram(network, Node(0))), "{spec}");
        if let Some(known) = theory.diameter() {
            let longest = BigUint::from(measured.longest());
            assert!(known.low <= longest && longest <= known.high, "{spec}: {known:?}");
        } else {
            assert!(!theory.connected(), "{spec}");
        }
    });
}

#[test]
fn distances_are_those_of_a_search() {
    for_each_small(|spec, _, network| {
        for from in nodes(network) {
            for (to, found) in (0..).map(Node).zip(distances_from(network, from)) {
                let Some(distance) = network.distance(from, to) else { return };
                assert_eq!(distance, u64::from(found), "{spec}: from {from} to {to}");
            }
        }
    });
    let silent: BTreeSet<&str> = small()
        .filter(|spec| built(spec).network.unwrap().distance(Node(0), Node(0)).is_none())
        .map(|spec| spec.split('(').next().unwrap())
        .collect();
    assert_eq!(
        silent,
        BTreeSet::from([
            "dcell",
            "dragonfly_plus",
            "jellyfish",
            "lps",
            "polarstar",
            "rails",
            "random_regular",
            "spectralfly",
            "xpander",
        ])
    );
}

#[test]
fn classes_of_nodes_represent_all() {
    for_each_small(|spec, _, network| {
        let Some(orbits) = network.orbits() else { return };
        let size: u64 = orbits.iter().map(|orbit| orbit.size).sum();
        assert_eq!(size, network.order(), "{spec}");
        // Nodes of one class have the same histogram: each occurs as often as its classes say.
        let mut found = BTreeMap::<String, u64>::new();
        for at in nodes(network) {
            *found.entry(format!("{:?}", histogram(network, at))).or_default() += 1;
        }
        let mut claimed = BTreeMap::<String, u64>::new();
        for orbit in &orbits {
            let seen = format!("{:?}", histogram(network, orbit.node));
            *claimed.entry(seen).or_default() += orbit.size;
        }
        assert_eq!(claimed, found, "{spec}");
    });
}

/// Nodes, smallest and largest degree, links, diameter and mean distance, computed elsewhere.
#[test]
fn reference_values() {
    let table = [
        ("star_graph(6)", 720, 5, 5, 1800, 7, 4.7900),
        ("debruijn(2, 10)", 1024, 2, 4, 2045, 10, 6.7737),
        ("slimfly(19)", 722, 29, 29, 10469, 2, 1.959778),
        ("polarfly(31)", 993, 31, 32, 15872, 2, 1.9678),
        ("dragonfly(8, 4)", 264, 11, 11, 1452, 3, 2.6863),
        ("dragonfly(12, 6)", 876, 17, 17, 7446, 3, 2.8008),
    ];
    for (spec, order, min, max, links, diameter, expected) in table {
        let built = built(spec);
        let network = built.network.as_deref().unwrap();
        let degrees = built.theory.degrees();
        assert_eq!(network.order(), order, "{spec}");
        assert_eq!((degrees.min, degrees.max), (min, max), "{spec}");
        assert_eq!(degrees.links, BigUint::from(links as u32), "{spec}");
        assert_eq!(degrees, Degrees::measured(network), "{spec}");
        let distances = all_distances(network);
        assert_eq!(distances.longest(), diameter, "{spec}");
        assert_eq!(built.theory.diameter().unwrap().exact(), Some(&diameter.into()), "{spec}");
        assert_eq!(built.theory.distances(), Some(distances.clone()), "{spec}");
        assert!((mean(&distances) - expected).abs() < 0.00005, "{spec}: {}", mean(&distances));
    }
    // Random networks of other seeds; their mean hardly varies.
    for (spec, diameter, expected) in
        [("random_regular(1024, 10, 7)", 5, 3.3012), ("random_regular(1000, 6, 7)", 6, 4.1869)]
    {
        let distances = built(spec).theory.distances().unwrap();
        assert_eq!(distances.longest(), diameter, "{spec}");
        assert!((mean(&distances) - expected).abs() < 0.01, "{spec}: {}", mean(&distances));
    }
}

#[test]
fn reference_sizes() {
    let orders = [
        ("slimfly(5)", 50, 7),
        ("slimfly(7)", 98, 11),
        ("slimfly(9)", 162, 13),
        ("slimfly(11)", 242, 17),
        ("slimfly(13)", 338, 19),
        ("slimfly(17)", 578, 25),
        ("slimfly(23)", 1058, 35),
        ("slimfly(25)", 1250, 37),
        ("slimfly(29)", 1682, 43),
        ("slimfly(37)", 2738, 55),
        ("spectralfly(11, 7)", 168, 12),
        ("spectralfly(5, 13)", 2184, 6),
        ("lps(23, 11)", 660, 24),
        ("polarfly(7)", 57, 8),
        ("polarfly(13)", 183, 14),
        ("polarfly(23)", 553, 24),
        ("polarfly(47)", 2257, 48),
        ("polarfly(61)", 3783, 62),
        ("polarfly(127)", 16257, 128),
        ("dragonfly(16, 8)", 2064, 23),
        ("dragonfly(24, 12)", 6936, 35),
        ("dragonfly(32, 16)", 16416, 47),
    ];
    for (spec, order, degree) in orders {
        let theory = built(spec).theory;
        assert_eq!(theory.order(), BigUint::from(order as u32), "{spec}");
        assert_eq!(theory.degrees().max, degree, "{spec}");
    }
    let hosts = [
        ("dcell(4, 1)", 20, 25),
        ("dcell(4, 2)", 420, 525),
        ("dcell(6, 2)", 1806, 2107),
        ("bcube(4, 1)", 16, 24),
        ("hammingmesh(2, 2, 16, 16)", 1024, 1024 + 2 * 16 + 2 * 16),
        ("dragonfly_plus(16, 16, 16)", 257 * 16 * 16, 257 * (16 * 16 + 16 + 16)),
        ("bcube(8, 3)", 4096, 6144),
        ("fat_tree(4)", 16, 36),
        ("fat_tree(48)", 27648, 30528),
    ];
    for (spec, hosts, order) in hosts {
        let theory = built(spec).theory;
        assert_eq!(theory.hosts(), BigUint::from(hosts as u32), "{spec}");
        assert_eq!(theory.order(), BigUint::from(order as u32), "{spec}");
    }
}

/// The length of a shortest cycle, by a search from every node.
fn girth(network: &dyn Network) -> u32 {
    let mut shortest = u32::MAX;
    for root in nodes(network) {
        let distances = distances_from(network, root);
        let at_distance = |node: Node| distances[usize::try_from(node.0).unwrap()];
        for at in nodes(network) {
            let near: Vec<u32> =
                sorted_neighbors(network, at).into_iter().map(at_distance).collect();
            let d = at_distance(at);
            // A second way to come nearer closes an even cycle, a neighbor as far away an odd one.
            if near.iter().filter(|&&other| other + 1 == d).count() >= 2 {
                shortest = shortest.min(2 * d);
            }
            if near.contains(&d) {
                shortest = shortest.min(2 * d + 1);
            }
        }
    }
    shortest
}

/// A graph of degree 7, girth 5 and 50 nodes is unique.
#[test]
fn the_smallest_slim_fly_of_the_paper_is_the_hoffman_singleton_graph() {
    for spec in ["slimfly(5)", "hoffman_singleton"] {
        let built = built(spec);
        let network = built.network.as_deref().unwrap();
        assert_eq!(network.order(), 50);
        assert_eq!(built.theory.degrees().regular_degree(), Some(7));
        assert_eq!(all_distances(network), Distances::new([50u32, 350, 2100]));
        assert_eq!(girth(network), 5, "{spec}");
    }
}

#[test]
fn random_networks_of_useful_sizes_are_connected_and_repeatable() {
    for spec in ["random_regular(65536, 5, 1)", "random_regular(10000, 3, 2)"] {
        let (one, two) = (built(spec), built(spec));
        assert!(one.theory.connected());
        let (one, two) = (one.network.unwrap(), two.network.unwrap());
        assert!(
            (0..1000)
                .map(Node)
                .all(|at| sorted_neighbors(&*one, at) == sorted_neighbors(&*two, at))
        );
    }
    let neighbors = |seed| {
        let network = built(&format!("random_regular(1000, 4, {seed})")).network.unwrap();
        sorted_neighbors(&*network, Node(0))
    };
    assert_ne!(neighbors(1), neighbors(2));
    for seed in 0..200 {
        assert!(built(&format!("random_regular(8, 3, {seed})")).theory.connected());
    }
}

#[test]
fn what_is_too_large_to_build_still_has_a_theory() {
    for (spec, digits) in [
        ("dragonfly(4611686018427387904, 4611686018427387904)", 56),
        ("debruijn(2, 1000)", 302),
        ("kautz(3, 1000)", 478),
        ("star_graph(1000)", 2568),
        ("fat_tree(4611686018427387904)", 56),
        ("bcube(48, 1000)", 1685),
        ("dcell(6, 8)", 209),
    ] {
        let built = built(spec);
        assert!(built.network.is_none(), "{spec}");
        assert_eq!(built.theory.order().to_string().len(), digits, "{spec}");
        let degrees = built.theory.degrees();
        let nodes: BigUint = degrees.counts.unwrap().values().sum();
        assert_eq!(nodes, built.theory.order(), "{spec}");
        let known = built.theory.diameter().unwrap();
        assert!(known.low <= known.high, "{spec}");
        if let Some(distances) = built.theory.distances() {
            assert_eq!(distances.pairs(), built.theory.order().pow(2), "{spec}");
            assert_eq!(known.exact(), Some(&distances.longest().into()), "{spec}");
        }
    }
}

#[test]
fn faults_name_the_argument_and_what_is_allowed() {
    for (spec, message) in [
        (
            "slimfly(6)",
            "slimfly: q must be a prime power from 3 to 65536, such as 5, 7, 8 or 9, not 6",
        ),
        ("slimfly(2)", "slimfly: q must be between 3 and 65536"),
        (
            "polarfly(10)",
            "polarfly: q must be a prime power up to 65536, such as 7, 8, 9 or 11, not 10",
        ),
        ("polarfly(65537)", "polarfly: q must be between 2 and 65536"),
        (
            "random_regular(5, 3, 1)",
            "random_regular: d must be even when n is odd, as 5: n·d counts every link twice",
        ),
        (
            "random_regular(5, 5, 1)",
            "random_regular: d must be at most n-1 = 4, the number of other nodes",
        ),
        ("random_regular(5, 3)", "random_regular needs seed; usage: random_regular(n, d, seed)"),
        ("fat_tree(3)", "fat_tree: k must be even: half the ports of a switch go up, not 3"),
        ("dragonfly(0, 1)", "dragonfly: a must be between 1 and 4611686018427387904"),
        ("dragonfly(1, 0)", "dragonfly: h must be between 1 and 4611686018427387904"),
        ("debruijn(1, 3)", "debruijn: d must be between 2 and 4611686018427387904"),
        ("kautz(2, 0)", "kautz: k must be between 1 and 131072"),
    ] {
        let error = build(spec).expect_err(spec);
        assert_eq!(error.message, message);
    }
    for spec in ["debruijn(3, 131072)", "star_graph(20000)", "bcube(9, 131072)", "dcell(9, 60)"] {
        let error = build(spec).expect_err(spec);
        assert!(error.message.contains("bits, the most that is computed"), "{}", error.message);
    }
    let error = build("random_regular(4000000000, 100, 1)").expect_err("too large");
    let start = "random_regular: n is too large for this degree: drawing it needs ";
    assert!(error.message.starts_with(start), "{}", error.message);
    let text = "random_regular(1000, 4, 1)";
    let spec = Spec::parse(text).unwrap();
    let read = |_: &str| Err(std::io::Error::other("no files"));
    let within = |memory| {
        let budget = Budget { memory, ..Budget::UNLIMITED };
        build_with(&spec, text, &Context { read: &read, budget, ..Context::ALONE })
    };
    assert!(within(50_000).unwrap_err().message.starts_with(start));
    assert!(within(200_000).is_ok());
}
