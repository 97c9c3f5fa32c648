//! Do packets wait in a dependency cycle? Which, and for what?
//!
//! A queue can go on if its virtual channel has a credit or one on the way, if one that it may ask for is free, or if
//! the queue in front of it can go on. What can not go on by any of these never will: exact, since flits that are on a
//! link are taken to arrive.

use super::engine::Engine;
use super::mask::each_in_word;
use super::persist::persist;
use super::state::{NOBODY, Out, Queue, Stage, packet_of};
use super::topology::{HOST, Topology};
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
    /// Where it was made.
    from: Node,
    /// Where it goes.
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
            /// The packet, by its ends.
            packet: Ends = Ends { from: self.source, to: self.to },
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

/// A network of one part or several, as one. Routers, ports and queues are those of all.
pub(super) struct Whole<'a, const W: usize> {
    wires: &'a Topology,
    engines: Vec<&'a Engine<'a, W>>,
}

impl<const W: usize> Engine<'_, W> {
    /// The dependency cycle in which packets wait; empty where all can go on.
    pub fn find_deadlock_cycle(&self) -> Vec<Wait> {
        Whole::new(self.wires, vec![self]).find_deadlock_cycle()
    }
}

impl<'a, const W: usize> Whole<'a, W> {
    /// Parts are in the order of their routers.
    pub fn new(wires: &'a Topology, engines: Vec<&'a Engine<'a, W>>) -> Self {
        Whole { wires, engines }
    }

    /// The part of a router, and its first port.
    fn part(&self, router: usize) -> (&'a Engine<'a, W>, usize) {
        let behind = self.engines.partition_point(|part| part.wires.first_router <= router);
        let part = self.engines[behind.max(1) - 1];
        (part, part.wires.first_port)
    }

    fn queue(&self, router: usize, index: usize) -> &'a Queue {
        let (part, first) = self.part(router);
        &part.queues[index - first * self.wires.slots]
    }

    fn out(&self, router: usize, port: usize, vc: usize) -> &'a Out {
        let (part, first) = self.part(router);
        &part.outs[(port - first) * self.wires.vcs + vc]
    }

    /// Which of all ports the packet of a queue leaves by.
    fn port(&self, router: usize, index: usize) -> usize {
        self.part(router).1 + self.queue(router, index).port as usize
    }

    /// The dependency cycle in which packets wait; empty where all can go on. O(queues · length of the longest wait).
    pub fn find_deadlock_cycle(&self) -> Vec<Wait> {
        let blocked = self.blocked();
        if blocked.is_empty() {
            return Vec::new();
        }
        let mut open = vec![true; self.wires.far.len() * self.wires.slots];
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
                let queue = self.queue(router, index);
                let (part, first) = self.part(router);
                let waits = match queue.stage {
                    Stage::Idle | Stage::Routing => false,
                    Stage::Asking => self.asked(router, index).iter().all(|&(port, may)| {
                        let port = &part.ports[port - first];
                        (port.free | port.freed) & may == 0
                    }),
                    Stage::Active => {
                        // One whose next flit has not come yet waits for the queue behind it.
                        let port = first + queue.port as usize;
                        let out = self.out(router, port, queue.vc.into());
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
        let queue = self.queue(router, index);
        let port = self.port(router, index);
        if queue.stage == Stage::Asking {
            let owner = |port: usize, vc: usize| self.out(router, port, vc).owner;
            let asked = self.asked(router, index).into_iter();
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
            let owner = self.out(router, back.port as usize, vc).owner;
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
        let config = self.engines[0].config;
        if config.shared_buffer {
            return self.awaited_of_pool(router, front);
        }
        (self.queue(router, front).length == config.buffer).then(|| vec![(router, front)])
    }

    /// The same where virtual channels share their buffers: this queue, or one that has flits in the pool.
    fn awaited_of_pool(&self, router: usize, front: usize) -> Option<Vec<(usize, usize)>> {
        let first = front / self.wires.slots * self.wires.slots;
        let lengths = first..first + self.wires.slots;
        let pooled = |&index: &usize| self.queue(router, index).length > 1;
        let stored = |index| u32::from(self.queue(router, index).length.saturating_sub(1));
        let pool = u32::from(self.engines[0].config.pool());
        let is_full = lengths.clone().map(stored).sum::<u32>() == pool;
        let all = || lengths.filter(|index| *index == front || pooled(index));
        (is_full && self.queue(router, front).length > 0)
            .then(|| all().map(|index| (router, index)).collect())
    }

    /// The queues of which one must go on before a host takes what came by a virtual channel; `None` where it takes it.
    fn awaited_by_host(&self, host: usize, vc: usize) -> Option<Vec<(usize, usize)>> {
        let router = self.wires.hosts[host].1 as usize;
        let (part, _) = self.part(router);
        let number = |number: &u32| (*number as usize).cmp(&host);
        let place = part.wires.numbers.binary_search_by(number).ok()?;
        let vcs = part.replies.as_ref()?.blocks(place, vc)?;
        // A reply that has not begun needs any virtual channel of its class with room.
        let places = vcs.map(|vc| self.wires.queue_before(host, vc) as usize);
        let all: Vec<(usize, usize)> = places.map(|index| (router, index)).collect();
        all.iter().all(|&(_, index)| self.queue(router, index).length > 0).then_some(all)
    }

    /// The ports that the head of a queue may ask, with the virtual channels of each.
    fn asked(&self, router: usize, index: usize) -> Vec<(usize, u64)> {
        let (queue, (part, first)) = (self.queue(router, index), self.part(router));
        let place = index - first * self.wires.slots;
        match part.candidates.get(place).filter(|_| part.adapts) {
            Some(candidates) => candidates
                .iter()
                .map(|candidate| (first + candidate.port as usize, candidate.may))
                .collect(),
            None => vec![(self.port(router, index), queue.may)],
        }
    }

    fn tell(&self, router: usize, index: usize) -> Wait {
        let wires = self.wires;
        let queue = self.queue(router, index);
        let entry = wires.far[index / wires.slots];
        let from = (entry.router != HOST).then(|| wires.node(entry.router as usize));
        let asked = self.asked(router, index);
        // Of several ports the last: that of the escape, where there is one.
        let asks = asked.last().filter(|_| queue.stage == Stage::Asking);
        let exit = wires.far[asks.map_or(self.port(router, index), |&(port, _)| port)];
        let next = match exit.router {
            HOST => Node(exit.port.into()),
            router => wires.node(router as usize),
        };
        let packet = &self.part(router).0.packets[packet_of(queue.front)];
        let at = wires.node(router);
        let vc = u16::from(wires.vc_of[index % wires.slots]);
        Wait { at, from, vc, next, source: Node(packet.source.into()), to: packet.to }
    }
}

persist!(Wait { at, from, vc, next, source, to });
