//! Are folded Clos networks what their definition says?

use super::*;
use nestnet_draw::bundle::{by_rule, by_rule_count, counted};
use nestnet_graph::measure::Watch;
use nestnet_graph::network::sorted_neighbors;
use nestnet_graph::{Budget, measure::search::distances_from};
use nestnet_routing::route::deadlock::certify;
use nestnet_routing::route::walk;
use std::collections::BTreeSet;

fn some() -> Vec<FoldedClos> {
    vec![
        FoldedClos::of_radix(2, 3, 1),
        FoldedClos::of_radix(4, 3, 2),
        FoldedClos::of_radix(4, 4, 2),
        FoldedClos::of_radix(6, 3, 2),
        FoldedClos::of_radix(8, 2, 2),
        FoldedClos::new(vec![3, 5], vec![1, 2]),
        FoldedClos::new(vec![2, 3, 2], vec![1, 3, 2]),
    ]
}

#[test]
fn hosts_of_different_pods_are_six_apart_for_every_k() {
    for k in [2, 4, 6, 48, 1 << 40] {
        let tree = FoldedClos::of_radix(k, 3, k / 2);
        assert_eq!(tree.distances().unwrap().longest(), 6, "k = {k}");
        assert_eq!(tree.distances().unwrap().pairs(), Theory::order(&tree).pow(2));
    }
}

/// The fat tree as its authors draw it, link by link.
#[test]
fn a_fat_tree_has_pods_and_a_core() {
    let m = 3;
    let tree = FoldedClos::of_radix(2 * m, 3, m);
    let (pods, squared) = (2 * m, m * m);
    let (edges, aggregations) = (pods * squared, pods * squared + pods * m);
    let cores = aggregations + pods * m;
    assert_eq!(Network::order(&tree), cores + squared);
    let mut links = BTreeSet::new();
    for pod in 0..pods {
        for e in 0..m {
            links.extend((0..m).map(|i| ((pod * m + e) * m + i, edges + pod * m + e)));
            links.extend((0..m).map(|a| (edges + pod * m + e, aggregations + pod * m + a)));
        }
        for a in 0..m {
            links.extend((0..m).map(|j| (aggregations + pod * m + a, cores + a * m + j)));
        }
    }
    let ours = (0..Network::order(&tree)).flat_map(|at| {
        let above = sorted_neighbors(&tree, Node(at)).into_iter().filter(move |to| to.0 > at);
        above.map(move |to| (at, to.0))
    });
    assert_eq!(ours.collect::<BTreeSet<_>>(), links);
    assert_eq!(tree.address(Node(aggregations + 2 * m + 1)), Address::numbers([2, 2, 1]));
}

#[test]
fn links_join_neighboring_levels_that_agree_but_at_one_position() {
    for tree in some() {
        for at in (0..Network::order(&tree)).map(Node) {
            let here = tree.place(at);
            assert_eq!(tree.id(here), at);
            tree.for_each_neighbor(at, &mut |port, to| {
                let there = tree.place(to);
                let lower = here.level.min(there.level);
                assert_eq!(here.level.abs_diff(there.level), 1);
                assert_eq!(usize::from(tree.level(at, port)), lower);
                for i in (0..tree.top()).filter(|&i| i != lower) {
                    let digit = |place| {
                        if i > lower { tree.pod(place, i) } else { tree.plane(place, i) }
                    };
                    assert_eq!(digit(here), digit(there), "{tree:?} {at} {to}");
                }
            });
        }
    }
}

#[test]
fn both_ways_are_shortest_and_need_one_channel() {
    for tree in some() {
        for up_ports in [UpPorts::ByTarget, UpPorts::Spread] {
            let router = UpDown { tree: tree.clone(), up_ports };
            for from in (0..Network::order(&tree)).map(Node) {
                let distances = distances_from(&tree, from);
                for (to, &least) in (0..).map(Node).zip(&distances) {
                    for choice in 0..router.choices() {
                        let hops = walk(&tree, &router, from, to, choice, 99).unwrap().hops;
                        assert_eq!(hops.len() as u64, u64::from(least), "{tree:?} {from} {to}");
                    }
                }
            }
            let certificate = certify(&tree, &router, &Budget::UNLIMITED).unwrap();
            assert!(certificate.is_free(), "{tree:?} {up_ports:?}");
        }
    }
}

