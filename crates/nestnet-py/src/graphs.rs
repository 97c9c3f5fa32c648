//! Graphs that Python holds: under which name does a spec find them?

use crate::fault::Fault;
use nestnet::Network;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, Weak};

static GRAPHS: LazyLock<Mutex<HashMap<String, Weak<dyn Network>>>> = LazyLock::new(Mutex::default);

/// What a name begins with; no file is called so.
const SCHEME: &str = "graph:";

/// The graph of that name, as long as somebody holds it.
pub fn find(name: &str) -> Option<Arc<dyn Network>> {
    if !name.starts_with(SCHEME) {
        return None;
    }
    GRAPHS.lock().ok()?.get(name)?.upgrade()
}

/// A name for a graph, by which specs find it until it is dropped.
pub fn name(network: &Arc<dyn Network>) -> Result<String, Fault> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let name = format!("{SCHEME}{}", NEXT.fetch_add(1, Ordering::Relaxed));
    let mut graphs = GRAPHS.lock().map_err(|_| Fault::ours("the list of graphs is broken"))?;
    graphs.retain(|_, network| network.strong_count() > 0);
    graphs.insert(name.clone(), Arc::downgrade(network));
    Ok(name)
}
