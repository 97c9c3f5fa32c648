//! Which rows of the table are searched, and which of their networks does a row skip?

use super::DesignError;
use super::candidate::Topology;
use nestnet_topologies::build::{Context, stands_for};
use nestnet_topologies::family::{Below, Family, Instance, Kind, Make, closest, families};
use nestnet_topologies::spec::Spec;

/// Rows that depend on no other network.
pub(super) fn simple() -> impl Iterator<Item = &'static Family> {
    built().filter(|family| family.bases() == 0 && !takes_text(family))
}

/// Rows that depend on another network.
pub(super) fn constructions() -> impl Iterator<Item = &'static Family> {
    built().filter(|family| family.bases() > 0)
}

/// Aliases mean specs that are searched anyway.
fn built() -> impl Iterator<Item = &'static Family> {
    families().filter(|family| matches!(family.make, Make::Build(_)) && family.facts.searched)
}

/// The names that may be searched for: of rows, and of aliases for them.
pub(super) fn all() -> impl Iterator<Item = &'static str> {
    families().map(|family| family.name).filter(|name| searched_as(name).is_some())
}

/// The row that is searched under a name: its own, or for an alias that of what it means.
pub(super) fn searched_as(name: &str) -> Option<&'static str> {
    let row = families().find(|family| family.name == name)?;
    let name = match row.make {
        Make::Build(_) => row.name.to_owned(),
        Make::Alias(_) => {
            let example = row.examples.first()?;
            let spec = Spec::parse(example).ok()?;
            stands_for(&spec, example, &Context::ALONE).ok()??.name
        }
    };
    simple().chain(constructions()).map(|family| family.name).find(|known| *known == name)
}

/// Whether a row is searched where these are asked for, any where none is.
pub(super) fn searches(names: &[String]) -> impl Fn(&Family) -> bool + Sync + use<> {
    let any = names.is_empty();
    let wanted: Vec<&str> = names.iter().filter_map(|name| searched_as(name)).collect();
    move |family| any || wanted.contains(&family.name)
}

/// An error where no such size is near another, or one of the names is not searched. `also` is searched by no space.
pub(super) fn check(
    tolerance: f64,
    names: &[String],
    also: Option<&'static str>,
) -> Result<(), DesignError> {
    if !(0.0..=1.0).contains(&tolerance) {
        return Err(DesignError::Tolerance(tolerance * 100.0));
    }
    let known = || all().chain(also);
    match names.iter().find(|name| !known().any(|known| known == *name)) {
        None => Ok(()),
        Some(name) => {
            let hint = match closest(name, known()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("there are {}", known().collect::<Vec<_>>().join(", ")),
            };
            Err(DesignError::Family { name: name.clone(), hint })
        }
    }
}

fn takes_text(family: &Family) -> bool {
    family.params.iter().any(|param| param.kind == Kind::Text)
}

/// Whether a network that depends on no other is skipped.
pub(super) fn is_left_out(family: &Family, integers: &[u64], word: Option<&str>) -> bool {
    (family.facts.left_out)(&Instance { integers, word, base: None })
}

/// Whether a construction on `base` is skipped.
pub(super) fn is_left_out_on(
    family: &Family,
    integers: &[u64],
    word: Option<&str>,
    base: &Topology,
) -> bool {
    let below = Below { same: base.family().name == family.name, order: base.size };
    (family.facts.left_out)(&Instance { integers, word, base: Some(below) })
}
