//! Why is there no answer, as an exception of Python?

use nestnet::options::written;
use pyo3::exceptions::PyValueError;
use pyo3::{PyErr, create_exception};
use std::error::Error as StdError;

create_exception!(
    nestnet,
    Error,
    PyValueError,
    "Why there is no answer, in the words of the command line, with options as keyword arguments."
);
create_exception!(nestnet, SpecError, Error, "A text that means no network.");
create_exception!(nestnet, NodeError, Error, "A node that a network does not have.");
create_exception!(
    nestnet,
    LimitError,
    Error,
    "More time or memory than is allowed; `nestnet.limits` raises it."
);

/// Which exception it becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Anything else.
    Other,
    /// A spec.
    Spec,
    /// A node.
    Node,
    /// Time or memory.
    Limit,
}

/// A message on its way to Python.
#[derive(Clone, Debug)]
pub struct Fault {
    /// Which exception it becomes.
    pub kind: Kind,
    /// What it says.
    pub message: String,
}

impl Fault {
    /// Nothing in particular.
    pub fn new(message: impl Into<String>) -> Self {
        Fault { kind: Kind::Other, message: message.into() }.with_option()
    }

    /// Time or memory.
    pub fn limit(message: impl Into<String>) -> Self {
        Fault { kind: Kind::Limit, message: message.into() }
    }

    /// A fault of ours, which no input should reach.
    pub fn ours(what: &str) -> Self {
        Fault::new(format!("a fault of Nestnet itself: {what}"))
    }

    /// Options as the keyword arguments that they are here; one of a limit makes it one.
    fn with_option(self) -> Self {
        let is_limit =
            ["`max_memory=`", "`max_time=`"].iter().any(|key| self.message.contains(key));
        let message = written(&self.message, |key, value| {
            let is_text = !value.is_empty() && value.parse::<f64>().is_err();
            Some(if is_text { format!("{key}=\"{value}\"") } else { format!("{key}={value}") })
        });
        Fault { kind: if is_limit { Kind::Limit } else { self.kind }, message }
    }
}

impl<E: StdError + 'static> From<E> for Fault {
    fn from(error: E) -> Self {
        let any: &(dyn StdError + 'static) = &error;
        let kind = match () {
            () if any.is::<nestnet::SpecError>() => Kind::Spec,
            () if any.is::<nestnet::AddressError>() => Kind::Node,
            () => Kind::Other,
        };
        Fault { kind, message: error.to_string() }.with_option()
    }
}

impl From<Fault> for PyErr {
    fn from(fault: Fault) -> Self {
        match fault.kind {
            Kind::Other => Error::new_err(fault.message),
            Kind::Spec => SpecError::new_err(fault.message),
            Kind::Node => NodeError::new_err(fault.message),
            Kind::Limit => LimitError::new_err(fault.message),
        }
    }
}
