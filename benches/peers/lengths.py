#!/usr/bin/env python3
"""Harmonic centrality and betweenness by lengths of arcs, by rank, igraph and NetworKit, in one run.

    python3 benches/peers/lengths.py RANK GRAPH [--sources 100] [--threads 2]

GRAPH is anything that rank opens. Lengths are drawn from 1..8, from 1..10^6, and from decimals with six
digits. All times are seconds of the processor, so that other work on the machine matters little: those of
rank are of whole runs, divided by the number of threads; those of igraph and NetworKit are from sources of a
sample, projected to all, on one thread. NetworKit's harmonic is its Dijkstra alone, its betweenness that of
EstimateBetweenness. Reading and building graphs is not timed, except by rank.
"""
import argparse
import pathlib
import resource
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
    subprocess.run(program, check=True)


def spent(command, *words):
    """The seconds of the processor that rank takes, for each of its threads."""
    options = ["--threads", arguments.threads, "--time-budget", "10h", "-o", "/dev/null"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    rank(command, *words, *options)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    user = after.ru_utime - before.ru_utime
    return (user + after.ru_stime - before.ru_stime) / arguments.threads


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
        options = ["--lengths", folder / "lengths.f64"]
        harmonic = spent("harmonic", *options)
        between = spent("betweenness", *options)
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
        said = [f"{name}: harmonic {harmonic:.2f}, betweenness {between:.2f}"]
        for other, run in others.items():
            started = time.process_time()
            run()
            seconds = (time.process_time() - started) * n / len(sources)
            ours = harmonic if "harmonic" in other else between
            said.append(f"{other} {seconds:.0f}, ratio {seconds / ours:.1f}")
        print("; ".join(said), flush=True)
