//! Options of the cost model: one row for everything that can be set, for all front ends.

use super::floorplan::Floorplan;
use super::{Cable, CostModel, CostModelError, Nic, Placement, Speed};
use nestnet_graph::options::{Choice, Kind, OptionError, Setting, Usual, apply, find};
use thiserror::Error;

/// What a network is built as, and what that costs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CostSettings {
    /// As what.
    pub built_as: BuiltAs,
    /// Racks, cables, prices.
    pub cost_model: CostModel,
    /// Tiles and wires, for a chip.
    pub chip: Floorplan,
    /// The speed of a link of a cluster.
    pub speed: Speed,
}

/// What a network is built as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuiltAs {
    /// Boards and racks of a supercomputer.
    Rack,
    /// Servers, NICs, switches and cables.
    Cluster,
    /// Tiles on a grid, and wire.
    Chip,
}

/// Why there is no cost model.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum CostOptionError {
    /// An option that is not there, or a value that it does not take.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// What cannot be built.
    #[error(transparent)]
    CostModel(#[from] CostModelError),
    /// No port is as fast as its links together.
    #[error(
        "`breakout=`: {links} links of {gigabits} Gb/s are no port: ports have 100, 200, 400 or 800 Gb/s (`speed=` is \
         that of a link)"
    )]
    Breakout {
        /// The speed of a link in Gb/s.
        gigabits: u64,
        /// How many were to be of one port.
        links: u64,
    },
}

impl CostSettings {
    /// The default of this kind.
    pub fn of(built_as: BuiltAs) -> Self {
        let cost_model = match built_as {
            BuiltAs::Cluster => CostModel::cluster(Speed::Gb400),
            BuiltAs::Rack | BuiltAs::Chip => CostModel::default(),
        };
        CostSettings { built_as, cost_model, chip: Floorplan::default(), speed: Speed::Gb400 }
    }

    /// What is given, by the keys of [`COST_OPTIONS`], checked; where the kind is not given, it is `usual`.
    ///
    /// ```
    /// use nestnet::physical::{BuiltAs, CostSettings};
    ///
    /// let given = [("cost_model", "cluster"), ("nic", "1000,20")];
    /// let settings = CostSettings::read(BuiltAs::Rack, given).unwrap();
    /// assert_eq!(settings.cost_model.nic.unwrap().price, 1000.0);
    /// ```
    pub fn read<'a>(
        usual: BuiltAs,
        given: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, CostOptionError> {
        let mut settings = CostSettings::of(usual);
        apply(&COST_OPTIONS, &mut settings, given)?;
        settings.check()?;
        Ok(settings)
    }

    /// What is given of the cost model, and the rest.
    pub fn split<'a>(
        given: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> [Vec<(&'a str, &'a str)>; 2] {
        let of_cost = |(name, _): &(&str, &str)| find(&COST_OPTIONS, name).is_ok();
        given.into_iter().partition::<Vec<_>, _>(of_cost).into()
    }

    /// The tiles, where it is a chip.
    pub fn tiles(&self) -> Option<Floorplan> {
        (self.built_as == BuiltAs::Chip).then_some(self.chip)
    }

    fn set_kind(&mut self, built_as: BuiltAs) {
        *self = CostSettings { chip: self.chip, ..CostSettings::of(built_as) };
    }

    fn set_speed(&mut self, speed: Speed) {
        if self.built_as == BuiltAs::Cluster {
            self.cost_model = CostModel::cluster(speed);
            self.speed = speed;
        }
    }

    /// Breaks every port of a switch out into so many links; what no port is fast enough for is found by the check.
    fn set_breakout(&mut self, links: u64) {
        if self.built_as == BuiltAs::Cluster {
            let same = CostModel { breakout: links, ..self.cost_model };
            self.cost_model = CostModel::broken_out(self.speed, links).unwrap_or(same);
        }
    }

    fn check(&self) -> Result<(), CostOptionError> {
        self.cost_model.check()?;
        if self.built_as == BuiltAs::Chip {
            self.chip.check()?;
        }
        let (speed, links) = (self.speed, self.cost_model.breakout);
        match speed.of_port(links) {
            Some(_) => Ok(()),
            None => Err(CostOptionError::Breakout { gigabits: speed.gigabits(), links }),
        }
    }
}

