//! What are the next sizes of a network, and what must be rewired on the way?
//!
//! Each integer of the outermost family is made larger by one, or by as much as so many hosts need; where hosts hang
//! at a network of switches, or it is copied in planes, each integer of that network too. A number of hosts is made
//! as large as is wanted, or as its switches allow. The present network grows without rewiring where all its links
//! are links of the larger one: then old nodes only gain links, at ports that must be free.
//! Old nodes are found in the larger network by their ids, by their addresses or by their order in a tier of switches,
//! whichever keeps more links.

use nestnet_graph::measure::{Interrupted, Watch};
use nestnet_graph::network::sorted_neighbors;
use nestnet_graph::{Address, Network, Node, json, kinds};
use nestnet_topologies::build::{Context, build_with, canonical};
use nestnet_topologies::family::hosts::base_of;
use nestnet_topologies::family::{Built, Kind, find};
use nestnet_topologies::spec::{Arg, Literal, Spec, SpecError};
use num_bigint::{BigInt, BigUint};
use serde::Serialize;
use thiserror::Error;

/// A network and its next sizes.
#[derive(Clone, Debug, Serialize)]
pub struct Growing {
    /// Its nodes.
    #[serde(serialize_with = "json::integer")]
    pub nodes: BigUint,
    /// Its links: pairs of nodes that are joined.
    #[serde(serialize_with = "json::integer")]
    pub links: BigUint,
    /// Its cables, of which a link may have several.
    #[serde(serialize_with = "json::integer")]
    pub cables: BigUint,
    /// What it can grow into.
    pub next: Vec<Growth>,
}

/// A larger network, and what becomes of the links.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Growth {
    /// The parameter that is larger.
    pub parameter: String,
    /// By how much it is.
    pub by: u64,
    /// The larger network.
    pub spec: Spec,
    /// Its nodes.
    #[serde(serialize_with = "json::integer")]
    pub nodes: BigUint,
    /// Its links: pairs of nodes that are joined.
    #[serde(serialize_with = "json::integer")]
    pub links: BigUint,
    /// Its cables, of which a link may have several.
    #[serde(serialize_with = "json::integer")]
    pub cables: BigUint,
    /// What becomes of the present links, where it is known.
    pub rewiring: Option<Rewiring>,
}

/// What becomes of links when a network grows; each of their cables counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Rewiring {
    /// Present cables that stay.
    #[serde(serialize_with = "json::integer")]
    pub kept: BigUint,
    /// Present cables that must go; they may be plugged in again as added ones.
    #[serde(serialize_with = "json::integer")]
    pub removed: BigUint,
    /// Cables that the larger network has beside those that stay.
    #[serde(serialize_with = "json::integer")]
    pub added: BigUint,
    /// The most ports that must be free at a present node, where cables were counted.
    pub ports: Option<u64>,
    /// The most ports that must be free at a present switch; none where every node is a host.
    pub switch_ports: Option<u64>,
    /// The most ports that must be free at a present host.
    pub host_ports: Option<u64>,
    /// How it is known.
    pub how: GrowthBy,
}

