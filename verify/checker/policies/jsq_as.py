"""The preset jsq-as (FORMAT.md section 8.7), on the route expansion: moves between duplicates, and when jobs are held.

A server's longest subserver loses the job, whichever of its subservers is the source of the move. None is the exit,
where x = 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from verify.checker.core.components import Alternative, Component, Drifts, Guard, plain_component, subsets
from verify.checker.core.data import BufferNetwork, Network
from verify.checker.core.errors import Rejected, require
from verify.checker.core.forms import Form
from verify.checker.core.guards import Guards
from verify.checker.core.policy import Groups, Policy
from verify.checker.core.state import State, Stream, expansion, queue_state
from verify.checker.policies.graphs import check_preset

Sources = dict[int | None, tuple[int, ...]]


def sources_of_targets(state: State, server: str) -> Sources:
    """A server's targets in coordinate order, the exit last, and the subservers of the server from which they count.

    Sound because a move (k, j) is for k at the server and j any subserver of the server after k, on whatever route.
    """
    sources: dict[str, list[int]] = {}
    leaving: list[int] = []
    for k in state.buffers_of(server):
        j = state.successor(k)
        (leaving if j is None else sources.setdefault(state.place[j], [])).append(k)
    shared = {after: tuple(found) for after, found in sources.items()}
    targets = sorted(j for after in shared for j in state.buffers_of(after))
    last: Sources = {None: tuple(leaving)} if leaving else {}
    return {j: shared[state.place[j]] for j in targets} | last


def elsewhere(state: State, sources: Sources, target: int) -> list[int | None]:
    """The targets that are not subservers of this target's server; the exit counts as such.

    Sound to leave out the others: from the same sources an emptier one would be allowed, and would be taken.
    """
    return [j for j in sources if j is None or state.place[j] != state.place[target]]


MOST_BLOCKED = 6  # targets at other servers than one's own, whose subsets are listed
NAME = "jsq-as"


@dataclass(frozen=True)
class Preset(Policy):
    """A preset by its name; jsq-as is the only one (rule **policy**)."""

    name: str

    # ---- rules
    def check_network(self, network: Network) -> None:
        """One class; a prefix of a route and a suffix of another through a shared server make a route.

        Sound because section 8 defines the moves only under these requirements.
        """
        require(self.name == NAME, "policy", "preset", self.name, NAME)
        if isinstance(network, BufferNetwork) or len(network.classes) != 1:
            raise Rejected("policy", "preset jsq-as", "another network", "a route network with one class")
        check_preset(network.classes[0])

    def check_state(self, state: State, condition: str) -> None:
        """Not under U: forbidden moves are listed at ties besides, which is enough for an upper bound, but not for a path
        that is sure. Sets of forbidden targets are listed one by one, so they are few.
        """
        require(condition != "growth", "policy", "condition growth", self.name, "no preset")
        for server in state.busy_servers() if condition != "capacity" else ():
            sources = sources_of_targets(state, server)
            first = {state.place[target]: target for target in reversed(sources) if target is not None}
            for target in first.values():  # one at each server
                number, name = len(elsewhere(state, sources, target)), state.names[target]
                where = f"jsq-as, targets of server {server} elsewhere than {name}"
                require(number <= MOST_BLOCKED, "policy", where, number, f"<= {MOST_BLOCKED}")

    def check_cells(self, state: State, where: str) -> None:
        """No buffer has several servers."""

    def check_faces(self, state: State) -> Groups:
        """Never: its moves compare."""
        raise Rejected("faces-policy", "routing", "", "fixed or bernoulli")

    def check_product(self, state: State) -> None:
        """Never, for the same reason."""
        raise Rejected("product-form", "routing", self.name, "fixed or bernoulli")

    # ---- the walk
    def state(self, network: Network, condition: str) -> State:
        """Jobs change routes: condition N sees only servers, the others the subservers that the policy looks at."""
        if isinstance(network, BufferNetwork):
            raise Rejected("policy", "preset jsq-as", "another network", "a route network with one class")
        return queue_state(network) if condition == "capacity" else expansion(network, lambda job_class, route: None)

    def pieces(self, state: State) -> tuple[Form, ...]:
        """It has no function."""
        return ()

    def components(self, state: State, guards: Guards, drifts: Drifts, pieces: tuple[Form, ...]) -> list[Component]:
        """The stream, then the servers."""
        moves = Moves(state, guards, drifts)
        arrivals = [moves.arrivals(stream) for stream in state.streams]
        return arrivals + [moves.server(server) for server in state.busy_servers()]

    def entry_value(self, stream: Stream, workload: Form) -> Fraction:
        """The least: an arrival joins one of the first subservers."""
        return Fraction(min(workload.entries.get(entry.buffer, 0) for entry in stream.entries), workload.denominator)

    # ---- words
    def scope(self, network: Network) -> str:
        """Its moves."""
        return f"the moves of preset {self.name} in any order"

    def phrase(self, state: State, uniform: bool) -> str:
        """Its name."""
        return f"preset {self.name} (ties in any way)"


class Moves:
    """Builds the components of the preset."""

    def __init__(self, state: State, guards: Guards, drifts: Drifts) -> None:
        self.state = state
        self.guards = guards
        self.drifts = drifts

    def arrivals(self, stream: Stream) -> Component:
        """An arrival joins the first subserver with the fewest jobs.

        Sound because a uniform split at a tie is a mixture of these alternatives, all of whose guards hold there.
        """
        first = [entry.buffer for entry in stream.entries]
        alternatives = [
            Alternative(
                f"{stream.name} / {self.state.names[k]}",
                tuple(self.guards.lengths.at_least(other, k) for other in first if other != k),
                self.drifts.number([(None, k, stream.rate)]),
            )
            for k in first
        ]
        return plain_component(stream.name, "", alternatives)

    def server(self, server: str) -> Component:
        """The longest subserver loses a job to the emptiest allowed target, or all targets are forbidden: held."""
        sources = sources_of_targets(self.state, server)
        own = self.state.buffers_of(server)
        found: list[Alternative] = []
        for s in own:
            longest = self.guards.longest(s, [other for other in own if other != s])
            if None in sources:
                found.append(self.move(server, s, None, longest, ""))
            for j in (target for target in sources if target is not None):
                for note, guard in self.emptiest(sources, j):
                    found.append(self.move(server, s, j, longest + guard, note))
        forbidden = tuple(fact for target in sources for fact in self.forbidden(sources, target))
        found.append(Alternative(f"server {server} / (held)", forbidden, self.drifts.number([])))
        return plain_component(f"server {server}", server, found)

    def move(self, server: str, buffer: int, target: int | None, guard: Guard, note: str) -> Alternative:
        """One job from the buffer to the target, at the server's rate."""
        rate = self.state.services_of(server)[0].rate
        name = f"server {server} / {self.state.names[buffer]} > {self.name(target)}{note}"
        return Alternative(
            name, self.guards.listed(guard), self.drifts.number([(buffer, target, rate)]), buffer, (target,)
        )

    def emptiest(self, sources: Sources, target: int) -> Iterator[tuple[str, Guard]]:
        """The ways in which a target can be the emptiest allowed one: its source, and the emptier ones forbidden.

        Sound because a target that is taken has some source that is longer, and every other target is either not
        emptier or forbidden; the set of the forbidden ones at other servers is one of the subsets.
        """
        for source in sources[target]:
            for blocked in subsets(elsewhere(self.state, sources, target)):
                guard: Guard = (self.guards.lengths.at_least(source, target),)
                for other in (other for other in sources if other != target and other not in blocked):
                    guard += self.at_most(target, other)
                for other in blocked:
                    guard += self.forbidden(sources, other)
                note = f" blocked {', '.join(self.name(other) for other in blocked)}" if blocked else ""
                yield f" from {self.state.names[source]}{note}", guard

    def at_most(self, target: int, other: int | None) -> Guard:
        """x_target <= x_other."""
        return self.guards.empty([target]) if other is None else (self.guards.lengths.at_least(other, target),)

    def forbidden(self, sources: Sources, target: int | None) -> Guard:
        """No source has more jobs than the target."""
        if target is None:
            return self.guards.empty(sources[target])
        return tuple(self.guards.lengths.at_least(target, source) for source in sources[target])

    def name(self, target: int | None) -> str:
        """How a target is called."""
        return "exit" if target is None else self.state.names[target]
