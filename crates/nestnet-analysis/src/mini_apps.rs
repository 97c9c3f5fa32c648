//! Mini-apps: the messages of small applications, as programs that a network can be simulated with.
//!
//! Which messages does a halo exchange, an all-to-all, an allreduce or a training step have, and what waits for what?
//!
//! - `stencil(x, y)`, `stencil(x, y, z)`: every rank of a periodic grid sends a face to each neighbor, waits for theirs
//!   and computes; the last coordinate varies fastest.
//! - `all_to_all(n)`: rank r sends to r + 1, r + 2, …, one after the other.
//! - `allreduce(n)`: a reduce-scatter and an allgather around a ring, 2(n - 1) messages of an n-th for each rank.
//! - `training(d, t, p, m)`: one step of d replicas (data parallelism) of p stages (pipeline parallelism) of t ranks each
//!   (tensor parallelism), on m micro-batches, p where they are not given. All forward passes, then all backward passes in
//!   reverse order (GPipe; Y. Huang et al., 2019); the ranks of a stage sum what they computed after each pass, as do the
//!   replicas their gradients at the end, both by rings. Rank (replica·p + stage)·t + member.
//!
//! A repetition begins on a rank when it has done the last.

use nestnet_routing::traffic::program::{Action, Program, Task};
use nestnet_topologies::family::Built;
use serde::Serialize;
use thiserror::Error;

/// An application.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MiniApp {
    /// A halo exchange on a periodic grid.
    Stencil {
        /// Ranks in each dimension.
        sides: Vec<u64>,
    },
    /// Everybody to everybody.
    AllToAll {
        /// How many ranks.
        ranks: u64,
    },
    /// A sum that all get, by a ring.
    AllReduce {
        /// How many ranks.
        ranks: u64,
    },
    /// A training step.
    Training {
        /// Replicas.
        data: u64,
        /// Ranks of a stage.
        tensor: u64,
        /// Stages.
        pipeline: u64,
        /// Micro-batches.
        batches: u64,
    },
}

/// How much a mini-app sends and computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Amounts {
    /// Bytes of a face, of what a rank has for one other, of the vector to be summed, or of the activations that go to the
    /// next stage.
    pub bytes: u64,
    /// Bytes of the gradients of a rank.
    pub gradient: u64,
    /// Cycles of computing: of a repetition, or of a forward pass; a backward pass takes twice as many.
    pub compute: u64,
    /// How often all is done.
    pub repeat: u64,
}

/// Why there is no such mini-app.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MiniAppError {
    /// It is not one of them.
    #[error(
        "there is no mini-app {0}: they are stencil(x, y), stencil(x, y, z), all_to_all(n), allreduce(n) and training(d, t, p), training(d, t, p, m)"
    )]
    Unknown(String),
    /// A number of it is zero or missing.
    #[error("{0}: all numbers of a mini-app are at least 1, and are fewer than 2^24")]
    Number(String),
    /// It is too long.
    #[error("{app} has more than {most} tasks: take fewer ranks or repetitions")]
    TooLong {
        /// Which.
        app: String,
        /// The most that there may be.
        most: u64,
    },
    /// The network is too large for node ids.
    #[error("the network has no node ids, more than 2^63 nodes or 2^32 ports")]
    NotBuilt,
    /// Each rank needs a host.
    #[error("{app} has {ranks} ranks, and the network has {hosts} hosts")]
    TooManyRanks {
        /// Which.
        app: String,
        /// How many ranks it has.
        ranks: u64,
        /// How many hosts there are.
        hosts: u64,
    },
}

/// A mini-app on the hosts of a network, rank by rank.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename = "MiniApp")]
#[non_exhaustive]
pub struct MiniAppPlan {
    /// Which, as it was asked for.
    pub app: String,
    /// How many ranks it has.
    pub ranks: u64,
    /// How many hosts the network has.
    pub hosts: u64,
    /// How many sends, receives and computations.
    pub tasks: u64,
    /// How many messages.
    pub messages: u64,
    /// Bytes of all messages.
    pub bytes: u64,
    /// The program.
    #[serde(skip)]
    pub program: Program,
}

