//! `nestnet import`: what is in a file of another tool, and how is it used here?

use crate::job::Job;
use crate::{Outcome, text};
use anyhow::{Context as _, bail};
use nestnet::format::{self, FORMATS};
use nestnet::measure::search::is_connected;
use nestnet::spec::Literal;
use serde_json::json;
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
    let (mut least, mut most, mut ends) = (u64::MAX, 0, 0u64);
    for at in (0..network.order()).map(nestnet::Node) {
        let mut degree = 0;
        network.for_each_neighbor(at, &mut |_, _| degree += 1);
        (least, most, ends) = (least.min(degree), most.max(degree), ends + degree);
    }
    let connected = is_connected(&*network);
    let literal = Literal::Text(path.clone());
    let spec = match asked.name == sniffed.name {
        true => format!("file({literal})"),
        false => format!("file({literal}, format=\"{}\")", asked.name),
    };
    if args.json {
        let object = json!({
            "file": path,
            "format": asked.name,
            "nodes": network.order(),
            "hosts": network.hosts(),
            "links": ends / 2,
            "levels": network.levels(),
            "degree": { "min": least, "max": most },
            "connected": connected,
            "spec": spec,
            "remarks": remarks.iter().map(ToString::to_string).collect::<Vec<_>>(),
        });
        text::print_json(&object)?;
        return Ok(Outcome::Done);
    }
    let count = |value: u64| text::grouped(&value.to_string());
    let last = nestnet::Node(network.order().saturating_sub(1));
    let degrees =
        if least == most { count(most) } else { format!("{} to {}", count(least), count(most)) };
    let hosts = match network.hosts() == network.order() {
        true => "all nodes".to_owned(),
        false => count(network.hosts()),
    };
    let mut rows = vec![
        ("format", asked.title.to_owned()),
        ("nodes", count(network.order())),
        ("hosts", hosts),
        ("links", count(ends / 2)),
        ("degree", degrees),
        ("levels", network.levels().to_string()),
        ("connected", if connected { "yes" } else { "no" }.to_owned()),
        ("last node", text::node(&*network, last)),
    ];
    rows.extend(remarks.iter().map(|remark| ("remark", remark.to_string())));
    rows.push(("use it as", format!("nestnet info '{spec}'")));
    text::print(&format!("{path}\n{}", text::table(&rows)))?;
    Ok(Outcome::Done)
}
