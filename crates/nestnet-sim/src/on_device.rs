//! A network on a device, as what is measured asks it.

use super::config::{Config, SimError};
use super::cycles::Cycles;
use super::deadlock_detect::Wait;
use super::device::{ArrivedPacket, Counts, DeviceCycles, GivenPackets, NO_TARGET, Snapshot};
use super::device_routes::Headers;
use super::engine::{Engine, Seen};
use super::source::{NEVER, Source, Supply};
use super::state::{Classes, NOBODY, Packet, Stage, index32};
use super::tally::Tally;
use super::topology::Topology;
use nestnet_graph::{Budget, Node};
use nestnet_routing::{Header, Router};
use rayon::prelude::*;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;

/// So many packets a thread adds up at once.
const CHUNK: usize = 1 << 14;

/// A device is as quick as so many threads, by a cautious count.
const QUICKNESS: u64 = 64;

/// A network while a device simulates it, and what was seen.
pub(super) struct OnDevice<'a> {
    wires: &'a Topology,
    config: &'a Config,
    router: &'a dyn Router,
    supply: Supply<'a>,
    cycles: Box<dyn DeviceCycles + 'a>,
    given: Option<Given>,
    headers: Headers,
    /// Whether the router goes around what has failed.
    is_around: bool,
    now: u64,
    counts: Counts,
    seen: Seen,
    /// Flits that took each port before it was measured.
    sent_before: Vec<u32>,
    arrived: Vec<ArrivedPacket>,
    /// For each host when its next packet is made, where that was asked for since the last cycle.
    next: RefCell<Option<Vec<u64>>>,
    /// What failed where no error could be returned.
    failed: Cell<Option<SimError>>,
}

/// What hosts send, where the device does not make it itself.
struct Given {
    sources: Vec<Source>,
    /// For each host how many of its packets were made, and when those are that were not taken.
    made: Vec<u64>,
    waiting: Vec<VecDeque<u64>>,
    packets: GivenPackets,
}

impl Given {
    fn new(supply: &Supply<'_>, hosts: usize, depth: u64) -> Self {
        let rows = usize::try_from(depth).unwrap_or(1) * hosts;
        Given {
            sources: (0..).take(hosts).map(|host| supply.source(host)).collect(),
            made: vec![0; hosts],
            waiting: vec![VecDeque::new(); hosts],
            packets: GivenPackets {
                depth,
                created: vec![NEVER; rows],
                target: vec![NO_TARGET; rows],
                flits: vec![0; rows],
            },
        }
    }

    /// What hosts took is not waiting any more.
    fn take(&mut self, taken: &[u32]) {
        for ((waiting, made), &taken) in self.waiting.iter_mut().zip(&self.made).zip(taken) {
            while made - waiting.len() as u64 != u64::from(taken) && !waiting.is_empty() {
                waiting.pop_front();
            }
        }
    }
}

