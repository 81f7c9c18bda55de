"""The bound by a linear V, and decimals that stay bounds."""

from __future__ import annotations

from fractions import Fraction

import pytest
from catalogue.networks import case, read, single_text
from hypothesis import given
from hypothesis import strategies as st

from studies.bounds.networks import SHARED, TWO_CLASSES, series
from verify.certificate import certificate
from verify.conditions.condition import Verdict
from verify.conditions.proof import Proof
from verify.decide import decide
from verify.linear_form import LinearForm
from verify.policies.instance import Instance
from verify.studies.bounds.decimals import down, exactly, up
from verify.studies.bounds.moment import Moment, moment
from verify.studies.bounds.objective import objective
from verify.studies.bounds.pathwise import Pathwise, pathwise


def stability(instance: Instance) -> Proof:
    found = decide(instance)
    assert found.verdict is Verdict.STABLE and found.proof is not None and certificate(found.proof)
    return found.proof


# ---- a linear V --------------------------------------------------------------------------------------------------
def test_moment_of_a_single_queue_is_the_number_by_hand() -> None:
    """V = x falls at rate 1 and K = (1 + 2)/2: 3/2, the truth being 1."""
    instance = read(single_text(1, 2))
    assert moment(stability(instance), LinearForm.unit(0)) == Moment(Fraction(3, 2), LinearForm.unit(0), Fraction(1))


def test_moment_of_two_queues_in_series_holds() -> None:
    found = moment(stability(series("1/4")), objective(series("1/4")).of)
    assert isinstance(found, Moment) and found.value >= Fraction(1, 3) + Fraction(1, 5)
    first, second = found.weights.entry(0), found.weights.entry(1)
    assert first / 2 + found.epsilon <= min(2 * (first - second), 3 * second)


def test_moment_of_one_station_with_two_classes_is_above_its_work() -> None:
    found = moment(stability(read(TWO_CLASSES)), LinearForm({0: Fraction(1, 2), 1: Fraction(1)}))
    assert isinstance(found, Moment) and found.value >= Fraction(3, 4)


def test_moment_of_a_shared_buffer_counts_both_servers_and_lets_one_work() -> None:
    """K = (1/2 + 1 + 1)/2, and one server alone lowers V at rate 1 − 1/2; the truth is 8/15."""
    instance = read(SHARED.replace("arrival_rate = 1 ", 'arrival_rate = "1/2" '))
    assert moment(stability(instance), LinearForm.unit(0)) == Moment(Fraction(5, 2), LinearForm.unit(0), Fraction(1, 2))


def test_moment_in_heavy_traffic_of_several_stations_is_none() -> None:
    assert moment(stability(series("9/10")), LinearForm.unit(0)) == "no linear V falls under each single service"
    assert moment(None, LinearForm.unit(0)) == "it needs a proof of stability"


@pytest.mark.parametrize("name", ["two-classes-visit-rates", "global-br5_12221-0", "global-tandem2-0"])
def test_moment_is_above_the_bound_by_work(name: str) -> None:
    instance = case(name)
    of = objective(instance).of
    above, below = moment(stability(instance), of), pathwise(instance, of)
    assert isinstance(above, Moment) and isinstance(below, Pathwise) and above.value >= below.value


# ---- decimals ----------------------------------------------------------------------------------------------------
@given(st.fractions())
def test_decimals_are_bounds_of_six_digits(number: Fraction) -> None:
    low, high = Fraction(down(number)), Fraction(up(number))
    assert low <= number <= high
    assert high - low <= abs(number) / 10**5


def test_decimals_of_long_numbers_are_left_to_certificates() -> None:
    assert exactly(Fraction(4, 3)) == "4/3"
    assert exactly(Fraction(10**30 + 1, 3)) == "…"
