"""The backend of networkx: against networkx itself, and by networkx's own tests."""

from __future__ import annotations

import copy
import itertools
import os
import pickle
import re
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import networkx as nx
import numpy as np
import pytest

import webrank
from webrank.networkx_backend import BackendGraph, backend, can_run, convert_from_nx, should_run
from webrank.networkx_backend.functions import FUNCTIONS
from webrank.networkx_backend.info import get_info
from webrank.networkx_backend.networkx_tests import DIFFERENT

nx.config.warnings_to_ignore.add("cache")


def random_graph(kind: type, seed: int, nodes: int = 12, arcs: int = 26) -> Any:
    """A graph with weights, self-loops and isolated nodes; names are not in order."""
    draw = np.random.default_rng(seed)
    names = [f"node{place}" for place in draw.permutation(nodes)]
    graph = kind()
    graph.add_nodes_from(names)
    for source, target in draw.integers(0, nodes - 2, (arcs, 2)).tolist():
        graph.add_edge(names[source], names[target], weight=float(draw.uniform(0.1, 3)))
    # An edge whose weight is missing weighs 1.
    graph.add_edge(names[0], names[0])
    return graph


SIMPLE = [random_graph(kind, seed) for kind in (nx.Graph, nx.DiGraph) for seed in range(6)]
MULTI = [random_graph(kind, seed) for kind in (nx.MultiGraph, nx.MultiDiGraph) for seed in range(4)]
TINY = [
    kind(edges)
    for kind in (nx.Graph, nx.DiGraph)
    for edges in ([], [(0, 0)], [(0, 1)], [(1, 0), (1, 1)])
]
SINGLE = [nx.empty_graph(nodes, create_using=kind) for kind in (nx.Graph, nx.DiGraph)
          for nodes in (1, 2)]  # fmt: skip


#: Before, networkx scaled samples otherwise, and its tests expect that.
own_tests = pytest.mark.skipif(
    tuple(map(int, nx.__version__.split(".")[:2])) < (3, 5),
    reason="networkx 3.4 scales samples otherwise, and its tests expect that",
)


def agree(ours: Any, theirs: Any, tolerance: float = 1e-8) -> None:
    """Keys are the same, in the same order, and scores agree."""
    assert list(ours) == list(theirs)
    assert all(type(score) in (float, int) for score in ours.values())
    assert list(ours.values()) == pytest.approx(list(theirs.values()), abs=tolerance)


def check(
    function: Callable[..., Any], graph: Any, tolerance: float = 1e-8, **options: Any
) -> None:
    iterations = {name: options.pop(name) for name in ("tol", "max_iter") if name in options}
    ours = function(graph, backend="webrank", **options)
    agree(ours, function(graph, backend="networkx", **options, **iterations), tolerance)


CONVERGED: dict[str, Any] = {"tol": 1e-14, "max_iter": 100_000}


@pytest.mark.parametrize("graph", SIMPLE + MULTI + TINY + SINGLE, ids=str)
def test_paths_are_those_of_networkx(graph: Any) -> None:
    check(nx.closeness_centrality, graph)
    check(nx.closeness_centrality, graph, wf_improved=False)
    for normalized in (True, False):
        for endpoints in (True, False):
            options = {"normalized": normalized, "endpoints": endpoints}
            check(nx.betweenness_centrality, graph, **options)
        check(nx.edge_betweenness_centrality, graph, normalized=normalized)
    ours = nx.harmonic_centrality(graph, backend="webrank")
    theirs = nx.harmonic_centrality(graph, backend="networkx")
    # Its dictionary is in the order of a set.
    assert list(ours) == list(graph)
    assert ours == pytest.approx(theirs)


@pytest.mark.parametrize("graph", SIMPLE[::5], ids=str)
def test_harmonic_of_some_nodes_and_from_some(graph: Any) -> None:
    nodes = list(graph)
    for nbunch in (None, nodes[0], nodes[:3], [], [*nodes[:2], "no node"]):
        for sources in (None, nodes[1], nodes[2:9], []):
            given = {"nbunch": nbunch, "sources": sources}
            ours = nx.harmonic_centrality(graph, backend="webrank", **given)
            assert ours == pytest.approx(nx.harmonic_centrality(graph, backend="networkx", **given))


