//! Networks that are one and the same, link by link or up to the names of their nodes.

use nestnet::family::{Instance, Kind, Make, families};
use nestnet::network::sorted_neighbors;
use nestnet::{Network, Node, build};
use std::collections::BTreeSet;
use std::sync::Arc;

fn network(spec: &str) -> Arc<dyn Network> {
    build(spec).unwrap_or_else(|error| panic!("{error}")).network.expect("small enough")
}

/// The same links under the renaming of `left`'s nodes.
fn assert_same(left: &str, right: &str, rename: impl Fn(u64) -> u64) {
    let (a, b) = (network(left), network(right));
    assert_eq!(a.order(), b.order(), "{left} and {right}");
    for at in 0..a.order() {
        let mut ends = sorted_neighbors(&*a, Node(at));
        ends.iter_mut().for_each(|end| end.0 = rename(end.0));
        ends.sort_unstable();
        assert_eq!(ends, sorted_neighbors(&*b, Node(rename(at))), "{left} and {right} at {at}");
    }
}

fn assert_equal(left: &str, right: &str) {
    assert_same(left, right, |id| id);
}

#[test]
fn dual_nets_nest() {
    for base in ["ring(3)", "path(3)", "petersen", "hypercube(1)", "rsn(complete(2), 2)"] {
        assert_equal(&format!("rdn(rdn({base}, 1), 1)"), &format!("rdn({base}, 2)"));
    }
    for n in 1..6 {
        assert_equal(&format!("dual_cube({n})"), &format!("rdn(hypercube({}), 1)", n - 1));
    }
}

#[test]
fn exchanged_hypercubes_of_equal_parts_are_dual_cubes() {
    for n in 1..6 {
        // Where c = 0, b says in which cube a node is and a where; where c = 1, the other way round.
        let rename = |id: u64| {
            let (a, b, c) = (id >> (n + 1), id >> 1 & ((1 << n) - 1), id & 1);
            let (cube, corner) = if c == 0 { (b, a) } else { (a, b) };
            c << (2 * n) | cube << n | corner
        };
        let exchanged = format!("exchanged_hypercube({n}, {n})");
        assert_same(&exchanged, &format!("dual_cube({})", n + 1), rename);
    }
}

#[test]
fn swapped_networks_of_complete_graphs_are_wk() {
    for d in 1..8 {
        assert_equal(&format!("rsn(complete({d}), 2)"), &format!("wk({d}, 2)"));
        assert_equal(&format!("symmetric_hypernet(complete({d}), 3)"), &format!("wk({d}, 3)"));
    }
}

#[test]
fn swapped_networks_nest() {
    assert_equal("rsn(rsn(ring(3), 2), 2)", "rsn(ring(3), 3)");
    assert_equal("hsn(ring(5), 2)", "rsn(ring(5), 2)");
    assert_equal("hcn(3)", "rsn(hypercube(3), 2, diameter_links=true)");
    assert_equal("hfn(3)", "rsn(folded_hypercube(3), 2)");
    assert_equal("sn(hypercube(3), 3, 0)", "rsn(hypercube(3), 2)");
    assert_equal("sn(sn(hypercube(2), 2, 0), 2, 0)", "hsn(hypercube(2), 3)");
    assert_equal("hypernet(4, 1)", "hypercube(4)");
}

#[test]
fn expanded_heawood_is_an_expansion() {
    for n in 1..4 {
        let expansion = format!("re(heawood, heawood, {})", n - 1);
        assert_equal(&format!("re_heawood({n})"), &expansion);
    }
    assert_equal("re([ring(4), ring(4)], ring(3))", "re(ring(4), ring(3), 2)");
    assert_equal("re_heawood2(1)", "heawood");
}

#[test]
fn products_have_many_names() {
    assert_equal("folded(ring(4), 3)", "torus(4, 4, 4)");
    assert_equal("hyperx(3, 4)", "generalized_hypercube(3, 4)");
    assert_equal("mesh(2, 2, 2)", "hypercube(3)");
    assert_equal("torus(2, 2, 2)", "hypercube(3)");
    assert_equal("flooded(petersen, 1)", "petersen");
    assert_equal("root_folded(petersen, 1)", "petersen");
}

#[test]
fn cubes_of_rings_have_many_names() {
    for n in 1..8 {
        // Position b of the cyclic one flips bit b-1.
        let shift = |id: u64| id / n * n + (id % n + 1) % n;
        assert_same(&format!("ccc({n})"), &format!("rcr(1, {n}, {})", n - 1), shift);
        assert_equal(&format!("rcr({n}, 1, 0)"), &format!("hypercube({n})"));
        assert_equal(&format!("rcr(0, {n}, 0)"), &format!("ring({n})"));
    }
    assert_equal("cor(2, 3)", "rcr(2, 3, 4)");
}

