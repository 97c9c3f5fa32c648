//! How much may a command take, and which files may a spec read?

use bytesize::ByteSize;
use nestnet::{Built, Context, Spec, SpecError, build_with};
use std::fs::File;
use std::io::{self, Read};
use sysinfo::{MemoryRefreshKind, RefreshKind, System};

/// The options that every verb shares.
#[derive(clap::Args)]
pub struct Limits {
    /// The most memory that a stored network may take, such as 4GiB or 500MB [default: 80 % of
    /// the memory of this machine]
    #[arg(long, global = true, value_name = "SIZE", value_parser = parse_size)]
    max_memory: Option<u64>,
}

impl Limits {
    /// The most bytes that may be used.
    pub fn max_memory(&self) -> u64 {
        self.max_memory.unwrap_or_else(most_of_memory)
    }

    /// Calls `ask` with a context that reads files within the limits.
    pub fn with_context<T>(&self, ask: impl FnOnce(&Context<'_>) -> T) -> T {
        let max_memory = self.max_memory();
        ask(&Context { read: &|path| read_file(path, max_memory), max_memory })
    }

    /// The network that `text` stands for, and its canonical spec.
    pub fn build(&self, text: &str) -> Result<(Spec, Built), SpecError> {
        let spec = Spec::parse(text)?;
        let built = self.with_context(|context| build_with(&spec, text, context))?;
        Ok((nestnet::build::canonical(&spec, text)?, built))
    }
}

/// A number of bytes, such as 4GiB.
pub fn parse_size(text: &str) -> Result<u64, String> {
    let size: Result<ByteSize, _> = text.parse();
    size.map(|size| size.as_u64())
        .map_err(|_| "expected a number of bytes such as 500MB or 4GiB".to_owned())
}

fn most_of_memory() -> u64 {
    let memory = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let system = System::new_with_specifics(memory);
    let machine = system.total_memory();
    // A container may be granted less than the machine has.
    let granted = system.cgroup_limits().map_or(machine, |limits| limits.total_memory.min(machine));
    granted / 5 * 4
}

fn read_file(path: &str, max_memory: u64) -> io::Result<Vec<u8>> {
    let too_large = || {
        let limit = ByteSize(max_memory).display().iec();
        io::Error::other(format!("the file is larger than {limit} (--max-memory)"))
    };
    let file = File::open(path)?;
    if file.metadata()?.len() > max_memory {
        return Err(too_large());
    }
    // A pipe or a device does not say how much will come.
    let mut bytes = Vec::new();
    file.take(max_memory.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max_memory { Err(too_large()) } else { Ok(bytes) }
}
