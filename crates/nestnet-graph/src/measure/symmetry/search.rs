//! Which automorphisms are there? Generators, and the size of the group they make.
//!
//! One after the other, nodes b₁, b₂, … are distinguished from all others until every cell is a single node. Then, from
//! the last to the first: for each node w of the cell in which bᵢ stood, is there an automorphism that keeps
//! b₁ … bᵢ₋₁ and carries bᵢ to w? If one is found it joins the generators; if there is none, a search of all
//! possibilities has shown so. Nodes that the generators found so far carry to each other need not be asked.
//! The product of the orbits of the bᵢ is the order of the group. (C. C. Sims; B. D. McKay, 1981.)
//!
//! Both sides of the question are refined alike, and only where they differ: what neither has touched stays where it
//! is. An automorphism that moves few nodes is found in few steps, however large the network is.
//! (P. T. Darga, K. A. Sakallah, I. L. Markov, 2008.)

use super::Generator;
use super::partition::{Partition, Trace, colors};
use crate::Csr;
use crate::measure::{Interrupted, Watch, count, id};
use crate::union_find::UnionFind;
use num_bigint::BigUint;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Generators of the automorphism group, and its order.
pub struct Group {
    pub generators: Vec<Generator>,
    pub order: BigUint,
}

/// One node individualized.
struct Level {
    node: u32,
    cell: u32,
    /// The number of splits before it.
    mark: usize,
    /// And after.
    end: usize,
    trace: Vec<u64>,
}

pub fn group(csr: &Csr, watch: &Watch<'_>) -> Result<Group, Interrupted> {
    let mut path = Partition::new(&colors(csr));
    path.refine(csr, Trace::Record(&mut Vec::new()));
    let mut levels = Vec::new();
    let mut open = Open::new(&path);
    while let Some(cell) = open.largest(&path) {
        watch.check()?;
        let (node, mark) = (path.nodes_of(cell)[0], path.mark());
        let mut trace = Vec::new();
        path.individualize(node);
        path.refine(csr, Trace::Record(&mut trace));
        open.add_since(&path, mark);
        levels.push(Level { node, cell, mark, end: path.mark(), trace });
    }
    let mut pair = Pair {
        csr,
        levels: &levels,
        splits: path.splits().to_vec(),
        left: path.clone(),
        right: path.clone(),
        path,
        mode: Mode::Free,
        image: (0..count(csr)).map(id).collect(),
        neighbor_of: vec![u32::MAX; count(csr)],
        moved: Vec::new(),
        differing: Vec::new(),
    };
    let mut joined = UnionFind::new(count(csr));
    let mut group = Group { generators: Vec::new(), order: BigUint::from(1u8) };
    for (index, level) in levels.iter().enumerate().rev() {
        (watch.progress)(1.0 - (index + 1) as f64 / levels.len() as f64);
        pair.right.undo(level.mark);
        let others = pair.right.nodes_of(level.cell).to_vec();
        // One node of each class that has been shown to be out of reach.
        let mut apart: Vec<u32> = Vec::new();
        for &other in &others {
            if joined.size(level.node) as usize == others.len() {
                break;
            }
            let class = joined.find(other);
            if class == joined.find(level.node)
                || apart.iter().any(|&node| joined.find(node) == class)
            {
                continue;
            }
            match pair.carry(index, other, watch)? {
                Some(generator) => {
                    generator.moved.iter().for_each(|&(a, b)| joined.join(a, b));
                    group.generators.push(generator);
                }
                None => apart.push(other),
            }
        }
        group.order *= joined.size(level.node);
        pair.left.undo(level.mark);
        pair.path.undo(level.mark);
    }
    Ok(group)
}

/// Cells with more than one node, the largest first; of these the one that begins first.
///
/// A node of a large cell tells most: paths are short, and there are few to be searched in vain.
struct Open(BinaryHeap<(u32, Reverse<u32>)>);

impl Open {
    fn new(partition: &Partition) -> Self {
        let cells = partition.cells();
        let sized = cells.map(|cell| (partition.size_of(cell), Reverse(cell)));
        Open(sized.filter(|&(size, _)| size > 1).collect())
    }

    /// Adds the cells that were split since a mark, with their new sizes.
    fn add_since(&mut self, partition: &Partition, mark: usize) {
        for &(cell, before) in &partition.splits()[mark..] {
            for part in [cell, before] {
                if partition.size_of(part) > 1 {
                    self.0.push((partition.size_of(part), Reverse(part)));
                }
            }
        }
    }

