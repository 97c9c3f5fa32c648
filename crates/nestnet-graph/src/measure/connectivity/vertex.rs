//! How many nodes must fail before the rest falls apart?

use super::{Marks, Tasks, all_alike, breadth_first, least_degree, separate_part};
use crate::measure::{Interrupted, Watch, count, id, nodes};
use crate::theory::How;
use crate::{Csr, Orbit};

/// The vertex connectivity and nodes that attain it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct VertexConnectivity {
    /// The least number of nodes whose failure separates others; one less than the nodes if all are linked.
    pub value: u32,
    /// Nodes whose removal separates the rest, ascending; `None` where all nodes are linked and none do.
    pub cut: Option<Vec<u32>>,
    /// Whether no cut is smaller than the neighbors of one node.
    pub maximal: bool,
    /// How the value is known.
    pub how: How,
}

/// The exact vertex connectivity.
///
/// For the order v₁, v₂, … and a cut C of fewer than k nodes: some of v₁ … v_k is not in C. Either two of these are
/// separated by C, or all of them that are not in C lie in one part, and then the first v that lies in another part
/// has fewer than k paths to the set S of nodes before it that share only v, because all of S lies in C or in that
/// one part. Conversely fewer than k ≤ |S| such paths give a cut that misses a node of S. (S. Even, 1975.)
/// Complexity: about nodes · log(nodes) · degree² steps on networks without bottlenecks, see [`super`]; at worst
/// nodes · links · degree.
///
/// With `orbits` of a single class, the theorem of [`least_where_all_alike`] ends the search at its bound, which for
/// degrees 2, 3, 4 and 6 is before it starts. Several classes do not help the search and are not used.
///
/// ```
/// use nestnet_graph::Csr;
/// use nestnet_graph::Watch;
/// use nestnet_graph::measure::connectivity::vertex_connectivity;
///
/// let ring = Csr::from_links(5, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)], 1 << 20)?;
/// let found = vertex_connectivity(&ring, None, &Watch::SILENT)?;
/// assert_eq!((found.value, found.maximal), (2, true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn vertex_connectivity(
    csr: &Csr,
    orbits: Option<&[Orbit]>,
    watch: &Watch<'_>,
) -> Result<VertexConnectivity, Interrupted> {
    // A node is cut off by its neighbors, however many cables lead to each.
    if csr.has_trunks() {
        return vertex_connectivity(&csr.without_trunks(), orbits, watch);
    }
    let Some((lowest, degree)) = least_degree(csr) else {
        return Ok(VertexConnectivity { value: 0, cut: None, maximal: true, how: How::Exhaustive });
    };
    let degree = id(degree);
    let answer = |cut: Vec<u32>, how| {
        let value = id(cut.len());
        VertexConnectivity { value, cut: Some(cut), maximal: value == degree, how }
    };
    if degree as usize + 1 == count(csr) {
        return Ok(VertexConnectivity {
            value: degree,
            cut: None,
            maximal: true,
            how: How::Exhaustive,
        });
    }
    if separate_part(csr).is_some() {
        return Ok(answer(Vec::new(), How::Exhaustive));
    }
    let alike = all_alike(csr, orbits);
    let least = if alike { least_where_all_alike(degree) } else { 0 };
    let around = || csr.neighbors(lowest).to_vec();
    if least == degree {
        return Ok(answer(around(), How::Symmetry));
    }
    let searches = Searches::new(csr, degree);
    let tasks = Tasks {
        count: searches.count(),
        start: || Fan::new(count(csr)),
        paths: |fan: &mut Fan, task, limit| searches.paths(fan, task, limit, watch),
        cut: Fan::cut,
    };
    let (best, cut) = tasks.fewest(least, degree, watch)?;
    let how = if alike && best == least { How::Symmetry } else { How::Exhaustive };
    Ok(answer(cut.unwrap_or_else(around), how))
}

