//! What is the value of a formula? Its parts are evaluated within the limits of the lab, each counted as a step.

use super::arithmetic::{ArithmeticError, call, join, shortened, shown};
use super::expression::{Expression, Fold, Function, Operator, Piece, Template};
use super::lab::Lab;
use super::quantity::QuantityError;
use super::value::Value;
use nestnet_graph::Interrupted;
use num_traits::ToPrimitive;
use std::cell::Cell;
use std::collections::BTreeMap;
use thiserror::Error;

/// The parameters of a case.
pub type Scope = BTreeMap<String, Value>;

/// One part of a formula takes about as long as this many steps of a measurement.
const STEPS_PER_PART: u128 = 64;

/// Limit: bytes of a text of a formula with all that is filled in.
const MAX_TEXT: usize = 1 << 20;

/// Letters of a quantity with its arguments in an error.
const MAX_ASKED: usize = 200;

/// Why a formula has no value.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum EvaluateError {
    /// Its operators and functions have none for these values.
    #[error(transparent)]
    Arithmetic(#[from] ArithmeticError),
    /// What it asks for could not be measured.
    #[error("{asked}: {why}")]
    Quantity {
        /// The quantity with its arguments.
        asked: String,
        why: QuantityError,
    },
    /// A name that means nothing.
    #[error("there is no parameter `{name}`")]
    NoParameter { name: String },
    /// An `if` without a yes or no.
    #[error("`if` needs a comparison, not {value}")]
    NoTruth { value: String },
    /// An end of a range that cannot be counted to.
    #[error("a range needs integers, not {value}")]
    NoInteger { value: String },
    /// The largest of nothing.
    #[error("there is nothing between {low} and {high}")]
    EmptyRange { low: i64, high: i64 },
    /// A range that the limits leave no time for.
    #[error("the range {low} to {high} is too long")]
    LongRange { low: i64, high: i64 },
    /// A text that filling in makes longer than any spec.
    #[error("the text has more than {MAX_TEXT} letters")]
    LongText,
    /// More steps than there may be.
    #[error("the formula takes more than {limit} steps")]
    TooManySteps { limit: u128 },
    /// It was stopped.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}

impl EvaluateError {
    /// Whether more time or memory could give a value.
    pub fn is_unfinished(&self) -> bool {
        match self {
            EvaluateError::Arithmetic(
                ArithmeticError::Interrupted(_) | ArithmeticError::TooLarge { .. },
            )
            | EvaluateError::LongRange { .. }
            | EvaluateError::LongText
            | EvaluateError::TooManySteps { .. }
            | EvaluateError::Interrupted(_) => true,
            EvaluateError::Quantity { why, .. } => why.is_unfinished(),
            _ => false,
        }
    }
}

/// The value of a formula.
///
/// It ends early when the watch of the lab says so or when the steps that the lab allows are taken.
pub fn evaluate(
    expression: &Expression,
    scope: &Scope,
    lab: &Lab<'_>,
) -> Result<Value, EvaluateError> {
    Evaluation { lab, parts: Cell::new(0) }.value(expression, scope)
}

/// What a quantity is asked of, with the parameters in place.
pub fn arguments(
    parts: &[Template],
    scope: &Scope,
    lab: &Lab<'_>,
) -> Result<Vec<String>, EvaluateError> {
    Evaluation { lab, parts: Cell::new(0) }.arguments(parts, scope)
}

/// Puts the value of each `{…}` in its place.
pub fn fill(text: &Template, scope: &Scope, lab: &Lab<'_>) -> Result<String, EvaluateError> {
    Evaluation { lab, parts: Cell::new(0) }.filled(text, scope)
}

/// A formula under way.
struct Evaluation<'a> {
    lab: &'a Lab<'a>,
    /// How many parts of it have been evaluated.
    parts: Cell<u128>,
}

