"""webrank ranks the nodes of web-scale graphs, and says how sure it is.

>>> import webrank
>>> g = webrank.Graph.from_arrays([0, 0, 1, 2], [1, 2, 2, 0], names=["ant", "bee", "cat"])
>>> scores = g.pagerank()
>>> scores.top(1)[0].name, scores.error_bound < 1e-9
('cat', True)

* :func:`open` opens a graph of any format; :class:`Graph` makes one of arrays, tables, and graphs
  of other libraries;
* each measure is a method of a graph, such as :meth:`Graph.pagerank`; :func:`measures` describes
  them;
* :class:`Scores` holds scores, ranks, and what is proved of them;
* :func:`compare` measures how much rankings agree;
* every exception is a :class:`WebrankError`, and says what to do.
"""

from collections.abc import Sequence as _Sequence

from . import _webrank
from ._webrank import Names, __version__
from .choices import (
    BetweennessMethod,
    Closeness,
    Dangling,
    Direction,
    DistanceMethod,
    Duplicates,
    EigenvectorMethod,
    Form,
    IntervalKind,
    KatzMethod,
    Norm,
    PageRankMethod,
    RankBy,
    RowForm,
    Weigher,
)
from .comparison import Comparison, Mover, Movers, compare
from .errors import (
    ArgumentError,
    ArgumentTypeError,
    FileError,
    ForkError,
    ImportWarning,
    InternalError,
    NotConverged,
    NotDefined,
    OutOfMemory,
    SparkError,
    TooLong,
    WebrankError,
    WebrankWarning,
    WorkerError,
)
from .files import open
from .graph import Graph
from .scores import ArcScores, Row, Scores

_Sequence.register(Names)


def measures() -> list[dict[str, str]]:
    """The definition, direction, cost and guarantee of every measure.

    >>> import webrank
    >>> "pagerank" in [measure["name"] for measure in webrank.measures()]
    True
    """
    return _webrank.measures()


__all__ = [
    "ArcScores",
    "ArgumentError",
    "ArgumentTypeError",
    "BetweennessMethod",
    "Closeness",
    "Comparison",
    "Dangling",
    "Direction",
    "DistanceMethod",
    "Duplicates",
    "EigenvectorMethod",
    "FileError",
    "ForkError",
    "Form",
    "Graph",
    "ImportWarning",
    "InternalError",
    "IntervalKind",
    "KatzMethod",
    "Mover",
    "Movers",
    "Names",
    "Norm",
    "NotConverged",
    "NotDefined",
    "OutOfMemory",
    "PageRankMethod",
    "RankBy",
    "Row",
    "RowForm",
    "Scores",
    "SparkError",
    "TooLong",
    "WebrankError",
    "WebrankWarning",
    "Weigher",
    "WorkerError",
    "__version__",
    "compare",
    "measures",
    "open",
]
