"""Condition N: the least load of the busiest server, with primal, dual and cures."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping
from fractions import Fraction

import pytest
from catalogue.networks import CASES, case, expected, line_text, read, scaled, single_text, with_arrivals
from made import made
from stated import Routing, stated

from verify.conditions.capacity import Capacity, capacity, cures
from verify.lp.exact import solve_exact
from verify.lp.model import LinearProgram
from verify.network.model import BufferNetwork, Network, Route, RouteNetwork, Visit
from verify.policies.instance import Instance

F = Fraction

#: Loads under jsr, jsq and jsq-as, by hand.
KNOWN = {
    "bridge-jsr": "9/10",  # capacity 2
    "jsq-averaging-three": "1463/1600",  # servers 2 and 3 together, 9/10 + 7/10
    "jsq-critical": "1",
    "jsq-dedicated": "19/20",  # together 19/10 of 2
    "jsq-dedicated-over": "11/10",  # the dedicated stream alone
    "jsq-max-below": "19/20",
    "jsq-recombining-routes": "5/11",  # the union graph: A 1 and D 1/10 in, capacity 11/10
    "jsq-trap-max": "5/4",
    "jsq-two-servers": "29/30",
    "jsq-two-servers-over": "31/30",
    "jsr-two-servers": "29/30",
    "paper-1-all-rates": "8/9",
    "paper-1-jsq": "8/9",  # λ_1 + λ_2 < μ_2 + μ_3 + μ_4 = 9/4
    "paper-1-jsr": "8/9",
    "paper-1-jsr-longest": "224/225",
    "paper-1-jsr-over": "46/45",
    "paper-1-jsr-own-parameters": "8/9",
    "paper-2-jsq": "2/3",  # capacity 3/2
    "paper-2-jsq-as": "2/3",
    "paper-2-jsq-as-over": "31/30",
    "paper-2-jsq-over": "11/15",
    "paper-2-jsr": "2/3",
}


@functools.cache
def found_in(name: str) -> Capacity:
    """Condition N of a case."""
    return capacity(case(name))


def loads_without_choice(instance: Instance) -> dict[str, Fraction]:
    """Server loads where jobs choose nothing: from the traffic equations, by hand."""
    network, policy = instance.network, stated(instance.policy)
    loads = dict.fromkeys(network.servers, F(0))
    if isinstance(network, BufferNetwork):
        program = LinearProgram()
        flow = {a.buffer: program.variable(0, None) for a in network.activities}
        assert len(flow) == len(network.activities)
        for buffer in network.buffers:
            entries = {flow[buffer.name]: F(1)}
            for activity in network.activities:
                if buffer.name in activity.next:
                    column = flow[activity.buffer]
                    entries[column] = entries.get(column, F(0)) - activity.next[buffer.name]
            program.row(entries, buffer.arrival_rate, buffer.arrival_rate)
        point = solve_exact(program).point
        for activity in network.activities:
            loads[activity.server] += point[flow[activity.buffer]] / activity.rate
        return loads
    for job_class in network.classes:
        for route in job_class.routes:
            share = F(1)
            if policy.routing is Routing.BERNOULLI:
                share = policy.probabilities[job_class.name][route.name]
            for visit in route.visits:
                loads[visit.server] += job_class.arrival_rate * share / visit.rate
    return loads


@pytest.mark.parametrize("name", CASES)
def test_load_of_a_case_is_the_known_one(name: str) -> None:
    instance = case(name)
    known = F(KNOWN[name]) if name in KNOWN else max(loads_without_choice(instance).values())
    assert found_in(name).load == known


def test_known_loads_are_those_of_the_cases_with_a_choice() -> None:
    choosing = [n for n in CASES if case(n).policy.by_state]
    assert sorted(KNOWN) == choosing


@pytest.mark.parametrize("name", CASES)
def test_load_is_proved_from_both_sides(name: str) -> None:
    """Primal: no server has a larger share of time.  Dual: prices add up to 1, and only busiest servers have one."""
    found = found_in(name)
    assert max(found.shares.values()) == found.load
    assert sum(found.prices.values()) == 1
    assert min(found.prices.values()) > 0
    assert set(found.bottleneck) == set(found.prices) <= set(case(name).network.servers)
    assert all(found.shares[server] == found.load for server in found.bottleneck)
    assert lowest_workload_rate(found) == found.load


def lowest_workload_rate(found: Capacity) -> Fraction:
    """Σ λ v, v of an arrival the least over its choices, after the activities have been checked."""
    v = [found.potentials.get(name, F(0)) for name in found.graph.names]
    for service in found.graph.services:
        for destination in service.destinations:
            after = sum((p * v[k] for k, p in destination.distribution.items()), F(0))
            assert service.rate * (v[service.buffer] - after) <= found.prices.get(service.server, F(0))
    total = F(0)
    for stream in found.graph.streams:
        values = [sum((p * v[k] for k, p in d.distribution.items()), F(0)) for d in stream.destinations]
        total += stream.rate * min(values)
    return total


@pytest.mark.parametrize("name", CASES)
def test_load_grows_with_arrivals_and_not_with_the_unit_of_time(name: str) -> None:
    instance = case(name)
    load = found_in(name).load
    assert capacity(with_arrivals(instance, F(3, 2))).load == load * F(3, 2)
    assert capacity(scaled(instance, F(7, 3))).load == load


@pytest.mark.parametrize("name", [name for name in CASES if expected(name) == "stable"])
def test_stable_case_has_a_load_below_1(name: str) -> None:
    assert found_in(name).load < 1


def test_load_of_a_route_twice_at_one_server_counts_both_visits() -> None:
    """A→A with μ = 1, λ = 3/5 (theory 8)."""
    assert capacity(case("twice-at-one-server-over")).load == F(6, 5)


def test_load_is_exact_next_to_1() -> None:
    for rate in (1 - F(1, 10**30), F(1), 1 + F(1, 10**30)):
        assert capacity(read(single_text(rate))).load == rate


def test_load_under_jsq_uses_paths_that_recombine_routes() -> None:
    """A=1, B=10, C=D=1/10, E=1, λ=1/2 with all four paths: 5/11, not 5/2."""
    found = capacity(case("jsq-recombining-routes"))
    assert (found.load, set(found.bottleneck)) == (F(5, 11), {"A", "D"})
    as_jsr = dataclasses.replace(case("jsq-recombining-routes"), policy=made(Routing.JSR))
    assert capacity(as_jsr).load == F(5, 11)


# ---- cures ---------------------------------------------------------------------------------------------------------
def faster(instance: Instance, server: str, speed: Fraction) -> Instance:
    """One server with all its rates times ``speed``."""
    network: Network = instance.network
    if isinstance(network, BufferNetwork):
        activities = tuple(
            dataclasses.replace(a, rate=a.rate * speed) if a.server == server else a for a in network.activities
        )
        return dataclasses.replace(instance, network=dataclasses.replace(network, activities=activities))

    def route(old: Route) -> Route:
        visits = (Visit(v.server, v.rate * speed) if v.server == server else v for v in old.visits)
        return Route(old.name, tuple(visits))

    classes = (dataclasses.replace(c, routes=tuple(map(route, c.routes))) for c in network.classes)
    return dataclasses.replace(instance, network=RouteNetwork(network.servers, tuple(classes)))


OVER = [name for name in CASES if expected(name) == "unstable"]


@pytest.mark.parametrize("name", OVER)
def test_cure_of_one_server_brings_the_load_to_1(name: str) -> None:
    """The rate that the server must exceed: at it the load is exactly 1, with a little less it is above 1."""
    instance = case(name)
    found = capacity(instance)
    for cure in cures(found):
        assert cure.server in found.bottleneck
        if found.load >= 1:
            assert cure.speed >= 1
            assert capacity(faster(instance, cure.server, cure.speed)).load == 1
            assert capacity(faster(instance, cure.server, cure.speed * F(999, 1000))).load > 1
        rates: Mapping[str, set[Fraction]] = {cure.server: {s.rate for s in found.graph.at(cure.server)}}
        assert (cure.rate is not None) == (len(rates[cure.server]) == 1)
        if cure.rate is not None:
            assert cure.rate == min(rates[cure.server]) * cure.speed


def test_cure_of_a_single_server_is_the_arrival_rate() -> None:
    (cure,) = cures(capacity(read(single_text("3", "2"))))
    assert (cure.server, cure.speed, cure.rate) == ("1", F(3, 2), F(3))


def test_cure_that_no_single_server_can_be_is_left_out() -> None:
    """Two overloaded servers in a row: making one faster does not help."""
    found = capacity(read(line_text("12", ["2", "2"], "non-idling")))
    assert found.load == 2
    assert cures(found) == ()
