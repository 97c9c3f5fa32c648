//! What does a format have no field for?

use super::Format;
use super::writing::Writing;
use nestnet_graph::{Network, Node};
use std::fmt;

/// What a format can say of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Says {
    /// Which nodes are linked.
    pub links: bool,
    /// Which nodes are hosts, or how many hosts hang at each.
    pub hosts: bool,
    /// Whether a switch with one host is distinguished from a node that is a host.
    pub one_host_each: bool,
    /// Which numbers hosts have.
    pub host_order: bool,
    /// Costs of the links of hosts.
    pub host_links: bool,
    /// Levels of links.
    pub levels: bool,
    /// Latencies of links.
    pub latency: bool,
    /// Latencies are whole numbers of cycles.
    pub cycles: bool,
    /// Bandwidths of links.
    pub bandwidth: bool,
    /// Addresses of nodes.
    pub addresses: bool,
    /// Addresses of switches too.
    pub switch_addresses: bool,
    /// Nodes without links.
    pub isolated: bool,
    /// How many cables a link has.
    pub width: bool,
}

impl Says {
    /// Which nodes are linked, and nothing else.
    pub const LINKS: Says = Says {
        links: true,
        hosts: false,
        one_host_each: true,
        host_order: true,
        host_links: true,
        levels: false,
        latency: false,
        cycles: false,
        bandwidth: false,
        addresses: false,
        switch_addresses: true,
        isolated: true,
        width: true,
    };

    /// Nodes and links with attributes; how many hosts a switch has is one of them.
    pub const ATTRIBUTES: Says = Says {
        hosts: true,
        levels: true,
        latency: true,
        bandwidth: true,
        addresses: true,
        host_order: false,
        host_links: false,
        ..Says::LINKS
    };

    /// Machines and the cables between them.
    pub const CABLES: Says = Says {
        hosts: true,
        one_host_each: false,
        levels: true,
        latency: true,
        bandwidth: true,
        ..Says::LINKS
    };
}

/// Something of a network that is not in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Loss {
    /// Which nodes are linked.
    Links,
    /// Which nodes are hosts.
    Hosts,
    /// That each switch has one host of its own.
    OneHostEach,
    /// That a host is a node of the network and forwards.
    HostIsNode,
    /// Which numbers hosts have.
    HostOrder,
    /// What links of hosts cost.
    HostLinks,
    /// Levels of links.
    Levels,
    /// Latencies.
    Latency,
    /// Parts of a cycle.
    PartsOfCycles,
    /// Bandwidths.
    Bandwidth,
    /// Addresses.
    Addresses,
    /// Addresses of switches.
    SwitchAddresses,
    /// Nodes without links.
    Isolated,
    /// How many cables a link has.
    Width,
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Loss::Links => "links between switches, only for which are near",
            Loss::Hosts => "which nodes are hosts",
            Loss::OneHostEach => "the one host of each switch as a node beside the switch",
            Loss::HostIsNode => {
                "hosts that forward: each is a router with a host, and that host has a link of its own"
            }
            Loss::HostOrder => "the numbers of hosts: they are counted switch by switch",
            Loss::HostLinks => "latencies and bandwidths of the links of hosts",
            Loss::Levels => "levels of links",
            Loss::Latency => "latencies",
            Loss::PartsOfCycles => {
                "parts of a cycle, which is a nanosecond: latencies are rounded up"
            }
            Loss::Bandwidth => "bandwidths",
            Loss::Addresses => "addresses: nodes are called by their numbers",
            Loss::SwitchAddresses => "addresses of switches, which are called by their numbers",
            Loss::Isolated => "nodes without links",
            Loss::Width => "how many cables a link has: each is written once",
        })
    }
}

impl Format {
    /// What of a network this format cannot say.
    pub fn losses(&self, writing: &Writing<'_>) -> Vec<Loss> {
        let Says { hosts, one_host_each, host_links, levels, .. } = self.says;
        let Says { latency, cycles, bandwidth, .. } = self.says;
        let Says { addresses, switch_addresses, isolated, .. } = self.says;
        let (network, costs) = (writing.network, writing.costs);
        let has_switches = network.hosts() < network.order();
        let two_each = network.hosts().checked_mul(2) == Some(network.order());
        let mut losses = Vec::new();
        let mut lose = |lost: bool, loss: Loss| {
            if lost {
                losses.push(loss);
            }
        };
        lose(!self.says.links, Loss::Links);
        lose(!hosts && has_switches, Loss::Hosts);
        lose(hosts && !one_host_each && writing.has_host_links() && two_each, Loss::OneHostEach);
        let forwarding = has_switches && !writing.has_host_links() && writing.hosts() > 0;
        lose(hosts && !one_host_each && forwarding, Loss::HostIsNode);
        lose(!self.says.host_order && !writing.hosts_are_in_order(), Loss::HostOrder);
        // Links of hosts are only counted, as if they were of level 0.
        let of_hosts = || writing.has_host_links() && has_other_level(network);
        lose(network.levels() > 1 && (!levels || of_hosts()), Loss::Levels);
        lose(!latency && writing.has_latency(), Loss::Latency);
        lose(latency && cycles && costs.has_part_of_cycle(), Loss::PartsOfCycles);
        lose(!bandwidth && costs.has_bandwidth(), Loss::Bandwidth);
        let host_costs = writing.host_latency().is_some() || writing.host_bandwidth().is_some();
        lose(
            !host_links && (latency || bandwidth) && writing.has_host_links() && host_costs,
            Loss::HostLinks,
        );
        lose(!addresses && writing.has_addresses(), Loss::Addresses);
        let unnamed = addresses && !switch_addresses && has_switches;
        lose(unnamed && writing.has_addresses(), Loss::SwitchAddresses);
        lose(!isolated && writing.has_isolated(), Loss::Isolated);
        lose(self.says.links && !self.says.width && writing.has_trunks(), Loss::Width);
        losses
    }
}

/// Whether a link of a host is of another level than 0.
fn has_other_level(network: &dyn Network) -> bool {
    (0..network.hosts()).map(Node).any(|host| {
        let mut other = false;
        network.for_each_neighbor(host, &mut |port, _| other |= network.level(host, port) > 0);
        other
    })
}
