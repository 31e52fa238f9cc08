"""Comparisons of rankings: do they agree, where do they differ, does it matter at the top?"""

from __future__ import annotations

import html as _escape
import json
import os
from collections.abc import Hashable, Iterable, Mapping
from typing import Any, Literal, NamedTuple, NoReturn, Union

import numpy as np

from . import _arguments, _html, _webrank
from ._arguments import Path
from ._progress import progress as _progress
from .choices import RankBy, Weigher
from .errors import ArgumentError, ArgumentTypeError
from .scores import Scores

_Weigher = Union[Weigher, Literal["hyperbolic", "logarithmic", "quadratic", "linear", "none"]]
_RankBy = Union[RankBy, Literal["a", "b", "both"]]

#: Rankings that can be compared.
Ranking = Union[Scores, Mapping[Any, float], Path, Any]


class Mover(NamedTuple):
    """A node, and its ranks in two rankings (halves come from ties)."""

    name: str
    rank_a: float
    rank_b: float


class Movers(NamedTuple):
    """The nodes that change places most from one ranking to another."""

    climbers: list[Mover]
    fallers: list[Mover]


def compare(
    a: Ranking,
    b: Ranking,
    *others: Ranking,
    names: Iterable[str] | None = None,
    on: str | None = None,
    respect_bounds: bool = False,
    ranks_are_scores: bool = False,
    weigher: _Weigher = "hyperbolic",
    rank_by: _RankBy = "both",
    rank_by_table: Ranking | None = None,
    movers: int = 5,
    top: Iterable[int] | None = None,
    progress: bool | None = None,
) -> Comparison:
    """Compares rankings, as ``rank compare`` does.

    A ranking is a :class:`Scores`, an array of scores by node, a mapping from names to scores, a
    pandas.Series by its index, a table of names and scores (pandas, polars, Arrow), or the path of
    a table of scores. Rows are matched by name, or by node if some
    ranking has no names; rows that some ranking lacks are left out (see ``notes``).

    Args:
        a, b, others: The rankings; larger scores are better.
        names: Their names; by default those of measures and files.
        on: The column of keys in tables.
        respect_bounds: Report what the errors of the scores leave undecided.
        ranks_are_scores: Compare columns that look like ranks (1, 2, 3, ...) as scores.
        weigher: Weighted tau: the weight of a node by its rank r, from 0.
        rank_by: Weighted tau: which ranking of a pair gives the ranks.
        rank_by_table: Weighted tau: a ranking that gives the ranks, and is not compared.
        movers: Climbers and fallers to list.
        top: Sizes k of overlaps of the first k; by default 10, 100, 1000, ....

    >>> import webrank
    >>> found = webrank.compare([0.5, 0.3, 0.2], [0.5, 0.2, 0.3])
    >>> round(found.tau_b, 6), found.movers().climbers
    (0.333333, [Mover(name='2', rank_a=3.0, rank_b=2.0)])
    """
    rankings = [a, b, *others]
    shown = _progress(progress)
    everything = rankings + ([] if rank_by_table is None else [rank_by_table])
    by_name = all(_has_names(ranking) for ranking in everything)
    scores = [ranking for ranking in everything if isinstance(ranking, Scores)]
    if len({ranking.names is None for ranking in scores}) > 1:
        raise ArgumentError(
            "the nodes of one graph have names, those of another have not: numbers of nodes would be "
            "compared with names; give both graphs names, or compare arrays (scores.values) if their "
            "nodes are the same in the same order"
        )
    tables = [
        _table(ranking, by_name, on, f"ranking {i + 1}") for i, ranking in enumerate(rankings)
    ]
    of_ranks = (
        None if rank_by_table is None else _table(rank_by_table, by_name, on, "rank_by_table")
    )
    found_names = [_label(ranking, i) for i, ranking in enumerate(rankings)]
    if names is not None:
        found_names = [str(name) for name in names]
        if len(found_names) != len(rankings):
            raise ArgumentError(f"names has {len(found_names)} names for {len(rankings)} rankings")
    options = {
        "weigher": weigher,
        "rank_by": rank_by,
        "movers": movers,
        "respect_bounds": respect_bounds,
        "ranks_are_scores": ranks_are_scores,
        "top": None if top is None else list(top),
    }
    native = _webrank.compare(tables, _distinct(found_names), of_ranks, options, shown)
    if native.rows == 0 and all(len(ranking) > 0 for ranking in everything if _is_sized(ranking)):
        raise ArgumentError(
            "the rankings have no node in common: do some give names and others numbers of nodes?"
        )
    return Comparison(native)


