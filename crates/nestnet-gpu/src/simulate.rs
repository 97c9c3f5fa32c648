//! A network flit by flit on a device: the host part of the kernels `simulate_cycle` and `simulate_wide_cycle`.
//!
//! The model is that of `nestnet-sim`, and so are all results: what is measured is the same code, which this runs the
//! cycles for ([`nestnet_sim::Device`]). A router takes a thread a port, in lanes of one warp, and a host takes one; a cycle is
//! one launch. All state stays on the device: after some cycles the host reads what was counted and the packets that arrived.
#![allow(unsafe_code)]

use crate::device::{Device, DeviceError, Kernel};
use crate::layout::layout;
use crate::sweep::packed;
use nestnet_graph::OverBudget;
use nestnet_sim::{
    ArrivedPacket, Counts, DeviceCycles, FarEnd, GivenPackets, Making, Model, NO_TARGET, Own,
    QueueSnapshot, Routes, SimError, Snapshot, Sources,
};
use std::cell::Cell;
use std::convert::Infallible;
use std::fmt;
use std::ops::Range;

layout! {
    Cycle:
    Numbers {
        routers, hosts, ports, vcs, slots, inputs, group, slots_inverse, group_inverse, buffer, words, port_words, lanes,
        router_threads, cut_through, vcs_input_first, switch_input_first, crossed, credit, source_credit, host_credit,
        routed, next_delay, ring, row, credits_at, wakes_at, wake_bytes, classes, form, fold, lines, local_routers, loses,
        making, digits, sizes, choices, depth, list_room, now, first, last, list_base,
    }
    Arrays {
        links, own, host_links, slot_of, vc_of, masks, shape, hops, next_headers, targets, locals, events, host_flits,
        host_credits, states, queues, outs, flits, packets, sent, offers, ejected, heads, random, next, sources,
        source_outs, fixed, chances, size_list, given_created, given_target, given_flits, taken, list_ends, list_times,
        list_rests, counts, blocked, global,
    }
}

/// Copies of the counts, and how many there are in each.
const COPIES: usize = 64;
const COUNTS: usize = 16;

/// What is not counted by threads: see the kernel.
const GLOBALS: usize = 8;

/// Packets that may arrive before the host reads them, where there are not more hosts.
const LIST: u64 = 1 << 23;

/// Cycles that are run at once, at most.
const MOST_CYCLES: u64 = 256;

/// Rounds of the search for packets that wait in a dependency cycle, before it is looked whether it is over.
const ROUNDS: usize = 4;

/// A link to a host, and none.
const TO_HOST: u32 = 1 << 31;
const NO_LINK: u32 = u32::MAX;

/// Nobody has a virtual channel.
const NOBODY: u64 = 0xFFFF;

/// Lanes of a warp.
const WARP: u64 = 32;

/// Words of a flit.
const FLIT: u128 = 4;

/// A queue before its first packet: the next virtual channel is the first.
const NEW_QUEUE: u64 = 63 << 44;

impl From<DeviceError> for SimError {
    fn from(error: DeviceError) -> Self {
        match error {
            DeviceError::Budget(error) => error.into(),
            DeviceError::Interrupted(error) => error.into(),
            error => SimError::Device { why: error.to_string() },
        }
    }
}

/// What an array holds before the first cycle.
enum Fill<'m> {
    Zeros,
    Same(u64),
    Made(Box<dyn FnOnce() -> Vec<u64> + 'm>),
}

/// How many words an array of the device has, and what it holds.
type Array<'m> = (u128, Fill<'m>);

/// All arrays, the numbers, and the bytes that the arrays take.
struct Plan<'m> {
    numbers: Numbers,
    arrays: Arrays<Array<'m>>,
    bytes: u128,
}

/// A network while a device simulates it.
pub struct Simulating<'d, D: Device> {
    device: &'d D,
    /// The numbers of a launch, of which those of the cycle change.
    numbers: Numbers,
    addresses: Arrays<u64>,
    buffers: Vec<(&'static str, D::Buffer)>,
    sizes: Sizes,
    /// Packets that arrived, in all.
    listed: u64,
    names_packets: bool,
    is_given: bool,
    depth: u64,
    /// Rounds of the search for packets that wait in a dependency cycle.
    rounds: Cell<u64>,
    /// For each of all ports, its place by router and port.
    places: Vec<u32>,
}

