"""The notebook of Spark says what it says in the file. With SNAPSHOTS=overwrite, its outputs are written."""

from __future__ import annotations

import contextlib
import io
import json
import os
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip(
    "pyspark", reason="pyspark is not installed: python/tests/spark/run installs it"
)
pytest.importorskip("scipy", reason="the notebook needs scipy")

NOTEBOOK = Path(__file__).resolve().parents[3] / "notebooks" / "spark.ipynb"


def test_the_notebook_says_what_it_says(spark: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(NOTEBOOK.parent)
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    scope: dict[str, Any] = {}
    before, now = [], []
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        told = io.StringIO()
        with contextlib.redirect_stdout(told):
            exec("".join(cell["source"]), scope)
        if "times" in cell["metadata"].get("tags", []):
            continue
        before.append("".join("".join(output["text"]) for output in cell["outputs"]))
        now.append(told.getvalue())
        lines = told.getvalue().splitlines(keepends=True)
        output = {"name": "stdout", "output_type": "stream", "text": lines}
        cell["outputs"] = [output] if lines else []
    if os.environ.get("SNAPSHOTS") == "overwrite":
        NOTEBOOK.write_text(
            json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
        )
    else:
        assert now == before
