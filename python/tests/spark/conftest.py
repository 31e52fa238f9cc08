"""One session of Spark for all tests; they are skipped where there is no Spark or no Java."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import webrank

HERE = Path(__file__).parent


def why_not() -> str | None:
    """Why Spark cannot run here."""
    try:
        import pyspark  # noqa: F401
    except ImportError:
        return "pyspark is not installed: python/tests/spark/run installs it"
    home = os.environ.get("JAVA_HOME")
    if shutil.which("java") is None and not (home and Path(home, "bin", "java").exists()):
        return "there is no Java: install a runtime of version 17, or set JAVA_HOME"
    return None


WHY_NOT = why_not()


def pytest_collection_modifyitems(items: list[Any]) -> None:
    for item in items:
        if WHY_NOT is not None and HERE in Path(item.path).parents:
            item.add_marker(pytest.mark.skip(reason=WHY_NOT))


def session(master: str, **settings: str) -> Any:
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    builder = SparkSession.builder.master(master).appName("webrank tests")
    defaults = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.shuffle.partitions": "3",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.log.level": "ERROR",
    }
    for name, value in {**defaults, **settings}.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    # A task may fail more than once, as on a cluster.
    found = session("local[5,4]")
    yield found
    found.stop()


@dataclass(frozen=True)
class Arcs:
    """Arcs between names, and the graph of the library in the order of the names."""

    source: np.ndarray[Any, Any]
    target: np.ndarray[Any, Any]
    names: list[Any]
    graph: webrank.Graph

    def frame(self, spark: Any, **columns: str) -> Any:
        import pandas as pd

        table = pd.DataFrame({"src": self.source, "dst": self.target})
        return spark.createDataFrame(table.rename(columns=columns))


def random_arcs(
    folder: Path, named: Any, nodes: int = 300, arcs: int = 2000, seed: int = 1
) -> Arcs:
    """Random arcs, some of them repeated, with loops, dangling nodes and hubs; ``named`` names a number."""
    random = np.random.default_rng(seed)
    source = random.integers(0, nodes - nodes // 5, arcs)
    target = (random.random(arcs) ** 2 * nodes).astype(int)
    used = np.unique(np.concatenate([source, target]))
    names = [named(int(number)) for number in used]
    # The names are in order already.
    assert names == sorted(names)
    place = {int(number): at for at, number in enumerate(used)}
    ends = [[place[int(number)] for number in numbers] for numbers in (source, target)]
    texts = [str(name) for name in names]
    made = webrank.Graph.from_arrays(*ends, names=texts, duplicates="drop")
    made.save(folder / "graph.bv")
    all_names = np.array([named(number) for number in range(nodes)])
    return Arcs(all_names[source], all_names[target], names, webrank.open(folder / "graph.bv"))


@pytest.fixture(scope="session")
def arcs(tmp_path_factory: pytest.TempPathFactory) -> Arcs:
    return random_arcs(
        tmp_path_factory.mktemp("arcs"), lambda number: f"http://n{number:04}.example/"
    )


@pytest.fixture(scope="session")
def graph(spark: Any, arcs: Arcs) -> Any:
    """The graph in three parts, packed once."""
    from webrank.spark import Graph

    with Graph(arcs.frame(spark), workers=3) as found:
        yield found


@pytest.fixture(scope="session")
def shards(arcs: Arcs, command: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The graph, cut by the command: what Spark is compared with where the whole graph has another method."""
    import subprocess

    folder = tmp_path_factory.mktemp("shards") / "cut.shards"
    path = arcs.graph.path
    subprocess.run(
        [command, "shard", str(path), "-n", "4", "-o", str(folder), "--quiet"], check=True
    )
    return folder
