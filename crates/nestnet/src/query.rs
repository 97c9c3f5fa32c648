//! Methods of a network: metrics, routes, deadlock, throughput, simulation, broadcast, files and pictures.
//!
//! [`Analyze`] gives every [`Built`] the functions that the command line calls, with the same defaults.
//! [`Analyze::within`] sets the limits, [`Analyze::by`] the router:
//!
//! ```
//! use nestnet::prelude::*;
//!
//! let built = build("rdn(petersen, 1)")?;
//! assert_eq!(built.measure("diameter")?.to_string(), "6, by theorem");
//! assert!(built.by("paper").route(Node(3), Node(157))?.hops.len() <= 6);
//! assert!(built.within(Limits::default().seconds(60)).deadlock()?.is_free());
//! # Ok::<(), Error>(())
//! ```

use crate::design::{self, ClusterDesign, ClusterQuestion, Design, Question};
use crate::error::Error;
use crate::picture::{self, Picture, Request};
use nestnet_analysis::broadcasts::{self, Report};
use nestnet_analysis::figures::{Figures, figures};
use nestnet_analysis::measures::choose;
use nestnet_analysis::measures::{Analysis, Answer, Fact, Limits, MEASURES, QUICK_STEPS};
use nestnet_analysis::metrics;
use nestnet_analysis::routers;
use nestnet_analysis::simulated::{Routed, Sent, Setup, Simulated};
use nestnet_analysis::throughput::{Ask, Throughput, throughput};
use nestnet_formats::{Costs, FORMATS, Format, Loss, Writing};
use nestnet_graph::{Csr, Network, Node};
use nestnet_routing::Router;
use nestnet_routing::route::deadlock::{self, Certificate};
use nestnet_routing::route::{Walk, most_hops, walk};
use nestnet_sim::Config;
use nestnet_topologies::family::Built;
use num_traits::ToPrimitive;
use std::io::Write;
use std::sync::Arc;

/// The network that these edges make.
///
/// Takes pairs of node ids in any order and direction; the nodes are 0 to the largest id. A pair that is listed
/// several times is a link of as many cables, and may be listed from one end or from both; a node that is linked to itself
/// is an error.
/// Returns the network as [`build`](crate::build()) returns one. [`Csr::from_links`] and [`Built::stored`] take a number
/// of nodes, where the last ones have no edges.
/// O(nodes + edges · log degree); refused before it starts where it needs more than a gigabyte.
///
/// ```
/// use nestnet::prelude::*;
///
/// let ring = nestnet::from_edges([(0, 1), (1, 2), (2, 3), (3, 0)])?;
/// assert_eq!(ring.measure("diameter")?.number(), Some(2.0));
/// assert_eq!(from_edges([(5, 5)]).unwrap_err().kind(), ErrorKind::Invalid);
/// # Ok::<(), Error>(())
/// ```
pub fn from_edges(edges: impl IntoIterator<Item = (u32, u32)>) -> Result<Built, Error> {
    let edges: Vec<(u32, u32)> = edges.into_iter().collect();
    let last = edges.iter().map(|&(from, to)| from.max(to)).max().ok_or(Error::NoEdges)?;
    let memory = Limits::default().budget.memory;
    let csr = Csr::from_edges(u64::from(last) + 1, &edges, memory)?;
    Ok(Built::imported(Arc::new(csr), Vec::new()))
}

/// A network, the limits of what is asked of it, and the router that messages follow.
#[derive(Clone, Copy, Debug)]
pub struct Query<'a> {
    built: &'a Built,
    limits: Limits<'a>,
    router: Option<&'a str>,
}

impl<'a> Query<'a> {
    /// The same within these limits.
    pub fn within(self, limits: Limits<'a>) -> Self {
        Query { limits, ..self }
    }

    /// The same by the router of that name.
    pub fn by(self, router: &'a str) -> Self {
        Query { router: Some(router), ..self }
    }

    fn router(&self) -> Result<Arc<dyn Router>, Error> {
        let name = self.router.unwrap_or_else(|| routers::default_name(self.built));
        Ok(routers::find_within(self.built, name, &self.limits.budget)?)
    }

    /// An error where the network has no such node.
    fn check(&self, node: Node) -> Result<(), Error> {
        let order = self.network()?.order();
        if node.0 < order { Ok(()) } else { Err(Error::NoNode { node, last: order - 1 }) }
    }
}

