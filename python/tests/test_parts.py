"""Parts of graphs, what is known of a node, and graphs that do not fit into memory."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import numpy as np
import pytest
from conftest import ROOT

import webrank


def test_subgraphs() -> None:
    weights = [1.0, 2.0, 3.0, 4.0, 5.0]
    graph = webrank.Graph.from_arrays(
        [0, 0, 1, 2, 3], [1, 2, 2, 0, 3], weights, names=["ant", "bee", "cat", "dog"]
    )
    part = graph.subgraph(["cat", 0, "dog", "cat"])
    assert list(part.names) == ["ant", "cat", "dog"]
    assert part.to_scipy().toarray().tolist() == [[0, 2, 0], [4, 0, 0], [0, 0, 5]]
    near = graph.subgraph(["bee"], neighbours=True)
    assert list(near.names) == ["ant", "bee", "cat"] and near.num_arcs == 4
    plain = graph.without_weights().subgraph("bee", neighbours=True)
    assert not plain.has_weights and plain.num_arcs == 4 and plain.path is None
    assert len(graph.subgraph([])) == 0
    # Without names, numbers become names.
    numbered = webrank.Graph.from_arrays([0, 1, 2], [1, 2, 0]).subgraph([2, 1])
    assert list(numbered.names) == [1, 2] and numbered.successors(1) == [2]
    with pytest.raises(KeyError, match="cow"):
        graph.subgraph(["ant", "cow"])
    with pytest.raises(webrank.ArgumentTypeError, match="no list of nodes"):
        graph.subgraph(1.5)


def test_a_subgraph_is_that_of_the_command(
    debian: webrank.Graph, command: str, tmp_path: Path
) -> None:
    nodes = tmp_path / "nodes.txt"
    nodes.write_text("libc6\nzlib1g\n")
    bundle = tmp_path / "part.bv"
    call = [command, "subgraph", str(ROOT / "graphs" / "debian.bv"), "-q", "--neighbours"]
    subprocess.run([*call, "--nodes", str(nodes), "-o", str(bundle)], check=True)
    theirs, ours = webrank.open(bundle), debian.subgraph(["zlib1g", "libc6"], neighbours=True)
    assert list(ours.names) == list(theirs.names) and ours.num_arcs > 10_000
    for mine, other in zip(ours._rows(), theirs._rows()):
        assert (mine == other).all()


def test_what_is_known_of_a_node_is_what_the_command_says(
    debian: webrank.Graph, command: str
) -> None:
    graph = ROOT / "graphs" / "debian.bv"
    for node in ("zlib1g", "libc6", "a2jmidid"):
        call = [command, "explain", str(graph), node, "--json"]
        run = subprocess.run(call, capture_output=True, text=True, check=True)
        theirs = json.loads(run.stdout)
        assert theirs.pop("tables") == []
        assert debian.explain(node) == theirs
    path = webrank.Graph.from_arrays([0, 1], [1, 2])
    assert path.explain(1) == {
        "node": 1, "indegree": 1, "outdegree": 1,
        "distances_to_it": [1, 1], "distances_from_it": [1, 1],
    }  # fmt: skip
    with pytest.raises(KeyError, match="3"):
        path.explain(3)


def test_sums_of_lengths_from_a_node_are_those_of_the_command(
    command: str, tmp_path: Path
) -> None:
    file = tmp_path / "roads.csv"
    file.write_text("a,b,0.1\nb,c,0.2\na,c,0.5\nc,d,4\n")
    roads = webrank.open(file)
    for lengths, cutoff in [("weights", None), ("weights", 0.3), (None, 1), ("inverse", None)]:
        options = [["--lengths", lengths], ["--cutoff", str(cutoff)]]
        given = [option for option in options if option[1] not in (None, "None")]
        call = [command, "explain", str(file), "b", "--json", *sum(given, [])]
        run = subprocess.run(call, capture_output=True, text=True, check=True)
        theirs = json.loads(run.stdout)
        assert theirs.pop("tables") == []
        assert roads.explain("b", lengths=lengths, cutoff=cutoff) == theirs
    assert roads.explain("c", lengths="weights")["lengths_to_it"] == {
        "nodes": 2, "nearest": 0.2, "mean": 0.25, "farthest": 0.3,
    }  # fmt: skip
    with pytest.raises(webrank.ArgumentError, match="cutoff"):
        roads.explain("b", cutoff=-1)


def test_paths_are_those_of_the_command(debian: webrank.Graph, command: str) -> None:
    graph = ROOT / "graphs" / "debian.bv"
    for ends in (("vlc", "libc6"), ("libc6", "vlc"), ("vlc", "vlc")):
        call = [command, "path", str(graph), *ends, "--json", "-n", "7"]
        theirs = json.loads(subprocess.run(call, capture_output=True, text=True, check=True).stdout)
        ours = debian.paths(*ends, top=7)
        assert (ours["length"], str(ours["count"])) == (theirs["length"], theirs["count"])
        assert ours["paths"] == [[node["name"] for node in path] for path in theirs["paths"]]
    chain = webrank.Graph.from_arrays([0, 1], [1, 2])
    assert chain.paths(0, 2) == {"length": 2, "count": 1, "paths": [["0", "1", "2"]]}
    assert chain.paths(2, 0) == {"length": None, "count": 0, "paths": []}
    with pytest.raises(KeyError, match="3"):
        chain.paths(0, 3)


def test_the_shares_of_a_score_are_those_of_the_command(
    debian: webrank.Graph, command: str, tmp_path: Path
) -> None:
    pagerank, harmonic = debian.pagerank(), debian.hits()
    files = [str(tmp_path / name) for name in ("pagerank.csv", "hits.csv")]
    for scores, file in zip((pagerank, harmonic), files):
        scores.save(file)
    graph = str(ROOT / "graphs" / "debian.bv")
    call = [command, "explain", graph, "zlib1g", *files, "--json", "--top", "3"]
    theirs = json.loads(subprocess.run(call, capture_output=True, text=True, check=True).stdout)
    for table in theirs["tables"]:
        del table["table"]
    ours = debian.explain("zlib1g", pagerank, harmonic, top=3)
    assert len(ours["tables"]) == 3 and ours == theirs
    found = ours["tables"][0]
    inflow = found["inflow"]
    parts = sum(giver["gives"] for giver in inflow["first"]) + inflow["from_others"]
    parts += inflow["from_start"] + inflow["from_dangling"]
    assert abs(parts - found["score"]) < 1e-15 and inflow["first"][0]["name"] == "dpkg"
    weighted = webrank.Graph.from_arrays([0, 0, 1, 2], [1, 2, 2, 0], weights=[1, 3, 7, 2])
    scores = weighted.pagerank(tolerance=1e-12)
    [found] = weighted.explain(2, scores)["tables"]
    assert found["inflow"]["first"][0] == {"gives": pytest.approx(0.85 * 0.75 * scores[0]), "node": 0}
    integers = webrank.Graph.from_arrays([0, 1], [1, 0], names=[30, 10])
    [found] = integers.explain(30, integers.pagerank())["tables"]
    assert found["inflow"]["first"][0]["name"] == 10
    with pytest.raises(webrank.ArgumentTypeError, match="list is no Scores"):
        integers.explain(30, [0.5, 0.5])


def test_a_neighbourhood_is_drawn(debian: webrank.Graph) -> None:
    pyplot = pytest.importorskip("matplotlib.pyplot")
    scores = debian.pagerank()
    axes = debian.plot_neighbourhood("wget", scores, without=["libc6"])
    texts = [text.get_text() for text in axes.texts]
    assert "libc6 (1)" in texts and f"wget ({scores.rank[debian.node('wget')]:,})" in texts
    arrows = [text for text in axes.texts if not text.get_text()]
    # One arrow to libc6 is there: that of wget.
    assert sum(arrow.xy == axes_place(axes, "libc6 (1)") for arrow in arrows) == 1
    everything = debian.plot_neighbourhood("wget", scores)
    assert len(everything.texts) > len(axes.texts)
    hub = debian.plot_neighbourhood("zlib1g", scores, steps=1, direction="in", most=5)
    labels = [label.get_text() for label in hub.get_xticklabels()]
    assert labels == ["zlib1g", "1 step\n5 of 2,202"]
    assert len(debian.plot_neighbourhood("a2jmidid", axes=hub).texts) > 6
    with pytest.raises(webrank.ArgumentError, match="direction is 'up'"):
        debian.plot_neighbourhood("wget", direction="up")
    with pytest.raises(KeyError, match="wgett"):
        debian.plot_neighbourhood("wgett")
    with pytest.raises(webrank.ArgumentTypeError, match="ndarray is no Scores"):
        debian.plot_neighbourhood("wget", scores.values)
    other = webrank.Graph.from_arrays([0, 1], [1, 0], names=["x", "y"]).pagerank()
    with pytest.raises(webrank.ArgumentError, match="are they of another graph"):
        debian.plot_neighbourhood("wget", other)
    pyplot.close("all")


def axes_place(axes, text: str):
    return next(found.xy for found in axes.texts if found.get_text() == text)


def test_a_limit_of_memory_holds_while_a_graph_is_read(tmp_path: Path) -> None:
    arcs = 3_000_000
    rows = np.arange(arcs, dtype=np.int64) // 3
    columns = (rows * 7 + np.arange(arcs) * 1000) % (arcs // 3)
    path = tmp_path / "large.npz"
    shape = np.array([arcs // 3, arcs // 3])
    kept = {"row": rows, "col": columns, "data": np.ones(arcs), "shape": shape}
    np.savez(path, format=np.array(b"coo"), **kept)
    # This process holds more already.
    with pytest.raises(webrank.OutOfMemory, match="memory") as caught:
        webrank.open(path, memory="1M")
    assert "\n" not in str(caught.value)
    # Then there is no limit any more, and a large one refuses nothing.
    first = webrank.open(path).fingerprint
    for memory in ("1000G", 10**15):
        assert webrank.open(path, memory=memory).fingerprint == first
    for memory, words in (("8X", "memory is '8X'"), (-1, "memory is -1")):
        with pytest.raises(webrank.ArgumentError, match=words):
            webrank.open(path, memory=memory)
    # A graph that needs none of it is opened within any limit.
    assert len(webrank.open(ROOT / "graphs" / "rust-doc.bv", memory=10**15)) == 32_101


def test_tables_in_parts_are_read_by_all(command: str, tmp_path: Path) -> None:
    duckdb, pandas = pytest.importorskip("duckdb"), pytest.importorskip("pandas")
    polars, dataset = pytest.importorskip("polars"), pytest.importorskip("pyarrow.dataset")

    def run(*words: object) -> None:
        subprocess.run([command, *map(str, words), "-q"], check=True, capture_output=True)

    shards, whole, parts = (tmp_path / name for name in ("g.shards", "one.parquet", "scores"))
    run("shard", ROOT / "graphs" / "debian.bv", "-n", 3, "-o", shards)
    for output in (whole, f"{parts}/"):
        run("pagerank", shards, "--workers", 2, "-o", output)
    expected = pandas.read_parquet(whole)
    tables = [
        pandas.read_parquet(parts),
        polars.read_parquet(parts / "*.parquet").to_pandas(),
        dataset.dataset(parts).to_table().to_pandas(),
        duckdb.sql(f"select * from '{parts}/*.parquet' order by node").df(),
    ]
    for table in tables:
        assert str(table["node"].dtype) == str(table["rank"].dtype) == "int64"
        pandas.testing.assert_frame_equal(table, expected, check_dtype=False)
