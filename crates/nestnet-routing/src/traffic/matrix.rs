//! Traffic as a file lists it.

use num_integer::Integer;
use std::collections::BTreeMap;
use thiserror::Error;

/// How much each host sends to each other, in parts of a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matrix {
    rows: Vec<Vec<(u64, u128)>>,
    /// The same with what hosts send to themselves, for those that do.
    with_self: BTreeMap<u64, Vec<(u64, u128)>>,
    whole: u128,
}

/// What is wrong with a matrix.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MatrixError {
    /// Neither triples nor rows.
    #[error(
        "line {line}: {fields} fields, where `from to rate` has 3 and a row of rates has {hosts}"
    )]
    Fields {
        /// The line.
        line: usize,
        /// What it has.
        fields: usize,
        /// How many hosts there are.
        hosts: u64,
    },
    /// Not a host.
    #[error("line {line}: `{text}` is no host; the hosts are 0 to {last}")]
    Host {
        /// The line.
        line: usize,
        /// What is written there.
        text: String,
        /// The highest.
        last: u64,
    },
    /// Not a rate.
    #[error(
        "line {line}: `{text}` is no rate; write a decimal number such as 0.25, of at most {MAX_DIGITS} digits"
    )]
    Rate {
        /// The line.
        line: usize,
        /// What is written there.
        text: String,
    },
    /// Fewer or more rows than hosts.
    #[error("{rows} rows of rates for {hosts} hosts")]
    Rows {
        /// How many there are.
        rows: u64,
        /// How many hosts there are.
        hosts: u64,
    },
    /// Nobody sends.
    #[error("nobody sends anything to another host")]
    Empty,
}

/// Limit: digits of a rate in a traffic matrix: more are not in a floating-point number.
const MAX_DIGITS: usize = 15;

impl Matrix {
    /// Reads lines `from to rate`, or a row of rates for each host; separated by blanks or commas, `#` begins a remark.
    /// What a host sends to itself is kept apart, for those who send that too; rates for the same pair add up.
    pub fn read(text: &str, hosts: u64) -> Result<Self, MatrixError> {
        let fields = |line: &str| -> Vec<String> {
            let line = line.split('#').next().unwrap_or_default();
            let fields = line.split(|c: char| c.is_whitespace() || c == ',' || c == ';');
            fields.filter(|field| !field.is_empty()).map(str::to_owned).collect()
        };
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let lines = text.lines().enumerate().map(|(at, line)| (at + 1, fields(line)));
        let lines: Vec<(usize, Vec<String>)> =
            lines.filter(|(_, fields)| !fields.is_empty()).collect();
        let is_dense = hosts != 3 && lines.iter().all(|(_, row)| row.len() as u64 == hosts);
        let mut entries = Vec::new();
        if is_dense && !lines.is_empty() {
            if lines.len() as u64 != hosts {
                return Err(MatrixError::Rows { rows: lines.len() as u64, hosts });
            }
            for (from, (line, row)) in (0..).zip(&lines) {
                for (to, rate) in (0..).zip(row) {
                    entries.push((from, to, decimal(rate, *line)?));
                }
            }
        } else {
            for (line, row) in &lines {
                let [from, to, rate] = row.as_slice() else {
                    return Err(MatrixError::Fields { line: *line, fields: row.len(), hosts });
                };
                let host = |text: &str| {
                    let host = text.parse().ok().filter(|&host: &u64| host < hosts);
                    let (text, last) = (text.to_owned(), hosts.saturating_sub(1));
                    host.ok_or(MatrixError::Host { line: *line, text, last })
                };
                entries.push((host(from)?, host(to)?, decimal(rate, *line)?));
            }
        }
        Matrix::of(entries, hosts)
    }

    fn of(entries: Vec<(u64, u64, (u128, u128))>, hosts: u64) -> Result<Self, MatrixError> {
        let whole = entries.iter().fold(1, |all: u128, (_, _, (_, whole))| all.lcm(whole));
        let mut rows = vec![Vec::new(); usize::try_from(hosts).unwrap_or(0)];
        for (from, to, (part, of)) in entries {
            if part > 0 {
                rows[usize::try_from(from).unwrap_or(0)].push((to, part * (whole / of)));
            }
        }
        for row in &mut rows {
            row.sort_unstable();
            row.dedup_by(|next, kept| {
                let same = next.0 == kept.0;
                kept.1 += if same { next.1 } else { 0 };
                same
            });
        }
        let mut with_self = BTreeMap::new();
        for (from, row) in (0..).zip(&mut rows) {
            if row.iter().any(|&(to, _)| to == from) {
                with_self.insert(from, row.clone());
                row.retain(|&(to, _)| to != from);
            }
        }
        if rows.iter().all(Vec::is_empty) {
            return Err(MatrixError::Empty);
        }
        Ok(Matrix { rows, with_self, whole })
    }

    /// All weights are parts of this.
    pub fn whole(&self) -> u128 {
        self.whole
    }

    /// Where a host sends, ascending, and how much.
    pub fn row(&self, from: u64) -> &[(u64, u128)] {
        usize::try_from(from).ok().and_then(|from| self.rows.get(from)).map_or(&[], Vec::as_slice)
    }

    /// One other place to send to; each as likely as much goes there.
    pub(super) fn draw(&self, from: u64, below: &mut dyn FnMut(u64) -> u64) -> Option<u64> {
        drawn(self.row(from), below)
    }

    /// The same with what a host sends to itself.
    pub(super) fn draw_any(&self, from: u64, below: &mut dyn FnMut(u64) -> u64) -> Option<u64> {
        drawn(self.with_self.get(&from).map_or_else(|| self.row(from), Vec::as_slice), below)
    }
}

fn drawn(row: &[(u64, u128)], below: &mut dyn FnMut(u64) -> u64) -> Option<u64> {
    let sum: u128 = row.iter().map(|(_, weight)| weight).sum();
    let common = row.iter().fold(0, |all: u128, (_, weight)| all.gcd(weight)).max(1);
    let mut at = u128::from(below(u64::try_from(sum / common).unwrap_or(u64::MAX).max(1)));
    row.iter().find_map(|&(to, weight)| {
        let found = at < weight / common;
        at = at.wrapping_sub(weight / common);
        found.then_some(to)
    })
}

/// A number that is not negative, as a fraction whose lower part is a power of ten.
fn decimal(text: &str, line: usize) -> Result<(u128, u128), MatrixError> {
    let wrong = || MatrixError::Rate { line, text: text.to_owned() };
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let digits = format!("{whole}{part}");
    let fits = !digits.is_empty() && digits.len() <= MAX_DIGITS;
    if !fits || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(wrong());
    }
    let zeros = u32::try_from(part.len()).map_err(|_| wrong())?;
    Ok((digits.parse().map_err(|_| wrong())?, 10u128.pow(zeros)))
}
