//! Where do the nodes stand, and what do the cables between them cost?
//!
//! Nodes are packed into chips, chips into boards, boards into racks, racks into rows on the floor. A link inside a
//! board is a trace; every other one is a cable, along the rows and across them, of copper where that reaches and of
//! fiber beyond. Everything is counted link by link. Switches that are boxes can be placed so that cables are short.
//!
//! [`CostModel::default`] is the rack of a supercomputer, [`CostModel::cluster`] the bill of materials of a cluster; [`floorplan`] are those
//! of a chip, where only wire counts.

pub mod floorplan;
mod materials;
mod options;
mod packing;
mod placement;
mod preset;

pub use materials::{CableLengths, Item, to_csv};
pub use options::{BuiltAs, COST_OPTIONS, CostOptionError, CostSettings};
pub use packing::Packing;
pub use placement::Placement;
pub use preset::Speed;

use nestnet_graph::measure::Interrupted;
use nestnet_graph::{Budget, Network, Node, OverBudget, fields};
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use std::sync::atomic::AtomicU64;
use thiserror::Error;

/// How nodes are packed and what links cost. All of it can be set; the defaults name their sources.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CostModel {
    /// Nodes on a chip. 1: one router each, as on Blue Gene.
    pub chip: u64,
    /// Nodes on a board. 32, as on a node board of Blue Gene/Q.
    pub board: u64,
    /// Nodes in a rack. 1,024, as on Blue Gene/L, P and Q.
    pub rack: u64,
    /// Racks in a row; as many as make the floor square where it is 0.
    pub row: u64,
    /// Where switches that are boxes stand with their hosts: in order, or so that cables are short.
    pub placement: Placement,
    /// Meters from a rack to the next one in its row. 0.6: the usual width.
    pub along: f64,
    /// Meters from a row to the next. 2.4: 1.2 for the rack and 1.2 for the aisle.
    pub across: f64,
    /// Meters of a cable inside a rack. 1.
    pub inside: f64,
    /// Meters that a cable between racks needs to get out of them. 2, as in J. Kim et al., ISCA 2008, and M. Besta,
    /// T. Hoefler, SC 2014.
    pub overhead: f64,
    /// Copper: 40 dollars and 16 a meter, up to 5 m (J. Mudigonda et al., USENIX ATC 2011, four lanes).
    pub copper: Cable,
    /// Active copper, which has a chip at each end and goes further; none, with a reach of 0.
    pub active: Cable,
    /// Fiber: 376 dollars and 5 a meter (the same source); 1.5 W at each end (QSFP, power class 1).
    pub fiber: Cable,
    /// What is at the end of a host's link; none where a host's ports are priced as those of a router.
    pub nic: Option<Nic>,
    /// Links that end at the NIC of a host: its further links take a port each. 1.
    pub nic_links: u64,
    /// Ports of a switch: all of them are paid, used or not. 0: those that are used are paid.
    pub switch_ports: u64,
    /// Links of a switch port: more than 1 where it is broken out into slower ones. 1.
    pub breakout: u64,
    /// Dollars for a switch, whatever its ports. 0.
    pub switch_price: f64,
    /// Watts of a switch, whatever its ports. 0.
    pub switch_power: f64,
    /// Dollars for a port of a router. 500 (the same source).
    pub port_price: f64,
    /// Watts of a port. 2.8: four lanes of 0.7 W (D. Abts et al., ISCA 2010, as in M. Besta, T. Hoefler, SC 2014).
    pub port_power: f64,
}

/// What a cable costs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cable {
    /// Dollars, whatever its length.
    pub price: f64,
    /// Dollars for each meter.
    pub price_per_meter: f64,
    /// Watts for both ends together.
    pub power: f64,
    /// The longest that works, in meters.
    pub reach: f64,
}

/// The network NIC of a host. A host has one. Where every node is a host,
/// its router has a port more for it, which a trace joins to the NIC.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nic {
    /// Dollars.
    pub price: f64,
    /// Watts.
    pub power: f64,
}

