"""Regimes of small functions: groups, extents, formulas of free pieces, and which V is looked at."""

from __future__ import annotations

from fractions import Fraction

import pytest

from verify.conditions.criterion import Criterion
from verify.conditions.drift import DriftProof
from verify.decide import Request, decide
from verify.errors import InputError, NotWalked
from verify.network.symbols import Symbol
from verify.network_file.read import read_text
from verify.policies.instance import Instance
from verify.studies.at_hand import question_at_hand, question_of_proof, with_fluid
from verify.studies.regimes.drift import symbol, symbol_values, value
from verify.studies.regimes.regimes import regime_report, worst_leaf
from verify.studies.regimes.report import Extent
from verify.studies.regimes.weights import scale

from .cases import case, report

F = Fraction

TANDEM = """
[servers]
1 = { rate = "2" }
2 = { rate = "3" }
[[classes]]
name = "a"
arrival_rate = "1"
[classes.routes]
r = ["1", "2"]
"""
THREE_PIECES = TANDEM + '[test_function]\npieces = [{"a.1" = 1}, {"a.2" = 1}, {"a.1" = "1/2", "a.2" = "1/2"}]\n'


@pytest.mark.parametrize("name", ["paper-1-jsr", "jsr-two-servers", "jsq-trap-max", "priority-two-pieces"])
def test_symbolic_drift_has_the_exact_value(name: str) -> None:
    found = report(name)
    values = symbol_values(found.question.walk.expansion, found.question.spec)
    assert values == found.symbols
    for regime in found.regimes:
        assert regime.active is not None
        assert value(regime.formula, values) == regime.active.drift


def test_extent_of_a_piece_below_the_average_is_lower_dimensional() -> None:
    """(x_1 + x_2)/2 is maximal only where x_1 = x_2."""
    found = regime_report(read_text(THREE_PIECES, format="toml"))
    assert [regime.extent for regime in found.regimes] == [Extent.FULL, Extent.FULL, Extent.LOWER]
    assert found.regimes[2].active is None and found.regimes[2].formula is None


def test_extent_of_a_piece_that_is_never_maximal_is_the_origin() -> None:
    text = TANDEM + '[test_function]\npieces = [{"a.1" = 1, "a.2" = 1}, {"a.1" = "1/2", "a.2" = "1/3"}]\n'
    found = regime_report(read_text(text, format="toml"))
    assert [regime.extent for regime in found.regimes] == [Extent.FULL, Extent.ORIGIN]


def test_free_pieces_have_numbers_as_weights() -> None:
    text = TANDEM + '[test_function]\npieces = [{"a.1" = "1", "a.2" = "2/3"}]\n'
    (regime,) = regime_report(read_text(text, format="toml")).regimes
    assert regime.active is not None
    assert regime.active.drift == F(1) - F(1, 3) * 2 - F(2, 3) * 3
    arrival, first, second = (symbol(Symbol(*named)) for named in (("lambda", "a"), ("mu", "1"), ("mu", "2")))
    assert regime.formula == arrival - first / 3 - second * 2 / 3
    assert regime.dominant.bottlenecks == ("a.r.1", "a.r.2")


def test_groups_without_routes_count_buffers() -> None:
    assert [group.name for group in report("jsq-trap-max").groups] == ["1 dominant buffer"]


def test_groups_of_other_route_networks_count_routes_and_classes() -> None:
    names = [group.name for group in report("priority-two-pieces").groups]
    assert names == ["1 dominant route in 1 class", "2 dominant routes in 2 classes"]


def test_scale_that_is_not_geometric_has_a_symbol_for_each_entry() -> None:
    found = scale("beta", (F(1), F(4, 5), F(39, 50)), 1)
    assert found.powers(2) == ((Symbol("beta", "2"), 1),)
    assert found.symbols == {Symbol("beta", n): value for n, value in (("1", F(1)), ("2", F(4, 5)), ("3", F(39, 50)))}


def test_question_without_function_is_the_first_template() -> None:
    assert report("jsr-two-servers").question.what.startswith("the first explicit template of the tool")


def test_question_without_function_and_routes_is_refused() -> None:
    with pytest.raises(InputError, match=r"^test_function: expected a function"):
        question_at_hand(case("paper-2-jsq"))


def test_question_of_a_policy_that_is_not_walked_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(instance: Instance) -> None:
        raise NotWalked("too many choices")

    monkeypatch.setattr("verify.studies.at_hand.walk", refuse)
    with pytest.raises(InputError, match=r"^policy: expected a policy .* walked, got too many choices"):
        question_at_hand(case("jsr-two-servers"))


def test_question_without_dominance_function_takes_the_first_template_for_which_f_holds() -> None:
    found = report("paper-1-jsr-own-parameters").question
    assert "the tool's choice" in found.what
    assert found.evaluation is not None and found.evaluation.holds
    assert found.function.pieces == report("paper-1-jsr").question.function.pieces


def test_question_of_an_overloaded_network_takes_the_first_template() -> None:
    found = report("paper-1-jsr-over")
    assert "condition F was shown for none" in found.question.what
    assert found.largest is not None and found.largest.active is not None and found.largest.active.drift > 0
    assert all(regime.worst is None for regime in found.regimes)


def test_question_of_a_proof_keeps_its_trees() -> None:
    proof = decide(case("jsr-two-servers"), Request(criterion=Criterion.FLUID)).proof
    assert isinstance(proof, DriftProof) and proof.trees
    question = question_of_proof(proof)
    assert with_fluid(question) is question
    found = regime_report(question)
    assert [regime.worst for regime in found.regimes] == [worst_leaf(tree) for tree in proof.trees]
