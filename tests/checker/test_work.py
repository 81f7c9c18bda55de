"""Rules **work** and **size**: whatever is asked for, the checker answers after a counted number of steps.

Seconds are nowhere asserted; `python tests/checker/time_adversaries.py` prints them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from types import FrameType

import pytest

from verify.checker import Answer, Malformed, check_bytes
from verify.checker.core.errors import Rejected
from verify.checker.core.work import (
    FREE_STEPS,
    LARGEST_DENOMINATOR,
    STEPS_PER_BYTE,
    Work,
    common_denominator,
    exact_sum,
)

from . import adversaries, quadratic_adversaries
from .adversaries import Adversary
from .cell_examples import ACCEPTED as CELLS
from .examples import ACCEPTED, CORPUS
from .quadratic_examples import ACCEPTED as QUADRATIC

FAMILIES = adversaries.FAMILIES | quadratic_adversaries.FAMILIES


@contextmanager
def counted_calls() -> Iterator[list[int]]:
    """The number of calls of functions, built-in ones included, while it is open."""
    calls = [0]

    def count(frame: FrameType, event: str, argument: object) -> None:
        calls[0] += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        yield calls
    finally:
        sys.setprofile(None)


def answer(one: Adversary) -> Answer | None:
    """None: malformed."""
    try:
        return check_bytes(one.certificate, one.beside, network_format=one.network_format)
    except Malformed:
        return None


def word(found: Answer | None) -> str:
    return "malformed" if found is None else "accepted" if found.accepted else found.rule


@pytest.mark.parametrize("size", [3, 12, 40, 150])
@pytest.mark.parametrize("family", FAMILIES)
def test_adversary_has_the_right_answer_within_the_steps(family: str, size: int) -> None:
    one = FAMILIES[family](size)
    found = answer(one)
    assert word(found) in one.answers, found
    limit = FREE_STEPS + STEPS_PER_BYTE * len(one.certificate)
    assert found is None or found.rule == "work" or found.steps <= limit


@pytest.mark.parametrize("family", FAMILIES)
def test_adversary_is_answered_with_as_many_calls_as_are_counted(family: str) -> None:
    """Nothing is done in large numbers that is not counted: calls per step and per byte are few."""
    one = FAMILIES[family](30)
    with counted_calls() as calls:
        found = answer(one)
    reading = 6 * len(one.certificate) + 40 * len(one.beside or b"")
    assert calls[0] <= 2000 + reading + (0 if found is None else found.steps)


@pytest.mark.parametrize("name", ACCEPTED | CELLS | QUADRATIC)
def test_corpus_takes_few_of_the_steps(name: str) -> None:
    """Small certificates are far from the limit."""
    found = check_bytes((CORPUS / "accepted" / f"{name}.json").read_bytes())
    assert found.accepted
    assert 0 < found.steps < FREE_STEPS // 100


def test_work_of_more_bytes_is_more() -> None:
    work = Work(1000)
    work.spend(FREE_STEPS + 1000 * STEPS_PER_BYTE, "all")
    with pytest.raises(Rejected) as caught:
        work.spend(1, "one more")
    assert (caught.value.rule, caught.value.where) == ("work", "one more")


def test_common_denominator_up_to_the_limit() -> None:
    assert common_denominator([4, 6]) == 12
    assert common_denominator([LARGEST_DENOMINATOR]) == LARGEST_DENOMINATOR
    with pytest.raises(Rejected) as caught:
        common_denominator([LARGEST_DENOMINATOR, 3])
    assert caught.value.rule == "size"


@pytest.mark.parametrize("numbers", [[], [Fraction(1, 2)], [Fraction(1, 2), Fraction(-1, 3), Fraction(5)]])
def test_exact_sum_is_the_sum(numbers: list[Fraction]) -> None:
    assert exact_sum(numbers) == sum(numbers, Fraction(0))
