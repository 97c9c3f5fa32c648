"""Graphs of other libraries as networks, which can be nested like any other, with the names of their nodes."""

from __future__ import annotations

import copyreg
import itertools
import json
import operator
import os
import warnings
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _nestnet, families
from ._nestnet import Error, SpecError
from .errors import MissingFileError
from .running import working
from .networks import Network

if TYPE_CHECKING:
    import igraph
    import networkx
    import pandas


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


# How many hosts each node has, whether these are no nodes of the graph and hang at its nodes, and their names then.
Endpoints = tuple[npt.NDArray[np.uint32], bool, list[str]]


def _stored(
    order: int,
    sources: npt.NDArray[Any],
    targets: npt.NDArray[Any],
    labels: Sequence[Hashable] | None,
    texts: list[str] | None,
    levels: npt.NDArray[Any] | None = None,
    endpoints: Endpoints | None = None,
) -> Network:
    """A network from its cables; where not all nodes are hosts these come first."""
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
            None if levels is None else np.ascontiguousarray(levels, dtype=np.uint16),
            endpoints,
            job,
        )
    if endpoints is None:
        return Network(net, labels)
    counts, linked, _ = endpoints
    if linked:
        # Nodes that are called by their numbers are called by the new ones, since the hosts have the first.
        hosts = [net.address(id) for id in range(net.order - order)]
        return Network(net, None if labels is None else [*hosts, *labels])
    named = range(order) if labels is None else labels
    ordered = [named[id] for id in np.argsort(counts == 0, kind="stable").tolist()]
    return Network(net, None if _plain(ordered) else ordered)


def _plain(labels: Sequence[Hashable]) -> bool:
    return all(type(label) is int and label == id for id, label in enumerate(labels))


def _named_ends(
    rows: Sequence[Any], names: Sequence[Hashable] | None
) -> tuple[npt.NDArray[np.int64], Sequence[Hashable]] | None:
    """Links whose ends are called by name, by the places of their names; ``None`` where no end is a text."""
    pairs = [row for row in rows if isinstance(row, (tuple, list)) and len(row) == 2]
    if len(pairs) < len(rows) or not any(isinstance(end, str) for row in pairs for end in row):
        return None
    place: dict[Hashable, int] = {} if names is None else {name: at for at, name in enumerate(names)}
    ends = []
    for row in pairs:
        for end in row:
            try:
                if names is not None and end not in place:
                    raise Error(f"no node {end!r}: names does not have it")
                ends.append(place.setdefault(end, len(place)))
            except TypeError:
                raise Error(f"{end!r} cannot be the label of a node") from None
    return np.array(ends, dtype=np.int64).reshape(-1, 2), list(place)


def _checked(name: str, values: Any, count: int, least: int, most: int) -> npt.NDArray[np.int64]:
    """A whole number for each link."""
    array = np.asarray(values)
    if array.shape != (count,) or (count and array.dtype.kind not in "iu"):
        raise Error(f"{name}: expected a whole number for each of the {count} links")
    if count and not (least <= int(array.min()) and int(array.max()) <= most):
        bad = int(array.min()) if int(array.min()) < least else int(array.max())
        raise Error(f"{name}: expected whole numbers from {least} to {most}, not {bad}")
    return array.astype(np.int64)


