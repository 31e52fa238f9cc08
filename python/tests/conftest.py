"""Graphs that several tests use."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

import webrank

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def small() -> webrank.Graph:
    """The graph of the README."""
    return webrank.Graph.from_arrays([0, 0, 1, 2], [1, 2, 2, 0], names=["ant", "bee", "cat"])


@pytest.fixture(scope="session")
def debian() -> webrank.Graph:
    return webrank.open(ROOT / "graphs" / "debian.bv")


@pytest.fixture(scope="session")
def rust_doc() -> webrank.Graph:
    return webrank.open(ROOT / "graphs" / "rust-doc.bv")


@pytest.fixture(scope="session")
def command() -> str:
    """The command: what RANK names, or a build in the usual places."""
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    candidates = [os.environ.get("RANK"), target / "release" / "rank", target / "debug" / "rank"]
    for candidate in candidates:
        if candidate and shutil.which(candidate):
            return str(candidate)
    pytest.fail("no command to compare with: build it (cargo build), or name it by RANK")
