"""Stability at all rates: which V are tried, and at which rates one that fails does not fall (``certify --for-all-rates``)."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from verify.budget import Budget, BudgetSpent, TimeIsUp, time_limit
from verify.conditions import drift
from verify.conditions.all_rates import AllRatesProof, evaluate, proved
from verify.conditions.capacity import capacity
from verify.conditions.condition import Condition, Verdict
from verify.conditions.evidence.nodes import Obstacle
from verify.conditions.evidence.rate_flows import at_rates, fastest
from verify.conditions.evidence.rates_tree import RatesFailure
from verify.decide import Request, decide
from verify.functions.explicit import build, piece_count
from verify.functions.piecewise import PiecewiseLinear
from verify.methods.pieces import free_spec
from verify.methods.programs.plain import plain_functions
from verify.methods.programs.templates import (
    MOST_PIECES,
    leaves_dominance_open,
    template_for_load,
    templates,
    with_dominance,
)
from verify.network.model import FunctionSpec
from verify.network.rates import RateSet, arrival, arrivals, busy_servers, speed
from verify.policies.compose import Walk, walk
from verify.policies.instance import Instance

#: Nodes of case trees for one V.
_NODES = 4000
#: Largest numbers of counter-rates, coarse to fine; parts of the arrivals that are tried where the load is too large.
_LARGEST = (1, 2, 3, 4, 6, 8, 10, 12, 20, 60, 120)
_PARTS = (Fraction(1), Fraction(99, 100), Fraction(19, 20), Fraction(9, 10), Fraction(3, 4))
#: Most counter-rates at which plain condition F is evaluated for one V, its nodes, and seconds for the question what is so there.
_EVALUATIONS, _F_NODES, _SECONDS = 12, 1500, 10.0
#: Most where V has more pieces than this: case trees then take seconds.
_FEW_PIECES, _FEW_EVALUATIONS = 8, 3


@dataclass(frozen=True)
class CounterRates:
    """Rates of the set at which condition F fails for V: symbol -> number; ``verdict``: what is known of the network there."""

    rates: Mapping[str, Fraction]
    load: Fraction
    obstacle: Obstacle
    verdict: Verdict
    claim: str


@dataclass(frozen=True)
class RatesAttempt:
    """A V that does not do: why, where, and rates at which it does not fall, if some were found."""

    what: str
    reason: str
    obstacle: Obstacle | None = None
    counter: CounterRates | None = None


@dataclass(frozen=True)
class RatesDecision:
    """A proof, or what was tried."""

    rates: RateSet
    proof: AllRatesProof | None = None
    attempts: tuple[RatesAttempt, ...] = ()

    @property
    def verdict(self) -> Verdict:
        """STABLE with a proof; that no V was found says nothing."""
        return self.proof.verdict if self.proof else Verdict.UNDECIDED


@dataclass(frozen=True)
class _Candidate:
    """A V with the chain on which it is tried."""

    what: str
    chain: Walk
    spec: FunctionSpec


def decide_for_all_rates(
    instance: Instance,
    rates: RateSet,
    limit: float | None = None,
    report: Callable[[str], None] = lambda _: None,
) -> RatesDecision:
    """Try one V after the other.  ``limit``: seconds at most; ``report`` receives progress.  Raises ``NotWalked``."""
    attempts: list[RatesAttempt] = []
    try:
        with time_limit(limit):
            for candidate in _candidates(instance, rates.load_at_most):
                report(f"all rates: {candidate.what}")
                found = _tried(candidate, rates)
                if isinstance(found, AllRatesProof):
                    return RatesDecision(rates, found, tuple(attempts))
                attempts.append(found)
    except TimeIsUp:
        attempts.insert(0, RatesAttempt("all of them", f"the time limit of {limit:g} s was reached"))
    if leaves_dominance_open(instance.policy) and rates.load_at_most == 1:
        cure = "its parameters have to be the closer to 1 the higher the load: ask for a bound on the load"
        attempts.append(RatesAttempt("other U", cure))
    if not attempts:
        attempts.append(RatesAttempt("nothing", "there is no test function to try"))
    return RatesDecision(rates, None, tuple(attempts))


def _candidates(instance: Instance, load: Fraction) -> Iterator[_Candidate]:
    """The V of the file; U under ``dominant``, chosen for the load where it is open; else the plainest ones, and the template."""
    policy, network = instance.policy, instance.routes
    template = network is not None and piece_count(network) <= MOST_PIECES
    if leaves_dominance_open(policy):
        if network is None or not template:
            return
        specs = [template_for_load(network, load)] if load < 1 else []
        for spec in [*specs, *list(templates(network))[1:2]]:
            chain = walk(with_dominance(instance, spec))
            yield _Candidate(f"V = U, the template with alpha = {spec.alpha[-1]}", chain, spec)
        return
    chain = walk(instance)
    if instance.test_function is not None:
        yield _Candidate("the test function of the file", chain, instance.test_function)
    if policy.dominance_function is not None:
        yield _Candidate("V = U, the dominance function of the file", chain, policy.dominance_function)
        return
    for name, weights in plain_functions(chain.expansion):
        yield _Candidate(f"V = {name}", chain, free_spec(PiecewiseLinear((weights,)), chain.expansion.names))
    if network is not None and template and load < 1:
        yield _Candidate("V = the template for the load", chain, template_for_load(network, load))


def _tried(candidate: _Candidate, rates: RateSet) -> AllRatesProof | RatesAttempt:
    found = evaluate(candidate.chain, candidate.spec, rates, Budget(_NODES))
    if found.holds:
        proof = proved(candidate.chain, candidate.spec, rates, found.trees)
        return RatesAttempt(candidate.what, proof) if isinstance(proof, str) else proof
    if found.failure is None:
        return RatesAttempt(candidate.what, found.reason)
    counter = counter_rates(candidate.chain, candidate.spec, rates, found.failure)
    reason = "no prices and potentials do at some face"
    return RatesAttempt(candidate.what, reason, found.failure.obstacle, counter)


# Counter-rates ----------------------------------------------------------------------------------------


def counter_rates(chain: Walk, spec: FunctionSpec, rates: RateSet, failure: RatesFailure) -> CounterRates | None:
    """Rates of the set at which condition F fails for V: the stated ones, or what the program at the face proposes."""
    instance = chain.instance
    few = len(build(instance.network, chain.expansion, spec)) <= _FEW_PIECES
    most = _EVALUATIONS if few else _FEW_EVALUATIONS
    for proposal in itertools.islice(_in_the_set(instance, rates, failure), most):
        there = dataclasses.replace(instance, network=at_rates(instance.network, proposal), test_function=None)
        other = walk(there)
        function = build(there.network, other.expansion, spec)
        try:
            found = drift.evaluate(other, function, Condition.FLUID, Budget(_F_NODES))
        except BudgetSpent:
            continue
        if found.holds is False and found.obstacle is not None:
            decision = decide(there, Request(time_limit=_SECONDS, polish=False))
            claim = decision.proof.claim() if decision.proof else ""
            return CounterRates(proposal, capacity(there).load, found.obstacle, decision.verdict, claim)
    return None


def _in_the_set(instance: Instance, rates: RateSet, failure: RatesFailure) -> Iterator[dict[str, Fraction]]:
    """Rates with all arrivals and speeds positive that satisfy the rows and the bound on the load."""
    seen: list[dict[str, Fraction]] = []
    for proposal in _proposals(instance, failure):
        if proposal in seen or not rates.holds(proposal):
            continue
        seen.append(proposal)
        if rates.allows(capacity(dataclasses.replace(instance, network=at_rates(instance.network, proposal))).load):
            yield proposal


def _proposals(instance: Instance, failure: RatesFailure) -> Iterator[dict[str, Fraction]]:
    """The stated rates; then those of each branch, and of all together, as small integers of some unit."""
    network = instance.network
    streams, units = arrivals(network), fastest(network)
    yield stated_rates(instance)
    listed = [[*found.arrivals, *found.speeds] for found in failure.rates]
    if len(listed) > 1:
        listed.append([sum(column) for column in zip(*listed, strict=True)])
    for values in listed:
        largest = max(values, default=0.0)
        if largest <= 0:
            continue
        for size in _LARGEST:
            rounded = [Fraction(max(round(value / largest * size), 0)) or Fraction(1, 2) for value in values]
            arriving, speeds = rounded[: len(streams)], rounded[len(streams) :]
            for part in _PARTS:
                found = {arrival(name): part * value for name, value in zip(streams, arriving, strict=True)}
                yield found | {
                    speed(name): value / unit for (name, unit), value in zip(units.items(), speeds, strict=True)
                }


def stated_rates(instance: Instance) -> dict[str, Fraction]:
    """The rates of the file: all speeds 1."""
    network = instance.network
    if network.classes:
        found = {arrival(c.name): c.arrival_rate for c in network.classes}
    else:
        found = {arrival(b.name): b.arrival_rate for b in getattr(network, "buffers", ()) if b.arrival_rate}
    return found | {speed(server): Fraction(1) for server in busy_servers(network)}
