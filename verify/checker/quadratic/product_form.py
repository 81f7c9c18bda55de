"""Networks of independent queues (FORMAT.md section 23): product form, and means that are exact."""

from __future__ import annotations

from fractions import Fraction

from verify.checker.core.data import Claim, Numbers
from verify.checker.core.errors import require
from verify.checker.core.policy import Policy
from verify.checker.core.quadratics import ProductProof
from verify.checker.core.state import State
from verify.checker.core.work import Work, bits_of, common_denominator, product, reduction


def check_product_form(state: State, policy: Policy, claim: Claim, proof: ProductProof, work: Work) -> None:
    """The stationary law is a product of geometric ones, and its means are known."""
    policy.check_product(state)
    throughputs = check_traffic(state, proof.throughputs, work)
    check_load(state, throughputs)
    check_mean(state, claim, proof.of, throughputs, work)


def check_traffic(state: State, throughputs: Numbers, work: Work) -> list[Fraction]:
    """**product-traffic**: each buffer gives on what comes to it, from outside and from others.

    Sound because these equations have one solution, as every job can leave: the throughputs of the network.
    """
    require(set(throughputs) == set(state.names), "product-traffic", "buffers", set(throughputs), set(state.names))
    found = [throughputs[name] for name in state.names]
    entering: list[list[Fraction]] = [[] for _ in state.names]
    for stream in state.streams:
        for entry in stream.entries:
            entering[entry.buffer].append(stream.rate * (1 if entry.probability is None else entry.probability))
    for service in state.services:
        flow = found[service.buffer]
        for outcome in service.destinations[0].outcomes:
            if outcome.target is not None:
                work.spend(reduction(bits_of(flow), bits_of(outcome.probability)), "throughputs")
                entering[outcome.target].append(flow * outcome.probability)
    for name, flow, parts in zip(state.names, found, entering, strict=True):
        total = _sum(parts, f"what comes to {name}", work)
        require(flow == total, "product-traffic", name, flow, total)
    return found


def check_load(state: State, throughputs: list[Fraction]) -> None:
    """**product-load**: each buffer gets less than its server can do.

    Sound because the geometric law of rho = a/mu then exists.
    """
    for service in state.services:
        flow, name = throughputs[service.buffer], state.names[service.buffer]
        require(flow < service.rate, "product-load", name, flow, f"< {service.rate}")


def check_mean(state: State, claim: Claim, of: Numbers, throughputs: list[Fraction], work: Work) -> None:
    """**product-mean**: the mean of `of`, buffer by buffer a/(mu - a).

    Sound because it is the mean of the geometric law.
    """
    for name in of:
        require(name in state.index, "product-mean", "claim.of", name, "a buffer")
    terms: list[Fraction] = []
    for service in state.services:
        name, flow = state.names[service.buffer], throughputs[service.buffer]
        if name in of:
            bits = bits_of(flow) + bits_of(service.rate)
            work.spend(2 * reduction(bits, bits) + reduction(2 * bits, bits_of(of[name])), "means")
            terms.append(of[name] * (flow / (service.rate - flow)))
    total = _sum(terms, "means", work)
    require(claim.value == total, "product-mean", "claim.mean", claim.value, total)


def _sum(numbers: list[Fraction], where: str, work: Work) -> Fraction:
    """The sum, over one denominator; rule **size** holds for it."""
    scale = common_denominator((number.denominator for number in numbers), where)
    bits = scale.bit_length()
    total = 0
    for number in numbers:
        work.spend(5 + product(bits, max(bits, bits_of(number))), where)
        total += number.numerator * (scale // number.denominator)
    work.spend(reduction(total.bit_length(), bits), where)
    return Fraction(total, scale)
