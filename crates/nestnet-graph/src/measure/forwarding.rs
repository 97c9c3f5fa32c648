//! How many paths must share a cable when every pair of nodes has one path?

use super::load::Pass;
use super::{Interrupted, Watch, channel, count, nodes, splitmix64};
use crate::Csr;
use rayon::prelude::*;
use std::sync::atomic::AtomicU64;

/// Bounds on the edge-forwarding index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Forwarding {
    /// No routing can do with less on its busiest cable.
    pub low: u128,
    /// What one routing along shortest paths needs.
    pub high: u128,
}

/// Bounds on the edge-forwarding index: with one path for every ordered pair, how many must pass the busiest cable,
/// both directions together?
///
/// At least the sum of all distances over the number of cables. At most what we need when every node comes to each
/// other through one of the nodes before it on shortest paths, picked by a fixed hash of the two, and the cables of a
/// link take turns.
/// O(nodes · links).
///
/// ```
/// use nestnet_graph::Csr;
/// use nestnet_graph::Watch;
/// use nestnet_graph::measure::forwarding::forwarding;
///
/// let ring = Csr::from_links(5, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)], 1 << 20)?;
/// let found = forwarding(&ring, &Watch::SILENT)?;
/// assert!(found.low == 6 && found.high >= 6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn forwarding(csr: &Csr, watch: &Watch<'_>) -> Result<Forwarding, Interrupted> {
    let done = AtomicU64::new(0);
    let total = count(csr) as u64;
    let sources: Vec<u32> = nodes(csr).collect();
    let zero = || (vec![0u64; csr.targets().len()], 0u128);
    let (loads, distances) = sources
        .par_chunks(sources.len().div_ceil(64).max(1))
        .map(|sources| {
            let (mut loads, mut distances) = zero();
            let mut pass = Pass::new(csr);
            let mut below = vec![0u64; count(csr)];
            for &source in sources {
                watch.step(&done, total)?;
                pass.search(csr, source);
                distances += pass.add_one_path_each(csr, source, &mut below, &mut loads);
            }
            Ok((loads, distances))
        })
        .try_reduce(zero, |(mut a, m), (b, n)| {
            a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
            Ok((a, m + n))
        })?;
    let cables = u128::from(csr.cables());
    let low = if cables == 0 { 0 } else { distances.div_ceil(cables) };
    let mut high = 0;
    for at in nodes(csr) {
        for link in csr.neighbors(at).chunk_by(|a, b| a == b).filter(|link| link[0] > at) {
            let (there, back) = (channel(csr, at, link[0]), channel(csr, link[0], at));
            let paths = u128::from(loads[there] + loads[back]);
            high = high.max(paths.div_ceil(link.len() as u128));
        }
    }
    Ok(Forwarding { low, high })
}

impl Pass {
    /// One path from the source to each node, after [`Pass::search`]. The sum of all their lengths.
    fn add_one_path_each(
        &self,
        csr: &Csr,
        source: u32,
        below: &mut [u64],
        loads: &mut [u64],
    ) -> u128 {
        let reached = self.levels.last().copied().unwrap_or(0);
        below[..reached].fill(1);
        let mut sum = 0;
        for (distance, level) in self.levels.windows(2).enumerate().skip(1).rev() {
            sum += distance as u128 * (level[1] - level[0]) as u128;
            for place in level[0]..level[1] {
                let at = self.queue[place];
                let closer = |v: &&u32| (self.place[**v as usize] as usize) < level[0];
                let choices = csr.neighbors(at).iter().filter(closer).count();
                let dice = splitmix64(u64::from(source) << 32 | u64::from(at));
                let pick = usize::try_from(dice % choices as u64).expect("below a degree");
                let before = csr.neighbors(at).iter().filter(closer).nth(pick);
                let before = *before.expect("one of those counted");
                loads[channel(csr, before, at)] += below[place];
                below[self.place[before as usize] as usize] += below[place];
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Node;
    use crate::measure::search::distances_from;
    use crate::samples::*;
    use proptest::prelude::*;

    #[test]
    fn known_forwarding() {
        let bounds = |csr: &Csr| forwarding(csr, &Watch::SILENT).unwrap();
        assert_eq!(bounds(&path(3)), Forwarding { low: 4, high: 4 });
        assert_eq!(bounds(&complete(5)), Forwarding { low: 2, high: 2 });
        assert_eq!(bounds(&path(1)), Forwarding { low: 0, high: 0 });
        // Each way over three cables.
        let trunk = Csr::from_edges(2, &[(0, 1); 3], 1 << 20).unwrap();
        assert_eq!(bounds(&trunk), Forwarding { low: 1, high: 1 });
        let cube = bounds(&cube(4));
        assert!(cube.low == 16 && cube.high >= 16, "{cube:?}");
    }

    #[test]
    fn threads_do_not_matter() {
        let csr = by_rule(120, |a, b| splitmix64(u64::from(a * 120 + b)).is_multiple_of(20));
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| forwarding(&csr, &Watch::SILENT))
        };
        assert_eq!(run(1), run(3));
    }

    proptest! {
        #![proptest_config(nestnet_seed::config())]

        /// The sum of all distances, found plainly, is what all links bear together.
        #[test]
        fn bounds_hold(csr in any_multigraph(12)) {
            let bounds = forwarding(&csr, &Watch::SILENT).unwrap();
            let far = |v: u32| distances_from(&csr, Node(v.into()));
            let reached = nodes(&csr).flat_map(far).filter(|&d| d != u32::MAX);
            let total: u128 = reached.map(u128::from).sum();
            let cables = u128::from(csr.cables().max(1));
            prop_assert_eq!(bounds.low, total.div_ceil(cables));
            prop_assert!(bounds.high >= bounds.low && bounds.high <= total);
        }
    }
}
