//! How does a line bend so that it passes beside the dots of others?

use super::shape::Point;

/// How a line is bent where a dot is in its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Care {
    /// A little, to the outside.
    Little,
    /// As little as passes beside all dots.
    Enough,
}

impl Care {
    /// In a picture of so many dots and lines; among more no line can be followed anyway.
    pub(super) fn of(dots: usize, lines: usize) -> Self {
        if dots <= 300 && lines <= 400 { Care::Enough } else { Care::Little }
    }
}

/// How far a line stays from the middle of a dot that it passes; the largest dot has a radius of 0.32.
const CLEAR: f64 = 0.34;

/// How far lines bend; the first that is clear is taken.
const BENDS: [f64; 9] = [0.5, 0.4, 0.6, 0.7, 0.8, 0.9, 1.0, 1.2, 1.4];

/// To which side a line from `a` to `b` bends where one of the others is in its way, rather away from the middle.
///
/// O(others), and for each bend that is tried O(length · those near by).
pub(super) fn beside(a: Point, b: Point, others: impl Iterator<Item = Point>, care: Care) -> Point {
    let direction = b - a;
    let side = Point::new(-direction.y, direction.x) * (1.0 / direction.length().max(1e-9));
    let along = |dot: Point| (dot - a).dot(direction) / direction.dot(direction).max(1e-9);
    let far = |dot: Point| (dot - a).dot(side).abs();
    let is_end = |dot: Point| (dot - a).length().min((dot - b).length()) < 1e-6;
    let outside = if side.dot(a + b) < -1e-9 { -1.0 } else { 1.0 };
    if care == Care::Little {
        let mut dots = others.filter(|&dot| !is_end(dot));
        let blocked = dots.any(|dot| (0.0..1.0).contains(&along(dot)) && far(dot) < CLEAR);
        return if blocked { side * (outside * 0.5) } else { Point::default() };
    }
    let reach = BENDS.into_iter().fold(CLEAR, f64::max) + CLEAR;
    let is_near = |dot: &Point| (-0.2..1.2).contains(&along(*dot)) && far(*dot) < reach;
    let near: Vec<Point> = others.filter(|&dot| !is_end(dot)).filter(is_near).collect();
    let mut best = (Point::default(), clearance(a, b, Point::default(), &near, 0.0));
    for bend in BENDS.into_iter().flat_map(|bend| [outside * bend, -outside * bend]) {
        if best.1 >= CLEAR {
            break;
        }
        let bend = side * bend;
        let clear = clearance(a, b, bend, &near, best.1);
        if clear > best.1 {
            best = (bend, clear);
        }
    }
    best.0
}

/// How close a bent line comes to any of these dots, at steps along it; less than `least` is not looked at further.
fn clearance(a: Point, b: Point, bend: Point, dots: &[Point], least: f64) -> f64 {
    let [c, d] = [a + (b - a) * 0.12 + bend, b - (b - a) * 0.12 + bend];
    // Dots are at least 1 apart: steps of a sixth meet every one of them.
    let step = 1.0 / ((b - a).length() * 6.0).clamp(6.0, 600.0);
    let (mut t, mut found) = (0.0, f64::INFINITY);
    while t < 1.0 && found > least {
        let u = 1.0 - t;
        let at = a * (u * u * u) + c * (3.0 * u * u * t) + d * (3.0 * u * t * t) + b * (t * t * t);
        found = dots.iter().map(|&dot| (dot - at).length()).fold(found, f64::min);
        t += step;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_bends_only_where_a_dot_is_in_its_way() {
        let (a, b) = (Point::new(0.0, 0.0), Point::new(4.0, 0.0));
        let bend = |dots: &[Point], care| beside(a, b, dots.iter().copied(), care);
        for care in [Care::Little, Care::Enough] {
            assert_eq!(bend(&[a, b, Point::new(2.0, 1.0)], care), Point::default());
            assert_ne!(bend(&[a, b, Point::new(2.0, 0.1)], care), Point::default());
        }
        // A dot on either side of the usual way: it goes farther out.
        let dots = [Point::new(2.0, 0.0), Point::new(2.0, 0.7), Point::new(2.0, -0.7)];
        let bend = bend(&dots, Care::Enough);
        assert!(bend.length() > 1.2 && clearance(a, b, bend, &dots, 0.0) >= CLEAR, "{bend:?}");
    }
}
