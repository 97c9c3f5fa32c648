//! Which of these networks is better, and at what? One table, the same numbers for all, the best of each marked.
//!
//! [`contender`] finds the numbers of one network: its [`Figures`], how it is built ([`Bill`]) and what its routing
//! keeps in memory. [`COLUMNS`] says for each number which way is better, so that every front end marks the same winners.

mod baselines;
mod matched;
mod options;
mod switched;

pub use baselines::{Field, Match, baselines, field};
pub use matched::{LeftOut, Matched};
pub use options::{COMPARE_OPTIONS, CompareSettings};

use crate::carried::{Carried, Routed, carried};
use crate::physical::floorplan::{Floorplan, Wiring, wiring};
use crate::physical::{Bill, CostModel, CostModelError, Packing, bill};
use nestnet_analysis::figures::{Figures, Range, Routing, figures};
use nestnet_analysis::measures::{Limits, Sampled, Sampling, sample};
pub use nestnet_analysis::metrics::Better;
use nestnet_analysis::metrics::{Metric, metric};
use nestnet_analysis::number_format::number;
use nestnet_graph::json::Found;
use nestnet_graph::measure::search::levels_bytes;
use nestnet_graph::{Budget, Network, Node, fields};
use nestnet_topologies::family::{Built, NoNodeIds};
use num_traits::ToPrimitive;
use serde::ser::SerializeStruct as _;
use serde::{Serialize, Serializer};
use thiserror::Error;

/// Why it is not known what a network takes to build.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum BillError {
    /// There is no network, only its theory.
    #[error(transparent)]
    NotBuilt(#[from] NoNodeIds),
    /// It cannot be laid out.
    #[error(transparent)]
    CostModel(#[from] CostModelError),
}

/// What a network takes to build, its switch ports broken out where only so they suffice: by [`cost_model_of`].
pub fn bill_of(
    built: &Built,
    cost_model: &CostModel,
    budget: &Budget<'_>,
) -> Result<Bill, BillError> {
    let network = &**built.with_ids()?;
    let cost_model = cost_model_of(built, cost_model);
    let packing = Packing::new(network, &built.logical.product_sides(), &cost_model);
    Ok(bill(network, &packing, &cost_model, budget)?)
}

/// The cost model by which a network is priced: that one, with [ports broken out](CostModel::broken_out_for) where every
/// host has several links and its largest switch more than ports. Links inside servers do not count.
///
/// ```
/// use nestnet::compare::cost_model_of;
/// use nestnet::physical::{CostModel, Speed};
///
/// let boxes = CostModel { switch_ports: 8, ..CostModel::cluster(Speed::Gb400) };
/// let of = |spec| cost_model_of(&nestnet::build(spec).unwrap(), &boxes).breakout;
/// assert_eq!((of("planes(clos(16, 2, 1, 64), 2)"), of("rails(8, 2, 8, 8)")), (2, 1));
/// ```
pub fn cost_model_of(built: &Built, cost_model: &CostModel) -> CostModel {
    let Some(network) = built.network.as_deref() else { return *cost_model };
    match host_links(network) {
        // Without ports to break out, or several links to a host, nothing changes.
        links if cost_model.switch_ports == 0 || links < 2 => *cost_model,
        links => {
            let broken_out = cost_model.broken_out_for(links_of_switch(built), links);
            broken_out.unwrap_or(*cost_model)
        }
    }
}

/// The most links of a switch, without those inside servers. O(1), with servers O(links).
fn links_of_switch(built: &Built) -> u64 {
    match built.network.as_deref().filter(|network| network.server_levels() > 0) {
        Some(network) => {
            let switches = (network.hosts()..network.order()).map(Node);
            switches.map(|switch| purchased_links(network, switch)).max().unwrap_or(0)
        }
        None => built.theory.degrees().max,
    }
}

/// The links of a node that are not inside a server.
fn purchased_links(network: &dyn Network, at: Node) -> u64 {
    let (mut links, inner) = (0, network.server_levels());
    network.for_each_neighbor(at, &mut |port, _| {
        links += u64::from(inner == 0 || network.level(at, port) >= inner);
    });
    links
}

/// The wire of a network on a chip.
pub fn wiring_of(
    built: &Built,
    tiles: &Floorplan,
    budget: &Budget<'_>,
) -> Result<Wiring, BillError> {
    let network = &**built.with_ids()?;
    Ok(wiring(network, &built.router_sides(), tiles, budget)?)
}

/// A network in a comparison.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Contender {
    /// Its numbers.
    pub figures: Figures,
    /// The mean distance from a few nodes, where the mean over all is not known.
    pub sampled: Option<Sampled>,
    /// Bytes of tables that a node holds for its routing; 0 where addresses suffice.
    pub table_bytes: Option<u64>,
    /// How many levels of links it has.
    pub levels: Option<u16>,
    /// What it takes to build, or why that is not known.
    pub bill: Result<Bill, BillError>,
    /// By which cost model; its switch ports are broken out where only so they suffice.
    pub cost_model: CostModel,
    /// The most links of a switch, without those inside servers.
    pub links_of_switch: u64,
    /// Its wire on a chip, where that is asked for and known.
    pub wiring: Option<Wiring>,
    /// What it carries, where it is not too large to see.
    pub carried: Option<Carried>,
}

