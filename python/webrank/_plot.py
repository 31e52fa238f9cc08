"""Plots, by matplotlib."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from .scores import Scores

#: More points look the same.
_POINTS = 2000

#: So much of a name is shown.
_LETTERS = 40

#: The height of a row in points, the share of it that letters take, and the least size of letters.
_ROW = 14
_LETTER = 0.7
_LEAST = 5


def scores(scores: Scores, top: int, axes: Any) -> Any:
    """The distribution of the scores, and the best nodes."""
    rows = scores.top(top)[::-1]
    if axes is None:
        from matplotlib import pyplot

        # Inches; room for the rows, and for titles and the axis below.
        height = max(4.5, len(rows) * _ROW / 72 + 1)
        _, axes = pyplot.subplots(1, 2, figsize=(11, height), layout="constrained")
    distribution, best = axes
    ordered = scores.values[scores.order]
    places = np.arange(1, len(ordered) + 1)
    positive = ordered > 0
    if positive.any():
        ordered, places = ordered[positive], places[positive]
        chosen = np.unique(np.geomspace(1, len(ordered), _POINTS).astype(np.int64)) - 1
        distribution.plot(ordered[chosen], places[chosen], drawstyle="steps-post")
        distribution.set_xscale(_scale(ordered))
        distribution.set_yscale(_scale(places))
        if distribution.get_yscale() == "linear":
            distribution.locator_params(axis="y", integer=True)
    distribution.set_xlabel("score s")
    distribution.set_ylabel("nodes with a score of at least s")
    distribution.set_title(scores.measure)
    marks = ["~" if row.certain is False else "" for row in rows]
    labels = [f"{_short(row.name)} {mark}{row.rank}" for row, mark in zip(rows, marks)]
    bounds = scores.bounds
    errors = None
    if len(bounds) == 2:
        low, high = bounds.values()
        nodes = [row.node for row in rows]
        values = scores.values[nodes]
        errors = np.maximum([values - low[nodes], high[nodes] - values], 0)
    best.barh(range(len(rows)), [row.score for row in rows], xerr=errors)
    best.margins(y=0.01)
    _label(best, labels)
    best.locator_params(axis="x", nbins=5)
    best.set_xlabel("score")
    best.set_title(f"the best {len(rows)}")
    return axes


def _scale(values: Any) -> str:
    """Logarithmic where at least two powers of 10 are within: others have no room for labels."""
    return "log" if values.max() >= 100 * values.min() else "linear"


def _short(name: str) -> str:
    """A name with its middle left out if it is long; a dollar would begin a formula."""
    if len(name) > _LETTERS:
        name = f"{name[: _LETTERS // 2]}…{name[-(_LETTERS // 2 - 1) :]}"
    return name.replace("$", r"\$")


def _label(axes: Any, labels: list[str]) -> None:
    """Labels rows, in letters that fit; where the axes are too low for all, every second or so."""
    row = axes.bbox.height * 72 / axes.figure.dpi / max(1, len(labels))
    step = max(1, math.ceil(_LEAST / (_LETTER * row)))
    # The best is the last.
    places = range(len(labels) - 1, -1, -step)
    axes.set_yticks(places, [labels[place] for place in places])
    letters = [label.get_fontsize() for label in axes.get_yticklabels()]
    if letters:
        axes.tick_params(axis="y", labelsize=min(letters[0], max(_LEAST, _LETTER * row)))
