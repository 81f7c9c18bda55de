"""Condition Q (FORMAT.md section 21): the drift of a copositive quadratic function is at most d - epsilon |x|."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from verify.checker.core.conditions import check_emptying
from verify.checker.core.data import Claim
from verify.checker.core.errors import Rejected, require, show
from verify.checker.core.forms import Form
from verify.checker.core.model import Model
from verify.checker.core.quadratics import QuadraticProof, Square
from verify.checker.core.state import State
from verify.checker.core.work import Work, common_denominator, product, reduction
from verify.checker.quadratic.drift import ONE, Walk, check_evidence
from verify.checker.quadratic.function import Quadratic, check_function, place_at
from verify.checker.quadratic.rows import CONSTANT

RULE = "Q-copositive"


def check_quadratic(model: Model, claim: Claim, proof: QuadraticProof) -> None:
    """Condition Q: f is bounded below and grows like |x|^2, the walk can reach 0, and the drift of f is <= d - epsilon |x|."""
    check_emptying(model, proof.emptying)
    function = check_function(model.state, proof.function, "function", model.work)
    check_copositive(model.state, function, proof.squares, model.work)
    place = place_at(model.state, function, (), "evidence")
    total = check_evidence(Walk(model), function, place, proof.evidence, ONE)
    check_sum(model, claim, proof, total)


def check_copositive(state: State, function: Quadratic, squares: Sequence[Square], work: Work) -> None:
    """**Q-copositive**: Q less the squares has R_KK >= sum over L of max(0, -R_KL) for every K.

    Sound because x'Rx is then a sum of squares x_K^2 and (x_K - x_L)^2 and of products x_K x_L, each times a number >= 0.
    """
    require(len(squares) <= len(state.names), RULE, "squares", len(squares), f"<= {len(state.names)}")
    for number, square in enumerate(squares):
        require(square.weight >= 0, RULE, f"squares[{number}], weight", square.weight, ">= 0")
        for name in square.form:
            require(name in state.index, RULE, f"squares[{number}]", name, "a buffer")
    rest, denominator = _rest(state, function, squares, work)
    for k, name in enumerate(state.names):
        below = sum(max(0, -value) for j, value in rest[k].items() if j != k)
        if rest[k].get(k, 0) < below:
            own, other = Fraction(rest[k].get(k, 0), denominator), Fraction(below, denominator)
            raise Rejected(RULE, f"diagonal of {name}", own, f">= {show(other)}")


def _rest(state: State, function: Quadratic, squares: Sequence[Square], work: Work) -> tuple[list[dict[int, int]], int]:
    """R by rows, over one denominator."""
    units = [common_denominator((v.denominator for v in square.form.values()), "a square") for square in squares]
    denominators = [s.weight.denominator * unit**2 for s, unit in zip(squares, units, strict=True)]
    scale = common_denominator((function.denominator, *denominators), "function and squares")
    factor = scale // function.denominator
    rows: list[dict[int, int]] = []
    for k in range(len(state.names)):
        column = function.columns.get(k, {})
        work.spend(5 + len(column) * product(factor.bit_length(), function.bits), RULE)
        rows.append({j: factor * value for j, value in column.items()})
    for square, unit, denominator in zip(squares, units, denominators, strict=True):
        weight = square.weight.numerator * (scale // denominator)
        form = {state.index[name]: v.numerator * (unit // v.denominator) for name, v in square.form.items()}
        bits = max((value.bit_length() for value in form.values()), default=0)
        work.spend(len(form) * (5 + len(form) * product(weight.bit_length() + bits, bits)), RULE)
        for k, value in form.items():
            row, times = rows[k], weight * value
            for j, other in form.items():
                row[j] = row.get(j, 0) - times * other
    return rows, scale


def check_sum(model: Model, claim: Claim, proof: QuadraticProof, total: Form) -> None:
    """**Q-sum**: epsilon is the least rate at which a job lowers the bound of the drift, and positive; d is its constant.

    Sound because the drift of f is then at most d - epsilon |x|, and the claim says neither more nor less.
    """
    model.work.spend(len(total.entries) * reduction(total.bits, total.bits), "Q-sum")
    rates = [Fraction(-total.entries.get(k, 0), total.denominator) for k in range(len(model.state.names))]
    require(claim.value == min(rates), "Q-sum", "claim.epsilon", claim.value, min(rates))
    require(claim.value > 0, "Q-sum", "claim.epsilon", claim.value, "> 0")
    constant = Fraction(total.entries.get(CONSTANT, 0), total.denominator)
    require(proof.bound == constant, "Q-sum", "claim.bound", proof.bound, constant)
