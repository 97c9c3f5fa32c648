//! A lower bound on balanced cuts: the semidefinite relaxation with triangle inequalities.
//!
//! With x = 1 on the one side and -1 on the other, a cut is a quadratic form of x, and X = xxᵀ is positive semidefinite
//! with ones on its diagonal. Any multipliers u of the diagonal and γ ≥ 0 of the triangle inequalities
//! ±X_ij ± X_ik ± X_jk ≥ -1 give a bound: with S the costs, plus diag(u), less the inequalities, on the space
//! orthogonal to the weights, a cut is at least -Σu - Σγ + m · λ_min(S), m the number of nodes. So only the eigenvalue
//! must be right; how the multipliers were found does not matter.
//!
//! They are found by maximizing a smooth lower bound, -Σu - Σγ - ‖S₋‖²/2α - αm²/2, by a quasi-Newton method with
//! decreasing α, and adding the inequalities that are violated most (N. Krislock, J. Malick and F. Roupin, "Improved
//! semidefinite bounding procedure for solving Max-Cut problems to optimality", 2014). About 500 evaluations of O(m³).

use super::eigen::{Matrix, dot, eigen};
use super::work::{OutOfWork, Work};
use std::collections::{HashSet, VecDeque};

/// Minimize `constant` + xᵀ · `costs` · x over x in {1, -1}^m with `weights` · x = 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Quadratic {
    pub constant: f64,
    /// Symmetric, with zeros on its diagonal.
    pub costs: Matrix,
    pub weights: Vec<f64>,
}

/// z_i z_j X_ij + z_i z_k X_ik + z_j z_k X_jk ≥ -1 for three nodes and their signs z.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Triangle {
    nodes: [u16; 3],
    /// Of which node the sign is negative: 3 is none. All signs may be changed at once, so that one is enough.
    flipped: u8,
}

impl Triangle {
    /// Between three different nodes, given by their signs; `None` if two are the same.
    pub fn new(mut ends: [(u16, bool); 3]) -> Option<Self> {
        ends.sort_unstable();
        let nodes = ends.map(|(node, _)| node);
        let flips = ends.iter().filter(|(_, flipped)| *flipped).count();
        // Two negative signs are one, of the third node.
        let odd = ends.iter().position(|&(_, flipped)| flipped == (flips == 1));
        let flipped = if flips % 3 == 0 { None } else { odd };
        let flipped = flipped.and_then(|at| u8::try_from(at).ok()).unwrap_or(3);
        (nodes[0] < nodes[1] && nodes[1] < nodes[2]).then_some(Triangle { nodes, flipped })
    }

    fn ends(self) -> [(u16, bool); 3] {
        [0, 1, 2].map(|at| (self.nodes[usize::from(at)], at == self.flipped))
    }

    /// Its three pairs, each with its sign.
    fn pairs(self) -> [(usize, usize, f64); 3] {
        let [i, j, k] = self.nodes.map(usize::from);
        let sign = |a: u8, b: u8| if self.flipped == a || self.flipped == b { -1.0 } else { 1.0 };
        [(i, j, sign(0, 1)), (i, k, sign(0, 2)), (j, k, sign(1, 2))]
    }

    /// How far it is from being violated.
    fn slack(self, products: &Matrix) -> f64 {
        1.0 + self.pairs().iter().map(|&(i, j, sign)| sign * products.at(i, j)).sum::<f64>()
    }
}

/// What proves a bound, and where the next search for a better one begins.
#[derive(Clone, Debug, Default)]
pub struct Multipliers {
    pub diagonal: Vec<f64>,
    pub triangles: Vec<(Triangle, f64)>,
}

impl Multipliers {
    /// For a problem without any: all row sums are zero.
    pub fn of(quadratic: &Quadratic) -> Self {
        let rows = (0..quadratic.weights.len()).map(|i| quadratic.costs.row(i));
        Multipliers {
            diagonal: rows.map(|row| -row.iter().sum::<f64>()).collect(),
            ..Self::default()
        }
    }

