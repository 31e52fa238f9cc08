"""Graphs from everywhere, and back."""

from __future__ import annotations

import pickle
import shutil
from pathlib import Path

import numpy as np
import pytest
from conftest import ROOT

import webrank

ARCS = [(0, 1), (0, 2), (1, 2), (2, 0)]
SRC, DST = (list(ends) for ends in zip(*ARCS))


def arcs(graph: webrank.Graph) -> list[tuple[int, int]]:
    matrix = graph.to_scipy().tocoo()
    return sorted(zip(matrix.row.tolist(), matrix.col.tolist()))


def weights(graph: webrank.Graph) -> dict[tuple[int, int], float]:
    matrix = graph.to_scipy().tocoo()
    return dict(zip(zip(matrix.row.tolist(), matrix.col.tolist()), matrix.data.tolist()))


@pytest.mark.parametrize("kind", ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", ">i4", ">u8"])
def test_arrays_of_all_integer_types(kind: str) -> None:
    graph = webrank.Graph.from_arrays(np.array(SRC, dtype=kind), np.array(DST, dtype=kind))
    assert arcs(graph) == ARCS
    assert (len(graph), graph.num_nodes, graph.num_arcs) == (3, 3, 4)


def test_arrays_may_be_views_or_lists() -> None:
    both = np.array(ARCS)
    assert arcs(webrank.Graph.from_arrays(both[:, 0], both[:, 1])) == ARCS
    assert arcs(webrank.Graph.from_arrays(both[::-1, 0], both[::-1, 1])) == ARCS
    assert arcs(webrank.Graph.from_arrays(SRC, DST)) == ARCS
    empty = webrank.Graph.from_arrays([], [])
    assert (len(empty), empty.num_arcs, bool(empty)) == (0, 0, True)


def test_arrays_longer_than_a_part() -> None:
    rng = np.random.default_rng(1)
    src, dst = rng.integers(0, 5000, (2, 1_500_000))
    graph = webrank.Graph.from_arrays(src.astype(np.uint16), dst)
    keys = np.unique(src * 5000 + dst)
    offsets, targets = graph._rows()
    assert graph.num_arcs == len(keys)
    assert (targets == keys % 5000).all()
    assert (np.diff(offsets).astype(int) == np.bincount(keys // 5000, minlength=5000)).all()


def test_number_of_nodes() -> None:
    assert len(webrank.Graph.from_arrays(SRC, DST, n=7)) == 7
    assert len(webrank.Graph.from_arrays([], [], n=7)) == 7
    assert len(webrank.Graph.from_arrays([], [], n=0)) == 0
    assert len(webrank.Graph.from_arrays(SRC, DST, names=list("abcd"))) == 4


def test_weights_and_duplicates() -> None:
    twice = [*SRC, 0], [*DST, 1]
    given = webrank.Graph.from_arrays(*twice, weights=[1, 2, 3, 4, 5])
    assert weights(given) == {(0, 1): 6, (0, 2): 2, (1, 2): 3, (2, 0): 4}
    assert given.has_weights and not given.without_weights().has_weights
    largest = webrank.Graph.from_arrays(*twice, weights=[1, 2, 3, 4, 5], duplicates="max")
    assert weights(largest)[0, 1] == 5
    assert arcs(webrank.Graph.from_arrays(*twice)) == ARCS
    with pytest.raises(webrank.WebrankError, match="twice|duplicate|several times"):
        webrank.Graph.from_arrays(*twice, duplicates=webrank.Duplicates.ERROR)


def test_symmetric_and_loops() -> None:
    graph = webrank.Graph.from_arrays([0, 1], [1, 1], symmetric=True, drop_loops=True)
    assert arcs(graph) == [(0, 1), (1, 0)]


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        (([0, 1], [1]), ValueError, "differ in length: src has 2, dst has 1"),
        (([0], [1], [1.0, 2.0]), ValueError, "weights has 2"),
        (([0, -3], [1, 1]), ValueError, r"src\[1\] is -3"),
        (([0], [2**32 - 1]), ValueError, r"dst\[0\]"),
        (([0], np.array([2**64 - 1], dtype=np.uint64)), ValueError, r"dst\[0\] is 1844"),
        (([0], [1], [float("nan")]), ValueError, r"weights\[0\].*NaN"),
        (([0], [1], [-1.0]), ValueError, r"weights\[0\].*-1"),
        (([0], [1], [-1.0]), ValueError, "negative"),
        (([0], [1], [float("inf")]), ValueError, "finite"),
        (([0], [5], None, 5), ValueError, "n = 5 nodes"),
        (([0], [5], None, -1), ValueError, "n is -1"),
        (([0], [5], None, 2**40), ValueError, "n is"),
        (([0.0], [1.0]), TypeError, "src holds float64"),
        ((["a"], ["b"]), TypeError, "from_arrow"),
        (([[0]], [1]), ValueError, "2 dimensions"),
        (([0], [1], ["x"]), TypeError, "weights holds"),
        ((None, [1]), (TypeError, ValueError), "src"),
    ],
)
def test_bad_arrays(arguments: tuple, error: type, words: str) -> None:
    with pytest.raises(error, match=words) as caught:
        webrank.Graph.from_arrays(*arguments)
    assert isinstance(caught.value, webrank.WebrankError)
    assert "\n" not in str(caught.value)


def test_bad_names() -> None:
    for names, words in [
        (["a", "b"], "leaves|n = 2|names"),
        (["a", "", "c"], "empty"),
        (["a", "b\nc", "d"], "line feed"),
    ]:
        with pytest.raises(ValueError, match=words):
            webrank.Graph.from_arrays(SRC, DST, names=names)
    with pytest.raises(TypeError, match="1.5"):
        webrank.Graph.from_arrays(SRC, DST, names=[1.5, 2, 3])


def test_an_array_that_changes_while_it_is_read() -> None:
    class Shrinking(webrank._arguments.Arcs):
        PART = 2

        def __call__(self, start: int):
            found = super().__call__(start)
            self.dst = self.dst[:3]
            return found

    parts = Shrinking([0, 1, 2, 0, 1], [1, 2, 0, 2, 0], None)
    with pytest.raises(webrank.ArgumentError, match="changed while they were read"):
        webrank._webrank.graph_of_arcs(parts, None, False, {}, None)


def test_what_reading_raises_comes_through() -> None:
    def read(start: int):
        raise LookupError(f"no part at {start}")

    with pytest.raises(LookupError, match="no part at 0"):
        webrank._webrank.graph_of_arcs(read, None, False, {}, None)


def test_names_are_a_sequence(small: webrank.Graph, debian: webrank.Graph) -> None:
    names = small.names
    assert names is not None
    assert list(names) == ["ant", "bee", "cat"]
    assert (len(names), names[-1], "bee" in names, "dog" in names) == (3, "cat", True, False)
    assert (names[:2], names[::-2], names.index("cat")) == (["ant", "bee"], ["cat", "ant"], 2)
    with pytest.raises(ValueError, match="dog"):
        names.index("dog")
    with pytest.raises(TypeError):
        names["ant"]
    with pytest.raises(IndexError):
        names[3]
    with pytest.raises(IndexError):
        names[-4]
    assert debian.node("libc6") == 16807 and debian.name(16807) == "libc6"
    assert webrank.Graph.from_arrays(SRC, DST).names is None


def test_keys(small: webrank.Graph) -> None:
    assert [small.node(key) for key in ("ant", 0, np.int64(2), "cat")] == [0, 0, 2, 2]
    assert "ant" in small and "dog" not in small and 1 in small and 3 not in small
    with pytest.raises(KeyError, match="did you mean"):
        small.node("antt")
    with pytest.raises(TypeError, match="no node"):
        small.node(1.5)
    assert small.successors("ant") == ["bee", "cat"]
    assert small.predecessors("cat") == ["ant", "bee"]


@pytest.mark.parametrize("library", ["pyarrow", "polars", "pandas"])
def test_tables(library: str) -> None:
    columns = {"source": ["x", "x", "y"], "target": ["y", "z", "z"], "weight": [1.0, 2.0, 3.0]}
    module = pytest.importorskip(library)
    if library == "pyarrow":
        graph = webrank.Graph.from_arrow(module.table(columns))
    elif library == "polars":
        graph = webrank.Graph.from_polars(module.DataFrame(columns))
    else:
        graph = webrank.Graph.from_pandas(module.DataFrame(columns, index=[7, 8, 9]))
    assert list(graph.names) == ["x", "y", "z"]
    assert weights(graph) == {(0, 1): 1, (0, 2): 2, (1, 2): 3}


def test_tables_of_numbers() -> None:
    polars = pytest.importorskip("polars")
    table = polars.DataFrame({"citing": [30, 10], "cited": [10, 20], "n": [1, 2]})
    named = webrank.Graph.from_polars(table, columns=["citing", "cited"])
    assert list(named.names) == [10, 20, 30] and not named.has_weights
    numbered = webrank.Graph.from_polars(table, columns=["citing", "cited", "n"], ids=True)
    assert numbered.names is None and len(numbered) == 31
    assert weights(numbered) == {(30, 10): 1, (10, 20): 2}
    categories = table.with_columns(polars.col("citing", "cited").cast(polars.String))
    categories = categories.with_columns(polars.col("citing").cast(polars.Categorical))
    assert len(webrank.Graph.from_polars(categories, columns=[1, 2])) == 3


def test_bad_tables() -> None:
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame
    for table, options, error, words in [
        (frame({"a": [1], "b": [2], "c": [3], "d": [4]}), {}, ValueError, "which columns hold the arcs"),
        (frame({"a": [1], "b": [2]}), {"columns": "a,x"}, ValueError, "no column 'x'"),
        (frame({"source": [1.5], "target": [2]}), {}, ValueError, "strings, integers or decimals"),
        (frame({"source": [1, None], "target": [2, 3]}), {}, ValueError, "row 2.*null"),
        (frame({"source": [-1], "target": [2]}), {"ids": True}, ValueError, "row 1.*-1"),
        ({"source": [1]}, {}, TypeError, "__arrow_c_stream__"),
    ]:
        with pytest.raises(error, match=words) as caught:
            webrank.Graph.from_arrow(table, **options)
        assert "--" not in str(caught.value)
    with pytest.raises(webrank.FileError, match=r"row 2: the weight NaN"):
        table = frame({"source": [1, 2], "target": [2, 3], "weight": [1.0, float("nan")]})
        webrank.Graph.from_arrow(table)


def test_scipy() -> None:
    sparse = pytest.importorskip("scipy.sparse")
    matrix = sparse.coo_array(([2.0, 3.0, 4.0, 5.0], (SRC, DST)), shape=(4, 4))
    for form in (matrix, matrix.tocsr(), matrix.tocsc(), sparse.csr_matrix(matrix)):
        graph = webrank.Graph.from_scipy(form)
        assert len(graph) == 4
        assert (graph.to_scipy() != matrix).nnz == 0
    assert not webrank.Graph.from_scipy(matrix, unweighted=True).has_weights
    assert not webrank.Graph.from_scipy(matrix.astype(bool)).has_weights
    zero = sparse.csr_array(([0.0, 1.0], ([0, 1], [1, 0])), shape=(2, 2))
    assert arcs(webrank.Graph.from_scipy(zero)) == [(1, 0)]
    with pytest.raises(ValueError, match="square"):
        webrank.Graph.from_scipy(sparse.coo_array((2, 3)))
    with pytest.raises(TypeError):
        webrank.Graph.from_scipy(np.eye(2))


@pytest.mark.parametrize("form", ["csr", "csc", "bsr"])
@pytest.mark.parametrize(
    ("part", "values"),
    [
        ("indptr", [0, 10**9, 1, 2, 2]),
        ("indptr", [5, 1, 2, 3, 4]),
        ("indptr", [0, 2, 1, 3, 4]),
        ("indptr", [0, -7, 1, 3, 4]),
        ("indptr", [0, 1, 2, 3, 400]),
        ("indptr", [0, 4]),
        ("indices", [0, 1, 2, 4]),
        ("indices", [0, 1, -2, 3]),
        ("indices", [0, 1]),
        ("data", [1.0]),
    ],
)
def test_damaged_matrices(form: str, part: str, values: list[Any]) -> None:
    sparse = pytest.importorskip("scipy.sparse")
    matrix = sparse.coo_array(([1.0, 2.0, 3.0, 4.0], ([0, 1, 2, 3], [1, 2, 3, 0])), shape=(4, 4))
    matrix = matrix.asformat(form)
    wrong = np.array(values, dtype=getattr(matrix, part).dtype)
    if form == "bsr" and part == "data":
        wrong = wrong.reshape(-1, 1, 1)
    setattr(matrix, part, wrong)
    with pytest.raises(ValueError, match="the matrix is damaged: ") as caught:
        webrank.Graph.from_scipy(matrix)
    assert "\n" not in str(caught.value)


def test_damaged_coordinates() -> None:
    sparse = pytest.importorskip("scipy.sparse")
    for row, words in [([0, 4], "src"), ([0, -1], "src"), ([0], "")]:
        matrix = sparse.coo_array(([1.0, 2.0], ([0, 1], [1, 0])), shape=(2, 2))
        matrix.coords = (np.array(row), matrix.col)
        with pytest.raises(ValueError, match=words):
            webrank.Graph.from_scipy(matrix)


def test_names_that_occur_twice() -> None:
    for names in (["a", "a"], ["b", "a", "b"], ["a", "b", "b"]):
        with pytest.raises(ValueError, match="occurs twice"):
            webrank.Graph.from_arrays([0], [1], names=names)


def test_networkx() -> None:
    networkx = pytest.importorskip("networkx")
    directed = networkx.DiGraph([("b", "a"), ("a", "c")])
    graph = webrank.Graph.from_networkx(directed)
    assert list(graph.names) == ["b", "a", "c"] and arcs(graph) == [(0, 1), (1, 2)]
    assert list(webrank.Graph.from_networkx(graph.to_networkx()).names) == ["b", "a", "c"]
    weighted = networkx.Graph()
    weighted.add_edge(0, 1, weight=2.5)
    weighted.add_edge(1, 2)
    graph = webrank.Graph.from_networkx(weighted)
    assert graph.names is None
    assert weights(graph) == {(0, 1): 2.5, (1, 0): 2.5, (1, 2): 1, (2, 1): 1}
    assert not webrank.Graph.from_networkx(weighted, weight=None).has_weights
    assert webrank.Graph.from_networkx(networkx.Graph([(1, 1)])).num_arcs == 1
    parallel = networkx.MultiDiGraph([("a", "b"), ("a", "b")])
    added = webrank.Graph.from_networkx(parallel)
    assert added.num_arcs == 1 and added.has_weights
    assert len(webrank.Graph.from_networkx(networkx.DiGraph())) == 0


def test_igraph() -> None:
    igraph = pytest.importorskip("igraph")
    directed = igraph.Graph(edges=ARCS, directed=True)
    assert arcs(webrank.Graph.from_igraph(directed)) == ARCS
    directed.vs["name"] = ["x", "y", "z"]
    directed.es["weight"] = [1.0, 2.0, 3.0, 4.0]
    graph = webrank.Graph.from_igraph(directed)
    assert list(graph.names) == ["x", "y", "z"] and weights(graph)[2, 0] == 4
    undirected = igraph.Graph(edges=[(0, 1)])
    assert arcs(webrank.Graph.from_igraph(undirected)) == [(0, 1), (1, 0)]


def test_save_and_open(small: webrank.Graph, tmp_path: Path) -> None:
    path = tmp_path / "small.bv"
    small.save(path)
    again = webrank.open(path)
    assert list(again.names) == list(small.names) and arcs(again) == arcs(small)
    assert (again.pagerank().values == small.pagerank().values).all()
    with pytest.raises(webrank.WebrankError, match="small.bv"):
        small.save(path)
    weighted = webrank.Graph.from_arrays(SRC, DST, [0.1, 2.0, 3.0, 4.0])
    weighted.save(path, replace=True, compact=True)
    assert weights(webrank.open(path)) == weights(weighted)
    assert not webrank.open(path, unweighted=True).has_weights
    debian = webrank.open(ROOT / "graphs" / "debian.bv")
    debian.save(tmp_path / "debian.bv")
    assert list(webrank.open(tmp_path / "debian.bv").names) == list(debian.names)


def test_open_files_of_other_formats(tmp_path: Path) -> None:
    path = tmp_path / "links.tsv"
    path.write_text("ant\tbee\nant\tcat\nbee\tcat\ncat\tant\n")
    graph = webrank.open(path)
    assert list(graph.names) == ["ant", "bee", "cat"] and arcs(graph) == ARCS
    assert graph.path == str(path)
    (tmp_path / "ids.csv").write_text("0,1,2.5\n1,0,3\n")
    numbered = webrank.open(str(tmp_path / "ids.csv"), ids=True)
    assert weights(numbered) == {(0, 1): 2.5, (1, 0): 3}
    chosen = webrank.open(tmp_path / "ids.csv", columns=[2, 1], header=False)
    assert list(chosen.names) == [0, 1] and not chosen.has_weights
    symmetric = webrank.open(path, symmetric=True, order="given", format="edges")
    assert symmetric.num_arcs == 6


def test_files_that_cannot_be_opened(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        webrank.open(tmp_path / "nothing.bv")
    assert caught.value.filename == str(tmp_path / "nothing.bv")
    bad = tmp_path / "bad.tsv"
    bad.write_text("a\tb\nc\n\td\n")
    with pytest.raises(webrank.FileError, match="bad.tsv, line 3"):
        webrank.open(bad)
    bad.write_text("a,b,c\n")
    with pytest.raises(ValueError, match="columns says") as problem:
        webrank.open(bad)
    assert "--" not in str(problem.value)
    with pytest.raises(webrank.FileError, match="not a workbook of Excel"):
        webrank.open(bad, format="xlsx")
    with pytest.raises(webrank.ArgumentError, match="format is 'xls': choose from 'edges'"):
        webrank.open(bad, format="xls")
    with pytest.raises((TypeError, ValueError)):
        webrank.open(3)
    with pytest.raises((OSError, ValueError)):
        webrank.open("a\0b")


def test_a_graph_that_is_damaged_while_it_is_open(tmp_path: Path) -> None:
    copy = tmp_path / "copy.bv"
    shutil.copytree(ROOT / "graphs" / "rust-doc.bv", copy)
    graph = webrank.open(copy)
    data = (copy / "graph.graph").read_bytes()
    (copy / "graph.graph").write_bytes(data[: len(data) // 2])
    (copy / "transpose.graph").write_bytes(b"")
    with pytest.raises((webrank.FileError, OSError), match="graph"):
        graph.pagerank()
    (copy / "graph.graph").unlink()
    with pytest.raises((webrank.FileError, OSError)):
        graph.harmonic()


def test_a_bundle_without_a_manifest_warns(tmp_path: Path) -> None:
    copy = tmp_path / "copy.bv"
    shutil.copytree(ROOT / "graphs" / "rust-doc.bv", copy)
    (copy / "manifest.json").unlink()
    with pytest.warns(webrank.WebrankWarning, match="no manifest.json"):
        webrank.open(copy)


def test_pickles(small: webrank.Graph, debian: webrank.Graph, tmp_path: Path) -> None:
    weighted = webrank.Graph.from_arrays(SRC, DST, [1.0, 2.0, 3.0, 4.0], n=5)
    for graph in (small, weighted, debian, webrank.Graph.from_arrays([], [])):
        again = pickle.loads(pickle.dumps(graph))
        assert arcs(again) == arcs(graph)
        assert (again.names is None) == (graph.names is None)
        assert again.has_weights == graph.has_weights
    assert weights(pickle.loads(pickle.dumps(weighted))) == weights(weighted)
    assert len(pickle.dumps(debian)) < 1000
    small.save(tmp_path / "small.bv")
    pickled = pickle.dumps(webrank.open(tmp_path / "small.bv"))
    weighted.save(tmp_path / "small.bv", replace=True)
    with pytest.raises(webrank.ArgumentError, match="another graph"):
        pickle.loads(pickled)


def test_a_damaged_pickle_is_an_error() -> None:
    offsets, targets = np.array([0, 2], dtype="u8"), np.array([0, 7], dtype="u4")
    with pytest.raises(webrank.ArgumentError, match="graph:"):
        webrank.graph._rebuilt(offsets, targets, None, None)


def test_representations(small: webrank.Graph, debian: webrank.Graph) -> None:
    assert repr(small) == "<Graph: 3 nodes, 4 arcs>"
    assert "63436 nodes, 309498 arcs" in repr(debian)
    html = debian._repr_html_()
    assert "309,498" in html and "libc6" in html
    wicked = webrank.Graph.from_arrays([0], [1], names=["<script>", "b\x1b"])
    assert "<script>" not in wicked._repr_html_()
    assert "\x1b" not in wicked.pagerank()._repr_html_()
    with pytest.raises(TypeError, match="webrank.open"):
        webrank.Graph([(0, 1)])
    with pytest.raises(TypeError):
        iter(small)
