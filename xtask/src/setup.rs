//! What do the tests need beyond a Rust toolchain, and how does it come onto this machine?
//!
//! Python packages lie in one environment under the target folder, and npm packages beside it; programs come as packages
//! of Debian, where we may install them. What is not there is named, with what needs it.

use crate::{cargo_path, command, root, target};
use anyhow::{Context, Result, bail};
use std::ffi::OsString;
use std::fmt;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

/// What happens to what is not installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// It is installed where we may, and named where we may not.
    Install,
    /// What needs it is skipped and named.
    Skip,
}

/// A check that did not run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// The check.
    pub what: String,
    /// What it lacks.
    pub why: String,
}

impl Skipped {
    pub fn new(what: &str, why: impl Into<String>) -> Self {
        Skipped { what: what.to_owned(), why: why.into() }
    }
}

impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "skipped: {} ({})", self.what, self.why)
    }
}

/// A program that some check runs.
struct Program {
    name: &'static str,
    /// The package of Debian that has it, and what that needs besides.
    packages: &'static [&'static str],
}

const fn program(name: &'static str, packages: &'static [&'static str]) -> Program {
    Program { name, packages }
}

const PROGRAMS: &[Program] = &[
    program("cc", &["build-essential"]),
    program("mpicc", &["libopenmpi-dev", "openmpi-bin", "libclang-dev"]),
    program("ibdmchk", &["ibutils"]),
    program("dot", &["graphviz"]),
    program("gv2gml", &["graphviz"]),
    program("xmllint", &["libxml2-utils"]),
    program("smpirun", &["libsimgrid-dev"]),
    program("ibsim", &["ibsim-utils"]),
    program("opensm", &["opensm"]),
    program("ibnodes", &["infiniband-diags"]),
    program("python3", &["python3", "python3-venv"]),
    program("node", &["nodejs"]),
    program("npm", &["npm"]),
    program("chromium", &["chromium"]),
    program("chromedriver", &["chromium-driver"]),
];

/// Modules of Debian's own Python, which no index has, and their packages.
const MODULES: &[(&str, &str)] =
    &[("simgrid", "python3-simgrid"), ("graph_tool", "python3-graph-tool")];

/// Components of the Rust toolchain, and the words that ask cargo for them.
const COMPONENTS: &[(&str, &str)] = &[("rustfmt", "fmt"), ("clippy", "clippy")];

/// What builds the wheel.
pub const MATURIN: &str = "maturin==1.16.0";

/// What the tests of the Python package need.
pub const REQUIREMENTS: &str = "crates/nestnet-py/tests/requirements.txt";

/// What other checks need from PyPI: readers of our formats, the driver of the browser and the builder of the site.
const PACKAGES: &[&str] = &[
    "infragraph",
    "pyyaml",
    "pydot",
    "selenium==4.51.0",
    "mkdocs==1.6.1",
    "mkdocs-material==9.8.1",
    "mkdocs-jupyter==0.26.3",
];

/// The sources of the page, whose lock file names its npm packages.
pub const WEB: &str = "crates/nestnet-cli/web";

/// Sets up everything that the tests need, as far as that can be had; says what is installed.
pub fn everything() {
    install_components();
    install_programs();
    for result in [python(Missing::Install).map(drop), npm(Missing::Install).map(drop)] {
        if let Err(why) = result {
            eprintln!("== {why}");
        }
    }
}

/// Whether a program is there.
pub fn has(name: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain(["/usr/sbin".into(), "/sbin".into()]);
    let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    folders.into_iter().any(|folder| folder.join(&name).is_file())
}

/// Why a check is skipped that needs a program, and what installs it.
pub fn lacks(name: &str) -> String {
    match PROGRAMS.iter().find(|program| program.name == name) {
        Some(Program { packages, .. }) => {
            format!("there is no {name}: `apt-get install {}`", packages.join(" "))
        }
        None => format!("there is no {name}"),
    }
}

/// Whether cargo has a subcommand.
pub fn cargo_has(subcommand: &str) -> bool {
    succeeds(command(cargo_path()).args([subcommand, "--version"]))
}

fn install_components() {
    for (component, subcommand) in COMPONENTS {
        if !cargo_has(subcommand) && has("rustup") {
            eprintln!("== installing {component} by rustup");
            let _ = succeeds(command("rustup").args(["component", "add", component]));
        }
    }
}

/// Packages of Debian that some check needs and that are not there.
fn missing_packages() -> Vec<&'static str> {
    let programs = PROGRAMS.iter().filter(|program| !has(program.name));
    let mut packages: Vec<&str> = programs.flat_map(|program| program.packages).copied().collect();
    for (module, package) in MODULES {
        if !succeeds(command("/usr/bin/python3").args(["-c", &format!("import {module}")])) {
            packages.push(package);
        }
    }
    packages.sort_unstable();
    packages.dedup();
    packages
}

