"""What every answer is made of: frozen objects, exact numbers, rows of a table."""

from __future__ import annotations

import dataclasses
import math
import numbers
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NoReturn, TypeVar, Union, overload

import numpy as np

from .._nestnet import Error, LimitError

if TYPE_CHECKING:
    import pandas

Number = Union[Fraction, float]

# A node in a result: its label in a graph that has labels, otherwise its id.
Node = Any

# Metadata of fields that hold nodes: one, or tuples of them, or rows that begin with both ends of a channel.
NODES: dict[str, str] = {"nodes": "all"}
ENDS: dict[str, str] = {"nodes": "ends"}

# Fields of results of the libraries that a class here does not have, by class.
_WITHOUT: dict[str, str] = {
    "Broadcast": (
        "busiest_load extra_transfers gap hops impossible_transfers nodes paper_model "
        "router told_twice transfers_per_step"
    ),
    "Candidate": (
        "deadlock_free energy hosts_per_switch price_per_host radix routing simulated switches "
        "throughput wiring worst_case"
    ),
    "Case": "basis column command nodes quantity relation what",
    "Claim": "cause finished kind",
    "Collective": "alpha beta blocks checked hop hops hosts link_load load messages",
    "Compared": (
        "cable_per_host chip energy_per_bit links_per_host physical power_per_host "
        "price_per_host"
    ),
    "Design": (
        "hosts max_degree max_diameter measured nodes objectives radix relax searched "
        "tolerance unmeasured"
    ),
    "GoalRun": "done status",
    "Reading": "finished proof repaired",
}
WITHOUT = frozenset(
    (name, field) for name, fields in _WITHOUT.items() for field in fields.split()
)

# All that were omitted so far; what is not in `WITHOUT` was forgotten, and fails the tests.
DROPPED: set[tuple[str, str]] = set()

_Any = TypeVar("_Any", bound="Result")
_Row = TypeVar("_Row")


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


# The most digits of an integer that Python writes as text, and so `json.dumps`.
_DIGITS = 4300


def _plain(value: Any) -> Any:
    """A value of JSON: no fractions, tuples, types of numpy, or numbers that JSON does not have."""
    if value is None or isinstance(value, (bool, str)):
        return str(value) if isinstance(value, str) else value
    if isinstance(value, Result):
        return value.to_dict()
    if isinstance(value, (tuple, list, np.ndarray)):
        return [_plain(item) for item in value]
    if isinstance(value, Mapping):
        return {_key(key): _plain(item) for key, item in value.items()}
    if isinstance(value, np.generic):
        return _plain(value.item())
    if isinstance(value, int):
        # An upper bound on the digits that needs no text.
        long = value.bit_length() * 0.30103 + 1 > _DIGITS and abs(value) >= 10**_DIGITS
        return str(Decimal(value)) if long else int(value)
    if isinstance(value, Fraction):
        try:
            return float(value)
        except OverflowError:
            return None
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    return str(value)


def _key(key: Any) -> Any:
    """A key of JSON, where all keys are text; `json.dumps` writes numbers as text itself."""
    return key if type(key) in (str, int) else str(key)


def _exact(value: Fraction) -> str:
    """A fraction as text of any length."""
    parts = [str(Decimal(part)) for part in (value.numerator, value.denominator)]
    return parts[0] if value.denominator == 1 else "/".join(parts)


def _by_label(value: Any, label: Callable[[int], Any], kind: str | None) -> Any:
    if kind == "all":
        if isinstance(value, tuple):
            return tuple(_by_label(item, label, kind) for item in value)
        return None if value is None else label(value)
    if kind == "ends":
        return tuple((label(row[0]), label(row[1]), *row[2:]) for row in value)
    if isinstance(value, Result):
        return by_label(value, label)
    if isinstance(value, tuple) and any(isinstance(item, Result) for item in value):
        return tuple(_by_label(item, label, None) for item in value)
    if isinstance(value, Mapping):
        return {key: _by_label(item, label, None) for key, item in value.items()}
    return value


