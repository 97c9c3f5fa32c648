//! Both ends of the spectrum of a large symmetric matrix that is known by what it does to vectors.
//!
//! C. Lanczos, 1950. Only three vectors are held: the basis is not kept orthogonal, which brings copies of eigenvalues
//! that are already found but no wrong ones, and vectors, where they are wanted, are made in a second run that repeats
//! the first to the bit. Sums are taken in blocks of fixed size, so nothing depends on the number of threads.

use super::super::{Interrupted, Watch, splitmix64};
use super::tridiagonal::{End, Tridiagonal};
use rayon::prelude::*;

/// An eigenvalue, and how sure it is.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Eigenvalue {
    /// The value.
    pub value: f64,
    /// The length of what the matrix makes of a unit vector, less `value` times it: an eigenvalue lies within this.
    /// The value itself is closer still, by about the square of it.
    pub residual: f64,
}

impl Eigenvalue {
    pub(super) const ZERO: Eigenvalue = Eigenvalue { value: 0.0, residual: 0.0 };
}

/// What a matrix does: writes some entries of its product with the first vector, from the given one on.
pub type Apply<'a> = &'a (dyn Fn(&[f64], usize, &mut [f64]) + Sync);

/// An eigenvalue with a unit vector, if one is wanted.
#[derive(Clone, Debug)]
pub struct Pair {
    pub eigenvalue: Eigenvalue,
    pub vector: Vec<f64>,
}

/// Where the search for eigenvalues takes place.
pub struct Problem<'a> {
    pub order: usize,
    pub apply: Apply<'a>,
    /// Which start to take. What is omitted must not come from the same: it would be all of its eigenspace that the
    /// start sees.
    pub start: u64,
    /// Unit eigenvectors that are excluded: the answer is for what is orthogonal to them.
    pub without: &'a [Vec<f64>],
    /// Which ends are wanted.
    pub ends: &'a [End],
    pub want: Want,
    /// Steps after which the best found is given.
    pub max_steps: usize,
}

/// What is wanted of each end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Want {
    /// The value, with the residual as the small matrix tells it; the vectors are empty.
    Values,
    /// The vector too, which takes as long again, and the residual as the large matrix tells it.
    Vectors,
}

/// Elements that are summed one after the other.
const BLOCK: usize = 1 << 12;

/// Shorter vectors are not worth the waking of a thread.
const PARALLEL: usize = 1 << 15;

/// The wanted ends of the spectrum, each with its residual; empty if nothing is left to be searched.
pub fn ends(problem: &Problem<'_>, watch: &Watch<'_>) -> Result<Vec<Pair>, Interrupted> {
    let Some(mut basis) = Basis::start(problem) else { return Ok(Vec::new()) };
    let mut matrix = Tridiagonal::default();
    let mut next_check = 16;
    let mut last_values: Vec<Option<f64>> = vec![None; problem.ends.len()];
    let (found, beside) = loop {
        watch.check()?;
        let (on, beside) = basis.step(problem);
        matrix.diagonal.push(on);
        let steps = matrix.diagonal.len();
        let last = basis.is_exhausted(beside) || steps >= problem.max_steps;
        if last || steps == next_check {
            next_check = steps + (steps / 6).max(8);
            let mut found: Vec<(f64, Vec<f64>)> = Vec::new();
            for (&end, last_value) in problem.ends.iter().zip(&mut last_values) {
                let value = matrix.eigenvalue(end, *last_value);
                *last_value = Some(value);
                found.push((value, matrix.vector(value)));
            }
            let good = |(value, vector): &(f64, Vec<f64>)| {
                // Six digits, and more where the value is not small.
                residual(beside, vector) <= 1e-7 * value.abs().min(1.0) + 1e-13 * basis.scale
            };
            if last || found.iter().all(good) {
                break (found, beside);
            }
        }
        matrix.beside.push(beside);
    };
    if problem.want == Want::Values {
        let pair = |(value, of): (f64, Vec<f64>)| Pair {
            eigenvalue: Eigenvalue { value, residual: residual(beside, &of) },
            vector: Vec::new(),
        };
        return Ok(found.into_iter().map(pair).collect());
    }
    // The second run.
    let mut basis = Basis::start(problem).expect("as in the first run");
    let mut vectors = vec![vec![0.0; problem.order]; found.len()];
    for step in 0..matrix.diagonal.len() {
        watch.check()?;
        for ((_, of), vector) in found.iter().zip(&mut vectors) {
            add(vector, of[step], &basis.vector);
        }
        basis.step(problem);
    }
    Ok(vectors.into_iter().map(|vector| judged(problem, vector)).collect())
}

