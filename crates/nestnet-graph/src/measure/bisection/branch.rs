//! Is there a half that cuts fewer links? Branch and bound with semidefinite bounds.
//!
//! A branch says of some pairs of nodes that they are on the same side, or on different ones; such nodes are joined into
//! one. Its bound is the [relaxation](super::relaxation); where that is too low, the pair of which the relaxation knows
//! least is decided both ways. The branch with the lowest bound is taken next, so that the lowest bound of all open
//! branches, which holds for the network, rises as early as possible. Exact; the number of branches is exponential at
//! worst, and small where the relaxation is good, as it is on most products and hierarchies of a few hundred nodes.

use super::super::{count, nodes};
use super::eigen::Matrix;
use super::relaxation::{Multipliers, Quadratic, maximize};
use super::work::{OutOfWork, Work};
use crate::Csr;
use num_traits::ToPrimitive;

/// The parity of all balanced cuts, where they have one.
///
/// The links with one end on a side are as many as the sum of its degrees, less twice those within. So the parity is known
/// where all degrees are even, and where all are odd, since there are then equally many nodes on both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parity(Option<u64>);

impl Parity {
    pub fn of(csr: &Csr) -> Self {
        let degrees = || nodes(csr).map(|v| csr.neighbors(v).len() % 2);
        let half = count(csr) as u64 / 2;
        Parity(match (degrees().all(|odd| odd == 0), degrees().all(|odd| odd == 1)) {
            (true, _) => Some(0),
            (_, true) => Some(half % 2),
            _ => None,
        })
    }

    /// The least possible cut of at least `links`.
    pub fn round_up(self, links: u64) -> u64 {
        links + self.0.map_or(0, |parity| (links + parity) % 2)
    }

    /// How far possible cuts are apart.
    fn gap(self) -> u64 {
        if self.0.is_some() { 2 } else { 1 }
    }

    /// The least possible cut that is not below a bound, of which a millionth is left to rounding.
    fn above(self, bound: f64) -> u64 {
        self.round_up((bound - 1e-6).max(0.0).ceil().to_u64().unwrap_or(0))
    }
}

/// The best half that is known.
#[derive(Clone, Debug)]
pub struct Incumbent {
    pub links: u64,
    /// Where the search found it.
    pub side: Option<Vec<bool>>,
}

/// Networks of more nodes take too long even for one bound.
pub const MAX_NODES: usize = 400;

/// So few joined nodes are put on sides in all ways.
const ENUMERATED: usize = 8;

/// A branch that is not closed.
struct Branch {
    bound: f64,
    /// How many nodes are left.
    size: usize,
    /// For every node of the network which one it is joined into, and whether it is on the other side.
    places: Vec<(u16, bool)>,
    multipliers: Option<Multipliers>,
}

impl Branch {
    fn bytes(&self) -> u64 {
        let multipliers = self.multipliers.as_ref().map_or(0, Multipliers::bytes);
        (size_of::<Self>() + 4 * self.places.len()) as u64 + multipliers
    }
}

/// All bisections, as far as it is not known that they are no better.
pub struct Tree<'a> {
    csr: &'a Csr,
    parity: Parity,
    open: Vec<Branch>,
    max_memory: u64,
    /// Branches looked at so far.
    pub branches: u64,
}

impl<'a> Tree<'a> {
    /// None is excluded yet. An odd number of nodes is made even by one without links. `None` beyond [`MAX_NODES`].
    pub fn new(csr: &'a Csr, parity: Parity, max_memory: u64) -> Option<Self> {
        let size = count(csr).next_multiple_of(2);
        if size > MAX_NODES {
            return None;
        }
        let places = (0..).take(size).map(|node| (node, false)).collect();
        let root = Branch { bound: 0.0, size, places, multipliers: None };
        Some(Tree { csr, parity, open: vec![root], max_memory, branches: 0 })
    }

    /// What no half is below: the lowest bound of all open branches, or the best half that is known.
    pub fn low(&self, best: &Incumbent) -> u64 {
        let open = self.open.iter().map(|branch| self.parity.above(branch.bound));
        open.min().unwrap_or(best.links).min(best.links)
    }

