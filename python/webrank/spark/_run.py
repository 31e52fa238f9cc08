"""Runs on Spark: what is checked before, how they are stopped, and what is said of their failures."""

from __future__ import annotations

import re
import sys
import threading
import time
import uuid
from collections.abc import Callable
from typing import Any, TypeVar

from pyspark import InheritableThread
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

from .. import _webrank, errors
from ..errors import ArgumentTypeError, OutOfMemory, SparkError, WebrankError
from . import _ranges

T = TypeVar("T")

#: How often slots are counted while executors start, and interrupts are looked for.
_LOOK = 0.2

#: How long a job may take to end once it is cancelled.
_PATIENCE = 30.0


def context_of(spark: SparkSession) -> Any:
    """The context of a session; None with Spark Connect, where there is none."""
    try:
        return spark.sparkContext
    except (PySparkException, NotImplementedError, AttributeError):
        return None


def session_of(edges: Any) -> SparkSession:
    """The session of a table, which must live."""
    if not hasattr(edges, "sparkSession"):
        raise ArgumentTypeError(
            f"edges is a {type(edges).__name__}: give a DataFrame of Spark, such as "
            "spark.createDataFrame(edges, ['src', 'dst'])"
        )
    spark: SparkSession = edges.sparkSession
    context = context_of(spark)
    if context is not None and context._jsc is None:
        raise SparkError("the session of edges has ended: start another, and make edges again")
    return spark


def slots(spark: SparkSession) -> int | None:
    """How many tasks can run at once; None if only Spark Connect knows."""
    context = context_of(spark)
    if context is None:
        return None
    scala = context._jsc.sc()
    profile = scala.resourceProfileManager().defaultResourceProfile()
    return int(scala.maxNumConcurrentTasks(profile))


def _is_local(context: Any) -> bool:
    """Whether tasks run in the driver; ``local-cluster`` has executors."""
    return bool(context.master == "local" or context.master.startswith("local["))


