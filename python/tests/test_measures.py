"""Measures: against closed forms, and bit by bit against the command."""

from __future__ import annotations

import inspect
import re
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import ROOT

import webrank

HELP = ROOT / "docs" / "src" / "reference" / "commands"

#: The commands that rank, by the names of their help pages.
RANKING = sorted(
    page.stem
    for page in HELP.glob("*.md")
    if page.stem in {measure["name"] for measure in webrank.measures()} | {"geometric"}
)

#: Options of the command that are no arguments, and why.
NOT_ARGUMENTS = {
    # Where tables go: Scores.save.
    "output", "sort", "summary",
    # How the graph is read: webrank.open.
    "names", "node-table", "from", "ids", "ids-from", "columns", "header", "separator",
    "encoding", "negative", "allow-empty", "symmetric", "predicate",
    # Outputs of the command.
    "quiet", "verbose", "help", "version", "plan", "json",
    # Runs of the command alone go on after a signal.
    "checkpoint", "checkpoint-every",
    # Workers, threads or processes, are the command's.
    "workers", "hosts", "process", "timeout", "secret",
    # Scores.top and Scores.save(top=...), except for measures that compute less then.
    "top",
    # Graph.arc_betweenness.
    "arcs",
}  # fmt: skip


def options_of(page: str) -> dict[str, str | None]:
    """The options on a help page, and their defaults."""
    found: dict[str, str | None] = {}
    option = None
    for line in (HELP / f"{page}.md").read_text().splitlines():
        if match := re.match(r"\s+(?:-\w, )?--([a-z0-9-]+)(?:[ =\[].*)?$", line):
            option = match[1]
            found[option] = None
        elif option and (match := re.search(r"\[default: ([^\]]*)\]", line)):
            found[option] = match[1]
    return found


def test_there_are_help_pages() -> None:
    assert len(RANKING) == len(webrank.measures()) + 1
    assert options_of("pagerank")["alpha"] == "0.85"


@pytest.mark.parametrize("page", RANKING)
def test_every_option_of_the_command_is_an_argument(page: str) -> None:
    method = getattr(webrank.Graph, page.replace("-", "_"))
    parameters = inspect.signature(method).parameters
    options = options_of(page)
    for option, default in options.items():
        name = option.replace("-", "_")
        if option in NOT_ARGUMENTS and name not in parameters:
            continue
        assert name in parameters, f"{page} lacks {name}"
        argument = parameters[name].default
        if option == "measures":
            continue
        assert parameters[name].kind == inspect.Parameter.KEYWORD_ONLY
        if default is None or " " in default or default in ("1", "uniform"):
            assert argument in (None, False, inspect.Parameter.empty), f"{page}: {name}"
        elif isinstance(argument, (int, float)):
            assert float(default) == argument, f"{page}: {name}"
        else:
            assert default == argument, f"{page}: {name}"
    arguments = {name.replace("_", "-") for name in parameters} - {"self", "progress"}
    assert arguments <= set(options), f"{page} has {arguments - set(options)}"


@pytest.mark.parametrize("page", RANKING)
def test_choices_are_those_of_the_command(page: str) -> None:
    text = (HELP / f"{page}.md").read_text()
    method = getattr(webrank.Graph, page.replace("-", "_"))
    kinds = {
        "direction": webrank.Direction, "dangling": webrank.Dangling, "form": webrank.Form,
        "norm": webrank.Norm, "variant": webrank.Closeness, "intervals": webrank.IntervalKind,
    }  # fmt: skip
    methods = {
        "pagerank": webrank.PageRankMethod, "katz": webrank.KatzMethod,
        "eigenvector": webrank.EigenvectorMethod,
        "betweenness": webrank.BetweennessMethod,
    }  # fmt: skip
    for name in inspect.signature(method).parameters:
        kind = kinds.get(name)
        if name == "form" and page != "pagerank":
            kind = webrank.RowForm
        if name == "method":
            kind = methods.get(page, webrank.DistanceMethod)
        if kind is None:
            continue
        section = text.split(f"      --{name} <")[1].split("\n      --")[0]
        listed = re.findall(r"^\s+- ([a-z0-9-]+):", section, re.M)
        values = [member.value for member in kind]
        if name == "method":
            # Not every engine computes every measure.
            assert len(listed) > 1
            values = [value for value in values if value in listed]
        # The definitions of closeness are listed in its text.
        assert listed == values or name == "variant"


