//! How many nodes or links must fail before it falls apart? Exact, with a minimum cut to show for it.
//!
//! Both answers rest on the same idea. Put the nodes in an order v₁, v₂, … and let S be those before v. A cut that is
//! smaller than all cuts found so far leaves the nodes of S on one side (or in the cut itself), up to some first v that
//! it separates from them. So it is enough to find, for every v, as many disjoint paths from v to the *set* S as the
//! best known cut allows. In breadth-first order S is near and large, and the search for a path ends after about
//! nodes/|S| steps: all searches together take about nodes·log(nodes) steps times the square of the degree,
//! where a flow from one fixed node takes nodes² of them. Each v is a task of its own, so they run in parallel.

pub mod edge;
pub mod fault;
pub mod vertex;

pub use edge::{EdgeConnectivity, edge_connectivity};
pub use fault::{FaultDiameter, FaultError, fault_diameter};
pub use vertex::{
    VertexConnectivity, connectivity_among, least_where_all_alike, vertex_connectivity,
};

use super::structure::components;
use super::{Interrupted, Watch, count, nodes};
use crate::theory::{Bounded, Theory};
use crate::{Csr, Orbit};
use num_bigint::BigUint;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Bounds on the vertex connectivity that cost nothing: no more than the least degree, and at least
/// [`least_where_all_alike`] or one in a connected network.
pub fn proven_connectivity(theory: &dyn Theory) -> Bounded {
    let degrees = theory.degrees();
    if !theory.connected() || theory.order() <= BigUint::from(1u8) {
        return Bounded::theorem(0u8);
    }
    /// Beyond it, two thirds of the degree are bound enough (M. E. Watkins, 1970), and quick.
    const MAX_SEARCHED: u32 = 1 << 8;
    // Of several cables to a neighbor one counts.
    let simple = degrees.links == degrees.cables;
    let alike = degrees.regular_degree().filter(|_| simple && theory.is_transitive());
    let least = match alike.map(|degree| (degree, u32::try_from(degree))) {
        None => 1,
        Some((_, Ok(degree))) if degree <= MAX_SEARCHED => least_where_all_alike(degree).into(),
        Some((degree, _)) => degree - degree / 3,
    };
    // Without counts the least degree is itself only a lower bound, and the largest an upper one.
    let high = if degrees.counts.is_some() { degrees.min } else { degrees.max };
    Bounded::between(least, high.max(least))
}

/// Searches for disjoint paths, each with a state that it may use again.
struct Tasks<Start, Paths, Cut> {
    count: usize,
    start: Start,
    /// The paths that a task finds, up to a limit.
    paths: Paths,
    /// What the last search could not pass.
    cut: Cut,
}

impl<S, Start, Paths, Cut> Tasks<Start, Paths, Cut>
where
    Start: Fn() -> S + Sync + Send,
    Paths: Fn(&mut S, usize, u32) -> u32 + Sync + Send,
    Cut: Fn(&S) -> Vec<u32> + Sync + Send,
{
    /// The fewest paths of a task, which are not fewer than `least`, and the cut where they are fewer than `most`.
    fn fewest(
        self,
        least: u32,
        most: u32,
        watch: &Watch<'_>,
    ) -> Result<(u32, Option<Vec<u32>>), Interrupted> {
        let (best, done) = (AtomicU32::new(most), AtomicU64::new(0));
        (0..self.count).into_par_iter().try_for_each_init(&self.start, |state, task| {
            watch.step(&done, self.count as u64)?;
            let limit = best.load(Ordering::Relaxed);
            if limit > least {
                best.fetch_min((self.paths)(state, task, limit), Ordering::Relaxed);
            }
            Ok(())
        })?;
        watch.check()?;
        let best = best.into_inner();
        if best == most {
            return Ok((best, None));
        }
        // Which task found the cut depends on chance; the first in order that has it does not.
        let first = (0..self.count).into_par_iter().map_init(&self.start, |state, task| {
            watch.check()?;
            let paths = (self.paths)(state, task, best + 1);
            Ok((paths == best).then(|| (self.cut)(state)))
        });
        let cut = first.find_map_first(Result::transpose).unwrap_or(Ok(Vec::new()))?;
        watch.check()?;
        Ok((best, Some(cut)))
    }
}

/// A node of least degree, the lowest of them, and that degree; `None` without nodes.
fn least_degree(csr: &Csr) -> Option<(u32, usize)> {
    let all = nodes(csr).map(|v| (v, csr.neighbors(v).len()));
    all.min_by_key(|&(v, degree)| (degree, v))
}

/// The component of node 0, if there is another.
fn separate_part(csr: &Csr) -> Option<Vec<u32>> {
    let parts = components(csr);
    (!parts.connected()).then(|| nodes(csr).filter(|&v| parts.of[v as usize] == 0).collect())
}

