"""Ranks on Spark have the bits of the library and of the command, for any number of tasks."""

from __future__ import annotations

import csv
import subprocess
from pathlib import Path
from typing import Any

import pytest

import webrank

from .conftest import Arcs, random_arcs

spark = pytest.importorskip(
    "pyspark", reason="pyspark is not installed: python/tests/spark/run installs it"
)


def by_name(ranks: Any, label: str = "name") -> dict[Any, Any]:
    rows = ranks.collect()
    found = {row[label]: row for row in rows}
    assert len(found) == len(rows)
    return found


def of_command(command: str, *arguments: str, folder: Path) -> dict[str, dict[str, str]]:
    """The table of a command, by name."""
    table = folder / "table.csv"
    subprocess.run([command, *arguments, "-o", str(table), "--quiet"], check=True)
    with table.open(newline="") as file:
        return {row["name"]: row for row in csv.DictReader(file)}


@pytest.mark.parametrize("workers", [1, 2, 3, 5])
def test_pagerank_has_the_bits_of_the_streamed_form(spark: Any, arcs: Arcs, workers: int) -> None:
    from webrank.spark import pagerank

    ranks = pagerank(
        arcs.frame(spark, src="from", dst="to"), source="from", target="to", workers=workers
    )
    expected = arcs.graph.pagerank(form="streamed")
    found = by_name(ranks)
    assert ranks.columns == ["name", "score", "rank", "certain"]
    assert set(found) == set(arcs.names)
    for name, score, rank, certain in zip(
        arcs.names, expected.values, expected.rank, expected.certain
    ):
        row = found[name]
        assert (row.score, row["rank"], row.certain) == (score, rank, certain)
    manifest = ranks.webrank
    assert manifest["columns"]["score"]["outcome"]["error_bound"] == expected.error_bound
    assert manifest["graph"]["nodes"] == len(arcs.names)
    assert manifest["graph"]["arcs"] == arcs.graph.num_arcs
    assert [worker["worker"] for worker in manifest["spark"]["workers"]] == list(range(workers))
    assert all(worker["seconds"] > 0 for worker in manifest["spark"]["workers"])
    assert (manifest["form"]["bytes_sent"] > 0) == (workers > 1)
    assert f"{workers} worker{'s' if workers > 1 else ''}," in repr(manifest)


CASES = {
    "pagerank": (
        {"alpha": 0.5, "dangling": "uniform"},
        ["--alpha", "0.5", "--dangling", "uniform"],
    ),
    "trustrank": ({"seeds": ["http://n0003.example/"]}, ["--seeds", "http://n0003.example/"]),
    "katz": ({}, []),
    "eigenvector": ({"direction": "in"}, []),
    "hits": ({}, []),
    "salsa": ({}, []),
    "indegree": ({}, []),
    "outdegree": ({}, []),
    "harmonic": ({"log2m": 6}, ["--method", "hyperball", "--log2m", "6"]),
    "closeness": (
        {"log2m": 5, "seed": 3},
        ["--method", "hyperball", "--log2m", "5", "--seed", "3"],
    ),
}


@pytest.mark.parametrize("measure", CASES)
def test_measures_have_the_bits_of_the_command(
    graph: Any, shards: Path, command: str, tmp_path: Path, measure: str
) -> None:
    options, arguments = CASES[measure]
    expected = of_command(command, measure, str(shards), *arguments, folder=tmp_path)
    ranks = getattr(graph, measure)(**options)
    found = by_name(ranks)
    assert set(found) == set(expected)
    columns = ranks.columns[1:]
    assert columns == [
        column for column in next(iter(expected.values())) if column not in ("node", "name")
    ]
    for name, row in found.items():
        for column in columns:
            value, told = row[column], expected[name][column]
            assert (
                told == str(value).lower() if isinstance(value, bool) else float(told) == value
            ), (name, column)


def test_distances_are_those_of_the_command(graph: Any, shards: Path, command: str) -> None:
    import json

    told = subprocess.run(
        [command, "distances", str(shards), "--method", "hyperball", "--json"],
        check=True,
        capture_output=True,
    )
    expected = json.loads(told.stdout)
    found = graph.distances()
    del expected["notes"]
    assert {name: found[name] for name in expected} == expected


def test_columns_for_several_alphas_and_seeds(graph: Any, arcs: Arcs) -> None:
    alphas = [0.5, 0.85, 1e-5]
    ranks = graph.pagerank(alphas=alphas)
    assert ranks.columns == ["name", "score_0.5", "score_0.85", "score_1e-05"]
    found, expected = by_name(ranks), arcs.graph.pagerank(alphas=alphas)
    for place, name in enumerate(arcs.names):
        scores = [float(expected.columns[header][place]) for header in list(expected.columns)[:3]]
        assert list(found[name])[1:] == pytest.approx(scores, abs=2e-9)
    seeds = [arcs.names[4], arcs.names[2]]
    ranks = graph.pagerank(each_seed=seeds, workers=2)
    assert ranks.columns == ["name", *[f"score_{seed}" for seed in seeds]]
    sums = [sum(row[at] for row in ranks.collect()) for at in (1, 2)]
    assert sums == pytest.approx([1.0, 1.0])
    first = {row.name: row[1] for row in ranks.collect()}
    alone = arcs.graph.pagerank(preference={seeds[0]: 1.0})
    assert [first[name] for name in arcs.names] == pytest.approx(list(alone.values), abs=2e-9)


