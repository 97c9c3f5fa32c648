//! One simulation on many threads: each has some of the routers, and all meet at a barrier in every cycle.
//!
//! What a part does in a cycle depends on nothing that another does in the same one: links take a cycle at least, and
//! sources have streams of their own. What goes from one part to another is put down for the next cycle ([`Messages`]). All
//! sums are of whole numbers, so that they are the same for any division.

use super::boundary::{Boundary, Messages};
use super::engine::{Engine, Seen};
use super::persist::{Damaged, Persist, Saved};
use super::state::Packet;
use super::tally::Tally;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::{hint, mem, thread};

/// Some routers of a network with their sources, and what was seen there.
#[derive(Debug)]
pub(super) struct Part<'a, const W: usize> {
    pub engine: Engine<'a, W>,
    /// What is known of the packets that arrived here since it was collected last.
    pub tally: Tally,
    /// Where packets are written down, those that arrived, and when.
    pub arrived: Option<Vec<(Packet, u64)>>,
}

impl<const W: usize> Part<'_, W> {
    /// One cycle, and what is counted in it.
    fn step(&mut self) {
        let now = self.engine.now;
        self.engine.cycle();
        if let Some(arrived) = &mut self.arrived {
            let delivered = self.engine.seen.delivered.drain(..);
            arrived.extend(delivered.map(|packet| (packet, now)));
        }
        count(&mut self.engine.seen, &mut self.tally, now);
    }

    /// All cycles of a network in one part before that one, unless it breaks.
    pub fn run(&mut self, tally: &mut Tally, until: u64) {
        while self.engine.now < until && self.engine.broken.is_none() {
            let now = self.engine.now;
            self.engine.cycle();
            count(&mut self.engine.seen, tally, now);
        }
    }
}

/// Counts what arrived in a cycle, and what is in the network.
#[inline(always)]
fn count(seen: &mut Seen, tally: &mut Tally, now: u64) {
    seen.delivered.drain(..).for_each(|packet| tally.add(&packet, now));
    // Packets may enter in one part and arrive in another: only the sum of all parts is not negative.
    tally.count(seen.entered.wrapping_sub(seen.arrived), now);
}

/// The threads besides the one that asks, and what they share.
#[derive(Debug)]
pub(super) struct Threads<'a, const W: usize> {
    /// What each is to do, and what it has done.
    given: Vec<Mutex<Option<Box<Part<'a, W>>>>>,
    /// The cycle before which they stop.
    until: AtomicU64,
    is_over: AtomicBool,
    barrier: Barrier,
    /// For even and odd cycles, from each part to each.
    messages: [Vec<Mutex<Messages>>; 2],
}

impl<'a, const W: usize> Threads<'a, W> {
    /// For so many parts.
    pub fn new(count: usize) -> Self {
        let messages = || (0..count * count).map(|_| Mutex::default()).collect();
        Threads {
            given: (0..count).map(|_| Mutex::new(None)).collect(),
            until: AtomicU64::new(0),
            is_over: AtomicBool::new(false),
            barrier: Barrier::new(count),
            messages: [messages(), messages()],
        }
    }

    /// Gives a part its boundary.
    pub fn attach(&self, engine: &mut Engine<'a, W>) {
        engine.boundary = Some(Box::new(Boundary::new(engine.wires, self.given.len())));
    }

    /// Runs all parts up to a cycle, unless one breaks: then the rest of them is not to be used.
    pub fn run(&self, parts: &mut Vec<Box<Part<'a, W>>>, until: u64) {
        self.until.store(until, Ordering::Relaxed);
        for (part, given) in parts.drain(1..).zip(self.given.iter().skip(1)) {
            *lock(given) = Some(part);
        }
        self.barrier.wait();
        if let Some(own) = parts.first_mut() {
            self.run_part(0, own, until);
        }
        self.barrier.wait();
        parts.extend(self.given.iter().skip(1).filter_map(|given| lock(given).take()));
    }

    /// What the thread of a part does until all is over.
    pub fn work(&self, place: usize) {
        let _failing = Failing(&self.barrier);
        loop {
            self.barrier.wait();
            if self.is_over.load(Ordering::Relaxed) {
                return;
            }
            if let Some(part) = lock(&self.given[place]).as_deref_mut() {
                self.run_part(place, part, self.until.load(Ordering::Relaxed));
            }
            self.barrier.wait();
        }
    }

