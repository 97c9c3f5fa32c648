//! Does a schedule keep to the links and the ports, and does it achieve its goal? Knows no generator.

use super::arrival::{Arrival, Fault, Method, blocks_of};
use super::bits::Bits;
use super::ledger::Ledger;
use super::schedule::{Goal, Model, Ports, Stream, Transfer, Violation};
use nestnet_graph::{Budget, Network, Node, index};

/// What a valid schedule costs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Cost {
    /// How many steps, empty ones included.
    pub steps: u64,
    /// Steps that need a message of their own. Those that follow each other on the same links, and send nothing that
    /// arrived since the first of them, are one round: what a link carries in them is one message.
    pub rounds: u64,
    /// How many transfers, or messages between hosts.
    pub transfers: u64,
    /// Blocks in all of them.
    pub blocks: u64,
    /// Between hosts the hops of the longest route of every round, added up; 0 where every node stores.
    pub hops: u64,
    /// The blocks on the busiest link of every step in one direction, added up. A message may be divided over several
    /// routes.
    pub load: f64,
    /// Transfers over the busiest link in one direction; between hosts the most blocks on one link in one round, rounded
    /// up.
    pub busiest: u64,
    /// Blocks on the busiest link in one direction in all steps together: with the same messages on the same routes no
    /// order of them has a smaller [`Cost::load`].
    pub link_load: f64,
    /// Blocks, or sums in progress, at the node that holds most in the end.
    pub held: u64,
    /// Transfers that brought nothing new.
    pub repeats: u64,
}

/// Judges a schedule by walking it. O(transfers), for sums times the hosts; memory for a bit for each node and block,
/// for each part of a sum, and eight bytes a channel.
///
/// ```
/// use nestnet_collectives::{Goal, Model, Ports, Repeats, Schedule, Transfer, check};
/// use nestnet_graph::Budget;
/// use nestnet_graph::{Csr, Node, Port};
///
/// let path = Csr::from_links(3, &[(0, 1), (1, 2)], 1 << 20)?;
/// let send = |from, port| Transfer { from: Node(from), port: Port(port), block: 0 };
/// let schedule = Schedule { steps: vec![vec![send(1, 0)], vec![send(1, 1)]] };
/// let model = Model { ports: Ports::One, repeats: Repeats::Forbidden };
/// let goal = Goal::Broadcast { root: Node(1) };
/// let cost = check(&path, model, goal, schedule.stream(), &Budget::default())?;
/// assert_eq!((cost.steps, cost.rounds, cost.transfers), (2, 2, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check(
    network: &dyn Network,
    model: Model,
    goal: Goal,
    mut schedule: impl Stream,
    budget: &Budget<'_>,
) -> Result<Cost, Violation> {
    exactly(judged(network, model, goal, Method::Exact, &mut schedule, budget))
}

/// The same verdict for a schedule that can be generated again: by counts where they decide, which take eight bytes for each
/// node and sum or for each block of an all-to-all, and by bits where they do not.
pub fn check_anew<S: Stream>(
    network: &dyn Network,
    model: Model,
    goal: Goal,
    schedule: impl Fn() -> S,
    budget: &Budget<'_>,
) -> Result<Cost, Violation> {
    by_counts_or_bits(|method| judged(network, model, goal, method, &mut schedule(), budget))
}

/// The verdict of bits.
fn exactly(verdict: Result<Cost, Fault>) -> Result<Cost, Violation> {
    verdict.map_err(|fault| match fault {
        Fault::Violation(violation) => violation,
        Fault::Undecided => unreachable!("bits always tell"),
    })
}

/// The verdict of counts where they decide, else that of bits.
pub(super) fn by_counts_or_bits(
    judge: impl Fn(Method) -> Result<Cost, Fault>,
) -> Result<Cost, Violation> {
    match judge(Method::Quick) {
        Ok(cost) => Ok(cost),
        Err(Fault::Violation(stop @ (Violation::Interrupted(_) | Violation::Budget(_)))) => {
            Err(stop)
        }
        // Which transfer is the first that is wrong is said by one judge alone.
        Err(_) => exactly(judge(Method::Exact)),
    }
}

