"""A graph on Spark, packed once for several measures."""

from __future__ import annotations

import json
import secrets
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import LongType
from pyspark.storagelevel import StorageLevel

from .. import __version__, _webrank
from .._progress import progress as _bar
from ..errors import ArgumentError, SparkError
from . import _ranges, _run, _tasks
from ._how import checked
from ._links import Measures
from ._measures import columns_of, options_of, told
from ._numbering import Numbered, numbered
from ._results import Manifest, Plan, count
from ._telling import Listener

#: Fewer arcs are no work for another worker.
_ARCS_OF_WORKER = 10_000_000

#: The names of unknown nodes that a message shows.
_SHOWN = 3


class Graph(Measures):
    """A graph whose arcs are the rows of a table.

    Nodes get dense numbers, in the order of their names; arcs are partitioned by their sources into parts
    of about equal weight; each part is packed by a task. Spark keeps the parts, in memory or on its disks,
    until :meth:`unpersist`. O(n + m) in memory of all executors: about 2 to 20 bits an arc, 16 bytes a
    node and the names.

    Args:
        edges: A table with a row for each arc; a row that comes twice counts once.
        source, target: Its columns, of strings or of integers.
        nodes: A table with one column: names of nodes that may have no arcs. With ``ids=True``, how many
            nodes there are.
        ids: Integers are the numbers of nodes from 0, not names: the graph has all nodes up to the largest.
        workers: How many parts there are, and tasks that compute at once. By default one for each ten
            million arcs, and no more than Spark has slots. It does not affect results.
    """

    def __init__(
        self,
        edges: DataFrame,
        source: str = "src",
        target: str = "dst",
        *,
        nodes: DataFrame | int | None = None,
        ids: bool = False,
        workers: int | None = None,
    ) -> None:
        self.spark: SparkSession = _run.session_of(edges)
        if workers is not None:
            count("workers", workers, _ranges.MOST_PARTS)
        started = time.monotonic()
        number = partial(numbered, edges, source, target, nodes, ids)
        found = _run.job(self.spark, "webrank: number nodes", number)
        self._seconds = {"number": round(time.monotonic() - started, 3)}
        self._held = found.held
        try:
            if found.num_nodes == 0:
                raise ArgumentError("edges has no rows: there is no graph")
            parts = self._workers(workers, found.rows)
            self._names, self._kind, self._label = found.names, found.kind, found.label
            started = time.monotonic()
            pack = partial(self._packed, found, parts)
            self._parts, self._plan = _run.job(self.spark, "webrank: pack parts", pack)
            self._seconds["pack"] = round(time.monotonic() - started, 3)
        except BaseException:
            self.unpersist()
            raise

    def _workers(self, given: int | None, arcs: int) -> int:
        if given is not None:
            return given
        useful = max(1, -(-arcs // _ARCS_OF_WORKER))
        return min(useful, _run.slots(self.spark) or 1, _ranges.MOST_PARTS)

    def _packed(self, found: Numbered, parts: int) -> tuple[DataFrame, dict[str, Any]]:
        bounds = _ranges.bounds(found.weights, found.shift, found.num_nodes, parts)
        if found.names is None:
            _run.check_memory(self.spark, found.num_nodes)
        task = _ranges.choose(F.col("s"), bounds[:-1], _ranges.keys(parts))
        arcs = (
            found.arcs.withColumn("task", task).repartition(parts, "task").select("s", "t", "live")
        )
        share = _run.slots_of_executor(self.spark)
        pack = partial(_tasks.pack, bounds=bounds, share=share, version=__version__)
        packed = arcs.mapInArrow(pack, _tasks.FILES).persist(StorageLevel.MEMORY_AND_DISK)
        self._held = [*self._held, packed]
        about = packed.where(F.col("file") == _tasks.ABOUT).orderBy("part", "at").collect()
        texts = [b"" for _ in range(parts)]
        for row in about:
            texts[row.part] += bytes(row.data)
        each = [json.loads(text) for text in texts]
        if sum(part["rows"] for part in each) != found.rows:
            raise SparkError(
                "edges gives other rows each time it is computed: persist it, or write it to a file first"
            )
        plan = _webrank.plan_of_parts([(part["plan"], part["hash"]) for part in each])
        return packed, json.loads(plan) | {"text": plan}

    @property
    def num_nodes(self) -> int:
        """The number of nodes."""
        return int(self._plan["nodes"])

    @property
    def num_arcs(self) -> int:
        """The number of arcs; a row that came twice counts once."""
        return int(self._plan["arcs"])

    @property
    def parts(self) -> int:
        """The number of parts."""
        return len(self._plan["parts"])

    @property
    def nodes(self) -> DataFrame:
        """The number of each node: columns ``name`` (``id``, if names are integers) and ``node``."""
        if self._names is None:
            return self.spark.range(self.num_nodes).select("id", F.col("id").alias("node"))
        return self._names.withColumnRenamed("name", self._label)

    def __repr__(self) -> str:
        return f"<graph on Spark: {self.num_nodes:,} nodes, {self.num_arcs:,} arcs, {self.parts} parts>"

    def __enter__(self) -> Graph:
        return self

    def __exit__(self, *problem: object) -> None:
        self.unpersist()

    def unpersist(self) -> None:
        """Frees what Spark holds of the graph, which cannot be used any more. Rankings stay."""
        for table in self._held:
            table.unpersist()
        self._held, self._plan = [], {"nodes": 0, "arcs": 0, "parts": []}

    def explain(
        self, measure: str = "pagerank", *, workers: int | None = None, **options: Any
    ) -> Plan:
        """The share of each worker, and what it would send and take, without a run.

        ``memory`` counts all but the lists of arcs, which stay in a file if they do not fit.
        """
        workers = self._workers_of(workers)
        numbers = 4 if measure == "harmonic" else 1
        options = options_of(measure, options)
        if numbers > 1 or measure in ("closeness", "distances"):
            # A counter of 2^log2m registers of six bits, at most.
            of_node = 8 * -(-6 * 2 ** options["log2m"] // 64)
        else:
            of_node = 8
        with tempfile.TemporaryDirectory(prefix="webrank-") as folder:
            Path(folder, "plan.json").write_text(self._plan["text"], encoding="utf-8")
            held = _webrank.held_by_workers(folder, workers, measure, options)
        heads = ["nodes", "arcs", "memory"]
        return Plan(
            {
                "worker": worker,
                **dict(zip(heads, row)),
                "sends": of_node * row[3],
                "takes": of_node * row[4],
            }
            for worker, row in enumerate(held)
        )

    def save(self, path: str, *, mode: str = "errorifexists") -> None:
        """Writes the parts, the names and the plan as Parquet, where Spark can write.

        Args:
            path: A folder, such as ``s3a://bucket/web`` or ``/data/web``.
            mode: ``overwrite`` replaces another.
        """
        about = {"version": __version__, "label": self._label, "named": self._names is not None}
        text = json.dumps({**about, "plan": self._plan_text()})

        def write() -> None:
            if self._names is not None:
                self._names.write.mode(mode).parquet(f"{path}/nodes")
            self._parts.write.mode(mode).parquet(f"{path}/parts")
            # The last: without it, nothing is loaded.
            self.spark.range(1).select(F.lit(text).alias("about")).write.mode(mode).parquet(
                f"{path}/graph"
            )

        _run.job(self.spark, f"webrank: save {path}", write)

    def save_shards(self, folder: str) -> None:
        """Writes shards that ``rank`` reads, without names: into a folder that all executors share.

        The number of a node is that of :attr:`nodes`.
        """
        target = Path(folder)
        if target.exists():
            raise ArgumentError(f"{folder} already exists: remove it, or name another folder")
        target.mkdir(parents=True)
        write = partial(_tasks.write, folder=str(target))
        written = self._parts.select("part", "file", "at", "data").mapInArrow(write, "part int")
        _run.job(self.spark, f"webrank: save {folder}", lambda: written.count())
        missing = [part for part in range(self.parts) if not (target / f"part-{part:05}").is_dir()]
        if missing:
            raise SparkError(f"{folder} is not a folder that the driver and all executors share")
        # The last: without it, the folder is no graph.
        (target / "plan.json").write_text(self._plan_text(), encoding="utf-8")

    @classmethod
    def load(cls, spark: SparkSession, path: str) -> Graph:
        """A graph that :meth:`save` has written."""
        graph = cls.__new__(cls)

        def read() -> dict[str, Any]:
            about: dict[str, Any] = json.loads(
                spark.read.parquet(f"{path}/graph").collect()[0].about
            )
            if about["version"] != __version__:
                raise ArgumentError(
                    f"{path} was written by webrank {about['version']}, this is {__version__}: make it again"
                )
            graph._parts = spark.read.parquet(f"{path}/parts")
            graph._names = spark.read.parquet(f"{path}/nodes") if about["named"] else None
            return about

        about = _run.job(spark, f"webrank: load {path}", read)
        graph.spark, graph._held, graph._seconds = spark, [], {}
        graph._label = about["label"]
        graph._kind = LongType() if graph._names is None else graph._names.schema["name"].dataType
        graph._plan = json.loads(about["plan"]) | {"text": about["plan"]}
        return graph

    def _plan_text(self) -> str:
        if "text" not in self._plan:
            raise ArgumentError("the graph was freed by unpersist(): make it again")
        return str(self._plan["text"])

    def _workers_of(self, given: int | None) -> int:
        self._plan_text()
        if given is None:
            return min(self.parts, _run.slots(self.spark) or self.parts)
        return count("workers", given, self.parts)

    def _numbers(self, what: str, names: list[Any]) -> list[str]:
        """The numbers of some nodes, as keys."""
        if self._names is None:
            found = {name: int(name) for name in names if 0 <= int(name) < self.num_nodes}
        else:
            chosen = self._names.where(F.col("name").isin(names))
            rows = _run.job(self.spark, f"webrank: find {what}", chosen.collect)
            found = {row.name: row.node for row in rows}
        missing = [name for name in names if name not in found]
        if missing:
            raise ArgumentError(
                f"{what}: no node is called {', '.join(map(repr, missing[:_SHOWN]))}"
            )
        return [str(found[name]) for name in names]

    def _rows(self, workers: int, preference: DataFrame | None) -> DataFrame:
        """The files of the parts, each where its worker will be."""
        if preference is None and workers == self.parts and self._held:
            return self._parts
        keys = _ranges.keys(workers)
        of_part = [keys[worker] for worker in _ranges.shared(self.parts, workers)]
        task = _ranges.choose(F.col("part"), list(range(self.parts)), of_part)
        columns = ["part", "file", "at", "data"]
        rows = self._parts.select(*columns, task.alias("task"))
        if preference is not None:
            chunks = preference.mapInArrow(_tasks.chunks_of_preference, "data binary")
            each = F.explode(F.array(*[F.lit(key) for key in keys])).alias("task")
            name = F.lit(_tasks.PREFERENCE).alias("file")
            at = F.lit(0).cast("long").alias("at")
            rows = rows.unionAll(chunks.select(F.lit(-1).alias("part"), name, at, "data", each))
        return rows.repartition(workers, "task").select(*columns)

    def _preference(self, given: DataFrame) -> DataFrame:
        """Numbers and weights of a table of names and weights."""
        if len(given.columns) != 2:
            raise ArgumentError(
                f"preference has the columns {given.columns}: select names and weights"
            )
        name, weight = given.columns
        weights = given.select(
            F.col(name).cast(self._kind).alias("name"), F.col(weight).cast("double").alias("weight")
        )
        names = self.nodes.toDF("name", "node")
        is_bad = F.col("weight").isNull() | F.isnan("weight") | (F.col("weight") < 0)
        reason = (
            F.when(is_bad, "has a weight that is no number from 0")
            .when(F.col("node").isNull(), "is no node")
            .when(F.col("times") > 1, "is there twice")
        )
        times = weights.groupBy("name").agg(F.count(F.lit(1)).alias("times"))
        told = weights.join(times, "name").join(names, "name", "left").withColumn("reason", reason)
        for row in told.where(F.col("reason").isNotNull()).limit(1).collect():
            raise ArgumentError(f"preference: {row['name']!r} {row.reason}")
        return weights.join(names, "name").select("node", "weight")

    def _rank(self, measure: str, options: dict[str, Any], how: dict[str, Any]) -> DataFrame:
        """Ranks by a measure, with its options, and how it is run."""
        how = checked(how)
        workers = self._workers_of(how["workers"])
        seeds = options.get("each_seed")
        preference, command = options.pop("preference", None), told(measure, options)
        for name in ("seeds", "each_seed"):
            if options.get(name) is not None:
                options[name] = self._numbers(name, options[name])
        columns = columns_of(measure, options, None if seeds is None else list(seeds))
        shown = _bar(how["progress"])
        if how["explain"]:
            plan = self.explain(
                measure, workers=workers, **{k: v for k, v in options.items() if v is not None}
            )
            print(plan)
        _run.await_slots(self.spark, workers, how["timeout"])
        context = _run.context_of(self.spark)
        host = None if context is None else context.getConf().get("spark.driver.host")
        listener = Listener(host, shown) if host else None

        def work() -> DataFrame:
            weights = None if preference is None else self._preference(preference)
            job = _tasks.Job(
                version=__version__,
                plan=self._plan_text(),
                measure=measure,
                options=options_of(measure, options),
                command=command,
                columns=["node", *[name for name, _ in columns]],
                kinds=["long", *[kind for _, kind in columns]],
                secret=secrets.token_bytes(32),
                timeout=how["timeout"],
                ports=how["ports"],
                teller=None if listener is None else listener.address,
                num_nodes=self.num_nodes,
                memory=how["memory"],
                checkpoint=how["checkpoint"],
                checkpoint_every=float(how["checkpoint_every"]),
                preference=weights is not None,
            )
            return self._result(self._rows(workers, weights), job, columns)

        try:
            return _run.job(self.spark, f"webrank: {measure}", work)
        finally:
            if listener is not None:
                listener.close()

    def _result(
        self, rows: DataFrame, job: _tasks.Job, columns: list[tuple[str, str]]
    ) -> DataFrame:
        schema = "account string, " + ", ".join(
            f"`{name}` {kind}" for name, kind in zip(job.columns, job.kinds)
        )
        worked = rows.mapInArrow(partial(_tasks.rank, job=job), schema, barrier=True)
        # If rows are lost after this exchange, Spark runs all workers again; before it, it would run only
        # one, which would wait for the others.
        worked = worked.repartition("node")
        if self._names is not None:
            named = self._names.select("node", F.col("name").alias("id_of_node"))
            worked = worked.join(named, "node", "left")
        else:
            worked = worked.withColumn("id_of_node", F.col("node"))
        worked = _run.kept(worked)
        told_by = worked.where(F.col("account").isNotNull()).select("account").collect()
        accounts = sorted(
            (json.loads(row.account) for row in told_by), key=lambda it: it.get("worker", -1)
        )
        for account in accounts:
            if "error" in account:
                raise _run.raised(account["error"])
        manifest = Manifest(json.loads(accounts[0].pop("manifest") or "{}"))
        for account in accounts:
            account.pop("manifest", None)
        manifest["spark"] = {"workers": accounts, "seconds": self._seconds}
        score_columns = [f"`{name}`" for name, _ in columns]
        ranks = worked.where(F.col("account").isNull())
        ranks = ranks.select(F.col("id_of_node").alias(self._label), *score_columns)
        ranks.webrank = manifest  # type: ignore[attr-defined]
        return ranks
