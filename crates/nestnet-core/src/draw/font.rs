//! How is text written? As text, which can be selected and edited, in whatever font the reader has; and where no font is
//! at hand, for pixels and print, as a plotter does, stroke by stroke.
//!
//! A glyph lies on a grid 4 wide; capitals and digits reach from 0 to 6, small letters from 2 to 6, tails to 8.
//! Each pair of digits is a point, x then y; a space lifts the pen.

use super::Point;
use super::svg::escaped;
use std::fmt::Write as _;

/// From one letter to the next, in steps of the grid.
const ADVANCE: f64 = 5.6;

/// How high a digit is, in steps of the grid.
const HEIGHT: f64 = 6.0;

/// How wide `text` is when its digits are `height` high.
pub fn width(text: &str, height: f64) -> f64 {
    let letters = text.chars().count() as f64;
    (letters * ADVANCE - (ADVANCE - 4.0)).max(0.0) * height / HEIGHT
}

/// The fonts of a text: those that the system has.
pub const FONTS: &str =
    "system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif";

/// How high a digit is, in parts of the size of a font.
const DIGIT: f64 = 0.72;

/// Where a text stands to its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// It begins there.
    Start,
    /// It has its middle there.
    Middle,
    /// It ends there.
    End,
}

/// A text element, its digits `height` high and its base line at `at`. `look` are more attributes: a class or a color.
///
/// No font is as wide as [`width`] says, so that what has room in strokes has room as text.
pub fn element(text: &str, at: Point, height: f64, anchor: Anchor, look: &str) -> String {
    let anchor = match anchor {
        Anchor::Start => "start",
        Anchor::Middle => "middle",
        Anchor::End => "end",
    };
    let size = height / DIGIT;
    format!(
        "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"{size:.1}\" text-anchor=\"{anchor}\" {look}>{}</text>\n",
        at.x,
        at.y,
        escaped(text)
    )
}

/// A picture of ours with every text in strokes, for programs that have no fonts.
pub fn outlined(svg: &str) -> String {
    let mut out = String::with_capacity(svg.len());
    for line in svg.split_inclusive('\n') {
        match stroked(line) {
            Some(strokes) => out.push_str(&strokes),
            None => out.push_str(line),
        }
    }
    out
}

/// A line of a picture that is a text element, in strokes.
fn stroked(line: &str) -> Option<String> {
    let rest = line.strip_prefix("<text ")?;
    let (attributes, rest) = rest.split_once('>')?;
    let text = rest.strip_suffix("</text>\n")?;
    let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    let value = |name: &str| {
        let (_, rest) = attributes.split_once(&format!("{name}=\""))?;
        rest.split_once('"').map(|(value, _)| value)
    };
    let number = |name: &str| value(name)?.parse::<f64>().ok();
    let height = number("font-size")? * DIGIT;
    let wide = width(&text, height);
    let left = match value("text-anchor")? {
        "middle" => wide / 2.0,
        "end" => wide,
        _ => 0.0,
    };
    let at = Point::new(number(" x").or_else(|| number("x"))? - left, number(" y")?);
    let mut path = String::new();
    for stroke in strokes(&text, at, height) {
        for (i, point) in stroke.into_iter().enumerate() {
            let pen = if i == 0 { 'M' } else { 'L' };
            let _ = write!(path, "{pen}{:.1} {:.1}", point.x, point.y);
        }
    }
    let thick = (height / 8.0).clamp(0.55, 1.1);
    let pen = "fill=\"none\" stroke-linecap=\"round\" stroke-linejoin=\"round\"";
    let halo = match value("class") {
        Some("label beside") => format!("<path class=\"halo\" {pen} d=\"{path}\"/>\n"),
        _ => String::new(),
    };
    let color = match value("fill") {
        Some(color) => format!("stroke=\"{color}\""),
        None => "class=\"pen\"".to_owned(),
    };
    Some(format!("{halo}<path {color} stroke-width=\"{thick:.2}\" {pen} d=\"{path}\"/>\n"))
}

/// The strokes of `text`, its digits `height` high, its left end and its base line at `at`.
pub fn strokes(text: &str, at: Point, height: f64) -> Vec<Vec<Point>> {
    let step = height / HEIGHT;
    let mut strokes = Vec::new();
    for (i, letter) in text.chars().enumerate() {
        let left = at.x + i as f64 * ADVANCE * step;
        for stroke in glyph(letter).split(' ').filter(|stroke| !stroke.is_empty()) {
            let digits: Vec<f64> =
                stroke.chars().filter_map(|c| c.to_digit(10)).map(f64::from).collect();
            let point =
                |pair: &[f64]| Point::new(left + pair[0] * step, at.y + (pair[1] - HEIGHT) * step);
            strokes.push(digits.chunks_exact(2).map(point).collect());
        }
    }
    strokes
}

