//! How many steps does a network take for one step of the guest that its layout represents?

use super::{Machine, Meeting, Order, ProgramError, Site, Spent};
use crate::Ports;
use nestnet_graph::Node;
use nestnet_graph::measure::splitmix64;
use serde::Serialize;
use std::cmp::Reverse;

/// One step of the guest along one dimension, executed: every item meets all its neighbors in the guest.
///
/// ```
/// use nestnet_graph::Csr;
/// use nestnet_graph::Budget;
/// use nestnet_collectives::program::{Flat, Site, one_dimension};
/// use std::sync::Arc;
///
/// let square = Arc::new(Csr::from_links(4, &[(0, 1), (1, 3), (3, 2), (2, 0)], 1 << 20)?);
/// let layout = Flat::bits(square.clone()).expect("a square is a cube of two dimensions");
/// let site = Site { network: &*square, layout: &layout, budget: Budget::default() };
/// assert_eq!(one_dimension(site, 1)?.steps, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn one_dimension(site: Site<'_>, dimension: usize) -> Result<Spent, ProgramError> {
    let order = Order::Ascend(dimension..dimension + 1);
    let mut machine = Machine::new(site, Ports::All, splitmix64)?;
    machine.run(&order, gather)?;
    let spent = machine.spent();
    arrived(site, machine, dimension)?;
    Ok(spent)
}

/// All dimensions at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct AllPorts {
    /// How many steps the host takes.
    pub steps: u64,
    /// Messages over links in all of them.
    pub moves: u64,
    /// Messages over the busiest link in one direction: no schedule of these moves is shorter.
    #[serde(rename = "lower_bound")]
    pub busiest: u64,
}

/// One step of the guest along all dimensions at once, where every link carries one message a step in each direction.
///
/// In each step the dimensions with most to do go first, and a dimension waits while a link that it needs is taken.
/// O(dimensions · nodes · steps).
pub fn all_ports(site: Site<'_>) -> Result<AllPorts, ProgramError> {
    let dimensions = site.layout.factors().len();
    let network = site.network;
    let channels = u128::from(network.order()) * u128::from(network.ports());
    let each = u128::from(network.order()) * 64;
    let need = channels * 16 + each * dimensions as u128;
    site.budget.fits("all items", need)?;
    let width = network.ports() as usize;
    let channels = usize::try_from(channels).expect("it fits in memory");
    // For each channel the step that used it last, and how often it was used.
    let mut used = vec![(0u32, 0u32); channels];
    let mut jobs = Vec::new();
    for dimension in 0..dimensions {
        let steps = site.layout.ascend(dimension..dimension + 1);
        jobs.push((dimension, 0, steps, Machine::new(site, Ports::All, splitmix64)?));
    }
    let mut now = 0;
    let mut list = Vec::new();
    loop {
        // Those with most left go first; of equals the first dimension.
        jobs.sort_by_key(|(dimension, done, steps, _)| (Reverse(steps.len() - done), *dimension));
        if jobs.iter().all(|(_, done, steps, _)| *done == steps.len()) {
            break;
        }
        now += 1;
        for (dimension, done, steps, machine) in &mut jobs {
            let Some(step) = steps.get(*done) else { continue };
            list.clear();
            machine.channels(step, |at, port| {
                let at = usize::try_from(at.0).expect("it fits in memory");
                list.push(at * width + port.0 as usize);
            });
            if list.iter().any(|&channel| used[channel].0 == now) {
                continue;
            }
            list.iter().for_each(|&channel| used[channel] = (now, used[channel].1 + 1));
            machine.step(step, &Order::Ascend(*dimension..*dimension + 1), &mut gather)?;
            *done += 1;
        }
    }
    let busiest = used.iter().map(|&(_, times)| u64::from(times)).max().unwrap_or(0);
    let mut moves = 0;
    for (dimension, _, _, machine) in jobs {
        machine.end(&Order::Ascend(dimension..dimension + 1))?;
        moves += machine.spent().moves;
        arrived(site, machine, dimension)?;
    }
    Ok(AllPorts { steps: now.into(), moves, busiest })
}

/// The sum of what an item is shown.
fn gather(_: Meeting, _: &u64, shown: &[(u64, &u64)]) -> u64 {
    shown.iter().fold(0, |sum, (_, value)| sum.wrapping_add(**value))
}

/// Whether every node has the sum of its neighbors' values in the guest, computed directly.
fn arrived(
    site: Site<'_>,
    machine: Machine<'_, u64>,
    dimension: usize,
) -> Result<(), ProgramError> {
    let factors = site.layout.factors();
    let low: u64 = factors[..dimension].iter().map(|factor| factor.order()).product();
    let factor = &*factors[dimension];
    for (logical, found) in (0..).zip(machine.values()) {
        let digit = logical / low % factor.order();
        let mut wanted = 0u64;
        factor.for_each_neighbor(Node(digit), &mut |_, to| {
            wanted = wanted.wrapping_add(splitmix64(logical - digit * low + to.0 * low));
        });
        if wanted != found {
            return Err(ProgramError::NotMet { item: logical, met: 0, wanted: 1 });
        }
    }
    Ok(())
}
