"""Mean drifts of the catalogue's components, exact and in symbols."""

from __future__ import annotations

from fractions import Fraction

import pytest
from catalogue.networks import CASES, case, line_text, read

from verify.chain.components import Alternative, branches_with_alternatives
from verify.errors import NotWalked
from verify.network.model import RouteNetwork
from verify.policies.compose import Walk, walk

from .cases import walked_case

F = Fraction


def alternatives(chain: Walk) -> list[Alternative]:
    return [alternative for _, alternative in branches_with_alternatives(chain.components)]


@pytest.mark.parametrize("name", CASES)
def test_symbolic_drift_with_the_rates_put_in_is_the_mean_drift(name: str) -> None:
    chain = walked_case(name)
    for alternative in alternatives(chain):
        rates = {jump.symbol: jump.rate / jump.share for jump in alternative.jumps}
        total: dict[int, Fraction] = {}
        for symbol, vector in alternative.symbolic_drift.items():
            for k, value in vector.items():
                total[k] = total.get(k, F(0)) + rates[symbol] * value
        assert {k: value for k, value in total.items() if value} == dict(alternative.mean_drift)


@pytest.mark.parametrize("name", CASES)
def test_every_service_takes_one_job_and_every_arrival_brings_one(name: str) -> None:
    for alternative in alternatives(walked_case(name)):
        for jump in alternative.jumps:
            assert jump.rate > 0
            assert 0 < jump.share <= 1
            if alternative.serves is None:
                assert sorted(jump.change.values()) == [1]
            else:
                assert jump.change.get(alternative.serves) in (-1, None)  # None: feedback to the same buffer
                assert sorted(jump.change.values()) in ([-1], [-1, 1], [])
        assert sum((jump.share for jump in alternative.jumps), F(0)) in (0, 1)


@pytest.mark.parametrize("name", CASES)
def test_names_of_normals_branches_and_alternatives_are_distinct(name: str) -> None:
    chain = walked_case(name)
    names = [alternative.name for alternative in alternatives(chain)]
    names += [
        branch.name for component in chain.components for branch in component.branches if component.name == "dominant"
    ]
    assert len(names) == len(set(names))
    normals = [
        normal for branch, a in branches_with_alternatives(chain.components) for normal in (*branch.guard, *a.guard)
    ]
    assert len({normal.name for normal in normals}) == len(set(normals))
    assert all(normal.form for normal in normals)


def test_components_of_example_1_are_two_classes_and_one_for_all_servers() -> None:
    chain = walked_case("paper-1-jsr")
    assert [component.name for component in chain.components] == ["class c1", "class c2", "dominant"]
    assert isinstance(chain.instance.network, RouteNetwork)
    branches = chain.components[-1].branches
    assert len(branches) == 35
    assert [branch.piece for branch in branches] == list(range(35))
    assert all(len(branch.guard) == 34 and len(branch.parts) == 5 for branch in branches)
    assert chain.has_routes


def test_drift_of_a_service_goes_on_along_the_route() -> None:
    chain = walked_case("paper-1-jsr-longest")
    found = {a.name: a for a in alternatives(chain)}
    names = chain.expansion.index
    quarter = F(1, 4)
    assert found["server 3 / c2.r3.1"].mean_drift == {names["c2.r3.1"]: -quarter, names["c2.r3.2"]: quarter}
    assert found["server 3 / c1.r1.2"].mean_drift == {names["c1.r1.2"]: -quarter}
    assert found["server 3 / (idle)"].mean_drift == {}
    assert found["class c1 / r1"].mean_drift == {names["c1.r1.1"]: F(28, 25)}


def test_drift_of_random_routing_is_the_mean_of_the_next_buffers() -> None:
    chain = walk(case("jackson-feedback"))
    served = [a for a in alternatives(chain) if a.serves is not None]
    for alternative in served:
        total = sum(alternative.mean_drift.values(), F(0))
        rate = sum((jump.rate for jump in alternative.jumps), F(0))
        leaving = sum((jump.rate for jump in alternative.jumps if sum(jump.change.values()) == -1), F(0))
        assert total == -leaving
        assert alternative.mean_drift[alternative.serves or 0] >= -rate


def test_policy_with_too_many_guards_is_not_walked() -> None:
    """Longest queue under spillback lists the sets of held buffers, for at most six buffers of a server."""
    for length in (6, 7):
        text = line_text("1" * length, ["1"] * length, "longest-queue") + 'holding = "spillback"\n'
        if length == 6:
            assert walk(read(text)).components
        else:
            with pytest.raises(NotWalked, match="spillback"):
                walk(read(text))
