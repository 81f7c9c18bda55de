"""The preset jsq-as: join the shortest queue with artificial spillback ([Xie & Jin 2020], Theorem 2; theory 1.6).

State: the route expansion.  A server works on its longest subserver S; a finished job may make the move (k, j) for a subserver k
of that server and a subserver j of the server after k (or the exit, x_j = 0), allowed iff x_j < x_k; the move with the least x_j
is taken, so x_S falls and x_j rises.  Without an allowed move the server holds.  As the paper tests one successor and then joins
the shorter of its duplicates, this is the same up to the balance of duplicates.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from verify.chain.components import Alternative, Component, Jump, single
from verify.chain.guards import Guard, Normal, Normals, Signs, intersect
from verify.errors import NotWalked
from verify.linear_form import LinearForm
from verify.network.expansion import Expansion, Stream
from verify.policies.comparing import MOST_BUFFERS
from verify.policies.holding import coordinate, difference

#: The exit as a target: an index no buffer has.
EXIT = -1


@dataclass(frozen=True)
class _Moves:
    """The moves of one server: ``sources`` of each target, and for each target the server it belongs to ("" for the exit)."""

    sources: Mapping[int, tuple[int, ...]]
    server_of: Mapping[int, str]


def jsq_as_components(expansion: Expansion, normals: Normals) -> tuple[Component, ...]:
    """The arrival component and one component for each server.  Raises ``NotWalked`` for too many targets."""
    builder = _JsqAs(expansion, normals)
    arrivals = [single(stream.name, tuple(builder.arrivals(stream))) for stream in expansion.streams]
    servers = [single(f"server {server}", tuple(builder.server(server))) for server in expansion.busy_servers]
    return (*arrivals, *servers)


class _JsqAs:
    def __init__(self, expansion: Expansion, normals: Normals):
        self.expansion, self.normals = expansion, normals
        self.server_of = {service.buffer: service.server for service in expansion.services}

    def arrivals(self, stream: Stream) -> Iterator[Alternative]:
        """Join the first subserver with the smallest x."""
        entries = [k for destination in stream.destinations for k in destination.distribution]
        for k in entries:
            guard = self._at_most(k, [other for other in entries if other != k])
            jump = Jump(stream.rate, stream.symbol, Fraction(1), LinearForm.unit(k))
            yield Alternative(f"{stream.name} / {self.expansion.names[k]}", guard, (jump,))

    def server(self, server: str) -> Iterator[Alternative]:
        """Every longest subserver with every move that may be the least, and holding."""
        moves = self._moves(server)
        members = self.expansion.queue(server)
        for longest in members:
            first = self._at_least(longest, [k for k in members if k != longest])
            if EXIT in moves.sources:
                yield self._move(server, longest, EXIT, "exit", first)
            for target in moves.sources:
                if target != EXIT:
                    yield from self._moves_to(server, longest, target, moves, first)
        yield Alternative(f"server {server} / (held)", self._blocked(moves.sources, moves), ())

    def _moves_to(self, server: str, longest: int, target: int, moves: _Moves, first: Guard) -> Iterator[Alternative]:
        """The target is allowed by some source; of the others each one is blocked, or not smaller.  Within the target's own
        server a smaller one would be allowed, so only targets elsewhere may be blocked."""
        elsewhere = [j for j in moves.sources if moves.server_of[j] != moves.server_of[target]]
        if len(elsewhere) > MOST_BUFFERS:
            raise NotWalked(f"jsq-as with more than {MOST_BUFFERS} other targets at server {server}")
        for source in moves.sources[target]:
            for size in range(len(elsewhere) + 1):
                for blocked in itertools.combinations(elsewhere, size):
                    open_ones = [j for j in moves.sources if j != target and j not in blocked]
                    guard = {**first, **self._at_least(source, [target]), **self._at_most(target, open_ones)}
                    label = f"{self.expansion.names[target]} from {self.expansion.names[source]}"
                    if blocked:
                        label += f" blocked {', '.join(map(self._name, blocked))}"
                    combined = intersect(guard, self._blocked(blocked, moves))
                    if combined is not None:
                        yield self._move(server, longest, target, label, combined)

    def _moves(self, server: str) -> _Moves:
        """Targets in coordinate order, the exit last."""
        sources: dict[int, list[int]] = {}
        after: dict[str, list[int]] = {}
        for k in self.expansion.queue(server):
            follower = self.expansion.successor(k)
            after.setdefault("" if follower is None else self.server_of[follower], []).append(k)
        for next_server, own in after.items():
            for target in self.expansion.queue(next_server) if next_server else (EXIT,):
                sources[target] = own
        ordered = sorted(sources, key=lambda j: (j == EXIT, j))
        return _Moves({j: tuple(sources[j]) for j in ordered}, {**self.server_of, EXIT: ""})

    def _move(self, server: str, longest: int, target: int, label: str, guard: Guard) -> Alternative:
        service = next(s for s in self.expansion.at(server) if s.buffer == longest)
        arriving = LinearForm() if target == EXIT else LinearForm.unit(target)
        change = arriving - LinearForm.unit(longest)
        name = f"server {server} / {self.expansion.names[longest]} > {label}"
        return Alternative(name, guard, (Jump(service.rate, service.symbol, Fraction(1), change),), longest)

    def _blocked(self, targets: Sequence[int] | Mapping[int, tuple[int, ...]], moves: _Moves) -> dict[Normal, Signs]:
        """No source of these targets has more jobs than the target."""
        guard: dict[Normal, Signs] = {}
        for j in targets:
            for source in moves.sources[j]:
                guard |= self._at_most(source, [j])
        return guard

    def _at_most(self, k: int, others: Sequence[int]) -> dict[Normal, Signs]:
        """x_k <= x_j for all the others; the exit has x = 0."""
        return {
            coordinate(k, self.expansion, self.normals) if j == EXIT else self._length(k, j): (
                Signs.ZERO if j == EXIT else Signs.NOT_POSITIVE if k < j else Signs.NOT_NEGATIVE
            )
            for j in others
        }

    def _at_least(self, k: int, others: Sequence[int]) -> dict[Normal, Signs]:
        """x_k >= x_j for all the others (no exit among them)."""
        return {self._length(k, j): Signs.NOT_NEGATIVE if k < j else Signs.NOT_POSITIVE for j in others}

    def _length(self, k: int, j: int) -> Normal:
        first, second = min(k, j), max(k, j)
        name = f"length({self.expansion.names[first]} - {self.expansion.names[second]})"
        return self.normals.get(name, partial(difference, first, second))

    def _name(self, j: int) -> str:
        return "exit" if j == EXIT else self.expansion.names[j]
