//! Cells of nodes that look alike: split until no cell can be distinguished by its neighbors, and put together again.

use super::super::{count, id, nodes, splitmix64};
use crate::Csr;
use std::collections::VecDeque;

/// What a refinement did, step by step; two that did the same may be carried into each other by an automorphism.
pub enum Trace<'a> {
    /// Writes down what happens.
    Record(&'a mut Vec<u64>),
    /// Gives up at the first difference from what was written.
    Compare(&'a [u64]),
}

impl Trace<'_> {
    fn step(&mut self, event: u64) -> bool {
        match self {
            Trace::Record(events) => {
                events.push(event);
                true
            }
            Trace::Compare(events) => match events.split_first() {
                Some((&expected, rest)) if expected == event => {
                    *events = rest;
                    true
                }
                _ => false,
            },
        }
    }

    fn finished(&self) -> bool {
        match self {
            Trace::Record(_) => true,
            Trace::Compare(events) => events.is_empty(),
        }
    }
}

/// An ordered partition of the nodes. A cell is named by the place where it begins.
#[derive(Clone, Debug)]
pub struct Partition {
    /// The node at each place.
    node: Vec<u32>,
    of: Vec<OfNode>,
    cell: Vec<OfCell>,
    /// How many cells there are.
    cells: usize,
    /// All splits: the new cell, and the one before it from which it was taken.
    splits: Vec<(u32, u32)>,
    /// When each cell was last made, as a position in `splits`.
    made: Vec<usize>,
    queue: VecDeque<u32>,
    met_cells: Vec<u32>,
    splitter: Vec<u32>,
}

/// What is known of a node, together in memory because it is read together.
#[derive(Clone, Copy, Debug, Default)]
struct OfNode {
    cell: u32,
    /// How many neighbors it has in the splitter; 0 between splitters.
    links: u32,
    place: u32,
    /// Whether it is alone in its cell.
    alone: bool,
}

/// What is known of a cell, by its name.
#[derive(Clone, Copy, Debug, Default)]
struct OfCell {
    size: u32,
    /// How many of its nodes have neighbors in the splitter: they are at its end.
    met: u32,
    /// Whether it waits to be a splitter.
    queued: bool,
}

impl Partition {
    /// Nodes of equal color together, colors ascending, and every cell to be used as a splitter.
    pub fn new(colors: &[u64]) -> Self {
        let n = colors.len();
        let mut node: Vec<u32> = (0..n).map(id).collect();
        node.sort_by_key(|&v| colors[v as usize]);
        let mut of = vec![OfNode::default(); n];
        for (place, &v) in node.iter().enumerate() {
            of[v as usize].place = id(place);
        }
        let mut partition = Partition {
            node,
            of,
            cell: vec![OfCell::default(); n],
            cells: 0,
            splits: Vec::new(),
            made: vec![usize::MAX; n],
            queue: VecDeque::new(),
            met_cells: Vec::new(),
            splitter: Vec::new(),
        };
        let mut start = 0;
        for at in 0..n {
            let color = |at: usize| colors[partition.node[at] as usize];
            if color(at) != color(start) {
                start = at;
            }
            let v = partition.node[at];
            partition.of[v as usize].cell = id(start);
            partition.cell[start].size += 1;
            if at == start {
                partition.cells += 1;
                partition.enqueue(id(start));
            }
        }
        for v in 0..n {
            let cell = partition.of[v].cell;
            partition.of[v].alone = partition.cell[cell as usize].size == 1;
        }
        partition
    }

    pub fn cell_of(&self, v: u32) -> u32 {
        self.of[v as usize].cell
    }

    pub fn size_of(&self, cell: u32) -> u32 {
        self.cell[cell as usize].size
    }

    /// The nodes of a cell.
    pub fn nodes_of(&self, cell: u32) -> &[u32] {
        &self.node[cell as usize..][..self.cell[cell as usize].size as usize]
    }

    /// All cells, in order.
    pub fn cells(&self) -> impl Iterator<Item = u32> {
        let after = |cell: u32| {
            let next = cell + self.size_of(cell);
            ((next as usize) < self.node.len()).then_some(next)
        };
        let first = (!self.node.is_empty()).then_some(0);
        std::iter::successors(first, move |&cell| after(cell))
    }

    /// How many splits there have been, to come back to.
    pub fn mark(&self) -> usize {
        self.splits.len()
    }

    /// The cells made since a mark.
    pub fn cells_since(&self, mark: usize) -> impl Iterator<Item = u32> {
        self.splits[mark..].iter().map(|&(cell, _)| cell)
    }

    /// Whether a cell was made since a mark.
    pub fn is_since(&self, cell: u32, mark: usize) -> bool {
        let made = self.made[cell as usize];
        made >= mark && self.splits.get(made).is_some_and(|&(made, _)| made == cell)
    }

