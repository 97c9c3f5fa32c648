//! What is known of a network before anything is measured? Answers at once, at any size.

use nestnet_graph::distances::ratio;
use nestnet_graph::json::{self, Integer};
use nestnet_graph::theory::{Bounded, Degrees, How};
use nestnet_graph::{Csr, Network, fields};
use nestnet_topologies::build::{
    Context, best_known, build_with, canonical, paper_formulas, stands_for,
};
use nestnet_topologies::family::paper_formula::PaperFormula;
use nestnet_topologies::family::{Built, Paper, find};
use nestnet_topologies::spec::{Spec, SpecError};
use num_bigint::BigUint;
use num_traits::ToPrimitive;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;

/// All that is known of the network that a spec means.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Info {
    /// The spec in its canonical form.
    pub spec: Spec,
    /// Where its family comes from.
    pub paper: Paper,
    /// What it means, where it is another name.
    pub stands_for: Option<Spec>,
    /// Other names of the same network, the best known first.
    pub also: Vec<Spec>,
    /// The number of nodes.
    pub nodes: BigUint,
    /// The number of nodes that inject and receive.
    pub hosts: BigUint,
    /// The number of links, and the degrees.
    pub degrees: Degrees,
    /// Whether there is a path between any two nodes.
    pub connected: bool,
    /// The diameter or bounds on it, of a connected network.
    pub diameter: Option<Bounded>,
    /// The mean distance of two different nodes, of a connected network.
    pub average_distance: Option<Average>,
    /// What only a network with node ids has.
    pub built: Option<Ids>,
    /// What the formulas of its paper say, true or not.
    pub paper_says: Vec<PaperFormula>,
    /// What a reader of the numbers should know.
    pub remarks: Vec<String>,
}

impl Serialize for Info {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Text does not repeat what is the same.
        let hosts = self.hosts != self.nodes || !serializer.is_human_readable();
        fields!(
            serializer,
            "Info",
            spec = self.spec,
            /// The name of its family.
            family = self.spec.name,
            /// Where its family comes from.
            paper: &str = self.paper.key(),
            [stands_for] = self.stands_for,
            /// Other names of the same network, the best known first.
            [also]: &Vec<Spec> = (!self.also.is_empty()).then_some(&self.also),
            nodes = Integer(&self.nodes),
            /// How many nodes inject and receive, where these are not all.
            [hosts]: Integer<_> = hosts.then_some(Integer(&self.hosts)),
            links = Integer(&self.degrees.links),
            cables = Integer(&self.degrees.cables),
            /// The smallest degree, cables counted; a lower bound on it where the histogram is not known.
            degree_min = self.degrees.min,
            /// The largest degree; an upper bound on it where the histogram is not known.
            degree_max = self.degrees.max,
            /// Nodes by their number of links, where these were counted.
            [degree_histogram]: BTreeMap<u64, Integer<_>> =
                self.degrees.counts.as_ref().map(json::counts),
            connected = self.connected,
            /// How many levels its links have, where it has node ids.
            [levels]: u16 = self.built.map(|ids| ids.levels),
            [diameter] = self.diameter,
            [average_distance] = self.average_distance,
            /// Whether it has node ids, so that it can be searched and routed.
            built: bool = self.built.is_some(),
            /// Bytes that it takes once all its links are stored, where it has node ids.
            [memory]: u128 = self.built.map(|ids| ids.memory),
            /// What the formulas of its paper give, right or wrong.
            [paper_says]: &Vec<PaperFormula> =
                (!self.paper_says.is_empty()).then_some(&self.paper_says),
            remarks = self.remarks,
        )
    }
}

/// A mean as a fraction in lowest terms.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Average {
    /// The upper part.
    pub numerator: BigUint,
    /// The lower part.
    pub denominator: BigUint,
    /// How it is known.
    pub how: How,
}

impl Serialize for Average {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        fields!(
            serializer,
            "Mean",
            /// The mean.
            value: f64 = ratio(&self.numerator, &self.denominator),
            numerator = Integer(&self.numerator),
            denominator = Integer(&self.denominator),
            how = self.how,
        )
    }
}

/// What only a network with node ids has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Ids {
    /// How many levels of links there are.
    pub levels: u16,
    /// The bytes that it would take written out ([`Csr`]).
    pub memory: u128,
}