fn judged(
    network: &dyn Network,
    model: Model,
    goal: Goal,
    method: Method,
    schedule: &mut impl Stream,
    budget: &Budget<'_>,
) -> Result<Cost, Fault> {
    let mut judge = Judge::new(network, model, goal, method, budget)?;
    let mut step = Vec::new();
    while schedule.next_step(&mut step) {
        budget.check()?;
        judge.step(&step)?;
        step.clear();
    }
    judge.end()
}

/// Bytes that [`check`] takes for a goal, besides the schedule.
pub fn check_bytes(network: &dyn Network, goal: Goal) -> u128 {
    bytes(network, goal, Method::Exact)
}

/// Bytes that [`check_anew`] takes at least.
pub fn check_anew_bytes(network: &dyn Network, goal: Goal) -> u128 {
    bytes(network, goal, Method::Quick)
}

fn bytes(network: &dyn Network, goal: Goal, method: Method) -> u128 {
    let order = network.order();
    let channels = u128::from(order) * u128::from(network.ports());
    Ledger::bytes(order, network.hosts(), goal, method)
        .saturating_add(2 * Bits::bytes(1, order))
        .saturating_add(Round::bytes(order, network.hosts(), goal, method))
        .saturating_add(8 * channels)
}

struct Judge<'a> {
    network: &'a dyn Network,
    model: Model,
    ledger: Ledger,
    /// Who has sent, and received, in this step.
    busy: [Bits; 2],
    /// For each channel the step that used it last, and how often it was used.
    used: Vec<(u32, u32)>,
    round: Round,
    /// What arrives in this step.
    arrivals: Vec<Arrival>,
    cost: Cost,
}

/// The steps that share a message on every link.
struct Round {
    /// How many links carry something, in every step the same ones.
    links: usize,
    /// Whether all links of this step were used in the step before.
    same: bool,
    /// What arrived: a row for each node and a bit for each block, or one row where a block is at one place.
    arrived: Bits,
    rows: bool,
    /// Which bits are set, unless there are so many that it is as quick to clear all.
    marked: Vec<(u64, u64)>,
}

impl Round {
    fn bytes(order: u64, hosts: u64, goal: Goal, method: Method) -> u128 {
        let rows = if Round::has_rows(goal, method) { order } else { 1 };
        Bits::bytes(rows.into(), blocks_of(goal, hosts)).saturating_mul(3)
    }

    fn has_rows(goal: Goal, method: Method) -> bool {
        method == Method::Exact || goal != Goal::AllToAll
    }

    fn new(
        [order, hosts]: [u64; 2],
        goal: Goal,
        method: Method,
        budget: &Budget<'_>,
    ) -> Result<Self, Violation> {
        let rows = Round::has_rows(goal, method);
        let count = if rows { order } else { 1 };
        let arrived = Bits::new(count.into(), blocks_of(goal, hosts), budget)?;
        Ok(Round { links: 0, same: false, arrived, rows, marked: Vec::new() })
    }

    fn row(&self, node: Node) -> u64 {
        if self.rows { node.0 } else { 0 }
    }

    /// Whether a step goes on with the messages of the steps before it; else it begins a round.
    fn goes_on(&mut self, arrivals: &[Arrival]) -> bool {
        let is_new = |arrival: &Arrival| self.arrived.has(self.row(arrival.from), arrival.block);
        let same = self.same && arrivals.len() == self.links;
        let goes_on = same && !arrivals.iter().any(is_new);
        if !goes_on {
            self.links = arrivals.len();
            match self.marked.len() < self.arrived.words() {
                true => self.marked.iter().for_each(|&(row, block)| self.arrived.clear(row, block)),
                false => self.arrived.clear_all(),
            }
            self.marked.clear();
        }
        for arrival in arrivals {
            let row = self.row(arrival.to);
            self.arrived.set(row, arrival.block);
            if self.marked.len() < self.arrived.words() {
                self.marked.push((row, arrival.block));
            }
        }
        goes_on
    }
}

