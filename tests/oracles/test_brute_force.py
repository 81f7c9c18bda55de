"""The brute force itself: what may happen at a point, true claims pass, false ones do not."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from verify.checker import check_bytes

from .brute_force import BruteForce
from .capacity_claim import Graph, graph, least_load
from .chain import Chain, build
from .choices import components
from .claimed import Form, Unreadable, dot, load, number, template_pieces
from .drift_claim import Spot, least_bound
from .forms import by_name, normals
from .points import sample, states
from .spoken import sentence

CORPUS = Path(__file__).resolve().parents[1] / "corpus"
#: Rules whose rejected examples claim something false, or nothing at all; the other rules are about the evidence.
FALSE_CLAIMS = (
    "N-", "zero", "R-potential.", "R-potential--0", "R-potential--missing", "bound.", "bound--tie", "bound--epsilon-too-large",
    "bound--corrector", "words", "eta", "faces-complete", "children.", "function.", "network", "H-", "U-cell.", "U-cell--",
    "U-path.", "U-path--no", "U-path--half", "epsilon--0",
)  # fmt: skip
#: Among them those that are rejected for their form: what is claimed is true.
TRUE_CLAIMS = {"network--no-arrivals", "children--extra"}


def network(*classes: tuple[str, list[str]], rate: str = "1", arrivals: str = "1/2") -> dict[str, Any]:
    """Classes by name, with routes as words of one-letter servers."""
    servers = sorted({server for _, routes in classes for route in routes for server in route})
    return {
        "kind": "route",
        "servers": servers,
        "classes": [
            {
                "name": name,
                "arrival_rate": arrivals,
                "routes": [
                    {"name": f"r{i}", "visits": [{"server": n, "rate": rate} for n in route]}
                    for i, route in enumerate(routes, start=1)
                ],
            }
            for name, routes in classes
        ],
    }


def chain(
    sequencing: str, *classes: tuple[str, list[str]], routing: str = "fixed", holding: str = "none", **more: Any
) -> Chain:
    policy = {"routing": routing, "sequencing": sequencing, "holding": holding, **more}
    return build(network(*classes), policy)


def drifts(found: Chain, x: tuple[int, ...], closed: bool = True) -> list[set[tuple[Fraction | int, ...]]]:
    """For each component (of one branch and part) the drifts that may occur, as vectors."""
    size = len(found.names)
    result = []
    for component in components(found, x, closed=closed):
        parts = [part for branch in component for part in branch]
        result.append({tuple(c.drift().get(k, 0) for k in range(size)) for part in parts for c in part})
    return result


# ---- what may happen -------------------------------------------------------------------------------------------------
def test_choices_priority_at_an_empty_high_buffer_serves_either() -> None:
    """Near x_1 = 0 < x_2 the first buffer may be busy for a moment; the server never idles."""
    found = chain("priority", ("a", ["1"]), ("b", ["1"]), priority={"1": ["a.r1.1", "b.r1.1"]})
    assert drifts(found, (0, 1))[-1] == {(-1, 0), (0, -1)}
    assert drifts(found, (1, 1))[-1] == {(-1, 0)}
    assert drifts(found, (1, 0))[-1] == {(-1, 0)}
    assert drifts(found, (0, 1), closed=False)[-1] == {(0, -1)}


def test_choices_idle_only_where_all_is_empty() -> None:
    found = chain("non-idling", ("a", ["12"]))
    assert drifts(found, (1, 0)) == [{(Fraction(1, 2), 0)}, {(-1, 1)}, {(0, -1), (0, 0)}]
    assert drifts(found, (1, 0), closed=False)[-1] == {(0, 0)}


def test_choices_jsr_tie_both_ways_closed_and_half_each_on_states() -> None:
    found = chain("non-idling", ("a", ["1", "2"]), routing="jsr")
    assert drifts(found, (1, 1))[0] == {(Fraction(1, 2), 0), (0, Fraction(1, 2))}
    assert drifts(found, (1, 1), closed=False)[0] == {(Fraction(1, 4), Fraction(1, 4))}
    assert drifts(found, (1, 2))[0] == {(Fraction(1, 2), 0)}


def test_choices_spillback_holds_what_is_not_longer_than_its_successor() -> None:
    found = chain("non-idling", ("a", ["12"]), holding="spillback")
    assert drifts(found, (1, 2))[1] == {(0, 0)}
    assert drifts(found, (1, 1))[1] == {(0, 0), (-1, 1)}
    assert drifts(found, (1, 1), closed=False)[1] == {(0, 0)}
    assert drifts(found, (2, 1), closed=False)[1] == {(-1, 1)}


def test_choices_back_pressure_idles_where_no_pressure_is_positive() -> None:
    found = chain("back-pressure", ("a", ["12"]))
    assert drifts(found, (1, 2))[1] == {(0, 0)}
    assert drifts(found, (2, 1))[1] == {(-1, 1)}


def test_choices_longest_queue_under_spillback_skips_the_held() -> None:
    found = chain("longest-queue", ("a", ["12"]), ("b", ["1"]), holding="spillback")
    assert drifts(found, (3, 3, 1), closed=False)[2] == {(0, 0, -1)}
    assert drifts(found, (3, 2, 1), closed=False)[2] == {(-1, 1, 0)}


def test_choices_dominant_follows_the_first_maximal_piece() -> None:
    function = {"pieces": [{"a.r1.1": "1"}, {"b.r1.1": "1"}]}
    found = chain("dominant", ("a", ["1"]), ("b", ["1"]), dominance_function=function)
    assert len(components(found, (1, 1), closed=True)[-1]) == 2
    assert drifts(found, (1, 1), closed=False)[-1] == {(-1, 0)}
    assert drifts(found, (1, 2), closed=False)[-1] == {(0, -1)}


def test_choices_jsq_as_moves_to_the_smallest_allowed_target_or_holds() -> None:
    """Routes 1→2 and 1→3: from server 1 the shorter of 2 and 3, if it is shorter than the source."""
    found = build(network(("c", ["12", "13"])), {"preset": "jsq-as"})
    assert found.names == ("c.r1.1", "c.r1.2", "c.r2.1", "c.r2.2")
    assert drifts(found, (2, 1, 0, 1), closed=False)[1] == {(-1, 1, 0, 0)}
    assert drifts(found, (2, 1, 2, 1), closed=False)[1] == {
        (-1, Fraction(1, 2), 0, Fraction(1, 2)),
        (0, Fraction(1, 2), -1, Fraction(1, 2)),
    }
    assert drifts(found, (2, 2, 2, 2), closed=False)[1] == {(0, 0, 0, 0)}


# ---- forms, numbers, points --------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("x(a.r1.2)", {1: 1}),
        ("length(a.r1.1 - a.r2.1)", {0: 1, 2: -1}),
        ("route(a:r1 - r2)", {0: 1, 1: 1, 2: -1}),
        ("queue(1 - 2)", {0: 1, 2: 1, 1: -1}),
        ("hold(a.r1.1)", {0: 1, 1: -1}),
        ("weight(1: a.r1.1 - a.r2.1)", {0: 1, 2: -1}),
        ("pressure(1: a.r1.1)", {0: 1, 1: -1}),
        ("pressure(1: a.r1.1 - a.r2.1)", {0: 1, 1: -1, 2: -1}),
        ("piece(0 - 1)", {0: 1, 2: -2}),
        ("combination(2 a.r1.1 - 1 a.r2.1)", {0: 2, 2: -1}),
    ],
)
def test_forms_normal_has_the_form_of_its_name(name: str, form: dict[int, int]) -> None:
    found = chain("back-pressure", ("a", ["12", "1"]), routing="jsr")
    pieces: list[Form] = [{0: Fraction(1)}, {2: Fraction(2)}]
    assert by_name(found, pieces, name) == form


def test_forms_unknown_normal_is_refused() -> None:
    with pytest.raises(Unreadable):
        by_name(chain("fbfs", ("a", ["1"])), [], "length(a - b)")


@pytest.mark.parametrize("text", ["1.0", "2/4", "-0", "01", " 1", "1/1", "\u0663", "+1", 1, True, None])
def test_claimed_number_only_canonical(text: object) -> None:
    with pytest.raises(Unreadable):
        number(text)


def test_claimed_template_weights_depend_on_depth_and_numbers() -> None:
    """Two routes of one class: α_d β_n γ_m on the first d positions."""
    spec = {"template": "explicit", "alpha": ["1", "1/2"], "beta": ["1", "1/3"], "gamma": ["1"]}
    place = {"a.r1.1": 0, "a.r1.2": 1, "a.r2.1": 2}
    found = template_pieces(spec, network(("a", ["12", "3"])), place)
    assert found == [
        {2: 1},
        {0: 1},
        {0: Fraction(1, 3), 2: Fraction(1, 3)},
        {0: Fraction(1, 2), 1: Fraction(1, 2)},
        {0: Fraction(1, 6), 1: Fraction(1, 6), 2: Fraction(1, 3)},
    ]


def test_points_every_face_of_a_small_arrangement_is_met() -> None:
    """x, y ≥ 0 and x − y: five faces beside 0."""
    forms: list[Form] = [{0: Fraction(1)}, {1: Fraction(1)}, {0: Fraction(1), 1: Fraction(-1)}]
    assert len(sample(2, forms, random.Random(1), 50)) == 5


def test_points_faces_of_uneven_forms_are_met_exactly() -> None:
    """7x = 5y = 3z is one ray among the faces."""
    forms: list[Form] = [{0: Fraction(7), 1: Fraction(-5)}, {1: Fraction(5), 2: Fraction(-3)}]
    found = sample(3, [*forms, *({k: Fraction(1)} for k in range(3))], random.Random(1), 200)
    assert any(all(dot(form, x) == 0 for form in forms) and min(x) > 0 for x in found)


def test_points_states_of_one_buffer_are_few_and_not_zero() -> None:
    found = states(1, random.Random(1), 300)
    assert (1,) in found
    assert (0,) not in found


def test_drift_least_bound_is_the_optimum_over_corrections() -> None:
    """Two parallel queues under JSQ with V = max: on the tie half of each drift, λ/2 − μ; without the tie λ − μ."""
    found = chain("non-idling", ("a", ["1", "2"]), routing="jsr")
    pieces: list[Form] = [{0: Fraction(1)}, {1: Fraction(1)}]
    forms = normals(found, pieces)

    def optimum(x: tuple[int, int]) -> float:
        at = [[[[c.drift() for c in part] for part in b] for b in comp] for comp in components(found, x, closed=True)]
        return least_bound(pieces[0], Spot(x, [0, 1], at, [form for form in forms if dot(form, x) == 0]), 2)

    assert optimum((1, 1)) == pytest.approx(0.25 - 1)
    assert optimum((2, 1)) == pytest.approx(-1)


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        ({"routing": "jsr", "sequencing": "fbfs", "holding": "none"}, "1/4"),
        ({"routing": "bernoulli", "probabilities": {"a": {"r1": "3/4", "r2": "1/4"}}}, "3/8"),
        ({"preset": "jsq-as"}, "1/4"),
    ],
    ids=["jsr", "bernoulli", "jsq-as"],
)
def test_capacity_least_load_of_two_parallel_servers(policy: dict[str, Any], expected: str) -> None:
    found = graph(network(("a", ["1", "2"])), policy)
    assert least_load(found) == Fraction(expected)


def test_capacity_least_load_is_exact_where_rates_differ_hugely() -> None:
    """Two servers in a row, the first 10^40 times as fast: the second one's load is what counts."""
    found = graph(network(("a", ["12"]), arrivals="11/10"), {"routing": "fixed"})
    works = [replace(work, rate=work.rate * 10**40 if work.server == "1" else work.rate) for work in found.works]
    assert least_load(Graph(found.flows, works)) == Fraction(11, 10)


