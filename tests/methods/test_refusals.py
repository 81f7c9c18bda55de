"""When a method does not apply: one or two words for a table, a sentence for a person, and whether it was tried at all."""

from __future__ import annotations

import dataclasses

import pytest
from catalogue.networks import case, line_text, parallel_text, read, single_text

from verify.conditions.criterion import Criterion
from verify.methods import registry
from verify.methods.method import Problem, Refusal, Why
from verify.policies.instance import Instance

JSQ = read(parallel_text("jsq", 1, (1, 1)))
WIDE = read(parallel_text("jsr", 1, (1,) * 8))
FOUR = read(line_text("1212", ["1/5"] * 4, "fbfs"))
DEMANDS = "the Down-Meyn program needs a work-conserving policy, fixed or random routing, one server per buffer"
AT_MOST_THREE = "condition H is searched for at most three buffers, with (R)"


@pytest.mark.parametrize(
    ("name", "instance", "refusal"),
    [
        ("down-meyn", JSQ, Refusal("routing", DEMANDS)),
        ("down-meyn", read(line_text("12", ("1/2", "1/2"), "back-pressure")), Refusal("policy", DEMANDS)),
        ("down-meyn cycles", FOUR, Refusal("as down-meyn")),
        ("explicit", JSQ, Refusal("no routes", "the explicit template needs routes, there are none under routing jsq")),
        (
            "explicit", WIDE,
            Refusal("too large", "the explicit template would have 255 pieces, more than 120", Why.FAILED),
        ),
        ("corrected", FOUR, Refusal("too large", AT_MOST_THREE, Why.FAILED)),
        ("corrected", case("paper-1-jsr"), Refusal("policy")),
    ],
)  # fmt: skip
def test_refusal_says_why_in_a_word_and_in_a_sentence(name: str, instance: Instance, refusal: Refusal) -> None:
    assert registry.method(name).refusal(Problem(instance)) == refusal


@pytest.mark.parametrize("name", ["linear", "down-meyn", "explicit", "lp", "corrected"])
def test_single_queue_is_refused_by_no_method(name: str) -> None:
    assert registry.method(name).refusal(Problem(read(single_text("1/2")))) is None


def test_corrected_does_not_speak_of_condition_h_where_nobody_asks_for_it() -> None:
    for problem in (Problem(FOUR, alone=False), Problem(FOUR, Criterion.FLUID)):
        assert registry.method("corrected").refusal(problem) == Refusal("too large", "", Why.FAILED)
    asked = dataclasses.replace(Problem(FOUR, alone=False), criterion=Criterion.CORRECTED)
    assert registry.method("corrected").refusal(asked) == Refusal("too large", AT_MOST_THREE, Why.FAILED)
