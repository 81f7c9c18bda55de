"""Sums of maxima as linear programs: the optimum is that of the definition, whatever the shape."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction

import numpy as np
import pytest

from verify.lp.approx import propose
from verify.lp.exact import solve_exact
from verify.lp.max_sum import Expression, MaxSum, Sense, Singles, least_in_floats
from verify.lp.model import LinearProgram, Status

Option = tuple[int, int]
Components = list[list[list[list[Option]]]]
Y = range(-4, 5)


def random_components(rng: random.Random) -> Components:
    """Options a + b·y; one to three components, branches, parts and options each."""
    few = (1, 1, 2, 3)

    def option() -> Option:
        return rng.randint(-5, 5), rng.randint(-3, 3)

    return [
        [[[option() for _ in range(rng.choice(few))] for _ in range(rng.choice(few))] for _ in range(rng.choice(few))]
        for _ in range(rng.choice(few))
    ]


def value(components: Components, y: Fraction, sense: Sense) -> Fraction:
    """The definition."""
    pick = max if sense is Sense.MAXIMA else min
    return sum(
        (
            pick(sum((pick(a + b * y for a, b in part) for part in branch), Fraction(0)) for branch in component)
            for component in components
        ),
        Fraction(0),
    )


def best(components: Components, sense: Sense) -> Fraction:
    """The optimum over −4 <= y <= 4: at an end or where two lines cross, for a function of one variable made of lines."""
    slopes = {
        (sum(a for a, _ in c), sum(b for _, b in c))
        for picks in [[list(itertools.product(*branch)) for component in components for branch in component]]
        for branch in picks
        for c in branch
    }
    candidates = {Fraction(y) for y in Y}
    options = {o for component in components for branch in component for part in branch for o in part} | slopes
    for (a, b), (c, d) in itertools.combinations(options, 2):
        if b != d and abs(crossing := Fraction(c - a, b - d)) <= 4:
            candidates.add(crossing)
    pick = min if sense is Sense.MAXIMA else max
    return pick(value(components, y, sense) for y in candidates)


@pytest.mark.parametrize("singles", Singles)
@pytest.mark.parametrize("sense", Sense)
@pytest.mark.parametrize("seed", range(12))
def test_optimum_of_a_sum_is_that_of_the_definition(seed: int, sense: Sense, singles: Singles) -> None:
    components = random_components(random.Random(seed))
    program = LinearProgram()
    y = program.variable(-4, 4)
    t = program.variable(None, None, sense.value)
    total = Expression({t: -1})
    sums: MaxSum[Option] = MaxSum(program, lambda option: Expression({y: option[1]}, option[0]), sense, singles)
    sums.add(components, total)
    sums.bound(total)
    answer = solve_exact(program)
    assert answer.status is Status.OPTIMAL
    assert answer.point[t] == best(components, sense) == value(components, answer.point[y], sense)


@pytest.mark.parametrize("seed", range(12))
def test_float_program_has_the_same_optimum_or_the_floor(seed: int) -> None:
    components = random_components(random.Random(seed))
    options = list(
        dict.fromkeys(o for component in components for branch in component for part in branch for o in part)
    )
    numbered = [[[[options.index(o) for o in part] for part in branch] for branch in c] for c in components]
    constants, slopes = np.array([a for a, _ in options], float), np.array([[b for _, b in options]], float)
    program, owners = least_in_floats(numbered, slopes, constants, -100.0)
    program.lower[0], program.upper[0] = -4.0, 4.0
    answer = propose(program)
    assert answer.value == pytest.approx(float(best(components, Sense.MAXIMA)), abs=1e-6)
    assert [o for o in owners if o >= 0] == [a for c in numbered for branch in c for part in branch for a in part]
    floored, _ = least_in_floats(numbered, slopes, constants, 1000.0)
    assert propose(floored).value == pytest.approx(1000.0)


def test_extreme_of_several_columns_bounds_each_of_them() -> None:
    program = LinearProgram()
    columns = [program.variable(n, n) for n in (3, 7, 5)]
    sums: MaxSum[int] = MaxSum(program, lambda _: Expression())
    top = sums.extreme(columns)
    program.costs[top] = 1
    assert solve_exact(program).point[top] == 7
    assert sums.extreme(columns[:1]) == columns[0]
