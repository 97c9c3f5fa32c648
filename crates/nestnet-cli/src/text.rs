//! How results are written: numbers for people, JSON for programs, and both to stdout only.

use nestnet::claim::{Verdict, written_verdict};
use nestnet::family::paper_formula::PaperFormula;
use nestnet::options::{self, LIMITS, Setting};
use nestnet::physical::COST_OPTIONS;
use nestnet::sanitize::{visible, visible_lines};
use nestnet::sim::OPTIONS;
use nestnet::{Network, Node, Spec};
use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::HashSet;
use std::fmt::Write as _;
use std::io::{self, BufWriter, IsTerminal as _, Write};
use std::sync::OnceLock;

pub use nestnet::number_format::{
    by, count, decimal, grouped, known, mean, number as short_number,
};

/// Prints a result as one JSON object, alone on its line.
pub fn print_json(result: &impl Serialize) -> io::Result<()> {
    print(&format!("{}\n", json(&value(result)?)))
}

/// Prints a result behind the spec of its network.
pub fn print_json_of(spec: &impl Serialize, result: &impl Serialize) -> io::Result<()> {
    print_json(&value_of(spec, result)?)
}

/// The fields of a result behind the spec of its network.
pub fn value_of(spec: &impl Serialize, result: &impl Serialize) -> serde_json::Result<Value> {
    let mut object = Map::from_iter([("spec".to_owned(), serde_json::to_value(spec)?)]);
    if let Value::Object(fields) = value(result)? {
        object.extend(fields);
    }
    Ok(Value::Object(object))
}

/// A result as JSON, with the options behind its limits.
pub fn value(result: &impl Serialize) -> serde_json::Result<Value> {
    let mut value = serde_json::to_value(result)?;
    name_options(&mut value);
    Ok(value)
}

/// What says why there is no answer is a message of the libraries.
fn name_options(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(name_options),
        Value::Object(fields) => {
            if let Some(Value::String(why)) = fields.get_mut("none") {
                *why = with_option(std::mem::take(why));
            }
            fields.values_mut().for_each(name_options);
        }
        _ => (),
    }
}

/// JSON without a character that a terminal would obey: within its texts they are written as numbers.
pub fn json(value: &Value) -> String {
    value.to_string().chars().fold(String::new(), |mut text, c| {
        match visible(c) == c {
            true => text.push(c),
            false => c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| {
                let _ = write!(text, "\\u{unit:04x}");
            }),
        }
        text
    })
}

/// Prints `text`, without characters that a terminal would obey.
pub fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(visible_lines(text).as_bytes())?;
    out.flush()
}

/// Stdout for a format of another tool, as it is; only where it is a terminal, without characters that one would obey.
pub fn stdout() -> Box<dyn Write> {
    let out = io::stdout();
    match out.is_terminal() {
        true => Box::new(Visible { out: BufWriter::new(out.lock()), rest: Vec::new() }),
        false => Box::new(BufWriter::new(out.lock())),
    }
}

/// Passes a text on as it may be shown.
struct Visible<W> {
    out: W,
    /// The beginning of a character that has not come whole.
    rest: Vec<u8>,
}

