//! Are schedules among hosts made and judged rightly?

use super::check::judged;
use super::*;
use crate::arrival::Method;
use crate::tests::Switched;
use crate::{
    Algorithm, Choice, Collective, Fabric, Goal, Moves, PlanError, Ports, Price, Request, Violation,
};
use nestnet_graph::measure::search::distances_from;
use nestnet_graph::{Budget, Csr};
use nestnet_routing::route::{Searched, Structure};
use nestnet_routing::{Header, Hop, Router, Vc};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Two switches with `each` hosts, joined by one link.
fn dumbbell(each: u32) -> Arc<Switched> {
    let hosts = 2 * each;
    let mut links: Vec<(u32, u32)> = (0..hosts).map(|host| (host, hosts + host / each)).collect();
    links.push((hosts, hosts + 1));
    let graph = Csr::from_links(u64::from(hosts) + 2, &links, 1 << 20).unwrap();
    Arc::new(Switched { graph, hosts: hosts.into() })
}

/// One switch.
fn crossbar(hosts: u32) -> Arc<Switched> {
    let links: Vec<(u32, u32)> = (0..hosts).map(|host| (host, hosts)).collect();
    let graph = Csr::from_links(u64::from(hosts) + 1, &links, 1 << 20).unwrap();
    Arc::new(Switched { graph, hosts: hosts.into() })
}

const PRICE: Price = Price { alpha: 1e-6, beta: 1e-9, hop: 1e-7 };

fn request<'a>(
    network: &'a Arc<Switched>,
    router: &'a dyn Router,
    collective: Collective,
    bytes: u64,
) -> Request<'a> {
    Request {
        network: &**network,
        fabric: Fabric::Switched,
        router: Some(router),
        collective,
        root: Node(0),
        ports: Ports::One,
        price: PRICE,
        bytes,
        budget: Budget::UNLIMITED,
    }
}

#[test]
fn every_algorithm_achieves_its_goal_for_any_number_of_hosts() {
    for hosts in 2..=17 {
        let network = crossbar(hosts);
        let router = Searched::new(network.clone()).unwrap();
        for root in [0, 1, hosts - 1].map(|root| Node(root.into())) {
            for collective in Collective::ALL {
                let request = Request { root, ..request(&network, &router, collective, 1000) };
                for algorithm in collective.algorithms(Fabric::Switched) {
                    match request.plan(algorithm) {
                        Ok(plan) => {
                            let least = PRICE.beta * 1000.0 * plan.bounds.payloads;
                            assert!(plan.time.seconds >= least, "{algorithm:?} {hosts}");
                            assert!(
                                plan.cost.rounds >= plan.bounds.rounds,
                                "{algorithm:?} {hosts}"
                            );
                            assert_eq!(plan.cost.hops, 2 * plan.cost.rounds);
                            if (collective, algorithm) == (Collective::Broadcast, Algorithm::Tree) {
                                assert_eq!(plan.cost.rounds, plan.bounds.rounds);
                            }
                        }
                        Err(PlanError::NoServers) => {
                            let inside = [Algorithm::Hierarchical, Algorithm::Phased];
                            assert!(inside.contains(&algorithm));
                        }
                        Err(error) => {
                            assert_eq!(error, PlanError::NoPower);
                            assert!(!hosts.is_power_of_two());
                        }
                    }
                }
            }
        }
    }
}

/// What the table has is made, and nothing else is: no algorithm takes the place of another.
#[test]
fn the_table_has_exactly_what_is_made() {
    let all = Algorithm::ALL;
    let network = crossbar(4);
    let router = Searched::new(network.clone()).unwrap();
    for fabric in [Fabric::Direct, Fabric::Switched] {
        for collective in Collective::ALL {
            let request = Request { fabric, ..request(&network, &router, collective, 8) };
            for algorithm in all {
                let is_known = collective.algorithms(fabric).any(|known| known == algorithm);
                match request.plan(algorithm) {
                    Err(PlanError::NotFor { .. }) => assert!(!is_known, "{algorithm:?}"),
                    Err(PlanError::NoCycle | PlanError::NoCube | PlanError::NoServers) => {
                        assert!(is_known);
                    }
                    made => {
                        assert!(is_known, "{collective:?} by {algorithm:?}");
                        assert_eq!(made.unwrap().algorithm, algorithm);
                    }
                }
            }
        }
    }
    let wrong =
        Request { fabric: Fabric::Direct, ..request(&network, &router, Collective::Allgather, 8) };
    let said = wrong.plan(Algorithm::Shift).unwrap_err().to_string();
    assert_eq!(said, "there is no allgather by `shift` here, but by ring, doubling, greedy");
}