    /// Takes back all splits since a mark.
    pub fn undo(&mut self, mark: usize) {
        while self.splits.len() > mark {
            let Some((cell, before)) = self.splits.pop() else { break };
            let size = self.cell[cell as usize].size;
            for place in cell..cell + size {
                let of = &mut self.of[self.node[place as usize] as usize];
                of.cell = before;
                of.alone = false;
            }
            self.of[self.node[before as usize] as usize].alone = false;
            self.cell[before as usize].size += size;
            self.cells -= 1;
        }
    }

    /// All splits so far, to be repeated.
    pub fn splits(&self) -> &[(u32, u32)] {
        &self.splits
    }

    /// Repeats splits that were taken back. No node may have been distinguished or cell refined in between.
    pub fn redo(&mut self, splits: &[(u32, u32)]) {
        for &(place, cell) in splits {
            self.cut(cell, place);
        }
    }

    /// Gives a node a cell of its own, at the end of the one it was in.
    pub fn individualize(&mut self, v: u32) {
        let cell = self.of[v as usize].cell;
        let last = cell + self.cell[cell as usize].size - 1;
        self.put(v, last);
        self.cut(cell, last);
        self.enqueue(last);
    }

    /// Exchanges places so that `v` is at `at`.
    fn put(&mut self, v: u32, at: u32) {
        let (was, other) = (self.of[v as usize].place, self.node[at as usize]);
        self.node[was as usize] = other;
        self.of[other as usize].place = was;
        self.node[at as usize] = v;
        self.of[v as usize].place = at;
    }

    /// Cuts the end of a cell off, from `at`.
    fn cut(&mut self, cell: u32, at: u32) {
        let end = cell + self.cell[cell as usize].size;
        self.cell[cell as usize].size = at - cell;
        self.cell[at as usize].size = end - at;
        for place in at..end {
            let of = &mut self.of[self.node[place as usize] as usize];
            of.cell = at;
            of.alone = end - at == 1;
        }
        if at - cell == 1 {
            self.of[self.node[cell as usize] as usize].alone = true;
        }
        self.made[at as usize] = self.splits.len();
        self.splits.push((at, cell));
        self.cells += 1;
    }

    fn enqueue(&mut self, cell: u32) {
        if !std::mem::replace(&mut self.cell[cell as usize].queued, true) {
            self.queue.push_back(cell);
        }
    }

    /// Splits until all nodes of a cell have equally many neighbors in each cell. Whether the trace agreed; if not,
    /// it stopped on the way.
    ///
    /// J. Hopcroft's rule: of the parts of a cell that is not waiting as a splitter, the largest need not become one.
    /// O(links · log nodes) for all refinements down to single nodes. Nothing depends on the numbers of the nodes.
    pub fn refine(&mut self, csr: &Csr, mut trace: Trace<'_>) -> bool {
        while let Some(splitter) = self.queue.pop_front() {
            self.cell[splitter as usize].queued = false;
            let event = self.split_by(csr, splitter);
            let agreed = trace.step(event);
            // Single nodes cannot be split, and whether their links agree is checked in the end.
            if !agreed || self.cells == self.node.len() {
                for cell in self.queue.drain(..) {
                    self.cell[cell as usize].queued = false;
                }
            }
            if !agreed {
                return false;
            }
        }
        trace.finished()
    }

    /// Splits all cells by the number of neighbors in one cell; a digest of what was found.
    fn split_by(&mut self, csr: &Csr, splitter: u32) -> u64 {
        let mut digest = splitmix64(u64::from(splitter));
        let mut members = std::mem::take(&mut self.splitter);
        members.clear();
        members.extend_from_slice(self.nodes_of(splitter));
        for &v in &members {
            for &u in csr.neighbors(v) {
                let of = &mut self.of[u as usize];
                // A sum, because the nodes of a cell have no order.
                digest = digest.wrapping_add(spread(of.cell));
                if of.alone {
                    continue;
                }
                of.links += 1;
                if of.links == 1 {
                    let cell = &mut self.cell[of.cell as usize];
                    if cell.met == 0 {
                        self.met_cells.push(of.cell);
                    }
                    cell.met += 1;
                    let place = of.cell + cell.size - cell.met;
                    self.put(u, place);
                }
            }
        }
        self.splitter = members;
        let mut cells = std::mem::take(&mut self.met_cells);
        cells.sort_unstable();
        for cell in cells.drain(..) {
            digest = splitmix64(digest ^ self.split_cell(cell));
        }
        self.met_cells = cells;
        digest
    }

