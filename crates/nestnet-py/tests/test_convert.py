"""Graphs go to other libraries and come back, with their names."""

import copy
import json
import pickle
import warnings

import networkx as nx
import numpy as np
import pytest

import nestnet as nn

SPECS = ["petersen", "rdn(ring(3), 1)", "torus(4, 4)", "fat_tree(4)", "ring(1)", "ring(2)"]


@pytest.mark.parametrize("spec", SPECS)
def test_every_library_has_the_same_links(spec):
    g = nn.network(spec)
    links = sorted(g.links)
    assert sorted(tuple(sorted(edge)) for edge in g.to_networkx().edges) == links
    matrix = g.to_scipy()
    rows, columns = matrix.nonzero()
    assert sorted((a, b) for a, b in zip(rows.tolist(), columns.tolist()) if a < b) == links
    assert (matrix != matrix.T).nnz == 0
    igraph = pytest.importorskip("igraph")
    assert isinstance(g.to_igraph(), igraph.Graph)
    assert sorted(tuple(sorted(edge)) for edge in g.to_igraph().get_edgelist()) == links
    pytest.importorskip("rustworkx")
    assert sorted(tuple(sorted(edge)) for edge in g.to_rustworkx().edge_list()) == links
    pytest.importorskip("networkit")
    found = sorted(tuple(sorted(edge)) for edge in g.to_networkit().iterEdges())
    assert found == links and g.to_networkit().numberOfNodes() == g.order
    assert sorted(nn.from_networkx(g.to_networkx()).links) == links
    assert sorted(nn.from_scipy(matrix).links) == links
    assert sorted(nn.from_edges(g.links.to_numpy(), g.order).links) == links


def test_a_matrix_shares_our_arrays():
    matrix = nn.torus(4, 4).to_scipy(dtype=np.int8)
    assert matrix.indices.dtype == matrix.indptr.dtype == np.int32
    assert matrix.data.dtype == np.int8
    # They belong to what made them, and to no copy.
    assert matrix.indices.base is not None and matrix.indptr.base is not None


def test_addresses_may_name_nodes():
    graph = nn.rdn(nn.ring(3), 1).to_networkx(addresses=True)
    assert "(0,1,2)" in graph and len(graph) == 18
    assert graph.graph["name"] == "rdn(ring(3), 1)"


def test_names_are_kept_in_nested_networks():
    names = ["x", ("y", 1), 3.5, None]
    graph = nx.relabel_nodes(nx.cycle_graph(4), dict(enumerate(names[:3])) | {3: "z"})
    g = nn.from_networkx(graph)
    assert g.names == list(graph) and list(g) == list(graph)
    assert g.node(("y", 1)) == 1 and g.node("('y', 1)") == 1 and ("y", 1) in g and 7 not in g
    for nested in [nn.rdn(g, 1), nn.rsn(g, 2), nn.re(g, g, 1), nn.hosts(g, 2)]:
        assert nested.connected
    r = nn.rdn(g, 1)
    assert r.address(1) == "(0,x,('y', 1))"
    assert r.order == 2 * 4**2
    # A base lives as long as what depends on it.
    del g
    assert nn.network(r.spec).order == r.order
    assert r.measure("diameter").diameter.exact
    assert sorted(nn.compare([r]).rows[0].to_dict())
    copied = nn.rdn("ring(4)", 1)
    assert nx.is_isomorphic(r.to_networkx(), copied.to_networkx())
    spec = r.spec
    del r, nested
    with pytest.raises(nn.SpecError, match="graph:"):
        nn.network(spec)


def test_names_that_look_alike_are_distinguished():
    g = nn.from_edges([(0, 1), (1, 2)], names=[1, "1", 1.5])
    assert len({g.address(node) for node in g.nodes}) == 3
    assert [g.node(name) for name in [1, "1", 1.5]] == [0, 1, 2]
    assert nn.from_networkx(nx.path_graph(range(1, 4))).node(3) == 2


def test_lonely_nodes_and_parallel_links():
    graph = nx.MultiGraph([(0, 1), (0, 1), (1, 0)])
    graph.add_node("alone")
    g = nn.from_networkx(graph)
    assert (g.order, g.links.count, g.connected) == (3, 1, False)
    assert g.info().cables == 3 and g.links.widths().tolist() == [3]
    assert g.distance("0", "alone") is None


