"""Betweenness from given nodes, and of arcs."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import webrank


def test_sources_of_betweenness(small: webrank.Graph, tmp_path: Path) -> None:
    file = tmp_path / "sources.txt"
    file.write_text("bee\n0\n")
    scores = small.betweenness(method="sources", sources_file=file)
    # From ant, nothing is between; bee reaches ant through cat: once, for two of three nodes.
    assert scores.values.tolist() == [0.0, 0.0, 1.5]
    assert scores.guarantee["kind"] == "none" and scores.error_bound is None
    assert scores.manifest["columns"]["score"]["parameters"]["sources"] == 2
    assert list(scores.manifest["inputs"]) == [str(file)]
    for sources in (["ant", "bee"], [1, 0], np.array([0, 1]), {"ant", 1}):
        given = small.betweenness(method="sources", sources=sources)
        assert (given.values == scores.values).all()
    everything = small.betweenness(method="sources", sources=range(3))
    assert (everything.values == small.betweenness().values).all()
    assert everything.error_bound == 0.0


def test_arc_betweenness() -> None:
    graph = webrank.Graph.from_arrays([0, 1, 2], [1, 2, 3], names=list("abcd"))
    scores = graph.arc_betweenness()
    assert scores.values.tolist() == [3, 4, 3]
    assert (scores.sources.tolist(), scores.targets.tolist()) == ([0, 1, 2], [1, 2, 3])
    assert scores.top(1) == [("b", "c", 4.0)] and len(scores) == 3
    assert graph.arc_betweenness(normalize=True).values[1] == 4 / 12