def from_edges(
    edges: npt.ArrayLike | Iterable[tuple[Any, Any]],
    nodes: int | None = None,
    names: Sequence[Hashable] | None = None,
    *,
    widths: npt.ArrayLike | None = None,
    levels: npt.ArrayLike | None = None,
    hosts: Iterable[Hashable] | None = None,
) -> Network:
    """A network from its links: an array with two columns of ids, and the labels of the nodes if there are any.

    Where an end is a text, all ends are labels: those of ``names``, or in the order in which they come. A link that is
    listed several times in one direction has as many cables, and so has one with a width; levels are those of a hierarchy.
    Where ``hosts`` lists nodes, the others only switch, and ids of hosts come first. Ids up to the largest are nodes, also
    those that no link names: a warning says so unless ``nodes`` does.

    >>> import nestnet as nn
    >>> g = nn.from_edges([(0, 1), (1, 2)], names=["a", "b", "c"])
    >>> nn.rdn(g, 1).address(0)
    '(0,a,a)'
    >>> g = nn.from_edges([("leaf", "h1"), ("leaf", "h2"), ("leaf", "spine")], widths=[1, 1, 4], hosts=["h1", "h2"])
    >>> g.hosts, g.route("h1", "spine").path, g.info().cables
    (2, ('h1', 'leaf', 'spine'), 6)
    """
    listed = edges if isinstance(edges, np.ndarray) else list(edges)  # type: ignore[arg-type]
    found = _named_ends(listed.tolist() if isinstance(listed, np.ndarray) else listed, names)
    if found is not None:
        array, names = found
    else:
        array = np.asarray(listed)
    if array.size == 0:
        array = np.empty((0, 2), dtype=np.int64)
    if array.ndim != 2 or array.shape[1] != 2 or array.dtype.kind not in "iu":
        raise Error("expected links as an array with two columns of whole numbers, or of labels of which one is a text")
    least = int(array.max()) + 1 if array.size else 0
    order = len(names) if names is not None else least if nodes is None else nodes
    if nodes is not None and nodes != order:
        raise Error(f"there are {nodes} nodes and {order} names")
    if names is None and nodes is None and int(array.min(initial=0)) >= 0:
        lonely = order - len(np.unique(array))
        if lonely:
            warnings.warn(
                f"{lonely} of {order} nodes have no link, since ids up to the largest are nodes: "
                f"nodes={order} says that this is meant",
                stacklevel=2,
            )
    labels = None if names is None or _plain(names) else list(names)
    if labels is not None and None in labels:
        raise Error("names: None cannot be the label of a node")
    if labels is not None and len(set(labels)) < len(labels):
        raise Error("two nodes have the same name")
    texts = None if labels is None else _texts(labels)
    count = len(array)
    cables = np.ones(count, dtype=np.int64)
    if widths is not None:
        cables = _checked("widths", widths, count, 1, 2**32)
        # What is listed from both ends is listed from one.
        array = np.sort(array, axis=1)
    if int(cables.sum()) > 2**32:
        raise Error(f"widths: {int(cables.sum())} cables are too many to store: at most 2^32")
    kinds = None if levels is None else _checked("levels", levels, count, 0, 2**15)
    array = np.repeat(array, cables, axis=0)
    kinds = None if kinds is None or not kinds.any() else np.repeat(kinds, cables)
    endpoints: Endpoints | None = None
    if hosts is not None:
        endpoints = _marked(hosts, order, labels), False, []
    return _stored(order, array[:, 0], array[:, 1], labels, texts, kinds, endpoints)


def _marked(
    hosts: Iterable[Hashable], order: int, labels: Sequence[Hashable] | None
) -> npt.NDArray[np.uint32]:
    """Which nodes are hosts."""
    place = {label: id for id, label in enumerate(range(order) if labels is None else labels)}
    marks = np.zeros(order, dtype=np.uint32)
    for host in hosts:
        if host not in place:
            raise Error(f"hosts: no node {host!r}")
        marks[place[host]] = 1
    return marks


