//! What does a formula ask of networks, and which command shows it?

use super::basis::SIZES;
use super::evaluate::{Scope, arguments, evaluate};
use super::expression::{Expression, Template};
use super::quantity::spelled;
use super::{Basis, Lab, Value};
use std::borrow::Cow;

/// A quantity that a formula measures, with its arguments in place.
pub(super) struct Used {
    pub text: String,
    /// The command that shows it; empty where none does.
    pub command: String,
    /// Nodes of the largest network in it.
    pub nodes: f64,
    pub basis: Basis,
}

/// Whether a formula asks anything of a network.
pub(super) fn measures(expression: &Expression) -> bool {
    match expression {
        Expression::Minus(inner) => measures(inner),
        Expression::Joined(first, others) => {
            measures(first) || others.iter().any(|(_, other)| measures(other))
        }
        Expression::Call(_, parts) => parts.iter().any(measures),
        Expression::Measure(..) => true,
        Expression::Over(_, _, parts) => parts.iter().any(measures),
        Expression::Number(_) | Expression::Text(_) | Expression::Name(_) => false,
    }
}

/// Whether a formula puts parameters of its own together with nothing but sizes of networks: that is arithmetic.
pub(super) fn computes(expression: &Expression) -> bool {
    /// Whether there is a parameter outside of what is asked of networks, and whether only sizes are asked.
    fn look(expression: &Expression) -> (bool, bool) {
        let all = |parts: &mut dyn Iterator<Item = &Expression>| {
            parts.map(look).fold((false, true), |one, other| (one.0 | other.0, one.1 & other.1))
        };
        match expression {
            Expression::Minus(inner) => look(inner),
            Expression::Joined(first, others) => {
                all(&mut std::iter::once(&**first).chain(others.iter().map(|(_, other)| other)))
            }
            Expression::Call(_, parts) => all(&mut parts.iter()),
            Expression::Over(_, _, parts) => all(&mut parts.iter()),
            Expression::Measure(quantity, _) => (false, SIZES.contains(&quantity.name)),
            Expression::Name(_) => (true, true),
            Expression::Number(_) | Expression::Text(_) => (false, true),
        }
    }
    look(expression) == (true, true)
}

/// What a formula measures, each once.
pub(super) fn used(expression: &Expression, scope: &Scope, lab: &Lab<'_>, found: &mut Vec<Used>) {
    match expression {
        Expression::Minus(inner) => used(inner, scope, lab, found),
        Expression::Joined(first, others) => {
            used(first, scope, lab, found);
            others.iter().for_each(|(_, other)| used(other, scope, lab, found));
        }
        Expression::Call(_, parts) => {
            parts.iter().for_each(|part| used(part, scope, lab, found));
        }
        Expression::Measure(quantity, parts) => {
            if let Some(part) = named(quantity, parts, scope, lab)
                && found.iter().all(|other| other.text != part.text)
            {
                found.push(part);
            }
        }
        // What a range measures differs from step to step: its first step represents it.
        Expression::Over(_, name, parts) => {
            let first = parts.first().and_then(|from| evaluate(from, scope, lab).ok());
            if let (Some(first), Some(body)) = (first, parts.last()) {
                let mut inner = scope.clone();
                inner.insert(name.clone(), first);
                used(body, &inner, lab, found);
            }
        }
        Expression::Number(_) | Expression::Text(_) | Expression::Name(_) => (),
    }
}

/// A quantity with its arguments, where they have values.
fn named(
    quantity: &'static super::Quantity,
    parts: &[Template],
    scope: &Scope,
    lab: &Lab<'_>,
) -> Option<Used> {
    let arguments = arguments(parts, scope, lab).ok()?;
    let mut nodes = 0f64;
    for (argument, takes) in arguments.iter().zip(quantity.takes) {
        if *takes == super::Takes::Network {
            let order = lab.sample(argument).ok()?.built.theory.order();
            nodes = nodes.max(Value::from(order).as_real().unwrap_or(0.0));
        }
    }
    let mut command = quantity.command.replace("{name}", quantity.name);
    for (index, argument) in arguments.iter().enumerate() {
        let argument = match spelled(argument) {
            // A shell reads brackets.
            Cow::Owned(argument) => format!("'{argument}'"),
            Cow::Borrowed(argument) => argument.to_owned(),
        };
        command = command.replace(&format!("{{{index}}}"), &argument);
    }
    let basis = lab.basis(quantity, &arguments);
    let text = format!("{}({})", quantity.name, arguments.join(", "));
    Some(Used { text, command, nodes, basis })
}
