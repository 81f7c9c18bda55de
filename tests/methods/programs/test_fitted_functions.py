"""Functions fitted by linear programs: exact optima, what they certify, and what they must never certify."""

from __future__ import annotations

from fractions import Fraction

import pytest
from catalogue.files import PATHS
from lp.witness import bound_by_multipliers
from oracles.down_meyn import down_meyn

from verify.budget import Budget
from verify.certificate import certificate_of
from verify.checker import check_bytes
from verify.conditions.condition import Verdict
from verify.conditions.criterion import Criterion
from verify.conditions.drift import DriftProof
from verify.decide import Request, decide
from verify.lp.approx import propose_interior
from verify.methods.programs.alternating import several_pieces
from verify.methods.programs.fitted_domination import fitted
from verify.methods.programs.station_weights import StationFunction, Stations, hitting_times, strictly_dominated
from verify.methods.programs.stations import (
    NoMargin,
    StationProgram,
    cycles,
    no_margin_multipliers,
    optimum,
    positive_margin,
    station_function,
    uniform,
)
from verify.methods.registry import method
from verify.network.model import RouteNetwork
from verify.network_file.read import read_file, read_text
from verify.policies.compose import walk
from verify.policies.instance import Instance


def line(stops: str, means: list[str], arrival: str = "1", sequencing: str = "non-idling") -> Instance:
    """One class along these servers."""
    servers = "\n".join(f"{s} = {{}}" for s in sorted(set(stops)))
    visits = ", ".join(f'{{ server = "{s}", mean = "{m}" }}' for s, m in zip(stops, means, strict=True))
    return read_text(
        f'[servers]\n{servers}\n[[classes]]\nname = "a"\narrival_rate = "{arrival}"\n[classes.routes]\nr1 = [{visits}]\n'
        f'[policy]\nsequencing = "{sequencing}"\n',
        format="toml",
    )


def rybko_stolyar(arrival: str, means: list[str]) -> Instance:
    """Two types through two stations in opposite order."""
    return read_text(
        f"""
[servers]
1 = {{}}
2 = {{}}
[[classes]]
name = "a"
arrival_rate = "{arrival}"
routes.r1 = [{{ server = "1", mean = "{means[0]}" }}, {{ server = "2", mean = "{means[1]}" }}]
[[classes]]
name = "b"
arrival_rate = "{arrival}"
routes.r1 = [{{ server = "2", mean = "{means[0]}" }}, {{ server = "1", mean = "{means[1]}" }}]
[policy]
sequencing = "non-idling"
""",
        format="toml",
    )


def normalised(instance: Instance) -> Fraction:
    """The optimum with all rates divided by their sum."""
    chain = walk(instance)
    total = sum((s.rate for s in chain.expansion.services), Fraction(0))
    total += sum((s.rate for s in chain.expansion.streams), Fraction(0))
    found = optimum(chain, uniform(len(chain.expansion.busy_servers)))
    assert found is not None
    return found / total


@pytest.mark.parametrize(
    ("instance", "value"),
    [
        (line("1", ["1"], "1/2"), Fraction(1, 3)),
        (line("1", ["1/3"], "1"), Fraction(1, 2)),
        (line("12", ["1", "1"], "1/2"), Fraction(1, 5)),
        (line("1221", ["3/10", "3/5", "3/10", "1/10"]), Fraction(1, 174)),
        (rybko_stolyar("3/10", ["1", "1"]), Fraction(2, 23)),
    ],
)
def test_down_meyn_optimum_is_the_known_fraction(instance: Instance, value: Fraction) -> None:
    assert normalised(instance) == value


@pytest.mark.parametrize(
    "instance",
    [
        line("1221", ["3/10", "3/5", "3/10", "1/10"]),
        line("1212131", ["1/10", "1/5", "1/7", "1/9", "1/11", "1/3", "1/20"]),
        rybko_stolyar("3/10", ["1", "1"]),
        read_file(PATHS["ring-three-stations-light"]),
    ],
)
def test_down_meyn_program_is_the_one_on_paper(instance: Instance) -> None:
    """The same optimum as the formulation of the oracle."""
    assert isinstance(instance.network, RouteNetwork)
    assert float(normalised(instance)) == pytest.approx(down_meyn(instance.network), rel=1e-7)


@pytest.mark.parametrize(
    ("slack", "stable"), [("1/1000000", True), ("1/1000000000000", True), ("0", False), ("-1/1000000", False)]
)
def test_down_meyn_lu_kumar_at_the_margin_is_decided_exactly(slack: str, stable: bool) -> None:
    last = str(Fraction(2, 5) - Fraction(slack))
    decision = decide(line("1221", ["1/10", "3/5", "1/10", last]), Request(method("down-meyn")))
    assert (decision.verdict is Verdict.STABLE) == stable
    if stable:
        data = certificate_of(decision)
        assert data is not None
        assert check_bytes(data).accepted


def test_down_meyn_ring_needs_the_cycle() -> None:
    chain = walk(read_file(PATHS["ring-three-stations"]))
    assert station_function(chain, [uniform(3)]) == NoMargin(proved=True)
    assert isinstance(station_function(chain, cycles(3)), StationFunction)
    assert isinstance(station_function(chain, fitted(chain)), StationFunction)


