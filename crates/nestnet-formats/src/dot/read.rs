//! Which nodes and links does a text in DOT have?
//!
//! Graphs, directed or not, with chains of links, lists of attributes, names in quotes and comments. Subgraphs are boxes
//! in a picture: what is in them belongs to the graph. A subgraph as an end of links is refused.

use crate::ReadError;
use crate::collect::{LINKED, NODES, level_at};
use crate::lines::utf8;
use crate::mark::{Mark, shown};
use crate::reading::{Hosts, Labels, Reading, Remark};
use nestnet_graph::named::Names;
use std::borrow::Cow;
use std::collections::HashSet;

/// A piece of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Token<'a> {
    /// A word or a number.
    Word(&'a str),
    /// A string in quotes.
    Quoted(Cow<'a, str>),
    /// HTML in angle brackets.
    Html,
    /// One of `{}[]=,;:`.
    Sign(u8),
    /// `--`, or `->`.
    Edge,
    /// The text ends.
    End,
}

/// The text as pieces.
#[derive(Clone, Copy)]
struct Tokens<'a> {
    text: &'a str,
    /// Where the last piece begins.
    at: usize,
    next: usize,
}

impl<'a> Tokens<'a> {
    fn next(&mut self) -> Result<Token<'a>, ReadError> {
        self.skip_space()?;
        self.at = self.next;
        let rest = &self.text[self.at..];
        let Some(first) = rest.chars().next() else { return Ok(Token::End) };
        match first {
            '{' | '}' | '[' | ']' | '=' | ',' | ';' | ':' => {
                self.next += 1;
                Ok(Token::Sign(rest.as_bytes()[0]))
            }
            '-' if rest.starts_with("--") || rest.starts_with("->") => {
                self.next += 2;
                Ok(Token::Edge)
            }
            '"' => self.quoted().map(Token::Quoted),
            '<' => {
                self.html()?;
                Ok(Token::Html)
            }
            '0'..='9' | '.' | '-' => {
                let sign = usize::from(first == '-');
                let is_part = |c: char| c.is_ascii_digit() || c == '.';
                let length =
                    rest[sign..].find(|c| !is_part(c)).map_or(rest.len(), |end| sign + end);
                if length == sign {
                    return Err(self.expected("a name, `--` or `->`"));
                }
                self.next += length;
                Ok(Token::Word(&rest[..length]))
            }
            c if is_letter(c) => {
                let is_part = |c: char| is_letter(c) || c.is_ascii_digit();
                let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
                self.next += length;
                Ok(Token::Word(&rest[..length]))
            }
            _ => Err(self.expected("a name or a sign of DOT")),
        }
    }

    /// The piece behind the last one, which stays.
    fn peek(&self) -> Result<Token<'a>, ReadError> {
        let mut ahead = *self;
        ahead.next()
    }

    /// Takes a sign where it comes next.
    fn takes(&mut self, sign: u8) -> Result<bool, ReadError> {
        let mut ahead = *self;
        let is = ahead.next()? == Token::Sign(sign);
        if is {
            *self = ahead;
        }
        Ok(is)
    }

    /// Passes white space and comments.
    fn skip_space(&mut self) -> Result<(), ReadError> {
        loop {
            let rest = &self.text[self.next..];
            let plain = rest.trim_start();
            self.next += rest.len() - plain.len();
            let length = if plain.starts_with("//") || plain.starts_with('#') {
                plain.find('\n').unwrap_or(plain.len())
            } else if let Some(inside) = plain.strip_prefix("/*") {
                let end = inside.find("*/").map(|end| end + 4);
                end.ok_or_else(|| ReadError::Ends {
                    at: Mark::of(self.text.as_bytes(), self.text.len()),
                    expected: "the end of a comment",
                })?
            } else {
                return Ok(());
            };
            self.next += length;
        }
    }

    /// A string, or several with `+` between them, without the marks of quotes and of lines that go on.
    fn quoted(&mut self) -> Result<Cow<'a, str>, ReadError> {
        let mut whole: Option<Cow<'a, str>> = None;
        loop {
            let inside = &self.text[self.next + 1..];
            let mut escaped = false;
            let end = inside.bytes().position(|byte| {
                let ends = byte == b'"' && !escaped;
                escaped = byte == b'\\' && !escaped;
                ends
            });
            let end = end.ok_or_else(|| ReadError::Ends {
                at: Mark::of(self.text.as_bytes(), self.text.len()),
                expected: "the end of a string",
            })?;
            self.next += end + 2;
            let part = unescaped(&inside[..end]);
            whole = Some(match whole {
                None => part,
                Some(before) => Cow::Owned(before.into_owned() + &part),
            });
            let mut ahead = *self;
            ahead.skip_space()?;
            let Some(rest) = self.text[ahead.next..].strip_prefix('+') else { break };
            ahead.next = self.text.len() - rest.len();
            ahead.skip_space()?;
            if !self.text[ahead.next..].starts_with('"') {
                ahead.at = ahead.next;
                return Err(ahead.expected("a string behind `+`"));
            }
            self.next = ahead.next;
        }
        Ok(whole.unwrap_or_default())
    }

    /// Passes HTML, whose brackets are in pairs.
    fn html(&mut self) -> Result<(), ReadError> {
        let mut depth = 0usize;
        for (at, byte) in self.text.bytes().enumerate().skip(self.next) {
            match byte {
                b'<' => depth += 1,
                b'>' => depth -= 1,
                _ => (),
            }
            if depth == 0 {
                self.next = at + 1;
                return Ok(());
            }
        }
        let at = Mark::of(self.text.as_bytes(), self.text.len());
        Err(ReadError::Ends { at, expected: "the end of HTML in brackets" })
    }

    /// That something else is at the last piece.
    fn expected(&self, expected: &'static str) -> ReadError {
        let rest = &self.text[self.at.min(self.text.len())..];
        let length = rest.find(char::is_whitespace).unwrap_or(rest.len()).clamp(1, 20);
        ReadError::expected(self.text.as_bytes(), self.at, length, expected)
    }

    fn refused(&self, what: &'static str, why: &'static str) -> ReadError {
        ReadError::Refused { at: Mark::of(self.text.as_bytes(), self.at), what, why }
    }
}