def from_pandas(
    frame: pandas.DataFrame,
    source: str = "source",
    target: str = "target",
    *,
    width: str | None = "width",
    level: str | None = "level",
    hosts: Iterable[Hashable] | None = None,
) -> Network:
    """A network from a table of links: a row a link, with both ends, and columns ``width`` and ``level`` if there are any.

    Ends are labels. Whole numbers are labels in their order, so that 0, 1, 2 and so on are ids; others are in the order
    in which they come.

    >>> import nestnet as nn, pandas
    >>> table = pandas.DataFrame({"source": ["a", "b"], "target": ["b", "c"], "width": [2, 1]})
    >>> g = nn.from_pandas(table)
    >>> g.names, g.info().cables
    (['a', 'b', 'c'], 3)
    """
    for column in (source, target):
        if column not in frame:
            there = ", ".join(map(str, frame.columns))
            raise Error(f"there is no column {column!r}: there are {there}")
    ends = list(zip(frame[source].tolist(), frame[target].tolist()))
    labels: Sequence[Hashable] = list(dict.fromkeys(itertools.chain.from_iterable(ends)))
    if any(label is None or label != label for label in labels):
        raise Error(f"columns {source!r} and {target!r}: an end of a link is missing")
    if all(type(label) is int for label in labels):
        labels = sorted(labels)  # type: ignore[type-var]
    place = {label: id for id, label in enumerate(labels)}
    links = np.array([(place[a], place[b]) for a, b in ends], dtype=np.int64).reshape(-1, 2)
    numbers = [frame[key].to_numpy() if key is not None and key in frame else None for key in (width, level)]
    return from_edges(links, names=labels, widths=numbers[0], levels=numbers[1], hosts=hosts)


def from_igraph(
    graph: igraph.Graph, *, width: str | None = "width", level: str | None = "level"
) -> Network:
    """A network from an undirected graph of igraph, with what `Network.to_igraph` writes.

    Labels are the vertex attribute ``name``, where there is one; attributes of vertices and edges are those of
    `from_networkx`.

    >>> import igraph, nestnet as nn
    >>> nn.from_igraph(igraph.Graph.Famous("Petersen")).diameter
    2
    >>> nn.from_igraph(nn.fat_tree(4).to_igraph()).hosts
    16
    """
    if graph.is_directed():
        raise Error("the graph is directed, and links go both ways: see its as_undirected()")
    count = graph.vcount()
    labels: list[Any] = graph.vs["name"] if "name" in graph.vs.attributes() else list(range(count))
    if None in labels or len(set(labels)) < count:
        raise Error("name: two vertices have the same name, or one has none")
    rows = [
        (edge.source, edge.target, edge.attributes()) for edge in graph.es
    ]
    keys = [key for key in ("role", "endpoints", "address", "host_addresses") if key in graph.vs.attributes()]
    columns = [graph.vs[key] for key in keys]
    nodes = [dict(zip(keys, values)) for values in zip(*columns)] if keys else [{}] * count
    hosts = graph["hosts"] if "hosts" in graph.attributes() else None
    return _whole_graph(labels, rows, nodes, hosts, width, level)


def from_file(
    path: str | os.PathLike[str], format: str | None = None, *, nodes: int | None = None
) -> Network:
    """A network from a file of any format that ``nestnet import`` reads, whose nodes are called as in the file.

    The same network with ids for nodes is ``nn.file(path)``. Where there is no such file the error is an `nn.SpecError`
    and a `FileNotFoundError`.

    >>> import nestnet as nn, pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "cities.csv")
    ...     _ = path.write_text("Bern,Basel\\nBern,Chur\\n")
    ...     nn.from_file(path).route("Basel", "Chur").path, nn.file(str(path)).route(1, 2).path
    (('Basel', 'Bern', 'Chur'), (1, 0, 2))
    """
    try:
        network = families.file(os.fspath(path), nodes, format)
    except SpecError as error:
        if os.path.exists(path):
            raise
        raise MissingFileError(str(error)) from None
    texts = [network._net.address(id) for id in network.ids]
    if _numbers(texts):
        return network
    # A file that counts from 1 has numbers.
    is_number = all(text.isdecimal() and str(int(text)) == text for text in texts)
    return Network(network._net, [int(text) for text in texts] if is_number else texts)


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