    fn largest(&mut self, partition: &Partition) -> Option<u32> {
        while let Some((size, Reverse(cell))) = self.0.pop() {
            // What has been split since stands further down again.
            if partition.size_of(cell) == size {
                return Some(cell);
            }
        }
        None
    }
}

/// Two partitions that an automorphism would carry into each other, left to right.
struct Pair<'a> {
    csr: &'a Csr,
    levels: &'a [Level],
    /// All splits of the first path.
    splits: Vec<(u32, u32)>,
    /// The left side where it goes its own path.
    left: Partition,
    /// The left side where it follows the first path; its splits are only taken back and repeated.
    path: Partition,
    mode: Mode,
    right: Partition,
    /// The identity between checks.
    image: Vec<u32>,
    /// For each node, one whose neighbor it is, the last that was asked about.
    neighbor_of: Vec<u32>,
    /// What was found to move.
    moved: Vec<(u32, u32)>,
    /// What was found in different cells.
    differing: Vec<u32>,
}

/// How the left side goes on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// Distinguishes whatever differs: best where little does.
    Free,
    /// Distinguishes what the first path distinguished, which needs no refinement: best where nearly everything differs.
    Path,
}

/// A node individualized on the left, and the nodes on the right that may be its image.
struct Choice {
    left_mark: usize,
    right_mark: usize,
    trace: OneTrace,
    /// The cell of the images.
    cell: u32,
    images: Images,
}

/// Possible images of a node.
enum Images {
    /// All of a cell, and this one first.
    Likely(u32),
    /// All of a cell but this one.
    Others(u32),
    /// Those that have not been tried.
    Rest(Vec<u32>),
}

enum OneTrace {
    Own(Vec<u64>),
    Level(usize),
}

/// What can be said of the two partitions.
enum Judged {
    /// They determine an automorphism, which is in `moved`.
    Automorphism,
    /// None carries the one to the other.
    Impossible,
    /// The image of this node must be chosen.
    Undecided(u32),
}

impl Choice {
    /// The next image to be tried, when the right side stands where the choice was made.
    fn next_image(&mut self, right: &Partition) -> Option<u32> {
        match &mut self.images {
            &mut Images::Likely(likely) => {
                self.images = Images::Others(likely);
                Some(likely)
            }
            &mut Images::Others(likely) => {
                let cell = right.nodes_of(self.cell).iter().copied();
                let mut rest: Vec<u32> = cell.filter(|&v| v != likely).collect();
                let next = rest.pop();
                self.images = Images::Rest(rest);
                next
            }
            Images::Rest(rest) => rest.pop(),
        }
    }
}

