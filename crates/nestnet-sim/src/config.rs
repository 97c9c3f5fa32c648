//! What can be chosen of a simulation, the table of its options, and what is refused.

use super::energy::EnergyModel;
use super::persist::{Damaged, persist};
use nestnet_graph::numbers::counts;
use nestnet_graph::options::{Choice, Kind, Setting, Usual};
use nestnet_graph::{Interrupted, Node, OverBudget, kinds};
use nestnet_routing::traffic::OnOff;
use serde::Serialize;
use std::fmt;
use thiserror::Error;

/// How requests are matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allocator {
    /// Every output offers itself to one input that asks for it, then every input accepts one offer; in as many rounds as
    /// [`Config::iterations`] says. Round robins move by what is matched in the first.
    Islip,
    /// The same in one round.
    SeparableOutputFirst,
    /// Every input asks for one output, then every output takes one input, in one round.
    SeparableInputFirst,
    /// Diagonal by diagonal of the matrix of requests, each time from the one behind the first that matched: a matching to
    /// which nothing can be added.
    Wavefront,
}

/// Who goes first where several ask for the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Priority {
    /// The next by a round robin.
    RoundRobin,
    /// The packet that was made first, and of equals the next by the round robin.
    Age,
    /// The packet whose message class is listed first, and of equals the next by the round robin.
    Class,
}

/// What is written down of the packets of the window, besides sums.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// Sums of each host.
    pub hosts: bool,
    /// Sums of each pair of hosts that sends.
    pub flows: bool,
    /// Every packet.
    pub packets: bool,
}

/// When a packet may go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Switching {
    /// As soon as a flit of it can.
    Wormhole,
    /// When the next queue has room for all of it.
    CutThrough,
}

/// When sources make packets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Injection {
    /// With the same probability in every cycle.
    Bernoulli,
    /// In bursts: a flit in every cycle of one, and none between them.
    OnOff {
        /// Cycles of a burst, on average.
        burst: f64,
    },
    /// In periods of each host, at a rate that keeps the load, at most a flit in every cycle of one.
    Periods(OnOff),
}

/// A router and its links.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// Virtual channels of a link, from 1 to 64.
    pub vcs: u16,
    /// Flits that a queue holds.
    pub buffer: u16,
    /// Cycles to compute a route; 0 where that is done one router ahead.
    pub routing_delay: u16,
    /// Cycles to allocate a virtual channel, at least 1.
    pub vc_delay: u16,
    /// Cycles to allocate the switch, at least 1.
    pub switch_delay: u16,
    /// Cycles to cross the switch.
    pub st_delay: u16,
    /// Cycles until a credit that was received can be used.
    pub credit_delay: u16,
    /// Flits of one input port that may cross in one cycle.
    pub input_speedup: u16,
    /// How virtual channels are allocated.
    pub vc_allocator: Allocator,
    /// How the switch is allocated.
    pub switch_allocator: Allocator,
    /// Wormhole or cut-through.
    pub switching: Switching,
    /// Cycles on a link of each level; those beyond are as the last. Where there are none it is 1.
    pub latency: Vec<u16>,
    /// Sizes of packets in flits, and how often each is relative to the others.
    pub packets: Vec<(u16, f64)>,
    /// Message classes, each with its own share of the virtual channels and of the load; empty where there is one.
    pub classes: Vec<MessageClass>,
    /// When packets are made.
    pub injection: Injection,
    /// Which percentiles of the latency are reported, each above 0 and at most 100.
    pub percentiles: Vec<f64>,
    /// Sizes of the replies that a host sends for packets that arrive, and how often each is; empty where there are none.
    pub replies: Vec<(u16, f64)>,
    /// Whether replies have virtual channels of their own, half of them.
    pub reply_channels: ReplyChannels,
    /// Replies that may wait at a host, which takes no further request when it has as many.
    pub reply_queue: Option<u32>,
    /// Packets of a host that may be on the way at once, with replies: that are not answered. A host learns at once what
    /// has arrived.
    pub outstanding: Option<u32>,
    /// Rounds of [`Allocator::Islip`], from 1 to 64.
    pub iterations: u16,
    /// Who goes first in both allocators; a wavefront has its diagonals instead.
    pub priority: Priority,
    /// What is written down.
    pub record: Record,
    /// Whether the virtual channels of a port share their buffers, but for a flit of each.
    pub shared_buffer: bool,
    /// Whether routes are computed one router ahead, which hides [`Config::routing_delay`].
    pub lookahead: bool,
    /// Whether heads ask for the switch in the cycle in which they ask for a virtual channel.
    pub speculative: bool,
    /// Flits of the queue of an output above which packets that go there are marked, where hosts send less for marks.
    pub ecn: Option<u32>,
    /// With which probability a flit is corrupted on a link between routers, from 0 to 1, without 1.
    pub link_errors: f64,
    /// Whether the energy of flits is reported, and by which model.
    pub energy: bool,
    /// Energies, lengths of links, bits of a flit and the clock.
    pub energy_model: EnergyModel,
}

/// Messages that have virtual channels of their own, and at every host a queue of their own.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct MessageClass {
    /// How much of the load it is, relative to the others.
    pub share: f64,
    /// Flits of its packets, where they are not those of [`Config::packets`].
    pub size: Option<u16>,
}

impl MessageClass {
    /// So much of the load, in packets of so many flits.
    pub fn new(share: f64, size: Option<u16>) -> Self {
        MessageClass { share, size }
    }
}

/// Which virtual channels replies have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplyChannels {
    /// Half of them, a message class of their own.
    Separate,
    /// Those of requests, which may deadlock where replies wait in a limited queue.
    Shared,
}

impl Default for Config {
    /// Four virtual channels of eight flits, one cycle for each stage and link, packets of one flit.
    fn default() -> Self {
        Config {
            vcs: 4,
            buffer: 8,
            routing_delay: 1,
            vc_delay: 1,
            switch_delay: 1,
            st_delay: 1,
            credit_delay: 1,
            input_speedup: 1,
            vc_allocator: Allocator::Islip,
            switch_allocator: Allocator::Islip,
            switching: Switching::Wormhole,
            latency: Vec::new(),
            packets: vec![(1, 1.0)],
            classes: Vec::new(),
            injection: Injection::Bernoulli,
            percentiles: Vec::new(),
            replies: Vec::new(),
            reply_channels: ReplyChannels::Separate,
            reply_queue: None,
            outstanding: None,
            iterations: 1,
            priority: Priority::RoundRobin,
            record: Record::default(),
            shared_buffer: false,
            lookahead: false,
            speculative: false,
            ecn: None,
            link_errors: 0.0,
            energy: false,
            energy_model: EnergyModel::default(),
        }
    }
}

