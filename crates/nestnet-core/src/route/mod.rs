//! How messages find their way. One question = one file.

pub mod assign;
mod cached;
mod cap;
pub mod deadlock;
mod detour;
mod disjoint;
mod faults;
mod greedy;
mod guide;
mod kept;
mod lift;
mod report;
mod router;
mod rows;
mod sample;
mod search;
mod shortest;
mod survey;
mod table;
mod turns;
mod valiant;
pub mod walk;
mod wiring;

pub use cached::Cached;
pub use cap::Capped;
pub use detour::{DetourError, Detouring};
pub use disjoint::{
    Disjoint, DisjointError, DisjointFlaw, Proof, check_disjoint, disjoint_paths,
    disjoint_paths_up_to,
};
pub use faults::{Faults, FaultsError, Lot};
pub use greedy::Greedy;
pub use lift::{Leg, Lift, Lifted};
pub use report::{Against, Failure, Length, Loads, Survey, Worst};
pub use router::{Header, Hop, Router, Vc};
pub use rows::{Entry, Rows};
pub use sample::{Pair, sample};
pub use search::{MAX_SEARCHED, Searched};
pub use survey::{SurveyError, survey};
pub use table::{Table, TableError};
pub use turns::Turns;
pub use valiant::Valiant;
pub use walk::{Walk, WalkError, walk};