def by_label(result: _Any, label: Callable[[int], Any]) -> _Any:
    """The same result with every node by its label in place of its id."""
    changed = {
        field.name: _by_label(getattr(result, field.name), label, field.metadata.get("nodes"))
        for field in dataclasses.fields(result)  # type: ignore[arg-type]
    }
    return dataclasses.replace(result, **changed)  # type: ignore[type-var]


def _is_several(value: Any) -> bool:
    """Whether it is several values in one."""
    if isinstance(value, Result):
        return not isinstance(value, (Measured, Missing))
    return isinstance(value, (tuple, Mapping)) and len(value) > 0


def _known(value: Any) -> tuple[str, str]:
    """A value for people, and how it is known or why it is missing."""
    how = value.why if isinstance(value, Missing) else getattr(value, "how", None) or ""
    return _brief(value, _LINE) if _is_several(value) else _shown(value), how


def cell(value: Any) -> Any:
    """A value for a cell of a table: a number where it is one."""
    if isinstance(value, Missing):
        return None
    if isinstance(value, Bounded):
        return value.low if value.low == value.high else (value.low, value.high)
    if isinstance(value, Mean):
        return float(value.value)
    if isinstance(getattr(value, "ci95", None), float):
        return value.mean
    if isinstance(value, Range):
        return (value.low, value.high)
    if isinstance(value, Fraction):
        return float(value)
    if isinstance(value, Result):
        return value.to_dict()
    return value


def frame(rows: tuple[Result, ...], **same: Any) -> pandas.DataFrame:
    """A row for each result; the columns of ``same`` come first and have one value in all rows."""
    import pandas

    def entry(row: Result) -> dict[str, Any]:
        names = [field.name for field in dataclasses.fields(row)]  # type: ignore[arg-type]
        return {**same, **{name: cell(getattr(row, name)) for name in names}}

    return pandas.DataFrame([entry(row) for row in rows])


def _shown(value: Any) -> str:
    """A value for people: few digits, bounds as a range."""
    is_spread = isinstance(getattr(value, "ci95", None), float)
    value = repr(value) if _is_several(value) and not is_spread else cell(value)
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return " to ".join(_shown(one) for one in value)
    if isinstance(value, int):
        return f"{value:,}" if value.bit_length() <= 64 else f"about 10^{int(math.log10(value))}"
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"
    return str(value)


def _cells(columns: Mapping[str, str], rows: Sequence[Result]) -> tuple[list[str], list[list[str]]]:
    """Titles and cells for people, without columns that have no value in any row."""
    cells = [[_shown(getattr(row, key, None)) for key in columns] for row in rows]
    used = [at for at in range(len(columns)) if any(line[at] not in ("–", "") for line in cells)]
    titles = list(columns.values())
    return [titles[at] for at in used], [[line[at] for at in used] for line in cells]


def html(title: str, columns: Mapping[str, str], rows: Sequence[Result], marked: Any = None) -> str:
    """A table for a notebook: a row for each result, the fields of ``columns`` under their titles.

    The row whose spec is ``marked`` is bold.
    """
    from html import escape

    titles, cells = _cells(columns, rows)
    head = "".join(f"<th>{escape(title)}</th>" for title in titles)
    body = ""
    for row, line in zip(rows, cells):
        tag = "th" if marked is not None and getattr(row, "spec", None) == marked else "td"
        body += "<tr>" + "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in line) + "</tr>"
    return f"<div><p>{escape(title)}</p><table><tr>{head}</tr>{body}</table></div>"


# The longest line of `repr`, and the most rows of a table that is printed.
_LINE, _ROWS = 120, 40


