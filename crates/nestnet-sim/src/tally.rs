//! What is known of the packets of the window: sums, a histogram, and means of parts of it.

use super::config::Window;
use super::state::Packet;

/// The window is cut into as many parts for confidence.
const BATCHES: usize = 20;

/// Student's t for that many batches, 95 % on both sides.
const STUDENT: f64 = 2.093;

/// What is known of the packets of the window.
#[derive(Debug)]
pub(super) struct Tally {
    pub begin: u64,
    pub end: u64,
    /// How many packets took so many cycles.
    histogram: Vec<u32>,
    pub sum: u64,
    pub network: u64,
    pub hops: u64,
    pub packets: u64,
    /// Sum and number in each part of the window.
    batches: [(u64, u64); BATCHES],
    pub ejected: (u64, u64),
    pub population: u64,
    /// When the first link fails, and sum and number of packets made before and after.
    pub failed: Option<u64>,
    pub around: [(u64, u64); 2],
}

impl Tally {
    pub fn new(window: Window) -> Self {
        let begin = window.warmup;
        Tally {
            begin,
            end: begin.saturating_add(window.cycles),
            histogram: Vec::new(),
            sum: 0,
            network: 0,
            hops: 0,
            packets: 0,
            batches: [(0, 0); BATCHES],
            ejected: (0, 0),
            population: 0,
            failed: None,
            around: [(0, 0); 2],
        }
    }

    pub fn add(&mut self, packet: &Packet, now: u64) {
        if !(self.begin..self.end).contains(&packet.created) {
            return;
        }
        let latency = now - packet.created;
        let place = usize::try_from(latency).unwrap_or(usize::MAX).min(1 << 24);
        if self.histogram.len() <= place {
            self.histogram.resize(place + 1, 0);
        }
        self.histogram[place] += 1;
        self.sum += latency;
        self.network += now - packet.entered;
        self.hops += u64::from(packet.hops);
        self.packets += 1;
        if let Some(failed) = self.failed {
            let side = &mut self.around[usize::from(packet.created >= failed)];
            *side = (side.0 + latency, side.1 + 1);
        }
        let part = (packet.created - self.begin) * BATCHES as u64 / (self.end - self.begin);
        let batch = &mut self.batches[usize::try_from(part).unwrap_or(0)];
        *batch = (batch.0 + latency, batch.1 + 1);
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

    fn batch_means(&self) -> Option<Vec<f64>> {
        let mean = |&(sum, count): &(u64, u64)| (count > 1).then(|| sum as f64 / count as f64);
        self.batches.iter().map(mean).collect()
    }

    pub fn ci95(&self) -> Option<f64> {
        let means = self.batch_means()?;
        let count = BATCHES as f64;
        let mean = means.iter().sum::<f64>() / count;
        let square = means.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>();
        Some(STUDENT * (square / (count - 1.0) / count).sqrt())
    }

    /// Whether latencies grew from the first third of the window to the last by more than chance and by half.
    pub fn grew(&self) -> bool {
        let Some(means) = self.batch_means() else { return false };
        let third = BATCHES / 3;
        let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len() as f64;
        let (first, last) = (mean(&means[..third]), mean(&means[BATCHES - third..]));
        let rises = means.windows(2).filter(|pair| pair[1] > pair[0]).count();
        last > 1.5 * first && rises * 3 > BATCHES * 2
    }
}