/// Servers of `each` accelerators with links of `width` cables inside, and a rail for every accelerator.
fn rails(servers: u32, each: u32, width: u32) -> Arc<Switched> {
    let hosts = servers * each;
    let mut links = Vec::new();
    for host in 0..hosts {
        links.extend((0..width).map(|_| (host, hosts + host / each)));
        links.push((host, hosts + servers + host % each));
    }
    let order = u64::from(hosts + servers + each);
    let graph = Csr::from_edges(order, &links, 1 << 20).unwrap();
    Arc::new(Switched { graph, hosts: hosts.into() })
}

/// Inside and across, every host sends (g-1)/g of the vector inside and (N-1)/n across, and the same again.
#[test]
fn servers_sum_inside_and_then_across() {
    for (servers, each, width) in [(2, 2, 1), (3, 4, 1), (4, 8, 4), (5, 3, 2), (8, 8, 9)] {
        let network = rails(servers, each, width);
        let router = Searched::new(network.clone()).unwrap();
        let request = request(&network, &router, Collective::Allreduce, 1 << 30);
        let plan = request.plan(Algorithm::Hierarchical).unwrap();
        let [n, g, cables] = [servers, each, width].map(u64::from);
        let of = |count: u64| match count.is_power_of_two() {
            true => u64::from(count.ilog2()),
            false => count - 1,
        };
        assert_eq!(plan.cost.rounds, 2 * (of(n) + of(g)), "{servers} {each}");
        // Blocks on the cables inside, round by round, rounded up; one cable across.
        let inside: u64 = match g.is_power_of_two() {
            true => (0..of(g)).map(|round| (n << round).div_ceil(cables)).sum(),
            false => (g - 1) * n.div_ceil(cables),
        };
        let load = 2 * (inside + n - 1);
        assert_eq!(plan.cost.load, load as f64, "{servers} {each} {width}");
        assert!(plan.time.seconds >= PRICE.beta * f64::from(1 << 30) * plan.bounds.payloads);
        // Links inside that are wide make it the best for long vectors.
        if width >= 4 {
            assert_eq!(request.best().unwrap().best.algorithm, Algorithm::Hierarchical);
        }
    }
    // A leaf with three hosts and one with two are no servers, nor is one switch.
    let links = [(0, 5), (1, 5), (2, 5), (3, 6), (4, 6), (5, 6)];
    let graph = Csr::from_links(7, &links, 1 << 20).unwrap();
    for network in [Arc::new(Switched { graph, hosts: 5 }), crossbar(4)] {
        let router = Searched::new(network.clone()).unwrap();
        let request = request(&network, &router, Collective::Allreduce, 8);
        assert_eq!(request.plan(Algorithm::Hierarchical).unwrap_err(), PlanError::NoServers);
    }
}

/// A pipelined tree takes two rounds a segment, and so about twice the bytes of a vector each way, in few rounds.
#[test]
fn a_pipelined_tree_is_between_a_tree_and_a_ring() {
    let network = crossbar(64);
    let router = Searched::new(network.clone()).unwrap();
    let seconds = |bytes: u64, algorithm| {
        let request = request(&network, &router, Collective::Reduce, bytes);
        request.plan(algorithm).unwrap().time.seconds
    };
    // A tree sends the whole vector log2(hosts) times after each other.
    let long = 1 << 30;
    let pipelined = seconds(long, Algorithm::Pipelined);
    let vector = long as f64 * PRICE.beta;
    assert!(pipelined < 2.1 * vector, "{pipelined}");
    assert!(seconds(long, Algorithm::Tree) > 5.9 * vector);
    // Of a short vector there is one segment.
    let plan =
        request(&network, &router, Collective::Reduce, 8).plan(Algorithm::Pipelined).unwrap();
    assert_eq!(plan.goal, Goal::Reduce { root: Node(0), blocks: 1 });
}

