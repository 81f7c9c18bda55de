"""Changes of the certificates in `rates_examples`: each violates one rule, or the form of the file."""

from __future__ import annotations

from collections.abc import Callable

from .cell_examples import two
from .examples import FIXED, SUBJECT, Json, evidence, job_class, mm1_tree, policy, put, route_network
from .rates_examples import (
    EACH,
    MM1,
    ONE,
    all_bernoulli,
    all_dominant,
    all_dominant_one_piece,
    all_equal_speeds,
    all_faster_second,
    all_feedback,
    all_jsq,
    all_jsq_as,
    all_jsr,
    all_lbfs,
    all_mm1,
    all_mm1_bounded,
    all_rates,
    all_tandem,
    all_two_classes,
    leaf,
    prices,
    split,
    two_classes,
    written,
)

ROOT = "evidence|trees|0"
ONLY = f"{ROOT}|branches|all"
EMPTY, BUSY = f"{ROOT}|children|=", f"{ROOT}|children|>"
LAST = f"{BUSY}|branches|all"


# ---- unstable ------------------------------------------------------------------------------------------------------
FOUR = [f"a.r1.{i}" for i in (1, 2, 3, 4)]
VISITS = [("1", "40"), ("2", "6"), ("2", "40"), ("1", "6")]
LAST_FIRST = {"1": [FOUR[3], FOUR[0]], "2": [FOUR[1], FOUR[2]]}
LAST_FIRST_WORDS = "routing fixed, sequencing priority 1: a.r1.4 > a.r1.1; 2: a.r1.2 > a.r1.3, holding none"


def lu_kumar(branch: Json, words: str = "", load: str = "1", **rows: list[Json]) -> Json:
    """1 - 2 - 2 - 1 with priority for the last visits of server 1 and the first of server 2 [Lu & Kumar 1991]: unstable at λ = 1
    and speeds 1/4, where the load is 23/30 but visits 2 and 4, which exclude each other, take 4/3 of the time.

    V = 4 x_1 + 3 x_2 + 2 x_3 + x_4, each of the three leaves with this branch: where a server works it lowers V by 6 at least,
    arrivals raise it by 4. `words`: the rows in the claim.
    """
    network = route_network("1 2", job_class("a", "1", VISITS))
    potential = dict(zip(FOUR, "4321", strict=True))
    tree = split(
        "x(a.r1.1)",
        greater=leaf({}, branch),
        equal=split("x(a.r1.4)", greater=leaf({}, branch), equal=leaf({}, branch, "2", buffers=FOUR)),
    )
    claim, how = all_rates(LAST_FIRST_WORDS, load, words), policy("fixed", "priority", priority=LAST_FIRST)
    return written(claim, network, how, potential, potential, tree, **rows)


def bounded_arrivals() -> Json:
    """λ <= 1 takes the arrivals away, and the 1 is not paid."""
    row = {"arrival(a)": "-1", "1": "1"}
    return lu_kumar(prices({}, {}, {"at_least_zero[0]": "4"}), "-1 arrival(a) + 1 >= 0", at_least_zero=[row])


def weights() -> Json:
    """V = number of jobs of two classes, whose weights contain the rates."""
    return two_classes("2/5", policy("fixed", "max-weight"), "routing fixed, sequencing max-weight, holding none")


def pressures() -> Json:
    """M/M/1 under back-pressure, which idles where x is 0."""
    idle = {"server 1 / (idle)": evidence("1", {"pressure(1: a.r1.1)": "-1"})}
    tree = {"leaf": {}, "exclude": idle, "branches": {"all": prices({"1": "1"}, ONE)}}
    words = "routing fixed, sequencing back-pressure, holding none"
    return written(all_rates(words), MM1, policy("fixed", "back-pressure"), ONE, ONE, tree)


def nothing_moves() -> Json:
    """Where queue 1 is empty, nothing that counts arrives and nobody is known to work: the bound is 0, without prices."""
    return two(all_jsr, (f"{EMPTY}|exclude|server 2 / (idle)", None), (f"{EMPTY}|branches|all|prices", {}))()


def stranger_without_buffers() -> Json:
    """Server 2 has no buffer, so no speed and no price."""
    return put(all_mm1, "network|servers", ["1", "2"])()


