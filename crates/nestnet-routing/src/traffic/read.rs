//! From text such as `shift(3)` to a pattern.

use super::{
    Ends, Groups, Matrix, MatrixError, Mixed, Pattern, Permutation, Share, TRAFFIC, Traffic,
};
use nestnet_graph::{OverBudget, kinds};
use thiserror::Error;

/// Why there is no such traffic.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TrafficError {
    /// Not in the table.
    #[error("unknown traffic `{name}`: there are {}", known().join(", "))]
    Unknown {
        /// What was asked for.
        name: String,
    },
    /// The worst case is found for a router, and is no part of another traffic.
    #[error("traffic `worst` is found for a router: it is no part of another traffic")]
    WorstPart,
    /// A value that is missing, or is not what it should be.
    #[error("traffic `{name}`: {param} must be {expected}, not `{given}`")]
    Value {
        /// The pattern.
        name: &'static str,
        /// Which value.
        param: &'static str,
        /// What is allowed.
        expected: String,
        /// What was given; nothing where it is missing.
        given: String,
    },
    /// More than it takes.
    #[error("traffic `{name}` takes {usage}, and `{given}` is too much")]
    TooMany {
        /// The pattern.
        name: &'static str,
        /// How it is written.
        usage: &'static str,
        /// What is left over.
        given: String,
    },
    /// The pattern is for other numbers of hosts.
    #[error("traffic `{name}` needs {expected}, and there are {hosts}")]
    Hosts {
        /// The pattern.
        name: &'static str,
        /// What is allowed.
        expected: &'static str,
        /// How many there are.
        hosts: u64,
    },
    /// A file that cannot be read.
    #[error("traffic from `{file}`: {message}")]
    File {
        /// The file.
        file: String,
        /// What went wrong.
        message: String,
    },
    /// A file that can be read, and is no matrix.
    #[error("traffic from `{file}`: {error}")]
    Matrix {
        /// The file.
        file: String,
        /// What is wrong.
        error: MatrixError,
    },
    /// It takes more than is allowed.
    #[error(transparent)]
    OverBudget(#[from] OverBudget),
}

kinds!(TrafficError {
    Unknown: Unknown;
    Invalid: WorstPart, Value, TooMany;
    Unsupported: Hosts;
    Format: File, Matrix;
    inner: OverBudget;
});

/// What can be asked for.
fn known() -> Vec<&'static str> {
    TRAFFIC.iter().map(|row| row.usage).chain(["worst"]).collect()
}

/// What a pattern may ask of the outside.
pub struct Source<'a> {
    /// The hosts.
    pub ends: &'a Ends,
    /// The text of a file.
    pub file: &'a dyn Fn(&str) -> Result<String, String>,
    /// Who is near whom.
    pub groups: &'a dyn Fn() -> Result<Groups, OverBudget>,
    /// Bytes that may be used.
    pub memory: u64,
}

impl<'a> Source<'a> {
    /// Hosts alone: no file, and nobody is near another.
    pub fn alone(ends: &'a Ends) -> Self {
        Source {
            ends,
            file: &|_| Err("no file can be read here".to_owned()),
            groups: &|| Ok(Groups::new(Vec::new())),
            memory: 1 << 30,
        }
    }
}

/// The traffic that a text names.
///
/// ```
/// use nestnet_routing::traffic::{Ends, Source, read};
///
/// let traffic = read("shift(3)", &Source::alone(&Ends::plain(8)))?;
/// assert_eq!(traffic.as_permutation().unwrap().target(6), 1);
/// # Ok::<(), nestnet_routing::traffic::TrafficError>(())
/// ```
pub fn read(text: &str, source: &Source<'_>) -> Result<Traffic, TrafficError> {
    let text = text.trim();
    let (name, given) = match text.split_once('(') {
        Some((name, rest)) => {
            let unknown = || TrafficError::Unknown { name: text.to_owned() };
            (name.trim(), rest.strip_suffix(')').ok_or_else(unknown)?)
        }
        None => (text, ""),
    };
    let key = name.replace('-', "_");
    let unknown = || TrafficError::Unknown { name: name.to_owned() };
    if key == "worst" {
        return Err(TrafficError::WorstPart);
    }
    let row = TRAFFIC.iter().find(|row| row.name == key).ok_or_else(unknown)?;
    let given: Vec<&str> = match given.trim() {
        "" => Vec::new(),
        // A file may have commas in its name, and a part of a mix between its own parentheses.
        file if row.name == "matrix" => vec![file],
        parts if ["mix", "phases", "onoff"].contains(&row.name) => outer_parts(parts),
        given => given.split(',').map(str::trim).collect(),
    };
    let mut words = Words { name: row.name, given, next: 0, source, ends: source.ends };
    let pattern = (row.make)(&mut words)?;
    if let Some(given) = words.given.get(words.next) {
        let given = (*given).to_owned();
        return Err(TrafficError::TooMany { name: row.name, usage: row.usage, given });
    }
    let name = match words.given.as_slice() {
        [] => row.name.to_owned(),
        given => format!("{}({})", row.name, given.join(", ")),
    };
    Ok(Traffic { name, hosts: source.ends.hosts, pattern })
}