/// How it is known what becomes of the links.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum GrowthBy {
    /// Every link was looked up in both networks.
    Count,
    /// The larger network is made of copies of the present one.
    Construction,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum GrowError {
    /// No such network.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The caller stopped it.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}

kinds!(GrowError {
    inner: Spec, Interrupted;
});

/// Limit: nodes of a larger network whose moved links `grow` counts.
pub const MAX_COUNTED: u64 = 1 << 20;

/// The next sizes of the network that `text` means, one for each integer of its outermost family.
///
/// ```
/// use nestnet_analysis::grow::grow;
/// use nestnet_topologies::Context;
///
/// let dual = &grow("rdn(petersen, 1)", &Context::ALONE).unwrap()[0];
/// assert_eq!(dual.spec.to_string(), "rdn(petersen, 2)");
/// let rewiring = dual.rewiring.as_ref().unwrap();
/// assert_eq!((&rewiring.removed, rewiring.ports), (&0u8.into(), Some(1)));
/// ```
pub fn grow(text: &str, context: &Context<'_>) -> Result<Vec<Growth>, GrowError> {
    grow_to(text, None, context)
}

/// As [`grow`], but each integer is as much larger as it takes to have at least `hosts` hosts.
///
/// ```
/// use nestnet_analysis::grow::grow_to;
/// use nestnet_topologies::Context;
///
/// let found = grow_to("hosts(torus(4, 4), 2)", Some(48), &Context::ALONE).unwrap();
/// let specs: Vec<String> = found.iter().map(|growth| growth.spec.to_string()).collect();
/// assert_eq!(specs, ["hosts(torus(4, 4), 3)", "hosts(torus(6, 4), 2)", "hosts(torus(4, 6), 2)"]);
/// ```
pub fn grow_to(
    text: &str,
    hosts: Option<u64>,
    context: &Context<'_>,
) -> Result<Vec<Growth>, GrowError> {
    let spec = Spec::parse(text)?;
    let built = build_with(&spec, text, context)?;
    let spec = canonical(&spec, text)?;
    let mut growths = Vec::new();
    for param in parameters(&spec, hosts.is_some()) {
        let found = match param.counts_hosts {
            true => resized(&spec, &param, hosts, &built, context)?,
            false => first(&|by| next(&spec, &param.path, by), hosts, &built, context)?,
        };
        let further = match (&found, hosts) {
            (None, Some(_)) if param.counts_hosts => {
                resized_with_another(&spec, &param, hosts, &built, context)?
            }
            _ => Vec::new(),
        };
        let found = found.map(|found| (param.parameter, found));
        for (parameter, found) in found.into_iter().chain(further) {
            growths.push(growth(&spec, parameter, found, &built, context)?);
        }
    }
    Ok(growths)
}

/// Where the switches of the present network have not room for so many hosts: with that number and another integer beside
/// it larger by one, such as a further level.
fn resized_with_another(
    spec: &Spec,
    param: &Parameter,
    hosts: Option<u64>,
    built: &Built,
    context: &Context<'_>,
) -> Result<Vec<(String, Larger)>, GrowError> {
    let is_beside = |other: &Parameter| {
        let (own, beside) = (param.path.split_last(), other.path.split_last());
        own.zip(beside).is_some_and(|((a, near), (b, far))| a != b && near == far)
    };
    let others = parameters(spec, false).into_iter().filter(|one| !one.counts_hosts);
    let mut all = Vec::new();
    for other in others.filter(is_beside) {
        let larger = next(spec, &other.path, 1);
        if let Some((_, larger, whole)) = resized(&larger, param, hosts, built, context)? {
            all.push((other.parameter, (1, larger, whole)));
        }
    }
    Ok(all)
}

/// An integer of a spec that can be larger.
struct Parameter {
    /// The argument at each depth.
    path: Vec<usize>,
    /// Its name, with the family where that is not the outermost one.
    parameter: String,
    /// Whether it is the number of all hosts, see [`nestnet_topologies::family::Facts`].
    counts_hosts: bool,
}

/// The integers of a spec, and after them those of the network that hosts hang at or that is copied in planes.
fn parameters(spec: &Spec, named: bool) -> Vec<Parameter> {
    let counts_hosts = |place: usize| {
        let fact = find(&spec.name).and_then(|family| family.facts.all_hosts);
        fact.is_some() && spec.args[place].key.as_deref() == fact
    };
    let integer = |place: &usize| matches!(spec.args[*place].value, Literal::Integer(_));
    let places = (0..spec.args.len()).filter(integer);
    let places =
        places.filter(|&place| named || spec.args[place].key.is_none() || counts_hosts(place));
    let mut all: Vec<Parameter> = places
        .map(|place| Parameter {
            path: vec![place],
            parameter: parameter(spec, place),
            counts_hosts: counts_hosts(place),
        })
        .collect();
    for (place, arg) in spec.args.iter().enumerate() {
        let Literal::Spec(inner) = &arg.value else { continue };
        if base_of(spec).is_none() && !takes_fabric(spec, place) {
            continue;
        }
        all.extend(parameters(inner, named).into_iter().map(|param| Parameter {
            path: [place].into_iter().chain(param.path.iter().copied()).collect(),
            parameter: match param.path.len() {
                1 => format!("{} of {}", param.parameter, inner.name),
                _ => param.parameter,
            },
            ..param
        }));
    }
    all
}

/// Whether the parameter at that place is a network of hosts and switches.
fn takes_fabric(spec: &Spec, place: usize) -> bool {
    let param = find(&spec.name).and_then(|family| family.params.get(place));
    param.is_some_and(|param| matches!(param.kind, Kind::Fabric))
}

/// With the number of hosts that is wanted, or where none is with as many as fit: those that the network has where the
/// number is not given.
fn resized(
    spec: &Spec,
    param: &Parameter,
    hosts: Option<u64>,
    built: &Built,
    context: &Context<'_>,
) -> Result<Option<Larger>, GrowError> {
    let present = built.theory.hosts();
    let wanted = match hosts {
        Some(hosts) => BigUint::from(hosts),
        None => {
            let mut full = spec.clone();
            let Some((family, place)) = family_at(&mut full, &param.path) else { return Ok(None) };
            family.args.remove(place);
            match build_with(&full, &full.to_string(), context) {
                Ok(full) => full.theory.hosts(),
                Err(_) => return Ok(None),
            }
        }
    };
    let larger = |by: u64| next(spec, &param.path, by);
    if wanted <= present {
        // There are as many already: any larger network will do, but only where that was asked.
        return if hosts.is_some() { first(&larger, hosts, built, context) } else { Ok(None) };
    }
    let mut whole = spec.clone();
    let value = family_at(&mut whole, &param.path).map(|(family, place)| &family.args[place].value);
    let Some(Literal::Integer(value)) = value else { return Ok(None) };
    let Ok(by) = u64::try_from(BigInt::from(wanted.clone()) - value) else { return Ok(None) };
    let spec = larger(by);
    // More than its switches can have are refused.
    let Ok(whole) = build_with(&spec, &spec.to_string(), context) else { return Ok(None) };
    let grows = whole.order() > built.order() && whole.theory.hosts() >= wanted;
    Ok((grows && whole.theory.connected()).then_some((by, spec, whole)))
}

/// The family that has the argument at the end of a path, and its place there.
fn family_at<'a>(spec: &'a mut Spec, path: &[usize]) -> Option<(&'a mut Spec, usize)> {
    match path {
        [] => None,
        [place] => (*place < spec.args.len()).then_some((spec, *place)),
        [place, rest @ ..] => match &mut spec.args.get_mut(*place)?.value {
            Literal::Spec(inner) => family_at(inner, rest),
            _ => None,
        },
    }
}

