//! Formulas of the ledger: arithmetic over parameters and over quantities that are measured.
//!
//! `2^k * diameter({base}) + 2^(k+1) - 2`: names are parameters, `^` is a power, and a quantity such as `diameter` takes
//! a spec. Inside the arguments of a quantity, `{…}` is replaced by the value of what it encloses, so that
//! `rdn(hypercube({n-1}), 1)` is a spec for every `n`.

use super::quantity::{self, Quantity};
use super::value::Rational;
use num_bigint::BigInt;
use num_traits::Num;

/// A formula.
#[derive(Clone, Debug)]
pub enum Expression {
    /// A number as it is written.
    Number(Rational),
    /// A text in quotation marks.
    Text(String),
    /// A parameter.
    Name(String),
    /// The negative.
    Minus(Box<Expression>),
    /// Two formulas and what joins them.
    Both(Operator, Box<Expression>, Box<Expression>),
    /// A function of arithmetic.
    Call(Function, Vec<Expression>),
    /// A quantity to measure, with its arguments as they are written.
    Measure(&'static Quantity, Vec<String>),
    /// A formula over all values of a name.
    Over(Fold, String, Box<[Expression; 3]>),
}

/// What joins two formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Operator {
    Plus,
    Minus,
    Times,
    Over,
    Power,
    Equal,
    Unequal,
    AtMost,
    Below,
    AtLeast,
    Above,
    And,
}

/// A function of arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Function {
    Floor,
    Ceil,
    Round,
    Abs,
    Min,
    Max,
    Mod,
    Log2,
    Log,
    Sqrt,
    Factorial,
    Binomial,
    If,
}

const FUNCTIONS: &[(&str, Function, usize)] = &[
    ("floor", Function::Floor, 1),
    ("ceil", Function::Ceil, 1),
    ("round", Function::Round, 2),
    ("abs", Function::Abs, 1),
    ("min", Function::Min, 2),
    ("max", Function::Max, 2),
    ("mod", Function::Mod, 2),
    ("log2", Function::Log2, 1),
    ("log", Function::Log, 2),
    ("sqrt", Function::Sqrt, 1),
    ("factorial", Function::Factorial, 1),
    ("binomial", Function::Binomial, 2),
    ("if", Function::If, 3),
];

/// How the values over a range become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fold {
    /// Their sum.
    Sum,
    /// Their product.
    Product,
    /// The largest.
    Largest,
    /// The smallest.
    Smallest,
    /// Whether all are true.
    All,
}

const FOLDS: &[(&str, Fold)] = &[
    ("sum", Fold::Sum),
    ("product", Fold::Product),
    ("largest", Fold::Largest),
    ("smallest", Fold::Smallest),
    ("all", Fold::All),
];

impl Expression {
    /// Reads a formula.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut parser = Parser { text, at: 0 };
        let parsed = parser.comparison();
        let rest = parsed.and_then(|parsed| match parser.peek() {
            None => Ok(parsed),
            Some(found) => Err(format!("unexpected `{found}`")),
        });
        rest.map_err(|message| format!("`{text}`, at {}: {message}", parser.at + 1))
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
}

/// Comparisons, longer signs first.
const COMPARISONS: &[(&str, Operator)] = &[
    ("<=", Operator::AtMost),
    (">=", Operator::AtLeast),
    ("!=", Operator::Unequal),
    ("<", Operator::Below),
    (">", Operator::Above),
    ("=", Operator::Equal),
];

