//! Formulas of the ledger: arithmetic over parameters and over quantities that are measured.
//!
//! `2^k * diameter({base}) + 2^(k+1) - 2`: names are parameters, `^` is a power, and a quantity such as `diameter` takes
//! a spec. Inside the arguments of a quantity, `{…}` is replaced by the value of what it encloses, so that
//! `rdn(hypercube({n-1}), 1)` is a spec for every `n`.
//!
//! A formula comes from a file that anybody may have written: it is at most [`MAX_LENGTH`] long, and what is read nests
//! at most [`MAX_DEPTH`] deep, so that whoever walks it may recurse. Long sums and products do not nest.

use super::quantity::Quantity;
use super::value::Rational;
use nestnet_graph::radix::MAX_BITS;
use thiserror::Error;

/// Limit: brackets, powers and arguments within each other in a formula: the parser calls itself for each.
pub const MAX_DEPTH: usize = 100;

/// Limit: bytes of a formula.
pub const MAX_LENGTH: usize = 100_000;

/// A formula.
#[derive(Clone, Debug)]
pub enum Expression {
    /// A number as it is written.
    Number(Rational),
    /// A text in quotation marks.
    Text(Template),
    /// A parameter.
    Name(String),
    /// The negative.
    Minus(Box<Expression>),
    /// A formula, and what is joined to it from left to right.
    Joined(Box<Expression>, Vec<(Operator, Expression)>),
    /// A function of arithmetic.
    Call(Function, Vec<Expression>),
    /// A quantity to measure, with its arguments.
    Measure(&'static Quantity, Vec<Template>),
    /// A formula over all values of a name.
    Over(Fold, String, Box<[Expression; 3]>),
}

/// A text with formulas in `{…}`.
#[derive(Clone, Debug)]
pub struct Template {
    pub(super) pieces: Vec<Piece>,
}

/// A part of a template.
#[derive(Clone, Debug)]
pub(super) enum Piece {
    Text(String),
    Formula(Expression),
}

/// What joins two formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Operator {
    Plus,
    Minus,
    Times,
    Over,
    Power,
    Equal,
    Unequal,
    AtMost,
    Below,
    AtLeast,
    Above,
    And,
}

/// A function of arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Function {
    Floor,
    Ceil,
    Round,
    Abs,
    Min,
    Max,
    Mod,
    Log2,
    Log,
    Sqrt,
    Factorial,
    Binomial,
    If,
}

/// How the values over a range become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Fold {
    Sum,
    Product,
    Largest,
    Smallest,
    All,
}

/// Why a text is no formula.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{text}`, at {at}: {fault}")]
pub struct ExpressionError {
    /// The text, or where it is long what stands around the fault.
    pub text: String,
    /// The letter at fault, from 1.
    pub at: usize,
    /// What is wrong there.
    pub fault: ExpressionFault,
}

/// What is wrong with a formula.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ExpressionFault {
    /// Something else is expected there.
    #[error("expected {0}")]
    Expected(&'static str),
    /// The formula is over before this.
    #[error("unexpected `{0}`")]
    Unexpected(char),
    /// A quantity or function without an end.
    #[error("the bracket is not closed")]
    OpenBracket,
    /// A quotation without an end.
    #[error("the text has no end")]
    OpenText,
    /// A place to fill in without an end.
    #[error("a `{{` is not closed")]
    OpenBrace,
    /// Digits and points that make no number.
    #[error("`{0}` is no number")]
    NoNumber(String),
    /// More digits than anything here computes with.
    #[error("the number has more than {MAX_BITS} bits")]
    LongNumber,
    /// Too few or too many arguments.
    #[error("`{name}` takes {takes} arguments, not {found}")]
    Arguments {
        /// The quantity or function.
        name: String,
        /// How many it takes.
        takes: usize,
        /// How many there are.
        found: usize,
    },
    /// A sum or another fold without its four parts.
    #[error("`{name}` takes a name, two ends and a formula")]
    Fold {
        /// `sum`, `product`, `largest`, `smallest` or `all`.
        name: String,
    },
    /// There is no such quantity.
    #[error("no quantity `{name}`{}", near.map(|near| format!(": did you mean `{near}`?")).unwrap_or_default())]
    NoQuantity {
        /// What was asked for.
        name: String,
        /// What may have been meant.
        near: Option<&'static str>,
    },
    /// It would take a stack as deep to walk.
    #[error("nested more than {MAX_DEPTH} deep")]
    TooDeep,
    /// The formula is longer than any is.
    #[error("a formula has at most {MAX_LENGTH} letters, not {0}")]
    TooLong(usize),
}
