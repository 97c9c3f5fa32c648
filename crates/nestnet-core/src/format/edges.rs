//! Edge lists: one link a line, `u v`, nodes from 0.

use crate::{Network, Node};
use std::io::{self, BufRead, Write};
use thiserror::Error;

/// Why a text is not an edge list.
#[derive(Debug, Error)]
pub enum EdgesError {
    /// The line is not two node numbers.
    #[error("line {line}: expected two node numbers `u v`, found `{text}`")]
    Malformed {
        /// 1-based.
        line: usize,
        /// What stands there.
        text: String,
    },
    /// A link from a node to itself.
    #[error("line {line}: node {node} cannot be linked to itself")]
    Loop {
        /// 1-based.
        line: usize,
        /// Both ends.
        node: u32,
    },
    /// There is no link at all.
    #[error("no links: expected lines `u v`")]
    Empty,
    /// It could not be read.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Reads links; blank lines and lines that begin with `#` are passed over.
///
/// A link may be given in both directions or more than once; it stays one link.
pub fn read(input: impl BufRead) -> Result<Vec<(u32, u32)>, EdgesError> {
    let mut links = Vec::new();
    for (number, line) in (1..).zip(input.lines()) {
        let line = line?;
        let text = line.trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        let mut words = text.split_ascii_whitespace().map(str::parse::<u32>);
        match (words.next(), words.next(), words.next()) {
            (Some(Ok(u)), Some(Ok(v)), None) if u != v => links.push((u, v)),
            (Some(Ok(node)), Some(Ok(_)), None) => {
                return Err(EdgesError::Loop { line: number, node });
            }
            _ => {
                let text = text.chars().take(60).collect();
                return Err(EdgesError::Malformed { line: number, text });
            }
        }
    }
    if links.is_empty() {
        return Err(EdgesError::Empty);
    }
    Ok(links)
}

/// Writes every link once, `u v` with u < v, ascending; needs the memory of one node's neighbors.
///
/// `go_on` is asked now and then with the next node; when it says no, writing ends early and `false` comes back.
pub fn write(
    network: &dyn Network,
    mut output: impl Write,
    mut go_on: impl FnMut(Node) -> bool,
) -> io::Result<bool> {
    const PAUSE: u64 = 1 << 14;
    let mut buffer = Vec::with_capacity(1 << 16);
    let mut later = Vec::new();
    let mut digits = itoa::Buffer::new();
    for at in (0..network.order()).map(Node) {
        if at.0 % PAUSE == 0 && !go_on(at) {
            return Ok(false);
        }
        later.clear();
        network.for_each_neighbor(at, &mut |_, to| {
            if to > at {
                later.push(to);
            }
        });
        later.sort_unstable();
        // The same start for every link of the node.
        let from = digits.format(at.0).as_bytes();
        for to in &later {
            buffer.extend_from_slice(from);
            buffer.push(b' ');
            buffer.extend_from_slice(itoa::Buffer::new().format(to.0).as_bytes());
            buffer.push(b'\n');
            if buffer.len() >= 1 << 15 {
                output.write_all(&buffer)?;
                buffer.clear();
            }
        }
    }
    output.write_all(&buffer)?;
    output.flush()?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Csr;

    #[test]
    fn writes_what_it_reads() {
        let text = "# a triangle\n1 0\n\n0 2\n2 1\n1 2\n";
        let csr = Csr::from_links(3, &read(text.as_bytes()).unwrap(), 1 << 20).unwrap();
        let mut out = Vec::new();
        assert!(write(&csr, &mut out, |_| true).unwrap());
        assert_eq!(String::from_utf8(out).unwrap(), "0 1\n0 2\n1 2\n");
    }

    #[test]
    fn names_the_bad_line() {
        let error = |text: &str| read(text.as_bytes()).unwrap_err().to_string();
        assert_eq!(error("0 1\n0 x\n"), "line 2: expected two node numbers `u v`, found `0 x`");
        assert_eq!(error("3 3\n"), "line 1: node 3 cannot be linked to itself");
        assert_eq!(error("0 1 2\n"), "line 1: expected two node numbers `u v`, found `0 1 2`");
        assert_eq!(error("# nothing\n"), "no links: expected lines `u v`");
    }
}
