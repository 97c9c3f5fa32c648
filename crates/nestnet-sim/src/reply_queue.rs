//! Replies that wait at hosts, and what a host has not taken because of them.

use super::config::Config;
use super::persist::{Damaged, Persist as _, Saved, persist};
use super::source::cumulative;
use super::state::Flit;
use nestnet_graph::Node;
use std::collections::VecDeque;
use std::ops::Range;

/// What all hosts answer.
#[derive(Debug)]
pub(super) struct Replies {
    /// Sizes, and up to which part of the draws each is meant.
    pub sizes: Vec<(u16, f64)>,
    /// How many may wait at a host.
    pub limit: usize,
    /// The virtual channels of replies.
    pub vcs: Range<usize>,
    pub hosts: Vec<Answering>,
    /// Hosts that have any.
    pub waiting: Vec<u64>,
}

/// The replies of a host.
#[derive(Clone, Debug)]
pub(super) struct Answering {
    /// The first is the one that is being sent.
    pub queue: VecDeque<Reply>,
    pub packet: u32,
    /// Flits of it that are left.
    pub left: u16,
    /// The virtual channel of the last.
    pub vc: Option<usize>,
    /// For each virtual channel what the host has not taken.
    pub held: Vec<VecDeque<Flit>>,
    /// Which of them is next.
    pub turn: usize,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Reply {
    pub to: Node,
    pub size: u16,
    pub created: u64,
    pub asked: u64,
    pub marked: bool,
    pub sent: u64,
}

impl Replies {
    pub fn new(config: &Config, hosts: usize) -> Self {
        let vcs = usize::from(config.vcs);
        let answering = Answering {
            queue: VecDeque::new(),
            packet: 0,
            left: 0,
            vc: None,
            held: vec![VecDeque::new(); vcs],
            turn: 0,
        };
        Replies {
            sizes: cumulative(&config.replies),
            limit: config.reply_queue.map_or(usize::MAX, |limit| limit as usize),
            vcs: vcs - usize::from(config.class_vcs())..vcs,
            hosts: vec![answering; hosts],
            waiting: vec![0; hosts.div_ceil(64)],
        }
    }

    /// The virtual channel by which a host sends a reply, where it does.
    #[inline]
    pub fn sends_by(&self, host: usize) -> Option<usize> {
        let own = &self.hosts[host];
        own.vc.filter(|_| own.left > 0)
    }

    /// Where a host does not take what came by a virtual channel: those by which its next reply could go.
    pub fn blocks(&self, host: usize, vc: usize) -> Option<Range<usize>> {
        let own = &self.hosts[host];
        let sends = self.sends_by(host).map_or(self.vcs.clone(), |vc| vc..vc + 1);
        (!own.held[vc].is_empty()).then_some(sends)
    }

    /// Flits of replies that have not left their hosts.
    pub fn waiting_flits(&self) -> u64 {
        let own = |host: &Answering| {
            let flits: u64 = host.queue.iter().map(|reply| u64::from(reply.size)).sum();
            let sent = host.queue.front().map_or(0, |reply| reply.size.saturating_sub(host.left));
            if host.left > 0 { flits - u64::from(sent) } else { flits }
        };
        self.hosts.iter().map(own).sum()
    }
}

persist!(Reply { to, size, created, asked, marked, sent });
persist!(Answering { queue, packet, left, vc, held, turn });

impl Replies {
    /// What waits.
    pub fn write(&self, out: &mut Vec<u8>) {
        self.hosts.write(out);
        self.waiting.write(out);
    }

    /// What was written, of as many hosts.
    pub fn fill(&mut self, saved: &mut Saved<'_>) -> Result<(), Damaged> {
        saved.fill(&mut self.hosts)?;
        saved.fill(&mut self.waiting)
    }
}
