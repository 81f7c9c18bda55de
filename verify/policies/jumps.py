"""The next jump of the chain at integer states, when a rule makes the free choices: prepared for simulation.

Rates are integers of a unit: with 64 random bits r the next jump is the one whose share of the total contains r·total / 2^64, so
that no float decides anything (a probability is off by less than total / 2^64).
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from verify.policies.integers import MOST_ENTRIES, Changes, Heights, IntegerChain


class Rule(StrEnum):
    """Which of several free choices is taken: the first, the last, or at every jump a random one."""

    FIRST = "first"
    LAST = "last"
    RANDOM = "random"


@dataclass(frozen=True, slots=True)
class Move:
    """A jump: changes of buffers, of the total, of forms (number, amount) and of the heights of U's pieces."""

    changes: Changes
    total: int
    forms: tuple[tuple[int, int], ...]
    lifts: Heights | None


@dataclass(frozen=True, slots=True)
class Entry:
    """Cumulative rates in units of 1/u, their moves, the last of them, the rate in jumps per unit of time, and the number of
    ways in which the free choices may be made."""

    cumulative: list[int]
    moves: list[Move]
    total: int
    rate: float
    ways: int


class Table:
    """Entries of the keys seen so far, under one rule."""

    def __init__(self, chain: IntegerChain, rule: Rule):
        self.chain, self.rule = chain, rule
        self.entries: dict[int, Entry] = {}
        self._others: dict[tuple[int, int], Entry] = {}
        self._moves: dict[Changes, Move] = {}

    def first(self, key: int) -> Entry:
        """The entry of a key; under ``Rule.RANDOM`` the first of its ways."""
        if len(self.entries) + len(self._others) > MOST_ENTRIES:
            self.entries.clear()
            self._others.clear()
        found = self.entries[key] = self._entry(key, 0)
        return found

    def way(self, key: int, number: int) -> Entry:
        """The entry of a key with its free choices made in one of the ways."""
        if (key, number) not in self._others:
            self._others[key, number] = self._entry(key, number)
        return self._others[key, number]

    def _entry(self, key: int, number: int) -> Entry:
        jumps: list[tuple[Changes, Fraction]] = []
        ways = 1
        for options in self.chain.decisions(key):
            if self.rule is Rule.RANDOM:
                ways *= len(options)
                number, index = divmod(number, len(options))
                jumps += options[index]
            else:
                jumps += options[0 if self.rule is Rule.FIRST else -1]
        unit = math.lcm(*(rate.denominator for _, rate in jumps))
        rates = [int(rate * unit) for _, rate in jumps]
        total = sum(rates)
        return Entry(
            list(itertools.accumulate(rates)), [self._move(changes) for changes, _ in jumps], total, total / unit, ways
        )

    def _move(self, changes: Changes) -> Move:
        if changes not in self._moves:
            amounts = dict(changes)
            steps = [sum(a * amounts.get(k, 0) for k, a in form) for form, _ in self.chain.forms]
            forms = tuple((i, step) for i, step in enumerate(steps) if step)
            lifts = self.chain.heights([amounts.get(k, 0) for k in range(self.chain.buffers)])
            self._moves[changes] = Move(changes, sum(amounts.values()), forms, lifts if lifts.any() else None)
        return self._moves[changes]
