//! The chores of this repository: `cargo xtask test | bench | generate | dist | kernels | tidy | wheel`.

mod bench;
mod cycles;
mod dist;
mod figures;
mod generate;
mod kernels;
mod missing;
mod page;
mod pictures;
mod python;
mod run;
mod schemas;
mod site;
mod tidy;
mod tools;
mod vocabulary;

use anyhow::{Context, Result, bail};
use missing::{Missing, Skipped};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask <chore>

  test [--install]    all checks and tests; SLOW_TESTS=1 adds the slow ones. What needs a tool that
                      is not installed is skipped, and named at the end; --install installs the
                      tools first: by rustup and apt-get, and from PyPI and npm under target/
  test --gpu          the kernels of nestnet-gpu on the GPU of this machine, beside the CPU
  bench [NAME]        the benches, or those whose name contains NAME
  bench measure [--no-peers] [--slow]
                      all measures beside other libraries; writes docs/performance.md
  bench sim [--instructions]
                      cycles and flit-hops a second of the simulator, one thread
  bench coverage      how often the 95 % interval of the simulator holds the mean of long runs
  generate [--check]  write the pages of docs that come from the code, or say whether they are stale
  tools [--install] [--only NAME]
                      let other tools read what we write, as `test` does
  page [--check]      write what the page takes from npm packages, or say whether it is stale
  page-types [--install]
                      check the types of the page's code, as `test` does
  page-lint [--install | --write]
                      check the formatting of the page's code and lint it, as `test` does, or format it
  page-test [--install]
                      drive a browser through the page, as `test` does
  site [--install]    build the documentation as a site, in target/site, as `test` does
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
    match args {
        ["test"] => run::test(Missing::Skip),
        ["test", "--install"] => run::test(Missing::Install),
        ["test", "--gpu"] => run::test_on_gpu(),
        // Counts, not times: any build will do.
        ["bench", "coverage"] => bench::coverage::bench(),
        ["bench", ..] if cfg!(debug_assertions) => run::again_in_release(args),
        ["bench", "measure", options @ ..] => bench::measure(options),
        ["bench", "sim", options @ ..] => bench::simulate::bench(options),
        ["bench", filter @ ..] => run::bench(filter),
        ["generate"] => generate::write(),
        ["generate", "--check"] => generate::check(),
        ["tools", "--install", options @ ..] => named(tools::test(Missing::Install, options)?),
        ["tools", options @ ..] => named(tools::test(Missing::Skip, options)?),
        ["page"] => page::write(),
        ["page", "--check"] => page::check(),
        ["page-types"] => named(page::types(Missing::Skip)?),
        ["page-types", "--install"] => named(page::types(Missing::Install)?),
        ["page-lint"] => named(page::lint(Missing::Skip, page::Lint::Check)?),
        ["page-lint", "--install"] => named(page::lint(Missing::Install, page::Lint::Check)?),
        ["page-lint", "--write"] => named(page::lint(Missing::Skip, page::Lint::Write)?),
        ["page-test"] => named(page::test(Missing::Skip)?),
        ["page-test", "--install"] => named(page::test(Missing::Install)?),
        ["site"] => named(site::build(Missing::Skip)?),
        ["site", "--install"] => named(site::build(Missing::Install)?),
        ["kernels"] => kernels::write(),
        ["dist", options @ ..] => named(dist::dist(options)?),
        ["tidy"] => tidy::tidy(&root()),
        ["wheel"] => python::wheel(),
        ["stubs"] => python::stubs(),
        _ => bail!("unknown chore\n{USAGE}"),
    }
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
