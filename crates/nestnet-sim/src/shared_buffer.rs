//! Buffers that the virtual channels of a port share: one pool, and a flit that is kept for each of them.
//!
//! A virtual channel has credits where nothing of it is behind the link, for the flit that is kept for it, or where the
//! pool has room. So a virtual channel that is full of packets that wait takes no other its last place, and what is free
//! of deadlock with queues of their own is so with the pool.

use super::config::Config;
use super::engine::Engine;
use super::mask::{clear, is_empty};
use super::state::{NOBODY, index32};

/// The pools behind all links, also those of hosts.
#[derive(Debug)]
pub(super) struct SharedBuffers {
    vcs: usize,
    /// Flits on the link and behind it, of each of all virtual channels.
    used: Vec<u16>,
    /// Room of the pool of each of all ports, and then of each host.
    room: Vec<u16>,
    /// Ports and hosts that sent a flit in this cycle.
    touched: Vec<u32>,
}

impl SharedBuffers {
    pub fn new(config: &Config, outs: usize) -> Self {
        let vcs = usize::from(config.vcs);
        SharedBuffers {
            vcs,
            used: vec![0; outs],
            room: vec![config.pool(); outs / vcs],
            touched: Vec::new(),
        }
    }

    /// A flit was sent by that of all virtual channels.
    pub fn take(&mut self, out: usize) {
        self.used[out] += 1;
        let group = out / self.vcs;
        if self.used[out] > 1 {
            self.room[group] -= 1;
        }
        self.touched.push(index32(group));
    }

    /// A flit of a virtual channel has left.
    fn give_back(&mut self, out: usize) {
        if self.used[out] > 1 {
            self.room[out / self.vcs] += 1;
        }
        self.used[out] -= 1;
    }

    fn credits(&self, out: usize) -> u16 {
        u16::from(self.used[out] == 0) + self.room[out / self.vcs]
    }

    /// Flits on the link of a port and behind it.
    pub fn flits(&self, port: usize) -> u64 {
        self.used[port * self.vcs..][..self.vcs].iter().copied().map(u64::from).sum()
    }
}

impl<const W: usize> Engine<'_, W> {
    /// Credits come back to their pools.
    #[inline(never)]
    pub fn take_shared_credits(&mut self) {
        let credits = self.credits.take(self.now);
        for &out in &credits {
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
