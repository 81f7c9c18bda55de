"""The comparison of methods: exact values, bisection, refusals, folders."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

import pytest
from catalogue.networks import case, case_text, line_text, parallel_text, read, single_text, with_arrivals

from verify.conditions.capacity import capacity
from verify.conditions.drift import DriftProof
from verify.conditions.proof import Proof
from verify.decide import Request, decide
from verify.errors import InputError, InternalError
from verify.methods import registry
from verify.methods.method import Attempt, Method, Problem, Settings
from verify.policies.instance import Instance
from verify.studies.comparison.compare import GRID, Row, compare, compare_path, largest_load
from verify.studies.comparison.render import heading

BY_NAME = {name: registry.method(name) for name in registry.COMPARED}
FULL = Fraction(GRID - 1, GRID)


def proof_by(name: str, instance: Instance) -> Proof | None:
    """What one method proves on its own."""
    return decide(instance, Request(BY_NAME[name], polish=False)).proof


class Liar(Method):
    """Doubles the margin of what it proves."""

    name, missing = "liar", ""

    def search(self, problem: Problem, settings: Settings) -> Iterator[Proof | Attempt]:
        for found in BY_NAME["linear"].search(problem, settings):
            yield dataclasses.replace(found, epsilon=found.epsilon * 2) if isinstance(found, DriftProof) else found


def row(instance: Instance, method: str) -> Row:
    """What one method does."""
    (found,) = compare(instance, methods=[BY_NAME[method]]).rows
    return found


# ---- values that are known exactly ---------------------------------------------------------------------------------
@pytest.mark.parametrize("method", [name for name in BY_NAME if not name.startswith("down-meyn ")])
def test_compare_single_queue_is_certified_by_every_method_up_to_the_last_thousandth(method: str) -> None:
    found = row(read(single_text("7/10")), method)
    assert (found.decided, found.load) == (True, FULL)


def test_compare_single_queue_has_the_margin_of_the_facts() -> None:
    """The optimum of theory 9.2 of M/M/1, rates divided by their sum, is (mu - lambda)/(mu + lambda)."""
    assert row(read(single_text("1/3", 2)), "down-meyn").scale_free == Fraction(5, 7)


@pytest.mark.parametrize("method", ["linear", "down-meyn"])
def test_compare_tandem_is_certified_up_to_capacity(method: str) -> None:
    found = row(case("tandem-nine-tenths"), method)
    assert (found.decided, found.load) == (True, FULL)


def below(bound: Fraction) -> Fraction:
    """The largest thousandth below a load that must not be reached."""
    return Fraction(-(-bound * GRID // 1) - 1, GRID)


#: stations, means -> the classes whose loads at two stations together must stay below 1 ([Dai & Vande Vate 2000]).
VIRTUAL = {
    "Lu-Kumar": ("1221", ("1/10", "3/5", "1/10", "3/5"), (2, 4)),
    "Lu-Kumar, lighter": ("1221", ("1/5", "1/2", "1/5", "1/2"), (2, 4)),
    "five classes": ("12121", ("1/10", "3/5", "1/10", "1/10", "3/5"), (2, 5)),
}


@pytest.mark.parametrize("name", VIRTUAL)
def test_compare_down_meyn_reaches_the_virtual_load_and_not_beyond(name: str) -> None:
    """Non-idling on two stations is stable iff loads and virtual loads are below 1, and the program is exact there."""
    stations, means, virtual = VIRTUAL[name]
    instance = read(line_text(stations, means, "non-idling"))
    load = capacity(instance).load
    bound = load / sum(Fraction(means[position - 1]) for position in virtual)
    assert row(instance, "down-meyn").load == below(min(bound, Fraction(1)))


def test_compare_rybko_stolyar_down_meyn_speaks_of_all_non_idling_policies_and_linear_of_this_priority() -> None:
    """Entry priority is stable up to capacity; the worst non-idling policy only while 6/5 of the load factor is below 1."""
    instance = case("rybko-stolyar-entry-priority")
    assert row(instance, "linear").load == FULL
    assert row(instance, "down-meyn").load == below(Fraction(7, 10) / Fraction(6, 5))


def test_compare_ring_averaging_fails_and_the_cycle_certifies_it_up_to_capacity() -> None:
    instance = case("ring-three-stations")
    average, cycle = row(instance, "down-meyn"), row(instance, "down-meyn cycles")
    assert (average.decided, average.reason) == (False, "no margin")
    assert average.load is not None
    assert average.load < Fraction(9, 10)
    assert (cycle.decided, cycle.pieces, cycle.load) == (True, 3, FULL)


def test_compare_averaging_at_ties_of_jsq_needs_corrected_leaves() -> None:
    instance = case("jsq-averaging-three")
    assert isinstance(proof_by("corrected", instance), DriftProof)
    assert row(instance, "linear").reason == "no linear V"


# ---- monotone ------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("method", ["linear", "down-meyn", "lp"])
def test_compare_what_is_certified_at_the_largest_load_is_certified_below(method: str) -> None:
    instance = read(line_text("1221", ("1/10", "3/5", "1/10", "3/5"), "non-idling"))
    load = capacity(instance).load
    top = row(instance, method).load
    assert top is not None
    for share in (Fraction(1, 10), Fraction(1, 2), Fraction(9, 10), Fraction(99, 100), Fraction(1)):
        assert proof_by(method, with_arrivals(instance, share * top / load))
    assert proof_by(method, with_arrivals(instance, (top + Fraction(1, GRID)) / load)) is None


def test_compare_more_freedom_certifies_no_less() -> None:
    """Cycles against averages where both apply, on a ring; linear V for a policy against Down-Meyn for all of them."""
    ring = case("ring-three-stations-light")
    for beyond in ("down-meyn cycles", "down-meyn fitted"):
        assert (row(ring, beyond).load or 0) >= (row(ring, "down-meyn").load or 0)
    assert row(ring, "down-meyn").decided


# ---- bisection -----------------------------------------------------------------------------------------------------
@dataclasses.dataclass(frozen=True)
class Until(Method):
    """Proves M/M/1 with rate 1 up to an arrival rate."""

    limit: Fraction
    log: list[Fraction]
    name, missing = "until", "too much"

    def search(self, problem: Problem, settings: Settings) -> Iterator[Proof | Attempt]:
        load = capacity(problem.instance).load
        self.log.append(load)
        if load <= self.limit:
            yield from BY_NAME["linear"].search(problem, settings)


class Silent(Method):
    """Says nothing."""

    name, missing = "silent", ""

    def search(self, problem: Problem, settings: Settings) -> Iterator[Proof | Attempt]:
        yield from ()


@pytest.mark.parametrize("thousandths", [1, 2, 499, 500, 617, 998, 999])
@pytest.mark.parametrize("guess", [0, 300, 617])
def test_largest_load_is_the_last_one_proved_in_a_dozen_steps(thousandths: int, guess: int) -> None:
    log: list[Fraction] = []
    method = Until(Fraction(thousandths, GRID), log)
    instance = read(single_text("3/10"))
    found = largest_load(method, instance, Fraction(3, 10), guess, None, lambda line: None)
    assert found == (Fraction(thousandths, GRID), "" if thousandths == GRID - 1 else "too much")
    assert found[0] in log
    assert len(log) <= 12


def test_largest_load_of_a_method_that_proves_nothing_is_none() -> None:
    found = largest_load(Until(Fraction(0), []), read(single_text("3/10")), Fraction(3, 10), 0, None, lambda line: None)
    assert found == (None, "too much")


def test_compare_overloaded_file_is_not_decided_but_its_largest_load_is_found() -> None:
    found = row(read(single_text(3)), "linear")
    assert found == Row("linear", False, "overloaded", load=FULL, seconds=found.seconds)


def test_compare_network_without_arrivals_is_refused() -> None:
    with pytest.raises(InputError, match="arrival rate"):
        compare(read(CROSS.replace(', arrival_rate = "1"', "")))


def test_largest_load_takes_no_silent_failure_for_a_proof() -> None:
    assert largest_load(Silent(), read(single_text("1/2")), Fraction(1, 2), 0, None, lambda line: None) == (None, "")


def test_compare_proof_that_the_checker_refuses_is_an_internal_error() -> None:
    with pytest.raises(InternalError, match="refuses"):
        compare(read(single_text("1/2")), methods=[Liar()])


# ---- what does not apply -------------------------------------------------------------------------------------------
JSQ = parallel_text("jsq", 1, (1, 1))
BACK = line_text("12", ("1/2", "1/2"), "back-pressure")
HELD = line_text("12", ("1/2", "1/2"), "fbfs") + 'holding = "spillback"\n'
CROSS = """
servers = { 1 = {}, 2 = {} }
buffers = [{ name = "q", arrival_rate = "1" }]
activities = [{ server = "1", buffer = "q", rate = "1" }, { server = "2", buffer = "q", rate = "1" }]
policy = { sequencing = "non-idling" }
"""


@pytest.mark.parametrize(
    ("instance", "method", "reason"),
    [
        (lambda: read(JSQ), "down-meyn", "routing"),
        (lambda: read(JSQ), "down-meyn cycles", "routing"),
        (lambda: read(JSQ), "explicit", "no routes"),
        (lambda: read(CROSS), "explicit", "no routes"),
        (lambda: read(CROSS), "down-meyn", "shared buffer"),
        (lambda: read(BACK), "down-meyn", "policy"),
        (lambda: read(HELD), "down-meyn", "holding"),
        (lambda: case("paper-1-jsr"), "down-meyn", "routing"),
        (lambda: case("paper-1-jsr"), "corrected", "policy"),
        (lambda: case("paper-2-jsr"), "down-meyn cycles", "routing"),
        (lambda: case("paper-2-jsr"), "down-meyn fitted", "routing"),
        (lambda: case("tandem-nine-tenths"), "down-meyn cycles", "as down-meyn"),
        (lambda: case("tandem-nine-tenths"), "down-meyn fitted", "as down-meyn"),
        (lambda: case("global-lk1221-0"), "corrected", "too large"),
        (lambda: read(line_text("1234567", ["1/2"] * 7, "fbfs")), "down-meyn cycles", "too large"),
        (lambda: read(parallel_text("jsr", 1, (1,) * 8)), "explicit", "too large"),
    ],
)
def test_compare_method_that_does_not_apply_says_why(
    instance: Callable[[], Instance], method: str, reason: str
) -> None:
    (found,) = compare(instance(), methods=[BY_NAME[method]]).rows
    assert found == Row(method, False, reason)


@pytest.mark.parametrize("text", [JSQ, BACK, HELD, CROSS.replace('"1" }]', '"3/2" }]', 1)])
def test_compare_fitted_pieces_apply_to_every_policy(text: str) -> None:
    assert row(read(text), "lp").decided


def test_compare_every_reason_is_one_or_two_words() -> None:
    found = compare(case("tandem-nine-tenths"))
    assert [r.method for r in found.rows] == list(registry.COMPARED)
    assert all(r.decided == (r.reason == "") and len(r.reason.split()) <= 2 for r in found.rows)


def test_compare_ignores_the_test_function_of_the_file() -> None:
    """max(x_1, x_2) of the file proves nothing; the method's own V does."""
    found = row(case("jsq-max-below"), "linear")
    assert found.decided
    assert found.pieces == 1


