//! What does a study show at a glance? Tables by network, curves with intervals, failure curves, heat maps.

use super::plan::Question;
use super::table::Table;
use crate::latency_chart::{latency_plot, look_of};
use crate::report::html::{page, prose, safe};
use nestnet_analysis::number_format;
use nestnet_draw::{Chart, Heat, Series, chart, heat};
use nestnet_sim::Status;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// What is shown of a study, in the order of the page.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    tables: Vec<Pivot>,
    charts: Vec<Chart>,
    heats: Vec<Heat>,
}

/// Numbers by two names.
#[derive(Clone, Debug)]
struct Pivot {
    title: String,
    corner: String,
    columns: Vec<String>,
    rows: Vec<(String, Vec<Option<f64>>)>,
}

/// What lies behind a number: the mean of several rows, and half of its interval of 95 %.
#[derive(Clone, Copy, Debug)]
struct Mean {
    value: f64,
    low: f64,
    high: f64,
}

/// Rows of one question, by what tells them apart.
struct Rows<'a> {
    table: &'a Table,
    rows: Vec<usize>,
}

impl Findings {
    /// What a table shows.
    pub fn of(table: &Table) -> Self {
        let mut found = Findings::default();
        for question in Question::ALL {
            let is_of = |&row: &usize| table.cell(row, "question") == Some(question.name());
            let rows: Vec<usize> = (0..table.rows()).filter(is_of).collect();
            if rows.is_empty() {
                continue;
            }
            let rows = Rows { table, rows };
            match question {
                Question::Measure => found.measures(&rows),
                Question::Cost => found.numbers(
                    &rows,
                    "cost",
                    &["price_per_host", "power_per_host", "cable_per_host", "longest_cable"],
                ),
                Question::Throughput => found.throughput(&rows),
                Question::Simulate => found.simulate(&rows),
                Question::Saturation => found.saturation(&rows),
                Question::Resilience => found.resilience(&rows),
            }
        }
        found
    }

    /// Every number of the measures, by network.
    fn measures(&mut self, rows: &Rows<'_>) {
        let mut keys: Vec<String> = Vec::new();
        for column in rows.table.columns() {
            let Some(rest) = column.name.strip_prefix("measure.") else { continue };
            let key = rest.split('.').next().unwrap_or(rest).to_owned();
            if !keys.contains(&key) {
                keys.push(key);
            }
        }
        let shown = |row: usize, key: &str| {
            let paths = [
                key.to_owned(),
                format!("{key}.high"),
                format!("{key}.value"),
                format!("{key}.max"),
            ];
            paths.iter().find_map(|path| rows.table.value(row, &format!("measure.{path}")))
        };
        let mut pivot = Pivot::new("measured", "network", keys.clone());
        for &row in &rows.rows {
            for (at, key) in keys.iter().enumerate() {
                if let Some(value) = shown(row, key) {
                    pivot.put(rows.spec(row), at, value);
                }
            }
        }
        self.tables.extend(pivot.filled());
    }

    fn numbers(&mut self, rows: &Rows<'_>, question: &str, keys: &[&str]) {
        let mut pivot =
            Pivot::new(question, "network", keys.iter().map(|key| (*key).to_owned()).collect());
        for &row in &rows.rows {
            for (at, key) in keys.iter().enumerate() {
                if let Some(value) = rows.table.value(row, &format!("{question}.{key}")) {
                    pivot.put(rows.spec(row), at, value);
                }
            }
        }
        self.tables.extend(pivot.filled());
    }

    /// θ by network, and by router and traffic.
    fn throughput(&mut self, rows: &Rows<'_>) {
        let title = "throughput: what each host can send";
        let pivot = rows.by(title, &["router", "traffic"], "throughput.theta");
        self.heats.push(pivot.heat());
        self.tables.extend(pivot.filled());
    }

    /// The load at which each saturates.
    fn saturation(&mut self, rows: &Rows<'_>) {
        let title = "saturation: the highest load at which all that was offered was accepted";
        let pivot = rows.by(title, &["router", "traffic"], "saturation.saturation");
        self.heats.push(pivot.heat());
        self.tables.extend(pivot.filled());
        let title = "cycles of a packet where nothing is in its way";
        let pivot = rows.by(title, &["router", "traffic"], "saturation.unloaded_latency");
        self.tables.extend(pivot.filled());
    }