    /// Looks at the next branch and closes or divides it; whether there was one.
    pub fn step(
        &mut self,
        best: &mut Incumbent,
        work: &mut Work<'_>,
        rising: &dyn Fn(u64),
    ) -> Result<bool, OutOfWork> {
        let parity = self.parity;
        self.open.retain(|branch| parity.above(branch.bound) < best.links);
        let Some(mut branch) = self.take() else { return Ok(false) };
        self.branches += 1;
        let quadratic = quadratic(self.csr, &branch);
        if !can_balance(&quadratic.weights) {
            return Ok(true);
        }
        if branch.size <= ENUMERATED {
            self.enumerate(&branch, &quadratic, best);
            return Ok(true);
        }
        let (first, smoothing) = match branch.multipliers.take() {
            Some(before) => (before, 1e-3),
            None => (Multipliers::of(&quadratic), 1e-2),
        };
        let mut multipliers = first;
        let others = self.low(best);
        let before = branch.bound;
        let mut rises = |bound: f64| rising(parity.above(bound.max(before)).min(others));
        let goal = best.links.saturating_sub(parity.gap()) as f64 + 2e-6;
        let found = maximize(&quadratic, &mut multipliers, goal, smoothing, work, &mut rises);
        branch.bound = before.max(found.bound);
        if parity.above(branch.bound) >= best.links {
            return Ok(true);
        }
        if found.stopped {
            branch.multipliers = Some(multipliers);
            self.open.push(branch);
            return Err(OutOfWork);
        }
        let (i, j) = undecided(&found.products);
        for apart in [false, true] {
            self.open.push(joined(&branch, &multipliers, i, j, apart));
        }
        Ok(true)
    }

    /// The open branch with the lowest bound, the last of equals; the smallest where there are too many to hold.
    fn take(&mut self) -> Option<Branch> {
        let held: u64 = self.open.iter().map(Branch::bytes).sum();
        let all = self.open.iter().enumerate().rev();
        let next = if held > self.max_memory {
            all.min_by_key(|(_, branch)| branch.size)
        } else {
            all.min_by(|one, other| one.1.bound.total_cmp(&other.1.bound))
        };
        let index = next?.0;
        Some(self.open.remove(index))
    }

    /// Tries all sides of the nodes that are left.
    fn enumerate(&self, branch: &Branch, quadratic: &Quadratic, best: &mut Incumbent) {
        let m = branch.size;
        let all = 0..1u32 << (m - 1);
        for set in all {
            let sign = |i: usize| if set >> i & 1 == 1 { -1.0 } else { 1.0 };
            let balance: f64 = (0..m).map(|i| sign(i) * quadratic.weights[i]).sum();
            if balance != 0.0 {
                continue;
            }
            let place = |&(to, apart): &(u16, bool)| (sign(to.into()) < 0.0) != apart;
            let side: Vec<bool> = branch.places.iter().map(place).take(count(self.csr)).collect();
            let links = super::check_cut(self.csr, &side).map(|cut| cut.links);
            if let Some(links) = links.filter(|&links| links < best.links) {
                *best = Incumbent { links, side: Some(side) };
            }
        }
    }
}

/// The costs of a branch: ½ for each link, less ½ where its ends are on the same side.
fn quadratic(csr: &Csr, branch: &Branch) -> Quadratic {
    let mut costs = Matrix::zero(branch.size);
    let mut constant = 0.0;
    for v in nodes(csr) {
        for &u in csr.neighbors(v).iter().filter(|&&u| u < v) {
            let ((a, one), (b, other)) = (branch.places[v as usize], branch.places[u as usize]);
            let same = if one == other { 1.0 } else { -1.0 };
            constant += 0.5;
            if a == b {
                constant -= 0.5 * same;
            } else {
                costs.add(a.into(), b.into(), -0.25 * same);
            }
        }
    }
    let mut weights = vec![0.0; branch.size];
    for &(to, apart) in &branch.places {
        weights[usize::from(to)] += if apart { -1.0 } else { 1.0 };
    }
    Quadratic { constant, costs, weights }
}

