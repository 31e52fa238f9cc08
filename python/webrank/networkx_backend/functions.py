"""Which functions of networkx webrank computes, and what it refuses of them."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Union

from . import degrees, links, paths

_ALL: list[Callable[..., Any]] = [
    links.pagerank,
    links.eigenvector_centrality,
    links.eigenvector_centrality_numpy,
    links.katz_centrality,
    links.katz_centrality_numpy,
    links.hits,
    paths.closeness_centrality,
    paths.harmonic_centrality,
    paths.local_reaching_centrality,
    paths.global_reaching_centrality,
    paths.betweenness_centrality,
    paths.edge_betweenness_centrality,
    paths.current_flow_betweenness_centrality,
    degrees.degree_centrality,
    degrees.in_degree_centrality,
    degrees.out_degree_centrality,
]

#: The functions by their names in networkx.
FUNCTIONS = {function.__name__: function for function in _ALL}

Answer = Union[bool, str]


def can_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Answer:
    """True, or why webrank cannot compute this."""
    given = _arguments(name, args, kwargs)
    if given is None:
        # A call that fits no function fails in the function, which says why.
        return name in FUNCTIONS or f"webrank has no {name}"
    if name in _REACHING and given["weight"] is not None:
        return "weight: webrank measures what is reached in edges, without lengths"
    if given.get("distance") is not None and given.get("sources") is not None:
        return "distance: with sources, webrank measures distances in edges"
    if given.get("paths") is not None:
        return "paths: webrank finds paths itself"
    for length in ("weight", "distance"):
        if callable(given.get(length)):
            return f"{length}: webrank takes the name of an edge attribute, not a function"
    if name == "edge_betweenness_centrality" and given["k"] is not None:
        return "k: webrank computes the betweenness of edges exactly, not from a sample"
    if name == "current_flow_betweenness_centrality":
        if any(getattr(arg, "is_multigraph", bool)() for arg in (*args[:1], kwargs.get("G"))):
            return "parallel edges: of their conductances, networkx takes one"
        if given["dtype"] is not float or given["solver"] not in ("full", "lu", "cg"):
            return "dtype, solver: webrank computes in doubles, by a solver of its own"
    if name == "pagerank" and not 0 <= given["alpha"] < 1:
        return f"alpha is {given['alpha']}: webrank proves its scores for 0 <= alpha < 1"
    if name.startswith("katz") and not 0 < given["alpha"] < float("inf"):
        return f"alpha is {given['alpha']}: webrank takes what is positive and finite"
    return True


def should_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Answer:
    """True, or why networkx is faster. Networkx asks only where no backend was named."""
    if name.endswith("degree_centrality"):
        return "networkx counts degrees faster than a graph is converted"
    given = _arguments(name, args, kwargs)
    if given is not None and (given.get("u") is not None or "v" in given):
        return "for one node, networkx searches once; webrank computes all nodes"
    return True


_REACHING = {"local_reaching_centrality", "global_reaching_centrality"}


def _arguments(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any] | None:
    """The arguments by name, defaults included; None if they do not fit."""
    if name not in FUNCTIONS:
        return None
    try:
        given = _signature(name).bind(*args, **kwargs)
    except TypeError:
        return None
    given.apply_defaults()
    return dict(given.arguments)


@lru_cache(maxsize=None)
def _signature(name: str) -> inspect.Signature:
    return inspect.signature(FUNCTIONS[name])
