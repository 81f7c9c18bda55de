"""Simulation of the chain in continuous time: evidence, never a verdict (conditions and methods do not import this).

A free choice is made by a rule, so that a run is one policy of the class.  States, guards, ties and the choice of the next jump
are integers (:mod:`verify.policies.integers`, :mod:`verify.policies.jumps`); only holding times are floats.  Means over time,
growth and their intervals come from independent replications.  Short runs mislead both ways: an unstable network may stay near
empty for long.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from verify.errors import InputError, NotWalked
from verify.network.messages import did_you_mean, listed, shown
from verify.network.names import buffer_aliases
from verify.policies.compose import Walk, walk
from verify.policies.instance import Instance
from verify.policies.integers import MOST_JOBS, IntegerChain
from verify.policies.jumps import Rule, Table
from verify.studies.at_hand import question_at_hand
from verify.studies.simulation.intervals import Estimate, estimate

LABEL = "simulation: evidence, never a verdict"
#: Draws made at once.
_BLOCK = 8192


# One path -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Snapshot:
    """A path so far: the clock, the number of jumps, the state, ∫ x_k dt for every buffer, the time spent empty."""

    time: float
    jumps: int
    state: tuple[int, ...]
    area: tuple[float, ...]
    empty: float


@dataclass(frozen=True)
class Path:
    """One run: snapshots at the end of its warm-up, at half of its time (or jumps) and at its end; most jobs seen at once."""

    warm: Snapshot
    half: Snapshot
    end: Snapshot
    largest: int

    @property
    def means(self) -> tuple[float, ...]:
        """Mean number of jobs in every buffer, over the time after the warm-up."""
        span = self.end.time - self.warm.time
        return tuple((b - a) / span for a, b in zip(self.warm.area, self.end.area, strict=True))

    @property
    def empty_fraction(self) -> float:
        """Fraction of the time after the warm-up with no job at all."""
        return (self.end.empty - self.warm.empty) / (self.end.time - self.warm.time)

    def growth(self, height: Callable[[Sequence[int]], float]) -> float:
        """By how much a function of the state rises per unit of time between half and end."""
        return (height(self.end.state) - height(self.half.state)) / (self.end.time - self.half.time)


class _Run:
    """A path in the making.  Exponential times have no memory: it may stop at any moment and go on."""

    def __init__(self, table: Table, seed: np.random.SeedSequence, start: Sequence[int]):
        self.table, self.source = table, np.random.PCG64(seed)
        self.state, self.total, self.largest = list(start), sum(start), sum(start)
        self.values, self.heights = table.chain.values(start), table.chain.heights(start)
        self.area, self.since = [0.0] * len(start), [0.0] * len(start)
        self.time = self.empty = 0.0
        self.jumps, self.next = 0, _BLOCK

    def _refill(self) -> None:
        """64-bit integers for jumps and for free choices; exponential times with mean 1."""
        raw = self.source.random_raw(3 * _BLOCK)
        self.picks, self.draws = raw[:_BLOCK].tolist(), raw[_BLOCK : 2 * _BLOCK].tolist()
        self.times = (-np.log1p((raw[2 * _BLOCK :] >> np.uint64(11)) * -(2.0**-53))).tolist()
        self.next = 0

    def advance(self, until: float, jumps: float) -> Snapshot:
        """On to this moment, or to this number of jumps."""
        while self.jumps < jumps and self.time < until:
            if self.next == _BLOCK:
                self._refill()
            self._stretch(until, min(jumps - self.jumps, _BLOCK - self.next))
        for k, x in enumerate(self.state):
            self.area[k] += (self.time - self.since[k]) * x
            self.since[k] = self.time
        return Snapshot(self.time, self.jumps, tuple(self.state), tuple(self.area), self.empty)

    def _stretch(self, until: float, jumps: float) -> None:
        """The inner loop over the draws at hand; long, because a call for each jump would double its time."""
        chain, entries, table = self.table.chain, self.table.entries, self.table
        state, area, since, values, heights = self.state, self.area, self.since, self.values, self.heights
        time, total, flip, low = self.time, self.total, chain.flip, (1 << chain.top) - 1
        key = chain.key(values, heights)
        for n in range(self.next, self.next + int(jumps)):
            entry = entries.get(key) or table.first(key)
            if entry.ways > 1:
                entry = table.way(key, self.draws[n] * entry.ways >> 64)
            moment = min(time + self.times[n] / entry.rate, until)
            if not total:
                self.empty += moment - time
            time, self.next = moment, n + 1
            if time == until:
                break
            self.jumps += 1
            move = entry.moves[bisect_right(entry.cumulative, self.picks[n] * entry.total >> 64)]
            for k, amount in move.changes:
                area[k] += (time - since[k]) * state[k]
                since[k] = time
                state[k] += amount
            total += move.total
            if total > self.largest:
                self.largest = total
            for i, amount in move.forms:
                old = values[i]
                new = values[i] = old + amount
                if old * new <= 0:
                    key ^= flip(i, old, new)
            if move.lifts is not None:
                heights += move.lifts
                key = key & low | int(heights.argmax()) << chain.top
        self.time, self.total = time, total


def simulate(
    chain: Walk,
    *,
    seed: int | np.random.SeedSequence,
    horizon: float | None = None,
    jumps: int | None = None,
    start: Mapping[str, int] | None = None,
    rule: Rule = Rule.FIRST,
    warm_up: float = 0.0,
    table: Table | None = None,
) -> Path:
    """One run.

    Parameters: ``seed`` fixes it; exactly one of ``horizon`` (> 0, time) and ``jumps`` (>= 2); ``start``: jobs by buffer (any of
    its names), others empty; ``rule`` for free choices; ``warm_up``: the fraction (0 <= . < 1) of the run that the means leave
    out; ``table``: to share what earlier runs of the same chain and rule have prepared.  Raises ``InputError``.
    """
    _check(chain, horizon, jumps, warm_up)
    seeds = seed if isinstance(seed, np.random.SeedSequence) else _seeds(seed)
    run = _Run(table or Table(IntegerChain(chain), rule), seeds, _state(chain, start or {}))
    marks = {part: run.advance(*_limits(part, horizon, jumps)) for part in sorted({warm_up, 0.5, 1.0})}
    return Path(marks[warm_up], marks[0.5], marks[1.0], run.largest)


def _limits(part: float, horizon: float | None, jumps: int | None) -> tuple[float, float]:
    """The moment and the number of jumps at which a part of the run ends."""
    return math.inf if horizon is None else part * horizon, math.inf if jumps is None else int(part * jumps)


def _seeds(seed: int) -> np.random.SeedSequence:
    if seed < 0:
        raise InputError("seed", "a whole number >= 0", str(seed))
    return np.random.SeedSequence(seed)


def _check(chain: Walk, horizon: float | None, jumps: int | None, warm_up: float) -> None:
    if (horizon is None) == (jumps is None):
        raise InputError("horizon, jumps", "one of the two", "both" if jumps else "neither")
    if horizon is not None and not 0 < horizon < math.inf:
        raise InputError("horizon", "a time > 0", str(horizon))
    if jumps is not None and jumps < 2:
        raise InputError("jumps", "at least 2", str(jumps))
    if not 0 <= warm_up < 1:
        raise InputError("warm-up", "a fraction of the run, at least 0 and below 1", str(warm_up))
    if chain.instance.policy.remembers:
        raise InputError(
            "policy.sequencing",
            "a policy that looks at numbers of jobs only",
            chain.instance.policy.choices["sequencing"],
        )
    if not chain.expansion.streams:
        raise InputError("buffers", "an arrival rate > 0 somewhere", "none", "nothing would ever happen")


def _state(chain: Walk, start: Mapping[str, int]) -> list[int]:
    """The state with these jobs."""
    aliases = buffer_aliases(chain.instance.network, chain.expansion.coordinates)
    state = dict.fromkeys(chain.expansion.names, 0)
    for name, jobs in start.items():
        if aliases.get(name) not in state:
            raise InputError("start", f"one of the buffers {listed(state)}", shown(name), did_you_mean(name, state))
        if not 0 <= jobs <= MOST_JOBS // len(state):
            raise InputError(f"start: {name}", f"from 0 to {MOST_JOBS // len(state)} jobs", str(jobs))
        state[aliases[name]] += jobs
    return list(state.values())


# Replications ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Plan:
    """What to run: ``replications`` >= 2 runs of :func:`simulate`, and the ``confidence`` of all intervals."""

    seed: int = 1
    replications: int = 10
    horizon: float | None = None
    jumps: int | None = None
    warm_up: float = 0.2
    start: Mapping[str, int] = field(default_factory=dict)
    rule: Rule = Rule.FIRST
    confidence: float = 0.95


@dataclass(frozen=True)
class Simulation:
    """Independent paths of one chain.  ``walk``: the policy as it was run, with the dominance function if the tool chose it."""

    walk: Walk
    plan: Plan
    paths: tuple[Path, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The buffers in the order of the coordinates."""
        return self.walk.expansion.names

    def estimate(self, value: Callable[[Path], float]) -> Estimate:
        """Mean and interval of a number that every path has."""
        return estimate([value(path) for path in self.paths], self.plan.confidence)

    def jobs(self, buffer: int | None = None) -> Estimate:
        """Mean number of jobs in a buffer (a coordinate), None: in the network."""
        return self.estimate(lambda path: sum(path.means) if buffer is None else path.means[buffer])

    def growth(self, weights: Mapping[int, Fraction]) -> Estimate:
        """Growth of w·x per unit of time between half and end of the runs."""
        return self.estimate(lambda path: path.growth(lambda x: float(sum(w * x[k] for k, w in weights.items()))))

    def empty(self) -> Estimate:
        """Fraction of time with no job at all."""
        return self.estimate(lambda path: path.empty_fraction)