/// Whether the classes say that all nodes are alike.
fn all_alike(csr: &Csr, orbits: Option<&[Orbit]>) -> bool {
    matches!(orbits, Some([one]) if one.size == count(csr) as u64)
}

/// All nodes of a connected network, breadth first from node 0, and the position of each.
fn breadth_first(csr: &Csr) -> (Vec<u32>, Vec<u32>) {
    let mut rank = vec![u32::MAX; count(csr)];
    let mut order = vec![0];
    rank[0] = 0;
    let mut head = 0;
    while let Some(&at) = order.get(head) {
        head += 1;
        for &to in csr.neighbors(at) {
            if rank[to as usize] == u32::MAX {
                rank[to as usize] = super::id(order.len());
                order.push(to);
            }
        }
    }
    (order, rank)
}

/// Which entries of an array have been touched in the present search; forgetting them all costs nothing.
#[derive(Clone, Debug)]
struct Marks {
    stamp: u32,
    of: Vec<u32>,
}

impl Marks {
    fn new(entries: usize) -> Self {
        Marks { stamp: 1, of: vec![0; entries] }
    }

    fn clear(&mut self) {
        if self.stamp == u32::MAX {
            self.of.fill(0);
            self.stamp = 0;
        }
        self.stamp += 1;
    }

    fn has(&self, entry: usize) -> bool {
        self.of[entry] == self.stamp
    }

    /// Touches an entry; whether that is new.
    fn add(&mut self, entry: usize) -> bool {
        let fresh = self.of[entry] != self.stamp;
        self.of[entry] = self.stamp;
        fresh
    }

    fn remove(&mut self, entry: usize) {
        self.of[entry] = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theory::Degrees;

    /// What is said of a network.
    #[derive(Debug)]
    struct Stated {
        degrees: Degrees,
        order: u32,
        connected: bool,
        alike: bool,
    }

    impl Theory for Stated {
        fn order(&self) -> BigUint {
            self.order.into()
        }

        fn degrees(&self) -> Degrees {
            self.degrees.clone()
        }

        fn connected(&self) -> bool {
            self.connected
        }

        fn is_transitive(&self) -> bool {
            self.alike
        }
    }

    #[test]
    fn bounds_that_cost_nothing() {
        let bounds = |said: &Stated| {
            let Bounded { low, high, .. } = proven_connectivity(said);
            (u64::try_from(low).unwrap(), u64::try_from(high).unwrap())
        };
        let regular = |degree: u64, alike: bool| Stated {
            degrees: Degrees::regular(degree, 1000u32.into()),
            order: 1000,
            connected: true,
            alike,
        };
        assert_eq!((bounds(&regular(3, true)), bounds(&regular(3, false))), ((3, 3), (1, 3)));
        assert_eq!(bounds(&regular(5, true)), (4, 5));
        // Two atoms of 86 nodes are the fewest: three of them are more than 256, and three of 85 are not.
        assert_eq!(bounds(&regular(256, true)), (172, 256));
        // From there on two thirds are bound enough, though two atoms of 87 nodes would be the fewest.
        assert_eq!(bounds(&regular(258, true)), (172, 258));
        let trunks = Degrees { links: 1000u32.into(), ..Degrees::regular(4, 1000u32.into()) };
        assert_eq!(bounds(&Stated { degrees: trunks, ..regular(4, true) }), (1, 4));
        assert_eq!(bounds(&Stated { connected: false, ..regular(3, true) }), (0, 0));
        assert_eq!(bounds(&Stated { order: 1, ..regular(0, true) }), (0, 0));
        assert_eq!(bounds(&Stated { order: 2, ..regular(1, true) }), (1, 1));
        // Where degrees are not counted, the least one is no bound from above.
        let counted = Degrees::counted([(2, 500u32.into()), (7, 500u32.into())]);
        let uncounted = Degrees { counts: None, ..counted.clone() };
        let of = |degrees: Degrees| bounds(&Stated { degrees, ..regular(3, false) });
        assert_eq!((of(counted), of(uncounted)), ((1, 2), (1, 7)));
    }

    #[test]
    fn marks_are_forgotten_all_at_once() {
        let mut marks = Marks::new(3);
        assert!(!marks.has(1) && marks.add(1) && !marks.add(1) && marks.has(1));
        marks.remove(1);
        assert!(!marks.has(1) && marks.add(1));
        // Also where stamps begin anew.
        for _ in 0..2 {
            marks.stamp = u32::MAX;
            marks.of[2] = 1;
            marks.add(0);
            marks.clear();
            assert!((0..3).all(|entry| !marks.has(entry)));
        }
    }
}
