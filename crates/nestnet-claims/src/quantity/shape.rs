//! Quantities of nodes and links.

use super::error::QuantityError;
use super::row::Takes::{Network as N, Node as V, Number as I};
use super::row::{Given, Quantity};
use crate::{Lab, Sample, Value};
use nestnet_graph::measure::load::channel_load;
use nestnet_graph::measure::structure::components;
use nestnet_graph::measure::symmetry::symmetry;
use nestnet_graph::{Csr, Network, Node, Port};
use std::collections::HashMap;

/// The rows of this file.
pub const ROWS: &[Quantity] = &[
    Quantity::new("levels", &[N], levels, "levels of links").shown_by("nestnet info '{0}'"),
    Quantity::new("links_at", &[N, I], links_at, "links of one level, 0 innermost")
        .shown_by("nestnet info '{0}'"),
    Quantity::new("adjacent", &[N, V, V], adjacent, "whether two nodes are linked")
        .shown_by("nestnet neighbors '{0}' '{1}'"),
    Quantity::new("degree_at", &[N, V], degree_at, "links of a node")
        .shown_by("nestnet neighbors '{0}' '{1}'"),
    Quantity::new("neighbors", &[N, V], neighbors, "the ids of the neighbors, ascending")
        .shown_by("nestnet neighbors '{0}' '{1}'"),
    Quantity::new("address", &[N, V], address, "a node as its paper writes it")
        .shown_by("nestnet neighbors '{0}' '{1}'"),
    Quantity::new("id", &[N, V], id_of, "the id of an address")
        .shown_by("nestnet neighbors '{0}' '{1}'"),
    Quantity::new("distance", &[N, V, V], distance, "links of a shortest path")
        .by_rule_above(MAX_SEARCHED)
        .shown_by("nestnet route '{0}' '{1}' '{2}' --router shortest"),
    Quantity::new("eccentricity", &[N, V], eccentricity, "links to the farthest node")
        .shown_by("nestnet measure '{0}' --only diameter,radius"),
    Quantity::new(
        "isomorphic",
        &[N, N],
        isomorphic,
        "whether two connected networks are the same but for names",
    )
    .shown_by("nestnet compare '{0}' '{1}'"),
    Quantity::new(
        "same_links",
        &[N, N],
        same_links,
        "whether two networks have the same links by id",
    )
    .shown_by("nestnet compare '{0}' '{1}'"),
    Quantity::new(
        "components_at",
        &[N, I],
        components_at,
        "parts that remain when only the links of one level stay",
    )
    .shown_by("nestnet info '{0}'"),
    Quantity::new(
        "four_cycles_at",
        &[N, I],
        four_cycles_at,
        "cycles of four nodes all of whose links have that level",
    )
    .shown_by("nestnet info '{0}'"),
    Quantity::new(
        "channel_load_on",
        &[N, V, V],
        channel_load_on,
        "the load of one channel when all send to all along shortest paths, split equally",
    )
    .shown_by("nestnet throughput '{0}'"),
];

fn levels(_: &Lab<'_>, given: &[Given]) -> Result<Value, QuantityError> {
    Ok(u64::from(given[0].sample()?.network()?.levels()).into())
}

/// Visits so many ports without a look at the watch.
const STRIDE: u32 = 1 << 12;

/// Visits all nodes, if there is time for all their ports.
fn each_node(
    lab: &Lab<'_>,
    network: &dyn Network,
    mut visit: impl FnMut(Node) -> Result<(), QuantityError>,
) -> Result<(), QuantityError> {
    let need = u128::from(network.order()) * u128::from(network.ports().max(1));
    lab.budget().affords("a look at every link", need)?;
    let stride = u64::from(STRIDE / network.ports().clamp(1, STRIDE));
    for at in 0..network.order() {
        if at.is_multiple_of(stride) {
            lab.budget().check()?;
        }
        visit(Node(at))?;
    }
    Ok(())
}

/// The neighbors of a node, ascending.
fn neighbors_of(
    lab: &Lab<'_>,
    network: &dyn Network,
    at: Node,
) -> Result<Vec<Node>, QuantityError> {
    let ports = network.ports();
    lab.budget().fits("the list of neighbors", u128::from(ports) * 8)?;
    let mut neighbors = Vec::new();
    if ports <= STRIDE {
        network.for_each_neighbor(at, &mut |_, to| neighbors.push(to));
    } else {
        for port in 0..ports {
            if port.is_multiple_of(STRIDE) {
                lab.budget().check()?;
            }
            neighbors.extend(network.neighbor(at, Port(port)));
        }
    }
    neighbors.sort_unstable();
    Ok(neighbors)
}