def test_what_is_no_network_is_refused():
    for make, said in [
        (lambda: nn.from_networkx(nx.DiGraph([(0, 1)])), "directed"),
        (lambda: nn.from_networkx(nx.Graph([(0, 0)])), "itself"),
        (lambda: nn.from_edges([(0, 0)]), "itself"),
        (lambda: nn.from_edges([(0, 5)], 3), "no node 5"),
        (lambda: nn.from_edges([(0, -1)]), "no node -1"),
        (lambda: nn.from_edges([(0.5, 1)]), "whole numbers"),
        (lambda: nn.from_edges([(0, 1, 2)]), "two columns"),
        (lambda: nn.from_edges([(0, 1)], 3, ["a", "b"]), "names"),
        (lambda: nn.from_edges([(0, 1)], names=["a", "a"]), "same name"),
        (lambda: nn.from_scipy(np.ones((2, 3))), "square"),
    ]:
        with pytest.raises(nn.Error, match=said):
            make()


# With hosts, with levels, with several cables a link, with hosts that forward, with addresses of their own.
WHOLE = [
    "fat_tree(4)",
    "rdn(ring(3), 1)",
    "hosts(torus(4, 4), 2)",
    "clos(8, 2, 2, 16)",
    "dragonfly_plus(2, 2, 2)",
    "bcube(3, 1)",
    "hosts(rsn(hypercube(2), 2), 1)",
    "petersen",
]


def alike(one, other):
    """Whether two networks have the same nodes, hosts, addresses, cables and levels."""
    assert (one.order, one.hosts, one.links.count) == (other.order, other.hosts, other.links.count)
    assert one.links.ids().tolist() == other.links.ids().tolist()
    assert one.links.widths().tolist() == other.links.widths().tolist()
    assert one.links.levels().tolist() == other.links.levels().tolist()
    assert [one._net.address(id) for id in one.ids] == [other._net.address(id) for id in other.ids]


@pytest.mark.parametrize("spec", WHOLE)
def test_networkx_keeps_hosts_levels_cables_and_addresses(spec, tmp_path):
    g = nn.network(spec)
    graph = g.to_networkx()
    back = nn.from_networkx(graph)
    alike(back, g)
    assert back.names is None and back.throughput(gap=None).theta == g.throughput(gap=None).theta
    for copied in [pickle.loads(pickle.dumps(back)), copy.deepcopy(back)]:
        alike(copied, g)
    alike(nn.from_networkx(g.to_networkx(addresses=True)), g)
    assert not any(data for _, data in g.to_networkx(attributes=False).nodes(data=True))
    # And so do files that NetworkX writes.
    nx.write_graphml(graph, tmp_path / "g.graphml")
    (tmp_path / "g.json").write_text(json.dumps(nx.node_link_data(graph, edges="edges")))
    for name in ["g.graphml", "g.json"]:
        read = nn.file(str(tmp_path / name))
        assert (read.order, read.hosts) == (g.order, g.hosts)
        assert read.links.levels().tolist() == g.links.levels().tolist()


def test_the_fat_tree_of_networkx_has_16_hosts():
    g = nn.from_networkx(nn.network("fat_tree(4)").to_networkx())
    assert (g.hosts, g.order) == (16, 36)


def test_attributes_of_nodes_and_links():
    graph = nn.from_edges([(0, 1), (0, 1), (1, 2)]).to_networkx()
    assert graph.edges[0, 1] == {"width": 2, "level": 0} and graph.edges[1, 2]["width"] == 1
    assert graph.nodes[2] == {"address": "2", "role": "host", "endpoints": 1}
    graph = nn.hosts(nn.ring(3), 1).to_networkx()
    assert [data["role"] for _, data in graph.nodes(data=True)] == ["host"] * 3 + ["switch"] * 3


