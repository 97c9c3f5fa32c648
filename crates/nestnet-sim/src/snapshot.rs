//! The state of a network between two cycles: what changes, written down and restored.
//!
//! It is restored into a network that is as new, of the same topology and configuration. What follows from other parts of
//! the state is found again: routes that were asked for, and routes between which packets decide.

use super::engine::Engine;
use super::persist::{Damaged, Persist, Saved};
use super::state::{Candidate, Stage};
use nestnet_routing::Header;

/// Of a queue whose head asks and adapts: its place, its candidates, and between which routes it decides, by what it
/// carried as it first asked, what it decided last, and since when.
type Choice = (u32, Vec<Candidate>, Option<(Header, Header, u64)>);

impl<const W: usize> Engine<'_, W> {
    /// Writes down all that changes.
    pub fn write_state(&self, out: &mut Vec<u8>) {
        self.now.write(out);
        self.epoch.write(out);
        self.vc_diagonals.write(out);
        self.switch_diagonals.write(out);
        self.routers.write(out);
        self.ports.write(out);
        self.inputs.write(out);
        self.queues.write(out);
        self.outs.write(out);
        self.flits.write(out);
        self.busy.write(out);
        self.asking.write(out);
        self.roaming.write(out);
        self.packets.write(out);
        self.unused.write(out);
        self.arrivals.write(out);
        self.credits.write(out);
        self.wakes.write(out);
        self.alarm.write(out);
        self.sources.write(out);
        self.sending.write(out);
        self.turns_of_hosts.write(out);
        self.outstanding.write(out);
        self.windows.write(out);
        self.speculation.write(out);
        self.replies.iter().for_each(|replies| replies.write(out));
        self.shared.write(out);
        self.link_errors.write(out);
        self.seen.write(out);
        let coming: Vec<u32> = self.cut_channels().map(|channel| channel.packet).collect();
        coming.write(out);
        self.choices().write(out);
    }

    /// Of all queues whose heads ask and adapt.
    fn choices(&self) -> Vec<Choice> {
        let choices = (0..).zip(&self.queues).zip(self.candidates.iter().zip(&self.decisions));
        let asking = choices.filter(|((_, queue), _)| queue.stage == Stage::Asking);
        let choice = asking.map(|((place, _), (candidates, decision))| {
            let decision = decision.as_ref().map(|one| (one.carried, one.last, one.since));
            (place, candidates.clone(), decision)
        });
        choice.collect()
    }

    fn cut_channels(&self) -> impl Iterator<Item = &super::boundary::CutChannel> {
        self.boundary.iter().flat_map(|boundary| &boundary.cut_channels)
    }

    /// Goes on from what was written down.
    pub fn read_state(&mut self, saved: &mut Saved<'_>) -> Result<(), Damaged> {
        self.now = u64::read(saved)?;
        self.pass_failures(u32::read(saved)?)?;
        saved.fill(&mut self.vc_diagonals)?;
        saved.fill(&mut self.switch_diagonals)?;
        saved.fill(&mut self.routers)?;
        saved.fill(&mut self.ports)?;
        saved.fill(&mut self.inputs)?;
        saved.fill(&mut self.queues)?;
        saved.fill(&mut self.outs)?;
        saved.fill(&mut self.flits)?;
        saved.fill(&mut self.busy)?;
        self.asking = Vec::read(saved)?;
        self.roaming = Vec::read(saved)?;
        self.packets = Vec::read(saved)?;
        self.unused = Vec::read(saved)?;
        self.arrivals.fill(saved)?;
        self.credits.fill(saved)?;
        self.wakes.fill(saved)?;
        self.alarm.fill(saved)?;
        saved.fill(&mut self.sources)?;
        saved.fill(&mut self.sending)?;
        saved.fill(&mut self.turns_of_hosts)?;
        saved.refill(&mut self.outstanding)?;
        saved.refill(&mut self.windows)?;
        saved.refill(&mut self.speculation)?;
        self.replies.iter_mut().try_for_each(|replies| replies.fill(saved))?;
        saved.refill(&mut self.shared)?;
        saved.refill(&mut self.link_errors)?;
        self.seen = Persist::read(saved)?;
        let mut coming: Vec<u32> = self.cut_channels().map(|channel| channel.packet).collect();
        saved.fill(&mut coming)?;
        let channels = self.boundary.iter_mut().flat_map(|boundary| &mut boundary.cut_channels);
        channels.zip(coming).for_each(|(channel, packet)| channel.packet = packet);
        for (place, candidates, decision) in Vec::<Choice>::read(saved)? {
            let place = place as usize;
            *self.candidates.get_mut(place).ok_or(Damaged)? = candidates;
            self.decisions[place] = match decision {
                Some((carried, last, since)) => {
                    let mut decision = self.decision(place, carried).ok_or(Damaged)?;
                    (decision.last, decision.since) = (last, since);
                    Some(decision)
                }
                None => None,
            };
        }
        Ok(())
    }

    /// So many failures have been.
    fn pass_failures(&mut self, epoch: u32) -> Result<(), Damaged> {
        let (passed, rest) = self.failures.split_at_checked(epoch as usize).ok_or(Damaged)?;
        let Some(last) = passed.last() else { return Ok(()) };
        self.failures = rest;
        self.epoch = epoch;
        self.know_failure(last.router).map_err(|_| Damaged)
    }
}
