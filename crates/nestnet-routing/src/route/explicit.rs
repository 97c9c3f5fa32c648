//! A router that follows routes which are given, each for its pair: tables of others, or of a file.

use super::deadlock::Route;
use super::{Header, Hop, Router};
use crate::Vc;
use nestnet_graph::{Network, Node, Port};
use std::collections::HashMap;
use thiserror::Error;

/// Routes by their ends.
#[derive(Debug)]
pub struct ExplicitRoutes {
    /// Where the routes of each pair begin in `hops`; several are choices.
    starts: HashMap<(Node, Node), Vec<u32>>,
    /// The hops of all routes, one after the other, each with the node that it leaves.
    hops: Vec<(Node, Port, Vc)>,
    vcs: u16,
    choices: u64,
    longest: u64,
}

/// Why routes are none of a network.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ExplicitRoutesError {
    /// A hop that no link has.
    #[error("line {line}: there is no link from node {from} to node {to}")]
    NoLink {
        /// The line of the route.
        line: u64,
        /// Where the hop begins.
        from: Node,
        /// Where it ends.
        to: Node,
    },
    /// More than can be counted here.
    #[error("more than 2^32 hops")]
    TooMany,
}

impl ExplicitRoutes {
    /// The router of those routes. O(hops · degree).
    pub fn new(network: &dyn Network, routes: &[Route]) -> Result<Self, ExplicitRoutesError> {
        let mut given = ExplicitRoutes {
            starts: HashMap::new(),
            hops: Vec::new(),
            vcs: 1,
            choices: 1,
            longest: 0,
        };
        for Route { line, nodes, vcs } in routes {
            let start =
                u32::try_from(given.hops.len()).map_err(|_| ExplicitRoutesError::TooMany)?;
            for (hop, &vc) in nodes.windows(2).zip(vcs) {
                let (from, to) = (hop[0], hop[1]);
                let mut found = None;
                if from.0 < network.order() {
                    network.for_each_neighbor(from, &mut |port, next| {
                        found = found.or((next == to).then_some(port));
                    });
                }
                let no_link = ExplicitRoutesError::NoLink { line: *line, from, to };
                given.hops.push((from, found.ok_or(no_link)?, vc));
                given.vcs = given.vcs.max(vc.0.saturating_add(1));
            }
            if let (Some(&from), Some(&to)) = (nodes.first(), nodes.last()) {
                let choices = given.starts.entry((from, to)).or_default();
                choices.push(start);
                given.choices = given.choices.max(choices.len() as u64);
                given.longest = given.longest.max(nodes.len() as u64 - 1);
            }
        }
        Ok(given)
    }
}

/// The state of a message that has no route.
const NONE: u64 = u64::MAX;

impl Router for ExplicitRoutes {
    fn vcs(&self) -> u16 {
        self.vcs
    }

    fn choices(&self) -> u64 {
        self.choices
    }

    fn start(&self, from: Node, to: Node, choice: u64) -> Header {
        let starts = self.starts.get(&(from, to)).map_or(&[][..], Vec::as_slice);
        // Pairs that have fewer choices have them again.
        let index = usize::try_from(choice).unwrap_or(0).checked_rem(starts.len());
        Header { to, state: index.map_or(NONE, |index| starts[index].into()) }
    }

    fn next(&self, at: Node, header: Header) -> Option<Hop> {
        if at == header.to {
            return None;
        }
        let state = usize::try_from(header.state).ok()?;
        let &(_, port, vc) = self.hops.get(state).filter(|(from, ..)| *from == at)?;
        Some(Hop { port, vc, header: Header { state: header.state + 1, ..header } })
    }

    fn longest(&self) -> u64 {
        self.longest
    }

    fn remembers(&self) -> bool {
        true
    }
}
