"""Measures of importance that flows along links."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, Union

from ._arguments import ArcWeights, Key, NodeValues, Path
from ._ranking import Ranking
from .choices import (
    Dangling, Direction, EigenvectorMethod, Form, KatzMethod, Norm, PageRankMethod, RowForm,
)  # fmt: skip
from .scores import Scores

# Choices are members of enums, or the strings that editors complete.
_Direction = Union[Direction, Literal["in", "out"]]
_Dangling = Union[Dangling, Literal["preference", "uniform", "none"]]
_PageRankMethod = Union[
    PageRankMethod, Literal["auto", "power", "plain", "gauss-seidel", "components"]
]
_Form = Union[Form, Literal["auto", "runs", "compact", "disk", "streamed", "external"]]
_RowForm = Union[RowForm, Literal["auto", "runs", "compact", "disk"]]
_EigenvectorMethod = Union[EigenvectorMethod, Literal["arnoldi", "power"]]
_KatzMethod = Union[KatzMethod, Literal["bicgstab", "power", "gauss-seidel"]]
_Norm = Union[Norm, Literal["l1", "l2", "max"]]


class LinkMeasures(Ranking):
    """Measures of links."""

    def pagerank(
        self,
        *,
        alpha: float = 0.85,
        preference: NodeValues | None = None,
        dangling: _Dangling = "preference",
        dangling_vector: NodeValues | None = None,
        alphas: Iterable[float] | None = None,
        derivative: bool = False,
        each_seed: Iterable[Key] | None = None,
        each_seed_file: Path | None = None,
        weights: ArcWeights | None = None,
        method: _PageRankMethod = "auto",
        start: NodeValues | Scores | None = None,
        form: _Form = "auto",
        temp: Path | None = None,
        tolerance: float = 1e-9,
        certify_top: int | None = None,
        max_iterations: int = 10_000,
        allow_unconverged: bool = False,
        trace: Path | None = None,
        unweighted: bool = False,
        threads: int | None = None,
        memory: int | str | None = None,
        progress: bool | None = None,
    ) -> Scores:
        """PageRank, to a certified error.

        The score of a node is the probability that a random walk is at it. With probability
        ``alpha`` the walk follows a random arc; otherwise it restarts at a node drawn from the
        preference vector::

            x = alpha x G + alpha (x d) u + (1 - alpha) v

        G: row-normalised adjacency; d: dangling nodes; u: dangling distribution; v: preference
        vector. The tolerance bounds the l1 distance to the true vector, certified by the
        residual; ``scores.certain`` says whose ranks are proved.

        Args:
            alpha: Probability of following an arc: at least 0, below 1.
            preference: Restart distribution: an array, a mapping for some nodes, or a file;
                normalised. By default, uniform.
            dangling: Where the walk continues from a node without successors.
            dangling_vector: The distribution of the nodes where it continues then.
            alphas: Several alpha, with a column ``score_ALPHA`` for each.
            derivative: Add a column ``derivative`` (by alpha).
            each_seed: Personalised scores: a column for each of these nodes, where walks start.
            each_seed_file: The same, a name or number a line.
            weights: Weights of the arcs, by source and target. By default, those of the graph.
            method: The algorithm.
            start: Begin with these scores, such as those of last month, to need fewer sweeps: the
                scores of another graph, matched by name, an array, a mapping for some nodes, or
                the file of a table. The certified error does not depend on them.
            form: Where the rows of the graph are kept, for all sweeps.
            temp: The folder of temporary files, for rows that do not fit into memory; by default,
                the system's.
            tolerance: Certified l1 distance to the true vector.
            certify_top: Iterate until so many first positions are proved or exact ties.
            max_iterations: Stop after about so many sweeps over the arcs.
            allow_unconverged: Return the scores even if the tolerance was not reached.
            trace: Write what is known of the error after each sweep to this file, as a table.

        Page, Brin, Motwani and Winograd 1998; Haveliwala 2002; Boldi, Santini and Vigna 2005.

        >>> import webrank
        >>> g = webrank.Graph.from_arrays(
        ...     [0, 0, 1, 2], [1, 2, 2, 0], names=["ant", "bee", "cat"])
        >>> scores = g.pagerank()
        >>> [(row.name, round(row.score, 4)) for row in scores.top(2)]
        [('cat', 0.3974), ('ant', 0.3878)]
        >>> scores.error_bound < 1e-9
        True
        >>> g.pagerank(preference={"bee": 1.0})["bee"] > scores["bee"]
        True
        """
        return self._rank("pagerank", locals())

    def trustrank(
        self,
        *,
        seeds: Iterable[Key] | None = None,
        seeds_file: Path | None = None,
        select: int | None = None,
        alpha: float = 0.85,
        tolerance: float = 1e-9,
        certify_top: int | None = None,
        max_iterations: int = 10_000,
        allow_unconverged: bool = False,
        trace: Path | None = None,
        unweighted: bool = False,
        threads: int | None = None,
        memory: int | str | None = None,
        progress: bool | None = None,
    ) -> Scores:
        """TrustRank: PageRank whose walks start at trusted nodes, to a certified error.

        Give the seeds, or a number of candidates to ``select``: these are ranked by inverse
        PageRank, the PageRank of the transposed graph (``scores.top(select)`` lists them).
        Nodes that no seed reaches get 0.

        Gyongyi, Garcia-Molina and Pedersen 2004.

        >>> import webrank
        >>> g = webrank.Graph.from_arrays([0, 1, 2, 3], [1, 2, 0, 0])
        >>> float(g.trustrank(seeds=[0]).values[3])
        0.0
        """
        return self._rank("trustrank", locals())

    def eigenvector(
        self,
        *,
        direction: _Direction = "in",
        norm: _Norm = "l1",
        method: _EigenvectorMethod = "arnoldi",
        weights: ArcWeights | None = None,
        form: _RowForm = "auto",
        temp: Path | None = None,
        tolerance: float = 1e-12,
        max_iterations: int = 10_000,
        allow_unconverged: bool = False,
        trace: Path | None = None,
        unweighted: bool = False,
        threads: int | None = None,
        memory: int | str | None = None,
        progress: bool | None = None,
    ) -> Scores:
        """Eigenvector centrality, with a certified eigenvalue.

        The score of a node is proportional to the sum of the scores of the nodes that point to it:
        a nonnegative vector x with ``x A = rho x``, where rho is the spectral radius of the
        adjacency matrix A. Only the strong component with the largest spectral radius, and the
        nodes it reaches, have positive scores; ``scores.notes`` names it.

        Landau 1895; Bonacich 1972; Vigna, "Spectral ranking", 2016.

        Args:
            method: ``"arnoldi"``; ``"power"``, the power method, whose notes tell its rate.
            form: Where the rows of the graph are kept, for all sweeps; scores are the same in all
                forms.
            temp: The folder of temporary files, for rows that do not fit into memory; by default,
                the system's.

        >>> import webrank
        >>> g = webrank.Graph.from_arrays([0, 1, 1, 2], [1, 0, 2, 1])
        >>> [round(score, 3) for score in g.eigenvector(norm="max").values.tolist()]
        [0.707, 1.0, 0.707]
        """
        return self._rank("eigenvector", locals())

    def katz(
        self,
        *,
        alpha: float | Literal["auto"] = "auto",
        beta: NodeValues | None = None,
        direction: _Direction = "in",
        method: _KatzMethod = "bicgstab",
        weights: ArcWeights | None = None,
        form: _RowForm = "auto",
        temp: Path | None = None,
        tolerance: float = 1e-9,
        max_iterations: int = 10_000,
        allow_unconverged: bool = False,
        trace: Path | None = None,
        unweighted: bool = False,
        threads: int | None = None,
        memory: int | str | None = None,
        progress: bool | None = None,
    ) -> Scores:
        """Katz's index, to a certified error.

        The score of a node counts the walks that end at it: each walk of length k has weight
        ``alpha**k`` times the ``beta`` (1 by default) of its other end::

            x = beta (I - alpha A)^-1 = beta + alpha x A

        ``alpha`` is below 1/rho, with rho the spectral radius of A; ``"auto"`` is 0.85/rho. The
        tolerance is on the l1 distance to the true vector divided by the sum of scores.

        Katz, "A new status index derived from sociometric analysis", 1953.

        Args:
            form: Where the rows of the graph are kept, for all sweeps; scores are the same in all
                forms.
            temp: The folder of temporary files, for rows that do not fit into memory; by default,
                the system's.

        >>> import webrank
        >>> g = webrank.Graph.from_arrays([0, 1], [1, 2])
        >>> g.katz(alpha=0.5).values.tolist()
        [1.0, 1.5, 1.75]
        """
        alpha = str(alpha)  # type: ignore[assignment]
        return self._rank("katz", locals())

    def seeley(
        self,
        *,
        direction: _Direction = "in",
        weights: ArcWeights | None = None,
        form: _RowForm = "auto",
        temp: Path | None = None,
        tolerance: float = 1e-9,
        max_iterations: int = 10_000,
        allow_unconverged: bool = False,
        trace: Path | None = None,
        unweighted: bool = False,
        threads: int | None = None,
        memory: int | str | None = None,
        progress: bool | None = None,
    ) -> Scores:
        """Seeley's index: where random walks are in the long run, to a certified error.

        A node passes its score on to its successors in equal parts, and walks never restart:
        ``x = x P``. It is the limit of PageRank as alpha tends to 1.

        Seeley 1949; Boldi, Santini and Vigna 2005.

        Args:
            form: Where the rows of the graph are kept, for all sweeps; scores are the same in all
                forms.
            temp: The folder of temporary files, for rows that do not fit into memory; by default,
                the system's.

        >>> import webrank
        >>> g = webrank.Graph.from_arrays([0, 1, 2], [1, 2, 0])
        >>> [round(score, 6) for score in g.seeley().values.tolist()]
        [0.333333, 0.333333, 0.333333]
        """
        return self._rank("seeley", locals())

    def kendall_wei(
        self,
        *,
        direction: _Direction = "out",
        weights: ArcWeights | None = None,
        form: _RowForm = "auto",
        temp: Path | None = None,
        tolerance: float = 1e-12,
        max_iterations: int = 10_000,
        allow_unconverged: bool = False,
        trace: Path | None = None,
        unweighted: bool = False,
        threads: int | None = None,
        memory: int | str | None = None,
        progress: bool | None = None,
    ) -> Scores:
        """The Kendall-Wei ranking of the players of a tournament.

        An arc leads from the winner to the loser. A player is as good as the players it beat,
        together: the scores are the x >= 0 with ``W x = rho x``, where W holds the wins of each
        player against each other.

        Wei 1952; Kendall 1955.

        Args:
            form: Where the rows of the graph are kept, for all sweeps; scores are the same in all
                forms.
            temp: The folder of temporary files, for rows that do not fit into memory; by default,
                the system's.

        >>> import webrank
        >>> g = webrank.Graph.from_arrays([0, 1, 2, 0], [1, 2, 0, 2])
        >>> g.kendall_wei().top(1)[0].node
        0
        """
        return self._rank("kendall-wei", locals())

    def walks(
        self,
        *,
        length: int,
        direction: _Direction = "in",
        weights: ArcWeights | None = None,
        unweighted: bool = False,
        threads: int | None = None,
        memory: int | str | None = None,
        progress: bool | None = None,
    ) -> Scores:
        """Numbers of walks of a length: how many walks of so many arcs end at a node.

        With ``direction="out"``, how many start there: the scores are ``x = 1 A^k`` or
        ``x = A^k 1``. With weights, a walk counts as the product of the weights of its arcs. Whole
        numbers below 2^53 are exact; beyond, :attr:`Scores.outcome` has a bound on the relative
        error.

        Wei 1952; Kendall 1955; Vigna 2016.

        Args:
            length: The number of arcs of a walk, up to 1,000,000.

        >>> import webrank
        >>> webrank.Graph.from_arrays([0, 0, 1, 2], [1, 2, 2, 0]).walks(length=2).values.tolist()
        [2.0, 1.0, 2.0]
        """
        return self._rank("walks", locals())

    def leaderrank(
        self,
        *,
        direction: _Direction = "in",
        weights: ArcWeights | None = None,
        form: _RowForm = "auto",
        temp: Path | None = None,
        tolerance: float = 1e-9,
        max_iterations: int = 10_000,
        allow_unconverged: bool = False,
        trace: Path | None = None,
        unweighted: bool = False,
        threads: int | None = None,
        memory: int | str | None = None,
        progress: bool | None = None,
    ) -> Scores:
        """LeaderRank, to a certified error: PageRank without a parameter to choose.

        A ground node has an arc to and from every node; a random walk follows each arc of a node
        with equal probability. Scores are its stationary distribution, scaled to sum to n, with
        that of the ground node shared equally.

        Lü, Zhang, Yeung and Zhou 2011.

        Args:
            form: Where the rows of the graph are kept, for all sweeps; scores are the same in all
                forms.
            temp: The folder of temporary files, for rows that do not fit into memory; by default,
                the system's.

        >>> import webrank
        >>> g = webrank.Graph.from_arrays([0, 1, 2], [2, 2, 0])
        >>> round(float(g.leaderrank().values.sum()), 6)
        3.0
        """
        return self._rank("leaderrank", locals())

    def hits(
        self,
        *,
        weights: ArcWeights | None = None,
        form: _RowForm = "auto",
        temp: Path | None = None,
        tolerance: float = 1e-12,
        max_iterations: int = 10_000,
        allow_unconverged: bool = False,
        trace: Path | None = None,
        unweighted: bool = False,
        threads: int | None = None,
        memory: int | str | None = None,
        progress: bool | None = None,
    ) -> Scores:
        """HITS: the columns ``authority`` and ``hub``.

        Good hubs point to good authorities, and good authorities are pointed at by good hubs:
        ``a A' A = lambda a, h = a A'``. Each column sums to 1.

        Kleinberg 1999.

        Args:
            form: Where the rows of the graph are kept, for all sweeps; scores are the same in all
                forms.
            temp: The folder of temporary files, for rows that do not fit into memory; by default,
                the system's.

        >>> import webrank
        >>> g = webrank.Graph.from_arrays([0, 0, 1], [2, 3, 2])
        >>> int(g.hits().columns["hub"].argmax())
        0
        """
        return self._rank("hits", locals())

    def salsa(
        self,
        *,
        weights: ArcWeights | None = None,
        unweighted: bool = False,
        threads: int | None = None,
        memory: int | str | None = None,
        progress: bool | None = None,
    ) -> Scores:
        """SALSA: exact ``authority`` and ``hub`` of an alternating random walk.

        A step of the walk leads from an authority to a random predecessor, and from there to a
        random successor; scores say where it is in the long run. Each column sums to 1.

        Lempel and Moran 2001.

        >>> import webrank
        >>> g = webrank.Graph.from_arrays([0, 0, 1], [2, 3, 2])
        >>> [round(score, 6) for score in g.salsa().columns["authority"].tolist()]
        [0.0, 0.0, 0.666667, 0.333333]
        """
        return self._rank("salsa", locals())

    def indegree(
        self,
        *,
        unweighted: bool = False,
        threads: int | None = None,
        memory: int | str | None = None,
        progress: bool | None = None,
    ) -> Scores:
        """The number of predecessors of each node, the baseline of all measures.

        >>> import webrank
        >>> webrank.Graph.from_arrays([0, 1], [2, 2]).indegree().values.tolist()
        [0.0, 0.0, 2.0]
        """
        return self._rank("indegree", locals())

    def outdegree(
        self,
        *,
        unweighted: bool = False,
        threads: int | None = None,
        memory: int | str | None = None,
        progress: bool | None = None,
    ) -> Scores:
        """The number of successors of each node.

        >>> import webrank
        >>> webrank.Graph.from_arrays([0, 1], [2, 2]).outdegree().values.tolist()
        [1.0, 1.0, 0.0]
        """
        return self._rank("outdegree", locals())