/// One crossbar: as fast as its host links allow.
#[test]
fn a_crossbar_sums_at_the_speed_of_its_links() {
    let network = crossbar(16);
    let router = Searched::new(network.clone()).unwrap();
    let bytes = 1_000_000_000;
    let best =
        |bytes| request(&network, &router, Collective::Allreduce, bytes).best().unwrap().best;
    let seconds = best(bytes).time.seconds;
    let least = 2.0 * 15.0 / 16.0 * bytes as f64 * PRICE.beta;
    assert!(seconds > least && seconds < 1.001 * least, "{seconds}");
    let short = best(8);
    assert_eq!((short.algorithm, short.cost.rounds), (Algorithm::Exchange, 4));
}

/// The one link between two switches carries the messages of all who send across it.
#[test]
fn a_round_waits_for_its_busiest_link() {
    let network = dumbbell(4);
    let router = Searched::new(network.clone()).unwrap();
    let across = |count: u64| {
        let send = |host| Message { from: Node(host), to: Node(host + 4), first: host, blocks: 1 };
        let rounds = Rounds::given(vec![(0..count).map(send).collect()]);
        judged(
            &*network,
            &router,
            Ports::One,
            Goal::Allgather,
            &rounds,
            Method::Exact,
            &Budget::UNLIMITED,
        )
    };
    // It does not achieve the goal, so the loads are seen in plans.
    assert!(across(4).is_err());
    let plan = request(&network, &router, Collective::AllToAll, 8);
    let plan = plan.plan(Algorithm::Shift).unwrap();
    // By shifts of 1 to 7, so many hosts of each half send across.
    assert_eq!((plan.cost.load, plan.cost.link_load), (16.0, 16.0));
    assert_eq!((plan.cost.busiest, plan.cost.hops), (4, 7 * 3));
    let expected = 7.0 * PRICE.alpha + 21.0 * PRICE.hop + 16.0 * PRICE.beta;
    assert!((plan.time.seconds - expected).abs() < 1e-15);
}

/// `planes` copies of `leaves` leaves with `each` hosts and `spines` spines with links of `width` cables.
#[derive(Clone, Copy, Debug)]
struct Sizes {
    leaves: u32,
    each: u32,
    spines: u32,
    width: u32,
    planes: u32,
}

impl Sizes {
    fn hosts(self) -> u32 {
        self.leaves * self.each
    }

    fn leaf(self, plane: u32, leaf: u32) -> u32 {
        self.hosts() + plane * (self.leaves + self.spines) + leaf
    }

    /// The links of a plane are beside each other; a host has them in the order of planes.
    fn network(self) -> Arc<Switched> {
        let Sizes { leaves, each, spines, width, planes } = self;
        let mut links = Vec::new();
        for plane in 0..planes {
            links.extend((0..self.hosts()).map(|host| (host, self.leaf(plane, host / each))));
            for leaf in (0..leaves).map(|leaf| self.leaf(plane, leaf)) {
                for spine in (0..spines).map(|spine| self.leaf(plane, leaves + spine)) {
                    links.extend((0..width).map(|_| (leaf, spine)));
                }
            }
        }
        let order = u64::from(self.hosts() + planes * (leaves + spines));
        let graph = Csr::from_edges(order, &links, 1 << 20).unwrap();
        Arc::new(Switched { graph, hosts: self.hosts().into() })
    }
}

/// By every spine, cable and plane, which the choice names; `by_switches` is what it says of its loads.
#[derive(Debug)]
struct Spread {
    sizes: Sizes,
    network: Arc<Switched>,
    by_switches: bool,
    any: Option<AnyHop>,
}

