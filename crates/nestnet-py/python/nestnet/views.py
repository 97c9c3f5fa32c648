"""Nodes, edges and neighbors as NetworkX has them: views that look into the network when they are asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, overload

from .errors import LinkKeyError, NodeKeyError

if TYPE_CHECKING:
    from .networks import Network

Attributes = dict[str, Any]


class Nodes(Sequence[Any]):
    """The nodes of a network in the order of their ids; ``nodes(data=True)`` has their attributes too.

    >>> import nestnet as nn
    >>> g = nn.hosts(nn.ring(3), 1)
    >>> list(g.nodes), g.nodes[-1]
    ([0, 1, 2, 3, 4, 5], 5)
    >>> [node for node, role in g.nodes(data="role") if role == "switch"]
    [3, 4, 5]
    """

    __slots__ = ("_network",)

    def __init__(self, network: Network) -> None:
        self._network = network

    def _all(self) -> Sequence[Any]:
        labels = self._network._labels
        return self._network.ids if labels is None else labels

    def __len__(self) -> int:
        return self._network.order

    @overload
    def __getitem__(self, place: int) -> Any: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Any]: ...
    def __getitem__(self, place: Any) -> Any:
        return self._all()[place]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._all())

    def __contains__(self, node: object) -> bool:
        return node in self._network

    def __eq__(self, other: object) -> bool:
        if isinstance(other, (Nodes, range, tuple, list)):
            return len(self) == len(other) and all(a == b for a, b in zip(self, other))
        return NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        labels = self._network._labels
        return repr(self._network.ids if labels is None else tuple(labels))

    def items(self) -> Iterator[tuple[Any, Attributes]]:
        """Every node with its attributes."""
        for id, node in enumerate(self):
            yield node, self._network._attributes(id)

    def data(self, data: bool | str = True, default: Any = None) -> Iterator[Any]:
        """Every node with its attributes, or with the one of that name; without ``data`` the nodes alone."""
        if data is False:
            yield from self
            return
        for node, attributes in self.items():
            yield node, attributes if data is True else attributes.get(data, default)

    def __call__(self, data: bool | str = False, default: Any = None) -> Any:
        return self if data is False else list(self.data(data, default))


class Neighbors(Mapping[Any, Attributes]):
    """The neighbors of a node, each with the attributes of the link to it."""

    __slots__ = ("_found", "_network")

    def __init__(self, network: Network, id: int) -> None:
        found: dict[Any, Attributes] = {}
        for _, other, level in sorted(network._net.ports(id), key=lambda port: port[1]):
            link = found.setdefault(network._label(other), {"width": 0, "level": level})
            link["width"] += 1
            link["level"] = min(link["level"], level)
        self._found = found

    def __getitem__(self, node: Any) -> Attributes:
        try:
            return self._found[node]
        except KeyError:
            raise LinkKeyError(f"no link to {node!r}: there are links to {len(self)} nodes") from None

    def __contains__(self, node: object) -> bool:
        return node in self._found

    def __iter__(self) -> Iterator[Any]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

    def __repr__(self) -> str:
        return repr(self._found)


class Adjacency(Mapping[Any, Neighbors]):
    """The neighbors of every node, made when they are asked for.

    >>> import nestnet as nn
    >>> dict(nn.ring(4).adj[0])
    {1: {'width': 1, 'level': 0}, 3: {'width': 1, 'level': 0}}
    """

    __slots__ = ("_network",)

    def __init__(self, network: Network) -> None:
        self._network = network

    def __getitem__(self, node: Any) -> Neighbors:
        id = self._network._find(node)
        if id is None:
            is_text = isinstance(node, str) and self._network._labels is None
            more = ", and `labelled` calls nodes by their addresses" if is_text else ""
            raise NodeKeyError(f"no node {node!r}: `nodes` lists what there is{more}")
        return Neighbors(self._network, id)

    def __contains__(self, node: object) -> bool:
        return node in self._network

    def __iter__(self) -> Iterator[Any]:
        return iter(self._network)

    def __len__(self) -> int:
        return self._network.order

    def __repr__(self) -> str:
        return f"<neighbors of the {len(self)} nodes of {self._network.spec}>"


class Edges:
    """The links of a network as NetworkX lists edges, each once; ``edges(data=True)`` has their attributes too.

    >>> import nestnet as nn
    >>> g = nn.ring(3)
    >>> list(g.edges), (2, 0) in g.edges, g.edges[2, 0]
    ([(0, 1), (0, 2), (1, 2)], True, {'width': 1, 'level': 0})
    >>> list(g.edges(0, data="width"))
    [(0, 1, 1), (0, 2, 1)]
    """

    __slots__ = ("_network",)

    def __init__(self, network: Network) -> None:
        self._network = network

    def __len__(self) -> int:
        return self._network.links.count

    def __iter__(self) -> Iterator[tuple[Any, Any]]:
        return iter(self._network.links)

    def __contains__(self, edge: object) -> bool:
        if not isinstance(edge, (tuple, list)) or len(edge) < 2:
            return False
        return edge[0] in self._network and edge[1] in self._network.adj[edge[0]]

    def __getitem__(self, edge: tuple[Any, Any]) -> Attributes:
        one, other = edge
        return self._network.adj[one][other]

    def data(self, data: bool | str = True, default: Any = None) -> Iterator[Any]:
        """Every link with its attributes, or with the one of that name; without ``data`` its ends alone."""
        if data is False:
            yield from self
            return
        widths, levels = (found.tolist() for found in self._network.links._trunks())
        for (one, other), width, level in zip(self, widths, levels):
            link = {"width": width, "level": level}
            yield one, other, link if data is True else link.get(data, default)

    def __call__(self, nbunch: Any = None, data: bool | str = False, default: Any = None) -> Any:
        if nbunch is None:
            return self if data is False else list(self.data(data, default))
        network = self._network
        nodes = [nbunch] if nbunch in network else [node for node in nbunch if node in network]
        found, seen = [], set()
        for node in nodes:
            for other, link in network.adj[node].items():
                if other in seen:
                    continue
                more = link if data is True else link.get(data, default) if data else None
                found.append((node, other) if data is False else (node, other, more))
            seen.add(node)
        return found

    def __repr__(self) -> str:
        return f"<{len(self)} edges of {self._network.spec}>"
