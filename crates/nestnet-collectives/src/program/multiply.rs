//! The product of two square matrices: the entries are spread along two thirds of the dimensions and summed along the
//! others.

use super::{Machine, Order, ProgramError, Site, Spent};
use crate::Ports;

/// What a node holds of a product.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    a: Option<u64>,
    b: Option<u64>,
    sum: u64,
}

/// C = A·B modulo 2^64. The logical address is (copy, k, i, j) with q = ⌊bits/3⌋ bits each for k, i and j: there are 2^q
/// rows, and one problem for each value of the one or two bits that are left over. Entries (i, j) of A and B start at
/// k = 0 of their copy, numbered (copy, i, j); so does the result end.
///
/// Along k both are spread; along j entry a_ik goes from j = k to all, along i entry b_kj from i = k; and along k the
/// products are summed. E. Dekel, D. Nassimi, S. Sahni, "Parallel matrix and graph algorithms", 1981.
pub fn multiply(site: Site<'_>, a: &[u64], b: &[u64]) -> Result<(Vec<u64>, Spent), ProgramError> {
    let bits = site.bits()?;
    let q = bits / 3;
    let low = |logical: u64, from: usize| logical >> from & ((1 << q) - 1);
    let number = move |logical: u64| {
        let (copy, place) = (logical >> (3 * q), logical & ((1 << (2 * q)) - 1));
        usize::try_from(copy << (2 * q) | place).expect("it fits in memory")
    };
    let count = 1usize << (bits - q);
    for given in [a.len(), b.len()] {
        if given != count {
            return Err(ProgramError::WrongCount { given, nodes: count as u64 });
        }
    }
    let start = |logical: u64| {
        let first = low(logical, 2 * q) == 0;
        let entry = |of: &[u64]| first.then(|| of[number(logical)]);
        Entry { a: entry(a), b: entry(b), sum: 0 }
    };
    let mut machine = Machine::new(site, Ports::One, start)?;
    let (j, i, k) = (0..q, q..2 * q, 2 * q..3 * q);
    machine.run(&Order::Ascend(k.clone()), |_, own, shown| {
        let theirs = shown[0].1;
        Entry { a: own.a.or(theirs.a), b: own.b.or(theirs.b), ..*own }
    })?;
    machine.update(|logical, own| {
        let [j, i, k] = [0, q, 2 * q].map(|from| low(logical, from));
        Entry { a: own.a.filter(|_| j == k), b: own.b.filter(|_| i == k), ..*own }
    });
    machine.run(&Order::Ascend(j), |_, own, shown| Entry { a: own.a.or(shown[0].1.a), ..*own })?;
    machine.run(&Order::Ascend(i), |_, own, shown| Entry { b: own.b.or(shown[0].1.b), ..*own })?;
    machine.update(|_, own| {
        let sum = own.a.unwrap_or(0).wrapping_mul(own.b.unwrap_or(0));
        Entry { sum, ..*own }
    });
    machine.run(&Order::Ascend(k), |_, own, shown| Entry {
        sum: own.sum.wrapping_add(shown[0].1.sum),
        ..*own
    })?;
    let spent = machine.spent();
    let values = machine.values();
    let mut result = vec![0; count];
    for (logical, value) in (0..).zip(&values) {
        if low(logical, 2 * q) == 0 {
            result[number(logical)] = value.sum;
        }
    }
    Ok((result, spent))
}
