//! What may a schedule do in a step?

use serde::Serialize;

/// How much a node can do in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Ports {
    /// It sends at most one message and receives at most one.
    One,
    /// One message each way over every link.
    All,
}

impl Ports {
    /// In one word.
    pub fn name(self) -> &'static str {
        match self {
            Ports::One => "one",
            Ports::All => "all",
        }
    }
}

/// What becomes of a transfer that brings nothing new.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeats {
    /// It is a violation.
    Forbidden,
    /// It is counted.
    Allowed,
}

/// What is allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Model {
    /// How much a node can do in a step.
    pub ports: Ports,
    /// What becomes of a transfer that brings nothing new.
    pub repeats: Repeats,
}
