"""Under NetworkX: the same answers, exceptions and corner cases, and what is not served is left to it."""

import json
import math
import os
import random
import subprocess
import sys

import networkx as nx
import pytest

import nestnet as nn
from nestnet.nx import FUNCTIONS, Dispatcher

nx.config.warnings_to_ignore.add("cache")
GRAPHS = 200


def graphs():
    """Random graphs of every kind, some with odd names, some in parts."""
    rng = random.Random(2009)
    for number in range(GRAPHS):
        n = rng.randrange(1, 24)
        kind = number % 5
        if kind == 0:
            graph = nx.gnp_random_graph(n, rng.random(), seed=number)
        elif kind == 1:
            graph = nx.random_labeled_tree(n, seed=number)
        elif kind == 2:
            graph = nx.gnm_random_graph(n, 2 * n, seed=number)
        elif kind == 3:
            graph = nx.disjoint_union(nx.cycle_graph(rng.randrange(3, 9)), nx.path_graph(n))
        else:
            graph = nx.bipartite.random_graph(n, rng.randrange(1, 12), 0.4, seed=number)
        if number % 3 == 0:
            graph = nx.relabel_nodes(graph, {node: ("n", str(node)) for node in graph})
        yield graph


def outcome(call):
    """What a call gives, or what it raises."""
    try:
        value = call()
        if hasattr(value, "__next__"):
            value = list(value)
        return "value", value
    except Exception as error:
        return "raises", type(error), str(error)


def agree(a, b):
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(agree(a[key], b[key]) for key in a)
    if isinstance(a, float) and isinstance(b, float) and not math.isinf(a):
        return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12)
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(agree(x, y) for x, y in zip(a, b))
    return type(a) is type(b) and a == b


def calls(name, graph):
    """Arguments to try of each function."""
    nodes = list(graph)
    first, last = nodes[0], nodes[-1]
    if name == "eccentricity":
        yield from [{}, {"v": first}]
    elif name in ("single_source_shortest_path_length", "single_target_shortest_path_length"):
        yield from [{"cutoff": None}, {"cutoff": 2}, {"cutoff": 1.5}, {"cutoff": 0}]
    elif name == "shortest_path_length":
        yield from [{}, {"source": first}, {"target": last}, {"source": first, "target": last}]
    elif name == "edge_betweenness_centrality":
        yield from [{}, {"normalized": False}]
    elif name == "all_pairs_shortest_path_length":
        yield from [{}, {"cutoff": 1}]
    else:
        yield {}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_answers_are_those_of_networkx_on_random_graphs(name):
    theirs = getattr(nx, name, None) or getattr(nx.bipartite, name)
    served = 0
    for graph in graphs():
        for arguments in calls(name, graph):
            first = ()
            if name.startswith("single_"):
                first = (next(iter(graph)),)
            if Dispatcher.can_run(name, (graph, *first), arguments) is not True:
                continue
            served += 1
            expected = outcome(lambda: theirs.orig_func(graph, *first, **arguments))
            found = outcome(lambda: theirs(graph, *first, **arguments, backend="nestnet"))
            assert agree(found, expected), (name, arguments, list(graph.edges))
    assert served >= GRAPHS // 2


@pytest.mark.parametrize("name", FUNCTIONS)
def test_corner_cases_are_those_of_networkx(name):
    theirs = getattr(nx, name, None) or getattr(nx.bipartite, name)
    lonely = nx.Graph()
    lonely.add_nodes_from("ab")
    loop = nx.Graph([(0, 0), (0, 1)])
    for graph in [nx.Graph(), nx.trivial_graph(), lonely, loop, nx.complete_graph(5)]:
        nodes = (next(iter(graph), 0),) if name.startswith("single_") else ()
        for more in [(), ("nobody",)]:
            if more and not (name.startswith("single_") or name == "shortest_path_length"):
                continue
            args = (graph, *(more or nodes))
            if Dispatcher.can_run(name, args, {}) is not True:
                continue
            expected = outcome(lambda: theirs.orig_func(*args))
            found = outcome(lambda: theirs(*args, backend="nestnet"))
            assert agree(found, expected), (name, args)