CALLS: list[tuple[str, dict[str, Any]]] = [
    ("pagerank", {}),
    ("pagerank", {"alpha": 0.5, "tolerance": 1e-12, "dangling": "uniform"}),
    ("pagerank", {"method": "gauss-seidel", "certify_top": 20}),
    ("pagerank", {"method": "components"}),
    ("pagerank", {"alphas": [0.5, 0.9]}),
    ("pagerank", {"derivative": True}),
    ("pagerank", {"each_seed": ["libc6", "zlib1g"]}),
    ("pagerank", {"form": "streamed"}),
    ("pagerank", {"form": "external"}),
    ("hits", {"form": "disk"}),
    ("seeley", {"form": "compact"}),
    ("kendall-wei", {"form": "compact"}),
    ("katz", {"form": "compact"}),
    ("eigenvector", {"form": "compact"}),
    ("leaderrank", {"form": "compact"}),
    ("trustrank", {"seeds": ["libc6"]}),
    ("eigenvector", {"norm": "max"}),
    ("eigenvector", {"method": "power"}),
    ("katz", {"alpha": 0.01}),
    ("katz", {"method": "gauss-seidel", "direction": "out"}),
    ("seeley", {"direction": "out"}),
    ("kendall-wei", {}),
    ("leaderrank", {}),
    ("walks", {"length": 3}),
    ("walks", {"length": 90, "direction": "out"}),
    ("current-flow", {}),
    ("hits", {}),
    ("salsa", {}),
    ("indegree", {}),
    ("outdegree", {}),
    ("harmonic", {"normalize": True}),
    ("harmonic", {"method": "sample", "epsilon": 0.1, "seed": 3}),
    ("reachable", {"method": "sample", "sources": 500, "direction": "out"}),
    ("decay", {"method": "sample", "relative": 0.02, "intervals": "proved"}),
    ("closeness", {"method": "sample", "sources": 300, "variant": "nieminen"}),
    ("lin", {"method": "sample", "relative": 0.1, "confidence": 0.9}),
    ("closeness", {"variant": "wasserman-faust"}),
    ("lin", {"direction": "out"}),
    ("reachable", {}),
    ("eccentricity", {}),
    ("decay", {"base": 0.25}),
    ("integration", {}),
    ("geometric", {"measures": ["harmonic", "lin"]}),
    ("harmonic", {"method": "hyperball", "log2m": 6}),
    ("betweenness", {"method": "sources", "samples": 50, "seed": 7}),
    ("betweenness", {"method": "sources", "sources": ["libc6", "zlib1g"], "endpoints": True}),
    ("betweenness", {"method": "approx", "epsilon": 0.05, "delta": 0.2}),
]


def command_line(options: dict[str, Any]) -> list[str]:
    words = []
    for name, value in options.items():
        words.append("--" + name.replace("_", "-"))
        if isinstance(value, list):
            words.append(",".join(map(str, value)))
        elif value is not True:
            words.append(str(value))
    return words


@pytest.mark.parametrize(("measure", "options"), CALLS, ids=lambda it: str(it)[:50])
def test_the_bits_are_those_of_the_command(
    measure: str, options: dict[str, Any], debian: webrank.Graph, command: str, tmp_path: Path
) -> None:
    there = tmp_path / "command.csv"
    graph = str(ROOT / "graphs" / "debian.bv")
    call = [command, measure, graph, "-o", str(there), "--quiet", *command_line(options)]
    run = subprocess.run(call, capture_output=True, text=True, check=False)
    method = getattr(debian, measure.replace("-", "_"))
    if run.returncode:
        with pytest.raises(webrank.WebrankError) as caught:
            method(**options)
        assert str(caught.value)[:40] in run.stderr
        return
    here = tmp_path / "python.csv"
    scores = method(**options)
    scores.to_csv(here)
    assert here.read_bytes() == there.read_bytes()
    # The files say the same of how they were made.
    import json

    ours, theirs = (json.loads(Path(f"{path}.json").read_text()) for path in (here, there))
    for same in ("columns", "graph", "table", "notes", "rank", "version"):
        assert ours.get(same) == theirs.get(same) or same == "graph"
    assert ours["graph"]["fingerprint"] == theirs["graph"]["fingerprint"]
    assert ours["command"][:2] == ["webrank", measure]


