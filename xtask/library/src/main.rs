//! The chores that link the library: `cargo xtask bench | generate` call them.

mod bench;
mod declared;
mod figures;
mod fixed_limits;
mod generate;
mod pictures;
mod results;
mod schemas;

use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match chore(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn chore(args: &[&str]) -> Result<()> {
    match args {
        // Counts, not times: any build will do.
        ["bench", "coverage"] => bench::coverage::bench(),
        ["bench", ..] if cfg!(debug_assertions) => again_in_release(args),
        ["bench", "measure", options @ ..] => bench::measure(options),
        ["bench", "sim", options @ ..] => bench::simulate::bench(options),
        ["generate"] => generate::write(),
        ["generate", "--check"] => generate::check(),
        _ => bail!("unknown chore: `cargo xtask` lists all"),
    }
}

/// The same chore, by a build that is worth timing.
fn again_in_release(args: &[&str]) -> Result<()> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["run", "--release", "--quiet", "--package", "xtask-library", "--"]).args(args);
    let status = command.current_dir(root()).status().context("cannot run cargo")?;
    if !status.success() {
        bail!("{}", args.join(" "));
    }
    Ok(())
}

/// The folder of the workspace.
fn root() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.ancestors().nth(2).unwrap_or(own).to_owned()
}

/// The folder where this was built: nothing in it is kept.
fn target() -> Result<PathBuf> {
    let this = std::env::current_exe()?;
    let mut folders = this.ancestors();
    let target = folders.find(|folder| folder.join("CACHEDIR.TAG").exists());
    target.map(Path::to_owned).context("we do not lie in a target folder")
}
