//! Pictures: what is folded is counted, what is drawn on top is there, and what cannot be drawn says why.

use crate::scene::{assert_apart, drawn, network};
use nestnet::cells::inside;
use nestnet::draw::{Fold, Frame, Line, Marks, Most, Options, Point, closest, necklaces, scene};
use nestnet::measure::Watch;
use nestnet::measures::Limits;
use nestnet::picture::{PictureError, Request, Show, draw};
use nestnet::report::{Topic, report};
use nestnet::{Node, build};
use num_bigint::BigUint;
use std::collections::BTreeSet;

#[test]
fn what_is_folded_is_counted_or_reported_as_omitted() {
    for (spec, max_nodes) in [
        ("rdn(torus(5, 5), 1)", 200),
        ("hsn(hypercube(3), 3)", 200),
        ("dragonfly(8, 4)", 200),
        ("hypercube(8)", 200),
        ("torus(100, 84)", 1000),
        // Of the last no cell is few enough lines: groups that follow each other are one dot.
        ("hyperx(16, 16, 16)", 5000),
        ("hsn(hypercube(4), 4)", 5000),
        ("dragonfly(16, 8)", 5000),
        ("debruijn(2, 13)", 5000),
    ] {
        let built = build(spec).unwrap();
        let options = Options { max_nodes, ..Options::default() };
        let scene =
            scene(network(&built), &built.plan(), options, &Marks::default(), &Watch::SILENT)
                .unwrap();
        assert!(scene.nodes_a_dot > 1u8.into() && scene.dots.len() as u64 <= max_nodes, "{spec}");
        let drawn: BigUint = scene.lines.iter().map(|line| &line.links).sum();
        assert_eq!(built.theory.degrees().links, drawn + scene.hidden.unwrap(), "{spec}");
        assert_apart(spec, &scene);
    }
}

