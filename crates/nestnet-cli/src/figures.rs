//! How the figures of a network are written, the same in every verb that compares networks.

use crate::text;
use nestnet::distances::ratio;
use nestnet::figures::{Figures, Range};
use nestnet::info::Average;
use nestnet::theory::Bounded;
use serde_json::{Map, Value, json};

/// The figures by key; what is not known is null.
pub fn to_json(figures: &Figures) -> Map<String, Value> {
    let mut object = Map::new();
    let mut put = |key: &str, value: Value| object.insert(key.to_owned(), value);
    put("spec", figures.spec.to_string().into());
    put("nodes", text::number(&figures.nodes));
    put("hosts", text::number(&figures.hosts));
    put("degree", figures.degree.into());
    put("diameter", figures.diameter.as_ref().map_or(Value::Null, known));
    put("average_distance", average(figures));
    put("links", text::number(&figures.links));
    put("cost", figures.cost().as_ref().map_or(Value::Null, exact_or_bounds));
    put("cr", figures.cr().map_or(Value::Null, range));
    put("moore_efficiency", figures.moore_efficiency().map_or(Value::Null, range));
    put("vcs", figures.routing.as_ref().map_or(Value::Null, |routing| routing.vcs.into()));
    put("router", figures.routing.as_ref().map_or(Value::Null, |routing| routing.router.into()));
    put("vertex_connectivity", known(&figures.connectivity));
    object
}

/// Bounds and how they are known.
pub fn known(Bounded { low, high, how, .. }: &Bounded) -> Value {
    json!({ "low": text::number(low), "high": text::number(high), "how": how.to_string() })
}

/// The mean with how it is known, or bounds on it.
fn average(figures: &Figures) -> Value {
    match (&figures.average_distance, figures.average_range()) {
        (Some(Average { numerator, denominator, how, .. }), _) => json!({
            "value": ratio(numerator, denominator),
            "numerator": text::number(numerator),
            "denominator": text::number(denominator),
            "how": how.to_string(),
        }),
        (None, Some(Range { low, high })) => json!({ "low": low, "high": high, "how": "bounds" }),
        (None, None) => Value::Null,
    }
}

/// A number where it is exact, bounds otherwise.
fn exact_or_bounds(known: &Bounded) -> Value {
    match known.exact() {
        Some(value) => text::number(value),
        None => json!({ "low": text::number(&known.low), "high": text::number(&known.high) }),
    }
}

/// A number where it is exact, bounds otherwise.
fn range(range: Range) -> Value {
    match range.exact() {
        Some(value) => json!(value),
        None => json!({ "low": range.low, "high": range.high }),
    }
}
