//! What is written down of packets one by one: sums of hosts, of pairs of hosts, and every packet.
//!
//! Packets and latencies are those of the packets that were made in the window. Flits are all that arrived in the window,
//! whenever their packets were made, as in [`Point::accepted`](super::Point::accepted).

use super::config::{Config, Record};
use super::persist::persist;
use super::random::whole;
use super::state::Packet;
use nestnet_graph::Node;
use serde::Serialize;
use std::collections::BTreeMap;

/// What was written down of the packets of the window, as [`Record`] asks for; empty what it does not.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Records {
    /// By host.
    pub hosts: Vec<HostRecord>,
    /// By source and target.
    pub flows: Vec<FlowRecord>,
    /// As they arrived.
    pub packets: Vec<PacketRecord>,
}

/// What one host sent and received, replies too. Latencies are 0 where there are no packets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct HostRecord {
    /// The host.
    pub host: u64,
    /// Packets of the window that it sent and that arrived.
    pub sent_packets: u64,
    /// Flits that it sent, of any packet, and that arrived in the window.
    pub sent_flits: u64,
    /// The mean latency of these packets.
    pub sent_latency: f64,
    /// The longest latency of these packets.
    pub sent_latency_max: u64,
    /// Packets of the window that it received.
    pub received_packets: u64,
    /// Flits of any packet that it received in the window.
    pub received_flits: u64,
    /// The mean latency of these packets.
    pub received_latency: f64,
    /// The longest latency of these packets.
    pub received_latency_max: u64,
}

/// What one host sent to another. Latencies and links are 0 where there are no packets.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct FlowRecord {
    /// The host that sent.
    pub from: Node,
    /// The host that received.
    pub to: Node,
    /// Packets of the window that arrived.
    pub packets: u64,
    /// Flits of any packet that arrived in the window.
    pub flits: u64,
    /// The mean latency of the packets, in cycles.
    pub latency: f64,
    /// Their smallest latency, in cycles.
    pub latency_min: u64,
    /// Their largest latency, in cycles.
    pub latency_max: u64,
    /// Links between routers that they took, on average.
    pub hops: f64,
}

/// One packet of the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct PacketRecord {
    /// The host that sent it.
    pub from: Node,
    /// The host that received it.
    pub to: Node,
    /// Whether it is a reply.
    pub reply: bool,
    /// How many flits it has.
    pub flits: u16,
    /// The cycle in which it was made.
    pub created: u64,
    /// The cycle in which its head left the source.
    pub entered: u64,
    /// The cycle in which its tail arrived.
    pub arrived: u64,
    /// Links between routers that it took.
    pub hops: u32,
}

/// Some packets.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    packets: u64,
    /// Flits that arrived in the window, up to its end or to where it was asked last.
    flits: u64,
    /// Flits that arrived with the last of their packet since the window began, and how many of them had arrived before.
    arrived: u64,
    before: u64,
    latency: u64,
    least: u64,
    most: u64,
    hops: u64,
}

impl Sums {
    fn add(&mut self, packet: &PacketRecord) {
        let latency = packet.arrived - packet.created;
        self.least = if self.packets == 0 { latency } else { self.least.min(latency) };
        self.most = self.most.max(latency);
        self.packets += 1;
        self.latency += latency;
        self.hops += u64::from(packet.hops);
    }

    fn mean(&self, sum: u64) -> f64 {
        sum as f64 / self.packets.max(1) as f64
    }
}

/// What is written down so far.
#[derive(Debug)]
pub(super) struct Recorder {
    asked: Record,
    hosts: u64,
    sent: BTreeMap<u64, Sums>,
    received: BTreeMap<u64, Sums>,
    flows: BTreeMap<(u64, u64), Sums>,
    packets: Vec<PacketRecord>,
}

/// What they are called where they are too large.
pub(super) const RECORDS: &str = "what is written down of packets";

/// Bytes of a row of a map of sums: key and value, in nodes that are half full.
const SUMS: u128 = 2 * (size_of::<(u64, u64)>() + size_of::<Sums>()) as u128;

/// Bytes that the records of a run of that load and length take, at most.
pub(super) fn bytes(config: &Config, hosts: usize, load: f64, cycles: u64) -> u128 {
    let Record { hosts: by_host, flows, packets } = config.record;
    let hosts = hosts as u128;
    // Those of a load, and as many replies.
    let kinds = if config.replies.is_empty() { 1.0 } else { 2.0 };
    let each = (load / config.mean_packet() * kinds * cycles as f64).ceil();
    let made = hosts.saturating_mul(whole(each).into());
    let of_hosts = if by_host { hosts * (2 * SUMS + size_of::<HostRecord>() as u128) } else { 0 };
    // Packets that were made before the window arrive in it too.
    let pairs = made.saturating_mul(2).min(hosts.saturating_mul(hosts));
    let of_flows = pairs.saturating_mul(SUMS + size_of::<FlowRecord>() as u128);
    // A list that grows is up to twice as long.
    let of_packets = made.saturating_mul(2 * size_of::<PacketRecord>() as u128);
    let asked = |is_asked: bool, bytes: u128| if is_asked { bytes } else { 0 };
    of_hosts.saturating_add(asked(flows, of_flows)).saturating_add(asked(packets, of_packets))
}

