//! Does an order hold for all targets when it does for one of each class? For the checker alone.
//!
//! Where a router commutes with automorphisms, what it does on routes to g(t) is the image of what it does on the way
//! to t. So every dependency c → d of one target represents all g(c) → g(d), and all of them rise if the last channel
//! of the class of c stands before the first one of the class of d. Automorphisms keep ports, so that the class of a
//! channel is that of its node, its port and its virtual channel.

use super::Channel;
use super::places::Places;
use super::walker::Walker;
use crate::route::{Entry, Router};
use nestnet_graph::measure::{Interrupted, Watch, splitmix64};
use nestnet_graph::{Network, Node};
use rayon::prelude::*;

/// Channels and targets by class.
#[derive(Debug)]
pub struct Spans {
    /// For each place in the order, the first and the last place of its class; 0 is no place.
    by_place: Vec<(u32, u32)>,
    /// A target and how many are like it.
    pub targets: Vec<(Node, u64)>,
    /// Where each automorphism carries each node.
    images: Vec<Vec<u32>>,
}

/// Bytes for each node and for each channel of the order, besides those for the images of nodes.
const BYTES: u128 = 20;

/// Targets that are looked at besides one of each class.
const SPOTS: u64 = 32;

impl Spans {
    /// `None` where the router declares nothing, where it is not true of the channels in the order, or where it does not
    /// fit: then all targets must be walked to.
    pub fn new(
        network: &dyn Network,
        router: &dyn Router,
        places: &Places,
        order: &[Channel],
        max_memory: u64,
        watch: &Watch<'_>,
    ) -> Result<Option<Self>, Interrupted> {
        let declared = router.commutes_with();
        let nodes = u128::from(network.order());
        let need = nodes * (4 * declared.len() as u128 + BYTES) + order.len() as u128 * BYTES;
        if declared.is_empty() || need > max_memory.into() || nodes > u32::MAX.into() {
            return Ok(None);
        }
        let mut images = Vec::new();
        let mut nodes = Alike::new(network.order());
        for g in declared {
            let to: Option<Vec<u32>> =
                (0..network.order()).map(|at| u32::try_from(g(at)).ok()).collect();
            let Some(to) = to.filter(|to| is_one_to_one(to, network.hosts())) else {
                return Ok(None);
            };
            (0u32..).zip(&to).for_each(|(at, &image)| nodes.join(at, image));
            for (number, &channel) in order.iter().enumerate() {
                if number.is_multiple_of(4096) {
                    watch.check()?;
                }
                if !places.has_image(channel, &to) {
                    return Ok(None);
                }
            }
            images.push(to);
        }
        // All images of a channel are in the order, each at a node of the same class.
        let least = |nodes: &mut Alike, channel: Channel| {
            let at = u32::try_from(channel.node.0).ok()?;
            places.look_up(Channel { node: Node(nodes.find(at).into()), ..channel })
        };
        let mut by_class = vec![(u32::MAX, 0); order.len() + 1];
        let mut class_of = vec![0; order.len() + 1];
        for (place, &channel) in (1u32..).zip(order) {
            let Some(class) = least(&mut nodes, channel) else { return Ok(None) };
            class_of[place as usize] = class;
            let (first, last) = &mut by_class[class as usize];
            (*first, *last) = ((*first).min(place), place);
        }
        let by_place = class_of.into_iter().map(|class| by_class[class as usize]).collect();
        let mut targets: Vec<(Node, u64)> = Vec::new();
        let mut number = vec![usize::MAX; images.first().map_or(0, Vec::len)];
        for at in 0..u32::try_from(network.hosts()).unwrap_or(u32::MAX) {
            let number = &mut number[nodes.find(at) as usize];
            if *number == usize::MAX {
                *number = targets.len();
                targets.push((Node(at.into()), 0));
            }
            targets[*number].1 += 1;
        }
        Ok(Some(Spans { by_place, targets, images }))
    }

    /// The first and the last place of the class of a place.
    pub fn of(&self, place: u32) -> (u32, u32) {
        self.by_place[place as usize]
    }

    /// Nodes drawn at random, always the same ones: targets whose routes are walked although others represent them.
    pub fn spots(hosts: u64) -> impl ParallelIterator<Item = Node> {
        (0..SPOTS.min(hosts)).into_par_iter().map(move |spot| Node(splitmix64(spot) % hosts))
    }