/// By how much a vector of the small matrix misses as one of the large: what leads out of the basis.
fn residual(beside: f64, vector: &[f64]) -> f64 {
    beside * vector.last().copied().unwrap_or(0.0).abs()
}

/// A vector made a unit vector, with the eigenvalue that it is nearest to and by how much it misses.
fn judged(problem: &Problem<'_>, mut vector: Vec<f64>) -> Pair {
    clear(&mut vector, problem.without);
    let norm = dot(&vector, &vector).sqrt();
    scale_by(&mut vector, 1.0 / norm);
    let mut image = vec![0.0; vector.len()];
    each_block(&mut image, |first, block| {
        (problem.apply)(&vector, first, block);
        0.0
    });
    let value = dot(&vector, &image);
    add(&mut image, -value, &vector);
    let residual = dot(&image, &image).sqrt();
    Pair { eigenvalue: Eigenvalue { value, residual }, vector }
}

/// The last two vectors of the basis.
struct Basis {
    vector: Vec<f64>,
    before: Vec<f64>,
    /// What joins the two.
    beside: f64,
    image: Vec<f64>,
    /// The largest entry of the small matrix so far.
    scale: f64,
}

impl Basis {
    /// A fixed vector without pattern; `None` if nothing is orthogonal to what is omitted.
    fn start(problem: &Problem<'_>) -> Option<Self> {
        let n = problem.order;
        let entry = |i: usize| {
            let dice = splitmix64(splitmix64(problem.start) ^ i as u64);
            (dice >> 11) as f64 / (1u64 << 53) as f64 - 0.5
        };
        let mut vector: Vec<f64> = (0..n).map(entry).collect();
        // Twice, because the first time leaves rounding errors of the size of what it took away.
        clear(&mut vector, problem.without);
        clear(&mut vector, problem.without);
        let norm = dot(&vector, &vector).sqrt();
        if n <= problem.without.len() || norm < 1e-12 {
            return None;
        }
        scale_by(&mut vector, 1.0 / norm);
        let zeros = vec![0.0; n];
        Some(Basis { vector, before: zeros.clone(), beside: 0.0, image: zeros, scale: 0.0 })
    }

    /// One step: the entry on the diagonal of the small matrix, and the one beside it.
    ///
    /// Each block is read as seldom as can be: memory is what takes the time.
    fn step(&mut self, problem: &Problem<'_>) -> (f64, f64) {
        let (vector, before, joint) = (&self.vector, &self.before, self.beside);
        let on = each_block(&mut self.image, |first, image| {
            (problem.apply)(vector, first, image);
            add_block(image, -joint, &before[first..]);
            dot_block(&vector[first..], image)
        });
        let mut square = each_block(&mut self.image, |first, image| {
            add_block(image, -on, &vector[first..]);
            dot_block(image, image)
        });
        if !problem.without.is_empty() {
            clear(&mut self.image, problem.without);
            square = dot(&self.image, &self.image);
        }
        let beside = square.sqrt();
        self.scale = self.scale.max(on.abs()).max(beside);
        if !self.is_exhausted(beside) {
            scale_by(&mut self.image, 1.0 / beside);
        }
        std::mem::swap(&mut self.before, &mut self.vector);
        std::mem::swap(&mut self.vector, &mut self.image);
        self.beside = beside;
        (on, beside)
    }

    /// Whether the basis holds all that the matrix can make of it.
    fn is_exhausted(&self, beside: f64) -> bool {
        beside <= 1e-11 * self.scale
    }
}

/// Works on a vector block by block, on all threads if it is long, and sums what the blocks give in their order: the
/// same to the bit for any number of threads.
fn each_block(vector: &mut [f64], work: impl Fn(usize, &mut [f64]) -> f64 + Sync) -> f64 {
    if vector.len() < PARALLEL {
        return vector.chunks_mut(BLOCK).enumerate().map(|(i, block)| work(i * BLOCK, block)).sum();
    }
    let blocks = vector.par_chunks_mut(BLOCK).enumerate();
    let sums: Vec<f64> = blocks.map(|(i, block)| work(i * BLOCK, block)).collect();
    sums.into_iter().sum()
}

