"""The model that the conditions speak of: state, pieces, normals and components, rebuilt from network and policy."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from verify.checker.core.components import Alternative, Component, Drifts, Guard, Jump, plain_component
from verify.checker.core.data import Policy
from verify.checker.core.forms import AT_LEAST, Form, Normals, piece_family
from verify.checker.core.guards import Guards
from verify.checker.core.state import State, Stream
from verify.checker.core.work import Work
from verify.checker.policies.jsq_as import JsqAs
from verify.checker.policies.servers import Groups, Servers, priority_groups


@dataclass(frozen=True)
class Model:
    """Everything the conditions need.

    word: how differences of pieces are called: "dominance" if V is the dominance function, else "piece".
    drifts, jumps: by number the mean drift of an alternative and its jumps, all over the common `denominator`.
    groups: see `priority_groups`; None where sequencing is not of that kind.
    """

    state: State
    pieces: tuple[Form, ...]
    word: str
    normals: Normals
    components: tuple[Component, ...]
    groups: Groups | None
    drifts: list[Form]
    jumps: list[tuple[Jump, ...]]
    denominator: int

    @property
    def work(self) -> Work:
        """Where steps are counted."""
        return self.normals.work

    @cached_property
    def rows(self) -> frozenset[str]:
        """The names of all rows of guards."""
        guards = [branch.guard for component in self.components for branch in component.branches]
        guards += [option.guard for option in self.alternatives()]
        return frozenset(fact.normal for guard in guards for fact in guard)

    @cached_property
    def rate_bits(self) -> int:
        """The length of the longest number among the mean drifts."""
        return max((drift.bits for drift in self.drifts), default=0)

    def root_signs(self, piece: int) -> dict[str, int]:
        """The root facts of a piece: x >= 0, and the piece is active: w_piece x >= w_j x for every other j."""
        family = piece_family(self.word, self.pieces, self.normals)
        facts = [family.at_least(piece, j) for j in range(len(self.pieces)) if j != piece]
        return {f"x({name})": AT_LEAST for name in self.state.names} | {fact.normal: fact.signs for fact in facts}

    def alternatives(self) -> Iterable[Alternative]:
        """All alternatives of all components."""
        branches = [branch for component in self.components for branch in component.branches]
        return (option for branch in branches for part in branch.parts for option in part.alternatives)


def build_model(
    state: State, policy: Policy, pieces: tuple[Form, ...], dominance: tuple[Form, ...], work: Work | None = None
) -> Model:
    """The model of a state, a policy that satisfies **policy**, the pieces of V and of the dominance function."""
    guards, drifts = Guards(state, policy.holding == "spillback", work), Drifts(state)
    if policy.preset:
        preset = JsqAs(state, guards, drifts)
        components = [preset.arrivals(stream) for stream in state.streams]
        components += [preset.server(server) for server in state.busy_servers()]
    else:
        servers = Servers(state, policy, guards, drifts)
        components = [_arrivals(state, policy, guards, drifts, index) for index in range(len(state.streams))]
        if policy.sequencing == "dominant":
            components.append(servers.dominant(dominance))
        else:
            components += [servers.component(server) for server in state.busy_servers()]
    word = "dominance" if pieces == dominance else "piece"
    guards.normals.word, guards.normals.pieces = word, pieces
    lists = drifts.forms, drifts.jumps, drifts.denominator
    return Model(state, pieces, word, guards.normals, tuple(components), priority_groups(state, policy), *lists)


# ---- section 8.4: arrivals -----------------------------------------------------------------------------------------
def _arrivals(state: State, policy: Policy, guards: Guards, drifts: Drifts, index: int) -> Component:
    """Component of a class (or of a buffer's arrivals): the routing decision at arrival."""
    stream = state.streams[index]
    if policy.routing == "bernoulli":
        split = [(None, e.buffer, stream.rate * (e.probability or 0)) for e in stream.entries]
        return plain_component(stream.name, "", [Alternative(f"{stream.name} / split", (), drifts.number(split))])
    alternatives = [
        Alternative(
            f"{stream.name} / {entry.label}",
            guards.listed(_entry_guard(state, policy, guards, index, number)),
            drifts.number([(None, entry.buffer, stream.rate)]),
        )
        for number, entry in enumerate(stream.entries)
    ]
    return plain_component(stream.name, "", alternatives)


def _entry_guard(state: State, policy: Policy, guards: Guards, index: int, number: int) -> Guard:
    """jsr: the route with the fewest jobs. jsq: the first server with the shortest queue.

    Sound because a uniform split at a tie is a mixture of the alternatives whose guards hold there.
    """
    stream: Stream = state.streams[index]
    labels = [entry.label for entry in stream.entries]
    if policy.routing == "jsq":
        return guards.shortest_queue(labels[number], labels)
    if policy.routing == "jsr":
        family = guards.routes(index, f"route({stream.name.removeprefix('class ')}:", labels)
        return tuple(family.at_least(other, number) for other in range(len(labels)) if other != number)
    return ()
