//! Do packets wait in a dependency cycle? Which, and for what?
//!
//! A queue can go on if its virtual channel has a credit or one on the way, if one that it may ask for is free, or if
//! the queue in front of it can go on. What can not go on by any of these never will: exact, since flits that are on a
//! link are taken to arrive.

use super::engine::Engine;
use super::mask::each_in_word;
use super::state::{NOBODY, Stage, packet_of};
use super::topology::HOST;
use nestnet_graph::{Node, fields};
use serde::{Serialize, Serializer};
use std::fmt;

/// One packet of a dependency cycle: it holds a queue, and waits for that of the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wait {
    /// The node where its first flit here is.
    pub at: Node,
    /// The node from which it came by the virtual channel that it holds; none where that is its host.
    pub from: Option<Node>,
    /// That virtual channel.
    pub vc: u16,
    /// The node to which it would go.
    pub next: Node,
    /// Where the packet was made.
    pub source: Node,
    /// Where it goes.
    pub to: Node,
}

/// Both ends of a packet.
#[derive(Clone, Copy, Debug, Serialize)]
struct Ends {
    from: Node,
    to: Node,
}

impl Serialize for Wait {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        fields!(
            serializer,
            "Wait",
            at = self.at,
            from = self.from,
            vc = self.vc,
            next = self.next,
            packet = Ends { from: self.source, to: self.to },
        )
    }
}

impl fmt::Display for Wait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Wait { at, from, vc, next, source, to } = self;
        write!(f, "the packet from {source} to {to} holds vc {vc} ")?;
        match from {
            Some(from) => write!(f, "of {from} → {at}")?,
            None => write!(f, "of the host at {at}")?,
        }
        if at == next {
            return write!(f, " and waits for the host at {at}");
        }
        write!(f, " and waits for {at} → {next}")
    }
}

