//! Every family is drawn: no dot on another, no cluster over another, no link lost, and folded as it would be counted.

use crate::scene::{assert_apart, drawn, network};
use crate::{make, specs};
use nestnet::draw::Fold;
use nestnet::draw::bundle::{Bundle, by_rule, by_rule_count, counted};
use nestnet::family::Family;
use nestnet::{Built, Watch};
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

/// Networks whose bundles follow a rule.
const RULED: &[&str] = &[
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
];

/// Every example that is small enough.
pub fn drawn_and_folded(family: &'static Family) {
    let mut seen = 0;
    for spec in specs(family, &[NESTED, RULED].concat()) {
        let built = make(spec).unwrap_or_else(|error| panic!("{error}"));
        if built.order() <= 1000u32.into() {
            nodes_have_places_and_links_lines(spec, &built);
        }
        if built.order() <= 20_000u32.into() {
            bundles_are_as_counted(spec, &built);
            seen += 1;
        }
    }
    assert!(seen > 0, "no example of {} is small", family.name);
}

fn nodes_have_places_and_links_lines(spec: &str, built: &Built) {
    for (name, plan) in built.plans() {
        let scene = drawn(built, &plan, Fold::Level(0));
        assert_eq!(built.order(), (scene.dots.len() as u64).into(), "{spec}");
        assert_eq!(built.theory.degrees().links, (scene.lines.len() as u64).into(), "{spec}");
        assert!(scene.dots.iter().all(|dot| dot.node.is_some()), "{spec}: {name}");
        assert_apart(spec, &scene);
    }
}

/// What the rule says of bundles is what is counted.
fn bundles_are_as_counted(spec: &str, built: &Built) {
    let pairs = |bundles: &[Bundle]| {
        let mut pairs: BTreeMap<(u64, u64), u64> = BTreeMap::new();
        bundles.iter().for_each(|b| *pairs.entry((b.from, b.to)).or_default() += b.links);
        pairs
    };
    let plan = built.plan();
    let mut compared = 0;
    for depth in 1..=plan.layers().len() {
        if plan.cells(depth) > 2000 || by_rule_count(&plan, depth).is_none() {
            continue;
        }
        let slow = counted(network(built), &plan, depth, u64::MAX, &Watch::SILENT).unwrap();
        let fast = by_rule(&plan, depth, &Watch::SILENT).unwrap();
        assert_eq!(pairs(&fast), pairs(&slow), "{spec}, {depth} layers");
        assert!(by_rule_count(&plan, depth).unwrap() >= fast.len() as u128, "{spec}");
        compared += 1;
    }
    assert!(compared > 0 || !RULED.contains(&spec), "{spec} has no rule");
}