/// The program of a mini-app for the hosts of a network. O(tasks).
///
/// ```
/// use nestnet_analysis::mini_apps::{Amounts, plan};
/// use nestnet_topologies::build::build;
///
/// let amounts = Amounts { bytes: 64, gradient: 64, compute: 0, repeat: 1 };
/// let found = plan(&build("torus(3, 3)")?, "stencil(3, 3)", &amounts)?;
/// assert_eq!((found.messages, found.bytes), (36, 2304));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn plan(built: &Built, app: &str, amounts: &Amounts) -> Result<MiniAppPlan, MiniAppError> {
    let found = MiniApp::parse(app)?;
    let hosts = built.network.as_ref().ok_or(MiniAppError::NotBuilt)?.hosts();
    let ranks = found.ranks();
    let app = app.to_owned();
    if ranks > hosts {
        return Err(MiniAppError::TooManyRanks { app, ranks, hosts });
    }
    let program = found.program(amounts)?;
    let (mut tasks, mut messages, mut bytes) = (0, 0, 0_u64);
    for task in program.ranks.iter().flatten() {
        tasks += 1;
        if let Action::Send { bytes: sent, .. } = task.action {
            messages += 1;
            bytes = bytes.saturating_add(sent);
        }
    }
    Ok(MiniAppPlan { app, ranks, hosts, tasks, messages, bytes, program })
}

/// Limit: tasks of a mini-app, whose trace is kept in memory.
const MAX_TASKS: u64 = 1 << 24;

impl MiniApp {
    /// Whether a text is meant as a mini-app: a name with numbers in brackets.
    pub fn is_meant(text: &str) -> bool {
        text.contains('(')
    }

    /// Reads one, such as `stencil(4, 4)`.
    ///
    /// ```
    /// use nestnet_analysis::mini_apps::{MiniApp, MiniAppError};
    ///
    /// assert_eq!(MiniApp::parse("training(2, 2, 4)")?.ranks(), 16);
    /// assert!(MiniApp::parse("stencil(4, 0)").is_err());
    /// # Ok::<(), MiniAppError>(())
    /// ```
    pub fn parse(text: &str) -> Result<Self, MiniAppError> {
        let unknown = || MiniAppError::Unknown(text.to_owned());
        let (name, rest) = text.trim().split_once('(').ok_or_else(unknown)?;
        let inside = rest.trim_end().strip_suffix(')').ok_or_else(unknown)?;
        let number = |word: &str| {
            let number = word.trim().parse().ok().filter(|number| (1..1 << 24).contains(number));
            number.ok_or_else(|| MiniAppError::Number(text.to_owned()))
        };
        let numbers: Vec<u64> = inside.split(',').map(number).collect::<Result<_, _>>()?;
        let app = match (name.trim(), &numbers[..]) {
            ("stencil", [_, _] | [_, _, _]) => MiniApp::Stencil { sides: numbers },
            ("all_to_all" | "all-to-all" | "alltoall", &[ranks]) => MiniApp::AllToAll { ranks },
            ("allreduce", &[ranks]) => MiniApp::AllReduce { ranks },
            ("training", &[data, tensor, pipeline]) => {
                MiniApp::Training { data, tensor, pipeline, batches: pipeline }
            }
            ("training", &[data, tensor, pipeline, batches]) => {
                MiniApp::Training { data, tensor, pipeline, batches }
            }
            _ => return Err(unknown()),
        };
        match app.tasks(1) {
            0..=MAX_TASKS => Ok(app),
            _ => Err(MiniAppError::TooLong { app: text.to_owned(), most: MAX_TASKS }),
        }
    }

    /// How many ranks it has; `u64::MAX` where they are more than that.
    pub fn ranks(&self) -> u64 {
        match self {
            MiniApp::Stencil { sides } => {
                sides.iter().fold(1, |all: u64, &side| all.saturating_mul(side))
            }
            MiniApp::AllToAll { ranks } | MiniApp::AllReduce { ranks } => *ranks,
            MiniApp::Training { data, tensor, pipeline, .. } => {
                data.saturating_mul(*tensor).saturating_mul(*pipeline)
            }
        }
    }

