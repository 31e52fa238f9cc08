"""The measures of a graph on Spark."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pyspark.sql import DataFrame

from ..errors import ArgumentError


class Measures:
    """Measures that workers compute together.

    Definitions, directions, normalisations and guarantees are those of the methods of
    :class:`webrank.Graph` with the same names. Each returns a table with a row for each node: ``name`` (or
    ``id``, if nodes are integers), the columns of the measure, and for PageRank ``certain``: whether the
    rank is proved. Its attribute ``webrank`` is a :class:`Manifest`. Rows are computed at once, and kept by
    Spark; they come in no order.

    How a run is done, for every measure:

    * ``workers``: the tasks, at most as many as parts;
    * ``memory``: the bytes of a task; by default what is free on its machine, divided by its tasks there;
    * ``checkpoint``: a file in a folder that all executors share, from which a run goes on that Spark
      starts again;
    * ``checkpoint_every``: the seconds between two of its states, 300 by default;
    * ``timeout``: the seconds that a worker may take to connect, and may be silent;
    * ``ports``: where workers may listen, such as ``range(40000, 40100)``; by default any free port;
    * ``explain=True``: first prints what each worker will hold, send and take;
    * ``progress``: whether to show a bar; by default in notebooks and terminals.
    """

    def _rank(self, measure: str, options: dict[str, Any], how: dict[str, Any]) -> DataFrame:
        raise NotImplementedError

    def pagerank(
        self,
        *,
        alpha: float = 0.85,
        alphas: Iterable[float] | None = None,
        preference: DataFrame | None = None,
        each_seed: Iterable[Any] | None = None,
        dangling: str = "preference",
        tolerance: float = 1e-9,
        max_iterations: int = 10_000,
        allow_unconverged: bool = False,
        **how: Any,
    ) -> DataFrame:
        """PageRank, to a certified error: the bits of ``rank pagerank --form streamed``.

        Args:
            alpha: Probability of following an arc: at least 0, below 1.
            alphas: Several alpha, with a column ``score_ALPHA`` for each.
            preference: A table of names and weights: where walks restart; by default anywhere. Every
                worker holds 8 bytes for each node of the graph then.
            each_seed: A column ``score_NAME`` for each of these nodes, at which walks restart.
            dangling: Where a walk continues from a dangling node: ``preference``, ``uniform``, ``none``.
            tolerance: Certified l1 distance to the true vector.
        """
        options: dict[str, Any] = {
            "dangling": dangling,
            "tolerance": tolerance,
            "max_iterations": max_iterations,
            "allow_unconverged": allow_unconverged,
            "alpha": alpha,
            "alphas": None if alphas is None else [float(value) for value in alphas],
            "each_seed": None if each_seed is None else list(each_seed),
            "preference": preference,
        }
        return self._rank("pagerank", options, how)

    def trustrank(
        self,
        *,
        seeds: Iterable[Any] | None = None,
        select: int | None = None,
        alpha: float = 0.85,
        tolerance: float = 1e-9,
        max_iterations: int = 10_000,
        allow_unconverged: bool = False,
        **how: Any,
    ) -> DataFrame:
        """TrustRank from trusted nodes, by name; or the ranking of candidates, the first ``select``."""
        if (seeds is None) == (select is None):
            raise ArgumentError("give either seeds or select")
        options: dict[str, Any] = {
            "seeds": None if seeds is None else list(seeds),
            "select": select,
            "alpha": alpha,
            "tolerance": tolerance,
            "max_iterations": max_iterations,
            "allow_unconverged": allow_unconverged,
        }
        ranks = self._rank("trustrank", options, how)
        if select is None:
            return ranks
        best = ranks.where(ranks["rank"] <= select)
        best.webrank = ranks.webrank  # type: ignore[attr-defined]
        return best

    def katz(
        self,
        *,
        alpha: float | str = "auto",
        direction: str = "in",
        tolerance: float = 1e-9,
        max_iterations: int = 10_000,
        allow_unconverged: bool = False,
        **how: Any,
    ) -> DataFrame:
        """Katz's index, to a certified relative error."""
        options = {
            "alpha": str(alpha),
            "direction": direction,
            "tolerance": tolerance,
            "max_iterations": max_iterations,
            "allow_unconverged": allow_unconverged,
        }
        return self._rank("katz", options, how)

    def eigenvector(
        self,
        *,
        direction: str = "in",
        norm: str = "l1",
        tolerance: float = 1e-12,
        max_iterations: int = 10_000,
        allow_unconverged: bool = False,
        **how: Any,
    ) -> DataFrame:
        """The dominant eigenvector, by the power method with a shift."""
        options = {
            "direction": direction,
            "norm": norm,
            "tolerance": tolerance,
            "max_iterations": max_iterations,
            "allow_unconverged": allow_unconverged,
        }
        return self._rank("eigenvector", options, how)

    def hits(
        self,
        *,
        tolerance: float = 1e-12,
        max_iterations: int = 10_000,
        allow_unconverged: bool = False,
        **how: Any,
    ) -> DataFrame:
        """Hubs and authorities: columns ``authority`` and ``hub``."""
        options = {
            "tolerance": tolerance,
            "max_iterations": max_iterations,
            "allow_unconverged": allow_unconverged,
        }
        return self._rank("hits", options, how)

    def salsa(self, **how: Any) -> DataFrame:
        """SALSA, exact: columns ``authority`` and ``hub``."""
        return self._rank("salsa", {}, how)

    def indegree(self, **how: Any) -> DataFrame:
        """The number of arcs into each node; self-loops count."""
        return self._rank("indegree", {}, how)

    def outdegree(self, **how: Any) -> DataFrame:
        """The number of arcs out of each node; self-loops count."""
        return self._rank("outdegree", {}, how)

    def harmonic(
        self,
        *,
        log2m: int = 8,
        seed: int = 0,
        confidence: float = 0.95,
        normalize: bool = False,
        **how: Any,
    ) -> DataFrame:
        """Harmonic centrality of incoming distances, by HyperBall with 2^log2m registers a node.

        Estimates have intervals, ``lower`` to ``upper``, and the ranks that these leave open.
        """
        options = {"log2m": log2m, "seed": seed, "confidence": confidence, "normalize": normalize}
        return self._rank("harmonic", {**options, "method": "hyperball"}, how)

    def closeness(
        self,
        *,
        log2m: int = 8,
        seed: int = 0,
        confidence: float = 0.95,
        variant: str = "bavelas",
        **how: Any,
    ) -> DataFrame:
        """Closeness of incoming distances, by HyperBall; columns as for :meth:`harmonic`."""
        options = {"log2m": log2m, "seed": seed, "confidence": confidence, "variant": variant}
        return self._rank("closeness", {**options, "method": "hyperball"}, how)

    def distances(self, *, log2m: int = 8, seed: int = 0, **how: Any) -> dict[str, Any]:
        """The distribution of distances, by HyperBall: the figures of ``rank distances --json``."""
        ranks = self._rank("distances", {"log2m": log2m, "seed": seed}, how)
        found: dict[str, Any] = ranks.webrank  # type: ignore[attr-defined]
        return found
