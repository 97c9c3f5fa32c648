//! One JSON schema a verb, for what it prints with `--json`: made of what the structs of the libraries declare.
//!
//! `VERBS` says which structs a verb prints, and what the command line adds to them; keys of measures and of columns are
//! those of `METRICS`. `tests/cli/schema.rs` of the command line holds answers to the schemas, both ways: no key of an
//! answer is missing here.

use crate::declared::{Declared, Field, Shape};
use crate::root;
use anyhow::{Context, Result, bail, ensure};
use nestnet::compare::{COLUMNS, OF_FABRIC};
use nestnet::measures::MEASURES;
use nestnet::metrics::{Source, Value as Form, metric};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;

/// The version that the schemas describe.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A key that the command line adds: its name, its type in the file of the row, what it is, and whether it always comes.
type Added = (&'static str, &'static str, &'static str, bool);

/// An answer of a verb: `spec` before it, the source and the name of its struct, and what is added.
struct Row {
    verb: &'static str,
    spec: bool,
    source: &'static str,
    of: Option<&'static str>,
    added: &'static [Added],
}

/// The network comes first.
const fn of_spec(verb: &'static str, source: &'static str, of: &'static str) -> Row {
    Row { verb, spec: true, source, of: Some(of), added: &[] }
}

const fn row(verb: &'static str, source: &'static str, of: &'static str) -> Row {
    Row { verb, spec: false, source, of: Some(of), added: &[] }
}

/// Without a struct of its own.
const fn only(verb: &'static str, source: &'static str, added: &'static [Added]) -> Row {
    Row { verb, spec: false, source, of: None, added }
}

impl Row {
    const fn with(self, added: &'static [Added]) -> Self {
        Row { added, ..self }
    }

    const fn behind_spec(self) -> Self {
        Row { spec: true, ..self }
    }
}

const SCHEDULE: Added = (
    "schedule",
    "Vec<String>",
    "The schedule by its lines, where it is asked for and not written to a file.",
    false,
);
const PAGE: Added =
    ("report", "String", "The file of the page about it, where one was written.", false);

/// What each verb prints. The words of a verb have `-` before an option with an answer of another kind.
const VERBS: &[Row] = &[
    of_spec("broadcast", "nestnet-analysis/src/broadcasts.rs", "Summary").with(&[SCHEDULE]),
    of_spec("broadcast", "nestnet/src/cells.rs", "CellBroadcast"),
    only(
        "claims",
        "nestnet-cli/src/cmd/claims/mod.rs",
        &[
            ("papers", "Vec<PaperClaims<'_>>", "Papers, each with its claims.", true),
            ("counts", "Counts", "How many claims there are, and what was found.", true),
        ],
    ),
    only(
        "claims",
        "nestnet-cli/src/cmd/claims/show.rs",
        &[("papers", "Vec<ListedPaper<'_>>", "Papers, each with its rows, with `--list`.", true)],
    ),
    only(
        "claims-quantities",
        "nestnet-cli/src/cmd/claims/mod.rs",
        &[("quantities", "Vec<QuantityRow>", "What formulas can measure.", true)],
    ),
    of_spec("collective", "nestnet-analysis/src/collectives.rs", "CollectivePlan").with(&[SCHEDULE]),
    of_spec("collective", "nestnet-analysis/src/mini_apps.rs", "MiniAppPlan").with(&[SCHEDULE]),
    row("compare", "nestnet/src/compare/mod.rs", "Comparison<'_, Compared<'_>>"),
    of_spec("cut", "nestnet-analysis/src/measures/rows.rs", "Cut"),
    of_spec("deadlock", "nestnet-analysis/src/deadlocks.rs", "Certified").with(&[(
        "switches",
        "String",
        "The network of switches between which routes were followed, where these were not followed between hosts.",
        false,
    )]),
    row("design", "nestnet/src/design/report.rs", "DesignReport<'_>").with(&[PAGE]),
    row("design", "nestnet/src/design/report.rs", "ClusterReport<'_>").with(&[PAGE]),
    row("draw", "nestnet/src/files.rs", "Drawn"),
    row("embed", "nestnet-analysis/src/embed/mod.rs", "Embedded<'_>"),
    of_spec("emulate", "nestnet-analysis/src/emulation.rs", "Emulation"),
    row("export", "nestnet/src/files.rs", "Exported"),
    only(
        "families",
        "nestnet-topologies/src/family/mod.rs",
        &[("families", "Vec<Family>", "All families.", true)],
    ),
    row("families", "nestnet-topologies/src/family/mod.rs", "Family"),
    of_spec("grow", "nestnet/src/expansion.rs", "GrowthPlan"),
    row("import", "nestnet/src/files.rs", "Imported"),
    row("info", "nestnet-analysis/src/info.rs", "Info"),
    only(
        "measure",
        "nestnet-topologies/src/family/paper_formula.rs",
        &[
            ("not_finished", "String", "Measures that were not finished, and why.", false),
            ("paper_says", "Vec<PaperFormula>", "What the formulas of its paper give, right or wrong.", false),
        ],
    )
    .behind_spec(),
    only(
        "measure-list",
        "nestnet-cli/src/cmd/measure.rs",
        &[("measures", "Vec<MeasureRow>", "What can be measured.", true)],
    ),
    only(
        "neighbors",
        "nestnet-graph/src/network.rs",
        &[
            ("node", "Node", "The node.", true),
            ("address", "Address", "Its address, as its paper writes it.", true),
            ("neighbors", "Vec<Neighbor>", "Its neighbors, by port.", true),
        ],
    )
    .behind_spec(),
    of_spec("neighbors", "nestnet-topologies/src/family/array.rs", "Array").with(&[(
        "node",
        "u64",
        "The node, where one is given: `rows` has its row alone.",
        false,
    )]),
    only(
        "neighbors",
        "nestnet-topologies/src/family/array.rs",
        &[("steps", "Vec<Step>", "The steps in which its paper builds it, with `--steps`.", true)],
    )
    .behind_spec(),
    of_spec("paths", "nestnet-routing/src/route/disjoint/mod.rs", "Disjoint"),
    row("report", "nestnet/src/files.rs", "Reported"),
    row("resilience", "nestnet-analysis/src/fault_survey.rs", "FaultReport"),
    of_spec("route", "nestnet-analysis/src/routes.rs", "Route"),
    of_spec("route", "nestnet/src/cells.rs", "CellRoute"),
    of_spec("routing", "nestnet-analysis/src/routes.rs", "RoutingReport"),
    of_spec("routing-as-printed", "nestnet-analysis/src/routing_survey.rs", "PrintedReport"),
    of_spec("run", "nestnet-analysis/src/programs.rs", "Run"),
    only(
        "simulate",
        "nestnet-analysis/src/simulated.rs",
        &[
            ("curves", "Vec<Run>", "One for each network and router.", true),
            (
                "utilization",
                "Vec<(u64, u64, f64)>",
                "Source, target and the fraction of the cycles in which it was busy, of each channel at the last load, with `--utilization`.",
                false,
            ),
        ],
    ),
    row("simulate-goal", "nestnet-analysis/src/simulated.rs", "GoalRun"),
    row("study", "nestnet/src/study/progress.rs", "Progress"),
    row("study", "nestnet/src/study/progress.rs", "Estimate"),
    row("study", "nestnet/src/study/progress.rs", "Collected"),
    row("tables", "nestnet/src/files.rs", "TablesWritten"),
    of_spec("throughput", "nestnet-analysis/src/throughput.rs", "WithoutLoads<'_>"),
    only(
        "throughput-list",
        "nestnet-cli/src/cmd/throughput.rs",
        &[("traffic", "Vec<TrafficRow>", "The traffic patterns.", true)],
    ),
    row("view", "nestnet/src/cells.rs", "Inside"),
];

/// The schemas and the page that lists them, with their paths from the root.
pub fn files(declared: &mut Declared) -> Result<Vec<(String, String)>> {
    let mut answers: BTreeMap<&str, Vec<Vec<Field>>> = BTreeMap::new();
    for row in VERBS {
        let fields = fields_of(row, declared);
        let fields = fields.with_context(|| format!("the answer of {}", command(row.verb)))?;
        answers.entry(row.verb).or_default().push(fields);
    }
    for entry in fs::read_dir(root().join("docs/schemas"))? {
        let path = entry?.path();
        let verb = path.file_stem().unwrap_or_default().to_string_lossy();
        ensure!(answers.contains_key(&*verb), "{} has no row in `VERBS`", path.display());
    }
    let mut files = Vec::new();
    let mut rows = String::new();
    for (verb, answers) in answers {
        let schema = schema(verb, &answers, declared);
        let text = serde_json::to_string_pretty(&schema)? + "\n";
        files.push((format!("docs/schemas/{verb}.json"), text));
        let keys = |answer: &[Field], all: bool| -> BTreeSet<String> {
            let those = answer.iter().filter(|field| all || field.required);
            those.map(|field| field.key.clone()).collect()
        };
        let all: BTreeSet<String> = answers.iter().flat_map(|answer| keys(answer, true)).collect();
        let in_each =
            |key: &&String| answers.iter().all(|answer| keys(answer, false).contains(*key));
        let _ = writeln!(
            rows,
            "| `{}` | [{verb}.json](schemas/{verb}.json) | {} | {} | {} |",
            command(verb),
            answers.len(),
            all.len(),
            all.iter().filter(in_each).count(),
        );
    }
    files.push(("docs/json.md".to_owned(), page(&rows)));
    Ok(files)
}

/// The keys of an answer.
fn fields_of(row: &Row, declared: &mut Declared) -> Result<Vec<Field>> {
    let mut fields = Vec::new();
    if row.spec {
        let shape = Shape::Text;
        // A file of routes has no network.
        let shape = if row.verb == "deadlock" { Shape::Nullable(Box::new(shape)) } else { shape };
        fields.push(Field {
            key: "spec".to_owned(),
            shape,
            about: "The network.".to_owned(),
            required: true,
        });
    }
    if let Some(of) = row.of {
        let Shape::Object(name) = declared.shape_of(row.source, of)? else {
            bail!("{of} is not one object");
        };
        if row.verb == "compare" {
            add_columns(declared)?;
        }
        fields.extend(declared.objects[&name].fields.clone());
    }
    if row.verb == "measure" {
        fields.extend(measures(declared)?);
    }
    for &(key, kind, about, required) in row.added {
        let shape = declared.shape_of(row.source, kind)?;
        let (key, about) = (key.to_owned(), about.to_owned());
        fields.push(Field { key, shape, about, required });
    }
    Ok(fields)
}

/// The keys of measures, in their order.
fn measures(declared: &mut Declared) -> Result<Vec<Field>> {
    let answers = "nestnet-analysis/src/measures/answer.rs";
    let missing = declared.shape_of("nestnet-graph/src/json.rs", "Missing<String>")?;
    // Declares the objects of its variants, too.
    declared.shape_of(answers, "Answer")?;
    let mut fields = Vec::new();
    for metric in MEASURES.iter().flat_map(|row| row.keys).map(|key| metric(key)) {
        let shape = match metric.value {
            Form::Integer => Shape::Integer,
            Form::Number => Shape::Number,
            Form::Truth => Shape::Boolean,
            Form::Bounds => declared.shape_of(answers, "Bounded")?,
            Form::Mean => declared.shape_of(answers, "Average")?,
            Form::Histogram => Shape::Object("Histogram".to_owned()),
            Form::Counts => Shape::Map(Box::new(Shape::Integer), Box::new(Shape::Integer)),
            Form::Load => Shape::Object("Load".to_owned()),
            Form::Pair => declared.shape_of(answers, "[End<'_>; 2]")?,
        };
        let mut forms = vec![shape];
        if metric.value == Form::Mean {
            forms.push(declared.shape_of(answers, "Sampled")?);
        }
        // What is counted by theory is always known.
        if metric.from != Source::Theory {
            forms.push(missing.clone());
        }
        let shape = if forms.len() == 1 { forms.remove(0) } else { Shape::AnyOf(forms) };
        let about = sentence(metric.about);
        fields.push(Field { key: metric.key.to_owned(), shape, about, required: false });
    }
    Ok(fields)
}

/// Columns of a comparison, and measures that are asked for beside them.
fn add_columns(declared: &mut Declared) -> Result<()> {
    let measures = measures(declared)?;
    let object = declared.objects.get_mut("Compared").context("nothing is compared")?;
    let columns = COLUMNS.iter().map(|column| column.key);
    for key in columns.filter(|key| OF_FABRIC.contains(key) || key.ends_with("_per_host")) {
        object.fields.push(Field {
            key: key.to_owned(),
            shape: Shape::Nullable(Box::new(Shape::Number)),
            about: sentence(metric(key).about),
            required: OF_FABRIC.contains(&key),
        });
    }
    for measure in measures {
        match object.fields.iter_mut().find(|field| field.key == measure.key) {
            None => object.fields.push(measure),
            // Asked for, it is shown as `measure` has it.
            Some(field) if field.shape == measure.shape => {}
            Some(field) => {
                field.shape = Shape::AnyOf(vec![field.shape.clone(), measure.shape]);
            }
        }
    }
    Ok(())
}

/// A description that begins like a sentence and ends like one.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    format!("{first}{}.", letters.as_str())
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
         They are made of the types of the program and of the descriptions of their fields. A key is required where every \
         answer of this kind has it; some verbs have answers of several kinds, of which one schema (`anyOf`) describes each. \
         Tests hold recorded answers, and the other answers that the tests of the command line ask for, to the schemas: \
         every value has its type, every required key is there, and no key is missing in the schema.\n\n\
         ## Schemas\n\n\
         | verb | schema | kinds of answers | keys | required in all |\n|---|---|---|---|---|\n{rows}\n\
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

/// The words of a verb, with the option that has another answer.
fn command(verb: &str) -> String {
    verb.replacen('-', " --", 1)
}

/// The schema of a verb with answers of these kinds.
fn schema(verb: &str, answers: &[Vec<Field>], declared: &Declared) -> Value {
    let mut schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": format!("urn:nestnet:json:{verb}:{}", major(VERSION)),
        "title": format!("nestnet {} --json", command(verb)),
        "version": VERSION,
    });
    let mut parts = match answers {
        [answer] => object(answer),
        _ => {
            let kinds: Vec<Value> = answers.iter().map(|answer| object(answer).into()).collect();
            Map::from_iter([("anyOf".to_owned(), kinds.into())])
        }
    };
    let mut used = BTreeSet::new();
    let all = answers.iter().flatten();
    all.for_each(|field| collect(&field.shape, declared, &mut used));
    let definitions: Map<String, Value> = used
        .into_iter()
        .map(|name| {
            let of = &declared.objects[&name];
            let mut parts = Map::new();
            if let Some(about) = &of.about {
                parts.insert("description".to_owned(), json!(about));
            }
            parts.extend(object(&of.fields));
            (name, parts.into())
        })
        .collect();
    if !definitions.is_empty() {
        parts.insert("$defs".to_owned(), definitions.into());
    }
    if let Value::Object(schema) = &mut schema {
        schema.extend(parts);
    }
    schema
}

