//! SpectralFly: routers on the graphs of Lubotzky, Phillips and Sarnak, whose eigenvalues are as small as they can be.
//!
//! # Paper
//! A. Lubotzky, R. Phillips, P. Sarnak, "Ramanujan graphs", 1988, as a network in S. Young, S. Aksoy, J. Firoz, R. Gioiosa,
//! T. Hagge, M. Kempton, J. Escobedo, M. Raugas, "SpectralFly: Ramanujan Graphs as Flexible and Efficient Interconnection
//! Networks", 2022. All odd primes as in G. Davidoff, P. Sarnak, A. Valette, "Elementary Number Theory, Group Theory, and
//! Ramanujan Graphs", 2003.
//!
//! # Definition
//! p and q are different odd primes with q > 2√p, and x² + y² ≡ -1 mod q; for q ≡ 1 mod 4, y = 0 and x² ≡ -1.
//! Of the 8(p+1) integer solutions of a² + b² + c² + d² = p these p+1 are taken:
//! - p ≡ 1 mod 4: a odd and positive, so b, c, d are even;
//! - p ≡ 3 mod 4: a even, so b, c, d are odd, and of ± the one with a > 0, or a = 0 and b > 0.
//!
//! Each gives the matrix [[a + bx + dy, -by + c + dx], [-by - c + dx, a - bx - dy]] of determinant p mod q, which for y = 0 is
//! [[a + xb, c + xd], [-c + xd, a - xb]]. Matrices that differ by a factor are the same.
//! The conjugate solution (a, -b, -c, -d) gives the inverse; where a = 0 it is a matrix of order 2.
//! The network is the Cayley graph by these: of PSL(2, q), the matrices whose determinant is a square, with q(q²-1)/2
//! nodes where p is a square mod q; else of PGL(2, q), with q(q²-1) nodes, bipartite by whether the determinant is a square.
//! It has degree p+1 and is connected; every eigenvalue but ±(p+1) is at most 2√p in absolute value, so its diameter is
//! at most 2·log_p(n) + 2. All nodes are alike by multiplication from the left.
//!
//! # Numbering
//! A matrix is scaled until its first row is (1, r), or (0, 1), which is r = q. With its determinant δ, the i-th of all
//! that occur in ascending order, m of them, and t its entry below the 1 where r < q, else the one after it, its id
//! is (r·m + i)·q + t. Its address is (r, i, t). Ports multiply from the right by the matrices above, in the ascending
//! order of (a, b, c, d).

use crate::family::{ArgError, Args, Built};
use nestnet_draw::{Held, Plan};
use nestnet_graph::field::prime_power;
use nestnet_graph::network::{Automorphism, transitive};
use nestnet_graph::theory::{Bounded, Degrees, Theory, moore_diameter};
use nestnet_graph::{Address, Network, Node, Orbit, Port, index, radix};
use num_bigint::BigUint;
use std::sync::Arc;

pub(super) fn build(args: &Args) -> Result<Built, ArgError> {
    let (p, q) = (args.integer("p"), args.integer("q"));
    for (name, value) in [("p", p), ("q", q)] {
        if value == 2 || prime_power(value) != Some((value, 1)) {
            let message = format!("must be an odd prime, such as 3, 5, 7 or 11, not {value}");
            return Err(ArgError::new(name, message));
        }
    }
    if p == q {
        return Err(ArgError::new("q", format!("must be another prime than p = {p}")));
    }
    if q * q <= 4 * p {
        let message = format!("must be more than 2√p, the root of {}", 4 * p);
        return Err(ArgError::new("q", message));
    }
    let fly = SpectralFly::new(p, q);
    let rows = Plan::ring(q + 1).around(&Plan::ring(fly.squares.m * q), 0, Held::Part);
    Ok(Built::of(fly).placed(rows))
}

/// A matrix of two rows modulo q, up to a factor.
type Matrix = [u64; 4];

/// The Cayley graph for two primes.
#[derive(Clone, Debug)]
pub struct SpectralFly {
    p: u64,
    q: u64,
    generators: Arc<[Matrix]>,
    squares: Arc<Squares>,
}

/// Which determinants there are.
#[derive(Debug)]
struct Squares {
    /// How many.
    m: u64,
    /// The determinant of each number.
    values: Vec<u64>,
    /// The number of each determinant; of no use where there is none.
    numbers: Vec<u64>,
    /// 1/e for every e but 0.
    inverses: Vec<u64>,
}

