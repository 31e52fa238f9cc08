#!/usr/bin/env python3
"""Betweenness of all nodes by this tool and by others, on the same graph, in one go.

    python3 benches/peers/betweenness.py GRAPH ARCS.tsv [--sources 200] [--tools rank,igraph,networkit]

GRAPH is what `rank` opens; ARCS.tsv has its arcs, two node numbers per line (`webgraph to arcs` makes it, or
`rank betweenness GRAPH --arcs`). Needs target/release/rank, and the Python packages of requirements.txt
beside this file and networkx.

`rank` runs in full, end to end: from the file to the written table. The others run from SOURCES random
nodes, or from all with --sources 0, after building their graph (not timed), and their time is
EXTRAPOLATED to n sources: igraph by its `sources` argument (one thread, its only way), networkx by `k`
(one thread), NetworKit by EstimateBetweenness in parallel. rustworkx has no such choice and always runs
in full, in parallel: give it small graphs. Where a tool runs in full, its scores are compared with ours.
"""
import argparse
import json
import pathlib
import random
import subprocess
import tempfile
import time

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
RANK = ROOT / "target/release/rank"


def run_rank(graph, threads, folder):
    table = folder / "rank.csv"
    command = [RANK, "-q", "--threads", str(threads), "betweenness", graph, "--time-budget", "10h"]
    start = time.perf_counter()
    subprocess.run([*command, "-o", table], check=True)
    seconds = time.perf_counter() - start
    with open(table, encoding="utf-8") as file:
        column = file.readline().strip().split(",").index("score")
    scores = np.loadtxt(table, delimiter=",", skiprows=1, usecols=column)
    memory = json.loads((folder / "rank.csv.json").read_text())["peak_memory_bytes"]
    return scores, seconds, memory


def run_igraph(arcs, n, sources, _threads):
    import igraph

    graph = igraph.Graph(n=n, edges=arcs[arcs[:, 0] != arcs[:, 1]], directed=True)
    start = time.perf_counter()
    scores = graph.betweenness(directed=True, sources=sources)
    return np.array(scores), time.perf_counter() - start


def run_networkx(arcs, n, sources, _threads):
    import networkx

    graph = networkx.empty_graph(n, create_using=networkx.DiGraph)
    graph.add_edges_from(arcs.tolist())
    start = time.perf_counter()
    k = None if len(sources) == n else len(sources)
    scores = networkx.betweenness_centrality(graph, k=k, normalized=False, seed=1)
    return np.array([scores[x] for x in range(n)]), time.perf_counter() - start


def run_networkit(arcs, n, sources, threads):
    import networkit

    networkit.setNumberOfThreads(threads)
    kept = arcs[arcs[:, 0] != arcs[:, 1]]
    graph = networkit.GraphFromCoo((kept[:, 0].copy(), kept[:, 1].copy()), n=n, directed=True)
    start = time.perf_counter()
    if len(sources) == n:
        algorithm = networkit.centrality.Betweenness(graph)
    else:
        algorithm = networkit.centrality.EstimateBetweenness(graph, len(sources), False, True)
    algorithm.run()
    return np.array(algorithm.scores()), time.perf_counter() - start


def run_rustworkx(arcs, n, sources, _threads):
    import rustworkx

    if len(sources) != n:
        raise SystemExit("rustworkx runs in full only: give --sources 0")
    graph = rustworkx.PyDiGraph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from_no_data(list(map(tuple, arcs.tolist())))
    start = time.perf_counter()
    scores = rustworkx.betweenness_centrality(graph, normalized=False)
    return np.array([scores[x] for x in range(n)]), time.perf_counter() - start


PEERS = {
    "igraph": run_igraph,
    "networkx": run_networkx,
    "networkit": run_networkit,
    "rustworkx": run_rustworkx,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("graph")
    parser.add_argument("arcs")
    parser.add_argument("--sources", type=int, default=200)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--tools", default="rank,igraph,networkit")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        ours, seconds, memory = run_rank(options.graph, options.threads, pathlib.Path(name))
    n = len(ours)
    arcs = np.fromfile(options.arcs, dtype=np.int64, sep="\t").reshape(-1, 2)
    count = options.sources or n
    sources = random.Random(1).sample(range(n), count)
    print(f"{options.graph}: {n} nodes, {len(arcs)} arcs; peers from {count} sources")
    print("| tool | seconds for all sources | ratio | largest relative difference |")
    print("|---|---:|---:|---:|")
    print(f"| rank, {options.threads} threads ({memory / 1e6:.0f} MB) | {seconds:.2f} | 1 | |")
    for tool in options.tools.split(","):
        if tool == "rank":
            continue
        scores, took = PEERS[tool](arcs, n, sources, options.threads)
        difference = ""
        if count == n:
            difference = f"{np.max(np.abs(scores - ours) / np.maximum(ours, 1)):.1e}"
        all_sources = took * n / count
        print(f"| {tool} | {all_sources:.1f} | {all_sources / seconds:.0f} | {difference} |", flush=True)


if __name__ == "__main__":
    main()
