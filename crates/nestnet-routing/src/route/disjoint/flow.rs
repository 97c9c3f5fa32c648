//! Paths that share no node, and how one more changes them.
//!
//! Every node between the ends is split into an entry and an exit. A path goes from exit to entry over a link and from
//! entry to exit inside a node, once each; against a path the search may go back, which takes that part of it away.

use nestnet_graph::{Network, Node};
use std::collections::{BTreeSet, HashMap};

/// The entry or the exit of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    pub node: Node,
    pub side: Side,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    Entry,
    Exit,
}

pub fn entry(node: Node) -> Place {
    Place { node, side: Side::Entry }
}

pub fn exit(node: Node) -> Place {
    Place { node, side: Side::Exit }
}

/// Disjoint paths from one node to another.
#[derive(Debug)]
pub struct Flow {
    pub from: Node,
    pub to: Node,
    /// The first node of each path behind `from`.
    starts: BTreeSet<Node>,
    /// For each node on a path, the next one.
    after: HashMap<Node, Node>,
    /// For each node on a path, the one before.
    before: HashMap<Node, Node>,
}

impl Flow {
    /// No path.
    pub fn new(from: Node, to: Node) -> Self {
        let (after, before) = (HashMap::new(), HashMap::new());
        Flow { from, to, starts: BTreeSet::new(), after, before }
    }

    /// How many paths there are.
    pub fn paths(&self) -> usize {
        self.starts.len()
    }

    /// Whether a path goes over this link in this direction.
    pub fn has(&self, at: Node, next: Node) -> bool {
        if at == self.from {
            self.starts.contains(&next)
        } else {
            self.after.get(&at) == Some(&next)
        }
    }

    /// Every step that a search for one more path can take, and what it adds to the total length.
    pub fn steps(&self, network: &dyn Network, at: Place, visit: &mut dyn FnMut(Place, i64)) {
        let Place { node, side } = at;
        match (side, self.before.get(&node)) {
            (Side::Exit, before) => {
                network.for_each_neighbor(node, &mut |_, next| {
                    if next != self.from && !self.has(node, next) {
                        visit(entry(next), 1);
                    }
                });
                if before.is_some() {
                    visit(entry(node), 0);
                }
            }
            (Side::Entry, None) => visit(exit(node), 0),
            // Back along the path that comes through here; to the start there is nothing to win.
            (Side::Entry, Some(&before)) if before != self.from => visit(exit(before), -1),
            (Side::Entry, Some(_)) => (),
        }
    }

    /// Adds a path from the exit of `from` to the entry of `to` that a search found.
    pub fn apply(&mut self, path: &[Place]) {
        let steps = || path.windows(2).filter(|pair| pair[0].node != pair[1].node);
        let (from, to) = (self.from, self.to);
        // What is taken away first, so that what is added stays.
        for back in steps().filter(|pair| pair[0].side == Side::Entry) {
            self.after.remove(&back[1].node);
            self.before.remove(&back[0].node);
        }
        for forth in steps().filter(|pair| pair[0].side == Side::Exit) {
            let (at, next) = (forth[0].node, forth[1].node);
            if at == from {
                self.starts.insert(next);
            } else {
                self.after.insert(at, next);
            }
            if next != to {
                self.before.insert(next, at);
            }
        }
        // A path that is not the cheapest may leave cycles beside the paths.
        self.set(&self.trace());
    }

    /// The paths, by their first nodes.
    pub fn trace(&self) -> Vec<Vec<Node>> {
        let path = |&start: &Node| {
            let mut path = vec![self.from, start];
            let mut at = start;
            while at != self.to {
                at = self.after[&at];
                path.push(at);
            }
            path
        };
        self.starts.iter().map(path).collect()
    }

    /// These paths instead.
    pub fn set(&mut self, paths: &[Vec<Node>]) {
        *self = Flow::new(self.from, self.to);
        for path in paths {
            self.starts.insert(path[1]);
            for step in path[1..].windows(2) {
                self.after.insert(step[0], step[1]);
            }
            for step in path[..path.len() - 1].windows(2) {
                self.before.insert(step[1], step[0]);
            }
        }
    }

    /// The same paths from the other end.
    pub fn reversed(&self) -> Flow {
        let mut paths = self.trace();
        paths.iter_mut().for_each(|path| path.reverse());
        let mut flow = Flow::new(self.to, self.from);
        flow.set(&paths);
        flow
    }
}
