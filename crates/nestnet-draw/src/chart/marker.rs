//! By which shape is a point known? Each line has its own, so that nobody depends on colors, and what is less certain of
//! a point is seen by how it is drawn.

use crate::Point;
use crate::font::escaped;
use crate::palette::SERIES;
use std::fmt::Write as _;

/// How a point is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum PointLook {
    /// The shape of its line, filled.
    #[default]
    Filled,
    /// The shape of its line, hollow.
    Hollow,
    /// A cross.
    Cross,
    /// A cross with a stroke through it.
    Asterisk,
    /// A star, larger than other points.
    Star,
}

impl PointLook {
    /// Whether it marks a number that a longer measurement would not change much: it was accepted.
    pub fn is_accepted(self) -> bool {
        matches!(self, PointLook::Filled | PointLook::Hollow)
    }
}

/// Shapes of the lines; they start again after the last. One less than the colors, so that both do not start again
/// together.
const SHAPES: usize = 7;

/// How large a point is.
pub(super) const RADIUS: f64 = 4.0;

/// The color and the shape of a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pen {
    pub(super) color: usize,
    shape: usize,
}

impl Pen {
    /// Of no line in particular.
    pub(super) const INK: Pen = Pen { color: SERIES.len(), shape: 0 };

    /// Of the line of that number.
    pub(super) fn of(number: usize) -> Self {
        Pen { color: number % SERIES.len(), shape: number % SHAPES }
    }
}

/// A point, in the classes of its colors; a page finds it by its id.
pub(super) fn marker(
    out: &mut String,
    look: PointLook,
    pen: Pen,
    at: Point,
    title: Option<&str>,
    id: Option<&str>,
) {
    let Pen { color, shape } = pen;
    let (class, path) = match look {
        PointLook::Filled => (format!("pf{color} ps{color}"), outline(shape, at)),
        PointLook::Hollow => (format!("pp ps{color}"), outline(shape, at)),
        PointLook::Star => (format!("pf{color} pe"), polygon(at, 5, 7.0, 0.45)),
        PointLook::Cross => (format!("pn ps{color}"), strokes(at, &[45.0, 135.0])),
        PointLook::Asterisk => (format!("pn ps{color}"), strokes(at, &[45.0, 90.0, 135.0])),
    };
    let _ = write!(out, "<path class=\"pm {class}\" d=\"{path}\"");
    if let Some(id) = id {
        let _ = write!(out, " data-id=\"{}\"", escaped(id).replace('"', "&quot;"));
    }
    let _ = match title {
        Some(title) => writeln!(out, "><title>{}</title></path>", escaped(title)),
        None => writeln!(out, "/>"),
    };
}

/// An arrow from a point at the end of the axis to where it would be.
pub(super) fn arrow(out: &mut String, pen: Pen, at: Point, title: Option<&str>) {
    let color = pen.color;
    let path = format!("M{:.1} {:.1}v-9m-3.5 4l3.5 -4l3.5 4", at.x, at.y - 5.0);
    let title = title.map_or(String::new(), |t| format!("<title>{}</title>", escaped(t)));
    let _ = writeln!(out, "<path class=\"pm pn ps{color}\" d=\"{path}\">{title}</path>");
}

fn outline(shape: usize, at: Point) -> String {
    let Point { x, y } = at;
    match shape {
        0 => {
            let r = RADIUS * 0.9;
            let d = 2.0 * r;
            format!("M{:.1} {y:.1}a{r} {r} 0 1 0 {d} 0a{r} {r} 0 1 0 -{d} 0Z", x - r)
        }
        1 => {
            let r = RADIUS * 0.85;
            format!("M{:.1} {:.1}h{d}v{d}h-{d}Z", x - r, y - r, d = 2.0 * r)
        }
        2 => polygon(at, 3, RADIUS * 1.25, 0.0),
        3 => polygon(at, 4, RADIUS * 1.2, 0.0),
        4 => turned(at, 3, RADIUS * 1.25, 0.5),
        5 => polygon(at, 5, RADIUS * 1.1, 0.0),
        _ => format!("M{:.1} {:.1}h8l-8 8h8Z", x - 4.0, y - 4.0),
    }
}

/// A polygon with a corner on top; a star where `inner` says how far its inner corners are.
fn polygon(at: Point, corners: u32, radius: f64, inner: f64) -> String {
    if inner == 0.0 {
        return turned(at, corners, radius, 0.0);
    }
    let far = |i: u32| if i.is_multiple_of(2) { radius } else { radius * inner };
    path(
        (0..2 * corners)
            .map(|i| at + Point::on_circle(f64::from(i) / f64::from(2 * corners), far(i))),
    )
}

fn turned(at: Point, corners: u32, radius: f64, turns: f64) -> String {
    path(
        (0..corners)
            .map(|i| at + Point::on_circle(turns + f64::from(i) / f64::from(corners), radius)),
    )
}

fn path(points: impl Iterator<Item = Point>) -> String {
    let mut out = String::new();
    for (i, point) in points.enumerate() {
        let _ = write!(out, "{}{:.1} {:.1}", if i == 0 { 'M' } else { 'L' }, point.x, point.y);
    }
    out + "Z"
}

/// Strokes through a point, at these degrees.
fn strokes(at: Point, degrees: &[f64]) -> String {
    let mut out = String::new();
    for degrees in degrees {
        let end = Point::on_circle(degrees / 360.0, RADIUS * 1.25);
        let (a, b) = (at - end, at + end);
        let _ = write!(out, "M{:.1} {:.1}L{:.1} {:.1}", a.x, a.y, b.x, b.y);
    }
    out
}
