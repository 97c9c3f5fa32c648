//! What can be asked of a design: one row for everything that can be given, for all front ends.

use super::question::{MOST_NODES, Question};
use super::{ClusterQuestion, Objective, PaidPorts};
use crate::physical::{BuiltAs, CostOptionError, CostSettings};
use nestnet_graph::numbers::counts;
use nestnet_graph::options::{Kind, OptionError, Setting, Usual, apply, find};
use thiserror::Error;

/// What is given of a design: both of its questions, each with what is given of it.
#[derive(Clone, Debug)]
pub struct DesignSettings {
    /// The question of nodes; without nodes where it is not asked.
    pub nodes: Question,
    /// The question of hosts on switches; without hosts where it is not asked.
    pub hosts: ClusterQuestion,
    /// What the front of nodes is sorted by.
    pub sort: Option<Objective>,
}

impl Default for DesignSettings {
    fn default() -> Self {
        DesignSettings {
            nodes: Question { objectives: Vec::new(), ..Question::new(0) },
            hosts: ClusterQuestion::new(0, 0),
            sort: None,
        }
    }
}

/// The question that is asked of a design.
#[derive(Clone, Debug)]
pub enum DesignQuestion {
    /// Nodes, each a host with its router.
    Nodes(Question),
    /// Hosts on switches.
    Hosts(ClusterQuestion),
}

/// Why there is no question.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum DesignOptionError {
    /// An option that is not there, or a value that it does not take.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// No cost model.
    #[error(transparent)]
    Cost(#[from] CostOptionError),
    /// An option of the other question.
    #[error("{key}: only a design by {needs} takes it")]
    Elsewhere {
        /// Which option.
        key: &'static str,
        /// What it counts beside.
        needs: &'static str,
    },
    /// Hosts on no switch.
    #[error("`hosts=` needs `radix=`: how many ports a switch has")]
    NoRadix,
    /// No size, or two.
    #[error("either `nodes=` or `hosts=` and `radix=` must be given")]
    NoSize,
    /// No port of a switch is left for others, or none for hosts.
    #[error(
        "`hosts_per_switch=` must be `any` or from 1 to {}: a switch has {links} links, not `{given}`",
        links.saturating_sub(1)
    )]
    HostsPerSwitch {
        /// What was given.
        given: u64,
        /// Links of a switch.
        links: u64,
    },
    /// What no router but that of a chip has.
    #[error("`{0}` is known of chips only: `cost_model=chip`")]
    OfChips(Objective),
}

impl DesignQuestion {
    /// What is given, by the keys of [`options`] and of [`COST_OPTIONS`](crate::physical::COST_OPTIONS), checked.
    ///
    /// ```
    /// use nestnet::design::DesignQuestion;
    ///
    /// let given = [("hosts", "4k"), ("radix", "64"), ("max_price", "2500")];
    /// let DesignQuestion::Hosts(question) = DesignQuestion::read(given).unwrap() else { panic!() };
    /// assert_eq!((question.hosts, question.limits.max_price), (4000, Some(2500.0)));
    /// let error = DesignQuestion::read([("nodes", "64"), ("max_price", "9")]).unwrap_err();
    /// assert_eq!(error.to_string(), "max_price: only a design by hosts and radix takes it");
    /// ```
    pub fn read<'a>(
        given: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, DesignOptionError> {
        let [cost, given] = CostSettings::split(given);
        let mut settings = DesignSettings::default();
        apply(options(), &mut settings, given.iter().copied())?;
        let DesignSettings { nodes, hosts, sort } = settings;
        let sizes = (nodes.nodes > 0, hosts.hosts > 0, hosts.radix > 0);
        for (is_asked, needs, rows) in [
            (sizes.0, "nodes", &NODE_OPTIONS[..]),
            (sizes.1 || sizes.2, "hosts and radix", &HOST_OPTIONS[..]),
        ] {
            let own = given.iter().find_map(|(name, _)| find(rows, name).ok());
            if let Some(row) = own.filter(|_| !is_asked) {
                return Err(DesignOptionError::Elsewhere { key: row.key, needs });
            }
        }
        match sizes {
            (true, false, false) => of_nodes(nodes, sort, CostSettings::read(BuiltAs::Rack, cost)?),
            (false, true, true) => of_hosts(hosts, CostSettings::read(BuiltAs::Cluster, cost)?),
            (false, true, false) => Err(DesignOptionError::NoRadix),
            _ => Err(DesignOptionError::NoSize),
        }
    }
}

