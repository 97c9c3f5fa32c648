//! Routes that come from a file are followed and certified as they are written.

use nestnet_graph::{Budget, Network, Node};
use nestnet_routing::Router;
use nestnet_routing::route::deadlock::{
    Certificate, CheckError, Deadlock, certify, certify_routes, check_routes, links_of,
};
use nestnet_routing::route::{ExplicitRoutes, Searched, UpDownLayers, VcLimited, route_list, walk};
use nestnet_seed::samples;
use proptest::prelude::*;
use std::sync::Arc;

#[test]
fn routes_are_followed_as_they_are_given() {
    let ring = samples::ring(5);
    // The long way round, and back over it twice.
    let text = "0 4 3 2 : 0 1 1\n2 3 4 0\n2 1 0 : 2 0\n";
    let given = ExplicitRoutes::new(&ring, &route_list::read(text.as_bytes()).unwrap()).unwrap();
    assert_eq!((given.vcs(), given.choices(), given.longest()), (3, 2, 3));
    let route = |from, to, choice| {
        let route = walk(&ring, &given, Node(from), Node(to), choice, 9).ok()?;
        Some(route.nodes.iter().map(|node| node.0).collect::<Vec<_>>())
    };
    assert_eq!(route(0, 2, 0), Some(vec![0, 4, 3, 2]));
    assert_eq!(route(0, 2, 1), Some(vec![0, 4, 3, 2]));
    assert_eq!(route(2, 0, 1), Some(vec![2, 1, 0]));
    assert_eq!(route(1, 0, 0), None);
    let error =
        ExplicitRoutes::new(&ring, &route_list::read("0 2\n".as_bytes()).unwrap()).unwrap_err();
    assert_eq!(error.to_string(), "line 1: there is no link from node 0 to node 2");
}

#[test]
fn routes_of_others_are_certified_by_line() {
    let read = |text: &str| route_list::read(text.as_bytes()).unwrap();
    let routes = read("0 1 2\n1 2 3\n2 3 0\n# the last one closes it\n3 0 1\n");
    let network = links_of(&routes, 1 << 20).unwrap();
    let certificate = certify_routes(&network, &routes, &Budget::UNLIMITED).unwrap();
    check_routes(&network, &routes, &certificate, &Budget::UNLIMITED).unwrap();
    let Deadlock::Cycle(cycle) = &certificate.verdict else { panic!("{certificate:?}") };
    let lines: Vec<u64> = cycle.iter().map(|dependency| dependency.message.choice).collect();
    assert_eq!(lines, [1, 2, 3, 5]);
    let dateline = read("0 1 2\n1 2 3\n2 3 0 : 0 1\n3 0 1 : 1 1\n");
    let certificate = certify_routes(&network, &dateline, &Budget::UNLIMITED).unwrap();
    check_routes(&network, &dateline, &certificate, &Budget::UNLIMITED).unwrap();
    assert!(certificate.is_free());
    assert!(check_routes(&network, &routes, &certificate, &Budget::UNLIMITED).is_err());
    let refused = |certificate: &Certificate| {
        check_routes(&network, &dateline, certificate, &Budget::UNLIMITED).unwrap_err()
    };
    let Deadlock::Free { order } = &certificate.verdict else { panic!("{certificate:?}") };
    let reversed = Deadlock::Free { order: order.iter().rev().copied().collect() };
    let against = refused(&Certificate { verdict: reversed, ..certificate.clone() });
    assert!(matches!(against, CheckError::AgainstOrder { .. }), "{against}");
    for wrong in [
        Certificate { pairs: certificate.pairs + 1, ..certificate.clone() },
        Certificate { channels: certificate.channels + 1, ..certificate.clone() },
        Certificate { vcs: certificate.vcs + 1, ..certificate.clone() },
    ] {
        assert!(matches!(refused(&wrong), CheckError::Count { .. }));
    }
    let error = certify_routes(&network, &read("0 1\n0 2\n"), &Budget::UNLIMITED).unwrap_err();
    assert_eq!(error.to_string(), "line 2: nodes 0 and 2 are not linked");
    let error = certify_routes(&network, &read("9 1\n"), &Budget::UNLIMITED).unwrap_err();
    assert_eq!(error.to_string(), "line 1: nodes 9 and 1 are not linked");
}

fn summary(certificate: &Certificate) -> (bool, u64, u64, u64) {
    let Certificate { channels, dependencies, pairs, .. } = *certificate;
    (certificate.is_free(), channels, dependencies, pairs)
}

proptest! {
    #![proptest_config(nestnet_seed::config())]

    #[test]
    fn written_routes_have_the_verdict_of_their_router(csr in samples::any_multigraph(8)) {
        let network: Arc<dyn Network> = Arc::new(csr);
        let turns = Arc::new(UpDownLayers::new(network.clone(), Arc::new(Searched::new(network.clone()).unwrap()), None));
        for vcs in 1..3 {
            let router = VcLimited::new(turns.clone(), vcs);
            let mut text = Vec::new();
            route_list::write(&*network, &router, 99, &mut text, |_| true).unwrap();
            let Ok(routes) = route_list::read(text.as_slice()) else { continue };
            let certificate = certify_routes(&*network, &routes, &Budget::UNLIMITED).unwrap();
            check_routes(&*network, &routes, &certificate, &Budget::UNLIMITED).unwrap();
            prop_assert_eq!(summary(&certificate), summary(&certify(&*network, &router, &Budget::UNLIMITED).unwrap()));
        }
    }
}