/// What can be asked of a network.
///
/// Every method is a call of a function that the command line calls too, with its defaults; where it is asked of a
/// [`Built`], within [`Limits::default`] and by its default router.
pub trait Analyze {
    /// The network with its limits and its router.
    fn query(&self) -> Query<'_>;

    /// The same network within these limits.
    ///
    /// ```
    /// use nestnet::prelude::*;
    ///
    /// let built = build("rsn(hypercube(3), 2)")?;
    /// let small = built.within(Limits::default().memory(16));
    /// assert_eq!(small.measure("girth").unwrap_err().kind(), ErrorKind::Limit);
    /// # Ok::<(), Error>(())
    /// ```
    fn within<'a>(&'a self, limits: Limits<'a>) -> Query<'a> {
        self.query().within(limits)
    }

    /// The same network, whose messages follow the router of that name: `shortest`, `paper`, `valiant`, `table`, `min`,
    /// `dor` or one around another, such as `valiant(paper)`.
    ///
    /// ```
    /// use nestnet::prelude::*;
    ///
    /// let ring = build("ring(8)")?;
    /// assert!(!ring.by("min").deadlock()?.is_free());
    /// assert_eq!(ring.by("shortestt").deadlock().unwrap_err().kind(), ErrorKind::Unknown);
    /// # Ok::<(), Error>(())
    /// ```
    fn by<'a>(&'a self, router: &'a str) -> Query<'a> {
        self.query().by(router)
    }

    /// The network by its rule: nodes, ports, addresses.
    ///
    /// Returns an error where it is too large for node ids and known by its theory alone. O(1).
    ///
    /// ```
    /// use nestnet::prelude::*;
    ///
    /// let built = build("rdn(petersen, 1)")?;
    /// assert_eq!(built.network()?.address(Node(157)).to_string(), "(1,5,7)");
    /// assert_eq!(build("hypercube(100)")?.network().unwrap_err().kind(), ErrorKind::Unsupported);
    /// # Ok::<(), Error>(())
    /// ```
    fn network(&self) -> Result<&dyn Network, Error> {
        Ok(&**self.query().built.with_ids()?)
    }

    /// The neighbors of a node, ports ascending.
    ///
    /// Takes a node of the network.
    /// Returns an iterator that asks for one port at a time: O(1) memory, O(ports) in all.
    ///
    /// ```
    /// use nestnet::prelude::*;
    ///
    /// let cube = build("hypercube(40)")?;
    /// assert_eq!(cube.neighbors(Node(0))?.nth(39), Some(Node(1 << 39)));
    /// # Ok::<(), Error>(())
    /// ```
    fn neighbors(&self, at: Node) -> Result<impl Iterator<Item = Node>, Error> {
        self.query().check(at)?;
        Ok(self.network()?.neighbors(at))
    }

    /// The value of one metric, with how it is known.
    ///
    /// Takes a key of the table [`MEASURES`](crate::measures::MEASURES), which `nestnet measure --list` prints.
    /// Returns an [`Answer`]: its text says the number and how it is known, [`Answer::number`] the number alone. A hard
    /// metric may be two bounds. To ask for several, [`Analysis`] finds what they share once.
    /// O(1) by a theorem; else by the method of the metric, each a file of [`measure`](crate::measure), which names its
    /// complexity and its source. Refused where it takes more than the limits have.
    ///
    /// ```
    /// use nestnet::prelude::*;
    ///
    /// let built = build("rdn(torus(5, 5), 2)")?;
    /// assert_eq!(built.measure("diameter")?.to_string(), "22, by theorem");
    /// # Ok::<(), Error>(())
    /// ```
    fn measure(&self, key: &str) -> Result<Answer, Error> {
        let query = self.query();
        if let Some(row) =
            MEASURES.iter().find(|row| row.name == key && metrics::find(key).is_none())
        {
            return Err(Error::ManyKeys { name: row.name, keys: row.keys });
        }
        Ok(Analysis::new(query.built, query.limits).answer(key)?)
    }

