//! How messages find their way. One question = one file.

pub mod adversary;
pub mod assign;
mod cached;
mod cap;
pub mod deadlock;
mod detour;
mod dimension;
mod disjoint;
mod faults;
mod given;
mod greedy;
mod guide;
mod hop;
mod kept;
mod lift;
mod minimal;
mod procedure;
mod report;
pub mod resilience;
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
pub use dimension::Dimensions;
pub use disjoint::{
    Disjoint, DisjointError, DisjointFlaw, Proof, check_disjoint, disjoint_paths,
    disjoint_paths_up_to,
};
pub use faults::{Faults, FaultsError, Lot};
pub use given::{Given, GivenError};
pub use greedy::Greedy;
pub use hop::{Header, Hop, Vc};
pub use lift::{Leg, Lift, Lifted};
pub use minimal::Minimal;
pub use procedure::{Ending, Followed, Procedure, Trace, Walked};
pub use report::{Against, Failure, Length, Loads, Survey, Worst};
pub use router::{Router, Through};
pub use rows::{Entry, Rows};
pub use sample::{Pair, sample};
pub use search::{MAX_SEARCHED, Searched};
pub use survey::{SurveyError, Surveyed, Surveying, survey};
pub use table::{Table, TableError};
pub use turns::Turns;
pub use valiant::Valiant;
pub use walk::{Walk, WalkError, walk};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Node, Port};

    /// On a square whose corners are two bits: port i flips bit i, in either order.
    #[derive(Debug)]
    pub(super) struct Either;

    impl Router for Either {
        fn vcs(&self) -> u16 {
            1
        }

        fn next(&self, at: Node, header: Header) -> Option<Hop> {
            hops(self, at.0, header.to.0).first().copied()
        }

        fn hops(&self, at: Node, header: Header, out: &mut Vec<Hop>) {
            let differs = |port: &u32| (at.0 ^ header.to.0) >> port & 1 == 1;
            let hop = |port| Hop { port: Port(port), vc: Vc(0), header };
            out.extend((0..2).filter(differs).map(hop));
        }

        fn adapts(&self) -> bool {
            true
        }
    }

    /// All hops of a message that has just started.
    pub(super) fn hops(router: &dyn Router, at: u64, to: u64) -> Vec<Hop> {
        let mut out = Vec::new();
        router.hops(Node(at), Header { to: Node(to), state: 0 }, &mut out);
        out
    }
}
