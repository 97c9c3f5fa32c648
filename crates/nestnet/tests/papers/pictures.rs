//! Every family is drawn: no dot on another, no cluster over another, no link lost, and folded as it would be counted.

use nestnet::draw::bundle::{Bundle, by_rule, by_rule_count, counted};
use nestnet::draw::{Fold, Line, Marks, Options, Plan, Point, Scene, closest, scene};
use nestnet::family::families;
use nestnet::measure::Watch;
use nestnet::measures::Limits;
use nestnet::picture::{PictureError, Request, Show, draw};
use nestnet::{Built, Network, Node, build};
use std::collections::BTreeMap;

/// Nestings whose plans are made of others.
const NESTED: &[&str] = &[
    "rdn(mesh(2, 2, 3), 1)",
    "rdn(petersen, 1)",
    "rdn(rsn(path(2), 2), 2)",
    "rsn(folded_hypercube(3), 2)",
    "rsn(hypercube(2), 3, diameter_links=true)",
    "rsn(ring(5), 2, diameter_links=top)",
    "re([rdn(path(2), 1), star(4)], flooded(path(3), 2), pivots=single)",
    "re(torus(3, 3), hypercube(4), 1, pivots=degree)",
    "folded(rdn(path(2), 1), 2)",
    "hsn(mesh(2, 3), 3)",
    "hcn3(2)",
    "torus(7, 3, 4)",
    "mesh(2, 3, 2, 3)",
    "generalized_hypercube(3, 1, 4)",
    "hypercube(8)",
    "folded_hypercube(7)",
    "root_folded(petersen, 3, reading=literal)",
    "symmetric_hypernet(hypercube(2), 4)",
    "ring(1)",
    "hypercube(0)",
    "path(2)",
    "star(1)",
    // Blocks, of which the last are smaller.
    "torus(101, 83)",
    "mesh(29, 23, 19)",
    "generalized_hypercube(83, 79)",
    "mesh(7, 2, 97, 5)",
    "torus(5, 2, 73, 11)",
    "ring(7919)",
    "path(6007)",
    "slimfly(43)",
    "slimfly(49)",
    // Links that are not as many everywhere.
    "sn(hypercube(7), 4, 1)",
    "sn(hypercube(7), 4, 2, 9, 8)",
    "sn(hypercube(6), 5, 0, 1024)",
    "rcr(2, 3, 2)",
    "rcr(3, 5, 4)",
    "rcr(2, 7, 5)",
    // Copies of what has empty places alone.
    "re(ring(3), torus(101, 53), 1)",
    "product(torus(89, 61), path(2))",
    "hosts(mesh(79, 83), 1)",
    // Hosts in place of nodes, whatever joins the cells of their switches.
    "hosts(rsn(hypercube(2), 2), 3)",
    "hosts(hsn(path(3), 3), 2)",
    "hosts(slimfly(43), 1)",
    // Pods in pods.
    "fat_tree(28)",
    "leaf_spine(70, 20, 72)",
];

/// All examples of the table, and nestings, up to an order; `file` has no file here.
fn networks(most: u64) -> Vec<(&'static str, Built)> {
    let examples =
        families().filter(|family| family.name != "file").flat_map(|family| family.examples);
    let specs = examples.chain(NESTED);
    let built = specs.map(|spec| (*spec, build(spec).unwrap_or_else(|error| panic!("{error}"))));
    built.filter(|(_, built)| built.order() <= most.into()).collect()
}

fn network(built: &Built) -> &dyn Network {
    built.network.as_deref().expect("a small network")
}

fn drawn(built: &Built, plan: &Plan, fold: Fold) -> Scene {
    let options = Options { fold, ..Options::default() };
    scene(network(built), plan, options, &Marks::default(), &Watch::SILENT).unwrap()
}

fn assert_apart(spec: &str, scene: &Scene) {
    let dots: Vec<_> = scene.dots.iter().map(|dot| dot.at).collect();
    // The largest dot has a radius of 0.32.
    assert!(closest(&dots) > 0.98, "{spec}: dots {} apart", closest(&dots));
    for (i, a) in scene.outlines.iter().enumerate() {
        let others = scene.outlines[i + 1..].iter().filter(|b| b.depth == a.depth);
        others.for_each(|b| assert!(!a.hull.overlaps(&b.hull), "{spec}: clusters overlap"));
    }
}

#[test]
fn every_node_has_its_place_and_every_link_its_line() {
    let networks = networks(1000);
    assert!(networks.len() > 40);
    for (spec, built) in &networks {
        for (name, plan) in built.plans() {
            let scene = drawn(built, &plan, Fold::Level(0));
            assert_eq!(built.order(), (scene.dots.len() as u64).into(), "{spec}");
            assert_eq!(built.theory.degrees().links, (scene.lines.len() as u64).into(), "{spec}");
            assert!(scene.dots.iter().all(|dot| dot.node.is_some()), "{spec}: {name}");
            assert_apart(spec, &scene);
        }
    }
}

