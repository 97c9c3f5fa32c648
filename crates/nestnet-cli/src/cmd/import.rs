//! `nestnet import`: what is in a file of another tool, and how is it used here?

use crate::job::Job;
use crate::{Outcome, text};
use anyhow::{Context as _, bail};
use nestnet::files::{DegreeRange, Imported};
use nestnet::format::{self, FORMATS};
use nestnet::spec::Literal;
use std::fmt::Write as _;

#[derive(clap::Args)]
#[command(after_help = after_help())]
pub struct Args {
    /// The file
    file: String,
    /// The format; detected from the contents or the ending if omitted
    #[arg(short, long, value_name = "FORMAT")]
    format: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Examples, and all formats that are read.
fn after_help() -> String {
    let mut help = "\
Examples:
  nestnet import fabric.net
  nestnet import graph.txt --format metis
  nestnet measure 'file(\"fabric.net\")'
  nestnet compare 'rdn(file(\"base.graphml\"), 1)' --match-nodes

Formats:
"
    .to_owned();
    let read = || FORMATS.iter().filter(|format| format.read.is_some());
    let width = read().map(|format| format.name.len()).max().unwrap_or(0);
    for format in read() {
        let ends = format.extensions.iter().map(|end| format!(".{end}")).collect::<Vec<_>>();
        let _ = writeln!(help, "  {:width$}  {} ({})", format.name, format.title, ends.join(" "));
    }
    help.trim_end().to_owned()
}

pub fn run(args: &Args, job: &Job) -> anyhow::Result<Outcome> {
    let path = &args.file;
    let bytes = job.read_file(path).with_context(|| format!("cannot read {path}"))?;
    let sniffed = format::of_file(path, &bytes);
    let asked = match &args.format {
        None => sniffed,
        Some(name) => match format::find(name).filter(|format| format.read.is_some()) {
            Some(format) => format,
            None => {
                let known = FORMATS.iter().filter(|format| format.read.is_some());
                let known: Vec<&str> = known.map(|format| format.name).collect();
                bail!("unknown format `{name}`: {}", known.join(", "));
            }
        },
    };
    let reading = format::read(asked, &bytes, None).with_context(|| path.clone())?;
    drop(bytes);
    let stored = job.with_budget(|budget| reading.network(None, &budget));
    let (network, remarks) = stored.with_context(|| path.clone())?;
    let literal = Literal::Text(path.clone());
    let spec = match asked.name == sniffed.name {
        true => format!("file({literal})"),
        false => format!("file({literal}, format=\"{}\")", asked.name),
    };
    let found = Imported::new(path.clone(), asked, spec, &*network, &remarks);
    if args.json {
        text::print_json(&found)?;
        return Ok(Outcome::Done);
    }
    let count = |value: u64| text::grouped(&value.to_string());
    let last = nestnet::Node(found.nodes.saturating_sub(1));
    let DegreeRange { min, max } = found.degree;
    let degrees = if min == max { count(max) } else { format!("{} to {}", count(min), count(max)) };
    let hosts = match found.hosts == found.nodes {
        true => "all nodes".to_owned(),
        false => count(found.hosts),
    };
    let mut rows = vec![
        ("format", asked.title.to_owned()),
        ("nodes", count(found.nodes)),
        ("hosts", hosts),
        ("links", count(found.links)),
        ("cables", count(found.cables)),
        ("degree", degrees),
        ("levels", found.levels.to_string()),
        ("connected", if found.connected { "yes" } else { "no" }.to_owned()),
        ("last node", text::node(&*network, last)),
    ];
    if found.cables == found.links {
        rows.retain(|(name, _)| *name != "cables");
    }
    rows.extend(found.remarks.iter().map(|remark| ("remark", remark.clone())));
    rows.push(("use it as", format!("nestnet info '{}'", found.spec)));
    text::print(&format!("{path}\n{}", text::table(&rows)))?;
    Ok(Outcome::Done)
}
