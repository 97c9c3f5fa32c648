//! A graph that stays acyclic: an arc that would close a cycle is refused.
//!
//! The topological order is fixed at each arc, within the places between its ends only (Pearce and Kelly 2006).

/// Nodes `0..size`, arcs that were accepted, and a topological order of them.
#[derive(Debug)]
pub struct Acyclic {
    place: Vec<u32>,
    after: Vec<Vec<u32>>,
    before: Vec<Vec<u32>>,
    /// The round in which a node was seen last.
    seen: Vec<u32>,
    round: u32,
    ahead: Vec<u32>,
    behind: Vec<u32>,
    places: Vec<u32>,
}

impl Acyclic {
    /// Without arcs.
    pub fn new(size: u32) -> Self {
        let count = size as usize;
        Acyclic {
            place: (0..size).collect(),
            after: vec![Vec::new(); count],
            before: vec![Vec::new(); count],
            seen: vec![0; count],
            round: 0,
            ahead: Vec::new(),
            behind: Vec::new(),
            places: Vec::new(),
        }
    }

    /// Whether the arc was added: not when it would close a cycle. It must not be there already.
    pub fn insert(&mut self, from: u32, to: u32) -> bool {
        if !self.make_room(from, to) {
            return false;
        }
        self.after[from as usize].push(to);
        self.before[to as usize].push(from);
        true
    }

    /// Takes back an arc; the last ones first.
    pub fn remove(&mut self, from: u32, to: u32) {
        let out = |list: &mut Vec<u32>, node: u32| {
            if let Some(at) = list.iter().rposition(|&other| other == node) {
                list.swap_remove(at);
            }
        };
        out(&mut self.after[from as usize], to);
        out(&mut self.before[to as usize], from);
    }

    /// Puts `from` before `to`, unless there is a way back.
    fn make_room(&mut self, from: u32, to: u32) -> bool {
        let (low, high) = (self.place[to as usize], self.place[from as usize]);
        if high < low {
            return true;
        }
        if from == to || !self.look_ahead(to, from, high) {
            return false;
        }
        self.look_behind(from, low);
        let place = &mut self.place;
        self.behind.sort_unstable_by_key(|&node| place[node as usize]);
        self.ahead.sort_unstable_by_key(|&node| place[node as usize]);
        self.places.clear();
        let moved = || self.behind.iter().chain(&self.ahead);
        self.places.extend(moved().map(|&node| place[node as usize]));
        self.places.sort_unstable();
        for (&node, &free) in self.behind.iter().chain(&self.ahead).zip(&self.places) {
            place[node as usize] = free;
        }
        true
    }

    /// Collects what follows `start` up to a place; `false` when `end` does.
    fn look_ahead(&mut self, start: u32, end: u32, high: u32) -> bool {
        self.round += 1;
        self.ahead.clear();
        self.ahead.push(start);
        self.seen[start as usize] = self.round;
        let mut done = 0;
        while done < self.ahead.len() {
            let node = self.ahead[done] as usize;
            done += 1;
            for &next in &self.after[node] {
                if next == end {
                    return false;
                }
                if self.seen[next as usize] != self.round && self.place[next as usize] < high {
                    self.seen[next as usize] = self.round;
                    self.ahead.push(next);
                }
            }
        }
        true
    }

    /// Collects what leads to `start` down to a place.
    fn look_behind(&mut self, start: u32, low: u32) {
        self.behind.clear();
        self.behind.push(start);
        self.seen[start as usize] = self.round;
        let mut done = 0;
        while done < self.behind.len() {
            let node = self.behind[done] as usize;
            done += 1;
            for &next in &self.before[node] {
                if self.seen[next as usize] != self.round && self.place[next as usize] > low {
                    self.seen[next as usize] = self.round;
                    self.behind.push(next);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Whether `to` can be reached.
    fn reaches(arcs: &[(u32, u32)], from: u32, to: u32) -> bool {
        let mut seen = vec![from];
        let mut done = 0;
        while done < seen.len() {
            let at = seen[done];
            done += 1;
            for &(a, b) in arcs {
                if a == at && !seen.contains(&b) {
                    seen.push(b);
                }
            }
        }
        seen.contains(&to)
    }

    proptest! {
        #![proptest_config(nestnet_seed::config())]

        #[test]
        fn accepts_exactly_what_closes_no_cycle(
            asked in proptest::collection::vec((0u32..8, 0u32..8, any::<bool>()), 0..60),
        ) {
            let mut graph = Acyclic::new(8);
            let mut arcs: Vec<(u32, u32)> = Vec::new();
            for (from, to, keep) in asked {
                if arcs.contains(&(from, to)) {
                    continue;
                }
                let closes = reaches(&arcs, to, from);
                prop_assert_eq!(graph.insert(from, to), !closes);
                if !closes && keep {
                    arcs.push((from, to));
                } else if !closes {
                    graph.remove(from, to);
                }
                for &(from, to) in &arcs {
                    prop_assert!(graph.place[from as usize] < graph.place[to as usize]);
                }
            }
        }
    }
}
