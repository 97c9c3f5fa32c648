//! Sorts one number a node: the bitonic sort, one descent for each address bit.

use super::{Machine, Order, ProgramError, Site, Spent};
use crate::Ports;

/// The values in ascending order of logical addresses.
///
/// Stage k merges subcubes of k dimensions, ascending where bit k is 0 and descending where it is 1, by comparing along
/// the dimensions k-1 down to 0. K. E. Batcher, "Sorting networks and their applications", 1968.
///
/// ```
/// use nestnet_collectives::program::{Flat, Site, sort};
/// use nestnet_graph::{Budget, Csr};
/// use std::sync::Arc;
///
/// let square = Arc::new(Csr::from_links(4, &[(0, 1), (1, 3), (3, 2), (2, 0)], 1 << 20)?);
/// let layout = Flat::bits(square.clone()).expect("a square is a cube of two dimensions");
/// let site = Site { network: &*square, layout: &layout, budget: Budget::default() };
/// assert_eq!(sort(site, &[30, 4, 100, 2])?.0, [2, 4, 30, 100]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
