#!/usr/bin/env python3
"""Harmonic centrality and betweenness by lengths of arcs, by rank and by igraph, in one run.

    python3 benches/peers/lengths.py RANK GRAPH [--sources 100] [--threads 2]

GRAPH is anything that rank opens. Lengths are drawn from 1..8, from 1..10^6, and from decimals with six
digits. rank computes harmonic centrality whole, end to end; its betweenness, and all of igraph's times, are
projected from evenly spaced sources. igraph runs on one thread; building its graph is not timed.
"""
import argparse
import pathlib
import subprocess
import tempfile
import time

import igraph
import numpy as np
import scipy.sparse

parser = argparse.ArgumentParser()
parser.add_argument("rank")
parser.add_argument("graph")
parser.add_argument("--sources", type=int, default=100)
parser.add_argument("--threads", type=int, default=2)
arguments = parser.parse_args()


def rank(command, *words):
    started = time.perf_counter()
    program = [arguments.rank, "-q", command, arguments.graph, *map(str, words)]
    subprocess.run(program, check=True)
    return time.perf_counter() - started


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
    print(f"{arguments.graph}: {n} nodes, {m} arcs; seconds for all sources")
    for name, lengths in [
        ("1..8", random.integers(1, 9, m).astype(float)),
        ("1..10^6", random.integers(1, 10**6 + 1, m).astype(float)),
        ("six decimals", random.integers(1, 10**6 + 1, m) / 10**6),
    ]:
        lengths.astype("<f8").tofile(folder / "lengths.f64")
        options = ["--lengths", folder / "lengths.f64", "--threads", arguments.threads]
        harmonic = rank("harmonic", *options, "--method", "exact", "-o", folder / "scores.csv")
        # The difference of two samples leaves out what happens once.
        sampled = ["--method", "sources", "--samples"]
        few, many = len(sources), 4 * len(sources)
        times = [
            rank("betweenness", *options, *sampled, count, "-o", folder / "scores.csv")
            for count in (few, many)
        ]
        between = (times[1] - times[0]) * n / (many - few)
        started = time.perf_counter()
        graph.harmonic_centrality(vertices=sources, mode="in", weights=lengths.tolist())
        other = (time.perf_counter() - started) * n / len(sources)
        started = time.perf_counter()
        graph.betweenness(sources=sources, weights=lengths.tolist())
        other_between = (time.perf_counter() - started) * n / len(sources)
        print(
            f"{name}: harmonic {harmonic:.1f}, igraph {other:.0f}, ratio {other / harmonic:.0f}; "
            f"betweenness {between:.1f}, igraph {other_between:.0f}, "
            f"ratio {other_between / between:.1f}",
            flush=True,
        )
