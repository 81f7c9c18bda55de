"""The counter-examples of theory 10.1, by their balance equations."""

from __future__ import annotations

from fractions import Fraction

from verify.studies.bounds.ladder import Descent

F = Fraction


def falling(level: Fraction) -> Descent:
    """Drift −1 above the level, steps of 1 upwards at rate 1: what all three would have."""
    return Descent(level, F(1), F(1), F(1), F(1), F(1), F(1), F(3), unit=F(1))


def test_long_jumps_down_make_a_heavy_tail_in_spite_of_the_drift() -> None:
    law = [F(1, (n + 1) * (n + 2)) for n in range(2000)]
    assert all(law[n] * (1 + F(2, n)) == law[n - 1] for n in range(1, 2000))
    assert law[0] == F(1, 2)
    assert law[0] * 1 == sum(p * F(2, n) for n, p in enumerate(law) if n) + F(1, 2000 * 2001)  # the rest, telescoping
    assert all(1 - sum(law[:n]) == F(1, n + 1) > falling(F(0)).ratio ** (n - 1) for n in range(4, 100))


def test_climb_from_below_the_level_counts() -> None:
    law = [F(1, 11), *(F(10, 11) / 2**n for n in range(1, 60))]
    assert law[0] * 10 == 2 * law[1]
    assert all(law[n] * 1 == 2 * law[n + 1] for n in range(1, 59))
    assert 1 - law[0] > falling(F(0)).ratio
    assert 1 - law[0] <= F(10) / (10 + 1)


def test_two_servers_fall_above_one_job_only() -> None:
    law = [F(1, 3), *(F(2, 3) / 2**n for n in range(1, 60))]
    assert law[0] == law[1]
    assert all(law[n] == 2 * law[n + 1] for n in range(1, 59))
    assert 1 - law[0] == F(2, 3) > falling(F(0)).ratio
    assert 1 - law[0] - law[1] == F(1, 3) <= falling(F(1)).ratio