/// Large letters look like small ones; what is not known is a box.
fn glyph(letter: char) -> &'static str {
    match letter.to_ascii_lowercase() {
        ' ' => "",
        '0' => "103041453616050110",
        '1' => "112026 1636",
        '2' => "01103041420646",
        '3' => "01103041423323 334445361605",
        '4' => "36300444",
        '5' => "400002324345361605",
        '6' => "413010010516364544331304",
        '7' => "004016",
        '8' => "13020110304142331304051636454433",
        '9' => "051636454130100102133342",
        'a' => "4246 4332120305163645",
        'b' => "0006 0312324345361605",
        'c' => "4332120305163645",
        'd' => "4046 4332120305163645",
        'e' => "04444332120305163645",
        'f' => "40302126 1232",
        'g' => "4247381807 4332120305163645",
        'h' => "0006 0312324346",
        'i' => "2226 2021",
        'j' => "32372818 3031",
        'k' => "0006 4204 1346",
        'l' => "202536",
        'm' => "0206 03122326 23324346",
        'n' => "0206 0312324346",
        'o' => "123243453616050312",
        'p' => "0208 0312324345361605",
        'q' => "4248 4332120305163645",
        'r' => "0206 04132242",
        's' => "43321203143445361605",
        't' => "20253646 1242",
        'u' => "0205163645 4246",
        'v' => "022642",
        'w' => "0216233642",
        'x' => "0246 4206",
        'y' => "0226 4218",
        'z' => "02420646",
        '(' => "30121436",
        ')' => "10323416",
        '[' => "30101636",
        ']' => "10303616",
        '<' => "420446",
        '>' => "024406",
        ',' => "252617",
        ';' => "2223 252617",
        ':' => "2223 2526",
        '.' => "2526",
        '-' => "1434",
        '+' => "0444 2226",
        '=' => "0343 0545",
        '/' => "4006",
        '_' => "0646",
        '^' => "122032",
        '"' => "1012 3032",
        '×' => "1335 3315",
        '%' => "4006 0011 3546",
        _ => "0040460600",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_becomes_strokes_where_there_is_no_font() {
        let at = Point::new(10.0, 20.0);
        let line = element("a < b & c", at, 9.0, Anchor::Start, "class=\"text\"");
        assert!(line.contains(">a &lt; b &amp; c</text>") && line.contains("font-size=\"12.5\""));
        let svg = format!("<svg>\n{line}<circle/>\n</svg>\n");
        let outlined = outlined(&svg);
        assert!(!outlined.contains("<text") && outlined.contains("<circle/>"));
        assert!(outlined.contains("class=\"pen\"") && outlined.contains("d=\"M"));
        // As far to the left as its anchor says.
        let first = |anchor| {
            let path = super::outlined(&element("0", at, 9.0, anchor, "fill=\"#123456\""));
            let (_, rest) = path.split_once("d=\"M").unwrap();
            rest.split_once(' ').unwrap().0.parse::<f64>().unwrap()
        };
        let [start, middle, end] = [Anchor::Start, Anchor::Middle, Anchor::End].map(first);
        assert!((start - middle - width("0", 9.0) / 2.0).abs() < 0.11, "{start} {middle}");
        assert!((start - end - width("0", 9.0)).abs() < 0.11, "{start} {end}");
    }

    #[test]
    fn every_glyph_is_made_of_points() {
        for letter in "0123456789abcdefghijklmnopqrstuvwxyz()[]<>,;:.-+=/_^\"×%?".chars() {
            let strokes = strokes(&letter.to_string(), Point::default(), 6.0);
            assert!(!strokes.is_empty(), "{letter}");
            for stroke in glyph(letter).split(' ') {
                assert!(stroke.len() >= 4 && stroke.len().is_multiple_of(2), "{letter}: {stroke}");
            }
            assert!(strokes.iter().all(|stroke| stroke.len() > 1), "{letter}");
        }
        assert_eq!(width("00", 6.0), 9.6);
        assert_eq!(width("", 6.0), 0.0);
    }
}
