//! Where claims are measured: each network is built once, each quantity measured once.

use super::quantity::QuantityError;
use super::value::{Rational, Value};
use nestnet_analysis::measures::Fact;
use nestnet_graph::{Budget, Network, OverBudget};
use nestnet_topologies::family::Built;
use nestnet_topologies::{Context, Spec, build_with};
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// A network under examination.
#[derive(Debug)]
pub struct Sample {
    /// Its spec as it is written.
    pub spec: String,
    /// What it means.
    pub built: Built,
}

impl Sample {
    /// The network itself, by rule.
    pub fn network(&self) -> Result<&dyn Network, QuantityError> {
        let network = self.built.network.as_deref();
        network.ok_or_else(|| QuantityError::NoIds { spec: self.spec.clone() })
    }
}

/// Each entry is found once; who asks while it is being found waits. All are forgotten when they hold too much: what is
/// asked again is found again.
pub(super) struct Shelf<K, V> {
    entries: Mutex<HashMap<K, Entry<V>>>,
    held: AtomicU64,
}

type Entry<V> = Arc<OnceLock<Result<V, QuantityError>>>;

impl<K: Hash + Eq, V: Clone> Shelf<K, V> {
    fn new() -> Self {
        Shelf { entries: Mutex::default(), held: AtomicU64::new(0) }
    }

    /// The value of a key; `weigh` says how many bytes it takes, and `most` how many all may take.
    pub(super) fn get(
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
    pub(super) budget: Budget<'a>,
    samples: Shelf<String, Arc<Sample>>,
    pub(super) rows: Shelf<(String, &'static str), Arc<Vec<Fact>>>,
    pub(super) values: Shelf<(&'static str, Vec<String>), Value>,
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
    pub(super) fn shelf(&self) -> u64 {
        self.budget.memory / 8
    }

    /// The network that a spec means.
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
}

/// What the answers of one measure take: a few numbers, or a histogram.
pub(super) const FACT_BYTES: u64 = 1 << 12;

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
