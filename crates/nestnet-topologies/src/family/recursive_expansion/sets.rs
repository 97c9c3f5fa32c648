//! Which sets of unit positions may be the pivots (Definition 4), and how sets that may are found.
//!
//! # Definition
//! P_1, …, P_s are disjoint sets of nodes of the unit: (1) inside each set there is a path between any two of its nodes,
//! (2) all have the same size, and (3) that size is at least 1 and at most min(d_f, n_u/s).
//!
//! # Where we differ
//! Definition 4 gives phase j the set 1 + (j-1) mod n_u, and there is none where s < j ≤ n_u. Sets that are given are
//! taken in turn, 1 + (j-1) mod s: the same set wherever both are defined.

use nestnet_graph::{Network, Node};
use std::fmt;
use thiserror::Error;

/// Larger units are not searched: a search goes as deep as the unit has nodes.
pub(super) const MAX_SEARCHED: u64 = 1 << 10;

/// How much a search does for one size of sets before it takes a smaller one.
const MAX_WORK: u64 = 1 << 27;

/// The pivot sets of a unit, ascending inside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sets {
    lists: Vec<Vec<u64>>,
    /// Every position that is in a set, ascending, and in which.
    of: Vec<(u64, u64)>,
}

/// What is wrong with sets; they are counted from 1, as the definition does.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(super) enum Broken {
    #[error("must be at least one set")]
    None,
    #[error(
        "must be positions of the unit: P_{set} has {position}, and the unit has {order} nodes"
    )]
    Beyond { set: usize, position: u64, order: u64 },
    #[error("must be sets: P_{set} has {position} twice")]
    Twice { set: usize, position: u64 },
    #[error("must be disjoint by Definition 4: {position} is in P_{first} and in P_{second}")]
    Shared { position: u64, first: usize, second: usize },
    #[error(
        "break condition 1 of Definition 4: inside P_{set} = {members} no path joins {from} and {to}"
    )]
    Split { set: usize, members: Members, from: u64, to: u64 },
    #[error(
        "break condition 2 of Definition 4: P_{set} = {members} has {size} nodes, and P_1 has {first}"
    )]
    Unequal { set: usize, members: Members, size: usize, first: usize },
    #[error("break condition 3 of Definition 4: P_{set} is empty")]
    Empty { set: usize },
    #[error(
        "break condition 3 of Definition 4: P_{set} = {members} has {size} nodes, more than min(d_f, n_u/s) = min({degree}, {order}/{count})"
    )]
    Wide { set: usize, members: Members, size: usize, degree: u64, order: u64, count: usize },
}

/// The members of a set, for people to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Members(pub(super) Vec<u64>);

impl fmt::Display for Members {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 16;
        let shown: Vec<String> = self.0.iter().take(SHOWN).map(u64::to_string).collect();
        let more = if self.0.len() > SHOWN { ", …" } else { "" };
        write!(f, "{{{}{more}}}", shown.join(", "))
    }
}

