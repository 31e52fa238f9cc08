"""The measures: a method of :class:`webrank.Graph` for each command that ranks.

Arguments are the options of the command ``rank``, with underscores, and have the same defaults.
"""

from __future__ import annotations

from ._links import LinkMeasures
from ._paths import PathMeasures


class Measures(LinkMeasures, PathMeasures):
    """Measures that rank the nodes of a graph.

    All methods share these arguments:

    * ``unweighted``: do not use the weights of arcs, if there are any;
    * ``threads``: how many threads compute; by default, one for each core. Results do not depend
      on it;
    * ``memory``: how much memory the process may hold, in bytes or such as ``"8G"``; by default,
      what is free. A run that needs more is refused before work begins, or takes another form;
    * ``progress``: whether to show a progress bar; by default, in a terminal and in Jupyter.
    """