/// The p+1 solutions of a² + b² + c² + d² = p, ascending. O(√p³).
fn solutions(p: u64) -> Vec<[i64; 4]> {
    let p = i64::try_from(p).expect("at most 2^16");
    let root = p.isqrt();
    let of_parity = |odd: bool| (-root..=root).filter(move |value| (value % 2 != 0) == odd);
    let is_one = p % 4 == 1;
    let mut found = Vec::new();
    for a in of_parity(is_one).filter(|&a| a >= 0) {
        for b in of_parity(!is_one) {
            for c in of_parity(!is_one) {
                let rest = p - a * a - b * b - c * c;
                if rest < 0 {
                    continue;
                }
                let d = rest.isqrt();
                if d * d != rest || a == 0 && b < 0 {
                    continue;
                }
                found.push([a, b, c, -d]);
                if d > 0 {
                    found.push([a, b, c, d]);
                }
            }
        }
    }
    found.sort_unstable();
    found
}

/// x and y with x² + y² ≡ -1 mod q, y and then x the least.
fn minus_one(q: u64) -> (u64, u64) {
    let mut roots = vec![None; usize::try_from(q).expect("at most 2^16")];
    for x in (0..q).rev() {
        roots[index(x * x % q)] = Some(x);
    }
    let pair = |y: u64| Some((roots[index((2 * q * q - 1 - y * y) % q)]?, y));
    (0..q).find_map(pair).expect("squares and what they lack to -1 are more than half of all")
}

impl SpectralFly {
    /// Different odd primes up to 2^16, and q² > 4p.
    pub fn new(p: u64, q: u64) -> Self {
        let signed = |value: u64| i64::try_from(value).expect("at most 2^16");
        let (x, y) = minus_one(q);
        let (x, y) = (signed(x), signed(y));
        let residue =
            |value: i64| u64::try_from(value.rem_euclid(signed(q))).expect("not negative");
        let matrix = |[a, b, c, d]: [i64; 4]| {
            [a + b * x + d * y, -b * y + c + d * x, -b * y - c + d * x, a - b * x - d * y]
                .map(residue)
        };
        let generators = solutions(p).into_iter().map(matrix).collect();
        let mut is_square = vec![false; index(q)];
        (1..q).for_each(|e| is_square[index(e * e % q)] = true);
        let all = !is_square[index(p % q)];
        let values: Vec<u64> = (1..q).filter(|&e| all || is_square[index(e)]).collect();
        let mut numbers = vec![0; index(q)];
        (0..).zip(&values).for_each(|(number, &value)| numbers[index(value)] = number);
        let mut inverses = vec![0, 1];
        for e in 2..q {
            // q = (q/e)·e + q mod e, so 1/e = -(q/e)/(q mod e).
            inverses.push((q - q / e) * inverses[index(q % e)] % q);
        }
        let squares = Arc::new(Squares { m: values.len() as u64, values, numbers, inverses });
        SpectralFly { p, q, generators, squares }
    }

    fn matrix(&self, at: Node) -> Matrix {
        let q = self.q;
        let (rest, t) = (at.0 / q, at.0 % q);
        let (r, number) = (rest / self.squares.m, rest % self.squares.m);
        let determinant = self.squares.values[index(number)];
        if r < q { [1, r, t, (determinant + r * t) % q] } else { [0, 1, q - determinant, t] }
    }

    fn id(&self, [a, b, c, d]: Matrix) -> Node {
        let q = self.q;
        let factor = self.squares.inverses[index(if a == 0 { b } else { a })];
        let [b, c, d] = [b, c, d].map(|entry| entry * factor % q);
        let (r, determinant, t) = match a {
            0 => (q, q - c, d),
            _ => (b, (d + (q - b) * c) % q, c),
        };
        Node((r * self.squares.m + self.squares.numbers[index(determinant)]) * q + t)
    }

    fn product(&self, [a, b, c, d]: Matrix, [e, f, g, h]: Matrix) -> Matrix {
        [a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h].map(|entry| entry % self.q)
    }

    fn degree(&self) -> u64 {
        self.p + 1
    }
}

impl Network for SpectralFly {
    fn order(&self) -> u64 {
        (self.q + 1) * self.squares.m * self.q
    }

    fn ports(&self) -> u32 {
        u32::try_from(self.degree()).expect("p is at most 2^16")
    }

    fn neighbor(&self, at: Node, port: Port) -> Option<Node> {
        let generator = self.generators.get(port.0 as usize)?;
        Some(self.id(self.product(self.matrix(at), *generator)))
    }

