//! What do a paper's own formulas say of a network, true or not?

use nestnet_graph::json::Integer;
use num_bigint::BigUint;
use serde::{Serialize, Serializer};

/// A formula of a paper at the parameters of a network.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PaperFormula {
    /// Of what: nodes, degree, diameter, bisection.
    pub what: &'static str,
    /// Where the paper has it.
    #[serde(rename = "where")]
    pub place: &'static str,
    /// The row of the ledger that judges it.
    pub row: &'static str,
    /// Whether it is a bound; empty for an equality.
    #[serde(serialize_with = "relation")]
    pub relation: &'static str,
    /// Its value, all digits.
    #[serde(serialize_with = "number")]
    pub value: String,
}

impl PaperFormula {
    /// An equality.
    pub fn is(what: &'static str, place: &'static str, value: impl ToString) -> Self {
        PaperFormula { what, place, row: "", relation: "", value: value.to_string() }
    }

    /// An upper bound.
    pub fn at_most(what: &'static str, place: &'static str, value: impl ToString) -> Self {
        PaperFormula { relation: "at most", ..PaperFormula::is(what, place, value) }
    }

    /// The same, judged in this row of its paper's ledger.
    pub fn judged(self, row: &'static str) -> Self {
        PaperFormula { row, ..self }
    }
}

fn relation<S: Serializer>(relation: &str, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(if relation.is_empty() { "equal" } else { relation })
}

fn number<S: Serializer>(value: &str, serializer: S) -> Result<S::Ok, S::Error> {
    Integer(value).serialize(serializer)
}

/// Numbers of more digits are not written out.
const MAX_BITS: u64 = 1 << 14;

/// base^exponent, unless it is too long to be read.
pub(super) fn power(base: &BigUint, exponent: u64) -> Option<BigUint> {
    let fits = base.bits().checked_mul(exponent)? <= MAX_BITS;
    fits.then(|| base.pow(u32::try_from(exponent).unwrap_or(u32::MAX)))
}

/// 2^exponent, where it is small.
pub(super) fn doubled(exponent: u64) -> Option<u64> {
    u32::try_from(exponent).ok().filter(|&exponent| exponent < 63).map(|exponent| 1 << exponent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_end_where_they_are_too_long() {
        // What is doubled is doubled once more by those who ask.
        assert_eq!((doubled(0), doubled(62), doubled(63)), (Some(1), Some(1 << 62), None));
        let two = BigUint::from(2u8);
        assert_eq!(power(&two, 10), Some(1024u32.into()));
        assert!(power(&two, MAX_BITS / 2).is_some());
        assert_eq!(power(&two, MAX_BITS / 2 + 1), None);
        assert_eq!(power(&two, u64::MAX), None);
    }
}
