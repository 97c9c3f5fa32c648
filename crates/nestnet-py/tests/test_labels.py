"""A node is named by its label wherever the graph has labels, in every method that takes or gives a node."""

import copy
import inspect
import pickle
import random
from fractions import Fraction

import networkx as nx
import numpy as np
import pytest

import nestnet as nn
from nestnet import _nestnet
from nestnet.running import quick

N = 12
if hasattr(nx, "config"):
    nx.config.warnings_to_ignore.add("cache")


def shuffled(values, rng):
    values = list(values)
    rng.shuffle(values)
    return values


# Each gives N labels.
LABELS = {
    "shifted": lambda rng: list(range(1, N + 1)),
    "permuted": lambda rng: shuffled(range(N), rng),
    "negative": lambda rng: shuffled(range(-N, 0), rng),
    "sparse": lambda rng: rng.sample(range(-(10**6), 10**6), N),
    "long": lambda rng: [10**20 + place for place in range(N)],
    "digits": lambda rng: shuffled(map(str, range(N)), rng),
    "words": lambda rng: [f"node {place}" for place in range(N)],
    "tuples": lambda rng: shuffled(((a, b) for a in range(3) for b in range(4)), rng),
    "floats": lambda rng: [place + 0.5 for place in range(N)],
    "bools": lambda rng: [True, False, *range(2, N)],
    "mixed": lambda rng: shuffled(
        [0, "0", (0,), 0.5, -1, "x", frozenset({1}), Fraction(1, 3), b"y", 7, "(0,)", "7"], rng
    ),
}


def pair(kind, seed):
    """A graph of NetworkX with labels, our network of it, and the network of the same graph without labels."""
    rng = random.Random(f"{kind} {seed}")
    labels = LABELS[kind](rng)
    graph = nx.cycle_graph(N)
    graph.add_edges_from(rng.sample(list(nx.non_edges(graph)), 2))
    plain = nn.from_edges(list(graph.edges), N)
    named = nx.Graph(name="pair")
    named.add_nodes_from(labels)
    named.add_edges_from((labels[a], labels[b]) for a, b in graph.edges)
    return named, nn.from_networkx(named), plain, labels


def pairs(rng):
    return [tuple(rng.sample(range(N), 2)) for _ in range(4)]


# What each method gives for two nodes, written out as plain values with the nodes marked by `node`:
# of the network without labels `node` is the label of the id, of the graph with labels the label itself.


def route(g, a, b, node):
    found = g.route(a, b)
    path = [node(v) for v in found]
    ends = node(found.source), node(found.target)
    return ends, path, [node(v) for v in found.path], found.hops, found.ports, found.vcs


def broadcast(g, a, b, node):
    found = g.broadcast(a)
    first = g.broadcast()
    sent = [[(node(x), node(y)) for x, y in step] for step in found.schedule]
    return node(found.source), node(first.source), sent, found.steps, [node(v) for v in found.missed]


def collective(g, a, b, node):
    found = g.collective("scatter", root=a)
    assert g.collective("allgather").root is None
    return node(found.root), node(g.collective("gather").root), found.seconds, found.algorithm


def channel(one, node):
    return node(one.node), node(one.to), one.port, one.vc


def deadlock(g, a, b, node):
    free, locked = g.deadlock(assign=True), g.deadlock("shortest", vcs=1)
    assert free.free and free.order
    waits = [(channel(one.channel, node), node(one.source), node(one.target)) for one in locked.cycle]
    return [channel(one, node) for one in free.order], waits


def throughput(g, a, b, node):
    found = g.throughput("worst", gap=0.1)
    loads = [(node(x), node(y), load) for x, y, load in found.loads]
    busiest = node(found.busiest.source), node(found.busiest.target), found.busiest.load
    table = [[node(x), node(y)] for x, y in zip(*(found.to_pandas()[k] for k in ["source", "target"]))]
    permutations = found.permutation, found.worst_of_any.permutation
    return loads, busiest, [[node(v) for v in one] for one in permutations], table, found.theta


def wait(one, node):
    return node(one.at), node(one.next), node(one.source), node(one.target), one.vc


def simulate(g, a, b, node):
    near = g.neighbors(a)[0]
    window = dict(warmup=50, cycles=200)
    failed = g.simulate(0.2, **window, fail=[(a, near, 60)]).points[0]
    stuck = g.simulate(
        1.0, router="shortest", vcs=1, packet=4, buffer=1, warmup=500, cycles=2000
    ).points[0]
    return failed.packets, failed.lost, failed.latency, [wait(one, node) for one in stuck.deadlock_cycle]


