//! Single shortest paths that avoid busy links: the next hop depends on the target alone, so that any switch's table can
//! hold it.

use super::weighted_paths::{host_ports, ports_of};
use super::{Entry, Header, Hop, Router, TableError, Vc};
use nestnet_graph::fabric::Fabric;
use nestnet_graph::measure::search::distances_in_order;
use nestnet_graph::measure::{count, id};
use nestnet_graph::{Budget, Network, Node, Port, index};

/// A table of next hops for every host: all go by shortest paths, and of those by the least busy links when each host
/// sends as much to every other.
#[derive(Debug)]
pub struct Balanced {
    first: u64,
    switches: usize,
    hosts: Vec<(u32, Port, Port)>,
    /// The port at each switch, target by target: those of hosts, then of switches without any.
    ports: Vec<u32>,
    longest: u64,
}

/// No path.
const NO_PORT: u32 = u32::MAX;

/// Rounds over all targets; in each but the first a target gives up its links before it takes them anew.
const ROUNDS: usize = 3;

impl Balanced {
    /// For a network within a budget. O(rounds · targets · channels).
    ///
    /// ```
    /// use nestnet_graph::{Budget, Csr, Node};
    /// use nestnet_routing::route::{Balanced, Header, Router};
    ///
    /// let square = Csr::from_links(4, &[(0, 1), (1, 2), (2, 3), (3, 0)], 1 << 20)?;
    /// let router = Balanced::new(&square, &Budget::default())?;
    /// let next = |at, to| router.next(Node(at), Header { to: Node(to), state: 0 }).unwrap().port;
    /// // Opposite corners are served by different sides.
    /// assert_ne!((next(0, 2), next(1, 3)), (next(2, 0), next(3, 1)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(network: &dyn Network, budget: &Budget<'_>) -> Result<Self, TableError> {
        let fabric = Fabric::of(network, budget)?;
        let csr = &fabric.csr;
        let (n, m) = (count(csr), csr.targets().len());
        let targets = index(network.order());
        let size = (targets as u128) * (n as u128);
        budget.fits("the table", 4 * size)?;
        let steps = (targets as u128) * (m as u128) * ROUNDS as u128;
        budget.affords("balanced routes", steps)?;
        let at: Vec<u32> = match fabric.has_host_links() {
            true => fabric.at.iter().copied().chain(0..id(n)).collect(),
            false => (0..id(n)).collect(),
        };
        let ports = ports_of(network, &fabric);
        let mut chosen = vec![NO_PORT; targets * n];
        let mut loads = vec![0u64; m];
        let mut search = Search::new(n);
        let mut by_switch: Vec<Vec<usize>> = vec![Vec::new(); n];
        at.iter().enumerate().for_each(|(target, &at)| by_switch[at as usize].push(target));
        let mut longest = 0;
        for round in 0..ROUNDS {
            for (switch, targets) in (0..).zip(&by_switch) {
                budget.check()?;
                distances_in_order(csr, switch, &mut search.distance, &mut search.queue);
                let far = search.queue.last().map_or(0, |&last| search.distance[last as usize]);
                longest = longest.max(far);
                for &target in targets {
                    let row = &mut chosen[target * n..][..n];
                    let receives = (target as u64) < network.hosts();
                    if round > 0 && receives {
                        search.release(&fabric, row, &mut loads);
                    }
                    if round == 0 || receives {
                        search.choose(&fabric, row, &mut loads, receives);
                    }
                }
            }
        }
        for channel in chosen.iter_mut().filter(|channel| **channel != NO_PORT) {
            *channel = ports[*channel as usize].0;
        }
        let longest = u64::from(longest) + if fabric.has_host_links() { 2 } else { 0 };
        let (first, hosts) = (fabric.first, host_ports(network, &fabric));
        Ok(Balanced { first, switches: n, hosts, ports: chosen, longest })
    }
}

/// One target's distances, and what passes each switch on the way there.
struct Search {
    distance: Vec<u32>,
    queue: Vec<u32>,
    passing: Vec<u64>,
}

impl Search {
    fn new(n: usize) -> Self {
        Search { distance: vec![u32::MAX; n], queue: Vec::new(), passing: vec![0; n] }
    }

    /// The least busy of the channels that lead nearer, farthest switches first, so that what passes each is known.
    fn choose(&mut self, fabric: &Fabric, row: &mut [u32], loads: &mut [u64], receives: bool) {
        self.passing.iter_mut().zip(&fabric.hosts).for_each(|(p, &hosts)| *p = hosts.into());
        for &at in self.queue[1..].iter().rev() {
            let near = self.distance[at as usize] - 1;
            let first = index(fabric.csr.offsets()[at as usize]);
            let arcs = (first..).zip(fabric.csr.neighbors(at));
            let nearer = arcs.filter(|(_, next)| self.distance[**next as usize] == near);
            let Some((channel, &next)) = nearer.min_by_key(|(channel, _)| loads[*channel]) else {
                continue;
            };
            row[at as usize] = id(channel);
            let passing = self.passing[at as usize];
            self.passing[next as usize] += passing;
            if receives {
                loads[channel] += passing;
            }
        }
    }

    /// Takes what a target's routes bear off the loads.
    fn release(&mut self, fabric: &Fabric, row: &[u32], loads: &mut [u64]) {
        self.passing.iter_mut().zip(&fabric.hosts).for_each(|(p, &hosts)| *p = hosts.into());
        for &at in self.queue[1..].iter().rev() {
            let channel = row[at as usize] as usize;
            let passing = self.passing[at as usize];
            self.passing[fabric.csr.targets()[channel] as usize] += passing;
            loads[channel] -= passing;
        }
    }
}

impl Router for Balanced {
    fn vcs(&self) -> u16 {
        1
    }

    fn next(&self, at: Node, header: Header) -> Option<Hop> {
        let to = header.to;
        if at == to {
            return None;
        }
        let port = match at.0.checked_sub(self.first) {
            None => self.hosts[index(at)].1,
            Some(here) => match self.ports[index(to) * self.switches + index(here)] {
                NO_PORT => self.hosts.get(index(to)).filter(|host| u64::from(host.0) == here)?.2,
                port => Port(port),
            },
        };
        Some(Hop { port, vc: Vc(0), header })
    }

    fn fill(&self, to: Node, row: &mut [Entry]) {
        for (at, entry) in (0..).map(Node).zip(row) {
            *entry = Entry::of(self.next(at, Header { to, state: 0 }));
        }
    }

    fn longest(&self) -> u64 {
        self.longest
    }

    fn state_bytes(&self) -> u64 {
        4 * (self.ports.len() / self.switches.max(1)) as u64
    }
}
