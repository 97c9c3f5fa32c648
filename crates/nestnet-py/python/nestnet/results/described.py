"""What a network is: its figures, its picture, its page."""

from __future__ import annotations

import os
from collections.abc import Iterator, KeysView, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Tuple, TypeVar, Union, overload

from .._nestnet import Error
from .declared import End
from .shape import Bounded, Mean, Missing, Result, cell

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, repr=False)
class Histogram(Result):
    """Ordered pairs of nodes by their distance; the first counts the nodes themselves.

    - ``counts``: ordered pairs at each distance, from distance 0 on.
    - ``how``: how it is known.
    """

    counts: tuple[int, ...]
    how: str


@dataclass(frozen=True, repr=False)
class Load(Result):
    """How busy channels are.

    - ``max``: load of the busiest channel.
    - ``mean``: mean load of all channels.
    - ``ratio``: the largest load as a multiple of the mean.
    - ``how``: how it is known.
    """

    max: float
    mean: float
    ratio: float
    how: str


@dataclass(frozen=True, repr=False)
class PaperFormula(Result):
    """What a formula of a paper gives for a network, right or wrong.

    - ``what``: what the formula is of.
    - ``where``: where the paper has it.
    - ``row``: the row of the ledger that checks it.
    - ``relation``: how the measured value should stand to it, such as ``equals`` or ``at most``.
    - ``value``: what it gives; ``None`` where it has no value here.
    """

    what: str
    where: str
    row: str
    relation: str
    value: int | float | None


@dataclass(frozen=True, repr=False)
class Info(Result):
    """What is known of a network at once, at any size: the fields of ``nestnet info --json``.

    - ``spec``: the network.
    - ``family``: the name of its family.
    - ``paper``: where the family comes from.
    - ``stands_for``: the spec that it means, where it is another name.
    - ``also``: other names of the same network, the best known first.
    - ``nodes``: how many nodes it has.
    - ``hosts``: how many of them inject and receive.
    - ``links``: pairs of nodes that are linked.
    - ``cables``: cables of all links; a link may have several.
    - ``degree_min``: the fewest links at a node.
    - ``degree_max``: the most links at a node.
    - ``degree_histogram``: nodes by their number of links; ``None`` where it was not counted.
    - ``connected``: whether there is a path between any two nodes.
    - ``levels``: how many levels its links have.
    - ``diameter``: the largest distance, in links, or bounds on it; ``None`` where it is not connected.
    - ``average_distance``: the mean distance of two different nodes, in links.
    - ``built``: whether it has node ids, so that it can be searched and routed.
    - ``memory``: bytes that it takes once all its links are stored.
    - ``paper_says``: what the formulas of its paper give, right or wrong.
    - ``remarks``: what to know of the numbers.
    """

    spec: str
    family: str
    paper: str
    stands_for: str | None
    also: tuple[str, ...]
    nodes: int
    hosts: int
    links: int
    cables: int
    degree_min: int
    degree_max: int
    degree_histogram: Mapping[int, int] | None
    connected: bool
    levels: int | None
    diameter: Bounded | None
    average_distance: Mean | None
    built: bool
    memory: int | None
    paper_says: tuple[PaperFormula, ...]
    remarks: tuple[str, ...]


# What an answer can be.
Value = Union[
    int, float, Bounded, Mean, Histogram, Load, Missing, Mapping[int, int], Tuple[End, End]
]

_Answer = TypeVar("_Answer")


