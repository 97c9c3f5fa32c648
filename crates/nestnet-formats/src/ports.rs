//! Which number has a port in a file? The hosts of a node first or last, its links in the order of the other ends.

use super::writing::{Digits, Put as _, Writing};

/// Where a host arrives at the node at which it hangs, or which it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Arrival {
    /// Its place among the hosts of that node.
    pub place: u64,
    /// How many links the node has to others.
    pub links: u64,
}

impl Arrival {
    /// Ends are counted, nothing is sorted.
    pub fn of_host(writing: &Writing<'_>, host: u64, at: u64) -> Self {
        let first = writing.node(0).0;
        let mut found = Arrival::default();
        writing.network.for_each_neighbor(writing.node(at), &mut |_, to| {
            found.place += u64::from(to.0 < host.min(first));
            found.links += u64::from(to.0 >= first);
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
    let digits = Digits::of(value);
    out.resize(out.len() + width.saturating_sub(digits.len()), b'0');
    digits.put(out);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Costs;
    use crate::reading::{Hosts, Reading};
    use crate::writing::Found;
    use nestnet_graph::Budget;

    #[test]
    fn links_arrive_behind_the_hosts_in_the_order_of_where_they_come_from() {
        let links = vec![(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5), (0, 3)];
        let hosts = Hosts::Hanging(vec![2, 0, 1, 0, 0, 3]);
        let reading = Reading { nodes: 6, links: links.clone(), hosts, ..Reading::default() };
        let network = reading.network(None, &Budget::default()).unwrap().0;
        let costs = Costs::NONE;
        let writing = Writing::new("", &*network, &costs, Budget::UNLIMITED).unwrap();
        let found = std::sync::Mutex::new(Vec::new());
        let render = |at: u64, of: &mut Found, _: &mut Vec<u8>| {
            let links = of.links.iter().map(|link| (at, link.to, u64::from(link.place)));
            found.lock().unwrap().extend(links);
        };
        writing.each_arriving(&|at| writing.hosts_at(at), &mut std::io::sink(), &render).unwrap();
        let mut found = found.into_inner().unwrap();
        found.sort_unstable();
        let both = links.iter().flat_map(|&(from, to)| [(from, to), (to, from)]);
        let both: Vec<(u64, u64)> = both.map(|(from, to)| (from.into(), to.into())).collect();
        let place = |&(from, to): &(u64, u64)| {
            let earlier = both.iter().filter(|other| other.1 == to && other.0 < from).count();
            (from, to, writing.hosts_at(to) + earlier as u64)
        };
        let mut expected: Vec<_> = both.iter().map(place).collect();
        expected.sort_unstable();
        assert_eq!(found, expected);
        let hosts: Vec<Arrival> = (0..6)
            .map(|host| Arrival::of_host(&writing, host, writing.node_of_host(host)))
            .collect();
        let places = [(0, 3), (1, 3), (0, 2), (0, 2), (1, 2), (2, 2)];
        assert_eq!(hosts, places.map(|(place, links)| Arrival { place, links }));
    }

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
