"""Writes the files beside it, as NetworkX 3.6.1 (with pydot) and igraph 1.0.0 do."""

import json
from pathlib import Path

import igraph
import networkx as nx

HERE = Path(__file__).parent


def write(name, graph):
    nx.write_gexf(graph, HERE / f"{name}.gexf")
    nx.nx_pydot.write_dot(graph, HERE / f"{name}.dot")
    nx.write_pajek(graph, HERE / f"{name}.net")
    nx.write_graphml(graph, HERE / f"{name}.graphml")
    (HERE / f"{name}.json").write_text(json.dumps(nx.adjacency_data(graph)) + "\n")
    nx.write_adjlist(graph, HERE / f"{name}.adjlist")


write("petersen", nx.petersen_graph())
write("directed", nx.DiGraph([("a", "b"), ("b", "a"), ("b", "c")]))
multi = nx.MultiGraph(name="a small network")
multi.add_nodes_from([("spine", {"role": "switch"}), "leaf-1", "leaf-2", "é", "alone"])
multi.add_edge("spine", "leaf-1", weight="2.5")
multi.add_edge("spine", "leaf-1")
multi.add_edge("spine", "leaf-2")
multi.add_edge("leaf-2", "é")
write("multi", multi)

named = igraph.Graph(edges=[(0, 1), (1, 2), (1, 2)])
named.vs["name"] = ["sw a", "sw b", "sw c"]
named.vs["color"] = ["red"] * 3
for end in ["graphml", "gml", "dot", "net"]:
    named.write(str(HERE / f"igraph.{end}"), format={"net": "pajek"}.get(end, end))