def test_hosts_come_first_whatever_their_place():
    graph = nx.Graph([("s", "a"), ("s", "b"), ("s", "t")])
    graph.add_nodes_from(["a", "b"], role="host")
    graph.add_nodes_from("st", role="leaf")
    graph.edges["s", "t"].update(width=3, level=2)
    g = nn.from_networkx(graph)
    assert g.hosts == 2 and g.names == ["a", "b", "s", "t"]
    assert g.neighbors("s") == ["a", "b", "t"] and g.info().cables == 5
    assert [(port[1], port[2]) for port in g.ports("t")] == [("s", 2)] * 3
    numbers = nx.relabel_nodes(graph, dict(zip("sabt", range(4))))
    assert nn.from_networkx(numbers).names == [1, 2, 0, 3]
    # A role that means something else makes no hosts.
    nx.set_node_attributes(graph, "instructor", "role")
    assert nn.from_networkx(graph).hosts == 4
    parallel = nx.MultiGraph([(0, 1), (0, 1)])
    parallel.edges[0, 1, 1]["width"] = 4
    assert nn.from_networkx(parallel).info().cables == 5
    assert nn.from_networkx(parallel, width=None).info().cables == 2


def test_hosts_that_hang_at_nodes_as_in_files(command_line, tmp_path):
    spec = "hosts(torus(4, 4), 2)"
    path = tmp_path / "torus.json"
    assert command_line("export", spec, "-f", "node-link", "-o", str(path))[0] == 0
    graph = nx.node_link_graph(json.loads(path.read_text()), edges="edges")
    assert len(graph) == 16
    g = nn.from_networkx(graph)
    assert (g.hosts, g.order) == (32, 48)
    assert nx.is_isomorphic(g.to_networkx(), nn.network(spec).to_networkx())
    named = nn.from_networkx(nx.relabel_nodes(graph, {node: f"sw{node}" for node in graph}))
    assert named.hosts == 32 and "sw3" in named and len(set(named.names)) == 48


def test_attributes_that_are_no_numbers_are_named():
    graph = nx.Graph([(0, 1)])
    for key, value in [("width", 0), ("width", 2.5), ("width", True), ("level", -1), ("level", "x")]:
        graph.edges[0, 1].clear()
        graph.edges[0, 1][key] = value
        with pytest.raises(nn.Error, match=rf"{key} of the link \(0, 1\): expected a whole number"):
            nn.from_networkx(graph)
        assert nn.from_networkx(graph, width=None, level=None).order == 2
    graph.edges[0, 1].clear()
    graph.nodes[0]["endpoints"] = "many"
    with pytest.raises(nn.Error, match="endpoints of the node 0"):
        nn.from_networkx(graph)


def test_edges_by_name():
    g = nn.from_edges([("b", "a"), ("b", "c"), ("b", 7)])
    assert g.names == ["b", "a", "c", 7] and g.route("a", 7).path == ("a", "b", 7)
    assert nn.from_edges([("b", "a")], names=["a", "b", "c"]).neighbors("a") == ["b"]
    assert nn.from_edges(np.array([["x", "y"], ["y", "z"]])).names == ["x", "y", "z"]
    assert g.routing().pairs == 12 and set(g.cut().side) < {"a", "b", "c", 7}
    g = nn.from_edges([(0, 1), (1, 0), (1, 2)], widths=[2, 2, 1], levels=[1, 1, 0], hosts=[2, 0])
    # A link that is listed from both ends is two with widths.
    assert g.info().cables == 5 and g.names == [0, 2, 1] and g.hosts == 2
    for make, said in [
        (lambda: nn.from_edges([("a", "b")], names=["a"]), "no node 'b': names"),
        (lambda: nn.from_edges([("a", ["b"])]), "cannot be the label"),
        (lambda: nn.from_edges([(0, 1)], widths=[0]), "widths: expected whole numbers from 1"),
        (lambda: nn.from_edges([(0, 1)], widths=[1, 2]), "widths: expected a whole number for each"),
        (lambda: nn.from_edges([(0, 1)], levels=[0.5]), "levels"),
        (lambda: nn.from_edges([(0, 1)], hosts=[5]), "hosts: no node 5"),
    ]:
        with pytest.raises(nn.Error, match=said):
            make()


def test_ids_without_links_are_counted(tmp_path):
    with pytest.warns(UserWarning, match="7 of 10 nodes have no link.*nodes=10"):
        assert nn.from_edges([(0, 5), (5, 9)]).order == 10
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert nn.from_edges([(0, 5), (5, 9)], 10).order == 10
        nn.from_edges([(0, 1), (1, 2)])
    (tmp_path / "x.edges").write_text("0 5\n5 9\n")
    (remark,) = nn.file(str(tmp_path / "x.edges")).info().remarks
    assert remark == "7 nodes below the largest number have no links"
    assert nn.file(str(tmp_path / "x.edges"), nodes=10).info().remarks == ()
    (tmp_path / "twice.edges").write_text("0 1\n0 1\n")
    assert nn.file(str(tmp_path / "twice.edges")).info().cables == 2
    assert "count once" not in nn.file.__doc__ and "cables" in nn.file.__doc__


