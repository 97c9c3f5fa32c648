//! Random networks with parallel cables, of hosts alone, of hosts that forward, and of hosts below switches: metrics, cuts,
//! routes, verdicts, throughput and collectives beside brute force over lists of cables.
//!
//! `PROPTEST_CASES` says how many, `SLOW_TESTS=1` draws others each time.

use nestnet_analysis::collectives::{self, plan};
use nestnet_analysis::deadlocks::certified;
use nestnet_analysis::measures::{Analysis, Limits, cut};
use nestnet_analysis::routers;
use nestnet_analysis::throughput::{Ask, throughput};
use nestnet_collectives::{Collective, Ports, Price};
use nestnet_graph::measure::splitmix64;
use nestnet_graph::{Budget, Csr, Network, Node, Port, index};
use nestnet_routing::Router;
use nestnet_routing::flow::Split;
use nestnet_routing::route::{Vc, most_hops, walk};
use nestnet_topologies::build::{Context, build_with};
use nestnet_topologies::{Built, Spec};
use proptest::prelude::*;
use proptest::test_runner::Config;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Cases where nobody says how many: a few seconds of them.
const USUAL_CASES: u32 = 24;

fn config() -> Config {
    let asked = nestnet_seed::config();
    let cases = std::env::var_os("PROPTEST_CASES").map_or(USUAL_CASES, |_| asked.cases);
    Config { cases, max_shrink_iters: 40, ..asked }
}

/// A network of which the first nodes are hosts.
#[derive(Debug)]
struct Marked {
    cables: Csr,
    hosts: u64,
}

impl Network for Marked {
    fn order(&self) -> u64 {
        self.cables.order()
    }

    fn ports(&self) -> u32 {
        self.cables.ports()
    }

    fn neighbor(&self, at: Node, port: Port) -> Option<Node> {
        self.cables.neighbor(at, port)
    }

    fn hosts(&self) -> u64 {
        self.hosts
    }
}

/// The same as lists.
#[derive(Clone, Debug)]
struct Case {
    order: usize,
    hosts: usize,
    /// Cables between switches, or all where hosts have no links of their own.
    fabric: Vec<(usize, usize)>,
    /// The switch of each host, or itself.
    at: Vec<usize>,
    /// Whether hosts have links of their own: the first nodes, before the switches.
    below: bool,
}

impl Case {
    /// Hosts with one cable each, to a switch, are below switches.
    fn separated(self) -> Case {
        let widths = self.widths();
        let only = |host: usize| {
            let switch = (self.hosts..self.order).find(|&switch| widths[host][switch] > 0);
            switch.filter(|_| widths[host].iter().sum::<usize>() == 1)
        };
        match (0..self.hosts).map(only).collect::<Option<Vec<usize>>>() {
            Some(at) if self.hosts < self.order => {
                let is_of_fabric = |&(a, b): &(usize, usize)| a.min(b) >= self.hosts;
                let fabric = self.fabric.iter().copied().filter(is_of_fabric).collect();
                Case { fabric, at, below: true, ..self }
            }
            _ => self,
        }
    }

    fn cables(&self) -> Vec<(usize, usize)> {
        let own = self.at.iter().copied().enumerate().filter(|_| self.below);
        self.fabric.iter().copied().chain(own).collect()
    }

    fn built(&self) -> Built {
        let id = |at: usize| u32::try_from(at).expect("a small network");
        let cables: Vec<_> = self.cables().into_iter().map(|(a, b)| (id(a), id(b))).collect();
        let cables = Csr::from_edges(self.order as u64, &cables, 1 << 20).expect("a multigraph");
        let network: Arc<dyn Network> = Arc::new(Marked { cables, hosts: self.hosts as u64 });
        let given = |_: &str| Some(network.clone());
        let context = Context { given: &given, ..Context::ALONE };
        let text = "file(\"case\")";
        build_with(&Spec::parse(text).expect("a spec"), text, &context).expect("it is given")
    }

