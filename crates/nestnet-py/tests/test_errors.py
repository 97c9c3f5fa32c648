"""What is wrong is said as the command line says it, and nothing breaks."""

import pytest

import nestnet as nn

BAD = [
    "",
    "rdn(torus(5,5)",
    "toruss(3)",
    "ring(0)",
    "rdn(ring(5), 1, 2)",
    "rdn(ring(5), x=1)",
    "torus(5, 5",
    "rdn(5, 1)",
    'file("no such file")',
    "re(ring(3))",
    "ring(99999999999999999999999)",
    "rdn(rdn(rdn(ring(3)",
    "\x00",
    "ring(3) ring(4)",
]


@pytest.mark.parametrize("text", BAD)
def test_a_bad_spec_is_reported_as_at_the_command_line(text, command_line):
    with pytest.raises(nn.SpecError) as caught:
        nn.network(text)
    assert isinstance(caught.value, ValueError)
    if "\x00" in text:
        return
    code, _, error = command_line("info", text)
    assert code == 2 and error.startswith("error: ")
    assert error[len("error: ") :].rstrip("\n") == str(caught.value)


def test_nodes_and_routers_are_reported_as_at_the_command_line(command_line):
    for args, ask, kind in [
        (("route", "ring(5)", "0", "7"), lambda g: g.route(0, 7), nn.NodeError),
        (("route", "ring(5)", "0", "x"), lambda g: g.route(0, "x"), nn.NodeError),
        (("neighbors", "ring(5)", "-1"), lambda g: g.neighbors(-1), nn.NodeError),
        (("route", "ring(5)", "0", "1", "--router", "y"), lambda g: g.route(0, 1, "y"), nn.Error),
        (("measure", "ring(5)", "--only", "diametre"), lambda g: g.measure("diametre"), nn.Error),
        (
            ("throughput", "ring(5)", "--traffic", "x"),
            lambda g: g.throughput("x"),
            nn.Error,
        ),
    ]:
        with pytest.raises(kind) as caught:
            ask(nn.ring(5))
        code, _, error = command_line(*args)
        assert code == 2
        assert error == f"error: {caught.value}\n"


def test_keys_and_files_that_are_not_there_are_errors_of_python_too(tmp_path):
    g = nn.ring(5)
    labelled = nn.from_edges([("a", "b")])
    for ask, kind in [
        (lambda: g[99], nn.NodeError),
        (lambda: g["0"], nn.NodeError),
        (lambda: g[[]], nn.NodeError),
        (lambda: g.adj[-1], nn.NodeError),
        (lambda: g.edges[99, 0], nn.NodeError),
        (lambda: g.edges[0, 99], nn.Error),
        (lambda: g[0][2], nn.Error),
        (lambda: labelled["c"], nn.NodeError),
    ]:
        with pytest.raises(KeyError) as caught:
            ask()
        assert isinstance(caught.value, kind) and isinstance(caught.value, ValueError)
        # Without the quotes of a `KeyError`.
        assert str(caught.value).startswith("no ")
    with pytest.raises(nn.Error, match="`labelled` calls nodes by their addresses"):
        nn.torus(3, 3)["(0,1)"]
    assert g.adj.get(99) is None and 99 not in g.adj and 2 not in g[0] and g[0].get(2) is None
    with pytest.raises(FileNotFoundError, match="nothing.txt") as caught:
        nn.from_file(tmp_path / "nothing.txt")
    assert isinstance(caught.value, nn.SpecError)
    # What is there and is no network is no such error.
    with pytest.raises(nn.SpecError) as caught:
        nn.from_file(tmp_path)
    assert not isinstance(caught.value, OSError)


def test_limits_are_kept_and_named():
    g = nn.network("random_regular(3000, 4, 1)")
    with nn.limits(max_memory=1000), pytest.raises(nn.LimitError, match="max_memory"):
        g.to_scipy()
    # Outside of the block they are as before.
    assert g.to_scipy().nnz == 12_000
    with nn.limits(max_time=0.2), pytest.raises(nn.LimitError, match="max_time"):
        nn.network("rdn(torus(5, 5), 1)").simulate(0.3, cycles=10**9)
    for bad in [dict(max_time=0), dict(max_time=-1), dict(max_memory=-1)]:
        with pytest.raises(nn.Error):
            nn.limits(**bad)
    with nn.limits(progress=False, max_time=1e300, max_memory=2**70):
        assert nn.petersen().diameter == 2


def test_options_that_messages_name_are_keyword_arguments():
    g = nn.ring(8)
    for ask, said in [
        (lambda: g.simulate(0.1, priority="class"), "priority by class needs message classes (classes=)"),
        (
            lambda: g.simulate(0.1, classes="0.5,0.5", vcs=4, outstanding=3),
            "message classes are for hosts that send without replies, outstanding= and ecn=",
        ),
    ]:
        with pytest.raises(nn.Error) as caught:
            ask()
        assert str(caught.value) == said
    with nn.limits(max_memory=1000), pytest.raises(nn.LimitError, match=r"1000 bytes \(max_memory=\)"):
        nn.network("random_regular(3000, 4, 1)").to_scipy()


def test_integers_of_any_length_are_integers():
    grown = nn.network("hypercube(300)").info()
    assert grown.nodes == 2**300 and isinstance(grown.nodes, int)


def test_values_of_another_kind_are_type_errors():
    for ask in [
        lambda: nn.network(5),
        lambda: nn.ring(5).neighbors(None),
        lambda: nn.ring(),
        lambda: nn.ring(1, 2),
        lambda: nn.ring(m=2),
    ]:
        with pytest.raises((TypeError, nn.Error)):
            ask()
    with pytest.raises(nn.SpecError):
        nn.network("ring(x)")


