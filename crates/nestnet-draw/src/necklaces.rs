//! Where do words lie of which a shift makes others, as in de Bruijn and Kautz graphs? Each cycle of shifts on a circle.
//!
//! A shift that puts the letter back that it takes away is one to one, and its cycles are the necklaces of words. Necklaces
//! of the same sum are above each other, smaller sums to the left. They are turned one by one until no turn makes links
//! shorter; of several orders within columns the one of the fewest crossings is taken.

use super::Point;
use super::shape::bounds;
use super::stress::Draws;
use nestnet_graph::measure::{Interrupted, Watch};
use nestnet_graph::{Address, Network, Node};
use std::collections::BTreeMap;
use std::f64::consts::PI;

/// Among more words no link can be followed.
const MAX_WORDS: u64 = 130;

/// How many orders of necklaces are tried.
const TRIALS: usize = 40;

/// How often every circle is turned.
const ROUNDS: usize = 6;

/// How far necklaces are apart; words of one are 1 apart.
const GAP: f64 = 1.0;

/// Words on a circle.
struct Circle {
    words: Vec<usize>,
    middle: Point,
}

impl Circle {
    fn radius(&self) -> f64 {
        if self.words.len() == 1 { 0.0 } else { 0.5 / (PI / self.words.len() as f64).sin() }
    }

    /// Where its words are when it is turned by so many half steps; past one turn, in the other direction.
    fn placed(&self, turn: usize) -> impl Iterator<Item = (usize, Point)> + '_ {
        let (steps, radius) = (self.words.len(), self.radius());
        let direction = if turn < 2 * steps { 1.0 } else { -1.0 };
        self.words.iter().enumerate().map(move |(at, &word)| {
            let turns = (direction * at as f64 + turn as f64 / 2.0) / steps as f64;
            (word, self.middle + Point::on_circle(turns, radius))
        })
    }
}

/// Where the nodes lie; nothing where they are no words of which a shift makes others, or too many.
///
/// O(trials · (links² + rounds · links · letters)).
pub fn layout(network: &dyn Network, watch: &Watch<'_>) -> Result<Option<Vec<Point>>, Interrupted> {
    let Some(mut columns) = columns(network) else { return Ok(None) };
    let neighbors: Vec<Vec<usize>> = (0..network.order())
        .map(|at| {
            let mut all = Vec::new();
            network.for_each_neighbor(Node(at), &mut |_, to| all.extend(usize::try_from(to.0)));
            all
        })
        .collect();
    let mut draws = Draws::default();
    let mut best: Option<((usize, f64), Vec<Point>)> = None;
    for trial in 0..TRIALS {
        watch.check()?;
        if trial > 0 {
            for column in &mut columns {
                (1..column.len()).for_each(|last| column.swap(last, draws.below(last + 1)));
            }
        }
        arrange(&mut columns);
        let mut points = vec![Point::default(); neighbors.len()];
        for circle in columns.iter().flatten() {
            let turn = draws.below(2 * circle.words.len());
            circle.placed(turn).for_each(|(word, at)| points[word] = at);
        }
        for _ in 0..ROUNDS {
            for circle in columns.iter().flatten() {
                turn(circle, &neighbors, &mut points);
            }
        }
        let found = (crossings(&neighbors, &points), length(&neighbors, &points));
        if best.as_ref().is_none_or(|(least, _)| found < *least) {
            best = Some((found, points));
        }
    }
    Ok(best.map(|(_, points)| stretched(points)))
}

/// The same, neither side of the picture more than twice as long as the other.
fn stretched(points: Vec<Point>) -> Vec<Point> {
    let (low, high) = bounds(&points);
    let size = high - low;
    let longer = |side: f64, other: f64| (other / (2.0 * side.max(1e-9))).clamp(1.0, 8.0);
    let (wider, higher) = (longer(size.x, size.y), longer(size.y, size.x));
    points.into_iter().map(|at| Point::new(at.x * wider, at.y * higher)).collect()
}

