//! Routers that say they commute with automorphisms do, hop by hop; and their certificates are those of all targets.

use nestnet::route::deadlock::{Certificate, certify, check};
use nestnet::route::{Entry, Header, Hop};
use nestnet::{Budget, How, Network, Node, Port, Router, Vc, build};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Besides the oracle's: one of each kind of router that declares something.
const SPECS: &[&str] = &[
    "hypercube(5)",
    "folded_hypercube(4)",
    "torus(3, 3, 3)",
    "torus(3, 4)",
    "rdn(hypercube(2), 1)",
    "rdn(hypercube(1), 2)",
    "rdn(folded_hypercube(2), 1)",
    "rsn(hypercube(2), 2)",
    "hcn(2)",
    "rcr(1, 4, 1)",
    "rcr(2, 4, 0)",
];

/// The same hops, and nothing said of symmetry.
#[derive(Debug)]
struct Plain(Arc<dyn Router>);

impl Router for Plain {
    fn vcs(&self) -> u16 {
        self.0.vcs()
    }

    fn next(&self, at: Node, header: Header) -> Option<Hop> {
        self.0.next(at, header)
    }

    fn fill(&self, to: Node, row: &mut [Entry]) {
        self.0.fill(to, row);
    }
}

/// The port and the virtual channel of the hop.
fn hop(router: &dyn Router, at: u64, to: u64) -> Option<(Port, Vc)> {
    let header = router.start(Node(at), Node(to), 0);
    router.next(Node(at), header).map(|hop| (hop.port, hop.vc))
}

fn hops_are_carried_to_hops(spec: &str, network: &dyn Network, router: &dyn Router) -> bool {
    let declared = router.commutes_with();
    for (number, g) in declared.iter().enumerate() {
        let mut hit = BTreeSet::new();
        for at in 0..network.order() {
            assert!(g(at) < network.order() && hit.insert(g(at)), "{spec}: {number} at {at}");
            assert_eq!(at < network.hosts(), g(at) < network.hosts(), "{spec}: {number} at {at}");
            for port in (0..network.ports()).map(Port) {
                let next = network.neighbor(Node(at), port).map(|next| Node(g(next.0)));
                assert_eq!(network.neighbor(Node(g(at)), port), next, "{spec}: {number} at {at}");
            }
            for to in 0..network.order() {
                let (here, there) = (hop(router, at, to), hop(router, g(at), g(to)));
                assert_eq!(here, there, "{spec}: {number} from {at} to {to}");
            }
        }
    }
    assert!(declared.is_empty() || !router.remembers(), "{spec}");
    !declared.is_empty()
}

#[test]
fn routers_commute_with_what_they_declare() {
    let instances = crate::oracle_instances();
    let oracle = instances.iter().filter_map(|instance| {
        let small = instance["nodes"].as_u64().is_some_and(|nodes| nodes <= 200);
        instance["spec"].as_str().filter(|_| small)
    });
    let mut declaring = BTreeSet::new();
    for spec in oracle.chain(SPECS.iter().copied()) {
        let built = build(spec).expect("it is built");
        let network = built.network.as_deref().expect("a small network");
        for name in built.router_names() {
            let router = built.router(name).expect("it is named");
            if hops_are_carried_to_hops(spec, network, &*router) {
                let of_all = certify(network, &Plain(router.clone()), &Budget::UNLIMITED);
                let of_all = of_all.expect("nothing stops it");
                let found = certify(network, &*router, &Budget::UNLIMITED).expect("the same");
                check(network, &*router, &found, &Budget::UNLIMITED).expect("it is true");
                assert_eq!(Certificate { how: of_all.how, ..found.clone() }, of_all, "{spec}");
                declaring.insert((spec, found.how == How::Symmetry));
            }
        }
    }
    for spec in SPECS {
        assert!(declaring.contains(&(*spec, true)), "{spec} declares nothing");
    }
}
