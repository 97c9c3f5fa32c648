//! How long does a schedule take, where a message costs a start and then by its bytes?

use super::Cost;

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

/// The time of a schedule whose blocks all have `block_bytes` bytes, by what the checker counted.
///
/// ```
/// use nestnet_collectives::{Cube, Goal, Model, Ports, Price, Repeats, check, time};
/// use nestnet_graph::{Budget, Csr};
///
/// let square = Csr::from_links(4, &[(0, 1), (1, 3), (3, 2), (2, 0)], 1 << 20)?;
/// let budget = Budget::default();
/// let doubling = Cube::within(&square, &budget)?.allgather(&budget)?;
/// let model = Model { ports: Ports::One, repeats: Repeats::Forbidden };
/// let cost = check(&square, model, Goal::Allgather, doubling.stream(), &budget)?;
/// let taken = time(&cost, Price { alpha: 1.0, beta: 0.5 }, 8.0);
/// assert_eq!((taken.steps, taken.rounds, taken.seconds), (3, 2, 2.0 + 3.0 * 4.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn time(cost: &Cost, price: Price, block_bytes: f64) -> Time {
    let Cost { steps, rounds, .. } = *cost;
    let seconds = price.alpha * rounds as f64 + price.beta * block_bytes * steps as f64;
    Time { steps, rounds, seconds }
}
