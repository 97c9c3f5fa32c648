//! Does the Python package work? A wheel in a fresh environment, and its tests, stubs and notebooks there.

use crate::missing::{Missing, Skipped};
use crate::{root, target};
use anyhow::{Context, Result, bail};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What builds the wheel.
const MATURIN: &str = "maturin==1.16.0";

/// The crate.
const CRATE: &str = "crates/nestnet-py";

/// Builds the wheel and tests it; skipped where there is no Python, or no packages and no leave to install them.
pub fn test(missing: Missing) -> Result<Option<Skipped>> {
    let skip = |why: &str| Ok(Some(Skipped::new("tests of the Python package", why)));
    let Some(python) = system_python() else { return skip("there is no python3 from 3.9 on") };
    let folder = target()?.join("python");
    let requirements = root().join(CRATE).join("tests/requirements.txt");
    let mut wanted: Vec<OsString> = vec![MATURIN.into(), "-r".into(), requirements.into()];
    let fresh = match missing {
        Missing::Install => environment(&python, &folder.join("venv")),
        // What an earlier run has installed is used; where that is not all, pip has nowhere to look.
        Missing::Skip => {
            wanted.push("--no-index".into());
            Some(inside(&folder.join("venv"))).filter(|python| python.exists())
        }
    };
    let fresh = match (fresh, missing) {
        (Some(fresh), _) => fresh,
        (None, Missing::Skip) => return skip("its packages from PyPI are not installed"),
        (None, Missing::Install) => {
            return skip("python3 makes no environment: is python3-venv installed?");
        }
    };
    if !install(&fresh, &wanted)? {
        return skip(match missing {
            Missing::Install => "PyPI cannot be reached",
            Missing::Skip => "not all of its packages from PyPI are installed",
        });
    }
    let wheel = build(&fresh, &folder.join("wheels"), &[])?;
    let only = ["--no-deps", "--force-reinstall"].map(OsString::from);
    if !install(&fresh, &[&only[..], &[wheel.into()]].concat())? {
        bail!("the wheel cannot be installed");
    }
    // The program beside which answers are compared, which was built before.
    let binary = target()?.join("debug").join(format!("nestnet{}", std::env::consts::EXE_SUFFIX));
    // Away from the sources, so that the wheel is what is imported.
    let outside = folder.join("run");
    fs::create_dir_all(&outside)?;
    let mut pytest = Command::new(&fresh);
    pytest
        .args(["-m", "pytest", "-q", "-p", "no:cacheprovider"])
        .arg(root().join(CRATE).join("tests"));
    pytest.env("NESTNET_BINARY", binary).env("MYPY_CACHE_DIR", folder.join("mypy"));
    step("Python tests, stubs and notebooks", pytest.current_dir(outside))?;
    Ok(None)
}

/// Builds a wheel and the sources to give away, tries the wheel, and says where they are.
pub fn wheel() -> Result<()> {
    let python = system_python().context("there is no python3 from 3.9 on")?;
    let folder = target()?.join("python");
    let fresh =
        environment(&python, &folder.join("build")).context("python3 makes no environment")?;
    if !install(&fresh, &[MATURIN.into()])? {
        bail!("PyPI cannot be reached");
    }
    let wheels = folder.join("wheels");
    let wheel = build(&fresh, &wheels, &["--release"])?;
    let mut sources = Command::new(&fresh);
    sources.args(["-m", "maturin", "sdist", "--quiet", "--out"]).arg(&wheels);
    step("sources", sources.current_dir(root()))?;
    try_wheel(&python, &folder.join("try"), &wheel)?;
    eprintln!("== {}, with the sources beside it", wheel.display());
    Ok(())
}

