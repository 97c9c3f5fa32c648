//! How is a grid of any size drawn? In blocks of blocks, of which the last may be smaller, and links by their borders.

use super::layer::{Cord, Held, Layer, Tally};
use super::shape::Shape;
use nestnet_graph::Node;
use nestnet_graph::radix::digits;
use num_bigint::BigUint;
use std::ops::Range;

/// How the nodes along one side of a grid are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Each to the next.
    Path,
    /// And the last to the first.
    Ring,
    /// Every two.
    Complete,
}

impl Side {
    fn shape(self, places: u64) -> Shape {
        match self {
            Side::Path => Shape::Row(places),
            Side::Ring | Side::Complete => Shape::Ring(places),
        }
    }

    /// How many links lead from a range of a side to a later one.
    fn links(self, side: u64, a: &Range<u64>, b: &Range<u64>) -> BigUint {
        let next = u8::from(a.end == b.start);
        match self {
            Side::Path => next.into(),
            Side::Ring => (next + u8::from(side > 2 && a.start == 0 && b.end == side)).into(),
            Side::Complete => BigUint::from(length(a)) * length(b),
        }
    }

    /// Which of `count` ranges, that follow each other, can be joined.
    fn pairs(self, count: usize) -> Box<dyn Iterator<Item = (usize, usize)>> {
        let next = (1..count).map(|b| (b - 1, b));
        match self {
            Side::Path => Box::new(next),
            Side::Ring => Box::new(next.chain((count > 2).then(|| (0, count - 1)))),
            Side::Complete => {
                Box::new((0..count).flat_map(move |a| (a + 1..count).map(move |b| (a, b))))
            }
        }
    }

    fn pair_count(self, count: usize) -> u128 {
        let count = count as u128;
        if self == Side::Complete { count * count / 2 } else { count }
    }
}

fn length(range: &Range<u64>) -> u64 {
    range.end.saturating_sub(range.start)
}

/// A side that a layer divides.
#[derive(Clone, Copy, Debug)]
struct Cut {
    side: usize,
    parts: u64,
    /// How long each part is, but the last, which may be shorter.
    length: u64,
}

/// A grid in blocks.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    sides: Vec<u64>,
    line: Side,
    /// Of every layer.
    cuts: Vec<Vec<Cut>>,
}

/// Which blocks are allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Blocks {
    /// All as long as each other, as far as sides have divisors.
    Even,
    /// The last of them shorter.
    Any,
}

/// More places than these are divided, so that they can be folded.
const MANY: u64 = 5000;

impl Grid {
    /// With its layers, outermost first.
    pub fn new(sides: &[u64], line: Side, blocks: Blocks) -> (Self, Vec<Layer>) {
        let sides: Vec<u64> = sides.iter().copied().filter(|&side| side > 1).collect();
        let mut lengths = sides.clone();
        let (mut cuts, mut layers) = (Vec::new(), Vec::new());
        let mut shape = line;
        loop {
            let parts = divided(&lengths, line, blocks);
            let is_last = parts == lengths;
            lengths
                .iter_mut()
                .zip(&parts)
                .for_each(|(length, parts)| *length = length.div_ceil(*parts));
            for (layer, which) in stage(&parts, shape) {
                let cut = |side: usize| Cut { side, parts: parts[side], length: lengths[side] };
                cuts.push(which.into_iter().map(cut).collect());
                layers.push(layer);
            }
            if is_last {
                return (Grid { sides, line, cuts }, layers);
            }
            // What is inside a block does not close around.
            shape = Side::Path;
        }
    }

    /// Whether some places are empty.
    pub fn has_gaps(&self) -> bool {
        let places = |side: usize| {
            self.cuts.iter().flatten().filter(move |cut| cut.side == side).map(|cut| cut.parts)
        };
        self.sides.iter().enumerate().any(|(at, &side)| places(at).product::<u64>() != side)
    }

