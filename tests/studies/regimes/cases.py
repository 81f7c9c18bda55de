"""Instances of the regimes' tests: the catalogue's files, with parameters of the template put in by hand."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache

from catalogue.files import PATHS

from verify.network.model import ExplicitTemplate
from verify.network_file.read import read_file
from verify.policies import composed as policies
from verify.policies.instance import Instance
from verify.studies.regimes.regimes import regime_report
from verify.studies.regimes.report import RegimeReport

TIES_OF_EXAMPLE_2 = {"1": ("c.r1.1", "c.r2.1"), "5": ("c.r3.2", "c.r2.3")}


def case(name: str) -> Instance:
    """An instance of the catalogue."""
    return read_file(PATHS[name])


@cache
def report(name: str) -> RegimeReport:
    """The report on a case of the catalogue."""
    return regime_report(case(name))


def template(alpha: Sequence[str], beta: Sequence[str], gamma: Sequence[str]) -> ExplicitTemplate:
    """Parameters of the template."""
    return ExplicitTemplate(*(tuple(map(Fraction, listed)) for listed in (alpha, beta, gamma)))


def with_dominance(
    instance: Instance, function: ExplicitTemplate, tie_order: Mapping[str, tuple[str, ...]] | None = None
) -> Instance:
    """The instance with this U (and tie order)."""
    policy = policies.with_dominance(instance.policy, function, instance.policy.tie_order)
    if tie_order is not None:
        policy = policies.with_dominance(policy, function, tie_order)
    return dataclasses.replace(instance, policy=policy)
