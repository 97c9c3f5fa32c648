//! What does the page take from others, is that what is committed, and does a browser show it as it should?

use crate::missing::{Missing, Skipped};
use crate::{root, target};
use anyhow::{Context, Result, bail};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The sources of the page.
const WEB: &str = "crates/nestnet-cli/web";

/// What the page takes, each after what it needs itself.
const PACKAGES: &[&str] = &[
    "d3-color",
    "d3-dispatch",
    "d3-timer",
    "d3-ease",
    "d3-interpolate",
    "d3-selection",
    "d3-transition",
    "d3-drag",
    "d3-zoom",
];

/// Who drives the browser.
const SELENIUM: &str = "selenium==4.51.0";

/// What is committed of others.
fn vendored() -> PathBuf {
    root().join(WEB).join("vendor/d3-zoom.js")
}

/// Writes what the page takes from npm packages, as the lock file names them.
pub fn write() -> Result<()> {
    let folder = install()?;
    let mut text = header(&root().join(WEB).join("package-lock.json"))?;
    let mut licenses = String::new();
    for package in PACKAGES {
        let of = folder.join("node_modules").join(package);
        let code = of.join("dist").join(format!("{package}.min.js"));
        text += &fs::read_to_string(&code).with_context(|| code.display().to_string())?;
        text.push('\n');
        let license = fs::read_to_string(of.join("LICENSE"))?;
        let _ = writeln!(licenses, "{package}\n\n{license}");
    }
    fs::write(vendored(), text)?;
    fs::write(vendored().with_file_name("LICENSE-d3"), licenses)?;
    Ok(())
}

/// Whether what is committed is what the lock file names.
pub fn check() -> Result<()> {
    let text = fs::read_to_string(vendored())?;
    if !text.starts_with(&header(&root().join(WEB).join("package-lock.json"))?) {
        bail!("{} is stale: `cargo xtask page` writes it", vendored().display());
    }
    Ok(())
}

/// Which versions of which packages.
fn header(lock: &Path) -> Result<String> {
    let lock: serde_json::Value = serde_json::from_str(&fs::read_to_string(lock)?)?;
    let mut text =
        "/* Made by `cargo xtask page` from npm packages, unchanged; LICENSE-d3 is theirs.\n"
            .to_owned();
    for package in PACKAGES {
        let entry = &lock["packages"][format!("node_modules/{package}")];
        let version = entry["version"].as_str().context("a package without a version")?;
        let hash = entry["integrity"].as_str().unwrap_or("unknown");
        let _ = writeln!(text, "   {package} {version} {hash}");
    }
    text.push_str("*/\n");
    Ok(text)
}

/// Installs the packages of the lock file, away from the sources.
fn install() -> Result<PathBuf> {
    let folder = target()?.join("page");
    fs::create_dir_all(&folder)?;
    for file in ["package.json", "package-lock.json"] {
        fs::copy(root().join(WEB).join(file), folder.join(file))?;
    }
    let mut npm = Command::new("npm");
    npm.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]);
    let status = npm.current_dir(&folder).stdout(Stdio::null()).status().context("npm")?;
    if !status.success() {
        bail!("npm could not install the packages of {WEB}/package-lock.json");
    }
    Ok(folder)
}

/// Checks the types that the comments of the page's code declare; skipped where the compiler is not installed.
pub fn types(missing: Missing) -> Result<Option<Skipped>> {
    let skip = |why: &str| Ok(Some(Skipped::new("types of the page's code", why)));
    if !answers("node") {
        return skip("there is no node");
    }
    if missing == Missing::Install
        && let Err(why) = install()
    {
        return skip(&format!("{why:#}"));
    }
    let compiler = target()?.join("page/node_modules/typescript/bin/tsc");
    if !compiler.is_file() {
        return skip("typescript from npm is not installed");
    }
    let config = root().join(WEB).join("jsconfig.json");
    let status = Command::new("node").arg(compiler).arg("-p").arg(config).status()?;
    if !status.success() {
        bail!("the types of the page's code do not hold");
    }
    Ok(None)
}

