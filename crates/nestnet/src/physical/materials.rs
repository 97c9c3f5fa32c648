//! Bill of materials: how many of what is purchased, at what price?
//!
//! Cables are counted by their exact length, priced, and listed by the length in which they are sold. The price and the
//! power of a [`Bill`](super::Bill) are the sums of its items.

use super::{Cable, CostModel, CostModelError, Nic};
use num_traits::ToPrimitive;
use serde::Serialize;
use std::collections::BTreeMap;

/// Meters of the cables that are sold; longer ones in steps of the last.
const SOLD: [f64; 12] = [1.0, 1.5, 2.0, 3.0, 5.0, 7.0, 10.0, 15.0, 20.0, 30.0, 50.0, 100.0];

/// Fiber comes with its modules up to this many meters; beyond they are separate.
const AOC_REACH: f64 = 30.0;

/// A line of a bill of materials.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename = "BillItem")]
#[non_exhaustive]
pub struct Item {
    /// What is purchased.
    pub item: String,
    /// The length in which a cable is sold, in meters; none of what is no cable.
    pub meters: Option<f64>,
    /// How many of it.
    pub count: u64,
    /// Dollars for one, on average.
    pub unit_price: f64,
    /// Dollars for all.
    pub price: f64,
    /// Watts of all.
    pub power: f64,
}

impl Item {
    fn new(item: String, meters: Option<f64>, count: u64, price: f64, power: f64) -> Self {
        let unit_price = if count == 0 { 0.0 } else { price / count as f64 };
        Item { item, meters, count, unit_price, price, power }
    }

    /// So many of the same.
    pub(crate) fn of(&self, count: u64) -> Self {
        let part = count as f64 / self.count.max(1) as f64;
        let Item { item, meters, price, power, .. } = self;
        Item::new(item.clone(), *meters, count, price * part, power * part)
    }
}

/// Links whose cables are sold in one length.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct CableLengths {
    /// The longest cable of this row, in meters; all are longer than those of the row before.
    pub up_to: f64,
    /// How many links, each a cable unless ports are broken out.
    pub cables: u64,
    /// Meters of all of them.
    pub length: f64,
}

/// What a cable is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Material {
    Copper,
    ActiveCopper,
    Fiber,
}

impl Material {
    fn name(self, up_to: f64) -> &'static str {
        match self {
            Material::Copper => "passive copper cable (DAC)",
            Material::ActiveCopper => "active copper cable (AEC)",
            Material::Fiber if up_to <= AOC_REACH => "active optical cable (AOC)",
            Material::Fiber => "two transceivers and fiber",
        }
    }
}

/// Cables of one material and class, added up.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    count: u64,
    length: f64,
    price: f64,
    power: f64,
}

/// What ends in a switch port of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Ends {
    /// It has ports of its own.
    Own,
    /// All links of a port of one switch lead to one port of another: side by side in one cable.
    Whole,
    /// Links of a port lead to different places: a splitter cable.
    Split,
}

/// Links by the length of their cables.
#[derive(Clone, Debug, Default)]
pub(super) struct Cables {
    /// By the bits of a length, which order as positive lengths do.
    counts: BTreeMap<(u64, Ends), u64>,
}

/// What cables cost.
#[derive(Clone, Debug, Default)]
pub(super) struct Cabling {
    /// How many of copper, active copper and fiber.
    pub counts: [u64; 3],
    pub length: f64,
    pub longest: f64,
    pub lengths: Vec<CableLengths>,
    pub items: Vec<Item>,
}

impl Cables {
    pub(super) fn add(&mut self, meters: f64) {
        self.add_of_ports(meters, 1, Ends::Own);
    }

    /// Links that a port is broken out into: so many to each of several ports at once side by side, the others split.
    pub(super) fn add_broken_out(&mut self, meters: f64, links: u64, side_by_side: u64) {
        self.add_of_ports(meters, side_by_side, Ends::Whole);
        self.add_of_ports(meters, links - side_by_side, Ends::Split);
    }

    /// So many links of one length.
    fn add_of_ports(&mut self, meters: f64, links: u64, ends: Ends) {
        if links > 0 {
            // Zero has one sign.
            *self.counts.entry(((meters + 0.0).to_bits(), ends)).or_insert(0) += links;
        }
    }

    /// Every link by the cheapest material that reaches. A cable of several links costs as much as they do.
    pub(super) fn priced(&self, cost_model: &CostModel) -> Result<Cabling, CostModelError> {
        let mut found = Cabling::default();
        let mut sums: BTreeMap<(Material, u64, Ends), Sum> = BTreeMap::new();
        for (&(bits, ends), &count) in &self.counts {
            let meters = f64::from_bits(bits);
            let (material, cable) = cheapest(meters, cost_model)?;
            let (many, up_to) = (count as f64, sold(meters));
            found.counts[material as usize] += count;
            found.length += many * meters;
            found.longest = found.longest.max(meters);
            let sum = sums.entry((material, up_to.to_bits(), ends)).or_default();
            sum.count += count;
            sum.length += many * meters;
            sum.price += many * price(cable, meters);
            sum.power += many * cable.power;
        }
        let mut lengths: BTreeMap<u64, CableLengths> = BTreeMap::new();
        let broken_out = cost_model.breakout.max(1);
        for (&(material, bits, ends), sum) in &sums {
            let up_to = f64::from_bits(bits);
            let row = lengths.entry(bits).or_insert(CableLengths { up_to, cables: 0, length: 0.0 });
            row.cables += sum.count;
            row.length += sum.length;
            let name = material.name(up_to);
            let (name, count) = match ends {
                Ends::Own => (name.to_owned(), sum.count),
                Ends::Whole => {
                    (format!("{name} of {broken_out} links side by side"), sum.count / broken_out)
                }
                Ends::Split => (
                    format!("{name} split into {broken_out} links"),
                    sum.count.div_ceil(broken_out),
                ),
            };
            found.items.push(Item::new(name, Some(up_to), count, sum.price, sum.power));
        }
        found.lengths = lengths.into_values().collect();
        Ok(found)
    }
}

