"""The tool's own parameters of the explicit template, and its tie order."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest
from catalogue.networks import case, line_text, read

from verify.functions.explicit import sizes
from verify.methods.programs.templates import STEPS, templates, tie_order
from verify.network.model import JobClass, Route, RouteNetwork, Visit

F = Fraction


def parallel_routes(lengths: tuple[int, ...], classes: int = 1) -> RouteNetwork:
    """Classes with routes of these lengths."""
    routes = tuple(Route(f"r{i}", (Visit("1", F(1)),) * length) for i, length in enumerate(lengths))
    return RouteNetwork(("1",), tuple(JobClass(f"c{i}", F(1), routes) for i in range(classes)))


@pytest.mark.parametrize("lengths", [(1,), (3, 1), (2, 3, 2), (1, 1, 1, 1), (4, 1, 1, 1, 1)])
@pytest.mark.parametrize("classes", [1, 3])
def test_templates_have_the_sizes_of_the_network_and_come_closer_to_1(lengths: tuple[int, ...], classes: int) -> None:
    network = parallel_routes(lengths, classes)
    found = list(templates(network))
    assert len(found) == STEPS
    for template in found:
        assert (len(template.alpha), len(template.beta), len(template.gamma)) == sizes(network)
        assert template.alpha[0] == 1
        for scale in (template.alpha, template.beta, template.gamma):
            assert min(scale) > 0
            assert list(scale) == sorted(set(scale), reverse=True)
            assert max(scale) <= 1
    for earlier, later in itertools.pairwise(found):
        for name in ("alpha", "beta", "gamma"):
            pairs = zip(getattr(earlier, name), getattr(later, name), strict=True)
            assert all(before <= after for before, after in pairs)
    assert min(min(found[-1].alpha), min(found[-1].gamma)) > F(99, 100)


@pytest.mark.parametrize("lengths", [(1, 1, 1), (2, 3, 2), (1, 1, 1, 1), (4, 1, 1, 1, 1)])
def test_templates_of_three_and_more_routes_satisfy_the_sufficient_condition(lengths: tuple[int, ...]) -> None:
    """theory 3.2: δ_n = β_n/β_{n+1} − 1, δ_1 < α^(L−1) and δ_n(1 + 1/δ_{n−1}) < α^(L−1)."""
    for template in templates(parallel_routes(lengths)):
        bound = template.alpha[-1]
        assert bound == template.alpha[1] ** (max(lengths) - 1) if max(lengths) > 1 else bound == 1
        pairs = zip(template.beta, template.beta[1:], strict=False)
        delta = [first / second - 1 for first, second in pairs]
        assert 0 < delta[0] < bound
        for before, after in itertools.pairwise(delta):
            assert 0 < after * (1 + 1 / before) < bound


def test_first_template_of_example_1_is_that_of_the_paper() -> None:
    instance = case("paper-1-jsr-own-parameters")
    assert isinstance(instance.network, RouteNetwork)
    template = next(templates(instance.network))
    q = F(3, 4)
    assert (template.alpha, template.beta, template.gamma) == ((F(1), q), (q, q * q), (q, q * q))


def test_tie_order_is_largest_weight_first_then_listed() -> None:
    """At server 3 of example 1 the first position of class 2 comes before the second one of class 1."""
    instance = case("paper-1-jsr-own-parameters")
    assert isinstance(instance.network, RouteNetwork)
    template = next(templates(instance.network))
    assert tie_order(template, instance.expansion()) == {"3": ("c2.r3.1", "c1.r1.2")}
    bridge = case("paper-2-jsr")
    assert isinstance(bridge.network, RouteNetwork)
    found = tie_order(next(templates(bridge.network)), bridge.expansion())
    assert found == {"1": ("c.r1.1", "c.r2.1"), "5": ("c.r3.2", "c.r2.3")}


def test_tie_order_leaves_servers_with_one_buffer_out() -> None:
    instance = read(line_text("121", ["1", "1", "1"], "dominant"))
    assert isinstance(instance.network, RouteNetwork)
    template = next(templates(instance.network))
    assert tie_order(template, instance.expansion()) == {"1": ("a.r.1", "a.r.3")}