/// What the linter does with the page's code.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Lint {
    /// Says what differs.
    Check,
    /// Writes the formatting, and what it can correct by itself.
    Write,
}

/// Checks the formatting of the page's code and lints it; skipped where the tool is not installed.
pub fn lint(missing: Missing, what: Lint) -> Result<Option<Skipped>> {
    let skip = |why: &str| Ok(Some(Skipped::new("formatting and lints of the page's code", why)));
    if !answers("node") {
        return skip("there is no node");
    }
    let folder = target()?.join("page/node_modules/@biomejs");
    let there = || folder.join("biome/bin/biome").is_file();
    if missing == Missing::Install
        && !there()
        && let Err(why) = install()
    {
        return skip(&format!("{why:#}"));
    }
    // npm installs no program where there is none for this machine.
    let is_program = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().starts_with("cli-");
    let program = fs::read_dir(&folder).is_ok_and(|all| all.flatten().any(|e| is_program(&e)));
    if !there() || !program {
        return skip("@biomejs/biome from npm is not installed");
    }
    let args: &[&str] = match what {
        Lint::Check => &["ci", "--error-on-warnings"],
        Lint::Write => &["check", "--write", "--error-on-warnings"],
    };
    let mut biome = Command::new("node");
    biome.arg(folder.join("biome/bin/biome")).args(args).arg(".");
    if !biome.current_dir(root().join(WEB)).status()?.success() {
        bail!("the page's code is not formatted or linted: `cargo xtask page-lint --write`");
    }
    Ok(None)
}

/// Drives a browser through the page; skipped where there is none.
pub fn test(missing: Missing) -> Result<Option<Skipped>> {
    let skip = |why: &str| Ok(Some(Skipped::new("tests of the page in a browser", why)));
    let may_install = missing == Missing::Install;
    for (tool, package) in [("chromium", "chromium"), ("chromedriver", "chromium-driver")] {
        let there = || answers(tool);
        // A browser takes longer to install than all its walks.
        let install = || may_install && std::env::var_os("SLOW_TESTS").is_some() && apt(package);
        if !(there() || install() && there()) {
            return skip(&format!(
                "there is no {tool}: `apt-get install {package}`, or --install with SLOW_TESTS=1"
            ));
        }
    }
    if !answers("python3") {
        return skip("there is no python3");
    }
    let folder = target()?.join("page");
    fs::create_dir_all(&folder)?;
    let fresh = folder.join("venv");
    let python = fresh.join("bin/python");
    if !python.exists() && !may_install {
        return skip("its packages from PyPI and npm are not installed");
    }
    if !python.exists() {
        let made = Command::new("python3").args(["-m", "venv"]).arg(&fresh).status()?;
        if !made.success() {
            return skip("python3 makes no environment: is python3-venv installed?");
        }
    }
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", SELENIUM];
    // Without an index pip says whether all is there.
    let index: &[&str] = if may_install { &[] } else { &["--no-index"] };
    if !Command::new(&python).args(pip).args(index).status()?.success() {
        return skip(&format!("{SELENIUM} cannot be installed"));
    }
    if may_install && let Err(why) = install() {
        return skip(&format!("{why:#}"));
    }
    let axe = folder.join("node_modules/axe-core/axe.min.js");
    if !axe.is_file() {
        return skip("axe-core from npm is not installed");
    }
    println!("page: a browser walks through it");
    let binary = target()?.join("debug").join(format!("nestnet{}", std::env::consts::EXE_SUFFIX));
    let script = root().join("xtask/page.py");
    let status =
        Command::new(&python).arg(script).arg(binary).arg(axe).current_dir(&folder).status()?;
    if !status.success() {
        bail!("the page does not hold");
    }
    Ok(None)
}

fn answers(tool: &str) -> bool {
    let mut command = Command::new(tool);
    command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

fn apt(package: &str) -> bool {
    println!("page: installing {package}");
    let mut apt = Command::new("apt-get");
    apt.args(["install", "-y", "-qq", "--no-install-recommends", package]);
    apt.stdout(Stdio::null()).stderr(Stdio::null());
    apt.status().is_ok_and(|status| status.success())
}
