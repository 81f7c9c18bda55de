"""From network and policy to the components of the chain."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from verify.chain.components import Component, branches_with_alternatives
from verify.chain.guards import Normal, Normals
from verify.functions.explicit import build
from verify.functions.piecewise import PiecewiseLinear
from verify.network.expansion import Expansion, expand, is_route_expansion
from verify.network.model import Holding, Instance, Preset, RouteNetwork
from verify.policies.holding import coordinate
from verify.policies.presets import jsq_as_components
from verify.policies.routing import arrival_components
from verify.policies.sequencing import STATIC, maximal_piece, server_components


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
        if not self.expansion.shared or (policy.sequencing in STATIC and policy.holding is Holding.NONE):
            return ""
        names = ", ".join(self.expansion.names[k] for k in self.expansion.shared)
        what = policy.sequencing if policy.sequencing not in STATIC else f"holding {policy.holding}"
        return f"{what} with several servers at one buffer ({names})"

    @property
    def has_routes(self) -> bool:
        """Is the state a route expansion, so that the explicit template applies?"""
        return is_route_expansion(self.instance.network, self.instance.policy)


def walk(instance: Instance) -> Walk:
    """Build the components.  ``dominant`` needs its dominance function.  Raises ``NotWalked``."""
    network, policy = instance.network, instance.policy
    expansion = expand(network, policy)
    dominance = None
    if policy.dominance_function is not None and isinstance(network, RouteNetwork):
        dominance = build(network, expansion, policy.dominance_function)
    normals = Normals()
    if policy.preset is Preset.JSQ_AS:
        components = jsq_as_components(expansion, normals)
    else:
        components = (
            *arrival_components(network, policy, expansion, normals),
            *server_components(policy, expansion, normals, dominance),
        )
    return Walk(instance, expansion, normals, components, dominance)
