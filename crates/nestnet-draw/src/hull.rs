//! How far apart must two cells stand so that they do not overlap? Convex polygons, and differences of them.

use super::shape::Point;

/// A convex polygon, counterclockwise on a page whose y points up; one or two points are allowed.
#[derive(Clone, Debug, PartialEq)]
pub struct Hull(pub Vec<Point>);

/// With more corners than these a polygon is replaced by one around it.
const MOST_CORNERS: usize = 24;

impl Hull {
    /// The smallest around `points`. Andrew's monotone chain, O(n log n).
    pub fn around(mut points: Vec<Point>) -> Self {
        points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
        points.dedup_by(|a, b| (*a - *b).length() < 1e-9);
        if points.len() < 3 {
            return Hull(points);
        }
        let mut hull: Vec<Point> = half(points.iter().copied());
        hull.pop();
        let mut back = half(points.iter().rev().copied());
        back.pop();
        hull.extend(back);
        Hull(hull)
    }

    /// The same or, where it has many corners, one of few around it.
    pub fn simplified(self) -> Self {
        if self.0.len() <= MOST_CORNERS {
            return self;
        }
        // Tangents in equal directions, and where each meets the next.
        let count = MOST_CORNERS;
        let normal = |i: usize| Point::on_circle(i as f64 / count as f64, 1.0);
        let support = |n: Point| self.0.iter().map(|p| p.dot(n)).fold(f64::MIN, f64::max);
        let corner = |i: usize| {
            let (a, b) = (normal(i), normal(i + 1));
            let (da, db) = (support(a), support(b));
            let det = a.cross(b);
            Point::new((da * b.y - db * a.y) / det, (a.x * db - b.x * da) / det)
        };
        Hull::around((0..count).map(corner).collect())
    }

    /// Around a circle about the origin that holds it.
    #[must_use]
    pub fn disc(&self) -> Self {
        let radius = self.0.iter().map(|p| p.length()).fold(0.0, f64::max);
        let corner = |i: usize| Point::on_circle(i as f64 / MOST_CORNERS as f64, radius);
        Hull::around((0..MOST_CORNERS).map(corner).collect())
    }

    /// Wider by `pad` on all sides.
    pub fn padded(&self, pad: f64) -> Self {
        // An octagon around the circle of that radius.
        let radius = pad / (std::f64::consts::PI / 8.0).cos();
        let octagon = |i: u32| Point::on_circle((f64::from(i) + 0.5) / 8.0, radius);
        let corners = self.0.iter().flat_map(|&p| (0..8).map(move |i| p + octagon(i)));
        Hull::around(corners.collect())
    }

    /// All copies of it, moved.
    pub fn copies(&self, offsets: impl Iterator<Item = Point>) -> Self {
        let corners = offsets.flat_map(|offset| self.0.iter().map(move |&p| p + offset));
        Hull::around(corners.collect()).simplified()
    }

    /// The differences of any two of its points: how far a copy must move to be clear of it.
    pub fn difference(&self) -> Self {
        let corners = self.0.iter().flat_map(|&a| self.0.iter().map(move |&b| a - b));
        Hull::around(corners.collect())
    }

    /// How far a ray from `from`, which is inside, goes along the unit vector `along` before it leaves.
    pub fn exit(&self, from: Point, along: Point) -> f64 {
        let mut exit = f64::INFINITY;
        for (i, &a) in self.0.iter().enumerate() {
            let b = self.0[(i + 1) % self.0.len()];
            let edge = b - a;
            // Outward, for the order of the corners.
            let normal = Point::new(edge.y, -edge.x);
            let speed = normal.dot(along);
            if speed > 1e-12 {
                exit = exit.min((normal.dot(a - from) / speed).max(0.0));
            }
        }
        if exit.is_finite() { exit } else { 0.0 }
    }

    /// The largest distance of two of its points.
    pub fn diameter(&self) -> f64 {
        let apart = |a: &Point| self.0.iter().map(|b| (*b - *a).length()).fold(0.0, f64::max);
        self.0.iter().map(apart).fold(0.0, f64::max)
    }

    /// Moved.
    pub fn moved(&self, by: Point) -> Self {
        Hull(self.0.iter().map(|&p| p + by).collect())
    }

    /// Whether it and another one have a point inside both, by separating lines.
    pub fn overlaps(&self, other: &Hull) -> bool {
        let parts = |a: &Hull, b: &Hull| {
            (0..a.0.len()).any(|i| {
                let (p, q) = (a.0[i], a.0[(i + 1) % a.0.len()]);
                let normal = Point::new(q.y - p.y, p.x - q.x);
                normal.length() > 0.0 && b.0.iter().all(|&c| normal.dot(c - p) >= -1e-9)
            })
        };
        !parts(self, other) && !parts(other, self)
    }
}

/// One chain of the hull, its last point included.
fn half(points: impl Iterator<Item = Point>) -> Vec<Point> {
    let mut chain: Vec<Point> = Vec::new();
    for point in points {
        while let [.., a, b] = chain[..]
            && (b - a).cross(point - a) <= 1e-12
        {
            chain.pop();
        }
        chain.push(point);
    }
    chain
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn square() -> Hull {
        let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0), (0.5, 0.5)];
        Hull::around(corners.map(|(x, y)| Point::new(x, y)).to_vec())
    }

    #[test]
    fn a_square_leaves_its_difference_at_its_side() {
        assert_eq!(square().0.len(), 4);
        let difference = square().difference();
        let along = Point::new(1.0, 0.0);
        assert!((difference.exit(Point::default(), along) - 1.0).abs() < 1e-12);
        assert!(square().overlaps(&square().moved(Point::new(0.9, 0.0))));
        assert!(!square().overlaps(&square().moved(Point::new(1.0, 0.3))));
    }

    proptest! {
        #![proptest_config(nestnet_seed::config())]

        #[test]
        fn copies_moved_by_the_exit_touch_and_do_not_overlap(
            points in prop::collection::vec((-9.0..9.0f64, -9.0..9.0f64), 3..40),
            turns in 0.0..1.0f64,
        ) {
            let points: Vec<Point> = points.into_iter().map(|(x, y)| Point::new(x, y)).collect();
            let hull = Hull::around(points.clone());
            prop_assume!(hull.0.len() > 2);
            let around = hull.clone().simplified();
            let along = Point::on_circle(turns, 1.0);
            for shape in [&hull, &around] {
                let apart = shape.difference().exit(Point::default(), along);
                prop_assert!(!shape.overlaps(&shape.moved(along * (apart + 1e-6))));
                prop_assert!(shape.overlaps(&shape.moved(along * (apart - 1e-3).max(0.0))));
            }
            // Nothing of it is outside the simpler one.
            for &p in &points {
                let mean = around.0.iter().fold(Point::default(), |s, &q| s + q) * (1.0 / around.0.len() as f64);
                let out = p - mean;
                if out.length() > 1e-6 {
                    let exit = around.exit(mean, out * (1.0 / out.length()));
                    prop_assert!(exit >= out.length() - 1e-6);
                }
            }
        }
    }
}
