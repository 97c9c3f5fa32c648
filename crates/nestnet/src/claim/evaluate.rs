//! The value of a formula: exact arithmetic, with bounds where a measurement gives bounds.

use super::expression::{Expression, Fold, Function, Operator};
use super::lab::Lab;
use super::quantity::{Quantity, Takes};
use super::value::{Rational, Standing, Value, at_ends, has_zero};
use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive};
use std::collections::BTreeMap;

/// The parameters of a case.
pub type Scope = BTreeMap<String, Value>;

/// The longest range that a sum may run over.
const MAX_RANGE: i64 = 100_000;

/// The largest power.
const MAX_POWER: u32 = 1 << 20;

/// The value of a formula.
pub fn evaluate(expression: &Expression, scope: &Scope, lab: &Lab<'_>) -> Result<Value, String> {
    match expression {
        Expression::Number(value) => Ok(Value::fraction(value.clone())),
        Expression::Text(text) => Ok(Value::Text(fill(text, scope, lab)?)),
        Expression::Name(name) => match (scope.get(name), name.as_str()) {
            (Some(value), _) => Ok(value.clone()),
            (None, "yes") => Ok(Value::Truth(true)),
            (None, "no") => Ok(Value::Truth(false)),
            _ => Err(format!("there is no parameter `{name}`")),
        },
        Expression::Minus(inner) => {
            both(Operator::Minus, Value::from(0u64), evaluate(inner, scope, lab)?)
        }
        Expression::Both(operator, a, b) => {
            both(*operator, evaluate(a, scope, lab)?, evaluate(b, scope, lab)?)
        }
        // Only the branch that is chosen has a value.
        Expression::Call(Function::If, parts) => match evaluate(&parts[0], scope, lab)? {
            Value::Truth(true) => evaluate(&parts[1], scope, lab),
            Value::Truth(false) => evaluate(&parts[2], scope, lab),
            other => Err(format!("`if` needs a comparison, not {other}")),
        },
        Expression::Call(function, parts) => {
            let values: Result<Vec<Value>, String> =
                parts.iter().map(|part| evaluate(part, scope, lab)).collect();
            call(*function, &values?)
        }
        Expression::Measure(quantity, parts) => {
            lab.measure(quantity, &arguments(quantity, parts, scope, lab)?)
        }
        Expression::Over(fold, name, parts) => {
            let [low, high, body] = &**parts;
            let end = |end: &Expression| {
                let value = evaluate(end, scope, lab)?;
                let integer = value.as_integer().and_then(|value| value.to_i64());
                integer.ok_or_else(|| format!("a range needs integers, not {value}"))
            };
            over(*fold, name, end(low)?, end(high)?, body, scope, lab)
        }
    }
}

/// What a quantity is asked of, with the parameters in place.
pub fn arguments(
    quantity: &Quantity,
    parts: &[String],
    scope: &Scope,
    lab: &Lab<'_>,
) -> Result<Vec<String>, String> {
    let argument = |(part, takes): (&String, &Takes)| match takes {
        // A name of a parameter may stand for its value without brackets.
        Takes::Number => Ok(evaluate(&Expression::parse(part)?, scope, lab)?.to_string()),
        _ => fill(part, scope, lab),
    };
    parts.iter().zip(quantity.takes).map(argument).collect()
}

/// Puts the value of each `{…}` in its place.
pub fn fill(text: &str, scope: &Scope, lab: &Lab<'_>) -> Result<String, String> {
    let mut filled = String::new();
    let mut rest = text;
    while let Some((before, opened)) = rest.split_once('{') {
        let mut depth = 1;
        let end = opened.find(|c| {
            depth += i32::from(c == '{') - i32::from(c == '}');
            depth == 0
        });
        let (inside, after) = opened.split_at(end.ok_or("a `{` is not closed")?);
        let after = &after[1..];
        filled.push_str(before);
        filled.push_str(&evaluate(&Expression::parse(inside)?, scope, lab)?.to_string());
        rest = after;
    }
    filled.push_str(rest);
    Ok(filled)
}

fn over(
    fold: Fold,
    name: &str,
    low: i64,
    high: i64,
    body: &Expression,
    scope: &Scope,
    lab: &Lab<'_>,
) -> Result<Value, String> {
    if high.saturating_sub(low) > MAX_RANGE {
        return Err(format!("the range {low} to {high} is too long"));
    }
    let mut scope = scope.clone();
    let mut total: Option<Value> = None;
    for at in low..=high {
        scope.insert(name.to_owned(), Value::exact(at));
        let value = evaluate(body, &scope, lab)?;
        total = Some(match total {
            None => value,
            Some(total) => match fold {
                Fold::Sum => both(Operator::Plus, total, value)?,
                Fold::Product => both(Operator::Times, total, value)?,
                Fold::Largest => call(Function::Max, &[total, value])?,
                Fold::Smallest => call(Function::Min, &[total, value])?,
                Fold::All => both(Operator::And, total, value)?,
            },
        });
    }
    match (total, fold) {
        (Some(total), _) => Ok(total),
        (None, Fold::Sum) => Ok(Value::from(0u64)),
        (None, Fold::Product) => Ok(Value::from(1u64)),
        (None, Fold::All) => Ok(Value::Truth(true)),
        (None, _) => Err(format!("there is nothing between {low} and {high}")),
    }
}

