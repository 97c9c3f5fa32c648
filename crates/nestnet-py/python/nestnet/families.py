"""A function for every family of networks, made from the one table that the command line reads too."""

from __future__ import annotations

import inspect
import keyword
from collections.abc import Sequence
from typing import Any, Callable

from . import _nestnet
from .running import working
from .networks import Network


def _text(value: Any) -> str:
    """A value as a spec writes it."""
    if isinstance(value, Network):
        return value.spec
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_text(item) for item in value) + "]"
    return str(value)


def _quoted(value: str) -> str:
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def network(text: str) -> Network:
    """The network that a text means.

    >>> import nestnet as nn
    >>> nn.network("rdn(torus(5, 5), 2)").order
    3125000
    """
    with working("network") as job:
        return Network(_nestnet.network(text, job))


_KINDS = {
    "integer": "int",
    "integers": "int",
    "integer_list": "Sequence[int]",
    "network": "Network | str",
    "networks": "Network | str | Sequence[Network | str]",
    "word": "str",
    "text": "str",
}


def _parameters(row: dict[str, Any]) -> list[inspect.Parameter]:
    parameters = []
    keyword_only = False
    for param in row["params"]:
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        default: Any = inspect.Parameter.empty
        annotation = _KINDS[param["kind"]]
        if param["lists"]:
            annotation += f" | Sequence[{'int' if param['kind'] == 'integer' else 'object'}]"
        if param["kind"] == "integers":
            kind = inspect.Parameter.VAR_POSITIONAL
        elif keyword_only:
            kind = inspect.Parameter.KEYWORD_ONLY
        if param["words"]:
            default = param["words"][0]
        elif param["optional"]:
            default, annotation = None, f"{annotation} | None"
        parameters.append(
            inspect.Parameter(param["name"], kind, default=default, annotation=annotation)
        )
        keyword_only = keyword_only or kind == inspect.Parameter.VAR_POSITIONAL
    return parameters


def _takes(param: dict[str, Any]) -> str:
    if param["bounds"] is not None:
        low, high = param["bounds"]
        return f"{param['about']}; from {low} to {high}"
    if param["words"]:
        return f"{param['about']}; {' or '.join(param['words'])}"
    return str(param["about"])


def _doc(row: dict[str, Any]) -> str:
    lines = [row["about"], ""]
    lines.extend(f"{param['name']}: {_takes(param)}" for param in row["params"])
    lines.extend(["", f"As text: {', '.join(f'``{one}``' for one in row['examples'])}"])
    lines.append(f"Source: {row['title']}")
    return "\n".join(lines)


def _function(row: dict[str, Any]) -> Callable[..., Network]:
    parameters = _parameters(row)
    signature = inspect.Signature(parameters, return_annotation="Network")
    kinds = {param["name"]: param["kind"] for param in row["params"]}

    def make(*args: Any, **kwargs: Any) -> Network:
        bound = signature.bind(*args, **kwargs)
        parts = []
        for name, value in bound.arguments.items():
            if value is None:
                continue
            kind = kinds[name]
            if kind == "integers":
                parts.extend(_text(side) for side in value)
            elif kind == "text":
                parts.append(_quoted(str(value)))
            elif kind == "word" or signature.parameters[name].default is None:
                parts.append(f"{name}={_text(value)}")
            else:
                parts.append(_text(value))
        return network(f"{row['name']}({', '.join(parts)})" if parts else row["name"])

    make.__name__ = make.__qualname__ = row["name"]
    make.__module__ = "nestnet"
    make.__doc__ = _doc(row)
    make.__signature__ = signature  # type: ignore[attr-defined]
    return make


ROWS: Sequence[dict[str, Any]] = tuple(_nestnet.families())

__all__ = ["network"]
for _row in ROWS:
    _name = _row["name"] + ("_" if keyword.iskeyword(_row["name"]) else "")
    globals()[_name] = _function(_row)
    __all__.append(_name)


def stub() -> str:
    """The types of all functions of this file, as `families.pyi` has them."""
    lines = [
        '"""A function for every family of networks. Written by `cargo xtask stubs`."""',
        "",
        "from collections.abc import Sequence",
        "from typing import Any",
        "",
        "from .networks import Network",
        "",
        "__all__ = [",
        *[f'    "{name}",' for name in __all__],
        "]",
        "",
        "ROWS: Sequence[dict[str, Any]]",
        "",
        "def network(text: str) -> Network: ...",
        "def stub() -> str: ...",
    ]
    for row in ROWS:
        signature = []
        for parameter in _parameters(row):
            star = "*" if parameter.kind == inspect.Parameter.VAR_POSITIONAL else ""
            text = f"{star}{parameter.name}: {parameter.annotation}"
            if parameter.default is not inspect.Parameter.empty:
                text += f" = {parameter.default!r}" if parameter.default else " = None"
            signature.append(text.replace("'", '"'))
        name = row["name"] + ("_" if keyword.iskeyword(row["name"]) else "")
        lines.append(f"def {name}({', '.join(signature)}) -> Network: ...")
    return "\n".join(lines) + "\n"
