//! How far may a proof go? Counted steps, so that the answer depends neither on the machine nor on its load.

use super::super::Watch;

/// Steps that are left, each of a few nanoseconds, and who may stop earlier.
#[derive(Debug)]
pub struct Work<'a> {
    pub left: u64,
    pub watch: &'a Watch<'a>,
}

/// No steps are left, or it was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfWork;

impl Work<'_> {
    /// Takes that many steps, or says that there are not as many.
    pub fn spend(&mut self, steps: u64) -> Result<(), OutOfWork> {
        if steps > self.left || (self.watch.stop)() {
            return Err(OutOfWork);
        }
        // Without a limit nothing is counted.
        if self.left < u64::MAX {
            self.left -= steps;
        }
        Ok(())
    }
}