impl Contender {
    /// The routing by which its throughput, worst case and virtual channels are: the best that is proven free of
    /// deadlock. None where it is not known what it carries.
    pub fn routing(&self) -> Option<&'static str> {
        Some(self.carried.as_ref()?.routed.as_ref()?.name)
    }
}

/// A contender beside the others.
#[derive(Clone, Debug)]
pub struct Compared<'a> {
    /// The contender.
    pub contender: &'a Contender,
    /// The keys of the columns in which none is better.
    pub best: Vec<&'static str>,
}

/// The mean distance from some nodes.
#[derive(Clone, Copy, Debug, Serialize)]
struct FewSources {
    /// The mean.
    value: f64,
    /// The largest distance from one of them.
    farthest: u64,
    /// How many nodes were drawn.
    sources: u64,
    /// The seed of the draw.
    seed: u64,
}

impl Serialize for Compared<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Contender { figures, sampled, bill, wiring, .. } = self.contender;
        let sampled = sampled.map(|sampled| FewSources {
            value: sampled.mean,
            farthest: sampled.farthest,
            sources: sampled.sources,
            seed: sampled.seed,
        });
        let value = |column: &Column| (column.value)(self.contender).and_then(Range::exact);
        let energy = TILE_COLUMNS.iter().find(|column| column.key == "energy_per_bit");
        let mut fields = serializer.serialize_struct("Compared", COLUMNS.len())?;
        fields!(
            in fields,
            ..figures: Figures,
            /// The mean distance from a few nodes, where the mean over all is not known.
            [average_distance_sampled]: FewSources = sampled,
            table_bytes = self.contender.table_bytes,
            levels = self.contender.levels,
        );
        for column in COLUMNS.iter().filter(|column| OF_FABRIC.contains(&column.key)) {
            fields.serialize_field(column.key, &value(column))?;
        }
        fields!(
            in fields,
            /// The routing by which its throughput, worst case and virtual channels are: the best that is
            /// proven free of deadlock.
            routing: Option<&str> = self.contender.routing(),
            /// Its wire on a chip, where that is asked for.
            [chip]: Wiring = wiring,
            /// Picojoules to move a bit from host to host, on average, on a chip.
            [energy_per_bit]: Option<f64> = wiring.map(|_| energy.and_then(value)),
            /// What it takes to build, or why that is not known; not of a chip.
            [physical]: Found<'_, Bill, BillError> = wiring.is_none().then_some(Found(bill)),
        );
        let is_shown = |key: &str| wiring.is_none() || !OF_COST_MODEL.contains(&key);
        let per_host = |key: &str| key.ends_with("_per_host") && is_shown(key);
        for column in COLUMNS.iter().filter(|column| per_host(column.key)) {
            fields.serialize_field(column.key, &value(column))?;
        }
        fields!(in fields, best = self.best);
        fields.end()
    }
}

/// All contenders, each with the columns that it wins.
pub fn compared(contenders: &[Contender]) -> Vec<Compared<'_>> {
    let marks: Vec<_> =
        COLUMNS.iter().map(|column| (column.key, best(column, contenders))).collect();
    let row = |(index, contender)| {
        let won = marks.iter().filter(|(_, marks)| marks[index]).map(|(key, _)| *key);
        Compared { contender, best: won.collect() }
    };
    contenders.iter().enumerate().map(row).collect()
}

/// How a comparison is made.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// How far measuring may go.
    pub limits: Limits<'a>,
    /// How networks are built.
    pub cost_model: CostModel,
    /// The chip that they are built on, where it is one.
    pub tiles: Option<Floorplan>,
    /// From how many nodes distances are sampled where not all can be measured; 0 for none.
    pub samples: u64,
    /// The seed of the sample.
    pub seed: u64,
}

