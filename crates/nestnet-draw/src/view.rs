//! What is inside a cell, and how is it linked there and with the rest, however large the network is?
//!
//! A small cell is walked, node by node. A large one is asked of the rule: of the plan itself, or of what is at its
//! places, which is a copy of a smaller network. Where neither says it, cells are shown without their links.

use super::atlas::{Atlas, AtlasError, Part, written};
use super::hull::Hull;
use super::layer::{Joints, size};
use super::place::Places;
use super::plan::Plan;
use super::scene::{Fit, fit};
use super::shape::Point;
use super::within;
use nestnet_graph::measure::{Interrupted, Watch};
use nestnet_graph::{Network, Node, kinds};
use num_bigint::BigUint;
use num_traits::{One, ToPrimitive, Zero};
use std::collections::BTreeMap;
use thiserror::Error;

pub use super::layer::Cord;
pub use super::plan::MAX_CELL;
pub use super::within::Leaving;

/// How much is shown.
#[derive(Clone, Copy, Debug)]
pub struct Most {
    /// Cells and nodes.
    pub dots: u64,
    /// Lines between them.
    pub lines: u64,
}

impl Most {
    /// So many cells and nodes, and as many lines as go with them.
    pub fn dots(dots: u64) -> Self {
        Most { dots, lines: dots.saturating_mul(5) / 2 }
    }
}

impl Default for Most {
    fn default() -> Self {
        Most::dots(600)
    }
}

/// The inside of a cell.
#[derive(Clone, Debug)]
pub struct View {
    /// Which cell.
    pub path: Vec<u64>,
    /// How many layers below it are distinguished; 0 where it is a node.
    pub shown: usize,
    /// What is in it.
    pub spots: Vec<Spot>,
    /// The links between those.
    pub strands: Vec<Strand>,
    /// The links that leave the cell, where they are known.
    pub leaving: Vec<Leaving>,
    /// Whether the links inside are known.
    pub linked: bool,
    /// Whether all links that leave are known.
    pub left: bool,
    /// The borders of clusters that are shown with what is in them.
    pub borders: Vec<Border>,
    /// How many nodes a spot represents; the largest of them, where they are not alike.
    pub nodes_a_spot: BigUint,
    /// Whether all of them represent as many.
    pub alike: bool,
}

/// A cell or a node.
#[derive(Clone, Debug)]
pub struct Spot {
    /// Its whole path.
    pub path: Vec<u64>,
    /// Where it is drawn.
    pub at: Point,
    /// Which way is outside, for its label.
    pub outward: Point,
}

/// A line between two spots.
#[derive(Clone, Debug)]
pub struct Strand {
    /// What it means.
    pub cord: Cord,
    /// To which side it bends.
    pub bend: Point,
}

/// The border of a cluster.
#[derive(Clone, Debug)]
pub struct Border {
    /// The cluster.
    pub path: Vec<u64>,
    /// Its corners.
    pub hull: Hull,
    /// The level of the links that join such clusters.
    pub level: u16,
}

