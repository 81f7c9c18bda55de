"""The prover's model against the one the checker rebuilds from the written certificate's network and policy."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stated import Holding

from verify.chain.guards import Guard
from verify.checker.core.forms import Fact, Form, function_pieces
from verify.checker.core.model import Model, build_model
from verify.checker.core.network import check_network
from verify.checker.core.policy import Groups
from verify.checker.core.read import read_function, read_network
from verify.checker.core.state import State
from verify.checker.policies.by_words import WordPolicy
from verify.checker.policies.read import read_policy
from verify.functions.explicit import build
from verify.functions.piecewise import PiecewiseLinear
from verify.linear_form import LinearForm
from verify.methods.programs.face_program import reducible
from verify.network.model import ExplicitTemplate, FreePieces, FunctionSpec, RouteNetwork
from verify.network.write import function_to_json
from verify.network_file.write import instance_to_json
from verify.policies.compose import Walk, walk
from verify.policies.instance import Instance

from .strategies import DOMINANT, STATIC, WALKED, Combination, free_functions, instances, templates
from .test_components_naive import often

Numbers: TypeAlias = dict[int, Fraction]
walked = pytest.mark.parametrize("kind", WALKED, ids=str)


def rebuilt(instance: Instance, function: FunctionSpec) -> Model:
    """The checker's model, after its rules on network and policy have passed."""
    written = instance_to_json(instance)
    network, policy = read_network(written["network"], "network"), read_policy(written["policy"], "policy")
    check_network(network)
    policy.check_network(network)
    state = policy.state(network, "fluid")
    policy.check_state(state, "fluid")
    pieces = read_function(function_to_json(function), "test_function")
    return build_model(state, policy, function_pieces(pieces, state, "V"), policy.pieces(state))


def groups_of_checker(instance: Instance, state: State) -> Groups | None:
    """The busy groups of the checker's policy, if it has any."""
    policy = read_policy(instance_to_json(instance)["policy"], "policy")
    return policy.groups(state) if isinstance(policy, WordPolicy) else None


def numbers(form: Form) -> Numbers:
    """The coefficients of a form of the checker, zeros left out."""
    return {k: Fraction(value, form.denominator) for k, value in form.entries.items() if value}


def exact(vector: LinearForm) -> Numbers:
    """A sparse vector of the prover."""
    assert all(vector.values())
    return dict(vector)


def facts_of_prover(guard: Guard) -> dict[str, int]:
    """Normal's name -> signs as bits."""
    return {normal.name: int(signs) for normal, signs in guard.items()}


def facts_of_checker(guard: tuple[Fact, ...]) -> dict[str, int]:
    """Normal's name -> signs as bits; two facts about one normal are taken together."""
    found: dict[str, int] = {}
    for fact in guard:
        found[fact.normal] = found.get(fact.normal, 7) & fact.signs
    return found


def picture_of_prover(chain: Walk) -> dict[str, Any]:
    """Components -> branches -> parts -> alternatives -> (guard, mean drift, buffer served), everything by name."""
    return {
        component.name: {
            branch.name if component.name == "dominant" else "": (
                facts_of_prover(branch.guard),
                [
                    {a.name: (facts_of_prover(a.guard), exact(a.mean_drift), a.serves) for a in part.alternatives}
                    for part in branch.parts
                ],
            )
            for branch in component.branches
        }
        for component in chain.components
    }


def picture_of_checker(model: Model) -> dict[str, Any]:
    """The same of the checker's model."""
    return {
        component.name: {
            branch.name: (
                facts_of_checker(branch.guard),
                [
                    {
                        a.name: (facts_of_checker(a.guard), numbers(model.drifts[a.drift]), a.serves)
                        for a in part.alternatives
                    }
                    for part in branch.parts
                ],
            )
            for branch in component.branches
        }
        for component in model.components
    }


def check_same(instance: Instance, spec: FunctionSpec) -> None:
    """Same coordinates, components, pieces and normals."""
    chain, model = walk(instance), rebuilt(instance, spec)
    function: PiecewiseLinear = build(instance.network, chain.expansion, spec)
    assert chain.expansion.names == model.state.names
    assert picture_of_prover(chain) == picture_of_checker(model)
    assert list(picture_of_prover(chain)) == list(picture_of_checker(model))
    assert [exact(piece) for piece in function.pieces] == [numbers(piece) for piece in model.pieces]
    normals = {normal.name: exact(normal.form) for normal in chain.normals_of(function)}
    assert all(model.normals.occurs(name) for name in normals)  # differences of pieces are listed when asked for
    assert normals == {name: numbers(model.normals.get(name)) for name in model.normals.named}
    assert chain.word_for(function) == model.word


@walked
@given(data=st.data())
@often
def test_model_of_the_checker_is_that_of_the_prover(kind: Combination, data: Any) -> None:
    instance = data.draw(instances(kind))
    names = walk(instance).expansion.names
    check_same(instance, FreePieces((dict.fromkeys(names, Fraction(1)), {names[0]: Fraction(2)})))
    if instance.policy.dominance_function is not None:
        check_same(instance, instance.policy.dominance_function)


@pytest.mark.parametrize("kind", DOMINANT, ids=str)
@given(data=st.data())
@often
def test_pieces_of_the_checker_are_those_of_the_prover(kind: Combination, data: Any) -> None:
    """V another function than U: its normals are called by another word."""
    instance = data.draw(instances(kind))
    assert isinstance(instance.network, RouteNetwork)
    spec = data.draw(st.one_of(templates(instance.network), free_functions(instance.network)))
    assert isinstance(spec, ExplicitTemplate | FreePieces)
    check_same(instance, spec)


@walked
@given(data=st.data())
@often
def test_groups_of_the_checker_are_those_of_the_prover(kind: Combination, data: Any) -> None:
    """The busy sets of reduced faces, and where the reduction is allowed."""
    instance = data.draw(instances(kind))
    chain = walk(instance)
    model = rebuilt(instance, FreePieces((dict.fromkeys(chain.expansion.names, Fraction(1)),)))
    busy = groups_of_checker(instance, model.state)
    owners = [service.buffer for service in model.state.services]
    simple = kind.routing in ("fixed", "bernoulli") and kind.holding is Holding.NONE and kind.preset is None
    assert (busy is not None) == (kind.preset is None and kind.sequencing in STATIC)
    assert reducible(chain) == (busy is not None and simple and len(owners) == len(set(owners)))
    if busy is not None:
        servers = chain.expansion.busy_servers
        groups = {server: instance.policy.groups(server, chain.expansion) for server in servers}
        assert {s: list(map(set, g)) for s, g in groups.items()} == {s: list(map(set, g)) for s, g in busy.items()}
        firsts = {s: [level[0] for level in g] for s, g in groups.items()}
        assert firsts == {s: [level[0] for level in g] for s, g in busy.items()}
