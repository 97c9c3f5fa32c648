//! What a router is: the next hop of a message, from where it is and what it carries, and nothing else.

use super::hop::Entry;
use super::hop::{Header, Hop, Vc};
use super::ring_digits::RingDigits;
use nestnet_graph::network::Automorphism;
use nestnet_graph::{Node, Port};
use std::fmt;
use std::sync::Arc;

/// Two legs with a node between them, each of some as likely.
#[derive(Clone, Copy, Debug)]
pub struct Through<'a> {
    /// The router of both legs, which remembers nothing.
    pub legs: &'a dyn Router,
    /// The first node that may be in the middle.
    pub first: u64,
    /// How many there are, one after the other.
    pub count: u64,
}

/// A router that messages may always fall back on, on channels that only it uses: the escape of Duato's protocol.
#[derive(Clone, Copy, Debug)]
pub struct Escape<'a> {
    /// By which a message goes on to its target from any node. It remembers nothing.
    pub router: &'a dyn Router,
    /// Its virtual channels, the lowest of a link; all others are adaptive.
    pub vcs: u16,
}

/// Which queues a choice between two routes looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueueInfo {
    /// That of the first link of each route.
    Local,
    /// The longest of all links of each route.
    Global,
}

/// Two routes of which a message takes one by the queues: the minimal one where its queue times its hops is at most that
/// of the detour plus the threshold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alternatives {
    /// What it carries on the minimal route.
    pub minimal: Header,
    /// What it carries on the minimal route where that is busy: where its queue times its hops is more than `busy`, and the
    /// detour begins with the same link or has a much shorter queue.
    pub reserved: Header,
    /// What it carries on each of the detours. Those that share the fewest links with the minimal route are compared: a
    /// detour over the link that is full does not avoid it.
    pub detours: [Header; DETOURS],
    /// Which queues are looked at.
    pub info: QueueInfo,
    /// In flits times hops.
    pub threshold: u64,
    /// In flits times hops.
    pub busy: u64,
    /// Cycles for which a message waits at this router that count as one flit times one hop of the minimal route.
    pub patience: u64,
}

/// How many detours a message has to compare.
pub const DETOURS: usize = 8;

impl Alternatives {
    /// Whether a message takes the detour, by the queue times the hops of both and the cycles for which it has waited:
    /// queues are no longer than their buffers, so that behind a link that others keep full waiting says more.
    pub fn prefers_detour(&self, minimal: u64, detour: u64, waited: u64) -> bool {
        minimal * self.patience + waited > (detour + self.threshold) * self.patience
    }

    /// Whether the queue of the minimal route is more than twice that of the detour: where all queues are as long the
    /// network is busy everywhere, and keeping channels free for detours gains nothing.
    pub fn is_uneven(&self, minimal: u64, detour: u64) -> bool {
        minimal > 2 * detour
    }
}

/// A digit of nodes, and the router of the factor that it numbers.
#[derive(Clone, Copy, Debug)]
pub struct Digit<'a> {
    /// How many values it has.
    pub side: u64,
    /// What it is multiplied by.
    pub stride: u64,
    /// The first port of its links.
    pub first_port: Port,
    /// The router of the factor, which remembers nothing.
    pub router: &'a dyn Router,
}

/// What is done with each digit.
pub type DigitVisit<'v> = &'v mut dyn FnMut(Digit<'_>);

/// Routes that follow from the numbers of nodes, so that no table of all pairs is needed. Virtual channels from
/// [`vcs`](Router::vcs) on are folded into the last.
#[derive(Clone, Copy)]
pub enum ClosedForm<'a> {
    /// The first digit that differs goes first.
    Digits(&'a dyn Fn(DigitVisit<'_>)),
    /// Two types of `n` clusters of `n` nodes each: node `(t·n + c)·n + v`, whose link between clusters leads to node `c`
    /// of cluster `v` of the other type. Inside the cluster of the target on the second set of virtual channels, before on
    /// the first.
    Clusters {
        /// Nodes of a cluster.
        n: u64,
        /// The port of the link between clusters.
        cross: Port,
        /// Virtual channels of a set.
        width: u16,
        /// The router of a cluster, which remembers nothing.
        leg: &'a dyn Router,
    },
    /// Dimension order with a state that is kept on a ring: see [`Dimensions`](super::Dimensions).
    Rings {
        /// How it goes on.
        digits: &'a Arc<RingDigits>,
        /// The port of a node in a dimension, up or down.
        port: &'a dyn Fn(Node, usize, bool) -> Option<Port>,
    },
}

