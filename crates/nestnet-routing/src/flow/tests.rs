//! Are loads, worst permutations and bounds those of slow reference versions that follow the definitions?

use super::*;
use crate::Router;
use crate::route::{Searched, Valiant};
use crate::traffic::{Ends, Source, Traffic, read};
use nestnet_graph::fabric::Fabric;
use nestnet_graph::{Budget, Csr, Network, Node, Watch, index};
use nestnet_seed::samples::HostedRing;
use proptest::prelude::*;
use std::sync::Arc;

fn ring(n: u32) -> Csr {
    let links: Vec<_> = (0..n).map(|at| (at, (at + 1) % n)).collect();
    Csr::from_links(n.into(), &links, 1 << 20).unwrap()
}

fn mesh(side: u32) -> Csr {
    let at = |x: u32, y: u32| x * side + y;
    let inside = |x: u32| x + 1 < side;
    let pairs = (0..side).flat_map(|x| (0..side).map(move |y| (x, y)));
    let links = pairs.flat_map(|(x, y)| {
        let down = inside(x).then(|| (at(x, y), at(x + 1, y)));
        let right = inside(y).then(|| (at(x, y), at(x, y + 1)));
        down.into_iter().chain(right)
    });
    Csr::from_links((side * side).into(), &links.collect::<Vec<_>>(), 1 << 20).unwrap()
}

fn fabric(network: &dyn Network) -> Fabric {
    Fabric::of(network, &Budget::UNLIMITED).unwrap()
}

fn traffic(text: &str, hosts: u64) -> Traffic {
    read(text, &Source::alone(&Ends::plain(hosts))).unwrap()
}

fn fraction(upper: u32, lower: u32) -> Fraction {
    Fraction::new(upper.into(), lower.into())
}

/// The exact θ of the busiest channel.
fn theta(network: &dyn Network, text: &str, split: Split) -> Fraction {
    let fabric = fabric(network);
    let traffic = traffic(text, network.hosts());
    let demands = Demands::of(&fabric, &traffic, &Budget::UNLIMITED).unwrap();
    let all = loads(&fabric, &demands, split, &Watch::SILENT).unwrap();
    let most = all.iter().copied().fold(0.0, f64::max);
    let busiest = all.iter().position(|&load| load >= most * (1.0 - 1e-12)).unwrap();
    let channel = fabric.csr.ends(busiest);
    let exact = exact_load(&fabric, &demands, split, channel, &Budget::UNLIMITED).unwrap().unwrap();
    exact.recip()
}

#[test]
fn textbook_values() {
    assert_eq!(theta(&ring(8), "uniform", Split::AllPaths), fraction(7, 8));
    assert_eq!(theta(&ring(8), "uniform", Split::Lowest), fraction(7, 10));
    assert_eq!(theta(&ring(8), "tornado", Split::AllPaths), fraction(1, 3));
    assert_eq!(theta(&mesh(4), "uniform", Split::AllPaths), fraction(10, 13));
    assert_eq!(theta(&mesh(4), "uniform", Split::PerHop), fraction(120, 149));
    // Two hosts a switch: θ₁ · (2n - 1) / (4 (n - 1)).
    let hosted = theta(&HostedRing { n: 8, p: 2 }, "uniform", Split::AllPaths);
    assert_eq!(hosted, fraction(7 * 15, 8 * 4 * 7));
}

/// One walk for every shortest path, or every division: the slow obvious version.
fn plain_loads(csr: &Csr, demands: &Demands, split: Split) -> Vec<f64> {
    let distance: Vec<Vec<u32>> = (0..csr.order())
        .map(|at| nestnet_graph::measure::search::distances_from(csr, Node(at)))
        .collect();
    let mut loads = vec![0.0; csr.targets().len()];
    for to in 0..u32::try_from(csr.order()).unwrap() {
        let far = &distance[to as usize];
        demands.for_each(to, &mut |from, weight| {
            let mut walks = vec![(vec![from], weight as f64 / demands.whole() as f64)];
            while walks.iter().any(|(walk, _)| walk.last() != Some(&to)) {
                walks = walks
                    .into_iter()
                    .flat_map(|(walk, part)| {
                        let at = *walk.last().unwrap();
                        let near = |next: &&u32| far[at as usize] == far[**next as usize] + 1;
                        let mut next_hops: Vec<u32> =
                            csr.neighbors(at).iter().filter(near).copied().collect();
                        if split == Split::Lowest {
                            next_hops.truncate(1);
                        }
                        let part = if split == Split::PerHop {
                            part / next_hops.len() as f64
                        } else {
                            part
                        };
                        next_hops.into_iter().map(move |next| {
                            let walk: Vec<u32> = walk.iter().copied().chain([next]).collect();
                            (walk, part)
                        })
                    })
                    .collect();
            }
            let all = if split == Split::AllPaths { walks.len() as f64 } else { 1.0 };
            for (walk, part) in walks {
                for pair in walk.windows(2) {
                    loads[nestnet_graph::measure::channel(csr, pair[0], pair[1])] += part / all;
                }
            }
        });
    }
    loads
}

