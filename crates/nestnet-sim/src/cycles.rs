//! What runs the cycles of a network: what is measured asks it, and knows no more of it.

use super::config::SimError;
use super::deadlock_detect::Wait;
use super::engine::Seen;
use super::persist::{Damaged, Saved};
use super::state::Packet;
use super::tally::Tally;

/// A network while it is simulated: on one thread, divided among threads, or on a device.
pub(super) trait Cycles {
    /// Runs all cycles before that one, and adds what arrives to the tally. An error where it breaks: then the rest is not to
    /// be used.
    fn run(&mut self, tally: &mut Tally, until: u64) -> Result<(), SimError>;

    /// The cycles that are measured, which are those of the tally.
    fn set_window(&mut self, window: (u64, u64), tally: &Tally);

    /// What is counted, of each part.
    fn each_seen(&self, visit: &mut dyn FnMut(&Seen));

    /// The same, to change it.
    fn each_seen_mut(&mut self, visit: &mut dyn FnMut(&mut Seen));

    /// For every source, in the order of hosts and classes, the cycle in which the packet is made that is sent next, and its
    /// message class.
    fn each_next(&self, visit: &mut dyn FnMut(u64, usize));

    /// Whether all of these are so.
    fn all_next(&self, is: &dyn Fn(u64) -> bool) -> bool;

    /// The dependency cycle in which packets wait; empty where all can go on.
    fn find_deadlock_cycle(&self) -> Vec<Wait>;

    /// What is measured of ports begins anew.
    fn restart(&mut self) -> Result<(), SimError>;

    /// Flits that each of all ports carried since then, those that were sent again too.
    fn carried(&self) -> Vec<u64>;

    /// Flits that crossed a switch since then.
    fn crossed(&self) -> u64;

    /// Packets of which hosts have taken some flits and not the last; none where all packets have one flit.
    fn partly_arrived(&self) -> Vec<Packet>;

    /// Flits of replies that wait at hosts.
    fn waiting_replies(&self) -> u64 {
        0
    }

    /// Flits on links that corrupt them, and those that were corrupted.
    fn corrupted(&self) -> (u64, u64) {
        (0, 0)
    }

    /// Whoever waits is asked so many times less often whether to go on.
    fn quickness(&self) -> u64 {
        1
    }

    /// Writes the state between two cycles; what has none to write is never asked to go on from it.
    fn write_state(&self, _out: &mut Vec<u8>) {}

    /// Goes on from that state, with the tally of the run.
    fn read_state(&mut self, _saved: &mut Saved<'_>, _tally: &Tally) -> Result<(), Damaged> {
        Err(Damaged)
    }

    /// All cycles are over, and all is counted.
    fn finish(&mut self) -> Result<(), SimError> {
        Ok(())
    }
}
