"""Progress bars, by tqdm if it is installed."""

from __future__ import annotations

import sys
import time
import warnings
from typing import Any

# Work that ends sooner shows no bar.
_PATIENCE = 0.5


def in_notebook() -> bool:
    """True in a kernel of Jupyter."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return type(shell).__name__ == "ZMQInteractiveShell"


def progress(wanted: bool | None) -> Bar | None:
    """What shows progress: by default, if somebody can see it."""
    if wanted is None:
        stderr = sys.stderr
        wanted = in_notebook() or (stderr is not None and stderr.isatty())
    return Bar() if wanted else None


class Bar:
    """A bar for the phase under way. The native module calls it from the calling thread."""

    def __init__(self) -> None:
        self._started = time.monotonic()
        self._phase: tuple[str, int | None] | None = None
        self._bar: Any = None

    def show(self, phase: str, done: int, total: int | None, remark: str) -> None:
        if not phase or time.monotonic() - self._started < _PATIENCE:
            return
        if self._phase != (phase, total):
            self._end()
            self._phase = (phase, total)
            self._bar = _bar(phase, total)
        if self._bar is not None:
            self._bar.n = done if total is None else min(done, total)
            self._bar.set_postfix_str(remark, refresh=False)
            self._bar.refresh()

    def say(self, text: str) -> None:
        if self._bar is not None:
            self._bar.write(f"webrank: {text}", file=sys.stderr)
        elif sys.stderr is not None:
            print(f"webrank: {text}", file=sys.stderr)

    def close(self) -> None:
        self._end()

    def _end(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None


def _bar(phase: str, total: int | None) -> Any:
    try:
        with warnings.catch_warnings():
            # Without ipywidgets, tqdm draws a bar of text, which is what is wanted then.
            warnings.simplefilter("ignore")
            if in_notebook():
                from tqdm.auto import tqdm
            else:
                from tqdm import tqdm
            return tqdm(total=total, desc=phase, leave=False, unit_scale=True, unit="")
    except ImportError:
        return None
