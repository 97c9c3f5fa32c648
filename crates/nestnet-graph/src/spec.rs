//! The spec language: `name(arg, …, key=value)`. Knows no family.
//!
//! ```text
//! spec  := name [ "(" [ arg { "," arg } ] ")" ]
//! arg   := [ key "=" ] value
//! value := integer | "text" | "[" [ value { "," value } ] "]" | spec
//! ```
//! A bare word is a spec without arguments; whether it is meant as a word or a network is decided by who asks for it.

use crate::cursor::Cursor;
use crate::kinds;
use crate::sanitize::{visible, visible_lines};
use num_bigint::BigInt;
use std::fmt;
use std::ops::Range;

/// A network as text: a name and its arguments. Equality does not look at where it was written.
#[derive(Clone, Debug)]
pub struct Spec {
    /// The name of a family.
    pub name: String,
    /// Its arguments, in the order written.
    pub args: Vec<Arg>,
    /// Where the name is in the text.
    pub span: Range<usize>,
}

/// One argument.
#[derive(Clone, Debug)]
pub struct Arg {
    /// The parameter it names, if it does.
    pub key: Option<String>,
    /// What it says.
    pub value: Literal,
    /// Where it is in the text.
    pub span: Range<usize>,
}

/// What an argument can be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Literal {
    /// An integer of any size.
    Integer(BigInt),
    /// A quoted text.
    Text(String),
    /// `[a, b]`, each with its place.
    List(Vec<Arg>),
    /// A network, or a bare word.
    Spec(Spec),
}

impl PartialEq for Spec {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.args == other.args
    }
}

impl Eq for Spec {}

impl PartialEq for Arg {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key && self.value == other.value
    }
}

impl Eq for Arg {}

impl Spec {
    /// A spec made by a program, with no place in a text.
    pub fn new(name: impl Into<String>, args: impl IntoIterator<Item = Arg>) -> Self {
        Spec { name: name.into(), args: args.into_iter().collect(), span: 0..0 }
    }

    /// Reads a spec; the error shows where and why it could not.
    pub fn parse(text: &str) -> Result<Spec, SpecError> {
        let mut parser = Parser { cursor: Cursor::new(text) };
        if is_path(text) {
            let path = Literal::Text(text.trim().to_owned());
            let message = format!("a network is wanted, not a file: did you mean `file({path})`?");
            return Err(parser.error(0..text.len(), message));
        }
        let spec = parser.spec(0)?;
        match parser.cursor.peek() {
            None => Ok(spec),
            Some(_) if spec.args.is_empty() => Err(parser.unexpected("`(` or the end")),
            Some(_) => Err(parser.unexpected("the end")),
        }
    }
}

/// Whether a text is written as the name of a file is, and not as a network: `links.txt`, `data/links`.
fn is_path(text: &str) -> bool {
    let text = text.trim();
    let letters = |text: &str| text.contains(|c: char| c.is_alphanumeric());
    let ending = text.rsplit_once('.').is_some_and(|(stem, ending)| {
        letters(stem)
            && !ending.is_empty()
            && ending.chars().all(|c| c.is_ascii_alphanumeric())
            && ending.contains(|c: char| c.is_ascii_alphabetic())
    });
    !text.contains(['(', ')', '"', '=', ','])
        && letters(text)
        && (ending || text.contains(['/', '\\']))
}

impl Arg {
    /// An argument without a key.
    pub fn new(value: impl Into<Literal>) -> Self {
        Arg { key: None, value: value.into(), span: 0..0 }
    }

    /// `key=value`.
    pub fn keyed(key: &str, value: impl Into<Literal>) -> Self {
        Arg { key: Some(key.to_owned()), ..Arg::new(value) }
    }
}

impl From<u64> for Literal {
    fn from(value: u64) -> Self {
        Literal::Integer(value.into())
    }
}

impl From<Spec> for Literal {
    fn from(spec: Spec) -> Self {
        Literal::Spec(spec)
    }
}

crate::serialize_as_text!(Spec);

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        if self.args.is_empty() {
            return Ok(());
        }
        write!(f, "({})", Commas(&self.args))
    }
}

impl fmt::Display for Arg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(key) = &self.key {
            write!(f, "{key}=")?;
        }
        self.value.fmt(f)
    }
}

impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Literal::Integer(value) => value.fmt(f),
            Literal::Text(text) => {
                write!(f, "\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
            }
            Literal::List(items) => write!(f, "[{}]", Commas(items)),
            Literal::Spec(spec) => spec.fmt(f),
        }
    }
}

struct Commas<'a>(&'a [Arg]);

impl fmt::Display for Commas<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, arg) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str(", ")?;
            }
            arg.fmt(f)?;
        }
        Ok(())
    }
}

/// What is wrong with a spec, and where. Prints the text with a caret under the place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecError {
    /// The whole spec.
    pub text: String,
    /// The place at fault.
    pub span: Range<usize>,
    /// What is wrong with it.
    pub message: String,
}

