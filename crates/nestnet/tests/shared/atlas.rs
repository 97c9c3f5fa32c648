//! Views of a network, and the links that they show.

use nestnet::draw::atlas::Atlas;
use nestnet::draw::view::{Most, View, view};
use nestnet::{Built, Watch};
use num_bigint::BigUint;
use std::collections::BTreeMap;

pub fn atlas(built: &Built) -> Option<Atlas> {
    Atlas::new(built.plan(), built.network.clone(), &built.order()).ok()
}

pub fn look(atlas: &Atlas, path: &[u64], dots: u64) -> View {
    let most = Most { dots, lines: 5 * dots };
    view(atlas, path, most, &Watch::SILENT).expect("a view")
}

/// Links by the ends between which they are, and those that leave by how far.
type Bundles = (BTreeMap<(Vec<u64>, Vec<u64>, u16), BigUint>, BTreeMap<(Vec<u64>, usize), BigUint>);

pub fn bundles(view: &View) -> Bundles {
    let (mut links, mut leaving) = (BTreeMap::new(), BTreeMap::new());
    for strand in &view.strands {
        let cord = &strand.cord;
        let ends = (view.spots[cord.from].path.clone(), view.spots[cord.to].path.clone());
        *links.entry((ends.0, ends.1, cord.level)).or_insert(BigUint::ZERO) += &cord.links;
    }
    for leave in &view.leaving {
        let from = view.spots[leave.spot].path.clone();
        *leaving.entry((from, leave.layer)).or_insert(BigUint::ZERO) += &leave.links;
    }
    leaving.retain(|_, links| *links > BigUint::ZERO);
    (links, leaving)
}