impl<W: Write> Write for Visible<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.rest.extend_from_slice(bytes);
        let whole = match std::str::from_utf8(&self.rest) {
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            _ => self.rest.len(),
        };
        let text: Vec<u8> = self.rest.drain(..whole).collect();
        self.out.write_all(visible_lines(&String::from_utf8_lossy(&text)).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// A table of two columns, the first as wide as its longest entry.
pub fn table(rows: &[(&str, String)]) -> String {
    let width = rows.iter().map(|(label, _)| label.chars().count()).max().unwrap_or(0);
    rows.iter().fold(String::new(), |mut text, (label, value)| {
        let _ = writeln!(text, "  {label:width$}  {value}");
        text
    })
}

/// A table with any number of columns, each as wide as its longest entry.
pub fn columns<R: AsRef<[String]>>(rows: &[R]) -> String {
    let mut widths: Vec<usize> = Vec::new();
    for row in rows {
        for (column, cell) in row.as_ref().iter().enumerate() {
            let width = cell.chars().count();
            match widths.get_mut(column) {
                Some(widest) => *widest = width.max(*widest),
                None => widths.push(width),
            }
        }
    }
    rows.iter().fold(String::new(), |mut text, row| {
        let cells = row.as_ref().iter().zip(&widths).map(|(cell, &width)| format!("{cell:width$}"));
        let _ = writeln!(text, "  {}", cells.collect::<Vec<_>>().join("  ").trim_end());
        text
    })
}

/// Why nothing can be asked about single nodes.
pub fn without_ids(spec: &Spec) -> String {
    format!("{spec} has no node ids: more than 2^63 nodes or 2^32 ports (see `nestnet info`)")
}

/// A node for people: its id and its address, where that is not the id.
pub fn node(network: &dyn Network, at: Node) -> String {
    let address = network.address(at).to_string();
    if address == at.to_string() { address } else { format!("{at} = {address}") }
}

/// The names of all options of this program.
static FLAGS: OnceLock<HashSet<String>> = OnceLock::new();

/// Says which options there are; the first time counts.
pub fn know_flags(names: impl Iterator<Item = String>) {
    FLAGS.get_or_init(|| names.collect());
}

/// A message of the libraries with options as they are written here; what is no option stays as it is.
pub fn with_option(message: String) -> String {
    let is_known = |name: &str| FLAGS.get().is_some_and(|flags| flags.contains(name));
    options::written(&message, |key, value| {
        is_known(&key.replace('_', "-")).then(|| flag(key, value))
    })
}

/// A text of a table of options, all of which are options here.
pub fn with_flags(text: &str) -> String {
    options::written(text, |key, value| Some(flag(key, value)))
}

/// A text of the libraries for the page, whose fields have the titles of options. Limits stay options: those of `serve`
/// are others.
pub fn with_titles(text: &str) -> String {
    fn title<T>(rows: &[Setting<T>], key: &str) -> Option<&'static str> {
        rows.iter().find(|row| row.key == key).map(|row| row.title)
    }
    options::written(text, |key, value| {
        if title(&LIMITS, key).is_some() {
            return Some(flag(key, value));
        }
        let title = title(&OPTIONS, key).or_else(|| title(&COST_OPTIONS, key));
        let title = title.map_or_else(|| key.replace('_', " "), str::to_owned);
        Some(format!("{title} {value}").trim_end().to_owned())
    })
}

/// An option with its value, if it has one.
fn flag(key: &str, value: &str) -> String {
    format!("--{} {value}", key.replace('_', "-")).trim_end().to_owned()
}

/// What a paper's formula says, for people.
pub fn paper_formula(said: &PaperFormula) -> String {
    let PaperFormula { what, place, row, relation, value } = said;
    let relation = if relation.is_empty() { String::new() } else { format!("{relation} ") };
    // A formula that is not true of all networks may be true of this one.
    let judged = match written_verdict(row) {
        Some(Verdict::Bound) => {
            format!(", not exact for every network but always an upper bound: claims --only {row}")
        }
        Some(Verdict::Fails | Verdict::Misprint) => {
            format!(", not true in general: claims --only {row}")
        }
        Some(Verdict::Open) => format!(", not decided: claims --only {row}"),
        Some(Verdict::Holds) | None => String::new(),
    };
    format!("{what} {relation}{} ({place}{judged})", grouped(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_of_any_length_are_plain_json() {
        let long = "9".repeat(100);
        assert_eq!(value(&nestnet::json::Integer(&long)).unwrap().to_string(), long);
    }

    #[test]
    fn json_stays_what_it_is_without_control_characters() {
        let value = serde_json::json!({ "a\u{9b}": "b\u{1b}\u{7f}\u{202e}\u{e0041}\n" });
        let text = json(&value);
        assert!(text.chars().all(|c| visible(c) == c), "{text}");
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
    }

    #[test]
    fn a_terminal_gets_nothing_that_it_would_obey() {
        let text = "a\u{202e}b é\n\u{1b}[31m\u{1f600}\tc";
        for size in 1..text.len() {
            let mut out = Visible { out: Vec::new(), rest: Vec::new() };
            text.as_bytes().chunks(size).for_each(|part| out.write_all(part).unwrap());
            assert_eq!(
                String::from_utf8(out.out).unwrap(),
                "a\u{fffd}b é\n\u{fffd}[31m\u{1f600}\tc"
            );
        }
        let mut out = Visible { out: Vec::new(), rest: Vec::new() };
        out.write_all(b"a\xff\x1bb\n").unwrap();
        assert_eq!(out.out, "a\u{fffd}\u{fffd}b\n".as_bytes());
    }

    #[test]
    fn options_are_named_as_each_front_end_has_them() {
        know_flags(["priority", "classes", "max-memory"].map(str::to_owned).into_iter());
        let said =
            "`priority=age` needs `message_classes=`, `classes=`: over 5 bytes (`max_memory=`)";
        assert_eq!(
            with_option(said.to_owned()),
            "--priority age needs `message_classes=`, --classes: over 5 bytes (--max-memory)"
        );
        assert_eq!(
            with_titles("`priority=age` needs `classes=`, `fail=` and `max_memory=`"),
            "the priority age needs message classes, fail and --max-memory"
        );
    }

    #[test]
    fn tables_line_up() {
        let rows = [("a", "1".to_owned()), ("long", "2".to_owned())];
        assert_eq!(table(&rows), "  a     1\n  long  2\n");
    }
}
