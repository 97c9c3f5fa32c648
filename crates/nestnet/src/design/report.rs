//! The answer of a search beside its question, as every front end shows it.

use super::{
    COUNTS, ClusterDesign, ClusterQuestion, Confirmation, Design, Question, Row, recommended,
};
use nestnet_analysis::figures::Figures;
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
    /// The network.
    spec: String,
    /// Why this one.
    why: String,
}

/// How far candidates are made.
#[derive(Clone, Debug, Serialize)]
struct Searched<'a> {
    /// How many constructions are nested at most.
    depth: usize,
    /// The nodes of the largest base.
    max_base: u64,
    /// The nodes of the largest frame and unit of an expansion.
    max_frame: u64,
    /// The nodes of the largest frame around what has constructions of its own.
    max_nested_frame: u64,
    /// The families of the outermost network; all if there is none.
    families: &'a [String],
}

impl Serialize for Candidate<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Row { figures, cost, .. } = self.row;
        let routed = self.row.routed.as_ref();
        let mut fields = serializer.serialize_struct("Candidate", 1)?;
        fields!(
            in fields,
            ..figures: Figures,
            /// How near its hosts are to what was asked for, from 0 to 1.
            match: f64 = figures.size_match(&BigUint::from(self.wanted)),
            ties = self.row.ties,
            /// Switches: nodes that are no hosts.
            switches: Integer<_> = Integer(&figures.nodes - &figures.hosts),
            /// The largest number of links at a node: the radix of the largest switch.
            radix: u64 = figures.degree,
            /// Hosts at each switch that has any: 1 where every node is a host.
            hosts_per_switch: Option<u64> = (figures.nodes == figures.hosts).then_some(1u64),
            price_per_host = self.row.cost.price,
            throughput = self.row.cost.throughput,
            kind = self.row.origin,
            /// The routing that its throughput and virtual channels belong to, of a chip.
            [routing]: &str = routed.map(|one| one.name),
            /// θ of the worst permutation by that routing.
            [worst_case]: Option<f64> = routed.map(|one| one.worst),
            /// Whether that routing is proven free of deadlock.
            [deadlock_free]: bool = routed.map(|one| one.deadlock_free),
            [wiring] = self.row.cost.wiring,
            /// Picojoules to move a bit from host to host, on average, on a chip.
            [energy]: Option<f64> = cost.wiring.map(|_| cost.energy),
            [simulated] = self.row.simulated,
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
            nodes = self.question.nodes,
            tolerance = self.question.tolerance,
            max_degree = self.question.max_degree,
            max_diameter = self.question.max_diameter,
            /// The keys of the objectives.
            objectives: Vec<&str> = question.objectives.iter().map(|one| one.name()).collect(),
            /// How far candidates were made.
            searched: Searched<'_> = Searched {
                depth: question.depth,
                max_base: question.max_base,
                max_frame: question.largest_frame(),
                max_nested_frame: question.largest_nested_frame(),
                families: &question.families,
            },
            candidates = self.answer.candidates,
            fitting = self.answer.fitting,
            unmeasured = self.answer.unmeasured,
            finished = self.answer.finished,
            /// The Pareto-optimal networks, best first.
            front: Vec<Candidate<'_>> =
                answer.front.iter().map(|row| Candidate { row, wanted }).collect(),
            /// What everybody builds on a chip, whether it is on the Pareto front or not.
            [references]: Vec<Candidate<'_>> = question.tiles.map(|_| {
                answer.references.iter().map(|row| Candidate { row, wanted }).collect()
            }),
            /// A short simulation of the recommended network.
            [simulated]: &Confirmation = best.as_ref().and_then(|one| one.row.simulated.as_ref()),
            /// The network to take, and why.
            recommended: Option<Advice> =
                best.map(|one| Advice { spec: one.row.figures.spec.to_string(), why: one.why }),
            [relax] = self.answer.relaxed,
        )
    }
}

impl Serialize for ClusterReport<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let answer = self.answer;
        let best = answer.recommended.as_ref();
        let advice = |(at, why): &(usize, String)| Advice {
            spec: answer.front[*at].spec.to_string(),
            why: why.clone(),
        };
        fields!(
            serializer,
            "Design",
            hosts = self.question.hosts,
            radix = self.question.radix,
            tolerance = self.question.tolerance,
            /// The keys of the objectives.
            objectives: [&str; 5] = COUNTS,
            candidates = self.answer.candidates,
            measured = self.answer.measured,
            unmeasured = self.answer.unmeasured,
            finished = self.answer.finished,
            front = self.answer.front,
            references = self.answer.references,
            unfit = self.answer.unfit,
            answers = self.answer.answers,
            /// The network to take, and why.
            recommended: Option<Advice> = best.map(advice),
            simulated = self.answer.simulated,
            bill = self.answer.bill,
        )
    }
}