fn is_letter(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_' || !c.is_ascii()
}

/// A string as it is meant: `\"` is a quote, and a line that ends in `\` goes on. Other marks are kept, as Graphviz does.
fn unescaped(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        match (c, rest.clone().next()) {
            ('\\', Some('"')) => plain.extend(rest.next()),
            ('\\', Some('\n')) => {
                rest.next();
            }
            ('\\', Some(other)) => {
                rest.next();
                plain.extend([c, other]);
            }
            _ => plain.push(c),
        }
    }
    Cow::Owned(plain)
}

/// The text of a label, where it has no marks but for the backslash itself.
fn label(text: &str) -> Option<String> {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        if c == '\\' && rest.next() != Some('\\') {
            return None;
        }
        plain.push(c);
    }
    Some(plain)
}

/// What a node is drawn as, as far as that counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Shape {
    #[default]
    Any,
    /// A switch, in what is written here.
    Box,
    /// A host that hangs at a switch, in what is written here.
    Point,
}

/// What has been read so far. Nodes are numbered as they come.
#[derive(Default)]
struct Graph {
    names: Names,
    labels: Vec<Option<String>>,
    shapes: Vec<Shape>,
    links: Vec<(u32, u32)>,
    levels: Vec<u16>,
    /// What hosts are, in what is written here.
    hosts: Option<String>,
    remarks: Vec<Remark>,
}