def test_what_is_not_served_is_said():
    graph = nx.path_graph(4)
    digraph, multi, loop = nx.DiGraph([(0, 1)]), nx.MultiGraph([(0, 1)]), nx.Graph([(0, 0)])
    for name, args, kwargs in [
        ("diameter", (graph,), {"weight": "weight"}),
        ("diameter", (graph,), {"e": {}}),
        ("diameter", (digraph,), {}),
        ("eccentricity", (graph,), {"v": [0, 1]}),
        ("eccentricity", (graph,), {"sp": {}}),
        ("center", (graph,), {"usebounds": True}),
        ("girth", (multi,), {}),
        ("girth", (loop,), {}),
        ("is_bipartite", (loop,), {}),
        ("edge_betweenness_centrality", (graph,), {"k": 2}),
        ("node_connectivity", (graph, 0, 3), {}),
        ("edge_connectivity", (graph,), {"cutoff": 1}),
        ("average_shortest_path_length", (graph,), {"method": "floyd-warshall"}),
        ("diameter", (graph, 1, 2, 3, 4, 5), {}),
    ]:
        assert isinstance(Dispatcher.can_run(name, args, kwargs), str), (name, kwargs)
    with pytest.raises(NotImplementedError):
        nx.diameter(graph, weight="weight", backend="nestnet")
    with pytest.raises(NotImplementedError):
        Dispatcher.convert_from_nx(digraph)


