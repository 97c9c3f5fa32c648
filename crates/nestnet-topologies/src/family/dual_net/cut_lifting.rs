//! Cuts of a dual-net, and bounds on them, from those of its base.
//!
//! With N nodes in the base, 2N² in the dual-net:
//!
//! **Theorem** (cuts). A side S of the base with c links across gives one of the dual-net with N·c: (0, c, v) is on the side
//! of v, (1, c, v) on that of c. It is balanced where S has exactly N/2 nodes.
//! *Proof.* The ends (0, a, b) and (1, b, a) of a cross link are both on the side of b; clusters of type 1 lie on one side, and
//! each of the N clusters of type 0 is cut as the base is. Of either type N·|S| nodes are on the side of S. ∎
//!
//! **Theorem** (loads). If all send to all in the base so that no channel carries more than L, they can in the dual-net so that
//! none carries more than max(4N·L, 3N² - 2N).
//! *Proof.* By the cases of Algorithm 1 each ordered pair of nodes of a cluster is the ends of a leg of: one message between
//! them; N and N messages to and from the other type; N and N - 1 between clusters of the same type, as first and as second leg.
//! That is 4N for each pair alike, so that channels inside clusters carry 4N times what they do in the base. A cross link carries N²
//! messages to the other type, and N(N-1) on each of the two crossings of the others. ∎
//!
//! **Theorem** (spectrum). The eigenvalues of the Laplacian are 1 + (μ+ν)/2 ± √((μ-ν)²/4 + 1) for pairs μ, ν of those of the base.
//! *Proof.* On f(0, a, b) = x·φ(a)ψ(b), f(1, b, a) = y·φ(a)ψ(b), φ and ψ eigenvectors for μ and ν, it is the matrix with ν+1 and
//! μ+1 on the diagonal and -1 beside it. ∎
//! It grows with μ and with ν, so that the least but 0 is 1 + μ/2 - √(μ²/4 + 1) at μ = λ₂ of the base and ν = 0.

use super::network::DualNet;
use crate::family::built::CutLifting;
use nestnet_graph::Network;

impl CutLifting for DualNet {
    fn lift(&self, side: &[bool]) -> Option<Vec<bool>> {
        let n = side.len();
        let order = usize::try_from(self.order()).ok()?;
        let fits = n.checked_mul(n)?.checked_mul(2)? == order;
        let first = (0..n).flat_map(|_| side.iter().copied());
        let second = side.iter().flat_map(|&on| std::iter::repeat_n(on, n));
        fits.then(|| first.chain(second).collect())
    }

    fn load(&self, base: f64) -> f64 {
        let n = self.n as f64;
        (4.0 * n * base).max(3.0 * n * n - 2.0 * n)
    }

    fn lambda2(&self, base: f64) -> f64 {
        1.0 + base / 2.0 - (base * base / 4.0 + 1.0).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use crate::build;
    use nestnet_graph::budget::Watch;
    use nestnet_graph::measure::bisection::check_cut;
    use nestnet_graph::measure::spectrum::lambda2;
    use nestnet_graph::{Budget, Csr, Network, Node};
    use nestnet_routing::route::walk;
    use std::collections::BTreeMap;

    fn csr(spec: &str) -> Csr {
        Csr::from_network(&*build(spec).unwrap().network.unwrap(), &Budget::UNLIMITED).unwrap()
    }

    /// The largest load of a channel when all send to all by the paper's routing, or its legs.
    fn load(spec: &str) -> f64 {
        let built = build(spec).unwrap();
        let (network, router) =
            (built.network.clone().unwrap(), built.base_router("paper").unwrap());
        let mut loads = BTreeMap::<(Node, Node), u32>::new();
        for (from, to) in
            (0..network.order()).flat_map(|a| (0..network.order()).map(move |b| (a, b)))
        {
            let route = walk(&*network, &*router, Node(from), Node(to), 0, 1000).unwrap();
            route.nodes.windows(2).for_each(|hop| *loads.entry((hop[0], hop[1])).or_default() += 1);
        }
        loads.into_values().max().unwrap_or(0).into()
    }

    #[test]
    fn cuts_loads_and_spectra_are_those_of_the_theorems() {
        for base in ["ring(3)", "ring(4)", "complete(4)", "path(3)", "star(4)", "petersen"] {
            let spec = format!("rdn({base}, 1)");
            let built = build(&spec).unwrap();
            let (lifting, _) = built.cut_lifting().unwrap();
            let (below, above) = (csr(base), csr(&spec));
            let nodes = usize::try_from(below.order()).unwrap();
            let side: Vec<bool> = (0..nodes).map(|at| at < nodes / 2).collect();
            let cut = check_cut(&below, &side).unwrap();
            let lifted = check_cut(&above, &lifting.lift(&side).unwrap()).unwrap();
            assert_eq!(lifted.links, cut.links * nodes as u64, "{spec}");
            assert_eq!(lifted.balanced, nodes.is_multiple_of(2), "{spec}");
            assert_eq!(load(&spec), lifting.load(load(base)), "{spec}");
            let least = |csr: &Csr| lambda2(csr, &Watch::SILENT).unwrap().unwrap().value;
            assert!((least(&above) - lifting.lambda2(least(&below))).abs() < 1e-6, "{spec}");
        }
        // Hand-worked: a ring of three carries 1 on each channel, its dual-net 4·3·1 or 3·9 - 6 = 21.
        assert_eq!((load("ring(3)"), load("rdn(ring(3), 1)")), (1.0, 21.0));
    }
}
