"""Graphs of other libraries, which are imported only here."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _arguments
from .errors import ArgumentError, ArgumentTypeError

if TYPE_CHECKING:
    from .graph import Graph


def of_scipy(
    cls: type[Graph],
    matrix: Any,
    names: Iterable[str | int] | None,
    unweighted: bool,
    progress: bool | None,
) -> Graph:
    if not hasattr(matrix, "tocoo"):
        raise ArgumentTypeError(f"{type(matrix).__name__} is no sparse matrix of scipy")
    rows, columns = matrix.shape
    if rows != columns:
        raise ArgumentError(f"the matrix has {rows} rows and {columns} columns: it must be square")
    if hasattr(matrix, "check_format"):
        # Its conversion trusts what it holds, and would read beyond its arrays.
        try:
            matrix.check_format(full_check=True)
        except (ValueError, TypeError, IndexError) as problem:
            raise ArgumentError(f"the matrix is damaged: {_line(problem)}") from None
    entries = matrix.tocoo()
    src, dst, weights = entries.row, entries.col, entries.data
    there = weights != 0
    if not there.all():
        # A stored 0 is no arc.
        src, dst, weights = src[there], dst[there], weights[there]
    if unweighted or weights.dtype == bool or bool((weights == 1).all()):
        weights = None
    return cls.from_arrays(src, dst, weights, rows, names=names, progress=progress)


def _line(problem: Exception) -> str:
    """A message of another library as one line."""
    return " ".join(str(problem).split())


def to_scipy(graph: Graph) -> Any:
    from scipy.sparse import csr_array

    offsets, targets = graph._rows()
    weights = graph._weights()
    if weights is None:
        weights = np.ones(len(targets))
    n = len(graph)
    if max(n, len(targets)) <= np.iinfo(np.int32).max:
        # Numbers below 2^31 have the same bits with and without a sign: no copy.
        offsets, targets = offsets.astype(np.int32), targets.view(np.int32)
    else:
        offsets, targets = offsets.view(np.int64), targets.astype(np.int64)
    return csr_array((weights, targets, offsets), shape=(n, n))


def of_networkx(cls: type[Graph], graph: Any, weight: str | None, progress: bool | None) -> Graph:
    if not hasattr(graph, "edges") or not hasattr(graph, "is_directed"):
        raise ArgumentTypeError(f"{type(graph).__name__} is no graph of networkx")
    nodes = list(graph)
    number = {node: place for place, node in enumerate(nodes)}
    count = graph.number_of_edges()
    pairs = ((number[source], number[target]) for source, target in graph.edges())
    arcs = np.fromiter(pairs, dtype=np.dtype((np.int64, 2)), count=count)
    weights = None
    if weight is not None:
        given = [value for _, _, value in graph.edges(data=weight)]
        if any(value is not None for value in given):
            given = [1.0 if value is None else value for value in given]
            weights = np.asarray(given, dtype=np.float64)
    if weights is None and graph.is_multigraph() and len(set(map(tuple, arcs.tolist()))) < count:
        # As in the matrices of networkx, so many parallel edges are an edge of this weight.
        weights = np.ones(count)
    return cls.from_arrays(
        arcs[:, 0],
        arcs[:, 1],
        weights,
        len(nodes),
        names=_names(nodes),
        # Parallel edges add up, as the documentation says: nothing to warn of.
        duplicates="drop" if weights is None else "sum",
        symmetric=not graph.is_directed(),
        progress=progress,
    )


def _names(nodes: list[Any]) -> list[str | int] | None:
    """The names of nodes, unless they are their numbers.

    Raises:
        ArgumentError: If two nodes would have one name, or if a name is none.
    """
    if all(type(node) is int and node == place for place, node in enumerate(nodes)):
        return None
    named: dict[str, Any] = {}
    for node in nodes:
        name = str(node)
        if not name or "\n" in name:
            raise ArgumentError(
                f"the node {node!r} has no name that fits into a line: relabel it "
                "(networkx.relabel_nodes)"
            )
        if name in named:
            raise ArgumentError(
                f"the nodes {named[name]!r} and {node!r} would both be called {name}: relabel one "
                "of them (networkx.relabel_nodes)"
            )
        named[name] = node
    if all(type(node) is int for node in nodes):
        return list(nodes)
    return list(named)


def to_networkx(graph: Graph) -> Any:
    import networkx

    offsets, targets = graph._rows()
    sources = np.repeat(np.arange(len(graph)), np.diff(offsets).astype(np.int64))
    names = graph.names
    nodes: list[Any] = list(range(len(graph))) if names is None else list(names)
    found = networkx.DiGraph()
    found.add_nodes_from(nodes)
    ends = [(nodes[s], nodes[t]) for s, t in zip(sources.tolist(), targets.tolist())]
    weights = graph._weights()
    if weights is None:
        found.add_edges_from(ends)
    else:
        found.add_weighted_edges_from((s, t, w) for (s, t), w in zip(ends, weights.tolist()))
    return found


def of_igraph(cls: type[Graph], graph: Any, weight: str | None, progress: bool | None) -> Graph:
    if not hasattr(graph, "get_edgelist") or not hasattr(graph, "vs"):
        raise ArgumentTypeError(f"{type(graph).__name__} is no graph of igraph")
    edges = np.asarray(graph.get_edgelist(), dtype=np.int64).reshape(-1, 2)
    weights = None
    if weight is not None and weight in graph.es.attributes():
        weights = np.asarray(graph.es[weight], dtype=np.float64)
    names = None
    if "name" in graph.vs.attributes():
        found = list(graph.vs["name"])
        are_integers = all(type(name) is int for name in found)
        names = found if are_integers else [str(name) for name in found]
    return cls.from_arrays(
        edges[:, 0],
        edges[:, 1],
        weights,
        graph.vcount(),
        names=names,
        symmetric=not graph.is_directed(),
        progress=progress,
    )


def of_pandas(cls: type[Graph], table: Any, options: dict[str, Any]) -> Graph:
    if not hasattr(table, "columns") or not hasattr(table, "iloc"):
        raise ArgumentTypeError(f"{type(table).__name__} is no pandas.DataFrame")
    # The index is no column of arcs.
    return cls.from_arrow(_arguments.without_index(table), **options)
