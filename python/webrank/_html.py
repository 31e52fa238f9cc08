"""The views of notebooks."""

from __future__ import annotations

import html
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .comparison import Comparison
    from .graph import Graph
    from .scores import Scores

_SHOWN = 10


def escaped(value: Any) -> str:
    """Text in markup, with control characters spelled out: they would act on what shows it."""
    text = "".join(c if c.isprintable() or c == " " else f"\\u{{{ord(c):x}}}" for c in str(value))
    return html.escape(text)


def _cells(cells: Iterable[Any], tag: str = "td") -> str:
    return "<tr>" + "".join(f"<{tag}>{escaped(cell)}</{tag}>" for cell in cells) + "</tr>"


def _table(header: Iterable[Any], rows: Iterable[Iterable[Any]]) -> str:
    head = f"<thead>{_cells(header, 'th')}</thead>"
    return f"<table>{head}<tbody>{''.join(_cells(row) for row in rows)}</tbody></table>"


def _facts(facts: Iterable[tuple[str, Any]]) -> str:
    rows = "".join(
        f'<tr><th style="text-align:left">{escaped(what)}</th>'
        f'<td style="text-align:left">{escaped(value)}</td></tr>'
        for what, value in facts
    )
    return f"<table><tbody>{rows}</tbody></table>"


def scores(scores: Scores, account: list[tuple[str, str]]) -> str:
    """The best nodes with their bounds, and the account."""
    columns, bounds = scores.columns, scores.bounds
    rows = []
    for row in scores.top(_SHOWN):
        mark = "~" if row.certain is False else ""
        numbers = [f"{column[row.node]:.6e}" for column in [*columns.values(), *bounds.values()]]
        rows.append([f"{mark}{row.rank}", row.name, *numbers])
    table = _table(["rank", "node", *columns, *bounds], rows)
    more = len(scores) - len(rows)
    rest = f"<p>and {more:,} more nodes</p>" if more > 0 else ""
    unproved = "<p>~: the rank is not proved</p>" if any(r[0].startswith("~") for r in rows) else ""
    bound = scores.error_bound
    said = [] if bound is None or bound == 0 else [("l1 error", f"at most {bound:.3e}, proved")]
    return f"<div>{table}{rest}{unproved}{_facts([*account, *said])}</div>"


def graph(graph: Graph, degrees: tuple[Any, Any] | None) -> str:
    """Sizes and degrees."""
    facts: list[tuple[str, Any]] = [
        ("nodes", f"{graph.num_nodes:,}"),
        ("arcs", f"{graph.num_arcs:,}"),
        ("weights", "yes" if graph.has_weights else "no"),
        ("names", "yes" if graph.names is not None else "no"),
    ]
    if graph.path is not None:
        facts.insert(0, ("path", graph.path))
    if graph.num_nodes:
        facts.append(("mean degree", f"{graph.num_arcs / graph.num_nodes:.2f}"))
    if degrees is not None and graph.num_nodes:
        out, into = degrees
        dangling = int((out == 0).sum())
        facts.append(("dangling nodes", f"{dangling:,} ({100 * dangling / len(out):.1f}%)"))
        for what, counts in (("outdegree", out), ("indegree", into)):
            largest = int(counts.argmax())
            name = graph.name(largest)
            facts.append((what, f"{int(counts.min()):,} to {int(counts[largest]):,} ({name})"))
    return f"<div>{_facts(facts)}</div>"


def coefficients(comparison: Comparison) -> str:
    """The coefficients of the first pair."""
    found = comparison.coefficients.items()
    rows = [(name, "-" if value is None else f"{value:.6g}") for name, value in found]
    table = _table(["coefficient", "value"], rows)
    return f"<details><summary>coefficients</summary>{table}</details>"