/// What can be installed is; what cannot is named by whoever needs it.
pub fn install_programs() {
    let packages = missing_packages();
    if packages.is_empty() || !has("apt-get") || !is_root() {
        return;
    }
    eprintln!("== installing packages of Debian: {}", packages.join(" "));
    let apt = |args: &[&str]| {
        let mut apt = command("apt-get");
        apt.env("DEBIAN_FRONTEND", "noninteractive").args(args);
        succeeds(&mut apt)
    };
    let install = ["install", "--yes", "--quiet", "--no-install-recommends"];
    apt(&["update", "--quiet"]);
    if apt(&[&install[..], &packages].concat()) {
        return;
    }
    // One by one, so that what cannot be had does not keep the others away.
    for package in packages {
        if !apt(&[&install[..], &[package]].concat()) {
            eprintln!("== apt-get cannot install {package}");
        }
    }
}

/// Whether we may install packages.
fn is_root() -> bool {
    let id = command("id").arg("-u").output();
    id.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

/// The Python of the environment under the target folder, or why there is none. It never uses packages of the machine.
pub fn python(missing: Missing) -> Result<PathBuf, String> {
    let folder = target().map_err(|error| error.to_string())?.join("python/venv");
    let python = inside(&folder);
    if missing == Missing::Skip {
        return match python.is_file() {
            true => Ok(python),
            false => Err("its Python packages are not installed".to_owned()),
        };
    }
    let requirements = root().join(REQUIREMENTS);
    let mut wanted: Vec<OsString> = vec!["-r".into(), requirements.clone().into(), MATURIN.into()];
    wanted.extend(PACKAGES.iter().map(OsString::from));
    let pip = |options: &[&str], wanted: &[OsString]| {
        let mut pip = command(&python);
        pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
        succeeds(pip.args(options).args(wanted))
    };
    // Without an index pip says whether all is there.
    if python.is_file() && pip(&["--no-index"], &wanted) {
        return Ok(python);
    }
    if !succeeds(command(&python).arg("--version")) {
        let base = system_python().ok_or("there is no python3 from 3.9 on")?;
        environment(&base, &folder)
            .ok_or("python3 makes no environment: `apt-get install python3-venv`")?;
    }
    eprintln!("== installing Python packages under the target folder");
    if !pip(&[], &wanted) {
        // One by one, so that what cannot be had does not keep the others away.
        let lines = fs::read_to_string(&requirements).map_err(|error| error.to_string())?;
        let named = lines.lines().map(OsString::from).chain(wanted.into_iter().skip(2));
        for package in named {
            if !pip(&[], std::slice::from_ref(&package)) {
                eprintln!("== PyPI gives no {}", package.display());
            }
        }
    }
    Ok(python)
}

/// The first of these packages (or `name==version`) that a Python does not have.
pub fn without<'a>(python: &Path, packages: &[&'a str]) -> Option<&'a str> {
    const CODE: &str = "import sys, importlib.metadata as m; m.version(sys.argv[1])";
    let name = |package: &'a str| package.split("==").next().unwrap_or(package);
    packages
        .iter()
        .map(|package| name(package))
        .find(|name| !succeeds(command(python).args(["-c", CODE, name])))
}