kinds!(SpecError: Spec);

impl std::error::Error for SpecError {}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// What is shown around the place when the spec is long.
        const CONTEXT: usize = 60;
        writeln!(f, "{}", visible_lines(&self.message))?;
        let flat = |part: &str| -> String {
            part.chars().map(|c| if c.is_whitespace() { ' ' } else { visible(c) }).collect()
        };
        let (start, end) =
            (self.span.start.min(self.text.len()), self.span.end.min(self.text.len()));
        let before: Vec<char> = flat(&self.text[..start]).chars().collect();
        let place: Vec<char> = flat(&self.text[start..end.max(start)]).chars().collect();
        let after: Vec<char> = flat(&self.text[end.max(start)..]).chars().collect();
        let cut = before.len().saturating_sub(CONTEXT);
        let head: String = before[cut..].iter().collect();
        let tail: String = after.iter().take(CONTEXT).collect();
        let place: String = place.iter().take(CONTEXT).collect();
        let dots = if cut > 0 { "…" } else { "" };
        let more = if after.len() > CONTEXT { "…" } else { "" };
        writeln!(f, "  {dots}{head}{place}{tail}{more}")?;
        let indent = dots.chars().count() + head.chars().count();
        write!(f, "  {}{}", " ".repeat(indent), "^".repeat(place.chars().count().max(1)))
    }
}

/// Limit: networks within each other in a spec: none that can be written down needs more.
const MAX_DEPTH: usize = 100;

struct Parser<'a> {
    cursor: Cursor<'a>,
}