def run_goal(g, a, b, node, path):
    text = f"num_ranks {N}\n"
    for rank in range(N):
        others = [(rank + step) % N for step in range(1, N)]
        sends = [f"send 256b to {other}" for other in others]
        tasks = sends + [f"recv 256b from {other}" for other in others]
        lines = "".join(f"l{number}: {task}\n" for number, task in enumerate(tasks))
        text += f"rank {rank} {{\n{lines}}}\n"
    path.write_text(text)
    found = g.run_goal(path, router="shortest", vcs=1, packet=4, buffer=1)
    return found.complete, found.cycles, [wait(one, node) for one in found.deadlock_cycle]


def paths(g, a, b, node):
    found = g.paths(a, b)
    ends = node(found.source), node(found.target)
    return ends, [[node(v) for v in path] for path in found], found.lengths


def routing(g, a, b, node):
    near = g.neighbors(a)[0]
    found = g.routing("balanced", failed_links=[(a, near)])
    worst = found.worst and (node(found.worst.source), node(found.worst.target), found.worst.hops)
    busy = node(found.busiest.node), node(found.busiest.to), found.busiest.port
    alone = g.routing(failed_nodes=[b])
    return worst, busy, found.histogram, found.failed_links, (alone.failed_nodes, alone.pairs)


def resilience(g, a, b, node):
    rows = [g.resilience(what, at=0.2, trials=5, adversary=True).rows[0] for what in ("links", "nodes")]
    worst = [row.worst for row in rows]
    ends = [[(node(x), node(y)) for x, y in one.links] for one in worst if one]
    assert any(ends)
    return ends, [[node(v) for v in one.nodes] for one in worst if one], rows[0].hosts_lost


def embed(g, a, b, node):
    found = nn.ring(12).embed(g, budget=1000)
    back = g.embed(nn.ring(12), budget=1000)
    assert all(image in range(12) for image in back.images)
    return [node(v) for v in found.images], found.dilation, back.images


def links(g, a, b, node):
    rows = [tuple(node(v) for v in row) for row in g.links.to_numpy().tolist()]
    return [(node(x), node(y)) for x, y in g.links], rows, g.links.ids().tolist(), len(g.links)


def edges(g, a, b, node):
    both = [(node(x), node(y)) for x, y in g.edges], [(node(x), node(y)) for x, y in g.edges(a)]
    return both, [g.edges[edge] for edge in g.edges], (a, b) in g.edges


def channel_loads(g, a, b, node):
    sources, targets, loads = g.channel_loads()
    ends = [node(v) for v in sources.tolist()], [node(v) for v in targets.tolist()]
    return ends, loads.tolist()


def farthest(g, a, b, node):
    ends = [node(end.node) for end in g.measure("farthest").farthest]
    other = nn.network("random_regular(10, 3, 1)")
    rows = nn.compare([g, other], also=["farthest"]).rows
    assert rows[1].also["farthest"] == other.measure("farthest").farthest
    return ends, [node(end.node) for end in rows[0].also["farthest"]]


def distances(g, a, b, node):
    assert g.distances([], []).tolist() == []
    table = np.empty(2, dtype=object)
    table[0], table[1] = a, b
    one = g.distances(table, b), g.distances(a, [[a, b], [b, a]])
    return [found.tolist() for found in one]


ASKS = {
    "neighbors": lambda g, a, b, node: [node(v) for v in g.neighbors(a)],
    "ports": lambda g, a, b, node: [(port, node(v), level) for port, v, level in g.ports(a)],
    "distance": lambda g, a, b, node: g.distance(a, b),
    "distances": distances,
    "bfs": lambda g, a, b, node: g.bfs(a).tolist(),
    "route": route,
    "channel_loads": channel_loads,
    "links": links,
    "nodes": lambda g, a, b, node: [node(v) for v in g.nodes],
    "edges": edges,
    "adj": lambda g, a, b, node: [(node(v), link) for v, link in g.adj[a].items()],
    "has_edge": lambda g, a, b, node: (g.has_edge(a, b), g.has_edge(b, a)),
    "has_node": lambda g, a, b, node: g.has_node(a),
    "measure": farthest,
    "broadcast": broadcast,
    "collective": collective,
    "deadlock": deadlock,
    "throughput": throughput,
    "simulate": simulate,
    "run_goal": run_goal,
    "paths": paths,
    "cut": lambda g, a, b, node: ([node(v) for v in g.cut().side], g.cut().high),
    "routing": routing,
    "resilience": resilience,
    "embed": embed,
}
# What has a test of its own below.
OWN = {"address", "draw", "labelled", "id_of", "ids", "label_of", "names", "node"}
OWN |= {"to_igraph", "to_networkit", "to_networkx", "to_rustworkx", "to_scipy"}
# What neither takes nor gives a node.
NODELESS = {"average_distance", "connected", "degree", "diameter", "graph", "hosts", "info"}
NODELESS |= {"is_directed", "is_multigraph", "mini_app", "number_of_edges", "number_of_nodes", "order"}
NODELESS |= {"emulate", "export", "grow", "report", "routers", "spec", "tables"}


