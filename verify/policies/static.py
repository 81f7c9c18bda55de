"""Sequencings that ask only which buffers are ready: groups of buffers, each before the next, free choice inside (theory 1.3)."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar

from verify.chain.components import Alternative, Component, single
from verify.network.expansion import Expansion, Service
from verify.policies.passing_over import passing_over
from verify.policies.rules import SequencingRule, Setting
from verify.policies.serving import idle, serving


class StaticSequencing(SequencingRule):
    """Serve K where no buffer of a higher group is ready."""

    static: ClassVar[bool] = True

    @abstractmethod
    def groups(self, server: str, expansion: Expansion) -> tuple[tuple[int, ...], ...]:
        """Buffers of the server, highest priority group first."""

    def components(self, setting: Setting) -> tuple[Component, ...]:
        """One component for each server."""
        servers = setting.expansion.busy_servers
        return tuple(single(f"server {n}", tuple(self._alternatives(n, setting)), n) for n in servers)

    def _alternatives(self, server: str, setting: Setting) -> Iterator[Alternative]:
        name = f"server {server}"
        groups = self.groups(server, setting.expansion)
        level = {k: number for number, group in enumerate(groups) for k in group}
        for service in setting.expansion.at(server):
            higher = [k for k in level if level[k] < level[service.buffer]]
            least = self._jobs_needed(service, setting)
            for a in serving(name, "", service, setting.readiness.unready(higher), setting):
                yield replace(passing_over(a, server, higher, setting), least=least)
        yield passing_over(idle(name, setting.readiness.unready(level)), server, level, setting)

    def _jobs_needed(self, service: Service, setting: Setting) -> int:
        """The server works on the buffer only where it holds so many jobs: one for itself, and one for each server before it
        in the server order that prefers this buffer to all its others (it would take this server's job otherwise)."""
        order = setting.server_order.get(setting.expansion.names[service.buffer], ())
        before = order[: order.index(service.server)] if order else ()
        highest = [self.groups(server, setting.expansion)[0] for server in before]
        return 1 + sum(group == (service.buffer,) for group in highest)
