"""Methods one at a time: each proves stability of an instance on its own, or says in one or two words why not.

``certify`` tries the V of the file first and may answer by it; a comparison of methods wants each alone.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction

from verify.conditions.condition import Condition, Verdict
from verify.conditions.drift import DriftProof
from verify.conditions.grounds import Grounds, grounds
from verify.conditions.proof import Proof
from verify.decide import Request, decide, free_spec, walkable_template
from verify.functions.piecewise import PiecewiseLinear
from verify.methods.outcome import Method
from verify.methods.programs import stations as down_meyn
from verify.methods.programs.faces import reducible
from verify.methods.programs.fitted_domination import fitted
from verify.methods.programs.station_weights import Domination
from verify.network.model import Holding, Instance, RouteNetwork, Routing, Sequencing
from verify.policies.compose import Walk, walk

#: Most buffers for condition H, stations for cycles.
_MOST_FOR_H, _MOST_STATIONS = 3, 5


class Unsettled(Exception):
    """A method does not decide; ``str`` is why, in one or two words."""


@dataclass(frozen=True)
class Technique:
    """One column of the comparison: its name, why it does not apply ("" if it does), its proof (or ``Unsettled``).

    ``prove`` receives the instance (without a test function of its own), the seconds it may take (None: only budgets count),
    and whether it shall look for a larger margin when it has one.
    """

    name: str
    refusal: Callable[[Instance], str]
    prove: Callable[[Instance, float | None, bool], Proof]


def _decided(method: Method, missing: str) -> Callable[[Instance, float | None, bool], Proof]:
    """A method of ``certify``; ``missing``: what it did not find."""

    def prove(instance: Instance, seconds: float | None, polish: bool) -> Proof:
        decision = decide(instance, Request(method, time_limit=seconds, polish=polish))
        proof = decision.proof
        if proof is not None and decision.method is method and proof.verdict is Verdict.STABLE:
            return proof
        reasons = " ".join(attempt.reason for attempt in decision.attempts)
        raise Unsettled("time limit" if "time limit" in reasons else "budget spent" if "budget" in reasons else missing)

    return prove


def _dominated(
    tried: Callable[[Walk], Iterable[Domination]],
) -> Callable[[Instance, float | None, bool], Proof]:
    """The Down-Meyn program with other dominations than the average."""

    def prove(instance: Instance, seconds: float | None, polish: bool) -> Proof:
        chain = walk(instance)
        found = down_meyn.station_function(chain, tried(chain))
        if isinstance(found, down_meyn.NoMargin):
            raise Unsettled("no margin")
        return dataclasses.replace(
            _drift_proof(chain, found.function, Condition.STRICT, found.epsilon), trees=found.trees
        )

    return prove


def _cycles(chain: Walk) -> Iterable[Domination]:
    """One station dominates the next, for every cycle through all stations."""
    return down_meyn.cycles(len(chain.expansion.busy_servers))


def _drift_proof(chain: Walk, function: PiecewiseLinear, condition: Condition, epsilon: Fraction) -> DriftProof:
    base = grounds(chain, function)
    if not isinstance(base, Grounds):
        raise Unsettled("(0) or (R)")
    return DriftProof(chain, free_spec(function, chain.expansion.names), function, condition, base, epsilon)


def _always(instance: Instance) -> str:
    return ""


def _template_refused(instance: Instance) -> str:
    """The explicit template needs routes, and not too many."""
    if not isinstance(instance.network, RouteNetwork) or instance.policy.routing is Routing.JSQ:
        return "no routes"
    return "" if walkable_template(instance) else "too large"


def _stations_refused(instance: Instance) -> str:
    """The Down-Meyn program needs work conservation by all servers, fixed or random routing, one server per buffer."""
    outside = (None, Sequencing.DOMINANT, Sequencing.BACK_PRESSURE)
    if instance.policy.sequencing not in outside and down_meyn.applies(walk(instance)):
        return ""
    return _misfit(instance, instance.policy.sequencing not in outside)


def _misfit(instance: Instance, sequencing_fits: bool) -> str:
    """What keeps a method for fixed routing without holding from applying."""
    policy = instance.policy
    if policy.routing in (Routing.JSR, Routing.JSQ):
        return "routing"
    if policy.holding is Holding.SPILLBACK:
        return "holding"
    return "shared buffer" if sequencing_fits else "policy"


def _fitted_refused(instance: Instance) -> str:
    """On one or two stations every domination is the average."""
    return _stations_refused(instance) or ("as down-meyn" if _stations(instance) < 3 else "")


def _cycles_refused(instance: Instance) -> str:
    """Too many cycles through many stations."""
    return _fitted_refused(instance) or ("too large" if _stations(instance) > _MOST_STATIONS else "")


def _stations(instance: Instance) -> int:
    return len(walk(instance).expansion.busy_servers)


def _corrector_refused(instance: Instance) -> str:
    """Corrected leaves average over comparisons; where there are none, condition H needs a very small network."""
    if instance.policy.sequencing is Sequencing.DOMINANT:
        return "policy"
    chain = walk(instance)
    return "too large" if reducible(chain) and len(chain.expansion.buffers) > _MOST_FOR_H else ""


#: Cheapest first; the comparison has one column for each.
TECHNIQUES = (
    Technique("linear", _always, _decided(Method.LINEAR, "no linear V")),
    Technique("down-meyn", _stations_refused, _decided(Method.DOWN_MEYN, "no margin")),
    Technique("down-meyn cycles", _cycles_refused, _dominated(_cycles)),
    Technique("down-meyn fitted", _fitted_refused, _dominated(fitted)),
    Technique("explicit", _template_refused, _decided(Method.EXPLICIT, "F fails")),
    Technique("lp", _always, _decided(Method.LP, "no pieces")),
    Technique("corrected", _corrector_refused, _decided(Method.CORRECTED, "no corrector")),
)