def test_no_method_is_forgotten():
    public = {name for name in dir(nn.Network) if not name.startswith("_")}
    assert public == ASKS.keys() | OWN | NODELESS
    takers = {
        name
        for name in public
        if callable(getattr(nn.Network, name))
        and "NodeLike" in str(inspect.signature(getattr(nn.Network, name)))
    }
    assert takers and not takers & NODELESS


@pytest.mark.parametrize("ask", ASKS)
@pytest.mark.parametrize("kind", LABELS)
def test_every_method_takes_and_gives_labels(kind, ask, tmp_path):
    graph, named, plain, labels = pair(kind, ask)

    def same(node):
        assert node in graph
        return node

    more = (tmp_path / "ring.goal",) if ask == "run_goal" else ()
    for a, b in pairs(random.Random(f"{kind} {ask}")):
        expected = ASKS[ask](plain, a, b, labels.__getitem__, *more)
        assert ASKS[ask](named, labels[a], labels[b], same, *more) == expected


def test_what_is_compared_has_nodes_in_it(tmp_path):
    """The cycles of the methods above are there, so that they are compared."""
    _, named, _, labels = pair("shifted", 0)
    same = lambda node: node  # noqa: E731
    assert deadlock(named, labels[0], labels[1], same)[-1]
    assert simulate(named, labels[0], labels[1], same)[-1]
    assert run_goal(named, labels[0], labels[1], same, tmp_path / "ring.goal")[-1]


@pytest.mark.parametrize("kind", LABELS)
def test_the_graph_is_that_of_networkx(kind):
    graph, g, _, labels = pair(kind, 0)
    assert list(g) == list(g.nodes) == g.names == list(graph) == labels
    assert len(g) == len(graph) and all(label in g for label in labels)
    lengths = dict(nx.all_pairs_shortest_path_length(graph))
    for a in graph:
        assert set(g.neighbors(a)) == set(graph[a])
        assert dict(zip(g, g.bfs(a).tolist())) == lengths[a]
        for b in graph:
            assert g.distance(a, b) == lengths[a][b]
            path = list(g.route(a, b).path)
            assert nx.is_path(graph, path) and (path[0], path[-1]) == (a, b)
    links = {frozenset(link) for link in graph.edges}
    assert {frozenset(link) for link in g.links} == links


@pytest.mark.parametrize("kind", LABELS)
def test_ids_and_addresses_have_methods_of_their_own(kind):
    _, g, plain, labels = pair(kind, 0)
    assert g.ids == plain.ids == plain.nodes == range(N)
    for id, label in enumerate(labels):
        assert (g.id_of(label), g.node(label), g.label_of(id)) == (id, id, label)
        assert (plain.id_of(id), plain.label_of(id)) == (id, id)
        # An address is that of one node, and no label of another.
        assert g.id_of(g.address(label)) == id
        assert g.neighbors(g.address(label)) == g.neighbors(label)
        nested = nn.rdn(g, 1)
        assert nested.address(id).startswith("(0,")
    assert len({g.address(label) for label in labels}) == N
    for id in [-1, N, 10**30]:
        with pytest.raises(nn.NodeError, match=f"id {id}: there are 12 nodes"):
            g.label_of(id)
    for id in [1.0, True, "1", None]:
        with pytest.raises(TypeError, match="label_of: id must be an int"):
            g.label_of(id)