REJECTED: dict[str, Callable[[], Json]] = {
    "rates-policy": weights,
    "rates-policy--back-pressure": pressures,
    "rates-load": put(all_two_classes, "claim", all_rates(FIXED, "0")),
    "rates-load--negative": put(all_two_classes, "claim", all_rates(FIXED, "-1/2")),
    "rates-load--above-1": put(
        all_mm1_bounded, "claim", all_rates(FIXED, "3/2", "-1 arrival(a) + 1 >= 0, 1 speed(1) - 2 >= 0")
    ),
    "rates-row": two(
        all_mm1_bounded,
        ("claim", all_rates(FIXED, "1", "-1 arrival(a) + 1 >= 0, 1 speed(1) - 2 >= 0, 1 arrival(b) >= 0")),
        ("rates|at_least_zero", [*all_mm1_bounded()["rates"]["at_least_zero"], {"arrival(b)": "1"}]),
    ),
    "rates-row--server-without-buffers": two(stranger_without_buffers, ("rates|zero", [{"speed(2)": "1"}])),
    "rates-row--buffer-without-arrivals": put(all_feedback, "rates|zero", [{"arrival(q2)": "1"}]),
    "rates-row--name-of-a-buffer": put(all_mm1, "rates|zero", [{"a.r1.1": "1"}]),
    "rates-branches": put(all_dominant, f"{EMPTY}|branches|dominant 2", None),
    "rates-branches--none": put(all_mm1, f"{ROOT}|branches", {}),
    "rates-branches--excluded": put(all_dominant, f"{BUSY}|branches|dominant 1", prices({"1": "1"}, EACH)),
    "rates-branches--all-of-one-piece": put(
        all_dominant_one_piece,
        f"{ROOT}|branches",
        {"all": all_dominant_one_piece()["evidence"]["trees"][0]["branches"]["dominant 0"]},
    ),
    "rates-multiplier": put(all_tandem, f"{LAST}|multipliers", {"zero[0]": "1"}),
    "rates-multiplier--negative": two(
        all_faster_second,
        ("claim", all_rates(FIXED, "1", "1 speed(1) - 1 speed(2) >= 0")),
        ("rates|at_least_zero|0", {"speed(2)": "-1", "speed(1)": "1"}),
        (f"{LAST}|multipliers|at_least_zero[0]", "-1"),
    ),
    "rates-multiplier--of-the-other-list": put(all_equal_speeds, f"{LAST}|multipliers", {"at_least_zero[0]": "1"}),
    "rates-price": put(all_tandem, f"{LAST}|prices|3", "1"),
    "rates-price--without-buffers": put(stranger_without_buffers, f"{ONLY}|prices|2", "1"),
    "rates-price--negative": two(
        all_jsr,
        (f"{EMPTY}|leaf", {"x(a.r1.1)": "-3/2"}),
        (f"{EMPTY}|branches|all", prices({"1": "-1/2"}, {"a.r1.1": "-1/2"})),
    ),
    "rates-activity": put(all_mm1, f"{ONLY}|potentials", {"a.r1.1": "2"}),
    "rates-activity--next-one-forgotten": put(all_tandem, f"{LAST}|potentials|a.r1.2", None),
    "rates-activity--unknown": put(all_mm1, f"{ONLY}|potentials|a.r1.2", "1"),
    "rates-activity--coordinate-of-the-preset": put(all_jsq_as, f"{BUSY}|branches|all|potentials|c.r1.1", "1"),
    "rates-activity--one-destination": put(all_jsq_as, f"{BUSY}|branches|all|potentials|c@3", "1/2"),
    "rates-activity--random-routing": put(all_feedback, f"{EMPTY}|branches|all|potentials|q2", "12"),
    "rates-activity--rate-of-the-class": put(all_two_classes, f"{ONLY}|potentials|b.r1.1", "2"),
    "rates-arrival": put(all_jsr, f"{BUSY}|children|>|branches|all", prices({"1": "1"}, {"a.r1.1": "1"})),
    "rates-arrival--below": put(all_tandem, f"{EMPTY}|branches|all|potentials|a.r1.1", "1/2"),
    "rates-arrival--mean-of-a-split": put(all_bernoulli, f"{EMPTY}|branches|all", prices({"1": "2"}, {"a.r1.1": "2"})),
    "rates-arrival--row": put(all_mm1_bounded, f"{ONLY}|multipliers|at_least_zero[0]", "1/2"),
    "rates-server": put(all_tandem, f"{LAST}|prices|2", "2"),
    "rates-server--price-of-an-idle-one": put(all_tandem, f"{EMPTY}|branches|all|prices|2", "1"),
    "rates-server--idling": put(all_mm1, f"{ROOT}|exclude", None),
    "rates-server--sign-of-zero": put(all_equal_speeds, f"{LAST}|multipliers|zero[0]", "1"),
    "rates-server--load": put(all_two_classes, "claim", all_rates(FIXED, "3/5")),
    "rates-server--unpaid-by-its-row": put(all_jsq_as, f"{BUSY}|branches|all|multipliers|zero[0]", "1/4"),
    "rates-one": bounded_arrivals,
    "rates-strict": nothing_moves,
    "rates-strict--load-reached": put(all_two_classes, "claim", all_rates(FIXED, "1/2")),
    "zero--all-rates": put(all_mm1, "lower_bound|c", "1/2"),
    "R-potential--all-rates": put(all_tandem, "potential|a.r1.1", "1"),
    "trees--all-rates": put(all_jsq, "evidence|trees", all_jsq()["evidence"]["trees"][:1]),
    "eta--all-rates": put(all_tandem, f"{BUSY}|leaf", {"x(a.r1.2)": "-1"}),
    "children--all-rates": put(all_lbfs, EMPTY, None),
    "children--all-rates-closed": put(
        all_mm1, ROOT, {"split": "x(a.r1.1)", "children": {">=": all_mm1()["evidence"]["trees"][0]}}
    ),
    "exclusion--all-rates": put(all_mm1, f"{ROOT}|exclude|server 1 / (idle)|kappa", "2"),
    "no-alternative--all-rates": two(
        all_mm1,
        (
            ROOT,
            split(
                "x(a.r1.1)",
                equal=leaf({}, prices({}, {}), "1", buffers=["a.r1.1"]),
                greater=leaf({}, prices({"1": "1"}, ONE)),
            ),
        ),
        (f"{ROOT}|children|=|exclude|server 1 / a.r1.1", evidence("1", {"x(a.r1.1)": "-1"})),
    ),
    "policy--all-rates": put(all_dominant, "policy|dominance_function", None),
    "words--all-rates": put(all_mm1, "claim|words", all_rates(FIXED)["words"].replace(" with load below 1", "")),
    "words--all-rates-at-its-own": put(
        all_mm1, "claim|words", f"STABLE: {SUBJECT} " + all_rates(FIXED)["words"].partition(f"{SUBJECT} ")[2]
    ),
    "words--all-rates-row-left-out": put(
        all_mm1_bounded, "claim|words", all_rates(FIXED, "1", "1 speed(1) - 2 >= 0")["words"]
    ),
    "words--all-rates-order-of-symbols": put(
        all_mm1_bounded, "claim|words", all_rates(FIXED, "1", "1 - 1 arrival(a) >= 0, 1 speed(1) - 2 >= 0")["words"]
    ),
    "words--all-rates-load": put(all_two_classes, "claim|words", all_rates(FIXED)["words"]),
}
MALFORMED: dict[str, Callable[[], Json]] = {
    "all-with-epsilon": put(all_mm1, "claim|epsilon", "1/2"),
    "all-without-load": put(all_mm1, "claim|load_at_most", None),
    "all-unstable": put(all_mm1, "claim|verdict", "unstable"),
    "all-without-rates": put(all_mm1, "rates", None),
    "all-without-a-list-of-rows": put(all_mm1, "rates|zero", None),
    "all-row-of-nothing": put(all_mm1, "rates|zero", [{}]),
    "all-row-with-0": put(all_mm1_bounded, "rates|at_least_zero|0|1", "0"),
    "all-row-of-a-third-kind": put(all_mm1, "rates|at_most_zero", []),
    "all-leaf-without-branches": put(all_mm1, f"{ROOT}|branches", None),
    "all-branch-without-prices": put(all_mm1, f"{ONLY}|prices", None),
    "all-branch-without-multipliers": put(all_mm1, f"{ONLY}|multipliers", None),
    "all-price-0": put(all_tandem, f"{LAST}|prices|1", "0"),
    "all-leaf-with-corrector": put(all_mm1, f"{ROOT}|corrector", {"features": [], "h": {}}),
    "all-by-faces": put(all_mm1, "evidence", {"kind": "faces", "faces": [[]]}),
    "all-multiplier-bare": put(all_mm1_bounded, f"{ONLY}|multipliers|at_least_zero[0]", 1),
    "leaf-of-F-with-branches": put(mm1_tree, f"{ROOT}|branches", {}),
}
