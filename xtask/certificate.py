#!/usr/bin/env python3
"""Is a certificate that `nestnet throughput --certificate` wrote true? A second program, from the definitions alone.

usage: certificate.py CERTIFICATE EDGES HOSTS [THROUGHPUT]

EDGES is what `nestnet edges` printed, HOSTS how many of the first nodes send. THROUGHPUT is what `throughput --json`
printed; where it has a permutation, that is the traffic, else every host sends to all others alike. Needs nothing but
Python. Prints what the flow carries and what the lengths prove; exit code 1 where they do not prove what is claimed.
"""

import heapq
import json
import sys
from collections import defaultdict

ROUNDING = 1e-7


def traffic(hosts, home, answer):
    """What the switches send to each other when every host sends 1."""
    sent = defaultdict(lambda: defaultdict(float))
    permutation = (answer or {}).get("permutation")
    for source in range(hosts):
        if permutation:
            targets = [permutation[source]]
        else:
            targets = [target for target in range(hosts) if target != source]
        for target in targets:
            if home[source] != home[target]:
                sent[home[target]][home[source]] += 1 / len(targets)
    return sent


def main():
    certificate, edges, hosts = sys.argv[1], sys.argv[2], int(sys.argv[3])
    answer = json.load(open(sys.argv[4])) if len(sys.argv) > 4 else None
    proof = json.load(open(certificate))
    links = [tuple(map(int, line.split()[:2])) for line in open(edges) if line[0].isdigit()]
    order = 1 + max(max(link) for link in links)
    neighbor = {}
    for a, b in links:
        neighbor[a], neighbor[b] = b, a
    own = hosts < order
    home = [neighbor[host] if own else host for host in range(hosts)]
    real = {pair for a, b in links for pair in ((a, b), (b, a)) if not own or (a >= hosts and b >= hosts)}
    channels = [tuple(pair) for pair in proof["channels"]]
    if set(channels) != real or len(channels) != len(real):
        sys.exit("the channels are not those of the network")
    sent = traffic(hosts, home, answer)

    loads = [0.0] * len(channels)
    seen = set()
    for part in proof["flow"]:
        to = part["to"]
        seen.add(to)
        left = defaultdict(float)
        for source, amount in sent[to].items():
            left[source] += amount
            left[to] -= amount
        for channel, amount in part["flow"]:
            if amount < -ROUNDING:
                sys.exit(f"a flow of {amount}")
            a, b = channels[channel]
            left[a] -= amount
            left[b] += amount
            loads[channel] += amount
        for node, amount in left.items():
            if abs(amount) > ROUNDING:
                sys.exit(f"{amount} of what goes to {to} is left over at {node}")
    if not set(sent) <= seen:
        sys.exit("some destinations have no flow")
    carried = 1 / max(loads)

    lengths = proof["lengths"]
    if min(lengths) < 0:
        sys.exit("a negative length")
    into = defaultdict(list)
    for (a, b), length in zip(channels, lengths):
        into[b].append((a, length))
    needed = 0.0
    for to, sources in sent.items():
        distance, heap = {}, [(0.0, to)]
        while heap:
            here, at = heapq.heappop(heap)
            if at in distance:
                continue
            distance[at] = here
            for a, length in into[at]:
                if a not in distance:
                    heapq.heappush(heap, (here + length, a))
        needed += sum(amount * distance[source] for source, amount in sources.items())
    proven = sum(lengths) / needed
    print(f"the flow carries {carried:.9f}, the lengths prove {proven:.9f}")
    low, high = proof["low"], proof["high"]
    if low > carried * (1 + ROUNDING) or high < proven * (1 - ROUNDING):
        sys.exit(f"but {low} and {high} are claimed")


if __name__ == "__main__":
    main()
