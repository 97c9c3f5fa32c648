//! Which commands make up a test run, and what must be there before it begins?

use crate::missing::{Missing, Skipped, summary};
use crate::{generate, page, python, root, site, target, tidy, tools};
use anyhow::{Context, Result, bail};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Everything that must hold, quick checks first. Ends with the summary of the test runner, and what was skipped.
pub fn test(missing: Missing) -> Result<()> {
    let without = requirements(missing)?;
    let mut skipped: Vec<Skipped> = without.iter().map(|tool| tool.skipped()).collect();
    let result = checks(missing, &without, &mut skipped);
    let summary = summary(&skipped, missing);
    if !summary.is_empty() {
        eprintln!("{summary}");
    }
    result
}

fn checks(missing: Missing, without: &[&Tool], skipped: &mut Vec<Skipped>) -> Result<()> {
    let lacks = |name: &str| without.iter().any(|tool| tool.name == name);
    if !lacks("rustfmt") {
        cargo("formatting", &["fmt", "--all", "--check"])?;
    }
    tidy::tidy(&root())?;
    generate::check()?;
    page::check()?;
    // What follows asks for the crates of the tests too, and looks for them on this machine alone.
    cargo("crates of others", &["fetch", "--locked", "--quiet"])?;
    packages()?;
    compiled_once()?;
    // Ranks are linted too where they can be built.
    let ranks: &[&str] = if lacks("mpicc") { &[] } else { &["--features", "nestnet-cli/mpi"] };
    if !lacks("clippy") {
        let clippy = ["clippy", "--workspace", "--all-targets"];
        cargo("lints", &[&clippy, ranks, &["--", "-D", "warnings"]].concat())?;
    }
    // Whoever needs neither C nor ledgers compiles neither.
    let plain = ["check", "--quiet", "--package", "nestnet", "--no-default-features"];
    cargo("without features", &plain)?;
    let strict = ("RUSTDOCFLAGS", PathBuf::from("-D warnings"));
    // The program is called as the facade is, and has no documentation of its own.
    let doc = ["doc", "--quiet", "--workspace", "--no-deps", "--lib"];
    with_env("documentation", cargo_path(), &doc, &[strict])?;
    cargo("examples in the documentation", &["test", "--workspace", "--doc", "--quiet"])?;
    // Of the whole workspace, as the tests are, so that nothing is compiled for this alone.
    let build = ["build", "--quiet", "--workspace", "--bins"];
    let with_ranks = target()?.join("debug/nestnet-mpi");
    if !lacks("mpicc") {
        // Nothing of it takes long, so that it is compiled as quickly as may be; the libraries are those of the tests.
        let quick = ["--config", "profile.dev.package.nestnet-cli.opt-level=0"];
        cargo("the command line with ranks", &[&build, ranks, &quick].concat())?;
        std::fs::rename(target()?.join("debug/nestnet"), &with_ranks)?;
    }
    cargo("the command line", &build)?;
    skipped.extend(python::test(missing)?);
    skipped.extend(tools::test(missing, &[])?);
    skipped.extend(page::types(missing)?);
    skipped.extend(page::lint(missing, page::Lint::Check)?);
    skipped.extend(page::test(missing)?);
    skipped.extend(site::build(missing)?);
    // The tests of ranks run where this names their binary.
    let env: &[_] = if lacks("mpicc") { &[] } else { &[("NESTNET_MPI", with_ranks)] };
    if answers(&cargo_path(), &["nextest", "--version"]) {
        let mut args =
            vec!["nextest", "run", "--workspace", "--lib", "--bins", "--tests", "--no-fail-fast"];
        // All claims were measured for the page of errata.
        let mut only = "not test(/^claims::verdicts::/)".to_owned();
        if lacks("ibdmchk") {
            only += " and not test(/^judge::/)";
        }
        args.extend(["-E", &only]);
        with_env("tests", cargo_path(), &args, env)
    } else {
        let mut args = vec!["test", "--workspace", "--lib", "--bins", "--tests", "--no-fail-fast"];
        if lacks("ibdmchk") {
            args.extend(["--", "--skip", "judge::"]);
        }
        with_env("tests", cargo_path(), &args, env)
    }
}

/// The tests of the kernels, on a real GPU too.
pub fn test_on_gpu() -> Result<()> {
    let args = ["test", "--package", "nestnet-gpu", "--test", "kernels"];
    with_env("kernels on the GPU", cargo_path(), &args, &[("NESTNET_GPU", "1".into())])
}

