//! How far apart do the rest lie after the worst failures? The fault diameter of small networks, by trying them all.

use crate::measure::{Interrupted, Watch, count, nodes};
use crate::{Csr, Orbit, kinds};
use rayon::prelude::*;
use std::sync::atomic::AtomicU64;
use thiserror::Error;

/// The largest diameter that failures can leave.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FaultDiameter {
    /// The diameter after the worst failures; `None` where they separate the rest.
    pub value: Option<u32>,
    /// Failed nodes that do it, ascending.
    pub faults: Vec<u32>,
}

/// Why there is no fault diameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FaultError {
    /// It was stopped.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
    /// There are too many sets of nodes.
    #[error("trying all failures takes {need} steps, over the limit of {limit}")]
    TooLarge {
        /// Steps needed.
        need: u128,
        /// Steps allowed.
        limit: u64,
    },
}

kinds!(FaultError {
    Limit: TooLarge;
    inner: Interrupted;
});

/// The largest diameter after the failure of any `faults` nodes or fewer, at most `limit` steps.
///
/// Exact; one bit-parallel search from all nodes at once for every set of failed nodes, about
/// nodes^faults · nodes · links / 64 steps. The usual question is for one fault less than the vertex connectivity.
/// With `orbits` only sets that contain the representative of a class are tried: an automorphism carries any other
/// set to one of these.
///
/// ```
/// use nestnet_graph::Csr;
/// use nestnet_graph::Watch;
/// use nestnet_graph::measure::connectivity::fault_diameter;
///
/// let ring = Csr::from_links(5, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)], 1 << 20)?;
/// let found = fault_diameter(&ring, 1, None, 1 << 20, &Watch::SILENT)?;
/// assert_eq!(found.value, Some(3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn fault_diameter(
    csr: &Csr,
    faults: u32,
    orbits: Option<&[Orbit]>,
    limit: u64,
    watch: &Watch<'_>,
) -> Result<FaultDiameter, FaultError> {
    let n = count(csr);
    let words = n.div_ceil(64);
    let firsts: Vec<u32> = match orbits {
        Some(orbits) => {
            let node = |orbit: &Orbit| u32::try_from(orbit.node.0).expect("a node of the network");
            orbits.iter().map(node).collect()
        }
        None => nodes(csr).collect(),
    };
    let faults = (faults as usize).min(n.saturating_sub(1));
    let one = (words as u128) * (csr.targets().len() as u128 + n as u128);
    let sets = firsts.len() as u128 * choices(n as u128, faults.saturating_sub(1) as u128);
    let need = one.saturating_mul(sets.saturating_add(1)).saturating_mul(4);
    if need > u128::from(limit) {
        return Err(FaultError::TooLarge { need, limit });
    }
    let plain = FaultDiameter { value: Spread::new(csr).diameter(csr, &[]), faults: Vec::new() };
    if faults == 0 || plain.value.is_none() {
        return Ok(plain);
    }
    // One task for every first failure and the next one, so that a single class still feeds all threads.
    let tasks: Vec<(u32, u32)> =
        firsts.iter().flat_map(|&a| nodes(csr).map(move |b| (a, b))).collect();
    let done = AtomicU64::new(0);
    let total = tasks.len() as u64;
    let task = |spread: &mut Spread, &(first, second): &(u32, u32)| {
        watch.step(&done, total)?;
        let mut worst: Option<FaultDiameter> = None;
        let mut set = vec![first];
        if second != first {
            set.push(second);
        }
        // With all nodes alike only the first is fixed, and any others may go with it.
        if orbits.is_none() && second < first || set.len() > faults {
            return Ok(None);
        }
        let longest = if second == first { 1 } else { faults };
        try_all(csr, spread, &mut set, longest, watch, &mut worst)?;
        Ok(worst)
    };
    let found: Vec<Option<FaultDiameter>> =
        tasks.par_iter().map_init(|| Spread::new(csr), task).collect::<Result<_, Interrupted>>()?;
    let mut worst = found.into_iter().flatten().fold(plain, worse);
    worst.faults.sort_unstable();
    Ok(worst)
}

/// The worse of two, the first if they are equally bad.
fn worse(first: FaultDiameter, second: FaultDiameter) -> FaultDiameter {
    let bad = |fault: &FaultDiameter| fault.value.unwrap_or(u32::MAX);
    if bad(&second) > bad(&first) { second } else { first }
}

/// Tries `set` and all larger ones up to `longest` that add nodes after its second in ascending order.
fn try_all(
    csr: &Csr,
    spread: &mut Spread,
    set: &mut Vec<u32>,
    longest: usize,
    watch: &Watch<'_>,
    worst: &mut Option<FaultDiameter>,
) -> Result<(), Interrupted> {
    watch.check()?;
    let here = FaultDiameter { value: spread.diameter(csr, set), faults: set.clone() };
    *worst = Some(match worst.take() {
        Some(known) => worse(known, here),
        None => here,
    });
    if set.len() < longest {
        let (first, last) = (set[0], set[set.len() - 1]);
        for next in nodes(csr).skip(last as usize + 1).filter(|&next| next != first) {
            set.push(next);
            try_all(csr, spread, set, longest, watch, worst)?;
            set.pop();
        }
    }
    Ok(())
}

