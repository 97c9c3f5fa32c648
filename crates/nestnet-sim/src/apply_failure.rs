//! What happens in the cycle in which a link fails?

use super::config::SimError;
use super::engine::Engine;
use super::mask::{each, is_empty};
use super::state::{Arrival, Classes, Flit, HEAD, NO_CREDIT, Stage, TAIL, index32, packet_of};
use nestnet_graph::Node;
use nestnet_routing::Router;

impl<'a, const W: usize> Engine<'a, W> {
    /// Takes the links of the next failure away if this is its cycle.
    #[inline]
    pub fn fail(&mut self) {
        while let Some(failure) = self.failures.first()
            && failure.cycle <= self.now
        {
            self.failures = &self.failures[1..];
            self.epoch += 1;
            self.release();
            // It was asked for the classes of every router before.
            let _ = self.know_failure(failure.router);
            for &(from, to) in &failure.links {
                self.close(from, to);
                self.close(to, from);
            }
            self.ask_again();
        }
    }

    /// Routes packets by a router that knows what failed.
    pub fn know_failure(&mut self, router: &'a dyn Router) -> Result<(), SimError> {
        self.router = router;
        self.choices = router.choices();
        self.adapts = router.adapts();
        self.settles = self.adapts || self.config.ecn.is_some();
        self.has_escape = router.escape().is_some();
        self.routes.clear();
        self.rings = None;
        self.classes = Classes::new(self.config, router)?;
        Ok(())
    }

    fn close(&mut self, from: Node, to: Node) {
        let Some(router) = from.0.checked_sub(self.wires.first) else { return };
        let Ok(router) = usize::try_from(router) else { return };
        let base = self.wires.base(router);
        for port in base..base + self.wires.count(router) {
            let far = self.wires.far[port].router;
            if far != super::topology::HOST && self.wires.node(far as usize) == to {
                self.ports[port].dead = true;
                self.ports[port].special = true;
            }
        }
    }

    /// Heads that have a route but no virtual channel yet ask the new router.
    fn ask_again(&mut self) {
        for port in &mut self.ports {
            port.listed = false;
            if is_empty(&port.asks) {
                continue;
            }
            for slot in each(port.asks) {
                let index = port.first_queue as usize + slot;
                self.queues[index].stage = Stage::Routing;
                self.wakes.push(self.now, index32(index));
            }
            port.asks = [0; W];
        }
        self.asking.clear();
    }

    /// A flit takes a link that failed, that corrupts some, or whose virtual channels share their buffers.
    #[inline(never)]
    pub fn take_special_link(&mut self, port: usize, vc: usize, mut arrival: Arrival) {
        if let Some(shared) = &mut self.shared {
            shared.take(self.ports[port].first_out as usize + vc);
            // Credits of pools are counted by themselves.
            if arrival.credit != NO_CREDIT {
                let after = u64::from(self.ports[port].after);
                self.credits.push(self.now + after, arrival.credit);
                arrival.credit = NO_CREDIT;
            }
        }
        let received = self.now + u64::from(self.ports[port].after);
        if self.ports[port].dead && self.is_lost(arrival.flit) {
            if arrival.credit != NO_CREDIT {
                self.credits.push(received, arrival.credit);
            }
            self.drop_flit(self.ports[port].first_out as usize + vc, arrival.flit);
        } else if self.link_errors.is_some() {
            self.send_until_received(port, arrival);
        } else {
            self.arrivals.push(received, arrival);
        }
    }

    /// Whether a flit that would cross a link that failed is lost, and its packet with it.
    fn is_lost(&mut self, flit: Flit) -> bool {
        let packet = &mut self.packets[packet_of(flit)];
        packet.lost |= flit & HEAD != 0;
        packet.lost
    }

    /// A flit falls off a link that failed; the credit comes back as if it had been taken at once.
    fn drop_flit(&mut self, out: usize, flit: Flit) {
        self.credits.push(self.now + u64::from(self.delays.credit), index32(out));
        self.take_lost(flit);
    }

    /// A packet will not arrive.
    pub fn lose(&mut self, place: usize) {
        self.forget_outstanding(place);
        let (asked, is_reply) = (self.packets[place].asked(), self.packets[place].is_reply);
        self.seen.lost += 1;
        if (self.seen.window.0..self.seen.window.1).contains(&asked) {
            let lost = &mut self.seen;
            *(if is_reply { &mut lost.lost_replies } else { &mut lost.lost_marked }) += 1;
        }
        self.unused.push(index32(place));
    }

    /// Takes a flit of a packet that found no way at the host of the router where it was.
    pub fn take_lost(&mut self, flit: Flit) {
        self.seen.dropped += 1;
        if flit & TAIL != 0 {
            self.lose(packet_of(flit));
        }
    }
}
