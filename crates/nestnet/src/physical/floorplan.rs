//! How much wire does a network take on a chip, whose tiles form a grid?
//!
//! Routers are numbered row by row; a product of networks has rows of its last coordinates, so that a mesh of two
//! dimensions lies as it is drawn. A router with `p` hosts takes a block of `a` by `b` tiles, `ab = p`, and is on the
//! middle one; without hosts it takes a tile after them. Where not every switch has as many hosts, one after the other,
//! tiles are numbered row by row, and a switch shares that of its first host. Rows and columns may be folded, the second
//! half between the first, as tori are laid so that no wire between routers is longer than two blocks. Of all these
//! layouts the one with the least wire is taken; others may take less. A wire goes along and across, straight. Everything
//! is counted link by link; nothing is routed around anything.

use super::CostModelError;
use crate::physical::packing::beside;
use nestnet_graph::{Budget, Network, Node};
use serde::Serialize;
use std::sync::atomic::AtomicU64;

/// A chip. All of it can be set; the defaults are round magnitudes of a process of about 5 nm, assumed and not measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Floorplan {
    /// Millimeters from a tile to the next. 1.
    pub side: f64,
    /// Wires of a link in each direction: the bits of a flit. 128.
    pub wires: u64,
    /// Micrometers from a wire to the next. 0.2: global wires, spaced for speed.
    pub pitch: f64,
    /// Picojoules to move a bit a millimeter. 0.1.
    pub wire_energy: f64,
    /// Picojoules to move a bit through a router. 0.1.
    pub router_energy: f64,
}

impl Default for Floorplan {
    fn default() -> Self {
        Floorplan { side: 1.0, wires: 128, pitch: 0.2, wire_energy: 0.1, router_energy: 0.1 }
    }
}

/// The wire of a network on a chip.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Wiring {
    /// Tiles in a row.
    pub columns: u64,
    /// Rows of tiles.
    pub rows: u64,
    /// Links that were counted.
    pub links: u64,
    /// Millimeters of all links.
    #[serde(rename = "wire")]
    pub length: f64,
    /// Millimeters of the longest.
    #[serde(rename = "longest_wire")]
    pub longest: f64,
    /// Square millimeters of wire, both directions.
    #[serde(rename = "wire_area")]
    pub area: f64,
    /// Picojoules to move a bit over a link and through the router at its end, on average over links.
    pub hop_energy: f64,
}

impl Wiring {
    /// Square millimeters of the tiles.
    pub fn tile_area(&self, tiles: &Floorplan) -> f64 {
        (self.columns * self.rows) as f64 * tiles.side * tiles.side
    }
}

impl Floorplan {
    /// Whether it can be built.
    pub fn check(&self) -> Result<(), CostModelError> {
        for (what, value) in [
            ("tile", self.side),
            ("wire pitch", self.pitch),
            ("wire energy", self.wire_energy),
            ("router energy", self.router_energy),
        ] {
            if value.is_nan() || value < 0.0 {
                return Err(CostModelError::Number { what, value });
            }
        }
        Ok(())
    }
}

/// The wire of a network, whose routers are known as the product of networks of these orders (none where they are not
/// known as one). O(links) for each number that divides the hosts of a router.
///
/// ```
/// use nestnet::physical::floorplan::{Floorplan, wiring};
/// use nestnet_graph::{Budget, Csr};
///
/// // 0 1 / 2 3, linked as a ring.
/// let ring = Csr::from_links(4, &[(0, 1), (1, 3), (3, 2), (2, 0)], 1 << 20)?;
/// let found = wiring(&ring, &[], &Floorplan::default(), &Budget::default())?;
/// assert_eq!((found.columns, found.rows, found.length, found.longest), (2, 2, 4.0, 1.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn wiring(
    network: &dyn Network,
    sides: &[u64],
    tiles: &Floorplan,
    budget: &Budget<'_>,
) -> Result<Wiring, CostModelError> {
    tiles.check()?;
    let (order, hosts) = (network.order(), network.hosts());
    budget.fits("where switches stand", 8 * u128::from(order - hosts))?;
    // Switches that are alone follow the hosts.
    let mut next = hosts;
    let mut places = Vec::new();
    for at in (hosts..order).map(Node) {
        places.push(beside(network, at).unwrap_or_else(|| {
            next += 1;
            next - 1
        }));
    }
    let each = hosts_each(hosts, next, &places);
    let layouts = Layout::all(next, each, sides);
    let channels = u128::from(order) * u128::from(network.ports());
    budget.affords("walking all links", channels * layouts.len() as u128)?;
    let place = |at: Node| match at.0.checked_sub(hosts) {
        None => (at.0, false),
        Some(switch) => (places[usize::try_from(switch).expect("it was listed")], true),
    };
    let done = AtomicU64::new(0);
    let mut links = 0;
    // Of every layout, straight or folded, along and across: the wire of all links and the longest.
    let mut wires = vec![[[(0u128, 0u64); 2]; 2]; layouts.len()];
    for from in (0..order).map(Node) {
        if from.0 % (1 << 16) == 0 {
            budget.watch.step(&done, order.div_ceil(1 << 16))?;
        }
        let here = place(from);
        network.for_each_neighbor(from, &mut |_, to| {
            if to > from {
                let there = place(to);
                for (layout, wires) in layouts.iter().zip(&mut wires) {
                    let [along, across] = layout.apart(here, there);
                    for (wires, along) in wires.iter_mut().zip(along) {
                        for ((units, longest), across) in wires.iter_mut().zip(across) {
                            *units += u128::from(along + across);
                            *longest = (*longest).max(along + across);
                        }
                    }
                }
                links += 1;
            }
        });
    }
    let least =
        |wires: [[(u128, u64); 2]; 2]| wires.into_iter().flatten().min().unwrap_or_default();
    let shortest = layouts.iter().zip(wires.into_iter().map(least)).min_by_key(|found| found.1);
    let Some((layout, (units, longest))) = shortest else { return Ok(Wiring::default()) };
    let [columns, rows] = [0, 1].map(|axis| layout.grid[axis] * layout.block[axis]);
    let length = units as f64 * tiles.side;
    let mean = length / links.max(1) as f64;
    Ok(Wiring {
        columns,
        rows,
        links,
        length,
        longest: longest as f64 * tiles.side,
        area: 2.0 * length * tiles.wires as f64 * tiles.pitch / 1000.0,
        hop_energy: tiles.router_energy + tiles.wire_energy * mean,
    })
}

