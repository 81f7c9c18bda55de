"""What ``--of`` may name, and what is said of what it may not."""

from __future__ import annotations

from fractions import Fraction

import pytest
from catalogue.networks import case, parallel_text, read

from studies.bounds.networks import FEEDBACK, TWO_CLASSES, series
from verify.errors import InputError
from verify.linear_form import LinearForm
from verify.studies.bounds.objective import objective


@pytest.mark.parametrize("text", ["total", "a"])
def test_objective_of_everything_has_the_arrival_rate_of_littles_law(text: str) -> None:
    found = objective(series(), text)
    assert found.of == LinearForm({0: Fraction(1), 1: Fraction(1)})
    assert (found.rate, found.time, found.time_of(Fraction(3, 2))) == (
        Fraction(1),
        "mean time in system",
        Fraction(3, 2),
    )


def test_objective_of_a_class_has_the_buffers_and_the_rate_of_the_class() -> None:
    found = objective(read(TWO_CLASSES), "b")
    assert (found.of, found.rate, found.words) == (LinearForm.unit(1), Fraction(1, 4), "the number of jobs of class b")


@pytest.mark.parametrize("text", ["a.r.2", "a.2"])
def test_objective_of_a_buffer_takes_the_names_of_network_files(text: str) -> None:
    found = objective(series(), text)
    assert (found.of, found.words, found.rate) == (LinearForm.unit(1), "the number of jobs in a.r.2", Fraction(1))


def test_objective_of_a_buffer_with_feedback_counts_visits() -> None:
    """a = 1 + a/4: a visit takes three quarters of the time in system."""
    found = objective(read(FEEDBACK), "q")
    assert (found.rate, found.time) == (Fraction(4, 3), "mean time of a visit")


def test_objective_under_jsq_has_pairs_and_no_time_of_a_visit() -> None:
    instance = read(parallel_text("jsq", 1, (1, 1)))
    assert objective(instance, "a@2").of == LinearForm.unit(1)
    assert objective(instance, "a@2").rate is None
    assert objective(instance, "a").of == LinearForm({0: Fraction(1), 1: Fraction(1)})
    assert objective(case("paper-2-jsq-as"), "c.r1.1").rate is None


def test_objective_of_weights_is_exact_and_has_no_time() -> None:
    found = objective(series(), "a.r.1=0.5, a.2=-1/3")
    assert found.of == LinearForm({0: Fraction(1, 2), 1: Fraction(-1, 3)})
    assert (found.rate, found.time_of(Fraction(1))) == (None, None)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("b", "--of: expected total, a buffer, a class or weights (total, a, a.r.1, a.r.2), got 'b'"),
        ("totel", "got 'totel' (did you mean 'total'?)"),
        ("", "got ''"),
        ("c=1", "--of: expected a buffer (a.r.1, a.r.2), got 'c'"),
        ("a.r.1=1,a.r.2", "--of: expected BUFFER=WEIGHT, ..., got 'a.r.2'"),
        ("a.r.1=1,", "--of: expected BUFFER=WEIGHT, ..., got ''"),
        ("a.r.1=", "--of a.r.1: expected an exact number, got an empty string"),
        ("a.r.1=1e3", "--of a.r.1: expected"),
        ("a.r.1=1/0", "--of a.r.1: expected"),
        ("a.r.1=1,a.1=2", "--of: expected each buffer once, got a.r.1 twice"),
        ("a.r.1=0", "--of: expected a weight that is not 0, got 'a.r.1=0'"),
    ],
)
def test_objective_that_is_none_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError) as refusal:
        objective(series(), text)
    assert message in str(refusal.value)