/// Reads nodes, links, `label` and `level`; other attributes are passed over. Parallel links are cables of one link, but in
/// a `strict` graph.
pub(super) fn read(text: &[u8]) -> Result<Reading, ReadError> {
    let text = utf8(text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text), "DOT")?;
    let mut tokens = Tokens { text, at: 0, next: 0 };
    let is = |token: &Token<'_>, keyword: &str| matches!(token, Token::Word(word) if word.eq_ignore_ascii_case(keyword));
    let mut first = tokens.next()?;
    let strict = is(&first, "strict");
    if strict {
        first = tokens.next()?;
    }
    let mut graph = Graph::default();
    if is(&first, "digraph") {
        graph.remark(Remark::Directed);
    } else if !is(&first, "graph") {
        return Err(match first {
            Token::End => ReadError::Empty { expected: EXPECTED },
            _ => tokens.expected("`graph` or `digraph`"),
        });
    }
    if matches!(tokens.peek()?, Token::Word(_) | Token::Quoted(_) | Token::Html) {
        tokens.next()?;
    }
    if tokens.next()? != Token::Sign(b'{') {
        return Err(tokens.expected("`{`"));
    }
    let mut depth = 1;
    while depth > 0 {
        match tokens.next()? {
            Token::Sign(b';') => (),
            Token::Sign(b'{') => depth += 1,
            Token::Sign(b'}') => {
                depth -= 1;
                if depth > 0 && tokens.peek()? == Token::Edge {
                    return Err(tokens.refused(SUBGRAPH, "name its nodes one by one"));
                }
            }
            token if is(&token, "subgraph") => {
                if matches!(tokens.peek()?, Token::Word(_) | Token::Quoted(_)) {
                    tokens.next()?;
                }
                if tokens.next()? != Token::Sign(b'{') {
                    return Err(tokens.expected("`{` of a subgraph"));
                }
                depth += 1;
            }
            token if is(&token, "node") || is(&token, "edge") || is(&token, "graph") => {
                let of_graph = is(&token, "graph") && depth == 1;
                attributes(&mut tokens, |_, key, value| {
                    if of_graph && key == "hosts" {
                        graph.hosts = Some(value.to_owned());
                    }
                    Ok(())
                })?;
            }
            Token::Word(_) | Token::Quoted(_) | Token::Html
                if tokens.peek()? == Token::Sign(b'=') =>
            {
                let key = tokens.text[tokens.at..tokens.next].trim_matches('"');
                tokens.next()?;
                let value = tokens.next()?;
                let value = value_of(&tokens, &value)?;
                if depth == 1 && key == "hosts" {
                    graph.hosts = Some(value.to_owned());
                }
            }
            Token::Word(name) => statement(&mut graph, &mut tokens, name)?,
            Token::Quoted(name) => statement(&mut graph, &mut tokens, &name)?,
            Token::End => return Err(tokens.expected("`}`")),
            _ => return Err(tokens.expected("a node, a link or an attribute")),
        }
    }
    if tokens.next()? != Token::End {
        return Err(tokens.refused("a second graph", "a file is one network"));
    }
    graph.finish(strict)
}

/// What a file has.
const EXPECTED: &str = "`graph { a -- b }`";

const SUBGRAPH: &str = "a subgraph as an end of links";

/// A node or a chain of links that begins with a name.
fn statement<'a>(graph: &mut Graph, tokens: &mut Tokens<'a>, name: &str) -> Result<(), ReadError> {
    let mut from = graph.node(tokens, name)?;
    port(graph, tokens)?;
    let first = graph.links.len();
    while tokens.peek()? == Token::Edge {
        tokens.next()?;
        let to = match tokens.next()? {
            Token::Sign(b'{') => return Err(tokens.refused(SUBGRAPH, "name its nodes one by one")),
            Token::Word(word) if word.eq_ignore_ascii_case("subgraph") => {
                return Err(tokens.refused(SUBGRAPH, "name its nodes one by one"));
            }
            Token::Word(name) => graph.node(tokens, name)?,
            Token::Quoted(name) => graph.node(tokens, &name)?,
            _ => return Err(tokens.expected("a node")),
        };
        if from == to {
            let at = Mark::of(tokens.text.as_bytes(), tokens.at);
            let node = shown(graph.names.name(to).unwrap_or_default().as_bytes());
            return Err(ReadError::Loop { at, node });
        }
        port(graph, tokens)?;
        graph.links.push((from, to));
        from = to;
    }
    graph.levels.resize(graph.links.len(), 0);
    let node = from as usize;
    if graph.links.len() == first {
        attributes(tokens, |_, key, value| {
            match key {
                "label" => graph.labels[node] = label(value),
                "shape" => {
                    graph.shapes[node] = match value {
                        "box" => Shape::Box,
                        "point" => Shape::Point,
                        _ => Shape::Any,
                    }
                }
                _ => graph.remark(Remark::PassedOver("other attributes of nodes")),
            }
            Ok(())
        })
    } else {
        let text = tokens.text.as_bytes();
        attributes(tokens, |at, key, value| {
            match key {
                "level" => {
                    let level = level_at(text, at, value.as_bytes())?;
                    graph.levels[first..].fill(level);
                }
                _ => graph.remark(Remark::PassedOver("other attributes of links")),
            }
            Ok(())
        })
    }
}

