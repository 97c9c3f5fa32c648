//! Broadcast in a network whose copies of a base share single nodes: who is informed in one copy tells the others.
//!
//! # Where we differ
//! As printed the broadcasts of root-folded and flooded networks first go to the root and then tell nodes twice. An
//! exactly-once broadcast runs that of the base in each copy that contains a node, other than the one in which it was
//! informed, as soon as it knows.

use nestnet_collectives::broadcast::streamed;
use nestnet_collectives::{Broadcast, Ports, Schedule, Steps, Transfer};
use nestnet_graph::{Node, Port};
use std::collections::{HashMap, VecDeque};
use std::fmt::Debug;
use std::sync::Arc;

/// A copy of the base by its level and number, and where in it a node sits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Seat {
    pub level: usize,
    pub number: u64,
    pub position: u64,
}

/// Copies of a base that share single nodes.
pub(super) trait Copies: Debug + Send + Sync {
    /// Every copy that a node belongs to.
    fn seats(&self, at: Node) -> Vec<Seat>;

    /// The node at a seat, and its port for a port of the base there.
    fn at(&self, seat: Seat, port: Port) -> (Node, Port);

    /// Where in the base a port of a position leads.
    fn base_neighbor(&self, position: u64, port: Port) -> Option<u64>;
}

/// The broadcast of the base, from copy to copy.
#[derive(Debug)]
pub(super) struct CopyByCopy<C> {
    pub copies: Arc<C>,
    pub base: Arc<dyn Broadcast>,
}

impl<C: Copies> Broadcast for CopyByCopy<C> {
    fn ports(&self) -> Ports {
        Ports::All
    }

    fn from(&self, root: Node) -> Steps<'_> {
        let mut inside: HashMap<u64, Schedule> = HashMap::new();
        let mut steps: Vec<Vec<Transfer>> = Vec::new();
        let mut open: VecDeque<(usize, Seat)> =
            self.copies.seats(root).into_iter().map(|seat| (0, seat)).collect();
        while let Some((begin, start)) = open.pop_front() {
            let schedule = inside
                .entry(start.position)
                .or_insert_with(|| Schedule::collect(self.base.from(Node(start.position))));
            for (offset, sends) in schedule.steps.iter().enumerate() {
                let step = begin + offset;
                steps.resize(steps.len().max(step + 1), Vec::new());
                for &Transfer { from, port, .. } in sends {
                    let seat = Seat { position: from.0, ..start };
                    let (from, whole) = self.copies.at(seat, port);
                    steps[step].push(Transfer { from, port: whole, block: 0 });
                    let Some(position) = self.copies.base_neighbor(seat.position, port) else {
                        continue;
                    };
                    let informed = Seat { position, ..start };
                    let (node, _) = self.copies.at(informed, Port(0));
                    let others =
                        self.copies.seats(node).into_iter().filter(|&seat| seat != informed);
                    open.extend(others.map(|seat| (step + 1, seat)));
                }
            }
        }
        streamed(Schedule { steps })
    }
}
