#!/usr/bin/env python3
"""PageRank on Spark by this package and by what Spark users have, on the same table of arcs, in one go.

    python3 benches/peers/spark.py [--arcs 3000000 20000000] [--cores 2] [--iterations 20]

Needs pyspark, pyarrow, scipy and this package in the Python that runs it, and Java. Contenders:

* webrank: `webrank.spark.pagerank` on names (strings), to a certified error of 1e-9;
* numbers: the same on numbers (`ids=True`);
* graphx: `staticPageRank` of GraphX, which GraphFrames calls, on numbers;
* dataframe: joins and sums of DataFrames, on numbers, whose lineage is cut every five iterations.

Each is a process of its own. Seconds are from the table in Parquet to all ranks in Spark's memory, with the
start of Spark left out. Bytes are those that Spark's stages write for others, and for webrank those that its
workers send, too. The error is the l1 distance to the truth, which scipy computes to rounding; ranks are
first scaled to a sum of one. Mass that reaches dangling nodes goes everywhere, which is what that scaling
makes of ranks that lose it.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import urllib.request

import numpy as np

CONTENDERS = ["webrank", "numbers", "graphx", "dataframe"]
ALPHA = 0.85
PAGES = 50


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--arcs", type=int, nargs="*", default=[3_000_000, 20_000_000])
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--iterations", type=int, default=20)
    parser.add_argument("--only", nargs="*", default=CONTENDERS)
    parser.add_argument("--timeout", type=int, default=3600)
    parser.add_argument("--run", nargs=2, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.run:
        contender, folder = args.run
        return run(contender, pathlib.Path(folder), args)
    for arcs in args.arcs:
        with tempfile.TemporaryDirectory() as folder:
            compare(arcs, pathlib.Path(folder), args)


def compare(arcs, folder, args):
    source, target, nodes = crawl(arcs)
    write(source, target, folder)
    truth = ranks_of(source, target, nodes)
    print(f"{len(source):,} arcs, {nodes:,} nodes", flush=True)
    for contender in args.only:
        command = [sys.executable, __file__, "--run", contender, str(folder)]
        command += ["--cores", str(args.cores), "--iterations", str(args.iterations)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=args.timeout)
        except subprocess.TimeoutExpired:
            print(f"  {contender:10} > {args.timeout} s", flush=True)
            continue
        if done.returncode:
            print(f"  {contender:10} failed: {done.stderr.strip().splitlines()[-1]}", flush=True)
            continue
        facts = json.loads(done.stdout.splitlines()[-1])
        ranks = np.load(folder / f"{contender}.npy")
        error = float(np.abs(ranks / ranks.sum() - truth).sum())
        megabytes = facts["bytes"] / 1e6
        print(f"  {contender:10} {facts['seconds']:8.1f} s {megabytes:10.1f} MB  error {error:.1e}  {facts['note']}", flush=True)


def crawl(arcs):
    """Sites of about fifty pages: nine in ten links stay on the site, the others prefer old pages."""
    random = np.random.default_rng(arcs)
    nodes = arcs // 20
    # A tenth of the pages has no links, and many are drawn twice.
    source = random.integers(0, nodes, arcs * 8 // 5)
    source = source[source % 10 != 9]
    near = source // PAGES * PAGES + (random.random(len(source)) ** 2 * PAGES).astype(np.int64)
    far = (random.random(len(source)) ** 3 * nodes).astype(np.int64)
    target = np.where(random.random(len(source)) < 0.9, near, far)
    target = np.minimum(target, nodes - 1)
    pairs = np.unique(source * nodes + target)
    pairs = np.sort(random.permutation(pairs)[:arcs])
    source, target = pairs // nodes, pairs % nodes
    used = np.unique(np.concatenate([source, target]))
    return np.searchsorted(used, source), np.searchsorted(used, target), len(used)


def write(source, target, folder):
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as parquet

    def names(numbers):
        site = pc.utf8_lpad(pa.array(numbers // PAGES).cast(pa.string()), 7, "0")
        page = pc.utf8_lpad(pa.array(numbers % PAGES).cast(pa.string()), 2, "0")
        return pc.binary_join_element_wise(pa.scalar("https://site"), site, pa.scalar(".example/page"), page, "")

    for name, columns in [("names", (names(source), names(target))), ("numbers", (source, target))]:
        (folder / name).mkdir()
        table = pa.table({"src": columns[0], "dst": columns[1]})
        step = -(-len(source) // 8)
        for part in range(8):
            parquet.write_table(table.slice(part * step, step), folder / name / f"part-{part}.parquet")
    np.savetxt(folder / "edges.txt", np.column_stack([source, target]), fmt="%d")


def ranks_of(source, target, nodes):
    """PageRank by power iteration, until nothing changes any more."""
    import scipy.sparse

    outdegree = np.bincount(source, minlength=nodes)
    matrix = scipy.sparse.csr_matrix((ALPHA / outdegree[source], (target, source)), shape=(nodes, nodes))
    ranks = np.full(nodes, 1 / nodes)
    for _ in range(300):
        ranks = matrix @ ranks + (ALPHA * ranks[outdegree == 0].sum() + 1 - ALPHA) / nodes
        ranks /= ranks.sum()
    return ranks


def run(contender, folder, args):
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.master(f"local[{args.cores}]").config("spark.driver.memory", "8g")
    for name, value in {
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.shuffle.partitions": str(4 * args.cores),
        "spark.ui.retainedStages": "100000",
        "spark.ui.retainedJobs": "100000",
    }.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    # Workers of Python start before the clock does.
    spark.range(args.cores).mapInPandas(lambda rows: rows, "id long").count()
    before = shuffled(spark)
    start = time.monotonic()
    give, note, sent = globals()[f"by_{contender}"](spark, folder, args)
    seconds = time.monotonic() - start
    moved = shuffled(spark) - before + sent
    nodes, scores = give()
    ranks = np.zeros(len(nodes))
    ranks[nodes] = scores
    np.save(folder / f"{contender}.npy", ranks)
    print(json.dumps({"seconds": seconds, "bytes": moved, "note": note}))
    spark.stop()


def shuffled(spark):
    """The bytes that all stages so far have written for others."""
    context = spark.sparkContext
    url = f"{context.uiWebUrl}/api/v1/applications/{context.applicationId}/stages"
    time.sleep(1)
    with urllib.request.urlopen(url) as answer:
        return sum(stage["shuffleWriteBytes"] for stage in json.load(answer))


def by_webrank(spark, folder, args):
    return by_package(spark.read.parquet(str(folder / "names")), args, {})


def by_numbers(spark, folder, args):
    return by_package(spark.read.parquet(str(folder / "numbers")), args, {"ids": True})


def by_package(edges, args, options):
    from webrank.spark import pagerank

    ranks = pagerank(edges, workers=args.cores, **options)
    sent = ranks.webrank["form"]["bytes_sent"]
    outcome = ranks.webrank["columns"]["score"]["outcome"]
    spent = ranks.webrank["spark"]["seconds"]
    note = f"{outcome['iterations']} sweeps, certified {outcome['error_bound']:.1e}; {spent}"

    def give():
        table = ranks.toArrow() if hasattr(ranks, "toArrow") else None
        first = table.column(0).to_pandas() if table is not None else ranks.toPandas().iloc[:, 0]
        scores = table.column("score").to_numpy() if table is not None else ranks.toPandas()["score"].to_numpy()
        order = first.rank(method="first").to_numpy().astype(np.int64) - 1
        return order, scores

    return give, note, sent


def by_graphx(spark, folder, args):
    java, context = spark._jvm, spark.sparkContext._jsc.sc()
    level = java.org.apache.spark.storage.StorageLevel.MEMORY_AND_DISK()
    graph = java.org.apache.spark.graphx.GraphLoader.edgeListFile(
        context, str(folder / "edges.txt"), False, 4 * args.cores, level, level
    )
    ranks = graph.ops().staticPageRank(args.iterations, 1 - ALPHA).vertices()
    ranks.cache().count()

    def give():
        ranks.saveAsTextFile(str(folder / "graphx"))
        lines = [path.read_text().replace("(", "").replace(")", "") for path in (folder / "graphx").glob("part-*")]
        table = np.fromstring("".join(lines).replace("\n", ","), sep=",").reshape(-1, 2)
        return table[:, 0].astype(np.int64), table[:, 1]

    return give, f"{args.iterations} iterations", 0


def by_dataframe(spark, folder, args):
    from pyspark.sql import functions as F

    edges = spark.read.parquet(str(folder / "numbers"))
    degrees = edges.groupBy("src").count()
    edges = edges.join(degrees, "src").persist()
    nodes = edges.select("src").union(edges.select("dst")).distinct().withColumnRenamed("src", "node").persist()
    ranks = nodes.withColumn("rank", F.lit(1.0))
    for iteration in range(1, args.iterations + 1):
        shares = edges.join(ranks, edges.src == ranks.node).select("dst", (F.col("rank") / F.col("count")).alias("share"))
        sums = shares.groupBy("dst").agg(F.sum("share").alias("sum"))
        rank = (1 - ALPHA) + ALPHA * F.coalesce("sum", F.lit(0.0))
        ranks = nodes.join(sums, nodes.node == sums.dst, "left").select("node", rank.alias("rank"))
        if iteration % 5 == 0:
            ranks = ranks.localCheckpoint()

    def give():
        table = ranks.toPandas()
        return table["node"].to_numpy(), table["rank"].to_numpy()

    ranks = ranks.persist()
    ranks.count()
    return give, f"{args.iterations} iterations", 0


if __name__ == "__main__":
    main()
