"""The work of tasks: pack a part of the graph, or rank with the other tasks."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import random
import secrets
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pyarrow as pa
from pyspark import BarrierTaskContext, TaskContext

from .. import __version__, _webrank
from ..errors import SparkError, WebrankError, WorkerError
from ._telling import Teller

#: The bytes of a row of a file. Spark sends 10,000 rows at a time to a task.
_CHUNK = 1 << 14

#: The rows of a batch, if they have so many bytes.
_ROWS = 64

#: The most memory for the arcs of a part while it is packed.
_PACKING = 1 << 30

#: The account of a part, beside its files.
ABOUT = "about"

#: The preference vector, beside the files of a part.
PREFERENCE = "preference"

FILES = "part int, file string, at long, data binary"


@contextmanager
def _folder() -> Iterator[str]:
    """A temporary folder on the local disks that Spark uses; Spark removes what a killed task leaves."""
    folders = [
        path for path in os.environ.get("SPARK_LOCAL_DIRS", "").split(",") if os.path.isdir(path)
    ]
    place = random.choice(folders) if folders else None
    with tempfile.TemporaryDirectory(
        prefix="webrank-", dir=place, ignore_cleanup_errors=True
    ) as path:
        yield path


def _begin(version: str) -> int:
    """The threads of this task."""
    if version != __version__:
        raise SparkError(
            f"tasks have webrank {__version__}, but the driver {version}: install the same"
        )
    threads = TaskContext.get().cpus()
    # Before the first thread of this process starts.
    os.environ.setdefault("RAYON_NUM_THREADS", str(threads))
    return threads


def pack(
    batches: Iterator[pa.RecordBatch], bounds: list[int], share: int, version: str
) -> Iterator[Any]:
    """The files of the part of this task, from its arcs."""
    _begin(version)
    part = TaskContext.get().partitionId()
    memory = min(_PACKING, _webrank.free_memory() // (2 * share))
    with _folder() as folder:
        packer = _webrank.PartPacker(bounds, part, folder, memory)
        rows = 0
        for batch in batches:
            packer.push(batch)
            rows += batch.num_rows
        files = os.path.join(folder, "files")
        os.mkdir(files)
        plan, hashed = packer.finish(files, None)
        about = json.dumps({"plan": plan, "hash": hashed, "rows": rows})
        yield from _rows(part, ABOUT, _cut(about.encode()))
        for name in sorted(os.listdir(files)):
            with open(os.path.join(files, name), "rb") as file:
                yield from _rows(part, name, iter(lambda: file.read(_CHUNK), b""))


def _cut(content: bytes) -> Iterator[bytes]:
    return (content[at : at + _CHUNK] for at in range(0, len(content), _CHUNK))


def _rows(part: int, name: str, chunks: Iterator[bytes]) -> Iterator[pa.RecordBatch]:
    at, places, data = 0, [], []

    def batch() -> pa.RecordBatch:
        count = len(data)
        columns = [
            pa.array([part] * count, pa.int32()),
            pa.array([name] * count, pa.string()),
            pa.array(places, pa.int64()),
            pa.array(data, pa.binary()),
        ]
        return pa.RecordBatch.from_arrays(columns, ["part", "file", "at", "data"])

    for chunk in chunks:
        places.append(at)
        data.append(chunk)
        at += len(chunk)
        if len(data) == _ROWS:
            yield batch()
            places, data = [], []
    # An empty file has a row, too.
    if data or at == 0:
        if at == 0:
            places, data = [0], [b""]
        yield batch()


def chunks_of_preference(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Pairs of nodes and weights as chunks of a file: the nodes of a chunk, then their weights."""
    for batch in batches:
        for start in range(0, batch.num_rows, _CHUNK // 16):
            some = batch.slice(start, _CHUNK // 16)
            data = some.column(0).to_numpy().tobytes() + some.column(1).to_numpy().tobytes()
            yield pa.RecordBatch.from_arrays([pa.array([data], pa.binary())], ["data"])


def _put(shards: str, part: int, name: str, at: int, data: bytes) -> None:
    """Writes some bytes of a file of a part: rows may come in any order."""
    folder = os.path.join(shards, f"part-{part:05}")
    os.makedirs(folder, exist_ok=True)
    file = os.open(os.path.join(folder, name), os.O_WRONLY | os.O_CREAT, 0o666)
    try:
        os.pwrite(file, data, at)
    finally:
        os.close(file)


def write(batches: Iterator[pa.RecordBatch], folder: str) -> Iterator[pa.RecordBatch]:
    """Writes the files of parts."""
    for batch in batches:
        rows = batch.to_pydict()
        for part, name, at, data in zip(rows["part"], rows["file"], rows["at"], rows["data"]):
            if name != ABOUT:
                _put(folder, part, name, at, data)
    yield from ()


@dataclass(frozen=True)
class Job:
    """The job of all workers of a run."""

    version: str
    plan: str
    measure: str
    options: dict[str, Any]
    command: list[str]
    #: The columns of scores and ranks, in the order of the table that a worker writes.
    columns: list[str]
    kinds: list[str]
    secret: bytes
    timeout: float
    ports: list[int]
    teller: tuple[str, int, bytes] | None
    num_nodes: int
    memory: int | None = None
    checkpoint: str | None = None
    checkpoint_every: float = 300.0
    preference: bool = False
    seconds: dict[str, float] = field(default_factory=dict)


def rank(batches: Iterator[pa.RecordBatch], job: Job) -> Iterator[pa.RecordBatch]:
    """The rows of the nodes of this task; and a row with an account, or with what went wrong.

    A failure while all tasks live comes again: no task raises it, so that Spark does not run
    the stage again. Only if a task dies does it.
    """
    threads = _begin(job.version)
    context = BarrierTaskContext.get()
    worker = Worker(context, job, threads)
    with _folder() as folder:
        prepared, problem = _tried(lambda: worker.prepare(batches, folder))
        said = prepared if problem is None else {"error": problem}
        all_said = [json.loads(text) for text in context.allGather(json.dumps(said))]
        problem = _first([each.get("error") for each in all_said])
        if problem is None:
            manifest, problem = _tried(lambda: worker.work(all_said))
            problem = _first([json.loads(text) for text in context.allGather(json.dumps(problem))])
        if problem is not None:
            if worker.me == 0:
                yield worker.row({"error": problem})
            return
        yield worker.row({**worker.account(), "manifest": manifest})
        yield from worker.table()


def _tried(work: Any) -> tuple[Any, Any]:
    """The result of work, or its problem."""
    try:
        return work(), None
    except (WebrankError, OSError) as problem:
        return None, [type(problem).__name__, str(problem)]


def _first(problems: list[Any]) -> Any:
    """The first problem that does not only report that of another worker."""
    found = [problem for problem in problems if problem is not None]
    own = [problem for problem in found if problem[0] != WorkerError.__name__]
    return next(iter(own or found), None)


class Worker:
    """A task of a run."""

    def __init__(self, context: BarrierTaskContext, job: Job, threads: int) -> None:
        self.me = context.partitionId()
        self.job = job
        self._threads = threads
        self._hosts = [info.address.rsplit(":", 1)[0] for info in context.getTaskInfos()]
        self._started = time.monotonic()
        self._received = 0

    def prepare(self, batches: Iterator[pa.RecordBatch], folder: str) -> dict[str, str]:
        """Receives parts, and begins to listen."""
        self._shards = os.path.join(folder, "web.shards")
        self._output = os.path.join(folder, "ranks")
        self._temp = folder
        os.mkdir(self._shards)
        with open(os.path.join(self._shards, "plan.json"), "w", encoding="utf-8") as file:
            file.write(self.job.plan)
        self._preference: list[bytes] = []
        for batch in batches:
            self._receive(batch.to_pydict())
        host = self._hosts[self.me]
        try:
            self._port = _webrank.Port(host, self.job.ports)
        except OSError:
            # The name may be that of another interface, as behind a translated address.
            self._port = self._any_port()
        # Tasks of an earlier attempt do not know this.
        return {"address": f"{host}:{self._port.number}", "nonce": secrets.token_hex(16)}

    def _any_port(self) -> Any:
        try:
            return _webrank.Port("0.0.0.0", self.job.ports)
        except OSError as problem:
            asked = (
                f"{self.job.ports[0]} to {self.job.ports[-1]}" if self.job.ports != [0] else "any"
            )
            raise WorkerError(
                f"worker {self.me} at {self._hosts[self.me]} cannot listen at a port ({asked}): {problem}"
            ) from problem

    def _receive(self, rows: dict[str, list[Any]]) -> None:
        for part, name, at, data in zip(rows["part"], rows["file"], rows["at"], rows["data"]):
            self._received += len(data)
            if name == PREFERENCE:
                self._preference.append(data)
            elif name != ABOUT:
                _put(self._shards, part, name, at, data)

    def work(self, all_said: list[dict[str, str]]) -> str | None:
        """Ranks together with the others. Worker 0 has the manifest."""
        job = self.job
        secret = hmac.digest(job.secret, all_said[0]["nonce"].encode(), hashlib.sha256)
        addresses = [said["address"] for said in all_said]
        team = _webrank.Team(addresses, self.me, self._port, secret, timedelta(seconds=job.timeout))
        options = {"temp": self._temp, "threads": self._threads, **job.options}
        if options.get("memory") is None:
            options["memory"] = job.memory or self._share()
        if job.preference:
            options["preference"] = self._dense()
        if job.checkpoint is not None:
            options["checkpoint"] = job.checkpoint
            options["checkpoint_every"] = job.checkpoint_every
        teller = Teller(job.teller) if self.me == 0 and job.teller is not None else None
        if job.measure == "distances":
            found = _webrank.distances_part(team, self._shards, options, teller)
        else:
            found = _webrank.rank_part(
                team, self._shards, self._output, job.measure, options, job.command, teller
            )
        return found

    def _share(self) -> int:
        """The memory of this task, beside the others on the machine."""
        return _webrank.free_memory() // self._hosts.count(self._hosts[self.me])

    def _dense(self) -> bytes:
        import numpy as np

        dense = np.zeros(self.job.num_nodes)
        for chunk in self._preference:
            half = len(chunk) // 2
            dense[np.frombuffer(chunk[:half], np.int64)] = np.frombuffer(chunk[half:], np.float64)
        return dense.tobytes()

    def account(self) -> dict[str, Any]:
        return {
            "worker": self.me,
            "host": self._hosts[self.me],
            "seconds": round(time.monotonic() - self._started, 3),
            "bytes_received": self._received,
        }

    def row(self, account: dict[str, Any]) -> pa.RecordBatch:
        """A row of no node."""
        columns = [pa.array([json.dumps(account)], pa.string())]
        columns += [pa.nulls(1, _kind(kind)) for kind in self.job.kinds]
        return pa.RecordBatch.from_arrays(columns, ["account", *self.job.columns])

    def table(self) -> Iterator[pa.RecordBatch]:
        """The rows of the parts of this worker."""
        if not os.path.isdir(self._output):
            return
        import pyarrow.parquet as parquet

        for name in sorted(os.listdir(self._output)):
            if name.startswith("part-"):
                with parquet.ParquetFile(os.path.join(self._output, name)) as file:
                    for batch in file.iter_batches(1 << 16):
                        yield self._rows_of(batch)

    def _rows_of(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        kinds = [_kind(kind) for kind in self.job.kinds]
        found = [column.type for column in batch.columns]
        if found != kinds:
            raise SparkError(
                f"a table of {self.job.measure} has {batch.schema.names}: please report it"
            )
        account = pa.nulls(batch.num_rows, pa.string())
        return pa.RecordBatch.from_arrays([account, *batch.columns], ["account", *self.job.columns])


def _kind(kind: str) -> pa.DataType:
    return {"long": pa.int64(), "double": pa.float64(), "boolean": pa.bool_()}[kind]