    /// How many cables join each pair.
    fn widths(&self) -> Vec<Vec<usize>> {
        let mut widths = vec![vec![0; self.order]; self.order];
        for (a, b) in self.cables() {
            widths[a][b] += 1;
            widths[b][a] += 1;
        }
        widths
    }

    /// All distances, by R. W. Floyd's algorithm.
    fn distances(&self) -> Vec<Vec<usize>> {
        let far = usize::MAX / 4;
        let step = |a: usize, b: usize, width: usize| match (a == b, width) {
            (true, _) => 0,
            (_, 0) => far,
            _ => 1,
        };
        let mut distances: Vec<Vec<usize>> = (0..)
            .zip(self.widths())
            .map(|(a, row)| (0..).zip(row).map(|(b, width)| step(a, b, width)).collect())
            .collect();
        for via in 0..self.order {
            for a in 0..self.order {
                for b in 0..self.order {
                    let there = distances[a][via] + distances[via][b];
                    distances[a][b] = distances[a][b].min(there);
                }
            }
        }
        distances
    }

    /// Cables that leave each set of nodes.
    fn leaving(&self, side: usize) -> usize {
        self.cables().iter().filter(|(a, b)| (side >> a ^ side >> b) & 1 == 1).count()
    }

    fn bisection(&self) -> usize {
        let sides = (0..1usize << self.order).filter(|side| {
            let on = side.count_ones() as usize;
            on.abs_diff(self.order - on) <= 1
        });
        sides.map(|side| self.leaving(side)).min().unwrap_or(0)
    }

    fn edge_connectivity(&self) -> usize {
        (1..(1usize << self.order) - 1).map(|side| self.leaving(side)).min().unwrap_or(0)
    }

    fn vertex_connectivity(&self) -> usize {
        let widths = self.widths();
        let separates = |failed: &usize| {
            let alive: Vec<usize> = (0..self.order).filter(|at| failed >> at & 1 == 0).collect();
            let Some(&first) = alive.first() else { return false };
            let mut seen = BTreeSet::from([first]);
            let mut open = vec![first];
            while let Some(at) = open.pop() {
                for &to in alive.iter().filter(|&&to| widths[at][to] > 0) {
                    if seen.insert(to) {
                        open.push(to);
                    }
                }
            }
            seen.len() < alive.len()
        };
        let all = (0..1usize << self.order).filter(separates).map(|failed| failed.count_ones());
        all.min().map_or(self.order - 1, |failed| failed as usize)
    }

    /// The most that hosts can send to each other by what every set of switches lets out: what flows can carry where at most
    /// four switches have hosts (B. A. Papernov, 1976), and an upper bound elsewhere.
    fn least_cut(&self) -> Option<f64> {
        let ratios = (0..1usize << self.order).filter_map(|side| {
            let on = self.at.iter().filter(|&&at| side >> at & 1 == 1).count();
            let sent = (on * (self.hosts - on)) as f64 / (self.hosts - 1) as f64;
            let leaving = self.fabric.iter().filter(|(a, b)| (side >> a ^ side >> b) & 1 == 1);
            (sent > 0.0).then(|| leaving.count() as f64 / sent)
        });
        ratios.min_by(f64::total_cmp)
    }

    /// The load of every cable of a link when messages are spread over all shortest paths, each cable as likely: from one
    /// host to another.
    fn spread(&self, from: usize, to: usize, loads: &mut BTreeMap<(usize, usize), f64>) {
        let (widths, distances) = (self.widths(), self.distances());
        let paths = |end: usize| {
            let mut paths = vec![0.0; self.order];
            paths[end] = 1.0;
            let mut order: Vec<usize> = (0..self.order).collect();
            order.sort_by_key(|&at| distances[end][at]);
            for at in order.into_iter().filter(|&at| at != end && distances[end][at] <= self.order)
            {
                paths[at] = (0..self.order)
                    .filter(|&next| distances[end][next] + 1 == distances[end][at])
                    .map(|next| paths[next] * widths[at][next] as f64)
                    .sum();
            }
            paths
        };
        let (out, back) = (paths(from), paths(to));
        for a in 0..self.order {
            for b in (0..self.order).filter(|&b| widths[a][b] > 0) {
                if distances[from][a] + 1 + distances[b][to] == distances[from][to] {
                    *loads.entry((a, b)).or_default() += out[a] * back[b] / out[to];
                }
            }
        }
    }