# ---- claims ------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("path", sorted((CORPUS / "accepted").glob("*.json")), ids=lambda path: path.stem)
def test_brute_force_accepted_corpus_has_no_objection(path: Path) -> None:
    assert BruteForce(points=100).objections(path.read_bytes()) == []


@pytest.mark.parametrize(
    "path",
    [p for p in sorted((CORPUS / "rejected").glob("*.json")) if p.name.startswith(FALSE_CLAIMS)],
    ids=lambda path: path.stem,
)
def test_brute_force_rejected_corpus_false_claim_is_objected_to(path: Path) -> None:
    assert bool(BruteForce(points=100).objections(path.read_bytes())) == (path.stem not in TRUE_CLAIMS)


def with_words(certificate: dict[str, Any]) -> bytes:
    certificate["claim"]["words"] = sentence(certificate)
    return json.dumps(certificate).encode()


def overloaded(certificate: dict[str, Any]) -> None:
    certificate["network"]["classes"][0]["arrival_rate"] = "21/10"


def larger_epsilon(certificate: dict[str, Any]) -> None:
    certificate["claim"]["epsilon"] = "2"


def other_weight(certificate: dict[str, Any]) -> None:
    piece = certificate["test_function"]["pieces"][0]
    piece[sorted(piece)[0]] = "1/1000"


