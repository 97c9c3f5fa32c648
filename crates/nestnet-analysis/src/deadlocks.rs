//! Whether messages of a router can deadlock, with a certificate that was checked again.

use nestnet_graph::{Budget, How, Network, Node, Port, fields};
use nestnet_routing::Router;
use nestnet_routing::route::assign::{AssignError, assign};
use nestnet_routing::route::deadlock::{
    Certificate, Channel, CheckError, Deadlock, DeadlockError, Dependency, certify, check,
};
use nestnet_routing::route::{Vc, VcLimited};
use nestnet_topologies::build::{Context, build_with};
use nestnet_topologies::family::Built;
use nestnet_topologies::family::hosts::base_of;
use serde::{Serialize, Serializer};
use std::sync::Arc;
use thiserror::Error;

/// Where virtual channels come from when routes are read from a file.
pub const FROM_FILE: &str = "file";

/// A verdict that was checked, and where the virtual channels come from.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Certified {
    /// The network.
    pub network: Arc<dyn Network>,
    /// The router by its name.
    pub router: String,
    /// `own`, `folded`, `escape`, [`FROM_FILE`] or how they were assigned.
    pub map: String,
    /// The verdict.
    pub certificate: Certificate,
    /// How the certificate was checked.
    pub checked: How,
}

/// Of more hosts, routes are followed between their switches where these share them.
const MOST_HOSTS: u64 = 512;

/// The switches of a network of many hosts, where the hosts of a switch take its routes under this router: their channels
/// are those of the switches and those of links to hosts, at which no message waits for another in the network. None
/// where each host has routes of its own.
pub fn switches_of(built: &Built, name: &str, budget: &Budget<'_>) -> Option<Built> {
    let (base, _) = base_of(built.spec())?;
    let many = built.network.as_ref().is_some_and(|network| network.hosts() > MOST_HOSTS);
    let context = Context { budget: *budget, ..Context::ALONE };
    let switches =
        many.then(|| build_with(&base, &base.to_string(), &context)).transpose().ok()??;
    let inner = name.strip_suffix(')').and_then(|name| name.split_once('('));
    let shared = match inner {
        Some(("ugal" | "valiant", inner)) => switches.rule_names().contains(&inner),
        Some(_) => false,
        None => name == "ugal" || name == "valiant" || switches.rule_names().contains(&name),
    };
    shared.then_some(switches)
}

/// One virtual channel of a link, in one direction.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename = "Channel")]
#[non_exhaustive]
pub struct Place {
    /// The node that sends over it.
    pub node: Node,
    /// The node at its other end; none where the port is empty.
    pub to: Option<Node>,
    /// Its port at `node`.
    pub port: Port,
    /// Its virtual channel.
    pub vc: Vc,
}

/// A channel of a cycle, and the message that holds it.
#[derive(Clone, Copy, Debug, Serialize)]
struct Waiting {
    /// Where it begins.
    node: Node,
    /// Where it ends.
    to: Option<Node>,
    /// The link, by its port where it begins.
    port: Port,
    /// The virtual channel of that link.
    vc: Vc,
    /// The message that holds it.
    message: Message,
}

/// A message; a route of a file is known by its line.
#[derive(Clone, Copy, Debug, Serialize)]
struct Message {
    /// Where it starts.
    from: Node,
    /// Where it goes.
    to: Node,
    /// The line of its route in the file, where routes are from one.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    /// The choice of the router with which it starts.
    #[serde(skip_serializing_if = "Option::is_none")]
    choice: Option<u64>,
}

