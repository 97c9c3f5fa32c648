//! What a view says of a cell: by the rule the same as by walking all nodes.

use crate::atlas::{atlas, bundles, look};
use crate::{make, specs};
use nestnet::draw::atlas::{Atlas, written};
use nestnet::family::Family;
use nestnet::{Built, Node};

/// Larger ones are not walked whole.
const MOST_NODES: u32 = 4000;

/// Cells in cells, blocks, and links that are not as many everywhere.
const RULED: &[&str] = &[
    "rdn(ring(3), 2)",
    "rdn(hypercube(2), 2)",
    "rsn(ring(5), 2)",
    "hcn(3)",
    "torus(3, 4, 5)",
    "sn(hypercube(6), 4, 1)",
    "sn(hypercube(6), 4, 2, 9, 8)",
    "rcr(3, 5, 4)",
    "slimfly(43)",
];

/// Every example that is small enough.
pub fn by_rule_as_by_walk(family: &'static Family) {
    let mut seen = 0;
    for spec in specs(family, RULED) {
        let built = make(spec).unwrap_or_else(|error| panic!("{error}"));
        if built.order() > MOST_NODES.into() {
            continue;
        }
        let Some(walked) = atlas(&built) else { continue };
        // Without the network only rules and the networks inside are left.
        let ruled = Atlas::new(built.plan(), None, &built.order()).expect("the same plan");
        let by_rule = views_agree(spec, &built, &walked, &ruled);
        assert!(by_rule > 0 || !RULED.contains(&spec), "{spec} has no rule");
        nodes_are_found(spec, &built, &walked, &ruled);
        seen += 1;
    }
    assert!(seen > 0, "no example of {} is small", family.name);
}

/// How many views a rule gives, each the same as by walking.
fn views_agree(spec: &str, built: &Built, walked: &Atlas, ruled: &Atlas) -> u32 {
    let mut by_rule = 0;
    let mut paths = vec![Vec::new()];
    while let Some(path) = paths.pop() {
        for dots in [1, 60] {
            let (a, b) = (look(walked, &path, dots), look(ruled, &path, dots));
            let shown = written(&path);
            assert!(a.linked, "{spec} {shown}: a walk always knows");
            if b.linked && a.shown == b.shown {
                let ((links, leaving), (ruled, left)) = (bundles(&a), bundles(&b));
                assert_eq!(links, ruled, "{spec} {shown}");
                if b.left && a.left {
                    assert_eq!(leaving, left, "{spec} {shown}");
                }
                by_rule += 1;
            }
            if dots == 1 && path.len() < built.plan().layers().len() && paths.len() < 60 {
                paths.extend(a.spots.iter().take(7).map(|spot| spot.path.clone()));
            }
        }
    }
    by_rule
}

/// Nodes are found by their ids and their addresses.
fn nodes_are_found(spec: &str, built: &Built, whole: &Atlas, ruled: &Atlas) {
    let network = built.network.as_ref().expect("a small network");
    for id in (0..network.order()).step_by(7) {
        let path = whole.find(&id.to_string());
        let named = whole.find(&network.address(Node(id)).to_string()).expect(spec);
        let at = whole.id(&named).map(|id| id.to_string());
        // Where seats are not numbered by ids and nobody says who sits where, there is no path back.
        if whole.plan().node_at(0).is_some() {
            assert_eq!(at, Some(id.to_string()), "{spec}");
        }
        if let (Ok(path), Some(other)) = (path, ruled.id(&named)) {
            assert!(path == named || other.to_string() == at.unwrap_or_default(), "{spec} {id}");
        }
    }
}
