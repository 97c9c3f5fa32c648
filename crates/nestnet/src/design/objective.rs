//! What makes one network better than another?

use nestnet_analysis::figures::Extent;
use nestnet_analysis::metrics::{Better, Metric, metric};
use nestnet_topologies::family::{closest, did_you_mean};
use std::fmt;
use std::str::FromStr;

/// A number that should be small or large.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Objective {
    /// Few links at a node.
    Degree,
    /// A short longest path.
    Diameter,
    /// A short mean path.
    AverageDistance,
    /// Few links for each node that injects, so that sizes can be compared.
    Links,
    /// A small product of degree and diameter.
    Cost,
    /// A small cost ratio.
    Cr,
    /// Many of the nodes that the Moore bound allows.
    MooreEfficiency,
    /// Few virtual channels.
    Vcs,
    /// Many nodes must fail before it falls apart.
    Connectivity,
    /// As many nodes as wanted.
    Match,
    /// Few dollars a host.
    Price,
    /// Much uniform traffic, up to the full rate.
    Throughput,
    /// Little energy of a bit from tile to tile of a chip.
    Energy,
    /// A short longest wire of a chip.
    LongestWire,
}

impl Objective {
    /// All of them.
    pub const ALL: [Objective; 14] = [
        Objective::Degree,
        Objective::Diameter,
        Objective::AverageDistance,
        Objective::Links,
        Objective::Cost,
        Objective::Cr,
        Objective::MooreEfficiency,
        Objective::Vcs,
        Objective::Connectivity,
        Objective::Match,
        Objective::Price,
        Objective::Throughput,
        Objective::Energy,
        Objective::LongestWire,
    ];

    /// Those that count where none is named: what routers and links cost, and what one gets for it.
    pub const DEFAULT: [Objective; 4] =
        [Objective::Degree, Objective::Diameter, Objective::AverageDistance, Objective::Links];

    /// Those that count on a chip where none is named: what wires cost, and what one gets for them.
    pub const CHIP: [Objective; 4] = [
        Objective::Energy,
        Objective::LongestWire,
        Objective::AverageDistance,
        Objective::Throughput,
    ];

    /// How much must be known of a network for it: where no theory says it, routers are asked or links are laid.
    pub(super) fn needs(self) -> Extent {
        use Objective::{Connectivity, Energy, LongestWire, Price, Throughput, Vcs};
        match self {
            Vcs => Extent::Routes,
            Connectivity | Price | Throughput | Energy | LongestWire => Extent::All,
            _ => Extent::Distances,
        }
    }

    /// Whether only chips have it.
    pub fn is_of_chips(self) -> bool {
        matches!(self, Objective::Energy | Objective::LongestWire)
    }

    /// What counts and by what is sorted, each once, where these are named; an error where one is known of chips only
    /// and it is no chip.
    pub fn chosen(
        named: impl IntoIterator<Item = Objective>,
        sort: Option<Objective>,
        is_chip: bool,
    ) -> Result<(Vec<Objective>, Objective), Objective> {
        let mut chosen: Vec<Objective> = Vec::new();
        for one in named {
            if one.is_of_chips() && !is_chip {
                return Err(one);
            }
            if !chosen.contains(&one) {
                chosen.push(one);
            }
        }
        let (usual, first) = match is_chip {
            true => (Objective::CHIP, Objective::Energy),
            false => (Objective::DEFAULT, Objective::Cr),
        };
        let chosen = if chosen.is_empty() { usual.to_vec() } else { chosen };
        Ok((chosen, sort.unwrap_or(first)))
    }

    /// Its row in the table of metrics; [`Objective::Match`] is of a question, not of a network.
    pub fn metric(self) -> Option<&'static Metric> {
        Some(match self {
            Objective::Degree => const { metric("degree") },
            Objective::Diameter => const { metric("diameter") },
            Objective::AverageDistance => const { metric("average_distance") },
            Objective::Links => const { metric("links_per_host") },
            Objective::Cost => const { metric("cost") },
            Objective::Cr => const { metric("cr") },
            Objective::MooreEfficiency => const { metric("moore_efficiency") },
            Objective::Vcs => const { metric("vcs") },
            Objective::Connectivity => const { metric("vertex_connectivity") },
            Objective::Match => return None,
            Objective::Price => const { metric("price_per_host") },
            Objective::Throughput => const { metric("throughput") },
            Objective::Energy => const { metric("energy_per_bit") },
            Objective::LongestWire => const { metric("longest_wire") },
        })
    }

    /// Which way is better.
    pub fn better(self) -> Better {
        self.metric().map_or(Better::More, |metric| metric.better)
    }

    /// Its name: the key of its metric, or a shorter one.
    pub fn name(self) -> &'static str {
        match self {
            Objective::Links => "links",
            Objective::Connectivity => "connectivity",
            Objective::Price => "price",
            Objective::Energy => "energy",
            _ => self.metric().map_or("match", |metric| metric.key),
        }
    }
}

impl fmt::Display for Objective {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Objective {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let name = text.trim().to_ascii_lowercase().replace(['-', ' '], "_");
        let found = Objective::ALL.into_iter().find(|objective| objective.name() == name);
        found.ok_or_else(|| {
            let names = Objective::ALL.map(Objective::name);
            let hint = did_you_mean(closest(&name, names.into_iter()));
            format!("no objective `{text}`: {hint}there are {}", names.join(", "))
        })
    }
}
