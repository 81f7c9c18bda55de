"""Bounds against stationary means of small chains, solved on a box of states from the naive step functions.

A box cuts off a mass of less than 10⁻⁹ here, and the floats of the solution are good to about as much."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence

import numpy
import pytest
import scipy.sparse
import scipy.sparse.linalg
from catalogue.networks import line_text, parallel_text, read
from naive.step import buffer_names, transitions
from naive.types import Choice

from studies.bounds.networks import TWO_CLASSES
from verify.policies.instance import Instance
from verify.studies.bounds.bounds import bounds
from verify.studies.bounds.objective import objective
from verify.studies.bounds.pathwise import Pathwise

TANDEM = """
servers = { A = { rate = 2 }, B = { rate = 2 } }
classes = [{ name = "a", arrival_rate = 1, routes = { r = ["A", "B"] } }]
[policy]
"""
SHARED = """
servers = { A = {}, B = {} }
buffers = [{ name = "p", arrival_rate = 1 }, { name = "q", arrival_rate = "1/4" }]
activities = [
    { server = "A", buffer = "p", rate = 1 }, { server = "B", buffer = "p", rate = 1 },
    { server = "A", buffer = "q", rate = 1 },
]
[policy]
"""
NETWORKS: Mapping[str, str] = {
    "jsq": parallel_text("jsq", 1, (1, 1)),
    "jsr, unequal rates": parallel_text("jsr", 1, (1, "3/2")),
    "back-pressure": TANDEM + 'sequencing = "back-pressure"',
    "spillback": TANDEM + 'sequencing = "non-idling"\nholding = "spillback"',
    "first buffer first served": line_text("11", ("1/4", "1/3"), "fbfs"),
    "last buffer first served": line_text("11", ("1/4", "1/3"), "lbfs"),
    "longest queue": TWO_CLASSES.replace("non-idling", "longest-queue"),
    "max-weight": TWO_CLASSES.replace("non-idling", "max-weight"),
    "non-idling": TWO_CLASSES,
    "shared, non-idling": SHARED + 'sequencing = "non-idling"',
    "shared, priority": SHARED + 'sequencing = "priority"\npriority.A = ["q", "p"]',
}
RULES: Mapping[str, Callable[[Sequence[Choice]], Choice]] = {
    "first": lambda choices: choices[0],
    "last": lambda choices: choices[-1],
}
SIDE = 45


def stationary_mean(instance: Instance, rule: Callable[[Sequence[Choice]], Choice]) -> float:
    """Of the number of jobs, where each buffer has at most ``SIDE``: what would be more is lost."""
    names = buffer_names(instance)
    states = [dict(zip(names, jobs, strict=True)) for jobs in itertools.product(range(SIDE + 1), repeat=len(names))]
    place = {tuple(state.values()): number for number, state in enumerate(states)}
    entries: dict[tuple[int, int], float] = {}
    for number, state in enumerate(states):
        for rate, target in itertools.chain(*rule(transitions(instance, state)).values()):
            other = place[tuple(min(target[name], SIDE) for name in names)]
            entries[other, number] = entries.get((other, number), 0.0) + float(rate)
            entries[number, number] = entries.get((number, number), 0.0) - float(rate)
    rows, columns = zip(*entries, strict=True)
    generator = scipy.sparse.csc_matrix((list(entries.values()), (rows, columns)))
    rest = scipy.sparse.linalg.spsolve(generator[1:, 1:], -generator[1:, 0].toarray().ravel())
    law = numpy.concatenate([[1.0], rest])
    return float(law @ [sum(state.values()) for state in states] / law.sum())


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("name", NETWORKS)
def test_bounds_enclose_the_stationary_mean(name: str, rule: str) -> None:
    instance = read(NETWORKS[name])
    found = bounds(instance, objective(instance), None, effort=1500)
    mean = stationary_mean(instance, RULES[rule])
    assert found.lower is not None and found.certificate is not None
    assert float(found.lower) <= mean + 1e-6
    assert (found.upper is None) == (name == "shared, non-idling")
    assert found.upper is None or mean <= float(found.upper) + 1e-6
    assert isinstance(found.pathwise, Pathwise) and float(found.pathwise.value) <= mean + 1e-6
    assert isinstance(found.moment, str) or mean <= float(found.moment.value) + 1e-6


def test_stationary_mean_of_a_box_is_that_of_a_known_network() -> None:
    assert stationary_mean(read(TANDEM + 'sequencing = "non-idling"'), RULES["first"]) == pytest.approx(2, abs=1e-9)


def test_bounds_of_a_symmetric_jsq_are_close() -> None:
    instance = read(NETWORKS["jsq"])
    found = bounds(instance, objective(instance), None, effort=1500)
    assert found.lower is not None and found.upper is not None and found.upper < found.lower * 101 / 100
