//! Evaluated arguments, as a family sees them.

use super::Built;
use crate::spec::{Spec, SpecError};
use nestnet_graph::radix::TooLong;
use nestnet_graph::{Budget, Network};
use std::fmt;
use std::sync::Arc;
use thiserror::Error;

/// An argument after evaluation.
#[derive(Clone, Debug)]
pub enum EvaluatedValue {
    /// An integer within the bounds of its parameter.
    Integer(u64),
    /// One or more of them.
    Integers(Vec<u64>),
    /// A connected network.
    Network(Built),
    /// A list of connected networks.
    Networks(Vec<Built>),
    /// One of the words of its parameter.
    Word(&'static str),
    /// Sets of numbers in place of a word.
    Sets(Vec<Vec<u64>>),
    /// A text.
    Text(String),
}

/// The arguments of a family, checked against its parameters. Asking for one that the row does not have is a bug.
#[derive(Debug)]
pub struct Args<'a> {
    /// In the order of the parameters; absent ones are omitted.
    pub values: Vec<(&'static str, EvaluatedValue)>,
    /// What reaches outside, and how much may be stored.
    pub context: &'a Context<'a>,
    /// Builds what a family itself depends on.
    pub(crate) build: fn(&Spec, &Context<'_>) -> Result<Built, SpecError>,
}

/// What a spec may reach: files by name, and how far building may go.
pub struct Context<'a> {
    /// Reads a file whole. Libraries touch no files; whoever calls decides.
    pub read: &'a (dyn Fn(&str) -> std::io::Result<Vec<u8>> + Sync),
    /// A network that whoever calls holds in memory under the name of a file; it is asked for before any file is.
    pub given: &'a (dyn Fn(&str) -> Option<Arc<dyn Network>> + Sync),
    /// How far building may go.
    pub budget: Budget<'a>,
}

impl fmt::Debug for Context<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context").field("budget", &self.budget).finish_non_exhaustive()
    }
}

impl Context<'_> {
    /// Nothing but the spec: no files, and stored networks of at most 4 GiB.
    pub const ALONE: Context<'static> = Context {
        read: &|_| Err(std::io::Error::other("files cannot be read here")),
        given: &|_| None,
        budget: Budget { memory: 4 << 30, ..Budget::UNLIMITED },
    };
}

/// What is wrong with an argument.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct ArgError {
    /// The parameter at fault; `None` when it is the whole.
    pub param: Option<&'static str>,
    /// What is wrong, naming the argument and what is allowed.
    pub message: String,
}

impl ArgError {
    /// A fault of one argument; the message begins with its name.
    pub fn new(param: &'static str, message: impl std::fmt::Display) -> Self {
        ArgError { param: Some(param), message: format!("{param} {message}") }
    }

    /// Addresses grow with every level, also where nothing else does: of a nucleus of one node not more levels than `most`
    /// are taken, and none where it is nested itself.
    pub fn unless_it_grows(
        nucleus: &Built,
        param: &'static str,
        levels: u64,
        most: u64,
    ) -> Result<(), Self> {
        let is_nested = || {
            let row = super::find(&nucleus.spec().name);
            row.is_some_and(|row| row.bases() > 0)
        };
        let most = if levels > 1 && is_nested() { 1 } else { most };
        if levels > most && nucleus.order() == 1u8.into() {
            let message = format!("must be at most {most} for this nucleus of one node");
            return Err(ArgError::new(param, message));
        }
        Ok(())
    }

    /// A fault of all arguments together.
    pub fn whole(message: impl Into<String>) -> Self {
        ArgError { param: None, message: message.into() }
    }
}

impl From<TooLong> for ArgError {
    fn from(error: TooLong) -> Self {
        ArgError::whole(error.to_string())
    }
}

impl Args<'_> {
    fn get(&self, name: &str) -> Option<&EvaluatedValue> {
        self.values.iter().find(|(param, _)| *param == name).map(|(_, value)| value)
    }

    /// The integer `name`, if it was given.
    pub fn optional_integer(&self, name: &str) -> Option<u64> {
        match self.get(name)? {
            EvaluatedValue::Integer(value) => Some(*value),
            other => unreachable!("{name} is {other:?}"),
        }
    }

    /// The integer `name`.
    pub fn integer(&self, name: &str) -> u64 {
        self.optional_integer(name).unwrap_or_else(|| unreachable!("no integer {name}"))
    }

    /// The ratio `name`, if it was given: an integer is one to 1.
    pub fn optional_ratio(&self, name: &str) -> Option<(u64, u64)> {
        match self.get(name)? {
            EvaluatedValue::Integer(value) => Some((*value, 1)),
            EvaluatedValue::Integers(values) => Some((*values.first()?, *values.get(1)?)),
            other => unreachable!("{name} is {other:?}"),
        }
    }

    /// The integers `name`.
    pub fn integers(&self, name: &str) -> &[u64] {
        match self.get(name) {
            Some(EvaluatedValue::Integers(values)) => values,
            other => unreachable!("{name} is {other:?}"),
        }
    }

    /// The network `name`.
    pub fn network(&self, name: &str) -> &Built {
        match self.get(name) {
            Some(EvaluatedValue::Network(built)) => built,
            other => unreachable!("{name} is {other:?}"),
        }
    }

    /// The networks `name`, and whether they were given as a list.
    pub fn networks(&self, name: &str) -> (&[Built], bool) {
        match self.get(name) {
            Some(EvaluatedValue::Networks(list)) => (list, true),
            Some(EvaluatedValue::Network(one)) => (std::slice::from_ref(one), false),
            other => unreachable!("{name} is {other:?}"),
        }
    }

    /// The word `name`.
    pub fn word(&self, name: &str) -> &'static str {
        match self.get(name) {
            Some(EvaluatedValue::Word(word)) => word,
            other => unreachable!("{name} is {other:?}"),
        }
    }

    /// The sets `name`, if they were given in place of a word.
    pub fn sets(&self, name: &str) -> Option<&[Vec<u64>]> {
        match self.get(name) {
            Some(EvaluatedValue::Sets(sets)) => Some(sets),
            _ => None,
        }
    }

    /// The same arguments, with networks of which only the theory is known.
    pub fn unseen(&self) -> Self {
        let unseen = |value: &EvaluatedValue| match value {
            EvaluatedValue::Network(built) => EvaluatedValue::Network(built.clone().unseen()),
            EvaluatedValue::Networks(list) => {
                EvaluatedValue::Networks(list.iter().cloned().map(Built::unseen).collect())
            }
            other => other.clone(),
        };
        let values = self.values.iter().map(|(name, value)| (*name, unseen(value)));
        Args { values: values.collect(), ..*self }
    }

    /// A network that the family itself depends on, by its spec.
    pub fn build(&self, spec: &Spec) -> Result<Built, ArgError> {
        let built = (self.build)(spec, self.context);
        built.map_err(|error| ArgError::whole(error.message))
    }

    /// The text `name`, if it was given.
    pub fn optional_text(&self, name: &str) -> Option<&str> {
        match self.get(name)? {
            EvaluatedValue::Text(text) => Some(text),
            other => unreachable!("{name} is {other:?}"),
        }
    }

    /// The text `name`.
    pub fn text(&self, name: &str) -> &str {
        match self.get(name) {
            Some(EvaluatedValue::Text(text)) => text,
            other => unreachable!("{name} is {other:?}"),
        }
    }
}
