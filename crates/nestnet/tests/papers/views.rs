//! What a view says of a cell at sizes that no id reaches, and of blocks whose last ones are smaller.

use crate::atlas::{atlas, bundles, look};
use nestnet::build;
use nestnet::draw::atlas::{Atlas, written};
use nestnet::draw::view::neighbors;
use num_bigint::BigUint;

#[test]
fn a_node_of_26_digits_has_an_id_an_address_and_neighbors() {
    let built = build("rdn(torus(5, 5), 4)").expect("a spec");
    assert!(built.network.is_none());
    let atlas = atlas(&built).expect("a plan");
    for text in ["0", "1234567890123456789012345", "762939453124999999999999999"] {
        let path = atlas.find(text).expect(text);
        assert_eq!(atlas.id(&path).map(|id| id.to_string()).as_deref(), Some(text));
        let address = atlas.address(&path).expect("an address").to_string();
        assert_eq!(atlas.find(&address).as_ref(), Ok(&path));
        let near = neighbors(&atlas, &path).expect("neighbors");
        assert_eq!(near.len(), 8);
        assert_eq!(near.iter().filter(|near| near.level == 4).count(), 1);
        for near in near {
            let back = neighbors(&atlas, &near.path).expect("neighbors");
            assert!(back.iter().any(|beside| beside.path == path && beside.level == near.level));
        }
        // On the way down every view is linked, and knows what leaves it.
        for depth in 0..path.len() {
            let view = look(&atlas, &path[..depth], 600);
            assert!(view.linked && view.left, "{}", written(&path[..depth]));
        }
    }
    assert!(atlas.find("762939453125000000000000000").is_err());
    assert_eq!(atlas.pattern(&[1]).as_deref().map(|text| text.starts_with("(1,")), Some(true));
}

#[test]
fn the_smaller_network_says_the_same_of_the_larger() {
    // The inside of a cluster of level 2 is a network of level 1, whether ids fit around it or not.
    let inner = build("rdn(ring(3), 1)").expect("a spec");
    let outer = build("rdn(ring(3), 5)").expect("a spec");
    assert!(outer.network.is_none());
    let (inner, outer) = (atlas(&inner).expect("a plan"), atlas(&outer).expect("a plan"));
    let before = outer.plan().layers().len() - inner.plan().layers().len();
    let path = vec![0; before];
    let (a, b) = (look(&inner, &[], 600), look(&outer, &path, 600));
    assert_eq!((a.spots.len(), a.strands.len()), (b.spots.len(), b.strands.len()));
    for (a, b) in a.strands.iter().zip(&b.strands) {
        assert_eq!(a.cord, b.cord);
    }
    // Each node has one link for each of the four constructions around it.
    let leaving: BigUint = b.leaving.iter().map(|leave| leave.links.clone()).sum();
    assert_eq!(leaving, BigUint::from(4 * b.spots.len()));
}

#[test]
fn a_grid_of_any_size_is_walked_into_down_to_its_last_node() {
    for spec in [
        "torus(100003, 99991)",
        "mesh(2003, 2011)",
        "ring(1000000007)",
        "slimfly(1009)",
        "mesh(211, 199, 307)",
    ] {
        let built = build(spec).expect("a spec");
        let atlas = atlas(&built).expect("a plan");
        let last = built.order() - 1u8;
        let path = atlas.find(&last.to_string()).expect("the last node");
        assert_eq!(atlas.id(&path), Some(last), "{spec}");
        for depth in 0..path.len() {
            let view = look(&atlas, &path[..depth], 600);
            let shown = written(&path[..depth]);
            assert!(view.linked, "{spec} {shown}");
            // Cells without nodes are not shown, and the others have all nodes.
            let nodes: BigUint =
                view.spots.iter().map(|spot| atlas.plan().nodes_in(&spot.path)).sum();
            assert_eq!(nodes, atlas.plan().nodes_in(&path[..depth]), "{spec} {shown}");
            assert!(
                view.spots.iter().all(|spot| atlas.parse(&written(&spot.path)).is_ok()),
                "{spec}"
            );
        }
    }
}

#[test]
fn blocks_of_a_grid_are_joined_as_by_walking() {
    for spec in
        ["torus(101, 83)", "mesh(29, 23, 19)", "generalized_hypercube(83, 79)", "ring(7919)"]
    {
        let built = build(spec).expect("a spec");
        let walked = atlas(&built).expect("a plan");
        let ruled = Atlas::new(built.plan(), None, &built.order()).expect("the same plan");
        let last = walked.find(&(built.order() - 1u8).to_string()).expect("the last node");
        for depth in 0..last.len() {
            let (a, b) = (look(&walked, &last[..depth], 60), look(&ruled, &last[..depth], 60));
            assert!(b.linked && a.shown == b.shown, "{spec}");
            assert_eq!(bundles(&a).0, bundles(&b).0, "{spec} {}", written(&last[..depth]));
        }
    }
}