def table(titles: Sequence[str], lines: Sequence[Sequence[str]], indent: str = "") -> list[str]:
    """A table as lines of text, its columns one below the other."""
    shown = [titles, *lines[:_ROWS]]
    widths = [max(len(line[at]) for line in shown) for at in range(len(titles))]
    text = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths)) for line in shown]
    rest = [f"... {len(lines) - _ROWS} more"] if len(lines) > _ROWS else []
    return [f"{indent}{line}".rstrip() for line in (*text, *rest)]


def _brief(value: Any, most: int = 40) -> str:
    """A value in few characters; of what is long how much it is."""
    if isinstance(value, int) and value.bit_length() > 128:
        return _shown(value)
    text = ""
    if not isinstance(value, (tuple, Mapping)) or len(value) <= most:
        try:
            text = repr(value)
        except ValueError:
            # A number in it has more digits than Python writes.
            text = ""
    if 0 < len(text) <= most:
        return text
    if isinstance(value, str):
        return repr(f"{value[: most - 6]}...")
    if isinstance(value, (tuple, Mapping)):
        return f"<{len(value)} {'entry' if len(value) == 1 else 'entries'}>"
    return f"{type(value).__name__}(...)"


class Result:
    """A frozen answer: `repr` is one line with what matters most, ``print`` shows all of it as text.

    >>> import nestnet as nn
    >>> found = nn.torus(4, 4).simulate([0.1, 0.2], warmup=100, cycles=200)
    >>> found  # doctest: +ELLIPSIS
    Simulation(spec='torus(4, 4)', router='shortest', traffic='uniform', hosts=16, vcs=..., points=<2 entries>...)
    >>> print(nn.ring(4).paths(0, 2))
    spec      ring(4)
    source    0
    target    2
    count     2
    bound     2
    exact     yes
    how       degrees
    shortest  yes
    lengths   (2, 2)
    paths     ((0, 1, 2), (0, 3, 2))
    """

    # The fields that a table of such results has, with their titles; all single values where there are none.
    _COLUMNS: ClassVar[Mapping[str, str]] = {}

    def __repr__(self) -> str:
        # The fields that have a value, as many as fit.
        line = f"{type(self).__name__}("
        for field in dataclasses.fields(self):  # type: ignore[arg-type]
            value = getattr(self, field.name)
            if value is None or isinstance(value, tuple) and not value:
                continue
            part = f"{'' if line.endswith('(') else ', '}{field.name}={_brief(value)}"
            if len(line) + len(part) > _LINE - 6:
                return f"{line}, ...)"
            line += part
        return f"{line})"

    def __str__(self) -> str:
        short = repr(self)
        if type(self).__repr__ is not Result.__repr__:
            return short
        values = [getattr(self, one.name) for one in dataclasses.fields(self)]  # type: ignore[arg-type]
        whole = not any(_is_several(value) for value in values) and not short.endswith(", ...)")
        return short if whole else "\n".join(self._lines())

    def _lines(self) -> list[str]:
        """All of it as lines: single values, then tables."""
        single: list[tuple[str, str]] = []
        tables: list[str] = []
        for field in dataclasses.fields(self):  # type: ignore[arg-type]
            name, value = field.name, getattr(self, field.name)
            if value is None or isinstance(value, (tuple, Mapping)) and not value:
                continue
            if isinstance(value, tuple) and all(isinstance(item, Result) for item in value):
                columns = value[0]._COLUMNS or {
                    one.name: one.name
                    for one in dataclasses.fields(value[0])
                    if not isinstance(getattr(value[0], one.name), (tuple, Mapping))
                }
                tables += [name, *table(*_cells(columns, value), indent="  ")]
            elif isinstance(value, Mapping):
                rows = [(str(key), *_known(one)) for key, one in value.items()]
                tables += [name, *table(("", "", ""), rows, indent="  ")[1:]]
            else:
                text = "  ".join(filter(None, _known(value)))
                single.append((name, text if len(text) <= 200 else f"{text[:197]}..."))
        width = max((len(name) for name, _ in single), default=0)
        return [*(f"{name.ljust(width)}  {text}".rstrip() for name, text in single), *tables]

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):  # type: ignore[arg-type]
            value = getattr(self, field.name)
            if isinstance(value, dict):
                object.__setattr__(self, field.name, Table(value))
            elif value is None and field.type.startswith("tuple") and "None" not in field.type:
                object.__setattr__(self, field.name, ())

    def to_dict(self) -> dict[str, Any]:
        """The same as plain data that ``json.dumps`` takes, by the conventions of the command line.

        A fraction ``x`` becomes the number ``x`` and the text ``x_exact``. Integers of more than 4,300 digits and
        labels that are neither text, numbers nor tuples become text; infinite numbers become ``None``.

        >>> import nestnet as nn
        >>> nn.ring(4).throughput(gap=None).busiest.to_dict()
        {'source': 0, 'target': 1, 'load': 0.6666666666666666, 'load_exact': '2/3'}
        """
        plain: dict[str, Any] = {}
        for field in dataclasses.fields(self):  # type: ignore[arg-type]
            value = getattr(self, field.name)
            plain[field.name] = _plain(value)
            if isinstance(value, Fraction):
                plain[f"{field.name}_exact"] = _exact(value)
        return plain


