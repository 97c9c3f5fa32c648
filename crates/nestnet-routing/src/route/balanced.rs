//! Single shortest paths that avoid busy links: the next hop depends on the target alone, so that any switch's table can
//! hold it.

use super::load_bound::load_bound;
use super::weighted_paths::{host_ports, ports_of};
use super::{Entry, Header, Hop, Router, TableError, Vc};
use nestnet_graph::fabric::Fabric;
use nestnet_graph::measure::search::distances_in_order;
use nestnet_graph::measure::{count, id};
use nestnet_graph::{Budget, Network, Node, Port, index};

/// A table of next hops for every target: all go by shortest paths, and of those by links that are less busy when each
/// host sends as much to every other.
///
/// The busiest link is not promised to be as little busy as it can be: that is a hard problem, and next hops are chosen
/// one by one. [`busiest`](Balanced::busiest) says how near it is.
#[derive(Debug)]
pub struct Balanced {
    first: u64,
    switches: usize,
    hosts: Vec<(u32, Port, Port)>,
    /// The port at each switch, target by target: those of hosts, then of switches without any.
    ports: Vec<u32>,
    longest: u64,
    busiest: [u64; 2],
}

/// No path.
const NO_PORT: u32 = u32::MAX;

/// Rounds of local search over all targets at most.
const ROUNDS: usize = 8;

impl Balanced {
    /// For a network within a budget.
    ///
    /// Target by target, the hosts of one switch after the other join a tree of shortest paths by the way that costs
    /// least, where a channel costs the eighth power of its load. Then every next hop is changed where that lowers the
    /// sum of these costs, round by round as long as the busiest channel gets less busy and is above what it must bear.
    /// O(rounds · targets · channels · diameter), rounds from 1 to 9.
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
    /// assert_eq!(router.busiest(), [2, 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(network: &dyn Network, budget: &Budget<'_>) -> Result<Self, TableError> {
        let fabric = Fabric::of(network, budget)?;
        let csr = &fabric.csr;
        let (n, m) = (count(csr), csr.targets().len());
        let targets = index(network.order());
        let size = (targets as u128) * (n as u128);
        budget.fits("the table", 4 * size)?;
        let steps = (targets as u128) * (m as u128) * (1 + ROUNDS) as u128;
        budget.affords("balanced routes", steps)?;
        let at: Vec<u32> = match fabric.has_host_links() {
            true => fabric.at.iter().copied().chain(0..id(n)).collect(),
            false => (0..id(n)).collect(),
        };
        let mut by_switch: Vec<Vec<usize>> = vec![Vec::new(); n];
        at.iter().enumerate().for_each(|(target, &at)| by_switch[at as usize].push(target));
        let mut chosen = vec![NO_PORT; targets * n];
        let mut search = Search::new(&fabric);
        let mut longest = 0;
        let mut most = u64::MAX;
        let mut least = 0;
        for round in 0..=ROUNDS {
            for (switch, targets) in (0..).zip(&by_switch) {
                budget.check()?;
                longest = longest.max(search.look_from(switch));
                for &target in targets {
                    let row = &mut chosen[target * n..][..n];
                    match ((target as u64) < network.hosts(), round) {
                        (true, 0) => search.join(row),
                        (true, _) => search.improve(row),
                        (false, 0) => search.approach(row),
                        (false, _) => {}
                    }
                }
            }
            let before =
                std::mem::replace(&mut most, search.loads.iter().copied().max().unwrap_or(0));
            if round == 0 && search.reaches_all {
                let hops = search.loads.iter().map(|&load| u128::from(load)).sum();
                least = load_bound(&fabric, hops, 1);
            }
            if most <= least || round > 0 && most >= before {
                break;
            }
        }
        let ports = ports_of(network, &fabric);
        for channel in chosen.iter_mut().filter(|channel| **channel != NO_PORT) {
            *channel = ports[*channel as usize].0;
        }
        let longest = u64::from(longest) + if fabric.has_host_links() { 2 } else { 0 };
        let (first, hosts) = (fabric.first, host_ports(network, &fabric));
        Ok(Balanced { first, switches: n, hosts, ports: chosen, longest, busiest: [least, most] })
    }

    /// Messages over the busiest channel between switches when each host sends one to every other: what no routing has
    /// less than ([`load_bound`]; 0 where some hosts have no path to each other), and what this one has.
    pub fn busiest(&self) -> [u64; 2] {
        self.busiest
    }
}

