"""Graphs go to other libraries and come back, with their names."""

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
    graph = nx.MultiGraph([(0, 1), (0, 1)])
    graph.add_node("alone")
    g = nn.from_networkx(graph)
    assert (g.order, g.links.count, g.connected) == (3, 1, False)
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
