//! The prefix sums of one number a node, in one ascent.

use super::{Machine, Order, ProgramError, Site, Spent};
use crate::Ports;

/// Value i becomes the sum of the values up to i, modulo 2^64; values are numbered by logical address.
///
/// Each item knows the sum of the subcube that it has met, and of the part of it up to itself.
///
/// ```
/// use nestnet_graph::Csr;
/// use nestnet_graph::Budget;
/// use nestnet_collectives::program::{Flat, Site, scan};
/// use std::sync::Arc;
///
/// let square = Arc::new(Csr::from_links(4, &[(0, 1), (1, 3), (3, 2), (2, 0)], 1 << 20)?);
/// let layout = Flat::bits(square.clone()).expect("a square is a cube of two dimensions");
/// let site = Site { network: &*square, layout: &layout, budget: Budget::default() };
/// let (sums, spent) = scan(site, &[1, 20, 300, 4000])?;
/// assert_eq!((sums, spent.steps), (vec![1, 21, 321, 4321], 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn scan(site: Site<'_>, values: &[u64]) -> Result<(Vec<u64>, Spent), ProgramError> {
    let bits = site.bits()?;
    let value_of = site.value_of(values)?;
    // The sum of all that is known, and of what is not behind this item.
    let start = |logical| [value_of(logical); 2];
    let mut machine = Machine::new(site, Ports::One, start)?;
    machine.run(&Order::Ascend(0..bits), |meeting, &[all, prefix], shown| {
        let &(other, &[theirs, _]) = &shown[0];
        let before = if other < meeting.logical { theirs } else { 0 };
        [all.wrapping_add(theirs), prefix.wrapping_add(before)]
    })?;
    let spent = machine.spent();
    Ok((machine.values().into_iter().map(|[_, prefix]| prefix).collect(), spent))
}