fn links_at(lab: &Lab<'_>, given: &[Given]) -> Result<Value, QuantityError> {
    let network = given[0].sample()?.network()?;
    let level = given[1].number()?;
    let mut ends = 0u64;
    each_node(lab, network, |at| {
        network.for_each_neighbor(at, &mut |port, _| {
            ends += u64::from(u64::from(network.level(at, port)) == level);
        });
        Ok(())
    })?;
    Ok((ends / 2).into())
}

/// The neighbors of the node that is given after a network.
fn of_given(lab: &Lab<'_>, given: &[Given]) -> Result<Vec<Node>, QuantityError> {
    neighbors_of(lab, given[0].sample()?.network()?, given[1].node()?)
}

fn adjacent(lab: &Lab<'_>, given: &[Given]) -> Result<Value, QuantityError> {
    Ok(of_given(lab, given)?.contains(&given[2].node()?).into())
}

fn degree_at(lab: &Lab<'_>, given: &[Given]) -> Result<Value, QuantityError> {
    Ok((of_given(lab, given)?.len() as u64).into())
}

/// Nodes by id, in a row.
pub(super) fn ids(nodes: &[Node]) -> Value {
    let ids: Vec<String> = nodes.iter().map(ToString::to_string).collect();
    Value::Text(ids.join(" "))
}

fn neighbors(lab: &Lab<'_>, given: &[Given]) -> Result<Value, QuantityError> {
    let neighbors = of_given(lab, given)?;
    /// An id has at most 19 digits; beside its text each has a place in a list.
    const BYTES: u128 = 64;
    lab.budget().fits("the list of neighbors", neighbors.len() as u128 * BYTES)?;
    Ok(ids(&neighbors))
}

fn address(_: &Lab<'_>, given: &[Given]) -> Result<Value, QuantityError> {
    Ok(Value::Text(given[0].sample()?.network()?.address(given[1].node()?).to_string()))
}

fn id_of(_: &Lab<'_>, given: &[Given]) -> Result<Value, QuantityError> {
    Ok(given[1].node()?.0.into())
}

/// The most nodes that are searched from one where a closed form of the distance exists.
const MAX_SEARCHED: u64 = 1 << 26;

/// The distances of all nodes from one; `u32::MAX` where no path leads.
fn searched(lab: &Lab<'_>, network: &dyn Network, from: Node) -> Result<Vec<u32>, QuantityError> {
    // A distance and at most one place in each of two fronts.
    lab.budget().fits("a search", u128::from(network.order()) * (4 + 16))?;
    let index = |node: Node| usize::try_from(node.0).map_err(QuantityError::from);
    let mut distances = vec![u32::MAX; index(Node(network.order()))?];
    distances[index(from)?] = 0;
    let (mut front, mut next) = (vec![from], Vec::new());
    for step in 1.. {
        for &at in &front {
            lab.budget().check()?;
            for to in neighbors_of(lab, network, at)? {
                let distance = &mut distances[index(to)?];
                if *distance == u32::MAX {
                    *distance = step;
                    next.push(to);
                }
            }
        }
        if next.is_empty() {
            break;
        }
        front.clear();
        std::mem::swap(&mut front, &mut next);
    }
    Ok(distances)
}

fn distance(lab: &Lab<'_>, given: &[Given]) -> Result<Value, QuantityError> {
    let network = given[0].sample()?.network()?;
    let (from, to) = (given[1].node()?, given[2].node()?);
    if let Some(distance) = network.distance(from, to).filter(|_| network.order() > MAX_SEARCHED) {
        return Ok(distance.into());
    }
    let index = usize::try_from(to.0)?;
    match searched(lab, network, from)?[index] {
        u32::MAX => Err(QuantityError::NoPath),
        distance => Ok(u64::from(distance).into()),
    }
}

fn eccentricity(lab: &Lab<'_>, given: &[Given]) -> Result<Value, QuantityError> {
    let distances = searched(lab, given[0].sample()?.network()?, given[1].node()?)?;
    let farthest = distances.iter().max().copied().unwrap_or(0);
    if farthest == u32::MAX {
        return Err(QuantityError::NotReached);
    }
    Ok(u64::from(farthest).into())
}