impl<'a> OnDevice<'a> {
    /// The router may go around what has failed. `depth` is that of the packets that are given, where they are.
    pub fn new(
        (wires, config, router): (&'a Topology, &'a Config, &'a dyn Router),
        supply: &Supply<'a>,
        (cycles, headers, is_around): (Box<dyn DeviceCycles + 'a>, Headers, bool),
        depth: Option<u64>,
    ) -> Self {
        let given = depth.map(|depth| Given::new(supply, wires.hosts.len(), depth));
        OnDevice {
            wires,
            config,
            router,
            supply: supply.clone(),
            cycles,
            given,
            headers,
            is_around,
            now: 0,
            counts: Counts::default(),
            seen: Seen::default(),
            sent_before: vec![0; wires.far.len()],
            arrived: Vec::new(),
            next: RefCell::new(None),
            failed: Cell::new(None),
        }
    }

    /// Makes the packets that hosts may send before a cycle, where the device does not.
    fn give(&mut self, until: u64) {
        let Some(given) = &mut self.given else { return };
        let (hosts, router) = (self.wires.hosts.len(), self.router);
        for host in 0..hosts {
            let (source, waiting) = (&mut given.sources[host], &mut given.waiting[host]);
            let depth = given.packets.depth;
            while (waiting.len() as u64) < depth && waiting.back().is_none_or(|&last| last < until)
            {
                let row = usize::try_from(given.made[host] % depth).unwrap_or(0);
                let place = row * hosts + host;
                let created = source.next;
                given.packets.created[place] = created;
                given.packets.flits[place] = source.size.into();
                given.made[host] += 1;
                waiting.push_back(created);
                if created == NEVER {
                    break;
                }
                let from = Node(source.number.into());
                let to = (self.supply.destination)(from.0, created, &mut source.random);
                given.packets.target[place] = to.map_or(NO_TARGET, |to| {
                    let choices = router.choices();
                    let choice = if choices > 1 { source.random.below(choices) } else { 0 };
                    let ends = (from, to, choice);
                    let header = self.wires.first_header(router, host, ends, self.is_around);
                    let at = self.wires.hosts[host].1 as usize;
                    header.to.0 | u64::from(self.headers.number(at, header)) << 32
                });
                self.supply.draw(source);
            }
        }
    }

    /// What was counted in cycles up to one that is not among them.
    fn count(&mut self, counts: Counts, tally: &mut Tally, until: u64) {
        let (old, new) = (self.counts, counts);
        let seen = &mut self.seen;
        seen.injected += new.injected - old.injected;
        seen.ejected += new.ejected - old.ejected;
        seen.entered += new.entered - old.entered;
        seen.arrived += new.arrived - old.arrived;
        seen.marked += new.marked - old.marked;
        seen.marked_flits += new.marked_flits - old.marked_flits;
        seen.later += new.later - old.later;
        seen.later_flits += new.later_flits - old.later_flits;
        seen.lost += new.lost - old.lost;
        seen.lost_marked += new.lost_marked - old.lost_marked;
        seen.dropped += new.dropped - old.dropped;
        seen.moved = new.moved;
        // Packets in the network, summed over the cycles: those that were there before, and from when they came to when
        // they left.
        let inside = |counts: &Counts| counts.entered.wrapping_sub(counts.arrived);
        let before = inside(&old).wrapping_mul(until - self.now);
        let since = inside(&new).wrapping_sub(inside(&old)).wrapping_mul(until);
        let times = new.times.wrapping_sub(old.times);
        tally.count(before.wrapping_add(since).wrapping_sub(times), self.now);
        self.counts = counts;
    }

    /// Adds what arrived in cycles up to one that is not among them.
    fn add(&mut self, tally: &mut Tally, until: u64) {
        let packet = |words: &ArrivedPacket| unpacked(words, until);
        if tally.recorder.is_some() {
            // As one thread has it: cycle by cycle, and then by router.
            let mut all: Vec<(Packet, u64)> = self.arrived.iter().map(packet).collect();
            let port = |to: Node| self.wires.hosts[usize::try_from(to.0).unwrap_or(0)].0;
            all.sort_by_key(|(packet, now)| (*now, port(packet.to)));
            for (packet, now) in &all {
                // Every flit of the window is listed.
                tally.add_flits(packet, 1, *now);
                if packet.size > 0 {
                    tally.measure(packet, *now);
                }
            }
        } else {
            let part = tally.of_part();
            let parts = self.arrived.par_chunks(CHUNK).map(|chunk| {
                let mut tally = part.of_part();
                chunk.iter().map(packet).for_each(|(packet, now)| tally.add(&packet, now));
                tally
            });
            let parts: Vec<Tally> = parts.collect();
            parts.into_iter().for_each(|part| tally.add_part(part));
        }
        self.arrived.clear();
    }

    /// Keeps an error until one can be returned.
    fn tell<T: Default>(&self, result: Result<T, SimError>) -> T {
        result.unwrap_or_else(|error| {
            self.failed.set(Some(error));
            T::default()
        })
    }

    fn check(&self) -> Result<(), SimError> {
        self.failed.take().map_or(Ok(()), Err)
    }

    /// When hosts make their next packets.
    fn with_next<T>(&self, with: impl FnOnce(&[u64]) -> T) -> T {
        let mut next = self.next.borrow_mut();
        let next = next.get_or_insert_with(|| match &self.given {
            Some(given) => {
                let first = |waiting: &VecDeque<u64>| waiting.front().copied();
                let made = given.waiting.iter().zip(&given.sources);
                made.map(|(waiting, source)| first(waiting).unwrap_or(source.next)).collect()
            }
            None => self.tell(self.cycles.next_packets()),
        });
        with(next)
    }

    /// The state as an engine of the CPU has it, as far as deadlocks need it.
    fn engine(&self, snapshot: &Snapshot) -> Result<Engine<'_, 1>, SimError> {
        let budget = Budget::UNLIMITED;
        let (supply, wires) = (self.supply.clone(), self.wires);
        let mut engine = Engine::<1>::new(wires, self.config, self.router, supply, &budget)?;
        let classes = Classes::new(self.config, self.router)?;
        for (index, own) in snapshot.queues.iter().enumerate() {
            let queue = &mut engine.queues[index];
            queue.stage = match own.stage {
                0 => Stage::Idle,
                1 => Stage::Routing,
                2 => Stage::Asking,
                _ => Stage::Active,
            };
            queue.length = own.length;
            queue.port = index32(wires.base(queue.router as usize) + usize::from(own.port));
            queue.vc = own.vc;
            queue.may = classes.mask(own.class.into());
            queue.front = engine.packets.len() as u64;
            if queue.stage != Stage::Idle {
                let header = Header { to: Node(own.to.into()), state: 0 };
                engine.packets.push(Packet::new(header, own.source, 1, 0, 0, 0));
            }
        }
        for (out, &(credits, owner)) in engine.outs.iter_mut().zip(&snapshot.outs) {
            (out.credits, out.owner) = (credits, owner.unwrap_or(NOBODY));
        }
        for (port, &free) in engine.ports.iter_mut().zip(&snapshot.free) {
            port.free = free;
        }
        Ok(engine)
    }
}

/// A packet and when it arrived, before a cycle.
fn unpacked(&[ends, times, rest]: &ArrivedPacket, until: u64) -> (Packet, u64) {
    let low = |word: u64| word & 0xFFFF_FFFF;
    // Not longer ago than 2^32 cycles.
    let cycle = |of: u64| until - low(until.wrapping_sub(of));
    let small = |word: u64| u16::try_from(word & 0xFFFF).unwrap_or(0);
    let header = Header { to: Node(low(ends)), state: 0 };
    let source = u32::try_from(ends >> 32).unwrap_or(0);
    let (created, entered) = (cycle(times), cycle(times >> 32));
    let packet = Packet::new(header, source, small(rest >> 48), created, entered, 0);
    (Packet { hops: small(rest >> 32).into(), ..packet }, cycle(rest))
}

impl Cycles for OnDevice<'_> {
    fn run(&mut self, tally: &mut Tally, until: u64) -> Result<(), SimError> {
        self.check()?;
        while self.now < until {
            let end = until.min(self.now.saturating_add(self.cycles.most_cycles().max(1)));
            self.give(end);
            self.next.take();
            let packets = self.given.as_ref().map(|given| &given.packets);
            let window = self.seen.window;
            let counts = self.cycles.run(self.now..end, window, packets, &mut self.arrived)?;
            if let Some((at, to)) = counts.broken {
                let at = Node(self.wires.first + at);
                return Err(SimError::Unroutable { at, to: Node(to) });
            }
            if let Some(given) = &mut self.given {
                given.take(&self.cycles.taken()?);
            }
            self.count(counts, tally, end);
            self.add(tally, end);
            self.now = end;
        }
        Ok(())
    }

