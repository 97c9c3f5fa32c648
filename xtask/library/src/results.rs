//! Python's classes of results that are nothing but their fields, as the structs of the libraries declare them.

use crate::declared::{Declared, Field, Shape};
use anyhow::{Context, Result, bail};
use std::fmt::Write as _;

/// The class and its object in JSON, and whether the network comes first.
const CLASSES: &[(&str, &str, bool)] = &[
    ("AllPorts", "AllPorts", false),
    ("Answer", "Answer", false),
    ("Answers", "Answers", false),
    ("BillItem", "BillItem", false),
    ("Busiest", "Busiest", false),
    ("BusyChannel", "BusyChannel", false),
    ("CableLengths", "CableLengths", false),
    ("Channel", "Channel", false),
    ("Confirmation", "Confirmation", false),
    ("Dimension", "Dimension", false),
    ("Embedding", "Embedding", false),
    ("End", "End", false),
    ("Energy", "Energy", false),
    ("Expansion", "Expansion", false),
    ("FlowRecord", "FlowRecord", false),
    ("FullLevel", "FullLevel", false),
    ("Growth", "Growth", false),
    ("Latency", "Latency", false),
    ("LeftOut", "LeftOut", false),
    ("Lost", "Lost", false),
    ("PacketRecord", "PacketRecord", false),
    ("Percentile", "Percentile", false),
    ("Probability", "Probability", false),
    ("Relaxed", "Relaxed", false),
    ("Retries", "Retries", false),
    ("Rewiring", "Rewiring", false),
    ("Routing", "Routing", true),
    ("Run", "Run", true),
    ("Spread", "Spread", false),
    ("SwitchPorts", "SwitchPorts", false),
    ("Unbuildable", "Unbuildable", false),
    ("Unfit", "Unfit", false),
    ("WorstRoute", "Worst-report", false),
];

/// The module of the classes.
pub fn module(declared: &mut Declared) -> Result<String> {
    // What no verb prints.
    declared.shape_of("nestnet-sim/src/record.rs", "Records")?;
    let mut module = String::from(
        "\"\"\"Results that are nothing but their fields. Written by `cargo xtask generate` from the structs of the \
         libraries.\"\"\"\n\n\
         from __future__ import annotations\n\n\
         from dataclasses import dataclass, field\n\n\
         from .shape import NODES, Node, Number, Result\n",
    );
    for &(class, of, spec) in CLASSES {
        let text = text(class, of, spec, declared).with_context(|| format!("class {class}"))?;
        module.push_str(&text);
    }
    Ok(module)
}

fn text(class: &str, of: &str, spec: bool, declared: &Declared) -> Result<String> {
    let object = declared.objects.get(of).with_context(|| format!("there is no object {of}"))?;
    let about = object.about.as_deref().context("it has no description")?;
    let has_ends = object.fields.iter().any(|field| field.key == "from");
    let exact = |field: &Field| {
        let is_exact = |other: &Field| other.key.strip_suffix("_exact") == Some(&field.key);
        object.fields.iter().any(is_exact)
    };
    let mut docs = String::new();
    let mut fields = String::new();
    if spec {
        docs.push_str("    - ``spec``: the network.\n");
        fields.push_str("    spec: str\n");
    }
    for field in object.fields.iter().filter(|field| !field.key.ends_with("_exact")) {
        let name = match field.key.as_str() {
            "from" => "source",
            "to" if has_ends => "target",
            name => name,
        };
        docs.push_str(&wrapped(&format!("- ``{name}``: {}", in_python(&field.about, false)), 4, 6));
        let mut kind = match exact(field) {
            true => "Number".to_owned(),
            false => annotation(&field.shape)?,
        };
        // An omitted list is empty.
        if !field.required && !kind.starts_with("tuple") && !kind.ends_with("None") {
            kind.push_str(" | None");
        }
        let nodes = if holds_nodes(&field.shape) { " = field(metadata=NODES)" } else { "" };
        let _ = writeln!(fields, "    {name}: {kind}{nodes}");
    }
    let about = wrapped(&in_python(about, true), 4, 4);
    let about = about.trim_start();
    Ok(format!(
        "\n\n@dataclass(frozen=True, repr=False)\nclass {class}(Result):\n    \"\"\"{about}\n{docs}    \"\"\"\n\n{fields}"
    ))
}

/// The annotation of a value.
fn annotation(shape: &Shape) -> Result<String> {
    Ok(match shape {
        Shape::Integer => "int".to_owned(),
        Shape::Node => "Node".to_owned(),
        Shape::Number => "float".to_owned(),
        Shape::Boolean => "bool".to_owned(),
        Shape::Text => "str".to_owned(),
        Shape::Array(item) => format!("tuple[{}, ...]", annotation(item)?),
        Shape::Tuple(items) => {
            let items: Result<Vec<String>> = items.iter().map(annotation).collect();
            format!("tuple[{}]", items?.join(", "))
        }
        Shape::Nullable(inner) => format!("{} | None", annotation(inner)?),
        Shape::Object(name) => {
            let class = CLASSES.iter().find(|(_, of, _)| of == name);
            class.with_context(|| format!("{name} has no class"))?.0.to_owned()
        }
        Shape::Map(..) | Shape::AnyOf(_) => bail!("a value that is no plain field"),
    })
}

/// Whether ids of nodes are all that it has.
fn holds_nodes(shape: &Shape) -> bool {
    match shape {
        Shape::Node => true,
        Shape::Array(inner) | Shape::Nullable(inner) => holds_nodes(inner),
        _ => false,
    }
}

/// A description as Python has it: code between two backquotes, and a field begins in lower case.
fn in_python(about: &str, is_sentence: bool) -> String {
    let text = about.replace('`', "``");
    let mut letters = text.chars();
    match letters.next() {
        Some(first) if !is_sentence && !letters.as_str().starts_with(char::is_uppercase) => {
            first.to_lowercase().collect::<String>() + letters.as_str()
        }
        _ => text,
    }
}

/// Lines of at most 120 letters, the first indented by `first`, the others by `next`.
fn wrapped(text: &str, first: usize, next: usize) -> String {
    let mut lines = String::new();
    let mut line = " ".repeat(first);
    for word in text.split_whitespace() {
        if !line.trim().is_empty() && line.chars().count() + 1 + word.chars().count() > 119 {
            let _ = writeln!(lines, "{line}");
            line = " ".repeat(next);
        }
        if !line.trim().is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    let _ = writeln!(lines, "{line}");
    lines
}
