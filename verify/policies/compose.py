"""From network and policy to the components of the chain."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from verify.chain.components import Component, branches_with_alternatives
from verify.chain.guards import Normal, Normals
from verify.chain.pieces import maximal_piece
from verify.functions.explicit import build
from verify.functions.piecewise import PiecewiseLinear
from verify.network.expansion import Expansion
from verify.policies.instance import Instance
from verify.policies.rules import coordinate


@dataclass(frozen=True, eq=False)
class Walk:
    """The chain of one question: expansion, normals, components (theory 2.1)."""

    instance: Instance
    expansion: Expansion
    normals: Normals
    components: tuple[Component, ...]
    dominance: PiecewiseLinear | None

    @cached_property
    def coordinates(self) -> tuple[Normal, ...]:
        """The normals x_k."""
        return tuple(coordinate(k, self.expansion, self.normals) for k in range(len(self.expansion.buffers)))

    def word_for(self, function: PiecewiseLinear) -> str:
        """How differences of V's pieces are called: "dominance" when V is the dominance function itself, else "piece"."""
        return "dominance" if self.dominance is not None and function.pieces == self.dominance.pieces else "piece"

    def normals_of(self, function: PiecewiseLinear) -> tuple[Normal, ...]:
        """The finitely many normals of condition F for this V: coordinates, rows of guards, differences of pieces."""
        found: dict[Normal, None] = dict.fromkeys(self.coordinates)
        for branch, alternative in branches_with_alternatives(self.components):
            found |= dict.fromkeys((*branch.guard, *alternative.guard))
        for i in range(len(function)):
            found |= dict.fromkeys(maximal_piece(i, function, self.normals, self.word_for(function)))
        return tuple(found)

    @property
    def cells_refused(self) -> str:
        """Why nothing can be said of this chain in pattern cells (corrected leaves, conditions H and U); "" if it can.

        At few jobs in a buffer with several servers, what a server may do is known only for priorities and non-idling."""
        policy = self.instance.policy
        if not self.expansion.shared or (policy.static and not policy.holds):
            return ""
        names = ", ".join(self.expansion.names[k] for k in self.expansion.shared)
        what = f"holding {policy.choices['holding']}" if policy.static else policy.choices["sequencing"]
        return f"{what} with several servers at one buffer ({names})"

    @property
    def has_routes(self) -> bool:
        """Is the state a route expansion, so that the explicit template applies?"""
        return self.expansion.has_routes


def walk(instance: Instance) -> Walk:
    """Build the components.  A policy that follows pieces needs its dominance function.  Raises ``NotWalked``."""
    network, policy = instance.network, instance.policy
    expansion, normals = policy.expansion(network), Normals()
    function = policy.dominance_function
    dominance = None if function is None else build(network, expansion, function)
    return Walk(instance, expansion, normals, policy.components(expansion, normals, dominance), dominance)
