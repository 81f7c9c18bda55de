"""What a sequencing word says, and the two kinds of which most are: by groups, comparing (FORMAT.md sections 3.3, 5, 8.5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from verify.checker.core.components import Alternative, Component, Guard, plain_component, subsets
from verify.checker.core.errors import require
from verify.checker.core.forms import Family, Form
from verify.checker.core.policy import Groups
from verify.checker.core.state import Service, State
from verify.checker.policies.key import AnyKey, Details
from verify.checker.policies.walk import Walk


@dataclass(frozen=True)
class Sequencing:
    """A sequencing word, by its name; one that no room knows is one of this class (rule **policy** rejects it).

    keys: what it owns in a policy. on_routes: it needs a route expansion. comparing: it lists subsets of held buffers.
    in_cells: conditions H and U admit it. works_alone: with one buffer a server serves it whenever it holds a job
    (rule **product-form**). priority_witness: a priority order is one of its policies; order_witness: any
    order of servers is (rule **U-witness**).
    """

    name: str
    keys: ClassVar[tuple[AnyKey, ...]] = ()
    on_routes: ClassVar[bool] = False
    comparing: ClassVar[bool] = False
    in_cells: ClassVar[bool] = True
    works_alone: ClassVar[bool] = True
    priority_witness: ClassVar[bool] = False
    order_witness: ClassVar[bool] = True

    # ---- what it asks
    def check_state(self, state: State) -> None:
        """**policy**: the word is defined on these coordinates."""
        expansion = bool(state.routes) or not self.on_routes
        require(expansion, "policy", self.name, "no route expansion", "a route expansion")

    def check_details(self, details: Details, state: State) -> None:
        """**policy**: its own keys, as far as they are given, speak of this state."""

    def check_walked(self, state: State) -> None:
        """**policy**: what it asks for all conditions but N."""

    # ---- the walk
    def groups(self, details: Details, state: State) -> Groups | None:
        """For each server its buffers in groups, the highest first; it serves some buffer of its highest ready group."""
        return None

    def pieces(self, details: Details, state: State) -> tuple[Form, ...]:
        """**function** for the word's own function, if it has one."""
        return ()

    def components(self, walk: Walk) -> list[Component]:
        """Each server for itself: what it serves, and where the job goes."""
        return [
            plain_component(f"server {server}", server, (*self.services(walk, server), self.idle(walk, server)))
            for server in walk.state.busy_servers()
        ]

    def services(self, walk: Walk, server: str) -> list[Alternative]:
        """The alternatives of a server that serve a buffer."""
        raise NotImplementedError(self.name)

    def idle(self, walk: Walk, server: str) -> Alternative:
        """A server idles only when all its buffers are empty or held."""
        return walk.idle(f"server {server} / ", walk.unready(server, walk.state.buffers_of(server)))

    # ---- words and files
    def phrase(self, details: Details, state: State) -> str:
        """The word in a claim."""
        return self.name

    def addition(self, details: Details, state: State) -> str:
        """What the claim says of its keys after the three words; perhaps nothing."""
        return ""

    def completed(self, asked: Details, claimed: Details) -> Details:
        """What a file asks for, with what it leaves open taken from the certificate (section 26)."""
        return asked


class Grouped(Sequencing):
    """Serves a buffer of the highest group in which something is ready."""

    def rank(self, details: Details, state: State, server: str) -> Mapping[int, int]:
        """For each buffer of a server the place of its group, the least the highest."""
        raise NotImplementedError(self.name)

    def groups(self, details: Details, state: State) -> Groups:
        """By rank."""
        groups: dict[str, tuple[tuple[int, ...], ...]] = {}
        for server in state.busy_servers():
            buffers, rank = state.buffers_of(server), self.rank(details, state, server)
            levels = sorted(set(rank.values()))
            groups[server] = tuple(tuple(k for k in buffers if rank[k] == level) for level in levels)
        return groups

    def services(self, walk: Walk, server: str) -> list[Alternative]:
        """Every buffer of a higher group is empty or held, or its jobs are with other servers.

        Sound because the server serves the highest group in which something is ready; within it the choice is free.
        """
        found: list[Alternative] = []
        groups = (walk.groups or {})[server]
        for service in walk.state.services_of(server):
            own = next(index for index, group in enumerate(groups) if service.buffer in group)
            higher = walk.unready(server, (k for group in groups[:own] for k in group))
            found += walk.serve(f"server {server} / ", service, higher)
        return found


class Comparing(Sequencing):
    """Serves a ready buffer whose member of a family of forms is the largest."""

    comparing: ClassVar[bool] = True

    def family(self, walk: Walk, server: str) -> Family:
        """What is compared: a form for each buffer of the server."""
        raise NotImplementedError(self.name)

    def own_guard(self, walk: Walk, service: Service) -> Guard:
        """What is asked of the buffer served besides."""
        return ()

    def job(self, walk: Walk, service: Service) -> Fraction:
        """How much a job of the buffer adds to its member of the family at most; other buffers add nothing."""
        return Fraction(1)

    def services(self, walk: Walk, server: str) -> list[Alternative]:
        """Serving the largest; one entry for each set of held others.

        Sound because held buffers do not take part in the comparison; of the rest, an empty one has nothing to compare
        that is larger (x = 0, weight 0, pressure <= 0), one that may be held counts as held when it is empty, and one
        whose few jobs are all with other servers is empty in the closed cone, and on integer points larger by no more
        than these jobs add.
        """
        found: list[Alternative] = []
        family, buffers = self.family(walk, server), walk.state.buffers_of(server)
        slack = [self.job(walk, one) * walk.sharing.spare(server, one.buffer) for one in walk.state.services_of(server)]
        for own, service in enumerate(walk.state.services_of(server)):
            others = [k for k in range(len(buffers)) if k != own]
            for held in subsets([k for k in others if walk.holding.may_hold(walk.state, buffers[k])]):
                largest = tuple(family.at_least(own, k, slack[k]) for k in others if k not in held)
                guard = self.own_guard(walk, service) + largest + walk.unready(server, (buffers[k] for k in held))
                names = ", ".join(walk.state.names[buffers[k]] for k in held)
                found += walk.serve(f"server {server} / ", service, guard, f" (held {names})" if held else "")
        return found


def buffer_family(walk: Walk, prefix: str, server: str, members: Sequence[Form]) -> Family:
    """Forms of a server's buffers, compared by the buffers' names."""
    names = [walk.state.names[k] for k in walk.state.buffers_of(server)]
    return Family(prefix, names, members, walk.guards.normals)
