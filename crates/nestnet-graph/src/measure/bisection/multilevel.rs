//! Bisections by multilevel partitioning.
//!
//! G. Karypis and V. Kumar, "A fast and high quality multilevel scheme for partitioning irregular graphs", 1998. Nodes are
//! joined in pairs along the widest links, level by level; the smallest graph is divided around some nodes; and the division
//! is improved on every level on the way back. O(links · log nodes) or about that for each partition.

use super::super::{count, id, nodes, splitmix64};
use crate::Csr;
use std::collections::{BinaryHeap, VecDeque};

/// A network to be divided many times.
#[derive(Debug)]
pub struct Multilevel {
    whole: Level,
}

/// Graphs of so few nodes are divided as they are.
const SMALLEST: usize = 40;

/// Around so many nodes the smallest graph is divided.
const ROOTS: u64 = 8;

/// Passes of local search on a level at most.
const PASSES: usize = 8;

impl Multilevel {
    /// `None` without links.
    pub fn new(csr: &Csr) -> Option<Self> {
        let mut whole = Level { first: vec![0], links: Vec::new(), sizes: vec![1; count(csr)] };
        for at in nodes(csr) {
            let links = csr.neighbors(at).chunk_by(|a, b| a == b);
            whole.links.extend(links.map(|link| (link[0], link.len() as u64)));
            whole.first.push(whole.links.len());
        }
        (!whole.links.is_empty()).then_some(Multilevel { whole })
    }

    /// Nearly a half, another for each seed.
    pub fn partition(&self, seed: u64) -> Vec<bool> {
        let mut levels: Vec<(Level, Vec<u32>)> = Vec::new();
        loop {
            let finest = levels.last().map_or(&self.whole, |(level, _)| level);
            let dice = splitmix64(seed ^ splitmix64(levels.len() as u64));
            let Some(next) = finest.joined(dice) else { break };
            levels.push(next);
        }
        let smallest = levels.last().map_or(&self.whole, |(level, _)| level);
        let divided = (0..ROOTS).map(|root| smallest.divided(splitmix64(seed << 8 | root)));
        let best = divided.min_by_key(|(cut, _)| *cut);
        let mut side = best.map_or(Vec::new(), |(_, side)| side);
        while let Some((_, into)) = levels.pop() {
            side = into.iter().map(|&joined| side[joined as usize]).collect();
            levels.last().map_or(&self.whole, |(level, _)| level).improve(&mut side);
        }
        side
    }
}

/// A graph of nodes that are one or several of the network.
#[derive(Debug)]
struct Level {
    /// Where the links of each node begin; one entry more than nodes.
    first: Vec<usize>,
    /// The other end, and how many cables.
    links: Vec<(u32, u64)>,
    /// Of how many nodes of the network each is.
    sizes: Vec<u64>,
}

/// Not joined yet.
const NONE: u32 = u32::MAX;

impl Level {
    fn links(&self, at: u32) -> &[(u32, u64)] {
        &self.links[self.first[at as usize]..self.first[at as usize + 1]]
    }

    /// The graph in which pairs of nodes are one, and into which each goes; `None` where it is small or hardly smaller.
    fn joined(&self, dice: u64) -> Option<(Level, Vec<u32>)> {
        let n = self.sizes.len();
        if n <= SMALLEST {
            return None;
        }
        // None becomes so large that a half of them is far from one of the network.
        let most = self.sizes.iter().sum::<u64>().div_ceil(SMALLEST as u64 / 2);
        let mut order: Vec<u32> = (0..n).map(id).collect();
        order.sort_unstable_by_key(|&at| splitmix64(dice ^ u64::from(at)));
        let mut into = vec![NONE; n];
        let mut count = 0;
        // Of each node the last that found no partner and has its widest link there: leaves of one node are joined too.
        let mut waiting = vec![NONE; n];
        for &at in &order {
            if into[at as usize] != NONE {
                continue;
            }
            let fits = |other: u32| self.sizes[at as usize] + self.sizes[other as usize] <= most;
            let free = |&&(to, _): &&(u32, u64)| into[to as usize] == NONE && fits(to);
            let widest = |&&(to, cables): &&(u32, u64)| (cables, splitmix64(dice ^ u64::from(to)));
            let mut partner =
                self.links(at).iter().filter(free).max_by_key(widest).map(|link| link.0);
            if partner.is_none()
                && let Some(&(hub, _)) = self.links(at).iter().max_by_key(|link| link.1)
            {
                let other = std::mem::replace(&mut waiting[hub as usize], at);
                partner = Some(other).filter(|&other| other != NONE && fits(other));
                if let Some(other) = partner {
                    (waiting[hub as usize], into[at as usize]) = (NONE, into[other as usize]);
                    continue;
                }
            }
            into[at as usize] = count;
            partner.into_iter().for_each(|partner| into[partner as usize] = count);
            count += 1;
        }
        (count as usize <= n - n / 20).then(|| (self.merged(&into, count), into))
    }

