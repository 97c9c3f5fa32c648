//! How is a formula read? Once, whole, with its texts and all that is filled in.

use super::expression::{
    Expression, ExpressionError, ExpressionFault, Fold, Function, MAX_DEPTH, MAX_LENGTH, Operator,
    Piece, Template,
};
use super::quantity::{self, Takes};
use super::value::{Rational, fits};
use nestnet_graph::cursor::Cursor;
use nestnet_graph::radix::MAX_BITS;
use num_bigint::BigInt;
use num_traits::Num;

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

const FOLDS: &[(&str, Fold)] = &[
    ("sum", Fold::Sum),
    ("product", Fold::Product),
    ("largest", Fold::Largest),
    ("smallest", Fold::Smallest),
    ("all", Fold::All),
];

impl Expression {
    /// Reads a formula.
    pub fn parse(text: &str) -> Result<Self, ExpressionError> {
        Parser::read(text, Parser::whole)
    }
}

impl Template {
    /// Reads a text with formulas in it.
    pub(super) fn parse(text: &str) -> Result<Self, ExpressionError> {
        Parser::read(text, |parser| parser.template(0, text.len()))
    }
}

/// Where a reader is, in the text up to where it may read.
struct Parser<'a> {
    cursor: Cursor<'a>,
    depth: usize,
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

type Parsed<T> = Result<T, ExpressionFault>;

impl<'a> Parser<'a> {
    fn read<T>(
        text: &'a str,
        parse: impl FnOnce(&mut Self) -> Parsed<T>,
    ) -> Result<T, ExpressionError> {
        let mut parser = Parser { cursor: Cursor::new(text), depth: 0 };
        let parsed = match text.len() {
            length if length > MAX_LENGTH => Err(ExpressionFault::TooLong(length)),
            _ => parse(&mut parser),
        };
        parsed.map_err(|fault| {
            let before = text[..parser.cursor.at].chars().count();
            ExpressionError { text: excerpt(text, before), at: before + 1, fault }
        })
    }