fn of_nodes(
    question: Question,
    sort: Option<Objective>,
    cost: CostSettings,
) -> Result<DesignQuestion, DesignOptionError> {
    let tiles = cost.tiles();
    let (objectives, sort) = Objective::chosen(question.objectives, sort, tiles.is_some())
        .map_err(DesignOptionError::OfChips)?;
    let cost_model = cost.cost_model;
    Ok(DesignQuestion::Nodes(Question { objectives, sort, cost_model, tiles, ..question }))
}

fn of_hosts(
    question: ClusterQuestion,
    cost: CostSettings,
) -> Result<DesignQuestion, DesignOptionError> {
    let question = ClusterQuestion { cost_model: cost.cost_model, ..question };
    let links = question.links_of_switch();
    match question.each.filter(|each| !(1..links).contains(each)) {
        Some(given) => Err(DesignOptionError::HostsPerSwitch { given, links }),
        None => Ok(DesignQuestion::Hosts(question)),
    }
}

/// All options of a design, but those of the cost model.
pub fn options() -> impl Iterator<Item = &'static Setting<DesignSettings>> + Clone {
    let own = SIZE_OPTIONS.iter().chain(&HOST_OPTIONS).chain(&NODE_OPTIONS);
    own.chain(&DESIGN_OPTIONS)
}

/// A limit of a fabric, as a fraction of the full rate.
const fn fraction(
    key: &'static str,
    title: &'static str,
    about: &'static str,
    set: fn(&mut DesignSettings, f64),
) -> Setting<DesignSettings> {
    let kind = Kind::ClosedFraction(set);
    Setting { key, title, about, unit: "FRACTION", usual: Usual::Nothing, kind }
}

/// A limit of a fabric that is any number.
const fn number(
    key: &'static str,
    title: &'static str,
    about: &'static str,
    unit: &'static str,
    set: fn(&mut DesignSettings, f64),
) -> Setting<DesignSettings> {
    let kind = Kind::Number { low: f64::NEG_INFINITY, set };
    Setting { key, title, about, unit, usual: Usual::Nothing, kind }
}

const fn count(
    key: &'static str,
    title: &'static str,
    about: &'static str,
    unit: &'static str,
    usual: Usual,
    (low, high): (u64, u64),
    set: fn(&mut DesignSettings, u64),
) -> Setting<DesignSettings> {
    Setting { key, title, about, unit, usual, kind: Kind::Count { low, high, set } }
}

/// How large it is: this says which question is asked.
pub static SIZE_OPTIONS: [Setting<DesignSettings>; 3] = [
    Setting {
        key: "nodes",
        title: "nodes",
        about: "How many nodes are wanted, each a host and its own router; of networks with switches, how many hosts",
        unit: "N",
        usual: Usual::Nothing,
        kind: Kind::Text {
            allowed: "1 to 10^30",
            python: "int",
            set: |to, text| counts(1..=MOST_NODES)(text).map(|nodes: u128| to.nodes.nodes = nodes),
        },
    },
    count(
        "hosts",
        "hosts",
        "How many hosts are wanted, on switches of `radix=` ports: cost for each host against performance",
        "N",
        Usual::Nothing,
        (2, 1 << 32),
        |to, hosts| to.hosts.hosts = hosts,
    ),
    count(
        "radix",
        "ports of a switch",
        "Ports of a switch, for hosts and other switches",
        "R",
        Usual::Nothing,
        (2, 1 << 16),
        |to, radix| to.hosts.radix = radix,
    ),
];

