"""What the simulator does at integer states against the naive step functions (theory 1), for every walked policy."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest
from catalogue.networks import parallel_text, read
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from properties.moves import Moves, moves, naive_moves
from properties.strategies import WALKED, Combination, instances, spread_states, states

from verify.policies.compose import Walk, walk
from verify.policies.instance import Instance
from verify.policies.integers import IntegerChain, Option
from verify.policies.jumps import Rule, Table

often = settings(max_examples=10, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


def as_moves(chain: Walk, options: Sequence[Option]) -> list[Moves]:
    """The options of one decision by names of buffers."""
    names = chain.expansion.names
    return [moves(({names[k]: c for k, c in changes}, rate) for changes, rate in option) for option in options]


def check(instance: Instance, chain: Walk, state: dict[str, int]) -> None:
    """Every decision has exactly the naive outcomes, each once; servers that share buffers, some of theirs."""
    naive = naive_moves(instance, state)
    found = IntegerChain(chain).decisions_at([state[name] for name in chain.expansion.names])
    assert len(found) == len(naive)
    for (name, outcomes), options in zip(naive.items(), found, strict=True):
        listed = as_moves(chain, options)
        assert (set(listed) <= set(outcomes) and listed) if name == "servers" else set(listed) == set(outcomes), name
        assert len(listed) == len(set(listed)), name


@pytest.mark.parametrize("kind", WALKED, ids=str)
@given(data=st.data())
@often
def test_integer_chain_at_states_with_ties_has_exactly_the_naive_outcomes(kind: Combination, data: Any) -> None:
    instance = data.draw(instances(kind))
    chain = walk(instance)
    check(instance, chain, data.draw(states(chain.expansion.names)))


@pytest.mark.parametrize("kind", WALKED, ids=str)
@given(data=st.data())
@settings(often, max_examples=3)
def test_integer_chain_at_spread_states_has_exactly_the_naive_outcomes(kind: Combination, data: Any) -> None:
    instance = data.draw(instances(kind))
    chain = walk(instance)
    check(instance, chain, data.draw(spread_states(chain.expansion.names)))


def entry_rates(table: Table, state: Sequence[int], way: int = 0) -> dict[tuple[tuple[int, int], ...], Fraction]:
    """Jump -> rate at a state."""
    chain = table.chain
    key = chain.key(chain.values(state), chain.heights(state))
    found = table.way(key, way)
    bounds = [0, *found.cumulative]
    unit = Fraction(found.total) / Fraction(found.rate)
    return {
        move.changes: (after - before) / unit
        for move, before, after in zip(found.moves, bounds, bounds[1:], strict=False)
    }


def test_table_tie_of_jsq_is_split_uniformly_and_exactly() -> None:
    table = Table(IntegerChain(walk(read(parallel_text("jsq", 3, (1, 1, 1))))), Rule.FIRST)
    half = Fraction(3, 2)
    assert entry_rates(table, (0, 4, 0)) == {((0, 1),): half, ((2, 1),): half, ((1, -1),): Fraction(1)}


FREE = """
servers = { 1 = { rate = "1" } }
classes = [
    { name = "a", arrival_rate = "1/4", routes = { r = ["1"] } },
    { name = "b", arrival_rate = "1/4", routes = { r = ["1"] } },
    { name = "c", arrival_rate = "1/4", routes = { r = ["1"] } },
]
policy = { sequencing = "non-idling" }
"""


def served(rule: Rule, state: Sequence[int], way: int = 0) -> set[int]:
    rates = entry_rates(Table(IntegerChain(walk(read(FREE))), rule), state, way)
    return {changes[0][0] for changes in rates if changes[0][1] < 0}


def test_table_free_choice_follows_the_rule() -> None:
    assert served(Rule.FIRST, (0, 2, 1)) == {1}
    assert served(Rule.LAST, (0, 2, 1)) == {2}
    assert [served(Rule.RANDOM, (0, 2, 1), way) for way in (0, 1)] == [{1}, {2}]
    assert [served(Rule.RANDOM, (1, 2, 1), way) for way in (0, 1, 2)] == [{0}, {1}, {2}]
