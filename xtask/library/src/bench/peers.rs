//! What do other libraries take for the same job, on the same machine?
//!
//! They come from PyPI into a virtual environment under the target folder. One that cannot be installed is named and
//! skipped.

use super::clock::Time;
use crate::target;
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The libraries, by the names of their packages and modules.
pub const PEERS: &[&str] =
    &["scipy", "igraph", "networkit", "rustworkx", "networkx", "pynauty", "pymetis"];

const SCRIPT: &str = include_str!("../../peers.py");

/// A job for a peer, in the words of `peers.py`.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a> {
    /// What is asked.
    pub job: &'a str,
    /// 32-bit pairs, each link once.
    pub links: &'a Path,
    /// How many nodes there are.
    pub nodes: u64,
    /// How many nodes a sampled job searches from.
    pub sources: u64,
    /// It is repeated for so many seconds.
    pub seconds: f64,
    /// It is ended after so many.
    pub limit: f64,
}

/// What a peer did.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// It finished.
    Done {
        /// The least time.
        time: Time,
        /// Bytes at the highest point of its process.
        peak: Option<u64>,
        /// Its answer.
        values: Vec<f64>,
    },
    /// It was ended.
    Over,
    /// It could not do it, and why.
    Failed(String),
}

/// The peers that are installed.
#[derive(Debug)]
pub struct Peers {
    python: PathBuf,
    /// Name and version.
    found: Vec<(&'static str, String)>,
}

impl Peers {
    /// Installs what is missing, from wheels only: nothing is compiled.
    pub fn install() -> Result<Option<Peers>> {
        let folder = target()?.join("peers");
        let python = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
        if !python.exists() {
            eprintln!("== a virtual environment for the peers");
            let base = if cfg!(windows) { "python" } else { "python3" };
            run(base, &["-m".as_ref(), "venv".as_ref(), folder.as_ref()])
                .context("no virtual environment")?;
        }
        let mut peers = Peers { python, found: Vec::new() };
        if let Err(error) = peers.version("numpy") {
            bail!("numpy, which all peers need, cannot be installed: {error:#}");
        }
        for &name in PEERS {
            match peers.version(name) {
                Ok(version) => peers.found.push((name, version)),
                Err(error) => eprintln!("skipped: {name} cannot be installed: {error:#}"),
            }
        }
        Ok(Some(peers).filter(|peers| !peers.found.is_empty()))
    }

    /// The version of a library, which is installed first if it is missing.
    fn version(&self, name: &str) -> Result<String> {
        let code = format!(
            "import {name}, importlib.metadata; print(importlib.metadata.version('{name}'))"
        );
        let ask = || run(&self.python, &["-c".as_ref(), code.as_ref()]);
        ask().or_else(|_| {
            eprintln!("== {name} from PyPI");
            let pip = "-m pip install --quiet --disable-pip-version-check --only-binary=:all:";
            let mut args: Vec<&OsStr> = pip.split(' ').map(OsStr::new).collect();
            args.push(name.as_ref());
            run(&self.python, &args)?;
            ask()
        })
    }

    /// Name and version of each.
    pub fn versions(&self) -> &[(&'static str, String)] {
        &self.found
    }

    /// Whether a peer is there.
    pub fn has(&self, name: &str) -> bool {
        self.found.iter().any(|(found, _)| *found == name)
    }

    /// Lets a peer do a job on one thread, in a process of its own.
    pub fn measure(&self, peer: &str, task: &Task<'_>) -> Result<Outcome> {
        let numbers = [task.nodes.to_string(), task.sources.to_string(), task.seconds.to_string()];
        let mut command = Command::new(&self.python);
        for variable in ["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "RAYON_NUM_THREADS"] {
            command.env(variable, "1");
        }
        command.args(["-c", SCRIPT, peer, task.job]).arg(task.links).args(numbers);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let begin = Instant::now();
        let mut child = command.spawn().context("cannot start Python")?;
        // The answer is short enough to wait in the pipe.
        while child.try_wait()?.is_none() {
            if begin.elapsed().as_secs_f64() > task.limit {
                child.kill()?;
                child.wait()?;
                return Ok(Outcome::Over);
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let output = child.wait_with_output()?;
        if !output.status.success() {
            return Ok(Outcome::Failed(format!("it ended with {}", output.status)));
        }
        let text = String::from_utf8_lossy(&output.stdout);
        let outcome = parse(&text);
        Ok(outcome.unwrap_or_else(|error| Outcome::Failed(format!("{error:#} in {text:?}"))))
    }
}

fn parse(text: &str) -> Result<Outcome> {
    // Libraries may print lines of their own before.
    let last = text.lines().last().unwrap_or_default();
    let answer: Value = serde_json::from_str(last)?;
    if let Some(error) = answer["error"].as_str() {
        return Ok(Outcome::Failed(error.to_owned()));
    }
    let number = |key: &str| answer[key].as_f64().with_context(|| format!("no number `{key}`"));
    let runs = answer["runs"].as_u64().and_then(|runs| u32::try_from(runs).ok());
    let time = Time { cpu: number("cpu")?, wall: number("wall")?, runs: runs.context("no runs")? };
    let values = answer["values"].as_array().context("no values")?;
    let values: Option<Vec<f64>> = values.iter().map(Value::as_f64).collect();
    let values = values.context("a value is not a number")?;
    Ok(Outcome::Done { time, peak: answer["peak"].as_u64(), values })
}

/// Runs a program quietly; its first line, or the last line of what it complains of.
fn run(program: impl AsRef<OsStr>, args: &[&OsStr]) -> Result<String> {
    let program = program.as_ref();
    let output = Command::new(program).args(args).stdin(Stdio::null()).output();
    let output = output.with_context(|| format!("cannot run {}", program.display()))?;
    if !output.status.success() {
        let complaint = String::from_utf8_lossy(&output.stderr);
        bail!("{}", complaint.trim().lines().last().unwrap_or("it failed without a word").trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read() {
        let text = "a warning\n{\"version\": \"1\", \"cpu\": 0.5, \"wall\": 0.75, \"runs\": 3, \"peak\": null, \
                    \"values\": [1, 2.5]}\n";
        match parse(text).unwrap() {
            Outcome::Done { time, peak, values } => {
                assert_eq!(time, Time { cpu: 0.5, wall: 0.75, runs: 3 });
                assert_eq!((peak, values), (None, vec![1.0, 2.5]));
            }
            other => panic!("{other:?}"),
        }
        let failed = parse("{\"error\": \"MemoryError: \"}").unwrap();
        assert!(matches!(failed, Outcome::Failed(why) if why == "MemoryError: "));
        for bad in ["", "no", "{}", "{\"cpu\": 1, \"wall\": 1, \"runs\": 1, \"values\": [\"x\"]}"] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_script_knows_every_peer() {
        for peer in PEERS {
            assert!(SCRIPT.contains(&format!("\"{peer}\"): (")), "{peer}");
        }
    }
}
