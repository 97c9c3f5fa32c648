//! How is the search for deadlocks cut up? As a job whose units are blocks of targets.

use super::explore::{Scratch, Source};
use super::graph::Explored;
use super::{Certificate, Channel, Deadlock, DeadlockError, cycle, witness};
use crate::route::Router;
use nestnet_graph::job::{Job, Shard, run};
use nestnet_graph::{Budget, Network, Watch};
use std::sync::{Mutex, PoisonError};

/// [`certify`](super::certify) as a job: its units are blocks of targets.
#[derive(Debug)]
pub struct Exploring<'a> {
    source: Source<'a>,
    /// Targets of a unit.
    block: usize,
    /// What a unit may take; whoever runs it brings the watch.
    limits: Budget<'static>,
    /// What units worked with, for the next ones: growing it takes time.
    idle: Mutex<Vec<Scratch>>,
}

/// Steps that a unit takes for every word that it gives, so that uniting these takes no time besides.
const STEPS_A_WORD: u128 = 32;

impl<'a> Exploring<'a> {
    /// Writes the links out, or refuses what would take too long.
    pub fn new(
        network: &dyn Network,
        router: &'a dyn Router,
        limits: &Budget<'_>,
    ) -> Result<Self, DeadlockError> {
        let source = Source::new(network, router, limits)?;
        let steps = STEPS_A_WORD * source.layout.words() as u128;
        let block = steps.div_ceil(source.steps().max(1)).clamp(1, source.targets().max(1) as u128);
        let block = usize::try_from(block).unwrap_or(usize::MAX);
        let limits = Budget { memory: limits.memory, steps: limits.steps, watch: Watch::SILENT };
        Ok(Exploring { source, block, limits, idle: Mutex::default() })
    }

    /// Does the units of a shard: in all threads where what they hold at once fits, else one after the other.
    pub fn explore(&self, shard: Shard, limits: &Budget<'_>) -> Result<Explored, DeadlockError> {
        let units = shard.units(self.units());
        // What a thread adds to, what it adds, and for each time that the work was halved what waits to be united.
        let threads = rayon::current_num_threads() as u128;
        let at_once = threads * (2 + u128::from(units.max(1).ilog2()));
        let need = 8 * self.source.layout.words() as u128 * at_once.min(units.into());
        if limits.fits("the dependencies", need).is_ok() {
            return run(self, shard, &limits.watch);
        }
        let mut seen = self.source.layout.blank();
        for own in 0..units {
            self.follow(shard.unit(own), &mut seen, &limits.watch)?;
            (limits.watch.progress)(own as f64 / units as f64);
        }
        Ok(seen)
    }

    /// Whether it can be what some units of this job gave.
    pub fn knows(&self, part: &Explored) -> bool {
        let stands = |at| self.source.stands(at);
        *part == Explored::NOTHING || self.source.layout.holds(part, stands)
    }

    /// The verdict on what all units gave together.
    pub fn finish(&self, all: Explored, limits: &Budget<'_>) -> Result<Certificate, DeadlockError> {
        let graph = self.source.graph(all);
        let verdict = match graph.order() {
            Ok(order) => {
                Deadlock::Free { order: order.into_iter().map(|c| graph.channel(c)).collect() }
            }
            Err(stuck) => {
                let cycle = cycle::shortest(&graph, &stuck, &limits.watch)?;
                let channels: Vec<Channel> = cycle.into_iter().map(|c| graph.channel(c)).collect();
                Deadlock::Cycle(witness::witnesses(&self.source, &channels, limits)?)
            }
        };
        Ok(Certificate {
            verdict,
            vcs: graph.vcs_used(),
            channels: graph.channels(),
            dependencies: graph.dependencies(),
            pairs: graph.pairs(),
            how: self.source.how(),
        })
    }

    /// Adds what is seen on routes to the targets of a unit.
    fn follow(
        &self,
        unit: u64,
        seen: &mut Explored,
        watch: &Watch<'_>,
    ) -> Result<(), DeadlockError> {
        let limits = Budget { watch: *watch, ..self.limits };
        let targets = self.source.targets();
        let first = usize::try_from(unit).unwrap_or(usize::MAX).saturating_mul(self.block);
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let mut scratch = idle().pop().unwrap_or_default();
        for number in first.min(targets)..first.saturating_add(self.block).min(targets) {
            watch.check()?;
            self.source.follow(number, seen, &mut scratch, &limits)?;
        }
        idle().push(scratch);
        Ok(())
    }
}

