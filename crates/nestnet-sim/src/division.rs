//! A network on one thread or divided among threads, as what is measured asks it.

use super::config::SimError;
use super::cycles::Cycles;
use super::deadlock_detect::{Wait, Whole};
use super::engine::Seen;
use super::parts::{Part, Threads};
use super::persist::{Damaged, Persist, Saved};
use super::reply_queue::Replies;
use super::source::Source;
use super::state::Packet;
use super::tally::Tally;
use super::topology::Topology;
use std::mem;

/// All parts of a network, and who runs them.
pub(super) struct Division<'c, 'a, const W: usize> {
    wires: &'a Topology,
    /// The network, whole or divided; then who runs its parts.
    parts: Vec<Box<Part<'a, W>>>,
    threads: Option<&'c Threads<'a, W>>,
    /// Whether parts run in turn on one thread.
    #[cfg(test)]
    pub in_turn: bool,
    /// For each host, its part and its place there.
    hosts: Vec<(u32, u32)>,
}

impl<'c, 'a, const W: usize> Division<'c, 'a, W> {
    pub fn new(
        wires: &'a Topology,
        parts: Vec<Box<Part<'a, W>>>,
        threads: Option<&'c Threads<'a, W>>,
    ) -> Self {
        let mut hosts = vec![(0, 0); if threads.is_some() { wires.hosts.len() } else { 0 }];
        if threads.is_some() {
            for (part, own) in (0..).zip(&parts) {
                for (place, &number) in (0..).zip(&own.engine.wires.numbers) {
                    hosts[number as usize] = (part, place);
                }
            }
        }
        Division {
            wires,
            parts,
            threads,
            #[cfg(test)]
            in_turn: false,
            hosts,
        }
    }

    /// What parts saw is added to the whole.
    fn collect(&mut self, tally: &mut Tally) {
        for part in &mut self.parts {
            let next = tally.of_part();
            tally.add_part(mem::replace(&mut part.tally, next));
        }
        if tally.recorder.is_some() {
            // As one thread has it: cycle by cycle, and then by router.
            let arrived = self.parts.iter_mut().flat_map(|part| part.arrived.iter_mut());
            let mut arrived: Vec<(Packet, u64)> = arrived.flat_map(|list| list.drain(..)).collect();
            arrived.sort_by_key(|&(_, now)| now);
            arrived.iter().for_each(|(packet, now)| tally.add(packet, *now));
        }
    }
}

impl<const W: usize> Cycles for Division<'_, '_, W> {
    fn run(&mut self, tally: &mut Tally, until: u64) -> Result<(), SimError> {
        match self.threads {
            #[cfg(test)]
            Some(threads) if self.in_turn => {
                threads.run_in_turn(&mut self.parts, until);
                self.collect(tally);
            }
            Some(threads) => {
                threads.run(&mut self.parts, until);
                self.collect(tally);
            }
            None => self.parts[0].run(tally, until),
        }
        let errors = self.parts.iter_mut().filter_map(|part| {
            let cycle = part.engine.now;
            part.engine.broken.take().map(|error| (cycle, error))
        });
        // Parts are in the order of their nodes.
        let first = errors.min_by_key(|&(cycle, _)| cycle);
        first.map_or(Ok(()), |(_, error)| Err(error))
    }

    fn set_window(&mut self, window: (u64, u64), tally: &Tally) {
        for part in &mut self.parts {
            part.engine.seen.window = window;
            part.tally = tally.of_part();
        }
    }

    fn each_seen(&self, visit: &mut dyn FnMut(&Seen)) {
        self.parts.iter().for_each(|part| visit(&part.engine.seen));
    }

    fn each_seen_mut(&mut self, visit: &mut dyn FnMut(&mut Seen)) {
        self.parts.iter_mut().for_each(|part| visit(&mut part.engine.seen));
    }

    fn each_next(&self, visit: &mut dyn FnMut(u64, usize)) {
        let mut visit = |source: &Source| visit(source.next, source.class.into());
        if self.threads.is_none() {
            return self.parts[0].engine.sources.iter().for_each(visit);
        }
        for &(part, place) in &self.hosts {
            let engine = &self.parts[part as usize].engine;
            let (first, count) = (place as usize, engine.sources_of_host);
            engine.sources[first * count..(first + 1) * count].iter().for_each(&mut visit);
        }
    }

    fn all_next(&self, is: &dyn Fn(u64) -> bool) -> bool {
        self.parts.iter().all(|part| part.engine.sources.iter().all(|source| is(source.next)))
    }

    fn find_deadlock_cycle(&self) -> Vec<Wait> {
        let engines = self.parts.iter().map(|part| &part.engine).collect();
        Whole::new(self.wires, engines).find_deadlock_cycle()
    }

    fn restart(&mut self) -> Result<(), SimError> {
        self.parts.iter_mut().for_each(|part| part.engine.restart());
        Ok(())
    }

    fn carried(&self) -> Vec<u64> {
        let engines = self.parts.iter().map(|part| &part.engine);
        let all =
            engines.flat_map(|engine| (0..engine.ports.len()).map(|port| engine.carried(port)));
        all.collect()
    }

    fn crossed(&self) -> u64 {
        self.parts.iter().map(|part| part.engine.crossed()).sum()
    }

    fn partly_arrived(&self) -> Vec<Packet> {
        let packets = self.parts.iter().flat_map(|part| &part.engine.packets);
        let is_partly = |packet: &&Packet| (1..packet.size).contains(&packet.taken);
        packets.filter(is_partly).cloned().collect()
    }

    fn waiting_replies(&self) -> u64 {
        let replies = self.parts.iter().filter_map(|part| part.engine.replies.as_ref());
        replies.map(Replies::waiting_flits).sum()
    }

    fn corrupted(&self) -> (u64, u64) {
        let errors = || self.parts.iter().filter_map(|part| part.engine.link_errors.as_ref());
        let (sent, corrupted) = (errors().map(|errors| errors.sent), errors());
        (sent.sum(), corrupted.map(|errors| errors.corrupted).sum())
    }

    fn write_state(&self, out: &mut Vec<u8>) {
        self.parts.len().write(out);
        self.parts.iter().for_each(|part| part.engine.write_state(out));
        if let Some(threads) = self.threads {
            threads.write_messages(out);
        }
    }

    fn read_state(&mut self, saved: &mut Saved<'_>, tally: &Tally) -> Result<(), Damaged> {
        if usize::read(saved)? != self.parts.len() {
            return Err(Damaged);
        }
        for part in &mut self.parts {
            part.engine.read_state(saved)?;
            part.tally = tally.of_part();
        }
        self.threads.map_or(Ok(()), |threads| threads.read_messages(saved))
    }
}