def test_tables_of_links():
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"source": [0, 2, 1], "target": [1, 1, 3], "width": [1, 4, 1]})
    g = nn.from_pandas(table)
    assert g.names is None and g.info().cables == 6 and g.links.widths().tolist() == [1, 4, 1]
    assert nn.from_pandas(table, width=None).info().cables == 3
    named = nn.from_pandas(table.rename(columns={"source": "u", "target": "v"}), "u", "v", hosts=[3, 0])
    assert named.hosts == 2 and named.names == [0, 3, 1, 2]
    with pytest.raises(nn.Error, match="no column 'source': there are u"):
        nn.from_pandas(table.rename(columns={"source": "u"}))
    with pytest.raises(nn.Error, match="an end of a link is missing"):
        nn.from_pandas(pandas.DataFrame({"source": ["a", None], "target": ["b", "c"]}))
    odd = pandas.DataFrame({"source": ["a"], "target": ["b"], "width": [1.5]})
    with pytest.raises(nn.Error, match="widths"):
        nn.from_pandas(odd)


@pytest.mark.parametrize("spec", WHOLE)
def test_igraph_keeps_hosts_levels_cables_and_addresses(spec):
    pytest.importorskip("igraph")
    g = nn.network(spec)
    alike(nn.from_igraph(g.to_igraph()), g)


def test_igraph_with_names_and_parallel_edges():
    igraph = pytest.importorskip("igraph")
    graph = igraph.Graph(n=3, edges=[(0, 1), (0, 1), (1, 2)])
    assert nn.from_igraph(graph).links.widths().tolist() == [2, 1]
    graph.vs["name"] = ["x", "y", "z"]
    assert nn.from_igraph(graph).route("x", "z").path == ("x", "y", "z")
    with pytest.raises(nn.Error, match="directed"):
        nn.from_igraph(igraph.Graph(n=2, edges=[(0, 1)], directed=True))
    graph.vs["name"] = ["x", "x", "z"]
    with pytest.raises(nn.Error, match="same name"):
        nn.from_igraph(graph)


def test_nodes_of_files_by_name(tmp_path):
    path = tmp_path / "cities.csv"
    path.write_text("Bern,Basel\nBern,Chur\n")
    g = nn.from_file(path)
    assert g.names == ["Bern", "Basel", "Chur"] and g.route("Basel", "Chur").hops == 2
    assert g.throughput(gap=None).busiest.source in g.names
    alike(pickle.loads(pickle.dumps(g)), g)
    assert pickle.loads(pickle.dumps(g)).names == g.names
    assert nn.file(str(path)).names is None
    (tmp_path / "one.edges").write_text("1 2\n2 3\n")
    assert nn.from_file(tmp_path / "one.edges").names == [1, 2, 3]
    (tmp_path / "zero.edges").write_text("0 1\n1 2\n")
    assert nn.from_file(tmp_path / "zero.edges", "edges", nodes=4).order == 4
    cube = nn.hypercube(3).labelled()
    assert cube.neighbors("000") == ["001", "010", "100"] and copy.copy(cube).names == cube.names


def test_latencies_and_bandwidths_are_those_of_files():
    for spec in ["hosts(rdn(ring(3), 1), 2)", "rdn(ring(3), 1)"]:
        g = nn.network(spec)
        costs = dict(latency=["5ns", "1=20ns", "host=1ns"], bandwidth={0: "100Gbps"})
        graph = g.to_networkx(**costs)
        text = json.loads(g.export("node-link", **costs).text)
        shift = g.hosts if g.hosts < g.order else 0
        assert len(text["edges"]) == g.links.count - shift
        for edge in text["edges"]:
            ours = graph.edges[edge.pop("source") + shift, edge.pop("target") + shift]
            assert {"width": 1, **edge} == ours
        if shift:
            host = next(iter(graph[0].values()))
            assert host["latency"] == 1.0 and "bandwidth" not in host
    with pytest.raises(nn.Error, match="latency"):
        nn.ring(3).to_networkx(latency="soon")
