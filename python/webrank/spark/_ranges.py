"""Ranges of nodes, and the tasks that have them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from pyspark.sql import Column
from pyspark.sql import functions as F

from ..errors import ArgumentError

#: The weight of a node beside its arcs, as for ``rank shard``.
_NODE_WEIGHT = 2

#: A part has fewer nodes, and a graph at most so many parts.
_MOST_NODES = 1 << 31
MOST_PARTS = 4096
MOST_NODES_OF_GRAPH = (_MOST_NODES - 1) * MOST_PARTS

#: The memory of a node in all workers, about.
BYTES_OF_NODE = 16


def bounds(weights: np.ndarray[Any, Any], shift: int, num_nodes: int, parts: int) -> list[int]:
    """Where ranges of about equal weight begin, and where the last one ends; as for ``rank shard``.

    A block of nodes belongs to the range in which its middle lies.
    """
    starts = np.arange(len(weights) + 1, dtype=np.int64) << shift
    starts[-1] = num_nodes
    own = weights + _NODE_WEIGHT * np.diff(starts)
    total = int(own.sum())
    middle = 2 * (np.cumsum(own) - own) + own
    places = [int(np.searchsorted(middle * parts, 2 * total * part)) for part in range(1, parts)]
    found = [0, *(int(starts[place]) for place in places), num_nodes]
    longest = max(after - before for before, after in zip(found, found[1:]))
    if longest >= _MOST_NODES:
        least = -(-num_nodes // (_MOST_NODES - 1))
        raise ArgumentError(
            f"a worker would have {longest} nodes, and can have fewer than 2^31: give at least "
            f"workers={least + 1}"
        )
    return found


def choose(column: Column, firsts: Sequence[int], values: Sequence[int]) -> Column:
    """The value of the range in which a number lies, by halving; ranges begin at ``firsts``."""
    if len(values) == 1:
        return F.lit(values[0])
    middle = len(values) // 2
    left = choose(column, firsts[:middle], values[:middle])
    return F.when(column < F.lit(firsts[middle]), left).otherwise(
        choose(column, firsts[middle:], values[middle:])
    )


def keys(count: int) -> list[int]:
    """For each of so many partitions, an integer that Spark's hash partitioner puts there.

    So ``repartition(count, key)`` makes partitions of known content, which it does by nothing else.
    """
    found: dict[int, int] = {}
    key = 0
    while len(found) < count:
        found.setdefault(_hash(key) % count, key)
        key += 1
    return [found[partition] for partition in range(count)]


def _hash(key: int) -> int:
    """Spark's hash of an integer: Murmur3 of 32 bits with the seed 42, with its sign."""
    bits = 0xFFFFFFFF

    def rotated(x: int, by: int) -> int:
        return (x << by | x >> (32 - by)) & bits

    k = rotated(key * 0xCC9E2D51 & bits, 15) * 0x1B873593 & bits
    h = (rotated(42 ^ k, 13) * 5 + 0xE6546B64) & bits
    h ^= 4
    h = (h ^ h >> 16) * 0x85EBCA6B & bits
    h = (h ^ h >> 13) * 0xC2B2AE35 & bits
    h ^= h >> 16
    return h - (1 << 32) if h >> 31 else h


def shared(parts: int, workers: int) -> list[int]:
    """The worker of each part: consecutive ones, as workers divide them."""
    firsts = [worker * parts // workers for worker in range(workers)]
    return [sum(first <= part for first in firsts) - 1 for part in range(parts)]