impl Parser<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn skip(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    fn peek(&mut self) -> Option<char> {
        self.skip();
        self.rest().chars().next()
    }

    fn eat(&mut self, sign: &str) -> bool {
        self.skip();
        let found = self.rest().starts_with(sign);
        if found {
            self.at += sign.len();
        }
        found
    }

    fn expect(&mut self, sign: &str) -> Result<(), String> {
        if self.eat(sign) { Ok(()) } else { Err(format!("expected `{sign}`")) }
    }

    fn word(&mut self) -> Option<String> {
        self.skip();
        let rest = self.rest();
        if !rest.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return None;
        }
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let word = rest[..end.unwrap_or(rest.len())].to_owned();
        self.at += word.len();
        Some(word)
    }

    fn comparison(&mut self) -> Result<Expression, String> {
        let mut left = self.compared()?;
        loop {
            let before = self.at;
            if self.word().as_deref() != Some("and") {
                self.at = before;
                return Ok(left);
            }
            let right = self.compared()?;
            left = Expression::Both(Operator::And, Box::new(left), Box::new(right));
        }
    }

    fn compared(&mut self) -> Result<Expression, String> {
        let left = self.sum()?;
        for &(sign, operator) in COMPARISONS {
            if self.eat(sign) {
                let right = self.sum()?;
                return Ok(Expression::Both(operator, Box::new(left), Box::new(right)));
            }
        }
        Ok(left)
    }

    fn sum(&mut self) -> Result<Expression, String> {
        let mut left = self.product()?;
        loop {
            let operator = match self.peek() {
                Some('+') => Operator::Plus,
                Some('-') => Operator::Minus,
                _ => return Ok(left),
            };
            self.at += 1;
            left = Expression::Both(operator, Box::new(left), Box::new(self.product()?));
        }
    }

    fn product(&mut self) -> Result<Expression, String> {
        let mut left = self.negation()?;
        loop {
            let operator = match self.peek() {
                Some('*') => Operator::Times,
                Some('/') => Operator::Over,
                _ => return Ok(left),
            };
            self.at += 1;
            left = Expression::Both(operator, Box::new(left), Box::new(self.negation()?));
        }
    }

    fn negation(&mut self) -> Result<Expression, String> {
        if self.eat("-") {
            return Ok(Expression::Minus(Box::new(self.negation()?)));
        }
        let base = self.atom()?;
        if self.eat("^") {
            let power = self.negation()?;
            return Ok(Expression::Both(Operator::Power, Box::new(base), Box::new(power)));
        }
        Ok(base)
    }

    fn atom(&mut self) -> Result<Expression, String> {
        match self.peek() {
            Some('(') => {
                self.at += 1;
                let inner = self.comparison()?;
                self.expect(")")?;
                Ok(inner)
            }
            Some('\'') => {
                self.at += 1;
                let end = self.rest().find('\'').ok_or("the text has no end")?;
                let text = self.rest()[..end].to_owned();
                self.at += end + 1;
                Ok(Expression::Text(text))
            }
            Some(c) if c.is_ascii_digit() => self.number(),
            _ => match self.word() {
                Some(word) => self.named(word),
                None => Err("expected a number, a name or a bracket".to_owned()),
            },
        }
    }

    fn number(&mut self) -> Result<Expression, String> {
        let rest = self.rest();
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        let text = rest[..end].to_owned();
        let (whole, part) = text.split_once('.').unwrap_or((&text, ""));
        let digits = BigInt::from_str_radix(&format!("{whole}{part}"), 10);
        let digits = digits.map_err(|_| format!("`{text}` is no number"))?;
        let places = u32::try_from(part.len()).map_err(|_| "too many digits")?;
        self.at += end;
        Ok(Expression::Number(Rational::new(digits, BigInt::from(10u8).pow(places))))
    }

    fn named(&mut self, word: String) -> Result<Expression, String> {
        if self.peek() != Some('(') {
            return Ok(Expression::Name(word));
        }
        let start = self.at + 1;
        let (parts, length) = arguments(&self.text[start..]).ok_or("the bracket is not closed")?;
        self.at = start + length + 1;
        let parse = |text: &String| Expression::parse(text);
        if let Some(&(_, fold)) = FOLDS.iter().find(|(name, _)| *name == word) {
            let [name, low, high, body] = parts.as_slice() else {
                return Err(format!("`{word}` takes a name, two ends and a formula"));
            };
            let inner = [parse(low)?, parse(high)?, parse(body)?];
            return Ok(Expression::Over(fold, name.clone(), Box::new(inner)));
        }
        if let Some(&(_, function, count)) = FUNCTIONS.iter().find(|(name, ..)| *name == word) {
            if parts.len() != count {
                return Err(format!("`{word}` takes {count}, not {}", parts.len()));
            }
            let inner: Result<Vec<_>, _> = parts.iter().map(parse).collect();
            return Ok(Expression::Call(function, inner?));
        }
        let quantity = quantity::find(&word).ok_or_else(|| {
            let near = crate::family::closest(&word, quantity::names());
            let hint = near.map(|near| format!(": did you mean `{near}`?")).unwrap_or_default();
            format!("no quantity `{word}`{hint}")
        })?;
        if parts.len() != quantity.takes.len() {
            return Err(format!(
                "`{word}` takes {} arguments, not {}",
                quantity.takes.len(),
                parts.len()
            ));
        }
        Ok(Expression::Measure(quantity, parts))
    }
}

/// The arguments up to the bracket that closes them, and where that is. Commas inside brackets or quotation marks
/// separate nothing.
fn arguments(text: &str) -> Option<(Vec<String>, usize)> {
    let (mut parts, mut start, mut depth, mut quoted) = (Vec::new(), 0, 0usize, false);
    for (at, c) in text.char_indices() {
        match c {
            '\'' => quoted = !quoted,
            _ if quoted => (),
            '(' | '[' | '{' => depth += 1,
            ')' if depth == 0 => {
                parts.push(text[start..at].trim().to_owned());
                return Some((parts, at));
            }
            ')' | ']' | '}' => depth = depth.checked_sub(1)?,
            ',' if depth == 0 => {
                parts.push(text[start..at].trim().to_owned());
                start = at + 1;
            }
            _ => (),
        }
    }
    None
}