    /// Whether a link is one between switches, where hosts have links of their own.
    fn is_of_fabric(&self, a: usize, b: usize) -> bool {
        !self.below || a >= self.hosts && b >= self.hosts
    }
}

/// Up to seven switches, up to three cables between two, and hosts of any of the three kinds.
fn any_case() -> impl Strategy<Value = Case> {
    let switches = (2usize..=6, prop::collection::vec(0..100u32, 15), 20..=100u32);
    let widths = prop::collection::vec(1usize..=3, 15);
    let hosts = prop::collection::vec(0usize..=2, 6);
    (switches, widths, hosts, 0..3u8, 1..=6usize).prop_map(
        |((n, dice, percent), widths, hosts, kind, few)| {
            let pairs = (0..n).flat_map(|b| (0..b).map(move |a| (a, b)));
            let links =
                pairs.zip(dice.iter().zip(&widths)).filter(|(_, (dice, _))| **dice < percent);
            let fabric: Vec<_> =
                links.flat_map(|(link, (_, &width))| std::iter::repeat_n(link, width)).collect();
            let hosts: Vec<usize> =
                (0..n).flat_map(|at| std::iter::repeat_n(at, hosts[at])).collect();
            if kind < 2 || hosts.len() < 2 {
                let marked = if kind == 0 { n } else { few.clamp(2, n) };
                let at = (0..marked).collect();
                return Case { order: n, hosts: marked, fabric, at, below: false }.separated();
            }
            let first = hosts.len();
            let fabric = fabric.into_iter().map(|(a, b)| (first + a, first + b)).collect();
            let at = hosts.iter().map(|at| first + at).collect();
            Case { order: first + n, hosts: first, fabric, at, below: true }
        },
    )
}

fn metrics_agree(case: &Case, built: &Built) {
    let distances = case.distances();
    let connected = distances.iter().flatten().all(|&far| far <= case.order);
    let subject = Analysis::new(built, Limits::default()).proving_all();
    let number = |key| subject.answer(key).ok().and_then(|answer| answer.number());
    let is = |value: usize| Some(value as f64);
    assert_eq!(number("cables"), is(case.cables().len()));
    assert_eq!(number("bisection"), is(case.bisection()));
    assert_eq!(number("edge_connectivity"), is(case.edge_connectivity()));
    assert_eq!(number("vertex_connectivity"), is(case.vertex_connectivity()));
    let found = cut(&subject).expect("it is small");
    assert_eq!((found.low, found.high), (case.bisection() as u64, case.bisection() as u64));
    if connected {
        assert_eq!(number("diameter"), distances.iter().flatten().copied().max().and_then(is));
    }
}

