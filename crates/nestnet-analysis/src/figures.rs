//! The numbers of one network that an architect compares, each with how it is known.

use crate::info::Average;
use crate::measures::{Analysis, Limits};
use nestnet_graph::distances::ratio;
use nestnet_graph::json::Integer;
use nestnet_graph::measure::connectivity::{proven_connectivity, vertex_connectivity};
use nestnet_graph::measure::quality::{cost, cost_ratio, distances_at_least};
use nestnet_graph::measure::quality::{least_mean_distance, moore_efficiency};
use nestnet_graph::measure::search::{distances_from, spheres_of};
use nestnet_graph::theory::{Bounded, How};
use nestnet_graph::{Network, Node, fields};
use nestnet_routing::Router;
use nestnet_topologies::family::Built;
use nestnet_topologies::spec::Spec;
use num_bigint::BigUint;
use num_traits::ToPrimitive;
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

/// The numbers of one network.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Figures {
    /// What it is called.
    pub spec: Spec,
    /// The number of nodes.
    pub nodes: BigUint,
    /// The number of nodes that inject and receive.
    pub hosts: BigUint,
    /// The number of links.
    pub links: BigUint,
    /// The largest number of links at a node: the radix of the largest switch.
    pub degree: u64,
    /// The largest distance of two hosts or bounds on it, of a connected network; links of hosts count. Where every node
    /// is a host it is the diameter.
    pub diameter: Option<Bounded>,
    /// The mean distance of two different hosts.
    pub average_distance: Option<Average>,
    /// At least so far two different nodes are on average, where more is known than the degree says.
    pub(crate) least_mean: f64,
    /// Virtual channels that keep the routing free of deadlock.
    pub routing: Option<Routing>,
    /// How many nodes must fail before the rest falls apart, or bounds on it.
    pub connectivity: Bounded,
}

/// The router that needs the fewest virtual channels.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Routing {
    /// Its name.
    pub router: &'static str,
    /// How many it needs.
    pub vcs: u16,
}

impl Routing {
    /// A router by its name, with so many virtual channels.
    pub fn new(router: &'static str, vcs: u16) -> Self {
        Routing { router, vcs }
    }
}

/// A number with a fraction between two bounds, exact when they are equal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// At least this.
    pub low: f64,
    /// At most this.
    pub high: f64,
}

impl Range {
    /// The value, if it is exact.
    pub fn exact(self) -> Option<f64> {
        (self.low == self.high).then_some(self.low)
    }
}

impl Serialize for Range {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.exact() {
            Some(value) => value.serialize(serializer),
            None => fields!(serializer, "Range", low = self.low, high = self.high),
        }
    }
}

nestnet_graph::written_as!(Range: f64);

/// A mean, or bounds on it.
enum Mean<'a> {
    Known(&'a Average),
    Between(Range),
}

impl Serialize for Mean<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Mean::Known(average) => average.serialize(serializer),
            Mean::Between(Range { low, high }) => {
                fields!(
                    serializer,
                    "Range",
                    /// At least this.
                    low: f64 = low,
                    /// At most this.
                    high: f64 = high,
                    /// How both are known.
                    how: How = How::Bounds,
                )
            }
        }
    }
}

nestnet_graph::written_as!(Mean<'_>: Average);

/// In text a number where it is exact, without how it is known.
struct Short(Bounded);

impl Serialize for Short {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.exact() {
            _ if !serializer.is_human_readable() => self.0.serialize(serializer),
            Some(value) => Integer(value).serialize(serializer),
            None => fields!(
                serializer,
                "Known",
                low = Integer(&self.0.low),
                high = Integer(&self.0.high),
            ),
        }
    }
}

nestnet_graph::written_as!(Short: Integer<BigUint>);

