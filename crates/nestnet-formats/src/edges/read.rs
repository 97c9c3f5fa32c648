//! Which links does a text list, and what are its nodes called?

use super::tokens::{Word, Words};
pub use crate::mark::Mark;
use nestnet_graph::named::Names;
use std::io::{self, BufRead, Read};
use thiserror::Error;

/// Why a text is not an edge list.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum EdgesError {
    /// One node alone.
    #[error("{at}: expected two nodes `u v`, found one")]
    Alone {
        /// Where the second is missing.
        at: Mark,
    },
    /// More than a link and its weight.
    #[error("{at}: expected `u v` and at most one column more, found a fourth")]
    TooMany {
        /// The fourth.
        at: Mark,
    },
    /// A word where the first link has numbers.
    #[error("{at}: expected a node number as in the first link, found `{text}`")]
    NotANumber {
        /// Where it stands.
        at: Mark,
        /// What is written there.
        text: String,
    },
    /// A number that no node has.
    #[error("{at}: node numbers are whole and from 0 on, not {text}")]
    NotANode {
        /// Where it stands.
        at: Mark,
        /// What is written there.
        text: String,
    },
    /// More nodes than can be stored.
    #[error("{at}: node number {text} is too large, the largest is {}", u32::MAX)]
    TooLarge {
        /// Where it stands.
        at: Mark,
        /// What is written there.
        text: String,
    },
    /// More names than can be stored.
    #[error("{at}: more than {} names", u32::MAX)]
    TooManyNames {
        /// The first that is too many.
        at: Mark,
    },
    /// A link from a node to itself.
    #[error("{at}: node {node} cannot be linked to itself")]
    Loop {
        /// The second end.
        at: Mark,
        /// Both ends.
        node: String,
    },
    /// Bytes that no text has.
    #[error("{at}: byte 0x{byte:02x}: a binary file, not an edge list")]
    Binary {
        /// Where it stands.
        at: Mark,
        /// What is written there.
        byte: u8,
    },
    /// A line that no edge list has.
    #[error("line {line} has more than {MAX_LINE} bytes: not an edge list")]
    Long {
        /// From 1.
        line: u64,
    },
    /// A text of another format.
    #[error("{format}, not an edge list")]
    Other {
        /// The name of the format.
        format: &'static str,
    },
    /// There is no link at all.
    #[error("no links: expected lines `u v`")]
    Empty,
    /// It could not be read.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// What an edge list says.
#[derive(Debug)]
#[non_exhaustive]
pub struct EdgeList {
    /// Its links, nodes from 0, in the order of the text and as often as there.
    pub links: Vec<(u32, u32)>,
    /// How its nodes are called.
    pub labels: Labels,
    /// Whether a third column, such as weights, was passed over.
    pub extra_column: bool,
    /// Whether the first line was passed over, because it names the columns.
    pub header: bool,
}

/// How the nodes of an edge list are called.
#[derive(Debug)]
pub enum Labels {
    /// By their numbers.
    Numbers,
    /// By names, numbered in the order in which they appear.
    Names(Names),
}

/// Limit: bytes of a line of an edge list: more than any two names and attributes, and little enough to keep.
const MAX_LINE: u64 = 1 << 16;

/// How the columns of a table of links are called, in lower case.
const HEADERS: [[&str; 2]; 8] = [
    ["source", "target"],
    ["from", "to"],
    ["src", "dst"],
    ["u", "v"],
    ["node1", "node2"],
    ["fromnodeid", "tonodeid"],
    ["head", "tail"],
    ["i", "j"],
];

