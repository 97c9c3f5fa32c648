//! Congestion control by marks: packets that find a long queue are marked, and their senders send less.
//!
//! A packet is marked where it gets a virtual channel of an output whose queue, the flits on the link and behind it, is
//! over a threshold. Its sender learns of the mark when the packet has arrived, with replies when the reply has. It
//! keeps a window of packets on the way: a mark cuts it to one half, once for all packets that were sent before, and a packet
//! without a mark adds to it so that a whole window of them adds one.

use super::persist::persist;

/// Parts of a packet in which a window is counted.
const ONE: u64 = 1 << 16;

/// Packets of a window at first, and at most.
const WIDEST: u64 = 64;

/// How many packets of a host may be on the way.
#[derive(Clone, Debug)]
pub(super) struct CongestionWindow {
    size: u64,
    /// When it was halved last.
    halved: u64,
}

impl CongestionWindow {
    pub fn new() -> Self {
        CongestionWindow { size: WIDEST * ONE, halved: 0 }
    }

    /// Whether one more packet may be sent.
    pub fn allows(&self, outstanding: u32) -> bool {
        u64::from(outstanding) < self.size / ONE
    }

    /// The sender learns of a packet that it sent.
    pub fn learn(&mut self, is_marked: bool, sent: u64, now: u64) {
        if !is_marked {
            self.size = (self.size + ONE * ONE / self.size).min(WIDEST * ONE);
        } else if sent >= self.halved {
            self.size = (self.size / 2).max(ONE);
            self.halved = now;
        }
    }
}

persist!(CongestionWindow { size, halved });

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_counts_once_and_a_window_of_packets_adds_one() {
        let mut window = CongestionWindow::new();
        assert!(window.allows(63) && !window.allows(64));
        window.learn(true, 10, 50);
        assert!(window.allows(31) && !window.allows(32));
        // What was sent before it was halved says nothing new.
        window.learn(true, 49, 60);
        assert!(window.allows(31));
        window.learn(true, 50, 70);
        assert!(window.allows(15) && !window.allows(16));
        (0..17).for_each(|_| window.learn(false, 80, 90));
        assert!(window.allows(16) && !window.allows(17));
        (0..10_000).for_each(|_| window.learn(false, 80, 90));
        assert!(window.allows(63) && !window.allows(64));
        (0..100).for_each(|time| window.learn(true, 1000 + time, 1000 + time));
        assert!(window.allows(0) && !window.allows(1));
    }
}