def test_the_bits_of_the_readme(small: webrank.Graph) -> None:
    scores = small.pagerank()
    assert scores.values.tolist() == [0.3877897117015222, 0.21481062747314655, 0.39739966082532113]
    assert small.harmonic().values.tolist() == [1.5, 1.5, 2.0]


def test_closed_forms() -> None:
    n = 7
    cycle = webrank.Graph.from_arrays(range(n), [(i + 1) % n for i in range(n)])
    assert np.allclose(cycle.pagerank().values, 1 / n, atol=1e-12)
    assert (cycle.closeness().values == 1 / 21).all()
    assert (cycle.betweenness().values == (n - 1) * (n - 2) / 2).all()
    star = webrank.Graph.from_arrays(range(1, n), [0] * (n - 1))
    assert star.indegree()[0] == n - 1 and star.harmonic()[0] == n - 1
    assert np.allclose(star.katz(alpha=0.1)[0], 1 + 0.1 * (n - 1))
    alpha = 0.85
    # A leaf has x, the centre x + alpha (n - 1) x.
    leaf = 1 / (n + alpha * (n - 1))
    assert np.allclose(star.pagerank(tolerance=1e-12)[1], leaf, atol=1e-12)


def test_preferences_of_all_forms(small: webrank.Graph, tmp_path: Path) -> None:
    file = tmp_path / "preference.csv"
    file.write_text("bee,2\ncat,6\n")
    expected = small.pagerank(preference=np.array([0, 2, 6])).values
    for preference in ({"bee": 0.25, "cat": 0.75}, {1: 1, "cat": 3}, file, str(file), [0, 2, 6.0]):
        assert (small.pagerank(preference=preference).values == expected).all()
    vector = small.pagerank(dangling_vector={"ant": 1})
    assert vector.outcome["kind"] == "iterated"
    assert small.katz(beta={"ant": 1.0}, alpha=0.1)["ant"] > 1


def test_arc_weights_of_all_forms(small: webrank.Graph, tmp_path: Path) -> None:
    weights = [1.0, 3.0, 1.0, 1.0]
    file = tmp_path / "weights.csv"
    file.write_text("ant,bee,1\nant,cat,3\nbee,cat,1\ncat,ant,1\n")
    expected = small.pagerank(weights=weights).values
    assert (small.pagerank(weights=file).values == expected).all()
    own = webrank.Graph.from_arrays([0, 0, 1, 2], [1, 2, 2, 0], weights)
    assert (own.pagerank().values == expected).all()
    assert (own.pagerank(unweighted=True).values == small.pagerank().values).all()
    for measure in ("eigenvector", "katz", "seeley", "leaderrank", "hits", "salsa", "kendall_wei"):
        weighted, plain = (getattr(g, measure)().values for g in (own, small))
        assert measure == "salsa" or (weighted != plain).any(), measure
    with pytest.raises(webrank.ArgumentError, match="weights cannot be combined with unweighted"):
        small.pagerank(weights=weights, unweighted=True)
    with pytest.warns(webrank.WebrankWarning, match="distances count hops"):
        assert (own.harmonic().values == small.harmonic().values).all()


def test_node_weights_of_harmonic(small: webrank.Graph) -> None:
    assert small.harmonic(weights={"ant": 2.0}).values.tolist() == [0.0, 2.0, 2.0]
    with pytest.raises(webrank.ArgumentError, match="weights cannot be combined with method"):
        small.harmonic(weights={"ant": 2.0}, method="exact")


def test_seeds(debian: webrank.Graph, tmp_path: Path) -> None:
    file = tmp_path / "seeds.txt"
    file.write_text("libc6\n")
    by_file = debian.trustrank(seeds_file=file).values
    for seeds in ("libc6", ["libc6"], np.array(["libc6"]), {"libc6"}):
        assert (debian.trustrank(seeds=seeds).values == by_file).all()
    # A package has a number for its name, so a number is no node's number there.
    with pytest.raises(webrank.ArgumentError, match="16807"):
        debian.trustrank(seeds=[16807])
    candidates = debian.trustrank(select=5)
    assert len(candidates.top(5)) == 5