/// No board or rack has more nodes.
const MOST: u64 = 1 << 24;

const fn count(
    key: &'static str,
    about: &'static str,
    unit: &'static str,
    usual: &'static str,
    high: u64,
    set: fn(&mut CostSettings, u64),
) -> Setting<CostSettings> {
    let kind = Kind::Count { low: 1, high, set };
    Setting { key, title: about, about, unit, usual: Usual::Said(usual), kind }
}

/// A length, price or power, which [`CostModel::check`] judges.
const fn number(
    key: &'static str,
    about: &'static str,
    unit: &'static str,
    usual: &'static str,
    set: fn(&mut CostSettings, f64),
) -> Setting<CostSettings> {
    let kind = Kind::Number { low: f64::NEG_INFINITY, set };
    Setting { key, title: about, about, unit, usual: Usual::Said(usual), kind }
}

const fn numbers(
    key: &'static str,
    about: &'static str,
    unit: &'static str,
    usual: &'static str,
    example: &'static str,
    set: fn(&mut CostSettings, &[f64]),
) -> Setting<CostSettings> {
    let kind = Kind::Numbers { example, set };
    Setting { key, title: about, about, unit, usual: Usual::Said(usual), kind }
}

/// Price, price per meter, and reach.
fn set_cable(cable: &mut Cable, numbers: &[f64]) {
    if let [price, price_per_meter, reach] = *numbers {
        *cable = Cable { price, price_per_meter, reach, ..*cable };
    }
}

