//! How are times written, so that a person can compare them?

use std::fmt::Write as _;

/// What a tool took for a job, or why it took nothing.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// It was measured.
    Took {
        /// Seconds of the processor.
        cpu: f64,
        /// Bytes at the highest point, if that is of interest.
        peak: Option<u64>,
        /// Whether only a part was done and its time multiplied.
        scaled: bool,
    },
    /// It was ended after that many seconds.
    Over(f64),
    /// It was not tried, or could not do it.
    Absent,
}

/// One answer of ours beside those of the peers.
#[derive(Clone, Debug)]
pub struct Row {
    /// The network.
    pub spec: String,
    /// Its nodes, for people.
    pub nodes: String,
    /// By which method.
    pub method: &'static str,
    /// What we took.
    pub ours: Cell,
    /// What each peer took, in the order of the names of the table.
    pub peers: Vec<Cell>,
    /// How many times faster than the best peer we want to be.
    pub aim: Option<u32>,
}

/// A table in Markdown with columns of equal width. `names` are the peers'.
pub fn table(names: &[&str], rows: &[Row]) -> String {
    let mut head = vec!["network".to_owned(), "nodes".into(), "method".into(), "Nestnet".into()];
    head.extend(names.iter().map(|name| (*name).to_owned()));
    if !names.is_empty() {
        head.push("best peer / Nestnet".to_owned());
    }
    let mut lines = vec![head];
    for row in rows {
        let mut line =
            vec![format!("`{}`", row.spec), row.nodes.clone(), row.method.into(), cell(&row.ours)];
        line.extend(row.peers.iter().map(cell));
        if !names.is_empty() {
            line.push(advantage(row));
        }
        lines.push(line);
    }
    let columns = 0..lines[0].len();
    let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max();
    let widths: Vec<usize> = columns.map(|column| width(column).unwrap_or(0)).collect();
    lines.insert(1, widths.iter().map(|&width| "-".repeat(width)).collect());
    let mut text = String::new();
    for line in lines {
        for (cell, width) in line.iter().zip(&widths) {
            let _ = write!(text, "| {cell:<width$} ");
        }
        text.push_str("|\n");
    }
    text
}

fn cell(cell: &Cell) -> String {
    match *cell {
        Cell::Took { cpu, peak, scaled } => {
            let about = if scaled { "≈ " } else { "" };
            let peak = peak.map(|peak| format!(", {} MB", peak.div_ceil(1_000_000)));
            format!("{about}{}{}", seconds(cpu), peak.unwrap_or_default())
        }
        Cell::Over(limit) => format!("over {limit:.0} s"),
        Cell::Absent => "–".to_owned(),
    }
}

/// How many times longer the best peer took, and the aim.
fn advantage(row: &Row) -> String {
    let Cell::Took { cpu: ours, .. } = row.ours else { return "–".to_owned() };
    let times = row.peers.iter().filter_map(|peer| match *peer {
        Cell::Took { cpu, .. } => Some((cpu, "")),
        Cell::Over(limit) => Some((limit, "over ")),
        Cell::Absent => None,
    });
    let Some((best, over)) = times.min_by(|a, b| a.0.total_cmp(&b.0)) else {
        return "–".to_owned();
    };
    let aim = row.aim.map(|aim| format!(" (aim: {aim}×)")).unwrap_or_default();
    format!("{over}{}{aim}", times_faster(best / ours))
}

fn times_faster(ratio: f64) -> String {
    if ratio < 10.0 {
        format!("{ratio:.1}×")
    } else {
        format!("{}×", grouped(&format!("{ratio:.0}")))
    }
}

/// Three digits and a unit.
pub fn seconds(value: f64) -> String {
    let (value, unit) = match value {
        v if v >= 1.0 => (v, "s"),
        v if v >= 1e-3 => (v * 1e3, "ms"),
        v => (v * 1e6, "µs"),
    };
    let digits = match value {
        v if v >= 99.95 => 0,
        v if v >= 9.995 => 1,
        _ => 2,
    };
    format!("{} {unit}", grouped(&format!("{value:.digits$}")))
}

/// The integer part in groups of three digits.
pub fn grouped(number: &str) -> String {
    let (whole, fraction) =
        number.split_once('.').map_or((number, ""), |(w, _)| (w, &number[w.len()..]));
    let mut text = String::new();
    for (place, digit) in whole.chars().enumerate() {
        if place > 0 && (whole.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text + fraction
}

#[cfg(test)]
mod tests {
    use super::*;

    fn took(cpu: f64) -> Cell {
        Cell::Took { cpu, peak: None, scaled: false }
    }

    fn row(ours: Cell, peers: Vec<Cell>, aim: Option<u32>) -> Row {
        let (spec, nodes) = ("ring(5)".to_owned(), "5".to_owned());
        Row { spec, nodes, method: "exhaustive", ours, peers, aim }
    }

    #[test]
    fn times_have_three_digits_and_a_unit() {
        let cases = [
            (0.0, "0.00 µs"),
            (0.000_001_234, "1.23 µs"),
            (0.000_999, "999 µs"),
            (0.001, "1.00 ms"),
            (0.034_56, "34.6 ms"),
            (0.099_96, "100 ms"),
            (1.675, "1.68 s"),
            (12.345, "12.3 s"),
            (99.97, "100 s"),
            (12_345.6, "12,346 s"),
        ];
        for (value, text) in cases {
            assert_eq!(seconds(value), text);
        }
    }

    #[test]
    fn digits_come_in_groups() {
        for (number, text) in
            [("5", "5"), ("999", "999"), ("1000", "1,000"), ("1234567.25", "1,234,567.25")]
        {
            assert_eq!(grouped(number), text);
        }
    }

    #[test]
    fn the_best_peer_counts() {
        let fast = row(took(0.002), vec![took(0.5), took(0.25), Cell::Absent], Some(100));
        assert_eq!(advantage(&fast), "125× (aim: 100×)");
        let slow = row(took(0.5), vec![took(0.4)], None);
        assert_eq!(advantage(&slow), "0.8×");
        let ended = row(took(0.01), vec![Cell::Over(60.0)], None);
        assert_eq!(advantage(&ended), "over 6,000×");
        assert_eq!(advantage(&row(took(1.0), vec![Cell::Absent], Some(3))), "–");
        assert_eq!(advantage(&row(Cell::Absent, vec![took(1.0)], None)), "–");
    }

    #[test]
    fn a_table_has_columns() {
        let scaled = Cell::Took { cpu: 212.4, peak: Some(650_000_001), scaled: true };
        let ours = Cell::Took { cpu: 0.034, peak: Some(16_000_000), scaled: false };
        let rows = [row(ours, vec![scaled, Cell::Over(60.0)], None)];
        let expected = "\
| network   | nodes | method     | Nestnet        | scipy           | igraph    | best peer / Nestnet |
| --------- | ----- | ---------- | -------------- | --------------- | --------- | ------------------- |
| `ring(5)` | 5     | exhaustive | 34.0 ms, 16 MB | ≈ 212 s, 651 MB | over 60 s | over 1,765×         |
";
        let text = table(&["scipy", "igraph"], &rows);
        assert_eq!(text, expected);
        let alone = table(&[], &[row(took(0.001), vec![], None)]);
        assert!(alone.starts_with("| network   | nodes | method     | Nestnet |\n"), "{alone}");
    }
}
