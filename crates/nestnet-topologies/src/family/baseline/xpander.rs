//! Xpander: does a random lift of a complete graph keep the distances of a random network, and can it be cabled by groups?
//!
//! # Paper
//! A. Valadarsky, G. Shahaf, M. Dinitz, M. Schapira, "Xpander: Towards Optimal-Performance Datacenters", 2016.
//!
//! # Definition
//! An n-lift of the complete graph of d+1 nodes: d+1 groups of n nodes, and between every two groups a perfect matching,
//! each of the n! as likely. (d+1)·n nodes of degree d; n = 1 is the complete graph itself.
//! From degree 3 on the draw is repeated until the network is connected; of degree 2 and less it is taken as it comes.
//!
//! # Numbering
//! The id of node i of group g is g·n + i. Ports lead to the other groups in ascending order.
//! The stream of random numbers is ChaCha with 8 rounds, keyed by the seed; the r-th repetition uses stream r. For the
//! groups (0, 1), (0, 2), …, (1, 2), … one after the other the numbers 0..n are shuffled from the last place down, and node i
//! of the first group is linked to the node of the second whose number is at place i.

use crate::family::{ArgError, Args, Built};
use crate::random::{below, stream};
use nestnet_draw::{Held, Joints, Plan};
use nestnet_graph::bulk_neighbors::Reach;
use nestnet_graph::measure::search::is_connected;
use nestnet_graph::{Address, Csr, CsrError, Network, Node, Port, radix};
use rand_chacha::ChaCha8Rng;

pub(super) fn build(args: &Args) -> Result<Built, ArgError> {
    let (d, n, seed) = (args.integer("d"), args.integer("n"), args.integer("seed"));
    let budget = &args.context.budget;
    let order = (d + 1).checked_mul(n).filter(|&order| order <= 1 << 32);
    let order = order.ok_or_else(|| {
        let order = u128::from(d + 1) * u128::from(n);
        ArgError::new("n", format!("is too large: {order} nodes, and at most 2^32 are stored"))
    })?;
    budget.fits("drawing it", bytes(order, d)).map_err(|over| too_large(over.into()))?;
    for attempt in 0.. {
        let lift = Xpander::draw(d, n, &mut stream(seed, attempt), budget.memory);
        let lift = lift.map_err(too_large)?;
        if d < 3 || is_connected(&lift.links) {
            let plan = Plan::ring(d + 1).around(&Plan::ring(n), 0, Held::Cluster);
            let plan = plan.joined(Joints::EveryTwo { layers: 1, links: n, opposite: 0 });
            return Ok(Built::stored(lift).placed(plan));
        }
    }
    unreachable!("a connected lift of degree 3 or more exists, and is drawn sooner than 2^64 times")
}

fn too_large(error: CsrError) -> ArgError {
    ArgError::new("n", format!("is too large for this degree: {error}"))
}

/// An upper bound on what drawing and storing takes: links once, sorted in both directions, and stored; a search.
fn bytes(order: u64, d: u64) -> u128 {
    24 * (u128::from(order) * u128::from(d) / 2) + 32 * u128::from(order)
}

/// A lift of a complete graph.
#[derive(Clone, Debug)]
pub struct Xpander {
    links: Csr,
    /// The number of groups, d+1.
    groups: u64,
    /// The number of nodes of a group.
    n: u64,
}

impl Xpander {
    /// One draw, which may be disconnected. O(links).
    fn draw(d: u64, n: u64, random: &mut ChaCha8Rng, limit: u64) -> Result<Self, CsrError> {
        let short = |id: u64| u32::try_from(id).expect("at most 2^32 nodes");
        let index = |place: u64| usize::try_from(place).expect("checked against the memory limit");
        let mut links = Vec::with_capacity(index((d + 1) * n * d / 2));
        for first in 0..=d {
            for second in first + 1..=d {
                let mut matching: Vec<u64> = (0..n).collect();
                for last in (1..n).rev() {
                    matching.swap(index(last), index(below(random, last + 1)));
                }
                let pairs = (0..n).zip(matching);
                links.extend(pairs.map(|(i, j)| (short(first * n + i), short(second * n + j))));
            }
        }
        Ok(Xpander { links: Csr::from_links((d + 1) * n, &links, limit)?, groups: d + 1, n })
    }
}

/// Neighbors are stored in ascending order, so that there is one of each other group, groups ascending.
impl Network for Xpander {
    fn order(&self) -> u64 {
        self.links.order()
    }

    fn ports(&self) -> u32 {
        self.links.ports()
    }

    fn neighbor(&self, at: Node, port: Port) -> Option<Node> {
        self.links.neighbor(at, port)
    }

    fn for_each_neighbor(&self, at: Node, visit: &mut dyn FnMut(Port, Node)) {
        self.links.for_each_neighbor(at, visit);
    }

    fn reach(&self) -> Option<&dyn Reach> {
        self.links.reach()
    }

    fn address(&self, at: Node) -> Address {
        Address::numbers([at.0 / self.n, at.0 % self.n])
    }

    fn node(&self, address: &Address) -> Option<Node> {
        radix::number(&address.as_numbers(2)?, &[self.groups, self.n]).map(Node)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nestnet_graph::theory::Degrees;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn first_draw(d: u64, n: u64, seed: u64) -> Xpander {
        Xpander::draw(d, n, &mut stream(seed, 0), 1 << 30).unwrap()
    }

    /// Every two groups are joined by a perfect matching, and no node has a link in its own.
    fn is_lift(lift: &Xpander) -> bool {
        let groups = || 0..lift.groups;
        let ends = |from: u64, to: u64| -> BTreeSet<(u64, u64)> {
            let of_group = (from * lift.n..(from + 1) * lift.n).map(Node);
            let mut links = BTreeSet::new();
            for at in of_group {
                lift.for_each_neighbor(at, &mut |_, end| {
                    if end.0 / lift.n == to {
                        links.insert((at.0, end.0));
                    }
                });
            }
            links
        };
        groups().all(|from| {
            groups().all(|to| {
                let links = ends(from, to);
                let froms: BTreeSet<u64> = links.iter().map(|link| link.0).collect();
                let tos: BTreeSet<u64> = links.iter().map(|link| link.1).collect();
                let wanted = if from == to { 0 } else { lift.n };
                let count = |set: &BTreeSet<u64>| set.len() as u64 == wanted;
                links.len() as u64 == wanted && count(&froms) && count(&tos)
            })
        })
    }

    #[test]
    fn one_node_a_group_is_the_complete_graph() {
        let lift = first_draw(6, 1, 3);
        assert_eq!(Degrees::measured(&lift), Degrees::regular(6, 7u8.into()));
    }

    /// Of the two matchings of groups of two each is as likely.
    #[test]
    fn matchings_are_even() {
        let draws = 4000u64;
        let straight = (0..draws).filter(|&seed| {
            let lift = first_draw(3, 2, seed);
            lift.neighbor(Node(0), Port(0)) == Some(Node(2))
        });
        assert!(straight.count().abs_diff(2000) < 150);
    }

    proptest! {
        #![proptest_config(nestnet_seed::config())]

        #[test]
        fn any_draw_is_a_lift(d in 0u64..9, n in 1u64..20, seed: u64) {
            let lift = first_draw(d, n, seed);
            prop_assert_eq!(Degrees::measured(&lift), Degrees::regular(d, ((d + 1) * n).into()));
            prop_assert!(is_lift(&lift));
            prop_assert_eq!(first_draw(d, n, seed).links, lift.links);
        }
    }
}