/// Limit: virtual channels of a simulated link: a mask of them is one word.
pub const MAX_VCS: u16 = 64;

/// Limit: message classes, each with counters of its own.
pub const MAX_CLASSES: u16 = 8;

/// Limit: queues of a simulated router: a mask of them is at most 64 words.
pub const MAX_QUEUES: usize = 64 * 64;

/// Limit: flits of a queue or a packet: room for them is counted in 16 bits.
pub const MAX_BUFFER: u16 = 1 << 14;

/// Limit: cycles of one stage or link: events are kept in a ring as long as the longest delay.
pub const MAX_DELAY: u16 = 1 << 12;

impl Config {
    /// The option of which devices have no model, if one is asked for. Every option is named here, so that one that is
    /// added is not passed over.
    pub(super) fn refused_by_devices(&self) -> Option<&'static str> {
        let Config {
            vcs: _,
            buffer: _,
            routing_delay: _,
            vc_delay: _,
            switch_delay: _,
            st_delay: _,
            credit_delay: _,
            input_speedup: _,
            vc_allocator,
            switch_allocator,
            switching: _,
            latency: _,
            packets: _,
            classes,
            injection: _,
            percentiles: _,
            replies,
            reply_channels: _,
            reply_queue: _,
            outstanding,
            iterations: _,
            priority,
            record: _,
            shared_buffer,
            lookahead: _,
            speculative,
            ecn,
            link_errors,
            energy: _,
            energy_model: _,
        } = self;
        let rows = [
            (*speculative, "`speculative=`"),
            (*shared_buffer, "`shared_buffer=`"),
            (*link_errors > 0.0, "`link_errors=`"),
            (ecn.is_some(), "`ecn=`"),
            (!replies.is_empty(), "`replies=`"),
            (outstanding.is_some(), "`outstanding=`"),
            (*priority == Priority::Age, "`priority=age`"),
            (!classes.is_empty(), "`classes=`"),
            (*vc_allocator == Allocator::Wavefront, "`vc_allocator=wavefront`"),
            (*switch_allocator == Allocator::Wavefront, "`switch_allocator=wavefront`"),
            (self.is_matched(*vc_allocator), "`iterations=` above 1"),
            (self.is_matched(*switch_allocator), "`iterations=` above 1"),
        ];
        rows.into_iter().find(|(is_asked, _)| *is_asked).map(|(_, name)| name)
    }

    /// Flits of a packet, on average.
    pub fn mean_packet(&self) -> f64 {
        match self.sources_of_host() {
            1 => mean_size(&self.packets),
            // Packets of a class come as often as its share, divided by their size.
            classes => {
                let packets = |class| self.share_of(class) / mean_size(&self.packets_of(class));
                1.0 / (0..classes).map(packets).sum::<f64>()
            }
        }
    }

    /// The largest packet.
    pub fn longest_packet(&self) -> u16 {
        let classes = self.classes.iter().filter_map(|class| class.size);
        let sizes = self.packets.iter().chain(&self.replies).map(|&(size, _)| size);
        sizes.chain(classes).max().unwrap_or(1)
    }

    /// Queues of packets at a host: one for each message class that is made there.
    pub(super) fn sources_of_host(&self) -> usize {
        self.classes.len().max(1)
    }

    /// How much of the load a message class is.
    pub(super) fn share_of(&self, class: usize) -> f64 {
        let sum: f64 = self.classes.iter().map(|class| class.share).sum();
        self.classes.get(class).map_or(1.0, |class| class.share / sum)
    }

    /// Sizes of packets of a message class, and how often each is.
    pub(super) fn packets_of(&self, class: usize) -> Vec<(u16, f64)> {
        let size = self.classes.get(class).and_then(|class| class.size);
        size.map_or_else(|| self.packets.clone(), |size| vec![(size, 1.0)])
    }

    /// Flits of the pool of a port, where virtual channels share their buffers.
    pub(super) fn pool(&self) -> u16 {
        if self.shared_buffer { self.vcs.saturating_mul(self.buffer.saturating_sub(1)) } else { 0 }
    }

    /// Flits that the queue of one virtual channel can hold.
    pub(super) fn most_of_queue(&self) -> u16 {
        if self.shared_buffer { 1 + self.pool() } else { self.buffer }
    }

    /// Cycles to compute a route at a router.
    pub fn routing_cycles(&self) -> u16 {
        if self.lookahead { 0 } else { self.routing_delay }
    }

    /// Message classes, each with its own share of the virtual channels.
    pub fn message_classes(&self) -> u16 {
        if !self.classes.is_empty() {
            return u16::try_from(self.classes.len()).unwrap_or(u16::MAX);
        }
        let is_separate = self.reply_channels == ReplyChannels::Separate;
        if is_separate && !self.replies.is_empty() { 2 } else { 1 }
    }

    /// Virtual channels of one message class.
    pub fn class_vcs(&self) -> u16 {
        self.vcs / self.message_classes()
    }

    /// Whether an allocator needs more than one round of round robins.
    pub(super) fn is_matched(&self, allocator: Allocator) -> bool {
        let rounds = allocator == Allocator::Islip && self.iterations > 1;
        rounds || allocator == Allocator::Wavefront || self.priority != Priority::RoundRobin
    }

    /// Cycles on a link of that level.
    pub fn latency_of(&self, level: u16) -> u16 {
        let last = self.latency.last().copied().unwrap_or(1);
        self.latency.get(usize::from(level)).copied().unwrap_or(last)
    }

    /// What cannot be simulated.
    pub fn check(&self) -> Result<(), SimError> {
        let range = |what, value: u16, low: u16, high: u16| {
            let good = (low..=high).contains(&value);
            if good { Ok(()) } else { Err(SimError::Range { what, value, low, high }) }
        };
        range("virtual channels", self.vcs, 1, MAX_VCS)?;
        range("the buffer", self.buffer, 1, MAX_BUFFER)?;
        range("the routing delay", self.routing_delay, 0, MAX_DELAY)?;
        range("the delay of virtual channels", self.vc_delay, 1, MAX_DELAY)?;
        range("the delay of the switch", self.switch_delay, 1, MAX_DELAY)?;
        range("the delay of crossing", self.st_delay, 0, MAX_DELAY)?;
        range("the credit delay", self.credit_delay, 0, MAX_DELAY)?;
        range("the input speedup", self.input_speedup, 1, self.vcs)?;
        range("the rounds of the allocators", self.iterations, 1, MAX_VCS)?;
        for &latency in &self.latency {
            range("the latency of a link", latency, 1, MAX_DELAY)?;
        }
        let classes = self.message_classes();
        if self.classes.len() > usize::from(MAX_CLASSES) {
            return Err(SimError::TooManyClasses { classes: self.classes.len() });
        }
        if !self.vcs.is_multiple_of(classes) {
            return Err(SimError::UnevenClasses { vcs: self.vcs, classes });
        }
        for class in &self.classes {
            if !(class.share.is_finite() && class.share > 0.0) {
                return Err(SimError::Share { share: class.share });
            }
            range("the size of a packet", class.size.unwrap_or(1), 1, MAX_BUFFER)?;
        }
        let is_closed_loop =
            !self.replies.is_empty() || self.outstanding.is_some() || self.ecn.is_some();
        if !self.classes.is_empty() && is_closed_loop {
            return Err(SimError::ClassesOfClosedLoop);
        }
        if self.priority == Priority::Class && self.classes.is_empty() {
            return Err(SimError::NoClasses);
        }
        if self.outstanding == Some(0) {
            return Err(SimError::NoneOutstanding);
        }
        if self.reply_queue == Some(0) {
            return Err(SimError::NoReplyQueue);
        }
        for &(size, weight) in self.packets.iter().chain(&self.replies) {
            range("the size of a packet", size, 1, MAX_BUFFER)?;
            if !(weight.is_finite() && weight > 0.0) {
                return Err(SimError::Weight { size });
            }
        }
        if self.shared_buffer {
            if self.switching == Switching::CutThrough {
                return Err(SimError::SharedCutThrough);
            }
            range("the buffers of a port", self.vcs.saturating_mul(self.buffer), 1, MAX_BUFFER)?;
        }
        if !(0.0..1.0).contains(&self.link_errors) {
            return Err(SimError::LinkErrors { rate: self.link_errors });
        }
        if let Some((what, value)) = self.energy_model.wrong() {
            return Err(SimError::Energy { what, value });
        }
        if self.packets.is_empty() {
            return Err(SimError::NoPackets);
        }
        if let Injection::OnOff { burst } = self.injection
            && !(burst.is_finite() && burst >= 1.0)
        {
            return Err(SimError::Burst);
        }
        if self.switching == Switching::CutThrough {
            let (packet, buffer) = (self.longest_packet(), self.buffer);
            if packet > buffer {
                return Err(SimError::CutThrough { packet, buffer });
            }
        }
        Ok(())
    }
}

