//! A schedule that is made step by step when it is asked for, so that a long one takes little memory.

use super::plan::other_end;
use super::{Schedule, Stream, Transfer};
use crate::{Network, Node, Port};
use std::fmt;
use std::sync::Arc;

/// Steps by number, always the same ones.
#[derive(Clone)]
pub struct Made<'a> {
    count: usize,
    make: Arc<Make<'a>>,
}

/// Appends the transfers of a step.
type Make<'a> = dyn Fn(usize, &mut Vec<Transfer>) + Send + Sync + 'a;

impl fmt::Debug for Made<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Made").field("count", &self.count).finish_non_exhaustive()
    }
}

impl<'a> Made<'a> {
    /// `count` steps, of which `make` appends the transfers.
    pub fn new(count: usize, make: impl Fn(usize, &mut Vec<Transfer>) + Send + Sync + 'a) -> Self {
        Made { count, make: Arc::new(make) }
    }

    /// How many steps there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Told step by step.
    pub fn stream(&self) -> impl Stream + '_ {
        let mut next = 0;
        move |out: &mut Vec<Transfer>| {
            let is_there = next < self.count;
            if is_there {
                (self.make)(next, out);
                next += 1;
            }
            is_there
        }
    }

    /// All steps, in memory.
    pub fn collect(&self) -> Schedule {
        Schedule::collect(self.stream())
    }

    /// Backward, then forward, as [`there_and_back`](super::there_and_back).
    pub fn both_ways(self, network: &'a dyn Network) -> Made<'a> {
        let count = self.count;
        Made::new(2 * count, move |step, out| {
            if let Some(forward) = step.checked_sub(count) {
                return (self.make)(forward, out);
            }
            let start = out.len();
            (self.make)(count - 1 - step, out);
            let mut kept = start;
            for at in start..out.len() {
                let Transfer { from, port, block } = out[at];
                if let Some((from, port)) = other_end(network, from, port) {
                    out[kept] = Transfer { from, port, block };
                    kept += 1;
                }
            }
            out.truncate(kept);
        })
    }
}

impl From<Schedule> for Made<'_> {
    fn from(schedule: Schedule) -> Self {
        Made::new(schedule.steps.len(), move |step, out| out.extend(&schedule.steps[step]))
    }
}

/// Steps in little memory: [`Packed::BYTES`] a transfer.
#[derive(Debug, Default)]
pub(super) struct Packed {
    /// Where each step ends.
    ends: Vec<usize>,
    from: Vec<u32>,
    port: Vec<u32>,
    /// The lower 32 bits of a block's number, and the next 8.
    block: Vec<u32>,
    high: Vec<u8>,
}

impl Packed {
    /// Bytes of a transfer.
    pub const BYTES: u128 = 13;

    /// How many steps there are.
    pub fn count(&self) -> usize {
        self.ends.len()
    }

    /// Adds a step.
    pub fn push(&mut self, step: &[Transfer]) {
        const FITS: &str = "more would not fit in memory";
        for &Transfer { from, port, block } in step {
            self.from.push(u32::try_from(from.0).expect(FITS));
            self.port.push(port.0);
            self.block.push(u32::try_from(block & u64::from(u32::MAX)).expect("32 bits"));
            self.high.push(u8::try_from(block >> 32).expect(FITS));
        }
        self.ends.push(self.from.len());
    }

    /// The same, to be told.
    pub fn made(self) -> Made<'static> {
        Made::new(self.count(), move |step, out| {
            let start = step.checked_sub(1).map_or(0, |before| self.ends[before]);
            out.extend((start..self.ends[step]).map(|at| Transfer {
                from: Node(self.from[at].into()),
                port: Port(self.port[at]),
                block: u64::from(self.high[at]) << 32 | u64::from(self.block[at]),
            }));
        })
    }
}
