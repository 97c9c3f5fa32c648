"""Every result becomes plain data that JSON takes, and says the same as the result."""

import dataclasses
import json
from fractions import Fraction

import networkx as nx
import numpy as np
import pytest

import nestnet as nn
from nestnet import results
from nestnet.results import Bounded, Mean, Measures, Missing, Result, Route

LABELS = [("a", 1), 2.5, frozenset({3}), "x", 10**30, -1, True, Fraction(1, 3), b"y", np.int64(4)]
GOAL = "num_ranks 2\nrank 0 {\nl1: send 64b to 1\n}\nrank 1 {\nl1: recv 64b from 0\n}\n"


def labelled():
    graph = nx.Graph()
    graph.add_nodes_from(LABELS)
    graph.add_edges_from((a, b) for a, b in zip(LABELS, LABELS[1:] + LABELS[:1]))
    graph.add_edge(LABELS[0], LABELS[5])
    return nn.from_networkx(graph)


# Networks of every kind: exact, with hosts and fractions, with odd labels, in parts, too large for ids.
NETWORKS = {
    "petersen": nn.petersen,
    "rdn": lambda: nn.rdn(nn.ring(3), 1),
    "hosts": lambda: nn.hosts(nn.dragonfly(2, 1), 2),
    "labelled": labelled,
    "parts": lambda: nn.from_edges([(0, 1), (2, 3)]),
    "single": lambda: nn.ring(1),
    "huge": lambda: nn.network("rdn(hypercube(10), 9)"),
}


def goal(g, folder):
    path = folder / "one.goal"
    path.write_text(GOAL)
    return g.run_goal(path)


# One or more calls of every method that gives a result.
METHODS = {
    "broadcast": [lambda g, _: g.broadcast()],
    "cut": [lambda g, _: g.cut()],
    "embed": [lambda g, _: g.embed(g)],
    "emulate": [lambda g, _: nn.rsn(nn.hypercube(1), 2).emulate(), lambda g, _: g.emulate(1)],
    "export": [
        lambda g, _: g.export("graphml"),
        lambda g, folder: g.export("edges", folder / "x.edges", latency="1ns"),
    ],
    "grow": [lambda g, _: g.grow(), lambda g, _: g.grow(hosts=40)],
    "paths": [lambda g, _: g.paths(g.label_of(0), g.label_of(g.order - 1))],
    "resilience": [
        lambda g, _: g.resilience(at=0.1, trials=3, throughput=True, detours=True, adversary=True),
        lambda g, _: g.resilience("nodes", at=[0.1, 0.2], trials=3),
    ],
    "routing": [
        lambda g, _: g.routing(),
        lambda g, _: g.routing(sample=4, failed_nodes=[g.label_of(1)], random_faults=0.01),
    ],
    "tables": [
        lambda g, _: g.tables(),
        lambda g, folder: g.tables(format="csv", path=folder / "t.csv"),
    ],
    "collective": [
        lambda g, _: g.collective("scatter", root=g.label_of(1)),
        lambda g, _: g.collective("allreduce", ports="all"),
    ],
    "deadlock": [lambda g, _: g.deadlock(), lambda g, _: g.deadlock("shortest", vcs=1)],
    "draw": [lambda g, _: g.draw()],
    "info": [lambda g, _: g.info()],
    "measure": [lambda g, _: g.measure("all"), lambda g, _: g.measure("farthest")],
    "mini_app": [lambda g, _: g.mini_app("allreduce(2)", bytes=64)],
    "report": [lambda g, _: g.report(baselines=False)],
    "route": [lambda g, _: g.route(g.label_of(0), g.label_of(g.order - 1))],
    "run_goal": [goal],
    "simulate": [
        lambda g, _: g.simulate([0.1, 1.0], warmup=50, cycles=200),
        lambda g, _: g.simulate(0.1, warmup=50, cycles=200, replies=1, per_host=True, per_flow=True, trace=True),
        lambda g, _: g.simulate(1.0, router="shortest", vcs=1, packet=4, buffer=1, warmup=50, cycles=2000),
    ],
    "throughput": [
        lambda g, _: g.throughput("worst", gap=0.1),
        lambda g, _: g.throughput("uniform", gap=None),
    ],
}
FUNCTIONS = {
    "claims": [lambda: nn.claims("li-2009", only=["table-2-ccc", "theorem-1"])],
    "compare": [
        lambda: nn.compare([labelled(), "ring(5)"], also=["farthest", "girth", "channel_load"]),
        lambda: nn.compare("rdn(hypercube(10), 9)"),
        lambda: nn.compare("petersen", match_nodes=True),
    ],
    "design": [
        lambda: nn.design(nodes=64, max_degree=4, depth=0),
        lambda: nn.design(nodes=64, max_degree=1, depth=0),
        lambda: nn.design(hosts=64, radix=16, depth=0),
    ],
    "report": [lambda: nn.report(["petersen"], baselines=False)],
    "run": [lambda: nn.run("sort", "dual_cube(2)"), lambda: nn.run("fft", nn.hypercube(3), seed=7)],
    "study": [lambda: nn.study(text='specs = ["petersen"]\n[resilience]\nfaults = [0.1]\ntrials = 3\n')],
}