impl Router for Spread {
    fn vcs(&self) -> u16 {
        1
    }

    fn choices(&self) -> u64 {
        let Sizes { spines, width, planes, .. } = self.sizes;
        u64::from(spines * width * width * planes)
    }

    fn start(&self, _from: Node, to: Node, choice: u64) -> Header {
        Header { to, state: choice }
    }

    fn next(&self, at: Node, header: Header) -> Option<Hop> {
        let Sizes { leaves, each, spines, width, planes } = self.sizes;
        let digit = |by: u32, side: u32| {
            u32::try_from(header.state / u64::from(by) % u64::from(side)).unwrap()
        };
        let (plane, up, down) =
            (digit(1, planes), digit(planes, width), digit(planes * width, width));
        let spine = digit(planes * width * width, spines);
        let at = u32::try_from(at.0).unwrap();
        let to = u32::try_from(header.to.0).unwrap();
        let last = self.sizes.leaf(plane, to / each);
        let (next, cable) = match at {
            at if at == to => return None,
            at if at < self.sizes.hosts() => (self.sizes.leaf(plane, at / each), 0),
            at if at == last => (to, 0),
            at if at < self.sizes.leaf(plane, leaves) => {
                (self.sizes.leaf(plane, leaves + spine), up)
            }
            _ => (last, down),
        };
        let mut ports = Vec::new();
        self.network.for_each_neighbor(Node(at.into()), &mut |port, end| {
            if end == Node(next.into()) {
                ports.push(port);
            }
        });
        Some(Hop { port: ports[cable as usize], vc: Vc(0), header })
    }

    fn remembers(&self) -> bool {
        true
    }

    fn structure(&self) -> Structure<'_> {
        let all_shortest = self.any.as_ref().map(|any| any as &dyn Router);
        Structure { all_shortest, loads_by_switches: self.by_switches, ..Structure::default() }
    }
}

/// Any hop of a shortest path to a host.
#[derive(Debug)]
struct AnyHop(Arc<Switched>);

impl Router for AnyHop {
    fn vcs(&self) -> u16 {
        1
    }

    fn next(&self, at: Node, header: Header) -> Option<Hop> {
        let mut hops = Vec::new();
        self.hops(at, header, &mut hops);
        hops.first().copied()
    }

    fn hops(&self, at: Node, header: Header, out: &mut Vec<Hop>) {
        let distance = distances_from(&*self.0, header.to);
        self.0.for_each_neighbor(at, &mut |port, end| {
            if distance[index(end.0)] < distance[index(at.0)] {
                out.push(Hop { port, vc: Vc(0), header });
            }
        });
    }

    fn adapts(&self) -> bool {
        true
    }
}

/// A message is divided over spines, cables and planes; loads that are known by switches are those of every route.
#[test]
fn messages_are_divided_over_all_routes() {
    let cases =
        [(4, 4, 4, 1, 1), (3, 4, 2, 2, 1), (4, 4, 4, 1, 2), (2, 3, 1, 1, 3), (3, 2, 1, 2, 2)];
    for (leaves, each, spines, width, planes) in cases {
        let sizes = Sizes { leaves, each, spines, width, planes };
        let network = sizes.network();
        let spread = |by_switches, any: bool| {
            let any = any.then(|| AnyHop(network.clone()));
            Spread { sizes, network: network.clone(), by_switches, any }
        };
        let (quick, slow, shortest) =
            (spread(true, false), spread(false, false), spread(true, true));
        for collective in Collective::ALL {
            for algorithm in collective.algorithms(Fabric::Switched) {
                let plan = |router| request(&network, router, collective, 1 << 20).plan(algorithm);
                let (Ok(quick), Ok(slow)) = (plan(&quick), plan(&slow)) else { continue };
                assert_eq!(quick.cost, slow.cost, "{sizes:?} {algorithm:?}");
                let near = plan(&shortest).unwrap().cost.load - slow.cost.load;
                assert!(near.abs() < 1e-9, "{sizes:?} {algorithm:?} {near}");
                let least = PRICE.beta * f64::from(1 << 20) * quick.bounds.payloads;
                assert!(quick.time.seconds >= least, "{sizes:?} {algorithm:?}");
                assert!(quick.cost.load >= quick.cost.link_load * (1.0 - 1e-12));
                // As many cables up as hosts: whoever sends to whom, a host link is as busy as any.
                if algorithm == Algorithm::Shift && spines * width >= each {
                    let n = f64::from(leaves * each);
                    let shares = quick.cost.load * f64::from(planes);
                    assert!((shares - quick.cost.rounds as f64).abs() < 1e-9 * n, "{sizes:?}");
                }
            }
        }
    }
}

