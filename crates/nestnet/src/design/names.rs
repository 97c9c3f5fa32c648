//! Which rows of the table are searched, and which of their networks has a row left out?

use super::made::Made;
use crate::family::{Below, Family, Instance, Kind, Make, families};

/// Rows that stand on no other network.
pub(super) fn simple() -> impl Iterator<Item = &'static Family> {
    built().filter(|family| family.bases() == 0 && !takes_text(family))
}

/// Rows that stand on another network.
pub(super) fn constructions() -> impl Iterator<Item = &'static Family> {
    built().filter(|family| family.bases() > 0)
}

/// Aliases stand for specs that are searched anyway.
fn built() -> impl Iterator<Item = &'static Family> {
    families().filter(|family| matches!(family.make, Make::Build(_)))
}

fn takes_text(family: &Family) -> bool {
    family.params.iter().any(|param| param.kind == Kind::Text)
}

/// Whether a network that stands on no other is left out.
pub(super) fn is_left_out(family: &Family, integers: &[u64], word: Option<&str>) -> bool {
    (family.facts.left_out)(&Instance { integers, word, base: None })
}

/// Whether a construction upon `base` is left out.
pub(super) fn is_left_out_upon(
    family: &Family,
    integers: &[u64],
    word: Option<&str>,
    base: &Made,
) -> bool {
    let below = Below { same: base.family().name == family.name, order: base.size };
    (family.facts.left_out)(&Instance { integers, word, base: Some(below) })
}