impl<'a> Judge<'a> {
    fn new(
        network: &'a dyn Network,
        model: Model,
        goal: Goal,
        method: Method,
        budget: &Budget<'_>,
    ) -> Result<Self, Violation> {
        let (order, hosts) = (network.order(), network.hosts());
        budget.fits("the check", bytes(network, goal, method))?;
        let ledger = Ledger::new([order, hosts], goal, method, budget)?;
        let busy = [Bits::new(1, order, budget)?, Bits::new(1, order, budget)?];
        let channels = index(order) * network.ports() as usize;
        let cost = Cost::default();
        let used = vec![(0, 0); channels];
        let round = Round::new([order, hosts], goal, method, budget)?;
        let arrivals = Vec::new();
        Ok(Judge { network, model, ledger, busy, used, round, arrivals, cost })
    }

    /// Where a transfer leads, if it may be made in this step.
    fn allowed(&mut self, transfer: Transfer) -> Result<Arrival, Fault> {
        let Transfer { from, port, block } = transfer;
        let step = self.cost.steps;
        if from.0 >= self.network.order() {
            return Err(Violation::NoNode { step, node: from }.into());
        }
        let in_range = port.0 < self.network.ports();
        let to = in_range.then(|| self.network.neighbor(from, port)).flatten();
        let to = to.ok_or(Violation::NoLink { step, from, port })?;
        let blocks = self.ledger.blocks;
        if block >= blocks {
            return Err(Violation::NoBlock { step, from, block, blocks }.into());
        }
        if !self.ledger.holds(from, block) {
            return Err(Violation::NotHeld { step, from, block }.into());
        }
        let channel = index(from.0) * self.network.ports() as usize + port.0 as usize;
        let (last, times) = &mut self.used[channel];
        let now = u32::try_from(step).unwrap_or(u32::MAX);
        if *last == now {
            return Err(Violation::LinkTwice { step, from, to }.into());
        }
        self.round.same &= last.wrapping_add(1) == now;
        (*last, *times) = (now, times.saturating_add(1));
        self.cost.busiest = self.cost.busiest.max((*times).into());
        if self.model.ports == Ports::One {
            if !self.busy[0].set(0, from.0) {
                return Err(Violation::SendsTwice { step, node: from }.into());
            }
            if !self.busy[1].set(0, to.0) {
                return Err(Violation::ReceivesTwice { step, node: to }.into());
            }
        }
        Ok(Arrival { from, to, block })
    }

    /// One step: first everything is seen to be there, then everything arrives.
    fn step(&mut self, transfers: &[Transfer]) -> Result<(), Fault> {
        self.cost.steps += 1;
        self.cost.transfers += transfers.len() as u64;
        self.round.same = self.cost.rounds > 0;
        let mut arrivals = std::mem::take(&mut self.arrivals);
        arrivals.clear();
        for &transfer in transfers {
            arrivals.push(self.allowed(transfer)?);
        }
        if self.model.ports == Ports::One {
            for Arrival { from, to, .. } in &arrivals {
                self.busy[0].clear(0, from.0);
                self.busy[1].clear(0, to.0);
            }
        }
        self.cost.rounds += u64::from(!self.round.goes_on(&arrivals));
        self.cost.repeats += self.ledger.arrive(self.cost.steps, self.model.repeats, &arrivals)?;
        self.arrivals = arrivals;
        Ok(())
    }

    fn end(mut self) -> Result<Cost, Fault> {
        let held = self.ledger.end(self.cost.steps, Some(self.network))?;
        // A transfer is one block over one link.
        let Cost { steps, transfers, .. } = self.cost;
        let (load, link_load) = (steps as f64, self.cost.busiest as f64);
        Ok(Cost { held, blocks: transfers, load, link_load, ..self.cost })
    }
}

#[cfg(test)]
mod tests;