fn connected(order: u32, links: &[(u32, u32)]) -> Csr {
    let path = (1..order).map(|at| (at - 1, at));
    let extra = links.iter().map(|(a, b)| (a % order, b % order)).filter(|(a, b)| a != b);
    Csr::from_links(order.into(), &path.chain(extra).collect::<Vec<_>>(), 1 << 20).unwrap()
}

proptest! {
    #![proptest_config(nestnet_seed::config())]

    #[test]
    fn loads_are_those_of_every_path(
        order in 2u32..9,
        links in proptest::collection::vec((any::<u32>(), any::<u32>()), 0..12),
        seed in 0u64..100,
    ) {
        let csr = connected(order, &links);
        let fabric = fabric(&csr);
        for text in ["uniform".to_owned(), format!("permutation({seed})"), "hotspot(30%, 1)".to_owned()] {
            let traffic = traffic(&text, order.into());
            let demands = Demands::of(&fabric, &traffic, &Budget::UNLIMITED).unwrap();
            for split in Split::ALL {
                let fast = loads(&fabric, &demands, split, &Watch::SILENT).unwrap();
                let plain = plain_loads(&csr, &demands, split);
                for (channel, (fast, plain)) in fast.iter().zip(&plain).enumerate() {
                    prop_assert!((fast - plain).abs() < 1e-9, "{} {:?}", text, split);
                    let ends = csr.ends(channel);
                    let exact = exact_load(&fabric, &demands, split, ends, &Budget::UNLIMITED);
                    let exact = exact.unwrap().unwrap();
                    let exact = nestnet_graph::distances::ratio(exact.numer(), exact.denom());
                    prop_assert!((exact - plain).abs() < 1e-9, "{} {:?}", text, split);
                }
            }
        }
    }

    /// Every permutation is tried.
    #[test]
    fn no_permutation_is_worse(
        order in 2u32..7,
        links in proptest::collection::vec((any::<u32>(), any::<u32>()), 0..8),
    ) {
        let csr = connected(order, &links);
        let fabric = fabric(&csr);
        let router = Searched::new(Arc::new(csr.clone())).unwrap();
        let load = |to: &[u64], split: Option<Split>| {
            let traffic = Traffic::permutation("tried", to.to_vec());
            let demands = Demands::of(&fabric, &traffic, &Budget::UNLIMITED).unwrap();
            let all: Vec<f64> = match split {
                Some(split) => loads(&fabric, &demands, split, &Watch::SILENT).unwrap(),
                None => {
                    let routed = routed_loads(&csr, &router, &fabric, &demands, &Budget::UNLIMITED);
                    let routed = routed.unwrap();
                    routed.loads.iter().map(|&load| load as f64 / routed.whole as f64).collect()
                }
            };
            all.into_iter().fold(0.0, f64::max)
        };
        let all = permutations(order.into());
        for split in Split::ALL.map(Some).into_iter().chain([None]) {
            let worst = match split {
                Some(split) => worst_of_split(&fabric, split, None, &Budget::UNLIMITED),
                None => worst_of_router(&csr, &router, &fabric, None, &Budget::UNLIMITED),
            };
            let worst = worst.unwrap().unwrap();
            let most = all.iter().map(|to| load(to, split)).fold(0.0, f64::max);
            prop_assert!((worst.load - most).abs() < 1e-9, "{:?}: {} {}", split, worst.load, most);
            prop_assert!((load(&worst.permutation, split) - most).abs() < 1e-9);
        }
        // No flow carries more for the permutation of the bound than the bound.
        let bound = throughput_upper_bound(&fabric, &Budget::UNLIMITED).unwrap();
        let demands = Traffic::permutation("bound", bound.of_hosts(&fabric));
        let demands = Demands::of(&fabric, &demands, &Budget::UNLIMITED).unwrap();
        let best = concurrent(&fabric, &demands, 0.01, &Budget::default()).unwrap().unwrap();
        prop_assert!(best.low <= bound.theta() + 1e-9);
        prop_assert_eq!(check::check(&fabric, &demands, &best), Ok(()));
    }

    #[test]
    fn the_best_assignment_is_the_best_of_all(
        n in 1usize..6,
        weights in proptest::collection::vec(0u32..7, 36),
    ) {
        let weight = |row: usize, column: usize| f64::from(weights[row * 6 + column]);
        let (to, sum) = best_assignment(n, weight, &Watch::SILENT).unwrap();
        let of = |to: &[u64]| to.iter().enumerate().map(|(row, &to)| weight(row, index(to))).sum::<f64>();
        let most = permutations(n as u64).iter().map(|to| of(to)).fold(0.0, f64::max);
        prop_assert_eq!(sum, most);
        let to: Vec<u64> = to.into_iter().map(|to| to as u64).collect();
        prop_assert_eq!(of(&to), most);
        prop_assert!(permutations(n as u64).contains(&to));
    }
}

