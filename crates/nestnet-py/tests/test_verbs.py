"""Every verb of the command line is a method with the same answer."""

import json
import re
import warnings

import networkx as nx
import pytest

import nestnet as nn
from nestnet import _nestnet


def same(ours, theirs, but=()):
    """Whether a result says all that JSON says; names of Python for `from` and `to`."""
    plain = json.loads(json.dumps(ours.to_dict()))
    for key, value in theirs.items():
        key = {"from": "source", "to": "target"}.get(key, key) if "from" in theirs else key
        if key not in but:
            assert agree(plain[key], value), (key, plain[key], value)


def agree(ours, theirs):
    if isinstance(theirs, dict) and isinstance(ours, dict):
        rename = {"from": "source", "to": "target"} if "from" in theirs else {}
        return all(agree(ours[rename.get(key, key)], value) for key, value in theirs.items())
    if isinstance(theirs, list) and isinstance(ours, list):
        return len(ours) == len(theirs) and all(map(agree, ours, theirs))
    if isinstance(theirs, float):
        return ours == pytest.approx(theirs, rel=1e-5, abs=1e-6)
    return ours == theirs


@pytest.mark.parametrize("spec", ["rdn(ring(3), 1)", "hosts(torus(4, 4), 2)", "petersen"])
def test_answers_of_verbs_are_those_of_the_command_line(spec, asked):
    g = nn.network(spec)
    last = str(g.order - 1)
    same(g.cut(), asked("cut", spec, "--side"))
    same(g.paths(0, g.order - 1), asked("paths", spec, "0", last))
    same(g.routing(), asked("routing", spec))
    same(g.routing("balanced", sample=50, seed=3), asked("routing", spec, "--router", "balanced", "--sample", "50", "--seed", "3"))
    theirs = asked("routing", spec, "--random-faults", "0.05", "--failing", "links", "--seed", "2")
    same(g.routing(random_faults=0.05, failing="links", seed=2), theirs)
    theirs = asked("resilience", spec, "--at", "0.1,0.2", "--trials", "20", "--throughput")
    same(g.resilience(at=[0.1, 0.2], trials=20, throughput=True), theirs["networks"][0])
    same(g.grow(), asked("grow", spec))


def test_embeddings_emulations_and_programs(asked):
    spec = "rsn(hypercube(2), 3)"
    same(nn.hypercube(6).embed(spec), asked("embed", "hypercube(6)", spec, "--map"))
    same(nn.network("tree(7)").embed("rcr(2, 4, 3)", algorithm="paper"), asked("embed", "tree(7)", "rcr(2, 4, 3)", "--algorithm", "paper"))
    same(nn.network(spec).emulate(), asked("emulate", spec))
    same(nn.network(spec).emulate(2), asked("emulate", spec, "--dimension", "2"))
    same(nn.run("sort", "dual_cube(4)", seed=7), asked("run", "sort", "dual_cube(4)", "--seed", "7"))


def test_an_expansion_is_that_of_the_command_line(asked):
    spec = "clos(64, 3, 2, 4096)"
    theirs = asked("grow", spec, "--hosts", "6144", "--switch-ports", "64")
    ours = nn.network(spec).grow(hosts=6144, switch_ports=64)
    same(ours, theirs)
    assert ours.next[0].expansion.new_hosts > 0
    assert len(ours.to_pandas()) == len(ours.next)
    assert ours.switches.ports == 64 and ours.left_out == ()
    # Each switch has 31 links to others, and needs 95 ports with 64 hosts or 64 switches.
    none = nn.network("hosts(complete(32), 32)").grow(hosts=2048, switch_ports=64)
    assert none.next == () and [one.ports for one in none.left_out] == [95, 95]


