//! Speculative switch allocation: a head asks for the switch in the cycle in which it asks for a virtual channel.
//!
//! A head bids where a virtual channel that it may have is free and has a credit. Bids are matched among themselves in
//! one round, outputs first, by round robins of their own. A bid that won is used where the head got a virtual channel
//! of that port with a credit in the same cycle, and where neither the input nor the output of the switch was given to
//! a request that is no bid; else it is wasted, and the head asks again in the next cycle as any other.

use super::persist::persist;

/// Round robins of bids, and what is used in this cycle.
#[derive(Debug)]
pub(super) struct Speculation {
    /// Of each of all ports, over the inputs of its router.
    pub grant: Vec<u16>,
    /// Of each of all inputs, over the ports of its router and over its queues.
    pub accept: Vec<u16>,
    pub queue: Vec<u16>,
    /// For each of all ports and inputs one more than the last cycle in which it had a flit of a request that is no bid.
    outputs: Vec<u64>,
    inputs: Vec<u64>,
    pub bids: Vec<Bid>,
}

/// A queue that bids for a port.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bid {
    pub router: u32,
    pub port: u32,
    pub slot: u16,
}

impl Speculation {
    pub fn new(ports: usize, inputs: usize) -> Self {
        Speculation {
            grant: vec![0; ports],
            accept: vec![0; inputs],
            queue: vec![0; inputs],
            outputs: vec![0; ports],
            inputs: vec![0; inputs],
            bids: Vec::new(),
        }
    }

    /// A request that is no bid has a port and an input in this cycle.
    pub fn use_switch(&mut self, now: u64, port: usize, input: usize) {
        self.outputs[port] = now + 1;
        self.inputs[input] = now + 1;
    }

    /// Whether one has either of them.
    pub fn is_used(&self, now: u64, port: usize, input: usize) -> bool {
        self.outputs[port] == now + 1 || self.inputs[input] == now + 1
    }
}

persist!(Bid { router, port, slot });
persist!(Speculation { grant, accept, queue, outputs, inputs, bids });
