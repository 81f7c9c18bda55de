"""The rules of FORMAT.md, section 24.3, for one branch of a leaf: as rows of a program, as arrays of floats, exactly for given t.

A *block* is an array of the branch's numbers: potentials v, prices π, multipliers y.  ``streams`` and ``servers`` are the t of
all streams and servers, in their order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from verify.chain.numeric import Array
from verify.conditions.evidence.nodes import BranchRates
from verify.conditions.evidence.rate_flows import RateFlows
from verify.lp.exact import exact_optimum
from verify.lp.model import LinearProgram


@dataclass(frozen=True)
class ExactBlock:
    """Exact numbers of a branch, and the t of the servers for which they were found."""

    servers: tuple[Fraction, ...]
    margin: Fraction
    rates: BranchRates

    def covers(self, servers: Sequence[Fraction]) -> bool:
        """Do they do for these t?  All rules ask for small t."""
        return all(mine >= other for mine, other in zip(self.servers, servers, strict=True))


@dataclass
class BlockColumns:
    """Where the variables of a branch stand."""

    potentials: list[int]
    prices: list[int]
    multipliers: list[int]
    streams: list[list[int]] = field(default_factory=list)
    servers: list[int] = field(default_factory=list)
    strict: int = -1


class BranchRules:
    """The rules for the flows of one network.

    ``size``: the length of a block.  Forms in its numbers: ``_entry``: v_e − (A'y)_C for every first buffer; ``_speed``: δ'π_N +
    (A'y)_N for every server; ``_one``: (A'y)_1; ``_slack``: Σ π where the load is only below 1."""

    def __init__(self, flows: RateFlows):
        self.flows = flows
        k, n, r = len(flows.names), len(flows.servers), len(flows.rows)
        self.size = k + n + r
        self._entry_stream = np.array([c for c, listed in enumerate(flows.entries) for _ in listed], int)
        self._entry = np.zeros((len(self._entry_stream), self.size))
        row = 0
        for c, listed in enumerate(flows.entries):
            for distribution in listed:
                for target, p in distribution.items():
                    self._entry[row, target] = float(p)
                for j, line in enumerate(flows.rows):
                    self._entry[row, k + n + j] -= float(line.streams.get(c, 0))
                row += 1
        self._speed = np.zeros((n, self.size))
        self._one = np.zeros(self.size)
        for server in range(n):
            self._speed[server, k + server] = float(flows.load)
        for j, line in enumerate(flows.rows):
            for server, a in line.servers.items():
                self._speed[server, k + n + j] = float(a)
            self._one[k + n + j] = float(line.one)
        self._slack = np.zeros(self.size)
        if flows.load == 1:
            self._slack[k : k + n] = 1.0

    def violations(self, streams: Array, servers: Array, blocks: Sequence[Array], wanted: float) -> Array:
        """By how much the best of the blocks violates the rules, with rates-strict at least ``wanted``.

        Shapes: ``streams`` (C,), ``servers`` (branches, N), the result (branches,)."""
        block = np.array(blocks)
        lost = servers[:, None, :] + block @ self._speed.T
        one = block @ self._one
        total = np.maximum(streams[self._entry_stream] - block @ self._entry.T, 0.0).sum(axis=1) + np.maximum(one, 0.0)
        total = total + np.maximum(lost, 0.0).sum(axis=2)
        total = total + np.maximum(wanted + lost.sum(axis=2) + one - block @ self._slack, 0.0)
        least: Array = total.min(axis=1)
        return least

    def add(
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
    ) -> BlockColumns:
        """The rules of one branch.  ``level`` makes an expression of an entry of ``streams`` and ``servers``: entries and a
        constant."""
        flows = self.flows
        number: Callable[[Fraction], Any] = (lambda a: a) if exact else float
        found = BlockColumns(
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

    def exactly(self, streams: Sequence[Fraction], servers: Sequence[Fraction], cap: Fraction) -> ExactBlock | None:
        """The best prices, potentials and multipliers for given t."""
        program = LinearProgram()
        margin = program.variable(None, cap, -1)
        columns = self.add(program, lambda t: ({}, t), streams, servers, margin, cap, exact=True, elastic=False)
        answer = exact_optimum(program)
        if answer is None or answer.point[margin] <= 0:
            return None
        return ExactBlock(tuple(servers), answer.point[margin], self.rates_of(columns, answer.point))

    def rates_of(self, columns: BlockColumns, point: Sequence[Fraction]) -> BranchRates:
        """In the units of the certificate."""
        flows = self.flows
        return BranchRates(
            {n: u * point[c] for n, u, c in zip(flows.servers, flows.units, columns.prices, strict=True) if point[c]},
            {k: point[c] for k, c in zip(flows.names, columns.potentials, strict=True) if point[c]},
            {row.name: point[c] for row, c in zip(flows.rows, columns.multipliers, strict=True) if point[c]},
        )
