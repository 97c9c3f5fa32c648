//! The least and the largest eigenvalue of a symmetric tridiagonal matrix, and their vectors.

/// A symmetric tridiagonal matrix.
#[derive(Clone, Debug, Default)]
pub struct Tridiagonal {
    pub diagonal: Vec<f64>,
    /// Beside the diagonal; one entry less.
    pub beside: Vec<f64>,
}

/// Which end of the spectrum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Least,
    Largest,
}

impl Tridiagonal {
    /// An interval that holds all eigenvalues (S. Gershgorin).
    fn interval(&self) -> (f64, f64) {
        let beside = |i: usize| self.beside.get(i).copied().unwrap_or(0.0).abs();
        let rows = self.diagonal.iter().enumerate().map(|(i, &d)| {
            let radius = beside(i) + if i > 0 { beside(i - 1) } else { 0.0 };
            (d - radius, d + radius)
        });
        rows.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), (l, h)| {
            (low.min(l), high.max(h))
        })
    }

    /// How many eigenvalues lie below `x`: the negative pivots of the matrix less x (J. J. Sylvester).
    fn below(&self, x: f64) -> usize {
        let mut pivot = 1.0;
        let mut count = 0;
        for (i, &d) in self.diagonal.iter().enumerate() {
            let b = if i > 0 { self.beside[i - 1] } else { 0.0 };
            pivot = d - x - b * b / pivot;
            if pivot == 0.0 {
                pivot = f64::MIN_POSITIVE;
            }
            count += usize::from(pivot < 0.0);
        }
        count
    }

    /// One end of the spectrum, by halving an interval until it cannot be halved.
    ///
    /// `before` is the same end of a smaller matrix that this one continues: the ends of a larger one lie further out.
    pub fn eigenvalue(&self, end: End, before: Option<f64>) -> f64 {
        let (mut low, mut high) = self.interval();
        let wanted = match end {
            End::Least => 1,
            End::Largest => self.diagonal.len(),
        };
        let is_below = |x: f64| self.below(x) >= wanted;
        if let Some(before) = before {
            // Outward in growing steps, until it is passed.
            let mut step = (high - low) * 1e-12;
            match end {
                End::Least => {
                    high = high.min(before + step);
                    while high - step > low && is_below(high - step) {
                        (high, step) = (high - step, step * 16.0);
                    }
                    low = low.max(high - step);
                }
                End::Largest => {
                    low = low.max(before - step);
                    while low + step < high && !is_below(low + step) {
                        (low, step) = (low + step, step * 16.0);
                    }
                    high = high.min(low + step);
                }
            }
        }
        loop {
            let middle = low + (high - low) / 2.0;
            let can_be_halved = low < middle && middle < high;
            if !can_be_halved {
                return middle;
            }
            if is_below(middle) {
                high = middle;
            } else {
                low = middle;
            }
        }
    }

    /// A unit vector for an eigenvalue, by inverse iteration.
    pub fn vector(&self, eigenvalue: f64) -> Vec<f64> {
        let mut vector = vec![1.0; self.diagonal.len()];
        for _ in 0..3 {
            self.solve(eigenvalue, &mut vector);
            let norm = vector.iter().map(|x| x * x).sum::<f64>().sqrt();
            vector.iter_mut().for_each(|x| *x /= norm);
        }
        vector
    }

    /// Solves (matrix less `x`) · result = `right`, by elimination with exchange of rows.
    fn solve(&self, x: f64, right: &mut [f64]) {
        let n = right.len();
        let (low, high) = self.interval();
        // In place of a pivot that rounding made 0.
        let tiny = (low.abs().max(high.abs()) * f64::EPSILON).max(1e-140);
        // After elimination each row has three entries: on the diagonal and two to its right.
        let mut rows: Vec<[f64; 3]> = Vec::with_capacity(n);
        let mut current = [self.diagonal[0] - x, self.beside.first().copied().unwrap_or(0.0), 0.0];
        for i in 1..n {
            let next = [
                self.beside[i - 1],
                self.diagonal[i] - x,
                self.beside.get(i).copied().unwrap_or(0.0),
            ];
            let (pivot, other) = if next[0].abs() > current[0].abs() {
                right.swap(i - 1, i);
                (next, current)
            } else {
                (current, next)
            };
            let safe = if pivot[0].abs() < tiny { tiny } else { pivot[0] };
            let factor = other[0] / safe;
            right[i] -= factor * right[i - 1];
            rows.push([safe, pivot[1], pivot[2]]);
            current = [other[1] - factor * pivot[1], other[2] - factor * pivot[2], 0.0];
        }
        rows.push([if current[0].abs() < tiny { tiny } else { current[0] }, 0.0, 0.0]);
        for i in (0..n).rev() {
            let at = |j: usize| right.get(j).copied().unwrap_or(0.0);
            right[i] = (right[i] - rows[i][1] * at(i + 1) - rows[i][2] * at(i + 2)) / rows[i][0];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_path() {
        // The adjacency of a path of n nodes: 2·cos(π·k/(n+1)).
        let path = Tridiagonal { diagonal: vec![0.0; 9], beside: vec![1.0; 8] };
        let largest = 2.0 * (std::f64::consts::PI / 10.0).cos();
        assert!((path.eigenvalue(End::Largest, None) - largest).abs() < 1e-14);
        assert!((path.eigenvalue(End::Least, None) + largest).abs() < 1e-14);
        let one = Tridiagonal { diagonal: vec![7.0], beside: vec![] };
        assert_eq!(one.eigenvalue(End::Least, None), 7.0);
    }

    proptest! {
        #![proptest_config(nestnet_seed::config())]

        #[test]
        fn vectors_are_eigenvectors(entries in proptest::collection::vec(-9.0f64..9.0, 1..60)) {
            let half = entries.len() / 2;
            let matrix = Tridiagonal {
                diagonal: entries[half..].to_vec(),
                beside: entries[..entries.len() - half - 1].to_vec(),
            };
            for end in [End::Least, End::Largest] {
                let value = matrix.eigenvalue(end, None);
                // Knowing an end of a smaller matrix changes nothing.
                let fewer = (half / 2).max(1).min(matrix.diagonal.len());
                let smaller = Tridiagonal {
                    diagonal: matrix.diagonal[..fewer].to_vec(),
                    beside: matrix.beside[..fewer - 1].to_vec(),
                };
                let known = matrix.eigenvalue(end, Some(smaller.eigenvalue(end, None)));
                prop_assert!((known - value).abs() < 1e-12, "{} and {}", known, value);
                let vector = matrix.vector(value);
                let at = |i: usize| vector.get(i).copied().unwrap_or(0.0);
                for i in 0..vector.len() {
                    let left = if i > 0 { matrix.beside[i - 1] * at(i - 1) } else { 0.0 };
                    let right = matrix.beside.get(i).map_or(0.0, |b| b * at(i + 1));
                    let image = left + matrix.diagonal[i] * at(i) + right;
                    prop_assert!((image - value * at(i)).abs() < 1e-9);
                }
                // No Rayleigh quotient lies beyond: each diagonal entry is one.
                for &d in &matrix.diagonal {
                    let beyond = if end == End::Least { value - d } else { d - value };
                    prop_assert!(beyond < 1e-9);
                }
            }
        }
    }
}
