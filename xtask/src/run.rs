//! Which commands make up a test run, and what must be there before it begins?

use crate::{generate, root, tidy};
use anyhow::{Context, Result, bail};
use std::ffi::OsString;
use std::process::{Command, Stdio};

/// Everything that must hold, quick checks first. Ends with the summary of the test runner.
pub fn test() -> Result<()> {
    requirements()?;
    cargo("formatting", &["fmt", "--all", "--check"])?;
    tidy::tidy(&root())?;
    generate::check()?;
    cargo("lints", &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"])?;
    cargo("examples in the documentation", &["test", "--workspace", "--doc", "--quiet"])?;
    if answers(&cargo_path(), &["nextest", "--version"]) {
        cargo("tests", &["nextest", "run", "--workspace", "--no-fail-fast"])
    } else {
        cargo("tests", &["test", "--workspace", "--lib", "--bins", "--tests", "--no-fail-fast"])
    }
}

/// The benches, or those whose name contains a word of `filter`.
pub fn bench(filter: &[&str]) -> Result<()> {
    let mut args = vec!["bench", "--package", "nestnet", "--benches", "--"];
    args.extend(filter);
    cargo("benches", &args)
}

/// The same chore, by a build that is worth timing.
pub fn again_in_release(args: &[&str]) -> Result<()> {
    let run = ["run", "--release", "--quiet", "--package", "xtask", "--"];
    cargo("release build", &[&run, args].concat())
}

/// What the tests need beyond a Rust toolchain; installed where we may, named where we may not.
fn requirements() -> Result<()> {
    for component in ["fmt", "clippy"] {
        if !answers(&cargo_path(), &[component, "--version"]) {
            let package = if component == "fmt" { "rustfmt" } else { component };
            command("rustup", "rustup", &["component", "add", package])
                .with_context(|| format!("`cargo {component}` is missing: install {package}"))?;
        }
    }
    if !answers(&"cc".into(), &["--version"]) {
        install_with_apt("a C compiler", "build-essential")?;
    }
    // The other judge of deadlock, which the tests ask.
    if !answers(&"ibdmchk".into(), &["-h"]) {
        install_with_apt("ibdmchk", "ibutils")?;
    }
    Ok(())
}

/// Installs a Debian package when we are root on such a machine; otherwise says how to.
fn install_with_apt(what: &str, package: &str) -> Result<()> {
    let advice = format!("{what} is missing: apt-get install {package}");
    let id = Command::new("id").arg("-u").output();
    let is_root = id.is_ok_and(|output| output.stdout.trim_ascii() == b"0");
    if !is_root || !answers(&"apt-get".into(), &["--version"]) {
        bail!(advice);
    }
    command("package lists", "apt-get", &["update", "--quiet"])
        .and_then(|()| command(what, "apt-get", &["install", "--yes", "--quiet", package]))
        .context(advice)
}

/// The cargo that runs us.
fn cargo_path() -> OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

fn cargo(step: &str, args: &[&str]) -> Result<()> {
    command(step, cargo_path(), args)
}

fn command(step: &str, program: impl Into<OsString>, args: &[&str]) -> Result<()> {
    eprintln!("== {step}");
    let program = program.into();
    let mut command = Command::new(&program);
    let status = command.args(args).current_dir(root()).status();
    let status = status.with_context(|| format!("cannot run {}", program.display()))?;
    if !status.success() {
        bail!("{step}: `{} {}` failed", program.display(), args.join(" "));
    }
    Ok(())
}

/// Whether a program is there and well.
fn answers(program: &OsString, args: &[&str]) -> bool {
    let mut command = Command::new(program);
    let quiet = command.args(args).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}
