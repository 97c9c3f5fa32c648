//! How is text written? As text, which can be selected and edited, in whatever font the reader has.

use super::Point;
use nestnet_graph::sanitize::visible_lines;

/// How high a digit is, in parts of the size of a font.
const DIGIT: f64 = 0.72;

/// From one letter to the next, in parts of the size of a font, and how much of that lies between them.
const ADVANCE: f64 = 0.672;
const BETWEEN: f64 = 0.192;

/// How wide `text` is at most when its digits are `height` high; most fonts need less.
pub fn width(text: &str, height: f64) -> f64 {
    let letters = text.chars().count() as f64;
    (letters * ADVANCE - BETWEEN).max(0.0) * height / DIGIT
}

/// How high a digit is in a font of that size.
pub fn digits(size: f64) -> f64 {
    size * DIGIT
}

/// A text in lines of at most `most` width, broken between words where that is possible.
pub fn wrapped(text: &str, height: f64, most: f64) -> Vec<String> {
    let fits = |line: &str| width(line, height) <= most;
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        if let Some(last) = lines.last_mut().filter(|last| fits(&format!("{last} {word}"))) {
            last.push(' ');
            last.push_str(word);
            continue;
        }
        let mut line = String::new();
        for letter in word.chars() {
            line.push(letter);
            if line.chars().count() > 1 && !fits(&line) {
                line.pop();
                lines.push(std::mem::replace(&mut line, letter.into()));
            }
        }
        lines.push(line);
    }
    lines
}

/// The fonts of a text: those that the system has.
pub const FONTS: &str =
    "system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif";

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

/// As the text of an element.
pub fn escaped(text: &str) -> String {
    visible_lines(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_text() {
        let line =
            element("a < b & c", Point::new(10.0, 20.0), 9.0, Anchor::End, "fill=\"#123456\"");
        assert!(line.contains(">a &lt; b &amp; c</text>") && line.contains("font-size=\"12.5\""));
        assert!(line.contains("text-anchor=\"end\" fill=\"#123456\""));
    }

    #[test]
    fn long_texts_are_broken_between_words() {
        let most = width("0123456789", 6.0);
        assert_eq!(wrapped("all of it", 6.0, most), ["all of it"]);
        assert_eq!(wrapped("words of a longer text", 6.0, most), ["words of a", "longer", "text"]);
        assert_eq!(wrapped("a 0123456789abc d", 6.0, most), ["a", "0123456789", "abc d"]);
        assert_eq!(wrapped("", 6.0, most), [""]);
        assert_eq!(wrapped("ab", 6.0, 0.0), ["a", "b"]);
    }

    #[test]
    fn a_text_is_as_wide_as_its_letters() {
        assert_eq!(width("", 6.0), 0.0);
        assert!((width("00", 6.0) - 9.6).abs() < 1e-9);
    }
}
