//! The PTX of the kernels of `nestnet-gpu`, by NVRTC, which needs no GPU and is installed from PyPI.

use crate::{command, root, setup, target};
use anyhow::Result;

/// The compiler: its PTX is understood by every driver from 520 on.
const PACKAGE: &str = "nvidia-cuda-nvrtc-cu11==11.8.89";

/// Writes `kernels.ptx`; a test holds it to its source.
pub fn write() -> Result<()> {
    let folder = target()?.join("python-kernels");
    let python = folder.join("bin/python");
    if !python.is_file() {
        setup::must(command("python3").args(["-m", "venv"]).arg(&folder), "a Python environment")?;
    }
    setup::must(command(&python).args(["-m", "pip", "install", "--quiet", PACKAGE]), PACKAGE)?;
    let kernels = root().join("crates/nestnet-gpu/src");
    let mut compile = command(&python);
    compile.arg(root().join("xtask/kernels.py"));
    setup::must(compile.arg(kernels.join("kernels.cu")).arg(kernels.join("kernels.ptx")), "NVRTC")
}
