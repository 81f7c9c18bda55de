"""The rules one by one: both sides in the message, traps of the theory, and rules that no file can violate alone."""

from __future__ import annotations

import copy
import dataclasses
import itertools
import json
from fractions import Fraction

import pytest

from verify.checker import Answer, Malformed, check_bytes
from verify.checker.core.conditions import check_epsilon, check_work, positive_at_highest, positive_at_lowest
from verify.checker.core.data import Claim
from verify.checker.core.errors import Rejected
from verify.checker.core.model import Model

from .examples import (
    ACCEPTED,
    FIXED,
    Json,
    drift,
    evidence,
    faces,
    job_class,
    jsq_max,
    mm1_faces,
    mm1_strict,
    mm1_tree,
    n_buffer,
    n_fixed,
    overloaded_jsq,
    policy,
    put,
    route_network,
    stable,
    trees,
    unstable,
)
from .test_model import TWO_VISITS, build

NEW = ["back-pressure", "back-pressure-fork", "spillback-longest-queue", "max-weight", "jsq-as", "jsq-as-exit"]


def check(value: Json) -> Answer:
    return check_bytes(json.dumps(value).encode())


def test_rejection_carries_both_sides() -> None:
    answer = check(put(mm1_faces, "lower_bound|c", "1/2")())
    assert (answer.rule, answer.where, answer.left, answer.right) == ("zero", "c", "1/2", "1")
    answer = check(put(mm1_faces, "network|classes|0|arrival_rate", "3/4")())
    assert (answer.rule, answer.where, answer.left, answer.right) == ("bound", "piece 0, face 0", "1/4", ">= 1/2")


def test_acceptance_repeats_the_words() -> None:
    answer = check(mm1_faces())
    assert answer == Answer(True, words=stable(FIXED, "1/2")["words"])


def test_key_order_does_not_matter() -> None:
    def backwards(value: object) -> object:
        if isinstance(value, dict):
            return {key: backwards(inner) for key, inner in reversed(value.items())}
        return [backwards(inner) for inner in value] if isinstance(value, list) else value

    for make in ACCEPTED.values():
        value = backwards(make())
        assert isinstance(value, dict)
        assert check({"format": value["format"], **value}).accepted


def test_trap_maximum_under_jsq_fails_on_the_tie() -> None:
    """theory 5.6, criterion P: V = max(x_1, x_2) falls inside both regimes at rate 5/2 > 2."""
    answer = check(overloaded_jsq())
    assert answer.rule == "bound"
    assert answer.where.endswith("piece(0 - 1)=")
    assert answer.left == "-1/4"


def test_trap_reentrant_route_above_capacity_is_not_certified() -> None:
    """A route 1 -> 1 with rate 3/5 has load 6/5: no weights of a grid pass, whatever epsilon is claimed."""
    network = route_network("1", job_class("a", "3/5", [("1", "1"), ("1", "1")]))
    for one, two in itertools.product(range(1, 7), repeat=2):
        weights = {"a.r1.1": str(one), "a.r1.2": str(two)}
        busy = faces([{"busy": {"1": "a.r1.1"}, "eta": {}}])
        claim, bound = stable(FIXED, "1/100"), ({"0": "1"}, str(min(one, two)))
        phi = {"a.r1.1": "2", "a.r1.2": "1"}
        assert check(drift(claim, network, policy("fixed", "non-idling"), [weights], bound, phi, busy)).rule == "bound"


def test_trap_strict_condition_does_not_use_strict_signs() -> None:
    """In S the tree of `jsq_max` would prove it: closed signs let both servers be chosen on the tie."""
    value = jsq_max()
    value["claim"] = stable("routing jsq (ties in any way), sequencing non-idling, holding none", "1", "strict")
    for root in value["evidence"]["trees"]:
        root["children"] = {"<=": {"leaf": {}}, ">=": {"leaf": {}}}
    assert check(value).rule == "bound"


