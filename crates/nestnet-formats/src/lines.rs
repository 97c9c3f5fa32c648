//! How is a text read line by line and word by word, without copying it?

use super::ReadError;
use super::mark::Mark;

/// A word and where it begins in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Word<'a> {
    pub at: usize,
    pub bytes: &'a [u8],
}

/// A line without its end, and where it begins in the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'a> {
    pub at: usize,
    pub bytes: &'a [u8],
}

impl<'a> Line<'a> {
    /// Its words, with any white space between them.
    pub fn words(self) -> impl Iterator<Item = Word<'a>> {
        let mut rest = 0;
        std::iter::from_fn(move || {
            let start = rest + self.bytes[rest..].iter().position(|byte| !is_space(*byte))?;
            let length = self.bytes[start..].iter().position(|byte| is_space(*byte));
            let end = length.map_or(self.bytes.len(), |length| start + length);
            rest = end;
            Some(Word { at: self.at + start, bytes: &self.bytes[start..end] })
        })
    }

    /// Where it ends in the text.
    pub fn end(self) -> usize {
        self.at + self.bytes.len()
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | 0xc)
}

/// All lines of a text.
pub(super) fn lines(text: &[u8]) -> impl Iterator<Item = Line<'_>> {
    let mut rest = 0;
    std::iter::from_fn(move || {
        if rest >= text.len() {
            return None;
        }
        let at = rest;
        let length = text[at..].iter().position(|&byte| byte == b'\n');
        let end = length.map_or(text.len(), |length| at + length);
        rest = end + 1;
        Some(Line { at, bytes: &text[at..end] })
    })
}

/// That a file can be a text at all.
pub(super) fn check_text(text: &[u8], format: &'static str) -> Result<(), ReadError> {
    let is_binary = |&byte: &u8| byte < 0x20 && !matches!(byte, b'\t' | b'\n' | 0xc | b'\r');
    match text.iter().position(is_binary) {
        Some(byte) => Err(ReadError::Binary { at: Mark::of(text, byte), byte: text[byte], format }),
        None => Ok(()),
    }
}

/// The same for a text that must be UTF-8.
pub(super) fn utf8<'a>(text: &'a [u8], format: &'static str) -> Result<&'a str, ReadError> {
    check_text(text, format)?;
    std::str::from_utf8(text).map_err(|error| {
        let byte = error.valid_up_to();
        ReadError::Binary { at: Mark::of(text, byte), byte: text[byte], format }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_words_know_their_places() {
        let text = b"a  bc\r\n\n d\t";
        let all: Vec<(usize, &[u8])> = lines(text)
            .flat_map(|line| line.words().map(|word| (word.at, word.bytes)).collect::<Vec<_>>())
            .collect();
        assert_eq!(all, [(0, &b"a"[..]), (3, b"bc"), (9, b"d")]);
        assert_eq!(lines(text).count(), 3);
        assert_eq!(lines(b"").count(), 0);
    }
}
