//! Sorts one number a node: the bitonic sort, one descent for each address bit.

use super::{Machine, Order, ProgramError, Site, Spent};
use crate::Ports;

/// The values in ascending order of logical addresses.
///
/// Stage k merges subcubes of k dimensions, ascending where bit k is 0 and descending where it is 1, by comparing along
/// the dimensions k-1 down to 0. K. E. Batcher, "Sorting networks and their applications", 1968.
pub fn sort(site: Site<'_>, values: &[u64]) -> Result<(Vec<u64>, Spent), ProgramError> {
    let bits = site.bits()?;
    let value_of = site.value_of(values)?;
    let mut machine = Machine::new(site, Ports::One, value_of)?;
    for stage in 1..=bits {
        machine.run(&Order::Descend(0..stage), |meeting, &own, shown| {
            let (other, &theirs) = shown[0];
            // Above the top bit there is nothing, and the last stage ascends.
            let ascending = meeting.logical >> stage & 1 == 0;
            let keeps_less = (meeting.logical < other) == ascending;
            if keeps_less { own.min(theirs) } else { own.max(theirs) }
        })?;
    }
    let spent = machine.spent();
    Ok((machine.values(), spent))
}
