//! How long does a program of messages take? Every rank sends when what it waits for is done.
//!
//! A message is cut into packets of the largest size and one for the rest. A send is done when its last flit has left
//! the host, a receive when it was reached and the message has arrived whole, computing after its time in cycles.

use super::config::SimError;
use super::deadlock_detect::Wait;
use super::engine::Engine;
use super::measure::{Latency, Simulation};
use super::source::{NEVER, Parcel, Supply};
use super::state::index32;
use super::tally::Spread;
use nestnet_graph::{Budget, Node};
use nestnet_routing::traffic::program::{Action, Program, Task};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, VecDeque};

/// When one task began and was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// Which host.
    pub rank: u64,
    /// Which of its tasks.
    pub task: usize,
    /// What it is.
    pub action: Action,
    /// The cycle in which all it needs was done.
    pub begin: u64,
    /// The cycle in which it was done.
    pub end: u64,
}

/// A message that arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MessageRecord {
    /// Which rank sent it.
    pub from: u64,
    /// To which rank.
    pub to: u64,
    /// Which of the messages between the two it is.
    pub tag: u64,
    /// How long it is.
    pub bytes: u64,
    /// The cycle in which its sender was ready to send it.
    pub created: u64,
    /// The cycle in which its last flit left its sender.
    pub left: u64,
    /// The cycle in which all of it had arrived.
    pub arrived: u64,
}

/// How a program ended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finish {
    /// Cycles until all was done, or until it ended otherwise.
    pub cycles: u64,
    /// Tasks that were done, in the order in which they were.
    pub spans: Vec<Span>,
    /// Messages that arrived, in the order in which they did.
    pub messages: Vec<MessageRecord>,
    /// How many tasks there are.
    pub tasks: usize,
    /// Flits that crossed a switch.
    pub flit_hops: u64,
    /// Whether all was done; otherwise it waits for ever or was stopped.
    pub complete: bool,
    /// The dependency cycle in which packets wait, where they do.
    pub deadlock_cycle: Vec<Wait>,
}

impl Finish {
    /// How long messages took, from when their senders were ready to when all of them had arrived; none without messages.
    pub fn message_latency(&self) -> Option<Latency> {
        let mut spread = Spread::default();
        self.messages.iter().for_each(|message| spread.add(message.arrived - message.created));
        (!self.messages.is_empty()).then(|| Latency::of(&spread))
    }
}

/// Between two of these the network is not checked for dependency cycles.
const LOOK: u64 = 1 << 12;

impl Simulation<'_> {
    /// Runs a program whose ranks are the hosts, `flit` bytes a flit.
    pub fn program(
        &self,
        program: &Program,
        flit: u64,
        budget: &Budget<'_>,
    ) -> Result<Finish, SimError> {
        if program.ranks.len() as u64 > self.hosts() {
            let (ranks, hosts) = (program.ranks.len() as u64, self.hosts());
            return Err(SimError::TooManyRanks { ranks, hosts });
        }
        if !self.config.replies.is_empty() {
            return Err(SimError::RepliesInProgram);
        }
        match self.wires.most_ports * self.wires.slots {
            0..=64 => self.run_program::<1>(program, flit, budget),
            65..=256 => self.run_program::<4>(program, flit, budget),
            _ => self.run_program::<64>(program, flit, budget),
        }
    }

    fn run_program<const W: usize>(
        &self,
        program: &Program,
        flit: u64,
        budget: &Budget<'_>,
    ) -> Result<Finish, SimError> {
        if !self.config.classes.is_empty() {
            return Err(SimError::ClassesOfProgram);
        }
        let supply = Supply::new(self.config, &|_, _, _| None, 0.0, 0)?;
        let mut engine = Engine::<W>::new(&self.wires, self.config, self.router, supply, budget)?;
        engine.parcels = Some(vec![VecDeque::new(); self.wires.hosts.len()]);
        let waiting =
            |tasks: &Vec<Task>| tasks.iter().map(|task| task.needs.len()).collect::<Vec<_>>();
        let mut execution = Execution {
            program,
            flit: flit.max(1),
            missing: program.ranks.iter().map(waiting).collect(),
            followers: followers(program),
            begun: program.ranks.iter().map(|tasks| vec![0; tasks.len()]).collect(),
            messages: Vec::new(),
            arrived: HashMap::new(),
            awaited: HashMap::new(),
            computing: BinaryHeap::new(),
            ready: VecDeque::new(),
            spans: Vec::new(),
            delivered: Vec::new(),
        };
        let tasks = program.ranks.iter().map(Vec::len).sum();
        execution.begin();
        let (mut deadlock_cycle, mut complete) = (Vec::new(), true);
        execution.start_ready(&mut engine);
        while execution.spans.len() < tasks {
            let now = engine.now;
            if now.is_multiple_of(1 << 8) {
                if budget.check().is_err() {
                    complete = false;
                    break;
                }
                (budget.watch.progress)(execution.spans.len() as f64 / tasks as f64);
            }
            let still = engine.seen.entered == engine.seen.arrived
                && execution.computing.is_empty()
                && engine.sources.iter().all(|source| source.next == NEVER);
            if still {
                complete = false;
                break;
            }
            if now > 0 && now.is_multiple_of(LOOK) {
                deadlock_cycle = engine.find_deadlock_cycle();
                if !deadlock_cycle.is_empty() {
                    complete = false;
                    break;
                }
            }
            engine.cycle();
            if let Some(error) = engine.broken.take() {
                return Err(error);
            }
            execution.hear(&mut engine, now);
        }
        Ok(Finish {
            cycles: engine.now,
            spans: execution.spans,
            messages: execution.delivered,
            tasks,
            flit_hops: engine.seen.flit_hops,
            complete,
            deadlock_cycle,
        })
    }
}

