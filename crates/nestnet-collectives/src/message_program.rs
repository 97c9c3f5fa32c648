//! Schedules as programs of messages: what each rank sends and receives, and what waits for what.
//!
//! A rank is a node, the tag is the step, counted from 0, so that every message has its own between the same two ranks. A
//! send waits for all that arrived of its blocks before; nothing waits for a step as such, and adding up is not counted.

use super::rounds::{Message, Rounds};
use super::schedule::{Schedule, Transfer};
use nestnet_graph::{Network, index};
use nestnet_routing::traffic::program::{Action, Program, Task};
use std::collections::{BTreeMap, BTreeSet};

impl Schedule {
    /// The program of a schedule whose blocks have `bytes` bytes. O(transfers).
    ///
    /// ```
    /// use nestnet_collectives::{Ports, scatter};
    /// use nestnet_graph::Budget;
    /// use nestnet_graph::{Csr, Node};
    /// use nestnet_routing::traffic::goal;
    ///
    /// let pair = Csr::from_links(2, &[(0, 1)], 1 << 20)?;
    /// let steps = scatter(&pair, Node(0), Ports::One, &Budget::UNLIMITED)?;
    /// let mut text = Vec::new();
    /// goal::write(&steps.program(&pair, 8), &mut text)?;
    /// let expected = "num_ranks 2\n\nrank 0 {\nl1: send 8b to 1 tag 0\n}\n\n\
    ///                 rank 1 {\nl1: recv 8b from 0 tag 0\n}\n";
    /// assert_eq!(String::from_utf8(text)?, expected);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn program(&self, network: &dyn Network, bytes: u64) -> Program {
        let mut ranks = Ranks::new(network.order(), bytes, None);
        for (tag, step) in (0..).zip(&self.steps) {
            let message = |transfer: &Transfer| {
                let to = network.neighbor(transfer.from, transfer.port)?;
                Some(Message { from: transfer.from, to, first: transfer.block, blocks: 1 })
            };
            ranks.step(tag, &step.iter().filter_map(message).collect::<Vec<_>>());
        }
        ranks.program
    }
}

impl Rounds {
    /// The program of rounds among `hosts` hosts, of `total` blocks of `bytes` bytes each. O(blocks of all messages).
    pub fn program(&self, hosts: u64, total: u64, bytes: u64) -> Program {
        let mut ranks = Ranks::new(hosts, bytes, Some(total.max(1)));
        let mut messages = Vec::new();
        for tag in 0..self.count() {
            messages.clear();
            self.round(tag, &mut messages);
            ranks.step(tag, &messages);
        }
        ranks.program
    }
}

/// A program that is being made.
struct Ranks {
    program: Program,
    /// The receives of each block at each rank.
    arrived: Vec<BTreeMap<u64, Vec<usize>>>,
    /// Bytes of a block.
    bytes: u64,
    /// After how many blocks their numbers begin anew.
    total: Option<u64>,
}

impl Ranks {
    fn new(count: u64, bytes: u64, total: Option<u64>) -> Self {
        let count = index(count);
        let program = Program { ranks: vec![Vec::new(); count] };
        Ranks { program, arrived: vec![BTreeMap::new(); count], bytes, total }
    }

    /// Adds messages of one step: what is sent was there before it.
    fn step(&mut self, tag: u64, messages: &[Message]) {
        let (total, bytes) = (self.total, self.bytes);
        let carried = |message: &Message| {
            let Message { first, blocks, .. } = *message;
            (0..blocks).map(move |block| total.map_or(first, |total| (first + block) % total))
        };
        for message in messages {
            let from = index(message.from);
            let arrived = carried(message).filter_map(|block| self.arrived[from].get(&block));
            let needs: BTreeSet<usize> = arrived.flatten().copied().collect();
            let bytes = bytes.saturating_mul(message.blocks);
            let action = Action::Send { to: message.to.0, bytes, tag };
            self.program.ranks[from].push(Task { action, needs: needs.into_iter().collect() });
        }
        for message in messages {
            let to = index(message.to);
            let bytes = bytes.saturating_mul(message.blocks);
            let action = Action::Receive { from: message.from.0, bytes, tag };
            let place = self.program.ranks[to].len();
            self.program.ranks[to].push(Task { action, needs: Vec::new() });
            for block in carried(message) {
                self.arrived[to].entry(block).or_default().push(place);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Ports, reduce};
    use nestnet_graph::{Budget, Node};
    use nestnet_routing::traffic::program::{Action, Task};
    use nestnet_seed::samples::path;

    #[test]
    fn a_sum_waits_for_its_parts() {
        let network = path(4);
        let steps = reduce(&network, Node(0), Ports::One, &Budget::UNLIMITED).unwrap();
        let program = steps.program(&network, 64);
        let receive = |from, tag| Task {
            action: Action::Receive { from, bytes: 64, tag },
            needs: Vec::new(),
        };
        let send = Action::Send { to: 0, bytes: 64, tag: 2 };
        assert_eq!(program.ranks[0], [receive(1, 2)]);
        assert_eq!(program.ranks[1], [receive(2, 1), Task { action: send, needs: vec![0] }]);
    }
}
