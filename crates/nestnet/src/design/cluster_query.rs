//! What is wanted of a network of switches with their hosts, and what is said of one?

use super::confirm::Confirmation;
use super::pareto::Keys;
use super::result::Origin;
use crate::physical::{Bill, CostModel};
use nestnet_analysis::figures::Range;
use nestnet_topologies::spec::Spec;
use serde::Serialize;

/// What is wanted of a fabric: so many hosts on switches of so many ports. For nodes that are hosts and routers there is
/// [`Question`](super::Question).
#[derive(Clone, Debug)]
pub struct ClusterQuestion {
    /// How many hosts at least.
    pub hosts: u64,
    /// Ports of a switch.
    pub radix: u64,
    /// Which part of the hosts may be too many: 0.1 is ten percent. A folded Clos network has as few too many as its
    /// leaves allow, whatever part that is.
    pub tolerance: f64,
    /// Hosts at a switch; where it is left open, any number from an eighth of its ports on.
    pub each: Option<u64>,
    /// What it must keep within.
    pub limits: Bounds,
    /// How many constructions are nested at most.
    pub depth: usize,
    /// The nodes of the largest base.
    pub max_base: u64,
    /// The names of the rows to search for the outermost network of switches; all where there are none.
    pub families: Vec<String>,
    /// Prices, power and packaging.
    pub cost_model: CostModel,
    /// Which ports of a switch count in its price.
    pub paid: PaidPorts,
}

/// Which ports of a switch count in its price.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PaidPorts {
    /// All of its radix.
    #[default]
    All,
    /// Those in use.
    Used,
}

/// What a network must keep within.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bounds {
    /// Virtual channels.
    pub max_vcs: Option<u16>,
    /// θ of uniform traffic.
    pub min_throughput: Option<f64>,
    /// Links across a bisection of the switches for each host of one side, by the best cut that is known.
    pub min_bisection: Option<f64>,
    /// θ of the worst permutation.
    pub min_worst_case: Option<f64>,
    /// Host bandwidth of one side for each unit of bandwidth across a bisection: 1 is non-blocking, 2 is tapered 2:1.
    pub max_taper: Option<f64>,
    /// Dollars for each host that was asked for.
    pub max_price: Option<f64>,
    /// Watts for each host that was asked for.
    pub max_power: Option<f64>,
    /// Links between switches from host to host, on average.
    pub max_hops: Option<f64>,
    /// Links of a switch to others.
    pub max_degree: Option<u64>,
    /// Links between switches from host to host, at most.
    pub max_diameter: Option<u64>,
}

impl Bounds {
    /// The least bisection, as it is given or as the taper demands it.
    pub fn least_bisection(&self) -> Option<f64> {
        let of_taper = self.max_taper.map(|taper| 1.0 / taper);
        match (self.min_bisection, of_taper) {
            (Some(a), Some(b)) => Some(a.max(b)),
            (a, b) => a.or(b),
        }
    }
}

impl ClusterQuestion {
    /// So many hosts on switches of that many ports, and the rest as is usual.
    pub fn new(hosts: u64, radix: u64) -> Self {
        ClusterQuestion {
            hosts,
            radix,
            tolerance: 0.1,
            each: None,
            limits: Bounds::default(),
            depth: 1,
            max_base: 32,
            families: Vec::new(),
            cost_model: CostModel::cluster(crate::physical::Speed::Gb400),
            paid: PaidPorts::All,
        }
    }

    /// Links that a switch can have: of each port as many as it is broken out into.
    pub fn links_of_switch(&self) -> u64 {
        self.radix.saturating_mul(self.cost_model.breakout)
    }

    /// The same question of one of so many planes: links of a fraction of the speed, as many at each host as there are
    /// planes, every port of a switch broken out into as many more. `None` where there are no such links.
    pub fn of_plane(&self, planes: u64) -> Option<Self> {
        let cost_model = match planes {
            1 => self.cost_model,
            _ => self.cost_model.in_planes(planes)?,
        };
        Some(ClusterQuestion { cost_model, ..self.clone() })
    }

    /// The cost model by which a row of so many planes is priced.
    pub fn priced_in(&self, planes: u64) -> CostModel {
        self.of_plane(planes).map_or_else(|| self.priced(), |plane| plane.priced())
    }

    /// The cost model by which switches of this radix are priced.
    pub fn priced(&self) -> CostModel {
        match self.paid {
            PaidPorts::All => CostModel { switch_ports: self.links_of_switch(), ..self.cost_model },
            PaidPorts::Used => self.cost_model,
        }
    }
}

