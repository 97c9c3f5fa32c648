//! Which networks does a simpler spec name too, link by link? The search makes only that one.
//!
//! Networks that are the same only up to the names of their nodes are all made: an expansion tells nodes apart by number.

use super::made::Made;
use crate::family::{Family, Kind, Make, families};

/// Rows that stand on no other network.
pub(super) fn simple() -> impl Iterator<Item = &'static Family> {
    built().filter(|family| bases(family) == 0 && !takes_text(family))
}

/// Rows that stand on another network.
pub(super) fn constructions() -> impl Iterator<Item = &'static Family> {
    built().filter(|family| bases(family) > 0)
}

/// Aliases stand for specs that are searched anyway.
fn built() -> impl Iterator<Item = &'static Family> {
    families().filter(|family| matches!(family.make, Make::Build(_)))
}

/// How many networks a row takes.
pub(super) fn bases(family: &Family) -> usize {
    let is_network = |kind: Kind| matches!(kind, Kind::Network | Kind::Networks);
    family.params.iter().filter(|param| is_network(param.kind)).count()
}

fn takes_text(family: &Family) -> bool {
    family.params.iter().any(|param| param.kind == Kind::Text)
}

/// Whether a row takes any number of sides.
pub(super) fn is_grid(family: &Family) -> bool {
    family.params.iter().any(|param| matches!(param.kind, Kind::Integers { .. }))
}

/// Whether a row is drawn by lot, and is as large as its stored links.
pub(super) fn is_drawn(family: &Family) -> bool {
    family.params.iter().any(|param| param.name == "seed")
}

/// The least value and the largest of every integer that must be given.
pub(super) fn integers(family: &Family) -> Vec<(u64, u64)> {
    let required = family.params.iter().filter(|param| !param.keyed);
    let range = |kind| match kind {
        Kind::Integer { min, max } => Some((min, max)),
        _ => None,
    };
    required.filter_map(|param| range(param.kind)).collect()
}

/// The words that a row takes; none where it takes none.
pub(super) fn words(family: &Family) -> Vec<Option<&'static str>> {
    let words = family.params.iter().find_map(|param| match param.kind {
        Kind::Word(words) => Some(words),
        _ => None,
    });
    words.map_or_else(|| vec![None], |words| words.iter().copied().map(Some).collect())
}

/// Whether a network that stands on no other has a simpler name.
pub(super) fn has_simpler_name(family: &Family, integers: &[u64]) -> bool {
    let first = integers.first().copied().unwrap_or(0);
    let second = integers.get(1).copied().unwrap_or(0);
    match family.name {
        // Complete graphs.
        "ring" => first <= 3,
        "path" | "star" | "star_graph" => first <= 2,
        "complete" | "hypercube" | "ccc" => first <= 1,
        // A star of three nodes, a complete graph of four.
        "tree" | "folded_hypercube" => first <= 2,
        "hypernet" => second == 1,
        "wk" => first == 1 || second == 1,
        "debruijn" => second == 1,
        "kautz" => first == 1 || second == 1,
        "dragonfly" | "re_heawood2" => first == 1,
        // Rings and cubes.
        "rcr" => match integers {
            [k, r, _] => *k == 0 || *r == 1,
            _ => false,
        },
        // One side is a ring, path or complete graph, sides of 2 are a cube, and sides of up to 3 those of a torus.
        "torus" | "mesh" | "generalized_hypercube" => {
            let cube = integers.iter().all(|&side| side == 2);
            let torus = integers.iter().all(|&side| side <= 3) && family.name != "mesh";
            let other = family.name != "torus" && torus;
            integers.len() == 1 || integers.contains(&1) || cube || other
        }
        _ => false,
    }
}

/// Whether a construction upon `base` has a simpler name: one more level of the same, or a level that two rows share.
/// Expansions of expansions are not searched.
pub(super) fn is_nested_more_simply(
    family: &Family,
    integers: &[u64],
    word: Option<&str>,
    base: &Made,
) -> bool {
    let same = base.family().name == family.name;
    match family.name {
        "rdn" | "folded" | "re" => same,
        // Diameter links at some levels but not at all of them have no other name, unless only the top has them.
        "rsn" => same && (integers == [2] || word == words(family)[0]),
        // Of two digits it is the swapped network of two levels.
        "hsn" | "symmetric_hypernet" => integers == [2],
        "sn" => match integers {
            [h, at] => *at == 0 && base.size == 1 << h.min(&127),
            _ => false,
        },
        _ => false,
    }
}
