//! What a claim can be about: the one table of quantities that the ledger measures.
//!
//! Every key of the measures is one, asked of a network; the others are here.

mod error;
mod programs;
mod routes;
mod shape;

pub use error::QuantityError;

use super::{Lab, Sample, Value};
use crate::measures::MEASURES;
use nestnet_core::{Network, Node};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

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

    fn node(&self) -> Result<Node, QuantityError> {
        match self {
            Given::Node(node) => Ok(*node),
            _ => Err(QuantityError::Needs("node")),
        }
    }

    fn word(&self) -> Result<&str, QuantityError> {
        match self {
            Given::Word(word) => Ok(word),
            _ => Err(QuantityError::Needs("word")),
        }
    }

    fn number(&self) -> Result<u64, QuantityError> {
        match self {
            Given::Number(number) => {
                number.to_u64().ok_or_else(|| QuantityError::OutOfRange { number: number.clone() })
            }
            _ => Err(QuantityError::Needs("number")),
        }
    }
}

impl Sample {
    /// The network itself, by rule.
    pub fn network(&self) -> Result<&dyn Network, QuantityError> {
        let network = self.built.network.as_deref();
        network.ok_or_else(|| QuantityError::NoIds { spec: self.spec.clone() })
    }
}

/// How a function finds a quantity.
type Find = fn(&Lab<'_>, &[Given]) -> Result<Value, QuantityError>;

impl Quantity {
    const fn new(
        name: &'static str,
        takes: &'static [Takes],
        find: Find,
        about: &'static str,
    ) -> Self {
        Quantity { name, takes, about, command: "", source: Source::Function(find) }
    }

    const fn shown_by(self, command: &'static str) -> Self {
        Quantity { command, ..self }
    }
}

/// The quantity of that name.
pub fn find(name: &str) -> Option<&'static Quantity> {
    QUANTITIES.iter().find(|quantity| quantity.name == name)
}

/// The quantity that may have been meant.
pub fn closest(name: &str) -> Option<&'static str> {
    /// A longer word is no slip of the pen, and takes long to compare.
    const MAX_WORD: usize = 40;
    let names = QUANTITIES.iter().map(|quantity| quantity.name);
    (name.len() <= MAX_WORD).then(|| crate::family::closest(name, names))?
}

/// All quantities.
pub static QUANTITIES: LazyLock<Vec<Quantity>> = LazyLock::new(|| {
    let keys = MEASURES.iter().flat_map(|measure| {
        measure.keys.iter().map(|key| Quantity {
            name: key,
            takes: &[Takes::Network],
            about: measure.about,
            command: "nestnet measure '{0}' --only {name}",
            source: Source::Key(key),
        })
    });
    let others = [shape::ROWS, routes::ROWS, programs::ROWS].concat();
    keys.chain(others).collect()
});

use Takes::{Network as N, Node as V, Number as I, Word as W};

/// A router as it is asked for elsewhere; a word has no brackets, so that `hop_plane_nearest` is `hop_plane(nearest)`.
pub(super) fn spelled(word: &str) -> Cow<'_, str> {
    match word.strip_prefix("hop_plane_") {
        Some(choice) => format!("hop_plane({choice})").into(),
        None => word.into(),
    }
}
