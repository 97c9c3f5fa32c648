//! Which algorithm for which collective? By name, or the one that takes the least time.

use super::algorithm::{Algorithm, Collective, Fabric};
use super::alltoall::all_to_all_schedule;
use super::bounds::host_bounds;
use super::gossip::gossip_made;
use super::plan::Price;
use super::ring::around_made;
use super::rounds::{self, Phases, Rounds};
use super::topology::Wires;
use super::{
    Bounds, Cost, Cube, Goal, LazySchedule, Model, PlanError, Ports, Repeats, Schedule, check_anew,
    check_anew_bytes, check_rounds, cycle, gather, lower_bounds, middle, reduce, scatter, spread,
    there_and_back,
};
use nestnet_graph::{Budget, Csr, CsrError, Network, Node};
use nestnet_routing::Router;
use std::sync::Arc;

/// How long a schedule takes.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Time {
    /// Steps, empty ones included.
    pub steps: u64,
    /// Steps that need a message of their own: those that send on the same links nothing that arrived since share one.
    pub rounds: u64,
    /// α for every round and β for every byte of every step, as all wait for the longest message.
    pub seconds: f64,
}

/// The time of a schedule whose blocks all have `block_bytes` bytes, by what the checker counted.
///
/// ```
/// use nestnet_collectives::{Cube, Goal, Model, Ports, Price, Repeats, check, time};
/// use nestnet_graph::{Budget, Csr};
///
/// let square = Csr::from_links(4, &[(0, 1), (1, 3), (3, 2), (2, 0)], 1 << 20)?;
/// let budget = Budget::default();
/// let doubling = Cube::within(&square, &budget)?.allgather(&budget)?;
/// let model = Model { ports: Ports::One, repeats: Repeats::Forbidden };
/// let cost = check(&square, model, Goal::Allgather, doubling.stream(), &budget)?;
/// let taken = time(&cost, Price { alpha: 1.0, beta: 0.5, hop: 0.0 }, 8.0);
/// assert_eq!((taken.steps, taken.rounds, taken.seconds), (3, 2, 2.0 + 3.0 * 4.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn time(cost: &Cost, price: Price, block_bytes: f64) -> Time {
    let Cost { steps, rounds, hops, load, .. } = *cost;
    let seconds =
        price.alpha * rounds as f64 + price.hop * hops as f64 + price.beta * block_bytes * load;
    Time { steps, rounds, seconds }
}

/// What is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// On which network.
    pub network: &'a dyn Network,
    /// What stores and forwards.
    pub fabric: Fabric,
    /// By whose routes, where routes are taken: over links by its first choice, through switches by all of them alike.
    pub router: Option<&'a dyn Router>,
    /// The goal of the schedule.
    pub collective: Collective,
    /// The root, where there is one.
    pub root: Node,
    /// How much a node can do in a step.
    pub ports: Ports,
    /// What messages cost.
    pub price: Price,
    /// The payload of one host: its block, its vector to be summed, or all that it has for the others.
    pub bytes: u64,
    /// How far it may go.
    pub budget: Budget<'a>,
}

/// How the blocks move.
#[derive(Clone, Debug)]
pub enum Moves {
    /// Over links, step by step.
    Links(LazySchedule),
    /// From host to host along routes, round by round.
    Routes(Rounds),
}

/// A schedule that was checked, and what it costs.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Planned {
    /// Who made it.
    pub algorithm: Algorithm,
    /// What it achieves.
    pub goal: Goal,
    /// All of it.
    pub moves: Moves,
    /// What the checker counted.
    pub cost: Cost,
    /// Bytes of a block.
    pub block_bytes: f64,
    /// How long it takes.
    pub time: Time,
    /// What no schedule for this goal can beat.
    pub bounds: Bounds,
}

/// The best plan, and how every algorithm fared.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The one that takes the least time.
    pub best: Planned,
    /// All algorithms in their order: how long they take, or why they have no schedule here.
    pub tried: Vec<(Algorithm, Result<Time, PlanError>)>,
}