def views():
    """Views of graphs of every kind, of which some show fewer edges than their graphs have."""
    rng = random.Random(7)
    for number in range(12):
        base = nx.gnm_random_graph(9, 16, seed=number)
        for kind in (nx.Graph, nx.MultiGraph, nx.DiGraph, nx.MultiDiGraph):
            graph = kind(base)
            if graph.is_multigraph():
                graph.add_edges_from(rng.sample(list(base.edges), 6))
            edges = list(graph.edges(keys=True)) if graph.is_multigraph() else list(graph.edges)
            some = rng.sample(edges, len(edges) // 2)
            # Either end may come first in an undirected graph.
            both = {*some, *((b, a, *key) for a, b, *key in some)}
            found = [
                graph.edge_subgraph(some),
                nx.restricted_view(graph, rng.sample(range(9), 2), some),
                nx.restricted_view(graph, [], some),
                nx.subgraph_view(graph, filter_edge=lambda *edge: edge in both),
                graph.subgraph(range(5)),
                graph.to_undirected(as_view=True),
                graph.subgraph(range(6)).edge_subgraph(some),
            ]
            if graph.is_directed():
                found.append(graph.edge_subgraph(some).to_undirected(as_view=True))
                found.append(nx.reverse_view(graph))
            yield from found


@pytest.mark.parametrize("name", FUNCTIONS)
def test_views_are_converted_as_they_are_seen(name):
    theirs = getattr(nx, name, None) or getattr(nx.bipartite, name)
    served = 0
    for view in views():
        if len(view) == 0:
            continue
        args = (next(iter(view)),) if name.startswith("single_") else ()
        with nx.config(fallback_to_nx=True):
            found = outcome(lambda: theirs(view, *args, backend="nestnet"))
        expected = outcome(lambda: theirs.orig_func(view, *args))
        if Dispatcher.can_run(name, (view, *args), {}) is True:
            served += 1
            assert agree(found, expected), (name, view, list(view.edges))
        if not view.is_directed():
            shown = {frozenset(edge[:2]) for edge in view.edges if edge[0] != edge[1]}
            ours = Dispatcher.convert_from_nx(view)
            assert {frozenset(link) for link in ours.links} == shown
            assert {frozenset(link) for link in nn.from_networkx(view).links} == shown
    assert served > 0


# One search or none is over before a clock is looked at.
ONE_SEARCH = {
    "all_pairs_shortest_path_length",
    "connected_components",
    "number_connected_components",
    "shortest_path_length",
    "single_source_shortest_path_length",
    "single_target_shortest_path_length",
}
LIMITED = [(name, {"max_memory": 1000}) for name in FUNCTIONS if name != "is_connected"]
LIMITED += [
    (name, {"max_time": 1e-6}) for name in FUNCTIONS if name not in {*ONE_SEARCH, "is_connected"}
]


@pytest.mark.parametrize("name, limits", LIMITED, ids=str)
def test_limits_are_limits_also_here(name, limits):
    theirs = getattr(nx, name, None) or getattr(nx.bipartite, name)
    # No theorem and no symmetry: everything must be searched.
    args = (0,) if name.startswith("single_") else ()
    graph = nx.gnm_random_graph(3000, 20_000, seed=1)
    if name == "number_connected_components":
        graph = nx.disjoint_union(graph, graph)
    ours = nn.from_networkx(graph)
    for one, backend in [(ours, None), (graph, "nestnet"), (graph, "nestnet")]:
        with nn.limits(**limits):
            with pytest.raises(nn.LimitError, match=next(iter(limits))):
                value = theirs(one, *args, backend=backend)
                # Some answer one by one.
                if hasattr(value, "__next__"):
                    next(value)
    # A graph can be asked again where limits are larger.
    assert nx.is_connected(graph, backend="nestnet") is ours.connected


def test_a_forest_has_no_girth_and_says_so_by_a_flag():
    forest = nn.from_networkx(nx.random_labeled_tree(40, seed=1))
    assert nx.girth(forest) == math.inf
    assert forest.measure("girth").girth.reason == "acyclic"
    parts = nn.from_edges([(0, 1), (2, 3)])
    assert parts.measure("diameter").diameter.reason == "disconnected"
    with pytest.raises(nn.Error, match="not connected") as caught:
        parts.diameter
    assert not isinstance(caught.value, nn.LimitError)
    with nn.limits(max_memory=1):
        assert parts.measure("girth").girth.reason == "limit"


def test_our_networks_are_graphs_of_networkx():
    g = nn.rdn(nn.torus(5, 5), 3)
    assert nx.diameter(g) == 46
    assert nx.is_connected(g) and nx.number_connected_components(g) == 1
    assert nx.shortest_path_length(g, 0, g.order - 1) == g.distance(0, g.order - 1)
    assert nx.average_shortest_path_length(g) == float(g.average_distance)
    g = nn.rdn(nn.petersen(), 1)
    graph = g.to_networkx()
    for name in FUNCTIONS:
        if name.startswith("single_"):
            args = (7,)
        else:
            args = ()
        theirs = getattr(nx, name, None) or getattr(nx.bipartite, name)
        expected = outcome(lambda: theirs.orig_func(graph, *args))
        found = outcome(lambda: theirs(g, *args))
        assert agree(found, expected), name


def test_networkx_does_the_rest_where_it_may():
    g = nn.petersen()
    with nx.config(fallback_to_nx=True):
        assert nx.density(g) == pytest.approx(1 / 3)
        assert nx.diameter(g, weight="weight") == 2


def test_by_priority():
    graph = nx.random_regular_graph(3, 60, seed=1)
    expected = nx.wiener_index.orig_func(graph)
    with nx.config(backend_priority=["nestnet"]):
        assert nx.wiener_index(graph) == expected
    assert Dispatcher.should_run("diameter", (graph,), {}) is True
    assert isinstance(Dispatcher.should_run("is_connected", (graph,), {}), str)
    assert Dispatcher.should_run("is_connected", (nn.petersen(),), {}) is True


# NetworkX's own tests of the functions that we serve. None is omitted; arguments that we do not serve
# (directed graphs, weights, samples, parallel links) fall back to NetworkX within each test.
MODULES = [
    "networkx.algorithms.tests.test_distance_measures",
    "networkx.algorithms.shortest_paths.tests.test_generic",
    "networkx.algorithms.shortest_paths.tests.test_unweighted",
    "networkx.algorithms.centrality.tests.test_betweenness_centrality",
    "networkx.algorithms.connectivity.tests.test_connectivity",
    "networkx.algorithms.tests.test_cycles",
    "networkx.algorithms.components.tests.test_connected",
    "networkx.algorithms.bipartite.tests.test_basic",
    "networkx.algorithms.tests.test_wiener",
    # Their graphs are views of multigraphs.
    "networkx.algorithms.tree.tests.test_mst",
    "networkx.classes.tests.test_graphviews",
    "networkx.classes.tests.test_subgraphviews",
]


@pytest.fixture(scope="session", autouse=True)
def own_tests(request, tmp_path_factory):
    """NetworkX's own tests, which run beside ours on another core."""
    name = "test_networkx_own_tests_pass_through_us"
    if not any(item.name == name for item in request.session.items):
        yield None
        return
    folder = tmp_path_factory.mktemp("networkx")
    here = os.path.dirname(os.path.abspath(__file__))
    environment = dict(
        os.environ,
        NETWORKX_TEST_BACKEND="nestnet",
        NETWORKX_FALLBACK_TO_NX="True",
        NESTNET_COUNTS=str(folder / "counts.json"),
        PYTHONPATH=here,
    )
    command = [sys.executable, "-m", "pytest", "-q", "-p", "counting", "-p", "no:cacheprovider"]
    with open(folder / "log", "w", encoding="utf-8") as log:
        child = subprocess.Popen(
            [*command, "--pyargs", *MODULES], env=environment, cwd=folder, stdout=log, stderr=log
        )
    yield child, folder
    child.kill()
    child.wait()


def test_networkx_own_tests_pass_through_us(own_tests):
    child, folder = own_tests
    code = child.wait(timeout=900)
    said = (folder / "log").read_text(encoding="utf-8")
    assert code == 0, said[-4000:]
    assert " passed" in said and "failed" not in said
    reached = json.loads((folder / "counts.json").read_text(encoding="utf-8"))
    assert set(reached) == set(FUNCTIONS), set(FUNCTIONS) - set(reached)
