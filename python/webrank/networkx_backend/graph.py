"""Graphs of networkx, as arrays of their arcs; and back."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import chain
from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt

from ..errors import ImportWarning
from ..graph import Graph

Floats = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.uint32]


class BackendGraph:
    """A graph of networkx as arrays of its arcs, in the order of its edges.

    Nodes are numbered in the order of the graph. An edge of an undirected graph is two arcs, a
    self-loop one; parallel edges are parallel arcs. One of all attributes of edges is kept: the
    weight. Graphs of webrank are made when they are first needed, and kept.
    """

    __networkx_backend__ = "webrank"

    def __init__(self, graph: nx.Graph, attribute: str | None, default: float) -> None:
        self.nodes: list[Any] = list(graph)
        self.number: dict[Any, int] = {node: place for place, node in enumerate(self.nodes)}
        self.graph: dict[Any, Any] = dict(graph.graph)
        self.attribute = attribute
        self._directed: bool = graph.is_directed()
        self._multigraph: bool = graph.is_multigraph()
        rows = [graph._adj[node] for node in self.nodes]
        self.sources, self.targets = _arcs(rows, self.number)
        self.keys: list[Any] | None = None
        if self._multigraph:
            copies = np.fromiter(map(len, _values(rows)), np.int64, len(self.targets))
            self.sources = np.repeat(self.sources, copies)
            self.targets = np.repeat(self.targets, copies)
            self.keys = list(chain.from_iterable(_values(rows)))
        self.weights: Floats | None = None
        if attribute is not None:
            found = _values(_values(rows)) if self._multigraph else _values(rows)
            self.weights = _weights(found, len(self.targets), attribute, default)
        self._sums: dict[bool, Graph] = {}

    def __len__(self) -> int:
        return len(self.nodes)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.nodes)

    def __contains__(self, node: object) -> bool:
        return node in self.number

    def is_directed(self) -> bool:
        return self._directed

    def is_multigraph(self) -> bool:
        return self._multigraph

    def number_of_nodes(self) -> int:
        return len(self.nodes)

    def number_of_edges(self) -> int:
        return int(self.once.sum())

    @cached_property
    def once(self) -> npt.NDArray[np.bool_]:
        """Which arcs are ``G.edges``, in that order: each edge of an undirected graph once."""
        if self._directed:
            return np.ones(len(self.targets), dtype=bool)
        return self.targets >= self.sources

    @cached_property
    def links(self) -> Graph:
        """Which node points to which: weights and parallel edges do not count."""
        return _made(self.sources, self.targets, None, len(self))

    def matrix(self, weight: str | None) -> Graph:
        """The adjacency matrix: the weights, or the numbers, of parallel edges are added up."""
        if weight is not None and weight != self.attribute:
            raise NotImplementedError(
                f"the graph was converted with the weights {self.attribute!r}, not {weight!r}"
            )
        weighted = weight is not None and self.weights is not None
        if not weighted and not self._multigraph:
            return self.links
        if weighted not in self._sums:
            self._sums[weighted] = self._sum(weighted)
        return self._sums[weighted]

    def _sum(self, weighted: bool) -> Graph:
        sources, targets = self.sources, self.targets
        weights = np.ones(len(targets))
        if weighted and self.weights is not None:
            weights = self.weights
            if not (np.isfinite(weights).all() and (weights >= 0).all()):
                raise NotImplementedError("webrank takes weights that are finite and not negative")
            # A zero of the matrix is no arc.
            there = weights > 0
            sources, targets, weights = sources[there], targets[there], weights[there]
        return _made(sources, targets, weights, len(self))

    def lengths(self, attribute: str) -> Graph:
        """Which node points to which, and how far: of parallel edges, the shortest counts."""
        if attribute != self.attribute:
            raise NotImplementedError(
                f"the graph was converted with the lengths {self.attribute!r}, not {attribute!r}"
            )
        lengths = np.ones(len(self.targets)) if self.weights is None else self.weights
        if not (np.isfinite(lengths).all() and (lengths > 0).all()):
            raise NotImplementedError("webrank takes lengths that are finite and positive")
        order = np.lexsort((lengths, self.targets, self.sources))
        sources, targets = self.sources[order], self.targets[order]
        first = np.ones(len(order), dtype=bool)
        first[1:] = (sources[1:] != sources[:-1]) | (targets[1:] != targets[:-1])
        return _made(sources[first], targets[first], lengths[order][first], len(self))

    def by_node(self, values: npt.NDArray[Any]) -> dict[Any, float]:
        """An array as a dictionary in the order of the nodes."""
        return dict(zip(self.nodes, values.tolist()))

    def array(self, values: dict[Any, float], name: str) -> Floats:
        """A dictionary as an array: nodes that it lacks get 0, what is no node does not count."""
        array = np.array([values.get(node, 0) for node in self.nodes], dtype=np.float64)
        if not (np.isfinite(array).all() and (array >= 0).all()):
            raise NotImplementedError(f"{name} must be finite and not negative")
        return array

    def bunch(self, nodes: Any) -> set[Any]:
        """The nodes in an ``nbunch`` of networkx."""
        alone = nx.Graph()
        alone.add_nodes_from(self.nodes)
        return set(alone.nbunch_iter(nodes))


def _made(sources: Numbers, targets: Numbers, weights: Floats | None, n: int) -> Graph:
    """The graph; parallel edges, and graphs without edges, are what networkx asked for."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ImportWarning)
        return Graph.from_arrays(sources, targets, weights, n)


