//! How well does it hold together, by its eigenvalues?
//!
//! λ₂ of the Laplacian (degrees on the diagonal, -1 for each link): 0 exactly where the network is not connected, and
//! every half is joined to the other by at least λ₂·n/4 links. The eigenvalues λ₁ ≥ λ₂ ≥ … ≥ λₙ of the adjacency
//! matrix: the *spectral gap* is λ₁ - λ₂.

mod lanczos;
mod tridiagonal;

use super::structure::components;
use super::{Interrupted, Watch, count, nodes};
use crate::Csr;
use lanczos::{Pair, Problem, Want, ends};
use tridiagonal::End;

pub use lanczos::Eigenvalue;

/// Eigenvalues of the Laplacian and of the adjacency matrix.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Spectrum {
    /// The second least eigenvalue of the Laplacian.
    pub lambda2: Eigenvalue,
    /// A unit vector for it, whose signs suggest a cut; empty where the network is not connected.
    pub vector: Vec<f64>,
    /// The largest eigenvalue of the adjacency matrix.
    pub first: Eigenvalue,
    /// The second largest; as large as the first where that occurs twice.
    pub second: Eigenvalue,
    /// The least.
    pub last: Eigenvalue,
}

impl Spectrum {
    /// λ₁ - λ₂ of the adjacency matrix.
    pub fn spectral_gap(&self) -> f64 {
        (self.first.value - self.second.value).max(0.0)
    }

    /// λ₁ - max(|λ₂|, |λₙ|): how much faster than all others the largest eigenvalue grows. 0 if it is bipartite.
    pub fn absolute_gap(&self) -> f64 {
        let others = self.second.value.abs().max(self.last.value.abs());
        (self.first.value - others).max(0.0)
    }

    /// A value that λ₂ of the Laplacian is not below, as far as the residual tells.
    pub fn lambda2_at_least(&self) -> f64 {
        (self.lambda2.value - self.lambda2.residual).max(0.0)
    }

    /// The nodes with the larger half of the entries of the vector: a side to begin with. `None` if it is not connected.
    pub fn side(&self) -> Option<Vec<bool>> {
        let mut order: Vec<usize> = (0..self.vector.len()).collect();
        order.sort_by(|&a, &b| self.vector[a].total_cmp(&self.vector[b]).then(a.cmp(&b)));
        let mut side = vec![false; order.len()];
        order[order.len() / 2..].iter().for_each(|&v| side[v] = true);
        (!side.is_empty()).then_some(side)
    }
}

/// Steps after which the best found is given.
const MAX_STEPS: usize = 50_000;

/// The spectrum to about six digits; `None` with fewer than two nodes.
///
/// Steps of O(nodes + links), about as many as the square root of the largest eigenvalue over the wanted one, times
/// ten; after 50,000 the best found is given, with its residual. Whether there is a smaller eigenvalue than the one
/// found is not proven by the residual; the start has no pattern, so that none is overlooked.
///
/// ```
/// use nestnet_graph::Csr;
/// use nestnet_graph::Watch;
/// use nestnet_graph::measure::spectrum::spectrum;
///
/// let ring = Csr::from_links(5, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)], 1 << 20)?;
/// let found = spectrum(&ring, &Watch::SILENT)?.unwrap();
/// let exact = 2.0 - 2.0 * (std::f64::consts::TAU / 5.0).cos();
/// assert!((found.lambda2.value - exact).abs() < 1e-5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn spectrum(csr: &Csr, watch: &Watch<'_>) -> Result<Option<Spectrum>, Interrupted> {
    if count(csr) < 2 {
        return Ok(None);
    }
    let connected = components(csr).connected();
    let regular = regular_degree(csr).filter(|_| connected);
    let both: &[End] = if regular.is_some() { &[End::Least, End::Largest] } else { &[End::Least] };
    let mut found =
        if connected { of_laplacian(csr, both, Want::Vectors, watch)? } else { Vec::new() };
    if let Some(degree) = regular {
        // The adjacency matrix is the degree less the Laplacian.
        let flip = |of: Eigenvalue| Eigenvalue { value: degree - of.value, ..of };
        let largest = found.pop().map_or(Eigenvalue::ZERO, |pair| pair.eigenvalue);
        let least = found.pop().expect("a connected network of two nodes");
        return Ok(Some(Spectrum {
            lambda2: least.eigenvalue,
            vector: least.vector,
            first: Eigenvalue { value: degree, residual: 0.0 },
            second: flip(least.eigenvalue),
            last: flip(largest),
        }));
    }
    let ends = [End::Largest, End::Least];
    let [first, second, last] = of_adjacency(csr, &ends, Want::Vectors, watch)?[..] else {
        unreachable!("three ends were asked for")
    };
    let (lambda2, vector) = match found.pop() {
        Some(Pair { eigenvalue, vector }) => (eigenvalue, vector),
        None => (Eigenvalue::ZERO, Vec::new()),
    };
    Ok(Some(Spectrum { lambda2, vector, first, second, last }))
}

