//! What happens in which of the next cycles?

use super::at::at_mut;

/// Lists of events for the next cycles, as many as a power of two.
#[derive(Debug)]
pub(super) struct Ring<T> {
    slots: Vec<Vec<T>>,
    mask: u64,
}

impl<T> Ring<T> {
    /// Events are at most `most` cycles ahead.
    pub fn new(most: u64) -> Self {
        let length = (most + 1).next_power_of_two();
        Ring { slots: (0..length).map(|_| Vec::new()).collect(), mask: length - 1 }
    }

    #[inline(always)]
    fn slot(&mut self, cycle: u64) -> &mut Vec<T> {
        let index = usize::try_from(cycle & self.mask).unwrap_or(0);
        at_mut(&mut self.slots, index)
    }

    #[inline(always)]
    pub fn push(&mut self, cycle: u64, event: T) {
        self.slot(cycle).push(event);
    }

    /// The events of a cycle, which are given back with [`Ring::put`] for their memory.
    #[inline(always)]
    pub fn take(&mut self, cycle: u64) -> Vec<T> {
        std::mem::take(self.slot(cycle))
    }

    /// Gives back what was taken, with what was added.
    #[inline(always)]
    pub fn keep(&mut self, cycle: u64, events: Vec<T>) {
        *self.slot(cycle) = events;
    }

    #[inline(always)]
    pub fn put(&mut self, cycle: u64, mut events: Vec<T>) {
        events.clear();
        *self.slot(cycle) = events;
    }
}
