"""webrank on Spark: a table of arcs in, a table of ranks out.

    from webrank.spark import pagerank            # pip install webrank[spark]

    ranks = pagerank(edges, source="src", target="dst", alpha=0.85)
    ranks.orderBy("rank").show()
    ranks.webrank                                 # error bound, sweeps, bytes, seconds by worker

``Graph`` keeps the parts of a graph for several measures. Spark 3.5 and later.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

try:
    import pyarrow as _pyarrow  # noqa: F401
    import pyspark as _pyspark
except ImportError as _problem:
    raise ImportError(
        "webrank.spark needs pyspark and pyarrow: pip install webrank[spark]"
    ) from _problem
if tuple(int(_part) for _part in _pyspark.__version__.split(".")[:2]) < (3, 5):
    raise ImportError(f"webrank.spark needs Spark 3.5 or later, this is {_pyspark.__version__}")

from ._results import Manifest, Plan
from .graph import Graph


def _function(name: str) -> Callable[..., Any]:
    method = getattr(Graph, name)

    def measure(
        edges: Any,
        source: str = "src",
        target: str = "dst",
        *,
        nodes: Any = None,
        ids: bool = False,
        workers: int | None = None,
        **options: Any,
    ) -> Any:
        with Graph(edges, source, target, nodes=nodes, ids=ids, workers=workers) as graph:
            return getattr(graph, name)(**options)

    measure.__name__ = measure.__qualname__ = name
    of_edges = "The arguments before ``workers`` are those of :class:`Graph`, all others those of"
    measure.__doc__ = f"{method.__doc__}\n\n{of_edges}\n:meth:`Graph.{name}`.\n"
    return measure


pagerank = _function("pagerank")
trustrank = _function("trustrank")
katz = _function("katz")
eigenvector = _function("eigenvector")
hits = _function("hits")
salsa = _function("salsa")
indegree = _function("indegree")
outdegree = _function("outdegree")
harmonic = _function("harmonic")
closeness = _function("closeness")
distances = _function("distances")

__all__ = [
    "Graph",
    "Manifest",
    "Plan",
    "closeness",
    "distances",
    "eigenvector",
    "harmonic",
    "hits",
    "indegree",
    "katz",
    "outdegree",
    "pagerank",
    "salsa",
    "trustrank",
]