    fn for_each_neighbor(&self, at: Node, visit: &mut dyn FnMut(Port, Node)) {
        let matrix = self.matrix(at);
        for (port, generator) in (0..).zip(self.generators.iter()) {
            visit(Port(port), self.id(self.product(matrix, *generator)));
        }
    }

    fn address(&self, at: Node) -> Address {
        Address::numbers(radix::digits(at.0, &[self.q + 1, self.squares.m, self.q]))
    }

    fn node(&self, address: &Address) -> Option<Node> {
        let sides = [self.q + 1, self.squares.m, self.q];
        radix::number(&address.as_numbers(3)?, &sides).map(Node)
    }

    /// Multiplication from the left by [[1, 1], [0, 1]] and [[0, 1], [-1, 0]], which generate PSL(2, q), and in PGL(2, q) by
    /// the first generator too, whose determinant is no square.
    fn automorphisms(&self) -> Vec<Automorphism> {
        let from_left = |matrix: Matrix| {
            let fly = self.clone();
            Arc::new(move |id| fly.id(fly.product(matrix, fly.matrix(Node(id)))).0) as Automorphism
        };
        let mut all = vec![from_left([1, 1, 0, 1]), from_left([0, 1, self.q - 1, 0])];
        if self.squares.m + 1 == self.q {
            all.extend(self.generators.first().map(|&first| from_left(first)));
        }
        all
    }

    fn orbits(&self) -> Option<Vec<Orbit>> {
        transitive(Network::order(self))
    }
}

impl Theory for SpectralFly {
    fn order(&self) -> BigUint {
        Network::order(self).into()
    }

    fn degrees(&self) -> Degrees {
        Degrees::regular(self.degree(), Theory::order(self))
    }

    fn is_transitive(&self) -> bool {
        true
    }

