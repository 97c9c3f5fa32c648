"""Random failures and what they leave, by NetworkX alone: the oracle of crates/nestnet/tests/data/resilience.json.

    python3 xtask/resilience.py target/debug/nestnet > crates/nestnet/tests/data/resilience.json

Only the links of the whole networks are asked of nestnet; the random sample is written once more from its description.
"""

import json
import subprocess
import sys

import networkx as nx

MASK = (1 << 64) - 1

# spec, hosts (0: every node is one), what fails, rate
INSTANCES = [
    ("petersen", 0, "links", 0.2),
    ("rdn(ring(5), 1)", 0, "links", 0.1),
    ("rdn(petersen, 1)", 0, "links", 0.05),
    ("rsn(hypercube(2), 2)", 0, "switches", 0.1),
    ("rsn(torus(3, 3), 2)", 0, "links", 0.15),
    ("rcr(2, 3, 1)", 0, "switches", 0.05),
    ("torus(5, 5)", 0, "links", 0.3),
    ("random_regular(60, 4, 1)", 0, "links", 0.1),
    ("hosts(slimfly(5), 4)", 200, "links", 0.1),
    ("fat_tree(4)", 16, "switches", 0.1),
]
TRIALS = 20


def splitmix64(x):
    x = (x + 0x9E3779B97F4A7C15) & MASK
    x = ((x ^ x >> 30) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ x >> 27) * 0x94D049BB133111EB) & MASK
    return x ^ x >> 31


def happens(number, probability):
    return (number >> 11) < probability * (1 << 53)


def fails(what, rate, seed, graph, routers):
    """The routers and the links between them that fail."""
    if what == "switches":
        return [v for v in routers if happens(splitmix64(splitmix64(seed) ^ v), rate)], []
    draw = splitmix64(~seed & MASK)
    between = [(min(e), max(e)) for e in graph.edges if e[0] in routers and e[1] in routers]
    return [], [(a, b) for a, b in between if happens(splitmix64(splitmix64(draw ^ a) ^ b), rate)]


def between(routers, own, all_hosts):
    """What every host sends to every other, 1 each, on all shortest paths alike: the loads of all channels."""
    if all_hosts:
        return nx.edge_betweenness_centrality(routers.to_directed(), normalized=False).values()
    # Only some routers have hosts: path by path.
    far = {s: nx.single_source_shortest_path_length(routers, s) for s in routers}
    paths = {}
    for s in routers:
        paths[s] = {s: 1}
        for v in sorted(far[s], key=far[s].get):
            for w in routers[v]:
                if far[s][w] == far[s][v] + 1:
                    paths[s][w] = paths[s].get(w, 0) + paths[s][v]
    loads = []
    for u, v in routers.to_directed().edges:
        load = 0.0
        for s in (s for s in routers if own[s]):
            for t in (t for t in routers if own[t] and t != s):
                if far[s][u] + 1 + far[v][t] == far[s][t]:
                    load += len(own[s]) * len(own[t]) * paths[s][u] * paths[v][t] / paths[s][t]
        loads.append(load)
    return loads


def trial(graph, hosts, what, rate, seed):
    routers = set(graph.nodes) if hosts == 0 else set(range(hosts, len(graph)))
    own = {v: [v] for v in routers} if hosts == 0 else {v: [] for v in routers}
    for host in range(hosts):
        (switch,) = graph.neighbors(host)
        own[switch].append(host)
    nodes, links = fails(what, rate, seed, graph, routers)
    left = graph.copy()
    left.remove_edges_from(links)
    dead = [host for v in nodes for host in own[v]]
    left.remove_nodes_from(nodes)
    left.remove_nodes_from(dead)
    parts = list(nx.connected_components(left.subgraph(routers - set(nodes))))
    count = lambda part: sum(len(own[v]) for v in part)
    best = min(parts, key=lambda part: (-count(part), min(part)), default=set())
    inside = [host for v in best for host in own[v]]
    total = sum(len(some) for some in own.values())
    up = total - len(dead)
    rest = left.subgraph(set(best) | set(inside))
    distances = [
        d
        for host in inside
        for to, d in nx.single_source_shortest_path_length(rest, host).items()
        if to != host and to in set(inside)
    ]
    theta = 0.0
    if len(inside) > 1:
        loads = between(rest.subgraph(best), own, hosts == 0)
        theta = 1.0 / max([1.0] + [x / (len(inside) - 1) for x in loads])
    return {
        "failed": len(nodes) + len(links),
        "connected": len(inside) == up,
        "hosts_lost": total - len(inside),
        "diameter": max(distances, default=0),
        "mean": sum(distances) / len(distances) if distances else 0.0,
        "throughput": theta,
    }


def main():
    found = []
    for spec, hosts, what, rate in INSTANCES:
        text = subprocess.run([sys.argv[1], "edges", spec], capture_output=True, text=True, check=True).stdout
        graph = nx.Graph(tuple(map(int, line.split())) for line in text.splitlines())
        trials = [trial(graph, hosts, what, rate, seed) for seed in range(1, TRIALS + 1)]
        found.append({"spec": spec, "fail": what, "rate": rate, "trials": trials})
    json.dump(found, sys.stdout, indent=1)
    print()


main()
