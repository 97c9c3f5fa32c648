//! What a claim can be about: the one table of quantities that the ledger measures.
//!
//! Every key of the measures is one, asked of a network; the others are here.

mod programs;
mod routes;
mod shape;

use super::{Lab, Sample, Value};
use crate::measures::MEASURES;
use nestnet_core::{Network, Node};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use std::sync::{Arc, LazyLock};

/// Something that can be measured.
#[derive(Clone, Copy, Debug)]
pub struct Quantity {
    /// Its name in formulas.
    pub name: &'static str,
    /// What it takes.
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
    /// The network.
    pub fn sample(&self) -> Result<&Sample, String> {
        match self {
            Given::Network(sample) => Ok(sample),
            _ => Err("a network is needed".to_owned()),
        }
    }

    fn node(&self) -> Result<Node, String> {
        match self {
            Given::Node(node) => Ok(*node),
            _ => Err("a node is needed".to_owned()),
        }
    }

    fn word(&self) -> Result<&str, String> {
        match self {
            Given::Word(word) => Ok(word),
            _ => Err("a word is needed".to_owned()),
        }
    }

    fn number(&self) -> Result<u64, String> {
        match self {
            Given::Number(number) => {
                number.to_u64().ok_or_else(|| format!("{number} is not allowed here"))
            }
            _ => Err("a number is needed".to_owned()),
        }
    }
}

impl Sample {
    /// The network itself.
    pub fn network(&self) -> Result<&dyn Network, String> {
        self.built.network.as_deref().ok_or_else(|| format!("{} has no node ids", self.spec))
    }
}

/// How a function finds a quantity.
type Find = fn(&Lab<'_>, &[Given]) -> Result<Value, String>;

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

/// The names of all quantities.
pub fn names() -> impl Iterator<Item = &'static str> {
    QUANTITIES.iter().map(|quantity| quantity.name)
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
