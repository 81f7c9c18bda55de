"""The explicit construction (theory 3.2): which pieces, in which order, with which weights."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest
from catalogue.networks import EXAMPLE_1, GEOMETRIC_2, GOOD_TIES_2, TEMPLATE_2, case, example_2_text, line_text, read
from naive.dominant import bottlenecks as naive_bottlenecks
from naive.dominant import pieces as naive_pieces
from naive.dominant import template_pieces

from verify.functions.explicit import build, explicit_function, geometric_template, sizes
from verify.functions.piecewise import PiecewiseLinear
from verify.network.expansion import Expansion
from verify.network.model import ExplicitTemplate, FreePieces, RouteNetwork
from verify.policies.dominant import bottlenecks
from verify.policies.instance import Instance

F = Fraction


def network_of(instance: Instance) -> RouteNetwork:
    assert isinstance(instance.network, RouteNetwork)
    return instance.network


def dominance(text: str) -> tuple[Instance, PiecewiseLinear, Expansion]:
    """The instance of a text, its dominance function, its expansion."""
    instance = read(text)
    assert instance.policy.dominance_function is not None
    expansion = instance.expansion()
    return instance, build(network_of(instance), expansion, instance.policy.dominance_function), expansion


def by_name(function: PiecewiseLinear, expansion: Expansion, piece: int) -> dict[str, Fraction]:
    return {expansion.names[k]: weight for k, weight in function.pieces[piece].items()}


@pytest.mark.parametrize(
    "text", [EXAMPLE_1, example_2_text("1", TEMPLATE_2, GOOD_TIES_2)], ids=["example-1", "example-2"]
)
def test_template_of_the_papers_examples_has_35_pieces(text: str) -> None:
    _, function, _ = dominance(text)
    assert len(function) == len(function.depths) == 35


def test_template_example_1_weights_by_hand() -> None:
    """alpha_d = (3/4)^(d−1), beta_n = (3/4)^n, gamma_m = (3/4)^m; routes c1: 1-3 | 4, c2: 3-5 | 2."""
    _, function, expansion = dominance(EXAMPLE_1)
    q = F(3, 4)
    place = {depths: i for i, depths in enumerate(function.depths)}
    assert by_name(function, expansion, place[0, 0, 0, 1]) == {"c2.r4.1": q * q}
    assert by_name(function, expansion, place[1, 0, 0, 0]) == {"c1.r1.1": q * q}
    assert by_name(function, expansion, place[2, 0, 0, 0]) == {"c1.r1.1": q**3, "c1.r1.2": q**3}
    assert by_name(function, expansion, place[2, 1, 0, 0]) == {"c1.r1.1": q**4, "c1.r1.2": q**4, "c1.r2.1": q**3}
    assert by_name(function, expansion, place[0, 1, 1, 0]) == {"c1.r2.1": q**3, "c2.r3.1": q**3}
    everything = {"c1.r1.1": q**5, "c1.r1.2": q**5, "c1.r2.1": q**4, "c2.r3.1": q**5, "c2.r3.2": q**5, "c2.r4.1": q**4}
    assert by_name(function, expansion, place[2, 1, 2, 1]) == everything


def test_template_example_2_weights_by_hand() -> None:
    """alpha = 9/10, beta = (1, 4/5, 39/50), gamma = 1; routes 1-2 | 1-3-5 | 4-5."""
    _, function, expansion = dominance(example_2_text("1", TEMPLATE_2, GOOD_TIES_2))
    place = {depths: i for i, depths in enumerate(function.depths)}
    assert by_name(function, expansion, place[1, 0, 0]) == {"c.r1.1": F(1)}
    assert by_name(function, expansion, place[0, 3, 0]) == dict.fromkeys(("c.r2.1", "c.r2.2", "c.r2.3"), F(81, 100))
    assert by_name(function, expansion, place[2, 0, 1]) == {"c.r1.1": F(18, 25), "c.r1.2": F(18, 25), "c.r3.1": F(4, 5)}
    assert by_name(function, expansion, place[1, 1, 1]) == dict.fromkeys(("c.r1.1", "c.r2.1", "c.r3.1"), F(39, 50))


def test_template_pieces_are_in_lexicographic_order_of_depths() -> None:
    _, function, _ = dominance(example_2_text("1", GEOMETRIC_2, {}))
    assert list(function.depths) == list(itertools.product(range(3), range(4), range(3)))[1:]


@pytest.mark.parametrize(
    "text", [EXAMPLE_1, example_2_text("1", TEMPLATE_2, GOOD_TIES_2), example_2_text("1", GEOMETRIC_2, {})]
)
def test_template_pieces_are_those_of_the_naive_construction(text: str) -> None:
    instance, function, expansion = dominance(text)
    template = instance.policy.dominance_function
    assert isinstance(template, ExplicitTemplate)
    naive = template_pieces(network_of(instance), template)
    assert [by_name(function, expansion, i) for i in range(len(function))] == [
        {name: weight for name, weight in piece.items() if weight} for piece in naive
    ]


def test_geometric_template_has_the_powers_of_theory_3() -> None:
    network = network_of(case("paper-2-jsr"))
    assert sizes(network) == (3, 3, 1)
    assert geometric_template(network, F(1, 2), F(1, 3), F(1, 5)) == ExplicitTemplate(
        (F(1), F(1, 2), F(1, 4)), (F(1, 3), F(1, 9), F(1, 27)), (F(1, 5),)
    )


def test_scalars_of_a_file_are_the_geometric_template() -> None:
    instance = read(EXAMPLE_1)
    q = F(3, 4)
    assert instance.policy.dominance_function == geometric_template(network_of(instance), q, q, q)


def test_template_of_a_single_route_has_one_piece_for_each_depth() -> None:
    network = network_of(read(line_text("121", ["1", "1", "1"], "fbfs")))
    template = ExplicitTemplate((F(1), F(1, 2), F(1, 4)), (F(1),), (F(1),))
    function = explicit_function(network, template)
    expected = PiecewiseLinear.of({0: F(1)}, {0: F(1, 2), 1: F(1, 2)}, dict.fromkeys(range(3), F(1, 4)))
    assert function.pieces == expected.pieces


def test_template_without_routes_is_refused() -> None:
    instance = case("jackson-feedback")
    expansion = instance.expansion()
    with pytest.raises(ValueError, match="routes"):
        build(instance.network, expansion, ExplicitTemplate((F(1),), (F(1),), (F(1),)))


def test_free_pieces_of_a_file_are_merged_in_listed_order() -> None:
    instance = case("jackson-feedback")
    expansion = instance.expansion()
    one, two = expansion.names[:2]
    function = build(instance.network, expansion, FreePieces(({one: F(2)}, {two: F(1), one: F(0)}, {one: F(2)})))
    assert function.pieces == PiecewiseLinear.of({0: F(2)}, {1: F(1)}).pieces
    assert function.depths == ()


# ---- bottlenecks ---------------------------------------------------------------------------------------------------
def bottlenecks_by_name(function: PiecewiseLinear, expansion: Expansion, piece: int) -> set[str]:
    return {expansion.names[k] for k in bottlenecks(piece, function, expansion)}


def test_bottlenecks_of_the_template_are_the_ends_of_the_dominant_prefixes() -> None:
    _, function, expansion = dominance(EXAMPLE_1)
    routes = ("c1.r1", "c1.r2", "c2.r3", "c2.r4")
    for piece, depths in enumerate(function.depths):
        ends = {f"{route}.{depth}" for route, depth in zip(routes, depths, strict=True) if depth}
        assert bottlenecks_by_name(function, expansion, piece) == ends


def test_bottlenecks_by_hand() -> None:
    """Subserver k is one iff w_k > w_{k_s}, 0 after the last: weights that fall along a route have several."""
    expansion = read(line_text("121", ["1", "1", "1"], "fbfs")).expansion()
    pieces: list[dict[int, Fraction]] = [
        {0: F(3), 1: F(2), 2: F(1)},
        {0: F(1), 1: F(1), 2: F(1)},
        {0: F(1), 1: F(2), 2: F(2)},
        {0: F(2), 1: F(2)},
        {0: F(1)},
    ]
    found = [set(bottlenecks(i, PiecewiseLinear.of(*pieces), expansion)) for i in range(len(pieces))]
    assert found == [{0, 1, 2}, {2}, {2}, {1}, {0}]


@pytest.mark.parametrize(
    "text", [EXAMPLE_1, example_2_text("1", TEMPLATE_2, GOOD_TIES_2)], ids=["example-1", "example-2"]
)
def test_bottlenecks_are_those_of_the_naive_construction(text: str) -> None:
    instance, function, expansion = dominance(text)
    assert instance.policy.dominance_function is not None
    for i, piece in enumerate(naive_pieces(network_of(instance), instance.policy.dominance_function)):
        assert bottlenecks_by_name(function, expansion, i) == set(naive_bottlenecks(network_of(instance), piece))
