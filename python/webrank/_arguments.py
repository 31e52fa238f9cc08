"""Arguments in the forms that the native module takes."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping
from numbers import Integral, Real
from typing import Any, Union

import numpy as np
import numpy.typing as npt

from . import _webrank
from .errors import ArgumentError, ArgumentTypeError

Key = Union[str, int]
"""A node: its name or, if no node has that name, its number."""

Path = Union[str, "os.PathLike[str]"]

NodeValues = Union[Mapping[Key, float], npt.ArrayLike, Path, Any]
"""A number for each node: an array by node; for some of the nodes, a mapping, a ``pandas.Series`` by
its index, or a table of names and numbers (pandas, polars, Arrow, scores); or a file."""

ArcWeights = Union[npt.ArrayLike, Path]
"""A number for each arc, by source and target: an array or a file."""


def key_text(key: Any) -> str:
    """A key as the command takes it."""
    if isinstance(key, str):
        # Members of enums and numpy's strings are plain strings from here on.
        return str.__str__(key)
    if isinstance(key, Integral) and not isinstance(key, bool):
        return str(int(key))
    raise ArgumentTypeError(f"{key!r} is no node: give a name or a number")


def keys(nodes: Any) -> list[str] | None:
    """The keys of some nodes, or of one."""
    if nodes is None:
        return None
    if isinstance(nodes, (str, Integral)):
        return [key_text(nodes)]
    if not isinstance(nodes, Iterable):
        raise ArgumentTypeError(f"{nodes!r} is no list of nodes")
    return [key_text(key) for key in nodes]


def path(value: Any) -> Any:
    """A path as a string; anything else as it is."""
    return os.fspath(value) if isinstance(value, os.PathLike) else value


def columns(columns: Iterable[Union[str, int]]) -> list[str]:
    """The columns of arcs, by number or by name."""
    if isinstance(columns, str):
        return columns.split(",")
    if not isinstance(columns, Iterable):
        raise ArgumentTypeError(f"columns is {columns!r}: give two or three names or numbers")
    return [str(column) for column in columns]


#: Longer lists are not written into manifests.
_LONGEST = 1000


def told(options: Mapping[str, Any], defaults: Mapping[str, Any]) -> list[str]:
    """The options that differ from their defaults, for manifests: ``alpha=0.5``.

    Numbers, words, paths and lists of these are as on the command line, so that ``rank rerun`` can
    repeat the call. Anything else has its type there: ``preference=(dict)``.
    """
    given = []
    for name, value in options.items():
        default = defaults.get(name)
        is_plain = isinstance(value, (str, Real))
        if value is not default and not (is_plain and value == default):
            text = _word(value)
            given.append(f"{name}={f'({type(value).__name__})' if text is None else text}")
    return given


def _word(value: Any) -> str | None:
    if isinstance(value, os.PathLike):
        return os.fsdecode(value)
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, Integral):
        return str(value if isinstance(value, bool) else int(value))
    if isinstance(value, Real):
        return repr(float(value))
    if isinstance(value, list) and 0 < len(value) <= _LONGEST:
        words = [_word(item) for item in value if isinstance(item, (str, Real))]
        if len(words) == len(value):
            return ",".join(_quoted(str(word)) for word in words)
    return None


def _quoted(word: str) -> str:
    """A word in a list, in quotation marks as in CSV where it needs them."""
    is_plain = word == word.strip() and not word.startswith("(") and not set(word) & set(',"\r\n')
    return word if word and is_plain else '"' + word.replace('"', '""') + '"'


def node_values(values: Any, name: str) -> Any:
    """A path, numbers by key, or the bytes of an array."""
    values = path(values)
    if values is None or isinstance(values, str):
        return values
    found = keyed(values, name)
    return doubles(values, name) if found is None else found


def has_keys(values: Any) -> bool:
    """Whether numbers are by key, not by position."""
    return isinstance(values, Mapping) or _is_series(values) or _is_table(values)


def keyed(values: Any, name: str, on: str | None = None) -> _webrank.Table | None:
    """Numbers by key: a mapping, a pandas.Series by its index, a table; None for an array."""
    if isinstance(values, Mapping):
        return _by_key(values, list(values.values()), name)
    if _is_table(values) and hasattr(values, "iloc"):
        # The index of a pandas.DataFrame counts if it is all that there is beside the numbers.
        values = values.iloc[:, 0] if len(values.columns) == 1 else without_index(values)
    if _is_series(values):
        return _by_key(values.index, values.to_numpy(), name)
    return _webrank.Table.of_arrow(values, name, on) if _is_table(values) else None


def _by_key(keys: Iterable[Any], values: Any, name: str) -> _webrank.Table:
    numbers = doubles(values, name) if len(values) else b""
    texts = [key_text(key) for key in keys]
    if len(set(texts)) < len(texts):
        twice = next(key for key, count in Counter(texts).items() if count > 1)
        raise ArgumentError(f"{name}: {twice!r} is there twice")
    return _webrank.Table.of_values([("score", numbers)], texts)


def _is_series(values: Any) -> bool:
    return hasattr(values, "index") and hasattr(values, "to_numpy") and not _is_table(values)


def _is_table(values: Any) -> bool:
    is_arrow = hasattr(values, "__arrow_c_stream__") or hasattr(values, "iloc")
    # Columns of polars and pyarrow give Arrow data, too.
    return is_arrow and (hasattr(values, "columns") or hasattr(values, "schema"))


def without_index(table: Any) -> Any:
    """A pandas.DataFrame as an Arrow table."""
    try:
        import pyarrow
    except ImportError as problem:
        raise ImportError("pandas needs pyarrow to give Arrow data: install it") from problem
    return pyarrow.Table.from_pandas(table, preserve_index=False)


def doubles(values: Any, name: str) -> bytes:
    """The bytes of an array of doubles."""
    values = path(values)
    try:
        array = np.asarray(values)
    except ValueError as problem:
        raise ArgumentError(f"{name}: {problem}") from problem
    if array.ndim != 1:
        raise ArgumentError(f"{name} has {array.ndim} dimensions: give one")
    if array.dtype.kind not in "fiub":
        raise ArgumentTypeError(f"{name} holds {array.dtype}: give numbers")
    return np.ascontiguousarray(array, dtype=np.float64).tobytes()


def arc_weights(values: Any, name: str = "weights") -> Any:
    """A path, or the bytes of an array."""
    values = path(values)
    return values if values is None or isinstance(values, str) else doubles(values, name)


class Arcs:
    """Arrays of arcs, read in parts: one is copied at a time, whatever the types."""

    PART = 1 << 19

    def __init__(self, src: Any, dst: Any, weights: Any) -> None:
        self.src = _nodes(src, "src")
        self.dst = _nodes(dst, "dst")
        self.weights = None
        if weights is not None:
            self.weights = np.asarray(weights)
            if self.weights.ndim != 1:
                raise ArgumentError(f"weights has {self.weights.ndim} dimensions: give one")
            if self.weights.dtype.kind not in "fiub":
                raise ArgumentTypeError(f"weights holds {self.weights.dtype}: give numbers")
        self._check(self.src, self.dst, self.weights, "arrays differ in length")

    def __call__(self, start: int) -> tuple[bytes, bytes, bytes | None]:
        part = slice(start, start + self.PART)
        src, dst = self.src[part], self.dst[part]
        weights = None if self.weights is None else self.weights[part]
        self._check(src, dst, weights, "arrays were changed while they were read")
        found = None if weights is None else weights.astype(np.float64).tobytes()
        return _signed(src, "src", start), _signed(dst, "dst", start), found

    @staticmethod
    def _check(src: Any, dst: Any, weights: Any, problem: str) -> None:
        lengths = [len(src), len(dst)] + ([] if weights is None else [len(weights)])
        if len(set(lengths)) > 1:
            names = ["src", "dst", "weights"]
            said = ", ".join(f"{name} has {count}" for name, count in zip(names, lengths))
            raise ArgumentError(f"{problem}: {said}")


def _nodes(values: Any, name: str) -> npt.NDArray[Any]:
    array = np.asarray(values)
    if array.ndim != 1:
        raise ArgumentError(f"{name} has {array.ndim} dimensions: give one")
    if array.dtype.kind not in "iu":
        if array.size == 0:
            return array.astype(np.int64)
        raise ArgumentTypeError(
            f"{name} holds {array.dtype}: give integers, or names by from_arrow, from_pandas or "
            "from_polars"
        )
    return array


def _signed(values: npt.NDArray[Any], name: str, start: int) -> bytes:
    if values.dtype.kind == "u" and values.dtype.itemsize == 8 and values.size:
        place = int(values.argmax())
        if values[place] > np.iinfo(np.int64).max:
            raise ArgumentError(f"{name}[{start + place}] is {values[place]}: a node has 32 bits")
    return values.astype(np.int64).tobytes()
