//! What does `docs/performance.md` say, besides the tables?

use super::jobs::Section;
use crate::root;
use anyhow::{Context, Result};
use std::fmt::Write as _;
use std::fs;

/// What of a machine matters to a reader.
#[derive(Clone, Debug)]
pub struct Machine {
    processor: String,
    cores: usize,
    /// Bytes of memory.
    memory: Option<u64>,
    /// How many threads wanted to run before we began, on average over a minute.
    load: Option<String>,
}

/// This machine, as far as the system tells.
pub fn machine() -> Machine {
    let read = |file: &str| fs::read_to_string(file).unwrap_or_default();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    Machine {
        processor: field(&read("/proc/cpuinfo"), "model name")
            .unwrap_or_else(|| "unknown processor".to_owned()),
        cores,
        memory: bytes(&read("/proc/meminfo"), "MemTotal"),
        load: read("/proc/loadavg").split_whitespace().next().map(str::to_owned),
    }
}

/// Bytes of memory that are free, where the system tells.
pub fn free_memory() -> Option<u64> {
    bytes(&fs::read_to_string("/proc/meminfo").ok()?, "MemAvailable")
}

/// A size that is given in kibibytes.
fn bytes(text: &str, name: &str) -> Option<u64> {
    let kibibytes: u64 = field(text, name)?.split_whitespace().next()?.parse().ok()?;
    kibibytes.checked_mul(1024)
}

/// The value of the first line `name : value`.
fn field(text: &str, name: &str) -> Option<String> {
    text.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        (key.trim() == name).then(|| value.trim().to_owned())
    })
}

/// Writes the page.
pub fn write(
    machine: &Machine,
    versions: &[(&str, String)],
    tables: &[(&Section, String)],
    slow: bool,
) -> Result<()> {
    let path = root().join("docs/performance.md");
    let text = page(machine, versions, tables, slow);
    fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
}

/// What was measured on a machine with a GPU, which this command does not need.
const ON_A_GPU: &str = include_str!("gpu.md");

fn page(
    machine: &Machine,
    versions: &[(&str, String)],
    tables: &[(&Section, String)],
    slow: bool,
) -> String {
    let command =
        if slow { "cargo xtask bench measure --slow" } else { "cargo xtask bench measure" };
    let mut page = format!(
        "# Performance\n\n\
         How long Nestnet takes, side by side with others: all times but those on a GPU are from one run on one machine.\n\n\
         ```sh\n{command}\n```\n\n\
         writes this page. It installs the peers from PyPI into a virtual environment under the target folder; \
         `--no-peers` does without them and prints only, `--slow` adds what takes peers minutes.\n\n"
    );
    let load = machine.load.as_ref().map(|load| format!("; load {load} before the run"));
    let memory =
        machine.memory.map(|bytes| format!(", {} GiB of memory", (bytes + (1 << 29)) >> 30));
    let _ = writeln!(
        page,
        "- Machine: {}, {} cores{}{}.",
        machine.processor,
        machine.cores,
        memory.unwrap_or_default(),
        load.unwrap_or_default()
    );
    let versions: Vec<String> =
        versions.iter().map(|(name, version)| format!("{name} {version}")).collect();
    let _ = write!(
        page,
        "- Peers: {}.\n\
         - Times are seconds of the processor on one thread, the least of up to 20 runs within 4 seconds and at least \
         one. Peers get the network as a list of links in memory and their graph is built before the clock starts, \
         except where building is the question. Ours is the library.\n\
         - Every answer is compared: the command fails if ours and those of the peers are not the same, \
         betweenness and eigenvalues up to rounding; only a cut may be better than theirs.\n\
         - A dash: not tried, because the library cannot do it or takes minutes.\n\
         - A busy machine moves single times by a third; ratios below 2 mean little.\n",
        versions.join(", ")
    );
    for (section, table) in tables {
        let _ = write!(page, "\n## {}\n\n{}\n\n{table}", section.title, section.about);
    }
    page.push('\n');
    page.push_str(ON_A_GPU);
    page.push_str(
        "\n## What is not in the tables\n\n\
         The library of the Graph Golf competition is not on PyPI. For orientation, figures from another run on the \
         same kind of machine, for the sum of all distances and the diameter without the histogram: 1.68 s for a \
         random 5-regular graph of 65,536 nodes, 1.97 s for `rsn(hypercube(4), 3)`, 5 ms for `rdn(ring(5), 2)`.\n\n\
         How many neighbors a second each family visits: `cargo xtask bench neighbors`.\n",
    );
    page
}

#[cfg(test)]
mod tests {
    use super::super::jobs::SECTIONS;
    use super::*;

    #[test]
    fn fields_are_found() {
        let text = "processor\t: 0\nmodel name\t: Some Processor: 3 GHz\nmodel name\t: other\n";
        assert_eq!(field(text, "model name").as_deref(), Some("Some Processor: 3 GHz"));
        assert_eq!(field(text, "MemTotal"), None);
        assert_eq!(bytes("MemTotal:       1000 kB\n", "MemTotal"), Some(1_024_000));
    }

    #[test]
    fn the_page_names_the_command_the_machine_and_the_peers() {
        let machine = Machine {
            processor: "Some Processor".to_owned(),
            cores: 2,
            memory: Some(24 << 30),
            load: None,
        };
        let versions = [("scipy", "1.2".to_owned())];
        let page = page(&machine, &versions, &[(&SECTIONS[0], "| a |\n".to_owned())], false);
        for part in [
            "```sh\ncargo xtask bench measure\n```",
            "- Machine: Some Processor, 2 cores, 24 GiB of memory.\n",
            "- Peers: scipy 1.2.\n",
            "## Build and search from one node\n\n",
            "\n\n| a |\n\n## On a GPU\n\n",
            "\n\n## What is not in the tables\n\n",
        ] {
            assert!(page.contains(part), "{part} in\n{page}");
        }
    }
}
