//! What is in the picture: dots, lines, outlines, and what is marked on them.

use super::bend::{Care, beside};
use super::bundle::{self, Bundle, MAX_WALKED};
use super::hull::Hull;
use super::place::Places;
use super::plan::Plan;
use super::shape::{Point, Shape, bounds};
use super::{DrawError, Held, Joints, Layer};
use nestnet_graph::measure::Watch;
use nestnet_graph::{Network, Node, index};
use num_traits::Zero;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

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
    pub links: u64,
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
    pub nodes_a_dot: u64,
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
    let Chosen { plan, depth, bundles, uneven } = choose(network, plan, options, watch)?;
    let plan = &*plan;
    let places = Places::new(plan, depth);
    let cells = plan.cells(depth);
    let nodes_a_dot = plan.nodes_a_cell(depth);
    let mut dots: Vec<Dot> = Vec::new();
    for cell in 0..cells {
        let digits = places.digits(cell);
        let at = places.middle(&digits);
        let outward = at - places.middle(&digits[..depth.saturating_sub(1)]);
        dots.push(Dot { at, outward, node: None, mark: None });
    }
    if nodes_a_dot == 1 {
        for node in (0..network.order()).map(Node) {
            dots[index(plan.cell_of(node, depth))].node = Some(node);
        }
    }
    for &(node, mark) in &marks.nodes {
        let dot = &mut dots[index(plan.cell_of(node, depth))];
        dot.mark = Some(dot.mark.map_or(mark, |other| other.min(mark)));
    }
    let care = Care::of(dots.len(), bundles.len());
    let loads = loads(plan, depth, marks);
    let pen = Pen { plan, places: &places, dots: &dots, care, loads };
    let mut bent = BTreeMap::new();
    let mut lines: Vec<Line> = bundles.iter().map(|bundle| pen.line(bundle, &mut bent)).collect();
    // Inner lines over outer ones; otherwise in the order of cells.
    lines.sort_by_key(|line| line.shared);
    let drawn: u128 = bundles.iter().map(|bundle| u128::from(bundle.links)).sum();
    let hops = pen.hops(network, depth, marks, &mut bent);
    let hidden = (nodes_a_dot > 1 && network.order() <= MAX_WALKED)
        .then(|| links_of(network).saturating_sub(drawn));
    let outlines = outlines(plan, &places, depth);
    let levels = network.levels();
    let alike = !(plan.has_gaps() || uneven) || nodes_a_dot == 1;
    if plan.has_gaps() {
        let mut cells = (0..cells).map(|cell| path_of(&places, cell));
        dots.retain(|_| cells.next().is_some_and(|path| !plan.nodes_in(&path).is_zero()));
    }
    Ok(Scene { outlines, lines, dots, hops, nodes_a_dot, alike, hidden, levels })
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
        Dot { at, outward: Point::default(), node: None, mark: None }
    };
    let dots: Vec<Dot> = (0..plan.cells(places.depth())).map(dot).collect();
    let ends: Vec<(usize, usize)> = ends.collect();
    let care = Care::of(dots.len(), ends.len());
    let pen = Pen { plan, places, dots: &dots, care, loads: BTreeMap::new() };
    let mut bent = BTreeMap::new();
    let line = |(from, to): (usize, usize)| {
        let bundle = Bundle { level: 0, from: from as u64, to: to as u64, links: 1 };
        Fit { bend: pen.line(&bundle, &mut bent).bend }
    };
    ends.into_iter().map(line).collect()
}

/// What is drawn.
struct Chosen<'a> {
    plan: Cow<'a, Plan>,
    /// Down to which layer.
    depth: usize,
    /// What joins the cells there.
    bundles: Vec<Bundle>,
    /// Whether some cell has fewer nodes than others although no place is empty.
    uneven: bool,
}

/// Down to which layer, and what joins the cells there.
fn choose<'a>(
    network: &dyn Network,
    plan: &'a Plan,
    options: Options,
    watch: &Watch<'_>,
) -> Result<Chosen<'a>, DrawError> {
    let chosen =
        |depth, bundles| Chosen { plan: Cow::Borrowed(plan), depth, bundles, uneven: false };
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
            Ok(found) if is_clear(plan, depth, &found) => return Ok(chosen(depth, found)),
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