fn both(operator: Operator, a: Value, b: Value) -> Result<Value, String> {
    let undecided = || format!("{a} and {b} cannot be compared: their bounds overlap");
    match operator {
        Operator::And => match (&a, &b) {
            (Value::Truth(a), Value::Truth(b)) => Ok(Value::Truth(*a && *b)),
            _ => Err(format!("`and` joins yes and no, not {a} and {b}")),
        },
        Operator::Equal => {
            a.stands(&b).map(|s| (s == Standing::Equal).into()).ok_or_else(undecided)
        }
        Operator::Unequal => {
            a.stands(&b).map(|s| (s != Standing::Equal).into()).ok_or_else(undecided)
        }
        Operator::AtMost => a.at_most(&b).map(Value::from).ok_or_else(undecided),
        Operator::AtLeast => b.at_most(&a).map(Value::from).ok_or_else(undecided),
        Operator::Above => a.at_most(&b).map(|yes| (!yes).into()).ok_or_else(undecided),
        Operator::Below => b.at_most(&a).map(|yes| (!yes).into()).ok_or_else(undecided),
        Operator::Power => power(&a, &b),
        _ => arithmetic(operator, &a, &b),
    }
}

fn arithmetic(operator: Operator, a: &Value, b: &Value) -> Result<Value, String> {
    if let (Value::Number { low: a, high: b }, Value::Number { low: c, high: d }) = (a, b) {
        if operator == Operator::Over && has_zero(c, d) {
            return Err("division by zero".to_owned());
        }
        return Ok(at_ends((a, b), (c, d), |x, y| match operator {
            Operator::Plus => x + y,
            Operator::Minus => x - y,
            Operator::Times => x * y,
            _ => x / y,
        }));
    }
    let (Some(x), Some(y)) = (a.as_real(), b.as_real()) else {
        return Err(format!("{a} and {b} are not both single numbers"));
    };
    Ok(Value::Real(match operator {
        Operator::Plus => x + y,
        Operator::Minus => x - y,
        Operator::Times => x * y,
        _ if y == 0.0 => return Err("division by zero".to_owned()),
        _ => x / y,
    }))
}

fn power(base: &Value, exponent: &Value) -> Result<Value, String> {
    if let (Some(base), Some(exponent)) = (base.as_exact(), exponent.as_integer()) {
        let size = exponent.abs().to_u32().filter(|&size| size <= MAX_POWER);
        let size = size.ok_or_else(|| format!("the power {exponent} is too large"))?;
        let bits = base.numer().bits().max(base.denom().bits());
        if bits.saturating_mul(size.into()) > u64::from(MAX_POWER) {
            return Err(format!("the power {exponent} is too large"));
        }
        let raised = Rational::new(base.numer().pow(size), base.denom().pow(size));
        if !exponent.is_negative() {
            return Ok(Value::fraction(raised));
        }
        if raised.numer() == &BigInt::ZERO {
            return Err("division by zero".to_owned());
        }
        return Ok(Value::fraction(raised.recip()));
    }
    match (base.as_real(), exponent.as_real()) {
        (Some(base), Some(exponent)) => Ok(Value::Real(base.powf(exponent))),
        _ => Err(format!("{base} and {exponent} are not both single numbers")),
    }
}

