//! Which phases make up a test run?

use crate::phases::Phases;
use crate::setup::{self, Missing, Skipped};
use crate::{cargo_path, command, page, python, root, site, target, tidy, tools};
use anyhow::{Context, Result, anyhow, bail, ensure};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::thread;

/// A part of a test run: its name, and what it does; gives what it had to skip.
type Phase = (&'static str, fn() -> Result<Vec<Skipped>>);

/// What needs nothing but the toolchain. What is missing is installed meanwhile.
const FIRST: &[Phase] = &[
    ("formatting", formatting),
    ("sources", sources),
    ("packages", packages),
    ("build of the tests", build_of_tests),
];

/// What needs all cores for itself.
const SECOND: &[Phase] = &[
    ("the page's code", page_code),
    ("lints", lints),
    ("the libraries without features", without_features),
    ("documentation", documentation),
    ("examples in the documentation", examples),
    ("the command line", command_line),
    ("generated pages", generated_pages),
];

/// What waits for other programs much of its time, and so runs beside the tests.
const BESIDE: &[Phase] = &[
    ("Python tests, stubs and notebooks", || Ok(python::test()?.into_iter().collect())),
    ("other tools", || tools::test(Missing::Skip, &[])),
    ("the page in a browser", || Ok(page::test(Missing::Skip)?.into_iter().collect())),
    ("the site", || Ok(site::build(Missing::Skip)?.into_iter().collect())),
];

/// What a developer runs before each commit.
const QUICK: &[Phase] = &[
    ("formatting", formatting),
    ("sources", sources),
    ("lints", lints),
    ("tests of what changed", quick_tests),
];

/// Everything that must hold, quick checks first.
pub fn test(missing: Missing) -> Result<()> {
    let phases = Phases::new(FIRST.len() + SECOND.len() + BESIDE.len() + 1);
    phases.with_beats(|| {
        // Nothing is compiled without a C compiler.
        if missing == Missing::Install && !setup::has("cc") {
            setup::everything();
        }
        thread::scope(|scope| {
            let setup = (missing == Missing::Install).then(|| scope.spawn(setup::everything));
            all(&phases, FIRST)?;
            // What is still missing is named by whoever needs it.
            setup.map(|setup| setup.join());
            anyhow::Ok(())
        })?;
        all(&phases, SECOND)?;
        let (own, beside) = thread::scope(|scope| {
            let beside = |(name, work): &Phase| phases.run(name, work).err();
            let beside = scope.spawn(move || BESIDE.iter().filter_map(beside).collect());
            let own = phases.run("tests", tests).err();
            (own, beside.join())
        });
        let beside: Vec<_> = beside.unwrap_or_else(|_| vec![anyhow!("a phase panicked")]);
        // All that fail are named.
        let failed: Vec<String> =
            own.into_iter().chain(beside).map(|error| format!("{error:#}")).collect();
        ensure!(failed.is_empty(), "{}", failed.join("; "));
        Ok(())
    })
}

/// What a small change is held to before it is committed.
pub fn quick() -> Result<()> {
    let phases = Phases::new(QUICK.len());
    phases.with_beats(|| all(&phases, QUICK))
}

/// Runs phases one after the other.
fn all(phases: &Phases, of: &[Phase]) -> Result<()> {
    of.iter().try_for_each(|(name, work)| phases.run(name, work))
}

fn nothing_skipped(result: Result<()>) -> Result<Vec<Skipped>> {
    result.map(|()| Vec::new())
}

fn formatting() -> Result<Vec<Skipped>> {
    if !setup::cargo_has("fmt") {
        return Ok(vec![Skipped::new("formatting", "there is no rustfmt")]);
    }
    nothing_skipped(cargo(&["fmt", "--all", "--check"]))
}

fn sources() -> Result<Vec<Skipped>> {
    tidy::tidy(&root())?;
    nothing_skipped(page::check())
}

fn packages() -> Result<Vec<Skipped>> {
    // What follows asks for the crates of the tests too, and looks for them on this machine alone.
    cargo(&["fetch", "--locked", "--quiet"])?;
    whole_packages()?;
    nothing_skipped(compiled_once())
}

/// The tests that run: all but the slow ones, which say so themselves.
const TESTS: &[&str] = &["--workspace", "--tests"];

fn build_of_tests() -> Result<Vec<Skipped>> {
    let build: &[&str] = if setup::cargo_has("nextest") {
        &["nextest", "run", "--no-run"]
    } else {
        &["test", "--no-run"]
    };
    cargo(&[build, TESTS].concat())?;
    nothing_skipped(cargo(&["build", "--workspace", "--bins"]))
}

/// The feature of ranks, where it can be built.
fn ranks() -> &'static [&'static str] {
    if setup::has("mpicc") { &["--features", "nestnet-cli/mpi"] } else { &[] }
}