    /// Latency and what is accepted over the load, a chart for each traffic and part of failed links.
    fn simulate(&mut self, rows: &Rows<'_>) {
        // A router that all have need not be named.
        let several = rows.split(&["router"]).len() > 1;
        let names: &[&str] = if several { &["spec", "router"] } else { &["spec"] };
        for (key, part) in rows.split(&["traffic", "rate"]) {
            let fails =
                if key[1] == "0" { String::new() } else { format!(", {} of links failed", key[1]) };
            let title = format!("latency, {} traffic{fails}", key[0]);
            self.charts.push(latency_plot(title, part.latencies(names)));
            let accepted =
                part.curves("load", names, &|row| part.table.value(row, "simulate.accepted"), "");
            self.charts.push(Chart {
                title: format!("accepted load, {} traffic{fails}", key[0]),
                across: "offered load, flits per host and cycle".to_owned(),
                up: "accepted load, flits per host and cycle".to_owned(),
                series: accepted,
                ..Chart::default()
            });
        }
        let title = "accepted load at most";
        let mut pivot = Pivot::new(title, "network", Vec::new());
        for (key, part) in rows.split(&["spec", "router", "traffic"]) {
            let accepted =
                part.rows.iter().filter_map(|&row| part.table.value(row, "simulate.accepted"));
            let at = pivot.column(format!("{} {}", key[1], key[2]));
            pivot.put(&key[0], at, accepted.fold(0.0, f64::max));
        }
        self.heats.push(pivot.heat());
        self.tables.extend(pivot.filled());
    }

    /// What is left over the part that fails.
    fn resilience(&mut self, rows: &Rows<'_>) {
        let shown = [
            ("falls apart", "falls_apart.value"),
            ("hosts lost", "hosts_lost.mean"),
            ("mean distance of what is left", "average_distance.mean"),
            ("diameter of what is left", "diameter.mean"),
            ("throughput of what is left", "throughput.mean"),
            ("stretch of detours", "stretch.mean"),
        ];
        for (fail, part) in rows.split(&["fail"]) {
            for (title, path) in shown {
                let half = path.replace(".mean", ".ci95");
                let series = match path {
                    "falls_apart.value" => part.probabilities(),
                    _ => part.curves(
                        "rate",
                        &["spec"],
                        &|row| part.table.value(row, &format!("resilience.{path}")),
                        &format!("resilience.{half}"),
                    ),
                };
                if series.is_empty() {
                    continue;
                }
                let title = format!("{title}, where {} fail", fail[0]);
                let across = format!("part of the {} that fail", fail[0]);
                self.charts.push(Chart { title, across, series, ..Chart::default() });
            }
        }
        let pivot = rows.by("falls apart", &["fail", "rate"], "resilience.falls_apart.value");
        self.heats.push(pivot.heat());
        self.tables.extend(pivot.filled());
        for (title, value) in [
            ("hosts lost", "hosts_lost.mean"),
            ("throughput of what is left", "throughput.mean"),
            ("stretch of detours", "stretch.mean"),
            ("virtual channels that prove detours free", "vcs.mean"),
        ] {
            let pivot = rows.by(title, &["fail", "rate"], &format!("resilience.{value}"));
            self.tables.extend(pivot.filled());
        }
    }

    /// The tables, for a terminal.
    pub fn text(&self) -> String {
        let tables = self.tables.iter().map(Pivot::text).collect::<Vec<_>>();
        tables.join("\n")
    }

    /// All of it as one page, HTML that needs no other file.
    pub fn page(&self, title: &str, about: &str) -> String {
        let mut body = format!("<h1>{}</h1>\n<p>{}</p>\n", safe(title), prose(about));
        for one in &self.charts {
            let _ = writeln!(body, "<div class=picture>{}</div>", chart(one));
        }
        for one in &self.heats {
            let _ = writeln!(body, "<div class=picture>{}</div>", heat(one));
        }
        for pivot in &self.tables {
            let _ = writeln!(body, "<h3>{}</h3>\n{}", safe(&pivot.title), pivot.html());
        }
        let _ = writeln!(
            body,
            "<p class=soft>Made by <code>nestnet study collect</code> {}. Bars are intervals of 95 %.</p>",
            env!("CARGO_PKG_VERSION")
        );
        page(title, &body)
    }