/// Whether a wheel is all that is needed: installed in a new environment, where no compiler is found, it answers.
fn try_wheel(python: &OsString, folder: &Path, wheel: &Path) -> Result<()> {
    let fresh = environment(python, folder).context("python3 makes no environment")?;
    if !install(&fresh, &["--only-binary=:all:", "numpy"].map(OsString::from))? {
        bail!("PyPI cannot be reached");
    }
    let only = ["--no-deps", "--no-index"].map(OsString::from);
    if !install(&fresh, &[&only[..], &[wheel.into()]].concat())? {
        bail!("the wheel cannot be installed");
    }
    let code = "import nestnet; assert nestnet.network('petersen').diameter == 2";
    let mut command = Command::new(&fresh);
    // Away from the sources, so that the wheel is what is imported.
    command.args(["-c", code]).env("PATH", "").current_dir(folder);
    step("the wheel alone", &mut command)?;
    // The command line comes with it.
    let program = if cfg!(windows) { "Scripts/nestnet.exe" } else { "bin/nestnet" };
    let mut command = Command::new(folder.join(program));
    command.args(["info", "petersen"]).env("PATH", "").current_dir(folder);
    step("the command of the wheel", command.stdout(Stdio::null()))
}

/// Writes the types of the functions that are made from the table of families.
pub fn stubs() -> Result<()> {
    let python = target()?.join("python/venv/bin/python");
    let code = "import nestnet.families as f; print(f.stub(), end='')";
    let output = Command::new(&python).args(["-c", code]).output();
    let output =
        output.context("`cargo xtask test --install` makes the environment that is needed here")?;
    if !output.status.success() {
        bail!("{}", String::from_utf8_lossy(&output.stderr));
    }
    let path = root().join(CRATE).join("python/nestnet/families.pyi");
    fs::write(&path, output.stdout).with_context(|| format!("cannot write {}", path.display()))
}

/// A Python that we can use.
fn system_python() -> Option<OsString> {
    let code = "import sys; sys.exit(sys.version_info < (3, 9))";
    ["python3", "python"].map(OsString::from).into_iter().find(|python| {
        let mut command = Command::new(python);
        let quiet = command.args(["-c", code]).stdout(Stdio::null()).stderr(Stdio::null());
        quiet.status().is_ok_and(|status| status.success())
    })
}

/// The Python of a new environment, if there can be one.
fn environment(python: &OsString, folder: &Path) -> Option<PathBuf> {
    // What is left of an older one is no part of the new one.
    let _ = fs::remove_dir_all(folder);
    let mut command = Command::new(python);
    let made = command.args(["-m", "venv"]).arg(folder).stdout(Stdio::null()).status();
    let inside = inside(folder);
    made.ok().filter(|status| status.success() && inside.exists()).map(|_| inside)
}

/// The Python of an environment.
fn inside(folder: &Path) -> PathBuf {
    folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" })
}

/// Installs packages; no where they cannot be had.
fn install(python: &Path, wanted: &[OsString]) -> Result<bool> {
    eprintln!("== Python packages");
    let mut command = Command::new(python);
    command.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]).args(wanted);
    Ok(command.current_dir(root()).status().context("cannot run pip")?.success())
}

/// Builds the wheel; without options in the profile of the tests, so that both share what is compiled.
fn build(python: &Path, folder: &Path, options: &[&str]) -> Result<PathBuf> {
    let _ = fs::remove_dir_all(folder);
    let mut command = Command::new(python);
    command.args(["-m", "maturin", "build", "--quiet", "--out"]).arg(folder).args(options);
    command.arg("--target-dir").arg(target()?);
    step("wheel", command.current_dir(root()))?;
    let entries = fs::read_dir(folder).with_context(|| format!("no {}", folder.display()))?;
    let wheels = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut wheels = wheels.filter(|path| path.extension().is_some_and(|end| end == "whl"));
    wheels.next().context("maturin made no wheel")
}

fn step(name: &str, command: &mut Command) -> Result<()> {
    eprintln!("== {name}");
    let program = command.get_program().to_owned();
    let status = command.status().with_context(|| format!("cannot run {}", program.display()))?;
    if status.success() { Ok(()) } else { bail!("{name} failed") }
}