impl Figures {
    /// All numbers as fields of a struct that was begun.
    pub fn fields<S: SerializeStruct>(&self, fields: &mut S) -> Result<(), S::Error> {
        let average = match &self.average_distance {
            Some(average) => Some(Mean::Known(average)),
            None => self.average_range().map(Mean::Between),
        };
        let routing = self.routing.as_ref();
        fields!(
            in fields,
            spec = self.spec,
            nodes = Integer(&self.nodes),
            hosts = Integer(&self.hosts),
            degree = self.degree,
            diameter = self.diameter,
            /// The mean distance of two different hosts, or bounds on it, of a connected network.
            average_distance: Option<Mean<'_>> = average,
            links = Integer(&self.links),
            /// The degree times the diameter.
            cost: Option<Short> = self.cost().map(Short),
            /// The cost ratio: (degree + diameter) / log2(nodes).
            cr: Option<Range> = self.cr(),
            /// The nodes as a fraction of the Moore bound.
            moore_efficiency: Option<Range> = self.moore_efficiency(),
            /// The fewest virtual channels that keep a routing free of deadlock; none where no router is
            /// proven so.
            vcs: Option<u16> = routing.map(|routing| routing.vcs),
            /// The router that needs the fewest virtual channels; none where no router is proven free of
            /// deadlock.
            router: Option<&str> = routing.map(|routing| routing.router),
            vertex_connectivity = self.connectivity,
        );
        Ok(())
    }

    /// Degree times diameter.
    pub fn cost(&self) -> Option<Bounded> {
        let diameter = self.diameter.as_ref()?;
        let of = |diameter: &BigUint| cost(self.degree, diameter);
        Some(diameter.map(of).by(diameter.how))
    }

    /// The cost ratio, (degree + diameter) / log2(nodes).
    pub fn cr(&self) -> Option<Range> {
        let of = |diameter: &BigUint| cost_ratio(&self.nodes, self.degree, diameter);
        let diameter = self.diameter.as_ref()?;
        Some(Range { low: of(&diameter.low)?, high: of(&diameter.high)? })
    }

    /// The part of the nodes that the Moore bound allows.
    pub fn moore_efficiency(&self) -> Option<Range> {
        let of = |diameter: &BigUint| moore_efficiency(&self.nodes, self.degree, diameter);
        let diameter = self.diameter.as_ref()?;
        // The longer the diameter, the more nodes there could be.
        Some(Range { low: of(&diameter.high)?, high: of(&diameter.low)? })
    }

    /// The mean distance, or what is certain about it: at least that of the best network of this degree, at most the
    /// diameter. `None` where there are no two nodes or no paths between them.
    pub fn average_range(&self) -> Option<Range> {
        if let Some(Average { numerator, denominator, .. }) = &self.average_distance {
            let value = ratio(numerator, denominator);
            return Some(Range { low: value, high: value });
        }
        let (sum, pairs) = least_mean_distance(&self.nodes, self.degree)?;
        let high = self.diameter.as_ref()?.high.to_f64()?;
        Some(Range { low: ratio(&sum, &pairs).max(self.least_mean).min(high), high })
    }

    /// Links for each node that injects.
    pub fn links_per_host(&self) -> f64 {
        ratio(&self.links, &self.hosts)
    }

    /// How well the number of hosts matches `wanted`: the smaller over the larger, 1 where they agree.
    pub fn size_match(&self, wanted: &BigUint) -> f64 {
        let (less, more) = (wanted.min(&self.hosts), wanted.max(&self.hosts));
        ratio(less, more)
    }
}

/// Up to this many nodes and links the connectivity is measured.
const MAX_CUT: (u64, u128) = (1 << 13, 1 << 16);

/// The numbers of a network: proven ones, and measured ones as far as `limits` allow.
///
/// With `how` limited to [`How::Theorem`] nothing is measured.
///
/// ```
/// use nestnet_analysis::measures::Limits;
/// use nestnet_topologies::build;
/// use nestnet_analysis::figures;
///
/// let built = build("rdn(torus(5, 5), 2)").unwrap();
/// let figures = figures(&built, Limits::default());
/// assert_eq!(figures.degree, 6);
/// assert_eq!(figures.cost().unwrap().exact(), Some(&132u8.into()));
/// assert_eq!(format!("{:.2}", figures.cr().unwrap().low), "1.30");
/// ```
pub fn figures(built: &Built, limits: Limits<'_>) -> Figures {
    with_extent(built.spec().clone(), built, limits, Extent::All)
}

