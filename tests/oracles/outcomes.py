"""What may happen in an integer state under a certificate's policy, by the naive step functions: every free choice and both sides
of every tie of routing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeAlias

from naive import Outcome, State, buffer_names, components
from naive.sequencing import pressure
from naive.step import tasks_of
from stated import Policy, Routing, Sequencing, in_words

from verify.network.model import Activity, Buffer, BufferNetwork, JobClass, Network, Route, RouteNetwork, Visit

from .claimed import Json, Unreadable, number, numbers

Choices: TypeAlias = list[Outcome]


@dataclass(frozen=True)
class Spoken:
    """The network and policy of a certificate, as the naive step functions want them."""

    network: Network
    policy: Policy

    @property
    def names(self) -> list[str]:
        """The buffers."""
        return buffer_names(self)


def spoken(certificate: Json) -> Spoken:
    """Network and policy; fifo is one of the adapted non-idling policies.  Raises ``Unreadable``."""
    try:
        policy = in_words(certificate["policy"])
        network = _network(certificate["network"])
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise Unreadable(f"network or policy: {error}") from error
    if policy.sequencing is Sequencing.FIFO:
        policy = replace(policy, sequencing=Sequencing.NON_IDLING)
    return Spoken(network, policy)


def _network(form: Json) -> Network:
    servers = tuple(form["servers"])
    if form["kind"] == "buffer":
        buffers = tuple(Buffer(entry["name"], number(entry["arrival_rate"])) for entry in form["buffers"])
        activities = tuple(
            Activity(entry["server"], entry["buffer"], number(entry["rate"]), numbers(entry["next"]))
            for entry in form["activities"]
        )
        return BufferNetwork(servers, buffers, activities)
    classes = [
        JobClass(
            entry["name"],
            number(entry["arrival_rate"]),
            tuple(
                Route(route["name"], tuple(Visit(visit["server"], number(visit["rate"])) for visit in route["visits"]))
                for route in entry["routes"]
            ),
        )
        for entry in form["classes"]
    ]
    return RouteNetwork(servers, tuple(classes))


def choices(found: Spoken, state: State) -> dict[str, Choices]:
    """For each independent component all it may do; where the state decides between queues (``jsr``, ``weighted-route``, ``jsq``,
    the preset) a job may take any side of a tie, as the claims are about ties in any way."""
    every = components(found, state)
    for key, outcomes in every.items():
        if found.policy.preset is not None or found.policy.routing not in (Routing.FIXED, Routing.BERNOULLI):
            every[key] = [one for outcome in outcomes for one in _sides(outcome)]
        elif key.startswith("server ") and [] not in outcomes and _may_idle(found, state, key.removeprefix("server ")):
            every[key] = [*outcomes, []]
    return every


def _sides(outcome: Outcome) -> Choices:
    """A job that is split among tied queues, all of it to one of them."""
    total = sum((rate for rate, _ in outcome), Fraction(0))
    return [[(total, target)] for _, target in outcome] or [[]]


def _may_idle(found: Spoken, state: State, server: str) -> bool:
    """``back-pressure``: a server may work at pressure 0 and may as well idle (theory 1.3)."""
    if found.policy.sequencing is not Sequencing.BACK_PRESSURE:
        return False
    tasks = tasks_of(found.network, found.policy, state, server)
    return all(pressure(task, state) <= 0 for task in tasks)


def as_state(names: list[str], values: Mapping[str, int]) -> State:
    """The state with these numbers of jobs, 0 elsewhere."""
    return {name: values.get(name, 0) for name in names}