def convert_from_nx(
    graph: nx.Graph,
    edge_attrs: dict[str, Any] | None = None,
    node_attrs: dict[str, Any] | None = None,
    preserve_edge_attrs: bool = False,
    preserve_node_attrs: bool = False,
    preserve_graph_attrs: bool = False,
    name: str | None = None,
    graph_name: str | None = None,
) -> BackendGraph:
    """The graph with at most one attribute of its edges, in time O(n + m)."""
    if preserve_edge_attrs or preserve_node_attrs or node_attrs:
        raise NotImplementedError("webrank keeps one attribute of edges, and none of nodes")
    if edge_attrs is not None and len(edge_attrs) > 1:
        raise NotImplementedError(f"webrank keeps one attribute of edges, not {len(edge_attrs)}")
    if edge_attrs and isinstance(graph._adj, nx.classes.coreviews.UnionAdjacency):
        # Such a view shows one of two arcs between two nodes, by direction.
        raise NotImplementedError("weights of a view of an undirected graph: make a copy of it")
    attribute, default = next(iter((edge_attrs or {}).items()), (None, 1))
    return BackendGraph(graph, attribute, default)


def convert_to_nx(found: Any, *, name: str | None = None) -> Any:
    """A graph of networkx with the nodes, edges and weights; other results as they are."""
    if not isinstance(found, BackendGraph):
        return found
    if found.is_multigraph():
        graph = nx.MultiDiGraph() if found.is_directed() else nx.MultiGraph()
    else:
        graph = nx.DiGraph() if found.is_directed() else nx.Graph()
    graph.graph.update(found.graph)
    graph.add_nodes_from(found)
    weights: Iterable[float] | None = None
    if found.attribute is not None:
        given = np.ones(len(found.targets)) if found.weights is None else found.weights
        weights = given[found.once].tolist()
    edges: Iterable[Any] = edge_names(found)
    if weights is not None:
        edges = ((*edge, {found.attribute: weight}) for edge, weight in zip(edges, weights))
    graph.add_edges_from(edges)
    return graph


def edge_names(graph: BackendGraph) -> list[tuple[Any, ...]]:
    """``list(G.edges)``: pairs of nodes, with the keys of a multigraph."""
    name = graph.nodes.__getitem__
    once = graph.once
    ends = [map(name, graph.sources[once].tolist()), map(name, graph.targets[once].tolist())]
    if graph.keys is None:
        return list(zip(*ends))
    kept = (key for key, keep in zip(graph.keys, once.tolist()) if keep)
    return list(zip(*ends, kept))


def _values(mappings: Iterable[Any]) -> Iterator[Any]:
    return chain.from_iterable(mapping.values() for mapping in mappings)


def _arcs(rows: list[Any], number: dict[Any, int]) -> tuple[Numbers, Numbers]:
    """Sources and targets of the arcs, by source; parallel edges once."""
    degrees = np.fromiter(map(len, rows), np.int64, len(rows))
    neighbours = map(number.__getitem__, chain.from_iterable(rows))
    targets = np.fromiter(neighbours, np.uint32, int(degrees.sum()))
    return np.repeat(np.arange(len(rows), dtype=np.uint32), degrees), targets


def _weights(data: Iterator[Any], count: int, attribute: str, default: float) -> Floats | None:
    """The weights of the arcs; None if all are 1."""
    try:
        weights = np.fromiter((edge.get(attribute, default) for edge in data), np.float64, count)
    except (TypeError, ValueError) as problem:
        raise NotImplementedError(f"the edge attribute {attribute!r}: {problem}") from problem
    return None if bool((weights == 1).all()) else weights
