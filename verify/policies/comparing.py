"""Sequencings that compare buffers: each buffer has a rank, a linear form, and the largest is served (theory 1.3)."""

from __future__ import annotations

import itertools
from abc import abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import ClassVar

from verify.chain.components import Alternative, Component, single
from verify.chain.guards import Guard, Normal, Signs
from verify.errors import NotWalked
from verify.linear_form import LinearForm
from verify.network.expansion import Service
from verify.policies.passing_over import most_elsewhere, passing_over
from verify.policies.rules import SequencingRule, Setting
from verify.policies.serving import idle, serving

#: Alternatives by subsets of held buffers are listed for at most this many buffers of a server.
MOST_BUFFERS = 6


class ComparingSequencing(SequencingRule):
    """Serve a ready buffer whose rank no other ready one exceeds."""

    compares: ClassVar[bool] = True

    @abstractmethod
    def rank(self, service: Service) -> LinearForm:
        """What is compared."""

    def difference_name(self, server: str, pair: str) -> str:
        """How certificates name the difference of two ranks.  ``pair``: "first - second"."""
        return f"length({pair})"

    def least(self, service: Service) -> LinearForm | None:
        """A form that must not be negative for the buffer to be served."""
        return None

    def worth(self, service: Service) -> Fraction:
        """How much a job in the buffer raises its rank at most."""
        return self.rank(service).entry(service.buffer)

    def components(self, setting: Setting) -> tuple[Component, ...]:
        """One component for each server."""
        servers = setting.expansion.busy_servers
        return tuple(single(f"server {n}", tuple(self._alternatives(n, setting)), n) for n in servers)

    def _alternatives(self, server: str, setting: Setting) -> Iterator[Alternative]:
        name, comparison = f"server {server}", _Comparison(self, server, setting)
        for service in setting.expansion.at(server):
            for addition, guard in comparison.guards(service.buffer):
                yield from (comparison.at_integers(a) for a in serving(name, addition, service, guard, setting))
        yield comparison.at_integers(idle(name, comparison.idle()))


class _Comparison:
    """The order in which one server ranks its buffers."""

    def __init__(self, rule: ComparingSequencing, server: str, setting: Setting):
        self.rule, self.server, self.setting = rule, server, setting
        self.services = {service.buffer: service for service in setting.expansion.at(server)}
        self.thresholds = self._thresholds()

    def guards(self, k: int) -> Iterator[tuple[str, Guard]]:
        """(addition to the name, guard) for serving K: one, or where buffers may be held one for each set of held buffers."""
        readiness, names = self.setting.readiness, self.setting.expansion.names
        others = [other for other in self.services if other != k]
        holdable = [other for other in others if readiness.may_be_held(other)]
        if holdable and len(self.services) > MOST_BUFFERS:
            raise NotWalked(f"spillback with {self.rule} and more than {MOST_BUFFERS} buffers at a server")
        for size in range(len(holdable) + 1):
            for held in itertools.combinations(holdable, size):
                guard: dict[Normal, Signs] = dict(readiness.unready(held))
                for other in others:
                    if other not in held:
                        guard |= self._at_least(k, other)
                shown = ", ".join(names[other] for other in held)
                yield (f" (held {shown})" if held else "", {**guard, **self._worth(k), **readiness.ready(k)})

    def idle(self) -> Guard:
        """Nothing to do: no buffer ready, or none worth serving."""
        if self.thresholds:
            return dict.fromkeys(self.thresholds.values(), Signs.NOT_POSITIVE)
        return self.setting.readiness.unready(self.services)

    def at_integers(self, alternative: Alternative) -> Alternative:
        """With what its guard says on integer points where buffers are shared: another buffer may rank higher by as much as the
        jobs in it that may all be with other servers are worth, what is held or worth serving may be so by as many."""
        if not self.setting.expansion.shared:
            return alternative
        here = passing_over(
            alternative, self.server, (k for k in self.services if k != alternative.serves), self.setting
        )
        slack = dict(here.slack)
        for normal in alternative.guard:
            other = self._passed_over(normal, alternative.serves)
            if other is not None and (most := most_elsewhere(self.server, other, self.setting)):
                slack[normal] = most * self.rule.worth(self.services[other])
        return replace(here, slack=slack)

    def _passed_over(self, normal: Normal, served: int | None) -> int | None:
        """The other buffer of a comparison, or the one that is not worth serving where the server idles; None for other facts."""
        if served is None:
            return next((k for k, threshold in self.thresholds.items() if threshold is normal), None)
        return next((k for k in self.services if k != served and self._difference_of(served, k) is normal), None)

    def _difference_of(self, k: int, other: int) -> Normal:
        return self._difference(min(k, other), max(k, other))

    def _worth(self, k: int) -> Guard:
        return {self.thresholds[k]: Signs.NOT_NEGATIVE} if k in self.thresholds else {}

    def _thresholds(self) -> Mapping[int, Normal]:
        """Buffers that are served only where a form, which is their rank, is not negative."""
        names, normals = self.setting.expansion.names, self.setting.normals
        return {
            k: normals.get(self.rule.difference_name(self.server, names[k]), partial(LinearForm, form))
            for k, service in self.services.items()
            if (form := self.rule.least(service)) is not None
        }

    def _at_least(self, k: int, other: int) -> Guard:
        """K ranks at least as high as the other buffer."""
        return {self._difference_of(k, other): Signs.NOT_NEGATIVE if k < other else Signs.NOT_POSITIVE}

    def _difference(self, first: int, second: int) -> Normal:
        names, rank = self.setting.expansion.names, self.rule.rank
        name = self.rule.difference_name(self.server, f"{names[first]} - {names[second]}")
        return self.setting.normals.get(name, lambda: rank(self.services[first]) - rank(self.services[second]))
