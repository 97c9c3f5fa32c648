"""How messages move: routes, loads, broadcasts, deadlocks, simulations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .._nestnet import Error
from .declared import (
    BusyChannel,
    Channel,
    Energy,
    FlowRecord,
    FullLevel,
    Latency,
    PacketRecord,
    Percentile,
    Retries,
)
from .shape import ENDS, NODES, Missing, Node, Number, Range, Result, Rows, frame

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, repr=False)
class Route(Result):
    """The route of a message.

    - ``spec``: the network.
    - ``router``: the router that was taken.
    - ``source``: the node that sends.
    - ``target``: the node that the message is for.
    - ``path``: the nodes on its way, both ends included.
    - ``addresses``: their addresses.
    - ``levels``: the level of each link.
    - ``ports``: the port by which each node but the last sends.
    - ``vcs``: the virtual channel of each link.
    - ``hops``: how many links it takes.
    - ``distance``: the distance of both ends, in links; ``None`` where it is not known.
    - ``arrives``: whether it ends at the target.
    - ``outcome``: how it ends, where it does not arrive or follows a printed text.
    - ``ends_at``: the node at which it ends, where that is not the target.
    """

    spec: str
    router: str
    source: Node = field(metadata=NODES)
    target: Node = field(metadata=NODES)
    path: tuple[Node, ...] = field(metadata=NODES)
    addresses: tuple[str, ...]
    levels: tuple[int, ...]
    ports: tuple[int, ...]
    vcs: tuple[int, ...]
    hops: int
    distance: int | None
    arrives: bool
    outcome: str | None = None
    ends_at: Node | None = field(default=None, metadata=NODES)

    def __len__(self) -> int:
        return self.hops

    def __iter__(self) -> Iterator[Node]:
        return iter(self.path)


@dataclass(frozen=True, repr=False)
class WorstOfAny(Result):
    """A bound on the worst case of any routing, and a permutation that proves it.

    - ``theta``: flits per host and cycle that no routing exceeds for this permutation.
    - ``permutation``: the target of each host.
    - ``how``: how the bound is known.
    """

    theta: Number
    permutation: tuple[Node, ...] = field(metadata=NODES)
    how: str = "distances"


@dataclass(frozen=True, repr=False)
class Throughput(Result):
    """How much every host can send before a channel is saturated.

    - ``spec``: the network.
    - ``traffic``: the traffic.
    - ``router``: the routing.
    - ``hosts``: how many hosts send.
    - ``theta``: saturation throughput in flits per host and cycle, the links of hosts included.
    - ``network_theta``: the same of the links between switches alone.
    - ``busiest``: the channel that is saturated first.
    - ``full``: how many channels of each level are saturated first.
    - ``how``: how the loads are known.
    - ``any_routing``: bounds on what any routing could carry, in flits per host and cycle.
    - ``worst_of_any``: a bound on the worst case of any routing.
    - ``permutation``: for the worst traffic, the target of each host.
    - ``loads``: source, target and load of each channel when every host sends 1.
    """

    spec: str
    traffic: str
    router: str
    hosts: int
    theta: Number
    network_theta: Number | None
    busiest: BusyChannel | None
    full: tuple[FullLevel, ...]
    how: str
    any_routing: Range | Missing | None
    worst_of_any: WorstOfAny | Missing | None
    permutation: tuple[Node, ...] | None = field(metadata=NODES)
    loads: tuple[tuple[Node, Node, float], ...] = field(metadata=ENDS)

    def to_pandas(self) -> pandas.DataFrame:
        """The load of every channel: those between switches, then those of hosts."""
        import pandas

        return pandas.DataFrame(list(self.loads), columns=["source", "target", "load"])


@dataclass(frozen=True, repr=False)
class Broadcast(Result):
    """A broadcast, every transfer checked; ``schedule`` is empty where it is very long.

    - ``spec``: the network.
    - ``source``: the node that knows the message first.
    - ``algorithm``: the broadcast that was taken.
    - ``ports``: whether a node sends through ``one`` port in a step or ``all``.
    - ``steps``: how many steps it takes.
    - ``transfers``: messages over links.
    - ``reached``: how many nodes are informed in the end.
    - ``missed``: nodes that are never informed.
    - ``exactly_once``: whether every node is informed once.
    - ``lower_bound``: steps that every broadcast takes at least.
    - ``paper_bound``: steps that its paper says it takes at most.
    - ``repeats_after``: where a printed text never ends, the step after which it repeats.
    - ``schedule``: the transfers of each step, as source and target.
    """

    spec: str
    source: Node = field(metadata=NODES)
    algorithm: str
    ports: str
    steps: int
    transfers: int
    reached: int
    missed: tuple[Node, ...] = field(metadata=NODES)
    exactly_once: bool
    lower_bound: int
    paper_bound: int | None
    repeats_after: int | None
    schedule: tuple[tuple[tuple[Node, Node], ...], ...] = field(metadata=NODES)


@dataclass(frozen=True, repr=False)
class Collective(Result):
    """A collective among all hosts, every transfer checked.

    - ``spec``: the network.
    - ``collective``: which collective it is.
    - ``root``: the host that sends or receives all; ``None`` where there is none.
    - ``ports``: whether a node sends through ``one`` port in a step or ``all``.
    - ``router``: by whose routes messages go through switches; ``None`` where there are none.
    - ``algorithm``: the algorithm that was taken.
    - ``steps``: steps of the schedule.
    - ``rounds``: steps that need a message of their own, each with the latency ``alpha``.
    - ``transfers``: messages over links.
    - ``busiest_load``: transfers over the busiest link in one direction.
    - ``held``: blocks at the node that holds most in the end.
    - ``lower_bound``: steps that every schedule takes at least.
    - ``rounds_lower_bound``: rounds that every schedule takes at least.
    - ``bytes``: bytes of the message.
    - ``block_bytes``: bytes of a block.
    - ``seconds``: how long it takes, by ``alpha`` and ``beta``.
    - ``latency_bound``: seconds of latency that every schedule takes at least.
    - ``bandwidth_bound``: seconds of transfer that every schedule takes at least.
    - ``routes_bound``: seconds of transfer that these messages take at least by these routes, in whatever order;
      ``None`` where no switches forward.
    - ``algbw``: algorithm bandwidth, in bytes a second: ``bytes`` over ``seconds``.
    - ``busbw``: bus bandwidth, in bytes a second, as NCCL counts it.
    - ``algorithms``: the seconds of every algorithm that was tried, or why it has none.
    """

    spec: str
    collective: str
    root: Node | None = field(metadata=NODES)
    ports: str
    router: str | None
    algorithm: str
    steps: int
    rounds: int
    transfers: int
    busiest_load: int
    held: int
    lower_bound: int
    rounds_lower_bound: int
    bytes: int
    block_bytes: float
    seconds: float
    latency_bound: float
    bandwidth_bound: float
    routes_bound: float | None
    algbw: float | None
    busbw: float | None
    algorithms: Mapping[str, float | Missing]


@dataclass(frozen=True, repr=False)
class Waiting(Result):
    """A message that holds a channel of a deadlock cycle.

    - ``channel``: the channel that it holds.
    - ``source``: the node that sent the message.
    - ``target``: the node that it is for.
    - ``choice``: which of the routes of this pair it takes.
    """

    channel: Channel
    source: Node = field(metadata=NODES)
    target: Node = field(metadata=NODES)
    choice: int


@dataclass(frozen=True, repr=False)
class DeadlockReport(Result):
    """Whether messages can deadlock: a dependency cycle, or an order of channels that proves the contrary.

    - ``spec``: the network.
    - ``router``: the router that was certified.
    - ``free``: whether no deadlock is possible.
    - ``vcs``: virtual channels of a link.
    - ``map``: where they come from: ``own`` of the router, ``folded`` to fewer, ``escape``, ``assigned`` or from a
      ``file``.
    - ``pairs``: ordered pairs of hosts whose routes were followed.
    - ``channels``: virtual channels that routes use.
    - ``dependencies``: pairs of channels of which a message can hold the first while it waits for the second.
    - ``cycle``: the dependency cycle; empty where there is none.
    - ``order``: an order of the channels in which every message takes them; empty where there is a cycle.
    - ``how``: how it is known.
    - ``verdict``: ``free`` or ``cycle``.
    - ``checked``: whether the certificate was checked apart from the search.
    """

    spec: str
    router: str
    free: bool
    vcs: int
    map: str
    pairs: int
    channels: int
    dependencies: int
    cycle: tuple[Waiting, ...]
    order: tuple[Channel, ...]
    how: str
    verdict: str
    checked: bool

    def __bool__(self) -> bool:
        raise Error("ask for .free: a report is neither true nor false")


@dataclass(frozen=True, repr=False)
class Wait(Result):
    """A packet of a deadlock cycle.

    - ``at``: the node at which it waits.
    - ``vc``: the virtual channel in which it waits.
    - ``next``: the node to which it is to go on.
    - ``source``: the node that sent it.
    - ``target``: the node that it is for.
    """

    at: Node = field(metadata=NODES)
    vc: int
    next: Node = field(metadata=NODES)
    source: Node = field(metadata=NODES)
    target: Node = field(metadata=NODES)


@dataclass(frozen=True, repr=False)
class MessageClass(Result):
    """What became of the packets of a message class, in the order of ``classes``.

    - ``offered``: flits per host and cycle that were to be sent.
    - ``accepted``: flits per host and cycle that arrived.
    - ``latency``: mean latency in cycles, the wait at the source included.
    - ``latency_p50``: its median, in cycles.
    - ``latency_p99``: its 99th percentile, in cycles.
    - ``network_latency``: mean latency in cycles from when the head leaves the source.
    - ``packets``: how many packets these are.
    """

    offered: float
    accepted: float
    latency: float
    latency_p50: int
    latency_p99: int
    network_latency: float
    packets: int


@dataclass(frozen=True, repr=False)
class Replies(Result):
    """What became of replies; ``round_trip`` is from when the request was made to when the reply has arrived.

    - ``accepted``: flits of replies per host and cycle that arrived.
    - ``latency``: mean latency of a reply in cycles, the wait at its source included.
    - ``latency_p50``: its median, in cycles.
    - ``latency_p99``: its 99th percentile, in cycles.
    - ``network_latency``: mean latency in cycles from when the head leaves the source.
    - ``round_trip_p50``: median of the round trip, in cycles.
    - ``round_trip_p99``: 99th percentile of the round trip, in cycles.
    - ``packets``: how many replies these are.
    - ``round_trip``: mean of the round trip, in cycles.
    """

    accepted: float
    latency: float
    latency_p50: int
    latency_p99: int
    network_latency: float
    round_trip: float
    round_trip_p50: int
    round_trip_p99: int
    packets: int


@dataclass(frozen=True, repr=False)
class HostRecord(Result):
    """What one host sent and received: packets made in the window, and flits that arrived in the window.

    - ``host``: the host.
    - ``sent_packets``: packets of the window that it sent.
    - ``sent_flits``: flits that it sent, of any packet, and that arrived in the window.
    - ``sent_latency``: the mean latency of the packets, in cycles.
    - ``sent_latency_max``: their largest latency, in cycles.
    - ``received_packets``: packets of the window that it received.
    - ``received_flits``: flits, of any packet, that it received in the window.
    - ``received_latency``: the mean latency of the packets, in cycles.
    - ``received_latency_max``: their largest latency, in cycles.
    """

    host: Node = field(metadata=NODES)
    sent_packets: int
    sent_flits: int
    sent_latency: float
    sent_latency_max: int
    received_packets: int
    received_flits: int
    received_latency: float
    received_latency_max: int


@dataclass(frozen=True, repr=False)
class Point(Result):
    """What one load led to, in flits per host and cycle, and cycles.

    Latencies are of packets made in the window, the wait at the source included.

    - ``offered``: flits per host and cycle that were to be sent.
    - ``accepted``: flits per host and cycle that arrived in the window.
    - ``latency``: mean latency; not a number where there is no packet.
    - ``latency_p50``: its median.
    - ``latency_p99``: its 99th percentile.
    - ``latency_ci95``: half of the 95 % interval of the mean; ``None`` where there are too few packets.
    - ``percentiles``: the percentiles that were asked for.
    - ``network_latency``: mean latency from when the head leaves the source.
    - ``hops``: links between routers that a packet took, on average.
    - ``packets``: how many packets these are.
    - ``cycles``: cycles simulated, warm-up included.
    - ``flit_hops``: flits that crossed a switch, in all cycles.
    - ``status``: how it ended: ``ok``, ``saturated``, ``filling``, ``not converged``, ``deadlock`` or ``stopped``.
    - ``reason``: why it has not converged.
    - ``seed``: the random seed.
    - ``deadlock_cycle``: the packets of the deadlock cycle; empty where there is none.
    - ``lost``: packets that failures took; ``None`` where nothing fails.
    - ``latency_before``: mean latency before the first failure.
    - ``latency_after``: mean latency after it.
    - ``replies``: what became of replies, with ``replies=``.
    - ``classes``: the same by message class, with ``classes=``.
    - ``energy``: what the flits of the window cost, where that is asked for.
    - ``marked``: the fraction of packets that found a long queue and were marked, where that is done.
    - ``link_errors``: flits that links corrupted, where they do.
    - ``hosts``: what every host sent and received, with ``per_host=True``.
    - ``flows``: the same of every pair of hosts, with ``per_flow=True``.
    - ``trace``: every packet, with ``trace=True``.
    """

    _COLUMNS = {
        "offered": "offered",
        "accepted": "accepted",
        "latency": "latency",
        "latency_p50": "p50",
        "latency_p99": "p99",
        "network_latency": "network",
        "hops": "hops",
        "packets": "packets",
        "status": "status",
    }

    offered: float
    accepted: float
    latency: float
    latency_p50: int
    latency_p99: int
    latency_ci95: float | None
    percentiles: tuple[Percentile, ...]
    network_latency: float
    hops: float
    packets: int
    cycles: int
    flit_hops: int
    status: str
    reason: str | None
    seed: int
    deadlock_cycle: tuple[Wait, ...]
    lost: int | None
    latency_before: float | None
    latency_after: float | None
    replies: Replies | None
    classes: tuple[MessageClass, ...]
    energy: Energy | None
    marked: float | None
    link_errors: Retries | None
    hosts: tuple[HostRecord, ...]
    flows: tuple[FlowRecord, ...]
    trace: tuple[PacketRecord, ...]


@dataclass(frozen=True, repr=False)
class Span(Result):
    """What a rank does, and in which cycles: ``send``, ``receive`` or ``compute``.

    - ``rank``: the rank.
    - ``action``: what it does.
    - ``begin``: the cycle in which it begins.
    - ``end``: the cycle in which it ends.
    """

    rank: int
    action: str
    begin: int
    end: int


@dataclass(frozen=True, repr=False)
class MiniApp(Result):
    """The messages of an application; ``goal`` is the program, for `Network.run_goal`.

    - ``spec``: the network.
    - ``app``: the application, with its parameters.
    - ``ranks``: ranks of the program, each on a host.
    - ``hosts``: hosts of the network.
    - ``tasks``: what all ranks do: messages sent and received, and computation.
    - ``messages``: how many messages are sent.
    - ``bytes``: bytes of all messages.
    - ``goal``: the program in GOAL.
    """

    spec: str
    app: str
    ranks: int
    hosts: int
    tasks: int
    messages: int
    bytes: int
    goal: str


@dataclass(frozen=True, repr=False)
class GoalRun(Result):
    """How long a program of messages takes; ``complete`` is false where some of its tasks can never be done.

    - ``spec``: the network.
    - ``router``: the router that was taken.
    - ``ranks``: ranks of the program.
    - ``tasks``: what all ranks do: messages sent and received, and computation.
    - ``cycles``: how long it takes, in cycles.
    - ``flit_hops``: flits that crossed a switch.
    - ``messages``: how many messages arrived.
    - ``message_latency``: how long they took, from when their senders were ready to when all of them had arrived;
      ``None`` without messages.
    - ``spans``: when each task was done.
    - ``deadlock_cycle``: the packets of the deadlock cycle; empty where there is none.
    - ``complete``: whether all tasks were done.
    """

    spec: str
    router: str
    ranks: int
    tasks: int
    complete: bool
    cycles: int
    flit_hops: int
    messages: int
    message_latency: Latency | None
    spans: tuple[Span, ...]
    deadlock_cycle: tuple[Wait, ...]

    def to_pandas(self) -> pandas.DataFrame:
        """One row a task that was done."""
        return frame(self.spans, spec=self.spec, router=self.router)


@dataclass(frozen=True, repr=False)
class Simulation(Rows[Point], Result):
    """Latency over load: it is iterated over its points, and ``curve[0]`` is the first.

    - ``spec``: the network.
    - ``router``: the router that was taken.
    - ``traffic``: the traffic pattern.
    - ``hosts``: how many hosts send.
    - ``vcs``: virtual channels of a link.
    - ``warning``: what to know of the result, such as that messages can deadlock.
    - ``points``: a point for each load, ascending where loads are not given.
    - ``saturation``: the highest load at which all is accepted; ``None`` where loads were given, since only the sweep
      over all loads finds it, and where even the lowest load is too much.
    - ``most_accepted``: the most flits per host and cycle that were accepted at any load.
    - ``flit_hops``: flits that crossed a switch, in all runs.
    """

    spec: str
    router: str
    traffic: str
    hosts: int
    vcs: int
    warning: str | None
    points: tuple[Point, ...]
    saturation: float | None
    most_accepted: float
    flit_hops: int

    def _rows(self) -> tuple[Point, ...]:
        return self.points

    def to_pandas(self) -> pandas.DataFrame:
        """One row a load, with the network, the router and the traffic, so that tables of several can be joined."""
        return frame(self.points, spec=self.spec, router=self.router, traffic=self.traffic)
