//! From text to network: looks names up, evaluates arguments bottom-up, and says where a fault stands.

use crate::family::hosts::{base_of, with_hosts};
use crate::family::paper_formula::PaperFormula;
use crate::family::reference::best_name;
use crate::family::{ArgError, Args, Built, Family, Kind, Make, Param, closest, find, suggest};
use crate::family::{EvaluatedValue, MAX_COUNT, Paper, families};
use crate::spec::{Arg, Literal, Spec, SpecError};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use std::ops::Range;

pub use crate::family::Context;

/// The network that `text` means; it may not name files.
///
/// ```
/// use nestnet_topologies::build;
///
/// assert_eq!(build("rdn(torus(5, 5), 2)").unwrap().order().to_string(), "3125000");
/// let error = build("rdn(tours(5, 5), 2)").unwrap_err();
/// assert_eq!(error.message, "unknown network `tours`: did you mean `torus`?");
/// ```
pub fn build(text: &str) -> Result<Built, SpecError> {
    build_with(&Spec::parse(text)?, text, &Context::ALONE)
}

/// The network that `spec`, written in `text`, means.
pub fn build_with(spec: &Spec, text: &str, context: &Context<'_>) -> Result<Built, SpecError> {
    Builder { text, context }.build(spec)
}

/// The same spec in its one canonical form: parameters in order, defaults omitted.
pub fn canonical(spec: &Spec, text: &str) -> Result<Spec, SpecError> {
    Builder { text, context: &Context::ALONE }.canonical(spec)
}

/// The name by which a network, perhaps of switches with their hosts, is best known.
///
/// ```
/// use nestnet_topologies::build::best_known;
/// use nestnet_topologies::spec::Spec;
///
/// let spec = Spec::parse("hosts(folded(complete(16), 2), 16)").unwrap();
/// assert_eq!(best_known(&spec).to_string(), "hosts(hyperx(16, 16), 16)");
/// ```
pub fn best_known(spec: &Spec) -> Spec {
    match base_of(spec) {
        Some((base, hosts)) => with_hosts(best_name(&base), hosts),
        None => best_name(spec),
    }
}

/// The spec that an alias means, if `spec` is one: `dual_cube(4)` for `rdn(hypercube(3), 1)`.
pub fn stands_for(
    spec: &Spec,
    text: &str,
    context: &Context<'_>,
) -> Result<Option<Spec>, SpecError> {
    Builder { text, context }.stands_for(spec)
}

/// What the formulas of its paper say of the network of a spec; of an alias also what is said of what it means.
pub fn paper_formulas(
    spec: &Spec,
    text: &str,
    context: &Context<'_>,
) -> Result<Vec<PaperFormula>, SpecError> {
    let builder = Builder { text, context };
    let family = builder.family(spec)?;
    let bound = builder.bind(family, spec)?;
    let args = builder.evaluate(family, &bound)?;
    let mut said = family.facts.says.map(|says| says(&args)).unwrap_or_default();
    if let Make::Alias(alias) = family.make
        && let Ok(other) = alias(&args)
    {
        let text = other.to_string();
        said.extend(self::paper_formulas(&other, &text, context)?);
    }
    Ok(said)
}

/// Arguments that were evaluated, for a family to build with.
pub fn arguments<'a>(
    values: Vec<(&'static str, EvaluatedValue)>,
    context: &'a Context<'a>,
) -> Args<'a> {
    Args { values, context, build: |spec, context| build_with(spec, &spec.to_string(), context) }
}

struct Builder<'a> {
    text: &'a str,
    context: &'a Context<'a>,
}

