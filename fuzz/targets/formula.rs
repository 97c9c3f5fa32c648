//! The formula: whatever is read has a value or says why not, within a small budget.

#![no_main]

use libfuzzer_sys::fuzz_target;
use nestnet::claim::{Expression, Lab, Scope, Value, evaluate};
use nestnet::{Budget, Watch};

fuzz_target!(|text: &str| {
    let Ok(formula) = Expression::parse(text) else { return };
    let lab = Lab::new(Budget { memory: 1 << 20, steps: 1 << 16, watch: Watch::SILENT });
    let scope = Scope::from([
        ("n".to_owned(), Value::exact(5)),
        ("k".to_owned(), Value::exact(2)),
        ("base".to_owned(), Value::Text("ring(5)".to_owned())),
    ]);
    match evaluate(&formula, &scope, &lab) {
        Ok(value) => drop(value.to_string()),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
