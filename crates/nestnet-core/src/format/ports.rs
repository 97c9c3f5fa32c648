//! Which number has a port in a file? The hosts of a node first or last, its links in the order of the other ends.

use super::writing::{Found, Writing};

/// Where a link arrives: its place among the links of the other end.
pub(super) fn place_back(writing: &Writing<'_>, at: u64, to: u64, other: &mut Found) -> u64 {
    writing.find(to, other);
    other.links.iter().position(|back| back.to == at).unwrap_or(0) as u64
}

/// How many digits the largest of `count` numbers has: names of one length are sorted as their numbers are.
pub(super) fn digits(count: u64) -> usize {
    count.saturating_sub(1).checked_ilog10().map_or(1, |digits| digits as usize + 1)
}
