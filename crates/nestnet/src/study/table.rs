//! What do all points say, row by row? One table: what was swept over, then every number that was found.

use super::point::{Answer, Point};
use serde_json::value::RawValue;
use std::collections::{BTreeMap, HashMap};

/// What the cells of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Yes or no.
    Truth,
    /// Integers of 64 bits.
    Integer,
    /// Numbers with a fraction.
    Number,
    /// Texts, or of several kinds.
    Text,
}

/// A column.
#[derive(Clone, Debug)]
pub struct Column {
    /// Its name: `spec`, or the question and the path to what it says: `simulate.latency.mean`.
    pub name: String,
    /// What its cells are; texts where all are empty.
    pub kind: Kind,
    /// A cell for each row, as it is written; none where a point says nothing of it.
    pub cells: Vec<Option<String>>,
}

/// All rows, in the order of the points.
#[derive(Clone, Debug, Default)]
pub struct Table {
    rows: usize,
    columns: Vec<Column>,
    places: HashMap<String, usize>,
    /// Columns before the answers.
    fixed: usize,
}

/// What points may be swept over, in the order of the columns.
const SWEPT: [&str; 8] = ["measure", "router", "traffic", "fail", "rate", "load", "seed", "keys"];

/// Objects that lie deeper in each other are one text; no answer has any.
const MAX_DEPTH: u8 = 16;

impl Table {
    /// No row yet.
    pub fn new() -> Self {
        let mut table = Table::default();
        for name in ["point", "question", "spec"].into_iter().chain(SWEPT) {
            table.column(name.to_owned());
        }
        table.fixed = table.columns.len();
        table
    }

    fn column(&mut self, name: String) -> usize {
        if let Some(&at) = self.places.get(&name) {
            return at;
        }
        let at = self.columns.len();
        self.places.insert(name.clone(), at);
        self.columns.push(Column { name, kind: Kind::Truth, cells: vec![None; self.rows] });
        at
    }

    fn put(&mut self, name: String, text: String, kind: Kind) {
        let at = self.column(name);
        let column = &mut self.columns[at];
        let mixes = column.kind != kind && column.cells.iter().any(Option::is_some);
        column.kind = match mixes {
            // Yes or no does not mix with numbers.
            true if column.kind.min(kind) == Kind::Truth => Kind::Text,
            true => column.kind.max(kind),
            false => kind,
        };
        if let Some(cell) = column.cells.last_mut() {
            *cell = Some(text);
        }
    }

    /// Adds what a point says.
    pub fn push(&mut self, point: &Point<'_>, answer: &Answer) {
        self.rows += 1;
        self.columns.iter_mut().for_each(|column| column.cells.push(None));
        let question = point.question.name();
        self.put("point".to_owned(), point.name(), Kind::Text);
        self.put("question".to_owned(), question.to_owned(), Kind::Text);
        self.put("spec".to_owned(), point.spec().to_owned(), Kind::Text);
        for (name, value) in point.swept() {
            let kind = match name {
                "rate" | "load" => Kind::Number,
                "seed" => Kind::Integer,
                _ => Kind::Text,
            };
            self.put(name.to_owned(), value.to_owned(), kind);
        }
        self.flatten(question.to_owned(), &answer.0, MAX_DEPTH);
    }

    /// Numbers stay as they are written, also where no type of numbers holds them.
    fn flatten(&mut self, name: String, value: &RawValue, depth: u8) {
        let text = value.get();
        let kind = match text.as_bytes().first() {
            Some(b'n') | None => return,
            Some(b'{') if depth > 0 => {
                let fields: BTreeMap<String, &RawValue> =
                    serde_json::from_str(text).unwrap_or_default();
                for (key, value) in fields {
                    self.flatten(format!("{name}.{key}"), value, depth - 1);
                }
                return;
            }
            Some(b'"') => {
                let text: String = serde_json::from_str(text).unwrap_or_default();
                return self.put(name, text, Kind::Text);
            }
            Some(b't' | b'f') => Kind::Truth,
            Some(b'[' | b'{') => Kind::Text,
            Some(_) if text.parse::<i64>().is_ok() => Kind::Integer,
            Some(_) if text.bytes().all(|byte| byte.is_ascii_digit()) => Kind::Text,
            Some(_) => Kind::Number,
        };
        self.put(name, text.to_owned(), kind);
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The columns that say anything: those of what was swept over, then the answers by name.
    pub fn columns(&self) -> Vec<&Column> {
        let is_used = |column: &&Column| column.cells.iter().any(Option::is_some);
        let (fixed, answers) = self.columns.split_at(self.fixed);
        let mut answers: Vec<&Column> = answers.iter().filter(is_used).collect();
        // A point that comes first must not decide.
        answers.sort_by(|one, other| one.name.cmp(&other.name));
        fixed.iter().filter(is_used).chain(answers).collect()
    }

    /// A cell, by the name of its column.
    pub fn cell(&self, row: usize, name: &str) -> Option<&str> {
        let column = &self.columns[*self.places.get(name)?];
        column.cells.get(row)?.as_deref()
    }

    /// A cell as a number.
    pub fn value(&self, row: usize, name: &str) -> Option<f64> {
        self.cell(row, name)?.parse().ok()
    }

    /// As CSV (RFC 4180, with plain line ends).
    pub fn csv(&self) -> String {
        let columns = self.columns();
        let mut text = line(columns.iter().map(|column| column.name.as_str()));
        for row in 0..self.rows {
            text.push_str(&line(
                columns.iter().map(|column| column.cells[row].as_deref().unwrap_or_default()),
            ));
        }
        text
    }
}

fn line<'a>(cells: impl Iterator<Item = &'a str>) -> String {
    let cells: Vec<String> = cells.map(quoted).collect();
    cells.join(",") + "\n"
}

fn quoted(text: &str) -> String {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}
