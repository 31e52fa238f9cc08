"""Scores, their tables, and comparisons of them."""

from __future__ import annotations

import gc
import itertools
import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import ROOT

import webrank


def test_values_share_memory_and_outlive_their_scores(debian: webrank.Graph) -> None:
    scores = debian.pagerank()
    first, second = scores.values, scores.values
    assert np.shares_memory(first, second)
    assert not first.flags.writeable and not first.flags.owndata
    copy = first.copy()
    del scores, second
    gc.collect()
    assert (first == copy).all()
    with pytest.raises(ValueError, match="read-only"):
        first[0] = 1.0


def test_an_array_of_scores(small: webrank.Graph) -> None:
    scores = small.pagerank()
    assert (np.asarray(scores) == scores.values).all()
    assert np.asarray(scores, dtype="f4").dtype == np.float32
    assert np.array(scores).flags.writeable
    assert abs(np.sum(scores) - 1) < 1e-9


def test_scores_by_key(small: webrank.Graph) -> None:
    scores = small.indegree()
    assert [scores["ant"], scores[0], scores[np.int32(2)]] == [1, 1, 2]
    assert scores.get("dog") is None and scores.get("dog", 7) == 7
    assert "ant" in scores and "dog" not in scores and None not in scores
    with pytest.raises(KeyError, match="dog"):
        scores["dog"]
    with pytest.raises(TypeError):
        scores[None]
    with pytest.raises(TypeError):
        iter(scores)
    assert scores.to_dict() == {"ant": 1, "bee": 1, "cat": 2}
    assert webrank.Graph.from_arrays([0], [1]).indegree().to_dict() == {0: 0, 1: 1}


def test_ranks_and_proofs(debian: webrank.Graph) -> None:
    scores = debian.pagerank()
    top = scores.top(4)
    assert [row.name for row in top] == ["libc6", "libgcc-s1", "libidn2-0", "gcc-12-base"]
    assert [row.rank for row in top] == [1, 2, 3, 4] and all(row.certain for row in top)
    assert scores.proved_positions == 218
    assert scores.certain.dtype == bool and scores.certain[scores.order[:218]].all()
    assert 0 < scores.error_bound < 1e-9
    assert scores.guarantee == {
        "kind": "within", "half_width": scores.error_bound, "probability": None
    }  # fmt: skip
    assert (np.sort(scores.values)[::-1] == scores.values[scores.order]).all()
    expected = 1 + (scores.values[None, :50] < scores.values[:, None]).sum(axis=0)
    assert (scores.rank[:50] == expected).all()
    assert scores.top(0) == [] and len(scores.top(10**9)) == len(scores)


def test_certainty_of_other_outcomes(small: webrank.Graph) -> None:
    assert small.indegree().error_bound == 0 and small.indegree().guarantee == {"kind": "exact"}
    eigenvector = small.eigenvector()
    assert eigenvector.error_bound is None and eigenvector.guarantee["kind"] == "none"
    assert eigenvector.certain is None and eigenvector.outcome["kind"] == "eigen"
    estimated = small.harmonic(method="hyperball")
    assert estimated.error_bound is None and estimated.outcome["kind"] == "estimated"
    sampled = small.betweenness(method="approx", epsilon=0.2)
    bounds = sampled.bounds
    assert set(bounds) == {"lower", "upper"}
    assert (bounds["lower"] <= sampled.values).all() and (sampled.values <= bounds["upper"]).all()
    assert "upper" in sampled._repr_html_()


def test_several_columns(small: webrank.Graph) -> None:
    scores = small.pagerank(alphas=[0.5, 0.85])
    assert list(scores.columns) == ["score_0.5", "score_0.85"]
    assert (scores.columns["score_0.85"] != scores.columns["score_0.5"]).any()
    assert list(small.hits().columns) == ["authority", "hub"]


def test_manifests(debian: webrank.Graph) -> None:
    manifest = debian.pagerank(alpha=0.9, preference={"libc6": 1}).manifest
    assert manifest["columns"]["score"]["parameters"]["alpha"] == 0.9
    assert manifest["graph"]["fingerprint"] == debian.fingerprint
    assert manifest["command"] == ["webrank", "pagerank", "alpha=0.9", "preference=(dict)"]