    /// How many tasks it has, at most.
    fn tasks(&self, repeat: u64) -> u64 {
        let ring = |ranks: u64| 4 * (ranks - 1);
        let each = match self {
            MiniApp::Stencil { sides } => 4 * sides.len() as u64 + 1,
            MiniApp::AllToAll { ranks } => 2 * ranks,
            MiniApp::AllReduce { ranks } => ring(*ranks) + 1,
            MiniApp::Training { data, tensor, batches, .. } => {
                batches.saturating_mul(2 * (ring(*tensor) + 3)) + ring(*data)
            }
        };
        self.ranks().saturating_mul(each).saturating_mul(repeat.max(1))
    }

    /// Its program. O(tasks).
    pub fn program(&self, amounts: &Amounts) -> Result<Program, MiniAppError> {
        if self.tasks(amounts.repeat) > MAX_TASKS {
            return Err(MiniAppError::TooLong { app: format!("{self:?}"), most: MAX_TASKS });
        }
        let ranks = usize::try_from(self.ranks()).unwrap_or(0);
        let mut writer = Writer {
            ranks: vec![Vec::new(); ranks],
            after: vec![Vec::new(); ranks],
            tag: 0,
            amounts: *amounts,
        };
        for _ in 0..amounts.repeat.max(1) {
            match self {
                MiniApp::Stencil { sides } => writer.stencil(sides),
                MiniApp::AllToAll { .. } => writer.all_to_all(),
                MiniApp::AllReduce { .. } => {
                    writer.compute_all();
                    let all: Vec<usize> = (0..ranks).collect();
                    writer.ring(&all, amounts.bytes);
                }
                MiniApp::Training { data, tensor, pipeline, batches } => {
                    let shape = [*data, *tensor, *pipeline];
                    writer.training(shape.map(|n| usize::try_from(n).unwrap_or(0)), *batches);
                }
            }
        }
        Ok(Program { ranks: writer.ranks })
    }
}

/// A program that is being written.
struct Writer {
    ranks: Vec<Vec<Task>>,
    /// What the next of each rank waits for.
    after: Vec<Vec<usize>>,
    /// The next tag that no message has.
    tag: u64,
    amounts: Amounts,
}

impl Writer {
    /// A task of a rank; its place.
    fn add(&mut self, rank: usize, action: Action, needs: Vec<usize>) -> usize {
        let tasks = &mut self.ranks[rank];
        tasks.push(Task { action, needs });
        tasks.len() - 1
    }

    /// Computes on a rank behind all that it did.
    fn compute(&mut self, rank: usize, time: u64) {
        let needs = std::mem::take(&mut self.after[rank]);
        let place = self.add(rank, Action::Compute { time }, needs);
        self.after[rank] = vec![place];
    }

    fn compute_all(&mut self) {
        for rank in 0..self.ranks.len() {
            self.compute(rank, self.amounts.compute);
        }
    }

    /// A message that goes when the sender is that far, and that the receiver waits for when it is: the places of the send
    /// and of the receive.
    fn message(&mut self, from: usize, to: usize, bytes: u64) -> (usize, usize) {
        let tag = self.tag;
        self.tag += 1;
        let needs = self.after[from].clone();
        let send = self.add(from, Action::Send { to: to as u64, bytes, tag }, needs);
        let needs = self.after[to].clone();
        let receive = self.add(to, Action::Receive { from: from as u64, bytes, tag }, needs);
        (send, receive)
    }

    fn stencil(&mut self, sides: &[u64]) {
        let count = self.ranks.len();
        let mut done = vec![Vec::new(); count];
        let mut stride = count;
        for &side in sides {
            let side = usize::try_from(side).unwrap_or(1);
            stride /= side;
            for rank in (0..count).filter(|_| side > 1) {
                let digit = rank / stride % side;
                let base = rank - digit * stride;
                for step in [1, side - 1] {
                    let to = base + (digit + step) % side * stride;
                    let (send, receive) = self.message(rank, to, self.amounts.bytes);
                    done[rank].push(send);
                    done[to].push(receive);
                }
            }
        }
        for (after, done) in self.after.iter_mut().zip(done) {
            after.extend(done);
        }
        self.compute_all();
    }

