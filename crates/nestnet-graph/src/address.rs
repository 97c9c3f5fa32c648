//! How a node's address is written: digits, tuples of addresses, and `[bits; position]`.
//!
//! An address is only text with structure. What it means is asked of the network: [`crate::Network::node`].

use crate::cursor::Cursor;
use crate::kinds;
use smol_str::{SmolStr, format_smolstr};
use std::fmt;
use thiserror::Error;

/// An address as the papers write it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Address {
    /// A number or a bit string, digit by digit, or a name: `12`, `0110`, `alice`.
    Word(SmolStr),
    /// `(a,b,c)`, most significant first.
    Tuple(Vec<Address>),
    /// `[bits; position]`: a cube corner and a position on its ring.
    Ring(Box<Address>, Box<Address>),
}

impl Address {
    /// A name, or digits as they are.
    pub fn word(text: &str) -> Self {
        Address::Word(SmolStr::new(text))
    }

    /// The decimal number `value`.
    pub fn number(value: u64) -> Self {
        Address::word(itoa::Buffer::new().format(value))
    }

    /// `value` as a bit string of `width` digits, most significant first; `width` 0 is written `-`.
    pub fn bits(value: u64, width: u32) -> Self {
        if width == 0 {
            return Address::word("-");
        }
        Address::Word(format_smolstr!("{value:0width$b}", width = width as usize))
    }

    /// A tuple of decimal numbers.
    pub fn numbers(values: impl IntoIterator<Item = u64>) -> Self {
        Address::Tuple(values.into_iter().map(Address::number).collect())
    }

    /// The value of a decimal number.
    pub fn as_number(&self) -> Option<u64> {
        match self {
            Address::Word(digits) if is_digits(digits) => digits.parse().ok(),
            _ => None,
        }
    }

    /// Whether it is digits with a zero before others, as bit strings have and ids have not.
    pub fn has_leading_zero(&self) -> bool {
        matches!(self, Address::Word(digits) if digits.len() > 1 && digits.starts_with('0') && is_digits(digits))
    }

    /// The value of a bit string of exactly `width` digits.
    pub fn as_bits(&self, width: u32) -> Option<u64> {
        match self {
            Address::Word(digits) if width == 0 => (digits == "-").then_some(0),
            Address::Word(digits) if digits.len() == width as usize && is_digits(digits) => {
                u64::from_str_radix(digits, 2).ok()
            }
            _ => None,
        }
    }

    /// The parts of a tuple.
    pub fn as_tuple(&self) -> Option<&[Address]> {
        match self {
            Address::Tuple(parts) => Some(parts),
            _ => None,
        }
    }

    /// The values of a tuple of exactly `count` decimal numbers.
    pub fn as_numbers(&self, count: usize) -> Option<Vec<u64>> {
        let parts = self.as_tuple().filter(|parts| parts.len() == count)?;
        parts.iter().map(Address::as_number).collect()
    }

    /// Adds to a text what [`fmt::Display`] writes, without the machinery for that.
    pub fn put(&self, out: &mut Vec<u8>) {
        match self {
            Address::Word(digits) => out.extend_from_slice(digits.as_bytes()),
            Address::Tuple(parts) => put_tuple(out, parts, |part, out| part.put(out)),
            Address::Ring(bits, position) => {
                out.push(b'[');
                bits.put(out);
                out.extend_from_slice(b"; ");
                position.put(out);
                out.push(b']');
            }
        }
    }

    /// Reads what [`fmt::Display`] writes; spaces between the parts are allowed.
    pub fn parse(text: &str) -> Result<Self, AddressError> {
        let mut reader = Reader(Cursor::new(text));
        let address = reader.address(0)?;
        if reader.0.peek().is_some() {
            return Err(reader.error("the end of the address"));
        }
        Ok(address)
    }

    /// Reads what [`Address::parse`] does, and a tuple without its outer brackets: `0,1,1`.
    pub fn parse_bare(text: &str) -> Result<Self, AddressError> {
        let parsed = Address::parse(text);
        if parsed.is_err() && text.contains(',') {
            return Address::parse(&format!("({text})")).or(parsed);
        }
        parsed
    }
}

/// Adds `(a,b,c)` to a text.
pub fn put_tuple<T>(
    out: &mut Vec<u8>,
    parts: impl IntoIterator<Item = T>,
    mut put: impl FnMut(T, &mut Vec<u8>),
) {
    let mut before = b'(';
    for part in parts {
        out.push(before);
        put(part, out);
        before = b',';
    }
    if before == b'(' {
        out.push(before);
    }
    out.push(b')');
}

fn is_digits(word: &str) -> bool {
    // A sign is part of a name.
    word.bytes().all(|byte| byte.is_ascii_digit())
}

