//! Bisections by local search: moves of single nodes by gain, and shakes out of local optima.
//!
//! C. M. Fiduccia and R. M. Mattheyses, 1982. A pass moves each node at most once, always the one that cuts fewest
//! links, from the larger side; it then goes back to the best balanced state that it saw. O(links) a pass.

use super::super::{Watch, count, id, nodes, splitmix64};
use crate::Csr;

/// The first half of the nodes in breadth-first order from `root`, other components following.
pub fn grown_from(csr: &Csr, root: usize) -> Vec<bool> {
    let n = count(csr);
    let mut side = vec![false; n];
    let mut seen = vec![false; n];
    let mut queue = Vec::with_capacity(n);
    let mut head = 0;
    for start in (root..n).chain(0..root) {
        if queue.len() >= n / 2 {
            break;
        }
        if seen[start] {
            continue;
        }
        seen[start] = true;
        queue.push(id(start));
        while let Some(&at) = queue.get(head) {
            head += 1;
            for &to in csr.neighbors(at) {
                if !seen[to as usize] {
                    seen[to as usize] = true;
                    queue.push(to);
                }
            }
        }
    }
    for &v in &queue[..n / 2] {
        side[v as usize] = true;
    }
    side
}

/// Balances and improves a side, then shakes the best `rounds` times; how many links it cuts, and the side.
pub fn improve(
    csr: &Csr,
    side: Vec<bool>,
    rounds: u32,
    seed: u64,
    watch: &Watch<'_>,
) -> (u64, Vec<bool>) {
    let mut state = Moves::new(csr, side);
    state.descend(csr, watch);
    let (mut least, mut best) = (state.cut, state.side.clone());
    for round in 0..rounds {
        if (watch.stop)() || least == 0 {
            break;
        }
        state.shake(csr, splitmix64(seed << 32 | u64::from(round)));
        state.descend(csr, watch);
        if state.cut <= least {
            least = state.cut;
            best.clone_from(&state.side);
        } else {
            state.return_to(csr, &best);
        }
    }
    (least, best)
}

const NONE: u32 = u32::MAX;

/// A side, what each move would gain, and the free nodes in lists by side and gain.
struct Moves {
    side: Vec<bool>,
    sizes: [usize; 2],
    cut: u64,
    /// Links that a move would take out of the cut, less those that it would put in.
    gain: Vec<i64>,
    /// For each side, the first node of every gain; gains begin at -`most`.
    first: [Vec<u32>; 2],
    /// No list of a higher gain than this has a node.
    top: [usize; 2],
    next: Vec<u32>,
    previous: Vec<u32>,
    free: Vec<bool>,
    most: i64,
    moved: Vec<u32>,
}

impl Moves {
    fn new(csr: &Csr, side: Vec<bool>) -> Self {
        let n = count(csr);
        let most = nodes(csr).map(|v| csr.neighbors(v).len()).max().unwrap_or(0);
        let lists = vec![NONE; 2 * most + 1];
        let mut state = Moves {
            side,
            sizes: [0, 0],
            cut: 0,
            gain: vec![0; n],
            first: [lists.clone(), lists],
            top: [0, 0],
            next: vec![NONE; n],
            previous: vec![NONE; n],
            free: vec![false; n],
            most: i64::try_from(most).expect("degrees are small"),
            moved: Vec::new(),
        };
        state.count_anew(csr);
        state
    }

    fn count_anew(&mut self, csr: &Csr) {
        let on = self.side.iter().filter(|&&on| on).count();
        self.sizes = [self.side.len() - on, on];
        let mut ends = 0;
        for v in nodes(csr) {
            let here = self.side[v as usize];
            let mut gain = 0;
            for &to in csr.neighbors(v) {
                let across = self.side[to as usize] != here;
                gain += if across { 1 } else { -1 };
                ends += u64::from(across);
            }
            self.gain[v as usize] = gain;
        }
        self.cut = ends / 2;
    }

    fn return_to(&mut self, csr: &Csr, side: &[bool]) {
        self.side.copy_from_slice(side);
        self.count_anew(csr);
    }

    fn balanced(&self) -> bool {
        self.sizes[0].abs_diff(self.sizes[1]) <= 1
    }

    /// Passes until one gains nothing. Leaves a balanced side even when stopped.
    fn descend(&mut self, csr: &Csr, watch: &Watch<'_>) {
        loop {
            let balanced = self.balanced();
            if balanced && (watch.stop)() {
                break;
            }
            let gained = self.pass(csr, watch);
            if balanced && !gained {
                break;
            }
        }
    }