/// How much is asked, each more than the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Extent {
    /// No routers, and of the connectivity what costs nothing.
    Distances,
    /// Routers too.
    Routes,
    /// Everything.
    All,
}

/// The numbers of a network, to the extent asked.
pub fn with_extent(spec: Spec, built: &Built, limits: Limits<'_>, extent: Extent) -> Figures {
    counted(spec, built).extended(built, limits, extent)
}

/// What is counted, and of the connectivity what costs nothing; no distances yet.
pub fn counted(spec: Spec, built: &Built) -> Figures {
    let theory = &built.theory;
    let degrees = theory.degrees();
    Figures {
        spec,
        nodes: theory.order(),
        hosts: theory.hosts(),
        links: degrees.links,
        degree: degrees.max,
        diameter: None,
        average_distance: None,
        least_mean: 0.0,
        routing: None,
        connectivity: proven_connectivity(&*built.proven),
    }
}

impl Figures {
    /// The same with a diameter that is proven.
    pub fn with_proven_diameter(self, built: &Built) -> Self {
        let diameter = built.proven.host_diameter().filter(|_| built.theory.connected());
        Figures { diameter, ..self }
    }

    /// The same with what is seen from two nodes of a network whose nodes are all hosts: bounds on the diameter and the
    /// mean distance.
    pub fn glimpsed(self, network: &dyn Network) -> Self {
        let Some(order) = self.hosts.to_u64().filter(|_| self.hosts == self.nodes) else {
            return self;
        };
        let Some(links) = self.links.to_u128() else { return self };
        let from_first = distances_from(network, Node(0));
        let far = (0..).zip(&from_first).max_by_key(|(_, far)| **far).map_or(0, |(node, _)| node);
        let from_far = distances_from(network, Node(far));
        let counted = [from_first, from_far].map(|distances| spheres_of(&distances));
        let sum = distances_at_least(order, links, self.degree, &counted);
        let least_mean = sum as f64 / (order as f64 * (order as f64 - 1.0));
        let reaches = counted.iter().map(|counts| counts.len() as u64 - 1);
        let (least, most) = (reaches.clone().max(), reaches.min().map(|reach| 2 * reach));
        let (least, most) = (least.unwrap_or(0).into(), most.unwrap_or(0).into());
        let diameter = Some(match self.diameter {
            None => Bounded::between(least, most),
            Some(known) if known.exact().is_some() => known,
            Some(known) => Bounded::between(known.low.max(least), known.high.min(most)),
        });
        Figures { diameter, least_mean, ..self }
    }

    /// The same with distances, and more to the extent asked.
    pub fn extended(self, built: &Built, limits: Limits<'_>, extent: Extent) -> Self {
        let subject = Analysis::new(built, limits);
        let connected = built.theory.connected();
        // What matters is how far hosts are apart, not the switches between them.
        let found = subject.between_hosts();
        let mean = found.histogram.as_ref().filter(|_| connected);
        let average_distance = mean.and_then(|(histogram, how)| {
            let (numerator, denominator) = histogram.mean()?;
            Some(Average { numerator, denominator, how: *how })
        });
        Figures {
            diameter: found.diameter.clone().filter(|_| connected),
            average_distance,
            routing: if extent >= Extent::Routes { routing(built) } else { None },
            connectivity: match extent {
                Extent::All => connectivity(&subject),
                Extent::Distances | Extent::Routes => self.connectivity,
            },
            ..self
        }
    }
}

/// Of the routers of its own, the one with the fewest virtual channels.
pub fn routing(built: &Built) -> Option<Routing> {
    fewest(built, built.router_names(), |router, most| match most {
        Some(most) => router.fewer_vcs_than(most),
        None => Some(router.host_vcs()),
    })
}