impl Recorder {
    /// None where nothing is asked for.
    pub fn new(asked: Record, hosts: usize) -> Option<Box<Self>> {
        let recorder = Recorder {
            asked,
            hosts: hosts as u64,
            sent: BTreeMap::new(),
            received: BTreeMap::new(),
            flows: BTreeMap::new(),
            packets: Vec::new(),
        };
        (asked != Record::default()).then(|| Box::new(recorder))
    }

    /// The sums to which the flits of a packet belong.
    fn of_flits(&mut self, packet: &Packet, mut add: impl FnMut(&mut Sums)) {
        let (from, to) = (u64::from(packet.source), packet.to.0);
        if self.asked.hosts {
            add(self.sent.entry(from).or_default());
            add(self.received.entry(to).or_default());
        }
        if self.asked.flows {
            add(self.flows.entry((from, to)).or_default());
        }
    }

    /// The window begins. These packets have flits that arrived before, and others that have not.
    pub fn begin(&mut self, partly: &[Packet]) {
        for packet in partly {
            self.of_flits(packet, |sums| sums.before += u64::from(packet.taken));
        }
    }

    /// So many flits of a packet have arrived since the window began.
    pub fn arrive(&mut self, packet: &Packet, flits: u16) {
        self.of_flits(packet, |sums| sums.arrived += u64::from(flits));
    }

    /// The window ends, or may become longer. These packets have flits that arrived, and others that have not.
    pub fn end(&mut self, partly: &[Packet]) {
        let hosts = self.sent.values_mut().chain(self.received.values_mut());
        hosts.chain(self.flows.values_mut()).for_each(|sums| sums.flits = sums.arrived);
        for packet in partly {
            self.of_flits(packet, |sums| sums.flits += u64::from(packet.taken));
        }
        let hosts = self.sent.values_mut().chain(self.received.values_mut());
        hosts.chain(self.flows.values_mut()).for_each(|sums| sums.flits -= sums.before);
    }

    /// A packet of the window has arrived.
    pub fn add(&mut self, packet: &Packet, now: u64) {
        let one = PacketRecord {
            from: Node(packet.source.into()),
            to: packet.to,
            reply: packet.is_reply,
            flits: packet.size,
            created: packet.created,
            entered: packet.entered,
            arrived: now,
            hops: packet.hops,
        };
        let (from, to) = (one.from.0, one.to.0);
        if self.asked.hosts {
            self.sent.entry(from).or_default().add(&one);
            self.received.entry(to).or_default().add(&one);
        }
        if self.asked.flows {
            self.flows.entry((from, to)).or_default().add(&one);
        }
        if self.asked.packets {
            self.packets.push(one);
        }
    }

    pub fn finish(self) -> Records {
        let host = |host: u64| {
            let of = |all: &BTreeMap<u64, Sums>| all.get(&host).copied().unwrap_or_default();
            let (sent, received) = (of(&self.sent), of(&self.received));
            HostRecord {
                host,
                sent_packets: sent.packets,
                sent_flits: sent.flits,
                sent_latency: sent.mean(sent.latency),
                sent_latency_max: sent.most,
                received_packets: received.packets,
                received_flits: received.flits,
                received_latency: received.mean(received.latency),
                received_latency_max: received.most,
            }
        };
        let flow = |(&(from, to), sums): (&(u64, u64), &Sums)| FlowRecord {
            from: Node(from),
            to: Node(to),
            packets: sums.packets,
            flits: sums.flits,
            latency: sums.mean(sums.latency),
            latency_min: sums.least,
            latency_max: sums.most,
            hops: sums.mean(sums.hops),
        };
        let hosts = if self.asked.hosts { self.hosts } else { 0 };
        Records {
            hosts: (0..hosts).map(host).collect(),
            flows: (self.flows.iter())
                .filter(|(_, sums)| sums.packets > 0 || sums.flits > 0)
                .map(flow)
                .collect(),
            packets: self.packets,
        }
    }
}

persist!(Record { hosts, flows, packets });
persist!(Sums { packets, flits, arrived, before, latency, least, most, hops });
persist!(Recorder { asked, hosts, sent, received, flows, packets });
persist!(PacketRecord { from, to, reply, flits, created, entered, arrived, hops });
persist!(FlowRecord { from, to, packets, flits, latency, latency_min, latency_max, hops });
persist!(HostRecord {
    host,
    sent_packets,
    sent_flits,
    sent_latency,
    sent_latency_max,
    received_packets,
    received_flits,
    received_latency,
    received_latency_max,
});
persist!(Records { hosts, flows, packets });
