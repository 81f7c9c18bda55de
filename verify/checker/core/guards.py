"""The facts of which guards are made, all closed, and the normals they speak of (FORMAT.md section 8)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from verify.checker.core.components import Guard
from verify.checker.core.forms import EQUAL, Fact, Family, Normals, count
from verify.checker.core.state import State
from verify.checker.core.work import Work


class Guards:
    """Writes facts about the coordinates and queues of a state, and collects their normals."""

    def __init__(self, state: State, work: Work | None = None) -> None:
        self.state = state
        self.work = work or Work()
        self.normals = Normals(self.work)
        self.zero = tuple(Fact(f"x({name})", EQUAL) for name in state.names)
        coordinates = [count([k]) for k in range(len(state.names))]
        for name, coordinate in zip(state.names, coordinates, strict=True):
            self.normals.add(f"x({name})", coordinate, count([]))
        queues = [count(state.buffers_of(server)) for server in state.servers]
        self.lengths = Family("length(", state.names, coordinates, self.normals)
        self.queues = Family("queue(", state.servers, queues, self.normals, uniform=True)

    def listed(self, guard: Guard) -> Guard:
        """The whole guard of an alternative; its facts are counted."""
        self.work.spend(50 + 4 * len(guard), "facts of guards")
        return guard

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
