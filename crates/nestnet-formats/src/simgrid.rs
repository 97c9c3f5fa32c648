//! The platform file of SimGrid: hosts, routers, links, and one route a link and direction.
//!
//! The zone finds its own shortest paths (`Floyd`), so that there are as many routes as links and not as many as pairs.
//! A node that is a host is a `host` and forwards itself; others are a `router`. Where no cost is given a cable has
//! 100 Gb/s and 500 ns. A link of several cables is one link of their bandwidth, with a property `cables`.

use super::collect::{Collect, level_at, no_node, twice};
use super::costs::{Bandwidth, Latency, Links};
use super::mark::{Mark, shown};
use super::reading::{Hosts, Labels, Reading, Remark, number_at};
use super::writing::{Digits, Writing, put};
use super::xml::{Item, Xml, escaped, put_escaped};
use super::{Format, ReadError, Says, WriteError};
use std::collections::HashMap;
use std::io::Write;

/// The row of this format.
pub(super) const FORMAT: Format = Format {
    name: "simgrid",
    title: "SimGrid platform, also for MPI programs by SMPI",
    extensions: &["xml"],
    says: Says {
        hosts: true,
        levels: true,
        latency: true,
        bandwidth: true,
        addresses: true,
        switch_addresses: false,
        ..Says::LINKS
    },
    streams: true,
    write: Some(write),
    read: Some(read),
    sniff: |text| super::contains(text, b"<platform"),
};

/// Of a link of which nothing is said.
pub const LATENCY: Latency = Latency(500_000);
/// Of a link of which nothing is said.
pub const BANDWIDTH: Bandwidth = Bandwidth(100_000_000_000);

/// What an XML file for SimGrid begins with.
pub(super) fn head(writing: &Writing<'_>, routing: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?>\n\
         <!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n\
         <platform version=\"4.1\">\n \
         <zone id=\"nestnet\" routing=\"{routing}\">\n  \
         <prop id=\"name\" value=\"{}\"/>\n",
        escaped(writing.title)
    )
}