    /// One pass; whether it found a better balanced state, or a first one. It ends early when stopped.
    fn pass(&mut self, csr: &Csr, watch: &Watch<'_>) -> bool {
        self.fill_lists(csr);
        let mut best = self.balanced().then_some(self.cut);
        let mut best_at = 0;
        // Deep descents rarely come back up: a pass ends when it has been without luck for long.
        let patience = self.side.len() / 32 + 256;
        while let Some(v) = self.choose() {
            self.move_node(csr, v);
            self.moved.push(v);
            if self.balanced() && best.is_none_or(|least| self.cut < least) {
                best = Some(self.cut);
                best_at = self.moved.len();
            }
            let moved = self.moved.len();
            let is_over = || moved.is_multiple_of(1024) && (watch.stop)();
            if best.is_some() && (moved - best_at > patience || is_over()) {
                break;
            }
        }
        let better = best_at > 0;
        for index in (best_at..self.moved.len()).rev() {
            self.move_node(csr, self.moved[index]);
        }
        self.moved.clear();
        better
    }

    fn fill_lists(&mut self, csr: &Csr) {
        for lists in &mut self.first {
            lists.fill(NONE);
        }
        self.top = [0, 0];
        self.free.fill(true);
        for v in nodes(csr) {
            self.link(v);
        }
    }

    /// The free node of the larger side that gains most; of the better side where they are equal.
    fn choose(&mut self) -> Option<u32> {
        let tops = [self.top_of(0), self.top_of(1)];
        let from = match self.sizes[0].cmp(&self.sizes[1]) {
            std::cmp::Ordering::Greater => 0,
            std::cmp::Ordering::Less => 1,
            std::cmp::Ordering::Equal => usize::from(tops[1] > tops[0]),
        };
        let v = self.first[from][tops[from]?];
        self.unlink(v);
        self.free[v as usize] = false;
        Some(v)
    }

    fn top_of(&mut self, side: usize) -> Option<usize> {
        let top = &mut self.top[side];
        while self.first[side].get(*top) == Some(&NONE) && *top > 0 {
            *top -= 1;
        }
        self.first[side].get(*top).is_some_and(|&v| v != NONE).then_some(*top)
    }

    fn list_of(&self, v: u32) -> (usize, usize) {
        let gain = self.gain[v as usize] + self.most;
        let list = usize::try_from(gain).expect("no gain is below minus the degree");
        (usize::from(self.side[v as usize]), list)
    }

    fn link(&mut self, v: u32) {
        let (side, list) = self.list_of(v);
        let first = std::mem::replace(&mut self.first[side][list], v);
        self.next[v as usize] = first;
        self.previous[v as usize] = NONE;
        if first != NONE {
            self.previous[first as usize] = v;
        }
        self.top[side] = self.top[side].max(list);
    }

    fn unlink(&mut self, v: u32) {
        let (next, previous) = (self.next[v as usize], self.previous[v as usize]);
        if next != NONE {
            self.previous[next as usize] = previous;
        }
        if previous == NONE {
            let (side, list) = self.list_of(v);
            self.first[side][list] = next;
        } else {
            self.next[previous as usize] = next;
        }
    }

    /// Puts a node on the other side. Free neighbors go to the lists of their new gains.
    fn move_node(&mut self, csr: &Csr, v: u32) {
        let here = self.side[v as usize];
        let gain = self.gain[v as usize];
        self.cut = self.cut.checked_add_signed(-gain).expect("a cut has no fewer than 0 links");
        self.sizes[usize::from(here)] -= 1;
        self.sizes[usize::from(!here)] += 1;
        self.side[v as usize] = !here;
        self.gain[v as usize] = -gain;
        for &to in csr.neighbors(v) {
            let change = if self.side[to as usize] == here { 2 } else { -2 };
            if self.free[to as usize] {
                self.unlink(to);
                self.gain[to as usize] += change;
                self.link(to);
            } else {
                self.gain[to as usize] += change;
            }
        }
    }

    /// Turns over a patch around a random node: each node in it changes sides.
    fn shake(&mut self, csr: &Csr, dice: u64) {
        let n = self.side.len();
        if n < 2 {
            return;
        }
        self.free.fill(false);
        let below = |dice: u64, bound: usize| {
            usize::try_from(dice % bound as u64).expect("below a number of nodes")
        };
        let size = 2 + below(splitmix64(dice ^ 1), (n / 8).clamp(1, 400));
        let mut patch = vec![id(below(dice, n))];
        let mut head = 0;
        let mut seen = vec![false; n];
        seen[patch[0] as usize] = true;
        while let Some(&at) = patch.get(head).filter(|_| patch.len() < size) {
            head += 1;
            for &to in csr.neighbors(at) {
                if !std::mem::replace(&mut seen[to as usize], true) {
                    patch.push(to);
                }
            }
        }
        for v in patch {
            self.move_node(csr, v);
        }
    }
}
