//! What is in the picture: dots, lines, outlines, and what is marked on them.

use super::bend::{Care, beside};
use super::bundle::{self, Bundle, MAX_WALKED};
use super::hull::Hull;
use super::layer::size;
use super::merged::Merging;
use super::place::Places;
use super::plan::Plan;
use super::shape::{Point, Shape, bounds, closest};
use super::{DrawError, Held, Joints};
use nestnet_graph::measure::Watch;
use nestnet_graph::{Network, Node, index};
use num_bigint::BigUint;
use num_traits::{One, Zero};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// How much is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// What becomes a dot.
    pub fold: Fold,
    /// The most dots.
    pub max_nodes: u64,
    /// The most lines.
    pub max_links: u64,
}

/// Which cells become dots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fold {
    /// As few as leave a picture within the limits.
    Automatic,
    /// Those that only have links below this level; 0 folds nothing.
    Level(u16),
}

impl Default for Options {
    fn default() -> Self {
        Options { fold: Fold::Automatic, max_nodes: 5_000, max_links: 200_000 }
    }
}

/// What is shown on top of the network.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    /// Nodes that play a part. The first mark of a dot counts.
    pub nodes: Vec<(Node, Mark)>,
    /// Links that are used, from where to where.
    pub hops: Vec<(Node, Node)>,
    /// How busy links are from where to where; of those from one cell to another the busiest counts.
    pub loads: Vec<(Node, Node, f64)>,
}

/// The part that a node plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// Where it begins.
    Start,
    /// Where it ends.
    End,
    /// In transit, or informed before.
    Holder,
    /// Informed in this step.
    New,
}

/// A node or a folded cell.
#[derive(Clone, Debug)]
pub struct Dot {
    /// Its middle, in units of the picture.
    pub at: Point,
    /// Which way is outside, for its label.
    pub outward: Point,
    /// The node, where it is one.
    pub node: Option<Node>,
    /// How many nodes it represents, where that is written on it.
    pub nodes: Option<u64>,
    /// Whether it is a switch, or switches alone.
    pub switch: bool,
    /// The part that it plays.
    pub mark: Option<Mark>,
}

/// All links of one level between two dots.
#[derive(Clone, Debug)]
pub struct Line {
    /// From where.
    pub from: Point,
    /// To where.
    pub to: Point,
    /// To which side it is bent, and how far, where it would pass through another dot.
    pub bend: Point,
    /// The level of the links.
    pub level: u16,
    /// How many layers have both ends in the same cell.
    pub shared: usize,
    /// How many links it represents.
    pub links: BigUint,
    /// How busy it is, from where and from the other end.
    pub loads: Option<[f64; 2]>,
    /// How much of it lies in the outermost cell that has only one of its ends, at either end.
    pub inside: [f64; 2],
}

/// The border of a cluster.
#[derive(Clone, Debug)]
pub struct Outline {
    /// Its corners.
    pub hull: Hull,
    /// How many layers it is in.
    pub depth: usize,
    /// The level of the links that join such clusters.
    pub level: u16,
}

/// Everything that is drawn, in a unit in which dots are at least 1 apart.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Outermost first.
    pub outlines: Vec<Outline>,
    /// Outermost first.
    pub lines: Vec<Line>,
    /// In the order of their cells.
    pub dots: Vec<Dot>,
    /// Links that are used, from dot to dot.
    pub hops: Vec<Line>,
    /// How many nodes a dot represents, at most.
    pub nodes_a_dot: BigUint,
    /// Whether all dots represent as many.
    pub alike: bool,
    /// How many links are inside the dots and not drawn, where they were counted.
    pub hidden: Option<u128>,
    /// How many levels of links there are in the network.
    pub levels: u16,
}

/// The picture of `network` after its `plan`.
///
/// Every link is drawn, alone or in a bundle, or lies inside a dot. Up to [`MAX_WALKED`] nodes links are counted one by
/// one; beyond, by the rule of the plan. The same for the same input.
pub fn scene(
    network: &dyn Network,
    plan: &Plan,
    options: Options,
    marks: &Marks,
    watch: &Watch<'_>,
) -> Result<Scene, DrawError> {
    let chosen = choose(network, plan, options, watch)?;
    let drawn: u128 = chosen.bundles.iter().map(|bundle| u128::from(bundle.links)).sum();
    let mut scene = composed(&chosen, Some(network), marks);
    let is_counted = !scene.nodes_a_dot.is_one() && ends_of(network) <= MAX_COUNTED;
    scene.hidden = is_counted.then(|| links_of(network).saturating_sub(drawn));
    Ok(scene)
}

