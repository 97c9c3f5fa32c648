//! Bisections where METIS is not compiled in: none, and the local search begins elsewhere.

use crate::Csr;

/// What cannot be made.
#[derive(Debug)]
pub enum Multilevel {}

impl Multilevel {
    /// Never.
    pub fn new(_: &Csr) -> Option<Self> {
        None
    }

    /// There is none to ask.
    pub fn partition(&self, _: i32) -> Option<Vec<bool>> {
        match *self {}
    }
}
