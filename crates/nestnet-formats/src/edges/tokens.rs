//! Where does a word of a line end? Separators, quotes and comments of the edge lists that are found in the wild.

/// One token of a line and where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Word<'a> {
    /// What it says, without quotes.
    pub bytes: &'a [u8],
    /// Where it begins in the line, from 0.
    pub at: usize,
}

/// The words of a line up to a comment: `#`, `%`, or `//` where a word would begin.
pub(super) struct Words<'a> {
    line: &'a [u8],
    at: usize,
}

impl<'a> Words<'a> {
    pub fn new(line: &'a [u8]) -> Self {
        Words { line, at: 0 }
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = Word<'a>;

    fn next(&mut self) -> Option<Word<'a>> {
        let line = self.line;
        while line.get(self.at).is_some_and(|&byte| is_separator(byte)) {
            self.at += 1;
        }
        let at = self.at;
        let rest = line.get(at..)?;
        match rest {
            [] | [b'#' | b'%', ..] | [b'/', b'/', ..] => return None,
            // What is not closed is a word that begins with a quote.
            [b'"', quoted @ ..] => {
                if let Some(length) = quoted.iter().position(|&byte| byte == b'"') {
                    self.at += length + 2;
                    return Some(Word { bytes: &quoted[..length], at });
                }
            }
            // Attributes in braces go to the end of the line.
            [b'{', ..] => {
                self.at = line.len();
                return Some(Word { bytes: rest.trim_ascii_end(), at });
            }
            _ => (),
        }
        let ends = |&byte: &u8| is_separator(byte) || byte == b'#' || byte == b'%';
        let length = rest.iter().position(ends).unwrap_or(rest.len());
        self.at += length;
        Some(Word { bytes: &rest[..length], at })
    }
}

fn is_separator(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b',' | b';' | b'\r' | b'\n')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_end_at_separators_quotes_and_comments() {
        for (line, expected) in [
            ("0 1\r\n", vec![("0", 0), ("1", 2)]),
            ("a,\tb;c", vec![("a", 0), ("b", 3), ("c", 5)]),
            ("0 1#2", vec![("0", 0), ("1", 2)]),
            ("0 1 // 2", vec![("0", 0), ("1", 2)]),
            ("% 1 2", vec![]),
            ("http://a b", vec![("http://a", 0), ("b", 9)]),
            ("\"New York\",\"Rome\" 3", vec![("New York", 0), ("Rome", 11), ("3", 18)]),
            ("\"a b", vec![("\"a", 0), ("b", 3)]),
            ("0 1 {'a': 2}", vec![("0", 0), ("1", 2), ("{'a': 2}", 4)]),
            ("1 {}\r\n", vec![("1", 0), ("{}", 2)]),
            ("", vec![]),
        ] {
            let words: Vec<(&str, usize)> = Words::new(line.as_bytes())
                .map(|word| (std::str::from_utf8(word.bytes).unwrap(), word.at))
                .collect();
            assert_eq!(words, expected, "{line:?}");
        }
    }
}
