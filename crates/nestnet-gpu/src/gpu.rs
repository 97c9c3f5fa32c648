//! A GPU as what measures take in place of threads.

use crate::cuda::Cuda;
use crate::device::{Device as _, DeviceError};
use crate::simulate::Simulating;
use crate::sweep::{least_bytes, sweep};
use nestnet_graph::measure::sweep::{Source, Sweeper, Swept, Threads};
use nestnet_graph::{Budget, Csr, Interrupted, Watch};
use nestnet_sim::{Device, DeviceCycles, Model, SimError};
use std::fmt;

/// A GPU, within a limit of memory. Where it fails, it says so and threads go on.
pub struct Gpu<'a> {
    cuda: Cuda,
    memory: u64,
    says: &'a (dyn Fn(&DeviceError) + Sync),
}

impl fmt::Debug for Gpu<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Gpu").field("memory", &self.memory).finish_non_exhaustive()
    }
}

/// What the driver takes of the memory of the host, by a cautious count.
pub const HOST_BYTES: u64 = 1 << 30;

/// Row operations while one core does one: a small GPU does more, a large one ten times as many.
const STEPS_AT_ONCE: u128 = 32;

impl<'a> Gpu<'a> {
    /// The first GPU of this machine, of which at most `memory` bytes are used. `says` hears why threads go on where it
    /// fails later.
    pub fn find(memory: u64, says: &'a (dyn Fn(&DeviceError) + Sync)) -> Result<Self, DeviceError> {
        let budget = Budget { memory, ..Budget::UNLIMITED };
        budget.fits("the driver of a GPU", HOST_BYTES.into())?;
        Ok(Gpu { cuda: Cuda::find()?, memory, says })
    }

    /// What the driver calls it.
    pub fn name(&self) -> &str {
        self.cuda.name()
    }
}

impl Sweeper for Gpu<'_> {
    fn sweep(
        &self,
        csr: &Csr,
        sources: &[Source],
        targets: Option<&[u32]>,
        watch: &Watch<'_>,
    ) -> Result<Swept, Interrupted> {
        match sweep(&self.cuda, csr, sources, targets, self.memory, watch) {
            Ok(swept) => Ok(swept),
            Err(DeviceError::Interrupted(error)) => Err(error),
            Err(error) => {
                (self.says)(&error);
                Threads.sweep(csr, sources, targets, watch)
            }
        }
    }

    fn bytes(&self, csr: &Csr) -> u128 {
        least_bytes(csr)
    }

    fn steps_at_once(&self) -> u128 {
        STEPS_AT_ONCE
    }
}

impl Device for Gpu<'_> {
    fn room(&self) -> Result<u64, SimError> {
        Ok(self.cuda.free()?.min(self.memory))
    }

    fn start<'d>(&'d self, model: &Model<'_>) -> Result<Box<dyn DeviceCycles + 'd>, SimError> {
        Ok(Box::new(Simulating::new(&self.cuda, model, self.memory)?))
    }
}