/// Passes the place at a node where a link is drawn to: `a:port:n`.
fn port(graph: &mut Graph, tokens: &mut Tokens<'_>) -> Result<(), ReadError> {
    while tokens.takes(b':')? {
        if !matches!(tokens.next()?, Token::Word(_) | Token::Quoted(_)) {
            return Err(tokens.expected("a port"));
        }
        graph.remark(Remark::PassedOver("ports of nodes"));
    }
    Ok(())
}

/// Takes lists of attributes: `[key=value, key=value]`.
fn attributes<'a>(
    tokens: &mut Tokens<'a>,
    mut take: impl FnMut(usize, &str, &str) -> Result<(), ReadError>,
) -> Result<(), ReadError> {
    while tokens.takes(b'[')? {
        while !tokens.takes(b']')? {
            let key = match tokens.next()? {
                Token::Word(key) => Cow::Borrowed(key),
                Token::Quoted(key) => key,
                _ => return Err(tokens.expected("an attribute or `]`")),
            };
            if !tokens.takes(b'=')? {
                tokens.next()?;
                return Err(tokens.expected("`=` and the value of an attribute"));
            }
            let value = tokens.next()?;
            let at = tokens.at;
            take(at, &key, value_of(tokens, &value)?)?;
            if !tokens.takes(b',')? {
                tokens.takes(b';')?;
            }
        }
    }
    Ok(())
}

/// The value of an attribute; of HTML nothing is read.
fn value_of<'t>(tokens: &Tokens<'_>, token: &'t Token<'_>) -> Result<&'t str, ReadError> {
    match token {
        Token::Word(word) => Ok(word),
        Token::Quoted(text) => Ok(text),
        Token::Html => Ok(""),
        _ => Err(tokens.expected("a value")),
    }
}

impl Graph {
    /// The number of a node, which may be new.
    fn node(&mut self, tokens: &Tokens<'_>, name: &str) -> Result<u32, ReadError> {
        if name.is_empty() || name.chars().any(char::is_control) {
            return Err(tokens.expected("a name of visible characters"));
        }
        let id =
            self.names.id(name).ok_or_else(|| tokens.refused("a node", "there are too many"))?;
        if self.labels.len() <= id as usize {
            self.labels.push(None);
            self.shapes.push(Shape::Any);
        }
        Ok(id)
    }

    fn remark(&mut self, remark: Remark) {
        if !self.remarks.contains(&remark) {
            self.remarks.push(remark);
        }
    }

