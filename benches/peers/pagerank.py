#!/usr/bin/env python3
"""PageRank by this tool and by others, on the same graph, in one go, to the same true error.

    python3 benches/peers/pagerank.py GRAPH [--target 1e-9] [--repeat 3]

GRAPH is the basename of a BVGraph that WebGraph's tools can open (in a bundle: graph.bv/graph). Needs
`rank` (target/release/rank), `webgraph` and `webgraph-rank` (cargo install webgraph-cli) on the PATH, and
the Python packages of requirements.txt beside this file.

The truth is computed by scipy in the plainest way, to rounding. Each tool gets a tolerance from a list,
the loosest with which its true l1 error is within the target. Times are the best of the repetitions:
seconds of the algorithm alone, and end to end, which is from the compressed file to the written table for
`rank` and `webgraph-rank` (which is given the transpose, made beforehand), and building the tool's
own graph from arrays of arcs plus the algorithm for the others. Memory is the peak of the process.
"""
import argparse
import json
import multiprocessing
import pathlib
import resource
import subprocess
import tempfile
import time

import numpy as np
import scipy.sparse

TOLERANCES = [10.0**-k for k in range(8, 16)]
ROOT = pathlib.Path(__file__).resolve().parents[2]
RANK = ROOT / "target/release/rank"


def truth(arcs, n, alpha=0.85):
    """PageRank by power iteration until nothing changes any more."""
    outdegree = np.bincount(arcs[:, 0], minlength=n)
    weights = alpha / outdegree[arcs[:, 0]]
    matrix = scipy.sparse.csr_matrix((weights, (arcs[:, 1], arcs[:, 0])), shape=(n, n))
    dangling = outdegree == 0
    x = np.full(n, 1 / n)
    for _ in range(400):
        x = matrix @ x + (alpha * x[dangling].sum() + 1 - alpha) / n
        x /= x.sum()
    return x


def in_child(function, *arguments):
    """Runs a function in a separate process; returns its result and the peak of that process."""

    def target(queue):
        try:
            result = function(*arguments)
        except Exception as problem:
            result = problem
        queue.put((result, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024))

    queue = multiprocessing.Queue()
    process = multiprocessing.Process(target=target, args=(queue,))
    process.start()
    result, memory = queue.get()
    process.join()
    if isinstance(result, Exception):
        raise result
    return result, memory


def run_rank(graph, tolerance, folder):
    table = folder / "rank.csv"
    command = [RANK, "-q", "pagerank", graph, "--tolerance", str(tolerance), "-o", table]
    start = time.perf_counter()
    subprocess.run(command, check=True)
    total = time.perf_counter() - start
    scores = np.loadtxt(table, delimiter=",", skiprows=1, usecols=column(table, "score"))
    manifest = json.loads((folder / "rank.csv.json").read_text())
    algorithm = next(p["seconds"] for p in manifest["phases"] if p["phase"] == "iterate")
    return scores, algorithm, total, manifest["peak_memory_bytes"]


def column(table, name):
    with open(table, encoding="utf-8") as file:
        return file.readline().strip().split(",").index(name)


def run_webgraph_rank(transpose, tolerance, folder):
    table = folder / "webgraph.txt"
    command = ["/usr/bin/time", "-f", "%M", "webgraph-rank", "pagerank", transpose, "-o", table]
    start = time.perf_counter()
    done = subprocess.run(
        command + ["--threshold", str(tolerance)], check=True, capture_output=True, text=True
    )
    total = time.perf_counter() - start
    return np.loadtxt(table), float("nan"), total, int(done.stderr.split()[-1]) * 1024


def run_igraph(arcs, n, _tolerance):
    import igraph

    start = time.perf_counter()
    graph = igraph.Graph(n=n, edges=arcs, directed=True)
    built = time.perf_counter()
    scores = graph.pagerank(damping=0.85, implementation="prpack")
    return np.array(scores), time.perf_counter() - built, time.perf_counter() - start


