//! Eigenvalues of a dense symmetric matrix, and the eigenvectors of the negative ones.
//!
//! Householder reduction to a tridiagonal matrix and the implicit QL method (J. H. Wilkinson and C. Reinsch, 1971).
//! O(n³), and the same on every machine: additions, products and square roots in a fixed order.

/// A square matrix, row by row.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    /// How many rows it has.
    pub size: usize,
    entries: Vec<f64>,
}

impl Matrix {
    pub fn zero(size: usize) -> Self {
        Matrix { size, entries: vec![0.0; size * size] }
    }

    pub fn row(&self, i: usize) -> &[f64] {
        &self.entries[i * self.size..][..self.size]
    }

    pub fn row_mut(&mut self, i: usize) -> &mut [f64] {
        &mut self.entries[i * self.size..][..self.size]
    }

    pub fn at(&self, i: usize, j: usize) -> f64 {
        self.entries[i * self.size + j]
    }

    /// Adds to the entry in row `i` and column `j`, and to its mirror image.
    pub fn add(&mut self, i: usize, j: usize, value: f64) {
        self.entries[i * self.size + j] += value;
        if i != j {
            self.entries[j * self.size + i] += value;
        }
    }

    /// The Frobenius norm.
    pub fn norm(&self) -> f64 {
        dot(&self.entries, &self.entries).sqrt()
    }
}

/// The sum of products, in four sums so that a processor can take them together.
pub fn dot(one: &[f64], other: &[f64]) -> f64 {
    let (ones, others) = (one.chunks_exact(4), other.chunks_exact(4));
    let rest = ones.remainder().iter().zip(others.remainder()).map(|(a, b)| a * b);
    let mut sums = [0.0; 4];
    for (a, b) in ones.clone().zip(others.clone()) {
        for lane in 0..4 {
            sums[lane] += a[lane] * b[lane];
        }
    }
    sums.into_iter().sum::<f64>() + rest.sum::<f64>()
}

/// What a symmetric matrix does in each direction.
#[derive(Clone, Debug)]
pub struct Eigen {
    /// In no order.
    pub values: Vec<f64>,
    /// For each negative value its unit vector, in the order of the values.
    pub negative: Vec<(f64, Vec<f64>)>,
}

/// Sweeps for one eigenvalue; two or three are usual.
const MAX_SWEEPS: usize = 60;

/// All eigenvalues and the vectors of the negative ones; `None` if the sweeps do not converge, which no matrix of finite
/// numbers is known to do.
///
/// Backward stable: the values are those of a matrix that differs by a small multiple of n · 2⁻⁵³ · norm.
pub fn eigen(mut matrix: Matrix) -> Option<Eigen> {
    let n = matrix.size;
    let (mut beside, scales) = reduce(&mut matrix);
    let mut values: Vec<f64> = (0..n).map(|i| matrix.at(i, i)).collect();
    let mut vectors = Matrix::zero(n);
    (0..n).for_each(|i| vectors.add(i, i, 1.0));
    for at in 0..n {
        diagonalize(at, &mut values, &mut beside, &mut vectors)?;
    }
    let below = (0..n).filter(|&i| values[i] < 0.0);
    let negative = below.map(|i| {
        let mut vector = vectors.row(i).to_vec();
        for k in (0..n.saturating_sub(2)).rev().filter(|&k| scales[k] != 0.0) {
            let mirror = &matrix.row(k)[k + 1..];
            let scale = scales[k] * dot(mirror, &vector[k + 1..]);
            vector[k + 1..].iter_mut().zip(mirror).for_each(|(x, v)| *x -= scale * v);
        }
        (values[i], vector)
    });
    let negative = negative.collect();
    Some(Eigen { values, negative })
}

/// Leaves a tridiagonal matrix: its diagonal in place, what is beside it as the first result, and in each row beyond
/// these the vector of the reflection, with the factors as the second.
fn reduce(matrix: &mut Matrix) -> (Vec<f64>, Vec<f64>) {
    let n = matrix.size;
    let (mut beside, mut scales, mut image) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
    for k in 0..n.saturating_sub(2) {
        let (head, tail) = matrix.entries.split_at_mut((k + 1) * n);
        let mirror = &mut head[k * n + k + 1..];
        let first = mirror[0];
        let rest = dot(&mirror[1..], &mirror[1..]);
        if rest < f64::MIN_POSITIVE {
            beside[k] = first;
            continue;
        }
        let norm = (first * first + rest).sqrt();
        beside[k] = if first > 0.0 { -norm } else { norm };
        mirror[0] = first - beside[k];
        let scale = 2.0 / (rest + mirror[0] * mirror[0]);
        scales[k] = scale;
        let image = &mut image[k + 1..];
        for (value, row) in image.iter_mut().zip(tail.chunks_exact(n)) {
            *value = scale * dot(&row[k + 1..], mirror);
        }
        let along = 0.5 * scale * dot(image, mirror);
        image.iter_mut().zip(&*mirror).for_each(|(value, v)| *value -= along * v);
        for (i, row) in tail.chunks_exact_mut(n).enumerate() {
            let (v, p) = (mirror[i], image[i]);
            let both = image.iter().zip(&*mirror);
            row[k + 1..].iter_mut().zip(both).for_each(|(x, (pj, vj))| *x -= v * pj + p * vj);
        }
    }
    if n >= 2 {
        beside[n - 2] = matrix.at(n - 2, n - 1);
    }
    (beside, scales)
}

