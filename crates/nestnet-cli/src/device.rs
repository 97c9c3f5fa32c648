//! Where measures and simulations run: on the threads of this process or on a GPU, if there is one.

use crate::job::Job;
use crate::text;
use nestnet::study::Devices;
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
    pub fn with<T>(self, job: &Job, work: impl FnOnce(Devices<'_>) -> T) -> T {
        match self {
            Device::Auto | Device::Cpu => work(Devices::THREADS),
            Device::Gpu => with_gpu(job, work),
        }
    }
}

#[cfg(feature = "gpu")]
fn with_gpu<T>(job: &Job, work: impl FnOnce(Devices<'_>) -> T) -> T {
    match nestnet_gpu::Gpu::find(job.memory(), &|error| note(&error.to_string())) {
        Ok(gpu) => work(Devices { sweeper: &gpu, simulator: Some(&gpu) }),
        Err(error) => {
            note(&error.to_string());
            work(Devices::THREADS)
        }
    }
}

#[cfg(not(feature = "gpu"))]
fn with_gpu<T>(_: &Job, work: impl FnOnce(Devices<'_>) -> T) -> T {
    note(&crate::left_out("GPU"));
    work(Devices::THREADS)
}

/// One line on stderr.
fn note(why: &str) {
    let why = text::with_option(why.to_owned());
    // When stderr is closed there is nobody to tell.
    let _ = writeln!(io::stderr(), "note: {why}; the CPU does it");
}