/// The largest network of the same construction, with one integer smaller, that `fits`; of several the largest of all.
/// Where no integer of the outermost family leads to one, those of the networks in it are tried.
///
/// An integer is found by halving, which is exact where every smaller one fits too. O(log of the integers) builds.
///
/// ```
/// use nestnet_analysis::grow::shrink;
/// use nestnet_topologies::Context;
///
/// let small = shrink("rdn(torus(5, 5), 4)", &Context::ALONE, &|built| built.network.is_some());
/// assert_eq!(small.unwrap().unwrap().to_string(), "rdn(torus(5, 5), 3)");
/// ```
pub fn shrink(
    text: &str,
    context: &Context<'_>,
    fits: &dyn Fn(&Built) -> bool,
) -> Result<Option<Spec>, GrowError> {
    let spec = Spec::parse(text)?;
    let spec = canonical(&spec, text)?;
    let order = |spec: &Spec| -> Option<BigUint> {
        let built = build_with(spec, &spec.to_string(), context).ok()?;
        (built.theory.connected() && fits(&built)).then(|| built.order())
    };
    smaller(&spec, &|spec| spec, &order, context)
}

/// The largest that fits of those with one integer of `spec` smaller, where `whole` puts it into what is built.
fn smaller(
    spec: &Spec,
    whole: &dyn Fn(Spec) -> Spec,
    order: &dyn Fn(&Spec) -> Option<BigUint>,
    context: &Context<'_>,
) -> Result<Option<Spec>, GrowError> {
    let mut best: Option<(BigUint, Spec)> = None;
    for place in 0..spec.args.len() {
        let Arg { key: None, value: Literal::Integer(value), .. } = &spec.args[place] else {
            continue;
        };
        let made = |value: &BigInt| {
            let mut smaller = spec.clone();
            smaller.args[place].value = Literal::Integer(value.clone());
            whole(smaller)
        };
        let mut high = value.clone();
        let mut low = &high / 2;
        let mut found = None;
        while found.is_none() && low > BigInt::ZERO {
            context.budget.watch.check()?;
            found = order(&made(&low));
            if found.is_none() {
                low = &low / 2;
                high = &high / 2;
            }
        }
        let Some(mut found) = found else { continue };
        while &high - &low > BigInt::from(1) {
            context.budget.watch.check()?;
            let middle = (&low + &high) / 2;
            match order(&made(&middle)) {
                Some(nodes) => (found, low) = (nodes, middle),
                None => high = middle,
            }
        }
        if best.as_ref().is_none_or(|(nodes, _)| *nodes < found) {
            best = Some((found, made(&low)));
        }
    }
    for (place, arg) in spec.args.iter().enumerate() {
        let Literal::Spec(inner) = &arg.value else { continue };
        if best.is_some() || inner.args.is_empty() {
            continue;
        }
        let outer = |inner: Spec| {
            let mut outer = spec.clone();
            outer.args[place].value = Literal::Spec(inner);
            whole(outer)
        };
        let found = smaller(inner, &outer, order, context)?;
        best = found.and_then(|found| Some((order(&found)?, found)));
    }
    Ok(best.map(|(_, spec)| spec))
}