    /// For the problem in which every node is at a new place, perhaps with its sign changed, and some share a place.
    pub fn moved(&self, size: usize, places: &[(u16, bool)]) -> Self {
        let mut diagonal = vec![0.0; size];
        for (&(to, _), value) in places.iter().zip(&self.diagonal) {
            diagonal[usize::from(to)] += value;
        }
        let moved = |&(triangle, value): &(Triangle, f64)| {
            let ends = triangle.ends().map(|(node, flipped)| {
                let (to, turned) = places[usize::from(node)];
                (to, flipped != turned)
            });
            Some((Triangle::new(ends)?, value))
        };
        let mut triangles: Vec<(Triangle, f64)> = self.triangles.iter().filter_map(moved).collect();
        triangles.sort_unstable_by_key(|&(triangle, _)| triangle);
        triangles.dedup_by(|one, kept| {
            let same = one.0 == kept.0;
            if same {
                kept.1 += one.1;
            }
            same
        });
        Multipliers { diagonal, triangles }
    }

    /// About what they take.
    pub fn bytes(&self) -> u64 {
        (8 * self.diagonal.len() + size_of::<(Triangle, f64)>() * self.triangles.len()) as u64
    }
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Relaxed {
    /// No x costs less.
    pub bound: f64,
    /// About what the products x_i x_j are in the relaxation.
    pub products: Matrix,
    /// Whether the search ran out of steps.
    pub stopped: bool,
}

/// The least smoothing, α.
const SMOOTHED: f64 = 1e-5;

/// Inequalities that are added at a time.
const ADDED: usize = 500;

/// Rounds of adding inequalities at most.
const MAX_ROUNDS: usize = 60;

/// Steps of the quasi-Newton method in a round.
const MAX_STEPS: usize = 30;

/// Raises the bound by better multipliers until it is at least `goal`, or until it hardly rises.
///
/// `smoothing` is α at the beginning; `rising` receives the bound after every round.
pub fn maximize(
    quadratic: &Quadratic,
    multipliers: &mut Multipliers,
    goal: f64,
    smoothing: f64,
    work: &mut Work<'_>,
    rising: &mut dyn FnMut(f64),
) -> Relaxed {
    let m = quadratic.weights.len();
    let mut ascent = Ascent { quadratic, alpha: smoothing, best: f64::NEG_INFINITY };
    let mut products = Matrix::zero(m);
    let mut flat = 0;
    let ended = (|| {
        // A uniform shift brings the least eigenvalue to where the smooth bound sees it.
        let first = ascent.at(multipliers, work)?;
        let shift = first.least + ascent.alpha * m as f64 / 4.0;
        multipliers.diagonal.iter_mut().for_each(|value| *value -= shift);
        let mut last = f64::NEG_INFINITY;
        for _ in 0..MAX_ROUNDS {
            products = ascent.climb(multipliers, goal, work)?;
            if ascent.best >= goal {
                return Ok(());
            }
            rising(ascent.best);
            multipliers.triangles.retain(|&(_, value)| value > 1e-7);
            work.spend((m * m * m / 4) as u64)?;
            let violated = violated(&products, &multipliers.triangles);
            let worst = violated.first().map_or(0.0, |&(slack, _)| slack);
            if worst > -0.25 || violated.len() < ADDED {
                ascent.alpha = (ascent.alpha / 2.0).max(SMOOTHED);
            }
            let added = violated.into_iter().map(|(_, triangle)| (triangle, 0.0));
            multipliers.triangles.extend(added);
            // Two rounds that gain little of what is missing, and another branching gains more.
            let gained = ascent.best - last;
            last = ascent.best;
            flat = if ascent.alpha <= 1e-4 && gained < (goal - last) / 10.0 { flat + 1 } else { 0 };
            if flat >= 2 || worst == 0.0 && ascent.alpha <= SMOOTHED {
                break;
            }
        }
        Ok(())
    })();
    let stopped = ended == Err(OutOfWork);
    Relaxed { bound: ascent.best, products, stopped }
}

/// The inequalities that are violated most and not among those known, worst first.
fn violated(products: &Matrix, known: &[(Triangle, f64)]) -> Vec<(f64, Triangle)> {
    /// Less is left to rounding.
    const LEAST: f64 = -0.02;
    let known: HashSet<Triangle> = known.iter().map(|&(triangle, _)| triangle).collect();
    let m = products.size;
    let mut found: Vec<(f64, Triangle)> = Vec::new();
    for i in 0..m {
        let first = products.row(i);
        for j in i + 1..m {
            let (x, second) = (first[j], products.row(j));
            for k in j + 1..m {
                let (y, z) = (first[k], second[k]);
                let all = [1.0 - x - y + z, 1.0 - x + y - z, 1.0 + x - y - z, 1.0 + x + y + z];
                for (flipped, &slack) in (0u8..).zip(&all) {
                    if slack < LEAST {
                        let nodes = [i, j, k].map(|node| u16::try_from(node).unwrap_or(u16::MAX));
                        let triangle = Triangle { nodes, flipped };
                        if !known.contains(&triangle) {
                            found.push((slack, triangle));
                        }
                    }
                }
            }
        }
    }
    let order = |one: &(f64, Triangle), other: &(f64, Triangle)| {
        one.0.total_cmp(&other.0).then(one.1.cmp(&other.1))
    };
    if found.len() > ADDED {
        found.select_nth_unstable_by(ADDED, order);
        found.truncate(ADDED);
    }
    found.sort_unstable_by(order);
    found
}

/// The smooth bound at some multipliers.
struct Point {
    value: f64,
    /// By the diagonal, then by the triangles.
    gradient: Vec<f64>,
    products: Matrix,
    /// The least eigenvalue.
    least: f64,
}

/// A search for better multipliers.
struct Ascent<'a> {
    quadratic: &'a Quadratic,
    alpha: f64,
    /// The best bound of all points, safe against rounding.
    best: f64,
}

