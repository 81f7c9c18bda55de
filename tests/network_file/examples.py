"""Small files that the tests read, and spoil."""

from __future__ import annotations

from verify.errors import InputError
from verify.network_file.read import read_text
from verify.policies.instance import Instance

ROUTES = """
title = "two classes"
[parameters]
load = "9/10"
[servers]
1 = { rate = "1" }
2 = { rate = "2" }
3 = {}
[[classes]]
name = "a"
arrival_rate = "load/2"
[classes.routes]
r1 = ["1", "2"]
[[classes]]
name = "b"
arrival_rate = "0.25"
[classes.routes]
s1 = ["2", { server = "3", mean = "3/5" }]
s2 = ["1"]
[policy]
routing = "bernoulli"
sequencing = "priority"
[policy.probabilities]
b = { s1 = "1/3", s2 = "2/3" }
[policy.priority]
1 = ["b.s2.1", "a.1"]
2 = ["a.2", "b.s1.1"]
"""

BUFFERS = """
[servers]
A = {}
B = {}
[[buffers]]
name = "q1"
arrival_rate = "1"
[[buffers]]
name = "q2"
[[activities]]
server = "A"
buffer = "q1"
rate = "3"
next = { q2 = "1/2" }
[[activities]]
server = "B"
buffer = "q1"
mean = "1/5"
[[activities]]
server = "B"
buffer = "q2"
rate = "7"
next = { q1 = "1/2", q2 = "1/4" }
[policy]
sequencing = "priority"
[policy.priority]
B = ["q2", "q1"]
"""

JSQ = """
[servers]
1 = { rate = "1" }
2 = { rate = "1" }
3 = { rate = "1" }
4 = { rate = "1" }
[[classes]]
name = "c"
arrival_rate = "1"
[classes.routes]
r1 = ["1", "3", "4"]
r2 = ["2", "3", "4"]
[[classes]]
name = "d"
arrival_rate = "1/2"
[classes.routes]
s1 = ["1"]
[policy]
routing = "jsq"
sequencing = "priority"
[policy.priority]
1 = ["d.1", "c.r1.1"]
"""

DOMINANT = """
[servers]
1 = { rate = "1" }
2 = { rate = "1" }
[[classes]]
name = "a"
arrival_rate = "1"
[classes.routes]
r1 = ["1", "2"]
r2 = ["2"]
[policy]
routing = "jsr"
sequencing = "dominant"
[policy.tie_order]
2 = ["a.r2.1", "a.r1.2"]
[policy.dominance_function]
template = "explicit"
alpha = "3/4"
beta = ["1", "4/5"]
gamma = 1
[test_function]
pieces = [{ "a.r1.1" = "1", "a.r1.2" = "0" }, { "a.r2.1" = 2 }, { "a.r1.1" = "1" }]
"""

JSQ_AS = """
[servers]
1 = { rate = "1" }
2 = { rate = "1" }
3 = { rate = "1" }
[[classes]]
name = "c"
arrival_rate = "1"
[classes.routes]
r1 = ["1", "2"]
r2 = ["1", "3"]
[policy]
preset = "jsq-as"
"""

NAMED = {"routes": ROUTES, "buffers": BUFFERS, "jsq": JSQ, "dominant": DOMINANT, "jsq-as": JSQ_AS}


def refusal(text: str, format: str = "toml", settings: dict[str, str] | None = None) -> InputError:
    """The refusal of a text; an error of the test if it is read."""
    try:
        instance: Instance = read_text(text, format=format, settings=settings or {})  # type: ignore[arg-type]
    except InputError as error:
        return error
    raise AssertionError(f"not refused: {instance}")


def spoiled(text: str, old: str, new: str) -> str:
    """``text`` with its first ``old`` replaced; an error of the test if it is not there."""
    if old not in text:
        raise AssertionError(f"{old!r} is not in the text")
    return text.replace(old, new, 1)