/// Cells and bundles as dots and lines.
pub(super) fn composed(chosen: &Chosen<'_>, network: Option<&dyn Network>, marks: &Marks) -> Scene {
    let Chosen { plan, depth, bundles, uneven, counts } = chosen;
    let (plan, depth) = (&**plan, *depth);
    let places = Places::new(plan, depth);
    let cells = plan.cells(depth);
    let nodes_a_dot = match counts {
        Some(counts) => counts.iter().copied().max().unwrap_or(1).into(),
        None => size(&plan.layers()[depth..]),
    };
    let mut dots: Vec<Dot> = Vec::new();
    for cell in 0..cells {
        let digits = places.digits(cell);
        let at = places.middle(&digits);
        let outward = at - places.middle(&digits[..depth.saturating_sub(1)]);
        let nodes = counts.as_ref().and_then(|counts| counts.get(index(cell)).copied());
        dots.push(Dot { at, outward, node: None, nodes, switch: false, mark: None });
    }
    if let Some(network) = network.filter(|_| nodes_a_dot.is_one() || counts.is_some()) {
        let hosts = network.hosts();
        // Folded ones are marked as long as no host is met.
        dots.iter_mut().for_each(|dot| dot.switch = hosts < network.order());
        for node in (0..network.order()).map(Node) {
            let dot = &mut dots[index(plan.cell_of(node, depth))];
            dot.switch &= node.0 >= hosts;
            dot.node = Some(node).filter(|_| nodes_a_dot.is_one());
        }
    }
    for &(node, mark) in &marks.nodes {
        let dot = &mut dots[index(plan.cell_of(node, depth))];
        dot.mark = Some(dot.mark.map_or(mark, |other| other.min(mark)));
    }
    let care = Care::of(dots.len(), bundles.len());
    let loads = loads(plan, depth, marks);
    let pen = Pen { plan, places: &places, dots: &dots, care, loads };
    let mut bent = Bent::default();
    let mut lines: Vec<Line> = bundles.iter().map(|bundle| pen.line(bundle, &mut bent)).collect();
    // Inner lines over outer ones; otherwise in the order of cells.
    lines.sort_by_key(|line| line.shared);
    let hops = network.map_or_else(Vec::new, |network| pen.hops(network, depth, marks, &mut bent));
    let outlines = outlines(plan, &places, depth);
    let outermost = plan.layers().first().map_or(0, |layer| layer.level);
    let levels = network.map_or(outermost + 1, |network| network.levels());
    let alike = !(plan.has_gaps() || *uneven) || nodes_a_dot.is_one();
    if plan.has_gaps() {
        let mut cells = (0..cells).map(|cell| path_of(&places, cell));
        dots.retain(|_| cells.next().is_some_and(|path| !plan.nodes_in(&path).is_zero()));
    }
    Scene { outlines, lines, dots, hops, nodes_a_dot, alike, hidden: None, levels }
}

fn path_of(places: &Places, cell: u64) -> Vec<u64> {
    places.digits(cell).into_iter().map(|digit| digit as u64).collect()
}

/// How a line fits between others.
pub(super) struct Fit {
    /// To which side it bends.
    pub bend: Point,
}

/// How the lines between these cells of a placed plan bend, in their order.
pub(super) fn fit(
    plan: &Plan,
    places: &Places,
    ends: impl Iterator<Item = (usize, usize)>,
) -> Vec<Fit> {
    let dot = |cell: u64| {
        let at = places.middle(&places.digits(cell));
        Dot { at, outward: Point::default(), node: None, nodes: None, switch: false, mark: None }
    };
    let dots: Vec<Dot> = (0..plan.cells(places.depth())).map(dot).collect();
    let ends: Vec<(usize, usize)> = ends.collect();
    let care = Care::of(dots.len(), ends.len());
    let pen = Pen { plan, places, dots: &dots, care, loads: BTreeMap::new() };
    let mut bent = Bent::default();
    let line = |(from, to): (usize, usize)| {
        let bundle = Bundle { level: 0, from: from as u64, to: to as u64, links: 1 };
        Fit { bend: pen.line(&bundle, &mut bent).bend }
    };
    ends.into_iter().map(line).collect()
}

