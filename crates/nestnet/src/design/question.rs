//! What is wanted of a network, and why is there no answer?

use super::objective::Objective;
use crate::carried::MOST_CERTIFIED;
use crate::physical::CostModel;
use crate::physical::floorplan::Floorplan;
use nestnet_graph::kinds;
use nestnet_graph::measure::Interrupted;
use num_bigint::BigUint;
use num_traits::ToPrimitive;
use std::ops::RangeInclusive;
use thiserror::Error;

/// What is wanted of a network of nodes, each a host with its router: how many, of which degree. For hosts on switches
/// there is [`ClusterQuestion`](super::ClusterQuestion).
#[derive(Clone, Debug)]
pub struct Question {
    /// How many nodes inject and receive.
    pub nodes: u128,
    /// Which part of them may be missing, but on a chip, or too many: 0.1 is ten percent.
    pub tolerance: f64,
    /// The most links at a node.
    pub max_degree: Option<u64>,
    /// The longest diameter.
    pub max_diameter: Option<u64>,
    /// The most virtual channels.
    pub max_vcs: Option<u16>,
    /// What counts; each at most once.
    pub objectives: Vec<Objective>,
    /// What the front is sorted by, before the objectives.
    pub sort: Objective,
    /// How many constructions are nested at most.
    pub depth: usize,
    /// The nodes of the largest base.
    pub max_base: u64,
    /// The nodes of the largest frame of an expansion of a base, and of the largest such base; where none are given, 16
    /// or those of the largest base: larger networks expand small frames more than once.
    pub max_frame: Option<u64>,
    /// The nodes of the largest frame of an expansion of what has constructions of its own; else 5 or those of the
    /// largest base.
    pub max_nested_frame: Option<u64>,
    /// The names of the rows to search for the outermost network; all where there are none.
    pub families: Vec<String>,
    /// Prices, power and packaging.
    pub cost_model: CostModel,
    /// The chip that it is built on, where it is one.
    pub tiles: Option<Floorplan>,
}

impl Question {
    /// So many nodes, and the rest as is usual: ten percent more or less, two constructions, bases of up to 32 nodes,
    /// frames of up to 16.
    pub fn new(nodes: u128) -> Self {
        Question {
            nodes,
            tolerance: 0.1,
            max_degree: None,
            max_diameter: None,
            max_vcs: None,
            objectives: Objective::DEFAULT.to_vec(),
            sort: Objective::Cr,
            depth: 2,
            max_base: 32,
            max_frame: None,
            max_nested_frame: None,
            families: Vec::new(),
            cost_model: CostModel::default(),
            tiles: None,
        }
    }

    /// The nodes of the largest frame and unit of an expansion.
    pub fn largest_frame(&self) -> u64 {
        self.max_frame.unwrap_or(self.max_base.min(USUAL_FRAME))
    }

    /// The nodes of the largest frame around what has constructions of its own.
    pub fn largest_nested_frame(&self) -> u64 {
        self.max_nested_frame.unwrap_or(self.max_base.min(USUAL_NESTED_FRAME))
    }

    /// Whether a network of that many nodes is judged by its routing: on a chip, where all routers are certified.
    pub(super) fn is_routed(&self, nodes: &BigUint) -> bool {
        self.tiles.is_some() && *nodes <= MOST_CERTIFIED.into()
    }

    /// Sizes that are near enough. A tile of a chip is not left without a router.
    pub fn sizes(&self) -> RangeInclusive<u128> {
        let sizes = sizes(self.nodes, self.tolerance);
        if self.tiles.is_some() { self.nodes..=*sizes.end() } else { sizes }
    }

    /// Among how many hosts the price of so many is divided: what there is beyond those asked for is of no use.
    pub(super) fn paying(&self, hosts: f64) -> f64 {
        hosts.min(self.nodes.to_f64().unwrap_or(f64::INFINITY))
    }
}

/// The nodes of the largest frame and unit of an expansion where no other is asked for.
pub(super) const USUAL_FRAME: u64 = 16;

/// The nodes of the largest frame around what has constructions of its own where no other is asked for.
pub(super) const USUAL_NESTED_FRAME: u64 = 5;

/// Sizes that are near enough to the one wanted.
pub(super) fn sizes(wanted: u128, tolerance: f64) -> RangeInclusive<u128> {
    /// Exact in a floating-point number, and finer than anyone asks.
    const PARTS: u128 = 1_000_000;
    let parts = (tolerance * 1e6).round().to_u128().unwrap_or(PARTS);
    let away = wanted.saturating_mul(parts) / PARTS;
    wanted.saturating_sub(away).max(1)..=wanted.saturating_add(away)
}

/// Limit: nodes that `design` searches for.
pub const MOST_NODES: u128 = 10u128.pow(30);

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum DesignError {
    /// No nodes, or too many to count.
    #[error("there can be between 1 and 10^30 nodes, not {0}")]
    Nodes(u128),
    /// Not a part.
    #[error("the tolerance is between 0 % and 100 %, not {0} %")]
    Tolerance(f64),
    /// Nobody to join.
    #[error("a network needs at least 2 hosts, not {0}")]
    Hosts(u64),
    /// Switches without hosts.
    #[error("a switch has at least one host, not {0}")]
    HostsEach(u64),
    /// No port is left.
    #[error("a switch needs at least 2 ports, not {0}")]
    Radix(u64),
    /// Less than non-blocking is no taper.
    #[error("a taper is from 1, which is non-blocking, to 1,000,000, not {0}")]
    Taper(f64),
    /// Nothing counts.
    #[error("something must count: at least one of {}", Objective::ALL.map(Objective::name).join(", "))]
    NoObjective,
    /// No such row.
    #[error("unknown network `{name}`: {hint}")]
    Family {
        /// What was asked for.
        name: String,
        /// What may have been meant.
        hint: String,
    },
    /// Parts that no search wrote.
    #[error("the parts are not those of a search")]
    NoParts,
    /// The caller stopped it.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}

kinds!(DesignError {
    Unknown: Family;
    Format: NoParts;
    Invalid: Nodes, Tolerance, Hosts, HostsEach, Radix, Taper, NoObjective;
    inner: Interrupted;
});
