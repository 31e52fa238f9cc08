"""Plots, by matplotlib."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from .errors import ArgumentError

if TYPE_CHECKING:
    from .graph import Graph
    from .scores import Scores

#: More points look the same.
_POINTS = 2000

#: So much of a name is shown.
_LETTERS = 40

#: The area of the largest circle of a neighbourhood in square points, beyond the least.
_AREA = 370

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


def neighbourhood(
    graph: Graph,
    start: int,
    scores: Scores | None,
    steps: int,
    incoming: bool,
    most: int,
    hidden: set[int],
    axes: Any,
) -> Any:
    """A column for each distance from a node, with arrows between the nodes that are shown."""
    values = np.ones(len(graph)) if scores is None else _scores_here(graph, scores)
    offsets, targets = graph._rows(incoming)

    def row(node: int) -> list[int]:
        found: list[int] = targets[int(offsets[node]) : int(offsets[node + 1])].tolist()
        return found

    rings, ring, counts = [[start]], [start], [1]
    unseen = np.ones(len(graph), dtype=bool)
    unseen[start] = False
    for _ in range(steps):
        ring = sorted({other for node in ring for other in row(node) if unseen[other]})
        unseen[ring] = False
        counts.append(len(ring))
        # Nodes are shown only beside a node of the column before.
        beside = {other for node in rings[-1] for other in row(node)}.intersection(ring)
        rings.append(sorted(beside, key=lambda node: (-values[node], node))[:most])
    sign = -1 if incoming else 1
    places = {
        node: (sign * x, (len(ring) - 1) / 2 - y)
        for x, ring in enumerate(rings)
        for y, node in enumerate(ring)
    }
    largest = max(float(values[node]) for node in places) or 1.0
    # Areas of circles in square points, and their radii in points.
    area = {node: 30 + _AREA * float(values[node]) / largest for node in places}
    radius = {node: math.sqrt(area[node] / math.pi) for node in places}
    if axes is None:
        from matplotlib import pyplot

        height = max(3.0, max(map(len, rings)) * 0.42 + 1)
        _, axes = pyplot.subplots(figsize=(3 * (steps + 1), height), layout="constrained")
    for node, place in places.items():
        for other in row(node):
            if other not in places or (node != start and hidden & {node, other}):
                continue
            tail, head = (other, node) if incoming else (node, other)
            bend = 0.3 if place[0] == places[other][0] else 0.06
            arrow = {
                "arrowstyle": "-|>", "color": "C0" if node == start else "#999999",
                "linewidth": 1.2, "mutation_scale": 10, "shrinkA": radius[tail] + 1,
                "shrinkB": radius[head] + 1, "connectionstyle": f"arc3,rad={bend}",
            }  # fmt: skip
            axes.annotate("", places[head], places[tail], arrowprops=arrow)
    axes.scatter(*zip(*places.values()), s=list(area.values()), color="C1", zorder=3)
    for node, place in places.items():
        text = _short(str(graph.name(node)))
        if scores is not None:
            text += f" ({int((values > values[node]).sum()) + 1:,})"
        # The name of the node itself is on the other side than its arrows.
        left = (node == start) != incoming
        axes.annotate(
            text, place, ((radius[node] + 3) * (-1 if left else 1), 0), zorder=4, va="center",
            textcoords="offset points", ha="right" if left else "left",
            bbox={"boxstyle": "round,pad=0.08", "color": "white", "alpha": 0.8},
        )  # fmt: skip
    labels = [_short(str(graph.name(start)))]
    for x, (ring, count) in enumerate(zip(rings[1:], counts[1:]), 1):
        what = f"{x} step{'' if x == 1 else 's'}"
        labels.append(what if count == len(ring) else f"{what}\n{len(ring)} of {count:,}")
    axes.set_xticks([sign * x for x in range(steps + 1)], labels)
    axes.set_yticks([])
    axes.set_xlim(*sorted((-0.6 * sign, (steps + 0.6) * sign)))
    axes.set_title(f"what {'reaches' if incoming else 'is reached from'} {labels[0]}")
    return axes


def _scores_here(graph: Graph, scores: Scores) -> Any:
    """The scores of the graph's nodes; scores of another graph are found by name."""
    if len(scores) == len(graph) and (graph.names is None) == (scores.names is None):
        if graph.names is None or list(graph.names) == list(scores.names or []):
            return scores.values
    nodes = range(len(graph)) if graph.names is None else graph.names
    found = [scores.get(node) for node in nodes]
    if all(score is None for score in found):
        raise ArgumentError("scores: no node of the graph has one: are they of another graph?")
    return np.array([0.0 if score is None else score for score in found])


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
