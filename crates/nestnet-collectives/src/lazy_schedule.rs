//! A schedule that is made step by step when it is asked for, so that a long one takes little memory.

use super::topology::Wires;
use super::{Schedule, Steps, Stream, Transfer};
use nestnet_graph::{Node, Port};
use std::fmt;
use std::sync::Arc;

/// Steps that can be generated again and again, always the same ones.
#[derive(Clone)]
pub struct LazySchedule(Source);

#[derive(Clone)]
enum Source {
    /// Steps by number: how many, and who appends the transfers of one.
    Numbered(usize, Arc<Make>),
    /// From the first step on.
    InOrder(Arc<dyn Fn() -> Steps<'static> + Send + Sync>),
}

/// Appends the transfers of a step.
type Make = dyn Fn(usize, &mut Vec<Transfer>) + Send + Sync;

impl fmt::Debug for LazySchedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LazySchedule").finish_non_exhaustive()
    }
}

impl LazySchedule {
    /// `count` steps, of which `make` appends the transfers.
    pub fn new(
        count: usize,
        make: impl Fn(usize, &mut Vec<Transfer>) + Send + Sync + 'static,
    ) -> Self {
        LazySchedule(Source::Numbered(count, Arc::new(make)))
    }

    /// Steps that each follow from the one before.
    pub fn in_order(tell: impl Fn() -> Steps<'static> + Send + Sync + 'static) -> Self {
        LazySchedule(Source::InOrder(Arc::new(tell)))
    }

    /// Generated step by step.
    pub fn stream(&self) -> impl Stream + '_ {
        match &self.0 {
            Source::InOrder(tell) => tell(),
            Source::Numbered(count, make) => {
                let mut numbers = 0..*count;
                Box::new(move |out: &mut Vec<Transfer>| {
                    let next = numbers.next();
                    next.into_iter().for_each(|number| make(number, out));
                    next.is_some()
                }) as Steps<'_>
            }
        }
    }

    /// All steps, in memory.
    pub fn collect(&self) -> Schedule {
        Schedule::collect(self.stream())
    }

    /// Backward, then forward, as [`there_and_back`](super::there_and_back).
    pub(super) fn both_ways(self, wires: Arc<Wires>) -> LazySchedule {
        let (count, make) = match self.0 {
            Source::Numbered(count, make) => (count, make),
            Source::InOrder(_) => return LazySchedule::from(self.collect()).both_ways(wires),
        };
        LazySchedule::new(2 * count, move |step, out| {
            if let Some(forward) = step.checked_sub(count) {
                return make(forward, out);
            }
            let start = out.len();
            make(count - 1 - step, out);
            let mut kept = start;
            for at in start..out.len() {
                let Transfer { from, port, block } = out[at];
                if let Some((from, port)) = wires.other_end(from, port) {
                    out[kept] = Transfer { from, port, block };
                    kept += 1;
                }
            }
            out.truncate(kept);
        })
    }
}

impl From<Schedule> for LazySchedule {
    fn from(schedule: Schedule) -> Self {
        LazySchedule::new(schedule.steps.len(), move |step, out| out.extend(&schedule.steps[step]))
    }
}

/// Steps in little memory: [`Packed::BYTES`] a transfer.
#[derive(Debug, Default)]
pub(super) struct Packed {
    /// Where each step ends.
    ends: Vec<usize>,
    from: Vec<u32>,
    port: Vec<u32>,
    block: Vec<u32>,
}

impl Packed {
    /// Bytes of a transfer.
    pub const BYTES: u128 = 12;

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
            self.block.push(u32::try_from(block).expect(FITS));
        }
        self.ends.push(self.from.len());
    }

    /// As a schedule whose steps are decoded one at a time.
    pub fn into_lazy(self) -> LazySchedule {
        LazySchedule::new(self.count(), move |step, out| {
            let start = step.checked_sub(1).map_or(0, |before| self.ends[before]);
            out.extend((start..self.ends[step]).map(|at| Transfer {
                from: Node(self.from[at].into()),
                port: Port(self.port[at]),
                block: self.block[at].into(),
            }));
        })
    }
}