def test_worst_faults_are_those_of_the_command_line(asked):
    theirs = asked("resilience", "petersen", "--at", "0.2", "--trials", "5", "--adversary", "--detours")
    row, ours = theirs["networks"][0]["rows"][0], nn.petersen().resilience(at=0.2, trials=5, adversary=True, detours=True).rows[0]
    assert ",".join(f"{a}-{b}" for a, b in ours.worst.links) == row["worst"]["faults"]
    assert ours.worst.hosts_lost == row["worst"]["hosts_lost"] and ours.vcs.mean == row["vcs"]["mean"]


def formats():
    """The names of all formats, which the error for an unknown one lists."""
    with pytest.raises(nn.Error) as caught:
        nn.ring(3).export("nothing")
    return str(caught.value).split(": ")[1].split(", ")


@pytest.mark.parametrize("format", formats())
def test_files_are_those_of_the_command_line(format, command_line, tmp_path):
    spec = "hosts(ring(5), 2)"
    theirs, ours = tmp_path / "theirs", tmp_path / "ours"
    code, out, error = command_line("export", spec, "-f", format, "-o", str(theirs))
    assert code == 0, error
    g = nn.network(spec)
    found = g.export(format, ours)
    assert ours.read_bytes() == theirs.read_bytes() == g.export(format).text.encode()
    assert found.text is None and found.file == str(ours) and str(g.export(format)) == g.export(format).text
    notes = [line.split("has no field for ")[1] for line in error.splitlines() if "no field" in line]
    assert list(found.does_not_say) == notes
    assert not list(tmp_path.glob(".nestnet*"))


@pytest.mark.parametrize("format", ["routes", "csv", "opensm"])
def test_tables_are_those_of_the_command_line(format, command_line, asked, tmp_path):
    path = tmp_path / "tables"
    theirs = asked("tables", "hosts(ring(5), 2)", "-f", format, "-o", str(path), "--assign")
    g = nn.network("hosts(ring(5), 2)")
    found = g.tables(format=format, assign=True)
    assert found.text == path.read_text()
    theirs["file"] = None
    same(found, theirs)
    assert bool(found.remarks) == (format == "opensm")


def test_routes_of_a_file_are_a_router(asked, tmp_path):
    path = tmp_path / "routes.txt"
    g = nn.torus(4, 4)
    g.tables(router="dor", path=path)
    router = f"table({path})"
    for target in range(1, 16):
        assert g.route(0, target, router=router).path == g.route(0, target, router="dor").path
    same(g.routing(router=router), asked("routing", "torus(4, 4)", "--router", router))
    theirs = asked("deadlock", "torus(4, 4)", "--router", router)
    assert g.deadlock(router=router).free == (theirs["verdict"] == "free")
    assert g.tables(router=router).text == path.read_text()
    assert g.simulate(0.1, router=router).points[0].accepted == pytest.approx(0.1, abs=0.01)
    # The name of a router is a router, not a file.
    assert g.route(0, 5, router="table(shortest)").hops == 2
    with pytest.raises(nn.Error, match="no router of this network is called `nothing.txt`"):
        g.route(0, 5, router="table(nothing.txt)")
    path.write_text("0 5 7\n")
    with pytest.raises(nn.Error, match="routes.txt"):
        g.route(0, 7, router=router)