/// Reads links, line by line: two nodes with spaces, tabs, commas or semicolons between them.
///
/// - Blank lines and comments (`#`, `%`, `//`) are passed over, also behind a link; so are a byte order mark, the names of
///   the columns, and a third column, which may be a weight or attributes in braces.
/// - Where the first link has a word that is no number, nodes are called by name all through; `"a b"` is one name.
/// - A link may be given in both directions or more than once.
///
/// O(bytes), without an allocation for a line or a node that is known.
pub fn read(mut input: impl BufRead) -> Result<EdgeList, EdgesError> {
    let mut list =
        EdgeList { links: Vec::new(), labels: Labels::Numbers, extra_column: false, header: false };
    let mut line = Vec::new();
    let mut number = 0;
    loop {
        let (bytes, lines) = list.plain(input.fill_buf()?);
        input.consume(bytes);
        number += lines + 1;
        line.clear();
        let length = input.by_ref().take(MAX_LINE + 1).read_until(b'\n', &mut line)?;
        if length == 0 {
            break;
        }
        let at = Line { number, bytes: &line };
        at.check()?;
        if number == 1 && line.starts_with(b"%%MatrixMarket") {
            return Err(EdgesError::Other { format: "a Matrix Market file" });
        }
        list.line(&at, number == 1)?;
    }
    if list.links.is_empty() {
        return Err(EdgesError::Empty);
    }
    Ok(list)
}

impl EdgeList {
    /// Takes the lines `u v` with which a text begins, as nearly all lines are; gives how many bytes and lines they have.
    /// What is not as plain as that, or wrong, is left to [`EdgeList::line`].
    fn plain(&mut self, text: &[u8]) -> (usize, u64) {
        let (mut taken, mut lines) = (0, 0);
        if matches!(self.labels, Labels::Names(_)) {
            return (taken, lines);
        }
        while let Some((a, rest)) = leading_number(&text[taken..])
            && let [b' ' | b'\t' | b',', rest @ ..] = rest
            && let Some((b, [b'\n', rest @ ..])) = leading_number(rest)
            && a != b
        {
            self.links.push((a, b));
            taken = text.len() - rest.len();
            lines += 1;
        }
        (taken, lines)
    }

    fn line(&mut self, line: &Line<'_>, first: bool) -> Result<(), EdgesError> {
        let mark = if first && line.bytes.starts_with(BYTE_ORDER_MARK) { 3 } else { 0 };
        let mut words = Words::new(&line.bytes[mark..]).map(|w| Word { at: w.at + mark, ..w });
        let Some(from) = words.next() else { return Ok(()) };
        let Some(to) = words.next() else {
            let at = line.mark(from.at + from.bytes.len());
            return Err(EdgesError::Alone { at });
        };
        let third = words.next();
        if let Some(fourth) = words.next() {
            return Err(EdgesError::TooMany { at: line.mark(fourth.at) });
        }
        if self.links.is_empty() && !(is_number(from.bytes) && is_number(to.bytes)) {
            let is_header = |names: [&str; 2]| {
                let same =
                    |word: &Word<'_>, name: &str| word.bytes.eq_ignore_ascii_case(name.as_bytes());
                same(&from, names[0]) && same(&to, names[1])
            };
            if !self.header && HEADERS.into_iter().any(is_header) {
                self.header = true;
                return Ok(());
            }
            self.labels = Labels::Names(Names::default());
        }
        let (a, b) = (self.node(line, from)?, self.node(line, to)?);
        if a == b {
            let node = printed(from.bytes);
            return Err(EdgesError::Loop { at: line.mark(to.at), node });
        }
        // Attributes that are empty say nothing.
        self.extra_column |= third.is_some_and(|word| word.bytes != b"{}");
        self.links.push((a, b));
        Ok(())
    }

    fn node(&mut self, line: &Line<'_>, word: Word<'_>) -> Result<u32, EdgesError> {
        let at = || line.mark(word.at);
        match &mut self.labels {
            Labels::Numbers => number(word.bytes).ok_or_else(|| {
                let (at, text) = (at(), printed(word.bytes));
                match word.bytes {
                    bytes if bytes.iter().all(u8::is_ascii_digit) => {
                        EdgesError::TooLarge { at, text }
                    }
                    bytes if is_number(bytes) => EdgesError::NotANode { at, text },
                    _ => EdgesError::NotANumber { at, text },
                }
            }),
            Labels::Names(names) => {
                let name = std::str::from_utf8(word.bytes).map_err(|error| {
                    let byte = word.at + error.valid_up_to();
                    EdgesError::Binary { at: line.mark(byte), byte: line.bytes[byte] }
                })?;
                // What moves the cursor has no place in a name.
                if let Some((offset, _)) = name.char_indices().find(|(_, c)| c.is_control()) {
                    let byte = line.bytes[word.at + offset];
                    return Err(EdgesError::Binary { at: line.mark(word.at + offset), byte });
                }
                names.id(name).ok_or_else(|| EdgesError::TooManyNames { at: at() })
            }
        }
    }
}

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A line and its number.
struct Line<'a> {
    number: u64,
    bytes: &'a [u8],
}