impl<D: Device> fmt::Debug for Simulating<'_, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Simulating").finish_non_exhaustive()
    }
}

/// How many there are of everything.
#[derive(Clone, Copy, Debug)]
struct Sizes {
    routers: u64,
    hosts: u64,
    ports: u64,
    vcs: u64,
    slots: u64,
    buffer: u64,
    list: u64,
    cycles: u64,
    /// Words of a mask of queues, and of the state of a port.
    words: u64,
    state: u64,
    /// Lanes of a router, and threads of all routers, which are whole warps.
    lanes: u64,
    router_threads: u64,
}

impl Sizes {
    fn of(model: &Model<'_>) -> Self {
        let hosts = model.hosts() as u64;
        let cycles = (LIST / hosts.max(1)).clamp(1, MOST_CYCLES);
        let (routers, ports) = (model.routers() as u64, model.most_ports() as u64);
        let slots = u64::from(model.slots);
        let words = (ports * slots).div_ceil(64).max(1);
        let lanes = ports.next_power_of_two().min(WARP);
        Sizes {
            routers,
            hosts,
            ports,
            vcs: model.vcs.into(),
            slots,
            buffer: model.buffer.into(),
            list: hosts * cycles,
            cycles,
            words,
            // Two masks, the virtual channels, and a round robin of the port and of each input.
            state: 2 * words + 1 + (1 + u64::from(model.inputs)).div_ceil(2),
            lanes,
            router_threads: (routers * lanes).next_multiple_of(WARP),
        }
    }

    /// Whether a lane may have several ports, or a mask several words.
    fn is_wide(&self) -> bool {
        self.words > 1 || self.ports > self.lanes
    }
}

/// What the kernels have no room for, by its name.
fn refused(model: &Model<'_>, sizes: &Sizes) -> Option<&'static str> {
    if model.longest_packet >= 1 << 14 {
        return Some("`packet=` of 16384 flits or more");
    }
    if sizes.ports * sizes.routers >= u64::from(TO_HOST) {
        return Some("2^31 ports or more");
    }
    None
}

/// Numbers of 32 bits, two in a word.
fn narrow<'m>(count: u128, make: impl FnOnce() -> Vec<u32> + 'm) -> (u128, Fill<'m>) {
    (count.div_ceil(2), Fill::Made(Box::new(move || packed(&make()))))
}

fn low(value: usize) -> u32 {
    u32::try_from(value & 0xFFFF_FFFF).unwrap_or(0)
}

