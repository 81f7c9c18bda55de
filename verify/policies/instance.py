"""One question: a network, a policy, and possibly a test function."""

from __future__ import annotations

from dataclasses import dataclass

from verify.network.expansion import Expansion
from verify.network.model import FunctionSpec, Network, RouteNetwork
from verify.network.names import Coordinates, coordinate_names
from verify.network.rates import RateSet
from verify.policies.policy import Policy


@dataclass(frozen=True)
class Instance:
    """A network, a policy, and possibly a test function V to try; ``rates``: for which other rates a proof is wanted, if the file
    says so."""

    network: Network
    policy: Policy
    test_function: FunctionSpec | None = None
    title: str = ""
    source: str = ""
    rates: RateSet | None = None

    @property
    def routes(self) -> RouteNetwork | None:
        """The network, if the state consists of the subservers of its routes, so that the explicit template applies."""
        network = self.network
        counted = self.policy.coordinates(network)
        return network if isinstance(network, RouteNetwork) and counted is Coordinates.SUBSERVERS else None

    @property
    def weighable(self) -> tuple[str, ...]:
        """The buffers that a test function weighs, in the order of the coordinates."""
        return coordinate_names(self.network, self.policy.coordinates(self.network))

    def expansion(self) -> Expansion:
        """The graph on which the policy walks."""
        return self.policy.expansion(self.network)