    fn all_to_all(&mut self) {
        let count = self.ranks.len();
        self.compute_all();
        let mut received = vec![Vec::new(); count];
        let start = self.after.clone();
        for shift in 1..count {
            // A send waits for the one before it; receives only for the start.
            let mut sent = vec![Vec::new(); count];
            for (rank, sent) in sent.iter_mut().enumerate() {
                let to = (rank + shift) % count;
                let waits = std::mem::replace(&mut self.after[to], start[to].clone());
                let (send, receive) = self.message(rank, to, self.amounts.bytes);
                self.after[to] = waits;
                sent.push(send);
                received[to].push(receive);
            }
            self.after = sent;
        }
        for (after, received) in self.after.iter_mut().zip(received) {
            after.extend(received);
        }
    }

    /// A sum of a vector that all of a group get: reduce-scatter and allgather around a ring.
    fn ring(&mut self, group: &[usize], bytes: u64) {
        let count = group.len();
        let part = bytes.div_ceil(count as u64).max(1);
        for _ in 0..2 * (count - 1) {
            let mut next = vec![Vec::new(); count];
            for place in 0..count {
                let to = (place + 1) % count;
                let (send, receive) = self.message(group[place], group[to], part);
                next[place].push(send);
                next[to].push(receive);
            }
            for (&rank, next) in group.iter().zip(next) {
                self.after[rank] = next;
            }
        }
    }

    /// One stage of one replica computes and sums; then what it has goes to another stage.
    fn pass(
        &mut self,
        stage: &[usize],
        time: u64,
        to: Option<&[usize]>,
        arrived: &mut [Vec<usize>],
    ) {
        for &rank in stage {
            let needs = std::mem::take(&mut arrived[rank]);
            self.after[rank].extend(needs);
            self.compute(rank, time);
        }
        self.ring(stage, self.amounts.bytes);
        for (&rank, &to) in stage.iter().zip(to.unwrap_or(&[])) {
            // What comes next on the sender need not wait for the send.
            let waits = std::mem::take(&mut self.after[to]);
            let (_, receive) = self.message(rank, to, self.amounts.bytes);
            self.after[to] = waits;
            arrived[to].push(receive);
        }
    }