/// What is drawn.
pub(super) struct Chosen<'a> {
    pub plan: Cow<'a, Plan>,
    /// Down to which layer.
    pub depth: usize,
    /// What joins the cells there.
    pub bundles: Vec<Bundle>,
    /// Whether some cell has fewer nodes than others although no place is empty.
    pub uneven: bool,
    /// How many nodes each cell has, where that is written on it.
    pub counts: Option<Vec<u64>>,
}

/// Down to which layer, and what joins the cells there.
fn choose<'a>(
    network: &dyn Network,
    plan: &'a Plan,
    options: Options,
    watch: &Watch<'_>,
) -> Result<Chosen<'a>, DrawError> {
    let chosen = |depth, bundles| {
        let plan = Cow::Borrowed(plan);
        Chosen { plan, depth, bundles, uneven: false, counts: None }
    };
    let all = plan.layers().len();
    let (nodes, limit) = (network.order(), options.max_nodes);
    if let Fold::Level(level) = options.fold {
        let depth = if level == 0 { all } else { plan.depth_of_level(level) };
        if depth == 0 {
            let most = plan.layers().first().map_or(0, |layer| layer.level);
            return Err(DrawError::NoLevel { level, most });
        }
        let dots = plan.cells(depth);
        if dots > limit {
            return Err(DrawError::TooManyDots { dots, limit });
        }
        return bundles(network, plan, depth, options, watch).map(|found| chosen(depth, found));
    }
    let mut last = DrawError::NoFold { nodes, limit };
    let mut finest = None;
    for depth in (1..=all).rev().filter(|&depth| plan.cells(depth) <= limit) {
        match bundles(network, plan, depth, options, watch) {
            Ok(found) if is_clear(plan, depth, &ends(&found)) => return Ok(chosen(depth, found)),
            Ok(found) => finest = finest.or(Some(chosen(depth, found))),
            Err(error @ DrawError::Interrupted(_)) => return Err(error),
            // The finest that could not be drawn says most.
            Err(error) if matches!(last, DrawError::NoFold { .. }) => last = error,
            Err(_) => {}
        }
    }
    // Not even the outermost cells are few enough: those beside each other become one dot.
    if let Some(merged) = merged(network, plan, options, watch)? {
        return Ok(merged);
    }
    finest.ok_or(last)
}

/// As many lines are always drawn.
const FEW: usize = 2_100;
/// How many squares lie along the longer side of the picture.
const SQUARES: u32 = 200;
/// So many lines in a square are fog, and so much of the picture may be.
const FOG: u32 = 5;
const FOGGED: f64 = 0.4;

/// Whether so many links between nodes can be distinguished wherever these lie: a node has its neighbors at best in a
/// disc around it, and so lines have a length on average that some of the picture must have room for.
pub fn can_be_readable(nodes: u64, links: u64) -> bool {
    let (nodes, links) = (nodes as f64, links as f64);
    let apart = f64::from(SQUARES) / nodes.sqrt().max(1.0);
    let degree = 2.0 * links / nodes.max(1.0);
    let length = (2.0 / 3.0 * (degree / std::f64::consts::PI).sqrt() * apart).max(1.0);
    links <= FEW as f64 || links * length <= f64::from(FOG * SQUARES * SQUARES)
}

/// Whether lines can be distinguished: where there are many, most of the picture has few of them at a place.
pub(super) fn is_clear(plan: &Plan, depth: usize, ends: &[(usize, usize)]) -> bool {
    if ends.len() <= FEW {
        return true;
    }
    let places = Places::new(plan, depth);
    let dots: Vec<Point> =
        (0..plan.cells(depth)).map(|cell| places.middle(&places.digits(cell))).collect();
    let (low, high) = bounds(&dots);
    let size = high - low;
    let scale = f64::from(SQUARES) / size.x.max(size.y).max(1e-9);
    // In whole squares.
    let whole =
        |value: f64| (1..SQUARES).filter(|&edge| f64::from(edge) <= value * scale).count() as i64;
    let spots: Vec<[i64; 2]> =
        dots.iter().map(|&dot| [whole(dot.x - low.x), whole(dot.y - low.y)]).collect();
    let mut lines_at = vec![0u32; index(u64::from(SQUARES * SQUARES))];
    for &(from, to) in ends {
        let [[x, y], to] = [from, to].map(|cell| spots[cell]);
        let along = [to[0] - x, to[1] - y];
        let steps = along[0].abs().max(along[1].abs()).max(1);
        for step in 0..=steps {
            let [x, y] = [x + along[0] * step / steps, y + along[1] * step / steps];
            let square = usize::try_from(y * i64::from(SQUARES) + x).unwrap_or(0);
            lines_at[square] += 1;
        }
    }
    let all = (size.x * scale).max(1.0) * (size.y * scale).max(1.0);
    let fogged = lines_at.iter().filter(|&&lines| lines >= FOG).count() as f64;
    fogged <= FOGGED * all
}