/// How many nodes must fail, whichever they are, before two others of those that are `among` them cannot reach each other;
/// `None` where no failure separates two of them.
///
/// The argument of [`vertex_connectivity`] with these nodes alone as v₁, v₂, …, and as the ends of paths. Complexity: as
/// many searches, each of at most links · answer steps.
///
/// ```
/// use nestnet_graph::Csr;
/// use nestnet_graph::Watch;
/// use nestnet_graph::measure::connectivity::connectivity_among;
///
/// // Two leaves below three spines, and a fourth spine that one leaf alone has.
/// let tree = Csr::from_links(6, &[(0, 2), (0, 3), (0, 4), (0, 5), (1, 2), (1, 3), (1, 4)], 1 << 20)?;
/// let is_leaf = [true, true, false, false, false, false];
/// assert_eq!(connectivity_among(&tree, &is_leaf, &Watch::SILENT)?, Some(3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn connectivity_among(
    csr: &Csr,
    among: &[bool],
    watch: &Watch<'_>,
) -> Result<Option<u32>, Interrupted> {
    if csr.has_trunks() {
        return connectivity_among(&csr.without_trunks(), among, watch);
    }
    let order: Vec<u32> = nodes(csr).filter(|&v| among[v as usize]).collect();
    // Whoever has a node among these that is not its neighbor is separated from it by its neighbors.
    let apart = |v: u32| {
        let near = csr.neighbors(v).iter().filter(|&&near| among[near as usize]);
        near.count() + 1 < order.len()
    };
    let degrees = order.iter().filter(|&&v| apart(v)).map(|&v| csr.neighbors(v).len());
    let Some(most) = degrees.min() else { return Ok(None) };
    let mut rank = vec![u32::MAX; count(csr)];
    (0..).zip(&order).for_each(|(place, &v)| rank[v as usize] = place);
    let searches = Searches::in_order(csr, order, rank, most);
    let tasks = Tasks {
        count: searches.count(),
        start: || Fan::new(count(csr)),
        paths: |fan: &mut Fan, task, limit| searches.paths(fan, task, limit, watch),
        cut: Fan::cut,
    };
    Ok(Some(tasks.fewest(0, id(most), watch)?.0))
}

/// The least vertex connectivity of a connected network of this degree whose nodes are all alike, if not all linked.
///
/// Let A be an atom: a smallest part that a minimum cut separates. If it is one node, the connectivity is the degree d.
/// Otherwise the atoms are blocks of imprimitivity, the κ neighbors of A are a union of t ≥ 2 of them, and a node of A
/// has all its neighbors in A or among those: κ = t·|A| < d < (t+1)·|A| with |A| ≥ 2. (M. E. Watkins; W. Mader, 1970.)
pub fn least_where_all_alike(degree: u32) -> u32 {
    let possible = |&value: &u32| {
        (2..=value / 2).any(|atom| value % atom == 0 && degree < value.saturating_add(atom))
    };
    (0..degree).find(possible).unwrap_or(degree)
}

/// The fans that must be found: between any two of the first `k` nodes, and from every later node to those before it.
struct Searches<'a> {
    csr: &'a Csr,
    order: Vec<u32>,
    rank: Vec<u32>,
    pairs: Vec<(u32, u32)>,
    /// How many nodes are joined pair by pair.
    k: usize,
}

impl<'a> Searches<'a> {
    fn new(csr: &'a Csr, degree: u32) -> Self {
        let (order, rank) = breadth_first(csr);
        Searches::in_order(csr, order, rank, degree as usize)
    }

    /// Between these nodes, each with its place in the order; the rank of others is beyond all.
    fn in_order(csr: &'a Csr, order: Vec<u32>, rank: Vec<u32>, most: usize) -> Self {
        let k = most.min(order.len());
        let firsts = &order[..k];
        let linked = |a: u32, b: u32| csr.neighbors(a).binary_search(&b).is_ok();
        let pairs = firsts.iter().enumerate().flat_map(|(i, &b)| {
            let apart = firsts[..i].iter().filter(move |&&a| !linked(a, b));
            apart.map(move |&a| (a, b))
        });
        let pairs = pairs.collect();
        Searches { csr, order, rank, pairs, k }
    }

    fn count(&self) -> usize {
        self.pairs.len() + self.order.len() - self.k
    }

    /// The paths of one fan, at most `limit`; some of them once the watch says stop.
    fn paths(&self, fan: &mut Fan, task: usize, limit: u32, watch: &Watch<'_>) -> u32 {
        match self.pairs.get(task) {
            // Paths to a node are paths to its neighbors. A cut of fewer than k nodes misses one of them.
            Some(&(a, b)) => {
                fan.ends.clear();
                for &end in self.csr.neighbors(a) {
                    fan.ends.add(end as usize);
                }
                fan.paths(self.csr, b, limit, watch, |fan, v| fan.ends.has(v as usize))
            }
            None => {
                let from = self.order[self.k + task - self.pairs.len()];
                let bound = self.rank[from as usize];
                fan.paths(self.csr, from, limit, watch, |_, v| self.rank[v as usize] < bound)
            }
        }
    }
}

