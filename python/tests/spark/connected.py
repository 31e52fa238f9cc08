"""Ranks over Spark Connect, whose sessions have no context: the same bits. Run by test_connect.py."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np

import webrank


def main(folder: Path) -> None:
    from pyspark.sql import SparkSession

    from webrank.spark import Graph

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    spark = SparkSession.builder.remote("local[3]").getOrCreate()
    random = np.random.default_rng(7)
    arcs = np.unique(random.integers(0, 200, (1000, 2)), axis=0)
    webrank.Graph.from_arrays(arcs[:, 0], arcs[:, 1]).save(folder / "whole.bv")
    whole = webrank.open(folder / "whole.bv")
    with Graph(spark.createDataFrame(arcs.tolist(), ["src", "dst"]), ids=True, workers=2) as graph:
        found = {row.id: row.score for row in graph.pagerank().collect()}
        expected = whole.pagerank(form="streamed")
        assert [found[node] for node in range(whole.num_nodes)] == list(expected.values)
        try:
            graph.pagerank(max_iterations=1)
        except webrank.NotConverged:
            pass
        else:
            raise AssertionError("one sweep is too few")
    spark.stop()
    print("the same bits")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
