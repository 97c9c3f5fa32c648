//! Where are runs kept that are to go on later?
//!
//! A run has a name among those of one command. While it runs its state is kept under that name now and then and when it is
//! stopped; when it has ended, its point. So a command that is given again has the points that were ready, and goes
//! on with what had begun.

use super::persist::{Damaged, Persist, Saved};
use std::fmt;

/// Keeps runs. Whoever implements it says when, and where.
pub trait Checkpoint: fmt::Debug + Sync {
    /// What was kept last under this name.
    fn kept(&self, run: &str) -> Option<Vec<u8>>;

    /// Whether the state of a run is to be kept now; asked every few hundred cycles.
    fn is_due(&self, run: &str) -> bool;

    /// Keeps a run under its name, instead of what was kept before.
    fn keep(&self, run: &str, bytes: Vec<u8>);
}

/// A run that was kept.
#[derive(Debug)]
pub(super) enum SavedRun<P> {
    /// It has ended, with what was measured.
    Ended(P),
    /// It can go on, on as many threads as it began.
    Begun { threads: usize, state: Vec<u8> },
}

impl<P: Persist> SavedRun<P> {
    pub fn write(&self) -> Vec<u8> {
        let mut out = Vec::new();
        match self {
            SavedRun::Ended(point) => {
                0usize.write(&mut out);
                point.write(&mut out);
            }
            SavedRun::Begun { threads, state } => {
                threads.write(&mut out);
                out.extend(state);
            }
        }
        out
    }

    pub fn read(bytes: &[u8]) -> Result<Self, Damaged> {
        let mut saved = Saved(bytes);
        let threads = usize::read(&mut saved)?;
        if threads > 0 {
            return Ok(SavedRun::Begun { threads, state: saved.0.to_vec() });
        }
        let point = Persist::read(&mut saved)?;
        saved.end()?;
        Ok(SavedRun::Ended(point))
    }
}