/// What a channel costs more when its load rises. Sums of eighth powers are ruled by the busiest channels.
fn rise(load: u64, more: u64) -> f64 {
    let power = |load: u64| {
        let square = load as f64 * load as f64;
        let fourth = square * square;
        fourth * fourth
    };
    power(load + more) - power(load)
}

/// The loads of all channels, and the distances to one switch. A row has the channel that each switch sends by to one
/// target there; it leads nearer, so that no row has a cycle.
struct Search<'a> {
    fabric: &'a Fabric,
    loads: Vec<u64>,
    distance: Vec<u32>,
    /// The switches that reach it, nearest first.
    queue: Vec<u32>,
    /// What the cheapest way from each switch costs.
    costs: Vec<f64>,
    /// Whether a switch is on the way of a host that has joined.
    joined: Vec<bool>,
    /// What goes on from each switch.
    passing: Vec<u64>,
    /// The most hosts of a switch.
    most_hosts: u64,
    /// Whether all hosts have had a path to every target so far.
    reaches_all: bool,
}

impl<'a> Search<'a> {
    fn new(fabric: &'a Fabric) -> Self {
        let n = count(&fabric.csr);
        Search {
            fabric,
            loads: vec![0; fabric.csr.targets().len()],
            distance: vec![u32::MAX; n],
            queue: Vec::new(),
            costs: vec![0.0; n],
            joined: vec![false; n],
            passing: vec![0; n],
            most_hosts: fabric.hosts.iter().copied().max().unwrap_or(0).into(),
            reaches_all: true,
        }
    }

    /// Finds all distances to a switch; the largest.
    fn look_from(&mut self, switch: u32) -> u32 {
        distances_in_order(&self.fabric.csr, switch, &mut self.distance, &mut self.queue);
        let reached: usize =
            self.queue.iter().map(|&at| self.fabric.hosts[at as usize] as usize).sum();
        self.reaches_all &= reached == self.fabric.at.len();
        self.queue.last().map_or(0, |&last| self.distance[last as usize])
    }

    /// The channels that lead nearer, and to where.
    fn nearer(&self, at: u32) -> impl Iterator<Item = (usize, u32)> + use<'_, 'a> {
        let csr = &self.fabric.csr;
        let first = index(csr.offsets()[at as usize]);
        let near = self.distance[at as usize].wrapping_sub(1);
        let all = (first..).zip(csr.neighbors(at).iter().copied());
        all.filter(move |&(_, next)| self.distance[next as usize] == near)
    }

    fn end(&self, channel: u32) -> u32 {
        self.fabric.csr.targets()[channel as usize]
    }

    /// The channel that is the beginning of the cheapest way from each switch, as loads are.
    fn approach(&mut self, row: &mut [u32]) {
        self.costs[self.queue[0] as usize] = 0.0;
        for place in 1..self.queue.len() {
            let at = self.queue[place];
            let cost = |(channel, next): (usize, u32)| {
                (
                    self.costs[next as usize] + rise(self.loads[channel], self.most_hosts),
                    id(channel),
                )
            };
            let nearer = self.nearer(at).map(cost);
            let Some((cost, channel)) = nearer.min_by(|a, b| a.0.total_cmp(&b.0)) else { continue };
            (self.costs[at as usize], row[at as usize]) = (cost, channel);
        }
    }

