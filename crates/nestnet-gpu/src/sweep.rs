//! Breadth-first search from many nodes at once on a device: which sources go together, and what their searches found.
//!
//! A row of bits a node, a bit a source, 128 to a word; sources are searched from in blocks of as many words as there is
//! memory for, and all sources of a word have one weight, so that what is new is counted by words. The first steps go
//! from each source alone while its ball is small; then every step ors the rows of all neighbors, until nothing is new
//! or all is reached. Exact, and the same as [`nestnet_graph::measure::sweep`] finds on threads.
//!
//! A step reads a row for each end of a link and writes one for each node: it is bound by memory, about
//! (degree + 2) · nodes · sources / 8 bytes.
#![allow(unsafe_code)]

use crate::device::{Device, DeviceError, Kernel};
use crate::layout::layout;
use nestnet_graph::measure::sweep::{Source, Swept};
use nestnet_graph::{Csr, Network, Watch};
use std::collections::BTreeMap;
use std::sync::atomic::AtomicU64;

layout! {
    SweepBegin:
    BeginNumbers { sources, words, steps, room }
    BeginArrays { offsets, targets, weights, starts, rows, balls, found }
}

layout! {
    SweepStep:
    StepNumbers { order, words }
    StepArrays { offsets, targets, weights, full, rows, next, tally }
}

/// Sources of a word.
const WORD: usize = 128;

/// The most words of a block. A thread that keeps to one of many words shares its counts with fewer others.
const MOST_WORDS: u128 = 512;

/// Words that are taken even where they need more than [`USUAL_BYTES`].
const USUAL_WORDS: u128 = 64;

/// What a block takes where it is free: more would save little time.
const USUAL_BYTES: u128 = 8 << 30;

/// The most nodes of a ball that is searched alone.
const BALL: u64 = 256;

/// A bit that is no source.
const NO_SOURCE: u32 = u32::MAX;

/// What is left free on the device, for what its driver needs.
const RESERVE: u64 = 256 << 20;

/// Words of 64 bits that `numbers` of 32 take.
pub(crate) fn packed(numbers: &[u32]) -> Vec<u64> {
    let pair = |pair: &[u32]| u64::from(pair[0]) | u64::from(*pair.get(1).unwrap_or(&0)) << 32;
    numbers.chunks(2).map(pair).collect()
}

/// How far each source is searched from alone, and how many nodes that reaches at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct First {
    steps: u32,
    room: u64,
}

/// As far as a ball has at most 256 nodes and a sphere at most a 256th of all.
fn first(csr: &Csr) -> First {
    let degree = u64::from(csr.ports());
    let (mut steps, mut room, mut sphere) = (0, 1, degree);
    while degree > 2 && room + sphere <= BALL && sphere <= csr.order() / 256 {
        steps += 1;
        room += sphere;
        sphere *= degree - 1;
    }
    First { steps, room }
}

/// What is found of a source in so many first steps: nodes, eccentricity, and weight by distance.
fn found_words(steps: u32) -> u64 {
    u64::from(steps) + 3
}

/// Memory of a search, in words of 64 bits: what the network takes, and what each word of a row takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Needs {
    network: u128,
    each: u128,
}

fn needs(csr: &Csr) -> Needs {
    let (order, ends) = (u128::from(csr.order()), csr.targets().len() as u128);
    let First { steps, room } = first(csr);
    let network = (order + 1) + ends.div_ceil(2) + order.div_ceil(2);
    let rows = 2 * 2 * order;
    let bits = WORD as u128;
    let balls = (bits * u128::from(room)).div_ceil(2) + bits.div_ceil(2);
    let each = rows + balls + bits * u128::from(found_words(steps)) + 2 + 4;
    Needs { network: network + 8, each }
}

/// The least memory that a search takes on a device, in bytes.
pub fn least_bytes(csr: &Csr) -> u128 {
    let Needs { network, each } = needs(csr);
    8 * (network + each)
}

/// How many words of a row fit into `room` bytes.
fn width(csr: &Csr, room: u64) -> Result<u64, DeviceError> {
    let Needs { network, each } = needs(csr);
    let fitting = u128::from(room / 8).saturating_sub(network) / each;
    let usual = (USUAL_BYTES / 8 / each).clamp(USUAL_WORDS, MOST_WORDS);
    match u64::try_from(fitting.min(usual)) {
        Ok(words) if words > 0 => Ok(words),
        _ => {
            let what = "searching from every node";
            Err(DeviceError::Memory { what, need: least_bytes(csr), room })
        }
    }
}

