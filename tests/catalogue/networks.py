"""Networks for tests: the catalogue's cases, short texts for the standard ones, and what is done with them."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping, Sequence
from fractions import Fraction

from verify.certificate import certificate_of
from verify.conditions.capacity import Capacity
from verify.conditions.criterion import Criterion
from verify.decide import Decision, Request, decide
from verify.network.model import Activity, Buffer, BufferNetwork, JobClass, Network, Route, Visit
from verify.network_file.read import read_text
from verify.policies.instance import Instance

from .files import PATHS

CASES = tuple(PATHS)


# ---- texts ---------------------------------------------------------------------------------------------------------
def case_text(name: str, *changes: tuple[str, str]) -> str:
    """The network file of a case, with texts replaced (each must be there)."""
    text = PATHS[name].read_text(encoding="utf-8")
    for old, new in changes:
        if old not in text:
            raise AssertionError(f"{old!r} is not in {name}")
        text = text.replace(old, new)
    return text


def expected(name: str) -> str:
    """The answer that the first line of a case states: stable, unstable, not-stable or not-unstable."""
    return case_text(name).splitlines()[0].removeprefix("# expect: ")


def line_text(stations: str, means: Sequence[str], sequencing: str, priority: Mapping[str, str] | None = None) -> str:
    """A re-entrant line with arrival rate 1; stations are one character each, ``priority`` station -> positions."""
    servers = ", ".join(f"{station} = {{}}" for station in dict.fromkeys(sorted(stations)))
    visits = ", ".join(f'{{ server = "{s}", mean = "{m}" }}' for s, m in zip(stations, means, strict=True))
    text = (
        f'servers = {{ {servers} }}\nclasses = [{{ name = "a", arrival_rate = "1", routes = {{ r = [{visits}] }} }}]\n'
    )
    text += f'[policy]\nsequencing = "{sequencing}"\n'
    for server, order in (priority or {}).items():
        text += f"priority.{server} = {[f'a.{position}' for position in order]}\n"
    return text


def single_text(arrival_rate: object, rate: object = 1) -> str:
    """M/M/1."""
    return (
        f'servers = {{ 1 = {{ rate = "{rate}" }} }}\n'
        f'classes = [{{ name = "a", arrival_rate = "{arrival_rate}", routes = {{ r = ["1"] }} }}]\n'
    )


def parallel_text(routing: str, arrival_rate: object, rates: Sequence[object], pieces: str = "") -> str:
    """One class, servers side by side; ``pieces`` those of a test function."""
    servers = ", ".join(f'{i} = {{ rate = "{rate}" }}' for i, rate in enumerate(rates, start=1))
    routes = ", ".join(f'r{i} = ["{i}"]' for i in range(1, len(rates) + 1))
    return (
        f"servers = {{ {servers} }}\n"
        f'classes = [{{ name = "a", arrival_rate = "{arrival_rate}", routes = {{ {routes} }} }}]\n'
        f'[policy]\nrouting = "{routing}"\nsequencing = "non-idling"\n'
    ) + (f"[test_function]\npieces = [{pieces}]\n" if pieces else "")


MAXIMUM = '{ "a@1" = 1 }, { "a@2" = 1 }'
"""The pieces of max(x_1, x_2) under jsq."""

EXAMPLE_1 = case_text("paper-1-jsr")
FREE_TIES_1 = EXAMPLE_1.replace('[policy.tie_order]\n3 = ["c2.r3.1", "c1.r1.2"]\n', "")
NEAR_CAPACITY_1 = EXAMPLE_1.replace('arrival_rate = "1"', 'arrival_rate = "8991/8000"').replace(
    '= "3/4"', '= "999/1000"'
)


def example_2_text(arrival_rate: str, template: str, ties: Mapping[str, Sequence[str]]) -> str:
    """Paper, example 2 (the bridge) under jsr with the explicit template and this tie order."""
    text = case_text("paper-2-jsr", ('arrival_rate = "1"', f'arrival_rate = "{arrival_rate}"'))
    orders = "".join(f"tie_order.{server} = {list(order)}\n" for server, order in ties.items())
    return text + orders + f'[policy.dominance_function]\ntemplate = "explicit"\n{template}\n'


GOOD_TIES_2 = {"1": ("c.r1.1", "c.r2.1"), "5": ("c.r3.2", "c.r2.3")}
BAD_TIES_2 = {"1": ("c.r2.1", "c.r1.1"), "5": ("c.r2.3", "c.r3.2")}
TEMPLATE_2 = 'alpha = "9/10"\nbeta = [1, "4/5", "39/50"]\ngamma = 1'
GEOMETRIC_2 = 'alpha = "3/4"\nbeta = "3/4"\ngamma = "3/4"'


# ---- instances -----------------------------------------------------------------------------------------------------
def read(text: str) -> Instance:
    """The instance of a TOML text."""
    return read_text(text, format="toml")


def case(name: str, *changes: tuple[str, str]) -> Instance:
    """A case of the catalogue."""
    return read(case_text(name, *changes))


def scaled(instance: Instance, factor: Fraction) -> Instance:
    """All rates times ``factor``: another unit of time."""
    return dataclasses.replace(instance, network=_with_rates(instance.network, factor, factor))


def with_arrivals(instance: Instance, factor: Fraction) -> Instance:
    """All arrival rates times ``factor``."""
    return dataclasses.replace(instance, network=_with_rates(instance.network, factor, Fraction(1)))


def _with_rates(network: Network, arrivals: Fraction, services: Fraction) -> Network:
    if isinstance(network, BufferNetwork):
        buffers = tuple(Buffer(b.name, b.arrival_rate * arrivals) for b in network.buffers)
        activities = tuple(Activity(a.server, a.buffer, a.rate * services, a.next) for a in network.activities)
        return BufferNetwork(network.servers, buffers, activities)

    def route(old: Route) -> Route:
        return Route(old.name, tuple(Visit(visit.server, visit.rate * services) for visit in old.visits))

    classes = (JobClass(c.name, c.arrival_rate * arrivals, tuple(map(route, c.routes))) for c in network.classes)
    return dataclasses.replace(network, classes=tuple(classes))


# ---- decisions -----------------------------------------------------------------------------------------------------
@dataclasses.dataclass(frozen=True)
class Decided:
    """An instance, what was decided, and the bytes of the certificate (empty without one)."""

    instance: Instance
    decision: Decision
    certificate: bytes

    @property
    def capacity(self) -> Capacity:
        """What was found on condition N."""
        if self.decision.capacity is None:
            raise AssertionError("the time was up before condition N")
        return self.decision.capacity


def decided(instance: Instance, request: Request | None = None) -> Decided:
    """Decide, and write the certificate."""
    decision = decide(instance, request or Request())
    return Decided(instance, decision, certificate_of(decision) or b"")


@functools.cache
def decided_case(name: str) -> Decided:
    """A case, decided once for all tests, in at most two seconds if it is one of ``OPEN``."""
    return decided(case(name), Request(time_limit=2 if name in OPEN else None))


@functools.cache
def decided_by_pieces(name: str) -> Decided:
    """The same where only a piecewise linear V counts as a proof of stability."""
    return decided(case(name), Request(criterion=Criterion.FLUID, time_limit=2 if name in OPEN else None))


#: Cases whose trees take about ten seconds each.
SLOW = frozenset({"bridge-jsr", "paper-2-jsr"})

#: Cases that may stay undecided, or take long; all others are decided.  The list may shrink.
OPEN = frozenset(
    {
        "global-br5_12221-2",  # those at virtual load exactly 1: critical
        "global-dh5_12121-3",
        "global-lk1221-3",
        "global-ps6_121212-2",
        "global-ps6_121212-3",
        "global-rs-3",
        "lu-kumar-split-2-types",
        "paper-2-jsq",  # server 5 at load exactly 1 under jsq
    }
)