/// Why there is no verdict.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum CertifyError {
    /// Routes that cannot be followed.
    #[error(transparent)]
    Deadlock(#[from] DeadlockError),
    /// No virtual channels are found.
    #[error(transparent)]
    Assign(#[from] AssignError),
    /// More are needed than are allowed.
    #[error("vcs {vcs}: {needed} virtual channels are the fewest found for `{router}`")]
    TooFew {
        /// As many are allowed.
        vcs: u16,
        /// As many are found.
        needed: u16,
        /// The router.
        router: String,
    },
    /// A fault of this program.
    #[error("the certificate does not pass its check: {0}")]
    Check(CheckError),
}

impl Certified {
    /// A certificate that its own check has passed.
    pub fn checked(
        network: &Arc<dyn Network>,
        (router, name): (&dyn Router, &str),
        map: String,
        certificate: Certificate,
        budget: &Budget<'_>,
    ) -> Result<Self, CertifyError> {
        let checked = check(&**network, router, &certificate, budget);
        let checked = checked.map_err(CertifyError::Check)?;
        Ok(Certified::new(network.clone(), name.to_owned(), map, certificate, checked))
    }

    /// A verdict by its parts.
    pub fn new(
        network: Arc<dyn Network>,
        router: String,
        map: String,
        certificate: Certificate,
        checked: How,
    ) -> Self {
        Certified { network, router, map, certificate, checked }
    }

    /// A channel with its other end.
    pub fn place(&self, channel: &Channel) -> Place {
        let Channel { node, port, vc } = *channel;
        Place { node, to: self.network.neighbor(node, port), port, vc }
    }

    /// The dependencies of the cycle, if there is one.
    pub fn cycle(&self) -> &[Dependency] {
        match &self.certificate.verdict {
            Deadlock::Free { .. } => &[],
            Deadlock::Cycle(cycle) => cycle,
        }
    }

    /// The order of channels that every route follows, if there is one.
    pub fn order(&self) -> Vec<Place> {
        match &self.certificate.verdict {
            Deadlock::Free { order } => order.iter().map(|channel| self.place(channel)).collect(),
            Deadlock::Cycle(_) => Vec::new(),
        }
    }
}

impl Serialize for Certified {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.fields(Some(self.order()), serializer)
    }
}

/// The same without the order, which has every channel.
#[derive(Clone, Copy, Debug)]
pub struct WithoutOrder<'a>(pub &'a Certified);

impl Serialize for WithoutOrder<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.fields(None, serializer)
    }
}

nestnet_graph::written_as!(WithoutOrder<'_>: Certified);

impl Certified {
    fn fields<S: Serializer>(
        &self,
        order: Option<Vec<Place>>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let certificate = &self.certificate;
        let of_file = self.map == FROM_FILE;
        let cycle = self.cycle().iter().map(|Dependency { channel, message, .. }| {
            let Place { node, to, port, vc } = self.place(channel);
            let (line, choice) = (of_file.then_some(message.choice), Some(message.choice));
            let choice = choice.filter(|_| !of_file);
            let message = Message { from: message.from, to: message.to, line, choice };
            Waiting { node, to, port, vc, message }
        });
        fields!(
            serializer,
            "DeadlockReport",
            router = self.router,
            /// `free` or `cycle`.
            verdict: &str = if certificate.is_free() { "free" } else { "cycle" },
            vcs = self.certificate.vcs,
            /// Where the virtual channels come from: `own`, `folded`, `escape`, `file` or how they were assigned.
            map = self.map,
            pairs = self.certificate.pairs,
            channels = self.certificate.channels,
            dependencies = self.certificate.dependencies,
            /// The dependency cycle; empty where there is none.
            cycle: Vec<Waiting> = cycle.collect(),
            how = self.certificate.how,
            /// Whether the certificate was checked apart from the search; what fails its check is not shown.
            checked: bool = true,
            /// An order of the channels in which every message takes them, where it is asked for; empty where
            /// there is a cycle.
            [order]: Vec<Place> = order,
        )
    }
}

/// The router with at most `vcs` virtual channels, and where these come from.
pub fn limited(router: Arc<dyn Router>, vcs: Option<u16>) -> (Arc<dyn Router>, &'static str) {
    match vcs {
        Some(vcs) if vcs < router.vcs() => (Arc::new(VcLimited::new(router, vcs)), "folded"),
        _ if router.escape().is_some() => (router, "escape"),
        _ => (router, "own"),
    }
}

/// The verdict on a router with at most `vcs` virtual channels.
pub fn certified(
    network: &Arc<dyn Network>,
    (router, name): (Arc<dyn Router>, &str),
    vcs: Option<u16>,
    budget: &Budget<'_>,
) -> Result<Certified, CertifyError> {
    let (router, map) = limited(router, vcs);
    let certificate = certify(&**network, &*router, budget)?;
    Certified::checked(network, (&*router, name), map.to_owned(), certificate, budget)
}

/// The same routes on virtual channels that are free of deadlock, at most `vcs` of them.
pub fn assigned(
    network: &Arc<dyn Network>,
    (router, name): (&Arc<dyn Router>, &str),
    vcs: Option<u16>,
    budget: &Budget<'_>,
) -> Result<Certified, CertifyError> {
    let found = assign(network, router, budget)?;
    let needed = found.certificate.vcs;
    if let Some(vcs) = vcs.filter(|&vcs| vcs < needed) {
        return Err(CertifyError::TooFew { vcs, needed, router: name.to_owned() });
    }
    let map = found.how.to_string();
    Certified::checked(network, (&*found.router, name), map, found.certificate, budget)
}