/// The recursive construction of the paper: duplicate the network, rearrange the cube links by f with one bit more.
#[test]
fn cubes_of_rings_by_expansion() {
    for (k, r) in [(1, 3), (2, 2), (2, 4), (3, 2)] {
        for j in 0..4u64 {
            let direct = network(&format!("rcr({k}, {r}, {j})"));
            let m = k + j;
            assert_eq!(direct.order(), r << m);
            for at in 0..direct.order() {
                let (corner, b) = (at / r, at % r);
                let mut ends: Vec<u64> = (1..=k)
                    .map(|x| {
                        let bit = (m - (b * j + x) % m) % m;
                        (corner ^ 1 << bit) * r + b
                    })
                    .chain([(b + 1) % r, (b + r - 1) % r].map(|to| corner * r + to))
                    .filter(|&to| to != at)
                    .collect();
                ends.sort_unstable();
                ends.dedup();
                let ours = sorted_neighbors(&*direct, Node(at));
                assert_eq!(ours.iter().map(|node| node.0).collect::<Vec<_>>(), ends);
            }
        }
    }
}

#[test]
fn worked_examples_of_the_papers() {
    // Dual-net paper, Section 4: node (1,1,2) of RDN(3,1) is number 14.
    let rdn = network("rdn(ring(3), 1)");
    assert_eq!(rdn.address(Node(14)).to_string(), "(1,1,2)");
    // Cube-of-rings paper, Section 2: in RCR(2,2,1) the link [000;0] - [010;0], which RCR(2,2,2) does not have.
    let linked = |spec: &str, a: &str, b: &str| {
        let network = network(spec);
        let (a, b) = (nestnet::locate(&*network, a), nestnet::locate(&*network, b));
        sorted_neighbors(&*network, a.unwrap()).contains(&b.unwrap())
    };
    assert!(linked("rcr(2, 2, 1)", "[000; 0]", "[010; 0]"));
    assert!(!linked("rcr(2, 2, 2)", "[0000; 0]", "[0010; 0]"));
    // Recursive-expansion paper, Fig. 2: a frame of 4 and a unit of 3 nodes make 192 nodes of degree 4.
    let expanded = build("re(ring(4), ring(3), 3)").unwrap();
    assert_eq!(expanded.theory.order(), 192u32.into());
    assert_eq!(expanded.theory.degrees().max, 4);
    // Swapped paper, Section 5.2: x_11..x_8 exchanged with x_7..x_4 where x_0 = 0.
    let partial = network("sn(rsn(hypercube(2), 3), 4, 4, mask=1, value=0)");
    let at = nestnet::locate(&*partial, "000101110110").unwrap();
    let to = nestnet::locate(&*partial, "011100010110").unwrap();
    assert!(sorted_neighbors(&*partial, at).contains(&to));
}

/// All lists of integers from the least that is allowed on: of a single one up to the largest order that is looked at.
fn lists(least: &[u64]) -> Vec<Vec<u64>> {
    let values = match least.len() {
        1 => MAX_ORDER,
        2 => 8,
        _ => 4,
    };
    least.iter().fold(vec![Vec::new()], |lists, &first| {
        let longer = |list: Vec<u64>| {
            (first..first + values).map(move |value| [list.clone(), vec![value]].concat())
        };
        lists.into_iter().flat_map(longer).collect()
    })
}

/// Names of larger networks are not compared.
const MAX_ORDER: u64 = 64;

#[test]
fn what_a_search_leaves_out_has_a_simpler_name() {
    let (mut kept, mut left_out) = (BTreeSet::new(), Vec::new());
    for family in families().filter(|family| matches!(family.make, Make::Build(_))) {
        let takes_text = family.params.iter().any(|param| param.kind == Kind::Text);
        if family.bases() > 0 || family.is_drawn() || takes_text {
            continue;
        }
        let least: Vec<u64> = family.integers().iter().map(|&(least, _)| least).collect();
        let lists = if family.is_grid() {
            (1..=3).flat_map(|sides| lists(&vec![1; sides])).collect()
        } else {
            lists(&least)
        };
        for integers in lists {
            let written: Vec<String> = integers.iter().map(ToString::to_string).collect();
            let arguments = if written.is_empty() {
                String::new()
            } else {
                format!("({})", written.join(", "))
            };
            let spec = format!("{}{arguments}", family.name);
            let Ok(built) = build(&spec) else { continue };
            let equals = built.theory.connected() && built.theory.hosts() == built.order();
            let network =
                built.network.filter(|network| (2..=MAX_ORDER).contains(&network.order()));
            let Some(network) = network.filter(|_| equals) else { continue };
            let links: Vec<Vec<Node>> =
                (0..network.order()).map(|at| sorted_neighbors(&*network, Node(at))).collect();
            let instance = Instance { integers: &integers, word: family.words()[0], base: None };
            if (family.facts.left_out)(&instance) {
                left_out.push((spec, links));
            } else {
                kept.insert(links);
            }
        }
    }
    assert!(left_out.len() > 50);
    for (spec, links) in left_out {
        assert!(kept.contains(&links), "{spec} has no other name");
    }
}
