//! How are answers written as JSON? The same at every front end and in every store.

use nestnet_analysis::measures::Answer;
use nestnet_graph::distances::ratio;
use nestnet_graph::{Address, Node};
use nestnet_routing::resilience::{Resilience, Spread};
use serde_json::{Number, Value, json};
use std::fmt::Display;

/// An integer of any length. `value` must print as one.
pub fn number(value: impl Display) -> Value {
    Value::Number(Number::from_string_unchecked(value.to_string()))
}

/// The answer of a measure.
pub fn answer(answer: &Answer) -> Value {
    match answer {
        Answer::Integer(value) => number(value),
        Answer::Number(value) => json!(value),
        Answer::Truth(value) => json!(value),
        Answer::Known(known) => json!({
            "low": number(&known.low),
            "high": number(&known.high),
            "how": known.how.to_string(),
        }),
        Answer::Bounds { low, high, how } => json!({ "low": low, "high": high, "how": how }),
        Answer::Mean { numerator, denominator, how } => json!({
            "value": ratio(numerator, denominator),
            "numerator": number(numerator),
            "denominator": number(denominator),
            "how": how.to_string(),
        }),
        Answer::Sampled(sampled) => json!({
            "value": sampled.mean,
            "low": sampled.mean - sampled.margin,
            "high": sampled.mean + sampled.margin,
            "sources": sampled.sources,
            "seed": sampled.seed,
            "how": "sampled",
        }),
        Answer::Histogram { counts, how } => {
            let counts: Vec<Value> = counts.iter().map(number).collect();
            json!({ "counts": counts, "how": how.to_string() })
        }
        Answer::Degrees(counts) => {
            let entry = |(degree, count): (&u64, _)| (degree.to_string(), number(count));
            Value::Object(counts.iter().map(entry).collect())
        }
        Answer::Pair(pair) => {
            let end = |(node, address): &(Node, Address)| json!({ "node": node.0, "address": address.to_string() });
            Value::Array(pair.iter().map(end).collect())
        }
        Answer::Load { max, mean, ratio, how } => {
            json!({ "max": max, "mean": mean, "ratio": ratio, "how": how.to_string() })
        }
    }
}

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