def test_closeness_of_one_node() -> None:
    graph = SIMPLE[0]
    node = list(graph)[3]
    ours = nx.closeness_centrality(graph, node, backend="webrank")
    assert ours == pytest.approx(nx.closeness_centrality(graph, node, backend="networkx"))
    with pytest.raises(nx.NodeNotFound):
        nx.closeness_centrality(graph, "no node", backend="webrank")


@pytest.mark.parametrize("graph", SIMPLE + MULTI + TINY + SINGLE, ids=str)
def test_degrees_are_those_of_networkx(graph: Any) -> None:
    check(nx.degree_centrality, graph)
    if graph.is_directed():
        check(nx.in_degree_centrality, graph)
        check(nx.out_degree_centrality, graph)


@pytest.mark.parametrize("graph", SIMPLE + MULTI + TINY + SINGLE, ids=str)
def test_pagerank_is_that_of_networkx_when_it_has_converged(graph: Any) -> None:
    some = {node: place + 1.0 for place, node in enumerate(list(graph)[:4])}
    check(nx.pagerank, graph, **CONVERGED)
    check(nx.pagerank, graph, weight=None, alpha=0.5, **CONVERGED)
    if graph:
        start = {**some, "no node": 3.0}
        check(nx.pagerank, graph, personalization=start, **CONVERGED)
        check(nx.pagerank, graph, dangling=some, **CONVERGED)
        check(nx.pagerank, graph, nstart=some, personalization=some, **CONVERGED)


@pytest.mark.parametrize("graph", SIMPLE, ids=str)
def test_katz_is_that_of_networkx_when_it_has_converged(graph: Any) -> None:
    beta = {node: 0.5 * place for place, node in enumerate(reversed(list(graph)))}
    for options in ({}, {"normalized": False}, {"beta": -2.0}, {"beta": beta}, {"weight": None}):
        options = {"alpha": 0.03, "weight": "weight", **options}
        check(nx.katz_centrality, graph, **options, **CONVERGED)
        check(nx.katz_centrality_numpy, graph, **options)


def test_katz_is_of_length_one_however_large_or_small_scores_are() -> None:
    for weight, beta in ((1e200, 1.0), (1.0, 1e-200)):
        graph = nx.DiGraph()
        graph.add_edge(0, 1, weight=weight)
        options = {"alpha": 0.1, "beta": beta, "weight": "weight", "backend": "webrank"}
        for function in (nx.katz_centrality, nx.katz_centrality_numpy):
            found = function(graph, **options)
            assert sum(score * score for score in found.values()) == pytest.approx(1)
            assert found[1] > found[0]


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph])
@pytest.mark.parametrize("seed", range(4))
def test_eigenvectors_are_those_of_networkx(kind: type, seed: int) -> None:
    graph = random_graph(kind, seed)
    nx.add_cycle(graph, list(graph))
    for weight in (None, "weight"):
        check(nx.eigenvector_centrality_numpy, graph, weight=weight)
        check(nx.eigenvector_centrality, graph, weight=weight, **CONVERGED)
    start = {node: place + 1.0 for place, node in enumerate(graph)}
    check(nx.eigenvector_centrality, graph, nstart=start, **CONVERGED)


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph])
@pytest.mark.parametrize("normalized", [True, False])
def test_hits_is_that_of_networkx(kind: type, normalized: bool) -> None:
    graph = random_graph(kind, 5)
    nx.add_cycle(graph, list(graph))
    ours = nx.hits(graph, normalized=normalized, backend="webrank")
    theirs = nx.hits(graph, normalized=normalized, tol=0, backend="networkx")
    for mine, other in zip(ours, theirs):
        # The sign that networkx gives is arbitrary.
        agree(mine, {node: abs(score) for node, score in other.items()})


def test_edges_of_weight_0_are_no_arcs_of_a_matrix() -> None:
    graph = nx.DiGraph([(0, 1, {"weight": 0}), (0, 2), (2, 0), (1, 3, {"weight": 0})])
    check(nx.pagerank, graph, **CONVERGED)
    check(nx.katz_centrality, graph, weight="weight", **CONVERGED)


