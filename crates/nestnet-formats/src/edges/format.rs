//! An edge list as one of the formats: what it cannot say, and what is read from it.

use super::{EdgesError, Labels, read, write};
use crate::reading::{self, Reading, Remark};
use crate::writing::Writing;
use crate::{Format, ReadError, Says, WriteError};
use nestnet_graph::{Interrupted, Node};
use std::io::Write;

/// The row of this format.
pub(crate) const FORMAT: Format = Format {
    name: "edges",
    title: "Edge list, one `u v` a line; also CSV and Graph Golf",
    extensions: &["edges", "edgelist", "el", "txt", "csv", "tsv"],
    says: Says { isolated: false, ..Says::LINKS },
    streams: true,
    write: Some(write_list),
    read: Some(read_list),
    sniff: |_| false,
};

fn write_list(writing: &Writing<'_>, output: &mut dyn Write) -> Result<(), WriteError> {
    let order = writing.network.order();
    let go_on = |at: Node| {
        (writing.budget.watch.progress)(at.0 as f64 / order as f64);
        writing.budget.check().is_ok()
    };
    match write(writing.network, output, go_on)? {
        true => Ok(()),
        false => Err(Interrupted.into()),
    }
}

fn read_list(text: &[u8]) -> Result<Reading, ReadError> {
    Ok(reading_of(read(text)?, None))
}

/// What an edge list says. Without node 0, a list that is not said to have one more node counts from 1.
pub fn reading_of(list: super::EdgeList, wanted: Option<u64>) -> Reading {
    let super::EdgeList { mut links, labels, extra_column, header } = list;
    let mut remarks = Vec::new();
    if header {
        remarks.push(Remark::Header);
    }
    if extra_column {
        remarks.push(Remark::ExtraColumn);
    }
    let ends = || links.iter().flat_map(|&(u, v)| [u, v]);
    let (first, last) = (ends().min().unwrap_or(0), ends().max().unwrap_or(0));
    let from_one = matches!(labels, Labels::Numbers)
        && first == 1
        && wanted.is_none_or(|nodes| nodes <= u64::from(last));
    if from_one {
        links.iter_mut().for_each(|(u, v)| (*u, *v) = (*u - 1, *v - 1));
        remarks.push(Remark::CountedFromOne);
    }
    let is_padded = matches!(labels, Labels::Numbers);
    let labels = match labels {
        Labels::Names(names) => reading::Labels::Names(names),
        Labels::Numbers if from_one => reading::Labels::FromOne,
        Labels::Numbers => reading::Labels::Numbers,
    };
    let nodes = u64::from(last) + u64::from(!from_one);
    Reading { nodes, links, labels, remarks, is_padded, ..Reading::default() }
}

/// Reads a list that may have more nodes than its links name.
pub fn read_with_nodes(text: &[u8], wanted: Option<u64>) -> Result<Reading, EdgesError> {
    Ok(reading_of(read(text)?, wanted))
}

#[cfg(test)]
mod tests {
    use super::*;
    use nestnet_graph::Budget;

    #[test]
    fn nodes_without_links_are_counted() {
        let remarks = |text: &str, nodes: Option<u64>| {
            let reading = read_with_nodes(text.as_bytes(), nodes).unwrap();
            reading.network(nodes, &Budget::default()).unwrap().1
        };
        assert_eq!(remarks("0 5\n5 9\n", None), [Remark::Padded(7)]);
        assert_eq!(
            remarks("0 1\n1 3\n", None)[0].to_string(),
            "a node below the largest number has no link"
        );
        assert_eq!(remarks("0 5\n5 9\n", Some(10)), []);
        assert_eq!(remarks("a c\nc d\n", None), []);
    }
}
