"""Arguments are held to the annotations of their functions, here for all functions."""

from __future__ import annotations

import ast
import builtins
import functools
import inspect
import re
import types
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, ForwardRef, Literal, NamedTuple, TypeVar, Union, get_args, get_origin

import numpy as np

from . import options
from .errors import ArgumentError

_Function = TypeVar("_Function", bound=Callable[..., Any])
_Scope = Mapping[str, Any]


class _Kind(NamedTuple):
    """One of the types of an annotation."""

    one: str
    several: str
    accepts: Callable[[Any], bool]
    # Values of these types are accepted without a look at them.
    exact: tuple[type, ...] = ()


def _is_bool(value: Any) -> bool:
    return isinstance(value, (bool, np.bool_))


def _is_int(value: Any) -> bool:
    return not _is_bool(value) and hasattr(type(value), "__index__")


def _is_float(value: Any) -> bool:
    return not _is_bool(value) and hasattr(type(value), "__float__")


_KINDS = {
    bool: _Kind("a bool", "bools", _is_bool, (bool,)),
    int: _Kind("an int", "ints", _is_int, (int,)),
    float: _Kind("a float", "floats", lambda value: _is_float(value) or _is_int(value), (float, int)),
    str: _Kind("a str", "strs", lambda value: isinstance(value, str), (str,)),
    type(None): _Kind("None", "None", lambda value: value is None, (type(None),)),
}

# What an annotation allows; ``None`` where that is not checked.
_Allowed = Union[list[_Kind], None]


def _either(allowed: Iterable[_Allowed]) -> _Allowed:
    kinds: list[_Kind] = []
    for one in allowed:
        if one is None:
            return None
        kinds.extend(kind for kind in one if kind.one not in [known.one for known in kinds])
    return kinds


def _sequence(items: _Allowed) -> list[_Kind]:
    several = " or ".join(kind.several for kind in items or ())

    def accepts(value: Any) -> bool:
        if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Iterable):
            return False
        # Others may be read once only.
        looked_at = value if isinstance(value, (list, tuple)) else ()
        return items is None or all(any(kind.accepts(one) for kind in items) for one in looked_at)

    return [_Kind(f"a sequence of {several}" if several else "a sequence", "sequences", accepts)]


def _generic(base: Any, given: Sequence[Any], allowed: Callable[[Any], _Allowed]) -> _Allowed:
    """A type with others in brackets."""
    if base is Union:
        return _either(allowed(one) for one in given)
    if base in (Sequence, Iterable, list, tuple):
        return _sequence(allowed(given[0]) if base is not tuple else None)
    return _of_object(base, {})


def _of_object(annotation: Any, scope: _Scope) -> _Allowed:
    """What a type allows."""
    if annotation is None:
        annotation = type(None)
    if annotation in _KINDS:
        return [_KINDS[annotation]]
    if isinstance(annotation, ForwardRef):
        annotation = annotation.__forward_arg__
    if isinstance(annotation, str):
        return _of_text(annotation, scope)
    if get_origin(annotation) is not None:
        of = functools.partial(_of_object, scope=scope)
        return _generic(get_origin(annotation), get_args(annotation), of)
    unchecked = annotation in (Any, Hashable) or getattr(annotation, "_is_protocol", False)
    if unchecked or not isinstance(annotation, type):
        return None
    name = "mapping" if annotation is Mapping else annotation.__name__
    article = "an" if name[0] in "AEIOaeio" else "a"
    kind = f"{article} {name}"
    return [_Kind(kind, f"{name}s", lambda value: isinstance(value, annotation), (annotation,))]


