//! Devices: whoever runs kernels, with memory of its own.

use nestnet_graph::{Interrupted, OverBudget};
use std::fmt;
use thiserror::Error;

/// A kernel of `kernels.cu`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kernel {
    /// The first steps of searches, one thread a source.
    SweepBegin,
    /// One step of all searches.
    SweepStep,
    /// One cycle of all routers and hosts: a thread a port, in lanes of a warp, and a thread a host.
    SimulateCycle,
    /// The same where routers have more ports than a warp has lanes, or more than 64 queues.
    SimulateWideCycle,
    /// A round of the search for packets that wait in a dependency cycle, one thread a router.
    SimulateWaits,
}

impl Kernel {
    /// All of them.
    pub const ALL: [Kernel; 5] = [
        Kernel::SweepBegin,
        Kernel::SweepStep,
        Kernel::SimulateCycle,
        Kernel::SimulateWideCycle,
        Kernel::SimulateWaits,
    ];

    /// Its name in the source.
    pub fn name(self) -> &'static str {
        match self {
            Kernel::SweepBegin => "sweep_begin",
            Kernel::SweepStep => "sweep_step",
            Kernel::SimulateCycle => "simulate_cycle",
            Kernel::SimulateWideCycle => "simulate_wide_cycle",
            Kernel::SimulateWaits => "simulate_waits",
        }
    }
}

/// Why a device does not do it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DeviceError {
    /// There is none.
    #[error("no GPU: {0}")]
    None(String),
    /// The driver refuses.
    #[error("the GPU failed: {0}")]
    Failed(String),
    /// It does not fit, not even in parts.
    #[error("{what} needs {need} bytes on the GPU, and {room} may be used")]
    Memory {
        /// What would take them.
        what: &'static str,
        /// Bytes needed.
        need: u128,
        /// Bytes that are free there and allowed.
        room: u64,
    },
    /// The kernels have no model of it.
    #[error("not on a GPU: {0}")]
    Unsupported(String),
    /// More than is allowed.
    #[error(transparent)]
    Budget(#[from] OverBudget),
    /// Stopped.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}

/// Something that runs the kernels of `kernels.cu`. Its memory is in words of 64 bits.
pub trait Device: fmt::Debug + Sync {
    /// Memory of the device.
    type Buffer;

    /// Bytes that are free.
    fn free(&self) -> Result<u64, DeviceError>;

    /// Threads that keep it busy.
    fn threads(&self) -> u64;

    /// Memory for `words` words, all 0.
    fn allocate(&self, words: u64) -> Result<Self::Buffer, DeviceError>;

    /// Sets the first `words` words to 0.
    fn clear(&self, buffer: &mut Self::Buffer, words: u64) -> Result<(), DeviceError>;

    /// Writes `data` at the beginning of a buffer that is at least as long.
    fn write(&self, buffer: &mut Self::Buffer, data: &[u64]) -> Result<(), DeviceError>;

    /// Reads the beginning of a buffer, after all that was launched before.
    fn read(&self, buffer: &Self::Buffer, data: &mut [u64]) -> Result<(), DeviceError>;

    /// Where the device has it.
    fn address(&self, buffer: &Self::Buffer) -> u64;

    /// Runs at least `threads` threads of a kernel; `arguments` are the fields of its struct in `kernels.cu`, in order.
    ///
    /// # Safety
    /// - There are as many arguments as the struct of the kernel has fields, each at the place of its field.
    /// - A field that is an address is that of a buffer of this device ([`Device::address`]) that has as many words as the
    ///   kernel reads and writes there, or 0 where the kernel does not use it.
    /// - A buffer that is written, cleared or freed later is so behind what was launched before, as where a device has one
    ///   queue for all.
    #[expect(unsafe_code, reason = "it takes addresses")]
    unsafe fn launch<const N: usize>(
        &self,
        kernel: Kernel,
        threads: u64,
        arguments: &[u64; N],
    ) -> Result<(), DeviceError>;
}
