//! How are answers written as JSON? The same at every door and in every store.

use nestnet_routing::resilience::{Resilience, Spread};
use serde_json::{Value, json};

/// What many trials left, and the exact probability to fall apart where it is known.
pub fn resilience(row: &Resilience, seed: u64, exact: Option<f64>) -> Value {
    let (low, high) = row.fell_apart_between();
    let mut object = json!({
        "rate": row.rate,
        "trials": row.trials,
        "seed": seed,
        "fell_apart": row.fell_apart,
        "falls_apart": {
            "value": row.fell_apart as f64 / row.trials as f64,
            "low": low,
            "high": high,
            "exact": exact,
        },
        "failed": spread(&row.failed),
        "hosts_lost": spread(&row.hosts_lost),
        "diameter": spread(&row.diameter),
        "average_distance": spread(&row.mean_distance),
    });
    // What was not asked for is not there.
    let more = [("throughput", &row.throughput), ("stretch", &row.stretch), ("vcs", &row.vcs)];
    for (key, value) in more {
        if let Some(value) = value {
            object[key] = spread(value);
        }
    }
    if let Some(free) = row.free {
        object["deadlock_free"] = free.into();
    }
    object
}

fn spread(spread: &Spread) -> Value {
    json!({ "mean": spread.mean, "ci95": spread.ci95, "most": spread.most })
}