impl<const W: usize> Engine<'_, W> {
    /// The dependency cycle in which packets wait; empty where all can go on. O(queues · length of the longest wait).
    pub fn find_deadlock_cycle(&self) -> Vec<Wait> {
        let blocked = self.blocked();
        if blocked.is_empty() {
            return Vec::new();
        }
        let mut open = vec![true; self.queues.len()];
        for &(_, index) in &blocked {
            open[index] = false;
        }
        // What waits for something that can go on can go on.
        loop {
            let mut changed = false;
            for &(router, index) in &blocked {
                let goes = |all: Vec<(usize, usize)>| all.iter().any(|&(_, at)| open[at]);
                if !open[index] && self.awaited(router, index).is_none_or(goes) {
                    open[index] = true;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        let Some(&start) = blocked.iter().find(|&&(_, index)| !open[index]) else {
            return Vec::new();
        };
        let (mut route, mut here) = (Vec::new(), start);
        loop {
            if let Some(begin) = route.iter().position(|&before| before == here) {
                route.drain(..begin);
                break;
            }
            route.push(here);
            let next = self.awaited(here.0, here.1).unwrap_or_default();
            let Some(&next) = next.iter().find(|&&(_, at)| !open[at]) else { break };
            here = next;
        }
        route.iter().map(|&(router, index)| self.tell(router, index)).collect()
    }

    /// Queues, with their routers, that nothing in this or the next cycles lets go on by itself.
    fn blocked(&self) -> Vec<(usize, usize)> {
        let wires = self.wires;
        let mut blocked = Vec::new();
        for router in 0..wires.routers() {
            let base = wires.base(router);
            for index in base * wires.slots..(base + wires.count(router)) * wires.slots {
                let queue = &self.queues[index];
                let port = queue.port as usize;
                let waits = match queue.stage {
                    Stage::Idle | Stage::Routing => false,
                    Stage::Asking => self.asked(index).iter().all(|&(port, may)| {
                        (self.ports[port].free | self.ports[port].freed) & may == 0
                    }),
                    Stage::Active => {
                        // One whose next flit has not come yet waits for the queue behind it.
                        let out = &self.outs[port * wires.vcs + usize::from(queue.vc)];
                        queue.length == 0 || out.credits == 0
                    }
                };
                if waits {
                    blocked.push((router, index));
                }
            }
        }
        blocked
    }

    /// The queues of which one must go on before this one can, with their routers; `None` where it needs none of them.
    fn awaited(&self, router: usize, index: usize) -> Option<Vec<(usize, usize)>> {
        let wires = self.wires;
        let base = wires.base(router);
        let queue = &self.queues[index];
        let port = queue.port as usize;
        if queue.stage == Stage::Asking {
            let owner = |port: usize, vc: usize| self.outs[port * wires.vcs + vc].owner;
            let asked = self.asked(index).into_iter();
            let owners =
                asked.flat_map(|(port, may)| each_in_word(may).map(move |vc| owner(port, vc)));
            let owners = owners.filter(|&owner| owner != NOBODY);
            let place = |owner| (router, base * wires.slots + usize::from(owner));
            return Some(owners.map(place).collect());
        }
        if queue.length == 0 {
            // The rest of its packet is in the queue behind it, or on the link.
            let back = wires.far[index / wires.slots];
            let vc = usize::from(wires.vc_of[index % wires.slots]);
            let router = Some(back.router).filter(|&router| router != HOST)? as usize;
            let owner = self.outs[back.port as usize * wires.vcs + vc].owner;
            let owner = Some(owner).filter(|&owner| owner != NOBODY)?;
            return Some(vec![(router, wires.base(router) * wires.slots + usize::from(owner))]);
        }
        let far = wires.far[port];
        if far.router == HOST {
            return self.awaited_by_host(far.port as usize, queue.vc.into());
        }
        let router = far.router as usize;
        let slot = usize::from(wires.slot_of[usize::from(queue.vc)]);
        let front = far.port as usize * wires.slots + slot;
        if self.shared.is_some() {
            return self.awaited_of_pool(router, front);
        }
        (self.queues[front].length == self.config.buffer).then(|| vec![(router, front)])
    }

    /// The same where virtual channels share their buffers: this queue, or one that has flits in the pool.
    fn awaited_of_pool(&self, router: usize, front: usize) -> Option<Vec<(usize, usize)>> {
        let first = front / self.wires.slots * self.wires.slots;
        let lengths = first..first + self.wires.slots;
        let pooled = |&index: &usize| self.queues[index].length > 1;
        let stored = |index: usize| u32::from(self.queues[index].length.saturating_sub(1));
        let is_full = lengths.clone().map(stored).sum::<u32>() == u32::from(self.config.pool());
        let all = || lengths.filter(|index| *index == front || pooled(index));
        (is_full && self.queues[front].length > 0)
            .then(|| all().map(|index| (router, index)).collect())
    }

    /// The queues of which one must go on before a host takes what came by a virtual channel; `None` where it takes it.
    fn awaited_by_host(&self, host: usize, vc: usize) -> Option<Vec<(usize, usize)>> {
        let vcs = self.replies.as_ref()?.blocks(host, vc)?;
        let router = self.wires.hosts[host].1 as usize;
        // A reply that has not begun needs any virtual channel of its class with room.
        let places = vcs.map(|vc| self.wires.queue_before(host, vc) as usize);
        let all: Vec<(usize, usize)> = places.map(|index| (router, index)).collect();
        all.iter().all(|&(_, index)| self.queues[index].length > 0).then_some(all)
    }

    /// The ports that the head of a queue may ask, with the virtual channels of each.
    fn asked(&self, index: usize) -> Vec<(usize, u64)> {
        let queue = &self.queues[index];
        match self.candidates.get(index).filter(|_| self.adapts) {
            Some(candidates) => candidates
                .iter()
                .map(|candidate| (candidate.port as usize, candidate.may))
                .collect(),
            None => vec![(queue.port as usize, queue.may)],
        }
    }

    fn tell(&self, router: usize, index: usize) -> Wait {
        let wires = self.wires;
        let queue = &self.queues[index];
        let entry = wires.far[index / wires.slots];
        let from = (entry.router != HOST).then(|| wires.node(entry.router as usize));
        let asked = self.asked(index);
        // Of several ports the last: that of the escape, where there is one.
        let asks = asked.last().filter(|_| queue.stage == Stage::Asking);
        let exit = wires.far[asks.map_or(queue.port as usize, |&(port, _)| port)];
        let next = match exit.router {
            HOST => Node(exit.port.into()),
            router => wires.node(router as usize),
        };
        let packet = &self.packets[packet_of(queue.front)];
        let at = wires.node(router);
        let vc = u16::from(wires.vc_of[index % wires.slots]);
        Wait { at, from, vc, next, source: Node(packet.source.into()), to: packet.to }
    }
}