fn permutations(n: u64) -> Vec<Vec<u64>> {
    let mut all = vec![Vec::new()];
    for _ in 0..n {
        let longer = |to: Vec<u64>| {
            let free: Vec<u64> = (0..n).filter(|next| !to.contains(next)).collect();
            free.into_iter().map(move |next| to.iter().copied().chain([next]).collect())
        };
        all = all.into_iter().flat_map(longer).collect();
    }
    all
}

#[test]
fn through_any_switch_is_half_of_uniform_with_oneself() {
    let network = HostedRing { n: 5, p: 1 };
    let legs: Arc<dyn Router> =
        Arc::new(Searched::new(Arc::new(HostedRing { n: 5, p: 1 })).unwrap());
    let valiant = Valiant::new(legs, 5..10).unwrap();
    let fabric = fabric(&network);
    for text in ["shift(1)", "shift(2)"] {
        let demands = Demands::between_hosts(&traffic(text, 5), &Budget::UNLIMITED).unwrap();
        let routed =
            routed_loads(&network, &valiant, &fabric, &demands, &Budget::UNLIMITED).unwrap();
        // Each way round: distances 1 and 2 over five middles, and again from them.
        assert_eq!((routed.loads, routed.whole), (vec![6; 10], 5), "{text}");
    }
}

#[test]
fn bounds_for_any_routing_meet() {
    let mesh = mesh(4);
    for (network, text) in [(&ring(9), "tornado"), (&mesh, "uniform"), (&mesh, "transpose")] {
        let fabric = fabric(network);
        let traffic = traffic(text, network.order());
        let demands = Demands::of(&fabric, &traffic, &Budget::UNLIMITED).unwrap();
        let best = concurrent(&fabric, &demands, 0.02, &Budget::default()).unwrap().unwrap();
        assert!(
            best.low <= best.high && best.high <= best.low * 1.02,
            "{text}: {} {}",
            best.low,
            best.high
        );
        assert_eq!(check::check(&fabric, &demands, &best), Ok(()));
        // What is not true is found.
        let more = Concurrent { low: best.low * 1.001, ..best.clone() };
        assert!(matches!(
            check::check(&fabric, &demands, &more),
            Err(check::FlowFault::Low { .. })
        ));
        let less = Concurrent { high: best.high * 0.999, ..best.clone() };
        assert!(matches!(
            check::check(&fabric, &demands, &less),
            Err(check::FlowFault::High { .. })
        ));
        let mut lost = best.clone();
        let used = lost.flow.iter().position(|&flow| flow > 0.01).unwrap();
        lost.flow[used] -= 0.001;
        assert!(matches!(
            check::check(&fabric, &demands, &lost),
            Err(check::FlowFault::Lost { .. })
        ));
    }
}

#[test]
fn what_has_no_path_is_said() {
    let parts = Csr::from_links(4, &[(0, 1), (2, 3)], 1 << 20).unwrap();
    let fabric = fabric(&parts);
    let demands = Demands::of(&fabric, &Traffic::uniform(4), &Budget::UNLIMITED).unwrap();
    let error = loads(&fabric, &demands, Split::PerHop, &Watch::SILENT).unwrap_err();
    assert_eq!(error, FlowError::NoPath { from: 2, to: 0 });
}
