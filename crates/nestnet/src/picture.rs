//! The picture of a network, with a route, a step of a broadcast or the load of its channels drawn on top.

use nestnet_analysis::broadcasts::{BroadcastError, broadcast, default_algorithm, default_ports};
use nestnet_analysis::measures::{Analysis, Limits, Unanswered};
use nestnet_analysis::number_format;
use nestnet_analysis::routers::{self, RouterError};
use nestnet_draw::svg::{self, Caption, Frame};
use nestnet_draw::{
    Atlas, DrawError, Fold, Mark, Marks, Most, Options, Plan, Scene, Theme, ViewError,
    can_be_readable, is_readable, necklaces, scene, scene_of_atlas, stress,
};
use nestnet_graph::json::Integer;
use nestnet_graph::measure::load::channel_load_between;
use nestnet_graph::measure::{Interrupted, Watch};
use nestnet_graph::{Network, Node, kinds};
use nestnet_routing::route::deadlock::{Channel, Deadlock, DeadlockError, certify};
use nestnet_routing::route::{WalkError, most_hops, walk};
use nestnet_topologies::family::Built;
use num_bigint::BigUint;
use num_traits::{One as _, ToPrimitive as _};
use serde::Serialize;
use std::collections::BTreeSet;
use thiserror::Error;

/// What is drawn.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// How much of the network.
    pub options: Options,
    /// In which colors.
    pub theme: Theme,
    /// After which plan of its family; the usual one if none is named.
    pub plan: Option<String>,
    /// What on top of it.
    pub show: Show,
    /// What is written beside it, and how wide it is.
    pub frame: Frame,
}

/// What is drawn on top of the network.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Show {
    /// Nothing.
    #[default]
    Network,
    /// The route of a message.
    Route {
        /// Its source.
        from: Node,
        /// Its target.
        to: Node,
        /// By which router; the default one if none is named.
        router: Option<String>,
    },
    /// Who knows before a step of the broadcast, and what is sent in it.
    Broadcast {
        /// Who knows first.
        from: Node,
        /// Which step, from 1 on; 0 shows the beginning.
        step: u64,
    },
    /// How busy every link is when each host sends to each other along shortest paths.
    Load,
    /// A dependency cycle, where there is one.
    Deadlock {
        /// Under which router; the default one if none is named.
        router: Option<String>,
    },
    /// How busy every link was found to be.
    Used {
        /// A link in one direction, and the part of the time in which it carries a flit.
        channels: Vec<(Node, Node, f64)>,
        /// When that was.
        when: String,
    },
}

/// A picture and what it shows.
#[derive(Clone, Debug, Serialize)]
#[serde(rename = "Drawing")]
#[non_exhaustive]
pub struct Picture {
    /// The picture as SVG.
    pub svg: String,
    /// How many dots it has.
    pub dots: u64,
    /// How many lines.
    pub lines: u64,
    /// How many nodes each dot means, at most.
    pub nodes_a_dot: Integer<BigUint>,
    /// What is written below it.
    pub notes: Vec<String>,
}