/// The objects that a value has, and those within them.
fn collect(shape: &Shape, declared: &Declared, used: &mut BTreeSet<String>) {
    match shape {
        Shape::Array(inner) | Shape::Map(_, inner) | Shape::Nullable(inner) => {
            collect(inner, declared, used);
        }
        Shape::Tuple(all) | Shape::AnyOf(all) => {
            all.iter().for_each(|inner| collect(inner, declared, used));
        }
        Shape::Object(name) => {
            if used.insert(name.clone()) {
                let fields = &declared.objects[name].fields;
                fields.iter().for_each(|field| collect(&field.shape, declared, used));
            }
        }
        Shape::Integer | Shape::Node | Shape::Number | Shape::Boolean | Shape::Text => (),
    }
}

/// An object with these keys.
fn object(fields: &[Field]) -> Map<String, Value> {
    let properties: Map<String, Value> = fields
        .iter()
        .map(|field| {
            let mut parts = Map::from_iter([("description".to_owned(), json!(field.about))]);
            parts.extend(parts_of(&field.shape));
            (field.key.clone(), parts.into())
        })
        .collect();
    let required = fields.iter().filter(|field| field.required);
    let required: Vec<&str> = required.map(|field| field.key.as_str()).collect();
    let mut object = Map::from_iter([
        ("type".to_owned(), json!("object")),
        ("properties".to_owned(), properties.into()),
    ]);
    if !required.is_empty() {
        object.insert("required".to_owned(), json!(required));
    }
    object
}

