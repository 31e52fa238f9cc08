"""Measures of distances and shortest paths, exact unless ``k`` asks for a sample."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt

from ..graph import Graph
from .graph import BackendGraph, Floats, edge_names

# networkx computes as long as it takes: some thirty years are no limit.
_NO_LIMIT = 1e9


def _links(G: BackendGraph, length: str | None, resources: dict[str, Any]) -> Graph:
    """The graph, with lengths that count if there is an attribute for them."""
    if length is None:
        return G.links
    resources["lengths"] = "weights"
    return G.lengths(length)


def closeness_centrality(
    G: BackendGraph,
    u: Any = None,
    distance: str | None = None,
    wf_improved: bool = True,
    **resources: Any,
) -> Any:
    if u is not None and u not in G:
        raise nx.NodeNotFound(f"Node {u} is not in G")
    links = _links(G, distance, resources)
    if wf_improved:
        scores = links.closeness(variant="wasserman-faust", method="exact", **resources)
        found = G.by_node(scores.values)
    else:
        both = links.geometric(["closeness", "reachable"], method="exact", **resources).columns
        found = G.by_node(both["reachable"] * both["closeness"])
    return found if u is None else found[u]


def harmonic_centrality(
    G: BackendGraph,
    nbunch: Any = None,
    distance: str | None = None,
    sources: Any = None,
    **resources: Any,
) -> dict[Any, float]:
    wanted = None if nbunch is None else G.bunch(nbunch)
    if sources is None:
        links = _links(G, distance, resources)
        values = links.harmonic(method="exact", **resources).values
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


def local_reaching_centrality(
    G: BackendGraph,
    v: Any,
    paths: None = None,
    weight: None = None,
    normalized: bool = True,
    **resources: Any,
) -> float:
    _check_size(G)
    if v not in G:
        raise nx.NodeNotFound(f"Source {v} is not in G")
    return float(_reaching(G, resources)[G.number[v]])


def global_reaching_centrality(
    G: BackendGraph, weight: None = None, normalized: bool = True, **resources: Any
) -> float:
    _check_size(G)
    found = _reaching(G, resources)
    return float((found.max() - found).sum() / (len(G) - 1))


def _check_size(G: BackendGraph) -> None:
    if len(G.targets) == 0:
        raise nx.NetworkXError("Size of G must be positive")
    if len(G) == 1:
        raise nx.NetworkXError(
            "local_reaching_centrality of a single node with self-loop not well-defined"
        )


def _reaching(G: BackendGraph, resources: dict[str, Any]) -> Floats:
    """The share of nodes that each node reaches; without directions, the mean of 1 / distance."""
    if G.is_directed():
        scores = G.links.reachable(direction="out", method="exact", **resources)
    else:
        scores = G.links.harmonic(method="exact", **resources)
    values: Floats = scores.values / (len(G) - 1)
    return values


def betweenness_centrality(
    G: BackendGraph,
    k: int | None = None,
    normalized: bool = True,
    weight: str | None = None,
    endpoints: bool = False,
    seed: Any = None,
    **resources: Any,
) -> dict[Any, float]:
    resources["endpoints"] = endpoints
    links = _links(G, weight, resources)
    if k is not None and k != len(G):
        # The nodes that networkx draws: a sample depends on the number of nodes alone.
        drawn = np.array(seed.sample(range(len(G)), k), dtype=np.int64)
        return G.by_node(_from_sample(G, links, drawn, normalized, resources))
    resources.update(normalize=normalized, time_budget=_NO_LIMIT)
    values = links.betweenness(**resources).values
    if not normalized and not G.is_directed():
        # networkx counts one of both orders of a pair.
        values = values / 2
    return G.by_node(values)


def _from_sample(
    G: BackendGraph,
    links: Graph,
    drawn: npt.NDArray[np.int64],
    normalized: bool,
    resources: dict[str, Any],
) -> Floats:
    """The sums over the paths from the nodes drawn, scaled as networkx does."""
    n, k, endpoints = len(G), len(drawn), resources["endpoints"]
    # A node that may not be an end has one end less to choose from.
    ends = n if endpoints else n - 1
    if ends < 2:
        return np.zeros(n)
    if k == 0:
        raise ZeroDivisionError("a sample of k = 0 nodes estimates nothing")
    found = links.betweenness(method="sources", sources=drawn.tolist(), **resources)
    # How many of the nodes drawn may be the source of a path through each node: without end
    # nodes, a node drawn is none for itself. That leaves no data on the only node drawn.
    sources = np.full(n, float(k))
    if not endpoints:
        sources[drawn] = k - 1 if k > 1 else np.nan
    # networkx counts one of both orders of a pair that an undirected graph has.
    scale = 1 / (ends - 1) if normalized else ends / (1 if G.is_directed() else 2)
    values: Floats = found.values * k / n * scale / sources
    return values


def edge_betweenness_centrality(
    G: BackendGraph,
    k: None = None,
    normalized: bool = True,
    weight: str | None = None,
    seed: Any = None,
    **resources: Any,
) -> dict[tuple[Any, ...], float]:
    if weight is not None and G.is_multigraph():
        raise NotImplementedError("of parallel edges, only the shortest are on shortest paths")
    links = _links(G, weight, resources)
    found = links.arc_betweenness(normalize=normalized, time_budget=_NO_LIMIT, **resources)
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


def current_flow_betweenness_centrality(
    G: BackendGraph,
    normalized: bool = True,
    weight: str | None = None,
    dtype: Any = float,
    solver: str = "full",
    **resources: Any,
) -> dict[Any, float]:
    if not _is_connected(G.links, len(G)):
        raise nx.NetworkXError("Graph not connected.")
    if (G.sources == G.targets).any():
        raise NotImplementedError("networkx lets self-loops add to scores, webrank does not")
    matrix = G.matrix(weight)
    if not _is_connected(matrix, len(G)):
        raise NotImplementedError("edges of weight 0 conduct nothing, and others leave parts apart")
    if normalized and len(G) < 3:
        raise ZeroDivisionError("there are no pairs of other nodes")
    found = matrix.current_flow(normalize=normalized, time_budget=_NO_LIMIT, **resources)
    # networkx counts one of both orders of a pair.
    return G.by_node(found.values if normalized else found.values / 2)


def _is_connected(graph: Graph, n: int) -> bool:
    """Whether a graph without directions is connected: the first node reaches the others."""
    if n == 0:
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    first = np.zeros(n)
    first[0] = 1.0
    links = graph.without_weights()
    return bool((links.harmonic(weights=first).values[1:] > 0).all())


def _pairs(G: BackendGraph, sources: Any, targets: Any) -> Any:
    """A number for each arc, in the order of source and target: node numbers have 32 bits."""
    return sources.astype(np.uint64) * np.uint64(len(G)) + targets.astype(np.uint64)