/// A network that is Pareto-optimal.
#[derive(Clone, Debug, Serialize)]
#[serde(rename = "ClusterCandidate")]
#[non_exhaustive]
pub struct ClusterRow {
    /// With its hosts.
    pub spec: Spec,
    /// Where the network of switches comes from.
    #[serde(rename = "kind")]
    pub origin: Origin,
    /// How many hosts it has.
    pub hosts: u64,
    /// How many switches it takes.
    pub switches: u64,
    /// What else it is called.
    pub also: Vec<Spec>,
    /// Planes, each with switches of its own; each host has a link into every one, all together as fast as one link of
    /// a fabric of one plane.
    pub planes: u64,
    /// Ports of a switch.
    pub radix: u64,
    /// Ports that the busiest switch uses.
    pub ports_used: u64,
    /// Hosts at each switch that has any, where that is one number.
    pub hosts_per_switch: Option<u64>,
    /// Links between switches.
    pub links: u64,
    /// Dollars for each host that was asked for; hosts beyond these have their price, and are of no use.
    pub price_per_host: f64,
    /// Watts for each host that was asked for.
    pub power_per_host: f64,
    /// θ of uniform traffic under its routing.
    pub throughput: f64,
    /// θ of the worst permutation under its routing; none where that takes too long to find.
    pub worst_case: Option<f64>,
    /// Cables across a bisection for each host of one side, at most 1; none where that is not known.
    pub bisection_fraction: Option<f64>,
    /// Links from host to host, on average.
    pub mean_hops: f64,
    /// Links from host to host, at most.
    pub host_diameter: u64,
    /// How many switches may fail, whichever they are, before some of the rest are cut off.
    pub failures_survived: u64,
    /// Virtual channels of its routing.
    pub vcs: Option<u16>,
    /// Its routing: a name of the table of routers.
    pub routing: Option<String>,
    /// Whether the routing is proven free of deadlock.
    pub deadlock_free: bool,
}

/// What counts, the smaller the better but for the throughput and the failures.
pub const COUNTS: [&str; 5] =
    ["price_per_host", "throughput", "worst_case", "mean_hops", "failures_survived"];

impl ClusterRow {
    /// Where it is but one switch, that; its spec says so to few.
    pub fn plain_name(&self) -> Option<&'static str> {
        (self.switches == 1).then_some("one switch")
    }

    /// Dollars a host for each unit of uniform traffic that it carries, of at most 1.
    pub fn price_of_what_it_carries(&self) -> f64 {
        self.price_per_host / self.throughput.min(1.0)
    }

    /// Links between switches from host to host, on average: hosts are one link away from their switches.
    pub fn mean_switch_hops(&self) -> f64 {
        (self.mean_hops - 2.0).max(0.0)
    }

    /// The same at most.
    pub fn max_switch_hops(&self) -> u64 {
        self.host_diameter.saturating_sub(2)
    }

    /// The keys of the search, and the worst case, which is known of the last rows alone.
    pub(super) fn final_keys(&self) -> Keys {
        let worst = self.worst_case.unwrap_or(0.0);
        let mut keys = self.keys();
        keys.push(Range { low: -worst, high: -worst });
        keys
    }

    pub(super) fn keys(&self) -> Keys {
        let exactly = |value: f64| Range { low: value, high: value };
        vec![
            exactly(self.price_per_host),
            exactly(-self.throughput.min(1.0)),
            exactly(self.mean_hops),
            exactly(-(self.failures_survived as f64)),
        ]
    }
}

/// The fabric to take for a purpose, and why.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Answer {
    /// The fabric.
    pub spec: Spec,
    /// Why this one, and what it gives up.
    pub why: String,
}

/// Which fabric to take, for three purposes.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Answers {
    /// The cheapest that carries every permutation at the full rate.
    pub non_blocking: Option<Answer>,
    /// The cheapest that carries uniform traffic nearly in full and any permutation nearly at half the rate.
    pub best_value: Option<Answer>,
    /// The cheapest that carries as much uniform traffic as is asked for.
    pub cheapest: Option<Answer>,
}

/// A family that was asked for and has no network that fits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Unfit {
    /// The name of the family.
    pub family: String,
    /// Why none of its networks fits.
    pub why: String,
}

/// What was found.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ClusterDesign {
    /// How many networks were judged.
    pub candidates: u64,
    /// How many of them were measured.
    pub measured: usize,
    /// Those that are Pareto-optimal; first what costs least for what it carries.
    pub front: Vec<ClusterRow>,
    /// Fabrics that everybody knows, whether they are on the Pareto front or not.
    pub references: Vec<ClusterRow>,
    /// Families that were asked for and have no network that fits.
    pub unfit: Vec<Unfit>,
    /// Which one to take, for three purposes.
    pub answers: Answers,
    /// Whether the search came to its end; where it was stopped, the front is that of what was measured by then.
    pub finished: bool,
    /// Candidates that may belong to the front, but were too many or too large to measure.
    pub unmeasured: usize,
    /// The place on the Pareto front of the one to take, and why.
    pub recommended: Option<(usize, String)>,
    /// What a short simulation of that one says; none where it cannot be simulated.
    pub simulated: Option<Confirmation>,
    /// What that one takes to build: racks, cables, and all that is purchased.
    pub bill: Option<Bill>,
}