impl<'m> Plan<'m> {
    #[allow(clippy::too_many_lines)] // As many as the kernel's struct has.
    fn new(model: &'m Model<'_>, sizes: &Sizes) -> Self {
        let Sizes { routers, hosts, ports, vcs, slots, list, words, state, .. } = *sizes;
        let inputs = u64::from(model.inputs);
        let queues = ports * slots;
        let longest = model.longest();
        let most = (longest + model.crossed.max(1))
            .max(longest + model.credit.max(model.source_credit).max(model.host_credit))
            .max(model.next.max(model.routed));
        let ring = (most + 1).next_power_of_two();
        // A row of events: flits, credits, and heads that ask, which begin at 4 bytes.
        let wakes_at = (ports * (1 + inputs)).next_multiple_of(4);
        let wake_bytes = vcs.div_ceil(8);
        let row = wakes_at + ports * wake_bytes;
        // Of a sector of memory a half, or whole ones.
        let row = row.next_multiple_of(if row <= 16 { 16 } else { 32 });
        let (form, lines) = match &model.routes {
            Routes::Table { .. } => (0, 0),
            Routes::Digits(digits) => (1, digits.len() as u64),
            Routes::Clusters { .. } => (2, 1),
            Routes::Rings { lines, .. } => (3, lines.len() as u64),
        };
        let is_closed = matches!(model.routes, Routes::Digits(_) | Routes::Clusters { .. });
        let locals = if is_closed { locals(model) } else { Locals::default() };
        let making = |sources: &Sources| match &sources.making {
            Making::Asked => 0,
            Making::Uniform(Own::LeftOut) => 1,
            Making::Uniform(Own::Sent) => 2,
            Making::Fixed(_) => 3,
        };
        let own = model.sources.as_ref();
        let is_given = own.is_none();
        let numbers = Numbers {
            routers,
            hosts,
            ports,
            vcs,
            slots,
            inputs,
            group: model.group.into(),
            slots_inverse: small_inverse(slots),
            group_inverse: small_inverse(model.group.into()),
            buffer: model.buffer.into(),
            words,
            port_words: state,
            lanes: sizes.lanes,
            router_threads: sizes.router_threads,
            cut_through: model.cut_through.into(),
            vcs_input_first: model.vcs_input_first.into(),
            switch_input_first: model.switch_input_first.into(),
            crossed: model.crossed,
            credit: model.credit,
            source_credit: model.source_credit,
            host_credit: model.host_credit,
            routed: model.routed,
            next_delay: model.next,
            ring,
            row,
            credits_at: ports,
            wakes_at,
            wake_bytes,
            classes: model.masks.len() as u64 - 1,
            form,
            fold: model.fold.into(),
            lines,
            local_routers: locals.rows,
            loses: model.loses.into(),
            making: own.map_or(0, making),
            digits: own.map_or(0, |own| own.digits.len() as u64),
            sizes: own.map_or(0, |own| own.sizes.len() as u64),
            choices: own.map_or(1, |own| own.choices),
            depth: model.depth,
            list_room: list,
            now: 0,
            first: 0,
            last: 0,
            list_base: 0,
        };
        let [r, h, p, v, b] = [routers, hosts, ports, vcs, model.buffer.into()].map(u128::from);
        let [q, w, i, ring] = [queues, words, inputs, ring].map(u128::from);
        let zeros = |words: u128| (words, Fill::Zeros);
        let same = |words: u128, value: u64| (words, Fill::Same(value));
        let made = |words: usize, make: Box<dyn FnOnce() -> Vec<u64> + 'm>| {
            (words as u128, Fill::Made(make))
        };
        let bytes = |bytes: u128| (bytes.div_ceil(8), Fill::Zeros);
        let slot = |vc: u64| model.slot_of(usize::try_from(vc).unwrap_or(0)).into();
        let vc = |slot: u64| model.vc_of(usize::try_from(slot).unwrap_or(0)).into();
        let shape = shape(&model.routes);
        let (hops, next) = match &model.routes {
            Routes::Table { hops, next } => (hops.len(), next.as_ref()),
            Routes::Digits(digits) => (digits.iter().map(|digit| digit.hops.len()).sum(), None),
            Routes::Clusters { legs, .. } => (legs.len(), None),
            Routes::Rings { ports, .. } => (ports.len(), None),
        };
        let (headers, targets) =
            next.map_or((&[][..], &[][..]), |(headers, targets)| (&headers[..], &targets[..]));
        let every = if vcs == 64 { u64::MAX } else { (1 << vcs) - 1 };
        let states = move || {
            let mut port = vec![0; usize::try_from(state).unwrap_or(0)];
            port[usize::try_from(2 * words).unwrap_or(0)] = every;
            port.repeat(usize::try_from(ports * routers).unwrap_or(0))
        };
        let is_single = model.longest_packet == 1;
        let first = |of: fn(&(u64, u64, u16)) -> u64| {
            let make = move || own.map_or_else(Vec::new, |own| own.first.iter().map(of).collect());
            (if is_given { 0 } else { h }, Fill::Made(Box::new(make)))
        };
        // No virtual channel was the last: the next is the first.
        let before = 255u64 << 32;
        let two = u64::from(model.buffer) | u64::from(model.buffer) << 32;
        let fixed = own.and_then(|own| match &own.making {
            Making::Fixed(to) => Some(to),
            _ => None,
        });
        let target = |to: &Option<u32>| to.unwrap_or(low_target());
        let chances = own.map_or_else(Vec::new, |own| own.digits.clone());
        let size_list: Vec<u64> = own.map_or_else(Vec::new, |own| {
            own.sizes.iter().flat_map(|&(size, most)| [size.into(), most]).collect()
        });
        let given = if is_given { u128::from(model.depth) * h } else { 0 };
        let global = vec![0, 0, u64::MAX, 0, 0, 0, 0, 0];
        let arrays = Arrays {
            links: (p * r, Fill::Made(Box::new(|| all_links(model)))),
            own: narrow(r, || own_ports(model)),
            host_links: (h, Fill::Made(Box::new(|| all_hosts(model)))),
            slot_of: narrow(v, move || (0..vcs).map(slot).collect()),
            vc_of: narrow(slots.into(), move || (0..slots).map(vc).collect()),
            masks: made(model.masks.len(), Box::new(|| model.masks.clone())),
            shape: made(shape.len(), Box::new(move || shape)),
            hops: narrow(hops as u128, || all_hops(&model.routes)),
            next_headers: narrow(headers.len() as u128, || headers.to_vec()),
            targets: narrow(targets.len() as u128, || targets.to_vec()),
            locals: narrow(locals.ports.len() as u128, move || locals.ports),
            events: bytes(ring * r * u128::from(row)),
            host_flits: bytes(ring * h),
            host_credits: bytes(ring * i * h),
            states: (p * r * u128::from(state), Fill::Made(Box::new(states))),
            queues: same(q * r, NEW_QUEUE),
            outs: same(p * v * r, u64::from(model.buffer) | NOBODY << 16),
            flits: zeros(FLIT * q * b * r),
            // Where packets have one flit, that of a queue is its first.
            packets: zeros(if is_single { 0 } else { q * r }),
            sent: zeros((p * r).div_ceil(2)),
            offers: zeros(if sizes.is_wide() { (p * r).div_ceil(2) } else { 0 }),
            ejected: zeros(FLIT * ring * h),
            heads: zeros(if is_single { 0 } else { FLIT * v * h }),
            random: if is_given { zeros(h) } else { first(|&(random, _, _)| random) },
            next: if is_given { zeros(h) } else { first(|&(_, next, _)| next) },
            sources: match own {
                None => same(h, before),
                Some(own) => {
                    let make = move || {
                        let size = |&(_, _, size): &(u64, u64, u16)| before | u64::from(size) << 16;
                        own.first.iter().map(size).collect()
                    };
                    (h, Fill::Made(Box::new(make)))
                }
            },
            source_outs: same((v * h).div_ceil(2), two),
            fixed: narrow(fixed.map_or(0, Vec::len) as u128, move || {
                fixed.map_or_else(Vec::new, |to| to.iter().map(target).collect())
            }),
            chances: made(chances.len(), Box::new(move || chances)),
            size_list: made(size_list.len(), Box::new(move || size_list)),
            given_created: zeros(given),
            given_target: zeros(given),
            given_flits: zeros(given),
            taken: zeros(if is_given { h.div_ceil(2) } else { 0 }),
            list_ends: zeros(if model.names_packets { list.into() } else { 0 }),
            list_times: zeros(list.into()),
            list_rests: zeros(list.into()),
            counts: zeros((COPIES * COUNTS) as u128),
            blocked: zeros(w * r),
            global: made(GLOBALS, Box::new(move || global)),
        };
        let mut bytes = 0;
        let Ok(arrays) = arrays.try_map(|_, array: Array<'m>| {
            bytes += 8 * array.0;
            Ok::<_, Infallible>(array)
        });
        Plan { numbers, arrays, bytes }
    }
}

