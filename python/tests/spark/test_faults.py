"""One clear exception for each thing that goes wrong, and no second attempt at what goes wrong again."""

from __future__ import annotations

import os
import re
import signal
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

import webrank
from webrank import _webrank

pytest.importorskip(
    "pyspark", reason="pyspark is not installed: python/tests/spark/run installs it"
)


def test_tables_that_are_none_of_arcs(spark: Any, graph: Any) -> None:
    from webrank.spark import Graph

    def refused(rows: list[Any], columns: str, problem: str, **options: Any) -> None:
        with pytest.raises(webrank.WebrankError, match=problem) as caught:
            Graph(spark.createDataFrame(rows, columns), **options)
        assert "\n" not in str(caught.value)

    refused(
        [("a", "b")],
        "x string, dst string",
        "has no column 'src', but 'x', 'dst': say source= and target=",
    )
    refused([(1.5, 2.5)], "src double, dst double", "holds double: give strings or integers")
    refused([("a", 1)], "src string, dst int", "cast one of them")
    refused([("a", None)], "src string, dst string", "has no source or no target")
    refused([(1, None)], "src int, dst int", "has no source or no target", ids=True)
    refused([(1, -2)], "src int, dst int", "has the node -2", ids=True)
    refused([(1, 5)], "src int, dst int", "has the node 5, but nodes=5", ids=True, nodes=5)
    refused(
        [("a", "b")],
        "src string, dst string",
        "nodes are numbers, but edges holds strings",
        ids=True,
    )
    refused(
        [("a", "b")], "src string, dst string", "nodes is a number, but nodes have names", nodes=3
    )
    refused([], "src string, dst string", "there is no graph")
    refused(
        [("a", "b")], "src string, dst string", "workers is 0: it must be from 1 to 4096", workers=0
    )
    refused(
        [(1, 2)], "src int, dst int", "give at least workers=", ids=True, nodes=1 << 33, workers=2
    )
    for options, problem in [
        ({"alpha": 1.5}, "alpha"),
        ({"timeout": 0}, "timeout is 0"),
        ({"ports": [70000]}, "give numbers such as range"),
        ({"each_seed": ["c"]}, "each_seed: no node is called 'c'"),
    ]:
        with pytest.raises(webrank.ArgumentError, match=problem):
            graph.pagerank(**options)
    with pytest.raises(TypeError, match="no argument 'alhpa'"):
        graph.pagerank(alhpa=0.5)
    for seeds in ({}, {"seeds": ["a"], "select": 1}):
        with pytest.raises(webrank.ArgumentError, match="give either seeds or select"):
            graph.trustrank(**seeds)
    with pytest.raises(webrank.ArgumentTypeError, match="edges is a list: give a DataFrame"):
        Graph([("a", "b")])  # type: ignore[arg-type]