    /// All metrics that are quick to find for this network, as `nestnet measure` shows them.
    ///
    /// Returns one [`Fact`] for each key: the value, or why there is none.
    /// At most ten seconds of one core a metric, by the same count of steps on every machine.
    ///
    /// ```
    /// use nestnet::prelude::*;
    ///
    /// let facts = build("petersen")?.measure_all()?;
    /// let girth = facts.iter().find(|fact| fact.key == "girth").unwrap();
    /// assert_eq!(girth.answer.as_ref().unwrap().number(), Some(5.0));
    /// # Ok::<(), Error>(())
    /// ```
    fn measure_all(&self) -> Result<Vec<Fact>, Error> {
        let query = self.query();
        let limits = query.limits.steps(query.limits.budget.steps.min(QUICK_STEPS));
        let analysis = Analysis::new(query.built, limits);
        let questions = choose(&[], &analysis)?;
        Ok(questions.iter().flat_map(|question| question.answer(&analysis)).collect())
    }

    /// The numbers that a comparison shows: degree, diameter, mean distance, connectivity, virtual channels.
    ///
    /// Returns exact values where they are known within the limits, else bounds or nothing.
    /// O(nodes · links) at most, where no theorem and no symmetry helps.
    ///
    /// ```
    /// use nestnet::prelude::*;
    ///
    /// let figures = build("hosts(petersen, 2)")?.figures();
    /// assert_eq!((figures.degree, figures.hosts.to_string().as_str()), (5, "20"));
    /// # Ok::<(), Error>(())
    /// ```
    fn figures(&self) -> Figures {
        let query = self.query();
        figures(query.built, query.limits)
    }

    /// The route of a message.
    ///
    /// Takes its source and its target; a router with several choices takes the first.
    /// Returns the nodes, and the port and virtual channel of each hop. Where there is no path that is an error of kind
    /// [`Unsupported`](crate::ErrorKind::Unsupported).
    /// O(hops) calls of the router.
    ///
    /// ```
    /// use nestnet::prelude::*;
    ///
    /// let route = build("rdn(petersen, 1)")?.by("paper").route(Node(3), Node(157))?;
    /// assert_eq!(route.nodes.len(), route.hops.len() + 1);
    /// # Ok::<(), Error>(())
    /// ```
    fn route(&self, from: Node, to: Node) -> Result<Walk, Error> {
        let query = self.query();
        query.check(from)?;
        query.check(to)?;
        let router = query.router()?;
        Ok(walk(query.network()?, &*router, from, to, 0, most_hops(&*router))?)
    }

    /// Whether the messages between all hosts can deadlock under the router.
    ///
    /// Returns a certificate: a topological order of the channels, or a dependency cycle with its messages. It was
    /// checked by code that shares nothing with what made it.
    /// O(hosts · nodes) hops for a router whose messages keep no state; less where automorphisms commute with it.
    /// Dally and Seitz, *Deadlock-free message routing in multiprocessor interconnection networks*, 1987.
    ///
    /// ```
    /// use nestnet::prelude::*;
    ///
    /// let certificate = build("torus(4, 4)")?.deadlock()?;
    /// assert!(certificate.is_free());
    /// # Ok::<(), Error>(())
    /// ```
    fn deadlock(&self) -> Result<Certificate, Error> {
        let query = self.query();
        let (network, router) = (query.network()?, query.router()?);
        let certificate = deadlock::certify(network, &*router, &query.limits.budget)?;
        deadlock::check(network, &*router, &certificate, &query.limits.budget)?;
        Ok(certificate)
    }

    /// The saturation throughput: how much every host can send before a channel is saturated.
    ///
    /// Takes a traffic pattern of the table [`TRAFFIC`](crate::traffic::TRAFFIC), such as `uniform`, or `worst`, the
    /// worst permutation for the router. Without a router, messages divide over all shortest paths.
    /// Returns the exact fraction, the busiest channel, and LP bounds on what any routing could do.
    /// O(nodes · links) for the loads, and at most half a minute of one core for the bounds.
    /// Jyothi et al., *Measuring and understanding throughput of network topologies*, 2016.
    ///
    /// ```
    /// use nestnet::prelude::*;
    ///
    /// let found = build("hosts(dragonfly(4, 2), 2)")?.throughput("worst")?;
    /// assert_eq!(found.theta.to_string(), "0.1 = 1/10");
    /// # Ok::<(), Error>(())
    /// ```
    fn throughput(&self, traffic: &str) -> Result<Throughput, Error> {
        let query = self.query();
        let ask = Ask::default();
        let ask = Ask { traffic, router: query.router.unwrap_or(ask.router), ..ask };
        Ok(throughput(query.built, &ask, &query.limits.budget)?)
    }

