"""How a network is made: its bisection, its next sizes, what it embeds, emulates and runs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .judged import BillItem
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
class Rewiring(Result):
    """What becomes of the cables when a network grows; ``ports`` must be free at a node, a switch, a host.

    - ``kept``: present cables that stay.
    - ``removed``: present cables that must go; they may be plugged in again as added ones.
    - ``added``: cables that the larger network has beside those that stay.
    - ``switch_ports``: the most ports that must be free at a present switch.
    - ``host_ports``: the most ports that must be free at a present host.
    - ``how``: how it is known.
    - ``ports``: the most ports that must be free at a present node.
    """

    kept: int
    removed: int
    added: int
    ports: int | None
    switch_ports: int | None
    host_ports: int | None
    how: str


@dataclass(frozen=True, repr=False)
class Expansion(Result):
    """What it takes to make a larger fabric of the present one, in dollars; ``None`` where cables were not counted.

    - ``hosts``: hosts of the larger fabric.
    - ``new_hosts``: how many of them are new.
    - ``switches``: switches of the larger fabric.
    - ``new_switches``: how many of them are new.
    - ``cables_moved``: present cables that are plugged in elsewhere.
    - ``new_cables``: cables that are purchased, beyond those that move.
    - ``items``: switches, ports and NICs that are purchased.
    - ``price``: dollars for all that is purchased.
    - ``price_per_new_host``: dollars for each new host.
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
class Growth(Result):
    """A larger network, and what becomes of the links; ``expansion`` where it has switches.

    - ``parameter``: the parameter that is larger.
    - ``by``: by how much.
    - ``spec``: the larger network.
    - ``nodes``: its nodes.
    - ``links``: its links.
    - ``cables``: its cables; a link may have several.
    - ``rewiring``: what becomes of the present cables.
    - ``expansion``: what the larger fabric takes; ``None`` where there are no switches.
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
class SwitchPorts(Result):
    """Ports of a switch, and how many of them the present switches use.

    - ``ports``: ports of a switch.
    - ``least_used``: ports in use at the switch that uses fewest.
    - ``most_used``: ports in use at the switch that uses most.
    """

    ports: int
    least_used: int
    most_used: int


@dataclass(frozen=True, repr=False)
class Unbuildable(Result):
    """A larger network that needs more ports than a switch has.

    - ``parameter``: the parameter that is larger.
    - ``by``: by how much.
    - ``spec``: the larger network.
    - ``ports``: ports that its largest switch needs.
    """

    parameter: str
    by: int
    spec: str
    ports: int


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
class Embedding(Result):
    """How well a guest fits into a host; ``images`` has the node of the host for every node of the guest.

    - ``guest``: the network that is embedded.
    - ``host``: the network that it is embedded in.
    - ``map``: where the map comes from.
    - ``guest_nodes``: nodes of the guest.
    - ``host_nodes``: nodes of the host.
    - ``guest_links``: links of the guest.
    - ``dilation``: the longest distance, in links, between the images of two linked nodes.
    - ``mean_dilation``: the mean of these distances.
    - ``congestion``: links of the guest, each in both directions, over the busiest channel of the host.
    - ``expansion``: nodes of the host for each node of the guest.
    - ``load``: the most nodes of the guest at one node of the host.
    - ``images``: the node of the host for every node of the guest.
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
class Dimension(Result):
    """What one step of the guest along a dimension takes.

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
class AllPorts(Result):
    """What one step of the guest along all dimensions at once takes.

    - ``steps``: how many steps the host takes.
    - ``moves``: messages over links in all of them.
    - ``lower_bound``: steps that every schedule of these moves takes at least.
    """

    steps: int
    moves: int
    lower_bound: int


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


@dataclass(frozen=True, repr=False)
class Run(Result):
    """A program on data that only links move; ``agrees`` says whether its result is that of a direct computation.

    - ``spec``: the network.
    - ``program``: the program.
    - ``seed``: the random seed of its data.
    - ``nodes``: nodes, each with one item.
    - ``dimensions``: bits of an address.
    - ``steps``: how many steps it took.
    - ``recurrence``: how many steps the recurrence of the paper says.
    - ``moves``: messages over links.
    - ``compared_with``: the direct computation.
    - ``agrees``: whether the result is that of the direct computation.
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