    /// Whether nodes sit in the order of their numbers.
    pub fn is_in_order(&self) -> bool {
        let sides: Vec<usize> = self.cuts.iter().flatten().map(|cut| cut.side).collect();
        sides.is_sorted()
    }

    /// Where a node sits.
    pub fn place(&self, at: Node) -> u64 {
        let mut rest = digits(at.0, &self.sides);
        let mut place = 0;
        for cut in self.cuts.iter().flatten() {
            place = place * cut.parts + rest[cut.side] / cut.length;
            rest[cut.side] %= cut.length;
        }
        place
    }

    /// Who sits at a place.
    pub fn node(&self, place: u64) -> Option<Node> {
        let mut rest = place;
        let mut digits = vec![0; self.sides.len()];
        for cut in self.cuts.iter().flatten().rev() {
            digits[cut.side] += rest % cut.parts * cut.length;
            rest /= cut.parts;
        }
        let there = digits.iter().zip(&self.sides).all(|(digit, side)| digit < side);
        let number =
            || digits.iter().zip(&self.sides).fold(0, |at, (digit, side)| at * side + digit);
        there.then(|| Node(number()))
    }

    /// The part of every side that a cell covers.
    fn ranges(&self, path: &[u64]) -> Vec<Range<u64>> {
        let mut ranges: Vec<Range<u64>> = self.sides.iter().map(|&side| 0..side).collect();
        for (cuts, &digit) in self.cuts.iter().zip(path) {
            let mut rest = digit;
            for cut in cuts.iter().rev() {
                let range = &mut ranges[cut.side];
                *range = part(range, rest % cut.parts, cut.length);
                rest /= cut.parts;
            }
        }
        ranges
    }

    /// The parts of every side that cells below `path` cover, each with what it adds to the number of a cell.
    fn distinct(&self, path: &[u64], shown: usize) -> Vec<Vec<(Range<u64>, u64)>> {
        let ranges = self.ranges(path);
        let mut distinct: Vec<Vec<(Range<u64>, u64)>> =
            ranges.into_iter().map(|range| vec![(range, 0)]).collect();
        let cuts: Vec<&Cut> = self.cuts[path.len()..path.len() + shown].iter().flatten().collect();
        let cells = |cuts: &[&Cut]| cuts.iter().map(|cut| cut.parts).product::<u64>();
        for (at, cut) in cuts.iter().enumerate() {
            let step = cells(&cuts[at + 1..]);
            let parts = distinct[cut.side].iter().flat_map(|(range, number)| {
                (0..cut.parts)
                    .map(move |digit| (part(range, digit, cut.length), number + digit * step))
            });
            distinct[cut.side] = parts.filter(|(range, _)| length(range) > 0).collect();
        }
        distinct
    }
}

/// The part of that number.
fn part(range: &Range<u64>, number: u64, length: u64) -> Range<u64> {
    let start = range.start + number * length;
    start..(start + length).min(range.end)
}

impl Tally for Grid {
    fn nodes(&self, path: &[u64]) -> Option<BigUint> {
        Some(self.ranges(path).iter().map(|range| BigUint::from(length(range))).product())
    }

    fn count(&self, path: &[u64], shown: usize) -> Option<u128> {
        let distinct = self.distinct(path, shown);
        let cells: u128 = distinct.iter().map(|parts| parts.len() as u128).product();
        let lines = |parts: &Vec<_>| {
            cells / (parts.len() as u128).max(1) * self.line.pair_count(parts.len())
        };
        Some(distinct.iter().map(lines).sum())
    }

