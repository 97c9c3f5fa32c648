//! Networks of switches and star products against tables that were computed independently from their definitions.

use nestnet::measure::search::distances_from;
use nestnet::network::sorted_neighbors;
use nestnet::{Built, Degrees, Network, Node, build};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

fn tables() -> Value {
    serde_json::from_str(include_str!("../data/constructions.json")).expect("it is JSON")
}

fn rows<'a>(tables: &'a Value, name: &str) -> &'a [Value] {
    tables[name].as_array().expect("a table")
}

fn number(row: &Value, name: &str) -> u64 {
    row[name].as_u64().unwrap_or_else(|| panic!("{name} of {row}"))
}

fn counts(row: &Value, name: &str) -> BTreeMap<u64, u64> {
    let object = row[name].as_object().expect("counts");
    object.iter().map(|(key, value)| (key.parse().unwrap(), value.as_u64().unwrap())).collect()
}

/// Ordered pairs of different nodes among the first `nodes`, by distance.
fn pairs(network: &dyn Network, nodes: u64) -> BTreeMap<u64, u64> {
    let mut pairs = BTreeMap::new();
    for from in 0..nodes {
        let distances = distances_from(network, Node(from));
        for &distance in distances.iter().take(usize::try_from(nodes).unwrap()) {
            *pairs.entry(u64::from(distance)).or_default() += 1;
        }
    }
    pairs.remove(&0);
    pairs
}

fn fraction(text: &str) -> (u64, u64) {
    let (numerator, denominator) = text.split_once('/').unwrap_or((text, "1"));
    (numerator.parse().unwrap(), denominator.parse().unwrap())
}

fn mean_is(pairs: &BTreeMap<u64, u64>, mean: &Value) -> bool {
    let (numerator, denominator) = fraction(mean.as_str().expect("a fraction"));
    let total: u64 = pairs.iter().map(|(distance, count)| distance * count).sum();
    total * denominator == numerator * pairs.values().sum::<u64>()
}

/// Order, links, degrees, diameter and all distances.
fn agrees(spec: &str, row: &Value) -> Built {
    let built = build(spec).unwrap_or_else(|error| panic!("{error}"));
    let network = built.network.clone().expect("it is small");
    let degrees = Degrees::measured(&*network);
    assert_eq!(network.order(), number(row, "order"), "{spec}");
    assert_eq!(degrees.links, number(row, "links").into(), "{spec}");
    assert_eq!(built.proven.degrees(), degrees, "{spec}");
    let histogram: BTreeMap<u64, u64> =
        degrees.counts.unwrap().into_iter().map(|(d, n)| (d, n.try_into().unwrap())).collect();
    assert_eq!(histogram, counts(row, "degree_histogram"), "{spec}");
    let pairs = pairs(&*network, network.order());
    assert_eq!(pairs, counts(row, "ordered_pairs_at_distance"), "{spec}");
    assert_eq!(pairs.keys().last(), Some(&number(row, "diameter")), "{spec}");
    assert!(mean_is(&pairs, &row["average_distance"]), "{spec}");
    if let Some(known) = built.proven.diameter() {
        let diameter = number(row, "diameter").into();
        assert!(known.low <= diameter && diameter <= known.high, "{spec}: {known:?}");
    }
    built
}

#[test]
fn polar_stars() {
    let tables = tables();
    for (name, more) in [
        ("polarstar", ""),
        ("polarstar_paley", ", supernode=paley, loops=no"),
        ("polarstar_paley_with_loops", ", supernode=paley"),
        ("iq_without_loops", ", loops=no"),
    ] {
        for row in rows(&tables, name) {
            let (q, d) = (number(row, "q"), number(row, "d"));
            if number(row, "order") > 600 && !crate::slow() {
                continue;
            }
            agrees(&format!("polarstar({q}, {d}{more})"), row);
        }
    }
}

/// Copy 0 of a product whose structure has no loop at node 0 is the supernode itself, and a link to a point of a larger
/// number is its bijection.
#[test]
fn supernodes_and_bijections() {
    let tables = tables();
    let seen = |spec: &str, row: &Value, n: u64| {
        let network = build(spec).unwrap().network.unwrap();
        let pair = |pair: &Value| (pair[0].as_u64().unwrap(), pair[1].as_u64().unwrap());
        let expected: BTreeSet<(u64, u64)> =
            row["edges"].as_array().unwrap().iter().map(pair).collect();
        let neighbors = |a: u64| sorted_neighbors(&*network, Node(a)).into_iter().map(|to| to.0);
        let inside = (0..n).flat_map(|a| neighbors(a).map(move |b| (a, b)));
        let inside: BTreeSet<(u64, u64)> = inside.filter(|&(a, b)| a < b && b < n).collect();
        assert_eq!(inside, expected, "{spec}");
        let f = row["f"].as_array().unwrap();
        for (a, image) in (0..n).zip(f) {
            let images = neighbors(a).filter(|&to| to >= n).map(|to| to % n);
            let images: BTreeSet<u64> = images.collect();
            assert_eq!(images, BTreeSet::from([image.as_u64().unwrap()]), "{spec}: f({a})");
        }
    };
    for (d, row) in tables["iq_edges"].as_object().unwrap() {
        seen(&format!("polarstar(3, {d})"), row, number(row, "nodes"));
    }
    for (m, row) in tables["paley_edges"].as_object().unwrap() {
        let m: u64 = m.parse().unwrap();
        seen(&format!("polarstar(3, {}, supernode=paley)", (m - 1) / 2), row, m);
    }
}