impl Sets {
    /// Sets that meet Definition 4 with a frame of degree d_f, or the first condition that one of them breaks.
    pub(super) fn checked(
        given: &[Vec<u64>],
        unit: &dyn Network,
        degree: u64,
    ) -> Result<Self, Broken> {
        let (order, count) = (unit.order(), given.len());
        if given.is_empty() {
            return Err(Broken::None);
        }
        let sets = Sets::new(given.to_vec());
        let lists = || (1..).zip(&sets.lists);
        for (set, list) in lists() {
            if let Some(&position) = list.last().filter(|&&last| last >= order) {
                return Err(Broken::Beyond { set, position, order });
            }
            if let Some(pair) = list.windows(2).find(|pair| pair[0] == pair[1]) {
                return Err(Broken::Twice { set, position: pair[0] });
            }
        }
        if let Some(pair) = sets.of.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            let number = |set: u64| usize::try_from(set).unwrap_or(usize::MAX).saturating_add(1);
            let (position, first, second) = (pair[0].0, number(pair[0].1), number(pair[1].1));
            return Err(Broken::Shared { position, first, second });
        }
        for (set, list) in lists() {
            if let Some((from, to)) = apart(unit, list) {
                return Err(Broken::Split { set, members: Members(list.clone()), from, to });
            }
        }
        let first = sets.lists[0].len();
        for (set, list) in lists() {
            let (size, members) = (list.len(), Members(list.clone()));
            if size != first {
                return Err(Broken::Unequal { set, members, size, first });
            }
            if size == 0 {
                return Err(Broken::Empty { set });
            }
            // That all of them fit in the unit follows, as they are disjoint and of one size.
            if size as u64 > degree.max(1) {
                return Err(Broken::Wide { set, members, size, degree, order, count });
            }
        }
        Ok(sets)
    }

    fn new(mut lists: Vec<Vec<u64>>) -> Self {
        lists.iter_mut().for_each(|list| list.sort_unstable());
        let members = (0u64..).zip(&lists);
        let mut of: Vec<(u64, u64)> =
            members.flat_map(|(set, list)| list.iter().map(move |&at| (at, set))).collect();
        of.sort_unstable();
        Sets { lists, of }
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.lists.len()
    }

    /// The members of a set, from 0.
    pub(super) fn list(&self, set: usize) -> &[u64] {
        &self.lists[set]
    }

    /// In which set a position is, from 0.
    pub(super) fn set_of(&self, position: u64) -> Option<u64> {
        let found = self.of.binary_search_by_key(&position, |&(at, _)| at).ok()?;
        Some(self.of[found].1)
    }
}

/// Two members of a set between which no path stays inside it.
pub(super) fn apart(unit: &dyn Network, set: &[u64]) -> Option<(u64, u64)> {
    let mut reached = vec![false; set.len()];
    let mut open = vec![0];
    *reached.first_mut()? = true;
    while let Some(at) = open.pop() {
        unit.for_each_neighbor(Node(set[at]), &mut |_, to| {
            if let Ok(next) = set.binary_search(&to.0)
                && !std::mem::replace(&mut reached[next], true)
            {
                open.push(next);
            }
        });
    }
    let other = reached.iter().position(|reached| !reached)?;
    Some((set[0], set[other]))
}

/// Sets that a search found.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) sets: Sets,
    /// Sizes that were given up before all was tried; of the others that are larger than what was found, none exist.
    pub(super) given_up: Vec<u64>,
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 8;
        let lists = self.sets.lists.iter().take(SHOWN);
        let shown: Vec<String> = lists.map(|list| Members(list.clone()).to_string()).collect();
        let more = if self.sets.count() > SHOWN { ", …" } else { "" };
        write!(f, "pivot sets that meet Definition 4: {}{more}", shown.join(", "))?;
        match self.given_up.first() {
            Some(size) => write!(f, "; whether there are sets of {size} is not known"),
            None => Ok(()),
        }
    }
}

/// `count` disjoint connected sets of one size, the largest up to `widest` for which there are any: exact for every size
/// that is not given up.
///
/// The lowest position that is free is either skipped, while enough remain, or in a set of positions that are free. A
/// branch ends where the connected parts of what is free hold too few sets. Exponential at worst; [`MAX_WORK`] ends it.
pub(super) fn search(unit: &dyn Network, count: u64, widest: u64) -> Option<Found> {
    let order = usize::try_from(unit.order()).ok().filter(|_| unit.order() <= MAX_SEARCHED)?;
    let count = usize::try_from(count).ok().filter(|&count| count >= 1 && count <= order)?;
    let index = |node: Node| usize::try_from(node.0).ok().filter(|&at| at < order);
    let mut rows = vec![Vec::new(); order];
    for (at, row) in (0..).map(Node).zip(&mut rows) {
        unit.for_each_neighbor(at, &mut |_, to| row.extend(index(to)));
        row.sort_unstable();
    }
    let mut given_up = Vec::new();
    let most = usize::try_from(widest).unwrap_or(usize::MAX).min(order / count).max(1);
    for size in (1..=most).rev() {
        let mut packing = Packing {
            rows: &rows,
            size,
            free: vec![true; order],
            sets: Vec::new(),
            work: MAX_WORK,
        };
        if packing.place(count, order - count * size) {
            let list = |set: &Vec<usize>| set.iter().map(|&at| at as u64).collect();
            let sets = Sets::new(packing.sets.iter().map(list).collect());
            return Some(Found { sets, given_up });
        }
        if packing.work == 0 {
            given_up.push(size as u64);
        }
    }
    None
}

