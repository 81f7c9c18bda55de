"""The method "down-meyn": one piece for each station, by the program of [Down & Meyn 1997], for all non-idling policies
(theory 9.2)."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from verify.conditions.condition import Condition
from verify.conditions.drift import Evaluation
from verify.conditions.proof import Proof
from verify.methods.method import Attempt, Method, Problem, Refusal, Settings
from verify.methods.pieces import free_spec, proved
from verify.methods.programs.fitted_domination import fitted
from verify.methods.programs.station_weights import Domination
from verify.methods.programs.stations import MOST_STATIONS, NoMargin, applies, cycles, station_function, uniform
from verify.policies.compose import Walk
from verify.policies.instance import Instance

Family: TypeAlias = Callable[[Walk], Iterable[Domination]]
"""Dominations to try on a chain."""

_NEEDS = "the Down-Meyn program needs a work-conserving policy, fixed or random routing, one server per buffer"


def _uniform(chain: Walk) -> Iterable[Domination]:
    """The published form."""
    return [uniform(_stations(chain))]


def _cycles(chain: Walk) -> Iterable[Domination]:
    """One station dominates the next, for every cycle through all stations."""
    return cycles(_stations(chain))


def _stations(chain: Walk) -> int:
    return len(chain.expansion.busy_servers)


@dataclass(frozen=True)
class DownMeyn(Method):
    """``family``: the dominations that it tries if it is asked alone; in turn with other methods it tries all families.

    ``fewest``, ``most``: the stations for which the family is worth a row of its own."""

    name: str
    family: Family
    fewest: int = 0
    most: int | None = None
    missing = "no margin"

    def refusal(self, problem: Problem) -> Refusal | None:
        """On one or two stations every domination is the average; too many cycles lead through many stations."""
        if word := _misfit(problem):
            return Refusal(word, _NEEDS)
        stations = _stations(problem.chain)
        if stations < self.fewest:
            return Refusal("as down-meyn")
        return Refusal("too large") if self.most is not None and stations > self.most else None

    def search(self, problem: Problem, settings: Settings) -> Iterator[Proof | Attempt]:
        """The first domination with a positive margin; its evidence for condition S proves F as well."""
        settings.report("Down-Meyn linear program")
        chain = problem.chain
        families = (self.family,) if problem.alone else _FAMILIES
        found = station_function(chain, itertools.chain.from_iterable(family(chain) for family in families))
        if isinstance(found, NoMargin):
            how = "has no positive margin, by exact multipliers," if found.proved else "gave no positive margin"
            yield Attempt(self.name, f"the Down-Meyn program {how} for any domination tried")
        elif problem.allowed:
            condition = Condition.STRICT if Condition.STRICT in problem.allowed else Condition.FLUID
            evaluation = Evaluation(condition, True, found.epsilon, found.trees)
            yield proved(self.name, chain, free_spec(found.function, chain.expansion.names), found.function, evaluation)


def _misfit(problem: Problem) -> str:
    """What keeps the program from applying, "" if it does."""
    policy, conserving = problem.instance.policy, _all_servers_conserve(problem.instance)
    if conserving and applies(problem.chain):
        return ""
    if policy.is_preset:
        return "policy"
    if policy.by_state:
        return "routing"
    if policy.holds:
        return "holding"
    return "shared buffer" if conserving else "policy"


def _all_servers_conserve(instance: Instance) -> bool:
    """Is the sequencing one of the work-conserving words, without a function U of its own?"""
    return instance.policy.work_conserving and not instance.policy.follows_pieces


_FAMILIES: tuple[Family, ...] = (_uniform, _cycles, fitted)

DOWN_MEYN = DownMeyn("down-meyn", _uniform)
CYCLES = DownMeyn("down-meyn cycles", _cycles, fewest=3, most=MOST_STATIONS)
FITTED = DownMeyn("down-meyn fitted", fitted, fewest=3)
