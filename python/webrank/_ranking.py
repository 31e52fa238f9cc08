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
        for name in ("seeds", "sources"):
            if name in options:
                options[name] = _arguments.keys(options[name])
                options[f"{name}_file"] = _arguments.path(options[f"{name}_file"])
        for name in ("alphas", "measures"):
            if options.get(name) is not None and not isinstance(options[name], str):
                options[name] = list(options[name])
        try:
            return Scores(_webrank.rank_nodes(self._native, measure, options, command, shown))
        except NotConverged as problem:
            if isinstance(problem.scores, _webrank.Scores):
                problem.scores = Scores(problem.scores)
            raise


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
