//! The answer of a search beside its question, as every front end shows it.

use super::{COUNTS, ClusterDesign, ClusterQuestion, Design, Question, Row, recommended};
use nestnet_graph::fields;
use nestnet_graph::json::Integer;
use num_bigint::BigUint;
use serde::ser::SerializeStruct as _;
use serde::{Serialize, Serializer};

/// What was asked and found.
#[derive(Clone, Copy, Debug)]
pub struct Report<'a, Q, A> {
    /// The question.
    pub question: &'a Q,
    /// The answer.
    pub answer: &'a A,
}

/// The report of a search for nodes.
pub type DesignReport<'a> = Report<'a, Question, Design>;

/// The report of a search for hosts on switches.
pub type ClusterReport<'a> = Report<'a, ClusterQuestion, ClusterDesign>;

/// A network on the Pareto front, beside the number of nodes that is wanted.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<'a> {
    /// The network.
    pub row: &'a Row,
    /// As many nodes are wanted.
    pub wanted: u128,
}

/// The network to take, and why.
#[derive(Clone, Debug, Serialize)]
struct Advice {
    spec: String,
    why: String,
}

/// How far candidates are made.
#[derive(Clone, Debug, Serialize)]
struct Searched<'a> {
    depth: usize,
    max_base: u64,
    max_frame: u64,
    max_nested_frame: u64,
    families: &'a [String],
}

impl Serialize for Candidate<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Row { figures, origin, ties, cost, routed, simulated } = self.row;
        let routed = routed.as_ref();
        let mut fields = serializer.serialize_struct("Candidate", 1)?;
        figures.fields(&mut fields)?;
        fields!(
            in fields,
            match = figures.size_match(&BigUint::from(self.wanted)),
            ties = ties,
            switches = Integer(&figures.nodes - &figures.hosts),
            radix = figures.degree,
            hosts_per_switch = (figures.nodes == figures.hosts).then_some(1u64),
            price_per_host = cost.price,
            throughput = cost.throughput,
            kind = origin,
            [routing] = routed.map(|one| one.name),
            [worst_case] = routed.map(|one| one.worst),
            [deadlock_free] = routed.map(|one| one.deadlock_free),
            [wiring] = cost.wiring,
            [energy] = cost.wiring.map(|_| cost.energy),
            [simulated] = simulated,
        );
        fields.end()
    }
}

impl Serialize for DesignReport<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let DesignReport { question, answer } = self;
        let best = recommended(question, answer);
        let wanted = question.nodes;
        fields!(
            serializer,
            "Design",
            nodes = wanted,
            tolerance = question.tolerance,
            max_degree = question.max_degree,
            max_diameter = question.max_diameter,
            objectives = question.objectives.iter().map(|one| one.name()).collect::<Vec<_>>(),
            searched = Searched {
                depth: question.depth,
                max_base: question.max_base,
                max_frame: question.largest_frame(),
                max_nested_frame: question.largest_nested_frame(),
                families: &question.families,
            },
            candidates = answer.candidates,
            fitting = answer.fitting,
            unmeasured = answer.unmeasured,
            finished = answer.finished,
            front = answer.front.iter().map(|row| Candidate { row, wanted }).collect::<Vec<_>>(),
            [references] = question.tiles.map(|_| {
                let all = answer.references.iter();
                all.map(|row| Candidate { row, wanted }).collect::<Vec<_>>()
            }),
            [simulated] = best.as_ref().and_then(|one| one.row.simulated.as_ref()),
            recommended =
                best.map(|one| Advice { spec: one.row.figures.spec.to_string(), why: one.why }),
            [relax] = answer.relaxed,
        )
    }
}

impl Serialize for ClusterReport<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let ClusterReport { question, answer } = self;
        let best = answer.recommended.as_ref();
        let advice = |(at, why): &(usize, String)| Advice {
            spec: answer.front[*at].spec.to_string(),
            why: why.clone(),
        };
        fields!(
            serializer,
            "Design",
            hosts = question.hosts,
            radix = question.radix,
            tolerance = question.tolerance,
            objectives = COUNTS,
            candidates = answer.candidates,
            measured = answer.measured,
            unmeasured = answer.unmeasured,
            finished = answer.finished,
            front = answer.front,
            references = answer.references,
            unfit = answer.unfit,
            answers = answer.answers,
            recommended = best.map(advice),
            simulated = answer.simulated,
            bill = answer.bill,
        )
    }
}