fn ends(bundles: &[Bundle]) -> Vec<(usize, usize)> {
    bundles.iter().map(|bundle| (index(bundle.from), index(bundle.to))).collect()
}

/// Whether all links of a network can be distinguished after a plan that does not fold it. O(links).
pub fn is_readable(
    network: &dyn Network,
    plan: &Plan,
    watch: &Watch<'_>,
) -> Result<bool, DrawError> {
    let (depth, limit) = (plan.layers().len(), Options::default().max_links);
    match bundle::counted(network, plan, depth, limit, watch) {
        Ok(bundles) => Ok(is_clear(plan, depth, &ends(&bundles))),
        Err(DrawError::TooManyLines { .. }) => Ok(false),
        Err(error) => Err(error),
    }
}

/// The outermost cells in parts, where there are many of them. A network whose nodes lie in no rows is divided into
/// clusters first.
fn merged<'a>(
    network: &dyn Network,
    plan: &Plan,
    options: Options,
    watch: &Watch<'_>,
) -> Result<Option<Chosen<'a>>, DrawError> {
    let is_given = matches!(plan.layers(), [only] if matches!(only.shape, Shape::Given(_)));
    let mut merging = Merging::of(plan);
    let mut plan = Cow::Borrowed(plan);
    if merging.is_none() && is_given && (2..=MAX_WALKED).contains(&network.order()) {
        plan = Cow::Owned(Plan::clustered(network));
        if plan.layers().len() > 1 && plan.cells(1) <= options.max_nodes {
            let bundles = bundle::counted(network, &plan, 1, options.max_links, watch)?;
            let plan = Cow::Owned(plan.into_owned());
            return Ok(Some(Chosen { plan, depth: 1, bundles, uneven: false, counts: None }));
        }
        merging = Merging::of(&plan);
    }
    let (plan, Some(merging)) = (&*plan, merging) else { return Ok(None) };
    let parts = merging.shape.places();
    if options.max_nodes < parts {
        return Ok(None);
    }
    let coarse = merging.plan(plan);
    let bundles = if is_ruled(network, plan, 1) {
        let mut links: BTreeMap<(u16, u64, u64), u64> = BTreeMap::new();
        for bundle in bundle::by_rule(plan, 1, watch)? {
            let [from, to] = [bundle.from, bundle.to].map(|cell| merging.part_of(cell).0);
            if from != to {
                let links = links.entry((bundle.level, from.min(to), from.max(to))).or_default();
                *links = links.saturating_add(bundle.links);
            }
        }
        let bundle = |((level, from, to), links)| Bundle { level, from, to, links };
        links.into_iter().map(bundle).collect()
    } else if network.order() <= MAX_WALKED {
        bundle::counted(network, &coarse, 1, options.max_links, watch)?
    } else {
        let Joints::EveryTwo { layers, links, opposite: 0 } = plan.joints() else {
            return Ok(None);
        };
        let cells = plan.cells(1);
        let clusters = plan.cells(*layers) / cells;
        let size = |part: u64| merging.cells_in(part, cells).saturating_mul(clusters);
        let level = plan.layers()[0].level;
        let pairs = (0..parts).flat_map(|from| (from + 1..parts).map(move |to| (from, to)));
        let bundle = |(from, to)| {
            let links = size(from).saturating_mul(size(to)).saturating_mul(*links);
            Bundle { level, from, to, links }
        };
        pairs.map(bundle).collect()
    };
    let counts = merging.counts.clone();
    let all_alike = counts.as_ref().is_some_and(|counts| counts.windows(2).all(|n| n[0] == n[1]));
    let uneven = !all_alike;
    Ok(Some(Chosen { plan: Cow::Owned(coarse), depth: 1, bundles, uneven, counts }))
}

