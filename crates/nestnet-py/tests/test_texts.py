"""What is printed of results, and what `help` says of their fields."""

import dataclasses
import warnings

import nestnet as nn
import pytest
from nestnet import results
from nestnet.results import Result

CLASSES = [one for one in vars(results).values() if isinstance(one, type) and issubclass(one, Result)]


@pytest.mark.parametrize("one", CLASSES, ids=lambda one: one.__name__)
def test_every_field_has_a_description(one):
    if not dataclasses.is_dataclass(one):
        return
    docs = "\n".join(base.__doc__ or "" for base in one.__mro__ if issubclass(base, Result))
    fields = [field.name for field in dataclasses.fields(one)]
    assert [name for name in fields if f"- ``{name}``: " not in docs] == []


def large():
    g = nn.torus(4, 4)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        curve = g.simulate([0.1, 0.2], warmup=100, cycles=200, per_host=True)
    return {
        "simulation": curve,
        "point": curve.points[0],
        "cluster": nn.design(hosts=16, radix=8, depth=0),
        "chip": nn.design(nodes=16, max_degree=4, depth=0),
        "comparison": nn.compare([g, "ring(16)"]),
        "measures": g.measure(),
        "info": g.info(),
        "route": g.route(0, 10),
        "deadlock": g.deadlock(),
        "collective": g.collective("allgather"),
        "broadcast": g.broadcast(),
        "throughput": g.throughput(),
        "routing": g.routing(),
        "claims": nn.claims("li-2009", only=["abstract-nodes"]),
        "resilience": g.resilience(at=0.1, trials=10),
        "page": nn.report("ring(5)"),
        "drawing": g.draw(),
        "study": nn.study(text='specs = ["petersen", "ring(10)"]\n[measure]\nkeys = ["diameter"]\n'),
        "huge": nn.rdn(nn.torus(5, 5), 6).info(),
    }


def test_results_are_short_lines_and_print_as_texts():
    found = large()
    for name, one in found.items():
        assert "\n" not in repr(one) and len(repr(one)) <= 120, (name, repr(one))
        text = str(one)
        assert max(map(len, text.splitlines())) <= 300, (name, text)
        assert "object at 0x" not in text, name
    lines = str(found["simulation"]).splitlines()
    at = lines.index("points")
    assert lines[at + 1].split() == "offered accepted latency p50 p99 network hops packets status".split()
    assert lines[at + 2].split()[0] == "0.1" and lines[at + 3].split()[0] == "0.2"
    assert "$/host" in str(found["cluster"]) and "hosts(" in str(found["cluster"])
    assert "torus(4, 4)" in str(found["comparison"]) and "ring(16)" in str(found["comparison"])
    assert any(row.split() == ["diameter", "4", "theorem"] for row in str(found["measures"]).splitlines())
    assert "measure.diameter.low" in str(found["study"])
    # A number is one.
    assert f"{nn.petersen().measure('diameter').diameter}" == "Bounded(low=2, high=2, how='theorem')"


def test_doubts_about_a_simulation_are_warnings():
    with pytest.warns(RuntimeWarning, match="converged") as caught:
        found = nn.hosts(nn.dragonfly(4, 2), 2).simulate(warmup=1, cycles=20)
    assert found.warning and found.warning in str(caught[0].message)
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert nn.mesh(4, 4).simulate(0.1).warning is None
