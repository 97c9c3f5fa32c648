//! The list of links: read, and taken as a network.

#![no_main]

use libfuzzer_sys::fuzz_target;
use nestnet::format::edges;
use nestnet::{Budget, Context, Spec, build_with};

fuzz_target!(|bytes: &[u8]| {
    let _ = edges::read(bytes);
    let text = "file(\"links\")";
    let spec = Spec::parse(text).expect("a spec");
    let read = |_: &str| Ok(bytes.to_vec());
    let budget = Budget { memory: 1 << 20, ..Budget::default() };
    let context = Context { read: &read, budget, ..Context::ALONE };
    if let Ok(built) = build_with(&spec, text, &context) {
        let network = built.network.as_deref().expect("a file is a network");
        assert_eq!(built.theory.order(), network.order().into());
    }
});
