//! How does a flit take a link that corrupts some? Again until it is received.

use super::engine::Engine;
use super::state::{Arrival, NO_CREDIT};
use super::topology::HOST;

impl<const W: usize> Engine<'_, W> {
    /// A flit takes a link on which it may be corrupted.
    #[inline(never)]
    pub fn send_until_received(&mut self, port: usize, arrival: Arrival) {
        let (wires, received) = (self.wires, self.now + u64::from(self.ports[port].after));
        let Some(errors) = &mut self.link_errors else { return };
        if wires.far[port].router == HOST {
            return self.arrivals.push(received, arrival);
        }
        let at = errors.arrival(port, received, wires.far[port].latency);
        if at == received {
            return self.arrivals.push(received, arrival);
        }
        // The credit of the queue behind does not wait for it.
        let Arrival { credit, .. } = arrival;
        if credit != NO_CREDIT {
            self.credits.push(received, credit);
        }
        errors.late.entry(at).or_default().push(Arrival { credit: NO_CREDIT, ..arrival });
    }

    /// Flits that were sent again arrive besides the others of this cycle.
    #[inline(never)]
    pub fn take_late(&mut self) {
        if let Some(errors) = &mut self.link_errors {
            for arrival in errors.due(self.now) {
                self.arrivals.push(self.now, arrival);
            }
        }
    }
}