def test_names_of_files_tell_formats_and_costs_are_written(tmp_path):
    g = nn.ring(4)
    assert g.export(path=tmp_path / "x.graphml").format == "graphml"
    text = g.export("node-link", latency="500ns", bandwidth={0: "100Gbps"}).text
    assert '"latency":500' in text and '"bandwidth":100' in text
    for call, said in [
        (lambda: g.export(), "which format"),
        (lambda: g.export(path="x.unknown"), "names no format"),
        (lambda: g.export("nothing"), "unknown format `nothing`: .*graphml"),
        (lambda: g.export("opensm"), "routing tables"),
        (lambda: g.export("edges", latency="soon"), "latency"),
        (lambda: g.export("edges", max_links=3), "max_links"),
        (lambda: g.export("edges", max_links=-1), "max_links: expected a whole number"),
        (lambda: g.export("edges", tmp_path / "none" / "x"), "cannot write"),
        (lambda: g.tables(format="graphml"), "networks"),
        (lambda: g.tables("nobody"), "nobody"),
        (lambda: g.paths(0, 0), "itself"),
        (lambda: g.paths(0, 1, budget=0), "budget: expected"),
        (lambda: g.paths(0, 9), "no node"),
        (lambda: g.routing(sample=0), "sample: expected"),
        (lambda: g.routing(failing="all"), "failing must be"),
        (lambda: g.routing(random_faults=2.0), "random_faults: a probability"),
        (lambda: g.routing(failed_links=[(0, 2)]), "failed_links"),
        (lambda: g.resilience("wires"), r"fail \(what fails\): expected links or"),
        (lambda: g.resilience(at=1.5), r"at \(the prob.*from 0 to 1"),
        (lambda: g.resilience(trials=0), r"trials \(.*: expected a number at least 1"),
        (lambda: g.embed("ring(4)", algorithm="paper"), "paper of the host"),
        (lambda: g.embed("ring(4)", algorithm="magic"), "algorithm must be"),
        (lambda: nn.path(5).emulate(), "emulates no other"),
        (lambda: nn.rsn(nn.hypercube(2), 2).emulate(9), "dimension"),
        (lambda: nn.run("chess", "hypercube(3)"), "program must be one of .*fft"),
        (lambda: nn.study(), "either path or text"),
        (lambda: nn.study(text="specs = 5"), "specs"),
        (lambda: g.simulate(0.1, device="tpu"), "device must be"),
        (lambda: g.measure("diameter", device="tpu"), "device must be"),
    ]:
        with pytest.raises(nn.Error, match=said):
            pytest.fail(f"{said}: {call()}")


def test_a_routing_that_takes_too_long_names_the_sample():
    g = nn.rdn(nn.torus(5, 5), 3)
    with pytest.raises(nn.LimitError, match="sample=N"):
        g.routing()
    assert g.routing(sample=100).arrived == 100


STUDY = """
specs = ["torus(4, 4)", "petersen"]
[measure]
keys = ["diameter", "average_distance"]
[resilience]
faults = [0.1]
trials = 10
"""


def test_a_study_is_that_of_the_command_line(command_line, tmp_path):
    path, store = tmp_path / "sweep.toml", tmp_path / "store"
    path.write_text(STUDY)
    assert command_line("study", str(path), "--dir", str(store))[0] == 0
    assert command_line("study", "collect", str(path), "--dir", str(store), "-o", str(tmp_path / "all.csv"))[0] == 0
    found = nn.study(path)
    assert (found.points, found.made, found.none) == (4, 4, 0)
    # What the command line kept is not made again, and what is torn is.
    assert nn.study(path, dir=store).made == 0
    assert nn.study(path, dir=store).rows == found.rows
    one = next(store.glob("*/*.json"))
    one.write_text("torn")
    assert nn.study(text=STUDY, dir=store).made == 1
    assert nn.study(path, dir=tmp_path / "new").made == 4 and nn.study(path, dir=tmp_path / "new").made == 0
    pandas = pytest.importorskip("pandas")
    theirs = pandas.read_csv(tmp_path / "all.csv")
    ours = found.to_pandas()
    assert list(ours.columns) == list(theirs.columns) and len(ours) == len(theirs)
    assert ours["measure.diameter.high"].dropna().tolist() == theirs["measure.diameter.high"].dropna().tolist()


def test_a_gpu_that_is_not_there_is_said():
    g = nn.network("random_regular(200, 3, 1)")
    for ask in [
        lambda device: g.measure("diameter", device=device).diameter,
        lambda device: g.simulate(0.1, warmup=50, cycles=100, device=device).points,
    ]:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            assert ask("gpu") == ask("cpu")
        # Where there is a GPU it does the same, and nothing is said.
        assert all("the CPU does it" in str(one.message) for one in caught)


