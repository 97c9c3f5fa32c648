//! The routes of a router as a device finds them: in closed form where there is one, else from a table.

use super::config::SimError;
use super::device::{DigitRoutes, NO_ROUTE, Routes};
use super::topology::{HOST, Topology};
use nestnet_graph::{Budget, Node, OverBudget, Port};
use nestnet_routing::route::{ClosedForm, Entry};
use nestnet_routing::{Header, Router};
use rayon::prelude::*;
use std::collections::HashMap;

/// Routes, and how headers are numbered in them.
#[derive(Debug)]
pub(super) struct DeviceRoutes {
    pub routes: Routes,
    pub headers: Headers,
}

/// The number by which a device knows the header of a packet.
#[derive(Debug)]
pub(super) enum Headers {
    /// The state.
    State,
    /// The target.
    Target,
    /// As listed, by the router where the packet is.
    Listed(HashMap<(usize, Header), u32>),
}

impl Headers {
    /// Of a packet at a router.
    pub fn number(&self, router: usize, header: Header) -> u32 {
        let low = |value: u64| u32::try_from(value & 0xFFFF_FFFF).unwrap_or(0);
        match self {
            Headers::State => low(header.state),
            Headers::Target => low(header.to.0),
            Headers::Listed(all) => all.get(&(router, header)).copied().unwrap_or(0),
        }
    }
}

/// Entries of tables of digits at most.
const MAX_DIGIT_ENTRIES: u64 = 1 << 24;

/// Bytes of a header at a router: its hop, what it is at the next router, and its target.
const BYTES_OF_HEADER: u128 = 12;

/// Starts of routes that are walked to list headers, at most.
const MAX_STARTS: u128 = 1 << 24;

/// The routes of a router, or of one that goes around what has failed, within so many bytes.
pub(super) fn routes(
    wires: &Topology,
    (router, is_around): (&dyn Router, bool),
    room: u64,
    budget: &Budget<'_>,
) -> Result<DeviceRoutes, SimError> {
    if let Some(routes) = closed(wires, router) {
        return Ok(DeviceRoutes { routes, headers: Headers::State });
    }
    if router.remembers() {
        return by_headers(wires, (router, is_around), room, budget);
    }
    let (routers, hosts) = (wires.routers(), wires.hosts.len());
    let need = 4 * routers as u128 * hosts as u128;
    if need > room.into() {
        let what = "the table of next hops on the GPU";
        return Err(OverBudget::Memory { what, need, limit: room }.into());
    }
    let all = usize::from(router.vcs());
    let mut hops = vec![NO_ROUTE; routers * hosts];
    hops.par_chunks_mut(routers.max(1)).enumerate().try_for_each(|(to, row)| {
        budget.check()?;
        let to = Node(to as u64);
        let mut entries = vec![Entry::NONE; wires.nodes];
        router.fill(to, &mut entries);
        for (at, hop) in row.iter_mut().enumerate() {
            let node = wires.node(at);
            let place = usize::try_from(node.0).unwrap_or(usize::MAX);
            let found = entries.get(place).and_then(|entry| entry.get());
            *hop = match found {
                Some((port, vc)) => hop_of(wires, at, port, vc.0.into(), all),
                None if node == to => own(wires, at, all),
                None => NO_ROUTE,
            };
        }
        Ok::<(), SimError>(())
    })?;
    Ok(DeviceRoutes { routes: Routes::Table { hops, next: None }, headers: Headers::Target })
}

/// To the host of a router.
fn own(wires: &Topology, router: usize, all: usize) -> u32 {
    packed(wires.count(router) - 1, all)
}

/// By a port of the node, in a class of the router; to a host in all of them.
fn hop_of(wires: &Topology, router: usize, port: Port, vc: usize, all: usize) -> u32 {
    let Some(local) = wires.local(router, port) else { return NO_ROUTE };
    let to_host = wires.far[wires.base(router) + local].router == HOST;
    packed(local, if to_host { all } else { vc.min(all) })
}

fn packed(port: usize, class: usize) -> u32 {
    u32::try_from(port | (class << 16)).unwrap_or(NO_ROUTE)
}

/// The closed form, where every node is a router.
fn closed(wires: &Topology, router: &dyn Router) -> Option<Routes> {
    let mut found = None;
    if wires.has_ends() {
        return None;
    }
    router.closed_form(&mut |form| found = closed_routes(wires, form));
    found
}

