//! A device that is the CPU: the kernels as a C compiler makes them, one thread after the other.
#![allow(unsafe_code)]

use libloading::Library;
use nestnet_gpu::{Device, DeviceError, Kernel, SOURCE};
use std::cell::UnsafeCell;
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// The same source for the CPU.
fn library() -> &'static Library {
    static LIBRARY: OnceLock<Library> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let (source, made) = (folder.path().join("kernels.c"), folder.path().join("kernels.so"));
        std::fs::write(&source, SOURCE).unwrap();
        let mut compiler = Command::new("cc");
        compiler.args(["-std=c11", "-O2", "-shared", "-fPIC"]);
        let compiled = compiler.arg("-o").arg(&made).arg(&source).status().unwrap();
        assert!(compiled.success(), "the kernels are no C");
        // SAFETY: what was just compiled runs nothing when it is loaded.
        unsafe { Library::new(&made) }.unwrap()
    })
}

/// The CPU as a device.
#[derive(Debug)]
pub struct Emulator {
    /// Bytes that it has.
    pub memory: u64,
    /// Threads of a launch.
    pub threads: u64,
    /// Whether the last thread runs first.
    pub backwards: bool,
    /// Bytes that are in use, all in all.
    pub used: AtomicU64,
}

impl Emulator {
    pub fn new(memory: u64, threads: u64, backwards: bool) -> Self {
        Emulator { memory, threads, backwards, used: AtomicU64::new(0) }
    }
}

/// Memory of it, and behind it a pair of words that no kernel may touch.
pub struct Buffer(Vec<Pair>);

/// What is behind a buffer.
const GUARD: [u64; 2] = [0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210];

impl Drop for Buffer {
    fn drop(&mut self) {
        let guard = self.0.last_mut().map(|pair| *pair.0.get_mut());
        assert_eq!(guard, Some(GUARD), "a kernel wrote behind its buffer");
    }
}

/// A pair of words, so that a buffer is aligned to 16 bytes.
#[repr(C, align(16))]
struct Pair(UnsafeCell<[u64; 2]>);

impl Buffer {
    /// Its words.
    fn at(&self, index: usize) -> *mut u64 {
        let pair: *mut u64 = self.0[index / 2].0.get().cast();
        // SAFETY: the second of a pair, or the first.
        unsafe { pair.add(index % 2) }
    }
}

impl Device for Emulator {
    type Buffer = Buffer;

    fn free(&self) -> Result<u64, DeviceError> {
        // What the host leaves for a driver is not used.
        Ok(self.memory - self.used.load(Ordering::Relaxed) + (256 << 20))
    }

    fn threads(&self) -> u64 {
        self.threads
    }

    fn allocate(&self, words: u64) -> Result<Buffer, DeviceError> {
        let used = self.used.fetch_add(8 * words, Ordering::Relaxed) + 8 * words;
        if used > self.memory {
            return Err(DeviceError::Failed(format!("{used} bytes of {}", self.memory)));
        }
        let zeros = std::iter::repeat_n([0; 2], usize::try_from(words).unwrap().div_ceil(2));
        let pairs = zeros.chain([GUARD]).map(|pair| Pair(UnsafeCell::new(pair)));
        Ok(Buffer(pairs.collect()))
    }

    fn clear(&self, buffer: &mut Buffer, words: u64) -> Result<(), DeviceError> {
        self.write(buffer, &vec![0; usize::try_from(words).unwrap()])
    }

    fn write(&self, buffer: &mut Buffer, data: &[u64]) -> Result<(), DeviceError> {
        for (index, &word) in data.iter().enumerate() {
            // SAFETY: a word of the buffer, and nobody runs.
            unsafe { *buffer.at(index) = word };
        }
        Ok(())
    }

    fn read(&self, buffer: &Buffer, data: &mut [u64]) -> Result<(), DeviceError> {
        for (index, word) in data.iter_mut().enumerate() {
            // SAFETY: a word of the buffer, and nobody runs.
            *word = unsafe { *buffer.at(index) };
        }
        Ok(())
    }

    fn address(&self, buffer: &Buffer) -> u64 {
        buffer.at(0) as u64
    }

    unsafe fn launch<const N: usize>(
        &self,
        kernel: Kernel,
        threads: u64,
        arguments: &[u64; N],
    ) -> Result<(), DeviceError> {
        type Run = unsafe extern "C" fn(*const u64, u64, u64);
        // A GPU runs whole blocks, so that there may be more threads than were asked for.
        let threads = threads.next_multiple_of(32);
        // SAFETY: every kernel has this form.
        let run = unsafe { library().get::<Run>(kernel.name().as_bytes()) }.unwrap();
        // SAFETY: who calls this promises that the fields are those of the kernel's struct.
        unsafe { run(arguments.as_ptr(), threads, self.backwards.into()) };
        Ok(())
    }
}
