//! What can be wrong with a file, and with writing one?

use super::edges::EdgesError;
use super::mark::{Mark, shown};
use nestnet_graph::{Interrupted, OverBudget, kinds};
use std::io;
use thiserror::Error;

/// Why a file is not of its format.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReadError {
    /// Something else is there.
    #[error("{at}: expected {expected}, found `{found}`")]
    Expected {
        /// Where.
        at: Mark,
        /// What is expected there.
        expected: &'static str,
        /// What is written there.
        found: String,
    },
    /// The file ends too early.
    #[error("{at}: the file ends, and {expected} is missing")]
    Ends {
        /// Where it ends.
        at: Mark,
        /// What should follow.
        expected: &'static str,
    },
    /// A line ends too early.
    #[error("{at}: the line ends, and {expected} is missing")]
    LineEnds {
        /// Where it ends.
        at: Mark,
        /// What should follow.
        expected: &'static str,
    },
    /// Fewer or more than the file itself says.
    #[error("{at}: the file says {said} {what}, and has {found}")]
    Count {
        /// Where that is known.
        at: Mark,
        /// Of what.
        what: &'static str,
        /// How many it says.
        said: u64,
        /// How many there are.
        found: u64,
    },
    /// A number beyond all networks that can be stored.
    #[error("{at}: {what} {text} is too large, the largest is {most}")]
    TooLarge {
        /// Where.
        at: Mark,
        /// What it counts.
        what: &'static str,
        /// What is written there.
        text: String,
        /// The largest that is read.
        most: u64,
    },
    /// A node that the file does not have.
    #[error("{at}: there is no node `{name}` in the file")]
    NoNode {
        /// Where it is named.
        at: Mark,
        /// Its name.
        name: String,
    },
    /// A node that was there before.
    #[error("{at}: node `{name}` was there before")]
    Twice {
        /// Where it is the second time.
        at: Mark,
        /// Its name.
        name: String,
    },
    /// A link from a node to itself.
    #[error("{at}: node {node} cannot be linked to itself")]
    Loop {
        /// Where.
        at: Mark,
        /// Both ends.
        node: String,
    },
    /// Something that no network here has.
    #[error("{at}: {what} cannot be read: {why}")]
    Refused {
        /// Where.
        at: Mark,
        /// What it is.
        what: &'static str,
        /// Why not.
        why: &'static str,
    },
    /// Brackets in brackets without end.
    #[error("{at}: nested deeper than {most}")]
    TooDeep {
        /// Where it is too deep.
        at: Mark,
        /// The deepest.
        most: usize,
    },
    /// Bytes that no text has.
    #[error("{at}: byte 0x{byte:02x}: a binary file, not {format}")]
    Binary {
        /// Where.
        at: Mark,
        /// What is written there.
        byte: u8,
        /// What was expected.
        format: &'static str,
    },
    /// What the reader of the markup says.
    #[error("{at}: {why}")]
    Markup {
        /// Where.
        at: Mark,
        /// What is wrong.
        why: String,
    },
    /// There is no node at all.
    #[error("no nodes in the file: expected {expected}")]
    Empty {
        /// What a file of this format has.
        expected: &'static str,
    },
    /// There are nodes and something that could be links, and none of it is a link of this format.
    #[error("no links in the file: expected {expected}")]
    NoLinks {
        /// How links are given.
        expected: &'static str,
    },
    /// The format is only written.
    #[error("{format} is not read: {instead}")]
    NotRead {
        /// Its name.
        format: &'static str,
        /// What to do instead.
        instead: &'static str,
    },
    /// It is no edge list.
    #[error(transparent)]
    Edges(#[from] EdgesError),
}

kinds!(ReadError: Format);

impl ReadError {
    /// Something else at a byte of a text.
    pub(super) fn expected(
        text: &[u8],
        byte: usize,
        length: usize,
        expected: &'static str,
    ) -> Self {
        let at = Mark::of(text, byte);
        if byte >= text.len() {
            return ReadError::Ends { at, expected };
        }
        if matches!(text[byte], b'\n' | b'\r') {
            return ReadError::LineEnds { at, expected };
        }
        let found = shown(&text[byte..(byte + length.max(1)).min(text.len())]);
        ReadError::Expected { at, expected, found }
    }
}

/// Why a network could not be written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WriteError {
    /// Too large for the format.
    #[error("{format} cannot have {count} {what}: at most {most}")]
    TooMany {
        /// The format.
        format: &'static str,
        /// Of what.
        what: &'static str,
        /// How many there are.
        count: u64,
        /// How many there may be.
        most: u64,
    },
    /// More memory or time than there is.
    #[error(transparent)]
    Budget(#[from] OverBudget),
    /// Stopped.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
    /// It could not be written.
    #[error(transparent)]
    Io(#[from] io::Error),
}

kinds!(WriteError {
    Unsupported: TooMany;
    Io: Io;
    inner: Budget, Interrupted;
});
