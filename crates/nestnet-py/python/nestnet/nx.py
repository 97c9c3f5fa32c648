"""Nestnet under NetworkX: ``nx.diameter(g)`` of our networks, ``nx.diameter(G, backend="nestnet")`` of any graph.

Answers, exceptions and corner cases are those of NetworkX; arguments that we do not serve (weights, directed graphs,
samples) are refused by `can_run`, so that NetworkX does them itself where it may.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from . import _nestnet
from .networks import Network
from .results import Bounded, Histogram, Missing
from .running import limits, quick, working

# NetworkX imports this file while it is itself imported, so that its names are looked up when they are needed.


def _networkx() -> Any:
    import networkx

    return networkx


def info() -> dict[str, Any]:
    """What NetworkX wants to know of us."""
    return {
        "backend_name": "nestnet",
        "project": "nestnet",
        "package": "nestnet",
        "short_summary": "Exact measures of graphs by theorem, symmetry or parallel search.",
        "functions": {
            name: {"additional_docs": "Unweighted, undirected graphs.", "additional_parameters": {}}
            for name in FUNCTIONS
        },
    }


def _answer(graph: Network, key: str) -> Any:
    """One exact measure, or an error that says why there is none."""
    found = graph.measure(key).values.get(key)
    if isinstance(found, Bounded) and not found.exact and graph._net.has_ids:
        # A search would tell, and was refused as too long or too large.
        bounds = f"between {found.low} and {found.high}, by {found.how}"
        raise _nestnet.LimitError(f"{key}: {bounds}; larger limits may give the exact value")
    return graph._value(key)


def _find(graph: Network, node: Any) -> int | None:
    """The id of a node; what equals a node is that node, as in NetworkX: 1.0 and True are 1."""
    if graph._labels is not None:
        return graph._equal(node)
    if isinstance(node, (bool, np.bool_, float, np.floating)):
        node = int(node) if math.isfinite(node) and int(node) == node else None
    return graph._find(node)


def _place(graph: Network, node: Any, what: str) -> int:
    """The id of a node that must be there."""
    hash(node)
    id = _find(graph, node)
    if id is None:
        raise _networkx().NodeNotFound(f"{what} {node} is not in G")
    return id


def _order(graph: Network) -> int:
    return graph.order


def _not_connected() -> Exception:
    return _networkx().NetworkXError(  # type: ignore[no-any-return]
        "Found infinite path length because the graph is not connected"
    )


def _eccentricities(graph: Network) -> list[int]:
    with working("eccentricity") as job:
        found = _nestnet.eccentricities(graph._net, job)
    if found is None:
        raise _not_connected()
    values: list[int] = found.tolist()
    return values


def is_connected(G: Network) -> bool:
    if _order(G) == 0:
        raise _networkx().NetworkXPointlessConcept(
            "Connectivity is undefined for the null graph."
        )
    return G.connected


def number_connected_components(G: Network) -> int:
    if _order(G) == 0:
        return 0
    if G.connected:
        return 1
    with working("components") as job:
        return int(_nestnet.components(G._net, job).max()) + 1


def connected_components(G: Network) -> Iterator[set[Any]]:
    if _order(G) == 0:
        return
    with working("components") as job:
        of = _nestnet.components(G._net, job)
    places = np.argsort(of, kind="stable")
    ends = np.flatnonzero(np.diff(of[places])) + 1
    for part in np.split(places, ends):
        yield {G._label(id) for id in part.tolist()}


def is_bipartite(G: Network) -> bool:
    if _order(G) == 0:
        return True
    return bool(_answer(G, "bipartite"))


def girth(G: Network) -> float:
    if _order(G) == 0:
        return math.inf
    found = G.measure("girth").values.get("girth")
    if isinstance(found, Missing) and found.reason == "acyclic":
        return math.inf
    return int(_answer(G, "girth"))


def eccentricity(G: Network, v: Any = None, sp: Any = None, weight: Any = None) -> Any:
    if v is None:
        if _order(G) == 0:
            return {}
        return dict(zip(G, _eccentricities(G)))
    found = G._bfs(_place(G, v, "Node"))
    if found.min() < 0:
        raise _not_connected()
    return int(found.max())


def diameter(G: Network, e: Any = None, usebounds: bool = False, weight: Any = None) -> int:
    if _order(G) == 0:
        return max({}.values())
    if not G.connected:
        raise _not_connected()
    if _order(G) == 1:
        return 0
    return int(_answer(G, "diameter"))


def radius(G: Network, e: Any = None, usebounds: bool = False, weight: Any = None) -> int:
    if _order(G) == 0:
        return min({}.values())
    if not G.connected:
        raise _not_connected()
    if _order(G) == 1:
        return 0
    return int(_answer(G, "radius"))


def periphery(G: Network, e: Any = None, usebounds: bool = False, weight: Any = None) -> list[Any]:
    found = eccentricity(G)
    most = max(found.values())
    return [node for node, value in found.items() if value == most]


def center(G: Network, e: Any = None, usebounds: bool = False, weight: Any = None) -> list[Any]:
    if _order(G) == 0:
        raise _networkx().NetworkXPointlessConcept("G has no nodes.")
    found = eccentricity(G)
    least = min(found.values())
    return [node for node, value in found.items() if value == least]


def _from(G: Network, id: int, cutoff: float | None) -> dict[Any, int]:
    """Distances by name, the nearest first."""
    found = G._bfs(id)
    order = np.argsort(found, kind="stable")
    order = order[int(np.count_nonzero(found < 0)) :]
    distances = found[order]
    if cutoff is not None:
        # A level is entered as long as the one before it is below the cutoff.
        keep = (distances == 0) | (distances - 1 < cutoff)
        order, distances = order[keep], distances[keep]
    ids = order.tolist()
    if G._labels is not None:
        labels = G._labels
        return dict(zip([labels[id] for id in ids], distances.tolist()))
    return dict(zip(ids, distances.tolist()))


def single_source_shortest_path_length(
    G: Network, source: Any, cutoff: float | None = None
) -> dict[Any, int]:
    return _from(G, _place(G, source, "Source"), cutoff)


def single_target_shortest_path_length(
    G: Network, target: Any, cutoff: float | None = None
) -> dict[Any, int]:
    return _from(G, _place(G, target, "Target"), cutoff)


def all_pairs_shortest_path_length(
    G: Network, cutoff: float | None = None
) -> Iterator[tuple[Any, dict[Any, int]]]:
    for id, name in enumerate(G):
        yield name, _from(G, id, cutoff)


def shortest_path_length(
    G: Network,
    source: Any = None,
    target: Any = None,
    weight: Any = None,
    method: str = "dijkstra",
) -> Any:
    if method not in ("dijkstra", "bellman-ford"):
        raise ValueError(f"method not supported: {method}")
    if source is None and target is None:
        return all_pairs_shortest_path_length(G)
    if source is None:
        return single_source_shortest_path_length(G, target)
    if target is None:
        return single_source_shortest_path_length(G, source)
    ends = _place(G, source, "Source"), _place(G, target, "Target")
    found = G._net.distance(*ends, quick())
    if found is None:
        raise _networkx().NetworkXNoPath(f"No path between {source} and {target}.")
    return found


def _total(G: Network) -> int:
    """The sum of the distances of all ordered pairs, of a connected graph."""
    found = _answer(G, "distance_histogram")
    assert isinstance(found, Histogram)
    return sum(distance * count for distance, count in enumerate(found.counts))


def average_shortest_path_length(G: Network, weight: Any = None, method: Any = None) -> float:
    n = _order(G)
    if n == 0:
        raise _networkx().NetworkXPointlessConcept(
            "the null graph has no paths, thus there is no average shortest path length"
        )
    if n == 1:
        return 0
    if not G.connected:
        raise _networkx().NetworkXError("Graph is not connected.")
    return _total(G) / (n * (n - 1))


def wiener_index(G: Network, weight: Any = None) -> float:
    if not is_connected(G):
        return math.inf
    if _order(G) == 1:
        return 0.0
    return _total(G) / 2


def edge_betweenness_centrality(
    G: Network, k: Any = None, normalized: bool = True, weight: Any = None, seed: Any = None
) -> dict[tuple[Any, Any], float]:
    n = _order(G)
    if n == 0 or G._net.links == 0:
        return {}
    sources, targets, loads = G._channel_loads()
    # Channels are in the order of their ends, so that a sort by the other end pairs both directions.
    back = loads[np.lexsort((sources, targets))]
    keep = sources < targets
    both = (loads + back)[keep] * (1 / (n * (n - 1)) if normalized else 0.5)
    left, right = sources[keep].tolist(), targets[keep].tolist()
    names = [(G._label(a), G._label(b)) for a, b in zip(left, right)]
    return dict(zip(names, both.tolist()))


def node_connectivity(G: Network, s: Any = None, t: Any = None, flow_func: Any = None) -> int:
    if not is_connected(G):
        return 0
    return int(_answer(G, "vertex_connectivity")) if _order(G) > 1 else 0


def edge_connectivity(
    G: Network, s: Any = None, t: Any = None, flow_func: Any = None, cutoff: Any = None
) -> int:
    if not is_connected(G):
        return 0
    return int(_answer(G, "edge_connectivity")) if _order(G) > 1 else 0


# What each function does not serve: arguments that must be left as they are, loops, and parallel links.
_ALONE = frozenset({"e", "sp", "weight", "k", "s", "t", "flow_func"})

FUNCTIONS: dict[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (
        all_pairs_shortest_path_length,
        average_shortest_path_length,
        center,
        connected_components,
        diameter,
        eccentricity,
        edge_betweenness_centrality,
        edge_connectivity,
        girth,
        is_bipartite,
        is_connected,
        node_connectivity,
        number_connected_components,
        periphery,
        radius,
        shortest_path_length,
        single_source_shortest_path_length,
        single_target_shortest_path_length,
        wiener_index,
    )
}

# Where a loop or a parallel link changes the answer.
_SIMPLE = frozenset(
    {
        "edge_betweenness_centrality",
        "edge_connectivity",
        "girth",
        "is_bipartite",
        "node_connectivity",
    }
)

# Where a graph is searched from every node, so that it is worth to convert it.
_ALL_PAIRS = frozenset(
    {
        "all_pairs_shortest_path_length",
        "average_shortest_path_length",
        "center",
        "diameter",
        "eccentricity",
        "edge_betweenness_centrality",
        "edge_connectivity",
        "girth",
        "node_connectivity",
        "periphery",
        "radius",
        "wiener_index",
    }
)


_SIGNATURES = {name: inspect.signature(function) for name, function in FUNCTIONS.items()}


def _arguments(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any] | None:
    try:
        bound = _SIGNATURES[name].bind(*args, **kwargs)
    except TypeError:
        return None
    bound.apply_defaults()
    return dict(bound.arguments)


class Dispatcher:
    """What NetworkX calls."""

    @staticmethod
    def convert_from_nx(graph: Any, *_: Any, **__: Any) -> Network:
        """Our copy of a graph: its links without weights, loops and parallels, and its names."""
        from .convert import _ends, _plain, _stored

        if isinstance(graph, Network):
            return graph
        if graph.is_directed():
            raise NotImplementedError("nestnet does not take directed graphs")
        labels = list(graph)
        sources, targets = _ends(graph, labels)
        keep = sources < targets
        plain = _plain(labels)
        # A graph that could not be converted is never tried again by NetworkX, even where limits are raised. What is
        # stored here is a small part of what the graph takes already; the functions keep to the limits.
        with limits(max_time=math.inf, max_memory=2**64 - 1):
            network = _stored(
                len(labels), sources[keep], targets[keep], None if plain else labels, None
            )
        network.graph.update(graph.graph)
        return network

    @staticmethod
    def convert_to_nx(result: Any, *_: Any, **__: Any) -> Any:
        """A graph of NetworkX; anything else as it is."""
        return result.to_networkx() if isinstance(result, Network) else result

    @staticmethod
    def can_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
        """Whether these arguments are served, or why they are not."""
        given = _arguments(name, args, kwargs)
        if given is None:
            return "the arguments are not those of the function"
        graph = given["G"]
        for key in _ALONE & given.keys():
            if given[key] is not None:
                return f"`{key}` is not served"
        if name == "edge_connectivity" and given["cutoff"] is not None:
            return "`cutoff` is not served"
        if name == "average_shortest_path_length" and given["method"] not in (None, "unweighted"):
            return "only searches without weights are served"
        if name in ("center", "periphery") and given["usebounds"]:
            return "`usebounds` is not served: it gives another order"
        if isinstance(graph, Network):
            return True if name != "eccentricity" else _is_node(graph, given["v"])
        if not hasattr(graph, "_adj") or graph.is_directed():
            return "only undirected graphs are served"
        if name in _SIMPLE:
            if graph.is_multigraph():
                return "parallel links are not served"
            if any(node in neighbors for node, neighbors in graph._adj.items()):
                return "loops are not served"
        if name == "center" and len(graph) and graph.number_of_edges() == len(graph) - 1:
            return "the center of a tree has another order"
        return True if name != "eccentricity" else _is_node(graph, given["v"])

    @staticmethod
    def should_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
        """Whether it is worth to convert a graph."""
        given = _arguments(name, args, kwargs)
        graph = None if given is None else given["G"]
        if isinstance(graph, Network) or name in _ALL_PAIRS:
            return True
        return "to convert a graph takes as long as one search"


def _is_node(graph: Any, v: Any) -> bool | str:
    try:
        there = _find(graph, v) is not None if isinstance(graph, Network) else v in graph
        return True if v is None or there else "`v` must be one node or none"
    except TypeError:
        return "`v` must be one node or none"


for _name, _function in FUNCTIONS.items():
    setattr(Dispatcher, _name, staticmethod(_function))