def _edges_of(graph: networkx.Graph[Any], place: Mapping[Any, int]) -> Iterator[tuple[int, int, Any]]:
    """Every edge once, the lower place first, with its attributes."""
    several = graph.is_multigraph()
    for label, neighbors in graph._adj.items():
        one = place[label]
        for other, found in neighbors.items():
            if place[other] >= one:
                for data in found.values() if several else (found,):
                    yield one, place[other], data


def _whole_graph(
    labels: list[Any],
    rows: Iterable[tuple[int, int, Any]],
    nodes: Sequence[Mapping[str, Any]],
    are: Any,
    width: str | None,
    level: str | None,
) -> Network:
    """A network from edges with attributes and from the attributes of all nodes; ``are`` says what hosts are."""
    sources: list[int] = []
    targets: list[int] = []
    widths: list[int] = []
    levels: list[int] = []
    for one, other, data in rows:
        sources.append(min(one, other))
        targets.append(max(one, other))
        link = labels[one], labels[other]
        widths.append(_whole(data, width, link, 1, 2**32))
        levels.append(_whole(data, level, link, 0, 2**15))
    if sum(widths) > 2**32:
        raise Error(f"{width}: {sum(widths)} cables are too many to store: at most 2^32")
    ends = np.array([sources, targets, levels], dtype=np.int64).reshape(3, -1)
    ends = np.repeat(ends, np.array(widths, dtype=np.int64), axis=1)
    plain = _plain(labels)
    texts = _addresses(nodes, labels)
    if texts is None and not plain:
        texts = _texts(labels)
    return _stored(
        len(labels),
        ends[0],
        ends[1],
        None if plain else labels,
        texts,
        ends[2] if ends[2].any() else None,
        _hosts(nodes, labels, are),
    )


def _whole(data: Any, key: str | None, link: tuple[Any, Any], least: int, most: int) -> int:
    """An attribute of a link that is a whole number; the least one where the link does not have it."""
    value = None if key is None else data.get(key)
    if value is None:
        return least
    try:
        number = operator.index(value)
    except TypeError:
        number = least - 1
    if isinstance(value, (bool, np.bool_)) or not least <= number <= most:
        raise Error(
            f"{key} of the link {link}: expected a whole number from {least} to {most}, not {value!r}"
        )
    return number


def _hosts(
    nodes: Sequence[Mapping[str, Any]], labels: list[Any], are: Any
) -> Endpoints | None:
    """Which nodes are hosts, by ``role`` or by ``endpoints``; ``None`` where all are."""
    if any(data.get("role") == "host" for data in nodes):
        marks = [int(data.get("role") == "host") for data in nodes]
        return None if all(marks) else (np.array(marks, dtype=np.uint32), False, [])
    if not any("endpoints" in data for data in nodes):
        return None
    counts = []
    for label, data in zip(labels, nodes):
        count = data.get("endpoints", 0)
        if isinstance(count, (bool, np.bool_)) or not hasattr(count, "__index__") or not 0 <= count < 2**32:
            raise Error(f"endpoints of the node {label!r}: expected a whole number, not {count!r}")
        counts.append(operator.index(count))
    if are != "linked" and all(count == 1 for count in counts):
        return None
    names = [_parsed(data.get("host_addresses", ())) for data in nodes]
    texts = [name for own in names if not isinstance(own, str) for name in own]
    if any(not isinstance(text, str) for text in texts) or len(texts) != sum(counts):
        texts = []
    return np.array(counts, dtype=np.uint32), are != "nodes", texts


def _parsed(names: Any) -> Any:
    """A list that a file of GraphML has as a text is that list."""
    if not isinstance(names, str):
        return names
    try:
        found = json.loads(names)
    except ValueError:
        return ()
    return found if isinstance(found, list) else ()


