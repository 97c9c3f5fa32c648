//! A topology of gem5's Garnet: a Python class for `configs/topologies/Nestnet.py`, chosen by `--topology=Nestnet`.
//!
//! Internal links have one direction, so that each link is there twice. Controllers are dealt to the routers that have
//! hosts, in turn. Latencies are in cycles of a nanosecond; without any, the option `--link-latency` of gem5 counts.

use super::writing::{Writing, put};
use super::{Format, Says, WriteError};
use std::io::Write;

/// The row of this format.
pub(super) const FORMAT: Format = Format {
    name: "garnet",
    title: "Topology of gem5's Garnet, in Python",
    extensions: &["py"],
    says: Says { hosts: true, one_host_each: false, latency: true, cycles: true, ..Says::LINKS },
    streams: true,
    write: Some(write),
    read: None,
    sniff: |_| false,
};

fn write(writing: &Writing<'_>, output: &mut dyn Write) -> Result<(), WriteError> {
    let title: String = writing.title.chars().map(nestnet_graph::sanitize::visible).collect();
    let title = title.replace('\\', "\\\\").replace('"', "\\\"");
    let host = writing.host_latency().map_or("None".to_owned(), |host| host.cycles().to_string());
    write!(
        output,
        "from m5.params import *\n\
         from m5.objects import *\n\
         from topologies.BaseTopology import SimpleTopology\n\n\
         ROUTERS = {}\n\
         # The latency of the links of controllers; None is the option of gem5.\n\
         HOST_LATENCY = {host}\n\
         # The router of each host.\n\
         HOSTS = [",
        writing.nodes()
    )?;
    writing.each_host(output, &|host, at, out| {
        put!(out, if host == 0 { "" } else { ", " }, at);
    })?;
    output.write_all(b"]\n# From, to, latency; every link in both directions.\nLINKS = [\n")?;
    let ends = writing.by_level(|level| match writing.latency(level) {
        Some(latency) => format!(", {}),\n", latency.cycles()),
        None => ", None),\n".to_owned(),
    });
    writing.each_node(output, &|at, found, out| {
        for link in &found.links {
            put!(out, "    (", at, ", ", link.to, &ends[usize::from(link.level)]);
        }
    })?;
    write!(
        output,
        "]\n\n\n\
         class Nestnet(SimpleTopology):\n    \
             description = \"{title}\"\n\n    \
             def __init__(self, controllers):\n        \
                 self.nodes = controllers\n\n    \
             def makeTopology(self, options, network, IntLink, ExtLink, Router):\n        \
                 def cycles(latency):\n            \
                     return options.link_latency if latency is None else latency\n\n        \
                 routers = [\n            \
                     Router(router_id=i, latency=options.router_latency) for i in range(ROUTERS)\n        \
                 ]\n        \
                 network.routers = routers\n        \
                 network.ext_links = [\n            \
                     ExtLink(\n                \
                         link_id=i,\n                \
                         ext_node=node,\n                \
                         int_node=routers[HOSTS[i % len(HOSTS)]],\n                \
                         latency=cycles(HOST_LATENCY),\n            \
                     )\n            \
                     for i, node in enumerate(self.nodes)\n        \
                 ]\n        \
                 first = len(self.nodes)\n        \
                 network.int_links = [\n            \
                     IntLink(\n                \
                         link_id=first + i,\n                \
                         src_node=routers[source],\n                \
                         dst_node=routers[target],\n                \
                         src_outport=\"to%d\" % target,\n                \
                         dst_inport=\"from%d\" % source,\n                \
                         latency=cycles(latency),\n                \
                         weight=1,\n            \
                     )\n            \
                     for i, (source, target, latency) in enumerate(LINKS)\n        \
                 ]\n"
    )?;
    Ok(output.flush()?)
}
