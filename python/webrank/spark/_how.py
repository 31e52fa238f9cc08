"""How a run is done: the arguments that all measures have."""

from __future__ import annotations

from typing import Any

from ..errors import ArgumentError

#: The arguments of all measures.
_HOW: dict[str, Any] = {
    "workers": None,
    "memory": None,
    "checkpoint": None,
    "checkpoint_every": 300.0,
    "timeout": 60.0,
    "ports": None,
    "explain": False,
    "progress": None,
}


def checked(given: dict[str, Any]) -> dict[str, Any]:
    """The arguments with their defaults; refuses what none can be."""
    for name in given:
        if name not in _HOW:
            raise TypeError(f"there is no argument {name!r}")
    how = {**_HOW, **given}
    ports = how["ports"]
    if ports is None:
        how["ports"] = [0]
    else:
        how["ports"] = list(ports)
        if not how["ports"] or not all(
            isinstance(port, int) and 0 < port < 1 << 16 for port in how["ports"]
        ):
            raise ArgumentError(f"ports is {ports!r}: give numbers such as range(40000, 40100)")
    if not 0 < float(how["timeout"]) < 1e6:
        raise ArgumentError(f"timeout is {how['timeout']!r}: give seconds")
    if not 0 <= float(how["checkpoint_every"]) < 1e9:
        raise ArgumentError(f"checkpoint_every is {how['checkpoint_every']!r}: give seconds")
    if how["checkpoint"] is not None:
        how["checkpoint"] = str(how["checkpoint"])
    return how
