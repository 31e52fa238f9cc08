"""Measures of distances and shortest paths, exact unless ``k`` asks for a sample."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np

from .graph import BackendGraph, edge_names

# networkx computes as long as it takes: some thirty years are no limit.
_NO_LIMIT = 1e9


def closeness_centrality(
    G: BackendGraph,
    u: Any = None,
    distance: None = None,
    wf_improved: bool = True,
    **resources: Any,
) -> Any:
    if u is not None and u not in G:
        raise nx.NodeNotFound(f"Node {u} is not in G")
    if wf_improved:
        scores = G.links.closeness(variant="wasserman-faust", method="exact", **resources)
        found = G.by_node(scores.values)
    else:
        both = G.links.geometric(["closeness", "reachable"], method="exact", **resources).columns
        found = G.by_node(both["reachable"] * both["closeness"])
    return found if u is None else found[u]


def harmonic_centrality(
    G: BackendGraph,
    nbunch: Any = None,
    distance: None = None,
    sources: Any = None,
    **resources: Any,
) -> dict[Any, float]:
    wanted = None if nbunch is None else G.bunch(nbunch)
    if sources is None:
        values = G.links.harmonic(method="exact", **resources).values
    elif starts := G.bunch(sources):
        # A node that is no source weighs nothing.
        weights = G.array(dict.fromkeys(starts, 1.0), "sources")
        values = G.links.harmonic(weights=weights, **resources).values
    else:
        values = np.zeros(len(G))
    found = G.by_node(values)
    if wanted is None:
        return found
    return {node: score for node, score in found.items() if node in wanted}


def betweenness_centrality(
    G: BackendGraph,
    k: int | None = None,
    normalized: bool = True,
    weight: None = None,
    endpoints: bool = False,
    seed: Any = None,
    **resources: Any,
) -> dict[Any, float]:
    options: dict[str, Any] = {"normalize": normalized, "endpoints": endpoints}
    options["time_budget"] = _NO_LIMIT
    if k is not None and k != len(G):
        # networkx draws its sample here, and refuses a k that no sample has.
        if len(seed.sample(range(len(G)), k)) == 0:
            raise ZeroDivisionError("a sample of k = 0 nodes estimates nothing")
        options.update(method="sources", samples=k, seed=seed.randint(0, 2**31 - 1))
    values = G.links.betweenness(**options, **resources).values
    if not normalized and not G.is_directed():
        # Of both orders of a pair, networkx counts one.
        values = values / 2
    return G.by_node(values)


def edge_betweenness_centrality(
    G: BackendGraph,
    k: None = None,
    normalized: bool = True,
    weight: None = None,
    seed: Any = None,
    **resources: Any,
) -> dict[tuple[Any, ...], float]:
    found = G.links.arc_betweenness(normalize=normalized, time_budget=_NO_LIMIT, **resources)
    arcs = _pairs(G, found.sources, found.targets)
    sources, targets = G.sources[G.once], G.targets[G.once]
    pairs = _pairs(G, sources, targets)
    values = found.values[np.searchsorted(arcs, pairs)]
    if not G.is_directed():
        values = values + found.values[np.searchsorted(arcs, _pairs(G, targets, sources))]
        if not normalized:
            values = values / 2
    if G.is_multigraph():
        # Parallel edges share the paths between their ends.
        _, place, copies = np.unique(pairs, return_inverse=True, return_counts=True)
        values = values / copies[place]
    return dict(zip(edge_names(G), values.tolist()))


def _pairs(G: BackendGraph, sources: Any, targets: Any) -> Any:
    """A number for each arc, in the order of source and target: node numbers have 32 bits."""
    return sources.astype(np.uint64) * np.uint64(len(G)) + targets.astype(np.uint64)
