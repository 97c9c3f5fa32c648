"""Results that are nothing but their fields. Written by `cargo xtask generate` from the structs of the libraries."""

from __future__ import annotations

from dataclasses import dataclass, field

from .shape import NODES, Node, Number, Result


@dataclass(frozen=True, repr=False)
class AllPorts(Result):
    """All dimensions at once.

    - ``steps``: how many steps the host takes.
    - ``moves``: messages over links in all of them.
    - ``lower_bound``: messages over the busiest link in one direction: no schedule of these moves is shorter.
    """

    steps: int
    moves: int
    lower_bound: int


@dataclass(frozen=True, repr=False)
class Answer(Result):
    """The fabric to take for a purpose, and why.

    - ``spec``: the fabric.
    - ``why``: why this one, and what it gives up.
    """

    spec: str
    why: str


@dataclass(frozen=True, repr=False)
class Answers(Result):
    """Which fabric to take, for three purposes.

    - ``non_blocking``: the cheapest that carries every permutation at the full rate.
    - ``best_value``: the cheapest that carries uniform traffic nearly in full and any permutation nearly at half the
      rate.
    - ``cheapest``: the cheapest that carries as much uniform traffic as is asked for.
    """

    non_blocking: Answer | None
    best_value: Answer | None
    cheapest: Answer | None


@dataclass(frozen=True, repr=False)
class BillItem(Result):
    """A line of a bill of materials.

    - ``item``: what is purchased.
    - ``meters``: the length in which a cable is sold, in meters; none of what is no cable.
    - ``count``: how many of it.
    - ``unit_price``: dollars for one, on average.
    - ``price``: dollars for all.
    - ``power``: watts of all.
    """

    item: str
    meters: float | None
    count: int
    unit_price: float
    price: float
    power: float


@dataclass(frozen=True, repr=False)
class Busiest(Result):
    """The channel with the largest load.

    - ``node``: the node that sends over it.
    - ``to``: the node at its other end.
    - ``port``: its port at ``node``.
    """

    node: Node = field(metadata=NODES)
    to: Node = field(metadata=NODES)
    port: int


@dataclass(frozen=True, repr=False)
class BusyChannel(Result):
    """The channel that is full first.

    - ``source``: the node that sends over it.
    - ``target``: the node at its other end.
    - ``load``: its load when each host sends 1.
    """

    source: Node = field(metadata=NODES)
    target: Node = field(metadata=NODES)
    load: Number


@dataclass(frozen=True, repr=False)
class CableLengths(Result):
    """Links whose cables are sold in one length.

    - ``up_to``: the longest cable of this row, in meters; all are longer than those of the row before.
    - ``cables``: how many links, each a cable unless ports are broken out.
    - ``length``: meters of all of them.
    """

    up_to: float
    cables: int
    length: float


@dataclass(frozen=True, repr=False)
class Channel(Result):
    """One virtual channel of a link, in one direction.

    - ``node``: the node that sends over it.
    - ``to``: the node at its other end; none where the port is empty.
    - ``port``: its port at ``node``.
    - ``vc``: its virtual channel.
    """

    node: Node = field(metadata=NODES)
    to: Node | None = field(metadata=NODES)
    port: int
    vc: int


@dataclass(frozen=True, repr=False)
class Confirmation(Result):
    """A short simulation of uniform traffic, of a cluster at the full rate, of a chip at the load at which most is
    accepted, with lookahead, speculation and two flits of a port in a cycle.

    - ``router``: the router that was simulated: the routing of the row.
    - ``offered``: flits that each host offers in a cycle.
    - ``accepted``: flits that each host receives in a cycle: saturation throughput with this model.
    - ``vcs``: virtual channels of a link.
    - ``warmup``: cycles before the measured ones.
    - ``cycles``: cycles measured.
    - ``status``: how it ended, as the status of a point of ``simulate``.
    - ``command``: the command that runs it again.
    """

    router: str
    offered: float
    accepted: float
    vcs: int
    warmup: int
    cycles: int
    status: str
    command: str


@dataclass(frozen=True, repr=False)
class Dimension(Result):
    """One step of the guest along one dimension.

    - ``dimension``: its number, from 1; 1 is the least significant.
    - ``side``: how many places it has.
    - ``steps``: how many steps the host takes.
    - ``moves``: messages over links in all of them.
    """

    dimension: int
    side: int
    steps: int
    moves: int


