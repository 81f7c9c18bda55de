"""What a condition asks at one point, from the definitions of theory 5.2: nothing of the case trees is used."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from catalogue.networks import read

from verify.chain.guards import Normal, holds
from verify.functions.explicit import build
from verify.functions.piecewise import PiecewiseLinear
from verify.linear_form import LinearForm
from verify.lp.exact import solve_exact
from verify.lp.model import LinearProgram, Status
from verify.policies.compose import Walk, walk

State = Mapping[int, Fraction]


def question(text: str) -> tuple[Walk, PiecewiseLinear]:
    """The walk of a network file and its V: the test function, else the dominance function."""
    instance = read(text)
    chain = walk(instance)
    spec = instance.test_function or instance.policy.dominance_function
    assert spec is not None
    return chain, build(instance.network, chain.expansion, spec)


def by_coordinate(chain: Walk, state: Mapping[str, Fraction]) -> dict[int, Fraction]:
    """A state by numbers of coordinates."""
    return {chain.expansion.index[name]: value for name, value in state.items()}


def active_pieces(function: PiecewiseLinear, state: State) -> list[int]:
    """The pieces with the largest value."""
    values = [piece.at(state) for piece in function.pieces]
    return [i for i, value in enumerate(values) if value == max(values)]


def vanishing(chain: Walk, function: PiecewiseLinear, state: State) -> list[Normal]:
    """Z(x): the normals that are 0 there."""
    return [normal for normal in chain.normals_of(function) if normal.at(state) == 0]


def largest_drift(chain: Walk, weights: LinearForm, state: State) -> Fraction:
    """Σ_components max over branches, Σ_parts max over alternatives, of those whose closed guard contains the state."""
    total = Fraction(0)
    for component in chain.components:
        sums = []
        for branch in component.branches:
            if holds(branch.guard, state):
                open_ones = [[a for a in part.alternatives if holds(a.guard, state)] for part in branch.parts]
                sums.append(sum((max(weights.at(a.mean_drift) for a in part) for part in open_ones), Fraction(0)))
        total += max(sums)
    return total


def best_corrected_drift(chain: Walk, function: PiecewiseLinear, piece: int, state: State) -> Fraction | None:
    """min over η on Z(x) of the largest drift of w_i + Σ η_g g; None if there is no minimum."""
    program = LinearProgram()
    normals = vanishing(chain, function, state)
    eta = [program.variable(None, None) for _ in normals]
    for component in chain.components:
        top = program.variable(None, None, 1)
        for branch in component.branches:
            if not holds(branch.guard, state):
                continue
            parts = []
            for part in branch.parts:
                parts.append(program.variable(None, None))
                for a in part.alternatives:
                    if holds(a.guard, state):
                        row = {e: -g.form.at(a.mean_drift) for e, g in zip(eta, normals, strict=True)}
                        program.row({**row, parts[-1]: 1}, function.pieces[piece].at(a.mean_drift))
            program.row({top: 1, **dict.fromkeys(parts, -1)}, 0)
    answer = solve_exact(program)
    return answer.value if answer.status is Status.OPTIMAL else None