    fn cords(&self, path: &[u64], shown: usize) -> Vec<Cord> {
        let distinct = self.distinct(path, shown);
        let index = |spot: u64| usize::try_from(spot).unwrap_or(usize::MAX);
        let mut cords = Vec::new();
        for (side, parts) in distinct.iter().enumerate() {
            // All cells with the same part of this side, and how many nodes of one are next to it.
            let mut others = vec![(0, BigUint::from(1u8))];
            for (_, parts) in distinct.iter().enumerate().filter(|(other, _)| *other != side) {
                let wider = others.iter().flat_map(|(number, nodes)| {
                    parts.iter().map(move |(range, more)| (number + more, nodes * length(range)))
                });
                others = wider.collect();
            }
            for (a, b) in self.line.pairs(parts.len()) {
                let ((first, from), (second, to)) = (&parts[a], &parts[b]);
                let links = self.line.links(self.sides[side], first, second);
                if links == BigUint::ZERO {
                    continue;
                }
                cords.extend(others.iter().map(|(number, nodes)| Cord {
                    level: 0,
                    from: index(from + number),
                    to: index(to + number),
                    links: &links * nodes,
                }));
            }
        }
        cords.sort_unstable();
        cords
    }
}

/// Into how many parts each length is divided; into ones where that is not too many.
fn divided(lengths: &[u64], line: Side, blocks: Blocks) -> Vec<u64> {
    let places = lengths.iter().fold(1, |n: u64, &side| n.saturating_mul(side));
    let sides = lengths.iter().filter(|&&length| length > 1).count();
    let few = match sides {
        0..=3 => places <= MANY,
        _ => stage(lengths, Side::Path).iter().all(|(layer, _)| layer.shape.places() <= MANY),
    };
    if few {
        return lengths.to_vec();
    }
    // About two hundred in all, and fewer where each is joined to many.
    let most = match (sides, line) {
        (1, Side::Complete) => 24,
        (1, _) => 60,
        (2, Side::Complete) => 8,
        (2, _) => 16,
        (3, Side::Complete) => 4,
        (3, _) => 6,
        (4..=6, _) => 3,
        _ => 2,
    };
    let part = |&length: &u64| {
        let least = if blocks == Blocks::Even { 1 } else { (most / 2).min(length) };
        let divisor = (least..=most).rev().find(|&part| part > 0 && length.is_multiple_of(part));
        divisor.unwrap_or_else(|| length.div_ceil(length.div_ceil(most)))
    };
    let parts: Vec<u64> = lengths.iter().map(part).collect();
    // Where no side has a divisor nothing is divided.
    if parts.iter().all(|&part| part == 1) { lengths.to_vec() } else { parts }
}

/// The layers of so many parts along every side, each with the sides that it divides.
fn stage(parts: &[u64], line: Side) -> Vec<(Layer, Vec<usize>)> {
    let layer = |shape| Layer { shape, level: 0, held: Held::Part };
    let sides: Vec<usize> = (0..parts.len()).filter(|&side| parts[side] > 1).collect();
    match sides[..] {
        [] => return vec![(layer(Shape::Row(1)), Vec::new())],
        [side] => return vec![(layer(line.shape(parts[side])), sides)],
        [a, b, c] if parts[a].max(parts[b]).max(parts[c]) <= 6 => {
            let shape = Shape::Block { planes: parts[a], rows: parts[b], columns: parts[c] };
            return vec![(layer(shape), sides)];
        }
        _ => {}
    }
    let mut layers = Vec::new();
    let mut rest = &sides[..];
    // Where every two along a side are joined, rows and columns are outside, and a side that is left over is inside.
    if line == Side::Complete && sides.len() % 2 == 1 {
        for pair in sides.chunks(2) {
            layers.push(match *pair {
                [a, b] => (layer(Shape::Grid { rows: parts[a], columns: parts[b] }), vec![a, b]),
                _ => (layer(line.shape(parts[pair[0]])), pair.to_vec()),
            });
        }
        return layers;
    }
    while let &[ref others @ .., a, b] = rest {
        layers.push((layer(Shape::Grid { rows: parts[a], columns: parts[b] }), vec![a, b]));
        rest = others;
    }
    layers.extend(rest.iter().map(|&side| (layer(Shape::Row(parts[side])), vec![side])));
    layers.reverse();
    layers
}
