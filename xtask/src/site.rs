//! The documentation as a site: MkDocs builds it from `docs`, and a link that leads nowhere is an error.

use crate::setup::{self, Missing, Skipped};
use crate::{command, root, target};
use anyhow::{Result, bail};

/// Builds the site in `target/site`; skipped where there is no MkDocs.
pub fn build(missing: Missing) -> Result<Option<Skipped>> {
    let skip = |why: String| Ok(Some(Skipped::new("the site of the documentation", why)));
    let python = match setup::python(missing) {
        Ok(python) => python,
        Err(why) => return skip(why),
    };
    if let Some(package) = setup::without(&python, &["mkdocs", "mkdocs-material", "mkdocs-jupyter"])
    {
        return skip(format!("there is no {package} from PyPI"));
    }
    let mut build = command(&python);
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
