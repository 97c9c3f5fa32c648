//! Which bits does a position of the ring flip?

use std::ops::Range;

/// Which bits a ring position flips.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Positions {
    /// (b-1)k … bk-1, mod m.
    Cyclic,
    /// As printed.
    Literal,
    /// Bit b, as cube-connected cycles are usually written: cyclic up to the names of the bits.
    Own,
}

/// RCR(k, r, j), and how its positions are read.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    pub k: u64,
    pub r: u64,
    pub j: u64,
    pub positions: Positions,
}

impl Rule {
    pub fn bits(&self) -> u64 {
        self.k + self.j
    }

    pub fn ring_links(&self) -> u64 {
        (self.r - 1).min(2)
    }

    /// The bits that position b flips, as disjoint ranges.
    pub fn flips(&self, b: u64) -> Vec<Range<u64>> {
        let m = self.bits();
        if self.k == 0 {
            return Vec::new();
        }
        match self.positions {
            Positions::Own => wrapped(b, 1, m),
            Positions::Cyclic => {
                // b·j + x ≡ x - b·k mod m, so the lowest bit is that of x = k.
                let start = (mod_product(b, self.k, m) + m - self.k % m) % m;
                wrapped(start, self.k, m)
            }
            Positions::Literal => {
                let first = u128::from(b) * u128::from(self.j) + 1;
                let after = first + u128::from(self.k);
                // a from first to m flips m - a, a beyond m flips a mod m.
                let split = after.min(u128::from(m) + 1).max(first);
                let mut ranges = Vec::new();
                if split > first {
                    let (a, z) = (to_u64(first), to_u64(split - 1));
                    ranges.push(m - z..m - a + 1);
                }
                if after > split {
                    let start = to_u64(split % u128::from(m));
                    ranges.extend(wrapped(start, to_u64(after - split), m));
                }
                disjoint(ranges)
            }
        }
    }
}

fn to_u64(value: u128) -> u64 {
    u64::try_from(value).expect("reduced modulo the number of bits")
}

pub(super) fn mod_product(a: u64, b: u64, m: u64) -> u64 {
    to_u64(u128::from(a) * u128::from(b) % u128::from(m.max(1)))
}

/// `count ≤ m` bits from `start`, mod m.
fn wrapped(start: u64, count: u64, m: u64) -> Vec<Range<u64>> {
    let end = start + count;
    let ranges = [0..end.saturating_sub(m), start..end.min(m)];
    ranges.into_iter().filter(|range| !range.is_empty()).collect()
}

/// The same bits in ascending ranges that do not touch.
pub(super) fn disjoint(mut ranges: Vec<Range<u64>>) -> Vec<Range<u64>> {
    ranges.sort_by_key(|range| range.start);
    let mut merged: Vec<Range<u64>> = Vec::new();
    for range in ranges {
        match merged.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => merged.push(range),
        }
    }
    merged
}
