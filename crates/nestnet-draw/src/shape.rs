//! In which shape do people draw a few places: a ring, a row, a grid, a cube?

use std::f64::consts::TAU;
use std::ops::{Add, Mul, Sub};
use std::sync::Arc;

/// A point of a picture, y downward.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Downward.
    pub y: f64,
}

impl Point {
    /// From its coordinates.
    pub const fn new(x: f64, y: f64) -> Self {
        Point { x, y }
    }

    /// At `turns` of a circle, clockwise from the top.
    pub fn on_circle(turns: f64, radius: f64) -> Self {
        let angle = turns * TAU;
        Point::new(radius * angle.sin(), -radius * angle.cos())
    }

    /// How far it is from the origin.
    pub fn length(self) -> f64 {
        self.x.hypot(self.y)
    }

    /// Turned clockwise around the origin by so many turns.
    pub(super) fn turned(self, turns: f64) -> Self {
        let (sin, cos) = (turns * TAU).sin_cos();
        Point::new(self.x * cos - self.y * sin, self.x * sin + self.y * cos)
    }

    /// The inner product.
    pub fn dot(self, other: Point) -> f64 {
        self.x * other.x + self.y * other.y
    }

    /// The third coordinate of the outer product: positive where `other` lies clockwise.
    pub fn cross(self, other: Point) -> f64 {
        self.x * other.y - self.y * other.x
    }
}

impl Add for Point {
    type Output = Point;
    fn add(self, other: Point) -> Point {
        Point::new(self.x + other.x, self.y + other.y)
    }
}

impl Sub for Point {
    type Output = Point;
    fn sub(self, other: Point) -> Point {
        Point::new(self.x - other.x, self.y - other.y)
    }
}

impl Mul<f64> for Point {
    type Output = Point;
    fn mul(self, factor: f64) -> Point {
        Point::new(self.x * factor, self.y * factor)
    }
}

/// How the places of a cell lie to each other.
#[derive(Clone, Debug)]
pub enum Shape {
    /// On a circle, clockwise from the top; four as a square.
    Ring(u64),
    /// On a circle, each turned as its place is from the top, and by as much of a turn more.
    Turned {
        /// How many.
        places: u64,
        /// By how much more, clockwise.
        by: f64,
    },
    /// Side by side; one above the other where what is there is wider than high.
    Row(u64),
    /// Row by row.
    Grid {
        /// From top to bottom.
        rows: u64,
        /// From left to right.
        columns: u64,
    },
    /// Planes one behind the other, each row by row.
    Block {
        /// From front to back.
        planes: u64,
        /// From top to bottom.
        rows: u64,
        /// From left to right.
        columns: u64,
    },
    /// The corners of a cube of up to three dimensions, bit 0 to the right, bit 1 up, bit 2 to the back.
    Cube(u32),
    /// A cube that holds cubes, turned a little, so that its links pass beside those.
    OuterCube(u32),
    /// Two, one above the other where that is wider than high, else side by side.
    Pair,
    /// Two rows of as many.
    TwoRows(u64),
    /// Two half circles of as many, left and right, each from the top down.
    HalfRings(u64),
    /// The first in the middle, the others around it.
    Hub(u64),
    /// Anything else.
    Given(Arc<[Point]>),
}

impl Shape {
    /// How many places there are.
    pub fn places(&self) -> u64 {
        match self {
            Shape::Ring(n) | Shape::Row(n) | Shape::Hub(n) => *n,
            Shape::Turned { places, .. } => *places,
            Shape::Grid { rows, columns } => rows.saturating_mul(*columns),
            Shape::Block { planes, rows, columns } => {
                planes.saturating_mul(*rows).saturating_mul(*columns)
            }
            Shape::Cube(bits) | Shape::OuterCube(bits) => 1 << bits,
            Shape::Pair => 2,
            Shape::TwoRows(n) | Shape::HalfRings(n) => n.saturating_mul(2),
            Shape::Given(points) => points.len() as u64,
        }
    }

    /// By how much what is at each place is turned clockwise, in turns; nothing where it is upright.
    pub(super) fn turned(&self) -> Vec<f64> {
        match *self {
            Shape::Turned { places, by } => (0..places).map(|at| turns(places, at) + by).collect(),
            _ => Vec::new(),
        }
    }