/// The table. A row builds on those above it: the kind and the speed set all others, a board holds at least a chip.
pub static COST_OPTIONS: [Setting<CostSettings>; 25] = [
    Setting {
        key: "cost_model",
        title: "the cost model",
        about: "What it is built as: racks of a supercomputer, a cluster of servers and switches, or tiles \
                of a chip; its prices are in docs/cost-models.md, and every option below sets one of them",
        unit: "NAME",
        usual: Usual::Said("rack; cluster for a design with `hosts=`"),
        kind: Kind::Names(&[
            Choice {
                name: "rack",
                about: "Boards and racks of a supercomputer",
                set: |to| to.set_kind(BuiltAs::Rack),
            },
            Choice {
                name: "cluster",
                about: "Servers, NICs, switches and cables",
                set: |to| to.set_kind(BuiltAs::Cluster),
            },
            Choice {
                name: "chip",
                about: "Tiles on a grid, and wire",
                set: |to| to.set_kind(BuiltAs::Chip),
            },
        ]),
    },
    Setting {
        key: "speed",
        title: "the speed of a link",
        about: "The speed of a link of a cluster in Gb/s",
        unit: "GBITS",
        usual: Usual::Value("400"),
        kind: Kind::Names(&[
            Choice { name: "100", about: "100 Gb/s", set: |to| to.set_speed(Speed::Gb100) },
            Choice { name: "200", about: "200 Gb/s", set: |to| to.set_speed(Speed::Gb200) },
            Choice { name: "400", about: "400 Gb/s", set: |to| to.set_speed(Speed::Gb400) },
            Choice { name: "800", about: "800 Gb/s", set: |to| to.set_speed(Speed::Gb800) },
        ]),
    },
    Setting {
        key: "breakout",
        title: "the breakout of a switch port",
        about: "Links of `speed=` into which every port of a switch of a cluster is broken out: 64 ports of 800 Gb/s \
                are 128 links of 400 Gb/s with 2",
        unit: "LINKS",
        usual: Usual::Value("1"),
        kind: Kind::Names(&[
            Choice { name: "1", about: "One link a port", set: |to| to.set_breakout(1) },
            Choice { name: "2", about: "Two links a port", set: |to| to.set_breakout(2) },
            Choice { name: "4", about: "Four links a port", set: |to| to.set_breakout(4) },
            Choice { name: "8", about: "Eight links a port", set: |to| to.set_breakout(8) },
        ]),
    },
    count("chip", "Nodes on a chip", "NODES", "1", MOST, |to, nodes| {
        let model = &mut to.cost_model;
        // What is left open holds at least what is in it.
        (model.chip, model.board, model.rack) =
            (nodes, model.board.max(nodes), model.rack.max(nodes));
    }),
    count(
        "board",
        "Nodes on a board; links inside are traces",
        "NODES",
        "32, as Blue Gene/Q; cluster 1",
        MOST,
        |to, nodes| {
            let model = &mut to.cost_model;
            (model.board, model.rack) = (nodes, model.rack.max(nodes));
        },
    ),
    count(
        "rack",
        "Nodes in a rack",
        "NODES",
        "1024, as Blue Gene; cluster 32",
        MOST,
        |to, nodes| to.cost_model.rack = nodes,
    ),
    count(
        "row",
        "Racks in a row",
        "RACKS",
        "as many as make the floor square",
        u64::MAX,
        |to, racks| to.cost_model.row = racks,
    ),
    Setting {
        key: "placement",
        title: "the placement of switches",
        about: "Where the switches of a cluster are placed with their hosts",
        unit: "NAME",
        usual: Usual::Said("optimized for a cluster, in-order elsewhere"),
        kind: Kind::Names(&[
            Choice {
                name: "in-order",
                about: "Racks are filled by the ids of hosts",
                set: |to| to.cost_model.placement = Placement::InOrder,
            },
            Choice {
                name: "optimized",
                about: "Switches with their hosts are placed so that cables are short",
                set: |to| to.cost_model.placement = Placement::Optimized,
            },
        ]),
    },
    number(
        "rack_pitch",
        "Meters from a rack to the next in its row",
        "METERS",
        "0.6",
        |to, meters| to.cost_model.along = meters,
    ),
    number("row_pitch", "Meters from a row to the next", "METERS", "2.4", |to, meters| {
        to.cost_model.across = meters;
    }),
    number(
        "rack_cable",
        "Meters of a cable inside a rack",
        "METERS",
        "1; cluster 1.5",
        |to, meters| to.cost_model.inside = meters,
    ),
    number(
        "cable_overhead",
        "Meters that a cable needs to leave two racks",
        "METERS",
        "2",
        |to, meters| to.cost_model.overhead = meters,
    ),
    numbers(
        "copper",
        "Dollars of a copper cable, of each meter, and its reach in meters",
        "PRICE,PER_METER,REACH",
        "40,16,5",
        "40,16,5",
        |to, numbers| set_cable(&mut to.cost_model.copper, numbers),
    ),
    numbers(
        "active_copper",
        "Dollars of an active copper cable, of each meter, and its reach in meters",
        "PRICE,PER_METER,REACH",
        "none; cluster 250,50,7",
        "40,16,5",
        |to, numbers| set_cable(&mut to.cost_model.active, numbers),
    ),
    numbers(
        "nic",
        "Dollars and watts of the NIC of a host, which pays for its port",
        "PRICE,WATTS",
        "none; cluster 1600,25",
        "1600,25",
        |to, numbers| {
            if let [price, power] = *numbers {
                to.cost_model.nic = Some(Nic { price, power });
            }
        },
    ),
    count(
        "nic_links",
        "Links of the NIC of a host; further ones take a port each",
        "N",
        "1",
        MOST,
        |to, links| to.cost_model.nic_links = links,
    ),
    numbers(
        "switch",
        "Dollars and watts of a switch without its ports",
        "PRICE,WATTS",
        "0,0; cluster 3000,150",
        "1600,25",
        |to, numbers| {
            if let [price, power] = *numbers {
                (to.cost_model.switch_price, to.cost_model.switch_power) = (price, power);
            }
        },
    ),
    count(
        "switch_ports",
        "Ports of a switch, all of which are paid, used or not",
        "PORTS",
        "those in use; for a design with `hosts=` those of `radix=`",
        MOST,
        |to, ports| {
            // Of a port that is broken out, all links are.
            to.cost_model.switch_ports = ports.saturating_mul(to.cost_model.breakout);
        },
    ),
    numbers(
        "fiber",
        "Dollars of a fiber cable, of each meter, and the watts of its two ends",
        "PRICE,PER_METER,WATTS",
        "376,5,3",
        "40,16,5",
        |to, numbers| {
            if let [price, price_per_meter, power] = *numbers {
                let fiber = &mut to.cost_model.fiber;
                *fiber = Cable { price, price_per_meter, power, ..*fiber };
            }
        },
    ),
    number("port_price", "Dollars of a port of a router", "DOLLARS", "500", |to, dollars| {
        to.cost_model.port_price = dollars;
    }),
    number("port_power", "Watts of a port of a router", "WATTS", "2.8", |to, watts| {
        to.cost_model.port_power = watts;
    }),
    number("tile", "Millimeters from a tile of a chip to the next", "MM", "1", |to, mm| {
        to.chip.side = mm;
    }),
    count(
        "wires",
        "Wires of a link of a chip in each direction",
        "WIRES",
        "128",
        MOST,
        |to, wires| to.chip.wires = wires,
    ),
    number(
        "wire_pitch",
        "Micrometers from a wire of a chip to the next",
        "UM",
        "0.2",
        |to, micrometers| to.chip.pitch = micrometers,
    ),
    numbers(
        "bit_energy",
        "Picojoules to move a bit a millimeter on a chip, and through a router",
        "WIRE,ROUTER",
        "0.1,0.1",
        "0.1,0.1",
        |to, numbers| {
            if let [wire, router] = *numbers {
                (to.chip.wire_energy, to.chip.router_energy) = (wire, router);
            }
        },
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn read(given: &[(&str, &str)]) -> Result<CostSettings, CostOptionError> {
        CostSettings::read(BuiltAs::Rack, given.iter().copied())
    }

    #[test]
    fn defaults_that_are_said_are_those_of_the_model() {
        for row in &COST_OPTIONS {
            let Usual::Said(said) = row.usual else { continue };
            for (kind, value) in [
                (BuiltAs::Rack, Some(said)),
                (BuiltAs::Cluster, said.split_once("; cluster ").map(|said| said.1)),
            ] {
                let value = value.and_then(|value| value.split([';', ' ']).next()).unwrap_or("");
                let value = value.strip_suffix(',').unwrap_or(value);
                let mut settings = CostSettings::of(kind);
                if value.starts_with(|first: char| first.is_ascii_digit()) {
                    row.set(&mut settings, value).unwrap();
                    assert_eq!(settings, CostSettings::of(kind), "{} {value}", row.key);
                }
            }
        }
    }

    #[test]
    fn a_kind_comes_first_and_packages_hold_what_is_in_them() {
        let model = read(&[("port_price", "7"), ("cost_model", "cluster")]).unwrap().cost_model;
        assert_eq!(model, CostModel { port_price: 7.0, ..CostModel::cluster(Speed::Gb400) });
        let model = read(&[("cost-model", "cluster"), ("speed", "800")]).unwrap().cost_model;
        assert_eq!(model, CostModel::cluster(Speed::Gb800));
        // The box is that of the faster ports, a host's link and cable that of the slower ones.
        let out = [("cost_model", "cluster"), ("speed", "400"), ("breakout", "2")];
        let broken = read(&out).unwrap().cost_model;
        let (fast, slow) = (CostModel::cluster(Speed::Gb800), CostModel::cluster(Speed::Gb400));
        assert_eq!((broken.breakout, broken.port_price), (2, fast.port_price / 2.0));
        assert_eq!((broken.switch_price, broken.nic), (fast.switch_price, slow.nic));
        let error = read(&[out[0], out[1], ("breakout", "4")]).unwrap_err().to_string();
        assert!(error.contains("4 links of 400 Gb/s are no port"), "{error}");
        let model = read(&[("board", "4096"), ("chip", "64")]).unwrap().cost_model;
        assert_eq!((model.chip, model.board, model.rack), (64, 4096, 4096));
        assert!(
            read(&[("board", "32"), ("chip", "64")]).unwrap_err().to_string().contains("board")
        );
        assert_eq!(
            read(&[("cost_model", "chip"), ("tile", "2")]).unwrap().tiles().unwrap().side,
            2.0
        );
        let error = read(&[("cost_model", "garden")]).unwrap_err().to_string();
        assert!(error.contains("expected rack or cluster or chip, not \"garden\""), "{error}");
        let error = read(&[("price", "1")]).unwrap_err().to_string();
        assert!(
            error.starts_with(
                "there is no option `price`: there are cost_model, speed, breakout, chip"
            ),
            "{error}"
        );
    }
}
