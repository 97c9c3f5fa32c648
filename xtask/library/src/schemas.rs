//! One JSON schema a verb, for what it prints with `--json`: inferred from the answers in the golden files.
//!
//! Types are united over all answers of a verb, and a key is required where all of them have it. What no answer shows is
//! not in the schema, but for the keys of `measure`, which its table lists.

use crate::root;
use anyhow::{Context, Result, bail};
use nestnet::measures::MEASURES;
use nestnet::metrics::METRICS;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

/// Where the answers are. The first word of a file's name is the verb, with `-` before an option that has another answer.
const ANSWERS: &str = "crates/nestnet-cli/tests/golden";

/// The version that the schemas describe.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Objects whose keys are data, such as names: verb, and the last keys on the way there.
const MAPS: &[(&str, &[&str])] = &[
    ("collective", &["algorithms"]),
    ("info", &["degree_histogram"]),
    ("measure", &["degree_histogram"]),
    ("measure", &["width_histogram"]),
];

/// The schemas and the page that lists them, with their paths from the root.
pub fn files() -> Result<Vec<(String, String)>> {
    let mut files = Vec::new();
    let mut rows = String::new();
    for (verb, answers) in answers()? {
        let mut shape = Shape::default();
        answers.iter().for_each(|answer| shape.see(answer));
        let schema = schema(&verb, &shape);
        let text = serde_json::to_string_pretty(&schema)? + "\n";
        files.push((format!("docs/schemas/{verb}.json"), text));
        let required = shape.keys.iter().filter(|(_, of)| of.seen == shape.objects).count();
        let _ = writeln!(
            rows,
            "| `{}` | [{verb}.json](schemas/{verb}.json) | {} | {} | {required} |",
            command(&verb),
            answers.len(),
            shape.keys.len(),
        );
    }
    files.push(("docs/json.md".to_owned(), page(&rows)));
    Ok(files)
}

fn page(rows: &str) -> String {
    let major = major(VERSION);
    format!(
        "# JSON\n\n\
         With `--json` a verb prints one JSON object on stdout, and nothing else. Each verb has a schema (JSON Schema, \
         2020-12). This page and the schemas are written by `cargo xtask generate` for version {VERSION}.\n\n\
         ## What is promised\n\n\
         Within a major version, as Cargo counts them (all of {major}.* are one), no key is removed and none changes its \
         type. New keys may come at any time: a program should ignore keys that it does not know. Integers can be of any \
         length, beyond 64 bits too. The order of keys, messages for people and the digits of decimal numbers are not \
         promised.\n\n\
         ## How the schemas are made\n\n\
         They are inferred from recorded answers, not from the types of the program. Each verb has the number of answers \
         below, in `{ANSWERS}`; types are united over them, and a key is required where all of them have it. So a schema \
         can be narrower than the program: a key that is only there with an option that no recorded answer uses is \
         missing, and a place where no answer has a value allows any (`{{}}`). Tests hold the program to the schemas: every \
         recorded answer, and the other answers that the tests of the command line ask for.\n\n\
         ## Schemas\n\n\
         | verb | schema | answers | keys | of them required |\n|---|---|---|---|---|\n{rows}\n\
         For example, with `jsonschema` for Python:\n\n\
         ```python\n\
         import json, subprocess, jsonschema\n\n\
         answer = subprocess.run([\"nestnet\", \"info\", \"petersen\", \"--json\"], capture_output=True, check=True).stdout\n\
         jsonschema.validate(json.loads(answer), json.load(open(\"docs/schemas/info.json\")))\n\
         ```\n"
    )
}

/// The part of a version that changes when something is removed.
fn major(version: &str) -> String {
    let mut parts = version.split('.');
    match (parts.next(), parts.next()) {
        (Some("0"), Some(minor)) => format!("0.{minor}"),
        (Some(major), _) => major.to_owned(),
        _ => version.to_owned(),
    }
}

