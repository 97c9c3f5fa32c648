//! A GPU by CUDA: the driver library is loaded when it is asked for.
//!
//! It is not safe Rust: it calls the driver. Buffers live as long as the kernels that use them, because all run in one
//! stream and a read waits for it; that a kernel gets the buffers that it expects is promised by who launches it.
#![allow(unsafe_code)]

use crate::PTX;
use crate::device::{Device, DeviceError, Kernel};
use cudarc::driver::{
    CudaContext, CudaFunction, CudaSlice, CudaStream, DevicePtr, DeviceRepr, DriverError,
    LaunchConfig, PushKernelArg, sys,
};
use cudarc::nvrtc::Ptx;
use std::sync::Arc;

/// Threads of a block where all processors are busy, and where there are few threads, so that more processors get some.
/// Whole warps, and not more than `BLOCK` of `kernels.cu`.
const BLOCK: u32 = 256;
const SMALL_BLOCK: u32 = 64;

/// The first GPU of this machine.
#[derive(Debug)]
pub struct Cuda {
    stream: Arc<CudaStream>,
    functions: Vec<(Kernel, CudaFunction)>,
    threads: u64,
    name: String,
}

impl From<DriverError> for DeviceError {
    fn from(error: DriverError) -> Self {
        DeviceError::Failed(error.to_string())
    }
}

/// The fields of a kernel's struct.
#[repr(C)]
struct Fields<const N: usize>([u64; N]);

// SAFETY: plain words, as the structs of `kernels.cu` are.
unsafe impl<const N: usize> DeviceRepr for Fields<N> {}

impl Cuda {
    /// Loads the driver and the kernels.
    pub fn find() -> Result<Self, DeviceError> {
        // SAFETY: it only tries to load the library of the driver.
        if !unsafe { sys::is_culib_present() } {
            return Err(DeviceError::None("there is no CUDA driver".to_owned()));
        }
        let none = |error: DriverError| DeviceError::None(error.to_string());
        let context = CudaContext::new(0).map_err(none)?;
        let module = context.load_module(Ptx::from_src(PTX))?;
        let function = |kernel: Kernel| Ok((kernel, module.load_function(kernel.name())?));
        let functions =
            Kernel::ALL.map(function).into_iter().collect::<Result<_, DriverError>>()?;
        let count = |attribute| {
            let count = context.attribute(attribute)?;
            Ok::<_, DriverError>(u64::try_from(count).unwrap_or(1))
        };
        let processors = sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT;
        let each = sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR;
        let threads = count(processors)? * count(each)?;
        let name = context.name()?;
        Ok(Cuda { stream: context.default_stream(), functions, threads, name })
    }

    /// What the driver calls it.
    pub fn name(&self) -> &str {
        &self.name
    }
}

fn length(words: u64) -> Result<usize, DeviceError> {
    usize::try_from(words).map_err(|_| DeviceError::Failed("it has too little memory".to_owned()))
}

impl Device for Cuda {
    type Buffer = CudaSlice<u64>;

    fn free(&self) -> Result<u64, DeviceError> {
        let (free, _) = self.stream.context().mem_get_info()?;
        Ok(free as u64)
    }

    fn threads(&self) -> u64 {
        self.threads
    }

    fn allocate(&self, words: u64) -> Result<Self::Buffer, DeviceError> {
        Ok(self.stream.alloc_zeros(length(words)?.max(1))?)
    }

    fn clear(&self, buffer: &mut Self::Buffer, words: u64) -> Result<(), DeviceError> {
        Ok(self.stream.memset_zeros(&mut buffer.slice_mut(..length(words)?))?)
    }

    fn write(&self, buffer: &mut Self::Buffer, data: &[u64]) -> Result<(), DeviceError> {
        if data.is_empty() {
            return Ok(());
        }
        Ok(self.stream.memcpy_htod(data, &mut buffer.slice_mut(..data.len()))?)
    }

    fn read(&self, buffer: &Self::Buffer, data: &mut [u64]) -> Result<(), DeviceError> {
        self.stream.memcpy_dtoh(&buffer.slice(..data.len()), data)?;
        Ok(self.stream.synchronize()?)
    }

    fn address(&self, buffer: &Self::Buffer) -> u64 {
        buffer.device_ptr(&self.stream).0
    }

    unsafe fn launch<const N: usize>(
        &self,
        kernel: Kernel,
        threads: u64,
        arguments: &[u64; N],
    ) -> Result<(), DeviceError> {
        let found = self.functions.iter().find(|(known, _)| *known == kernel);
        let Some((_, function)) = found else {
            return Err(DeviceError::Failed(format!("it has no kernel {}", kernel.name())));
        };
        let block = if threads < self.threads { SMALL_BLOCK } else { BLOCK };
        let blocks = threads.div_ceil(block.into()).max(1);
        let blocks = u32::try_from(blocks)
            .map_err(|_| DeviceError::Failed("too many threads".to_owned()))?;
        let shape = LaunchConfig {
            grid_dim: (blocks, 1, 1),
            block_dim: (block, 1, 1),
            shared_mem_bytes: 0,
        };
        let fields = Fields(*arguments);
        // SAFETY: who calls this promises that the fields are those of the kernel's struct, and that buffers outlive it.
        unsafe { self.stream.launch_builder(function).arg(&fields).launch(shape) }?;
        Ok(())
    }
}
