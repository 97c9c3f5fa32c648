//! Is what a driver gets what the tests ran?

use nestnet_gpu::{Kernel, PTX, SOURCE};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;

#[test]
fn the_ptx_is_made_of_this_source() {
    let mut hash = String::new();
    for byte in Sha256::digest(SOURCE) {
        write!(hash, "{byte:02x}").unwrap();
    }
    let said = PTX.lines().next().unwrap();
    assert_eq!(said, format!("// SHA-256 of the source: {hash}"), "`cargo xtask kernels` makes it");
}

/// The struct of a kernel is as large in PTX as the arguments that the host passes: 8 bytes a field.
#[test]
fn every_kernel_is_in_the_ptx() {
    for (kernel, fields) in Kernel::ALL.into_iter().zip([11, 9, 84, 84, 84]) {
        let name = kernel.name();
        let entry = format!(
            ".visible .entry {name}(\n\t.param .align 8 .b8 {name}_param_0[{}]",
            8 * fields
        );
        assert!(PTX.contains(&entry), "{entry}");
    }
}
