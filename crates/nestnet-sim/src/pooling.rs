//! Who may send where virtual channels share their buffers? What changes with each flit that is sent and that leaves.

use super::engine::Engine;
use super::mask::{clear, is_empty};
use super::state::NOBODY;

impl<const W: usize> Engine<'_, W> {
    /// Credits come back to their pools.
    #[inline(never)]
    pub fn take_shared_credits(&mut self) {
        let credits = self.credits.take(self.now);
        for &out in &credits {
            if out as usize >= self.outs.len() {
                self.send_credit(out as usize);
                continue;
            }
            if let Some(shared) = &mut self.shared {
                shared.give_back(out as usize);
            }
            self.recount(out as usize / self.vcs);
        }
        self.credits.put(self.now, credits);
    }

    /// What was sent in this cycle is no longer free for others in the next.
    #[inline(never)]
    pub fn recount_touched(&mut self) {
        let Some(shared) = &mut self.shared else { return };
        let touched = std::mem::take(&mut shared.touched);
        for &group in &touched {
            self.recount(group as usize);
        }
        if let Some(shared) = &mut self.shared {
            shared.touched = touched;
            shared.touched.clear();
        }
    }

    /// The credits of all virtual channels of a port or a host, and who wants the switch for them.
    fn recount(&mut self, group: usize) {
        let Some(shared) = &self.shared else { return };
        for out in group * self.vcs..(group + 1) * self.vcs {
            self.outs[out].credits = shared.credits(out);
        }
        if group >= self.ports.len() {
            return;
        }
        for out in group * self.vcs..(group + 1) * self.vcs {
            let owner = self.outs[out].owner;
            if owner == NOBODY {
                continue;
            }
            let (slot, first) = (usize::from(owner), self.ports[group].first_queue as usize);
            if self.outs[out].credits > 0 && self.queues[first + slot].length > 0 {
                self.want(group, slot);
            } else {
                clear(&mut self.ports[group].wants, slot);
            }
        }
        let port = &self.ports[group];
        if is_empty(&port.wants) {
            let router = port.router as usize;
            clear(&mut self.routers[router].switch, port.local.into());
            if is_empty(&self.routers[router].switch) {
                self.busy[router / 64] &= !(1 << (router % 64));
            }
        }
    }
}
