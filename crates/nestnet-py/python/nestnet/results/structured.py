"""How a network is made: its bisection, its next sizes, what it embeds, emulates and runs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .declared import AllPorts, Dimension, Growth, SwitchPorts, Unbuildable
from .shape import NODES, Node, Result, frame

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, repr=False)
class Cut(Result):
    """A bisection with few links: ``side`` proves the upper bound ``high``, whose links were counted again.

    - ``spec``: the network.
    - ``low``: links that every bisection cuts at least.
    - ``low_by``: how that is known.
    - ``high``: links that this one cuts.
    - ``high_by``: how it was found.
    - ``sizes``: nodes on each side.
    - ``checked``: whether the links were counted again.
    - ``finished``: whether more time would give no better answer.
    - ``side``: the nodes of one side.
    """

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


@dataclass(frozen=True, repr=False)
class Growing(Result):
    """A network and its next sizes; ``left_out`` are those whose switches need more than ``switch_ports``.

    - ``spec``: the present network.
    - ``nodes``: its nodes.
    - ``links``: its links.
    - ``cables``: its cables; a link may have several.
    - ``switches``: the ports of its switches.
    - ``next``: the larger networks, smallest first.
    - ``left_out``: larger networks whose switches need more ports than there are.
    """

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


@dataclass(frozen=True, repr=False)
class Emulation(Result):
    """How many steps a network takes for one step of the product that it represents.

    - ``spec``: the network.
    - ``sides``: the sides of the product, least significant first.
    - ``dimensions``: what a step along each dimension takes.
    - ``slowest``: the steps of the slowest dimension.
    - ``bound``: the most steps of a dimension, by theorem.
    - ``all_ports``: what a step along all dimensions at once takes.
    """

    spec: str
    sides: tuple[int, ...]
    dimensions: tuple[Dimension, ...]
    slowest: int
    bound: int
    all_ports: AllPorts | None

    def to_pandas(self) -> pandas.DataFrame:
        """One row a dimension."""
        return frame(self.dimensions)
