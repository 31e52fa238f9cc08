"""The tests of networkx that expect something else than webrank does, and why.

``pytest --pyargs networkx`` asks for them when it runs through this backend. Each is marked as one
that fails: if one passes, that is an error, too, so that the list stays true.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

#: For each reason, patterns of the file and the name of tests, with their parameters.
DIFFERENT: dict[str, list[str]] = {
    "a max_iter of 1 or more does not stop webrank early: it converges here": [
        r"test_hits::test_hits_not_convergent",
    ],
}


def on_start_tests(items: Iterable[Any]) -> None:
    """Marks the tests that differ; called by networkx before it runs its tests."""
    import pytest

    for item in items:
        test = f"{item.path.stem}::{item.name}"
        for reason, patterns in DIFFERENT.items():
            if any(re.fullmatch(pattern, test) for pattern in patterns):
                item.add_marker(pytest.mark.xfail(reason=reason, strict=True))