/// Two connected networks are the same exactly if an automorphism of both side by side exchanges them.
fn isomorphic(lab: &Lab<'_>, given: &[Given]) -> Result<Value, QuantityError> {
    let [a, b] = [given[0].sample()?.network()?, given[1].sample()?.network()?];
    if a.order() != b.order() {
        return Ok(false.into());
    }
    let half = u32::try_from(a.order())?;
    let mut links = Vec::new();
    for (network, first) in [(a, 0), (b, half)] {
        let network = Csr::from_network(network, lab.budget())?;
        for at in 0..half {
            let ends = network.neighbors(at).iter().filter(|&&to| at < to);
            links.extend(ends.map(|to| (first + at, first + to)));
        }
    }
    let both = Csr::from_links(2 * a.order(), &links, lab.budget().memory);
    let both = both?;
    let found = symmetry(&both, &lab.budget().watch)?;
    let half = usize::try_from(a.order())?;
    let (first, second) = found.nodes.of.split_at(half);
    Ok(first.first().is_none_or(|class| second.contains(class)).into())
}

fn same_links(lab: &Lab<'_>, given: &[Given]) -> Result<Value, QuantityError> {
    let [a, b] = [given[0].sample()?.network()?, given[1].sample()?.network()?];
    if a.order() != b.order() {
        return Ok(false.into());
    }
    let need = u128::from(a.order()) * u128::from(a.ports().max(b.ports()).max(1));
    lab.budget().affords("a look at every link", need)?;
    for at in (0..a.order()).map(Node) {
        lab.budget().check()?;
        if neighbors_of(lab, a, at)? != neighbors_of(lab, b, at)? {
            return Ok(false.into());
        }
    }
    Ok(true.into())
}

/// The links of one level alone.
fn at_level(lab: &Lab<'_>, sample: &Sample, level: u64) -> Result<Csr, QuantityError> {
    let network = sample.network()?;
    let id = |node: u64| u32::try_from(node).map_err(QuantityError::from);
    id(network.order())?;
    let need = u128::from(network.order()) * u128::from(network.ports()) * 4;
    lab.budget().fits("the list of links", need)?;
    let mut links = Vec::new();
    each_node(lab, network, |at| {
        network.for_each_neighbor(at, &mut |port, to| {
            if at < to && u64::from(network.level(at, port)) == level {
                links.extend(id(at.0).ok().zip(id(to.0).ok()));
            }
        });
        Ok(())
    })?;
    Csr::from_links(network.order(), &links, lab.budget().memory).map_err(QuantityError::from)
}

fn components_at(lab: &Lab<'_>, given: &[Given]) -> Result<Value, QuantityError> {
    let level = at_level(lab, given[0].sample()?, given[1].number()?)?;
    Ok((components(&level).sizes.len() as u64).into())
}

/// A cycle of four has two pairs of opposite nodes, each with two of its neighbors in common.
fn four_cycles_at(lab: &Lab<'_>, given: &[Given]) -> Result<Value, QuantityError> {
    let level = at_level(lab, given[0].sample()?, given[1].number()?)?;
    let order = u32::try_from(level.order())?;
    let mut pairs = 0;
    for at in 0..order {
        let mut common = HashMap::<u32, u64>::new();
        for &middle in level.neighbors(at) {
            lab.budget().check()?;
            for &to in level.neighbors(middle).iter().filter(|&&to| to > at) {
                *common.entry(to).or_default() += 1;
            }
        }
        pairs += common.values().map(|count| count * (count - 1) / 2).sum::<u64>();
    }
    Ok((pairs / 2).into())
}

fn channel_load_on(lab: &Lab<'_>, given: &[Given]) -> Result<Value, QuantityError> {
    let csr = Csr::from_network(given[0].sample()?.network()?, lab.budget());
    let csr = csr?;
    let id = |node: Node| u32::try_from(node.0).map_err(QuantityError::from);
    let (from, to) = (id(given[1].node()?)?, id(given[2].node()?)?);
    let place = csr.neighbors(from).iter().position(|&end| end == to);
    let place = place.ok_or(QuantityError::NotLinked)?;
    let first = usize::try_from(csr.offsets()[from as usize])?;
    let found = channel_load(&csr, &lab.budget().watch)?;
    Ok(Value::Real(found.loads[first + place]))
}