/// Whether some signs make the sum of all weights zero.
fn can_balance(weights: &[f64]) -> bool {
    let weights = || weights.iter().filter_map(|weight| weight.abs().to_usize());
    let total: usize = weights().sum();
    let mut sums = vec![false; total + 1];
    sums[0] = true;
    for weight in weights().filter(|&weight| weight > 0) {
        for sum in (weight..=total).rev() {
            sums[sum] |= sums[sum - weight];
        }
    }
    total.is_multiple_of(2) && sums[total / 2]
}

/// The pair of nodes of which it is least clear whether they are on the same side, the first of equals.
fn undecided(products: &Matrix) -> (usize, usize) {
    let pairs = (0..products.size).flat_map(|i| (i + 1..products.size).map(move |j| (i, j)));
    let doubt = |&(i, j): &(usize, usize)| products.at(i, j).abs();
    // Differences that only rounding makes do not count.
    let least = pairs.clone().map(|pair| doubt(&pair)).fold(f64::INFINITY, f64::min);
    let mut near = pairs.filter(|pair| doubt(pair) <= least + 1e-9);
    near.next().unwrap_or((0, 1))
}

/// The branch in which node `j` is joined into `i`, on the same side or on the other.
fn joined(branch: &Branch, multipliers: &Multipliers, i: usize, j: usize, apart: bool) -> Branch {
    let to = |node: usize| u16::try_from(node - usize::from(node > j)).unwrap_or(u16::MAX);
    let moves: Vec<(u16, bool)> = (0..branch.size)
        .map(|node| if node == j { (to(i), apart) } else { (to(node), false) })
        .collect();
    let place = |&(at, before): &(u16, bool)| {
        let (to, turned) = moves[usize::from(at)];
        (to, before != turned)
    };
    let size = branch.size - 1;
    Branch {
        bound: branch.bound,
        size,
        places: branch.places.iter().map(place).collect(),
        multipliers: Some(multipliers.moved(size, &moves)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Watch;
    use crate::samples::*;

    /// Closes all branches; what it found, and how many branches that took.
    fn search(csr: &Csr, high: u64) -> (u64, u64) {
        let mut tree = Tree::new(csr, Parity::of(csr), 1 << 20).unwrap();
        let mut best = Incumbent { links: high, side: None };
        let mut work = Work { left: u64::MAX, watch: &Watch::SILENT };
        while tree.step(&mut best, &mut work, &|_| ()).unwrap() {}
        assert_eq!(tree.low(&best), best.links);
        (best.links, tree.branches)
    }

    #[test]
    fn parities_of_cuts() {
        assert_eq!(Parity::of(&ring(7)), Parity(Some(0)));
        assert_eq!(Parity::of(&petersen()), Parity(Some(1)));
        assert_eq!(Parity::of(&path(4)), Parity(None));
        let odd = Parity(Some(1));
        assert_eq!(
            [odd.round_up(4), odd.round_up(5), odd.above(4.9), odd.above(5.1)],
            [5, 5, 5, 7]
        );
        assert_eq!([Parity(None).round_up(4), Parity(None).above(3.0 + 1e-7)], [4, 3]);
    }

    #[test]
    fn weights_balance_or_do_not() {
        assert!(can_balance(&[3.0, -2.0, 1.0]) && can_balance(&[]) && can_balance(&[0.0]));
        assert!(!can_balance(&[3.0, 1.0]) && !can_balance(&[2.0, 1.0]));
    }

    /// Seven rings' worth of cubes: 2 · 16 links around the ring and 8 within one cube.
    #[test]
    fn a_product_of_a_ring_and_a_cube_is_proven() {
        let csr = by_rule(56, |a, b| {
            let (rings, cubes) = ((a / 8).abs_diff(b / 8), (a ^ b) % 8);
            (rings == 0 && cubes.is_power_of_two()) || (cubes == 0 && (rings == 1 || rings == 6))
        });
        let (links, branches) = search(&csr, 20);
        assert_eq!(links, 20);
        assert!(branches < 50, "{branches}");
    }
}