impl Pair<'_> {
    fn left(&self) -> &Partition {
        match self.mode {
            Mode::Free => &self.left,
            Mode::Path => &self.path,
        }
    }

    fn undo_left(&mut self, mark: usize) {
        match self.mode {
            Mode::Free => self.left.undo(mark),
            Mode::Path => self.path.undo(mark),
        }
    }

    /// An automorphism that keeps the nodes of all levels before and carries the level's node to `other`.
    ///
    /// The left side stands after the level, the right side before it; so they do again afterwards.
    fn carry(
        &mut self,
        level: usize,
        other: u32,
        watch: &Watch<'_>,
    ) -> Result<Option<Generator>, Interrupted> {
        let &Level { mark, end, ref trace, .. } = &self.levels[level];
        self.mode = Mode::Free;
        self.right.individualize(other);
        let mut alike = self.right.refine(self.csr, Trace::Compare(trace));
        let mut choices: Vec<Choice> = Vec::new();
        let found = loop {
            if alike {
                match self.judge(mark) {
                    Judged::Automorphism => {
                        break Some(Generator { moved: std::mem::take(&mut self.moved) });
                    }
                    Judged::Impossible => (),
                    Judged::Undecided(node) => {
                        if choices.is_empty() && self.differing.len() > self.image.len() / 8 {
                            self.mode = Mode::Path;
                        }
                        choices.push(match self.mode {
                            Mode::Free => self.choose(node),
                            Mode::Path => self.choose_next(level + 1 + choices.len()),
                        });
                    }
                }
            }
            watch.check()?;
            // The next image of the last choice that has one left.
            let image = loop {
                let Some(choice) = choices.last_mut() else { break None };
                self.right.undo(choice.right_mark);
                if let Some(image) = choice.next_image(&self.right) {
                    break Some(image);
                }
                let mark = choice.left_mark;
                self.undo_left(mark);
                choices.pop();
            };
            let (Some(image), Some(choice)) = (image, choices.last()) else { break None };
            self.right.individualize(image);
            let trace = match &choice.trace {
                OneTrace::Own(trace) => trace,
                OneTrace::Level(level) => &self.levels[*level].trace,
            };
            alike = self.right.refine(self.csr, Trace::Compare(trace));
        };
        self.undo_left(end);
        self.right.undo(mark);
        Ok(found)
    }

    /// Individualizes a node on the left.
    fn choose(&mut self, node: u32) -> Choice {
        let (cell, images) = self.images(node);
        let (left_mark, right_mark) = (self.left.mark(), self.right.mark());
        let mut trace = Vec::new();
        self.left.individualize(node);
        self.left.refine(self.csr, Trace::Record(&mut trace));
        Choice { left_mark, right_mark, trace: OneTrace::Own(trace), cell, images }
    }

    /// Distinguishes on the left what the first path did.
    fn choose_next(&mut self, level: usize) -> Choice {
        let &Level { node, mark, end, .. } = &self.levels[level];
        let (cell, images) = self.images(node);
        self.path.redo(&self.splits[mark..end]);
        Choice {
            left_mark: mark,
            right_mark: self.right.mark(),
            trace: OneTrace::Level(level),
            cell,
            images,
        }
    }

    /// The cell of a node and its possible images: first the node itself, if it may stay, or one that must move.
    fn images(&self, node: u32) -> (u32, Images) {
        let cell = self.left().cell_of(node);
        let there = |&&v: &&u32| self.right.cell_of(v) == cell;
        let likely = [node].iter().chain(&self.differing).find(there).copied();
        (cell, Images::Likely(likely.unwrap_or(self.right.nodes_of(cell)[0])))
    }

    /// What the two sides determine.
    ///
    /// A node that is in the same cell on both sides stays; one that is alone on the left goes to the node that is
    /// alone in its place on the right.
    fn judge(&mut self, mark: usize) -> Judged {
        let (mut moved, mut differing) =
            (std::mem::take(&mut self.moved), std::mem::take(&mut self.differing));
        moved.clear();
        differing.clear();
        let open = self.compare(mark, &mut moved, &mut differing);
        (self.moved, self.differing) = (moved, differing);
        if let Some(node) = open {
            return Judged::Undecided(node);
        }
        for &(from, to) in &self.moved {
            self.image[from as usize] = to;
        }
        let broken = self.broken_link();
        for &(from, _) in &self.moved {
            self.image[from as usize] = from;
        }
        let is_open = |v: u32| self.left().size_of(self.left().cell_of(v)) > 1;
        match broken {
            None => Judged::Automorphism,
            Some(end) if is_open(end) => Judged::Undecided(end),
            Some(_) => Judged::Impossible,
        }
    }

    /// Compares what both sides have split since the mark: the images of nodes that are alone, all nodes that are in
    /// different cells, and one of these that is not alone, in the largest such cell.
    fn compare(
        &self,
        mark: usize,
        moved: &mut Vec<(u32, u32)>,
        differing: &mut Vec<u32>,
    ) -> Option<u32> {
        let (left, right) = (self.left(), &self.right);
        let mut open: Option<(u32, u32)> = None;
        let mut differs = |v: u32| {
            let cell = left.cell_of(v);
            differing.push(v);
            match left.size_of(cell) {
                1 => moved.push((v, right.nodes_of(cell)[0])),
                size => open = open.max(Some((size, v))),
            }
        };
        for cell in left.cells_since(mark) {
            let nodes = left.nodes_of(cell);
            // The first path knows itself how to go on.
            if self.mode == Mode::Path && nodes.len() > 1 && right.cell_of(nodes[0]) != cell {
                return Some(nodes[0]);
            }
            nodes.iter().filter(|&&v| right.cell_of(v) != cell).for_each(|&v| differs(v));
        }
        for cell in right.cells_since(mark) {
            // What the left has split was seen above.
            let unseen = |&&v: &&u32| {
                let other = left.cell_of(v);
                other != cell && !left.is_since(other, mark)
            };
            right.nodes_of(cell).iter().filter(unseen).for_each(|&v| differs(v));
        }
        open.map(|(_, node)| node)
    }

    /// The end of a link that is carried to no link. Links between nodes that stay need no check.
    fn broken_link(&mut self) -> Option<u32> {
        for &(from, to) in &self.moved {
            let (here, there) = (self.csr.neighbors(from), self.csr.neighbors(to));
            if here.len() != there.len() {
                return Some(from);
            }
            there.iter().for_each(|&v| self.neighbor_of[v as usize] = to);
            let kept = |v: u32| self.neighbor_of[self.image[v as usize] as usize] == to;
            if let Some(&end) = here.iter().find(|&&v| !kept(v)) {
                return Some(end);
            }
        }
        None
    }
}