def test_compare_time_limit_is_reported_as_such() -> None:
    (found,) = compare(case("jsq-two-servers"), methods=[BY_NAME["linear"]], seconds=1e-9).rows
    assert (found.decided, found.reason, found.load) == (False, "time limit", None)
    assert found.beyond == "time limit"


# ---- files ---------------------------------------------------------------------------------------------------------
def test_compare_path_of_a_folder_takes_its_networks_in_order_and_reports(tmp_path: Path) -> None:
    (tmp_path / "b.toml").write_text(single_text("1/2"), encoding="utf-8")
    (tmp_path / "a.toml").write_text(case_text("tandem-nine-tenths"), encoding="utf-8")
    (tmp_path / "notes.txt").write_text("no network", encoding="utf-8")
    lines: list[str] = []
    found = compare_path(tmp_path, {}, [BY_NAME["linear"]], report=lines.append)
    assert [(c.name, c.load) for c in found] == [("a", Fraction(9, 10)), ("b", Fraction(1, 2))]
    assert lines[:2] == ["a: linear, rates of the file", "a: linear, load 999/1000"]


def test_compare_path_lists_a_bad_file_of_a_folder_and_goes_on(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text("nonsense", encoding="utf-8")
    (tmp_path / "b.toml").write_text(single_text("1/2"), encoding="utf-8")
    (tmp_path / "c.toml").mkdir()
    (tmp_path / "d.toml").write_text(CROSS.replace(', arrival_rate = "1"', ""), encoding="utf-8")
    found = compare_path(tmp_path, {}, [BY_NAME["linear"]])
    assert [(c.name, c.load, c.status) for c in found] == [
        ("a", None, 2), ("b", Fraction(1, 2), 0), ("c", None, 2), ("d", None, 2),
    ]  # fmt: skip
    assert all((str(tmp_path / f"{c.name}.toml") in c.error) == bool(c.status) for c in found)


def test_compare_path_internal_error_of_a_folder_has_status_1(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.toml").write_text(single_text("1/2"), encoding="utf-8")
    (found,) = compare_path(tmp_path, {}, [Liar()])
    assert (found.status, "refuses" in found.error) == (1, True)


def test_compare_path_single_bad_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text("nonsense", encoding="utf-8")
    with pytest.raises(InputError, match="valid TOML"):
        compare_path(tmp_path / "a.toml", {})


@pytest.mark.parametrize(
    ("text", "unstable"),
    [
        (single_text(3), "every policy of this routing (condition N)"),
        (case_text("lu-kumar-bad-priority"), "every policy of the class (condition U)"),
        (single_text("1/2"), ""),
    ],
)
def test_compare_path_says_for_whom_the_network_is_unstable(text: str, unstable: str, tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text(text, encoding="utf-8")
    (found,) = compare_path(tmp_path / "a.toml", {}, [BY_NAME["linear"]])
    assert found.unstable == unstable
    assert found.verdict == ("unstable" if unstable else "stable")
    assert ("UNSTABLE" in heading(found)) == bool(unstable)


def test_compare_path_refuses_a_folder_without_networks(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a folder without any"):
        compare_path(tmp_path, {})


def test_compare_path_passes_settings_on(tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    file.write_text('parameters = { load = "1/2" }\n' + single_text("load"), encoding="utf-8")
    (found,) = compare_path(file, {"load": "4/5"}, [BY_NAME["linear"]])
    assert found.load == Fraction(4, 5)