    /// Splits one cell by the counts of its nodes, those without neighbors in the splitter first.
    fn split_cell(&mut self, cell: u32) -> u64 {
        let end = cell + self.cell[cell as usize].size;
        let first_met = end - std::mem::take(&mut self.cell[cell as usize].met);
        let (of, node) = (&mut self.of, &mut self.node);
        let met = &mut node[first_met as usize..end as usize];
        let links = |v: u32| of[v as usize].links;
        let (least, most) = met
            .iter()
            .fold((u32::MAX, 0), |(low, high), &v| (low.min(links(v)), high.max(links(v))));
        let mut digest = u64::from(cell) << 32 | u64::from(first_met - cell);
        let mark = self.splits.len();
        let mut largest = (first_met - cell, cell);
        if least == most {
            digest = digest_part(digest, least, end - first_met);
            met.iter().for_each(|&v| of[v as usize].links = 0);
            if first_met == cell {
                return digest;
            }
            self.cut(cell, first_met);
            largest = largest.max((end - first_met, first_met));
        } else {
            met.sort_unstable_by_key(|&v| links(v));
            for (place, &v) in (first_met..).zip(&*met) {
                of[v as usize].place = place;
            }
            // From the end, so that each part is cut off the one before it.
            let mut part_end = end;
            for at in (first_met..end).rev() {
                let count = std::mem::take(&mut self.of[self.node[at as usize] as usize].links);
                let starts =
                    at == first_met || self.of[self.node[at as usize - 1] as usize].links != count;
                if starts {
                    digest = digest_part(digest, count, part_end - at);
                    if at > cell {
                        self.cut(cell, at);
                    }
                    largest = largest.max((part_end - at, at));
                    part_end = at;
                }
            }
        }
        let waiting = self.cell[cell as usize].queued;
        for index in mark..self.splits.len() {
            let part = self.splits[index].0;
            if waiting || part != largest.1 {
                self.enqueue(part);
            }
        }
        if waiting || cell != largest.1 {
            self.enqueue(cell);
        }
        digest
    }
}

fn digest_part(digest: u64, links: u32, size: u32) -> u64 {
    splitmix64(digest ^ u64::from(links) << 32 ^ u64::from(size))
}

/// A number for a cell such that sums over different cells rarely agree; cheaper than [`splitmix64`].
fn spread(cell: u32) -> u64 {
    let cell = u64::from(cell);
    (cell ^ 0x9e37_79b9_7f4a_7c15).wrapping_mul(cell.wrapping_add(0xbf58_476d_1ce4_e5b9))
}