/// Whether every crate has in its package what it is built from, and its licenses, and all can be packed in some order.
fn packages() -> Result<()> {
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
    for unpublished in ["nestnet-py", "nestnet-seed", "xtask"] {
        all.extend(["--exclude", unpublished]);
    }
    cargo("packages", &all)
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
    for package in ["xtask", "nestnet-py"] {
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
    let mut args = vec!["bench", "--package", "nestnet", "--benches", "--"];
    args.extend(filter);
    cargo("benches", &args)
}

/// The same chore, by a build that is worth timing.
pub fn again_in_release(args: &[&str]) -> Result<()> {
    let run = ["run", "--release", "--quiet", "--package", "xtask", "--"];
    cargo("release build", &[&run, args].concat())
}

/// A tool that the tests need beyond a Rust toolchain.
struct Tool {
    name: &'static str,
    /// What needs it.
    does: &'static str,
    /// How we ask whether it is there.
    asks: &'static [&'static str],
    from: Source,
}

/// Where a tool comes from.
enum Source {
    Rustup,
    /// Packages of Debian.
    Apt(&'static [&'static str]),
}

const TOOLS: &[Tool] = &[
    Tool {
        name: "rustfmt",
        does: "formatting",
        asks: &["cargo", "fmt", "--version"],
        from: Source::Rustup,
    },
    Tool {
        name: "clippy",
        does: "lints",
        asks: &["cargo", "clippy", "--version"],
        from: Source::Rustup,
    },
    Tool {
        name: "cc",
        does: "METIS, and linking",
        asks: &["cc", "--version"],
        from: Source::Apt(&["build-essential"]),
    },
    Tool {
        name: "ibdmchk",
        does: "verdicts on deadlock beside those of ibdmchk",
        asks: &["ibdmchk", "-h"],
        from: Source::Apt(&["ibutils"]),
    },
    Tool {
        name: "mpicc",
        does: "ranks of Open MPI",
        asks: &["mpicc", "--version"],
        from: Source::Apt(&["libopenmpi-dev", "openmpi-bin", "libclang-dev"]),
    },
];

impl Tool {
    fn is_there(&self) -> bool {
        match self.asks {
            ["cargo", asks @ ..] => answers(&cargo_path(), asks),
            [program, asks @ ..] => answers(&program.into(), asks),
            [] => true,
        }
    }

    fn skipped(&self) -> Skipped {
        Skipped::new(self.does, format!("there is no {}", self.name))
    }

    /// How it is installed.
    fn commands(&self) -> Vec<Vec<&'static str>> {
        match self.from {
            Source::Rustup => vec![vec!["rustup", "component", "add", self.name]],
            Source::Apt(packages) => vec![
                vec!["apt-get", "update", "--quiet"],
                [&["apt-get", "install", "--yes", "--quiet"], packages].concat(),
            ],
        }
    }
}

/// Installs what is missing, after saying so; gives what is still missing.
fn requirements(missing: Missing) -> Result<Vec<&'static Tool>> {
    let tools: Vec<&Tool> = TOOLS.iter().filter(|tool| !tool.is_there()).collect();
    if missing == Missing::Skip {
        return Ok(tools);
    }
    for Tool { name, does, .. } in &tools {
        eprintln!("== {name} is missing, for {does}; it will be installed");
    }
    for tool in &tools {
        let commands = tool.commands();
        let advice = || {
            let last = commands.last().map(|command| command.join(" ")).unwrap_or_default();
            format!(
                "{} is missing: `{last}` installs it, without --install it is skipped",
                tool.name
            )
        };
        if matches!(tool.from, Source::Apt(_)) && !is_root() {
            bail!(advice());
        }
        for parts in &commands {
            let (program, args) = parts.split_first().context("a command has a name")?;
            command(tool.name, program, args).with_context(advice)?;
        }
    }
    Ok(Vec::new())
}

/// Whether we may install packages.
fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output();
    id.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

/// The cargo that runs us.
fn cargo_path() -> OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

fn cargo(step: &str, args: &[&str]) -> Result<()> {
    command(step, cargo_path(), args)
}

fn command(step: &str, program: impl Into<OsString>, args: &[&str]) -> Result<()> {
    with_env(step, program, args, &[])
}

fn with_env(
    step: &str,
    program: impl Into<OsString>,
    args: &[&str],
    env: &[(&str, PathBuf)],
) -> Result<()> {
    eprintln!("== {step}");
    let program = program.into();
    let mut command = Command::new(&program);
    command.envs(env.iter().map(|(name, value)| (name, value)));
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
