//! Which number has a port in a file? The hosts of a node first or last, its links in the order of the other ends.

use super::writing::{Writing, number};

/// Where something arrives at a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Arrival {
    /// Its place: a link's among the links, a host's among the hosts.
    pub place: u64,
    /// How many links the node has.
    pub links: u64,
    /// How many hosts it has.
    pub hosts: u64,
}

impl Arrival {
    /// Where the link from node `at` arrives at node `to`. Ends are counted, nothing is sorted.
    pub fn of_link(writing: &Writing<'_>, at: u64, to: u64) -> Self {
        Arrival::before(writing, to, writing.node(at).0)
    }

    /// Where a host arrives at the node at which it hangs, or which it is.
    pub fn of_host(writing: &Writing<'_>, host: u64, at: u64) -> Self {
        let arrival = Arrival::before(writing, at, host);
        if writing.has_host_links() { arrival } else { Arrival { place: 0, ..arrival } }
    }

    /// How many ends of its kind come before one end of a node.
    fn before(writing: &Writing<'_>, node: u64, end: u64) -> Self {
        let first = writing.node(0).0;
        let mut found = Arrival::default();
        if !writing.has_host_links() {
            found.hosts = writing.hosts_at(node);
        }
        writing.network.for_each_neighbor(writing.node(node), &mut |_, to| {
            let of_kind = (to.0 < first) == (end < first);
            found.place += u64::from(of_kind && to.0 < end);
            *(if to.0 < first { &mut found.hosts } else { &mut found.links }) += 1;
        });
        found
    }
}

/// How many digits the largest of `count` numbers has: names of one length are sorted as their numbers are.
pub(super) fn digits(count: u64) -> usize {
    count.saturating_sub(1).checked_ilog10().map_or(1, |digits| digits as usize + 1)
}

/// A number with zeros before it.
pub(super) fn padded(out: &mut Vec<u8>, value: u64, width: usize) {
    let start = out.len();
    number(out, value);
    let digits = out.len() - start;
    if digits < width {
        out.resize(start + width, b'0');
        out[start..].rotate_right(width - digits);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_stand_before_a_number() {
        let said = |value, width| {
            let mut out = b"s".to_vec();
            padded(&mut out, value, width);
            String::from_utf8(out)
        };
        assert_eq!(said(0, 1).as_deref(), Ok("s0"));
        assert_eq!(said(42, 5).as_deref(), Ok("s00042"));
        assert_eq!(said(1234, 2).as_deref(), Ok("s1234"));
    }
}