    /// Ends the threads, also where what they work for has failed.
    pub fn stopping(&self) -> Stopping<'_, 'a, W> {
        Stopping(self)
    }

    /// What is on its way from part to part, between two cycles.
    pub fn write_messages(&self, out: &mut Vec<u8>) {
        for messages in self.messages.iter().flatten() {
            lock(messages).write(out);
        }
    }

    /// The same of a run that goes on.
    pub fn read_messages(&self, saved: &mut Saved<'_>) -> Result<(), Damaged> {
        for messages in self.messages.iter().flatten() {
            *lock(messages) = Persist::read(saved)?;
        }
        Ok(())
    }

    /// All parts in turn on this thread, cycle by cycle: what the threads do, without them.
    #[cfg(test)]
    pub fn run_in_turn(&self, parts: &mut [Box<Part<'a, W>>], until: u64) {
        for now in parts[0].engine.now..until {
            for (place, part) in parts.iter_mut().enumerate() {
                self.cycle(place, part, now);
            }
        }
    }

    fn run_part(&self, place: usize, part: &mut Part<'a, W>, until: u64) {
        for now in part.engine.now..until {
            self.cycle(place, part, now);
            self.barrier.wait();
        }
    }

    /// One cycle of a part, with what it gets from others and sends to them.
    fn cycle(&self, place: usize, part: &mut Part<'a, W>, now: u64) {
        // One that is broken waits for the others.
        if part.engine.broken.is_some() {
            return;
        }
        let count = self.given.len();
        let [before, after] = [now + 1, now].map(|cycle| usize::from(cycle % 2 == 1));
        for from in (0..count).filter(|&from| from != place) {
            let mut messages = lock(&self.messages[before][from * count + place]);
            if !messages.is_empty() {
                part.engine.take_messages(&mut messages);
            }
        }
        part.step();
        let sent = part.engine.boundary.iter_mut().flat_map(|boundary| &mut boundary.sent);
        for (to, messages) in sent.enumerate().filter(|(_, messages)| !messages.is_empty()) {
            mem::swap(messages, &mut lock(&self.messages[after][place * count + to]));
        }
    }
}

/// What is behind a lock; a thread that failed while it had it ends all others.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends the threads of a threads when it goes.
pub(super) struct Stopping<'c, 'a, const W: usize>(&'c Threads<'a, W>);

impl<const W: usize> Drop for Stopping<'_, '_, W> {
    fn drop(&mut self) {
        if thread::panicking() {
            return self.0.barrier.give_up();
        }
        self.0.is_over.store(true, Ordering::Relaxed);
        self.0.barrier.wait();
    }
}

/// Where a thread fails the others do not wait for it.
struct Failing<'a>(&'a Barrier);

impl Drop for Failing<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.give_up();
        }
    }
}

/// So many looks before a thread gives its core to another.
const LOOKS: u32 = 1 << 11;

/// Where all threads meet in every cycle: too short for a lock of the system.
#[derive(Debug)]
struct Barrier {
    count: usize,
    here: AtomicUsize,
    /// How often all were here.
    round: AtomicUsize,
    is_given_up: AtomicBool,
}

impl Barrier {
    fn new(count: usize) -> Self {
        let (here, round) = (AtomicUsize::new(0), AtomicUsize::new(0));
        Barrier { count, here, round, is_given_up: AtomicBool::new(false) }
    }

    fn wait(&self) {
        let round = self.round.load(Ordering::Acquire);
        if self.here.fetch_add(1, Ordering::AcqRel) + 1 == self.count {
            self.here.store(0, Ordering::Relaxed);
            self.round.store(round.wrapping_add(1), Ordering::Release);
            return;
        }
        let mut looks: u32 = 0;
        while self.round.load(Ordering::Acquire) == round {
            assert!(
                !self.is_given_up.load(Ordering::Relaxed),
                "another part of the network failed"
            );
            looks = looks.saturating_add(1);
            match looks {
                ..LOOKS => hint::spin_loop(),
                // It has a core alone no longer, or what comes is long.
                _ => thread::yield_now(),
            }
        }
    }

    fn give_up(&self) {
        self.is_given_up.store(true, Ordering::Relaxed);
    }
}