def test_strict_condition_children_are_closed() -> None:
    split = {
        "split": "x(a.r1.1)",
        "children": {"<=": {"empty": evidence("1", {"x(a.r1.1)": "-1"})}, ">=": mm1_tree()["evidence"]["trees"][0]},
    }
    assert check(put(mm1_strict, "evidence|trees|0", split)()).accepted
    del split["children"]["<="]  # type: ignore[attr-defined]
    assert check(put(mm1_strict, "evidence|trees|0", split)()).rule == "children"


def test_unstable_claim_holds_at_load_exactly_1() -> None:
    assert check(n_fixed()).accepted
    value = put(n_fixed, "network|classes|0|arrival_rate", "999/1000")()
    value["claim"] = unstable("routing fixed and any sequencing and holding", "999/1000")
    assert check(value).rule == "N-load"


def check_potential_work(model: Model, potential: dict[str, Fraction]) -> None:
    """**R-work** at the lowest buffer."""
    phi = [potential[name] for name in model.state.names]
    check_work(model, lambda k, entries, sign: positive_at_lowest(k, entries, sign, phi))


def test_r_work_at_the_highest_buffer_needs_the_sum_of_negative_terms() -> None:
    """2 x_0 - x_1 - x_2 where x_1 / u_1 and x_2 / u_2 are at most x_0 / u_0."""
    entries = {0: 2, 1: -1, 2: -1, 3: 5}
    for heights, sign, expected in (((1, 1, 1, 1), 1, False), ((2, 1, 2, 1), 1, True), ((2, 1, 2, 1), -1, False)):
        assert positive_at_highest(0, entries, sign, list(map(Fraction, heights))) is expected
    assert positive_at_highest(1, {1: 1, 2: 1}, 1, [Fraction(1)] * 3)


def test_r_work_fails_for_a_server_that_may_idle() -> None:
    """The rule is tried on a model whose idle guard is taken away."""
    model = build(TWO_VISITS, policy("fixed", "non-idling"))
    potential = dict.fromkeys(model.state.names, Fraction(1))
    check_potential_work(model, potential)
    server = model.components[-1]
    part = server.branches[0].parts[0]
    lazy = dataclasses.replace(
        part, alternatives=(*part.alternatives[:-1], dataclasses.replace(part.alternatives[-1], guard=()))
    )
    branch = dataclasses.replace(server.branches[0], parts=(lazy,))
    changed = dataclasses.replace(
        model, components=(*model.components[:-1], dataclasses.replace(server, branches=(branch,)))
    )
    with pytest.raises(Rejected) as caught:
        check_potential_work(changed, potential)
    assert caught.value.rule == "R-work"
    assert caught.value.where == "buffer a.r1.2"


def works(model: Model, **potential: int) -> str:
    """The first buffer for which **R-work** fails."""
    try:
        check_potential_work(model, {name: Fraction(value) for name, value in potential.items()})
    except Rejected as found:
        return found.where
    return ""


def test_r_work_needs_every_possible_next_buffer_below() -> None:
    """p = x_q1 - x_q2 / 2 - x_q3 / 4: the server may idle with q1 not empty unless q2 and q3 are counted before."""
    rows = [("A", "q1", {"q2": "1/2", "q3": "1/4"}), ("B", "q2", {}), ("B", "q3", {})]
    activities = [{"server": n, "buffer": k, "rate": "1", "next": after} for n, k, after in rows]
    buffers = [{"name": f"q{i}", "arrival_rate": "1"} for i in (1, 2, 3)]
    network = {"kind": "buffer", "servers": ["A", "B"], "buffers": buffers, "activities": activities}
    model = build(network, policy("fixed", "back-pressure"))
    assert works(model, q1=2, q2=1, q3=1) == ""
    for q2, q3 in ((2, 1), (1, 2), (3, 1), (1, 3)):
        assert works(model, q1=2, q2=q2, q3=q3) == "buffer q1"
    assert works(build(network, policy("fixed", "max-weight")), q1=1, q2=1, q3=1) == ""


