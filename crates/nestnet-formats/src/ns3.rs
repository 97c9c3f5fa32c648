//! The topology text of ns-3 as ASTRA-sim and SimAI have it: counts, the switches, and a line for each link.
//!
//! Packets are forwarded only through switches, so that every node is a switch, and every host is a node with a link to
//! its switch, also where a node is a host itself. Hosts are numbered first. Where no cost is given a link has 100 Gb/s
//! and 500 ns.

use super::costs::{Bandwidth, Latency};
use super::simgrid::{BANDWIDTH, LATENCY};
use super::writing::{Writing, put};
use super::{Format, Says, WriteError};
use std::io::Write;

/// The row of this format.
pub(super) const FORMAT: Format = Format {
    name: "ns3",
    title: "Topology of ns-3: ASTRA-sim, SimAI",
    extensions: &["ns3"],
    says: Says { hosts: true, one_host_each: false, latency: true, bandwidth: true, ..Says::LINKS },
    streams: true,
    write: Some(write),
    read: None,
    sniff: |_| false,
};

fn write(writing: &Writing<'_>, output: &mut dyn Write) -> Result<(), WriteError> {
    let (hosts, switches) = (writing.hosts(), writing.nodes());
    let links = writing.count_links()? + hosts;
    writeln!(output, "{} {switches} {links}", hosts + switches)?;
    writing.each(switches, 1, output, &|at, _, out| {
        put!(out, if at == 0 { "" } else { " " }, hosts + at);
    })?;
    output.write_all(b"\n")?;
    let end = |bandwidth: Option<Bandwidth>, latency: Option<Latency>| {
        format!(" {} {} 0\n", bandwidth.unwrap_or(BANDWIDTH), latency.unwrap_or(LATENCY))
    };
    // The same for all links of a level.
    let of_hosts = end(writing.host_bandwidth(), writing.host_latency());
    let ends = writing.by_level(|level| end(writing.bandwidth(level), writing.latency(level)));
    writing.each_node(output, &|at, found, out| {
        for &host in &found.hosts {
            put!(out, host, " ", hosts + at, &of_hosts);
        }
        for link in found.links.iter().filter(|link| link.to > at) {
            put!(out, hosts + at, " ", hosts + link.to, &ends[usize::from(link.level)]);
        }
    })?;
    Ok(output.flush()?)
}
