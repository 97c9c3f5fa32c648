"""How long do other libraries take for one job? Prints one JSON object; `cargo xtask bench measure` reads it.

usage: peers.py PEER JOB LINKS NODES SOURCES SECONDS

LINKS is a file of 32-bit pairs, each link once. SOURCES is how many nodes a sampled job searches from. A job is
repeated until SECONDS have passed or it was done 20 times, and the least time counts. The job `search` is building
and one search; for the others the graph is built before the clock starts.
"""

import importlib
import importlib.metadata
import json
import sys
import time

import numpy as np


def evenly(nodes, count):
    """The sources of a sampled job; ours are the same."""
    return [i * nodes // count for i in range(count)]


def counted(distances):
    return np.bincount(np.asarray(distances, dtype=np.int64)).tolist()


# SciPy: sparse matrices.


def scipy_graph(links, nodes):
    from scipy.sparse import coo_array

    ends = (np.concatenate((links[:, 0], links[:, 1])), np.concatenate((links[:, 1], links[:, 0])))
    return coo_array((np.ones(len(ends[0])), ends), shape=(nodes, nodes)).tocsr()


def scipy_order(graph, source):
    from scipy.sparse.csgraph import breadth_first_order

    return breadth_first_order(graph, source, directed=True, return_predecessors=True)


def scipy_levels(found):
    """Level sizes from the order of a search: those before a node come in ascending order too."""
    order, before = found
    place = np.empty(len(before), dtype=np.int64)
    place[order] = np.arange(len(order))
    parents = place[before[order[1:]]]
    sizes, end = [1], 1
    while end < len(order):
        then = 1 + int(np.searchsorted(parents, end))
        sizes.append(then - end)
        end = then
    return sizes


def scipy_histogram(graph, sources):
    total = np.zeros(1, dtype=np.int64)
    for source in sources:
        sizes = scipy_levels(scipy_order(graph, source))
        total = np.pad(total, (0, max(0, len(sizes) - len(total))))
        total[: len(sizes)] += sizes
    return total.tolist()


def distance_sum(histogram):
    return [sum(distance * count for distance, count in enumerate(histogram))]


# igraph.


def igraph_graph(links, nodes):
    import igraph

    return igraph.Graph(n=nodes, edges=links)


def igraph_histogram(histogram, nodes):
    return [nodes] + [2 * int(count) for _, _, count in histogram.bins()]


# NetworKit.


def networkit_ends(links, _):
    """It takes contiguous 64-bit numbers only, and crashes on others."""
    return links[:, 0].astype(np.int64), links[:, 1].astype(np.int64)


def networkit_from(ends, nodes):
    import networkit

    networkit.setNumberOfThreads(1)
    return networkit.GraphFromCoo(ends, n=nodes, weighted=False, directed=False)


def networkit_graph(links, nodes):
    return networkit_from(networkit_ends(links, nodes), nodes)


def networkit_search(graph):
    import networkit

    search = networkit.distance.BFS(graph, 0, storePaths=False)
    search.run()
    return search


def networkit_rows(graph, sources):
    import networkit

    search = networkit.distance.SPSP(graph, sources)
    search.run()
    return counted(search.getDistances(asarray=True).ravel())


def networkit_betweenness(graph):
    import networkit

    centrality = networkit.centrality.Betweenness(graph, computeEdgeCentrality=True)
    centrality.run()
    return centrality.edgeScores()


def networkit_indexed(links, nodes):
    graph = networkit_graph(links, nodes)
    graph.indexEdges()
    return graph


# rustworkx.


def rustworkx_graph(links, nodes):
    import rustworkx

    graph = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(nodes))
    graph.extend_from_edge_list([(int(a), int(b)) for a, b in links])
    return graph


def rustworkx_call(name, **options):
    return lambda graph: getattr(importlib.import_module("rustworkx"), name)(graph, **options)


# NetworkX.


def networkx_graph(links, nodes):
    import networkx

    graph = networkx.Graph()
    graph.add_nodes_from(range(nodes))
    graph.add_edges_from(links.tolist())
    return graph


def networkx_histogram(graph):
    import networkx

    counts = {}
    for source in graph:
        for distance in networkx.single_source_shortest_path_length(graph, source).values():
            counts[distance] = counts.get(distance, 0) + 1
    return [counts[distance] for distance in range(len(counts))]


def networkx_call(name, **options):
    return lambda graph: getattr(importlib.import_module("networkx"), name)(graph, **options)


# nauty and METIS, by their bindings.


def neighbor_lists(links, nodes):
    graph = scipy_graph(links, nodes)
    return [row.tolist() for row in np.split(graph.indices, graph.indptr[1:-1])]


def nauty_graph(links, nodes):
    import pynauty

    neighbors = dict(enumerate(neighbor_lists(links, nodes)))
    return pynauty.Graph(nodes, adjacency_dict=neighbors)


def nauty_group(graph):
    import pynauty

    return pynauty.autgrp(graph)


def nauty_size(found):
    _, mantissa, exponent, _, classes = found
    return [float(np.log10(mantissa) + exponent), classes]


METIS_SEEDS = 96


def metis_cuts(neighbors):
    """All bisections that differ by at most one node: how many links each cuts."""
    import pymetis

    cuts = []
    for seed in range(METIS_SEEDS):
        options = pymetis.Options(seed=seed, ufactor=1)
        links, side = pymetis.part_graph(2, adjacency=neighbors, recursive=True, options=options)
        if abs(2 * sum(side) - len(side)) <= 1:
            cuts.append(links)
    return cuts


# Eigenvalues.


