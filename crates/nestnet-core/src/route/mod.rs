//! How messages find their way. One question = one file.

mod cap;
mod detour;
mod faults;
mod greedy;
mod guide;
mod kept;
mod report;
mod router;
mod rows;
mod search;
mod survey;
mod table;
mod turns;
mod valiant;
pub mod walk;
mod wiring;

pub use cap::Capped;
pub use detour::{DetourError, Detouring};
pub use faults::{Faults, FaultsError};
pub use greedy::Greedy;
pub use report::{Against, Failure, Length, Loads, Survey, Worst};
pub use router::{Header, Hop, Router, Vc};
pub use rows::{Entry, Rows};
pub use search::{MAX_SEARCHED, Searched};
pub use survey::{SurveyError, SurveyLimits, survey};
pub use table::{Table, TableError};
pub use turns::Turns;
pub use valiant::Valiant;
pub use walk::{Walk, WalkError, walk};