/// Why there is no picture.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum PictureError {
    /// The network is too large for node ids, and only what follows from its clusters is drawn.
    #[error(
        "it has no node ids, more than 2^63 nodes or 2^32 ports: only what follows from its clusters is drawn, with nothing on top"
    )]
    NotBuilt,
    /// It cannot be drawn within the limits.
    #[error(transparent)]
    Draw(#[from] DrawError),
    /// There is no such plan.
    #[error("`plan=`: `{name}` is not known: this network has {known}")]
    NoPlan {
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
    /// There is no such router.
    #[error(transparent)]
    Router(#[from] RouterError),
    /// There is no such route.
    #[error("router `{router}`: {error}")]
    Walk {
        /// Which router.
        router: String,
        /// Where the walk went wrong.
        error: WalkError,
    },
    /// There is no broadcast.
    #[error(transparent)]
    Broadcast(#[from] BroadcastError),
    /// It has fewer steps.
    #[error("`step=` must be from 0 to {steps}, the steps of this broadcast, not {step}")]
    NoStep {
        /// What was asked for.
        step: u64,
        /// How many there are.
        steps: u64,
    },
    /// Whether messages can deadlock cannot be found.
    #[error(transparent)]
    Deadlock(#[from] DeadlockError),
    /// The load cannot be found within the limits.
    #[error("the load of every channel: {0}")]
    Load(#[from] Unanswered),
}

kinds!(PictureError {
    Unknown: NoPlan;
    Invalid: NoStep;
    Unsupported: NotBuilt;
    inner: Draw, Router, Walk.error, Broadcast, Deadlock, Load;
});

impl From<Interrupted> for PictureError {
    fn from(error: Interrupted) -> Self {
        DrawError::from(error).into()
    }
}

/// Draws a network after the plan of its family. Equal requests give equal pictures.
///
/// ```
/// use nestnet::build;
/// use nestnet::measures::Limits;
/// use nestnet::picture::{Request, draw};
///
/// let built = build("rdn(ring(3), 1)").unwrap();
/// let picture = draw(&built, "rdn(ring(3), 1)", &Request::default(), Limits::default()).unwrap();
/// assert!(picture.svg.starts_with("<svg"));
/// assert_eq!((picture.dots, picture.lines), (18, 27));
/// ```
pub fn draw(
    built: &Built,
    title: &str,
    request: &Request,
    limits: Limits<'_>,
) -> Result<Picture, PictureError> {
    let watch = &limits.budget.watch;
    let plan = match request.plan.as_deref() {
        None | Some("usual") => usual_plan(built, request.options.max_nodes, watch)?,
        Some(name) => {
            let mut plans = built.plans().into_iter();
            let found = plans.find(|(known, _)| *known == name).map(|(_, plan)| plan);
            found.ok_or_else(|| {
                let known: Vec<&str> = built.plans().iter().map(|(known, _)| *known).collect();
                PictureError::NoPlan { name: name.to_owned(), known: known.join(", ") }
            })?
        }
    };
    let (scene, shown) = match built.network.as_deref() {
        Some(network) => {
            let shown = shown(built, network, &request.show, limits)?;
            (scene(network, &plan, request.options, &shown.marks, watch)?, shown)
        }
        None => (by_rule(built, plan, request, watch)?, Shown::default()),
    };
    let mut notes = shown.notes;
    notes.extend(folded(&scene, built));
    let loads = shown.marks.loads.iter().map(|&(_, _, load)| load);
    let loads = loads.fold(None, |range: Option<(f64, f64)>, load| {
        let (low, high) = range.unwrap_or((load, load));
        Some((low.min(load), high.max(load)))
    });
    let order = built.order();
    let nodes = number_format::count(&order);
    let title = format!("{title}: {nodes} node{}", if order.is_one() { "" } else { "s" });
    let caption = Caption { title, notes: notes.clone(), loads, frame: request.frame };
    Ok(Picture {
        svg: svg::write(&scene, built.network.as_deref(), &caption, request.theme),
        dots: scene.dots.len() as u64,
        lines: scene.lines.len() as u64,
        nodes_a_dot: Integer(scene.nodes_a_dot),
        notes,
    })
}

/// The picture of a network without node ids: what the page shows of it from outside.
fn by_rule(
    built: &Built,
    plan: Plan,
    request: &Request,
    watch: &Watch<'_>,
) -> Result<Scene, PictureError> {
    if request.show != Show::Network || request.options.fold != Fold::Automatic {
        return Err(PictureError::NotBuilt);
    }
    let Options { max_nodes, max_links, .. } = request.options;
    let usual = Most::default();
    let most = Most { dots: usual.dots.min(max_nodes), lines: usual.lines.min(max_links) };
    let atlas = Atlas::new(plan, None, &built.order()).map_err(|_| PictureError::NotBuilt)?;
    match scene_of_atlas(&atlas, most, watch) {
        Ok(Some(scene)) if scene.dots.len() as u64 <= max_nodes => Ok(scene),
        Err(ViewError::Interrupted(stopped)) => Err(stopped.into()),
        _ => Err(PictureError::NotBuilt),
    }
}

/// How a network is drawn of which at most so many nodes are shown one by one: after the plan of its family; one that has
/// none by the necklaces of its words, or as far apart as its nodes are in hops, and a large one in clusters.
pub(crate) fn usual_plan(built: &Built, most: u64, watch: &Watch<'_>) -> Result<Plan, Interrupted> {
    let plan = built.plan();
    let Some(network) = built.network.as_deref().filter(|_| !built.has_plan()) else {
        return Ok(plan);
    };
    let links = built.theory.degrees().links.to_u64().unwrap_or(u64::MAX);
    let order = network.order();
    if order <= most
        && can_be_readable(order, links)
        && let Some(points) = match necklaces::layout(network, watch)? {
            None => stress::layout(network, watch)?,
            found => found,
        }
    {
        let laid_out = Plan::given(points.len() as u64, || points);
        match is_readable(network, &laid_out, watch) {
            Ok(true) => return Ok(laid_out),
            Err(DrawError::Interrupted(stopped)) => return Err(stopped),
            _ => {}
        }
    }

    Ok(if order > 1 { Plan::clustered(network) } else { plan })
}

/// Marks, and what is said of them.
#[derive(Default)]
struct Shown {
    marks: Marks,
    notes: Vec<String>,
}

fn shown(
    built: &Built,
    network: &dyn Network,
    show: &Show,
    limits: Limits<'_>,
) -> Result<Shown, PictureError> {
    match show {
        Show::Network => Ok(Shown::default()),
        Show::Route { from, to, router } => {
            route(built, network, [*from, *to], router.as_deref(), limits)
        }
        Show::Broadcast { from, step } => broadcast_step(built, network, *from, *step, limits),
        Show::Load => load(built, network, limits),
        Show::Deadlock { router } => deadlock(built, network, router.as_deref(), limits),
        Show::Used { channels, when } => {
            let note = format!("fraction of the cycles in which a link carries a flit: {when}");
            let marks = Marks { loads: channels.clone(), ..Marks::default() };
            Ok(Shown { marks, notes: vec![note, HALF_LINKS.to_owned()] })
        }
    }
}

/// How two directions are distinguished.
const HALF_LINKS: &str = "the half of a link at a node is what leaves it";

fn route(
    built: &Built,
    network: &dyn Network,
    [from, to]: [Node; 2],
    router: Option<&str>,
    limits: Limits<'_>,
) -> Result<Shown, PictureError> {
    let name = router.unwrap_or_else(|| routers::default_name(built));
    let router = routers::find_within(built, name, &limits.budget)?;
    let path = walk(network, &*router, from, to, 0, most_hops(&*router))
        .map_err(|error| PictureError::Walk { router: name.to_owned(), error })?;
    let mut nodes = vec![(from, Mark::Start), (to, Mark::End)];
    nodes.extend(path.nodes.iter().map(|&node| (node, Mark::Holder)));
    let hops = path.nodes.windows(2).map(|pair| (pair[0], pair[1])).collect();
    let [from, to] = [from, to].map(|node| network.address(node));
    let note = format!("route from {from} to {to} by router {name}: {} hops", path.hops.len());
    Ok(Shown { marks: Marks { nodes, hops, loads: Vec::new() }, notes: vec![note] })
}

fn broadcast_step(
    built: &Built,
    network: &dyn Network,
    root: Node,
    step: u64,
    limits: Limits<'_>,
) -> Result<Shown, PictureError> {
    let ports = default_ports(built);
    let report = broadcast(built, root, default_algorithm(built, ports), ports, &limits.budget)?;
    let steps = report.cost.steps;
    if step > steps {
        return Err(PictureError::NoStep { step, steps });
    }
    let mut informed = BTreeSet::from([root]);
    let mut schedule = report.broadcast.from(root);
    let mut sent = Vec::new();
    let mut hops: Vec<(Node, Node)> = Vec::new();
    for _ in 0..step {
        informed.extend(hops.iter().map(|&(_, to)| to));
        sent.clear();
        schedule(&mut sent);
        let ends =
            sent.iter().map(|send| Some((send.from, network.neighbor(send.from, send.port)?)));
        hops = ends.flatten().collect();
    }
    let mut nodes = vec![(root, Mark::Start)];
    nodes.extend(informed.iter().map(|&node| (node, Mark::Holder)));
    nodes.extend(hops.iter().map(|&(_, to)| (to, Mark::New)));
    let note = format!(
        "broadcast from {}, step {step} of {steps}: {} knew, {} sent",
        network.address(root),
        informed.len(),
        hops.len()
    );
    Ok(Shown { marks: Marks { nodes, hops, loads: Vec::new() }, notes: vec![note] })
}

fn load(built: &Built, network: &dyn Network, limits: Limits<'_>) -> Result<Shown, PictureError> {
    let subject = Analysis::new(built, limits);
    let csr = subject.csr()?;
    let steps = u128::from(network.order()).saturating_mul(subject.links().saturating_mul(4));
    subject.affords(steps)?;
    let found = channel_load_between(csr, network.hosts(), &limits.budget.watch)?;
    let mut loads: Vec<(Node, Node, f64)> = Vec::new();
    let ids = u32::try_from(network.order()).unwrap_or(u32::MAX);
    let mut channel = 0;
    for from in 0..ids {
        for &to in csr.neighbors(from) {
            // Rounded where sums differ in their last digits only.
            let load = (found.loads[channel] * 1e6).round() / 1e6;
            loads.push((Node(from.into()), Node(to.into()), load));
            channel += 1;
        }
    }
    let note = "load: how many messages pass a link when each host sends one to each other";
    let notes = vec![note.to_owned(), HALF_LINKS.to_owned()];
    Ok(Shown { marks: Marks { loads, ..Marks::default() }, notes })
}

fn deadlock(
    built: &Built,
    network: &dyn Network,
    router: Option<&str>,
    limits: Limits<'_>,
) -> Result<Shown, PictureError> {
    let name = router.unwrap_or_else(|| routers::default_name(built));
    let router = routers::find_within(built, name, &limits.budget)?;
    let certificate = certify(network, &*router, &limits.budget)?;
    let Deadlock::Cycle(cycle) = &certificate.verdict else {
        let note = format!("router {name}: no dependency cycle");
        return Ok(Shown { notes: vec![note], ..Shown::default() });
    };
    let nodes = cycle.iter().map(|waits| (waits.channel.node, Mark::Holder)).collect();
    let hop =
        |channel: Channel| Some((channel.node, network.neighbor(channel.node, channel.port)?));
    let hops = cycle.iter().filter_map(|waits| hop(waits.channel)).collect();
    let note = format!(
        "deadlock under router {name}: {} messages, each holds its arrow and waits for the next",
        cycle.len()
    );
    Ok(Shown { marks: Marks { nodes, hops, loads: Vec::new() }, notes: vec![note] })
}

/// What a folded picture does not show.
fn folded(scene: &Scene, built: &Built) -> Vec<String> {
    if scene.nodes_a_dot.is_one() {
        return Vec::new();
    }
    let nodes = number_format::count(&scene.nodes_a_dot);
    let most = if scene.alike { "" } else { "at most " };
    let counted = scene.dots.iter().any(|dot| dot.nodes.is_some());
    let counted = if counted && !scene.alike { "; its number says how many" } else { "" };
    let mut notes = vec![format!("folded: each dot is a cluster of {most}{nodes} nodes{counted}")];
    let counts = scene.lines.iter().map(|line| &line.links);
    if let (Some(least), Some(most)) = (counts.clone().min(), counts.max()) {
        let [few, many] = [least, most].map(number_format::count);
        match least == most {
            // No bundle at all.
            true if most.is_one() => {}
            true => notes.push(format!("each line is a bundle of {many} links")),
            false => notes.push(format!("each line is a bundle of {few} to {many} links")),
        }
    }
    let drawn: BigUint = scene.lines.iter().map(|line| &line.links).sum();
    let links = built.theory.degrees().cables;
    let hidden = scene
        .hidden
        .map_or_else(|| if links >= drawn { links - drawn } else { BigUint::ZERO }, BigUint::from);
    if hidden > BigUint::ZERO {
        notes.push(format!("not drawn: {} links inside the dots", number_format::count(&hidden)));
    }
    notes
}