    fn training(&mut self, [data, tensor, pipeline]: [usize; 3], batches: u64) {
        let stage = |replica: usize, stage: usize| -> Vec<usize> {
            (0..tensor).map(|member| (replica * pipeline + stage) * tensor + member).collect()
        };
        let batches = usize::try_from(batches).unwrap_or(0);
        let (forward, backward) = (self.amounts.compute, self.amounts.compute.saturating_mul(2));
        for replica in 0..data {
            let stages: Vec<Vec<usize>> =
                (0..pipeline).map(|place| stage(replica, place)).collect();
            // What each stage waits for, one micro-batch after the other.
            let mut arrived = vec![vec![Vec::new(); self.ranks.len()]; batches];
            for arrived in &mut arrived {
                for place in 0..pipeline {
                    let to = stages.get(place + 1).map(Vec::as_slice);
                    self.pass(&stages[place], forward, to, arrived);
                }
            }
            for arrived in arrived.iter_mut().rev() {
                for place in (0..pipeline).rev() {
                    let to = place.checked_sub(1).map(|place| stages[place].as_slice());
                    self.pass(&stages[place], backward, to, arrived);
                }
            }
        }
        for place in 0..pipeline {
            for member in 0..tensor {
                let group: Vec<usize> =
                    (0..data).map(|replica| stage(replica, place)[member]).collect();
                self.ring(&group, self.amounts.gradient);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    const AMOUNTS: Amounts = Amounts { bytes: 60, gradient: 600, compute: 10, repeat: 2 };

    /// The messages of a program, by sender, receiver and tag. Every send has its receive, no task waits for a later one.
    fn messages(program: &Program) -> HashMap<(u64, u64, u64), u64> {
        let mut sent = HashMap::new();
        let mut received = HashMap::new();
        for (rank, tasks) in (0..).zip(&program.ranks) {
            for (place, task) in tasks.iter().enumerate() {
                assert!(task.needs.iter().all(|&before| before < place));
                let again = match task.action {
                    Action::Send { to, bytes, tag } => sent.insert((rank, to, tag), bytes),
                    Action::Receive { from, bytes, tag } => {
                        received.insert((from, rank, tag), bytes)
                    }
                    Action::Compute { .. } => None,
                };
                assert_eq!(again, None);
            }
        }
        assert_eq!(sent, received);
        sent
    }

    fn program(text: &str) -> Program {
        MiniApp::parse(text).unwrap().program(&AMOUNTS).unwrap()
    }

    #[test]
    fn a_stencil_sends_to_its_neighbors() {
        let found = messages(&program("stencil(3, 4)"));
        assert_eq!(found.len(), 2 * 12 * 4);
        // Rank 5 is (1, 1): its neighbors are (0, 1), (2, 1), (1, 0) and (1, 2).
        let mut to: Vec<u64> = found.keys().filter(|key| key.0 == 5).map(|key| key.1).collect();
        to.sort_unstable();
        assert_eq!(to, [1, 1, 4, 4, 6, 6, 9, 9]);
        // A side of one has no neighbors, one of two has the same neighbor twice.
        assert_eq!(messages(&program("stencil(1, 2, 3)")).len(), 2 * 6 * 4);
        assert!(messages(&program("stencil(1, 1)")).is_empty());
    }

    #[test]
    fn an_all_to_all_has_all_pairs_and_a_ring_two_rounds() {
        let found = messages(&program("all_to_all(5)"));
        for pair in (0..5).flat_map(|from| (0..5).map(move |to| (from, to))) {
            let count = found.keys().filter(|key| (key.0, key.1) == pair).count();
            assert_eq!(count, if pair.0 == pair.1 { 0 } else { 2 });
        }
        let found = messages(&program("allreduce(6)"));
        assert_eq!(found.len(), 2 * 6 * 10);
        assert!(found.iter().all(|(key, &bytes)| (key.0 + 1) % 6 == key.1 && bytes == 10));
    }

    #[test]
    fn a_training_step_has_all_three_kinds_of_messages() {
        let (data, tensor, pipeline, batches) = (3, 2, 4, 5);
        let found = messages(&program("training(3, 2, 4, 5)"));
        let ranks = data * tensor * pipeline;
        let sums = ranks * batches * 2 * 2;
        let stages = data * tensor * (pipeline - 1) * batches * 2;
        let gradients = ranks * 4;
        assert_eq!(found.len(), 2 * (sums + stages + gradients));
        assert_eq!(found.values().filter(|&&bytes| bytes == 200).count(), 2 * gradients);
        assert_eq!(found.values().filter(|&&bytes| bytes == 60).count(), 2 * stages);
        // One rank computes, without messages.
        let alone = program("training(1, 1, 1, 4)");
        assert!(messages(&alone).is_empty());
        let time = |task: &Task| match task.action {
            Action::Compute { time } => time,
            _ => 0,
        };
        assert_eq!(alone.ranks[0].iter().map(time).sum::<u64>(), 2 * 4 * 30);
    }

    #[test]
    fn what_is_no_mini_app_is_an_error() {
        for text in ["stencil(3)", "stencil(4, 4", "jacobi(4, 4)", "allreduce()", "training(2, 2)"]
        {
            assert!(MiniApp::parse(text).is_err(), "{text}");
        }
        let large = MiniApp::parse("all_to_all(1000000)").unwrap_err();
        assert!(matches!(large, MiniAppError::TooLong { .. }));
        let app = MiniApp::parse("stencil(64, 64)").unwrap();
        let forever = Amounts { repeat: u64::MAX, ..AMOUNTS };
        assert!(matches!(app.program(&forever), Err(MiniAppError::TooLong { .. })));
    }
}