    /// Whether each automorphism carries the hops to some targets to those that the router takes to their images.
    pub fn carry_hops(
        &self,
        network: &dyn Network,
        router: &dyn Router,
        watch: &Watch<'_>,
    ) -> Result<bool, Interrupted> {
        let kept = |(number, to): (usize, &Vec<u32>)| {
            watch.check()?;
            let target = splitmix64(number as u64) % network.hosts();
            let target = usize::try_from(target).expect("its images are in memory");
            let (mut here, mut there) = (vec![Entry::NONE; to.len()], vec![Entry::NONE; to.len()]);
            router.fill(Node(target as u64), &mut here);
            router.fill(Node(to[target].into()), &mut there);
            Ok((0..to.len()).all(|at| here[at] == there[to[at] as usize]))
        };
        let kept: Vec<bool> =
            self.images.par_iter().enumerate().map(kept).collect::<Result<_, Interrupted>>()?;
        Ok(kept.into_iter().all(|kept| kept))
    }

    /// Whether every dependency of one target of each class rises with its whole class; how many pairs are routed.
    pub fn rise(
        &self,
        router: &dyn Router,
        places: &Places,
        hosts: u64,
        watch: &Watch<'_>,
    ) -> Result<Option<u64>, Interrupted> {
        let walked = |walker: &mut Walker, &(to, alike): &(Node, u64)| {
            watch.check()?;
            let routed = walker.walk(router, places, to, hosts, |place| self.of(place)).ok();
            Ok(routed.map(|routed| routed * alike))
        };
        let pairs: Vec<Option<u64>> = self
            .targets
            .par_iter()
            .map_init(Walker::default, walked)
            .collect::<Result<_, Interrupted>>()?;
        Ok(pairs.into_iter().sum())
    }
}

/// Whether no two have the same image, and images of hosts are hosts.
fn is_one_to_one(to: &[u32], hosts: u64) -> bool {
    let mut is_hit = vec![false; to.len()];
    (0u64..).zip(to).all(|(at, &image)| {
        let hit = is_hit.get_mut(image as usize);
        let is_new = hit.is_some_and(|hit| !std::mem::replace(hit, true));
        is_new && (at < hosts) == (u64::from(image) < hosts)
    })
}

/// Numbers that were found alike, each with a smaller one that is.
struct Alike(Vec<u32>);

impl Alike {
    fn new(count: u64) -> Self {
        Alike((0..u32::try_from(count).expect("counted in 32 bits")).collect())
    }

    /// The least of the class.
    fn find(&mut self, mut number: u32) -> u32 {
        while self.0[number as usize] != number {
            let above = self.0[self.0[number as usize] as usize];
            self.0[number as usize] = above;
            number = above;
        }
        number
    }

    fn join(&mut self, one: u32, other: u32) {
        let (one, other) = (self.find(one), self.find(other));
        self.0[one.max(other) as usize] = one.min(other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_go_to_hosts_and_no_two_to_one() {
        for (to, hosts, is_true) in [
            ([1, 0, 3, 2], 2, true),
            ([0, 1, 2, 3], 2, true),
            ([3, 2, 1, 0], 4, true),
            // A host changes places with a switch.
            ([0, 2, 1, 3], 2, false),
            ([0, 0, 2, 3], 2, false),
            ([0, 1, 2, 4], 2, false),
        ] {
            assert_eq!(is_one_to_one(&to, hosts), is_true, "{to:?}");
        }
    }

    #[test]
    fn the_least_represents_its_class() {
        let mut alike = Alike::new(7);
        for (one, other) in [(4, 2), (6, 5), (2, 5), (0, 1), (4, 6)] {
            alike.join(one, other);
        }
        assert_eq!([0, 1, 2, 3, 4, 5, 6].map(|number| alike.find(number)), [0, 0, 2, 3, 2, 2, 2]);
    }

    #[test]
    fn spots_are_hosts_and_not_many() {
        let spots: Vec<Node> = Spans::spots(1000).collect();
        assert!(spots.len() == 32 && spots.iter().all(|spot| spot.0 < 1000));
        let mut different = spots.clone();
        different.sort_unstable();
        different.dedup();
        assert!(different.len() > 20, "{spots:?}");
        assert_eq!(Spans::spots(3).count(), 3);
    }
}