def test_seeds_by_number(small: webrank.Graph) -> None:
    expected = small.trustrank(seeds=["bee", "ant"]).values
    for seeds in ([0, 1], np.array([1, 0]), range(2), {"ant", 1}):
        assert (small.trustrank(seeds=seeds).values == expected).all()


def test_enums_are_strings(small: webrank.Graph) -> None:
    assert f"{webrank.Direction.OUT}" == "out"
    out = small.harmonic(direction=webrank.Direction.OUT).values
    assert (out == small.harmonic(direction="out").values).all()
    small.pagerank(method=webrank.PageRankMethod.GAUSS_SEIDEL)
    small.pagerank(method="gauss_seidel")


@pytest.mark.parametrize(
    ("measure", "options", "error", "words"),
    [
        ("pagerank", {"alpha": 1.0}, ValueError, "alpha is 1: it must be at least 0"),
        ("pagerank", {"alpha": "x"}, TypeError, "alpha is 'x': it must be a number"),
        ("pagerank", {"alpha": None}, TypeError, "alpha is None"),
        ("pagerank", {"dangling": "x"}, ValueError, "choose from 'preference', 'uniform', 'none'"),
        ("pagerank", {"dangling": 3}, TypeError, "dangling is 3: it must be a string"),
        ("pagerank", {"tolerance": 0}, ValueError, "tolerance is 0"),
        ("pagerank", {"tolerance": float("nan")}, ValueError, "tolerance"),
        ("pagerank", {"max_iterations": 0}, ValueError, "max_iterations is 0"),
        ("pagerank", {"max_iterations": -1}, ValueError, "max_iterations is -1"),
        ("pagerank", {"threads": 0}, ValueError, "threads is 0"),
        ("pagerank", {"threads": 10**9}, ValueError, "threads"),
        ("pagerank", {"memory": "8X"}, ValueError, "memory is '8X'"),
        ("pagerank", {"memory": 1}, MemoryError, r"pagerank needs .*\(memory\)"),
        ("pagerank", {"preference": {"dog": 1}}, ValueError, "'dog': no node has this name"),
        ("pagerank", {"preference": {"ant": "x"}}, TypeError, "preference"),
        ("pagerank", {"preference": {"ant": -1.0}}, ValueError, "preference is -1 at 'ant'"),
        ("pagerank", {"preference": {"ant": float("nan")}}, ValueError, "NaN at 'ant'"),
        ("pagerank", {"preference": {"ant": 0.0}}, ValueError, "preference is 0 everywhere"),
        ("pagerank", {"preference": {"ant": 1, 0: 1}}, ValueError, "twice"),
        ("pagerank", {"preference": [1.0]}, ValueError, "has 1 numbers, but the graph 3"),
        ("pagerank", {"preference": "nothing.csv"}, OSError, "nothing.csv"),
        ("pagerank", {"preference": 3.0}, ValueError, "0 dimensions"),
        ("pagerank", {"preference": {"ant": 1}, "each_seed": ["ant"]}, ValueError, "combined"),
        ("pagerank", {"alphas": [0.5], "alpha": 0.9}, ValueError, "combined"),
        ("pagerank", {"alphas": [0.5, 0.5]}, ValueError, "name each alpha once"),
        ("pagerank", {"alphas": []}, ValueError, "alphas is empty: name at least one"),
        ("pagerank", {"each_seed": []}, ValueError, "each_seed is empty: name at least one"),
        ("trustrank", {"seeds": []}, ValueError, "seed"),
        ("pagerank", {"alphas": [0.5], "derivative": True}, ValueError, "combined"),
        ("pagerank", {"alphas": [0.5], "certify_top": 1}, ValueError, "combined"),
        ("pagerank", {"each_seed": ["ant"], "method": "gauss-seidel"}, ValueError, "combined"),
        ("pagerank", {"each_seed": ["ant", 0]}, ValueError, "'ant' occurs twice"),
        ("pagerank", {"each_seed": [None]}, TypeError, "None is no node"),
        ("pagerank", {"each_seed": 1.5}, TypeError, "no list of nodes"),
        ("pagerank", {"weights": [1.0]}, ValueError, "weights"),
        ("pagerank", {"weights": [1.0, 1.0, 1.0, float("nan")]}, ValueError, "weight"),
        ("pagerank", {"dangling": "none", "dangling_vector": [1, 1, 1]}, ValueError, "combined"),
        ("trustrank", {}, ValueError, "give one of seeds, seeds_file and select"),
        ("katz", {"alpha": "x"}, ValueError, "alpha is x"),
        ("katz", {"alpha": 5.0}, ValueError, "alpha"),
        ("decay", {"base": 1.0}, ValueError, "base is 1"),
        ("harmonic", {"time_budget": "10x"}, ValueError, "time_budget"),
        ("harmonic", {"time_budget": -1.0}, ValueError, "time_budget"),
        ("harmonic", {"log2m": 99}, ValueError, "log2m"),
        ("harmonic", {"epsilon": 2.0}, ValueError, "epsilon is 2"),
        ("harmonic", {"sources": 0}, ValueError, "sources is 0"),
        ("harmonic", {"relative": 1.0}, ValueError, "relative is 1"),
        ("harmonic", {"relative": 0.1, "epsilon": 0.1}, ValueError, "combined with epsilon"),
        ("harmonic", {"intervals": "all"}, ValueError, "intervals is"),
        ("geometric", {"measures": ["eccentricity"], "method": "sample"}, ValueError, "by sampling"),
        ("geometric", {"measures": ["x"]}, ValueError, "measures is x"),
        ("geometric", {"measures": []}, ValueError, "name at least one"),
        ("betweenness", {"samples": 0}, ValueError, "samples is 0"),
        ("betweenness", {"sources": ["ant"]}, ValueError, "method is exact: with given sources"),
        ("betweenness", {"method": "sources", "sources": []}, ValueError, "name at least one"),
        ("betweenness", {"method": "sources", "sources": ["dog"]}, ValueError, "'dog': no node"),
        ("betweenness", {"method": "sources", "sources": ["ant", 0]}, ValueError, "occurs twice"),
        ("betweenness", {"sources": ["ant"], "sources_file": "x"}, ValueError, "combined"),
        ("betweenness", {"sources": ["ant"], "samples": 3}, ValueError, "combined with samples"),
        ("betweenness", {"sources": ["ant"], "seed": 3}, ValueError, "combined with seed"),
        ("betweenness", {"method": "approx", "endpoints": True}, ValueError, "endpoints"),
    ],
)
def test_bad_arguments(
    measure: str, options: dict[str, Any], error: type, words: str, small: webrank.Graph
) -> None:
    with pytest.raises(error, match=words) as caught:
        getattr(small, measure)(**options)
    assert isinstance(caught.value, (webrank.WebrankError, OSError))
    assert "\n" not in str(caught.value) and " --" not in str(caught.value)


