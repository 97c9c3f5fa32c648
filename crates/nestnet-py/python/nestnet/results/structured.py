"""How a network is made: its bisection, its next sizes, what it embeds, emulates and runs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .judged import BillItem
from .shape import NODES, Node, Result, frame

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class Cut(Result):
    """A bisection with few links: ``side`` proves the upper bound ``high``, whose links were counted again."""

    spec: str
    low: int
    low_by: str
    high: int
    high_by: str
    sizes: tuple[int, int]
    checked: bool
    finished: bool
    side: tuple[Node, ...] = field(metadata=NODES)

    @property
    def exact(self) -> bool:
        """Whether both bounds are the same."""
        return self.low == self.high


@dataclass(frozen=True)
class Rewiring(Result):
    """What becomes of the cables when a network grows; ``ports`` must be free at a node, a switch, a host."""

    kept: int
    removed: int
    added: int
    ports: int | None
    switch_ports: int | None
    host_ports: int | None
    how: str


@dataclass(frozen=True)
class Expansion(Result):
    """What it takes to make a larger fabric of the present one, in dollars; ``None`` where cables were not counted."""

    hosts: int
    new_hosts: int
    switches: int
    new_switches: int
    cables_moved: int | None
    new_cables: int | None
    items: tuple[BillItem, ...]
    price: float | None
    price_per_new_host: float | None


@dataclass(frozen=True)
class Growth(Result):
    """A larger network, and what becomes of the links; ``expansion`` where it has switches."""

    parameter: str
    by: int
    spec: str
    nodes: int
    links: int
    cables: int
    rewiring: Rewiring | None
    expansion: Expansion | None


@dataclass(frozen=True)
class SwitchPorts(Result):
    """Ports of a switch, and how many of them the present switches use."""

    ports: int
    least_used: int
    most_used: int


@dataclass(frozen=True)
class Unbuildable(Result):
    """A larger network that needs more ports than a switch has."""

    parameter: str
    by: int
    spec: str
    ports: int


@dataclass(frozen=True)
class Growing(Result):
    """A network and its next sizes; ``left_out`` are those whose switches need more than ``switch_ports``."""

    spec: str
    nodes: int
    links: int
    cables: int
    switches: SwitchPorts | None
    next: tuple[Growth, ...]
    left_out: tuple[Unbuildable, ...]

    def to_pandas(self) -> pandas.DataFrame:
        """One row a next size."""
        return frame(self.next)


@dataclass(frozen=True)
class Embedding(Result):
    """How well a guest fits into a host; ``images`` has the node of the host for every node of the guest."""

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


@dataclass(frozen=True)
class Dimension(Result):
    """What one step of the guest along a dimension takes."""

    dimension: int
    side: int
    steps: int
    moves: int


@dataclass(frozen=True)
class AllPorts(Result):
    """What one step of the guest along all dimensions at once takes."""

    steps: int
    moves: int
    lower_bound: int


@dataclass(frozen=True)
class Emulation(Result):
    """How many steps a network takes for one step of the product that it represents."""

    spec: str
    sides: tuple[int, ...]
    dimensions: tuple[Dimension, ...]
    slowest: int
    bound: int
    all_ports: AllPorts | None

    def to_pandas(self) -> pandas.DataFrame:
        """One row a dimension."""
        return frame(self.dimensions)


@dataclass(frozen=True)
class Run(Result):
    """A program on data that only links move; ``agrees`` says whether its result is that of a direct computation."""

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