#[test]
fn what_the_rule_says_of_bundles_is_what_is_counted() {
    let pairs = |bundles: &[Bundle]| {
        let mut pairs: BTreeMap<(u64, u64), u64> = BTreeMap::new();
        bundles.iter().for_each(|b| *pairs.entry((b.from, b.to)).or_default() += b.links);
        pairs
    };
    let mut compared = 0;
    for (spec, built) in networks(20_000) {
        let plan = built.plan();
        for depth in 1..=plan.layers().len() {
            if plan.cells(depth) > 2000 || by_rule_count(&plan, depth).is_none() {
                continue;
            }
            let slow = counted(network(&built), &plan, depth, u64::MAX, &Watch::SILENT).unwrap();
            let fast = by_rule(&plan, depth, &Watch::SILENT).unwrap();
            assert_eq!(pairs(&fast), pairs(&slow), "{spec}, {depth} layers");
            assert!(by_rule_count(&plan, depth).unwrap() >= fast.len() as u128, "{spec}");
            compared += 1;
        }
    }
    assert!(compared > 40, "{compared}");
}

#[test]
fn what_is_folded_is_counted_or_said_to_be_left_out() {
    for (spec, max_nodes) in [
        ("rdn(torus(5, 5), 1)", 200),
        ("hsn(hypercube(3), 3)", 200),
        ("dragonfly(8, 4)", 200),
        ("hypercube(8)", 200),
        ("torus(100, 84)", 1000),
    ] {
        let built = build(spec).unwrap();
        let options = Options { max_nodes, ..Options::default() };
        let scene =
            scene(network(&built), &built.plan(), options, &Marks::default(), &Watch::SILENT)
                .unwrap();
        assert!(scene.nodes_a_dot > 1 && scene.dots.len() as u64 <= max_nodes, "{spec}");
        let drawn: u128 = scene.lines.iter().map(|line| u128::from(line.links)).sum();
        assert_eq!(built.theory.degrees().links, (drawn + scene.hidden.unwrap()).into(), "{spec}");
        assert_apart(spec, &scene);
    }
}

#[test]
fn networks_of_any_size_are_folded_by_their_rule() {
    for (spec, dots) in [
        ("rdn(torus(5, 5), 3)", 8),
        ("rdn(hypercube(3), 4)", 8),
        ("rcr(10, 4, 10)", 2048),
        ("ccc(30)", 4096),
        ("re(torus(4, 4), torus(4, 4), 14)", 256),
        ("hypercube(60)", 512),
        ("wk(10, 18)", 10),
        ("torus(10, 10, 10, 10, 10, 10, 10, 10)", 100),
        ("dragonfly(16, 8)", 2064),
        ("torus(3000, 3000)", 225),
        ("mesh(2003, 2011)", 256),
        ("torus(200, 200, 200)", 125),
        ("ring(1000000000000)", 2500),
        ("slimfly(1009)", 64),
        ("sn(hypercube(18), 4, 0)", 16),
        ("sn(hypercube(18), 4, 0, 1, 0)", 16),
        ("rcr(2, 7, 19)", 4096),
        ("hosts(torus(1000, 1000), 4)", 100),
        ("hosts(rdn(torus(5, 5), 2), 4)", 4),
        ("fat_tree(200)", 201),
    ] {
        let built = build(spec).unwrap();
        let picture = draw(&built, spec, &Request::default(), Limits::default()).unwrap();
        assert_eq!(picture.dots, dots, "{spec}");
        assert_eq!(picture.svg.matches("<circle").count() as u64, dots, "{spec}");
    }
}

#[test]
fn equal_requests_give_equal_pictures() {
    let spec = "re(petersen, ring(5), 1)";
    let built = build(spec).unwrap();
    let draw = || draw(&built, spec, &Request::default(), Limits::default()).unwrap().svg;
    assert_eq!(draw(), draw());
}

#[test]
fn routes_broadcasts_and_loads_are_drawn_on_top() {
    let spec = "rdn(ring(3), 1)";
    let built = build(spec).unwrap();
    let with = |show| {
        let request = Request { show, ..Request::default() };
        draw(&built, spec, &request, Limits::default())
    };
    let route = with(Show::Route { from: Node(0), to: Node(17), router: None }).unwrap();
    let hops = network(&built).distance(Node(0), Node(17)).unwrap();
    assert!(route.notes[0].ends_with(&format!(": {hops} hops")), "{:?}", route.notes);
    assert_eq!(route.svg.matches("dot start\"").count(), 1);
    assert_eq!(route.svg.matches("dot end\"").count(), 1);
    assert_eq!(route.svg.matches("dot holder\"").count() as u64, hops - 1);
    // Before the last step all but those whom it tells know.
    let steps = 6;
    let last = with(Show::Broadcast { from: Node(0), step: steps }).unwrap();
    let [new, holders] =
        ["new", "holder"].map(|mark| last.svg.matches(&format!("dot {mark}\"")).count());
    assert_eq!(1 + new + holders, 18);
    assert!(new > 0);
    assert_eq!(
        with(Show::Broadcast { from: Node(0), step: steps + 1 }).unwrap_err(),
        PictureError::NoStep { step: steps + 1, steps }
    );
    let load = with(Show::Load).unwrap();
    assert!(load.svg.contains("#cf2a2a") && load.notes[0].starts_with("load"));
}

