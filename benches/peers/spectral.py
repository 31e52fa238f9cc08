#!/usr/bin/env python3
"""Eigenvector centrality, Katz's index and HITS by this tool and by others, on the same graph, in one go.

    python3 benches/peers/spectral.py GRAPH [--repeat 3] [--tools rank,networkit,igraph,networkx]

GRAPH is the basename of a BVGraph, as for pagerank.py, whose needs are the same (`rank` in target/release,
`webgraph` on the PATH, the packages of requirements.txt).

Every vector is judged by scipy: for the eigenvector ||x A - l x|| / (l ||x||) with l = x A x / x x, in the l2
norm, for HITS the same of authorities and A' A, for Katz's index the norm of 1 + alpha x A - x over that of x.
Each tool gets the loosest tolerance from a list with which its residual is within 1e-9 (igraph has none).
Times are the best of the repetitions: seconds of the algorithm alone, and end to end, which is from the
compressed file to the written table for `rank` and building the tool's own graph from arrays of arcs plus
the algorithm for the others.

NetworKit 11 solves v = alpha (v + 1) A + beta for Katz's index and returns s = v / ||v||. Since v is
(1 + beta) x - 1, the index is x = (c s + 1) / (1 + beta) for the c that fits best.

Eigenvector centrality by igraph and networkx is ARPACK's, and so is the SVD by which networkx finds HITS. A
tool that has not reached the target within two minutes is shown with what it has reached.
"""
import argparse
import json
import multiprocessing
import pathlib
import subprocess
import tempfile
import time

import numpy as np
import scipy.sparse

from pagerank import RANK, column, in_child

TARGET = 1e-9
TOLERANCES = [10.0**-k for k in range(6, 15)]


def run_rank(measure, graph, tolerance, alpha, folder):
    table = folder / "rank.csv"
    command = [RANK, "-q", measure, graph, "--tolerance", str(tolerance), "-o", table]
    command += ["--alpha", str(alpha)] if measure == "katz" else []
    start = time.perf_counter()
    subprocess.run(command, check=True)
    total = time.perf_counter() - start
    name = "authority" if measure == "hits" else "score"
    scores = np.loadtxt(table, delimiter=",", skiprows=1, usecols=column(table, name))
    manifest = json.loads((folder / "rank.csv.json").read_text())
    algorithm = next(p["seconds"] for p in manifest["phases"] if p["phase"] == "iterate")
    return scores, algorithm, total, manifest["peak_memory_bytes"]


def run_networkit(measure, arcs, n, tolerance, alpha):
    import networkit

    networkit.setNumberOfThreads(multiprocessing.cpu_count())
    start = time.perf_counter()
    graph = networkit.GraphFromCoo((arcs[:, 0].copy(), arcs[:, 1].copy()), n=n, directed=True)
    built = time.perf_counter()
    if measure == "katz":
        algorithm = networkit.centrality.KatzCentrality(graph, alpha, 1.0, tolerance)
    else:
        algorithm = networkit.centrality.EigenvectorCentrality(graph, tolerance)
    scores = np.array(algorithm.run().scores())
    return scores, time.perf_counter() - built, time.perf_counter() - start


def run_igraph(measure, arcs, n, _tolerance, _alpha):
    import igraph

    start = time.perf_counter()
    graph = igraph.Graph(n=n, edges=arcs, directed=True)
    built = time.perf_counter()
    if measure == "hits":
        # Both are returned, so both are timed.
        scores = graph.authority_score()
        graph.hub_score()
    else:
        scores = graph.eigenvector_centrality(directed=True)
    return np.array(scores), time.perf_counter() - built, time.perf_counter() - start


def run_networkx(measure, arcs, n, tolerance, alpha):
    import networkx

    start = time.perf_counter()
    graph = networkx.empty_graph(n, create_using=networkx.DiGraph)
    graph.add_edges_from(map(tuple, arcs.tolist()))
    built = time.perf_counter()
    if measure == "katz":
        scores = networkx.katz_centrality(graph, alpha, tol=tolerance / n, normalized=False)
    elif measure == "hits":
        _, scores = networkx.hits(graph, tol=tolerance)
    else:
        scores = networkx.eigenvector_centrality_numpy(graph)
    seconds = time.perf_counter()
    return np.array([scores[i] for i in range(n)]), seconds - built, seconds - start


