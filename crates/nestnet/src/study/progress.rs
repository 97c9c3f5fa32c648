//! Results of a study under way: what a run made, how long the rest takes, what was collected.

use super::plan::Study;
use nestnet_graph::job::Shard;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;

/// What a run of a study has done.
#[derive(Clone, Debug, Serialize)]
pub struct Progress {
    /// The study.
    pub title: String,
    /// All its points.
    pub points: u64,
    /// Which of them it did.
    #[serde(serialize_with = "nestnet_graph::json::text")]
    pub shard: Shard,
    /// The points of the shard that have an answer.
    pub done: u64,
    /// Those of them whose answer says why there is none.
    pub none: u64,
    /// How many points each question has.
    pub of: Counts,
}

/// How long a study takes.
#[derive(Clone, Debug, Serialize)]
pub struct Estimate {
    /// The study.
    pub title: String,
    /// All its points.
    pub points: u64,
    /// Which of them are meant.
    #[serde(serialize_with = "nestnet_graph::json::text")]
    pub shard: Shard,
    /// How many have no answer.
    pub missing: u64,
    /// How many points each question has.
    pub of: Counts,
    /// Seconds on these threads.
    pub seconds: f64,
    /// Whether it may be more, since points that were tried did not end.
    pub at_least: bool,
    /// Threads.
    pub threads: usize,
}

/// The answers of a study in tables.
#[derive(Clone, Debug, Serialize)]
pub struct Collected {
    /// The study.
    pub title: String,
    /// All its points.
    pub points: u64,
    /// How many have no answer.
    pub missing: usize,
    /// The columns of the table by name.
    pub columns: Vec<String>,
    /// The files.
    pub written: Vec<String>,
}

/// How many points each question has, in the order of the study.
#[derive(Clone, Debug)]
pub struct Counts(Vec<(&'static str, u64)>);

impl Study {
    /// How many points each question has.
    pub fn counts(&self) -> Counts {
        Counts(self.points_of().map(|(question, count)| (question.name(), count)).collect())
    }
}

impl Serialize for Counts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().copied())
    }
}

nestnet_graph::written_as!(Counts: BTreeMap<&str, u64>);
