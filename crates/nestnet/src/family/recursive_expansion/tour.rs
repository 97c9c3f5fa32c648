//! The shortest walk in a small network that visits a set of required nodes: what a route spends inside units.

use nestnet_core::measure::search::distances_from;
use nestnet_core::{Network, Node};

/// More table entries are not made.
const MAX_ENTRIES: usize = 1 << 25;

/// Shortest walks from every node, through every set of the `stops`, to every node.
#[derive(Debug)]
pub struct Tours {
    order: usize,
    stops: usize,
    /// `order` entries a node.
    distances: Vec<u16>,
    /// The distance from each stop to each node, `order` entries a stop.
    from_stop: Vec<u16>,
    /// For each start and set of stops, one entry a stop: the shortest walk from the start that visits the set and
    /// ends at that stop, which belongs to it.
    table: Vec<u16>,
}

const NEVER: u16 = u16::MAX;

impl Tours {
    /// All tours of a connected network through sets of `stops`, if the table is small enough.
    ///
    /// Subset dynamic program: order · 2^stops · stops² steps.
    pub fn new(network: &dyn Network, stops: &[Node]) -> Option<Self> {
        let order = usize::try_from(network.order()).ok().filter(|&order| order <= 1 << 11)?;
        let count = stops.len();
        let sets =
            1usize.checked_shl(u32::try_from(count).ok()?).filter(|&sets| sets <= 1 << 20)?;
        let entries = order.checked_mul(sets)?.checked_mul(count.max(1))?;
        if entries > MAX_ENTRIES {
            return None;
        }
        let row = |at| distances_from(network, at).into_iter().map(|d| u16::try_from(d).ok());
        let distances: Vec<u16> =
            (0..network.order()).map(Node).flat_map(row).collect::<Option<_>>()?;
        let stop: Vec<usize> =
            stops.iter().map(|s| usize::try_from(s.0).ok()).collect::<Option<_>>()?;
        let from_stop: Vec<u16> = stop
            .iter()
            .flat_map(|&s| distances[s * order..(s + 1) * order].iter().copied())
            .collect();
        let mut table = vec![NEVER; entries];
        for (start, walks) in table.chunks_exact_mut(sets * count.max(1)).enumerate() {
            for set in 1..sets {
                for last in (0..count).filter(|last| set >> last & 1 == 1) {
                    let before = set & !(1 << last);
                    let hop = |from: usize| from_stop[from * order + stop[last]];
                    let best = if before == 0 {
                        distances[start * order + stop[last]]
                    } else {
                        let previous = (0..count).filter(|from| before >> from & 1 == 1);
                        previous.map(|from| walks[before * count + from] + hop(from)).min()?
                    };
                    walks[set * count + last] = best;
                }
            }
        }
        Some(Tours { order, stops: count, distances, from_stop, table })
    }

    /// The shortest walk from `from` to `to` that visits every stop of `set`, a bit for each.
    pub fn walk(&self, from: usize, set: usize, to: usize) -> u64 {
        if set == 0 {
            return self.distances[from * self.order + to].into();
        }
        let sets = 1 << self.stops;
        let row = &self.table[(from * sets + set) * self.stops..][..self.stops];
        let mut best = u16::MAX;
        let mut rest = set;
        while rest != 0 {
            let last = rest.trailing_zeros() as usize;
            best = best.min(row[last] + self.from_stop[last * self.order + to]);
            rest &= rest - 1;
        }
        best.into()
    }

    /// The longest walk that visits every stop of `set`, over all ends.
    pub fn longest(&self, set: usize) -> u64 {
        let nodes = 0..self.order;
        let walks = nodes.clone().flat_map(|from| nodes.clone().map(move |to| (from, to)));
        walks.map(|(from, to)| self.walk(from, set, to)).max().unwrap_or(0)
    }

    /// The number of nodes.
    pub fn order(&self) -> usize {
        self.order
    }
}
