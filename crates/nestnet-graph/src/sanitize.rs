//! What of a text from outside may be shown? Terminals, SVG and XML take no control characters.

use std::borrow::Cow;

/// A character as it may be shown: what moves a cursor, turns the direction of writing or is not seen at all is replaced.
pub fn visible(c: char) -> char {
    let turns = matches!(
        c,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{206f}'
    );
    // Joiners (U+200C, U+200D) are part of how some scripts and emoji are written.
    let is_unseen = matches!(
        c,
        '\u{ad}' | '\u{180e}' | '\u{200b}' | '\u{2060}'..='\u{2065}' | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e007f}'
    );
    // The last two of the basic plane are no characters, and no XML has them.
    let is_none = matches!(c, '\u{fffe}' | '\u{ffff}');
    if c.is_control() || turns || is_unseen || is_none { char::REPLACEMENT_CHARACTER } else { c }
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
        // Everything that turns the direction of writing, and what is not seen.
        for c in "\u{61c}\u{200b}\u{200f}\u{2028}\u{202a}\u{2066}\u{206a}\u{feff}\u{e0041}".chars()
        {
            assert_eq!(visible(c), char::REPLACEMENT_CHARACTER, "{c:?}");
        }
        assert_eq!(visible_lines("a\u{200d}b שלום"), "a\u{200d}b שלום");
    }
}
