//! How many cables must fail before it falls apart?

use super::{Marks, Tasks, all_alike, breadth_first, least_degree, separate_part};
use crate::measure::{Interrupted, Watch, count, id};
use crate::theory::How;
use crate::{Csr, Orbit};

/// The edge connectivity and a cut that attains it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct EdgeConnectivity {
    /// The least number of cables whose failure separates some nodes; 0 for a single node.
    pub value: u32,
    /// One side of a minimum cut; empty for a single node.
    pub side: Vec<u32>,
    /// The links of that cut, from the side outward, once for each cable.
    pub cut: Vec<(u32, u32)>,
    /// Whether no cut is smaller than the cables of one node.
    pub maximal: bool,
    /// How the value is known.
    pub how: How,
}

/// The exact edge connectivity.
///
/// Complexity: about nodes · log(nodes) · degree² steps on networks without bottlenecks, see [`super`]; at worst
/// nodes · links · degree.
/// With `orbits` of a single class nothing is searched where each link is one cable: a connected network whose nodes
/// are all alike has edge connectivity equal to its degree (W. Mader, 1971). Several classes do not help the search and are not used.
///
/// ```
/// use nestnet_graph::Csr;
/// use nestnet_graph::Watch;
/// use nestnet_graph::measure::connectivity::edge_connectivity;
///
/// let ring = Csr::from_links(5, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)], 1 << 20)?;
/// let found = edge_connectivity(&ring, None, &Watch::SILENT)?;
/// assert_eq!((found.value, found.cut.len()), (2, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn edge_connectivity(
    csr: &Csr,
    orbits: Option<&[Orbit]>,
    watch: &Watch<'_>,
) -> Result<EdgeConnectivity, Interrupted> {
    let Some((lowest, degree)) = least_degree(csr).filter(|_| count(csr) > 1) else {
        return Ok(result(csr, Vec::new(), How::Exhaustive));
    };
    if let Some(part) = separate_part(csr) {
        return Ok(result(csr, part, How::Exhaustive));
    }
    // With links of different widths it may not be: a ring of links of one and two cables in turn falls apart by two.
    if !csr.has_trunks() && all_alike(csr, orbits) {
        return Ok(result(csr, vec![lowest], How::Symmetry));
    }
    let network = Arcs::new(csr);
    let (order, rank) = breadth_first(csr);
    let tasks = Tasks {
        count: order.len() - 1,
        start: || Flow::new(&network),
        paths: |flow: &mut Flow, task, limit| {
            flow.paths(&network, &rank, order[task + 1], limit, watch)
        },
        cut: Flow::side,
    };
    let side = tasks.fewest(0, id(degree), watch)?.1;
    Ok(result(csr, side.unwrap_or_else(|| vec![lowest]), How::Exhaustive))
}

fn result(csr: &Csr, mut side: Vec<u32>, how: How) -> EdgeConnectivity {
    side.sort_unstable();
    let inside = |v: &u32| side.binary_search(v).is_ok();
    let leaving = |&from: &u32| {
        let out = csr.neighbors(from).iter().filter(move |to| !inside(to));
        out.map(move |&to| (from, to))
    };
    let cut: Vec<(u32, u32)> = side.iter().flat_map(leaving).collect();
    let value = id(cut.len());
    let maximal = least_degree(csr).is_some_and(|(_, degree)| degree == cut.len());
    EdgeConnectivity { value, side, cut, maximal, how }
}

/// The links as pairs of arcs: where the arcs of each node begin, and where the opposite of each stands.
struct Arcs<'a> {
    csr: &'a Csr,
    first: Vec<usize>,
    opposite: Vec<usize>,
}

impl<'a> Arcs<'a> {
    fn new(csr: &'a Csr) -> Self {
        let offset = |&o: &u64| usize::try_from(o).expect("it is stored");
        let first: Vec<usize> = csr.offsets().iter().map(offset).collect();
        // Lists are ascending, so the arcs into a node are met in the order in which it lists them.
        let mut next = first.clone();
        let mut opposite = vec![0; csr.targets().len()];
        for (arc, &to) in csr.targets().iter().enumerate() {
            opposite[next[to as usize]] = arc;
            next[to as usize] += 1;
        }
        Arcs { csr, first, opposite }
    }
}

/// One thread's flow: which way each link is used, and the search for one more path.
struct Flow {
    /// 1 where an arc carries a path, -1 on its opposite.
    flow: Vec<i8>,
    touched: Vec<usize>,
    seen: Marks,
    /// The arc by which the search came to a node.
    by: Vec<usize>,
    queue: Vec<u32>,
}

impl Flow {
    fn new(network: &Arcs<'_>) -> Self {
        let nodes = count(network.csr);
        Flow {
            flow: vec![0; network.opposite.len()],
            touched: Vec::new(),
            seen: Marks::new(nodes),
            by: vec![0; nodes],
            queue: Vec::new(),
        }
    }