impl Job for Exploring<'_> {
    type Part = Explored;
    type Error = DeadlockError;

    fn units(&self) -> u64 {
        self.source.targets().div_ceil(self.block) as u64
    }

    fn nothing(&self) -> Explored {
        Explored::NOTHING
    }

    fn unit(&self, number: u64, watch: &Watch<'_>) -> Result<Explored, DeadlockError> {
        let mut seen = self.source.layout.blank();
        self.follow(number, &mut seen, watch)?;
        Ok(seen)
    }

    fn merge(&self, one: Explored, other: Explored) -> Explored {
        one.join(other)
    }
}

#[cfg(test)]
mod tests {
    use super::super::certify;
    use super::*;
    use crate::route::{Searched, UpDownLayers, Valiant};
    use nestnet_seed::samples::ring;
    use std::sync::Arc;

    const LIMITS: &Budget<'_> = &Budget::UNLIMITED;

    /// A ring, with routers that follow rows and states, and have a cycle and none.
    fn routers() -> (Arc<dyn Network>, [Arc<dyn Router>; 3]) {
        let network: Arc<dyn Network> = Arc::new(ring(50));
        let shortest: Arc<dyn Router> = Arc::new(Searched::new(network.clone()).unwrap());
        let turns = Arc::new(UpDownLayers::new(network.clone(), shortest.clone(), None));
        let valiant = Arc::new(Valiant::new(turns.clone(), 0..50).unwrap());
        (network, [shortest, turns, valiant])
    }

    /// What shards found, each written down and read back, in another order: as if nobody had cut it up.
    #[test]
    fn shards_together_are_the_whole() {
        let (network, routers) = routers();
        for router in &routers {
            let job = Exploring::new(&*network, &**router, LIMITS).unwrap();
            assert!(job.units() > 3, "{}", job.units());
            let mut all = job.nothing();
            for number in [2, 4, 3, 1] {
                let part = job.explore(Shard::new(number, 4).unwrap(), LIMITS).unwrap();
                let text = serde_json::to_string(&part).unwrap();
                let part = serde_json::from_str(&text).unwrap();
                assert!(job.knows(&part));
                all = job.merge(all, part);
            }
            let whole = certify(&*network, &**router, LIMITS).unwrap();
            assert_eq!(job.finish(all, LIMITS).unwrap(), whole);
            for threads in [1, 2, 8] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                assert_eq!(pool.install(|| certify(&*network, &**router, LIMITS)).unwrap(), whole);
            }
        }
    }

    /// Just enough memory for one set of dependencies.
    #[test]
    fn what_does_not_fit_at_once_is_done_in_turn() {
        let (network, [shortest, ..]) = routers();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(8).build().unwrap();
        let within = |memory: u64| {
            let limits = Budget { memory, ..Budget::UNLIMITED };
            pool.install(|| certify(&*network, &*shortest, &limits))
        };
        let least = (1..).find(|&memory| within(memory).is_ok()).unwrap();
        let job = Exploring::new(&*network, &*shortest, LIMITS).unwrap();
        assert!(8 * job.source.layout.words() as u64 * job.units() > least);
        assert_eq!(within(least), certify(&*network, &*shortest, LIMITS));
    }

    #[test]
    fn parts_of_others_are_not_known() {
        let (network, [shortest, ..]) = routers();
        let small = Exploring::new(&ring(5), &*shortest, LIMITS).unwrap();
        let job = Exploring::new(&*network, &*shortest, LIMITS).unwrap();
        assert!(!job.knows(&small.source.layout.blank()));
        // Channel 0 leads from node 0 to node 1, whose port 0 leads back.
        let mut part = job.source.layout.blank();
        part.take(0);
        part.depend(&job.source.layout, 0, 2);
        assert!(!job.knows(&part), "what follows is not taken");
        part.take(2);
        assert!(job.knows(&part));
        part.depend(&job.source.layout, 2, 0);
        let found = job.finish(part.clone(), LIMITS);
        assert!(matches!(found, Err(DeadlockError::NotMade { .. })), "{found:?}");
        part.take(100);
        assert!(!job.knows(&part), "a ring of 50 has 100 channels");
        let mut part = job.source.layout.blank();
        part.take(0);
        part.depend(&job.source.layout, 0, 4);
        assert!(!job.knows(&part), "node 1 has two ports");
    }
}
