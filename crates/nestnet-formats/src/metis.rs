//! METIS: the neighbors of each node on a line, counted from 1, as METIS, KaHIP, NetworKit and DIMACS have it.

use super::lines::{Line, check_text, lines};
use super::mark::Mark;
use super::reading::{MAX_NODE, Reading, Remark, number_at};
use super::writing::{Writing, put};
use super::{Format, ReadError, Says, WriteError};
use std::io::Write;

/// The row of this format.
pub(super) const FORMAT: Format = Format {
    name: "metis",
    title: "METIS: METIS, KaHIP, NetworKit",
    extensions: &["metis", "graph"],
    says: Says { width: false, ..Says::LINKS },
    streams: true,
    write: Some(write),
    read: Some(read),
    sniff: |_| false,
};

fn write(writing: &Writing<'_>, output: &mut dyn Write) -> Result<(), WriteError> {
    let writing = writing.plain().unleveled().simple();
    let title: String = writing.title.chars().map(nestnet_graph::sanitize::visible).collect();
    writeln!(output, "% {title}\n{} {}", writing.nodes(), writing.count_links()?)?;
    writing.each_node(output, &|_, found, out| {
        for (i, link) in found.links.iter().enumerate() {
            put!(out, if i > 0 { " " } else { "" }, link.to + 1);
        }
        put!(out, "\n");
    })?;
    Ok(output.flush()?)
}

/// Reads nodes and links; weights and sizes are passed over.
pub fn read(text: &[u8]) -> Result<Reading, ReadError> {
    check_text(text, "a METIS file")?;
    let mut rows = lines(text).filter(|line| line.bytes.first() != Some(&b'%'));
    let head = rows.find(|line| line.words().next().is_some());
    let head =
        head.ok_or(ReadError::Empty { expected: "a line with the numbers of nodes and links" })?;
    let Head { nodes, said, skipped, weighted } = Head::read(text, head)?;
    let mut reading = Reading { nodes, ..Reading::default() };
    if skipped > 0 || weighted {
        reading.remark(Remark::PassedOver("weights"));
    }
    let mut ends = 0u64;
    for at in 0..nodes {
        let Some(line) = rows.next() else {
            // Lines without neighbors may be missing at the end.
            if ends == 2 * said {
                break;
            }
            let end = Mark::of(text, text.len());
            return Err(ReadError::Count {
                at: end,
                what: "lines of nodes",
                said: nodes,
                found: at,
            });
        };
        let mut words = line.words().skip(skipped);
        while let Some(word) = words.next() {
            let to = number_at(text, word.at, word.bytes, "a neighbor", nodes)?;
            if to == 0 {
                return Err(ReadError::expected(text, word.at, 1, "a neighbor, counted from 1"));
            }
            let to = to - 1;
            if to == at {
                return Err(ReadError::Loop {
                    at: Mark::of(text, word.at),
                    node: (at + 1).to_string(),
                });
            }
            ends += 1;
            if weighted {
                let weight = words.next();
                weight.ok_or_else(|| {
                    ReadError::expected(text, line.end(), 0, "the weight of a link")
                })?;
            }
            // Each link depends on both lines; one that only the larger has is found at the end.
            if at < to {
                let end = |node: u64| u32::try_from(node).unwrap_or(u32::MAX);
                reading.links.push((end(at), end(to)));
            }
        }
    }
    if let Some(line) = rows.find(|line| line.words().next().is_some()) {
        return Err(ReadError::expected(text, line.at, 20, "the end of the file"));
    }
    if ends != 2 * said || reading.links.len() as u64 != said {
        let found = reading.links.len() as u64;
        let at = Mark::of(text, text.len());
        let found = if found == said { ends.div_ceil(2) } else { found };
        return Err(ReadError::Count {
            at,
            what: "links, each on the lines of both ends",
            said,
            found,
        });
    }
    Ok(reading)
}

/// What the first line says.
struct Head {
    nodes: u64,
    said: u64,
    /// How many words of a line come before its neighbors.
    skipped: usize,
    /// Whether a weight follows each neighbor.
    weighted: bool,
}

impl Head {
    fn read(text: &[u8], line: Line<'_>) -> Result<Self, ReadError> {
        let mut words = line.words();
        let mut number = |what: &'static str, most: u64| match words.next() {
            Some(word) => number_at(text, word.at, word.bytes, what, most),
            None => Err(ReadError::expected(text, line.end(), 0, what)),
        };
        let nodes = number("the number of nodes", MAX_NODE)?;
        let said = number("the number of links", u64::MAX >> 1)?;
        let mut rest = line.words().skip(2);
        let Some(format) = rest.next() else {
            return Ok(Head { nodes, said, skipped: 0, weighted: false });
        };
        if format.bytes.len() > 3 || !format.bytes.iter().all(|byte| matches!(byte, b'0' | b'1')) {
            let expected = "which weights there are, such as 001 or 11";
            return Err(ReadError::expected(text, format.at, format.bytes.len(), expected));
        }
        let flag = |place: usize| {
            let index = format.bytes.len().checked_sub(place + 1);
            index.is_some_and(|index| format.bytes[index] == b'1')
        };
        let weights = match rest.next() {
            Some(word) => {
                number_at(text, word.at, word.bytes, "how many weights a node has", 1 << 10)?
            }
            None => 1,
        };
        let weights = if flag(1) { usize::try_from(weights).unwrap_or(1) } else { 0 };
        Ok(Head { nodes, said, skipped: weights + usize::from(flag(2)), weighted: flag(0) })
    }
}
