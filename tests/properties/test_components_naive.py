"""The prover's components against the naive step functions (THEORY 1 and 2), on random instances and states."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from verify.network.model import Instance, Routing, Sequencing
from verify.policy.compose import walk
from verify.walk.components import Alternative, Part

from .moves import Here, Moves, average, naive_moves, with_dominant_piece
from .strategies import WALKED, State, instances, label, spread_states, states

Combination = tuple[Routing, Sequencing, bool]
walked = pytest.mark.parametrize("combination", WALKED, ids=label)
often = settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


def drawn(data: Any, combination: Combination, spread: bool = False) -> tuple[Instance, State, Here]:
    """An instance, a state of it, and the walk there."""
    instance = data.draw(instances(*combination))
    chain = walk(instance)
    state = data.draw((spread_states if spread else states)(chain.expansion.names))
    return instance, state, Here(chain, state)


def together(alternative: Alternative, listed: list[Alternative]) -> list[Alternative]:
    """Those between which only the routing decides: arrivals of one stream, or services of one buffer."""
    return [other for other in listed if other.serves == alternative.serves]


def check_part(here: Here, part: Part, outcomes: list[Moves]) -> None:
    """(i) every outcome is an open alternative, or the uniform mixture of open alternatives between which a tie is split;
    (ii) every open alternative is an outcome, or one end of such a split."""
    listed = here.open(part)
    single = {here.moves(a) for a in listed}
    mixed = {average([here.moves(b) for b in together(a, listed)]) for a in listed}
    for outcome in outcomes:
        assert outcome in single | mixed, (part.name, outcome)
    for alternative in listed:
        mixture = average([here.moves(b) for b in together(alternative, listed)])
        assert here.moves(alternative) in outcomes or mixture in outcomes, alternative.name


@walked
@given(data=st.data())
@often
def test_components_at_states_with_ties_are_the_naive_outcomes(combination: Combination, data: Any) -> None:
    instance, state, here = drawn(data, combination)
    naive = naive_moves(instance, state)
    parts = here.parts()
    if combination[1] is Sequencing.DOMINANT:
        assert set(parts) == {key for key in naive if not key.startswith("server ")}
    else:
        assert list(parts) == list(naive)
    for name, part in parts.items():
        check_part(here, part, naive[name])


@pytest.mark.parametrize("combination", [c for c in WALKED if c[1] is Sequencing.DOMINANT], ids=label)
@given(data=st.data())
@often
def test_dominant_branches_that_hold_are_the_maximal_pieces_with_their_naive_outcomes(
    combination: Combination, data: Any
) -> None:
    """The first branch that holds is the policy's; any other one is the policy with that piece listed first."""
    instance, state, here = drawn(data, combination)
    branches = here.branches()
    assert branches
    first = naive_moves(instance, state)
    for number, branch in enumerate(branches):
        assert branch.piece is not None
        naive = naive_moves(with_dominant_piece(instance, branch.piece), state)
        if number == 0:
            assert naive == first
        servers = [key for key in naive if key.startswith("server ")]
        assert [part.name.partition(" / ")[2] for part in branch.parts] == servers
        for part, key in zip(branch.parts, servers, strict=True):
            found = [here.moves(a) for a in here.open(part)]
            assert Counter(found) == Counter(naive[key]), part.name


@walked
@given(data=st.data())
@often
def test_components_at_interior_states_are_exactly_the_naive_outcomes(combination: Combination, data: Any) -> None:
    """No ties, no zeros: one naive outcome for each alternative that holds, and the closed guard of idling never does."""
    instance, state, here = drawn(data, combination, spread=True)
    assume(not here.tie())
    naive = naive_moves(instance, state)
    parts = here.parts()
    for branch in here.branches():
        parts |= {part.name.partition(" / ")[2]: part for part in branch.parts}
    assert list(parts) == list(naive)
    assert len(here.branches()) == (combination[1] is Sequencing.DOMINANT)
    for name, part in parts.items():
        assert Counter(here.moves(a) for a in here.open(part)) == Counter(naive[name]), name


@walked
@given(data=st.data())
@often
def test_components_cover_every_state_also_closed(combination: Combination, data: Any) -> None:
    """Guards cover the state space: in each part some alternative is open, at every state."""
    _, _, here = drawn(data, combination)
    parts = [*here.parts().values(), *(part for branch in here.branches() for part in branch.parts)]
    assert all(here.open(part) for part in parts)