/// A larger network, and by how much its parameter is.
type Larger = (u64, Spec, Built);

/// The first that is larger and has enough hosts: one more of the parameter, or where so many hosts are wanted the
/// least that a search by doubling and halving finds.
fn first(
    larger: &dyn Fn(u64) -> Spec,
    hosts: Option<u64>,
    built: &Built,
    context: &Context<'_>,
) -> Result<Option<Larger>, GrowError> {
    /// No parameter grows by more.
    const MOST: u64 = 1 << 14;
    let try_one = |by: u64| -> Option<Larger> {
        let spec = larger(by);
        // What the family does not take cannot grow: a field has a prime power of elements.
        let whole = build_with(&spec, &spec.to_string(), context).ok()?;
        let enough = hosts.is_none_or(|hosts| whole.theory.hosts() >= hosts.into());
        let grows = whole.order() > built.order() && whole.theory.connected();
        (grows && enough).then_some((by, spec, whole))
    };
    if hosts.is_none() {
        return Ok(try_one(1));
    }
    let (mut low, mut by) = (0, 1);
    let mut best = loop {
        context.budget.watch.check()?;
        match try_one(by) {
            Some(found) => break found,
            None if by >= MOST => return Ok(None),
            None => (low, by) = (by, 2 * by),
        }
    };
    while best.0 - low > 1 {
        context.budget.watch.check()?;
        let middle = low + (best.0 - low) / 2;
        match try_one(middle) {
            Some(found) => best = found,
            None => low = middle,
        }
    }
    Ok(Some(best))
}

fn growth(
    spec: &Spec,
    parameter: String,
    (by, larger, whole): Larger,
    built: &Built,
    context: &Context<'_>,
) -> Result<Growth, GrowError> {
    let rewiring = rewiring(spec, &parameter, built, &whole, &context.budget.watch)?;
    let (nodes, degrees) = (whole.order(), whole.theory.degrees());
    let (links, cables) = (degrees.links, degrees.cables);
    Ok(Growth { parameter, by, spec: larger, nodes, links, cables, rewiring })
}

/// The same spec with one integer larger.
fn next(spec: &Spec, path: &[usize], by: u64) -> Spec {
    let mut larger = spec.clone();
    if let Some((family, place)) = family_at(&mut larger, path)
        && let Literal::Integer(value) = &mut family.args[place].value
    {
        *value += BigInt::from(by);
    }
    larger
}

/// The name of the parameter at that place; sides are counted from 1.
fn parameter(spec: &Spec, place: usize) -> String {
    let Some(family) = find(&spec.name) else { return String::new() };
    if let Some(key) = &spec.args[place].key {
        return key.clone();
    }
    let last = family.params.len().saturating_sub(1);
    let param = family.params[place.min(last)];
    match param.kind {
        Kind::Integers { .. } => format!("{} {}", param.name, place + 1 - place.min(last)),
        _ => param.name.to_owned(),
    }
}

fn rewiring(
    spec: &Spec,
    parameter: &str,
    old: &Built,
    new: &Built,
    watch: &Watch<'_>,
) -> Result<Option<Rewiring>, Interrupted> {
    let small = |network: &dyn Network| network.order() <= MAX_COUNTED;
    if let (Some(old), Some(new)) = (old.network.as_deref(), new.network.as_deref())
        && small(new)
    {
        return Ok(Some(count(old, new, watch)?));
    }
    let (before, after) = (old.theory.degrees().cables, new.theory.degrees().cables);
    Ok(is_made_of_copies(spec, parameter).then(|| Rewiring {
        added: &after - &before,
        kept: before,
        removed: BigUint::ZERO,
        ports: None,
        switch_ports: None,
        host_ports: None,
        how: GrowthBy::Construction,
    }))
}

