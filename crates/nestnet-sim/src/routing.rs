//! Where does a packet go from here, and which virtual channels may it take?

use super::config::{Policy, SimError};
use super::engine::Engine;
use super::mask::{each_in_word, set};
use super::state::{Classes, PortState, Queue, Route, Stage, at_mut, packet_of};
use super::topology::HOST;
use nestnet_graph::Node;
use nestnet_routing::Header;

impl<const W: usize> Engine<'_, W> {
    /// Heads that were routed ask for a virtual channel.
    #[inline(never)]
    pub fn wake(&mut self) {
        let wakes = self.wakes.take(self.now);
        for &at in &wakes {
            self.ask(at as usize);
        }
        self.wakes.put(self.now, wakes);
    }

    /// A head that was routed asks for a virtual channel.
    #[inline(always)]
    fn ask(&mut self, index: usize) {
        let queue = at_mut(&mut self.queues, index);
        let packet = at_mut(&mut self.packets, packet_of(queue.front));
        let to = usize::try_from(packet.to.0).unwrap_or(usize::MAX);
        let row = queue.router as usize * self.targets;
        match self.routes.get(row.wrapping_add(to)) {
            Some(route) if route.known => {
                packet.hops += u32::from(route.links);
                let port = at_mut(&mut self.ports, route.port as usize);
                if join(queue, index, port, route, &self.classes) {
                    self.asking.push(route.port);
                }
            }
            _ => self.ask_router(index),
        }
    }

    /// The same by a route that nobody asked for before, or that is not kept.
    #[inline(never)]
    fn ask_router(&mut self, index: usize) {
        let queue = &self.queues[index];
        let (router, place) = (queue.router as usize, packet_of(queue.front));
        let Some(route) = self.find_route(router, place) else { return };
        let port = &mut self.ports[route.port as usize];
        if join(&mut self.queues[index], index, port, &route, &self.classes) {
            self.asking.push(route.port);
        }
    }

    /// The way that the router of the network says.
    fn find_route(&mut self, router: usize, place: usize) -> Option<Route> {
        let wires = self.wires;
        let (at, base) = (wires.node(router), wires.base(router));
        let packet = &mut self.packets[place];
        let mut header = Header { to: packet.to, state: packet.state };
        if packet.epoch != self.epoch {
            // To a router that knows more of what failed it begins here.
            packet.epoch = self.epoch;
            header = self.router.start(at, header.to, 0);
        }
        let all = self.classes.all;
        let hop = match self.config.policy {
            Policy::Adaptive => self.best_hop(router, header),
            _ => self.router.next(at, header),
        };
        let Some(hop) = hop else {
            let own = base + wires.count(router) - 1;
            let route = Route::new(own, all, false);
            if at == header.to {
                self.learn(router, header.to, route);
                return Some(route);
            }
            if self.epoch > 0 && wires.far[own].router == HOST {
                self.packets[place].lost = true;
                return Some(route);
            }
            self.broken = Some(SimError::Unroutable { at, to: header.to });
            return None;
        };
        let Some(port) = wires.local(router, hop.port) else {
            self.broken = Some(SimError::Unroutable { at, to: header.to });
            return None;
        };
        let to_host = wires.far[base + port].router == HOST;
        let class = if to_host { all } else { usize::from(hop.vc.0).min(all) };
        let route = Route::new(base + port, class, !to_host);
        if hop.header == header {
            self.learn(router, header.to, route);
        }
        let packet = &mut self.packets[place];
        packet.to = hop.header.to;
        packet.state = hop.header.state;
        packet.hops += u32::from(route.links);
        Some(route)
    }

    /// Writes a route down where routes are kept.
    fn learn(&mut self, router: usize, to: Node, route: Route) {
        if !self.routes.is_empty() {
            let to = usize::try_from(to.0).unwrap_or(usize::MAX);
            self.routes[router * self.targets + to] = route;
        }
    }

    /// Of all hops the first with the most credits in its virtual channels.
    fn best_hop(&mut self, router: usize, header: Header) -> Option<nestnet_routing::Hop> {
        let mut hops = std::mem::take(&mut self.scratch.hops);
        hops.clear();
        self.router.hops(self.wires.node(router), header, &mut hops);
        let mut best = None;
        for &hop in &hops {
            let Some(port) = self.wires.local(router, hop.port) else { continue };
            let class = self.classes.mask(usize::from(hop.vc.0).min(self.classes.all));
            let free = self.room(self.wires.base(router) + port, class);
            if best.is_none_or(|(most, _)| free > most) {
                best = Some((free, hop));
            }
        }
        self.scratch.hops = hops;
        best.map(|(_, hop)| hop)
    }

    /// Credits of some virtual channels of a port.
    pub fn room(&self, port: usize, vcs: u64) -> u64 {
        let first = port * self.vcs;
        each_in_word(vcs).map(|vc| u64::from(self.outs[first + vc].credits)).sum()
    }
}

/// A queue is one of those that ask a port; whether the port is to be listed for it.
#[inline(always)]
fn join<const W: usize>(
    queue: &mut Queue,
    index: usize,
    port: &mut PortState<W>,
    route: &Route,
    classes: &Classes,
) -> bool {
    queue.port = route.port;
    queue.may = classes.mask(route.class.into());
    queue.stage = Stage::Asking;
    set(&mut port.asks, index - port.first_queue as usize);
    // Tails of earlier cycles; those of this one are still to win the switch.
    port.free |= port.freed;
    port.freed = 0;
    let listed = port.listed;
    port.listed |= port.free != 0;
    port.listed != listed
}
