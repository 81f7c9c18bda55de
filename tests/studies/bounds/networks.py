"""Small networks for bounds, as texts of network files."""

from __future__ import annotations

from catalogue.networks import read

from verify.policies.instance import Instance

SERIES = """
title = "Two queues in series"
parameters = { load = "1/2" }
servers = { A = { rate = 2 }, B = { rate = 3 } }
classes = [{ name = "a", arrival_rate = "2 * load", routes = { r = ["A", "B"] } }]
"""

TWO_CLASSES = """
servers = { A = {} }
classes = [
    { name = "a", arrival_rate = "1/2", routes = { r = [{ server = "A", rate = 2 }] } },
    { name = "b", arrival_rate = "1/4", routes = { r = [{ server = "A", rate = 1 }] } },
]
policy = { sequencing = "non-idling" }
"""

#: A job is served a geometric number of times: altogether an exponential time of rate 2 · 3/4.
FEEDBACK = """
servers = { A = {} }
buffers = [{ name = "q", arrival_rate = 1 }]
activities = [{ server = "A", buffer = "q", rate = 2, next = { q = "1/4" } }]
"""

#: M/M/2 with load 1/2 and 4/3 jobs on average.
SHARED = """
servers = { A = {}, B = {} }
buffers = [{ name = "q", arrival_rate = 1 }]
activities = [{ server = "A", buffer = "q", rate = 1 }, { server = "B", buffer = "q", rate = 1 }]
"""


def series(load: str = "1/2") -> Instance:
    """Two queues in series, the first with this load."""
    return read(SERIES.replace('load = "1/2"', f'load = "{load}"'))