    /// Latency over load, flit by flit.
    ///
    /// Takes a traffic pattern as [`Analyze::throughput`] does, and the loads in flits per host and cycle; without any,
    /// all up to saturation.
    /// Returns a point for each load and the load at which the network saturates. Seed 1 and [`Config::default`];
    /// [`Setup`] takes others.
    /// O(cycles · flits on their way) for each load.
    /// Dally and Towles, *Principles and Practices of Interconnection Networks*, 2004.
    ///
    /// ```
    /// use nestnet::prelude::*;
    ///
    /// let found = build("ring(4)")?.simulate("uniform", &[0.1])?;
    /// assert!(found.curve.points[0].packet_latency.mean > 1.0);
    /// # Ok::<(), Error>(())
    /// ```
    fn simulate(&self, traffic: &str, loads: &[f64]) -> Result<Simulated, Error> {
        let query = self.query();
        let (budget, routed) =
            (&query.limits.budget, Routed { by: query.router, ..Routed::default() });
        let setup = Setup::new(query.built, routed, Config::default(), budget)?;
        Ok(setup.run(&Sent { traffic, loads, ..Sent::UNIFORM }, budget)?)
    }

    /// The broadcast of a network: its paper's where it has one, else the best that is known.
    ///
    /// Takes the node that knows first.
    /// Returns the schedule, its steps and transfers as the checker counted them, and a lower bound on the steps.
    /// O(nodes · ports) for the check.
    ///
    /// ```
    /// use nestnet::prelude::*;
    ///
    /// let report = build("rdn(ring(3), 2)")?.broadcast_from(Node(5))?;
    /// assert_eq!((report.cost.steps, report.cost.transfers), (14, 647));
    /// # Ok::<(), Error>(())
    /// ```
    fn broadcast_from(&self, root: Node) -> Result<Report, Error> {
        let query = self.query();
        query.check(root)?;
        let ports = broadcasts::default_ports(query.built);
        let algorithm = broadcasts::default_algorithm(query.built, ports);
        Ok(broadcasts::broadcast(query.built, root, algorithm, ports, &query.limits.budget)?)
    }

    /// Writes the network for another tool.
    ///
    /// Takes the name of a format of the table [`FORMATS`], such as `graphml`, `edges` or `anynet`, and where the bytes
    /// go.
    /// Returns what of this network the format has no field for.
    /// O(nodes + links), most formats without keeping the file in memory.
    ///
    /// ```
    /// use nestnet::prelude::*;
    ///
    /// let mut file = Vec::new();
    /// build("path(3)")?.export("edges", &mut file)?;
    /// assert_eq!(String::from_utf8_lossy(&file), "0 1\n1 2\n");
    /// # Ok::<(), Error>(())
    /// ```
    fn export(&self, format: &str, mut out: impl Write) -> Result<Vec<Loss>, Error> {
        let query = self.query();
        let (format, write) = writer(format)?;
        let links = query.built.theory.degrees().links.to_u128().unwrap_or(u128::MAX);
        query.limits.budget.affords("the file", links)?;
        let (title, costs) = (query.built.spec().to_string(), Costs::default());
        let writing = Writing::new(&title, query.network()?, &costs, query.limits.budget)?;
        write(&writing, &mut out)?;
        Ok(format.losses(&writing))
    }

    /// A picture of the network by its construction, as SVG.
    ///
    /// Returns the text of the picture, how many dots and lines it has, and its notes; large networks are folded.
    /// O(dots + lines).
    ///
    /// ```
    /// use nestnet::prelude::*;
    ///
    /// let picture = build("rdn(ring(3), 1)")?.draw()?;
    /// assert!(picture.svg.starts_with("<svg"));
    /// assert_eq!((picture.dots, picture.lines), (18, 27));
    /// # Ok::<(), Error>(())
    /// ```
    fn draw(&self) -> Result<Picture, Error> {
        self.draw_with(&Request::default())
    }

