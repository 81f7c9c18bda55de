"""The program of a leaf for all rates: η on vanishing forms, and prices, potentials and multipliers in every branch (theory 15).

    maximise s   subject to the rules of FORMAT.md, section 24.3, in every branch, with the left side of rates-strict at least s,

s at most the size of the drifts.  Everything is linear in (η, t, π, v, y).  Floats propose by :meth:`RatesProgram.propose`, with
only those branches in the program that need multipliers of their own; :meth:`RatesProgram.fill` answers in rationals.  Where
there is no solution, the least total violation says by its multipliers which alternatives bind, and at which rates V does not
fall.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from verify.budget import Unresolved
from verify.chain.components import Component
from verify.chain.numeric import Alive, Array, NumericWalk
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


@dataclass(frozen=True)
class _Exact:
    """Exact numbers of a branch, and the t of the servers for which they were found."""

    servers: tuple[Fraction, ...]
    margin: Fraction
    rates: BranchRates

    def covers(self, servers: Sequence[Fraction]) -> bool:
        """Do they do for these t?  All rules ask for small t."""
        return all(mine >= other for mine, other in zip(self.servers, servers, strict=True))


@dataclass
class _Columns:
    """Where the variables of a branch stand."""

    potentials: list[int]
    prices: list[int]
    multipliers: list[int]
    streams: list[list[int]] = field(default_factory=list)
    servers: list[int] = field(default_factory=list)
    strict: int = -1


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
        self._prepare()

    def _prepare(self) -> None:
        """The rules of one branch as arrays over (v, π, y).

        ``_entry``: v_e − (A'y)_C; ``_speed``: δ'π_N + (A'y)_N; ``_one``: (A'y)_1."""
        flows = self.flows
        k, n, r = len(flows.names), len(flows.servers), len(flows.rows)
        self._size = k + n + r
        self._entry_stream = np.array([c for c, listed in enumerate(flows.entries) for _ in listed], int)
        self._entry = np.zeros((len(self._entry_stream), self._size))
        row = 0
        for c, listed in enumerate(flows.entries):
            for distribution in listed:
                for target, p in distribution.items():
                    self._entry[row, target] = float(p)
                for j, line in enumerate(flows.rows):
                    self._entry[row, k + n + j] -= float(line.streams.get(c, 0))
                row += 1
        self._speed = np.zeros((n, self._size))
        self._one = np.zeros(self._size)
        for server in range(n):
            self._speed[server, k + server] = float(flows.load)
        for j, line in enumerate(flows.rows):
            for server, a in line.servers.items():
                self._speed[server, k + n + j] = float(a)
            self._one[k + n + j] = float(line.one)
        c, start = self.owners.branching, self.numeric.component_start
        self._first = int(start[c]) if c >= 0 else -1
        every = range(self._first, self.numeric.component_end[c]) if c >= 0 else [-1]
        parts = [self._parts(b) for b in every]
        self._server_parts = np.array([self._by_number(self.owners.server, listed) for listed in parts])
        self._stream_parts = np.array(self._by_number(self.owners.stream, parts[0]))
        self._slack = np.zeros(self._size)
        if flows.load == 1:
            self._slack[k : k + n] = 1.0

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
        of_streams = tops[self._stream_parts][self._entry_stream]
        of_servers = tops[self._server_parts[[b - self._first for b in branches]]]
        hollow = ~np.isfinite(of_servers).all(axis=1)  # such a branch has no point
        of_servers[hollow] = 0.0
        block = np.array(blocks)
        lost = of_servers[:, None, :] + block @ self._speed.T
        one = block @ self._one
        total = np.maximum(of_streams - block @ self._entry.T, 0.0).sum(axis=1) + np.maximum(one, 0.0)
        total = total + np.maximum(lost, 0.0).sum(axis=2)
        total = total + np.maximum(wanted + lost.sum(axis=2) + one - block @ self._slack, 0.0)
        least: Array = total.min(axis=1)
        return np.where(hollow, 0.0, least)

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
        return RatesProposed({}, np.inf, self.base, attaining, [np.zeros(self._size)])

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
    ) -> tuple[LinearProgram, dict[int, int], list[_Columns]]:
        """The program, the alternative of each row that has one, and where the branches stand."""
        program = LinearProgram()
        for _ in useful:
            program.variable(None, None)
        owners: dict[int, int] = {}
        tops: dict[int, int] = {}
        along, base = [self._data(n, exact) for n in useful], self._data(-1, exact)
        numeric = self.numeric
        columns: list[_Columns] = []
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
                self._block(program, lambda t: ({t: 1}, 0), streams, servers, margin, cap, exact=exact, elastic=elastic)
            )
        return program, owners, columns

    def _block(
        self,
        program: LinearProgram,
        level: Callable[[Any], tuple[dict[int, Any], Any]],
        streams: Sequence[Any],
        servers: Sequence[Any],
        margin: int,
        cap: Any,
        *,
        exact: bool,
        elastic: bool,
    ) -> _Columns:
        """The rules of one branch.  ``level`` makes an expression of an entry of ``streams`` and ``servers``: entries and a
        constant."""
        flows = self.flows
        number: Callable[[Fraction], Any] = (lambda a: a) if exact else float
        found = _Columns(
            [program.variable(None, None) for _ in flows.names],
            [program.variable(0, None) for _ in flows.servers],
            [program.variable(None if row.free else 0, None) for row in flows.rows],
        )

        def slack() -> dict[int, Any]:
            return {program.variable(0, None, 1): 1} if elastic else {}

        for work in flows.works:
            entries: dict[int, Any] = {found.prices[work.server]: 1, found.potentials[work.buffer]: -number(work.rate)}
            for target, p in work.following.items():
                column = found.potentials[target]
                entries[column] = entries.get(column, 0) + number(work.rate * p)
            program.row(entries, 0)
        for c, listed in enumerate(flows.entries):
            top, constant = level(streams[c])
            violated, rows = slack(), []
            for distribution in listed:
                entries = {found.potentials[target]: number(p) for target, p in distribution.items()}
                for column, row in zip(found.multipliers, flows.rows, strict=True):
                    if c in row.streams:
                        entries[column] = -number(row.streams[c])
                entries |= {column: -a for column, a in top.items()}
                rows.append(program.row(entries | violated, constant))
            found.streams.append(rows)
        total: dict[int, Any] = {}
        constants: Any = 0
        for n in range(len(flows.servers)):
            top, constant = level(servers[n])
            entries = {column: -a for column, a in top.items()}
            entries[found.prices[n]] = -number(flows.load)
            for column, row in zip(found.multipliers, flows.rows, strict=True):
                if n in row.servers:
                    entries[column] = -number(row.servers[n])
            found.servers.append(program.row(entries | slack(), constant))
            for column, a in entries.items():
                total[column] = total.get(column, 0) + a
            constants += constant
        one = {c: -number(row.one) for c, row in zip(found.multipliers, flows.rows, strict=True) if row.one}
        if one:
            program.row(one | slack(), 0)
        for column, a in one.items():
            total[column] = total.get(column, 0) + a
        if flows.load == 1:
            for column in found.prices:
                total[column] = total.get(column, 0) + 1
        if elastic:
            found.strict = program.row(total | {program.variable(0, None, 1): 1}, constants + cap / 10)
        else:
            found.strict = program.row(total | {margin: -1}, constants)
        return found

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
            self.name(b): self._rates_of(c, answer.point) for b, c in zip(self._branches(alive), columns, strict=True)
        }
        eta = {n: y for n, y in zip(useful, answer.point, strict=False) if y}
        return Filled(eta, answer.point[len(useful)], branches)

    def _with_eta(self, eta: Mapping[int, Fraction], alive: Alive) -> Filled | None:
        """The best prices, potentials and multipliers for a given η; None if some branch has none."""
        base = self._exactly_base()
        forms = [(y, self._exactly_along(n)) for n, y in eta.items()]
        numeric, branches, margins = self.numeric, {}, []
        known: list[_Exact] = []

        def top(p: int) -> Fraction:
            return max(
                base[a] + sum((y * products[a] for y, products in forms if products[a]), Fraction(0))
                for a in range(numeric.part_start[p], numeric.part_end[p])
                if alive.alternatives[a]
            )

        streams = [top(p) for p in self._stream_parts.tolist()]
        for branch in self._branches(alive):
            servers = [top(p) for p in self._server_parts[branch - self._first].tolist()]
            found = next((e for e in known if e.covers(servers)), None) or self._exactly_for(streams, servers)
            if found is None:
                return None
            known.append(found)
            margins.append(found.margin)
            branches[self.name(branch)] = found.rates
        return Filled(eta, min(margins), branches)

    def _exactly_for(self, streams: Sequence[Fraction], servers: Sequence[Fraction]) -> _Exact | None:
        """The best prices, potentials and multipliers for given t."""
        program = LinearProgram()
        margin = program.variable(None, Fraction(self.cap), -1)
        columns = self._block(
            program, lambda t: ({}, t), streams, servers, margin, Fraction(self.cap), exact=True, elastic=False
        )
        answer = exact_optimum(program)
        if answer is None or answer.point[margin] <= 0:
            return None
        return _Exact(tuple(servers), answer.point[margin], self._rates_of(columns, answer.point))

    def _rates_of(self, columns: _Columns, point: Sequence[Fraction]) -> BranchRates:
        """In the units of the certificate."""
        flows = self.flows
        return BranchRates(
            {n: u * point[c] for n, u, c in zip(flows.servers, flows.units, columns.prices, strict=True) if point[c]},
            {k: point[c] for k, c in zip(flows.names, columns.potentials, strict=True) if point[c]},
            {row.name: point[c] for row, c in zip(flows.rows, columns.multipliers, strict=True) if point[c]},
        )
