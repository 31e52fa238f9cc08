"""What `rank plan` says beside what runs take: the rows of a table in `docs/src/measurements/plans.md`.

    python3 benches/plans.py target/release/rank GRAPH...

For each command: the memory that is planned and held with their ratio, and the seconds that are expected and
taken. A run counts if its seconds are within a factor of two of what is between the ends of the plan. The memory
of a process that does nothing is in both.
"""

import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RANKING = """pagerank
pagerank --form compact
pagerank --form disk
pagerank --form streamed
pagerank --method gauss-seidel
pagerank --alpha 0.95
pagerank --tolerance 1e-4
pagerank --derivative
pagerank --alphas 0.5,0.7,0.85
pagerank --each-seed 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
eigenvector
katz
seeley
leaderrank
hits
salsa
indegree
harmonic --method hyperball
harmonic --method sample --epsilon 0.05
harmonic --method exact
betweenness --method sources
betweenness --method approx
betweenness""".splitlines()
# Those that do not search from every node, or decode in every sweep.
LINEAR = [line for line in RANKING if not re.search("streamed|exact|sources|approx|betweenness|seeley", line)]
OTHERS = [
    "components -o OUT.csv", "export -o OUT.tsv", "export --scores ONE -o OUT.gexf", "check", "info", "recode -o OUT.bv",
    "shard -n 4 -o OUT.s", "explain 0 ONE", "path 0 1", "subgraph --top ONE:1000 -o OUT.csv",
]
# Of tables; ONE and TWO are PageRank and indegree of the graph.
TABLES = ["join ONE TWO -o OUT.csv", "compare ONE TWO", "top ONE", "verify ONE"]
LARGE = 1_000_000

UNITS = {"µs": 1e-6, "ms": 1e-3, "s": 1, "min": 60, "h": 3600}


def seconds(text):
    number, unit = text.split()
    return float(number) * UNITS[unit]


def planned(rank, command):
    """The megabytes and the seconds, from and to, of the form that is taken."""
    plan = subprocess.run([rank, "plan", *command], capture_output=True, text=True)
    line = next((line for line in plan.stdout.splitlines() if line.endswith(", taken")), None)
    if line is None:
        return None
    # The memory of searches is told beside the rest.
    megabytes = sum(float(size) for size in re.findall(r"([\d.]+) MB", line))
    about = re.search(r"about ([\d.]+ \S+?)(?: to ([\d.]+ \S+?))?(?: \(|,)", line)
    times = about and [seconds(text) for text in about.groups() if text]
    return megabytes, times


def measured(rank, command):
    started = time.monotonic()
    run = subprocess.run([rank, *command, "-v"], capture_output=True, text=True)
    took = time.monotonic() - started
    held = re.search(r"memory: (\d+) bytes were held", run.stderr)
    return took, held and int(held[1]) / 1e6


def written(times):
    return "" if not times else " to ".join(f"{s:.2g}" for s in times)


def main(rank, graphs):
    print("| graph | command | plan MB | held MB | ratio | plan s | took s | within |\n|---|---|---:|---:|---:|---:|---:|---|")
    for graph in graphs:
        info = subprocess.run([rank, "info", graph], capture_output=True, text=True).stdout
        is_large = int(re.search(r"nodes +(\d+)", info)[1]) > LARGE
        tables = tempfile.TemporaryDirectory()
        one, two = (f"{tables.name}/{name}.csv" for name in ("pagerank", "indegree"))
        for table in (one, two):
            subprocess.run([rank, "-q", Path(table).stem, graph, "-o", table], check=True)
        for line in (LINEAR if is_large else RANKING) + OTHERS + TABLES:
            with tempfile.TemporaryDirectory() as folder:
                words = line.replace("OUT", f"{folder}/out").replace("ONE", one).replace("TWO", two).split()
                output = [] if line in OTHERS + TABLES else ["-o", f"{folder}/out.csv"]
                of_graph = [] if line in TABLES else [graph]
                command = [words[0], *of_graph, *words[1:], *output, "--threads", "2"]
                plan = planned(rank, command)
                took, held = measured(rank, command)
            if plan is None or held is None:
                continue
            megabytes, times = plan
            within = ""
            if times:
                ratio = max(times[0] / took, took / times[-1], 1)
                within = "yes" if ratio <= 2 else f"{ratio:.1f} times off"
            name = Path(graph).stem
            memory = f"{megabytes:.0f} | {held:.0f} | {megabytes / held:.1f}"
            print(f"| {name} | {line} | {memory} | {written(times)} | {took:.2g} | {within} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
