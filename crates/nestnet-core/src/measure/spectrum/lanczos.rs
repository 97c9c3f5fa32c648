//! Both ends of the spectrum of a large symmetric matrix that is known by what it does to vectors.
//!
//! C. Lanczos, 1950. Only three vectors are held: the basis is not kept orthogonal, which brings copies of eigenvalues
//! that are already found but no wrong ones, and the vectors are made in a second run that repeats the first to the
//! bit. Sums are taken in blocks of fixed size, so nothing depends on the number of threads.

use super::super::{Interrupted, Watch, scramble};
use super::Eigenvalue;
use super::tridiagonal::{End, Tridiagonal};
use rayon::prelude::*;

/// What a matrix does: writes its product with the first vector into the second.
pub type Apply<'a> = &'a (dyn Fn(&[f64], &mut [f64]) + Sync);

/// An eigenvalue with a unit vector.
#[derive(Clone, Debug)]
pub struct Pair {
    pub eigenvalue: Eigenvalue,
    pub vector: Vec<f64>,
}

/// Where the search for eigenvalues takes place.
pub struct Problem<'a> {
    pub order: usize,
    pub apply: Apply<'a>,
    /// Which start to take. What is left out must not come from the same: it would be all of its eigenspace that the
    /// start sees.
    pub start: u64,
    /// Unit eigenvectors that are left out: the answer is for what is orthogonal to them.
    pub without: &'a [Vec<f64>],
    /// Which ends are wanted.
    pub ends: &'a [End],
    /// Steps after which the best found is given.
    pub max_steps: usize,
}

/// Elements that are summed one after the other.
const BLOCK: usize = 1 << 12;

/// The wanted ends of the spectrum, each with its residual; empty if nothing is left to be searched.
pub fn ends(problem: &Problem<'_>, watch: &Watch<'_>) -> Result<Vec<Pair>, Interrupted> {
    let Some(mut basis) = Basis::start(problem) else { return Ok(Vec::new()) };
    let mut matrix = Tridiagonal::default();
    let mut next_check = 8;
    let coefficients = loop {
        watch.check()?;
        let (on, beside) = basis.step(problem);
        matrix.diagonal.push(on);
        let steps = matrix.diagonal.len();
        let last = basis.is_exhausted(beside) || steps >= problem.max_steps;
        if last || steps == next_check {
            next_check = steps + (steps / 8).max(8);
            let found: Vec<(f64, Vec<f64>)> = problem
                .ends
                .iter()
                .map(|&end| {
                    let value = matrix.eigenvalue(end);
                    (value, matrix.vector(value))
                })
                .collect();
            let scale = basis.scale;
            let good = |(value, vector): &(f64, Vec<f64>)| {
                // Six digits, and more where the value is not small.
                let residual = beside * vector.last().copied().unwrap_or(0.0).abs();
                residual <= 1e-7 * value.abs().min(1.0) + 1e-13 * scale
            };
            if last || found.iter().all(good) {
                break found;
            }
        }
        matrix.beside.push(beside);
    };
    // The second run.
    let mut basis = Basis::start(problem).expect("as in the first run");
    let mut vectors = vec![vec![0.0; problem.order]; coefficients.len()];
    for step in 0..matrix.diagonal.len() {
        watch.check()?;
        for ((_, of), vector) in coefficients.iter().zip(&mut vectors) {
            add(vector, of[step], &basis.vector);
        }
        basis.step(problem);
    }
    Ok(vectors.into_iter().map(|vector| judged(problem, vector)).collect())
}

/// A vector made a unit vector, with the eigenvalue that it is nearest to and by how much it misses.
fn judged(problem: &Problem<'_>, mut vector: Vec<f64>) -> Pair {
    clear(&mut vector, problem.without);
    let norm = dot(&vector, &vector).sqrt();
    scale_by(&mut vector, 1.0 / norm);
    let mut image = vec![0.0; vector.len()];
    (problem.apply)(&vector, &mut image);
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
    /// A fixed vector without pattern; `None` if nothing is orthogonal to what is left out.
    fn start(problem: &Problem<'_>) -> Option<Self> {
        let n = problem.order;
        let entry = |i: usize| {
            let dice = scramble(scramble(problem.start) ^ i as u64);
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
    fn step(&mut self, problem: &Problem<'_>) -> (f64, f64) {
        (problem.apply)(&self.vector, &mut self.image);
        add(&mut self.image, -self.beside, &self.before);
        let on = dot(&self.vector, &self.image);
        add(&mut self.image, -on, &self.vector);
        clear(&mut self.image, problem.without);
        let beside = dot(&self.image, &self.image).sqrt();
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

/// Takes away what lies along unit vectors.
fn clear(vector: &mut [f64], along: &[Vec<f64>]) {
    for unit in along {
        let part = dot(vector, unit);
        add(vector, -part, unit);
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    let block = |(a, b): (&[f64], &[f64])| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let blocks = a.par_chunks(BLOCK).zip(b.par_chunks(BLOCK)).map(block);
    blocks.collect::<Vec<f64>>().into_iter().sum()
}

fn add(to: &mut [f64], factor: f64, what: &[f64]) {
    let blocks = to.par_chunks_mut(BLOCK).zip(what.par_chunks(BLOCK));
    blocks.for_each(|(to, what)| to.iter_mut().zip(what).for_each(|(t, w)| *t += factor * w));
}

fn scale_by(vector: &mut [f64], factor: f64) {
    vector.par_chunks_mut(BLOCK).for_each(|block| block.iter_mut().for_each(|x| *x *= factor));
}
