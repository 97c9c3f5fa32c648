//! How much wire does a network take on a chip, whose tiles form a grid?
//!
//! Tiles are numbered row by row; a product of networks has rows of its last coordinates, so that a mesh of two
//! dimensions lies as it is drawn. Rows and columns may be folded, the second half between the first, as tori are laid
//! so that no wire is longer than two tiles; of these layouts, the one with the least wire is taken. A switch shares the tile of its first host, and one without hosts has a tile after
//! them. A wire goes along and across, straight. Everything is counted link by link; nothing is routed around anything.

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

/// The wire of a network, known as the product of networks of these orders (none where it is not known as one).
/// O(links).
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
    let channels = u128::from(order) * u128::from(network.ports());
    budget.affords("walking all links", channels)?;
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
    let place = |at: Node| match at.0.checked_sub(hosts) {
        None => at.0,
        Some(switch) => places[usize::try_from(switch).expect("it was listed")],
    };
    let columns = columns(next, sides).max(1);
    let rows = next.div_ceil(columns);
    let mut found = Wiring { columns, rows, ..Wiring::default() };
    let done = AtomicU64::new(0);
    // Straight or folded, along and across: the wire of all links and the longest.
    let mut layouts = [[(0u128, 0u64); 2]; 2];
    for from in (0..order).map(Node) {
        if from.0 % (1 << 16) == 0 {
            budget.watch.step(&done, order.div_ceil(1 << 16))?;
        }
        let here = place(from);
        network.for_each_neighbor(from, &mut |_, to| {
            if to > from {
                let there = place(to);
                let along = apart(here % columns, there % columns, columns);
                let across = apart(here / columns, there / columns, rows);
                for (layouts, along) in layouts.iter_mut().zip(along) {
                    for ((units, longest), across) in layouts.iter_mut().zip(across) {
                        *units += u128::from(along + across);
                        *longest = (*longest).max(along + across);
                    }
                }
                found.links += 1;
            }
        });
    }
    let (units, longest) = layouts.into_iter().flatten().min().unwrap_or_default();
    found.length = units as f64 * tiles.side;
    found.longest = longest as f64 * tiles.side;
    found.area = 2.0 * found.length * tiles.wires as f64 * tiles.pitch / 1000.0;
    let mean = found.length / found.links.max(1) as f64;
    found.hop_energy = tiles.router_energy + tiles.wire_energy * mean;
    Ok(found)
}

/// How far two of so many places are apart, straight and folded.
fn apart(a: u64, b: u64, places: u64) -> [u64; 2] {
    let folded = |at: u64| if 2 * at < places { 2 * at } else { 2 * (places - at) - 1 };
    [a.abs_diff(b), folded(a).abs_diff(folded(b))]
}

/// Tiles in a row: of a product the last sides, as many as come nearest to a square; else nearly the square root.
fn columns(tiles: u64, sides: &[u64]) -> u64 {
    let is_product = sides.len() > 1 && sides.iter().product::<u64>() == tiles;
    if !is_product {
        return super::square(tiles);
    }
    let rows = |count: usize| sides[count..].iter().product::<u64>();
    let uneven = |columns: &u64| columns.abs_diff(tiles / columns);
    (1..sides.len()).map(rows).min_by_key(uneven).unwrap_or(tiles)
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
        assert_eq!(columns(64, &[4, 4, 4]), 16);
        assert_eq!(columns(64, &[2, 2, 2, 2, 2, 2]), 8);
        assert_eq!(columns(64, &[]), 8);
        assert_eq!(columns(10, &[]), 5);
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