@own_tests
@pytest.mark.parametrize("graph", SIMPLE + MULTI + TINY + SINGLE, ids=str)
def test_samples_are_those_of_networkx(graph: Any) -> None:
    for k in range(len(graph) + 1):
        for normalized, endpoints in itertools.product((True, False), repeat=2):
            options = {"k": k, "normalized": normalized, "endpoints": endpoints}
            # Seeds of all kinds, and what they are after a sample.
            for seed in (lambda: 7, lambda: Random(7), lambda: np.random.RandomState(7)):
                one, other = seed(), seed()
                try:
                    theirs = nx.betweenness_centrality(
                        graph, **options, seed=other, backend="networkx"
                    )
                except ZeroDivisionError:
                    with pytest.raises(ZeroDivisionError):
                        nx.betweenness_centrality(graph, **options, seed=one, backend="webrank")
                    continue
                ours = nx.betweenness_centrality(graph, **options, seed=one, backend="webrank")
                assert list(ours) == list(theirs)
                found, expected = list(ours.values()), list(theirs.values())
                assert found == pytest.approx(expected, abs=1e-12, nan_ok=True)
                if not isinstance(one, int):
                    assert one.random() == other.random()


@pytest.mark.parametrize("graph", SIMPLE + MULTI, ids=str)
def test_lengths_of_edges(graph: Any) -> None:
    # Whole lengths, in which networkx is exact too.
    graph = graph.copy()
    for place, (*_, edge) in enumerate(graph.edges(data=True)):
        edge["length"] = 1 + place * place % 5
    check(nx.closeness_centrality, graph, distance="length")
    check(nx.closeness_centrality, graph, distance="length", wf_improved=False)
    ours = nx.harmonic_centrality(graph, distance="length", backend="webrank")
    theirs = nx.harmonic_centrality(graph, distance="length", backend="networkx")
    assert ours == pytest.approx(theirs)
    for normalized in (True, False):
        check(nx.betweenness_centrality, graph, weight="length", normalized=normalized)
        check(nx.betweenness_centrality, graph, weight="length", endpoints=True)


def test_lengths_that_tie_as_decimals_tie() -> None:
    graph = nx.DiGraph()
    graph.add_weighted_edges_from([(0, 1, 0.1), (1, 2, 0.2), (0, 2, 0.3)], weight="length")
    found = nx.betweenness_centrality(graph, weight="length", normalized=False, backend="webrank")
    assert found == {0: 0.0, 1: 0.5, 2: 0.0}
    graph[0][1]["length"] = 0
    with pytest.raises(NotImplementedError) as caught:
        nx.betweenness_centrality(graph.copy(), weight="length", backend="webrank")
    assert "finite and positive" in str(caught.value.__cause__)


def test_samples_of_all_or_of_impossible_sizes() -> None:
    graph = nx.karate_club_graph()
    exact = nx.betweenness_centrality(graph, backend="networkx")
    assert nx.betweenness_centrality(graph, 34, seed=1, backend="webrank") == pytest.approx(exact)
    for k, problem in ((35, ValueError), (-1, ValueError), (0, ZeroDivisionError)):
        with pytest.raises(problem):
            nx.betweenness_centrality(graph, k, backend="webrank")


