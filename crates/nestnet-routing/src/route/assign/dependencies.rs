//! Dependencies between slots by number, and trees of routes over them.

use crate::route::deadlock::{DeadlockError, Links, NONE};
use crate::route::{Entry, Hop};
use nestnet_graph::{Budget, Port};

/// The links of a network and a number for every pair of links that can follow one another.
///
/// A slot is a port of a node; a dependency is a slot and a port of the node that it leads to.
#[derive(Debug)]
pub struct Turning {
    /// The links by slot.
    pub links: Links,
    /// The first dependency of each slot, and one more for the end.
    first: Vec<u32>,
}

/// A hop of a tree of routes to one node.
#[derive(Clone, Copy, Debug)]
pub struct Branch {
    /// Where the hop leads.
    pub next: u32,
    /// The slot that it takes.
    pub slot: u32,
}

/// No hop.
pub const LEAF: Branch = Branch { next: NONE, slot: NONE };

impl Turning {
    /// Numbers them, or refuses before it allocates.
    pub fn new(links: Links, limits: &Budget<'_>) -> Result<Self, DeadlockError> {
        let follow = |slot: usize| match links.target(slot) {
            NONE => 0,
            next => links.ports(next as usize) as u128,
        };
        let all: u128 = (0..links.slots()).map(follow).sum();
        // Weights, what is refused and the arcs that are kept, for each; several bits for each lane.
        limits.fits("the dependencies", 64 * all + 32 * links.slots() as u128)?;
        // They are numbered in 32 bits.
        limits.fits("the dependencies", if all < NONE.into() { 64 * all } else { u128::MAX })?;
        let mut first = vec![0];
        let mut end = 0;
        for slot in 0..links.slots() {
            end += u32::try_from(follow(slot)).expect("fewer than 2^32 in all");
            first.push(end);
        }
        Ok(Turning { links, first })
    }

    /// How many dependencies have a number.
    pub fn count(&self) -> usize {
        self.first[self.first.len() - 1] as usize
    }

    /// The slot of a port.
    pub fn slot(&self, at: usize, port: Port) -> usize {
        self.links.first(at) + port.0 as usize
    }

    /// The number of the dependency of two slots that follow one another.
    pub fn number(&self, slot: u32, next: u32) -> usize {
        self.between(slot as usize, next as usize)
    }

    /// The same by index.
    pub fn between(&self, slot: usize, next: usize) -> usize {
        let at = self.links.target(slot) as usize;
        self.first[slot] as usize + next - self.links.first(at)
    }

    /// The two slots of a dependency.
    pub fn ends(&self, number: u32) -> (u32, u32) {
        let slot = self.first.partition_point(|&first| first <= number) - 1;
        let at = self.links.target(slot) as usize;
        let next = self.links.first(at) + (number - self.first[slot]) as usize;
        let narrow = |slot: usize| u32::try_from(slot).expect("slots have 32 bits");
        (narrow(slot), narrow(next))
    }

    /// The branch of a hop, if it is a link.
    pub fn branch(&self, at: usize, port: Port) -> Option<Branch> {
        let next = self.links.follow(at, port)?;
        let narrow = |index: usize| u32::try_from(index).expect("nodes and slots have 32 bits");
        Some(Branch { next: narrow(next), slot: narrow(self.slot(at, port)) })
    }

    /// The hops of a row as a tree, and its nodes with every node behind the one that its hop leads to. A node whose
    /// hops do not arrive is omitted.
    pub fn tree(&self, to: usize, row: &[Entry], tree: &mut Vec<Branch>, sorted: &mut Vec<u32>) {
        const OPEN: u8 = 0;
        const UNDER_WAY: u8 = 1;
        const DONE: u8 = 2;
        const LOST: u8 = 3;
        let branch = |at: usize| {
            let hop = row[at].get().filter(|_| at != to);
            hop.and_then(|(port, _)| self.branch(at, port)).unwrap_or(LEAF)
        };
        tree.clear();
        tree.extend((0..row.len()).map(branch));
        sorted.clear();
        let mut state = vec![OPEN; row.len()];
        state[to] = DONE;
        let mut route = Vec::new();
        for start in 0..row.len() {
            let mut at = start;
            while state[at] == OPEN {
                state[at] = UNDER_WAY;
                route.push(at);
                match tree[at].next {
                    NONE => break,
                    next => at = next as usize,
                }
            }
            let end = if state[at] == DONE { DONE } else { LOST };
            while let Some(at) = route.pop() {
                state[at] = end;
                if end == DONE {
                    sorted.push(u32::try_from(at).expect("nodes have 32 bits"));
                } else {
                    tree[at] = LEAF;
                }
            }
        }
    }

    /// The branch of a hop of a route.
    pub fn of(&self, at: nestnet_graph::Node, hop: Hop) -> Option<(Branch, nestnet_graph::Node)> {
        let at = usize::try_from(at.0).expect("its links are in memory");
        let branch = self.branch(at, hop.port)?;
        Some((branch, nestnet_graph::Node(branch.next.into())))
    }
}