/// A hop of a path: the switch of a fabric that it leaves, its port and its virtual channel.
pub type PathHop = (u32, Port, Vc);

/// Several paths for each pair of switches of a [`Fabric`](nestnet_graph::fabric::Fabric), each with a weight.
pub trait PathSet: fmt::Debug {
    /// The weights of the paths of a pair sum to this.
    fn whole(&self) -> u32;

    /// Visits the paths between two switches: the weight of each, and every hop with the switch that it leaves.
    fn for_each(&self, from: u32, to: u32, visit: &mut dyn FnMut(u32, &[PathHop]));
}

/// What is known of all routes of a router together, so that not each has to be followed. Only what is proven.
#[derive(Clone, Copy, Debug, Default)]
pub struct Structure<'a> {
    /// Where all routes go through a node that the choice names: by which router to it and from there on. The virtual
    /// channels of that router are not those of the whole route.
    pub through: Option<Through<'a>>,
    /// Where routes are weighted paths between switches: those, so that loads can be summed by pairs of switches.
    pub weighted: Option<&'a dyn PathSet>,
    /// Whether the channels between switches that all choices of a message from host to host load together depend on the
    /// first and the last switch of its first choice alone, and those at the hosts on their ports: so that messages
    /// between the same two switches load the same. The last one then depends on the first and the target alone.
    pub loads_by_switches: bool,
    /// Where its choices are all shortest paths between hosts, each as likely: a router that adapts and remembers nothing,
    /// whose hops between hosts are those of all choices.
    pub all_shortest: Option<&'a dyn Router>,
    /// Where it has one path for each pair: a router with choices that are taken where a failure is on that path. Their
    /// virtual channels are such that no dependency cycle runs through both.
    pub spare: Option<&'a dyn Router>,
}

impl Structure<'_> {
    /// What remains true on other virtual channels.
    fn on_other_vcs(self) -> Self {
        Structure { all_shortest: None, spare: None, ..self }
    }
}

/// Two routes between which the queues decide.
pub trait QueueChoice {
    /// The routes among which they decide at this node, where they do.
    fn alternatives(&self, at: Node, header: Header) -> Option<Alternatives>;
}

/// A routing without randomness and without memory of its own: what must be remembered is in the header, and what is
/// random elsewhere is a numbered choice.
///
/// # Contract
/// - Every node that is passed in is a node of its network, and every hop is one of its links.
/// - There is no hop at `to`. Elsewhere there is one, unless the network has no path.
/// - A message that follows the hops arrives.
/// - Where [`adapts`](Router::adapts) is false [`hops`](Router::hops) gives what [`next`](Router::next) does.
/// - Where [`remembers`](Router::remembers) is false the hops depend on `at` and `to` alone.
/// - Where there is an [`escape`](Router::escape), every message that has not arrived has its hop among its hops, and one
///   that took it has no others from there on.
/// - Where the [queues decide](Router::queue_choice), the hops are those of both routes.
/// - [`commutes_with`](Router::commutes_with) says only what is proven.
/// - A router that takes the routes of another one on other virtual channels gives it as [`inner`](Router::inner): what it
///   does not define itself of its routes is then what the inner one says.
pub trait Router: fmt::Debug + Send + Sync {
    /// How many virtual channels it uses on a link, at most.
    fn vcs(&self) -> u16;

    /// The router whose routes this one takes, where it changes nothing but virtual channels.
    fn inner(&self) -> Option<&dyn Router> {
        None
    }

    /// As many or more, known at once: without walking routes.
    fn vcs_at_most(&self) -> u16 {
        self.vcs()
    }

    /// How many it uses on routes from hosts to hosts, which are fewer where switches need not be reached.
    fn host_vcs(&self) -> u16 {
        self.vcs()
    }

    /// How many a link should have where nobody says, if these are more than [`host_vcs`](Router::host_vcs).
    fn usual_vcs(&self) -> u16 {
        self.host_vcs()
    }

