"""Progress bars, by tqdm if it is installed, and plain lines where it is not."""

from __future__ import annotations

import sys
import time
import warnings
from typing import Any

# Work that ends sooner shows no bar.
_PATIENCE = 0.5

# Where a line cannot be drawn anew, there is one a minute.
_MINUTE = 60.0


def in_notebook() -> bool:
    """True in a kernel of Jupyter."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return type(shell).__name__ == "ZMQInteractiveShell"


def progress(wanted: bool | None) -> Bar | None:
    """The bar that shows progress: by default, if somebody can see it."""
    if wanted is None:
        stderr = sys.stderr
        return Bar() if in_notebook() or (stderr is not None and stderr.isatty()) else None
    return Bar(asked=True) if wanted else None


class Bar:
    """A bar for the phase under way. The native module calls it from the calling thread."""

    def __init__(self, asked: bool = False) -> None:
        # Who asks for progress learns when work ended that was too short for a bar.
        self._silent = asked
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
            self._silent = False
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
        if self._silent:
            self._silent = False
            self.say(f"done in {time.monotonic() - self._started:.2f} s")

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
        return None if sys.stderr is None else Line(phase, total)


class Line:
    """A line that stands in for a bar of tqdm."""

    def __init__(self, phase: str, total: int | None) -> None:
        self.n = 0
        self._phase = phase
        self._total = total
        self._remark = ""
        self._shown = ""
        self._next = 0.0
        self._redraws = in_notebook() or sys.stderr.isatty()

    def set_postfix_str(self, remark: str, refresh: bool) -> None:
        self._remark = remark

    def refresh(self) -> None:
        share = f"{100 * self.n / self._total:.0f}%" if self._total else f"{self.n:,}"
        text = f"webrank: {self._phase} {share} {self._remark}".rstrip()
        if self._redraws and text != self._shown:
            self._draw(text)
        elif not self._redraws and time.monotonic() >= self._next:
            self._next = time.monotonic() + _MINUTE
            print(text, file=sys.stderr, flush=True)

    def write(self, text: str, file: Any) -> None:
        self.close()
        print(text, file=file, flush=True)

    def close(self) -> None:
        if self._shown:
            self._draw("")
            print(end="\r", file=sys.stderr, flush=True)

    def _draw(self, text: str) -> None:
        print(f"\r{text:<{len(self._shown)}}", end="", file=sys.stderr, flush=True)
        self._shown = text
