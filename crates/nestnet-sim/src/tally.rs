//! What is known of the packets of the window: sums, a histogram, and means of parts of it.

use super::config::Window;
use super::energy::Events;
use super::persist::persist;
use super::reason;
use super::record::Recorder;
use super::state::Packet;

/// The window is cut into as many parts.
const BINS: usize = 64;

/// The interval is from as many batches, and Student's t for them, 95 % on both sides.
const LONG_BATCHES: usize = 16;
const STUDENT: f64 = 2.131;

/// Correlation of neighboring parts above which a window is too short: of the finest parts, and of the batches, which
/// is 95 % on one side where they are independent.
const CORRELATED_BINS: f64 = 0.4;
const CORRELATED_BATCHES: f64 = 0.41;

/// An interval of this part of the mean is narrow enough whatever the correlation is, which widens it.
const NARROW: f64 = 0.01;

/// The mean of a window, as far as its batches tell.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Confidence {
    /// Half of the interval of 95 %; none where there are too few packets.
    pub ci95: Option<f64>,
    /// What keeps it from being one.
    pub doubt: Option<Doubt>,
}

/// Why the interval of a window is not to be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Doubt {
    /// Batches as long as a sixteenth of the window are correlated.
    Correlated,
    /// The first and the second part of the window differ by more than chance.
    Drifts,
}

impl Doubt {
    pub fn why(self) -> &'static str {
        match self {
            Doubt::Correlated => reason::CORRELATED,
            Doubt::Drifts => reason::DRIFTS,
        }
    }
}

/// How many packets took so many cycles.
#[derive(Clone, Debug, Default)]
pub(super) struct Spread {
    histogram: Vec<u32>,
    pub sum: u64,
    pub packets: u64,
}

impl Spread {
    pub fn add(&mut self, latency: u64) {
        let place = usize::try_from(latency).unwrap_or(usize::MAX).min(1 << 24);
        if self.histogram.len() <= place {
            self.histogram.resize(place + 1, 0);
        }
        self.histogram[place] += 1;
        self.sum += latency;
        self.packets += 1;
    }

    fn add_all(&mut self, other: &Spread) {
        let length = self.histogram.len().max(other.histogram.len());
        self.histogram.resize(length, 0);
        self.histogram.iter_mut().zip(&other.histogram).for_each(|(all, own)| *all += own);
        self.sum += other.sum;
        self.packets += other.packets;
    }

    pub fn mean(&self) -> f64 {
        self.sum as f64 / self.packets.max(1) as f64
    }

    /// The latency that `part` of the packets do not exceed.
    pub fn quantile(&self, part: f64) -> u64 {
        let rank = part * self.packets as f64;
        let mut below = 0.0;
        for (latency, &count) in (0..).zip(&self.histogram) {
            below += f64::from(count);
            if below >= rank {
                return latency;
            }
        }
        0
    }

    /// How many packets took so many cycles, where any did.
    pub fn histogram(&self) -> Vec<(u64, u64)> {
        let counts = (0..).zip(self.histogram.iter().map(|&count| u64::from(count)));
        counts.filter(|&(_, count)| count > 0).collect()
    }
}

/// What is known of the replies to the packets of the window.
#[derive(Debug, Default)]
pub(super) struct ReplyTally {
    pub latencies: Spread,
    /// From when the request was made.
    pub round_trips: Spread,
    pub network: u64,
}

/// What is known of the packets of the window of one message class.
#[derive(Clone, Debug, Default)]
pub(super) struct ClassTally {
    pub latencies: Spread,
    pub network: u64,
    /// Flits that had arrived when the window began and when it ended.
    pub ejected: (u64, u64),
}

/// What is known of the packets of the window.
#[derive(Debug)]
pub(super) struct Tally {
    pub begin: u64,
    pub end: u64,
    /// Cycles of packets, of requests where these are answered.
    pub latencies: Spread,
    pub network: u64,
    pub hops: u64,
    /// How many were marked.
    pub marked: u64,
    /// What is written down of each.
    pub recorder: Option<Box<Recorder>>,
    /// Of replies to them, where there are such.
    pub replies: Option<Box<ReplyTally>>,
    /// By message class, where there are several.
    pub classes: Vec<ClassTally>,
    /// Sum and number in each part of the window.
    bins: [(u64, u64); BINS],
    /// Flits that had arrived when the window began and when it ended: of requests, and of replies.
    pub ejected: (u64, u64),
    pub replied: (u64, u64),
    /// Flits of replies that had been made when the window began.
    pub replies_before: u64,
    /// Flits that had left hosts when it began, and what was done in it.
    pub injected_before: u64,
    pub events: Events,
    /// Flits that each of all ports carried in it.
    pub carried: Vec<u64>,
    pub population: u64,
    /// When the first link fails, and sum and number of packets made before and after.
    pub failed: Option<u64>,
    pub around: [(u64, u64); 2],
    /// Whether the window may become longer: what was made behind it and has arrived, when, and the packets in the network
    /// summed over the cycles behind it.
    pub grows: bool,
    later: Vec<(Packet, u64)>,
    pub population_later: u64,
}

