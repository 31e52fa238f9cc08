"""The interpreter: signals, threads, forks, panics, progress, documentation."""

from __future__ import annotations

import _thread
import doctest
import importlib
import inspect
import io
import multiprocessing
import os
import pkgutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest
from conftest import ROOT

import webrank
from webrank import _webrank
from webrank._progress import Bar, progress

PAGERANK = "import webrank; webrank.Graph.from_arrays([0, 1], [1, 0]).pagerank()"


def run(code: str, **options) -> subprocess.CompletedProcess[str]:
    call = [sys.executable, "-c", code]
    return subprocess.run(call, capture_output=True, text=True, timeout=120, **options)


@pytest.fixture
def ctrl_c() -> Iterator[None]:
    """Ctrl-C raises KeyboardInterrupt, also in jobs in the background of a shell, which ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_stops_a_computation() -> None:
    stop = threading.Timer(0.3, _thread.interrupt_main)
    stop.start()
    with pytest.raises(KeyboardInterrupt):
        _webrank.fail("wait")
    # And the next one works.
    assert len(webrank.Graph.from_arrays([0], [1]).pagerank()) == 2


def test_ctrl_c_stops_a_measure() -> None:
    code = """
import os, signal, threading, webrank
import numpy as np
rng = np.random.default_rng(1)
g = webrank.Graph.from_arrays(*rng.integers(0, 60_000, (2, 900_000)))
signal.signal(signal.SIGINT, signal.default_int_handler)
threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    g.betweenness(time_budget="10h")
except KeyboardInterrupt:
    print("stopped")
"""
    found = run(code)
    assert found.stdout == "stopped\n", found.stderr


@pytest.mark.skipif(not hasattr(signal, "SIGUSR1"), reason="no such signal")
def test_what_a_signal_handler_raises_comes_through() -> None:
    def handler(number: int, frame: object) -> None:
        raise TimeoutError("too late")

    before = signal.signal(signal.SIGUSR1, handler)
    try:
        threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGUSR1)).start()
        with pytest.raises(TimeoutError, match="too late"):
            _webrank.fail("wait")
    finally:
        signal.signal(signal.SIGUSR1, before)


def test_a_panic_is_an_exception() -> None:
    found = run(
        "import webrank\n"
        "try:\n    webrank._webrank.fail('panic')\n"
        "except webrank.InternalError as bug:\n    print(bug)\n" + PAGERANK
    )
    assert found.stdout == "webrank has a bug, please report it: asked to panic\n"
    assert found.returncode == 0


@pytest.mark.usefixtures("ctrl_c")
def test_other_threads_run_during_a_computation() -> None:
    running = threading.Event()

    class Running(Bar):
        def show(self, *state) -> None:
            running.set()

    def count() -> None:
        running.wait()
        for _ in range(1000):
            pass
        _thread.interrupt_main()

    counter = threading.Thread(target=count, daemon=True)
    counter.start()
    # It ends only because the other thread counts to 1000 meanwhile.
    with pytest.raises(KeyboardInterrupt):
        _webrank.fail("wait", Running())
    counter.join()


def test_threads_compute_at_once(debian: webrank.Graph) -> None:
    expected = debian.pagerank().values
    graph = webrank.open(debian.path)
    found: list[object] = []

    def compute() -> None:
        found.append((graph.pagerank().values == expected).all())
        found.append(graph.harmonic(method="hyperball", log2m=4).method == "hyperball")

    threads = [threading.Thread(target=compute) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 12


needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")


@needs_fork
def test_a_fork_after_use_is_refused_and_does_not_hang() -> None:
    code = (
        PAGERANK
        + """
import os
child = os.fork()
if child == 0:
    try:
        webrank.Graph.from_arrays([0, 1], [1, 0]).pagerank()
        os._exit(1)
    except webrank.ForkError as problem:
        os._exit(7 if "spawn" in str(problem) else 2)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    )
    assert run(code).stdout == "7\n"


@needs_fork
def test_a_fork_before_use_works() -> None:
    code = """
import os, webrank
child = os.fork()
if child == 0:
    scores = webrank.Graph.from_arrays([0, 1], [1, 0]).pagerank()
    os._exit(len(scores))
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    assert run(code).stdout == "2\n"


def ranked(graph: webrank.Graph) -> float:
    return graph.pagerank()["libc6"]


def test_processes_that_are_spawned(debian: webrank.Graph) -> None:
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(ranked, [debian]) == [debian.pagerank()["libc6"]]


class Shown(Bar):
    """A bar that keeps what it is told."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[tuple] = []
        self.said: list[str] = []
        self.closed = False

    def show(self, *state) -> None:
        self.told.append(state)
        if len(self.told) == 3:
            raise RuntimeError("enough")

    def say(self, text: str) -> None:
        self.said.append(text)

    def close(self) -> None:
        self.closed = True


