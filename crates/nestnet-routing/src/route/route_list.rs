//! Routes made by others: one a line, its nodes, then after a colon the virtual channel of every hop.
//!
//! `0 5 7 : 0 1` goes from node 0 over node 5 to node 7, on virtual channel 0 and then 1; without a colon all hops are
//! on virtual channel 0. Blank lines and what follows a `#` are passed over.

use super::deadlock::Route;
use super::hop::Vc;
use super::router::Router;
use super::walk::{WalkError, walk};
use nestnet_graph::measure::Interrupted;
use nestnet_graph::{Network, Node};
use std::io::{self, BufRead, Write};
use thiserror::Error;

/// Why a text is no list of routes.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RoutesError {
    /// Something that is no number of a node.
    #[error("line {line}: expected the number of a node, found `{text}`")]
    NoNode {
        /// 1-based.
        line: u64,
        /// What is written there.
        text: String,
    },
    /// Something that is no number of a virtual channel.
    #[error("line {line}: expected a virtual channel from 0 to {}, found `{text}`", MAX_VCS - 1)]
    NoVc {
        /// 1-based.
        line: u64,
        /// What is written there.
        text: String,
    },
    /// A route without a hop.
    #[error("line {line}: a route has at least two nodes")]
    TooShort {
        /// 1-based.
        line: u64,
    },
    /// A hop that leads nowhere.
    #[error("line {line}: a hop from node {node} to itself")]
    Loop {
        /// 1-based.
        line: u64,
        /// Both ends.
        node: Node,
    },
    /// Virtual channels for more or fewer hops.
    #[error("line {line}: {hops} hops need as many virtual channels, and there are {vcs}")]
    Uneven {
        /// 1-based.
        line: u64,
        /// Hops of the route.
        hops: usize,
        /// What stands behind the colon.
        vcs: usize,
    },
    /// There is no route at all.
    #[error("no routes: expected lines of nodes such as `0 5 7` or `0 5 7 : 0 1`")]
    Empty,
    /// It could not be read.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Limit: virtual channels of a file of routes.
pub const MAX_VCS: u16 = 1 << 12;

/// Reads routes.
///
/// ```
/// use nestnet_routing::route::route_list;
///
/// let routes = route_list::read("0 5 7 : 0 1\n7 5\n".as_bytes())?;
/// assert_eq!(routes[0].vcs.len(), 2);
/// assert_eq!(routes[1].vcs[0].0, 0);
/// # Ok::<(), route_list::RoutesError>(())
/// ```
pub fn read(input: impl BufRead) -> Result<Vec<Route>, RoutesError> {
    let mut routes = Vec::new();
    for (line, text) in (1..).zip(input.lines()) {
        let text = text?;
        let text = text.split('#').next().unwrap_or("").trim();
        if !text.is_empty() {
            routes.push(read_line(line, text)?);
        }
    }
    if routes.is_empty() {
        return Err(RoutesError::Empty);
    }
    Ok(routes)
}

fn read_line(line: u64, text: &str) -> Result<Route, RoutesError> {
    let shown = |word: &str| word.chars().take(60).collect();
    let (nodes, vcs) = match text.split_once(':') {
        Some((nodes, vcs)) => (nodes, Some(vcs)),
        None => (text, None),
    };
    let node = |word: &str| {
        let number = word.parse().ok().filter(|&number: &u64| number < 1 << 63);
        number.map(Node).ok_or_else(|| RoutesError::NoNode { line, text: shown(word) })
    };
    let vc = |word: &str| {
        let number = word.parse().ok().filter(|&number: &u16| number < MAX_VCS);
        number.map(Vc).ok_or_else(|| RoutesError::NoVc { line, text: shown(word) })
    };
    let nodes: Vec<Node> = nodes.split_whitespace().map(node).collect::<Result<_, _>>()?;
    let hops = nodes.len().checked_sub(1).filter(|&hops| hops > 0);
    let hops = hops.ok_or(RoutesError::TooShort { line })?;
    if let Some(hop) = nodes.windows(2).find(|hop| hop[0] == hop[1]) {
        return Err(RoutesError::Loop { line, node: hop[0] });
    }
    let vcs = match vcs {
        Some(vcs) => vcs.split_whitespace().map(vc).collect::<Result<Vec<Vc>, _>>()?,
        None => vec![Vc(0); hops],
    };
    if vcs.len() != hops {
        return Err(RoutesError::Uneven { line, hops, vcs: vcs.len() });
    }
    Ok(Route { line, nodes, vcs })
}

