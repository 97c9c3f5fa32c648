//! Does the Python package work? A wheel in a fresh environment, and its tests, stubs and notebooks there.

use crate::setup::{self, MATURIN, Missing, REQUIREMENTS, Skipped, environment, system_python};
use crate::{command, root, target};
use anyhow::{Context, Error, Result, bail};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The crate.
const CRATE: &str = "crates/nestnet-py";

/// Builds the wheel and tests it; skipped where there is no Python, or not all of its packages.
pub fn test() -> Result<Option<Skipped>> {
    let skip = |why: String| Ok(Some(Skipped::new("tests of the Python package", why)));
    let python = match setup::python(Missing::Skip) {
        Ok(python) => python,
        Err(why) => return skip(why),
    };
    let requirements = fs::read_to_string(root().join(REQUIREMENTS))?;
    let wanted: Vec<&str> = requirements.lines().chain([MATURIN]).collect();
    if let Some(package) = setup::without(&python, &wanted) {
        return skip(format!("there is no {package} from PyPI"));
    }
    let folder = target()?.join("python");
    let wheel = build(&python, &folder.join("wheels"), &[])?;
    let only = ["--no-deps", "--force-reinstall"].map(OsString::from);
    if !install(&python, &[&only[..], &[wheel.into()]].concat())? {
        bail!("the wheel cannot be installed");
    }
    // The program beside which answers are compared, which was built before.
    let binary = target()?.join("debug").join(format!("nestnet{}", std::env::consts::EXE_SUFFIX));
    // Away from the sources, so that the wheel is what is imported.
    let outside = folder.join("run");
    fs::create_dir_all(&outside)?;
    let mut pytest = command(&python);
    pytest
        .args(["-m", "pytest", "-q", "-p", "no:cacheprovider"])
        .arg(root().join(CRATE).join("tests"));
    pytest.env("NESTNET_BINARY", binary).env("MYPY_CACHE_DIR", folder.join("mypy"));
    setup::must(pytest.current_dir(outside), "tests of the Python package")?;
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
    let mut sources = command(&fresh);
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
    let mut child = command(&fresh);
    // Away from the sources, so that the wheel is what is imported.
    child.args(["-c", code]).env("PATH", "").current_dir(folder);
    step("the wheel alone", &mut child)?;
    // The command line comes with it.
    let program = if cfg!(windows) { "Scripts/nestnet.exe" } else { "bin/nestnet" };
    let mut child = command(folder.join(program));
    child.args(["info", "petersen"]).env("PATH", "").current_dir(folder);
    step("the command of the wheel", child.stdout(Stdio::null()))
}

/// Writes the types of the functions that are made from the table of families.
pub fn stubs() -> Result<()> {
    let python = setup::python(Missing::Skip).map_err(Error::msg)?;
    let code = "import nestnet.families as f; print(f.stub(), end='')";
    let output = command(&python).args(["-c", code]).output()?;
    if !output.status.success() {
        bail!("{}", String::from_utf8_lossy(&output.stderr));
    }
    let path = root().join(CRATE).join("python/nestnet/families.pyi");
    fs::write(&path, output.stdout).with_context(|| format!("cannot write {}", path.display()))
}

/// Installs packages; no where they cannot be had.
fn install(python: &Path, wanted: &[OsString]) -> Result<bool> {
    eprintln!("== Python packages");
    let mut child = command(python);
    child.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]).args(wanted);
    Ok(child.current_dir(root()).status().context("cannot run pip")?.success())
}

/// Builds the wheel; without options in the profile of the tests, so that both share what is compiled.
fn build(python: &Path, folder: &Path, options: &[&str]) -> Result<PathBuf> {
    let _ = fs::remove_dir_all(folder);
    let mut child = command(python);
    child.args(["-m", "maturin", "build", "--quiet", "--out"]).arg(folder).args(options);
    child.arg("--target-dir").arg(target()?);
    step("wheel", child.current_dir(root()))?;
    let entries = fs::read_dir(folder).with_context(|| format!("no {}", folder.display()))?;
    let wheels = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut wheels = wheels.filter(|path| path.extension().is_some_and(|end| end == "whl"));
    wheels.next().context("maturin made no wheel")
}

fn step(name: &str, command: &mut Command) -> Result<()> {
    eprintln!("== {name}");
    setup::must(command, name)
}
