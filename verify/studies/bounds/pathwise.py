"""A lower bound on means under every policy, from the work that jobs bring (theory 13.10): flows, and an M/G/1 queue each.

For prices y >= 0 of servers and v >= 0 with v_k <= y_n/μ + Σ p v_next for every activity and every choice (the least priced work
that a job in buffer k still brings) and the gap g = Σ y − Σ λ v > 0, under every Markov policy with a stationary mean

    g Σ v_k E x_k  >=  half the mean of Σ (change of v·x)² per unit of time,

which is linear in the flows.  With y = 1 at one server and routes that nobody chooses it says that the work for this server
is on average at least that of the M/G/1 queue to which every job brings all its work at once.  And E x_k is at least the mean
number of servers at work on buffer k.  The least of·z over all flows and z that obey all this is a linear program.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from verify.conditions.capacity import capacity
from verify.linear_form import LinearForm
from verify.lp.exact import solve_exact
from verify.lp.model import LinearProgram, Status
from verify.network.expansion import Destination, Expansion
from verify.network.names import buffer_aliases
from verify.network.traffic import following, only_services, solve_along
from verify.policies.instance import Instance

#: Larger networks are not asked: a program for each server has a row for each activity.
MOST_BUFFERS = 60


@dataclass(frozen=True)
class Work:
    """Prices of servers, the least priced work v of a job in each buffer, and the gap Σ y − Σ λ v."""

    prices: Mapping[str, Fraction]
    potentials: tuple[Fraction, ...]
    gap: Fraction


@dataclass(frozen=True)
class Pathwise:
    """The bound, and the servers whose work it comes from (empty: from the flows alone)."""

    value: Fraction
    servers: tuple[str, ...]


def pathwise(instance: Instance, of: LinearForm) -> Pathwise | str:
    """The lower bound on E of·X, or why there is none.

    >>> from verify.network_file.read import read_text
    >>> line = 'servers = {A = {rate = 2}}\\nclasses = [{name = "a", arrival_rate = 1, routes = {r = ["A"]}}]'
    >>> pathwise(read_text(line, format="toml"), LinearForm.unit(0)).value
    Fraction(1, 1)
    """
    graph = instance.policy.capacity_graph(instance.network)
    if any(weight < 0 for weight in of.values()):
        return "it needs weights that are not negative"
    if len(graph.buffers) > MOST_BUFFERS:
        return f"not tried for more than {MOST_BUFFERS} buffers"
    works = [work for work in _works(instance, graph) if work is not None]
    if any(work.gap <= 0 for work in works):
        return "some server is at its capacity"
    return _least(graph, works, _on_graph(instance, graph, of))


def _on_graph(instance: Instance, graph: Expansion, of: LinearForm) -> list[Fraction]:
    """The weights on the graph of flows: where several buffers of the state are one there, the smallest of theirs."""
    home = buffer_aliases(instance.network, instance.policy.meeting(instance.network))
    found: dict[int, Fraction] = {}
    for k, name in enumerate(instance.weighable):
        place = graph.index[home[name]]
        found[place] = min(found.get(place, of.entry(k)), of.entry(k))
    return [found.get(k, Fraction(0)) for k in range(len(graph.buffers))]


# Work ------------------------------------------------------------------------------------------------


def _works(instance: Instance, graph: Expansion) -> Iterator[Work | None]:
    """For each server alone; where jobs or servers have choices also for the bottleneck servers together."""
    for server in graph.busy_servers:
        yield _work(graph, {server: Fraction(1)})
    if only_services(graph) is None:
        prices = capacity(instance).prices
        if len(prices) > 1:
            yield _work(graph, prices)


def _work(graph: Expansion, prices: Mapping[str, Fraction]) -> Work | None:
    """The least priced work of a job in each buffer; None if the program for it has no optimum."""
    services = only_services(graph)
    work: list[Fraction] | None
    if services is not None:
        work = solve_along(following(services), [prices.get(s.server, Fraction(0)) / s.rate for s in services])
    else:
        work = _least_work(graph, prices)
    if work is None:
        return None
    brought = sum((s.rate * min(_after(d, work) for d in s.destinations) for s in graph.streams), Fraction(0))
    return Work(prices, tuple(work), sum(prices.values(), Fraction(0)) - brought)


def _least_work(graph: Expansion, prices: Mapping[str, Fraction]) -> list[Fraction] | None:
    """The largest v with v_k <= y_n/μ + Σ p v_next for all activities and choices: the value of a shortest way out."""
    program = LinearProgram()
    for _ in graph.buffers:
        program.variable(0, None, -1)
    for service in graph.services:
        for destination in service.destinations:
            row = {k: -p for k, p in destination.distribution.items()}
            row[service.buffer] = row.get(service.buffer, Fraction(0)) + 1
            program.row(row, None, prices.get(service.server, Fraction(0)) / service.rate)
    answer = solve_exact(program)
    return answer.point if answer.status is Status.OPTIMAL else None


def _after(destination: Destination, work: list[Fraction] | tuple[Fraction, ...]) -> Fraction:
    return sum((p * work[k] for k, p in destination.distribution.items()), Fraction(0))


# The program -----------------------------------------------------------------------------------------


def _least(graph: Expansion, works: list[Work], weights: list[Fraction]) -> Pathwise | str:
    """Minimise of·z over flows and means z."""
    program = LinearProgram()
    means = [program.variable(0, None, weight) for weight in weights]
    balance: list[dict[int, Fraction]] = [{} for _ in graph.buffers]
    at_work: list[dict[int, Fraction]] = [{mean: Fraction(1)} for mean in means]
    squares: list[dict[int, Fraction]] = [{} for _ in works]
    for stream in graph.streams:
        split = {}
        for destination in stream.destinations:
            flow = program.variable(0, None)
            split[flow] = Fraction(1)
            for k, p in destination.distribution.items():
                _add(balance[k], flow, p)
            for row, work in zip(squares, works, strict=True):
                row[flow] = _square(destination, Fraction(0), work)
        program.row(split, stream.rate, stream.rate)
    for server in graph.busy_servers:
        shares = {}
        for service in graph.at(server):
            for destination in service.destinations:
                share = program.variable(0, None)
                shares[share] = Fraction(1)
                at_work[service.buffer][share] = Fraction(-1)
                _add(balance[service.buffer], share, -service.rate)
                for k, p in destination.distribution.items():
                    _add(balance[k], share, service.rate * p)
                for row, work in zip(squares, works, strict=True):
                    row[share] = service.rate * _square(destination, work.potentials[service.buffer], work)
        program.row(shares, None, 1)
    for row in balance:
        program.row(row, 0, 0)
    for row in at_work:
        program.row(row, 0)
    rows = []
    for row, work in zip(squares, works, strict=True):
        left = {mean: work.gap * v for mean, v in zip(means, work.potentials, strict=True)}
        rows.append(program.row({**left, **{j: -a / 2 for j, a in row.items()}}, 0))
    answer = solve_exact(program)
    if answer.status is not Status.OPTIMAL or answer.value is None:
        return "no flow carries all arrivals"
    used = (work.prices for row, work in zip(rows, works, strict=True) if answer.row_multipliers[row])
    return Pathwise(answer.value, tuple(dict.fromkeys(server for prices in used for server in prices)))


def _square(destination: Destination, before: Fraction, work: Work) -> Fraction:
    """The mean of (change of v·x)² when a job with work ``before`` goes on."""
    rest = 1 - sum(destination.distribution.values(), Fraction(0))
    moved = (p * (work.potentials[k] - before) ** 2 for k, p in destination.distribution.items())
    return sum(moved, rest * before**2)


def _add(row: dict[int, Fraction], column: int, value: Fraction) -> None:
    row[column] = row.get(column, Fraction(0)) + value