/// Every shortest path between two hosts, and all of them as often.
#[test]
fn spreading_takes_all_shortest_paths_alike() {
    let tree = FoldedClos::of_radix(6, 3, 2);
    let router = UpDown { tree: tree.clone(), up_ports: UpPorts::Spread };
    for (to, paths) in [(1, 1), (5, 2), (71, 6)] {
        let route = |choice| {
            let hops = walk(&tree, &router, Node(0), Node(to), choice, 99).unwrap().hops;
            hops.iter().map(|hop| hop.port).collect::<Vec<_>>()
        };
        let routes: Vec<_> = (0..router.choices()).map(route).collect();
        let different: BTreeSet<_> = routes.iter().collect();
        assert_eq!(different.len(), paths);
        for one in different {
            let often = routes.iter().filter(|route| *route == one).count();
            assert_eq!(often * paths, routes.len());
        }
    }
}

/// A shift of all hosts never meets itself on a link: what d-mod-k is made for.
#[test]
fn shifts_do_not_collide_by_target() {
    let tree = FoldedClos::of_radix(8, 3, 4);
    let router = UpDown { tree: tree.clone(), up_ports: UpPorts::ByTarget };
    let hosts = Network::hosts(&tree);
    for shift in [1, 5, 16, 77] {
        let mut used = BTreeSet::new();
        for from in 0..hosts {
            let to = Node((from + shift) % hosts);
            let mut at = Node(from);
            for hop in walk(&tree, &router, at, to, 0, 99).unwrap().hops {
                assert!(used.insert((at, hop.port)), "shift by {shift}");
                at = tree.neighbor(at, hop.port).unwrap();
            }
        }
    }
}

/// Toward hosts the short rule is the long one.
#[test]
fn both_rules_toward_hosts_agree() {
    for tree in some() {
        for up_ports in [UpPorts::ByTarget, UpPorts::Spread] {
            let router = UpDown { tree: tree.clone(), up_ports };
            for at in (0..Network::order(&tree)).map(|at| tree.place(Node(at))) {
                for host in 0..Network::hosts(&tree) {
                    for state in 0..router.choices() {
                        let to = Place { level: 0, number: host };
                        let next = router.next_place(at, to, state).map(|to| router.port(at, to));
                        assert_eq!(router.port_to_host(at, host, state), next, "{tree:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn pods_hold_all_nodes_and_links() {
    for tree in some() {
        let plan = pods::plan(&tree).unwrap();
        let order = Network::order(&tree);
        assert_eq!(plan.nodes_in(&[]), order.into());
        for at in (0..order).map(Node) {
            assert_eq!(plan.node_at(plan.place_of(at)), Some(at), "{tree:?}");
        }
        let sitters = (0..plan.cells(plan.layers().len())).filter_map(|place| plan.node_at(place));
        assert_eq!(sitters.count() as u64, order, "{tree:?}");
        for depth in 1..=plan.layers().len() {
            let counted = counted(&tree, &plan, depth, u64::MAX, &Watch::SILENT).unwrap();
            let informed = by_rule(&plan, depth, &Watch::SILENT).unwrap();
            assert_eq!(informed, counted, "{tree:?} to depth {depth}");
            assert!(by_rule_count(&plan, depth).unwrap() >= informed.len() as u128);
            let mut nodes = vec![0u64; usize::try_from(plan.cells(depth)).unwrap()];
            for at in (0..order).map(Node) {
                nodes[usize::try_from(plan.cell_of(at, depth)).unwrap()] += 1;
            }
            for (cell, nodes) in (0..).zip(nodes) {
                let sides: Vec<u64> =
                    plan.layers()[..depth].iter().map(|layer| layer.shape.places()).collect();
                assert_eq!(plan.nodes_in(&radix::digits(cell, &sides)), nodes.into(), "{tree:?}");
            }
        }
    }
    // Nine spines have no room in the middle of three hosts.
    assert!(pods::plan(&FoldedClos::new(vec![3, 4], vec![1, 9])).is_none());
}