    /// All that was read.
    fn finish(mut self, strict: bool) -> Result<Reading, ReadError> {
        let nodes = self.names.len();
        if nodes == 0 {
            return Err(ReadError::Empty { expected: EXPECTED });
        }
        if strict {
            self.without_repeats();
        }
        let (numbers, hosts) = match self.numbers() {
            Some((numbers, hosts)) => (numbers, hosts),
            // What says that hosts hang and is not numbered so is not of ours.
            None => {
                self.hosts = None;
                ((0..).zip(&self.shapes).map(|(id, _)| id).collect(), Hosts::All)
            }
        };
        let mut by_number: Vec<u32> = (0..).zip(&numbers).map(|(id, _)| id).collect();
        by_number.sort_unstable_by_key(|&id| numbers[id as usize]);
        for (a, b) in &mut self.links {
            (*a, *b) = (numbers[*a as usize], numbers[*b as usize]);
        }
        if self.levels.iter().all(|&level| level == 0) {
            self.levels.clear();
        }
        let labels = self.names_of(&by_number);
        let Graph { links, levels, remarks, .. } = self;
        Ok(Reading { nodes, links, levels, labels, hosts, remarks, ..Reading::default() })
    }

    /// Every link once.
    fn without_repeats(&mut self) {
        let mut seen = HashSet::new();
        let is_new: Vec<bool> =
            self.links.iter().map(|&(a, b)| seen.insert((a.min(b), a.max(b)))).collect();
        let mut new = is_new.iter();
        self.links.retain(|_| new.next() == Some(&true));
        let mut new = is_new.iter();
        self.levels.retain(|_| new.next() == Some(&true));
    }

    /// The number of each node, and which are hosts, where nodes are called 0, 1, …; those of files that are written here
    /// say which are hosts by their shape.
    fn numbers(&self) -> Option<(Vec<u32>, Hosts)> {
        let ids = || (0..).zip(&self.shapes).map(|(id, shape)| (id, *shape));
        let name = |id: u32| self.names.name(id).unwrap_or_default();
        let number = |text: &str| text.parse::<u32>().ok().filter(|n| n.to_string() == text);
        let hosts = ids().filter(|(_, shape)| *shape == Shape::Point).count();
        let hang = self.hosts.as_deref() == Some(LINKED);
        let numbered: Option<Vec<u32>> = ids()
            .map(|(id, shape)| match (hang, shape) {
                (true, Shape::Point) => name(id).strip_prefix('h').and_then(number),
                (true, _) => number(name(id))?.checked_add(u32::try_from(hosts).ok()?),
                (false, _) => number(name(id)),
            })
            .collect();
        let numbered = numbered.filter(|numbers| {
            let mut sorted = numbers.clone();
            sorted.sort_unstable();
            sorted.iter().copied().eq(ids().map(|(id, _)| id))
        });
        let numbers = numbered?;
        let mut marked = vec![true; numbers.len()];
        for (id, shape) in ids() {
            marked[numbers[id as usize] as usize] = match self.hosts.as_deref() {
                Some(LINKED) => shape == Shape::Point,
                Some(NODES) => shape != Shape::Box,
                _ => true,
            };
        }
        let hosts = if marked.contains(&false) { Hosts::Marked(marked) } else { Hosts::All };
        Some((numbers, hosts))
    }

    /// What nodes are called, in their order: by labels that tell them apart, else by their names.
    fn names_of(&mut self, by_number: &[u32]) -> Labels {
        let mut names = Names::default();
        let tells = (0..).zip(by_number).all(|(number, &id)| {
            let label = self.labels[id as usize].as_deref();
            let plain =
                label.filter(|text| !text.is_empty() && !text.chars().any(char::is_control));
            plain.is_some_and(|text| names.find(text).is_none() && names.id(text) == Some(number))
        });
        if !tells {
            if self.labels.iter().any(Option::is_some) {
                self.remark(Remark::PassedOver("labels that do not tell nodes apart"));
            }
            names = Names::default();
            for &id in by_number {
                names.id(self.names.name(id).unwrap_or_default());
            }
        }
        // Switches behind hosts are called by their numbers in the file, not by those here.
        let hang = !tells && self.hosts.as_deref() == Some(LINKED);
        let is_number = |(id, _): (u32, &u32)| {
            names.name(id).is_some_and(|name| name == itoa::Buffer::new().format(id))
        };
        match hang || (0..).zip(by_number).all(is_number) {
            true => Labels::Numbers,
            false => Labels::Names(names),
        }
    }
}