def _of_text(text: str, scope: _Scope) -> _Allowed:
    """What an annotation that is a text allows. Python 3.9 cannot evaluate ``int | None``."""

    def found(node: ast.expr) -> Any:
        if isinstance(node, ast.Name):
            return scope.get(node.id, getattr(builtins, node.id, None))
        if isinstance(node, ast.Attribute):
            return getattr(found(node.value), node.attr, None)
        return None

    def allowed(node: ast.expr) -> _Allowed:
        if isinstance(node, ast.BinOp):
            return _either([allowed(node.left), allowed(node.right)])
        if isinstance(node, ast.Constant):
            return _of_object(node.value, scope)
        if isinstance(node, ast.Subscript):
            base, inner = found(node.value), node.slice
            given = inner.elts if isinstance(inner, ast.Tuple) else [inner]
            if base is Literal:
                values = [one.value for one in given if isinstance(one, ast.Constant)]
                return _either(_of_object(type(value), scope) for value in values)
            return None if base is None else _generic(base, given, allowed)
        value = found(node)
        return None if value is None else _of_object(value, scope)

    return allowed(ast.parse(text, mode="eval").body)


def _listed(kinds: Sequence[_Kind]) -> str:
    words = [kind.one for kind in kinds]
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


class _Held(NamedTuple):
    """An argument and what it may be."""

    function: str
    name: str
    kinds: Sequence[_Kind]
    exact: frozenset[type]

    def check(self, value: Any) -> None:
        if not any(kind.accepts(value) for kind in self.kinds):
            shown = repr(value)
            shown = shown if len(shown) <= 60 else shown[:57] + "..."
            must, given = _listed(self.kinds), type(value).__name__
            raise ArgumentError(f"{self.function}: {self.name} must be {must}, not {given} ({shown})")


def held(function: _Function) -> _Function:
    """The function, which refuses arguments of other types than those of its annotations.

    >>> import nestnet as nn
    >>> nn.design(hosts="256", radix=64)
    Traceback (most recent call last):
    nestnet.errors.ArgumentError: design: hosts must be an int or None, not str ('256')
    """
    scope = getattr(function, "__globals__", {})
    # Of ``limits.__init__`` the class.
    name = function.__qualname__.replace(".__init__", "").rpartition(".")[2]
    placed: list[_Held | None] = []
    rest: _Held | None = None
    named: dict[str, _Held] = {}

    def argument(key: str, kinds: _Allowed) -> _Held | None:
        if kinds is None:
            return None
        return _Held(name, key, kinds, frozenset(one for kind in kinds for one in kind.exact))

    for one in inspect.signature(function).parameters.values():
        table = re.fullmatch(r"Unpack\[(\w+)\]", str(one.annotation))
        if table is not None:
            for key, text in getattr(options, table[1]).__annotations__.items():
                # What is ``None`` is left to its default.
                kinds = _either([_of_object(text, vars(options)), [_KINDS[type(None)]]])
                row = argument(key, kinds)
                if row is not None:
                    named[key] = row
            continue
        kinds = None if one.annotation is one.empty else _of_object(one.annotation, scope)
        row = argument(one.name, kinds)
        if one.kind == one.VAR_POSITIONAL:
            rest = row
        elif one.kind != one.VAR_KEYWORD:
            if one.kind != one.KEYWORD_ONLY:
                placed.append(row)
            if row is not None:
                named[one.name] = row
    if not named and rest is None:
        return function

    def make(function: Any, placed: Any, rest: Any, named: Any) -> Any:
        def call(*args: Any, **kwargs: Any) -> Any:
            for one, value in zip(placed, args):
                if one is not None and type(value) not in one.exact:
                    one.check(value)
            if rest is not None:
                for value in args[len(placed) :]:
                    if type(value) not in rest.exact:
                        rest.check(value)
            for key, value in kwargs.items():
                one = named.get(key)
                if one is not None and type(value) not in one.exact:
                    one.check(value)
            return function(*args, **kwargs)

        return call

    call = make(function, placed, rest, named)
    # In the module of the function, where `doctest` looks for it.
    call = types.FunctionType(call.__code__, scope, name, None, call.__closure__)
    wrapped: _Function = functools.wraps(function)(call)  # type: ignore[assignment]
    return wrapped


def hold(names: Iterable[str], scope: dict[str, Any], *classes: type) -> None:
    """Holds the functions of these names and the methods of these classes to their annotations."""
    for name in names:
        if inspect.isfunction(scope.get(name)):
            scope[name] = held(scope[name])
    for one in classes:
        for name, method in list(vars(one).items()):
            if inspect.isfunction(method) and (name == "__init__" or not name.startswith("_")):
                setattr(one, name, held(method))
