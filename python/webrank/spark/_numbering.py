"""Nodes as dense numbers, which Spark gives: nothing of the size of the graph comes to the driver.

Names are sorted in ranges, so that the pages of a host are neighbours; the number of a name is the count
of the partitions before its own, plus its place. Only counts are collected.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import DataType, IntegralType, LongType, StringType
from pyspark.storagelevel import StorageLevel

from ..errors import ArgumentError, ArgumentTypeError, SparkError
from ._ranges import BYTES_OF_NODE, MOST_NODES_OF_GRAPH

#: Numbers are taken for names if the graph would have more nodes than this, and this many for each arc.
_FEW_NODES = 1 << 28
_SPARSE = 16

_IDS = "ids=True (only nodes with arcs are ranked then; all others would have the same score)"

#: The most blocks of nodes whose arcs are counted.
_BLOCKS = 1 << 16


@dataclass(frozen=True)
class Numbered:
    """Arcs between numbers, and what the numbers stand for."""

    #: Columns: source, target, and whether the target has arcs of its own.
    arcs: DataFrame
    #: Columns: name, node. None if nodes are numbers.
    names: DataFrame | None
    #: The type of names, and how their column is called.
    kind: DataType
    label: str
    num_nodes: int
    #: Rows of arcs, repeated ones included.
    rows: int
    #: Arcs from each block of ``2 ** shift`` nodes.
    weights: np.ndarray[Any, Any]
    shift: int
    #: The frames that Spark holds for it.
    held: list[DataFrame]


def numbered(
    edges: DataFrame, source: str, target: str, nodes: DataFrame | int | None, ids: bool
) -> Numbered:
    """The arcs of a table, between dense numbers."""
    kind = _kind(edges, source, target)
    pairs = edges.select(
        edges[source].cast(kind).alias("source"), edges[target].cast(kind).alias("target")
    )
    if ids:
        return _by_number(pairs, kind, nodes)
    if isinstance(nodes, int):
        raise ArgumentError(
            "nodes is a number, but nodes have names: give a table of names, or ids=True"
        )
    return _by_name(pairs, kind, nodes)


def _kind(edges: DataFrame, source: str, target: str) -> DataType:
    """The type of both columns."""
    kinds = []
    for column in (source, target):
        if column not in edges.columns:
            raise ArgumentError(
                f"edges has no column {column!r}, but {', '.join(map(repr, edges.columns))}: say "
                "source= and target="
            )
        kind = edges.schema[column].dataType
        if not isinstance(kind, (StringType, IntegralType)):
            raise ArgumentTypeError(
                f"the column {column!r} holds {kind.simpleString()}: give strings or integers"
            )
        kinds.append(kind)
    one, other = kinds
    if one == other:
        return one
    if isinstance(one, StringType) or isinstance(other, StringType):
        raise ArgumentTypeError(
            f"{source!r} holds {one.simpleString()} and {target!r} {other.simpleString()}: cast one of them"
        )
    return LongType()


def _by_name(pairs: DataFrame, kind: DataType, nodes: DataFrame | None) -> Numbered:
    def end(name: str, arcs: int) -> Column:
        return F.struct(F.col(name).alias("name"), F.lit(arcs).cast("long").alias("arcs"))

    ends = pairs.select(F.explode(F.array(end("source", 1), end("target", 0))).alias("end"))
    ends = ends.select("end.name", "end.arcs")
    if nodes is not None:
        if len(nodes.columns) != 1:
            raise ArgumentError(f"nodes has the columns {nodes.columns}: select the one with names")
        name = F.col(nodes.columns[0]).cast(kind).alias("name")
        ends = ends.unionAll(nodes.select(name, F.lit(0).cast("long").alias("arcs")))
    counted = ends.groupBy("name").agg(F.sum("arcs").alias("arcs"))
    # From here on, partitions stay as they are: their counts are known.
    held = counted.repartitionByRange("name").sortWithinPartitions("name")
    held = held.persist(StorageLevel.MEMORY_AND_DISK)
    partition = F.spark_partition_id()
    counts = (
        held.groupBy(partition.alias("partition"))
        .agg(
            F.count(F.lit(1)).alias("rows"),
            F.count("name").alias("named"),
            F.sum("arcs").alias("arcs"),
            F.min("name").alias("first"),
            F.max("name").alias("last"),
        )
        .orderBy("partition")
        .collect()
    )
    if any(row.rows > row.named for row in counts):
        held.unpersist()
        raise ArgumentError(
            "a row of edges has no source or no target: leave such rows out, as by dropna()"
        )
    if any(after.first <= before.last for before, after in zip(counts, counts[1:])):
        raise SparkError("Spark gave ranges of names that overlap: please report it")
    first, total = [0] * (counts[-1].partition + 1 if counts else 1), 0
    for row in counts:
        first[row.partition] = total
        total += row.rows
    # The upper bits of Spark's increasing number are those of the partition.
    place = F.monotonically_increasing_id() - F.shiftleft(partition.cast("long"), 33)
    before = F.array(*[F.lit(count).cast("long") for count in first])
    number = F.element_at(before, partition + 1) + place
    named = held.select("name", number.alias("node"), "arcs")
    arcs = pairs.join(
        named.select(F.col("name").alias("source"), F.col("node").alias("s")), "source"
    ).join(
        named.select(
            F.col("name").alias("target"),
            F.col("node").alias("t"),
            (F.col("arcs") > 0).alias("live"),
        ),
        "target",
    )
    shift = _shift(total)
    return Numbered(
        arcs=arcs.select("s", "t", "live"),
        names=named.select("name", "node"),
        kind=kind,
        label="name" if isinstance(kind, StringType) else "id",
        num_nodes=total,
        rows=sum(row.arcs for row in counts),
        weights=_weights(named, shift, total),
        shift=shift,
        held=[held],
    )


def _by_number(pairs: DataFrame, kind: DataType, nodes: DataFrame | int | None) -> Numbered:
    if isinstance(kind, StringType):
        raise ArgumentTypeError("ids=True says that nodes are numbers, but edges holds strings")
    if nodes is not None and not isinstance(nodes, int):
        raise ArgumentTypeError("with ids=True, nodes is how many there are")
    pairs = pairs.select(pairs.source.cast("long"), pairs.target.cast("long"))
    held = pairs.groupBy("source").agg(F.count(F.lit(1)).alias("arcs"))
    held = held.persist(StorageLevel.MEMORY_AND_DISK)
    ends = F.least("source", "target"), F.greatest("source", "target")
    facts = pairs.agg(
        F.min(ends[0]).alias("least"),
        F.max(ends[1]).alias("most"),
        F.count(F.lit(1)).alias("rows"),
        # No sum of both: it may not fit 64 bits.
        F.count(F.when(F.col("source").isNotNull(), F.col("target"))).alias("whole"),
    ).collect()[0]
    problem = None
    if facts.rows > facts.whole:
        problem = "a row of edges has no source or no target: leave such rows out, as by dropna()"
    elif facts.rows and facts.least < 0:
        problem = (
            f"edges has the node {facts.least}: nodes have numbers from 0, or leave out ids=True"
        )
    elif nodes is not None and facts.rows and facts.most >= nodes:
        problem = f"edges has the node {facts.most}, but nodes={nodes}"
    else:
        problem = _too_sparse(facts.most, facts.rows, nodes)
    if problem is not None:
        held.unpersist()
        raise ArgumentError(problem)
    total = nodes if nodes is not None else facts.most + 1 if facts.rows else 0
    live = held.select(F.col("source").alias("target"), F.lit(True).alias("live"))
    arcs = pairs.join(live, "target", "left")
    arcs = arcs.select(
        F.col("source").alias("s"),
        F.col("target").alias("t"),
        F.coalesce("live", F.lit(False)).alias("live"),
    )
    shift = _shift(total)
    return Numbered(
        arcs=arcs,
        names=None,
        kind=LongType(),
        label="id",
        num_nodes=total,
        rows=facts.rows,
        weights=_weights(held.withColumnRenamed("source", "node"), shift, total),
        shift=shift,
        held=[held],
    )


def _too_sparse(largest: int | None, rows: int, nodes: int | None) -> str | None:
    """Why numbers of nodes cannot be dense, or are names rather than numbers."""
    total = nodes if nodes is not None else 0 if largest is None else largest + 1
    if total > MOST_NODES_OF_GRAPH:
        said = f"nodes={nodes}" if nodes is not None else f"edges has the node {largest}"
        return f"{said}, but a graph has at most {MOST_NODES_OF_GRAPH} nodes: leave out {_IDS}"
    if nodes is None and total > max(_FEW_NODES, _SPARSE * rows):
        return (
            f"edges has {rows} rows and the node {largest}: with ids=True the graph would have {total} "
            f"nodes, {BYTES_OF_NODE * total // 10**9} GB in the memory of all workers and {total} rows in the "
            f"result: leave out {_IDS}, or give nodes={total} if you want all of them"
        )
    return None


def _shift(num_nodes: int) -> int:
    """The logarithm of the length of a block."""
    return max(0, (num_nodes - 1).bit_length() - (_BLOCKS.bit_length() - 1)) if num_nodes else 0


def _weights(counted: DataFrame, shift: int, num_nodes: int) -> np.ndarray[Any, Any]:
    """The arcs from each block of nodes."""
    weights = np.zeros((num_nodes + (1 << shift) - 1) >> shift, dtype=np.int64)
    blocks = counted.groupBy(F.shiftright("node", shift).alias("block")).agg(
        F.sum("arcs").alias("arcs")
    )
    for row in blocks.collect():
        weights[row.block] = row.arcs
    return weights