impl<'a> Options<'a> {
    /// Racks or clusters, and a sample of as many nodes as are quickly searched from.
    pub fn new(limits: Limits<'a>, cost_model: CostModel) -> Self {
        let CompareSettings { samples, seed, .. } = CompareSettings::default();
        Options { limits, cost_model, tiles: None, samples, seed }
    }

    /// The same where each of so many networks gets its part of the steps, most of which go to what is asked beside
    /// distances.
    pub fn shared_by(mut self, networks: usize) -> Self {
        self.limits.budget.steps /= 8 * networks.max(1) as u128;
        self
    }
}

/// A comparison; rows are [`Compared`], or what a front end makes of them.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison<'a, R> {
    /// A row for each network.
    pub rows: Vec<R>,
    /// What the baselines spend as much of.
    pub matched: Option<Match>,
    /// Baselines that are not near enough, or too large.
    pub left_out: &'a [LeftOut],
}

/// All numbers of a network.
///
/// ```
/// use nestnet::compare::{COLUMNS, Options, best, contender};
/// use nestnet::physical::CostModel;
/// use nestnet::prelude::*;
///
/// let options = Options::new(Limits::default(), CostModel::default());
/// let [ring, cube] = [build("ring(8)")?, build("hypercube(3)")?].map(|one| contender(&one, &options));
/// let diameter = COLUMNS.iter().find(|column| column.key == "diameter").unwrap();
/// assert_eq!(best(diameter, &[ring, cube]), [false, true]);
/// # Ok::<(), Error>(())
/// ```
pub fn contender(built: &Built, options: &Options<'_>) -> Contender {
    let mut figures = figures(built, options.limits);
    let (network, budget) = (built.network.as_deref(), options.limits.budget);
    let wanted = figures.average_distance.is_none() && built.theory.connected();
    let sampled = network.filter(|_| wanted).and_then(|network| few(network, options));
    let router = figures.routing.as_ref().and_then(|routing| built.router(routing.router));
    // Routing by search keeps no table, but it is no rule either: a node would need the whole network.
    let table_bytes = router.filter(|_| built.has_rule()).map(|router| router.state_bytes());
    let carried = carried(built, &budget);
    // The virtual channels are those of the routing by which the throughput is.
    if let Some(routed) = carried.as_ref().and_then(|carried| carried.routed.as_ref()) {
        figures.routing = Some(Routing::new(routed.name, routed.vcs));
    }
    Contender {
        figures,
        sampled,
        table_bytes,
        levels: network.map(Network::levels),
        // A link takes longer to place than to look at.
        bill: bill_of(built, &options.cost_model, &Budget { steps: budget.steps / 4, ..budget }),
        cost_model: cost_model_of(built, &options.cost_model),
        links_of_switch: links_of_switch(built),
        wiring: options.tiles.and_then(|tiles| wiring_of(built, &tiles, &budget).ok()),
        carried,
    }
}

/// Links of a host of a network that has switches, where the first and the last have as many; without those inside its
/// server.
fn host_links(network: &dyn Network) -> u64 {
    let links = |host: u64| purchased_links(network, Node(host));
    let last = network.hosts().checked_sub(1).filter(|_| network.hosts() < network.order());
    last.map_or(0, |last| if links(0) == links(last) { links(last) } else { 0 })
}

fn few(network: &dyn Network, options: &Options<'_>) -> Option<Sampled> {
    let budget = &options.limits.budget;
    let (order, sources) = (network.order(), options.samples);
    let steps = u128::from(order) * u128::from(network.ports()) * u128::from(sources);
    let need = levels_bytes(order) * rayon::current_num_threads() as u128;
    if steps > budget.steps || need > budget.memory.into() {
        return None;
    }
    sample(network, Sampling { sources, seed: options.seed }, &budget.watch).ok()?
}

/// A number in a comparison.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Its key.
    pub key: &'static str,
    /// Its heading.
    pub title: &'static str,
    /// Which way is better.
    pub better: Better,
    /// What it is, in a few words.
    pub about: &'static str,
    /// The number, or bounds on it; none where it is not known.
    pub value: fn(&Contender) -> Option<Range>,
}

/// The column of a metric.
const fn column(key: &'static str, value: fn(&Contender) -> Option<Range>) -> Column {
    let Metric { key, title, better, about, .. } = *metric(key);
    Column { key, title, better, about, value }
}

