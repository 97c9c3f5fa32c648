//! Where measures and simulations run: on the threads of this process or on a GPU. What is found does not depend on it.

use crate::fault::Fault;
use nestnet_gpu::Gpu;
use pyo3::exceptions::PyRuntimeWarning;
use pyo3::prelude::*;
use std::ffi::CString;
use std::sync::{Arc, Mutex};

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Device {
    /// Threads.
    Cpu,
    /// The first GPU with a CUDA driver; threads where there is none.
    Gpu,
}

impl Device {
    /// By its name.
    pub fn named(name: &str) -> Result<Self, Fault> {
        match name {
            "cpu" => Ok(Device::Cpu),
            "gpu" => Ok(Device::Gpu),
            other => Err(Fault::new(format!("device must be `cpu` or `gpu`, not `{other}`"))),
        }
    }

    /// Runs `work` with the GPU, if that is asked for and there.
    pub fn with<T>(
        self,
        memory: u64,
        notes: &Notes,
        work: impl FnOnce(Option<&Gpu<'_>>) -> T,
    ) -> T {
        let says = |error: &nestnet_gpu::DeviceError| notes.add(&error.to_string());
        match self {
            Device::Cpu => work(None),
            Device::Gpu => match Gpu::find(memory, &says) {
                Ok(gpu) => work(Some(&gpu)),
                Err(error) => {
                    says(&error);
                    work(None)
                }
            },
        }
    }
}

/// Why threads did what a GPU was asked to do.
#[derive(Clone, Debug, Default)]
pub struct Notes(Arc<Mutex<Vec<String>>>);

impl Notes {
    fn add(&self, why: &str) {
        if let Ok(mut notes) = self.0.lock() {
            notes.push(Fault::new(why).message);
        }
    }

    /// A warning of Python for each.
    pub fn warn(&self, py: Python<'_>) -> PyResult<()> {
        let notes = self.0.lock().map(|notes| notes.clone()).unwrap_or_default();
        for note in notes {
            let text = CString::new(format!("{note}; the CPU does it")).unwrap_or_default();
            PyErr::warn(py, &py.get_type::<PyRuntimeWarning>(), &text, 1)?;
        }
        Ok(())
    }
}