impl Default for CostModel {
    fn default() -> Self {
        CostModel {
            chip: 1,
            board: 32,
            rack: 1024,
            row: 0,
            placement: Placement::InOrder,
            along: 0.6,
            across: 2.4,
            inside: 1.0,
            overhead: 2.0,
            copper: Cable { price: 40.0, price_per_meter: 16.0, power: 0.0, reach: 5.0 },
            active: Cable { price: 0.0, price_per_meter: 0.0, power: 0.0, reach: 0.0 },
            fiber: Cable { price: 376.0, price_per_meter: 5.0, power: 3.0, reach: f64::INFINITY },
            nic: None,
            nic_links: 1,
            switch_ports: 0,
            breakout: 1,
            switch_price: 0.0,
            switch_power: 0.0,
            port_price: 500.0,
            port_power: 2.8,
        }
    }
}

/// What cannot be built.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum CostModelError {
    /// Sizes that do not nest.
    #[error("{what}: {size} nodes must be at least 1 and at least the {inner} of what is inside")]
    Sizes {
        /// Which size.
        what: &'static str,
        /// The size.
        size: u64,
        /// What it must hold.
        inner: u64,
    },
    /// A length, price or power that makes no sense.
    #[error("{what}: {value} is not allowed: it must be a number from 0")]
    Number {
        /// Which one.
        what: &'static str,
        /// The value.
        value: f64,
    },
    /// Too many links to look at.
    #[error(transparent)]
    Budget(#[from] OverBudget),
    /// A cable that neither copper nor fiber can be.
    #[error("a cable of {meters:.1} m is longer than fiber reaches, {reach} m")]
    TooFar {
        /// Its length.
        meters: f64,
        /// How far fiber goes.
        reach: f64,
    },
    /// Stopped.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}

/// How far apart in the packing the two ends of a link are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Package {
    /// On one chip.
    Chip,
    /// On one board.
    Board,
    /// In one rack.
    Rack,
    /// In one row of racks.
    Row,
    /// Anywhere.
    Floor,
}

impl Package {
    /// All of them, innermost first.
    pub const ALL: [Package; 5] =
        [Package::Chip, Package::Board, Package::Rack, Package::Row, Package::Floor];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Package::Chip => "chip",
            Package::Board => "board",
            Package::Rack => "rack",
            Package::Row => "row",
            Package::Floor => "floor",
        }
    }
}

/// What a network takes to build.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Bill {
    /// How many links stay within each package and within no smaller one; in a cluster those inside a server are on a
    /// board.
    pub links: [u64; 5],
    /// How many of the links of each level of the network stay within each package.
    pub by_level: Vec<[u64; 5]>,
    /// How many boards.
    pub boards: u64,
    /// How many racks.
    pub racks: u64,
    /// How many rows.
    pub rows: u64,
    /// How many nodes a rack holds.
    pub in_rack: u64,
    /// Hosts among which price and power are divided: those of the network, in a design at most those asked for.
    pub hosts: u64,
    /// Switches inside servers, which bring them along; of a cluster alone.
    pub server_switches: u64,
    /// Links by copper, each a cable unless ports are broken out.
    pub copper: u64,
    /// Links by active copper.
    pub active: u64,
    /// Links by fiber.
    pub fiber: u64,
    /// Meters of all cables.
    pub length: f64,
    /// Meters of the longest.
    pub longest: f64,
    /// Links by the length in which their cables are sold, the shortest first.
    pub cable_lengths: Vec<CableLengths>,
    /// Where switches were placed: no placement of them on this floor has fewer meters of cable.
    pub least_length: Option<f64>,
    /// What is purchased: switches, ports, NICs and cables.
    pub items: Vec<Item>,
    /// Dollars for all of it.
    pub price: f64,
    /// Watts of all of it.
    pub power: f64,
}

/// Links by the name of the package that they stay within.
struct ByPackage<'a>(&'a [u64; 5]);

impl Serialize for ByPackage<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(Package::ALL.into_iter().map(Package::name).zip(self.0))
    }
}