class Rows(Generic[_Row]):
    """What a result with rows does: iteration over them, ``len()``, and ``[i]``."""

    def _rows(self) -> tuple[_Row, ...]:
        raise NotImplementedError

    def __iter__(self) -> Iterator[_Row]:
        return iter(self._rows())

    def __len__(self) -> int:
        return len(self._rows())

    @overload
    def __getitem__(self, place: int) -> _Row: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[_Row, ...]: ...
    def __getitem__(self, place: int | slice) -> _Row | tuple[_Row, ...]:
        return self._rows()[place]


# Bounds of a number: the least and the largest that it can be.
_Bounds = tuple[Any, Any]


def _bounds_of(value: object) -> _Bounds | None:
    """The bounds of a number; ``None`` for what is none."""
    if isinstance(value, Measured):
        return value._bounds()
    if isinstance(value, np.generic):
        value = value.item()
    return (value, value) if isinstance(value, numbers.Real) else None


class Measured:
    """What a measured number does: it is compared and calculated with like a number, where it is exact.

    Where only bounds are known, a comparison gives an answer where they decide it, and otherwise raises `nestnet.Error`;
    arithmetic always does. Two that are not exact are equal where they say the same.

    >>> import nestnet as nn
    >>> m = nn.petersen().measure("diameter", "average_distance")
    >>> m.diameter == 2, m.diameter + 1, m.average_distance < m.diameter
    (True, 3, True)
    >>> between = nn.results.Bounded(3, 5, "search")
    >>> between > 2, between == 6
    (True, False)
    >>> between > 4
    Traceback (most recent call last):
    nestnet.Error: only bounds are known, which leave open whether 3 to 5 is > 4
    """

    def _bounds(self) -> _Bounds:
        raise NotImplementedError

    def _number(self) -> Any:
        low, high = self._bounds()
        if low != high:
            raise Error(f"only bounds are known: {self._text()}, by {getattr(self, 'how', 'bounds')}")
        return low

    def _text(self) -> str:
        # Of any length, which `str` is not.
        low, high = (str(Decimal(x)) if isinstance(x, int) else str(x) for x in self._bounds())
        return low if low == high else f"{low} to {high}"

    def _undecided(self, sign: str, other: object) -> Error:
        number = other._text() if isinstance(other, Measured) else str(other)
        return Error(
            f"only bounds are known, which leave open whether {self._text()} is {sign} {number}"
        )

    def __eq__(self, other: object) -> bool:
        bounds = _bounds_of(other)
        if bounds is None:
            return NotImplemented
        (low, high), (least, most) = self._bounds(), bounds
        if low == high and least == most:
            return bool(low == least)
        if type(other) is type(self) and (low, high) == (least, most):
            return True
        # What is not a number is not equal to anything.
        if high < least or most < low or least != least:
            return False
        raise self._undecided("==", other)

    def __hash__(self) -> int:
        low, high = self._bounds()
        return hash(low if low == high else (low, high))

    def _compare(self, other: object, sign: str, compare: Callable[[Any, Any], bool]) -> Any:
        bounds = _bounds_of(other)
        if bounds is None:
            return NotImplemented
        (low, high), (least, most) = self._bounds(), bounds
        best, worst = compare(low, most), compare(high, least)
        if sign[0] == ">":
            best, worst = compare(high, least), compare(low, most)
        if best != worst:
            raise self._undecided(sign, other)
        return bool(worst)

    def __lt__(self, other: object) -> bool:
        answer: bool = self._compare(other, "<", operator.lt)
        return answer

    def __le__(self, other: object) -> bool:
        answer: bool = self._compare(other, "<=", operator.le)
        return answer

    def __gt__(self, other: object) -> bool:
        answer: bool = self._compare(other, ">", operator.gt)
        return answer

    def __ge__(self, other: object) -> bool:
        answer: bool = self._compare(other, ">=", operator.ge)
        return answer

    def _calculate(self, other: object, calculate: Callable[[Any, Any], Any], is_right: bool) -> Any:
        if isinstance(other, Measured):
            other = other._number()
        elif _bounds_of(other) is None:
            return NotImplemented
        elif isinstance(other, np.generic):
            other = other.item()
        return calculate(other, self._number()) if is_right else calculate(self._number(), other)

    def __add__(self, other: Any) -> Any:
        return self._calculate(other, operator.add, False)

    def __radd__(self, other: Any) -> Any:
        return self._calculate(other, operator.add, True)

    def __sub__(self, other: Any) -> Any:
        return self._calculate(other, operator.sub, False)

    def __rsub__(self, other: Any) -> Any:
        return self._calculate(other, operator.sub, True)

    def __mul__(self, other: Any) -> Any:
        return self._calculate(other, operator.mul, False)

    def __rmul__(self, other: Any) -> Any:
        return self._calculate(other, operator.mul, True)

    def __truediv__(self, other: Any) -> Any:
        return self._calculate(other, operator.truediv, False)

    def __rtruediv__(self, other: Any) -> Any:
        return self._calculate(other, operator.truediv, True)

    def __floordiv__(self, other: Any) -> Any:
        return self._calculate(other, operator.floordiv, False)

    def __rfloordiv__(self, other: Any) -> Any:
        return self._calculate(other, operator.floordiv, True)

    def __mod__(self, other: Any) -> Any:
        return self._calculate(other, operator.mod, False)

    def __rmod__(self, other: Any) -> Any:
        return self._calculate(other, operator.mod, True)

    def __pow__(self, other: Any) -> Any:
        return self._calculate(other, operator.pow, False)

    def __rpow__(self, other: Any) -> Any:
        return self._calculate(other, operator.pow, True)

    def __neg__(self) -> Any:
        return -self._number()

    def __pos__(self) -> Any:
        return +self._number()

    def __abs__(self) -> Any:
        return abs(self._number())

    def __round__(self, digits: int | None = None) -> Any:
        return round(self._number(), digits)

    def __float__(self) -> float:
        return float(self._number())

    def __format__(self, form: str) -> str:
        """As text, or the number in a form of numbers such as ``.2f``."""
        if not form:
            return str(self)
        value = self._number()
        # Before Python 3.12 fractions have no forms.
        return format(float(value) if isinstance(value, Fraction) else value, form)