/// One thread's paths that share only their start, and the search for one more.
///
/// Every node is split into an entry and an exit, and one path may pass from the one to the other.
struct Fan {
    ends: Marks,
    /// Nodes on a path, and from where it comes.
    used: Marks,
    before: Vec<u32>,
    entered: Marks,
    /// From whose exit the search came to this entry.
    entered_by: Vec<u32>,
    left: Marks,
    /// From whose entry the search came to this exit.
    left_by: Vec<u32>,
    queue: Vec<u32>,
}

impl Fan {
    fn new(nodes: usize) -> Self {
        let marks = Marks::new(nodes);
        Fan {
            ends: marks.clone(),
            used: marks.clone(),
            before: vec![0; nodes],
            entered: marks.clone(),
            entered_by: vec![0; nodes],
            left: marks,
            left_by: vec![0; nodes],
            queue: Vec::new(),
        }
    }

    /// How many paths that share only `from` lead to different ends, at most `limit`.
    fn paths(
        &mut self,
        csr: &Csr,
        from: u32,
        limit: u32,
        watch: &Watch<'_>,
        is_end: impl Fn(&Fan, u32) -> bool,
    ) -> u32 {
        self.used.clear();
        let mut found = 0;
        while found < limit && watch.check().is_ok() && self.one_more(csr, from, &is_end) {
            found += 1;
        }
        found
    }

    fn one_more(&mut self, csr: &Csr, from: u32, is_end: &impl Fn(&Fan, u32) -> bool) -> bool {
        self.entered.clear();
        self.left.clear();
        self.entered.add(from as usize);
        self.left.add(from as usize);
        self.queue.clear();
        self.queue.push(from);
        let mut head = 0;
        // The queue holds nodes at whose exit the search is.
        while let Some(&at) = self.queue.get(head) {
            head += 1;
            for &to in csr.neighbors(at) {
                if !self.entered.add(to as usize) {
                    continue;
                }
                self.entered_by[to as usize] = at;
                if self.used.has(to as usize) {
                    self.leave(self.before[to as usize], to);
                } else if is_end(self, to) {
                    self.augment(from, to);
                    return true;
                } else {
                    self.leave(to, to);
                }
            }
            // A path that passes here can be sent another way from the node before.
            if self.used.has(at as usize) && self.entered.add(at as usize) {
                self.entered_by[at as usize] = at;
                self.leave(self.before[at as usize], at);
            }
        }
        false
    }

    /// Comes to the exit of `at` from the entry of `by`.
    fn leave(&mut self, at: u32, by: u32) {
        if self.left.add(at as usize) {
            self.left_by[at as usize] = by;
            self.queue.push(at);
        }
    }

    /// Adds the path that the search found to the others.
    fn augment(&mut self, from: u32, end: u32) {
        let mut at = end;
        loop {
            let came = self.entered_by[at as usize];
            if came == at {
                self.used.remove(at as usize);
            } else {
                self.used.add(at as usize);
                self.before[at as usize] = came;
            }
            if came == from {
                break;
            }
            at = self.left_by[came as usize];
        }
    }

