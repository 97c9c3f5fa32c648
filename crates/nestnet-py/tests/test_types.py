"""A number is a number: the types of what was measured, as a checker sees them and as they are."""

import collections.abc
import math
import pathlib
import subprocess
import sys
import typing
from fractions import Fraction

import nestnet as nn
import numpy as np
import pytest
from nestnet.results import Bounded, Mean, Measures, Missing, Range
from nestnet.results.described import Key

HERE = pathlib.Path(__file__).resolve().parent

# Every measure, by the name of its group.
GROUPS = (
    "size structure distances hosts quality connectivity symmetry load spectrum bisection faults simulation"
).split()
SPECS = ["rdn(ring(3), 1)", "path(4)", "clos(4, 2)", "complete(1)", "rcr(3, 1, 2)"]

# What a checker accepts and what it refuses: an `ignore` that is not needed is an error of its own.
TYPED = """
from fractions import Fraction
from typing import Union
import nestnet as nn

def numbers(g: nn.Network) -> None:
    m = g.measure("diameter", "average_distance", "throughput")
    links: int = m.links
    diameter: int = m.diameter.value
    least: int = m.bisection.low
    mean: Union[Fraction, float] = m.average_distance.value
    carried: float = m.throughput + 1
    busiest: float = float(m.saturation)
    far: bool = nn.results.Bounded(2, 2, "x") > 1
    text: str = m.links  # type: ignore[assignment]
    word: str = m.diameter.value  # type: ignore[assignment]
    m.girth + 1  # type: ignore[operator]
    m.no_such_key  # type: ignore[attr-defined]

def designs() -> None:
    degree: int = nn.design(nodes=16, max_degree=4).front[0].degree
    price: float = nn.design(hosts=16, radix=8).front[0].price_per_host
    switches: int = nn.design(hosts=16, radix=8, max_price=1e9).references[0].switches
    found = nn.design(hosts=16, radix=8)
    hops: int = found.row_of(found.recommended or "").max_switch_hops
    nn.design(nodes=16).front[0].switches  # type: ignore[attr-defined]
    nn.design(nodes=16, taper=2.0)  # type: ignore[call-overload]
"""


def types():
    """The type of each key."""
    keys = {name: key for name, key in vars(Measures).items() if isinstance(key, Key)}
    return {name: key.__orig_class__.__args__[0] for name, key in keys.items()}


def is_of(value, kind):
    if typing.get_origin(kind) is typing.Union:
        return any(is_of(value, one) for one in typing.get_args(kind))
    if typing.get_origin(kind) is collections.abc.Mapping:
        return isinstance(value, collections.abc.Mapping)
    if typing.get_origin(kind) is tuple:
        return all(map(is_of, value, typing.get_args(kind)))
    return type(value) is kind


def test_answers_have_the_types_that_are_declared():
    declared, seen, numbers = types(), set(), set()
    for spec in SPECS:
        found = nn.network(spec).measure(*GROUPS)
        for key, value in found.values.items():
            assert is_of(value, declared[key]), (spec, key, value)
            assert getattr(found, key) is value
            seen.add(key)
            if not isinstance(value, Missing):
                numbers.add(key)
    assert seen == numbers == set(declared)


def test_what_is_missing_is_an_error_where_a_number_is_asked_for():
    girth = nn.path(4).measure("girth").girth
    assert isinstance(girth, Missing)
    for ask in (lambda: girth.value, lambda: girth.low, lambda: girth.high):
        with pytest.raises(nn.Error, match="it has no cycle"):
            ask()
    for ask in (int, float, range):
        with pytest.raises(nn.Error, match="it has no cycle"):
            ask(girth)


