//! Edge lists: one link a line, `u v`, nodes by number from 0 or by name.

mod format;
mod read;
mod tokens;

pub(super) use format::FORMAT;
pub use format::{read_with_nodes, reading_of};
pub use read::{EdgeList, EdgesError, Labels, Mark, read};

use nestnet_graph::{Network, Node};
use std::io::{self, Write};

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
    use nestnet_graph::Csr;

    #[test]
    fn writes_what_it_reads() {
        let text = "# a triangle\n1 0\n\n0 2\n2 1\n1 2\n";
        let list = read(text.as_bytes()).unwrap();
        let csr = Csr::from_links(3, &list.links, 1 << 20).unwrap();
        let mut out = Vec::new();
        assert!(write(&csr, &mut out, |_| true).unwrap());
        assert_eq!(String::from_utf8(out).unwrap(), "0 1\n0 2\n1 2\n");
    }
}
