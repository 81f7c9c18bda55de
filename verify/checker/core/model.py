"""The model that the conditions speak of: state, pieces, normals and components, rebuilt from network and policy."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from verify.checker.core.components import Alternative, Component, Drifts, Jump
from verify.checker.core.forms import AT_LEAST, Form, Normals, piece_family
from verify.checker.core.guards import Guards
from verify.checker.core.policy import Policy
from verify.checker.core.state import State
from verify.checker.core.work import Work


@dataclass(frozen=True)
class Model:
    """Everything the conditions need.

    word: how differences of pieces are called: "dominance" if V is the dominance function, else "piece".
    drifts, jumps: by number the mean drift of an alternative and its jumps, all over the common `denominator`.
    """

    state: State
    pieces: tuple[Form, ...]
    word: str
    normals: Normals
    components: tuple[Component, ...]
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
    """The model of a state, a policy that satisfies **policy**, the pieces of V and of the policy's own function."""
    guards, drifts = Guards(state, work), Drifts(state)
    components = policy.components(state, guards, drifts, dominance)
    word = "dominance" if pieces == dominance else "piece"
    guards.normals.word, guards.normals.pieces = word, pieces
    lists = drifts.forms, drifts.jumps, drifts.denominator
    return Model(state, pieces, word, guards.normals, tuple(components), *lists)
