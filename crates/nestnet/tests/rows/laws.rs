//! The laws that every row of the table obeys, on its examples and on random small instances of it.

use crate::truth::{Truth, histogram, true_on_vague_bases};
use crate::{context, make};
use nestnet::build::canonical;
use nestnet::bulk_neighbors::{Shifted, mark};
use nestnet::collective::{self, Goal, Model, Repeats};
use nestnet::family::{EvaluatedValue, Family, Kind, Param};
use nestnet::format::edges;
use nestnet::measure::orbit::node_classes;
use nestnet::measure::search::distances_from;
use nestnet::network::mark_neighbors;
use nestnet::route::deadlock::{certify, check};
use nestnet::route::{Entry, walk};
use nestnet::{Address, Budget, Built, Distances, Header, Network, Node, Port, Spec, locate};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use std::cell::Cell;
use std::fmt;

/// Larger instances are not searched from every node.
const MAX_ORDER: u64 = 1500;

const BASES: &[&str] = &[
    "complete(1)",
    "complete(2)",
    "path(3)",
    "ring(3)",
    "ring(4)",
    "star(4)",
    "tree(3)",
    "mesh(2, 3)",
    "hypercube(2)",
    "folded_hypercube(3)",
    "petersen",
    "rdn(path(2), 1)",
    "rsn(path(3), 2)",
    "re(ring(3), path(2), 1, pivots=degree)",
    "flooded(path(3), 2)",
    "file(\"house\")",
    "file(\"trunks\")",
];

