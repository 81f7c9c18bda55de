"""The two theorems on jumps, by hand, and logarithms from above."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from verify.studies.bounds.ladder import Descent, bgt_bound, common_unit
from verify.studies.bounds.logarithm import log_above

F = Fraction
#: f in steps of 1/2, up by 1 at rate 3, down by 3/2; A = 3·1·(3/2)/2 + 4·(3/2)·1/2.
BY_HAND = Descent(
    F(2), F(3), rise=F(1), drop=F(3, 2), climb=F(3), up_rate=F(3), square=F(21, 4), second=F(12), unit=F(1, 2)
)


def test_ratio_step_and_means_by_hand() -> None:
    assert (BY_HAND.ratio, BY_HAND.step) == (F(1, 2), F(2))
    assert (BY_HAND.tail_mean, BY_HAND.square_mean, BY_HAND.mean) == (F(4), F(15, 4), F(15, 4))


@pytest.mark.parametrize(
    ("value", "steps"), [("0", 0), ("2", 0), ("21/10", 1), ("5/2", 1), ("4", 1), ("41/10", 2), ("9/2", 2), ("13/2", 3)]
)
def test_steps_on_a_lattice_count_from_the_first_value_above_the_level(value: str, steps: int) -> None:
    assert BY_HAND.steps(F(value)) == steps


@pytest.mark.parametrize(("value", "steps"), [("2", 0), ("21/10", 1), ("9/2", 1), ("46/10", 2), ("7", 2), ("71/10", 3)])
def test_steps_without_a_lattice_are_of_both_jumps(value: str, steps: int) -> None:
    smooth = Descent(F(2), F(3), F(1), F(3, 2), F(3), F(3), F(21, 4), F(12))
    assert smooth.step == F(5, 2)
    assert smooth.steps(F(value)) == steps


def test_decay_by_hand() -> None:
    # z = 1 + 2·(1/2)·3·1/12 = 5/4, and U(z + 1)/(2(1 − σ)γ) = 3·(9/4)/3.
    found = BY_HAND.decay(F(1, 2))
    assert (found.level, found.unit, found.base, found.factor) == (F(2), F(1), F(5, 4), F(9, 4))
    assert [found.above(F(v)) for v in ("2", "5/2", "15/2")] == [F(1), F(1), F(9, 4) / F(5, 4) ** 5]


def test_published_bound_is_what_its_tail_sums_to() -> None:
    found = bgt_bound(F(2), F(3), F(3, 2), F(3))
    assert (found.ratio, found.step) == (F(3, 5), F(3))
    assert found.mean == found.level + found.step * found.ratio / (1 - found.ratio) == F(13, 2)
    assert found.mean >= BY_HAND.tail_mean


def test_common_unit_divides_all_values() -> None:
    assert common_unit([F(3, 4), F(-1, 6), F(0)]) == F(1, 12)
    assert common_unit([F(0)]) == 0


@pytest.mark.parametrize(
    "number", ["1", "1000001/1000000", "3/2", "2", "7", "1023/1024", "123456789", "1000000000000000000/7"]
)
def test_log_above_is_above_and_close(number: str) -> None:
    value = F(number)
    if value < 1:
        with pytest.raises(ValueError, match="from 1 on"):
            log_above(value)
        return
    assert 0 <= float(log_above(value)) - math.log(value) < 1e-5
