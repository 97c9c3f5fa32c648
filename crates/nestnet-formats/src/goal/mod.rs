//! Schedules in GOAL, the language of LogGOPSim: what each rank sends and receives, and what waits for what.
//!
//! What is written: `num_ranks`, and for each rank its `send`, `recv` and `requires`. A rank is a node, the tag is the
//! step, counted from 0, so that every message has its own between the same two ranks. A send waits for all that
//! arrived of its block before; nothing waits for a step as such, and adding up is not counted (no `calc`).

mod read;

pub use read::{GoalError, read};

use nestnet_collectives::{Schedule, Transfer};
use nestnet_graph::{Network, Node};
use std::collections::BTreeMap;
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
    mut output: impl Write,
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
    writeln!(output, "num_ranks {}", network.order())?;
    for node in (0..network.order()).map(Node) {
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
