//! graph6: a small graph on one line, as nauty, Sage and the House of Graphs have it.
//!
//! The number of nodes, then the upper triangle of the matrix column by column, six bits a character. A file may have
//! many graphs; the first is read.

use super::mark::Mark;
use super::reading::Reading;
use super::writing::{Found, Writing};
use super::{Format, ReadError, Says, WriteError};
use std::io::Write;

/// The row of this format.
pub(super) const FORMAT: Format = Format {
    name: "graph6",
    title: "graph6: nauty, Sage, NetworkX",
    extensions: &["g6", "graph6"],
    says: Says { width: false, ..Says::LINKS },
    streams: true,
    write: Some(write),
    read: Some(read),
    sniff: |text| text.starts_with(HEADER),
};

const HEADER: &[u8] = b">>graph6<<";

/// Limit: nodes of a graph6 file: a larger one takes hundreds of megabytes.
const MAX_ORDER: u64 = 1 << 16;

fn write(writing: &Writing<'_>, output: &mut dyn Write) -> Result<(), WriteError> {
    let writing = writing.plain().simple();
    let order = writing.nodes();
    if order > MAX_ORDER {
        return Err(WriteError::TooMany {
            format: "graph6",
            what: "nodes",
            count: order,
            most: MAX_ORDER,
        });
    }
    let mut bits = Bits::default();
    put_order(&mut bits.out, order);
    let mut found = Found::default();
    for at in 0..order {
        writing.budget.watch.check_each(at)?;
        writing.find(at, &mut found);
        let mut before =
            found.links.iter().map(|link| link.to).take_while(|&to| to < at).peekable();
        for to in 0..at {
            bits.push(before.next_if_eq(&to).is_some());
        }
        bits.flush(output)?;
    }
    bits.end(false);
    bits.out.push(b'\n');
    output.write_all(&bits.out)?;
    Ok(output.flush()?)
}

/// Bits on their way into characters.
#[derive(Default)]
pub(super) struct Bits {
    pub out: Vec<u8>,
    six: u8,
    count: u8,
}

impl Bits {
    pub fn push(&mut self, bit: bool) {
        self.six = self.six << 1 | u8::from(bit);
        self.count += 1;
        if self.count == 6 {
            self.out.push(self.six + 63);
            (self.six, self.count) = (0, 0);
        }
    }

    /// The last `width` bits of a number, the highest first.
    pub fn number(&mut self, value: u64, width: u32) {
        (0..width).rev().for_each(|bit| self.push(value >> bit & 1 == 1));
    }

    /// How many bits are missing in the last character.
    pub fn missing(&self) -> u32 {
        u32::from((6 - self.count) % 6)
    }

    /// Fills the last character.
    pub fn end(&mut self, with: bool) {
        while self.count > 0 {
            self.push(with);
        }
    }

    /// Writes what is complete.
    pub fn flush(&mut self, output: &mut dyn Write) -> std::io::Result<()> {
        if self.out.len() >= 1 << 15 {
            output.write_all(&self.out)?;
            self.out.clear();
        }
        Ok(())
    }
}

/// The number of nodes.
pub(super) fn put_order(out: &mut Vec<u8>, order: u64) {
    let (mark, sixes): (&[u8], u32) = match order {
        0..=62 => (b"", 1),
        63..=258_047 => (b"~", 3),
        _ => (b"~~", 6),
    };
    out.extend(mark);
    let six = |place: u32| u8::try_from(order >> (6 * place) & 63).unwrap_or(0) + 63;
    out.extend((0..sixes).rev().map(six));
}

/// Sixes of bits of one line.
pub(super) struct Sixes<'a> {
    pub text: &'a [u8],
    pub at: usize,
    end: usize,
}

impl<'a> Sixes<'a> {
    /// The first line after a header.
    pub fn new(text: &'a [u8], header: &[u8]) -> Self {
        let at = if text.starts_with(header) { header.len() } else { 0 };
        let end = text[at..].iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        Sixes { text, at, end: end.map_or(text.len(), |length| at + length) }
    }

    /// How many characters are left.
    pub fn left(&self) -> usize {
        self.end - self.at
    }

    pub fn next(&mut self, expected: &'static str) -> Result<u8, ReadError> {
        if self.at >= self.end {
            return Err(ReadError::Ends { at: Mark::of(self.text, self.end), expected });
        }
        let byte = self.text[self.at];
        let six = byte.checked_sub(63).filter(|&six| six < 64);
        let six = six
            .ok_or_else(|| ReadError::expected(self.text, self.at, 1, "a character from ? to ~"))?;
        self.at += 1;
        Ok(six)
    }

    /// The number of nodes.
    pub fn order(&mut self) -> Result<u64, ReadError> {
        let start = self.at;
        let expected = "the number of nodes";
        let mut digits = 1;
        for longer in [3, 6] {
            if self.left() > 0 && self.text[self.at] == b'~' {
                self.at += 1;
                digits = longer;
            }
        }
        let mut order = 0;
        for _ in 0..digits {
            order = order << 6 | u64::from(self.next(expected)?);
        }
        if order > 1 << 32 {
            let at = Mark::of(self.text, start);
            let text = order.to_string();
            return Err(ReadError::TooLarge { at, what: expected, text, most: 1 << 32 });
        }
        Ok(order)
    }
}

/// Reads the first graph of a file.
pub fn read(text: &[u8]) -> Result<Reading, ReadError> {
    let mut sixes = Sixes::new(text, HEADER);
    let order = sixes.order()?;
    if order == 0 {
        return Err(ReadError::Empty { expected: "a line of graph6" });
    }
    let bits = u128::from(order) * u128::from(order - 1) / 2;
    let (said, left) = (bits.div_ceil(6), sixes.left() as u128);
    if said != left {
        let at = Mark::of(text, sixes.at);
        let (said, found) = (u64::try_from(said).unwrap_or(u64::MAX), sixes.left() as u64);
        return Err(ReadError::Count { at, what: "characters of links", said, found });
    }
    let mut links = Vec::new();
    let (mut six, mut left) = (0, 0);
    // As many characters as there are have a bit for every pair.
    for to in 1..u32::try_from(order).unwrap_or(u32::MAX) {
        for from in 0..to {
            if left == 0 {
                six = sixes.next("a character of links")?;
                left = 6;
            }
            left -= 1;
            if six >> left & 1 == 1 {
                links.push((from, to));
            }
        }
    }
    Ok(Reading { nodes: order, links, ..Reading::default() })
}