/// What counts beside `hosts` and `radix` alone.
pub static HOST_OPTIONS: [Setting<DesignSettings>; 9] = [
    Setting {
        key: "hosts_per_switch",
        title: "hosts at a switch",
        about: "Hosts at a switch, or `any`: from an eighth of its ports on",
        unit: "P",
        usual: Usual::Nothing,
        kind: Kind::Text {
            allowed: "any, from 1",
            python: "int | Literal[\"any\"]",
            set: |to, text| {
                let each = match text.trim() {
                    "any" => None,
                    text => {
                        let each = counts(0..=u128::MAX)(text);
                        Some(each.map_err(|_| "expected `any` or a number of hosts".to_owned())?)
                    }
                };
                to.hosts.each = each;
                Ok(())
            },
        },
    },
    fraction(
        "min_throughput",
        "uniform traffic carried, at least",
        "The least uniform throughput, as a fraction of the full rate",
        |to, least| to.hosts.limits.min_throughput = Some(least),
    ),
    number(
        "min_bisection",
        "bisection for each host, at least",
        "The least bisection of the switches: links across it, for each host of one side",
        "FRACTION",
        |to, least| to.hosts.limits.min_bisection = Some(least),
    ),
    fraction(
        "min_worst_case",
        "worst permutation carried, at least",
        "The least throughput of the worst permutation under the routing of the row, as a fraction of the full rate",
        |to, least| to.hosts.limits.min_worst_case = Some(least),
    ),
    Setting {
        key: "taper",
        title: "oversubscription, at most",
        about: "The most oversubscription: host bandwidth of one side for each unit of bandwidth across a bisection, 1 is \
                non-blocking, 2 or 2:1 half of that",
        unit: "RATIO",
        usual: Usual::Nothing,
        kind: Kind::Text {
            allowed: "from 1, such as 2, 1.5 or 2:1",
            python: "float | str",
            set: |to, text| ratio(text).map(|most| to.hosts.limits.max_taper = Some(most)),
        },
    },
    Setting {
        key: "price_used_ports",
        title: "the price of used ports",
        about: "Pay for the ports in use, not for whole switches of `radix=` ports",
        unit: "",
        usual: Usual::Value("false"),
        kind: Kind::Flag(|to, yes| {
            to.hosts.paid = if yes { PaidPorts::Used } else { PaidPorts::All };
        }),
    },
    number(
        "max_price",
        "dollars a host, at most",
        "The most dollars a host",
        "DOLLARS",
        |to, most| to.hosts.limits.max_price = Some(most),
    ),
    number("max_power", "watts a host, at most", "The most watts a host", "WATTS", |to, most| {
        to.hosts.limits.max_power = Some(most)
    }),
    number(
        "max_hops",
        "links between switches on average, at most",
        "The most links between switches from host to host, on average",
        "LINKS",
        |to, most| to.hosts.limits.max_hops = Some(most),
    ),
];

/// What counts beside `nodes` alone.
pub static NODE_OPTIONS: [Setting<DesignSettings>; 4] = [
    Setting {
        key: "objectives",
        title: "the objectives",
        about: "The objectives: degree, diameter, average_distance, links, cost, cr, moore_efficiency, vcs, connectivity, \
                match, price, throughput, energy, longest_wire",
        unit: "KEYS",
        usual: Usual::Said(
            "degree,diameter,average_distance,links; of a chip energy,longest_wire,average_distance,throughput",
        ),
        kind: Kind::List {
            one: "objective",
            python: "Sequence[str]",
            set: |to, names| {
                let named: Result<_, String> = names.iter().map(|name| name.parse()).collect();
                to.nodes.objectives = named?;
                Ok(())
            },
        },
    },
    Setting {
        key: "sort",
        title: "what the list is sorted by",
        about: "What the list is sorted by, one of the objectives",
        unit: "KEY",
        usual: Usual::Said("cr; of a chip energy"),
        kind: Kind::Text {
            allowed: "an objective",
            python: "str",
            set: |to, name| name.parse().map(|one| to.sort = Some(one)),
        },
    },
    count(
        "max_frame",
        "nodes of the largest frame",
        "The nodes of the largest frame and unit of an expansion",
        "N",
        Usual::Said("16, or `max_base=`"),
        (2, 4096),
        |to, most| to.nodes.max_frame = Some(most),
    ),
    count(
        "max_nested_frame",
        "nodes of the largest frame around what is nested",
        "The nodes of the largest frame around what is nested itself",
        "N",
        Usual::Said("5, or `max_base=`"),
        (2, 4096),
        |to, most| to.nodes.max_nested_frame = Some(most),
    ),
];