/// The largest order of each degree, by trying all.
#[test]
fn the_largest_polar_star_of_a_degree() {
    let tables = tables();
    for (degree, best) in tables["best_order_by_degree"].as_object().unwrap() {
        let degree: u64 = degree.parse().unwrap();
        if degree > 40 && !crate::slow() {
            continue;
        }
        let mut largest = 0;
        for q in 2..degree {
            for word in ["iq", "paley"] {
                let spec = format!("polarstar({q}, {}, supernode={word})", degree - 1 - q);
                if let Ok(built) = build(&spec) {
                    assert_eq!(built.theory.degrees().max, degree, "{spec}");
                    largest = largest.max(built.order().try_into().unwrap());
                }
            }
        }
        assert_eq!(largest, best[0].as_u64().unwrap(), "degree {degree}");
    }
}

#[test]
fn folded_clos_networks() {
    let tables = tables();
    for row in rows(&tables, "clos") {
        let spec = row["spec"].as_str().unwrap();
        let built = build(spec).unwrap_or_else(|error| panic!("{error}"));
        let network = built.network.unwrap();
        let hosts = number(row, "hosts");
        assert_eq!(network.hosts(), hosts, "{spec}");
        assert_eq!(network.order(), hosts + number(row, "switches"), "{spec}");
        assert_eq!(built.proven.degrees().links, number(row, "links").into(), "{spec}");
        let levels = network.orbits().unwrap();
        let switches: Vec<u64> = levels[1..].iter().map(|level| level.size).collect();
        let expected = row["switches_per_level"].as_array().unwrap();
        assert_eq!(switches, expected.iter().map(|n| n.as_u64().unwrap()).collect::<Vec<_>>());
        let radix = number(row, "radix");
        let degrees: Vec<u64> = built.proven.degrees().counts.unwrap().into_keys().collect();
        assert_eq!(degrees, [1, radix], "{spec}: every switch uses all its ports");
        let pairs = pairs(&*network, hosts);
        assert_eq!(pairs, counts(row, "host_pairs_at_distance"), "{spec}");
        assert_eq!(pairs.keys().last(), Some(&number(row, "host_diameter")), "{spec}");
        assert!(mean_is(&pairs, &row["host_average_distance"]), "{spec}");
    }
}

#[test]
fn dragonflies_with_fewer_groups() {
    let tables = tables();
    let relative = |row: &&Value| row["arrangement"] == "relative";
    let mut checked = 0;
    for row in rows(&tables, "dragonfly").iter().filter(relative) {
        let [a, h, g] = ["a", "h", "groups"].map(|name| number(row, name));
        let spec = format!("dragonfly({a}, {h}, groups={g})");
        // The table leaves the ports unused that do not divide evenly among the other groups. The one port left of
        // the last network would join routers that are linked already, and is unused here too.
        let built = match a * h % (g - 1) {
            0 => agrees(&spec, row),
            1 if (a, h, g) == (4, 4, 6) => agrees(&spec, row),
            rest => {
                let built = build(&spec).unwrap();
                let degrees = Degrees::measured(built.network.as_deref().unwrap());
                assert_eq!(built.order(), number(row, "order").into(), "{spec}");
                assert_eq!(built.proven.degrees(), degrees, "{spec}");
                assert_eq!(degrees.links, (number(row, "links") + g * rest / 2).into(), "{spec}");
                built
            }
        };
        let network = built.network.unwrap();
        for from in (0..network.order()).map(Node) {
            for (to, distance) in (0..).map(Node).zip(distances_from(&*network, from)) {
                assert_eq!(network.distance(from, to), Some(distance.into()), "{a} {h} {g}");
            }
        }
        checked += 1;
    }
    assert_eq!(checked, 8);
}