impl Line<'_> {
    /// Whether it can be a line of text at all.
    fn check(&self) -> Result<(), EdgesError> {
        let is_binary = |&byte: &u8| byte < 0x20 && !matches!(byte, b'\t' | b'\n' | 0xc | b'\r');
        if let Some(index) = self.bytes.iter().position(is_binary) {
            return Err(EdgesError::Binary { at: self.mark(index), byte: self.bytes[index] });
        }
        if self.bytes.len() as u64 > MAX_LINE {
            return Err(EdgesError::Long { line: self.number });
        }
        Ok(())
    }

    /// The place of a byte.
    fn mark(&self, byte: usize) -> Mark {
        let before = &self.bytes[..byte.min(self.bytes.len())];
        let before = before.strip_prefix(BYTE_ORDER_MARK).unwrap_or(before);
        Mark { line: self.number, column: String::from_utf8_lossy(before).chars().count() + 1 }
    }
}

/// The number of a node.
fn number(bytes: &[u8]) -> Option<u32> {
    let mut value = 0u32;
    for byte in bytes {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        value = value.checked_mul(10)?.checked_add(digit.into())?;
    }
    (!bytes.is_empty()).then_some(value)
}

/// The number of a node with which a text begins, and what follows it.
fn leading_number(text: &[u8]) -> Option<(u32, &[u8])> {
    /// So many digits fit into a number, whichever they are.
    const SAFE: usize = 9;
    let mut value = 0u32;
    for (length, byte) in text.iter().take(SAFE + 1).enumerate() {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return (length > 0).then_some((value, &text[length..]));
        }
        if length < SAFE {
            value = 10 * value + u32::from(digit);
        }
    }
    None
}

/// Whether a word is a number, also one that no node has.
fn is_number(bytes: &[u8]) -> bool {
    let starts = matches!(bytes, [b'0'..=b'9', ..] | [b'-' | b'+' | b'.', b'0'..=b'9', ..]);
    starts && std::str::from_utf8(bytes).is_ok_and(|text| text.parse::<f64>().is_ok())
}

