//! What a claim can be about: the one table of quantities that the ledger measures.
//!
//! Every key of the measures is one, asked of a network; the others are here.

use super::lab::{Lab, Sample};
use super::value::Value;
use crate::broadcasts::{Algorithm, broadcast};
use crate::embed::{EmbedLimits, Embedding, embed};
use crate::emulation::emulate;
use crate::measures::MEASURES;
use crate::programs::{Program, Run, run};
use crate::routers;
use nestnet_core::collective::Ports;
use nestnet_core::measure::search::distances_from;
use nestnet_core::measure::symmetry::symmetry;
use nestnet_core::network::sorted_neighbors;
use nestnet_core::route::deadlock::{self, certify};
use nestnet_core::route::{
    Against, Capped, Faults, Proof, Survey, SurveyLimits, Walk, disjoint_paths, survey, walk,
};
use nestnet_core::{Csr, Network, Node, Router};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use std::sync::{Arc, LazyLock};

/// Something that can be measured.
#[derive(Debug)]
pub struct Quantity {
    /// Its name in formulas.
    pub name: &'static str,
    /// What it takes.
    pub takes: &'static [Takes],
    /// What it is, in a few words.
    pub about: &'static str,
    /// The command that shows it, with `{0}` for the first argument and so on; empty where none does.
    pub command: &'static str,
    /// Where it comes from.
    pub source: Source,
}

/// What an argument must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// A spec.
    Network,
    /// A node of the network before it, by id or address.
    Node,
    /// An integer.
    Number,
    /// A word, such as the name of a router.
    Word,
}

/// How a quantity is found.
#[derive(Clone, Copy, Debug)]
pub enum Source {
    /// By the measure with this key.
    Key(&'static str),
    /// By a function.
    Function(fn(&Lab<'_>, &[Given]) -> Result<Value, String>),
}

/// An argument.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Given {
    Network(Arc<Sample>),
    Node(Node),
    Number(BigInt),
    Word(String),
}

impl Given {
    /// The network.
    pub fn sample(&self) -> Result<&Sample, String> {
        match self {
            Given::Network(sample) => Ok(sample),
            _ => Err("a network is needed".to_owned()),
        }
    }

    fn node(&self) -> Result<Node, String> {
        match self {
            Given::Node(node) => Ok(*node),
            _ => Err("a node is needed".to_owned()),
        }
    }

    fn word(&self) -> Result<&str, String> {
        match self {
            Given::Word(word) => Ok(word),
            _ => Err("a word is needed".to_owned()),
        }
    }

    fn number(&self) -> Result<u64, String> {
        match self {
            Given::Number(number) => {
                number.to_u64().ok_or_else(|| format!("{number} is not allowed here"))
            }
            _ => Err("a number is needed".to_owned()),
        }
    }
}

impl Sample {
    /// The network itself.
    pub fn network(&self) -> Result<&dyn Network, String> {
        self.built.network.as_deref().ok_or_else(|| format!("{} has no node ids", self.spec))
    }
}

/// The quantity of that name.
pub fn find(name: &str) -> Option<&'static Quantity> {
    QUANTITIES.iter().find(|quantity| quantity.name == name)
}

/// The names of all quantities.
pub fn names() -> impl Iterator<Item = &'static str> {
    QUANTITIES.iter().map(|quantity| quantity.name)
}

/// All quantities.
pub static QUANTITIES: LazyLock<Vec<Quantity>> = LazyLock::new(|| {
    let keys = MEASURES.iter().flat_map(|measure| {
        measure.keys.iter().map(|key| Quantity {
            name: key,
            takes: &[Takes::Network],
            about: measure.about,
            command: "nestnet measure '{0}' --only {name}",
            source: Source::Key(key),
        })
    });
    keys.chain(OTHERS.iter().map(|&(name, takes, about, command, find)| Quantity {
        name,
        takes,
        about,
        command,
        source: Source::Function(find),
    }))
    .collect()
});

