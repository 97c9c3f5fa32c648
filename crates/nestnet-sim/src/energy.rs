//! What do flits cost on a chip? Events that are counted, each with its energy.
//!
//! A flit that crosses a switch was written into a queue and read from it once, and then takes a wire. What is spent
//! without flits, as by clocks and leakage, is not in it.

use super::persist::persist;
use nestnet_graph::json::rounded;
use serde::{Serialize, Serializer};

/// Energies of the events of a flit. The defaults are those of [`ENERGIES`].
#[derive(Clone, Debug, PartialEq)]
pub struct EnergyModel {
    /// Picojoules to write a bit into a queue.
    pub write: f64,
    /// Picojoules to read a bit from a queue.
    pub read: f64,
    /// Picojoules to allocate for a bit and move it through the switch.
    pub switch: f64,
    /// Picojoules to move a bit a millimeter.
    pub wire: f64,
    /// Millimeters of a link of each level; those beyond are as the last.
    pub lengths: Vec<f64>,
    /// Bits of a flit.
    pub bits: f64,
    /// Cycles a nanosecond.
    pub clock: f64,
}

/// One event, its energy, and where that is from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EnergyRow {
    /// What happens.
    pub event: &'static str,
    /// Picojoules for a bit; of the wire for a millimeter.
    pub energy: f64,
    /// Where it is from.
    pub source: &'static str,
    /// Of which year.
    pub year: u16,
}

const ASSUMED: &str = "assumed: a round magnitude of a process of about 5 nm, as the cost model of a chip; its \
                       router of 0.1 pJ in three parts";

/// All events.
pub static ENERGIES: [EnergyRow; 4] = [
    EnergyRow { event: "buffer write", energy: 0.03, source: ASSUMED, year: 2025 },
    EnergyRow { event: "buffer read", energy: 0.03, source: ASSUMED, year: 2025 },
    EnergyRow { event: "switch", energy: 0.04, source: ASSUMED, year: 2025 },
    EnergyRow { event: "wire, a millimeter", energy: 0.1, source: ASSUMED, year: 2025 },
];

impl Default for EnergyModel {
    /// Links of a millimeter, flits of 128 bits, a gigahertz.
    fn default() -> Self {
        let [write, read, switch, wire] = ENERGIES.map(|row| row.energy);
        EnergyModel { write, read, switch, wire, lengths: vec![1.0], bits: 128.0, clock: 1.0 }
    }
}

impl EnergyModel {
    /// Millimeters of a link of that level.
    pub fn length_of(&self, level: u16) -> f64 {
        let last = self.lengths.last().copied().unwrap_or(0.0);
        self.lengths.get(usize::from(level)).copied().unwrap_or(last)
    }

    /// The first number that is none, or negative.
    pub(super) fn wrong(&self) -> Option<(&'static str, f64)> {
        let named = [
            ("the energy of a write", self.write),
            ("the energy of a read", self.read),
            ("the energy of the switch", self.switch),
            ("the energy of a wire", self.wire),
            ("the bits of a flit", self.bits),
            ("the clock", self.clock),
        ];
        let lengths = self.lengths.iter().map(|&length| ("the length of a link", length));
        let is_wrong = |&(_, value): &(&str, f64)| !(value.is_finite() && value >= 0.0);
        named.into_iter().chain(lengths).find(is_wrong)
    }
}

/// Events of the window.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Events {
    /// Flits that crossed a switch.
    pub crossed: u64,
    /// Millimeters that flits took on links.
    pub millimeters: f64,
}

/// What the flits of the window cost.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Energy {
    /// Picojoules of a flit that arrived, from end to end, on average.
    pub per_flit: f64,
    /// Picojoules of these in queues, written and read.
    pub buffers: f64,
    /// Picojoules of these in switches.
    pub switches: f64,
    /// Picojoules of these on links.
    pub links: f64,
    /// Milliwatts of the whole network, on average over the window.
    pub power: f64,
}

impl Energy {
    /// `flits` arrived in so many cycles.
    pub(super) fn of(model: &EnergyModel, events: Events, flits: u64, cycles: u64) -> Self {
        let crossed = events.crossed as f64 * model.bits;
        let buffers = crossed * (model.write + model.read);
        let switches = crossed * model.switch;
        let links = events.millimeters * model.bits * model.wire;
        let each = |energy: f64| energy / flits.max(1) as f64;
        Energy {
            per_flit: each(buffers + switches + links),
            buffers: each(buffers),
            switches: each(switches),
            links: each(links),
            // Picojoules a nanosecond.
            power: (buffers + switches + links) * model.clock / cycles.max(1) as f64,
        }
    }
}

impl Serialize for Energy {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        nestnet_graph::fields!(
            serializer,
            "Energy",
            per_flit = rounded(self.per_flit),
            buffers = rounded(self.buffers),
            switches = rounded(self.switches),
            links = rounded(self.links),
            power = rounded(self.power),
        )
    }
}

persist!(Events { crossed, millimeters });
persist!(Energy { per_flit, buffers, switches, links, power });
