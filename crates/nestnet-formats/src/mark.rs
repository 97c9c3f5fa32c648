//! Where in a text does something stand?

use std::fmt;

/// A place in a text, both from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The line.
    pub line: u64,
    /// The column, in characters.
    pub column: usize,
}

impl Mark {
    /// The place of a byte of a text; only asked when something is wrong, since it counts all lines before.
    pub fn of(text: &[u8], byte: usize) -> Self {
        let before = &text[..byte.min(text.len())];
        let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let line = before.iter().filter(|&&byte| byte == b'\n').count() as u64 + 1;
        let column = String::from_utf8_lossy(&before[start..]).chars().count() + 1;
        Mark { line, column }
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// A piece of a text for a message: not too long, and nothing that a terminal would obey.
pub(super) fn shown(bytes: &[u8]) -> String {
    let start = &bytes[..bytes.len().min(200)];
    String::from_utf8_lossy(start).chars().take(40).map(nestnet_graph::sanitize::visible).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_counted_in_characters() {
        let text = "ab\né x\n".as_bytes();
        let at = |byte| Mark::of(text, byte).to_string();
        assert_eq!(at(0), "line 1, column 1");
        assert_eq!(at(6), "line 2, column 3");
        assert_eq!(at(99), "line 3, column 1");
    }
}
