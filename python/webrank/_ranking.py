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
    """What ranks the nodes of a native graph."""

    _native: _webrank.Graph

    def _rank(self, measure: str, options: dict[str, Any]) -> Scores:
        """Ranks by a measure with the arguments of the calling method."""
        options.pop("self")
        shown = _progress(options.pop("progress"))
        command = ["webrank", measure, *_given(type(self), measure, options)]
        for name in ("preference", "dangling_vector", "beta"):
            if name in options:
                options[name] = _arguments.node_values(options[name], name)
        if "weights" in options and measure in _NODE_WEIGHTS:
            options["weights"] = _arguments.node_values(options["weights"], "weights")
        elif "weights" in options:
            options["weights"] = _arguments.arc_weights(options["weights"])
        if "start" in options:
            options["start"] = _arguments.node_values(self._start(options["start"]), "start")
        if "seeds" in options:
            options["seeds"] = _arguments.keys(options["seeds"])
            options["seeds_file"] = _arguments.path(options["seeds_file"])
        for name in ("alphas", "measures"):
            if options.get(name) is not None and not isinstance(options[name], str):
                options[name] = list(options[name])
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
        known = set(own)
        pairs = zip(names, start.values.tolist())
        return {name: score for name, score in pairs if name in known}


@lru_cache(maxsize=None)
def _defaults(kind: type, measure: str) -> dict[str, Any]:
    method = getattr(kind, measure.replace("-", "_"))
    parameters = inspect.signature(method).parameters.values()
    return {parameter.name: parameter.default for parameter in parameters}


def _given(kind: type, measure: str, options: dict[str, Any]) -> list[str]:
    """What differs from the defaults, for manifests: values as short as the command's."""
    defaults = _defaults(kind, measure)
    given = []
    for name, value in options.items():
        default = defaults.get(name)
        if value is default or (isinstance(value, (str, int, float)) and value == default):
            continue
        plain = isinstance(value, (str, int, float))
        given.append(f"{name}={value}" if plain else f"{name}=({type(value).__name__})")
    return given