def test_what_is_no_choice_is_named():
    g = nn.ring(5)
    for ask, said in [
        (lambda: g.broadcast(0, ports="two"), "ports"),
        (lambda: g.draw(theme="pink"), "theme"),
        (lambda: g.draw(labels="names"), "labels"),
        (lambda: g.collective("scatter", algorithm="magic"), "algorithm"),
        (lambda: g.collective("allgather", root=1), "root"),
        (lambda: nn.design(hosts=100), "radix"),
        (lambda: nn.design(nodes=100, objectives=["beauty"]), "beauty"),
        (lambda: nn.design(hosts=64, radix=16, sort="links"), "sort: only a design by nodes"),
        (lambda: nn.design(hosts=64, radix=16, objectives=["links"]), "objectives: only"),
        (lambda: nn.design(nodes=64, taper=2.0), "taper: only a design by hosts and radix"),
        (lambda: nn.design(nodes=64, max_price=9.0), "max_price: only"),
        (lambda: nn.design(nodes=64, price_used_ports=True), "price_used_ports: only"),
        (lambda: nn.from_edges([(0, 1), (2, 3)]).route(0, 3), "no path from 0 to 3"),
        (lambda: nn.from_edges([("a", "b"), ("c", "d")]).route("a", "d"), "no path from 'a' to 'd'"),
        (lambda: nn.compare("ring(5)", cost_model="garden"), "cost_model"),
        (lambda: nn.claims("nobody-1999"), "nobody-1999"),
        (lambda: nn.claims(only=["nothing-at-all"]), "nothing-at-all"),
        (lambda: g.simulate(1.5), "load"),
        (lambda: g.simulate([]), "load"),
        (lambda: g.simulate(0.1, vcs=99), "virtual channels"),
        (lambda: g.simulate(0.1, vc_delay=0), "vc_delay .*from 1 to 4096"),
        (lambda: g.simulate(0.1, vc_allocator="best"), "islip or separable_input_first"),
        (lambda: g.simulate(0.1, speed=2), "no option `speed`: there are load, .*input_speedup"),
        (lambda: nn.compare("ring(5)", price=2), "no option `price`: there are match_nodes, .*nic"),
        (lambda: nn.design(node=64), "no option `node`: there are nodes, .*cost_model"),
        (lambda: nn.compare("ring(5)", nic=[1]), "nic .*two numbers"),
        (lambda: g.route(0, 1, choice=99), "choice"),
        (lambda: g.route(0, 1, router="as-printed"), "as-printed"),
    ]:
        with pytest.raises(nn.Error, match=said):
            ask()


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (
            lambda: nn.design(hosts="256", radix=64),
            "design: hosts must be an int or None, not str ('256')",
        ),
        (
            lambda: nn.design(hosts=256, radix=3.5),
            "design: radix must be an int or None, not float (3.5)",
        ),
        (
            lambda: nn.ring(5).simulate("x"),
            "simulate: load must be a float, a sequence of floats or None, not str ('x')",
        ),
        (
            lambda: nn.ring(5).simulate([0.1, "x"]),
            "simulate: load must be a float, a sequence of floats or None, not list ([0.1, 'x'])",
        ),
        (
            lambda: nn.ring(5).simulate(0.1, vcs="two"),
            "simulate: vcs must be an int or None, not str ('two')",
        ),
        (
            lambda: nn.ring(5).simulate(0.1, per_host=1),
            "simulate: per_host must be a bool, not int (1)",
        ),
        (
            lambda: nn.design(nodes=64, families="torus"),
            "design: families must be a sequence of strs or None, not str ('torus')",
        ),
        (lambda: nn.ring(5).routing(3), "routing: router must be a str or None, not int (3)"),
        (lambda: nn.ring(5).routing(seed=True), "routing: seed must be an int, not bool (True)"),
        (lambda: nn.ring(5).measure(7), "measure: keys must be a str, not int (7)"),
        (
            lambda: nn.compare([nn.ring(5), 5]),
            "compare: networks must be a Network, a str or a sequence of Networks or strs, not list",
        ),
        (lambda: nn.torus(4, "4"), "torus: sides must be an int, not str ('4')"),
        (lambda: nn.network(5), "network: text must be a str, not int (5)"),
        (lambda: nn.limits(max_time="5"), "limits: max_time must be a float or None, not str ('5')"),
    ],
)
def test_arguments_are_held_to_their_annotations(wrong, said):
    with pytest.raises(TypeError) as caught:
        wrong()
    assert str(caught.value).startswith(said)
    assert isinstance(caught.value, nn.Error)


def test_numbers_of_numpy_are_numbers():
    np = pytest.importorskip("numpy")
    assert nn.torus(np.int64(4), 4).order == 16
    found = nn.ring(5).simulate(np.array([0.1]), warmup=np.int32(10), cycles=20)
    same = nn.ring(5).simulate(0.1, percentiles=[95, 99.9], link_length=1.5, buffer=None, cycles=20)
    assert len(same.points[0].percentiles) == 2
    assert found.points[0].offered == nn.ring(5).simulate(np.float64(0.1), cycles=20).points[0].offered


def test_an_unknown_router_is_answered_with_all_names():
    g = nn.mesh(4, 4)
    for wrong in (g.simulate, g.throughput, g.deadlock, g.routing, g.tables):
        with pytest.raises(nn.Error, match="did you mean `minimal_adaptive`.*paper.*ugal.*dor"):
            wrong(router="minimal_adaptiv")
