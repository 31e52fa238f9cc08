"""Graphs, made of arrays, tables and graphs of other libraries."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from numbers import Integral
from typing import Any, Literal, Union

import numpy as np
import numpy.typing as npt

from . import _arguments, _html, _webrank
from ._arguments import ArcWeights, Key, Path, key_text
from ._progress import progress as _progress
from .choices import Duplicates
from .errors import ArgumentError, ArgumentTypeError
from .measures import Measures
from ._reading import warn_of
from .scores import Scores

_Duplicates = Union[Duplicates, Literal["drop", "sum", "max", "min", "error"]]
_Negative = Literal["drop", "absolute", "error"]

Name = Union[str, int]
"""The name of a node: an ``int`` if all names are integers."""

#: Larger graphs do not count their degrees for a notebook.
_SMALL = 20_000_000


class Graph(Measures):
    """A directed graph, perhaps with names of its nodes and weights of its arcs.

    Made by :func:`webrank.open` and the functions that start with ``from_``. Nodes are numbered
    from 0. A node is given by its name or, if no node has that name, by its number; where names are
    numbers themselves, a number is a name. Names that are all integers are ``int`` here, and
    integers in tables.

    >>> import webrank
    >>> g = webrank.Graph.from_arrays([0, 0, 1, 2], [1, 2, 2, 0], names=["ant", "bee", "cat"])
    >>> g
    <Graph: 3 nodes, 4 arcs>
    >>> len(g), g.names[2], g.successors("ant")
    (3, 'cat', ['bee', 'cat'])
    """

    __slots__ = ("_native", "_reading")

    def __init__(self, native: _webrank.Graph, reading: Iterable[str] = ()) -> None:
        if not isinstance(native, _webrank.Graph):
            raise ArgumentTypeError(
                "graphs are made by webrank.open() and the functions Graph.from_...()"
            )
        self._native = native
        self._reading = list(reading)

    @classmethod
    def from_arrays(
        cls,
        src: npt.ArrayLike,
        dst: npt.ArrayLike,
        weights: npt.ArrayLike | None = None,
        n: int | None = None,
        *,
        names: Iterable[Name] | None = None,
        duplicates: _Duplicates | None = None,
        symmetric: bool = False,
        drop_loops: bool = False,
        negative: _Negative | None = None,
        progress: bool | None = None,
    ) -> Graph:
        """A graph of arcs: arrays of their sources and targets, of any integer type.

        The arrays are read in place, part by part; no copy of them is made. ``n`` is the number of
        nodes, by default the largest number plus 1, or the number of ``names``. Arcs that are
        given several times count once, or add up if they have weights (``duplicates``). Arcs of
        weight 0 are left out; ``negative`` says what becomes of negative weights. A warning says
        what was left out.

        >>> import webrank
        >>> webrank.Graph.from_arrays([0, 1, 2], [1, 2, 0], weights=[1.0, 2.0, 3.0])
        <Graph: 3 nodes, 3 arcs with weights>
        """
        arcs = _arguments.Arcs(src, dst, weights)
        all_names = None if names is None else [_name(name) for name in names]
        are_integers = bool(all_names) and all(isinstance(name, int) for name in all_names or [])
        if n is None and all_names is not None:
            n = len(all_names)
        if n is not None and (isinstance(n, bool) or int(n) != n or not 0 <= n < 2**32):
            raise ArgumentError(f"n is {n}: it must be a number of nodes, below 2^32")
        options = {
            "duplicates": duplicates,
            "symmetric": symmetric,
            "drop_loops": drop_loops,
            "negative": negative,
            "unweighted": weights is None,
        }
        weighted = weights is not None
        shown = _progress(progress)
        count = None if n is None else int(n)
        native, report = _webrank.graph_of_arcs(arcs, count, weighted, options, shown)
        warn_of(report, "the arrays", duplicates)
        if all_names is not None:
            native = native.with_names([str(name) for name in all_names], are_integers)
        return cls(native)

    @classmethod
    def from_arrow(
        cls,
        table: Any,
        *,
        columns: Iterable[str | int] | None = None,
        ids: bool = False,
        unweighted: bool = False,
        duplicates: _Duplicates | None = None,
        symmetric: bool = False,
        drop_loops: bool = False,
        order: Literal["names", "given"] = "names",
        progress: bool | None = None,
    ) -> Graph:
        """A graph of a table of arcs: anything with ``__arrow_c_stream__``.

        pyarrow, polars, pandas, duckdb and many others have it. ``columns`` are those of source,
        target and perhaps weight, by default known by their names (``source``, ``from``, ...).
        Their entries are names, also if they are integers, unless ``ids`` says that they are node
        numbers from 0.
        """
        if not hasattr(table, "__arrow_c_stream__"):
            raise ArgumentTypeError(
                f"{type(table).__name__} is no table of Arrow data: it lacks __arrow_c_stream__"
            )
        options = {
            "columns": None if columns is None else _arguments.columns(columns),
            "ids": ids,
            "unweighted": unweighted,
            "duplicates": duplicates,
            "symmetric": symmetric,
            "drop_loops": drop_loops,
            "order": order,
        }
        native, report = _webrank.graph_of_table(table, options, _progress(progress))
        warn_of(report, "the table", duplicates)
        return cls(native)

    @classmethod
    def from_polars(cls, table: Any, **options: Any) -> Graph:
        """A graph of a polars.DataFrame; the options are those of :meth:`from_arrow`."""
        return cls.from_arrow(table, **options)

    @classmethod
    def from_pandas(cls, table: Any, **options: Any) -> Graph:
        """A graph of a pandas.DataFrame; the options are those of :meth:`from_arrow`.

        It needs pyarrow. The index is no column.
        """
        from ._conversions import of_pandas

        return of_pandas(cls, table, options)

    @classmethod
    def from_scipy(
        cls,
        matrix: Any,
        *,
        names: Iterable[Name] | None = None,
        unweighted: bool = False,
        progress: bool | None = None,
    ) -> Graph:
        """A graph of a square sparse matrix: an entry at (i, j) is an arc from i to j.

        Entries are the weights of the arcs, unless they are booleans, or all of them are 1.
        """
        from ._conversions import of_scipy

        return of_scipy(cls, matrix, names, unweighted, progress)

    @classmethod
    def from_networkx(
        cls, graph: Any, *, weight: str | None = "weight", progress: bool | None = None
    ) -> Graph:
        """A graph of networkx, its nodes in the order of ``list(graph)``.

        Edges of undirected graphs give both directions; parallel edges of a multigraph add up: their
        weights or, without weights, their number. The attribute ``weight`` holds the weights, if any
        edge has it; where it is missing, the weight is 1. Nodes keep their names, unless they are
        the numbers 0, 1, ....

        Raises:
            ArgumentError: If two nodes would have one name, as 1 and ``"1"`` would.
        """
        from ._conversions import of_networkx

        return of_networkx(cls, graph, weight, progress)

    @classmethod
    def from_igraph(
        cls, graph: Any, *, weight: str | None = "weight", progress: bool | None = None
    ) -> Graph:
        """A graph of igraph, with the names in the attribute ``name`` and the weights in
        ``weight``; edges of undirected graphs give both directions."""
        from ._conversions import of_igraph

        return of_igraph(cls, graph, weight, progress)

    @property
    def names(self) -> Sequence[Name] | None:
        """The names of the nodes in node order, if they have any; ``int`` if all are integers."""
        return self._native.names

    @property
    def num_nodes(self) -> int:
        """The number of nodes."""
        return self._native.num_nodes

    @property
    def num_arcs(self) -> int:
        """The number of arcs, self-loops included."""
        return self._native.num_arcs

    @property
    def has_weights(self) -> bool:
        """Whether arcs have weights."""
        return self._native.has_weights

    @property
    def path(self) -> str | None:
        """Where the graph was read from."""
        return self._native.path

    @property
    def fingerprint(self) -> str:
        """A checksum of the graph: equal fingerprints, equal graphs."""
        return self._native.fingerprint()

    def node(self, key: Key) -> int:
        """The number of a node, by its name or number.

        Raises:
            KeyError: If there is none; the message has similar names.
        """
        return self._native.node(key_text(key))

    def name(self, node: int) -> Name:
        """The name of a node; its number, if nodes have no names."""
        return self._native.name(node)

    def successors(self, key: Key) -> list[Name]:
        """The names (or numbers) of the nodes that a node points to."""
        return self._row(key, incoming=False)

    def predecessors(self, key: Key) -> list[Name]:
        """The names (or numbers) of the nodes that point to a node."""
        return self._row(key, incoming=True)

    def subgraph(
        self, nodes: Iterable[Key], *, neighbours: bool = False, progress: bool | None = None
    ) -> Graph:
        """Some nodes and all arcs between them, as ``rank subgraph`` finds them.

        Nodes keep their order and their names, arcs their weights; without names, the numbers of
        the nodes become names. ``neighbours`` adds all nodes with an arc to or from one of them.

        >>> import webrank
        >>> g = webrank.Graph.from_arrays([0, 1, 2], [1, 2, 0], names=["ant", "bee", "cat"])
        >>> g.subgraph(["ant", "bee"]).successors("ant")
        ['bee']
        """
        chosen = [self._native.node(key) for key in _arguments.keys(nodes) or []]
        return Graph(self._native.subgraph(chosen, neighbours, _progress(progress)))

    def paths(self, source: Key, target: Key, *, top: int = 1) -> dict[str, Any]:
        """The shortest paths from one node to another, as ``rank path --json`` shows them.

        ``length`` is their number of arcs, or None if no path leads there; ``count`` is how many
        there are, or None for 2^128 - 1 and more; ``paths`` are the first ``top`` of them, as lists of names (or numbers): those
        come first whose nodes have the smaller numbers. Weights do not count. O(n + m).

        >>> import webrank
        >>> g = webrank.Graph.from_arrays(
        ...     [0, 0, 1, 2], [1, 2, 3, 3], names=["ant", "bee", "cat", "dog"])
        >>> g.paths("ant", "dog")
        {'length': 2, 'count': 2, 'paths': [['ant', 'bee', 'dog']]}
        """
        ends = (self.node(source), self.node(target))
        length, count, paths = self._native.paths(ends, top)
        names = [[self._native.name(node) for node in path] for path in paths]
        return {"length": length, "count": count, "paths": names}

    def explain(
        self,
        key: Key,
        *scores: Scores,
        top: int = 10,
        lengths: Literal["weights", "inverse"] | ArcWeights | None = None,
        cutoff: float | None = None,
    ) -> dict[str, Any]:
        """The facts of ``rank explain --json`` about a node: its degrees, distances, and scores.

        ``distances_to_it`` counts the nodes that reach it in 0, 1, 2, ... steps, and
        ``distances_from_it`` those that it reaches. O(n + m). With ``lengths`` or ``cutoff``, as in
        :meth:`harmonic`, ``lengths_to_it`` and ``lengths_from_it`` say how many nodes there are at sums
        of lengths, and the ``nearest``, the ``mean`` and the ``farthest`` of these.

        For each column of ``scores``, ``tables`` has its ``measure``, ``parameters``, ``score``,
        ``rank``, and the number of ``rows``. For PageRank, ``inflow`` is what the score is made of:
        what the ``top`` predecessors that give most (``first``) and all others (``from_others``) pass
        on, ``alpha x(p) / outdegree(p)`` each (in proportion to weights of arcs), and what comes from
        ``restarts``, of walks (``from_start``) and from dangling nodes (``from_dangling``) if these
        are known separately. The parts add up to the score.

        >>> import webrank
        >>> g = webrank.Graph.from_arrays([0, 1], [1, 2])
        >>> g.explain(1)["distances_from_it"]
        [1, 1]
        >>> inflow = g.explain(1, g.pagerank())["tables"][0]["inflow"]
        >>> [(giver["node"], round(giver["gives"], 6)) for giver in inflow["first"]]
        [(0, 0.156754)]
        """
        for one in scores:
            _check_scores(one)
        node = self.node(key)
        to_it, from_it = self._native.distances(node)
        named = {} if self.names is None else {"name": self.name(node)}
        tables = [standing for one in scores for standing in one._standings(key, top)]
        given = {"lengths": _arguments.arc_weights(lengths, "lengths"), "cutoff": cutoff}
        by_length = {}
        if lengths is not None or cutoff is not None:
            heads = ("lengths_to_it", "lengths_from_it")
            by_length = dict(zip(heads, map(json.loads, self._native.lengths(node, given))))
        return {
            "node": node,
            **named,
            "indegree": len(self._row(key, incoming=True)),
            "outdegree": len(self._row(key, incoming=False)),
            "distances_to_it": to_it,
            "distances_from_it": from_it,
            **by_length,
            **({"tables": tables} if scores else {}),
        }

    def plot_neighbourhood(
        self,
        key: Key,
        scores: Scores | None = None,
        *,
        steps: int = 2,
        direction: Literal["out", "in"] = "out",
        most: int = 12,
        without: Iterable[Key] = (),
        axes: Any = None,
    ) -> Any:
        """Draws a node and what it reaches in some steps, or what reaches it (needs matplotlib).

        There is a column for each number of steps, with the ``most`` nodes of the largest scores
        among those beside the nodes that are shown in the column before.
        The area of a circle is the score, and the rank is in brackets. Arrows to and from the nodes
        ``without`` are left out, except those of the node itself: hubs that all others point to
        would hide the rest. Returns the axes; ``axes`` may give them.
        """
        from ._plot import neighbourhood

        if scores is not None:
            _check_scores(scores)
        if direction not in ("out", "in"):
            raise ArgumentError(f"direction is {direction!r}: choose from 'out', 'in'")
        hidden = {self.node(one) for one in _arguments.keys(without) or []}
        incoming = direction == "in"
        return neighbourhood(self, self.node(key), scores, steps, incoming, most, hidden, axes)

    def _row(self, key: Key, *, incoming: bool) -> list[Name]:
        node = self.node(key)
        offsets, targets = self._rows(incoming)
        row = targets[int(offsets[node]) : int(offsets[node + 1])].tolist()
        return [self._native.name(neighbour) for neighbour in row]

    def _rows(
        self, incoming: bool = False, progress: bool | None = None
    ) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint32]]:
        """Where the rows of successors (or predecessors) end, and the rows; without a copy."""
        offsets, targets = self._native.rows(incoming, _progress(progress))
        return np.asarray(offsets), np.asarray(targets)

    def _weights(self) -> npt.NDArray[np.float64] | None:
        weights = self._native.weights(None)
        return None if weights is None else np.asarray(weights)

    def without_weights(self) -> Graph:
        """This graph with arcs that all weigh 1."""
        reading = dict.fromkeys([*self._reading, "unweighted=True"])
        return Graph(self._native.unweighted(), reading)

    def save(
        self,
        path: Path,
        *,
        replace: bool = False,
        compact: bool = False,
        progress: bool | None = None,
    ) -> None:
        """Writes a bundle such as ``graph.bv``: compressed, with its transpose, names, weights and
        checksums.

        ``replace`` replaces a bundle at ``path``; ``compact`` leaves out the transpose and the
        offsets, which are computed when they are needed.
        """
        self._native.save(_arguments.path(path), replace, compact, _progress(progress))

    def to_scipy(self) -> Any:
        """The adjacency matrix as a scipy.sparse.csr_array; its entries are the weights, or 1."""
        from ._conversions import to_scipy

        return to_scipy(self)

    def to_networkx(self) -> Any:
        """The graph as a networkx.DiGraph, with the weights in the attribute ``weight``."""
        from ._conversions import to_networkx

        return to_networkx(self)

    def __len__(self) -> int:
        return self._native.num_nodes

    def __bool__(self) -> bool:
        # A graph without nodes is a graph.
        return True

    def __contains__(self, key: object) -> bool:
        try:
            self.node(key)  # type: ignore[arg-type]
        except (KeyError, TypeError):
            return False
        return True

    __iter__ = None

    def __repr__(self) -> str:
        return f"<Graph: {self._native.described()}>"

    def _repr_html_(self) -> str:
        degrees = None
        if self.num_arcs <= _SMALL:
            offsets, targets = self._rows(progress=False)
            counts = np.diff(offsets).astype(np.int64)
            degrees = counts, np.bincount(targets, minlength=len(counts))
        return _html.graph(self, degrees)

    def __reduce__(self) -> Any:
        origin = self._native.origin
        if origin is not None:
            from .files import _reopened

            path, names, unweighted = origin
            found = names and os.path.abspath(names)
            return _reopened, (os.path.abspath(path), found, unweighted, self.fingerprint)
        offsets, targets = self._rows()
        names_ = None if self.names is None else list(self.names)
        return _rebuilt, (offsets, targets, self._weights(), names_)

    def __copy__(self) -> Graph:
        return self

    def __deepcopy__(self, memo: Any) -> Graph:
        # A graph does not change.
        return self


def _rebuilt(offsets: Any, targets: Any, weights: Any, names: list[Name] | None) -> Graph:
    """The graph of a pickle, which was in memory."""
    found = None if weights is None else weights.tobytes()
    texts = None if names is None else [str(name) for name in names]
    are_integers = bool(names) and all(isinstance(name, int) for name in names or [])
    rows = offsets.tobytes(), targets.tobytes()
    return Graph(_webrank.graph_of_rows(*rows, found, texts, are_integers))


def _name(name: Any) -> Name:
    if isinstance(name, str):
        return str.__str__(name)
    if isinstance(name, Integral) and not isinstance(name, bool):
        return int(name)
    raise ArgumentTypeError(f"names holds {name!r}: names are strings or integers")


def _check_scores(scores: Any) -> None:
    if not isinstance(scores, Scores):
        raise ArgumentTypeError(
            f"{type(scores).__name__} is no Scores: give what a measure returns, as g.pagerank()"
        )