fn lints() -> Result<Vec<Skipped>> {
    if !setup::cargo_has("clippy") {
        return Ok(vec![Skipped::new("lints", "there is no clippy")]);
    }
    let clippy = ["clippy", "--workspace", "--all-targets"];
    nothing_skipped(cargo(&[&clippy, ranks(), &["--", "-D", "warnings"]].concat()))
}

/// Whoever needs neither C nor ledgers compiles neither.
fn without_features() -> Result<Vec<Skipped>> {
    nothing_skipped(cargo(&["check", "--package", "nestnet", "--no-default-features"]))
}

fn documentation() -> Result<Vec<Skipped>> {
    // The program is called as the facade is, and has no documentation of its own.
    let mut doc = command(cargo_path());
    doc.args(["doc", "--workspace", "--no-deps", "--lib"]);
    nothing_skipped(setup::must(
        doc.env("RUSTDOCFLAGS", "-D warnings").current_dir(root()),
        "cargo doc",
    ))
}

fn examples() -> Result<Vec<Skipped>> {
    nothing_skipped(cargo(&["test", "--workspace", "--doc", "--quiet"]))
}

/// Where the command line with ranks lies.
fn with_ranks() -> Result<PathBuf> {
    Ok(target()?.join("debug/nestnet-mpi"))
}

fn command_line() -> Result<Vec<Skipped>> {
    // Of the whole workspace, as the tests are, so that nothing is compiled for this alone.
    let build = ["build", "--workspace", "--bins"];
    let mut skipped = Vec::new();
    if ranks().is_empty() {
        skipped.push(Skipped::new("ranks of Open MPI", setup::lacks("mpicc")));
        let _ = fs::remove_file(with_ranks()?);
    } else {
        cargo(&[&build, ranks()].concat())?;
        fs::rename(target()?.join("debug/nestnet"), with_ranks()?)?;
    }
    cargo(&build)?;
    Ok(skipped)
}

fn generated_pages() -> Result<Vec<Skipped>> {
    nothing_skipped(crate::with_library(&["generate", "--check"]))
}

fn page_code() -> Result<Vec<Skipped>> {
    Ok(page::types(Missing::Skip)?
        .into_iter()
        .chain(page::lint(Missing::Skip, page::Lint::Check)?)
        .collect())
}

fn tests() -> Result<Vec<Skipped>> {
    let mut skipped = Vec::new();
    let judged = setup::has("ibdmchk");
    if !judged {
        let what = "verdicts on deadlock beside those of ibdmchk";
        skipped.push(Skipped::new(what, setup::lacks("ibdmchk")));
    }
    let mut run = command(cargo_path());
    if setup::cargo_has("nextest") {
        run.args(["nextest", "run", "--no-fail-fast"]).args(TESTS);
        // All claims were measured for the page of errata.
        let mut only = "not test(/^claims::verdicts::/)".to_owned();
        if !judged {
            only += " and not test(/^judge::/)";
        }
        run.args(["-E", &only]);
    } else {
        run.args(["test", "--no-fail-fast"]).args(TESTS);
        if !judged {
            run.args(["--", "--skip", "judge::"]);
        }
    }
    // The tests of ranks run where this names their binary.
    if with_ranks()?.is_file() {
        run.env("NESTNET_MPI", with_ranks()?);
    }
    let status = run.current_dir(root()).status().context("cannot run cargo")?;
    if !status.success() {
        bail!("tests failed");
    }
    Ok(skipped)
}

/// Unit tests of the crates that differ from the last commit, and the answers of the command line.
fn quick_tests() -> Result<Vec<Skipped>> {
    let output = command("git").args(["status", "--porcelain"]).current_dir(root()).output()?;
    let changed = String::from_utf8_lossy(&output.stdout).into_owned();
    let crates: BTreeSet<&str> = changed
        .lines()
        .filter_map(|line| line.get(3..)?.strip_prefix("crates/")?.split('/').next())
        .collect();
    let runner: &[&str] = if setup::cargo_has("nextest") { &["nextest", "run"] } else { &["test"] };
    if !crates.is_empty() {
        let packages = crates.iter().flat_map(|name| ["--package", name]);
        let args: Vec<&str> =
            runner.iter().copied().chain(packages).chain(["--lib", "--no-fail-fast"]).collect();
        cargo(&args)?;
    }
    let golden = ["--package", "nestnet-cli", "--test", "golden", "--no-fail-fast"];
    nothing_skipped(cargo(&[runner, &golden].concat()))
}

