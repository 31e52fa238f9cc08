"""Graphs in files."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from . import _arguments, _webrank
from ._arguments import Path
from ._progress import progress as _progress
from .errors import ArgumentError
from .graph import Graph, _Duplicates
from ._reading import warn_of

#: The defaults of :func:`open` that are not None.
_DEFAULTS = {
    "ids": False,
    "ids_from": 0,
    "negative": "error",
    "allow_empty": False,
    "unweighted": False,
    "symmetric": False,
    "drop_loops": False,
    "skip_bad": 0,
    "order": "names",
}


def open(
    path: Path,
    *,
    names: Path | None = None,
    format: str | None = None,
    ids: bool = False,
    ids_from: Literal[0, 1] = 0,
    nodes: Path | None = None,
    columns: Iterable[str | int] | None = None,
    header: bool | None = None,
    predicates: Iterable[str] | None = None,
    separator: str | None = None,
    encoding: str | None = None,
    negative: Literal["error", "drop", "absolute"] = "error",
    allow_empty: bool = False,
    unweighted: bool = False,
    duplicates: _Duplicates | None = None,
    symmetric: bool = False,
    undirected: bool = False,
    drop_loops: bool = False,
    skip_bad: int = 0,
    order: Literal["names", "given"] = "names",
    memory: int | str | None = None,
    progress: bool | None = None,
) -> Graph:
    """Opens a graph: a bundle or a BVGraph, or any file that ``rank import`` reads.

    A BVGraph stays on disk until a measure needs its arcs; anything else is read into memory.

    Args:
        path: A bundle such as ``graph.bv``, the basename of a BVGraph or one of its files, or a
            list or table of arcs, a matrix or a graph in another format.
        names: A file with the names of nodes, one per line in node order.
        format: The format; found out if it is not given.
        ids: Fields are node numbers, not names.
        ids_from: The number of the first node, with ``ids``: 0 or 1; from 1, nodes are named by their
            numbers.
        nodes: A table of the nodes of a list, with columns ``id`` and ``label``: labels become names,
            and ids that occur in no arc are nodes without arcs.
        columns: The columns of source, target and perhaps weight, by number from 1 or by name.
        header: Whether the first line is a header; found out if it is not given.
        predicates: Read only statements of N-Triples and N-Quads with these predicates.
        separator: The separator of fields: ``"tab"``, ``"comma"``, ``"semicolon"``, ``"bar"``,
            ``"colon"`` or ``"blanks"``, or the sign itself; found out if it is not given.
        encoding: The encoding of text, such as ``"latin1"``; UTF-8 or what a mark says if it is not
            given.
        negative: The treatment of arcs with negative weights.
        allow_empty: Read files without arcs, empty ones too.
        unweighted: Do not use weights, if there are any.
        duplicates: The fate of arcs that are given several times; by default, weights add up,
            and arcs without weights count once.
        symmetric: Each arc stands for its reverse, too.
        undirected: The same, by another name.
        drop_loops: Leave out arcs from a node to itself.
        skip_bad: Leave out up to so many lines that cannot be used.
        order: The order of the nodes: by name, or as given.
        memory: How much memory the process may hold while it reads, in bytes or such as ``"8G"``:
            arcs that do not fit are sorted on disk, and a graph that does not is refused. Whatever
            else the process computes meanwhile is held to it, too. By default, what is free.
        progress: Whether to show a progress bar.

    Warns:
        ImportWarning: On assumptions and omissions: an assumed header, columns that are not used,
            arcs that are given several times (unless ``duplicates`` says what becomes of them), no
            arcs at all.

    Raises:
        FileNotFoundError: If there is nothing at ``path``.
        OutOfMemory: If the graph does not fit into the memory.
        FileError: If what is there cannot be read; the message names the place and the remedy.
    """
    options = {
        "names": _arguments.path(names),
        "format": format,
        "ids": ids,
        "ids_from": ids_from,
        "nodes": _arguments.path(nodes),
        "columns": None if columns is None else _arguments.columns(columns),
        "header": header,
        "predicates": None if predicates is None else list(predicates),
        "separator": separator,
        "encoding": encoding,
        "negative": negative,
        "allow_empty": allow_empty,
        "unweighted": unweighted,
        "duplicates": duplicates,
        "symmetric": bool(symmetric or undirected),
        "drop_loops": drop_loops,
        "skip_bad": skip_bad,
        "order": order,
    }
    reading = _arguments.told(options, _DEFAULTS)
    options["memory"] = memory
    path = _arguments.path(path)
    native, report = _webrank.open_graph(path, options, _progress(progress))
    if report is not None:
        warn_of(report, path, duplicates)
    return Graph(native, reading)


def _reopened(path: str, names: str | None, unweighted: bool, fingerprint: str) -> Graph:
    """The graph of a pickle, which is on disk."""
    graph = open(path, unweighted=unweighted, progress=False)
    if graph.fingerprint != fingerprint:
        raise ArgumentError(f"{path}: it is another graph than the one that was pickled")
    if names is not None and graph.names is None:
        graph = open(path, names=names, unweighted=unweighted, progress=False)
    return graph
