"""The manifest and the bytes of a run."""

from __future__ import annotations

from typing import Any

from ..errors import ArgumentError


class Manifest(dict[str, Any]):
    """The measure, the method, and the certainty, as ``rank`` writes it beside tables; and under
    ``spark`` what each worker did: its host, its seconds, the bytes of its parts."""

    def __repr__(self) -> str:
        workers = self.get("spark", {}).get("workers", [])
        slowest = max((worker["seconds"] for worker in workers), default=0.0)
        text = f"{len(workers)} worker{'s' if len(workers) != 1 else ''}, {slowest:.2f} s"
        for name, column in list(self.get("columns", {}).items())[:1]:
            bound = column["outcome"].get("error_bound")
            text = f"{column['measure']} ({name}): {text}"
            text += "" if bound is None else f", error at most {bound:.2e}"
        sent = (self.get("form") or {}).get("bytes_sent")
        return f"<{text}>" if sent is None else f"<{text}, {sent:,} bytes sent>"


class Plan(list[dict[str, int]]):
    """The share of each worker, and what it sends and takes: a dictionary for each."""

    def __str__(self) -> str:
        heads = ["worker", "nodes", "arcs", "memory", "sends", "takes"]
        rows = [[f"{row[head]:,}" for head in heads] for row in self]
        widths = [max(len(row[at]) for row in [heads, *rows]) for at in range(len(heads))]
        lines = [
            "  ".join(cell.rjust(width) for cell, width in zip(row, widths))
            for row in [heads, *rows]
        ]
        return "\n".join(
            [
                *lines,
                "memory: peak bytes, without lists that grow into free memory; sends, takes: bytes per sweep",
            ]
        )


def count(name: str, value: Any, most: int) -> int:
    """A number of workers or parts."""
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
        raise ArgumentError(f"{name} is {value!r}: it must be from 1 to {most}")
    return value
