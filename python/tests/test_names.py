"""Names that are integers, tables of nodes, and what is said of files."""

from __future__ import annotations

import pickle
import warnings
from pathlib import Path

import numpy as np
import pytest

import webrank

ARCS = "10,9\n9,2\n2,10\n-3,10\n100,9\n"


@pytest.fixture
def integers(tmp_path: Path) -> webrank.Graph:
    path = tmp_path / "arcs.csv"
    path.write_text(ARCS)
    return webrank.open(path)


def test_names_that_are_integers_are_integers(integers: webrank.Graph) -> None:
    names = integers.names
    assert names is not None
    assert list(names) == [-3, 2, 9, 10, 100]
    assert (names[1], names[-2:], names.index(9), names.index("9")) == (2, [10, 100], 2, 2)
    assert 100 in names and "100" in names and 7 not in names
    assert repr(names) == "<5 names: -3, 2, 9, ...>"
    assert integers.successors(10) == [9] and integers.name(0) == -3
    scores = integers.indegree()
    assert scores[10] == scores["10"] == 2
    assert scores.top(1)[0].name == 9
    assert list(scores.to_dict()) == [-3, 2, 9, 10, 100]
    copy = pickle.loads(pickle.dumps(integers))
    assert list(copy.names) == [-3, 2, 9, 10, 100]
    assert list(integers.subgraph([9, 10]).names) == [9, 10]


def test_bundles_keep_them(integers: webrank.Graph, tmp_path: Path) -> None:
    integers.save(tmp_path / "g.bv")
    assert list(webrank.open(tmp_path / "g.bv").names or []) == [-3, 2, 9, 10, 100]


