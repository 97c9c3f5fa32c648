"""Which network is better, and what papers say: designs, comparisons, claims."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from .._nestnet import Error
from .declared import (
    Answer,
    Answers,
    BillItem,
    CableLengths,
    Confirmation,
    LeftOut,
    Relaxed,
    Unfit,
)
from .shape import Bounded, Mean, Range, Result, Rows, frame, html

if TYPE_CHECKING:
    import pandas


# What tables show of a network, of each kind: fields and their titles.
_OF_NODES = {
    "spec": "network",
    "nodes": "nodes",
    "degree": "degree",
    "diameter": "diameter",
    "average_distance": "average distance",
    "links": "links",
    "cost": "degree · diameter",
    "vcs": "VCs",
    "router": "router",
    "vertex_connectivity": "connectivity",
    "throughput": "uniform",
    "worst_case": "worst case",
    "bisection_fraction": "bisection",
    "price": "$",
    "power": "W",
}
_OF_HOSTS = {
    "spec": "network",
    "kind": "kind",
    "hosts": "hosts",
    "switches": "switches",
    "ports_used": "ports",
    "price_per_host": "$/host",
    "power_per_host": "W/host",
    "throughput": "uniform",
    "worst_case": "worst case",
    "bisection_fraction": "bisection",
    "mean_switch_hops": "mean hops",
    "max_switch_hops": "max hops",
    "failures_survived": "tolerated",
    "vcs": "VCs",
    "routing": "routing",
}


@dataclass(frozen=True, repr=False)
class Rated(Result):
    """A network and the numbers by which it is judged beside others.

    - ``spec``: the network.
    - ``nodes``: how many nodes it has.
    - ``hosts``: how many of them inject and receive.
    - ``degree``: the most links at a node.
    - ``diameter``: the largest distance of two hosts, in links, those of hosts included.
    - ``average_distance``: the mean distance of two hosts, in links, those of hosts included.
    - ``links``: links of the network.
    - ``cost``: degree times diameter.
    - ``cr``: the cost ratio of the papers: diameter and degree, each over the logarithm of the nodes.
    - ``moore_efficiency``: its nodes as a fraction of the Moore bound of its degree and diameter.
    - ``vcs``: virtual channels that keep its routing free of deadlock.
    - ``router``: the router that needs them, in a comparison the one that carries most.
    - ``vertex_connectivity``: how many nodes must fail before the rest falls apart.
    """

    _COLUMNS = _OF_NODES

    spec: str
    nodes: int
    hosts: int
    degree: int
    diameter: Bounded | None
    average_distance: Mean | Range | float | None
    links: int
    cost: Bounded | None
    cr: float | Range | None
    moore_efficiency: float | Range | None
    vcs: int | None
    router: str | None
    vertex_connectivity: Bounded


@dataclass(frozen=True, repr=False)
class Candidate(Rated):
    """A network on the Pareto front of a design by nodes, or a reference beside it.

    - ``match``: its nodes as a fraction of those that are wanted.
    - ``ties``: how many other networks have the same numbers.
    - ``kind``: where it comes from: ``nested`` (of a paper), ``base``, ``baseline`` or ``reference``.
    """

    match: float
    ties: int
    kind: str


@dataclass(frozen=True, repr=False)
class ClusterCandidate(Result):
    """A network on the Pareto front of a design by hosts and the ports of a switch, or a reference beside it.

    - ``spec``: the network with its hosts.
    - ``kind``: where it comes from: ``nested`` (of a paper), ``base``, ``baseline`` or ``reference``.
    - ``hosts``: how many hosts it has.
    - ``switches``: how many switches it takes.
    - ``also``: specs of the same network by other names.
    - ``planes``: how many planes it has, each with switches of its own and a link to every host.
    - ``radix``: the ports of a switch.
    - ``ports_used``: how many of them the busiest switch uses.
    - ``hosts_per_switch``: hosts at each switch that has any; ``None`` where that is not one number.
    - ``links``: links between switches.
    - ``price_per_host``: dollars for each host that was asked for, of all that is built, by the cost model.
    - ``power_per_host``: watts for each host that was asked for, of all that is built, by the cost model.
    - ``throughput``: saturation throughput of uniform traffic under its routing, as a fraction of the full rate.
    - ``worst_case``: the same of the worst permutation; ``None`` where that takes too long to find.
    - ``bisection_fraction``: cables across a bisection for each host of one side, at most 1; ``None`` where not known.
    - ``mean_hops``: links from host to host on average, both links of hosts included.
    - ``host_diameter``: links from host to host at most, both links of hosts included.
    - ``failures_survived``: how many switches may fail, whichever they are, before some of the rest are cut off.
    - ``vcs``: virtual channels of its routing.
    - ``routing``: its routing, as ``router=`` takes it.
    - ``deadlock_free``: whether the routing is proven free of deadlock.
    """

    _COLUMNS = _OF_HOSTS

    spec: str
    kind: str
    hosts: int
    switches: int
    also: tuple[str, ...]
    planes: int
    radix: int
    ports_used: int
    hosts_per_switch: int | None
    links: int
    price_per_host: float
    power_per_host: float
    throughput: float
    worst_case: float | None
    bisection_fraction: float | None
    mean_hops: float
    host_diameter: int
    failures_survived: int
    vcs: int | None
    routing: str | None
    deadlock_free: bool

    @property
    def mean_switch_hops(self) -> float:
        """Links between switches from host to host, on average: ``mean_hops`` without the two links of hosts."""
        return max(self.mean_hops - 2.0, 0.0)

    @property
    def max_switch_hops(self) -> int:
        """Links between switches from host to host, at most: ``host_diameter`` without the two links of hosts."""
        return max(self.host_diameter - 2, 0)


@dataclass(frozen=True, repr=False)
class Bill(Result):
    """What a fabric takes to build: racks, cables, and all that is purchased.

    - ``links``: links by the smallest package that has both ends, such as a board or a rack.
    - ``links_by_level``: the same for each level of links.
    - ``nodes_in_rack``: nodes that a rack holds.
    - ``boards``: how many boards.
    - ``racks``: how many racks.
    - ``rows``: rows of racks.
    - ``server_switches``: switches inside servers, which bring them along; ``None`` where there are none.
    - ``copper``: links by copper, each a cable unless ports are broken out.
    - ``active_copper``: links by active copper; ``None`` where the cost model has none.
    - ``fiber``: links by fiber.
    - ``cable_length``: meters of all cables.
    - ``longest_cable``: meters of the longest cable.
    - ``least_cable_length``: meters of cable that any placement in these racks takes at least.
    - ``cable_lengths``: links by the length in which their cables are sold, the shortest first.
    - ``items``: what is purchased, item by item.
    - ``price``: dollars for all of it.
    - ``power``: watts of all of it.
    """

    links: Mapping[str, int]
    links_by_level: tuple[Mapping[str, int], ...]
    nodes_in_rack: int
    boards: int
    racks: int
    rows: int
    server_switches: int | None
    copper: int
    active_copper: int | None
    fiber: int
    cable_length: float
    longest_cable: float
    least_cable_length: float | None
    cable_lengths: tuple[CableLengths, ...]
    items: tuple[BillItem, ...]
    price: float
    power: float

    def to_pandas(self) -> pandas.DataFrame:
        """One row an item."""
        return frame(self.items)


@dataclass(frozen=True, repr=False)
class Design(Result):
    """The Pareto-optimal networks, best first, beside the usual fabrics.

    ``front`` has the Pareto-optimal networks, ``references`` the usual fabrics, whose ``kind`` is ``reference``; both are
    in `to_pandas`. Where the time ended before all was measured, ``finished`` is false and the front is that of what was
    measured.

    - ``candidates``: networks of a wanted size that were judged.
    - ``fitting``: how many of them are within the limit of the degree.
    - ``answers``: which fabric to take, for three purposes; ``None`` by nodes.
    - ``unfit``: families that were asked for and have no network that fits.
    - ``recommended``: the spec of the recommended network.
    - ``why``: why it is recommended.
    - ``simulated``: a short simulation of it.
    - ``bill``: what it takes to build.
    - ``relaxed``: where nothing fits: which limit to relax, and by how much.
    - ``finished``: whether all was measured in the time.
    - ``front``: the Pareto-optimal networks, best first.
    - ``references``: the usual fabrics.
    """

    candidates: int
    fitting: int
    finished: bool
    front: tuple[Candidate | ClusterCandidate, ...]
    references: tuple[Candidate | ClusterCandidate, ...]
    answers: Answers | None
    unfit: tuple[Unfit, ...]
    recommended: str | None
    why: str | None
    simulated: Confirmation | None
    bill: Bill | None
    relaxed: Relaxed | None

    def to_pandas(self) -> pandas.DataFrame:
        """One row a network: those of the front, and then the references, whose ``kind`` is ``reference``.

        Of a design by hosts there are also the hops between switches, and ``answer``, which says what a row is the answer
        to: ``non_blocking``, ``best_value`` or ``cheapest``.
        """
        rows = (*self.front, *self.references)
        table = frame(rows)
        fabrics = [row for row in rows if isinstance(row, ClusterCandidate)]
        if fabrics and len(fabrics) == len(rows):
            table["mean_switch_hops"] = [row.mean_switch_hops for row in fabrics]
            table["max_switch_hops"] = [row.max_switch_hops for row in fabrics]
            table["answer"] = [", ".join(self._answers_of(row.spec)) for row in fabrics]
        return table

    def _answers_of(self, spec: str) -> list[str]:
        if self.answers is None:
            return []
        answers = [(one.name, getattr(self.answers, one.name)) for one in fields(Answers)]
        return [name for name, answer in answers if answer is not None and answer.spec == spec]

    def row_of(self, answer: Answer | str) -> Candidate | ClusterCandidate:
        """The row of one of ``answers``, or of a spec such as ``recommended``; that of the front where both have one."""
        spec = answer.spec if isinstance(answer, Answer) else answer
        for row in (*self.front, *self.references):
            if row.spec == spec:
                return row
        raise Error(f"{spec} is neither in the front nor a reference")

    def _repr_html_(self) -> str:
        rows = (*self.front, *self.references)
        title = f"{len(self.front)} Pareto-optimal networks of {self.candidates} candidates"
        if not self.finished:
            title += " (not finished: of those measured in the time)"
        if self.recommended is not None:
            title += f"; recommended: {self.recommended}: {self.why}"
        return html(title, rows[0]._COLUMNS if rows else {}, rows, self.recommended)


@dataclass(frozen=True, repr=False)
class NodeDesign(Design):
    """A design by nodes: its rows are networks whose nodes all send.

    - ``front``: the Pareto-optimal networks, best first.
    - ``references``: the usual networks of that size.
    """

    front: tuple[Candidate, ...]
    references: tuple[Candidate, ...]

    if TYPE_CHECKING:

        def row_of(self, answer: Answer | str) -> Candidate: ...


@dataclass(frozen=True, repr=False)
class ClusterDesign(Design):
    """A design by hosts and the ports of a switch: its rows are fabrics with their cost.

    - ``front``: the Pareto-optimal fabrics, best first.
    - ``references``: the usual fabrics of that size.
    """

    front: tuple[ClusterCandidate, ...]
    references: tuple[ClusterCandidate, ...]

    if TYPE_CHECKING:

        def row_of(self, answer: Answer | str) -> ClusterCandidate: ...


@dataclass(frozen=True, repr=False)
class Compared(Rated):
    """A network in a comparison; ``best`` names the columns that it wins.

    - ``average_distance_sampled``: the mean distance of two hosts over a sample, in links, where it was not measured
      exactly.
    - ``table_bytes``: bytes of a routing table at a switch.
    - ``levels``: how many levels its links have.
    - ``switches``: how many nodes only switch.
    - ``throughput``: saturation throughput of uniform traffic under its best routing, as a fraction of the full rate.
    - ``worst_case``: the same of the worst permutation.
    - ``bisection_fraction``: cables across a bisection for each host of one side, at most 1.
    - ``routing``: the routing that carries this.
    - ``price``: dollars, by the cost model.
    - ``power``: watts, by the cost model.
    - ``racks``: how many racks it takes.
    - ``cable_length``: meters of all cables.
    - ``least_cable_length``: meters of cable that any placement in these racks takes at least.
    - ``cable_lengths``: links by the length in which their cables are sold, the shortest first.
    - ``items``: what is purchased, item by item.
    - ``also``: answers to the keys of ``also=``, by key.
    - ``best``: the columns that it wins.
    """

    average_distance_sampled: float | None
    table_bytes: int | None
    levels: int | None
    switches: int | None
    throughput: float | None
    worst_case: float | None
    bisection_fraction: float | None
    routing: str | None
    price: float | None
    power: float | None
    racks: int | None
    cable_length: float | None
    least_cable_length: float | None
    cable_lengths: tuple[CableLengths, ...] | None
    items: tuple[BillItem, ...] | None
    best: tuple[str, ...]
    also: Mapping[str, Any]


@dataclass(frozen=True, repr=False)
class Comparison(Rows[Compared], Result):
    """Several networks by the same numbers; it is iterated over its ``rows``.

    - ``left_out``: baselines that are not near enough.
    - ``rows``: the networks.
    """

    rows: tuple[Compared, ...]
    left_out: tuple[LeftOut, ...]

    def _rows(self) -> tuple[Compared, ...]:
        return self.rows

    def to_pandas(self) -> pandas.DataFrame:
        """One row a network."""
        return frame(self.rows)

    def _repr_html_(self) -> str:
        return html(f"{len(self.rows)} networks", Compared._COLUMNS, self.rows)


@dataclass(frozen=True, repr=False)
class Case(Result):
    """One case of a claim, printed and measured.

    - ``given``: the parameters, such as ``n = 3, k = 2``.
    - ``printed``: the value that the paper has.
    - ``measured``: the value that was measured.
    - ``fits``: whether they agree: ``yes``, ``slack``, ``unknown`` or ``no``.
    """

    given: str
    printed: str
    measured: str
    fits: str


@dataclass(frozen=True, repr=False)
class Reading(Result):
    """One way to read a claim.

    - ``name``: what the statement is taken to mean; empty where there is only one way.
    - ``verdict``: whether it holds, read so.
    - ``measured``: the verdict of the measurement; ``None`` where nothing was measured.
    - ``agrees``: whether the measurement agrees with the verdict of the ledger.
    - ``repair``: what is true instead, where it fails.
    - ``note``: why it is open, or what else is to be said.
    - ``show``: a command that shows the failure.
    - ``cases``: what was measured, case by case.
    - ``errors``: why cases have no value.
    """

    name: str
    verdict: str
    measured: str | None
    agrees: bool
    repair: str | None
    note: str | None
    show: str | None
    cases: tuple[Case, ...]
    errors: tuple[str, ...]


@dataclass(frozen=True, repr=False)
class Claim(Result):
    """What a paper says, and what is true.

    - ``paper``: the paper, by its key.
    - ``id``: the name of the statement.
    - ``where_``: where the paper has it.
    - ``also``: where the paper says it again.
    - ``says``: what it says, in other words.
    - ``verdict``: the verdict of its printed reading.
    - ``agrees``: whether measurements agree with all verdicts.
    - ``readings``: the ways to read it, the printed one first.
    """

    paper: str
    id: str
    where_: str
    also: tuple[str, ...]
    says: str
    verdict: str
    agrees: bool
    readings: tuple[Reading, ...]


@dataclass(frozen=True, repr=False)
class Claims(Rows[Claim], Result):
    """What papers say, statement by statement; it is iterated over its ``rows``.

    - ``rows``: the statements.
    """

    rows: tuple[Claim, ...]

    def _rows(self) -> tuple[Claim, ...]:
        return self.rows

    def to_pandas(self) -> pandas.DataFrame:
        """One row a statement."""
        return frame(self.rows)