/// Why routes could not be written.
#[derive(Debug, Error)]
pub enum WriteError {
    /// The router breaks its contract.
    #[error("the message from node {from} to node {to}: {error}")]
    Walk {
        /// Where it starts.
        from: Node,
        /// Where it goes.
        to: Node,
        /// What is wrong.
        error: WalkError,
    },
    /// Stopped.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
    /// It could not be written.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Writes the routes of all ordered pairs of hosts with all choices, each given up after `most` hops. A pair without
/// a path is omitted.
pub fn write(
    network: &dyn Network,
    router: &dyn Router,
    most: u64,
    mut output: impl Write,
    mut go_on: impl FnMut(Node) -> bool,
) -> Result<(), WriteError> {
    let hosts = || (0..network.hosts()).map(Node);
    for from in hosts() {
        if !go_on(from) {
            return Err(Interrupted.into());
        }
        for to in hosts().filter(|&to| to != from) {
            for choice in 0..router.choices() {
                let route = match walk(network, router, from, to, choice, most) {
                    Ok(route) => route,
                    Err(WalkError::Ends { at }) if at == from => continue,
                    Err(error) => return Err(WriteError::Walk { from, to, error }),
                };
                let nodes: Vec<String> = route.nodes.iter().map(Node::to_string).collect();
                let vcs: Vec<String> = route.hops.iter().map(|hop| hop.vc.to_string()).collect();
                writeln!(output, "{} : {}", nodes.join(" "), vcs.join(" "))?;
            }
        }
    }
    Ok(output.flush()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::route::deadlock::links_of;
    use crate::route::{Searched, UpDownLayers};
    use nestnet_seed::samples;
    use std::sync::Arc;

    #[test]
    fn reads_what_it_writes() {
        let ring: Arc<dyn Network> = Arc::new(samples::ring(5));
        let inner = Arc::new(Searched::new(ring.clone()).unwrap());
        let router = UpDownLayers::new(ring.clone(), inner, None);
        let mut text = Vec::new();
        write(&*ring, &router, 9, &mut text, |_| true).unwrap();
        let routes = read(text.as_slice()).unwrap();
        assert_eq!(routes.len(), 20);
        assert!(routes.iter().any(|route| route.vcs.contains(&Vc(1))));
        for route in &routes {
            let (from, to) = (route.nodes[0], *route.nodes.last().unwrap());
            let walked = walk(&*ring, &router, from, to, 0, 9).unwrap();
            assert_eq!(walked.nodes, route.nodes);
            assert_eq!(walked.hops.iter().map(|hop| hop.vc).collect::<Vec<_>>(), route.vcs);
        }
        assert_eq!(links_of(&routes, 1 << 20).unwrap(), samples::ring(5));
    }

    #[test]
    fn names_the_bad_line() {
        let error = |text: &str| read(text.as_bytes()).unwrap_err().to_string();
        assert_eq!(error("0 1\n0 x\n"), "line 2: expected the number of a node, found `x`");
        assert_eq!(
            error("0 1 : 0 1 # two\n"),
            "line 1: 1 hops need as many virtual channels, and there are 2"
        );
        assert_eq!(
            error("0 1 : -1"),
            "line 1: expected a virtual channel from 0 to 4095, found `-1`"
        );
        assert_eq!(error("\n7 : \n"), "line 2: a route has at least two nodes");
        assert_eq!(error("0 1 1 2"), "line 1: a hop from node 1 to itself");
        assert!(error("# nothing\n").starts_with("no routes"));
        assert!(error("9223372036854775808 1").starts_with("line 1: expected the number"));
    }
}
