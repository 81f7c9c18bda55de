"""The regimes of the paper's examples: values worked out by hand or by an independent step function, all exact."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from naive import transitions
from naive.dominant import pieces

from verify.conditions.evidence.nodes import Leaf, leaves
from verify.functions.explicit import geometric_template
from verify.network.model import RouteNetwork
from verify.papers.xie_jin import CASES
from verify.policies.compose import walk
from verify.studies.regimes.regimes import regimes
from verify.studies.regimes.report import Extent, Regime

from .cases import TIES_OF_EXAMPLE_2, case, report, template, with_dominance

F = Fraction


def by_depths(listed: tuple[Regime, ...], *depths: int) -> Regime:
    return next(regime for regime in listed if tuple(regime.dominant.depths.values()) == depths)


def drift_of(regime: Regime) -> Fraction:
    assert regime.active is not None
    return regime.active.drift


def test_example_1_regimes_35_all_full_dimensional() -> None:
    listed = report("paper-1-jsr").regimes
    assert len(listed) == 35
    assert {regime.extent for regime in listed} == {Extent.FULL}
    assert [regime.number for regime in listed] == list(range(35))


def test_example_1_largest_drift_of_an_active_piece() -> None:
    largest = report("paper-1-jsr").largest
    assert largest is not None
    assert drift_of(largest) == F(-81, 1024)


def test_example_1_groups_are_the_three_cases_of_the_paper() -> None:
    groups = report("paper-1-jsr").groups
    assert tuple(group.case for group in groups) == CASES
    assert [group.name for group in groups] == [case.name for case in CASES]
    assert [len(group.regimes) for group in groups] == [6, 9, 20]
    assert [group.largest and drift_of(group.largest) for group in groups] == [F(-27, 256), F(-27, 256), F(-81, 1024)]


@pytest.mark.parametrize(
    ("depths", "formula", "drift"),
    [
        ((2, 0, 0, 0), "-alpha*beta*gamma*mu_{3}", F(-27, 256)),
        ((0, 0, 1, 0), "-beta*gamma*mu_{3}", F(-9, 64)),
        ((1, 0, 2, 0), "-beta*gamma**2*(alpha*mu_{5} + mu_{1})", F(-189, 256)),
        ((2, 1, 0, 0), "beta**2*gamma*(-alpha*mu_{3} + lambda_{c1} - mu_{4})", F(-81, 1024)),
        # Both classes feed dominant routes; server 3 prefers class 2, so route 1-3 is not served there.
        (
            (2, 1, 1, 1),
            "beta**2*gamma**2*(lambda_{c1} + lambda_{c2} - mu_{2} - mu_{3} - mu_{4})",
            F(-81, 1024),
        ),
        (
            (2, 1, 0, 1),
            "beta*gamma**2*(beta*(-alpha*mu_{3} + lambda_{c1} - mu_{4}) - mu_{2})",
            F(-1971, 4096),
        ),
    ],
)
def test_example_1_formula_and_value(depths: tuple[int, ...], formula: str, drift: Fraction) -> None:
    regime = by_depths(report("paper-1-jsr").regimes, *depths)
    assert str(regime.formula) == formula
    assert drift_of(regime) == drift


def test_example_1_dominant_parts_and_bottlenecks() -> None:
    known = by_depths(report("paper-1-jsr").regimes, 2, 0, 1, 0).dominant
    assert known.classes == ("c1", "c2")
    assert known.routes == ("c1.r1", "c2.r3")
    assert known.buffers == ("c1.r1.1", "c1.r1.2", "c2.r3.1")
    assert known.bottlenecks == ("c1.r1.2", "c2.r3.1")
    assert known.servers == ("3",)


def test_example_1_worst_leaves_belong_to_the_trees() -> None:
    found = report("paper-1-jsr")
    evaluation = found.question.evaluation
    assert evaluation is not None and evaluation.epsilon is not None
    for regime, tree in zip(found.regimes, evaluation.trees, strict=True):
        bounds = [leaf.bound for leaf in leaves(tree) if isinstance(leaf, Leaf)]
        assert regime.worst is not None
        assert regime.worst.bound == max(bounds)
        assert [f"{name} = 0" for name in regime.worst.face] == [w for w in regime.worst.path if w.endswith(" = 0")]
    assert max(regime.worst.bound for regime in found.regimes if regime.worst) == -evaluation.epsilon


def test_example_1_drift_agrees_with_the_naive_step_functions() -> None:
    """Random states without empty queues in the interior of regimes: no drift above the regime's, and most attain it."""
    instance = case("paper-1-jsr")
    network, function = instance.network, instance.policy.dominance_function
    assert isinstance(network, RouteNetwork) and function is not None
    listed = pieces(network, function)
    largest: dict[int, Fraction] = {}
    generator = random.Random(20240611)
    for _ in range(250):
        state = {name: int(1 + 400 * generator.random() ** 4) for name in listed[0]}
        values = [sum((weights[name] * x for name, x in state.items()), F(0)) for weights in listed]
        best = values.index(max(values))
        if values.count(values[best]) > 1 or state["c1.r1.1"] + state["c1.r1.2"] == state["c1.r2.1"]:
            continue
        for choice in transitions(instance, state):
            drift = sum(
                (
                    rate * listed[best][name] * (target[name] - x)
                    for outcome in choice.values()
                    for rate, target in outcome
                    for name, x in state.items()
                ),
                F(0),
            )
            largest[best] = max(drift, largest.get(best, drift))
    found = report("paper-1-jsr").regimes
    assert all(drift <= drift_of(found[i]) for i, drift in largest.items())
    assert sum(drift == drift_of(found[i]) for i, drift in largest.items()) >= 15


def test_example_2_with_geometric_beta_fails_criterion_p() -> None:
    """Routes 1-2 and 1-3-5 dominant with bottleneck 1: jobs still join a dominant route (theory 11.2)."""
    instance = case("paper-2-jsr")
    assert isinstance(instance.network, RouteNetwork)
    function = geometric_template(instance.network, F(3, 4), F(3, 4), F(3, 4))
    chain = walk(with_dominance(instance, function, TIES_OF_EXAMPLE_2))
    assert chain.dominance is not None
    regime = by_depths(regimes(chain, chain.dominance, function), 1, 1, 0)
    assert drift_of(regime) == F(27, 256)
    assert str(regime.formula) == "beta**2*gamma*(lambda_{c} - mu_{1})"
    assert regime.dominant.servers == ("1",)


def test_example_2_with_slow_beta_passes_criterion_p() -> None:
    function = template(["1", "9/10", "81/100"], ["1", "4/5", "39/50"], ["1"])
    chain = walk(with_dominance(case("paper-2-jsr"), function, TIES_OF_EXAMPLE_2))
    assert chain.dominance is not None
    listed = regimes(chain, chain.dominance, function)
    assert len(listed) == 35
    # All three routes dominant, bottlenecks 1 and 5 (route 1-3-5 shares both): beta_3 (λ − μ_1 − α μ_5).
    assert drift_of(by_depths(listed, 1, 1, 2)) == F(39, 50) * (1 - F(3, 4) - F(9, 10) * F(3, 4))
    assert str(by_depths(listed, 1, 1, 2).formula) == "beta_{3}*(-alpha*mu_{5} + lambda_{c} - mu_{1})"
    assert max(drift_of(regime) for regime in listed) == by_hand_largest()


def by_hand_largest() -> Fraction:
    """beta_3 (1 − (1 + α) 3/4): all routes dominant, only 1 and 5 are bottlenecks."""
    return F(39, 50) * (1 - F(19, 10) * F(3, 4))
