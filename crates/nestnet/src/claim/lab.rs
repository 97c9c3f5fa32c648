//! Where claims are measured: each network is built once, each quantity measured once.

use super::arithmetic::shortened;
use super::quantity::{Given, Quantity, QuantityError, Source, Takes};
use super::value::{Rational, Value};
use crate::family::Built;
use crate::measures::{Answer, Fact, Limits, MEASURES, Subject, Unanswered};
use crate::{Context, How, Spec, build_with};
use nestnet_core::measure::search::is_connected;
use nestnet_core::theory::Degrees;
use nestnet_core::{Budget, OverBudget, locate};
use num_traits::ToPrimitive;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Up to this many nodes distances are searched for, whatever a theorem says.
pub(super) const MAX_SEARCHED: u64 = 1 << 12;

/// A network under examination.
#[derive(Debug)]
pub struct Sample {
    /// Its spec as it is written.
    pub spec: String,
    /// What it stands for.
    pub built: Built,
}

/// Each entry is found once; who asks while it is being found waits. All are forgotten when they hold too much: what is
/// asked again is found again.
struct Shelf<K, V> {
    entries: Mutex<HashMap<K, Entry<V>>>,
    held: AtomicU64,
}

type Entry<V> = Arc<OnceLock<Result<V, QuantityError>>>;

impl<K: Hash + Eq, V: Clone> Shelf<K, V> {
    fn new() -> Self {
        Shelf { entries: Mutex::default(), held: AtomicU64::new(0) }
    }

    /// The value of a key; `weigh` says how many bytes it takes, and `most` how many all may take.
    fn get(
        &self,
        key: K,
        most: u64,
        weigh: impl FnOnce(&V) -> u64,
        find: impl FnOnce() -> Result<V, QuantityError>,
    ) -> Result<V, QuantityError> {
        let entries = || self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = entries().entry(key).or_default().clone();
        let found = entry.get_or_init(|| {
            let found = find();
            let bytes = found.as_ref().map_or(0, weigh).saturating_add(ENTRY_BYTES);
            if self.held.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes) > most {
                entries().clear();
                self.held.store(0, Ordering::Relaxed);
            }
            found
        });
        found.clone()
    }
}

/// What an entry takes beside its value.
const ENTRY_BYTES: u64 = 1 << 9;

/// Builds and measures, and remembers.
pub struct Lab<'a> {
    budget: Budget<'a>,
    samples: Shelf<String, Arc<Sample>>,
    rows: Shelf<(String, &'static str), Arc<Vec<Fact>>>,
    values: Shelf<(&'static str, Vec<String>), Value>,
    /// Bytes of cases that were found.
    kept: AtomicU64,
}

impl Default for Lab<'_> {
    fn default() -> Self {
        Lab::new(Budget { memory: 4 << 30, steps: 1 << 44, ..Budget::UNLIMITED })
    }
}

impl<'a> Lab<'a> {
    /// A lab that goes at most that far for one measurement.
    pub fn new(budget: Budget<'a>) -> Self {
        let (samples, rows, values) = (Shelf::new(), Shelf::new(), Shelf::new());
        Lab { budget, samples, rows, values, kept: AtomicU64::new(0) }
    }