impl Tally {
    /// Of a window; `classes` is 0 where there are no message classes.
    pub fn new(window: Window, classes: usize) -> Self {
        let begin = window.warmup;
        Tally {
            begin,
            end: begin.saturating_add(window.cycles),
            latencies: Spread::default(),
            network: 0,
            hops: 0,
            marked: 0,
            recorder: None,
            replies: None,
            classes: vec![ClassTally::default(); classes],
            bins: [(0, 0); BINS],
            ejected: (0, 0),
            replied: (0, 0),
            replies_before: 0,
            injected_before: 0,
            events: Events::default(),
            carried: Vec::new(),
            population: 0,
            failed: None,
            around: [(0, 0); 2],
            grows: false,
            later: Vec::new(),
            population_later: 0,
        }
    }

    /// A packet has arrived.
    pub fn add(&mut self, packet: &Packet, now: u64) {
        self.add_flits(packet, packet.size, now);
        self.measure(packet, now);
    }

    /// So many flits of a packet have arrived.
    pub fn add_flits(&mut self, packet: &Packet, flits: u16, now: u64) {
        if now >= self.begin
            && let Some(recorder) = &mut self.recorder
        {
            recorder.arrive(packet, flits);
        }
    }

    /// The last flit of a packet has arrived.
    pub fn measure(&mut self, packet: &Packet, now: u64) {
        // A reply belongs to the window of its request.
        if !(self.begin..self.end).contains(&packet.asked()) {
            if self.grows && packet.asked() >= self.end {
                self.later.push((packet.clone(), now));
            }
            return;
        }
        if let Some(recorder) = &mut self.recorder {
            recorder.add(packet, now);
        }
        let latency = now - packet.created;
        if packet.is_reply {
            let replies = self.replies.get_or_insert_default();
            replies.latencies.add(latency);
            replies.round_trips.add(now - packet.asked());
            replies.network += now - packet.entered;
            return;
        }
        self.latencies.add(latency);
        self.network += now - packet.entered;
        if let Some(class) = self.classes.get_mut(usize::from(packet.class)) {
            class.latencies.add(latency);
            class.network += now - packet.entered;
        }
        self.hops += u64::from(packet.hops);
        self.marked += u64::from(packet.marked);
        if let Some(failed) = self.failed {
            let side = &mut self.around[usize::from(packet.created >= failed)];
            *side = (side.0 + latency, side.1 + 1);
        }
        let part = (packet.created - self.begin) * BINS as u64 / (self.end - self.begin);
        let bin = &mut self.bins[usize::try_from(part).unwrap_or(0)];
        *bin = (bin.0 + latency, bin.1 + 1);
    }

    /// So many packets are in the network in a cycle.
    #[inline]
    pub fn count(&mut self, inside: u64, now: u64) {
        if now >= self.begin {
            let later = now >= self.end;
            let sum = if later { &mut self.population_later } else { &mut self.population };
            *sum = sum.wrapping_add(inside);
        }
    }

    /// One of a part, which measures the same cycles.
    pub fn of_part(&self) -> Self {
        let window = Window { warmup: self.begin, cycles: self.end - self.begin };
        let empty = Tally::new(window, self.classes.len());
        Tally { failed: self.failed, grows: self.grows, ..empty }
    }

    /// What a part saw.
    pub fn add_part(&mut self, part: Tally) {
        self.latencies.add_all(&part.latencies);
        self.network += part.network;
        self.hops += part.hops;
        self.marked += part.marked;
        if let Some(own) = part.replies {
            let replies = self.replies.get_or_insert_default();
            replies.latencies.add_all(&own.latencies);
            replies.round_trips.add_all(&own.round_trips);
            replies.network += own.network;
        }
        for (class, own) in self.classes.iter_mut().zip(&part.classes) {
            class.latencies.add_all(&own.latencies);
            class.network += own.network;
        }
        let bins = self.bins.iter_mut().zip(part.bins);
        for (bin, own) in bins.chain(self.around.iter_mut().zip(part.around)) {
            *bin = (bin.0 + own.0, bin.1 + own.1);
        }
        self.population = self.population.wrapping_add(part.population);
        self.population_later = self.population_later.wrapping_add(part.population_later);
        self.later.extend(part.later);
    }

