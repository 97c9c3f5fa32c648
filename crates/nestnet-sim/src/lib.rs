//! How long do messages take under load? A network, flit by flit and cycle by cycle.
//!
//! # Model
//! Routers with queues at their inputs, virtual channels and credits. A head flit goes through four stages: its route is
//! computed, it gets a virtual channel of the next link, it wins the switch, it crosses; flits behind it only win the
//! switch and cross. Allocators are round-robin; see [`Config`] for what can be chosen.
//! With `r`, `v`, `s` and `t` cycles for the stages and links of one cycle, a packet of `n` flits that meets no other
//! takes `2 + (r + v + s + t + 1)·routers + n − 1` cycles.
//!
//! # Cycle by cycle
//! - A flit that leaves its source in cycle `c` is received in `c + 2`. One that wins the switch in `c` is received
//!   behind a link of latency `l` in `c + s + t + l`, and its credit can be used in `c + s + l +` the credit delay; at a
//!   source without the credit delay.
//! - All allocators of a router see the state after the arrivals and credits of the cycle. A virtual channel whose tail
//!   wins the switch in `c` can be given away again in `c + 1`; one that was given in `c` asks for the switch in `c + 1`.
//! - A head asks for every free virtual channel that its router allows, whether there is a credit or not (with
//!   cut-through: where the whole packet has credits). A queue asks for the switch where its virtual channel has a credit.
//! - A router that adapts offers several hops. A head asks one port a cycle, chosen anew in every cycle: of those where a
//!   virtual channel is free the one with the most credits; the escape only where no other is free. Between a minimal
//!   route and a detour (UGAL) it decides by the credits that are in use and the packets that wait, until it goes.
//! - The hosts of a network are nodes with a port of their own to inject and eject. In a network with switches a host
//!   with a single link is only an end of that link.
//!
//! # Randomness
//! Every source has a stream of its own, named by the seed and its number. So a result depends on neither threads nor
//! machine, and no queue is stored: a packet is drawn when its turn comes, with the cycle in which it was made.

mod adapting;
mod apply_failure;
mod bidding;
mod boundary;
mod channels;
mod checkpoint;
mod config;
mod congestion;
mod cycle;
mod cycles;
mod deadlock_detect;
mod device;
mod device_routes;
mod division;
mod energy;
mod engine;
mod exchange;
mod failure;
mod link_errors;
mod mask;
mod matching;
mod measure;
mod on_device;
mod parts;
mod persist;
mod pooling;
mod precision;
mod progress;
mod random;
mod reason;
mod record;
#[cfg(test)]
mod reference_model;
mod replies;
mod reply_queue;
mod retries;
mod ring_routes;
mod routing;
mod sending;
mod shared_buffer;
mod snapshot;
mod source;
mod speculation;
mod state;
mod sweep;
mod switch;
mod tally;
#[cfg(test)]
mod tests;
mod topology;
mod warmup;
mod workload;

pub use checkpoint::Checkpoint;
pub use config::{
    Allocator, Config, Injection, MAX_CLASSES, MAX_VCS, MessageClass, OPTIONS, Own, Precision,
    Priority, Record, ReplyChannels, RunLength, Settings, SimError, Switching, Window,
};
pub use deadlock_detect::Wait;
pub use device::{
    ArrivedPacket, Counts, Device, DeviceCycles, DigitRoutes, FarEnd, GivenPackets, Making, Model,
    NO_ROUTE, NO_TARGET, QueueSnapshot, Routes, Snapshot, Sources,
};
pub use energy::{ENERGIES, Energy, EnergyModel, EnergyRow};
pub use failure::{Aftermath, FailingLink, Failure, random_failures};
pub use link_errors::Retries;
pub use measure::{ClassPoint, Latency, Percentile, Point, Replied, Simulation, Status};
pub use persist::Damaged;
pub use random::Random;
pub use record::{FlowRecord, HostRecord, PacketRecord, Records};
pub use source::{Destination, destinations};
pub use sweep::{Curve, sweep};
pub use workload::{Finish, MessageRecord, Span};