/// A color for every node that automorphisms keep: how its neighborhood grows, as far as a few hundred steps reach.
///
/// Where all degrees are equal, refinement alone tells nothing; short cycles do.
pub fn colors(csr: &Csr) -> Vec<u64> {
    const STEPS: usize = 64;
    let mut seen = vec![u32::MAX; count(csr)];
    let mut ball = Vec::new();
    let color = |v: u32| {
        ball.clear();
        ball.push(v);
        seen[v as usize] = v;
        let mut color = csr.neighbors(v).len() as u64;
        let (mut from, mut steps) = (0, 0);
        while from < ball.len() {
            let shell = from..ball.len();
            steps += ball[shell.clone()].iter().map(|&u| csr.neighbors(u).len()).sum::<usize>();
            if steps > STEPS {
                break;
            }
            for index in shell.clone() {
                for &to in csr.neighbors(ball[index]) {
                    if std::mem::replace(&mut seen[to as usize], v) != v {
                        ball.push(to);
                    }
                }
            }
            color = splitmix64(color ^ (ball.len() - shell.end) as u64);
            from = shell.end;
        }
        color
    };
    nodes(csr).map(color).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    /// The cells, each with its nodes ascending, without their order.
    fn cells(partition: &Partition) -> Vec<Vec<u32>> {
        let sorted = |cell| {
            let mut nodes = partition.nodes_of(cell).to_vec();
            nodes.sort_unstable();
            nodes
        };
        let mut cells: Vec<Vec<u32>> = partition.cells().map(sorted).collect();
        cells.sort_unstable();
        cells
    }

    /// The reference: new colors from the own one and those of the neighbors, until they tell no more nodes apart.
    fn slowly(csr: &Csr, mut colors: Vec<usize>) -> Vec<Vec<u32>> {
        loop {
            let mut classes: BTreeMap<(usize, Vec<usize>), Vec<u32>> = BTreeMap::new();
            for v in nodes(csr) {
                let around = csr.neighbors(v).iter().map(|&u| colors[u as usize]);
                let mut around: Vec<usize> = around.collect();
                around.sort_unstable();
                classes.entry((colors[v as usize], around)).or_default().push(v);
            }
            let known = colors.iter().copied().max().map_or(0, |last| last + 1);
            for (color, members) in classes.values().enumerate() {
                members.iter().for_each(|&v| colors[v as usize] = color);
            }
            if classes.len() == known {
                let mut cells: Vec<Vec<u32>> = classes.into_values().collect();
                cells.sort_unstable();
                return cells;
            }
        }
    }

    /// What happens when a node of a network of which nothing is distinguished is given a cell of its own.
    fn events(csr: &Csr, v: u32) -> Vec<u64> {
        let mut partition = Partition::new(&vec![0; count(csr)]);
        assert!(partition.refine(csr, Trace::Record(&mut Vec::new())));
        partition.individualize(v);
        let mut events = Vec::new();
        assert!(partition.refine(csr, Trace::Record(&mut events)));
        events
    }

    #[test]
    fn a_ring_is_split_by_the_distance_from_a_node() {
        let csr = ring(6);
        let mut partition = Partition::new(&[0; 6]);
        assert!(partition.refine(&csr, Trace::Record(&mut Vec::new())));
        assert_eq!(cells(&partition), [[0, 1, 2, 3, 4, 5]]);
        let mark = partition.mark();
        partition.individualize(0);
        assert!(partition.refine(&csr, Trace::Record(&mut Vec::new())));
        let split = [vec![0], vec![1, 5], vec![2, 4], vec![3]];
        assert_eq!(cells(&partition), split);
        // Three cells were cut off, and the first one is as old as the network.
        let new = partition.cells().filter(|&cell| partition.is_since(cell, mark)).count();
        assert_eq!((new, partition.cells_since(mark).count()), (3, 3));
        assert!(!partition.is_since(0, mark));
        let splits = partition.splits().to_vec();
        partition.undo(mark);
        assert_eq!(cells(&partition), [[0, 1, 2, 3, 4, 5]]);
        assert!((0..6).all(|cell| !partition.is_since(cell, mark)));
        partition.redo(&splits);
        assert_eq!(cells(&partition), split);
        for v in 0..6 {
            let cell = partition.cell_of(v);
            assert!(partition.nodes_of(cell).contains(&v));
            assert_eq!(partition.size_of(cell) as usize, partition.nodes_of(cell).len());
        }
    }

    /// A prism and three nodes linked to three others: of each, a node has three neighbors and two others.
    #[test]
    fn what_happens_tells_networks_apart_at_once() {
        let prism =
            graph(6, &[(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (0, 3), (1, 4), (2, 5)]);
        let threes = by_rule(6, |a, b| a < 3 && b >= 3);
        let (one, other) = (events(&prism, 0), events(&threes, 0));
        assert_ne!(one[1], other[1]);
        // What was written down of one node happens again with another one like it, and not elsewhere.
        let follows = |csr: &Csr, v: u32, events: &[u64]| {
            let mut partition = Partition::new(&[0; 6]);
            assert!(partition.refine(csr, Trace::Record(&mut Vec::new())));
            partition.individualize(v);
            partition.refine(csr, Trace::Compare(events))
        };
        assert!((0..6).all(|v| follows(&prism, v, &one) && follows(&threes, v, &other)));
        assert!(!follows(&threes, 0, &one) && !follows(&prism, 0, &other));
        // Neither what is less nor what is more.
        assert!(!follows(&prism, 0, &one[..one.len() - 1]));
        assert!(!follows(&prism, 0, &[&one[..], &[0]].concat()));
    }

    #[test]
    fn colors_tell_short_cycles() {
        // Both are cubic: two triangles joined, and three nodes linked to three others.
        let prism =
            graph(6, &[(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (0, 3), (1, 4), (2, 5)]);
        let threes = by_rule(6, |a, b| a < 3 && b >= 3);
        for csr in [&prism, &threes] {
            let colors = colors(csr);
            assert_eq!(colors.len(), 6);
            assert!(colors.iter().all(|&color| color == colors[0]));
        }
        // A path: ends, the next ones and the middle.
        let path = colors(&path(5));
        assert!(path[0] == path[4] && path[1] == path[3]);
        assert!(path[0] != path[1] && path[1] != path[2] && path[0] != path[2]);
    }

    proptest! {
        #![proptest_config(nestnet_seed::config())]

        #[test]
        fn equals_its_reference(csr in any_multigraph(12), alone in 0u32..12) {
            let n = count(&csr);
            let mut partition = Partition::new(&vec![0; n]);
            prop_assert!(partition.refine(&csr, Trace::Record(&mut Vec::new())));
            let whole = cells(&partition);
            prop_assert_eq!(&whole, &slowly(&csr, vec![0; n]));
            let v = alone % id(n);
            if partition.size_of(partition.cell_of(v)) > 1 {
                let mark = partition.mark();
                partition.individualize(v);
                prop_assert!(partition.refine(&csr, Trace::Record(&mut Vec::new())));
                let mut colors = vec![0; n];
                colors[v as usize] = 1;
                prop_assert_eq!(cells(&partition), slowly(&csr, colors));
                partition.undo(mark);
                prop_assert_eq!(cells(&partition), whole);
            }
        }
    }
}