def test_a_merge_on_what_came_in_is_right(integers: webrank.Graph, tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    attributes = pandas.DataFrame({"id": [9, 10, 0, 1], "what": ["nine", "ten", "zero", "one"]})
    table = integers.indegree().to_pandas()
    assert list(table.columns[:2]) == ["name", "score"]
    assert table["name"].dtype == np.int64
    best = table[table["rank"] == 1].merge(attributes, left_on="name", right_on="id")
    assert list(best["what"]) == ["nine", "ten"]
    for name in ("t.csv", "t.parquet"):
        integers.indegree().save(tmp_path / name)
        read = pandas.read_csv if name.endswith("csv") else pandas.read_parquet
        table = read(tmp_path / name)
        assert "node" not in table and table["name"].dtype == np.int64
    polars = pytest.importorskip("polars")
    assert polars.DataFrame(integers.indegree())["name"].dtype == polars.Int64


def test_arrays_of_numpy_have_the_names(integers: webrank.Graph, tmp_path: Path) -> None:
    integers.indegree().save(tmp_path / "t.npy")
    table = np.load(tmp_path / "t.npy")
    assert table.dtype.names == ("name", "score")
    assert table["name"].tolist() == [-3, 2, 9, 10, 100]


def test_names_that_were_given_as_strings_stay_strings() -> None:
    graph = webrank.Graph.from_arrays([0, 1], [1, 0], names=["1", "2"])
    assert list(graph.names or []) == ["1", "2"]
    assert list(pickle.loads(pickle.dumps(graph)).names) == ["1", "2"]
    assert "node" in graph.indegree().to_pandas() if _has("pandas") else True
    numbered = webrank.Graph.from_arrays([0, 1], [1, 0], names=np.array([7, 5]))
    assert list(numbered.names or []) == [7, 5]
    with pytest.raises(webrank.ArgumentTypeError, match="strings or integers"):
        webrank.Graph.from_arrays([0], [0], names=[1.5])  # type: ignore[list-item]


def _has(module: str) -> bool:
    from importlib.util import find_spec

    return find_spec(module) is not None


def test_tables_of_integers_keep_their_type() -> None:
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    table = pandas.DataFrame({"source": [30, 4], "target": [4, 30]})
    assert list(webrank.Graph.from_pandas(table).names or []) == [4, 30]


def test_nodes_of_networkx_that_would_have_one_name_are_refused() -> None:
    networkx = pytest.importorskip("networkx")
    with pytest.raises(webrank.ArgumentError, match="the nodes 1 and '1' would both be called 1"):
        webrank.Graph.from_networkx(networkx.DiGraph([(1, "1")]))
    with pytest.raises(webrank.ArgumentError, match="the node '' has no name"):
        webrank.Graph.from_networkx(networkx.DiGraph([("", "a")]))
    graph = webrank.Graph.from_networkx(networkx.DiGraph([(7, 3), (3, 7)]))
    assert list(graph.names or []) == [7, 3]
    assert list(graph.to_networkx()) == [7, 3]
    texts = webrank.Graph.from_networkx(networkx.DiGraph([("7", "3")]))
    assert list(texts.names or []) == ["7", "3"]


def test_parallel_edges_of_networkx_add_up() -> None:
    networkx = pytest.importorskip("networkx")
    parallel = networkx.MultiDiGraph([("a", "b"), ("a", "b"), ("a", "c")])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        graph = webrank.Graph.from_networkx(parallel)
    assert graph.num_arcs == 2 and graph.has_weights
    ours = graph.pagerank()
    theirs = networkx.pagerank(parallel, backend="networkx")
    for node, score in theirs.items():
        assert ours[node] == pytest.approx(score, abs=1e-5)
    once = networkx.MultiGraph([("a", "b"), ("b", "c")])
    assert not webrank.Graph.from_networkx(once).has_weights


def test_named_and_unnamed_scores_are_not_compared(integers: webrank.Graph) -> None:
    unnamed = webrank.Graph.from_arrays([0, 1, 2, 3, 4], [1, 2, 3, 4, 0]).indegree()
    with pytest.raises(webrank.ArgumentError, match="numbers of nodes would be compared with names"):
        webrank.compare(integers.indegree(), unnamed)
    assert webrank.compare(integers.indegree(), integers.pagerank()).rows == 5


def test_files_are_undirected_if_they_are_said_to_be(tmp_path: Path) -> None:
    path = tmp_path / "arcs.csv"
    path.write_text("a,b\n")
    assert webrank.open(path).num_arcs == 1
    for options in ({"undirected": True}, {"symmetric": True}):
        assert webrank.open(path, **options).num_arcs == 2  # type: ignore[arg-type]
    webrank.open(path).save(tmp_path / "g.bv")
    assert webrank.open(tmp_path / "g.bv", undirected=True).num_arcs == 2


def test_a_table_of_nodes_names_them(tmp_path: Path) -> None:
    (tmp_path / "arcs.csv").write_text("7,9\n9,7\n")
    (tmp_path / "nodes.csv").write_text("Id,Label\n7,Ann\n9,Bob\n12,Eve\n")
    graph = webrank.open(tmp_path / "arcs.csv", nodes=tmp_path / "nodes.csv")
    assert list(graph.names or []) == ["Ann", "Bob", "Eve"]
    assert graph.successors("Ann") == ["Bob"]


def test_ids_from_1_are_names(tmp_path: Path) -> None:
    path = tmp_path / "arcs.txt"
    path.write_text("1 2\n2 4\n")
    with pytest.warns(webrank.ImportWarning, match="nodes occur in no line, the first is 0"):
        assert len(webrank.open(path, ids=True)) == 5
    with pytest.warns(webrank.ImportWarning, match="1 node occurs in no line, the first is 3"):
        graph = webrank.open(path, ids=True, ids_from=1)
    assert list(graph.names or []) == [1, 2, 3, 4]


def test_what_was_left_out_is_a_warning(tmp_path: Path) -> None:
    path = tmp_path / "arcs.csv"
    path.write_text("a,b\na,b\nb,c\n")
    with pytest.warns(webrank.ImportWarning, match="1 duplicate arc dropped") as caught:
        webrank.open(path)
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        webrank.open(path, duplicates="drop")


def test_a_missing_file_has_the_nearest_name(tmp_path: Path) -> None:
    (tmp_path / "edges.csv").write_text("a,b\n")
    with pytest.raises(FileNotFoundError, match="did you mean .*edges.csv"):
        webrank.open(tmp_path / "edgse.csv")