def gives_result(function):
    """Whether a function is annotated to return a result."""
    name = getattr(function, "__annotations__", {}).get("return")
    found = [getattr(results, part, None) for part in name.split(" | ")] if isinstance(name, str) else []
    return bool(found) and all(isinstance(one, type) and issubclass(one, Result) for one in found)


def test_no_function_is_forgotten():
    methods = {
        name
        for name, value in vars(nn.Network).items()
        if not name.startswith("_") and gives_result(value)
    }
    assert methods == METHODS.keys()
    assert {name for name in nn.__all__ if gives_result(getattr(nn, name))} == FUNCTIONS.keys()


def check(result):
    """Whether plain data is JSON, and what JSON keeps."""
    plain = result.to_dict()
    text = json.dumps(plain, allow_nan=False)
    kept = json.loads(text, parse_int=str)
    assert json.loads(json.dumps(json.loads(text))) == json.loads(text)
    assert kept.keys() == plain.keys()
    visit(result, plain)


def visit(value, plain):
    """Plain data has the same numbers, texts and shape."""
    if isinstance(value, Result):
        for field in dataclasses.fields(value):
            if field.type in ("int", "int | None"):
                found = getattr(value, field.name)
                assert type(found) is int or (found is None and "None" in field.type), field
        names = [field.name for field in dataclasses.fields(value)]
        assert set(names) <= plain.keys()
        for name in names:
            visit(getattr(value, name), plain[name])
    elif isinstance(value, tuple):
        assert isinstance(plain, list) and len(plain) == len(value)
        for item, one in zip(value, plain):
            visit(item, one)
    elif hasattr(value, "items"):
        assert isinstance(plain, dict) and len(plain) == len(value)
        for key, item in value.items():
            visit(item, plain[key])
    else:
        assert plain is None or type(plain) in (bool, int, float, str), plain
        if type(value) in (bool, int, str):
            assert plain == value or (isinstance(value, int) and len(plain) > 4300)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", NETWORKS)
def test_results_of_networks_are_plain(name, method, tmp_path):
    given = 0
    for call in METHODS[method]:
        try:
            found = call(NETWORKS[name](), tmp_path)
        except nn.Error:
            # What this network does not have.
            continue
        given += 1
        assert isinstance(found, Result)
        check(found)
    assert given or name in ("parts", "single", "huge")


@pytest.mark.parametrize("name", FUNCTIONS)
def test_results_of_functions_are_plain(name):
    for call in FUNCTIONS[name]:
        check(call())


def test_numbers_of_any_length_and_kind():
    long = Bounded(10**4299, 10**5000, "theorem").to_dict()
    assert long["low"] == 10**4299 and long["high"] == "1" + "0" * 5000
    assert json.loads(json.dumps(long))["low"] == 10**4299
    mean = Mean(Fraction(10**5000, 3), "theorem").to_dict()
    assert mean["numerator"] == "1" + "0" * 5000 and mean["denominator"] == 3
    assert mean["value"] is None
    json.dumps(mean, allow_nan=False)
    values = {
        "nan": float("nan"),
        "infinite": float("-inf"),
        "numpy": np.float32(0.5),
        "int": np.uint64(2**63),
        "bool": np.True_,
        "array": np.arange(3),
        ("a", "tuple"): (1, (2, None)),
        3: {4: Fraction(1, 4)},
    }
    found = Measures("x", values).to_dict()["values"]
    assert json.loads(json.dumps(found, allow_nan=False)) == {
        "nan": None,
        "infinite": None,
        "numpy": 0.5,
        "int": 2**63,
        "bool": True,
        "array": [0, 1, 2],
        "('a', 'tuple')": [1, [2, None]],
        "3": {"4": 0.25},
    }


def test_fractions_are_numbers_with_their_exact_text():
    found = nn.hosts(nn.dragonfly(4, 2), 2).throughput("worst", gap=None)
    plain = found.to_dict()
    assert found.theta == Fraction(1, 10)
    assert (plain["theta"], plain["theta_exact"]) == (0.1, "1/10")
    assert plain["busiest"]["load_exact"] == "10"


def test_labels_in_plain_data():
    route = labelled().route(("a", 1), frozenset({3}))
    assert isinstance(route, Route)
    assert route.path == (("a", 1), 2.5, frozenset({3}))
    assert route.to_dict()["path"] == [["a", 1], 2.5, "frozenset({3})"]


def test_what_is_missing_says_so_in_plain_data():
    found = nn.path(4).measure("girth").to_dict()["values"]["girth"]
    assert found == {"why": "it has no cycle", "reason": "acyclic"}
    assert Missing("x").to_dict() == {"why": "x", "reason": "other"}
