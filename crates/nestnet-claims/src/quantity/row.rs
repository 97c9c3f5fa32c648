//! What is a quantity, and what is it asked of?

use super::error::QuantityError;
use crate::{Lab, Sample, Value};
use nestnet_graph::Node;
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use std::borrow::Cow;
use std::sync::Arc;

/// Something that can be measured.
#[derive(Clone, Copy, Debug)]
pub struct Quantity {
    /// Its name in formulas.
    pub name: &'static str,
    /// Its arguments, in order.
    pub takes: &'static [Takes],
    /// What it is, in a few words.
    pub about: &'static str,
    /// The command that shows it, with `{0}` for the first argument and so on; empty where none does.
    pub command: &'static str,
    /// Where it comes from.
    pub source: Source,
    /// In networks of more nodes than this a closed form answers, not a search.
    pub by_rule_above: Option<u64>,
}

/// What an argument must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// A spec.
    Network,
    /// A node of the network before it, by id or address.
    Node,
    /// An integer.
    Number,
    /// A word, such as the name of a router.
    Word,
}

/// How a quantity is found.
#[derive(Clone, Copy, Debug)]
pub enum Source {
    /// By the measure with this key.
    Key(&'static str),
    /// By a function.
    Function(Find),
}

/// An argument.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Given {
    Network(Arc<Sample>),
    Node(Node),
    Number(BigInt),
    Word(String),
}

impl Given {
    /// The network, where it is one.
    pub fn sample(&self) -> Result<&Sample, QuantityError> {
        match self {
            Given::Network(sample) => Ok(sample),
            _ => Err(QuantityError::Needs("network")),
        }
    }

    pub(super) fn node(&self) -> Result<Node, QuantityError> {
        match self {
            Given::Node(node) => Ok(*node),
            _ => Err(QuantityError::Needs("node")),
        }
    }

    pub(super) fn word(&self) -> Result<&str, QuantityError> {
        match self {
            Given::Word(word) => Ok(word),
            _ => Err(QuantityError::Needs("word")),
        }
    }

    pub(super) fn number(&self) -> Result<u64, QuantityError> {
        match self {
            Given::Number(number) => {
                number.to_u64().ok_or_else(|| QuantityError::OutOfRange { number: number.clone() })
            }
            _ => Err(QuantityError::Needs("number")),
        }
    }
}

/// How a function finds a quantity.
type Find = fn(&Lab<'_>, &[Given]) -> Result<Value, QuantityError>;

impl Quantity {
    pub(super) const fn new(
        name: &'static str,
        takes: &'static [Takes],
        find: Find,
        about: &'static str,
    ) -> Self {
        Quantity {
            name,
            takes,
            about,
            command: "",
            source: Source::Function(find),
            by_rule_above: None,
        }
    }

    pub(super) const fn by_rule_above(self, nodes: u64) -> Self {
        Quantity { by_rule_above: Some(nodes), ..self }
    }

    pub(super) const fn shown_by(self, command: &'static str) -> Self {
        Quantity { command, ..self }
    }
}

/// A router as it is asked for elsewhere; a word has no brackets, so that `hop_plane_nearest` is `hop_plane(nearest)`.
pub fn spelled(word: &str) -> Cow<'_, str> {
    match word.strip_prefix("hop_plane_") {
        Some(choice) => format!("hop_plane({choice})").into(),
        None => word.into(),
    }
}
