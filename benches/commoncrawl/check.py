"""Compares what `rank commoncrawl` made of a release with a slow and obvious computation.

    python check.py VERTICES EDGES OUTPUT [--sources 20]

Reads the release (VERTICES a file, EDGES a file or a folder of parts) and every line of the ranks,
and checks: the header and the number of fields; every host once; positions from 1 on without a
gap, in the order of the scores; PageRank of every host (power iteration by scipy, until it cannot
move by 1e-11) and its position; harmonic centrality of the best and of some random hosts by a
breadth-first search from each, within what the manifest says of its error; the files of degrees and
of components, equal. Fails at the first difference.

Needs numpy, polars, scipy.
"""

import argparse
import gzip
import json
import pathlib

import numpy
import polars
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

HEADER = ["#harmonicc_pos", "#harmonicc_val", "#pr_pos", "#pr_val", "#host_rev"]
ALPHA = 0.85


def read(path, columns):
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    read = [
        polars.read_csv(file, separator="\t", has_header=False, new_columns=columns, quote_char=None)
        for file in files
    ]
    return polars.concat(read)


def pagerank(graph):
    """x = alpha x G + (alpha x d + 1 - alpha) / n, from the uniform vector."""
    n = graph.shape[0]
    degrees = numpy.diff(graph.indptr)
    reversed_arcs = graph.T.tocsr()
    shares = numpy.divide(1.0, degrees, out=numpy.zeros(n), where=degrees > 0)
    x = numpy.full(n, 1.0 / n)
    for _ in range(400):
        new = ALPHA * (reversed_arcs @ (x * shares))
        new += (ALPHA * x[degrees == 0].sum() + 1.0 - ALPHA) / n
        change = numpy.abs(new - x).sum()
        x = new
        if change * ALPHA / (1.0 - ALPHA) < 1e-11:
            return x
    raise SystemExit("the power iteration did not converge")


def harmonic(reversed_arcs, node):
    """The sum of 1 / distance from every other node, by a breadth-first search against the arcs."""
    n = reversed_arcs.shape[0]
    seen = numpy.zeros(n, bool)
    seen[node] = True
    level, distance, total = numpy.array([node]), 0, 0.0
    while len(level):
        starts, ends = reversed_arcs.indptr[level], reversed_arcs.indptr[level + 1]
        lengths = ends - starts
        where = numpy.repeat(starts - numpy.cumsum(lengths) + lengths, lengths)
        found = reversed_arcs.indices[where + numpy.arange(lengths.sum())]
        level = numpy.unique(found[~seen[found]])
        seen[level] = True
        distance += 1
        total += len(level) / distance
    return total


def sizes(graph, kind):
    labels = connected_components(graph, directed=True, connection=kind)[1]
    size, count = numpy.unique(numpy.bincount(labels), return_counts=True)
    return list(zip(size[::-1].tolist(), count[::-1].tolist()))


def positions_fit(name, positions, scores, slack):
    """Positions are 1 to n, each once, and no score is larger by more than `slack` than one before."""
    order = numpy.argsort(positions, kind="stable")
    assert (positions[order] == numpy.arange(1, len(order) + 1)).all(), f"{name}: a gap or a double"
    ordered = scores[order]
    worst = (ordered[1:] - numpy.minimum.accumulate(ordered)[:-1]).max(initial=0.0)
    assert worst <= slack, f"{name}: a position is wrong by a score of {worst}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("vertices", type=pathlib.Path)
    parser.add_argument("edges", type=pathlib.Path)
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--sources", type=int, default=20)
    options = parser.parse_args()
    prefix = options.vertices.name.split("-vertices")[0]
    output = lambda end: options.output / f"{prefix}{end}"

    vertices = read(options.vertices, ["node", "name"])
    edges = read(options.edges, ["source", "target"])
    n = len(vertices)
    ones = numpy.ones(len(edges), numpy.int8)
    ends = (edges["source"].to_numpy(), edges["target"].to_numpy())
    graph = csr_array((ones, ends), shape=(n, n))
    del edges, ends

    with gzip.open(output("-ranks.txt.gz"), "rt") as lines:
        assert next(lines).rstrip("\n").split("\t") == HEADER
    ranks = polars.read_csv(
        output("-ranks.txt.gz"), separator="\t", has_header=False, skip_rows=1, quote_char=None,
        new_columns=["h_pos", "h", "p_pos", "p", "name"],
    )
    assert len(ranks) == n, f"{len(ranks)} lines for {n} hosts"
    assert (ranks["h_pos"].to_numpy() == numpy.arange(1, n + 1)).all(), "lines are not in order"
    ranks = vertices.join(ranks, on="name", how="left", validate="1:1").sort("node")
    assert ranks.null_count().sum_horizontal().item() == 0, "a host has no line"
    column = lambda name: ranks[name].to_numpy()

    exact = pagerank(graph)
    worst = numpy.abs(column("p") - exact).sum()
    assert worst < 1e-9 + 1e-11, f"PageRank is off by {worst} in all"
    positions_fit("PageRank", column("p_pos"), exact, 2e-9)
    positions_fit("harmonic", column("h_pos"), column("h"), 0.0)
    print(f"PageRank of all hosts: l1 distance {worst:.1e}")

    manifest = json.loads(output("-ranks.parquet.json").read_text())
    about = manifest["columns"]["harmonic"]
    deviation = about["outcome"].get("relative_standard_error", 0.0)
    reversed_arcs = graph.T.tocsr()
    random = numpy.random.default_rng(1).integers(0, n, options.sources)
    best = numpy.argsort(column("h_pos"))[: options.sources]
    errors = []
    for node in [*best.tolist(), *random.tolist()]:
        true, said = harmonic(reversed_arcs, node), column("h")[node]
        errors.append(abs(said - true) / true if true else abs(said))
    print(f"harmonic of {len(errors)} hosts: relative error {max(errors):.1e} at most,")
    print(f"    {numpy.sqrt(numpy.mean(numpy.square(errors))):.1e} root mean square,", end=" ")
    print(f"{deviation:.1e} stated ({about['method']})")
    assert max(errors) <= max(5 * deviation, 1e-9), "harmonic centrality is off"

    for end, degrees in [
        (".outdegree", numpy.diff(graph.indptr)),
        (".indegree", numpy.diff(reversed_arcs.indptr)),
    ]:
        counts = [int(line) for line in output(end).read_text().split()]
        assert counts == numpy.bincount(degrees).tolist(), end
    strong = [tuple(map(int, line.split())) for line in output(".sccdistr").open()]
    assert strong == sizes(graph, "strong"), "strong components"
    with gzip.open(output("-connected-components-distrib.txt.gz"), "rt") as lines:
        next(lines)
        weak = [line.split() for line in lines]
    weak = [(int(size), int(count)) for count, size, _ in weak]
    assert weak == sizes(graph, "weak"), "weak components"
    print("degrees and components: equal")


if __name__ == "__main__":
    main()