nestnet_graph::written_as!(ByPackage<'_>: BTreeMap<&str, u64>);

impl Serialize for Bill {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        fields!(
            serializer,
            "Bill",
            /// Links by the smallest package that has both ends, such as a board or a rack.
            links: ByPackage<'_> = ByPackage(&self.links),
            /// The same for each level of links.
            links_by_level: Vec<ByPackage<'_>> = self.by_level.iter().map(ByPackage).collect(),
            nodes_in_rack = self.in_rack,
            boards = self.boards,
            racks = self.racks,
            rows = self.rows,
            /// Switches inside servers, which bring them along; of a cluster alone.
            [server_switches]: u64 = Some(self.server_switches).filter(|&switches| switches > 0),
            copper = self.copper,
            /// Links by active copper.
            [active_copper]: u64 = Some(self.active).filter(|&active| active > 0),
            fiber = self.fiber,
            cable_length = self.length,
            longest_cable = self.longest,
            [least_cable_length] = self.least_length,
            cable_lengths = self.cable_lengths,
            items = self.items,
            price = self.price,
            power = self.power,
        )
    }
}

impl Bill {
    /// The part of the links that need no cable between racks.
    pub fn inside_racks(&self) -> f64 {
        let all: u64 = self.links.iter().sum();
        let inside: u64 = self.links[..3].iter().sum();
        if all == 0 { 1.0 } else { inside as f64 / all as f64 }
    }

    /// Dollars for each host.
    pub fn price_per_host(&self) -> f64 {
        self.price / self.hosts.max(1) as f64
    }

    /// Watts for each host.
    pub fn power_per_host(&self) -> f64 {
        self.power / self.hosts.max(1) as f64
    }
}

