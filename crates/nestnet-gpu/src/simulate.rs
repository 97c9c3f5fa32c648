//! A network flit by flit on a device: the host part of the kernel `simulate_cycle`.
//!
//! # Model
//! Packets have one flit. A router is input-queued, with virtual channels and credits, and takes one cycle; a link takes
//! one more. In every cycle each input may send one flit to an output that is free and whose virtual channel has a credit;
//! the inputs come in turn, another first in each cycle, and the virtual channels of an input by round robin. Hosts make
//! packets by a Bernoulli process for any other host; a source queue has no bound and takes no memory, because a packet
//! follows from the seed, its cycle and its host. A result depends on no order of threads.
//!
//! It is a simpler router than that of `nestnet-sim` (no pipeline, packets of one flit, one allocator), so its latencies
//! are not comparable with those.
//!
//! Routes are in dimension order, or from a table by router, target and virtual channel.

use crate::device::{Device, DeviceError, Kernel};
use crate::sweep::packed;
use nestnet_graph::{Budget, Csr, Network, Watch};

/// The most ports of a router.
pub const MOST_PORTS: u32 = 62;

/// Cycles between two looks at what was received.
const LOOK: u64 = 128;

/// No neighbor at that port.
const NO_NODE: u32 = u32::MAX;

/// What is counted of every router.
const COUNTS: usize = 8;

/// How packets are routed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Routing {
    /// The shorter direction in each dimension, the first dimension first. Whoever still has to cross the link between
    /// the last digit and 0 is on virtual channel 0, the rest on the last one, so that two are free of deadlock.
    Dimensions(Vec<Dimension>),
    /// By table.
    Table(Table),
}

/// One digit of a node's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dimension {
    /// How many values it has.
    pub side: u64,
    /// What it is multiplied by.
    pub stride: u64,
    /// Whether its last value is linked to 0.
    pub wraps: bool,
}

/// Port and virtual channel of the next hop, for every router, target and class: the virtual channel on which a packet
/// arrives, or the last class where there are fewer; a packet of the router's own host is of class 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    classes: u64,
    hops: Vec<u32>,
}

impl Table {
    /// From a rule: port and virtual channel for a router, a class and another host. O(routers · classes · hosts).
    pub fn new(
        routers: u64,
        hosts: u64,
        classes: u8,
        mut hop: impl FnMut(u64, u8, u64) -> (u16, u8),
    ) -> Self {
        let classes = classes.max(1);
        let mut hops = Vec::new();
        for to in 0..hosts {
            for class in 0..classes {
                hops.extend((0..routers).map(|at| match at == to {
                    true => 0,
                    false => {
                        let (port, vc) = hop(at, class, to);
                        u32::from(port) | u32::from(vc) << 16
                    }
                }));
            }
        }
        Table { classes: classes.into(), hops }
    }
}

/// What is simulated.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// The routers.
    pub csr: &'a Csr,
    /// Routers `0..hosts` send and receive.
    pub hosts: u64,
    /// How packets are routed.
    pub routing: &'a Routing,
    /// Virtual channels of a link.
    pub vcs: u8,
    /// Flits that a queue holds.
    pub slots: u16,
    /// Packets that a host makes in a cycle, at most 1.
    pub load: f64,
    /// The random seed.
    pub seed: u64,
    /// Cycles before the first packet that is measured.
    pub warmup: u64,
    /// Cycles whose packets are measured.
    pub cycles: u64,
    /// The most cycles that are waited for them.
    pub drain: u64,
}

/// What a simulation found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Simulated {
    /// Cycles that it took.
    pub cycles: u64,
    /// Packets that were made.
    pub made: u64,
    /// Of these, how many left their source queue.
    pub sent: u64,
    /// Of these, how many arrived.
    pub received: u64,
    /// Links that flits crossed.
    pub hops: u64,
    /// Packets of the measured cycles.
    pub measured: u64,
    /// Of these, how many arrived.
    pub arrived: u64,
    /// Cycles from birth to arrival, of all of these together.
    pub latency: u64,
    /// Of the slowest of these.
    pub longest: u64,
}

