"""Files with pattern cells: every member replaced, traps of the theory, and what messages say."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from verify.checker import Answer, Malformed, check_bytes

from .cell_examples import (
    ACCEPTED,
    X,
    corrector,
    f_jsq_corrected,
    f_mm1_corrected,
    falls,
    feature,
    grows,
    h_mm1,
    h_tandem,
    u_crossed,
    u_mm1,
    u_two_pieces,
)
from .examples import FIXED, Json, job_class, parallel, policy, put, route_network, with_rate
from .test_read import _parent, walk


def check(value: Json) -> Answer:
    return check_bytes(json.dumps(value).encode())


@pytest.mark.parametrize("name", ["u-witness", "u-two-pieces", "u-jsq", "h-tandem", "f-jsq-corrected"])
@pytest.mark.parametrize("new", [None, 1, "", "1", "-1", "\ud800", "9" * 5000, [], {}, [[]], {"": {}}], ids=repr)
def test_any_member_replaced_never_ends_in_another_exception(name: str, new: object) -> None:
    """Every member is replaced by something else, or removed: Malformed or an answer."""
    make = ACCEPTED[name]
    for path in walk(make()):
        if new is None and isinstance(_parent(make(), path), list):
            continue
        try:
            answer = check(put(make, "|".join(path), new)())
        except Malformed:
            continue
        assert isinstance(answer, Answer)


@pytest.mark.parametrize("name", list(ACCEPTED))
def test_other_rates_are_rejected(name: str) -> None:
    """Arrivals faster for a stable claim, slower for an unstable one."""
    value = ACCEPTED[name]()
    factor = Fraction(1, 3) if value["claim"]["condition"] == "growth" else Fraction(3)
    for one in value["network"]["classes"]:
        one["arrival_rate"] = str(Fraction(one["arrival_rate"]) * factor)
    assert check(value).rule in ("U-cell", "H-cell", "bound")


def test_no_h_makes_a_stable_queue_grow() -> None:
    """M/M/1 at load 1/2: the end of the feature is a cell that a service may leave or not; the worse counts."""
    for one in range(-6, 7):
        for two in range(-6, 7):
            h = {str(cell): str(value) for cell, value in ((1, one), (2, two)) if value}
            value = put(with_rate(u_mm1, "1/2"), "corrector", {"features": [feature(X, 0, 2)], "h": h})()
            value["claim"] = grows(FIXED, "1/100")
            value["v0"] = "5"
            assert check(value).rule == "U-cell"


def test_no_h_makes_an_unstable_queue_fall() -> None:
    for one in range(-6, 7):
        for two in range(-6, 7):
            h = {str(cell): str(value) for cell, value in ((1, one), (2, two)) if value}
            value = put(with_rate(h_mm1, "3/2"), "corrector", {"features": [feature(X, 0, 2)], "h": h})()
            value["claim"] = falls(FIXED, "1/100")
            assert check(value).rule == "H-cell"


def test_critical_queue_is_claimed_by_neither() -> None:
    falling = put(with_rate(h_mm1, "1"), "claim", falls(FIXED, "0"))()
    assert check(falling).rule == "epsilon"
    assert check(put(with_rate(u_mm1, "1"), "claim", grows(FIXED, "0"))()).rule == "epsilon"


def test_rejection_carries_both_sides() -> None:
    answer = check(put(u_mm1, "claim", grows(FIXED, "3/2"))())
    assert (answer.rule, answer.where, answer.left, answer.right) == ("U-cell", "cell ", "1", ">= 3/2")
    answer = check(with_rate(h_mm1, "3/4")())
    assert (answer.rule, answer.where, answer.left, answer.right) == ("H-cell", "cell 1", "1/4", ">= 1/2")


def test_finer_features_do_not_harm() -> None:
    """The same proofs with more and higher features, in another order."""
    listed = [feature("difference(a.r1.2 - b.r1.2)", -2, 2), *(feature(f"x({n})", 0, 3) for n in ("b.r1.2", "a.r1.2"))]
    assert check(put(u_crossed, "corrector", corrector(*listed))()).accepted
    mixed = [feature("combination(1 a.r1.1 - 1 b.r1.1)", -3, 3), feature("difference(a.r1.1 - b.r1.1)", -1, 1)]
    assert check(put(u_two_pieces, "corrector", corrector(*mixed))()).accepted
    assert check(put(f_mm1_corrected, "evidence|trees|0|corrector", corrector())()).rule == ""


def test_corrector_of_buffers_that_do_not_vanish() -> None:
    """On x > 0 nobody idles, so the cells at 0 are left out; on x_1 = 0 a feature of x_2 alone is of no help."""
    tree = "evidence|trees|0|children"
    interior, edge = f"{tree}|>|children|>|corrector", f"{tree}|=|corrector"
    assert check(put(f_jsq_corrected, interior, corrector(feature("x(a@1)", 0, 1)))()).accepted
    higher = put(f_jsq_corrected, interior, corrector(feature("x(a@1)", 0, 1), c1="1"))
    assert check(higher()).accepted  # only the cell that is left out is lower
    assert check(put(f_jsq_corrected, interior, corrector(feature("x(a@1)", 0, 1), c1="-1"))()).rule == "bound"
    assert check(put(f_jsq_corrected, edge, corrector(feature("x(a@2)", 0, 1)))()).rule == "bound"


def test_jsq_with_both_queues_resolved() -> None:
    """Two servers of rate 1 at 1/2, V = number of jobs: outside the exempt set one server works at least."""
    network = parallel("1/2")
    how = policy("jsq", "non-idling")
    claim = falls("routing jsq (ties split uniformly), sequencing non-idling, holding none", "1/2")
    h = corrector(feature("x(a@1)", 0, 3), feature("x(a@2)", 0, 3), feature("queue(1 - 2)", -2, 2))
    value = h_tandem() | {"network": network, "policy": how, "claim": claim, "corrector": h}
    value |= {"weights": {"a@1": "1", "a@2": "1"}, "potential": {"a@1": "1", "a@2": "1"}}
    assert check(value).accepted


def test_unresolved_coordinate_is_idle_and_busy_at_once() -> None:
    """Without features server 2 may idle in every cell, so V = number of jobs does not fall in a leaf."""
    network = route_network("1 2", job_class("a", "1/4", [("1", "1"), ("2", "1")]))
    value = h_tandem() | {"network": network, "corrector": corrector(feature(X, 0, 1))}
    assert check(value).rule == "H-features"