/// The same by what rules guarantee, without walking routes: the fewest virtual channels of its own routers, or of
/// shortest routes as long as its diameter.
pub fn routing_by_rule(built: &Built) -> Option<Routing> {
    fewest(built, built.rule_names(), |router, most| {
        Some(router.vcs_at_most()).filter(|&vcs| most.is_none_or(|most| vcs < most))
    })
}

/// The first of those with the fewest; `vcs` says how many they are, unless they are not fewer than so many.
fn fewest(
    built: &Built,
    names: Vec<&'static str>,
    vcs: impl Fn(&dyn Router, Option<u16>) -> Option<u16>,
) -> Option<Routing> {
    let mut best: Option<Routing> = None;
    for router in names {
        let Some(found) = built.router(router) else { continue };
        let most = best.as_ref().map(|best| best.vcs);
        if let Some(vcs) = vcs(&*found, most) {
            best = Some(Routing { router, vcs });
        }
    }
    best
}

fn connectivity(subject: &Analysis<'_>) -> Bounded {
    let proven = proven_connectivity(&*subject.built.proven);
    let (nodes, links) = MAX_CUT;
    let small = subject.order() <= nodes && subject.links() <= links;
    if proven.exact().is_some() || !small || subject.limits.how == Some(How::Theorem) {
        return proven;
    }
    let found = subject.csr().ok().and_then(|csr| {
        vertex_connectivity(csr, subject.classes(), &subject.limits.budget.watch).ok()
    });
    found.map_or(proven, |found| Bounded::theorem(found.value).by(found.how))
}

#[cfg(test)]
mod tests {
    use super::*;
    use nestnet_graph::Budget;
    use nestnet_topologies::build;

    fn of(text: &str, how: Option<How>) -> Figures {
        let budget = Budget { steps: 1 << 32, ..Budget::default() };
        let limits = Limits { how, budget };
        figures(&build(text).unwrap(), limits)
    }

    #[test]
    fn a_network_by_theorem() {
        let figures = of("rdn(torus(5, 5), 2)", Some(How::Theorem));
        assert_eq!(figures.links, 9_375_000u32.into());
        assert_eq!(figures.diameter, Some(Bounded::theorem(22u8)));
        assert_eq!(figures.average_range().unwrap().exact(), Some(43_810_000.0 / 3_124_999.0));
        assert_eq!(figures.connectivity, Bounded::theorem(6u8));
        assert_eq!(figures.size_match(&3_000_000u32.into()), 0.96);
        assert!(figures.routing.unwrap().vcs > 0);
    }

    #[test]
    fn what_no_theorem_says_is_measured_or_bounded() {
        let proven = of("rsn(ring(5), 2)", Some(How::Theorem));
        assert_eq!(proven.average_distance, None);
        let range = proven.average_range().unwrap();
        assert_eq!(proven.connectivity, Bounded::between(1u8, 2u8));
        let measured = of("rsn(ring(5), 2)", None);
        let mean = measured.average_range().unwrap().exact().unwrap();
        assert!(range.low <= mean && mean <= range.high);
        assert_eq!(measured.connectivity.exact(), Some(&2u8.into()));
        assert_eq!(measured.connectivity.how, How::Exhaustive);
    }

    #[test]
    fn large_degrees_are_bounded_at_once() {
        let figures = of("complete(1000000)", Some(How::Theorem));
        assert_eq!(figures.connectivity, Bounded::between(666_666u32, 999_999u32));
    }

    #[test]
    fn hosts_count_where_others_switch() {
        let figures = of("fat_tree(4)", None);
        assert_eq!((&figures.hosts, figures.degree), (&16u8.into(), 4));
        assert_eq!(figures.size_match(&32u8.into()), 0.5);
        assert_eq!(of("ring(1)", None).cr(), None);
        assert_eq!(of("rcr(1, 1, 3)", None).cost(), None);
    }
}