/// A search for sets of one size.
struct Packing<'a> {
    rows: &'a [Vec<usize>],
    size: usize,
    free: Vec<bool>,
    sets: Vec<Vec<usize>>,
    /// What may still be done.
    work: u64,
}

impl Packing<'_> {
    /// Places `count` more sets, leaving out at most `spare` positions.
    fn place(&mut self, count: usize, spare: usize) -> bool {
        if count == 0 {
            return true;
        }
        self.work = self.work.saturating_sub(self.rows.len() as u64);
        if self.work == 0 || self.room() < count {
            return false;
        }
        let Some(first) = self.free.iter().position(|&free| free) else { return false };
        self.free[first] = false;
        let (mut set, mut seen) = (vec![first], vec![first]);
        let border = self.border(first, &mut seen);
        if self.grow(&mut set, border, &mut seen, count, spare) {
            return true;
        }
        // `first` stays taken while it is omitted.
        if spare > 0 && self.place(count, spare - 1) {
            return true;
        }
        self.free[first] = true;
        false
    }

    /// The free neighbors of a position that no set before it has seen.
    fn border(&self, at: usize, seen: &mut Vec<usize>) -> Vec<usize> {
        let mut border = Vec::new();
        for &next in &self.rows[at] {
            if self.free[next] && !seen.contains(&next) {
                seen.push(next);
                border.push(next);
            }
        }
        border
    }

    /// Every connected set of free positions with these members, each once: what is passed over is not taken again.
    fn grow(
        &mut self,
        set: &mut Vec<usize>,
        border: Vec<usize>,
        seen: &mut Vec<usize>,
        count: usize,
        spare: usize,
    ) -> bool {
        self.work = self.work.saturating_sub(1);
        if self.work == 0 {
            return false;
        }
        if set.len() == self.size {
            self.sets.push(set.clone());
            if self.place(count - 1, spare) {
                return true;
            }
            self.sets.pop();
            return false;
        }
        for (passed, &next) in border.iter().enumerate() {
            let known = seen.len();
            let fresh = self.border(next, seen);
            let wider = border[passed + 1..].iter().copied().chain(fresh).collect();
            self.free[next] = false;
            set.push(next);
            if self.grow(set, wider, seen, count, spare) {
                return true;
            }
            set.pop();
            self.free[next] = true;
            seen.truncate(known);
        }
        false
    }

    /// How many sets the connected parts of what is free can hold at most.
    fn room(&self) -> usize {
        let (mut left, mut room) = (self.free.clone(), 0);
        for start in 0..left.len() {
            if !std::mem::replace(&mut left[start], false) {
                continue;
            }
            let (mut part, mut open) = (1, vec![start]);
            while let Some(at) = open.pop() {
                for &next in &self.rows[at] {
                    if std::mem::replace(&mut left[next], false) {
                        part += 1;
                        open.push(next);
                    }
                }
            }
            room += part / self.size;
        }
        room
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build;
    use std::collections::BTreeSet;

    fn unit(spec: &str) -> std::sync::Arc<dyn Network> {
        build(spec).unwrap().network.unwrap()
    }

    fn fault(unit_spec: &str, degree: u64, sets: &[&[u64]]) -> String {
        let given: Vec<Vec<u64>> = sets.iter().map(|set| set.to_vec()).collect();
        Sets::checked(&given, &*unit(unit_spec), degree).unwrap_err().to_string()
    }

    #[test]
    fn each_condition_is_named_with_its_set() {
        for (sets, words) in [
            (&[&[0, 1][..], &[2, 4]][..], "condition 1 of Definition 4: inside P_2 = {2, 4}"),
            (&[&[0, 1], &[2, 3, 4]], "condition 2 of Definition 4: P_2 = {2, 3, 4} has 3 nodes"),
            (&[&[0, 1], &[]], "condition 2 of Definition 4: P_2 = {} has 0 nodes"),
            (&[&[]], "condition 3 of Definition 4: P_1 is empty"),
            (&[&[0, 1, 2]], "condition 3 of Definition 4: P_1 = {0, 1, 2} has 3 nodes"),
            (&[&[0, 1], &[1, 2]], "must be disjoint by Definition 4: 1 is in P_1 and in P_2"),
            (&[&[0, 0]], "P_1 has 0 twice"),
            (&[&[0, 9]], "P_1 has 9, and the unit has 6 nodes"),
            (&[], "at least one set"),
        ] {
            let message = fault("ring(6)", 2, sets);
            assert!(message.contains(words), "{message}");
        }
    }

    /// All ways to choose sets, by trying them.
    fn exists(rows: &[BTreeSet<usize>], size: usize, count: usize, free: &BTreeSet<usize>) -> bool {
        if count == 0 {
            return true;
        }
        let nodes: Vec<usize> = free.iter().copied().collect();
        (0u32..1 << nodes.len()).any(|mask| {
            let chosen = (0..nodes.len()).filter(|i| mask >> i & 1 == 1).map(|i| nodes[i]);
            let chosen: BTreeSet<usize> = chosen.collect();
            if chosen.len() != size {
                return false;
            }
            let mut reached = BTreeSet::from([*chosen.first().unwrap()]);
            for _ in 0..size {
                let next = reached.iter().flat_map(|&at| rows[at].intersection(&chosen).copied());
                let next: Vec<usize> = next.collect();
                reached.extend(next);
            }
            reached.len() == size && exists(rows, size, count - 1, &(free - &chosen))
        })
    }

    #[test]
    fn the_search_finds_the_largest_size_that_all_trials_find() {
        for spec in ["ring(7)", "path(6)", "star(7)", "mesh(2, 4)", "hypercube(3)", "tree(3)"] {
            let unit = unit(spec);
            let order = usize::try_from(unit.order()).unwrap();
            let mut rows = vec![BTreeSet::new(); order];
            for (at, row) in (0..).map(Node).zip(&mut rows) {
                unit.for_each_neighbor(at, &mut |_, to| {
                    row.insert(usize::try_from(to.0).unwrap());
                });
            }
            for count in 1..=order {
                let found = search(&*unit, count as u64, 4).unwrap();
                assert!(found.given_up.is_empty(), "{spec}");
                let size = found.sets.list(0).len();
                assert_eq!(found.sets.count(), count);
                assert_eq!(Sets::checked(&found.sets.lists, &*unit, 4), Ok(found.sets.clone()));
                let all = (0..order).collect();
                let most = (1..=4).rev().find(|&size| exists(&rows, size, count, &all));
                assert_eq!(Some(size), most, "{count} sets of {spec}");
            }
        }
    }

    #[test]
    fn tori_and_cubes_are_cut_up_at_once() {
        for (spec, count, size) in [
            ("torus(5, 5)", 6, 4),
            ("torus(7, 7)", 12, 4),
            ("torus(9, 9)", 20, 4),
            ("hypercube(6)", 10, 6),
        ] {
            let found = search(&*unit(spec), count, size).unwrap();
            assert_eq!((found.sets.list(0).len() as u64, found.given_up), (size, vec![]), "{spec}");
        }
    }
}
