"""What all routes of a network are like, also where parts of it have failed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .shape import NODES, Node, Result, Rows, frame

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class Paths(Result):
    """Paths from one node to another that share only these two, the shortest first."""

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


@dataclass(frozen=True)
class Busiest(Result):
    """The channel with the largest load."""

    node: Node = field(metadata=NODES)
    to: Node = field(metadata=NODES)
    port: int


@dataclass(frozen=True)
class WorstRoute(Result):
    """The route that is longest beside the shortest one."""

    source: Node = field(metadata=NODES)
    target: Node = field(metadata=NODES)
    hops: int
    distance: int


@dataclass(frozen=True)
class Lost(Result):
    """A message that does not arrive."""

    source: Node = field(metadata=NODES)
    target: Node = field(metadata=NODES)
    choice: int
    why: str


@dataclass(frozen=True)
class Routing(Result):
    """The routes of all pairs of hosts, or of a sample: ``arrived`` of ``pairs``, their hops, stretch and load."""

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
    busiest: Busiest | None
    failed_nodes: int | None
    failed_links: int | None
    max_stretch_intact: float | None
    mean_stretch_intact: float | None
    worst: WorstRoute | None
    failure: Lost | None


@dataclass(frozen=True)
class Spread(Result):
    """A mean over trials, half of its interval of 95 %, and the largest that was seen."""

    mean: float
    ci95: float
    most: float


@dataclass(frozen=True)
class Probability(Result):
    """A probability with its interval of 95 %; ``exact`` where it was counted over all sets of links."""

    value: float
    low: float
    high: float
    exact: float | None


@dataclass(frozen=True)
class WorstFaults(Result):
    """The worst faults that were found, and what they leave."""

    nodes: tuple[Node, ...] = field(metadata=NODES)
    links: tuple[tuple[Node, Node], ...] = field(metadata=NODES)
    failed: int
    hosts_lost: int
    diameter: int
    average_distance: float


@dataclass(frozen=True)
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


@dataclass(frozen=True)
class FaultSurvey(Rows[Resilience], Result):
    """What faults at random leave of a network, a row for each rate: ``survey[0]`` is that of the first."""

    spec: str
    fail: str
    hosts: int
    rows: tuple[Resilience, ...]

    def _rows(self) -> tuple[Resilience, ...]:
        return self.rows

    def to_pandas(self) -> pandas.DataFrame:
        """One row a rate; means where there is a spread."""
        return frame(self.rows, spec=self.spec)
