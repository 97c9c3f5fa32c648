//! The PTX of the kernels of `nestnet-gpu`, by NVRTC, which needs no GPU and is installed from PyPI.

use crate::{root, target};
use anyhow::{Context, Result, bail};
use std::process::Command;

/// The compiler: its PTX is understood by every driver from 520 on.
const PACKAGE: &str = "nvidia-cuda-nvrtc-cu11==11.8.89";

/// Writes `kernels.ptx`; a test holds it to its source.
pub fn write() -> Result<()> {
    let folder = target()?.join("python-kernels");
    let python = folder.join("bin/python");
    if !python.is_file() {
        run(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
    }
    run(Command::new(&python).args(["-m", "pip", "install", "--quiet", PACKAGE]))?;
    let kernels = root().join("crates/nestnet-gpu/src");
    let mut compile = Command::new(&python);
    compile.arg(root().join("xtask/kernels.py"));
    run(compile.arg(kernels.join("kernels.cu")).arg(kernels.join("kernels.ptx")))
}

fn run(command: &mut Command) -> Result<()> {
    let program = command.get_program().to_string_lossy().into_owned();
    let status = command.status().with_context(|| format!("cannot run {program}"))?;
    match status.success() {
        true => Ok(()),
        false => bail!("{program}: {status}"),
    }
}
