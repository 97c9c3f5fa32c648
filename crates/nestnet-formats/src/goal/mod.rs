//! Schedules in GOAL, the language of LogGOPSim: what each rank sends and receives, and what waits for what.
//!
//! What is written: `num_ranks`, and for each rank its `send`, `recv` and `requires`. A rank is a node, the tag is the
//! step, counted from 0, so that every message has its own between the same two ranks. A send waits for all that
//! arrived of its block before; nothing waits for a step as such, and adding up is not counted (no `calc`).
//!
//! Rounds of messages between hosts are written likewise, and any program as it is.

mod read;

pub use read::{GoalError, read};

use nestnet_collectives::{Message, Rounds, Schedule, Transfer};
use nestnet_graph::{Network, Node};
use nestnet_sim::{Action, Task, Trace};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

/// What one rank does.
#[derive(Default)]
struct Rank {
    lines: Vec<String>,
    requires: Vec<String>,
    /// The receives of each block.
    arrived: BTreeMap<u64, Vec<usize>>,
}

/// Writes a schedule whose blocks have `bytes` bytes. All ranks are kept in memory until the end.
///
/// ```
/// use nestnet_collectives::{Ports, scatter};
/// use nestnet_formats::goal;
/// use nestnet_graph::Budget;
/// use nestnet_graph::{Csr, Node};
///
/// let pair = Csr::from_links(2, &[(0, 1)], 1 << 20)?;
/// let steps = scatter(&pair, Node(0), Ports::One, &Budget::UNLIMITED)?;
/// let mut text = Vec::new();
/// goal::write(&pair, &steps, 8, &mut text)?;
/// let expected = "num_ranks 2\n\nrank 0 {\nl1: send 8b to 1 tag 0\n}\n\n\
///                 rank 1 {\nl1: recv 8b from 0 tag 0\n}\n";
/// assert_eq!(String::from_utf8(text)?, expected);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write(
    network: &dyn Network,
    schedule: &Schedule,
    bytes: u64,
    output: impl Write,
) -> io::Result<()> {
    let mut ranks: BTreeMap<Node, Rank> = BTreeMap::new();
    for (tag, step) in schedule.steps.iter().enumerate() {
        let ends = |t: &Transfer| Some((t.from, network.neighbor(t.from, t.port)?, t.block));
        // What is sent was there before the step.
        for (from, to, block) in step.iter().filter_map(ends) {
            let rank = ranks.entry(from).or_default();
            rank.lines.push(format!("send {bytes}b to {to} tag {tag}"));
            let label = rank.lines.len();
            let needed = rank.arrived.get(&block).into_iter().flatten();
            let needed: Vec<String> =
                needed.map(|before| format!("l{label} requires l{before}")).collect();
            rank.requires.extend(needed);
        }
        for (from, to, block) in step.iter().filter_map(ends) {
            let rank = ranks.entry(to).or_default();
            rank.lines.push(format!("recv {bytes}b from {from} tag {tag}"));
            let label = rank.lines.len();
            rank.arrived.entry(block).or_default().push(label);
        }
    }
    write_ranks(&ranks, network.order(), output)
}

