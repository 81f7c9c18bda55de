"""Pieces fitted by counterexamples: what they prove, what they must not, and what polishing gains."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from catalogue.networks import case

from verify.budget import Budget, BudgetSpent
from verify.conditions.condition import Verdict
from verify.decide import Request, decide
from verify.functions.piecewise import PiecewiseLinear
from verify.methods.programs.alternating import rounded
from verify.methods.programs.counterexamples import fitted_pieces
from verify.methods.registry import method
from verify.policies.compose import walk


@pytest.mark.parametrize("name", ["paper-1-jsq", "paper-2-jsq-over"])
def test_counterexamples_no_pieces_for_a_network_that_diverges(name: str) -> None:
    """Inside capacity, unstable by condition U."""
    assert fitted_pieces(walk(case(name)), Budget(400)) is None


def test_counterexamples_pieces_that_round_to_nothing_are_dropped() -> None:
    weights = np.array([[1.0, 0.5], [0.0004, 0.0], [1.0, 0.5001]])
    coarse, fine = rounded(weights, 12), rounded(weights, 10**6)
    assert coarse is not None
    assert fine is not None
    assert coarse == PiecewiseLinear.of({0: Fraction(1), 1: Fraction(1, 2)})
    assert len(fine) == 3
    assert rounded(np.array([[1.0, 0.01]]), 12) is None


def test_counterexamples_polishing_gains() -> None:
    chain = walk(case("back-pressure-line"))
    plain, polished = fitted_pieces(chain, Budget(400), polish=False), fitted_pieces(chain, Budget(400))
    assert plain is not None
    assert polished is not None
    assert polished.epsilon > plain.epsilon


def test_counterexamples_work_under_a_dominance_function() -> None:
    instance = case("paper-1-jsr")
    decision = decide(instance, Request(method("lp"), polish=False))
    assert decision.method == "lp"
    assert decision.verdict is Verdict.STABLE


def test_counterexamples_time_limit_is_said() -> None:
    decision = decide(case("back-pressure-line"), Request(time_limit=1e-9))
    assert decision.verdict is Verdict.UNDECIDED
    assert [attempt.reason for attempt in decision.attempts] == [
        "the time limit of 1e-09 s was reached, during: condition N"
    ]


def test_counterexamples_budget_is_kept() -> None:
    instance = case("back-pressure-line")
    with pytest.raises(BudgetSpent):
        fitted_pieces(walk(instance), Budget(5))