/// A word for a message.
fn printed(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).chars().take(40).map(nestnet_graph::sanitize::visible).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn links(text: &str) -> Vec<(u32, u32)> {
        read(text.as_bytes()).unwrap().links
    }

    fn error(text: impl AsRef<[u8]>) -> String {
        read(text.as_ref()).unwrap_err().to_string()
    }

    #[test]
    fn lists_of_every_kind_are_read() {
        for text in [
            "0 1\n1 2\n",
            "0 1\n1 2",
            "\u{feff}0 1\n1 2\n",
            "0 1\r\n1 2\r\n",
            "0,1\n1, 2\n",
            "0;1\n1\t2\n",
            "  0   1  \n\n\t1 2 # the end\n",
            "0 1 % first\n1 2 // second\n# none\n% none\n// none\n",
            "0 1 0.5\n1 2 -3e4\n",
            "0 1 {}\n1 2 {'weight': 3, 'name': 'a b'}\n",
            "source,target,weight\n0,1,1\n1,2,1\n",
            "\"0\",\"1\"\n\"1\",\"2\"\n",
        ] {
            assert_eq!(links(text), [(0, 1), (1, 2)], "{text:?}");
            assert!(matches!(read(text.as_bytes()).unwrap().labels, Labels::Numbers), "{text:?}");
        }
    }

    #[test]
    fn what_was_passed_over_is_said() {
        let said = |text: &str| {
            let list = read(text.as_bytes()).unwrap();
            (list.extra_column, list.header)
        };
        assert_eq!(said("0 1\n"), (false, false));
        assert_eq!(said("0 1 {}\n"), (false, false));
        assert_eq!(said("0 1\n1 2 7\n"), (true, false));
        assert_eq!(said("0 1 {'a': 1}\n"), (true, false));
        assert_eq!(said("From;To\n0;1\n"), (false, true));
    }

    #[test]
    fn names_are_numbered_as_they_appear() {
        let list = read("alice bob\nbob 3\n3 \"New York\"\nalice 3\n".as_bytes()).unwrap();
        assert_eq!(list.links, [(0, 1), (1, 2), (2, 3), (0, 2)]);
        let Labels::Names(names) = list.labels else { panic!("names are names") };
        let all: Vec<&str> = (0..4).filter_map(|id| names.name(id)).collect();
        assert_eq!(all, ["alice", "bob", "3", "New York"]);
    }

    #[test]
    fn faults_are_named_with_their_place() {
        for (text, expected) in [
            (
                "0 1\n1 two\n",
                "line 2, column 3: expected a node number as in the first link, found `two`",
            ),
            ("3 3\n", "line 1, column 3: node 3 cannot be linked to itself"),
            ("é é\n", "line 1, column 3: node é cannot be linked to itself"),
            (
                "0 1 2 3\n",
                "line 1, column 7: expected `u v` and at most one column more, found a fourth",
            ),
            ("0 1\n 2\n", "line 2, column 3: expected two nodes `u v`, found one"),
            ("# nothing\n", "no links: expected lines `u v`"),
            ("source target\n", "no links: expected lines `u v`"),
            ("", "no links: expected lines `u v`"),
            ("0 -1\n", "line 1, column 3: node numbers are whole and from 0 on, not -1"),
            ("1.5 0\n", "line 1, column 1: node numbers are whole and from 0 on, not 1.5"),
            (
                "0 99999999999999999999999\n",
                "line 1, column 3: node number 99999999999999999999999 is too large, the largest is 4294967295",
            ),
            (
                "0 4294967296\n",
                "line 1, column 3: node number 4294967296 is too large, the largest is 4294967295",
            ),
            ("a b\nc \u{9b}31m\n", "line 2, column 3: byte 0xc2: a binary file, not an edge list"),
            ("0 1\n0 \u{1b}[31m\n", "line 2, column 3: byte 0x1b: a binary file, not an edge list"),
            ("%%MatrixMarket matrix\n3 3 2\n1 2\n", "a Matrix Market file, not an edge list"),
        ] {
            assert_eq!(error(text), expected, "{text:?}");
        }
        assert_eq!(
            error(b"\x7fELF\x02\x01"),
            "line 1, column 5: byte 0x02: a binary file, not an edge list"
        );
        assert_eq!(
            error(b"a \xff\n"),
            "line 1, column 3: byte 0xff: a binary file, not an edge list"
        );
        let long = vec![b' '; 100_000];
        assert_eq!(error(long), "line 1 has more than 65536 bytes: not an edge list");
    }

    /// Plain lines are read by a method of their own: it must be the same method.
    #[test]
    fn plain_lines_and_others_may_alternate() {
        let text = "0 1\n1\t2\r\n# none\n2,3\n 3 4\n4 5 7\n999999999 5\n1000000000 6\n6 7";
        let expected =
            [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (999_999_999, 5), (1_000_000_000, 6), (6, 7)];
        for size in [1, 2, 3, 5, 8, 64] {
            let list = read(io::BufReader::with_capacity(size, text.as_bytes())).unwrap();
            assert_eq!(list.links, expected, "{size}");
            assert!(list.extra_column);
        }
        assert_eq!(error("0 1\n1 2\n7 7\n"), "line 3, column 3: node 7 cannot be linked to itself");
        assert_eq!(
            error("0 1\n\n1 2\n2 x\n"),
            "line 4, column 3: expected a node number as in the first link, found `x`"
        );
    }

    #[test]
    fn the_largest_number_is_one() {
        assert_eq!(links("0 4294967295\n"), [(0, u32::MAX)]);
    }
}