impl Parser<'_> {
    fn error(&self, span: Range<usize>, message: String) -> SpecError {
        SpecError { text: self.cursor.text.to_owned(), span, message }
    }

    fn unexpected(&mut self, expected: &str) -> SpecError {
        match self.cursor.peek() {
            Some(c) => {
                let span = self.cursor.at..self.cursor.at + c.len_utf8();
                self.error(span, format!("expected {expected}, found `{c}`"))
            }
            None => {
                let end = self.cursor.text.len();
                self.error(end..end, format!("expected {expected}, but the text ends here"))
            }
        }
    }

    fn name(&mut self, expected: &str) -> Result<Range<usize>, SpecError> {
        match self.cursor.peek() {
            Some(c) if c.is_ascii_alphabetic() || c == '_' => {
                let start = self.cursor.at;
                loop {
                    self.cursor.take_while(|c| c.is_ascii_alphanumeric() || c == '_');
                    // No name has a hyphen, but many are written so, and whoever looks the name up knows which is meant.
                    let rest = &self.cursor.text.as_bytes()[self.cursor.at..];
                    match rest {
                        [b'-', next, ..] if next.is_ascii_alphabetic() => self.cursor.at += 1,
                        _ => return Ok(start..self.cursor.at),
                    }
                }
            }
            _ => Err(self.unexpected(expected)),
        }
    }

    fn spec(&mut self, depth: usize) -> Result<Spec, SpecError> {
        let span = self.name("the name of a network")?;
        self.rest_of_spec(span, depth)
    }

    fn rest_of_spec(&mut self, span: Range<usize>, depth: usize) -> Result<Spec, SpecError> {
        if depth > MAX_DEPTH {
            let message = format!("nested more than {MAX_DEPTH} deep");
            return Err(self.error(span, message));
        }
        let args = if self.cursor.take("(") { self.args(")", true, depth)? } else { Vec::new() };
        Ok(Spec { name: self.cursor.text[span.clone()].to_owned(), args, span })
    }

    /// The arguments up to the closing bracket, which is taken too.
    fn args(&mut self, close: &str, keys: bool, depth: usize) -> Result<Vec<Arg>, SpecError> {
        let mut args = Vec::new();
        if self.cursor.take(close) {
            return Ok(args);
        }
        loop {
            args.push(self.arg(keys, depth)?);
            if self.cursor.take(close) {
                return Ok(args);
            }
            if !self.cursor.take(",") {
                return Err(self.unexpected(&format!("`,` or `{close}`")));
            }
        }
    }

    fn arg(&mut self, keys: bool, depth: usize) -> Result<Arg, SpecError> {
        const VALUE: &str = "a number, a network, a word, a list or a quoted text";
        self.cursor.skip_spaces();
        let start = self.cursor.at;
        let mut key = None;
        let value = match self.cursor.peek() {
            Some(c) if c.is_ascii_alphabetic() || c == '_' => {
                let name = self.name(VALUE)?;
                if keys && self.cursor.take("=") {
                    key = Some(self.cursor.text[name].to_owned());
                    let inner = self.arg(false, depth)?;
                    return Ok(Arg { key, span: start..self.cursor.at, ..inner });
                }
                Literal::Spec(self.rest_of_spec(name, depth + 1)?)
            }
            Some(c) if c.is_ascii_digit() || c == '-' => Literal::Integer(self.integer()?),
            Some('"') => Literal::Text(self.quoted()?),
            Some('[') => {
                if depth > MAX_DEPTH {
                    let message = format!("nested more than {MAX_DEPTH} deep");
                    return Err(self.error(self.cursor.at..self.cursor.at + 1, message));
                }
                self.cursor.take("[");
                Literal::List(self.args("]", false, depth + 1)?)
            }
            _ => return Err(self.unexpected(VALUE)),
        };
        Ok(Arg { key, value, span: start..self.cursor.at })
    }

    fn integer(&mut self) -> Result<BigInt, SpecError> {
        /// Limit: digits of a number in a spec: longer ones are no sizes of networks.
        const MAX_DIGITS: usize = 1000;
        let start = self.cursor.at;
        self.cursor.take("-");
        let digits = self.cursor.take_while(|c| c.is_ascii_digit());
        if digits.is_empty() {
            return Err(self.unexpected("a digit"));
        }
        if digits.len() > MAX_DIGITS {
            let message = format!("a number of more than {MAX_DIGITS} digits");
            return Err(self.error(digits, message));
        }
        let text = &self.cursor.text[start..self.cursor.at];
        text.parse().map_err(|_| self.error(start..self.cursor.at, "not a number".to_owned()))
    }

    fn quoted(&mut self) -> Result<String, SpecError> {
        let start = self.cursor.at;
        self.cursor.take("\"");
        let mut text = String::new();
        let mut escaped = false;
        for (offset, c) in self.cursor.text[self.cursor.at..].char_indices() {
            match c {
                '\\' if !escaped => escaped = true,
                '"' if !escaped => {
                    self.cursor.at += offset + 1;
                    return Ok(text);
                }
                c => {
                    text.push(c);
                    escaped = false;
                }
            }
        }
        Err(self.error(start..self.cursor.text.len(), "expected a closing `\"`".to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        Spec::parse(text).unwrap_err().to_string()
    }

    #[test]
    fn prints_and_parses_back() {
        for text in [
            "petersen",
            "rdn(torus(5, 5), 2)",
            "re([ring(4), complete(3)], ring(5), pivots=degree)",
            r#"file("a \"b\" \\ c")"#,
            "ring(-3)",
            "x([], [[a], 1])",
        ] {
            assert_eq!(Spec::parse(text).unwrap().to_string(), text);
        }
        assert_eq!(
            Spec::parse(" rdn ( ring( 3 ),k = 1 ) ").unwrap().to_string(),
            "rdn(ring(3), k=1)"
        );
        assert_eq!(Spec::parse("petersen()").unwrap().to_string(), "petersen");
    }

    #[test]
    fn shows_the_place() {
        assert_eq!(
            error("rdn(torus(5,5, 2)"),
            "expected `,` or `)`, but the text ends here\n  rdn(torus(5,5, 2)\n                   ^"
        );
        assert_eq!(error("rdn(!)").lines().last(), Some("      ^"));
        assert_eq!(
            error("").lines().next(),
            Some("expected the name of a network, but the text ends here")
        );
        assert_eq!(error("ring(3) x").lines().next(), Some("expected the end, found `x`"));
        assert_eq!(error("ring 3").lines().next(), Some("expected `(` or the end, found `3`"));
        assert_eq!(error(r#"file("a"#).lines().next(), Some("expected a closing `\"`"));
    }

    #[test]
    fn the_caret_stands_under_wide_text() {
        let text = error("ring(é)");
        assert_eq!(text.lines().last(), Some("       ^"));
    }

    #[test]
    fn the_name_of_a_file_is_no_network() {
        for path in ["links.txt", "data/links", "../a b.csv", "/data/x", "x.el", "c:\\links.txt"] {
            let message = error(path);
            let quoted = path.replace('\\', "\\\\");
            assert!(message.contains(&format!("did you mean `file(\"{quoted}\")`?")), "{message}");
        }
        for text in ["ring.", ".", "ring.5", "rdn(ring.txt, 1)", "../"] {
            assert!(!error(text).contains("did you mean"), "{text}");
        }
    }

    #[test]
    fn escape_codes_are_not_repeated() {
        let text = error("ring(\u{1b}[31m)");
        assert!(!text.contains('\u{1b}'), "{text}");
        assert_eq!(text.lines().last(), Some("       ^"));
        assert!(!error("file(\"\u{1b}[31m").contains('\u{1b}'));
    }

    #[test]
    fn names_are_read_with_hyphens() {
        assert_eq!(Spec::parse("fat-tree(4)").unwrap().name, "fat-tree");
        assert_eq!(error("ring-3").lines().next(), Some("expected `(` or the end, found `-`"));
    }

    #[test]
    fn depth_is_bounded() {
        assert!(error(&"f(".repeat(100_000)).contains("nested more than 100 deep"));
        assert!(error(&format!("f({}", "[".repeat(100_000))).contains("nested more than 100 deep"));
        assert!(error(&format!("f({})", "9".repeat(2000))).contains("digits"));
    }
}
