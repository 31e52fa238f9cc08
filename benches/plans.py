"""The figures of `rank plan` beside those of runs: the tables of `docs/src/measurements/plans.md`.

    python3 benches/plans.py target/release/rank GRAPH...
    python3 benches/plans.py --memory target/release/rank GRAPH...

The first has a row for each graph and command: the memory that is planned and held with their ratio, and the seconds
that are expected and taken. A run counts if its seconds are within a factor of two of what is between the ends of the
plan. With --memory, a row has a command, and a column a graph: the megabytes that are planned and held, and their ratio.
A plan that is a lower bound ends in +. The memory of a process that does nothing is in both.

A command that `rank plan` takes and that is missing here is an error.
"""

import csv
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

# Commands with a graph. Commands that search from every node, or decode in every sweep, are for small graphs.
SLOW = """pagerank --form streamed
seeley
closeness
lin
decay
integration
reachable
eccentricity
harmonic --method exact
geometric --measures harmonic,lin,decay
betweenness --method sources
betweenness --method approx
betweenness
distances""".splitlines()
RANKING = """pagerank
pagerank --form compact
pagerank --form disk
pagerank --form external
pagerank --method gauss-seidel
pagerank --alpha 0.95
pagerank --tolerance 1e-4
pagerank --derivative
pagerank --alphas 0.5,0.7,0.85
pagerank --each-seed NODES
trustrank --select 10
eigenvector
katz
leaderrank
hits
salsa
walks --length 3
kendall-wei
current-flow
indegree
outdegree
harmonic --method hyperball
harmonic --method sample --epsilon 0.05""".splitlines()
OTHERS = """components -o OUT.csv
distances --method hyperball
export -o OUT.tsv
export --scores ONE -o OUT.gexf
check
info
codes
recode -o OUT.bv
recode --order degree -o OUT.bv
shard -n 4 -o OUT.s
fold --to hosts -o OUT.bv
explain NODE ONE
neighbors NODE
path NODE OTHER
subgraph --top ONE:1000 -o OUT.csv""".splitlines()
# Commands with tables; ONE and TWO are PageRank and indegree of the graph, and EDGES its arcs.
TABLES = """join ONE TWO -o OUT.csv
compare ONE TWO
top ONE
verify ONE
rerun ONE.json
import EDGES -o OUT.bv""".splitlines()
# These read pages, queries or dumps, no graph; tests in their crates hold their plans.
OF_PAGES = "wikipedia crawl ingest duplicates index search evaluate".split()
WITHOUT = "measures completions man lookup commoncrawl help plan".split()
LARGE = 1_000_000
PRINTED = ["distances", "explain", "neighbors", "path"]

UNITS = {"µs": 1e-6, "ms": 1e-3, "s": 1, "min": 60, "h": 3600}


def seconds(text):
    number, unit = text.split()
    return float(number) * UNITS[unit]


def planned(rank, command):
    """The megabytes, whether they are a lower bound, and the seconds, from and to, of the form that is taken."""
    plan = subprocess.run([rank, "plan", *command], capture_output=True, text=True)
    line = next((line for line in plan.stdout.splitlines() if line.endswith(", taken")), None)
    if line is None:
        return None
    # The memory of searches is told beside the rest.
    megabytes = sum(float(size) for size in re.findall(r"([\d.]+) MB", line))
    about = re.search(r"about ([\d.]+ \S+?)(?: to ([\d.]+ \S+?))?(?: \(|,)", line)
    times = about and [seconds(text) for text in about.groups() if text]
    return megabytes, "at least" in line, times


def measured(rank, command):
    started = time.monotonic()
    run = subprocess.run([rank, *command, "-v"], capture_output=True, text=True)
    took = time.monotonic() - started
    held = re.search(r"memory: (\d+) bytes were held", run.stderr)
    return took, held and int(held[1]) / 1e6


def written(times):
    return "" if not times else " to ".join(f"{s:.2g}" for s in times)


