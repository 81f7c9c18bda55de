"""The facts of which guards are made, all closed, and the normals they speak of (FORMAT.md section 8)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction

from verify.checker.core.components import Guard
from verify.checker.core.forms import AT_LEAST, AT_MOST, EQUAL, Fact, Family, Form, Normals, count, form
from verify.checker.core.state import Service, State
from verify.checker.core.work import Work


class Guards:
    """Writes facts about the coordinates, queues, weights and pressures of a state, and collects their normals."""

    def __init__(self, state: State, spillback: bool, work: Work | None = None) -> None:
        self.state = state
        self.spillback = spillback
        self.work = work or Work()
        self.normals = Normals(self.work)
        self.zero = tuple(Fact(f"x({name})", EQUAL) for name in state.names)
        self.compared: dict[tuple[str, str], Family] = {}
        self.lengths_of_routes: dict[int, Family] = {}
        coordinates = [count([k]) for k in range(len(state.names))]
        for name, coordinate in zip(state.names, coordinates, strict=True):
            self.normals.add(f"x({name})", coordinate, count([]))
        queues = [count(state.buffers_of(server)) for server in state.servers]
        self.lengths = Family("length(", state.names, coordinates, self.normals)
        self.queues = Family("queue(", state.servers, queues, self.normals)

    def listed(self, guard: Guard) -> Guard:
        """The whole guard of an alternative; its facts are counted."""
        self.work.spend(50 + 4 * len(guard), "facts of guards")
        return guard

    # ---- buffers and queues
    def empty(self, buffers: Iterable[int | None]) -> Guard:
        """x_k = 0 for these buffers; the exit is always empty."""
        return tuple(self.zero[k] for k in buffers if k is not None)

    def longest(self, buffer: int, others: Iterable[int]) -> Guard:
        """x_buffer >= x_other for all the others."""
        return tuple(self.lengths.at_least(buffer, other) for other in others)

    def shortest_queue(self, server: str, servers: Sequence[str]) -> Guard:
        """Q_server <= Q_other for every other one of the servers."""
        rank = self.state.server_rank
        return tuple(self.queues.at_least(rank[other], rank[server]) for other in servers if other != server)

    def routes(self, stream: int, prefix: str, labels: Sequence[str]) -> Family:
        """The numbers of jobs on the routes of a class."""
        if stream not in self.lengths_of_routes:
            spans = [count(span) for span in self.state.routes[stream]]
            self.lengths_of_routes[stream] = Family(prefix, labels, spans, self.normals)
        return self.lengths_of_routes[stream]

    # ---- holding
    def may_be_held(self, buffer: int) -> bool:
        """Whether a non-empty buffer may be held: under spillback, if it has a successor other than the exit."""
        return self.spillback and self.state.successor(buffer) is not None

    def hold(self, buffer: int, signs: int) -> Fact:
        """How x_buffer compares with x_successor."""
        name, after = f"hold({self.state.names[buffer]})", self.state.successor(buffer)
        self.normals.add(name, count([buffer]), count([] if after is None else [after]))
        return Fact(name, signs)

    def unready(self, buffers: Iterable[int], spare: Callable[[int], int]) -> Guard:
        """None of these buffers may be served; `spare`: up to how many jobs of one may all be with other servers.

        Sound because what is not served is empty or held, and either way x_k <= x_successor where it may be held; or its
        few jobs are with other servers, and then x_k = 0 in the closed cone, which satisfies both.
        """
        return tuple(
            self.hold(k, AT_MOST) if self.may_be_held(k) else Fact(f"x({self.state.names[k]})", EQUAL, spare(k))
            for k in buffers
        )

    def ready(self, buffer: int) -> Guard:
        """The buffer may be served: it is not held (that it is not empty closes to no information)."""
        return (self.hold(buffer, AT_LEAST),) if self.may_be_held(buffer) else ()

    # ---- weights and pressures
    def weights(self, server: str) -> Family:
        """rate * x_k of the server's buffers."""
        return self._family("weight", server, lambda service: form({service.buffer: service.rate}))

    def pressures(self, server: str) -> Family:
        """p_k of the server's buffers."""
        return self._family("pressure", server, _pressure)

    def pressure(self, service: Service, signs: int) -> Fact:
        """The sign of p_k."""
        name = f"pressure({service.server}: {self.state.names[service.buffer]})"
        self.normals.add(name, _pressure(service), count([]))
        return Fact(name, signs)

    def _family(self, word: str, server: str, member: Callable[[Service], Form]) -> Family:
        if (word, server) not in self.compared:
            labels = [self.state.names[k] for k in self.state.buffers_of(server)]
            members = [member(service) for service in self.state.services_of(server)]
            self.compared[word, server] = Family(f"{word}({server}: ", labels, members, self.normals)
        return self.compared[word, server]


def _pressure(service: Service) -> Form:
    """p_k = rate * (x_k - mean of x_next); there is one destination (rule **policy**), perhaps with random outcomes."""
    total = {service.buffer: service.rate}
    for outcome in service.destinations[0].outcomes:
        if outcome.target is not None:
            flow = service.rate * outcome.probability
            total[outcome.target] = total.get(outcome.target, Fraction(0)) - flow
    return form(total)
