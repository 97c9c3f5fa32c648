//! What is the part of a shard, and which parts are the whole? Results of one command that was cut up, as JSON.

use crate::job::Job;
use crate::output::{self, OutputPath};
use crate::text;
use anyhow::{Context as _, bail};
use nestnet::job::Shard;
use nestnet::study::hash;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::path::Path;

/// Where the part of a shard goes.
#[derive(Default, clap::Args)]
pub struct ShardOptions {
    /// Do every n-th unit of the work from the i-th on, such as 2/8, and write that part; `nestnet
    /// merge` joins the parts
    #[arg(long, value_name = "I/N")]
    pub shard: Option<Shard>,
    /// Where the part of a shard goes; stdout if omitted
    #[arg(long, value_name = "FILE", requires = "shard")]
    pub part: Option<OutputPath>,
}

/// What one shard of a command found.
pub struct Part {
    /// Which verb it is of.
    pub verb: String,
    /// The command: the same for all its parts.
    pub asked: Value,
    /// Which shard.
    pub shard: Shard,
    /// What it found.
    pub found: Value,
}

/// Another version may cut otherwise.
const VERSION: &str = env!("CARGO_PKG_VERSION");

impl Part {
    /// Writes it to a file, or to stdout where there is none, or where it cannot be written.
    pub fn write(&self, path: Option<&Path>, job: &Job) -> anyhow::Result<()> {
        let mut object = json!({
            "nestnet": VERSION,
            "verb": self.verb,
            "asked": self.asked,
            "shard": self.shard.to_string(),
            "found": self.found,
        });
        object["sum"] = hash(object.to_string().as_bytes()).into();
        let write = |path| output::write_bytes(path, format!("{object}\n").as_bytes());
        if !path.is_some_and(|path| job.wrote(write(path))) {
            text::print(&format!("{}\n", text::json(&object)))?;
        }
        Ok(())
    }

    /// Reads one.
    pub fn read(path: &str, text: &str) -> anyhow::Result<Self> {
        let mut object: Value =
            serde_json::from_str(text).with_context(|| format!("{path} is not a part"))?;
        let field = |key: &str| object.get(key).and_then(Value::as_str).unwrap_or_default();
        let version = field("nestnet");
        if version != VERSION {
            bail!("{path} is not a part that nestnet {VERSION} wrote");
        }
        let mut sealed = object.clone();
        let sum = sealed.as_object_mut().and_then(|fields| fields.shift_remove("sum"));
        if sum != Some(hash(sealed.to_string().as_bytes()).into()) {
            bail!("{path} is not as nestnet wrote it: its checksum does not match");
        }
        let shard = field("shard").parse().with_context(|| path.to_owned())?;
        let verb = field("verb").to_owned();
        let mut take = |key: &str| object.get_mut(key).map(Value::take).unwrap_or_default();
        Ok(Part { verb, asked: take("asked"), shard, found: take("found") })
    }
}

/// The command of which these are the parts.
pub fn asked<T: DeserializeOwned>(parts: &[Part]) -> anyhow::Result<T> {
    let asked = parts.first().map(|part| part.asked.clone()).unwrap_or_default();
    serde_json::from_value(asked).context(BROKEN)
}

/// Of a part that was not written whole, or was edited.
pub const BROKEN: &str = "a part that is not whole";

/// All parts of one command, each once; in the order of their shards.
pub fn whole(mut parts: Vec<(String, Part)>) -> anyhow::Result<Vec<Part>> {
    parts.sort_by_key(|(_, part)| part.shard.number());
    let Some((name, first)) = parts.first() else { bail!("there is no part") };
    let count = first.shard.count();
    for (other, part) in &parts {
        if part.verb != first.verb || part.asked != first.asked || part.shard.count() != count {
            bail!("{name} and {other} are not parts of one command");
        }
    }
    for pair in parts.windows(2) {
        let [(one, a), (other, b)] = pair else { continue };
        if a.shard == b.shard {
            bail!("{one} and {other} are both shard {}", a.shard);
        }
    }
    let is_there = |number| parts.iter().any(|(_, part)| part.shard.number() == number);
    if let Some(missing) = (1..=count).find(|&number| !is_there(number)) {
        bail!("shard {missing}/{count} is missing");
    }
    Ok(parts.into_iter().map(|(_, part)| part).collect())
}
