"""Questions about many networks: which to take, how they compare, and whether papers are right."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, Union, overload

from . import _nestnet
from ._nestnet import Error
from .running import working
from .networks import Network, _count, given
from .results import Claims, ClusterDesign, Comparison, NodeDesign, Page, Run, Study

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .options import CompareOptions, CostOptions, DesignOptions, HostDesignOptions, NodeDesignOptions

NetworkLike = Union[Network, str]


def _specs(networks: NetworkLike | Sequence[NetworkLike]) -> list[str]:
    if isinstance(networks, (Network, str)):
        networks = [networks]
    return [one.spec if isinstance(one, Network) else one for one in networks]


@overload
def design(
    *,
    nodes: int,
    hosts: None = None,
    radix: None = None,
    **options: Unpack[NodeDesignOptions],
) -> NodeDesign: ...
@overload
def design(
    *,
    nodes: None = None,
    hosts: int,
    radix: int,
    **options: Unpack[HostDesignOptions],
) -> ClusterDesign: ...
def design(
    *,
    nodes: int | None = None,
    hosts: int | None = None,
    radix: int | None = None,
    **options: Unpack[DesignOptions],
) -> NodeDesign | ClusterDesign:
    """The Pareto-optimal networks: of so many nodes, or of so many hosts on switches of so many ports.

    Its options are those of `nestnet.options.NodeDesignOptions` for a design by nodes, of
    `nestnet.options.HostDesignOptions` for one by hosts.

    In a design by hosts ``max_hops`` (on average) and ``max_diameter`` (at most) count the links between switches, those of
    hosts not included; ``mean_hops`` and ``host_diameter`` of a row count these too, and so are 2 more.

    >>> import nestnet as nn
    >>> found = nn.design(nodes=64, max_degree=4, depth=0)
    >>> all(row.degree <= 4 for row in found.front)
    True
    """
    sizes = {"nodes": nodes, "hosts": hosts, "radix": radix}
    settings = given("design", {**sizes, **options})
    with working("design") as job:
        found = _nestnet.design(settings, job)
    kind = ClusterDesign if nodes is None else NodeDesign
    return kind(**{field.name: getattr(found, field.name) for field in dataclasses.fields(found)})


def compare(
    networks: NetworkLike | Sequence[NetworkLike],
    **options: Unpack[CompareOptions],
) -> Comparison:
    """Several networks by the same numbers, with baselines of the first one's size if they are wanted.

    Networks of hosts and switches are compared by their hosts: ``diameter`` and ``average_distance`` are those of hosts,
    which `Network.measure` calls ``host_diameter`` and ``host_average_distance``. Its options are those of
    `nestnet.options.CompareOptions`.

    >>> import nestnet as nn
    >>> [row.degree for row in nn.compare([nn.petersen(), nn.hypercube(3)]).rows]
    [3, 3]
    """
    specs = _specs(networks)
    settings = given("compare", options)
    with working("compare") as job:
        found = _nestnet.compare(specs, settings, job)
    named = [networks] if isinstance(networks, (Network, str)) else list(networks)
    rows = [
        one._by_label(row) if isinstance(one, Network) else row
        for one, row in zip(named, found.rows)
    ]
    return dataclasses.replace(found, rows=(*rows, *found.rows[len(named) :]))


def report(
    networks: NetworkLike | Sequence[NetworkLike],
    *,
    baselines: bool = True,
    **options: Unpack[CostOptions],
) -> Page:
    """One page about networks, as HTML that needs no other file; priced by `nestnet.options.CostOptions`."""
    settings = given("cost", options, "baselines")
    with working("report") as job:
        return _nestnet.report(_specs(networks), baselines, settings, job)


def claims(
    paper: str | None = None,
    *,
    only: Sequence[str] = (),
    verdict: Literal["holds", "bound", "fails", "misprint", "open"] | None = None,
    slow: bool = False,
) -> Claims:
    """What the papers say, statement by statement, measured; `verdict` is that of the printed reading.

    >>> import nestnet as nn
    >>> nn.claims("li-2009", only=["abstract-nodes"]).rows[0].verdict
    'holds'
    """
    with working("claims") as job:
        return _nestnet.claims(paper, list(only), verdict, slow, job)


def run(program: str, network: NetworkLike, *, seed: int = 1) -> Run:
    """A program of ``nestnet run`` on data that only links move, compared with a direct computation.

    >>> import nestnet as nn
    >>> found = nn.run("fft", nn.rsn(nn.hypercube(2), 3))
    >>> found.agrees, found.steps == found.recurrence
    (True, True)
    """
    with working(program) as job:
        if isinstance(network, str):
            network = Network(_nestnet.network(network, job))
        return _nestnet.run(network._net, program, _count("seed", seed), job)


def study(
    path: str | os.PathLike[str] | None = None,
    *,
    text: str | None = None,
    dir: str | os.PathLike[str] | None = None,
) -> Study:
    """All points of a study, a file as ``nestnet study`` reads it or its ``text``, as one table.

    With ``dir`` answers are kept in that folder, as by ``nestnet study --dir``, and those that are there are not made
    again.

    >>> import nestnet as nn
    >>> found = nn.study(text='specs = ["petersen", "ring(10)"]\\n[measure]\\nkeys = ["diameter"]\\n')
    >>> found.points, "measure.diameter.high" in found.columns
    (2, True)
    """
    if (path is None) == (text is None):
        raise Error("either path or text must be given")
    if path is not None:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    with working("study") as job:
        return _nestnet.study(text or "", None if dir is None else os.fspath(dir), job)
