//! What is written above and below the picture, how large, and on how many lines?

use super::style::is_even;
use crate::Point;
use crate::font::{self, Anchor};
use crate::palette::{LEVELS, LOADS};
use crate::scene::Scene;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// What nodes are called in a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Labels {
    /// Their addresses where these can be read, else their ids, else nothing.
    #[default]
    Automatic,
    /// Their addresses, as large as fits.
    Addresses,
    /// Their ids, as large as fits.
    Ids,
    /// Nothing.
    None,
}

/// What is written of a picture, and how wide it is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Frame {
    /// Without the title above it.
    pub no_title: bool,
    /// What nodes are called.
    pub labels: Labels,
    /// Its width in millimeters, where that is not left to the picture.
    pub width: Option<f64>,
}

/// What is written beside the picture.
#[derive(Clone, Debug, Default)]
pub struct Caption {
    /// Above.
    pub title: String,
    /// Below, a line each.
    pub notes: Vec<String>,
    /// What loads are, where some are drawn: the least and the largest.
    pub loads: Option<(f64, f64)>,
    /// What of it is written, and how wide it is.
    pub frame: Frame,
}

/// What is left free on every side, in pixels.
pub(super) const MARGIN: f64 = 34.0;

/// How wide a picture is whose letters have their usual size. Wider ones have larger letters, so that all can be read
/// when they are printed no wider than a column.
const USUAL_WIDTH: f64 = 430.0;

/// How high digits are at the usual size: of a title, of one that takes more than a line, and of all else.
const TITLE: f64 = 13.0;
const LONG_TITLE: f64 = 9.5;
const LETTERS: f64 = 8.0;

/// From one line to the next, in heights of a digit.
const LEADING: f64 = 2.2;

/// The most levels that a legend names.
const MOST_LEVELS: usize = 12;

/// How many times its usual size everything is that is read in a picture of this width.
fn enlarged(width: f64, frame: Frame) -> f64 {
    let least = frame.least_digits(width).map_or(0.0, |digits| 1.1 * digits / LETTERS);
    (width / USUAL_WIDTH).max(1.0).max(least)
}

impl Frame {
    /// How wide a plot is in pixels: what is printed in a width is drawn so that its letters are eight points high there,
    /// as far as there is room for them.
    pub(crate) fn plot_width(self, usual: f64) -> f64 {
        let pixels = |millimeters: f64| millimeters / 25.4 * 96.0 * 1.22;
        self.width.map_or(usual, |wide| pixels(wide).clamp(300.0, 1000.0))
    }

    /// How high digits are at least in a picture of this width in pixels, so that letters have six points in print; none
    /// where nobody knows how wide that is.
    pub(super) fn least_digits(self, width: f64) -> Option<f64> {
        const POINTS: f64 = 6.0;
        let printed = self.width? / 25.4 * 72.0;
        Some(font::digits(POINTS * width / printed))
    }
}

/// All that is written around a picture.
pub(super) struct Around {
    title: Lines,
    legend: Vec<Vec<Entry>>,
    notes: Lines,
    /// How many times its usual size everything is.
    pub(super) enlarged: f64,
}

/// Text with digits of one height.
struct Lines {
    lines: Vec<String>,
    digits: f64,
}

impl Lines {
    fn new(texts: &[String], digits: f64, fitting: f64) -> Self {
        let lines = texts.iter().flat_map(|text| font::wrapped(text, digits, fitting)).collect();
        Lines { lines, digits }
    }

    fn height(&self) -> f64 {
        LEADING * self.digits * self.lines.len() as f64
    }

    fn write(&self, out: &mut String, top: f64) {
        for (line, below) in self.lines.iter().zip(1..) {
            let at = Point::new(MARGIN, top + LEADING * self.digits * f64::from(below));
            write_text(out, line, at, self.digits);
        }
    }
}

/// What a legend explains.
enum Entry {
    /// The color of a level.
    Level(u16),
    /// The colors of loads, from none to the largest.
    Loads(f64),
    /// The one load of all links.
    Even(f64),
}

impl Entry {
    /// Its colors as lines of a class or a color, what stands before them, and what behind.
    fn parts(&self) -> (String, Vec<String>, String) {
        let stroke = |color: &&str| format!("stroke=\"{color}\"");
        match self {
            Entry::Level(level) => {
                let class = usize::from(*level) % LEVELS.len();
                (String::new(), vec![format!("class=\"l{class}\"")], format!("level {level}"))
            }
            Entry::Loads(most) => {
                ("load 0".to_owned(), LOADS.iter().map(stroke).collect(), short(*most))
            }
            Entry::Even(load) => {
                let said = format!("every link carries {}", short(*load));
                (String::new(), LOADS[..1].iter().map(stroke).collect(), said)
            }
        }
    }

