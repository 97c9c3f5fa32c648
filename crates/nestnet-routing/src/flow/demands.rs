//! How much goes from each node of a fabric to each other.

use super::FlowError;
use crate::traffic::{Pattern, Traffic};
use nestnet_graph::fabric::Fabric;
use nestnet_graph::{Budget, index};

/// What nodes send to nodes when each host sends 1, in parts of a whole. Nobody sends to itself here: what stays at a
/// switch takes no channel.
#[derive(Clone, Debug)]
pub struct Demands {
    whole: u128,
    columns: Columns,
}

#[derive(Clone, Debug)]
enum Columns {
    /// Between every two different nodes the product of their numbers of hosts.
    Product(Vec<u32>),
    /// By destination: the sources, ascending, and their weights.
    Listed(Vec<Vec<(u32, u128)>>),
}

impl Demands {
    /// Between the nodes of a fabric.
    pub fn of(fabric: &Fabric, traffic: &Traffic, budget: &Budget<'_>) -> Result<Self, FlowError> {
        if traffic.pattern == Pattern::Uniform {
            let columns = Columns::Product(fabric.hosts.clone());
            return Ok(Demands { whole: traffic.whole(), columns });
        }
        Demands::listed(fabric.hosts.len(), &fabric.at, traffic, budget)
    }

    /// Between hosts.
    pub fn between_hosts(traffic: &Traffic, budget: &Budget<'_>) -> Result<Self, FlowError> {
        let hosts = index(traffic.hosts);
        if traffic.pattern == Pattern::Uniform {
            return Ok(Demands {
                whole: traffic.whole(),
                columns: Columns::Product(vec![1; hosts]),
            });
        }
        let at: Vec<u32> = (0..).take(hosts).collect();
        Demands::listed(hosts, &at, traffic, budget)
    }

    fn listed(
        nodes: usize,
        at: &[u32],
        traffic: &Traffic,
        budget: &Budget<'_>,
    ) -> Result<Self, FlowError> {
        let mut columns: Vec<Vec<(u32, u128)>> = vec![Vec::new(); nodes];
        let mut entries = 0u128;
        for (host, &from) in (0..).zip(at) {
            budget.watch.check_each(host)?;
            traffic.for_each(host, &mut |to, weight| {
                let to = at[index(to)];
                let column = &mut columns[to as usize];
                match column.last_mut() {
                    _ if from == to => {}
                    Some((last, sum)) if *last == from => *sum += weight,
                    _ => {
                        column.push((from, weight));
                        entries += 1;
                    }
                }
            });
            budget.fits("the matrix of traffic", entries * 32)?;
        }
        for column in &mut columns {
            column.sort_unstable_by_key(|&(from, _)| from);
            column.dedup_by(|next, kept| {
                let same = next.0 == kept.0;
                kept.1 += if same { next.1 } else { 0 };
                same
            });
        }
        Ok(Demands { whole: traffic.whole(), columns: Columns::Listed(columns) })
    }

    /// A single list: each node to the one that it names, once.
    pub fn of_permutation(to: &[u32], weight: u128) -> Self {
        let mut columns = vec![Vec::new(); to.len()];
        for (from, &to) in (0..).zip(to) {
            if from != to {
                columns[to as usize].push((from, weight));
            }
        }
        Demands { whole: 1, columns: Columns::Listed(columns) }
    }

    /// All weights are parts of this.
    pub fn whole(&self) -> u128 {
        self.whole
    }

    /// How many nodes there are.
    pub fn nodes(&self) -> usize {
        match &self.columns {
            Columns::Product(hosts) => hosts.len(),
            Columns::Listed(columns) => columns.len(),
        }
    }

    /// Whether all send to all alike.
    pub fn is_uniform(&self) -> bool {
        matches!(self.columns, Columns::Product(_))
    }

    /// Whether every node sends the weight 1 to every other.
    pub(super) fn is_one_each(&self) -> bool {
        matches!(&self.columns, Columns::Product(hosts) if hosts.iter().all(|&hosts| hosts == 1))
    }

    /// Visits every node that sends to `to`, ascending, with the weight of what it sends.
    pub fn for_each(&self, to: u32, visit: &mut dyn FnMut(u32, u128)) {
        match &self.columns {
            Columns::Product(hosts) => {
                let here = u128::from(hosts[to as usize]);
                if here > 0 {
                    let others = (0..).zip(hosts).filter(|&(from, &hosts)| from != to && hosts > 0);
                    others.for_each(|(from, &hosts)| visit(from, here * u128::from(hosts)));
                }
            }
            Columns::Listed(columns) => {
                columns[to as usize].iter().for_each(|&(from, weight)| visit(from, weight));
            }
        }
    }
}

/// The most that one host injects or receives when each sends 1, in parts of [`Traffic::whole`].
pub fn host_cap(traffic: &Traffic, budget: &Budget<'_>) -> Result<u128, FlowError> {
    if let Pattern::Uniform | Pattern::Permuted(_) = traffic.pattern {
        return Ok(traffic.whole());
    }
    let most = |(sent, received): (u128, u128)| sent.max(received);
    Ok(host_loads(traffic, budget)?.into_iter().map(most).max().unwrap_or(0))
}

/// What every host injects and receives when each sends 1, in parts of [`Traffic::whole`].
pub fn host_loads(traffic: &Traffic, budget: &Budget<'_>) -> Result<Vec<(u128, u128)>, FlowError> {
    budget.fits("sums of traffic", 32 * u128::from(traffic.hosts))?;
    if let Pattern::Uniform = traffic.pattern {
        return Ok(vec![(traffic.whole(), traffic.whole()); index(traffic.hosts)]);
    }
    let mut sums = vec![(0u128, 0u128); index(traffic.hosts)];
    for from in 0..traffic.hosts {
        budget.watch.check_each(from)?;
        traffic.for_each(from, &mut |to, weight| {
            sums[index(from)].0 += weight;
            sums[index(to)].1 += weight;
        });
    }
    Ok(sums)
}