crate::serialize_as_text!(Address);

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Address::Word(digits) => f.write_str(digits),
            Address::Tuple(parts) => {
                f.write_str("(")?;
                for (i, part) in parts.iter().enumerate() {
                    if i > 0 {
                        f.write_str(",")?;
                    }
                    part.fmt(f)?;
                }
                f.write_str(")")
            }
            Address::Ring(bits, position) => write!(f, "[{bits}; {position}]"),
        }
    }
}

/// Why a text names no node.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum AddressError {
    /// The text is not an address at all.
    #[error("`{text}` is not an address: expected {expected} at character {position}")]
    Malformed {
        /// What was read.
        text: String,
        /// 1-based.
        position: usize,
        /// What is expected there.
        expected: &'static str,
    },
    /// The network has no such node.
    #[error("no node `{text}`: give an id from 0 to {last} or an address such as `{example}`")]
    Unknown {
        /// What was read.
        text: String,
        /// The highest id.
        last: u64,
        /// The address of that node.
        example: String,
    },
    /// An id is not written so, and the network has no such address.
    #[error("no node `{text}`: an id has no leading zeros, and an address is written `{example}`")]
    LeadingZero {
        /// What was read.
        text: String,
        /// The address of a node.
        example: String,
    },
}

kinds!(AddressError: Unknown);

/// Limit: brackets within each other in an address: beyond any network that can be built.
const MAX_DEPTH: usize = 128;

struct Reader<'a>(Cursor<'a>);

impl Reader<'_> {
    fn error(&self, expected: &'static str) -> AddressError {
        AddressError::Malformed {
            text: self.0.text.to_owned(),
            position: self.0.text[..self.0.at].chars().count() + 1,
            expected,
        }
    }

    fn address(&mut self, depth: usize) -> Result<Address, AddressError> {
        if depth > MAX_DEPTH {
            return Err(self.error("fewer brackets"));
        }
        if self.0.take("(") {
            let mut parts = Vec::new();
            if self.0.take(")") {
                return Ok(Address::Tuple(parts));
            }
            loop {
                parts.push(self.address(depth + 1)?);
                if self.0.take(")") {
                    return Ok(Address::Tuple(parts));
                }
                if !self.0.take(",") {
                    return Err(self.error("`,` or `)`"));
                }
            }
        }
        if self.0.take("[") {
            let bits = self.address(depth + 1)?;
            if !self.0.take(";") {
                return Err(self.error("`;`"));
            }
            let position = self.address(depth + 1)?;
            if !self.0.take("]") {
                return Err(self.error("`]`"));
            }
            return Ok(Address::Ring(Box::new(bits), Box::new(position)));
        }
        self.0.skip_spaces();
        let ends = |c: char| c.is_whitespace() || "()[],;".contains(c);
        let word = &self.0.text[self.0.take_while(|c| !ends(c))];
        if word.is_empty() {
            return Err(self.error("a number, a name, `(` or `[`"));
        }
        Ok(Address::word(word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_and_parses_back() {
        for text in ["7", "0110", "(1,(0,1,2),(1,0,0))", "[0110; 2]", "[-; 3]", "()", "(0,sw-1,é)"]
        {
            assert_eq!(Address::parse(text).unwrap().to_string(), text);
        }
        let spaced = Address::parse(" ( 1 , [ 01 ;2 ] ) ").unwrap();
        assert_eq!(spaced.to_string(), "(1,[01; 2])");
    }

    #[test]
    fn says_where_it_stopped() {
        let error = Address::parse("(1,)").unwrap_err();
        assert_eq!(
            error.to_string(),
            "`(1,)` is not an address: expected a number, a name, `(` or `[` at character 4"
        );
        assert!(Address::parse(&"(".repeat(100_000)).is_err());
    }

    #[test]
    fn a_tuple_may_lack_its_outer_brackets() {
        for (text, tuple) in [("0,1,1", "(0,1,1)"), ("1,(0,1),[01; 2]", "(1,(0,1),[01; 2])")] {
            assert_eq!(Address::parse_bare(text).unwrap().to_string(), tuple);
        }
        assert_eq!(Address::parse_bare("0110"), Address::parse("0110"));
        for text in ["", "1,", "1,2)", "(1,x"] {
            assert_eq!(Address::parse_bare(text), Address::parse(text));
        }
    }

    #[test]
    fn bits_have_a_width() {
        assert_eq!(Address::bits(6, 4).to_string(), "0110");
        assert_eq!(Address::parse("0110").unwrap().as_bits(4), Some(6));
        assert_eq!(Address::parse("110").unwrap().as_bits(4), None);
        assert_eq!(Address::parse("2110").unwrap().as_bits(4), None);
        assert_eq!(Address::parse("+110").unwrap().as_bits(4), None);
        assert_eq!(Address::parse("+110").unwrap().as_number(), None);
        assert_eq!(Address::bits(0, 0).as_bits(0), Some(0));
    }
}