    fn set_window(&mut self, window: (u64, u64), _: &Tally) {
        self.seen.window = window;
    }

    fn each_seen(&self, visit: &mut dyn FnMut(&Seen)) {
        visit(&self.seen);
    }

    fn each_seen_mut(&mut self, visit: &mut dyn FnMut(&mut Seen)) {
        visit(&mut self.seen);
    }

    fn each_next(&self, visit: &mut dyn FnMut(u64, usize)) {
        self.with_next(|next| next.iter().for_each(|&next| visit(next, 0)));
    }

    fn all_next(&self, is: &dyn Fn(u64) -> bool) -> bool {
        self.with_next(|next| next.iter().all(|&next| is(next)))
    }

    fn find_deadlock_cycle(&self) -> Vec<Wait> {
        if !self.tell(self.cycles.is_deadlocked()) {
            return Vec::new();
        }
        let snapshot = self.cycles.snapshot();
        let found = snapshot.and_then(|snapshot| Ok(self.engine(&snapshot)?.find_deadlock_cycle()));
        self.tell(found)
    }

    fn restart(&mut self) -> Result<(), SimError> {
        self.sent_before = self.cycles.sent()?;
        Ok(())
    }

    fn carried(&self) -> Vec<u64> {
        let sent = self.tell(self.cycles.sent());
        let carried = sent.iter().zip(&self.sent_before);
        carried.map(|(sent, before)| u64::from(sent.wrapping_sub(*before))).collect()
    }

    fn crossed(&self) -> u64 {
        self.carried().iter().sum()
    }

    fn partly_arrived(&self) -> Vec<Packet> {
        // Where they are needed, all flits of the window are listed.
        Vec::new()
    }

    fn quickness(&self) -> u64 {
        QUICKNESS
    }

    fn finish(&mut self) -> Result<(), SimError> {
        self.seen.flit_hops = self.cycles.sent()?.iter().map(|&flits| u64::from(flits)).sum();
        self.check()
    }
}