/// No target, as the kernel has it.
fn low_target() -> u32 {
    u32::try_from(NO_TARGET).unwrap_or(u32::MAX)
}

/// 2^32 over a number, rounded up.
fn small_inverse(number: u64) -> u64 {
    (1u64 << 32).div_ceil(number.max(1))
}

/// 2^64 over a number, rounded up; 0 for 1.
fn inverse(number: u64) -> u64 {
    (u64::MAX / number.max(1)).wrapping_add(1)
}

/// For each router and port the link, as the kernel has it.
fn all_links(model: &Model<'_>) -> Vec<u64> {
    let (routers, ports) = (model.routers(), model.most_ports());
    let mut all = vec![u64::from(NO_LINK); ports * routers];
    for router in 0..routers {
        for (local, port) in model.ports(router).enumerate() {
            let (end, latency) = model.far(port);
            let (far, there) = match end {
                FarEnd::Router { router, port } => (router, port),
                FarEnd::Host(host) => (TO_HOST | host, 0),
            };
            all[router * ports + local] = link(far, there, latency);
        }
    }
    all
}

fn link(far: u32, port: u32, latency: u16) -> u64 {
    u64::from(far) | u64::from(port) << 32 | u64::from(latency) << 48
}

fn own_ports(model: &Model<'_>) -> Vec<u32> {
    (0..model.routers()).map(|router| low(model.ports(router).len().max(1) - 1)).collect()
}

fn all_hosts(model: &Model<'_>) -> Vec<u64> {
    let host = |host| {
        let (router, port, latency) = model.host(host);
        link(router, port, latency)
    };
    (0..model.hosts()).map(host).collect()
}

