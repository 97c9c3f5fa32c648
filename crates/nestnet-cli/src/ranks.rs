//! Which ranks share the work, and who does which unit? The first rank hands units out to whoever is free.
//!
//! Without the feature `mpi` there are no ranks, and no MPI library is needed. With it, ranks are looked for only where
//! the program was started by `mpirun` or the like.

#[cfg(feature = "mpi")]
pub use with_mpi::Ranks;
#[cfg(not(feature = "mpi"))]
pub use without_mpi::Ranks;

use nestnet::Watch;
use nestnet::job::{self, Job, Shard};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// What a unit gives, as bytes.
pub type Found = anyhow::Result<Vec<u8>>;

/// Pieces of a job for each rank: enough that all end at about the same time, and few enough to be merged besides.
const PIECES: u64 = 32;

/// Does all units of a job by all ranks, each in all its threads. The first rank gets what they give, merged; the others
/// nothing.
pub fn run<J>(ranks: &Ranks, job: &J, watch: &Watch<'_>) -> anyhow::Result<Option<J::Part>>
where
    J: Job<Error: std::error::Error + Sync + 'static, Part: Serialize + DeserializeOwned>,
{
    let quiet = Watch { progress: &|_| (), ..*watch };
    let pieces = job.units().min(PIECES * ranks.count());
    let work = |piece: u64| {
        let shard = Shard::new(piece + 1, pieces)?;
        Ok(serde_json::to_vec(&job::run(job, shard, &quiet)?)?)
    };
    let (mut done, mut merged) = (0, job.nothing());
    let mut take = |found: Vec<u8>| {
        let found = serde_json::from_slice(&found)?;
        merged = job.merge(std::mem::replace(&mut merged, job.nothing()), found);
        done += 1;
        (watch.progress)(f64::from(done) / pieces as f64);
        Ok(())
    };
    ranks.hand_out((0..pieces).collect(), &work, &mut take)?;
    Ok(ranks.is_first().then_some(merged))
}

/// Whether this process was started as one of several ranks.
pub fn is_ranked() -> bool {
    cfg!(feature = "mpi")
        && ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"]
            .iter()
            .any(|name| std::env::var_os(name).is_some())
}

#[cfg(not(feature = "mpi"))]
mod without_mpi {
    use super::Found;

    /// There are none.
    pub enum Ranks {}

    impl Ranks {
        /// None.
        pub fn start() -> anyhow::Result<Option<Self>> {
            Ok(None)
        }

        /// How many there are.
        pub fn count(&self) -> u64 {
            match *self {}
        }

        /// Whether this is the one that speaks.
        pub fn is_first(&self) -> bool {
            match *self {}
        }

        /// Does all units, each once.
        pub fn hand_out(
            &self,
            _units: Vec<u64>,
            _work: &(dyn Fn(u64) -> Found + Sync),
            _take: &mut dyn FnMut(Vec<u8>) -> anyhow::Result<()>,
        ) -> anyhow::Result<()> {
            match *self {}
        }
    }
}

#[cfg(feature = "mpi")]
mod with_mpi {
    use super::{Found, is_ranked};
    use anyhow::{Context as _, anyhow};
    use mpi::Threading;
    use mpi::environment::Universe;
    use mpi::topology::SimpleCommunicator;
    use mpi::traits::{Communicator, Destination, Source};
    use std::collections::VecDeque;
    use std::sync::mpsc::{Sender, channel};
    use std::sync::{Mutex, PoisonError};
    use std::thread;
    use std::time::Duration;

    /// How long the first rank sleeps where nobody asks: far less than a unit takes, and it leaves its core to the work.
    const NAP: Duration = Duration::from_micros(200);

    /// What a rank says: that it is free, what it found, or why it found nothing.
    const FREE: u8 = 0;
    const FOUND: u8 = 1;
    const FAILED: u8 = 2;

    /// No more units.
    const END: u64 = u64::MAX;

    /// All ranks of this run.
    pub struct Ranks {
        world: SimpleCommunicator,
        // Ends MPI when it is dropped.
        _universe: Universe,
    }

    impl Ranks {
        /// The ranks, where there are any.
        pub fn start() -> anyhow::Result<Option<Self>> {
            if !is_ranked() {
                return Ok(None);
            }
            // All messages come from the main thread.
            let started = mpi::initialize_with_threading(Threading::Funneled);
            let (universe, _) = started.context("MPI is started already")?;
            Ok(Some(Ranks { world: universe.world(), _universe: universe }))
        }

        /// How many there are.
        pub fn count(&self) -> u64 {
            u64::try_from(self.world.size()).unwrap_or(1)
        }

        /// Whether this is the one that speaks.
        pub fn is_first(&self) -> bool {
            self.world.rank() == 0
        }

        /// Does all units, each once: the first rank hands them out, one by one, to whoever is free, itself included,
        /// and takes what they give, in any order. The units are those of the first rank; it alone calls `take`.
        ///
        /// Once a unit fails, or `take` does, no more are handed out, and the first rank says why.
        pub fn hand_out(
            &self,
            units: Vec<u64>,
            work: &(dyn Fn(u64) -> Found + Sync),
            take: &mut dyn FnMut(Vec<u8>) -> anyhow::Result<()>,
        ) -> anyhow::Result<()> {
            match self.is_first() {
                true => self.lead(units, work, take),
                false => self.follow(work),
            }
        }

        fn follow(&self, work: &(dyn Fn(u64) -> Found + Sync)) -> anyhow::Result<()> {
            let first = self.world.process_at_rank(0);
            let mut said = vec![FREE];
            loop {
                first.send(&said[..]);
                let (unit, _) = first.receive::<u64>();
                if unit == END {
                    return Ok(());
                }
                said = match work(unit) {
                    Ok(found) => [&[FOUND], &found[..]].concat(),
                    Err(error) => {
                        let why = format!("rank {}: {error:#}", self.world.rank());
                        [&[FAILED], why.as_bytes()].concat()
                    }
                };
            }
        }

        fn lead(
            &self,
            units: Vec<u64>,
            work: &(dyn Fn(u64) -> Found + Sync),
            take: &mut dyn FnMut(Vec<u8>) -> anyhow::Result<()>,
        ) -> anyhow::Result<()> {
            let queue = Mutex::new(VecDeque::from(units));
            let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
            let stop = || queue.lock().unwrap_or_else(PoisonError::into_inner).clear();
            let (send, received) = channel::<Found>();
            let mut failed: Option<anyhow::Error> = None;
            let mut taken = |found: Found, failed: &mut Option<anyhow::Error>| {
                if let Err(error) = found.and_then(&mut *take) {
                    stop();
                    failed.get_or_insert(error);
                }
            };
            thread::scope(|scope| {
                let own = move |tell: Sender<Found>| {
                    while let Some(unit) = next() {
                        // Nobody listens once the first rank has ended.
                        if tell.send(work(unit)).is_err() {
                            break;
                        }
                    }
                };
                let own = scope.spawn(move || own(send));
                let mut others = self.world.size() - 1;
                while others > 0 || !own.is_finished() {
                    let mut idle = true;
                    for found in received.try_iter() {
                        idle = false;
                        taken(found, &mut failed);
                    }
                    if let Some(status) = self.world.any_process().immediate_probe() {
                        idle = false;
                        let rank = self.world.process_at_rank(status.source_rank());
                        let (said, _) = rank.receive_vec::<u8>();
                        match said.split_first() {
                            Some((&FOUND, found)) => taken(Ok(found.to_vec()), &mut failed),
                            Some((&FAILED, why)) => {
                                let why = String::from_utf8_lossy(why).into_owned();
                                taken(Err(anyhow!(why)), &mut failed);
                            }
                            _ => (),
                        }
                        let unit = next().unwrap_or(END);
                        rank.send(&unit);
                        others -= i32::from(unit == END);
                    }
                    if idle {
                        thread::sleep(NAP);
                    }
                }
                for found in received.try_iter() {
                    taken(found, &mut failed);
                }
            });
            failed.map_or(Ok(()), Err)
        }
    }
}