/// The bill of a network, by looking at every link once. O(links); nothing is stored.
///
/// ```
/// use nestnet_graph::Budget;
/// use nestnet::physical::{Packing, CostModel, bill};
/// use nestnet_graph::Csr;
///
/// let ring = Csr::from_links(4, &[(0, 1), (1, 2), (2, 3), (3, 0)], 1 << 20).unwrap();
/// let cost_model = CostModel { board: 1, rack: 2, row: 2, ..CostModel::default() };
/// let bill = bill(&ring, &Packing::new(&ring, &[], &cost_model), &cost_model, &Budget::default()).unwrap();
/// assert_eq!(bill.links, [0, 0, 2, 2, 0]);
/// assert_eq!((bill.racks, bill.rows, bill.copper), (2, 1, 4));
/// assert!((bill.longest - 2.6).abs() < 1e-9);
/// ```
pub fn bill(
    network: &dyn Network,
    packing: &Packing,
    cost_model: &CostModel,
    budget: &Budget<'_>,
) -> Result<Bill, CostModelError> {
    cost_model.check()?;
    let order = network.order();
    let channels = u128::from(order) * u128::from(network.ports());
    budget.affords("walking all links", channels)?;
    // In a cluster, a switch is a box of its own, and cables lead to it, but not inside a server.
    let has_boxes = cost_model.nic.is_some() && packing.hosts < order;
    let server_levels = if has_boxes { network.server_levels() } else { 0 };
    let is_placed = cost_model.placement == Placement::Optimized && has_boxes;
    let placed = match is_placed && cost_model.board == 1 {
        true => placement::place(network, cost_model, budget)?,
        false => None,
    };
    let host_racks = packing.packages(2);
    // Switches without hosts fill racks of their own, one after the other.
    let switches_in_rack = packing.in_rack().max(1);
    let alone = match placed {
        Some(_) => Alone { hosts: packing.hosts, before: Vec::new(), count: 0 },
        None => Alone::of(network, packing, budget)?,
    };
    let (racks, row) = match &placed {
        Some(placed) => (placed.racks, placed.row),
        None => {
            let racks = host_racks + alone.count.div_ceil(switches_in_rack);
            (racks, if cost_model.row == 0 { square(racks) } else { cost_model.row })
        }
    };
    let mut bill = Bill {
        by_level: vec![[0; 5]; usize::from(network.levels())],
        boards: packing.packages(1),
        rows: racks.div_ceil(row),
        racks,
        in_rack: placed.as_ref().map_or(packing.in_rack(), |placed| placed.fullest),
        hosts: packing.hosts,
        least_length: placed.as_ref().map(|placed| placed.least_length),
        ..Bill::default()
    };
    let mut cables = materials::Cables::default();
    let stand = |at: Node| {
        if let Some(placed) = &placed {
            let rack = placed.rack[usize::try_from(at.0).expect("it was placed")];
            // Every node is on a board of its own.
            return [at.0, at.0, rack.into()];
        }
        let place = packing.place(network, at);
        if place < packing.hosts {
            return [0, 1, 2].map(|level| packing.package(place, level));
        }
        [host_racks + place, host_racks + place, host_racks + alone.rank(at) / switches_in_rack]
    };
    let done = AtomicU64::new(0);
    let (mut used_racks, mut nic_links, mut inner_links, mut inner_switches) = (0, 0, 0, 0);
    // To each switch so many links of broken out ports, of that length.
    let mut broken_out = BTreeMap::new();
    for from in (0..order).map(Node) {
        if from.0 % (1 << 16) == 0 {
            budget.watch.step(&done, order.div_ceil(1 << 16))?;
        }
        let [chip, board, rack] = stand(from);
        used_racks = used_racks.max(rack + 1);
        let (mut degree, mut inner) = (0, 0);
        let is_switch = |at: Node| at.0 >= packing.hosts || packing.hosts >= order;
        network.for_each_neighbor(from, &mut |port, to| {
            let is_inner = server_levels > 0 && network.level(from, port) < server_levels;
            inner += u64::from(is_inner);
            degree += u64::from(!is_inner);
            if to < from {
                return;
            }
            let [chip_to, board_to, rack_to] = stand(to);
            let is_boxed = has_boxes && (from.0 >= packing.hosts || to.0 >= packing.hosts);
            let package = if is_inner {
                inner_links += 1;
                Package::Board
            } else if chip == chip_to && !is_boxed {
                Package::Chip
            } else if board == board_to && !is_boxed {
                Package::Board
            } else if rack == rack_to {
                Package::Rack
            } else if rack / row == rack_to / row {
                Package::Row
            } else {
                Package::Floor
            };
            bill.links[package as usize] += 1;
            let level = usize::from(network.level(from, port));
            if let Some(counts) = bill.by_level.get_mut(level) {
                counts[package as usize] += 1;
            }
            let meters = match package {
                Package::Chip | Package::Board => return,
                Package::Rack => cost_model.inside,
                Package::Row | Package::Floor => {
                    let apart = |a: u64, b: u64| a.abs_diff(b) as f64;
                    cost_model.overhead
                        + apart(rack % row, rack_to % row) * cost_model.along
                        + apart(rack / row, rack_to / row) * cost_model.across
                }
            };
            if cost_model.breakout > 1 && is_switch(to) {
                broken_out.entry(to).or_insert((0, meters)).0 += 1;
            } else {
                cables.add(meters);
            }
        });
        for (links, meters) in std::mem::take(&mut broken_out).into_values() {
            // Of two switches so many links are one port of each.
            let whole = if is_switch(from) { links / cost_model.breakout } else { 0 };
            cables.add_broken_out(meters, links, whole * cost_model.breakout);
        }
        match from.0 < packing.hosts {
            true => nic_links += cost_model.nic_links.min(degree),
            false => inner_switches += u64::from(degree == 0 && inner > 0),
        }
    }
    bill.server_switches = inner_switches;
    let links = bill.links.iter().sum::<u64>() - inner_links;
    let [nodes, links, hosts, nic_links] =
        [order - inner_switches, links, packing.hosts, nic_links].map(|count| count as f64);
    let equipment = cost_model.equipment(nodes, hosts, links, nic_links);
    let cabling = cables.priced(cost_model)?;
    [bill.copper, bill.active, bill.fiber] = cabling.counts;
    (bill.length, bill.longest) = (cabling.length, cabling.longest);
    bill.cable_lengths = cabling.lengths;
    bill.items = equipment.items(cost_model);
    bill.items.extend(cabling.items);
    bill.price = bill.items.iter().map(|item| item.price).sum();
    bill.power = bill.items.iter().map(|item| item.power).sum();
    // Racks after the last one that is used stand empty and are not built.
    bill.racks = used_racks;
    bill.rows = used_racks.div_ceil(row);
    Ok(bill)
}

/// Switches that stand beside no host, and how many come before each.
struct Alone {
    hosts: u64,
    /// For every switch how many of them come before it; none where every node is a host.
    before: Vec<u32>,
    count: u64,
}