impl Builder<'_> {
    fn error(&self, span: Range<usize>, message: impl Into<String>) -> SpecError {
        SpecError { text: self.text.to_owned(), span, message: message.into() }
    }

    fn family(&self, spec: &Spec) -> Result<&'static Family, SpecError> {
        find(&spec.name).ok_or_else(|| {
            let hint = match suggest(&spec.name) {
                Some(name) => format!("did you mean `{name}`?"),
                None => "`nestnet families` lists them".to_owned(),
            };
            self.error(spec.span.clone(), format!("unknown network `{}`: {hint}", spec.name))
        })
    }

    fn build(&self, spec: &Spec) -> Result<Built, SpecError> {
        let family = self.family(spec)?;
        let bound = self.bind(family, spec)?;
        let args = self.evaluate(family, &bound)?;
        let made = match family.make {
            Make::Build(make) => make(&args),
            Make::Alias(alias) => alias(&args).and_then(|spec| {
                // An alias is checked before it is spelled out, so that a fault here is one of size.
                let text = spec.to_string();
                build_with(&spec, &text, self.context)
                    .map_err(|error| ArgError::whole(error.message))
            }),
        };
        let built = made.map_err(|error| self.place(family, spec, &bound, error))?;
        Ok(built.written(self.canonical(spec)?))
    }

    fn stands_for(&self, spec: &Spec) -> Result<Option<Spec>, SpecError> {
        let family = self.family(spec)?;
        let Make::Alias(alias) = family.make else { return Ok(None) };
        let bound = self.bind(family, spec)?;
        let args = self.evaluate(family, &bound)?;
        let spec = alias(&args).map_err(|error| self.place(family, spec, &bound, error))?;
        Ok(Some(spec))
    }

    /// Puts a family's complaint under the argument that it is about.
    fn place(
        &self,
        family: &Family,
        spec: &Spec,
        bound: &[Bound<'_>],
        error: ArgError,
    ) -> SpecError {
        let arg = bound.iter().find(|bound| Some(bound.param.name) == error.param);
        let span = match arg.and_then(|bound| Some((bound.args.first()?, bound.args.last()?))) {
            Some((first, last)) => first.span.start..last.span.end,
            None => spec.span.clone(),
        };
        self.error(span, format!("{}: {}", family.name, error.message))
    }

    /// Which arguments go to which parameter.
    fn bind<'s>(&self, family: &Family, spec: &'s Spec) -> Result<Vec<Bound<'s>>, SpecError> {
        let mut bound: Vec<Bound<'s>> =
            family.params.iter().map(|&param| Bound { param, args: Vec::new() }).collect();
        let mut next = 0;
        let usage = || format!("usage: {}", family.usage());
        for arg in &spec.args {
            let slot = match &arg.key {
                Some(key) => {
                    let slot = bound.iter_mut().find(|bound| bound.param.name == key);
                    slot.ok_or_else(|| {
                        let names = family.params.iter().map(|param| param.name);
                        let hint = closest(key, names)
                            .map_or_else(usage, |name| format!("did you mean `{name}`?"));
                        let message = format!("{} has no parameter `{key}`: {hint}", family.name);
                        self.error(arg.span.clone(), message)
                    })?
                }
                None => {
                    let many = |slot: &Bound| matches!(slot.param.kind, Kind::Integers { .. });
                    while next < bound.len() && !bound[next].args.is_empty() && !many(&bound[next])
                    {
                        next += 1;
                    }
                    let Some(slot) = bound.get_mut(next) else {
                        let message =
                            format!("{} takes no more arguments; {}", family.name, usage());
                        return Err(self.error(arg.span.clone(), message));
                    };
                    slot
                }
            };
            let many = matches!(slot.param.kind, Kind::Integers { .. }) && arg.key.is_none();
            if !slot.args.is_empty() && !many {
                let message = format!("{}: {} is given twice", family.name, slot.param.name);
                return Err(self.error(arg.span.clone(), message));
            }
            slot.args.push(arg);
        }
        if let Some(missing) = bound.iter().find(|b| b.args.is_empty() && !b.param.optional) {
            let message = format!("{} needs {}; {}", family.name, missing.param.name, usage());
            return Err(self.error(spec.span.clone(), message));
        }
        bound.retain(|bound| !bound.args.is_empty() || matches!(bound.param.kind, Kind::Word(_)));
        Ok(bound)
    }

    fn evaluate(&self, family: &Family, bound: &[Bound<'_>]) -> Result<Args<'_>, SpecError> {
        use EvaluatedValue as Evaluated;
        let mut values = Vec::new();
        for Bound { param, args } in bound {
            let value = match param.kind {
                Kind::Integer { min, max } => match &args[0].value {
                    Literal::List(items) if param.ratio => {
                        if items.len() != 2 {
                            let expected = "an integer, or two of them such as [3, 2]";
                            return Err(self.wrong(family, param, args[0], expected));
                        }
                        let values =
                            items.iter().map(|arg| self.integer(family, param, arg, min, max));
                        Evaluated::Integers(values.collect::<Result<_, _>>()?)
                    }
                    _ => Evaluated::Integer(self.integer(family, param, args[0], min, max)?),
                },
                Kind::Integers { min, max } => {
                    if args.len() as u64 > MAX_COUNT {
                        let message = format!("{}: more than {MAX_COUNT} arguments", family.name);
                        return Err(self.error(args[0].span.clone(), message));
                    }
                    let values = args.iter().map(|arg| self.integer(family, param, arg, min, max));
                    Evaluated::Integers(values.collect::<Result<_, _>>()?)
                }
                Kind::IntegerList { min, max } => match &args[0].value {
                    Literal::List(items) if (1..=MAX_COUNT).contains(&(items.len() as u64)) => {
                        let values =
                            items.iter().map(|arg| self.integer(family, param, arg, min, max));
                        Evaluated::Integers(values.collect::<Result<_, _>>()?)
                    }
                    _ => return Err(self.wrong(family, param, args[0], "a list such as [4, 2]")),
                },
                Kind::Network | Kind::Fabric => {
                    Evaluated::Network(self.network(family, param, args[0])?)
                }
                Kind::Networks => match &args[0].value {
                    Literal::List(items) if items.is_empty() => {
                        let message = format!("{}: {} is empty", family.name, param.name);
                        return Err(self.error(args[0].span.clone(), message));
                    }
                    Literal::List(items) => Evaluated::Networks(
                        items
                            .iter()
                            .map(|item| self.network(family, param, item))
                            .collect::<Result<_, _>>()?,
                    ),
                    _ => Evaluated::Network(self.network(family, param, args[0])?),
                },
                Kind::Word(words) => match args.first() {
                    Some(arg) if param.sets.is_some() && matches!(arg.value, Literal::List(_)) => {
                        Evaluated::Sets(self.sets(family, param, arg)?)
                    }
                    Some(arg) => Evaluated::Word(self.word(family, param, arg, words)?),
                    None => Evaluated::Word(words[0]),
                },
                Kind::Text => match &args[0].value {
                    Literal::Text(text) => Evaluated::Text(text.clone()),
                    _ => return Err(self.wrong(family, param, args[0], "a quoted text")),
                },
            };
            values.push((param.name, value));
        }
        Ok(arguments(values, self.context))
    }

    fn wrong(&self, family: &Family, param: &Param, arg: &Arg, expected: &str) -> SpecError {
        let message = format!("{}: {} must be {expected}", family.name, param.name);
        self.error(arg.span.clone(), message)
    }

    fn integer(
        &self,
        family: &Family,
        param: &Param,
        arg: &Arg,
        min: u64,
        max: u64,
    ) -> Result<u64, SpecError> {
        let Literal::Integer(value) = &arg.value else {
            return Err(self.wrong(family, param, arg, "an integer"));
        };
        let in_range = |value: &BigInt| value.to_u64().filter(|v| (min..=max).contains(v));
        in_range(value).ok_or_else(|| {
            let range = match max {
                u64::MAX => format!("at least {min}"),
                _ => format!("between {min} and {max}"),
            };
            self.wrong(family, param, arg, &range)
        })
    }

    /// `[[0, 1], [2, 3]]`.
    fn sets(&self, family: &Family, param: &Param, arg: &Arg) -> Result<Vec<Vec<u64>>, SpecError> {
        let expected = "sets such as [[0, 1], [2, 3]]";
        let items = |arg: &Arg| match &arg.value {
            Literal::List(items) if items.len() as u64 <= MAX_COUNT => Ok(items.clone()),
            _ => Err(self.wrong(family, param, arg, expected)),
        };
        let set = |arg: &Arg| {
            let numbers = items(arg)?;
            numbers.iter().map(|arg| self.integer(family, param, arg, 0, u64::MAX)).collect()
        };
        items(arg)?.iter().map(set).collect()
    }

    fn word(
        &self,
        family: &Family,
        param: &Param,
        arg: &Arg,
        words: &'static [&'static str],
    ) -> Result<&'static str, SpecError> {
        let found = match &arg.value {
            Literal::Spec(spec) if spec.args.is_empty() => {
                words.iter().chain(&param.sets).find(|word| **word == spec.name)
            }
            _ => None,
        };
        found.copied().ok_or_else(|| {
            let sets = param.sets.map_or_else(String::new, |word| {
                format!(", {word}, or sets such as [[0, 1], [2, 3]]")
            });
            self.wrong(family, param, arg, &format!("one of {}{sets}", words.join(", ")))
        })
    }

    fn network(&self, family: &Family, param: &Param, arg: &Arg) -> Result<Built, SpecError> {
        let Literal::Spec(spec) = &arg.value else {
            let expected = "a network such as `ring(5)`";
            return Err(self.wrong(family, param, arg, expected));
        };
        let built = self.build(spec)?;
        if !built.theory.connected() {
            return Err(self.wrong(family, param, arg, "connected, and this network is not"));
        }
        let has_switches = built.theory.hosts() != built.theory.order();
        if has_switches && param.kind != Kind::Fabric {
            let expected = "a network of equals, and this one has hosts and switches";
            return Err(self.wrong(family, param, arg, expected));
        }
        if !has_switches && param.kind == Kind::Fabric {
            let expected = "a network of hosts and switches, such as hosts(SPEC, 1), and this one has no switches of its own";
            return Err(self.wrong(family, param, arg, expected));
        }
        Ok(built)
    }

    fn canonical(&self, spec: &Spec) -> Result<Spec, SpecError> {
        let family = self.family(spec)?;
        let mut args = Vec::new();
        for Bound { param, args: given } in self.bind(family, spec)? {
            if let (Kind::Word(words), Some(arg)) = (param.kind, given.first())
                && !matches!(arg.value, Literal::List(_))
                && self.word(family, &param, arg, words)? == words[0]
            {
                continue;
            }
            for arg in given {
                let value = self.canonical_value(&param, arg)?;
                let key = param.keyed.then(|| param.name.to_owned());
                args.push(Arg { key, value, span: arg.span.clone() });
            }
        }
        Ok(Spec { name: spec.name.clone(), args, span: spec.span.clone() })
    }

    fn canonical_value(&self, param: &Param, arg: &Arg) -> Result<Literal, SpecError> {
        Ok(match (&arg.value, param.kind) {
            (Literal::Spec(inner), Kind::Network | Kind::Fabric | Kind::Networks) => {
                Literal::Spec(self.canonical(inner)?)
            }
            (Literal::List(items), Kind::Networks) => {
                let item = |item: &Arg| {
                    Ok(Arg { value: self.canonical_value(param, item)?, ..item.clone() })
                };
                Literal::List(items.iter().map(item).collect::<Result<_, SpecError>>()?)
            }
            (value, _) => value.clone(),
        })
    }
}