impl Ascent<'_> {
    fn at(&mut self, multipliers: &Multipliers, work: &mut Work<'_>) -> Result<Point, OutOfWork> {
        let m = self.quadratic.weights.len();
        work.spend((m * m * m / 2 + 16 * multipliers.triangles.len()) as u64)?;
        let size = m as f64;
        let (matrix, norm) = self.slack_matrix(multipliers);
        let found = eigen(matrix).ok_or(OutOfWork)?;
        let least = found.values.iter().copied().fold(f64::INFINITY, f64::min);
        let values = || multipliers.triangles.iter().map(|&(_, value)| value);
        let sum = multipliers.diagonal.iter().sum::<f64>() + values().sum::<f64>();
        // The eigenvalue is wrong by less than 64 m ε times the norm of the matrix, the sums by less than m² ε times
        // that of their terms; what is left of 10⁻⁹ is on top.
        let terms = multipliers.diagonal.iter().map(|value| value.abs()).sum::<f64>()
            + values().sum::<f64>()
            + self.quadratic.constant.abs();
        let wrong = 64.0 * size * f64::EPSILON * norm * size + size * size * f64::EPSILON * terms;
        let bound = self.quadratic.constant - sum + size * least - wrong - 1e-9;
        self.best = self.best.max(bound);
        let mut products = Matrix::zero(m);
        let mut squares = 0.0;
        for (value, vector) in &found.negative {
            squares += value * value;
            let scale = -value / self.alpha;
            for i in 0..m {
                let factor = scale * vector[i];
                let row = &mut products.row_mut(i)[..=i];
                row.iter_mut().zip(vector).for_each(|(x, v)| *x += factor * v);
            }
        }
        for i in 0..m {
            for j in 0..i {
                products.row_mut(j)[i] = products.at(i, j);
            }
        }
        let value = -sum - squares / (2.0 * self.alpha) - self.alpha * size * size / 2.0;
        let diagonal = (0..m).map(|i| products.at(i, i) - 1.0);
        let triangles =
            multipliers.triangles.iter().map(|(triangle, _)| -triangle.slack(&products));
        let gradient = diagonal.chain(triangles).collect();
        Ok(Point { value, gradient, products, least })
    }

    /// Costs and multipliers on the space orthogonal to the weights, and the norm; along the weights it is large.
    fn slack_matrix(&self, multipliers: &Multipliers) -> (Matrix, f64) {
        let Quadratic { costs, weights, .. } = self.quadratic;
        let mut matrix = costs.clone();
        for (i, &value) in multipliers.diagonal.iter().enumerate() {
            matrix.add(i, i, value);
        }
        for &(triangle, value) in multipliers.triangles.iter().filter(|(_, value)| *value != 0.0) {
            for (i, j, sign) in triangle.pairs() {
                matrix.add(i, j, -0.5 * sign * value);
            }
        }
        let norm = 1.0 + matrix.norm();
        let square = dot(weights, weights);
        if square > 0.0 {
            let along: Vec<f64> =
                (0..weights.len()).map(|i| dot(matrix.row(i), weights) / square).collect();
            let twice = (dot(&along, weights) + norm) / square;
            for (i, (&w, &a)) in weights.iter().zip(&along).enumerate() {
                let row = matrix.row_mut(i).iter_mut();
                for (entry, (other, b)) in row.zip(weights.iter().zip(&along)) {
                    *entry += twice * w * other - a * other - w * b;
                }
            }
        }
        // What the projection leaves is no larger, and the rest is the norm itself.
        (matrix, 4.0 * norm)
    }

    /// Quasi-Newton steps (L-BFGS) with multipliers of inequalities kept from falling below zero.
    fn climb(
        &mut self,
        multipliers: &mut Multipliers,
        goal: f64,
        work: &mut Work<'_>,
    ) -> Result<Matrix, OutOfWork> {
        const HISTORY: usize = 15;
        let m = multipliers.diagonal.len();
        let mut here = self.at(multipliers, work)?;
        let mut memory: VecDeque<Change> = VecDeque::new();
        for _ in 0..MAX_STEPS {
            let held: Vec<bool> = (0..here.gradient.len())
                .map(|i| i >= m && multipliers.triangles[i - m].1 <= 0.0 && here.gradient[i] <= 0.0)
                .collect();
            let release = |mut vector: Vec<f64>| {
                vector.iter_mut().zip(&held).filter(|(_, held)| **held).for_each(|(x, _)| *x = 0.0);
                vector
            };
            let gradient = release(here.gradient.clone());
            if self.best >= goal || dot(&gradient, &gradient) < 0.05 * 0.05 {
                break;
            }
            let direction = release(newton(gradient, &memory, 0.3 * self.alpha));
            let mut length = 1.0;
            let mut moved = false;
            for _ in 0..12 {
                let next = along(multipliers, &direction, length);
                let step: Vec<f64> = difference(&next, multipliers);
                let there = self.at(&next, work)?;
                let expected = dot(&here.gradient, &step);
                if expected > 0.0 && there.value >= here.value + 1e-4 * expected {
                    let bend = here.gradient.iter().zip(&there.gradient).map(|(a, b)| a - b);
                    memory.extend(Change::new(step, bend.collect()));
                    if memory.len() > HISTORY {
                        memory.pop_front();
                    }
                    (*multipliers, here, moved) = (next, there, true);
                    break;
                }
                length *= 0.4;
            }
            if !moved {
                if memory.is_empty() {
                    break;
                }
                memory.clear();
            }
        }
        Ok(here.products)
    }
}

