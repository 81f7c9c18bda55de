"""The prover's components against the naive step functions (theory 1 and 2), on random instances and states."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from naive.assignment import shared_buffers
from naive.step import joint
from stated import Holding, Sequencing

from verify.chain.components import Alternative, Part
from verify.policies.compose import walk
from verify.policies.instance import Instance

from .moves import Here, Moves, average, naive_moves, with_dominant_piece
from .strategies import DOMINANT, WALKED, Combination, State, instances, spread_states, states

walked = pytest.mark.parametrize("kind", WALKED, ids=str)
often = settings(max_examples=12, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


def drawn(data: Any, kind: Combination, spread: bool = False) -> tuple[Instance, State, Here]:
    """An instance, a state of it, and the walk there."""
    instance = data.draw(instances(kind))
    chain = walk(instance)
    state = data.draw((spread_states if spread else states)(chain.expansion.names))
    return instance, state, Here(chain, state)


def together(alternative: Alternative, listed: list[Alternative]) -> list[Alternative]:
    """Those between which only the routing decides: arrivals of one stream, or services of one buffer."""
    return [other for other in listed if other.serves == alternative.serves]


def check_part(here: Here, part: Part, outcomes: list[Moves]) -> None:
    """(i) every outcome is an open alternative, or the uniform mixture of open alternatives between which a tie is split;
    (ii) every open alternative is an outcome, or one end of such a split.  At least one is open: guards cover the states."""
    listed = here.open(part)
    assert listed, part.name
    single = {here.moves(a) for a in listed}
    mixed = {average(here.moves(b) for b in together(a, listed)) for a in listed}
    for outcome in outcomes:
        assert outcome in single | mixed, (part.name, outcome)
    for alternative in listed:
        mixture = average(here.moves(b) for b in together(alternative, listed))
        assert here.moves(alternative) in outcomes or mixture in outcomes, alternative.name


def check_shared(here: Here, instance: Instance, state: State) -> None:
    """Several servers at one buffer: whatever a server does in an admissible assignment is an alternative that may occur there
    (where pattern cells are used at all, or no job is scarce); and where none is scarce, every open alternative is done."""
    shared, parts = shared_buffers(instance), here.parts()
    scarce = any(state[buffer] < len(servers) for buffer, servers in shared.items())
    if scarce and here.walk.cells_refused:
        return
    found = joint(instance, state)
    assert found
    for server in found[0]:
        part = parts[f"server {server}"]
        done = {None if one[server] is None else one[server].buffer for one in found}  # type: ignore[union-attr]
        possible = {None if a.serves is None else here.names[a.serves] for a in part.alternatives if here.occurs(a)}
        assert done <= possible, (server, done, possible)
        assert scarce or done == {None if a.serves is None else here.names[a.serves] for a in here.open(part)}


@walked
@given(data=st.data())
@often
def test_components_at_states_with_ties_are_the_naive_outcomes(kind: Combination, data: Any) -> None:
    instance, state, here = drawn(data, kind)
    naive = naive_moves(instance, state)
    parts = here.parts()
    if shared_buffers(instance):
        check_shared(here, instance, state)
        naive.pop("servers")
        parts = {name: part for name, part in parts.items() if not name.startswith("server ")}
    if kind.sequencing is Sequencing.DOMINANT:
        assert set(parts) == {key for key in naive if not key.startswith("server ")}
    else:
        assert list(parts) == list(naive)
    for name, part in parts.items():
        check_part(here, part, naive[name])


@pytest.mark.parametrize("kind", DOMINANT, ids=str)
@given(data=st.data())
@often
def test_dominant_branches_that_hold_are_the_maximal_pieces_with_their_naive_outcomes(
    kind: Combination, data: Any
) -> None:
    """The first branch that holds is the policy's; any other one is the policy with that piece listed first."""
    instance, state, here = drawn(data, kind)
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
            assert {here.moves(a) for a in here.open(part)} == set(naive[key]), part.name


@walked
@given(data=st.data())
@often
def test_components_at_interior_states_are_exactly_the_naive_outcomes(kind: Combination, data: Any) -> None:
    """No ties, no zeros; only where several buffers may be held, or compared, do several alternatives say the same."""
    instance, state, here = drawn(data, kind, spread=True)
    assume(not here.tie())
    if shared_buffers(instance):
        check_shared(here, instance, state)
        return
    naive = naive_moves(instance, state)
    parts = here.parts()
    for branch in here.branches():
        parts |= {part.name.partition(" / ")[2]: part for part in branch.parts}
    assert list(parts) == list(naive)
    assert len(here.branches()) == (kind.sequencing is Sequencing.DOMINANT)
    for name, part in parts.items():
        found = [here.moves(a) for a in part.alternatives if here.holds(a.guard)]
        assert found if kind.preset else set(found) == set(naive[name]), name
        assert {here.moves(a) for a in here.open(part)} == set(naive[name]), name
        if kind.preset is None and kind.holding is Holding.NONE:
            assert len(found) == len(set(found)), name