/// A parameter and the arguments that it got.
struct Bound<'s> {
    param: Param,
    args: Vec<&'s Arg>,
}

/// The papers in the order in which the table first names them.
pub fn papers() -> Vec<Paper> {
    let mut papers = Vec::new();
    for family in families() {
        if !papers.contains(&family.paper) {
            papers.push(family.paper);
        }
    }
    papers
}

/// What a parameter takes, in words: `an integer from 0 to 64`.
pub fn takes(param: &Param) -> String {
    // Large limits are powers of two, and easier to read as such.
    let bound = |value: u64| match value {
        value if value >= 1 << 16 && value.is_power_of_two() => format!("2^{}", value.ilog2()),
        value => value.to_string(),
    };
    let range = |min, max| match max {
        u64::MAX => format!("at least {}", bound(min)),
        _ => format!("from {} to {}", bound(min), bound(max)),
    };
    let kind = match param.kind {
        Kind::Integer { min, max } => {
            let ratio = if param.ratio { ", or a ratio such as [3, 2]" } else { "" };
            format!("an integer {}{ratio}", range(min, max))
        }
        Kind::Integers { min, max } => format!("one or more integers {}", range(min, max)),
        Kind::IntegerList { min, max } => {
            format!("a list of integers {} in brackets", range(min, max))
        }
        Kind::Network => "a connected network".to_owned(),
        Kind::Fabric => "a connected network of hosts and switches".to_owned(),
        Kind::Networks => "a connected network, or a list of them in brackets".to_owned(),
        Kind::Word(words) => {
            let sets = param.sets.map_or_else(String::new, |word| {
                format!("; or sets such as [[0, 1], [2, 3]], or {word} for sets that are found")
            });
            return format!("one of {}; {} if omitted{sets}", words.join(", "), words[0]);
        }
        Kind::Text => "a quoted text".to_owned(),
    };
    if param.optional { format!("{kind}; optional") } else { kind }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_built_carries_its_canonical_spec() {
        for (text, canonical) in [
            ("rdn(k = 2, base=ring(5))", "rdn(ring(5), 2)"),
            ("rsn(ring( 3 ), 2, diameter_links=false)", "rsn(ring(3), 2)"),
            ("dual_cube(3)", "dual_cube(3)"),
            ("rdn(dual_cube(2), 0)", "rdn(dual_cube(2), 0)"),
        ] {
            let built = build(text).unwrap();
            assert_eq!(built.spec().to_string(), canonical);
            assert_eq!(built.theory_alone().spec().to_string(), canonical);
        }
    }

    #[test]
    fn parameters_in_words() {
        let one = Param::integer("n", 0, 64, "");
        assert_eq!(takes(&one), "an integer from 0 to 64");
        assert_eq!(takes(&one.or_none()), "an integer from 0 to 64; optional");
        let many = Param::integers("sides", 1, 1 << 63, "");
        assert_eq!(takes(&many), "one or more integers from 1 to 2^63");
        assert_eq!(takes(&Param::integer("n", 3, u64::MAX, "")), "an integer at least 3");
        let word = Param::word("reading", &["intended", "literal"], "");
        assert_eq!(takes(&word), "one of intended, literal; intended if omitted");
    }
}