/// A grid of switches, each joined to all of its row and of its column, with hosts as many as a side is long.
fn grid(side: u32) -> Arc<Switched> {
    let hosts = side.pow(3);
    let switch = |x: u32, y: u32| hosts + x * side + y;
    let mut links: Vec<(u32, u32)> = (0..hosts).map(|host| (host, hosts + host / side)).collect();
    for (x, y) in (0..side).flat_map(|x| (0..side).map(move |y| (x, y))) {
        links.extend((x + 1..side).map(|other| (switch(x, y), switch(other, y))));
        links.extend((y + 1..side).map(|other| (switch(x, y), switch(x, other))));
    }
    let graph = Csr::from_links(u64::from(hosts + side * side), &links, 1 << 20).unwrap();
    Arc::new(Switched { graph, hosts: hosts.into() })
}

/// One pair of switches at a time where their numbers say nothing: within a third of what their channels must carry, and
/// shifts take three times as long.
#[test]
fn phases_keep_channels_free_of_each_other() {
    let network = grid(6);
    let router = Searched::new(network.clone()).unwrap();
    let request = request(&network, &router, Collective::AllToAll, 1 << 30);
    let Choice { best, tried } = request.best().unwrap();
    assert_eq!(best.algorithm, Algorithm::Phased);
    assert!(best.cost.load < 1.34 * best.cost.link_load, "{:?}", best.cost);
    let shift = tried.iter().find(|(algorithm, _)| *algorithm == Algorithm::Shift).unwrap();
    assert!(shift.1.as_ref().unwrap().seconds > 3.0 * best.time.seconds, "{tried:?}");
    assert_eq!(best.cost.blocks, 216 * 215);
    // One switch has nothing to gain, and neither have as many spines as hosts.
    let sizes = Sizes { leaves: 4, each: 4, spines: 4, width: 1, planes: 1 };
    let network = sizes.network();
    let router = Spread { sizes, network: network.clone(), by_switches: true, any: None };
    let request = super::tests::request(&network, &router, Collective::AllToAll, 1 << 30);
    assert_eq!(request.best().unwrap().tried[0], (Algorithm::Phased, Err(PlanError::NoGain)));
}

#[test]
fn each_violation_is_seen() {
    let network = crossbar(4);
    let router = Searched::new(network.clone()).unwrap();
    let message = |from: u64, to: u64, first, blocks| Message {
        from: Node(from),
        to: Node(to),
        first,
        blocks,
    };
    let said = |goal, rounds: Vec<Vec<Message>>| {
        let rounds = Rounds::given(rounds);
        let judged =
            check_rounds(&*network, &router, Ports::One, goal, &rounds, &Budget::UNLIMITED);
        judged.unwrap_err().to_string()
    };
    let broadcast = Goal::Broadcast { root: Node(0) };
    assert_eq!(
        said(broadcast, vec![vec![message(0, 4, 0, 1)]]),
        "step 1: node 4 is a switch, which holds nothing"
    );
    assert_eq!(
        said(broadcast, vec![vec![message(1, 2, 0, 1)]]),
        "step 1: node 1 sends block 0, which it does not hold"
    );
    assert_eq!(
        said(broadcast, vec![vec![message(0, 0, 0, 1)]]),
        "step 1: there is no route from 0 to 0"
    );
    assert!(
        said(broadcast, vec![vec![message(0, 1, 0, 1), message(0, 2, 0, 1)]])
            .contains("sends more messages")
    );
    assert!(
        said(Goal::Allgather, vec![vec![message(0, 1, 0, 1), message(2, 1, 2, 1)]])
            .contains("receives more")
    );
    assert!(said(Goal::Allgather, vec![vec![message(0, 1, 4, 1)]]).contains("sends block 4"));
    assert!(
        said(Goal::Allgather, vec![vec![message(0, 1, 0, 2)]])
            .contains("block 1, which it does not hold")
    );
    assert!(said(broadcast, vec![vec![message(0, 1, 0, 1)]; 2]).contains("holds it already"));
    assert!(
        said(broadcast, vec![vec![message(0, 1, 0, 1)]]).contains("node 2 does not hold block 0")
    );
    let sum = Goal::Allreduce { blocks: 1 };
    assert!(said(sum, vec![vec![message(0, 1, 0, 1)]; 2]).contains("has some of it"));
    assert!(said(sum, vec![vec![message(0, 1, 0, 1)]]).contains("without the part of node"));
    let two = Rounds::given(vec![vec![message(0, 1, 0, 1), message(0, 2, 0, 1)]]);
    let all = check_rounds(&*network, &router, Ports::All, broadcast, &two, &Budget::UNLIMITED);
    assert!(matches!(all, Err(Violation::SendsTooMuch { .. })), "it has one link");
}

