//! What does the page take from others, is that what is committed, and does a browser show it as it should?

use crate::setup::{self, Missing, Skipped, WEB};
use crate::{command, root, target};
use anyhow::{Context, Error, Result, bail};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

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

/// What is committed of others.
fn vendored() -> PathBuf {
    root().join(WEB).join("vendor/d3-zoom.js")
}

/// Writes what the page takes from npm packages, as the lock file names them.
pub fn write() -> Result<()> {
    let folder = setup::npm(Missing::Install).map_err(Error::msg)?;
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

/// Checks the types that the comments of the page's code declare; skipped where the compiler is not installed.
pub fn types(missing: Missing) -> Result<Option<Skipped>> {
    let skip = |why: String| Ok(Some(Skipped::new("types of the page's code", why)));
    let folder = match packages(missing) {
        Ok(folder) => folder,
        Err(why) => return skip(why),
    };
    let mut compiler = command("node");
    compiler.arg(folder.join("node_modules/typescript/bin/tsc"));
    compiler.arg("-p").arg(root().join(WEB).join("jsconfig.json"));
    setup::must(&mut compiler, "types of the page's code")?;
    Ok(None)
}

/// The npm packages, where there is also a node that runs them.
fn packages(missing: Missing) -> Result<PathBuf, String> {
    if !setup::has("node") {
        return Err(setup::lacks("node"));
    }
    setup::npm(missing)
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
    let skip = |why: String| Ok(Some(Skipped::new("formatting and lints of the page's code", why)));
    let folder = match packages(missing) {
        Ok(folder) => folder.join("node_modules/@biomejs"),
        Err(why) => return skip(why),
    };
    // npm installs no program where there is none for this machine.
    let is_program = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().starts_with("cli-");
    if !fs::read_dir(&folder).is_ok_and(|all| all.flatten().any(|entry| is_program(&entry))) {
        return skip("@biomejs/biome has no program for this machine".to_owned());
    }
    let args: &[&str] = match what {
        Lint::Check => &["ci", "--error-on-warnings"],
        Lint::Write => &["check", "--write", "--error-on-warnings"],
    };
    let mut biome = command("node");
    biome.arg(folder.join("biome/bin/biome")).args(args).arg(".");
    let what = "formatting and lints of the page's code (`cargo xtask page-lint --write` corrects)";
    setup::must(biome.current_dir(root().join(WEB)), what)?;
    Ok(None)
}

/// Drives a browser through the page; skipped where there is none.
pub fn test(missing: Missing) -> Result<Option<Skipped>> {
    let skip = |why: String| Ok(Some(Skipped::new("tests of the page in a browser", why)));
    if missing == Missing::Install {
        setup::install_programs();
    }
    for tool in ["chromium", "chromedriver"] {
        if !setup::has(tool) {
            return skip(setup::lacks(tool));
        }
    }
    let (python, folder) = match (setup::python(missing), setup::npm(missing)) {
        (Ok(python), Ok(folder)) => (python, folder),
        (Err(why), _) | (_, Err(why)) => return skip(why),
    };
    if let Some(package) = setup::without(&python, &["selenium"]) {
        return skip(format!("there is no {package} from PyPI"));
    }
    let axe = folder.join("node_modules/axe-core/axe.min.js");
    let binary = target()?.join("debug").join(format!("nestnet{}", std::env::consts::EXE_SUFFIX));
    let mut walk = command(&python);
    walk.arg(root().join("xtask/page.py")).arg(binary).arg(axe).current_dir(&folder);
    setup::must(&mut walk, "the walk through the page")?;
    Ok(None)
}