/// The mean of some sizes that come as often as said.
pub(super) fn mean_size(sizes: &[(u16, f64)]) -> f64 {
    let weights: f64 = sizes.iter().map(|&(_, weight)| weight).sum();
    let flits: f64 = sizes.iter().map(|&(size, weight)| f64::from(size) * weight).sum();
    flits / weights
}

impl fmt::Display for Allocator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Allocator::Islip => "islip",
            Allocator::SeparableOutputFirst => "separable_output_first",
            Allocator::Wavefront => "wavefront",
            Allocator::SeparableInputFirst => "separable_input_first",
        })
    }
}

/// Why a network is not simulated.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum SimError {
    /// What was kept of a run cannot go on.
    #[error(transparent)]
    Damaged(#[from] Damaged),
    /// A parameter out of its range.
    #[error("{what}: {value} is not from {low} to {high}")]
    Range {
        /// Which.
        what: &'static str,
        /// What was asked for.
        value: u16,
        /// The least.
        low: u16,
        /// The most.
        high: u16,
    },
    /// A packet that is never made.
    #[error("packets of {size} flits have no positive weight")]
    Weight {
        /// Its size.
        size: u16,
    },
    /// No size was given.
    #[error("packets have no size")]
    NoPackets,
    /// A burst shorter than a cycle.
    #[error("a burst takes at least one cycle")]
    Burst,
    /// A packet that might never find room.
    #[error(
        "cut-through needs room for a whole packet, and of a shared buffer only one flit is kept for it"
    )]
    SharedCutThrough,
    /// Packets that wait for a pool do not ask for the escape.
    #[error(
        "shared buffers are not for a router with an escape, whose packets could wait for the pool"
    )]
    SharedEscape,
    /// A flit that would never arrive.
    #[error("a flit is corrupted with a probability from 0 to 1, without 1, not {rate}")]
    LinkErrors {
        /// What was asked for.
        rate: f64,
    },
    /// A model of energy with a number that is none.
    #[error("{what} is {value}, and not a number from 0 on")]
    Energy {
        /// Which.
        what: &'static str,
        /// What was given.
        value: f64,
    },
    /// A load that cannot be offered.
    #[error("a load of {load} flits a cycle is not from 0 to 1")]
    Load {
        /// What was asked for.
        load: f64,
    },
    /// A packet that does not fit.
    #[error("cut-through needs room for a whole packet: {packet} flits and a buffer of {buffer}")]
    CutThrough {
        /// The largest packet.
        packet: u16,
        /// What a queue holds.
        buffer: u16,
    },
    /// The router asks for more than there are.
    #[error("the router uses {needed} virtual channels, more than {vcs}")]
    TooFewVcs {
        /// What it uses.
        needed: u16,
        /// What a link has.
        vcs: u16,
    },
    /// Message classes on a number of channels that they do not divide.
    #[error(
        "{classes} message classes have as many virtual channels each, and {vcs} is no multiple of {classes}"
    )]
    UnevenClasses {
        /// What a link has.
        vcs: u16,
        /// Requests and replies, or those of [`Config::classes`].
        classes: u16,
    },
    /// Too many message classes.
    #[error("{classes} message classes are more than {MAX_CLASSES}")]
    TooManyClasses {
        /// What was asked for.
        classes: usize,
    },
    /// A message class without a part of the load.
    #[error("a message class has a share above 0 of the load, not {share}")]
    Share {
        /// What was asked for.
        share: f64,
    },
    /// What is answered or counted on the way belongs to a class already.
    #[error("message classes are for hosts that send without replies, `outstanding=` and `ecn=`")]
    ClassesOfClosedLoop,
    /// Messages of programs have no class.
    #[error("a program has one message class: `goal=` takes no `classes=`")]
    ClassesOfProgram,
    /// A priority of nothing.
    #[error("priority by class needs message classes (`classes=`)")]
    NoClasses,
    /// A host that could never answer.
    #[error("the queue of replies has room for one at least")]
    NoReplyQueue,
    /// A host that could never send.
    #[error("a host may have one packet on the way at least")]
    NoneOutstanding,
    /// A program says itself what is sent.
    #[error("a program has no replies of the simulator: its own messages are all that is sent")]
    RepliesInProgram,
    /// A router that does not fit into the masks.
    #[error("node {node} has {queues} queues, more than {MAX_QUEUES}")]
    TooManyQueues {
        /// Which.
        node: Node,
        /// One for each port and virtual channel.
        queues: usize,
    },
    /// Node numbers are kept in 32 bits.
    #[error("{order} nodes are too many to simulate")]
    TooManyNodes {
        /// How many there are.
        order: u64,
    },
    /// Nobody sends.
    #[error("there are no hosts that could send")]
    NoHosts,
    /// The router breaks its contract, or there is no path.
    #[error("the route from node {at} to node {to} does not go on")]
    Unroutable {
        /// Where the packet is.
        at: Node,
        /// Where it goes.
        to: Node,
    },
    /// A program for more than there are.
    #[error("{ranks} ranks are more than {hosts} hosts")]
    TooManyRanks {
        /// What the program has.
        ranks: u64,
        /// What the network has.
        hosts: u64,
    },
    /// A device has no model of it.
    #[error("not on a GPU: {what}")]
    NotOnDevice {
        /// The option, or what else is not done there.
        what: &'static str,
    },
    /// A device failed.
    #[error("{why}")]
    Device {
        /// What it says.
        why: String,
    },
    /// More memory or time than there is.
    #[error(transparent)]
    Budget(#[from] OverBudget),
    /// Stopped before there was anything to say.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}

kinds!(SimError {
    Unsupported: TooManyQueues, TooManyNodes, NoHosts, Unroutable;
    Invalid: Damaged, Range, Weight, NoPackets, Burst, SharedCutThrough, SharedEscape,
        LinkErrors, Energy, Load, CutThrough, TooFewVcs, UnevenClasses, TooManyClasses, Share,
        ClassesOfClosedLoop, ClassesOfProgram, NoClasses, NoReplyQueue, NoneOutstanding,
        RepliesInProgram, TooManyRanks, NotOnDevice, Device;
    inner: Budget, Interrupted;
});

/// Which cycles are measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Window {
    /// Cycles before.
    pub warmup: u64,
    /// Cycles measured.
    pub cycles: u64,
}