/// By sets, as it is defined: whether all goes well.
fn by_definition(hosts: u64, goal: Goal, rounds: &[Vec<Message>]) -> bool {
    let total = crate::arrival::blocks_of(goal, hosts);
    let mut held: BTreeMap<(u64, u64), BTreeSet<u64>> = BTreeMap::new();
    for host in 0..hosts {
        for block in 0..total {
            let part = match goal {
                Goal::Broadcast { root } | Goal::Scatter { root } => (host == root.0).then_some(0),
                Goal::Gather { .. } | Goal::Allgather => (host == block).then_some(0),
                Goal::Reduce { .. } | Goal::Allreduce { .. } => Some(host),
                Goal::AllToAll => (block / hosts == host).then_some(0),
            };
            held.insert((host, block), part.into_iter().collect());
        }
    }
    let sums = matches!(goal, Goal::Reduce { .. } | Goal::Allreduce { .. });
    for round in rounds {
        let before = held.clone();
        let mut arriving: BTreeMap<(u64, u64), Vec<BTreeSet<u64>>> = BTreeMap::new();
        for message in round {
            for block in (message.first..message.first + message.blocks).map(|block| block % total)
            {
                let sent = before[&(message.from.0, block)].clone();
                if sent.is_empty() || message.from == message.to {
                    return false;
                }
                arriving.entry((message.to.0, block)).or_default().push(sent);
            }
        }
        for (place, parts) in arriving {
            // With one port only one message arrives.
            let [part] = &parts[..] else { return false };
            let own = held.get_mut(&place).unwrap();
            let fits = own.is_disjoint(part) || sums && own.is_subset(part) && own != part;
            if !fits {
                return false;
            }
            own.extend(part);
        }
    }
    (0..total).all(|block| {
        let whole = |host: u64| {
            let parts = &held[&(host, block)];
            if sums { parts.len() as u64 == hosts } else { !parts.is_empty() }
        };
        match goal {
            Goal::Scatter { .. } => whole(block),
            Goal::Gather { root } | Goal::Reduce { root, .. } => whole(root.0),
            Goal::AllToAll => whole(block % hosts),
            _ => (0..hosts).all(whole),
        }
    })
}

