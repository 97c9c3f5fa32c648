//! The documentation as a site: MkDocs builds it from `docs`, and a link that leads nowhere is an error.

use crate::missing::{Missing, Skipped};
use crate::{root, target, tools};
use anyhow::{Result, bail};
use std::process::Command;

/// What builds it, from PyPI.
const PACKAGES: &[&str] = &["mkdocs", "mkdocs-material"];

/// Builds the site in `target/site`; skipped where there is no MkDocs.
pub fn build(missing: Missing) -> Result<Option<Skipped>> {
    eprintln!("== the site");
    let python = tools::python(missing)?;
    let mut there = Command::new(&python);
    there.args(["-c", "import mkdocs, material"]);
    if !tools::succeeds(&mut there) {
        let mut install = Command::new(&python);
        install.args(["-m", "pip", "install", "--quiet"]).args(PACKAGES);
        if missing == Missing::Skip || !tools::succeeds(&mut install) {
            let why = format!("it needs {} from PyPI", PACKAGES.join(" and "));
            return Ok(Some(Skipped::new("the site of the documentation", &why)));
        }
    }
    let mut build = Command::new(&python);
    build.args(["-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir"]);
    build.arg(target()?.join("site")).env("NO_MKDOCS_2_WARNING", "1").current_dir(root());
    match build.status()?.success() {
        true => Ok(None),
        false => {
            bail!("the site has a link that leads nowhere, or a page that is not in mkdocs.yml")
        }
    }
}
