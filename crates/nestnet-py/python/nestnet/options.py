"""Options of calls, as keyword arguments.

Written by `cargo xtask generate` from the tables that the command line reads.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypedDict

__all__ = [
    "CollectiveOptions",
    "CompareOptions",
    "CostOptions",
    "DesignOptions",
    "FaultOptions",
    "HostDesignOptions",
    "NodeDesignOptions",
    "SimulatorOptions",
]


class SimulatorOptions(TypedDict, total=False):
    """Options of `Network.simulate` and `Network.run_goal`."""

    # Omit messages to oneself, as `nestnet throughput` does; else uniform, permutations, hotspot and matrix have them.
    without_self: bool

    # Take the shortest hop with the most credits, and the router as the escape: `adaptive(ROUTER)`.
    adaptive: bool

    # Flits of a packet, or sizes and how often each is, such as 1:3,5:1.
    packet: float | str | Sequence[float] | Mapping[float, float]

    # Shares of the load of message classes, such as 0.2:1,0.8:8: a fifth in packets of 1 flit, the rest in packets of 8 (as `packet` where no size is given); each has its own queue at hosts and as many virtual channels.
    classes: float | str | Sequence[float] | Mapping[float, float] | None

    # Every packet that arrives is a request, which its host answers with a packet of so many flits; sizes as in `packet`.
    replies: float | str | Sequence[float] | Mapping[float, float] | None

    # Whether replies have half of the virtual channels for themselves.
    reply_channels: Literal["separate", "shared"]

    # Replies that may wait at a host; one that has as many takes no request.
    reply_queue: int | None

    # Virtual channels of a link, shared evenly among those of the router.
    vcs: int | None

    # Flits that the queue of a virtual channel holds.
    buffer: int

    # The virtual channels of a port share their buffers, but for a flit that is kept for each.
    shared_buffer: bool

    # Cycles to compute a route; 0 is one router ahead.
    routing_delay: int

    # Cycles to allocate a virtual channel.
    vc_delay: int

    # Cycles to allocate the switch.
    switch_delay: int

    # Cycles to cross the switch.
    st_delay: int

    # Cycles until a credit can be used.
    credit_delay: int

    # Flits of one port that may cross in one cycle.
    input_speedup: int

    # Compute routes one router ahead: no cycle of `routing_delay` at any router.
    lookahead: bool

    # Heads ask for the switch in the cycle in which they ask for a virtual channel, in an allocator of their own; others go first. BookSim2: spec_sw_allocator = islip, not its default prio.
    speculative: bool

    # Who gets a virtual channel.
    vc_allocator: Literal["islip", "separable_input_first", "separable_output_first", "wavefront"]

    # Who gets the switch.
    switch_allocator: Literal["islip", "separable_input_first", "separable_output_first", "wavefront"]

    # Rounds of islip in one cycle.
    iterations: int

    # Who gets a virtual channel or the switch where several ask, with islip too; not for wavefront. In BookSim2 wavefront obeys a priority, and islip only among the queues of an input.
    priority: Literal["round_robin", "age", "class"]

    # When a packet goes on: as soon as a flit can, or when the next queue has room for all.
    switching: Literal["wormhole", "cut-through"]

    # Packets come in bursts of so many cycles on average.
    burst: float | None

    # Injection throttling: packets of a host that may be on the way at once, with `replies` not answered.
    outstanding: int | None

    # Congestion control: a packet that goes to an output with a queue of more flits is marked, and its host has half as many on the way, and recovers additively.
    ecn: int | None

    # Cycles on a link, for all or by level, such as 0=1,1=2,2=10.
    latency: float | str | Sequence[float] | Mapping[float, float] | None

    # Cycles before what is measured.
    warmup: int | None

    # Cycles that are measured; with `precision` at least.
    cycles: int | None

    # Measure until the 95 % interval of the mean latency is so narrow, such as 2% or 0.02, or the network is saturated for certain.
    precision: float | str | None

    # Measure no further than to this cycle, precise or not.
    max_cycles: int | None

    # Percentiles of the latency to report besides the median and the 99th, such as 95,99.9.
    percentiles: float | str | Sequence[float] | Mapping[float, float] | None

    # Random seed.
    seed: int

    # Bytes of a flit, for the messages of a program, which are in bytes.
    flit: int

    # A flit is corrupted on a link between routers with this probability, and sent again after a round trip of the link.
    link_errors: float | str | None

    # Report the energy of a flit and the power of the network by a model of a chip; so also where one of the next four is given.
    energy: bool

    # Picojoules to write a bit into a queue, to read it, and to move it through the switch.
    router_energy: Sequence[float] | None

    # Picojoules to move a bit a millimeter.
    wire_energy: float | None

    # Millimeters of a link, for all or by level, such as 0=1,1=2.5.
    link_length: float | str | Sequence[float] | Mapping[float, float] | None

    # Gigahertz, for the power.
    clock: float | None


class CostOptions(TypedDict, total=False):
    """Options of `compare`, `design` and `report`: what a network is built as, and what that costs."""

    # What it is built as: racks of a supercomputer, a cluster of servers and switches, or tiles of a chip; its prices are in docs/cost-models.md, and every option below sets one of them.
    cost_model: Literal["rack", "cluster", "chip"] | None

    # The speed of a link of a cluster in Gb/s.
    speed: Literal[100, 200, 400, 800]

    # Links of `speed` into which every port of a switch of a cluster is broken out: 64 ports of 800 Gb/s are 128 links of 400 Gb/s with 2.
    breakout: Literal[1, 2, 4, 8]

    # Nodes on a chip.
    chip: int | None

    # Nodes on a board; links inside are traces.
    board: int | None

    # Nodes in a rack.
    rack: int | None

    # Racks in a row.
    row: int | None

    # Where the switches of a cluster are placed with their hosts.
    placement: Literal["in-order", "optimized"] | None

    # Meters from a rack to the next in its row.
    rack_pitch: float | None

    # Meters from a row to the next.
    row_pitch: float | None

    # Meters of a cable inside a rack.
    rack_cable: float | None

    # Meters that a cable needs to leave two racks.
    cable_overhead: float | None

    # Dollars of a copper cable, of each meter, and its reach in meters.
    copper: Sequence[float] | None

    # Dollars of an active copper cable, of each meter, and its reach in meters.
    active_copper: Sequence[float] | None

    # Dollars and watts of the NIC of a host, which pays for its port.
    nic: Sequence[float] | None

    # Links of the NIC of a host; further ones take a port each.
    nic_links: int | None

    # Dollars and watts of a switch without its ports.
    switch: Sequence[float] | None

    # Ports of a switch, all of which are paid, used or not.
    switch_ports: int | None

    # Dollars of a fiber cable, of each meter, and the watts of its two ends.
    fiber: Sequence[float] | None

    # Dollars of a port of a router.
    port_price: float | None

    # Watts of a port of a router.
    port_power: float | None

    # Millimeters from a tile of a chip to the next.
    tile: float | None

    # Wires of a link of a chip in each direction.
    wires: int | None

    # Micrometers from a wire of a chip to the next.
    wire_pitch: float | None

    # Picojoules to move a bit a millimeter on a chip, and through a router.
    bit_energy: Sequence[float] | None


class CollectiveOptions(TypedDict, total=False):
    """Options of `Network.collective`."""

    # Through switches, the router whose routes messages take: each is divided over all that it has, such as the spines and planes of `spread`; `ugal` and others that adapt take the minimal ones.
    router: str | None

    # How much a node can do in a step.
    ports: Literal["one", "all"]

    # Which algorithm, of those listed below; `best` takes the one with the least time.
    algorithm: str

    # The time of every message, such as 2us; a number alone is in seconds.
    alpha: float | str

    # Seconds for every byte.
    beta: float | str

    # The bandwidth of a link in one direction, such as 400Gb/s, in place of `beta`.
    bandwidth: str | None

    # The time of every hop of a message, where switches forward it.
    hop: float | str

    # The payload of one host.
    bytes: int | str


class CompareOptions(CostOptions, total=False):
    """Options of `compare`."""

    # Add baselines that have as many hosts: torus, hypercube, dragonfly, random ….
    match_nodes: bool

    # Add baselines that spend as much of this: hosts, ports, dollars or bisection.
    match: Literal["hosts", "ports", "dollars", "bisection"] | None

    # Measure these too: names or keys of `nestnet measure --list`, with commas.
    also: Sequence[str] | None

    # Nodes to search from where not all distances can be measured; 0 for none.
    samples: int

    # The seed of the sample.
    seed: int


class FaultOptions(TypedDict, total=False):
    """Options of `Network.resilience`, beside what fails."""

    # The probability with which each of them fails, such as 0.05 or 5%; several with commas.
    at: float | str | Sequence[float | str] | None

    # Trials of each probability, each with failures of its own.
    trials: int

    # The random seed of the first trial; trial i has S + i.
    seed: int

    # What each host of what is left can send to all others before a channel is saturated: θ by shortest paths.
    throughput: bool

    # How much longer the detours of the default router are than the shortest path that is left, in how many trials they are free of deadlock by themselves, and how many virtual channels prove them free.
    detours: bool

    # The worst faults that are found, as many as fail at random on average, with what they cut off.
    adversary: bool


class SharedDesignOptions(CostOptions, total=False):
    """Options of any `design`."""

    # How many more there may be, and of nodes how many fewer: of hosts and of tiles there are at least as many as are wanted.
    tolerance: float | str

    # The most links at a node.
    max_degree: int | None

    # The longest diameter; of hosts the most links between switches.
    max_diameter: int | None

    # The most virtual channels that keep it free of deadlock.
    max_vcs: int | None

    # How many constructions are nested at most.
    depth: int | None

    # The nodes of the largest base.
    max_base: int

    # The families to search for the outermost network; all if none is named.
    families: Sequence[str] | None


class NodeDesignOptions(SharedDesignOptions, total=False):
    """Options of a `design` by nodes."""

    # The objectives: degree, diameter, average_distance, links, cost, cr, moore_efficiency, vcs, connectivity, match, price, throughput, energy, longest_wire.
    objectives: Sequence[str] | None

    # What the list is sorted by, one of the objectives.
    sort: str | None

    # The nodes of the largest frame and unit of an expansion.
    max_frame: int | None

    # The nodes of the largest frame around what is nested itself.
    max_nested_frame: int | None


class HostDesignOptions(SharedDesignOptions, total=False):
    """Options of a `design` by hosts and radix."""

    # Hosts at a switch, or `any`: from an eighth of its ports on.
    hosts_per_switch: int | Literal["any"] | None

    # The least uniform throughput, as a fraction of the full rate.
    min_throughput: float | str | None

    # The least bisection of the switches: links across it, for each host of one side.
    min_bisection: float | None

    # The least throughput of the worst permutation under the routing of the row, as a fraction of the full rate.
    min_worst_case: float | str | None

    # The most oversubscription: host bandwidth of one side for each unit of bandwidth across a bisection, 1 is non-blocking, 2 or 2:1 half of that.
    taper: float | str | None

    # Pay for the ports in use, not for whole switches of `radix` ports.
    price_used_ports: bool

    # The most dollars a host.
    max_price: float | None

    # The most watts a host.
    max_power: float | None

    # The most links between switches from host to host, on average.
    max_hops: float | None


class DesignOptions(NodeDesignOptions, HostDesignOptions, total=False):
    """Options of `design`: those by nodes and those by hosts and radix."""