/// Writes rounds of messages between `hosts` hosts, of blocks of `bytes` bytes each, `total` of them. All ranks are kept in
/// memory until the end.
///
/// # Errors
/// Where the output cannot be written.
pub fn write_rounds(
    rounds: &Rounds,
    hosts: u64,
    total: u64,
    bytes: u64,
    output: impl Write,
) -> io::Result<()> {
    let mut ranks: BTreeMap<Node, Rank> = BTreeMap::new();
    let mut messages = Vec::new();
    for tag in 0..rounds.count() {
        messages.clear();
        rounds.round(tag, &mut messages);
        let carried = |message: &Message| {
            let first = message.first;
            (0..message.blocks).map(move |block| (first + block) % total.max(1))
        };
        for message in &messages {
            let rank = ranks.entry(message.from).or_default();
            let size = bytes.saturating_mul(message.blocks);
            rank.lines.push(format!("send {size}b to {} tag {tag}", message.to));
            let label = rank.lines.len();
            let arrived = carried(message).filter_map(|block| rank.arrived.get(&block)).flatten();
            let needed: BTreeSet<usize> = arrived.copied().collect();
            let needed = needed.into_iter().map(|before| format!("l{label} requires l{before}"));
            rank.requires.extend(needed);
        }
        for message in &messages {
            let rank = ranks.entry(message.to).or_default();
            let size = bytes.saturating_mul(message.blocks);
            rank.lines.push(format!("recv {size}b from {} tag {tag}", message.from));
            let label = rank.lines.len();
            for block in carried(message) {
                rank.arrived.entry(block).or_default().push(label);
            }
        }
    }
    write_ranks(&ranks, hosts, output)
}

/// Writes what each of `count` ranks does.
fn write_ranks(ranks: &BTreeMap<Node, Rank>, count: u64, mut output: impl Write) -> io::Result<()> {
    writeln!(output, "num_ranks {count}")?;
    for node in (0..count).map(Node) {
        writeln!(output, "\nrank {node} {{")?;
        if let Some(rank) = ranks.get(&node) {
            for (label, line) in (1..).zip(&rank.lines) {
                writeln!(output, "l{label}: {line}")?;
            }
            for line in &rank.requires {
                writeln!(output, "{line}")?;
            }
        }
        writeln!(output, "}}")?;
    }
    output.flush()
}

/// Writes a program, so that [`read`] gives it again.
///
/// ```
/// use nestnet_formats::goal;
/// use nestnet_sim::{Action, Task, Trace};
///
/// let send = Task { action: Action::Send { to: 1, bytes: 64, tag: 0 }, needs: vec![] };
/// let receive = Task { action: Action::Receive { from: 0, bytes: 64, tag: 0 }, needs: vec![] };
/// let trace = Trace { ranks: vec![vec![send], vec![receive]] };
/// let mut text = Vec::new();
/// goal::write_trace(&trace, &mut text)?;
/// assert_eq!(goal::read(&text[..])?, trace);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Where the output cannot be written.
pub fn write_trace(trace: &Trace, mut output: impl Write) -> io::Result<()> {
    writeln!(output, "num_ranks {}", trace.ranks.len())?;
    for (rank, tasks) in trace.ranks.iter().enumerate() {
        writeln!(output, "\nrank {rank} {{")?;
        for (label, Task { action, .. }) in (1..).zip(tasks) {
            match action {
                Action::Send { to, bytes, tag } => {
                    writeln!(output, "l{label}: send {bytes}b to {to} tag {tag}")?;
                }
                Action::Receive { from, bytes, tag } => {
                    writeln!(output, "l{label}: recv {bytes}b from {from} tag {tag}")?;
                }
                Action::Compute { time } => writeln!(output, "l{label}: calc {time}")?,
            }
        }
        for (label, Task { needs, .. }) in (1..).zip(tasks) {
            for before in needs {
                writeln!(output, "l{label} requires l{}", before + 1)?;
            }
        }
        writeln!(output, "}}")?;
    }
    output.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use nestnet_collectives::{Ports, reduce};
    use nestnet_graph::Budget;
    use nestnet_seed::samples::path;

    #[test]
    fn a_sum_waits_for_its_parts() {
        let network = path(4);
        let steps = reduce(&network, Node(0), Ports::One, &Budget::UNLIMITED).unwrap();
        let mut text = Vec::new();
        write(&network, &steps, 64, &mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        let middle = "rank 1 {\nl1: recv 64b from 2 tag 1\nl2: send 64b to 0 tag 2\n\
                      l2 requires l1\n}\n";
        assert!(text.contains(middle), "{text}");
        assert!(text.starts_with("num_ranks 4\n\nrank 0 {\nl1: recv 64b from 1 tag 2\n}\n"));
    }
}