def replicate(chain: Walk, plan: Plan, report: Callable[[str], None] = lambda _: None) -> Simulation:
    """Independent runs, seeded from ``plan.seed``.  Raises ``InputError``."""
    if plan.replications < 2:
        raise InputError("replications", "at least 2 (intervals need them)", str(plan.replications))
    if not 0.5 <= plan.confidence <= 0.999999:
        raise InputError("confidence", "a probability between 0.5 and 0.999999", str(plan.confidence))
    table = Table(IntegerChain(chain), plan.rule)
    paths = []
    for number, seed in enumerate(_seeds(plan.seed).spawn(plan.replications), 1):
        paths.append(
            simulate(
                chain, seed=seed, horizon=plan.horizon, jumps=plan.jumps, start=plan.start, rule=plan.rule,
                warm_up=plan.warm_up, table=table,
            )
        )  # fmt: skip
        report(f"replication {number} of {plan.replications}")
    return Simulation(chain, plan, tuple(paths))


def chain_to_run(instance: Instance) -> Walk:
    """The walk of a file; under ``dominant`` without a dominance function that of the tool's choice.  Raises ``InputError``."""
    if instance.policy.lacks_function:
        return question_at_hand(instance).walk
    try:
        return walk(instance)
    except NotWalked as error:
        raise InputError("policy", "a policy whose chain can be walked", str(error)) from error
