"""Condition N, the capacity condition (theory 7): the least possible load of the busiest server, exactly.

    ρ* = min over flows of max_n Σ_{services at n} (time share),   flows balanced at every buffer of the graph on which the
policy's state lives.  ρ* >= 1 implies: not positive recurrent under every Markov policy with that routing graph, also at
ρ* = 1 (a stationary chain would keep some server idle for a positive time, and Σ v_k x_k would have to grow).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from verify.conditions.condition import Condition
from verify.conditions.evidence.encode import numbers
from verify.conditions.proof import Proof, Scope
from verify.conditions.words import NETWORK, freedom_words
from verify.errors import InternalError
from verify.lp.exact import solve_exact
from verify.lp.model import LinearProgram, Status
from verify.network.expansion import Expansion
from verify.network.traffic import following, only_services, solve_along, throughputs
from verify.policies.instance import Instance
from verify.rational import text


@dataclass(frozen=True)
class Capacity:
    """The load ρ* with its proof.

    ``prices``: y_n >= 0 per server, Σ y = 1; ``potentials``: v_k per buffer of ``graph`` (dual optimum: Σ λ v = ρ*).
    ``shares``: time share of every server in an optimal flow.
    """

    load: Fraction
    prices: Mapping[str, Fraction]
    potentials: Mapping[str, Fraction]
    shares: Mapping[str, Fraction]
    graph: Expansion

    @property
    def bottleneck(self) -> tuple[str, ...]:
        """Servers with a positive price."""
        return tuple(self.prices)


@dataclass(frozen=True)
class Cure:
    """What server ``server`` alone must exceed: ``speed`` times what it has (``rate`` in jobs per unit time if it has a
    single rate)."""

    server: str
    speed: Fraction
    rate: Fraction | None


@dataclass
class _Flows:
    """The flow program: columns of services, rows of balance and of servers."""

    program: LinearProgram
    balance: list[int]
    servers: Mapping[str, int]
    load: int


def _flows(graph: Expansion, alone: str | None = None) -> _Flows:
    """Minimise the load of all servers, or of ``alone`` with all others at most fully busy."""
    program = LinearProgram()
    load = program.variable(0, None, 1)
    inflow: list[dict[int, Fraction]] = [{} for _ in graph.buffers]
    fixed = [Fraction(0)] * len(graph.buffers)
    used: dict[str, dict[int, Fraction]] = {server: {} for server in graph.busy_servers}
    for service in graph.services:
        for destination in service.destinations:
            share = program.variable(0, None)
            used[service.server][share] = Fraction(1)
            _add(inflow[service.buffer], share, -service.rate)
            for target, p in destination.distribution.items():
                _add(inflow[target], share, service.rate * p)
    for stream in graph.streams:
        if len(stream.destinations) == 1:
            for target, p in stream.destinations[0].distribution.items():
                fixed[target] += stream.rate * p
            continue
        split = {}
        for destination in stream.destinations:
            flow = program.variable(0, None)
            split[flow] = Fraction(1)
            for target, p in destination.distribution.items():
                _add(inflow[target], flow, p)
        program.row(split, stream.rate, stream.rate)
    balance = [program.row({j: -a for j, a in row.items()}, b, b) for row, b in zip(inflow, fixed, strict=True)]
    rows = {}
    for server, entries in used.items():
        terms = {share: -a for share, a in entries.items()}
        limited = alone is not None and server != alone
        rows[server] = program.row(terms, -1) if limited else program.row({**terms, load: Fraction(1)}, 0)
    return _Flows(program, balance, rows, load)


def _add(row: dict[int, Fraction], column: int, value: Fraction) -> None:
    row[column] = row.get(column, Fraction(0)) + value


def capacity(instance: Instance) -> Capacity:
    """ρ* with primal and dual, exactly.

    >>> from verify.network_file.read import read_text
    >>> text = '''
    ... [servers]
    ... 1 = { rate = "2" }
    ... [[classes]]
    ... name = "a"
    ... arrival_rate = "3/2"
    ... routes = { r = ["1"] }
    ... [policy]
    ... sequencing = "non-idling"
    ... '''
    >>> capacity(read_text(text, format="toml")).load
    Fraction(3, 4)
    """
    graph = instance.policy.capacity_graph(instance.network)
    found = _without_choice(graph)
    if found is not None:
        return found
    flows = _flows(graph)
    answer = solve_exact(flows.program)
    if answer.status is not Status.OPTIMAL or answer.value is None:
        raise InternalError(f"condition N: the flow program is {answer.status}")
    prices = {
        server: answer.row_multipliers[row] for server, row in flows.servers.items() if answer.row_multipliers[row]
    }
    potentials = {
        graph.names[k]: answer.row_multipliers[row]
        for k, row in enumerate(flows.balance)
        if answer.row_multipliers[row]
    }
    shares: dict[str, Fraction] = {}
    column = 1
    for service in graph.services:
        for _ in service.destinations:
            shares[service.server] = shares.get(service.server, Fraction(0)) + answer.point[column]
            column += 1
    return Capacity(answer.value, prices, potentials, shares, graph)


def _without_choice(graph: Expansion) -> Capacity | None:
    """Where no job and no server has a choice the flow is given: traffic equations, the busiest server has price 1, and
    v_k = y_n / μ_k + Σ p v_next, the work that a job still brings to it.  No linear program."""
    services = only_services(graph)
    if services is None:
        return None
    flow = throughputs(graph)
    if flow is None:
        return None
    shares: dict[str, Fraction] = dict.fromkeys(graph.busy_servers, Fraction(0))
    for k, service in enumerate(services):
        shares[service.server] += flow[k] / service.rate
    busiest = max(graph.busy_servers, key=lambda server: shares[server])
    work = solve_along(following(services), [Fraction(s.server == busiest) / s.rate for s in services])
    if work is None:
        return None
    potentials = {graph.names[k]: value for k, value in enumerate(work) if value}
    return Capacity(shares[busiest], {busiest: Fraction(1)}, potentials, shares, graph)


def cures(found: Capacity) -> tuple[Cure, ...]:
    """For each bottleneck server: by which factor it alone must be faster, at least; servers that cannot cure it are left out."""
    result = []
    for server in found.bottleneck:
        answer = solve_exact(_flows(found.graph, server).program)
        if answer.status is Status.OPTIMAL and answer.value is not None:
            rates = {service.rate for service in found.graph.at(server)}
            result.append(Cure(server, answer.value, rates.pop() * answer.value if len(rates) == 1 else None))
    return tuple(result)


@dataclass(frozen=True)
class CapacityProof(Proof):
    """ρ* >= 1 with prices and potentials; ``method``: the name under which it is reported."""

    method: ClassVar[str] = "capacity"

    instance: Instance
    capacity: Capacity
    condition: Condition = Condition.CAPACITY
    epsilon: Fraction | None = None
    function: None = None

    def measures(self) -> Mapping[str, Any]:
        """The load."""
        return {"load": text(self.capacity.load)}

    @property
    def scope(self) -> Scope:
        """Whatever the servers do."""
        return Scope.ROUTING

    def claim(self) -> str:
        """With the load in it."""
        load = self.capacity.load
        loaded = "overloaded" if load > 1 else "critically loaded"
        return (
            f"UNSTABLE: {NETWORK} is positive recurrent under no Markov policy with {freedom_words(self.instance)}; "
            f"load {load}, {loaded} (condition N). Poisson arrivals, exponential service."
        )

    def evidence(self) -> dict[str, Any]:
        """Prices of servers and potentials of buffers."""
        return {"prices": numbers(self.capacity.prices), "potentials": numbers(self.capacity.potentials)}

    def summary(self) -> Iterator[str]:
        """What would cure it."""
        found = cures(self.capacity)
        for cure in found:
            if cure.rate is not None:
                yield f"needed: server {cure.server} alone needs a rate above {cure.rate}"
            else:
                yield f"needed: server {cure.server} alone would have to be more than {cure.speed} times as fast"
        if not found:
            yield "needed: no single bottleneck server can cure this, several must be faster"
