"""Exceptions. Each is a :class:`WebrankError`, and also the built-in exception that fits.

Files that cannot be opened raise :class:`OSError` and its subclasses, such as
:class:`FileNotFoundError`; Ctrl-C raises :class:`KeyboardInterrupt`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .scores import Scores


class WebrankError(Exception):
    """An error of webrank. The message is one line that says what to do."""


class ArgumentError(WebrankError, ValueError):
    """An argument has a value that cannot be used."""


class ArgumentTypeError(WebrankError, TypeError):
    """An argument has a type that cannot be used."""


class FileError(WebrankError, ValueError):
    """A file, or a table, has a content that cannot be used."""


class NotDefined(WebrankError, ValueError):
    """The measure is not defined on the graph."""


class NotConverged(WebrankError, RuntimeError):
    """The tolerance was not reached within the limit of iterations.

    ``scores`` holds the scores so far, with the error bound that was reached;
    ``allow_unconverged=True`` returns them instead.
    """

    scores: Scores | None = None


class OutOfMemory(WebrankError, MemoryError):
    """The computation needs more memory than it may have; it was not begun."""


class TooLong(WebrankError, RuntimeError):
    """An exact computation would take longer than its time budget."""


class ForkError(WebrankError, RuntimeError):
    """The process is a fork of one that has used webrank."""


class WorkerError(WebrankError, ConnectionError):
    """One of several workers cannot be reached, has other parameters, or is gone."""


class SparkError(WebrankError, RuntimeError):
    """Spark cannot do what is asked, or has given up."""


class InternalError(WebrankError, RuntimeError):
    """A bug in webrank. Please report it."""


class WebrankWarning(UserWarning):
    """A fact that a user should know of a result."""


class ImportWarning(WebrankWarning):
    """An assumption or omission where a graph was read."""