def test_exceptions_are_those_of_networkx() -> None:
    cycle, null = nx.cycle_graph(4), nx.null_graph()
    failed = nx.PowerIterationFailedConvergence
    cases: list[tuple[Any, Callable[..., Any], Any, dict[str, Any]]] = [
        (failed, nx.pagerank, cycle, {"max_iter": 0}),
        (failed, nx.pagerank, cycle, {"tol": 0}),
        (failed, nx.eigenvector_centrality, cycle, {"max_iter": 0}),
        (failed, nx.katz_centrality, cycle, {"alpha": 0.5}),
        (failed, nx.hits, cycle, {"max_iter": 0}),
        (ZeroDivisionError, nx.pagerank, cycle, {"personalization": {0: 0}}),
        (nx.NetworkXPointlessConcept, nx.eigenvector_centrality, null, {}),
        (nx.NetworkXPointlessConcept, nx.eigenvector_centrality_numpy, null, {}),
        (nx.NetworkXError, nx.eigenvector_centrality, cycle, {"nstart": dict.fromkeys(cycle, 0)}),
        (nx.AmbiguousSolution, nx.eigenvector_centrality_numpy, nx.empty_graph(3), {}),
        (nx.NetworkXError, nx.katz_centrality, cycle, {"beta": {0: 1.0}}),
        (nx.NetworkXError, nx.katz_centrality_numpy, cycle, {"beta": "x"}),
        (nx.NetworkXNotImplemented, nx.katz_centrality, nx.MultiGraph(cycle), {}),
        (TypeError, nx.pagerank, cycle, {"no_argument": 1}),
    ]
    for problem, function, graph, options in cases:
        with pytest.raises(problem):
            function(graph, backend="webrank", **options)
        if problem is not failed or "tol" not in options:
            with pytest.raises(problem):
                function(graph, backend="networkx", **options)


@pytest.mark.parametrize(
    ("function", "options", "reason"),
    [
        ("global_reaching_centrality", {"weight": "weight"}, "in edges"),
        ("harmonic_centrality", {"distance": "weight", "sources": [0]}, "in edges"),
        ("betweenness_centrality", {"weight": len}, "function"),
        ("edge_betweenness_centrality", {"k": 2}, "exactly"),
        ("pagerank", {"alpha": 1}, "0 <= alpha < 1"),
        ("katz_centrality", {"alpha": -0.1}, "positive"),
        ("pagerank", {"weight": len}, "function"),
    ],
)
def test_refusals_have_reasons(function: str, options: dict[str, Any], reason: str) -> None:
    graph = nx.path_graph(3)
    answer = can_run(function, (graph,), options)
    assert isinstance(answer, str) and reason in answer
    with pytest.raises(NotImplementedError, match="webrank"):
        getattr(nx, function)(graph, backend="webrank", **options)


@pytest.mark.parametrize(
    ("function", "graph", "options"),
    [
        (nx.eigenvector_centrality, nx.DiGraph([(0, 1)]), {}),
        (nx.pagerank, nx.Graph([(0, 1, {"weight": -1})]), {}),
        (nx.pagerank, nx.Graph([(0, 1, {"weight": "heavy"})]), {}),
        (nx.katz_centrality_numpy, nx.cycle_graph(4), {"alpha": 0.7}),
        (nx.eigenvector_centrality, nx.Graph([(0, 0), (1, 1)]), {"nstart": {0: 1, 1: 2}}),
    ],
)
def test_what_only_the_graph_shows_is_refused(function: Any, graph: Any, options: Any) -> None:
    with pytest.raises(NotImplementedError):
        function(graph, backend="webrank", **options)


def test_networkx_is_preferred_where_it_is_faster() -> None:
    graph = nx.path_graph(3)
    assert should_run("pagerank", (graph,), {}) is True
    assert isinstance(should_run("degree_centrality", (graph,), {}), str)
    assert isinstance(should_run("closeness_centrality", (graph, 1), {}), str)


def test_a_converted_graph_is_kept_until_the_graph_changes() -> None:
    graph = nx.path_graph(4)
    nx.pagerank(graph, backend="webrank")
    [kept] = graph.__networkx_cache__["backends"]["webrank"].values()
    nx.pagerank(graph, backend="webrank")
    assert list(graph.__networkx_cache__["backends"]["webrank"].values()) == [kept]
    graph.add_edge(0, 3)
    check(nx.pagerank, graph, **CONVERGED)


def test_graphs_with_a_converted_graph_can_be_copied_and_pickled() -> None:
    graph = random_graph(nx.MultiGraph, 2)
    scores = nx.pagerank(graph, backend="webrank")
    for twin in (graph.copy(), copy.deepcopy(graph), pickle.loads(pickle.dumps(graph))):
        agree(nx.pagerank(twin, backend="webrank"), scores, 0.0)