    /// The nodes whose entry the last search reached, but not their exit: a minimum cut.
    fn cut(&self) -> Vec<u32> {
        let all = 0..self.before.len();
        all.filter(|&v| self.entered.has(v) && !self.left.has(v)).map(id).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::nodes;
    use crate::measure::structure::components;
    use crate::network::transitive;
    use crate::samples::*;
    use proptest::prelude::*;

    fn of(csr: &Csr) -> VertexConnectivity {
        vertex_connectivity(csr, None, &Watch::SILENT).unwrap()
    }

    /// Whether the rest falls apart without these nodes.
    fn separates(csr: &Csr, cut: &[u32]) -> bool {
        let rest: Vec<u32> = nodes(csr).filter(|v| !cut.contains(v)).collect();
        let place = |v: &u32| rest.binary_search(v).ok().map(id);
        let links = rest.iter().flat_map(|v| {
            let others = csr.neighbors(*v).iter().filter_map(place);
            others.map(move |b| (place(v).unwrap(), b))
        });
        !components(&graph(id(rest.len()), &links.collect::<Vec<_>>())).connected()
    }

    /// Two leaves and two spines with eight cables between each pair: fewer nodes than cables at one.
    #[test]
    fn cables_of_one_link_count_once() {
        let links = [(0, 2), (0, 3), (1, 2), (1, 3)];
        let cables: Vec<(u32, u32)> = links.iter().flat_map(|&link| [link; 8]).collect();
        let trunks = Csr::from_edges(4, &cables, 1 << 20).unwrap();
        assert!(trunks.has_trunks());
        assert_eq!(of(&trunks), of(&Csr::from_links(4, &links, 1 << 20).unwrap()));
        assert_eq!(of(&trunks).value, 2);
    }

    /// The reference: every set of nodes is removed.
    fn by_removal(csr: &Csr) -> u32 {
        let n = id(count(csr));
        let sets = (0..1u32 << n).map(|set| nodes(csr).filter(|v| set >> v & 1 == 1).collect());
        let cuts = sets.filter(|set: &Vec<u32>| separates(csr, set)).map(|set| id(set.len()));
        cuts.min().unwrap_or(n - 1)
    }

    proptest! {
        #![proptest_config(nestnet_seed::config())]

        #[test]
        fn among_some_nodes_it_is_the_smallest_set_that_separates_two(
            csr in any_multigraph(7),
            chosen in prop::collection::vec(any::<bool>(), 7),
        ) {
            let n = id(count(&csr));
            let among = &chosen[..n as usize];
            let parts = |cut: &[u32]| {
                let rest: Vec<u32> = nodes(&csr).filter(|v| !cut.contains(v)).collect();
                let place = |v: &u32| rest.binary_search(v).ok().map(id);
                let links = rest.iter().flat_map(|v| {
                    let others = csr.neighbors(*v).iter().filter_map(place);
                    others.map(move |b| (place(v).unwrap(), b))
                });
                let found = components(&graph(id(rest.len()), &links.collect::<Vec<_>>()));
                let of = rest.iter().zip(&found.of).filter(|(v, _)| among[**v as usize]);
                of.map(|(_, part)| *part).collect::<std::collections::BTreeSet<u32>>().len()
            };
            let sets = (0..1u32 << n).map(|set| nodes(&csr).filter(|v| set >> v & 1 == 1).collect());
            let cuts = sets.filter(|set: &Vec<u32>| parts(set) > 1).map(|set| id(set.len()));
            prop_assert_eq!(connectivity_among(&csr, among, &Watch::SILENT).unwrap(), cuts.min());
        }
    }

    #[test]
    fn known_values() {
        assert_eq!(of(&petersen()).value, 3);
        assert_eq!(of(&cube(4)).value, 4);
        assert_eq!(
            of(&complete(6)),
            VertexConnectivity { value: 5, cut: None, maximal: true, how: How::Exhaustive }
        );
        assert_eq!(of(&path(5)).value, 1);
        assert_eq!(of(&torus(5, 7)).value, 4);
        assert_eq!(of(&path(1)).value, 0);
        assert_eq!(of(&graph(2, &[])).cut, Some(vec![]));
        let answer = of(&two_cliques(6, 2));
        assert_eq!((answer.value, answer.maximal), (2, false));
        assert_eq!(answer.cut, Some(vec![4, 5]));
    }

    #[test]
    fn all_alike_needs_less() {
        let bounds: Vec<u32> = (0..10).map(least_where_all_alike).collect();
        assert_eq!(bounds, [0, 1, 2, 3, 4, 4, 6, 6, 6, 8]);
        let watch = Watch { stop: &|| true, ..Watch::SILENT };
        let answer = vertex_connectivity(&cube(4), transitive(16).as_deref(), &watch).unwrap();
        assert_eq!((answer.value, answer.how), (4, How::Symmetry));
        // A ring of eight pairs, each node linked to its partner and to both neighboring pairs: degree 5, cut 4.
        let pairs = by_rule(16, |a, b| [0, 1, 7].contains(&(b / 2 - a / 2)));
        assert_eq!(of(&pairs).value, 4);
        let alike = vertex_connectivity(&pairs, transitive(16).as_deref(), &Watch::SILENT).unwrap();
        assert_eq!((alike.value, alike.how, alike.maximal), (4, How::Symmetry, false));
        assert!(separates(&pairs, &alike.cut.unwrap()));
    }

    #[test]
    fn one_thread_and_many_agree() {
        let csr = two_cliques(30, 7);
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| of(&csr))
        };
        assert_eq!(run(1), run(4));
    }

    proptest! {
        #![proptest_config(nestnet_seed::config())]

        #[test]
        fn equals_its_reference(csr in any_multigraph(9)) {
            let answer = of(&csr);
            prop_assert_eq!(answer.value, by_removal(&csr));
            if let Some(cut) = answer.cut {
                prop_assert_eq!(cut.len(), answer.value as usize);
                prop_assert!(separates(&csr, &cut));
            }
        }
    }
}
