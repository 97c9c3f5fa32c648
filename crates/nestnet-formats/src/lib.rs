//! File formats, one a file; readers over bytes and writers over `impl Write` only.
//!
//! [`FORMATS`] is the one table of the formats of networks. What a format cannot say of a network is a [`Loss`], which
//! whoever writes is informed beforehand. Routing tables have formats of their own.

mod adjlist;
mod anynet;
mod caminos;
mod clusters;
mod collect;
pub mod costs;
mod dot;
pub mod edges;
mod error;
mod garnet;
mod gexf;
mod gml;
mod graph6;
mod graphml;
mod ibsim;
pub mod infiniband;
mod infragraph;
mod lines;
mod loss;
mod mark;
mod metis;
mod mtx;
mod ned;
mod node_link;
mod ns3;
mod pajek;
mod ports;
pub mod reading;
mod simgrid;
mod slurm;
mod sparse6;
mod sst_macro;
pub mod tables;
#[cfg(test)]
mod tests;
pub mod writing;
mod xml;

pub use clusters::Clusters;
pub use costs::Costs;
pub use error::{ReadError, WriteError};
pub use loss::{Loss, Says};
pub use mark::Mark;
pub use reading::{Reading, Remark, StoreError};
pub use writing::Writing;

use std::io::Write;

/// A file format of networks.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// What it is asked for by.
    pub name: &'static str,
    /// What it is, and who reads it.
    pub title: &'static str,
    /// How names of such files end, the usual one first.
    pub extensions: &'static [&'static str],
    /// What it can say.
    pub says: Says,
    /// Whether it is written without keeping it in memory.
    pub streams: bool,
    /// Writes a network, where that is possible.
    pub write: Option<WriteRule>,
    /// Reads a file, where that is possible.
    pub read: Option<ReadRule>,
    /// Whether a file is of this format beyond doubt, by how it begins.
    pub sniff: fn(&[u8]) -> bool,
}

/// How a network is written.
pub type WriteRule = fn(&Writing<'_>, &mut dyn Write) -> Result<(), WriteError>;

/// How a file is read.
pub type ReadRule = fn(&[u8]) -> Result<Reading, ReadError>;

/// All formats, those that are read first.
pub static FORMATS: &[Format] = &[
    graphml::FORMAT,
    gml::FORMAT,
    node_link::FORMAT,
    edges::FORMAT,
    graph6::FORMAT,
    sparse6::FORMAT,
    metis::FORMAT,
    mtx::FORMAT,
    anynet::FORMAT,
    ibsim::FORMAT,
    simgrid::FORMAT,
    pajek::FORMAT,
    dot::FORMAT,
    gexf::FORMAT,
    adjlist::FORMAT,
    ns3::FORMAT,
    sst_macro::FORMAT,
    garnet::FORMAT,
    ned::FORMAT,
    caminos::FORMAT,
    slurm::FORMAT,
    slurm::CONF,
    infragraph::FORMAT,
];

/// The index of edge lists in the table: what a text is taken for that is nothing else.
const EDGES: usize = 3;

/// What people call a format besides: the tool that reads it, or another spelling.
const ALIASES: &[(&str, &str)] = &[
    ("booksim", "anynet"),
    ("booksim2", "anynet"),
    ("omnet", "ned"),
    ("omnetpp", "ned"),
    ("omnet++", "ned"),
    ("ns-3", "ns3"),
    ("smpi", "simgrid"),
    ("sst", "sst-macro"),
    ("sstmacro", "sst-macro"),
    ("gem5", "garnet"),
    ("ibnetdiscover", "ibsim"),
    ("infiniband", "ibsim"),
    ("networkx", "node-link"),
    ("node_link", "node-link"),
    ("graphviz", "dot"),
    ("gv", "dot"),
    ("gephi", "gexf"),
    ("matrix-market", "mtx"),
    ("matrixmarket", "mtx"),
    ("adjacency-list", "adjlist"),
    ("adjacency_list", "adjlist"),
    ("edge-list", "edges"),
    ("edgelist", "edges"),
];

/// The format of that name, or of another name that it is known by. Capitals do not matter.
///
/// ```
/// use nestnet_formats as format;
///
/// assert_eq!(format::find("booksim2").map(|format| format.name), Some("anynet"));
/// assert_eq!(format::find("OMNeT++").map(|format| format.name), Some("ned"));
/// assert!(format::find("opensm").is_none());
/// ```
pub fn find(name: &str) -> Option<&'static Format> {
    let name = name.to_ascii_lowercase();
    let alias = ALIASES.iter().find(|(alias, _)| *alias == name);
    let name = alias.map_or(name.as_str(), |(_, format)| format);
    FORMATS.iter().find(|format| format.name == name)
}

/// The format of a file: by how it begins where that leaves no doubt, else by how its name ends; else an edge list.
/// What it begins as may be a format that is not read, which [`read`] then refuses with what to do instead.
///
/// ```
/// use nestnet_formats as format;
///
/// assert_eq!(format::of_file("x.txt", b"%%MatrixMarket matrix").name, "mtx");
/// assert_eq!(format::of_file("x.g6", b"Bw\n").name, "graph6");
/// assert_eq!(format::of_file("x", b"0 1\n").name, "edges");
/// assert_eq!(format::of_file("x.net", b"*Vertices 3\n").name, "pajek");
/// ```
pub fn of_file(path: &str, text: &[u8]) -> &'static Format {
    let readers = || FORMATS.iter().filter(|format| format.read.is_some());
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let extension = path.rsplit_once('.').map_or("", |(_, end)| end).to_ascii_lowercase();
    let named = |format: &&Format| format.extensions.contains(&extension.as_str());
    let begins = FORMATS.iter().find(|format| (format.sniff)(text));
    begins.or_else(|| readers().find(named)).unwrap_or(&FORMATS[EDGES])
}

/// Reads a file of a format. `nodes` are all nodes of an edge list, where the last ones have no links.
pub fn read(format: &Format, text: &[u8], nodes: Option<u64>) -> Result<Reading, ReadError> {
    match format.read {
        Some(_) if format.name == FORMATS[EDGES].name => Ok(edges::read_with_nodes(text, nodes)?),
        Some(read) => read(text),
        None => Err(ReadError::NotRead { format: format.name, instead: "it is only written" }),
    }
}

/// The format in which a file of that name is written, if its end tells.
pub fn by_extension(path: &str) -> Option<&'static Format> {
    let path = path.to_ascii_lowercase();
    let ends = |end: &&str| path.strip_suffix(*end).is_some_and(|stem| stem.ends_with('.'));
    let written = FORMATS.iter().filter(|format| format.write.is_some());
    // The longest end counts: `.infragraph.json` is not `.json`.
    let ends = |format: &&'static Format| {
        let length = format.extensions.iter().filter(|end| ends(end)).map(|end| end.len()).max();
        length.map(|length| (length, *format))
    };
    written
        .filter_map(|format| ends(&format))
        .max_by_key(|(length, _)| *length)
        .map(|(_, format)| format)
}

/// Whether the beginning of a text has a word.
fn contains(text: &[u8], word: &[u8]) -> bool {
    text[..text.len().min(1 << 12)].windows(word.len()).any(|window| window == word)
}
