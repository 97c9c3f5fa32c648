//! Which node is where, by the digits of its seat: names, ids and paths at any size, also where ids do not fit.
//!
//! A path is the digits of a cell, one for each layer of the plan, outermost first; the empty path is the whole network
//! and one of all layers a node.

use super::layer::{Joints, size};
use super::plan::Plan;
use nestnet_graph::{Address, Network, Node, kinds};
use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::{ToPrimitive, Zero};
use std::sync::Arc;
use thiserror::Error;

/// A network by its plan, with the network itself where node ids fit.
#[derive(Clone, Debug)]
pub struct Atlas {
    plan: Plan,
    network: Option<Arc<dyn Network>>,
}

/// Why a path or a name leads nowhere.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum AtlasError {
    /// The plan does not have a place for every node.
    #[error("it cannot be walked into: {nodes} nodes have no plan by which they lie in each other")]
    NoPlan {
        /// How many nodes.
        nodes: BigUint,
    },
    /// No such cell.
    #[error(
        "no cell `{path}`: digit {position} must be below {places}, and there are {layers} digits"
    )]
    NoCell {
        /// What was asked for.
        path: String,
        /// Which digit is at fault, from 1 on.
        position: usize,
        /// How many places there are; 0 where there is no such layer.
        places: u64,
        /// How many layers there are.
        layers: usize,
    },
    /// No such node.
    #[error("no node `{text}`: give an id from 0 to {last}{}", or_address(.example))]
    NoNode {
        /// What was asked for.
        text: String,
        /// The highest id.
        last: BigUint,
        /// The address of that node, where one is known.
        example: Option<String>,
    },
}

kinds!(AtlasError {
    Unsupported: NoPlan;
    Unknown: NoCell, NoNode;
});

fn or_address(address: &Option<String>) -> String {
    address.as_ref().map_or_else(String::new, |text| format!(" or an address such as `{text}`"))
}

/// A path as it is written: digits with points between them.
pub fn written(path: &[u64]) -> String {
    let digits: Vec<String> = path.iter().map(u64::to_string).collect();
    digits.join(".")
}

impl Atlas {
    /// Of a network of that order.
    pub fn new(
        plan: Plan,
        network: Option<Arc<dyn Network>>,
        order: &BigUint,
    ) -> Result<Self, AtlasError> {
        if plan.nodes_in(&[]) != *order || order.is_zero() {
            return Err(AtlasError::NoPlan { nodes: order.clone() });
        }
        Ok(Atlas { plan, network })
    }

    /// How it is drawn.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The network, where ids fit.
    pub fn network(&self) -> Option<&Arc<dyn Network>> {
        self.network.as_ref()
    }

    /// The path that is written so.
    pub fn parse(&self, text: &str) -> Result<Vec<u64>, AtlasError> {
        let layers = self.plan.layers();
        let fault = |position: usize| AtlasError::NoCell {
            path: text.to_owned(),
            position,
            places: layers.get(position - 1).map_or(0, |layer| layer.shape.places()),
            layers: layers.len(),
        };
        let mut path = Vec::new();
        for (index, digit) in text.split('.').filter(|_| !text.is_empty()).enumerate() {
            let places = layers.get(index).map_or(0, |layer| layer.shape.places());
            let digit: Option<u64> = digit.parse().ok().filter(|&digit| digit < places);
            path.push(digit.ok_or_else(|| fault(index + 1))?);
            if self.plan.nodes_in(&path).is_zero() {
                return Err(fault(index + 1));
            }
        }
        Ok(path)
    }

    /// The path of a node by its address or its id.
    pub fn find(&self, text: &str) -> Result<Vec<u64>, AtlasError> {
        let whole = Part { plan: &self.plan, network: self.network.as_ref() };
        let address = Address::parse_bare(text).ok();
        let has_zero = address.as_ref().is_some_and(Address::has_leading_zero);
        let word = Address::word(text);
        let named = whole.of_address(&word);
        let named = named.or_else(|| whole.of_address(address.as_ref()?));
        let id = || BigUint::parse_bytes(text.trim().as_bytes(), 10);
        let last = self.plan.nodes_in(&[]) - 1u8;
        let path = named.or_else(|| whole.of_id(&id().filter(|id| *id <= last)?));
        // A number with leading zeros is an address or nothing.
        path.filter(|path| !has_zero || self.address(path) == address).ok_or_else(|| {
            let highest = whole.of_id(&last).and_then(|path| self.address(&path));
            let example = highest.map(|address| address.to_string());
            AtlasError::NoNode { text: text.to_owned(), last, example }
        })
    }

    /// The id of the node at a whole path.
    pub fn id(&self, path: &[u64]) -> Option<BigUint> {
        Part { plan: &self.plan, network: self.network.as_ref() }.id(path)
    }