def test_a_session_that_has_ended_is_told(spark: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from webrank.spark import Graph

    edges = spark.createDataFrame([("a", "b")], ["src", "dst"])
    monkeypatch.setattr(spark.sparkContext, "_jsc", None)
    with pytest.raises(webrank.SparkError, match="has ended: start another"):
        Graph(edges)


def test_numbers_that_are_names_are_refused_before_anything_is_packed(spark: Any) -> None:
    from webrank.spark import Graph

    def refused(largest: int, problem: str, **options: Any) -> None:
        table = spark.createDataFrame([(0, largest)], "src long, dst long")
        with pytest.raises(webrank.WebrankError, match=problem) as caught:
            Graph(table, ids=True, **options)
        assert "\n" not in str(caught.value)

    sparse = "5000000001 nodes, 80 GB .* leave out ids=True .* or give nodes=5000000001"
    refused(5 * 10**9, sparse)
    refused(5 * 10**9, sparse, workers=4)
    # The sum of both ends does not fit 64 bits.
    refused(2**63 - 1, "the node 9223372036854775807, but a graph has at most 8796093018112 nodes")
    refused(1, "nodes=8796093018113, but a graph has at most", nodes=(2**31 - 1) * 4096 + 1)
    refused(1, "need about .* GB of memory, and this machine has", nodes=1 << 42, workers=4096)


def test_a_table_that_changes_is_noticed(spark: Any) -> None:
    from pyspark.sql import functions as F

    from webrank.spark import Graph

    # Each computation draws anew, as rand() without a seed does on another attempt.
    draw = F.udf(lambda number: int.from_bytes(os.urandom(2), "big"), "int").asNondeterministic()
    edges = spark.range(500).select(draw("id").alias("src"), F.lit(1).alias("dst"))
    with pytest.raises(webrank.SparkError, match="gives other rows each time"):
        Graph(edges)


def test_more_workers_than_slots(graph: Any, spark: Any) -> None:
    from webrank.spark import Graph

    edges = spark.createDataFrame([(number, number + 1) for number in range(20)], ["src", "dst"])
    with Graph(edges, workers=7) as wide:
        assert wide.pagerank().count() == 21
        start = time.monotonic()
        with pytest.raises(
            webrank.SparkError, match="7 workers .* slots for 5 tasks: give workers=5"
        ):
            wide.pagerank(workers=7)
        assert time.monotonic() - start < 30
    with pytest.raises(webrank.ArgumentError, match="workers is 4: it must be from 1 to 3"):
        graph.pagerank(workers=4)


def test_ports_that_are_taken(graph: Any) -> None:
    with socket.socket() as taken:
        taken.bind(("0.0.0.0", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(webrank.WorkerError, match=f"cannot listen at a port .{port} to {port}"):
            graph.pagerank(ports=[port], workers=1)
    assert graph.pagerank(ports=range(port, port + 20), workers=2).count() == graph.num_nodes


def test_what_does_not_converge(graph: Any) -> None:
    with pytest.raises(webrank.NotConverged, match="max_iterations"):
        graph.pagerank(max_iterations=3)
    ranks = graph.pagerank(max_iterations=3, allow_unconverged=True)
    assert ranks.webrank["columns"]["score"]["outcome"]["status"] != "converged"
    with pytest.raises(webrank.OutOfMemory):
        graph.pagerank(memory=1 << 20)


def test_only_tasks_of_one_attempt_meet(graph: Any, tmp_path: Path) -> None:
    folder = tmp_path / "web.shards"
    graph.save_shards(str(folder))
    ports = [_webrank.Port("127.0.0.1", [0]) for _ in range(2)]
    addresses = [f"127.0.0.1:{port.number}" for port in ports]
    from webrank.spark._measures import options_of

    def work(me: int, secret: bytes) -> str:
        team = _webrank.Team(addresses, me, ports[me], secret, timedelta(seconds=4))
        options = {**options_of("pagerank", {}), "temp": str(tmp_path)}
        try:
            _webrank.rank_part(
                team, str(folder), str(tmp_path / f"ranks{me}"), "pagerank", options, [], None
            )
        except webrank.WorkerError as problem:
            return str(problem)
        return "done"

    def both(*secrets: bytes) -> list[str]:
        with ThreadPoolExecutor(2) as pool:
            return list(pool.map(work, (0, 1), secrets))

    said = both(b"this attempt", b"an earlier attempt")
    assert "done" not in said and any("another secret" in text for text in said), said
    # The ports are still theirs.
    assert both(b"one", b"one") == ["done", "done"]


def test_a_killed_run_goes_on_from_its_checkpoint(
    graph: Any, arcs: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: Any
) -> None:
    from webrank.spark import graph as module

    checkpoint, marker, rank = str(tmp_path / "checkpoint"), str(tmp_path / "killed"), module._tasks.rank

    def killed(batches: Any, job: Any) -> Any:
        import os
        import signal
        import threading
        import time

        from pyspark import TaskContext

        def kill() -> None:
            states = set()
            while len(states) < 4:
                if os.path.exists(checkpoint):
                    states.add(os.stat(checkpoint).st_mtime_ns)
                time.sleep(1e-4)
            open(marker, "w").close()
            os.kill(os.getpid(), signal.SIGKILL)

        if TaskContext.get().partitionId() == 1 and not os.path.exists(marker):
            threading.Thread(target=kill, daemon=True).start()
        yield from rank(batches, job)

    options = {"alpha": 0.9999, "tolerance": 1e-6}
    with monkeypatch.context() as patched, caplog.at_level("INFO", "webrank.spark"):
        patched.setattr(module._tasks, "rank", killed)
        ranks = graph.pagerank(**options, checkpoint=checkpoint, checkpoint_every=0)
    assert Path(marker).exists() and not Path(checkpoint).exists()
    assert re.search(r"resumed from .*checkpoint at sweep [1-9]", caplog.text), caplog.text
    found = {row.name: row.score for row in ranks.collect()}
    expected = arcs.graph.pagerank(form="streamed", **options)
    assert [found[name] for name in arcs.names] == list(expected.values)


def test_an_interrupt_cancels_the_job(
    graph: Any, spark: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from webrank.spark import graph as module

    def slow(batches: Any, job: Any) -> Any:
        import time

        time.sleep(120)
        yield from batches

    with monkeypatch.context() as patched:
        patched.setattr(module._tasks, "rank", slow)
        interrupt = threading.Timer(3, lambda: os.kill(os.getpid(), signal.SIGINT))
        interrupt.start()
        start = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            graph.pagerank()
        assert time.monotonic() - start < 60
    until = time.monotonic() + 30
    while spark.sparkContext.statusTracker().getActiveJobsIds() and time.monotonic() < until:
        time.sleep(0.1)
    assert not spark.sparkContext.statusTracker().getActiveJobsIds()
    assert graph.pagerank().count() == graph.num_nodes


def test_exceptions_of_spark_become_one_line() -> None:
    from webrank.spark import _run

    for text, expected in [
        (
            "x\nModuleNotFoundError: No module named 'webrank'\n\tat y",
            "the Python of tasks lacks webrank",
        ),
        ("[SPARK-24819]: Barrier execution mode does not allow", "too few slots"),
        (
            "Checkpoint block rdd_9_1 not found! Either the executor",
            "an executor that held the rows is lost",
        ),
        ("ExecutorLostFailure (executor 1 exited caused by one", "tasks were lost again and again"),
        (
            "a.b.SomeException: outer\nCaused by: java.io.IOException: No space left\n\tat z",
            "No space left",
        ),
    ]:
        found = _run.said(RuntimeError(text))
        assert isinstance(found, webrank.SparkError)
        assert expected in str(found) and "\n" not in str(found)
    own = _run.said(RuntimeError("Traceback\nwebrank.errors.OutOfMemory: needs 3 GB\n\n"))
    assert isinstance(own, webrank.OutOfMemory) and str(own) == "needs 3 GB"