    /// From its beginning to that of the next, in usual pixels; it is written on the way where there is an `out`.
    fn written(&self, out: Option<(&mut String, Point)>, enlarged: f64) -> f64 {
        const GAP: f64 = 8.0;
        const COLOR: f64 = 24.0;
        let (before, colors, behind) = self.parts();
        let wide = |text: &str| font::width(text, LETTERS);
        let first = if before.is_empty() { 0.0 } else { wide(&before) + GAP };
        let last = first + COLOR * colors.len() as f64 + GAP;
        if let Some((out, at)) = out {
            let size = LETTERS * enlarged;
            let place = |x: f64| at + Point::new(x * enlarged, 0.0);
            write_text(out, &before, at, size);
            let middle = at.y - size * 0.5;
            for (color, look) in (0..).map(f64::from).zip(&colors) {
                let _ = writeln!(
                    out,
                    "<path {look} stroke-width=\"{}\" d=\"M{} {}h{}\"/>",
                    n(4.0 * enlarged),
                    n(place(first + COLOR * color + 2.0).x),
                    n(middle),
                    n((COLOR - 4.0) * enlarged)
                );
            }
            write_text(out, &behind, place(last), size);
        }
        last + wide(&behind) + 3.0 * GAP
    }
}

impl Around {
    /// For a picture of this width, its margins included.
    pub(super) fn new(scene: &Scene, caption: &Caption, width: f64) -> Self {
        let (enlarged, fitting) = (enlarged(width, caption.frame), width - 2.0 * MARGIN);
        let fits = font::width(&caption.title, TITLE * enlarged) <= fitting;
        let title = if fits { TITLE } else { LONG_TITLE };
        let titles = std::slice::from_ref(&caption.title);
        let titles = if caption.frame.no_title { &[] } else { titles };
        let title = Lines::new(titles, title * enlarged, fitting);
        let notes = Lines::new(&caption.notes, LETTERS * enlarged, fitting);
        let mut legend: Vec<Vec<Entry>> = Vec::new();
        let mut used = 0.0;
        for entry in entries(scene, caption) {
            let wide = entry.written(None, enlarged) * enlarged;
            match legend.last_mut().filter(|_| used + wide <= fitting) {
                Some(row) => {
                    row.push(entry);
                    used += wide;
                }
                None => {
                    legend.push(vec![entry]);
                    used = wide;
                }
            }
        }
        Around { title, legend, notes, enlarged }
    }

    /// How high the title is with the room around it.
    pub(super) fn above(&self) -> f64 {
        self.title.height() + 20.0
    }

    /// How high all is that is below.
    pub(super) fn below(&self) -> f64 {
        self.legend_height() + self.notes.height() + 24.0
    }

    fn legend_height(&self) -> f64 {
        LEADING * LETTERS * self.enlarged * self.legend.len() as f64
    }

    /// Writes all of it around a picture that ends at `bottom`.
    pub(super) fn write(&self, out: &mut String, bottom: f64) {
        self.title.write(out, 10.0);
        let line = LEADING * LETTERS * self.enlarged;
        for (row, below) in self.legend.iter().zip(1..) {
            let mut at = Point::new(MARGIN, bottom + line * f64::from(below));
            for entry in row {
                at.x += entry.written(Some((out, at)), self.enlarged) * self.enlarged;
            }
        }
        self.notes.write(out, bottom + self.legend_height());
    }
}

fn entries(scene: &Scene, caption: &Caption) -> Vec<Entry> {
    if let Some((low, high)) = caption.loads {
        return vec![if is_even((low, high)) { Entry::Even(high) } else { Entry::Loads(high) }];
    }
    let levels: BTreeSet<u16> = scene.lines.iter().map(|line| line.level).collect();
    // A single level says nothing.
    let said = levels.len() > 1;
    levels.into_iter().filter(|_| said).take(MOST_LEVELS).map(Entry::Level).collect()
}

fn write_text(out: &mut String, text: &str, at: Point, digits: f64) {
    if !text.is_empty() {
        out.push_str(&font::element(text, at, digits, Anchor::Start, "class=\"text\""));
    }
}

/// A coordinate: a tenth of a pixel is enough.
pub(super) fn n(value: f64) -> String {
    let text = format!("{value:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

fn short(value: f64) -> String {
    if value.fract() == 0.0 { format!("{value:.0}") } else { format!("{value:.2}") }
}