class Comparison:
    """All coefficients of all pairs of some rankings; the result of :func:`compare`.

    The coefficients of the first pair are attributes. A coefficient that is undefined is None.
    """

    __slots__ = ("_native", "_first")

    def __init__(self, native: _webrank.Comparison) -> None:
        self._native = native
        self._first = {name: value for name, _, value in native.coefficients(0)}

    @property
    def names(self) -> list[str]:
        """The names of what was compared."""
        return self._native.names

    @property
    def rows(self) -> int:
        """How many nodes the rankings have in common."""
        return self._native.rows

    @property
    def notes(self) -> list[str]:
        """Rows that were left out, bounds that were respected."""
        return self._native.notes

    @property
    def tau_b(self) -> float | None:
        """Kendall's tau-b."""
        return self["tau_b"]

    @property
    def weighted_tau(self) -> float | None:
        """Vigna's weighted tau."""
        return self["weighted_tau"]

    @property
    def rho(self) -> float | None:
        """Spearman's rho."""
        return self["rho"]

    @property
    def pearson_log(self) -> float | None:
        """Pearson's correlation of the logarithms."""
        return self["pearson_log"]

    @property
    def gamma(self) -> float | None:
        """Goodman and Kruskal's gamma."""
        return self["gamma"]

    @property
    def ap_symmetric(self) -> float | None:
        """AP correlation, the mean of both directions."""
        return self["ap_symmetric"]

    @property
    def rbo(self) -> float | None:
        """Rank-biased overlap, p = 0.9, variant a."""
        return self["rbo_a"]

    @property
    def l1(self) -> float | None:
        """The l1 distance of the normalised scores."""
        return self["l1"]

    @property
    def l_infinity(self) -> float | None:
        """The largest difference of the normalised scores."""
        return self["l_infinity"]

    @property
    def coefficients(self) -> dict[str, float | None]:
        """All coefficients of the first pair, by name."""
        return dict(self._first)

    def __getitem__(self, coefficient: str) -> float | None:
        """A coefficient of the first pair by its name, such as ``"overlap_100"``.

        All are floats, the number of nodes that two rankings have among their first 100, too: of
        a tie that the cut goes through, it counts the nodes expected to be within.
        """
        return self._first[coefficient]

    def matrix(self, coefficient: str) -> Any:
        """A coefficient of all pairs, as a symmetric array with ones on the diagonal."""
        size = len(self.names)
        found = np.full((size, size), np.nan)
        np.fill_diagonal(found, 1.0)
        for pair, (x, y) in enumerate(self._native.pairs):
            values = {name: value for name, _, value in self._native.coefficients(pair)}
            value = values[coefficient]
            found[x, y] = found[y, x] = np.nan if value is None else value
        return found

    def movers(
        self,
        count: int = 10,
        *,
        change: Literal["places", "ratio"] = "places",
        pair: tuple[str | int, str | int] = (0, 1),
    ) -> Movers:
        """The nodes that climb and fall most from the first ranking of a pair to the second.

        A ``change`` is measured in places, or as the ratio of the ranks, by which a step at the
        top counts more.
        """
        if change not in ("places", "ratio"):
            raise ArgumentError(f"change is {change!r}: choose from 'places', 'ratio'")
        x, y = (self._index(one) for one in pair)
        if x == y:
            raise ArgumentError(f"pair is {pair!r}: name two rankings")
        place = self._native.pairs.index((min(x, y), max(x, y)))
        climbers, fallers = self._native.movers(place, count, change == "ratio")
        if x < y:
            return Movers([Mover(*it) for it in climbers], [Mover(*it) for it in fallers])
        turned = [[Mover(name, b, a) for name, a, b in them] for them in (fallers, climbers)]
        return Movers(*turned)

    def _index(self, ranking: str | int) -> int:
        if isinstance(ranking, str):
            if ranking not in self.names:
                raise ArgumentError(f"there is no ranking {ranking!r}: there are {self.names}")
            return self.names.index(ranking)
        if not -len(self.names) <= ranking < len(self.names):
            raise ArgumentError(f"there is no ranking {ranking}: there are {len(self.names)}")
        return ranking % len(self.names)

    def to_records(self) -> list[dict[str, Any]]:
        """A dictionary for each pair and coefficient."""
        names = self.names
        return [
            {"x": names[x], "y": names[y], "coefficient": name, "value": value}
            for pair, (x, y) in enumerate(self._native.pairs)
            for name, _, value in self._native.coefficients(pair)
        ]

    def to_pandas(self) -> Any:
        """A row for each pair and coefficient, as a pandas.DataFrame.

        Without pandas, ``polars.DataFrame(comparison.to_records())`` has the same rows.
        """
        import pandas

        return pandas.DataFrame(self.to_records())

    def __iter__(self) -> NoReturn:
        raise TypeError("a comparison is no list: use to_pandas(), to_records() or to_dict()")

    def to_dict(self) -> dict[str, Any]:
        """Everything, as ``rank compare --json`` prints it under ``table``."""
        found: dict[str, Any] = json.loads(self._native.json())
        return found

    def html(self) -> str:
        """A web page with plots; it needs no network."""
        return self._native.html()

    def save_html(self, path: Path) -> None:
        """Writes the web page with plots to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.html())

    def __repr__(self) -> str:
        said = ", ".join(
            f"{name} {_short(self[name])}" for name in ("tau_b", "weighted_tau", "rho")
        )
        return f"<Comparison of {' and '.join(self.names)} on {self.rows} nodes: {said}>"

    def _repr_html_(self) -> str:
        page = _escape.escape(self.html(), quote=True)
        return (
            f'<iframe srcdoc="{page}" sandbox="allow-same-origin" title="comparison" '
            'style="width:100%;height:640px;border:1px solid #8888"></iframe>'
            f"{_html.coefficients(self)}"
        )


def _short(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}"


def _is_sized(ranking: Any) -> bool:
    return hasattr(ranking, "__len__") and not isinstance(ranking, str)


def _has_names(ranking: Any) -> bool:
    """Whether rows have names: files may."""
    if isinstance(ranking, Scores):
        return ranking.names is not None
    if isinstance(ranking, (str, os.PathLike)):
        return not str(os.fspath(ranking)).lower().endswith(".npy")
    return _arguments.has_keys(ranking)


def _table(ranking: Any, by_name: bool, on: str | None, name: str) -> _webrank.Table:
    if isinstance(ranking, Scores):
        return _webrank.Table.of_scores(ranking._native, by_name)
    if isinstance(ranking, (str, os.PathLike)):
        column = on if by_name or on is not None else "node"
        return _webrank.Table.read(os.fspath(ranking), column)
    if isinstance(ranking, (int, float, type(None))):
        raise ArgumentTypeError(
            f"{name} is {ranking!r}: give scores, an array, a mapping, a table or a path"
        )
    found = _arguments.keyed(ranking, name, on)
    if found is None:
        found = _webrank.Table.of_values([("score", _arguments.doubles(ranking, name))], None)
    return found


def _label(ranking: Any, place: int) -> str:
    if isinstance(ranking, Scores):
        return ranking.measure
    if isinstance(ranking, (str, os.PathLike)):
        return os.path.basename(os.fspath(ranking)).split(".")[0]
    name = getattr(ranking, "name", None)
    return str(name) if isinstance(name, Hashable) and name else f"ranking {place + 1}"


def _distinct(names: list[str]) -> list[str]:
    """The names, with numbers where they are the same."""
    counts = {name: names.count(name) for name in names}
    seen: dict[str, int] = {}
    found = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        found.append(f"{name} {seen[name]}" if counts[name] > 1 else name)
    return found
