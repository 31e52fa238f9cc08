"""From NumPy arrays to scores: this package beside others, on the same graph, in one run.

    pip install ./python -r python/benches/requirements.txt
    python python/benches/peers.py GRAPH... [--limit 300] [--measures pagerank harmonic]

GRAPH is anything that `webrank.open` takes. Each library runs in a process of its own, and is stopped
after the limit (in seconds). Measured apart: the conversion of two arrays, the sources and the
targets of the arcs, into the library's graph, and the computation.

The error of PageRank and of the eigenvector is the l1 distance to this package's scores at a tolerance
of 1e-12, whose bound is certified; libraries that take a tolerance get the loosest power of ten with
which their true error is 1e-9 at most, or the tightest that ends. The error of harmonic centrality and
betweenness is the largest difference to this package's exact scores, over the largest score.
"""

import argparse
import importlib
import importlib.metadata
import json
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np

MEASURES = ["pagerank", "harmonic", "betweenness", "eigenvector"]
TARGET = 1e-9
TOLERANCES = [10.0**-k for k in range(9, 16)]
ALPHA = 0.85
SWEEPS = 10_000


def webrank(src, dst, n):
    import webrank

    g = webrank.Graph.from_arrays(src, dst, n=n)
    quiet = {"progress": False}
    return {
        "pagerank": lambda tolerance: g.pagerank(tolerance=tolerance, **quiet).values,
        "harmonic": lambda _: g.harmonic(method="exact", **quiet).values,
        "betweenness": lambda _: g.betweenness(method="exact", time_budget="10h", **quiet).values,
        "eigenvector": lambda tolerance: g.eigenvector(tolerance=tolerance, **quiet).values,
    }


def networkx(src, dst, n):
    import networkx as nx

    g = nx.DiGraph()
    g.add_nodes_from(range(n))
    g.add_edges_from(zip(src.tolist(), dst.tolist()))

    def by_node(scores):
        return [scores[node] for node in range(n)]

    return {
        # Its tolerance is that of a node.
        "pagerank": lambda tol: by_node(nx.pagerank(g, ALPHA, tol=tol / n, max_iter=SWEEPS)),
        "harmonic": lambda _: by_node(nx.harmonic_centrality(g)),
        "betweenness": lambda _: by_node(nx.betweenness_centrality(g, normalized=False)),
        "eigenvector": lambda tol: by_node(
            nx.eigenvector_centrality(g, tol=tol / n, max_iter=SWEEPS)
        ),
    }


def igraph(src, dst, n):
    import igraph

    g = igraph.Graph(n=n, edges=np.column_stack([src, dst]), directed=True)
    return {
        "pagerank": lambda _: g.pagerank(damping=ALPHA),
        "harmonic": lambda _: np.multiply(g.harmonic_centrality(mode="in"), n - 1),
        "betweenness": lambda _: g.betweenness(directed=True),
        "eigenvector": lambda _: g.eigenvector_centrality(directed=True),
    }


def networkit(src, dst, n):
    import networkit as nk

    def graph(src, dst):
        return nk.graph.GraphFromCoo((src, dst), n=n, directed=True)

    g = graph(src, dst)

    def pagerank(tol):
        sinks = nk.centrality.SinkHandling.DistributeSinks
        rank = nk.centrality.PageRank(g, ALPHA, tol, distributeSinks=sinks)
        rank.norm = nk.centrality.Norm.L1_NORM
        rank.maxIterations = SWEEPS
        return rank.run().scores()

    def harmonic(_):
        # Its distances are those from a node; the conversion of the other direction counts as work.
        return nk.centrality.HarmonicCloseness(graph(dst, src), normalized=False).run().scores()

    return {
        "pagerank": pagerank,
        "harmonic": harmonic,
        "betweenness": lambda _: nk.centrality.Betweenness(g).run().scores(),
        "eigenvector": lambda tol: nk.centrality.EigenvectorCentrality(g, tol).run().scores(),
    }


def rustworkx(src, dst, n):
    import rustworkx as rx

    g = rx.PyDiGraph()
    g.add_nodes_from(range(n))
    g.add_edges_from_no_data(list(zip(src.tolist(), dst.tolist())))

    def by_node(scores):
        return [scores[node] for node in range(n)]

    return {
        "pagerank": lambda tol: by_node(rx.pagerank(g, ALPHA, tol=tol / n, max_iter=SWEEPS)),
        "betweenness": lambda _: by_node(rx.betweenness_centrality(g, normalized=False)),
        "eigenvector": lambda tol: by_node(
            rx.eigenvector_centrality(g, tol=tol / n, max_iter=SWEEPS)
        ),
    }


def scipy(src, dst, n):
    from scipy.sparse import csr_array
    from scipy.sparse.linalg import eigs

    arcs = csr_array((np.ones(len(src)), (dst, src)), shape=(n, n))

    def pagerank(tolerance):
        degrees = np.bincount(src, minlength=n)
        shares = np.divide(1.0, degrees, out=np.zeros(n), where=degrees > 0)
        x = np.full(n, 1 / n)
        for _ in range(SWEEPS):
            y = ALPHA * (arcs @ (x * shares))
            y += (1 - y.sum()) / n
            if np.abs(y - x).sum() * ALPHA / (1 - ALPHA) < tolerance:
                return y
            x = y
        raise RuntimeError("not converged")

    return {
        "pagerank": pagerank,
        "eigenvector": lambda tol: np.abs(eigs(arcs, k=1, which="LR", tol=tol)[1][:, 0]),
    }


