//! Routing on any network: where a message goes next, whether it can deadlock, how busy the channels are.
//!
//! [`route`] has the trait [`Router`] and every router that knows no paper, deadlock certificates and virtual channels;
//! [`traffic`] says who sends to whom, [`flow`] what the network then carries, [`resilience`] what faults leave of it.

pub mod flow;
pub mod resilience;
pub mod route;
pub mod traffic;

pub use route::{Header, Hop, Router, Vc};