def test_unknown_and_positional_arguments_are_refused(small: webrank.Graph) -> None:
    with pytest.raises(TypeError, match="alhpa"):
        small.pagerank(alhpa=0.5)
    with pytest.raises(TypeError):
        small.pagerank(0.5)


def test_what_is_not_defined_on_a_graph() -> None:
    path = webrank.Graph.from_arrays([0], [1])
    with pytest.raises(webrank.NotDefined, match="eigenvector centrality is not defined"):
        path.eigenvector()


def test_no_nodes() -> None:
    nothing = webrank.Graph.from_arrays([], [])
    for measure in ("pagerank", "harmonic", "indegree", "leaderrank", "betweenness"):
        scores = getattr(nothing, measure)()
        assert len(scores) == 0 and scores.top() == [] and scores.values.shape == (0,)
        assert scores._repr_html_()


def test_not_converged(debian: webrank.Graph) -> None:
    with pytest.raises(webrank.NotConverged, match="allow_unconverged=True") as caught:
        debian.pagerank(max_iterations=3)
    scores = caught.value.scores
    assert scores is not None and not scores.converged and scores.error_bound > 1e-9
    accepted = debian.pagerank(max_iterations=3, allow_unconverged=True)
    assert (accepted.values == scores.values).all() and not accepted.converged
    assert abs(accepted.values - debian.pagerank().values).sum() <= accepted.error_bound + 1e-9


def test_time_budgets(debian: webrank.Graph) -> None:
    with pytest.raises(webrank.TooLong, match="time_budget"):
        debian.betweenness(time_budget="0s")
    import datetime

    for budget in ("0s", 0, 0.0, datetime.timedelta(0)):
        assert debian.harmonic(time_budget=budget).method == "sample"
        assert debian.lin(time_budget=budget).method == "sample"
        assert debian.integration(time_budget=budget).method == "sample"


