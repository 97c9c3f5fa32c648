//! The position of each channel in the order of a certificate. For the checker alone.

use super::{Channel, CheckError};
use nestnet_graph::{Budget, Network, Node, Port, index};

/// The position of each channel in the order; 1-based, so that 0 is before all.
#[derive(Debug)]
pub(super) struct Places {
    /// Where the ports of each node begin; one entry more than nodes.
    first: Vec<usize>,
    /// Where each port leads; not asked where no channel of it is in the order.
    to: Vec<u32>,
    vcs: usize,
    /// By port and virtual channel; 0 where it is not in the order.
    places: Vec<u32>,
}

impl Places {
    pub(super) fn new(
        network: &dyn Network,
        order: &[Channel],
        limits: &Budget<'_>,
    ) -> Result<Self, CheckError> {
        // Places are numbered in 32 bits.
        let countable = order.len() < u32::MAX as usize;
        let fits = |need| limits.fits("the check", if countable { need } else { u128::MAX });
        // The places of nodes, and for every thread a row and what was walked.
        let threads = rayon::current_num_threads() as u128;
        let nodes = u128::from(network.order()) * (8 + 5 * threads);
        fits(nodes)?;
        let mut ports = vec![0; usize::try_from(network.order()).expect("it fits")];
        let mut vcs = 1;
        for &channel in order {
            let Channel { node, port, vc } = channel;
            let exists = node.0 < network.order() && port.0 < network.ports();
            if !exists || network.neighbor(node, port).is_none() {
                return Err(CheckError::NoLink { channel });
            }
            let ports = &mut ports[index(node)];
            *ports = port.0.saturating_add(1).max(*ports);
            vcs = vcs.max(usize::from(vc.0) + 1);
        }
        let slots: u128 = ports.iter().map(|&ports| u128::from(ports)).sum();
        fits(nodes + 4 * slots * (vcs as u128 + 1))?;
        let mut first = vec![0];
        for ports in ports {
            first.push(first[first.len() - 1] + ports as usize);
        }
        let slots = first[first.len() - 1];
        let mut places =
            Places { first, to: vec![u32::MAX; slots], vcs, places: vec![0; slots * vcs] };
        for (place, &channel) in (1..).zip(order) {
            let slot = places.first[index(channel.node)] + channel.port.0 as usize;
            let to = network.neighbor(channel.node, channel.port).map(|to| u32::try_from(to.0));
            let known = &mut places.places[slot * vcs + usize::from(channel.vc.0)];
            match to {
                Some(Ok(to)) => places.to[slot] = to,
                _ => return Err(CheckError::NoLink { channel }),
            }
            if std::mem::replace(known, place) != 0 {
                return Err(CheckError::Twice { channel });
            }
        }
        Ok(places)
    }

    /// The number of nodes.
    pub(super) fn order(&self) -> usize {
        self.first.len() - 1
    }

    /// The port of a channel among all, if a channel of it is in the order.
    fn slot(&self, node: usize, port: Port) -> Option<usize> {
        let slot = self.first[node] + port.0 as usize;
        (slot < self.first[node + 1]).then_some(slot)
    }

    /// Where a channel stands, if it is in the order.
    pub(super) fn look_up(&self, channel: Channel) -> Option<u32> {
        let slot = self.slot(index(channel.node), channel.port)?;
        let vc = usize::from(channel.vc.0);
        let place = (vc < self.vcs).then(|| self.places[slot * self.vcs + vc])?;
        (place != 0).then_some(place)
    }

    /// Where a channel stands.
    pub(super) fn of(&self, channel: Channel, to: Node) -> Result<u32, CheckError> {
        self.look_up(channel).ok_or(CheckError::NotInOrder { to, channel })
    }

    /// Where a channel of the order leads.
    pub(super) fn leads_to(&self, channel: Channel) -> usize {
        self.to[self.first[index(channel.node)] + channel.port.0 as usize] as usize
    }

    /// Whether the same port of the image of its node leads to the image of its end, and is in the order.
    pub(super) fn has_image(&self, channel: Channel, images: &[u32]) -> bool {
        let (node, end) = (images[index(channel.node)], images[self.leads_to(channel)]);
        let image = Channel { node: Node(node.into()), ..channel };
        self.look_up(image).is_some() && self.leads_to(image) == end as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Vc;
    use nestnet_seed::samples::{Careless, ring};

    fn channel(node: u64, port: u32, vc: u16) -> Channel {
        Channel { node: Node(node), port: Port(port), vc: Vc(vc) }
    }

    /// In a ring of four, ports lead to neighbors in the order of their numbers: those of 0 and 2 to 1 and 3.
    fn places(order: &[Channel]) -> Result<Places, CheckError> {
        Places::new(&ring(4), order, &Budget::default())
    }

    #[test]
    fn an_image_is_in_the_order_and_leads_to_the_image() {
        let (stays, turns, swaps, flips) = ([0, 1, 2, 3], [1, 2, 3, 0], [2, 1, 0, 3], [0, 3, 2, 1]);
        let one = channel(0, 0, 0);
        let both = places(&[one, channel(2, 0, 0)]).unwrap();
        assert!(both.has_image(one, &stays) && both.has_image(one, &swaps));
        // In the order, but it leads to node 1 and not to node 3.
        assert!(!both.has_image(one, &flips));
        // Port 0 of node 1 is not in the order at all.
        assert!(!both.has_image(one, &turns));
        // It leads to node 1, but another virtual channel of it is in the order.
        let other = places(&[one, channel(2, 0, 1)]).unwrap();
        assert!(!other.has_image(one, &swaps));
    }

    #[test]
    fn places_are_those_of_the_order() {
        let order = [channel(3, 1, 2), channel(0, 0, 0), channel(3, 0, 1)];
        let known = places(&order).unwrap();
        assert_eq!(known.order(), 4);
        for (place, channel) in (1..).zip(order) {
            assert_eq!(known.look_up(channel), Some(place));
            assert_eq!(known.of(channel, Node(2)), Ok(place));
        }
        assert_eq!(order.map(|channel| known.leads_to(channel)), [2, 1, 0]);
        // Another virtual channel, one beyond all, a port after the last, a node without any.
        for channel in [channel(3, 1, 1), channel(3, 1, 3), channel(0, 1, 0), channel(1, 0, 0)] {
            assert_eq!(known.look_up(channel), None);
            let missing = CheckError::NotInOrder { to: Node(2), channel };
            assert_eq!(known.of(channel, Node(2)), Err(missing));
        }
    }

    /// A rule need not know where its nodes and ports end.
    #[test]
    fn what_is_beyond_the_last_is_no_link() {
        let of = |channel| Places::new(&Careless, &[channel], &Budget::default());
        assert!(of(channel(1, 0, 0)).is_ok());
        for channel in [channel(1, 1, 0), channel(2, 0, 0)] {
            assert_eq!(of(channel).unwrap_err(), CheckError::NoLink { channel });
        }
    }

    #[test]
    fn what_is_no_link_or_stands_twice_is_refused() {
        let good = channel(0, 0, 0);
        for channel in [channel(4, 0, 0), channel(0, 2, 0)] {
            assert_eq!(places(&[good, channel]).unwrap_err(), CheckError::NoLink { channel });
        }
        assert_eq!(places(&[good, good]).unwrap_err(), CheckError::Twice { channel: good });
    }
}