/// What the busiest channel between switches bears when each host sends 1 by a routing, and whether there is a
/// dependency cycle among its routes; none where not all routes were walked.
fn followed(case: &Case, built: &Built, router: &dyn Router, name: &str) -> Option<(f64, bool)> {
    /// Of more choices some are walked.
    const CHOICES: u64 = 48;
    let network = built.network.as_deref().expect("it is given");
    let distances = case.distances();
    let shortest = ["shortest", "balanced", "ecmp", "min", "min_hops"].contains(&name);
    let whole = !router.adapts() && router.choices() <= CHOICES;
    let most = most_hops(router).min(1000);
    let mut loads = BTreeMap::<(Node, Port), f64>::new();
    let mut waits = BTreeMap::<(Node, Port, Vc), BTreeSet<(Node, Port, Vc)>>::new();
    let pairs = (0..case.hosts).flat_map(|a| (0..case.hosts).map(move |b| (a, b)));
    for (from, to) in pairs.filter(|(from, to)| from != to) {
        for choice in 0..router.choices().min(CHOICES) {
            let ends = [from, to].map(|host| Node(host as u64));
            let route = walk(network, router, ends[0], ends[1], choice, most);
            let route = route.unwrap_or_else(|error| panic!("{name} from {from} to {to}: {error}"));
            assert!(route.hops.len() as u64 <= router.longest(), "{name}");
            if shortest {
                assert_eq!(route.hops.len(), distances[from][to], "{name} from {from} to {to}");
            }
            let mut held = None;
            for (ends, hop) in route.nodes.windows(2).zip(&route.hops) {
                let [at, next] = [0, 1].map(|end| index(ends[end].0));
                assert_eq!(network.neighbor(ends[0], hop.port), Some(ends[1]), "{name}");
                assert!(hop.vc.0 < router.vcs(), "{name}");
                if case.is_of_fabric(at, next) {
                    let part = 1.0 / ((case.hosts - 1) as f64 * router.choices() as f64);
                    *loads.entry((ends[0], hop.port)).or_default() += part;
                }
                let channel = (ends[0], hop.port, hop.vc);
                waits.entry(channel).or_default();
                if let Some(before) = held.replace(channel) {
                    waits.entry(before).or_default().insert(channel);
                }
            }
        }
        // Any hop of a router that adapts leads to the target too.
        for dice in 0..if router.adapts() { 8u64 } else { 0 } {
            let (mut at, mut hops) = (Node(from as u64), 0u64);
            let mut header = router.start(at, Node(to as u64), dice % router.choices());
            while at.0 != to as u64 {
                let mut all = Vec::new();
                router.hops(at, header, &mut all);
                assert!(!all.is_empty() && hops <= most, "{name} from {from} to {to}");
                let hop = all[index(splitmix64(dice << 32 | hops) % all.len() as u64)];
                at = network.neighbor(at, hop.port).expect("a hop takes a link");
                (header, hops) = (hop.header, hops + 1);
            }
        }
    }
    let most = loads.into_values().fold(0.0, f64::max);
    // What waits for nothing is taken off again and again.
    loop {
        let ends: Vec<_> =
            waits.iter().filter(|(_, on)| on.is_empty()).map(|(at, _)| *at).collect();
        if ends.is_empty() {
            break;
        }
        for end in &ends {
            waits.remove(end);
        }
        waits.values_mut().for_each(|on| on.retain(|channel| !ends.contains(channel)));
    }
    whole.then_some((most, !waits.is_empty()))
}

fn routes_agree(case: &Case, built: &Built) {
    let budget = Budget::default();
    let network = built.network.as_ref().expect("it is given");
    let limit = case.least_cut();
    let ask =
        |router: &str, gap| throughput(built, &Ask { router, gap, ..Ask::default() }, &budget);
    let any = ask("all_paths", Some(0.01)).expect("a connected network");
    let any = any.any_routing.map(|bounds| bounds.expect("it is small"));
    if let (Some(any), Some(limit)) = (&any, limit) {
        assert!(any.low <= any.high * (1.0 + 1e-9), "{any:?}");
        assert!(any.low <= limit * (1.0 + 1e-6), "{any:?} beyond the cut {limit}");
        let sources: BTreeSet<usize> = case.at.iter().copied().collect();
        if sources.len() <= 4 {
            assert!(any.high >= limit * (1.0 - 1e-6), "{any:?} below the cut {limit}");
        }
    }
    for name in routers::all_names(built) {
        let Ok(router) = routers::find_within(built, &name, &budget) else { continue };
        let found = followed(case, built, &*router, &name);
        let verdict = certified(network, (router.clone(), &name), None, &budget);
        let verdict = verdict.unwrap_or_else(|error| panic!("{name}: {error}"));
        let Some((most, cycle)) = found else { continue };
        assert_eq!(verdict.certificate.is_free(), !cycle, "{name}");
        // Throughput has even splits under some names of routers that hash.
        if Split::named(&name).is_none() {
            let theta = ask(&name, None).unwrap_or_else(|error| panic!("{name}: {error}"));
            let theta = theta.network_theta.map_or(0.0, |theta| 1.0 / theta.value);
            // Legs are counted whole, also where the first comes through the target.
            let counted = if router.structure().through.is_some() { theta.max(most) } else { most };
            assert!(
                (theta - counted).abs() < 1e-9 * most.max(1.0),
                "{name}: {theta} is not {most}"
            );
            if let Some(any) = &any {
                assert!(1.0 / most <= any.high * (1.0 + 1e-9), "{name}: {most} {any:?}");
            }
        }
    }
}