/// Whether lines can be distinguished: where there are many, most of the picture has few of them at a place.
fn is_clear(plan: &Plan, depth: usize, bundles: &[Bundle]) -> bool {
    /// As many are always drawn.
    const FEW: usize = 2_100;
    /// How many squares lie along the longer side of the picture.
    const SQUARES: u32 = 200;
    /// So many lines in a square are fog, and so much of the picture may be.
    const FOG: u32 = 5;
    const FOGGED: f64 = 0.4;
    if bundles.len() <= FEW {
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
    for bundle in bundles {
        let [[x, y], to] = [bundle.from, bundle.to].map(|cell| spots[index(cell)]);
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

/// Whether all links of a network can be distinguished after a plan that does not fold it. O(links).
pub fn is_readable(
    network: &dyn Network,
    plan: &Plan,
    watch: &Watch<'_>,
) -> Result<bool, DrawError> {
    let (depth, limit) = (plan.layers().len(), Options::default().max_links);
    match bundle::counted(network, plan, depth, limit, watch) {
        Ok(bundles) => Ok(is_clear(plan, depth, &bundles)),
        Err(DrawError::TooManyLines { .. }) => Ok(false),
        Err(error) => Err(error),
    }
}

/// The outermost cells in about two dozen parts that follow each other, where there are many more of them.
fn merged<'a>(
    network: &dyn Network,
    plan: &Plan,
    options: Options,
    watch: &Watch<'_>,
) -> Result<Option<Chosen<'a>>, DrawError> {
    /// So many parts, rather equal ones.
    const PARTS: RangeInclusive<u64> = 16..=32;
    let (cells, inside) = (plan.cells(1), plan.nodes_a_cell(1));
    if cells < 2 * PARTS.end() || options.max_nodes < *PARTS.end() {
        return Ok(None);
    }
    let even = PARTS.rev().find(|&parts| cells.is_multiple_of(parts));
    let each = even.map_or_else(|| cells.div_ceil(24), |parts| cells / parts);
    let parts = cells.div_ceil(each);
    let Some(nodes) = each.checked_mul(inside) else { return Ok(None) };
    let layers = [parts, nodes].map(|places| Layer {
        shape: Shape::Ring(places),
        level: plan.layers()[0].level,
        held: Held::Part,
    });
    let of = plan.clone();
    let coarse = Plan::layered(layers.to_vec()).seated(move |at| of.place_of(at));
    let bundles = if network.order() <= MAX_WALKED {
        bundle::counted(network, &coarse, 1, options.max_links, watch)?
    } else {
        let Joints::EveryTwo { layers, links, opposite: 0 } = plan.joints() else {
            return Ok(None);
        };
        let clusters = plan.cells(*layers) / cells;
        let size = |part: u64| (each.min(cells - part * each)).saturating_mul(clusters);
        let level = plan.layers()[0].level;
        let pairs = (0..parts).flat_map(|from| (from + 1..parts).map(move |to| (from, to)));
        let bundle = |(from, to)| {
            let links = size(from).saturating_mul(size(to)).saturating_mul(*links);
            Bundle { level, from, to, links }
        };
        pairs.map(bundle).collect()
    };
    let uneven = even.is_none() || plan.has_gaps();
    Ok(Some(Chosen { plan: Cow::Owned(coarse), depth: 1, bundles, uneven }))
}

fn bundles(
    network: &dyn Network,
    plan: &Plan,
    depth: usize,
    options: Options,
    watch: &Watch<'_>,
) -> Result<Vec<Bundle>, DrawError> {
    let limit = options.max_links;
    if network.order() <= MAX_WALKED {
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

/// Bends that were found, by the places of both ends in their innermost cell.
type Bent = BTreeMap<(usize, usize), Point>;

/// With more places than these a line is not checked against all of them.
const MAX_CHECKED: usize = 2000;

impl Pen<'_> {
    fn line(&self, bundle: &Bundle, bent: &mut Bent) -> Line {
        let Bundle { level, from, to, links } = *bundle;
        let (a, b) = (self.places.digits(from), self.places.digits(to));
        let shared = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
        let last = a.len() - 1;
        let bend = if shared == last {
            *bent.entry((a[last], b[last])).or_insert_with(|| self.bend(a[last], b[last]))
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
        Line { from: ends[0], to: ends[1], bend, level, shared, links, loads, inside }
    }

    /// How a line between two clusters is bent so that it passes beside the dots of others, in pictures of few dots.
    fn bend_outer(&self, from: u64, to: u64) -> Point {
        /// Among more dots no line can be followed anyway.
        const FEW: usize = 300;
        if self.dots.len() > FEW {
            return Point::default();
        }
        let [a, b] = [from, to].map(|cell| self.dots[index(cell)].at);
        beside(a, b, self.dots.iter().map(|dot| dot.at), self.care)
    }

    /// How a line between two places of an innermost cell is bent so that it passes beside others.
    fn bend(&self, from: usize, to: usize) -> Point {
        let points = self.places.innermost();
        let depth = self.places.depth();
        let round = matches!(
            self.plan.layers()[depth - 1].shape,
            Shape::Ring(_) | Shape::HalfRings(_) | Shape::TwoRows(_)
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