type Row = (
    &'static str,
    &'static [Takes],
    &'static str,
    &'static str,
    fn(&Lab<'_>, &[Given]) -> Result<Value, String>,
);

use Takes::{Network as N, Node as V, Number as I, Word as W};

const OTHERS: &[Row] = &[
    ("hosts", &[N], "nodes that inject and receive", "nestnet info '{0}'", hosts),
    ("levels", &[N], "levels of links", "nestnet info '{0}'", levels),
    ("links_at", &[N, I], "links of one level, 0 innermost", "", links_at),
    (
        "adjacent",
        &[N, V, V],
        "whether two nodes are linked",
        "nestnet neighbors '{0}' '{1}'",
        adjacent,
    ),
    ("degree_at", &[N, V], "links of a node", "nestnet neighbors '{0}' '{1}'", degree_at),
    (
        "neighbors",
        &[N, V],
        "the ids of the neighbors, ascending",
        "nestnet neighbors '{0}' '{1}'",
        neighbors,
    ),
    ("address", &[N, V], "a node as its paper writes it", "nestnet neighbors '{0}' '{1}'", address),
    ("id", &[N, V], "the id of an address", "nestnet neighbors '{0}' '{1}'", id_of),
    (
        "distance",
        &[N, V, V],
        "links of a shortest path",
        "nestnet route '{0}' '{1}' '{2}' --router shortest",
        distance,
    ),
    ("eccentricity", &[N, V], "links to the farthest node", "", eccentricity),
    (
        "isomorphic",
        &[N, N],
        "whether two connected networks are the same but for names",
        "",
        isomorphic,
    ),
    ("same_links", &[N, N], "whether two networks have the same links by id", "", same_links),
    (
        "hops",
        &[N, W, V, V],
        "hops of a route",
        "nestnet route '{0}' '{2}' '{3}' --router {1}",
        hops,
    ),
    (
        "path",
        &[N, W, V, V],
        "the nodes of a route by id",
        "nestnet route '{0}' '{2}' '{3}' --router {1}",
        path,
    ),
    (
        "longest_route",
        &[N, W],
        "hops of the longest route",
        "nestnet routing '{0}' --router {1}",
        longest_route,
    ),
    (
        "mean_route",
        &[N, W],
        "hops of a route in the mean",
        "nestnet routing '{0}' --router {1}",
        mean_route,
    ),
    (
        "stretch",
        &[N, W],
        "the largest ratio of hops to distance",
        "nestnet routing '{0}' --router {1}",
        stretch,
    ),
    (
        "all_arrive",
        &[N, W],
        "whether every message arrives",
        "nestnet routing '{0}' --router {1}",
        all_arrive,
    ),
    ("vcs", &[N, W], "virtual channels of a router", "nestnet deadlock '{0}' --router {1}", vcs),
    (
        "deadlock_free",
        &[N, W],
        "whether no messages can wait in a circle",
        "nestnet deadlock '{0}' --router {1}",
        deadlock_free,
    ),
    (
        "deadlock_free_with",
        &[N, W, I],
        "the same with so many virtual channels",
        "nestnet deadlock '{0}' --router {1} --vcs {2}",
        deadlock_free_with,
    ),
    (
        "disjoint_paths",
        &[N, V, V],
        "paths that share no other node",
        "nestnet paths '{0}' '{1}' '{2}'",
        disjoint,
    ),
    (
        "broadcast_steps",
        &[N, V, W, W],
        "steps of a broadcast: paper or best, one or all ports",
        "nestnet broadcast '{0}' '{1}' --algorithm {2} --ports {3}",
        broadcast_steps,
    ),
    (
        "broadcast_worst",
        &[N, W, W],
        "steps of a broadcast from the worst node",
        "",
        broadcast_worst,
    ),
    (
        "broadcast_once",
        &[N, V, W, W],
        "whether each node is told exactly once",
        "nestnet broadcast '{0}' '{1}' --algorithm {2} --ports {3}",
        broadcast_once,
    ),
    (
        "broadcast_transfers",
        &[N, V, W, W],
        "messages of a broadcast",
        "nestnet broadcast '{0}' '{1}' --algorithm {2} --ports {3}",
        broadcast_transfers,
    ),
    (
        "program_steps",
        &[N, W],
        "steps of fft, sort, scan or transpose",
        "nestnet run {1} '{0}'",
        program_steps,
    ),
    (
        "program_agrees",
        &[N, W],
        "whether it computes what it should",
        "nestnet run {1} '{0}'",
        program_agrees,
    ),
    (
        "slowdown",
        &[N],
        "steps of the slowest dimension of an emulation",
        "nestnet emulate '{0}'",
        slowdown,
    ),
    (
        "all_port_slowdown",
        &[N],
        "steps of all dimensions at once",
        "nestnet emulate '{0}'",
        all_port_slowdown,
    ),
    (
        "dilation",
        &[N, N],
        "the longest image of a link of the first in the second, at best known",
        "nestnet embed '{0}' '{1}'",
        dilation,
    ),
    (
        "congestion",
        &[N, N],
        "images over the busiest link of the second, at best known",
        "nestnet embed '{0}' '{1}'",
        congestion,
    ),
];

fn hosts(_: &Lab<'_>, given: &[Given]) -> Result<Value, String> {
    Ok(given[0].sample()?.built.theory.hosts().into())
}

fn levels(_: &Lab<'_>, given: &[Given]) -> Result<Value, String> {
    Ok(u64::from(given[0].sample()?.network()?.levels()).into())
}

fn links_at(_: &Lab<'_>, given: &[Given]) -> Result<Value, String> {
    let network = given[0].sample()?.network()?;
    let level = given[1].number()?;
    let mut ends = 0u64;
    for at in (0..network.order()).map(Node) {
        network.for_each_neighbor(at, &mut |port, _| {
            ends += u64::from(u64::from(network.level(at, port)) == level);
        });
    }
    Ok((ends / 2).into())
}

fn adjacent(_: &Lab<'_>, given: &[Given]) -> Result<Value, String> {
    let neighbors = sorted_neighbors(given[0].sample()?.network()?, given[1].node()?);
    Ok(neighbors.contains(&given[2].node()?).into())
}

fn degree_at(_: &Lab<'_>, given: &[Given]) -> Result<Value, String> {
    let neighbors = sorted_neighbors(given[0].sample()?.network()?, given[1].node()?);
    Ok((neighbors.len() as u64).into())
}

fn ids(nodes: &[Node]) -> Value {
    let ids: Vec<String> = nodes.iter().map(ToString::to_string).collect();
    Value::Text(ids.join(" "))
}

fn neighbors(_: &Lab<'_>, given: &[Given]) -> Result<Value, String> {
    Ok(ids(&sorted_neighbors(given[0].sample()?.network()?, given[1].node()?)))
}

fn address(_: &Lab<'_>, given: &[Given]) -> Result<Value, String> {
    Ok(Value::Text(given[0].sample()?.network()?.address(given[1].node()?).to_string()))
}

fn id_of(_: &Lab<'_>, given: &[Given]) -> Result<Value, String> {
    Ok(given[1].node()?.0.into())
}

/// The most nodes that are searched from one.
const MAX_SEARCHED: u64 = 1 << 26;

fn searched(network: &dyn Network, from: Node) -> Result<Vec<u32>, String> {
    if network.order() > MAX_SEARCHED {
        return Err(format!("{} nodes are too many to search", network.order()));
    }
    Ok(distances_from(network, from))
}

fn distance(_: &Lab<'_>, given: &[Given]) -> Result<Value, String> {
    let network = given[0].sample()?.network()?;
    let (from, to) = (given[1].node()?, given[2].node()?);
    if let Some(distance) = network.distance(from, to).filter(|_| network.order() > MAX_SEARCHED) {
        return Ok(distance.into());
    }
    let index = usize::try_from(to.0).map_err(|error| error.to_string())?;
    match searched(network, from)?[index] {
        u32::MAX => Err("there is no path".to_owned()),
        distance => Ok(u64::from(distance).into()),
    }
}

fn eccentricity(_: &Lab<'_>, given: &[Given]) -> Result<Value, String> {
    let distances = searched(given[0].sample()?.network()?, given[1].node()?)?;
    let farthest = distances.iter().max().copied().unwrap_or(0);
    if farthest == u32::MAX {
        return Err("not every node is reached".to_owned());
    }
    Ok(u64::from(farthest).into())
}

/// Two connected networks are the same exactly if an automorphism of both side by side exchanges them.
fn isomorphic(lab: &Lab<'_>, given: &[Given]) -> Result<Value, String> {
    let [a, b] = [given[0].sample()?.network()?, given[1].sample()?.network()?];
    if a.order() != b.order() {
        return Ok(false.into());
    }
    let half = u32::try_from(a.order()).map_err(|error| error.to_string())?;
    let mut links = Vec::new();
    for (network, first) in [(a, 0), (b, half)] {
        let network = Csr::from_network(network, lab.max_memory()).map_err(|e| e.to_string())?;
        for at in 0..half {
            let ends = network.neighbors(at).iter().filter(|&&to| at < to);
            links.extend(ends.map(|to| (first + at, first + to)));
        }
    }
    let both = Csr::from_links(2 * a.order(), &links, lab.max_memory());
    let both = both.map_err(|error| error.to_string())?;
    let found = symmetry(&both, lab.watch()).map_err(|error| error.to_string())?;
    let half = usize::try_from(a.order()).map_err(|error| error.to_string())?;
    let (first, second) = found.nodes.of.split_at(half);
    Ok(first.first().is_none_or(|class| second.contains(class)).into())
}

fn same_links(_: &Lab<'_>, given: &[Given]) -> Result<Value, String> {
    let [a, b] = [given[0].sample()?.network()?, given[1].sample()?.network()?];
    let same = |at| sorted_neighbors(a, Node(at)) == sorted_neighbors(b, Node(at));
    Ok((a.order() == b.order() && (0..a.order()).all(same)).into())
}

fn router(lab: &Lab<'_>, given: &[Given]) -> Result<Arc<dyn Router>, String> {
    let (sample, name) = (given[0].sample()?, given[1].word()?);
    let router = routers::find(&sample.built, name, lab.max_memory(), lab.watch());
    router.map_err(|error| error.to_string())
}

fn walked(lab: &Lab<'_>, given: &[Given]) -> Result<Walk, String> {
    /// A route that is longer does not end.
    const MAX_HOPS: u64 = 100_000;
    let network = given[0].sample()?.network()?;
    let (from, to) = (given[2].node()?, given[3].node()?);
    let walked = walk(network, &*router(lab, given)?, from, to, 0, MAX_HOPS);
    walked.map_err(|error| error.to_string())
}

fn hops(lab: &Lab<'_>, given: &[Given]) -> Result<Value, String> {
    Ok((walked(lab, given)?.hops.len() as u64).into())
}

fn path(lab: &Lab<'_>, given: &[Given]) -> Result<Value, String> {
    Ok(ids(&walked(lab, given)?.nodes))
}

fn surveyed(lab: &Lab<'_>, given: &[Given]) -> Result<Survey, String> {
    let network = given[0].sample()?.network()?;
    let limits = SurveyLimits { max_steps: lab.max_steps(), max_memory: lab.max_memory() };
    let found = survey(network, &*router(lab, given)?, &Faults::default(), limits, lab.watch());
    found.map_err(|error| error.to_string())
}

fn longest_route(lab: &Lab<'_>, given: &[Given]) -> Result<Value, String> {
    surveyed(lab, given)?.max_hops().map(Value::from).ok_or_else(|| "no route".to_owned())
}

fn mean_route(lab: &Lab<'_>, given: &[Given]) -> Result<Value, String> {
    surveyed(lab, given)?.mean_hops().map(Value::Real).ok_or_else(|| "no route".to_owned())
}

fn stretch(lab: &Lab<'_>, given: &[Given]) -> Result<Value, String> {
    let stretch = surveyed(lab, given)?.max_stretch(Against::Alive);
    stretch.map(Value::Real).ok_or_else(|| "no route".to_owned())
}

fn all_arrive(lab: &Lab<'_>, given: &[Given]) -> Result<Value, String> {
    let found = surveyed(lab, given)?;
    Ok((found.arrived == found.pairs && found.failure.is_none()).into())
}

fn vcs(lab: &Lab<'_>, given: &[Given]) -> Result<Value, String> {
    Ok(u64::from(router(lab, given)?.vcs()).into())
}

fn certified(lab: &Lab<'_>, given: &[Given], router: &dyn Router) -> Result<Value, String> {
    let network = given[0].sample()?.network()?;
    let (max_memory, max_steps) = (lab.max_memory(), lab.max_steps());
    let limits = deadlock::Limits { max_memory, max_steps, watch: *lab.watch() };
    let certificate = certify(network, router, &limits).map_err(|error| error.to_string())?;
    let checked = deadlock::check(network, router, &certificate, &limits);
    checked.map_err(|error| format!("the certificate is not true: {error}"))?;
    Ok(certificate.is_free().into())
}

fn deadlock_free(lab: &Lab<'_>, given: &[Given]) -> Result<Value, String> {
    certified(lab, given, &*router(lab, given)?)
}

fn deadlock_free_with(lab: &Lab<'_>, given: &[Given]) -> Result<Value, String> {
    let vcs = given[2].number()?;
    let vcs = u16::try_from(vcs).ok().filter(|&vcs| vcs > 0);
    let vcs = vcs.ok_or("virtual channels must be 1 to 65535")?;
    certified(lab, given, &Capped::new(router(lab, given)?, vcs))
}

fn disjoint(lab: &Lab<'_>, given: &[Given]) -> Result<Value, String> {
    /// So many places are looked at.
    const BUDGET: u64 = 10_000_000;
    let network = given[0].sample()?.network()?;
    let (from, to) = (given[1].node()?, given[2].node()?);
    let found = disjoint_paths(network, from, to, BUDGET, lab.watch());
    let found = found.map_err(|error| error.to_string())?;
    let count = found.paths.len() as u64;
    let most = if found.proof == Proof::Open { found.bound } else { count };
    Ok(Value::between(count, most))
}

fn told(
    lab: &Lab<'_>,
    sample: &Sample,
    root: Node,
    words: &[Given],
) -> Result<crate::broadcasts::Report, String> {
    let algorithm = match words[0].word()? {
        "paper" => Algorithm::Paper,
        "best" => Algorithm::Best,
        other => return Err(format!("an algorithm is paper or best, not {other}")),
    };
    let ports = match words[1].word()? {
        "one" => Ports::One,
        "all" => Ports::All,
        other => return Err(format!("ports are one or all, not {other}")),
    };
    let report = broadcast(&sample.built, root, algorithm, ports, lab.max_memory(), lab.watch());
    report.map_err(|error| error.to_string())
}

fn broadcast_steps(lab: &Lab<'_>, given: &[Given]) -> Result<Value, String> {
    Ok(told(lab, given[0].sample()?, given[1].node()?, &given[2..])?.cost.steps.into())
}

fn broadcast_worst(lab: &Lab<'_>, given: &[Given]) -> Result<Value, String> {
    let sample = given[0].sample()?;
    let network = sample.network()?;
    let mut worst = 0;
    // A rule may treat alike nodes differently, so that classes do not suffice.
    for root in (0..network.order()).map(Node) {
        worst = worst.max(told(lab, sample, root, &given[1..])?.cost.steps);
    }
    Ok(worst.into())
}

fn broadcast_once(lab: &Lab<'_>, given: &[Given]) -> Result<Value, String> {
    let report = told(lab, given[0].sample()?, given[1].node()?, &given[2..])?;
    Ok((report.cost.repeats == 0).into())
}

fn broadcast_transfers(lab: &Lab<'_>, given: &[Given]) -> Result<Value, String> {
    Ok(told(lab, given[0].sample()?, given[1].node()?, &given[2..])?.cost.transfers.into())
}

fn ran(lab: &Lab<'_>, given: &[Given]) -> Result<Run, String> {
    let program = match given[1].word()? {
        "fft" => Program::Fft,
        "sort" => Program::Sort,
        "scan" => Program::Scan,
        "transpose" => Program::Transpose,
        other => return Err(format!("a program is fft, sort, scan or transpose, not {other}")),
    };
    let built = &given[0].sample()?.built;
    run(built, program, 1, lab.max_memory(), lab.watch()).map_err(|error| error.to_string())
}

fn program_steps(lab: &Lab<'_>, given: &[Given]) -> Result<Value, String> {
    Ok(ran(lab, given)?.spent.steps.into())
}

fn program_agrees(lab: &Lab<'_>, given: &[Given]) -> Result<Value, String> {
    Ok(ran(lab, given)?.agrees.into())
}

fn slowdown(lab: &Lab<'_>, given: &[Given]) -> Result<Value, String> {
    let found = emulate(&given[0].sample()?.built, None, lab.max_memory(), lab.watch());
    Ok(found.map_err(|error| error.to_string())?.slowest().into())
}

fn all_port_slowdown(lab: &Lab<'_>, given: &[Given]) -> Result<Value, String> {
    let found = emulate(&given[0].sample()?.built, None, lab.max_memory(), lab.watch());
    let found = found.map_err(|error| error.to_string())?.all_ports;
    found.map(|found| found.steps.into()).ok_or_else(|| "it has no dimension".to_owned())
}

fn embedded(lab: &Lab<'_>, given: &[Given]) -> Result<Embedding, String> {
    let [guest, host] = [given[0].sample()?, given[1].sample()?];
    let (max_memory, max_steps) = (lab.max_memory(), lab.max_steps());
    let limits = EmbedLimits { max_memory, max_steps, budget: 1 << 22 };
    let found = embed(&guest.built, &host.built, limits, lab.watch());
    found.map_err(|error| error.to_string())
}

fn dilation(lab: &Lab<'_>, given: &[Given]) -> Result<Value, String> {
    Ok(embedded(lab, given)?.dilation.into())
}

fn congestion(lab: &Lab<'_>, given: &[Given]) -> Result<Value, String> {
    Ok(embedded(lab, given)?.congestion.into())
}
