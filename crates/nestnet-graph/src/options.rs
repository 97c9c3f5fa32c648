//! Options: one row for everything that can be set of a model.
//!
//! A table of [`Setting`]s is read by the command line, which makes its arguments of it, by Python, which takes its keys
//! as keyword arguments, by studies, whose files have its keys, and by `docs/options.md`. A value is given as text;
//! [`apply`] reads it and sets it.
//!
//! A text of the libraries, be it an error or a help, names an option by its key, as `` `classes=` `` or
//! `` `priority=age` ``; [`written`] writes it as the front end has it.
//!
//! ```
//! use nestnet_graph::options::{Kind, Setting, Usual, apply};
//!
//! #[derive(Default)]
//! struct Queue {
//!     flits: u64,
//! }
//!
//! static QUEUE: [Setting<Queue>; 1] = [Setting {
//!     key: "flits",
//!     title: "the buffer",
//!     about: "Flits that a queue holds",
//!     unit: "FLITS",
//!     usual: Usual::Said("unlimited"),
//!     kind: Kind::Count { low: 1, high: 64, set: |queue, flits| queue.flits = flits },
//! }];
//! let mut queue = Queue::default();
//! apply(&QUEUE, &mut queue, [("flits", "8")]).unwrap();
//! assert_eq!(queue.flits, 8);
//! let error = apply(&QUEUE, &mut queue, [("size", "8")]).unwrap_err();
//! assert_eq!(error.to_string(), "there is no option `size`: there are flits");
//! ```

use crate::numbers::{bytes, counts, fraction};
use std::fmt;
use thiserror::Error;

/// A row of a table of options: what can be set of a `T`.
pub struct Setting<T: 'static> {
    /// Its name in Python and in studies; at the command line with `-` for `_`.
    pub key: &'static str,
    /// A noun, for errors.
    pub title: &'static str,
    /// What it sets, for help.
    pub about: &'static str,
    /// The unit or the form of its value, in capitals; empty where the names of its values say it.
    pub unit: &'static str,
    /// What holds where it is not given.
    pub usual: Usual,
    /// Which values there are, and how one is set.
    pub kind: Kind<T>,
}

/// What holds where an option is not given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Usual {
    /// A value, as it could be given.
    Value(&'static str),
    /// What depends on something else, in words.
    Said(&'static str),
    /// Nothing is set.
    Nothing,
}

/// One of the named values of an option.
pub struct Choice<T: 'static> {
    /// As it is given.
    pub name: &'static str,
    /// What it means.
    pub about: &'static str,
    /// Sets it.
    pub set: fn(&mut T),
}

/// Which values an option takes, and how one is set.
pub enum Kind<T: 'static> {
    /// Yes or no.
    Flag(fn(&mut T, bool)),
    /// A count, as [`counts`] reads it.
    Count {
        /// The least.
        low: u64,
        /// The most.
        high: u64,
        /// Sets it.
        set: fn(&mut T, u64),
    },
    /// A number.
    Number {
        /// The least.
        low: f64,
        /// Sets it.
        set: fn(&mut T, f64),
    },
    /// Several numbers with commas.
    Numbers {
        /// As many as there are.
        example: &'static str,
        /// Sets them; as many as the example has.
        set: fn(&mut T, &[f64]),
    },
    /// A part of a whole, above 0 and below 1, in percent or of one.
    Fraction(fn(&mut T, f64)),
    /// A part of a whole, 0 and 1 included, as [`fraction`] reads it.
    ClosedFraction(fn(&mut T, f64)),
    /// Seconds, more than none.
    Seconds(fn(&mut T, f64)),
    /// Bytes, such as 4GiB.
    Bytes(fn(&mut T, u64)),
    /// One of several.
    Names(&'static [Choice<T>]),
    /// Several names with commas.
    List {
        /// What one of them is called: the name at the command line, which takes them one by one too.
        one: &'static str,
        /// The type of all of them in Python.
        python: &'static str,
        /// Sets them.
        set: fn(&mut T, &[&str]) -> Result<(), String>,
    },
    /// What a function reads.
    Text {
        /// The values that it takes, for a table; empty where `unit` says it.
        allowed: &'static str,
        /// The type of its values in Python.
        python: &'static str,
        /// Sets it.
        set: fn(&mut T, &str) -> Result<(), String>,
    },
}