persist!(Window { warmup, cycles });

impl Window {
    /// What is measured if nothing is said.
    pub const USUAL: Self = Window { warmup: 3000, cycles: 6000 };

    /// The cycle behind the last that is measured.
    pub fn end(self) -> u64 {
        self.warmup.saturating_add(self.cycles)
    }
}

impl Default for Window {
    fn default() -> Self {
        Window::USUAL
    }
}

/// How precise a mean is to be; warm-up and window are found for it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Precision {
    /// Half of the 95 % interval of the mean latency, as a fraction of the mean.
    pub target: f64,
    /// Cycles before the window; found where they are left open.
    pub warmup: Option<u64>,
    /// The shortest window.
    pub cycles: u64,
    /// The window ends before this cycle, precise or not.
    pub max_cycles: u64,
}

impl Precision {
    /// What is measured if nothing is said.
    pub const USUAL: Self =
        Precision { target: 0.05, warmup: None, cycles: 1024, max_cycles: 50_000 };

    /// Where a precision is asked for: as many cycles as it takes, within reason.
    pub const ASKED: Self = Precision { max_cycles: 2_000_000, ..Precision::USUAL };
}

/// How long is simulated, and what of it is measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RunLength {
    /// These cycles.
    Fixed(Window),
    /// Until the mean is known so precisely, or saturation is certain.
    Found(Precision),
}

impl RunLength {
    /// What is measured if nothing is said.
    pub const USUAL: Self = RunLength::Found(Precision::USUAL);

    /// Where traffic repeats after so many cycles: a window that is found is a whole number of times as long.
    pub fn whole(self, period: u64) -> Self {
        match self {
            RunLength::Found(precision) => {
                let cycles = precision.cycles.div_ceil(period.max(1)).saturating_mul(period);
                RunLength::Found(Precision { cycles, ..precision })
            }
            fixed @ RunLength::Fixed(_) => fixed,
        }
    }

    /// The cycles that are measured at least.
    pub(super) fn shortest(self) -> Window {
        match self {
            RunLength::Fixed(window) => window,
            RunLength::Found(precision) => {
                Window { warmup: precision.warmup.unwrap_or(0), cycles: precision.cycles }
            }
        }
    }

    /// The cycles that are measured where they cannot be found, as where links fail on the way.
    pub fn fixed(self) -> Window {
        match self {
            RunLength::Fixed(window) => window,
            RunLength::Found(precision) => Window {
                warmup: precision.warmup.unwrap_or(Window::USUAL.warmup),
                cycles: Window::USUAL.cycles.max(precision.cycles),
            },
        }
    }
}

impl From<Window> for RunLength {
    fn from(window: Window) -> Self {
        RunLength::Fixed(window)
    }
}

impl From<Precision> for RunLength {
    fn from(precision: Precision) -> Self {
        RunLength::Found(precision)
    }
}

/// What becomes of messages that a pattern would send to their own source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Own {
    /// They are sent, and come back by the router of the host: a uniform host chooses among all, one that a
    /// permutation leaves in its place sends to itself, the host of a hotspot has its share too, and a matrix has rates
    /// from a host to itself. So simulators usually have it.
    Sent,
    /// There are none, as where loads are computed: a uniform host chooses among the others, and one that a permutation
    /// leaves in its place is silent.
    LeftOut,
}

