//! Is a certificate of bounds for any routing true? It knows nothing of how it was found.

use super::{Concurrent, Demands};
use nestnet_graph::fabric::Fabric;
use nestnet_graph::measure::{count, id};
use thiserror::Error;

/// What is wrong with a certificate.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum FlowFault {
    /// Not as many numbers as channels, or destinations times channels.
    #[error("{given} numbers where {expected} are needed")]
    Length {
        /// What there is.
        given: usize,
        /// What is needed.
        expected: usize,
    },
    /// A number that is negative or none.
    #[error("{value} is no flow and no length")]
    Value {
        /// What is written there.
        value: f64,
    },
    /// What comes to a node does not go on.
    #[error("at node {at}, {left} of what goes to {to} is left over")]
    Lost {
        /// A node of the fabric.
        at: u32,
        /// Where it should go.
        to: u32,
        /// How much.
        left: f64,
    },
    /// The flow does not carry what is said.
    #[error("the busiest channel bears {load}, so that the flow carries {carried} and not {low}")]
    Low {
        /// Of the busiest channel.
        load: f64,
        /// What follows.
        carried: f64,
        /// What is said.
        low: f64,
    },
    /// The lengths do not prove what is said.
    #[error("the lengths prove {proven} and not {high}")]
    High {
        /// What follows.
        proven: f64,
        /// What is said.
        high: f64,
    },
}

/// What rounding may add up to.
const ROUNDING: f64 = 1e-7;

/// Whether the flow keeps what it carries and is as much as `low` says, and the lengths prove `high`.
///
/// Distances are found by relaxing every channel again and again: O(nodes² · links) at worst, and plain.
///
/// ```
/// use nestnet_graph::fabric::Fabric;
/// use nestnet_graph::{Budget, Csr};
/// use nestnet_routing::flow::{Demands, check::check, concurrent};
/// use nestnet_routing::traffic::Traffic;
///
/// let ring = Csr::from_links(5, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)], 1 << 20)?;
/// let fabric = Fabric::of(&ring, &Budget::default())?;
/// let demands = Demands::of(&fabric, &Traffic::uniform(5), &Budget::default())?;
/// let mut found = concurrent(&fabric, &demands, 0.01, &Budget::default())?.unwrap();
/// assert!(check(&fabric, &demands, &found).is_ok());
/// found.low *= 2.0;
/// assert!(check(&fabric, &demands, &found).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check(
    fabric: &Fabric,
    demands: &Demands,
    certificate: &Concurrent,
) -> Result<(), FlowFault> {
    let csr = &fabric.csr;
    let (n, m) = (count(csr), csr.targets().len());
    for (given, expected) in [(certificate.lengths.len(), m), (certificate.flow.len(), n * m)] {
        if given != expected {
            return Err(FlowFault::Length { given, expected });
        }
    }
    let all = certificate.lengths.iter().chain(&certificate.flow);
    if let Some(&value) = all.clone().find(|value| !value.is_finite() || **value < -ROUNDING) {
        return Err(FlowFault::Value { value });
    }
    let whole = demands.whole() as f64;
    let (mut loads, mut needed) = (vec![0.0; m], 0.0);
    for to in 0..id(n) {
        let flow = &certificate.flow[to as usize * m..][..m];
        let mut left = vec![0.0; n];
        let mut sent = vec![0.0; n];
        demands.for_each(to, &mut |from, weight| sent[from as usize] = weight as f64 / whole);
        left.clone_from(&sent);
        for at in 0..id(n) {
            for (channel, &next) in (first(csr, at)..).zip(csr.neighbors(at)) {
                let amount = flow[channel];
                left[at as usize] -= amount;
                left[next as usize] += amount;
                loads[channel] += amount;
            }
        }
        let lost = |&at: &u32| at != to && left[at as usize].abs() > ROUNDING;
        if let Some(at) = (0..id(n)).find(lost) {
            return Err(FlowFault::Lost { at, to, left: left[at as usize] });
        }
        let mut distance = vec![f64::INFINITY; n];
        distance[to as usize] = 0.0;
        loop {
            let before = distance.clone();
            for at in 0..id(n) {
                for (channel, &next) in (first(csr, at)..).zip(csr.neighbors(at)) {
                    let length = certificate.lengths[channel];
                    let through = distance[next as usize] + length;
                    distance[at as usize] = distance[at as usize].min(through);
                }
            }
            if before == distance {
                break;
            }
        }
        needed += sent
            .iter()
            .zip(&distance)
            .filter(|(sent, _)| **sent > 0.0)
            .map(|(s, d)| s * d)
            .sum::<f64>();
    }
    let load = loads.into_iter().fold(0.0, f64::max);
    let carried = 1.0 / load;
    if certificate.low > carried * (1.0 + ROUNDING) {
        return Err(FlowFault::Low { load, carried, low: certificate.low });
    }
    let proven = certificate.lengths.iter().sum::<f64>() / needed;
    if certificate.high < proven * (1.0 - ROUNDING) {
        return Err(FlowFault::High { proven, high: certificate.high });
    }
    Ok(())
}
/// The first channel of a node.
fn first(csr: &nestnet_graph::Csr, at: u32) -> usize {
    usize::try_from(csr.offsets()[at as usize]).expect("it is stored")
}
