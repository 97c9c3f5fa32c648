//! Matrix Market: the adjacency matrix, one entry a line, counted from 1, as SciPy and the SuiteSparse collection have it.

use super::lines::{check_text, lines};
use super::mark::Mark;
use super::reading::{MAX_NODE, Reading, Remark, number_at};
use super::writing::{Writing, put};
use super::{Format, ReadError, Says, WriteError};
use std::io::Write;

/// The row of this format.
pub(super) const FORMAT: Format = Format {
    name: "mtx",
    title: "Matrix Market: SciPy, SuiteSparse, Julia",
    extensions: &["mtx", "mm"],
    says: Says { width: false, ..Says::LINKS },
    streams: true,
    write: Some(write),
    read: Some(read),
    sniff: |text| text.starts_with(HEADER),
};

const HEADER: &[u8] = b"%%MatrixMarket";

fn write(writing: &Writing<'_>, output: &mut dyn Write) -> Result<(), WriteError> {
    let writing = writing.plain().unleveled().simple();
    let (nodes, links) = (writing.nodes(), writing.count_links()?);
    let title: String = writing.title.chars().map(nestnet_graph::sanitize::visible).collect();
    write!(
        output,
        "%%MatrixMarket matrix coordinate pattern symmetric\n% {title}\n{nodes} {nodes} {links}\n"
    )?;
    writing.each_node(output, &|at, found, out| {
        for link in found.links.iter().take_while(|link| link.to < at) {
            put!(out, at + 1, " ", link.to + 1, "\n");
        }
    })?;
    Ok(output.flush()?)
}

/// Reads where the entries of a square matrix stand; their values are passed over.
pub fn read(text: &[u8]) -> Result<Reading, ReadError> {
    check_text(text, "a Matrix Market file")?;
    let mut rows = lines(text);
    let head = rows.next().ok_or(ReadError::Empty { expected: "a line %%MatrixMarket" })?;
    let words: Vec<_> = head.words().collect();
    let word = |index: usize| words.get(index).map_or(&b""[..], |word| word.bytes);
    let refused = |index: usize, what, why| {
        let at = Mark::of(text, words.get(index).map_or(head.end(), |word| word.at));
        ReadError::Refused { at, what, why }
    };
    if !word(0).eq_ignore_ascii_case(HEADER) {
        return Err(ReadError::expected(text, 0, 20, "%%MatrixMarket"));
    }
    if !word(1).eq_ignore_ascii_case(b"matrix") {
        return Err(refused(1, "this", "it is not a matrix"));
    }
    if !word(2).eq_ignore_ascii_case(b"coordinate") {
        return Err(refused(
            2,
            "a matrix with all entries",
            "only `coordinate` says where links are",
        ));
    }
    let directed = word(4).eq_ignore_ascii_case(b"general");
    let mut rows =
        rows.filter(|line| line.bytes.first() != Some(&b'%') && line.words().next().is_some());
    let size = rows.next();
    let size =
        size.ok_or_else(|| ReadError::expected(text, text.len(), 0, "the size of the matrix"))?;
    let mut numbers = size.words();
    let mut number = |what: &'static str, most: u64| match numbers.next() {
        Some(word) => number_at(text, word.at, word.bytes, what, most),
        None => Err(ReadError::expected(text, size.end(), 0, what)),
    };
    let nodes = number("the number of rows", MAX_NODE)?;
    let columns = number("the number of columns", MAX_NODE)?;
    let said = number("the number of entries", u64::MAX)?;
    if nodes != columns {
        let at = Mark::of(text, size.at);
        let why = "rows and columns are the same nodes";
        return Err(ReadError::Refused { at, what: "a matrix that is not square", why });
    }
    if nodes == 0 {
        return Err(ReadError::Empty { expected: "a matrix with at least one row" });
    }
    let mut reading = Reading { nodes, ..Reading::default() };
    if !word(3).eq_ignore_ascii_case(b"pattern") {
        reading.remark(Remark::PassedOver("values"));
    }
    let mut found = 0u64;
    for line in rows {
        let mut words = line.words();
        let mut end = |what: &'static str| {
            let Some(word) = words.next() else {
                return Err(ReadError::expected(text, line.end(), 0, what));
            };
            let number = number_at(text, word.at, word.bytes, what, nodes)?;
            let node = number.checked_sub(1).and_then(|node| u32::try_from(node).ok());
            let node = node.ok_or_else(|| {
                ReadError::expected(text, word.at, word.bytes.len(), "a number from 1 on")
            })?;
            Ok((word.at, node))
        };
        let ((_, from), (at, to)) = (end("a row")?, end("a column")?);
        if from == to {
            let at = Mark::of(text, at);
            return Err(ReadError::Loop { at, node: (from + 1).to_string() });
        }
        found += 1;
        reading.links.push((from, to));
    }
    if found != said {
        let at = Mark::of(text, text.len());
        return Err(ReadError::Count { at, what: "entries", said, found });
    }
    if directed && !is_symmetric(&reading.links) {
        reading.remark(Remark::Directed);
    }
    Ok(reading)
}

/// Whether every entry of a whole matrix has its mirror image.
fn is_symmetric(links: &[(u32, u32)]) -> bool {
    let mut sorted: Vec<(u32, u32)> = links.iter().map(|&(a, b)| (a.min(b), a.max(b))).collect();
    sorted.sort_unstable();
    let (pairs, rest) = sorted.as_chunks::<2>();
    rest.is_empty() && pairs.iter().all(|pair| pair[0] == pair[1])
}
