"""What a proof by condition S or H (or F without corrections) says beyond stability: tails, means, times (theory 10).

Nothing here is a verdict: the numbers follow from a proof that the checker has accepted, by the theorems of that section.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from verify.chain.cells import Cells
from verify.conditions.condition import Condition
from verify.conditions.corrected import CorrectedProof, GlobalCorrector, emptying_corrector, global_levels
from verify.conditions.drift import DriftProof
from verify.conditions.evidence.cell_function import CellFunction
from verify.conditions.evidence.cellwise import here, highest
from verify.conditions.evidence.correctors import MOST_CELLS
from verify.conditions.evidence.nodes import Corrector
from verify.conditions.proof import Proof
from verify.functions.function import TestFunction
from verify.rational import decimals
from verify.studies.bounds.cell_steps import CellSteps, anchored
from verify.studies.bounds.decay import decays
from verify.studies.bounds.emptying import Trials, trials
from verify.studies.bounds.ladder import Decay, Descent, PublishedBound, bgt_bound
from verify.studies.bounds.smooth import Soft, soft_maximum

ZERO = Fraction(0)
#: σ of theorem 10.3 (b).
_SHARES = (Fraction(1, 2), Fraction(3, 4), Fraction(7, 8), Fraction(15, 16))


@dataclass(frozen=True)
class Hitting:
    """Mean times under every adapted policy of the class (theorem 10.4).

    Direct: E(time until V is settled, started in x) <= (V(x) + ``above``)/``drift``.  Settled: the network is empty if
    ``empties``, else it is in a finite set of states, with at most ``trials.jobs`` jobs.  Crude: from there the network is empty
    after a mean time of at most ``trials.base``^``trials.length`` · ``per_trial``, which is finite and no more than that.
    """

    function: TestFunction
    drift: Fraction
    above: Fraction
    empties: bool
    trials: Trials | None = None
    per_trial: Fraction = ZERO

    def settled(self, state: Mapping[int, Fraction]) -> Fraction:
        """Bound of the mean time until V is settled, from a state (coordinate -> jobs) that is not."""
        return (self.function.at(state) + self.above) / self.drift


@dataclass(frozen=True)
class Tails:
    """Bounds in the stationary law of every Markov policy of the class (theorems 10.1 to 10.3).

    ``function`` V, for condition H that of the proof less its value at the empty network; |x| <= (V(x) − ``offset``)/``least``;
    ``descent``: the constants of f >= V (``soft``; f = V if that is None), of which level, ratio and step make
    P(V > level + step·m) <= ratio^(m+1), m = 0, 1, …; ``times``: until the network is empty.
    """

    condition: Condition
    function: TestFunction
    least: Fraction
    offset: Fraction
    descent: Descent
    times: Hitting
    soft: Soft | None = None
    decays: tuple[Decay, ...] = ()

    @property
    def mean(self) -> Fraction:
        """E V is at most this."""
        return self.descent.mean

    @property
    def published(self) -> PublishedBound:
        """What [Bertsimas, Gamarnik & Tsitsiklis 2001] gives with the same function, never better."""
        found = self.descent
        return bgt_bound(found.level, found.drift, max(found.rise, found.drop), found.up_rate)

    @property
    def mean_jobs(self) -> Fraction:
        """E|X| is at most this."""
        return (self.mean - self.offset) / self.least

    def exponent(self, jobs: int) -> int:
        """The k with P(|X| > jobs) <= ratio^k; 0 where nothing is known."""
        return self.descent.steps(self._height(jobs))

    def jobs_above(self, jobs: int) -> Fraction:
        """P(|X| > jobs) is at most this, the best of all bounds."""
        others = (decay.above(self._height(jobs)) for decay in self.decays)
        return min(self.descent.ratio ** self.exponent(jobs), *others, Fraction(1))

    def _height(self, jobs: int) -> Fraction:
        """V is at least this at every state with more jobs."""
        return self.least * (jobs + 1) + self.offset


def tails(proof: Proof) -> Tails | None:
    """Tails, means and times by a proof of condition S or H, or of F by one piece that falls at every state x ≠ 0 without
    corrections; else None.

    None too where several servers share a buffer under a policy that compares buffers: closed cones then say nothing exact of
    the states (theory 1.4).  For H the function of the proof or one that falls everywhere but at the empty network, whichever
    bounds E|X| better; times are by the latter if there is one.
    """
    if isinstance(proof, CorrectedProof):
        return _by_cells(proof)
    if isinstance(proof, DriftProof) and not proof.walk.cells_refused:
        strict = proof.condition is Condition.STRICT
        return _by_one_piece(proof) or (_by_pieces(proof) if strict else None)
    return None


def _by_pieces(proof: DriftProof) -> Tails:
    soft = soft_maximum(proof)
    descent, jobs = soft.descent, Fraction(soft.radius.__floor__())
    times = Hitting(proof.function, descent.drift, soft.excess, jobs == 0)
    if jobs:
        tried = trials(proof.walk, proof.grounds.emptying.potential, jobs)
        back = (proof.function.scale * (jobs + tried.length) + soft.excess) / descent.drift
        times = Hitting(proof.function, descent.drift, soft.excess, False, tried, tried.time + back)
    least, several = proof.grounds.lower.c, len(proof.function) > 1
    plain = _plain_decays(descent)
    return Tails(Condition.STRICT, proof.function, least, ZERO, descent, times, soft if several else None, plain)


def _plain_decays(descent: Descent) -> tuple[Decay, ...]:
    return tuple(descent.decay(share) for share in _SHARES)


def _by_one_piece(proof: DriftProof) -> Tails | None:
    """The piece of condition F as the V of condition H with h = 0, on the coarsest cells."""
    walk, weights = proof.walk, proof.function.pieces[0]
    if len(proof.function) > 1 or walk.dominance is not None or len(weights) < len(proof.names):
        return None
    features = next(iter(global_levels(walk)))
    size = math.prod(feature.high - feature.low + 1 for feature in features)
    if size > MOST_CELLS:
        return None
    cells = Cells(features, len(proof.names))
    places = [place for cell in cells.all() if (place := here(cells, walk.components, cell)) is not None]
    drift = max(highest(place, weights, {}) for place in places if place.cell != cells.cell_of({}))
    if drift >= 0:
        return None
    steps = CellSteps(walk, GlobalCorrector(weights, Corrector(cells, {}), -drift))
    function = CellFunction(weights, steps.found.corrector)
    return _of_cells(proof.condition, steps, Hitting(function, -drift, ZERO, True))


def _by_cells(proof: CorrectedProof) -> Tails:
    listed = [anchored(proof.walk, proof.found)]
    if not _empties(listed[0]):
        found = emptying_corrector(proof.walk, proof.found.corrector.cells)
        listed += [] if found is None else [anchored(proof.walk, found)]
    times = _times(proof, listed[-1])
    return min((_of_cells(proof.condition, steps, times) for steps in listed), key=lambda found: found.mean_jobs)


def _of_cells(condition: Condition, steps: CellSteps, times: Hitting) -> Tails:
    function = CellFunction(steps.found.weights, steps.found.corrector)
    least, offset = min(steps.found.weights.values()), min(steps.heights)
    descent = steps.descent()
    return Tails(
        condition, function, least, offset, descent, times, decays=(*_plain_decays(descent), *decays(steps, descent))
    )


def _empties(steps: CellSteps) -> bool:
    return not any(any(state.values()) for state in steps.exceptions.values())


def _times(proof: CorrectedProof, steps: CellSteps) -> Hitting:
    found, function = steps.found, CellFunction(steps.found.weights, steps.found.corrector)
    above = -min(steps.at(cell, state) for cell, state in steps.exceptions.items())
    if _empties(steps):
        return Hitting(function, found.epsilon, above, True)
    jobs = max(sum(state.values(), ZERO) for state in steps.exceptions.values())
    tried = trials(proof.walk, proof.emptying.potential, jobs)
    back = (function.scale * (jobs + tried.length) + max(steps.heights) + above) / found.epsilon
    return Hitting(function, found.epsilon, above, False, tried, tried.time + back)


def in_words(found: Tails, names: Sequence[str]) -> Iterator[str]:
    """For people, line by line."""
    descent, times = found.descent, found.times
    yield f"by condition {found.condition.letter}, {found.function.words(names)}, under every Markov policy of the class:"
    yield f"  P(V > {decimals(descent.level)} + m · {decimals(descent.step)}) <= ({decimals(descent.ratio)})^(m+1), m = 0, 1, …"
    for decay in found.decays[-1:]:
        level, unit, base = decimals(decay.level), decimals(decay.unit), decimals(decay.base)
        yield f"  P(V >= {level} + n · {unit}) <= {decimals(decay.factor)} · ({base})^-n, n = 1, 2, …"
    yield f"  E V <= {decimals(found.mean)}, E(number of jobs) <= {decimals(found.mean_jobs)}"
    when = "the network is empty" if times.empties else "few jobs are left"
    above = f" {'+' if times.above > 0 else '-'} {decimals(abs(times.above))}" if times.above else ""
    again = "" if times.function == found.function else f", {times.function.words(names)}"
    yield f"  with the constants of the published bound: E V <= {decimals(found.published.mean)}"
    yield f"  mean time until {when}: at most (V(x){above}) / {decimals(times.drift)}{again}"
    if times.trials is not None:
        base, per_trial = decimals(times.trials.base), decimals(times.per_trial)
        yield f"  few: at most {times.trials.jobs}; from there it is empty after at most"
        yield f"  ({base})^{times.trials.length} · {per_trial} in the mean: finite, and no more than that"
