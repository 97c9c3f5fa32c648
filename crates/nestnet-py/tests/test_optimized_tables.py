"""Explicit paths of `optimized`, walked again: links, virtual channels, throughput and deadlock by a second program."""

import os
from collections import Counter, defaultdict
from fractions import Fraction

import pytest

SLOW = [
    "hosts(random_regular(24, 6, 2), 3)",
    "hosts(random_regular(32, 4, 3), 2)",
    "slimfly(5)",
    "polarfly(3)",
    "hosts(dragonfly(4, 2), 2) shift(8)",
    "rdn(petersen, 1)",
    "rcr(2, 4, 2)",
    "hosts(xpander(4, 6, 1), 2)",
    "spectralfly(3, 5)",
]
CASES = ["hosts(random_regular(20, 5, 1), 3)", "rdn(ring(3), 1)"]
if os.environ.get("SLOW_TESTS"):
    CASES += SLOW


def routes_of(text):
    """The routes of a file: nodes and virtual channels, by their ends."""
    found = defaultdict(list)
    for line in text.splitlines():
        nodes, vcs = line.split(":")
        nodes = [int(node) for node in nodes.split()]
        found[nodes[0], nodes[-1]].append((nodes, [int(vc) for vc in vcs.split()]))
    return found


def cyclic(following):
    """Whether a directed graph has a cycle."""
    before = Counter(to for all_of in following.values() for to in all_of)
    ready = [at for at in following if before[at] == 0]
    left = len(set(following) | set(before))
    while ready:
        left -= 1
        for to in following.get(ready.pop(), ()):
            before[to] -= 1
            if before[to] == 0:
                ready.append(to)
    return left > 0


@pytest.mark.parametrize("case", CASES)
def test_paths_are_what_they_are_said_to_be(case, asked, command_line, tmp_path):
    spec, _, traffic = case.rpartition(" ") if "shift" in case else (case, "", "uniform")
    router = f"optimized({traffic})"
    said = asked("throughput", spec, "--traffic", traffic, "--router", router)
    file = tmp_path / "routes.txt"
    code, _, error = command_line("tables", spec, "--router", router, "-o", str(file))
    assert code == 0, error
    routes = routes_of(file.read_text())
    code, edges, error = command_line("edges", spec)
    assert code == 0, error
    links = set()
    for line in edges.splitlines():
        a, b = (int(node) for node in line.split()[:2])
        links |= {(a, b), (b, a)}
    hosts = said["hosts"]
    assert len(routes) == hosts * (hosts - 1)
    # Every hop is a link; what a channel waits for is on another channel.
    loads, following = defaultdict(Fraction), defaultdict(set)
    for (start, end), choices in routes.items():
        if traffic == "uniform":
            rate = Fraction(1, hosts - 1)
        else:
            rate = Fraction(int((start + int(traffic[6:-1])) % hosts == end))
        for nodes, vcs in choices:
            hops = list(zip(nodes, nodes[1:]))
            assert len(vcs) == len(hops) and all(hop in links for hop in hops)
            channels = list(zip(hops, vcs))
            for channel, after in zip(channels, channels[1:]):
                following[channel].add(after)
            for hop in hops:
                loads[hop] += rate / len(choices)
    assert not cyclic(following)
    # Links of hosts are not of the fabric.
    ends = {nodes[0] for choices in routes.values() for nodes, _ in choices}
    direct = all(a in ends and b in ends for a, b in links)
    fabric = [load for (a, b), load in loads.items() if direct or not {a, b} & ends]
    assert 1 / max(fabric) == Fraction(said["network_theta_exact"])
    assert said["network_theta"] >= 0.97 * said["any_routing"]["low"]