/// What a schema says of a value.
fn parts_of(shape: &Shape) -> Map<String, Value> {
    let parts = match shape {
        Shape::Integer | Shape::Node => json!({ "type": "integer" }),
        Shape::Number => json!({ "type": "number" }),
        Shape::Boolean => json!({ "type": "boolean" }),
        Shape::Text => json!({ "type": "string" }),
        Shape::Array(items) => json!({ "type": "array", "items": parts_of(items) }),
        Shape::Tuple(items) => {
            let items: Vec<Value> = items.iter().map(|item| parts_of(item).into()).collect();
            json!({ "type": "array", "prefixItems": items })
        }
        Shape::Map(_, values) => {
            json!({ "type": "object", "additionalProperties": parts_of(values) })
        }
        Shape::Nullable(inner) => {
            let mut parts = parts_of(inner);
            match parts.get("type") {
                Some(kind) => {
                    let kind = json!([kind, "null"]);
                    parts.insert("type".to_owned(), kind);
                    parts.into()
                }
                None => json!({ "anyOf": [parts, { "type": "null" }] }),
            }
        }
        Shape::Object(name) => json!({ "$ref": format!("#/$defs/{name}") }),
        Shape::AnyOf(all) => {
            let all: Vec<Value> = all.iter().map(|inner| parts_of(inner).into()).collect();
            json!({ "anyOf": all })
        }
    };
    if let Value::Object(parts) = parts { parts } else { Map::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn before_1_the_second_number_of_a_version_is_the_major_one() {
        assert_eq!([major("0.1.7"), major("2.3.4")], ["0.1", "2"]);
    }
}
