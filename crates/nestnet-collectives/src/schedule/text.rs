//! Schedules as text: one step a line, each transfer as `from>to:block`.
//!
//! An empty line is a step in which nothing happens; lines that begin with `#` are passed over.

use super::{Schedule, Stream, Transfer};
use nestnet_graph::{Network, Node, Port};
use std::io::{self, BufRead, Write};
use thiserror::Error;

/// Why a text is not a schedule of a network.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ScheduleError {
    /// A word is no transfer.
    #[error("line {line}: expected transfers `from>to:block`, found `{word}`")]
    Malformed {
        /// 1-based.
        line: usize,
        /// What is written there.
        word: String,
    },
    /// A transfer between nodes that are not linked.
    #[error("line {line}: nodes {from} and {to} are not linked")]
    NoLink {
        /// 1-based.
        line: usize,
        /// Who sends.
        from: Node,
        /// Who would receive.
        to: Node,
    },
    /// It could not be read.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Writes a schedule step by step; ports that lead nowhere are omitted.
///
/// `go_on` is asked before every step; when it says no, writing ends early and `false` comes back.
///
/// ```
/// use nestnet_collectives::schedule::text;
/// use nestnet_collectives::{Ports, scatter};
/// use nestnet_graph::Budget;
/// use nestnet_graph::{Csr, Node};
///
/// let path = Csr::from_links(3, &[(0, 1), (1, 2)], 1 << 20)?;
/// let steps = scatter(&path, Node(0), Ports::One, &Budget::default())?;
/// let mut written = Vec::new();
/// text::write(&path, steps.stream(), &mut written, || true)?;
/// assert_eq!(written, b"0>1:2\n1>2:2 0>1:1\n");
/// assert_eq!(text::read(&path, written.as_slice())?, steps);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write(
    network: &dyn Network,
    mut schedule: impl Stream,
    mut output: impl Write,
    mut go_on: impl FnMut() -> bool,
) -> io::Result<bool> {
    let mut buffer = Vec::with_capacity(1 << 16);
    let mut step: Vec<Transfer> = Vec::new();
    while schedule.next_step(&mut step) {
        if !go_on() {
            return Ok(false);
        }
        let mut first = true;
        for Transfer { from, port, block } in step.drain(..) {
            let Some(to) = network.neighbor(from, port) else { continue };
            if !std::mem::take(&mut first) {
                buffer.push(b' ');
            }
            for (number, end) in [(from.0, &b">"[..]), (to.0, b":"), (block, b"")] {
                buffer.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
                buffer.extend_from_slice(end);
            }
            if buffer.len() >= 1 << 15 {
                output.write_all(&buffer)?;
                buffer.clear();
            }
        }
        buffer.push(b'\n');
    }
    output.write_all(&buffer)?;
    output.flush()?;
    Ok(true)
}

/// Reads a schedule of a network.
pub fn read(network: &dyn Network, input: impl BufRead) -> Result<Schedule, ScheduleError> {
    let mut steps = Vec::new();
    for (line, text) in (1..).zip(input.lines()) {
        let text = text?;
        if text.starts_with('#') {
            continue;
        }
        let transfer = |word: &str| {
            let malformed =
                || ScheduleError::Malformed { line, word: word.chars().take(60).collect() };
            let (from, to, block) = parse(word).ok_or_else(malformed)?;
            let port =
                port_to(network, from, to).ok_or(ScheduleError::NoLink { line, from, to })?;
            Ok(Transfer { from, port, block })
        };
        let step: Result<_, ScheduleError> = text.split_ascii_whitespace().map(transfer).collect();
        steps.push(step?);
    }
    Ok(Schedule { steps })
}

fn parse(word: &str) -> Option<(Node, Node, u64)> {
    let (from, rest) = word.split_once('>')?;
    let (to, block) = rest.split_once(':')?;
    Some((Node(from.parse().ok()?), Node(to.parse().ok()?), block.parse().ok()?))
}

fn port_to(network: &dyn Network, from: Node, to: Node) -> Option<Port> {
    let mut found = None;
    if from.0 < network.order() {
        network.for_each_neighbor(from, &mut |port, at| {
            if at == to {
                found = Some(port);
            }
        });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use nestnet_seed::samples::{any_graph, ring};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(nestnet_seed::config())]

        #[test]
        fn reads_what_it_writes(
            graph in any_graph(6),
            dice in proptest::collection::vec(
                proptest::collection::vec((0..6u64, 0..5u32, any::<u64>()), 0..5), 0..5),
        ) {
            let transfer = |&(from, port, block): &(u64, u32, u64)| {
                let transfer = Transfer { from: Node(from), port: Port(port), block };
                let links = from < graph.order() && graph.neighbor(Node(from), Port(port)).is_some();
                links.then_some(transfer)
            };
            let steps = dice.iter().map(|step| step.iter().filter_map(transfer).collect());
            let schedule = Schedule { steps: steps.collect() };
            let mut text = Vec::new();
            prop_assert!(write(&graph, schedule.stream(), &mut text, || true).unwrap());
            prop_assert_eq!(read(&graph, text.as_slice()).unwrap(), schedule);
        }
    }

    #[test]
    fn names_the_bad_line() {
        let error = |text: &str| read(&ring(4), text.as_bytes()).unwrap_err().to_string();
        assert_eq!(
            error("# a ring\n0>1:0\n0>1\n"),
            "line 3: expected transfers `from>to:block`, found `0>1`"
        );
        assert_eq!(error("0>1:0 0>2:0\n"), "line 1: nodes 0 and 2 are not linked");
        assert_eq!(error("\n9>1:0\n"), "line 2: nodes 9 and 1 are not linked");
    }
}