LIBRARIES = [webrank, igraph, networkit, networkx, rustworkx, scipy]
BY_NAME = {library.__name__: library for library in LIBRARIES}
WITH_TOLERANCE = {
    ("webrank", "pagerank"), ("networkx", "pagerank"), ("networkit", "pagerank"),
    ("rustworkx", "pagerank"), ("scipy", "pagerank"), ("webrank", "eigenvector"),
    ("networkx", "eigenvector"), ("networkit", "eigenvector"), ("rustworkx", "eigenvector"),
    ("scipy", "eigenvector"),
}


def one(library, measure, tolerance, arcs, out):
    """Runs in a process of its own: the scores into `out`, the times to standard output."""
    loaded = np.load(arcs)
    src, dst, n = loaded["src"], loaded["dst"], int(loaded["n"])
    # The import of a library is not part of its work.
    importlib.import_module("scipy.sparse.linalg" if library == "scipy" else library)
    start = time.perf_counter()
    functions = BY_NAME[library](src, dst, n)
    converted = time.perf_counter()
    scores = np.asarray(functions[measure](tolerance), dtype=float)
    done = time.perf_counter()
    np.save(out, scores)
    print(json.dumps({"conversion": converted - start, "computation": done - converted}))


def run(library, measure, tolerance, arcs, limit):
    """Scores and times, or a word that says why there are none."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "scores.npy"
        command = [sys.executable, __file__, "--one", library, measure, repr(tolerance), arcs, out]
        try:
            done = subprocess.run(
                [str(word) for word in command], capture_output=True, text=True, timeout=limit
            )
        except subprocess.TimeoutExpired:
            return f"> {limit} s"
        if done.returncode:
            return done.stderr.strip().splitlines()[-1][:60] if done.stderr.strip() else "failed"
        times = json.loads(done.stdout.splitlines()[-1])
        return np.load(out), times["conversion"], times["computation"]


def error(measure, scores, truth):
    if measure in ("pagerank", "eigenvector"):
        return np.abs(scores / scores.sum() - truth / truth.sum()).sum()
    return np.abs(scores - truth).max() / truth.max()


def row(library, measure, truth, arcs, limit):
    """Error, seconds of conversion and of computation; or a word."""
    tolerances = TOLERANCES if (library, measure) in WITH_TOLERANCE else TOLERANCES[:1]
    last = "no such tolerance"
    for tolerance in tolerances:
        found = run(library, measure, tolerance, arcs, limit)
        if isinstance(found, str):
            # A tighter tolerance does not end either.
            return last if not isinstance(last, str) else found
        scores, conversion, computation = found
        last = (error(measure, scores, truth), conversion, computation)
        if last[0] <= TARGET:
            break
    return last


def bench(path, measures, limit, folder):
    import webrank

    matrix = webrank.open(path, progress=False).to_scipy().tocoo()
    n = matrix.shape[0]
    arcs = pathlib.Path(folder) / "arcs.npz"
    src, dst = (np.ascontiguousarray(nodes, dtype=np.int64) for nodes in matrix.coords)
    np.savez(arcs, src=src, dst=dst, n=n)
    print(f"\n{pathlib.Path(path).stem}: {n} nodes, {len(src)} arcs\n")
    print("| measure | library | conversion s | computation s | true error | times this package |")
    print("|---|---|---:|---:|---:|---:|")
    for measure in measures:
        found = run("webrank", measure, 1e-12, arcs, 100 * limit)
        if isinstance(found, str):
            print(f"| {measure} | webrank | {found} |")
            continue
        truth, ours = found[0], None
        for library in BY_NAME:
            if measure not in HAS.get(library, MEASURES):
                continue
            found = row(library, measure, truth, arcs, limit)
            name = f"{library} {importlib.metadata.version(library)}"
            if isinstance(found, str):
                print(f"| {measure} | {name} | | {found} | | |", flush=True)
                continue
            off, conversion, computation = found
            ours = ours or conversion + computation
            ratio = (conversion + computation) / ours
            print(
                f"| {measure} | {name} | {conversion:.2f} | {computation:.2f} | {off:.1e} "
                f"| {ratio:.1f} |",
                flush=True,
            )


# Libraries that do not have all measures.
HAS = {"rustworkx": ["pagerank", "betweenness", "eigenvector"], "scipy": ["pagerank", "eigenvector"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("graphs", nargs="*", metavar="GRAPH")
    parser.add_argument("--limit", type=float, default=300)
    parser.add_argument("--measures", nargs="+", default=MEASURES, choices=MEASURES)
    parser.add_argument("--one", nargs=5, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        library, measure, tolerance, arcs, out = options.one
        return one(library, measure, float(tolerance), arcs, out)
    with tempfile.TemporaryDirectory() as folder:
        for path in options.graphs:
            bench(path, options.measures, options.limit, folder)


if __name__ == "__main__":
    main()