#[test]
fn a_deadlock_is_a_circle_of_arrows() {
    let circle = |spec: &str, router: &str| {
        let show = Show::Deadlock { router: Some(router.to_owned()) };
        let request = Request { show, ..Request::default() };
        draw(&build(spec).unwrap(), spec, &request, Limits::default()).unwrap()
    };
    let found = circle("rcr(2, 2, 2)", "paper");
    assert!(found.notes[0].starts_with("deadlock under router paper: 8 messages"), "{found:?}");
    let arrows = found.svg.split("class=\"head\"").nth(1).unwrap().matches('Z').count();
    assert!((3..=8).contains(&arrows), "{arrows}");
    let free = circle("rcr(2, 2, 2)", "repaired");
    assert!(free.notes[0].contains("no messages wait") && !free.svg.contains("class=\"hop\""));
}

#[test]
fn both_directions_of_a_link_show_their_load() {
    let spec = "path(2)";
    let built = build(spec).unwrap();
    let used = |back: f64| {
        let channels = vec![(Node(0), Node(1), 1.0), (Node(1), Node(0), back)];
        let show = Show::Used { channels, when: "once".to_owned() };
        let request = Request { show, ..Request::default() };
        draw(&built, spec, &request, Limits::default()).unwrap().svg
    };
    // The legend has every color once; a link that is busy one way has two halves.
    let lines = |svg: &str, color: &str| svg.matches(&format!("stroke=\"{color}\"")).count();
    let uneven = used(0.0);
    assert_eq!((lines(&uneven, "#2c7fb8"), lines(&uneven, "#cf2a2a")), (2, 2));
    let even = used(1.0);
    assert_eq!((lines(&even, "#2c7fb8"), lines(&even, "#cf2a2a")), (2, 0));
    assert!(even.contains("every link carries 1"));
}

#[test]
fn links_pass_beside_the_dots_of_others() {
    for spec in ["bcube(4, 1)", "dragonfly(4, 2)", "rdn(ring(3), 1)", "fat_tree(4)", "torus(4, 4)"]
    {
        let built = build(spec).unwrap();
        let scene = drawn(&built, &built.plan(), Fold::Level(0));
        let on_the_way = |line: &Line| {
            let (out, along) = (line.bend, (line.to - line.from) * 0.12);
            let [c, d] = [line.from + along + out, line.to - along + out];
            (1..200u32)
                .map(move |step| {
                    let t = f64::from(step) / 200.0;
                    let u = 1.0 - t;
                    line.from * (u * u * u)
                        + c * (3.0 * u * u * t)
                        + d * (3.0 * u * t * t)
                        + line.to * (t * t * t)
                })
                .collect::<Vec<Point>>()
        };
        for line in &scene.lines {
            let others = scene.dots.iter().filter(|dot| dot.at != line.from && dot.at != line.to);
            let points = on_the_way(line);
            for dot in others {
                let apart =
                    points.iter().map(|&at| (at - dot.at).length()).fold(f64::MAX, f64::min);
                // The usual dot has a radius of 0.24.
                assert!(apart > 0.24, "{spec}: {line:?} passes {:?} at {apart}", dot.node);
            }
        }
    }
}

#[test]
fn what_cannot_be_drawn_says_why() {
    let error = |spec: &str, options: Options| {
        let request = Request { options, ..Request::default() };
        draw(&build(spec).unwrap(), spec, &request, Limits::default()).unwrap_err().to_string()
    };
    let usual = Options::default();
    assert_eq!(
        error("debruijn(2, 24)", usual),
        "16777216 nodes are too many to draw, at most 5000, and this network has no clusters to \
         fold that are few enough"
    );
    let unfolded = Options { fold: Fold::Level(0), ..usual };
    assert!(
        error("rdn(torus(5, 5), 2)", unfolded).starts_with("3125000 dots are too many to draw")
    );
    let folded = Options { fold: Fold::Level(9), ..usual };
    assert_eq!(
        error("rdn(torus(5, 5), 2)", folded),
        "the level to fold must be from 0 to 2 for this network, not 9"
    );
    let few = Options { max_links: 10, ..usual };
    assert!(
        error("petersen", few).starts_with("15 lines or more are too many to draw, at most 10")
    );
    assert!(error("rdn(torus(5, 5), 4)", usual).starts_with("it cannot be drawn"));
    let plan = Request { plan: Some("round".to_owned()), ..Request::default() };
    let error = draw(&build("ccc(3)").unwrap(), "ccc(3)", &plan, Limits::default()).unwrap_err();
    assert_eq!(error.to_string(), "the plan `round` is not known: this network has usual, planes");
}
