//! Adjacency lists, as `nx.write_adjlist` writes them: a node and its neighbors a line.
//!
//! A link is on the line of one end or on those of both. A node without neighbors has a line of its own, so that all nodes
//! are known. Words are separated by white space; what follows `#` is a comment.

use super::lines::{lines, utf8};
use super::mark::{Mark, shown};
use super::reading::{Labels, Reading, Remark};
use super::{Format, ReadError, Says};
use nestnet_graph::named::Names;

/// The row of this format.
pub(super) const FORMAT: Format = Format {
    name: "adjlist",
    title: "Adjacency lists, a node and its neighbors a line: NetworkX",
    extensions: &["adjlist", "adj"],
    says: Says::LINKS,
    streams: false,
    write: None,
    read: Some(read),
    // Such a line could be one of an edge list.
    sniff: |_| false,
};

/// Reads nodes in the order in which they come. Those that are called 0, 1, … or 1, 2, … have these numbers.
pub fn read(text: &[u8]) -> Result<Reading, ReadError> {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let checked = utf8(text, "adjacency lists")?;
    let mut names = Names::default();
    let mut links = Vec::new();
    for line in lines(text) {
        let comment = line.bytes.iter().position(|&byte| byte == b'#');
        let end = comment.map_or(line.end(), |at| line.at + at);
        let mut from = None;
        for word in line.words().take_while(|word| word.at < end) {
            let name = &checked[word.at..(word.at + word.bytes.len()).min(end)];
            // What `nx.write_multiline_adjlist` writes: a neighbor and its attributes a line.
            if name.starts_with('{') {
                return Err(ReadError::Refused {
                    at: Mark::of(text, word.at),
                    what: "a multi-line adjacency list",
                    why: "write the neighbors of a node on its line, as nx.write_adjlist does",
                });
            }
            if name.chars().any(char::is_control) {
                let length = name.len();
                return Err(ReadError::expected(text, word.at, length, "a visible name"));
            }
            let too_many = || ReadError::Refused {
                at: Mark::of(text, word.at),
                what: "a node",
                why: "there are too many",
            };
            let to = names.id(name).ok_or_else(too_many)?;
            match from {
                None => from = Some(to),
                Some(from) if from == to => {
                    let at = Mark::of(text, word.at);
                    return Err(ReadError::Loop { at, node: shown(name.as_bytes()) });
                }
                Some(from) => links.push((from, to)),
            }
        }
    }
    if names.is_empty() {
        return Err(ReadError::Empty { expected: "lines of a node and its neighbors" });
    }
    let nodes = names.len();
    let mut reading = Reading { nodes, links, ..Reading::default() };
    match [0, 1].into_iter().find_map(|first| Some((first, numbers(&names, first)?))) {
        Some((first, numbers)) => {
            for (a, b) in &mut reading.links {
                (*a, *b) = (numbers[*a as usize], numbers[*b as usize]);
            }
            if first == 1 {
                reading.labels = Labels::FromOne;
                reading.remark(Remark::CountedFromOne);
            }
        }
        None => reading.labels = Labels::Names(names),
    }
    Ok(reading)
}

/// The number of each node from 0, where they are called `first`, `first + 1`, … in any order.
fn numbers(names: &Names, first: u32) -> Option<Vec<u32>> {
    let count = u32::try_from(names.len()).ok()?;
    let number = |id: u32| {
        let name = names.name(id)?;
        let number = name.parse::<u32>().ok().filter(|number| number.to_string() == name)?;
        number.checked_sub(first).filter(|&number| number < count)
    };
    // Names differ, so that as many numbers below the count are all of them.
    (0..count).map(number).collect()
}
