//! A network that is written and read again is the same, as far as the format has fields for it.

use nestnet::fabric::Fabric;
use nestnet::format::{self, Costs, FORMATS, Format, Loss, Writing};
use nestnet::{Budget, Network, Node};
use std::sync::Arc;

pub fn written(format: &Format, network: &dyn Network, costs: &Costs) -> (Vec<u8>, Vec<Loss>) {
    let writing =
        Writing::new("a <network> & \"more\"", network, costs, Budget::UNLIMITED).unwrap();
    let mut out = Vec::new();
    (format.write.unwrap())(&writing, &mut out).unwrap();
    (out, format.losses(&writing))
}

pub fn read(format: &Format, text: &[u8], nodes: Option<u64>) -> Arc<dyn Network> {
    let shown = || String::from_utf8_lossy(text).chars().take(2000).collect::<String>();
    let reading = format::read(format, text, nodes)
        .unwrap_or_else(|error| panic!("{}: {error}\n{}", format.name, shown()));
    reading.network(nodes, &Budget::default()).unwrap().0
}

/// Links with their levels, if these count.
pub fn links(network: &dyn Network, levels: bool) -> Vec<(u64, u64, u16)> {
    let mut links = Vec::new();
    for at in (0..network.order()).map(Node) {
        network.for_each_neighbor(at, &mut |port, to| {
            let level = if levels { network.level(at, port) } else { 0 };
            links.push((at.0, to.0, level));
        });
    }
    links.sort_unstable();
    links
}

/// Writes, reads and compares.
pub fn round_trip(format: &Format, network: &dyn Network, what: &str) {
    let what = format!("{} of {what}", format.name);
    let (text, losses) = written(format, network, &Costs::NONE);
    let lost = |loss: Loss| losses.contains(&loss);
    let nodes = lost(Loss::Isolated).then(|| network.order());
    if text.is_empty() {
        assert!(lost(Loss::Isolated), "{what}");
        return;
    }
    let again = read(format, &text, nodes);
    let links = |network: &dyn Network, levels: bool| {
        let mut links = links(network, levels);
        if lost(Loss::Width) {
            links.dedup();
        }
        links
    };
    if lost(Loss::Hosts) {
        assert_eq!((again.order(), again.hosts()), (network.order(), network.order()), "{what}");
        assert_eq!(links(&*again, false), links(network, false), "{what}");
        return;
    }
    // Whether a switch or its host sends may be all the same to a format, but not how many do and where.
    let fabric = |network: &dyn Network| Fabric::of(network, &Budget::default()).unwrap();
    let (mut before, after) = (fabric(network), fabric(&*again));
    if lost(Loss::Width) {
        before.csr = before.csr.without_trunks();
    }
    assert_eq!((&after.csr, &after.hosts), (&before.csr, &before.hosts), "{what}");
    if !lost(Loss::OneHostEach) && !lost(Loss::HostIsNode) && !lost(Loss::HostOrder) {
        assert_eq!((again.order(), again.hosts()), (network.order(), network.hosts()), "{what}");
        let levels = !lost(Loss::Levels);
        assert_eq!(links(&*again, levels), links(network, levels), "{what}");
        if !lost(Loss::Addresses) {
            // Hosts come first.
            let named = if lost(Loss::SwitchAddresses) { network.hosts() } else { network.order() };
            for at in (0..named).map(Node) {
                let address = |network: &dyn Network| network.address(at).to_string();
                assert_eq!(address(&*again), address(network), "{what}");
                assert_eq!(again.node(&again.address(at)), Some(at), "{what}");
            }
        }
    }
}

/// The formats that are read and written.
pub fn both_ways() -> impl Iterator<Item = &'static Format> {
    FORMATS.iter().filter(|format| format.read.is_some() && format.write.is_some())
}
