//! How long must be simulated? A warm-up until the network has settled, and a window that doubles until its mean is known
//! well enough or the network is saturated for certain.

use super::config::{Precision, SimError, Window};
use super::measure::{DRAIN, Ended, Run, next_multiple};
use super::progress::{Flow, Progress};
use super::reason;
use super::record::{self, RECORDS};
use super::source::NEVER;
use super::tally::Tally;
use super::warmup::{SAMPLE, Transient};
use super::{Status, measure::LOOK};
use nestnet_graph::Budget;

/// The first cycle in which it is asked whether the network has settled; then after twice as many, and so on.
const FIRST_LOOK: u64 = 1024;

/// Where less than this part of what is made arrives the network is saturated, whatever the chance.
const HOPELESS: f64 = 0.9;

/// Cycles in which that can be seen.
const HOPELESS_CYCLES: u64 = 2048;

impl Run<'_> {
    /// All phases, with as many cycles as it takes.
    pub fn until_precise(&mut self, load: f64, precision: Precision, budget: &Budget<'_>) -> Ended {
        let expected = precision.max_cycles.max(1) as f64;
        let mut progress = self.resumed.take().unwrap_or_else(|| {
            self.set_window((u64::MAX, u64::MAX));
            Progress::default()
        });
        while !progress.is_open {
            self.keep(&progress, budget);
            if self.is_warm(load, &precision, &mut progress.transient) {
                self.open(&precision)?;
                progress.is_open = true;
                break;
            }
            if let Some(ended) = self.ends_early(budget, expected) {
                return Ok(ended);
            }
            let sample = next_multiple(self.now, SAMPLE);
            self.advance([precision.warmup.unwrap_or(sample), precision.max_cycles / 2])?;
        }
        loop {
            self.keep(&progress, budget);
            let (now, end) = (self.now, self.tally.end);
            if let Some((status, cycle)) = self.ends_early(budget, expected) {
                let doubled = self.tally.end - self.tally.begin > self.window.cycles;
                return Ok(if status == Status::Stopped && doubled {
                    self.not_precise(reason::TIME_OVER)
                } else {
                    (status, cycle)
                });
            }
            if now == end {
                self.note_end();
                let flow = self.flow(load);
                let is_behind = self.is_saturated(load);
                let was_behind = std::mem::replace(&mut progress.is_behind, is_behind);
                if is_behind {
                    let certain = self.is_certain(flow, progress.before, was_behind);
                    if self.waits_at_sources(load) && (certain || !self.can_double(&precision)) {
                        return Ok((Status::Saturated, Vec::new()));
                    }
                    if self.double(load, &precision, budget)? {
                        progress.before = flow;
                        continue;
                    }
                    return Ok(self.not_precise(reason::FILLED_AT_LAST));
                }
                progress.before = flow;
            }
            if now >= end && now.is_multiple_of(DRAIN) && self.is_drained() {
                let why = self.imprecise(precision.target);
                // Twice in a row: a short window can be quiet by chance.
                let is_last = !self.can_double(&precision);
                match why {
                    None if progress.was_precise || is_last || self.is_silent() => {
                        return Ok((Status::Ok, Vec::new()));
                    }
                    Some(why) if is_last => return Ok(self.not_precise(why)),
                    _ => progress.was_precise = why.is_none(),
                }
                self.double(load, &precision, budget)?;
            }
            // Where all that is offered is accepted, what waits at the end of the window has arrived long before this.
            let last = end.saturating_mul(5).saturating_add(LOOK);
            if now >= last {
                return Ok((Status::Saturated, Vec::new()));
            }
            self.advance([self.tally.end, last])?;
        }
    }

    /// Whether the window begins now.
    fn is_warm(&self, load: f64, precision: &Precision, transient: &mut Transient) -> bool {
        let now = self.now;
        if let Some(warmup) = precision.warmup {
            return now >= warmup;
        }
        if now.is_multiple_of(SAMPLE) {
            let ejected = self.seen(|seen| seen.ejected);
            let inside = self.seen(|seen| seen.injected).saturating_sub(ejected) as f64;
            let replied = self.seen(|seen| seen.replies_ejected);
            let replies = self.seen(|seen| seen.replies_made).saturating_sub(replied) as f64;
            transient.add(inside + replies + self.waiting(now, 0, load));
        }
        if now < FIRST_LOOK || !now.is_power_of_two() {
            return now >= precision.max_cycles / 2;
        }
        let made = now as f64 / 2.0 * load * self.wires.hosts.len() as f64;
        let hopeless = now >= HOPELESS_CYCLES && transient.growth() > (1.0 - HOPELESS) * made;
        now > precision.max_cycles / 8 || hopeless || transient.has_settled()
    }

    /// The window begins now, at least as long as the warm-up where that is found.
    fn open(&mut self, precision: &Precision) -> Result<(), SimError> {
        let begin = self.now;
        let most = precision.max_cycles.saturating_sub(begin).max(1);
        let least = if precision.warmup.is_some() { 1 } else { begin };
        let mut cycles = precision.cycles.max(1);
        while cycles < least {
            cycles = cycles.saturating_mul(2);
        }
        self.window = Window { warmup: begin, cycles: cycles.min(most) };
        let recorder = self.tally.recorder.take();
        self.tally = Tally::new(self.window, self.config.classes.len());
        self.tally.recorder = recorder;
        self.tally.grows = true;
        self.note_begin()?;
        self.set_window((self.tally.begin, self.tally.end));
        Ok(())
    }

    /// The end of a window twice as long, or of one that is not over.
    fn doubled(&self) -> u64 {
        let (begin, end) = (self.tally.begin, self.tally.end);
        let mut length = (end - begin).saturating_mul(2);
        while begin.saturating_add(length) < self.now {
            length = length.saturating_mul(2);
        }
        begin.saturating_add(length)
    }

    fn can_double(&self, precision: &Precision) -> bool {
        self.doubled() <= precision.max_cycles
    }

    /// Measures a window twice as long, where that is not too long; an error where it is too long to be written down.
    fn double(
        &mut self,
        load: f64,
        precision: &Precision,
        budget: &Budget<'_>,
    ) -> Result<bool, SimError> {
        let end = self.doubled();
        if end > precision.max_cycles {
            return Ok(false);
        }
        let (config, hosts) = (self.config, self.wires.hosts.len());
        let need = record::bytes(config, hosts, load, end - self.tally.begin);
        budget.fits(RECORDS, need)?;
        while self.tally.end < end {
            self.tally.double();
        }
        self.tally.take_later();
        self.set_window((self.tally.begin, end));
        self.cycles.each_seen_mut(&mut |seen| {
            seen.marked += std::mem::take(&mut seen.later);
            seen.marked_flits += std::mem::take(&mut seen.later_flits);
        });
        Ok(true)
    }

    fn flow(&self, load: f64) -> Flow {
        Flow { made: self.offered_flits(load), arrived: self.arrived() }
    }

    /// Whether a network that is behind will stay so: far behind, or in both parts of the window.
    fn is_certain(&self, flow: Flow, before: Flow, was_behind: bool) -> bool {
        let cycles = self.tally.end - self.tally.begin;
        let far = cycles >= HOPELESS_CYCLES && flow.arrived < HOPELESS * flow.made;
        let (made, arrived) = (flow.made - before.made, flow.arrived - before.arrived);
        far || was_behind && arrived < 0.98 * made - self.chance()
    }

    /// Why the mean of the window is not known so precisely, if it is not.
    fn imprecise(&self, target: f64) -> Option<&'static str> {
        if self.is_silent() {
            return None;
        }
        let found = self.tally.confidence();
        let mean = self.tally.latencies.mean();
        match (found.doubt, found.ci95) {
            (Some(doubt), _) => Some(doubt.why()),
            (None, None) => Some(reason::TOO_FEW),
            (None, Some(half)) if half > target * mean => Some(reason::TOO_WIDE),
            _ if self.tally.grew() => Some(reason::GREW),
            _ => None,
        }
    }

    /// Whether nobody ever sends.
    fn is_silent(&self) -> bool {
        self.seen(|seen| seen.entered) == 0 && self.cycles.all_next(&|next| next == NEVER)
    }

    fn not_precise(&mut self, why: &'static str) -> (Status, Vec<super::Wait>) {
        self.tally.ejected.1 = self.tally.ejected.1.max(self.tally.ejected.0);
        self.tally.replied.1 = self.tally.replied.1.max(self.tally.replied.0);
        self.reason = Some(why);
        (Status::NotConverged, Vec::new())
    }
}
