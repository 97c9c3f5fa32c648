//! The program `nestnet`; everything it does is in the library beside it, which compiles while others are optimized.

use std::process::ExitCode;

/// Searches make and drop millions of small things.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    nestnet_cli::main()
}