proptest! {
    #![proptest_config(nestnet_seed::config())]

    /// Any switches with as many hosts each, cables side by side, hosts with several cables: no time is below a bound, and
    /// an all-to-all in phases is one.
    #[test]
    fn no_schedule_beats_its_bounds(
        switches in 1..7u32,
        each in 1..4u32,
        wide in 1..3u32,
        more in proptest::collection::vec((0..7u32, 0..7u32), 0..12),
    ) {
        let hosts = switches * each;
        let mut links: Vec<(u32, u32)> = (0..hosts)
            .flat_map(|host| (0..wide).map(move |_| (host, hosts + host / each)))
            .collect();
        // A tree, and links anywhere.
        links.extend((1..switches).map(|at| (hosts + at, hosts + at / 2)));
        let ends = more.iter().map(|&(a, b)| (hosts + a % switches, hosts + b % switches));
        links.extend(ends.filter(|(a, b)| a != b));
        let graph = Csr::from_edges(u64::from(hosts + switches), &links, 1 << 20).unwrap();
        let network = Arc::new(Switched { graph, hosts: hosts.into() });
        let router = Searched::new(network.clone()).unwrap();
        for collective in Collective::ALL {
            let request = request(&network, &router, collective, 1 << 20);
            for algorithm in collective.algorithms(Fabric::Switched) {
                let plan = match request.plan(algorithm) {
                    Ok(plan) => plan,
                    Err(error) => {
                        prop_assert!(matches!(error, PlanError::NoServers | PlanError::NoPower));
                        continue;
                    }
                };
                let Price { alpha, beta, .. } = PRICE;
                let latency = alpha * plan.bounds.rounds as f64;
                let bytes = beta * f64::from(1 << 20) * plan.bounds.payloads;
                prop_assert!(plan.time.seconds >= latency.max(bytes) * (1.0 - 1e-12), "{algorithm:?}");
                prop_assert!(plan.cost.load >= plan.cost.link_load * (1.0 - 1e-12), "{algorithm:?}");
            }
        }
    }

    /// Plans with a few messages changed: counts, bits and the definition agree.
    #[test]
    fn spoiled_plans_get_the_verdict_of_the_definition(
        hosts in 2..8u32,
        which in any::<usize>(),
        changes in proptest::collection::vec((any::<[u8; 2]>(), 0..8u64, 0..5u8), 0..3),
    ) {
        let network = crossbar(hosts);
        let router = Searched::new(network.clone()).unwrap();
        let of = |c: Collective| c.algorithms(Fabric::Switched).map(move |a| (c, a));
        let all: Vec<_> = Collective::ALL.into_iter().flat_map(of).collect();
        let (collective, algorithm) = all[which % all.len()];
        let request = request(&network, &router, collective, 100);
        let Ok(plan) = request.plan(algorithm) else { return Ok(()) };
        let Moves::Routes(made) = &plan.moves else { unreachable!("through switches") };
        let mut rounds: Vec<Vec<Message>> = (0..made.count()).map(|number| {
            let mut round = Vec::new();
            made.round(number, &mut round);
            round
        }).collect();
        let n = u64::from(hosts);
        for ([round, place], value, kind) in changes {
            let count = rounds.len();
            let round = &mut rounds[usize::from(round) % count];
            if round.is_empty() {
                continue;
            }
            let place = usize::from(place) % round.len();
            match kind {
                0 => _ = round.remove(place),
                1 => round[place].first = value % crate::arrival::blocks_of(plan.goal, n),
                2 => round[place].to = Node(value % n),
                3 => round[place].from = Node(value % n),
                _ => {
                    let message = round[place];
                    rounds.push(vec![message]);
                }
            }
        }
        let given = Rounds::given(rounds.clone());
        let judge = |method| {
            judged(&*network, &router, Ports::One, plan.goal, &given, method, &Budget::UNLIMITED).ok()
        };
        let verdict = check_rounds(&*network, &router, Ports::One, plan.goal, &given, &Budget::UNLIMITED);
        prop_assert_eq!(verdict.ok(), judge(Method::Exact));
        if let Some(quick) = judge(Method::Quick) {
            prop_assert_eq!(Some(quick), judge(Method::Exact));
        }
        let one_port = rounds.iter().all(|round| {
            let different = |end: fn(&Message) -> Node| round.iter().map(end).collect::<BTreeSet<_>>().len();
            different(|m| m.from) == round.len() && different(|m| m.to) == round.len()
        });
        let expected = one_port && by_definition(n, plan.goal, &rounds);
        prop_assert_eq!(judge(Method::Exact).is_some(), expected, "{:?}", rounds);
    }
}
