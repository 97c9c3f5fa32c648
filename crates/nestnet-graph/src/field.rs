//! Small finite fields, for networks made from them.
//!
//! Elements of GF(p^m) are the numbers `0..q`, read in base p as polynomials of degree below m.
//! No maintained crate offers fields of prime-power order chosen at run time, hence these tables.

/// Arithmetic in the field with `q` elements, by tables of logarithms.
#[derive(Clone, Debug)]
pub struct Field {
    order: u32,
    characteristic: u32,
    /// The powers of a primitive element: `power[i]` for `i` in `0..q-1`.
    power: Vec<u32>,
    /// `log[power[i]] = i`; `log[0]` is unused.
    log: Vec<u32>,
}

/// `(p, m)` with `q = p^m`, if `q` is a prime power.
pub fn prime_power(q: u64) -> Option<(u64, u32)> {
    if q < 2 {
        return None;
    }
    let p = (2..).take_while(|p| p * p <= q).find(|&p| q.is_multiple_of(p)).unwrap_or(q);
    let (mut rest, mut m) = (q, 0);
    while rest.is_multiple_of(p) {
        rest /= p;
        m += 1;
    }
    (rest == 1).then_some((p, m))
}

impl Field {
    /// The field of `q` elements, if `q` is a prime power of at most 2^16.
    pub fn new(q: u32) -> Option<Self> {
        let (p, m) = prime_power(q.into()).filter(|_| q <= 1 << 16)?;
        let p = u32::try_from(p).ok()?;
        // A monic polynomial of degree m is named by its lower coefficients, a number below q.
        // It is primitive when x runs through all q - 1 nonzero elements; for m = 1, x is that number.
        (0..q).find_map(|polynomial| Field::generated(q, p, m, polynomial))
    }

    fn generated(q: u32, p: u32, m: u32, polynomial: u32) -> Option<Self> {
        let mut power = Vec::with_capacity(q as usize - 1);
        let mut log = vec![0; q as usize];
        let mut seen = vec![false; q as usize];
        let mut element = 1;
        for i in 0..q - 1 {
            if element == 0 || std::mem::replace(&mut seen[element as usize], true) {
                return None;
            }
            power.push(element);
            log[element as usize] = i;
            element = if m == 1 {
                // A residue field: multiply by the candidate for a primitive root.
                u32::try_from(u64::from(element) * u64::from(polynomial) % u64::from(p)).ok()?
            } else {
                let top = element / (q / p);
                let shifted = element % (q / p) * p;
                subtract_multiple(shifted, polynomial, top, p)
            };
        }
        (element == 1).then_some(Field { order: q, characteristic: p, power, log })
    }

    /// How many elements there are.
    pub fn order(&self) -> u32 {
        self.order
    }

    /// The `i`-th power of the primitive element, `i` taken modulo q - 1.
    pub fn power(&self, i: u32) -> u32 {
        self.power[(i % (self.order - 1)) as usize]
    }

    /// `a + b`.
    pub fn add(&self, a: u32, b: u32) -> u32 {
        self.digitwise(a, b, |x, y| x + y)
    }

    /// `a - b`.
    pub fn subtract(&self, a: u32, b: u32) -> u32 {
        let p = self.characteristic;
        self.digitwise(a, b, |x, y| x + p - y)
    }

    /// `a · b`.
    pub fn multiply(&self, a: u32, b: u32) -> u32 {
        if a == 0 || b == 0 {
            return 0;
        }
        self.power(self.log[a as usize] + self.log[b as usize])
    }

    /// `a / b`, or `None` when `b` is zero.
    pub fn divide(&self, a: u32, b: u32) -> Option<u32> {
        if b == 0 {
            return None;
        }
        if a == 0 {
            return Some(0);
        }
        let q = self.order - 1;
        Some(self.power(self.log[a as usize] + q - self.log[b as usize]))
    }

    fn digitwise(&self, a: u32, b: u32, f: impl Fn(u32, u32) -> u32) -> u32 {
        let p = self.characteristic;
        if p == self.order {
            return f(a, b) % p;
        }
        let (mut a, mut b, mut place, mut sum) = (a, b, 1, 0);
        while a > 0 || b > 0 {
            sum += f(a % p, b % p) % p * place;
            a /= p;
            b /= p;
            place *= p;
        }
        sum
    }
}

/// `a - times · b`, digit by digit in base p.
fn subtract_multiple(mut a: u32, mut b: u32, times: u32, p: u32) -> u32 {
    let (mut place, mut result) = (1, 0);
    while a > 0 || b > 0 {
        result += (a % p + p * p - times * (b % p) % p) % p * place;
        a /= p;
        b /= p;
        place = place.saturating_mul(p);
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prime_powers() {
        assert_eq!(prime_power(49), Some((7, 2)));
        assert_eq!(prime_power(97), Some((97, 1)));
        assert_eq!(prime_power(64), Some((2, 6)));
        assert_eq!(prime_power(12), None);
        assert_eq!(prime_power(1), None);
        assert_eq!(prime_power(0), None);
    }

    #[test]
    fn field_axioms() {
        for q in [2, 3, 4, 5, 7, 8, 9, 16, 25, 27] {
            let field = Field::new(q).unwrap();
            for a in 0..q {
                assert_eq!(field.add(a, 0), a);
                assert_eq!(field.multiply(a, 1), a);
                assert_eq!(field.add(field.subtract(0, a), a), 0);
                for b in 0..q {
                    assert_eq!(field.add(a, b), field.add(b, a));
                    assert_eq!(field.subtract(field.add(a, b), b), a);
                    if let Some(quotient) = field.divide(a, b) {
                        assert_eq!(field.multiply(quotient, b), a);
                    }
                    for c in 0..q {
                        assert_eq!(
                            field.multiply(a, field.add(b, c)),
                            field.add(field.multiply(a, b), field.multiply(a, c)),
                            "GF({q}): {a}·({b}+{c})"
                        );
                    }
                }
            }
        }
        assert!(Field::new(6).is_none());
    }
}
