//! A network of the search: how it is written, and what is proven of it, without its nodes.

use nestnet_topologies::build::{Context, arguments};
use nestnet_topologies::family::{Built, EvaluatedValue, Family, Kind};
use nestnet_topologies::spec::{Arg, Literal, Spec};
use num_traits::ToPrimitive;
use std::sync::Arc;

/// An argument, before it has a name.
#[derive(Clone, Debug)]
pub(super) enum Given {
    Integer(u64),
    /// Of a taper: 3 to 2.
    Ratio([u64; 2]),
    Word(&'static str),
    Network(Arc<Topology>),
    /// Of which nothing is asked but its theory.
    Theory(Built),
}

impl Given {
    fn integer(&self) -> Option<u64> {
        match self {
            Given::Integer(value) => Some(*value),
            _ => None,
        }
    }
}

/// A network and its theory.
#[derive(Clone)]
pub(super) struct Topology {
    family: &'static Family,
    args: Vec<Given>,
    /// Its theory; without nodes where it is a construction.
    pub built: Built,
    /// The number of nodes that inject and receive, as far as it can be counted.
    pub size: u128,
    /// The largest degree, or an upper bound on it.
    pub degree: u64,
    /// How many constructions it is nested in, none for a base.
    pub depth: usize,
}

impl std::fmt::Debug for Topology {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.spec().fmt(f)
    }
}

impl Topology {
    /// `None` where the family does not take these arguments.
    pub fn new(family: &'static Family, args: &[Given], context: &Context<'_>) -> Option<Self> {
        let built = make(family, args, context)?;
        let size = built.theory.hosts().to_u128().unwrap_or(u128::MAX);
        let degree = built.theory.degrees().max;
        let inner = args.iter().filter_map(|arg| match arg {
            Given::Network(inner) => Some(inner.depth + 1),
            _ => None,
        });
        let depth = inner.max().unwrap_or(0);
        Some(Topology { family, args: args.to_vec(), built, size, degree, depth })
    }

    /// The network that [`Topology::spec`] wrote. `None` where it is no such text.
    pub fn of(spec: &Spec, context: &Context<'_>) -> Option<Self> {
        let family = nestnet_topologies::family::find(&spec.name)?;
        let word = |key: &str, word: &str| {
            let param = family.params.iter().find(|param| param.name == key)?;
            let Kind::Word(words) = param.kind else { return None };
            words.iter().find(|known| **known == word).map(|known| Given::Word(known))
        };
        let given = |arg: &Arg| match (&arg.key, &arg.value) {
            (_, Literal::Integer(value)) => value.to_u64().map(Given::Integer),
            (None, Literal::List(items)) => {
                let [over, under] = &items[..] else { return None };
                let integer = |arg: &Arg| match &arg.value {
                    Literal::Integer(value) => value.to_u64(),
                    _ => None,
                };
                Some(Given::Ratio([integer(over)?, integer(under)?]))
            }
            (Some(key), Literal::Spec(said)) => word(key, &said.name),
            (None, Literal::Spec(inner)) => {
                Some(Given::Network(Topology::of(inner, context)?.into()))
            }
            _ => None,
        };
        let args = spec.args.iter().map(given).collect::<Option<Vec<Given>>>()?;
        Topology::new(family, &args, context)
    }

    /// The same without nodes.
    pub fn theory_alone(self) -> Self {
        Topology { built: self.built.theory_alone(), ..self }
    }

    /// The row of the table that it is of.
    pub fn family(&self) -> &'static Family {
        self.family
    }

    /// The integers among its arguments.
    pub fn integers(&self) -> Vec<u64> {
        self.args.iter().filter_map(Given::integer).collect()
    }

    /// How it is written.
    pub fn spec(&self) -> Spec {
        let params = self.family.params;
        let last = params.len().saturating_sub(1);
        let args = self.args.iter().enumerate().filter_map(|(i, arg)| match arg {
            Given::Integer(value) => Some(Arg::new(*value)),
            Given::Ratio(values) => Some(Arg::new(Literal::List(values.map(Arg::new).into()))),
            Given::Network(network) => Some(Arg::new(network.spec())),
            Given::Theory(_) => None,
            Given::Word(word) => {
                let param = params[i.min(last)];
                let default = matches!(param.kind, Kind::Word(words) if words[0] == *word);
                (!default).then(|| Arg::keyed(param.name, Spec::new(*word, [])))
            }
        });
        Spec::new(self.family.name, args)
    }
}

/// What the family makes of these arguments, on what is known of its bases and not on their nodes.
pub(super) fn make(
    family: &'static Family,
    args: &[Given],
    context: &Context<'_>,
) -> Option<Built> {
    let make = family.quickly()?;
    let mut values = Vec::with_capacity(args.len());
    for (i, param) in family.params.iter().enumerate() {
        // Lists are not searched.
        if let Kind::IntegerList { .. } = param.kind {
            return None;
        }
        if let Kind::Integers { .. } = param.kind {
            let sides = args[i..].iter().filter_map(Given::integer);
            values.push((param.name, EvaluatedValue::Integers(sides.collect())));
            break;
        }
        let value = match args.get(i) {
            Some(Given::Integer(value)) => EvaluatedValue::Integer(*value),
            Some(Given::Ratio(values)) if param.ratio => EvaluatedValue::Integers(values.into()),
            Some(Given::Ratio(_)) => return None,
            Some(Given::Word(word)) => EvaluatedValue::Word(word),
            Some(Given::Network(inner)) => EvaluatedValue::Network(inner.built.clone()),
            Some(Given::Theory(built)) => EvaluatedValue::Network(built.clone()),
            None => match param.kind {
                Kind::Word(words) => EvaluatedValue::Word(words[0]),
                _ => continue,
            },
        };
        values.push((param.name, value));
    }
    make(&arguments(values, context)).ok()
}
