//! Which message makes a dependency? Found by following the routes once more.

use super::explore::{Exploration, Scratch, Source};
use super::{Channel, DeadlockError, Dependency, Message};
use nestnet_graph::{Budget, Node};
use rayon::prelude::*;

/// Targets that are looked at between two looks at what is still missing.
const BLOCK: usize = 64;

/// The dependencies of a cycle of channels, each with its message: of the smallest target, then the smallest source,
/// then the smallest choice.
pub fn witnesses(
    source: &Source<'_>,
    cycle: &[Channel],
    limits: &Budget<'_>,
) -> Result<Vec<Dependency>, DeadlockError> {
    let pairs: Vec<(Channel, Channel)> =
        (0..cycle.len()).map(|i| (cycle[i], cycle[(i + 1) % cycle.len()])).collect();
    let mut found: Vec<Option<Message>> = vec![None; pairs.len()];
    for first in (0..source.hosts).step_by(BLOCK) {
        limits.watch.check()?;
        let missing: Vec<usize> = (0..pairs.len()).filter(|&i| found[i].is_none()).collect();
        if missing.is_empty() {
            break;
        }
        let targets = first..source.hosts.min(first + BLOCK);
        let rows: Vec<Vec<bool>> = targets
            .clone()
            .into_par_iter()
            .map_init(Scratch::default, |scratch, to| {
                let mut here = vec![false; missing.len()];
                source.target(to, scratch, limits, |channel, next| {
                    let Some(next) = next else { return };
                    for (here, &i) in here.iter_mut().zip(&missing) {
                        *here |= pairs[i] == (channel, next);
                    }
                })?;
                Ok(here)
            })
            .collect::<Result<_, DeadlockError>>()?;
        for (to, row) in targets.zip(rows) {
            for (&i, here) in missing.iter().zip(row) {
                if here && found[i].is_none() {
                    found[i] = Some(message(source, to, pairs[i], limits)?);
                }
            }
        }
    }
    let with_message = |(message, (channel, next)): (Option<Message>, (Channel, Channel))| {
        let message = message.ok_or(DeadlockError::NotMade { channel, next })?;
        Ok(Dependency { channel, next, message })
    };
    found.into_iter().zip(pairs).map(with_message).collect()
}

/// The first message to `to` that makes the dependency; there is one.
fn message(
    source: &Source<'_>,
    to: usize,
    pair: (Channel, Channel),
    limits: &Budget<'_>,
) -> Result<Message, DeadlockError> {
    let to_node = Node(to as u64);
    let mut scratch = Scratch::default();
    if source.exploration() == Exploration::Rows {
        let from = source.first_through(to, pair.0.node, &mut scratch);
        return Ok(Message { from: Node(from as u64), to: to_node, choice: 0 });
    }
    let starts = (0..source.sources).flat_map(|from| (0..source.choices()).map(move |c| (from, c)));
    for (from, choice) in starts {
        let mut here = false;
        let visit = |channel, next| here |= (channel, next) == (pair.0, Some(pair.1));
        let choices = choice..choice + 1;
        source.states(to, from..from + 1, choices, &mut scratch, limits, visit)?;
        if here {
            return Ok(Message { from: Node(from as u64), to: to_node, choice });
        }
    }
    unreachable!("one of the messages to node {to} makes the dependency")
}
