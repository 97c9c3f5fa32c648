//! Do other tools read what we write? Installs their readers where it may and runs `tools.py`, which compares.

use crate::missing::{Missing, Skipped};
use crate::{root, target};
use anyhow::{Context, Result, bail};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Readers from PyPI, in an environment of their own.
const PACKAGES: &[&str] =
    &["networkx", "igraph", "networkit", "scipy", "rustworkx", "infragraph", "pyyaml", "pydot"];

/// A program and the package of Debian that has it.
const PROGRAMS: &[(&str, &str)] = &[
    ("dot", "graphviz"),
    ("gv2gml", "graphviz"),
    ("xmllint", "libxml2-utils"),
    ("smpirun", "libsimgrid-dev"),
    ("ibsim", "ibsim-utils"),
    ("opensm", "opensm"),
    ("ibnodes", "infiniband-diags"),
    ("ibdmchk", "ibutils"),
];

/// What `tools.py` prints of a tool that is not there, after the name of the check.
const ABSENT: &str = ": skipped, ";

/// Lets every reader that is there read; gives those that are not.
pub fn test(missing: Missing, options: &[&str]) -> Result<Vec<Skipped>> {
    eprintln!("== other tools");
    if missing == Missing::Install {
        install_programs();
    }
    let python = python(missing)?;
    let nestnet = target()?.join("debug/nestnet");
    if !nestnet.is_file() {
        bail!("there is no {}: `cargo build` makes it", nestnet.display());
    }
    let script = root().join("xtask/tools.py");
    if !succeeds(Command::new(&python).arg("--version")) {
        return Ok(vec![Skipped::new("other tools", "there is no python3")]);
    }
    let mut command = Command::new(&python);
    command.arg(script).arg(nestnet).args(options).stdout(Stdio::piped());
    let mut child = command.spawn().with_context(|| format!("cannot run {}", python.display()))?;
    let mut skipped = Vec::new();
    for line in BufReader::new(child.stdout.take().context("a pipe")?).lines() {
        let line = line?;
        match line.split_once(ABSENT) {
            Some((check, why)) => {
                skipped.push(Skipped::new(&format!("what {} reads", check.trim()), why));
            }
            None => println!("{line}"),
        }
    }
    match child.wait()?.success() {
        true => Ok(skipped),
        false => bail!("a tool does not find what was written for it"),
    }
}

/// What can be installed is; what cannot is named by whoever needs it.
fn install_programs() {
    let lacks = |program: &str| {
        let folders = ["/usr/bin", "/usr/sbin", "/usr/local/bin"];
        !folders.iter().any(|folder| Path::new(folder).join(program).exists())
    };
    let mut packages: Vec<&str> = PROGRAMS
        .iter()
        .filter(|(program, _)| lacks(program))
        .map(|(_, package)| *package)
        .collect();
    let mut simgrid = Command::new("/usr/bin/python3");
    simgrid.args(["-c", "import simgrid"]);
    if !succeeds(&mut simgrid) {
        packages.push("python3-simgrid");
    }
    let mut graph_tool = Command::new("/usr/bin/python3");
    graph_tool.args(["-c", "import graph_tool"]);
    if !succeeds(&mut graph_tool) {
        packages.push("python3-graph-tool");
    }
    packages.dedup();
    if packages.is_empty() {
        return;
    }
    eprintln!("   installing {}", packages.join(", "));
    let mut install = Command::new("apt-get");
    install.args(["install", "--yes", "--quiet"]).args(&packages);
    if !succeeds(&mut install) {
        eprintln!("   cannot install them: `apt-get install {}` does", packages.join(" "));
    }
}

/// A Python that has the packages, as far as they can be had.
pub fn python(missing: Missing) -> Result<PathBuf> {
    // What the tests of the Python package have installed already is used again.
    let shared = target()?.join("python/venv");
    let own = target()?.join("python-tools");
    let folder = if shared.join("bin/python").is_file() { shared } else { own };
    let python = folder.join("bin/python");
    let usual = PathBuf::from("python3");
    if missing == Missing::Skip && !python.is_file() {
        return Ok(usual);
    }
    if !python.is_file() {
        let mut create = Command::new("python3");
        create.args(["-m", "venv"]).arg(&folder);
        if !succeeds(&mut create) {
            eprintln!("   cannot make a Python environment: `apt-get install python3-venv`");
            return Ok(usual);
        }
    }
    let mut there = Command::new(&python);
    there.args(["-c", "import networkx, igraph, networkit, scipy, rustworkx, infragraph, pydot"]);
    if missing == Missing::Install && !succeeds(&mut there) {
        // One by one, so that what cannot be had does not keep the others away.
        for package in PACKAGES {
            let mut install = Command::new(&python);
            install.args(["-m", "pip", "install", "--quiet", package]);
            if !succeeds(&mut install) {
                eprintln!("   cannot install {package} from PyPI");
            }
        }
    }
    Ok(python)
}

/// Runs a command without its output.
pub fn succeeds(command: &mut Command) -> bool {
    let quiet = command.stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}
