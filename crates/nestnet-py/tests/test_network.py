"""A network in Python is the network of the command line."""

import copy
import dataclasses
import json
import pickle
from fractions import Fraction

import numpy as np
import pytest

import nestnet as nn
from nestnet import _nestnet


def test_text_and_functions_make_the_same_network():
    g = nn.network("rdn(torus(5, 5), 2)")
    h = nn.rdn(nn.torus(5, 5), 2)
    assert g.spec == h.spec == "rdn(torus(5, 5), 2)"
    assert g.order == h.order == 3_125_000
    assert nn.rdn(base="torus(5, 5)", k=2).spec == g.spec


@pytest.mark.parametrize("row", nn.families.ROWS, ids=lambda row: row["name"])
def test_every_family_is_a_function_that_makes_its_examples(row):
    function = getattr(nn, row["name"])
    assert function.__doc__.startswith(row["about"])
    names = list(function.__signature__.parameters)
    assert names == [param["name"] for param in row["params"]]
    assert row["name"] in nn.__all__
    if row["name"] == "file":
        return
    for text in row["examples"]:
        g = nn.network(text)
        assert nn.network(g.spec).order == g.order
        # The same without a text: what is between the brackets are arguments of Python.
        inner = text[len(row["name"]) + 1 : -1] if "(" in text else ""
        composed = eval(f"nn.{row['name']}({inner})", {}, _Words(nn=nn))
        assert composed.spec == g.spec


class _Words(dict):
    """Names in a spec: families that take nothing, and functions."""

    def __missing__(self, name):
        function = getattr(nn, name, None)
        if function is None:
            return name
        return function() if not function.__signature__.parameters else function


def test_nodes_links_and_neighbors():
    g = nn.rdn(nn.ring(5), 1)
    assert list(g.nodes) == list(range(50)) and len(g) == 50
    links = list(g.links)
    assert len(g.links) == g.links.count == len(links) == 75
    assert links == sorted((a, b) for a in g.nodes for b in g.neighbors(a) if a < b)
    assert g.links.to_numpy().tolist() == [list(link) for link in links]
    for node in g.nodes:
        assert g.node(g.address(node)) == node
        assert g.neighbors(g.address(node)) == g.neighbors(node)
        assert sorted(to for _, to, _ in g.ports(node)) == g.neighbors(node)
    assert g.neighbors(np.int64(3)) == g.neighbors(3)


def test_a_network_of_any_size_says_what_is_known():
    g = nn.network("rdn(hypercube(10), 9)")
    assert g.order > 10**1000
    info = g.info()
    assert info.nodes == g.order and info.diameter.exact
    assert g.diameter == int(info.diameter)
    with pytest.raises(nn.Error, match="has no node ids"):
        g.neighbors(0)