    /// The address of the node at a whole path, where the construction says it.
    pub fn address(&self, path: &[u64]) -> Option<Address> {
        Part { plan: &self.plan, network: self.network.as_ref() }.address(path)
    }

    /// The address of all nodes of a cell, with `*` for what differs among them; its first and its last node where all
    /// does.
    pub fn pattern(&self, path: &[u64]) -> Option<String> {
        if self.plan.is_nameless() && path.len() < self.plan.layers().len() {
            return Some(format!("cluster {}", written(path)));
        }
        let mut last = path.to_vec();
        for layer in &self.plan.layers()[path.len()..] {
            let mut digit = layer.shape.places() - 1;
            last.push(digit);
            // Empty places are the last ones.
            while digit > 0 && self.plan.has_gaps() && self.plan.nodes_in(&last).is_zero() {
                digit -= 1;
                last.pop();
                last.push(digit);
            }
        }
        let mut first = path.to_vec();
        first.resize(last.len(), 0);
        let (first, last) = (self.address(&first)?, self.address(&last)?);
        match common(&first, &last) {
            open if open == Address::word("*") => Some(format!("{first}…{last}")),
            shared => Some(shared.to_string()),
        }
    }
}

/// What two addresses share.
fn common(a: &Address, b: &Address) -> Address {
    match (a, b) {
        (a, b) if a == b => a.clone(),
        (Address::Tuple(a), Address::Tuple(b)) if a.len() == b.len() => {
            let parts: Vec<Address> = a.iter().zip(b).map(|(a, b)| common(a, b)).collect();
            let open = Address::word("*");
            if parts.iter().all(|part| *part == open) { open } else { Address::Tuple(parts) }
        }
        (Address::Ring(a, x), Address::Ring(b, y)) => {
            Address::Ring(Box::new(common(a, b)), Box::new(common(x, y)))
        }
        (Address::Word(a), Address::Word(b)) if is_bits(a) && is_bits(b) && a.len() == b.len() => {
            let bits = a.chars().zip(b.chars()).map(|(a, b)| if a == b { a } else { '*' });
            Address::Word(bits.collect())
        }
        _ => Address::word("*"),
    }
}

fn is_bits(word: &str) -> bool {
    word.len() > 1 && word.bytes().all(|byte| matches!(byte, b'0' | b'1'))
}

/// A plan, and the network that lies so where ids fit: the whole, or what is at a place of it.
#[derive(Clone, Copy)]
pub(super) struct Part<'a> {
    pub plan: &'a Plan,
    pub network: Option<&'a Arc<dyn Network>>,
}

impl<'a> Part<'a> {
    /// What is at the places of its outer layers, and how many those are.
    pub fn inside(&self) -> Option<(usize, Part<'a>)> {
        let inside = self.plan.inside()?;
        Some((inside.layers, Part { plan: &inside.plan, network: inside.network.as_ref() }))
    }

    /// Kind and cluster of the digits that tell clusters of two kinds apart, which lie as nodes of a cluster do.
    pub fn kind_and_cluster(&self, digits: &[u64]) -> Option<(u64, Vec<u64>)> {
        let (layers, _) = self.bipartite()?;
        let digits = digits.get(..layers)?;
        if layers == 1 {
            let half = self.plan.layers()[0].shape.places() / 2;
            return Some((digits[0] / half, vec![digits[0] % half]));
        }
        Some((digits[0], digits[1..].to_vec()))
    }

    /// The digits of a cluster of a kind.
    pub fn cluster_digits(&self, kind: u64, cluster: &[u64]) -> Option<Vec<u64>> {
        let (layers, _) = self.bipartite()?;
        if layers == 1 {
            let half = self.plan.layers()[0].shape.places() / 2;
            return Some(vec![kind * half + cluster.first()?]);
        }
        Some([kind].into_iter().chain(cluster.iter().copied()).collect())
    }

    /// Where clusters are of two kinds and nodes v of c and c of v are linked: how many layers, and one cluster.
    pub fn bipartite(&self) -> Option<(usize, Part<'a>)> {
        let (layers, inside) = self.inside()?;
        let bipartite = matches!(self.plan.joints(), Joints::Bipartite { layers: distinct } if *distinct == layers);
        let alike = layers == 1 || layers == inside.plan.layers().len() + 1;
        (bipartite && alike).then_some((layers, inside))
    }

    fn place(&self, path: &[u64]) -> Option<u64> {
        let digits = self.plan.layers().iter().zip(path);
        digits
            .map(|(layer, digit)| (layer.shape.places(), digit))
            .try_fold(0u64, |at, (n, d)| at.checked_mul(n)?.checked_add(*d))
    }

    /// The node at a whole path, where ids fit.
    pub fn node(&self, path: &[u64]) -> Option<Node> {
        self.network?;
        self.plan.node_at(self.place(path)?)
    }