class Key(Generic[_Answer]):
    """An answer of ``Measures`` by its key, with its type."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, measures: None, owner: type) -> Key[_Answer]: ...

    @overload
    def __get__(self, measures: Measures, owner: type) -> _Answer: ...

    def __get__(self, measures: Measures | None, owner: type) -> Key[_Answer] | _Answer:
        if measures is None:
            return self
        try:
            return measures.values[self._name]  # type: ignore[return-value]
        except KeyError:
            raise AttributeError(f"`{self._name}` was not measured") from None


@dataclass(frozen=True, repr=False)
class Measures(Result):
    """Answers by key: ``m["diameter"]`` or ``m.diameter``.

    A `Bounded` or a `Mean` is compared and calculated with like a number: ``m.diameter == 4``. ``Missing`` says why there
    is no answer; its ``value`` raises that as an error, so that ``m.diameter.value`` is a number or raises.

    - ``spec``: the network.
    - ``values``: the answers by key; docs/metrics.md says what each is.
    """

    spec: str
    values: Mapping[str, Value]

    nodes = Key[int]()
    links = Key[int]()
    cables = Key[int]()
    width_histogram = Key[Union[Mapping[int, int], Missing]]()
    degree_histogram = Key[Mapping[int, int]]()
    degree_min = Key[int]()
    degree_max = Key[int]()
    degree_mean = Key[float]()
    regular = Key[bool]()
    components = Key[Union[int, Missing]]()
    connected = Key[bool]()
    bipartite = Key[Union[bool, Missing]]()
    girth = Key[Union[int, Missing]]()
    diameter = Key[Union[Bounded, Missing]]()
    radius = Key[Union[Bounded, Missing]]()
    average_distance = Key[Union[Mean, Missing]]()
    distance_histogram = Key[Union[Histogram, Missing]]()
    farthest = Key[Tuple[End, End]]()
    hosts = Key[int]()
    host_diameter = Key[Union[Bounded, Missing]]()
    host_average_distance = Key[Union[Mean, Missing]]()
    host_distance_histogram = Key[Union[Histogram, Missing]]()
    switches_passed = Key[Union[Mean, Missing]]()
    moore_bound = Key[Union[int, Missing]]()
    moore_efficiency = Key[Union[float, Missing]]()
    average_distance_bound = Key[float]()
    average_distance_gap = Key[float]()
    cost = Key[Union[int, Missing]]()
    cr = Key[Union[float, Missing]]()
    links_per_node = Key[float]()
    vertex_connectivity = Key[Union[Bounded, Missing]]()
    edge_connectivity = Key[Union[Bounded, Missing]]()
    switch_edge_connectivity = Key[Union[Bounded, Missing]]()
    maximally_fault_tolerant = Key[Union[bool, Missing]]()
    vertex_orbits = Key[Union[int, Missing]]()
    edge_orbits = Key[Union[int, Missing]]()
    automorphisms = Key[Union[int, Missing]]()
    vertex_transitive = Key[Union[bool, Missing]]()
    edge_transitive = Key[Union[bool, Missing]]()
    channel_load = Key[Union[Load, Missing]]()
    throughput = Key[float]()
    forwarding_index = Key[Union[Bounded, Missing]]()
    lambda2 = Key[Union[float, Missing]]()
    spectral_gap = Key[Union[float, Missing]]()
    bisection = Key[Union[Bounded, Missing]]()
    fault_diameter = Key[Union[Bounded, Missing]]()
    unloaded_latency = Key[Union[float, Missing]]()
    saturation = Key[Union[float, Missing]]()

    def __getitem__(self, key: str) -> Value:
        return self.values[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.values)

    def __len__(self) -> int:
        return len(self.values)

    def keys(self) -> KeysView[str]:
        """The keys, so that ``dict(m)`` and ``{**m}`` are a row of a table."""
        return self.values.keys()

    def __dir__(self) -> list[str]:
        keys = {name for name, entry in vars(Measures).items() if isinstance(entry, Key)}
        return [name for name in super().__dir__() if name not in keys or name in self.values]

    def _ipython_key_completions_(self) -> list[str]:
        return list(self.values)

    def to_pandas(self) -> pandas.DataFrame:
        """One row a key; of what is missing ``value`` is empty, and ``how`` says why."""
        import pandas

        def how(value: Value) -> str | None:
            return value.why if isinstance(value, Missing) else getattr(value, "how", None)

        rows = [
            {"key": key, "value": cell(value), "how": how(value)}
            for key, value in self.values.items()
        ]
        return pandas.DataFrame(rows, columns=["key", "value", "how"])


@dataclass(frozen=True, repr=False)
class Drawing(Result):
    """A picture, as SVG.

    - ``spec``: the network.
    - ``svg``: the picture, as SVG.
    - ``dots``: dots in the picture.
    - ``lines``: lines in it.
    - ``nodes_a_dot``: nodes that a dot means, 1 where each has its own.
    - ``notes``: what to know of the picture.
    """

    spec: str
    svg: str
    dots: int
    lines: int
    nodes_a_dot: int
    notes: tuple[str, ...]

    def __repr__(self) -> str:
        return f"<drawing of {self.spec}: {self.dots} dots, {self.lines} lines>"

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the picture to a file as SVG, whose name ends in ``.svg`` or has no ending."""
        ending = os.path.splitext(path)[1]
        if ending.lower() not in ("", ".svg"):
            raise Error(
                f"{os.fspath(path)}: a drawing is saved as .svg, not as {ending}; "
                "the command `nestnet draw SPEC -o FILE` writes .svg, .png, .pdf and .tex"
            )
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.svg)


@dataclass(frozen=True, repr=False)
class Page(Result):
    """One page about networks, as HTML that needs no other file.

    - ``specs``: the networks on it.
    - ``html``: the page.
    """

    specs: tuple[str, ...]
    html: str

    def __repr__(self) -> str:
        return f"<page about {', '.join(self.specs)}>"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the page to a file, as HTML."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.html)
