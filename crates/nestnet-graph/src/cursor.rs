//! A place in a text that is read from left to right; spaces before a sign are passed over.

use std::ops::Range;

/// The text up to where reading ends, and the byte that comes next.
#[derive(Clone, Copy, Debug)]
pub struct Cursor<'a> {
    /// What is read.
    pub text: &'a str,
    /// How many bytes of it were read.
    pub at: usize,
}

impl<'a> Cursor<'a> {
    /// At the beginning of a text.
    pub fn new(text: &'a str) -> Self {
        Cursor { text, at: 0 }
    }

    /// What is left.
    pub fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Passes over spaces.
    pub fn skip_spaces(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    /// The next letter that is no space.
    pub fn peek(&mut self) -> Option<char> {
        self.skip_spaces();
        self.rest().chars().next()
    }

    /// Passes over a sign and the spaces before it, if it comes next.
    pub fn take(&mut self, sign: &str) -> bool {
        self.skip_spaces();
        let found = self.rest().starts_with(sign);
        self.at += if found { sign.len() } else { 0 };
        found
    }

    /// Passes over letters that are allowed, and says where they are.
    pub fn take_while(&mut self, allowed: impl Fn(char) -> bool) -> Range<usize> {
        let (start, rest) = (self.at, self.rest());
        self.at += rest.find(|c| !allowed(c)).unwrap_or(rest.len());
        start..self.at
    }
}
