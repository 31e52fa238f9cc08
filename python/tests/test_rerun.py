"""Runs of the package, repeated by the command from their manifests."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import ROOT
from test_measures import CALLS

import webrank


@pytest.fixture
def rerun(command: str) -> Callable[[Path], tuple[int, str]]:
    """Repeats the run of a table: the exit code, and what was said."""

    def run(table: Path) -> tuple[int, str]:
        call = [command, "rerun", f"{table}.json"]
        run = subprocess.run(call, capture_output=True, text=True, check=False)
        return run.returncode, run.stdout + run.stderr

    return run


Rerun = Callable[[Path], tuple[int, str]]


@pytest.fixture
def edges(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Arcs with weights, in a folder in which everything runs."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "edges.csv"
    path.write_text("ant,bee,1\nant,cat,2\nbee,cat,1\ncat,ant,1\ndog,ant,5\n")
    return path


@pytest.mark.parametrize(("measure", "options"), CALLS, ids=lambda it: str(it)[:50])
def test_runs_on_a_graph_in_a_file_are_repeated(
    measure: str, options: dict[str, Any], debian: webrank.Graph, rerun: Rerun, tmp_path: Path
) -> None:
    try:
        scores = getattr(debian, measure.replace("-", "_"))(**options)
    except webrank.NotDefined:
        return
    scores.to_csv(tmp_path / "scores.csv")
    code, said = rerun(tmp_path / "scores.csv")
    assert code == 0 and "the same bits again" in said, said


@pytest.mark.parametrize(
    ("measure", "options", "saved", "words"),
    [
        ("pagerank", {}, {"top": 2, "sort": "score"}, ["save.top=2", "save.sort=score"]),
        ("pagerank", {"threads": 1, "memory": 10**9}, {}, ["threads=1", "memory=1000000000"]),
        ("katz", {"method": webrank.KatzMethod.GAUSS_SEIDEL}, {}, ["method=gauss-seidel"]),
        ("katz", {"method": "gauss_seidel"}, {}, ["method=gauss_seidel"]),
        ("pagerank", {"alpha": np.float64(0.5)}, {}, ["alpha=0.5"]),
        ("pagerank", {"alphas": np.array([0.5, 0.1]), "unweighted": True}, {},
         ["alphas=0.5,0.1", "unweighted=True"]),
        ("pagerank", {"each_seed": ["a,b", 'c"d', "ant"], "unweighted": True}, {},
         ['each_seed="a,b","c""d",ant', "unweighted=True"]),
        ("pagerank", {"preference": "p.csv"}, {}, ["preference=p.csv"]),
        ("pagerank", {"unweighted": True}, {}, ["unweighted=True"]),
        ("pagerank", {"max_iterations": 3, "allow_unconverged": True}, {},
         ["max_iterations=3", "allow_unconverged=True"]),
        ("katz", {"beta": Path("p.csv"), "alpha": 0.01}, {}, ["alpha=0.01", "beta=p.csv"]),
        ("trustrank", {"seeds_file": Path("s.txt"), "unweighted": True}, {},
         ["seeds_file=s.txt", "unweighted=True"]),
        ("harmonic", {"time_budget": 5, "unweighted": True}, {},
         ["time_budget=5", "unweighted=True"]),
        ("harmonic", {"top": 2, "unweighted": True}, {"top": 2},
         ["top=2", "unweighted=True", "save.top=2"]),
        ("betweenness", {"method": "sources", "sources": range(2), "unweighted": True}, {},
         ["method=sources", "sources=0,1", "unweighted=True"]),
    ],
)  # fmt: skip
def test_calls_become_commands(
    measure: str,
    options: dict[str, Any],
    saved: dict[str, Any],
    words: list[str],
    edges: Path,
    rerun: Rerun,
) -> None:
    edges.write_text(edges.read_text() + '"a,b",ant,1\n"c""d",bee,2\n')
    Path("p.csv").write_text("ant,1\nbee,3\n")
    Path("s.txt").write_text("bee\n")
    graph = webrank.open("edges.csv")
    getattr(graph, measure)(**options).save("scores.parquet", **saved)
    manifest = json.loads(Path("scores.parquet.json").read_text())
    assert manifest["command"] == ["webrank", measure, *words]
    code, said = rerun(Path("scores.parquet").resolve())
    assert code == 0 and "the same bits again" in said, said


def test_a_graph_is_opened_again_as_it_was(edges: Path, rerun: Rerun) -> None:
    edges.write_text("weight,to,from\n1,2,0\n3,1,2\n2,0,0\n")
    Path("names.txt").write_text("ant\nbee\ncat\n")
    options: dict[str, Any] = {"columns": ["from", "to", "weight"], "header": True, "ids": True}
    graph = webrank.open("edges.csv", format="edges", names=Path("names.txt"), **options)
    read = ["names=names.txt", "format=edges", "ids=True", "columns=from,to,weight", "header=True"]
    scores = graph.pagerank()
    assert scores.manifest["command"] == ["webrank", "pagerank", *read]
    scores.to_csv("scores.csv")
    assert rerun(Path("scores.csv").resolve())[0] == 0
    plain = graph.without_weights().without_weights().pagerank(unweighted=True)
    assert plain.manifest["command"] == ["webrank", "pagerank", "unweighted=True", *read]
    plain.to_csv("plain.csv")
    assert rerun(Path("plain.csv").resolve())[0] == 0
    # With other names, the table would be another.
    Path("names.txt").write_text("ant\nbee\ncow\n")
    code, said = rerun(Path("plain.csv").resolve())
    assert code == 1 and "the bits differ" in said, said


@pytest.mark.parametrize(
    ("measure", "options", "saved", "named"),
    [
        ("pagerank", {"preference": {"ant": 1.0}}, {}, "preference=(dict)"),
        ("pagerank", {"weights": np.ones(5)}, {}, "weights=(ndarray)"),
        ("harmonic", {"top": 2, "unweighted": True}, {}, "top=2"),
        ("harmonic", {"unweighted": True}, {"top": 2}, "save.top=2"),
    ],
)
def test_what_is_no_option_is_named(
    measure: str,
    options: dict[str, Any],
    saved: dict[str, Any],
    named: str,
    edges: Path,
    rerun: Rerun,
) -> None:
    getattr(webrank.open(edges), measure)(**options).save("scores.csv", **saved)
    code, said = rerun(Path("scores.csv").resolve())
    assert code == 1 and said.count("\n") == 1, said
    assert f"cannot be repeated: {named} of the call from Python is no option" in said


def test_graphs_that_the_command_cannot_open_so(
    edges: Path, rerun: Rerun, small: webrank.Graph
) -> None:
    webrank.open(edges, symmetric=True).pagerank().to_csv("scores.csv")
    code, said = rerun(Path("scores.csv").resolve())
    assert code == 0 and "the same bits again" in said, said
    small.pagerank().to_csv("scores.csv")
    code, said = rerun(Path("scores.csv").resolve())
    assert code == 1 and "its graph was made in Python" in said and said.count("\n") == 1, said


def test_tables_of_the_package_are_verified(
    rerun: Rerun, command: str, debian: webrank.Graph, tmp_path: Path
) -> None:
    seeds = tmp_path / "seeds.txt"
    seeds.write_text("libc6\n")
    for seeded in ({"seeds_file": seeds}, {"seeds": ["libc6"]}):
        debian.trustrank(**seeded).to_csv(tmp_path / "scores.csv")
        call = [command, "verify", str(tmp_path / "scores.csv")]
        run = subprocess.run(call, capture_output=True, text=True, check=False, cwd=ROOT)
        assert run.returncode == 0 and "holds" in run.stdout, run.stdout + run.stderr
