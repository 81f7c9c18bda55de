"""The program of a leaf for all rates: η on vanishing forms, and prices, potentials and multipliers in every branch (theory 14).

    maximise s   subject to the rules of FORMAT.md, section 24.3, in every branch, with the left side of rates-strict at least s,

s at most the size of the drifts.  Everything is linear in (η, t, π, v, y).  Floats propose by :meth:`RatesProgram.propose`, with
only those branches in the program that need multipliers of their own; :meth:`RatesProgram.fill` answers in rationals.  Where
there is no solution, the least total violation says by its multipliers which alternatives bind, and at which rates V does not
fall.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from verify.budget import Unresolved
from verify.chain.components import Component
from verify.chain.numeric import Alive, Array, NumericWalk
from verify.conditions.evidence.branch_rules import BlockColumns, BranchRules, ExactBlock
from verify.conditions.evidence.correction import BoundProgram, Proposed
from verify.conditions.evidence.nodes import BranchRates
from verify.conditions.evidence.rate_flows import RateFlows
from verify.linear_form import LinearForm
from verify.lp.approx import propose
from verify.lp.exact import exact_optimum
from verify.lp.model import LinearProgram, Status
from verify.rational import DENOMINATORS, nearby

#: Violations this small (relative to the sizes of the drifts) are none, in floats.
_CLOSE = 1e-9
#: So many branches are added to a program at a time.
_MORE = 3
#: The name of the only branch where no component follows pieces.
ONLY = "all"


@dataclass(frozen=True, eq=False)
class Proportions:
    """Rates that a program proposes: arrivals by stream, speeds by server, in the units of the flows."""

    arrivals: Sequence[float]
    speeds: Sequence[float]


@dataclass(frozen=True, eq=False)
class RatesProposed(Proposed):
    """``bound``: −s if there is a solution with s > 0, else the least violation; ``blocks``: potentials, prices and multipliers
    of the branches in the program, each an array; ``rates``: for each of them the rates at which it fails."""

    blocks: Sequence[Array] = ()
    rates: Sequence[Proportions] = ()


@dataclass(frozen=True)
class Filled:
    """Exact numbers of a leaf."""

    eta: Mapping[int, Fraction]
    margin: Fraction
    branches: Mapping[str, BranchRates]


class Owners:
    """Whose each part is: ``stream`` and ``server`` its number, −1 where it is of the other kind; ``branching``: the component
    whose branches follow pieces of a dominance function, −1 if there is none."""

    def __init__(self, components: Sequence[Component], flows: RateFlows):
        self.stream: list[int] = []
        self.server: list[int] = []
        self.branching = -1
        for number, component in enumerate(components):
            for branch in component.branches:
                if branch.piece is not None:
                    self.branching = number
                for part in branch.parts:
                    self.server.append(flows.servers.index(part.server) if part.server else -1)
                    self.stream.append(-1 if part.server else flows.streams.index(component.name))


class RatesProgram(BoundProgram):
    """The programs of the leaves of one piece.

    Parameters: ``numeric`` of the normalised chain, ``components`` of it, ``flows``, ``weights`` the piece w_i, ``piece`` its
    number.
    """

    def __init__(
        self, numeric: NumericWalk, components: Sequence[Component], flows: RateFlows, weights: LinearForm, piece: int
    ):
        super().__init__(numeric, weights, piece)
        self.flows, self.owners = flows, Owners(components, flows)
        # A power of two that no combination of weights and rates is likely to be: then bases in floats are those of rationals.
        self.cap = 2.0 ** math.floor(math.log2(float(np.abs(self.base).max(initial=0.0)) or 1.0) - 3)
        self._along_lists: dict[tuple[int, bool], list[Any]] = {}
        self.rules = BranchRules(flows)
        c, start = self.owners.branching, numeric.component_start
        self._first = int(start[c]) if c >= 0 else -1
        every = range(self._first, numeric.component_end[c]) if c >= 0 else [-1]
        parts = [self._parts(b) for b in every]
        self._server_parts = np.array([self._by_number(self.owners.server, listed) for listed in parts])
        self._stream_parts = np.array(self._by_number(self.owners.stream, parts[0]))

    @staticmethod
    def _by_number(owner: Sequence[int], parts: Sequence[int]) -> list[int]:
        """The parts that have an owner of that kind, in the order of the owners."""
        return sorted((p for p in parts if owner[p] >= 0), key=lambda p: owner[p])

    # Shapes ----------------------------------------------------------------------------------------

    def _tops(self, values: Array, alive: Alive) -> Array:
        """The largest value of every part, −∞ where nothing is counted."""
        return np.maximum.reduceat(np.where(alive.alternatives, values, -np.inf), self.numeric.part_start)

    def _branches(self, alive: Alive) -> list[int]:
        """The counted branches of the component that follows pieces; [−1] if there is none."""
        c = self.owners.branching
        if c < 0:
            return [-1]
        numeric = self.numeric
        return [b for b in range(numeric.component_start[c], numeric.component_end[c]) if alive.branches[b]]

    def _parts(self, branch: int) -> list[int]:
        """The parts that count in a branch: its own and those of the other components."""
        numeric, c = self.numeric, self.owners.branching
        found: list[int] = []
        for number, (first, last) in enumerate(zip(numeric.component_start, numeric.component_end, strict=True)):
            listed = [branch] if number == c else range(first, last)
            for b in listed:
                found += range(numeric.branch_start[b], numeric.branch_end[b])
        return found

    def name(self, branch: int) -> str:
        """As certificates call it."""
        return ONLY if branch < 0 else self.numeric.branches[branch].name

    def shortfall(self, values: Array, alive: Alive, blocks: Sequence[Array], wanted: float) -> float:
        """How much the worst counted branch violates the rules with the best of these blocks."""
        return float(self._violations(values, alive, self._branches(alive), blocks, wanted).max())

    def _violations(
        self, values: Array, alive: Alive, branches: Sequence[int], blocks: Sequence[Array], wanted: float
    ) -> Array:
        """By how much each branch violates the rules with the best of the blocks, shape (branches,)."""
        tops = self._tops(values, alive)
        of_servers = tops[self._server_parts[[b - self._first for b in branches]]]
        hollow = ~np.isfinite(of_servers).all(axis=1)  # such a branch has no point
        of_servers[hollow] = 0.0
        found = self.rules.violations(tops[self._stream_parts], of_servers, blocks, wanted)
        return np.where(hollow, 0.0, found)

    # In floats -------------------------------------------------------------------------------------

    def propose(self, normals: Sequence[int], alive: Alive, enough: float) -> RatesProposed:
        """The best η in floats, or what is in the way."""
        useful = [n for n in normals if self.along(n).any()]
        counted = self._branches(alive)
        own = [b for b in counted if b < 0 or self.numeric.branches[b].piece == self.piece]
        chosen = own or counted[:1]
        while True:
            found = self._solve(useful, chosen, alive, elastic=False)
            if found is None or found.bound > enough:
                return self._solve(useful, chosen, alive, elastic=True) or self._nothing(alive)
            violations = self._violations(found.values, alive, counted, found.blocks, -found.bound / 2)
            missing = [
                (-violation, branch)
                for violation, branch in zip(violations, counted, strict=True)
                if violation > _CLOSE * self.scale and branch not in chosen
            ]
            if not missing:
                return found
            chosen = [*chosen, *(branch for _, branch in sorted(missing)[:_MORE])]

    def _nothing(self, alive: Alive) -> RatesProposed:
        attaining = self.numeric.attaining(self.base, alive)
        return RatesProposed({}, np.inf, self.base, attaining, [np.zeros(self.rules.size)])

    def _solve(self, useful: Sequence[int], chosen: Sequence[int], alive: Alive, elastic: bool) -> RatesProposed | None:
        program, owners, columns = self._program(useful, chosen, alive, exact=False, elastic=elastic)
        answer = propose(program)
        if answer.status is not Status.OPTIMAL:
            return None
        eta = {n: y for n, y in zip(useful, answer.point, strict=False) if abs(y) > 1e-12}
        values = self.base + sum(y * self.along(n) for n, y in eta.items())
        duals = answer.row_multipliers
        binding = [a for row, a in owners.items() if duals[row] > 1e-7]
        point = np.array(answer.point)
        blocks = [point[[*c.potentials, *c.prices, *c.multipliers]] for c in columns]
        rates = [
            Proportions(
                [sum(max(duals[row], 0.0) for row in rows) for rows in c.streams],
                [max(duals[row], 0.0) + max(duals[c.strict], 0.0) for row in c.servers],
            )
            for c in columns
        ]
        bound = max(answer.value, 2 * _CLOSE * self.scale) if elastic else answer.value
        return RatesProposed(
            eta, bound, values, binding or self.numeric.attaining(values, alive), blocks, rates if elastic else ()
        )

    def _data(self, n: int, exact: bool) -> list[Any]:
        """g_n·d_a for every alternative (the drifts of w_i if n is −1), as numbers of the kind that is asked for."""
        if (n, exact) not in self._along_lists:
            if exact:
                self._along_lists[n, exact] = self._exactly_base() if n < 0 else self._exactly_along(n)
            else:
                self._along_lists[n, exact] = (self.base if n < 0 else self.along(n)).tolist()
        return self._along_lists[n, exact]

    def _program(
        self, useful: Sequence[int], chosen: Sequence[int], alive: Alive, *, exact: bool, elastic: bool
    ) -> tuple[LinearProgram, dict[int, int], list[BlockColumns]]:
        """The program, the alternative of each row that has one, and where the branches stand."""
        program = LinearProgram()
        for _ in useful:
            program.variable(None, None)
        owners: dict[int, int] = {}
        tops: dict[int, int] = {}
        along, base = [self._data(n, exact) for n in useful], self._data(-1, exact)
        numeric = self.numeric
        columns: list[BlockColumns] = []
        cap: Any = Fraction(self.cap) if exact else self.cap
        margin = -1 if elastic else program.variable(None, cap, -1)
        for branch in chosen:
            for p in self._parts(branch):
                if p in tops:
                    continue
                tops[p] = program.variable(None, None)
                for a in range(numeric.part_start[p], numeric.part_end[p]):
                    if alive.alternatives[a]:
                        entries = {j: -products[a] for j, products in enumerate(along)}
                        owners[program.row({**entries, tops[p]: 1}, base[a])] = a
            streams: list[Any] = [0] * len(self.flows.streams)
            servers: list[Any] = [0] * len(self.flows.servers)
            for p in self._parts(branch):
                if self.owners.server[p] >= 0:
                    servers[self.owners.server[p]] = tops[p]
                else:
                    streams[self.owners.stream[p]] = tops[p]
            columns.append(
                self.rules.add(
                    program, lambda t: ({t: 1}, 0), streams, servers, margin, cap, exact=exact, elastic=elastic
                )
            )
        return program, owners, columns

    # In rationals ----------------------------------------------------------------------------------

    def fill(self, normals: Sequence[int], alive: Alive) -> Filled:
        """Exact numbers: η rounded, coarse to fine, with the program of each branch solved exactly for it; at last the whole
        program exactly.  Raises ``Unresolved``."""
        proposed = self.propose(normals, alive, 0.0)
        if proposed.bound >= 0:
            raise Unresolved
        tried: list[dict[int, Fraction]] = []
        for denominator in DENOMINATORS[:4]:
            eta = {n: y for n, y in ((n, nearby(y, denominator)) for n, y in proposed.eta.items()) if y}
            if eta not in tried:
                tried.append(eta)
                values = self.base + sum(float(y) * self.along(n) for n, y in eta.items())
                if self.shortfall(values, alive, proposed.blocks, 0.0) > self.cap and denominator < 1000:
                    continue  # far away: not worth exact programs
                found = self._with_eta(eta, alive)
                if found is not None:
                    return found
        useful = [n for n in normals if self.along(n).any()]
        program, _, columns = self._program(useful, self._branches(alive), alive, exact=True, elastic=False)
        answer = exact_optimum(program)
        if answer is None or answer.point[len(useful)] <= 0:
            raise Unresolved
        branches = {
            self.name(b): self.rules.rates_of(c, answer.point)
            for b, c in zip(self._branches(alive), columns, strict=True)
        }
        eta = {n: y for n, y in zip(useful, answer.point, strict=False) if y}
        return Filled(eta, answer.point[len(useful)], branches)

    def _with_eta(self, eta: Mapping[int, Fraction], alive: Alive) -> Filled | None:
        """The best prices, potentials and multipliers for a given η; None if some branch has none."""
        base = self._exactly_base()
        forms = [(y, self._exactly_along(n)) for n, y in eta.items()]
        numeric, branches, margins = self.numeric, {}, []
        known: list[ExactBlock] = []

        def top(p: int) -> Fraction:
            return max(
                base[a] + sum((y * products[a] for y, products in forms if products[a]), Fraction(0))
                for a in range(numeric.part_start[p], numeric.part_end[p])
                if alive.alternatives[a]
            )

        streams = [top(p) for p in self._stream_parts.tolist()]
        for branch in self._branches(alive):
            servers = [top(p) for p in self._server_parts[branch - self._first].tolist()]
            found = next((e for e in known if e.covers(servers)), None) or self.rules.exactly(
                streams, servers, Fraction(self.cap)
            )
            if found is None:
                return None
            known.append(found)
            margins.append(found.margin)
            branches[self.name(branch)] = found.rates
        return Filled(eta, min(margins), branches)