/// Why there is no view.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ViewError {
    /// The path or name leads nowhere.
    #[error(transparent)]
    Atlas(#[from] AtlasError),
    /// A cell has more places than can be shown.
    #[error("{} has {places} parts that no construction divides, and at most {limit} are drawn: take a smaller network of the family", cell(.path))]
    TooMany {
        /// Which cell.
        path: String,
        /// How many places.
        places: u64,
        /// How many may be shown.
        limit: u64,
    },
    /// It was stopped.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}

kinds!(ViewError {
    Unsupported: TooMany;
    inner: Atlas, Interrupted;
});

fn cell(path: &str) -> String {
    if path.is_empty() { "this network".to_owned() } else { format!("cell `{path}`") }
}

/// Limit: parts of a cell that is shown, where no construction divides them.
pub const MAX_PLACES: u64 = 5000;

/// Links between spots, and those that lead elsewhere, where that is known.
pub(super) struct Links {
    pub cords: Vec<Cord>,
    pub leaving: Option<Vec<Leaving>>,
}

/// The inside of the cell at `path`, down to as many layers as `most` allows, at least one.
///
/// Exact: every count is of links that there are. O(links of the cell) where it has at most [`MAX_CELL`] nodes, else by
/// rule. The same for the same input.
pub fn view(atlas: &Atlas, path: &[u64], most: Most, watch: &Watch<'_>) -> Result<View, ViewError> {
    if path.len() == atlas.plan().layers().len() {
        return Ok(one(path));
    }
    let (shown, found) = shown(atlas, path, most, watch)?;
    Ok(compose(atlas.plan(), path, path.len(), shown, found))
}

/// How many layers of the cell at `path` are distinguished, at least one, and what joins the cells there.
pub(super) fn shown(
    atlas: &Atlas,
    path: &[u64],
    most: Most,
    watch: &Watch<'_>,
) -> Result<(usize, Option<Links>), ViewError> {
    let layers = &atlas.plan().layers()[path.len()..];
    let mut spots = layers.first().map_or(1, |layer| layer.shape.places());
    if spots > MAX_PLACES {
        return Err(ViewError::TooMany { path: written(path), places: spots, limit: MAX_PLACES });
    }
    let mut shown = 1;
    let mut found = links(atlas, path, 1, watch)?;
    for more in 2..=layers.len() {
        spots = spots.saturating_mul(layers[more - 1].shape.places());
        if spots > most.dots {
            break;
        }
        let next = links(atlas, path, more, watch)?;
        let known = next.is_some() || found.is_none();
        let lines = next.as_ref().map_or(0, |next| next.cords.len() as u64);
        let is_few = lines <= most.lines.max(6 * spots.min(most.lines));
        if known && is_few && next.as_ref().is_none_or(|next| is_clear(atlas, path, more, next)) {
            (shown, found) = (more, next);
        }
    }
    Ok((shown, found))
}

fn is_clear(atlas: &Atlas, path: &[u64], shown: usize, links: &Links) -> bool {
    let ends: Vec<(usize, usize)> = links.cords.iter().map(|c| (c.from, c.to)).collect();
    super::scene::is_clear(&atlas.plan().below(path.len()), shown, &ends)
}

/// Whether the lines between the outermost cells can be distinguished, where that is known.
pub fn is_clear_outside(atlas: &Atlas, watch: &Watch<'_>) -> Result<bool, Interrupted> {
    let found = links(atlas, &[], 1, watch)?;
    Ok(found.is_none_or(|found| is_clear(atlas, &[], 1, &found)))
}

fn one(path: &[u64]) -> View {
    let spot = Spot { path: path.to_vec(), at: Point::default(), outward: Point::default() };
    View {
        path: path.to_vec(),
        shown: 0,
        spots: vec![spot],
        strands: Vec::new(),
        leaving: Vec::new(),
        linked: true,
        left: false,
        borders: Vec::new(),
        nodes_a_spot: BigUint::one(),
        alike: true,
    }
}

fn compose(plan: &Plan, path: &[u64], depth: usize, shown: usize, found: Option<Links>) -> View {
    let below = plan.below(depth);
    let places = Places::new(&below, shown);
    let count = below.cells(shown);
    let digits = |spot: u64| -> Vec<usize> { places.digits(spot) };
    let whole = |inner: &[usize]| -> Vec<u64> {
        path.iter().copied().chain(inner.iter().map(|&digit| digit as u64)).collect()
    };
    let spots: Vec<Spot> = (0..count)
        .map(|spot| {
            let digits = digits(spot);
            let at = places.middle(&digits);
            let outward = at - places.middle(&digits[..shown - 1]);
            Spot { path: whole(&digits), at, outward }
        })
        .collect();
    let linked = found.is_some();
    let found = found.unwrap_or(Links { cords: Vec::new(), leaving: None });
    let ends: Vec<Fit> = fit(&below, &places, found.cords.iter().map(|c| (c.from, c.to)));
    let strands =
        found.cords.into_iter().zip(ends).map(|(cord, fit)| Strand { cord, bend: fit.bend });
    let strands = strands.collect();
    let leaving = found.leaving;
    let is_empty = |path: &[u64]| plan.has_gaps() && plan.nodes_in(path).is_zero();
    let mut borders = Vec::new();
    for inside in 1..shown {
        let Some(outline) = places.outline(inside) else { continue };
        let below_it = count / below.cells(inside);
        for cell in 0..below.cells(inside) {
            let digits = digits(cell * below_it);
            if is_empty(&whole(&digits[..inside])) {
                continue;
            }
            let hull = outline.moved(places.middle(&digits[..inside]));
            let level = below.layers()[inside - 1].level;
            borders.push(Border { path: whole(&digits[..inside]), hull, level });
        }
    }
    let mut view = View {
        path: path.to_vec(),
        shown,
        spots,
        strands,
        left: leaving.is_some(),
        leaving: leaving.unwrap_or_default(),
        linked,
        borders,
        nodes_a_spot: size(&below.layers()[shown..]),
        alike: true,
    };
    if plan.has_gaps() {
        without_gaps(&mut view, plan);
    }
    view
}

/// Leaves out spots without nodes, and numbers the others anew.
fn without_gaps(view: &mut View, plan: &Plan) {
    let nodes: Vec<BigUint> = view.spots.iter().map(|spot| plan.nodes_in(&spot.path)).collect();
    let mut taken = 0;
    let numbers: Vec<usize> = nodes
        .iter()
        .map(|nodes| {
            taken += usize::from(!nodes.is_zero());
            taken.saturating_sub(1)
        })
        .collect();
    let mut filled = nodes.iter().map(|nodes| !nodes.is_zero());
    view.spots.retain(|_| filled.next().unwrap_or(false));
    for strand in &mut view.strands {
        strand.cord.from = numbers[strand.cord.from];
        strand.cord.to = numbers[strand.cord.to];
    }
    view.leaving.iter_mut().for_each(|leaving| leaving.spot = numbers[leaving.spot]);
    view.nodes_a_spot = nodes.iter().max().cloned().unwrap_or_default();
    view.alike = nodes.iter().all(|nodes| nodes.is_zero() || *nodes == view.nodes_a_spot);
}

/// The plans in which a cell lies, outermost first, each with how many layers lie outside of it.
fn parts<'a>(atlas: &'a Atlas, depth: usize) -> Vec<(usize, Part<'a>)> {
    let mut part = Part { plan: atlas.plan(), network: atlas.network() };
    let mut before = 0;
    let mut all = vec![(0, part)];
    while let Some((layers, inside)) = part.inside().filter(|(layers, _)| before + layers <= depth)
    {
        before += layers;
        part = inside;
        all.push((before, part));
    }
    all
}