/// The worst permutation of all, where hosts are few.
fn worst_agrees(case: &Case, built: &Built) {
    if case.hosts > 5 || case.at.iter().collect::<BTreeSet<_>>().len() < case.hosts {
        return;
    }
    let ask = Ask { traffic: "worst", gap: None, ..Ask::default() };
    let Ok(found) = throughput(built, &ask, &Budget::default()) else { return };
    let mut most = 0.0f64;
    let all = (0..case.hosts.pow(u32::try_from(case.hosts).expect("few"))).filter_map(|number| {
        let to: Vec<usize> = (0..case.hosts)
            .map(|host| number / case.hosts.pow(u32::try_from(host).expect("few")) % case.hosts)
            .collect();
        (to.iter().collect::<BTreeSet<_>>().len() == case.hosts).then_some(to)
    });
    for permutation in all {
        let mut loads = BTreeMap::new();
        for (from, to) in permutation.into_iter().enumerate().filter(|(from, to)| from != to) {
            case.spread(from, to, &mut loads);
        }
        let of_fabric = loads.into_iter().filter(|((a, b), _)| case.is_of_fabric(*a, *b));
        most = of_fabric.map(|(_, load)| load).fold(most, f64::max);
    }
    let theta = found.network_theta.map_or(0.0, |theta| 1.0 / theta.value);
    assert!((theta - most).abs() < 1e-9 * most.max(1.0), "{theta} is not {most}");
}

/// Every collective has a plan that its checker passed, which is no quicker than what must be.
fn collectives_agree(case: &Case, built: &Built) {
    let budget = Budget::default();
    let price = Price { alpha: 1e-6, beta: 1e-9, hop: 1e-7 };
    for collective in Collective::ALL {
        for ports in [Ports::One, Ports::All] {
            let ask = collectives::Ask { ports, price, ..collectives::Ask::of(collective) };
            let found = plan(built, &ask, &budget);
            let found = found.unwrap_or_else(|error| panic!("{}: {error}", collective.name()));
            let seconds = found.choice.best.time.seconds * (1.0 + 1e-9);
            assert!(seconds >= found.latency_bound(), "{} {case:?}", collective.name());
            assert!(seconds >= found.bandwidth_bound(), "{} {case:?}", collective.name());
        }
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn random_multigraphs_are_as_brute_force_says(case in any_case()) {
        let built = case.built();
        metrics_agree(&case, &built);
        if case.distances().iter().flatten().all(|&far| far <= case.order) {
            routes_agree(&case, &built);
            worst_agrees(&case, &built);
            collectives_agree(&case, &built);
        }
    }
}

/// Known widths of networks whose links have several cables.
#[test]
fn bisections_of_fat_trees_with_parallel_cables() {
    for (spec, width) in [("pgft([2, 4], [1, 2], [1, 3])", 7), ("pgft([1, 3], [1, 3], [1, 3])", 11)]
    {
        let built = nestnet_topologies::build(spec).expect("a spec");
        let found = cut(&Analysis::new(&built, Limits::default()).proving_all()).expect("small");
        assert_eq!((found.low, found.high), (width, width), "{spec}");
    }
}
