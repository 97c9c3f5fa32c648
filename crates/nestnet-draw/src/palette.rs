//! Which colors are there? One table for pictures, plots, reports and the page, on a light ground and on a dark one.

use std::fmt::Write as _;

/// A color on a light ground and on a dark one, each written `#rrggbb`.
pub type Color = [&'static str; 2];

/// The ground of pictures and plots.
pub(crate) const PAPER: Color = ["#ffffff", "#14181f"];
/// Text, and lines that mean nothing in particular.
pub(crate) const INK: Color = ["#1a202c", "#e6eaf0"];
/// Grids and borders.
pub(crate) const LINE: Color = ["#d5dae1", "#353d48"];
/// What leaves a node in a step.
pub(crate) const HOP: Color = ["#d6336c", "#d6336c"];
/// Nodes that begin, that end, that know and that are informed.
pub(crate) const MARKS: [(&str, Color); 4] = [
    ("start", ["#69c779", "#23763a"]),
    ("end", ["#ff8080", "#b02a2a"]),
    ("holder", ["#f6c766", "#8f6410"]),
    ("new", ["#f9a3c4", "#9c2f5f"]),
];

/// Lines of a plot, virtual channels, and whatever else differs; they start again after the last.
pub(crate) const SERIES: [Color; 8] = [
    ["#1f77d0", "#5aa9f5"],
    ["#d9480f", "#ff9650"],
    ["#2b8a3e", "#63c174"],
    ["#9c36b5", "#d183ea"],
    ["#0b7285", "#4cc2d6"],
    ["#c92a5b", "#f2739c"],
    ["#8a6d00", "#e0b93a"],
    ["#4a5568", "#a9b4c4"],
];

/// Levels of links, innermost first; they start again after the last.
pub(crate) const LEVELS: [Color; 7] =
    [SERIES[7], SERIES[0], SERIES[1], SERIES[2], SERIES[3], SERIES[5], SERIES[4]];

/// Loads, from idle to busy, on any ground.
pub(crate) const LOADS: [&str; 6] =
    ["#2c7fb8", "#41b6c4", "#a1c96a", "#f2c14e", "#f07c3a", "#cf2a2a"];

/// Values of a table, from low to high, on any ground.
pub(crate) const HEAT: [&str; 2] = ["#eef4fb", "#104a8c"];

/// What pages have besides.
const PAGES: [(&str, Color); 16] = [
    ("paper", PAPER),
    ("ink", INK),
    ("line", LINE),
    ("ground", ["#f5f6f8", "#0d1116"]),
    ("quiet", ["#56606e", "#a3adba"]),
    ("accent", ["#1d5f8a", "#7cc0ee"]),
    ("accent-ink", ["#ffffff", "#0d1a24"]),
    ("wrong", ["#a3261b", "#ff9d92"]),
    ("good", ["#1f6f43", "#7fd1a0"]),
    ("mark", ["#c2410c", "#ffa25f"]),
    ("bar", ["#8fa9c4", "#56718c"]),
    ("best", ["#dff0df", "#1f3d28"]),
    ("dot", ["#2b3543", "#cdd6e1"]),
    ("cell", ["#dfe7ef", "#2b3643"]),
    ("border", ["#c6cfd9", "#3b4654"]),
    ("border-fill", ["#f3f6f9", "#1b222b"]),
];

/// All of them as custom properties of CSS, which follow the theme of whoever reads.
pub fn style_sheet() -> String {
    let numbered = |name: &'static str, colors: &'static [Color]| {
        colors.iter().enumerate().map(move |(number, &color)| (format!("{name}-{number}"), color))
    };
    let named = PAGES.iter().map(|&(name, color)| (name.to_owned(), color));
    let all = named.chain(numbered("series", &SERIES)).chain(numbered("level", &LEVELS));
    let loads = LOADS.iter().enumerate().map(|(at, &load)| (format!("load-{at}"), [load, load]));
    let all: Vec<(String, Color)> = all.chain(loads).collect();
    let mut out = String::from(":root{color-scheme:light dark}\n");
    for (theme, (open, close)) in
        [("", ""), ("@media screen and (prefers-color-scheme:dark){", "}")].into_iter().enumerate()
    {
        let _ = write!(out, "{open}:root{{");
        for (name, color) in &all {
            let _ = write!(out, "--{name}:{};", color[theme]);
        }
        let _ = writeln!(out, "}}{close}");
    }
    out
}

/// A color between two, this part of the way to the second.
pub(crate) fn mixed(first: &str, second: &str, part: f64) -> String {
    let channel = |color: &str, i: usize| {
        let digits = color.get(1 + 2 * i..3 + 2 * i);
        digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()).map_or(0.0, f64::from)
    };
    (0..3).fold("#".to_owned(), |mut text, i| {
        let (a, b) = (channel(first, i), channel(second, i));
        let _ = write!(text, "{:02x}", whole_channel(a + (b - a) * part));
        text
    })
}

/// A channel of a color as a whole number.
fn whole_channel(channel: f64) -> u8 {
    (0..=u8::MAX).find(|&whole| f64::from(whole) >= channel.round()).unwrap_or(u8::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How light a color is, from 0 to 1 (WCAG 2.1, relative luminance).
    fn luminance(color: &str) -> f64 {
        let channel = |i: usize| {
            let value =
                f64::from(u8::from_str_radix(&color[1 + 2 * i..3 + 2 * i], 16).unwrap()) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * channel(0) + 0.7152 * channel(1) + 0.0722 * channel(2)
    }

    #[test]
    fn lines_can_be_seen_and_texts_read_on_their_ground() {
        let contrast = |a: &str, b: &str| {
            let (a, b) = (luminance(a), luminance(b));
            (a.max(b) + 0.05) / (a.min(b) + 0.05)
        };
        for theme in 0..2 {
            for color in SERIES {
                assert!(contrast(color[theme], PAPER[theme]) >= 3.0, "{color:?}");
            }
            let of = |wanted| PAGES.iter().find(|(name, _)| *name == wanted).unwrap().1[theme];
            for name in ["ink", "quiet", "accent", "wrong", "good"] {
                for ground in ["paper", "ground"] {
                    assert!(contrast(of(name), of(ground)) >= 4.5, "{name} on {ground}");
                }
            }
            assert!(contrast(of("accent-ink"), of("accent")) >= 4.5);
        }
    }

    #[test]
    fn every_color_has_a_value_for_both_grounds() {
        let sheet = style_sheet();
        for name in ["paper", "series-7", "level-6", "load-5"] {
            assert_eq!(sheet.matches(&format!("--{name}:#")).count(), 2, "{name}");
        }
        assert_eq!(mixed("#000000", "#ff8040", 0.5), "#804020");
    }
}
