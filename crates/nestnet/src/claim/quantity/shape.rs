//! Quantities of nodes and links.

use super::{Given, I, N, Quantity, V};
use crate::claim::{Lab, Sample, Value};
use nestnet_core::measure::load::channel_load;
use nestnet_core::measure::search::distances_from;
use nestnet_core::measure::structure::components;
use nestnet_core::measure::symmetry::symmetry;
use nestnet_core::network::sorted_neighbors;
use nestnet_core::{Csr, Network, Node};
use std::collections::HashMap;

/// The rows of this file.
pub const ROWS: &[Quantity] = &[
    Quantity::new("hosts", &[N], hosts, "nodes that inject and receive")
        .shown_by("nestnet info '{0}'"),
    Quantity::new("levels", &[N], levels, "levels of links").shown_by("nestnet info '{0}'"),
    Quantity::new("links_at", &[N, I], links_at, "links of one level, 0 innermost"),
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
        .shown_by("nestnet route '{0}' '{1}' '{2}' --router shortest"),
    Quantity::new("eccentricity", &[N, V], eccentricity, "links to the farthest node"),
    Quantity::new(
        "isomorphic",
        &[N, N],
        isomorphic,
        "whether two connected networks are the same but for names",
    ),
    Quantity::new(
        "same_links",
        &[N, N],
        same_links,
        "whether two networks have the same links by id",
    ),
    Quantity::new(
        "components_at",
        &[N, I],
        components_at,
        "parts that remain when only the links of one level stay",
    ),
    Quantity::new(
        "four_cycles_at",
        &[N, I],
        four_cycles_at,
        "cycles of four nodes all of whose links have that level",
    ),
    Quantity::new(
        "channel_load_on",
        &[N, V, V],
        channel_load_on,
        "the load of one channel when all send to all along shortest paths, split equally",
    ),
];

fn hosts(_: &Lab<'_>, given: &[Given]) -> Result<Value, String> {
    Ok(given[0].sample()?.built.theory.hosts().into())
}

fn levels(_: &Lab<'_>, given: &[Given]) -> Result<Value, String> {
    Ok(u64::from(given[0].sample()?.network()?.levels()).into())
}

fn links_at(_: &Lab<'_>, given: &[Given]) -> Result<Value, String> {
    let network = given[0].sample()?.network()?;
    let level = given[1].number()?;
    let mut ends = 0u64;
    for at in (0..network.order()).map(Node) {
        network.for_each_neighbor(at, &mut |port, _| {
            ends += u64::from(u64::from(network.level(at, port)) == level);
        });
    }
    Ok((ends / 2).into())
}

fn adjacent(_: &Lab<'_>, given: &[Given]) -> Result<Value, String> {
    let neighbors = sorted_neighbors(given[0].sample()?.network()?, given[1].node()?);
    Ok(neighbors.contains(&given[2].node()?).into())
}

fn degree_at(_: &Lab<'_>, given: &[Given]) -> Result<Value, String> {
    let neighbors = sorted_neighbors(given[0].sample()?.network()?, given[1].node()?);
    Ok((neighbors.len() as u64).into())
}

/// Nodes by id, in a row.
pub(super) fn ids(nodes: &[Node]) -> Value {
    let ids: Vec<String> = nodes.iter().map(ToString::to_string).collect();
    Value::Text(ids.join(" "))
}

fn neighbors(_: &Lab<'_>, given: &[Given]) -> Result<Value, String> {
    Ok(ids(&sorted_neighbors(given[0].sample()?.network()?, given[1].node()?)))
}

fn address(_: &Lab<'_>, given: &[Given]) -> Result<Value, String> {
    Ok(Value::Text(given[0].sample()?.network()?.address(given[1].node()?).to_string()))
}

fn id_of(_: &Lab<'_>, given: &[Given]) -> Result<Value, String> {
    Ok(given[1].node()?.0.into())
}

/// The most nodes that are searched from one.
const MAX_SEARCHED: u64 = 1 << 26;

fn searched(network: &dyn Network, from: Node) -> Result<Vec<u32>, String> {
    if network.order() > MAX_SEARCHED {
        return Err(format!("{} nodes are too many to search", network.order()));
    }
    Ok(distances_from(network, from))
}

fn distance(_: &Lab<'_>, given: &[Given]) -> Result<Value, String> {
    let network = given[0].sample()?.network()?;
    let (from, to) = (given[1].node()?, given[2].node()?);
    if let Some(distance) = network.distance(from, to).filter(|_| network.order() > MAX_SEARCHED) {
        return Ok(distance.into());
    }
    let index = usize::try_from(to.0).map_err(|error| error.to_string())?;
    match searched(network, from)?[index] {
        u32::MAX => Err("there is no path".to_owned()),
        distance => Ok(u64::from(distance).into()),
    }
}

