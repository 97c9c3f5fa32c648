"""What a network is: its figures, its picture, its page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .shape import NODES, Bounded, Mean, Node, Result, cell

if TYPE_CHECKING:
    import pandas


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

    node: Node = field(metadata=NODES)
    address: str


@dataclass(frozen=True)
class PaperFormula(Result):
    """What a formula of a paper gives for a network, right or wrong."""

    what: str
    where: str
    row: str
    relation: str
    value: int | float | None


@dataclass(frozen=True)
class Info(Result):
    """What is known of a network at once, at any size: the fields of ``nestnet info --json``."""

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

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.values]

    def _ipython_key_completions_(self) -> list[str]:
        return list(self.values)

    def to_pandas(self) -> pandas.DataFrame:
        """One row a key."""
        import pandas

        rows = [
            {"key": key, "value": cell(value), "how": getattr(value, "how", None)}
            for key, value in self.values.items()
        ]
        return pandas.DataFrame(rows, columns=["key", "value", "how"])


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