    /// Where the places are, in order, centered, no two closer than 1.
    ///
    /// `wide` says whether what is at a place is wider than high.
    pub(super) fn points(&self, wide: bool) -> Vec<Point> {
        let grid = |rows: u64, columns: u64, apart: f64| {
            let places = (0..rows).flat_map(move |row| (0..columns).map(move |c| (row, c)));
            places.map(|(row, c)| Point::new(c as f64, row as f64 * apart)).collect()
        };
        let points: Vec<Point> = match *self {
            Shape::Ring(n) | Shape::Turned { places: n, .. } => {
                (0..n).map(|i| Point::on_circle(turns(n, i), 1.0)).collect()
            }
            Shape::Row(n) if wide => grid(n, 1, 1.0),
            Shape::Row(n) => grid(1, n, 1.0),
            Shape::Grid { rows, columns } => grid(rows, columns, 1.0),
            Shape::Block { planes, rows, columns } => {
                // All planes fit between two rows and two columns of the first one.
                let step = Point::new(0.92, -0.7) * (1.0 / planes as f64);
                let plane: Vec<Point> = grid(rows, columns, 1.0);
                let shifted = |z: u64| plane.iter().map(move |&point| point + step * z as f64);
                (0..planes).flat_map(shifted).collect()
            }
            Shape::Cube(bits) => corners(&[(1.0, 0.0), (0.0, -1.0), (0.42, -0.34)], bits),
            Shape::OuterCube(bits) => corners(&[(1.0, 0.22), (-0.22, 1.0), (0.46, -0.40)], bits),
            Shape::Pair if wide => grid(2, 1, 1.0),
            Shape::Pair => grid(1, 2, 1.0),
            Shape::TwoRows(n) => grid(2, n, 1.9),
            Shape::HalfRings(n) => {
                // A gap as wide as a place and a half separates the two sides.
                let step = 0.5 / (n as f64 + 0.5);
                let turn = |i: u64| (i as f64 + 0.75) * step;
                let left = (0..n).map(|i| Point::on_circle(-turn(i), 1.0));
                left.chain((0..n).map(|i| Point::on_circle(turn(i), 1.0))).collect()
            }
            // As high as wide, so that it goes into rows and columns alike.
            Shape::Hub(3) => {
                vec![Point::default(), Point::new(-0.5, 1.0), Point::new(0.5, 1.0)]
            }
            Shape::Hub(n) => {
                let around = n.saturating_sub(1);
                let turn = |i: u64| i as f64 / around as f64;
                let others = (0..around).map(|i| Point::on_circle(turn(i), 1.0));
                [Point::default()].into_iter().chain(others).collect()
            }
            Shape::Given(ref points) => points.to_vec(),
        };
        normalized(points)
    }
}

/// Where a place of a ring is, in turns from the top: four make a square, of others the first is on top.
fn turns(places: u64, at: u64) -> f64 {
    let first = if places == 4 { -0.125 } else { 0.0 };
    first + at as f64 / places as f64
}

/// The corners of a cube, bit i along `axes[i]`.
fn corners(axes: &[(f64, f64)], bits: u32) -> Vec<Point> {
    let corner = |at: u64| {
        let set = axes.iter().enumerate().filter(|&(bit, _)| at >> bit & 1 == 1);
        set.fold(Point::default(), |sum, (_, &(x, y))| sum + Point::new(x, y))
    };
    (0..1u64 << bits).map(corner).collect()
}

/// Centered, and scaled so that the two closest are 1 apart.
fn normalized(points: Vec<Point>) -> Vec<Point> {
    let (low, high) = bounds(&points);
    let center = (low + high) * 0.5;
    let closest = closest(&points);
    let factor = if closest.is_finite() && closest > 0.0 { 1.0 / closest } else { 1.0 };
    points.into_iter().map(|point| (point - center) * factor).collect()
}

/// The least and the largest coordinates.
pub fn bounds(points: &[Point]) -> (Point, Point) {
    let all = f64::INFINITY;
    let start = (Point::new(all, all), Point::new(-all, -all));
    points.iter().fold(start, |(low, high), p| {
        (Point::new(low.x.min(p.x), low.y.min(p.y)), Point::new(high.x.max(p.x), high.y.max(p.y)))
    })
}

/// The distance of the two closest points; infinite where there are not two. O(n log n) for points that spread.
pub fn closest(points: &[Point]) -> f64 {
    let mut sorted = points.to_vec();
    sorted.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    // Points of one column follow each other; those of the next columns are searched up to the best so far.
    let mut best = f64::INFINITY;
    for (i, &a) in sorted.iter().enumerate() {
        if let Some(&b) = sorted.get(i + 1) {
            best = best.min((b - a).length());
        }
    }
    for (i, &a) in sorted.iter().enumerate() {
        for &b in &sorted[i + 1..] {
            if b.x - a.x >= best {
                break;
            }
            best = best.min((b - a).length());
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_as_many_as_points_and_one_apart() {
        let shapes = [
            Shape::Ring(14),
            Shape::Turned { places: 5, by: 0.25 },
            Shape::Row(4),
            Shape::Grid { rows: 3, columns: 5 },
            Shape::Block { planes: 4, rows: 4, columns: 4 },
            Shape::Cube(3),
            Shape::OuterCube(2),
            Shape::Pair,
            Shape::TwoRows(3),
            Shape::HalfRings(9),
            Shape::Hub(6),
            Shape::Hub(3),
        ];
        for shape in shapes {
            let points = shape.points(true);
            assert_eq!(points.len() as u64, shape.places(), "{shape:?}");
            assert!((closest(&points) - 1.0).abs() < 1e-9, "{shape:?}");
        }
    }

    #[test]
    fn the_closest_are_found_as_by_trying_all() {
        let points: Vec<Point> = (0..200u32)
            .map(|i| Point::new(f64::from(i * 7919 % 101), f64::from(i * 104_729 % 97) * 1.3))
            .collect();
        let mut slow = f64::INFINITY;
        for (i, &a) in points.iter().enumerate() {
            points[i + 1..].iter().for_each(|&b| slow = slow.min((b - a).length()));
        }
        assert_eq!(closest(&points), slow);
    }
}