fn closed_routes(wires: &Topology, form: ClosedForm<'_>) -> Option<Routes> {
    match form {
        ClosedForm::Digits(each) => {
            let (mut digits, mut entries) = (Vec::new(), 0u64);
            each(&mut |digit| {
                let size = digit.side.saturating_mul(digit.side);
                entries = entries.saturating_add(size);
                if entries > MAX_DIGIT_ENTRIES || digit.router.remembers() {
                    entries = u64::MAX;
                    return;
                }
                let hops = pairs(digit.router, digit.side, digit.first_port.0);
                digits.push(DigitRoutes { side: digit.side, stride: digit.stride, hops });
            });
            (entries <= MAX_DIGIT_ENTRIES).then_some(Routes::Digits(digits))
        }
        ClosedForm::Clusters { n, cross, width, leg } => (n.saturating_mul(n) <= MAX_DIGIT_ENTRIES)
            .then(|| {
                let legs = pairs(leg, n, 0);
                Routes::Clusters { n, cross: cross.0, width: width.into(), legs }
            }),
        ClosedForm::Rings { digits, port } => {
            let lines = digits.lines();
            let routers = wires.routers();
            let mut ports = Vec::with_capacity(2 * lines.len() * routers);
            for (dimension, is_up) in
                (0..lines.len()).flat_map(|dimension| [(dimension, true), (dimension, false)])
            {
                ports.extend((0..routers).map(|router| {
                    let port = port(wires.node(router), dimension, is_up);
                    let local = port.and_then(|port| wires.local(router, port));
                    local.and_then(|local| u32::try_from(local).ok()).unwrap_or(NO_ROUTE)
                }));
            }
            let lines = lines.iter().map(|line| (line.side, line.stride, line.is_ring)).collect();
            Some(Routes::Rings { lines, ports })
        }
    }
}

/// For every two nodes, port and from bit 16 on virtual channel.
fn pairs(router: &dyn Router, side: u64, first_port: u32) -> Vec<u32> {
    let hop = |(from, to): (u64, u64)| {
        let hop = router.next(Node(from), Header { to: Node(to), state: 0 });
        hop.map_or(NO_ROUTE, |hop| (first_port + hop.port.0) | u32::from(hop.vc.0) << 16)
    };
    (0..side).flat_map(|from| (0..side).map(move |to| (from, to))).map(hop).collect()
}

/// A table by all headers and routers that occur together. O(hosts² · choices · length of a route).
fn by_headers(
    wires: &Topology,
    (router, is_around): (&dyn Router, bool),
    room: u64,
    budget: &Budget<'_>,
) -> Result<DeviceRoutes, SimError> {
    let hosts = wires.hosts.len() as u64;
    let starts = u128::from(hosts) * u128::from(hosts) * u128::from(router.choices());
    if starts > MAX_STARTS {
        let what = "the list of headers of a router that remembers, for the GPU,";
        return Err(OverBudget::Steps { what, need: starts, limit: MAX_STARTS }.into());
    }
    let all = usize::from(router.vcs());
    let mut list = List { numbers: HashMap::new(), targets: Vec::new() };
    let (mut hops, mut next) = (Vec::new(), Vec::new());
    let mut known: Vec<bool> = Vec::new();
    for from in (0..hosts).map(Node) {
        budget.check()?;
        for (to, choice) in
            (0..hosts).flat_map(|to| (0..router.choices()).map(move |choice| (Node(to), choice)))
        {
            let host = usize::try_from(from.0).unwrap_or(0);
            let mut header = wires.first_header(router, host, (from, to, choice), is_around);
            let mut at = wires.hosts[host].1 as usize;
            // From there on all is known where the rest of the route is.
            loop {
                let number = list.number(at, header) as usize;
                let need = BYTES_OF_HEADER * list.targets.len() as u128;
                if need > room.into() {
                    let what = "the table of next hops on the GPU";
                    return Err(OverBudget::Memory { what, need, limit: room }.into());
                }
                hops.resize(list.targets.len(), NO_ROUTE);
                next.resize(list.targets.len(), 0);
                known.resize(list.targets.len(), false);
                if std::mem::replace(&mut known[number], true) {
                    break;
                }
                next[number] = u32::try_from(number).unwrap_or(u32::MAX);
                let Some(hop) = router.next(wires.node(at), header) else {
                    if wires.node(at) == header.to {
                        hops[number] = own(wires, at, all);
                    }
                    break;
                };
                hops[number] = hop_of(wires, at, hop.port, hop.vc.0.into(), all);
                let Some(local) = wires.local(at, hop.port) else { break };
                let far = wires.far[wires.base(at) + local];
                if far.router == HOST {
                    // The host asks for no hop, but for the target.
                    next[number] = list.number(at, hop.header);
                    break;
                }
                (at, header) = (far.router as usize, hop.header);
                next[number] = list.number(at, header);
            }
        }
    }
    // Headers that no router is asked about have a place of their own.
    hops.resize(list.targets.len(), NO_ROUTE);
    next.resize(list.targets.len(), 0);
    let routes = Routes::Table { hops, next: Some((next, list.targets)) };
    Ok(DeviceRoutes { routes, headers: Headers::Listed(list.numbers) })
}

/// Headers at routers by their number.
struct List {
    numbers: HashMap<(usize, Header), u32>,
    targets: Vec<u32>,
}

impl List {
    fn number(&mut self, router: usize, header: Header) -> u32 {
        let List { numbers, targets } = self;
        *numbers.entry((router, header)).or_insert_with(|| {
            targets.push(u32::try_from(header.to.0).unwrap_or(u32::MAX));
            u32::try_from(targets.len() - 1).unwrap_or(u32::MAX)
        })
    }
}