/// Numbers as fractions, and the patterns that have them.
type Weighed = (Vec<(u64, u64)>, Vec<Traffic>);

/// The values of a pattern, taken one after the other.
pub(super) struct Words<'a> {
    name: &'static str,
    given: Vec<&'a str>,
    next: usize,
    source: &'a Source<'a>,
    pub(super) ends: &'a Ends,
}

impl Words<'_> {
    fn take(&mut self) -> Option<&str> {
        let taken = self.given.get(self.next).copied();
        self.next += usize::from(taken.is_some());
        // `s=3` is as good as `3`.
        taken.map(|text| text.split_once('=').map_or(text, |(_, value)| value.trim()))
    }

    fn wrong(&self, param: &'static str, expected: String, given: String) -> TrafficError {
        TrafficError::Value { name: self.name, param, expected, given }
    }

    pub(super) fn integer(
        &mut self,
        param: &'static str,
        default: Option<u64>,
        max: u64,
    ) -> Result<u64, TrafficError> {
        let given = self.take().map(str::to_owned);
        let value = match &given {
            None => default,
            Some(text) => text.parse().ok().filter(|&value| value <= max),
        };
        let expected = match max {
            u64::MAX => "an integer".to_owned(),
            _ => format!("an integer from 0 to {max}"),
        };
        value.ok_or_else(|| self.wrong(param, expected, given.unwrap_or_default()))
    }

    /// Whether one value is given and it is an integer above 1, which is no share.
    pub(super) fn is_count(&self) -> bool {
        let [given] = self.given.as_slice() else { return false };
        given.parse().is_ok_and(|count: u64| count > 1)
    }

    /// `10%`, `0.1` or `1/10`.
    pub(super) fn share(&mut self, default: Option<Share>) -> Result<Share, TrafficError> {
        let given = self.take().map(str::to_owned);
        let share = match &given {
            None => default,
            Some(text) => share(text),
        };
        let expected = "a share such as 10%, 0.1 or 1/10, from 0 to 1".to_owned();
        share.ok_or_else(|| self.wrong("share", expected, given.unwrap_or_default()))
    }

    pub(super) fn permuted(
        &self,
        permutation: Result<Permutation, &'static str>,
    ) -> Result<Pattern, TrafficError> {
        let (name, hosts) = (self.name, self.ends.hosts);
        let found = permutation.map(Pattern::Permuted);
        found.map_err(|expected| TrafficError::Hosts { name, expected, hosts })
    }

    /// An error where a list of all hosts is too long.
    pub(super) fn listed(&self) -> Result<(), TrafficError> {
        let (need, limit) = (u128::from(self.ends.hosts) * 8, self.source.memory);
        if need > limit.into() {
            return Err(OverBudget::Memory { what: "a list of all hosts", need, limit }.into());
        }
        Ok(())
    }

    pub(super) fn groups(&self) -> Result<Groups, TrafficError> {
        Ok((self.source.groups)()?)
    }

    /// Patterns with their weights; none of them is a mix, or one of time.
    pub(super) fn mixed(&mut self) -> Result<Mixed, TrafficError> {
        let example = "a weight and a pattern such as 0.8*uniform";
        let (weights, parts) = self.weighed(example, &["mix", "phases", "onoff"])?;
        // All weights in the same small parts.
        let finest = weights.iter().map(|&(_, whole)| whole).max().unwrap_or(1);
        let weights = weights.into_iter().map(|(part, whole)| part.saturating_mul(finest / whole));
        let mixed = Mixed::new(weights.zip(parts).collect());
        let given = self.given.join(", ");
        mixed.ok_or_else(|| self.wrong("weights", "positive and not too fine".to_owned(), given))
    }

    /// Patterns with their cycles; none of them is one of time.
    pub(super) fn phases(&mut self) -> Result<Mixed, TrafficError> {
        let example = "cycles and a pattern such as 1000*uniform";
        let (cycles, parts) = self.weighed(example, &["phases", "onoff"])?;
        let given = self.given.join(", ");
        if cycles.iter().any(|&(cycles, whole)| cycles == 0 || whole != 1) {
            return Err(self.wrong("cycles", "integers from 1 on".to_owned(), given));
        }
        let phases = cycles.into_iter().map(|(cycles, _)| cycles).zip(parts).collect();
        let phases = Mixed::new(phases);
        phases.ok_or_else(|| self.wrong("phases", "one at least, not too long".to_owned(), given))
    }

    /// Numbers and patterns, of which none is of these kinds.
    fn weighed(&mut self, example: &str, without: &[&str]) -> Result<Weighed, TrafficError> {
        let (mut weights, mut parts) = (Vec::new(), Vec::new());
        while let Some(&text) = self.given.get(self.next) {
            self.next += 1;
            let wrong = |expected: &str| self.wrong("a part", expected.to_owned(), text.to_owned());
            let (weight, pattern) = text.split_once('*').ok_or_else(|| wrong(example))?;
            let weight = decimal(weight.trim()).ok_or_else(|| wrong(example))?;
            if let Some(kind) = kind_of(pattern, without) {
                return Err(wrong(&format!("a pattern that is no {kind}")));
            }
            weights.push(weight);
            parts.push(read(pattern, self.source)?);
        }
        Ok((weights, parts))
    }

    /// A pattern whose hosts may send at any time.
    pub(super) fn timeless(&mut self) -> Result<Traffic, TrafficError> {
        let text = self.given.get(self.next).copied().unwrap_or_default();
        self.next += 1;
        if text.is_empty() || kind_of(text, &["onoff"]).is_some() {
            let expected = "a pattern such as uniform, that is no onoff".to_owned();
            return Err(self.wrong("PATTERN", expected, text.to_owned()));
        }
        read(text, self.source)
    }

    /// A count from 1 on.
    pub(super) fn positive(&mut self, param: &'static str) -> Result<u64, TrafficError> {
        match self.integer(param, None, 1 << 40)? {
            0 => Err(self.wrong(param, "an integer from 1 on".to_owned(), "0".to_owned())),
            count => Ok(count),
        }
    }

    pub(super) fn matrix(&mut self) -> Result<Matrix, TrafficError> {
        let given = self.take().unwrap_or_default().trim_matches('"').to_owned();
        if given.is_empty() {
            return Err(self.wrong("FILE", "the name of a file".to_owned(), given));
        }
        self.listed()?;
        let text = (self.source.file)(&given);
        let text = text.map_err(|message| TrafficError::File { file: given.clone(), message })?;
        Matrix::read(&text, self.ends.hosts)
            .map_err(|error| TrafficError::Matrix { file: given, error })
    }
}

