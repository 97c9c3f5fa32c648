//! Where does a packet go from here, and which virtual channels may it take?

use super::engine::Engine;
use super::mask::set;
use super::ring_routes::RingRoutes;
use super::state::{Classes, PortState, Queue, Route, Stage, at_mut, packet_of};
use super::topology::HOST;
use nestnet_graph::Node;
use nestnet_routing::Header;

impl<const W: usize> Engine<'_, W> {
    /// Heads that were routed ask for a virtual channel.
    #[inline(never)]
    pub fn wake(&mut self) {
        if self.adapts {
            return self.wake_adapting();
        }
        let wakes = self.wakes.take(self.now);
        match self.rings.take() {
            None => wakes.iter().for_each(|&at| self.ask(at as usize)),
            Some(rings) => {
                wakes.iter().for_each(|&at| self.ask_digits(&rings, at as usize));
                self.rings = Some(rings);
            }
        }
        self.wakes.put(self.now, wakes);
    }

    /// A head that was routed by the digits of its router and its target asks for a virtual channel.
    #[inline(always)]
    fn ask_digits(&mut self, rings: &RingRoutes, index: usize) {
        let queue = at_mut(&mut self.queues, index);
        let packet = at_mut(&mut self.packets, packet_of(queue.front));
        let router = queue.router as usize;
        match rings.next(router, self.wires.node(router), packet.to, packet.state) {
            Some((route, state)) => {
                packet.state = state;
                packet.hops += 1;
                let port = at_mut(&mut self.ports, route.port as usize);
                if join(queue, index, port, &route, &self.classes) {
                    self.asking.push(route.port);
                }
            }
            None => self.ask_router(index),
        }
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
        let header = self.header(router, place);
        let all = self.classes.all;
        let Some(hop) = self.router.next(at, header) else {
            return self.end(router, place, header.to);
        };
        let Some(port) = wires.local(router, hop.port) else {
            self.break_at(at, header.to);
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

    /// What a packet carries for the router.
    pub fn header(&mut self, router: usize, place: usize) -> Header {
        let packet = &mut self.packets[place];
        let header = Header { to: packet.to, state: packet.state };
        if packet.epoch == self.epoch {
            return header;
        }
        // To a router that knows more of what failed it begins here.
        packet.epoch = self.epoch;
        self.router.start(self.wires.node(router), header.to, 0)
    }

    /// Where there is no hop: to the host, where a packet has arrived or is lost.
    pub fn end(&mut self, router: usize, place: usize, to: Node) -> Option<Route> {
        let wires = self.wires;
        let own = wires.base(router) + wires.count(router) - 1;
        let route = Route::new(own, self.classes.all, false);
        if wires.node(router) == to {
            self.learn(router, to, route);
            return Some(route);
        }
        if self.epoch > 0 && wires.far[own].router == HOST {
            self.packets[place].lost = true;
            return Some(route);
        }
        self.break_at(wires.node(router), to);
        None
    }

    /// Writes a route down where routes are kept.
    fn learn(&mut self, router: usize, to: Node, route: Route) {
        if !self.routes.is_empty() {
            let to = usize::try_from(to.0).unwrap_or(usize::MAX);
            self.routes[router * self.targets + to] = route;
        }
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
    let may = classes.mask(route.class.into()).wrapping_shl(queue.class.into());
    join_by(queue, index, port, route.port, may)
}

/// The same for some virtual channels of the port, which is that of all.
#[inline(always)]
pub(super) fn join_by<const W: usize>(
    queue: &mut Queue,
    index: usize,
    port: &mut PortState<W>,
    place: u32,
    may: u64,
) -> bool {
    queue.port = place;
    queue.may = may;
    queue.stage = Stage::Asking;
    set(&mut port.asks, index - port.first_queue as usize);
    // Tails of earlier cycles; those of this one are still to win the switch.
    port.free |= port.freed;
    port.freed = 0;
    let listed = port.listed;
    port.listed |= port.free != 0;
    port.listed != listed
}