    /// The tables as Markdown.
    pub fn markdown(&self) -> String {
        let tables = self.tables.iter().map(Pivot::markdown).collect::<Vec<_>>();
        tables.join("\n")
    }
}

impl<'a> Rows<'a> {
    fn spec(&self, row: usize) -> &'a str {
        self.table.cell(row, "spec").unwrap_or_default()
    }

    /// Parts whose rows agree in these columns, in the order in which they come.
    fn split(&self, names: &[&str]) -> Vec<(Vec<String>, Rows<'a>)> {
        let mut parts: Vec<(Vec<String>, Rows<'a>)> = Vec::new();
        let mut places: BTreeMap<Vec<String>, usize> = BTreeMap::new();
        for &row in &self.rows {
            let key =
                names.iter().map(|name| self.table.cell(row, name).unwrap_or_default().to_owned());
            let key: Vec<String> = key.collect();
            let at = *places.entry(key.clone()).or_insert_with(|| {
                parts.push((key, Rows { table: self.table, rows: Vec::new() }));
                parts.len() - 1
            });
            parts[at].1.rows.push(row);
        }
        parts
    }

    /// The mean of a column by network and by other columns.
    fn by(&self, title: &str, columns: &[&str], value: &str) -> Pivot {
        let mut pivot = Pivot::new(title, "network", Vec::new());
        let names: Vec<&str> = ["spec"].iter().chain(columns).copied().collect();
        for (key, part) in self.split(&names) {
            let at = pivot.column(key[1..].join(" "));
            if let Some(mean) = part.mean(&|row| part.table.value(row, value), "") {
                pivot.put(&key[0], at, mean.value);
            }
        }
        pivot
    }

    /// The mean over these rows, by the spread between them or, of a single one, by its own interval.
    fn mean(&self, value: &dyn Fn(usize) -> Option<f64>, half: &str) -> Option<Mean> {
        let values: Option<Vec<f64>> = self.rows.iter().map(|&row| value(row)).collect();
        let values = values.filter(|values| !values.is_empty())?;
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let square: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let half = match &self.rows[..] {
            [row] => self.table.value(*row, half).unwrap_or(0.0),
            _ => 1.96 * (square / (n - 1.0) / n).sqrt(),
        };
        Some(Mean { value: mean, low: mean - half, high: mean + half })
    }

    /// A line for each value of `names`, over `across`.
    fn curves(
        &self,
        across: &str,
        names: &[&str],
        value: &dyn Fn(usize) -> Option<f64>,
        half: &str,
    ) -> Vec<Series> {
        let series = self.split(names).into_iter().map(|(key, part)| {
            let (mut points, mut bars) = (Vec::new(), Vec::new());
            for (at, part) in part.split(&[across]) {
                let Some(at) = at[0].parse::<f64>().ok() else { continue };
                if let Some(mean) = part.mean(value, half) {
                    points.push((at, mean.value));
                    bars.push((mean.low, mean.high));
                }
            }
            Series::line(key.join(", "), points).between(bars)
        });
        series.filter(|series| !series.points.is_empty()).collect()
    }

    /// Latency over load, a line for each value of `names`. Of several seeds the worst status counts.
    fn latencies(&self, names: &[&str]) -> Vec<Series> {
        let value = |row: usize| self.table.value(row, "simulate.latency.mean");
        let look = |row: &usize| {
            let status = self.table.cell(*row, "simulate.status").unwrap_or_default();
            Status::ALL.into_iter().find(|known| known.to_string() == status).map(look_of)
        };
        let series = self.split(names).into_iter().map(|(key, part)| {
            let (mut points, mut bars, mut looks) = (Vec::new(), Vec::new(), Vec::new());
            for (at, part) in part.split(&["load"]) {
                let Some(at) = at[0].parse::<f64>().ok() else { continue };
                let worst = part.rows.iter().filter_map(look).max().unwrap_or_default();
                if let Some(mean) = part.mean(&value, "simulate.latency.ci95") {
                    points.push((at, mean.value));
                    bars.push((mean.low, mean.high));
                    looks.push(worst);
                }
            }
            Series::line(key.join(", "), points).between(bars).looking(looks)
        });
        series.filter(|series| !series.points.is_empty()).collect()
    }

    /// How probable it is that a network falls apart, from all trials of all seeds, with their interval.
    fn probabilities(&self) -> Vec<Series> {
        let series = self.split(&["spec"]).into_iter().map(|(key, part)| {
            let (mut points, mut bars) = (Vec::new(), Vec::new());
            for (at, part) in part.split(&["rate"]) {
                let sum = |name: &str| -> f64 {
                    part.rows.iter().filter_map(|&row| part.table.value(row, name)).sum()
                };
                let (fell, trials) = (sum("resilience.fell_apart"), sum("resilience.trials"));
                let Some(at) = at[0].parse::<f64>().ok().filter(|_| trials > 0.0) else { continue };
                points.push((at, fell / trials));
                bars.push(nestnet_routing::resilience::wilson(fell, trials));
            }
            Series::line(key.join(", "), points).between(bars)
        });
        series.filter(|series| !series.points.is_empty()).collect()
    }
}

