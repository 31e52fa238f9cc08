"""A backend of networkx: its own functions, computed by webrank.

>>> import networkx as nx
>>> G = nx.DiGraph([("ant", "bee"), ("ant", "cat"), ("bee", "cat"), ("cat", "ant")])
>>> max(nx.pagerank(G, backend="webrank").items(), key=lambda item: item[1])
('cat', 0.39739966082532113)

Results are what networkx defines: its normalisations and directions, dictionaries in the order of
the nodes, its exceptions. Calls that webrank cannot do it refuses (:func:`can_run` says why), and
networkx computes them if webrank was chosen by ``nx.config.backend_priority`` and not by name.

Scores of links are proved to be right within the tolerance. Scores of networkx often are not:
iterations end when a step changes the scores by less than ``n * tol`` in all, which on the 63,436
packages of ``graphs/debian.bv`` is 0.063, of scores that sum to 1. There, ``nx.pagerank`` of
networkx 3.6.1 is wrong by 0.027 in all and by 51% at some node, and 78 of its first 100 positions
are not those of the converged scores; webrank's are, and its error is below 1e-9.

The file ``NETWORKX.md`` beside the README lists what differs.
"""

from __future__ import annotations

from types import SimpleNamespace

from .functions import FUNCTIONS, can_run, should_run
from .graph import BackendGraph, convert_from_nx, convert_to_nx
from .info import get_info
from .networkx_tests import on_start_tests

#: The namespace that networkx finds by its entry point ``networkx.backends``.
backend = SimpleNamespace(
    convert_from_nx=convert_from_nx,
    convert_to_nx=convert_to_nx,
    can_run=can_run,
    should_run=should_run,
    on_start_tests=on_start_tests,
    **FUNCTIONS,
)

__all__ = [
    "BackendGraph",
    "backend",
    "can_run",
    "convert_from_nx",
    "convert_to_nx",
    "get_info",
    "should_run",
]