fn exact(value: f64) -> Option<Range> {
    Some(Range { low: value, high: value })
}

/// A number of the bill, for each host.
fn per_host(contender: &Contender, value: impl Fn(&Bill) -> f64) -> Option<Range> {
    let hosts = contender.figures.hosts.to_f64()?;
    exact(value(contender.bill.as_ref().ok()?) / hosts)
}

fn of_bill(contender: &Contender, value: impl Fn(&Bill) -> f64) -> Option<Range> {
    exact(value(contender.bill.as_ref().ok()?))
}

fn of_routing(contender: &Contender, value: impl Fn(&Routed) -> Option<f64>) -> Option<Range> {
    exact(value(contender.carried.as_ref()?.routed.as_ref()?)?.min(1.0))
}

fn known(known: &nestnet_graph::Bounded) -> Option<Range> {
    Some(Range { low: known.low.to_f64()?, high: known.high.to_f64()? })
}

/// All columns.
pub static COLUMNS: &[Column] = &[
    column("nodes", |one| exact(one.figures.nodes.to_f64()?)),
    column("hosts", |one| exact(one.figures.hosts.to_f64()?)),
    column("switches", |one| exact((&one.figures.nodes - &one.figures.hosts).to_f64()?)),
    column("degree", |one| exact(one.figures.degree as f64)),
    column("diameter", |one| {
        let mut range = known(one.figures.diameter.as_ref()?)?;
        // What was seen bounds what is there.
        if let Some(sampled) = one.sampled {
            range.low = range.low.max(sampled.farthest as f64);
            range.high = range.high.min(2.0 * sampled.farthest as f64);
        }
        Some(range)
    }),
    column("average_distance", |one| match one.sampled {
        Some(sampled) => exact(sampled.mean),
        None => one.figures.average_range(),
    }),
    column("links_per_host", |one| {
        exact(one.figures.links.to_f64()? / one.figures.hosts.to_f64()?)
    }),
    column("cost", |one| known(&one.figures.cost()?)),
    column("cr", |one| one.figures.cr()),
    column("moore_efficiency", |one| one.figures.moore_efficiency()),
    column("vertex_connectivity", |one| known(&one.figures.connectivity)),
    column("throughput", |one| of_routing(one, |routed| Some(routed.uniform))),
    column("worst_case", |one| of_routing(one, |routed| routed.worst)),
    column("bisection_fraction", |one| exact(one.carried.as_ref()?.bisection?.min(1.0))),
    column("vcs", |one| exact(f64::from(one.figures.routing.as_ref()?.vcs))),
    column("table_bytes", |one| exact(one.table_bytes? as f64)),
    column("levels", |one| exact(f64::from(one.levels?))),
    column("inside_racks", |one| of_bill(one, Bill::inside_racks)),
    column("cable_per_host", |one| per_host(one, |bill| bill.length)),
    column("longest_cable", |one| of_bill(one, |bill| bill.longest)),
    column("price_per_host", |one| of_bill(one, Bill::price_per_host)),
    column("power_per_host", |one| of_bill(one, Bill::power_per_host)),
];

/// The keys of columns about a fabric and what it carries, which are numbers.
pub static OF_FABRIC: &[&str] = &["switches", "throughput", "worst_case", "bisection_fraction"];

/// The keys of columns that depend on the [routing](Contender::routing).
pub static BY_ROUTING: &[&str] = &["throughput", "worst_case", "vcs"];

/// The keys of columns that say nothing of a chip.
pub static OF_COST_MODEL: &[&str] =
    &["inside_racks", "cable_per_host", "longest_cable", "price_per_host", "power_per_host"];

/// What is said of a chip instead.
pub static TILE_COLUMNS: &[Column] = &[
    column("wire", |one| exact(one.wiring?.length)),
    column("longest_wire", |one| exact(one.wiring?.longest)),
    column("wire_area", |one| exact(one.wiring?.area)),
    column("energy_per_bit", |one| {
        let hop = one.wiring?.hop_energy;
        let mean = one.figures.average_range()?;
        Some(Range { low: hop * mean.low, high: hop * mean.high })
    }),
];

