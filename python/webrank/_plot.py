"""Plots, by matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from .scores import Scores

#: More points look the same.
_POINTS = 2000


def scores(scores: Scores, top: int, axes: Any) -> Any:
    """The distribution of the scores, and the best nodes."""
    if axes is None:
        from matplotlib import pyplot

        _, axes = pyplot.subplots(1, 2, figsize=(11, 4.5), layout="constrained")
    distribution, best = axes
    ordered = scores.values[scores.order]
    places = np.arange(1, len(ordered) + 1)
    positive = ordered > 0
    if positive.any():
        ordered, places = ordered[positive], places[positive]
        chosen = np.unique(np.geomspace(1, len(ordered), _POINTS).astype(np.int64)) - 1
        distribution.loglog(ordered[chosen], places[chosen], drawstyle="steps-post")
    distribution.set_xlabel("score s")
    distribution.set_ylabel("nodes with a score of at least s")
    distribution.set_title(scores.measure)
    rows = scores.top(top)[::-1]
    marks = ["~" if row.certain is False else "" for row in rows]
    # A dollar would begin a formula.
    labels = [f"{row.name} {mark}{row.rank}".replace("$", r"\$") for row, mark in zip(rows, marks)]
    bounds = scores.bounds
    errors = None
    if len(bounds) == 2:
        low, high = bounds.values()
        nodes = [row.node for row in rows]
        values = scores.values[nodes]
        errors = np.maximum([values - low[nodes], high[nodes] - values], 0)
    best.barh(range(len(rows)), [row.score for row in rows], xerr=errors)
    best.set_yticks(range(len(rows)), labels)
    best.set_xlabel("score")
    best.set_title(f"the best {len(rows)}")
    return axes
