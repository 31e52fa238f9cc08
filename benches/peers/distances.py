#!/usr/bin/env python3
"""Harmonic centrality by this tool and by others, on the same graph, in one go.

    python3 benches/peers/distances.py BASENAME [--sources 200] [--tools rank,igraph,networkit,hyperball]

BASENAME is that of a BVGraph that WebGraph's tools can open. Needs `rank` (target/release/rank), `webgraph`
and, for HyperBall, `webgraph-dist` (cargo install webgraph-cli) on the PATH, and the packages of
requirements.txt beside this file.

`rank` computes every node exactly, from the compressed file to the written table. igraph is timed on evenly
spaced nodes, on one core, and projected to all; its values are compared with ours. NetworKit's
TopHarmonicCloseness finds the first ten only. HyperBall (byte counters) follows the successors of its first
graph, so that for distances TO a node the transpose comes first; it must lie beside the graph as BASENAME-t,
offsets included. Building their graphs is not counted.
"""
import argparse
import csv
import multiprocessing
import pathlib
import subprocess
import tempfile
import time

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
RANK = ROOT / "target/release/rank"


def read_arcs(basename):
    """The arcs, one per row, by `webgraph to arcs`."""
    text = subprocess.run(["webgraph", "to", "arcs", basename], check=True, capture_output=True).stdout
    return np.array(text.split(), dtype=np.int64).reshape(-1, 2)


def run_rank(basename, folder):
    table = folder / "harmonic.csv"
    start = time.perf_counter()
    subprocess.run([RANK, "-q", "harmonic", basename, "--method", "exact", "-o", table], check=True)
    total = time.perf_counter() - start
    with open(table, encoding="utf-8") as file:
        return np.array([float(row["score"]) for row in csv.DictReader(file)]), total


def run_igraph(arcs, n, sources, ours):
    import igraph

    graph = igraph.Graph(n=n, edges=arcs, directed=True)
    nodes = np.linspace(0, n - 1, sources).astype(int).tolist()
    start = time.perf_counter()
    found = graph.harmonic_centrality(nodes, mode="in", normalized=False)
    total = (time.perf_counter() - start) * n / sources
    error = np.max(np.abs(np.array(found) - ours[nodes]) / np.maximum(ours[nodes], 1))
    return total, f"exact, one core, projected from {sources} nodes, relative difference {error:.0e}"


def run_networkit(arcs, n, ours):
    import networkit

    networkit.setNumberOfThreads(multiprocessing.cpu_count())
    # It follows arcs forward.
    graph = networkit.GraphFromCoo((arcs[:, 1].copy(), arcs[:, 0].copy()), n=n, directed=True)
    start = time.perf_counter()
    top = networkit.centrality.TopHarmonicCloseness(graph, 10)
    top.run()
    total = time.perf_counter() - start
    best = np.sort(ours)[::-1][:10]
    same = np.allclose(np.array(top.topkScoresList()) / best, 1) or np.allclose(
        np.array(top.topkScoresList()) * (n - 1) / best, 1
    )
    return total, f"the first 10 only, {'the same' if same else 'other'} values"


def run_hyperball(basename, log2m, folder):
    # Distances to a node, as `rank harmonic` computes by default: the transpose first.
    graphs = [f"{basename}-t", basename]
    start = time.perf_counter()
    command = ["webgraph-dist", "hyperball", *graphs, "--hll8", "--harmonic", folder / "h.txt", "--log2m", str(log2m)]
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - start, f"2^{log2m} registers, {104 / 2**(log2m / 2):.1f}% a counter"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("basename")
    parser.add_argument("--sources", type=int, default=200)
    parser.add_argument("--tools", default="rank,igraph,networkit,hyperball")
    options = parser.parse_args()
    tools = options.tools.split(",")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        ours, base = run_rank(options.basename, folder)
        base = min(base, run_rank(options.basename, folder)[1])
        n = len(ours)
        rows = [("rank harmonic", base, "exact, every node, end to end")]
        if {"igraph", "networkit"} & set(tools):
            arcs = read_arcs(options.basename)
        if "igraph" in tools:
            rows.append(("igraph", *run_igraph(arcs, n, options.sources, ours)))
        if "networkit" in tools:
            rows.append(("NetworKit TopHarmonicCloseness", *run_networkit(arcs, n, ours)))
        if "hyperball" in tools:
            rows += [("webgraph-dist hyperball", *run_hyperball(options.basename, k, folder)) for k in (8, 12)]
    print("| tool | what | s | ratio |\n|---|---|---:|---:|")
    for tool, what, seconds in [(tool, what, seconds) for tool, seconds, what in rows]:
        print(f"| {tool} | {what} | {seconds:.2f} | {seconds / base:.1f} |")


main()
