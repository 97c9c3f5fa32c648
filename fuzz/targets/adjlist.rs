//! A file of the format `adjlist`.

#![no_main]

mod reader;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| reader::try_format("adjlist", bytes));
