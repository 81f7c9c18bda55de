"""Searching growth: one linear program in w, h and ε over reachable cells; thresholds grow until it succeeds (theory 9.6)."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from verify.budget import Budget
from verify.chain.cells import Cell, Cells, Feature
from verify.chain.components import time_unit
from verify.chain.guards import Normal
from verify.conditions.evidence.cellwise import Here, Move, moves, reachable
from verify.conditions.growth import Growth, evaluate_growth
from verify.linear_form import LinearForm
from verify.lp.approx import propose
from verify.lp.max_sum import Expression, MaxSum, Sense
from verify.lp.model import LinearProgram, Status
from verify.network.model import Instance, Policy, Sequencing
from verify.policies.compose import Walk, walk
from verify.rational import DENOMINATORS, nearby

#: Cells a program may have; witness orders tried at most.
_MOST_CELLS, _MOST_ORDERS = 2500, 400
#: Server orders tried for each witness priority; witnesses for which the finest plan is tried.
_MOST_TAKERS, _FEW_WITNESSES = 24, 24
#: Plans tried for each witness order (the finer ones are for policies without a choice).
_WITNESS_PLANS = 4
#: |h| stays below this many times the largest weight.
_TALLEST = 100


def destabilise(instance: Instance, budget: Budget) -> Growth | None:
    """Evidence that the network grows, under every policy of the class; where it leaves choices free, under one witness.

    Raises ``BudgetSpent``.  Not for ``dominant`` and jsq-as, which condition U does not cover, nor where cells are refused.
    """
    if instance.policy.sequencing is Sequencing.DOMINANT or instance.policy.preset is not None:
        return None
    chain = walk(instance)
    if chain.cells_refused:
        return None
    witnesses = list(itertools.islice(_witnesses(chain), _MOST_ORDERS))
    if not witnesses:
        return next((g for plan in _plans(chain) if (g := _grow(chain, plan, budget)) is not None), None)
    for plan in _plans(chain, finer=False)[:_WITNESS_PLANS]:
        everywhere = _grow(chain, plan, budget)
        if everywhere is not None:
            return everywhere
    for simple in (True, False):
        for choice in witnesses:
            witness = walk(dataclasses.replace(instance, policy=choice.policy(instance.policy)))
            for plan in _plans(witness)[:1] if simple else _witness_plans(witness, len(witnesses) <= _FEW_WITNESSES):
                found = _grow(witness, plan, budget)
                if found is not None:
                    return dataclasses.replace(found, witness=choice.priority, server_order=choice.server_order)
    return None


def _witness_plans(witness: Walk, few: bool) -> list[_Plan]:
    """Finer plans than the first; the finest too if there are few witnesses."""
    plans = _plans(witness, finer=False)[1:_WITNESS_PLANS]
    return plans + _plans(witness)[-1:] if few else plans


@dataclass(frozen=True)
class _Witness:
    """What a witness orders: priorities by server, servers by buffer; None where nothing is left free."""

    priority: Mapping[str, tuple[str, ...]] | None
    server_order: Mapping[str, tuple[str, ...]] | None

    def policy(self, policy: Policy) -> Policy:
        """One policy of the class."""
        if self.priority is not None:
            policy = dataclasses.replace(policy, sequencing=Sequencing.PRIORITY, priority=self.priority)
        if self.server_order is not None:
            policy = dataclasses.replace(policy, server_order={**policy.server_order, **self.server_order})
        return policy


def _witnesses(chain: Walk) -> Iterator[_Witness]:
    """All orders of what the policy leaves free; none for fifo, which is none of them."""
    policy, buffers = chain.instance.policy, _buffers(chain)
    if policy.sequencing is Sequencing.FIFO:
        return
    free = policy.sequencing is Sequencing.NON_IDLING and any(len(listed) > 1 for listed in buffers.values())
    names = chain.expansion.names
    shared = {names[k]: n for k, n in chain.expansion.shared.items() if names[k] not in policy.server_order}
    if not free and not shared:
        return
    takers = [
        dict(zip(shared, choice, strict=True)) or None
        for choice in itertools.islice(
            itertools.product(*(itertools.permutations(n) for n in shared.values())), _MOST_TAKERS
        )
    ]
    for priority in _orders(buffers) if free else (None,):
        for order in takers:
            yield _Witness(priority, order)


def _buffers(chain: Walk) -> Mapping[str, tuple[str, ...]]:
    names = chain.expansion.names
    return {server: tuple(names[k] for k in chain.expansion.queue(server)) for server in chain.expansion.busy_servers}


def _orders(buffers: Mapping[str, tuple[str, ...]]) -> Iterator[Mapping[str, tuple[str, ...]]]:
    """Static priorities: last buffers first at the front (virtual stations starve their servers), then all orders while they
    are few."""
    backwards = {server: tuple(reversed(listed)) for server, listed in buffers.items()}
    number = math.prod(math.factorial(len(listed)) for listed in buffers.values())
    yield backwards
    if number > _MOST_ORDERS:
        for server in buffers:
            yield {**backwards, server: buffers[server]}
            yield {**buffers, server: backwards[server]}
        return
    for choice in itertools.product(*(itertools.permutations(listed) for listed in backwards.values())):
        order = dict(zip(buffers, choice, strict=True))
        if order != backwards:
            yield order


def _grow(chain: Walk, plan: _Plan, budget: Budget) -> Growth | None:
    budget.spend()
    places = reachable(plan.cells, chain.components, _MOST_CELLS)
    return None if places is None else _fit(chain, plan, places)


@dataclass(frozen=True)
class _Plan:
    """Features to try, with or without a corrector h."""

    cells: Cells
    corrected: bool


def _plans(chain: Walk, finer: bool = True) -> list[_Plan]:
    """Emptiness patterns alone, then with h; then routing decisions resolved more and more finely."""
    return list(_all_plans(chain, finer))


def _all_plans(chain: Walk, finer: bool) -> Iterator[_Plan]:
    dimension = len(chain.coordinates)
    if dimension <= 11:
        patterns = Cells([Feature(x, 0, 1) for x in chain.coordinates], dimension)
        yield _Plan(patterns, False)
        yield _Plan(patterns, True)
    decisions = _decisions(chain)
    for threshold in (2, 3, 4):
        for size in range(1, len(decisions) + 1):
            for chosen in itertools.combinations(decisions, size):
                coordinates = sorted({k for decision in chosen for g in decision for k in g.form})
                if len(coordinates) + sum(map(len, chosen)) <= 10:
                    features = [Feature(chain.coordinates[k], 0, threshold) for k in coordinates]
                    features += [Feature(g, -1, 1) for decision in chosen for g in decision]
                    yield _Plan(Cells(features, dimension), True)
    if finer and dimension <= 6:
        yield _Plan(Cells([Feature(x, 0, 2) for x in chain.coordinates], dimension), True)


def _decisions(chain: Walk) -> list[tuple[Normal, ...]]:
    """For each component with comparisons, the compared forms."""
    found: dict[tuple[Normal, ...], None] = {}
    for component in chain.components:
        rows: dict[Normal, None] = {}
        for branch in component.branches:
            for part in branch.parts:
                for alternative in part.alternatives:
                    rows |= dict.fromkeys(g for g in alternative.guard if is_comparison(g))
        if rows:
            found[tuple(rows)] = None
    return list(found)


def is_comparison(normal: Normal) -> bool:
    """A difference with integer coefficients."""
    return len(normal.form) > 1 and all(value.denominator == 1 for value in normal.form.values())


class _Program:
    """maximise ε: in every infinite cell Σ_components min_alternatives of the drift of w·x + h is at least ε.

    ε and all rates are multiples of ``unit``."""

    def __init__(self, chain: Walk, plan: _Plan, places: Sequence[Here]):
        self.unit = time_unit(move.alternative for place in places for move in moves(place))
        self.program = LinearProgram()
        self.epsilon = self.program.variable(None, 10, -1)
        self.weights = [self.program.variable(-1, 1) for _ in chain.coordinates]
        self.h = {place.cell: self.program.variable(-_TALLEST, _TALLEST) for place in places} if plan.corrected else {}
        for place in places:
            if not plan.cells.is_finite(place.cell):
                self._add(place)

    def _add(self, place: Here) -> None:
        total = Expression({self.epsilon: Fraction(-1)})
        rows: MaxSum[Move] = MaxSum(self.program, lambda move: self._drift(rows, move, place.cell), Sense.MINIMA)
        rows.add(place.components, total)
        rows.bound(total)

    def _drift(self, rows: MaxSum[Move], move: Move, cell: Cell) -> Expression:
        row = Expression({self.weights[k]: value / self.unit for k, value in move.alternative.mean_drift.items()})
        if self.h:
            for leap in move.leaps:
                rate = leap.rate / self.unit
                least = rows.extreme([self.h[target] for target in leap.targets if target in self.h])
                row.add({least: rate, self.h[cell]: -rate})
        return row


def _fit(chain: Walk, plan: _Plan, places: Sequence[Here]) -> Growth | None:
    """Solve, round, and evaluate exactly; coarse denominators first."""
    fitted = _Program(chain, plan, places)
    proposal = propose(fitted.program)
    if proposal.status is not Status.OPTIMAL or -proposal.value < 1e-7:
        return None
    for denominator in DENOMINATORS[1:]:
        weights = LinearForm((k, nearby(proposal.point[c], denominator)) for k, c in enumerate(fitted.weights))
        h = {cell: v for cell, c in fitted.h.items() if (v := nearby(proposal.point[c], denominator))}
        found = evaluate_growth(chain, plan.cells, places, weights, h)
        if found is not None and float(found.epsilon / fitted.unit) >= -0.5 * proposal.value:
            return found
    return None
