"""A network: who is next to whom, how far, by which route, and how good it is."""

from __future__ import annotations

import operator
import os
import warnings
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeVar, Union

import numpy as np
import numpy.typing as npt

from . import _nestnet
from ._nestnet import Error, LimitError, NodeError
from .running import quick, working
from .results import (
    Bounded,
    Broadcast,
    Collective,
    Cut,
    DeadlockReport,
    Drawing,
    Embedding,
    Emulation,
    Exported,
    FaultSurvey,
    GoalRun,
    Growing,
    Info,
    Mean,
    Measures,
    MiniApp,
    Missing,
    Number,
    Page,
    Paths,
    Result,
    Route,
    Routing,
    Simulation,
    TablesWritten,
    Throughput,
)
from .results.shape import by_label
from .views import Adjacency, Edges, Neighbors, Nodes

if TYPE_CHECKING:
    import igraph
    import networkit
    import networkx
    import rustworkx
    import scipy.sparse
    from typing_extensions import Unpack

    from .options import CollectiveOptions, CostOptions, FaultOptions, SimulatorOptions

# A node as it is given: its label where the graph has labels, otherwise its id; its address, a text, in both.
NodeLike = Hashable
Ids = npt.NDArray[np.int64]

_Result = TypeVar("_Result", bound=Result)