/// What counts in both questions.
pub static DESIGN_OPTIONS: [Setting<DesignSettings>; 7] = [
    Setting {
        key: "tolerance",
        title: "tolerance of the size",
        about: "How many more there may be, and of nodes how many fewer: of hosts and of tiles there are at least as many as are wanted",
        unit: "PERCENT",
        usual: Usual::Value("10%"),
        kind: Kind::ClosedFraction(|to, part| {
            to.nodes.tolerance = part;
            to.hosts.tolerance = part;
        }),
    },
    count(
        "max_degree",
        "links at a node, at most",
        "The most links at a node",
        "D",
        Usual::Nothing,
        (0, u64::MAX),
        |to, most| {
            to.nodes.max_degree = Some(most);
            to.hosts.limits.max_degree = Some(most);
        },
    ),
    count(
        "max_diameter",
        "diameter, at most",
        "The longest diameter; of hosts the most links between switches",
        "K",
        Usual::Nothing,
        (0, u64::MAX),
        |to, most| {
            to.nodes.max_diameter = Some(most);
            to.hosts.limits.max_diameter = Some(most);
        },
    ),
    count(
        "max_vcs",
        "virtual channels, at most",
        "The most virtual channels that keep it free of deadlock",
        "N",
        Usual::Nothing,
        (1, 65_535),
        |to, most| {
            let most = u16::try_from(most).ok();
            to.nodes.max_vcs = most;
            to.hosts.limits.max_vcs = most;
        },
    ),
    count(
        "depth",
        "constructions nested, at most",
        "How many constructions are nested at most",
        "N",
        Usual::Said("2; 1 with `hosts=`"),
        (0, 4),
        |to, most| {
            let most = usize::try_from(most).unwrap_or(usize::MAX);
            to.nodes.depth = most;
            to.hosts.depth = most;
        },
    ),
    count(
        "max_base",
        "nodes of the largest base",
        "The nodes of the largest base",
        "N",
        Usual::Value("32"),
        (2, 4096),
        |to, most| {
            to.nodes.max_base = most;
            to.hosts.max_base = most;
        },
    ),
    Setting {
        key: "families",
        title: "only of these families",
        about: "The families to search for the outermost network; all if none is named",
        unit: "NAMES",
        usual: Usual::Nothing,
        kind: Kind::List {
            one: "family",
            python: "Sequence[str]",
            set: |to, names| {
                let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
                to.nodes.families.clone_from(&names);
                to.hosts.families = names;
                Ok(())
            },
        },
    },
];

/// A taper: `2`, `1.5` or `2:1`.
fn ratio(text: &str) -> Result<f64, String> {
    let (over, under) = text.split_once(':').unwrap_or((text, "1"));
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|value| *value > 0.0);
    let ratio = number(over).zip(number(under)).map(|(over, under)| over / under);
    let ratio = ratio.filter(|ratio| (1.0..=1e6).contains(ratio));
    ratio.ok_or_else(|| "expected a ratio from 1, such as 2, 1.5 or 2:1".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::physical::COST_OPTIONS;
    use nestnet_graph::options::faulty;

    #[test]
    fn every_option_sets_something_and_defaults_are_those_of_the_questions() {
        let other = |key, other| match key {
            "objectives" | "sort" => "links",
            "families" => "ring",
            // At most 4.
            "depth" => "3",
            _ => other,
        };
        assert_eq!(faulty(options(), &DesignSettings::default(), other), [""; 0]);
        assert!(options().all(|row| find(&COST_OPTIONS, row.key).is_err()));
    }

    #[test]
    fn what_makes_no_question_is_refused() {
        let fabric = [("hosts", "64"), ("radix", "16")];
        for (given, why) in [
            (&[][..], "either `nodes=` or `hosts=`"),
            (&[("nodes", "9"), ("hosts", "9"), ("radix", "4")], "either `nodes=` or"),
            (&[("hosts", "9")], "`hosts=` needs `radix=`"),
            (&[("nodes", "9"), ("taper", "2:1")], "taper: only a design by hosts and radix"),
            (&[fabric[0], fabric[1], ("sort", "links")], "sort: only a design by nodes takes"),
            (&[fabric[0], fabric[1], ("hosts_per_switch", "16")], "from 1 to 15: a switch has 16"),
            (&[("nodes", "9"), ("objectives", "energy")], "`energy` is known of chips only"),
            (&[("nodes", "9"), ("cost_model", "tent")], "cost_model"),
            (&[fabric[0], fabric[1], ("taper", "1:2")], "expected a ratio from 1"),
        ] {
            let error = DesignQuestion::read(given.iter().copied()).unwrap_err().to_string();
            assert!(error.contains(why), "{given:?}: {error}");
        }
        let given = [fabric[0], fabric[1], ("hosts_per_switch", "16"), ("breakout", "2")];
        assert!(matches!(DesignQuestion::read(given), Ok(DesignQuestion::Hosts(_))));
    }
}