    fn merged(&self, into: &[u32], count: u32) -> Level {
        let mut members: Vec<u32> = (0..into.len()).map(id).collect();
        members.sort_by_key(|&at| into[at as usize]);
        let mut level = Level { first: vec![0], links: Vec::new(), sizes: vec![0; count as usize] };
        // Where the link to each node stands that has been met.
        let mut place = vec![usize::MAX; count as usize];
        for group in members.chunk_by(|&a, &b| into[a as usize] == into[b as usize]) {
            let own = into[group[0] as usize];
            let start = level.links.len();
            for &at in group {
                level.sizes[own as usize] += self.sizes[at as usize];
                for &(to, cables) in self.links(at) {
                    let to = into[to as usize];
                    if to == own {
                        continue;
                    }
                    match place[to as usize] {
                        known if known != usize::MAX && known >= start => {
                            level.links[known].1 += cables;
                        }
                        _ => {
                            place[to as usize] = level.links.len();
                            level.links.push((to, cables));
                        }
                    }
                }
            }
            level.first.push(level.links.len());
        }
        level
    }

    /// A division around some node, improved, and what it cuts; one that is not balanced is worse than any other.
    fn divided(&self, dice: u64) -> ((u64, u64), Vec<bool>) {
        let n = self.sizes.len();
        let half = self.sizes.iter().sum::<u64>() / 2;
        let root = usize::try_from(dice % n as u64).expect("below a number of nodes");
        let mut side = vec![false; n];
        let mut seen = vec![false; n];
        let mut queue = VecDeque::new();
        let mut size = 0;
        for start in (root..n).chain(0..root) {
            if !std::mem::replace(&mut seen[start], true) {
                queue.push_back(id(start));
            }
            while let Some(at) = queue.pop_front().filter(|_| size < half) {
                side[at as usize] = true;
                size += self.sizes[at as usize];
                for &(to, _) in self.links(at) {
                    if !std::mem::replace(&mut seen[to as usize], true) {
                        queue.push_back(to);
                    }
                }
            }
        }
        (self.improve(&mut side), side)
    }

    /// Passes of moves of single nodes (C. M. Fiduccia and R. M. Mattheyses, 1982); by how much the sides are farther from
    /// equal than a node is large, and what is cut.
    fn improve(&self, side: &mut [bool]) -> (u64, u64) {
        let mut state = Division::new(self, side);
        for _ in 0..PASSES {
            if !state.pass() {
                break;
            }
        }
        state.value()
    }
}

/// A division of a level, and what each move would gain.
struct Division<'a> {
    level: &'a Level,
    side: &'a mut [bool],
    /// Nodes of the network on both sides.
    sizes: [u64; 2],
    cut: u64,
    gain: Vec<i64>,
    /// Sides are balanced where they differ by no more.
    slack: u64,
}

impl<'a> Division<'a> {
    fn new(level: &'a Level, side: &'a mut [bool]) -> Self {
        let mut sizes = [0, 0];
        let mut gain = vec![0; side.len()];
        let mut ends = 0;
        for at in (0..side.len()).map(id) {
            let here = side[at as usize];
            sizes[usize::from(here)] += level.sizes[at as usize];
            for &(to, cables) in level.links(at) {
                let across = side[to as usize] != here;
                ends += if across { cables } else { 0 };
                gain[at as usize] += signed(cables, across);
            }
        }
        let slack = level.sizes.iter().copied().max().unwrap_or(1);
        Division { level, side, sizes, cut: ends / 2, gain, slack }
    }

    fn value(&self) -> (u64, u64) {
        (self.sizes[0].abs_diff(self.sizes[1]).saturating_sub(self.slack), self.cut)
    }