@pytest.mark.parametrize("change", [overloaded, larger_epsilon, other_weight], ids=lambda change: change.__name__)
@pytest.mark.parametrize("name", ["tandem-faces", "jsr-jobs", "jsq-max", "reentrant-priority", "spillback", "jsq-as"])
def test_brute_force_false_change_of_a_true_claim_is_objected_to(
    name: str, change: Callable[[dict[str, Any]], None]
) -> None:
    certificate = load((CORPUS / "accepted" / f"{name}.json").read_bytes())
    changed = copy.deepcopy(certificate)
    change(changed)
    assert changed != certificate
    assert BruteForce(points=100).objections(with_words(changed))


def test_brute_force_evidence_of_another_leaf_is_objected_to() -> None:
    """The claim stays true; the correction written at the tie is not the one that proves it."""
    certificate = load((CORPUS / "accepted" / "jsq-max.json").read_bytes())
    text = json.dumps(certificate).replace('"leaf": {"piece(0 - 1)": "-1/2"}', '"leaf": {}')
    assert text != json.dumps(certificate)
    found = BruteForce(points=100).objections(text.encode())
    assert len(found) == 1
    assert "with the η of the leaf" in found[0]
    assert not check_bytes(text.encode()).accepted


def test_brute_force_garbage_is_objected_to() -> None:
    for data in (b"", b"{}", b"[]", b'{"claim": {}}', b"\xff", b'{"a": 1, "a": 1}'):
        assert BruteForce().objections(data)


MODULES = (
    "brute_force", "capacity_claim", "cells", "chain", "choices", "claimed", "drift_claim", "forms", "points", "spoken",
    "well_formed",
)  # fmt: skip


@pytest.mark.parametrize("name", MODULES)
def test_brute_force_imports_nothing_of_the_product(name: str) -> None:
    text = (Path(__file__).resolve().parent / f"{name}.py").read_text(encoding="utf-8")
    assert "verify" not in text
