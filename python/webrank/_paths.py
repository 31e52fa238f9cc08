"""Measures of distances and shortest paths."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, Union

from . import _arguments, _webrank
from ._arguments import ArcWeights, Key, NodeValues, Path
from ._progress import progress as _progress
from ._ranking import Ranking
from .choices import BetweennessMethod, Closeness, Direction, DistanceMethod, IntervalKind
from .scores import ArcScores, Scores

_Direction = Union[Direction, Literal["in", "out"]]
_DistanceMethod = Union[DistanceMethod, Literal["auto", "exact", "sample", "hyperball"]]
_IntervalKind = Union[IntervalKind, Literal["auto", "estimated", "proved"]]
_Closeness = Union[Closeness, Literal["bavelas", "lin", "nieminen", "wasserman-faust"]]
_BetweennessMethod = Union[BetweennessMethod, Literal["auto", "exact", "sources", "approx"]]
_Lengths = Union[Literal["weights", "inverse"], ArcWeights]
_DistanceName = Literal[
    "closeness", "harmonic", "lin", "reachable", "eccentricity", "decay", "integration"
]


class PathMeasures(Ranking):
    """Measures of paths."""

    def harmonic(
        self,
        *,
        normalize: bool = False,
        weights: NodeValues | None = None,
        direction: _Direction = "in",
        lengths: _Lengths | None = None,
        cutoff: float | None = None,
        method: _DistanceMethod = "auto",
        time_budget: float | str = "10m",
        log2m: int = 8,
        temp: Path | None = None,
        sources: int | None = None,
        relative: float | None = None,
        epsilon: float | None = None,
        delta: float = 0.1,
        intervals: _IntervalKind = "auto",
        confidence: float = 0.95,
        seed: int = 0,
        top: int | None = None,
        unweighted: bool = False,
        threads: int | None = None,
        memory: int | str | None = None,
        progress: bool | None = None,
    ) -> Scores:
        """Harmonic centrality: the sum of the inverse distances to a node.

        The sum of 1/d(y, x) over the y != x that reach x; nodes that do not reach x add 0.

        Args:
            normalize: Divide by n - 1.
            weights: Weights of the nodes, for the sum of w(y)/d(y, x); always exact.
            direction: Which distances count: those from other nodes, or to them.
            lengths: Distances are sums of lengths of arcs, exact to the tie: ``"weights"`` takes the
                weights of the graph as lengths, ``"inverse"`` 1/weight; or an array with a number
                for each arc, by source and target, or a file.
            cutoff: Only paths up to this length, or of at most so many steps, count.
            method: Exact if it fits the time budget and memory, otherwise from sampled nodes, or
                HyperBall if they do not fit into memory; or one of these.
            time_budget: With ``"auto"``, the time that an exact computation may take, in seconds
                or such as ``"10m"``.
            log2m: HyperBall: base-2 logarithm of the registers of a counter.
            temp: HyperBall: the folder of temporary files, which it needs if its counters do not
                fit into memory; by default, the system's.
            sources: Sampling: search from so many nodes; 4096 if no size is given.
            relative: Sampling: search from as many nodes as a pilot of 1,024 lets expect this
                relative standard error for, the quadratic mean of the best 1,000 nodes.
            epsilon: Sampling: search from as many nodes as prove that every normalised score is
                within this...
            delta: ...with probability 1 minus this.
            intervals: Sampling: which interval each node has; ``"proved"`` with epsilon and
                otherwise ``"estimated"``, unless one of them is given.
            confidence: Each interval of an estimate, from ``lower`` to ``upper``, holds the true
                score with this probability, 0.5 to 0.999999.
            seed: Seed of sampling and of HyperBall.
            top: Only so many best nodes are wanted: the others may get minus infinity, if that
                saves work.

        Marchiori and Latora 2000; Boldi and Vigna 2014.

        >>> import webrank
        >>> webrank.Graph.from_arrays([0, 1], [1, 2]).harmonic().values.tolist()
        [0.0, 1.0, 1.5]
        """
        return self._rank("harmonic", locals())

    def closeness(
        self,
        *,
        variant: _Closeness = "bavelas",
        direction: _Direction = "in",
        lengths: _Lengths | None = None,
        cutoff: float | None = None,
        method: _DistanceMethod = "auto",
        time_budget: float | str = "10m",
        log2m: int = 8,
        temp: Path | None = None,
        sources: int | None = None,
        relative: float | None = None,
        confidence: float = 0.95,
        seed: int = 0,
        top: int | None = None,
        unweighted: bool = False,
        threads: int | None = None,
        memory: int | str | None = None,
        progress: bool | None = None,
    ) -> Scores:
        """Closeness: the inverse of the sum of the distances to a node.

        With r the number of other nodes that reach x, and S the sum of their distances to x::

            bavelas          1 / S; 0 if r = 0
            lin              (r + 1)^2 / S; 1 if r = 0
            nieminen         (r + 1)^2 - S
            wasserman-faust  (r / (n - 1)) (r / S); 0 if r = 0

        On a graph that is not strongly connected, bavelas scores small components highest: prefer
        :meth:`harmonic` there, which also explains the other arguments.

        Bavelas 1950; Lin 1976; Nieminen 1973; Wasserman and Faust 1994.

        >>> import webrank
        >>> round(float(webrank.Graph.from_arrays([0, 1, 2], [1, 2, 0]).closeness().values[0]), 6)
        0.333333
        """
        return self._rank("closeness", locals())

    def lin(
        self,
        *,
        direction: _Direction = "in",
        lengths: _Lengths | None = None,
        cutoff: float | None = None,
        method: _DistanceMethod = "auto",
        time_budget: float | str = "10m",
        log2m: int = 8,
        temp: Path | None = None,
        sources: int | None = None,
        relative: float | None = None,
        confidence: float = 0.95,
        seed: int = 0,
        top: int | None = None,
        unweighted: bool = False,
        threads: int | None = None,
        memory: int | str | None = None,
        progress: bool | None = None,
    ) -> Scores:
        """Lin's index: (r + 1)^2 / S, with r other nodes that reach x at distances of sum S.

        1 if no other node reaches x. :meth:`harmonic` explains the arguments.

        Lin 1976; Boldi and Vigna 2014.

        >>> import webrank
        >>> webrank.Graph.from_arrays([0, 1], [1, 2]).lin().values.tolist()
        [1.0, 4.0, 3.0]
        """
        return self._rank("lin", locals())

    def reachable(
        self,
        *,
        direction: _Direction = "in",
        lengths: _Lengths | None = None,
        cutoff: float | None = None,
        method: _DistanceMethod = "auto",
        time_budget: float | str = "10m",
        log2m: int = 8,
        temp: Path | None = None,
        sources: int | None = None,
        relative: float | None = None,
        epsilon: float | None = None,
        delta: float = 0.1,
        intervals: _IntervalKind = "auto",
        confidence: float = 0.95,
        seed: int = 0,
        top: int | None = None,
        unweighted: bool = False,
        threads: int | None = None,
        memory: int | str | None = None,
        progress: bool | None = None,
    ) -> Scores:
        """How many other nodes reach a node. :meth:`harmonic` explains the arguments.

        >>> import webrank
        >>> webrank.Graph.from_arrays([0, 1], [1, 2]).reachable().values.tolist()
        [0.0, 1.0, 2.0]
        """
        return self._rank("reachable", locals())

    def eccentricity(
        self,
        *,
        direction: _Direction = "in",
        lengths: _Lengths | None = None,
        cutoff: float | None = None,
        method: _DistanceMethod = "auto",
        time_budget: float | str = "10m",
        top: int | None = None,
        unweighted: bool = False,
        threads: int | None = None,
        memory: int | str | None = None,
        progress: bool | None = None,
    ) -> Scores:
        """Eccentricity: the largest distance to a node, from the nodes that reach it.

        0 if no node reaches it. Rank 1 is the most remote node, not the most central one.
        :meth:`harmonic` explains the arguments.

        >>> import webrank
        >>> webrank.Graph.from_arrays([0, 1], [1, 2]).eccentricity().values.tolist()
        [0.0, 1.0, 2.0]
        """
        return self._rank("eccentricity", locals())

    def decay(
        self,
        *,
        base: float = 0.5,
        direction: _Direction = "in",
        lengths: _Lengths | None = None,
        cutoff: float | None = None,
        method: _DistanceMethod = "auto",
        time_budget: float | str = "10m",
        log2m: int = 8,
        temp: Path | None = None,
        sources: int | None = None,
        relative: float | None = None,
        epsilon: float | None = None,
        delta: float = 0.1,
        intervals: _IntervalKind = "auto",
        confidence: float = 0.95,
        seed: int = 0,
        top: int | None = None,
        unweighted: bool = False,
        threads: int | None = None,
        memory: int | str | None = None,
        progress: bool | None = None,
    ) -> Scores:
        """Decay centrality: the sum of ``base**d`` over the distances d to a node.

        :meth:`harmonic` explains the other arguments.

        Jackson 2008.

        >>> import webrank
        >>> webrank.Graph.from_arrays([0, 1], [1, 2]).decay().values.tolist()
        [0.0, 0.5, 0.75]
        """
        return self._rank("decay", locals())

    def integration(
        self,
        *,
        direction: _Direction = "in",
        lengths: _Lengths | None = None,
        cutoff: float | None = None,
        method: _DistanceMethod = "auto",
        time_budget: float | str = "10m",
        log2m: int = 8,
        temp: Path | None = None,
        sources: int | None = None,
        relative: float | None = None,
        epsilon: float | None = None,
        delta: float = 0.1,
        intervals: _IntervalKind = "auto",
        confidence: float = 0.95,
        seed: int = 0,
        top: int | None = None,
        unweighted: bool = False,
        threads: int | None = None,
        memory: int | str | None = None,
        progress: bool | None = None,
    ) -> Scores:
        """Integration: how much nearer than the diameter the other nodes are, on average.

        The sum of D + 1 - d(y, x) over the y != x that reach x, divided by n - 1, where D is the
        largest finite distance of any pair. With ``direction="out"`` it is radiality.
        :meth:`harmonic` explains the arguments.

        Valente and Foreman 1998.

        >>> import webrank
        >>> webrank.Graph.from_arrays([0, 1], [1, 2]).integration().values.tolist()
        [0.0, 1.0, 1.5]
        """
        return self._rank("integration", locals())

    def geometric(
        self,
        measures: Iterable[_DistanceName],
        *,
        direction: _Direction = "in",
        lengths: _Lengths | None = None,
        cutoff: float | None = None,
        method: _DistanceMethod = "auto",
        time_budget: float | str = "10m",
        log2m: int = 8,
        temp: Path | None = None,
        sources: int | None = None,
        relative: float | None = None,
        epsilon: float | None = None,
        delta: float = 0.1,
        intervals: _IntervalKind = "auto",
        confidence: float = 0.95,
        seed: int = 0,
        top: int | None = None,
        unweighted: bool = False,
        threads: int | None = None,
        memory: int | str | None = None,
        progress: bool | None = None,
    ) -> Scores:
        """Several distance measures from one traversal, one column each.

        >>> import webrank
        >>> g = webrank.Graph.from_arrays([0, 1], [1, 2])
        >>> scores = g.geometric(["harmonic", "reachable"])
        >>> {name: column.tolist() for name, column in scores.columns.items()}
        {'harmonic': [0.0, 1.0, 1.5], 'reachable': [0.0, 1.0, 2.0]}
        """
        return self._rank("geometric", locals())

    def betweenness(
        self,
        *,
        normalize: bool = False,
        endpoints: bool = False,
        lengths: _Lengths | None = None,
        cutoff: float | None = None,
        method: _BetweennessMethod = "exact",
        samples: int = 1000,
        sources: Iterable[Key] | None = None,
        sources_file: Path | None = None,
        seed: int = 0,
        epsilon: float = 0.01,
        delta: float = 0.1,
        confidence: float = 0.95,
        time_budget: float | str = "10m",
        top: int | None = None,
        allow_unconverged: bool = False,
        unweighted: bool = False,
        threads: int | None = None,
        memory: int | str | None = None,
        progress: bool | None = None,
    ) -> Scores:
        """Betweenness: how many shortest paths pass through a node.

        The sum over ordered pairs y != z, both different from x, of the fraction of the shortest
        paths from y to z that pass through x. Paths are directed; pairs without a path add 0.

        Args:
            normalize: Divide by the number of ordered pairs of other nodes, (n - 1)(n - 2); with
                ``endpoints`` by n (n - 1).
            endpoints: Count paths for their first and last nodes too.
            lengths: Shortest paths have the least sum of lengths: :meth:`harmonic` explains it.
            cutoff: Only paths up to this length, or of at most so many steps, count.
            method: ``"exact"``; ``"sources"``, from searches of ``samples`` nodes or of the
                ``sources``; ``"approx"``, from sampled shortest paths, with proved bounds: then
                the scores have the bounds ``lower`` and ``upper``; ``"auto"``, exact if it fits,
                otherwise approx.
            sources: With sources: the nodes to search from, instead of a sample. The score of x is
                n / k times the sum over the pairs y, z whose y is one of these k nodes (those with
                the end x included, with ``endpoints``); nothing is said of the error.
            sources_file: The same, a name or number a line.
            epsilon: With approx: every normalised score is within this...
            delta: ...with probability 1 minus this.
            confidence: With sampled sources: each interval, from ``lower`` to ``upper``, holds the
                true score with this probability.
            time_budget: The time that an exact computation may take, in seconds or such as
                ``"10m"``.
            top: With approx: stop earlier if the order of so many best nodes is proved.

        Freeman 1977; Brandes 2001; Brandes and Pich 2007 (sources); Borassi and Natale 2016,
        Pellegrina and Vandin 2023 (approx).

        >>> import webrank
        >>> webrank.Graph.from_arrays([0, 1], [1, 2]).betweenness().values.tolist()
        [0.0, 1.0, 0.0]
        """
        return self._rank("betweenness", locals())

    def current_flow(
        self,
        *,
        weights: ArcWeights | None = None,
        normalize: bool = False,
        time_budget: float | str = "10m",
        unweighted: bool = False,
        threads: int | None = None,
        memory: int | str | None = None,
        progress: bool | None = None,
    ) -> Scores:
        """Current-flow betweenness: betweenness by random walks instead of shortest paths.

        The sum over ordered pairs y != z, both different from x, of the current through x when a
        unit of current enters at y and leaves at z, where edges are resistors. The graph must be
        symmetric. Weights are conductances.

        For components of up to some 10,000 nodes: the time grows with the cube of their number.

        Newman 2005; Brandes and Fleischer 2005.

        Args:
            normalize: Divide by the number of ordered pairs of other nodes, (n - 1)(n - 2).
            time_budget: The time that the computation may take, in seconds or such as ``"10m"``.

        >>> import webrank
        >>> g = webrank.Graph.from_arrays([0, 1, 1, 2], [1, 0, 2, 1])
        >>> g.current_flow().values.tolist()
        [0.0, 2.0, 0.0]
        """
        return self._rank("current-flow", locals())

    def arc_betweenness(
        self,
        *,
        normalize: bool = False,
        lengths: _Lengths | None = None,
        cutoff: float | None = None,
        time_budget: float | str = "10m",
        unweighted: bool = False,
        threads: int | None = None,
        memory: int | str | None = None,
        progress: bool | None = None,
    ) -> ArcScores:
        """Betweenness of arcs (``rank betweenness --arcs``): always exact.

        The sum over ordered pairs of nodes of the fraction of the shortest paths that take the
        arc; ``normalize`` divides by n (n - 1).

        >>> import webrank
        >>> webrank.Graph.from_arrays([0, 1], [1, 2]).arc_betweenness().values.tolist()
        [2.0, 2.0]
        """
        options = locals()
        options.pop("self")
        shown = _progress(options.pop("progress"))
        options["lengths"] = _arguments.arc_weights(options["lengths"], "lengths")
        return ArcScores(_webrank.rank_arcs(self._native, options, shown), self)
