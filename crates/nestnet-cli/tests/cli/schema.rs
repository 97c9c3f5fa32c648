//! Does an answer keep to the schema of its verb, in `docs/schemas`? And has the schema every key of the answer?
//!
//! Only the words of JSON Schema are known that `cargo xtask generate` writes; any other is a fault of the schema.

use serde_json::Value;
use std::path::PathBuf;

/// The schema of a verb.
pub fn of(verb: &str) -> Value {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/schemas");
    let path = folder.join(format!("{verb}.json"));
    let text = std::fs::read_to_string(&path);
    let text = text.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Where an answer differs from the schema of its verb.
pub fn faults(verb: &str, answer: &Value) -> Vec<String> {
    let schema = of(verb);
    let mut faults = Vec::new();
    look(&schema, &schema, answer, verb, &mut faults);
    faults
}

/// What a value differs in from `schema`, a part of the schema `whole`.
fn look(whole: &Value, schema: &Value, value: &Value, at: &str, faults: &mut Vec<String>) {
    let Value::Object(words) = schema else {
        faults.push(format!("{at}: the schema is not an object"));
        return;
    };
    for (word, says) in words {
        match word.as_str() {
            "$schema" | "$id" | "$defs" | "title" | "version" | "description" => (),
            "type" => {
                let is = match says {
                    Value::Array(kinds) => kinds.iter().any(|kind| is_of(value, kind)),
                    kind => is_of(value, kind),
                };
                if !is {
                    faults.push(format!("{at}: {value} is not of type {says}"));
                }
            }
            "$ref" => {
                let name = says.as_str().and_then(|text| text.strip_prefix("#/$defs/"));
                match name.and_then(|name| whole["$defs"].get(name)) {
                    Some(part) => look(whole, part, value, at, faults),
                    None => faults.push(format!("{at}: the schema does not define {says}")),
                }
            }
            "anyOf" => {
                let kinds = says.as_array().into_iter().flatten().map(|kind| {
                    let mut faults = Vec::new();
                    look(whole, kind, value, at, &mut faults);
                    faults
                });
                // Those of the kind that it is nearest to.
                faults.extend(kinds.min_by_key(Vec::len).unwrap_or_default());
            }
            "properties" => {
                for (key, value) in value.as_object().into_iter().flatten() {
                    match says.get(key) {
                        Some(schema) => look(whole, schema, value, &format!("{at}.{key}"), faults),
                        None => faults.push(format!("{at}.{key}: the schema does not have it")),
                    }
                }
            }
            "additionalProperties" => {
                for (key, value) in value.as_object().into_iter().flatten() {
                    look(whole, says, value, &format!("{at}.{key}"), faults);
                }
            }
            "required" if value.is_object() => {
                let keys = says.as_array().into_iter().flatten().filter_map(Value::as_str);
                for key in keys.filter(|key| value.get(key).is_none()) {
                    faults.push(format!("{at} has no {key}"));
                }
            }
            "required" => (),
            "items" => {
                for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                    look(whole, says, item, &format!("{at}[{index}]"), faults);
                }
            }
            "prefixItems" => {
                let items = value.as_array().map_or(&[][..], Vec::as_slice);
                let kinds = says.as_array().map_or(&[][..], Vec::as_slice);
                if value.is_array() && items.len() != kinds.len() {
                    faults.push(format!("{at} has {} items, not {}", items.len(), kinds.len()));
                }
                for (index, (item, kind)) in items.iter().zip(kinds).enumerate() {
                    look(whole, kind, item, &format!("{at}[{index}]"), faults);
                }
            }
            other => faults.push(format!("{at}: the schema has the unknown word {other}")),
        }
    }
}

fn is_of(value: &Value, kind: &Value) -> bool {
    match (value, kind.as_str()) {
        (Value::Null, Some("null"))
        | (Value::Bool(_), Some("boolean"))
        | (Value::Number(_), Some("number"))
        | (Value::String(_), Some("string"))
        | (Value::Array(_), Some("array"))
        | (Value::Object(_), Some("object")) => true,
        (Value::Number(number), Some("integer")) => !number.to_string().contains(['.', 'e', 'E']),
        _ => false,
    }
}