/// All answers, by verb.
fn answers() -> Result<BTreeMap<String, Vec<Value>>> {
    let folder = root().join(ANSWERS);
    let mut paths = Vec::new();
    for entry in fs::read_dir(&folder).with_context(|| format!("no {}", folder.display()))? {
        paths.push(entry?.path());
    }
    // The order of keys is that of the first answer, so that of files counts.
    paths.sort();
    let mut answers: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for path in paths.iter().filter(|path| path.extension().is_some_and(|end| end == "json")) {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let verb = name.split('_').next().unwrap_or_default();
        let text = fs::read_to_string(path)?;
        let answer: Value = serde_json::from_str(&text)
            .with_context(|| format!("{} is not JSON", path.display()))?;
        if !answer.is_object() {
            bail!("{} is not a JSON object", path.display());
        }
        answers.entry(verb.to_owned()).or_default().push(answer);
    }
    Ok(answers)
}

/// What was seen at one place of the answers.
#[derive(Default)]
struct Shape {
    /// How many values.
    seen: usize,
    /// How many of them were objects.
    objects: usize,
    is_null: bool,
    is_boolean: bool,
    is_integer: bool,
    is_decimal: bool,
    is_string: bool,
    is_array: bool,
    /// The keys of the objects, in the order in which they came.
    keys: Vec<(String, Shape)>,
    /// The items of the arrays.
    items: Option<Box<Shape>>,
}

impl Shape {
    fn see(&mut self, value: &Value) {
        self.seen += 1;
        match value {
            Value::Null => self.is_null = true,
            Value::Bool(_) => self.is_boolean = true,
            // Decimal numbers are always written with a point or an exponent.
            Value::Number(number) if number.to_string().contains(['.', 'e', 'E']) => {
                self.is_decimal = true;
            }
            Value::Number(_) => self.is_integer = true,
            Value::String(_) => self.is_string = true,
            Value::Array(items) => {
                self.is_array = true;
                for item in items {
                    self.items.get_or_insert_default().see(item);
                }
            }
            Value::Object(fields) => {
                self.objects += 1;
                for (key, value) in fields {
                    self.key(key).see(value);
                }
            }
        }
    }

    fn key(&mut self, key: &str) -> &mut Shape {
        let at = self.keys.iter().position(|(known, _)| known == key);
        let at = at.unwrap_or_else(|| {
            self.keys.push((key.to_owned(), Shape::default()));
            self.keys.len() - 1
        });
        &mut self.keys[at].1
    }

    /// The schema of this place, at these keys of this verb.
    fn schema(&self, verb: &str, at: &[&str]) -> Map<String, Value> {
        let kinds = [
            ("object", self.objects > 0),
            ("array", self.is_array),
            ("string", self.is_string),
            ("number", self.is_decimal),
            // Every integer is a number.
            ("integer", self.is_integer && !self.is_decimal),
            ("boolean", self.is_boolean),
        ];
        let mut kinds: Vec<&str> =
            kinds.iter().filter(|(_, is)| *is).map(|(kind, _)| *kind).collect();
        let mut schema = Map::new();
        // Of what is not there in any answer nothing is known.
        if kinds.is_empty() {
            return schema;
        }
        if self.is_null {
            kinds.push("null");
        }
        let kind = if let [kind] = kinds[..] { json!(kind) } else { json!(kinds) };
        schema.insert("type".to_owned(), kind);
        if self.objects > 0 && is_map(verb, at) {
            let mut all = Shape::default();
            self.keys.iter().for_each(|(_, of)| all.join(of));
            let at = [at, &["*"]].concat();
            schema.insert("additionalProperties".to_owned(), all.schema(verb, &at).into());
        } else if self.objects > 0 {
            let mut properties = Map::new();
            let mut required = Vec::new();
            for (key, of) in &self.keys {
                let at = [at, &[key.as_str()]].concat();
                properties.insert(key.clone(), of.schema(verb, &at).into());
                if of.seen == self.objects {
                    required.push(key.as_str());
                }
            }
            schema.insert("properties".to_owned(), properties.into());
            if !required.is_empty() {
                schema.insert("required".to_owned(), json!(required));
            }
        }
        if let Some(items) = &self.items {
            schema.insert("items".to_owned(), items.schema(verb, at).into());
        }
        schema
    }