/// All settings of a simulation, except what is sent and by which router.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Routers and links; its virtual channels are the fewest where `vcs` is left open.
    pub config: Config,
    /// Virtual channels of a link, where they are not left open.
    pub vcs: Option<u16>,
    /// Whether packets take any shortest hop by credits, with the router as their escape.
    pub adaptive: bool,
    /// What becomes of messages to oneself.
    pub own: Own,
    /// Cycles before what is measured, where they are not left open.
    pub warmup: Option<u64>,
    /// Cycles measured, where they are not left open.
    pub cycles: Option<u64>,
    /// Half of the 95 % interval of the mean latency that is wanted, as a fraction of it.
    pub precision: Option<f64>,
    /// Where the search for a window ends.
    pub max_cycles: Option<u64>,
    /// The random seed.
    pub seed: u64,
    /// Bytes of a flit, for messages that are given in bytes.
    pub flit: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            config: Config::default(),
            vcs: None,
            adaptive: false,
            own: Own::Sent,
            warmup: None,
            cycles: None,
            precision: None,
            max_cycles: None,
            seed: 1,
            flit: 16,
        }
    }
}

impl Settings {
    /// Links fail at random before this cycle: the one behind the last that is measured where links fail.
    pub fn failures_before(&self) -> u64 {
        self.run_length().fixed().end()
    }

    /// A fixed window where warm-up or cycles are given and no precision is; else one that is found.
    pub fn run_length(&self) -> RunLength {
        let given = self.warmup.is_some() || self.cycles.is_some();
        let usual = match self.precision {
            None if given => {
                return RunLength::Fixed(Window {
                    warmup: self.warmup.unwrap_or(Window::USUAL.warmup),
                    cycles: self.cycles.unwrap_or(Window::USUAL.cycles),
                });
            }
            None => Precision::USUAL,
            Some(target) => Precision { target, ..Precision::ASKED },
        };
        RunLength::Found(Precision {
            warmup: self.warmup,
            cycles: self.cycles.unwrap_or(usual.cycles),
            max_cycles: self.max_cycles.unwrap_or(usual.max_cycles),
            ..usual
        })
    }
}

/// A delay of a stage, in cycles.
const fn delay(
    key: &'static str,
    title: &'static str,
    about: &'static str,
    low: u64,
    set: fn(&mut Settings, u64),
) -> Setting<Settings> {
    let kind = Kind::Count { low, high: MAX_DELAY as u64, set };
    let usual = Usual::Value("1");
    Setting { key, title, about, unit: "CYCLES", usual, kind }
}

/// A count within its row's range, which is that of its type.
fn narrow(count: u64) -> u16 {
    u16::try_from(count).unwrap_or(u16::MAX)
}

/// Numbers, alone or with what they are for.
const fn text(set: fn(&mut Settings, &str) -> Result<(), String>) -> Kind<Settings> {
    let python = "float | str | Sequence[float] | Mapping[float, float]";
    Kind::Text { allowed: "", python, set }
}

