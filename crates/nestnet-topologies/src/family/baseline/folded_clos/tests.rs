//! Are folded Clos networks what their definition says?

use super::*;
use nestnet_draw::bundle::{by_rule, by_rule_count, counted};
use nestnet_graph::measure::Watch;
use nestnet_graph::network::sorted_neighbors;
use nestnet_graph::{Budget, measure::search::distances_from};
use nestnet_routing::route::deadlock::certify;
use nestnet_routing::route::walk;
use std::collections::{BTreeMap, BTreeSet};

fn some() -> Vec<FoldedClos> {
    vec![
        FoldedClos::of_radix(2, 3, 1),
        FoldedClos::of_radix(4, 3, 2),
        FoldedClos::of_radix(4, 4, 2),
        FoldedClos::of_radix(6, 3, 2),
        FoldedClos::of_radix(8, 2, 2),
        FoldedClos::new(vec![3, 5], vec![1, 2]),
        FoldedClos::new(vec![2, 3, 2], vec![1, 3, 2]),
        FoldedClos::with_widths(vec![3, 2], vec![1, 2], vec![1, 3]),
        FoldedClos::with_widths(vec![2, 2, 2], vec![1, 2, 1], vec![1, 1, 2]),
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

/// As the definition of a PGFT has it: nodes are words of digits, joined where all but one agree.
#[test]
fn trunks_are_as_defined() {
    let (m, w, p) = ([2u64, 3, 2], [1u64, 2, 3], [1u64, 2, 3]);
    let tree = FoldedClos::with_widths(m.to_vec(), w.to_vec(), p.to_vec());
    let words = |level: usize| {
        let sides: Vec<u64> = (0..3).map(|j| if j >= level { m[j] } else { w[j] }).collect();
        let count: u64 = sides.iter().product();
        (0..count).map(move |n| {
            let mut n = n;
            sides.iter().map(|side| (n % side, n /= side).0).collect::<Vec<u64>>()
        })
    };
    let mut cables = 0;
    for level in 1..=3 {
        for lower in words(level - 1) {
            for upper in words(level) {
                if (0..3).all(|j| j == level - 1 || lower[j] == upper[j]) {
                    cables += p[level - 1];
                }
            }
        }
    }
    let degrees = tree.degrees();
    assert_eq!(degrees.cables, cables.into());
    assert_eq!(degrees, Degrees::measured(&tree));
    let sizes: Vec<usize> = (0..=3).map(|level| words(level).count()).collect();
    assert_eq!(tree.sizes(), sizes.iter().map(|&n| BigUint::from(n)).collect::<Vec<_>>());
    for at in (0..Network::order(&tree)).map(Node) {
        let mut ports = 0;
        tree.for_each_neighbor(at, &mut |port, to| {
            assert_eq!((port.0, tree.neighbor(at, port)), (ports, Some(to)));
            ports += 1;
        });
    }
}

/// The counts of fabrics that people buy.
#[test]
fn so_many_hosts_need_so_many_switches() {
    let sizes = |tree: FoldedClos| -> Vec<u64> {
        tree.sizes().iter().filter_map(BigUint::to_u64).collect()
    };
    let clos = |radix, levels, taper, hosts| {
        sizes(FoldedClos::for_hosts(radix, levels, (taper, 1), hosts).unwrap())
    };
    assert_eq!(clos(64, 3, 1, 4096), [4096, 128, 128, 64]);
    assert_eq!(clos(64, 2, 1, 2048), [2048, 64, 32]);
    assert_eq!(clos(64, 3, 1, 65536), [65536, 2048, 2048, 1024]);
    let tree = FoldedClos::for_hosts(64, 3, (1, 1), 4096).unwrap();
    assert_eq!((tree.down, tree.up, tree.width), (vec![32, 32, 4], vec![1, 32, 2], vec![1, 1, 16]));
    // Two to one: 42 hosts, and 21 cables up by three to 7 spines.
    assert_eq!(clos(64, 2, 2, 420), [420, 10, 7]);
    // Three to two: 36 hosts, and 24 cables up to 12 spines that 20 leaves share.
    let tree = FoldedClos::for_hosts(60, 2, (3, 2), 720).unwrap();
    assert_eq!((tree.down.clone(), tree.ports_of(1)), (vec![36, 20], (36, 24)));
    assert_eq!(sizes(tree), [720, 20, 8]);
    assert!(FoldedClos::for_hosts(64, 2, (1, 1), 2049).is_none());
}

/// Leaves that are partly filled have as many hosts each, and no more cables than these need.
#[test]
fn hosts_are_shared_out_evenly() {
    let clos = |radix, levels, taper, hosts| {
        let tree = FoldedClos::for_hosts(radix, levels, taper, hosts).unwrap();
        let sizes: Vec<u64> = tree.sizes().iter().filter_map(BigUint::to_u64).collect();
        (sizes, tree.ports_of(1))
    };
    // 18 cables up, since 16 cannot be shared out alike between three spines.
    assert_eq!(clos(36, 2, (1, 1), 96), (vec![96, 6, 3], (16, 18)));
    assert_eq!(clos(36, 2, (1, 1), 56), (vec![56, 4, 2], (14, 14)));
    assert_eq!(clos(36, 2, (1, 1), 97), (vec![102, 6, 3], (17, 18)));
    assert_eq!(clos(36, 2, (1, 1), 20), (vec![20, 2, 1], (10, 10)));
    assert_eq!(clos(8, 2, (1, 1), 17), (vec![20, 5, 4], (4, 4)));
    assert_eq!(clos(36, 2, (2, 1), 96), (vec![96, 4, 2], (24, 12)));
    for (radix, levels, hosts) in [(8, 2, 30), (8, 3, 70), (16, 3, 500), (12, 4, 999)] {
        for taper in [(1, 1), (2, 1), (3, 2)] {
            let Some(tree) = FoldedClos::for_hosts(radix, levels, taper, hosts) else { continue };
            let (down, up) = tree.ports_of(1);
            assert!(down * taper.1 <= up * taper.0 && down + up <= radix);
            let leaves = tree.sizes()[1].to_u64().unwrap();
            assert!((hosts..hosts + leaves).contains(&Network::hosts(&tree)), "{tree:?}");
        }
    }
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
            let router = UpDown::new(tree.clone(), up_ports);
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
    let tapered = FoldedClos::of_radix(6, 3, 2);
    spreads(&tapered, &[(1, 1), (5, 2), (71, 6)]);
    // Two spines, three cables up and three down.
    let trunks = FoldedClos::with_widths(vec![3, 2], vec![1, 2], vec![1, 3]);
    spreads(&trunks, &[(1, 1), (4, 18)]);
}

fn spreads(tree: &FoldedClos, expected: &[(u64, usize)]) {
    let router = UpDown::new(tree.clone(), UpPorts::Spread);
    for &(to, paths) in expected {
        let route = |choice| {
            let hops = walk(tree, &router, Node(0), Node(to), choice, 99).unwrap().hops;
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

/// The router in place of all choices has their hops on routes between hosts, and no others.
#[test]
fn any_port_is_the_union_of_all_choices() {
    for tree in some() {
        let spread = UpDown::new(tree.clone(), UpPorts::Spread);
        let any = spread.structure().all_shortest.unwrap();
        assert!(any.adapts() && !any.remembers());
        for to in (0..Network::hosts(&tree)).map(Node) {
            let mut taken: BTreeMap<Node, BTreeSet<Port>> = BTreeMap::new();
            for from in (0..Network::hosts(&tree)).map(Node) {
                for choice in 0..spread.choices() {
                    let found = walk(&tree, &spread, from, to, choice, 99).unwrap();
                    for (at, hop) in found.nodes.iter().zip(&found.hops) {
                        taken.entry(*at).or_default().insert(hop.port);
                    }
                }
            }
            for (at, ports) in taken {
                let mut hops = Vec::new();
                any.hops(at, any.start(at, to, 0), &mut hops);
                assert_eq!(ports, hops.iter().map(|hop| hop.port).collect(), "{tree:?} {at} {to}");
            }
            let mut hops = Vec::new();
            any.hops(to, any.start(to, to, 0), &mut hops);
            assert!(hops.is_empty());
        }
    }
}

/// A shift of all hosts never meets itself on a link: what d-mod-k is made for.
#[test]
fn shifts_do_not_collide_by_target() {
    shifts(&FoldedClos::of_radix(8, 3, 4), &[1, 5, 16, 77]);
    // Full bisection with trunks: all shifts.
    for (levels, hosts) in [(2, 16), (3, 32), (3, 64), (4, 128)] {
        let tree = FoldedClos::for_hosts(8, levels, (1, 1), hosts).unwrap();
        assert_eq!(Network::hosts(&tree), hosts);
        shifts(&tree, &(1..hosts).collect::<Vec<_>>());
    }
}

fn shifts(tree: &FoldedClos, shifts: &[u64]) {
    let router = UpDown::new(tree.clone(), UpPorts::ByTarget);
    let hosts = Network::hosts(tree);
    for shift in shifts {
        let mut used = BTreeSet::new();
        for from in 0..hosts {
            let to = Node((from + shift) % hosts);
            let mut at = Node(from);
            for hop in walk(tree, &router, at, to, 0, 99).unwrap().hops {
                assert!(used.insert((at, hop.port)), "{tree:?}: shift by {shift}");
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
            let router = UpDown::new(tree.clone(), up_ports);
            for at in (0..Network::order(&tree)).map(|at| tree.place(Node(at))) {
                for host in 0..Network::hosts(&tree) {
                    for state in 0..router.choices() {
                        let to = Place { level: 0, number: host };
                        let header = Header { to: Node(host), state };
                        let next = router.next_place(at, to, state);
                        let next = next.map(|to| router.port(at, to, header));
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