/// Why an option is not set.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum OptionError {
    /// There is no such row.
    #[error("there is no option `{name}`: there are {}", known.join(", "))]
    Unknown {
        /// What was given.
        name: String,
        /// The keys of the table.
        known: Vec<&'static str>,
    },
    /// It does not take this value.
    #[error("{key} ({title}): {why}, not {value:?}")]
    Value {
        /// Which option.
        key: &'static str,
        /// What it is.
        title: &'static str,
        /// What was given.
        value: String,
        /// What was expected.
        why: String,
    },
}

impl<T: 'static> Setting<T> {
    /// Its name at the command line.
    pub fn flag(&self) -> String {
        let name = match self.kind {
            Kind::List { one, .. } => one,
            _ => self.key,
        };
        name.replace('_', "-")
    }

    /// The value that holds where it is not given, if it can be written as one.
    pub fn default(&self) -> Option<&'static str> {
        match self.usual {
            Usual::Value(value) => Some(value),
            Usual::Said(_) | Usual::Nothing => None,
        }
    }

    /// Whether it is called so: by its key, with `_` or `-`.
    pub fn is_called(&self, name: &str) -> bool {
        self.key == name || self.key.replace('_', "-") == name
    }

    /// Reads a value and sets it; the error says what was expected.
    pub fn set(&self, target: &mut T, text: &str) -> Result<(), String> {
        let number = |text: &str| {
            let count = counts::<u64>(0..=u128::MAX)(text).ok().map(|count| count as f64);
            count.or_else(|| text.trim().parse::<f64>().ok())
        };
        match &self.kind {
            Kind::Flag(set) => match text.trim() {
                "true" => set(target, true),
                "false" => set(target, false),
                _ => return Err("expected true or false".to_owned()),
            },
            Kind::Count { low, high, set } => {
                let high = if *high == u64::MAX { u128::MAX } else { (*high).into() };
                set(target, counts::<u64>((*low).into()..=high)(text)?);
            }
            Kind::Number { low, set } => {
                let value = number(text).filter(|value| value.is_nan() || value >= low);
                let value = value.ok_or_else(|| match low.is_finite() {
                    true => format!("expected a number at least {low}"),
                    false => "expected a number".to_owned(),
                })?;
                set(target, value);
            }
            Kind::Numbers { example, set } => {
                let wanted = example.split(',').count();
                let numbers = text.split(',').map(|part| part.trim().parse::<f64>());
                let numbers = numbers.collect::<Result<Vec<_>, _>>().ok();
                let numbers = numbers.filter(|numbers| numbers.len() == wanted);
                let numbers = numbers.ok_or_else(|| {
                    let count = if wanted == 2 { "two" } else { "three" };
                    format!("expected {count} numbers with commas, such as {example}")
                })?;
                set(target, &numbers);
            }
            Kind::Fraction(set) => {
                let (part, whole) = match text.trim().strip_suffix('%') {
                    Some(percent) => (percent, 100.0),
                    None => (text, 1.0),
                };
                let part = part.trim().parse::<f64>().ok().map(|part| part / whole);
                let part = part.filter(|part| *part > 0.0 && *part < 1.0);
                set(target, part.ok_or("expected a fraction such as 2% or 0.02")?);
            }
            Kind::ClosedFraction(set) => set(target, fraction(text)?),
            Kind::Seconds(set) => {
                let seconds = text.trim().parse::<f64>().ok();
                let seconds = seconds.filter(|seconds| seconds.is_finite() && *seconds > 0.0);
                set(target, seconds.ok_or("expected a number of seconds above 0")?);
            }
            Kind::Bytes(set) => set(target, bytes(text)?),
            Kind::Names(choices) => {
                match choices.iter().find(|choice| choice.name == text.trim()) {
                    Some(choice) => (choice.set)(target),
                    None => return Err(format!("expected {}", names(choices).join(" or "))),
                }
            }
            Kind::List { set, .. } => {
                let names = text.split(',').map(str::trim).filter(|name| !name.is_empty());
                set(target, &names.collect::<Vec<_>>())?;
            }
            Kind::Text { set, .. } => set(target, text)?,
        }
        Ok(())
    }

    /// The values that it takes, for a table.
    pub fn allowed(&self) -> String {
        match &self.kind {
            Kind::Flag(_) => "true, false".to_owned(),
            Kind::Count { low, high: u64::MAX, .. } => format!("from {low}"),
            Kind::Count { low, high, .. } => format!("{low} to {high}"),
            Kind::Number { low, .. } if low.is_finite() => format!("from {low}"),
            Kind::Number { .. } => "a number from 0".to_owned(),
            Kind::Numbers { example, .. } => format!("such as {example}"),
            Kind::Fraction(_) => "such as 2% or 0.02".to_owned(),
            Kind::ClosedFraction(_) => "0 to 1, such as 0.05 or 5%".to_owned(),
            Kind::Seconds(_) => "above 0".to_owned(),
            Kind::Bytes(_) => "such as 500MB or 4GiB".to_owned(),
            Kind::Names(choices) => names(choices).join(", "),
            Kind::List { .. } => "several with commas".to_owned(),
            Kind::Text { allowed, .. } => (*allowed).to_owned(),
        }
    }
}