def test_a_graph_of_the_priority_list_comes_from_webrank_or_networkx() -> None:
    graph = random_graph(nx.DiGraph, 1)
    with nx.config.backend_priority(algos=["webrank"]):
        agree(nx.pagerank(graph), nx.pagerank(graph, backend="webrank"), 0.0)
        # networkx computes what webrank refuses.
        weighted = nx.global_reaching_centrality(graph, weight="weight")
        nowhere = nx.eigenvector_centrality(nx.empty_graph(2, create_using=nx.DiGraph))
    expected = nx.global_reaching_centrality(graph, weight="weight", backend="networkx")
    assert weighted == pytest.approx(expected)
    assert nowhere == pytest.approx({0: 2**-0.5, 1: 2**-0.5})


def test_a_converted_graph_is_an_argument() -> None:
    graph = random_graph(nx.DiGraph, 3)
    converted = convert_from_nx(graph, {"weight": 1})
    assert isinstance(converted, BackendGraph)
    agree(nx.pagerank(converted), nx.pagerank(graph, backend="webrank"), 0.0)
    with pytest.raises(NotImplementedError):
        nx.pagerank(converted, weight="length")
    with pytest.raises(NotImplementedError, match="'weight', not 'length'"):
        converted.matrix("length")


@pytest.mark.parametrize("graph", [SIMPLE[0], SIMPLE[-1], MULTI[0], MULTI[-1]], ids=str)
def test_conversions_give_the_graph_back(graph: Any) -> None:
    back = backend.convert_to_nx(convert_from_nx(graph, {"weight": 1}))
    assert type(back) is type(graph)
    assert list(back) == list(graph)
    assert list(back.edges) == list(graph.edges)
    weights = [(*edge, weight) for *edge, weight in graph.edges(data="weight", default=1)]
    assert list(back.edges(data="weight")) == weights


def test_current_flow_betweenness() -> None:
    for graph in (nx.karate_club_graph(), nx.path_graph(5), nx.cycle_graph(6), nx.grid_graph((3, 4))):
        for place, (one, other) in enumerate(graph.edges):
            graph.edges[one, other]["conductance"] = 1 + place % 4
        for weight in (None, "conductance"):
            for normalized in (True, False):
                options = {"weight": weight, "normalized": normalized}
                check(nx.current_flow_betweenness_centrality, graph, **options)
    flow = nx.current_flow_betweenness_centrality
    for graph, problem in (
        (nx.Graph([(0, 1), (2, 3)]), nx.NetworkXError),
        (nx.Graph(), nx.NetworkXPointlessConcept),
        (nx.path_graph(2), ZeroDivisionError),
        (nx.MultiGraph([(0, 1), (1, 2)]), NotImplementedError),
        (nx.Graph([(0, 1), (1, 2), (2, 2)]), NotImplementedError),
    ):
        with pytest.raises(problem):
            flow(graph, backend="webrank")
    assert flow(nx.path_graph(2), normalized=False, backend="webrank") == {0: 0, 1: 0}


def test_views_of_graphs_are_converted() -> None:
    graph = random_graph(nx.DiGraph, 4)
    check(nx.closeness_centrality, graph.reverse(copy=False))
    check(nx.betweenness_centrality, graph.subgraph(list(graph)[:7]))
    undirected = graph.to_undirected(as_view=True)
    check(nx.pagerank, undirected, weight=None, **CONVERGED)
    with pytest.raises(NotImplementedError):
        nx.pagerank(undirected, backend="webrank")


def test_resources_are_arguments() -> None:
    graph = SIMPLE[0]
    assert nx.pagerank(graph, backend="webrank", threads=1, memory="4G", progress=False)
    with pytest.raises(webrank.OutOfMemory):
        nx.pagerank(nx.path_graph(1000), backend="webrank", memory=1)


def test_every_function_is_described() -> None:
    assert set(get_info()["functions"]) == set(FUNCTIONS)
    for name in FUNCTIONS:
        assert "webrank" in getattr(nx, name).backends


def test_default_scores_are_more_precise_than_networkx_s() -> None:
    graph = nx.gnp_random_graph(2000, 0.002, seed=1, directed=True)
    right = nx.pagerank(graph, tol=1e-17, max_iter=1000, backend="networkx")

    def error(scores: dict[Any, float]) -> float:
        return sum(abs(scores[node] - right[node]) for node in graph)

    assert error(nx.pagerank(graph, backend="networkx")) > 1e-4
    assert error(nx.pagerank(graph, backend="webrank")) < 1e-9