/// What is known of the network of the spec `text`.
///
/// ```
/// use nestnet_analysis::info;
/// use nestnet_topologies::Context;
///
/// let info = info("dual_cube(4)", &Context::ALONE).unwrap();
/// assert_eq!(info.stands_for.unwrap().to_string(), "rdn(hypercube(3), 1)");
/// assert_eq!(info.nodes, 128u32.into());
/// ```
pub fn info(text: &str, context: &Context<'_>) -> Result<Info, SpecError> {
    let spec = Spec::parse(text)?;
    let built = build_with(&spec, text, context)?;
    info_of(&built, &spec, text, context)
}

/// What is known of `built`, the network that was built from `spec`, whose text errors quote.
pub fn info_of(
    built: &Built,
    spec: &Spec,
    text: &str,
    context: &Context<'_>,
) -> Result<Info, SpecError> {
    let theory = &built.theory;
    let connected = theory.connected();
    let degrees = theory.degrees();
    if degrees.max == u64::MAX {
        let message = format!("{}: more than 2^64 links at a node are not counted", spec.name);
        return Err(SpecError { text: text.to_owned(), span: spec.span.clone(), message });
    }
    let stands_for = stands_for(spec, text, context)?;
    let is_other =
        |name: &Spec| name.to_string() != spec.to_string() && Some(name) != stands_for.as_ref();
    let also: Vec<Spec> = Some(best_known(spec)).into_iter().filter(is_other).collect();
    Ok(Info {
        spec: canonical(spec, text)?,
        also,
        paper: find(&spec.name).map_or(Paper::Common, |family| family.paper),
        stands_for,
        nodes: theory.order(),
        hosts: theory.hosts(),
        connected,
        diameter: theory.diameter().filter(|_| connected),
        average_distance: if connected { average(built) } else { None },
        built: built.network.as_deref().and_then(|network| ids(network, &degrees)),
        degrees,
        paper_says: paper_formulas(spec, text, context)?,
        remarks: theory.remarks(),
    })
}

fn average(built: &Built) -> Option<Average> {
    let (numerator, denominator) = built.theory.distances()?.mean()?;
    Some(Average { numerator, denominator, how: built.theory.distances_how() })
}

fn ids(network: &dyn Network, degrees: &Degrees) -> Option<Ids> {
    let links = degrees.links.to_u128()?;
    Some(Ids { levels: network.levels(), memory: Csr::bytes(network.order(), links) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_is_called_by_its_best_name_too() {
        let also = |text: &str| {
            let found = info(text, &Context::ALONE).unwrap().also;
            found.iter().map(Spec::to_string).collect::<Vec<_>>()
        };
        assert_eq!(also("folded(complete(16), 2)"), ["hyperx(16, 16)"]);
        assert_eq!(also("hosts(folded(ring(4), 3), 2)"), ["hosts(torus(4, 4, 4), 2)"]);
        assert!(also("torus(4, 4)").is_empty() && also("hyperx(3, 4)").is_empty());
    }

    fn info_from(text: &str, file: &'static str) -> Info {
        let read = |_: &str| Ok(file.as_bytes().to_vec());
        info(text, &Context { read: &read, ..Context::ALONE }).unwrap()
    }

    #[test]
    fn a_cube_by_theorem() {
        let info = info_from("dual_cube( 2 )", "");
        assert_eq!(info.spec.to_string(), "dual_cube(2)");
        assert_eq!(info.stands_for.unwrap().to_string(), "rdn(hypercube(1), 1)");
        assert_eq!(info.paper, Paper::DualNet);
        // It is the ring of eight nodes: (1+1+2+2+3+3+4)/7.
        let average = info.average_distance.unwrap();
        assert_eq!((average.numerator, average.denominator), (16u8.into(), 7u8.into()));
        assert_eq!(average.how, How::Theorem);
        assert_eq!(info.built, Some(Ids { levels: 2, memory: 8 * 9 + 8 * 8 }));
    }

    #[test]
    fn degrees_that_do_not_fit_are_refused() {
        let sides = vec![(1u64 << 63).to_string(); 3].join(", ");
        let error = info(&format!("generalized_hypercube({sides})"), &Context::ALONE).unwrap_err();
        assert!(error.to_string().contains("more than 2^64 links"), "{error}");
    }

    #[test]
    fn a_file_is_measured() {
        let info = info_from("file(\"x\")", "0 1\n1 2\n");
        assert_eq!(info.average_distance.unwrap().how, How::Exhaustive);
        assert_eq!(info.diameter.unwrap().exact(), Some(&2u8.into()));
    }

    #[test]
    fn a_disconnected_network_has_no_diameter() {
        let info = info_from("file(\"x\")", "0 1\n2 3\n");
        assert!(!info.connected);
        assert_eq!((info.diameter, info.average_distance), (None, None));
    }
}