    /// [`host_vcs`](Router::host_vcs) where they are fewer than `most`: routes are walked no longer than it takes to see
    /// that they are not.
    fn fewer_vcs_than(&self, most: u16) -> Option<u16> {
        Some(self.host_vcs()).filter(|&vcs| vcs < most)
    }

    /// How many ways it has to start.
    fn choices(&self) -> u64 {
        self.inner().map_or(1, |inner| inner.choices())
    }

    /// What a message carries when it starts; `choice` is below [`choices`](Router::choices).
    fn start(&self, from: Node, to: Node, choice: u64) -> Header {
        self.inner().map_or(Header { to, state: 0 }, |inner| inner.start(from, to, choice))
    }

    /// The next hop, or `None` on arrival.
    fn next(&self, at: Node, header: Header) -> Option<Hop>;

    /// All nodes of a route, where it knows them at once and would find them anew for every hop.
    fn whole(&self, from: Node, to: Node) -> Option<Vec<Node>> {
        self.inner()?.whole(from, to)
    }

    /// All hops of the message that starts with this choice, where it finds them at once and would look them up for every
    /// hop; they are those that [`next`](Router::next) gives, also where it does not arrive.
    fn path(&self, _from: Node, _to: Node, _choice: u64) -> Option<Vec<Hop>> {
        None
    }

    /// All hops that it may take. A router that adapts to the traffic has several.
    fn hops(&self, at: Node, header: Header, out: &mut Vec<Hop>) {
        out.extend(self.next(at, header));
    }

    /// No route has more hops than this; `u64::MAX` where no bound is known.
    fn longest(&self) -> u64 {
        self.inner().map_or(u64::MAX, |inner| inner.longest())
    }

    /// Whether [`hops`](Router::hops) may give several.
    fn adapts(&self) -> bool {
        self.inner().is_some_and(|inner| inner.adapts())
    }

    /// What keeps its messages from deadlock where their other hops may wait in a dependency cycle.
    fn escape(&self) -> Option<Escape<'_>> {
        None
    }

    /// Where the queues decide between two routes: which.
    fn queue_choice(&self) -> Option<&dyn QueueChoice> {
        self.inner()?.queue_choice()
    }

    /// Flits of credits that the hop by a port must have more than another to be taken before it, where it adapts.
    fn penalty(&self, at: Node, header: Header, port: Port) -> u64 {
        self.inner().map_or(0, |inner| inner.penalty(at, header, port))
    }

    /// Whether the state of the header matters.
    fn remembers(&self) -> bool {
        self.inner().is_some_and(|inner| inner.remembers())
    }

    /// What is known of all its routes together.
    fn structure(&self) -> Structure<'_> {
        self.inner().map_or_else(Structure::default, |inner| inner.structure().on_other_vcs())
    }

    /// For a router that remembers nothing: the hops of all nodes `0..row.len()` to one. Entries hold no more than
    /// [`Entry::MAX_VCS`] virtual channels; where [`vcs`](Router::vcs) says more, this must not be asked.
    fn fill(&self, to: Node, row: &mut [Entry]) {
        let header = Header { to, state: 0 };
        for (at, entry) in (0..).map(Node).zip(row) {
            *entry = Entry::of(self.next(at, header));
        }
    }

    /// For a router that remembers nothing: automorphisms of its network that carry its routes to its routes.
    ///
    /// They keep ports, so that port p of g(a) leads to g(b) where port p of a leads to b, and carry hosts to hosts. A
    /// message at g(a) to g(b) takes the port and the virtual channel of one at a to b: ties are broken alike, and what
    /// is seen on the routes to one node is known of those to its images. Together they generate a group; none where
    /// nothing is proven.
    fn commutes_with(&self) -> Vec<Automorphism> {
        Vec::new()
    }

    /// Passes on the closed form of its routes, where it has one.
    fn closed_form(&self, _take: &mut dyn FnMut(ClosedForm<'_>)) {}

    /// Bytes of tables that each node must hold besides its address.
    fn state_bytes(&self) -> u64 {
        self.inner().map_or(0, |inner| inner.state_bytes())
    }
}