#[test]
fn networks_of_any_size_are_folded_by_their_rule() {
    for (spec, dots) in [
        ("rdn(torus(5, 5), 3)", 8),
        ("rdn(hypercube(3), 4)", 8),
        ("rcr(10, 4, 10)", 256),
        ("ccc(30)", 512),
        ("re(torus(4, 4), torus(4, 4), 14)", 256),
        ("hypercube(60)", 512),
        ("wk(10, 18)", 10),
        ("torus(10, 10, 10, 10, 10, 10, 10, 10)", 100),
        ("dragonfly(16, 8)", 12),
        ("dragonfly(32, 16)", 9),
        ("dragonfly(256, 128)", 11),
        ("hyperx(16, 16, 16)", 256),
        ("hsn(hypercube(4), 4)", 16),
        ("debruijn(2, 13)", 32),
        // A hundred lines in a dot's way are no fog.
        ("complete(64)", 64),
        ("torus(70, 70)", 4900),
        ("torus(3000, 3000)", 225),
        ("mesh(2003, 2011)", 256),
        ("torus(200, 200, 200)", 125),
        ("ring(1000000000000)", 2500),
        ("slimfly(1009)", 64),
        ("sn(hypercube(18), 4, 0)", 16),
        ("sn(hypercube(18), 4, 0, 1, 0)", 16),
        ("rcr(2, 7, 19)", 512),
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
fn letters_of_a_printed_picture_have_six_points() {
    for spec in ["rdn(ring(5), 1)", "hypercube(6)", "petersen", "dragonfly(8, 4)", "torus(30, 30)"]
    {
        let built = build(spec).unwrap();
        for width in [40.0, 85.0, 180.0] {
            let frame = Frame { width: Some(width), ..Frame::default() };
            let request = Request { frame, ..Request::default() };
            let svg = draw(&built, spec, &request, Limits::default()).unwrap().svg;
            let number = |before: &str, text: &str| -> f64 {
                let text = text.split(before).nth(1).unwrap();
                text.split([' ', '"']).next().unwrap().parse().unwrap()
            };
            let points = width / 25.4 * 72.0 / number("viewBox=\"0 0 ", &svg);
            for text in svg.split("<text").skip(1) {
                let size = number("font-size=\"", text) * points;
                assert!(size > 5.9, "{spec} at {width} mm: {size} points");
            }
        }
    }
}

#[test]
fn networks_without_a_construction_lie_by_their_distances() {
    let draw = |spec: &str| {
        draw(&build(spec).unwrap(), spec, &Request::default(), Limits::default()).unwrap()
    };
    let random = draw("random_regular(64, 4, 1)");
    let circle = |svg: &str| {
        let middles = svg.split("<circle").skip(1).map(|dot| {
            let number = |name: &str| -> f64 {
                let text = dot.split(name).nth(1).unwrap();
                text.split('"').next().unwrap().parse().unwrap()
            };
            Point::new(number("cx=\""), number("cy=\""))
        });
        let middles: Vec<Point> = middles.collect();
        let sum = middles.iter().fold(Point::default(), |sum, &at| sum + at);
        let middle = sum * (1.0 / middles.len() as f64);
        let far = middles.iter().map(|&at| (at - middle).length());
        (far.clone().fold(f64::MAX, f64::min), far.fold(0.0, f64::max))
    };
    let (near, far) = circle(&random.svg);
    assert!(random.dots == 64 && near < 0.5 * far, "{near} {far}");
    let (near, far) = circle(&draw("ring(64)").svg);
    assert!(near > 0.9 * far, "{near} {far}");
    // Too many links to follow: in clusters.
    let large = draw("random_regular(3000, 8, 1)");
    assert!((8..=16).contains(&large.dots) && large.nodes_a_dot.0 > 90u8.into(), "{}", large.dots);
}

#[test]
fn words_and_permutations_lie_so_that_few_links_cross() {
    for (spec, most) in [
        ("star_graph(4)", 16),
        ("star_graph(5)", 900),
        ("debruijn(2, 3)", 0),
        ("debruijn(2, 4)", 10),
        ("debruijn(2, 5)", 30),
        ("kautz(2, 3)", 0),
        ("kautz(2, 4)", 22),
    ] {
        let built = build(spec).unwrap();
        let network = network(&built);
        let points = necklaces::layout(network, &Watch::SILENT).unwrap();
        let points = points.unwrap_or_else(|| {
            let scene = drawn(&built, &built.plan(), Fold::Level(0));
            let mut dots: Vec<_> = scene.dots.iter().map(|dot| (dot.node, dot.at)).collect();
            dots.sort_unstable_by_key(|dot| dot.0);
            dots.into_iter().map(|dot| dot.1).collect()
        });
        let at = |node: u64| points[usize::try_from(node).unwrap()];
        let mut links = Vec::new();
        for from in 0..network.order() {
            network.for_each_neighbor(Node(from), &mut |_, to| links.push((from, to.0)));
        }
        links.retain(|(from, to)| from < to);
        let side = |a, b, c| (at(b) - at(a)).cross(at(c) - at(a));
        let cross = |(a, b), (c, d)| {
            side(a, b, c) * side(a, b, d) < -1e-9 && side(c, d, a) * side(c, d, b) < -1e-9
        };
        let pairs = links.iter().enumerate();
        let pairs = pairs.flat_map(|(i, &a)| links[..i].iter().map(move |&b| (a, b)));
        let crossings = pairs.filter(|&(a, b)| cross(a, b)).count();
        assert!(crossings <= most, "{spec}: {crossings}");
        assert!(closest(&points) > 0.99, "{spec}: {}", closest(&points));
    }
}

#[test]
fn pictures_are_neither_flat_nor_narrow() {
    for spec in ["star_graph(4)", "debruijn(2, 3)", "debruijn(3, 3)", "kautz(2, 4)", "kautz(3, 3)"]
        .into_iter()
        .chain(["hosts(hyperx(4, 2), 2)", "hosts(torus(4, 4), 2)", "hosts(ring(6), 1)"])
    {
        let picture = draw(&build(spec).unwrap(), spec, &Request::default(), Limits::default());
        let svg = picture.unwrap().svg;
        let size = svg.split("viewBox=\"0 0 ").nth(1).unwrap().split('"').next().unwrap();
        let (wide, high) = size.split_once(' ').unwrap();
        let ratio = wide.parse::<f64>().unwrap() / high.parse::<f64>().unwrap();
        assert!((0.5..=2.0).contains(&ratio), "{spec}: {ratio}");
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

/// Switches send nothing: of 32 hosts, 4 at each of 8 switches, a host sends to 31 others, and a switch passes on what
/// leaves it over 4 links.
#[test]
fn only_hosts_load_a_network() {
    let load = |spec: &str| {
        let request = Request { show: Show::Load, ..Request::default() };
        draw(&build(spec).unwrap(), spec, &request, Limits::default()).unwrap().svg
    };
    let clos = load("clos(8, 2)");
    assert!(clos.contains(">31<") && !clos.contains("49.1"), "{clos}");
    // Two hosts at two switches that one link joins: the link carries 4, those of hosts 3.
    let pair = load("hosts(path(2), 2)");
    assert!(pair.contains(">4<"), "{pair}");
    // In planes, each with links of its own to every host, half goes over each.
    let planes = load("planes(hosts(path(2), 2), 2)");
    assert!(planes.contains(">2<"), "{planes}");
    assert!(load("petersen").contains("every link carries 5"));
}

#[test]
fn a_deadlock_is_a_cycle_of_arrows() {
    let cycle = |spec: &str, router: &str| {
        let show = Show::Deadlock { router: Some(router.to_owned()) };
        let request = Request { show, ..Request::default() };
        draw(&build(spec).unwrap(), spec, &request, Limits::default()).unwrap()
    };
    let found = cycle("rcr(2, 2, 2)", "paper");
    assert!(found.notes[0].starts_with("deadlock under router paper: 8 messages"), "{found:?}");
    let arrows = found.svg.split("class=\"head\"").nth(1).unwrap().matches('Z').count();
    assert!((3..=8).contains(&arrows), "{arrows}");
    let free = cycle("rcr(2, 2, 2)", "repaired");
    assert!(free.notes[0].contains("no dependency cycle") && !free.svg.contains("class=\"hop\""));
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
    // The legend has every color once; a link that is busy in one direction is drawn in two parts.
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
        error("star(16777216)", usual),
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
        "`fold=` must be from 0 to 2 for this network, not 9"
    );
    let few = Options { max_links: 10, ..usual };
    assert!(
        error("petersen", few).starts_with("15 lines or more are too many to draw, at most 10")
    );
    let huge = build("rdn(torus(5, 5), 4)").unwrap();
    let route = Show::Route { from: Node(0), to: Node(1), router: None };
    let request = Request { show: route, ..Request::default() };
    let on_top = draw(&huge, "huge", &request, Limits::default()).unwrap_err().to_string();
    assert!(on_top.starts_with("it has no node ids"), "{on_top}");
    let plan = Request { plan: Some("round".to_owned()), ..Request::default() };
    let error = draw(&build("ccc(3)").unwrap(), "ccc(3)", &plan, Limits::default()).unwrap_err();
    assert_eq!(error.to_string(), "`plan=`: `round` is not known: this network has usual, planes");
}

#[test]
fn a_network_without_ids_is_folded_as_the_page_folds_it() {
    let spec = "rdn(torus(5, 5), 4)";
    let built = build(spec).unwrap();
    let picture = draw(&built, spec, &Request::default(), Limits::default()).unwrap();
    let shown = inside(&built, "", Most::default(), &[], &Watch::SILENT).unwrap();
    assert_eq!((picture.dots, picture.lines), (shown.spots.len() as u64, shown.lines.len() as u64));
    assert_eq!(picture.nodes_a_dot.0, shown.nodes_a_spot);
    // All that is not in a bundle is inside a dot.
    assert!(picture.notes[0].contains("47,683,715,820,312,500,000,000,000"), "{:?}", picture.notes);
    assert!(picture.notes[1].starts_with("each line is a bundle of "), "{:?}", picture.notes);
    assert!(nestnet::cells::is_routed(&built));
    let topic = Topic {
        title: spec.to_owned(),
        about: String::new(),
        networks: &[built],
        contenders: &[],
        left_out: &[],
        charts: Vec::new(),
        tables: Vec::new(),
    };
    let page = report(&topic, Limits::default());
    assert!(page.contains("<circle") && page.contains("Routes follow from its clusters"));
}

#[test]
fn folded_fabrics_show_their_tiers() {
    for (spec, tiers) in [
        ("fat_tree(16)", 4),
        ("fat_tree(20)", 4),
        ("clos(64, 2)", 3),
        ("clos(16, 3)", 4),
        ("clos(64, 3, 1, 4096)", 4),
        ("leaf_spine(64, 16, 48)", 3),
        ("planes(clos(128, 2, 1, 4096), 2)", 3),
    ] {
        let built = build(spec).unwrap();
        let plan = built.plan();
        let scene = drawn(&built, &plan, Fold::Automatic);
        assert!(scene.dots.len() <= 120 && scene.nodes_a_dot > 1u8.into(), "{spec}");
        let heights: BTreeSet<u64> = scene.dots.iter().map(|dot| dot.at.y.to_bits()).collect();
        assert_eq!(heights.len(), tiers, "{spec}");
        // Hosts are round and below, switches square and above, and every dot says how many it is.
        let hosts = scene.dots.iter().filter(|dot| !dot.switch).map(|dot| dot.nodes.unwrap());
        assert_eq!(built.theory.hosts(), hosts.sum::<u64>().into(), "{spec}");
        let all: u64 = scene.dots.iter().map(|dot| dot.nodes.unwrap()).sum();
        assert_eq!(built.order(), all.into(), "{spec}");
        let drawn: BigUint = scene.lines.iter().map(|line| &line.links).sum();
        assert_eq!(built.theory.degrees().cables, drawn + scene.hidden.unwrap(), "{spec}");
        assert_apart(spec, &scene);
    }
}

#[test]
fn links_of_a_row_pass_beside_the_switches_between() {
    let built = build("hosts(hyperx(16, 16), 16)").unwrap();
    let scene = drawn(&built, &built.plan(), Fold::Level(0));
    let switches: Vec<Point> =
        scene.dots.iter().filter(|dot| dot.switch).map(|dot| dot.at).collect();
    let straight = scene.lines.iter().filter(|line| line.bend == Point::default());
    for line in straight.filter(|line| line.shared == 0) {
        let along = line.to - line.from;
        let passes = switches.iter().any(|&dot| {
            let part = (dot - line.from).dot(along) / along.dot(along);
            let aside = (dot - line.from).cross(along).abs() / along.length();
            (0.01..0.99).contains(&part) && aside < 0.3
        });
        assert!(!passes, "{line:?}");
    }
}

#[test]
fn what_is_not_bundled_is_not_called_a_bundle() {
    let spec = "rdn(torus(5, 5), 1)";
    let request = Request {
        options: Options { fold: Fold::Level(1), ..Options::default() },
        ..Request::default()
    };
    let picture = draw(&build(spec).unwrap(), spec, &request, Limits::default()).unwrap();
    assert!(picture.notes.iter().all(|note| !note.contains("bundle")), "{:?}", picture.notes);
}

#[test]
fn few_dots_of_a_network_without_a_construction_are_clusters() {
    let spec = "random_regular(1000, 3, 1)";
    let options = Options { max_nodes: 100, ..Options::default() };
    let request = Request { options, ..Request::default() };
    let built = build(spec).unwrap();
    let picture = draw(&built, spec, &request, Limits::default()).unwrap();
    assert!(picture.dots <= 100 && picture.nodes_a_dot.0 > 9u8.into(), "{}", picture.dots);
    // Clusters keep links inside; chunks of ids of a random graph keep hardly any.
    let inside = picture.notes.last().unwrap();
    let links: u64 = inside.split(' ').nth(2).unwrap().replace(',', "").parse().unwrap();
    assert!(links > 500, "{inside}");
}
