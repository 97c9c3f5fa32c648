"""Do the tools themselves read what Nestnet writes, and find the same network in it?

usage: tools.py NESTNET [--only NAME]

Each check exports networks, lets the real reader read them and compares what it finds with what Nestnet says. A tool
that is not there is named in one line and its check skipped; what a tool finds that is not so ends with exit code 1.
"""

import importlib.util
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

NESTNET = sys.argv[1]
ONLY = sys.argv[sys.argv.index("--only") + 1] if "--only" in sys.argv else None

GRAPHS = ["petersen", "rdn(ring(3), 1)", "rsn(path(3), 2)", "complete(1)", "hypercube(4)"]
HOSTED = ["hosts(rdn(ring(3), 1), 2)", "hosts(ring(5), 1)", "fat_tree(4)"]
# One network of each of the five papers, small enough for MPI.
FAMILIES = [
    "re(ring(4), path(3), 2)",
    "heawood",
    "rdn(ring(3), 1)",
    "rsn(complete(4), 2)",
    "rcr(2, 3, 1)",
]


class Absent(Exception):
    """A tool that is not there."""


def nestnet(*args):
    done = subprocess.run([NESTNET, *args], capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(f"nestnet {' '.join(args)}: {done.stderr}")
    return done.stdout


def export(spec, form, folder, *more):
    path = Path(folder) / f"network.{form}"
    nestnet("export", spec, "--format", form, "-o", str(path), *more)
    return path


def edges(spec):
    pairs = (tuple(map(int, line.split())) for line in nestnet("edges", spec).splitlines())
    return {(min(pair), max(pair)) for pair in pairs}


def info(spec):
    return json.loads(nestnet("info", spec, "--json"))


def fabric(spec):
    """Links between switches, hosts at each, as node-link JSON has them."""
    data = json.loads(nestnet("export", spec, "--format", "node-link"))
    links = {(edge["source"], edge["target"]): edge["level"] for edge in data["edges"]}
    return links, [node["endpoints"] for node in data["nodes"]], [n.get("address") for n in data["nodes"]]


def needs(module):
    if importlib.util.find_spec(module) is None:
        raise Absent(f"{module} (pip)")
    return importlib.import_module(module)


def program(name, package):
    path = shutil.which(name) or shutil.which(name, path="/usr/sbin:/sbin")
    if path is None:
        raise Absent(f"{name} (apt: {package})")
    return path


def same(found, expected, what):
    assert found == expected, f"{what}: found {found}, expected {expected}"


def undirected(pairs):
    return {(min(a, b), max(a, b)) for a, b in pairs}


def networkx(folder):
    nx = needs("networkx")
    for spec in GRAPHS + HOSTED:
        links, endpoints, addresses = fabric(spec)
        graphs = {
            "graphml": nx.read_graphml(export(spec, "graphml", folder), node_type=int),
            "gml": nx.read_gml(export(spec, "gml", folder), label="id"),
            "node-link": nx.node_link_graph(
                json.loads(export(spec, "node-link", folder).read_text()), edges="edges"
            ),
        }
        for name, graph in graphs.items():
            what = f"{name} of {spec}"
            same(list(graph.nodes), list(range(len(endpoints))), what)
            assert not graph.is_directed(), what
            same({(min(a, b), max(a, b)): d["level"] for a, b, d in graph.edges(data=True)}, links, what)
            same([int(graph.nodes[v]["endpoints"]) for v in graph], endpoints, what)
            if name != "gml" and addresses[0] is not None:
                same([graph.nodes[v]["address"] for v in graph], addresses, what)
        # What NetworkX writes itself is read by Nestnet.
        for name, write in [
            ("back.graphml", lambda path: nx.write_graphml(graphs["graphml"], path)),
            ("back.gml", lambda path: nx.write_gml(graphs["gml"], path)),
            ("back.json", lambda path: Path(path).write_text(json.dumps(nx.node_link_data(graphs["node-link"], edges="links")))),
        ]:
            path = Path(folder) / name
            write(path)
            back = json.loads(nestnet("import", str(path), "--json"))
            same((back["hosts"], back["levels"]), (sum(endpoints), max(links.values(), default=0) + 1), f"{name} of {spec}")
    # What it writes in other ways: lists of neighbors, Pajek, GEXF and DOT.
    for graph in [nx.karate_club_graph(), nx.petersen_graph(), nx.MultiGraph([(0, 1), (0, 1), (1, 2)])]:
        adjacency, pajek = Path(folder) / "adjacency.json", Path(folder) / "pajek.net"
        adjacency.write_text(json.dumps(nx.adjacency_data(graph)))
        nx.write_pajek(graph, pajek)
        lists, gexf, dot = (Path(folder) / f"other.{end}" for end in ["adjlist", "gexf", "dot"])
        nx.write_adjlist(graph, lists)
        nx.write_gexf(graph, gexf)
        with_dot = importlib.util.find_spec("pydot") is not None
        if with_dot:
            nx.nx_pydot.write_dot(graph, dot)
        for path in [adjacency, pajek, lists, gexf] + [dot] * with_dot:
            back = json.loads(nestnet("import", str(path), "--json"))
            expected = (graph.number_of_nodes(), nx.Graph(graph).number_of_edges())
            same((back["nodes"], back["links"]), expected, path.name)
    for spec in GRAPHS:
        for name, read in [("graph6", nx.read_graph6), ("sparse6", nx.read_sparse6)]:
            path = export(spec, name, folder)
            graph = read(path)
            same(undirected(graph.edges), edges(spec), f"{name} of {spec}")
            # The same bytes: there is one way to write a graph.
            write = nx.to_graph6_bytes if name == "graph6" else nx.to_sparse6_bytes
            if graph.number_of_nodes() > 1:
                same(path.read_bytes(), write(graph, header=False), f"{name} of {spec}")


def merlin(folder):
    """SST merlin's loader of any topology, by its rules: it reads with NetworkX, wants an undirected graph whose every
    node has whole `endpoints`, renumbers nodes as they come, and gives endpoints numbers in that order."""
    nx = needs("networkx")
    for spec in GRAPHS + HOSTED:
        graph = nx.read_graphml(export(spec, "graphml", folder))
        assert not graph.is_directed(), spec
        numbers = {name: number for number, name in enumerate(graph.nodes)}
        counts = [int(data["endpoints"]) for _, data in graph.nodes(data=True)]
        links, endpoints, _ = fabric(spec)
        same(undirected((numbers[a], numbers[b]) for a, b in graph.edges()), set(links), f"merlin, {spec}")
        same(counts, endpoints, f"merlin, {spec}")


def igraph(folder):
    ig = needs("igraph")
    for spec in GRAPHS:
        for name, read in [
            ("graphml", ig.Graph.Read_GraphML),
            ("gml", ig.Graph.Read_GML),
            ("edges", lambda path: ig.Graph.Read_Edgelist(path, directed=False)),
        ]:
            if name == "edges" and spec == "complete(1)":
                continue
            graph = read(str(export(spec, name, folder)))
            same(undirected(graph.get_edgelist()), edges(spec), f"{name} of {spec}")


def networkit(folder):
    nk = needs("networkit")
    for spec in GRAPHS:
        graph = nk.readGraph(str(export(spec, "metis", folder)), nk.Format.METIS)
        same(graph.numberOfNodes(), info(spec)["nodes"], spec)
        same(undirected(graph.iterEdges()), edges(spec), f"metis of {spec}")


def scipy(folder):
    needs("scipy")
    from scipy.io import mmread

    for spec in GRAPHS:
        matrix = mmread(export(spec, "mtx", folder)).tocoo()
        same(matrix.shape, (info(spec)["nodes"],) * 2, spec)
        same({(min(a, b), max(a, b)) for a, b in zip(matrix.row.tolist(), matrix.col.tolist())}, edges(spec), f"mtx of {spec}")


def rustworkx(folder):
    rx = needs("rustworkx")
    for spec in GRAPHS:
        [graph] = rx.read_graphml(str(export(spec, "graphml", folder)))
        same(undirected(graph.edge_list()), edges(spec), f"graphml of {spec}")


def graphviz(folder):
    dot = program("dot", "graphviz")
    for spec in GRAPHS + HOSTED:
        path = export(spec, "dot", folder)
        read = subprocess.run([dot, "-Tdot_json", str(path)], capture_output=True, text=True, check=True)
        drawn = json.loads(read.stdout)
        links, endpoints, _ = fabric(spec)
        names = [thing["name"] for thing in drawn.get("objects", [])]
        nodes = [int(name) for name in names if name.isdigit()]
        same(sorted(nodes), list(range(len(endpoints))), f"dot of {spec}")
        ends = [(names[edge["tail"]], names[edge["head"]]) for edge in drawn.get("edges", [])]
        between = {(int(a), int(b)) for a, b in ends if a.isdigit() and b.isdigit()}
        same(undirected(between), set(links), f"dot of {spec}")
        clusters = [name for name in names if name.startswith("cluster")]
        if spec == "rdn(ring(3), 1)":
            same(len(clusters), 6, f"clusters of {spec}")
        # As whoever has DOT is instructed to do.
        converted = Path(folder) / "converted.gml"
        with open(converted, "w") as output:
            subprocess.run([program("gv2gml", "graphviz"), str(path)], stdout=output, check=True)
        back = json.loads(nestnet("import", str(converted), "--json"))
        same(back["links"], len(drawn.get("edges", [])), f"gv2gml of {spec}")


# Reads DOT and prints its links and the nodes that are not hosts.
READER = """
import json, sys
import graph_tool
graph = graph_tool.load_graph(sys.argv[1])
names = graph.vp["vertex_name"]
links = [[names[edge.source()], names[edge.target()]] for edge in graph.edges()]
print(json.dumps({"nodes": [names[v] for v in graph.vertices()], "links": links, "directed": graph.is_directed()}))
"""


def graph_tool(folder):
    """graph-tool reads DOT with the parser of Boost, which is stricter than Graphviz."""
    python = "/usr/bin/python3"
    if subprocess.run([python, "-c", "import graph_tool"], capture_output=True).returncode != 0:
        raise Absent("graph_tool (apt: python3-graph-tool)")
    for spec in GRAPHS + HOSTED:
        for costs in [[], ["--latency", "500ns", "--bandwidth", "100Gbps"]]:
            path = export(spec, "dot", folder, *costs)
            done = subprocess.run([python, "-c", READER, str(path)], capture_output=True, text=True)
            assert done.returncode == 0, f"dot of {spec}: {done.stderr[-2000:]}"
            found = json.loads(done.stdout)
            links, endpoints, _ = fabric(spec)
            assert not found["directed"], spec
            same(sorted(int(name) for name in found["nodes"] if name.isdigit()), list(range(len(endpoints))), f"dot of {spec}")
            between = [(int(a), int(b)) for a, b in found["links"] if a.isdigit() and b.isdigit()]
            same(undirected(between), set(links), f"dot of {spec}")


def pydot(folder):
    module = needs("pydot")
    for spec in GRAPHS + HOSTED:
        [graph] = module.graph_from_dot_file(str(export(spec, "dot", folder)))
        links, _, _ = fabric(spec)
        ends = [(edge.get_source(), edge.get_destination()) for edge in graph.get_edges()]
        between = [(int(a), int(b)) for a, b in ends if a.isdigit() and b.isdigit()]
        same(undirected(between), set(links), f"dot of {spec}")


def xmllint(folder):
    lint = program("xmllint", "libxml2-utils")
    for spec in GRAPHS + HOSTED:
        for form in ["graphml", "simgrid"]:
            path = export(spec, form, folder)
            done = subprocess.run([lint, "--noout", "--nonet", str(path)], capture_output=True, text=True)
            assert done.returncode == 0 and not done.stderr, f"{form} of {spec}: {done.stderr}"


def infragraph(folder):
    needs("infragraph")
    from infragraph import Infrastructure
    from infragraph.infragraph_service import InfraGraphService

    for spec in ["rdn(ring(3), 1)", *HOSTED]:
        links, endpoints, _ = fabric(spec)
        path = export(spec, "infragraph", folder, "--latency", "500ns", "--bandwidth", "100Gbps")
        infrastructure = Infrastructure()
        infrastructure.deserialize(path.read_text())
        service = InfraGraphService()
        service.set_graph(infrastructure)
        graph = service.get_networkx_graph()
        found, hosts = set(), 0
        for a, b in graph.edges:
            (a, i, *_), (b, j, *_) = a.split("."), b.split(".")
            if a == b == "switch" and i != j:
                found.add((int(i), int(j)))
            hosts += {a, b} == {"switch", "host"}
        same(undirected(found), set(links), f"infragraph of {spec}")
        same(hosts, sum(endpoints), f"hosts in infragraph of {spec}")


# Sends one byte between all pairs, one after the other, and prints how long each took.
WALKER = """
import sys
from simgrid import Actor, Engine, Host, Mailbox, this_actor
engine = Engine(sys.argv)
engine.load_platform(sys.argv[1])
hosts = engine.all_hosts if hasattr(engine, "all_hosts") else engine.get_all_hosts()
def receive(name):
    while True:
        Mailbox.by_name(name).get()
def walk():
    for source in hosts:
        this_actor.set_host(source) if hasattr(this_actor, "set_host") else this_actor.migrate(source)
        for target in hosts:
            if source.name != target.name:
                start = Engine.clock if not callable(Engine.clock) else Engine.clock()
                Mailbox.by_name(target.name).put("x", 1)
                end = Engine.clock if not callable(Engine.clock) else Engine.clock()
                print("took", source.name[1:], target.name[1:], repr(end - start), flush=True)
for host in hosts:
    actor = Actor.create("receiver", host, receive, host.name)
    actor.daemonize()
Actor.create("walker", hosts[0], walk)
engine.run()
"""


def simgrid(folder):
    python = "/usr/bin/python3"
    there = subprocess.run([python, "-c", "import simgrid"], capture_output=True)
    if there.returncode != 0:
        raise Absent("simgrid (apt: python3-simgrid)")
    config = [
        f"--cfg={setting}"
        for setting in [
            "network/model:CM02",
            "network/latency-factor:1",
            "network/bandwidth-factor:1",
            "network/weight-S:0",
            "surf/precision:1e-12",
        ]
    ]
    script = Path(folder) / "walker.py"
    script.write_text(WALKER)

    def times(platform):
        done = subprocess.run(
            [python, str(script), str(platform), *config], capture_output=True, text=True, timeout=60
        )
        rows = [line.split() for line in done.stdout.splitlines() if line.startswith("took")]
        assert rows, f"SimGrid says: {done.stderr[-2000:]}"
        return {(int(a), int(b)): float(t) for _, a, b, t in rows}

    def agree(found, hops, what):
        same(set(found), set(hops), f"pairs of {what}")
        for pair, count in hops.items():
            # The byte itself takes 80 ps, less than a thousandth of a link.
            took = found[pair] / 500e-9
            assert math.isclose(took, count, abs_tol=1e-3), f"{what}: {pair} took {took} links, not {count}"

    def routes(spec, router):
        hops = {}
        for line in nestnet("tables", spec, "--router", router, "--format", "routes").splitlines():
            nodes = line.split(":")[0].split()
            hops.setdefault((int(nodes[0]), int(nodes[-1])), len(nodes) - 1)
        return hops

    for spec in ["rdn(ring(3), 1)", "hosts(petersen, 1)", "hypercube(4)"]:
        agree(times(export(spec, "simgrid", folder)), routes(spec, "min"), f"simgrid of {spec}")
    # Routes that are not the shortest are followed where they are given.
    for spec, router in [("rdn(ring(3), 1)", "paper"), ("torus(4, 4)", "valiant")]:
        path = Path(folder) / "routed.xml"
        nestnet("tables", spec, "--router", router, "--format", "simgrid", "-o", str(path))
        agree(times(path), routes(spec, router), f"tables of {spec} by {router}")


ALLREDUCE = """
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv) {
    int rank, size, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) printf("sum %d of %d\\n", sum, size);
    MPI_Finalize();
    return 0;
}
"""


def smpi(folder):
    smpicc, smpirun = program("smpicc", "libsimgrid-dev"), program("smpirun", "libsimgrid-dev")
    source, binary = Path(folder) / "allreduce.c", Path(folder) / "allreduce"
    source.write_text(ALLREDUCE)
    subprocess.run([smpicc, str(source), "-o", str(binary)], check=True, capture_output=True)
    for spec in FAMILIES:
        platform = export(spec, "simgrid", folder)
        size = min(info(spec)["nodes"], 48)
        hostfile = Path(folder) / "hosts"
        hostfile.write_text("".join(f"h{i}\n" for i in range(size)))
        done = subprocess.run(
            [smpirun, "-np", str(size), "-platform", str(platform), "-hostfile", str(hostfile),
             "--cfg=smpi/host-speed:1Gf", str(binary)],
            capture_output=True, text=True, timeout=60, cwd=folder,
        )
        expected = f"sum {size * (size - 1) // 2} of {size}"
        assert expected in done.stdout, f"allreduce on {spec}: {done.stdout}{done.stderr[-2000:]}"


def opensm(folder):
    simulator, manager = program("ibsim", "ibsim-utils"), program("opensm", "opensm")
    judge, nodes = program("ibdmchk", "ibutils"), program("ibnodes", "infiniband-diags")
    libraries = [*Path("/usr/lib").glob("*/umad2sim/libumad2sim.so"), *Path("/usr/lib").glob("umad2sim/libumad2sim.so")]
    if not libraries:
        raise Absent("libumad2sim.so (apt: ibsim-utils)")
    # The last two need lanes: with all routes on one of them there is a loop.
    specs = [("hypercube(3)", True), ("hosts(mesh(3, 3), 2)", True), ("rdn(ring(3), 1)", False), ("hosts(ring(5), 2)", False)]
    for number, (spec, one_lane_is_free) in enumerate(specs):
        work = Path(folder) / f"subnet{number}"
        work.mkdir()
        network = export(spec, "ibsim", folder)
        tables = Path(folder) / "tables.lft"
        nestnet("tables", spec, "--router", "shortest", "--format", "opensm", "-o", str(tables))
        links, endpoints, _ = fabric(spec)
        switches, hosts = len(endpoints), sum(endpoints)
        environment = {
            **os.environ,
            "IBSIM_SOCKNAME": f"nestnet-{os.getpid()}-{number}",
            "SIM_HOST": "H0",
            "OSM_TMP_DIR": str(work),
            "OSM_CACHE_DIR": str(work),
        }
        preloaded = {**environment, "LD_PRELOAD": str(libraries[0])}
        sizes = ["-N", str(switches + hosts + 8), "-S", str(switches + 8), "-P", str(8 * (switches + hosts + len(links)) + 64)]
        with open(work / "ibsim.log", "w+") as log:
            running = subprocess.Popen([simulator, "-s", "-n", *sizes, str(network)], stdout=log, stderr=log, stdin=subprocess.PIPE, env=environment)
            try:
                for _ in range(100):
                    if "simulator ready" in (work / "ibsim.log").read_text():
                        break
                    time.sleep(0.1)
                else:
                    raise AssertionError(f"ibsim does not read {spec}: {(work / 'ibsim.log').read_text()}")
                # Its cache has our local identifiers, which it keeps without -r.
                nestnet("tables", spec, "--router", "shortest", "--format", "opensm-guid2lid", "-o", str(work / "guid2lid"))
                subprocess.run(
                    ["timeout", "-s", "KILL", "40", manager, "-o", "-x", "-R", "file", "-U", str(tables), "-Q",
                     "-f", str(work / "osm.log"), "--dump_files_dir", str(work), "-D", "0x43"],
                    env=preloaded, capture_output=True, cwd=work,
                )
                said = (work / "osm.log").read_text(errors="replace")
                assert "SUBNET UP" in said, f"{spec}: {said[-2000:]}"
                assert re.search(r"file tables configured on all switches", said), f"{spec}: {said[-2000:]}"
                listed = subprocess.run([nodes], env=preloaded, capture_output=True, text=True, timeout=30).stdout
                same((listed.count("Switch"), listed.count("Ca\t")), (switches, hosts), f"nodes of {spec}")
            finally:
                running.kill()
                running.wait()
        # What the switches hold is what we said, by the name of every host.
        ours = forwarding(tables.read_text())
        dumped = forwarding((work / "opensm-lfts.dump").read_text())
        same({guid: {k: v for k, v in row.items() if k in ours[guid]} for guid, row in dumped.items() if guid in ours}, ours, f"tables of {spec}")
        # Of what OpenSM dumps, without our lanes and with them.
        files = ["-s", str(work / "opensm-subnet.lst"), "-f", str(work / "opensm.fdbs"), "-m", str(work / "opensm.mcfdbs")]
        for given, free in [([], one_lane_is_free), (lanes(spec, work), True)]:
            said = subprocess.run([judge, *files, *given], capture_output=True, text=True, cwd=work).stdout
            expected = "no credit loops found" if free else "credit loops in routing"
            assert expected in said, f"{spec} {given}: {said[-2000:]}"


def lanes(spec, work):
    """The files of our service levels and lanes, whose local identifiers are those that OpenSM has."""
    text = (work / "opensm-subnet.lst").read_text()
    found = re.findall(r"PortGUID:([0-9a-f]+) [^{}]*\{[^{}]*\} LID:([0-9A-F]+)", text)
    used = {int(guid, 16): int(identifier, 16) for guid, identifier in found}
    entries = [line.split() for line in (work / "guid2lid").read_text().splitlines() if line]
    ours = {int(guid, 16): int(identifier, 16) for guid, identifier, _ in entries}
    same(used, ours, f"local identifiers of {spec}")
    levels, map_ = work / "path_sl.txt", work / "sl2vl.txt"
    nestnet("tables", spec, "--router", "shortest", "--format", "opensm-sl", "-o", str(levels))
    nestnet("tables", spec, "--router", "shortest", "--format", "opensm-sl2vl", "-o", str(map_))
    return ["-c", str(levels), "-d", str(map_)]


def forwarding(text):
    """The port of every switch towards every host, by GUIDs."""
    tables, row = {}, None
    for line in text.splitlines():
        if found := re.match(r"Unicast lids .* guid 0x([0-9a-f]+)", line):
            row = tables.setdefault(int(found[1], 16), {})
        elif found := re.match(r"0x[0-9a-fA-F]+\s+(\d+)\s.*Channel Adapter portguid 0x([0-9a-f]+)", line):
            row[int(found[2], 16)] = int(found[1])
    return tables


CHECKS = [
    networkx, merlin, igraph, networkit, scipy, rustworkx, graphviz, graph_tool, pydot, xmllint, infragraph, simgrid, smpi, opensm,
]


def main():
    failed = 0
    for check in CHECKS:
        if ONLY not in (None, check.__name__):
            continue
        start = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            try:
                check(folder)
                print(f"   {check.__name__}: reads it, {time.monotonic() - start:.1f} s", flush=True)
            except Absent as absent:
                print(f"   {check.__name__}: skipped, there is no {absent}", flush=True)
            except ModuleNotFoundError as absent:
                # What a reader asks for by itself.
                print(f"   {check.__name__}: skipped, there is no {absent.name} (pip)", flush=True)
            except (AssertionError, subprocess.SubprocessError, OSError, ValueError, KeyError) as error:
                failed += 1
                print(f"   {check.__name__}: {type(error).__name__}: {error}", flush=True)
    sys.exit(1 if failed else 0)


main()