/// The names of values.
fn names<T>(choices: &[Choice<T>]) -> Vec<&'static str> {
    choices.iter().map(|choice| choice.name).collect()
}

impl<T> fmt::Debug for Setting<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Setting").field("key", &self.key).finish_non_exhaustive()
    }
}

/// The row of that name.
pub fn find<'r, T: 'static>(
    rows: impl IntoIterator<Item = &'r Setting<T>> + Clone,
    name: &str,
) -> Result<&'r Setting<T>, OptionError> {
    let row = rows.clone().into_iter().find(|row| row.is_called(name));
    row.ok_or_else(|| OptionError::Unknown {
        name: name.to_owned(),
        known: rows.into_iter().map(|row| row.key).collect(),
    })
}

/// Sets what is given, in the order of the table, so that a row can build on those above it.
pub fn apply<'a, 'r, T: 'static>(
    rows: impl IntoIterator<Item = &'r Setting<T>> + Clone,
    target: &mut T,
    given: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> Result<(), OptionError> {
    let given: Vec<(&str, &str)> = given.into_iter().collect();
    for (name, _) in &given {
        find(rows.clone(), name)?;
    }
    for row in rows {
        for (_, value) in given.iter().filter(|(name, _)| row.is_called(name)) {
            let (key, title) = (row.key, row.title);
            row.set(target, value).map_err(|why| OptionError::Value {
                key,
                title,
                value: (*value).to_owned(),
                why,
            })?;
        }
    }
    Ok(())
}

/// Rows with a fault: whose key another row has, whose default changes `usual`, or which set nothing by the value of
/// `other`, which gets the key and a value that most rows take. For the tests of tables.
pub fn faulty<'r, T: Clone + fmt::Debug + 'static>(
    rows: impl IntoIterator<Item = &'r Setting<T>> + Clone,
    usual: &T,
    other: impl Fn(&'static str, &'static str) -> &'static str,
) -> Vec<&'static str> {
    let with = |row: &Setting<T>, value: &str| {
        let mut target = usual.clone();
        row.set(&mut target, value).map(|()| format!("{target:?}"))
    };
    let unchanged = Ok(format!("{usual:?}"));
    let is_faulty = |row: &Setting<T>| {
        let example = match &row.kind {
            Kind::Flag(_) => "true",
            Kind::Names([_, second, ..]) => second.name,
            Kind::Numbers { .. } => "7,8,9",
            Kind::Fraction(_) | Kind::ClosedFraction(_) => "7%",
            _ => "7",
        };
        let changed = with(row, other(row.key, example));
        rows.clone().into_iter().filter(|same| same.key == row.key).count() > 1
            || row.default().is_some_and(|value| with(row, value) != unchanged)
            || changed.is_err()
            || changed == unchanged
    };
    rows.clone().into_iter().filter(|row| is_faulty(row)).map(|row| row.key).collect()
}

