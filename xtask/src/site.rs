//! The documentation as a site: MkDocs builds it from `docs`, and a link that leads nowhere is an error.

use crate::missing::{Missing, Skipped};
use crate::{root, target, tools};
use anyhow::{Result, bail};
use std::process::Command;

/// What builds it, from PyPI.
const PACKAGES: &[&str] = &["mkdocs==1.6.1", "mkdocs-material==9.8.1", "mkdocs-jupyter==0.26.3"];

/// Builds the site in `target/site`; skipped where there is no MkDocs.
pub fn build(missing: Missing) -> Result<Option<Skipped>> {
    eprintln!("== the site");
    let python = tools::python(missing)?;
    let mut there = Command::new(&python);
    there.args(["-c", "import mkdocs, material, mkdocs_jupyter"]);
    if !tools::succeeds(&mut there) {
        let mut install = Command::new(&python);
        install.args(["-m", "pip", "install", "--quiet"]).args(PACKAGES);
        if missing == Missing::Skip || !tools::succeeds(&mut install) {
            let why = format!("it needs {} from PyPI", PACKAGES.join(", "));
            return Ok(Some(Skipped::new("the site of the documentation", &why)));
        }
    }
    let mut build = Command::new(&python);
    // With --quiet it counts no warning, and a link that leads nowhere is one.
    build.args(["-m", "mkdocs", "build", "--strict", "--site-dir"]);
    build.arg(target()?.join("site")).env("NO_MKDOCS_2_WARNING", "1").current_dir(root());
    let built = build.output()?;
    if built.status.success() {
        return Ok(None);
    }
    let said = String::from_utf8_lossy(&built.stderr);
    let faults: Vec<&str> = said.lines().filter(|line| !line.starts_with("INFO")).collect();
    bail!(
        "the site has a link that leads nowhere, or a page that is not in mkdocs.yml:\n{}",
        faults.join("\n")
    )
}