impl Run<'_> {
    /// Bytes that it takes on a device.
    pub fn bytes(&self) -> u128 {
        let (routers, ports) = (u128::from(self.csr.order()), u128::from(self.csr.ports()));
        let (vcs, slots) = (u128::from(self.vcs), u128::from(self.slots));
        let words = |numbers: u128| 8 * numbers.div_ceil(2);
        let queues = 8 * ports * vcs * slots * routers + 2 * words(ports * vcs * routers);
        let links = 2 * 8 * ports * routers + words(2 * ports * routers);
        let rest = 2 * words(ports * routers) + 8 * (1 + COUNTS as u128) * routers;
        let routing = match self.routing {
            Routing::Dimensions(dimensions) => {
                let dimensions = dimensions.len() as u128;
                8 * 3 * dimensions + words(2 * dimensions * routers)
            }
            Routing::Table(table) => words(table.hops.len() as u128),
        };
        queues + links + rest + routing
    }

    /// An error where this model has no such network, routes or numbers.
    fn check(&self) -> Result<(), DeviceError> {
        let refuse = |why: &str| Err(DeviceError::Unsupported(why.to_owned()));
        if self.csr.ports() > MOST_PORTS {
            return refuse("routers of more than 62 ports");
        }
        if u128::from(self.csr.order()) * u128::from(self.csr.ports()) >= NO_NODE.into() {
            return refuse("2^32 ports or more");
        }
        if self.vcs == 0 || self.slots == 0 {
            return refuse("links without a virtual channel or a buffer");
        }
        if !(0.0..=1.0).contains(&self.load) {
            return refuse("a load that is not between 0 and 1");
        }
        if self.hosts > self.csr.order() {
            return refuse("more hosts than routers");
        }
        if self.ends().is_none() {
            return refuse("more than 2^32 cycles");
        }
        match self.routing {
            Routing::Dimensions(dimensions) if !self.is_grid(dimensions) => {
                refuse("dimension order where the digits of a node are not linked so")
            }
            Routing::Dimensions(dimensions)
                if self.vcs < 2 && dimensions.iter().any(|one| one.wraps && one.side > 3) =>
            {
                refuse("dimension order around rings on one virtual channel, which may deadlock")
            }
            Routing::Table(table) if !self.is_whole(table) => {
                refuse("a table that leads to a port or a virtual channel that is not there")
            }
            _ => Ok(()),
        }
    }

    /// The cycle after the measured ones, and the last that may be.
    fn ends(&self) -> Option<(u64, u64)> {
        let measured = self.warmup.checked_add(self.cycles)?;
        let last = measured.checked_add(self.drain)?;
        (last <= 1 << 32).then_some((measured, last))
    }

    /// Whether every digit is linked to the next.
    fn is_grid(&self, dimensions: &[Dimension]) -> bool {
        let mut stride = 1u64;
        let mut sorted = dimensions.to_vec();
        sorted.sort_by_key(|one| one.stride);
        for one in &sorted {
            if one.stride != stride || one.side == 0 {
                return false;
            }
            let Some(product) = stride.checked_mul(one.side) else { return false };
            stride = product;
        }
        stride == self.csr.order()
            && dimensions.iter().all(|&Dimension { side, stride, wraps }| {
                (0..self.csr.order()).all(|at| {
                    let digit = at / stride % side;
                    let next = match digit + 1 == side {
                        true if wraps && side > 1 => at - digit * stride,
                        true => return true,
                        false => at + stride,
                    };
                    let linked = |from: u64, to: u64| {
                        let [from, to] = [from, to].map(|node| u32::try_from(node).unwrap_or(0));
                        self.csr.neighbors(from).contains(&to)
                    };
                    linked(at, next)
                })
            })
    }

    /// Whether every hop of a table is there.
    fn is_whole(&self, table: &Table) -> bool {
        let order = self.csr.order();
        let rows = u128::from(self.hosts) * u128::from(table.classes);
        let degree = |at: u64| u32::try_from(at).map_or(0, |at| self.csr.neighbors(at).len());
        let is_there = |(row, at, hop): (u64, u64, u32)| {
            let (port, vc) = (hop & 0xffff, hop >> 16);
            row / table.classes == at || ((port as usize) < degree(at) && vc < self.vcs.into())
        };
        table.hops.len() as u128 == rows * u128::from(order)
            && (0..)
                .zip(&table.hops)
                .all(|(place, &hop): (u64, &u32)| is_there((place / order, place % order, hop)))
    }
}

/// Where the neighbor at a port writes, by port and router, in a buffer by port and router.
fn arrivals(csr: &Csr) -> Vec<u32> {
    let order = usize::try_from(csr.order()).unwrap_or(0);
    let mut arrivals = vec![NO_NODE; order * csr.ports() as usize];
    for at in (0..u32::MAX).take(order) {
        let all = csr.neighbors(at);
        for (port, &to) in all.iter().enumerate() {
            // Of several cables the same one at both ends.
            let cable = port - all.partition_point(|&other| other < to);
            let back = csr.neighbors(to).partition_point(|&other| other < at) + cable;
            let place = u32::try_from(back * order + to as usize).unwrap_or(NO_NODE);
            arrivals[port * order + at as usize] = place;
        }
    }
    arrivals
}