fn shape(routes: &Routes) -> Vec<u64> {
    match routes {
        Routes::Table { .. } => Vec::new(),
        Routes::Digits(digits) => {
            let begin = digits.iter().scan(0u64, |next, digit| {
                let begin = *next;
                *next += digit.hops.len() as u64;
                Some(line(digit.side, digit.stride, begin))
            });
            begin.flatten().collect()
        }
        &Routes::Clusters { n, cross, width, .. } => {
            vec![n, cross.into(), width.into(), inverse(n)]
        }
        Routes::Rings { lines, .. } => lines
            .iter()
            .flat_map(|&(side, stride, is_ring)| line(side, stride, is_ring.into()))
            .collect(),
    }
}

/// A line of the shape, as the kernel has it.
fn line(side: u64, stride: u64, more: u64) -> [u64; 5] {
    [side, stride, more, inverse(side), inverse(stride)]
}

fn all_hops(routes: &Routes) -> Vec<u32> {
    match routes {
        Routes::Table { hops, .. } => hops.clone(),
        Routes::Digits(digits) => digits.iter().flat_map(|digit| &digit.hops).copied().collect(),
        Routes::Clusters { legs, .. } => legs.clone(),
        Routes::Rings { ports, .. } => ports.clone(),
    }
}

/// The ports of routers for those of their nodes: a row for each router, or one for all.
#[derive(Default)]
struct Locals {
    rows: u64,
    ports: Vec<u32>,
}

fn locals(model: &Model<'_>) -> Locals {
    let node_ports = low(model.node_ports());
    let local = |router: usize, port: u32| model.local(router, port).map_or(NO_LINK, low);
    let first: Vec<u32> = (0..node_ports).map(|port| local(0, port)).collect();
    let is_same = |router: usize| (0..).zip(&first).all(|(port, own)| local(router, port) == *own);
    if (0..model.routers()).all(is_same) {
        return Locals { rows: 1, ports: first };
    }
    let routers = model.routers();
    let ports = (0..node_ports).flat_map(|port| (0..routers).map(move |router| (router, port)));
    Locals {
        rows: routers as u64,
        ports: ports.map(|(router, port)| local(router, port)).collect(),
    }
}

/// Bytes that a network takes on a device.
pub fn bytes(model: &Model<'_>) -> u128 {
    Plan::new(model, &Sizes::of(model)).bytes
}

impl<'d, D: Device> Simulating<'d, D> {
    /// A network before its first cycle, in at most `memory` bytes of the device.
    pub fn new(device: &'d D, model: &Model<'_>, memory: u64) -> Result<Self, SimError> {
        let sizes = Sizes::of(model);
        if let Some(what) = refused(model, &sizes) {
            return Err(SimError::NotOnDevice { what });
        }
        let plan = Plan::new(model, &sizes);
        let (need, limit) = (plan.bytes, device.free()?.min(memory));
        if need > limit.into() {
            let what = "the simulation on the GPU";
            return Err(OverBudget::Memory { what, need, limit }.into());
        }
        let mut buffers = Vec::new();
        let addresses = plan.arrays.try_map(|name, (words, fill)| {
            let words = u64::try_from(words).unwrap_or(u64::MAX);
            if words == 0 {
                return Ok(0);
            }
            let mut buffer = device.allocate(words)?;
            match fill {
                Fill::Zeros => (),
                Fill::Same(value) => {
                    let all = vec![value; usize::try_from(words).unwrap_or(0)];
                    device.write(&mut buffer, &all)?;
                }
                Fill::Made(make) => device.write(&mut buffer, &make())?,
            }
            let address = device.address(&buffer);
            buffers.push((name, buffer));
            Ok::<_, DeviceError>(address)
        })?;
        let routers = model.routers();
        let most = model.most_ports();
        let ports = (0..routers).flat_map(|router| {
            model.ports(router).enumerate().map(move |(local, _)| low(router * most + local))
        });
        Ok(Simulating {
            device,
            numbers: plan.numbers,
            addresses,
            buffers,
            sizes,
            listed: 0,
            names_packets: model.names_packets,
            is_given: model.sources.is_none(),
            depth: model.depth,
            rounds: Cell::new(0),
            places: ports.collect(),
        })
    }