@pytest.mark.parametrize("ending", ["csv", "csv.gz", "tsv", "jsonl", "parquet", "arrow", "npy"])
def test_files(ending: str, small: webrank.Graph, tmp_path: Path) -> None:
    scores = small.pagerank()
    path = tmp_path / f"scores.{ending}"
    scores.save(path)
    account = json.loads((tmp_path / f"scores.{ending}.json").read_text())
    assert account["table"]["bytes"] == path.stat().st_size
    same = webrank.compare(scores, path)
    assert same.l1 == 0 and same.rows == 3
    if ending == "npy":
        assert (np.load(path) == scores.values).all()
        with pytest.raises(webrank.FileError, match="leave out top and sort"):
            scores.save(path, top=2)


def test_rows_of_files(small: webrank.Graph, tmp_path: Path) -> None:
    path = tmp_path / "best.csv"
    small.pagerank().to_csv(path, top=2, sort="score")
    assert path.read_text().splitlines()[:2] == [
        "node,name,score,rank,certain", "2,cat,0.39739966082532113,1,true"
    ]  # fmt: skip
    for save, words in [
        (lambda: small.pagerank().to_csv(tmp_path / "x.parquet"), "must end with .csv"),
        (lambda: small.pagerank().to_parquet(tmp_path / "x.csv"), "must end with .parquet"),
        (lambda: small.pagerank().save(tmp_path / "x.xlsx"), "write .csv"),
        (lambda: small.pagerank().save(path, sort="x"), "choose from 'node', 'score'"),
        (lambda: small.pagerank().save(tmp_path / "no" / "x.csv"), "does not exist"),
    ]:
        with pytest.raises((ValueError, OSError), match=words):
            save()
    small.pagerank().to_parquet(tmp_path / "all.parquet")


def test_arrow_tables(small: webrank.Graph) -> None:
    scores = small.pagerank()
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table(scores)
    assert table.column_names == ["node", "name", "score", "rank", "certain"]
    assert table["score"].to_pylist() == scores.values.tolist()
    assert json.loads(table.schema.metadata[b"webrank"])["columns"]["score"]["measure"]
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(scores)
    assert frame.sort("rank")["name"].to_list() == ["cat", "ant", "bee"]
    assert polars.DataFrame(webrank.Graph.from_arrays([], []).pagerank()).height == 0


def test_duckdb(small: webrank.Graph) -> None:
    duckdb = pytest.importorskip("duckdb")
    scores = small.pagerank()
    found = duckdb.sql("select name from scores order by score desc limit 1").fetchall()
    assert len(scores) == 3 and found == [("cat",)]
    table = duckdb.sql("select 'a' as source, 'b' as target")
    assert list(webrank.Graph.from_arrow(table).names) == ["a", "b"]


def test_pandas(small: webrank.Graph) -> None:
    pytest.importorskip("pandas")
    frame = small.pagerank().to_pandas()
    assert list(frame.columns) == ["node", "name", "score", "rank", "certain"]
    assert frame.set_index("name")["score"]["cat"] == 0.39739966082532113


def test_representations(small: webrank.Graph, debian: webrank.Graph) -> None:
    scores = debian.pagerank()
    text = repr(scores)
    assert "63436 nodes" in text and "alpha 0.85" in text and "certified l1 error at most" in text
    html = scores._repr_html_()
    assert "libc6" in html and "the first 218 positions are proved" in html
    assert "at most" in html and "63,426 more nodes" in html
    with pytest.raises(TypeError, match="not pickled"):
        pickle.dumps(scores)


def test_plots(debian: webrank.Graph) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    for scores in (
        debian.pagerank(),
        debian.betweenness(method="approx", epsilon=0.1),
        webrank.Graph.from_arrays([], []).indegree(),
        webrank.Graph.from_arrays([0], [1], names=["$a", "b_$"]).harmonic(),
    ):
        axes = scores.plot(top=5)
        assert axes[0].get_title() == scores.measure
        assert len(axes[1].patches) == min(5, len(scores))
        axes[0].figure.canvas.draw()
        pyplot.close("all")