    /// Moves each node at most once, always from the larger side, and goes back to the best; whether that is better.
    fn pass(&mut self) -> bool {
        let mut heaps = [BinaryHeap::new(), BinaryHeap::new()];
        for (at, &gain) in self.gain.iter().enumerate() {
            heaps[usize::from(self.side[at])].push((gain, id(at)));
        }
        let mut free = vec![true; self.side.len()];
        let mut moved: Vec<u32> = Vec::new();
        let (mut best, mut best_at) = (self.value(), 0);
        let patience = self.side.len() / 32 + 64;
        loop {
            for (on, heap) in heaps.iter_mut().enumerate() {
                // What was moved or has another gain since is there again or not at all.
                while heap.peek().is_some_and(|&(gain, at)| {
                    !free[at as usize]
                        || usize::from(self.side[at as usize]) != on
                        || self.gain[at as usize] != gain
                }) {
                    heap.pop();
                }
            }
            let tops = [0, 1].map(|on| heaps[on].peek().map(|top| top.0));
            let from = match self.sizes[0].cmp(&self.sizes[1]) {
                std::cmp::Ordering::Greater => 0,
                std::cmp::Ordering::Less => 1,
                std::cmp::Ordering::Equal => usize::from(tops[1] > tops[0]),
            };
            let Some((_, at)) = heaps[from].pop() else { break };
            free[at as usize] = false;
            self.turn(at);
            for &(to, _) in self.level.links(at) {
                if free[to as usize] {
                    let on = usize::from(self.side[to as usize]);
                    heaps[on].push((self.gain[to as usize], to));
                }
            }
            moved.push(at);
            if self.value() < best {
                (best, best_at) = (self.value(), moved.len());
            } else if moved.len() - best_at > patience {
                break;
            }
        }
        for &at in moved[best_at..].iter().rev() {
            self.turn(at);
        }
        best_at > 0
    }

    /// Puts a node on the other side.
    fn turn(&mut self, at: u32) {
        let here = self.side[at as usize];
        let gain = self.gain[at as usize];
        self.cut = self.cut.checked_add_signed(-gain).expect("a cut has no fewer than 0 cables");
        self.sizes[usize::from(here)] -= self.level.sizes[at as usize];
        self.sizes[usize::from(!here)] += self.level.sizes[at as usize];
        self.side[at as usize] = !here;
        self.gain[at as usize] = -gain;
        for &(to, cables) in self.level.links(at) {
            self.gain[to as usize] += 2 * signed(cables, self.side[to as usize] == here);
        }
    }
}

fn signed(cables: u64, plus: bool) -> i64 {
    let cables = i64::try_from(cables).expect("they are stored");
    if plus { cables } else { -cables }
}

#[cfg(test)]
mod tests {
    use super::super::check_cut;
    use super::*;
    use crate::samples::*;
    use proptest::prelude::*;

    #[test]
    fn known_networks_are_divided_well() {
        let bridge = by_rule(400, |a, b| (a < 200) == (b < 200) && b - a < 9 || (a, b) == (0, 399));
        for (csr, width) in [(torus(16, 16), 32), (cube(8), 128), (ring(500), 2), (bridge, 1)] {
            let graph = Multilevel::new(&csr).unwrap();
            let cuts = (0..8).filter_map(|seed| check_cut(&csr, &graph.partition(seed)));
            let best = cuts.filter(|cut| cut.balanced).map(|cut| cut.links).min();
            assert!(best.is_some_and(|cut| cut <= width + width / 8), "{best:?} of {width}");
        }
        assert!(Multilevel::new(&path(1)).is_none());
    }

    proptest! {
        #![proptest_config(nestnet_seed::config())]

        /// A division is nearly balanced, the same each time, and cuts what it says.
        #[test]
        fn divisions_are_sides(csr in any_multigraph(90), seed in 0u64..9) {
            if let Some(graph) = Multilevel::new(&csr) {
                let side = graph.partition(seed);
                prop_assert_eq!(&side, &graph.partition(seed));
                let on = side.iter().filter(|&&on| on).count();
                prop_assert!(on.abs_diff(side.len() - on) <= 1);
                let mut same = side.clone();
                let (_, cut) = graph.whole.improve(&mut same);
                prop_assert!(cut <= check_cut(&csr, &side).unwrap().links);
                prop_assert_eq!(cut, check_cut(&csr, &same).unwrap().links);
            }
        }
    }
}