    /// One round of the search for packets that wait in a dependency cycle; its number.
    fn round(&self, is_first: bool) -> Result<u64, DeviceError> {
        let round = self.rounds.get() + 1;
        self.rounds.set(round);
        let numbers = Numbers { now: round, first: u64::from(!is_first), ..self.numbers };
        self.launch(Kernel::SimulateWaits, self.sizes.routers, &numbers)?;
        Ok(round)
    }

    /// Runs a kernel of the struct with these numbers.
    fn launch(&self, kernel: Kernel, threads: u64, numbers: &Numbers) -> Result<(), DeviceError> {
        // SAFETY: `Plan` has the arrays as large as the kernel has them, and they live as long as this does, which reads
        // the counts behind the last cycle of a run and the round behind a search.
        unsafe { self.device.launch(kernel, threads, &numbers.words(&self.addresses)) }
    }

    fn buffer(&self, name: &str) -> Result<&D::Buffer, DeviceError> {
        let found = self.buffers.iter().find(|(known, _)| *known == name);
        found.map(|(_, buffer)| buffer).ok_or_else(|| unknown(name))
    }

    fn read(&self, name: &str, words: u64) -> Result<Vec<u64>, DeviceError> {
        let mut data = vec![0; usize::try_from(words).unwrap_or(0)];
        if words > 0 {
            self.device.read(self.buffer(name)?, &mut data)?;
        }
        Ok(data)
    }

    /// The same of numbers of 32 bits.
    fn read_narrow(&self, name: &str, count: u64) -> Result<Vec<u32>, DeviceError> {
        let words = self.read(name, count.div_ceil(2))?;
        let parts = words.iter().flat_map(|word| [*word, word >> 32]);
        let parts = parts.map(|half| u32::try_from(half & 0xFFFF_FFFF).unwrap_or(0));
        Ok(parts.take(usize::try_from(count).unwrap_or(0)).collect())
    }

    fn write(&mut self, name: &str, data: &[u64]) -> Result<(), DeviceError> {
        let found = self.buffers.iter_mut().find(|(known, _)| *known == name);
        let Some((_, buffer)) = found else { return Err(unknown(name)) };
        self.device.write(buffer, data)
    }

    /// What was counted, and the packets that arrived since it was asked last.
    fn collect(&mut self, arrived: &mut Vec<ArrivedPacket>) -> Result<Counts, SimError> {
        let global = self.read("global", GLOBALS as u64)?;
        if global[4] != 0 {
            let why = "a route on the GPU has more than 65535 links".to_owned();
            return Err(SimError::Device { why });
        }
        let copies = self.read("counts", (COPIES * COUNTS) as u64)?;
        let sum = |what: usize| {
            copies.chunks(COUNTS).fold(0u64, |sum, counts| sum.wrapping_add(counts[what]))
        };
        let count = global[3] - self.listed;
        if count > self.sizes.list {
            let why = "more packets arrived on the GPU than it has hosts and cycles".to_owned();
            return Err(SimError::Device { why });
        }
        let ends = match self.names_packets {
            true => self.read("list_ends", count)?,
            false => Vec::new(),
        };
        let times = self.read("list_times", count)?;
        let rests = self.read("list_rests", count)?;
        let ends = ends.into_iter().chain(std::iter::repeat(0));
        arrived.extend(ends.zip(times).zip(rests).map(|((ends, times), rest)| [ends, times, rest]));
        self.listed = global[3];
        let broken = (global[1] > 0).then(|| (global[2] >> 32, global[2] & 0xFFFF_FFFF));
        Ok(Counts {
            injected: sum(0),
            ejected: sum(1),
            entered: sum(2),
            arrived: sum(3),
            marked: sum(4),
            marked_flits: sum(5),
            later: sum(6),
            later_flits: sum(7),
            times: sum(8),
            lost: sum(9),
            lost_marked: sum(10),
            dropped: sum(11),
            moved: global[0],
            broken,
        })
    }
}

fn unknown(name: &str) -> DeviceError {
    DeviceError::Failed(format!("it has no array {name}"))
}