def test_threads_do_not_change_bits(debian: webrank.Graph) -> None:
    one, three = debian.pagerank(threads=1), debian.pagerank(threads=3)
    assert (one.values == three.values).all()
    assert debian.pagerank(memory="4G").manifest["form"] == one.manifest["form"]


def test_pagerank_may_begin_with_earlier_scores(tmp_path: Path) -> None:
    names = ["a", "b", "c", "d"]
    old = webrank.Graph.from_arrays([0, 1, 2, 2], [1, 2, 0, 3], names=names)
    new = webrank.Graph.from_arrays([0, 1, 2, 3], [1, 2, 0, 1], names=["d", "a", "e", "c"])
    before = old.pagerank()
    table = tmp_path / "old.csv"
    before.save(table)
    exact = new.pagerank(tolerance=1e-12)
    mapping = {name: before[name] for name in ("a", "c", "d")}
    for start in (before, table, mapping, exact.values, exact):
        scores = new.pagerank(start=start)
        assert scores.converged and scores.error_bound is not None
        assert np.abs(scores.values - exact.values).sum() <= scores.error_bound + 1e-12
    cold = new.pagerank().outcome["iterations"]
    assert new.pagerank(start=exact).outcome["iterations"] < cold
    with pytest.raises(webrank.ArgumentError, match="start has 3 numbers"):
        new.pagerank(start=[1, 2, 3])
    with pytest.raises(webrank.ArgumentError, match="no node"):
        new.pagerank(start={"nobody": 1.0})


def test_numbers_by_name_count_by_name() -> None:
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    pyarrow = pytest.importorskip("pyarrow")
    g = webrank.Graph.from_arrays([0, 0, 1, 2], [1, 2, 2, 0], names=["ant", "bee", "cat"])
    given = {"cat": 3.0, "ant": 1.0, "bee": 2.0}
    names, numbers = list(given), list(given.values())
    frame = pandas.DataFrame({"animal": names, "n": numbers}, index=[7, 8, 9])
    series = frame.set_index("animal").n
    for call in (
        lambda values: g.pagerank(preference=values),
        lambda values: g.pagerank(dangling_vector=values),
        lambda values: g.pagerank(start=values, max_iterations=1, allow_unconverged=True),
        lambda values: g.katz(alpha=0.1, beta=values),
        lambda values: g.harmonic(weights=values),
    ):
        expected = call(given).values.tolist()
        for values in (
            series, series.to_frame(), frame, polars.from_pandas(frame), pyarrow.table(frame),
        ):  # fmt: skip
            assert call(values).values.tolist() == expected
    # A node that is not there has 0; an array is by node.
    part = g.pagerank(preference=series[["cat"]]).values
    assert (part == g.pagerank(preference=[0, 0, 1]).values).all()
    assert (part == g.pagerank(preference=polars.Series([0.0, 0.0, 1.0])).values).all()
    by_number = webrank.Graph.from_arrays([0, 1], [1, 0])
    turned = pandas.Series([1.0, 0.0], index=[1, 0])
    assert by_number.katz(alpha=0.1, beta=turned).values.argmax() == 1
    integers = webrank.Graph.from_arrays([0, 1], [1, 0], names=[30, 10])
    assert integers.katz(alpha=0.1, beta=pandas.Series({10: 1.0})).values.argmax() == 1
    # Scores of another graph are matched by name, too.
    other = webrank.Graph.from_arrays([0, 1], [2, 2], names=["bee", "ant", "cat"])
    preferred = g.pagerank(preference=other.indegree()).values
    assert (preferred == g.pagerank(preference={"cat": 2.0}).values).all()
    for values, words in [
        (pandas.Series({"dog": 1.0}), "preference: 'dog': no node"),
        (pandas.Series([1.0, 2.0], index=["cat", "cat"]), "preference: 'cat' is there twice"),
        (pandas.Series({"cat": float("nan")}), "preference is NaN at 'cat'"),
        (frame.assign(m=1.0), "the columns 'n', 'm' of numbers: give one"),
        (polars.DataFrame({"name": ["cat", "cat"], "n": [1, 2]}), "'cat' occurs twice"),
    ]:
        with pytest.raises(ValueError, match=words):
            g.pagerank(preference=values)