def test_what_is_exact_is_a_number():
    m = nn.petersen().measure("diameter", "average_distance")
    diameter, mean = m.diameter, m.average_distance
    assert type(diameter) is Bounded and type(mean) is Mean
    assert diameter == 2 and 2 == diameter and diameter == 2.0 and diameter != 3 and 3 != diameter
    assert diameter > 1 and 1 < diameter and diameter <= 2 and not diameter < 2 and 3 >= diameter
    assert mean == Fraction(5, 3) and 1.6 < mean < diameter and diameter == Bounded(2, 2, "another")
    assert sorted([diameter, 3, mean, 1]) == [1, mean, 2, 3] and max(mean, diameter) is diameter
    assert {2: "two", Fraction(5, 3): "mean"}[diameter] == "two" and hash(mean) == hash(Fraction(5, 3))
    assert len({diameter, 2, Bounded(2, 2, "another"), Range(2.0, 2.0)}) == 1
    for number, right in [
        (diameter + 1, 3),
        (1 + diameter, 3),
        (diameter - 5, -3),
        (5 - diameter, 3),
        (diameter * 1.5, 3.0),
        (3 * mean, Fraction(5)),
        (diameter / 4, 0.5),
        (1 / mean, Fraction(3, 5)),
        (diameter + mean, Fraction(11, 3)),
        (7 // diameter, 3),
        (diameter % 2, 0),
        (diameter**3, 8),
        (-diameter, -2),
        (abs(mean), Fraction(5, 3)),
        (round(mean), 2),
        (np.int64(3) + diameter, 5),
        (diameter * np.float64(0.5), 1.0),
        (sum([diameter, diameter]), 4),
    ]:
        assert number == right and type(number) is type(right)
    assert np.int64(2) == diameter and diameter == np.int64(2) and np.int64(1) < diameter
    assert (np.array([1, 2]) * diameter).tolist() == [2, 4]
    assert float(diameter) == 2.0 and f"{mean:.2f} {diameter:>3}" == "1.67   2" and range(diameter) == range(2)
    assert (mean.low, mean.high, mean.exact) == (mean.value, mean.value, True)
    assert diameter != "2" and diameter is not None and diameter != None and diameter not in ["2", (2,)]  # noqa: E711
    assert diameter != math.nan and not diameter < math.nan
    for ask in (lambda: diameter < "3", lambda: diameter + "3", lambda: None > diameter):
        with pytest.raises(TypeError):
            ask()


def test_bounds_answer_what_they_decide():
    between, other = Bounded(3, 5, "search"), Bounded(5, 7, "search")
    assert between > 2 and between >= 3 and between < 6 and between <= 5 and between <= other and other >= between
    assert not between < 3 and not between > 5 and between != 6 and 2 != between and between != Bounded(6, 7, "x")
    # Those that say the same are the same answer.
    assert between == Bounded(3, 5, "search") and hash(between) == hash(Bounded(3, 5, "search"))
    for ask in [
        lambda: between == 4,
        lambda: between != 4,
        lambda: between > 3,
        lambda: 5 > between,
        lambda: between < other,
        lambda: between == other,
        lambda: Range(0.5, 1.0) < 0.7,
        lambda: between < Bounded(4, 10**5000, "x"),
    ]:
        with pytest.raises(nn.Error, match="only bounds are known, which leave open whether .* is "):
            ask()
    for ask in [lambda: between + 1, lambda: 1 / between, lambda: -between, lambda: 2 * between, lambda: f"{between:d}"]:
        with pytest.raises(nn.Error, match="only bounds are known: 3 to 5, by search"):
            ask()
    assert Range(0.5, 1.0) > 0.4 and Range(0.5, 0.5).value == 0.5


def test_what_is_missing_is_false_and_empty_in_a_table():
    pandas = pytest.importorskip("pandas")
    found = nn.path(4).measure("girth", "diameter")
    assert not found.girth and found.diameter
    table = found.to_pandas().set_index("key")
    assert pandas.isna(table["value"]["girth"]) and table["how"]["girth"] == "it has no cycle"
    assert table["value"]["diameter"] == 3


def test_completion_has_what_was_measured():
    found = nn.ring(5).measure("diameter")
    assert "diameter" in dir(found) and "girth" not in dir(found)
    with pytest.raises(AttributeError, match="`girth` was not measured"):
        found.girth  # noqa: B018


def test_a_checker_knows_them(tmp_path):
    pytest.importorskip("mypy")
    (tmp_path / "typed.py").write_text(TYPED, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", f"--config-file={HERE / 'mypy.ini'}"]
    done = subprocess.run([*command, "typed.py"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
