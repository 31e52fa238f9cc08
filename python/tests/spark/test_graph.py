"""Graphs that keep their parts: saved, loaded, described, freed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import webrank

from .conftest import Arcs

pytest.importorskip(
    "pyspark", reason="pyspark is not installed: python/tests/spark/run installs it"
)


def scores(ranks: Any) -> dict[str, float]:
    return {row.name: row.score for row in ranks.collect()}


def test_a_graph_that_is_saved_and_loaded(
    spark: Any, graph: Any, arcs: Arcs, tmp_path: Path
) -> None:
    from webrank.spark import Graph

    path = str(tmp_path / "web")
    graph.save(path)
    loaded = Graph.load(spark, path)
    expected = f"<graph on Spark: {len(arcs.names)} nodes, {arcs.graph.num_arcs:,} arcs, 3 parts>"
    assert repr(loaded) == repr(graph) == expected
    scores_before = scores(graph.pagerank())
    for workers in (2, 3):
        assert scores(loaded.pagerank(workers=workers)) == scores_before
    with pytest.raises(webrank.SparkError, match="already exists"):
        graph.save(path)


def test_the_command_ranks_what_spark_has_packed(graph: Any, command: str, tmp_path: Path) -> None:
    import subprocess

    folder = tmp_path / "web.shards"
    graph.save_shards(str(folder))
    subprocess.run([command, "check", str(folder)], check=True, capture_output=True)
    table = tmp_path / "ranks.csv"
    subprocess.run([command, "pagerank", str(folder), "-o", str(table), "--quiet"], check=True)
    numbers = {row.node: row.name for row in graph.nodes.collect()}
    lines = table.read_text().splitlines()[1:]
    found = {numbers[int(line.split(",")[0])]: float(line.split(",")[1]) for line in lines}
    assert found == scores(graph.pagerank())
    with pytest.raises(webrank.ArgumentError, match="already exists"):
        graph.save_shards(str(folder))


def test_what_workers_hold_is_told_before(
    graph: Any, arcs: Arcs, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = graph.explain("pagerank")
    assert sum(row["nodes"] for row in plan) == graph.num_nodes
    assert sum(row["arcs"] for row in plan) == graph.num_arcs
    # Numbers that are sent are taken.
    assert sum(row["sends"] for row in plan) == sum(row["takes"] for row in plan) > 0
    assert all(row["memory"] > 0 for row in plan)
    larger = graph.explain("harmonic", log2m=10)
    assert larger[0]["sends"] > plan[0]["sends"] and larger[0]["memory"] > plan[0]["memory"]
    ranks = graph.pagerank(explain=True, workers=2)
    told = capsys.readouterr().out
    assert told.splitlines()[0].split() == ["worker", "nodes", "arcs", "memory", "sends", "takes"]
    assert len(told.splitlines()) == 4
    form = ranks.webrank["form"]
    assert form["bytes_a_sweep"] <= sum(row["sends"] for row in graph.explain(workers=2))


def test_progress_comes_to_the_driver(graph: Any, caplog: pytest.LogCaptureFixture) -> None:
    import logging

    with caplog.at_level(logging.INFO, logger="webrank.spark"):
        graph.pagerank(tolerance=1e-12)
    assert any(record.name == "webrank.spark" for record in caplog.records)


def test_a_freed_graph_is_not_used(spark: Any) -> None:
    from webrank.spark import Graph

    table = spark.createDataFrame([("a", "b")], ["src", "dst"])
    with Graph(table) as graph:
        ranks = graph.pagerank()
    with pytest.raises(webrank.ArgumentError, match="was freed"):
        graph.pagerank()
    # Rankings stay.
    assert ranks.count() == 2


@pytest.mark.parametrize("parts", [1, 2, 3, 7, 40])
def test_ranges_are_those_of_the_definition(parts: int) -> None:
    from webrank.spark import _ranges

    random = np.random.default_rng(parts)
    weights = random.integers(0, 50, 33)
    for shift, nodes in [(0, 33), (3, 33 * 8 - 5)]:
        found = _ranges.bounds(weights, shift, nodes, parts)
        lengths = [min(1 << shift, nodes - (block << shift)) for block in range(33)]
        own = [int(weight) + 2 * length for weight, length in zip(weights, lengths)]
        # As rank shard says it: a block belongs to the range in which its middle lies.
        expected, before = [0], 0
        for block, weight in enumerate(own):
            while len(expected) < parts and (2 * before + weight) * parts >= 2 * sum(own) * len(
                expected
            ):
                expected.append(block << shift)
            before += weight
        expected += [nodes] * (parts + 1 - len(expected))
        assert found == expected


def test_keys_go_where_they_should(spark: Any) -> None:
    from pyspark.sql import functions as F

    from webrank.spark import _ranges

    keys = _ranges.keys(9)
    rows = spark.createDataFrame([(key,) for key in keys], "key int").repartition(9, "key")
    found = {
        row.key: row.at for row in rows.select("key", F.spark_partition_id().alias("at")).collect()
    }
    assert [found[key] for key in keys] == list(range(9))
    values = spark.range(20).select(
        "id", _ranges.choose(F.col("id"), [0, 3, 3, 11], [5, 6, 7, 8]).alias("v")
    )
    assert [row.v for row in values.orderBy("id").collect()] == [5] * 3 + [7] * 8 + [8] * 9


def test_shared_is_the_division_of_the_library() -> None:
    from webrank.spark import _ranges

    assert _ranges.shared(5, 2) == [0, 0, 1, 1, 1]
    assert _ranges.shared(7, 3) == [0, 0, 1, 1, 2, 2, 2]
    assert _ranges.shared(4, 4) == [0, 1, 2, 3]
