//! Kernels for a GPU: what is measured on it, and how it is found when the program runs.
//!
//! Nothing of CUDA is needed to build or to install. The kernels are one file, `kernels.cu`; its PTX is in the program,
//! and the driver, the only library that is needed, compiles it for the GPU that is there. [`sweep`] and
//! [`simulate`] are the parts that run on the host, over any [`Device`]: [`Cuda`], or in the tests the same kernels
//! compiled for the CPU.
//!
//! ```no_run
//! use nestnet_gpu::Gpu;
//! use nestnet_graph::Csr;
//! use nestnet_graph::Watch;
//! use nestnet_graph::measure::distance::exhaustive_by;
//!
//! let ring = Csr::from_links(5, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)], 1 << 20)?;
//! let gpu = Gpu::find(1 << 30, &|_| ())?;
//! assert_eq!(exhaustive_by(&gpu, &ring, &Watch::SILENT)?.diameter, 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cuda;
mod device;
mod gpu;
mod layout;
pub mod simulate;
pub mod sweep;

pub use cuda::Cuda;
pub use device::{Device, DeviceError, Kernel};
pub use gpu::Gpu;

/// The source of the kernels.
pub const SOURCE: &str = include_str!("kernels.cu");

/// What a driver compiles: made of [`SOURCE`] by `cargo xtask kernels`. Its first line has the SHA-256 of that.
pub const PTX: &str = include_str!("kernels.ptx");
