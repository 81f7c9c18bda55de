"""Product form ([Jackson 1957]; theory 13.7): one buffer for every server, one server for every buffer, routing without state.

*Statement.* With throughputs a = λ + P'a and a_k < μ_k the stationary law is Π (1 − ρ_k) ρ_k^x_k, ρ_k = a_k/μ_k, so that
E x_k = a_k/(μ_k − a_k).
*Reason.* It balances the flow of each buffer by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from verify.conditions.condition import Condition
from verify.conditions.mean import mean_words
from verify.conditions.proof import Proof
from verify.conditions.words import MODEL, NETWORK, policy_words
from verify.linear_form import LinearForm
from verify.network.traffic import only_services, throughputs
from verify.policies.compose import Walk
from verify.policies.instance import Instance
from verify.rational import decimals, text


@dataclass(frozen=True)
class ProductForm(Proof):
    """The exact mean of ``of``·X; ``flows``: the throughput of each buffer, ``rates``: its service rate."""

    walk: Walk
    of: LinearForm
    flows: Sequence[Fraction]
    rates: Sequence[Fraction]
    condition: Condition = Condition.PRODUCT_FORM
    function: None = None
    epsilon: None = None

    @property
    def instance(self) -> Instance:  # type: ignore[override]
        """As walked."""
        return self.walk.instance

    @property
    def names(self) -> Sequence[str]:
        """The buffers."""
        return self.walk.expansion.names

    @property
    def mean(self) -> Fraction:
        """Σ of_k a_k/(μ_k − a_k)."""
        return sum((w * self.flows[k] / (self.rates[k] - self.flows[k]) for k, w in self.of.items()), Fraction(0))

    @property
    def upper(self) -> Fraction:
        """The mean itself."""
        return self.mean

    @property
    def lower(self) -> Fraction:
        """The mean itself."""
        return self.mean

    def claim(self) -> str:
        """Of every policy of the class: they all do the same."""
        return (
            f"BOUND: {NETWORK} has a stationary law under every policy with {policy_words(self.instance, uniform=False)}, "
            f"under which its buffers are independent, and the mean of {mean_words(self.of, self.names)} in it is {self.mean} "
            f"(product form). {MODEL}"
        )

    def measures(self) -> Mapping[str, Any]:
        """What the mean is of, and the mean."""
        return {"of": {self.names[k]: text(value) for k, value in self.of.items()}, "mean": text(self.mean)}

    def evidence(self) -> dict[str, Any]:
        """Throughputs."""
        return {"throughputs": {name: text(flow) for name, flow in zip(self.names, self.flows, strict=True)}}

    def summary(self) -> Iterator[str]:
        """The mean."""
        yield f"proof: product form; mean of {mean_words(self.of, self.names)}: {decimals(self.mean)}"


def product_form(walk: Walk, of: LinearForm) -> ProductForm | None:
    """The exact mean where there is a product form, else None."""
    policy = walk.instance.policy
    services = only_services(walk.expansion)
    if services is None or not policy.work_conserving or policy.holds or policy.by_state or policy.follows_pieces:
        return None
    if len({service.server for service in services}) < len(services):
        return None
    flows = throughputs(walk.expansion)
    rates = [service.rate for service in services]
    if flows is None or any(flow >= rate for flow, rate in zip(flows, rates, strict=True)):
        return None
    return ProductForm(walk, of, flows, rates)