/// A step and by how much it bent the gradient down.
struct Change {
    step: Vec<f64>,
    bend: Vec<f64>,
    product: f64,
}

impl Change {
    fn new(step: Vec<f64>, bend: Vec<f64>) -> Option<Self> {
        let product = dot(&step, &bend);
        (product > 1e-14).then_some(Change { step, bend, product })
    }
}

/// The inverse curvature that the changes show, times the gradient.
fn newton(gradient: Vec<f64>, memory: &VecDeque<Change>, first: f64) -> Vec<f64> {
    let mut vector = gradient;
    let add = |vector: &mut [f64], factor: f64, of: &[f64]| {
        vector.iter_mut().zip(of).for_each(|(x, v)| *x += factor * v);
    };
    let mut factors = Vec::with_capacity(memory.len());
    for change in memory.iter().rev() {
        let factor = dot(&change.step, &vector) / change.product;
        add(&mut vector, -factor, &change.bend);
        factors.push(factor);
    }
    let scale = memory.back().map_or(first, |last| last.product / dot(&last.bend, &last.bend));
    vector.iter_mut().for_each(|x| *x *= scale);
    for (change, factor) in memory.iter().zip(factors.into_iter().rev()) {
        let other = dot(&change.bend, &vector) / change.product;
        add(&mut vector, factor - other, &change.step);
    }
    vector
}