def test_a_preference_is_a_table(spark: Any, graph: Any, arcs: Arcs) -> None:
    weights = {arcs.names[3]: 2.0, arcs.names[100]: 0.5, arcs.names[-1]: 0.0}
    table = spark.createDataFrame(list(weights.items()), ["page", "trust"])
    expected = arcs.graph.pagerank(form="streamed", preference=weights)
    found = by_name(graph.pagerank(preference=table, workers=2))
    assert [found[name].score for name in arcs.names] == list(expected.values)
    for rows, problem in [
        ([("nowhere", 1.0)], "'nowhere' is no node"),
        ([(arcs.names[0], -1.0)], "has a weight that is no number from 0"),
        ([(arcs.names[0], 1.0), (arcs.names[0], 1.0)], "is there twice"),
    ]:
        with pytest.raises(webrank.ArgumentError, match=problem):
            graph.pagerank(preference=spark.createDataFrame(rows, ["page", "trust"]))


def test_candidates_for_seeds(graph: Any, arcs: Arcs) -> None:
    best = {row.name: row["rank"] for row in graph.trustrank(select=4).collect()}
    expected = arcs.graph.trustrank(select=4).top(4)
    assert best == {row.name: row.rank for row in expected}


def test_integers_keep_their_type(spark: Any, tmp_path: Path) -> None:
    from webrank.spark import pagerank

    # Numbers in their own order, not in that of their digits.
    arcs = random_arcs(tmp_path, lambda number: 7 * number - 900, nodes=90, arcs=400)
    table = arcs.frame(spark).selectExpr("cast(src as int) as src", "cast(dst as int) as dst")
    ranks = pagerank(table, workers=2)
    assert ranks.dtypes[0] == ("id", "int")
    found, expected = by_name(ranks, "id"), arcs.graph.pagerank(form="streamed")
    assert [found[name].score for name in arcs.names] == list(expected.values)


def test_integers_of_64_bits_are_names(spark: Any, tmp_path: Path) -> None:
    from webrank.spark import Graph

    # Beyond 2^32 and 2^53, where floating-point numbers have gaps, and both ends of the range.
    names = [-(2**63), -5, 0, 2**32, 5 * 10**9, 2**53, 2**53 + 1, 2**63 - 2, 2**63 - 1]
    source, target = [0, 1, 2, 3, 4, 5, 6, 7, 8, 3], [8, 0, 8, 8, 3, 6, 5, 6, 4, 7]
    pairs = [(names[one], names[other]) for one, other in zip(source, target)]
    whole = webrank.Graph.from_arrays(source, target)
    whole.save(tmp_path / "whole.bv")
    expected = webrank.open(tmp_path / "whole.bv").pagerank(form="streamed")
    with Graph(spark.createDataFrame(pairs, "src long, dst long"), workers=2) as graph:
        ranks = graph.pagerank()
        assert ranks.dtypes[0] == ("id", "bigint")
        found = by_name(ranks, "id")
        assert [found[name].score for name in names] == list(expected.values)
        seeded = by_name(graph.trustrank(seeds=[2**53 + 1]), "id")
        assert seeded[2**53 + 1].score > 0 and seeded[-5].score == 0


def test_numbers_of_nodes_and_nodes_without_arcs(spark: Any, tmp_path: Path) -> None:
    from webrank.spark import Graph

    source, target = [0, 0, 1, 2, 7], [1, 2, 2, 0, 7]
    table = spark.createDataFrame(list(zip(source, target)), ["src", "dst"])
    for nodes in (None, 12):
        whole = webrank.Graph.from_arrays(source, target, n=nodes)
        whole.save(tmp_path / f"{nodes}.bv")
        expected = webrank.open(tmp_path / f"{nodes}.bv").pagerank(form="streamed")
        with Graph(table, ids=True, nodes=nodes, workers=3) as graph:
            found = by_name(graph.pagerank(), "id")
            assert [found[node].score for node in range(len(found))] == list(expected.values)
            assert graph.nodes.count() == graph.num_nodes == whole.num_nodes
    names = spark.createDataFrame([("a",), ("b",), ("z",), ("a",)], ["page"])
    pairs = spark.createDataFrame([("a", "b")], ["src", "dst"])
    with Graph(pairs, nodes=names, workers=1) as graph:
        assert sorted(row.name for row in graph.nodes.collect()) == ["a", "b", "z"]
        assert by_name(graph.outdegree())["z"].score == 0.0


def test_parts_without_nodes(spark: Any) -> None:
    from webrank.spark import Graph

    table = spark.createDataFrame([("a", "b"), ("b", "a")], ["src", "dst"])
    with Graph(table, workers=5) as graph:
        assert {row.name: row.score for row in graph.pagerank().collect()} == pytest.approx(
            {"a": 0.5, "b": 0.5}
        )