@pytest.mark.parametrize("kind", LABELS)
def test_labels_go_everywhere_and_come_back(kind):
    graph, g, plain, labels = pair(kind, 0)
    for copied in [g, pickle.loads(pickle.dumps(g)), copy.deepcopy(g), copy.copy(g)]:
        assert copied.names == labels and list(copied.links) == list(g.links)
        back = copied.to_networkx(attributes=False)
        assert list(copied.to_networkx().nodes) == labels
        assert list(nn.from_networkx(copied.to_networkx())) == labels
        assert list(back) == labels and back.graph == {"name": "pair"}
        assert nx.utils.graphs_equal(back, nx.Graph(graph))
        assert list(nn.from_networkx(back).links) == list(g.links)
    assert (g.to_scipy() != plain.to_scipy()).nnz == 0
    assert g.to_igraph().vs["name"] == [str(label) for label in labels]
    assert g.to_rustworkx().nodes() == labels
    for other in [g.to_igraph().get_edgelist(), g.to_networkit().iterEdges()]:
        assert sorted(map(tuple, map(sorted, other))) == list(plain.links)
    ends = {frozenset((graph_a, graph_b)) for graph_a, graph_b in graph.edges}
    addresses = g.to_networkx(addresses=True)
    found = {frozenset(g.label_of(g.id_of(v)) for v in link) for link in addresses.edges}
    assert found == ends


@pytest.mark.parametrize("kind", LABELS)
def test_pictures_show_the_nodes_that_were_named(kind):
    _, g, _, labels = pair(kind, 0)
    for a, b in pairs(random.Random(kind)):
        most, look = (None, None), ("auto", "auto")
        cases = [(dict(route=(labels[a], labels[b])), (a, b), None)]
        cases.append((dict(broadcast=labels[a], step=2), None, (a, 2)))
        for asked, path, informed in cases:
            by_id = _nestnet.draw(
                g._net, None, None, most, path, None, informed, False, False, look, quick()
            )
            assert g.draw(**asked).svg == by_id.svg


def test_the_karate_club_from_1_on():
    club = nx.convert_node_labels_to_integers(nx.karate_club_graph(), first_label=1)
    g = nn.from_networkx(club)
    assert list(g) == list(range(1, 35)) and 0 not in g
    for a in club:
        assert g.neighbors(a) == sorted(club[a])
        for b in club:
            assert g.distance(a, b) == nx.shortest_path_length(club, a, b)
    for bad in [0, 35, -1, "0", "35", 1.5, 1.0, True, np.True_, (1,), [1], None]:
        assert bad not in g
        with pytest.raises(nn.NodeError, match="no node .*: give a label such as 34"):
            g.neighbors(bad)
    assert g.neighbors("1") == g.neighbors(1)
    with pytest.raises(nn.NodeError, match="no node 0"):
        g.distances([1, 2], [0, 1])
    with pytest.raises(nn.NodeError, match="rows of one length"):
        g.distances([[1], [1, 2]], 1)


def test_nodes_in_order_from_0_on_need_no_labels():
    g = nn.from_networkx(nx.path_graph(5))
    assert g.names is None and g.nodes == g.ids == range(5) and list(g) == [0, 1, 2, 3, 4]
    assert g.neighbors(1) == [0, 2] and g.id_of(3) == g.label_of(3) == 3
    assert g.distances([0, 1], [4, 4]).tolist() == [4, 3]


def test_what_is_no_id_is_refused():
    g = nn.ring(5)
    for bad in [1.7, 1.0, np.float64(2), True, np.True_, None, (1,), [1], b"1", Fraction(1)]:
        with pytest.raises(nn.NodeError, match="expected a node id.* not "):
            g.neighbors(bad)
        assert bad not in g
        for ask in [g.address, g.bfs, g.ports, g.id_of, g.broadcast]:
            if bad is not None or ask != g.broadcast:
                with pytest.raises(nn.NodeError):
                    ask(bad)
    for good in [1, np.int8(1), np.uint64(1)]:
        assert good in g and g.neighbors(good) == [0, 2]
    for bad in [[1.0], [True]]:
        with pytest.raises(nn.NodeError, match="ids"):
            g.distances(bad, [0])
    with pytest.raises(nn.Error, match="has no node ids"):
        nn.network("rdn(hypercube(10), 9)").neighbors(2**70)
    with pytest.raises(nn.Error, match="None cannot be the label"):
        nn.from_edges([(0, 1)], names=["a", None])


def test_under_networkx_what_equals_a_node_is_that_node():
    for graph in [nx.path_graph(4), nx.path_graph([3, 2, 1, 0])]:
        for node in [1, True, 1.0, np.int64(1)]:
            expected = nx.single_source_shortest_path_length.orig_func(graph, node)
            found = nx.single_source_shortest_path_length(graph, node, backend="nestnet")
            assert found == expected
            assert nx.eccentricity(graph, node, backend="nestnet") == 2
    for node in [9, 0.5, "1", -1, float("nan"), float("inf")]:
        with pytest.raises(nx.NodeNotFound):
            nx.single_source_shortest_path_length(graph, node, backend="nestnet")