/// More ends of links are not counted one by one where a rule says how many there are.
const MAX_COUNTED: u64 = 1 << 23;

/// More bundles are not listed in order to merge them.
const MAX_LISTED: u128 = 1 << 20;

/// How many links end at nodes, at most.
fn ends_of(network: &dyn Network) -> u64 {
    network.order().saturating_mul(network.ports().into())
}

/// Whether a rule says the bundles of cells that would take long to count.
fn is_ruled(network: &dyn Network, plan: &Plan, depth: usize) -> bool {
    ends_of(network) > MAX_COUNTED
        && bundle::by_rule_count(plan, depth).is_some_and(|lines| lines <= MAX_LISTED)
}

fn bundles(
    network: &dyn Network,
    plan: &Plan,
    depth: usize,
    options: Options,
    watch: &Watch<'_>,
) -> Result<Vec<Bundle>, DrawError> {
    let limit = options.max_links;
    if network.order() <= MAX_WALKED && !is_ruled(network, plan, depth) {
        return bundle::counted(network, plan, depth, limit, watch);
    }
    let uncounted = DrawError::Uncounted { nodes: network.order(), limit: MAX_WALKED };
    let lines = bundle::by_rule_count(plan, depth).ok_or(uncounted)?;
    if lines > limit.into() {
        return Err(DrawError::TooManyLines { lines, limit });
    }
    bundle::by_rule(plan, depth, watch)
}

fn links_of(network: &dyn Network) -> u128 {
    let mut ends = 0u128;
    for at in (0..network.order()).map(Node) {
        network.for_each_neighbor(at, &mut |_, _| ends += 1);
    }
    ends / 2
}

/// The busiest link from every cell to every other.
fn loads(plan: &Plan, depth: usize, marks: &Marks) -> BTreeMap<(u64, u64), f64> {
    let mut loads = BTreeMap::new();
    for &(a, b, load) in &marks.loads {
        let (a, b) = (plan.cell_of(a, depth), plan.cell_of(b, depth));
        let most = loads.entry((a, b)).or_insert(0.0f64);
        *most = most.max(load);
    }
    loads
}

fn outlines(plan: &Plan, places: &Places, depth: usize) -> Vec<Outline> {
    let mut outlines = Vec::new();
    for inside in 1..depth {
        let Some(outline) = places.outline(inside) else { continue };
        let cells_below = plan.cells(depth) / plan.cells(inside);
        for cell in 0..plan.cells(inside) {
            let digits = places.digits(cell * cells_below);
            let path: Vec<u64> = digits[..inside].iter().map(|&digit| digit as u64).collect();
            if plan.has_gaps() && plan.nodes_in(&path).is_zero() {
                continue;
            }
            let hull = outline.moved(places.middle(&digits[..inside]));
            outlines.push(Outline { hull, depth: inside, level: plan.layers()[inside - 1].level });
        }
    }
    outlines
}

/// Draws lines between placed dots.
struct Pen<'a> {
    plan: &'a Plan,
    places: &'a Places,
    dots: &'a [Dot],
    care: Care,
    loads: BTreeMap<(u64, u64), f64>,
}

/// Bends that were found.
#[derive(Default)]
struct Bent {
    /// By the places of both ends in their innermost cell.
    nodes: BTreeMap<(usize, usize), Point>,
    /// By a layer and the places in it of two cells that hold their ends at the same place.
    cells: BTreeMap<(usize, usize, usize), Point>,
}

/// Among more dots no line can be followed past each of them.
const FEW_DOTS: usize = 300;

/// With more places than these a line is not checked against all of them.
const MAX_CHECKED: usize = 2000;