/// The table.
pub static OPTIONS: [Setting<Settings>; 40] = [
    Setting {
        key: "without_self",
        title: "messages to oneself",
        about: "Omit messages to oneself, as `nestnet throughput` does; else uniform, permutations, hotspot and matrix \
                have them",
        unit: "",
        usual: Usual::Value("false"),
        kind: Kind::Flag(|to, yes| to.own = if yes { Own::LeftOut } else { Own::Sent }),
    },
    Setting {
        key: "adaptive",
        title: "adaptive routing",
        about: "Take the shortest hop with the most credits, and the router as the escape: `adaptive(ROUTER)`",
        unit: "",
        usual: Usual::Value("false"),
        kind: Kind::Flag(|to, yes| to.adaptive = yes),
    },
    Setting {
        key: "packet",
        title: "packet length",
        about: "Flits of a packet, or sizes and how often each is, such as 1:3,5:1",
        unit: "FLITS",
        usual: Usual::Value("1"),
        kind: text(|to, text| packets(text).map(|packets| to.config.packets = packets)),
    },
    Setting {
        key: "classes",
        title: "message classes",
        about: "Shares of the load of message classes, such as 0.2:1,0.8:8: a fifth in packets of 1 flit, the rest in packets of 8 (as `packet=` where no size is given); each has its own queue at hosts and as many virtual channels",
        unit: "SHARE[:FLITS],…",
        usual: Usual::Nothing,
        kind: text(|to, text| classes(text).map(|classes| to.config.classes = classes)),
    },
    Setting {
        key: "replies",
        title: "replies",
        about: "Every packet that arrives is a request, which its host answers with a packet of so many flits; sizes as in `packet=`",
        unit: "FLITS",
        usual: Usual::Nothing,
        kind: text(|to, text| packets(text).map(|sizes| to.config.replies = sizes)),
    },
    Setting {
        key: "reply_channels",
        title: "the virtual channels of replies",
        about: "Whether replies have half of the virtual channels for themselves",
        unit: "",
        usual: Usual::Value("separate"),
        kind: Kind::Names(&[
            Choice {
                name: "separate",
                about: "A message class of their own",
                set: |to| to.config.reply_channels = ReplyChannels::Separate,
            },
            Choice {
                name: "shared",
                about: "Those of requests: with `reply_queue=` packets may deadlock",
                set: |to| to.config.reply_channels = ReplyChannels::Shared,
            },
        ]),
    },
    Setting {
        key: "reply_queue",
        title: "the queue of replies",
        about: "Replies that may wait at a host; one that has as many takes no request",
        unit: "PACKETS",
        usual: Usual::Said("unlimited"),
        kind: Kind::Count {
            low: 1,
            high: 1 << 20,
            set: |to, replies| to.config.reply_queue = u32::try_from(replies).ok(),
        },
    },
    Setting {
        key: "vcs",
        title: "virtual channels",
        about: "Virtual channels of a link, shared evenly among those of the router",
        unit: "N",
        usual: Usual::Said("4, or as many as the router has"),
        kind: Kind::Count {
            low: 1,
            high: MAX_VCS as u64,
            set: |to, vcs| to.vcs = Some(narrow(vcs)),
        },
    },
    Setting {
        key: "buffer",
        title: "the buffer",
        about: "Flits that the queue of a virtual channel holds",
        unit: "FLITS",
        usual: Usual::Value("8"),
        kind: Kind::Count {
            low: 1,
            high: MAX_BUFFER as u64,
            set: |to, flits| to.config.buffer = narrow(flits),
        },
    },
    Setting {
        key: "shared_buffer",
        title: "shared buffers",
        about: "The virtual channels of a port share their buffers, but for a flit that is kept for each",
        unit: "",
        usual: Usual::Value("false"),
        kind: Kind::Flag(|to, yes| to.config.shared_buffer = yes),
    },
    delay(
        "routing_delay",
        "the routing delay",
        "Cycles to compute a route; 0 is one router ahead",
        0,
        |to, cycles| to.config.routing_delay = narrow(cycles),
    ),
    delay(
        "vc_delay",
        "the delay of virtual channels",
        "Cycles to allocate a virtual channel",
        1,
        |to, cycles| to.config.vc_delay = narrow(cycles),
    ),
    delay(
        "switch_delay",
        "the delay of the switch",
        "Cycles to allocate the switch",
        1,
        |to, cycles| to.config.switch_delay = narrow(cycles),
    ),
    delay("st_delay", "the delay of crossing", "Cycles to cross the switch", 0, |to, cycles| {
        to.config.st_delay = narrow(cycles);
    }),
    delay(
        "credit_delay",
        "the credit delay",
        "Cycles until a credit can be used",
        0,
        |to, cycles| to.config.credit_delay = narrow(cycles),
    ),
    Setting {
        key: "input_speedup",
        title: "the input speedup",
        about: "Flits of one port that may cross in one cycle",
        unit: "N",
        usual: Usual::Value("1"),
        kind: Kind::Count {
            low: 1,
            high: MAX_VCS as u64,
            set: |to, flits| to.config.input_speedup = narrow(flits),
        },
    },
    Setting {
        key: "lookahead",
        title: "lookahead routing",
        about: "Compute routes one router ahead: no cycle of `routing_delay=` at any router",
        unit: "",
        usual: Usual::Value("false"),
        kind: Kind::Flag(|to, yes| to.config.lookahead = yes),
    },
    Setting {
        key: "speculative",
        title: "speculation",
        about: "Heads ask for the switch in the cycle in which they ask for a virtual channel, in an allocator of their \
                own; others go first. BookSim2: spec_sw_allocator = islip, not its default prio",
        unit: "",
        usual: Usual::Value("false"),
        kind: Kind::Flag(|to, yes| to.config.speculative = yes),
    },
    Setting {
        key: "vc_allocator",
        title: "the allocator of virtual channels",
        about: "Who gets a virtual channel",
        unit: "",
        usual: Usual::Value("islip"),
        kind: Kind::Names(&[
            Choice {
                name: "islip",
                about: "Outputs offer, inputs accept, in `iterations=` rounds",
                set: |to| to.config.vc_allocator = Allocator::Islip,
            },
            Choice {
                name: "separable_input_first",
                about: "Inputs ask, outputs choose",
                set: |to| to.config.vc_allocator = Allocator::SeparableInputFirst,
            },
            Choice {
                name: "separable_output_first",
                about: "Outputs offer, inputs accept, in one round",
                set: |to| to.config.vc_allocator = Allocator::SeparableOutputFirst,
            },
            Choice {
                name: "wavefront",
                about: "Diagonals of the requests in turn: a maximal matching",
                set: |to| to.config.vc_allocator = Allocator::Wavefront,
            },
        ]),
    },
    Setting {
        key: "switch_allocator",
        title: "the allocator of the switch",
        about: "Who gets the switch",
        unit: "",
        usual: Usual::Value("islip"),
        kind: Kind::Names(&[
            Choice {
                name: "islip",
                about: "Outputs offer, inputs accept, in `iterations=` rounds",
                set: |to| to.config.switch_allocator = Allocator::Islip,
            },
            Choice {
                name: "separable_input_first",
                about: "Inputs ask, outputs choose",
                set: |to| to.config.switch_allocator = Allocator::SeparableInputFirst,
            },
            Choice {
                name: "separable_output_first",
                about: "Outputs offer, inputs accept, in one round",
                set: |to| to.config.switch_allocator = Allocator::SeparableOutputFirst,
            },
            Choice {
                name: "wavefront",
                about: "Diagonals of the requests in turn: a maximal matching",
                set: |to| to.config.switch_allocator = Allocator::Wavefront,
            },
        ]),
    },
    Setting {
        key: "iterations",
        title: "the rounds of the allocators",
        about: "Rounds of islip in one cycle",
        unit: "N",
        usual: Usual::Value("1"),
        kind: Kind::Count {
            low: 1,
            high: MAX_VCS as u64,
            set: |to, rounds| to.config.iterations = narrow(rounds),
        },
    },
    Setting {
        key: "priority",
        title: "the priority",
        about: "Who gets a virtual channel or the switch where several ask, with islip too; not for wavefront. In \
                BookSim2 wavefront obeys a priority, and islip only among the queues of an input",
        unit: "",
        usual: Usual::Value("round_robin"),
        kind: Kind::Names(&[
            Choice {
                name: "round_robin",
                about: "The next in turn",
                set: |to| to.config.priority = Priority::RoundRobin,
            },
            Choice {
                name: "age",
                about: "The packet that was made first",
                set: |to| to.config.priority = Priority::Age,
            },
            Choice {
                name: "class",
                about: "The first of `classes=`, at hosts too; in a class the next in turn",
                set: |to| to.config.priority = Priority::Class,
            },
        ]),
    },
    Setting {
        key: "switching",
        title: "switching",
        about: "When a packet goes on: as soon as a flit can, or when the next queue has room for all",
        unit: "",
        usual: Usual::Value("wormhole"),
        kind: Kind::Names(&[
            Choice {
                name: "wormhole",
                about: "As soon as a flit can",
                set: |to| to.config.switching = Switching::Wormhole,
            },
            Choice {
                name: "cut-through",
                about: "When there is room for all of it",
                set: |to| to.config.switching = Switching::CutThrough,
            },
        ]),
    },
    Setting {
        key: "burst",
        title: "the burst",
        about: "Packets come in bursts of so many cycles on average",
        unit: "CYCLES",
        usual: Usual::Nothing,
        kind: Kind::Number {
            low: 1.0,
            set: |to, burst| to.config.injection = Injection::OnOff { burst },
        },
    },
    Setting {
        key: "outstanding",
        title: "the packets on the way",
        about: "Injection throttling: packets of a host that may be on the way at once, with `replies=` not answered",
        unit: "PACKETS",
        usual: Usual::Said("unlimited"),
        kind: Kind::Count {
            low: 1,
            high: 1 << 20,
            set: |to, packets| to.config.outstanding = u32::try_from(packets).ok(),
        },
    },
    Setting {
        key: "ecn",
        title: "the threshold of marks",
        about: "Congestion control: a packet that goes to an output with a queue of more flits is marked, and its \
                host has half as many on the way, and recovers additively",
        unit: "FLITS",
        usual: Usual::Said("none"),
        kind: Kind::Count {
            low: 1,
            high: 1 << 20,
            set: |to, flits| to.config.ecn = u32::try_from(flits).ok(),
        },
    },
    Setting {
        key: "latency",
        title: "the latency of a link",
        about: "Cycles on a link, for all or by level, such as 0=1,1=2,2=10",
        unit: "CYCLES",
        usual: Usual::Said("1, or what the file of the network says"),
        kind: text(|to, text| latencies(text).map(|latency| to.config.latency = latency)),
    },
    Setting {
        key: "warmup",
        title: "the warm-up",
        about: "Cycles before what is measured",
        unit: "CYCLES",
        usual: Usual::Said("found; 3000 where `cycles=` is given"),
        kind: Kind::Count { low: 0, high: 1 << 40, set: |to, cycles| to.warmup = Some(cycles) },
    },
    Setting {
        key: "cycles",
        title: "the measured cycles",
        about: "Cycles that are measured; with `precision=` at least",
        unit: "CYCLES",
        usual: Usual::Said("found; 6000 where `warmup=` is given"),
        kind: Kind::Count { low: 1, high: 1 << 40, set: |to, cycles| to.cycles = Some(cycles) },
    },
    Setting {
        key: "precision",
        title: "the precision",
        about: "Measure until the 95 % interval of the mean latency is so narrow, such as 2% or 0.02, or the network \
                is saturated for certain",
        unit: "FRACTION",
        usual: Usual::Said("5%, unless `warmup=` or `cycles=` is given"),
        kind: Kind::Fraction(|to, target| to.precision = Some(target)),
    },
    Setting {
        key: "max_cycles",
        title: "the most cycles",
        about: "Measure no further than to this cycle, precise or not",
        unit: "CYCLES",
        usual: Usual::Said("2000000 with `precision=`, 50000 without"),
        kind: Kind::Count { low: 1, high: 1 << 40, set: |to, cycles| to.max_cycles = Some(cycles) },
    },
    Setting {
        key: "percentiles",
        title: "the percentiles",
        about: "Percentiles of the latency to report besides the median and the 99th, such as 95,99.9",
        unit: "PERCENT",
        usual: Usual::Nothing,
        kind: text(|to, text| percentiles(text).map(|list| to.config.percentiles = list)),
    },
    Setting {
        key: "seed",
        title: "the random seed",
        about: "Random seed",
        unit: "SEED",
        usual: Usual::Value("1"),
        kind: Kind::Count { low: 0, high: u64::MAX, set: |to, seed| to.seed = seed },
    },
    Setting {
        key: "flit",
        title: "the size of a flit",
        about: "Bytes of a flit, for the messages of a program, which are in bytes",
        unit: "BYTES",
        usual: Usual::Value("16"),
        kind: Kind::Count {
            low: 1,
            high: 1 << 20,
            set: |to, bytes| {
                to.flit = bytes;
                to.config.energy_model.bits = 8.0 * bytes as f64;
            },
        },
    },
    Setting {
        key: "link_errors",
        title: "errors of links",
        about: "A flit is corrupted on a link between routers with this probability, and sent again after a round \
                trip of the link",
        unit: "FRACTION",
        usual: Usual::Said("none"),
        kind: Kind::Fraction(|to, rate| to.config.link_errors = rate),
    },
    Setting {
        key: "energy",
        title: "the energy",
        about: "Report the energy of a flit and the power of the network by a model of a chip; so also where one of \
                the next four is given",
        unit: "",
        usual: Usual::Value("false"),
        kind: Kind::Flag(|to, yes| to.config.energy = yes),
    },
    Setting {
        key: "router_energy",
        title: "the energy of a router",
        about: "Picojoules to write a bit into a queue, to read it, and to move it through the switch",
        unit: "WRITE,READ,SWITCH",
        usual: Usual::Said("0.03,0.03,0.04"),
        kind: Kind::Numbers {
            example: "0.03,0.03,0.04",
            set: |to, numbers| {
                if let [write, read, switch] = *numbers {
                    to.config.energy = true;
                    let plain = std::mem::take(&mut to.config.energy_model);
                    to.config.energy_model = EnergyModel { write, read, switch, ..plain };
                }
            },
        },
    },
    Setting {
        key: "wire_energy",
        title: "the energy of a wire",
        about: "Picojoules to move a bit a millimeter",
        unit: "PJ",
        usual: Usual::Said("0.1"),
        kind: Kind::Number {
            low: 0.0,
            set: |to, energy| {
                to.config.energy = true;
                to.config.energy_model.wire = energy;
            },
        },
    },
    Setting {
        key: "link_length",
        title: "the length of a link",
        about: "Millimeters of a link, for all or by level, such as 0=1,1=2.5",
        unit: "MM",
        usual: Usual::Said("1"),
        kind: text(|to, text| {
            to.config.energy_model.lengths = lengths(text)?;
            to.config.energy = true;
            Ok(())
        }),
    },
    Setting {
        key: "clock",
        title: "the clock",
        about: "Gigahertz, for the power",
        unit: "GHZ",
        usual: Usual::Said("1"),
        kind: Kind::Number {
            low: 0.0,
            set: |to, clock| {
                to.config.energy = true;
                to.config.energy_model.clock = clock;
            },
        },
    },
];