    /// All that `other` has seen was seen here.
    fn join(&mut self, other: &Shape) {
        self.seen += other.seen;
        self.objects += other.objects;
        self.is_null |= other.is_null;
        self.is_boolean |= other.is_boolean;
        self.is_integer |= other.is_integer;
        self.is_decimal |= other.is_decimal;
        self.is_string |= other.is_string;
        self.is_array |= other.is_array;
        for (key, of) in &other.keys {
            self.key(key).join(of);
        }
        if let Some(items) = &other.items {
            self.items.get_or_insert_default().join(items);
        }
    }
}

/// Whether the keys there are data.
fn is_map(verb: &str, at: &[&str]) -> bool {
    MAPS.iter().any(|(of, keys)| *of == verb && at.ends_with(keys))
}

/// The words of a verb, with the option that has another answer.
fn command(verb: &str) -> String {
    verb.replace('-', " --")
}

/// The schema of a verb.
fn schema(verb: &str, shape: &Shape) -> Value {
    let mut schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": format!("urn:nestnet:json:{verb}:{}", major(VERSION)),
        "title": format!("nestnet {} --json", command(verb)),
        "version": VERSION,
    });
    if let Value::Object(fields) = &mut schema {
        fields.extend(shape.schema(verb, &[]));
        if let Some(Value::Object(properties)) = fields.get_mut("properties") {
            describe(verb, properties);
        }
    }
    schema
}

/// Says of the keys of `measure` what the table of metrics says, and adds those that no answer has.
fn describe(verb: &str, properties: &mut Map<String, Value>) {
    if verb != "measure" {
        return;
    }
    for key in MEASURES.iter().flat_map(|row| row.keys) {
        let about = METRICS.iter().find(|metric| metric.key == *key).map(|metric| metric.about);
        let place = properties.entry(*key).or_insert_with(|| json!({}));
        if let (Value::Object(place), Some(about)) = (place, about) {
            place.insert("description".to_owned(), json!(about));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inferred(answers: &[Value]) -> Value {
        let mut shape = Shape::default();
        answers.iter().for_each(|answer| shape.see(answer));
        shape.schema("any", &[]).into()
    }

    #[test]
    fn types_are_united_and_what_all_have_is_required() {
        let schema = inferred(&[
            json!({ "spec": "a", "n": 3, "mean": 1, "of": [{ "x": 1 }], "gone": null }),
            json!({ "spec": "b", "n": null, "mean": 1.5, "of": [{ "x": 1, "y": true }], "gone": null }),
            json!({ "spec": "c", "n": 4, "mean": 2, "of": [], "more": [] }),
        ]);
        let item = json!({
            "type": "object",
            "properties": { "x": { "type": "integer" }, "y": { "type": "boolean" } },
            "required": ["x"],
        });
        let expected = json!({
            "type": "object",
            "properties": {
                "spec": { "type": "string" },
                "n": { "type": ["integer", "null"] },
                "mean": { "type": "number" },
                "of": { "type": "array", "items": item },
                "gone": {},
                "more": { "type": "array" },
            },
            "required": ["spec", "n", "mean", "of"],
        });
        assert_eq!(schema, expected);
    }

    #[test]
    fn integers_of_any_length_are_integers() {
        let long: Value = serde_json::from_str("{\"n\":762939453125000000000000000}").unwrap();
        assert_eq!(inferred(&[long])["properties"]["n"], json!({ "type": "integer" }));
    }

    #[test]
    fn before_1_the_second_number_of_a_version_is_the_major_one() {
        assert_eq!([major("0.1.7"), major("2.3.4")], ["0.1", "2"]);
    }
}
