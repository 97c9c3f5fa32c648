//! What of a text from outside may be shown? Terminals, SVG and XML take no control characters.

use std::borrow::Cow;

/// A character as it may be shown: what moves a cursor or turns the direction of writing is replaced.
pub fn visible(c: char) -> char {
    let turns =
        matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    // The last two of the basic plane are no characters, and no XML has them.
    let is_none = matches!(c, '\u{fffe}' | '\u{ffff}');
    if c.is_control() || turns || is_none { char::REPLACEMENT_CHARACTER } else { c }
}

/// A text as it may be shown, line by line.
pub fn visible_lines(text: &str) -> Cow<'_, str> {
    let keeps = |c: char| c == '\n' || c == '\t' || visible(c) == c;
    if text.chars().all(keeps) {
        return Cow::Borrowed(text);
    }
    text.chars().map(|c| if keeps(c) { c } else { char::REPLACEMENT_CHARACTER }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_moves_the_cursor() {
        assert_eq!(visible_lines("plain é\n\ttext"), "plain é\n\ttext");
        let hostile = "a\u{1b}[31m\rb\u{7f}\u{9b}c\0\u{202e}\u{ffff}";
        assert_eq!(visible_lines(hostile), "a�[31m�b��c���");
    }
}