/// The second least eigenvalue of the Laplacian alone, as [`spectrum`] finds it in half the time; `None` with fewer
/// than two nodes.
pub fn lambda2(csr: &Csr, watch: &Watch<'_>) -> Result<Option<Eigenvalue>, Interrupted> {
    if count(csr) < 2 {
        return Ok(None);
    }
    if !components(csr).connected() {
        return Ok(Some(Eigenvalue::ZERO));
    }
    let found = of_laplacian(csr, &[End::Least], Want::Values, watch)?.pop();
    Ok(found.map(|pair| pair.eigenvalue))
}

/// λ₁ - λ₂ of the adjacency matrix alone; `None` with fewer than two nodes.
pub fn spectral_gap(csr: &Csr, watch: &Watch<'_>) -> Result<Option<f64>, Interrupted> {
    if count(csr) < 2 {
        return Ok(None);
    }
    if regular_degree(csr).is_some() {
        // The adjacency matrix is the degree less the Laplacian.
        return Ok(lambda2(csr, watch)?.map(|least| least.value.max(0.0)));
    }
    let found = of_adjacency(csr, &[End::Largest], Want::Values, watch)?;
    Ok(Some((found[0].value - found[1].value).max(0.0)))
}

/// The degree of every node, if it is the same.
fn regular_degree(csr: &Csr) -> Option<f64> {
    let degree = csr.neighbors(0).len();
    nodes(csr).all(|v| csr.neighbors(v).len() == degree).then_some(degree as f64)
}

/// Ends of the spectrum of the Laplacian of a connected network, 0 omitted.
fn of_laplacian(
    csr: &Csr,
    wanted: &[End],
    want: Want,
    watch: &Watch<'_>,
) -> Result<Vec<Pair>, Interrupted> {
    let order = count(csr);
    let flat = [vec![(order as f64).sqrt().recip(); order]];
    let laplacian = |x: &[f64], first: usize, y: &mut [f64]| {
        multiply(csr, x, first, y, |degree, at, sum| degree as f64 * at - sum);
    };
    let (start, max_steps) = (1, MAX_STEPS);
    let apply = &laplacian;
    ends(&Problem { order, apply, start, without: &flat, ends: wanted, want, max_steps }, watch)
}

/// The largest eigenvalue of the adjacency matrix, and ends of the spectrum without it.
fn of_adjacency(
    csr: &Csr,
    wanted: &[End],
    want: Want,
    watch: &Watch<'_>,
) -> Result<Vec<Eigenvalue>, Interrupted> {
    let adjacency = |x: &[f64], first: usize, y: &mut [f64]| {
        multiply(csr, x, first, y, |_, _, sum| sum);
    };
    let top = Problem {
        order: count(csr),
        apply: &adjacency,
        start: 2,
        without: &[],
        ends: &[End::Largest],
        want: Want::Vectors,
        max_steps: MAX_STEPS,
    };
    let first = ends(&top, watch)?.pop().expect("a network of two nodes");
    let without = [first.vector];
    let rest = Problem { start: 3, without: &without, ends: wanted, want, ..top };
    let rest = ends(&rest, watch)?.into_iter().map(|pair| pair.eigenvalue);
    Ok([first.eigenvalue].into_iter().chain(rest).collect())
}

