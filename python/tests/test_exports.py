"""Files that the command exports, read by networkx; and files by networkx, read by the command."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import networkx as nx
import pytest

import webrank

NAMES = ["ant", "bête", 'say "hi"', "R&D\tx", "7"]
ARCS = {(0, 1): 0.5, (0, 2): 1e300, (1, 1): 3.0, (2, 4): 1e-7, (3, 0): 2.0}


@pytest.fixture
def graph() -> nx.DiGraph:
    made = nx.DiGraph()
    made.add_nodes_from([*NAMES, "lonely"])
    for (source, target), weight in ARCS.items():
        made.add_edge(NAMES[source], NAMES[target], weight=weight)
    return made


def arcs(graph: nx.DiGraph) -> dict[tuple[str, str], float]:
    return {(source, target): weight for source, target, weight in graph.edges(data="weight")}


def read(path: Path) -> nx.DiGraph:
    if path.suffix == ".gml":
        return nx.read_gml(path)
    if path.suffix == ".graphml":
        return nx.read_graphml(path)
    return nx.node_link_graph(json.loads(path.read_text()), edges="edges")


def write(graph: nx.DiGraph, path: Path) -> None:
    if path.suffix == ".gml":
        nx.write_gml(graph, path)
    elif path.suffix == ".graphml":
        nx.write_graphml_xml(graph, path)
    else:
        path.write_text(json.dumps(nx.node_link_data(graph, edges="edges")))


@pytest.mark.parametrize("suffix", [".gml", ".graphml", ".json"])
def test_networkx_reads_what_the_command_writes(
    graph: nx.DiGraph, command: str, tmp_path: Path, suffix: str
) -> None:
    given = tmp_path / f"given{suffix}"
    write(graph, given)
    exported = tmp_path / f"exported{suffix}"
    subprocess.run([command, "export", given, "-o", exported], check=True, capture_output=True)
    found = read(exported)
    assert set(found) == set(graph)
    assert arcs(found) == arcs(graph)
    assert found.is_directed()


@pytest.mark.parametrize("suffix", [".gml", ".graphml", ".json"])
def test_python_reads_what_networkx_writes(graph: nx.DiGraph, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"given{suffix}"
    write(graph, path)
    found = webrank.open(path)
    assert found.num_nodes == len(graph)
    assert found.num_arcs == graph.number_of_edges()


def test_scipy_reads_and_writes_what_the_command_does(
    graph: nx.DiGraph, command: str, tmp_path: Path
) -> None:
    sparse = pytest.importorskip("scipy.sparse")
    given, exported, again = (tmp_path / name for name in ["given.json", "a.npz", "again.npz"])
    write(graph, given)
    subprocess.run([command, "export", given, "-o", exported], check=True, capture_output=True)
    matrix = sparse.load_npz(exported)
    assert matrix.format == "csr"
    assert matrix.nnz == len(ARCS)
    assert sorted(matrix.data) == sorted(ARCS.values())
    for form in ["csr", "csc", "coo"]:
        sparse.save_npz(tmp_path / "scipy.npz", matrix.asformat(form))
        imported = [command, "export", tmp_path / "scipy.npz", "-o", again]
        subprocess.run(imported, check=True, capture_output=True)
        assert (sparse.load_npz(again) != matrix).nnz == 0
