//! A bounded store of what was found before.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{PoisonError, RwLock};

/// Values by key, at most so many; who asks for one that is not there makes it.
#[derive(Debug)]
pub(super) struct BoundedCache<K, V> {
    most: usize,
    values: RwLock<HashMap<K, V>>,
}

impl<K: Hash + Eq, V: Clone> BoundedCache<K, V> {
    /// Keeps at most `most` values, and at least one.
    pub fn new(most: usize) -> Self {
        BoundedCache { most: most.max(1), values: RwLock::default() }
    }

    /// The value of `key`, made by `make` when it is not there.
    pub fn get(&self, key: K, make: impl FnOnce() -> V) -> V {
        let values = self.values.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(value) = values.get(&key) {
            return value.clone();
        }
        drop(values);
        // Two threads may make the same value; it is the same value.
        let value = make();
        let mut values = self.values.write().unwrap_or_else(PoisonError::into_inner);
        if values.len() >= self.most {
            values.clear();
        }
        values.insert(key, value.clone());
        value
    }
}
