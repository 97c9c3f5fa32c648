//! How long does a schedule take, where a message costs a start and then by its bytes?

use super::{Stream, Transfer};
use crate::Network;

/// The α–β model: a message of b bytes takes α + β·b.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Price {
    /// Seconds for every message, however short.
    pub alpha: f64,
    /// Seconds for every byte.
    pub beta: f64,
}

/// How long a schedule takes.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Time {
    /// Steps, empty ones included.
    pub steps: u64,
    /// Steps that need a message of their own: those that only go on with what was there before share one.
    pub rounds: u64,
    /// α for every round and β for every byte of every step, as all wait for the longest message.
    pub seconds: f64,
}

/// The time of a schedule whose blocks all have `block_bytes` bytes.
///
/// Steps that follow each other on the same links, and send nothing that arrived since the first of them, are one
/// round: what a link carries in them is one message.
///
/// ```
/// use nestnet_core::Csr;
/// use nestnet_core::collective::{Cube, Price, time};
/// use nestnet_core::Budget;
///
/// let square = Csr::from_links(4, &[(0, 1), (1, 3), (3, 2), (2, 0)], 1 << 20)?;
/// let doubling = Cube::within(&square, &Budget::default())?.allgather(&Budget::default())?;
/// let taken = time(&square, doubling.stream(), Price { alpha: 1.0, beta: 0.5 }, 8.0);
/// assert_eq!((taken.steps, taken.rounds, taken.seconds), (3, 2, 2.0 + 3.0 * 4.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn time(
    network: &dyn Network,
    mut schedule: impl Stream,
    price: Price,
    block_bytes: f64,
) -> Time {
    let (mut steps, mut rounds) = (0u64, 0u64);
    let mut links = Vec::new();
    // What arrived in this round, in order only when it is looked at.
    let mut arrived: Vec<(u64, u64)> = Vec::new();
    let mut step: Vec<Transfer> = Vec::new();
    while schedule.next_step(&mut step) {
        steps += 1;
        let mut used: Vec<_> = step.iter().map(|transfer| (transfer.from, transfer.port)).collect();
        if !used.is_sorted() {
            used.sort_unstable();
        }
        let goes_on = rounds > 0 && used == links && {
            arrived.sort_unstable();
            let is_new = |t: &Transfer| arrived.binary_search(&(t.from.0, t.block)).is_ok();
            !step.iter().any(is_new)
        };
        if !goes_on {
            rounds += 1;
            arrived.clear();
            links = used;
        }
        let ends = step.iter().filter_map(|t| Some((network.neighbor(t.from, t.port)?.0, t.block)));
        arrived.extend(ends);
        step.clear();
    }
    let seconds = price.alpha * rounds as f64 + price.beta * block_bytes * steps as f64;
    Time { steps, rounds, seconds }
}