/// How many hosts each switch has, where all have as many, one after the other, and no tile is one of a switch alone; 1
/// elsewhere. `places` are the first hosts of the switches.
fn hosts_each(hosts: u64, tiles: u64, places: &[u64]) -> u64 {
    let switches = places.len() as u64;
    if switches == 0 || tiles > hosts || !hosts.is_multiple_of(switches) {
        return 1;
    }
    let each = hosts / switches;
    let is_block = (0..switches).zip(places).all(|(switch, &first)| first == switch * each);
    if is_block { each } else { 1 }
}

/// Where tiles lie: those of a router in a block, the blocks row by row.
struct Layout {
    /// Tiles of a router.
    each: u64,
    /// Columns and rows of tiles in a block.
    block: [u64; 2],
    /// Columns and rows of blocks.
    grid: [u64; 2],
}

impl Layout {
    /// Every full block of a router's tiles, the most square first, and all tiles row by row.
    fn all(tiles: u64, each: u64, sides: &[u64]) -> Vec<Layout> {
        let of = |each: u64, block: [u64; 2]| {
            let blocks = tiles / each;
            let columns = columns(blocks, sides, block).max(1);
            Layout { each, block, grid: [columns, blocks.div_ceil(columns)] }
        };
        let sides = (1..=each.isqrt()).rev().filter(|&side| each.is_multiple_of(side));
        let blocks = sides.flat_map(|side| [[each / side, side], [side, each / side]]);
        let mut all: Vec<Layout> = blocks.map(|block| of(each, block)).collect();
        all.dedup_by_key(|layout| layout.block);
        if each > 1 {
            all.push(of(1, [1, 1]));
        }
        all
    }

    /// How far two places are apart, along and across, each straight and folded. A place is a tile, and whether it is
    /// that of a switch, given by its first.
    fn apart(&self, a: (u64, bool), b: (u64, bool)) -> [[u64; 2]; 2] {
        let [[ax, ay], [bx, by]] = [self.position(a), self.position(b)];
        [(0, ax, bx), (1, ay, by)].map(|(axis, a, b)| {
            let folded = |at: u64| fold(at, self.grid[axis]);
            let tile = |(block, within): (u64, u64)| block * self.block[axis] + within;
            let both = |a, b| tile(a).abs_diff(tile(b));
            [both(a, b), both((folded(a.0), a.1), (folded(b.0), b.1))]
        })
    }

    /// Along and across: the block, and the place in it.
    fn position(&self, (tile, is_switch): (u64, bool)) -> [(u64, u64); 2] {
        let (block, within) = (tile / self.each, tile % self.each);
        let [columns, rows] = self.block;
        let [x, y] = match is_switch {
            true => [(columns - 1) / 2, (rows - 1) / 2],
            false => [within % columns, within / columns],
        };
        [(block % self.grid[0], x), (block / self.grid[0], y)]
    }
}

/// Where one of so many places is when the second half lies between the first.
fn fold(at: u64, places: u64) -> u64 {
    if 2 * at < places { 2 * at } else { 2 * (places - at) - 1 }
}