impl<D: Device> DeviceCycles for Simulating<'_, D> {
    fn most_cycles(&self) -> u64 {
        let given = if self.is_given { self.depth - 1 } else { u64::MAX };
        self.sizes.cycles.min(given)
    }

    fn run(
        &mut self,
        cycles: Range<u64>,
        window: (u64, u64),
        given: Option<&GivenPackets>,
        arrived: &mut Vec<ArrivedPacket>,
    ) -> Result<Counts, SimError> {
        if let Some(given) = given {
            self.write("given_created", &given.created)?;
            self.write("given_target", &given.target)?;
            self.write("given_flits", &given.flits)?;
        }
        let threads = self.sizes.router_threads + self.sizes.hosts;
        let kernel = match self.sizes.is_wide() {
            true => Kernel::SimulateWideCycle,
            false => Kernel::SimulateCycle,
        };
        for now in cycles {
            let (first, last) = window;
            let numbers = Numbers { now, first, last, list_base: self.listed, ..self.numbers };
            self.launch(kernel, threads, &numbers)?;
        }
        self.collect(arrived)
    }

    fn next_packets(&self) -> Result<Vec<u64>, SimError> {
        Ok(self.read("next", self.sizes.hosts)?)
    }

    fn taken(&self) -> Result<Vec<u32>, SimError> {
        Ok(self.read_narrow("taken", self.sizes.hosts)?)
    }

    fn sent(&self) -> Result<Vec<u32>, SimError> {
        let sent = self.read_narrow("sent", self.sizes.ports * self.sizes.routers)?;
        Ok(self.places.iter().map(|&place| sent[place as usize]).collect())
    }

    fn is_deadlocked(&self) -> Result<bool, SimError> {
        let first = self.round(true)?;
        if self.read("global", GLOBALS as u64)?[5] != first {
            return Ok(false);
        }
        loop {
            for _ in 1..ROUNDS {
                self.round(false)?;
            }
            let last = self.round(false)?;
            let global = self.read("global", GLOBALS as u64)?;
            // Nobody stays, or nobody went on.
            if global[7] != last || global[6] != last {
                return Ok(global[7] == last);
            }
        }
    }

    fn snapshot(&self) -> Result<Snapshot, SimError> {
        let Sizes { routers, ports, vcs, slots, buffer, words, state, .. } = self.sizes;
        let queues = self.read("queues", ports * slots * routers)?;
        // Where packets have one flit, that of a queue is its first.
        let is_single = self.buffer("packets").is_err();
        let packets = match is_single {
            true => self.read("flits", 4 * ports * slots * buffer * routers)?,
            false => self.read("packets", ports * slots * routers)?,
        };
        let outs = self.read("outs", ports * vcs * routers)?;
        let states = self.read("states", ports * routers * state)?;
        let wide = |value: u64| usize::try_from(value).unwrap_or(usize::MAX);
        let (slots, vcs, buffer) = (wide(slots), wide(vcs), wide(buffer));
        let (state, free) = (wide(state), wide(2 * words));
        let bits = |word: u64, from: u32, count: u32| word >> from & ((1 << count) - 1);
        let [narrow16, narrow8] = [0xFFFF, 0xFF];
        let queue = |place: usize| {
            let word = queues[place];
            let first = 4 * (place * buffer + wide(bits(word, 2, 14)));
            let ends = packets[if is_single { first } else { place }];
            QueueSnapshot {
                stage: u8::try_from(bits(word, 0, 2) & narrow8).unwrap_or(0),
                length: u16::try_from(bits(word, 16, 15) & narrow16).unwrap_or(0),
                port: u16::try_from(bits(word, 31, 13) & narrow16).unwrap_or(0),
                vc: u8::try_from(bits(word, 44, 8) & narrow8).unwrap_or(0),
                class: u8::try_from(bits(word, 52, 8) & narrow8).unwrap_or(0),
                source: u32::try_from(ends >> 32).unwrap_or(0),
                to: u32::try_from(ends & 0xFFFF_FFFF).unwrap_or(0),
            }
        };
        let out = |place: usize| {
            let owner = bits(outs[place], 16, 16);
            let owner = u16::try_from(owner).ok().filter(|_| owner != NOBODY);
            (u16::try_from(bits(outs[place], 0, 16)).unwrap_or(0), owner)
        };
        let places = || self.places.iter().map(|&place| place as usize);
        Ok(Snapshot {
            queues: places()
                .flat_map(|place| place * slots..(place + 1) * slots)
                .map(queue)
                .collect(),
            outs: places().flat_map(|place| place * vcs..(place + 1) * vcs).map(out).collect(),
            free: places().map(|place| states[place * state + free]).collect(),
        })
    }
}