def _addresses(nodes: Sequence[Mapping[str, Any]], labels: list[Any]) -> list[str] | None:
    """The addresses that all nodes have as an attribute, where they distinguish nodes and are no labels of others."""
    texts = [text for text in (data.get("address") for data in nodes) if isinstance(text, str) and text]
    if len(texts) < len(labels) or len(set(texts)) < len(texts):
        return None
    taken = {label: id for id, label in enumerate(labels) if isinstance(label, str)}
    if any(taken.get(text, id) != id for id, text in enumerate(texts)):
        return None
    return None if _numbers(texts) else texts


def _numbers(texts: Sequence[str]) -> bool:
    return all(text == str(id) for id, text in enumerate(texts))


def from_networkx(
    graph: networkx.Graph[Any], *, width: str | None = "width", level: str | None = "level"
) -> Network:
    """A network from an undirected graph of NetworkX, with what `Network.to_networkx` writes.

    Parallel links are cables of one link, and so are those that its attribute ``width`` counts; ``level`` is the level of
    a link. Nodes with the attribute ``role="host"``, or with ``endpoints`` above 0 as in files, are hosts; where no node
    has either, all are. Of these attributes the first two may be called otherwise, or ``None`` to leave them out. Other
    attributes of nodes and links are not kept.

    Nodes keep their labels, by which every method takes and gives them; ids are positions in the graph, those of hosts
    before those of switches.

    >>> import networkx as nx, nestnet as nn
    >>> g = nn.from_networkx(nx.cycle_graph(["x", "y", "z"]))
    >>> g.neighbors("y"), g.id_of("y")
    (['x', 'z'], 1)
    >>> nn.rdn(g, 1).address(1)
    '(0,x,y)'
    >>> nn.from_networkx(nn.fat_tree(4).to_networkx()).hosts
    16
    """
    if graph.is_directed():
        raise Error("the graph is directed, and links go both ways: see its to_undirected()")
    labels = list(graph)
    edges = _edges_of(graph, {label: id for id, label in enumerate(labels)})
    nodes = [graph.nodes[label] for label in labels]
    network = _whole_graph(labels, edges, nodes, graph.graph.get("hosts"), width, level)
    network.graph.update(graph.graph)
    if network.graph.get("hosts") in ("nodes", "linked"):
        del network.graph["hosts"]
    return network


def _restored(
    links: npt.NDArray[Any],
    order: int,
    labels: list[Hashable] | None,
    attributes: dict[str, Any],
    texts: list[str] | None = None,
    levels: npt.NDArray[Any] | None = None,
    hosts: int | None = None,
) -> Network:
    """A pickled graph."""
    endpoints: Endpoints | None = None
    if hosts is not None:
        endpoints = (np.arange(order) < hosts).astype(np.uint32), False, []
    network = _stored(order, links[:, 0], links[:, 1], labels, texts, levels, endpoints)
    network.graph.update(attributes)
    return network


def _relabelled(spec: str, labels: list[Hashable], attributes: dict[str, Any]) -> Network:
    """A pickled network from a spec whose nodes have labels."""
    network = Network(families.network(spec)._net, labels)
    network.graph.update(attributes)
    return network


def _reduced(network: Network) -> tuple[Any, ...]:
    """How a network is pickled: by its spec, or by its links where it is a graph in memory."""
    if not network._net.stands_on:
        if network._labels is None:
            return families.network, (network.spec,)
        return _relabelled, (network.spec, network._labels, network.graph)
    if len(network._net.stands_on) != 1 or not network.spec.startswith('file("graph:'):
        raise TypeError(f"{network.spec} is nested on a graph in memory and cannot be pickled")
    order = network.order
    texts = [network._net.address(id) for id in network.ids]
    links, levels = network.links._cables(), np.repeat(network.links.levels(), network.links.widths())
    return _restored, (
        links,
        order,
        network._labels,
        network.graph,
        None if _numbers(texts) else texts,
        levels if levels.any() else None,
        None if network.hosts == order else network.hosts,
    )


copyreg.pickle(Network, _reduced)
