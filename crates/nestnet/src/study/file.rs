//! How is a study written? As TOML: what is swept over, and which questions are asked at every point.

use crate::design::{DESIGN_OPTIONS, DesignSettings, NODE_OPTIONS, SIZE_OPTIONS};
use crate::physical::COST_OPTIONS;
use nestnet_graph::options::{Setting, find};
use nestnet_sim::OPTIONS;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::fmt;
use std::marker::PhantomData;
use toml::{Spanned, Value};

/// A file as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    pub title: Option<String>,
    pub about: Option<String>,
    #[serde(alias = "max_time")]
    pub seconds: Option<Spanned<f64>>,
    pub max_memory: Option<Spanned<String>>,
    pub gigabytes: Option<Spanned<f64>>,
    pub specs: Option<Names>,
    pub design: Option<Spanned<Section<Design>>>,
    pub routers: Option<Names>,
    pub traffics: Option<Names>,
    pub loads: Option<Parts>,
    pub faults: Option<Parts>,
    pub seeds: Option<Seeds>,
    pub measure: Option<Measure>,
    pub cost: Option<Section<Cost>>,
    pub throughput: Option<Throughput>,
    pub simulate: Option<Section<Simulate>>,
    pub saturation: Option<Section<Saturation>>,
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
pub(super) struct Measure {
    pub keys: Names,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Throughput {
    pub routers: Option<Names>,
    pub traffics: Option<Names>,
    #[serde(default)]
    pub bounds: bool,
}

/// A section with lists that are swept over, and options of a table.
#[derive(Debug)]
pub(super) struct Section<F> {
    pub routers: Option<Names>,
    pub traffics: Option<Names>,
    pub loads: Option<Parts>,
    pub faults: Option<Parts>,
    pub seeds: Option<Seeds>,
    pub limit: Option<usize>,
    pub options: Vec<Given>,
    form: PhantomData<F>,
}

/// An option: its key, its value as it could be given elsewhere, and its place.
#[derive(Debug)]
pub(super) struct Given {
    pub key: &'static str,
    pub value: String,
    pub at: usize,
}

/// What a section may have.
pub(super) trait Form {
    const LISTS: &'static [&'static str];
    /// The keys of its options.
    fn keys() -> Vec<&'static str>;
    /// The key of the option of that name.
    fn key(name: &str) -> Option<&'static str>;
}

/// Keys of the simulator that are lists here, or for programs only.
const OTHERWISE: [&str; 2] = ["seed", "flit"];

/// `[simulate]`.
#[derive(Debug)]
pub(super) struct Simulate;

impl Form for Simulate {
    const LISTS: &'static [&'static str] = &["routers", "traffics", "loads", "faults", "seeds"];
    fn keys() -> Vec<&'static str> {
        OPTIONS.iter().map(|row| row.key).filter(|key| !OTHERWISE.contains(key)).collect()
    }
    fn key(name: &str) -> Option<&'static str> {
        key_of(&OPTIONS, name).filter(|key| !OTHERWISE.contains(key))
    }
}

/// `[saturation]`.
#[derive(Debug)]
pub(super) struct Saturation;

impl Form for Saturation {
    const LISTS: &'static [&'static str] = &["routers", "traffics", "seeds"];
    fn keys() -> Vec<&'static str> {
        Simulate::keys()
    }
    fn key(name: &str) -> Option<&'static str> {
        Simulate::key(name)
    }
}

/// `[cost]`.
#[derive(Debug)]
pub(super) struct Cost;

impl Form for Cost {
    const LISTS: &'static [&'static str] = &[];
    fn keys() -> Vec<&'static str> {
        COST_OPTIONS.iter().map(|row| row.key).collect()
    }
    fn key(name: &str) -> Option<&'static str> {
        key_of(&COST_OPTIONS, name)
    }
}

/// `[design]`.
#[derive(Debug)]
pub(super) struct Design;

impl Design {
    /// What a design by nodes takes; its cost model is the default.
    fn rows() -> impl Iterator<Item = &'static Setting<DesignSettings>> + Clone {
        let [nodes, ..] = &SIZE_OPTIONS;
        [nodes].into_iter().chain(&DESIGN_OPTIONS).chain(&NODE_OPTIONS)
    }
}

impl Form for Design {
    const LISTS: &'static [&'static str] = &["limit"];
    fn keys() -> Vec<&'static str> {
        Design::rows().map(|row| row.key).collect()
    }
    fn key(name: &str) -> Option<&'static str> {
        key_of(Design::rows(), name)
    }
}

fn key_of<T: 'static>(
    rows: impl IntoIterator<Item = &'static Setting<T>> + Clone,
    name: &str,
) -> Option<&'static str> {
    find(rows, name).ok().map(|row| row.key)
}

/// A key that a section may have; an error of its own, so that it has the line of the key.
struct Key<F>(&'static str, PhantomData<F>);

impl<'de, F: Form> Deserialize<'de> for Key<F> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        let list = F::LISTS.iter().copied().find(|list| *list == name);
        let key = list.or_else(|| F::key(&name)).ok_or_else(|| {
            let known: Vec<String> = F::LISTS
                .iter()
                .copied()
                .chain(F::keys())
                .map(|known| format!("`{known}`"))
                .collect();
            D::Error::custom(format!(
                "unknown field `{name}`, expected one of {}",
                known.join(", ")
            ))
        })?;
        Ok(Key(key, PhantomData))
    }
}

impl<'de, F: Form> Deserialize<'de> for Section<F> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(SectionVisitor(PhantomData))
    }
}

struct SectionVisitor<F>(PhantomData<F>);

impl<'de, F: Form> Visitor<'de> for SectionVisitor<F> {
    type Value = Section<F>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a section")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Section<F>, M::Error> {
        let mut section = Section {
            routers: None,
            traffics: None,
            loads: None,
            faults: None,
            seeds: None,
            limit: None,
            options: Vec::new(),
            form: PhantomData,
        };
        while let Some(Key(key, _)) = map.next_key::<Key<F>>()? {
            match key {
                "routers" => section.routers = Some(map.next_value()?),
                "traffics" => section.traffics = Some(map.next_value()?),
                "loads" => section.loads = Some(map.next_value()?),
                "faults" => section.faults = Some(map.next_value()?),
                "seeds" => section.seeds = Some(map.next_value()?),
                "limit" => section.limit = Some(map.next_value()?),
                key => {
                    let value: Spanned<Value> = map.next_value()?;
                    let at = value.span().start;
                    section.options.push(Given { key, value: text(value.get_ref()), at });
                }
            }
        }
        Ok(section)
    }
}

/// A value as it could be given at the command line.
fn text(value: &Value) -> String {
    let join = |parts: Vec<String>| parts.join(", ");
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => join(items.iter().map(text).collect()),
        Value::Table(entries) => {
            join(entries.iter().map(|(key, value)| format!("{key}:{}", text(value))).collect())
        }
        Value::Integer(number) => number.to_string(),
        Value::Float(number) => number.to_string(),
        Value::Boolean(yes) => yes.to_string(),
        Value::Datetime(time) => time.to_string(),
    }
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