def _text(value: Any) -> str:
    """A value of an option as the command line takes it."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return ", ".join(f"{key}:{_text(one)}" for key, one in value.items())
    if isinstance(value, (Sequence, np.ndarray)):
        return ", ".join(_text(one) for one in value)
    return str(value)


def given(table: str, options: Mapping[str, Any], *others: str) -> list[tuple[str, str]]:
    """What is given of a table of options; what is ``None`` is left to its default. ``others`` are further names."""
    known = [row["key"] for row in _nestnet.options()[table]]
    for name in options:
        if name not in known:
            names = ", ".join([*others, *known])
            raise Error(f"there is no option `{name}`: there are {names}")
    return [(name, _text(value)) for name, value in options.items() if value is not None]


class Links:
    """The links of a network, each once, the end that comes first in the network first; made when they are asked for.

    >>> import nestnet as nn
    >>> list(nn.ring(3).links)
    [(0, 1), (0, 2), (1, 2)]
    """

    __slots__ = ("_network",)

    def __init__(self, network: Network) -> None:
        self._network = network

    @property
    def count(self) -> int:
        """How many there are, at any size."""
        return self._network._net.links

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> Iterator[tuple[Any, Any]]:
        neighbors, label = self._network._net.neighbors, self._network._label
        for id in self._network.ids:
            for other in dict.fromkeys(neighbors(id)):
                if other > id:
                    yield label(id), label(other)

    def to_numpy(self) -> npt.NDArray[Any]:
        """An array with one row a link; of labels where the graph has labels."""
        return self._network._label_array(self.ids())

    def ids(self) -> Ids:
        """An array with one row a link, of ids also where the graph has labels.

        >>> import nestnet as nn
        >>> nn.from_edges([(0, 1)], names=["a", "b"]).links.ids().tolist()
        [[0, 1]]
        """
        rows = self._cables()
        if len(rows) == self.count:
            return rows
        # The cables of a link follow each other.
        first = np.ones(len(rows), dtype=bool)
        first[1:] = (rows[1:] != rows[:-1]).any(axis=1)
        return rows[first]

    def _cables(self) -> Ids:
        """An array with one row a cable, of ids, ascending."""
        with working("links") as job:
            return np.stack(_nestnet.edges(self._network._net, job), axis=1)

    def widths(self) -> Ids:
        """How many cables each link has, in the order of `ids`.

        >>> import nestnet as nn
        >>> nn.from_edges([(0, 1), (0, 1), (1, 2)]).links.widths().tolist()
        [2, 1]
        """
        return self._trunks()[0]

    def levels(self) -> npt.NDArray[np.uint16]:
        """The level of each link in its hierarchy, in the order of `ids`.

        >>> import nestnet as nn
        >>> nn.rdn(nn.ring(3), 1).links.levels().tolist()[:4]
        [0, 0, 1, 0]
        """
        return self._trunks()[1]

    def _trunks(self) -> tuple[Ids, npt.NDArray[np.uint16]]:
        with working("links") as job:
            return _nestnet.trunks(self._network._net, job)

    def __repr__(self) -> str:
        return f"<{self.count} links of {self._network.spec}>"


# Latencies or bandwidths: a text, texts, or one for each level.
Costs = Union[str, Sequence[str], Mapping[Any, str]]


def _costs(given: Costs) -> list[str]:
    """Texts as the command line takes them."""
    if isinstance(given, str):
        return [given]
    if isinstance(given, Mapping):
        return [f"{level}={value}" for level, value in given.items()]
    return [str(one) for one in given]


def _path(path: str | os.PathLike[str] | None) -> str | None:
    return None if path is None else os.fspath(path)


def _count(name: str, value: Any, least: int = 0) -> int:
    """A whole number of 64 bits that an argument must be."""
    number = operator.index(value)
    if not least <= number < 2**64:
        raise Error(f"{name}: expected a whole number from {least} on, not {value!r}")
    return number


# What `simulate` takes beside the options of the table.
_SIMULATE = (
    "load",
    "traffic",
    "router",
    "fail",
    "fail_rate",
    "per_host",
    "per_flow",
    "trace",
    "device",
)


class Network:
    """A network, such as ``nn.network("rdn(torus(5, 5), 2)")`` makes.

    Nodes are the ids from 0 on, or the labels of the graph that the network was made from (`from_networkx`,
    `from_edges`): a graph with labels takes and gives labels everywhere, and only `id_of`, `label_of`, `ids` and
    ``links.ids()`` know its ids. Methods that take a node take the text of its address too; ``in``, `adj`, `edges` and
    ``g[node]`` take nodes alone, and so `labelled` makes a network whose nodes are their addresses.

    >>> import nestnet as nn
    >>> g = nn.rdn(nn.torus(5, 5), 2)
    >>> g.order
    3125000
    >>> g.address(14)
    '(0,(0,(0,0),(0,0)),(0,(0,0),(2,4)))'
    >>> g.diameter
    22
    """

    __networkx_backend__ = "nestnet"
    __slots__ = ("__networkx_cache__", "__weakref__", "_index", "_labels", "_net", "graph")

    def __init__(
        self, net: _nestnet.Net, labels: Sequence[Hashable] | None = None
    ) -> None:
        self._net = net
        self._labels = None if labels is None else list(labels)
        self._index: dict[Hashable, int] | None = None
        self.graph: dict[str, Any] = {}
        self.__networkx_cache__: dict[str, Any] = {}

    # What it is.

    @property
    def spec(self) -> str:
        """Its canonical spec."""
        return self._net.spec

    @property
    def order(self) -> int:
        """How many nodes it has."""
        return self._net.order

    @property
    def hosts(self) -> int:
        """How many nodes inject and receive; the others only switch."""
        return self._net.hosts

    @property
    def nodes(self) -> Nodes:
        """All nodes, in the order of their ids: labels where the graph has labels, otherwise ids."""
        return Nodes(self)

    @property
    def ids(self) -> range:
        """The ids of all nodes, also where the graph has labels.

        >>> import nestnet as nn
        >>> nn.from_edges([(0, 1)], names=["a", "b"]).ids
        range(0, 2)
        """
        return range(self._net.order)

    @property
    def links(self) -> Links:
        """All links."""
        return Links(self)

    @property
    def degree(self) -> int:
        """The largest number of cables at a node."""
        return self._net.degrees[1]

    @property
    def connected(self) -> bool:
        """Whether there is a path between any two nodes."""
        return self._net.connected

    @property
    def routers(self) -> list[str]:
        """The names of the routers of its own, besides those of docs/routers.md, which every network takes."""
        return self._net.routers

    @property
    def names(self) -> list[Hashable] | None:
        """The labels of its nodes, in the order of their ids; ``None`` where nodes are named by their ids."""
        return None if self._labels is None else list(self._labels)

    def __len__(self) -> int:
        return self._net.order

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self.nodes)

    def __contains__(self, node: object) -> bool:
        return self._find(node) is not None

    def __repr__(self) -> str:
        return f"<nestnet.Network {self.spec}: {self.order} nodes, {self._net.links} links>"

    # Nodes and their labels.

    def _find(self, node: object) -> int | None:
        """The id of a node as iteration gives it: a label, or an id where there are no labels."""
        if self._labels is None:
            if isinstance(node, (bool, np.bool_)):
                return None
            try:
                id = operator.index(node)  # type: ignore[arg-type]
            except TypeError:
                return None
            return id if 0 <= id < self._net.order else None
        found = self._equal(node)
        # 1 == 1.0 == True in Python, and still they are not the same label.
        for kind in ((bool, np.bool_), (float, np.floating)):
            if found is not None and isinstance(node, kind):
                return found if isinstance(self._labels[found], kind) else None
        return found

    def _equal(self, node: object) -> int | None:
        """The id of the label that a node equals, as NetworkX compares nodes."""
        if self._index is None:
            self._index = {label: id for id, label in enumerate(self._labels or ())}
        try:
            return self._index.get(node)
        except TypeError:
            # Not hashable, and so no label.
            return None

    def _label(self, id: int) -> Any:
        return id if self._labels is None else self._labels[id]

    def _label_array(self, ids: Ids) -> npt.NDArray[Any]:
        """The labels of an array of ids: of numbers where all labels are such, otherwise of objects."""
        if self._labels is None:
            return ids
        table: npt.NDArray[Any]
        if all(type(label) is int and -(2**63) <= label < 2**63 for label in self._labels):
            table = np.array(self._labels, dtype=np.int64)
        else:
            table = np.empty(len(self._labels), dtype=object)
            for id, label in enumerate(self._labels):
                table[id] = label
        return table[ids]

    def _by_label(self, result: _Result) -> _Result:
        """A result whose nodes are ids, as it is given away."""
        return result if self._labels is None else by_label(result, self._labels.__getitem__)

    def id_of(self, node: NodeLike) -> int:
        """The id of a node: by its label where the graph has labels, otherwise by its id; or by its address.

        >>> import nestnet as nn
        >>> nn.from_edges([(0, 1)], names=[7, "b"]).id_of(7)
        0
        >>> nn.rdn(nn.ring(5), 1).id_of("(0,1,2)")
        7
        """
        if not self._net.has_ids:
            # Refused, with the reason.
            self._net.address(0)
        found = self._find(node)
        if found is not None:
            return found
        if self._labels is not None:
            if isinstance(node, str):
                try:
                    id = self._net.locate(node)
                except NodeError:
                    id = None
                # A text that is only the number of another node is no address.
                if id is not None and self._net.address(id) == node:
                    return id
            if not self._labels:
                raise NodeError(f"no node {node!r}: there are no nodes")
            label, address = self._labels[-1], self._net.address(len(self._labels) - 1)
            raise NodeError(
                f"no node {node!r}: give a label such as {label!r} or an address such as {address!r}"
            )
        if isinstance(node, str):
            return self._net.locate(node)
        try:
            if isinstance(node, (bool, np.bool_)):
                raise TypeError
            self._net.refuse(str(operator.index(node)))  # type: ignore[arg-type]
        except TypeError:
            pass
        raise NodeError(
            f"expected a node id, which is a whole number, or an address, which is text, not {node!r}"
        )

    def label_of(self, id: int) -> Any:
        """The node with an id: its label where the graph has labels, otherwise the id itself.

        >>> import nestnet as nn
        >>> nn.from_edges([(0, 1)], names=[7, "b"]).label_of(0)
        7
        """
        number = operator.index(id)
        if not 0 <= number < self._net.order:
            raise NodeError(f"id {number}: there are {self._net.order} nodes, from 0 on")
        return self._label(number)

    def labelled(self) -> Network:
        """The same network, whose nodes are called by their addresses, as text.

        >>> import nestnet as nn
        >>> nn.torus(3, 3).labelled().route("(0,0)", "(1,2)").path
        ('(0,0)', '(1,0)', '(1,2)')
        """
        return Network(self._net, [self._net.address(id) for id in self.ids])

    def node(self, name: NodeLike) -> int:
        """The same as `id_of`.

        >>> import nestnet as nn
        >>> nn.rdn(nn.ring(5), 1).node("(0,1,2)")
        7
        """
        return self.id_of(name)

    def address(self, node: NodeLike) -> str:
        """The address of a node as its paper writes it.

        >>> import nestnet as nn
        >>> nn.hypercube(4).address(5)
        '0101'
        """
        return self._net.address(self.id_of(node))

    def neighbors(self, node: NodeLike) -> list[Any]:
        """The neighbors of a node, in the order of their ids.

        >>> import nestnet as nn
        >>> nn.petersen().neighbors(0)
        [1, 4, 5]
        """
        return [self._label(id) for id in dict.fromkeys(self._net.neighbors(self.id_of(node)))]

    def ports(self, node: NodeLike) -> list[tuple[int, Any, int]]:
        """The ports of a node: number, neighbor and level of each cable."""
        ports = self._net.ports(self.id_of(node))
        return [(port, self._label(id), level) for port, id, level in ports]

    # Routes.

    def distance(self, source: NodeLike, target: NodeLike) -> int | None:
        """How many links a shortest path has; ``None`` where there is no path.

        >>> import nestnet as nn
        >>> nn.rdn(nn.torus(5, 5), 3).distance(0, 19531249999999)
        23
        """
        return self._net.distance(self.id_of(source), self.id_of(target), quick())

    def route(
        self,
        source: NodeLike,
        target: NodeLike,
        router: str | None = None,
        *,
        choice: int = 0,
        as_printed: bool = False,
    ) -> Route:
        """The route of a message by a router, link by link; an error where there is no path.

        >>> import nestnet as nn
        >>> nn.ring(6).route(0, 2).path
        (0, 1, 2)
        """
        ends = self.id_of(source), self.id_of(target)
        with working("route") as job:
            found = self._net.route(*ends, router, choice, as_printed, job)
        if not found.arrives and found.outcome is None:
            raise Error(f"there is no path from {source!r} to {target!r}: they are not connected")
        return self._by_label(found)

    def paths(self, source: NodeLike, target: NodeLike, *, budget: int = 1 << 20) -> Paths:
        """The most paths from one node to another that share only these two, found in ``budget`` steps of a search.

        >>> import nestnet as nn
        >>> found = nn.petersen().paths(0, 7)
        >>> found.count, found.lengths
        (3, (2, 3, 3))
        """
        ends = self.id_of(source), self.id_of(target)
        with working("paths") as job:
            found = _nestnet.paths(self._net, *ends, _count("budget", budget, 1), job)
        return self._by_label(found)

    def routing(
        self,
        router: str | None = None,
        *,
        sample: int | None = None,
        seed: int = 1,
        failed_nodes: Sequence[NodeLike] = (),
        failed_links: Sequence[tuple[NodeLike, NodeLike]] = (),
        random_faults: float | None = None,
        failing: Literal["both", "nodes", "links"] = "both",
    ) -> Routing:
        """The routes of all pairs of hosts, or of a ``sample`` of them: whether they arrive, their hops and their load.

        Where nodes or links have failed, messages make detours around what they meet.

        >>> import nestnet as nn
        >>> found = nn.rdn(nn.petersen(), 1).routing("paper")
        >>> found.arrived == found.pairs, found.max_hops
        (True, 6)
        >>> nn.torus(4, 4).routing(failed_links=[(0, 1)]).max_stretch
        2.0
        """
        nodes = [self.id_of(node) for node in failed_nodes]
        links = [(self.id_of(one), self.id_of(other)) for one, other in failed_links]
        failed = (nodes, links, random_faults, failing)
        pairs = None if sample is None else _count("sample", sample, 1)
        with working("routes") as job:
            found = _nestnet.routing(self._net, router, pairs, _count("seed", seed), failed, job)
        return self._by_label(found)

    def tables(
        self,
        router: str | None = None,
        *,
        format: str = "routes",
        path: str | os.PathLike[str] | None = None,
        assign: bool = False,
        latency: Costs = (),
        bandwidth: Costs = (),
    ) -> TablesWritten:
        """Where each switch sends what, in a format of ``nestnet tables``: as text, or to the file ``path``.

        With ``assign`` the routes are on the virtual channels that `deadlock` finds with ``assign``.

        >>> import nestnet as nn
        >>> found = nn.ring(4).tables(format="csv")
        >>> found.bytes, len(found.text.splitlines())
        (4, 13)
        """
        costs = _costs(latency), _costs(bandwidth)
        with working("tables") as job:
            return _nestnet.tables(self._net, router, assign, format, _path(path), costs, job)

    def resilience(
        self,
        fail: Literal["links", "switches", "hosts", "nodes"] = "links",
        **options: Unpack[FaultOptions],
    ) -> FaultSurvey:
        """What is left when links, switches, hosts, or nodes (hosts and switches) fail at random, by rate.

        Links of hosts do not fail where each host has a single one, to a switch. A host is lost with the last of its
        switches. Its options are those of `nestnet.options.FaultOptions`.

        >>> import nestnet as nn
        >>> row = nn.petersen().resilience(at=0.1, trials=100).rows[0]
        >>> round(row.falls_apart.exact, 4)
        0.0114
        """
        settings = given("faults", {"fail": fail, **options})
        with working("resilience") as job:
            found = _nestnet.resilience(self._net, settings, job)
        return self._by_label(found)

    def distances(self, sources: Any, targets: Any) -> Ids:
        """The distances of many pairs at once; -1 where there is no path. Either side may be one node for all.

        >>> import nestnet as nn
        >>> nn.ring(6).distances(0, [0, 1, 2, 3, 4, 5])
        array([0, 1, 2, 3, 2, 1])
        """
        left, right = np.broadcast_arrays(_nodes(self, sources), _nodes(self, targets))
        with working("distances") as job:
            found = _nestnet.distances(
                self._net,
                np.ascontiguousarray(left).reshape(-1),
                np.ascontiguousarray(right).reshape(-1),
                job,
            )
        return found.reshape(left.shape)

    def bfs(self, source: NodeLike) -> Ids:
        """The distance of every node from one, in the order of `nodes`; -1 where there is no path.

        >>> import nestnet as nn
        >>> nn.path(4).bfs(1)
        array([1, 0, 1, 2])
        """
        return self._bfs(self.id_of(source))

    def _bfs(self, id: int) -> Ids:
        with working("search") as job:
            return _nestnet.bfs(self._net, id, job)

    def channel_loads(self) -> tuple[npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[np.float64]]:
        """Sources, targets and loads of all channels, when each node sends 1 to each other along all shortest paths."""
        sources, targets, loads = self._channel_loads()
        return self._label_array(sources), self._label_array(targets), loads

    def _channel_loads(self) -> tuple[Ids, Ids, npt.NDArray[np.float64]]:
        with working("loads") as job:
            return _nestnet.channel_loads(self._net, job)

    # Numbers.

    def info(self) -> Info:
        """What is known at once, at any size."""
        with working("info") as job:
            return self._net.info(job)

    def measure(self, *keys: str, device: Literal["cpu", "gpu"] = "cpu") -> Measures:
        """Exact numbers by key, each with how it is known; without keys all that answers in a moment.

        A key is one of docs/metrics.md or a group of them: ``"size"``, ``"structure"``, ``"distances"``, ``"hosts"``,
        ``"quality"``, ``"connectivity"``, ``"symmetry"``, ``"load"``, ``"spectrum"``, ``"bisection"``, ``"faults"``,
        ``"simulation"`` or ``"all"``. What takes longer than is allowed has bounds alone or is `nestnet.results.Missing`;
        ``with nn.limits(max_time=60):`` allows more.

        With ``device="gpu"`` searches from every node run on a GPU; where there is none, a warning says so.

        >>> import nestnet as nn
        >>> m = nn.rdn(nn.torus(5, 5), 2).measure("diameter", "average_distance")
        >>> m.diameter
        Bounded(low=22, high=22, how='theorem')
        >>> m.average_distance.value
        Fraction(43810000, 3124999)
        """
        with working("measure") as job:
            found = self._net.measure(list(keys), device, job)
        return self._by_label(found)

    def _value(self, key: str) -> Any:
        found = self.measure(key)
        value = found.values.get(key, Missing("it has none"))
        if isinstance(value, Missing):
            kind = LimitError if value.reason == "limit" else Error
            raise kind(f"{key}: {value.why}")
        if isinstance(value, (Bounded, Mean)):
            return value.value
        return value

    @property
    def diameter(self) -> int:
        """The largest distance."""
        value = self._value("diameter")
        assert isinstance(value, int)
        return value

    @property
    def average_distance(self) -> Number:
        """The mean distance of two different nodes, a fraction."""
        value: Number = self._value("average_distance")
        return value

    def cut(self) -> Cut:
        """A bisection with few links, as a certificate that was checked: proofs go on until ``max_time``.

        >>> import nestnet as nn
        >>> found = nn.rdn(nn.ring(3), 1).cut()
        >>> found.low, found.high, len(found.side)
        (5, 5, 9)
        """
        with working("bisection") as job:
            found = _nestnet.cut(self._net, job)
        return self._by_label(found)

    def grow(self, *, hosts: int | None = None, **options: Unpack[CostOptions]) -> Growing:
        """The next sizes, or those with at least so many hosts, and what must be rewired on the way.

        >>> import nestnet as nn
        >>> growth = nn.rdn(nn.petersen(), 1).grow().next[0]
        >>> growth.spec, growth.rewiring.removed
        ('rdn(petersen, 2)', 0)
        """
        settings = given("cost", options, "hosts")
        wanted = None if hosts is None else _count("hosts", hosts)
        with working("grow") as job:
            return _nestnet.grow(self._net, wanted, settings, job)

    def embed(
        self,
        host: Network | str,
        *,
        algorithm: Literal["best", "paper"] = "best",
        budget: int = 1 << 20,
    ) -> Embedding:
        """How well it fits into another network, by as many exchanges as ``budget`` says; ``images`` are nodes of that.

        ``algorithm="paper"``, a complete binary tree in a cube of rings, is ours after the idea of the paper's exchanges.

        >>> import nestnet as nn
        >>> found = nn.ring(16).embed(nn.hypercube(4))
        >>> found.dilation, found.load
        (1, 1)
        """
        with working("embed") as job:
            if isinstance(host, str):
                host = Network(_nestnet.network(host, job))
            tries = _count("budget", budget)
            found = _nestnet.embed(self._net, host._net, algorithm, tries, job)
        return host._by_label(found)

    def emulate(self, dimension: int | None = None) -> Emulation:
        """How many steps it takes for one step of the product that it represents, along one dimension or each.

        >>> import nestnet as nn
        >>> found = nn.rsn(nn.hypercube(2), 3).emulate()
        >>> found.slowest, found.bound
        (5, 5)
        """
        number = None if dimension is None else _count("dimension", dimension, 1)
        with working("emulate") as job:
            return _nestnet.emulate(self._net, number, job)

    def throughput(
        self,
        traffic: str = "uniform",
        router: str = "all_paths",
        *,
        gap: float | None = 0.01,
    ) -> Throughput:
        """How much every host can send before a channel is saturated, and within which bounds any routing could.

        >>> import nestnet as nn
        >>> nn.hosts(nn.dragonfly(4, 2), 2).throughput("worst", gap=None).theta
        Fraction(1, 10)
        """
        with working("throughput") as job:
            found = _nestnet.throughput(self._net, traffic, router, gap, job)
        return self._by_label(found)

    def broadcast(
        self,
        source: NodeLike | None = None,
        *,
        algorithm: str | None = None,
        ports: Literal["one", "all"] | None = None,
    ) -> Broadcast:
        """A broadcast from one node to all others, by default from the first node: steps and schedule.

        >>> import nestnet as nn
        >>> nn.rdn(nn.ring(3), 2).broadcast(0).steps
        14
        """
        start = 0 if source is None else self.id_of(source)
        with working("broadcast") as job:
            found = _nestnet.broadcast(self._net, start, algorithm, ports, job)
        return self._by_label(found)

    def collective(
        self,
        goal: Literal[
            "broadcast", "scatter", "gather", "reduce", "allgather", "allreduce", "all-to-all"
        ],
        *,
        root: NodeLike | None = None,
        **options: Unpack[CollectiveOptions],
    ) -> Collective:
        """A collective among all hosts: the best schedule that is known, checked, and its price in seconds.

        Through switches every message is divided over the routes of ``router``, by default of the one that ``design``
        gives the network. Its options are those of `nestnet.options.CollectiveOptions`.

        >>> import nestnet as nn
        >>> nn.hypercube(3).collective("allgather").rounds
        3
        """
        start = None if root is None else self.id_of(root)
        settings = given("collective", options, "root")
        with working(goal) as job:
            found = _nestnet.collective(self._net, goal, start, settings, job)
        return self._by_label(found)

    def mini_app(
        self,
        app: str,
        *,
        bytes: int = 1 << 20,
        gradient: int | None = None,
        compute: int = 0,
        repeat: int = 1,
    ) -> MiniApp:
        """The messages of a small application among the hosts, as a program in GOAL for `run_goal`.

        ``stencil(x, y)``, ``stencil(x, y, z)``, ``all_to_all(n)``, ``allreduce(n)``, ``training(d, t, p)`` or
        ``training(d, t, p, m)``: d replicas of p pipeline stages of t ranks each on m micro-batches.

        >>> import nestnet as nn
        >>> nn.torus(4, 4).mini_app("stencil(4, 4)", bytes=4096).messages
        64
        """
        with working(app) as job:
            amounts = (bytes, bytes if gradient is None else gradient, compute, repeat)
            found = _nestnet.mini_app(self._net, app, amounts, job)
        return self._by_label(found)

    def deadlock(
        self, router: str | None = None, *, vcs: int | None = None, assign: bool = False
    ) -> DeadlockReport:
        """Whether messages can deadlock, with a certificate that was checked.

        >>> import nestnet as nn
        >>> nn.rdn(nn.petersen(), 1).deadlock(router="paper").free
        True
        >>> len(nn.ring(5).deadlock(vcs=1).cycle)
        5
        """
        with working("deadlock") as job:
            found = _nestnet.deadlock(self._net, router, vcs, assign, job)
        return self._by_label(found)

    def simulate(
        self,
        load: float | Sequence[float] | None = None,
        *,
        traffic: str = "uniform",
        router: str | None = None,
        fail: Sequence[tuple[NodeLike, NodeLike, int]] = (),
        fail_rate: float | None = None,
        per_host: bool = False,
        per_flow: bool = False,
        trace: bool = False,
        device: Literal["cpu", "gpu"] = "cpu",
        **options: Unpack[SimulatorOptions],
    ) -> Simulation:
        """Messages flit by flit at some loads, or at all up to saturation and one beyond it.

        The result has a point for each load: it is iterated over these, and ``saturation`` is ``None`` where loads are
        given, since only all loads up to it show it.

        Links fail as ``(node, node, cycle)``, or each with probability ``fail_rate`` a cycle. Virtual channels, buffers,
        delays, allocators, packets, cycles and the seed are the options of `nestnet.options.SimulatorOptions`.
        Points have what every host sent and received in ``hosts`` with
        ``per_host``, every pair of hosts in ``flows`` with ``per_flow``, and every packet in ``trace`` with ``trace``.
        With ``device="gpu"`` it runs on a GPU, with the same result; where there is none, a warning says so. What is in
        ``warning`` of the result is a `RuntimeWarning` too.

        >>> import nestnet as nn
        >>> nn.torus(4, 4).simulate(0.1, warmup=100, cycles=200).points[0].status
        'ok'
        >>> nn.torus(4, 4).simulate(0.1, warmup=100, cycles=200, fail=[(0, 1, 150)]).points[0].lost
        0
        >>> asked = nn.torus(4, 4).simulate(0.1, warmup=100, cycles=200, replies=4, per_host=True)
        >>> asked.points[0].replies.round_trip > 2 * asked.points[0].latency
        True
        >>> len(asked.points[0].hosts)
        16
        >>> slow = nn.torus(4, 4).simulate(0.1, warmup=100, cycles=200, routing_delay=9)
        >>> slow.points[0].latency > 20
        True
        """
        if load is None:
            loads: list[float] = []
        elif isinstance(load, (int, float)):
            loads = [float(load)]
        else:
            loads = [float(one) for one in load]
            if not loads:
                raise Error("there is no load to simulate")
        asked = _nestnet.Simulated(
            loads=loads,
            traffic=traffic,
            router=router,
            options=given("simulator", options, *_SIMULATE),
            failing=[(cycle, self.id_of(one), self.id_of(other)) for one, other, cycle in fail],
            fail_rate=fail_rate,
            per_host=per_host,
            per_flow=per_flow,
            trace=trace,
            device=device,
        )
        with working("simulate") as job:
            found = _nestnet.simulate(self._net, asked, job)
        if found.warning is not None:
            # Of the line that called, past the check of arguments.
            warnings.warn(found.warning, RuntimeWarning, stacklevel=3)
        return self._by_label(found)

    def run_goal(
        self,
        path: str | os.PathLike[str],
        *,
        router: str | None = None,
        **options: Unpack[SimulatorOptions],
    ) -> GoalRun:
        """The messages of a file in GOAL, flit by flit, ``flit`` bytes a flit; its ranks are the hosts.

        Takes the options of `simulate`.

        >>> import nestnet as nn, pathlib, tempfile
        >>> goal = "num_ranks 2\\nrank 0 {\\nl1: send 64b to 1\\n}\\nrank 1 {\\nl1: recv 64b from 0\\n}\\n"
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = pathlib.Path(folder, "one.goal")
        ...     _ = path.write_text(goal)
        ...     nn.ring(5).run_goal(path).complete
        True
        """
        with working("simulate") as job:
            path = os.fspath(path)
            settings = given("simulator", options, "router")
            found = _nestnet.run_goal(self._net, path, router, settings, job)
        return self._by_label(found)

    # Pictures.

    def draw(
        self,
        *,
        plan: str | None = None,
        fold: int | None = None,
        max_nodes: int | None = None,
        max_links: int | None = None,
        route: tuple[NodeLike, NodeLike] | None = None,
        router: str | None = None,
        broadcast: NodeLike | None = None,
        step: int = 1,
        load: bool = False,
        deadlock: bool = False,
        theme: Literal["auto", "light", "dark"] = "auto",
        labels: Literal["auto", "address", "id", "none"] = "auto",
    ) -> Drawing:
        """A picture that comes from the construction, with a path, a step of a broadcast, loads or a deadlock on top.

        Nodes are called by `labels`; "auto" is addresses where these can be read, else ids, else nothing.

        >>> import nestnet as nn
        >>> nn.rdn(nn.ring(5), 1).draw().dots
        50
        """
        path = None if route is None else (self.id_of(route[0]), self.id_of(route[1]))
        informed = None if broadcast is None else (self.id_of(broadcast), step)
        most = (max_nodes, max_links)
        look = (theme, labels)
        with working("draw") as job:
            return _nestnet.draw(
                self._net, plan, fold, most, path, router, informed, load, deadlock, look, job
            )

    def report(self, *, baselines: bool = True, **options: Unpack[CostOptions]) -> Page:
        """One page about it: picture, numbers, claims, comparison; priced by `nestnet.options.CostOptions`."""
        settings = given("cost", options, "baselines")
        with working("report") as job:
            return _nestnet.report([self.spec], baselines, settings, job)

    def _repr_svg_(self) -> str | None:
        try:
            with working("draw") as job:
                most, look = (512, 2048), ("auto", "auto")
                drawing = _nestnet.draw(
                    self._net, None, None, most, None, None, None, False, False, look, job
                )
        except Error:
            return None
        return drawing.svg

    def _repr_html_(self) -> str:
        from html import escape

        known = self.info()
        rows = [
            ("nodes", f"{known.nodes:,}"),
            ("links", f"{known.links:,}"),
            *([("cables", f"{known.cables:,}")] if known.cables != known.links else []),
            ("degree", f"{known.degree_min} to {known.degree_max}"),
        ]
        if known.hosts != known.nodes:
            rows.insert(1, ("hosts", f"{known.hosts:,}"))
        if known.diameter is not None:
            low, high = known.diameter.low, known.diameter.high
            value = f"{low:,}" if low == high else f"{low:,} to {high:,}"
            rows.append(("diameter", f"{value}, by {known.diameter.how}"))
        cells = "".join(f"<tr><th>{key}</th><td>{escape(value)}</td></tr>" for key, value in rows)
        picture = self._repr_svg_() or ""
        return (
            f"<div><b>{escape(self.spec)}</b><table>{cells}</table>"
            f'<div style="max-width: 32em">{picture}</div></div>'
        )

    # To other tools and libraries.

    def export(
        self,
        format: str | None = None,
        path: str | os.PathLike[str] | None = None,
        *,
        latency: Costs = (),
        bandwidth: Costs = (),
        max_links: int = 2_000_000_000,
    ) -> Exported:
        """It in a format of ``nestnet export``: as text, or to the file ``path``, whose ending may name the format.

        Latencies and bandwidths are texts, of all links or of a level, such as ``"500ns"`` or ``["1=2us", "host=100ns"]``.
        ``does_not_say`` lists what the format has no field for. In GraphML and node-link JSON the hosts of a fabric are a
        number at their switch, ``endpoints``, and nodes are called by their numbers; for a graph in which each host is a
        node, write what `to_networkx` gives by ``networkx.write_graphml``.

        >>> import nestnet as nn
        >>> print(nn.ring(3).export("edges"))
        0 1
        0 2
        1 2
        <BLANKLINE>
        """
        costs = _costs(latency), _costs(bandwidth)
        most = _count("max_links", max_links)
        with working("export") as job:
            return _nestnet.export(self._net, format, _path(path), costs, most, job)

    def to_scipy(self, dtype: npt.DTypeLike = np.int64) -> scipy.sparse.csr_array:
        """Its adjacency matrix; rows and columns are ids, an entry is the number of cables. The matrix takes our arrays
        without copying them where every link has one cable.

        >>> import nestnet as nn
        >>> nn.ring(4).to_scipy().toarray().tolist()
        [[0, 1, 0, 1], [1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 1, 0]]
        """
        import scipy.sparse

        order = self.order
        narrow = order < 2**31 and 2 * self._net.links < 2**31
        offsets: npt.NDArray[Any]
        targets: npt.NDArray[Any]
        with working("matrix") as job:
            if narrow:
                offsets, targets = _nestnet.csr32(self._net, job)
            else:
                offsets, targets = _nestnet.csr64(self._net, job)
        ones = np.ones(len(targets), dtype=dtype)
        matrix = scipy.sparse.csr_array((ones, targets, offsets), shape=(order, order), copy=False)
        matrix.has_sorted_indices = True
        if len(targets) > 2 * self._net.links:
            matrix.has_canonical_format = False
            matrix.sum_duplicates()
        matrix.has_canonical_format = True
        return matrix

    def to_networkx(
        self,
        *,
        addresses: bool = False,
        attributes: bool = True,
        latency: Costs = (),
        bandwidth: Costs = (),
    ) -> networkx.Graph[Any]:
        """A graph of NetworkX; nodes are labels or ids as in `nodes`, or addresses.

        With ``attributes`` a node has its ``address``, its ``role``, which is ``"host"`` or ``"switch"``, and the number of
        its ``endpoints``, which is the same as files have it; a link has its ``width`` in cables and its ``level``.
        `from_networkx` reads all of them back. Where latencies and bandwidths are given as in `export`, a link also has its
        ``latency`` in nanoseconds and its ``bandwidth`` in gigabits a second.

        >>> import nestnet as nn
        >>> sorted(nn.ring(3).to_networkx().edges)
        [(0, 1), (0, 2), (1, 2)]
        >>> nn.fat_tree(4).to_networkx().nodes[16]
        {'address': '(1,0,0)', 'role': 'switch', 'endpoints': 0}
        >>> nn.rdn(nn.ring(3), 1).to_networkx(latency=["5ns", "1=20ns"]).edges[0, 9]
        {'width': 1, 'level': 1, 'latency': 20.0}
        """
        import networkx

        graph: networkx.Graph[Any] = networkx.Graph()
        graph.graph.update(self.graph)
        graph.graph.setdefault("name", self.spec)
        names: Sequence[Any] = self.nodes
        if addresses:
            names = [self._net.address(id) for id in self.ids]
        links = self.links
        rows = links.ids().tolist()
        if not attributes:
            graph.add_nodes_from(names)
            graph.add_edges_from((names[a], names[b]) for a, b in rows)
            return graph
        if self.hosts < self.order:
            graph.graph["hosts"] = "nodes"
        graph.add_nodes_from((name, self._attributes(id)) for id, name in enumerate(names))
        widths, levels = (found.tolist() for found in links._trunks())
        costs = self._link_costs(latency, bandwidth)
        for (a, b), width, level in zip(rows, widths, levels):
            graph.add_edge(names[a], names[b], width=width, level=level, **costs(a, level))
        return graph

    def _link_costs(
        self, latency: Costs, bandwidth: Costs
    ) -> Callable[[int, int], dict[str, float]]:
        """What a link costs, by its lower end and its level."""
        if not latency and not bandwidth:
            return lambda end, level: {}
        with working("costs") as job:
            given = _costs(latency), _costs(bandwidth)
            by_level, of_hosts = _nestnet.link_costs(self._net, given, job)
        hosts = self.hosts if of_hosts is not None else 0
        named = ("latency", "bandwidth")

        def cost(end: int, level: int) -> dict[str, float]:
            found = of_hosts if end < hosts and of_hosts is not None else by_level[level]
            return {name: value for name, value in zip(named, found) if value is not None}

        return cost

    def to_igraph(self) -> igraph.Graph:
        """A graph of igraph, its vertices in the order of ids; labels are the vertex attribute ``name``, as text.

        Other attributes are those of `to_networkx`: ``address``, ``role`` and ``endpoints`` of vertices, ``width`` and
        ``level`` of edges. `from_igraph` reads all of them back.
        """
        import igraph

        graph = igraph.Graph(n=self.order, edges=self.links.ids().tolist())
        if self._labels is not None:
            graph.vs["name"] = [str(label) for label in self._labels]
        for key in ("address", "role", "endpoints"):
            graph.vs[key] = [value for _, value in self.nodes.data(key)]
        graph.es["width"], graph.es["level"] = (found.tolist() for found in self.links._trunks())
        return graph

    def to_rustworkx(self) -> rustworkx.PyGraph[Any, None]:
        """A graph of rustworkx, its nodes in the order of ids; the payload of a node is its label or id."""
        import rustworkx

        graph: rustworkx.PyGraph[Any, None] = rustworkx.PyGraph(multigraph=False)
        graph.add_nodes_from(list(self))
        graph.add_edges_from_no_data([(a, b) for a, b in self.links.ids().tolist()])
        return graph

    def to_networkit(self) -> networkit.Graph:
        """A graph of NetworKit; nodes are ids."""
        import networkit

        links = self.links.ids()
        graph = networkit.Graph(self.order)
        graph.addEdges((links[:, 0].astype(np.uint64), links[:, 1].astype(np.uint64)))
        return graph

    # As NetworkX asks.

    @property
    def adj(self) -> Adjacency:
        """The neighbors of every node, with the attributes of the links to them, as in NetworkX."""
        return Adjacency(self)

    @property
    def _adj(self) -> Adjacency:
        # By this name functions of NetworkX that draw look at it.
        return self.adj

    @property
    def edges(self) -> Edges:
        """The links as NetworkX lists edges.

        >>> import networkx as nx, nestnet as nn
        >>> g = nn.fat_tree(4)
        >>> len(g.edges), nx.Graph(g).number_of_edges()
        (48, 48)
        """
        return Edges(self)

    def __getitem__(self, node: NodeLike) -> Neighbors:
        return self.adj[node]

    def _attributes(self, id: int) -> dict[str, Any]:
        """What `to_networkx` writes of a node."""
        is_host = id < self.hosts
        role = "host" if is_host else "switch"
        return {"address": self._net.address(id), "role": role, "endpoints": int(is_host)}

    def has_node(self, node: NodeLike) -> bool:
        """Whether it is a node."""
        return node in self

    def has_edge(self, source: NodeLike, target: NodeLike) -> bool:
        """Whether two nodes are linked; false where one of them is no node."""
        return (source, target) in self.edges

    def is_directed(self) -> bool:
        """Never."""
        return False

    def is_multigraph(self) -> bool:
        """Never."""
        return False

    def number_of_nodes(self) -> int:
        """The order."""
        return self._net.order

    def number_of_edges(self) -> int:
        """How many links there are."""
        return self._net.links


def _nodes(network: Network, nodes: Any) -> npt.NDArray[np.uint64]:
    """The ids of one node, or of nodes in an array or in nested sequences."""
    if network._labels is not None:
        return _labelled(network, nodes)
    array = np.asarray(nodes)
    if array.dtype == np.uint64:
        return array
    if array.dtype.kind not in "iu" and array.size > 0:
        if array.dtype.kind in "US":
            texts = [network._net.locate(str(text)) for text in array.reshape(-1)]
            return np.array(texts, dtype=np.uint64).reshape(array.shape)
        if array.dtype.kind == "O":
            ids = [network.id_of(node) for node in array.reshape(-1)]
            return np.array(ids, dtype=np.uint64).reshape(array.shape)
        raise NodeError(f"expected an array of node ids, not of {array.dtype}")
    if array.dtype.kind == "i" and array.size > 0 and array.min() < 0:
        network._net.refuse(str(int(array.min())))
    if array.dtype == np.int64:
        return array.view(np.uint64)
    return array.astype(np.uint64)


def _labelled(network: Network, nodes: Any) -> npt.NDArray[np.uint64]:
    def ids(item: Any) -> Any:
        if isinstance(item, np.ndarray):
            return ids(item.tolist())
        # A tuple may be a label, or several of them.
        found = network._find(item)
        if found is not None:
            return found
        if isinstance(item, (list, tuple, range)):
            return [ids(part) for part in item]
        return network.id_of(item)

    try:
        return np.array(ids(nodes), dtype=np.uint64)
    except ValueError as error:
        if isinstance(error, Error):
            raise
        raise NodeError("expected an array of labels with rows of one length") from None
