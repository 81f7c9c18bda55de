"""The model that the conditions speak of: state, pieces, normals and components, rebuilt from network and policy."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from verify.checker.components import Alternative, Component, Drifts, Guard, Jump, plain_component
from verify.checker.data import Policy
from verify.checker.forms import AT_LEAST, Family, Form, Normals, count, piece_family
from verify.checker.guards import Guards
from verify.checker.jsq_as import JsqAs
from verify.checker.servers import Groups, Servers, priority_groups
from verify.checker.state import State, Stream


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

    def root_signs(self, piece: int) -> dict[str, int]:
        """The root facts of a piece: x >= 0, and the piece is active: w_piece x >= w_j x for every other j."""
        family = piece_family(self.word, self.pieces, self.normals)
        facts = [family.at_least(piece, j) for j in range(len(self.pieces)) if j != piece]
        return {f"x({name})": AT_LEAST for name in self.state.names} | {fact.normal: fact.signs for fact in facts}

    def alternatives(self) -> Iterable[Alternative]:
        """All alternatives of all components."""
        branches = [branch for component in self.components for branch in component.branches]
        return (option for branch in branches for part in branch.parts for option in part.alternatives)


def build_model(state: State, policy: Policy, pieces: tuple[Form, ...], dominance: tuple[Form, ...]) -> Model:
    """The model of a state, a policy that satisfies **policy**, the pieces of V and of the dominance function."""
    guards, drifts = Guards(state, policy.holding == "spillback"), Drifts(state)
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
    _add_differences(piece_family(word, pieces, guards.normals))
    lists = drifts.forms, drifts.jumps, drifts.denominator
    return Model(state, pieces, word, guards.normals, tuple(components), priority_groups(state, policy), *lists)


def _add_differences(family: Family) -> None:
    """All differences of pieces are normals."""
    for i in range(len(family.members)):
        for j in range(i + 1, len(family.members)):
            family.at_least(i, j)


# ---- section 4.1: arrivals -----------------------------------------------------------------------------------------
def _arrivals(state: State, policy: Policy, guards: Guards, drifts: Drifts, index: int) -> Component:
    """Component of a class (or of a buffer's arrivals): the routing decision at arrival."""
    stream = state.streams[index]
    if policy.routing == "bernoulli":
        split = [(None, e.buffer, stream.rate * (e.probability or 0)) for e in stream.entries]
        return plain_component(stream.name, "", [Alternative(f"{stream.name} / split", (), drifts.number(split))])
    alternatives = [
        Alternative(
            f"{stream.name} / {entry.label}",
            _entry_guard(state, policy, guards, index, number),
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
        spans = [count(span) for span in state.routes[index]]
        family = Family(f"route({stream.name.removeprefix('class ')}:", labels, spans, guards.normals)
        return tuple(family.at_least(other, number) for other in range(len(spans)) if other != number)
    return ()
