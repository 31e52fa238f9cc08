"""Measures of links, to a certified error.

Iterations of networkx end when a step changes the scores by less than ``n * tol``, summed over the
nodes, or ``max_iter`` steps were made. Here, the error itself is proved to be below ``n * tol`` and
below webrank's own tolerance, whichever is less, but rounding limits what can be proved. Sweeps of
other algorithms are not comparable: a ``max_iter`` of 1 or more does not stop them early.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import networkx as nx
import numpy as np

from ..errors import ArgumentError, NotConverged, NotDefined
from .graph import BackendGraph, Floats

#: webrank's own limit of sweeps.
_SWEEPS = 10_000


def pagerank(
    G: BackendGraph,
    alpha: float = 0.85,
    personalization: dict[Any, float] | None = None,
    max_iter: int = 100,
    tol: float = 1e-6,
    nstart: dict[Any, float] | None = None,
    weight: str | None = "weight",
    dangling: dict[Any, float] | None = None,
    **resources: Any,
) -> dict[Any, float]:
    # There is one solution, from wherever iterations start: nstart does not count.
    if len(G) == 0:
        return {}
    options = _iterations(max_iter, len(G) * tol, default=1e-9, least=1e-12)
    if personalization is not None:
        options["preference"] = G.array(personalization, "personalization")
        if options["preference"].sum() == 0:
            raise ZeroDivisionError("personalization is 0 at all nodes")
    if dangling is not None:
        options["dangling_vector"] = G.array(dangling, "dangling")
        if options["dangling_vector"].sum() == 0:
            raise NotImplementedError("dangling is 0 at all nodes")
    with _failures_of_networkx(max_iter):
        return G.by_node(G.matrix(weight).pagerank(alpha=alpha, **options, **resources).values)


def eigenvector_centrality(
    G: BackendGraph,
    max_iter: int = 100,
    tol: float = 1e-6,
    nstart: dict[Any, float] | None = None,
    weight: str | None = None,
    **resources: Any,
) -> dict[Any, float]:
    _refuse_null(G)
    if nstart is not None:
        if all(value == 0 for value in nstart.values()):
            raise nx.NetworkXError("initial vector cannot have all zero values")
        if set(nstart) != set(G) or not all(value >= 0 for value in nstart.values()):
            raise NotImplementedError("nstart must be a value for each node, none negative")
        if len(set(nstart.values())) > 1 and not _connected(G):
            raise NotImplementedError("the limit depends on nstart: G is not strongly connected")
    options = _iterations(max_iter, len(G) * tol, default=1e-12, least=1e-14)
    with _failures_of_networkx(max_iter):
        return G.by_node(G.matrix(weight).eigenvector(norm="l2", **options, **resources).values)


def eigenvector_centrality_numpy(
    G: BackendGraph,
    weight: str | None = None,
    max_iter: int = 50,
    tol: float = 0,
    **resources: Any,
) -> dict[Any, float]:
    _refuse_null(G)
    if not _connected(G):
        raise nx.AmbiguousSolution(
            "`eigenvector_centrality_numpy` does not give consistent results for disconnected "
            "graphs"
        )
    with _failures_of_networkx(max_iter):
        return G.by_node(G.matrix(weight).eigenvector(norm="l2", **resources).values)


def katz_centrality(
    G: BackendGraph,
    alpha: float = 0.1,
    beta: Any = 1.0,
    max_iter: int = 1000,
    tol: float = 1e-6,
    nstart: dict[Any, float] | None = None,
    normalized: bool = True,
    weight: str | None = None,
    **resources: Any,
) -> dict[Any, float]:
    # There is one solution, from wherever iterations start: nstart does not count.
    if len(G) == 0:
        return {}
    try:
        beta = float(beta)
    except (TypeError, ValueError, AttributeError) as problem:
        _check_beta(G, beta, problem)
    options = _iterations(max_iter, tol, default=1e-9, least=1e-12)
    with _failures_of_networkx(max_iter):
        values = _katz(G, alpha, beta, weight, {**options, **resources})
    return G.by_node(_unit(values) if normalized else values)


def _unit(values: Floats) -> Floats:
    """The vector of length 1, also where squares of values exceed all doubles or vanish."""
    largest = np.abs(values).max()
    if largest > 0 and not 1e-140 < largest < 1e140:
        values = values / largest
    length = np.linalg.norm(values)
    unit: Floats = values / length if length > 0 else values
    return unit


def katz_centrality_numpy(
    G: BackendGraph,
    alpha: float = 0.1,
    beta: Any = 1.0,
    normalized: bool = True,
    weight: str | None = None,
    **resources: Any,
) -> dict[Any, float]:
    if len(G) == 0:
        return {}
    if isinstance(beta, Mapping):
        _check_beta(G, beta, None)
    else:
        try:
            beta = float(beta)
        except (TypeError, ValueError) as problem:
            raise nx.NetworkXError("beta must be a number") from problem
    try:
        values = _katz(G, alpha, beta, weight, {"tolerance": 1e-12, **resources})
    except (ArgumentError, NotConverged) as problem:
        raise NotImplementedError(f"networkx solves what diverges: {problem}") from problem
    if normalized:
        if not values.any():
            raise NotImplementedError("scores that are 0 cannot be normalised")
        # The sum may exceed all doubles, its sign does not.
        values = np.sign((values / np.abs(values).max()).sum()) * _unit(values)
    found = G.by_node(values)
    return {node: found[node] for node in beta} if isinstance(beta, Mapping) else found


def hits(
    G: BackendGraph,
    max_iter: int = 100,
    tol: float = 1e-8,
    nstart: dict[Any, float] | None = None,
    normalized: bool = True,
    **resources: Any,
) -> tuple[dict[Any, float], dict[Any, float]]:
    if len(G) == 0:
        return {}, {}
    # Here networkx takes a tol of 0 for the precision of doubles.
    options = _iterations(max_iter, tol or 1e-14, default=1e-12, least=1e-14)
    matrix = G.matrix("weight")
    with _failures_of_networkx(max_iter):
        columns = matrix.hits(**options, **resources).columns
    hubs, authorities = columns["hub"], columns["authority"]
    if not authorities.any():
        raise NotImplementedError("HITS is not defined on a graph without edges")
    if not normalized:
        authorities = _unit(authorities)
        hubs = hubs * (_inflow_of_hubs(G, authorities) / hubs.sum())
    return G.by_node(hubs), G.by_node(authorities)


def _inflow_of_hubs(G: BackendGraph, authorities: Floats) -> float:
    """The sum of the hub scores that these authorities give."""
    given = authorities[G.targets]
    return float((given if G.weights is None else given * G.weights).sum())


def _katz(
    G: BackendGraph, alpha: float, beta: Any, weight: str | None, options: dict[str, Any]
) -> Floats:
    if isinstance(beta, float):
        # Scores are proportional to beta, which may have any sign.
        return G.matrix(weight).katz(alpha=alpha, **options).values * beta
    start = G.array(beta, "beta")
    if not start.any():
        return start
    return G.matrix(weight).katz(alpha=alpha, beta=start, **options).values


def _check_beta(G: BackendGraph, beta: Any, problem: Exception | None) -> None:
    if set(beta) != set(G):
        raise nx.NetworkXError("beta dictionary must have a value for every node") from problem


def _refuse_null(G: BackendGraph) -> None:
    if len(G) == 0:
        raise nx.NetworkXPointlessConcept("cannot compute centrality for the null graph")


def _connected(G: BackendGraph) -> bool:
    """Whether every node reaches every other one."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    ends = (G.sources.astype(np.int64), G.targets.astype(np.int64))
    matrix = coo_array((np.ones(len(G.targets)), ends), shape=(len(G), len(G)))
    count, _ = connected_components(matrix, connection="strong")
    return bool(count == 1)


def _iterations(max_iter: int, tol: float, *, default: float, least: float) -> dict[str, Any]:
    """The options of webrank for a limit and a tolerance of networkx."""
    if max_iter <= 0 or not tol > 0:
        raise nx.PowerIterationFailedConvergence(max_iter)
    tolerance = min(default, max(least, tol))
    return {"tolerance": tolerance, "max_iterations": max(_SWEEPS, max_iter)}


@contextmanager
def _failures_of_networkx(max_iter: int) -> Iterator[None]:
    """Raises what networkx raises; what it could do and webrank cannot, it gets a chance to do."""
    try:
        yield
    except NotConverged as problem:
        raise nx.PowerIterationFailedConvergence(max_iter) from problem
    except NotDefined as problem:
        raise NotImplementedError(str(problem)) from problem
    except ArgumentError as problem:
        if "series diverges" in str(problem):
            raise nx.PowerIterationFailedConvergence(max_iter) from problem
        raise
