//! A routing as a text prescribes it: the whole way of one message from where it starts, also where it does not
//! arrive, passes its target on the way, or must know where it came from.

use super::{Header, Hop, Router, Vc};
use nestnet_graph::{Network, Node, Port};
use std::fmt::Debug;
use std::sync::Arc;

/// How the route of a message ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ending {
    /// At its target.
    Arrives,
    /// Where it started: the text never moves it.
    Stays,
    /// Where the text goes on from another node than the one that has the message.
    NotForwarded,
    /// The text comes to no end.
    Endless,
    /// Where the text names a node that it does not define.
    Undefined,
}

impl Ending {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Ending::Arrives => "arrives",
            Ending::Stays => "stays",
            Ending::NotForwarded => "not forwarded",
            Ending::Endless => "endless",
            Ending::Undefined => "undefined",
        }
    }
}

/// The route of one message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// Where it was, from the source on; every two of them are linked.
    pub nodes: Vec<Node>,
    /// How that ends.
    pub ending: Ending,
}

impl Trace {
    /// A way that arrives.
    pub fn arrives(nodes: Vec<Node>) -> Self {
        Trace { nodes, ending: Ending::Arrives }
    }
}

/// What a text says of the route of a message. Unlike a [`Router`] it sees the whole of it at once.
pub trait Procedure: Debug + Send + Sync {
    /// The way; `None` where there is none.
    fn trace(&self, from: Node, to: Node) -> Option<Trace>;

    /// No way has more hops.
    fn longest(&self) -> u64 {
        u64::MAX
    }

    /// Whether no way meets a node twice, nor its target before the end.
    fn is_simple(&self) -> bool;
}

/// A procedure as a router: a message carries where it started and, where it may meet a node twice, how far it came.
/// It is taken up where it first meets its target.
#[derive(Debug)]
pub struct Followed {
    network: Arc<dyn Network>,
    procedure: Arc<dyn Procedure>,
}

/// The state of a way that is not simple holds the number of its hops below these bits, and the source above.
const HOPS: u32 = 16;

impl Followed {
    /// `None` where one header cannot hold the source and the hops.
    pub fn new(network: Arc<dyn Network>, procedure: Arc<dyn Procedure>) -> Option<Self> {
        let fits = procedure.is_simple()
            || (network.order() >> (u64::BITS - HOPS) == 0 && procedure.longest() < 1 << HOPS);
        fits.then_some(Followed { network, procedure })
    }
}

/// A router as a procedure: a text that runs as it is printed.
#[derive(Debug)]
pub struct Walked {
    network: Arc<dyn Network>,
    router: Arc<dyn Router>,
}

impl Walked {
    /// Both must be of the same network.
    pub fn new(network: Arc<dyn Network>, router: Arc<dyn Router>) -> Self {
        Walked { network, router }
    }
}

impl Procedure for Walked {
    fn trace(&self, from: Node, to: Node) -> Option<Trace> {
        let most = self.router.longest();
        let route = super::walk(&*self.network, &*self.router, from, to, 0, most).ok()?;
        Some(Trace::arrives(route.nodes))
    }

    fn longest(&self) -> u64 {
        self.router.longest()
    }

    fn is_simple(&self) -> bool {
        false
    }
}

/// The port of `at` that leads to `to`.
pub(crate) fn port_toward(network: &dyn Network, at: Node, to: Node) -> Option<Port> {
    let mut found = None;
    network.for_each_neighbor(at, &mut |port, next| {
        if next == to && found.is_none() {
            found = Some(port);
        }
    });
    found
}

impl Router for Followed {
    fn vcs(&self) -> u16 {
        1
    }

    fn start(&self, from: Node, to: Node, _choice: u64) -> Header {
        let state = if self.procedure.is_simple() { from.0 } else { from.0 << HOPS };
        Header { to, state }
    }

    fn next(&self, at: Node, header: Header) -> Option<Hop> {
        if at == header.to {
            return None;
        }
        let simple = self.procedure.is_simple();
        let from = Node(if simple { header.state } else { header.state >> HOPS });
        let nodes = self.procedure.trace(from, header.to)?.nodes;
        let hops = match simple {
            true => nodes.iter().rposition(|&node| node == at)?,
            false => usize::try_from(header.state & ((1 << HOPS) - 1)).ok()?,
        };
        let next = *nodes.get(hops + 1)?;
        let port = port_toward(&*self.network, at, next)?;
        let state = if simple { header.state } else { header.state + 1 };
        Some(Hop { port, vc: Vc(0), header: Header { state, ..header } })
    }

    fn whole(&self, from: Node, to: Node) -> Option<Vec<Node>> {
        let mut nodes = self.procedure.trace(from, to)?.nodes;
        let arrives = nodes.iter().position(|&node| node == to)?;
        nodes.truncate(arrives + 1);
        Some(nodes)
    }

    fn longest(&self) -> u64 {
        self.procedure.longest()
    }

    fn remembers(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::route::walk;
    use nestnet_graph::Csr;

    /// On a path, first to node 0 and then to the target.
    #[derive(Debug)]
    struct OverZero;

    impl Procedure for OverZero {
        fn trace(&self, from: Node, to: Node) -> Option<Trace> {
            let down = (0..=from.0).rev();
            Some(Trace::arrives(down.chain(1..=to.0).map(Node).collect()))
        }

        fn longest(&self) -> u64 {
            6
        }

        fn is_simple(&self) -> bool {
            false
        }
    }

    /// An ending is called what it is.
    #[test]
    fn endings_have_names() {
        for (ending, words) in [
            (Ending::Arrives, "arrives"),
            (Ending::Stays, "stays"),
            (Ending::NotForwarded, "not forwarded"),
            (Ending::Endless, "endless"),
            (Ending::Undefined, "undefined"),
        ] {
            assert_eq!(ending.words(), words);
            assert_eq!(format!("{ending:?}").to_lowercase(), words.replace(' ', ""));
        }
    }

    #[test]
    fn a_message_knows_how_far_it_came() {
        let path = Csr::from_links(4, &[(0, 1), (1, 2), (2, 3)], 1 << 20).unwrap();
        let path: Arc<dyn Network> = Arc::new(path);
        let router = Followed::new(path.clone(), Arc::new(OverZero)).unwrap();
        let route = |from, to| walk(&*path, &router, Node(from), Node(to), 0, 10).unwrap().nodes;
        assert_eq!(route(1, 2), [1, 0, 1, 2].map(Node));
        // It is taken up where it first meets its target, although the text goes on.
        assert_eq!(route(3, 1), [3, 2, 1].map(Node));
        assert_eq!(OverZero.trace(Node(3), Node(1)).unwrap().nodes.len(), 5);
        for (from, to) in (0..4).flat_map(|from| (0..4).map(move |to| (from, to))) {
            assert_eq!(router.whole(Node(from), Node(to)), Some(route(from, to)), "{from} to {to}");
        }
    }
}
