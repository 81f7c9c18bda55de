"""The paper criterion P: the drift of the active piece inside each regime; it never decides."""

from __future__ import annotations

import functools
import random
from fractions import Fraction

import pytest
from catalogue.networks import (
    EXAMPLE_1,
    GEOMETRIC_2,
    GOOD_TIES_2,
    MAXIMUM,
    NEAR_CAPACITY_1,
    TEMPLATE_2,
    example_2_text,
    parallel_text,
)

from verify.conditions.condition import Condition
from verify.conditions.evidence.tree import TreeSearch
from verify.conditions.paper import ActiveDrift, active_drift

from .faces import active_pieces, largest_drift, question, vanishing

F = Fraction


@functools.cache
def drifts(text: str) -> tuple[ActiveDrift | None, ...]:
    chain, function = question(text)
    search = TreeSearch(chain, function, Condition.FLUID)
    return tuple(active_drift(search, i) for i in range(len(function)))


def worst(text: str) -> ActiveDrift:
    return max((found for found in drifts(text) if found is not None), key=lambda found: found.drift)


def test_example_1_has_35_regimes_with_interior_and_largest_drift_minus_81_1024() -> None:
    assert None not in drifts(EXAMPLE_1)
    assert worst(EXAMPLE_1).drift == F(-81, 1024)


def test_example_1_printed_bound_fails_where_only_route_1_3_is_dominant_to_server_3() -> None:
    """The paper prints −(3/4)³ for one dominant route; with μ_3 = 1/4 it is −γβα·μ_3 = −27/256 (theory 11)."""
    _, function = question(EXAMPLE_1)
    found = drifts(EXAMPLE_1)[function.depths.index((2, 0, 0, 0))]
    assert found is not None
    assert found.drift == F(-27, 256) > -(F(3, 4) ** 3)


def test_example_2_geometric_weights_violate_the_criterion() -> None:
    """+27/256 where routes 1→2 and 1→3→5 are dominant with bottleneck 1 (theory 11)."""
    text = example_2_text("1", GEOMETRIC_2, GOOD_TIES_2)
    _, function = question(text)
    found = worst(text)
    assert found.drift == F(27, 256)
    assert function.depths[found.piece] == (1, 1, 0)


def test_example_2_with_its_parameters_satisfies_the_criterion() -> None:
    assert worst(example_2_text("1", TEMPLATE_2, GOOD_TIES_2)).drift < 0


@pytest.mark.parametrize("arrival_rate", ["1", "19/10", "2", "5/2", "100"])
def test_maximum_under_jsq_satisfies_the_criterion_at_every_load(arrival_rate: str) -> None:
    assert worst(parallel_text("jsq", arrival_rate, (1, 1), MAXIMUM)).drift == -1


@pytest.mark.parametrize("place", [0, 1, 2])
def test_regime_without_interior_has_no_drift(place: int) -> None:
    """One of three pieces is active on the tie of the two others only, wherever it is listed."""
    pieces = ['{ "a@1" = 2 }', '{ "a@2" = 2 }']
    pieces.insert(place, '{ "a@1" = 1, "a@2" = 1 }')
    found = drifts(parallel_text("jsq", "1", (1, 1), ", ".join(pieces)))
    assert [drift is None for drift in found] == [i == place for i in range(3)]


@pytest.mark.parametrize("text", [EXAMPLE_1, NEAR_CAPACITY_1, example_2_text("1", TEMPLATE_2, GOOD_TIES_2)])
def test_drift_inside_a_regime_is_never_larger_than_found(text: str) -> None:
    """Random inner states; the cell that is named has the drift that is named."""
    chain, function = question(text)
    for found in drifts(text):
        assert found is not None
        assert sum((function.pieces[found.piece].at(a.mean_drift) for a in found.cell), F(0)) == found.drift
    source = random.Random(2)
    for _ in range(40):
        state = {k: F(source.randint(1, 10**4)) for k in range(len(chain.expansion.buffers))}
        pieces = active_pieces(function, state)
        if len(pieces) == 1 and not vanishing(chain, function, state):
            bound = drifts(text)[pieces[0]]
            assert bound is not None
            assert largest_drift(chain, function.pieces[pieces[0]], state) <= bound.drift


def test_drift_inside_a_regime_is_attained() -> None:
    """Three parallel servers of different rates under jsr: random inner states meet every open cell."""
    pieces = '{ "a.r1.1" = 3, "a.r2.1" = 1 }, { "a.r1.1" = 1, "a.r3.1" = 2 }, { "a.r2.1" = 2, "a.r3.1" = 1 }'
    text = parallel_text("jsr", "1", (1, "5/2", "1/3"), pieces)
    chain, function = question(text)
    seen: dict[int, Fraction] = {}
    source = random.Random(3)
    for _ in range(400):
        state = {k: F(source.randint(1, 10**6)) for k in range(3)}
        (piece,) = active_pieces(function, state)
        seen[piece] = max(seen.get(piece, F(-100)), largest_drift(chain, function.pieces[piece], state))
    assert [seen[piece] for piece in range(3)] == [found.drift for found in drifts(text) if found is not None]