    /// What `parse` reads one level deeper.
    fn deeper<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth == MAX_DEPTH {
            return Err(ExpressionFault::TooDeep);
        }
        self.depth += 1;
        let parsed = parse(self);
        self.depth -= 1;
        parsed
    }

    fn word(&mut self) -> Option<&'a str> {
        self.cursor.peek().filter(char::is_ascii_alphabetic)?;
        let word = self.cursor.take_while(|c| c.is_ascii_alphanumeric() || c == '_');
        Some(&self.cursor.text[word])
    }

    /// A formula with nothing behind it.
    fn whole(&mut self) -> Parsed<Expression> {
        let parsed = self.comparison()?;
        self.cursor.peek().map_or(Ok(parsed), |found| Err(ExpressionFault::Unexpected(found)))
    }

    /// Terms that operators join.
    fn joined(
        &mut self,
        term: fn(&mut Self) -> Parsed<Expression>,
        operator: fn(&mut Self) -> Option<Operator>,
    ) -> Parsed<Expression> {
        let first = term(self)?;
        let mut others = Vec::new();
        while let Some(operator) = operator(self) {
            others.push((operator, term(self)?));
        }
        Ok(if others.is_empty() { first } else { Expression::Joined(Box::new(first), others) })
    }

    fn comparison(&mut self) -> Parsed<Expression> {
        self.joined(Self::compared, |parser| {
            let before = parser.cursor.at;
            let found = parser.word() == Some("and");
            if !found {
                parser.cursor.at = before;
            }
            found.then_some(Operator::And)
        })
    }

    fn compared(&mut self) -> Parsed<Expression> {
        let left = self.sum()?;
        let found = COMPARISONS.iter().find(|(sign, _)| self.cursor.take(sign));
        match found {
            Some(&(_, operator)) => {
                Ok(Expression::Joined(Box::new(left), vec![(operator, self.sum()?)]))
            }
            None => Ok(left),
        }
    }

    fn sum(&mut self) -> Parsed<Expression> {
        self.joined(Self::product, |parser| {
            let plus = parser.cursor.take("+").then_some(Operator::Plus);
            plus.or_else(|| parser.cursor.take("-").then_some(Operator::Minus))
        })
    }

    fn product(&mut self) -> Parsed<Expression> {
        self.joined(Self::negation, |parser| {
            let times = parser.cursor.take("*").then_some(Operator::Times);
            times.or_else(|| parser.cursor.take("/").then_some(Operator::Over))
        })
    }

    fn negation(&mut self) -> Parsed<Expression> {
        let mut signs = 0usize;
        while self.cursor.take("-") {
            signs += 1;
        }
        let mut value = self.atom()?;
        if self.cursor.take("^") {
            let power = self.deeper(Self::negation)?;
            value = Expression::Joined(Box::new(value), vec![(Operator::Power, power)]);
        }
        // Two signs are as good as any even number of them, and one as any odd one.
        let signs = if signs == 0 { 0 } else { 2 - signs % 2 };
        Ok((0..signs).fold(value, |value, _| Expression::Minus(Box::new(value))))
    }

    fn atom(&mut self) -> Parsed<Expression> {
        match self.cursor.peek() {
            Some('(') => {
                self.cursor.at += 1;
                let inner = self.deeper(Self::comparison)?;
                if self.cursor.take(")") {
                    Ok(inner)
                } else {
                    Err(ExpressionFault::Expected("`)`"))
                }
            }
            Some('\'') => {
                let start = self.cursor.at + 1;
                let length = self.cursor.text[start..].find('\'');
                let end = start + length.ok_or(ExpressionFault::OpenText)?;
                let text = self.deeper(|parser| parser.template(start, end))?;
                self.cursor.at = end + 1;
                Ok(Expression::Text(text))
            }
            Some(c) if c.is_ascii_digit() => self.number(),
            _ => match self.word() {
                Some(word) => self.named(word),
                None => Err(ExpressionFault::Expected("a number, a name or a bracket")),
            },
        }
    }

    fn number(&mut self) -> Parsed<Expression> {
        let rest = self.cursor.rest();
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        let text = &rest[..end];
        // A digit has more than three bits; leading zeros count as well, which nobody misses.
        if text.len() as u64 * 3 > MAX_BITS {
            return Err(ExpressionFault::LongNumber);
        }
        let (whole, part) = text.split_once('.').unwrap_or((text, ""));
        let digits = BigInt::from_str_radix(&format!("{whole}{part}"), 10);
        let no_number = || ExpressionFault::NoNumber(excerpt(text, 0));
        let digits = digits.map_err(|_| no_number())?;
        let places = u32::try_from(part.len()).map_err(|_| no_number())?;
        let value = Rational::new(digits, BigInt::from(10u8).pow(places));
        if !fits(&value) {
            return Err(ExpressionFault::LongNumber);
        }
        self.cursor.at += end;
        Ok(Expression::Number(value))
    }

    fn named(&mut self, word: &str) -> Parsed<Expression> {
        if self.cursor.peek() != Some('(') {
            return Ok(Expression::Name(word.to_owned()));
        }
        if let Some(&(_, fold)) = FOLDS.iter().find(|(name, _)| *name == word) {
            return self.fold(word, fold);
        }
        if let Some(&(name, function, takes)) = FUNCTIONS.iter().find(|(name, ..)| *name == word) {
            self.cursor.at += 1;
            let parts = self.parts()?;
            return match parts.len() {
                found if found == takes => Ok(Expression::Call(function, parts)),
                found => Err(ExpressionFault::Arguments { name: name.to_owned(), takes, found }),
            };
        }
        let quantity = quantity::find(word).ok_or_else(|| ExpressionFault::NoQuantity {
            name: excerpt(word, 0),
            near: quantity::closest(word),
        })?;
        let start = self.cursor.at + 1;
        let ranges = arguments(self.cursor.text, start);
        let (ranges, end) = ranges.ok_or(ExpressionFault::OpenBracket)?;
        let takes = quantity.takes.len();
        if ranges.len() != takes {
            let (name, found) = (word.to_owned(), ranges.len());
            return Err(ExpressionFault::Arguments { name, takes, found });
        }
        let mut parts = Vec::new();
        for ((start, end), takes) in ranges.into_iter().zip(quantity.takes) {
            parts.push(self.deeper(|parser| match takes {
                // A name of a parameter may mean its value without brackets.
                Takes::Number => {
                    let number = parser.within(start, end, Self::whole)?;
                    Ok(Template { pieces: vec![Piece::Formula(number)] })
                }
                _ => parser.template(start, end),
            })?);
        }
        self.cursor.at = end + 1;
        Ok(Expression::Measure(quantity, parts))
    }

    fn fold(&mut self, word: &str, fold: Fold) -> Parsed<Expression> {
        let fault = || ExpressionFault::Fold { name: word.to_owned() };
        self.cursor.at += 1;
        let name = self.word().ok_or_else(fault)?;
        if !self.cursor.take(",") {
            return Err(fault());
        }
        let parts = <[Expression; 3]>::try_from(self.parts()?).map_err(|_| fault())?;
        Ok(Expression::Over(fold, name.to_owned(), Box::new(parts)))
    }

    /// Formulas with commas, up to the bracket that closes them.
    fn parts(&mut self) -> Parsed<Vec<Expression>> {
        let mut parts = Vec::new();
        loop {
            parts.push(self.deeper(Self::comparison)?);
            if self.cursor.take(")") {
                return Ok(parts);
            }
            match self.cursor.peek() {
                Some(',') => self.cursor.at += 1,
                Some(found) => return Err(ExpressionFault::Unexpected(found)),
                None => return Err(ExpressionFault::OpenBracket),
            }
        }
    }

    /// What `parse` reads between two places.
    fn within<T>(
        &mut self,
        start: usize,
        end: usize,
        parse: impl FnOnce(&mut Self) -> Parsed<T>,
    ) -> Parsed<T> {
        let inner = Cursor { text: &self.cursor.text[..end], at: start };
        let outer = std::mem::replace(&mut self.cursor, inner).text;
        let parsed = parse(self)?;
        self.cursor.text = outer;
        Ok(parsed)
    }

    /// The text between two places, with its formulas.
    fn template(&mut self, start: usize, end: usize) -> Parsed<Template> {
        let mut pieces = Vec::new();
        let mut from = start;
        while let Some(opened) = self.cursor.text[from..end].find('{') {
            let inside = from + opened + 1;
            if opened > 0 {
                pieces.push(Piece::Text(self.cursor.text[from..inside - 1].to_owned()));
            }
            let mut depth = 1;
            let length = self.cursor.text[inside..end].find(|c| {
                depth += i32::from(c == '{') - i32::from(c == '}');
                depth == 0
            });
            self.cursor.at = inside;
            let closed = inside + length.ok_or(ExpressionFault::OpenBrace)?;
            let formula = self.deeper(|parser| parser.within(inside, closed, Self::whole))?;
            pieces.push(Piece::Formula(formula));
            from = closed + 1;
        }
        if from < end {
            pieces.push(Piece::Text(self.cursor.text[from..end].to_owned()));
        }
        self.cursor.at = end;
        Ok(Template { pieces })
    }
}