    /// A picture with a route, a step of a broadcast, loads or a dependency cycle on top.
    ///
    /// Takes what is shown and in which colors.
    /// Returns what [`Analyze::draw`] returns. O(dots + lines), besides what is shown.
    ///
    /// ```
    /// use nestnet::picture::{Request, Show};
    /// use nestnet::prelude::*;
    ///
    /// let show = Show::Route { from: Node(0), to: Node(9), router: None };
    /// let picture = build("torus(4, 4)")?.draw_with(&Request { show, ..Request::default() })?;
    /// assert_eq!(picture.notes, ["route from (0,0) to (2,1) by router shortest: 3 hops"]);
    /// # Ok::<(), Error>(())
    /// ```
    fn draw_with(&self, request: &Request) -> Result<Picture, Error> {
        let query = self.query();
        let title = query.built.spec().to_string();
        Ok(picture::draw(query.built, &title, request, query.limits)?)
    }
}

impl Analyze for Built {
    fn query(&self) -> Query<'_> {
        Query { built: self, limits: Limits::default(), router: None }
    }
}

impl Analyze for Query<'_> {
    fn query(&self) -> Query<'_> {
        *self
    }
}

impl Question {
    /// Finds the networks that are Pareto-optimal, as [`design()`](crate::design::design) does.
    ///
    /// Takes the limits of the search.
    /// Returns the front, best first; where it is empty, which constraint to relax and by how much.
    /// The time grows with the candidates, which [`Question::depth`] and [`Question::max_base`] bound.
    ///
    /// ```
    /// use nestnet::prelude::*;
    ///
    /// let question = Question { max_degree: Some(4), depth: 1, ..Question::new(100) };
    /// let found = question.design(Limits::default())?;
    /// assert!(found.front.iter().all(|row| row.figures.degree <= 4));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn design(&self, limits: Limits<'_>) -> Result<Design, Error> {
        Ok(design::design(self, &limits.budget)?)
    }
}

impl ClusterQuestion {
    /// Finds the networks of switches for so many hosts that are Pareto-optimal, as [`cluster`](crate::design::cluster) does.
    ///
    /// Takes the limits of the search.
    /// Returns the front, the cheapest first, with the recommended network.
    /// The time grows with the candidates, as for [`Question::design`].
    ///
    /// ```
    /// use nestnet::design::ClusterQuestion;
    /// use nestnet::prelude::*;
    ///
    /// let question = ClusterQuestion { max_base: 8, ..ClusterQuestion::new(32, 8) };
    /// let found = question.design(Limits::default())?;
    /// assert!(found.front.iter().all(|row| row.hosts >= 32 && row.radix <= 8));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn design(&self, limits: Limits<'_>) -> Result<ClusterDesign, Error> {
        Ok(design::cluster(self, &limits.budget)?)
    }
}