/// Bits of rows, and which source each is.
struct Columns {
    /// Places in the list of sources, or none.
    sources: Vec<Option<usize>>,
    /// What the sources of each word count.
    weights: Vec<u64>,
}

/// All sources of one weight together, so that a word has one weight.
fn columns(sources: &[Source]) -> Columns {
    let mut classes: BTreeMap<u64, Vec<Option<usize>>> = BTreeMap::new();
    for (place, source) in sources.iter().enumerate() {
        classes.entry(source.weight).or_default().push(Some(place));
    }
    let mut columns = Columns { sources: Vec::new(), weights: Vec::new() };
    for (weight, mut places) in classes {
        places.resize(places.len().next_multiple_of(WORD), None);
        columns.weights.extend(std::iter::repeat_n(weight, places.len() / WORD));
        columns.sources.append(&mut places);
    }
    columns
}

/// What a device has of a search.
struct Memory<B> {
    offsets: B,
    targets: B,
    weights: Option<B>,
    starts: B,
    balls: B,
    found: B,
    full: B,
    tally: B,
    rows: B,
    next: B,
}

/// Searches from all `sources` with at most `memory` bytes of the device; node `v` counts `targets[v]` times in the
/// pairs, or once where there are no targets.
pub fn sweep<D: Device>(
    device: &D,
    csr: &Csr,
    sources: &[Source],
    targets: Option<&[u32]>,
    memory: u64,
    watch: &Watch<'_>,
) -> Result<Swept, DeviceError> {
    let eccentricities = vec![0; sources.len()];
    let mut all = Swept { eccentricities, connected: true, ..Swept::default() };
    if sources.is_empty() {
        return Ok(all);
    }
    let columns = columns(sources);
    let room = device.free()?.saturating_sub(RESERVE).min(memory);
    let words = width(csr, room)?.min(columns.weights.len() as u64);
    let block = usize::try_from(words).unwrap_or(1) * WORD;
    let mut memory = allocate(device, csr, targets, words)?;
    let total = columns.sources.len().div_ceil(block) as u64;
    let done = AtomicU64::new(0);
    let blocks = columns.sources.chunks(block).zip(columns.weights.chunks(block / WORD));
    for (places, weights) in blocks {
        let block = Block { csr, sources, places, weights };
        block.search(device, &mut memory, &mut all, watch)?;
        watch.step(&done, total)?;
    }
    Ok(all)
}

fn allocate<D: Device>(
    device: &D,
    csr: &Csr,
    targets: Option<&[u32]>,
    words: u64,
) -> Result<Memory<D::Buffer>, DeviceError> {
    let filled = |data: &[u64]| {
        let mut buffer = device.allocate(data.len() as u64)?;
        device.write(&mut buffer, data)?;
        Ok::<_, DeviceError>(buffer)
    };
    let First { steps, room } = first(csr);
    let bits = words * WORD as u64;
    Ok(Memory {
        offsets: filled(csr.offsets())?,
        targets: filled(&packed(csr.targets()))?,
        weights: targets.map(|targets| filled(&packed(targets))).transpose()?,
        starts: device.allocate(bits.div_ceil(2))?,
        balls: device.allocate((bits * room).div_ceil(2))?,
        found: device.allocate(bits * found_words(steps))?,
        full: device.allocate(2 * words)?,
        tally: device.allocate(4 * words)?,
        rows: device.allocate(2 * csr.order() * words)?,
        next: device.allocate(2 * csr.order() * words)?,
    })
}

/// Where a device has a buffer; 0 where there is none.
fn address<D: Device>(device: &D, buffer: Option<&D::Buffer>) -> Result<u64, DeviceError> {
    Ok(buffer.map_or(0, |buffer| device.address(buffer)))
}

/// Sources that are searched from together.
struct Block<'a> {
    csr: &'a Csr,
    sources: &'a [Source],
    /// The source of each bit.
    places: &'a [Option<usize>],
    /// The weight of each word.
    weights: &'a [u64],
}