/// Takes away what lies along unit vectors.
fn clear(vector: &mut [f64], along: &[Vec<f64>]) {
    for unit in along {
        let part = dot(vector, unit);
        add(vector, -part, unit);
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    let blocks = a.chunks(BLOCK).zip(b.chunks(BLOCK));
    if a.len() < PARALLEL {
        return blocks.map(|(a, b)| dot_block(a, b)).sum();
    }
    let blocks = a.par_chunks(BLOCK).zip(b.par_chunks(BLOCK));
    let sums: Vec<f64> = blocks.map(|(a, b)| dot_block(a, b)).collect();
    sums.into_iter().sum()
}

fn add(to: &mut [f64], factor: f64, what: &[f64]) {
    each_block(to, |first, block| {
        add_block(block, factor, &what[first..]);
        0.0
    });
}

fn scale_by(vector: &mut [f64], factor: f64) {
    each_block(vector, |_, block| {
        block.iter_mut().for_each(|x| *x *= factor);
        0.0
    });
}

/// Adds a multiple of as many entries as there are.
fn add_block(to: &mut [f64], factor: f64, what: &[f64]) {
    to.iter_mut().zip(what).for_each(|(t, w)| *t += factor * w);
}

/// The product of as many entries as the shorter one has, in eight independent sums.
fn dot_block(a: &[f64], b: &[f64]) -> f64 {
    const LANES: usize = 8;
    let length = a.len().min(b.len());
    let (a, b) = (&a[..length], &b[..length]);
    let mut sums = [0.0; LANES];
    let (a, b) = (a.chunks_exact(LANES), b.chunks_exact(LANES));
    let rest: f64 = a.remainder().iter().zip(b.remainder()).map(|(a, b)| a * b).sum();
    for (a, b) in a.zip(b) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum += a * b;
        }
    }
    sums.iter().sum::<f64>() + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// A start without pattern is nearly orthogonal to what the eye sees at once, and another one to it.
    #[test]
    fn starts_have_no_pattern() {
        let nothing = |_: &[f64], _: usize, _: &mut [f64]| ();
        let start = |start: u64| {
            let ends = &[End::Least];
            let (want, max_steps) = (Want::Values, 1);
            let apply = &nothing;
            let problem =
                Problem { order: 4096, apply, start, without: &[], ends, want, max_steps };
            Basis::start(&problem).unwrap().vector
        };
        let (one, other) = (start(1), start(2));
        // Of a unit vector at random all of these are about 1/64, and by pattern about 1.
        let flat = vec![1.0 / 64.0; 4096];
        let waving: Vec<f64> =
            (0..4096).map(|i| if i % 2 == 0 { 1.0 } else { -1.0 } / 64.0).collect();
        assert!((dot(&one, &one) - 1.0).abs() < 1e-12);
        for (a, b) in [(&one, &flat), (&one, &waving), (&other, &flat), (&one, &other)] {
            assert!(dot(a, b).abs() < 5.0 / 64.0, "{}", dot(a, b));
        }
    }

    /// It looks often enough whether it is done, and takes less than a third of its steps for nothing.
    #[test]
    fn it_ends_soon_after_it_could() {
        let applied = AtomicUsize::new(0);
        // The eigenvalues are 0, 1/3000, … 2999/3000: the largest is hard to tell from the next.
        let diagonal = |x: &[f64], first: usize, y: &mut [f64]| {
            applied.fetch_add(1, Ordering::Relaxed);
            (first..).zip(y).for_each(|(at, y)| *y = x[at] * at as f64 / 3000.0);
        };
        let run = |max_steps: usize| {
            applied.store(0, Ordering::Relaxed);
            let (ends_wanted, want) = (&[End::Largest], Want::Values);
            let problem = Problem {
                order: 3000,
                apply: &diagonal,
                start: 1,
                without: &[],
                ends: ends_wanted,
                want,
                max_steps,
            };
            let found = ends(&problem, &Watch::SILENT).unwrap().remove(0).eigenvalue;
            (found, applied.load(Ordering::Relaxed))
        };
        let (found, steps) = run(10_000);
        assert!((found.value - 2999.0 / 3000.0).abs() < 1e-9 && found.residual < 1e-7, "{found:?}");
        let before = run(steps * 2 / 3).0;
        assert!(before.residual > 1e-7, "{steps} steps, and two thirds were enough: {before:?}");
    }
}