def slots_of_executor(spark: SparkSession) -> int:
    """How many tasks run at once in an executor."""
    context = context_of(spark)
    if context is None:
        return 1
    of_task = int(context.getConf().get("spark.task.cpus", "1"))
    given = context.getConf().get("spark.executor.cores")
    if _is_local(context) or given is None:
        return max(1, int(context.defaultParallelism) // of_task)
    return max(1, int(given) // of_task)


def check_memory(spark: SparkSession, num_nodes: int) -> None:
    """Refuses nodes that no local session can hold, before anything is packed."""
    context = context_of(spark)
    if context is None or not _is_local(context):
        return
    needed, free = _ranges.BYTES_OF_NODE * num_nodes, _webrank.free_memory()
    if needed > free:
        raise OutOfMemory(
            f"{num_nodes} nodes need about {needed // 10**9} GB of memory, and this machine has "
            f"{free // 10**9} GB free: take a cluster, or leave out ids=True if few nodes have arcs"
        )


def await_slots(spark: SparkSession, workers: int, timeout: float) -> None:
    """Waits until all workers can run at once; Spark itself would try for ten minutes."""
    context = context_of(spark)
    if context is None:
        return
    if context.getConf().get("spark.dynamicAllocation.enabled", "false").lower() == "true":
        raise SparkError(
            "workers run at once, in a barrier stage, which Spark refuses with dynamic allocation: set "
            "spark.dynamicAllocation.enabled=false and spark.executor.instances"
        )
    until = time.monotonic() + timeout
    while (free := slots(spark) or 0) < workers:
        if _is_local(context) or time.monotonic() > until:
            remedy = f"give workers={free} or fewer" if free else "start executors"
            raise SparkError(
                f"{workers} workers run at once, but Spark has slots for {free} tasks: {remedy}, or more "
                "executors or cores"
            )
        time.sleep(_LOOK)


def job(spark: SparkSession, description: str, work: Callable[[], T]) -> T:
    """Does work on Spark, and cancels it if it is interrupted; Spark's exceptions become one line.

    The work is in a thread of its own, with its own connection to Spark. PySpark's handler of Ctrl-C
    needs that of the calling thread, and fails if that one waits for an answer.
    """
    context = context_of(spark)
    group = f"webrank-{uuid.uuid4().hex}"
    done: list[T] = []
    raised: list[BaseException] = []

    def run() -> None:
        try:
            if context is not None:
                context.setJobGroup(group, description, interruptOnCancel=True)
            else:
                spark.addTag(group)
            done.append(work())
        except BaseException as problem:
            raised.append(problem)

    # Only a session with a context has properties that threads inherit.
    kind = threading.Thread if context is None else InheritableThread
    thread = kind(target=run, name="webrank-spark", daemon=True)
    thread.start()
    try:
        while thread.is_alive():
            thread.join(_LOOK)
    except BaseException:
        if context is not None:
            context.cancelJobGroup(group)
        else:
            spark.interruptTag(group)
        thread.join(_PATIENCE)
        raise
    if not raised:
        return done[0]
    problem = raised[0]
    if isinstance(problem, Exception) and _is_of_spark(problem):
        raise said(problem) from problem
    raise problem


def _is_of_spark(problem: Exception) -> bool:
    return isinstance(problem, PySparkException) or type(problem).__module__.startswith("py4j.")


#: Messages of Spark, and their meanings.
_SAID = [
    (
        r"No module named '?(webrank|numpy|pyarrow|pandas)",
        "the Python of tasks lacks webrank, or what it needs: install it on all executors, ship an "
        "environment (spark.archives), or name the right Python before Spark starts "
        f"(PYSPARK_PYTHON={sys.executable}, if it is the one of the driver)",
    ),
    (
        r"SPARK-24819|requires more slots",
        "workers run at once, and Spark has too few slots: give fewer workers, or more executors or cores",
    ),
    (
        r"SPARK-24942|dynamic (resource )?allocation",
        "Spark refuses barrier stages with dynamic allocation: set spark.dynamicAllocation.enabled=false",
    ),
    (r"Checkpoint block .* not found", "an executor that held the rows is lost: run it again"),
    (
        r"(part of|because of|in) cancelled job|[Jj]ob \d+ cancelled|cancelled",
        "the job was cancelled",
    ),
    (
        r"ExecutorLostFailure|[Ee]xecutor .*(exited|lost)|Python worker exited unexpectedly",
        "tasks were lost again and again, perhaps for lack of memory (spark.executor.memoryOverhead): "
        "Spark gave up",
    ),
]


def said(problem: BaseException) -> WebrankError:
    """One line for an exception of Spark."""
    text = str(problem)
    own = re.search(r"webrank\.errors\.(\w+): (.*)", text)
    if own is not None and hasattr(errors, own.group(1)):
        found: WebrankError = getattr(errors, own.group(1))(own.group(2))
        return found
    for pattern, meaning in _SAID:
        if re.search(pattern, text):
            return SparkError(meaning)
    # The last cause is the first one.
    causes = re.findall(
        r"(?:Caused by: |^)(?:[\w.$]+(?:Exception|Error)): (.+)", text, re.MULTILINE
    )
    first = causes[-1] if causes else text.strip().split("\n")[0]
    return SparkError(f"Spark failed: {first.strip()}")


def raised(problem: list[str]) -> WebrankError | OSError:
    """The exception of a task that said what went wrong."""
    name, text = problem
    kind: Callable[[str], WebrankError] | None = getattr(errors, name, None)
    return SparkError(text) if kind is None else kind(text)


def kept(table: DataFrame) -> DataFrame:
    """The rows, computed once: in Spark's checkpoint folder if there is one, else by its executors.

    Then no later action runs a barrier stage again.
    """
    context = context_of(table.sparkSession)
    if context is not None and context._jsc.sc().getCheckpointDir().isDefined():
        return table.checkpoint(eager=True)
    return table.localCheckpoint(eager=True)