/// Which contenders are certainly best in a column: as good as any other can be.
pub fn best(column: &Column, contenders: &[Contender]) -> Vec<bool> {
    let ranges: Vec<Option<Range>> = contenders.iter().map(|one| (column.value)(one)).collect();
    let beats = |a: Range, b: Range| match column.better {
        Better::Less => a.high <= b.low,
        Better::More => a.low >= b.high,
        Better::Neither => false,
    };
    let wins = |index: usize, own: Range| {
        let others = ranges.iter().enumerate().filter(|(other, _)| *other != index);
        others.filter_map(|(_, range)| *range).all(|other| beats(own, other))
    };
    let marks: Vec<bool> = ranges
        .iter()
        .enumerate()
        .map(|(index, range)| range.is_some_and(|own| wins(index, own)))
        .collect();
    // All alike, or one alone, is no distinction.
    let known = ranges.iter().flatten().count();
    let marked = marks.iter().filter(|mark| **mark).count();
    if marked == known { vec![false; marks.len()] } else { marks }
}

/// A number in a comparison for people: exact, between bounds, or sampled (`~`); `*` marks the best.
pub fn cell(column: &Column, contender: &Contender, is_best: bool) -> String {
    let Some(range) = (column.value)(contender) else { return "–".to_owned() };
    let guess = column.key == "average_distance" && contender.sampled.is_some();
    let mut text = match range.exact() {
        Some(value) => number(value),
        None => format!("{}–{}", number(range.low), number(range.high)),
    };
    if guess {
        text.insert(0, '~');
    }
    if is_best {
        text.push('*');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use nestnet_graph::Budget;
    use nestnet_topologies::build;

    fn of(text: &str, max_steps: u128) -> Contender {
        let limits = Limits { how: None, budget: Budget { steps: max_steps, ..Budget::default() } };
        let options =
            Options { limits, cost_model: CostModel::default(), tiles: None, samples: 8, seed: 1 };
        contender(&build(text).unwrap(), &options)
    }

    fn marks(key: &str, contenders: &[Contender]) -> Vec<bool> {
        let column = COLUMNS.iter().find(|column| column.key == key).unwrap();
        best(column, contenders)
    }

    /// Every row of the table of metrics is measured or compared.
    #[test]
    fn every_metric_has_a_value() {
        use nestnet_analysis::measures::MEASURES;
        use nestnet_analysis::metrics::METRICS;
        let measured = MEASURES.iter().flat_map(|row| row.keys.iter().copied());
        let compared = COLUMNS.iter().chain(TILE_COLUMNS).map(|column| column.key);
        let keys: Vec<&str> = measured.chain(compared).collect();
        for metric in METRICS {
            assert!(keys.contains(&metric.key), "{}", metric.key);
        }
    }

    /// What `info` and comparisons say is named as in the table.
    #[test]
    fn results_have_the_keys_of_the_table() {
        use nestnet_analysis::metrics::find;
        const OTHERS: &str = "average_distance_sampled best built family memory paper physical \
            remarks router routing spec stands_for also";
        let spec = "clos(8, 2)";
        let info = nestnet_analysis::info(spec, &nestnet_topologies::Context::ALONE).unwrap();
        let contenders = [of(spec, 1 << 40)];
        let others: Vec<&str> = OTHERS.split(' ').collect();
        for result in [serde_json::to_value(info), serde_json::to_value(&compared(&contenders)[0])]
        {
            for key in result.unwrap().as_object().unwrap().keys() {
                assert!(others.contains(&&**key) || find(key).is_some(), "{key}");
            }
        }
    }

    #[test]
    fn each_side_wins_something() {
        let contenders =
            ["rdn(ring(5), 2)", "random_regular(5000, 4, 1)"].map(|text| of(text, 1 << 40));
        assert_eq!(marks("average_distance", &contenders), [false, true]);
        assert_eq!(marks("table_bytes", &contenders), [false, false]);
        assert_eq!(marks("inside_racks", &contenders), [true, false]);
        assert_eq!(marks("degree", &contenders), [false, false]);
        assert_eq!(marks("nodes", &contenders), [false, false]);
    }

    #[test]
    fn what_is_not_measured_is_sampled_and_says_so() {
        let exact = of("random_regular(300, 4, 1)", 1 << 40);
        assert_eq!(exact.sampled, None);
        let sampled = of("random_regular(3000, 4, 1)", 1 << 18);
        let found = sampled.sampled.unwrap();
        assert_eq!((found.sources, found.seed), (8, 1));
        let truth = of("random_regular(3000, 4, 1)", 1 << 40).figures.average_range().unwrap();
        assert!((found.mean - truth.low).abs() < 0.2, "{found:?} for {truth:?}");
    }
}
