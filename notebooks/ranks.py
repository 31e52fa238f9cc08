"""Runs `rank` and reads what it writes: tables as data frames, manifests as dictionaries."""

import json
import pathlib
import subprocess
import tempfile

import pandas as pd

ROOT = pathlib.Path(__file__).resolve().parent.parent
RANK = ROOT / "target" / "release" / "rank"
GRAPHS = {"rust-doc": ROOT / "graphs" / "rust-doc.bv", "debian": ROOT / "graphs" / "debian.bv"}
_FOLDER = tempfile.TemporaryDirectory(prefix="notebook-")


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


def scores(name, *arguments):
    """Runs a measure and returns its table and its manifest; the table stays at `file(name)`."""
    rank(*arguments, "-o", file(name))
    # Names of packages such as "null" and "nan" are names.
    table = pd.read_csv(file(name), keep_default_na=False)
    return table, json.loads(file(f"{name}.json").read_text())


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
