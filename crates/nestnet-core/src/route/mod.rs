//! How messages find their way. One question = one file.

pub mod assign;
mod cached;
mod cap;
pub mod deadlock;
mod greedy;
mod lift;
mod router;
mod rows;
mod search;
mod table;
mod turns;
mod valiant;
pub mod walk;

pub use cached::Cached;
pub use cap::Capped;
pub use greedy::Greedy;
pub use lift::{Leg, Lift, Lifted};
pub use router::{Header, Hop, Router, Vc};
pub use rows::{Entry, Rows};
pub use search::{MAX_SEARCHED, Searched};
pub use table::{Table, TableError};
pub use turns::Turns;
pub use valiant::Valiant;
pub use walk::{Walk, WalkError, walk};