/// Where the arguments stand, up to the bracket that closes them, and where that is. Commas inside brackets or quotation
/// marks separate nothing.
fn arguments(text: &str, start: usize) -> Option<(Vec<(usize, usize)>, usize)> {
    let (mut parts, mut from, mut depth, mut quoted) = (Vec::new(), start, 0usize, false);
    let trimmed = |from: usize, to: usize| {
        let part = &text[from..to];
        let from = to - part.trim_start().len();
        (from, from + part.trim().len())
    };
    for (at, c) in text[start..].char_indices().map(|(at, c)| (start + at, c)) {
        match c {
            '\'' => quoted = !quoted,
            _ if quoted => (),
            '(' | '[' | '{' => depth += 1,
            ')' if depth == 0 => {
                parts.push(trimmed(from, at));
                return Some((parts, at));
            }
            ')' | ']' | '}' => depth = depth.checked_sub(1)?,
            ',' if depth == 0 => {
                parts.push(trimmed(from, at));
                from = at + 1;
            }
            _ => (),
        }
    }
    None
}

/// The text, or where it is long the letters around one of them.
fn excerpt(text: &str, at: usize) -> String {
    /// So many letters are shown.
    const SHOWN: usize = 60;
    let length = text.chars().count();
    if length <= SHOWN {
        return text.to_owned();
    }
    let start = at.saturating_sub(SHOWN / 2).min(length - SHOWN);
    let shown: String = text.chars().skip(start).take(SHOWN).collect();
    let (before, after) = (start > 0, start + SHOWN < length);
    format!("{}{shown}{}", if before { "…" } else { "" }, if after { "…" } else { "" })
}