fn eccentricity(_: &Lab<'_>, given: &[Given]) -> Result<Value, String> {
    let distances = searched(given[0].sample()?.network()?, given[1].node()?)?;
    let farthest = distances.iter().max().copied().unwrap_or(0);
    if farthest == u32::MAX {
        return Err("not every node is reached".to_owned());
    }
    Ok(u64::from(farthest).into())
}

/// Two connected networks are the same exactly if an automorphism of both side by side exchanges them.
fn isomorphic(lab: &Lab<'_>, given: &[Given]) -> Result<Value, String> {
    let [a, b] = [given[0].sample()?.network()?, given[1].sample()?.network()?];
    if a.order() != b.order() {
        return Ok(false.into());
    }
    let half = u32::try_from(a.order()).map_err(|error| error.to_string())?;
    let mut links = Vec::new();
    for (network, first) in [(a, 0), (b, half)] {
        let network = Csr::from_network(network, lab.budget()).map_err(|e| e.to_string())?;
        for at in 0..half {
            let ends = network.neighbors(at).iter().filter(|&&to| at < to);
            links.extend(ends.map(|to| (first + at, first + to)));
        }
    }
    let both = Csr::from_links(2 * a.order(), &links, lab.budget().memory);
    let both = both.map_err(|error| error.to_string())?;
    let found = symmetry(&both, &lab.budget().watch).map_err(|error| error.to_string())?;
    let half = usize::try_from(a.order()).map_err(|error| error.to_string())?;
    let (first, second) = found.nodes.of.split_at(half);
    Ok(first.first().is_none_or(|class| second.contains(class)).into())
}

fn same_links(_: &Lab<'_>, given: &[Given]) -> Result<Value, String> {
    let [a, b] = [given[0].sample()?.network()?, given[1].sample()?.network()?];
    let same = |at| sorted_neighbors(a, Node(at)) == sorted_neighbors(b, Node(at));
    Ok((a.order() == b.order() && (0..a.order()).all(same)).into())
}

/// The links of one level alone.
fn at_level(lab: &Lab<'_>, sample: &Sample, level: u64) -> Result<Csr, String> {
    let network = sample.network()?;
    let id = |node: u64| u32::try_from(node).map_err(|error| error.to_string());
    id(network.order())?;
    let mut links = Vec::new();
    for at in (0..network.order()).map(Node) {
        network.for_each_neighbor(at, &mut |port, to| {
            if at < to && u64::from(network.level(at, port)) == level {
                links.extend(id(at.0).ok().zip(id(to.0).ok()));
            }
        });
    }
    Csr::from_links(network.order(), &links, lab.budget().memory).map_err(|error| error.to_string())
}

fn components_at(lab: &Lab<'_>, given: &[Given]) -> Result<Value, String> {
    let level = at_level(lab, given[0].sample()?, given[1].number()?)?;
    Ok((components(&level).sizes.len() as u64).into())
}

/// A cycle of four has two pairs of opposite nodes, each with two of its neighbors in common.
fn four_cycles_at(lab: &Lab<'_>, given: &[Given]) -> Result<Value, String> {
    let level = at_level(lab, given[0].sample()?, given[1].number()?)?;
    let order = u32::try_from(level.order()).map_err(|error| error.to_string())?;
    let mut pairs = 0;
    for at in 0..order {
        let mut common = HashMap::<u32, u64>::new();
        for &middle in level.neighbors(at) {
            for &to in level.neighbors(middle).iter().filter(|&&to| to > at) {
                *common.entry(to).or_default() += 1;
            }
        }
        pairs += common.values().map(|count| count * (count - 1) / 2).sum::<u64>();
    }
    Ok((pairs / 2).into())
}

fn channel_load_on(lab: &Lab<'_>, given: &[Given]) -> Result<Value, String> {
    let csr = Csr::from_network(given[0].sample()?.network()?, lab.budget());
    let csr = csr.map_err(|error| error.to_string())?;
    let id = |node: Node| u32::try_from(node.0).map_err(|error| error.to_string());
    let (from, to) = (id(given[1].node()?)?, id(given[2].node()?)?);
    let place = csr.neighbors(from).iter().position(|&end| end == to);
    let place = place.ok_or("the two nodes are not linked")?;
    let first = usize::try_from(csr.offsets()[from as usize]).map_err(|error| error.to_string())?;
    let found = channel_load(&csr, &lab.budget().watch).map_err(|error| error.to_string())?;
    Ok(Value::Real(found.loads[first + place]))
}
