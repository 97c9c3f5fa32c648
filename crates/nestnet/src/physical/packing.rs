//! Packing: which chip, board and rack is a node in?

use super::CostModel;
use nestnet_graph::{Network, Node};

/// Where nodes stand: by their ids, or in blocks where the network is a product.
#[derive(Clone, Debug)]
pub struct Packing {
    /// The sides of the product, first most significant; one side where it is none.
    sides: Vec<u64>,
    /// For chip, board and rack, how much of each side is in one.
    blocks: [Vec<u64>; 3],
    pub(super) hosts: u64,
}

impl Packing {
    /// Packs `network`, known as the product of networks of these orders (none where it is not known as one).
    ///
    /// In a product each package takes a block as near to a cube as the sides allow; any other network goes by ids,
    /// in which constructions number their clusters one after the other. A package takes the largest number of nodes
    /// up to its size that divides what it is part of, so that clusters are not split, but at least half of its size.
    pub fn new(network: &dyn Network, sides: &[u64], cost_model: &CostModel) -> Self {
        let hosts = network.hosts();
        let is_product = sides.len() > 1 && sides.iter().product::<u64>() == network.order();
        let sides = if is_product { sides.to_vec() } else { vec![hosts] };
        let rack = block(&sides, cost_model.rack);
        let board = block(&rack, cost_model.board);
        let chip = block(&board, cost_model.chip);
        Packing { sides, blocks: [chip, board, rack], hosts }
    }

    /// The number of the chip, board or rack (0, 1, 2) in which a node stands.
    pub(super) fn package(&self, at: u64, level: usize) -> u64 {
        let (mut rest, mut package, mut scale) = (at, 0, 1);
        for (side, block) in self.sides.iter().zip(&self.blocks[level]).rev() {
            package += rest % side / block * scale;
            scale *= side.div_ceil(*block);
            rest /= side;
        }
        package
    }

    /// How many chips, boards or racks (0, 1, 2) the hosts fill.
    pub(super) fn packages(&self, level: usize) -> u64 {
        self.sides
            .iter()
            .zip(&self.blocks[level])
            .map(|(side, block)| side.div_ceil(*block))
            .product()
    }

    /// Nodes in a full rack.
    pub fn in_rack(&self) -> u64 {
        self.blocks[2].iter().product()
    }

    /// Where a node means the purpose of packing: a switch beside a host of its own, or after all hosts.
    pub(super) fn place(&self, network: &dyn Network, at: Node) -> u64 {
        if at.0 < self.hosts {
            return at.0;
        }
        beside(network, at).unwrap_or(at.0)
    }
}

/// The first host of a switch, if it has any.
pub(super) fn beside(network: &dyn Network, at: Node) -> Option<u64> {
    let (mut host, hosts) = (None, network.hosts());
    network.for_each_neighbor(at, &mut |_, to| {
        if to.0 < hosts {
            host.get_or_insert(to.0);
        }
    });
    host
}

/// How much of each side a package of `size` nodes takes: the smallest side of the block grows first, by factors of the
/// whole side, or by any amount where that would leave more than half of the package empty.
fn block(sides: &[u64], size: u64) -> Vec<u64> {
    if let [side] = sides {
        return vec![divisor(*side, size)];
    }
    let divided =
        grow(sides, size, |side, block| smallest_factor(side / block).map(|times| block * times));
    let all: u64 = sides.iter().product();
    if divided.iter().product::<u64>() >= size.min(all).div_ceil(2) {
        return divided;
    }
    let grown = grow(sides, size, |side, block| (block < side).then_some(block + 1));
    // Equal blocks rather than full ones and a small rest.
    sides.iter().zip(grown).map(|(side, block)| side.div_ceil(side.div_ceil(block))).collect()
}

/// Grows a block of one node, its smallest side first, as long as it has at most `size` nodes.
fn grow(sides: &[u64], size: u64, next: impl Fn(u64, u64) -> Option<u64>) -> Vec<u64> {
    let mut block = vec![1; sides.len()];
    loop {
        let full: u64 = block.iter().product();
        let grown = |index: usize| {
            let side = next(sides[index], block[index])?;
            (full / block[index] * side <= size).then_some((side, index))
        };
        match (0..sides.len()).filter_map(grown).min() {
            Some((side, index)) => block[index] = side,
            None => return block,
        }
    }
}

/// The largest divisor of `whole` that is at most `size`, or `size` where that wastes more than half of it.
fn divisor(whole: u64, size: u64) -> u64 {
    let size = size.min(whole).max(1);
    let found = (size.div_ceil(2)..=size).rev().find(|&part| whole.is_multiple_of(part));
    found.unwrap_or(size)
}

fn smallest_factor(number: u64) -> Option<u64> {
    let limit = number.isqrt();
    let found = (2..=limit).find(|&factor| number.is_multiple_of(factor));
    found.or((number > 1).then_some(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_divide_where_they_can() {
        assert_eq!(divisor(3_125_000, 1024), 1000);
        assert_eq!(divisor(1_000_003, 1024), 1024);
        assert_eq!(divisor(5, 1024), 5);
        assert_eq!(block(&[8, 8, 8], 64), [4, 4, 4]);
        assert_eq!(block(&[6, 10], 12), [6, 2]);
        assert_eq!(block(&[70, 71], 1024), [24, 24]);
    }
}