/// Whether one more of the parameter adds copies and leaves the present network as one of them.
fn is_made_of_copies(spec: &Spec, parameter: &str) -> bool {
    // Words may make the links of a level depend on how many levels there are.
    let plain = spec.args.iter().all(|arg| arg.key.is_none());
    plain && find(&spec.name).is_some_and(|family| family.facts.grows_by == Some(parameter))
}

/// Looks up every link, by the best of the ways to find old nodes in the new network.
fn count(old: &dyn Network, new: &dyn Network, watch: &Watch<'_>) -> Result<Rewiring, Interrupted> {
    let ids: Vec<u64> = (0..old.order()).collect();
    let mut best = count_by(old, new, &ids, watch)?;
    let mut addresses = Some(Vec::new());
    for id in 0..old.order() {
        watch.check_each(id)?;
        let Some((map, place)) = addresses.as_mut().zip(place(old, new, Node(id))) else {
            addresses = None;
            break;
        };
        map.push(place);
    }
    for map in addresses.into_iter().chain(by_tiers(old, new)).filter(|map| *map != ids) {
        let other = count_by(old, new, &map, watch)?;
        if other.kept > best.kept {
            best = other;
        }
    }
    Ok(best)
}

/// The old nodes of each tier in their order as the first of that tier in the new network, where it has as many; none where
/// every node is a host.
fn by_tiers(old: &dyn Network, new: &dyn Network) -> Option<Vec<u64>> {
    if old.hosts() == old.order() {
        return None;
    }
    let mut places: Vec<std::vec::IntoIter<u64>> =
        tiers(new).into_iter().map(Vec::into_iter).collect();
    let mut map = vec![0; usize::try_from(old.order()).ok()?];
    for (number, tier) in tiers(old).into_iter().enumerate() {
        for node in tier {
            map[usize::try_from(node).ok()?] = places.get_mut(number)?.next()?;
        }
    }
    Some(map)
}

/// The nodes by how many links they are away from the nearest host, each tier in order; those that reach none at the end.
/// O(links).
fn tiers(network: &dyn Network) -> Vec<Vec<u64>> {
    let index = |id: u64| usize::try_from(id).expect("a node of a small network");
    let mut is_seen = vec![false; index(network.order())];
    let mut tier: Vec<u64> = (0..network.hosts()).collect();
    let mut all = Vec::new();
    while !tier.is_empty() {
        tier.iter().for_each(|&node| is_seen[index(node)] = true);
        let mut next = Vec::new();
        for &at in &tier {
            network.for_each_neighbor(Node(at), &mut |_, to| {
                if !is_seen[index(to.0)] {
                    is_seen[index(to.0)] = true;
                    next.push(to.0);
                }
            });
        }
        next.sort_unstable();
        all.push(std::mem::replace(&mut tier, next));
    }
    all.push((0..network.order()).filter(|&node| !is_seen[index(node)]).collect());
    all
}

/// The node of the new network with the address of an old one, as far as the two are written alike.
fn place(old: &dyn Network, new: &dyn Network, at: Node) -> Option<u64> {
    let address = old.address(at);
    if let Some(node) = new.node(&address) {
        return Some(node.0);
    }
    // One more digit in front.
    let Address::Tuple(parts) = address else { return None };
    let zero = match new.address(Node(0)) {
        Address::Tuple(zero) if zero.len() > parts.len() => zero,
        _ => return None,
    };
    let missing = zero.len() - parts.len();
    let longer = zero.into_iter().take(missing).chain(parts).collect();
    new.node(&Address::Tuple(longer)).map(|node| node.0)
}