    /// Makes the window twice as long.
    pub fn double(&mut self) {
        self.end = self.end.saturating_add(self.end - self.begin);
        for half in 0..BINS / 2 {
            let (one, two) = (self.bins[2 * half], self.bins[2 * half + 1]);
            self.bins[half] = (one.0 + two.0, one.1 + two.1);
        }
        self.bins[BINS / 2..].fill((0, 0));
    }

    /// What arrived from behind the end of the window as it was before.
    pub fn take_later(&mut self) {
        self.population += std::mem::take(&mut self.population_later);
        for (packet, now) in std::mem::take(&mut self.later) {
            self.measure(&packet, now);
        }
    }

    /// The means of that many batches, none where one of them has too few packets.
    fn means_of(&self, count: usize) -> Option<Vec<f64>> {
        let mean = |bins: &[(u64, u64)]| {
            let (sum, packets) = bins.iter().fold((0, 0), |(s, n), bin| (s + bin.0, n + bin.1));
            (packets > 1).then(|| sum as f64 / packets as f64)
        };
        self.bins.chunks(BINS / count).map(mean).collect()
    }

    /// Batch means over sixteenths of the window. What may be left of the correlation of neighbors, its lag-1 estimate and
    /// one deviation, widens the interval as that of a first-order autoregressive process does. The window is too short
    /// where its sixty-fourths or sixteenths are correlated, unless the interval is narrow, or where its two sides differ
    /// by more than chance, as Geweke compares them.
    pub fn confidence(&self) -> Confidence {
        let Some(means) = self.means_of(LONG_BATCHES) else { return Confidence::default() };
        let batches = LONG_BATCHES as f64;
        let (mean, square, lag) = correlation(&means);
        let most = (lag + 1.0 / batches.sqrt()).clamp(0.0, 0.9);
        let wider = ((1.0 + most) / (1.0 - most)).sqrt();
        let error = (square / (batches - 1.0) / batches).sqrt() * wider;
        let fine = self.means_of(BINS).map_or(0.0, |means| correlation(&means).2);
        let half = |part: &[f64]| part.iter().sum::<f64>() / part.len() as f64;
        let (first, last) = means.split_at(LONG_BATCHES / 2);
        let is_narrow = STUDENT * error <= NARROW * mean;
        let doubt = if (half(last) - half(first)).abs() > 8.0 * error {
            Some(Doubt::Drifts)
        } else if !is_narrow && (fine > CORRELATED_BINS || lag > CORRELATED_BATCHES) {
            Some(Doubt::Correlated)
        } else {
            None
        };
        Confidence { ci95: Some(STUDENT * error), doubt }
    }

    /// Whether latencies grew from the first third of the window to the last by more than chance and by half.
    pub fn grew(&self) -> bool {
        let Some(means) = self.means_of(LONG_BATCHES) else { return false };
        let third = LONG_BATCHES / 3;
        let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len() as f64;
        let (first, last) = (mean(&means[..third]), mean(&means[LONG_BATCHES - third..]));
        let rises = means.windows(2).filter(|pair| pair[1] > pair[0]).count();
        last > 1.5 * first && rises * 3 > LONG_BATCHES * 2
    }
}

/// The mean, the sum of squares around it, and the correlation of neighbors.
fn correlation(means: &[f64]) -> (f64, f64, f64) {
    let mean = means.iter().sum::<f64>() / means.len() as f64;
    let square = means.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>();
    let products = means.windows(2).map(|two| (two[0] - mean) * (two[1] - mean));
    let lag = if square > 0.0 { products.sum::<f64>() / square } else { 0.0 };
    (mean, square, lag)
}

persist!(Spread { histogram, sum, packets });
persist!(ClassTally { latencies, network, ejected });
persist!(ReplyTally { latencies, round_trips, network });
persist!(Tally {
    begin,
    end,
    latencies,
    network,
    hops,
    marked,
    recorder,
    replies,
    classes,
    bins,
    ejected,
    replied,
    replies_before,
    injected_before,
    events,
    carried,
    population,
    failed,
    around,
    grows,
    later,
    population_later,
});
