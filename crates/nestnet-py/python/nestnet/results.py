"""What the questions of Nestnet answer: frozen objects, exact where the answer is exact."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Union

from ._nestnet import Error

if TYPE_CHECKING:
    import pandas

Number = Union[Fraction, float]


class Table(Mapping[Any, Any]):
    """A dictionary that does not change."""

    __slots__ = ("_entries",)

    def __init__(self, entries: Mapping[Any, Any]) -> None:
        self._entries = dict(entries)

    def __getitem__(self, key: Any) -> Any:
        return self._entries[key]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __repr__(self) -> str:
        return repr(self._entries)

    def __hash__(self) -> int:
        return hash(tuple(self._entries.items()))


def _plain(value: Any) -> Any:
    if isinstance(value, Result):
        return value.to_dict()
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return value


def _cell(value: Any) -> Any:
    """A value for a cell of a table: a number where it is one."""
    if isinstance(value, Known):
        return value.low if value.low == value.high else (value.low, value.high)
    if isinstance(value, Mean):
        return float(value.value)
    if isinstance(value, Range):
        return (value.low, value.high)
    if isinstance(value, Fraction):
        return float(value)
    if isinstance(value, Result):
        return value.to_dict()
    return value


def _frame(rows: tuple[Result, ...]) -> pandas.DataFrame:
    import pandas

    def entry(row: Result) -> dict[str, Any]:
        names = [field.name for field in dataclasses.fields(row)]  # type: ignore[arg-type]
        return {name: _cell(getattr(row, name)) for name in names}

    return pandas.DataFrame([entry(row) for row in rows])


class Result:
    """A frozen answer."""

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):  # type: ignore[arg-type]
            value = getattr(self, field.name)
            if isinstance(value, dict):
                object.__setattr__(self, field.name, Table(value))

    def to_dict(self) -> dict[str, Any]:
        """The same as a dictionary of plain values; fractions stay fractions."""
        fields = dataclasses.fields(self)  # type: ignore[arg-type]
        return {field.name: _plain(getattr(self, field.name)) for field in fields}


@dataclass(frozen=True)
class Known(Result):
    """An integer between two bounds, exact where they are equal, and how it is known."""

    low: int
    high: int
    how: str

    @property
    def exact(self) -> bool:
        """Whether both bounds are the same."""
        return self.low == self.high

    @property
    def value(self) -> int:
        """The number, where it is exact."""
        if self.low != self.high:
            raise Error(f"only bounds are known: {self.low} to {self.high}, by {self.how}")
        return self.low

    def __int__(self) -> int:
        return self.value

    def __index__(self) -> int:
        return self.value


@dataclass(frozen=True)
class Mean(Result):
    """An exact mean."""

    value: Number
    how: str

    def __float__(self) -> float:
        return float(self.value)


@dataclass(frozen=True)
class Sampled(Result):
    """A mean over a sample, with its interval of 95 %."""

    value: float
    low: float
    high: float
    sources: int
    seed: int


@dataclass(frozen=True)
class Range(Result):
    """A number between two bounds."""

    low: float
    high: float
    how: str


@dataclass(frozen=True)
class Histogram(Result):
    """Ordered pairs of nodes by their distance; the first counts the nodes themselves."""

    counts: tuple[int, ...]
    how: str


@dataclass(frozen=True)
class Load(Result):
    """How busy channels are."""

    max: float
    mean: float
    ratio: float
    how: str


@dataclass(frozen=True)
class End(Result):
    """A node with its address."""

    node: int
    address: str


@dataclass(frozen=True)
class Missing(Result):
    """No answer, and why."""

    why: str


@dataclass(frozen=True)
class Info(Result):
    """What is known of a network at once, at any size."""

    spec: str
    nodes: int
    hosts: int
    links: int
    degree_min: int
    degree_max: int
    degree_histogram: Mapping[int, int] | None
    connected: bool
    levels: int | None
    diameter: Known | None
    remarks: tuple[str, ...]


@dataclass(frozen=True)
class Measures(Result):
    """Answers by key: ``m["diameter"]`` or ``m.diameter``."""

    spec: str
    values: Mapping[str, Any]

    def __getitem__(self, key: str) -> Any:
        return self.values[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.values)

    def __len__(self) -> int:
        return len(self.values)

    def __getattr__(self, key: str) -> Any:
        if key.startswith("_") or key == "values":
            raise AttributeError(key)
        try:
            return self.values[key]
        except KeyError:
            raise AttributeError(f"`{key}` was not measured") from None

    def to_pandas(self) -> pandas.DataFrame:
        """One row a key."""
        import pandas

        rows = [
            {"key": key, "value": _cell(value), "how": getattr(value, "how", None)}
            for key, value in self.values.items()
        ]
        return pandas.DataFrame(rows, columns=["key", "value", "how"])


@dataclass(frozen=True)
class Route(Result):
    """The way of a message."""

    spec: str
    router: str
    source: int
    target: int
    path: tuple[int, ...]
    addresses: tuple[str, ...]
    levels: tuple[int, ...]
    ports: tuple[int, ...]
    vcs: tuple[int, ...]
    hops: int
    distance: int | None
    arrives: bool

    def __len__(self) -> int:
        return self.hops

    def __iter__(self) -> Iterator[int]:
        return iter(self.path)


@dataclass(frozen=True)
class BusyChannel(Result):
    """The channel that is full first."""

    source: int
    target: int
    load: Number


@dataclass(frozen=True)
class FullLevel(Result):
    """How many channels of a level are full first."""

    level: int
    full: int
    channels: int


@dataclass(frozen=True)
class WorstOfAny(Result):
    """A bound on the worst case of any routing, and a permutation that proves it."""

    theta: Number
    permutation: tuple[int, ...]


@dataclass(frozen=True)
class Throughput(Result):
    """How much every host can send before a channel is full."""

    spec: str
    traffic: str
    router: str
    hosts: int
    theta: Number
    network_theta: Number | None
    busiest: BusyChannel | None
    full: tuple[FullLevel, ...]
    how: str
    any_routing: Range | Missing | None
    worst_of_any: WorstOfAny | Missing | None
    permutation: tuple[int, ...] | None
    loads: tuple[tuple[int, int, float], ...]

    def to_pandas(self) -> pandas.DataFrame:
        """The load of every channel between switches."""
        import pandas

        return pandas.DataFrame(list(self.loads), columns=["source", "target", "load"])


@dataclass(frozen=True)
class Broadcast(Result):
    """A broadcast, every transfer checked; ``schedule`` is empty where it is very long."""

    spec: str
    source: int
    algorithm: str
    ports: str
    steps: int
    transfers: int
    reached: int
    missed: tuple[int, ...]
    exactly_once: bool
    lower_bound: int
    paper_bound: int | None
    schedule: tuple[tuple[tuple[int, int], ...], ...]


@dataclass(frozen=True)
class Collective(Result):
    """A collective among all hosts, every transfer checked."""

    spec: str
    collective: str
    root: int | None
    ports: str
    algorithm: str
    steps: int
    rounds: int
    transfers: int
    busiest_load: int
    held: int
    lower_bound: int
    rounds_lower_bound: int
    bytes: int
    block_bytes: float
    seconds: float
    latency_bound: float
    bandwidth_bound: float
    algorithms: Mapping[str, Any]


@dataclass(frozen=True)
class Channel(Result):
    """One virtual channel of a link, in one direction."""

    node: int
    to: int | None
    port: int
    vc: int


@dataclass(frozen=True)
class Waiting(Result):
    """A message that holds a channel of a circle."""

    channel: Channel
    source: int
    target: int
    choice: int


@dataclass(frozen=True)
class DeadlockReport(Result):
    """Whether messages can wait for each other in a circle: a circle, or an order of channels that proves the contrary."""

    spec: str
    router: str
    free: bool
    vcs: int
    map: str
    pairs: int
    channels: int
    dependencies: int
    cycle: tuple[Waiting, ...]
    order: tuple[Channel, ...]
    how: str

    def __bool__(self) -> bool:
        raise Error("ask for .free: a report is neither true nor false")


@dataclass(frozen=True)
class Wait(Result):
    """A packet in a circle."""

    at: int
    vc: int
    next: int
    source: int
    target: int


@dataclass(frozen=True)
class Point(Result):
    """What one load led to, in flits per host and cycle, and cycles."""

    offered: float
    accepted: float
    latency: float
    latency_p50: int
    latency_p99: int
    latency_ci95: float | None
    network_latency: float
    hops: float
    packets: int
    cycles: int
    flit_hops: int
    status: str
    seed: int
    circle: tuple[Wait, ...]


@dataclass(frozen=True)
class Simulation(Result):
    """Latency over load; ``saturation`` where all loads were tried."""

    spec: str
    router: str
    traffic: str
    hosts: int
    vcs: int
    warning: str | None
    points: tuple[Point, ...]
    saturation: float | None
    most_accepted: float

    def to_pandas(self) -> pandas.DataFrame:
        """One row a load."""
        return _frame(self.points)


@dataclass(frozen=True)
class Drawing(Result):
    """A picture, as SVG."""

    spec: str
    svg: str
    dots: int
    lines: int
    nodes_a_dot: int
    notes: tuple[str, ...]

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: str) -> None:
        """Writes the picture to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.svg)


