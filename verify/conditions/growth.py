"""Condition U: the network grows (theory 6; ``verify/checker/FORMAT.md``, sections 15 and 18).

V(x) = w·x + h(x), h constant on pattern cells.  In every cell that can be reached from the empty network and on which V is not
known to be at most v_0, under every choice, the drift of V is at least ε > 0, with the worst possible target cell of every
jump.  A path from 0, possible under every choice, leads to V > max(v_0, V(0)).  Then the chain started empty leaves for ever
with positive probability.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from verify.chain.cells import Cell, Cells
from verify.chain.components import Alternative, Component
from verify.chain.guards import sign_of
from verify.conditions.condition import Condition
from verify.conditions.evidence import encode
from verify.conditions.evidence.cell_function import CellFunction
from verify.conditions.evidence.cellwise import Here, lowest
from verify.conditions.evidence.nodes import Corrector
from verify.conditions.proof import Proof, Scope
from verify.conditions.words import MODEL, NETWORK, by_buffer, policy_words
from verify.linear_form import LinearForm
from verify.policies.compose import Walk
from verify.policies.instance import Instance
from verify.policies.orders import order_words
from verify.rational import decimals, text

#: Longest path of (U1) that is looked for.
_LONGEST_PATH = 20000


@dataclass(frozen=True)
class Step:
    """A jump, ``times`` times in a row."""

    change: LinearForm
    times: int


@dataclass(frozen=True)
class Growth:
    """Evidence for condition U: ``walk`` the chain that grows (that of the witness, if there is one).

    ``witness``: server -> buffers, a priority; ``server_order``: buffer -> servers; None where the witness orders nothing."""

    walk: Walk
    cells: Cells
    weights: LinearForm
    h: Mapping[Cell, Fraction]
    v0: Fraction
    epsilon: Fraction
    path: tuple[Step, ...]
    witness: Mapping[str, tuple[str, ...]] | None = None
    server_order: Mapping[str, tuple[str, ...]] | None = None


def evaluate_growth(
    walk: Walk, cells: Cells, places: Sequence[Here], weights: LinearForm, h: Mapping[Cell, Fraction]
) -> Growth | None:
    """Exact evidence for these weights and this h, or None: some cell does not grow, or no path was found."""
    start = h.get(cells.cell_of({}), Fraction(0))
    tops = [_upper(cells, place.cell, weights, h) for place in places]
    finite = (top for place, top in zip(places, tops, strict=True) if cells.is_finite(place.cell) and top is not None)
    v0 = max(start, *finite, start)
    needed = [
        lowest(place, weights, h) for place, top in zip(places, tops, strict=True) if top is None or top > v0
    ]  # where V is known to be at most v_0 nothing is asked
    if not needed or min(needed) <= 0:
        return None
    path = climb(walk.components, cells, weights, h, v0)
    return None if path is None else Growth(walk, cells, weights, h, v0, min(needed), path)


def _upper(cells: Cells, cell: Cell, weights: LinearForm, h: Mapping[Cell, Fraction]) -> Fraction | None:
    """V is at most this in the cell; None: no bound."""
    high = cells.interval(weights, cell).high if weights else Fraction(0)
    return None if high is None else high + h.get(cell, Fraction(0))


def climb(
    components: Sequence[Component], cells: Cells, weights: LinearForm, h: Mapping[Cell, Fraction], v0: Fraction
) -> tuple[Step, ...] | None:
    """A path from 0 of jumps that are sure to be possible, always the one that raises w·x most, until V > v_0 and V > V(0)."""
    state: dict[int, int] = {}
    steps: list[Step] = []
    goal = max(v0, h.get(cells.cell_of({}), Fraction(0)))
    height = Fraction(0)
    for _ in range(_LONGEST_PATH):
        if height + h.get(cells.cell_of(state), Fraction(0)) > goal:
            return tuple(steps)
        options = list(sure_jumps(components, state))
        if not options:
            return None
        best = max(options, key=lambda change: _gain(weights, change))
        if _gain(weights, best) <= 0:
            return None
        height += _gain(weights, best)
        for k, amount in best.items():
            state[k] = state.get(k, 0) + int(amount)
        if steps and steps[-1].change == best:
            steps[-1] = Step(best, steps[-1].times + 1)
        else:
            steps.append(Step(best, 1))
    return None


def _gain(weights: LinearForm, change: LinearForm) -> Fraction:
    return weights.at(change)


def sure_jumps(components: Sequence[Component], state: Mapping[int, int]) -> Iterator[LinearForm]:
    """Jumps that have positive probability whatever is chosen: in some component, for each buffer that may be served (all
    arrivals together), some alternative with exactly this jump.  Ties of routing are split uniformly."""
    exact = {k: Fraction(x) for k, x in state.items() if x}
    for component in components:
        groups: dict[int | None, list[Alternative]] = {}
        for branch in component.branches:
            for part in branch.parts:
                for a in part.alternatives:
                    if _occurs(a, exact):
                        groups.setdefault(a.serves if a.jumps else -1, []).append(a)
        if not groups:
            continue
        listed = [[jump.change for a in group for jump in a.jumps] for group in groups.values()]
        for change in listed[0]:
            if all(change in changes for changes in listed[1:]):
                yield change


def _occurs(alternative: Alternative, state: Mapping[int, Fraction]) -> bool:
    """Exactly at this state, as its guard is written."""
    if alternative.serves is not None and state.get(alternative.serves, 0) < alternative.least:
        return False
    return all(
        value <= alternative.spare[normal] if normal in alternative.spare else bool(sign_of(value) & signs)
        for normal, signs in alternative.guard.items()
        for value in (normal.at(state),)
    )


@dataclass(frozen=True)
class GrowthProof(Proof):
    """``instance``: the class that was asked about; ``found``: the growth of its chain, or of a witness's."""

    instance: Instance
    found: Growth
    condition: Condition = Condition.GROWTH

    @property
    def epsilon(self) -> Fraction:  # type: ignore[override]
        """How fast V grows."""
        return self.found.epsilon

    @property
    def scope(self) -> Scope:
        """One witness, or all of the class."""
        return Scope.WITNESS if self.orders else Scope.CLASS

    @property
    def function(self) -> CellFunction:  # type: ignore[override]
        """w·x + h(x), h perhaps 0."""
        return CellFunction(self.found.weights, Corrector(self.found.cells, self.found.h))

    @property
    def names(self) -> Sequence[str]:
        """The buffers."""
        return self.found.walk.expansion.names

    @property
    def corrected(self) -> bool:
        """Is h more than 0?"""
        return bool(self.found.h)

    @property
    def orders(self) -> Mapping[str, Mapping[str, Sequence[str]]]:
        """What the witness orders."""
        listed = {"priority": self.found.witness, "server_order": self.found.server_order}
        return {key: order for key, order in listed.items() if order is not None}

    def claim(self) -> str:
        """Of which policies, and how fast."""
        never = f"{NETWORK}, started empty, with positive probability never becomes empty again under"
        rate = f"(condition U, growth rate of V at least {self.epsilon})"
        policy = policy_words(self.instance, uniform=True)
        witness = _witness_words(self.instance, self.found)
        if not witness:
            return f"UNSTABLE: {never} every adapted policy with {policy} {rate}. {MODEL}"
        return (
            f"UNSTABLE: for one witness policy, so that its class is not globally stable: {never} {witness} {rate}; "
            f"the class: policies with {policy}. {MODEL}"
        )

    def evidence(self) -> dict[str, Any]:
        """V, v_0, the path, the witness."""
        names = self.found.walk.expansion.names
        result: dict[str, Any] = {
            "pieces": [encode.by_buffer(self.found.weights, names)],
            "corrector": encode.corrector(self.function.corrector),
            "v0": text(self.found.v0),
            "path": [_step(step, names) for step in self.found.path],
        }
        for key, order in (("witness", self.found.witness), ("witness_server_order", self.found.server_order)):
            if order is not None:
                result[key] = {name: list(listed) for name, listed in order.items()}
        return result

    def summary(self) -> Iterator[str]:
        """V, its growth rate, and the witness."""
        found = self.found
        shown = self.function.words(self.names)
        yield f"proof: condition U by {shown}; growth rate >= {decimals(found.epsilon)}"
        if witness := _witness_words(self.instance, found):
            yield f"witness: one policy of the class diverges, {witness}; others may be stable"


def _step(found: Step, names: Sequence[str]) -> dict[str, Any]:
    """A jump of a path, with how often it is taken."""
    change = encode.by_buffer(found.change, names)
    return change if found.times == 1 else {"change": change, "times": text(found.times)}


def _witness_words(instance: Instance, found: Growth) -> str:
    """What a witness orders, "" if there is none."""
    listed = []
    if found.witness is not None:
        listed.append(f"sequencing priority {order_words(instance.network.servers, found.witness)}")
    if found.server_order is not None:
        listed.append(f"server order {by_buffer(instance, found.server_order)}")
    return ", ".join(listed)
