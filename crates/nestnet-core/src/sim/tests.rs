//! Laws of the simulator.