/// The tests of the kernels, on a real GPU too.
pub fn test_on_gpu() -> Result<()> {
    let args = ["test", "--package", "nestnet-gpu", "--test", "kernels"];
    let mut test = command(cargo_path());
    test.args(args).env("NESTNET_GPU", "1").current_dir(root());
    setup::must(&mut test, "tests of the kernels on the GPU")
}

/// Whether every crate has in its package what it is built from, and its licenses, and all can be packed in some order.
fn whole_packages() -> Result<()> {
    let mut folders: Vec<_> = fs::read_dir(root().join("crates"))?.collect::<Result<_, _>>()?;
    folders.sort_by_key(|folder| folder.file_name());
    // The Python package is packed by maturin; the seed of property tests is not published.
    let names = folders.iter().filter_map(|folder| folder.file_name().into_string().ok());
    for package in names.filter(|name| name != "nestnet-py" && name != "nestnet-seed") {
        let package = package.as_str();
        let list = ["package", "--package", package, "--list", "--allow-dirty", "--offline"];
        let output = Command::new(cargo_path()).args(list).current_dir(root()).output()?;
        if !output.status.success() {
            bail!("{package} cannot be packaged: {}", String::from_utf8_lossy(&output.stderr));
        }
        let files = String::from_utf8_lossy(&output.stdout);
        for file in ["LICENSE-APACHE", "LICENSE-MIT", "README.md"] {
            if !files.lines().any(|line| line == file) {
                bail!("the package of {package} has no {file}");
            }
        }
    }
    // Each finds those below it: packages that need each other could not be published.
    let mut all =
        vec!["package", "--workspace", "--quiet", "--no-verify", "--allow-dirty", "--offline"];
    for unpublished in ["nestnet-py", "nestnet-seed", "xtask", "xtask-library"] {
        all.extend(["--exclude", unpublished]);
    }
    cargo(&all)
}

/// Whether the libraries have the same features in the tests, in these chores and in the Python package: else everything
/// would be compiled for each of them.
fn compiled_once() -> Result<()> {
    let features = |of: &[&str]| -> Result<BTreeMap<String, BTreeSet<String>>> {
        let mut command = Command::new(cargo_path());
        command.args(["tree", "--offline", "--prefix", "none", "--format", "{p} {f}"]).args(of);
        let output = command.current_dir(root()).output()?;
        if !output.status.success() {
            bail!("no tree of {}: {}", of.join(" "), String::from_utf8_lossy(&output.stderr));
        }
        let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            let mut words = line.split(' ').filter(|word| !word.starts_with('('));
            if let (Some(name), Some(version)) = (words.next(), words.next()) {
                let features = words.next().unwrap_or_default().split(',').map(str::to_owned);
                found.entry(format!("{name} {version}")).or_default().extend(features);
            }
        }
        Ok(found)
    };
    let library = features(&["--package", "nestnet", "--edges", "normal"])?;
    let tests = features(&["--workspace", "--edges", "normal,dev"])?;
    for package in ["xtask-library", "nestnet-py"] {
        let own = features(&["--package", package, "--edges", "normal"])?;
        if let Some(name) = library.keys().find(|name| own.get(*name) != tests.get(*name)) {
            let [own, tests] = [&own, &tests].map(|of| of.get(name));
            bail!("{name} is compiled twice: {package} has it with {own:?}, the tests {tests:?}");
        }
    }
    Ok(())
}

/// The benches, or those whose name contains a word of `filter`.
pub fn bench(filter: &[&str]) -> Result<()> {
    let mut args =
        vec!["bench", "--package", "xtask-library", "--benches", "--features", "bench", "--"];
    args.extend(filter);
    cargo(&args)
}

fn cargo(args: &[&str]) -> Result<()> {
    let mut cargo = command(cargo_path());
    setup::must(cargo.args(args).current_dir(root()), &format!("`cargo {}`", args.join(" ")))
}
