"""Warnings of what was assumed or left out where a graph was read."""

from __future__ import annotations

import os
import sys
import warnings
from typing import Any

from .errors import ImportWarning

_FOLDER = os.path.dirname(os.path.abspath(__file__))


def warn_of(report: dict[str, Any], name: str, duplicates: Any) -> None:
    """Warns, at the line of the caller's code that called this package, if there is a reason."""
    said: list[str] = []
    if report["arcs"] == 0 and report["nodes"] > 0:
        said.append(f"{report['nodes']} nodes, and nothing is an arc: is it a graph?")
    if report["duplicates"] > 0 and duplicates is None:
        became = "added up" if report["weighted"] else "dropped"
        arcs = "arc" if report["duplicates"] == 1 else "arcs"
        count = f"{report['duplicates']} duplicate {arcs}"
        said.append(f"{count} {became} (duplicates says what to do)")
    if report["skipped"] > 0:
        said.append(f"{report['skipped']} lines skipped, the first: {report['first_skipped'][0]}")
    said += report["notes"]
    if said:
        warnings.warn(f"{name}: {'; '.join(said)}", ImportWarning, stacklevel=_level())


def _level() -> int:
    """How many frames above :func:`warn_of` the code of the caller is."""
    level, frame = 2, sys._getframe(2)
    while frame.f_back is not None and os.path.dirname(frame.f_code.co_filename) == _FOLDER:
        level, frame = level + 1, frame.f_back
    return level
