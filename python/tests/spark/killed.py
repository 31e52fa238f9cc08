"""An executor is killed while workers rank: Spark starts another, and the ranks have the same bits.

Run by test_killed.py, in a process and a cluster of its own.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np

import webrank

sys.path.insert(0, str(Path(__file__).parents[1]))
from spark.conftest import session  # noqa: E402


def main(folder: Path) -> None:
    from webrank.spark import Graph, _tasks
    from webrank.spark import graph as module

    spark = session("local-cluster[3,1,1024]", **{"spark.executor.memory": "512m"})
    random = np.random.default_rng(5)
    arcs = np.unique(random.integers(0, 400, (4000, 2)), axis=0)
    edges = spark.createDataFrame(arcs.tolist(), ["src", "dst"])
    marker, rank = str(folder / "killed"), _tasks.rank

    def killing(batches: Any, job: Any) -> Any:
        import os
        import signal

        from pyspark import TaskContext

        rows = list(rank(batches, job))
        if TaskContext.get().partitionId() == 1 and not os.path.exists(marker):
            # All have ranked, and some have given their rows away: the executor of this one dies.
            open(marker, "w").close()
            with open(f"/proc/{os.getppid()}/stat") as file:
                executor = int(file.read().rsplit(")", 1)[1].split()[1])
            os.kill(executor, signal.SIGKILL)
        yield from rows

    with Graph(edges, ids=True, workers=3) as graph:
        module._tasks.rank = killing
        ranks = graph.pagerank(checkpoint=str(folder / "checkpoint"))
        module._tasks.rank = rank
        found = {row.id: row.score for row in ranks.collect()}
        assert Path(marker).exists()
        whole = webrank.Graph.from_arrays(arcs[:, 0], arcs[:, 1])
        whole.save(folder / "whole.bv")
        expected = webrank.open(folder / "whole.bv").pagerank(form="streamed")
        assert [found[node] for node in range(whole.num_nodes)] == list(expected.values)
    spark.stop()
    print("the same bits")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