def test_no_verb_is_forgotten(command_line):
    """What the command line has and Python does not is listed here."""
    _, out, _ = command_line("--help")
    verbs = set(re.findall(r"^  ([a-z]+) +[A-Z]", out, re.MULTILINE))
    assert len(verbs) > 20
    methods = {name for name in dir(nn.Network)} | {name for name in nn.__all__}
    other = {"completions", "man", "view", "help", "merge", "import", "families", "serve"}
    assert verbs - methods - other == set()
    assert hasattr(nn.families, "ROWS") and callable(nn.file)


def test_views_are_those_of_networkx():
    g = nn.fat_tree(4)
    graph = nx.Graph(g)
    assert nx.utils.graphs_equal(graph, nx.Graph(g.to_networkx())) or graph.adj == g.to_networkx().adj
    assert graph.nodes(data=True)[16] == g.to_networkx().nodes[16]
    assert {frozenset(edge) for edge in g.edges} == {frozenset(edge) for edge in graph.edges}
    assert len(g.edges) == graph.number_of_edges() and (0, 16) in g.edges and (0, 1) not in g.edges
    assert g[0] == graph[0] and dict(g.adj[16]) == dict(graph.adj[16])
    assert g.edges[0, 16] == graph.edges[0, 16] == {"width": 1, "level": g.links.levels()[0]}
    assert list(g.edges(data=True)) == [(a, b, graph.edges[a, b]) for a, b in g.edges]
    assert sorted(g.edges([0, 16])) == sorted((a, b) for a, b in graph.edges([0, 16]))
    assert g.has_edge(16, 0) and not g.has_edge(0, 99) and g.has_node(0) and not g.has_node("x")
    assert "x" not in g.adj and len(g.adj) == 36 and len(g.nodes) == 36
    assert list(g.nodes(data="role"))[15:17] == [(15, "host"), (16, "switch")]
    for bad in [99, "x", 1.5]:
        with pytest.raises(KeyError):
            g[bad]
    assert nn.from_networkx(graph).hosts == 16
    trunk = nn.from_edges([("a", "b"), ("a", "b"), ("b", "c")])
    assert trunk["a"] == {"b": {"width": 2, "level": 0}} and trunk.edges["b", "a"]["width"] == 2
    assert list(trunk.nodes) == ["a", "b", "c"] and trunk.nodes[1:] == ["b", "c"]
    assert trunk.nodes == ("a", "b", "c") and trunk.nodes != ("a", "b")
    # Algorithms that look at a graph by themselves.
    assert set(nx.circular_layout(trunk)) == {"a", "b", "c"}
    assert nx.to_dict_of_lists(nx.Graph(trunk)) == {"a": ["b"], "b": ["a", "c"], "c": ["b"]}
    assert isinstance(_nestnet.families(), list)


@pytest.mark.parametrize("draw", [nx.draw, nx.draw_networkx, nx.draw_circular])
@pytest.mark.parametrize("spec", ["petersen", "fat_tree(4)", "path(1)", None])
def test_networkx_draws_a_network(draw, spec):
    """Every node is a dot and every link a line, also of a network with names."""
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot
    from matplotlib.collections import LineCollection, PathCollection

    g = nn.network(spec) if spec else nn.from_edges([("a", "b"), ("b", "c")])
    figure, axes = pyplot.subplots()
    try:
        draw(g, ax=axes)
        figure.canvas.draw()
        (dots,) = [one for one in axes.collections if isinstance(one, PathCollection)]
        lines = [one for one in axes.collections if isinstance(one, LineCollection)]
        assert len(dots.get_offsets()) == g.order
        assert sum(len(one.get_segments()) for one in lines) == len(g.edges)
        if draw is nx.draw_networkx:
            assert {text.get_text() for text in axes.texts} == {str(node) for node in g.nodes}
    finally:
        pyplot.close(figure)
