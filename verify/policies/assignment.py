"""Several servers at one buffer at integer states: who works where (``verify/checker/FORMAT.md``, section 6).

One job is with one server at a time.  Each server takes its most preferred ready buffer among those it can have; a buffer with a
server order prefers earlier servers.  What results is a stable matching (Gale & Shapley 1962), found by letting servers ask in
turn.  The walk's components speak of each server alone and only bound this; the simulation needs the servers together.
"""

from __future__ import annotations

import functools
import itertools
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias

from verify.chain.components import Jump
from verify.linear_form import LinearForm
from verify.network.expansion import Service
from verify.network.model import Sequencing
from verify.policies.comparing import pressure
from verify.policies.compose import Walk
from verify.policies.holding import Readiness
from verify.policies.routing import service_jumps
from verify.policies.sequencing import STATIC, priority_groups

Sign: TypeAlias = Callable[[LinearForm, int], int]
"""The sign of (form − number) at the state in question."""

#: With more orders of the servers than this, so many are drawn.
MOST_ORDERS = 120


class Assignments:
    """The servers of a chain with shared buffers.

    ``asks``: the forms, each with the numbers it is compared with, on whose signs everything depends.
    """

    def __init__(self, chain: Walk):
        self.chain, self.expansion, self.policy = chain, chain.expansion, chain.instance.policy
        readiness = Readiness(self.expansion, chain.normals, self.policy.holding)
        self.services = {
            server: {s.buffer: s for s in self.expansion.at(server)} for server in self.expansion.busy_servers
        }
        names = self.expansion.names
        self.takers = {
            k: self.policy.server_order.get(names[k], ()) for k in self.expansion.shared
        }  # () where it is free
        self.held: dict[int, LinearForm] = {
            k: next(iter(readiness.ready(k))).form
            for listed in self.services.values()
            for k in listed
            if readiness.may_be_held(k)
        }
        self.levels: dict[str, dict[int, int]] = {}
        if self.policy.sequencing in STATIC:
            for server in self.services:
                groups = priority_groups(server, self.policy, self.expansion)
                self.levels[server] = {k: level for level, group in enumerate(groups) for k in group}

    def asks(self) -> Iterator[tuple[LinearForm, int]]:
        """Forms and numbers whose differences' signs decide."""
        for listed in self.services.values():
            for k, service in listed.items():
                yield from ((LinearForm.unit(k), n) for n in range(len(self.expansion.shared.get(k, "1"))))
                if k in self.held:
                    yield self.held[k], 0
                if self.policy.sequencing is Sequencing.BACK_PRESSURE:
                    yield pressure(service), 0
            if not self.levels:
                yield from ((self._rank(a, b), 0) for a, b in itertools.combinations(listed.values(), 2))

    def options(self, sign: Sign) -> list[tuple[Jump, ...]]:
        """Different assignments with their jumps: the first where earlier servers take first, the last where later ones do."""
        found: dict[tuple[tuple[str, int], ...], tuple[Jump, ...]] = {}
        orders = _orders(tuple(self.services))
        for order, backwards in itertools.chain(((o, False) for o in orders), ((o, True) for o in orders)):
            chosen = self._match(order, backwards, sign)
            key = tuple(sorted(chosen.items()))
            listed = [service_jumps(s, s.destinations[0]) for server, k in key for s in (self.services[server][k],)]
            found.pop(key, None)  # the last order's assignment stands last
            found[key] = tuple(jump for jumps in listed for jump in jumps)
        return list(found.values())

    def _match(self, order: Sequence[str], backwards: bool, sign: Sign) -> Mapping[str, int]:
        """Servers ask in this order, their favourites first; a full buffer keeps those that come first in its server order,
        or in this order where it has none."""
        wishes = {server: self._wishes(server, backwards, sign) for server in order}
        at: dict[int, list[str]] = {}
        asking = list(order)
        while asking:
            server = asking.pop(0)
            if not wishes[server]:
                continue
            k = wishes[server].pop(0)
            present = at.setdefault(k, [])
            present.append(server)
            present.sort(key=(self.takers.get(k) or order).index)
            if len(present) > self._jobs(k, sign):
                asking.insert(0, present.pop())
        return {server: k for k, present in at.items() for server in present}

    def _jobs(self, k: int, sign: Sign) -> int:
        """Jobs in the buffer, at most one for each of its servers."""
        return sum(sign(LinearForm.unit(k), n) > 0 for n in range(len(self.expansion.shared.get(k, "1"))))

    def _wishes(self, server: str, backwards: bool, sign: Sign) -> list[int]:
        """What the server may work on, best first; ties in listed order or ``backwards``."""
        ready = [k for k, s in self.services[server].items() if self._ready(k, s, sign)]
        if backwards:
            ready.reverse()
        if self.levels:
            return sorted(ready, key=self.levels[server].__getitem__)
        services = self.services[server]

        def compare(a: int, b: int) -> int:
            return -self._compare(services[a], services[b], sign)

        return sorted(ready, key=functools.cmp_to_key(compare))

    def _ready(self, k: int, service: Service, sign: Sign) -> bool:
        if sign(LinearForm.unit(k), 0) <= 0 or (k in self.held and sign(self.held[k], 0) <= 0):
            return False
        return self.policy.sequencing is not Sequencing.BACK_PRESSURE or sign(pressure(service), 0) >= 0

    def _compare(self, a: Service, b: Service, sign: Sign) -> int:
        """The sign of (rank of a) − (rank of b)."""
        return sign(self._rank(a, b), 0) if a.buffer < b.buffer else -sign(self._rank(b, a), 0)

    def _rank(self, a: Service, b: Service) -> LinearForm:
        """Length, weight or pressure of a minus that of b."""
        return self._measure(a) - self._measure(b)

    def _measure(self, service: Service) -> LinearForm:
        if self.policy.sequencing is Sequencing.BACK_PRESSURE:
            return pressure(service)
        rank = service.rate if self.policy.sequencing is Sequencing.MAX_WEIGHT else Fraction(1)
        return LinearForm.unit(service.buffer) * rank


@functools.cache
def _orders(servers: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Orders of the servers: as listed first, backwards last, all between while they are few."""
    every = list(itertools.islice(itertools.permutations(servers), MOST_ORDERS + 1))
    if len(every) > MOST_ORDERS:
        shuffler = random.Random(0)
        every = [
            servers,
            *(tuple(shuffler.sample(servers, len(servers))) for _ in range(MOST_ORDERS - 2)),
            servers[::-1],
        ]
    return tuple(every)