FOUR_STATIONS = """
servers = { 0 = {}, 1 = {}, 2 = {}, 3 = {} }
[[classes]]
name = "a"
arrival_rate = 1
routes.r = [{ server = "1", mean = "9/140" }, { server = "3", mean = "27/70" }, { server = "1", mean = "9/70" }]
[[classes]]
name = "b"
arrival_rate = 1
routes.r = [{ server = "2", mean = "9/28" }, { server = "0", mean = "9/28" }, { server = "1", mean = "9/14" },
            { server = "2", mean = "81/140" }, { server = "3", mean = "27/140" }]
[policy]
sequencing = "non-idling"
"""


def test_fitted_domination_goes_beyond_average_and_cycles() -> None:
    """Four stations, found among random networks."""
    chain = walk(read_text(FOUR_STATIONS, format="toml"))
    assert isinstance(station_function(chain, [uniform(4), *cycles(4)]), NoMargin)
    found = station_function(chain, fitted(chain))
    assert isinstance(found, StationFunction)
    assert found.epsilon > 0


@pytest.mark.parametrize(
    "name",
    [
        "rybko-stolyar-with-idle-station",
        "lu-kumar-split-2-types",
        "four-station-single-v-trap",
        "global-rs-3",
        "global-lk1221-3",
    ],
)
def test_fitted_functions_never_certify_what_is_not_globally_stable(name: str) -> None:
    chain = walk(read_file(PATHS[name]))
    stations = len(chain.expansion.busy_servers)
    assert station_function(chain, [uniform(stations), *cycles(stations), *fitted(chain)]) == NoMargin(True)
    assert several_pieces(chain, Budget(200)) is None


def test_hitting_times_of_a_cycle_count_the_steps() -> None:
    ring = {0: {1: Fraction(1)}, 1: {2: Fraction(1)}, 2: {0: Fraction(1)}}
    assert hitting_times(3, ring) == [[0, 1, 2], [2, 0, 1], [1, 2, 0]]


@pytest.mark.parametrize("name", ["priority-two-pieces", "back-pressure-line"])
def test_alternating_network_needs_two_pieces(name: str) -> None:
    """On reduced faces, and by counterexamples."""
    instance = read_file(PATHS[name])
    assert decide(instance, Request(method("linear"))).verdict is Verdict.UNDECIDED
    decision = decide(instance, Request(method("lp")))
    assert isinstance(decision.proof, DriftProof)
    assert len(decision.proof.function) == 2
    data = certificate_of(decision)
    assert data is not None
    assert check_bytes(data).accepted


def test_corrected_leaf_decides_what_plain_f_cannot() -> None:
    instance = read_file(PATHS["jsq-averaging-three"])
    assert decide(instance, Request(method("linear"))).verdict is Verdict.UNDECIDED
    decision = decide(instance, Request(method("corrected"), Criterion.FLUID))
    data = certificate_of(decision)
    assert decision.verdict is Verdict.STABLE
    assert data is not None
    assert check_bytes(data).accepted


@pytest.mark.parametrize("load", ["800", "850"])
def test_alternating_several_functions_on_one_walk_keep_their_differences(load: str) -> None:
    """Each V tried on a chain has its own differences of pieces, though they share names."""
    from verify.studies.comparison.compare import with_arrivals

    instance = with_arrivals(read_file(PATHS["ring-three-stations"]), Fraction(int(load), 900))
    data = certificate_of(decide(instance, Request(method("lp"))))
    assert data is not None
    assert check_bytes(data).accepted


@pytest.mark.parametrize("last", ["5/12", "1/2"])
def test_down_meyn_multipliers_prove_that_there_is_no_margin(last: str) -> None:
    """Above virtual load 1; the bound that the multipliers give is computed from the program alone."""
    program = StationProgram(walk(line("1221", ["1/10", "3/5", "1/10", last])), uniform(2))
    found = no_margin_multipliers(program, propose_interior(program.program))
    assert found is not None
    assert bound_by_multipliers(program.program, program.program.costs, found) == 0


def test_down_meyn_at_virtual_load_one_only_the_exact_optimum_tells() -> None:
    """Some weights have the margin 0 there, so no multipliers stay away from all of them."""
    chain = walk(line("1221", ["1/10", "3/5", "1/10", "2/5"]))
    program = StationProgram(chain, uniform(2))
    assert no_margin_multipliers(program, propose_interior(program.program)) is None
    assert positive_margin(program) == NoMargin(proved=True)
    assert optimum(chain, uniform(2)) == 0


@pytest.mark.parametrize("slack", ["1/10", "1/1000000000000"])
def test_down_meyn_no_multipliers_where_there_is_a_margin(slack: str) -> None:
    last = str(Fraction(2, 5) - Fraction(slack))
    program = StationProgram(walk(line("1221", ["1/10", "3/5", "1/10", last])), uniform(2))
    assert no_margin_multipliers(program, propose_interior(program.program)) is None


def test_strict_domination_needs_domination_to_begin_with() -> None:
    """Piece 1 above piece 0 at the buffer of station 0, by more than any perturbation mends."""
    rates = Stations(walk(line("12", ["1", "1"], "1/2")).expansion)
    assert strictly_dominated(rates, uniform(2), [[4, 1], [4, 3]], 4, Fraction(1, 4)) is not None
    assert strictly_dominated(rates, uniform(2), [[3, 1], [4, 3]], 4, Fraction(1, 8)) is None