def test_distances_are_those_of_a_search():
    for text in ["rdn(petersen, 1)", "kautz(2, 4)", "jellyfish(40, 3, 1)"]:
        g = nn.network(text)
        for source in [0, g.order // 2]:
            near = g.bfs(source)
            assert near.tolist() == [g.distance(source, to) for to in g.nodes]
            assert g.distances(source, np.arange(g.order)).tolist() == near.tolist()
            for target in [0, 1, g.order - 1]:
                path = g.route(source, target)
                assert path.hops == len(path) == path.distance == near[target]
                assert list(path)[0] == source and list(path)[-1] == target
    assert nn.from_edges([(0, 1)], 3).distance(0, 2) is None
    assert nn.from_edges([(0, 1)], 3).bfs(0).tolist() == [0, 1, -1]


def test_distances_take_arrays_of_any_shape():
    g = nn.ring(6)
    grid = g.distances(np.arange(6)[:, None], np.arange(6)[None, :])
    assert grid.shape == (6, 6) and (grid == grid.T).all()
    assert g.distances([], []).tolist() == []
    assert g.distances(["0"], ["3"]).tolist() == [3]
    assert g.distances(np.uint8([1]), np.int16([4])).tolist() == [3]
    with pytest.raises(nn.NodeError, match="no node `6`"):
        g.distances([0], [6])
    with pytest.raises(nn.NodeError, match="no node `-1`"):
        g.distances([0], [-1])
    with pytest.raises(nn.NodeError, match="ids"):
        g.distances([0.5], [1])


def test_measures_are_exact():
    g = nn.rsn(nn.hypercube(3), 3)
    m = g.measure("diameter", "average_distance", "vertex_connectivity", "distance_histogram")
    assert m.diameter == nn.results.Bounded(11, 11, "theorem") or m.diameter.exact
    assert isinstance(m.average_distance.value, Fraction)
    counts = m["distance_histogram"].counts
    assert sum(counts) == g.order**2
    total = sum(distance * count for distance, count in enumerate(counts))
    assert m.average_distance.value == Fraction(total, g.order * (g.order - 1))
    with pytest.raises(AttributeError, match="girth"):
        m.girth
    table = m.to_pandas()
    assert list(table["key"]) == list(m)


def test_results_are_frozen_plain_and_can_be_kept():
    path = nn.ring(6).route(0, 2)
    with pytest.raises(dataclasses.FrozenInstanceError):
        path.hops = 3
    assert path.to_dict()["path"] == [0, 1, 2]
    assert pickle.loads(pickle.dumps(path)) == path == copy.copy(path)
    m = nn.petersen().measure("diameter", "size")
    assert pickle.loads(pickle.dumps(m)).to_dict() == m.to_dict()
    with pytest.raises(TypeError):
        m.values["diameter"] = 1


def test_networks_can_be_kept_and_sent():
    for g in [nn.petersen(), nn.from_edges([(0, 1), (1, 2)], names=["a", ("b", 1), 3])]:
        copied = pickle.loads(pickle.dumps(g))
        assert list(copied.links) == list(g.links) and copied.names == g.names


def test_links_of_several_cables_are_listed_once():
    g = nn.from_edges([(0, 1), (0, 1), (1, 2)])
    assert len(g.links) == 2 and g.info().cables == 3
    assert list(g.links) == [(0, 1), (1, 2)] == [tuple(row) for row in g.links.ids().tolist()]
    assert g.neighbors(1) == [0, 2] and len(g.ports(1)) == 3
    assert g.to_scipy().toarray().tolist() == [[0, 2, 0], [2, 0, 1], [0, 1, 0]]
    assert g.to_networkx().number_of_edges() == 2
    assert pickle.loads(pickle.dumps(g)).info().cables == 3
    assert "<th>cables</th><td>3</td>" in g._repr_html_()
    scipy = pytest.importorskip("scipy.sparse")
    parts = scipy.coo_array(([1, 1, 1], ([0, 0, 1], [1, 1, 2])), shape=(3, 3))
    assert nn.from_scipy(parts).info().cables == 2


def test_answers_are_those_of_the_command_line(asked):
    for spec in ["rdn(petersen, 1)", "rsn(hypercube(2), 3)", "torus(4, 4)"]:
        g = nn.network(spec)
        theirs = asked("measure", spec, "--only", "distances,structure,connectivity")
        ours = g.measure("distances", "structure", "connectivity").to_dict()["values"]
        for key, value in ours.items():
            assert value == theirs[key], key
        path = asked("route", spec, "0", str(g.order - 1))
        assert list(g.route(0, g.order - 1).path) == path["path"]
        assert list(g.route(0, g.order - 1).vcs) == path["vcs"]


# Of every kind: with hosts, of several degrees, an alias, too large for ids, with formulas of its paper, in parts.
INFO = [
    "ring(5)",
    "path(7)",
    "petersen",
    "rdn(petersen, 1)",
    "rdn(torus(5, 5), 2)",
    "rdn(hypercube(10), 9)",
    "rsn(hypercube(2), 3)",
    "re(ring(3), petersen, 2)",
    "rcr(2, 2, 2)",
    "dual_cube(4)",
    "fat_tree(4)",
    "hosts(dragonfly(4, 2), 2)",
    "kautz(2, 4)",
    "random_regular(3000, 4, 1)",
    "hypercube(70)",
    "star(5)",
]


@pytest.mark.parametrize("spec", INFO)
def test_info_has_all_that_the_command_line_says(spec, asked):
    theirs = asked("info", spec)
    info = nn.network(spec).info()
    ours = json.loads(json.dumps(info.to_dict()))
    assert theirs.keys() <= ours.keys()
    for key, value in theirs.items():
        assert ours[key] == value, key
    # What the command line leaves out is nothing, or follows from the rest.
    left_out = {key: ours[key] for key in ours.keys() - theirs.keys()}
    assert left_out.pop("hosts", info.nodes) == info.nodes
    assert all(value in (None, []) for value in left_out.values()), left_out
    if info.average_distance is not None:
        assert isinstance(info.average_distance.value, Fraction)


def test_info_of_a_graph_in_memory_and_in_parts(asked, tmp_path):
    (tmp_path / "parts.txt").write_text("0 1\n2 3\n")
    file = f'file("{tmp_path}/parts.txt")'
    theirs = asked("info", file)
    assert theirs["connected"] is False and "diameter" not in theirs
    for g in [nn.network(file), nn.from_edges([(0, 1), (2, 3)])]:
        ours = g.info().to_dict()
        for key, value in theirs.items():
            if key != "spec":
                assert json.loads(json.dumps(ours[key])) == value, key
        assert ours["diameter"] is None and ours["average_distance"] is None
    nested = nn.rdn(nn.from_edges([(0, 1), (1, 2)], names=["a", "b", "c"]), 1).info()
    assert nested.family == "rdn" and nested.paper_says and nested.average_distance.how == "theorem"


def test_verbs_are_those_of_the_command_line(asked):
    spec = "rdn(ring(3), 2)"
    g = nn.network(spec)
    theirs = asked("broadcast", spec, "0")
    ours = g.broadcast(0)
    assert (ours.steps, ours.transfers) == (theirs["steps"], theirs["transfers"])
    assert sum(len(step) for step in ours.schedule) == ours.transfers
    spec = "hosts(dragonfly(4, 2), 2)"
    theirs = asked("throughput", spec, "--traffic", "worst", "--no-bounds")
    ours = nn.network(spec).throughput("worst", gap=None)
    assert ours.theta == Fraction(theirs["theta_exact"])
    assert list(ours.permutation) == theirs["permutation"]
    theirs = asked("deadlock", "ring(5)", "--vcs", "1")
    ours = nn.ring(5).deadlock(vcs=1)
    assert not ours.free and theirs["verdict"] == "cycle"
    assert ours.dependencies == theirs["dependencies"]
    assert [one.channel.node for one in ours.cycle] == [one["node"] for one in theirs["cycle"]]
    theirs = asked("collective", "allgather", "hypercube(3)")
    ours = nn.hypercube(3).collective("allgather")
    assert (ours.algorithm, ours.steps, ours.seconds) == (
        theirs["algorithm"],
        theirs["steps"],
        theirs["seconds"],
    )
    window = ["--warmup", "200", "--cycles", "400"]
    theirs = asked("simulate", "torus(4, 4)", "--load", "0.2", *window)["curves"][0]["points"][0]
    ours = nn.torus(4, 4).simulate(0.2, warmup=200, cycles=400).points[0]
    assert ours.latency == pytest.approx(theirs["packet_latency"]["mean"], abs=1e-6)
    assert (ours.packets, ours.flit_hops) == (theirs["packets"], theirs["flit_hops"])
    theirs = asked("design", "--nodes", "64", "--max-degree", "4", "--depth", "0")
    ours = nn.design(nodes=64, max_degree=4, depth=0)
    assert [row.spec for row in ours.front] == [row["spec"] for row in theirs["front"]]
    assert ours.candidates == theirs["candidates"]
    theirs = asked("compare", "petersen", "hypercube(3)")
    ours = nn.compare(["petersen", nn.hypercube(3)])
    assert [list(row.best) for row in ours.rows] == [row["best"] for row in theirs["rows"]]
    theirs = asked("claims", "li-2009", "--only", "table-2-ccc")
    ours = nn.claims("li-2009", only=["table-2-ccc"])
    rows = theirs["papers"][0]["claims"]
    assert [(row.id, row.verdict) for row in ours] == [(row["id"], row["verdict"]) for row in rows]


def test_tables_become_data_frames():
    found = nn.design(nodes=64, max_degree=4, depth=0)
    table = found.to_pandas()
    assert len(table) == len(found.front) + len(found.references)
    assert table["degree"][: len(found.front)].max() <= 4
    assert set(nn.compare("petersen").to_pandas()["spec"]) == {"petersen"}
    curve = nn.torus(4, 4).simulate([0.1, 0.3], warmup=100, cycles=200)
    assert list(curve.to_pandas()["offered"]) == [0.1, 0.3]
    assert len(nn.claims("li-2009", only=["table-2-ccc"]).to_pandas()) == 1
    loads = nn.ring(4).throughput(gap=None).to_pandas()
    assert len(loads) == 8


def test_pictures_and_pages(tmp_path):
    g = nn.rdn(nn.ring(5), 1)
    drawing = g.draw(route=(0, 49))
    assert drawing.svg.startswith("<svg") and drawing.dots == 50
    assert drawing._repr_svg_() == drawing.svg
    swapped = nn.network("hsn(hypercube(2), 3)")
    assert ">(11,10,01)<" in swapped.draw(labels="address").svg
    assert "class=\"label" not in swapped.draw(labels="none").svg
    cycle = nn.network("rcr(2, 2, 2)").draw(deadlock=True, router="paper")
    assert cycle.notes[0].startswith("deadlock under router paper: 8 messages")
    assert repr(drawing) == f"<drawing of rdn(ring(5), 1): {drawing.dots} dots, {drawing.lines} lines>"
    for name in ("x.png", "x.pdf", "x.html"):
        with pytest.raises(nn.Error, match="a drawing is saved as .svg, not as"):
            drawing.save(tmp_path / name)
        assert not (tmp_path / name).exists()
    drawing.save(tmp_path / "X.SVG")
    assert (tmp_path / "X.SVG").read_text() == drawing.svg
    drawing.save(str(tmp_path / "x.svg"))
    assert (tmp_path / "x.svg").read_text(encoding="utf-8") == drawing.svg
    html = g._repr_html_()
    assert "<svg" in html and "rdn(ring(5), 1)" in html and "diameter" in html
    assert g._repr_svg_().startswith("<svg")
    big = nn.network("rdn(hypercube(10), 9)")
    assert big._repr_svg_() is None and "nodes" in big._repr_html_()
    page = nn.petersen().report(baselines=False)
    assert page.html.startswith("<!doctype html>")
    with pytest.raises(nn.Error, match="fold= must be from 0"):
        g.draw(fold=9)


def test_channel_loads_are_those_of_all_shortest_paths():
    g = nn.rdn(nn.ring(3), 1)
    sources, targets, loads = g.channel_loads()
    assert len(loads) == 2 * g.links.count
    assert loads.sum() == pytest.approx(sum(g.bfs(v).sum() for v in g.nodes))
    assert all(b in g.neighbors(a) for a, b in zip(sources.tolist(), targets.tolist()))


def test_every_option_of_the_tables_is_taken():
    g = nn.torus(4, 4)
    usual = dict(warmup=100, cycles=200)

    def latency(**options):
        return g.simulate(0.1, **{**usual, **options}).points[0].latency

    plain = latency()
    for row in _nestnet.options()["simulator"]:
        if row["default"] is not None:
            value = {"true": True, "false": False}.get(row["default"], row["default"])
            value = int(value) if str(value).isdigit() else value
            if row["key"] not in usual:
                assert latency(**{row["key"]: value}) == plain, row["key"]
    assert latency(routing_delay=5) > plain + 4
    assert latency(st_delay=5, credit_delay=3, vcs=None) > plain + 4
    assert latency(latency=[5]) == latency(latency=5) == latency(latency={0: 5})
    assert latency(packet={1: 3, 5: 1}) == latency(packet="1:3,5:1")
    assert latency(input_speedup=2, vc_allocator="separable_input_first") > 0


def test_replies_and_records_are_those_of_the_command_line(asked):
    window = ["--warmup", "200", "--cycles", "400"]
    options = ["--replies", "4", "--traffic", "mix(3*uniform, 1*shift(5))"]
    theirs = asked("simulate", "torus(4, 4)", "--load", "0.05", *window, *options)
    theirs = theirs["curves"][0]["points"][0]
    ours = (
        nn.torus(4, 4)
        .simulate(
            0.05,
            warmup=200,
            cycles=400,
            replies=4,
            traffic="mix(3*uniform, 1*shift(5))",
            per_host=True,
            per_flow=True,
            trace=True,
        )
        .points[0]
    )
    replies = theirs["replies"]
    assert ours.replies.packets == replies["packets"] == ours.packets == theirs["packets"]
    assert ours.replies.round_trip == pytest.approx(replies["round_trip"]["mean"], abs=1e-6)
    assert len(ours.trace) == 2 * ours.packets
    assert sum(host.sent_packets for host in ours.hosts) == len(ours.trace)
    accepted = 16 * 400 * (ours.accepted + ours.replies.accepted)
    assert sum(flow.flits for flow in ours.flows) == pytest.approx(accepted, abs=1e-6)
    assert sum(host.received_flits for host in ours.hosts) == pytest.approx(accepted, abs=1e-6)
    plain = nn.torus(4, 4).simulate(0.05, warmup=200, cycles=400).points[0]
    assert plain.replies is None and not plain.hosts and not plain.flows and not plain.trace
    stuck = nn.torus(4, 4).simulate(
        0.5, vcs=4, buffer=2, replies=4, reply_queue=1, reply_channels="shared"
    )
    assert stuck.points[0].status == "deadlock" and "requests and replies" in stuck.warning


def test_energy_errors_and_marks_are_those_of_the_command_line(asked):
    options = ["--energy", "--link-length", "2", "--link-errors", "0.01", "--ecn", "2"]
    pattern = "phases(50*uniform, 50*shift(3))"
    window = ["--warmup", "200", "--cycles", "400", "--traffic", pattern]
    theirs = asked("simulate", "torus(4, 4)", "--load", "0.3", *window, *options)
    theirs = theirs["curves"][0]["points"][0]
    asks = dict(warmup=200, cycles=400, traffic=pattern)
    more = dict(energy=True, link_length=2, link_errors=0.01, ecn=2)
    ours = nn.torus(4, 4).simulate(0.3, **asks, **more).points[0]
    for key, value in theirs["energy"].items():
        assert getattr(ours.energy, key) == pytest.approx(value, abs=1e-5), key
    assert ours.link_errors.corrupted == theirs["link_errors"]["corrupted"] > 0
    assert ours.link_errors.flits == theirs["link_errors"]["flits"]
    assert ours.marked == pytest.approx(theirs["marked"], abs=1e-5) and ours.marked > 0
    plain = nn.torus(4, 4).simulate(0.3, **asks).points[0]
    assert plain.energy is None and plain.link_errors is None and plain.marked is None
    quick = nn.torus(4, 4).simulate(0.3, lookahead=True, speculative=True, **asks).points[0]
    assert quick.latency < plain.latency - 4
    pool = nn.torus(4, 4).simulate(0.3, shared_buffer=True, buffer=2, **asks).points[0]
    assert pool.status != "deadlock"
    assert nn.torus(4, 4).simulate(0.1, router="polarized", **asks).points[0].packets > 0


def test_the_cost_model_is_that_of_the_command_line():
    def price(**options):
        return nn.compare("hosts(ring(4), 2)", **options).rows[0].price

    assert price(cost_model="cluster", nic=(10_000, 25)) > price(cost_model="cluster")
    found = nn.design(nodes=16, depth=0, cost_model="chip", tile=2)
    assert found.front
    dear = nn.design(hosts=16, radix=8, depth=0, nic=(10_000, 25)).front[0]
    assert dear.spec
    # What is given by its place or chooses the question is no option.
    for table, options, others in [
        ("simulator", nn.options.SimulatorOptions, set()),
        ("cost", nn.options.CostOptions, set()),
        ("compare", nn.options.CompareOptions, set()),
        ("design", nn.options.DesignOptions, {"nodes", "hosts", "radix"}),
        ("collective", nn.options.CollectiveOptions, set()),
        ("faults", nn.options.FaultOptions, {"fail"}),
    ]:
        keys = {row["key"] for row in _nestnet.options()[table]}
        assert set(options.__annotations__) == keys - others


def test_design_of_hosts_has_three_answers_beside_what_everybody_knows():
    found = nn.design(hosts=64, radix=16, depth=0)
    assert found.answers.best_value.spec == found.recommended
    assert found.answers.non_blocking.why
    assert any(row.spec.startswith("clos(16, 2") for row in found.references)
    assert {row.kind for row in found.references} == {"reference"}
    none = nn.design(hosts=100, radix=8, families=["slimfly"])
    assert none.recommended is None and none.answers.best_value is None
    assert none.unfit[0].family == "slimfly" and "ports" in none.unfit[0].why
    assert nn.design(nodes=64, max_degree=4, depth=0).answers is None
    tapered = nn.design(hosts=64, radix=16, depth=0, taper=2.0, speed=200)
    assert all(row.bisection_fraction >= 0.5 for row in tapered.front)


def test_a_fabric_has_a_bill_of_materials():
    found = nn.design(hosts=64, radix=16, depth=0)
    row = next(one for one in found.front if one.spec == found.recommended)
    bill = found.bill
    assert bill is not None
    assert sum(item.price for item in bill.items) == pytest.approx(row.price_per_host * 64)
    assert sum(one.cables for one in bill.cable_lengths) == row.links + row.hosts
    assert 0 < bill.least_cable_length <= bill.cable_length
    assert nn.design(nodes=64, max_degree=4, depth=0).bill is None
    compared = nn.compare(row.spec, cost_model="cluster").rows[0]
    assert compared.least_cable_length <= compared.cable_length
    assert {item.item for item in compared.items} >= {"switch", "port", "NIC"}


def test_bus_bandwidth_is_that_of_nccl():
    found = nn.network("rails(4, 2, 4, 0, 4)").collective("allreduce", bytes=10**6)
    assert found.algbw == pytest.approx(10**6 / found.seconds)
    assert found.busbw == pytest.approx(found.algbw * 2 * 7 / 8)
    assert "hierarchical" in found.algorithms


def test_tables_name_their_network_and_router():
    curves = [nn.torus(4, 4).simulate([0.1], router=one, warmup=50, cycles=100) for one in ("shortest", "valiant")]
    table = curves[0].to_pandas()
    assert list(table.columns[:4]) == ["spec", "router", "traffic", "offered"]
    assert [curve.to_pandas()["router"][0] for curve in curves] == ["shortest", "valiant"]
    assert set(nn.petersen().resilience(at=0.1, trials=3).to_pandas()["spec"]) == {"petersen"}


def test_the_package_has_names_of_its_own_alone():
    assert not hasattr(nn, "annotations")


def test_the_worst_case_is_no_looser_than_that_of_its_permutation():
    for spec in ["hosts(dragonfly(4, 2), 2)", "torus(4, 4)"]:
        found = nn.network(spec).throughput("worst")
        assert found.worst_of_any.theta <= found.any_routing.high
    found = nn.hosts(nn.dragonfly(4, 2), 2).throughput("worst")
    assert found.worst_of_any.permutation == found.permutation and "LP" in found.worst_of_any.how
    uniform = nn.hosts(nn.dragonfly(4, 2), 2).throughput("uniform").worst_of_any
    assert uniform.how == "distances" and uniform.theta == Fraction(5, 6)


def test_designs_and_comparisons_are_tables_in_a_notebook():
    found = nn.design(hosts=64, radix=16, depth=0)
    page = found._repr_html_()
    assert page.count("<tr>") == 1 + len(found.front) + len(found.references)
    assert f"<th>{found.recommended}</th>" in page and "$/host" in page
    page = nn.design(nodes=16, depth=0)._repr_html_()
    assert "diameter" in page and "$/host" not in page
    page = nn.compare([nn.petersen(), "rdn(hypercube(10), 9)", nn.from_edges([("<b>", "c")])])._repr_html_()
    assert "petersen" in page and "about 10^" in page and "<b>" not in page


def test_answers_have_rows_and_references_are_in_the_table():
    found = nn.design(hosts=64, radix=16, depth=0)
    table = found.to_pandas()
    assert len(table) == len(found.front) + len(found.references)
    assert set(table["kind"][len(found.front) :]) == {"reference"}
    for answer in (found.answers.non_blocking, found.answers.best_value, found.answers.cheapest):
        row = found.row_of(answer)
        assert row in found.front and row.spec == answer.spec
        assert (row.max_switch_hops, row.mean_switch_hops) == (row.host_diameter - 2, row.mean_hops - 2)
    assert found.row_of(found.recommended) is found.row_of(found.answers.best_value)
    only = next(row for row in found.references if row.spec not in {row.spec for row in found.front})
    assert found.row_of(only.spec) is only
    with pytest.raises(nn.Error, match="neither in the front nor a reference"):
        found.row_of("ring(5)")
    page = found._repr_html_()
    assert f"<td>{found.front[-1].max_switch_hops}</td>" in page


def test_rows_are_those_of_their_tables():
    curve = nn.torus(4, 4).simulate([0.1, 0.3], warmup=100, cycles=200)
    survey = nn.petersen().resilience(at=[0.1, 0.2], trials=3)
    study = nn.study(text='specs = ["petersen", "ring(10)"]\n[measure]\nkeys = ["diameter"]\n')
    claims = nn.claims("li-2009", only=["table-2-ccc"])
    for found, rows in [
        (curve, curve.points),
        (survey, survey.rows),
        (study, study.rows),
        (claims, claims.rows),
        (nn.compare(["petersen", "ring(5)"]), None),
    ]:
        rows = found.rows if rows is None else rows
        assert list(found) == list(rows) and len(found) == len(rows)
        assert found[0] is rows[0] and found[-1] is rows[-1] and found[:1] == rows[:1]
        with pytest.raises(IndexError):
            found[len(rows)]
    # Only a sweep finds it.
    assert curve.saturation is None


def test_measured_keys_are_completed():
    m = nn.petersen().measure("diameter", "girth")
    assert {"diameter", "girth", "to_pandas"} <= set(dir(m)) and "radius" not in dir(m)
    assert sorted(m._ipython_key_completions_()) == ["diameter", "girth"]
