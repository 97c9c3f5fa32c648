//! Buffers that the virtual channels of a port share: one pool, and a flit that is kept for each of them.
//!
//! A virtual channel has credits where nothing of it is behind the link, for the flit that is kept for it, or where the
//! pool has room. So a virtual channel that is full of packets that wait takes no other its last place, and what is free
//! of deadlock with queues of their own is so with the pool.

use super::config::Config;
use super::persist::persist;
use super::state::index32;

/// The pools behind all links, also those of hosts.
#[derive(Debug)]
pub(super) struct SharedBuffers {
    vcs: usize,
    /// Flits on the link and behind it, of each of all virtual channels.
    used: Vec<u16>,
    /// Room of the pool of each of all ports, and then of each host.
    room: Vec<u16>,
    /// Ports and hosts that sent a flit in this cycle.
    pub touched: Vec<u32>,
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
    pub fn give_back(&mut self, out: usize) {
        if self.used[out] > 1 {
            self.room[out / self.vcs] += 1;
        }
        self.used[out] -= 1;
    }

    pub fn credits(&self, out: usize) -> u16 {
        u16::from(self.used[out] == 0) + self.room[out / self.vcs]
    }

    /// Flits on the link of a port and behind it.
    pub fn flits(&self, port: usize) -> u64 {
        self.used[port * self.vcs..][..self.vcs].iter().copied().map(u64::from).sum()
    }
}

persist!(SharedBuffers { vcs, used, room, touched });