fn count_by(
    old: &dyn Network,
    new: &dyn Network,
    map: &[u64],
    watch: &Watch<'_>,
) -> Result<Rewiring, Interrupted> {
    let index = |id: u64| usize::try_from(id).expect("a node of a small network");
    let (mut before, mut kept) = (0u64, 0u64);
    let (mut host_ports, mut switch_ports) = (0u64, 0u64);
    for at in 0..old.order() {
        watch.check_each(at)?;
        let ends = sorted_neighbors(new, Node(map[index(at)]));
        let mut own_ends = Vec::new();
        old.for_each_neighbor(Node(at), &mut |_, to| own_ends.push(Node(map[index(to.0)])));
        own_ends.sort_unstable();
        // Each cable of a link for itself: both are in order.
        let (own, mut same, mut left) = (own_ends.len() as u64, 0u64, ends.as_slice());
        for to in own_ends {
            left = &left[left.partition_point(|&end| end < to)..];
            if left.first() == Some(&to) {
                (same, left) = (same + 1, &left[1..]);
            }
        }
        before += own;
        kept += same;
        // A link that goes leaves its port to a new one.
        let ports = if at < old.hosts() { &mut host_ports } else { &mut switch_ports };
        *ports = (*ports).max((ends.len() as u64).saturating_sub(own));
    }
    let mut after = 0u64;
    for at in 0..new.order() {
        watch.check_each(at)?;
        new.for_each_neighbor(Node(at), &mut |_, _| after += 1);
    }
    let half = |ends: u64| BigUint::from(ends / 2);
    Ok(Rewiring {
        kept: half(kept),
        removed: half(before - kept),
        added: half(after - kept),
        ports: Some(host_ports.max(switch_ports)),
        switch_ports: (old.hosts() < old.order()).then_some(switch_ports),
        host_ports: Some(host_ports),
        how: GrowthBy::Count,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use nestnet_topologies::family::families;
    use num_traits::ToPrimitive;
    use std::collections::BTreeSet;

    fn grown(text: &str) -> Vec<Growth> {
        grow(text, &Context::ALONE).unwrap()
    }

    fn removed(text: &str) -> Vec<(String, u64)> {
        let of = |growth: &Growth| {
            let removed = &growth.rewiring.as_ref().unwrap().removed;
            (growth.parameter.clone(), removed.to_u64().unwrap())
        };
        grown(text).iter().map(of).collect()
    }

    #[test]
    fn recursive_families_only_gain_links() {
        let cases = [
            ("rdn(ring(3), 1)", "k"),
            ("rsn(ring(3), 2)", "levels"),
            ("hsn(ring(3), 2)", "levels"),
            ("wk(4, 2)", "t"),
            ("symmetric_hypernet(ring(4), 2)", "l"),
            ("folded(petersen, 2)", "n"),
            ("root_folded(ring(4), 2)", "n"),
            ("flooded(ring(4), 2)", "n"),
            ("re(ring(4), ring(3), 2)", "r"),
            ("hypercube(4)", "n"),
        ];
        let named: BTreeSet<&str> =
            cases.iter().filter_map(|(text, _)| text.split('(').next()).collect();
        let rows = families().filter(|family| family.facts.grows_by.is_some());
        assert_eq!(named, rows.map(|family| family.name).collect());
        for (text, parameter) in cases {
            let spec = Spec::parse(text).unwrap();
            assert!(is_made_of_copies(&spec, parameter), "{text}");
            let all = removed(text);
            let (_, links) = all.iter().find(|(name, _)| name == parameter).expect(text);
            assert_eq!(*links, 0, "{text}");
        }
    }

    #[test]
    fn a_torus_must_be_rewired() {
        // Five rings wrap around along the first side, four along the second.
        let sides = [("sides 1".to_owned(), 5), ("sides 2".to_owned(), 4)];
        assert_eq!(removed("torus(4, 5)"), sides);
        assert_eq!(removed("mesh(4, 5)"), [("sides 1".to_owned(), 0), ("sides 2".to_owned(), 0)]);
        assert_eq!(removed("ring(7)"), [("n".to_owned(), 1)]);
    }

    #[test]
    fn large_networks_grow_by_construction() {
        let growth = &grown("rdn(torus(5, 5), 2)")[0];
        assert_eq!(growth.nodes, 19_531_250_000_000u64.into());
        let rewiring = growth.rewiring.as_ref().unwrap();
        assert_eq!((rewiring.how, &rewiring.removed), (GrowthBy::Construction, &BigUint::ZERO));
        assert!(grown("torus(1000, 1000)")[0].rewiring.is_some());
        assert!(grown("torus(2000, 2000)")[0].rewiring.is_none());
    }

    #[test]
    fn a_fabric_grows_to_so_many_hosts() {
        let found = grow_to("clos(8, 2, 2)", Some(60), &Context::ALONE).unwrap();
        for growth in &found {
            let whole = nestnet_topologies::build(&growth.spec.to_string()).unwrap();
            assert!(whole.theory.hosts() >= 60u8.into(), "{}", growth.spec);
        }
        assert!(found.iter().any(|growth| growth.parameter == "radix" && growth.by > 1));
        // One fewer of the parameter is not enough.
        let found = grow_to("hosts(ring(5), 2)", Some(33), &Context::ALONE).unwrap();
        let by = found.iter().map(|growth| (growth.spec.to_string(), growth.by));
        let expected = [("hosts(ring(5), 7)".to_owned(), 5), ("hosts(ring(17), 2)".to_owned(), 12)];
        assert_eq!(by.collect::<Vec<_>>(), expected);
        // Hosts that are given by name are a parameter as well.
        let found = grow_to("clos(16, 3, 2, 256)", Some(500), &Context::ALONE).unwrap();
        assert!(found.iter().any(|growth| growth.parameter == "hosts"));
    }

    #[test]
    fn a_number_of_hosts_is_the_one_that_is_wanted_or_all_that_fit() {
        let hosts = |text: &str, hosts: Option<u64>| {
            let found = grow_to(text, hosts, &Context::ALONE).unwrap();
            let of = |growth: &Growth| {
                let is_hosts = growth.parameter.starts_with("hosts");
                is_hosts.then(|| (growth.spec.to_string(), growth.by))
            };
            found.iter().find_map(of)
        };
        let full = ("clos(16, 2, taper=1, hosts=128)".to_owned(), 64);
        assert_eq!(hosts("clos(16, 2, 1, 64)", None), Some(full));
        assert_eq!(hosts("clos(16, 2, 1, 128)", None), None);
        // 100 hosts are on thirteen leaves of eight, as are 97.
        let wanted = ("clos(16, 2, taper=1, hosts=100)".to_owned(), 36);
        assert_eq!(hosts("clos(16, 2, 1, 64)", Some(100)), Some(wanted));
        assert_eq!(hosts("clos(16, 2, 1, 64)", Some(129)), None);
        let planes = ("planes(clos(16, 2, taper=1, hosts=128), 2)".to_owned(), 64);
        assert_eq!(hosts("planes(clos(16, 2, 1, 64), 2)", None), Some(planes));
    }

    #[test]
    fn the_cables_of_a_larger_network_are_those_that_stay_and_those_that_are_added() {
        for text in ["clos(16, 2, 1, 64)", "hosts(torus(4, 4), 2)", "rdn(petersen, 1)"] {
            let cables = nestnet_topologies::build(text).unwrap().theory.degrees().cables;
            for Growth { rewiring, cables: after, .. } in grown(text) {
                let Rewiring { kept, removed, added, .. } = rewiring.unwrap();
                assert_eq!(&kept + removed, cables, "{text}");
                assert_eq!(kept + added, after, "{text}");
            }
        }
    }

    /// Leaves keep their hosts, though pods are others and the switches have other numbers.
    #[test]
    fn hosts_of_a_folded_clos_network_stay_at_their_leaves() {
        for (text, hosts, larger) in [
            ("clos(16, 3, 1, 256)", 900, "clos(16, 3, taper=1, hosts=900)"),
            ("clos(16, 2, 1, 128)", 900, "clos(16, 3, taper=1, hosts=900)"),
        ] {
            let found = grow_to(text, Some(hosts), &Context::ALONE).unwrap();
            let growth = found.iter().find(|growth| growth.spec.to_string() == larger).expect(text);
            let built = nestnet_topologies::build(text).unwrap();
            let kept = &growth.rewiring.as_ref().unwrap().kept;
            assert!(*kept >= built.theory.hosts(), "{text}: {kept}");
        }
    }

    #[test]
    fn ports_of_hosts_and_of_switches_are_apart() {
        // A further level of BCube takes a port of each server and none of a switch.
        let bcube = grown("bcube(4, 1)");
        let level = bcube.iter().find(|growth| growth.spec.to_string() == "bcube(4, 2)").unwrap();
        let Rewiring { ports, switch_ports, host_ports, .. } = level.rewiring.as_ref().unwrap();
        assert_eq!((*ports, *switch_ports, *host_ports), (Some(1), Some(0), Some(1)));
        let torus = grown("mesh(4, 4)").remove(0).rewiring.unwrap();
        assert_eq!((torus.switch_ports, torus.host_ports), (None, torus.ports));
    }

    #[test]
    fn what_cannot_grow_says_so() {
        assert!(grown("petersen").is_empty());
        // Seven is a prime power, and six is none.
        assert!(grown("polarfly(5)").is_empty());
    }
}