def test_progress_is_shown_and_what_it_raises_stops_the_computation() -> None:
    shown = Shown()
    with pytest.raises(RuntimeError, match="enough"):
        _webrank.fail("wait", shown)
    phases = {(phase, total) for phase, _, total, _ in shown.told}
    assert phases == {("wait", 1000)}
    counts = [done for _, done, _, _ in shown.told]
    assert counts == sorted(counts) and counts[-1] > 0
    assert shown.said == ["until it is interrupted"] and shown.closed


def test_a_bar_of_tqdm(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("tqdm")
    screen = io.StringIO()
    monkeypatch.setattr(sys, "stderr", screen)
    bar = Bar()
    bar.show("read", 1, 10, "")
    assert screen.getvalue() == ""
    bar._started -= 10
    bar.show("read", 3, 10, "fast")
    bar.show("iterate", 5, None, "")
    bar.say("a word")
    bar.close()
    text = screen.getvalue()
    assert "read" in text and "30%" in text and "fast" in text and "iterate" in text
    assert "webrank: a word" in text


def test_a_line_without_tqdm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tqdm", None)
    for is_terminal in (True, False):
        screen = io.StringIO()
        monkeypatch.setattr(screen, "isatty", lambda: is_terminal)
        monkeypatch.setattr(sys, "stderr", screen)
        bar = Bar()
        bar._started -= 10
        bar.show("read", 3, 10, "fast")
        bar.show("read", 4, 10, "")
        bar.say("a word")
        bar.show("iterate", 5000, None, "")
        bar.close()
        text = screen.getvalue()
        if is_terminal:
            # Each is drawn over the one before, and nothing is left of the last.
            drawn = [line.rstrip() for line in text.split("\r")]
            assert drawn == [
                "", "webrank: read 30% fast", "webrank: read 40%", "", "webrank: a word\n".rstrip(),
                "webrank: iterate 5,000", "", "",
            ]  # fmt: skip
        else:
            lines = ["webrank: read 30% fast", "webrank: a word", "webrank: iterate 5,000"]
            assert text.splitlines() == lines


def test_who_asks_for_progress_sees_something(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = io.StringIO()
    monkeypatch.setattr(sys, "stderr", screen)
    webrank.Graph.from_arrays([0], [1]).indegree(progress=True)
    assert screen.getvalue().startswith("webrank: done in 0.")
    assert screen.getvalue().count("\n") == 1
    webrank.Graph.from_arrays([0], [1]).indegree()
    assert screen.getvalue().count("\n") == 1


def test_progress_is_for_those_who_can_see_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert progress(None) is None and progress(False) is None
    assert isinstance(progress(True), Bar)
    monkeypatch.setattr(sys, "stderr", None)
    assert progress(None) is None
    monkeypatch.setattr(sys, "stderr", sys.stdout)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    assert isinstance(progress(None), Bar)


def modules():
    names = [module.name for module in pkgutil.iter_modules(webrank.__path__)]
    # Without Spark, its part cannot be imported.
    names.remove("spark")
    return [webrank] + [importlib.import_module(f"webrank.{name}") for name in names]


@pytest.mark.parametrize("module", modules(), ids=lambda module: module.__name__)
def test_examples(module) -> None:
    found = doctest.testmod(module)
    assert found.failed == 0


def test_the_examples_of_the_readme() -> None:
    readme = str(ROOT / "python" / "README.md")
    found = doctest.testfile(readme, module_relative=False)
    assert found.attempted > 3 and found.failed == 0


def test_the_examples_are_run() -> None:
    tests = doctest.DocTestFinder().find(webrank._links) + doctest.DocTestFinder().find(
        webrank._paths
    )
    with_examples = {test.name.split(".")[-1] for test in tests if test.examples}
    assert {"pagerank", "harmonic", "betweenness", "hits"} <= with_examples


def test_everything_public_is_documented() -> None:
    for name in webrank.__all__:
        thing = getattr(webrank, name)
        assert thing.__doc__, name
        if inspect.isclass(thing):
            for member, value in vars(thing).items():
                if not member.startswith("_") and callable(value):
                    assert value.__doc__, f"{name}.{member}"


def test_importing_is_light() -> None:
    code = "import sys, webrank; print(*[m for m in sys.modules if m in sys.argv[1:]])"
    heavy = ["matplotlib", "pandas", "polars", "pyarrow", "networkx", "scipy", "tqdm", "igraph"]
    found = subprocess.run([sys.executable, "-c", code, *heavy], capture_output=True, text=True)
    assert found.stdout.strip() == ""


def test_versions_agree() -> None:
    assert webrank.__version__ == _webrank.__version__
    manifest = webrank.Graph.from_arrays([0], [1]).pagerank().manifest
    assert manifest["version"] == f"webrank {webrank.__version__}"