/// For each task those that wait for it.
fn followers(program: &Program) -> Vec<Vec<Vec<usize>>> {
    let of_rank = |tasks: &Vec<Task>| {
        let mut followers = vec![Vec::new(); tasks.len()];
        for (after, task) in tasks.iter().enumerate() {
            task.needs.iter().for_each(|&before| followers[before].push(after));
        }
        followers
    };
    program.ranks.iter().map(of_rank).collect()
}

/// A message on its way.
struct Message {
    from: usize,
    task: usize,
    to: u64,
    tag: u64,
    /// Packets that have not left, and that have not arrived.
    unsent: u64,
    missing: u64,
    /// When the last of them left.
    left: u64,
}

type Key = (u64, u64, u64);

struct Execution<'a> {
    program: &'a Program,
    flit: u64,
    /// How many tasks each task still waits for.
    missing: Vec<Vec<usize>>,
    followers: Vec<Vec<Vec<usize>>>,
    begun: Vec<Vec<u64>>,
    messages: Vec<Message>,
    /// Messages that arrived before they were waited for, and tasks that wait.
    arrived: HashMap<Key, u64>,
    awaited: HashMap<Key, VecDeque<usize>>,
    computing: BinaryHeap<Reverse<(u64, usize, usize)>>,
    ready: VecDeque<(usize, usize, u64)>,
    spans: Vec<Span>,
    delivered: Vec<MessageRecord>,
}

impl Execution<'_> {
    /// What waits for nothing is ready.
    fn begin(&mut self) {
        for (rank, missing) in self.missing.iter().enumerate() {
            let free = missing.iter().enumerate().filter(|&(_, &missing)| missing == 0);
            self.ready.extend(free.map(|(task, _)| (rank, task, 0)));
        }
    }

    /// What left and what arrived in the cycle `now`.
    fn hear<const W: usize>(&mut self, engine: &mut Engine<'_, W>, now: u64) {
        while let Some(&Reverse((at, rank, task))) = self.computing.peek() {
            if at > now {
                break;
            }
            self.computing.pop();
            self.done(rank, task, at);
        }
        for number in std::mem::take(&mut engine.seen.sent) {
            let message = &mut self.messages[number as usize];
            message.unsent -= 1;
            if message.unsent == 0 {
                message.left = now;
                let (rank, task) = (message.from, message.task);
                self.done(rank, task, now);
            }
        }
        for packet in std::mem::take(&mut engine.seen.delivered) {
            let message = &mut self.messages[packet.message as usize];
            message.missing -= 1;
            if message.missing == 0 {
                let (rank, task) = (message.from, message.task);
                if let Action::Send { to, bytes, tag } = self.program.ranks[rank][task].action {
                    let (created, left) = (self.begun[rank][task], message.left);
                    let from = rank as u64;
                    let record =
                        MessageRecord { from, to, tag, bytes, created, left, arrived: now };
                    self.delivered.push(record);
                }
                let key = (message.from as u64, message.to, message.tag);
                let to = usize::try_from(message.to).unwrap_or(0);
                match self.awaited.get_mut(&key).and_then(VecDeque::pop_front) {
                    Some(task) => self.done(to, task, now),
                    None => *self.arrived.entry(key).or_default() += 1,
                }
            }
        }
        self.start_ready(engine);
    }

    fn done(&mut self, rank: usize, task: usize, now: u64) {
        let (action, begin) = (self.program.ranks[rank][task].action, self.begun[rank][task]);
        self.spans.push(Span { rank: rank as u64, task, action, begin, end: now });
        for place in 0..self.followers[rank][task].len() {
            let after = self.followers[rank][task][place];
            self.missing[rank][after] -= 1;
            if self.missing[rank][after] == 0 {
                self.ready.push_back((rank, after, now));
            }
        }
    }

    fn start_ready<const W: usize>(&mut self, engine: &mut Engine<'_, W>) {
        while let Some((rank, task, now)) = self.ready.pop_front() {
            self.begun[rank][task] = now;
            match self.program.ranks[rank][task].action {
                Action::Compute { time: 0 } => self.done(rank, task, now),
                Action::Compute { time } => {
                    self.computing.push(Reverse((now + time, rank, task)));
                }
                Action::Receive { from, tag, .. } => {
                    let key = (from, rank as u64, tag);
                    match self.arrived.get_mut(&key).filter(|count| **count > 0) {
                        Some(count) => {
                            *count -= 1;
                            self.done(rank, task, now);
                        }
                        None => self.awaited.entry(key).or_default().push_back(task),
                    }
                }
                Action::Send { to, bytes, tag } => self.send(engine, (rank, task), to, bytes, tag),
            }
        }
    }

    fn send<const W: usize>(
        &mut self,
        engine: &mut Engine<'_, W>,
        (rank, task): (usize, usize),
        to: u64,
        bytes: u64,
        tag: u64,
    ) {
        let most = u64::from(engine.config.longest_packet());
        let mut flits = bytes.div_ceil(self.flit).max(1);
        let packets = flits.div_ceil(most);
        let message = index32(self.messages.len());
        self.messages.push(Message {
            from: rank,
            task,
            to,
            tag,
            unsent: packets,
            missing: packets,
            left: 0,
        });
        while flits > 0 {
            let size = flits.min(most);
            flits -= size;
            let size = u16::try_from(size).unwrap_or(u16::MAX);
            engine.offer(rank, Parcel { to: Node(to), size, message, created: engine.now });
        }
    }
}
