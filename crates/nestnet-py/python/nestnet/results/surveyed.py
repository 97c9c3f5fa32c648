"""What all routes of a network are like, also where parts of it have failed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .shape import NODES, Node, Result, Rows, frame

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, repr=False)
class Paths(Result):
    """Paths from one node to another that share only these two, the shortest first.

    - ``spec``: the network.
    - ``source``: the node at one end of all of them.
    - ``target``: the node at the other end.
    - ``count``: how many paths there are.
    - ``bound``: at most so many can there be.
    - ``exact``: whether no more are possible.
    - ``how``: how that is known.
    - ``shortest``: whether their total length is proven to be the smallest.
    - ``lengths``: how many links each has.
    - ``paths``: the nodes of each, both ends included.
    """

    spec: str
    source: Node = field(metadata=NODES)
    target: Node = field(metadata=NODES)
    count: int
    bound: int
    exact: bool
    how: str
    shortest: bool
    lengths: tuple[int, ...]
    paths: tuple[tuple[Node, ...], ...] = field(metadata=NODES)

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> Iterator[tuple[Node, ...]]:
        return iter(self.paths)


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


@dataclass(frozen=True, repr=False)
class Lost(Result):
    """A message that does not arrive.

    - ``source``: the node that sends.
    - ``target``: the node that the message is for.
    - ``choice``: which of the routes of this pair it takes.
    - ``why``: what happens to it.
    """

    source: Node = field(metadata=NODES)
    target: Node = field(metadata=NODES)
    choice: int
    why: str


@dataclass(frozen=True, repr=False)
class Routing(Result):
    """The routes of all pairs of hosts, or of a sample: ``arrived`` of ``pairs``, their hops, stretch and load.

    - ``spec``: the network.
    - ``router``: the router that was taken.
    - ``pairs``: ordered pairs of hosts with a path between them.
    - ``arrived``: those whose every route arrives.
    - ``unreachable``: pairs without a path.
    - ``max_hops``: links of the longest route.
    - ``mean_hops``: links of a route on average.
    - ``max_stretch``: the largest ratio of a route to the shortest path that is left.
    - ``mean_stretch``: the mean of this ratio.
    - ``how``: whether all pairs were walked, or a sample.
    - ``histogram``: routes by their number of links, from 0 on.
    - ``vcs``: virtual channels that the router has.
    - ``vcs_used``: virtual channels that routes use.
    - ``choices``: how many routes of a pair the router chooses among.
    - ``state_bytes``: bytes of state that the router keeps at a node.
    - ``max_load``: the load of the busiest channel when every host sends 1 to each other.
    - ``mean_load``: the mean load of a channel.
    - ``load_ratio``: the largest load as a multiple of the mean.
    - ``least_load``: no routing has a busiest channel of less load; ``None`` where something has failed.
    - ``busiest``: the busiest channel.
    - ``failed_nodes``: nodes that have failed; ``None`` where there are no faults.
    - ``failed_links``: links that have failed; ``None`` where there are no faults.
    - ``max_stretch_intact``: the largest ratio of a route to the shortest path of the intact network.
    - ``mean_stretch_intact``: the mean of this ratio.
    - ``worst``: the pair with the largest stretch; ``None`` where all routes are shortest.
    - ``failure``: the first message that does not arrive; ``None`` where all do.
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
class Spread(Result):
    """A mean over trials, half of its interval of 95 %, and the largest that was seen.

    - ``mean``: the mean.
    - ``ci95``: half of its interval of 95 %.
    - ``most``: the largest value that was seen.
    """

    mean: float
    ci95: float
    most: float


@dataclass(frozen=True, repr=False)
class Probability(Result):
    """A probability with its interval of 95 %; ``exact`` where it was counted over all sets of links.

    - ``value``: trials in which it happened, as a fraction.
    - ``low``: the lower end of its interval of 95 %.
    - ``high``: the upper end.
    - ``exact``: the probability over all sets of links; ``None`` where these were not counted.
    """

    value: float
    low: float
    high: float
    exact: float | None


@dataclass(frozen=True, repr=False)
class WorstFaults(Result):
    """The worst faults that were found, and what they leave.

    - ``nodes``: nodes that fail.
    - ``links``: links that fail.
    - ``failed``: how many of them.
    - ``hosts_lost``: hosts that are not in the largest part that is left.
    - ``diameter``: the longest distance that is left, in links.
    - ``average_distance``: the average distance that is left, in links.
    """

    nodes: tuple[Node, ...] = field(metadata=NODES)
    links: tuple[tuple[Node, Node], ...] = field(metadata=NODES)
    failed: int
    hosts_lost: int
    diameter: int
    average_distance: float


@dataclass(frozen=True, repr=False)
class Resilience(Result):
    """What trials at one rate of faults leave.

    - ``rate``: the probability of each link or node to fail.
    - ``trials``: how many sets of faults were sampled.
    - ``seed``: the random seed.
    - ``fell_apart``: trials in which the network fell apart.
    - ``falls_apart``: the probability of that.
    - ``failed``: how many links or nodes failed.
    - ``hosts_lost``: hosts that are not in the largest part that is left.
    - ``diameter``: the longest distance that is left.
    - ``average_distance``: the average distance that is left.
    - ``throughput``: the saturation throughput that is left, with ``throughput=True``.
    - ``stretch``: how much longer detours are than the shortest paths that are left, with ``detours=True``.
    - ``vcs``: virtual channels that prove detours free of deadlock, with ``detours=True``.
    - ``deadlock_free``: trials in which detours are free of it by themselves, with ``detours=True``.
    - ``worst``: the worst faults that were found, with ``adversary=True``.
    """

    rate: float
    trials: int
    seed: int
    fell_apart: int
    falls_apart: Probability
    failed: Spread
    hosts_lost: Spread
    diameter: Spread
    average_distance: Spread
    throughput: Spread | None
    stretch: Spread | None
    vcs: Spread | None
    deadlock_free: int | None
    worst: WorstFaults | None


@dataclass(frozen=True, repr=False)
class FaultSurvey(Rows[Resilience], Result):
    """What faults at random leave of a network, a row for each rate: ``survey[0]`` is that of the first.

    - ``spec``: the network.
    - ``fail``: what fails: ``links``, ``switches``, ``hosts`` or ``nodes``.
    - ``hosts``: how many hosts it has.
    - ``rows``: what each rate leaves.
    """

    spec: str
    fail: str
    hosts: int
    rows: tuple[Resilience, ...]

    def _rows(self) -> tuple[Resilience, ...]:
        return self.rows

    def to_pandas(self) -> pandas.DataFrame:
        """One row a rate; means where there is a spread."""
        return frame(self.rows, spec=self.spec)