/// Turns rows of `vectors` until the value at `at` is alone.
fn diagonalize(
    at: usize,
    values: &mut [f64],
    beside: &mut [f64],
    vectors: &mut Matrix,
) -> Option<()> {
    let n = values.len();
    for _ in 0..MAX_SWEEPS {
        let alone = |&i: &usize| {
            let scale = values[i].abs() + values[i + 1].abs();
            beside[i].abs() <= f64::EPSILON * scale
        };
        let end = (at..n - 1).find(alone).unwrap_or(n - 1);
        if end == at {
            return Some(());
        }
        let half = (values[at + 1] - values[at]) / (2.0 * beside[at]);
        let root = (half * half + 1.0).sqrt();
        let mut g =
            values[end] - values[at] + beside[at] / (half + if half >= 0.0 { root } else { -root });
        let (mut sine, mut cosine, mut shift) = (1.0, 1.0, 0.0);
        let mut is_split = false;
        for i in (at..end).rev() {
            let (f, b) = (sine * beside[i], cosine * beside[i]);
            let r = (f * f + g * g).sqrt();
            beside[i + 1] = r;
            if r == 0.0 {
                values[i + 1] -= shift;
                beside[end] = 0.0;
                is_split = true;
                break;
            }
            (sine, cosine) = (f / r, g / r);
            g = values[i + 1] - shift;
            let turned = (values[i] - g) * sine + 2.0 * cosine * b;
            shift = sine * turned;
            values[i + 1] = g + shift;
            g = cosine * turned - b;
            let (low, high) = vectors.entries.split_at_mut((i + 1) * n);
            for (x, y) in low[i * n..].iter_mut().zip(&mut high[..n]) {
                let before = *y;
                *y = sine * *x + cosine * before;
                *x = cosine * *x - sine * before;
            }
        }
        if !is_split {
            values[at] -= shift;
            beside[at] = g;
            beside[end] = 0.0;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn from_rows(rows: &[&[f64]]) -> Matrix {
        Matrix { size: rows.len(), entries: rows.concat() }
    }

    #[test]
    fn known_eigenvalues() {
        for (rows, expected) in [
            (&[&[-2.0][..]][..], &[-2.0][..]),
            (&[&[0.0, 3.0], &[3.0, 0.0]], &[-3.0, 3.0]),
            (&[&[2.0, 0.0, 0.0], &[0.0, 2.0, 0.0], &[0.0, 0.0, -1.0]], &[-1.0, 2.0, 2.0]),
            // The triangle, less the identity.
            (&[&[-1.0, 1.0, 1.0], &[1.0, -1.0, 1.0], &[1.0, 1.0, -1.0]], &[-2.0, -2.0, 1.0]),
        ] {
            let mut values = eigen(from_rows(rows)).unwrap().values;
            values.sort_by(f64::total_cmp);
            let near = values.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12);
            assert!(near && values.len() == expected.len(), "{values:?} for {expected:?}");
        }
    }

    proptest! {
        #![proptest_config(nestnet_seed::config())]

        /// The trace and the norm are kept, and each negative vector is turned into its multiple.
        #[test]
        fn vectors_keep_their_direction(entries in prop::collection::vec(-4i8..5, 1..150)) {
            let size = (1..).take_while(|n| n * n <= entries.len()).last().unwrap();
            let mut matrix = Matrix::zero(size);
            for i in 0..size {
                (0..=i).for_each(|j| matrix.add(i, j, entries[i * size + j].into()));
            }
            let found = eigen(matrix.clone()).unwrap();
            let trace: f64 = (0..size).map(|i| matrix.at(i, i)).sum();
            prop_assert!((found.values.iter().sum::<f64>() - trace).abs() < 1e-9);
            let squares = dot(&found.values, &found.values);
            prop_assert!((squares.sqrt() - matrix.norm()).abs() < 1e-9);
            prop_assert_eq!(
                found.negative.len(),
                found.values.iter().filter(|&&value| value < 0.0).count()
            );
            for (value, vector) in &found.negative {
                prop_assert!((dot(vector, vector) - 1.0).abs() < 1e-9);
                for i in 0..size {
                    let turned = dot(matrix.row(i), vector);
                    prop_assert!((turned - value * vector[i]).abs() < 1e-9);
                }
            }
        }
    }
}
