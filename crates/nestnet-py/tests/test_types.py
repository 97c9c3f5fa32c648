"""A number is a number: the types of what was measured, as a checker sees them and as they are."""

import collections.abc
import pathlib
import subprocess
import sys
import typing

import nestnet as nn
import pytest
from nestnet.results import Measures, Missing
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
    text: str = m.links  # type: ignore[assignment]
    word: str = m.diameter.value  # type: ignore[assignment]
    m.girth + 1  # type: ignore[operator]
    m.no_such_key  # type: ignore[attr-defined]

def designs() -> None:
    degree: int = nn.design(nodes=16, max_degree=4).front[0].degree
    price: float = nn.design(hosts=16, radix=8).front[0].price_per_host
    switches: int = nn.design(hosts=16, radix=8, max_price=1e9).references[0].switches
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