def networkx_suite(fall_back: bool) -> str:
    """The output of networkx's own tests of centralities, run through webrank."""
    environment = {**os.environ, "NETWORKX_TEST_BACKEND": "webrank"}
    if fall_back:
        environment["NETWORKX_FALLBACK_TO_NX"] = "True"
    modules = ["networkx.algorithms.centrality", "networkx.algorithms.link_analysis"]
    # Reports of what fails as expected take most of the time: no tracebacks.
    options = ["-q", "--tb=short", "-rxX", "-p", "no:cacheprovider", "--pyargs"]
    if not fall_back:
        options[1] = "--tb=no"
    run = subprocess.run(
        [sys.executable, "-m", "pytest", *options, *modules],
        env=environment, check=False, capture_output=True, text=True,
        timeout=600,
    )  # fmt: skip
    assert run.returncode == 0, run.stdout[-5000:] + run.stderr[-2000:]
    return run.stdout


@own_tests
def test_networkx_s_own_tests_pass() -> None:
    output = networkx_suite(fall_back=True)
    passed = re.search(r"(\d+) passed", output)
    assert passed and int(passed[1]) > 300
    # No more tests differ than those whose reasons are listed, and each reason has one.
    differing = re.findall(r"^XFAIL .* - (.*)$", output, re.MULTILINE)
    assert set(differing) == set(DIFFERENT)


@own_tests
def test_networkx_s_own_tests_run_on_webrank() -> None:
    """Without a way back to networkx, tests pass in which webrank computes everything."""
    passed = re.search(r"(\d+) passed", networkx_suite(fall_back=False))
    assert passed and int(passed[1]) > 100


@pytest.mark.parametrize("kind", [nx.DiGraph, nx.Graph, nx.MultiDiGraph, nx.MultiGraph])
def test_reaching_centralities(kind: type) -> None:
    G = nx.gnp_random_graph(12, 0.12, seed=3, directed=kind().is_directed())
    G = kind(list(G.edges) + list(G.edges)[:3])
    # Parallel edges, and graphs without edges, are nothing to warn of here.
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        nx.closeness_centrality(G, backend="webrank")
        nx.closeness_centrality(nx.empty_graph(3, kind), backend="webrank")
    found = nx.global_reaching_centrality(G, backend="webrank")
    assert found == pytest.approx(nx.global_reaching_centrality(G, backend="networkx"))
    for node in G:
        found = nx.local_reaching_centrality(G, node, backend="webrank")
        assert found == pytest.approx(nx.local_reaching_centrality(G, node, backend="networkx"))
    empty = kind()
    empty.add_nodes_from([1, 2])
    with pytest.raises(nx.NetworkXError, match="must be positive"):
        nx.global_reaching_centrality(empty, backend="webrank")


def test_the_first_call_on_a_graph_does_not_warn_and_the_next_can_be_silenced() -> None:
    G = nx.DiGraph([(1, 2), (2, 3), (3, 1)])
    nx.config.warnings_to_ignore.discard("cache")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            nx.pagerank(G, backend="webrank")
            with pytest.raises(UserWarning, match="cache"):
                nx.pagerank(G, backend="webrank")
            G.__networkx_cache__.clear()
            nx.pagerank(G, backend="webrank")
    finally:
        nx.config.warnings_to_ignore.add("cache")
    nx.pagerank(G, backend="webrank")


def test_every_centrality_of_networkx_is_here_or_listed_with_a_reason() -> None:
    page = (Path(__file__).parents[1] / "NETWORKX.md").read_text()
    _, others = page.split("## Functions that stay with networkx")
    others, _ = others.split("## Precision")
    modules = (nx.algorithms.centrality, nx.algorithms.link_analysis)
    every = {
        name for module in modules for name, function in vars(module).items()
        if hasattr(function, "orig_func")
    }  # fmt: skip
    assert len(every) > 40
    for name in every:
        assert (name in FUNCTIONS) != (f"`{name}`" in others), name