/// Which of these kinds a pattern is, if it is one.
fn kind_of<'a>(text: &str, kinds: &[&'a str]) -> Option<&'a str> {
    let name = text.split('(').next().unwrap_or_default().trim();
    kinds.iter().copied().find(|kind| *kind == name)
}

/// What commas outside parentheses separate.
fn outer_parts(text: &str) -> Vec<&str> {
    let mut depth = 0i64;
    let outside = move |letter: char| {
        depth += i64::from(letter == '(') - i64::from(letter == ')');
        letter == ',' && depth == 0
    };
    text.split(outside).map(str::trim).collect()
}

/// A number without a sign, as a fraction.
fn decimal(text: &str) -> Option<(u64, u64)> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let digits = format!("{whole}{part}");
    let plain = !digits.is_empty() && digits.len() <= 9;
    let plain = plain && digits.bytes().all(|byte| byte.is_ascii_digit());
    let zeros = u32::try_from(part.len()).ok()?;
    plain.then(|| Some((digits.parse().ok()?, 10u64.pow(zeros))))?
}

fn share(text: &str) -> Option<Share> {
    let (part, whole) = if let Some(percent) = text.strip_suffix('%') {
        let (part, whole) = decimal(percent.trim())?;
        (part, whole * 100)
    } else if let Some((part, whole)) = text.split_once('/') {
        (
            decimal(part.trim()).filter(|(_, of)| *of == 1)?.0,
            decimal(whole.trim()).filter(|(_, of)| *of == 1)?.0,
        )
    } else {
        decimal(text)?
    };
    (whole > 0 && part <= whole).then_some(Share { part, whole })
}
