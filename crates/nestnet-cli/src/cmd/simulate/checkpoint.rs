//! Where `simulate --checkpoint` keeps its runs: one file that is always whole, with what was asked and a checksum.

use crate::output;
use anyhow::{Context as _, bail, ensure};
use nestnet::sim::Checkpoint;
use nestnet::study::hash;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How such a file begins.
const BEGIN: &[u8] = b"nestnet checkpoint\n";

/// Bytes of its checksum, in hexadecimal digits.
const SUM: usize = 64;

/// A state is kept so often, or in as many times of what writing it takes.
const EVERY: Duration = Duration::from_secs(30);
const TIMES: u32 = 20;

/// Another version may have another state.
///
/// The number of the format rises with every change of what is saved.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (format 3)");

/// All runs of a command.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    /// The command, option by option.
    asked: Map<String, Value>,
    kept: Mutex<Contents>,
}

#[derive(Debug, Default)]
struct Contents {
    /// The files that were read, and their hashes.
    files: BTreeMap<String, String>,
    runs: BTreeMap<String, Vec<u8>>,
    /// When the state of each was kept last, and how long it took to write all.
    since: BTreeMap<String, Instant>,
    took: Duration,
    error: Option<anyhow::Error>,
}

impl Store {
    /// The store of that file, with what is in it, if it is of the same command.
    pub fn open(path: &Path, asked: Map<String, Value>) -> anyhow::Result<Self> {
        let kept = match fs::read(path) {
            Ok(bytes) => read(&bytes, &asked).with_context(|| path.display().to_string())?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Contents::default(),
            Err(error) => return Err(error).with_context(|| path.display().to_string()),
        };
        let store = Store { path: path.to_owned(), asked, kept: Mutex::new(kept) };
        // What cannot be written is said at once, not after an hour.
        store.write(&store.lock())?;
        Ok(store)
    }

    /// The runs of one network by one router.
    pub fn of<'a>(&'a self, network: &str, router: &str) -> Named<'a> {
        Named { store: self, name: format!("{network} by {router}") }
    }

    /// A file that is read must be as it was when the runs began.
    pub fn note(&self, path: &str, bytes: &[u8]) -> Result<(), String> {
        let (mut kept, sum) = (self.lock(), hash(bytes));
        if kept.files.get(path).is_some_and(|before| *before != sum) {
            return Err(format!("it has changed since {} was written", self.path.display()));
        }
        kept.files.insert(path.to_owned(), sum);
        Ok(())
    }

    /// Whether all could be written.
    pub fn finish(self) -> anyhow::Result<()> {
        let kept = self.kept.into_inner().unwrap_or_else(PoisonError::into_inner);
        kept.error.map_or(Ok(()), Err)
    }

    fn lock(&self) -> MutexGuard<'_, Contents> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self, kept: &Contents) -> anyhow::Result<()> {
        let head = json!({ "nestnet": VERSION, "asked": self.asked, "files": kept.files });
        let mut bytes = BEGIN.to_vec();
        let mut part = |part: &[u8]| {
            bytes.extend((part.len() as u64).to_le_bytes());
            bytes.extend(part);
        };
        part(head.to_string().as_bytes());
        for (name, run) in &kept.runs {
            part(name.as_bytes());
            part(run);
        }
        let sum = hash(&bytes);
        bytes.extend(sum.as_bytes());
        output::write_bytes(&self.path, &bytes)
    }
}

/// What a file holds, if it is whole and of this command.
fn read(bytes: &[u8], asked: &Map<String, Value>) -> anyhow::Result<Contents> {
    ensure!(bytes.starts_with(BEGIN), "it is not a checkpoint of `nestnet simulate`");
    let damaged = "it is damaged: its checksum does not match";
    let (body, sum) = bytes.split_at_checked(bytes.len().saturating_sub(SUM)).context(damaged)?;
    ensure!(body.len() >= BEGIN.len() && hash(body).as_bytes() == sum, damaged);
    let mut rest = &body[BEGIN.len()..];
    let mut part = || {
        let (length, behind) = rest.split_first_chunk()?;
        let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
        let (part, behind) = behind.split_at_checked(length)?;
        rest = behind;
        Some(part)
    };
    let head: Value = serde_json::from_slice(part().context(damaged)?).context(damaged)?;
    let version = head["nestnet"].as_str().unwrap_or_default();
    ensure!(version == VERSION, "nestnet {version} wrote it, and this is nestnet {VERSION}");
    let before = head["asked"].as_object().context(damaged)?;
    let differing = differing(before, asked);
    if !differing.is_empty() {
        bail!("it is of another run: {}", differing.join(", "));
    }
    let files = serde_json::from_value(head["files"].clone()).context(damaged)?;
    let mut kept = Contents { files, ..Contents::default() };
    while let Some(name) = part() {
        let name = String::from_utf8(name.to_vec()).context(damaged)?;
        kept.runs.insert(name, part().context(damaged)?.to_vec());
    }
    Ok(kept)
}

/// What was asked then and what is asked now, where these differ.
fn differing(before: &Map<String, Value>, now: &Map<String, Value>) -> Vec<String> {
    let mut keys: Vec<&String> = before.keys().chain(now.keys()).collect();
    keys.sort();
    keys.dedup();
    let said = |value: Option<&Value>| match value {
        None => "not given".to_owned(),
        Some(Value::String(text)) => text.clone(),
        Some(value) => value.to_string(),
    };
    let differ = keys.into_iter().filter(|key| before.get(*key) != now.get(*key));
    differ
        .map(|key| format!("{key} was {}, is {}", said(before.get(key)), said(now.get(key))))
        .collect()
}

/// The runs of one network by one router.
#[derive(Debug)]
pub struct Named<'a> {
    store: &'a Store,
    name: String,
}

impl Named<'_> {
    fn of(&self, run: &str) -> String {
        format!("{}, {run}", self.name)
    }
}

impl Checkpoint for Named<'_> {
    fn kept(&self, run: &str) -> Option<Vec<u8>> {
        self.store.lock().runs.get(&self.of(run)).cloned()
    }

    fn is_due(&self, run: &str) -> bool {
        let mut kept = self.store.lock();
        let every = EVERY.max(kept.took * TIMES);
        kept.since.entry(self.of(run)).or_insert_with(Instant::now).elapsed() >= every
    }

    fn keep(&self, run: &str, bytes: Vec<u8>) {
        let mut kept = self.store.lock();
        let (name, begin) = (self.of(run), Instant::now());
        kept.runs.insert(name.clone(), bytes);
        if let Err(error) = self.store.write(&kept) {
            kept.error = Some(error);
        }
        kept.took = begin.elapsed();
        kept.since.insert(name, Instant::now());
    }
}