/// An argument, as it is written.
#[derive(Clone, Debug)]
enum Given {
    Integer(u64),
    Integers(Vec<u64>),
    List(Vec<u64>),
    Network(String),
    Networks(Vec<String>),
    Word(&'static str),
    Text(&'static str),
}

impl fmt::Display for Given {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let listed = |list: &[u64]| list.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
        match self {
            Given::Integer(value) => write!(f, "{value}"),
            Given::Integers(list) => write!(f, "{}", listed(list)),
            Given::List(list) => write!(f, "[{}]", listed(list)),
            Given::Network(spec) => write!(f, "{spec}"),
            Given::Networks(list) => write!(f, "[{}]", list.join(", ")),
            Given::Word(word) => write!(f, "{word}"),
            Given::Text(text) => write!(f, "{text:?}"),
        }
    }
}

impl Given {
    /// What the row gets to see of it.
    fn evaluated(&self) -> EvaluatedValue {
        let base = |spec: &String| make(spec).expect("a base is built");
        match self {
            Given::Integer(value) => EvaluatedValue::Integer(*value),
            Given::Integers(list) | Given::List(list) => EvaluatedValue::Integers(list.clone()),
            Given::Network(spec) => EvaluatedValue::Network(base(spec)),
            Given::Networks(list) => EvaluatedValue::Networks(list.iter().map(base).collect()),
            Given::Word(word) => EvaluatedValue::Word(word),
            Given::Text(text) => EvaluatedValue::Text((*text).to_owned()),
        }
    }
}

/// Random arguments for a row; integers stay close to the least that is allowed.
fn argument(kind: Kind) -> BoxedStrategy<Given> {
    let base = || proptest::sample::select(BASES).prop_map(str::to_owned);
    match kind {
        Kind::Integer { min, max } => (min..=max.min(min + 7)).prop_map(Given::Integer).boxed(),
        Kind::Integers { min, max } => {
            let side = min..=max.min(min + 4);
            proptest::collection::vec(side, 1..4).prop_map(Given::Integers).boxed()
        }
        // Often 1, as lists of links up and of cables begin.
        Kind::IntegerList { min, .. } => {
            let first = prop_oneof![3 => Just(min), 1 => min..min + 3];
            let rest = proptest::collection::vec(min..min + 3, 1..3);
            let list = (first, rest).prop_map(|(first, rest)| [vec![first], rest].concat());
            list.prop_map(Given::List).boxed()
        }
        Kind::Network => base().prop_map(Given::Network).boxed(),
        Kind::Fabric => {
            let hosted = |base: String| Given::Network(format!("hosts({base}, 2)"));
            base().prop_map(hosted).boxed()
        }
        Kind::Networks => prop_oneof![
            base().prop_map(Given::Network),
            proptest::collection::vec(base(), 1..4).prop_map(Given::Networks),
        ]
        .boxed(),
        Kind::Word(words) => proptest::sample::select(words).prop_map(Given::Word).boxed(),
        Kind::Text => Just(Given::Text("house")).boxed(),
    }
}

/// For each parameter of a row an argument, or none.
fn instance(family: &'static Family) -> BoxedStrategy<Vec<Option<Given>>> {
    let param = |param: &Param| {
        let given = argument(param.kind);
        if param.optional {
            prop_oneof![Just(None), given.prop_map(Some)].boxed()
        } else {
            given.prop_map(Some).boxed()
        }
    };
    family.params.iter().map(param).collect::<Vec<_>>().boxed()
}

/// The spec of a row with these arguments.
fn written(family: &Family, given: &[Option<Given>]) -> String {
    let arg = |(param, given): (&Param, &Option<Given>)| match given {
        Some(given) if param.optional => Some(format!("{}={given}", param.name)),
        given => given.as_ref().map(Given::to_string),
    };
    let args: Vec<String> = family.params.iter().zip(given).filter_map(arg).collect();
    format!("{}({})", family.name, args.join(", "))
}

/// The same arguments as the row gets to see them.
fn evaluated(family: &Family, given: &[Option<Given>]) -> Vec<(&'static str, EvaluatedValue)> {
    let value = |(param, given): (&Param, &Option<Given>)| {
        let value = match (given, param.kind) {
            (Some(given), _) => given.evaluated(),
            (None, Kind::Word(words)) => EvaluatedValue::Word(words[0]),
            (None, _) => return None,
        };
        Some((param.name, value))
    };
    family.params.iter().zip(given).filter_map(value).collect()
}

fn neighbors(network: &dyn Network, at: Node) -> Vec<(Port, Node)> {
    let mut list = Vec::new();
    network.for_each_neighbor(at, &mut |port, to| list.push((port, to)));
    list
}

fn edge_text(network: &dyn Network) -> Vec<u8> {
    let mut text = Vec::new();
    edges::write(network, &mut text, |_| true).expect("writing to memory");
    text
}

fn links_are_symmetric(network: &dyn Network) -> Result<(), TestCaseError> {
    for at in (0..network.order()).map(Node) {
        let list = neighbors(network, at);
        let asked = (0..network.ports()).map(Port);
        let asked: Vec<_> =
            asked.filter_map(|port| Some((port, network.neighbor(at, port)?))).collect();
        prop_assert_eq!(&list, &asked, "for_each_neighbor and neighbor differ at {}", at);
        for &(port, to) in &list {
            prop_assert!(to != at && to.0 < network.order(), "{} leads to {}", at, to);
            // Cable k of a link is the k-th of its ports at both ends.
            let cables = list.iter().filter(|&&(_, end)| end == to);
            let cable = cables.clone().position(|&(other, _)| other == port).expect("one of them");
            let back: Vec<_> =
                neighbors(network, to).into_iter().filter(|&(_, end)| end == at).collect();
            prop_assert_eq!(back.len(), cables.count(), "cables of {} ~ {}", at, to);
            let (back, _) = back[cable];
            let level = network.level(at, port);
            prop_assert!(level < network.levels(), "level {} of {}", level, network.levels());
            prop_assert_eq!(level, network.level(to, back), "levels of {} ~ {}", at, to);
        }
    }
    Ok(())
}

fn automorphisms_keep_links(network: &dyn Network) -> Result<(), TestCaseError> {
    for (number, g) in network.automorphisms().iter().enumerate() {
        let mut hit = vec![false; usize::try_from(network.order()).expect("small")];
        for at in 0..network.order() {
            let image = usize::try_from(g(at)).expect("small");
            prop_assert!(!std::mem::replace(&mut hit[image], true), "{} is not one to one", number);
            let mut moved: Vec<u64> =
                neighbors(network, Node(at)).iter().map(|(_, to)| g(to.0)).collect();
            let mut there: Vec<u64> =
                neighbors(network, Node(g(at))).iter().map(|(_, to)| to.0).collect();
            moved.sort_unstable();
            there.sort_unstable();
            prop_assert_eq!(moved, there, "automorphism {} at {}", number, at);
        }
    }
    Ok(())
}

/// Every third node, marked in a network that begins somewhere inside a larger one.
fn batches_agree(network: &dyn Network) -> Result<(), TestCaseError> {
    let offset = 77;
    let some = (0..network.order()).step_by(3);
    let batch: Vec<Shifted> = some.clone().map(|node| Shifted { node, offset }).collect();
    let words = usize::try_from((offset + network.order()).div_ceil(64)).expect("small");
    let (mut marks, mut plain) = (vec![0; words], vec![0; words]);
    mark_neighbors(network, &batch, &mut marks);
    for at in some {
        neighbors(network, Node(at)).iter().for_each(|(_, to)| mark(&mut plain, offset + to.0));
    }
    prop_assert_eq!(marks, plain);
    Ok(())
}

fn addresses_go_round(network: &dyn Network) -> Result<(), TestCaseError> {
    for at in (0..network.order()).map(Node) {
        let address = network.address(at);
        prop_assert_eq!(network.node(&address), Some(at), "{}", address);
        let text = address.to_string();
        let mut put = b"at ".to_vec();
        network.put_address(at, &mut put);
        prop_assert_eq!(String::from_utf8(put), Ok(format!("at {text}")));
        prop_assert_eq!(Address::parse(&text), Ok(address));
        prop_assert_eq!(locate(network, &text), Ok(at), "{}", text);
        prop_assert_eq!(locate(network, &at.to_string()), Ok(at));
    }
    prop_assert!(locate(network, &network.order().to_string()).is_err());
    Ok(())
}

/// The closed form of the distance, and the classes of nodes that are alike, against searches from every node.
fn distances_are_exact(network: &dyn Network) -> Result<(), TestCaseError> {
    let mut all = Distances::default();
    for from in (0..network.order()).map(Node) {
        let distances = distances_from(network, from);
        for (to, &distance) in (0..).map(Node).zip(&distances) {
            if let Some(ours) = network.distance(from, to) {
                prop_assert_eq!(ours, u64::from(distance), "from {} to {}", from, to);
            }
        }
        all = all.plus(&histogram(&distances));
    }
    for (orbits, what) in [(node_classes(network), "classes"), (network.orbits(), "orbits")] {
        let Some(orbits) = orbits else { continue };
        prop_assert_eq!(orbits.iter().map(|orbit| orbit.size).sum::<u64>(), network.order());
        let by_symmetry = orbits.iter().fold(Distances::default(), |sum, orbit| {
            let here = histogram(&distances_from(network, orbit.node));
            sum.plus(&here.scaled(&orbit.size.into()))
        });
        prop_assert_eq!(&by_symmetry, &all, "{}", what);
    }
    Ok(())
}

/// Larger instances are not routed between all pairs.
const MAX_ROUTED: u64 = 64;

fn routes_arrive(built: &Built, network: &dyn Network) -> Result<(), TestCaseError> {
    let names = built.router_names();
    prop_assert!(names.contains(&"shortest"), "{:?}", names);
    for name in names {
        let router = built.router(name).expect("one of its names");
        for to in (0..network.order()).map(Node) {
            let distance = distances_from(network, to);
            for (from, &least) in (0..).map(Node).zip(&distance) {
                for choice in 0..router.choices() {
                    let route = walk(network, &*router, from, to, choice, 10_000);
                    if least == u32::MAX {
                        prop_assert!(route.is_err(), "{}: {} to {}", name, from, to);
                        continue;
                    }
                    let route = route.map_err(|error| {
                        TestCaseError::fail(format!("{name}: {from} to {to}: {error}"))
                    })?;
                    let hops = route.hops.len() as u64;
                    prop_assert!(hops <= router.longest(), "{}: {} hops", name, hops);
                    prop_assert!(route.hops.iter().all(|hop| hop.vc.0 < router.vcs()), "{}", name);
                    if name == "shortest" {
                        prop_assert_eq!(hops, u64::from(least), "{} to {}", from, to);
                    }
                }
            }
            if !router.remembers() {
                let mut row = vec![Entry::NONE; distance.len()];
                router.fill(to, &mut row);
                for (at, entry) in (0..).map(Node).zip(row) {
                    let hop = router.next(at, Header { to, state: 0 });
                    prop_assert_eq!(entry, Entry::of(hop), "{}: {} to {}", name, at, to);
                }
            }
        }
        let certificate = certify(network, &*router, &Budget::UNLIMITED);
        let certificate = certificate.expect("it is small");
        prop_assert!(check(network, &*router, &certificate, &Budget::UNLIMITED).is_ok());
        // Only what a paper publishes as it is may deadlock: the cube of rings has virtual channels of its own.
        let published = (["paper", "walk"].contains(&name) || name.starts_with("hop_plane"))
            && publishes_channels(built);
        prop_assert!(certificate.is_free() || published, "{} can deadlock", name);
    }
    Ok(())
}

/// Whether it is a cube of rings, which alone has a router `repaired`.
fn publishes_channels(built: &Built) -> bool {
    built.router_names().contains(&"repaired")
}

/// Its broadcasts inform every node, from the first node, the last and one between: once, but for those of a paper that
/// go to a root first and from there to everybody.
fn broadcasts_reach_everybody(built: &Built, network: &dyn Network) -> Result<(), TestCaseError> {
    let ours = built.schedules().iter().map(|(_, ours)| (ours.clone(), Repeats::Forbidden));
    let through_root = !built.schedules().is_empty();
    let repeats = if through_root { Repeats::Allowed } else { Repeats::Forbidden };
    for (own, repeats) in built.own_broadcast().map(|own| (own, repeats)).into_iter().chain(ours) {
        let model = Model { ports: own.ports(), repeats };
        for root in [0, network.order() / 2, network.order() - 1].map(Node) {
            let goal = Goal::Broadcast { root };
            let cost = collective::check(network, model, goal, own.from(root), &Budget::UNLIMITED);
            let cost =
                cost.map_err(|error| TestCaseError::fail(format!("from {root}: {error}")))?;
            let again = cost.transfers - (network.order() - 1);
            prop_assert!(again == 0 || repeats == Repeats::Allowed, "from {}", root);
        }
    }
    Ok(())
}

/// What was found out about the network, unless the spec means none or for one that is too large.
fn obeys_the_laws(text: &str) -> Result<Option<Truth>, TestCaseError> {
    let Ok(built) = make(text) else { return Ok(None) };
    let Some(network) = built.network.as_deref().filter(|network| network.order() <= MAX_ORDER)
    else {
        return Ok(None);
    };
    let truth = Truth::of(network);
    truth.bears_out(&*built.theory)?;
    truth.bears_out(&*built.proven)?;
    prop_assert!(built.theory.degrees().counts.is_some(), "a small network is counted");
    links_are_symmetric(network)?;
    automorphisms_keep_links(network)?;
    batches_agree(network)?;
    addresses_go_round(network)?;
    distances_are_exact(network)?;
    if network.order() <= MAX_ROUTED {
        routes_arrive(&built, network)?;
    }
    broadcasts_reach_everybody(&built, network)?;
    let spec = Spec::parse(text).expect("it was built");
    let printed = canonical(&spec, text).expect("it was built");
    let again = Spec::parse(&printed.to_string()).expect("what is printed can be read");
    prop_assert_eq!(&canonical(&again, &printed.to_string()).expect("canonical"), &printed);
    let rebuilt = make(&printed.to_string()).expect("what is printed can be built");
    let rebuilt = rebuilt.network.expect("the same network");
    prop_assert_eq!(edge_text(network), edge_text(&*rebuilt));
    Ok(Some(truth))
}

/// Every example.
pub fn examples(family: &'static Family) {
    assert!(!family.examples.is_empty(), "{} has no example", family.name);
    for example in family.examples {
        make(example).unwrap_or_else(|error| panic!("{error}"));
        obeys_the_laws(example).unwrap_or_else(|error| panic!("{example}: {error}"));
    }
}

/// Random small instances.
pub fn random_arguments(family: &'static Family) {
    let built = Cell::new(0);
    // Where most arguments do not fit each other, more are tried.
    let first = if nestnet_seed::slow() { 300 } else { 24 };
    for cases in [first, 400, 4000] {
        let config = Config { cases, ..nestnet_seed::config() };
        let result = TestRunner::new(config).run(&instance(family), |given| {
            let text = written(family, &given);
            let laws = || {
                let Some(truth) = obeys_the_laws(&text)? else { return Ok(()) };
                built.set(built.get() + 1);
                let values = evaluated(family, &given);
                true_on_vague_bases(family, &values, &context(), &truth)
            };
            laws().map_err(|error: TestCaseError| TestCaseError::fail(format!("{text}: {error}")))
        });
        if let Err(error) = result {
            panic!("{error}");
        }
        if built.get() >= 5 || family.params.is_empty() {
            break;
        }
    }
    assert!(built.get() > 0, "no instance of {} was small enough to check", family.name);
}

/// Arguments of any size and kind are refused or built, never a panic.
pub fn any_arguments(family: &'static Family) {
    let argument = prop_oneof![
        any::<i64>().prop_map(|value| value.to_string()),
        (0..70u64).prop_map(|value| value.to_string()),
        proptest::sample::select(BASES).prop_map(str::to_owned),
        Just("[ring(3), complete(9)]".to_owned()),
        Just("hypercube(60)".to_owned()),
        Just("torus(4294967296, 4294967296)".to_owned()),
        Just("rdn(ring(3), 8)".to_owned()),
    ];
    let config = Config { cases: 32, ..nestnet_seed::config() };
    let arguments = proptest::collection::vec(argument, 0..5);
    let result = TestRunner::new(config).run(&arguments, |args| {
        let Ok(built) = make(&format!("{}({})", family.name, args.join(", "))) else {
            return Ok(());
        };
        built.theory.degrees();
        built.theory.connected();
        if let Some(network) = &built.network {
            let last = Node(network.order() - 1);
            prop_assert_eq!(network.node(&network.address(last)), Some(last));
            if network.ports() < 1000 {
                neighbors(&**network, last);
            }
        }
        Ok(())
    });
    result.unwrap_or_else(|error| panic!("{error}"));
}