@dataclass(frozen=True)
class Page(Result):
    """One page about networks, as HTML that needs no other file."""

    specs: tuple[str, ...]
    html: str

    def save(self, path: str) -> None:
        """Writes the page to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.html)


@dataclass(frozen=True)
class Candidate(Result):
    """A network on the front of a design by nodes."""

    spec: str
    nodes: int
    hosts: int
    degree: int
    diameter: Known | None
    average_distance: Mean | Range | float | None
    links: int
    cost: Known | None
    cr: float | Range | None
    moore_efficiency: float | Range | None
    vcs: int | None
    router: str | None
    vertex_connectivity: Known
    match: float
    ties: int
    kind: str


@dataclass(frozen=True)
class ClusterCandidate(Result):
    """A network on the front of a design by hosts and the ports of a switch."""

    spec: str
    kind: str
    hosts: int
    switches: int
    radix: int
    hosts_per_switch: int | None
    links: int
    price_per_host: float
    power_per_host: float
    throughput: float
    mean_hops: float
    host_diameter: int
    failures_survived: int
    vcs: int | None


@dataclass(frozen=True)
class Relaxed(Result):
    """Where nothing fits: which limit to relax, and by how much."""

    max_degree: int | None
    max_diameter: int | None
    tolerance: float | None


@dataclass(frozen=True)
class Design(Result):
    """The networks that no other beats, best first."""

    candidates: int
    fitting: int
    front: tuple[Candidate | ClusterCandidate, ...]
    recommended: str | None
    why: str | None
    relaxed: Relaxed | None

    def to_pandas(self) -> pandas.DataFrame:
        """One row a network."""
        return _frame(self.front)


@dataclass(frozen=True)
class Compared(Result):
    """A network in a comparison; ``best`` names the columns that it wins."""

    spec: str
    nodes: int
    hosts: int
    degree: int
    diameter: Known | None
    average_distance: Mean | Range | float | None
    links: int
    cost: Known | None
    cr: float | Range | None
    moore_efficiency: float | Range | None
    vcs: int | None
    router: str | None
    vertex_connectivity: Known
    average_distance_sampled: float | None
    table_bytes: int | None
    levels: int | None
    price: float | None
    power: float | None
    racks: int | None
    cable_length: float | None
    best: tuple[str, ...]
    also: Mapping[str, Any]


@dataclass(frozen=True)
class LeftOut(Result):
    """A baseline that is not near enough."""

    family: str
    nearest: str | None


@dataclass(frozen=True)
class Comparison(Result):
    """Several networks by the same numbers."""

    rows: tuple[Compared, ...]
    left_out: tuple[LeftOut, ...]

    def to_pandas(self) -> pandas.DataFrame:
        """One row a network."""
        return _frame(self.rows)


@dataclass(frozen=True)
class Case(Result):
    """One case of a claim, printed and measured."""

    given: str
    printed: str
    measured: str
    fits: str


@dataclass(frozen=True)
class Reading(Result):
    """One way to read a claim."""

    name: str
    verdict: str
    measured: str | None
    agrees: bool
    repair: str | None
    note: str | None
    cases: tuple[Case, ...]
    errors: tuple[str, ...]


@dataclass(frozen=True)
class Claim(Result):
    """What a paper says, and what is true."""

    paper: str
    id: str
    where_: str
    says: str
    verdict: str
    agrees: bool
    readings: tuple[Reading, ...]


@dataclass(frozen=True)
class Claims(Result):
    """What papers say, statement by statement."""

    rows: tuple[Claim, ...]

    def __iter__(self) -> Iterator[Claim]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def to_pandas(self) -> pandas.DataFrame:
        """One row a statement."""
        return _frame(self.rows)