def laplacian(links, nodes):
    from scipy.sparse.csgraph import laplacian

    return laplacian(scipy_graph(links, nodes))


def second_least(matrix):
    from scipy.sparse.linalg import eigsh

    # With a tolerance it stops before it has seen the least ones: of `rdn(ring(5), 2)` it misses zero.
    return float(sorted(eigsh(matrix, k=2, which="SA", return_eigenvectors=False))[1])


def as_loads(values, factor=1.0):
    """The largest and the sum, of unordered pairs."""
    values = np.asarray(list(values)) * factor
    return [float(values.max()), float(values.sum())]


# For each job and peer: what happens before the clock starts, what is timed, and the answer in our terms.
def jobs(nodes, sources):
    some = evenly(nodes, sources)
    given = lambda links, _: links
    same = lambda found: found
    alone = lambda value: [value]
    matrix = {"parallel_threshold": 1 << 40}
    return {
        ("search", "scipy"): (given, lambda l: scipy_order(scipy_graph(l, nodes), 0), scipy_levels),
        ("search", "igraph"): (
            given,
            lambda l: igraph_graph(l, nodes).bfs(0)[1],
            lambda starts: np.diff(starts).tolist(),
        ),
        ("search", "networkit"): (
            networkit_ends,
            lambda ends: networkit_search(networkit_from(ends, nodes)),
            lambda search: counted(search.getDistances()),
        ),
        ("histogram", "scipy"): (scipy_graph, lambda g: scipy_histogram(g, range(nodes)), same),
        ("histogram", "igraph"): (
            igraph_graph,
            lambda g: g.path_length_hist(directed=False),
            lambda histogram: igraph_histogram(histogram, nodes),
        ),
        ("histogram", "networkit"): (networkit_graph, lambda g: networkit_rows(g, range(nodes)), same),
        ("histogram", "rustworkx"): (
            rustworkx_graph,
            rustworkx_call("distance_matrix", **matrix),
            lambda rows: counted(rows.ravel()),
        ),
        ("histogram", "networkx"): (networkx_graph, networkx_histogram, same),
        ("sampled", "scipy"): (scipy_graph, lambda g: scipy_histogram(g, some), distance_sum),
        # Closeness is a search that sums the distances; no row of distances is handed over.
        ("sampled", "igraph"): (
            igraph_graph,
            lambda g: g.closeness(vertices=some),
            lambda found: [sum(round((nodes - 1) / value) for value in found)],
        ),
        ("sampled", "networkit"): (networkit_graph, lambda g: networkit_rows(g, some), distance_sum),
        ("betweenness", "igraph"): (
            igraph_graph,
            lambda g: g.edge_betweenness(directed=False),
            as_loads,
        ),
        # It counts ordered pairs.
        ("betweenness", "networkit"): (
            networkit_indexed,
            networkit_betweenness,
            lambda found: as_loads(found, 0.5),
        ),
        ("betweenness", "rustworkx"): (
            rustworkx_graph,
            rustworkx_call("edge_betweenness_centrality", normalized=False, **matrix),
            lambda found: as_loads(found.values()),
        ),
        ("betweenness", "networkx"): (
            networkx_graph,
            networkx_call("edge_betweenness_centrality", normalized=False),
            lambda found: as_loads(found.values()),
        ),
        ("links", "igraph"): (igraph_graph, lambda g: g.edge_connectivity(), alone),
        ("links", "rustworkx"): (
            rustworkx_graph,
            rustworkx_call("stoer_wagner_min_cut"),
            lambda found: [found[0]],
        ),
        ("links", "networkx"): (networkx_graph, networkx_call("edge_connectivity"), alone),
        ("nodes", "igraph"): (igraph_graph, lambda g: g.vertex_connectivity(), alone),
        ("nodes", "networkx"): (networkx_graph, networkx_call("node_connectivity"), alone),
        ("automorphisms", "pynauty"): (nauty_graph, nauty_group, nauty_size),
        ("eigenvalue", "scipy"): (laplacian, second_least, alone),
        ("cut", "pymetis"): (neighbor_lists, metis_cuts, lambda cuts: [min(cuts)]),
    }


def peak():
    """Bytes of memory at the highest point of this process."""
    try:
        with open("/proc/self/status") as status:
            lines = [line.split() for line in status if line.startswith("VmHWM")]
            return int(lines[0][1]) * 1024
    except (OSError, IndexError):
        return None


def measure(peer, job, file, nodes, sources, seconds):
    before, timed, answer = jobs(nodes, sources)[(job, peer)]
    importlib.import_module(peer)
    version = importlib.metadata.version(peer)
    if peer == "scipy":
        # Importing is not part of any job.
        importlib.import_module("scipy.sparse.csgraph")
        importlib.import_module("scipy.sparse.linalg")
    subject = before(np.fromfile(file, dtype="<i4").reshape(-1, 2), nodes)
    cpu = wall = float("inf")
    begin = time.perf_counter()
    for runs in range(1, 21):
        found = None
        cpu_before, wall_before = time.process_time(), time.perf_counter()
        found = timed(subject)
        cpu = min(cpu, time.process_time() - cpu_before)
        wall = min(wall, time.perf_counter() - wall_before)
        if runs == 1:
            memory = peak()
        if time.perf_counter() - begin > seconds:
            break
    result = {"version": version, "cpu": cpu, "wall": wall, "runs": runs, "peak": memory}
    return result | {"values": answer(found)}


if __name__ == "__main__":
    peer, job, file, nodes, sources, seconds = sys.argv[1:]
    try:
        result = measure(peer, job, file, int(nodes), int(sources), float(seconds))
    except Exception as error:
        result = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps(result))
