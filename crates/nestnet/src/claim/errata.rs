//! The errata, as a page.

use super::{Judged, Ledger};

/// The page.
pub fn page(_ledgers: &[(&Ledger, Vec<Judged<'_>>)]) -> String {
    String::new()
}
