//! Where does each channel stand in the order of a certificate? For the checker alone.

use super::{Channel, CheckError};
use crate::{Budget, Network, Node, Port};

/// Where each channel stands in the order; 1-based, so that nothing stands before it.
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

/// The index of a node whose places are in memory.
pub(super) fn index(node: Node) -> usize {
    usize::try_from(node.0).expect("its places are in memory")
}