/// A step in a direction; no multiplier of an inequality falls below zero.
fn along(from: &Multipliers, direction: &[f64], length: f64) -> Multipliers {
    let (diagonal, triangles) = direction.split_at(from.diagonal.len());
    let diagonal = from.diagonal.iter().zip(diagonal).map(|(value, d)| value + length * d);
    let triangles = from.triangles.iter().zip(triangles);
    let triangles =
        triangles.map(|(&(triangle, value), d)| (triangle, (value + length * d).max(0.0)));
    Multipliers { diagonal: diagonal.collect(), triangles: triangles.collect() }
}

fn difference(to: &Multipliers, from: &Multipliers) -> Vec<f64> {
    let diagonal = to.diagonal.iter().zip(&from.diagonal).map(|(a, b)| a - b);
    let triangles = to.triangles.iter().zip(&from.triangles).map(|(a, b)| a.1 - b.1);
    diagonal.chain(triangles).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Watch;
    use proptest::prelude::*;

    fn least_cost(quadratic: &Quadratic) -> f64 {
        let m = quadratic.weights.len();
        let signs = (0..1u32 << m)
            .map(|set| (0..m).map(|i| if set >> i & 1 == 1 { 1.0 } else { -1.0 }).collect());
        let balanced = signs.filter(|x: &Vec<f64>| dot(x, &quadratic.weights) == 0.0);
        let cost = |x: Vec<f64>| {
            let rows = (0..m).map(|i| x[i] * dot(quadratic.costs.row(i), &x));
            quadratic.constant + rows.sum::<f64>()
        };
        balanced.map(cost).fold(f64::INFINITY, f64::min)
    }

    #[test]
    fn triangles_know_their_signs() {
        let signs = |flips: [bool; 3]| {
            let ends = [(4, flips[0]), (2, flips[1]), (7, flips[2])];
            Triangle::new(ends).unwrap().pairs().map(|(i, j, sign)| (i, j, sign > 0.0))
        };
        let all = [(2, 4, true), (2, 7, true), (4, 7, true)];
        assert_eq!((signs([false; 3]), signs([true; 3])), (all, all));
        let one = [(2, 4, false), (2, 7, true), (4, 7, false)];
        assert_eq!((signs([true, false, false]), signs([false, true, true])), (one, one));
        assert_eq!(Triangle::new([(1, false), (2, true), (1, true)]), None);
    }

    proptest! {
        #![proptest_config(nestnet_seed::config())]

        /// A bound is a bound, for any costs and weights, from the first point on, and after nodes were joined.
        #[test]
        fn no_choice_costs_less(
            costs in prop::collection::vec(-3i8..4, 36),
            weights in prop::collection::vec(-2i8..3, 3..9),
            steps in 0u64..200_000,
        ) {
            let m = weights.len();
            let mut matrix = Matrix::zero(m);
            let pairs = (0..m).flat_map(|i| (0..i).map(move |j| (i, j)));
            for ((i, j), &cost) in pairs.zip(&costs) {
                matrix.add(i, j, f64::from(cost) / 4.0);
            }
            let weights = weights.iter().map(|&weight| weight.into()).collect();
            let quadratic = Quadratic { constant: 1.5, costs: matrix, weights };
            let mut multipliers = Multipliers::of(&quadratic);
            let mut work = Work { left: steps, watch: &Watch::SILENT };
            let mut reported = f64::NEG_INFINITY;
            let goal = f64::INFINITY;
            let found = maximize(&quadratic, &mut multipliers, goal, 0.01, &mut work, &mut |low| reported = low);
            let least = least_cost(&quadratic);
            prop_assert!(found.bound <= least, "{} > {least}", found.bound);
            prop_assert!(reported <= found.bound);
        }
    }
}