def run_networkit(arcs, n, tolerance):
    import networkit

    networkit.setNumberOfThreads(multiprocessing.cpu_count())
    start = time.perf_counter()
    graph = networkit.GraphFromCoo((arcs[:, 0].copy(), arcs[:, 1].copy()), n=n, directed=True)
    built = time.perf_counter()
    sinks = networkit.centrality.SinkHandling.DistributeSinks
    algorithm = networkit.centrality.PageRank(graph, 0.85, tolerance, distributeSinks=sinks)
    algorithm.norm = networkit.centrality.Norm.L1_NORM
    scores = np.array(algorithm.run().scores())
    return scores / scores.sum(), time.perf_counter() - built, time.perf_counter() - start


def run_rustworkx(arcs, n, tolerance):
    import rustworkx

    start = time.perf_counter()
    graph = rustworkx.PyDiGraph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from_no_data(list(map(tuple, arcs.tolist())))
    built = time.perf_counter()
    # It stops when the change is below n times the tolerance.
    ranks = rustworkx.pagerank(graph, alpha=0.85, tol=tolerance / n, max_iter=1000)
    seconds = time.perf_counter()
    scores = np.array([ranks[i] for i in range(n)])
    return scores, seconds - built, seconds - start


def best(name, runner, reference, target, repeat):
    """The loosest tolerance that reaches the target, and the best times with it."""
    for tolerance in TOLERANCES:
        scores, algorithm, total, memory = runner(tolerance)
        error = np.abs(scores - reference).sum()
        if error <= target or name == "igraph":
            break
    for _ in range(repeat - 1):
        _, again_algorithm, again_total, _ = runner(tolerance)
        algorithm, total = min(algorithm, again_algorithm), min(total, again_total)
    return {
        "tool": name,
        "tolerance": tolerance,
        "error": error,
        "algorithm": algorithm,
        "total": total,
        "memory": memory,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("graph")
    parser.add_argument("--target", type=float, default=1e-9)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--tools", default="rank,webgraph-rank,igraph,networkit,rustworkx")
    options = parser.parse_args()
    multiprocessing.set_start_method("fork")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        # Peers get a copy, so that nothing is written beside the user's graph.
        for extension in ("graph", "properties"):
            (folder / f"g.{extension}").write_bytes(
                pathlib.Path(f"{options.graph}.{extension}").read_bytes()
            )
        quiet = {"check": True, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        subprocess.run(["webgraph", "build", "offsets", folder / "g"], **quiet)
        subprocess.run(["webgraph", "build", "ef", folder / "g"], **quiet)
        subprocess.run(["webgraph", "transform", "transpose", folder / "g", folder / "t"], **quiet)
        subprocess.run(["webgraph", "build", "ef", folder / "t"], **quiet)
        with open(folder / "arcs.tsv", "wb") as out:
            subprocess.run(
                ["webgraph", "to", "arcs", folder / "g"],
                check=True, stdout=out, stderr=subprocess.DEVNULL,
            )
        properties = dict(
            line.strip().split("=", 1)
            for line in open(folder / "g.properties", encoding="latin-1")
            if "=" in line
        )
        n = int(properties["nodes"])
        arcs = np.fromfile(folder / "arcs.tsv", dtype=np.int64, sep="\t").reshape(-1, 2)
        reference = truth(arcs, n)
        runners = {
            "rank": lambda t: run_rank(folder / "g.graph", t, folder),
            "webgraph-rank": lambda t: run_webgraph_rank(folder / "t", t, folder),
        }
        for tool, function in [
            ("igraph", run_igraph), ("networkit", run_networkit), ("rustworkx", run_rustworkx),
        ]:
            def runner(t, function=function):
                (scores, algorithm, total), memory = in_child(function, arcs, n, t)
                return scores, algorithm, total, memory
            runners[tool] = runner
        rows = [
            best(tool, runners[tool], reference, options.target, options.repeat)
            for tool in options.tools.split(",")
        ]
    print(f"{options.graph}: {n} nodes, {len(arcs)} arcs, target {options.target:g}")
    print("| tool | tolerance | true l1 error | algorithm s | end to end s | ratio | peak MB |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for row in rows:
        ratio = row["total"] / rows[0]["total"]
        print(
            f"| {row['tool']} | {row['tolerance']:.0e} | {row['error']:.1e} | {row['algorithm']:.3f}"
            f" | {row['total']:.3f} | {ratio:.1f} | {row['memory'] / 1e6:.0f} |"
        )


if __name__ == "__main__":
    main()
