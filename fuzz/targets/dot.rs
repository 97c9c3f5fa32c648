//! A file of the format `dot`.

#![no_main]

mod reader;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| reader::try_format("dot", bytes));