impl Alone {
    fn of(
        network: &dyn Network,
        packing: &Packing,
        budget: &Budget<'_>,
    ) -> Result<Self, CostModelError> {
        let (order, hosts) = (network.order(), packing.hosts);
        budget.fits("where switches stand", 4 * u128::from(order - hosts))?;
        let (mut before, mut count) = (Vec::new(), 0u64);
        for at in (hosts..order).map(Node) {
            before.push(u32::try_from(count).unwrap_or(u32::MAX));
            count += u64::from(packing.place(network, at) >= hosts);
        }
        Ok(Alone { hosts, before, count })
    }

    fn rank(&self, at: Node) -> u64 {
        let switch = usize::try_from(at.0 - self.hosts).expect("it was listed");
        self.before[switch].into()
    }
}

/// Racks in a row so that rows and racks make a square: a divisor near the square root, or the root itself.
fn square(racks: u64) -> u64 {
    let root = racks.isqrt().max(1);
    let near = (root..=2 * root).find(|&row| racks.is_multiple_of(row));
    near.unwrap_or(root + u64::from(root * root < racks))
}

/// What a lower bound on the price of a network is computed from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parts {
    /// Hosts and switches, without those inside servers.
    pub nodes: f64,
    /// Nodes that inject and receive.
    pub hosts: f64,
    /// All links, those of hosts included, without those inside servers.
    pub links: f64,
    /// Links that are known to have a switch at one end.
    pub switch_links: f64,
}

impl CostModel {
    /// A lower bound in dollars on [`bill`]'s price of any network made of these parts: all equipment, and the cheapest
    /// cable for every link that cannot be a trace on a board. O(1). Infinite where no cable reaches the next device.
    pub fn least_price(&self, parts: &Parts) -> f64 {
        /// Covers the rounding errors of a bill that is summed link by link.
        const ROUNDING: f64 = 1e-12;
        let Parts { nodes, hosts, links, switch_links } = *parts;
        let has_boxes = self.nic.is_some() && hosts < nodes;
        // A switch that is not a box of its own is on the board of its host.
        let shares_boards = self.board > 1 || (hosts < nodes && !has_boxes);
        let cables = match (shares_boards, has_boxes) {
            (false, _) => links,
            (true, true) => switch_links,
            (true, false) => 0.0,
        };
        let cables = if cables > 0.0 { cables * self.least_cable_price() } else { 0.0 };
        let nic_links = hosts * self.nic_links as f64;
        let equipment = self.equipment(nodes, hosts, links, nic_links).price(self);
        (equipment + cables) * (1.0 - ROUNDING)
    }

    /// The price of the cheapest cable of the shortest length there is.
    fn least_cable_price(&self) -> f64 {
        let shortest = self.inside.min(self.overhead + self.along.min(self.across));
        let kinds = [&self.copper, &self.active, &self.fiber];
        let reaching = kinds.into_iter().filter(|cable| shortest <= cable.reach);
        let price = |cable: &Cable| cable.price + cable.price_per_meter * shortest;
        reaching.map(price).fold(f64::INFINITY, f64::min)
    }

    /// Whether it can be built.
    pub fn check(&self) -> Result<(), CostModelError> {
        for (what, size, inner) in [
            ("chip", self.chip, 1),
            ("board", self.board, self.chip),
            ("rack", self.rack, self.board),
        ] {
            if size < inner.max(1) {
                return Err(CostModelError::Sizes { what, size, inner });
            }
        }
        for (what, value) in [
            ("rack pitch", self.along),
            ("row pitch", self.across),
            ("cable in a rack", self.inside),
            ("cable overhead", self.overhead),
            ("copper price", self.copper.price),
            ("copper price per meter", self.copper.price_per_meter),
            ("copper reach", self.copper.reach),
            ("active copper price", self.active.price),
            ("active copper price per meter", self.active.price_per_meter),
            ("active copper reach", self.active.reach),
            ("active copper power", self.active.power),
            ("switch price", self.switch_price),
            ("switch power", self.switch_power),
            ("NIC price", self.nic.map_or(0.0, |nic| nic.price)),
            ("NIC power", self.nic.map_or(0.0, |nic| nic.power)),
            ("fiber price", self.fiber.price),
            ("fiber price per meter", self.fiber.price_per_meter),
            ("fiber power", self.fiber.power),
            ("port price", self.port_price),
            ("port power", self.port_power),
        ] {
            if value.is_nan() || value < 0.0 {
                return Err(CostModelError::Number { what, value });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