impl Pen<'_> {
    fn line(&self, bundle: &Bundle, bent: &mut Bent) -> Line {
        let Bundle { level, from, to, links } = *bundle;
        let (a, b) = (self.places.digits(from), self.places.digits(to));
        let shared = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
        let last = a.len() - 1;
        let bend = if shared == last {
            let bend = || self.bend(a[last], b[last]);
            let bend = *bent.nodes.entry((a[last], b[last])).or_insert_with(bend);
            bend.turned(self.places.turn(&a[..last]))
        } else if a[shared + 1..] == b[shared + 1..] && self.is_crowded(shared) {
            let key = (shared, a[shared], b[shared]);
            let bend = || self.bend_between(shared, [key.1, key.2]);
            let bend = *bent.cells.entry(key).or_insert_with(bend);
            bend.turned(self.places.turn(&a[..shared]))
        } else {
            self.bend_outer(from, to)
        };
        let ends = [self.dots[index(from)].at, self.dots[index(to)].at];
        let inside = [(&a, 0), (&b, 1)].map(|(digits, end)| {
            // Only where an outline would hide the end of the line.
            let covered = self.plan.layers()[shared..last].iter().any(|l| l.held == Held::Cluster);
            let body = self.places.body(shared + 1).filter(|_| covered);
            body.map_or(0.0, |body| {
                let middle = self.places.middle(&digits[..=shared]);
                let direction = ends[1 - end] - ends[end];
                let length = direction.length();
                body.exit(ends[end] - middle, direction * (1.0 / length)).min(length / 2.0)
            })
        });
        let loads = [(from, to), (to, from)].map(|ends| self.loads.get(&ends).copied());
        let known = loads.iter().any(Option::is_some);
        let loads = known.then(|| loads.map(Option::unwrap_or_default));
        let links = links.into();
        Line { from: ends[0], to: ends[1], bend, level, shared, links, loads, inside }
    }

    /// How a line between two clusters is bent so that it passes beside the dots of others, in pictures of few dots.
    fn bend_outer(&self, from: u64, to: u64) -> Point {
        if self.dots.len() > FEW_DOTS {
            return Point::default();
        }
        let [a, b] = [from, to].map(|cell| self.dots[index(cell)].at);
        beside(a, b, self.dots.iter().map(|dot| dot.at), self.care)
    }

    /// Whether there are many dots, and cells of a layer lie in rows, so that a line between two of them meets others.
    fn is_crowded(&self, layer: usize) -> bool {
        let shape = &self.plan.layers()[layer].shape;
        matches!(shape, Shape::Grid { .. } | Shape::Block { .. } | Shape::Row(_))
            && shape.places() <= MAX_CHECKED as u64
            && self.dots.len() > FEW_DOTS
    }

    /// How a line between the same place of two cells in a row is bent so that it passes beside that place of those
    /// between, and farther from it the longer it is.
    fn bend_between(&self, layer: usize, [from, to]: [usize; 2]) -> Point {
        let points = self.places.offsets(layer);
        let apart = closest(points).max(1.0);
        let [a, b] = [from, to].map(|place| points[place] * (1.0 / apart));
        let others = points.iter().map(|&point| point * (1.0 / apart));
        let bend = beside(a, b, others, Care::Little);
        let (low, high) = bounds(points);
        let size = (high - low).x.max((high - low).y).max(apart);
        let part = (b - a).length() * apart / size;
        // Inside of what is around the places, as hosts are around a switch.
        bend * (apart * (0.15 + 0.75 * part.min(1.0)))
    }

    /// How a line between two places of an innermost cell is bent so that it passes beside others.
    fn bend(&self, from: usize, to: usize) -> Point {
        let points = self.places.innermost();
        let depth = self.places.depth();
        let round = matches!(
            self.plan.layers()[depth - 1].shape,
            Shape::Ring(_) | Shape::Turned { .. } | Shape::HalfRings(_) | Shape::TwoRows(_)
        );
        if round || points.len() > MAX_CHECKED {
            return Point::default();
        }
        beside(points[from], points[to], points.iter().copied(), self.care)
    }

    fn hops(
        &self,
        network: &dyn Network,
        depth: usize,
        marks: &Marks,
        bent: &mut Bent,
    ) -> Vec<Line> {
        let mut seen = BTreeSet::new();
        let mut hops = Vec::new();
        for &(a, b) in &marks.hops {
            let (from, to) = (self.plan.cell_of(a, depth), self.plan.cell_of(b, depth));
            if from == to || !seen.insert((from, to)) {
                continue;
            }
            let mut level = 0;
            network.for_each_neighbor(a, &mut |port, other| {
                if other == b {
                    level = network.level(a, port);
                }
            });
            let mut line = self.line(&Bundle { level, from, to, links: 1 }, bent);
            if from > to {
                // The line itself was drawn from the lower end, which decides to which side it bends.
                let back = self.line(&Bundle { level, from: to, to: from, links: 1 }, bent);
                line.bend = back.bend;
            }
            hops.push(line);
        }
        hops
    }
}
