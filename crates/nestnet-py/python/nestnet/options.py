"""Options of the simulator and of the cost model, as keyword arguments.

Written by `cargo xtask generate` from the tables that the command line reads.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypedDict

__all__ = ["CostOptions", "SimulatorOptions"]


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
