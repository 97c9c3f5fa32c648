//! The shortest walk in a small network that visits a set of required nodes: what a route spends inside units.

use nestnet_graph::measure::search::distances_from;
use nestnet_graph::{Network, Node};

/// More table entries are not made.
const MAX_ENTRIES: usize = 1 << 25;

/// Numbers that are added and compared at once.
const LANES: usize = 8;

/// Shortest walks from every node, through every set of the `stops`, to every node.
#[derive(Debug)]
pub struct Tours {
    order: usize,
    /// The length of a row: the order, made a multiple of [`LANES`] so that whole vectors are worked on.
    row: usize,
    stops: usize,
    /// A row for each node.
    distances: Vec<i16>,
    /// The distance from each stop to each node, a row for each stop.
    from_stop: Vec<i16>,
    /// For each set of stops and each stop in it, a row with one entry a node: the shortest walk from the node that visits the
    /// set and ends at that stop. Starts side by side are what makes the dynamic program quick.
    table: Vec<i16>,
}

impl Tours {
    /// How many entries the table has, if it is small enough.
    pub fn entries(order: u64, stops: usize) -> Option<usize> {
        let order = usize::try_from(order).ok().filter(|&order| order <= 1 << 11)?;
        let sets =
            1usize.checked_shl(u32::try_from(stops).ok()?).filter(|&sets| sets <= 1 << 20)?;
        let entries = order.next_multiple_of(LANES).checked_mul(sets)?.checked_mul(stops)?;
        (entries <= MAX_ENTRIES).then_some(entries)
    }

    /// All tours of a connected network through sets of `stops`, if the table is small enough.
    ///
    /// Subset dynamic program: order · 2^stops · stops² / 4 steps.
    pub fn new(network: &dyn Network, stops: &[Node]) -> Option<Self> {
        let count = stops.len();
        let entries = Tours::entries(network.order(), count)?;
        let order = usize::try_from(network.order()).ok()?;
        let (sets, row) = (1usize << count, order.next_multiple_of(LANES));
        let mut distances = vec![0; order * row];
        for (at, row) in (0..).map(Node).zip(distances.chunks_exact_mut(row)) {
            for (entry, distance) in row.iter_mut().zip(distances_from(network, at)) {
                *entry = i16::try_from(distance).ok()?;
            }
        }
        let stop: Vec<usize> =
            stops.iter().map(|stop| usize::try_from(stop.0).ok()).collect::<Option<_>>()?;
        let rows = stop.iter().map(|&stop| &distances[stop * row..(stop + 1) * row]);
        let from_stop: Vec<i16> = rows.flatten().copied().collect();
        let mut table = vec![i16::MAX; entries];
        for set in 1..sets {
            // What the set needs lies in smaller sets, before it.
            let (before, here) = table.split_at_mut(set * count * row);
            for last in members(set) {
                let walks = &mut here[last * row..(last + 1) * row];
                let rest = set & !(1 << last);
                if rest == 0 {
                    walks.copy_from_slice(&from_stop[last * row..(last + 1) * row]);
                }
                for from in members(rest) {
                    let hop = from_stop[from * row + stop[last]];
                    let known = &before[(rest * count + from) * row..][..row];
                    shorten(walks, known, hop);
                }
            }
        }
        Some(Tours { order, row, stops: count, distances, from_stop, table })
    }

    /// The shortest walk from `from` to `to` that visits every stop of `set`, a bit for each.
    pub fn walk(&self, from: usize, set: usize, to: usize) -> u64 {
        if set == 0 {
            return length(self.distances[from * self.row + to]);
        }
        let walk = |last: usize| {
            let walk = self.table[(set * self.stops + last) * self.row + from];
            walk + self.from_stop[last * self.row + to]
        };
        length(members(set).map(walk).min().unwrap_or(0))
    }

    /// The shortest walks to `to` through `set` from every node, one after the other, in a whole row.
    pub fn walks_to(&self, set: usize, to: usize, walks: &mut Vec<i16>) {
        walks.clear();
        if set == 0 {
            return walks.extend(&self.distances[to * self.row..(to + 1) * self.row]);
        }
        walks.resize(self.row, i16::MAX);
        for last in members(set) {
            let known = &self.table[(set * self.stops + last) * self.row..][..self.row];
            let hop = self.from_stop[last * self.row + to];
            shorten(walks, known, hop);
        }
    }

    /// The longest walk that visits every stop of `set`, over all ends.
    pub fn longest(&self, set: usize) -> u64 {
        let mut walks = Vec::new();
        let longest = (0..self.order).map(|to| {
            self.walks_to(set, to, &mut walks);
            walks[..self.order].iter().copied().max().map_or(0, length)
        });
        longest.max().unwrap_or(0)
    }

    /// The number of nodes.
    pub fn order(&self) -> usize {
        self.order
    }
}

/// The stops of a set, one after the other without asking for each.
fn members(set: usize) -> impl Iterator<Item = usize> {
    let rest = |set: &usize| Some(set & (set - 1)).filter(|&rest| rest != 0);
    let sets = std::iter::successors(Some(set).filter(|&set| set != 0), rest);
    sets.map(|set| set.trailing_zeros() as usize)
}

/// Each walk becomes the known one and a hop, where that is shorter; whole vectors at a time.
fn shorten(walks: &mut [i16], known: &[i16], hop: i16) {
    let (walks, known) = (walks.as_chunks_mut::<LANES>().0, known.as_chunks::<LANES>().0);
    for (walks, known) in walks.iter_mut().zip(known) {
        *walks = std::array::from_fn(|i| {
            let longer = known[i] + hop;
            if longer < walks[i] { longer } else { walks[i] }
        });
    }
}

/// A walk is never negative.
fn length(walk: i16) -> u64 {
    walk.unsigned_abs().into()
}
