"""Condition Q and bounds on means: known numbers, and drifts looked at state by state."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest
from catalogue.networks import case, decided, line_text, parallel_text, read, single_text

from verify.certificate import certificate
from verify.checker import check_bytes
from verify.conditions.condition import Condition, Verdict
from verify.conditions.criterion import Criterion
from verify.conditions.grounds import Emptying, emptying
from verify.conditions.mean import MeanProof, Side
from verify.conditions.product_form import ProductForm
from verify.conditions.proof import Proof
from verify.conditions.quadratic import QuadraticProof, Square, lacking
from verify.decide import Request, decide
from verify.functions.quadratic import Quadratic
from verify.linear_form import LinearForm
from verify.methods.bounds import Effort, best_side, bound_means, cuts_to_try
from verify.methods.quadratic import by_squares
from verify.methods.registry import method
from verify.policies.compose import Walk, walk
from verify.policies.instance import Instance
from verify.policies.integers import IntegerChain

F = Fraction
TANDEM = line_text("12", ("1/2", "1/2"), "non-idling")
#: M/M/2 as one buffer with two servers.
TWO_SERVERS = """
servers = { N = {}, M = {} }
buffers = [{ name = "K", arrival_rate = 1 }]
activities = [{ server = "N", buffer = "K", rate = 1 }, { server = "M", buffer = "K", rate = 1 }]
policy = { sequencing = "non-idling" }
"""


def by_quadratic(instance: Instance) -> QuadraticProof:
    """The proof by condition Q."""
    proof = decide(instance, Request(method("quadratic"))).proof
    assert isinstance(proof, QuadraticProof)
    return proof


def jobs(chain: Walk) -> LinearForm:
    """Weight 1 for every buffer."""
    return LinearForm.sum_of(range(len(chain.expansion.buffers)))


def quadratic_side(text: str, of: LinearForm | None = None, sign: int = 1, entries: int = 0) -> Fraction:
    """The number of a function without cells (with them: as many entries); for sign −1 the lower bound."""
    chain = walk(read(text))
    found = best_side(chain, F(sign) * (of or jobs(chain)), Effort(entries))
    assert found is not None
    return sign * found.upper


# ---- known numbers -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("load", ["1/2", "9/10", "999/1000", "1/1000000"])
def test_single_queue_is_bounded_exactly(load: str) -> None:
    truth = F(load) / (1 - F(load))
    assert quadratic_side(single_text(load)) == truth
    assert quadratic_side(single_text(load), sign=-1) == truth


def test_numbers_of_the_tandem_are_those_of_the_theory() -> None:
    unequal = line_text("12", ("1/2", "1/3"), "non-idling")
    assert quadratic_side(unequal) == 2
    assert quadratic_side(unequal, sign=-1) == F(4, 3)
    assert (quadratic_side(TANDEM), quadratic_side(TANDEM, sign=-1)) == (F(3), F(3, 2))


def test_cells_close_in_on_the_truth() -> None:
    chain = walk(read(TANDEM))
    fine = Effort(2_000)
    upper, lower = best_side(chain, jobs(chain), fine), best_side(chain, -jobs(chain), fine)
    assert upper is not None
    assert lower is not None
    assert -lower.upper < 2 < upper.upper < F(2001, 1000)
    assert -lower.upper > F(1999, 1000)


def test_two_servers_at_a_buffer_are_not_one_fast_server() -> None:
    """M/M/2 has the mean 4/3; taken for M/M/1 of the double rate it would have 1."""
    assert quadratic_side(TWO_SERVERS) == 2
    assert quadratic_side(TWO_SERVERS, sign=-1) <= F(4, 3) <= quadratic_side(TWO_SERVERS, entries=500)


def test_tie_belongs_to_both_sides() -> None:
    assert quadratic_side(parallel_text("jsq", 1, (1, 1))) == 2


def test_bound_under_any_priority_is_no_sharper_than_under_one() -> None:
    means = ("3/10", "3/5", "3/10", "1/10")
    some = {word: quadratic_side(line_text("1221", means, word)) for word in ("non-idling", "fbfs", "lbfs")}
    assert max(some["fbfs"], some["lbfs"]) <= some["non-idling"]
    assert abs(some["non-idling"] - F(294, 10)) < F(1, 10)
    assert abs(some["lbfs"] - F(1176, 100)) < F(1, 100)


# ---- condition Q -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["lu-kumar-fbfs", "back-pressure-line", "paper-2-jsq-as", "jackson-feedback"])
def test_certificate_is_accepted_and_has_epsilon_one(name: str) -> None:
    proof = by_quadratic(case(name))
    assert proof.epsilon == 1
    assert not lacking(proof.function, proof.squares)
    assert check_bytes(certificate(proof)).accepted


def test_unstable_network_has_no_quadratic_function() -> None:
    for name in ("lu-kumar-bad-priority", "rybko-stolyar-exit-priority", "jsq-two-servers-over"):
        assert decide(case(name), Request(method("quadratic"))).verdict is not Verdict.STABLE


def test_criterion_quadratic_allows_no_other_proof() -> None:
    weak = decide(case("paper-1-jsr-longest"), Request(criterion=Criterion.QUADRATIC, time_limit=20))
    assert weak.verdict is Verdict.UNDECIDED
    strong = decide(case("lu-kumar-fbfs"), Request(criterion=Criterion.QUADRATIC))
    assert strong.proof is not None
    assert strong.proof.condition is Condition.QUADRATIC
    for criterion in (Criterion.FLUID, Criterion.STRICT, Criterion.CORRECTED):
        proof = decide(case("jackson-feedback"), Request(criterion=criterion)).proof
        assert proof is not None
        assert proof.condition is not Condition.QUADRATIC


def test_back_pressure_on_a_long_line_near_capacity() -> None:
    visits = "1234" * 3
    text = line_text(visits, ["33/100"] * 12, "back-pressure")
    found = decided(read(text))
    assert found.decision.method == "quadratic"
    assert check_bytes(found.certificate, text.encode()).accepted


def test_what_a_copositive_matrix_lacks() -> None:
    dominant = Quadratic.of({(0, 0): F(2), (0, 1): F(-2), (1, 1): F(3)}, {})
    assert lacking(dominant, ()) == {}
    assert lacking(Quadratic.of({(0, 1): F(-1)}, {}), ()) == {0: 1, 1: 1}
    square = Square(F(1), LinearForm({0: F(1), 1: F(-2)}))
    needs = Quadratic.of({(0, 0): F(1), (0, 1): F(-2), (1, 1): F(4)}, {})
    assert lacking(needs, ()) == {0: 1}
    assert lacking(needs, (square,)) == {}


def test_semidefinite_program_gives_squares_that_the_checker_takes() -> None:
    chain = walk(case("lu-kumar-fbfs"))
    empties = emptying(chain)
    assert isinstance(empties, Emptying)
    (proof,) = by_squares(chain, jobs(chain), empties)
    assert isinstance(proof, QuadraticProof)
    assert proof.squares
    assert check_bytes(certificate(proof)).accepted


def test_quadratic_method_says_that_it_serves_no_other_condition() -> None:
    (attempt,) = decide(case("lu-kumar-fbfs"), Request(method("quadratic"), Criterion.FLUID)).attempts
    assert "condition Q only" in attempt.reason


# ---- bounds, state by state ----------------------------------------------------------------------------------------
def value(function: Quadratic, state: tuple[int, ...]) -> Fraction:
    return function.at({k: F(n) for k, n in enumerate(state)})


def slack(chain: IntegerChain, side: Side, of: LinearForm, sign: int, box: int) -> Fraction:
    """The least of sign · (number − of·x − drift) over a box of states and all choices."""
    least: list[Fraction] = []
    for state in itertools.product(range(box), repeat=chain.buffers):
        here = value(side.function, state)
        total = sign * (side.number - of.at({k: F(n) for k, n in enumerate(state)}))
        for options in chain.decisions_at(state):
            drifts = []
            for option in options:
                drift = F(0)
                for changes, rate in option:
                    moved = list(state)
                    for k, step in changes:
                        moved[k] += step
                    drift += rate * (value(side.function, tuple(moved)) - here)
                drifts.append(sign * drift)
            total -= max(drifts)
        least.append(total)
    return min(least)


def stability(instance: Instance) -> Proof:
    proof = decide(instance).proof
    assert proof is not None
    assert proof.verdict is Verdict.STABLE
    return proof


SHARED = """
servers = { N = {}, M = {} }
buffers = [{ name = "K", arrival_rate = "1/4" }, { name = "L", arrival_rate = 1 }]
activities = [{ server = "N", buffer = "K", rate = 1 }, { server = "N", buffer = "L", rate = 10 },
              { server = "M", buffer = "L", rate = "1/10" }]
