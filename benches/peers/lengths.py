#!/usr/bin/env python3
"""Harmonic centrality and betweenness by lengths of arcs, by rank, igraph and NetworKit, in one run.

    python3 benches/peers/lengths.py RANK GRAPH [--sources 100] [--threads 2]

GRAPH is anything that rank opens. Lengths are drawn from 1..8, from 1..10^6, and from decimals with six
digits. All times are for all sources, projected: those of rank are what it says before it begins, from
sources that it searches from; those of igraph and NetworKit are from sources of a sample, on one thread:
NetworKit's harmonic is its Dijkstra alone, its betweenness that of EstimateBetweenness. Reading and building
graphs is not timed.
"""
import argparse
import pathlib
import re
import subprocess
import tempfile
import time

import igraph
import networkit
import numpy as np
import scipy.sparse

parser = argparse.ArgumentParser()
parser.add_argument("rank")
parser.add_argument("graph")
parser.add_argument("--sources", type=int, default=100)
parser.add_argument("--threads", type=int, default=2)
arguments = parser.parse_args()


def rank(command, *words):
    program = [arguments.rank, "-q", command, arguments.graph, *map(str, words)]
    return subprocess.run(program, stderr=subprocess.PIPE, text=True).stderr


def projected(command, *words):
    """The seconds that rank says it would take."""
    said = rank(command, *words, "--time-budget", "0s", "-o", "/dev/null")
    number, unit = re.search(r"about ([0-9.]+) (ms|s|min|h)", said).groups()
    return float(number) * {"ms": 1e-3, "s": 1, "min": 60, "h": 3600}[unit]


def weighted(sources, targets, lengths):
    """The graph for NetworKit."""
    arcs = (lengths, (sources.astype(np.uint64), targets.astype(np.uint64)))
    return networkit.GraphFromCoo(arcs, n=n, weighted=True, directed=True)


with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    rank("export", "--to", "npz", "-o", folder / "graph.npz")
    matrix = scipy.sparse.load_npz(folder / "graph.npz").tocsr()
    matrix.sort_indices()
    n, m = matrix.shape[0], matrix.nnz
    heads = np.repeat(np.arange(n), np.diff(matrix.indptr))
    graph = igraph.Graph(n=n, edges=np.column_stack([heads, matrix.indices]), directed=True)
    sources = list(range(0, n, max(1, n // arguments.sources)))
    random = np.random.default_rng(1)
    networkit.setNumberOfThreads(1)
    print(f"{arguments.graph}: {n} nodes, {m} arcs; seconds for all sources")
    for name, lengths in [
        ("1..8", random.integers(1, 9, m).astype(float)),
        ("1..10^6", random.integers(1, 10**6 + 1, m).astype(float)),
        ("six decimals", random.integers(1, 10**6 + 1, m) / 10**6),
    ]:
        lengths.astype("<f8").tofile(folder / "lengths.f64")
        options = ["--lengths", folder / "lengths.f64", "--threads", arguments.threads]
        harmonic = projected("harmonic", *options)
        between = projected("betweenness", *options)
        weights = lengths.tolist()
        forward = weighted(heads, matrix.indices, lengths)
        reverse = weighted(matrix.indices, heads, lengths)
        others = {
            "igraph harmonic": lambda: graph.harmonic_centrality(
                vertices=sources, mode="in", weights=weights
            ),
            "NetworKit harmonic": lambda: [
                networkit.distance.Dijkstra(reverse, source, False).run() for source in sources
            ],
            "igraph betweenness": lambda: graph.betweenness(sources=sources, weights=weights),
            "NetworKit betweenness": lambda: networkit.centrality.EstimateBetweenness(
                forward, len(sources)
            ).run(),
        }
        said = [f"{name}: harmonic {harmonic:.1f}, betweenness {between:.1f}"]
        for other, run in others.items():
            started = time.perf_counter()
            run()
            seconds = (time.perf_counter() - started) * n / len(sources)
            ours = harmonic if "harmonic" in other else between
            said.append(f"{other} {seconds:.0f}, ratio {seconds / ours:.1f}")
        print("; ".join(said), flush=True)