def residual(measure, matrix, alpha, x):
    if measure == "katz":
        return np.linalg.norm(1 + alpha * (matrix @ x) - x) / np.linalg.norm(x)
    multiply = (lambda x: matrix @ (matrix.T @ x)) if measure == "hits" else (lambda x: matrix @ x)
    image = multiply(x)
    value = x @ image / (x @ x)
    return np.linalg.norm(image - value * x) / (value * np.linalg.norm(x))


def from_networkit(matrix, alpha, s, beta=1.0):
    """Katz's index from what NetworKit returns: (c s + 1) / (1 + beta), c by least squares."""
    left = s - alpha * (matrix @ s)
    right = beta + alpha * (matrix @ np.ones(len(s)))
    return (left @ right / (left @ left) * s + 1) / (1 + beta)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("graph")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--tools", default="rank,networkit,igraph,networkx")
    options = parser.parse_args()
    multiprocessing.set_start_method("fork")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        with open(folder / "arcs.tsv", "wb") as out:
            command = ["webgraph", "to", "arcs", options.graph]
            subprocess.run(command, check=True, stdout=out, stderr=subprocess.DEVNULL)
        arcs = np.fromfile(folder / "arcs.tsv", dtype=np.int64, sep="\t").reshape(-1, 2)
        properties = pathlib.Path(f"{options.graph}.properties").read_text(encoding="latin-1")
        n = int(next(line[6:] for line in properties.splitlines() if line.startswith("nodes=")))
        matrix = scipy.sparse.csr_matrix((np.ones(len(arcs)), (arcs[:, 1], arcs[:, 0])), shape=(n, n))
        run_rank("katz", f"{options.graph}.graph", 1e-3, "auto", folder)
        manifest = json.loads((folder / "rank.csv.json").read_text())
        alpha = manifest["columns"]["score"]["parameters"]["alpha"]
        others = {"networkit": run_networkit, "igraph": run_igraph, "networkx": run_networkx}
        print(f"{options.graph}: {n} nodes, {len(arcs)} arcs, alpha of Katz {alpha:.6g}")
        print("| measure | tool | residual | algorithm s | end to end s | ratio | peak MB |")
        print("|---|---|---:|---:|---:|---:|---:|")
        for measure in ["eigenvector", "katz", "hits"]:
            ours = None
            for tool in options.tools.split(","):
                if (measure, tool) in [("katz", "igraph"), ("hits", "networkit")]:
                    continue

                def run(tolerance):
                    if tool == "rank":
                        return run_rank(measure, f"{options.graph}.graph", tolerance, alpha, folder)
                    (scores, algorithm, total), memory = in_child(
                        others[tool], measure, arcs, n, tolerance, alpha
                    )
                    return scores, algorithm, total, memory

                started = time.perf_counter()
                try:
                    run(TOLERANCES[0])
                except Exception as problem:
                    # As networkx does where a graph is not connected.
                    print(f"| {measure} | {tool} | refused: {type(problem).__name__} | | | | |")
                    continue
                for tolerance in TOLERANCES:
                    scores, algorithm, total, memory = run(tolerance)
                    if (measure, tool) == ("katz", "networkit"):
                        scores = from_networkit(matrix, alpha, scores)
                    found = residual(measure, matrix, alpha, scores)
                    late = time.perf_counter() - started > 120
                    if found <= TARGET or tool == "igraph" or late:
                        break
                for _ in range(options.repeat - 1):
                    _, again_algorithm, again_total, _ = run(tolerance)
                    algorithm, total = min(algorithm, again_algorithm), min(total, again_total)
                ours = ours or total
                print(
                    f"| {measure} | {tool} | {found:.1e} | {algorithm:.3f} | {total:.3f}"
                    f" | {total / ours:.1f} | {memory / 1e6:.0f} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
