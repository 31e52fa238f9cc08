"""Runs `rank` and reads what it writes: tables as data frames, manifests as dictionaries; and how plots look."""

import json
import os
import pathlib
import subprocess
import tempfile

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.colors import LinearSegmentedColormap

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Where `run` lets cargo build: a relative CARGO_TARGET_DIR starts from this folder.
RANK = ROOT / "notebooks" / os.environ.get("CARGO_TARGET_DIR", "../target") / "release" / "rank"
GRAPHS = {"rust-doc": ROOT / "graphs" / "rust-doc.bv", "debian": ROOT / "graphs" / "debian.bv"}
# Okabe and Ito's colours, which differ for every kind of colour blindness, and four more.
COLORS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#999999", "#7A4FBF", "#6B6B00"]
# From few to many; the palest stands out from white.
BLUES = LinearSegmentedColormap.from_list("blues", ["#A6C8E4", "#08335F"])
_FOLDER = tempfile.TemporaryDirectory(prefix="notebook-")


def set_style():
    """The looks that all plots share."""
    plt.rcParams.update({"figure.dpi": 96, "axes.grid": True, "grid.color": "#DDDDDD", "axes.axisbelow": True,
                         "axes.spines.top": False, "axes.spines.right": False, "font.size": 10})


def file(name):
    """A path in this session's temporary folder."""
    return pathlib.Path(_FOLDER.name) / name


def rank(*arguments):
    """Runs `rank -q` with these arguments and returns what it prints."""
    command = [str(RANK), "-q", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{done.stderr.strip()} ({' '.join(command[2:])})")
    return done.stdout


def scores(name, *arguments, column="score"):
    """Runs a measure and returns its table and its manifest; the table stays at `file(name)`.

    Of a table of several measures, such as that of hubs and authorities, `column` becomes the score.
    """
    rank(*arguments, "-o", file(name))
    # Names of packages such as "null" and "nan" are names.
    table = pd.read_csv(file(name), keep_default_na=False)
    if column != "score":
        table = table[["node", "name"]].assign(score=table[column])
        table["rank"] = table.score.rank(method="min", ascending=False).astype(int)
        table.to_csv(file(name), index=False)
    return table, json.loads(file(f"{name}.json").read_text())


def fastest(runs, name, *arguments):
    """The table and manifest of the fastest of so many runs, and its seconds in all: others on the machine only add."""
    timed = []
    for _ in range(runs):
        table, manifest = scores(name, *arguments)
        timed.append((sum(phase["seconds"] for phase in manifest["phases"]), table, manifest))
    seconds, table, manifest = min(timed, key=lambda run: run[0])
    return table, manifest, seconds


def spread(places, gap):
    """Places for labels: the same order, at least `gap` apart, near where they were."""
    order = sorted(range(len(places)), key=lambda i: places[i])
    apart = [places[i] for i in order]
    for _ in range(200):
        for i in range(len(apart) - 1):
            overlap = gap - (apart[i + 1] - apart[i])
            if overlap > 0:
                apart[i] -= overlap / 2
                apart[i + 1] += overlap / 2
    return [place for _, place in sorted(zip(order, apart))]


def seconds(manifest, phases):
    """The seconds that these phases of a run took."""
    return sum(p["seconds"] for p in manifest["phases"] if p["phase"] in phases)


def compare(*tables, options=()):
    """The coefficients of every pair of tables: {(a, b): comparison}, by the tables' stems."""
    found = json.loads(rank("compare", *map(file, tables), "--json", *options))["table"]
    names = [column["name"] for column in found["columns"]]
    return {(names[c["x"]], names[c["y"]]): c for c in found["comparisons"]}


def graph(name, arcs):
    """A graph with these arcs between named nodes, as a bundle."""
    edges = file(f"{name}.tsv")
    edges.write_text("".join(f"{source}\t{target}\n" for source, target in arcs))
    rank("import", edges, "-o", file(f"{name}.bv"), "--force")
    return file(f"{name}.bv")
