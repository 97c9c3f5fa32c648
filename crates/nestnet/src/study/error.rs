//! Why is a study refused?

use super::plan::MOST_POINTS;
use crate::design::{DesignError, DesignOptionError};
use crate::physical::CostOptionError;
use nestnet_analysis::measures::Unanswered;
use nestnet_analysis::number_format::grouped;
use nestnet_analysis::routers::RouterError;
use nestnet_analysis::throughput::ThroughputError;
use nestnet_graph::options::OptionError;
use nestnet_graph::{Interrupted, kinds};
use nestnet_topologies::spec::SpecError;
use thiserror::Error;

/// Why there is no study.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum StudyError {
    /// It is not in the form of a study; the message has the line.
    #[error("{}", .0.to_string().trim_end())]
    Form(Box<toml::de::Error>),
    /// A value that makes no sense.
    #[error("line {line}: {fault}")]
    At {
        /// Where it stands, from 1 on.
        line: usize,
        /// What is wrong with it.
        fault: Box<Fault>,
    },
    /// There is nothing to find.
    #[error(
        "it asks nothing: [measure], [cost], [throughput], [simulate], [saturation] or [resilience]"
    )]
    NoQuestion,
    /// There is nothing to ask.
    #[error("it names no network: specs = [\"SPEC\"] or [design]")]
    NoNetwork,
    /// The caller stopped it.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}

kinds!(StudyError {
    Format: Form, At, NoQuestion, NoNetwork;
    inner: Interrupted;
});

/// What is wrong with a value.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum Fault {
    /// Not a network.
    #[error("{0}")]
    Spec(SpecError),
    /// Nobody waits for so many.
    #[error(
        "`{what}` makes it {} points, more than the {} that a study may have",
        grouped(points), grouped(&MOST_POINTS.to_string())
    )]
    TooMany {
        /// Which list is the longest.
        what: &'static str,
        /// How many points there would be.
        points: String,
    },
    /// A list of nothing.
    #[error("`{what}` is empty")]
    Empty {
        /// Which.
        what: &'static str,
    },
    /// Not a part of a whole.
    #[error("`{what}`: expected parts from 0 to 1, such as 0.05 or \"5%\", not {value}")]
    Part {
        /// Which list.
        what: &'static str,
        /// What is written there.
        value: String,
    },
    /// Not within its range.
    #[error("`{what}`: {value} is not from {low} to {high}")]
    Range {
        /// Which.
        what: &'static str,
        /// What is written there.
        value: f64,
        /// The least.
        low: f64,
        /// The most.
        high: f64,
    },
    /// A name that would break a line.
    #[error("{name:?} is not a name")]
    Name {
        /// What is written there.
        name: String,
    },
    /// Not a value of an option.
    #[error("{0}")]
    Option(OptionError),
    /// Not a cost model.
    #[error("{0}")]
    Cost(CostOptionError),
    /// Wire is not priced by the host.
    #[error("a study prices racks and clusters; a comparison with `cost_model=chip` counts wire")]
    Chip,
    /// Not a measure.
    #[error("{0}")]
    Measure(Unanswered),
    /// No network of the study has it.
    #[error("no network of this study can use it: {0}")]
    Router(RouterError),
    /// No network of the study can send so.
    #[error("{0}")]
    Traffic(ThroughputError),
    /// No such part of a network fails.
    #[error("`{name}` does not fail: there are {}", nestnet_routing::resilience::Failing::names())]
    Failing {
        /// What was asked for.
        name: String,
    },
    /// The design is not a question.
    #[error("{0}")]
    Design(DesignError),
    /// The design finds no network.
    #[error("no network fits the design")]
    NoDesign,
    /// Not an option of a design.
    #[error("{0}")]
    DesignOption(DesignOptionError),
}