def test_r_work_accepts_one_good_server_of_two() -> None:
    """A sends the jobs of q1 back half of the time to q2, B lets them go: at p_B = x_q1 > 0 it works."""
    rows = [("A", "q1", {"q2": "1/2"}), ("B", "q1", {}), ("A", "q2", {})]
    activities = [{"server": n, "buffer": k, "rate": "1", "next": after} for n, k, after in rows]
    buffers = [{"name": f"q{i}", "arrival_rate": "1"} for i in (1, 2)]
    network = {"kind": "buffer", "servers": ["A", "B"], "buffers": buffers, "activities": activities}
    assert works(build(network, policy("fixed", "back-pressure")), q1=1, q2=1) == ""
    del activities[1]
    # Without B the two facts of A together would do (p_q1 <= 0 < x_q1 only if x_q2 > 0), but the rule asks for one.
    alone = build(network, policy("fixed", "back-pressure"))
    assert (works(alone, q1=1, q2=1), works(alone, q1=2, q2=1)) == ("buffer q1", "")


def test_limits_and_successors_do_not_concern_condition_n() -> None:
    """Nothing is listed by subsets there, and jobs may go anywhere."""
    value = n_buffer()
    value["policy"]["holding"] = "spillback"
    assert check(value).accepted


def test_epsilon_needs_a_leaf() -> None:
    """Unreachable with true exclusions (they cannot exclude everything)."""
    with pytest.raises(Rejected) as caught:
        check_epsilon(Claim("fluid", Fraction(1), ""), [])
    assert caught.value.rule == "epsilon"


def test_empty_tree_of_a_piece_that_is_never_active_is_accepted() -> None:
    value = mm1_tree()
    value["test_function"]["pieces"].append({"a.r1.1": "1/2"})
    value["evidence"] = trees(value["evidence"]["trees"][0], {"empty": evidence("1", {"piece(0 - 1)": "-2"})})
    assert check(value).accepted
    value["evidence"]["trees"][1] = {"empty": evidence("1/2", {"piece(0 - 1)": "-1/2"})}
    assert check(value).rule == "exclusion"


def _numbers(value: object, path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    if isinstance(value, str):
        return [path] if value.lstrip("-")[:1].isdigit() and path[-1] not in ("server", "name") else []
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [found for key, inner in pairs for found in _numbers(inner, (*path, str(key)))]


@pytest.mark.parametrize("name", ["mm1-faces", "tandem-faces", "mm1-tree", "jsq-max", "jsr-jobs", "feedback", *NEW])
def test_network_made_worse_is_rejected(name: str) -> None:
    """Arrivals up by 1/7: every claimed epsilon is then too large, or its minimum is another."""
    value = ACCEPTED[name]()
    where = value["network"]["classes"][0] if "classes" in value["network"] else value["network"]["buffers"][0]
    where["arrival_rate"] = str(Fraction(where["arrival_rate"]) + Fraction(1, 7))
    assert check(value).rule in ("bound", "epsilon")


@pytest.mark.parametrize("name", ["tandem-faces", "jsq-max", "jsr-jobs", "dominant", "feedback", *NEW])
def test_every_changed_number_of_the_evidence_is_answered_without_fail(name: str) -> None:
    """What is still accepted is right for what it now says: a claim of the same epsilon on the same network."""
    base = ACCEPTED[name]()
    for path in _numbers(base):
        for new in ("0", "-1", "2/3", "5"):
            value = copy.deepcopy(base)
            inner = value
            for key in path[:-1]:
                inner = inner[int(key)] if isinstance(inner, list) else inner[key]
            last = int(path[-1]) if isinstance(inner, list) else path[-1]
            if inner[last] == new:
                continue
            inner[last] = new
            try:
                answer = check(value)
            except Malformed:
                continue
            if answer.accepted and path[0] not in ("network", "potential"):
                assert {"kappa", "multipliers"} & set(path), path