@dataclass(frozen=True, eq=False, repr=False)
class Bounded(Measured, Result):
    """An integer between two bounds, exact where they are equal, and how it is known.

    ``low`` and ``high`` are the bounds, ``how`` says by what they are known, ``exact`` whether both are the same, and
    ``value`` is the number where they are. It is compared and calculated with like a number.

    - ``low``: the lower bound.
    - ``high``: the upper bound.
    - ``how``: how it is known.
    """

    low: int
    high: int
    how: str

    def _bounds(self) -> _Bounds:
        return self.low, self.high

    @property
    def exact(self) -> bool:
        """Whether both bounds are the same."""
        return self.low == self.high

    @property
    def value(self) -> int:
        """The number, where it is exact."""
        number: int = self._number()
        return number

    def __int__(self) -> int:
        return self.value

    def __index__(self) -> int:
        return self.value


@dataclass(frozen=True, eq=False, repr=False)
class Mean(Measured, Result):
    """An exact mean: ``value`` is the number, ``how`` says by what it is known. It is compared and calculated with like a
    number.

    - ``value``: the mean.
    - ``how``: how it is known.
    """

    value: Number
    how: str

    def _bounds(self) -> _Bounds:
        return self.value, self.value

    @property
    def low(self) -> Number:
        """The number: a mean is exact."""
        return self.value

    @property
    def high(self) -> Number:
        """The number: a mean is exact."""
        return self.value

    @property
    def exact(self) -> bool:
        """Always."""
        return True

    def to_dict(self) -> dict[str, Any]:
        """The number, both parts of the fraction and how it is known, as ``nestnet info --json`` writes a mean."""
        plain = super().to_dict()
        if isinstance(self.value, Fraction):
            del plain["value_exact"]
            plain["numerator"] = _plain(self.value.numerator)
            plain["denominator"] = _plain(self.value.denominator)
        return plain