/// The letter of a node: hosts and routers are distinguished by it.
fn letter(writing: &Writing<'_>, at: u64) -> &'static str {
    if at < writing.hosts() { "h" } else { "r" }
}

/// Hosts, routers and links, before any route.
pub(super) fn write_parts(writing: &Writing<'_>, output: &mut dyn Write) -> Result<(), WriteError> {
    let addresses = writing.has_addresses();
    writing.each(writing.nodes(), 1, output, &|at, _, out| {
        if at >= writing.hosts() {
            // A router has no properties, so that its address is nowhere to be written.
            put!(out, "  <router id=\"r", at, "\"/>\n");
            return;
        }
        put!(out, "  <host id=\"h", at, "\" speed=\"1Gf\"");
        if addresses {
            put!(out, "><prop id=\"address\" value=\"");
            let start = out.len();
            writing.put_address(at, out);
            put_escaped(out, start);
            put!(out, "\"/></host>\n");
        } else {
            put!(out, "/>\n");
        }
    })?;
    // One end of a link may be a host that only sends. Hosts come first, so that it is the smaller end.
    let senders = if writing.hosts() < writing.network.order() { writing.hosts() } else { 0 };
    let [of_hosts, of_nodes] = [|_| Links::OfHosts, Links::Level].map(|links: fn(u16) -> Links| {
        writing.by_level(|level| costs(writing, links(level), level, 1))
    });
    writing.each_node(output, &|at, found, out| {
        let is_sender = at < senders;
        let ends = if is_sender { &of_hosts } else { &of_nodes };
        let own = Digits::of(at);
        for cables in found.links.chunk_by(|a, b| a.to == b.to) {
            let link = cables[0];
            if link.to < at {
                continue;
            }
            put!(out, "  <link id=\"l", own, "-", link.to);
            if cables.len() == 1 {
                put!(out, &ends[usize::from(link.level)]);
            } else {
                let links = if is_sender { Links::OfHosts } else { Links::Level(link.level) };
                put!(out, &costs(writing, links, link.level, cables.len() as u64));
            }
        }
    })
}

/// What is said of a link of so many cables after its ends.
fn costs(writing: &Writing<'_>, links: Links, level: u16, cables: u64) -> String {
    let latency = match links {
        Links::Level(level) => writing.latency(level),
        other => writing.costs.latency(other),
    };
    let latency = latency.unwrap_or(LATENCY);
    let Bandwidth(bandwidth) = writing.costs.bandwidth(links).unwrap_or(BANDWIDTH);
    let bandwidth = Bandwidth(bandwidth.saturating_mul(cables));
    let mut properties = String::new();
    if level > 0 {
        properties += &format!("<prop id=\"level\" value=\"{level}\"/>");
    }
    if cables > 1 {
        properties += &format!("<prop id=\"cables\" value=\"{cables}\"/>");
    }
    let end = match properties.as_str() {
        "" => "/>".to_owned(),
        properties => format!(">{properties}</link>"),
    };
    format!(
        "\" bandwidth=\"{bandwidth}\" latency=\"{latency}\" sharing_policy=\"SPLITDUPLEX\"{end}\n"
    )
}

/// One link on a route, by its ends and what they are called.
pub(super) fn put_hop(out: &mut Vec<u8>, [from, to]: [u64; 2], [start, end]: [Digits; 2]) {
    if from < to {
        put!(out, "<link_ctn id=\"l", start, "-", end, "\" direction=\"UP\"/>");
    } else {
        put!(out, "<link_ctn id=\"l", end, "-", start, "\" direction=\"DOWN\"/>");
    }
}

fn write(writing: &Writing<'_>, output: &mut dyn Write) -> Result<(), WriteError> {
    let writing = writing.plain();
    output.write_all(head(&writing, "Floyd").as_bytes())?;
    write_parts(&writing, output)?;
    writing.unleveled().simple().each_node(output, &|at, found, out| {
        let (from, start) = (letter(&writing, at), Digits::of(at));
        for link in &found.links {
            let (to, end) = (letter(&writing, link.to), Digits::of(link.to));
            put!(out, "  <route src=\"", from, start, "\" dst=\"", to, end);
            put!(out, "\" symmetrical=\"NO\">");
            put_hop(out, [at, link.to], [start, end]);
            put!(out, "</route>\n");
        }
    })?;
    output.write_all(b" </zone>\n</platform>\n")?;
    Ok(output.flush()?)
}

/// A route that is being read.
#[derive(Default)]
struct Route {
    from: u32,
    to: u32,
    hops: Vec<String>,
}

/// Reads the hosts and routers of one zone, and as links all routes of one hop.
pub fn read(text: &[u8]) -> Result<Reading, ReadError> {
    let mut xml = Xml::new(text, "a SimGrid platform")?;
    let text = xml.text();
    let mut collect = Collect::new();
    let mut hosts = Vec::new();
    let mut links: HashMap<String, Properties> = HashMap::new();
    let mut link: Option<String> = None;
    let mut route: Option<Route> = None;
    let (mut zones, mut is_platform, mut in_host) = (0, false, false);
    // Whether nodes are called by a letter and their number, and by nothing else.
    let mut plain = true;
    loop {
        match xml.next()? {
            Item::End => break,
            Item::Text(_) => (),
            // A route ends with its last hop, a link with its properties: the next element tells.
            Item::Close => (),
            Item::Open(start, _) => {
                let name = start.local_name().into_inner().to_owned();
                if !matches!(name.as_str(), "link_ctn" | "prop") {
                    end_route(&mut collect, route.take(), &links);
                    link = None;
                    in_host = name == "host";
                }
                match name.as_str() {
                    "platform" => is_platform = true,
                    "zone" | "AS" => {
                        zones += 1;
                        if zones > 1 {
                            let (at, why) =
                                (Mark::of(text, xml.at), "only the nodes of one zone are");
                            return Err(ReadError::Refused { at, what: "a second zone", why });
                        }
                    }
                    "host" | "router" => {
                        let id = xml.needs(&start, "id", "an id")?;
                        if id.chars().any(char::is_control) || !collect.node(&id) {
                            return Err(twice(text, xml.at, &id));
                        }
                        let letter = if name == "host" { 'h' } else { 'r' };
                        plain &= id == format!("{letter}{}", hosts.len());
                        hosts.push(name == "host");
                        // It has no address of its own; those of the hosts before it are kept.
                        if name == "router" && hosts.first() == Some(&true) {
                            collect.address(&id);
                        }
                    }
                    "link" => {
                        collect.unread = true;
                        link = Some(xml.needs(&start, "id", "an id")?.into_owned());
                    }
                    "prop" => {
                        let (key, value) =
                            (xml.attribute(&start, "id")?, xml.attribute(&start, "value")?);
                        match (&link, key.as_deref(), value) {
                            (Some(link), Some("level"), Some(value)) => {
                                let level = level_at(text, xml.at, value.as_bytes())?;
                                links.entry(link.clone()).or_default().level = level;
                            }
                            (Some(link), Some("cables"), Some(value)) => {
                                let (word, what) = (value.trim().as_bytes(), "a number of cables");
                                let count = number_at(text, xml.at, word, what, MAX_CABLES)?;
                                links.entry(link.clone()).or_default().more = count.max(1) - 1;
                            }
                            (None, Some("address"), Some(value)) if in_host => {
                                plain = false;
                                collect.address(&value);
                            }
                            _ => (),
                        }
                    }
                    "route" => {
                        let expected = "a route with a src and a dst";
                        let from = xml.needs(&start, "src", expected)?;
                        let to = xml.needs(&start, "dst", expected)?;
                        let find = |id: &str| {
                            let found = collect.find(id.as_bytes());
                            found.ok_or_else(|| no_node(text, xml.at, id.as_bytes()))
                        };
                        let (from_id, to_id) = (find(&from)?, find(&to)?);
                        if from_id == to_id {
                            let node = shown(from.as_bytes());
                            return Err(ReadError::Loop { at: Mark::of(text, xml.at), node });
                        }
                        collect.unread = true;
                        route = Some(Route { from: from_id, to: to_id, hops: Vec::new() });
                    }
                    "link_ctn" => {
                        let id = xml.needs(&start, "id", "an id")?;
                        if let Some(route) = route.as_mut().filter(|route| route.hops.len() < 2) {
                            route.hops.push(id.into_owned());
                        }
                    }
                    "cluster" | "cabinet" | "peer" | "zoneRoute" => {
                        let (at, why) =
                            (Mark::of(text, xml.at), "only hosts, routers, links and routes are");
                        return Err(ReadError::Refused { at, what: "a shorthand of SimGrid", why });
                    }
                    _ => (),
                }
            }
        }
    }
    end_route(&mut collect, route.take(), &links);
    if !is_platform {
        return Err(ReadError::Empty { expected: "<platform> with a <zone> of hosts and routes" });
    }
    let mut reading = collect.finish(
        "<platform> with a <zone> of hosts and routes",
        "a <route> of one <link_ctn> for every link",
    )?;
    if plain {
        reading.labels = Labels::Numbers;
    }
    if hosts.contains(&false) {
        reading.hosts = Hosts::Marked(hosts);
    }
    Ok(reading)
}

/// Limit: cables of a link in a SimGrid platform.
const MAX_CABLES: u64 = 1 << 10;

/// What the properties of a link say.
#[derive(Clone, Copy, Default)]
struct Properties {
    level: u16,
    /// Cables besides the first.
    more: u64,
}

/// A route of one hop is a link; of longer ones their hops are.
fn end_route(collect: &mut Collect, route: Option<Route>, links: &HashMap<String, Properties>) {
    let Some(route) = route else { return };
    match &route.hops[..] {
        [link] => {
            let Properties { level, more } = links.get(link).copied().unwrap_or_default();
            for _ in 0..=more {
                collect.link(route.from, route.to);
                collect.level(level);
            }
        }
        [] => (),
        _ => collect.remark(Remark::PassedOver("routes of several hops")),
    }
}
