"""Time limits: whatever is under way is interrupted, in the main thread by an alarm, in others by loops that look at the clock."""

from __future__ import annotations

import signal
import threading
import time

import pytest

from verify.budget import Budget, BudgetSpent, TimeIsUp, look_at_the_clock, remaining, time_limit


def busy() -> None:
    """Does nothing for ever, and swallows what searches swallow."""
    while True:
        try:
            sum(range(1000))
        except BudgetSpent:
            continue


def test_time_limit_interrupts_a_loop_that_does_not_look() -> None:
    with pytest.raises(TimeIsUp), time_limit(0.05):
        busy()


def test_time_limit_leaves_alarm_and_clock_as_they_were() -> None:
    before = signal.getsignal(signal.SIGALRM)
    with pytest.raises(TimeIsUp), time_limit(0.01):
        busy()
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    assert remaining() is None
    time.sleep(0.3)  # no alarm comes late


def test_time_limit_rings_again_for_who_does_not_hear() -> None:
    heard = []
    with pytest.raises(TimeIsUp), time_limit(0.01):
        try:
            busy()
        except TimeIsUp:
            heard.append(1)
        busy()
    assert heard == [1]


def test_time_limit_nested_the_earlier_counts() -> None:
    with pytest.raises(TimeIsUp), time_limit(0.05), time_limit(60):
        left = remaining()
        assert left is not None
        assert left < 1
        busy()
    with time_limit(60):
        with pytest.raises(TimeIsUp), time_limit(0.01):
            busy()
        assert 50 < (remaining() or 0) <= 60
        assert 50 < signal.getitimer(signal.ITIMER_REAL)[0] <= 60


def test_time_limit_in_another_thread_stops_loops_that_look() -> None:
    found: list[str] = []

    def work() -> None:
        try:
            with time_limit(0.05):
                while True:
                    look_at_the_clock()
        except TimeIsUp:
            found.append("stopped")

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(10)
    assert found == ["stopped"]


def test_budget_counts_steps() -> None:
    budget = Budget(1)
    budget.spend()
    with pytest.raises(BudgetSpent):
        budget.spend()