/// Percentiles with commas.
fn percentiles(text: &str) -> Result<Vec<f64>, String> {
    let one = |part: &str| {
        let percent = part.trim().trim_end_matches('%').trim_end().parse::<f64>().ok();
        let percent = percent.filter(|percent| *percent > 0.0 && *percent <= 100.0);
        percent.ok_or_else(|| "expected percentiles such as 50,99,99.9".to_owned())
    };
    text.split(',').map(one).collect()
}

/// Sizes of packets with their weights.
fn packets(text: &str) -> Result<Vec<(u16, f64)>, String> {
    let one = |part: &str| {
        let (size, weight) = part.split_once(':').unwrap_or((part, "1"));
        let size = counts::<u16>(1..=MAX_BUFFER.into())(size)?;
        let weight: Option<f64> = weight.trim().parse().ok();
        let weight = weight.filter(|weight: &f64| weight.is_finite() && *weight > 0.0);
        Ok((size, weight.ok_or("expected sizes and weights such as 1:3,5:1")?))
    };
    text.split(',').map(one).collect()
}

/// Shares of message classes with their sizes.
fn classes(text: &str) -> Result<Vec<MessageClass>, String> {
    let one = |part: &str| {
        let (share, size) = part.split_once(':').map_or((part, None), |(a, b)| (a, Some(b)));
        let share: Option<f64> = share.trim().parse().ok();
        let share = share.filter(|share: &f64| share.is_finite() && *share > 0.0);
        let size = size.map(counts::<u16>(1..=MAX_BUFFER.into())).transpose()?;
        let share = share.ok_or("expected shares and sizes such as 0.2:1,0.8:8")?;
        Ok(MessageClass { share, size })
    };
    text.split(',').map(one).collect()
}