/// A Python that we can use.
pub fn system_python() -> Option<OsString> {
    const CODE: &str = "import sys; sys.exit(sys.version_info < (3, 9))";
    let mut names = ["python3", "python"].map(OsString::from).into_iter();
    names.find(|python| succeeds(command(python).args(["-c", CODE])))
}

/// The Python of a new environment, if there can be one.
pub fn environment(python: &OsString, folder: &Path) -> Option<PathBuf> {
    // What is left of an older one is no part of the new one.
    let _ = fs::remove_dir_all(folder);
    let made = succeeds(command(python).args(["-m", "venv"]).arg(folder));
    Some(inside(folder)).filter(|python| made && python.exists())
}

/// The Python of an environment.
fn inside(folder: &Path) -> PathBuf {
    folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" })
}

/// The folder with the npm packages of the lock file, or why there is none.
pub fn npm(missing: Missing) -> Result<PathBuf, String> {
    let folder = target().map_err(|error| error.to_string())?.join("page");
    let mark = folder.join("node_modules/.package-lock.json");
    let lock = root().join(WEB).join("package-lock.json");
    // npm writes the mark last, and the copy of the lock file says of which lock file it is.
    let same = || {
        fs::read(&lock)
            .ok()
            .is_some_and(|is| fs::read(folder.join("package-lock.json")).ok() == Some(is))
    };
    if mark.is_file() && same() {
        return Ok(folder);
    }
    if missing == Missing::Skip {
        return Err("its packages from npm are not installed".to_owned());
    }
    if !has("npm") {
        return Err(lacks("npm"));
    }
    eprintln!("== installing npm packages under the target folder");
    let copied = fs::create_dir_all(&folder).and_then(|()| {
        for file in ["package.json", "package-lock.json"] {
            fs::copy(root().join(WEB).join(file), folder.join(file))?;
        }
        Ok(())
    });
    copied.map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut npm = command("npm");
    npm.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]);
    match succeeds(npm.current_dir(&folder)) {
        true => Ok(folder),
        false => Err(format!("npm cannot install the packages of {WEB}/package-lock.json")),
    }
}

/// Runs a command without its output.
pub fn succeeds(command: &mut Command) -> bool {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

/// Runs a command that has to succeed. What it prints appears by whole lines, so that several may run side by side.
pub fn must(command: &mut Command, what: &str) -> Result<()> {
    let program = command.get_program().to_owned();
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = child.with_context(|| format!("cannot run {}", program.display()))?;
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    thread::scope(|scope| {
        scope.spawn(|| stderr.into_iter().for_each(|pipe| lines(pipe, |line| eprintln!("{line}"))));
        stdout.into_iter().for_each(|pipe| lines(pipe, |line| println!("{line}")));
    });
    if !child.wait()?.success() {
        bail!("{what} failed");
    }
    Ok(())
}

/// Gives every line of what a program prints.
fn lines(pipe: impl Read, mut give: impl FnMut(&str)) {
    let mut pipe = BufReader::new(pipe);
    let mut line = Vec::new();
    while pipe.read_until(b'\n', &mut line).is_ok_and(|bytes| bytes > 0) {
        give(String::from_utf8_lossy(&line).trim_end());
        line.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_there_is_named_with_what_installs_it() {
        assert!(!has("no-such-program"));
        assert_eq!(lacks("no-such-program"), "there is no no-such-program");
        assert!(lacks("dot").contains("apt-get install graphviz"));
        let skipped = Skipped::new("lints", "there is no clippy");
        assert_eq!(skipped.to_string(), "skipped: lints (there is no clippy)");
    }

    #[test]
    fn a_package_that_a_python_lacks_is_found() {
        let Some(python) = system_python() else { return };
        let lacking = without(Path::new(&python), &["no-such-package==1.0"]);
        assert_eq!(lacking, Some("no-such-package"));
    }
}
