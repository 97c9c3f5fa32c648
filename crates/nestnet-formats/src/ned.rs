//! NED, the network description of OMNeT++: routers and hosts as arrays of modules, a channel for each level.
//!
//! `Router` and `Host` are declared with gates and nothing else: whoever simulates puts in what they do. Where no cost is
//! given a link has 100 Gb/s and 500 ns.

use super::simgrid::{BANDWIDTH, LATENCY};
use super::writing::{Writing, put};
use super::{Format, Says, WriteError};
use std::io::Write;

/// The row of this format.
pub(super) const FORMAT: Format = Format {
    name: "ned",
    title: "NED: OMNeT++",
    extensions: &["ned"],
    says: Says::CABLES,
    streams: true,
    write: Some(write),
    read: None,
    sniff: |_| false,
};

fn write(writing: &Writing<'_>, output: &mut dyn Write) -> Result<(), WriteError> {
    let title: String = writing.title.chars().map(nestnet_graph::sanitize::visible).collect();
    write!(
        output,
        "// {title}\n\n\
         simple Router\n{{\n    gates:\n        inout port[];\n}}\n\n\
         simple Host\n{{\n    gates:\n        inout port;\n}}\n\n\
         network Nestnet\n{{\n    types:\n"
    )?;
    let mut channel = |name: &str, bandwidth, latency| {
        write!(
            output,
            "        channel {name} extends ned.DatarateChannel\n        {{\n            \
             datarate = {bandwidth};\n            delay = {latency};\n        }}\n"
        )
    };
    let (bandwidth, latency) = (writing.host_bandwidth(), writing.host_latency());
    channel("OfHost", bandwidth.unwrap_or(BANDWIDTH), latency.unwrap_or(LATENCY))?;
    for level in 0..writing.network.levels() {
        let (bandwidth, latency) = (writing.bandwidth(level), writing.latency(level));
        let name = format!("Level{level}");
        channel(&name, bandwidth.unwrap_or(BANDWIDTH), latency.unwrap_or(LATENCY))?;
    }
    write!(
        output,
        "    submodules:\n        router[{}]: Router;\n        host[{}]: Host;\n    connections:\n",
        writing.nodes(),
        writing.hosts()
    )?;
    let channels = writing.by_level(|level| format!("].port++ <--> Level{level} <--> router["));
    writing.each_node(output, &|at, found, out| {
        for &host in &found.hosts {
            put!(out, "        host[", host, "].port <--> OfHost <--> router[", at, "].port++;\n");
        }
        for link in found.links.iter().filter(|link| link.to > at) {
            let channel = &channels[usize::from(link.level)];
            put!(out, "        router[", at, channel, link.to, "].port++;\n");
        }
    })?;
    output.write_all(b"}\n")?;
    Ok(output.flush()?)
}