fn call(function: Function, values: &[Value]) -> Result<Value, String> {
    let integer = |value: &Value| {
        value.as_integer().ok_or_else(|| format!("an integer is needed, not {value}"))
    };
    match function {
        Function::Floor => whole(&values[0], Rational::floor, f64::floor),
        Function::Ceil => whole(&values[0], Rational::ceil, f64::ceil),
        Function::Abs => whole(&values[0], Rational::abs, f64::abs),
        Function::Min | Function::Max => {
            let first_is_less = match values[0].at_most(&values[1]) {
                Some(first_is_less) => first_is_less,
                None => return Ok(between(function, &values[0], &values[1])),
            };
            let first = first_is_less == (function == Function::Min);
            Ok(values[usize::from(!first)].clone())
        }
        Function::Mod => {
            let (a, b) = (integer(&values[0])?, integer(&values[1])?);
            if b <= BigInt::ZERO {
                return Err("`mod` needs a second argument above 0".to_owned());
            }
            Ok(Value::exact(num_integer::Integer::mod_floor(&a, &b)))
        }
        Function::Round => {
            let places = integer(&values[1])?.to_u32().filter(|&places| places < 30);
            let scale = BigInt::from(10u8).pow(places.ok_or("`round` takes up to 29 places")?);
            let scale = Rational::from_integer(scale);
            let Some(value) = exact_or_near(&values[0]) else {
                return Err(format!("{} is not a single number", values[0]));
            };
            Ok(Value::fraction((value * &scale).round() / scale))
        }
        Function::Log2 | Function::Log => {
            let (value, base) = match function {
                Function::Log2 => (&values[0], Value::from(2u64)),
                _ => (&values[0], values[1].clone()),
            };
            logarithm(value, &base)
        }
        Function::Sqrt => {
            if let Some(exact) = values[0].as_exact().filter(|value| !value.is_negative()) {
                let root = Rational::new(exact.numer().sqrt(), exact.denom().sqrt());
                if &(&root * &root) == exact {
                    return Ok(Value::fraction(root));
                }
            }
            let value = values[0].as_real().filter(|value| *value >= 0.0);
            let value = value.ok_or_else(|| format!("{} has no square root", values[0]))?;
            Ok(Value::Real(value.sqrt()))
        }
        Function::Factorial => {
            let n = integer(&values[0])?.to_u32().filter(|&n| n <= 10_000);
            let n = n.ok_or_else(|| format!("{} has no factorial here", values[0]))?;
            Ok(Value::exact((1..=n).map(BigInt::from).product::<BigInt>()))
        }
        Function::Binomial => {
            let (n, k) = (integer(&values[0])?, integer(&values[1])?);
            if k.is_negative() || k > n {
                return Ok(Value::from(0u64));
            }
            Ok(Value::exact(num_integer::binomial(n, k)))
        }
        Function::If => Err("`if` is not a function of values".to_owned()),
    }
}

/// A number as a fraction, as near as a double comes where it is none.
fn exact_or_near(value: &Value) -> Option<Rational> {
    match value {
        Value::Real(real) => {
            let scale = BigInt::one() << 60u8;
            let scaled = BigInt::from((real * (1u64 << 60) as f64).to_i128()?);
            Some(Rational::new(scaled, scale))
        }
        _ => value.as_exact().cloned(),
    }
}

/// The smaller or larger of two numbers whose bounds overlap.
fn between(function: Function, a: &Value, b: &Value) -> Value {
    match (a, b) {
        (Value::Number { low: a, high: b }, Value::Number { low: c, high: d }) => {
            let pick = |x: &Rational, y: &Rational| match function {
                Function::Min => x.min(y).clone(),
                _ => x.max(y).clone(),
            };
            Value::Number { low: pick(a, c), high: pick(b, d) }
        }
        _ => a.clone(),
    }
}

fn whole(
    value: &Value,
    exact: impl Fn(&Rational) -> Rational,
    real: impl Fn(f64) -> f64,
) -> Result<Value, String> {
    match value {
        Value::Number { low, high } => Ok(Value::Number { low: exact(low), high: exact(high) }),
        Value::Real(value) => real(*value)
            .to_i128()
            .map(Value::exact)
            .ok_or_else(|| format!("{value} is not a number that can be rounded")),
        other => Err(format!("{other} is not a number")),
    }
}

/// Exact where it is an integer.
fn logarithm(value: &Value, base: &Value) -> Result<Value, String> {
    if let (Some(value), Some(base)) = (value.as_integer(), base.as_integer()) {
        let (mut power, mut count) = (BigInt::one(), 0u64);
        while power < value && base > BigInt::one() {
            power *= &base;
            count += 1;
        }
        if power == value {
            return Ok(count.into());
        }
    }
    let number = |value: &Value| {
        // A long integer may be too large for a double though its logarithm is not.
        let long = value.as_integer().filter(|value| value.bits() > 1000);
        match long {
            Some(long) => {
                let shift = long.bits() - 64;
                (long >> shift).to_f64().map(|head| head.log2() + shift as f64)
            }
            None => value.as_real().filter(|value| *value > 0.0).map(f64::log2),
        }
        .ok_or_else(|| format!("{value} has no logarithm"))
    };
    Ok(Value::Real(number(value)? / number(base)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Result<Value, String> {
        let scope = Scope::from([
            ("n".to_owned(), Value::from(5u64)),
            ("base".to_owned(), Value::Text("ring(5)".to_owned())),
        ]);
        evaluate(&Expression::parse(text)?, &scope, &Lab::default())
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
            let message = value(text).unwrap_err();
            assert!(message.contains(wanted), "{text}: {message}");
        }
    }
}
