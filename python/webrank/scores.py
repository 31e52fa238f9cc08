"""Scores of nodes, with ranks and what is proved of both."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

import numpy as np
import numpy.typing as npt

from . import _html, _webrank
from ._arguments import Key, Path, key_text
from ._arguments import path as _path

if TYPE_CHECKING:
    from ._ranking import Ranking

Floats = npt.NDArray[np.float64]


class Row(NamedTuple):
    """A node and its place in a ranking."""

    rank: int
    """1 plus the number of nodes with a larger score."""
    node: int
    """Its number."""
    name: str | int
    """Its name, an ``int`` if all names are integers; its number, if nodes have no names."""
    score: float
    certain: bool | None
    """Whether the rank is proved; None if the measure proves no ranks."""


class Scores:
    """The scores of all nodes of a graph: the result of a measure.

    Arrays share the memory of the result and cannot be written to. A table of everything is
    available to any library that reads Arrow data: ``polars.DataFrame(scores)``,
    ``pyarrow.table(scores)``, or ``scores`` in a query of duckdb; :meth:`to_pandas` makes a frame of
    pandas.

    >>> import webrank
    >>> g = webrank.Graph.from_arrays([0, 0, 1, 2], [1, 2, 2, 0], names=["ant", "bee", "cat"])
    >>> scores = g.indegree()
    >>> scores["cat"], scores.rank.tolist(), scores.error_bound
    (2.0, [2, 2, 1], 0.0)
    """

    __slots__ = ("_native",)

    def __init__(self, native: _webrank.Scores) -> None:
        self._native = native

    @property
    def values(self) -> Floats:
        """The score of each node, by node number, without a copy.

        The first of several columns, by which nodes are ranked.
        """
        return np.asarray(self._native.column(0))

    @property
    def columns(self) -> dict[str, Floats]:
        """All columns of scores by their headers: one called ``score``, or several."""
        headers = self._native.headers[0]
        return {name: np.asarray(self._native.column(i)) for i, name in enumerate(headers)}

    @property
    def bounds(self) -> dict[str, Floats]:
        """The ends of the intervals of estimates: ``lower`` and ``upper``.

        Several columns have ``lin_lower`` and ``lin_upper``; none if the scores are no estimates.
        """
        headers = self._native.headers[1]
        return {name: np.asarray(self._native.bound(i)) for i, name in enumerate(headers)}

    @property
    def lower(self) -> Floats | None:
        """The lower end of the interval of each score; None if there are no intervals."""
        return None if self._native.claim is None else np.asarray(self._native.bound(0))

    @property
    def upper(self) -> Floats | None:
        """The upper end of the interval of each score; None if there are no intervals."""
        return None if self._native.claim is None else np.asarray(self._native.bound(1))

    @property
    def intervals(self) -> dict[str, Any] | None:
        """The claim of the intervals; None if there are none.

        ``confidence``: the probability that the truth is inside; ``holds``: that of ``"each_node"``
        by itself, or of ``"all_nodes"`` at once; ``proved``: False for estimated ones.
        """
        claim = self._native.claim
        return None if claim is None else dict(json.loads(claim))

    @property
    def rank_from(self) -> npt.NDArray[np.uint32] | None:
        """The best rank of each node that the intervals leave open; None without intervals."""
        ranges = self._native.rank_ranges
        return None if ranges is None else np.asarray(ranges[0])

    @property
    def rank_to(self) -> npt.NDArray[np.uint32] | None:
        """The worst rank of each node that the intervals leave open; None without intervals."""
        ranges = self._native.rank_ranges
        return None if ranges is None else np.asarray(ranges[1])

    @property
    def rank(self) -> npt.NDArray[np.uint32]:
        """The rank of each node: 1 plus the number of nodes with a larger score."""
        return np.asarray(self._native.rank)

    @property
    def order(self) -> npt.NDArray[np.uint32]:
        """The nodes, best first."""
        return np.asarray(self._native.order)

    @property
    def certain(self) -> npt.NDArray[np.bool_] | None:
        """Whether the rank of each node is proved; None if the measure proves no ranks."""
        certain = self._native.certain
        return None if certain is None else np.asarray(certain)

    @property
    def proved_positions(self) -> int | None:
        """How many positions from the first on are proved; None if the measure proves none."""
        return self._native.proved_positions

    @property
    def error_bound(self) -> float | None:
        """The proved bound on the l1 distance between the scores and the true ones.

        0 if they are exact but for the rounding of one operation each; None if there is no such
        bound (see :attr:`guarantee`).
        """
        return self._native.error_bound

    @property
    def guarantee(self) -> dict[str, Any]:
        """The guarantee of each single score: its ``kind``, and the numbers of that kind."""
        guarantee: dict[str, Any] = json.loads(self._native.certainty(0))["guarantee"]
        return guarantee

    @property
    def outcome(self) -> dict[str, Any]:
        """How certain the scores are: what the manifest says of the first column."""
        outcome: dict[str, Any] = json.loads(self._native.certainty(0))["outcome"]
        return outcome

    @property
    def converged(self) -> bool:
        """Whether the tolerance was reached; False only with ``allow_unconverged=True``."""
        return self._native.converged

    @property
    def measure(self) -> str:
        """The name of the measure."""
        return self._native.measure

    @property
    def method(self) -> str:
        """The algorithm."""
        return self._native.method

    @property
    def notes(self) -> list[str]:
        """Notes: choices and their reasons, the meaning of zeros."""
        return self._native.notes

    @property
    def names(self) -> Sequence[str | int] | None:
        """The names of the nodes, if they have any; ``int`` if all of them are integers."""
        return self._native.names

    @property
    def manifest(self) -> dict[str, Any]:
        """How the scores were made: the account that is written beside every table."""
        manifest: dict[str, Any] = json.loads(self._native.manifest())
        return manifest

    def __len__(self) -> int:
        return len(self._native)

    def __getitem__(self, key: Key) -> float:
        """The score of a node, by its name or number."""
        return float(self.values[self._native.graph.node(key_text(key))])

    def __contains__(self, key: object) -> bool:
        try:
            self[key]  # type: ignore[index]
        except (KeyError, TypeError):
            return False
        return True

    def __iter__(self) -> NoReturn:
        # A name is no position: `for score in scores` would be a trap. pandas.DataFrame(scores) asks
        # for this, too.
        raise TypeError(
            "scores are a table, not a list: use to_pandas() for a frame, values for an array, "
            "to_dict() or top()"
        )

    def get(self, key: Key, default: float | None = None) -> float | None:
        """The score of a node, or a default if there is no such node."""
        try:
            return self[key]
        except KeyError:
            return default

    def _standings(self, key: Key, top: int) -> list[dict[str, Any]]:
        """The standing of a node in each column, as ``rank explain --json`` says it."""
        node, name = self._native.graph.node(key_text(key)), self._native.graph.name
        runs = self.manifest["columns"]
        found = []
        for place, (column, values) in enumerate(self.columns.items()):
            parameters = runs[column]["parameters"].items()
            standing: dict[str, Any] = {
                "column": column,
                "measure": runs[column]["measure"],
                "parameters": {what: value for what, value in parameters if value is not None},
                "score": float(values[node]),
                "rank": 1 + int((values > values[node]).sum()),
                "rows": len(self),
            }
            inflow = self._native.inflow(place, node, top)
            if inflow is not None:
                standing["inflow"] = parts = json.loads(inflow)
                for giver in parts["first"] if self.names is not None else []:
                    giver["name"] = name(giver["node"])
            found.append(standing)
        return found

    def top(self, count: int = 10) -> list[Row]:
        """The best nodes, best first."""
        nodes = self.order[: max(0, count)].tolist()
        values, ranks, certain = self.values, self.rank, self.certain
        name = self._native.graph.name
        return [
            Row(
                rank=int(ranks[node]),
                node=node,
                name=name(node),
                score=float(values[node]),
                certain=None if certain is None else bool(certain[node]),
            )
            for node in nodes
        ]

    def to_dict(self) -> dict[str | int, float]:
        """The score of each node by its name, or by its number if nodes have no names."""
        names = self.names
        keys: Any = range(len(self)) if names is None else names
        return dict(zip(keys, self.values.tolist()))

    def save(self, path: Path, *, top: int | None = None, sort: str = "node") -> None:
        """Writes the table to a file, and its manifest to ``path + ".json"``.

        The extension names the format, as in the command: ``.csv``, ``.tsv``, ``.jsonl`` (all of
        them also ``.gz`` and ``.zst``), ``.parquet``, ``.arrow``, ``.npy``. ``top`` keeps so many
        best nodes; ``sort`` is ``"node"`` or ``"score"``.
        """
        if sort not in ("node", "score"):
            from .errors import ArgumentError

            raise ArgumentError(f"sort is {sort!r}: choose from 'node', 'score'")
        self._native.save(_path(path), top, sort == "score")

    def to_csv(self, path: Path, *, top: int | None = None, sort: str = "node") -> None:
        """Writes the table as CSV (``.gz`` and ``.zst`` compress it), and its manifest."""
        self._save_as((".csv", ".csv.gz", ".csv.zst"), path, top, sort)

    def to_parquet(self, path: Path, *, top: int | None = None, sort: str = "node") -> None:
        """Writes the table as Parquet, and its manifest."""
        self._save_as((".parquet",), path, top, sort)

    def _save_as(self, endings: tuple[str, ...], path: Path, top: int | None, sort: str) -> None:
        if not str(_path(path)).lower().endswith(endings):
            from .errors import ArgumentError

            raise ArgumentError(f"{_path(path)}: the name must end with {' or '.join(endings)}")
        self.save(path, top=top, sort=sort)

    def to_pandas(self) -> Any:
        """The table as a pandas.DataFrame.

        Where all names are integers, there is no column ``node``: beside them, the numbers of nodes
        would be taken for names.
        """
        import pandas

        certain = {} if self.certain is None else {"certain": self.certain}
        ranks: dict[str, Any] = {}
        if "score" in self.columns:
            ranks["rank"] = self.rank
            if self.rank_from is not None:
                ranks.update(rank_from=self.rank_from, rank_to=self.rank_to)
        columns: dict[str, Any] = {**self.columns, **self.bounds, **ranks, **certain}
        names = self._native.names
        if names is not None and names.integers is not None:
            return pandas.DataFrame({"name": np.asarray(names.integers), **columns})
        if names is not None:
            columns = {"name": list(names), **columns}
        return pandas.DataFrame({"node": np.arange(len(self), dtype=np.uint32), **columns})

    def plot(self, *, top: int = 20, axes: Any = None) -> Any:
        """Plots the distribution of the scores, and the best nodes (needs matplotlib).

        Returns the two axes; ``axes`` may give them.
        """
        from ._plot import scores

        return scores(self, top, axes)

    @property
    def __array_interface__(self) -> dict[str, Any]:
        # With __array__, pandas would make a frame of the first column alone.
        return self.values.__array_interface__

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._native.arrow(requested_schema)

    def __repr__(self) -> str:
        account = self._native.account
        method = next((value for what, value in account if what == "method"), "several methods")
        return f"<Scores of {len(self)} nodes: {self._native.described}; {method}>"

    def _repr_html_(self) -> str:
        return _html.scores(self, self._native.account)

    def __reduce__(self) -> Any:
        raise TypeError("scores are not pickled: save them (.parquet), or pickle their values")


class ArcScores:
    """The scores of all arcs, by source and target."""

    __slots__ = ("_native", "_graph")

    def __init__(self, native: _webrank.ArcScores, graph: Ranking) -> None:
        self._native = native
        self._graph = graph

    @property
    def values(self) -> Floats:
        """The score of each arc, by source and target, without a copy."""
        return np.asarray(self._native.values)

    @property
    def sources(self) -> npt.NDArray[np.int64]:
        """The source of each arc."""
        offsets, _ = self._graph._native.rows(False, None)
        degrees = np.diff(np.asarray(offsets)).astype(np.int64)
        return np.repeat(np.arange(len(degrees)), degrees)

    @property
    def targets(self) -> npt.NDArray[np.uint32]:
        """The target of each arc."""
        return np.asarray(self._graph._native.rows(False, None)[1])

    @property
    def notes(self) -> list[str]:
        """Notes for people."""
        return self._native.notes

    def top(self, count: int = 10) -> list[tuple[str | int, str | int, float]]:
        """The best arcs: names (or numbers) of source and target, and the score."""
        return self._native.top(count)

    def to_pandas(self) -> Any:
        """The table as a pandas.DataFrame: the names (or numbers) of sources and targets, scores."""
        import pandas

        names = self._graph._native.names
        ends = {"source": self.sources, "target": self.targets}
        if names is not None:
            every = names.integers if names.integers is not None else list(names)
            ends = {end: np.asarray(every)[nodes] for end, nodes in ends.items()}
        return pandas.DataFrame({**ends, "score": self.values})

    def __iter__(self) -> NoReturn:
        raise TypeError("scores are a table, not a list: use to_pandas(), values or top()")

    def __len__(self) -> int:
        return len(self._native.values)

    def __repr__(self) -> str:
        return f"<ArcScores of {len(self)} arcs: {self._native.described}>"