/// The ports up and down each dimension, by router; 0 where there is no such link, which no route takes.
fn directions(csr: &Csr, dimensions: &[Dimension]) -> Vec<u32> {
    let mut directions = Vec::new();
    for &Dimension { side, stride, .. } in dimensions {
        for step in [1, side - 1] {
            directions.extend((0..csr.order()).map(|at| {
                let digit = at / stride % side;
                let next = at - digit * stride + (digit + step) % side * stride;
                let [at, next] = [at, next].map(|node| u32::try_from(node).unwrap_or(NO_NODE));
                let port = csr.neighbors(at).binary_search(&next).unwrap_or(0);
                u32::try_from(port).unwrap_or(0)
            }));
        }
    }
    directions
}

/// Runs the simulation with at most `memory` bytes of the device.
pub fn simulate<D: Device>(
    device: &D,
    run: &Run<'_>,
    memory: u64,
    watch: &Watch<'_>,
) -> Result<Simulated, DeviceError> {
    run.check()?;
    let room = device.free()?.min(memory);
    Budget { memory: room, ..Budget::UNLIMITED }.fits("the simulation", run.bytes())?;
    let Some((measured, end)) = run.ends() else { return Ok(Simulated::default()) };
    let (routers, ports) = (run.csr.order(), u64::from(run.csr.ports()));
    let (vcs, slots) = (u64::from(run.vcs), u64::from(run.slots));
    let filled = |data: &[u64]| {
        let mut buffer = device.allocate(data.len() as u64)?;
        device.write(&mut buffer, data)?;
        Ok::<_, DeviceError>(buffer)
    };
    let numbers = |count: u64| device.allocate(count.div_ceil(2));
    let arrivals = filled(&packed(&arrivals(run.csr)))?;
    let (classes, hops, shape, directions) = match run.routing {
        Routing::Table(table) => (table.classes, packed(&table.hops), Vec::new(), Vec::new()),
        Routing::Dimensions(dimensions) => {
            let digits = dimensions.iter().flat_map(|one| [one.side, one.stride, one.wraps.into()]);
            (0, Vec::new(), digits.collect(), packed(&directions(run.csr, dimensions)))
        }
    };
    let dimensions = shape.len() as u64 / 3;
    let (hops, shape, directions) = (filled(&hops)?, filled(&shape)?, filled(&directions)?);
    let wires = device.allocate(2 * ports * routers)?;
    let signals = numbers(2 * ports * routers)?;
    let queues = device.allocate(ports * vcs * slots * routers)?;
    let fill = numbers(ports * vcs * routers)?;
    let free = vec![run.slots.into(); usize::try_from(ports * vcs * routers).unwrap_or(0)];
    let credits = filled(&packed(&free))?;
    let turns = numbers(ports * routers)?;
    let cursors = device.allocate(routers)?;
    let counts = device.allocate(COUNTS as u64 * routers)?;
    let address = |buffer: &D::Buffer| device.address(buffer);
    let arguments = |cycle: u64| {
        [
            routers,
            ports,
            vcs,
            slots,
            run.hosts,
            run.seed,
            threshold(run.load),
            cycle,
            run.warmup,
            measured,
            address(&arrivals),
            classes,
            address(&hops),
            dimensions,
            address(&shape),
            address(&directions),
            address(&wires),
            address(&signals),
            address(&queues),
            address(&fill),
            address(&credits),
            address(&turns),
            address(&cursors),
            address(&counts),
        ]
    };
    let mut each = vec![0u64; COUNTS * usize::try_from(routers).unwrap_or(0)];
    let mut cycle = 0;
    loop {
        let until = match cycle < measured {
            true => measured.min(cycle + LOOK),
            false => end.min(cycle + LOOK),
        };
        watch.check()?;
        for cycle in cycle..until {
            device.launch(Kernel::SimulateCycle, routers, &arguments(cycle))?;
        }
        cycle = until;
        device.read(&counts, &mut each)?;
        let found = total(&each, cycle);
        (watch.progress)(cycle as f64 / end.max(1) as f64);
        if cycle >= measured && (found.arrived == found.measured || cycle >= end) {
            return Ok(found);
        }
    }
}

/// A load as what of 2^32 draws makes a packet.
pub fn threshold(load: f64) -> u64 {
    // At most 2^32, which a floating-point number holds.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let draws = (load.clamp(0.0, 1.0) * 4_294_967_296.0).round() as u64;
    draws
}

fn total(each: &[u64], cycles: u64) -> Simulated {
    let routers = (each.len() / COUNTS).max(1);
    let mut rows = each.chunks(routers);
    let mut sum = || rows.next().unwrap_or_default().iter().sum::<u64>();
    let [made, sent, received, hops] = std::array::from_fn(|_| sum());
    let [measured, arrived, latency] = std::array::from_fn(|_| sum());
    let longest = rows.next().unwrap_or_default().iter().copied().max().unwrap_or(0);
    Simulated { cycles, made, sent, received, hops, measured, arrived, latency, longest }
}
