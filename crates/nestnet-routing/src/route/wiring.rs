//! The channels of a network in memory, by port: who is behind which, and how far is everyone.

use super::Faults;
use nestnet_graph::{Network, Node, Port};

/// All directed links that are alive, in the order of their nodes and ports.
#[derive(Debug)]
pub(super) struct Wiring {
    /// Where each node's channels begin; one entry more than nodes.
    offsets: Vec<usize>,
    ports: Vec<u32>,
    to: Vec<u32>,
}

/// No path.
pub(super) const FAR: u32 = u32::MAX;

impl Wiring {
    /// How many channels a network has. O(nodes + links).
    pub fn count(network: &dyn Network) -> u128 {
        let mut channels = 0;
        for at in (0..network.order()).map(Node) {
            network.for_each_neighbor(at, &mut |_, _| channels += 1);
        }
        channels
    }

    /// The caller has checked that it fits.
    pub fn new(network: &dyn Network, faults: &Faults) -> Self {
        let mut wiring = Wiring { offsets: vec![0], ports: Vec::new(), to: Vec::new() };
        let whole = faults.is_empty();
        for at in (0..network.order()).map(Node) {
            network.for_each_neighbor(at, &mut |port, to| {
                if whole || faults.passes(at, to) {
                    wiring.ports.push(port.0);
                    wiring.to.push(u32::try_from(to.0).expect("at most 2^32 nodes"));
                }
            });
            wiring.offsets.push(wiring.to.len());
        }
        wiring
    }

    /// The number of nodes.
    pub fn order(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The number of channels.
    pub fn channels(&self) -> usize {
        self.to.len()
    }

    /// The channel of that port, if there is one.
    pub fn channel(&self, at: u32, port: Port) -> Option<usize> {
        let (first, end) = (self.offsets[at as usize], self.offsets[at as usize + 1]);
        // Most nodes have no empty port before this one.
        let guess = first + port.0 as usize;
        if guess < end && self.ports[guess] == port.0 {
            return Some(guess);
        }
        self.ports[first..end].binary_search(&port.0).ok().map(|place| first + place)
    }

    /// The ports of a node, ascending, and where they lead.
    pub fn links(&self, at: u32) -> impl Iterator<Item = (Port, u32)> + '_ {
        let own = self.offsets[at as usize]..self.offsets[at as usize + 1];
        self.ports[own.clone()].iter().map(|&port| Port(port)).zip(self.to[own].iter().copied())
    }

    /// Where a channel leads.
    pub fn to(&self, channel: usize) -> u32 {
        self.to[channel]
    }

    /// Where a channel begins, and its port.
    pub fn start(&self, channel: usize) -> (Node, Port) {
        let at = self.offsets.partition_point(|&first| first <= channel) - 1;
        (Node(at as u64), Port(self.ports[channel]))
    }

    /// Distances of all nodes to one, [`FAR`] where there is no path; `queue` is only kept for its memory.
    pub fn distances_to(&self, to: u32, distance: &mut Vec<u32>, queue: &mut Vec<u32>) {
        distance.clear();
        distance.resize(self.order(), FAR);
        distance[to as usize] = 0;
        queue.clear();
        queue.push(to);
        let mut head = 0;
        while let Some(&at) = queue.get(head) {
            head += 1;
            let next = distance[at as usize] + 1;
            for &to in &self.to[self.offsets[at as usize]..self.offsets[at as usize + 1]] {
                if distance[to as usize] == FAR {
                    distance[to as usize] = next;
                    queue.push(to);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nestnet_graph::measure::search::distances_from;
    use nestnet_seed::samples::*;

    #[test]
    fn equals_the_network() {
        let csr = petersen();
        let wiring = Wiring::new(&csr, &Faults::default());
        assert_eq!((wiring.order(), wiring.channels()), (10, 30));
        let (mut distance, mut queue) = (Vec::new(), Vec::new());
        for at in 0..10 {
            for port in 0..4 {
                let channel = wiring.channel(at, Port(port));
                let to = channel.map(|channel| Node(wiring.to(channel).into()));
                assert_eq!(to, csr.neighbor(Node(at.into()), Port(port)));
                if let Some(channel) = channel {
                    assert_eq!(wiring.start(channel), (Node(at.into()), Port(port)));
                }
            }
            wiring.distances_to(at, &mut distance, &mut queue);
            assert_eq!(distance, distances_from(&csr, Node(at.into())));
        }
    }

    #[test]
    fn what_failed_is_omitted() {
        let mut faults = Faults::default();
        faults.fail_link(Node(0), Node(1));
        faults.fail_node(Node(3));
        let wiring = Wiring::new(&ring(6), &faults);
        assert_eq!(wiring.channels(), 12 - 2 - 4);
        // Port 0 of node 1 led to node 0.
        assert_eq!(wiring.channel(1, Port(0)), None);
        assert_eq!(wiring.channel(1, Port(1)).map(|channel| wiring.to(channel)), Some(2));
        let (mut distance, mut queue) = (Vec::new(), Vec::new());
        wiring.distances_to(4, &mut distance, &mut queue);
        assert_eq!(distance, [2, FAR, FAR, FAR, 0, 1]);
    }
}