/// The format of that name, and how it is written.
fn writer(name: &str) -> Result<(&'static Format, nestnet_formats::WriteRule), Error> {
    let written = || FORMATS.iter().filter_map(|format| Some((format, format.write?)));
    let found = nestnet_formats::find(name).and_then(|format| Some((format, format.write?)));
    found.ok_or_else(|| Error::NoFormat {
        name: name.to_owned(),
        known: written().map(|(format, _)| format.name).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;
    use crate::build;

    type Ask = fn(Query<'_>) -> Result<(), Error>;

    /// Every method that can have no answer, asked for what every network has.
    const ASKS: [(&str, Ask); 12] = [
        ("network", |query| query.network().map(drop)),
        ("neighbors", |query| query.neighbors(Node(0)).map(drop)),
        ("measure", |query| query.measure("vertex_orbits").map(drop)),
        ("route", |query| query.route(Node(0), Node(1)).map(drop)),
        ("deadlock", |query| query.deadlock().map(drop)),
        ("throughput", |query| query.throughput("uniform").map(drop)),
        ("simulate", |query| query.simulate("uniform", &[0.1]).map(drop)),
        ("broadcast_from", |query| query.broadcast_from(Node(0)).map(drop)),
        ("export", |query| query.export("graphml", std::io::sink()).map(drop)),
        ("draw", |query| query.draw().map(drop)),
        ("draw_with", |query| {
            let show = picture::Show::Load;
            query.draw_with(&Request { show, ..Request::default() }).map(drop)
        }),
        ("table", |query| query.by("table").route(Node(0), Node(1)).map(drop)),
    ];

    /// The kinds of errors of all methods that have no answer.
    fn kinds(query: Query<'_>) -> Vec<(&'static str, ErrorKind)> {
        let refused = |(name, ask): &(&'static str, Ask)| Some((*name, ask(query).err()?.kind()));
        ASKS.iter().filter_map(refused).collect()
    }

    #[test]
    fn a_small_network_answers_everything() {
        for spec in ["jellyfish(20, 3, 1)", "hosts(torus(3, 3), 2)", "rdn(ring(3), 1)"] {
            let built = build(spec).unwrap();
            assert_eq!(kinds(built.query()), [], "{spec}");
        }
        assert_eq!(kinds(from_edges([(0, 1), (1, 2)]).unwrap().query()), []);
    }

    #[test]
    fn what_the_limits_refuse_is_of_one_kind() {
        let built = build("jellyfish(200, 3, 1)").unwrap();
        let refused = kinds(built.within(Limits::default().memory(8).steps(8)));
        assert!(refused.iter().all(|(_, kind)| *kind == ErrorKind::Limit), "{refused:?}");
        let names: Vec<&str> = refused.iter().map(|(name, _)| *name).collect();
        let all = ["measure", "deadlock", "throughput", "simulate", "broadcast_from", "export"];
        assert!(all.iter().all(|name| names.contains(name)), "{names:?}");
    }

    #[test]
    fn what_is_stopped_is_of_one_kind() {
        let built = build("jellyfish(200, 3, 1)").unwrap();
        let refused = kinds(built.within(Limits::default().stopped_by(&|| true)));
        assert!(refused.iter().all(|(_, kind)| *kind == ErrorKind::Stopped), "{refused:?}");
        let names: Vec<&str> = refused.iter().map(|(name, _)| *name).collect();
        let all = ["measure", "deadlock", "throughput", "broadcast_from"];
        assert!(all.iter().all(|name| names.contains(name)), "{names:?}");
    }

    #[test]
    fn a_theory_alone_has_no_nodes_to_ask_for() {
        let refused = kinds(build("hypercube(100)").unwrap().query());
        assert!(refused.iter().all(|(name, kind)| match *name {
            // The file is refused by its links.
            "export" => *kind == ErrorKind::Limit,
            _ => *kind == ErrorKind::Unsupported,
        }));
        assert_eq!(refused.len(), ASKS.len(), "{refused:?}");
    }

    #[test]
    fn names_and_nodes_that_are_not_there_are_unknown() {
        let ring = build("ring(5)").unwrap();
        let (far, query) = (Node(5), ring.query());
        let kind = |found: Result<(), Error>| found.map_err(|error| error.kind());
        for found in [
            query.neighbors(far).map(drop),
            query.route(Node(0), far).map(drop),
            query.route(far, Node(0)).map(drop),
            query.broadcast_from(far).map(drop),
            query.measure("size").map(drop),
            query.measure("weight").map(drop),
            query.by("fastest").route(Node(0), Node(1)).map(drop),
            query.by("fastest").simulate("uniform", &[0.1]).map(drop),
            query.by("fastest").throughput("uniform").map(drop),
            query.throughput("traffic").map(drop),
            query.export("dwg", std::io::sink()).map(drop),
        ] {
            assert_eq!(kind(found), Err(ErrorKind::Unknown));
        }
        assert_eq!(kind(query.simulate("uniform", &[1.5]).map(drop)), Err(ErrorKind::Invalid));
        let apart = from_edges([(0, 1), (2, 3)]).unwrap();
        assert_eq!(kind(apart.route(Node(0), Node(3)).map(drop)), Err(ErrorKind::Unsupported));
        assert_eq!(kind(apart.measure("diameter").map(drop)), Err(ErrorKind::Unsupported));
    }

    #[test]
    fn edges_are_nodes_up_to_the_largest() {
        let built = from_edges([(7, 2), (2, 7), (0, 7)]).unwrap();
        assert_eq!(built.order(), 8u32.into());
        assert_eq!(built.theory.degrees().links, 2u32.into());
        assert_eq!(built.neighbors(Node(7)).unwrap().collect::<Vec<_>>(), [Node(0), Node(2)]);
        assert_eq!(from_edges([]).map(drop).unwrap_err().kind(), ErrorKind::Invalid);
        let huge = from_edges([(0, u32::MAX)]).map(drop).unwrap_err();
        assert_eq!(huge.kind(), ErrorKind::Limit);
    }
}
