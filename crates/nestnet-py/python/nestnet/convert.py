"""Graphs of other libraries as networks, which can be nested like any other, with the names of their nodes."""

from __future__ import annotations

import copyreg
import itertools
from collections.abc import Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _nestnet, families
from ._nestnet import Error
from .running import working
from .networks import Network

if TYPE_CHECKING:
    import networkx


def _texts(labels: Sequence[Hashable]) -> list[str]:
    """A text for every label, no two alike, and none that is the label of another node."""
    texts = [str(label) for label in labels]
    if len(set(texts)) < len(texts):
        texts = [repr(label) for label in labels]
    taken = {label: id for id, label in enumerate(labels) if isinstance(label, str)}
    seen: set[str] = set()
    for id, text in enumerate(texts):
        while text in seen or taken.get(text, id) != id:
            text = f"{text}#{id}"
        seen.add(text)
        texts[id] = text
    return texts


def _stored(
    order: int,
    sources: npt.NDArray[Any],
    targets: npt.NDArray[Any],
    labels: Sequence[Hashable] | None,
    texts: list[str] | None,
) -> Network:
    if order > 2**32:
        raise Error(f"{order} nodes are too many to store: at most 2^32")
    for ends in (sources, targets):
        if len(ends) and not (0 <= int(ends.min()) and int(ends.max()) < order):
            bad = int(ends.min()) if int(ends.min()) < 0 else int(ends.max())
            raise Error(f"no node {bad}: there are {order}")
    with working("graph") as job:
        net = _nestnet.stored(
            order,
            np.ascontiguousarray(sources, dtype=np.uint32),
            np.ascontiguousarray(targets, dtype=np.uint32),
            texts,
            job,
        )
    return Network(net, labels)


def _plain(labels: Sequence[Hashable]) -> bool:
    return all(type(label) is int and label == id for id, label in enumerate(labels))


def from_edges(
    edges: npt.ArrayLike | Iterable[tuple[Any, Any]],
    nodes: int | None = None,
    names: Sequence[Hashable] | None = None,
) -> Network:
    """A network from its links: an array with two columns of ids, and the labels of the nodes if there are any.

    A link that is listed several times in one direction has as many cables.

    >>> import nestnet as nn
    >>> g = nn.from_edges([(0, 1), (1, 2)], names=["a", "b", "c"])
    >>> nn.rdn(g, 1).address(0)
    '(0,a,a)'
    """
    listed = edges if isinstance(edges, np.ndarray) else list(edges)  # type: ignore[arg-type]
    array = np.asarray(listed)
    if array.size == 0:
        array = np.empty((0, 2), dtype=np.int64)
    if array.ndim != 2 or array.shape[1] != 2 or array.dtype.kind not in "iu":
        raise Error("expected links as an array with two columns of whole numbers")
    least = int(array.max()) + 1 if array.size else 0
    order = len(names) if names is not None else least if nodes is None else nodes
    if nodes is not None and nodes != order:
        raise Error(f"there are {nodes} nodes and {order} names")
    labels = None if names is None or _plain(names) else list(names)
    if labels is not None and None in labels:
        raise Error("names: None cannot be the label of a node")
    if labels is not None and len(set(labels)) < len(labels):
        raise Error("two nodes have the same name")
    texts = None if labels is None else _texts(labels)
    return _stored(order, array[:, 0], array[:, 1], labels, texts)


def from_scipy(matrix: Any, names: Sequence[Hashable] | None = None) -> Network:
    """A network from an adjacency matrix; every entry that is not zero is a link, whichever way it points.

    >>> import nestnet as nn
    >>> nn.from_scipy(nn.ring(5).to_scipy()).diameter
    2
    """
    import scipy.sparse

    entries = scipy.sparse.coo_array(matrix)
    if entries.shape[0] != entries.shape[1]:
        raise Error(f"expected a square matrix, not {entries.shape[0]} by {entries.shape[1]}")
    there = entries.data != 0
    rows, columns = entries.coords
    pattern = scipy.sparse.coo_array(
        (there[there], (rows[there], columns[there])), shape=entries.shape
    )
    # An entry may be stored in several parts, and is one link all the same.
    pattern.sum_duplicates()
    links = np.stack(pattern.coords, axis=1).astype(np.int64)
    return from_edges(links, entries.shape[0], names)


def _ends(graph: networkx.Graph[Any], labels: list[Any]) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Both ends of every link, each link twice, by the places of their labels."""
    # A view of a multigraph counts neighbors to which it shows no edge, so that `len` is more than there are.
    adjacent = [list(neighbors) for neighbors in graph._adj.values()]
    degrees = [len(neighbors) for neighbors in adjacent]
    sources = np.repeat(np.arange(len(labels), dtype=np.int64), degrees)
    ends: Iterable[int] = itertools.chain.from_iterable(adjacent)
    if not _plain(labels):
        place = {label: id for id, label in enumerate(labels)}
        ends = map(place.__getitem__, ends)
    return sources, np.fromiter(ends, dtype=np.int64, count=sum(degrees))


def from_networkx(graph: networkx.Graph[Any]) -> Network:
    """A network from an undirected graph of NetworkX; parallel links count once.

    Its nodes keep their labels, by which every method takes and gives them; ids are positions in the graph.

    >>> import networkx as nx, nestnet as nn
    >>> g = nn.from_networkx(nx.cycle_graph(["x", "y", "z"]))
    >>> g.neighbors("y"), g.id_of("y")
    (['x', 'z'], 1)
    >>> nn.rdn(g, 1).address(1)
    '(0,x,y)'
    """
    if graph.is_directed():
        raise Error("the graph is directed, and links go both ways: see its to_undirected()")
    labels = list(graph)
    sources, targets = _ends(graph, labels)
    plain = _plain(labels)
    texts = None if plain else _texts(labels)
    network = _stored(len(labels), sources, targets, None if plain else labels, texts)
    network.graph.update(graph.graph)
    return network


def _restored(
    links: npt.NDArray[Any], order: int, labels: list[Hashable] | None, attributes: dict[str, Any]
) -> Network:
    """A pickled graph."""
    network = from_edges(links, order, labels)
    network.graph.update(attributes)
    return network


def _reduced(network: Network) -> tuple[Any, ...]:
    """How a network is pickled: by its spec, or by its links where it is a graph in memory."""
    if network._labels is None and not network._net.stands_on:
        return families.network, (network.spec,)
    if len(network._net.stands_on) != 1 or not network.spec.startswith('file("graph:'):
        raise TypeError(f"{network.spec} is nested on a graph in memory and cannot be pickled")
    return _restored, (network.links._cables(), network.order, network._labels, network.graph)


copyreg.pickle(Network, _reduced)