@dataclass(frozen=True, repr=False)
class Embedding(Result):
    """How well a guest fits into a host.

    - ``guest``: the network that is embedded.
    - ``host``: the network that it is embedded in.
    - ``map``: where the map comes from.
    - ``guest_nodes``: nodes of the guest.
    - ``host_nodes``: nodes of the host.
    - ``guest_links``: links of the guest.
    - ``dilation``: the longest distance, in links, between the images of two linked nodes.
    - ``mean_dilation``: the mean of these distances.
    - ``congestion``: links of the guest, each in both directions, routed over the busiest channel of the host.
    - ``expansion``: nodes of the host for each node of the guest.
    - ``load``: the most nodes of the guest at one node of the host.
    - ``images``: the node of the host for every node of the guest, where it is wanted.
    """

    guest: str
    host: str
    map: str
    guest_nodes: int
    host_nodes: int
    guest_links: int
    dilation: int
    mean_dilation: float
    congestion: int
    expansion: float
    load: int
    images: tuple[Node, ...] = field(metadata=NODES)


@dataclass(frozen=True, repr=False)
class End(Result):
    """A node and its address.

    - ``node``: the node.
    - ``address``: its address, as its paper writes it.
    """

    node: Node = field(metadata=NODES)
    address: str


@dataclass(frozen=True, repr=False)
class Energy(Result):
    """What the flits of the window cost.

    - ``per_flit``: picojoules of a flit that arrived, from end to end, on average.
    - ``buffers``: picojoules of these in queues, written and read.
    - ``switches``: picojoules of these in switches.
    - ``links``: picojoules of these on links.
    - ``power``: milliwatts of the whole network, on average over the window.
    """

    per_flit: float
    buffers: float
    switches: float
    links: float
    power: float


@dataclass(frozen=True, repr=False)
class Expansion(Result):
    """What it takes to make a larger fabric of the present one.

    - ``hosts``: hosts of the larger fabric.
    - ``new_hosts``: how many of them are new.
    - ``switches``: switches of the larger fabric.
    - ``new_switches``: how many of them are new.
    - ``cables_moved``: present cables that are plugged in elsewhere; none where that was not counted.
    - ``new_cables``: cables that are purchased, beyond those that move; none where that was not counted.
    - ``items``: switches, ports and NICs that are purchased.
    - ``price``: dollars for all that is purchased; a cable at the average price of those of the larger fabric. None
      where the cables were not counted.
    - ``price_per_new_host``: dollars for each new host; none where there is none or the price is not known.
    """

    hosts: int
    new_hosts: int
    switches: int
    new_switches: int
    cables_moved: int | None
    new_cables: int | None
    items: tuple[BillItem, ...]
    price: float | None
    price_per_new_host: float | None


@dataclass(frozen=True, repr=False)
class FlowRecord(Result):
    """What one host sent to another. Latencies and links are 0 where there are no packets.

    - ``source``: the host that sent.
    - ``target``: the host that received.
    - ``packets``: packets of the window that arrived.
    - ``flits``: flits of any packet that arrived in the window.
    - ``latency``: the mean latency of the packets, in cycles.
    - ``latency_min``: their smallest latency, in cycles.
    - ``latency_max``: their largest latency, in cycles.
    - ``hops``: links between routers that they took, on average.
    """

    source: Node = field(metadata=NODES)
    target: Node = field(metadata=NODES)
    packets: int
    flits: int
    latency: float
    latency_min: int
    latency_max: int
    hops: float


@dataclass(frozen=True, repr=False)
class FullLevel(Result):
    """How many channels of a level are full at θ of the network.

    - ``level``: the level.
    - ``full``: channels of it that are saturated first: as busy as the busiest.
    - ``channels``: how many channels it has.
    """

    level: int
    full: int
    channels: int


@dataclass(frozen=True, repr=False)
class Growth(Result):
    """A larger network with the plan of its expansion.

    - ``parameter``: the parameter that is larger.
    - ``by``: by how much it is.
    - ``spec``: the larger network.
    - ``nodes``: its nodes.
    - ``links``: its links: pairs of nodes that are joined.
    - ``cables``: its cables, of which a link may have several.
    - ``rewiring``: what becomes of the present links, where it is known.
    - ``expansion``: what the larger fabric takes to build, where the network has switches.
    """

    parameter: str
    by: int
    spec: str
    nodes: int
    links: int
    cables: int
    rewiring: Rewiring | None
    expansion: Expansion | None


