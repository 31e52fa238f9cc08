"""Facts about measures for Spark: their defaults, and the columns of their tables."""

from __future__ import annotations

from typing import Any

from .. import _arguments
from .._ranking import _defaults
from ..graph import Graph as LocalGraph

_RANKED = [("score", "double"), ("rank", "long")]
_PROVED = [*_RANKED, ("certain", "boolean")]
_BOUNDED = [
    ("score", "double"),
    ("lower", "double"),
    ("upper", "double"),
    ("rank", "long"),
    ("rank_from", "long"),
    ("rank_to", "long"),
]

#: The columns beside the node.
_COLUMNS = {
    "pagerank": _PROVED,
    "trustrank": _PROVED,
    "katz": _RANKED,
    "eigenvector": _RANKED,
    "hits": [("authority", "double"), ("hub", "double")],
    "salsa": [("authority", "double"), ("hub", "double")],
    "indegree": _RANKED,
    "outdegree": _RANKED,
    "harmonic": _BOUNDED,
    "closeness": _BOUNDED,
}

MEASURES = [*_COLUMNS, "distances"]


def options_of(measure: str, given: dict[str, Any]) -> dict[str, Any]:
    """The options of a measure as the native module takes them, with all defaults."""
    if measure == "distances":
        return {"log2m": 8, "seed": 0, **given}
    defaults = dict(_defaults(LocalGraph, measure))
    for name in ("self", "progress", "threads", "memory"):
        defaults.pop(name, None)
    return {**defaults, **given}


def told(measure: str, options: dict[str, Any]) -> list[str]:
    """The command of the manifest."""
    defaults = options_of(measure, {})
    return ["webrank.spark", measure, *_arguments.told(options, defaults)]


def columns_of(
    measure: str, options: dict[str, Any], seeds: list[Any] | None
) -> list[tuple[str, str]]:
    """The columns of the table, without the node."""
    if measure == "distances":
        return []
    if options.get("alphas") is not None:
        return [(f"score_{float(alpha)!r}", "double") for alpha in options["alphas"]]
    if seeds is not None:
        return [(f"score_{seed}", "double") for seed in seeds]
    return list(_COLUMNS[measure])
