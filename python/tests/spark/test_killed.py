"""An executor that is killed, in a cluster of three executors: on request, as it takes half a minute."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip(
    "pyspark", reason="pyspark is not installed: python/tests/spark/run installs it"
)


@pytest.mark.skipif(
    "SPARK_CLUSTER" not in os.environ, reason="SPARK_CLUSTER=1 starts a cluster for it"
)
def test_a_killed_executor(tmp_path: Path) -> None:
    script = Path(__file__).with_name("killed.py")
    done = subprocess.run(
        [sys.executable, script, tmp_path], capture_output=True, text=True, timeout=300
    )
    assert done.stdout.endswith("the same bits\n"), done.stderr[-4000:]