@dataclass(frozen=True, repr=False)
class Latency(Result):
    """How long packets or messages took, in cycles; all numbers are none of no packets.

    - ``mean``: the mean; none of no packets.
    - ``p50``: the median: half of the packets take no longer.
    - ``p99``: the 99th percentile: of a hundred packets all but one take no longer.
    - ``ci95``: the mean is this near with 95 % confidence, from the means of batches that are uncorrelated; none where
      there are too few packets.
    """

    mean: float | None
    p50: int | None
    p99: int | None
    ci95: float | None


@dataclass(frozen=True, repr=False)
class LeftOut(Result):
    """A family that has no network near enough.

    - ``family``: the name of its family.
    - ``nearest``: the network of that family that is nearest; none where there is none.
    """

    family: str
    nearest: str | None


@dataclass(frozen=True, repr=False)
class Lost(Result):
    """A message that does not arrive.

    - ``source``: the node that sends.
    - ``target``: the node that the message is for.
    - ``choice``: which of the choices of the router it takes.
    - ``why``: what happens to it.
    """

    source: Node = field(metadata=NODES)
    target: Node = field(metadata=NODES)
    choice: int
    why: str


@dataclass(frozen=True, repr=False)
class PacketRecord(Result):
    """One packet of the window.

    - ``source``: the host that sent it.
    - ``target``: the host that received it.
    - ``reply``: whether it is a reply.
    - ``flits``: how many flits it has.
    - ``created``: the cycle in which it was made.
    - ``entered``: the cycle in which its head left the source.
    - ``arrived``: the cycle in which its tail arrived.
    - ``hops``: links between routers that it took.
    """

    source: Node = field(metadata=NODES)
    target: Node = field(metadata=NODES)
    reply: bool
    flits: int
    created: int
    entered: int
    arrived: int
    hops: int


@dataclass(frozen=True, repr=False)
class Percentile(Result):
    """A latency that so many percent of the packets do not exceed.

    - ``percent``: the percentage of packets.
    - ``latency``: their largest latency, in cycles.
    """

    percent: float
    latency: int


@dataclass(frozen=True, repr=False)
class Probability(Result):
    """A probability with its interval of 95 %.

    - ``value``: trials in which it happened, as a fraction.
    - ``low``: the lower end of the interval of 95 %.
    - ``high``: the upper end of the interval of 95 %.
    - ``exact``: the probability over all sets of links; none where these were not counted.
    """

    value: float
    low: float
    high: float
    exact: float | None


@dataclass(frozen=True, repr=False)
class Relaxed(Result):
    """The least change of one limit alone that lets something fit, as far as was looked.

    - ``max_degree``: the lowest limit of the degree at which something fits.
    - ``max_diameter``: the lowest limit of the diameter at which something fits.
    - ``tolerance``: the lowest tolerance of the number of nodes at which something fits.
    """

    max_degree: int | None
    max_diameter: int | None
    tolerance: float | None


@dataclass(frozen=True, repr=False)
class Retries(Result):
    """What became of flits on links that corrupt some of them.

    - ``flits``: flits that took a link between routers, in all cycles.
    - ``corrupted``: how often one was corrupted, and sent again.
    """

    flits: int
    corrupted: int


@dataclass(frozen=True, repr=False)
class Rewiring(Result):
    """What becomes of links when a network grows; each of their cables counts.

    - ``kept``: present cables that stay.
    - ``removed``: present cables that must go; they may be plugged in again as added ones.
    - ``added``: cables that the larger network has beside those that stay.
    - ``ports``: the most ports that must be free at a present node, where cables were counted.
    - ``switch_ports``: the most ports that must be free at a present switch; none where every node is a host.
    - ``host_ports``: the most ports that must be free at a present host.
    - ``how``: how it is known.
    """

    kept: int
    removed: int
    added: int
    ports: int | None
    switch_ports: int | None
    host_ports: int | None
    how: str