/// Cycles on links: of all levels, of each level in turn, or of those that are named.
fn latencies(text: &str) -> Result<Vec<u16>, String> {
    let count = counts::<u16>(1..=MAX_DELAY.into());
    if !text.contains(['=', ':'])
        && let Ok(one) = count(text)
    {
        return Ok(vec![one]);
    }
    levels(text, 1, count)
}

/// Millimeters of links, in the same way.
fn lengths(text: &str) -> Result<Vec<f64>, String> {
    levels(text, 1.0, |text| {
        let length = text.trim().parse::<f64>().ok();
        let length = length.filter(|length| length.is_finite() && *length >= 0.0);
        length.ok_or_else(|| "expected millimeters such as 1 or 0=1,1=2.5".to_owned())
    })
}

/// A value of each level: of all, of each in turn, or of those that are named.
fn levels<T: Copy>(
    text: &str,
    usual: T,
    one: impl Fn(&str) -> Result<T, String>,
) -> Result<Vec<T>, String> {
    if !text.contains(['=', ':']) {
        return text.split(',').map(one).collect();
    }
    let mut given: Vec<(u16, T)> = Vec::new();
    for part in text.split(',') {
        let (level, value) =
            part.split_once(['=', ':']).ok_or("expected levels and values such as 0=1,1=2")?;
        given.push((counts::<u16>(0..=255)(level)?, one(value)?));
    }
    given.sort_by_key(|&(level, _)| level);
    // A level that is not named is as the one below it.
    let mut all = vec![usual; given.last().map_or(0, |&(level, _)| usize::from(level) + 1)];
    for (level, value) in given {
        all[usize::from(level)..].fill(value);
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nestnet_graph::options::{apply, faulty};

    #[test]
    fn mixes_and_levels_are_read() {
        assert_eq!(packets("4").unwrap(), [(4, 1.0)]);
        assert_eq!(packets("1:3,5:0.5").unwrap(), [(1, 3.0), (5, 0.5)]);
        assert!(packets("0").is_err() && packets("1:-1").is_err() && packets("").is_err());
        assert_eq!(percentiles("50, 99.9%").unwrap(), [50.0, 99.9]);
        assert!(["0", "101", "", "50,", "x"].iter().all(|text| percentiles(text).is_err()));
        assert_eq!(latencies("3").unwrap(), [3]);
        assert_eq!(latencies("1,000").unwrap(), [1000]);
        assert_eq!(latencies("1, 100").unwrap(), [1, 100]);
        assert_eq!(latencies("0=1,2=10").unwrap(), [1, 1, 10]);
        assert_eq!(latencies("0: 1, 2: 10").unwrap(), [1, 1, 10]);
        assert_eq!(lengths("0=0.5, 2=3").unwrap(), [0.5, 0.5, 3.0]);
        assert!(["", "-1", "nan", "0=x", "1,"].iter().all(|text| lengths(text).is_err()));
        assert!(latencies("0=0").is_err() && latencies("a=1").is_err() && latencies("1=").is_err());
    }

    #[test]
    fn windows_are_fixed_where_cycles_are_given_and_found_elsewhere() {
        let length = |given: &[(&str, &str)]| {
            let mut settings = Settings::default();
            apply(&OPTIONS, &mut settings, given.iter().copied()).unwrap();
            settings.run_length()
        };
        let fixed = |warmup, cycles| RunLength::Fixed(Window { warmup, cycles });
        assert_eq!(length(&[]), RunLength::USUAL);
        assert_eq!(length(&[("warmup", "200")]), fixed(200, 6000));
        assert_eq!(length(&[("cycles", "200")]), fixed(3000, 200));
        let asked = length(&[("precision", "2%")]);
        assert_eq!(asked, length(&[("precision", "0.02")]));
        assert_eq!(asked, Precision { target: 0.02, ..Precision::ASKED }.into());
        let both = length(&[("precision", "2 %"), ("warmup", "9"), ("max_cycles", "10")]);
        let wanted = Precision { warmup: Some(9), max_cycles: 10, ..Precision::ASKED };
        assert_eq!(both, Precision { target: 0.02, ..wanted }.into());
        for wrong in ["0", "-1%", "100%", "much", "NaN", ""] {
            let refused = apply(&OPTIONS, &mut Settings::default(), [("precision", wrong)]);
            assert!(refused.unwrap_err().to_string().contains("such as 2% or 0.02"), "{wrong}");
        }
    }

    #[test]
    fn defaults_are_those_of_the_simulator_and_other_values_change_something() {
        assert_eq!(faulty(&OPTIONS, &Settings::default(), |_, other| other), [""; 0]);
    }
}
