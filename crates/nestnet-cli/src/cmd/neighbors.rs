//! `nestnet neighbors`: who are the neighbors of a node, and over which ports?

use crate::job::Job;
use crate::{Outcome, text};
use anyhow::Context as _;
use nestnet::visible::visible_lines;
use nestnet::{Network, Node, Port, locate};
use serde_json::json;
use std::io::{self, BufWriter, Write};

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  nestnet neighbors \"rdn(ring(5), 1)\" 7
  nestnet neighbors \"rdn(ring(5), 1)\" \"(0,1,2)\"

A NODE that could be read as an address and as an id is an address: in \"hypercube(4)\", 0110 is \
node 6.")]
pub struct Args {
    /// The network, such as "rdn(torus(5, 5), 2)"
    spec: String,
    /// The id of a node, or its address as the network writes it
    #[arg(allow_hyphen_values = true)]
    node: String,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args, job: &Job) -> anyhow::Result<Outcome> {
    let (spec, built) = job.build(&args.spec)?;
    let network = built.network.with_context(|| text::without_ids(&spec))?;
    let at = locate(&*network, &args.node)?;
    let mut out = BufWriter::new(io::stdout().lock());
    let address = network.address(at).to_string();
    // A node may have billions of neighbors, so they are written as they come.
    if args.json {
        let [spec, address] = [spec.to_string(), address].map(|word| text::json(&word.into()));
        write!(out, r#"{{"spec":{spec},"node":{at},"address":{address},"neighbors":["#)?;
        let mut comma = "";
        visit(&*network, at, |port, to, level, address| {
            let entry = json!({ "port": port.0, "node": to.0, "address": address, "level": level });
            write!(out, "{}{}", std::mem::replace(&mut comma, ","), text::json(&entry))
        })?;
        writeln!(out, "]}}")?;
    } else {
        let spec = spec.to_string();
        writeln!(out, "{}, node {at} = {address}", visible_lines(&spec))?;
        let width = |last: u64, title: &str| last.to_string().len().max(title.len());
        let port_width = width(network.ports().into(), "port");
        let node_width = width(network.order() - 1, "node");
        writeln!(out, "  {:>port_width$}  {:>node_width$}  level  address", "port", "node")?;
        visit(&*network, at, |port, to, level, address| {
            let (port, to) = (port.0, to.0);
            writeln!(out, "  {port:port_width$}  {to:node_width$}  {level:5}  {address}")
        })?;
    }
    out.flush()?;
    Ok(Outcome::Done)
}

/// Writes every neighbor until one cannot be written.
fn visit(
    network: &dyn Network,
    at: Node,
    mut write: impl FnMut(Port, Node, u16, &str) -> io::Result<()>,
) -> io::Result<()> {
    let mut result = Ok(());
    network.for_each_neighbor(at, &mut |port, to| {
        if result.is_ok() {
            let address = network.address(to).to_string();
            result = write(port, to, network.level(at, port), &address);
        }
    });
    result
}