    /// How many paths without a common link lead from `from` to the nodes of lower rank, at most `limit`.
    /// Some of them once the watch says stop.
    fn paths(
        &mut self,
        network: &Arcs<'_>,
        rank: &[u32],
        from: u32,
        limit: u32,
        watch: &Watch<'_>,
    ) -> u32 {
        let mut found = 0;
        while found < limit && watch.check().is_ok() && self.one_more(network, rank, from) {
            found += 1;
        }
        for arc in self.touched.drain(..) {
            self.flow[arc] = 0;
        }
        found
    }

    fn one_more(&mut self, network: &Arcs<'_>, rank: &[u32], from: u32) -> bool {
        let bound = rank[from as usize];
        self.seen.clear();
        self.seen.add(from as usize);
        self.queue.clear();
        self.queue.push(from);
        let mut head = 0;
        while let Some(&at) = self.queue.get(head) {
            head += 1;
            for (arc, &to) in (network.first[at as usize]..).zip(network.csr.neighbors(at)) {
                if self.flow[arc] > 0 || !self.seen.add(to as usize) {
                    continue;
                }
                self.by[to as usize] = arc;
                if rank[to as usize] < bound {
                    self.augment(network, from, to);
                    return true;
                }
                self.queue.push(to);
            }
        }
        false
    }

    fn augment(&mut self, network: &Arcs<'_>, from: u32, end: u32) {
        let mut at = end;
        while at != from {
            let arc = self.by[at as usize];
            let back = network.opposite[arc];
            self.flow[arc] += 1;
            self.flow[back] -= 1;
            self.touched.extend([arc, back]);
            at = network.csr.targets()[back];
        }
    }

    /// The nodes that the last search reached in vain: one side of a minimum cut.
    fn side(&self) -> Vec<u32> {
        self.queue.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::nodes;
    use crate::network::transitive;
    use crate::samples::*;
    use proptest::prelude::*;

    fn of(csr: &Csr) -> EdgeConnectivity {
        edge_connectivity(csr, None, &Watch::SILENT).unwrap()
    }

    /// The reference: the links that leave a set, for every set of nodes.
    fn by_all_sides(csr: &Csr) -> u32 {
        let n = count(csr);
        let cut = |side: u32| {
            let inside = |v: u32| side >> v & 1 == 1;
            let leaving = |v: u32| csr.neighbors(v).iter().filter(|&&to| !inside(to)).count();
            id(nodes(csr).filter(|&v| inside(v)).map(leaving).sum())
        };
        (1..(1u32 << n) - 1).map(cut).min().unwrap_or(0)
    }

    #[test]
    fn known_values() {
        assert_eq!(of(&petersen()).value, 3);
        assert_eq!(of(&cube(4)).value, 4);
        assert_eq!(of(&complete(6)).value, 5);
        assert_eq!(of(&path(5)).value, 1);
        assert_eq!(of(&torus(5, 7)).value, 4);
        assert_eq!(of(&path(1)).value, 0);
        assert_eq!(of(&graph(2, &[])).value, 0);
        assert_eq!(of(&two_cliques(5, 1)).value, 4);
        // Two complete graphs joined by two links: the cut is in the middle.
        let joined = by_rule(10, |a, b| (a < 5) == (b < 5) || (a < 2 && b == a + 5));
        let answer = of(&joined);
        assert_eq!((answer.value, answer.maximal), (2, false));
        assert!(answer.side == [0, 1, 2, 3, 4] || answer.side == [5, 6, 7, 8, 9]);
        assert_eq!(answer.cut.len(), 2);
    }

    #[test]
    fn all_alike_needs_no_search() {
        let watch = Watch { stop: &|| true, ..Watch::SILENT };
        let answer = edge_connectivity(&cube(5), transitive(32).as_deref(), &watch).unwrap();
        assert_eq!((answer.value, answer.maximal, answer.how), (5, true, How::Symmetry));
        assert_eq!(edge_connectivity(&cube(5), None, &watch), Err(Interrupted));
    }

    /// All nodes of a ring are alike, also where every second link has three cables: it falls apart by two of four.
    #[test]
    fn all_alike_with_parallel_cables_is_searched() {
        let edges = [(0, 1), (0, 1), (0, 1), (1, 2), (2, 3), (2, 3), (2, 3), (3, 0)];
        let csr = Csr::from_edges(4, &edges, 1 << 20).unwrap();
        let answer = edge_connectivity(&csr, transitive(4).as_deref(), &Watch::SILENT).unwrap();
        assert_eq!((answer.value, answer.maximal, answer.cut.len()), (2, false, 2));
    }

    #[test]
    fn one_thread_and_many_agree() {
        let csr = two_cliques(30, 1);
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| of(&csr))
        };
        assert_eq!(run(1), run(4));
    }

    proptest! {
        #![proptest_config(nestnet_seed::config())]

        #[test]
        fn equals_its_reference(csr in any_multigraph(10)) {
            let answer = of(&csr);
            prop_assert_eq!(answer.value, by_all_sides(&csr));
            prop_assert_eq!(answer.cut.len(), answer.value as usize);
            prop_assert_eq!(answer.side.is_empty(), count(&csr) == 1);
            prop_assert!(answer.side.len() < count(&csr) || count(&csr) == 1);
        }
    }
}
