//! What kind of router is simulated, and what is refused.

use nestnet_graph::{Interrupted, Node, OverBudget};
use std::fmt;
use thiserror::Error;

/// How requests are matched, in one round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allocator {
    /// Every output offers itself to one input that asks for it, then every input accepts one offer.
    Islip,
    /// Every input asks for one output, then every output takes one input.
    SeparableInputFirst,
}

/// When a packet may go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Switching {
    /// As soon as a flit of it can.
    Wormhole,
    /// When the next queue has room for all of it.
    CutThrough,
}

/// Which of the ways that a router offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// A choice at random at the start, and then the first hop.
    Oblivious,
    /// Of the hops at every router the one with the most credits.
    Adaptive,
    /// For a router whose choice is a node to go through: none or one at random, where queue times hops is less.
    Ugal,
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
    /// Cycles on a link of each level; those beyond are as the last.
    pub latency: Vec<u16>,
    /// Sizes of packets in flits, and how often each is relative to the others.
    pub packets: Vec<(u16, f64)>,
    /// When packets are made.
    pub injection: Injection,
    /// How packets choose among ways.
    pub policy: Policy,
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
            latency: vec![1],
            packets: vec![(1, 1.0)],
            injection: Injection::Bernoulli,
            policy: Policy::Oblivious,
        }
    }
}

/// Virtual channels of a link at most.
pub const MAX_VCS: u16 = 64;

/// Queues of a router at most.
pub const MAX_QUEUES: usize = 64 * 64;

/// Flits of a queue or a packet at most.
pub const MAX_BUFFER: u16 = 1 << 14;

/// Cycles of one stage or link at most.
pub const MAX_DELAY: u16 = 1 << 12;

impl Config {
    /// Flits of a packet, on average.
    pub fn mean_packet(&self) -> f64 {
        let weights: f64 = self.packets.iter().map(|&(_, weight)| weight).sum();
        let flits: f64 = self.packets.iter().map(|&(size, weight)| f64::from(size) * weight).sum();
        flits / weights
    }

    /// The largest packet.
    pub fn longest_packet(&self) -> u16 {
        self.packets.iter().map(|&(size, _)| size).max().unwrap_or(1)
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
        for &latency in &self.latency {
            range("the latency of a link", latency, 1, MAX_DELAY)?;
        }
        for &(size, weight) in &self.packets {
            range("the size of a packet", size, 1, MAX_BUFFER)?;
            if !(weight.is_finite() && weight > 0.0) {
                return Err(SimError::Weight { size });
            }
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

impl fmt::Display for Allocator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Allocator::Islip => "islip",
            Allocator::SeparableInputFirst => "separable_input_first",
        })
    }
}

/// Why a network is not simulated.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum SimError {
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
    /// A choice by queues needs choices.
    #[error("UGAL needs a router whose routes go through an intermediate node, such as valiant")]
    NoChoices,
    /// A program for more than there are.
    #[error("{ranks} ranks are more than {hosts} hosts")]
    TooManyRanks {
        /// What the program has.
        ranks: u64,
        /// What the network has.
        hosts: u64,
    },
    /// More memory or time than there is.
    #[error(transparent)]
    Budget(#[from] OverBudget),
    /// Stopped before there was anything to say.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}

/// Which cycles are measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Cycles before.
    pub warmup: u64,
    /// Cycles measured.
    pub cycles: u64,
}

impl Window {
    /// What is measured if nothing is said.
    pub const USUAL: Self = Window { warmup: 3000, cycles: 6000 };
}

impl Default for Window {
    fn default() -> Self {
        Window::USUAL
    }
}