#[test]
fn names_for_the_same_links() {
    for (one, other) in [
        ("clos(4, 3)", "fat_tree(4)"),
        ("clos(8, 3, taper=1)", "fat_tree(8)"),
        ("clos(12, 2, taper=2)", "leaf_spine(12, 4, 8)"),
        ("dragonfly(4, 2, groups=9)", "dragonfly(4, 2)"),
        ("jellyfish(20, 3, 7)", "random_regular(20, 3, 7)"),
        ("star_product(ring(5), path(3))", "product(ring(5), path(3))"),
        ("product(ring(5), ring(4))", "torus(5, 4)"),
        ("product(path(2), product(path(3), path(4)))", "mesh(2, 3, 4)"),
    ] {
        let [a, b] = [one, other].map(|spec| build(spec).unwrap().network.unwrap());
        assert_eq!((a.order(), a.hosts()), (b.order(), b.hosts()), "{one}, {other}");
        for at in (0..a.order()).map(Node) {
            let lists = (sorted_neighbors(&*a, at), sorted_neighbors(&*b, at));
            assert_eq!(lists.0, lists.1, "{one}, {other} at {at}");
        }
    }
}

#[test]
fn faults_name_what_is_allowed() {
    for (spec, part) in [
        ("clos(5, 3)", "radix must be even"),
        ("clos(8, 5)", "levels must be between 2 and 4"),
        ("clos(8, 3, taper=8)", "taper must be between 1 and 7"),
        ("clos(8, 3, taper=9)", "taper must be between 1 and 7"),
        ("dragonfly(4, 2, groups=10)", "groups must be at most a·h+1 = 9"),
        ("dragonfly(4, 2, groups=1)", "groups must be at least 2"),
        ("dragonfly(2048, 1024, groups=1024)", "groups must be more than h = 1024 where a·h is"),
        ("polarstar(6, 3)", "q must be a prime power"),
        ("polarstar(3, 5)", "d must be 0 or 3 modulo 4, not 5"),
        ("polarstar(3, 3, supernode=paley)", "d must be even"),
        ("product(fat_tree(4), ring(3))", "a network of equals"),
    ] {
        let error = build(spec).expect_err(spec).message;
        assert!(error.contains(part), "{spec}: {error}");
    }
}

/// Local, global, local: never two global hops, and two virtual channels are enough.
#[test]
fn the_dragonfly_has_its_own_routing() {
    use nestnet::route::{deadlock, walk};
    use nestnet::{Budget, routers};
    let mut longer = 0;
    for spec in ["dragonfly(4, 2, groups=4)", "dragonfly(4, 4, groups=6)", "dragonfly(4, 2)"] {
        let built = build(spec).unwrap();
        let network = built.network.as_deref().unwrap();
        let router = routers::find(&built, "minimal").unwrap();
        for from in (0..network.order()).map(Node) {
            for (to, distance) in (0..).map(Node).zip(distances_from(network, from)) {
                let route = walk(network, &*router, from, to, 0, 9).unwrap();
                let hops = route.nodes.iter().zip(&route.hops);
                let levels: Vec<u16> = hops.map(|(&at, hop)| network.level(at, hop.port)).collect();
                let allowed = [&[][..], &[0], &[1], &[0, 1], &[1, 0], &[0, 1, 0]];
                assert!(allowed.contains(&&levels[..]), "{spec}: {from} to {to} by {levels:?}");
                longer += levels.len() - distance as usize;
            }
        }
        assert_eq!(router.vcs(), 2);
        let certificate = deadlock::certify(network, &*router, &Budget::UNLIMITED).unwrap();
        assert!(certificate.is_free(), "{spec}");
    }
    assert!(longer > 0, "another routing than the shortest");
}

/// With no more groups than global ports of a router all routes arrive, and none can wait in a cycle.
#[test]
fn dragonflies_of_few_groups_are_routed() {
    use nestnet::route::{deadlock, walk};
    use nestnet::{Budget, routers};
    for spec in [
        "dragonfly(4, 3, 2)",
        "dragonfly(4, 3, 3)",
        "dragonfly(3, 5, 4)",
        "dragonfly(4, 9, 2)",
        "dragonfly(12, 18, 4)",
    ] {
        let built = build(spec).unwrap();
        let network = built.network.as_deref().unwrap();
        assert_eq!(built.proven.degrees(), Degrees::measured(network), "{spec}");
        for name in ["minimal", "shortest", "valiant", "valiant(minimal)"] {
            let router = routers::find(&built, name).unwrap();
            for from in (0..network.order()).map(Node) {
                for (to, distance) in (0..).map(Node).zip(distances_from(network, from)) {
                    let route = walk(network, &*router, from, to, 0, 9).unwrap();
                    assert_eq!(route.nodes.last(), Some(&to), "{spec}, {name}");
                    let least = route.hops.len() == distance as usize;
                    assert!(least || name.starts_with("valiant"), "{spec}, {name}");
                }
            }
            let certificate = deadlock::certify(network, &*router, &Budget::UNLIMITED).unwrap();
            assert!(certificate.is_free(), "{spec}, {name}");
        }
    }
}