impl Evaluation<'_> {
    /// One more part is evaluated.
    fn step(&self) -> Result<(), EvaluateError> {
        self.lab.budget().check()?;
        let parts = self.parts.get() + 1;
        self.parts.set(parts);
        let limit = self.lab.budget().steps;
        if parts * STEPS_PER_PART > limit {
            return Err(EvaluateError::TooManySteps { limit });
        }
        Ok(())
    }

    fn value(&self, expression: &Expression, scope: &Scope) -> Result<Value, EvaluateError> {
        self.step()?;
        match expression {
            Expression::Number(value) => Ok(Value::fraction(value.clone())),
            Expression::Text(text) => Ok(Value::Text(self.filled(text, scope)?)),
            Expression::Name(name) => match (scope.get(name), name.as_str()) {
                (Some(value), _) => Ok(value.clone()),
                (None, "yes") => Ok(Value::Truth(true)),
                (None, "no") => Ok(Value::Truth(false)),
                _ => Err(EvaluateError::NoParameter { name: name.clone() }),
            },
            Expression::Minus(inner) => {
                let inner = self.value(inner, scope)?;
                Ok(join(Operator::Minus, &Value::from(0u64), &inner)?)
            }
            Expression::Joined(first, others) => {
                let mut total = self.value(first, scope)?;
                for (operator, other) in others {
                    total = join(*operator, &total, &self.value(other, scope)?)?;
                }
                Ok(total)
            }
            Expression::Call(Function::If, parts) => self.choice(parts, scope),
            Expression::Call(function, parts) => {
                let values: Result<Vec<Value>, EvaluateError> =
                    parts.iter().map(|part| self.value(part, scope)).collect();
                Ok(call(*function, &values?, &self.lab.budget().watch)?)
            }
            Expression::Measure(quantity, parts) => {
                let arguments = self.arguments(parts, scope)?;
                self.lab.measure(quantity, &arguments).map_err(|why| {
                    let text = format!("{}({})", quantity.name, arguments.join(", "));
                    EvaluateError::Quantity { asked: shortened(&text, MAX_ASKED), why }
                })
            }
            Expression::Over(fold, name, parts) => self.over(*fold, name, parts, scope),
        }
    }

    /// Only the branch that is chosen has a value.
    fn choice(&self, parts: &[Expression], scope: &Scope) -> Result<Value, EvaluateError> {
        let value = self.value(&parts[0], scope)?;
        match value {
            Value::Truth(true) => self.value(&parts[1], scope),
            Value::Truth(false) => self.value(&parts[2], scope),
            other => Err(EvaluateError::NoTruth { value: shown(&other) }),
        }
    }

    fn arguments(&self, parts: &[Template], scope: &Scope) -> Result<Vec<String>, EvaluateError> {
        parts.iter().map(|part| self.filled(part, scope)).collect()
    }

    fn filled(&self, text: &Template, scope: &Scope) -> Result<String, EvaluateError> {
        let mut filled = String::new();
        for piece in &text.pieces {
            match piece {
                Piece::Text(text) => filled.push_str(text),
                Piece::Formula(formula) => {
                    filled.push_str(&self.value(formula, scope)?.to_string());
                }
            }
            if filled.len() > MAX_TEXT {
                return Err(EvaluateError::LongText);
            }
        }
        Ok(filled)
    }

    fn over(
        &self,
        fold: Fold,
        name: &str,
        parts: &[Expression; 3],
        scope: &Scope,
    ) -> Result<Value, EvaluateError> {
        let [low, high, body] = parts;
        let end = |end: &Expression| {
            let value = self.value(end, scope)?;
            let integer = value.as_integer().and_then(|value| value.to_i64());
            integer.ok_or_else(|| EvaluateError::NoInteger { value: shown(&value) })
        };
        let (low, high) = (end(low)?, end(high)?);
        let length = high.checked_sub(low).map_or(u64::MAX, |length| length.max(0).unsigned_abs());
        if u128::from(length) * STEPS_PER_PART > self.lab.budget().steps {
            return Err(EvaluateError::LongRange { low, high });
        }
        let mut scope = scope.clone();
        let mut total: Option<Value> = None;
        for at in low..=high {
            scope.insert(name.to_owned(), Value::exact(at));
            let value = self.value(body, &scope)?;
            total = Some(match total {
                None => value,
                Some(total) => match fold {
                    Fold::Sum => join(Operator::Plus, &total, &value)?,
                    Fold::Product => join(Operator::Times, &total, &value)?,
                    Fold::Largest => {
                        call(Function::Max, &[total, value], &self.lab.budget().watch)?
                    }
                    Fold::Smallest => {
                        call(Function::Min, &[total, value], &self.lab.budget().watch)?
                    }
                    Fold::All => join(Operator::And, &total, &value)?,
                },
            });
        }
        match (total, fold) {
            (Some(total), _) => Ok(total),
            (None, Fold::Sum) => Ok(Value::from(0u64)),
            (None, Fold::Product) => Ok(Value::from(1u64)),
            (None, Fold::All) => Ok(Value::Truth(true)),
            (None, _) => Err(EvaluateError::EmptyRange { low, high }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Result<Value, Box<dyn std::error::Error>> {
        let scope = Scope::from([
            ("n".to_owned(), Value::from(5u64)),
            ("base".to_owned(), Value::Text("ring(5)".to_owned())),
        ]);
        Ok(evaluate(&Expression::parse(text)?, &scope, &Lab::default())?)
    }

    #[test]
    fn formulas_have_exact_values() {
        for (text, wanted) in [
            ("2 + 3 * n ^ 2", "77"),
            ("-2^2", "-4"),
            ("2^-2 * 2", "0.5"),
            ("2^3^2", "512"),
            ("floor(7/2) + ceil(7/2)", "7"),
            ("log2(1024)", "10"),
            ("floor(log2(1000))", "9"),
            ("sqrt(49/4)", "3.5"),
            ("sum(i, 1, n, i*i)", "55"),
            ("all(i, 1, n, i < 6)", "yes"),
            ("product(i, 1, 0, i)", "1"),
            ("if(n > 4, 1, 1/0)", "1"),
            ("max(n, 3) = 5 and min(2, n) < 3", "yes"),
            ("mod(-1, 7)", "6"),
            ("binomial(5, 2)", "10"),
            ("round(log2(3), 2)", "1.58"),
            ("diameter({base}) + nodes(torus({n}, {n-2}))", "17"),
            ("degree_at({base}, {n - nodes({base})})", "2"),
            ("'{n} of {base}'", "5 of ring(5)"),
        ] {
            assert_eq!(value(text).unwrap().to_string(), wanted, "{text}");
        }
    }

    #[test]
    fn faults_say_where() {
        for (text, wanted) in [
            ("1 +", "`1 +`, at 4: expected a number, a name or a bracket"),
            ("1/0", "division by zero"),
            ("m", "there is no parameter `m`"),
            ("diametre(ring(3))", "no quantity `diametre`: did you mean `diameter`?"),
            ("diameter(ring(3)", "the bracket is not closed"),
            ("2^(2^60)", "is too large"),
            ("diameter(rong(3))", "unknown network `rong`"),
            ("nodes(ring(3), 2)", "`nodes` takes 1 arguments, not 2"),
        ] {
            let message = value(text).unwrap_err().to_string();
            assert!(message.contains(wanted), "{text}: {message}");
        }
    }
}
