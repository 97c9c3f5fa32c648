//! How is a study written? As TOML: what is swept over, and which questions are asked at every point.

use serde::Deserialize;
use toml::Spanned;

/// A file as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    pub title: Option<String>,
    pub about: Option<String>,
    pub seconds: Option<Spanned<f64>>,
    pub gigabytes: Option<Spanned<f64>>,
    pub specs: Option<Names>,
    pub design: Option<Spanned<Design>>,
    pub routers: Option<Names>,
    pub traffics: Option<Names>,
    pub loads: Option<Parts>,
    pub faults: Option<Parts>,
    pub seeds: Option<Seeds>,
    pub measure: Option<Measure>,
    pub cost: Option<Cost>,
    pub throughput: Option<Throughput>,
    pub simulate: Option<Simulate>,
    pub saturation: Option<Saturation>,
    pub resilience: Option<Resilience>,
}

/// Texts, each with its place.
pub(super) type Names = Spanned<Vec<Spanned<String>>>;

/// Parts of a whole, listed or in steps.
pub(super) type Parts = Spanned<PartsOf>;

/// Seeds, listed or counted from 1 on.
pub(super) type Seeds = Spanned<SeedsOf>;

#[derive(Debug, Deserialize)]
#[serde(
    untagged,
    expecting = "expected parts such as [0.1, \"5%\"] or { from = 0.1, to = 0.9, step = 0.1 }"
)]
pub(super) enum PartsOf {
    List(Vec<Part>),
    Steps(Steps),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Steps {
    pub from: Part,
    pub to: Part,
    pub step: Part,
}

#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "expected a part such as 0.05 or \"5%\"")]
pub(super) enum Part {
    Number(f64),
    Text(String),
}

#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "expected seeds such as [1, 2, 3], or how many: 10")]
pub(super) enum SeedsOf {
    Count(u64),
    List(Vec<u64>),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Design {
    pub nodes: u64,
    pub tolerance: Option<Part>,
    pub max_degree: Option<u64>,
    pub max_diameter: Option<u64>,
    pub max_vcs: Option<u16>,
    pub objectives: Option<Vec<String>>,
    pub families: Option<Vec<String>>,
    pub depth: Option<u8>,
    pub max_base: Option<u64>,
    pub limit: Option<usize>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Measure {
    pub keys: Names,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Cost {}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Throughput {
    pub routers: Option<Names>,
    pub traffics: Option<Names>,
    #[serde(default)]
    pub bounds: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Simulate {
    pub routers: Option<Names>,
    pub traffics: Option<Names>,
    pub loads: Option<Parts>,
    pub faults: Option<Parts>,
    pub seeds: Option<Seeds>,
    pub cycles: Option<Spanned<u64>>,
    pub warmup: Option<Spanned<u64>>,
    pub vcs: Option<Spanned<u64>>,
    pub buffer: Option<Spanned<u64>>,
    pub packet: Option<Spanned<u64>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Saturation {
    pub routers: Option<Names>,
    pub traffics: Option<Names>,
    pub seeds: Option<Seeds>,
    pub cycles: Option<Spanned<u64>>,
    pub warmup: Option<Spanned<u64>>,
    pub vcs: Option<Spanned<u64>>,
    pub buffer: Option<Spanned<u64>>,
    pub packet: Option<Spanned<u64>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Resilience {
    pub fail: Option<Names>,
    pub faults: Option<Parts>,
    pub seeds: Option<Seeds>,
    pub trials: Option<Spanned<u64>>,
    #[serde(default)]
    pub throughput: bool,
    #[serde(default)]
    pub detours: bool,
}
