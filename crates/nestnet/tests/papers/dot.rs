//! DOT by its grammar, and by what the strictest of its readers demands beyond it.

use crate::readers::{costs, each, text};
use nestnet::format::Costs;
use std::collections::{BTreeMap, BTreeSet};

/// One piece of DOT.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Dot {
    Id(String),
    Sign(char),
    Edge,
}

/// The pieces of a text in DOT, by the grammar of Graphviz; what it does not have is refused.
fn dot_tokens(text: &str) -> Vec<Dot> {
    let mut tokens = Vec::new();
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            c if c.is_whitespace() => (),
            '{' | '}' | '[' | ']' | '=' | ',' | ';' => tokens.push(Dot::Sign(c)),
            '-' => match rest.next() {
                Some('-') => tokens.push(Dot::Edge),
                other => panic!("-{other:?}"),
            },
            '"' => {
                let mut id = String::new();
                loop {
                    match rest.next().expect("a quote that is closed") {
                        '"' => break,
                        '\\' => match rest.next().expect("a quote that is closed") {
                            '"' => id.push('"'),
                            other => id.extend(['\\', other]),
                        },
                        other => id.push(other),
                    }
                }
                tokens.push(Dot::Id(id));
            }
            c if c.is_ascii_digit() => {
                let mut id = c.to_string();
                while let Some(next) = rest.next_if(char::is_ascii_digit) {
                    id.push(next);
                }
                // A number ends where a name would begin, or readers take it apart.
                assert!(!rest.peek().is_some_and(|c| c.is_alphabetic() || *c == '_'), "{id}");
                tokens.push(Dot::Id(id));
            }
            c if c.is_ascii_alphabetic() || c == '_' => {
                let mut id = c.to_string();
                while let Some(next) = rest.next_if(|c| c.is_ascii_alphanumeric() || *c == '_') {
                    id.push(next);
                }
                tokens.push(Dot::Id(id));
            }
            other => panic!("no piece of DOT begins with {other:?}"),
        }
    }
    tokens
}

/// What a list of attributes says. Between two of them is a comma: the reader of Boost, which graph-tool has, wants one,
/// although Graphviz does without; and an empty list is nothing that all readers take.
fn dot_attributes(tokens: &mut std::vec::IntoIter<Dot>) -> BTreeMap<String, String> {
    let mut attributes = BTreeMap::new();
    loop {
        let (Some(Dot::Id(key)), Some(Dot::Sign('=')), Some(Dot::Id(value))) =
            (tokens.next(), tokens.next(), tokens.next())
        else {
            panic!("an attribute is `key=value`, behind {attributes:?}")
        };
        assert_eq!(attributes.insert(key, value), None, "an attribute twice");
        match tokens.next() {
            Some(Dot::Sign(',')) => (),
            Some(Dot::Sign(']')) => return attributes,
            other => panic!("wanted a comma or a right bracket, found {other:?}"),
        }
    }
}

/// DOT by its grammar, as strictly as the strictest reader takes it.
#[test]
fn dot_is_read_by_the_strictest_of_its_readers() {
    for costs in [Costs::NONE, costs()] {
        each(|spec, network, expected| {
            let mut tokens = dot_tokens(&text("dot", network, &costs)).into_iter();
            assert_eq!(tokens.next(), Some(Dot::Id("graph".to_owned())), "{spec}");
            assert_eq!(tokens.next(), Some(Dot::Id("a <network> & \"more\"".to_owned())), "{spec}");
            assert_eq!(tokens.next(), Some(Dot::Sign('{')), "{spec}");
            let (mut depth, mut nodes) = (1, BTreeSet::new());
            let (mut links, mut above) = (BTreeSet::new(), BTreeMap::new());
            let mut said = String::new();
            while let Some(token) = tokens.next() {
                let Dot::Id(first) = token else {
                    assert_eq!(token, Dot::Sign('}'), "{spec}");
                    depth -= 1;
                    continue;
                };
                if first == "subgraph" {
                    assert!(matches!(tokens.next(), Some(Dot::Id(_))), "{spec}");
                    assert_eq!(tokens.next(), Some(Dot::Sign('{')), "{spec}");
                    depth += 1;
                    continue;
                }
                let mut ends = vec![first];
                let mut next = tokens.next();
                if next == Some(Dot::Edge) {
                    let Some(Dot::Id(end)) = tokens.next() else { panic!("{spec}: no end") };
                    ends.push(end);
                    next = tokens.next();
                }
                let mut attributes = BTreeMap::new();
                if next == Some(Dot::Sign('[')) {
                    attributes = dot_attributes(&mut tokens);
                    next = tokens.next();
                }
                assert_eq!(next, Some(Dot::Sign(';')), "{spec}");
                let number = |name: &str| name.parse::<u64>().unwrap();
                match &ends[..] {
                    [graph] if graph == "graph" => said = attributes["hosts"].clone(),
                    [node] if node == "node" => assert_eq!(attributes["shape"], "circle", "{spec}"),
                    [node] => assert!(nodes.insert(node.clone()), "{spec}: {node} twice"),
                    [a, b] => {
                        assert!(nodes.contains(a) && nodes.contains(b), "{spec}: {a} {b}");
                        assert!(attributes.contains_key("level"), "{spec}");
                        for key in ["latency", "bandwidth"] {
                            assert_eq!(attributes.contains_key(key), costs.has_latency(), "{spec}");
                        }
                        match b.strip_prefix('h') {
                            Some(host) => above.insert(number(host), number(a)),
                            None => {
                                assert!(links.insert((number(a), number(b))), "{spec}: doubled");
                                None
                            }
                        };
                    }
                    _ => unreachable!("one or two ends"),
                }
            }
            assert_eq!((depth, links), (0, expected.links), "{spec}");
            assert_eq!(said, if above.is_empty() { "nodes" } else { "linked" }, "{spec}");
            if !above.is_empty() {
                assert_eq!(above.into_values().collect::<Vec<_>>(), expected.hosts, "{spec}");
            }
        });
    }
}