def overlaps(axis: Any) -> list[tuple[str, str]]:
    """The labels of an axis that lie on each other, as they are drawn."""
    ticks = [*axis.get_ticklabels(), *axis.get_ticklabels(minor=True)]
    boxes = [(tick.get_text(), tick.get_window_extent()) for tick in ticks if tick.get_text()]
    side = "xy".index(axis.axis_name)
    low, high = axis.axes.transAxes.transform([(0, 0), (1, 1)])[:, side]
    # Boxes outside of the axes are not drawn.
    drawn = [it for it in boxes if low - 1 <= it[1].get_points()[:, side].mean() <= high + 1]
    return [
        (one, other)
        for (one, box), (other, beside) in itertools.combinations(drawn, 2)
        if box.overlaps(beside)
    ]


def test_labels_of_plots_do_not_overlap(debian: webrank.Graph) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    names = ["ant" * 40, "b" * 41, "c" * 40, "$d"]
    small = webrank.Graph.from_arrays([0, 0, 1, 2, 3], [1, 2, 2, 0, 1], names=names)
    rankings = [debian.pagerank(), debian.indegree(), debian.betweenness(method="approx")]
    rankings += [small.pagerank(), small.harmonic(), small.indegree()]
    for scores, top in itertools.product(rankings, (3, 20, 100)):
        # In figures of their own, and in small ones that are given.
        for given in (False, True):
            axes = pyplot.subplots(1, 2, figsize=(8, 3))[1] if given else None
            drawn = scores.plot(top=top, axes=axes)
            drawn[0].figure.canvas.draw()
            for axis in (drawn[0].xaxis, drawn[0].yaxis, drawn[1].xaxis, drawn[1].yaxis):
                assert overlaps(axis) == [], f"{scores} {top} {given}"
            labelled = len(drawn[1].get_yticklabels())
            assert labelled == min(top, len(scores)) or (given and labelled >= 15)
            pyplot.close("all")
    labels = [label.get_text() for label in small.indegree().plot()[1].get_yticklabels()]
    assert labels[0] == "b" * 20 + "…" + "b" * 19 + " 1"
    assert r"\$d 4" in labels and "c" * 40 + " 1" in labels
    pyplot.close("all")


