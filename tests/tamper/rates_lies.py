"""Lies about all rates: Lu-Kumar with last buffers first, of which `checker.rates_changes` says where it is unstable."""

from __future__ import annotations

import copy

from checker.examples import put
from checker.rates_changes import FOUR, LAST_FIRST, lu_kumar
from checker.rates_examples import all_mm1, prices
from oracles.spoken import sentence

from .lies import Json, policy

ROOT = "evidence|trees|0"
LEAVES = (f"{ROOT}|children|>", f"{ROOT}|children|=|children|>", f"{ROOT}|children|=|children|=")
NOTHING = prices({}, {})


def spoken(value: Json) -> Json:
    """With the words that it should have."""
    found = copy.deepcopy(value)
    found["claim"]["words"] = sentence(found)
    return found


def arrivals_forgotten() -> Json:
    return lu_kumar(NOTHING)


def one_buffer_is_worth_something() -> Json:
    """4 at the first buffer and nothing behind it, as if the work ended there, for nothing."""
    return lu_kumar(prices({}, {FOUR[0]: "4"}))


def work_is_dear() -> Json:
    """4 at every buffer, paid by server 1, which lets the job out: 24, but it lowers V by 6 only."""
    return lu_kumar(prices({"1": "24"}, dict.fromkeys(FOUR, "4")))


def paid_by_an_idle_server() -> Json:
    """Prices below 0."""
    return lu_kumar(prices({"1": "24", "2": "-24"}, dict.fromkeys(FOUR, "4")))


def row_backwards() -> Json:
    """The row λ >= 0, which is nothing, times -4."""
    branch = prices({}, {}, {"at_least_zero[0]": "-4"})
    return lu_kumar(branch, "1 arrival(a) >= 0", at_least_zero=[{"arrival(a)": "1"}])


def row_not_said() -> Json:
    """λ = 0 in the evidence, nothing of it in the sentence."""
    return lu_kumar(prices({}, {}, {"zero[0]": "-4"}), zero=[{"arrival(a)": "1"}])


def row_of_a_stranger() -> Json:
    """`arrival` of another class is 1, and pays."""
    branch = prices({}, {}, {"zero[0]": "-4"})
    return lu_kumar(branch, "1 arrival(a) = 0", zero=[{"arrival(a)": "1", "arrival(b)": "-1"}])


def correction_of_a_busy_buffer() -> Json:
    """Where x_1 > 0 its weight is corrected to 0."""
    return put(arrivals_forgotten, f"{LEAVES[0]}|leaf", {f"x({FOUR[0]})": "-4"})()


def branch_left_out() -> Json:
    """The same order as tie order of a dominance function with one piece; no branch is looked at."""
    value = arrivals_forgotten()
    piece = dict(zip(FOUR, "4321", strict=True))
    value["policy"] = policy("fixed", "dominant", dominance_function={"pieces": [piece]}, tie_order=LAST_FIRST)
    text = {"server 2 / (idle)": "dominant 0 / server 2 / (idle)"}
    leaves = value["evidence"]["trees"][0]["children"]
    for leaf in (leaves[">"], *leaves["="]["children"].values()):
        leaf["branches"] = {}
        if "exclude" in leaf:
            leaf["exclude"] = {text[name]: entry for name, entry in leaf["exclude"].items()}
    return spoken(value)


def overloaded() -> Json:
    """M/M/1 at every load up to 2."""
    return spoken(put(all_mm1, "claim|load_at_most", "2")())