impl Request<'_> {
    /// The plan of one algorithm, which must be one of [`Collective::algorithms`].
    pub fn plan(&self, algorithm: Algorithm) -> Result<Planned, PlanError> {
        let Request { network, ports, ref budget, .. } = *self;
        let goal = self.goal(algorithm);
        let (moves, cost, bounds) = match self.fabric {
            Fabric::Direct => {
                // What could not be checked is not made.
                budget.fits("the check", check_anew_bytes(network, goal))?;
                let (schedule, wires) = self.over_links(algorithm)?;
                let network = wires.as_deref().map_or(network, |wires| wires as &dyn Network);
                let model = Model { ports, repeats: Repeats::Forbidden };
                let cost = check_anew(network, model, goal, || schedule.stream(), budget)?;
                let bounds = lower_bounds(network, goal, ports, &budget.watch)?;
                (Moves::Links(schedule), cost, bounds)
            }
            Fabric::Switched => {
                let router = self.router.ok_or(PlanError::NoRouter)?;
                let rounds = self.along_routes(algorithm)?;
                let cost = check_rounds(network, router, ports, goal, &rounds, budget)?;
                (Moves::Routes(rounds), cost, host_bounds(network, goal, ports))
            }
        };
        let blocks = match goal {
            Goal::Reduce { blocks, .. } | Goal::Allreduce { blocks } => blocks,
            Goal::AllToAll => network.hosts(),
            _ => 1,
        };
        let block_bytes = self.bytes as f64 / blocks.max(1) as f64;
        let time = time(&cost, self.price, block_bytes);
        Ok(Planned { algorithm, goal, moves, cost, block_bytes, time, bounds })
    }

    /// The plan that takes the least time; of equals the one with the fewest steps, then the first.
    pub fn best(&self) -> Result<Choice, PlanError> {
        let mut best: Option<Planned> = None;
        let mut tried = Vec::new();
        for algorithm in self.collective.algorithms(self.fabric) {
            match self.may_be_best(algorithm).and_then(|()| self.plan(algorithm)) {
                Err(error @ PlanError::Interrupted(_)) => return Err(error),
                Err(error) => tried.push((algorithm, Err(error))),
                Ok(plan) => {
                    tried.push((algorithm, Ok(plan.time)));
                    let rank = |plan: &Planned| (plan.time.seconds, plan.time.steps);
                    if best.as_ref().is_none_or(|best| rank(&plan) < rank(best)) {
                        best = Some(plan);
                    }
                }
            }
        }
        match (best, tried.last()) {
            (Some(best), _) => Ok(Choice { best, tried }),
            // The last is the one that works on any network, so that its reason is the one to tell.
            (None, Some(&(_, Err(error)))) => Err(error),
            (None, _) => unreachable!("every collective has an algorithm, and none has a plan"),
        }
    }

    /// An error where another algorithm is known to be as good before either is made.
    fn may_be_best(&self, algorithm: Algorithm) -> Result<(), PlanError> {
        match algorithm {
            Algorithm::Phased if !self.phases()?.may_gain()? => Err(PlanError::NoGain),
            _ => Ok(()),
        }
    }

    fn phases(&self) -> Result<Phases<'_>, PlanError> {
        let Request { network, price, ref budget, .. } = *self;
        let router = self.router.ok_or(PlanError::NoRouter)?;
        let servers = rounds::servers(network).ok_or(PlanError::NoServers)?;
        let block_bytes = self.bytes as f64 / network.hosts() as f64;
        Ok(Phases::new(network, router, servers, price, block_bytes, budget))
    }

    fn goal(&self, algorithm: Algorithm) -> Goal {
        let root = self.root;
        match self.collective {
            Collective::Broadcast => Goal::Broadcast { root },
            Collective::Scatter => Goal::Scatter { root },
            Collective::Gather => Goal::Gather { root },
            Collective::Reduce => match algorithm {
                Algorithm::Pipelined => Goal::Reduce { root, blocks: self.segments() },
                _ => Goal::Reduce { root, blocks: 1 },
            },
            Collective::Allgather => Goal::Allgather,
            Collective::Allreduce => match algorithm {
                // These send the whole vector as one block.
                Algorithm::Tree | Algorithm::Exchange => Goal::Allreduce { blocks: 1 },
                Algorithm::Pipelined => Goal::Allreduce { blocks: self.segments() },
                _ => Goal::Allreduce { blocks: self.network.hosts() },
            },
            Collective::AllToAll => Goal::AllToAll,
        }
    }

    /// Segments of a vector for a pipelined tree of depth d, which takes about 2(k + d) rounds of α + β·bytes/k with k
    /// segments: the power of two that takes least.
    fn segments(&self) -> u64 {
        /// More take long to check, and gain little.
        const MOST_DOUBLINGS: u32 = 10;
        let depth = f64::from(self.network.hosts().max(2).ilog2());
        let Price { alpha, beta, .. } = self.price;
        let seconds = |segments: u64| {
            let many = segments as f64;
            (many + depth) * (alpha + beta * self.bytes as f64 / many)
        };
        let all = (0..=MOST_DOUBLINGS).map(|doublings| 1u64 << doublings);
        let fitting = all.filter(|&segments| segments == 1 || segments <= self.bytes);
        fitting.min_by(|&a, &b| seconds(a).total_cmp(&seconds(b))).unwrap_or(1)
    }

    fn not_for(&self, algorithm: Algorithm) -> PlanError {
        PlanError::NotFor { algorithm, collective: self.collective, fabric: self.fabric }
    }

    /// A schedule over links, and where it has a block for each host the network as a table.
    fn over_links(
        &self,
        algorithm: Algorithm,
    ) -> Result<(LazySchedule, Option<Arc<Wires>>), PlanError> {
        use Algorithm::{Doubling, Exchange, Greedy, Halving, Ring, Routed, Tree};
        use Collective::{AllToAll, Allgather, Allreduce, Broadcast, Gather, Reduce, Scatter};
        let Request { network, root, ports, ref budget, .. } = *self;
        let one = |schedule: Schedule| Ok((schedule.into(), None));
        let wires = || Wires::new(network, budget).map(Arc::new);
        let among_all = |made: LazySchedule, wires| Ok((made, Some(wires)));
        let gathered = |made: LazySchedule, wires: Arc<Wires>| match self.collective == Allreduce {
            true => among_all(made.both_ways(wires.clone()), wires),
            false => among_all(made, wires),
        };
        match (self.collective, algorithm) {
            (Broadcast, Tree) => one(spread(network, root, ports, budget)?),
            (Scatter, Tree) => one(scatter(network, root, ports, budget)?),
            (Gather, Tree) => one(gather(network, root, ports, budget)?),
            (Reduce, Tree) => one(reduce(network, root, ports, budget)?),
            (Allreduce, Tree) => {
                one(there_and_back(network, spread(network, middle(network), ports, budget)?))
            }
            (Allreduce, Exchange) => one(Cube::within(network, budget)?.allreduce()),
            (Allgather | Allreduce, Ring) => {
                let wires = wires()?;
                gathered(self.ring(&wires)?, wires)
            }
            (Allgather, Doubling) | (Allreduce, Halving) => {
                let wires = wires()?;
                gathered(Cube::within(&*wires, budget)?.allgather_schedule(), wires)
            }
            (Allgather | Allreduce, Greedy) => {
                let wires = wires()?;
                gathered(gossip_made(&wires, ports, budget)?, wires)
            }
            (AllToAll, Exchange) => {
                let wires = wires()?;
                among_all(Cube::within(&*wires, budget)?.all_to_all_schedule(), wires)
            }
            (AllToAll, Routed) => {
                let (wires, router) = (wires()?, self.router.ok_or(PlanError::NoRouter)?);
                among_all(all_to_all_schedule(&wires, router, ports, budget)?, wires)
            }
            _ => Err(self.not_for(algorithm)),
        }
    }

    fn ring(&self, wires: &Wires) -> Result<LazySchedule, PlanError> {
        let Request { ports, ref budget, .. } = *self;
        if wires.hosts() != wires.order() {
            return Err(PlanError::NoCycle);
        }
        let csr = Csr::from_network(wires, budget).map_err(|error| match error {
            CsrError::Budget(over) => PlanError::Budget(over),
            CsrError::Interrupted(stopped) => PlanError::Interrupted(stopped),
            _ => PlanError::NoCycle,
        })?;
        let found = cycle(&csr, &budget.watch)?.ok_or(PlanError::NoCycle)?;
        around_made(wires, &found, ports)
    }

    /// A schedule from host to host.
    fn along_routes(&self, algorithm: Algorithm) -> Result<Rounds, PlanError> {
        use Algorithm::{
            Doubling, Exchange, Halving, Hierarchical, Phased, Pipelined, Ring, Shift, Tree,
        };
        use Collective::{AllToAll, Allgather, Allreduce, Broadcast, Gather, Reduce, Scatter};
        let (hosts, root) = (self.network.hosts(), self.root);
        if self.collective.has_root() && root.0 >= hosts {
            return Err(PlanError::NotHost { node: root, hosts });
        }
        Ok(match (self.collective, algorithm) {
            (Broadcast, Tree) => rounds::broadcast(hosts, root),
            (Scatter, Tree) => rounds::scatter(hosts, root),
            (Gather, Tree) => rounds::scatter(hosts, root).reversed(),
            (Reduce, Tree) => rounds::broadcast(hosts, root).reversed(),
            (Allgather, Ring) => rounds::ring(hosts),
            (Allgather, Doubling) => rounds::doubling(hosts),
            (Allreduce, Tree) => rounds::broadcast(hosts, Node(0)).both_ways(),
            (Allreduce, Exchange) => rounds::exchange(hosts).ok_or(PlanError::NoPower)?,
            (Allreduce, Ring) => rounds::ring(hosts).both_ways(),
            (Allreduce, Halving) => rounds::doubling(hosts).both_ways(),
            (AllToAll, Phased) => self.phases()?.rounds(self.network)?,
            (AllToAll, Shift) => rounds::shift(hosts),
            (Reduce, Pipelined) => rounds::pipelined(hosts, root, self.segments()).reversed(),
            (Allreduce, Pipelined) => {
                rounds::pipelined(hosts, Node(0), self.segments()).both_ways()
            }
            (Allreduce, Hierarchical) => {
                let servers = rounds::servers(self.network).ok_or(PlanError::NoServers)?;
                rounds::hierarchical(servers).both_ways()
            }
            _ => return Err(self.not_for(algorithm)),
        })
    }
}
