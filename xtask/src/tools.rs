//! Do other tools read what we write? Runs `tools.py`, which compares.

use crate::setup::{self, Missing, Skipped, system_python};
use crate::{command, root, target};
use anyhow::{Context, Result, bail};
use std::io::{BufRead, BufReader};
use std::process::Stdio;

/// What `tools.py` prints of a tool that is not there, after the name of the check.
const ABSENT: &str = ": skipped, ";

/// Lets every reader that is there read; gives those that are not.
pub fn test(missing: Missing, options: &[&str]) -> Result<Vec<Skipped>> {
    if missing == Missing::Install {
        setup::install_programs();
    }
    let nestnet = target()?.join("debug").join(format!("nestnet{}", std::env::consts::EXE_SUFFIX));
    if !nestnet.is_file() {
        bail!("there is no {}: `cargo build` makes it", nestnet.display());
    }
    let mut script = match (setup::python(missing), system_python()) {
        (Ok(python), _) => command(python),
        // Without packages: those of the machine are not ours to judge.
        (Err(_), Some(python)) => {
            let mut script = command(python);
            script.arg("-S");
            script
        }
        (Err(_), None) => {
            return Ok(vec![Skipped::new("other tools", setup::lacks("python3"))]);
        }
    };
    script.arg(root().join("xtask/tools.py")).arg(nestnet).args(options).stdout(Stdio::piped());
    let mut child = script.spawn().context("cannot run python3")?;
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