    /// How far one measurement may go.
    pub fn budget(&self) -> &Budget<'a> {
        &self.budget
    }

    /// An error where cases of that many bytes, beside those that were kept before, are too many.
    pub(super) fn keep(&self, bytes: u64) -> Result<(), OverBudget> {
        let kept = self.kept.fetch_add(bytes, Ordering::Relaxed);
        self.budget.fits("the list of cases", u128::from(kept) + u128::from(bytes))
    }

    #[cfg(test)]
    pub(super) fn samples_held(&self) -> usize {
        self.samples.entries.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// What each kind of memory may take at most.
    fn shelf(&self) -> u64 {
        self.budget.memory / 8
    }

    /// The network that a spec stands for.
    pub fn sample(&self, spec: &str) -> Result<Arc<Sample>, QuantityError> {
        // Spaces in a spec mean nothing.
        let spec = Spec::parse(spec)?.to_string();
        self.samples.get(
            spec.clone(),
            self.shelf(),
            |sample| weight(&sample.built),
            || {
                self.budget.check()?;
                let read = |_: &str| Err(std::io::Error::other("files cannot be read here"));
                let context = Context { read: &read, budget: self.budget, ..Context::ALONE };
                let built = build_with(&Spec::parse(&spec)?, &spec, &context)?;
                Ok(Arc::new(Sample { spec: spec.clone(), built }))
            },
        )
    }

    /// The value of a quantity.
    pub fn measure(
        &self,
        quantity: &'static Quantity,
        arguments: &[String],
    ) -> Result<Value, QuantityError> {
        let key = (quantity.name, arguments.to_vec());
        let length: usize = arguments.iter().map(String::len).sum();
        let weigh = |value: &Value| bytes_of(value).saturating_add(length as u64);
        let value = self.values.get(key, self.shelf(), weigh, || {
            let mut given = Vec::new();
            for (argument, takes) in arguments.iter().zip(quantity.takes) {
                given.push(self.given(*takes, argument, &given)?);
            }
            match quantity.source {
                Source::Key(key) => self.fact(given[0].sample()?, key),
                Source::Function(find) => find(self, &given),
            }
        });
        // What ends because it was told to says so in many ways.
        value.map_err(|why| self.budget.check().map_or_else(QuantityError::from, |()| why))
    }

    fn given(
        &self,
        takes: Takes,
        argument: &str,
        before: &[Given],
    ) -> Result<Given, QuantityError> {
        match takes {
            Takes::Network => self.sample(argument).map(Given::Network),
            Takes::Word => Ok(Given::Word(argument.to_owned())),
            Takes::Number => {
                let number = argument
                    .parse()
                    .map_err(|_| QuantityError::NoInteger { text: shortened(argument, 40) })?;
                Ok(Given::Number(number))
            }
            Takes::Node => {
                let sample = before.iter().find_map(|given| given.sample().ok());
                let network = sample.ok_or(QuantityError::Needs("network"))?.network()?;
                Ok(Given::Node(locate(network, argument)?))
            }
        }
    }

    /// One answer of the table of measures.
    fn fact(&self, sample: &Sample, key: &'static str) -> Result<Value, QuantityError> {
        let row = MEASURES.iter().find(|measure| measure.keys.contains(&key));
        let row = row.ok_or(QuantityError::NoFact { key })?;
        if let Some(counted) = counted(sample, key) {
            return Ok(counted);
        }
        let order = sample.built.theory.order();
        let small = order.to_u64().is_some_and(|order| order <= MAX_SEARCHED);
        // All distances of a small network are searched once, whichever of them is asked for first.
        let whole = small && row.name == "distances";
        let (part, keys) = if whole { (row.name, row.keys) } else { (key, &[key][..]) };
        let entry = (sample.spec.clone(), part);
        let facts = self.rows.get(
            entry,
            self.shelf(),
            |_| FACT_BYTES,
            || {
                let limits = Limits { how: small.then_some(How::Exhaustive), budget: self.budget };
                Ok(Arc::new((row.find)(&Subject::new(&sample.built, limits), keys)))
            },
        )?;
        let fact = facts.iter().find(|fact| fact.key == key);
        let answer = &fact.ok_or(QuantityError::NoFact { key })?.answer;
        to_value(answer.as_ref().map_err(Clone::clone)?)
    }
}

/// What the answers of one measure take: a few numbers, or a histogram.
const FACT_BYTES: u64 = 1 << 12;

/// Bytes that a network may take: all its links, where they could be written out.
fn weight(built: &Built) -> u64 {
    let stored = built.network.as_deref().filter(|network| network.order() <= 1 << 32);
    let links = stored.map_or(0, |n| n.order().saturating_mul(u64::from(n.ports())));
    links.saturating_mul(8).saturating_add(FACT_BYTES)
}

/// Bytes of a value.
pub(super) fn bytes_of(value: &Value) -> u64 {
    match value {
        Value::Number { low, high } => {
            let bits = |end: &Rational| end.numer().bits() + end.denom().bits();
            (bits(low) + bits(high)) / 8
        }
        Value::Text(text) => text.len() as u64,
        Value::Real(_) | Value::Truth(_) => 0,
    }
}

/// Up to this many nodes sizes are counted, node by node, whatever a theorem says.
pub(super) const MAX_COUNTED: u64 = 1 << 16;

/// And up to this many ports, which takes a moment.
const MAX_VISITS: u64 = 1 << 26;

/// What can be counted.
fn counted(sample: &Sample, key: &str) -> Option<Value> {
    let network = sample.built.network.as_deref()?;
    let visits = network.order().saturating_mul(u64::from(network.ports()));
    if network.order() > MAX_COUNTED || visits > MAX_VISITS {
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

fn to_value(answer: &Answer) -> Result<Value, QuantityError> {
    Ok(match answer {
        Answer::Integer(value) => Value::exact(value.clone()),
        Answer::Number(value) => Value::Real(*value),
        Answer::Truth(value) => Value::Truth(*value),
        Answer::Known(known) => Value::between(known.low.clone(), known.high.clone()),
        Answer::Bounds { low, high, .. } => Value::between(*low, *high),
        Answer::Mean { numerator, denominator, .. } => {
            Value::fraction(Rational::new(numerator.clone().into(), denominator.clone().into()))
        }
        Answer::Load { max, .. } => Value::Real(*max),
        Answer::Sampled(_) => {
            return Err(Unanswered::OnlySampled.into());
        }
        Answer::Histogram { counts, .. } => {
            let counts: Vec<String> = counts.iter().map(ToString::to_string).collect();
            Value::Text(counts.join(" "))
        }
        Answer::Degrees(_) | Answer::Pair(_) => return Err(QuantityError::NotNumber),
    })
}