/// Blocks in a row: of a product the last sides, as many as make the tiles come nearest to a square; else nearly the
/// square root.
fn columns(blocks: u64, sides: &[u64], block: [u64; 2]) -> u64 {
    let is_product = sides.len() > 1 && sides.iter().product::<u64>() == blocks;
    if !is_product {
        return super::square(blocks);
    }
    let rows = |count: usize| sides[count..].iter().product::<u64>();
    let uneven = |columns: &u64| (columns * block[0]).abs_diff(blocks / columns * block[1]);
    (1..sides.len()).map(rows).min_by_key(uneven).unwrap_or(blocks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::physical::tests::Switched;
    use nestnet_graph::{Csr, OverBudget, Watch};
    use nestnet_seed::samples::torus;
    use std::sync::Mutex;

    #[test]
    fn a_torus_is_folded() {
        let torus = torus(4, 6);
        let found = wiring(&torus, &[4, 6], &Floorplan::default(), &Budget::default()).unwrap();
        assert_eq!((found.columns, found.rows, found.links), (6, 4, 48));
        // Four rows of five steps and one back, six columns of three and one back; folded, no step is longer than two.
        assert_eq!(found.length, f64::from(4 * (5 + 5) + 6 * (3 + 3)));
        assert_eq!(found.longest, 2.0);
        assert!((found.area - 2.0 * 76.0 * 128.0 * 0.2e-3).abs() < 1e-12);
        assert!((found.hop_energy - (0.1 + 0.1 * 76.0 / 48.0)).abs() < 1e-12);
        assert_eq!(found.tile_area(&Floorplan::default()), 24.0);
    }

    #[test]
    fn a_mesh_lies_as_it_is_drawn() {
        let links = [(0, 1), (1, 2), (3, 4), (4, 5), (0, 3), (1, 4), (2, 5)];
        let mesh = Csr::from_links(6, &links, 1 << 20).unwrap();
        let found = wiring(&mesh, &[2, 3], &Floorplan::default(), &Budget::default()).unwrap();
        assert_eq!((found.length, found.longest), (7.0, 1.0));
    }

    #[test]
    fn rows_are_as_square_as_the_sides_allow() {
        assert_eq!(columns(64, &[4, 4, 4], [1, 1]), 16);
        assert_eq!(columns(64, &[2, 2, 2, 2, 2, 2], [1, 1]), 8);
        assert_eq!(columns(64, &[2, 2, 2, 2, 2, 2], [1, 4]), 16);
        assert_eq!(columns(64, &[], [1, 1]), 8);
        assert_eq!(columns(10, &[], [1, 1]), 5);
    }

    /// A router in the middle of a full block of tiles, whichever takes least: of four hosts 2 by 2.
    #[test]
    fn hosts_of_a_router_are_a_block() {
        let wiring = |p: u64| {
            let built = nestnet_topologies::build(&format!("hosts(mesh(4, 4), {p})")).unwrap();
            let tiles = Floorplan::default();
            crate::compare::wiring_of(&built, &tiles, &Budget::default()).unwrap()
        };
        let found = wiring(4);
        assert_eq!((found.columns, found.rows, found.links), (8, 8, 16 * 4 + 24));
        assert_eq!((found.length, found.longest), (112.0, 2.0));
        for p in 1..=16 {
            let middle = |side: u64| (0..side).map(|at| at.abs_diff((side - 1) / 2)).sum::<u64>();
            let wire = |a: u64| {
                let b = p / a;
                12 * (a + b) + 16 * (a * middle(b) + b * middle(a))
            };
            let least = (1..=p).filter(|&a| p % a == 0).map(wire).min().unwrap();
            assert_eq!(wiring(p).length, least as f64, "{p} hosts at a router");
        }
    }

    /// Tiles 0 1 / 2 3: switch 2 shares the tile of host 0, and switches 3 and 4 have tiles of their own.
    #[test]
    fn switches_share_a_tile_or_follow_the_hosts() {
        let links = [(0, 2), (1, 2), (2, 3), (3, 4), (2, 4)];
        let links = Csr::from_links(5, &links, 1 << 20).unwrap();
        let network = Switched { links, hosts: 2 };
        let seen = Mutex::new(Vec::new());
        let progress = |part: f64| seen.lock().unwrap().push(part);
        let of = |memory: u64, steps: u128| {
            let watch = Watch { progress: &progress, ..Watch::SILENT };
            wiring(&network, &[], &Floorplan::default(), &Budget { memory, steps, watch })
        };
        // Five nodes of at most four ports, and eight bytes for each of three switches.
        let found = of(24, 20).unwrap();
        assert_eq!((found.columns, found.rows, found.links), (2, 2, 5));
        // Within a tile, to a neighbor three times, across the diagonal.
        assert_eq!((found.length, found.longest), (3.0 + 2.0, 2.0));
        assert_eq!(*seen.lock().unwrap(), [1.0]);
        let refused = of(24, 19);
        assert!(matches!(refused, Err(CostModelError::Budget(OverBudget::Steps { need: 20, .. }))));
        let refused = of(23, 20);
        assert!(matches!(
            refused,
            Err(CostModelError::Budget(OverBudget::Memory { need: 24, .. }))
        ));
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        let link = Csr::from_links(2, &[(0, 1)], 1 << 20).unwrap();
        let odd = Floorplan { side: f64::NAN, ..Floorplan::default() };
        assert!(wiring(&link, &[], &odd, &Budget::default()).is_err());
    }
}
