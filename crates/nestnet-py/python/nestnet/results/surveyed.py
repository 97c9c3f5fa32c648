"""What all routes of a network are like, also where parts of it have failed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .declared import Probability, Spread
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
