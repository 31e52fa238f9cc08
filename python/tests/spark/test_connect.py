"""Spark Connect, in a process and a server of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip(
    "pyspark", reason="pyspark is not installed: python/tests/spark/run installs it"
)
pytest.importorskip("grpc_status", reason="Spark Connect needs grpcio and grpcio-status")


def test_sessions_without_a_context(tmp_path: Path) -> None:
    script = Path(__file__).parent / "connected.py"
    done = subprocess.run(
        [sys.executable, script, tmp_path], capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0 and "the same bits" in done.stdout, done.stderr[-3000:]
