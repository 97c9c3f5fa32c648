//! `nestnet info`: what is known of a network, at any size, at once?

use crate::job::Job;
use crate::{Outcome, text};
use bytesize::ByteSize;
use nestnet::info::{Average, Info};
use nestnet::theory::Degrees;

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  nestnet info \"rdn(torus(5, 5), 2)\"
  nestnet info \"rdn(hypercube(10), 9)\" --json

Each number says how it is known. What no theorem says is omitted; networks of up to 2048 nodes \
are measured on the spot.")]
pub struct Args {
    /// The network, such as "rdn(torus(5, 5), 2)"; `nestnet families` lists the names
    spec: String,
    /// Print one JSON object, with integers of any length
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args, job: &Job) -> anyhow::Result<Outcome> {
    let info = job.with_context(|context| nestnet::info(&args.spec, context))?;
    if args.json {
        text::print_json(&info)?;
    } else {
        text::print(&to_text(&info))?;
    }
    Ok(Outcome::Done)
}

fn to_text(info: &Info) -> String {
    let mut rows = Vec::new();
    if let Some(spec) = &info.stands_for {
        rows.push(("alias of", spec.to_string()));
    }
    if !info.also.is_empty() {
        let names: Vec<String> = info.also.iter().map(ToString::to_string).collect();
        rows.push(("also called", names.join(", ")));
    }
    rows.push(("source", info.paper.title().to_owned()));
    rows.push(("nodes", text::count(&info.nodes)));
    if info.hosts != info.nodes {
        rows.push(("hosts", text::count(&info.hosts)));
    }
    rows.push(("links", text::count(&info.degrees.links)));
    if info.degrees.cables != info.degrees.links {
        rows.push(("cables", text::count(&info.degrees.cables)));
    }
    rows.push(("degree", degree(&info.degrees)));
    rows.push(("connected", if info.connected { "yes" } else { "no" }.to_owned()));
    if let Some(ids) = info.built {
        rows.push(("levels", ids.levels.to_string()));
    }
    if let Some(known) = &info.diameter {
        rows.push(("diameter", text::known(known)));
    }
    if let Some(average) = &info.average_distance {
        let Average { numerator, denominator, how, .. } = average;
        rows.push(("average distance", text::mean(numerator, denominator, *how)));
    }
    rows.push(match info.built {
        Some(ids) => ("memory", format!("{} if written out", bytes(ids.memory))),
        None => ("node ids", "none: more than 2^63 nodes or 2^32 ports".to_owned()),
    });
    rows.extend(info.paper_says.iter().map(|said| ("its paper says", text::paper_formula(said))));
    rows.extend(info.remarks.iter().map(|remark| ("remark", remark.clone())));
    format!("{}\n{}", info.spec, text::table(&rows))
}

fn degree(degrees: &Degrees) -> String {
    /// More classes than these are left to JSON.
    const MAX_SHOWN: usize = 6;
    let number = |degree: u64| text::grouped(&degree.to_string());
    if let Some(degree) = degrees.regular_degree() {
        return number(degree);
    }
    let range = format!("{} to {}", number(degrees.min), number(degrees.max));
    match &degrees.counts {
        None => format!("within {range}"),
        Some(counts) if counts.len() > MAX_SHOWN => {
            format!("{range}, {} different (--json lists them)", number(counts.len() as u64))
        }
        Some(counts) => {
            let class = |(&degree, count)| format!("{} × {}", text::count(count), number(degree));
            let classes: Vec<String> = counts.iter().map(class).collect();
            format!("{range}: {}", classes.join(", "))
        }
    }
}

fn bytes(bytes: u128) -> String {
    match u64::try_from(bytes) {
        Ok(bytes) => ByteSize(bytes).display().iec().to_string(),
        Err(_) => format!("{} bytes", text::count(&bytes.into())),
    }
}