impl Pivot {
    fn new(title: &str, corner: &str, columns: Vec<String>) -> Self {
        Pivot { title: title.to_owned(), corner: corner.to_owned(), columns, rows: Vec::new() }
    }

    fn column(&mut self, name: String) -> usize {
        self.columns.iter().position(|known| *known == name).unwrap_or_else(|| {
            self.columns.push(name);
            self.columns.len() - 1
        })
    }

    fn put(&mut self, row: &str, column: usize, value: f64) {
        let at = self.rows.iter().position(|(name, _)| name == row).unwrap_or_else(|| {
            self.rows.push((row.to_owned(), Vec::new()));
            self.rows.len() - 1
        });
        let cells = &mut self.rows[at].1;
        cells.resize(cells.len().max(column + 1), None);
        cells[column] = Some(value);
    }

    /// Itself without columns that say nothing, unless all do.
    fn filled(mut self) -> Option<Self> {
        let width = self.columns.len();
        self.rows.iter_mut().for_each(|(_, cells)| cells.resize(width, None));
        for at in (0..width).rev() {
            if self.rows.iter().all(|(_, cells)| cells[at].is_none()) {
                self.columns.remove(at);
                self.rows.iter_mut().for_each(|(_, cells)| {
                    cells.remove(at);
                });
            }
        }
        Some(self).filter(|pivot| !pivot.rows.is_empty())
    }

    /// All cells as texts, the names of rows first.
    fn cells(&self) -> Vec<Vec<String>> {
        let mut head = vec![self.corner.clone()];
        head.extend(self.columns.iter().cloned());
        let rows = self.rows.iter().map(|(name, cells)| {
            let cell = |at: usize| match cells.get(at).copied().flatten() {
                Some(value) => number_format::short_decimal(value),
                None => "–".to_owned(),
            };
            let cells = (0..self.columns.len()).map(cell);
            [name.clone()].into_iter().chain(cells).collect()
        });
        [head].into_iter().chain(rows).collect()
    }

    fn text(&self) -> String {
        let cells = self.cells();
        let width = |at: usize| cells.iter().map(|row| row[at].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..=self.columns.len()).map(width).collect();
        let mut text = format!("{}\n", self.title);
        for row in &cells {
            let line = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:width$}"));
            let _ = writeln!(text, "  {}", line.collect::<Vec<_>>().join("  ").trim_end());
        }
        text
    }

    fn html(&self) -> String {
        let cells = self.cells();
        let safe: Vec<Vec<String>> =
            cells.iter().map(|row| row.iter().map(|cell| safe(cell)).collect()).collect();
        crate::report::html::table(&safe[0], &safe[1..])
    }

    fn markdown(&self) -> String {
        let mut text = format!("**{}**\n\n", self.title);
        for (number, row) in self.cells().iter().enumerate() {
            let _ = writeln!(text, "| {} |", row.join(" | "));
            if number == 0 {
                let _ = writeln!(text, "|---|{}", "--:|".repeat(self.columns.len()));
            }
        }
        text
    }

    fn heat(&self) -> Heat {
        let cells = |cells: &Vec<Option<f64>>| {
            (0..self.columns.len()).map(|at| cells.get(at).copied().flatten()).collect()
        };
        Heat {
            title: self.title.clone(),
            columns: self.columns.clone(),
            rows: self.rows.iter().map(|(name, row)| (name.clone(), cells(row))).collect(),
        }
    }
}
