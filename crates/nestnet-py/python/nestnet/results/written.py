"""What is written for other tools, and tables of sweeps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Union

from .shape import Result, Rows, table

if TYPE_CHECKING:
    import pandas

# What a cell of the table of a study is; ``None`` where a point says nothing of it.
Cell = Union[bool, int, float, str, None]
Cells = tuple[Cell, ...]


@dataclass(frozen=True, repr=False)
class Exported(Result):
    """A network in the format of another tool: ``text``, or the ``file`` where one was named.

    - ``spec``: the network.
    - ``format``: the format by its name.
    - ``does_not_say``: what the format has no field for.
    - ``file``: the file; ``None`` where none was named.
    - ``text``: the text; ``None`` where a file was named.
    """

    spec: str
    format: str
    file: str | None
    does_not_say: tuple[str, ...]
    text: str | None

    def __str__(self) -> str:
        return self.text if self.text is not None else f"{self.spec} in {self.file}"


@dataclass(frozen=True, repr=False)
class TablesWritten(Result):
    """Routing tables for another tool: ``text``, or the ``file`` where one was named, and the bytes of a switch.

    - ``spec``: the network.
    - ``router``: the router whose routes these are.
    - ``format``: the format by its name.
    - ``bytes``: bytes of a table with an entry for every destination, at a switch.
    - ``interval_bytes``: bytes of a table of intervals, at a switch.
    - ``intervals``: intervals of destinations with the same port and virtual channel, at the switch that has most.
    - ``remarks``: what to know of the tables.
    - ``file``: the file; ``None`` where none was named.
    - ``text``: the text; ``None`` where a file was named.
    """

    spec: str
    router: str
    format: str
    file: str | None
    bytes: int | None
    interval_bytes: int | None
    intervals: int | None
    remarks: tuple[str, ...]
    text: str | None

    def __str__(self) -> str:
        return self.text if self.text is not None else f"{self.router} of {self.spec} in {self.file}"


@dataclass(frozen=True, repr=False)
class Study(Rows[Cells], Result):
    """The table of a sweep: a row for each point. ``made`` of them were not kept before, ``none`` have no answer.

    - ``title``: the title of the study.
    - ``about``: what it is about.
    - ``points``: how many points it has.
    - ``columns``: the names of the columns.
    - ``rows``: the cells of each point.
    - ``made``: points that this call computed.
    - ``none``: points without an answer.
    """

    title: str
    about: str
    points: int
    made: int
    none: int
    columns: tuple[str, ...]
    rows: tuple[Cells, ...]

    def _rows(self) -> tuple[Cells, ...]:
        return self.rows

    def __str__(self) -> str:
        cells = [["" if one is None else str(one) for one in row] for row in self.rows]
        return "\n".join(table(self.columns, cells))

    def to_pandas(self) -> pandas.DataFrame:
        """One row a point."""
        import pandas

        return pandas.DataFrame(list(self.rows), columns=list(self.columns))