/// How many sets of up to `k` of `n`, at least.
fn choices(n: u128, k: u128) -> u128 {
    let (mut sum, mut term) = (1u128, 1u128);
    for i in 0..k.min(n) {
        term = term.saturating_mul(n - i) / (i + 1);
        sum = sum.saturating_add(term);
    }
    sum
}

/// For every node, the set of nodes from which it has been reached, 64 to a word.
struct Spread {
    words: usize,
    now: Vec<u64>,
    next: Vec<u64>,
    failed: Vec<bool>,
}

impl Spread {
    fn new(csr: &Csr) -> Self {
        let words = count(csr).div_ceil(64);
        let zeros = vec![0; words * count(csr)];
        Spread { words, now: zeros.clone(), next: zeros, failed: vec![false; count(csr)] }
    }

    /// The diameter of what is left; `None` if it is not connected.
    fn diameter(&mut self, csr: &Csr, faults: &[u32]) -> Option<u32> {
        self.failed.fill(false);
        for &fault in faults {
            self.failed[fault as usize] = true;
        }
        self.now.fill(0);
        for v in (0..self.failed.len()).filter(|&v| !self.failed[v]) {
            self.now[v * self.words + v / 64] |= 1 << (v % 64);
        }
        let left = self.failed.len() - faults.len();
        let mut steps = 0;
        while !self.all_reached(left) {
            if !self.step(csr) {
                return None;
            }
            steps += 1;
        }
        Some(steps)
    }

    fn all_reached(&self, left: usize) -> bool {
        let sets = self.now.chunks_exact(self.words.max(1)).zip(&self.failed);
        let size = |set: &[u64]| set.iter().map(|word| word.count_ones() as usize).sum::<usize>();
        sets.into_iter().all(|(set, &failed)| failed || size(set) == left)
    }

    /// One step further from everywhere; whether anything is new.
    fn step(&mut self, csr: &Csr) -> bool {
        self.next.copy_from_slice(&self.now);
        let words = self.words;
        for at in nodes(csr).filter(|&v| !self.failed[v as usize]) {
            let here = &mut self.next[at as usize * words..][..words];
            for &from in csr.neighbors(at).iter().filter(|&&v| !self.failed[v as usize]) {
                let there = &self.now[from as usize * words..][..words];
                here.iter_mut().zip(there).for_each(|(a, b)| *a |= b);
            }
        }
        std::mem::swap(&mut self.now, &mut self.next);
        self.now != self.next
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Node;
    use crate::measure::connectivity::vertex_connectivity;
    use crate::measure::id;
    use crate::measure::search::distances_from;
    use crate::network::transitive;
    use crate::samples::*;
    use proptest::prelude::*;

    const LIMIT: u64 = 1 << 40;

    fn of(csr: &Csr, faults: u32) -> FaultDiameter {
        fault_diameter(csr, faults, None, LIMIT, &Watch::SILENT).unwrap()
    }

    /// The reference: plain searches in what every set of nodes leaves.
    fn by_removal(csr: &Csr, faults: u32) -> Option<u32> {
        let n = id(count(csr));
        let mut worst = Some(0);
        for set in (0..1u32 << n).filter(|set| set.count_ones() <= faults.min(n - 1)) {
            let left: Vec<u32> = (0..n).filter(|v| set >> v & 1 == 0).collect();
            let place = |v: u32| left.binary_search(&v).ok().map(id);
            let links = (0..n).flat_map(|a| csr.neighbors(a).iter().map(move |&b| (a, b)));
            let links: Vec<_> = links.filter_map(|(a, b)| Some((place(a)?, place(b)?))).collect();
            let rest = graph(id(left.len()), &links);
            for v in nodes(&rest) {
                for distance in distances_from(&rest, Node(v.into())) {
                    worst = worst.filter(|_| distance != u32::MAX).map(|w: u32| w.max(distance));
                }
            }
        }
        worst
    }

    #[test]
    fn known_values() {
        // One more than the diameter for a cube, and twice as much for a ring.
        assert_eq!(of(&cube(3), 2).value, Some(4));
        assert_eq!(of(&cube(4), 3).value, Some(5));
        assert_eq!(of(&ring(9), 1).value, Some(7));
        assert_eq!(of(&petersen(), 0), FaultDiameter { value: Some(2), faults: vec![] });
        assert_eq!(of(&path(5), 1).value, None);
        assert_eq!(of(&path(1), 3).value, Some(0));
        let alike = transitive(16);
        let by_symmetry = fault_diameter(&cube(4), 3, alike.as_deref(), LIMIT, &Watch::SILENT);
        assert_eq!(by_symmetry.unwrap().value, Some(5));
        let refused = fault_diameter(&cube(6), 5, None, 1000, &Watch::SILENT);
        assert!(matches!(refused, Err(FaultError::TooLarge { limit: 1000, .. })));
    }

    proptest! {
        #![proptest_config(nestnet_seed::config())]

        #[test]
        fn equals_its_reference(csr in any_multigraph(8)) {
            let k = vertex_connectivity(&csr, None, &Watch::SILENT).unwrap().value;
            for faults in 0..=k {
                prop_assert_eq!(of(&csr, faults).value, by_removal(&csr, faults));
            }
        }
    }
}