/// A text in which every option that it names is as `write` writes it, from its key and its value, which may be empty;
/// what that does not know stays as it is.
///
/// ```
/// use nestnet_graph::options::written;
///
/// let flag = |key: &str, value: &str| Some(format!("--{key} {value}").trim_end().to_owned());
/// let text = "`priority=age` takes no `classes=`, `a` and `b c=`";
/// assert_eq!(written(text, flag), "--priority age takes no --classes, `a` and `b c=`");
/// ```
pub fn written(text: &str, write: impl Fn(&str, &str) -> Option<String>) -> String {
    let is_key = |key: &str| {
        let is_part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        !key.is_empty() && key.chars().all(is_part)
    };
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some((before, from)) = rest.split_once('`') {
        out.push_str(before);
        let option = from.split_once('`').and_then(|(inside, after)| {
            let (key, value) = inside.split_once('=').filter(|(key, _)| is_key(key))?;
            Some((write(key, value)?, after))
        });
        rest = match option {
            Some((option, after)) => {
                out.push_str(&option);
                after
            }
            None => {
                out.push('`');
                from
            }
        };
    }
    out + rest
}

/// What every call may use; what is not set is the default of the front end.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct LimitSettings {
    /// Bytes.
    pub memory: Option<u64>,
    /// Seconds by the clock.
    pub seconds: Option<f64>,
    /// Threads.
    pub threads: Option<u16>,
}

/// Seconds, unless the caller says otherwise.
pub const DEFAULT_SECONDS: f64 = 600.0;

/// The limits that every call shares.
pub static LIMITS: [Setting<LimitSettings>; 3] = [
    Setting {
        key: "max_memory",
        title: "the most memory",
        about: "The most memory that it may take, such as 4GiB or 500MB",
        unit: "SIZE",
        usual: Usual::Said("80 % of the memory of this machine"),
        kind: Kind::Bytes(|limits, bytes| limits.memory = Some(bytes)),
    },
    Setting {
        key: "max_time",
        title: "the most time",
        about: "The most seconds that it may take; claims, compare, cut, design, measure, simulate and study print \
                what is finished by then, and the exit code is 2",
        unit: "SECONDS",
        usual: Usual::Value("600"),
        kind: Kind::Seconds(|limits, seconds| limits.seconds = Some(seconds)),
    },
    Setting {
        key: "threads",
        title: "threads",
        about: "How many threads work; all cores if omitted. Results do not depend on it",
        unit: "N",
        usual: Usual::Nothing,
        kind: Kind::Count {
            low: 1,
            high: 65_535,
            set: |limits, threads| limits.threads = u16::try_from(threads).ok(),
        },
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faulty_rows_are_found() {
        assert_eq!(faulty(&LIMITS[1..], &LimitSettings::default(), |_, other| other), ["max_time"]);
        let usual = LimitSettings { seconds: Some(DEFAULT_SECONDS), ..LimitSettings::default() };
        assert_eq!(faulty(&LIMITS, &usual, |_, other| other), [""; 0]);
        let twice = || LIMITS[2..].iter().chain(&LIMITS[2..]);
        assert_eq!(faulty(twice(), &usual, |_, other| other), ["threads", "threads"]);
        assert_eq!(faulty(&LIMITS[2..], &usual, |_, _| "none"), ["threads"]);
    }

    #[test]
    fn limits_are_read_and_refused() {
        let mut limits = LimitSettings::default();
        let given = [("max-time", "2.5"), ("max_memory", "4GiB"), ("threads", "3")];
        apply(&LIMITS, &mut limits, given).unwrap();
        assert_eq!((limits.seconds, limits.memory), (Some(2.5), Some(4 << 30)));
        assert_eq!(limits.threads, Some(3));
        for (name, value, said) in [
            ("max_time", "0", "max_time (the most time): expected a number of seconds above 0"),
            ("max_memory", "much", "such as 500MB or 4GiB"),
            ("threads", "0", "expected a number from 1 to 65535"),
            ("speed", "1", "there is no option `speed`: there are max_memory, max_time, threads"),
        ] {
            let error = apply(&LIMITS, &mut limits, [(name, value)]).unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
        }
        let usual = find(&LIMITS, "max_time").unwrap().default().unwrap();
        assert_eq!(usual.parse(), Ok(DEFAULT_SECONDS));
    }
}
