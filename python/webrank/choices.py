"""Names of choices. Wherever one is expected, its plain string works, too."""

from __future__ import annotations

from enum import Enum


class _Choice(str, Enum):
    def __str__(self) -> str:
        return str(self.value)


class Direction(_Choice):
    """Which arcs of a node count."""

    IN = "in"
    """Incoming arcs: being pointed at."""
    OUT = "out"
    """Outgoing arcs: pointing."""


class Dangling(_Choice):
    """Where the walk of PageRank continues from a node without successors."""

    PREFERENCE = "preference"
    """As if it restarted (strongly preferential)."""
    UNIFORM = "uniform"
    """To any node with equal probability (weakly preferential)."""
    NONE = "none"
    """Nowhere: the mass that reaches such nodes is lost (pseudorank)."""


class PageRankMethod(_Choice):
    """The algorithm of PageRank."""

    AUTO = "auto"
    """The power method or components, whichever seems faster after a few sweeps."""
    POWER = "power"
    """With extrapolation."""
    PLAIN = "plain"
    """The power method as textbooks have it, for comparisons."""
    GAUSS_SEIDEL = "gauss-seidel"
    COMPONENTS = "components"
    """Gauss-Seidel, one strong component after the other: fastest where few arcs lie on cycles."""


class Form(_Choice):
    """Where the rows of the graph are while PageRank sweeps over them."""

    AUTO = "auto"
    RUNS = "runs"
    """In memory."""
    COMPACT = "compact"
    """In memory, in about a byte for each number."""
    DISK = "disk"
    """Compact rows in a temporary file, which is read in every sweep."""
    STREAMED = "streamed"
    """Decoded in every sweep."""
    EXTERNAL = "external"
    """Rows and vectors in temporary files, swept in blocks of nodes; the scores are in memory at the end."""


class RowForm(_Choice):
    """Where the rows of the graph are while HITS multiplies by them."""

    AUTO = "auto"
    RUNS = "runs"
    """In memory."""
    COMPACT = "compact"
    """In memory, in about a byte for each number."""
    DISK = "disk"
    """Compact rows in a temporary file, which is read in every sweep."""


class KatzMethod(_Choice):
    """The algorithm of Katz's index."""

    BICGSTAB = "bicgstab"
    """Stabilised biconjugate gradients."""
    POWER = "power"
    GAUSS_SEIDEL = "gauss-seidel"


class EigenvectorMethod(_Choice):
    """The algorithm of eigenvector centrality."""

    ARNOLDI = "arnoldi"
    POWER = "power"


class Norm(_Choice):
    """The norm of an eigenvector that is scaled to 1."""

    L1 = "l1"
    """The sum of the scores."""
    L2 = "l2"
    """The sum of their squares."""
    MAX = "max"
    """The largest score."""


class DistanceMethod(_Choice):
    """How measures of distances are computed."""

    AUTO = "auto"
    """Exactly if that fits the time budget and memory, otherwise from sampled nodes or by HyperBall."""
    EXACT = "exact"
    SAMPLE = "sample"
    HYPERBALL = "hyperball"


class IntervalKind(_Choice):
    """Which interval a sampled score has."""

    AUTO = "auto"
    """Proved with epsilon, otherwise estimated."""
    ESTIMATED = "estimated"
    """From the differences between 16 random groups of sources: narrow, and not proved."""
    PROVED = "proved"
    """From bounds that hold for any graph."""


class Closeness(_Choice):
    """A definition of closeness."""

    BAVELAS = "bavelas"
    LIN = "lin"
    NIEMINEN = "nieminen"
    WASSERMAN_FAUST = "wasserman-faust"


class BetweennessMethod(_Choice):
    """How betweenness is computed."""

    AUTO = "auto"
    EXACT = "exact"
    SOURCES = "sources"
    APPROX = "approx"


class Weigher(_Choice):
    """The weight of a node in weighted tau, by its rank r from 0."""

    HYPERBOLIC = "hyperbolic"
    LOGARITHMIC = "logarithmic"
    QUADRATIC = "quadratic"
    LINEAR = "linear"
    NONE = "none"


class RankBy(_Choice):
    """Which ranking of a pair gives the ranks of weighted tau."""

    A = "a"
    B = "b"
    BOTH = "both"


class Duplicates(_Choice):
    """The fate of arcs that are given several times."""

    DROP = "drop"
    SUM = "sum"
    MAX = "max"
    MIN = "min"
    ERROR = "error"
