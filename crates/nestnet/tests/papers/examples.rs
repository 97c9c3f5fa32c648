//! The programs in `examples/` run, and end well.

#[path = "../../examples/broadcast.rs"]
mod broadcast;
#[path = "../../examples/build.rs"]
mod build;
#[path = "../../examples/claim.rs"]
mod claim;
#[path = "../../examples/draw.rs"]
mod draw;
#[path = "../../examples/measure.rs"]
mod measure;
#[path = "../../examples/route.rs"]
mod route;

#[test]
fn every_example_ends_well() {
    type Example = fn() -> Result<(), Box<dyn std::error::Error>>;
    let examples: [(&str, Example); 6] = [
        ("build", build::main),
        ("measure", measure::main),
        ("route", route::main),
        ("broadcast", broadcast::main),
        ("claim", claim::main),
        ("draw", draw::main),
    ];
    for (name, example) in examples {
        assert!(example().is_ok(), "{name}");
    }
}
