"""The text on this backend in the documentation of networkx.

Networkx calls :func:`get_info` while it is being imported: nothing of it is used here.
"""

from __future__ import annotations

from typing import Any

_RESOURCES = {
    "threads : int, optional": "How many threads compute; results do not depend on it.",
    "memory : int or str, optional": 'How much memory the process may hold, such as "8G".',
    "progress : bool, optional": "Whether to show a progress bar; by default, in a terminal.",
}

_ITERATED = (
    "Where `max_iter` is 1 or more it does not stop webrank early, and `nstart` does not count "
    "where there is one solution."
)
_PROVED = (
    "The error is proved to be below `n * tol` and 1e-9, whichever is less, or 1e-12 if that is "
    f"more. {_ITERATED}"
)
_EDGES = "Distances are numbers of edges: lengths of edges are refused."
_LENGTHS = (
    "Lengths of edges are decimals, whose sums are exact: 0.1 + 0.2 ties with 0.3. Lengths of 0 or less "
    "are refused."
)

_DOCS = {
    "pagerank": f"{_PROVED} An `alpha` of 1 is refused.",
    "eigenvector_centrality": (
        "The residual is below 1e-12. A graph without cycles, and an `nstart` that would decide "
        f"the result, are refused. {_ITERATED}"
    ),
    "eigenvector_centrality_numpy": "The residual is below 1e-12.",
    "katz_centrality": (
        "The error is proved to be below `tol` and 1e-9 of the sum of scores, or 1e-12 of it. An `alpha` for which "
        f"the series diverges raises `PowerIterationFailedConvergence`. {_ITERATED}"
    ),
    "katz_centrality_numpy": "An `alpha` for which the series diverges is refused.",
    "hits": f"The residual is below 1e-12; scores are not negative. {_ITERATED}",
    "closeness_centrality": _LENGTHS,
    "harmonic_centrality": f"{_LENGTHS} With `sources`, lengths are refused.",
    "local_reaching_centrality": f"{_EDGES} `paths` are refused.",
    "global_reaching_centrality": _EDGES,
    "betweenness_centrality": _LENGTHS,
    "edge_betweenness_centrality": f"{_LENGTHS} `k` is refused.",
    "current_flow_betweenness_centrality": (
        "The relative error is proved; `solver` does not count. Graphs with parallel edges or "
        "self-loops, and a `dtype` other than float, are refused."
    ),
    "degree_centrality": "",
    "in_degree_centrality": "",
    "out_degree_centrality": "",
}


def get_info() -> dict[str, Any]:
    """The description of the backend, and of each function."""
    return {
        "backend_name": "webrank",
        "project": "webrank",
        "package": "webrank",
        "short_summary": "Centralities of large graphs, with certified error bounds.",
        "functions": {
            name: {
                "additional_docs": docs,
                "additional_parameters": {} if name.endswith("degree_centrality") else _RESOURCES,
            }
            for name, docs in _DOCS.items()
        },
    }