    /// The hosts of all switches, farthest first, go the cheapest way, along the ways of those before them.
    fn join(&mut self, row: &mut [u32]) {
        self.approach(row);
        let target = self.queue[0];
        self.joined.fill(false);
        self.joined[target as usize] = true;
        for place in (1..self.queue.len()).rev() {
            let from = self.queue[place];
            let hosts = u64::from(self.fabric.hosts[from as usize]);
            let mut at = from;
            while hosts > 0 && at != target {
                if !std::mem::replace(&mut self.joined[at as usize], true) {
                    let cost = |(channel, next): (usize, u32)| {
                        let first = rise(self.loads[channel], hosts);
                        let (way, end) = self.cost_along(row, next, hosts, f64::INFINITY);
                        (first + way + self.costs[end as usize], id(channel))
                    };
                    let nearer = self.nearer(at).map(cost);
                    if let Some((_, channel)) = nearer.min_by(|a, b| a.0.total_cmp(&b.0)) {
                        row[at as usize] = channel;
                    }
                }
                let channel = row[at as usize];
                self.loads[channel as usize] += hosts;
                at = self.end(channel);
            }
        }
    }

    /// What so many messages more cost along the row, up to a switch that has not joined or to the target, and where
    /// that is; no more than it takes to reach `enough`.
    fn cost_along(&self, row: &[u32], from: u32, messages: u64, enough: f64) -> (f64, u32) {
        let (mut cost, mut at) = (0.0, from);
        while at != self.queue[0] && self.joined[at as usize] && cost < enough {
            let channel = row[at as usize];
            cost += rise(self.loads[channel as usize], messages);
            at = self.end(channel);
        }
        (cost, at)
    }

    /// Changes each next hop by which messages go on more cheaply.
    fn improve(&mut self, row: &mut [u32]) {
        let target = self.queue[0];
        self.joined.fill(true);
        self.passing.iter_mut().zip(&self.fabric.hosts).for_each(|(p, &hosts)| *p = hosts.into());
        for &at in self.queue[1..].iter().rev() {
            let next = self.end(row[at as usize]);
            self.passing[next as usize] += self.passing[at as usize];
        }
        for place in 1..self.queue.len() {
            let at = self.queue[place];
            let messages = self.passing[at as usize];
            if messages == 0 {
                continue;
            }
            self.each_channel(row, at, target, |search, channel, _| {
                search.loads[channel] -= messages
            });
            let before = row[at as usize];
            let (cost, _) = self.cost_along(row, at, messages, f64::INFINITY);
            // What rounding makes of equal costs is no gain.
            let mut best = (cost * (1.0 - 1e-9), before);
            for (channel, next) in self.nearer(at) {
                let first = rise(self.loads[channel], messages);
                let cost = first + self.cost_along(row, next, messages, best.0 - first).0;
                if cost < best.0 {
                    best = (cost, id(channel));
                }
            }
            if best.1 != before {
                let pass = |search: &mut Self, next: u32, sign: bool| {
                    let sum = &mut search.passing[next as usize];
                    *sum = if sign { *sum + messages } else { *sum - messages };
                };
                self.each_channel(row, at, target, |search, _, next| pass(search, next, false));
                row[at as usize] = best.1;
                self.each_channel(row, at, target, |search, _, next| pass(search, next, true));
            }
            self.each_channel(row, at, target, |search, channel, _| {
                search.loads[channel] += messages
            });
        }
    }