    /// The digits of a place.
    pub fn digits(&self, place: &BigUint) -> Vec<u64> {
        let mut rest = place.clone();
        let mut digits = Vec::new();
        for layer in self.plan.layers().iter().rev() {
            let (more, digit) = rest.div_rem(&layer.shape.places().into());
            digits.push(digit.to_u64().unwrap_or(0));
            rest = more;
        }
        digits.reverse();
        digits
    }

    /// The path of a node.
    pub fn path(&self, at: Node) -> Vec<u64> {
        self.digits(&self.plan.place_of(at).into())
    }

    fn id(&self, path: &[u64]) -> Option<BigUint> {
        if self.network.is_some() {
            return self.node(path).map(|node| node.0.into());
        }
        if let Some((layers, inside)) = self.bipartite() {
            let (kind, cluster) = self.kind_and_cluster(path)?;
            let n = size(inside.plan.layers());
            return Some((&n * kind + inside.id(&cluster)?) * n + inside.id(&path[layers..])?);
        }
        if self.plan.is_seated() {
            return None;
        }
        let digits = self.plan.layers().iter().zip(path);
        Some(digits.fold(BigUint::ZERO, |at, (layer, digit)| at * layer.shape.places() + digit))
    }

    fn of_id(&self, id: &BigUint) -> Option<Vec<u64>> {
        if self.network.is_some() {
            return Some(self.path(Node(id.to_u64()?)));
        }
        if let Some((_, inside)) = self.bipartite() {
            let n = size(inside.plan.layers());
            let (cluster, at) = id.div_rem(&n);
            let (kind, cluster) = cluster.div_rem(&n);
            return self.joined(kind.to_u64()?, inside.of_id(&cluster)?, inside.of_id(&at)?);
        }
        (!self.plan.is_seated()).then(|| self.digits(id))
    }

    fn address(&self, path: &[u64]) -> Option<Address> {
        if let Some(network) = self.network {
            return self.node(path).map(|node| network.address(node));
        }
        let (layers, inside) = self.bipartite()?;
        let (kind, cluster) = self.kind_and_cluster(path)?;
        let parts = [inside.address(&cluster)?, inside.address(&path[layers..])?];
        Some(Address::Tuple([Address::number(kind)].into_iter().chain(parts).collect()))
    }

    fn of_address(&self, address: &Address) -> Option<Vec<u64>> {
        if let Some(network) = self.network {
            return network.node(address).map(|node| self.path(node));
        }
        let (_, inside) = self.bipartite()?;
        let [kind, cluster, at] = address.as_tuple()? else { return None };
        let kind = kind.as_number().filter(|&kind| kind < 2)?;
        self.joined(kind, inside.of_address(cluster)?, inside.of_address(at)?)
    }

    fn joined(&self, kind: u64, cluster: Vec<u64>, at: Vec<u64>) -> Option<Vec<u64>> {
        Some(self.cluster_digits(kind, &cluster)?.into_iter().chain(at).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Held, Shape};

    #[test]
    fn a_path_is_written_and_read_back() {
        let plan = Plan::ring(5).around(&Plan::of(Shape::Row(3)), 1, Held::Cluster);
        let atlas = Atlas::new(plan, None, &15u8.into()).unwrap();
        for path in [vec![], vec![4], vec![4, 2]] {
            assert_eq!(atlas.parse(&written(&path)), Ok(path));
        }
        assert_eq!(atlas.find("14"), Ok(vec![4, 2]));
        assert_eq!(atlas.id(&[4, 2]), Some(14u8.into()));
        for wrong in ["5", "4.3", "4.2.0", "-1", "a", ".", "4.", "99999999999999999999999"] {
            assert!(matches!(atlas.parse(wrong), Err(AtlasError::NoCell { .. })), "{wrong}");
        }
        for wrong in ["15", "014"] {
            assert!(matches!(atlas.find(wrong), Err(AtlasError::NoNode { .. })), "{wrong}");
        }
    }

    #[test]
    fn a_plan_with_too_few_places_is_no_atlas() {
        let error = Atlas::new(Plan::ring(5), None, &6u8.into());
        assert!(matches!(error, Err(AtlasError::NoPlan { .. })));
    }

    #[test]
    fn a_pattern_has_stars_where_addresses_differ() {
        let read = |text| Address::parse(text).unwrap();
        let shared = |a, b| common(&read(a), &read(b)).to_string();
        assert_eq!(shared("(0,(1,2),3)", "(0,(1,4),7)"), "(0,(1,*),*)");
        assert_eq!(shared("[0101; 0]", "[0111; 3]"), "[01*1; *]");
        assert_eq!(shared("12", "17"), "*");
        assert_eq!(shared("(0,(1,2))", "(0,(3,4))"), "(0,*)");
    }
}