/// The length in which such a cable is sold.
fn sold(meters: f64) -> f64 {
    let last = SOLD[SOLD.len() - 1];
    // What is longer by a rounding error is not.
    let fits = |up_to: &&f64| meters <= **up_to * (1.0 + 1e-9);
    SOLD.iter().find(fits).copied().unwrap_or_else(|| (meters / last).ceil() * last)
}

fn price(cable: &Cable, meters: f64) -> f64 {
    cable.price + cable.price_per_meter * meters
}

fn cheapest(meters: f64, cost_model: &CostModel) -> Result<(Material, &Cable), CostModelError> {
    let all = [
        (Material::Copper, &cost_model.copper),
        (Material::ActiveCopper, &cost_model.active),
        (Material::Fiber, &cost_model.fiber),
    ];
    let reaching = all.into_iter().filter(|(_, cable)| meters <= cable.reach);
    let found = reaching.min_by(|(_, a), (_, b)| price(a, meters).total_cmp(&price(b, meters)));
    found.ok_or(CostModelError::TooFar { meters, reach: cost_model.fiber.reach })
}

/// How many of each are purchased besides cables.
pub(super) struct Equipment {
    pub switches: f64,
    /// Ports, used or not.
    pub ports: f64,
    pub nics: f64,
}

impl CostModel {
    /// What so many nodes and links take, of which `nic_links` end at the NIC of a host.
    pub(super) fn equipment(
        &self,
        nodes: f64,
        hosts: f64,
        links: f64,
        nic_links: f64,
    ) -> Equipment {
        let ends = 2.0 * links;
        let (ports, switches, nics) = match self.nic {
            None => (ends, nodes - hosts, 0.0),
            // Every node is a router with a port more for its own host.
            Some(_) if hosts >= nodes => (ends + nodes, nodes, nodes),
            Some(_) => ((ends - nic_links).max(0.0), nodes - hosts, hosts),
        };
        let ports = ports.max(switches * self.switch_ports as f64);
        Equipment { switches, ports, nics }
    }
}

impl Equipment {
    /// Dollars for all of it.
    pub(super) fn price(&self, cost_model: &CostModel) -> f64 {
        let nic = cost_model.nic.map_or(0.0, |nic| nic.price);
        self.switches * cost_model.switch_price
            + self.ports * cost_model.port_price
            + self.nics * nic
    }

    /// Line by line; a switch that is paid with all its ports is one.
    pub(super) fn items(&self, cost_model: &CostModel) -> Vec<Item> {
        let CostModel { switch_price, switch_power, port_price, port_power, .. } = *cost_model;
        let (paid, links) = (cost_model.switch_ports as f64, cost_model.breakout.max(1));
        let name = match (cost_model.switch_ports, links) {
            (0, _) => "switch".to_owned(),
            (ports, 1) => format!("switch of {ports} ports"),
            (ports, links) => {
                format!("switch of {} ports, each broken out into {links} links", ports / links)
            }
        };
        let Nic { price, power } = cost_model.nic.unwrap_or(Nic { price: 0.0, power: 0.0 });
        // Ports beyond those that come with the switches.
        let more = (self.ports - self.switches * paid).max(0.0);
        let lines = [
            (
                name,
                self.switches,
                switch_price + paid * port_price,
                switch_power + paid * port_power,
            ),
            ("port".to_owned(), more, port_price, port_power),
            ("NIC".to_owned(), self.nics, price, power),
        ];
        let needed = lines.into_iter().filter(|line| line.1 > 0.0);
        let needed = needed.map(|(name, many, price, power)| {
            let count = many.to_u64().unwrap_or(u64::MAX);
            Item::new(name, None, count, many * price, many * power)
        });
        // What has no price and no power is part of something else.
        needed.filter(|item| item.price > 0.0 || item.power > 0.0).collect()
    }
}

/// A bill of materials as CSV: a line an item, and the sum of all.
///
/// ```
/// use nestnet::compare::bill_of;
/// use nestnet::physical::{CostModel, Speed, to_csv};
///
/// let built = nestnet::build("hosts(ring(4), 8)").unwrap();
/// let bill = bill_of(&built, &CostModel::cluster(Speed::Gb400), &nestnet::Budget::default()).unwrap();
/// let table = to_csv(&bill.items);
/// assert!(table.starts_with("item,meters,count,unit_price,price,watts\nswitch,,4,3000.00,12000.00,600.00\n"));
/// assert!(table.contains("\nNIC,,32,1600.00,51200.00,800.00\n"));
/// ```
pub fn to_csv(items: &[Item]) -> String {
    let quoted = |text: &str| match text.contains([',', '"']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    };
    let mut text = String::from("item,meters,count,unit_price,price,watts\n");
    for Item { item, meters, count, unit_price, price, power } in items {
        let meters = meters.map_or_else(String::new, |meters| meters.to_string());
        let name = quoted(item);
        text.push_str(&format!("{name},{meters},{count},{unit_price:.2},{price:.2},{power:.2}\n"));
    }
    let sum = |of: fn(&Item) -> f64| items.iter().map(of).sum::<f64>();
    text.push_str(&format!(
        "total,,,,{:.2},{:.2}\n",
        sum(|item| item.price),
        sum(|item| item.power)
    ));
    text
}