def check_all(rank):
    """Ends the program if a command is missing here."""
    help = subprocess.run([rank, "help"], capture_output=True, text=True, check=True).stdout
    commands = {*re.findall(r"^  ([a-z-]+)  +[A-Z]", help, re.MULTILINE)}
    known = {line.split()[0] for line in SLOW + RANKING + OTHERS + TABLES}
    missing = commands - known - {*OF_PAGES, *WITHOUT}
    if missing:
        sys.exit(f"commands without a row: {', '.join(sorted(missing))}")


def runs(rank, graph, folder):
    """Each command on a graph: how it is named, what is planned, the seconds and the megabytes that it took."""
    info = subprocess.run([rank, "info", graph], capture_output=True, text=True).stdout
    is_large = int(re.search(r"nodes +(\d+)", info)[1]) > LARGE
    one, two, edges = (f"{folder}/{name}" for name in ("pagerank.csv", "indegree.csv", "edges.tsv"))
    for table in (one, two):
        subprocess.run([rank, "-q", Path(table).stem, graph, "-o", table], check=True)
    subprocess.run([rank, "-q", "export", graph, "-o", edges], check=True)
    with open(one, newline="") as rows:
        first = [row.get("name") or row["node"] for row, _ in zip(csv.DictReader(rows), range(16))]
    words = {"ONE": one, "TWO": two, "EDGES": edges, "NODES": ",".join(first), "NODE": first[0], "OTHER": first[1]}
    for line in RANKING + ([] if is_large else SLOW) + OTHERS + TABLES:
        with tempfile.TemporaryDirectory(dir=folder) as out:
            given = re.sub(r"\b[A-Z]{3,}\b", lambda word: words.get(word[0], f"{out}/out"), line).split()
            is_table = line in TABLES or line in OTHERS or given[0] in PRINTED
            output = [] if is_table else ["-o", f"{out}/out.csv"]
            of_graph = [] if line in TABLES else [graph]
            command = [given[0], *of_graph, *given[1:], *output, "--threads", "2"]
            yield line, planned(rank, command), measured(rank, command)


def print_times(rank, graphs):
    print("| graph | command | plan MB | held MB | ratio | plan s | took s | within |\n|---|---|---:|---:|---:|---:|---:|---|")
    for graph in graphs:
        with tempfile.TemporaryDirectory() as folder:
            for line, plan, (took, held) in runs(rank, graph, folder):
                if plan is None or held is None:
                    continue
                megabytes, _, times = plan
                within = ""
                if times:
                    ratio = max(times[0] / took, took / times[-1], 1)
                    within = "yes" if ratio <= 2 else f"{ratio:.1f} times off"
                memory = f"{megabytes:.0f} | {held:.0f} | {megabytes / held:.1f}"
                print(f"| {Path(graph).stem} | {line} | {memory} | {written(times)} | {took:.2g} | {within} |", flush=True)


def print_memory(rank, graphs):
    rows = {}
    for graph in graphs:
        with tempfile.TemporaryDirectory() as folder:
            for line, plan, (_, held) in runs(rank, graph, folder):
                cell = ""
                if plan and held:
                    bound = "+" if plan[1] else ""
                    cell = f"{plan[0]:.0f}{bound} / {held:.0f} = {plan[0] / held:.1f}"
                rows.setdefault(line, {})[graph] = cell
                print(graph, line, cell, file=sys.stderr)
    names = " | ".join(Path(graph).stem for graph in graphs)
    print(f"| command | {names} |\n|---|" + "---:|" * len(graphs))
    for line, cells in rows.items():
        print(f"| `{line}` | " + " | ".join(cells.get(graph, "") for graph in graphs) + " |")


def main(arguments):
    is_memory = "--memory" in arguments
    rank, *graphs = (word for word in arguments if word != "--memory")
    check_all(rank)
    (print_memory if is_memory else print_times)(rank, graphs)


if __name__ == "__main__":
    main(sys.argv[1:])