/// What joins the cells that `shown` more layers tell apart, if anybody knows.
fn links(
    atlas: &Atlas,
    path: &[u64],
    shown: usize,
    watch: &Watch<'_>,
) -> Result<Option<Links>, Interrupted> {
    let depth = path.len();
    let parts = parts(atlas, depth);
    let nodes = size(&atlas.plan().layers()[depth..]).to_u64().filter(|&nodes| nodes <= MAX_CELL);
    let spot = size(&atlas.plan().layers()[depth + shown..]);
    let mut found = None;
    for (which, (before, part)) in parts.iter().enumerate() {
        if let (Some(nodes), Some(network)) = (nodes, part.network)
            && part.plan.node_at(0).is_some()
        {
            let links = walked(part, &**network, &path[*before..], shown, nodes, *before, watch)?;
            found = Some((which, links));
            break;
        }
    }
    if found.is_none() {
        for (which, (before, part)) in parts.iter().enumerate().rev() {
            let local = &path[*before..];
            if let Some(cords) = within::by_rule(part, local, shown, watch)? {
                let leaving = within::leaving(part, local, shown, *before);
                found = Some((which, Links { cords, leaving }));
                break;
            }
        }
    }
    let Some((which, mut links)) = found else { return Ok(None) };
    for (before, part) in &parts[..which] {
        let local = &path[*before..];
        let more = within::outer(part, local, shown, &spot, *before);
        links.leaving = links.leaving.zip(more).map(|(mut all, more)| {
            all.extend(more);
            all
        });
    }
    Ok(Some(links))
}