    /// Lubotzky, Phillips and Sarnak, Theorem 5.1, and the Moore bound.
    fn diameter(&self) -> Option<Bounded> {
        let order = Theory::order(self);
        let (squared, mut power, mut high) = (&order * &order, BigUint::from(self.p), 2u64);
        while power <= squared {
            power *= self.p;
            high += 1;
        }
        Some(Bounded::between(moore_diameter(&order, self.degree()), high))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nestnet_graph::measure::search::distances_from;
    use std::collections::{BTreeMap, BTreeSet, VecDeque};

    #[test]
    fn as_many_solutions_as_jacobi_counts() {
        for p in [3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 71, 101, 103, 509, 65_521] {
            let found = solutions(p);
            assert_eq!(found.len() as u64, p + 1, "p = {p}");
            // Ascending, so that each is found quickly; where a = 0 the conjugate is the negative.
            let is_closed =
                |&[a, b, c, d]: &[i64; 4]| a == 0 || found.binary_search(&[a, -b, -c, -d]).is_ok();
            assert!(found.iter().all(is_closed), "p = {p}");
        }
    }

    /// The network as its definition has it: what products of the matrices reach, each the least of its multiples.
    #[test]
    fn closure_of_the_matrices() {
        for (p, q) in
            [(3, 5), (3, 7), (5, 7), (11, 7), (3, 11), (5, 11), (3, 13), (5, 13), (17, 13)]
        {
            let fly = SpectralFly::new(p, q);
            let least = |matrix: Matrix| {
                let times = (1..q).map(|factor| matrix.map(|entry| entry * factor % q));
                times.filter(|multiple| multiple.iter().any(|&entry| entry > 0)).min().unwrap()
            };
            let (x, y) = (0..q)
                .flat_map(|y| (0..q).map(move |x| (x, y)))
                .find(|(x, y)| (x * x + y * y + 1) % q == 0)
                .unwrap();
            let (x, y) = (i64::try_from(x).unwrap(), i64::try_from(y).unwrap());
            let modulus = i64::try_from(q).unwrap();
            let generators: Vec<Matrix> = solutions(p)
                .into_iter()
                .map(|[a, b, c, d]| {
                    [a + b * x + d * y, -b * y + c + d * x, -b * y - c + d * x, a - b * x - d * y]
                        .map(|entry| u64::try_from(entry.rem_euclid(modulus)).unwrap())
                })
                .collect();
            let mut seen = BTreeSet::from([least([1, 0, 0, 1])]);
            let mut queue = VecDeque::from_iter(seen.clone());
            let mut links = BTreeMap::new();
            while let Some(at) = queue.pop_front() {
                let ends: Vec<Matrix> =
                    generators.iter().map(|&by| least(fly.product(at, by))).collect();
                for &end in &ends {
                    if seen.insert(end) {
                        queue.push_back(end);
                    }
                }
                links.insert(at, ends);
            }
            let is_square = (1..q).any(|e| e * e % q == p % q);
            let order = q * (q * q - 1) / if is_square { 2 } else { 1 };
            assert_eq!((seen.len() as u64, Network::order(&fly)), (order, order), "({p}, {q})");
            let ids: BTreeSet<Node> = seen.iter().map(|&matrix| fly.id(matrix)).collect();
            assert_eq!(ids.len(), seen.len(), "({p}, {q}): an id twice");
            for (at, ends) in links {
                let ends: BTreeSet<Node> = ends.into_iter().map(|end| fly.id(end)).collect();
                assert_eq!(ends.len() as u64, p + 1, "({p}, {q}): a link twice");
                let mut ours = BTreeSet::new();
                fly.for_each_neighbor(fly.id(at), &mut |_, to| {
                    ours.insert(to);
                });
                assert_eq!(ours, ends, "({p}, {q})");
            }
            let distances = distances_from(&fly, Node(0));
            let longest = distances.iter().max().copied().unwrap_or(0);
            let known = fly.diameter().unwrap();
            assert!(known.low <= longest.into() && known.high >= longest.into(), "({p}, {q})");
        }
    }

    #[test]
    fn sizes_that_are_published() {
        for (p, q, order) in [
            (3, 5, 120),
            (11, 7, 168),
            (23, 11, 660),
            (5, 13, 2184),
            (53, 17, 2448),
            (71, 17, 4896),
        ] {
            assert_eq!(Network::order(&SpectralFly::new(p, q)), order, "({p}, {q})");
        }
        let largest = SpectralFly::new(65_519, 65_521);
        let last = Node(Network::order(&largest) - 1);
        assert_eq!(largest.id(largest.matrix(last)), last);
        let back =
            |to: Node| (0..65_520).any(|port| largest.neighbor(to, Port(port)) == Some(last));
        assert!(largest.neighbor(last, Port(7)).is_some_and(back));
    }

    /// Whether a symmetric matrix has no negative eigenvalue, by its decomposition after Cholesky.
    fn is_positive(mut matrix: Vec<Vec<f64>>) -> bool {
        for k in 0..matrix.len() {
            let pivot = matrix[k][k];
            if pivot <= 0.0 {
                return false;
            }
            let row = matrix[k].clone();
            for i in k + 1..matrix.len() {
                let factor = row[i] / pivot;
                if factor != 0.0 {
                    matrix[i].iter_mut().zip(&row).skip(k).for_each(|(x, r)| *x -= factor * r);
                }
            }
        }
        true
    }

    /// 4p - A² has no negative eigenvalue where ±(p+1) are taken out of A², and 4p·(1 - ε) - A² does not lack one for a
    /// large ε: every eigenvalue but these two is at most 2√p in absolute value.
    #[test]
    fn eigenvalues_are_those_of_ramanujan_graphs() {
        for (p, q) in [(3, 5), (3, 7), (5, 7), (11, 7), (7, 11), (23, 11)] {
            let fly = SpectralFly::new(p, q);
            let n = usize::try_from(Network::order(&fly)).unwrap();
            let two_steps = |at: usize| {
                let mut row = vec![0.0; n];
                fly.for_each_neighbor(Node(at as u64), &mut |_, to| {
                    fly.for_each_neighbor(to, &mut |_, end| {
                        row[usize::try_from(end.0).unwrap()] += 1.0
                    });
                });
                row
            };
            let side: Vec<f64> = distances_from(&fly, Node(0))
                .into_iter()
                .map(|distance| if distance % 2 == 0 { 1.0 } else { -1.0 })
                .collect();
            let bipartite = fly.squares.m == q - 1;
            let degree = (p + 1) as f64;
            let rest = |bound: f64| -> Vec<Vec<f64>> {
                let row = |i: usize| {
                    let steps = two_steps(i).into_iter().enumerate();
                    let entry = |(j, steps): (usize, f64)| {
                        let trivial = if bipartite { 1.0 + side[i] * side[j] } else { 1.0 };
                        let all = degree * degree / n as f64 * trivial - steps;
                        if i == j { bound + all } else { all }
                    };
                    steps.map(entry).collect()
                };
                (0..n).map(row).collect()
            };
            let bound = 4.0 * p as f64;
            assert!(is_positive(rest(bound * (1.0 + 1e-9))), "({p}, {q})");
            assert!(!is_positive(rest(bound * 0.3)), "({p}, {q}): nothing was tested");
        }
    }
}