@dataclass(frozen=True, repr=False)
class Routing(Result):
    """The routes of all pairs of hosts by a router, or of a sample of them.

    - ``spec``: the network.
    - ``router``: the router that was taken.
    - ``pairs``: ordered pairs of different living hosts with a path between them.
    - ``arrived``: those of them whose every route arrived.
    - ``unreachable``: ordered pairs of living hosts without a path.
    - ``max_hops``: links of the longest route.
    - ``mean_hops``: links of a route, on average.
    - ``max_stretch``: the largest ratio of a route to a shortest path of what is left.
    - ``mean_stretch``: the mean of this ratio.
    - ``how``: whether all pairs were walked, or a sample.
    - ``histogram``: routes by their number of links, from 0 on.
    - ``vcs``: how many virtual channels the router has.
    - ``vcs_used``: virtual channels that routes use.
    - ``choices``: how many routes of a pair the router chooses among.
    - ``state_bytes``: bytes of state that the router keeps at a node.
    - ``max_load``: the load of the busiest channel when every host sends 1 to each other, where all pairs were walked.
    - ``mean_load``: the mean load of a channel.
    - ``load_ratio``: the largest load as a multiple of the mean.
    - ``least_load``: no routing has a busiest channel of less load; none where something has failed.
    - ``busiest``: the busiest channel.
    - ``failed_nodes``: nodes that have failed, where there are faults.
    - ``failed_links``: links that have failed, where there are faults.
    - ``max_stretch_intact``: the largest ratio of a route to a shortest path of the intact network, where there are
      faults.
    - ``mean_stretch_intact``: the mean of this ratio.
    - ``worst``: the pair with the largest stretch, where not all routes are shortest.
    - ``failure``: the first message that does not arrive.
    """

    spec: str
    router: str
    pairs: int
    arrived: int
    unreachable: int
    max_hops: int | None
    mean_hops: float | None
    max_stretch: float | None
    mean_stretch: float | None
    how: str
    histogram: tuple[int, ...]
    vcs: int
    vcs_used: int
    choices: int
    state_bytes: int
    max_load: float | None
    mean_load: float | None
    load_ratio: float | None
    least_load: float | None
    busiest: Busiest | None
    failed_nodes: int | None
    failed_links: int | None
    max_stretch_intact: float | None
    mean_stretch_intact: float | None
    worst: WorstRoute | None
    failure: Lost | None


@dataclass(frozen=True, repr=False)
class Run(Result):
    """A program on data that only links move.

    - ``spec``: the network.
    - ``program``: the program.
    - ``seed``: the random seed of its data.
    - ``nodes``: nodes, each with one item.
    - ``dimensions``: bits of an address.
    - ``steps``: how many steps it took.
    - ``recurrence``: how many steps the recurrence of the paper says.
    - ``moves``: messages over links.
    - ``agrees``: whether the result is that of the direct computation.
    - ``compared_with``: the direct computation.
    """

    spec: str
    program: str
    seed: int
    nodes: int
    dimensions: int
    steps: int
    recurrence: int
    moves: int
    agrees: bool
    compared_with: str


@dataclass(frozen=True, repr=False)
class Spread(Result):
    """A mean over trials.

    - ``mean``: the mean.
    - ``ci95``: half of its interval of 95 %, by the normal law.
    - ``most``: the largest value that was seen.
    """

    mean: float
    ci95: float
    most: float


@dataclass(frozen=True, repr=False)
class SwitchPorts(Result):
    """Ports of the present switches, where all that a switch can have is given; where every node is a host with a router,
    those of the routers, with the one that leads to the host.

    - ``ports``: ports of a switch.
    - ``least_used``: ports in use at the switch that uses the fewest.
    - ``most_used``: ports in use at the switch that uses the most.
    """

    ports: int
    least_used: int
    most_used: int


@dataclass(frozen=True, repr=False)
class Unbuildable(Result):
    """A larger network that cannot be built of the switches that are given.

    - ``parameter``: the parameter that is larger.
    - ``by``: by how much it is.
    - ``spec``: the larger network.
    - ``ports``: ports that its largest switch needs.
    """

    parameter: str
    by: int
    spec: str
    ports: int


@dataclass(frozen=True, repr=False)
class Unfit(Result):
    """A family that was asked for and has no network that fits.

    - ``family``: the name of the family.
    - ``why``: why none of its networks fits.
    """

    family: str
    why: str


@dataclass(frozen=True, repr=False)
class WorstRoute(Result):
    """The route that is longest beside the shortest one.

    - ``source``: the node that sends.
    - ``target``: the node that the message is for.
    - ``hops``: links that the route takes.
    - ``distance``: links of the shortest path.
    """

    source: Node = field(metadata=NODES)
    target: Node = field(metadata=NODES)
    hops: int
    distance: int
