"""Rows of guards hold at every integer state at which something of that kind may be done (theory 13.1)."""

from __future__ import annotations

from fractions import Fraction

from catalogue.networks import line_text, parallel_text, read

from verify.chain.components import Alternative, Branch, branches_with_alternatives
from verify.chain.places import places
from verify.chain.rows import Row, rows_of
from verify.linear_form import LinearForm
from verify.policies.compose import walk

F = Fraction

SHARED = """
servers = { N = {}, M = {} }
buffers = [{ name = "K", arrival_rate = "1/2" }, { name = "L", arrival_rate = 1 }]
[[activities]]
server = "N"
buffer = "K"
rate = 1
[[activities]]
server = "N"
buffer = "L"
rate = 100
[[activities]]
server = "M"
buffer = "L"
rate = "1/10"
[policy]
sequencing = "%s"
"""


def rows(text: str, name: str) -> dict[str, Row]:
    """The rows of the alternative of that name."""
    (found,) = [pair for pair in branches_with_alternatives(walk(read(text)).components) if pair[1].name == name]
    return {row.name: row for row in rows_of(*found)}


def form(first: int, second: int) -> LinearForm:
    return LinearForm({0: F(first), 1: F(second)})


def test_serving_needs_a_job_and_idling_none() -> None:
    line = line_text("12", ("1/2", "1/2"), "non-idling")
    assert rows(line, "server 1 / a.r.1") == {
        "serves": Row("serves", rows(line, "server 1 / a.r.1")["serves"].form, F(1))
    }
    idle = rows(line, "server 1 / (idle)")["x(a.r.1)"]
    assert (idle.equality, idle.least, idle.empties) == (True, F(0), 0)


def test_routing_comparisons_contain_the_tie() -> None:
    row = rows(parallel_text("jsr", "1", (1, 1)), "class a / r1")["route(a:r1 - r2)"]
    assert (row.form, row.least, row.equality) == (form(-1, 1), F(0), False)


def test_comparison_with_a_shared_buffer_has_slack() -> None:
    """M may have the only job of L: N then works on K although L weighs 100."""
    row = rows(SHARED % "max-weight", "server N / K")["weight(N: K - L)"]
    assert (row.form, row.least) == (form(1, -100), F(-100))
    other = rows(SHARED % "max-weight", "server N / L")["weight(N: K - L)"]
    assert (other.form, other.least) == (form(-1, 100), F(0))
    assert rows(SHARED % "longest-queue", "server N / K")["length(K - L)"].least == -1
    assert rows(SHARED % "back-pressure", "server N / K")["pressure(N: K - L)"].least == -100


def test_passing_over_a_shared_buffer_is_an_inequality() -> None:
    for word in ("max-weight", "longest-queue", "non-idling"):
        idle = rows(SHARED % word, "server N / (idle)")
        assert (idle["x(L)"].equality, idle["x(L)"].least, idle["x(L)"].form) == (False, F(-1), form(0, -1))
        assert idle["x(K)"].equality
    idle = rows(SHARED % "back-pressure", "server N / (idle)")
    assert [(name, row.least) for name, row in idle.items()] == [
        ("pressure(N: K)", F(0)),
        ("pressure(N: L)", F(-100)),
    ]


def test_holding_a_shared_buffer_has_slack() -> None:
    text = SHARED.replace("rate = 100\n", "rate = 100\nnext = { K = 1 }\n").replace(
        'rate = "1/10"\n', 'rate = "1/10"\nnext = { K = 1 }\n'
    )
    idle = rows(text % "non-idling" + 'holding = "spillback"\n', "server N / (idle)")
    assert (idle["hold(L)"].form, idle["hold(L)"].least) == (form(1, -1), F(-1))


def test_places_know_what_cannot_be_done_there() -> None:
    chain = walk(read(line_text("12", ("1/2", "1/2"), "non-idling")))
    here = {place.at[0]: place for place in places({0: 1})}
    assert sorted(here) == [0, 1, 2]
    assert [here[n].fixes(0) for n in (0, 1, 2)] == [True, True, False]
    assert here[2].cell({0: F(-1)}) == (1,)
    assert here[1].cell({0: F(-1)}) == (0,)

    def excluded(n: int) -> set[str]:
        def no(branch: Branch, alternative: Alternative) -> bool:
            return here[n].excludes(alternative, list(rows_of(branch, alternative)))

        return {a.name for b, a in branches_with_alternatives(chain.components) if no(b, a)}

    assert excluded(0) == {"server 1 / a.r.1"}
    assert excluded(1) == excluded(2) == {"server 1 / (idle)"}