/// Node by node.
fn walked(
    part: &Part<'_>,
    network: &dyn Network,
    path: &[u64],
    shown: usize,
    nodes: u64,
    before: usize,
    watch: &Watch<'_>,
) -> Result<Links, Interrupted> {
    let layers = part.plan.layers();
    let depth = path.len();
    let first = layers[..depth].iter().zip(path).fold(0, |at, (l, d)| at * l.shape.places() + d);
    let first = first * nodes;
    let spot_size = part.plan.nodes_a_cell(depth + shown);
    let sizes: Vec<u64> = (1..=depth).map(|depth| part.plan.nodes_a_cell(depth)).collect();
    let mut cords: BTreeMap<(u16, u64, u64), u64> = BTreeMap::new();
    let mut leaving: BTreeMap<(u64, usize), u64> = BTreeMap::new();
    for place in first..first + nodes {
        if place % 4096 == 0 {
            watch.check()?;
        }
        let Some(at) = part.plan.node_at(place) else { continue };
        let from = (place - first) / spot_size;
        network.for_each_neighbor(at, &mut |port, to: Node| {
            let there = part.plan.place_of(to);
            if (first..first + nodes).contains(&there) {
                let to = (there - first) / spot_size;
                // Each link is met from both ends.
                if from < to {
                    *cords.entry((network.level(at, port), from, to)).or_default() += 1;
                }
            } else {
                let same = |size: &&u64| there / *size == place / *size;
                let layer = sizes.iter().take_while(same).count();
                *leaving.entry((from, before + layer)).or_default() += 1;
            }
        });
    }
    let index = |spot: u64| usize::try_from(spot).unwrap_or(usize::MAX);
    let cord = |((level, from, to), links): ((u16, u64, u64), u64)| Cord {
        level,
        from: index(from),
        to: index(to),
        links: links.into(),
    };
    let leaves = |((spot, layer), links): ((u64, usize), u64)| Leaving {
        spot: index(spot),
        layer,
        links: links.into(),
    };
    Ok(Links {
        cords: cords.into_iter().map(cord).collect(),
        leaving: Some(leaving.into_iter().map(leaves).collect()),
    })
}

/// A neighbor of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beside {
    /// Its path.
    pub path: Vec<u64>,
    /// The level of the link.
    pub level: u16,
}

/// The neighbors of the node at a whole path, where the construction says them at this size.
pub fn neighbors(atlas: &Atlas, path: &[u64]) -> Option<Vec<Beside>> {
    beside(Part { plan: atlas.plan(), network: atlas.network() }, path)
}

fn beside(part: Part<'_>, path: &[u64]) -> Option<Vec<Beside>> {
    if let Some(network) = part.network {
        let at = part.node(path)?;
        let mut all = Vec::new();
        network.for_each_neighbor(at, &mut |port, to| {
            all.push(Beside { path: part.path(to), level: network.level(at, port) });
        });
        return Some(all);
    }
    let (layers, inside) = part.bipartite()?;
    debug_assert!(matches!(part.plan.joints(), Joints::Bipartite { .. }));
    let (outer, inner) = path.split_at(layers);
    let mut all = beside(inside, inner)?;
    for beside in &mut all {
        beside.path = outer.iter().chain(&beside.path).copied().collect();
    }
    let (kind, cluster) = part.kind_and_cluster(path)?;
    let across = part.cluster_digits(1 - kind, inner)?;
    let level = part.plan.layers()[0].level;
    all.push(Beside { path: across.into_iter().chain(cluster).collect(), level });
    Some(all)
}
