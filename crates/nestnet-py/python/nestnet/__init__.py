"""Networks nested in networks, from one line of text or composed: exact, at any size.

>>> import nestnet as nn
>>> g = nn.network("rdn(torus(5, 5), 2)")
>>> g.order, g.diameter
(3125000, 22)
>>> nn.rdn(nn.torus(5, 5), 2).spec == g.spec
True
"""

from __future__ import annotations

from . import families as _families
from . import options, results
from .arguments import hold
from ._nestnet import Error, LimitError, NodeError, SpecError, __version__
from .ask import claims, compare, design, report, run, study
from .convert import (
    from_edges,
    from_file,
    from_igraph,
    from_networkx,
    from_pandas,
    from_scipy,
)
from .families import *  # noqa: F403
from .families import network
from .running import limits, set_limits
from .networks import Links, Network

__all__ = [
    "Error",
    "LimitError",
    "Links",
    "Network",
    "NodeError",
    "SpecError",
    "__version__",
    "claims",
    "compare",
    "design",
    "from_edges",
    "from_file",
    "from_igraph",
    "from_networkx",
    "from_pandas",
    "from_scipy",
    "limits",
    "network",
    "options",
    "report",
    "results",
    "run",
    "set_limits",
    "study",
]
__all__ += [name for name in _families.__all__ if name not in __all__]

hold(__all__, globals(), Network, limits)

# Names of imports above that are nothing of ours.
del annotations, hold
