//! Where claims are measured: each network is built once, each quantity measured once.

use super::quantity::{Given, Quantity, Source, Takes};
use super::value::Value;
use crate::family::Built;
use crate::measures::{Answer, Fact, Limits, MEASURES, Subject};
use crate::{How, Spec, build};
use nestnet_core::measure::search::is_connected;
use nestnet_core::theory::Degrees;
use nestnet_core::{Budget, locate};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Up to this many nodes distances are searched for, whatever a theorem says.
const MAX_SEARCHED: u64 = 1 << 12;

/// What the diameter alone says.
const BY_DIAMETER: [&str; 4] = ["diameter", "cost", "cr", "moore_efficiency"];

/// A network under examination.
#[derive(Debug)]
pub struct Sample {
    /// Its spec as it is written.
    pub spec: String,
    /// What it stands for.
    pub built: Built,
}

/// Each entry is found once; who asks while it is being found waits.
type Once<K, V> = Mutex<HashMap<K, Arc<OnceLock<Result<V, String>>>>>;

/// Builds and measures, and remembers.
pub struct Lab<'a> {
    budget: Budget<'a>,
    samples: Once<String, Arc<Sample>>,
    rows: Once<(String, &'static str), Arc<Vec<Fact>>>,
    values: Once<(&'static str, Vec<String>), Value>,
}

impl Default for Lab<'_> {
    fn default() -> Self {
        Lab::new(Budget { memory: 4 << 30, steps: 1 << 44, ..Budget::UNLIMITED })
    }
}

fn once<K: Hash + Eq, V: Clone>(
    entries: &Once<K, V>,
    key: K,
    find: impl FnOnce() -> Result<V, String>,
) -> Result<V, String> {
    let entry = {
        let mut entries = entries.lock().unwrap_or_else(PoisonError::into_inner);
        entries.entry(key).or_default().clone()
    };
    entry.get_or_init(find).clone()
}

impl<'a> Lab<'a> {
    /// A lab that goes at most that far for one measurement.
    pub fn new(budget: Budget<'a>) -> Self {
        let (samples, rows, values) = (Mutex::default(), Mutex::default(), Mutex::default());
        Lab { budget, samples, rows, values }
    }

    /// How far one measurement may go.
    pub fn budget(&self) -> &Budget<'a> {
        &self.budget
    }

    /// The network that a spec stands for.
    pub fn sample(&self, spec: &str) -> Result<Arc<Sample>, String> {
        // Spaces in a spec mean nothing.
        let spec = Spec::parse(spec).map_err(|error| error.to_string())?.to_string();
        once(&self.samples, spec.clone(), || {
            let built = build(&spec).map_err(|error| error.to_string())?;
            Ok(Arc::new(Sample { spec: spec.clone(), built }))
        })
    }

    /// The value of a quantity.
    pub fn measure(
        &self,
        quantity: &'static Quantity,
        arguments: &[String],
    ) -> Result<Value, String> {
        let key = (quantity.name, arguments.to_vec());
        let value = once(&self.values, key, || {
            let mut given = Vec::new();
            for (argument, takes) in arguments.iter().zip(quantity.takes) {
                given.push(self.given(*takes, argument, &given)?);
            }
            match quantity.source {
                Source::Key(key) => self.fact(given[0].sample()?, key),
                Source::Function(find) => find(self, &given),
            }
        });
        value.map_err(|why| format!("{}({}): {why}", quantity.name, arguments.join(", ")))
    }

    fn given(&self, takes: Takes, argument: &str, before: &[Given]) -> Result<Given, String> {
        match takes {
            Takes::Network => self.sample(argument).map(Given::Network),
            Takes::Word => Ok(Given::Word(argument.to_owned())),
            Takes::Number => {
                let number: BigInt =
                    argument.parse().map_err(|_| format!("{argument} is no integer"))?;
                Ok(Given::Number(number))
            }
            Takes::Node => {
                let sample = before.iter().find_map(|given| given.sample().ok());
                let network = sample.ok_or("a node needs a network before it")?.network()?;
                let node = locate(network, argument).map_err(|error| error.to_string())?;
                Ok(Given::Node(node))
            }
        }
    }

    /// One answer of the table of measures.
    fn fact(&self, sample: &Sample, key: &'static str) -> Result<Value, String> {
        let row = MEASURES.iter().find(|measure| measure.keys.contains(&key));
        let row = row.ok_or_else(|| format!("no measure has the key {key}"))?;
        if let Some(counted) = counted(sample, key) {
            return Ok(counted);
        }
        let order = sample.built.theory.order();
        let small = order.to_u64().is_some_and(|order| order <= MAX_SEARCHED);
        // In a large network the diameter alone is quicker to find.
        let diameter_only = !small && BY_DIAMETER.contains(&key);
        let part = if diameter_only { key } else { row.name };
        let facts = once(&self.rows, (sample.spec.clone(), part), || {
            let limits = Limits {
                how: small.then_some(How::Exhaustive),
                diameter_only,
                budget: self.budget,
            };
            Ok(Arc::new((row.find)(&Subject::new(&sample.built, limits))))
        })?;
        let fact = facts.iter().find(|fact| fact.key == key);
        let answer = &fact.ok_or_else(|| format!("there is no {key}"))?.answer;
        to_value(answer.as_ref().map_err(Clone::clone)?)
    }
}

/// Up to this many nodes sizes are counted, node by node, whatever a theorem says.
const MAX_COUNTED: u64 = 1 << 16;

/// What can be counted.
fn counted(sample: &Sample, key: &str) -> Option<Value> {
    let network = sample.built.network.as_deref()?;
    if network.order() > MAX_COUNTED {
        return None;
    }
    let degrees = || Degrees::measured(network);
    Some(match key {
        "links" => degrees().links.into(),
        "degree_min" => degrees().min.into(),
        "degree_max" => degrees().max.into(),
        "regular" => degrees().regular_degree().is_some().into(),
        "connected" => is_connected(network).into(),
        _ => return None,
    })
}

fn to_value(answer: &Answer) -> Result<Value, String> {
    Ok(match answer {
        Answer::Integer(value) => Value::exact(value.clone()),
        Answer::Number(value) => Value::Real(*value),
        Answer::Truth(value) => Value::Truth(*value),
        Answer::Known(known) => Value::between(known.low.clone(), known.high.clone()),
        Answer::Bounds { low, high, .. } => Value::between(*low, *high),
        Answer::Mean { numerator, denominator, .. } => Value::fraction(
            super::value::Rational::new(numerator.clone().into(), denominator.clone().into()),
        ),
        Answer::Load { max, .. } => Value::Real(*max),
        Answer::Histogram { counts, .. } => {
            let counts: Vec<String> = counts.iter().map(ToString::to_string).collect();
            Value::Text(counts.join(" "))
        }
        Answer::Degrees(_) | Answer::Pair(_) => return Err("it is not a number".to_owned()),
    })
}
