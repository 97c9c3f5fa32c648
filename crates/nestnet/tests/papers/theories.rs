//! Theories that are worked out by hand: sharp bounds, counts of any size, and expansions of which only bounds are known.

use crate::truth::{Truth, true_on_vague_bases};
use nestnet::family::{EvaluatedValue, find};
use nestnet::measure::search::distances_from;
use nestnet::{Context, Node, build};
use num_bigint::BigUint;

/// The pivots of an expansion follow from the degree of its frame, not from a bound on it; and a frame of one node has
/// none that must be visited.
#[test]
fn expansions_are_true_on_vague_frames_and_units() {
    let row = find("re").expect("a row");
    let base = |spec: &str| EvaluatedValue::Network(build(spec).expect("valid"));
    for (frame, unit, r, pivots) in
        [("complete(2)", "mesh(2, 3)", 2, "degree"), ("complete(1)", "ring(3)", 3, "diameter")]
    {
        let values = [
            ("frame", base(frame)),
            ("unit", base(unit)),
            ("r", EvaluatedValue::Integer(r)),
            ("pivots", EvaluatedValue::Word(pivots)),
        ];
        let spec = format!("re({frame}, {unit}, {r}, pivots={pivots})");
        let built = build(&spec).unwrap_or_else(|error| panic!("{error}"));
        let truth = Truth::of(&*built.network.expect("small"));
        true_on_vague_bases(row, &values, &Context::ALONE, &truth).unwrap();
    }
}

/// A bound that is true may still be looser than its theorem: those here are worked out by hand.
#[test]
fn bounds_are_as_sharp_as_their_theorems() {
    let bounds = |spec: &str| {
        let known = build(spec).unwrap_or_else(|error| panic!("{error}")).proven.diameter();
        let known = known.unwrap_or_else(|| panic!("{spec} has no bounds"));
        (known.low.to_string(), known.high.to_string())
    };
    for (spec, low, high) in BOUNDS {
        assert_eq!(bounds(spec), (low.to_string(), high.to_string()), "{spec}");
    }
}

/// A network, and at least and at most how much its diameter is.
const BOUNDS: &[(&str, u64, u64)] = &[
    // The Moore bound: 2,744 nodes of degree 4, 14^9 of degree 6; and 12(n-1) + 3.
    ("re_heawood2(3)", 7, 27),
    ("re_heawood2(9)", 15, 99),
    // 2^26 nodes of degree 15, and 2D + 1 with D = 7.
    ("rsn(folded_hypercube(13), 2, diameter_links=true)", 7, 15),
    // 4,096 nodes of degree 8 and 2D + 1 with D = 3; then 2D + 1 of both.
    ("rsn(rsn(folded_hypercube(6), 2, diameter_links=true), 2)", 11, 15),
    // 14^4 nodes of degree 4 and 12·3 + 3; then twice 2D + 2 of both.
    ("rdn(re_heawood2(4), 2)", 42, 162),
    // 9·16^4 nodes of degree 4; four phases of 4 frame steps, each behind a walk of 4, and five walks more.
    ("re(hypercube(4), ring(9), 4, pivots=degree)", 12, 100),
    // 30 frame steps; at least across the unit of 2^40 nodes, at most 31 times.
    ("re(ring(3), hypercube(40), 30)", 30 + 40, 30 + 31 * 40),
    // 60 frame steps over 50 pivots; at least past all of them, at most once around the path.
    ("re(ring(3), path(50), 60)", 60 + 49, 60 + 2 * 49),
    // All 9,001 bits and half the ring; or once around and half the ring.
    ("rcr(1, 20000, 9000)", 19_001, 39_001),
    // 2^15 nodes of degree 10, and 2D + 1 with D = 9.
    ("sn(hypercube(9), 6, 1)", 5, 19),
    // 2^16 nodes of degree 6, and 2D + 1 twice from D = 5.
    ("hypernet(5, 3)", 7, 23),
];

#[test]
fn a_nucleus_of_one_node_has_few_levels() {
    for spec in [
        "rsn(torus(1), 61)",
        "hsn(path(1), 100000)",
        "wk(1, 100000)",
        "rsn(rsn(path(1), 3), 2)",
        "hsn(folded(path(1), 1000), 5)",
        "folded(folded(path(1), 1000), 1000)",
    ] {
        let error = build(spec).unwrap_err().to_string();
        assert!(error.contains("one node"), "{spec}: {error}");
    }
    for spec in ["rsn(path(1), 17)", "hsn(path(1), 63)", "wk(1, 63)", "hosts(rsn(path(1), 3), 1)"] {
        assert_eq!(build(spec).unwrap().theory.hosts(), 1u8.into(), "{spec}");
    }
}

#[test]
fn links_of_many_levels_are_counted_without_their_classes() {
    // n^(l-1) nuclei, and a link for each place of a digit that differs from the last.
    for levels in [2u32, 3, 9, 5000] {
        let degrees = build(&format!("hsn(star(4), {levels})")).unwrap().proven.degrees();
        let nuclei = BigUint::from(4u8).pow(levels - 1);
        let expected = &nuclei * 3u8 + &nuclei * 3u8 * (levels - 1) / 2u8;
        assert_eq!(degrees.links, expected, "{levels}");
        assert_eq!((degrees.min, degrees.max), (1, 2 + u64::from(levels)), "{levels}");
        assert_eq!(degrees.counts.is_some(), levels < 5000);
    }
}

#[test]
fn flooding_a_path_of_two_makes_a_path() {
    for n in [1u32, 2, 7, 40] {
        let [flooded, path] = [format!("flooded(path(2), {n})"), format!("path({})", 2 * n)]
            .map(|s| build(&s).unwrap());
        assert_eq!(flooded.proven.distances(), path.proven.distances(), "{n}");
    }
    // What takes long is not said.
    assert_eq!(build("flooded(path(2), 3000)").unwrap().proven.distances(), None);
    assert!(build("flooded(path(1), 100000)").unwrap().proven.distances().is_some());
}

#[test]
fn where_all_nodes_of_a_unit_are_alike_each_is_as_far_from_the_others() {
    let built = build("re(ring(3), complete(100000), 17, pivots=single)").unwrap();
    // In a copy one link to the pivot, in both copies, and a link of the frame for every phase.
    let alone = build("re(ring(3), complete(30), 17, pivots=single)").unwrap();
    assert_eq!(built.proven.diameter(), alone.proven.diameter());
    // The same as by search.
    let small = build("re(ring(3), ring(5), 3, pivots=single)").unwrap();
    let network = small.network.clone().unwrap();
    let far = (0..network.order()).map(|at| distances_from(&*network, Node(at)).into_iter().max());
    assert_eq!(
        small.proven.diameter().unwrap().exact().cloned(),
        far.max().flatten().map(Into::into)
    );
}