    /// Visits the channels from a switch to the target, and where each leads.
    fn each_channel(
        &mut self,
        row: &[u32],
        from: u32,
        target: u32,
        mut visit: impl FnMut(&mut Self, usize, u32),
    ) {
        let mut at = from;
        while at != target {
            let channel = row[at as usize];
            at = self.end(channel);
            visit(self, channel as usize, at);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flow::{Demands, routed_loads};
    use crate::route::walk;
    use crate::traffic::Traffic;
    use nestnet_graph::Csr;
    use nestnet_graph::measure::splitmix64;
    use nestnet_seed::samples::{any_multigraph, torus};
    use proptest::prelude::*;

    /// Hosts below their leaves, and cables between leaves and spines without some that are missing at random.
    #[derive(Debug)]
    struct LeafSpine {
        hosts: u64,
        each: u64,
        switches: Csr,
    }

    impl LeafSpine {
        fn new(
            leaves: u32,
            spines: u32,
            width: usize,
            each: u64,
            missing: usize,
            seed: u64,
        ) -> Self {
            let pairs = (0..leaves).flat_map(|a| (0..spines).map(move |b| (a, leaves + b)));
            let mut cables: Vec<_> =
                pairs.flat_map(|pair| std::iter::repeat_n(pair, width)).collect();
            for draw in 0..missing as u64 {
                let place = splitmix64(seed << 32 | draw) % cables.len() as u64;
                cables.swap_remove(index(place));
            }
            let switches = Csr::from_edges((leaves + spines).into(), &cables, 1 << 30).unwrap();
            LeafSpine { hosts: u64::from(leaves) * each, each, switches }
        }
    }

    impl Network for LeafSpine {
        fn order(&self) -> u64 {
            self.hosts + self.switches.order()
        }

        fn ports(&self) -> u32 {
            self.switches.ports() + u32::try_from(self.each).unwrap()
        }

        fn neighbor(&self, at: Node, port: Port) -> Option<Node> {
            let Some(switch) = at.0.checked_sub(self.hosts) else {
                return (port.0 == 0).then_some(Node(self.hosts + at.0 / self.each));
            };
            match port.0.checked_sub(self.switches.ports()) {
                None => {
                    let to = self.switches.neighbor(Node(switch), port)?;
                    Some(Node(self.hosts + to.0))
                }
                Some(_) if switch * self.each >= self.hosts => None,
                Some(host) if u64::from(host) < self.each => {
                    Some(Node(switch * self.each + u64::from(host)))
                }
                Some(_) => None,
            }
        }

        fn hosts(&self) -> u64 {
            self.hosts
        }
    }

    /// The largest load of a channel as routes are walked.
    fn walked(network: &dyn Network, router: &Balanced) -> u64 {
        let fabric = Fabric::of(network, &Budget::UNLIMITED).unwrap();
        let traffic = Traffic::uniform(network.hosts());
        let demands = Demands::between_hosts(&traffic, &Budget::UNLIMITED).unwrap();
        let found = routed_loads(network, router, &fabric, &demands, &Budget::UNLIMITED).unwrap();
        let most = found.loads.into_iter().max().unwrap_or(0);
        u64::try_from(most * u128::from(network.hosts() - 1) / found.whole).unwrap()
    }

    /// 512 hosts on leaves and spines, some cables missing: the busiest is within 7 % of what any routing has, where
    /// targets that are spread without a look at what comes together made it twice as busy.
    #[test]
    fn missing_cables_of_a_leaf_spine_leave_no_link_much_busier() {
        for (leaves, spines, width, missing) in
            [(16, 8, 4, 14), (16, 16, 2, 14), (32, 16, 1, 14), (16, 8, 4, 0)]
        {
            for seed in 0..3 {
                let each = u64::from(512 / leaves);
                let network = LeafSpine::new(leaves, spines, width, each, missing, seed);
                let router = Balanced::new(&network, &Budget::UNLIMITED).unwrap();
                let [least, most] = router.busiest();
                assert_eq!(most, walked(&network, &router));
                let near = least.next_multiple_of(each) * 107 / 100;
                assert!(most <= near, "{leaves} {spines} {width} {seed}: {most} of {least}");
            }
        }
        let torus = Balanced::new(&torus(8, 8), &Budget::UNLIMITED).unwrap();
        let [least, most] = torus.busiest();
        assert!(least == 64 && most <= 68, "{most}");
    }

    proptest! {
        #![proptest_config(nestnet_seed::config())]

        /// On any network with any cables: every route is shortest, and the busiest channel bears what is said of it, no
        /// less than the bound.
        #[test]
        fn routes_are_shortest_and_loads_as_promised(csr in any_multigraph(9)) {
            let router = Balanced::new(&csr, &Budget::UNLIMITED).unwrap();
            let connected = nestnet_graph::measure::structure::components(&csr).connected();
            for from in 0..csr.order() {
                let far = nestnet_graph::measure::search::distances_from(&csr, Node(from));
                for to in (0..csr.order()).filter(|&to| far[index(to)] != u32::MAX) {
                    let route = walk(&csr, &router, Node(from), Node(to), 0, 99).unwrap();
                    prop_assert_eq!(route.hops.len(), far[index(to)] as usize);
                }
            }
            if connected && csr.order() > 1 {
                let [least, most] = router.busiest();
                prop_assert!(least <= most);
                prop_assert_eq!(most, walked(&csr, &router));
            }
        }
    }
}
