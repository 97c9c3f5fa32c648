//! The chores of this repository: `cargo xtask test | bench | generate | dist | kernels | tidy | wheel`.

mod cycles;
mod dist;
mod kernels;
mod page;
mod phases;
mod python;
mod run;
mod setup;
mod site;
mod tidy;
mod tools;
mod vocabulary;

use anyhow::{Context, Result, bail};
use setup::{Missing, Skipped};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

const USAGE: &str = "\
usage: cargo xtask <chore>

  test [--no-install] all checks and tests; SLOW_TESTS=1 adds the slow ones. What they need is
                      installed first: from PyPI and npm under target/, by rustup, and by apt-get
                      where we may; what cannot be had, or is not installed with --no-install,
                      is skipped and named at the end
  test --quick        formatting, lints, unit tests of crates that differ from the last commit,
                      and the answers of the command line
  test --gpu          the kernels of nestnet-gpu on the GPU of this machine, beside the CPU
  bench [NAME]        the benches, or those whose name contains NAME
  bench measure [--no-peers] [--slow]
                      all measures beside other libraries; writes docs/performance.md
  bench sim [--instructions]
                      cycles and flit-hops a second of the simulator, one thread
  bench coverage      how often the 95 % interval of the simulator holds the mean of long runs
  generate [--check]  write the pages of docs that come from the code, or say whether they are stale
  tools [--no-install] [--only NAME]
                      let other tools read what we write, as `test` does
  page [--check]      write what the page takes from npm packages, or say whether it is stale
  page-types [--no-install]
                      check the types of the page's code, as `test` does
  page-lint [--no-install | --write]
                      check the formatting of the page's code and lint it, as `test` does, or format it
  page-test [--no-install]
                      drive a browser through the page, as `test` does
  site [--no-install] build the documentation as a site, in target/site, as `test` does
  kernels             compile the kernels of nestnet-gpu; NVRTC comes from PyPI, under target/
  dist [--target TRIPLE]
                      build the program to give away, in target/dist, with completions and manual;
                      on Linux static, where the target of musl is installed
  tidy                check what the compiler does not: headers, imports, import cycles
  wheel               build the Python package and its sources to give away, in target/python/wheels,
                      and try it in a new environment
  stubs               write the Python types of the families, after `test`";

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
    // What a chore needs is installed first, unless it shall not be.
    let (args, missing) = match args {
        [chore, "--no-install", rest @ ..] => (&[&[*chore], rest].concat()[..], Missing::Skip),
        _ => (args, Missing::Install),
    };
    match args {
        ["test"] => run::test(missing),
        ["test", "--quick"] => run::quick(),
        ["test", "--gpu"] => run::test_on_gpu(),
        ["bench", "coverage" | "measure" | "sim", ..] | ["generate", ..] => with_library(args),
        ["bench", filter @ ..] => run::bench(filter),
        ["tools", options @ ..] => named(tools::test(missing, options)?),
        ["page"] => page::write(),
        ["page", "--check"] => page::check(),
        ["page-types"] => named(page::types(missing)?),
        ["page-lint"] => named(page::lint(missing, page::Lint::Check)?),
        ["page-lint", "--write"] => named(page::lint(missing, page::Lint::Write)?),
        ["page-test"] => named(page::test(missing)?),
        ["site"] => named(site::build(missing)?),
        ["kernels"] => kernels::write(),
        ["dist", options @ ..] => named(dist::dist(options)?),
        ["tidy"] => tidy::tidy(&root()),
        ["wheel"] => python::wheel(),
        ["stubs"] => python::stubs(),
        _ => bail!("unknown chore\n{USAGE}"),
    }
}

/// A chore that links the library, which is compiled for it.
fn with_library(args: &[&str]) -> Result<()> {
    let mut run = command(cargo_path());
    run.args(["run", "--quiet", "--package", "xtask-library", "--"]).args(args);
    setup::must(run.current_dir(root()), &args.join(" "))
}

/// The cargo that runs us.
fn cargo_path() -> OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

/// A command of ours. Builds of CI are not continued: they leave out what would make the next one quick.
fn command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    if std::env::var_os("CI").is_some() {
        command.env("CARGO_INCREMENTAL", "0");
    }
    command
}

/// Prints what was skipped.
fn named(skipped: impl IntoIterator<Item = Skipped>) -> Result<()> {
    skipped.into_iter().for_each(|one| eprintln!("== {one}"));
    Ok(())
}

/// The folder of the workspace.
fn root() -> PathBuf {
    let xtask = Path::new(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().unwrap_or(xtask).to_owned()
}

/// The folder where this was built: nothing in it is kept.
fn target() -> Result<PathBuf> {
    let this = std::env::current_exe()?;
    let mut folders = this.ancestors();
    let target = folders.find(|folder| folder.join("CACHEDIR.TAG").exists());
    target.map(Path::to_owned).context("we do not lie in a target folder")
}