def test_comparisons(debian: webrank.Graph, tmp_path: Path) -> None:
    pagerank, harmonic = debian.pagerank(), debian.harmonic()
    found = webrank.compare(pagerank, harmonic)
    # As the README prints them.
    assert found.names == ["pagerank", "harmonic"] and found.rows == 63436
    for name, value in [
        ("tau_b", 0.746609), ("weighted_tau", 0.893081), ("rho", 0.897253),
        ("pearson_log", 0.655932), ("gamma", 0.755048), ("ap_symmetric", 0.618922),
        ("l1", 1.404673), ("l_infinity", 0.166873),
    ]:  # fmt: skip
        assert round(getattr(found, name), 6) == value
        assert found[name] == getattr(found, name) == found.coefficients[name]
    assert round(found.rbo, 6) == 0.747086 and found["overlap_10"] == 7
    assert all(type(value) in (float, type(None)) for value in found.coefficients.values())
    # Each of three equal nodes is among the first 2 in two of three orders.
    assert webrank.compare([1, 1, 1], [9, 2, 1], top=[2])["overlap_2"] == pytest.approx(4 / 3)
    assert found["ap_x_is_truth"] is None
    climber = found.movers(5).climbers[0]
    assert climber == ("qml-module-org-kde-kcmutils", 35239, 718)
    assert found.movers(1, pair=(1, 0)).fallers[0] == (climber.name, 718, 35239)
    assert found.movers(1, change="ratio") != found.movers(1)
    assert found.matrix("tau_b")[0, 1] == found.tau_b
    assert len(found.to_records()) == len(found.coefficients)
    assert found.to_dict()["rows"] == 63436
    assert "<svg" in found.html() and "<iframe" in found._repr_html_()
    found.save_html(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text() == found.html()
    assert "tau_b 0.7466" in repr(found)
    pytest.importorskip("pandas")
    frame = found.to_pandas()
    assert list(frame.columns) == ["x", "y", "coefficient", "value"]
    assert frame.value[0] == found.tau_b


def test_what_is_no_list_says_how_to_get_a_frame(small: webrank.Graph) -> None:
    pandas = pytest.importorskip("pandas")
    scores, arcs = small.indegree(), small.arc_betweenness()
    for table in (scores, arcs, webrank.compare(scores, scores)):
        for reads in (list, pandas.DataFrame, pandas.Series):
            with pytest.raises(TypeError, match=r"to_pandas\(\)"):
                reads(table)
    frame = arcs.to_pandas()
    assert list(frame.columns) == ["source", "target", "score"] and len(frame) == small.num_arcs
    best = frame.loc[frame.score.idxmax()]
    assert tuple(best) == arcs.top(1)[0]


def test_rankings_without_a_common_node_are_refused(small: webrank.Graph) -> None:
    pandas = pytest.importorskip("pandas")
    numbered = webrank.Graph.from_arrays([0, 1], [1, 2]).indegree()
    by_name = pandas.Series([3.0, 1.0], index=["ant", "bee"])
    with pytest.raises(webrank.ArgumentError, match="no node in common"):
        webrank.compare(numbered, by_name)


def test_tables_are_compared_by_name(small: webrank.Graph) -> None:
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    scores = small.pagerank()
    for table in (scores.to_pandas()[::-1], polars.DataFrame(scores).reverse()):
        found = webrank.compare(scores, table)
        assert found.tau_b == 1 and found.rows == len(scores)
    by_index = scores.to_pandas().set_index("name")[["score"]][::-1]
    assert webrank.compare(scores, by_index).tau_b == 1
    assert isinstance(by_index, pandas.DataFrame)


def test_comparisons_of_everything(small: webrank.Graph, tmp_path: Path) -> None:
    scores = small.pagerank()
    path = tmp_path / "there.csv"
    scores.to_csv(path)
    values = dict(zip(small.names, scores.values))
    for other in (path, str(path), values, scores.values, scores.values.tolist()):
        assert webrank.compare(scores, other).tau_b == 1
    pandas = pytest.importorskip("pandas")
    series = pandas.Series(scores.values, index=list(small.names), name="series")[::-1]
    found = webrank.compare(scores, series)
    assert found.names[1] == "series" and found.tau_b == 1
    fewer = webrank.compare(scores, {"ant": 2.0, "cat": 1.0, "dog": 3.0})
    assert fewer.rows == 2 and fewer.tau_b == -1
    assert "2 rows that another table lacks" not in fewer.notes[0] and len(fewer.notes) == 2
    three = webrank.compare(scores, scores, small.harmonic(), names=["a", "b", "c"])
    assert three.names == ["a", "b", "c"] and three.matrix("tau_b").shape == (3, 3)
    assert webrank.compare(scores, scores).names == ["pagerank 1", "pagerank 2"]
    assert len(three.movers(3, pair=("a", "c")).climbers) >= 1


def test_comparisons_within_bounds(small: webrank.Graph) -> None:
    rough = small.pagerank(tolerance=1e-2)
    found = webrank.compare(rough, small.pagerank(), respect_bounds=True)
    assert found.to_dict()["comparisons"][0]["certified"] is not None
    assert any("within" in note for note in found.notes)
    with pytest.raises(webrank.ArgumentError, match="no table has a guarantee"):
        webrank.compare([1.0, 2.0, 3.5], [1.0, 2.5, 3.0], respect_bounds=True)


def test_weighers_and_ranks(debian: webrank.Graph) -> None:
    a, b = debian.pagerank(), debian.harmonic()
    by_a = webrank.compare(a, b, rank_by="a").weighted_tau
    given = webrank.compare(a, b, rank_by_table=a).weighted_tau
    assert by_a != webrank.compare(a, b, rank_by=webrank.RankBy.B).weighted_tau
    assert abs(by_a - given) < 0.05
    plain = webrank.compare(a, b, weigher="none")
    assert abs(plain.weighted_tau - plain.tau_b) < 1e-12
    assert "overlap_7" in webrank.compare(a, b, top=[7]).coefficients


@pytest.mark.parametrize(
    ("a", "b", "options", "error", "words"),
    [
        ([1.5, 0.5], [1.5, float("nan")], {}, ValueError, "NaN"),
        ([1.5, 0.2], ["x", "y"], {}, TypeError, "give numbers"),
        (1.0, 2.0, {}, TypeError, "give scores"),
        ("nothing.csv", [1.0], {}, OSError, "nothing.csv"),
        ([1.5, 0.2], [[1.0]], {}, ValueError, "dimensions"),
        ([1.0, 2.0, 3.0], [1.5, 2.5, 3.0], {}, ValueError, "ranks_are_scores"),
        ([1.5, 0.2], [1.5, 0.2], {"weigher": "x"}, ValueError, "weigher is 'x'"),
        ([1.5, 0.2], [1.5, 0.2], {"names": ["one"]}, ValueError, "1 names for 2 rankings"),
        ([1.5, 0.2], [1.5, 0.2], {"movers": -1}, ValueError, "movers is -1"),
    ],
)
def test_bad_comparisons(a, b, options, error, words) -> None:
    with pytest.raises(error, match=words) as caught:
        webrank.compare(a, b, **options)
    assert " --" not in str(caught.value)


def test_a_table_with_a_false_manifest(small: webrank.Graph, tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    small.pagerank().to_csv(path)
    (tmp_path / "x.csv.json").write_text("no JSON")
    with pytest.raises(webrank.FileError, match="not the manifest"):
        webrank.compare(path, small.pagerank(), respect_bounds=True)


def test_root_is_the_repository() -> None:
    assert (ROOT / "graphs" / "debian.bv").is_dir()


@pytest.mark.parametrize(
    ("call", "holds", "proved"),
    [
        (lambda g: g.harmonic(method="hyperball", confidence=0.9), "each_node", False),
        (lambda g: g.harmonic(method="sample", epsilon=0.2, confidence=0.9), "each_node", True),
        (lambda g: g.betweenness(method="sources", samples=99, confidence=0.9), "each_node", True),
        (lambda g: g.betweenness(method="approx", epsilon=0.1), "all_nodes", True),
    ],
)
def test_intervals_of_estimates(
    call: Any, holds: str, proved: bool, debian: webrank.Graph, tmp_path: Path
) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    scores = call(debian)
    assert scores.intervals["holds"] == holds and scores.intervals["proved"] is proved
    assert abs(scores.intervals["confidence"] - 0.9) < 1e-12
    lower, upper = scores.lower, scores.upper
    assert (lower <= scores.values).all() and (scores.values <= upper).all()
    assert (lower < upper).any()
    assert (scores.rank_from <= scores.rank).all() and (scores.rank <= scores.rank_to).all()
    node = int(scores.order[100])
    assert scores.rank_from[node] == 1 + (lower > upper[node]).sum()
    assert scores.rank_to[node] == (upper > lower[node]).sum() + (lower[node] == upper[node])
    table = pyarrow.table(scores)
    headers = ["node", "name", "score", "lower", "upper", "rank", "rank_from", "rank_to"]
    assert table.column_names == headers
    for header in headers[3:]:
        column = table[header].to_numpy()
        assert (column == getattr(scores, header)).all()
    assert list(scores.to_pandas().columns) == headers
    scores.save(tmp_path / "scores.parquet")
    assert webrank.compare(scores, tmp_path / "scores.parquet").tau_b == 1


def test_exact_scores_have_no_intervals(small: webrank.Graph) -> None:
    exact = small.harmonic()
    assert exact.lower is None and exact.upper is None and exact.intervals is None
    assert exact.rank_from is None and exact.rank_to is None and exact.bounds == {}
    several = small.geometric(["lin", "harmonic"], method="hyperball")
    assert list(several.bounds) == ["lin_lower", "lin_upper", "harmonic_lower", "harmonic_upper"]
    with pytest.raises(ValueError, match="confidence is 95"):
        small.harmonic(confidence=95)
