//! Which algorithm for which collective? By name, or the one that takes the least time.

use super::alltoall::all_to_all_made;
use super::gossip::gossip_made;
use super::ring::around_made;
use super::topology::Wires;
use super::{
    Bounds, Cost, Cube, Goal, LazySchedule, Model, PlanError, Ports, Price, Repeats, Time,
    check_anew, check_anew_bytes, cycle, gather, lower_bounds, middle, reduce, scatter, spread,
    there_and_back, time,
};
use nestnet_graph::{Budget, Csr, CsrError, Network, Node};
use nestnet_routing::Router;
use std::sync::Arc;

/// A collective without its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Collective {
    /// [`Goal::Scatter`].
    Scatter,
    /// [`Goal::Gather`].
    Gather,
    /// [`Goal::Reduce`].
    Reduce,
    /// [`Goal::Allgather`].
    Allgather,
    /// [`Goal::Allreduce`].
    Allreduce,
    /// [`Goal::AllToAll`].
    AllToAll,
}

impl Collective {
    /// All of them.
    pub const ALL: [Collective; 6] = [
        Collective::Scatter,
        Collective::Gather,
        Collective::Reduce,
        Collective::Allgather,
        Collective::Allreduce,
        Collective::AllToAll,
    ];

    /// Algorithms of an allreduce that send the whole vector as one block.
    const SHORT: [&'static str; 2] = ["tree", "exchange"];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Collective::Scatter => "scatter",
            Collective::Gather => "gather",
            Collective::Reduce => "reduce",
            Collective::Allgather => "allgather",
            Collective::Allreduce => "allreduce",
            Collective::AllToAll => "all-to-all",
        }
    }

    /// Whether one node is the root of it.
    pub fn has_root(self) -> bool {
        matches!(self, Collective::Scatter | Collective::Gather | Collective::Reduce)
    }

    /// The names of its algorithms.
    ///
    /// `tree` goes by shortest paths, `ring` around a cycle through all nodes, `doubling`, `halving` and `exchange`
    /// over the links that flip each bit of the node number, `greedy` over every link that has something new, `routed`
    /// along the routes of a router.
    pub fn algorithms(self) -> &'static [&'static str] {
        match self {
            Collective::Scatter | Collective::Gather | Collective::Reduce => &["tree"],
            Collective::Allgather => &["ring", "doubling", "greedy"],
            Collective::Allreduce => &["tree", "exchange", "ring", "halving", "greedy"],
            Collective::AllToAll => &["exchange", "routed"],
        }
    }
}

/// What is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// On which network.
    pub network: &'a dyn Network,
    /// By whose routes, where routes are taken.
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

/// A schedule that was checked, and what it costs.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Planned {
    /// Who made it.
    pub algorithm: &'static str,
    /// What it achieves.
    pub goal: Goal,
    /// All of it.
    pub schedule: LazySchedule,
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
    pub tried: Vec<(&'static str, Result<Time, PlanError>)>,
}

impl Request<'_> {
    /// The plan of one algorithm, which must be one of [`Collective::algorithms`].
    pub fn plan(&self, algorithm: &'static str) -> Result<Planned, PlanError> {
        let hosts = self.network.hosts();
        let goal = self.goal(algorithm);
        // What could not be checked is not made.
        self.budget.fits("the check", check_anew_bytes(self.network, goal))?;
        let many = match self.collective {
            Collective::Allgather | Collective::AllToAll => true,
            Collective::Allreduce => !Collective::SHORT.contains(&algorithm),
            Collective::Scatter | Collective::Gather | Collective::Reduce => false,
        };
        let wires = many.then(|| Wires::new(self.network, &self.budget)).transpose()?.map(Arc::new);
        let network = wires.as_deref().map_or(self.network, |wires| wires as &dyn Network);
        let schedule = match &wires {
            Some(wires) => self.among_all(algorithm, wires)?,
            None => self.schedule(algorithm)?,
        };
        let blocks = match goal {
            Goal::Reduce { blocks, .. } | Goal::Allreduce { blocks } => blocks,
            Goal::AllToAll => hosts,
            _ => 1,
        };
        let block_bytes = self.bytes as f64 / blocks.max(1) as f64;
        let model = Model { ports: self.ports, repeats: Repeats::Forbidden };
        let cost = check_anew(network, model, goal, || schedule.stream(), &self.budget)?;
        let time = time(&cost, self.price, block_bytes);
        let bounds = lower_bounds(network, goal, self.ports, &self.budget.watch)?;
        Ok(Planned { algorithm, goal, schedule, cost, block_bytes, time, bounds })
    }

    /// The plan that takes the least time; of equals the one with the fewest steps, then the first.
    pub fn best(&self) -> Result<Choice, PlanError> {
        let mut best: Option<Planned> = None;
        let mut tried = Vec::new();
        for &algorithm in self.collective.algorithms() {
            match self.plan(algorithm) {
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

    fn goal(&self, algorithm: &str) -> Goal {
        let root = self.root;
        match self.collective {
            Collective::Scatter => Goal::Scatter { root },
            Collective::Gather => Goal::Gather { root },
            Collective::Reduce => Goal::Reduce { root, blocks: 1 },
            Collective::Allgather => Goal::Allgather,
            Collective::Allreduce => match algorithm {
                short if Collective::SHORT.contains(&short) => Goal::Allreduce { blocks: 1 },
                _ => Goal::Allreduce { blocks: self.network.hosts() },
            },
            Collective::AllToAll => Goal::AllToAll,
        }
    }

    /// A schedule of a few blocks.
    fn schedule(&self, algorithm: &str) -> Result<LazySchedule, PlanError> {
        let Request { network, root, ports, ref budget, .. } = *self;
        Ok(LazySchedule::from(match (self.collective, algorithm) {
            (Collective::Scatter, _) => scatter(network, root, ports, budget)?,
            (Collective::Gather, _) => gather(network, root, ports, budget)?,
            (Collective::Reduce, _) => reduce(network, root, ports, budget)?,
            (_, "exchange") => Cube::within(network, budget)?.allreduce(),
            _ => there_and_back(network, spread(network, middle(network), ports, budget)?),
        }))
    }

    /// A schedule of a block for each host, or each pair of them.
    fn among_all(&self, algorithm: &str, wires: &Arc<Wires>) -> Result<LazySchedule, PlanError> {
        let Request { ports, ref budget, .. } = *self;
        let cube = || Cube::within(&**wires, budget);
        let allgather = || match algorithm {
            "ring" => self.ring(wires),
            "doubling" | "halving" => Ok(cube()?.allgather_made()),
            _ => gossip_made(wires, ports, budget),
        };
        match (self.collective, algorithm) {
            (Collective::AllToAll, "exchange") => Ok(cube()?.all_to_all_made()),
            (Collective::AllToAll, _) => {
                let router = self.router.ok_or(PlanError::NoRouter)?;
                all_to_all_made(wires, router, ports, budget)
            }
            (Collective::Allreduce, _) => Ok(allgather()?.both_ways(wires.clone())),
            _ => allgather(),
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
}