@dataclass(frozen=True, repr=False)
class Sampled(Result):
    """A mean over a sample, with its interval of 95 %.

    - ``value``: the mean.
    - ``low``: the lower end of the interval.
    - ``high``: its upper end.
    - ``sources``: nodes from which was searched.
    - ``seed``: the random seed.
    - ``how``: how it is known: ``sampled``.
    """

    value: float
    low: float
    high: float
    sources: int
    seed: int
    how: str = "sampled"


@dataclass(frozen=True, eq=False, repr=False)
class Range(Measured, Result):
    """A number between two bounds, exact where they are equal, and how it is known.

    - ``low``: the lower bound.
    - ``high``: the upper bound.
    - ``how``: how the bounds are known.
    """

    low: float
    high: float
    how: str = "bounds"

    def _bounds(self) -> _Bounds:
        return self.low, self.high

    @property
    def exact(self) -> bool:
        """Whether both bounds are the same."""
        return self.low == self.high

    @property
    def value(self) -> float:
        """The number, where it is exact."""
        number: float = self._number()
        return number


@dataclass(frozen=True, repr=False)
class Missing(Result):
    """No answer: why, and the class of the reason: ``acyclic``, ``disconnected``, ``limit`` or ``other``.

    It is false, and its cell in a table is empty.

    - ``why``: why there is no answer.
    - ``reason``: the class of the reason.
    """

    why: str
    reason: str = "other"

    def __bool__(self) -> bool:
        return False

    def _error(self) -> Error:
        kind = LimitError if self.reason == "limit" else Error
        return kind(self.why)

    # Whoever takes it for a number gets the reason as an error, so that ``m.diameter.value`` is an ``int``.

    @property
    def low(self) -> NoReturn:
        """Raises: there is no number."""
        raise self._error()

    @property
    def high(self) -> NoReturn:
        """Raises: there is no number."""
        raise self._error()

    @property
    def value(self) -> NoReturn:
        """Raises: there is no number."""
        raise self._error()

    def __int__(self) -> NoReturn:
        raise self._error()

    def __index__(self) -> NoReturn:
        raise self._error()

    def __float__(self) -> NoReturn:
        raise self._error()
