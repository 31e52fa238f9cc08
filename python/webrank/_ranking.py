"""From the arguments of a method to the native measure."""

from __future__ import annotations

import inspect
from functools import lru_cache
from typing import Any

from . import _arguments, _webrank
from ._progress import progress as _progress
from .errors import NotConverged
from .scores import Scores

#: Node weights, not arc weights, are what ``weights`` means for these measures.
_NODE_WEIGHTS = {"harmonic"}


class Ranking:
    """The ranking of the nodes of a native graph."""

    _native: _webrank.Graph
    #: How the graph was opened, for manifests.
    _reading: list[str]

    def _rank(self, measure: str, options: dict[str, Any]) -> Scores:
        """Ranks by a measure with the arguments of the calling method."""
        options.pop("self")
        shown = _progress(options.pop("progress"))
        for name in ("seeds", "each_seed", "sources"):
            # Samples have a number of sources.
            if name in options and (name != "sources" or measure == "betweenness"):
                options[name] = _arguments.keys(options[name])
        for name in ("alphas", "measures"):
            if options.get(name) is not None and not isinstance(options[name], str):
                options[name] = list(options[name])
        kind: type = type(self)
        given = _arguments.told(options, _defaults(kind, measure))
        reading = [word for word in self._reading if word not in given]
        command = ["webrank", measure, *given, *reading]
        for name in ("preference", "dangling_vector", "beta"):
            if name in options:
                options[name] = _arguments.node_values(options[name], name)
        if "weights" in options and measure in _NODE_WEIGHTS:
            options["weights"] = _arguments.node_values(options["weights"], "weights")
        elif "weights" in options:
            options["weights"] = _arguments.arc_weights(options["weights"])
        if "lengths" in options:
            options["lengths"] = _arguments.arc_weights(options["lengths"], "lengths")
        if "start" in options:
            options["start"] = _arguments.node_values(self._start(options["start"]), "start")
        for name in ("seeds_file", "each_seed_file", "sources_file", "trace"):
            if name in options:
                options[name] = _arguments.path(options[name])
        try:
            return Scores(_webrank.rank_nodes(self._native, measure, options, command, shown))
        except NotConverged as problem:
            if isinstance(problem.scores, _webrank.Scores):
                problem.scores = Scores(problem.scores)
            raise

    def _start(self, start: Any) -> Any:
        """The scores of another graph, by the names that this one has too."""
        if not isinstance(start, Scores):
            return start
        own, names = self._native.names, start.names
        if own is None or names is None:
            return start.values
        known = set(map(str, own))
        pairs = zip(map(str, names), start.values.tolist())
        return {name: score for name, score in pairs if name in known}


@lru_cache(maxsize=None)
def _defaults(kind: type, measure: str) -> dict[str, Any]:
    method = getattr(kind, measure.replace("-", "_"))
    parameters = inspect.signature(method).parameters.values()
    return {parameter.name: parameter.default for parameter in parameters}