impl Block<'_> {
    fn search<D: Device>(
        &self,
        device: &D,
        memory: &mut Memory<D::Buffer>,
        all: &mut Swept,
        watch: &Watch<'_>,
    ) -> Result<(), DeviceError> {
        watch.check()?;
        let words = self.weights.len() as u64;
        let mut reached = self.begin(device, memory, all)?;
        let wanted = u128::from(self.csr.order()) * self.places.iter().flatten().count() as u128;
        let mut tally = vec![0u64; 4 * self.weights.len()];
        // All took the first steps, however soon some of them ended.
        let mut distance = first(self.csr).steps;
        let threads = device.threads().max(words);
        while reached < wanted {
            watch.check()?;
            distance += 1;
            device.clear(&mut memory.tally, 4 * words)?;
            let numbers = StepNumbers { order: self.csr.order(), words };
            let arrays = StepArrays {
                offsets: Some(&memory.offsets),
                targets: Some(&memory.targets),
                weights: memory.weights.as_ref(),
                full: Some(&memory.full),
                rows: Some(&memory.rows),
                next: Some(&memory.next),
                tally: Some(&memory.tally),
            };
            let addresses = arrays.try_map(|_, buffer| address(device, buffer))?;
            // SAFETY: `allocate` makes the arrays as large as the kernel has them, for at least as many words; they are
            // borrowed until the tally is read.
            unsafe { device.launch(Kernel::SweepStep, threads, &numbers.words(&addresses)) }?;
            device.read(&memory.tally, &mut tally)?;
            std::mem::swap(&mut memory.rows, &mut memory.next);
            let new = self.take(&tally, distance, all);
            if new == 0 {
                break;
            }
            reached += new;
        }
        all.connected &= reached == wanted;
        Ok(())
    }

    /// The first steps, each source alone. Gives how many pairs of a source and a node they reach.
    fn begin<D: Device>(
        &self,
        device: &D,
        memory: &mut Memory<D::Buffer>,
        all: &mut Swept,
    ) -> Result<u128, DeviceError> {
        let First { steps, room } = first(self.csr);
        let (bits, words) = (self.places.len() as u64, self.weights.len() as u64);
        let start = |place: &Option<usize>| place.map_or(NO_SOURCE, |at| self.sources[at].node);
        let starts: Vec<u32> = self.places.iter().map(start).collect();
        device.write(&mut memory.starts, &packed(&starts))?;
        let mut full = vec![0u64; 2 * self.weights.len()];
        for (bit, _) in self.places.iter().enumerate().filter(|(_, place)| place.is_some()) {
            full[bit / 64] |= 1 << (bit % 64);
        }
        device.write(&mut memory.full, &full)?;
        device.clear(&mut memory.rows, 2 * self.csr.order() * words)?;
        device.clear(&mut memory.found, bits * found_words(steps))?;
        let numbers = BeginNumbers { sources: bits, words, steps: steps.into(), room };
        let arrays = BeginArrays {
            offsets: Some(&memory.offsets),
            targets: Some(&memory.targets),
            weights: memory.weights.as_ref(),
            starts: Some(&memory.starts),
            rows: Some(&memory.rows),
            balls: Some(&memory.balls),
            found: Some(&memory.found),
        };
        let addresses = arrays.try_map(|_, buffer| address(device, buffer))?;
        // SAFETY: `allocate` makes the arrays as large as the kernel has them, for at least as many words; they are
        // borrowed until what is found is read.
        unsafe { device.launch(Kernel::SweepBegin, bits, &numbers.words(&addresses)) }?;
        let each = steps as usize + 3;
        let mut found = vec![0u64; self.places.len() * each];
        device.read(&memory.found, &mut found)?;
        let mut reached = 0;
        for (place, found) in self.places.iter().zip(found.chunks(each)) {
            let (Some(place), [nodes, eccentricity, weights @ ..]) = (*place, found) else {
                continue;
            };
            reached += u128::from(*nodes);
            let eccentricity = u32::try_from(*eccentricity).unwrap_or(steps).min(steps);
            all.eccentricities[place] = eccentricity;
            let source = u128::from(self.sources[place].weight);
            for (distance, &weight) in (0..=eccentricity).zip(weights) {
                add(&mut all.pairs, distance, u128::from(weight) * source);
            }
        }
        Ok(reached)
    }

    /// Takes what one step found. Gives how many pairs of a source and a node it reaches.
    fn take(&self, tally: &[u64], distance: u32, all: &mut Swept) -> u128 {
        let mut reached = 0;
        let words = tally.chunks(4).zip(self.weights).zip(self.places.chunks(WORD));
        for ((tally, &weight), places) in words {
            let &[pairs, new, low, high] = tally else { continue };
            if new == 0 {
                continue;
            }
            reached += u128::from(new);
            let changed = u128::from(low) | u128::from(high) << 64;
            for (bit, place) in places.iter().enumerate() {
                if let Some(place) = *place
                    && changed >> bit & 1 == 1
                {
                    all.eccentricities[place] = distance;
                }
            }
            add(&mut all.pairs, distance, u128::from(pairs) * u128::from(weight));
        }
        reached
    }
}

/// Adds pairs of a distance.
fn add(all: &mut Vec<u128>, distance: u32, pairs: u128) {
    let distance = distance as usize;
    all.resize(all.len().max(distance + 1), 0);
    all[distance] += pairs;
}
