//! InfraGraph: devices with ports, instances of them, and edges between ports, as JSON.
//!
//! Every node is a `switch` with a port for each of its links and hosts, every host a `host` with one network card. Ports
//! are in the order of the format `ibsim`, counted from 0 as InfraGraph does: hosts first, then links in the order of the
//! other ends.

use super::ports::Arrival;
use super::writing::{Writing, put};
use super::{Format, Says, WriteError};
use std::io::Write;

/// The row of this format.
pub(super) const FORMAT: Format = Format {
    name: "infragraph",
    title: "InfraGraph: devices, instances and edges",
    extensions: &["infragraph.json"],
    says: Says::CABLES,
    streams: true,
    write: Some(write),
    read: None,
    sniff: |_| false,
};

fn device(name: &str, core: (&str, &str), ports: (&str, &str), count: u64) -> String {
    let component = |(name, choice): (&str, &str), count: u64| {
        format!(
            "{{\"name\":\"{name}\",\"count\":{count},\"choice\":\"{choice}\",\"{choice}\":{{}}}}"
        )
    };
    format!(
        "{{\"name\":\"{name}\",\"components\":[{},{}],\"links\":[{{\"name\":\"internal\"}}],\
         \"edges\":[{{\"ep1\":{{\"component\":\"{}\"}},\"ep2\":{{\"component\":\"{}\"}},\
         \"scheme\":\"many2many\",\"link\":\"internal\"}}]}}",
        component(core, 1),
        component(ports, count),
        core.0,
        ports.0,
    )
}

fn write(writing: &Writing<'_>, output: &mut dyn Write) -> Result<(), WriteError> {
    let own = u64::from(!writing.has_host_links());
    let ports = u64::from(writing.network.ports()) + own;
    let mut links = vec![("of_host".to_owned(), writing.host_bandwidth(), writing.host_latency())];
    for level in 0..writing.network.levels() {
        links.push((format!("level{level}"), writing.bandwidth(level), writing.latency(level)));
    }
    let link = |(name, bandwidth, latency): &(
        String,
        Option<super::costs::Bandwidth>,
        Option<super::costs::Latency>,
    )| {
        let mut costs = Vec::new();
        if let Some(bandwidth) = bandwidth {
            let value = bandwidth.gigabits();
            costs.push(format!(
                "\"bandwidth\":{{\"choice\":\"gigabits_per_second\",\"gigabits_per_second\":{value}}}"
            ));
        }
        if let Some(latency) = latency {
            costs.push(format!(
                "\"latency\":{{\"choice\":\"ns\",\"ns\":{}}}",
                latency.nanoseconds()
            ));
        }
        let physical = match costs.is_empty() {
            true => String::new(),
            false => format!(",\"physical\":{{{}}}", costs.join(",")),
        };
        format!("{{\"name\":\"{name}\"{physical}}}")
    };
    let title: String = writing.title.chars().map(nestnet_graph::sanitize::visible).collect();
    let title = serde_json::to_string(&title).unwrap_or_else(|_| "\"\"".to_owned());
    write!(
        output,
        "{{\"name\":\"nestnet\",\"description\":{title},\n\"devices\":[\n{},\n{}],\n\"links\":[{}],\n\
         \"instances\":[{{\"name\":\"switch\",\"device\":\"switch\",\"count\":{}}},\
         {{\"name\":\"host\",\"device\":\"host\",\"count\":{}}}],\n\"edges\":[",
        device("switch", ("asic", "switch"), ("port", "port"), ports),
        device("host", ("cpu", "cpu"), ("nic", "nic"), 1),
        links.iter().map(link).collect::<Vec<_>>().join(","),
        writing.nodes(),
        writing.hosts(),
    )?;
    // Hosts first, so that only the first of them has no comma before it.
    writing.each_host(output, &|host, at, out| {
        let place = Arrival::of_host(writing, host, at).place;
        put!(out, if host == 0 { "\n" } else { ",\n" });
        put!(out, "{\"ep1\":{\"instance\":\"host[", host, "]\",\"component\":\"nic[0]\"},");
        put!(out, "\"ep2\":{\"instance\":\"switch[", at, "]\",\"component\":\"port[");
        put!(out, place, "]\"},\"scheme\":\"one2one\",\"link\":\"of_host\"}");
    })?;
    let before = |at| writing.hosts_at(at);
    writing.each_arriving(&before, output, &|at, found, out| {
        let hosts = found.hosts.len() as u64;
        for (port, link) in (hosts..).zip(&found.links).filter(|(_, link)| link.to > at) {
            put!(out, ",\n{\"ep1\":{\"instance\":\"switch[", at, "]\",\"component\":\"port[", port);
            put!(out, "]\"},\"ep2\":{\"instance\":\"switch[", link.to, "]\",\"component\":\"port[");
            put!(
                out,
                link.place,
                "]\"},\"scheme\":\"one2one\",\"link\":\"level",
                link.level,
                "\"}"
            );
        }
    })?;
    output.write_all(b"\n]}\n")?;
    Ok(output.flush()?)
}
