//! Which points does a study have? Every combination of its lists, counted before anything runs.

use nestnet_topologies::family::Built;
use std::collections::BTreeMap;

/// Limit: points of a study.
pub const MOST_POINTS: u64 = 10_000_000;

/// What is asked at a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Question {
    /// Rows of the table of measures.
    Measure,
    /// What it takes to build.
    Cost,
    /// How much hosts can send before a channel is saturated.
    Throughput,
    /// One load, flit by flit.
    Simulate,
    /// The load at which it saturates, flit by flit.
    Saturation,
    /// What is left after many random samples of faults.
    Resilience,
}

impl Question {
    /// All of them, in the order of their points.
    pub const ALL: [Question; 6] = [
        Question::Measure,
        Question::Cost,
        Question::Throughput,
        Question::Simulate,
        Question::Saturation,
        Question::Resilience,
    ];

    /// As it is written in a study.
    pub fn name(self) -> &'static str {
        match self {
            Question::Measure => "measure",
            Question::Cost => "cost",
            Question::Throughput => "throughput",
            Question::Simulate => "simulate",
            Question::Saturation => "saturation",
            Question::Resilience => "resilience",
        }
    }

    /// Which answer it is: one more whenever the same question is answered otherwise, so that no old answer is taken for
    /// a new one.
    pub fn version(self) -> u32 {
        1
    }
}

/// A network of a study.
#[derive(Clone, Debug)]
pub(super) struct Network {
    pub spec: String,
    pub built: Built,
    /// Files that it is read from, and the hashes of their bytes.
    pub files: Vec<(String, String)>,
}

/// What the points of a question are made of.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub question: Question,
    /// From the slowest to the fastest.
    pub axes: Vec<Axis>,
    pub fixed: Vec<(&'static str, String)>,
}

#[derive(Clone, Debug)]
pub(super) struct Axis {
    pub name: &'static str,
    pub values: Values,
    /// Where it is in the file.
    pub at: usize,
}

#[derive(Clone, Debug)]
pub(super) enum Values {
    /// Several fields at once.
    Texts(Vec<Vec<(&'static str, String)>>),
    /// The seeds from 1 on.
    Count(u64),
}

impl Axis {
    pub fn len(&self) -> u64 {
        match &self.values {
            Values::Texts(texts) => texts.len() as u64,
            Values::Count(count) => *count,
        }
    }

    pub fn fields(&self, place: u64) -> Vec<(&'static str, String)> {
        match &self.values {
            Values::Texts(texts) => usize::try_from(place)
                .ok()
                .and_then(|at| texts.get(at))
                .cloned()
                .unwrap_or_default(),
            Values::Count(_) => vec![(self.name, (place + 1).to_string())],
        }
    }
}

impl Group {
    /// How many points there are on each network.
    pub fn each(&self) -> u128 {
        self.axes.iter().map(|axis| u128::from(axis.len())).fold(1, u128::saturating_mul)
    }
}

/// A sweep.
#[derive(Debug)]
pub struct Study {
    /// What it is called.
    pub title: String,
    /// What it is about.
    pub about: String,
    pub(super) networks: Vec<Network>,
    pub(super) groups: Vec<Group>,
    /// The texts of files that traffics name.
    pub(super) texts: BTreeMap<String, Result<String, String>>,
    pub(super) files_of_traffic: BTreeMap<String, Vec<(String, String)>>,
    pub(super) budget: (u64, u128),
}

impl Study {
    /// How many points there are.
    pub fn points(&self) -> u64 {
        self.points_of().map(|(_, points)| points).sum()
    }

    /// How many points each question has.
    pub fn points_of(&self) -> impl Iterator<Item = (Question, u64)> + '_ {
        let networks = self.networks.len() as u128;
        let count = move |group: &Group| u64::try_from(group.each() * networks).unwrap_or(u64::MAX);
        self.groups.iter().map(move |group| (group.question, count(group)))
    }

    /// The canonical specs of its networks.
    pub fn specs(&self) -> impl Iterator<Item = &str> {
        self.networks.iter().map(|network| network.spec.as_str())
    }
}