/// For some nodes from `first` on, something of the degree, the entry and the sum over the neighbors.
fn multiply(
    csr: &Csr,
    x: &[f64],
    first: usize,
    y: &mut [f64],
    of: impl Fn(usize, f64, f64) -> f64,
) {
    for (v, y) in (first..).zip(y) {
        let neighbors = csr.neighbors(super::id(v));
        *y = of(neighbors.len(), x[v], neighbors.iter().map(|&to| x[to as usize]).sum());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::bisection::{Search, bisection, check_cut, spectral_bound};
    use crate::samples::*;
    use proptest::prelude::*;

    fn of(csr: &Csr) -> Spectrum {
        spectrum(csr, &Watch::SILENT).unwrap().unwrap()
    }

    /// The reference: all eigenvalues of a small matrix, ascending, by rotations (C. G. J. Jacobi).
    fn by_rotations(mut matrix: Vec<Vec<f64>>) -> Vec<f64> {
        let n = matrix.len();
        for _ in 0..60 {
            for p in 0..n {
                for q in p + 1..n {
                    if matrix[p][q].abs() < 1e-300 {
                        continue;
                    }
                    let theta = (matrix[q][q] - matrix[p][p]) / (2.0 * matrix[p][q]);
                    let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
                    let t = if theta == 0.0 { 1.0 } else { t };
                    let c = 1.0 / (t * t + 1.0).sqrt();
                    let s = t * c;
                    for row in &mut matrix {
                        let (a, b) = (row[p], row[q]);
                        (row[p], row[q]) = (c * a - s * b, s * a + c * b);
                    }
                    let (above, below) = matrix.split_at_mut(q);
                    for (a, b) in above[p].iter_mut().zip(&mut below[0]) {
                        (*a, *b) = (c * *a - s * *b, s * *a + c * *b);
                    }
                }
            }
        }
        let mut values: Vec<f64> = (0..n).map(|i| matrix[i][i]).collect();
        values.sort_by(f64::total_cmp);
        values
    }

    fn dense(csr: &Csr, entry: impl Fn(u32, u32) -> f64) -> Vec<Vec<f64>> {
        nodes(csr).map(|a| nodes(csr).map(|b| entry(a, b)).collect()).collect()
    }

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-7
    }

    #[test]
    fn known_spectra() {
        let answer = of(&petersen());
        assert!(near(answer.lambda2.value, 2.0));
        assert!(near(answer.first.value, 3.0) && near(answer.second.value, 1.0));
        assert!(near(answer.last.value, -2.0) && near(answer.absolute_gap(), 1.0));
        let answer = of(&cube(8));
        assert!(near(answer.lambda2.value, 2.0) && near(answer.last.value, -8.0));
        assert!(near(answer.spectral_gap(), 2.0) && near(answer.absolute_gap(), 0.0));
        // A star of ten: λ₂ of the Laplacian is 1, the adjacency has ±3 and 0.
        let answer = of(&graph(10, &(1..10).map(|i| (0, i)).collect::<Vec<_>>()));
        assert!(near(answer.lambda2.value, 1.0) && near(answer.first.value, 3.0));
        assert!(near(answer.second.value, 0.0) && near(answer.last.value, -3.0));
        let ring = of(&ring(500));
        let expected = 2.0 - 2.0 * (std::f64::consts::TAU / 500.0).cos();
        assert!((ring.lambda2.value / expected - 1.0).abs() < 1e-6);
        let answer = of(&complete(2));
        assert!(near(answer.lambda2.value, 2.0) && near(answer.second.value, -1.0));
        assert_eq!(spectrum(&path(1), &Watch::SILENT), Ok(None));
    }

    #[test]
    fn not_connected() {
        let answer = of(&two_cliques(4, 0));
        assert_eq!(answer.lambda2, Eigenvalue::ZERO);
        assert!(near(answer.spectral_gap(), 0.0) && near(answer.first.value, 3.0), "{answer:?}");
        assert_eq!(answer.side(), None);
        let answer = of(&graph(3, &[]));
        assert_eq!((answer.lambda2.value, answer.spectral_gap()), (0.0, 0.0));
    }

    #[test]
    fn its_side_is_a_half() {
        let csr = torus(4, 30);
        let side = of(&csr).side().unwrap();
        let cut = check_cut(&csr, &side).unwrap();
        assert!(cut.balanced && cut.links < 40, "{cut:?}");
    }

    #[test]
    fn threads_do_not_change_a_bit() {
        // More nodes than are worth a thread.
        let csr = torus(182, 182);
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| of(&csr))
        };
        assert_eq!(run(1), run(3));
        let watch = Watch { stop: &|| true, ..Watch::SILENT };
        assert_eq!(spectrum(&csr, &watch), Err(Interrupted));
    }

    proptest! {
        #![proptest_config(nestnet_seed::config())]

        #[test]
        fn equals_its_reference(csr in any_multigraph(14)) {
            prop_assume!(count(&csr) > 1);
            let answer = of(&csr);
            let linked = |a: u32, b: u32| csr.neighbors(a).iter().filter(|&&to| to == b).count() as f64;
            let degree = |a: u32| csr.neighbors(a).len() as f64;
            let laplacian = by_rotations(dense(&csr, |a, b| {
                if a == b { degree(a) } else { -linked(a, b) }
            }));
            let adjacency = by_rotations(dense(&csr, linked));
            let n = adjacency.len();
            prop_assert!(near(answer.lambda2.value, laplacian[1]), "{answer:?} {laplacian:?}");
            prop_assert!(near(answer.first.value, adjacency[n - 1]));
            prop_assert!(near(answer.second.value, adjacency[n - 2]), "{answer:?} {adjacency:?}");
            prop_assert!(near(answer.last.value, adjacency[0]));
            prop_assert!(answer.lambda2.residual < 1e-6 && answer.second.residual < 1e-6);
            // One number alone takes a shorter path.
            let alone = lambda2(&csr, &Watch::SILENT).unwrap().unwrap();
            prop_assert!(near(alone.value, laplacian[1]) && alone.residual < 1e-6, "{alone:?}");
            let gap = spectral_gap(&csr, &Watch::SILENT).unwrap().unwrap();
            prop_assert!(near(gap, adjacency[n - 1] - adjacency[n - 2]), "{gap} {adjacency:?}");
            // The bound from below holds.
            let width = bisection(&csr, &Search::default(), &Watch::SILENT).high;
            prop_assert!(spectral_bound(n as u64, answer.lambda2_at_least()) <= width);
        }
    }
}