/// The cycles of shifts, those of the same sum in a column.
fn columns(network: &dyn Network) -> Option<Vec<Vec<Circle>>> {
    let order = network.order();
    if order > MAX_WORDS {
        return None;
    }
    let mut seen = vec![false; usize::try_from(order).ok()?];
    let mut columns: BTreeMap<u64, Vec<Circle>> = BTreeMap::new();
    for start in (0..order).map(Node) {
        let (mut words, mut sum) = (Vec::new(), 0);
        let mut at = start;
        loop {
            let word = usize::try_from(at.0).ok()?;
            if std::mem::replace(seen.get_mut(word)?, true) {
                break;
            }
            words.push(word);
            let (next, letters) = shifted(network, at)?;
            sum += letters;
            at = next;
        }
        // What is one to one comes back to where it began.
        if at != start {
            return None;
        }
        if let Some(count) = u64::try_from(words.len()).ok().filter(|&count| count > 0) {
            let circle = Circle { words, middle: Point::default() };
            columns.entry(sum * 5040 / count).or_default().push(circle);
        }
    }
    Some(columns.into_values().collect())
}

/// What the shift makes of a word by the letter that it takes away, or by the next one where that may not follow; and the
/// sum of its letters.
fn shifted(network: &dyn Network, at: Node) -> Option<(Node, u64)> {
    let address = network.address(at);
    let letters = address.as_numbers(address.as_tuple()?.len())?;
    let (&first, rest) = letters.split_first()?;
    let &second = rest.first()?;
    let by = |letter: u64| {
        network.node(&Address::numbers(rest.iter().copied().chain(std::iter::once(letter))))
    };
    let to = by(first).or_else(|| by(second))?;
    let mut is_linked = to == at;
    network.for_each_neighbor(at, &mut |_, other| is_linked |= other == to);
    is_linked.then(|| (to, letters.iter().sum()))
}

/// Columns beside each other.
fn arrange(columns: &mut [Vec<Circle>]) {
    let mut left = 0.0;
    for column in columns.iter_mut() {
        let radius = column.iter().map(Circle::radius).fold(0.0, f64::max);
        let height: f64 = column.iter().map(|circle| 2.0 * circle.radius() + GAP).sum();
        let mut top = -height / 2.0;
        for circle in column {
            let own = circle.radius();
            circle.middle = Point::new(left + radius, top + GAP / 2.0 + own);
            top += 2.0 * own + GAP;
        }
        left += 2.0 * radius + GAP;
    }
}

/// Turns a circle so that the links of its words are as short as they can be while the others stay.
fn turn(circle: &Circle, neighbors: &[Vec<usize>], points: &mut [Point]) {
    let mut best = (f64::INFINITY, 0);
    for turn in 0..4 * circle.words.len() {
        circle.placed(turn).for_each(|(word, at)| points[word] = at);
        let links = circle
            .words
            .iter()
            .flat_map(|&word| neighbors[word].iter().map(move |&other| (word, other)));
        let length: f64 = links.map(|(a, b)| (points[a] - points[b]).length()).sum();
        if length < best.0 - 1e-9 {
            best = (length, turn);
        }
    }
    circle.placed(best.1).for_each(|(word, at)| points[word] = at);
}

fn links(neighbors: &[Vec<usize>]) -> impl Iterator<Item = (usize, usize)> + '_ {
    let all = |(a, others): (usize, &Vec<usize>)| {
        let later: Vec<usize> = others.iter().copied().filter(|&b| a < b).collect();
        later.into_iter().map(move |b| (a, b))
    };
    neighbors.iter().enumerate().flat_map(all)
}

fn length(neighbors: &[Vec<usize>], points: &[Point]) -> f64 {
    links(neighbors).map(|(a, b)| (points[a] - points[b]).length()).sum()
}

/// How many pairs of links cross each other.
fn crossings(neighbors: &[Vec<usize>], points: &[Point]) -> usize {
    let links: Vec<(usize, usize)> = links(neighbors).collect();
    let side = |a: usize, b: usize, c: usize| (points[b] - points[a]).cross(points[c] - points[a]);
    let cross = |(a, b): (usize, usize), (c, d): (usize, usize)| {
        side(a, b, c) * side(a, b, d) < -1e-9 && side(c, d, a) * side(c, d, b) < -1e-9
    };
    let pairs = links
        .iter()
        .enumerate()
        .flat_map(|(i, &one)| links[..i].iter().map(move |&other| (one, other)));
    pairs.filter(|&(one, other)| cross(one, other)).count()
}
