"""Degree centralities: counts, of which parallel edges are part, and self-loops twice."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from .graph import BackendGraph


def degree_centrality(G: BackendGraph) -> dict[Any, float]:
    outgoing = _count(G, G.sources)
    if G.is_directed():
        return _shares(G, outgoing + _count(G, G.targets))
    return _shares(G, outgoing + _count(G, G.sources[G.sources == G.targets]))


def in_degree_centrality(G: BackendGraph) -> dict[Any, float]:
    return _shares(G, _count(G, G.targets))


def out_degree_centrality(G: BackendGraph) -> dict[Any, float]:
    return _shares(G, _count(G, G.sources))


def _count(G: BackendGraph, ends: npt.NDArray[np.uint32]) -> npt.NDArray[np.int64]:
    return np.bincount(ends, minlength=len(G))


def _shares(G: BackendGraph, degrees: npt.NDArray[np.int64]) -> dict[Any, float]:
    """Degrees by that of a node with an edge to all others."""
    if len(G) <= 1:
        return dict.fromkeys(G, 1)
    return G.by_node(degrees * (1.0 / (len(G) - 1.0)))
