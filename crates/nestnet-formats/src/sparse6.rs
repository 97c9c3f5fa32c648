//! sparse6: a graph on one line, link by link, as nauty and Sage have it.
//!
//! A colon, the number of nodes, then for each link by its larger end a bit that says whether to go on to the next node,
//! and the smaller end.

use super::graph6::{Bits, Sixes, put_order};
use super::mark::Mark;
use super::reading::Reading;
use super::writing::{Found, Writing};
use super::{Format, ReadError, Says, WriteError};
use std::io::Write;

/// The row of this format.
pub(super) const FORMAT: Format = Format {
    name: "sparse6",
    title: "sparse6: nauty, Sage, NetworkX",
    extensions: &["s6", "sparse6"],
    says: Says::LINKS,
    streams: true,
    write: Some(write),
    read: Some(read),
    sniff: |text| text.starts_with(HEADER) || text.starts_with(b":"),
};

const HEADER: &[u8] = b">>sparse6<<";

/// Bits of the number of any node.
fn width(order: u64) -> u32 {
    u64::BITS - order.saturating_sub(1).leading_zeros()
}

fn write(writing: &Writing<'_>, output: &mut dyn Write) -> Result<(), WriteError> {
    let writing = writing.plain();
    let order = writing.nodes();
    let most = 1 << 32;
    if order > most {
        return Err(WriteError::TooMany { format: "sparse6", what: "nodes", count: order, most });
    }
    let width = width(order);
    let mut bits = Bits::default();
    bits.out.push(b':');
    put_order(&mut bits.out, order);
    let mut found = Found::default();
    let mut current = 0;
    for at in 0..order {
        if at % (1 << 12) == 0 {
            writing.budget.check()?;
            (writing.budget.watch.progress)(at as f64 / order as f64);
        }
        writing.find(at, &mut found);
        for to in found.links.iter().map(|link| link.to).take_while(|&to| to < at) {
            if at > current + 1 {
                bits.push(true);
                bits.number(at, width);
                bits.push(false);
            } else {
                bits.push(at == current + 1);
            }
            current = at;
            bits.number(to, width);
        }
        bits.flush(output)?;
    }
    // Ones that fill the last character could be read as one more link; a zero before them prevents that.
    let could_be_link = width < 6 && order == 1 << width && bits.missing() > width;
    if could_be_link && current + 2 == order {
        bits.push(false);
    }
    bits.end(true);
    bits.out.push(b'\n');
    output.write_all(&bits.out)?;
    Ok(output.flush()?)
}

/// Reads the first graph of a file.
pub fn read(text: &[u8]) -> Result<Reading, ReadError> {
    let mut sixes = Sixes::new(text, HEADER);
    if sixes.left() == 0 || text[sixes.at] != b':' {
        return Err(ReadError::expected(text, sixes.at, 1, "a colon, with which sparse6 begins"));
    }
    sixes.at += 1;
    let order = sixes.order()?;
    if order == 0 {
        return Err(ReadError::Empty { expected: "a line of sparse6" });
    }
    let width = width(order);
    let mut reading = Reading { nodes: order, ..Reading::default() };
    let mut current = 0u64;
    let (mut have, mut held) = (0u32, 0u64);
    loop {
        // A bit and a number; what does not fill them is the end.
        while have < width + 1 && sixes.left() > 0 {
            held = held << 6 | u64::from(sixes.next("a character of links")?);
            have += 6;
        }
        if have < width + 1 {
            break;
        }
        have -= width + 1;
        let taken = held >> have;
        held &= (1 << have) - 1;
        let (step, to) = (taken >> width & 1, taken & ((1 << width) - 1));
        current += step;
        // What fills the last character names no node.
        if to >= order || current >= order {
            break;
        }
        if to > current {
            current = to;
        } else if to == current {
            let at = Mark::of(text, sixes.at);
            return Err(ReadError::Loop { at, node: to.to_string() });
        } else {
            let end = |node: u64| u32::try_from(node).unwrap_or(u32::MAX);
            reading.links.push((end(to), end(current)));
        }
    }
    Ok(reading)
}