policy = { sequencing = "%s" }
"""
WATCHED = {
    "tandem": TANDEM,
    "two servers": TWO_SERVERS,
    "jsq": parallel_text("jsq", 1, (1, 1)),
    "jsr": parallel_text("jsr", 1, (1, 2)),
    "lbfs": line_text("121", ("1/3", "1/2", "1/3"), "lbfs"),
    "longest-queue": line_text("121", ("1/3", "1/2", "1/3"), "longest-queue"),
    "back-pressure": line_text("121", ("1/3", "1/2", "1/3"), "back-pressure"),
    "spillback": line_text("12", ("1/2", "1/3"), "non-idling") + 'holding = "spillback"\n',
    "shared max-weight": SHARED % "max-weight",
    "shared longest-queue": SHARED % "longest-queue",
    "shared back-pressure": SHARED % "back-pressure",
    "shared non-idling": SHARED % "non-idling",
}


@pytest.mark.parametrize("entries", [0, 600])
@pytest.mark.parametrize("name", WATCHED)
def test_bounds_hold_at_every_state_and_somewhere_with_equality(name: str, entries: int) -> None:
    instance = read(WATCHED[name])
    proof = stability(instance)
    chain = walk(proof.instance)
    of = LinearForm({0: F(1), **({1: F(2)} if len(chain.expansion.buffers) > 1 else {})})
    found = bound_means(proof, chain, of, Effort(entries))
    if isinstance(found, ProductForm):
        found = MeanProof(of, proof, bounded_side(chain, of, 1, entries), bounded_side(chain, of, -1, entries))
    assert isinstance(found, MeanProof)
    assert check_bytes(certificate(found)).accepted
    integers = IntegerChain(chain)
    for side, sign in ((found.above, 1), (found.below, -1)):
        if side is not None:
            least = slack(integers, side, of, sign, 5 if chain.expansion.shared or entries else 6)
            assert least >= 0
            if not entries and not chain.expansion.shared:
                assert least < abs(side.number) / 1000


def bounded_side(chain: Walk, of: LinearForm, sign: int, entries: int) -> Side:
    fitted = best_side(chain, F(sign) * of, Effort(entries))
    assert fitted is not None
    return Side(sign * fitted.upper, fitted.function.times(F(sign)), fitted.places)


def test_product_form_where_every_server_has_one_buffer() -> None:
    instance = case("jackson-feedback")
    proof = stability(instance)
    chain = walk(instance)
    found = bound_means(proof, chain, jobs(chain), Effort())
    assert isinstance(found, ProductForm)
    assert found.mean == 13
    assert check_bytes(certificate(found)).accepted
    watched = read(line_text("121", ("1/3", "1/2", "1/3"), "lbfs"))
    assert not isinstance(bound_means(stability(watched), walk(watched), jobs(walk(watched)), Effort(0)), ProductForm)


def test_buffers_are_cut_as_finely_as_there_is_room_for() -> None:
    chain = walk(read(TANDEM))
    assert list(cuts_to_try(chain, 0)) == [{}]
    finest = [dict(cuts) for cuts in cuts_to_try(chain, 3_000)][-1]
    assert set(finest) == {0, 1}
    assert finest[0] == finest[1] > 4
    long = walk(read(line_text("1234" * 3, ["1/4"] * 12, "fbfs")))
    some = [dict(cuts) for cuts in cuts_to_try(long, 20_000)][-1]
    assert 0 < len(some) < 12
    assert set(some.values()) == {1}
