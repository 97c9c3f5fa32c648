//! The list of routes: read, or refused with its line.

#![no_main]

use libfuzzer_sys::fuzz_target;
use nestnet::route::route_list;

fuzz_target!(|bytes: &[u8]| {
    if let Err(error) = route_list::read(bytes) {
        assert!(!error.to_string().is_empty());
    }
});
