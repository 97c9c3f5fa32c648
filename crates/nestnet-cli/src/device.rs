//! Where measures and simulations run: on the threads of this process or on a GPU, if there is one.

use crate::job::Job;
use crate::text;
use nestnet::measure::sweep::{Sweeper, Threads};
use nestnet::sim;
use std::io::{self, Write as _};

/// The device that is asked for. What is found does not depend on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Device {
    /// The CPU
    #[default]
    Auto,
    /// The threads of this process
    Cpu,
    /// The first GPU with a CUDA driver; the CPU where there is none
    Gpu,
}

impl Device {
    /// Runs `work` with it. Where a GPU is asked for and is not there, a line says so, and threads do it.
    pub fn with<T>(self, job: &Job, work: impl FnOnce(&dyn Sweeper) -> T) -> T {
        match self {
            Device::Auto | Device::Cpu => work(&Threads),
            Device::Gpu => with_gpu(job, work),
        }
    }

    /// Runs `work` with what simulates in place of threads, if that is asked for and there. Where it is not there, a line
    /// says so.
    pub fn simulating<T>(self, job: &Job, work: impl FnOnce(Option<&dyn sim::Device>) -> T) -> T {
        match self {
            Device::Auto | Device::Cpu => work(None),
            Device::Gpu => simulating_on_gpu(job, work),
        }
    }
}

#[cfg(feature = "gpu")]
fn simulating_on_gpu<T>(job: &Job, work: impl FnOnce(Option<&dyn sim::Device>) -> T) -> T {
    match nestnet_gpu::Gpu::find(job.memory(), &|error| note(&error.to_string())) {
        Ok(gpu) => work(Some(&gpu)),
        Err(error) => {
            note(&error.to_string());
            work(None)
        }
    }
}

#[cfg(not(feature = "gpu"))]
fn simulating_on_gpu<T>(_: &Job, work: impl FnOnce(Option<&dyn sim::Device>) -> T) -> T {
    note(WITHOUT);
    work(None)
}

#[cfg(feature = "gpu")]
fn with_gpu<T>(job: &Job, work: impl FnOnce(&dyn Sweeper) -> T) -> T {
    match nestnet_gpu::Gpu::find(job.memory(), &|error| note(&error.to_string())) {
        Ok(gpu) => work(&gpu),
        Err(error) => {
            note(&error.to_string());
            work(&Threads)
        }
    }
}

#[cfg(not(feature = "gpu"))]
fn with_gpu<T>(_: &Job, work: impl FnOnce(&dyn Sweeper) -> T) -> T {
    note(WITHOUT);
    work(&Threads)
}

#[cfg(not(feature = "gpu"))]
const WITHOUT: &str = "no GPU: this program was built without the feature gpu";

/// One line on stderr.
fn note(why: &str) {
    let why = text::with_option(why.to_owned());
    // When stderr is closed there is nobody to tell.
    let _ = writeln!(io::stderr(), "note: {why}; the CPU does it");
}
