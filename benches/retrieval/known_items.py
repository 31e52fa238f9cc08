#!/usr/bin/env python3
"""Makes the data of notebooks/retrieval.ipynb: known items of the Rust documentation, and what BM25 finds.

    benches/retrieval/known_items.py RANK HTML OUTPUT

RANK is the program, HTML the folder of the package rust-doc (Debian: /usr/share/doc/rust-doc/html). Queries
of three sets have one relevant page each:

* names: of items of the crate std, by the documentation's own search index (see std_items.py);
* titles: of pages, which no other page has; titles are not searched;
* anchors: texts of links that lead to one page only; texts of links are not searched.

Needs zstd and numpy. Writes to OUTPUT:

* rust-doc-queries.npz: the queries, their relevant pages, and the best pages by BM25 with their scores;
* rust-doc-evaluate.csv: what `rank evaluate` says of PageRank, harmonic centrality and indegree.
"""

import argparse
import collections
import csv
import hashlib
import io
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

BASE = "https://doc.rust-lang.org/"
FIELDS = {"title": 3, "body": 1, "anchors": 2, "url": 1}
MEASURES = ["pagerank", "harmonic", "indegree"]
# Queries of a set at most, and pages that are kept of each.
SAMPLE = 600
DEPTH = 20


def words(text):
    """As the index cuts text: runs of letters and digits."""
    return " ".join(re.findall(r"[^\W_]+", text.lower()))


def unique(texts):
    """Some of the queries that belong to one page only, in an order that has nothing to do with them."""
    pages = collections.defaultdict(set)
    for page, text in texts:
        query = words(text)
        if 0 < len(query.encode()) <= 200:
            pages[query].add(page)
    alone = [(query, *found) for query, found in pages.items() if len(found) == 1]
    alone.sort(key=lambda item: hashlib.sha256(item[0].encode()).digest())
    return sorted(alone[:SAMPLE])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rank", type=pathlib.Path)
    parser.add_argument("html", type=pathlib.Path)
    parser.add_argument("output", type=pathlib.Path)
    args = parser.parse_args()
    args.output.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        make(args, pathlib.Path(folder))


def make(args, folder):
    bundle, index = folder / "web.bv", folder / "web.index"

    def rank(*arguments):
        return subprocess.run([args.rank.resolve(), *map(str, arguments)], check=True, stdout=subprocess.PIPE, text=True).stdout

    rank("ingest", "--text", args.html, "--base", BASE, "-o", bundle)
    rank("index", bundle, "-o", index)
    tables = [folder / f"{measure}.csv" for measure in MEASURES]
    for measure, table in zip(MEASURES, tables):
        rank(measure, bundle, "-o", table)
    nodes = {name: node for node, name in enumerate(unpacked(bundle / "names.txt.zst").splitlines())}
    pages = [json.loads(line) for line in unpacked(bundle / "pages.jsonl.zst").splitlines()]
    sets = {
        "names": names(args.html, folder, nodes),
        "titles": unique((page["node"], page["title"]) for page in pages),
        "anchors": unique((page["node"], text) for page in pages for text in page["anchors"]),
    }
    rows, evaluations = [], []
    for kind, queries in sets.items():
        searched = {field: weight for field, weight in FIELDS.items() if field != kind.removesuffix("s") and field != kind}
        fields = ",".join(f"{field}={weight}" for field, weight in searched.items())
        for query, page in queries:
            hits = json.loads(rank("search", index, query, "-n", DEPTH, "--fields", fields, "--json"))["hits"]
            rows.append((kind, query, page, [hit["node"] for hit in hits], [hit["score"] for hit in hits]))
        print(f"{kind}: {len(queries)} queries", file=sys.stderr)
        evaluations += evaluated(rank, index, folder, kind, queries, fields, tables)
    save(args.output, rows, evaluations)


def unpacked(path):
    return subprocess.run(["zstd", "-dcq", path], check=True, stdout=subprocess.PIPE).stdout.decode()


def names(html, folder, nodes):
    """The items of std, as std_items.py finds them."""
    script = pathlib.Path(__file__).with_name("std_items.py")
    files = [folder / "items.tsv", folder / "items.txt"]
    subprocess.run([sys.executable, script, html, *files, "--base", BASE], check=True, stdout=sys.stderr)
    queries = dict(line.split("\t") for line in files[0].read_text().splitlines())
    judged = (line.split() for line in files[1].read_text().splitlines())
    items = ((nodes[page], queries[number]) for number, _, page, _ in judged)
    return sorted((words(name), node) for node, name in items)


def evaluated(rank, index, folder, kind, queries, fields, tables):
    """The figures of `rank evaluate` on a set of queries: with weight 1, and with weights that it chooses."""
    (folder / "q.tsv").write_text("".join(f"q{i}\t{query}\n" for i, (query, _) in enumerate(queries)))
    (folder / "qrels.txt").write_text("".join(f"q{i} 0 {page} 1\n" for i, (_, page) in enumerate(queries)))
    statics = [part for table in tables for part in ("--static", table)]
    asked = ["evaluate", index, "--queries", folder / "q.tsv", "--judgements", folder / "qrels.txt", "--fields", fields]
    for combine in ["log", "saturation"]:
        for how, options in [("1", []), ("chosen", ["--tune"])]:
            table = rank(*asked, *statics, "--combine", combine, *options)
            for row in csv.DictReader(io.StringIO(table)):
                if row["measure"] == "rr":
                    measure = pathlib.Path(row["static"]).stem
                    yield kind, combine, how, measure, *(row[it] for it in ["mean", "difference", "lower", "upper", "p"])


def save(output, rows, evaluations):
    def filled(values, dtype):
        out = np.zeros((len(rows), DEPTH), dtype)
        for row, some in zip(out, values):
            row[: len(some)] = some
        return out

    kinds, queries, pages, nodes, scores = zip(*rows)
    np.savez_compressed(
        output / "rust-doc-queries.npz",
        kind=np.array(kinds),
        query=np.array(queries),
        page=np.array(pages, np.uint16),
        found=np.array([len(some) for some in nodes], np.uint8),
        node=filled(nodes, np.uint16),
        # A score has five digits that count.
        score=filled([[float(f"{score:.4f}") for score in some] for some in scores], np.float32),
    )
    with (output / "rust-doc-evaluate.csv").open("w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["queries", "combine", "weight", "measure", "mean", "difference", "lower", "upper", "p"])
        table.writerows((*row[:4], *(rounded(cell) for cell in row[4:])) for row in dict.fromkeys(evaluations))


def rounded(cell):
    return f"{float(cell):.4f}" if cell else ""


if __name__ == "__main__":
    main()
